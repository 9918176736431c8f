/* repl/serve/on_session.c: hello, the teacher's page, opening and closing sessions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/jail.h"
#include "lua/state/api.h"
#include "serve.h"
#include "err/serve.h"
#include "err/target.h"

static const double RoomSeconds = 5;

/* May sessions be opened on this target?  Never on another machine from here. */
static bool offered(const Server *sv, const Target *t)
{
    const char *list = sv->set->targets;
    if (strcmp(t->name, "remote") == 0)
        return false;
    if (!list)
        return true;
    for (size_t n; *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        if (n == strlen(t->name) && memcmp(list, t->name, n) == 0)
            return true;
    }
    return false;
}

void on_hello(Req *r)
{
    Str out = {0};
    str_puts(&out, "{");
    say_key(&out, "moontile");
    say_text(&out, MOONTILE_VERSION);
    str_fmt(&out, ", \"protocol\": %d, \"targets\": [", Protocol);
    bool first = true;
    for (const Target *const *t = targets; *t; t++) {
        if (!offered(r->sv, *t))
            continue;
        str_fmt(&out, "%s{\"name\": \"%s\", \"summary\": ", first ? "" : ", ", (*t)->name);
        say_text(&out, (*t)->summary);
        str_fmt(&out, ", \"present\": %s}", !(*t)->present || (*t)->present() ? "true" : "false");
        first = false;
    }
    str_puts(&out, "], \"limits\": ");
    settings_limits(r->sv->set, &out);
    str_puts(&out, "}");
    reply_json(r, &out);
}

/* The teacher's page ------------------------------------------------------- */

static const char *const class_name[NTaskClass] = {"light", "compile", "run", "run", "exclusive"};

static void say_session(Str *out, const Server *sv, const RemoteSession *g)
{
    const Task *t = g->task && g->task->running ? g->task : NULL;
    int waiting = 0;
    char id[9];
    for (const Task *w = g->task; w; w = w->next)
        waiting += !w->running && !w->holds;
    snprintf(id, sizeof id, "%.8s", g->id);
    str_fmt(out, "{\"session\": \"%s\", \"token\": ", id);
    say_text(out, g->client->name);
    say_key(out, "client");
    say_text(out, g->who);
    say_key(out, "target");
    say_text(out, g->target);
    str_fmt(out, ", \"since_s\": %.1f, \"idle_s\": %.1f, \"connections\": %d, \"tensors\": %zu, "
                 "\"memory\": %llu, \"kernels\": %zu, \"waiting\": %d, \"running\": ",
            sv->now - g->since, sv->now - g->used, g->nconn, g->tensor.n,
            (unsigned long long)g->memory, g->kernel.n, waiting);
    if (!t) {
        str_puts(out, "null}");
        return;
    }
    str_fmt(out, "{\"what\": \"%s\", \"kernel\": ", class_name[t->class]);
    say_text(out, t->what);
    str_fmt(out, ", \"ms\": %.1f}}", (sv->now - t->started) * 1e3);
}

void on_status(Req *r)
{
    Server *sv = r->sv;
    Str out = {0};
    if (!r->client->teacher) {
        reply_error(r, 403, E_serve_forbidden, NULL, NULL, NULL);
        return;
    }
    str_fmt(&out, "{\"up_s\": %.1f, \"stopping\": %s, \"sessions\": [", sv->now - sv->started,
            sv->stopping ? "true" : "false");
    const Client *c = sv->ring;
    bool first = true;
    do {
        for (const RemoteSession *g = c->session; g; g = g->next) {
            str_puts(&out, first ? "" : ", ");
            say_session(&out, sv, g);
            first = false;
        }
        c = c->next;
    } while (c != sv->ring);
    str_puts(&out, "], \"queue\": ");
    queue_status(sv, &out);
    str_fmt(&out, ", \"totals\": {\"requests\": %llu, \"runs\": %llu, \"sessions\": %llu, "
                  "\"connections\": %d, \"memory\": %llu}}",
            (unsigned long long)sv->requests, (unsigned long long)sv->runs,
            (unsigned long long)sv->sessions, sv->nconn, (unsigned long long)sv->memory);
    reply_json(r, &out);
}

/* Opening ------------------------------------------------------------------ */

static void send_open(Task *t, Msg *m)
{
    const Settings *set = t->session->sv->set;
    put_text(m, t->text.s, t->text.n);
    put_double(m, (double)set->kernel_s);
    put_u64(m, (uint64_t)set->workspace);
    put_u64(m, t->session->host ? (uint64_t)set->process : 0);
}

static void on_opened(Task *t, Msg *m)
{
    Req *r = t->req;
    RemoteSession *g = t->session;
    if (!m || m->h.kind != (uint32_t)Sok) {
        if (r)
            reply_failed(r, m);
        rsession_close(g, "crashed", 0);
        return;
    }
    g->opened = true;
    const char *options = get_text(m, NULL), *about = get_text(m, NULL);
    bool apart = get_u64(m) != 0;
    log_event(g->sv, "session opened", g, options);
    if (!r)
        return; /* nobody knows its id: it is closed as nobody comes */
    Str out = {0};
    str_fmt(&out, "{\"session\": \"%s\", \"options\": ", g->id);
    say_text(&out, options);
    say_key(&out, "describe");
    say_text(&out, about);
    str_fmt(&out, ", \"apart\": %s, \"limits\": ", apart ? "true" : "false");
    settings_limits(g->sv->set, &out);
    str_fmt(&out, ", \"idle_s\": %lld}", (long long)g->sv->set->idle_s);
    reply_json(r, &out);
}

/* A word of a target and its options: nothing but printable ASCII. */
static bool is_printable(const char *s, size_t most)
{
    size_t n = strlen(s);
    if (n < 1 || n > most)
        return false;
    for (size_t i = 0; i < n; i++)
        if (s[i] < ' ' || s[i] > '~')
            return false;
    return true;
}

/* Sessions of the client's that were closed are ended: their processes and their memory count
 * until then, and it is a matter of milliseconds, unless a driver holds on to one. */
static bool wait_for_room(Req *r)
{
    r->room = r->client->ndying > 0 && r->sv->now - r->since < RoomSeconds;
    return r->room;
}

/* Room for one more session of this client: the one that has been without a connection
 * longest makes it.  False: answered. */
static bool on_session_make_room(Req *r)
{
    Server *sv = r->sv;
    RemoteSession *away = NULL;
    int64_t most = sv->set->sessions;
    if (r->client->nsession < most && sv->nsession < sv->set->sessions_all)
        return true;
    for (RemoteSession *g = r->client->session; g; g = g->next)
        if (g->nconn == 0 && !g->task && (!away || g->away < away->away))
            away = g;
    if (away) {
        rsession_close(away, "replaced", 0);
        if (wait_for_room(r))
            return false;
    }
    if (r->client->nsession >= most) {
        const char *what = most < sv->set->sessions_all ? "sessions" : "sessions_all"; /* all may be one client */
        reply_quota(r, what, (uint64_t)most + 1, (uint64_t)most);
        return false;
    }
    char n[24];
    snprintf(n, sizeof n, "%lld", (long long)sv->set->sessions_all);
    r->retry = 30;
    reply_error(r, 503, E_serve_full, n, NULL, NULL);
    return false;
}

/* Starts the process; the answer comes when its device is open. */
static void open_session(Req *r, const char *target, const char *who)
{
    Conn *k = r->conn;
    RemoteSession *g = rsession_open(r->client, r->sv, target, who);
    if (!g) {
        reply_error(r, 500, E_serve_trouble, strerror(errno), NULL, NULL);
        return;
    }
    if (k->session)
        rsession_leave(k->session);
    r->session = k->session = g;
    g->nconn++;
    Task *t = task_new(r, Sopen, Clight, on_opened);
    if (!t) {
        reply_memory(r);
        rsession_close(g, "crashed", 0);
        return;
    }
    str_puts(&t->text, target);
    t->send = send_open;
    task_add(t);
}

void open_again(Server *sv)
{
    for (Conn *k = sv->conn, *next; k; k = next) {
        next = k->next;
        if (k->req && k->req->room && !k->req->ready && !k->hung_up)
            on_open(k->req);
    }
}

void on_open(Req *r)
{
    const char *target = NULL, *who = NULL, *instead = NULL;
    char why[160];
    const Member m[] = {{"target", 's', true, &target}, {"client", 's', false, &who},
                        {"instead_of", 's', false, &instead}};
    json_t *o = json_object_of(r->body.s, r->body.n, m, COUNT(m), why);
    if (!o) {
        reply_bad(r, why);
        return;
    }
    const Target *t = target_find(target);
    RemoteSession *old =
        instead && strlen(instead) == 2 * IdBytes ? rsession_find(r->sv, r->client, instead) : NULL;
    if (!is_printable(target, sizeof old->target - 1) || (who && strlen(who) > ClientBytes))
        reply_bad(r, "\"target\" or \"client\" is too long or not plain");
    else if (!t || !offered(r->sv, t))
        reply_error(r, 422, E_target_unknown, target, "GET /v1/hello", NULL);
    const char *wall = t && t->device->native && r->sv->set->sandbox ? jail_missing() : NULL;
    if (!r->ready && wall)
        reply_error(r, 422, E_serve_sandbox, wall, NULL, NULL);
    if (!r->ready && old)
        rsession_close(old, "replaced", 0);
    if (!r->ready && !wait_for_room(r) && on_session_make_room(r))
        open_session(r, target, who);
    json_decref(o);
}

void on_close(Req *r)
{
    RemoteSession *g = r->session;
    reply_empty(r);
    rsession_close(g, "closed", 0);
}
