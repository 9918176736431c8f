/* core/device/session_memory.c: the tensors that a session's worker knows.
 *
 * A worker maps each memfd once.  Where the device has memory of its own, a
 * memfd has a device copy there, and a launch sends the worker, in the same go and
 * before it, what the device copies lack: the storages whose newest contents are the
 * host's or another device's.  What the kernel writes stays on the device until
 * somebody asks for it through storage_read() or storage_write(); until then it
 * is lost with the worker, and the host's bytes are the snapshot to go on from.
 * See storage.h for the rules. */
#include <stdlib.h>
#include <string.h>

#include "session_p.h"
#include "err/run.h"

/* What the worker has mapped ---------------------------------------------- */

/* Index of the first id that is not less. */
static size_t id_index(const Session *s, uint64_t id)
{
    size_t lo = 0, hi = s->nknown;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->known[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static KnownCopy *session_memory_known(Session *s, uint64_t id)
{
    size_t i = id_index(s, id);
    return i < s->nknown && s->known[i].id == id ? &s->known[i] : NULL;
}

/* A memfd is freed: the worker hears of it with the next launch.  Should the
 * note be lost for lack of memory, it keeps an empty mapping. */
static void on_gone(void *ud, uint64_t id)
{
    Session *s = ud;
    KnownCopy *k = session_memory_known(s, id);
    if (!k)
        return;
    size_t i = (size_t)(k - s->known);
    s->nknown--;
    memmove(k, k + 1, (s->nknown - i) * sizeof *k);
    if (proto_room(&s->gone, s->ngone, &s->capgone, sizeof *s->gone))
        s->gone[s->ngone++] = id;
}

static bool send_gone(Session *s)
{
    const size_t most = 4096;
    while (s->ngone) {
        size_t n = s->ngone < most ? s->ngone : most;
        msg_start(s->msg, Mdrop, ++s->seq);
        put_u64(s->msg, n);
        for (size_t i = 0; i < n; i++)
            put_u64(s->msg, s->gone[--s->ngone]);
        if (!msg_send(s->fd, s->msg))
            return false;
    }
    return true;
}

static bool send_map(Session *s, const Storage *st)
{
    size_t i = id_index(s, st->id);
    if (i < s->nknown && s->known[i].id == st->id)
        return true;
    msg_start(s->msg, Mmap, ++s->seq);
    put_u64(s->msg, st->id);
    s->msg->fd = st->fd;
    if (!msg_send(s->fd, s->msg) || !proto_room(&s->known, s->nknown, &s->capknown, sizeof *s->known))
        return false;
    memmove(s->known + i + 1, s->known + i, (s->nknown - i) * sizeof *s->known);
    s->known[i] = (KnownCopy){st->id, s->apart ? storage_tag() : 0, false};
    s->nknown++;
    return true;
}

/* Device copies --------------------------------------------------------------------- */

static void session_memory_put_bytes(Msg *m, const Storage *st)
{
    put_u64(m, st->id);
    put_u64(m, st->fdoff);
    put_u64(m, st->bytes);
}

/* Calls f for each tensor argument of all lists; stops when it is false. */
static bool each_tensor_arg(Session *s, const ArgLists *a, bool (*f)(Session *, const LaunchArg *))
{
    for (int l = 0; l < a->lists; l++)
        for (int i = 0; i < a->narg[l % a->n]; i++)
            if (a->list[l][i].t && !f(s, &a->list[l][i]))
                return false;
    return true;
}

/* A device that uses the host's bytes: they become the newest. */
static bool send_shared(Session *s, const LaunchArg *a)
{
    if (a->read_only)
        storage_read(a->t->st);
    else
        storage_write(a->t->st);
    return send_map(s, a->t->st);
}

/* Can the device make these bytes without the host's? */
static bool fills(const Session *s, const Storage *st)
{
    return st->unwritten && !st->keeper && (!st->fill || s->target->device->mem_fill);
}

/* A device with memory of its own: what another device has newer comes to the
 * host first. */
static bool send_apart(Session *s, const LaunchArg *a)
{
    if (a->t->st->keeper != &s->keeper && !fills(s, a->t->st))
        storage_read(a->t->st);
    return send_map(s, a->t->st);
}

enum { PutMost = 1024 }; /* storages of one message */

/* The message of uploads that is being written is full, or it is the last. */
static bool send_puts(Session *s, uint64_t *n)
{
    if (!*n)
        return true;
    put_u64(s->msg, 0); /* no more */
    *n = 0;
    return msg_send(s->fd, s->msg);
}

/* Uploads what the device copies of these arguments lack.  That they have it is noted
 * at once, so that a storage which is named twice goes once; memory_unsent()
 * takes it back. */
static bool send_uploads(Session *s, const ArgLists *a)
{
    uint64_t n = 0;
    for (int l = 0; l < a->lists; l++)
        for (int i = 0; i < a->narg[l % a->n]; i++) {
            Storage *st = a->list[l][i].t ? a->list[l][i].t->st : NULL;
            KnownCopy *k = st ? session_memory_known(s, st->id) : NULL;
            if (!k || storage_same(st, k->devcopy))
                continue;
            if (n == 0)
                msg_start(s->msg, Mput, ++s->seq);
            bool filled = fills(s, st);
            put_u64(s->msg, filled ? PutFill : PutBytes);
            if (filled)
                put_u64(s->msg, st->fill);
            s->moved += filled ? 0 : st->bytes;
            session_memory_put_bytes(s->msg, st);
            storage_agree(st, k->devcopy);
            k->made = true;
            if (++n == PutMost && !send_puts(s, &n))
                return false;
        }
    return send_puts(s, &n);
}

bool memory_send(Session *s, const ArgLists *a)
{
    if (!send_gone(s) || !each_tensor_arg(s, a, s->apart ? send_apart : send_shared))
        return false;
    return !s->apart || send_uploads(s, a);
}

static bool note_unsent(Session *s, const LaunchArg *a)
{
    const KnownCopy *k = session_memory_known(s, a->t->st->id);
    if (k && a->t->st->keeper != &s->keeper)
        storage_disagree(a->t->st, k->devcopy);
    return true;
}

void memory_unsent(Session *s, const ArgLists *a)
{
    if (s->apart)
        each_tensor_arg(s, a, note_unsent);
}

static bool note_written(Session *s, const LaunchArg *a)
{
    const KnownCopy *k = a->read_only ? NULL : session_memory_known(s, a->t->st->id);
    if (k)
        storage_keep(a->t->st, &s->keeper, k->devcopy);
    return true;
}

void memory_ran(Session *s, const ArgLists *a)
{
    if (s->apart)
        each_tensor_arg(s, a, note_written);
}

uint64_t session_moved(const Session *s) { return s->moved; }
bool session_is_apart(const Session *s) { return s->apart; }

/* Back to the host ----------------------------------------------------------- */

/* Keeper.fetch.  Without an answer the worker is of no use, and everything that
 * it alone had is lost; an error of the device's says why. */
static void keeper_fetch(void *ud, Storage *st)
{
    Session *s = ud;
    Ctx c;
    msg_start(s->msg, Mget, ++s->seq);
    session_memory_put_bytes(s->msg, st);
    bool answered = msg_send(s->fd, s->msg) && worker_await(s, true) == WAanswer;
    if (answered && s->msg->h.kind == Mok) {
        storage_back(st);
        s->moved += st->bytes;
        return;
    }
    ctx_init(&c, NULL, 0);
    if (answered) {
        get_u64(s->msg); /* no line */
        DevError err = get_error(s->msg);
        report_device(s, &c, NULL, 0, &err);
        dev_error_free(err);
    }
    worker_kill(s); /* loses st too */
    report_lost(s, &c, E_contents_unread);
    if (s->hooks.warn)
        s->hooks.warn(s->hooks.ud, &c);
    ctx_free(&c);
}

/* The device copy of k may go: its next one bears another tag. */
static void put_evicted(Session *s, KnownCopy *k)
{
    put_u64(s->msg, k->id);
    k->devcopy = storage_tag();
    k->made = false;
}

/* Does the launch need the memfd? */
static bool session_memory_needed(const ArgLists *a, uint64_t id)
{
    for (int l = 0; l < a->lists; l++)
        for (int i = 0; i < a->narg[l % a->n]; i++)
            if (a->list[l][i].t && a->list[l][i].t->st->id == id)
                return true;
    return false;
}

/* Has the device alone the newest contents of some storage in this memfd? */
static bool session_memory_kept(const Session *s, uint64_t id)
{
    for (const Storage *st = s->keeper.first; st; st = st->next)
        if (st->id == id)
            return true;
    return false;
}

/* Frees the device copies that nobody needs now and that hold nothing but what the host
 * has too. */
static bool evict(Session *s, const ArgLists *a)
{
    const uint64_t most = 4096;
    uint64_t n = 0;
    for (size_t i = 0; i < s->nknown && n < most; i++) {
        if (!s->known[i].made || session_memory_needed(a, s->known[i].id) ||
            session_memory_kept(s, s->known[i].id))
            continue;
        if (n++ == 0)
            msg_start(s->msg, Mevict, ++s->seq);
        put_evicted(s, &s->known[i]);
    }
    if (n)
        put_u64(s->msg, 0); /* no more */
    return n && msg_send(s->fd, s->msg);
}

/* What only the device has comes to the host, as far as the launch does not need
 * it there.  False: the worker ended. */
static bool fetch_others(Session *s, const ArgLists *a)
{
    for (Storage *st = s->keeper.first, *next; st && s->pid; st = next) {
        next = st->next;
        if (!session_memory_needed(a, st->id))
            storage_read(st);
    }
    return s->pid != 0;
}

bool memory_room(Session *s, const ArgLists *a, int *stage)
{
    size_t before = s->ngone;
    bool some = false;
    while (!some && *stage < 3)
        switch ((*stage)++) {
        case 0:
            if (s->hooks.reclaim)
                s->hooks.reclaim(s->hooks.ud);
            some = s->ngone > before;
            break;
        case 1:
            some = evict(s, a);
            break;
        default:
            some = fetch_others(s, a) && evict(s, a);
        }
    return some;
}

/* Life ------------------------------------------------------------------------ */

void memory_open(Session *s)
{
    s->apart = device_apart(s->target->device, s->options);
    s->keeper = (Keeper){keeper_fetch, s, NULL};
    s->watch = (StorageWatch){on_gone, s, NULL};
    storage_watch(&s->watch);
}

void memory_forget(Session *s)
{
    s->nknown = s->ngone = 0;
    while (s->keeper.first) {
        s->lost.n++;
        s->lost.bytes += (int64_t)s->keeper.first->bytes;
        storage_lose(s->keeper.first);
    }
}

void memory_close(Session *s)
{
    while (s->keeper.first)
        storage_read(s->keeper.first);
    storage_unwatch(&s->watch);
}
