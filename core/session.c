/* core/session.c: the session's side of a worker process.
 *
 * A launch is a few messages sent at once (map, load, launch) and a wait for
 * the last answer.  While it waits the session watches three things: the
 * socket, which closes when the worker dies; session_interrupt; and the
 * board's count of runs, against the time limit.  Whatever happens to the
 * worker, it is killed, buried and replaced, and the launch reports one
 * diagnostic.  Only a worker that died before the kernel began is forgiven,
 * once. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "proto.h"
#include "storage.h"

enum {
    SliceMs = 20,     /* how late an interruption may be noticed */
    BuryMs = 2000,    /* a worker whose socket closed has this long to end */
    Dying = 16,       /* killed workers not yet reaped */
    WorkerFd = 3,
    BoardBytes = 1 << 20 /* enough to have a memfd of its own; mostly untouched */
};
_Static_assert(sizeof(Board) <= BoardBytes, "the board fits its file");
static const double DefaultLimit = 10, PatienceLimit = 30;

extern char **environ;

volatile int session_interrupt;

struct Session {
    const Target *target;
    char *options;
    double limit;         /* seconds a run; 0: none */
    pid_t pid;            /* of the worker, 0: none */
    int fd;
    int spin;             /* microseconds to wait busily */
    uint32_t life;        /* counts workers */
    uint32_t seq, openseq; /* of the last request; of this worker's Mopen */
    pid_t dying[Dying];
    Storage *board_st;    /* a fresh one for each worker: a killed one may */
    Board *board;         /* still write to its own for a moment */
    uint64_t *sent;       /* ids that the worker has mapped, ascending */
    size_t nsent, capsent;
    uint64_t *gone;       /* ids that it should drop */
    size_t ngone, capgone;
    StorageWatch watch;
    Module *module;
    uint64_t lastmodule;
    Msg *msg;
};

struct Module {
    Session *session;     /* NULL: closed */
    Module *next, **link;
    uint64_t id;
    uint32_t life;        /* of the worker that has it loaded; 0: none */
    char *path, *name, *file;
};

/* Reporting ------------------------------------------------------------- */

typedef struct Report Report;
struct Report { enum Err e; Loc l; const char *file, *arg[DiagArgs]; };

static void do_report(Ctx *c, void *ud)
{
    Report *r = ud;
    if (r->l.line && r->file)
        r->l.file = ctx_file(c, r->file);
    diag(c, r->e, r->l, r->arg[0], r->arg[1], r->arg[2], r->arg[3], r->arg[4], NULL);
}

/* Adds a message; lack of memory is itself a message by then. */
static bool report(Ctx *c, enum Err e, const char *a, const char *b, const char *d)
{
    Report r = {.e = e, .arg = {a, b, d}};
    ctx_try(c, do_report, &r);
    return false;
}

/* Messages on the board -------------------------------------------------- */

enum { ReportArgs = DiagArgs };

/* Takes the first field off *at, which may be NULL; fields end at DEV_SEP. */
static char *field(char **at)
{
    char *s = *at, *end = s ? strchr(s, *DEV_SEP) : NULL;
    if (end)
        *end++ = '\0';
    *at = end;
    return s;
}

/* "file:line:col"; the file may hold colons itself. */
static Loc place(Ctx *c, char *s)
{
    Loc l = {0, 0, 0};
    char *col = s ? strrchr(s, ':') : NULL;
    if (!col)
        return l;
    *col = '\0';
    char *line = strrchr(s, ':');
    if (!line)
        return l;
    *line = '\0';
    l.line = (uint32_t)strtoul(line + 1, NULL, 10);
    l.col = (uint16_t)strtoul(col + 1, NULL, 10);
    l.file = *s ? ctx_file(c, s) : 0;
    return l;
}

typedef struct Told Told;
struct Told { char *text; const char *file; }; /* one message: see DevHost.report */

/* One line of a message, as a new one or as a note about d. */
static Diag *told_line(Ctx *c, char *text, const char *file, Diag *d)
{
    const char *a[ReportArgs] = {0};
    char *id = field(&text);
    enum Err e = errbyid(id[0] == '@' ? id + 1 : id);
    Loc l = place(c, field(&text));
    if (e == E_none)
        return d;
    if (l.line && !l.file && file)
        l.file = ctx_file(c, file);
    for (int i = 0; i < ReportArgs && text; i++)
        a[i] = field(&text);
    if (d)
        diag_note(c, d, e, l, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
    else
        d = diag(c, e, l, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
    return d;
}

static void do_told(Ctx *c, void *ud)
{
    Told *t = ud;
    Diag *d = NULL;
    for (char *s = t->text, *end; s; s = end) {
        if ((end = strchr(s, '\n')))
            *end++ = '\0';
        if (*s)
            d = told_line(c, s, t->file, d);
    }
}

/* Adds what the device has reported so far to c. */
static void deliver(Ctx *c, const Board *b, const Module *m)
{
    uint32_t at = 0;
    for (const char *s; (s = board_next(b, &at));) {
        Told t = {strdup(s), m->file};
        if (t.text)
            ctx_try(c, do_told, &t);
        free(t.text);
    }
}

/* A Mfail: see struct Device.  What is no row's id is a bug of ours. */
static bool report_device(Ctx *c, const Module *m, uint32_t line, const char *text)
{
    char buf[4200];
    if (strcmp(text, "@reported") == 0 && c->nerror)
        return false;
    Report r = {.e = E_bug, .l = {0, 0, line}, .file = m->file, .arg = {text}};
    snprintf(buf, sizeof buf, "%s", text);
    if (buf[0] == '@') {
        char *at = strchr(buf, *DEV_SEP);
        if (at)
            *at++ = '\0';
        enum Err e = errbyid(buf + 1);
        int n = 0;
        if (e != E_none && e != E_bug) {
            r.e = e;
            r.arg[n++] = m->name;
        }
        for (; e != E_none && at && n < DiagArgs - 1; n++) {
            r.arg[n] = at;
            if ((at = strchr(at, *DEV_SEP)))
                *at++ = '\0';
        }
    }
    ctx_try(c, do_report, &r);
    return false;
}

static const struct { int sig; enum Err err; } crash[] = {
    {SIGSEGV, E_crash_segv}, {SIGBUS, E_crash_bus}, {SIGFPE, E_crash_fpe},
    {SIGILL, E_crash_ill},   {SIGABRT, E_crash_abort}, {SIGKILL, E_crash_kill},
};

/* status: of waitpid */
static bool report_crash(Ctx *c, const Module *m, int status)
{
    char n[16];
    if (!WIFSIGNALED(status)) {
        snprintf(n, sizeof n, "%d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
        return report(c, E_worker_exit, m->name, n, NULL);
    }
    for (size_t i = 0; i < COUNT(crash); i++)
        if (crash[i].sig == WTERMSIG(status))
            return report(c, crash[i].err, m->name, NULL, NULL);
    snprintf(n, sizeof n, "%d", WTERMSIG(status));
    return report(c, E_worker_signal, m->name, n, NULL);
}

/* The worker's life ----------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void reap(Session *s, bool wait)
{
    for (int i = 0; i < Dying; i++)
        if (s->dying[i] && waitpid(s->dying[i], NULL, wait ? 0 : WNOHANG) != 0)
            s->dying[i] = 0;
}

/* Forgets everything that died with the worker. */
static void reset(Session *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
    s->pid = 0;
    s->nsent = s->ngone = 0;
}

/* Ends a worker that may be running.  Its memory can take long to return, so
 * it is reaped later, unless too many wait for that already. */
static void kill_worker(Session *s)
{
    if (!s->pid)
        return;
    kill(s->pid, SIGKILL);
    reap(s, false);
    int i = 0;
    while (i < Dying && s->dying[i])
        i++;
    if (i < Dying)
        s->dying[i] = s->pid;
    else
        waitpid(s->pid, NULL, 0);
    reset(s);
}

/* Waits for a worker whose socket has closed; returns its status. */
static int bury_worker(Session *s)
{
    int status = 0;
    pid_t r = 0;
    double until = now() + BuryMs * 1e-3;
    while (r == 0 && now() < until) {
        r = waitpid(s->pid, &status, WNOHANG);
        if (r < 0 && errno == EINTR)
            r = 0;
        if (r == 0)
            nanosleep(&(struct timespec){0, 200000}, NULL);
    }
    if (r == 0) {
        kill(s->pid, SIGKILL);
        waitpid(s->pid, &status, 0);
    }
    reset(s);
    return status;
}

/* Spawns this same program as a worker on `sock`; 0 or an errno.  It gets a
 * process group of its own, so that the terminal's Ctrl-C and Ctrl-Z reach the
 * session alone, and nothing to read from or write to. */
static int spawn(pid_t *pid, int sock)
{
    char name[] = "moontile", flag[] = "--worker", number[12];
    char *argv[] = {name, flag, number, NULL};
    const char *err = getenv("MOONTILE_WORKER_STDERR"); /* for whoever debugs it */
    snprintf(number, sizeof number, "%d", WorkerFd);
    posix_spawn_file_actions_t fa;
    posix_spawnattr_t at;
    sigset_t none;
    int e = posix_spawn_file_actions_init(&fa);
    if (e)
        return e;
    if ((e = posix_spawnattr_init(&at)) != 0) {
        posix_spawn_file_actions_destroy(&fa);
        return e;
    }
    sigemptyset(&none);
    posix_spawnattr_setflags(&at, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&at, 0);
    posix_spawnattr_setsigmask(&at, &none);
    e = posix_spawn_file_actions_adddup2(&fa, sock, WorkerFd);
    e = e ? e : posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
    e = e ? e : posix_spawn_file_actions_addopen(&fa, 1, "/dev/null", O_WRONLY, 0);
    if (!e && !(err && *err))
        e = posix_spawn_file_actions_addopen(&fa, 2, "/dev/null", O_WRONLY, 0);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
    e = e ? e : posix_spawn_file_actions_addclosefrom_np(&fa, WorkerFd + 1);
#endif
    e = e ? e : posix_spawn(pid, "/proc/self/exe", &fa, &at, argv, environ);
    posix_spawnattr_destroy(&at);
    posix_spawn_file_actions_destroy(&fa);
    return e;
}

/* Starts a worker and tells it what to open; its answer is read with the
 * first launch's.  0 or an errno. */
static int start(Session *s)
{
    int pair[2];
    Storage *board = storage_new(BoardBytes);
    if (!board)
        return ENOMEM;
    storage_unref(s->board_st);
    s->board_st = board;
    s->board = (Board *)(void *)board->data;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return errno;
    /* A worker that reads nothing is stuck: never wait for it without end. */
    struct timeval patience = {.tv_sec = 10};
    setsockopt(pair[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    int e = spawn(&s->pid, pair[1]);
    close(pair[1]);
    if (e) {
        close(pair[0]);
        s->pid = 0;
        return e;
    }
    s->fd = pair[0];
    s->life++;
    msg_start(s->msg, Mopen, s->openseq = ++s->seq);
    put_text(s->msg, s->target->name, strlen(s->target->name));
    put_text(s->msg, s->options, strlen(s->options));
    s->msg->fd = s->board_st->fd;
    msg_send(s->fd, s->msg); /* a failure shows when the answer is awaited */
    return 0;
}

void session_warm(Session *s)
{
    reap(s, false);
    if (!s->pid)
        start(s);
}

/* Memory the worker knows ------------------------------------------------ */

/* Index of the first id that is not less. */
static size_t find(const Session *s, uint64_t id)
{
    size_t lo = 0, hi = s->nsent;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->sent[mid] < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool grow(uint64_t **p, size_t n, size_t *cap)
{
    if (n < *cap)
        return true;
    size_t want = *cap ? *cap * 2 : 64;
    uint64_t *q = realloc(*p, want * sizeof *q);
    if (!q)
        return false;
    *p = q;
    *cap = want;
    return true;
}

/* A memfd is freed: the worker hears of it with the next launch.  Should the
 * note be lost for lack of memory, it keeps an empty mapping. */
static void on_gone(void *ud, uint64_t id)
{
    Session *s = ud;
    size_t i = find(s, id);
    if (i == s->nsent || s->sent[i] != id)
        return;
    s->nsent--;
    memmove(s->sent + i, s->sent + i + 1, (s->nsent - i) * sizeof *s->sent);
    if (grow(&s->gone, s->ngone, &s->capgone))
        s->gone[s->ngone++] = id;
}

static bool send_gone(Session *s)
{
    const size_t most = 4096;
    while (s->ngone) {
        size_t n = s->ngone < most ? s->ngone : most;
        msg_start(s->msg, Mdrop, ++s->seq);
        put_u64(s->msg, n);
        for (size_t i = 0; i < n; i++)
            put_u64(s->msg, s->gone[--s->ngone]);
        if (!msg_send(s->fd, s->msg))
            return false;
    }
    return true;
}

static bool send_memory(Session *s, const Storage *st)
{
    size_t i = find(s, st->id);
    if (i < s->nsent && s->sent[i] == st->id)
        return true;
    msg_start(s->msg, Mmap, ++s->seq);
    put_u64(s->msg, st->id);
    s->msg->fd = st->fd;
    if (!msg_send(s->fd, s->msg) || !grow(&s->sent, s->nsent, &s->capsent))
        return false;
    memmove(s->sent + i + 1, s->sent + i, (s->nsent - i) * sizeof *s->sent);
    s->sent[i] = st->id;
    s->nsent++;
    return true;
}

/* Launching -------------------------------------------------------------- */

/* What became of a request.  Wgone: the worker ended. */
enum Wait { Wanswer, Wgone, Wlate, Winterrupted };

/* Waits for the answer to s->seq, which is left in s->msg.  A failure of an
 * earlier request of the same launch counts as the answer. */
static enum Wait await(Session *s)
{
    uint32_t runs = atomic_load(&s->board->runs);
    double since = now();
    msg_spin(s->fd, s->spin);
    for (;;) {
        struct pollfd p = {s->fd, POLLIN, 0};
        int n = poll(&p, 1, SliceMs);
        if (n > 0) {
            enum Recv r = msg_recv(s->fd, s->msg);
            if (s->msg->fd >= 0)
                close(s->msg->fd);
            if (r == RECVbroken)
                kill(s->pid, SIGABRT); /* the kernel wrote over its messages */
            if (r != RECVok)
                return Wgone;
            if (s->msg->h.seq == s->seq || s->msg->h.kind == Mfail)
                return Wanswer;
            continue;
        }
        if (session_interrupt)
            return Winterrupted;
        double t = now(), limit = s->limit;
        uint32_t count = atomic_load(&s->board->runs);
        if (count != runs) {
            runs = count;
            since = t;
        }
        if (atomic_load(&s->board->phase) != PHrun && limit < PatienceLimit)
            limit = PatienceLimit; /* the machine is slow, not the kernel */
        if (s->limit > 0 && t - since > limit)
            return Wlate;
    }
}

static bool send_load(Session *s, Module *m)
{
    if (m->life == s->life)
        return true;
    msg_start(s->msg, Mload, ++s->seq);
    put_u64(s->msg, m->id);
    put_text(s->msg, m->path, strlen(m->path));
    put_text(s->msg, m->name, strlen(m->name));
    m->life = s->life;
    return msg_send(s->fd, s->msg);
}

typedef struct Job Job;
struct Job {
    Module *module;
    const LaunchArg *arg;
    int narg, warmup, times;
    bool flush;
    Str *output; /* or NULL */
};

static uint64_t byte_offset(const Tensor *t)
{
    return t->st->fdoff + (uint64_t)t->offset * dtypeinfo[t->dt].bits / 8;
}

static void put_arg(Msg *m, const LaunchArg *a)
{
    if (a->t) {
        put_u64(m, Amem);
        put_u64(m, a->t->st->id);
        put_u64(m, byte_offset(a->t));
    } else if (dtypeinfo[a->dt].cls == 'F') {
        put_u64(m, Afloat);
        put_double(m, a->f);
    } else {
        put_u64(m, Aint);
        put_u64(m, (uint64_t)a->i);
    }
}

/* Everything the worker needs for this launch, in one go. */
static bool send_job(Session *s, const Job *j)
{
    bool ok = send_gone(s);
    for (int i = 0; ok && i < j->narg; i++)
        if (j->arg[i].t)
            ok = send_memory(s, j->arg[i].t->st);
    if (!ok || !send_load(s, j->module))
        return false;
    Msg *m = s->msg;
    msg_start(m, Mlaunch, ++s->seq);
    put_u64(m, j->module->id);
    put_u64(m, (uint64_t)j->warmup);
    put_u64(m, (uint64_t)j->times);
    put_u64(m, j->flush);
    put_u64(m, (uint64_t)j->narg);
    for (int i = 0; i < j->narg; i++)
        put_arg(m, &j->arg[i]);
    return msg_send(s->fd, m);
}

/* Runs j once a worker is there: *ok tells how it went and is reported; false:
 * the worker died before the kernel began, nothing is reported. */
static bool try_job(Session *s, Ctx *c, const Job *j, bool *ok)
{
    const char *name = j->module->name;
    int e = s->pid ? 0 : start(s);
    *ok = false;
    if (e) {
        report(c, E_worker_start, strerror(e), NULL, NULL);
        return true;
    }
    board_clear(s->board);
    enum Wait w = send_job(s, j) ? await(s) : Wgone;
    if (j->output)
        board_text(s->board, j->output);
    deliver(c, s->board, j->module);
    bool began = atomic_load(&s->board->phase) != PHidle;
    int status;
    char text[32];
    switch (w) {
    case Wanswer:
        *ok = s->msg->h.kind == Mok;
        return true;
    case Wgone:
        status = bury_worker(s);
        if (began)
            report_crash(c, j->module, status);
        session_warm(s);
        return began;
    case Wlate:
        snprintf(text, sizeof text, "%g", s->limit);
        kill_worker(s);
        report(c, E_timeout, name, text, NULL);
        break;
    case Winterrupted:
        session_interrupt = 0;
        kill_worker(s);
        report(c, E_interrupted, name, NULL, NULL);
        break;
    }
    session_warm(s);
    return true;
}

/* The worker's refusal, if s->msg is one.  A module that could not be loaded
 * is tried again next time. */
static bool refused(Session *s, Ctx *c, Module *m)
{
    if (s->msg->h.kind != Mfail)
        return false;
    uint32_t line = (uint32_t)get_u64(s->msg), seq = s->msg->h.seq;
    char *text = strdup(get_text(s->msg, NULL));
    if (seq != s->seq)
        m->life = 0;
    if (seq == s->openseq) {
        kill_worker(s); /* without a device it is of no use */
    } else if (seq != s->seq) {
        /* The launch behind it is answered too: nothing may stay unread. */
        while (s->msg->h.seq != s->seq && await(s) == Wanswer)
            ;
        if (s->msg->h.seq != s->seq)
            kill_worker(s);
    }
    report_device(c, m, line, text ? text : "?");
    free(text);
    return true;
}

static bool run_job(Session *s, Ctx *c, const Job *j, double *ms)
{
    bool ok = false;
    if (!try_job(s, c, j, &ok) && !try_job(s, c, j, &ok))
        return report(c, E_worker_died, j->module->name, s->target->name, NULL);
    if (!s->pid || refused(s, c, j->module))
        return false;
    if (!ok)
        return false;
    uint64_t n = get_u64(s->msg);
    for (uint64_t i = 0; i < n && i < (uint64_t)j->times; i++) {
        double t = get_double(s->msg);
        if (ms)
            ms[i] = t;
    }
    return true;
}

/* Are the arguments ones that a worker can be given? */
static bool check_args(Ctx *c, const Module *m, const LaunchArg *arg, int narg)
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
        Job j = {m, arg, narg, first ? warmup : 0, left, flush,
                 first && r ? &r->output : NULL};
        if (j.times > LaunchTimes)
            j.times = LaunchTimes;
        ok = run_job(s, c, &j, ms);
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
    free(m);
}

/* The session ------------------------------------------------------------ */

/* Seconds in $MOONTILE_TIME_LIMIT, or the default. */
static double wanted_limit(void)
{
    const char *v = getenv("MOONTILE_TIME_LIMIT");
    char *end;
    double t = v && *v ? strtod(v, &end) : -1;
    return v && *v && !*end && t >= 0 ? t : DefaultLimit;
}

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
    s->limit = wanted_limit();
    s->spin = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? SpinUs : 0;
    s->watch = (StorageWatch){on_gone, s, NULL};
    storage_watch(&s->watch);
    /* With SIGCHLD ignored, as some parents leave it, no status is kept. */
    if (sigaction(SIGCHLD, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN)
        signal(SIGCHLD, SIG_DFL);
    return s;
}

void session_close(Session *s)
{
    if (!s)
        return;
    storage_unwatch(&s->watch);
    kill_worker(s);
    reap(s, true);
    while (s->module)
        unlink_module(s->module);
    storage_unref(s->board_st);
    free(s->sent);
    free(s->gone);
    free(s->options);
    free(s->msg);
    free(s);
}

void session_limit(Session *s, double seconds) { s->limit = seconds > 0 ? seconds : 0; }

void session_describe(Session *s, Str *out)
{
    str_fmt(out, "target: %s\n", s->target->name);
    if (!s->pid && start(s) != 0)
        return;
    msg_start(s->msg, Mdescribe, ++s->seq);
    if (msg_send(s->fd, s->msg) && await(s) == Wanswer && s->msg->h.kind == Mok)
        str_puts(out, get_text(s->msg, NULL));
    else
        kill_worker(s);
}

int session_pid(const Session *s) { return (int)s->pid; }
