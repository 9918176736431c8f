/* repl/serve/process_tensor.c: the tensors of a session's process.  Their bytes go through
 * the file that they lie in, which the server writes and reads itself; what is asked of
 * the session process is that the host's bytes are the newest, before. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <zlib.h>

#include "process.h"
#include "err/serve.h"

enum { PackedLeast = 1024, PackedMost = 256 << 20 }; /* others are not compressed */

static void tensor_drop(ProcessTensor *t)
{
    storage_unref(t->st);
    free(t);
}

/* The tensor that the request names; NULL: answered. */
static ProcessTensor *tensor_of_request(Process *s, bool *ok)
{
    char n[24];
    uint64_t k = get_u64(&s->in);
    ProcessTensor *t = numbered_find(&s->tensor, k);
    *ok = true;
    if (!t) {
        snprintf(n, sizeof n, "%llu", (unsigned long long)k);
        process_say(s, E_serve_unknown, "tensor", n, NULL);
        *ok = process_fail(s, 404, &s->ctx);
    }
    return t;
}

static bool out_of_memory(Process *s, uint64_t bytes)
{
    char n[24];
    snprintf(n, sizeof n, "%llu", (unsigned long long)bytes);
    process_say(s, E_memory, n, "reached", NULL);
    return process_fail(s, 413, &s->ctx);
}

/* Reads n bytes of a file to `to`. */
static bool read_fully(int fd, char *to, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t k = pread(fd, to + at, n - at, (off_t)at);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        at += (size_t)k;
    }
    return true;
}

/* Making ------------------------------------------------------------------- */

/* Has the server the file of this id?  It has it from now on. */
static bool ptensor_given(Process *s, uint64_t id)
{
    for (size_t i = 0; i < s->ngiven; i++)
        if (s->given[i] == id)
            return true;
    if (s->ngiven == s->capgiven) {
        size_t cap = s->capgiven ? 2 * s->capgiven : 16;
        uint64_t *more = realloc(s->given, cap * sizeof *more);
        if (!more)
            return false; /* it gets it once more, and drops it */
        s->given = more;
        s->capgiven = cap;
    }
    s->given[s->ngiven++] = id;
    return false;
}

void process_forget(void *process, uint64_t id)
{
    Process *s = process;
    for (size_t i = 0; i < s->ngiven; i++) {
        if (s->given[i] != id)
            continue;
        if (s->ngone == COUNT(s->gone))
            return; /* the server keeps it open until the session ends */
        s->given[i] = s->given[--s->ngiven];
        s->gone[s->ngone++] = id;
        return;
    }
}

bool process_new(Process *s)
{
    uint64_t k = get_u64(&s->in), bytes = get_u64(&s->in), hashed = get_u64(&s->in);
    uint64_t a = get_u64(&s->in), b = get_u64(&s->in);
    if (s->in.bad || bytes == 0 || bytes > (UINT64_C(1) << 46))
        return false;
    ProcessTensor *t = calloc(1, sizeof *t);
    if (t)
        t->st = storage_new((size_t)bytes);
    if (!t || !t->st || !numbered_add(&s->tensor, k, t)) {
        if (t)
            tensor_drop(t);
        return out_of_memory(s, bytes);
    }
    if (hashed)
        t->hash = (Hash){a, b};
    bool content =
        hashed && s->in.fd >= 0 && read_fully(s->in.fd, storage_write(t->st), t->st->bytes);
    if (hashed && s->in.fd >= 0 && !content)
        memset(storage_write(t->st), 0, t->st->bytes);
    process_start(s);
    put_u64(&s->out, content);
    put_u64(&s->out, t->st->id);
    put_u64(&s->out, t->st->fdoff);
    return process_send_file(s, ptensor_given(s, t->st->id) ? -1 : dup(t->st->fd));
}

bool process_free(Process *s)
{
    ProcessTensor *t = numbered_take(&s->tensor, get_u64(&s->in));
    if (t)
        tensor_drop(t);
    process_start(s);
    put_u64(&s->out, s->ngone);
    for (size_t i = 0; i < s->ngone; i++)
        put_u64(&s->out, s->gone[i]);
    s->ngone = 0;
    return process_send(s);
}

/* Contents ----------------------------------------------------------------- */

bool process_claim(Process *s)
{
    bool ok;
    ProcessTensor *t = tensor_of_request(s, &ok);
    if (!t)
        return ok;
    t->st->unwritten = false; /* the server's writes bring the pages: no huge ones are made first */
    storage_write(t->st);
    return process_lost(s) ? process_fail(s, 500, &s->ctx) : process_ok(s);
}

/* A file with the tensor's bytes that nobody can change, if it has their hash; -1: no. */
static int sealed(const ProcessTensor *t)
{
    const int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    int fd = memfd_create("moontile-known", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    size_t n = t->st->bytes;
    bool ok = fd >= 0;
    for (size_t at = 0; ok && at < n;) {
        ssize_t k = write(fd, t->st->data + at, n - at);
        ok = k > 0;
        at += ok ? (size_t)k : 0;
    }
    ok = ok && fcntl(fd, F_ADD_SEALS, seals) == 0;
    if (!ok && fd >= 0)
        close(fd);
    return ok ? fd : -1;
}

bool process_filled(Process *s)
{
    bool ok;
    ProcessTensor *t = tensor_of_request(s, &ok);
    if (!t)
        return ok;
    bool copy = get_u64(&s->in) != 0;
    Hash h = hash_bytes((Hash){0, 0}, storage_read(t->st), t->st->bytes);
    if (process_lost(s))
        return process_fail(s, 500, &s->ctx);
    bool same = h.a == t->hash.a && h.b == t->hash.b;
    process_start(s);
    put_u64(&s->out, same);
    return process_send_file(s, same && copy ? sealed(t) : -1);
}

/* Reads at and n, which the server has held against the tensor; false: it has not. */
static bool request_extent(Process *s, const ProcessTensor *t, uint64_t *at, uint64_t *n)
{
    *at = get_u64(&s->in);
    *n = get_u64(&s->in);
    return !s->in.bad && *n <= t->st->bytes && *at <= t->st->bytes - *n;
}

bool process_zero(Process *s)
{
    bool ok;
    uint64_t at, n;
    ProcessTensor *t = tensor_of_request(s, &ok);
    if (!t)
        return ok;
    if (!request_extent(s, t, &at, &n))
        return false;
    if (!storage_blank(t->st))
        memset(storage_write(t->st) + at, 0, n);
    return process_lost(s) ? process_fail(s, 500, &s->ctx) : process_ok(s);
}

/* The bytes in zlib's form, in a file; -1: that is not shorter, or there is no memory. */
static int ptensor_packed(const char *p, size_t n, uint64_t *bytes)
{
    z_stream z = {0};
    size_t most = n - n / 8;
    char *out = n >= PackedLeast && n <= PackedMost ? malloc(most) : NULL;
    if (!out || deflateInit(&z, 1) != Z_OK) {
        free(out);
        return -1;
    }
    z.next_in = (Bytef *)(uintptr_t)p;
    z.avail_in = (uInt)n;
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)most;
    bool ok = deflate(&z, Z_FINISH) == Z_STREAM_END;
    *bytes = z.total_out;
    deflateEnd(&z);
    int fd = ok ? process_file(out, (size_t)*bytes) : -1;
    free(out);
    return fd;
}

bool process_read(Process *s)
{
    bool ok;
    uint64_t at, n, bytes = 0;
    ProcessTensor *t = tensor_of_request(s, &ok);
    if (!t)
        return ok;
    if (!request_extent(s, t, &at, &n))
        return false;
    bool pack = get_u64(&s->in) != 0;
    const char *p = storage_read(t->st);
    if (process_lost(s))
        return process_fail(s, 500, &s->ctx);
    int fd = pack ? ptensor_packed(p + at, (size_t)n, &bytes) : -1;
    process_start(s);
    put_u64(&s->out, fd >= 0 ? bytes : 0);
    return process_send_file(s, fd);
}
