/* repl/serve/reply.c: answers to requests. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve.h"
#include "err/serve.h"

enum { SmallFile = 128 * 1024 }; /* is read at once, and leaves in one piece with its head */

static void reply_done(Req *r, unsigned status)
{
    r->status = status;
    r->ready = true;
    http_resume(r);
}

void reply_json(Req *r, Str *body)
{
    if (r->ready) {
        str_free(body);
        return;
    }
    bool bad = body->bad;
    str_free(&r->out);
    r->out = *body;
    *body = (Str){0};
    r->type = "application/json";
    r->outcome = bad ? "memory" : "ok";
    reply_done(r, bad ? 500 : 200);
}

void reply_empty(Req *r)
{
    if (r->ready)
        return;
    r->outcome = "ok";
    reply_done(r, 204);
}

void reply_file(Req *r, int fd, uint64_t off, uint64_t size, const char *type)
{
    if (r->ready) {
        close(fd);
        return;
    }
    r->file = fd;
    r->off = off;
    r->size = size;
    r->type = type;
    r->outcome = "ok";
    reply_done(r, 200);
}

bool reply_bytes(Req *r, int fd, uint64_t off, size_t n, const char *type)
{
    char *s = r->ready || !n || n > SmallFile ? NULL : malloc(n);
    size_t at = 0;
    while (s && at < n) {
        ssize_t k = pread(fd, s + at, n - at, (off_t)(off + at));
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            break;
        at += (size_t)k;
    }
    if (!s || at < n) {
        free(s);
        return false;
    }
    str_free(&r->out);
    r->out = (Str){.s = s, .n = n, .cap = n};
    r->type = type;
    r->outcome = "ok";
    reply_done(r, 200);
    return true;
}

/* "{"error": MESSAGE}" for a row. */
static void reply_row(Str *out, Err e, const char *a, const char *b, const char *d)
{
    Diag row = {.err = e, .arg = {a, b, d}};
    str_puts(out, "{\"error\": ");
    say_message(out, NULL, &row);
    str_puts(out, "}");
}

void reply_error(Req *r, unsigned status, Err e, const char *a, const char *b, const char *d)
{
    if (r->ready)
        return;
    str_free(&r->out);
    reply_row(&r->out, e, a, b, d);
    r->type = "application/json";
    r->outcome = err_info(e)->id;
    reply_done(r, status);
}

void reply_quota(Req *r, const char *what, uint64_t asked, uint64_t limit)
{
    char n[24], most[24];
    snprintf(n, sizeof n, "%llu", (unsigned long long)asked);
    snprintf(most, sizeof most, "%llu", (unsigned long long)limit);
    reply_error(r, 413, E_serve_quota, what, n, most);
}

void reply_memory(Req *r) { reply_error(r, 500, E_memory, "more", "reached", NULL); }

void reply_unknown(Req *r, const char *what)
{
    char n[24];
    snprintf(n, sizeof n, "%llu", (unsigned long long)r->number);
    reply_error(r, 404, E_serve_unknown, what, n, NULL);
}

bool reply_range(Req *r, const ServedTensor *p, uint64_t at, uint64_t n)
{
    char asked[48], bytes[24];
    if (n <= p->bytes && at <= p->bytes - n)
        return true;
    snprintf(asked, sizeof asked, "%llu + %llu", (unsigned long long)at, (unsigned long long)n);
    snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)p->bytes);
    reply_error(r, 416, E_serve_range, asked, bytes, NULL);
    return false;
}

void reply_bad(Req *r, const char *why) { reply_error(r, 400, E_serve_request, why, NULL, NULL); }

void reply_stopping(Req *r)
{
    r->retry = 5;
    reply_error(r, 503, E_serve_stopping, NULL, NULL, NULL);
}

void reply_failed(Req *r, Msg *m)
{
    if (r->ready)
        return;
    if (!m) {
        const char *id = r->session ? r->session->id : "";
        const EndNotice *o = *id ? rsession_end_notice(r->sv, r->client, id) : NULL;
        char short_id[9], limit[24] = "";
        snprintf(short_id, sizeof short_id, "%.8s", id);
        if (o && o->limit)
            snprintf(limit, sizeof limit, "%lld", (long long)o->limit);
        reply_error(r, 404, E_serve_session_gone, short_id, o ? o->why : "crashed", limit);
        return;
    }
    uint64_t status = get_u64(m);
    get_u64(m);
    get_text(m, NULL);
    const char *message = get_text(m, NULL), *all = get_text(m, NULL);
    str_free(&r->out);
    /* What a session process says is one line of JSON of ours, or it is broken and then only its
     * own client is deceived. */
    str_fmt(&r->out, "{\"error\": %s, \"messages\": %s}", *message ? message : "{}",
            *all ? all : "[]");
    r->type = "application/json";
    r->outcome = "refused";
    reply_done(r, status >= 400 && status < 600 ? (unsigned)status : 422);
}
