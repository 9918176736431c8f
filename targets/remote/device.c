/* targets/remote/device.c: struct Device of the remote target: the session at the server.
 *
 * Opening only reads the options.  The server is spoken to when something is wanted, so
 * that what is waited for can be shown and given up, and a server that is not there says
 * so again at every call instead of ending the worker. */
#include "device.h"
#include "err/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { Protocol = 1 };
static const double Patience = 30, LeavePatience = 0.4;

double remote_patience(const Remote *d)
{
    double compile = d->limit.compile_s > 0 ? (double)d->limit.compile_s : 60;
    return Patience + compile + (double)d->limit.exclusive_s;
}

/* Requests of the session ---------------------------------------------------------- */

bool remote_path(const Remote *d, Call *c, const char *fmt, ...)
{
    va_list ap;
    int n = snprintf(c->path, sizeof c->path, "/v1/sessions/%s", d->session);
    va_start(ap, fmt);
    int k = n > 0 ? vsnprintf(c->path + n, sizeof c->path - (size_t)n, fmt, ap) : -1;
    va_end(ap);
    return k >= 0 && (size_t)(n + k) < sizeof c->path;
}

json_t *remote_ask(Remote *d, const char *path, json_t *body, Call *c, DevError *err)
{
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    json_t *o = NULL;
    bool had = body;
    json_decref(body);
    if (had && !text) {
        *err = DEV_NO_ERROR;
        return NULL;
    }
    c->method = had ? "POST" : "GET";
    if (path)
        snprintf(c->path, sizeof c->path, "%s", path);
    c->body = text;
    c->nbody = text ? strlen(text) : 0;
    c->patience = c->patience > 0 ? c->patience : remote_patience(d);
    *err = http_call(&d->http, c);
    if (!err->is && !(o = said_object(c->text.s, c->text.n)))
        *err = said_wrong(d->opt.host, "{..}", c->text.s, c->text.n);
    free(text);
    return o;
}

/* The session ------------------------------------------------------------------------- */

/* Chooses the target there: of those that have a device the one with the highest rank here. */
static bool choose_there(Remote *d, const json_t *list, DevError *err)
{
    const char *found = NULL;
    Str known = {0};
    int rank = -1;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *t = json_array_get(list, i);
        const char *name = said_text(t, "name");
        if (!name)
            continue;
        str_fmt(&known, "%s%s", known.n ? ", " : "", name);
        if (d->opt.on[0] ? strcmp(name, d->opt.on) == 0 : json_is_true(json_object_get(t, "present"))) {
            const Target *same = target_find(name);
            int r = same ? same->rank : 0;
            if (r > rank) {
                rank = r;
                found = name;
            }
        }
    }
    if (found && strlen(found) < sizeof d->opt.on)
        snprintf(d->opt.on, sizeof d->opt.on, "%s", found);
    else
        *err = dev_error(E_remote_none, d->opt.host, d->opt.on[0] ? d->opt.on : "auto",
                         known.s ? known.s : "-");
    str_free(&known);
    return found;
}

static bool hello(Remote *d, DevError *err)
{
    Call c = {.patience = Patience};
    json_t *o = remote_ask(d, "/v1/hello", NULL, &c, err);
    int64_t version = 0;
    bool ok = false;
    if (o && !said_int(o, "protocol", 0, INT32_MAX, &version))
        *err = said_wrong(d->opt.host, "{\"protocol\": ..}", c.text.s, c.text.n);
    else if (o && version != Protocol)
        *err = dev_error(E_remote_protocol, d->opt.host, version, Protocol,
                         said_text(o, "moontile") ? said_text(o, "moontile") : "?");
    else if (o)
        ok = choose_there(d, json_object_get(o, "targets"), err);
    json_decref(o);
    str_free(&c.text);
    return ok;
}

/* Keeps what the server says of the new session; false: it does not read. */
static bool take_session(Remote *d, const json_t *o)
{
    const char *id = said_text(o, "session"), *options = said_text(o, "options");
    const char *facts = said_text(o, "describe");
    const json_t *limits = json_object_get(o, "limits");
    if (!id || strlen(id) != 32 || strspn(id, "0123456789abcdef") != 32 || !options)
        return false;
    options += strncmp(options, d->opt.on, strlen(d->opt.on)) == 0 ? strlen(d->opt.on) : 0;
    options += strspn(options, " ");
    if (strpbrk(options, "\n\r") || strlen(options) > 4096)
        return false;
    free(d->complete);
    free(d->describe);
    d->complete = strdup(options);
    d->describe = strdup(facts ? facts : "");
#define X(name) said_int(limits, #name, 0, INT64_MAX, &d->limit.name);
    REMOTE_LIMITS(X)
#undef X
    snprintf(d->session, sizeof d->session, "%s", id);
    return d->complete && d->describe;
}

/* A 422 to the wish for a session: the error of the device there, whose {1} is its name, or the
 * server's own. */
static void device_error(const Call *c, DevError *err)
{
    json_t *o = c->status == 422 ? said_object(c->text.s, c->text.n) : NULL;
    Message m = said_message(o);
    DevError own = m.o && strncmp(m.id, "serve_", 6) != 0 ? said_device(&m) : DEV_NO_ERROR;
    if (own.is) {
        dev_error_free(*err);
        *err = own;
    }
    json_decref(o);
}

static bool new_session(Remote *d, DevError *err)
{
    char name[64] = "", spec[64];
    Str target = {0};
    Call c = {.once = true, .patience = remote_patience(d)};
    gethostname(name, sizeof name - 1);
    for (char *s = name; *s; s++)
        *s = (unsigned char)*s < ' ' || (unsigned char)*s > '~' ? '?' : *s;
    snprintf(spec, sizeof spec, "%s", d->opt.on);
    str_fmt(&target, "%s%s%s", spec, d->opt.rest.n ? " " : "", d->opt.rest.n ? d->opt.rest.s : "");
    json_t *o = target.bad ? NULL : remote_ask(d, "/v1/sessions",
        json_pack("{s:s, s:s}", "target", target.s, "client", name), &c, err);
    bool ok = o && take_session(d, o);
    if (o && !ok)
        *err = said_wrong(d->opt.host, "{\"session\": ..}", c.text.s, c.text.n);
    else if (!o)
        device_error(&c, err);
    json_decref(o);
    str_free(&c.text);
    str_free(&target);
    return ok;
}

bool remote_session(Remote *d, DevError *err)
{
    if (d->session[0])
        return true;
    if (!d->open) {
        *err = http_open(&d->http, &d->opt);
        if (err->is) {
            http_close(&d->http);
            return false;
        }
        d->http.host = d->host;
        d->open = true;
    }
    return hello(d, err) && new_session(d, err);
}

/* struct Device --------------------------------------------------------------------------- */

static void remote_close(void *dev)
{
    Remote *d = dev;
    if (d->open)
        http_close(&d->http);
    payload_free(d);
    str_free(&d->opt.rest);
    free(d->complete);
    free(d->describe);
    free(d->devcopy);
    free(d);
}

static void *remote_open(const char *options, DevError *err)
{
    Remote *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->next = (uintptr_t)1 << 32;
    *err = remote_options(options, &d->opt);
    if (!err->is)
        return d;
    remote_close(d);
    return NULL;
}

static void remote_attach(void *dev, const DevHost *host)
{
    Remote *d = dev;
    d->host = host;
}

static void remote_leave(void *dev)
{
    Remote *d = dev;
    Call c = {.method = "DELETE", .once = true, .patience = LeavePatience};
    if (!d->session[0] || !remote_path(d, &c, "%s", ""))
        return;
    d->http.host = NULL;
    dev_error_free(http_call(&d->http, &c)); /* who is not there closes it by itself */
    str_free(&c.text);
}

static void remote_warm(void *dev)
{
    DevError err = DEV_NO_ERROR;
    remote_session(dev, &err);
    dev_error_free(err); /* who asks for something hears it */
}

static bool remote_complete(void *dev, Str *options, DevError *err)
{
    Remote *d = dev;
    if (!remote_session(d, err))
        return false;
    options->n = 0;
    str_fmt(options, "-url=%s -on=%s%s%s%s%s", d->opt.url, d->opt.on, d->opt.plain ? " -plain" : "",
            d->opt.insecure ? " -insecure" : "", d->complete[0] ? " " : "", d->complete);
    return true;
}

static void remote_describe(void *dev, Str *out)
{
    Remote *d = dev;
    DevError err = DEV_NO_ERROR;
    if (!remote_session(d, &err)) {
        str_fmt(out, "server: %s\n", d->opt.url);
        dev_error_free(err);
        return;
    }
    str_fmt(out, "server: %s\non: %s\n", d->opt.url, d->opt.on);
    str_visible(out, d->describe, strlen(d->describe));
}

static void remote_flush(void *dev)
{
    Remote *d = dev;
    d->flush = true;
}

const Device remote_device = {
    .open = remote_open,         .close = remote_close,       .load = remote_load,
    .unload = remote_unload,     .launch = remote_launch,     .flush = remote_flush,
    .describe = remote_describe, .mem_new = remote_mem_new,   .mem_free = remote_mem_free,
    .mem_zero = remote_mem_zero, .mem_put = remote_mem_put,   .mem_get = remote_mem_get,
    .complete = remote_complete, .facts = remote_facts,       .text = remote_text,
    .bench = remote_bench,       .warm = remote_warm,         .attach = remote_attach,
    .leave = remote_leave,
};
