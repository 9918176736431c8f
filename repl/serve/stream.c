/* repl/serve/stream.c: the answer to a run: lines of JSON as things happen.
 *
 * Lines gather in Req.out.  A run that ends before anything had to be told is answered in one
 * piece; else the answer begins with the first line and libmicrohttpd asks for more. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/json.h"
#include "serve.h"
#include "err/serve.h"

enum { PendingBytes = 1 << 20, BlockBytes = 32 * 1024 };

/* The line is there; now: it is to be seen at once. */
static void stream_line(Req *r, bool now)
{
    str_puts(&r->out, "}\n");
    if (now && !r->ready)
        r->stream = true;
    if (r->stream)
        http_resume(r);
}

/* The last line is there. */
static void stream_end(Req *r, const char *outcome)
{
    r->ended = true;
    r->outcome = outcome;
    r->status = 200;
    r->type = "application/x-ndjson";
    if (!r->stream)
        r->ready = true;
    http_resume(r);
}

/* Who does not read is told less. */
static bool choked(const Req *r) { return r->out.n - r->read > PendingBytes; }

void stream_event(Task *t, Msg *m)
{
    Req *r = t->req;
    size_t n;
    uint64_t kind = get_u64(m);
    const char *s = get_text(m, &n);
    if (!r || r->ready || r->ended || m->bad || choked(r) || t->class < Crun)
        return;
    double now = r->sv->now;
    switch (kind) {
    case EVprint:
        str_puts(&r->out, "{\"print\": ");
        json_text(&r->out, s, n);
        str_puts(&r->out, ", \"block\": 0");
        stream_line(r, false);
        break;
    case EVreport:
        str_puts(&r->out, "{\"report\": ");
        json_text(&r->out, s, n);
        stream_line(r, false);
        break;
    case EValive:
        if (now - r->alive < 0.02)
            break;
        r->alive = r->told = now;
        str_puts(&r->out, "{\"alive\": true");
        stream_line(r, true);
        break;
    default:
        break;
    }
}

void stream_waits(Task *t, int ahead, double seconds)
{
    Req *r = t->req;
    if (!r || r->ready || r->ended || choked(r))
        return;
    r->told = r->sv->now;
    r->waited = r->waited || ahead >= 0;
    if (ahead >= 0)
        str_fmt(&r->out, "{\"queue\": %d, \"wait_s\": %.3f", ahead, seconds);
    else
        str_puts(&r->out, "{\"wait\": true");
    stream_line(r, true);
}

void stream_runs(Task *t)
{
    Req *r = t->req;
    if (!r || !r->waited || r->ended)
        return;
    r->told = r->sv->now;
    str_puts(&r->out, "{\"run\": true");
    stream_line(r, true);
}

/* The doubles of an answer, from the message or its file; NULL: they are not there. */
static double *answer_doubles(Msg *m, size_t n)
{
    size_t got = 0;
    if (n > UINT32_MAX / sizeof(double))
        return NULL;
    if (m->fd >= 0) {
        char *s = process_slurp(m->fd, n * sizeof(double), &got);
        if (s && got == n * sizeof(double))
            return (double *)(void *)s;
        free(s);
        return NULL;
    }
    double *v = m->h.bytes / sizeof *v >= n ? calloc(n + 1, sizeof *v) : NULL;
    for (size_t i = 0; v && i < n; i++)
        v[i] = get_double(m);
    return v;
}

static void stream_list(Str *out, const char *name, const double *v, size_t n)
{
    say_key(out, name);
    str_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        str_puts(out, i ? ", " : "");
        json_double(out, isfinite(v[i]) ? v[i] : 0);
    }
    str_puts(out, "]");
}

/* An error line made here, about what `name` names; takes e over. */
static void error_line(Req *r, DevError e, const char *name)
{
    Diag d = dev_error_diag(&e, name);
    Str text = {0};
    dev_error_text(&e, &text);
    str_puts(&r->out, "{\"error\": ");
    say_text(&r->out, text.s ? text.s : "");
    str_puts(&r->out, ", \"failed_at\": 0, \"message\": ");
    say_message(&r->out, NULL, &d);
    stream_line(r, false);
    stream_end(r, err_info(d.err)->id);
    str_free(&text);
    dev_error_free(e);
}

void stream_done(Req *r, Msg *m)
{
    uint64_t n = get_u64(m), mhz = get_u64(m);
    double *v = n < UINT32_MAX && mhz < UINT32_MAX ? answer_doubles(m, (size_t)(n + mhz)) : NULL;
    size_t bytes = 0;
    const char *after = get_text(m, &bytes);
    if (!v || m->bad) {
        free(v);
        error_line(r, dev_error_all(E_bug, "a session's answer does not read"), NULL);
        return;
    }
    str_puts(&r->out, "{\"done\": {");
    stream_list(&r->out, "ms", v, (size_t)n);
    stream_list(&r->out, "mhz", v + n, (size_t)mhz);
    if (r->nafter)
        payload_answer(r, after, bytes, &r->out);
    str_puts(&r->out, "}");
    free(v);
    stream_line(r, false);
    stream_end(r, "ok");
}

static void stream_late(Task *t)
{
    const Settings *set = t->req->sv->set;
    int64_t seconds = t->class == Cexclusive ? set->exclusive_s : set->kernel_s;
    error_line(t->req, dev_error(E_serve_late, seconds), t->what);
}

void stream_stopped(Req *r) { error_line(r, dev_error(E_serve_stopping), NULL); }

void stream_failed(Task *t, Msg *m)
{
    Req *r = t->req;
    if (!r || r->ready || r->ended)
        return;
    if (!m) {
        if (!t->running && !r->stream)
            reply_failed(r, NULL);
        else if (r->sv->stopping)
            stream_stopped(r);
        else
            error_line(r, dev_lost(dev_error(E_serve_died)), t->what);
        return;
    }
    if (t->late) {
        stream_late(t);
        return;
    }
    size_t at = m->at;
    uint64_t status = get_u64(m), failed_at = get_u64(m);
    size_t n;
    const char *text = get_text(m, &n), *message = get_text(m, NULL);
    if (status != 200 && !r->stream) {
        m->at = at;
        reply_failed(r, m);
        return;
    }
    str_puts(&r->out, "{\"error\": ");
    json_text(&r->out, text, n);
    str_fmt(&r->out, ", \"failed_at\": %llu, \"message\": %s", (unsigned long long)failed_at,
            *message ? message : "{}");
    stream_line(r, false);
    stream_end(r, "failed");
}

/* libmicrohttpd asks for more. */
static ssize_t stream_more(void *ud, uint64_t pos, char *buf, size_t max)
{
    Req *r = ud;
    size_t n = r->out.n - r->read;
    (void)pos;
    if (r->conn->hung_up || r->out.bad)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (n) {
        n = n < max ? n : max;
        memcpy(buf, r->out.s + r->read, n);
        r->read += n;
        r->sent += n;
        if (r->read == r->out.n) {
            r->out.n = r->read = 0;
        }
        return (ssize_t)n;
    }
    if (r->ended)
        return MHD_CONTENT_READER_END_OF_STREAM;
    r->suspended = true;
    r->sv->mhd.suspend_connection(r->c);
    return 0;
}

struct MHD_Response *stream_response(Req *r)
{
    r->status = 200;
    r->type = "application/x-ndjson";
    return r->sv->mhd.create_response_from_callback(MHD_SIZE_UNKNOWN, BlockBytes, stream_more, r,
                                                    NULL);
}
