/* repl/serve/put.c: the body of a PUT, straight into the tensor's file.
 *
 * Its task stands first in the session's list from the moment that the session process has made the
 * host's bytes free to write until the body has come, so that no run of the session meets
 * half of it; other sessions do not wait.
 *
 * A compressed body can become a thousand times as long.  libmicrohttpd's pieces of it are kept
 * and unpacked in slices, of all such bodies in turn and for a millisecond in one turn of the
 * loop, so that the others are answered in between. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "core/base/clock.h"
#include "serve.h"
#include "err/serve.h"

enum { SliceBytes = 64 * 1024 };
static const double TurnSeconds = 1e-3;

static void put_send_number(Task *t, Msg *m) { put_u64(m, t->number); }

/* The host may write: the body may come. */
static void put_held(Task *t)
{
    t->holds = true;
    if (t->req->place)
        t->req->place->claimed = t->session->epoch;
    t->req->hold = true;
    http_resume(t->req);
}

bool put_fresh(Task *t)
{
    Req *r = t->req;
    if (!r || !r->place || r->place->claimed != t->session->epoch)
        return false;
    put_held(t);
    return true;
}

static void on_claimed(Task *t, Msg *m)
{
    Req *r = t->req;
    if (!r)
        return;
    if (!m || m->h.kind != (uint32_t)Sok) {
        reply_failed(r, m);
        return;
    }
    t->answer = on_claimed; /* what is left: the session ends */
    put_held(t);
}

/* What the head says: where, how much, in which form. */
static bool read_head(Req *r)
{
    const char *coding = request_value(r, MHD_HEADER_KIND, "Content-Encoding");
    const char *length = request_value(r, MHD_HEADER_KIND, "Content-Length");
    bool at, bytes, packed = coding && strcmp(coding, "deflate") == 0;
    uint64_t body = length ? strtoull(length, NULL, 10) : UINT64_MAX;
    if (!arg_u64(r, "at", &r->at, &at) || !arg_u64(r, "bytes", &r->length, &bytes))
        return false;
    if (coding && !packed && strcmp(coding, "identity") != 0)
        reply_bad(r, "Content-Encoding is deflate, or nothing");
    else if (!bytes && (packed || !length))
        reply_bad(r, "bytes is missing");
    else if (bytes && !packed && length && body != r->length)
        reply_bad(r, "bytes is not Content-Length");
    if (r->ready)
        return false;
    r->length = bytes ? r->length : body;
    if (packed && !(r->inflate = calloc(1, sizeof(z_stream)))) {
        reply_memory(r);
        return false;
    }
    if (packed && inflateInit((z_stream *)r->inflate) != Z_OK) {
        free(r->inflate);
        r->inflate = NULL;
        reply_memory(r);
    }
    return !r->ready;
}

void on_put(Req *r)
{
    r->place = tensor_named(r->session, r->number);
    if (!r->place) {
        reply_unknown(r, "tensor");
        return;
    }
    if (!read_head(r))
        return;
    if (r->length > (uint64_t)r->sv->set->body_bytes) {
        reply_quota(r, "body_bytes", r->length, (uint64_t)r->sv->set->body_bytes);
        return;
    }
    if (!reply_range(r, r->place, r->at, r->length))
        return;
    Task *t = task_new(r, Sclaim, Clight, on_claimed);
    if (!t) {
        reply_memory(r);
        return;
    }
    t->number = r->number;
    t->send = put_send_number;
    task_add(t);
}

/* Writes n decoded bytes behind those that came before; false: answered. */
static bool put_store(Req *r, const char *p, size_t n)
{
    int fd = r->place ? rsession_buffer(r->session, r->place->file) : -1;
    if (n > r->length - r->done) {
        reply_bad(r, "the body is longer than it was announced");
        return false;
    }
    while (n) {
        ssize_t k = fd < 0 ? -1 : pwrite(fd, p, n, (off_t)(r->place->off + r->at + r->done));
        if (fd >= 0 && k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            reply_error(r, 500, E_serve_trouble, fd < 0 ? "no file" : strerror(errno), NULL, NULL);
            return false;
        }
        r->done += (uint64_t)k;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

/* Unpacking ---------------------------------------------------------------- */

/* r waits for its turn to unpack, behind the others. */
static void line_up(Req *r)
{
    Req **at = &r->sv->unpacks;
    while (*at)
        at = &(*at)->behind;
    *at = r;
    r->behind = NULL;
}

void put_stop(Req *r)
{
    for (Req **at = &r->sv->unpacks; *at; at = &(*at)->behind)
        if (*at == r) {
            *at = r->behind;
            break;
        }
    free(r->raw);
    r->raw = NULL;
}

/* Empty blocks make a body long and its contents no longer. */
static bool bloated(const Req *r) { return r->got > 2 * r->length + SliceBytes; }

/* Keeps a piece of the body until it is unpacked; false: answered. */
static bool body_keep(Req *r, const char *p, size_t n)
{
    z_stream *z = r->inflate;
    if (bloated(r)) {
        reply_bad(r, "the body is longer than it was announced");
        return false;
    }
    if (!(r->raw = malloc(n))) {
        reply_memory(r);
        return false;
    }
    memcpy(r->raw, p, n);
    z->next_in = (Bytef *)r->raw;
    z->avail_in = (uInt)n;
    line_up(r);
    return true;
}

/* The next slice of what was kept; 1: there is more, 0: that was all, -1: answered. */
static int put_slice(Req *r)
{
    char out[SliceBytes];
    z_stream *z = r->inflate;
    z->next_out = (Bytef *)out;
    z->avail_out = sizeof out;
    int e = r->unpacked ? Z_DATA_ERROR : inflate(z, Z_NO_FLUSH);
    if (e != Z_OK && e != Z_STREAM_END && e != Z_BUF_ERROR) {
        reply_bad(r, "the body cannot be unpacked");
        return -1;
    }
    r->unpacked = e == Z_STREAM_END;
    if (!put_store(r, out, sizeof out - z->avail_out))
        return -1;
    return e != Z_BUF_ERROR && (z->avail_in || (z->avail_out == 0 && !r->unpacked));
}

void put_turn(Server *sv)
{
    double until = clock_s() + TurnSeconds;
    while (sv->unpacks && clock_s() < until) {
        Req *r = sv->unpacks;
        sv->unpacks = r->behind;
        int more = r->ready ? -1 : put_slice(r);
        if (more > 0) {
            line_up(r);
            continue;
        }
        put_stop(r);
        if (more < 0 && r->task)
            task_leave(r->task);
        http_resume(r);
    }
}

enum Put put_body(Req *r, const char *data, size_t *n)
{
    if (!r->hold)
        return PUTlater;
    r->got += *n;
    bool good = r->inflate ? body_keep(r, data, *n) : put_store(r, data, *n);
    if (!good && r->task)
        task_leave(r->task);
    *n = 0;
    return good && r->inflate ? PUTkept : PUTtaken;
}

/* The hash was looked at: with it comes a copy to be kept. */
static void on_filled(Task *t, Msg *m)
{
    Req *r = t->req;
    if (!r || !m || m->h.kind != (uint32_t)Sok) {
        if (r)
            reply_failed(r, m);
        return;
    }
    bool same = get_u64(m) != 0;
    if (!same) {
        reply_error(r, 409, E_serve_contents, NULL, NULL, NULL);
        return;
    }
    if (m->fd >= 0 && r->place) {
        content_add(r->client, r->place->hash, r->place->bytes, m->fd,
                    (uint64_t)r->sv->set->cache);
        m->fd = -1;
    }
    reply_empty(r);
}

static void send_filled(Task *t, Msg *m)
{
    put_u64(m, t->number);
    put_u64(m, t->arg[0]);
}

void put_complete(Req *r)
{
    ServedTensor *p = r->place;
    Task *t = r->task;
    if (!p) { /* freed meanwhile, on another connection */
        reply_unknown(r, "tensor");
        task_leave(t);
        return;
    }
    if (r->done != r->length || (r->inflate && !r->unpacked)) {
        reply_bad(r, "the body is shorter than it was announced");
        task_leave(t);
        return;
    }
    if (r->at <= p->filled)
        p->filled = r->at + r->length;
    if (p->hashed && p->filled == p->bytes) {
        t->holds = false;
        t->kind = Sfilled;
        t->arg[0] = p->bytes <= (uint64_t)r->sv->set->cache;
        t->send = send_filled;
        t->answer = on_filled;
        queue_turn(r->sv);
        return;
    }
    reply_empty(r);
    task_leave(t);
}

void put_free(Req *r)
{
    put_stop(r);
    if (r->inflate)
        inflateEnd((z_stream *)r->inflate);
    free(r->inflate);
    r->inflate = NULL;
}
