/* core/device/worker_memory.c: the session's memfds in the worker: mapped once each,
 * and on a device with memory of its own, a device copy of each that a kernel uses. */
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker_p.h"
#include "err/launch.h"
#include "err/room.h"

/* Index of the first mapping whose id is not less. */
static size_t mapping_index(const Worker *w, uint64_t id)
{
    size_t lo = 0, hi = w->nmap;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (w->map[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* NULL: not there, or it could not be mapped. */
static Mapping *mapping(Worker *w, uint64_t id)
{
    size_t i = mapping_index(w, id);
    return i < w->nmap && w->map[i].id == id && w->map[i].data ? &w->map[i] : NULL;
}

void do_map(Worker *w)
{
    uint64_t id = get_u64(&w->in);
    size_t i = mapping_index(w, id);
    struct stat st;
    Mapping m = {id, NULL, 0, NULL};
    if (w->in.fd >= 0 && fstat(w->in.fd, &st) == 0 && st.st_size > 0) {
        m.bytes = (size_t)st.st_size;
        m.data = storage_map(w->in.fd, m.bytes);
    }
    if (w->in.fd >= 0)
        close(w->in.fd);
    if (!proto_room(&w->map, w->nmap, &w->capmap, sizeof *w->map)) {
        if (m.data)
            munmap(m.data, m.bytes);
        return; /* a launch that needs it will say so */
    }
    memmove(w->map + i + 1, w->map + i, (w->nmap - i) * sizeof *w->map);
    w->map[i] = m;
    w->nmap++;
}

/* The device copy goes. */
static void drop_device_copy(Worker *w, Mapping *m)
{
    if (m->devcopy)
        w->device->mem_free(w->dev, m->devcopy);
    m->devcopy = NULL;
}

void do_drop(Worker *w)
{
    for (uint64_t n = get_u64(&w->in); n && !w->in.bad; n--) {
        uint64_t id = get_u64(&w->in);
        size_t i = mapping_index(w, id);
        if (i == w->nmap || w->map[i].id != id)
            continue;
        drop_device_copy(w, &w->map[i]);
        if (w->map[i].data)
            munmap(w->map[i].data, w->map[i].bytes);
        w->nmap--;
        memmove(w->map + i, w->map + i + 1, (w->nmap - i) * sizeof *w->map);
    }
}

void do_evict(Worker *w)
{
    for (uint64_t id; (id = get_u64(&w->in)) != 0;) {
        Mapping *m = mapping(w, id);
        if (m)
            drop_device_copy(w, m);
    }
}

/* Device copies --------------------------------------------------------------------- */

/* Reads which bytes of which mapping are meant. */
static Mapping *get_bytes(Worker *w, size_t *at, size_t *n, DevError *err)
{
    Mapping *m = mapping(w, get_u64(&w->in));
    *at = get_u64(&w->in);
    *n = get_u64(&w->in);
    if (!m)
        *err = dev_error(E_worker_memory, "no memory to map it");
    else if (w->in.bad || *n > m->bytes || *at > m->bytes - *n)
        *err = dev_error_all(E_bug, "a message names bytes beyond a tensor's");
    return err->is != E_none ? NULL : m;
}

/* One of a message's: kind is PutBytes or PutFill. */
static bool put_one(Worker *w, uint64_t kind, DevError *err)
{
    const Device *d = w->device;
    uint64_t fill = kind == PutFill ? get_u64(&w->in) : 0;
    size_t at, n;
    Mapping *m = get_bytes(w, &at, &n, err);
    if (!m)
        return false;
    if (!m->devcopy && !(m->devcopy = d->mem_new(w->dev, m->data, m->bytes, err)))
        return false;
    if (kind == PutFill && !fill && d->mem_zero)
        return d->mem_zero(w->dev, m->devcopy, at, n, err);
    if (kind == PutFill && fill)
        return d->mem_fill(w->dev, m->devcopy, at, n, fill, err);
    return d->mem_put(w->dev, m->devcopy, m->data + at, at, n, err);
}

bool do_put(Worker *w)
{
    DevError err = DEV_NO_ERROR;
    bool ok = w->apart;
    for (uint64_t kind; ok && (kind = get_u64(&w->in)) != PutEnd;)
        ok = put_one(w, kind, &err);
    if (ok)
        return true; /* the launch behind it has an answer */
    w->unsent = true;
    return answer_fail(w, 0, 0, err);
}

bool do_get(Worker *w)
{
    DevError err = DEV_NO_ERROR;
    size_t at, n;
    Mapping *m = w->apart ? get_bytes(w, &at, &n, &err) : NULL;
    if (m && m->devcopy && w->device->mem_get(w->dev, m->devcopy, m->data + at, at, n, &err))
        return answer_ok(w);
    return answer_fail(w, 0, 0, err);
}

void *worker_address(Worker *w, uint64_t id, uint64_t at, int i, DevError *err)
{
    const Mapping *m = mapping(w, id);
    if (!m || (w->apart && !m->devcopy))
        *err = dev_error(E_worker_memory, dev_text("argument %d", i + 1));
    else if (at > m->bytes)
        *err = dev_error(E_argument_bounds, i + 1);
    else
        return (w->apart ? m->devcopy : m->data) + at;
    return NULL;
}
