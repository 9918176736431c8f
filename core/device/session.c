/* core/device/session.c: the session's side of a worker process.
 *
 * A launch is a few messages sent at once (map, put, load, launch) and a wait for
 * the last answer.  While it waits the session watches three things: the
 * socket, which closes when the worker dies; interrupt_asked; and the
 * board's count of runs, against the time limit.  Whatever happens to the
 * worker, it is killed, buried and replaced, and the launch reports one
 * diagnostic.  Only a worker that died before the kernel began is forgiven,
 * once, if nothing was lost with it. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session_p.h"
#include "err/run.h"
#include "err/launch.h"
#include "err/room.h"

/* Requests ---------------------------------------------------------------- */

enum Tried { TRanswer, TRreported, TRagain }; /* TRagain: it died before the kernel began */

/* What is said of a worker that ended by itself. */
static enum Tried session_ended(Session *s, Ctx *c, const Request *r)
{
    bool began = atomic_load(&s->board->phase) != PHidle;
    int status = worker_bury(s);
    bool lost = s->lost.n > 0;
    if (began)
        report_crash(s, c, r->module, status);
    report_lost(s, c, E_contents_gone);
    session_warm(s);
    return began || lost ? TRreported : TRagain;
}

/* Has a worker that can be sent nothing more said why? */
static bool left_word(const Session *s)
{
    struct pollfd p = {s->fd, POLLIN, 0};
    return poll(&p, 1, 0) > 0 && p.revents & POLLIN;
}

/* Ends a worker that takes too long, and says so. */
static void report_late(Session *s, Ctx *c, const char *name)
{
    char limit[32], work[32];
    bool ran = atomic_load(&s->board->phase) == PHrun;
    double n = ran ? worker_work(s) : 0;
    snprintf(limit, sizeof limit, "%.3g", worker_limit(s));
    snprintf(work, sizeof work, "%.1e", n);
    worker_kill(s);
    report(c, n > 0 ? E_timeout_work : ran ? E_timeout : E_late_load, name, limit, n > 0 ? work : NULL);
}

/* Sends everything in one go, once a worker is there, and waits. */
static enum Tried try_request(Session *s, Ctx *c, const Request *r)
{
    const char *name = name_of(s, r->module);
    int e = s->pid ? 0 : worker_start(s);
    if (e) {
        report(c, E_worker_start, strerror(e), NULL, NULL);
        return TRreported;
    }
    board_clear(s->board);
    s->runs = r->args;
    s->work = -1;
    bool sent = (!r->args || memory_send(s, r->args)) && r->send(s, r);
    enum WorkerWait w = sent || left_word(s) ? worker_await(s, false) : WAgone;
    if (r->output)
        board_text(s->board, r->output);
    deliver(s, c, r->module);
    switch (w) {
    case WAanswer:
        return TRanswer;
    case WAgone:
        return session_ended(s, c, r);
    case WAlate:
        report_late(s, c, name);
        break;
    case WAinterrupted:
        interrupt_asked = 0;
        worker_kill(s);
        report(c, E_interrupted, name, NULL, NULL);
        break;
    }
    session_warm(s);
    return TRreported;
}

/* A refusal of the worker's: see Mfail.  err is the caller's. */
typedef struct LaunchRefusal LaunchRefusal;
struct LaunchRefusal {
    DevError err;
    uint32_t line, seq;
    const Module *module; /* what it is about */
};

static const Module *module_of(const Session *s, uint64_t id, const Module *other)
{
    for (const Module *m = s->module; m; m = m->next)
        if (m->id == id)
            return m;
    return other;
}

static LaunchRefusal get_refusal(Session *s, const Module *module)
{
    LaunchRefusal f = {.seq = s->msg->h.seq};
    f.line = (uint32_t)get_u64(s->msg);
    f.err = get_error(s->msg);
    f.module = module_of(s, get_u64(s->msg), module);
    return f;
}

/* Brings session and worker in step again.  A module that could not be loaded
 * is tried again next time; the requests behind the refused one are answered
 * too, and nothing may stay unread. */
static void resync_worker(Session *s, const LaunchRefusal *f)
{
    for (Module *m = s->module; m; m = m->next)
        if (m->loadseq == f->seq)
            m->life = 0;
    if (f->seq == s->openseq || f->err.lost) {
        worker_kill(s); /* without a device it is of no use */
        if (f->err.lost)
            session_warm(s);
        return;
    }
    while (s->msg->h.seq != s->seq && worker_await(s, false) == WAanswer)
        ;
    if (s->msg->h.seq != s->seq)
        worker_kill(s);
}

/* The answer is a refusal: reports it, or makes room, or starts a worker that may have
 * a device again, and returns true: the request can be sent again.  *died counts the
 * workers that ended. */
static bool handle_refusal(Session *s, Ctx *c, const Request *r, int *stage, int *died)
{
    LaunchRefusal f = get_refusal(s, r->module);
    bool last = f.seq == s->seq;
    resync_worker(s, &f);
    bool kept = s->pid && !f.err.lost;
    if (r->args && last && kept)
        memory_ran(s, r->args);
    else if (r->args && kept)
        memory_unsent(s, r->args);
    bool again = r->args && kept && f.err.is == E_device_full && memory_room(s, r->args, stage);
    again = again || (f.err.unbegun && !s->lost.n && (*died)++ == 0);
    if (f.err.is == E_interrupted)
        interrupt_asked = 0;
    if (!again)
        report_device(s, c, f.module, f.line, &f.err);
    if (!again && s->hooks.fail)
        s->hooks.fail(s->hooks.ud, f.line, &f.err);
    dev_error_free(f.err);
    return again;
}

bool request(Session *s, Ctx *c, const Request *r)
{
    int died = 0, stage = 0;
    if (s->lost.n) { /* since the last call: what is asked for may depend on it */
        report_lost(s, c, E_contents_gone);
        return false;
    }
    for (;;) {
        enum Tried t = try_request(s, c, r);
        if (t == TRagain && died++ == 0)
            continue;
        if (t == TRagain)
            report(c, E_worker_died, name_of(s, r->module), s->target->name, NULL);
        if (t != TRanswer)
            break;
        if (s->msg->h.kind == Mok) {
            if (r->args)
                memory_ran(s, r->args);
            return true;
        }
        if (!handle_refusal(s, c, r, &stage, &died))
            break;
    }
    report_lost(s, c, E_contents_gone);
    return false;
}

/* Launching -------------------------------------------------------------- */

bool send_load(Session *s, Module *m, bool again)
{
    if (m->life == s->life && !again)
        return true;
    msg_start(s->msg, Mload, ++s->seq);
    put_u64(s->msg, m->id);
    put_text(s->msg, m->path, strlen(m->path));
    put_text(s->msg, m->name, strlen(m->name));
    m->life = s->life;
    m->loadseq = s->seq;
    return msg_send(s->fd, s->msg);
}

static uint64_t byte_offset(const Tensor *t)
{
    return t->st->fdoff + (uint64_t)t->offset * dtypeinfo[t->dt].bits / 8;
}

static void session_put_arg(Msg *m, const LaunchArg *a)
{
    if (a->t) {
        put_u64(m, ARmem);
        put_u64(m, a->t->st->id);
        put_u64(m, byte_offset(a->t));
    } else if (dtypeinfo[a->dt].cls == 'F') {
        put_u64(m, ARfloat);
        put_double(m, dtype_round(a->dt, a->f)); /* here, once, for all devices */
    } else {
        put_u64(m, ARint);
        put_u64(m, (uint64_t)a->i);
    }
}

void put_args(Msg *m, const LaunchArg *arg, int narg)
{
    put_u64(m, (uint64_t)narg);
    for (int i = 0; i < narg; i++)
        session_put_arg(m, &arg[i]);
}

typedef struct LaunchCall LaunchCall;
struct LaunchCall {
    Module *module;
    const LaunchArg *arg;
    int narg, warmup, times;
    bool flush;
};

static bool send_launch(Session *s, const Request *r)
{
    const LaunchCall *j = r->ud;
    if (!send_load(s, j->module, false))
        return false;
    Msg *m = s->msg;
    msg_start(m, Mlaunch, ++s->seq);
    put_u64(m, j->module->id);
    put_u64(m, (uint64_t)j->warmup);
    put_u64(m, (uint64_t)j->times);
    put_u64(m, j->flush);
    put_args(m, j->arg, j->narg);
    return msg_send(s->fd, m);
}

static bool session_run_launch(Session *s, Ctx *c, const LaunchCall *j, Str *output, double *ms)
{
    ArgLists args = {&j->arg, &j->narg, 1, 1, &j->module};
    Request r = {send_launch, j->module, j, output, &args};
    if (!request(s, c, &r))
        return false;
    uint64_t n = get_u64(s->msg);
    for (uint64_t i = 0; i < n && i < (uint64_t)j->times; i++) {
        double t = get_double(s->msg);
        if (ms)
            ms[i] = t;
    }
    return true;
}

/* One and the same tensor: element by element, some kernels may work in place. */
static bool session_in_place(const LaunchArg *x, const LaunchArg *y)
{
    const Tensor *a = x->t, *b = y->t;
    if (!x->group || x->group != y->group)
        return false;
    size_t n = (size_t)a->ndim * sizeof *a->shape;
    return a->st == b->st && a->offset == b->offset && a->dt == b->dt && a->ndim == b->ndim &&
           memcmp(a->shape, b->shape, n) == 0 && memcmp(a->stride, b->stride, n) == 0;
}

bool check_args(Ctx *c, const Module *m, const LaunchArg *arg, int narg)
{
    char n[16], most[16];
    if (narg > LaunchArgs) {
        snprintf(n, sizeof n, "%d", narg);
        snprintf(most, sizeof most, "%d", LaunchArgs);
        return report(c, E_device_args, m->name, n, most);
    }
    for (int i = 0; i < narg; i++) {
        const Tensor *t = arg[i].t;
        snprintf(n, sizeof n, "%d", i + 1);
        if (t && t->offset * dtypeinfo[t->dt].bits % 8)
            return report(c, E_subbyte_view, dtypeinfo[t->dt].name, n, m->name);
        if (t && (t->offset < 0 || byte_offset(t) > t->st->fdoff + t->st->bytes))
            return report(c, E_argument_bounds, m->name, n, NULL);
        for (int k = 0; t && k < i; k++) {
            if (!arg[k].t || !(arg[i].written || arg[k].written) ||
                session_in_place(&arg[i], &arg[k]) || !tensor_meets(t, arg[k].t))
                continue;
            snprintf(most, sizeof most, "%d", k + 1);
            return report(c, E_argument_meets, m->name, most, n);
        }
    }
    return true;
}

bool session_launch(Session *s, Ctx *c, Module *m, const LaunchArg *arg, int narg,
                    int warmup, bool flush, LaunchResult *r)
{
    if (m->session != s)
        return report(c, E_session_closed, NULL, NULL, NULL);
    if (!check_args(c, m, arg, narg))
        return false;
    int left = r && r->nms > 0 ? r->nms : 1;
    double *ms = r && r->nms > 0 ? r->ms : NULL;
    bool ok = true, first = true;
    while (ok && left) {
        LaunchCall j = {m, arg, narg, first ? warmup : 0, left, flush};
        if (j.times > LaunchTimes)
            j.times = LaunchTimes;
        ok = session_run_launch(s, c, &j, first && r ? &r->output : NULL, ms);
        ms = ms ? ms + j.times : NULL;
        left -= j.times;
        first = false;
    }
    return ok;
}

/* Modules ---------------------------------------------------------------- */

Module *session_load(Session *s, Ctx *c, const char *path, const char *name)
{
    Module *m = calloc(1, sizeof *m);
    if (m) {
        m->path = strdup(path);
        m->name = strdup(name);
    }
    if (!m || !m->path || !m->name) {
        if (m)
            module_free(m);
        report(c, E_memory, "more", "reached", NULL);
        return NULL;
    }
    m->session = s;
    m->id = ++s->lastmodule;
    m->next = s->module;
    m->link = &s->module;
    if (m->next)
        m->next->link = &m->next;
    s->module = m;
    return m;
}

void module_source(Module *m, const char *file)
{
    free(m->file);
    m->file = file ? strdup(file) : NULL;
}

void module_program(Module *m, const Prog *p) { m->program = p; }

void module_assert(Module *m, uint32_t line, const char *file, const char *text)
{
    size_t cap = m->capspot ? m->capspot * 2 : 4;
    if (m->nspot == m->capspot) {
        struct ReportPlace *grown = realloc(m->spot, cap * sizeof *grown);
        if (!grown)
            return;
        m->spot = grown;
        m->capspot = cap;
    }
    struct ReportPlace s = {line, strdup(file), strdup(text)};
    if (s.file && s.text) {
        m->spot[m->nspot++] = s;
    } else {
        free(s.file);
        free(s.text);
    }
}

static void unlink_module(Module *m)
{
    *m->link = m->next;
    if (m->next)
        m->next->link = m->link;
    m->session = NULL;
}

void module_free(Module *m)
{
    Session *s = m->session;
    if (s) {
        if (s->pid && m->life == s->life) {
            msg_start(s->msg, Munload, ++s->seq);
            put_u64(s->msg, m->id);
            msg_send(s->fd, s->msg);
        }
        unlink_module(m);
    }
    free(m->path);
    free(m->name);
    free(m->file);
    for (size_t i = 0; i < m->nspot; i++) {
        free(m->spot[i].file);
        free(m->spot[i].text);
    }
    free(m->spot);
    free(m);
}

/* The session ------------------------------------------------------------ */

Session *session_open(Ctx *c, const Target *t, const char *options)
{
    struct sigaction sa;
    Session *s = calloc(1, sizeof *s);
    if (s) {
        s->fd = -1;
        s->msg = malloc(sizeof *s->msg);
        s->options = strdup(options ? options : "");
    }
    if (!s || !s->msg || !s->options) {
        if (s) {
            free(s->options);
            free(s->msg);
            free(s);
        }
        report(c, E_memory, "more", "reached", NULL);
        return NULL;
    }
    s->target = t;
    session_limit(s, -1);
    s->spin = spin_new();
    memory_open(s);
    /* With SIGCHLD ignored, as some parents leave it, no status is kept. */
    if (sigaction(SIGCHLD, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN)
        signal(SIGCHLD, SIG_DFL);
    return s;
}

void session_close(Session *s)
{
    if (!s)
        return;
    memory_close(s);
    if (s->pid && s->target->device->leave)
        worker_leave(s);
    worker_kill(s);
    worker_reap(s, true);
    while (s->module)
        unlink_module(s->module);
    storage_unref(s->board_st);
    free(s->known);
    free(s->gone);
    free(s->options);
    free(s->complete);
    free(s->msg);
    free(s);
}

void session_hooks(Session *s, const SessionHooks *h) { s->hooks = *h; }

int session_pid(const Session *s) { return (int)s->pid; }
