/* repl/serve/server.c: the loop, its start and its end. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "serve.h"
#include "err/server.h"

enum { Events = 128, FlushSeconds = 2, TokensSeconds = 1 };

bool serve_open(const Server *sv) { return sv->local && !sv->guarded; }

void serve_end(Server *sv, Watch *w)
{
    w->ended = true;
    w->next = sv->ended;
    sv->ended = w;
}

static void server_sweep(Server *sv)
{
    while (sv->ended) {
        Watch *w = sv->ended;
        sv->ended = w->next;
        w->release(w);
    }
}

/* Signals ------------------------------------------------------------------ */

/* The first asks to end, the second does. */
static void serve_server_stop(Server *sv)
{
    if (sv->stopping) {
        sv->over = true;
        return;
    }
    sv->stopping = true;
    sv->stop_at = sv->now + (double)sv->set->grace_s;
    log_event(sv, "stopping", NULL, NULL);
    queue_stop(sv);
}

static void on_signals(Server *sv)
{
    struct signalfd_siginfo i;
    while (read(sv->signals, &i, sizeof i) == (ssize_t)sizeof i) {
        if (i.ssi_signo == (uint32_t)SIGINT || i.ssi_signo == (uint32_t)SIGTERM)
            serve_server_stop(sv);
        else
            sv->look = true;
    }
}

/* Signals come through a descriptor; false: errno. */
static bool open_signals(Server *sv, sigset_t *old)
{
    sigset_t all;
    struct epoll_event ev = {.events = EPOLLIN, .data.ptr = &sv->signal_watch};
    sigemptyset(&all);
    sigaddset(&all, SIGINT);
    sigaddset(&all, SIGTERM);
    sigaddset(&all, SIGCHLD);
    signal(SIGPIPE, SIG_IGN);
    if (sigprocmask(SIG_BLOCK, &all, old) != 0)
        return false;
    sv->signals = signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC);
    return sv->signals >= 0 && epoll_ctl(sv->epoll, EPOLL_CTL_ADD, sv->signals, &ev) == 0;
}

/* Time --------------------------------------------------------------------- */

/* Tokens that were removed let nobody in any more, and end what they opened. */
static void look_at_tokens(Server *sv)
{
    Ctx c;
    ctx_init(&c, NULL, 0);
    if (!tokens_refresh(&sv->tokens, &c))
        log_event(sv, "tokens", NULL, "unusable");
    ctx_free(&c);
    sv->guarded = sv->guarded || sv->tokens.n > 0;
    Client *k = sv->ring;
    do {
        if (k)
            k->revoked = sv->guarded && !tokens_named(&sv->tokens, k->name);
        k = k ? k->next : NULL;
    } while (k != sv->ring);
}

static void server_tick(Server *sv)
{
    sv->ticked = sv->now;
    if (sv->now - sv->looked > TokensSeconds) {
        sv->looked = sv->now;
        look_at_tokens(sv);
    }
    sv->look = sv->look || sv->dying;
    if (sv->dying)
        open_again(sv); /* who has waited long enough is told so */
    queue_tick(sv);
    rsession_tick(sv);
    http_tick(sv);
}

static void close_sessions(Server *sv, const char *why)
{
    Client *c = sv->ring;
    do {
        while (c && c->session)
            rsession_close(c->session, why, 0);
        c = c ? c->next : NULL;
    } while (c != sv->ring);
}

/* Is it over?  What runs may finish, within its limit; what was answered may arrive. */
static bool finished(Server *sv)
{
    bool running = sv->running[Ccompile] || sv->running[Crun] || sv->running[Chost] ||
                   sv->running[Cexclusive];
    if (sv->over || !sv->stopping)
        return sv->over;
    if (running && sv->now < sv->stop_at)
        return false;
    if (running)
        close_sessions(sv, "stopped");
    return !http_busy(sv) || sv->now > sv->stop_at + FlushSeconds;
}

/* The loop ----------------------------------------------------------------- */

static void on_event(Server *sv, Watch *w)
{
    if (w->ended)
        return;
    switch (w->kind) {
    case Wsignal: on_signals(sv); break;
    case Wconn: http_hung_up((Conn *)(void *)w); break;
    case Wsession: rsession_event((RemoteSession *)(void *)w); break;
    case Whttp: break; /* it has its turn in any case */
    }
}

static void server_turn(Server *sv)
{
    struct epoll_event ev[Events];
    MHD_UNSIGNED_LONG_LONG due;
    int ms = TickMs;
    if (sv->mhd.get_timeout(sv->http, &due) == MHD_YES && due < (unsigned)ms)
        ms = (int)due;
    if (sv->unpacks)
        ms = 0;
    int n = epoll_wait(sv->epoll, ev, Events, ms);
    sv->now = clock_s();
    for (int i = 0; i < n; i++)
        on_event(sv, ev[i].data.ptr);
    queue_turn(sv);
    sv->mhd.run(sv->http);
    put_turn(sv);
    if (sv->now - sv->ticked > TickMs * 1e-3)
        server_tick(sv);
    if (sv->look)
        reap_turn(sv);
    server_sweep(sv);
}

/* Start and end ------------------------------------------------------------ */

/* A descriptor a connection and one a large tensor: the soft limit is often only 1024. */
static void server_raise_nofile(void)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
        r.rlim_cur = r.rlim_max;
        setrlimit(RLIMIT_NOFILE, &r);
    }
}

typedef struct ServerTrouble ServerTrouble;
struct ServerTrouble { const char *what, *why; };

static void do_server_report(Ctx *c, void *ud)
{
    const ServerTrouble *t = ud;
    diag(c, E_serve_start, (Loc){0, 0, 0}, t->what, t->why, NULL);
}

static bool server_trouble(Ctx *c, const char *what)
{
    ServerTrouble t = {what, strerror(errno)};
    ctx_try(c, do_server_report, &t);
    return false;
}

static bool server_listen(Server *sv, Ctx *c, sigset_t *old)
{
    sv->http_watch.kind = Whttp;
    sv->signal_watch.kind = Wsignal;
    sv->now = sv->started = clock_s();
    sv->lastconn = &sv->conn;
    server_raise_nofile();
    sv->log = log_open(sv->set->log);
    if (sv->log < 0)
        return server_trouble(c, sv->set->log ? sv->set->log : "stderr");
    sv->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (sv->epoll < 0 || !open_signals(sv, old))
        return server_trouble(c, "epoll");
    if (!reap_start(sv))
        return server_trouble(c, sv->folder[0] ? "--warden" : "TMPDIR");
    if (!tokens_open(&sv->tokens, c, sv->set->tokens))
        return false;
    sv->guarded = sv->tokens.n > 0;
    if (!http_start(sv, c))
        return false;
    if (sv->set->sessions < 0) /* where there are no tokens, all are one client */
        sv->set->sessions = serve_open(sv) ? sv->set->sessions_all : TokenSessions;
    log_event(sv, "starting", NULL, NULL);
    errno = sv->unlogged;
    sv->up = !sv->unlogged;
    return sv->up || server_trouble(c, sv->set->log ? sv->set->log : "stderr");
}

static void server_end(Server *sv)
{
    Client *first = sv->ring, *c = first;
    if (sv->http)
        http_stop(sv);
    close_sessions(sv, "stopped");
    reap_end(sv);
    server_sweep(sv);
    while (c) {
        Client *next = c->next == first ? NULL : c->next;
        content_free(c);
        free(c);
        c = next;
    }
    tokens_free(&sv->tokens);
    if (sv->signals >= 0)
        close(sv->signals);
    if (sv->epoll >= 0)
        close(sv->epoll);
    if (sv->log >= 0)
        close(sv->log);
}

/* "http://127.0.0.1:8411" */
static void server_address(const Server *sv, Str *out)
{
    bool v6 = strchr(sv->set->bind, ':') != NULL;
    str_fmt(out, "http%s://%s%s%s:%d", sv->tls ? "s" : "", v6 ? "[" : "", sv->set->bind,
            v6 ? "]" : "", sv->port);
}

int serve_run(Settings *set, Ctx *c, void (*ready)(void *ud, const char *url), void *ud)
{
    Server *sv = calloc(1, sizeof *sv);
    sigset_t old;
    Str url = {0};
    if (!sv)
        return 1;
    sigemptyset(&old);
    sv->set = set;
    sv->epoll = sv->signals = sv->log = sv->leash = -1;
    bool ok = server_listen(sv, c, &old);
    if (ok) {
        server_address(sv, &url);
        ready(ud, url.s);
        log_event(sv, "listening", NULL, url.s);
        while (!finished(sv))
            server_turn(sv);
        log_event(sv, "stopped", NULL, sv->over ? "at once" : "in order");
    }
    server_end(sv);
    sigprocmask(SIG_SETMASK, &old, NULL);
    str_free(&url);
    free(sv);
    return ok ? 0 : 1;
}
