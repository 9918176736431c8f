/* repl/serve/log.c: what happened, one JSON object a line. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "serve.h"

int log_open(const char *path)
{
    return path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : dup(2);
}

static void log_begin(Str *out)
{
    char text[40];
    struct timespec t;
    struct tm tm;
    clock_gettime(CLOCK_REALTIME, &t);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime_r(&t.tv_sec, &tm));
    str_fmt(out, "{\"time\": \"%s.%03dZ\"", text, (int)(t.tv_nsec / 1000000));
}

static void member(Str *out, const char *name, const char *v)
{
    say_key(out, name);
    say_text(out, v);
}

static void about_session(Str *out, const RemoteSession *g)
{
    char id[9];
    snprintf(id, sizeof id, "%.8s", g->id);
    member(out, "session", id);
    if (g->who[0])
        member(out, "from", g->who);
}

/* A whole line in one write; a log that cannot be written to stops nothing that runs, and is
 * said once on stderr. */
static void log_end(Server *sv, Str *out)
{
    str_puts(out, "}\n");
    bool ok = out->bad || write(sv->log, out->s, out->n) == (ssize_t)out->n;
    bool first = !ok && !sv->unlogged;
    if (first)
        sv->unlogged = errno ? errno : ENOSPC;
    if (first && sv->up)
        fprintf(stderr, "moontile serve: %s: %s\n", sv->set->log ? sv->set->log : "stderr",
                strerror(sv->unlogged));
    str_free(out);
}

void log_request(const Req *r)
{
    Str out = {0};
    log_begin(&out);
    if (r->client)
        member(&out, "client", r->client->name);
    if (r->session)
        about_session(&out, r->session);
    member(&out, "what", r->route ? r->route->what : "?");
    str_fmt(&out, ", \"status\": %u, \"in\": %llu, \"out\": %llu, \"ms\": %.3f", r->status,
            (unsigned long long)r->got, (unsigned long long)r->sent,
            (clock_s() - r->since) * 1e3);
    member(&out, "outcome", r->outcome ? r->outcome : "cut");
    log_end(r->sv, &out);
}

void log_event(Server *sv, const char *what, const RemoteSession *g, const char *outcome)
{
    Str out = {0};
    log_begin(&out);
    if (g) {
        member(&out, "client", g->client->name);
        about_session(&out, g);
    }
    member(&out, "what", what);
    if (outcome)
        member(&out, "outcome", outcome);
    log_end(sv, &out);
}
