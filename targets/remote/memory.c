/* targets/remote/memory.c: device copies of host memory at the server.
 *
 * A device copy is asked for with the first bytes that it gets: when these are all of it, with
 * their hash, and what the server has seen before is not sent again.  Bytes travel in
 * pieces, each safe to repeat, compressed where that was found to save time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "device.h"
#include "err/remote.h"
#include "err/room.h"

enum {
    Piece = 32 << 20,      /* bytes of one request */
    Packed = 4 << 20,      /* where they are compressed */
    Probe = 256 << 10,     /* of the first ones, which measure the link */
    Measured = 4 << 20,    /* less than this, or faster than that, tells little about a link */
    Hashed = 64 << 20,     /* contents up to this size are asked for by their hash always */
    Packs = 8,             /* then one goes as it is: the link may have become faster */
    Gap = 1 << 16,         /* between device copies, so that no address is of two */
    BarCells = 24
};
static const double Moment = 0.3, Again = 0.1; /* seconds: until a bar, between two */
static const double Meaning = 0.02;            /* seconds: a transfer that takes them tells enough */
static const double SlowLink = 25e6;           /* bytes a second: below, the server may compress */
static const double HashedLink = 500e6;        /* below, contents of any size go by their hash */

/* Addresses -------------------------------------------------------------------- */

static size_t copy_index(const Remote *d, uintptr_t at)
{
    size_t lo = 0, hi = d->ndevcopy;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (d->devcopy[mid].at <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo; /* of the first one behind */
}

static DeviceCopy *devcopy_of(Remote *d, uintptr_t at)
{
    size_t i = copy_index(d, at);
    return i && at - d->devcopy[i - 1].at <= d->devcopy[i - 1].bytes ? &d->devcopy[i - 1] : NULL;
}

const DeviceCopy *remote_devcopy(const Remote *d, uintptr_t at)
{
    size_t i = copy_index(d, at);
    return i && at - d->devcopy[i - 1].at <= d->devcopy[i - 1].bytes ? &d->devcopy[i - 1] : NULL;
}

void *remote_mem_new(void *dev, void *host, size_t bytes, DevError *err)
{
    Remote *d = dev;
    (void)host;
    if (d->ndevcopy == d->capdevcopy) {
        size_t cap = d->capdevcopy ? 2 * d->capdevcopy : 64;
        DeviceCopy *t = realloc(d->devcopy, cap * sizeof *t);
        if (!t) {
            *err = DEV_NO_ERROR;
            return NULL;
        }
        d->devcopy = t;
        d->capdevcopy = cap;
    }
    uintptr_t at = d->next;
    d->next += (bytes + Gap) / Gap * Gap + Gap;
    d->devcopy[d->ndevcopy++] = (DeviceCopy){at, bytes, 0}; /* addresses only grow */
    return (void *)at;
}

/* The server's tensor goes; that one which cannot be told of is freed with its session. */
static void copy_drop(Remote *d, DeviceCopy *t)
{
    Call c = {.method = "DELETE", .patience = remote_patience(d)};
    if (t->id && d->session[0] && remote_path(d, &c, "/tensors/%" PRId64, t->id))
        dev_error_free(http_call(&d->http, &c));
    if (t->id)
        d->held -= t->bytes;
    t->id = 0;
    str_free(&c.text);
}

void remote_mem_free(void *dev, void *devcopy)
{
    Remote *d = dev;
    DeviceCopy *t = devcopy_of(d, (uintptr_t)devcopy);
    if (!t)
        return;
    payload_forget(d, t->at);
    copy_drop(d, t);
    size_t i = (size_t)(t - d->devcopy);
    memmove(t, t + 1, (d->ndevcopy - i - 1) * sizeof *t);
    d->ndevcopy--;
}

/* Asking for a tensor --------------------------------------------------------------- */

static const char *rmemory_bytes(double b, char out[24])
{
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int k = 0;
    for (; b >= 1024 && k < 4; k++)
        b /= 1024;
    snprintf(out, 24, "%.4g %s", b, unit[k]);
    return out;
}

/* Out of room there: the session frees what it can and asks again. */
static void server_full(const Remote *d, size_t bytes, DevError *err)
{
    char asked[24], have[24], all[24];
    double limit = (double)d->limit.memory, left = limit - (double)d->held;
    dev_error_free(*err);
    *err = dev_error(E_device_full, rmemory_bytes((double)bytes, asked),
                     rmemory_bytes(left > 0 ? left : 0, have), rmemory_bytes(limit, all));
}

/* Was the wish refused for lack of room? */
static bool no_room(const Call *c)
{
    json_t *o = c->status == 413 || c->status == 422 ? said_object(c->text.s, c->text.n) : NULL;
    Message m = said_message(o);
    bool yes = strcmp(m.id, "device_full") == 0 || strcmp(m.id, "tensor_memory") == 0 ||
               (strcmp(m.id, "serve_quota") == 0 && m.narg && strcmp(m.arg[0], "memory") == 0);
    json_decref(o);
    return yes;
}

/* hash: of the contents, or NULL.  *known: the server has them. */
static bool copy_make(Remote *d, DeviceCopy *t, const char *hash, bool *known, DevError *err)
{
    Call c = {.patience = remote_patience(d), .once = true};
    json_t *body = json_pack("{s:I, s:s?}", "bytes", (json_int_t)t->bytes, "hash", hash);
    int64_t id = 0;
    *known = false;
    if (!remote_path(d, &c, "/tensors")) {
        json_decref(body);
        return false;
    }
    json_t *o = remote_ask(d, NULL, body, &c, err);
    bool ok = o && said_int(o, "tensor", 1, INT64_MAX, &id);
    if (ok) {
        t->id = id;
        d->held += t->bytes;
        *known = json_is_true(json_object_get(o, "known"));
    } else if (o) {
        *err = said_wrong(d->opt.host, "{\"tensor\": ..}", c.text.s, c.text.n);
    } else if (no_room(&c)) {
        server_full(d, t->bytes, err);
    }
    json_decref(o);
    str_free(&c.text);
    return ok;
}

/* Progress ------------------------------------------------------------------------- */

/* A transfer of all its pieces. */
typedef struct Transfer Transfer;
struct Transfer {
    Remote *d;
    bool up;
    bool hashed;           /* the server looks at the contents behind the last octet */
    size_t n, done;        /* in all; before this piece */
    size_t raw, wire;      /* of this piece, as it is and as it travels */
    double since, shown;
};

static void copy_progress(void *ud, size_t sent, size_t got)
{
    Transfer *m = ud;
    double t = clock_s();
    const DevHost *h = m->d->host;
    if (!h || t - m->since < Moment || t - m->shown < Again)
        return;
    m->shown = t;
    double part = (double)(m->up ? sent : got) / (double)(m->wire ? m->wire : 1);
    double done = (double)m->done + (part < 1 ? part : 1) * (double)m->raw;
    char bar[BarCells + 1];
    for (int i = 0; i < BarCells; i++)
        bar[i] = i < done / (double)m->n * BarCells ? '=' : ' ';
    bar[BarCells] = '\0';
    char host[61], now[24], all[24], rate[24];
    snprintf(host, sizeof host, "%.60s", m->d->opt.host);
    DevMessage say = dev_message(E_remote_moving, host, m->up ? "<-" : "->", bar,
                                 rmemory_bytes(done, now), rmemory_bytes((double)m->n, all),
                                 rmemory_bytes(done / (t - m->since), rate));
    h->status(h->ud, &say);
}

static void rmemory_over(const Transfer *m)
{
    if (m->shown > 0)
        m->d->host->status(m->d->host->ud, NULL);
}

/* Takes a measurement of n bytes in `seconds` into *rate.  One that tells little makes the
 * next one larger. */
static void measure_link(NetLink *l, double *rate, size_t n, double seconds)
{
    if (n < Probe || seconds <= 0)
        return;
    if (seconds < Meaning && n < Measured) {
        l->probe = 4 * n;
        return;
    }
    double now = (double)n / seconds;
    *rate = *rate > 0 ? (*rate + now) / 2 : now;
}

/* Up --------------------------------------------------------------------------------- */

/* Bytes [at, at + n) of the device copy, from s, in one request. */
static bool put_piece(Remote *d, const DeviceCopy *t, Transfer *m, const char *s, size_t at,
                      size_t n, DevError *err)
{
    Str packed = {0};
    Call c = {.method = "PUT", .body = s, .nbody = n, .moved = copy_progress, .ud = m,
              .patience = remote_patience(d)};
    if (d->link.packed < Packs && remote_pack(&d->link, s, n, &packed)) {
        d->link.packed++;
        c.body = packed.s;
        c.nbody = packed.n;
        c.deflated = true;
    } else {
        d->link.packed = 0;
    }
    m->raw = n;
    m->wire = c.nbody;
    bool ok = remote_path(d, &c, "/tensors/%" PRId64 "?at=%zu&bytes=%zu", t->id, at, n);
    double from = clock_s();
    *err = ok ? http_call(&d->http, &c) : DEV_NO_ERROR;
    ok = ok && !err->is;
    if (ok && !(m->hashed && m->done + n == m->n))
        measure_link(&d->link, &d->link.up, c.nbody, clock_s() - from);
    /* 409: the hash was wrong, the contents are right */
    if (!ok && c.status == 409) {
        dev_error_free(*err);
        *err = DEV_NO_ERROR;
        ok = true;
    }
    str_free(&c.text);
    str_free(&packed);
    return ok;
}

/* How much the next request takes. */
static size_t rmemory_piece(const Remote *d, size_t left, double rate)
{
    size_t most = rate <= 0 ? (d->link.probe ? d->link.probe : Probe)
                            : rate < SlowLink * 4 ? Packed : Piece;
    if (left < 2 * (size_t)Probe)
        most = Piece; /* nothing to be learnt in time */
    if (d->limit.body_bytes > 0 && most > (size_t)d->limit.body_bytes)
        most = (size_t)d->limit.body_bytes;
    return left < most ? left : most;
}

static bool put_all(Remote *d, const DeviceCopy *t, const char *s, size_t at, size_t n, bool hashed,
                    DevError *err)
{
    Transfer m = {.d = d, .up = true, .hashed = hashed, .n = n, .since = clock_s()};
    bool ok = true;
    while (ok && m.done < n) {
        size_t k = rmemory_piece(d, n - m.done, d->link.up);
        ok = put_piece(d, t, &m, s + m.done, at + m.done, k, err);
        m.done += k;
    }
    rmemory_over(&m);
    return ok;
}

/* All of a tensor: a new one, so that its hash says whether it must be sent at all.  On a
 * link on which sending takes no longer than hashing here and there, large ones are just
 * sent. */
static bool put_whole(Remote *d, DeviceCopy *t, const char *s, DevError *err)
{
    char hex[33];
    bool known = false, ask = t->bytes <= Hashed || d->link.up < HashedLink;
    if (!ask && t->id)
        return put_all(d, t, s, 0, t->bytes, false, err);
    copy_drop(d, t);
    if (ask)
        hash_hex(hash_bytes((Hash){0, 0}, s, t->bytes), hex);
    return copy_make(d, t, ask ? hex : NULL, &known, err) &&
           (known || put_all(d, t, s, 0, t->bytes, ask, err));
}

bool remote_mem_put(void *dev, void *devcopy, const void *host, size_t at, size_t n, DevError *err)
{
    Remote *d = dev;
    DeviceCopy *t = devcopy_of(d, (uintptr_t)devcopy);
    bool known;
    if (!remote_session(d, err))
        return false;
    if (at == 0 && n == t->bytes) {
        payload_forget(d, t->at);
        return put_whole(d, t, host, err);
    }
    if (!t->id && !copy_make(d, t, NULL, &known, err))
        return false;
    return payload_later(d, t, at, n, host) ||
           (payload_flush(d, t->at, err) && remote_send(d, t, host, at, n, err));
}

bool remote_send(Remote *d, const DeviceCopy *t, const char *s, size_t at, size_t n, DevError *err)
{
    return put_all(d, t, s, at, n, false, err);
}

bool remote_mem_zero(void *dev, void *devcopy, size_t at, size_t n, DevError *err)
{
    Remote *d = dev;
    DeviceCopy *t = devcopy_of(d, (uintptr_t)devcopy);
    bool known;
    if (!remote_session(d, err))
        return false;
    if (!t->id)
        return copy_make(d, t, NULL, &known, err); /* a new one is zeros */
    return payload_later(d, t, at, n, NULL) ||
           (payload_flush(d, t->at, err) && remote_send_zero(d, t, at, n, err));
}

bool remote_send_zero(Remote *d, const DeviceCopy *t, size_t at, size_t n, DevError *err)
{
    json_t *body = json_pack("{s:I, s:I}", "at", (json_int_t)at, "bytes", (json_int_t)n);
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    Call c = {.method = "POST", .body = text, .nbody = text ? strlen(text) : 0,
              .patience = remote_patience(d)};
    bool ok = text && remote_path(d, &c, "/tensors/%" PRId64 "/zero", t->id);
    *err = ok ? http_call(&d->http, &c) : DEV_NO_ERROR;
    json_decref(body);
    free(text);
    str_free(&c.text);
    return ok && !err->is;
}

/* Down -------------------------------------------------------------------------------- */

/* May the server compress?  On slow links, unless that was found to be slower still. */
static bool may_inflate(const NetLink *l)
{
    return l->down > 0 && l->down < SlowLink && (l->inflated <= 0 || l->inflated > l->down);
}

bool remote_mem_get(void *dev, void *devcopy, void *host, size_t at, size_t n, DevError *err)
{
    Remote *d = dev;
    const DeviceCopy *t = devcopy_of(d, (uintptr_t)devcopy);
    Transfer m = {.d = d, .n = n, .since = clock_s()};
    char *to = host;
    if (!t->id || !d->session[0]) {
        *err = dev_error_all(E_bug, "a tensor is read that the server never had");
        return false;
    }
    *err = DEV_NO_ERROR;
    if (payload_read(d, t, at, n, host))
        return true;
    if (!payload_flush(d, t->at, err))
        return false;
    while (!err->is && m.done < n) {
        Call c = {.method = "GET", .moved = copy_progress, .ud = &m, .patience = remote_patience(d),
                  .into = to + m.done, .room = rmemory_piece(d, n - m.done, d->link.down),
                  .inflate = may_inflate(&d->link)};
        m.raw = m.wire = c.room;
        if (!remote_path(d, &c, "/tensors/%" PRId64 "?at=%zu&bytes=%zu", t->id, at + m.done, c.room))
            return false;
        double from = clock_s();
        *err = http_call(&d->http, &c);
        if (!err->is)
            measure_link(&d->link, c.inflate ? &d->link.inflated : &d->link.down, c.room,
                         clock_s() - from);
        m.done += c.room;
        str_free(&c.text);
    }
    rmemory_over(&m);
    return !err->is;
}
