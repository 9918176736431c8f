/* targets/remote/stream.c: a run at the server: what it says line by line, as it happens.
 *
 * While the run waits in the queue the session's clock stands still, the user sees the
 * place in it, and giving up loses nothing.  Once it runs it is like a kernel here: the
 * clock is of one run, and who stops it stops the server's worker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "device.h"
#include "err/remote.h"
#include "err/run.h"

static const double Moment = 0.3; /* seconds until a wait is shown */
enum { MostReport = 16 << 10 };

/* Lines ------------------------------------------------------------------------- */

static bool stream_wrong(const RemoteRun *r, DevError *err)
{
    *err = said_wrong(r->d->opt.host, "{\"done\": ..}", r->line, r->nline);
    return false;
}

static bool on_queue(RemoteRun *r, const json_t *o, DevError *err)
{
    const json_t *wait = json_object_get(o, "wait_s");
    if (!said_int(o, "queue", 0, INT32_MAX, &r->before) || !json_is_number(wait))
        return stream_wrong(r, err);
    r->wait_s = json_number_value(wait);
    return true;
}

/* The run has begun: its own time counts from here. */
static void rstream_begins(RemoteRun *r)
{
    if (r->shown)
        r->d->host->status(r->d->host->ud, NULL);
    r->shown = false;
    r->before = -1;
    if (!r->running)
        r->host->alive(r->host->ud);
    r->running = true;
}

static bool on_print(RemoteRun *r, const json_t *o, DevError *err)
{
    const json_t *s = json_object_get(o, "print");
    int64_t block = 0;
    if (!json_is_string(s) || !said_int(o, "block", INT64_MIN, INT64_MAX, &block))
        return stream_wrong(r, err);
    Str shown = {0}; /* the server's, whoever that is */
    str_visible(&shown, json_string_value(s), json_string_length(s));
    if (!shown.bad)
        r->host->print(r->host->ud, block, shown.s ? shown.s : "", shown.n);
    str_free(&shown);
    return true;
}

/* Numbers of `list` into to[0 .. n), exactly so many. */
static bool stream_numbers(const json_t *list, double *to, size_t n)
{
    if (!json_is_array(list) || json_array_size(list) != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        const json_t *v = json_array_get(list, i);
        if (!json_is_number(v))
            return false;
        to[i] = json_number_value(v);
    }
    return true;
}

static bool on_done(RemoteRun *r, const json_t *o, DevError *err)
{
    const json_t *done = json_object_get(o, "done");
    r->done = true;
    if (!stream_numbers(json_object_get(done, "ms"), r->ms, r->nms) ||
        (r->mhz && !stream_numbers(json_object_get(done, "mhz"), r->mhz, r->nmhz)) ||
        (r->payload && !payload_end(r->d, json_object_get(done, "after"))))
        return stream_wrong(r, err);
    return true;
}

/* The error of the device there; of a server of another version, which may have errors that we
 * have not, what it says for people. */
static bool on_error(RemoteRun *r, const json_t *o, DevError *err)
{
    const char *text = said_text(o, "error");
    int64_t line = 0;
    r->done = true;
    enum DevRead read = text ? dev_error_read(text, err) : DRwrong;
    if (read == DRwrong || err->unbegun) {
        if (read == DRread)
            dev_error_free(*err);
        return stream_wrong(r, err);
    }
    said_int(o, "failed_at", 0, UINT32_MAX, &line);
    r->failed_at = (uint32_t)line;
    if (read == DRread)
        return false;
    const json_t *words = json_object_get(json_object_get(o, "message"), "text");
    const char *en = said_text(words, "en"), *zh = said_text(words, "zh");
    const char *id = text + strspn(text, "!@=");
    char own[64];
    snprintf(own, sizeof own, "%.*s", (int)strcspn(id, DEV_SEP), id);
    en = en ? en : own;
    zh = zh ? zh : own;
    bool lost = err->lost;
    *err = dev_error(E_remote_refused, r->d->opt.host, dev_text("%.*s", (int)strcspn(en, "\n"), en),
                     dev_text("%.*s", (int)strcspn(zh, "\n"), zh), 1);
    err->lost = lost;
    return false;
}

static bool rstream_on_report(RemoteRun *r, const json_t *o, DevError *err)
{
    const char *s = said_text(o, "report");
    if (!s || s[0] != '@' || strlen(s) > MostReport)
        return stream_wrong(r, err);
    char *text = strdup(s);
    DevMessage *m = text ? dev_message_read(text) : NULL;
    if (m)
        r->host->report(r->host->ud, m);
    free(m);
    free(text);
    return true;
}

static bool stream_take(RemoteRun *r, const json_t *o, DevError *err)
{
    if (r->done)
        return stream_wrong(r, err);
    if (json_object_get(o, "queue"))
        return on_queue(r, o, err);
    rstream_begins(r);
    if (json_object_get(o, "done"))
        return on_done(r, o, err);
    if (json_object_get(o, "error"))
        return on_error(r, o, err);
    if (json_object_get(o, "print"))
        return on_print(r, o, err);
    if (json_object_get(o, "report"))
        return rstream_on_report(r, o, err);
    if (json_object_get(o, "alive"))
        r->host->alive(r->host->ud);
    else if (!json_object_get(o, "wait") && !json_object_get(o, "run"))
        return stream_wrong(r, err);
    return true;
}

static bool rstream_on_line(void *ud, char *s, size_t n, DevError *err)
{
    RemoteRun *r = ud;
    json_t *o = said_object(s, n);
    r->line = s;
    r->nline = n;
    bool ok = o ? stream_take(r, o, err) : stream_wrong(r, err);
    json_decref(o);
    return ok;
}

/* Waiting -------------------------------------------------------------------------- */

static void show_queue(RemoteRun *r)
{
    char host[101], before[16], wait[32];
    const DevHost *h = r->d->host;
    if (!h || r->before < 0 || clock_s() - r->since < Moment)
        return;
    snprintf(wait, sizeof wait, r->wait_s < 90 ? "%.0f s" : "%.0f min",
             r->wait_s < 90 ? r->wait_s : r->wait_s / 60);
    snprintf(host, sizeof host, "%.100s", r->d->opt.host);
    snprintf(before, sizeof before, "%d", (int)r->before);
    DevMessage m = dev_message(E_remote_queue, host, before, wait);
    h->status(h->ud, &m);
    r->shown = true;
}

/* Before it runs the user may give up; then the time limit counts.  A run that did not have
 * to wait begins with the head of the answer. */
static bool on_tick(void *ud)
{
    RemoteRun *r = ud;
    if (r->running || (r->call->status && r->before < 0))
        return true;
    r->host->alive(r->host->ud);
    show_queue(r);
    return (r->before < 0 && r->call->begun) || !r->d->host ||
           !r->d->host->stopped(r->d->host->ud);
}

/* Running ------------------------------------------------------------------------------ */

/* The session at the server is of no more use: it is closed while that can be said. */
static void abandon(Remote *d)
{
    Call c = {.method = "DELETE", .once = true, .patience = 1};
    if (remote_path(d, &c, "%s", ""))
        dev_error_free(http_call(&d->http, &c));
    d->session[0] = '\0';
    str_free(&c.text);
}

/* What became of it, where http_call() gave an error. */
static void rstream_outcome(RemoteRun *r, Call *c, DevError *err)
{
    bool cut = !r->done && !err->lost && err->is != E_interrupted &&
               (c->status ? c->status < 300 : c->begun);
    if (cut) /* in the middle: what the run wrote is at the server, and unknown */
        *err = dev_lost(*err);
    if (cut || (r->done && err->lost))
        abandon(r->d);
}

/* A refusal before the queue: told as it is, with the user's lines. */
static void stream_refused(RemoteRun *r, const Call *c, DevError *err)
{
    json_t *o = c->status == 422 ? said_object(c->text.s, c->text.n) : NULL;
    Message m = said_message(o);
    DevMessage *list = said_report(&m);
    if (list) {
        r->host->report(r->host->ud, list);
        dev_error_free(*err);
        *err = dev_reported();
    }
    free(list);
    json_decref(o);
}

bool remote_run(RemoteRun *r, DevError *err)
{
    char *text = r->body ? json_dumps(r->body, JSON_COMPACT) : NULL;
    Call c = {.method = "POST", .body = text, .nbody = text ? strlen(text) : 0, .once = true,
              .patience = r->patience, .line = rstream_on_line, .tick = on_tick, .ud = r,
              .most = (size_t)16 << 20};
    r->since = clock_s();
    r->call = &c;
    r->before = -1;
    r->running = r->done = r->shown = false;
    bool ok = text && remote_path(r->d, &c, "%s", r->path);
    *err = ok ? http_call(&r->d->http, &c) : DEV_NO_ERROR;
    if (r->shown)
        r->d->host->status(r->d->host->ud, NULL);
    if (ok && !err->is && !r->done)
        *err = dev_error(E_remote_cut, r->d->opt.host, 0, 1, "");
    if (ok && err->is && c.status == 422)
        stream_refused(r, &c, err);
    else if (ok && err->is)
        rstream_outcome(r, &c, err);
    free(text);
    str_free(&c.text);
    return ok && !err->is;
}
