/* targets/remote/payload.c: what travels along with a launch, so that a small call is one
 * request and its answer.
 *
 * Zeros and short pieces that go to the server wait for the next launch, which takes them
 * along; whatever else has to do with their tensor sends them first.  What was read behind a
 * launch of a kernel, of which argument and how much, is asked for with the next launch of the
 * same kernel: a result that is then not read is not asked for again. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base64.h"
#include "device.h"

enum { PartMost = 4096, ListMost = 16384 };

/* What waits ------------------------------------------------------------------- */

static void fill_drop(Remote *d, size_t i)
{
    free(d->fill[i].data);
    d->filled -= d->fill[i].data ? d->fill[i].n : 0;
    d->nfill--;
    memmove(d->fill + i, d->fill + i + 1, (d->nfill - i) * sizeof *d->fill);
}

void payload_forget(Remote *d, uintptr_t devcopy)
{
    for (size_t i = d->nfill; i--;)
        if (d->fill[i].devcopy == devcopy)
            fill_drop(d, i);
    for (size_t i = d->nfresh; i--;)
        if (d->fresh[i].devcopy == devcopy)
            d->fresh[i].n = 0;
}

/* What is known of these bytes is no longer so. */
static void stale(Remote *d, uintptr_t devcopy, size_t at, size_t n)
{
    for (size_t i = 0; i < d->nfresh; i++) {
        Fresh *f = &d->fresh[i];
        if (f->devcopy == devcopy && at < f->at + f->n && f->at < at + n)
            f->n = 0;
    }
}

bool payload_later(Remote *d, const DeviceCopy *t, size_t at, size_t n, const void *data)
{
    stale(d, t->at, at, n);
    if (d->nfill == COUNT(d->fill) || (data && (n > PartMost || d->filled + n > ListMost)))
        return false;
    char *own = data ? malloc(n) : NULL;
    if (data && !own)
        return false;
    if (data)
        memcpy(own, data, n);
    d->fill[d->nfill++] = (Fill){t->at, at, n, own};
    d->filled += data ? n : 0;
    return true;
}

/* One of them as a request of its own. */
static bool send_fill(Remote *d, const Fill *f, DevError *err)
{
    const DeviceCopy *t = remote_devcopy(d, f->devcopy);
    return !t || !t->id || (f->data ? remote_send(d, t, f->data, f->at, f->n, err)
                                    : remote_send_zero(d, t, f->at, f->n, err));
}

bool payload_flush(Remote *d, uintptr_t devcopy, DevError *err)
{
    bool any = false;
    for (size_t i = 0; i < d->nfill; i++)
        any = any || d->fill[i].devcopy == devcopy;
    while (any && d->nfill) { /* in their order, all */
        if (!send_fill(d, &d->fill[0], err))
            return false;
        fill_drop(d, 0);
    }
    return true;
}

bool payload_flush_all(Remote *d, DevError *err)
{
    while (d->nfill)
        if (!payload_flush(d, d->fill[0].devcopy, err))
            return false;
    return true;
}

/* A launch ------------------------------------------------------------------------ */

static json_t *payload_part(const Remote *d, uintptr_t devcopy, size_t at, size_t n,
                            const char *data)
{
    const DeviceCopy *t = remote_devcopy(d, devcopy);
    Str s = {0};
    if (!t || !t->id)
        return NULL;
    if (!data)
        return json_pack("{s:I, s:I, s:I}", "t", (json_int_t)t->id, "at", (json_int_t)at, "bytes",
                         (json_int_t)n);
    base64_put(&s, data, n);
    json_t *o = s.bad ? NULL : json_pack("{s:I, s:I, s:s}", "t", (json_int_t)t->id, "at",
                                         (json_int_t)at, "data", s.s ? s.s : "");
    str_free(&s);
    return o;
}

static json_t *before_list(const Remote *d)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < d->nfill; i++) {
        const Fill *f = &d->fill[i];
        if (json_array_append_new(list, payload_part(d, f->devcopy, f->at, f->n, f->data)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* Results that were asked for and not read are not asked for again; none is known now. */
static void forget_results(Remote *d)
{
    for (size_t i = 0; i < d->nfresh; i++) {
        Fresh *f = &d->fresh[i];
        if (f->of && !f->read)
            f->of->habit[f->habit].n = 0;
        free(f->data);
    }
    d->nfresh = 0;
}

static json_t *after_list(Remote *d, RemoteModule *m, const DevArg *arg, int narg)
{
    json_t *list = json_array();
    size_t sum = 0;
    for (int i = 0; list && i < RemoteHabits; i++) {
        const Habit *h = &m->habit[i];
        const DeviceCopy *t =
            h->n && h->arg < narg ? remote_devcopy(d, (uintptr_t)arg[h->arg].p) : NULL;
        size_t from = t ? (uintptr_t)arg[h->arg].p - t->at + (size_t)h->from : 0;
        if (!t || !t->id || from > t->bytes || h->n > t->bytes - from || sum + h->n > ListMost)
            continue;
        json_t *o = payload_part(d, t->at, from, h->n, NULL);
        if (json_array_append_new(list, o) == 0) {
            d->fresh[d->nfresh++] = (Fresh){.devcopy = t->at, .at = from, .of = m, .habit = i,
                                            .want = h->n};
            sum += h->n;
        }
    }
    return list;
}

bool payload_begin(Remote *d, RemoteModule *m, const DevArg *arg, int narg, json_t *body)
{
    forget_results(d);
    json_t *before = before_list(d), *after = before ? after_list(d, m, arg, narg) : NULL;
    bool ok = before && after;
    if (ok && json_array_size(before))
        ok = json_object_set(body, "before", before) == 0;
    if (ok && json_array_size(after))
        ok = json_object_set(body, "after", after) == 0;
    json_decref(before);
    json_decref(after);
    d->last = m;
    d->nlast = narg < RemoteLast ? narg : RemoteLast;
    for (int i = 0; i < d->nlast; i++)
        d->lastarg[i] = m->kind[i] == 't' ? (uintptr_t)arg[i].p : 0;
    return ok;
}

bool payload_end(Remote *d, const json_t *after)
{
    bool good = json_array_size(after) == d->nfresh;
    while (d->nfill)
        fill_drop(d, d->nfill - 1);
    for (size_t i = 0; good && i < d->nfresh; i++) {
        Fresh *f = &d->fresh[i];
        const json_t *v = json_array_get(after, i);
        f->data = malloc(f->want + 1);
        good = f->data && json_is_string(v) &&
               base64_get(json_string_value(v), json_string_length(v), f->data, f->want) == f->want;
        f->n = good ? f->want : 0;
    }
    return good;
}

void payload_over(Remote *d)
{
    for (size_t i = 0; i < d->nfresh; i++)
        d->fresh[i].of = NULL;
    forget_results(d);
    d->last = NULL;
}

void payload_unload(Remote *d, const RemoteModule *m)
{
    for (size_t i = 0; i < d->nfresh; i++)
        if (d->fresh[i].of == m)
            d->fresh[i].of = NULL;
    if (d->last == m)
        d->last = NULL;
}

/* Reading ---------------------------------------------------------------------------- */

/* It was read right behind a launch: an argument's, then it will be again. */
static void rpayload_learn(Remote *d, uintptr_t from, size_t n)
{
    RemoteModule *m = d->last;
    for (int i = 0; m && n <= PartMost && i < d->nlast; i++) {
        uintptr_t p = d->lastarg[i];
        if (!p || p < from || p - from >= n)
            continue;
        Habit new = {i, n, (ptrdiff_t)from - (ptrdiff_t)p}, *free_one = NULL;
        for (int k = RemoteHabits; k--;) {
            Habit *h = &m->habit[k];
            if (h->n && h->arg == new.arg && h->from == new.from)
                free_one = h; /* as much as was read last */
            else if (!h->n && !free_one)
                free_one = h;
        }
        if (free_one)
            *free_one = new;
        return;
    }
}

bool payload_read(Remote *d, const DeviceCopy *t, size_t at, size_t n, void *to)
{
    for (size_t i = 0; i < d->nfresh; i++) {
        Fresh *f = &d->fresh[i];
        if (f->devcopy != t->at || !f->n || at < f->at || n > f->n || at - f->at > f->n - n)
            continue;
        memcpy(to, f->data + (at - f->at), n);
        f->read = true;
        return true;
    }
    rpayload_learn(d, t->at + at, n);
    return false;
}

void payload_free(Remote *d)
{
    payload_over(d);
    while (d->nfill)
        fill_drop(d, d->nfill - 1);
}
