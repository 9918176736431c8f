/* core/device/worker.c: the process that owns a device and runs its kernels.
 *
 * It serves one session: a message in, an answer out, until the socket closes.
 * A kernel may do anything to this process; whatever must outlive it is in the
 * tensors' memfds and on the board, which the session owns. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/deep.h"
#include "cache.h"
#include "jail.h"
#include "worker_p.h"
#include "err/launch.h"
#include "err/serve.h"

/* Answers --------------------------------------------------------------- */

bool answer(Worker *w) { return msg_send(w->fd, &w->out) && !w->lost; }

bool answer_ok(Worker *w)
{
    msg_start(&w->out, Mok, w->in.h.seq);
    return answer(w);
}

/* What does not fit a message is cut. */
static bool answer_text(Worker *w, const Str *s)
{
    msg_start(&w->out, Mok, w->in.h.seq);
    put_text(&w->out, s->s ? s->s : "", s->n < MsgBytes / 2 ? s->n : MsgBytes / 2);
    return answer(w);
}

bool answer_fail(Worker *w, uint32_t line, uint64_t module, DevError err)
{
    w->lost = err.lost;
    msg_start(&w->out, Mfail, w->in.h.seq);
    put_u64(&w->out, line);
    put_error(&w->out, &err);
    put_u64(&w->out, module);
    dev_error_free(err);
    return answer(w);
}

/* Modules --------------------------------------------------------------- */

Loaded *worker_loaded(Worker *w, uint64_t id)
{
    for (size_t i = 0; i < w->nmod; i++)
        if (w->mod[i].id == id)
            return &w->mod[i];
    return NULL;
}

static bool answer_facts(Worker *w, const Loaded *l)
{
    Str facts = {0};
    if (w->device->facts)
        w->device->facts(w->dev, l->mod, &facts);
    bool ok = answer_text(w, &facts);
    str_free(&facts);
    return ok;
}

static bool do_worker_load(Worker *w)
{
    uint64_t id = get_u64(&w->in);
    const char *path = get_text(&w->in, NULL), *name = get_text(&w->in, NULL);
    const Loaded *old = worker_loaded(w, id);
    DevError err = DEV_NO_ERROR;
    if (old)
        return answer_facts(w, old);
    if (!w->device || !proto_room(&w->mod, w->nmod, &w->capmod, sizeof *w->mod))
        return answer_fail(w, 0, id, dev_error(E_device_load, "no device"));
    atomic_store(&w->board->phase, PHload);
    void *mod = w->device->load(w->dev, path, name, &err);
    atomic_store(&w->board->phase, PHidle);
    if (!mod)
        return answer_fail(w, 0, id, err);
    w->mod[w->nmod++] = (Loaded){id, mod};
    return answer_facts(w, &w->mod[w->nmod - 1]);
}

static void do_unload(Worker *w)
{
    Loaded *l = worker_loaded(w, get_u64(&w->in));
    if (!l)
        return;
    w->device->unload(w->dev, l->mod);
    *l = w->mod[--w->nmod];
}

/* Texts ----------------------------------------------------------------- */

static bool do_describe(Worker *w)
{
    Str s = {0};
    if (w->device)
        w->device->describe(w->dev, &s);
    bool ok = answer_text(w, &s);
    str_free(&s);
    return ok;
}

static bool do_complete(Worker *w)
{
    Str s = {0};
    DevError err = DEV_NO_ERROR;
    str_puts(&s, w->options);
    bool good = w->device && (!w->device->complete || w->device->complete(w->dev, &s, &err));
    bool ok = good ? answer_text(w, &s) : answer_fail(w, 0, 0, err);
    str_free(&s);
    return ok;
}

static bool do_text(Worker *w)
{
    const Loaded *l = worker_loaded(w, get_u64(&w->in));
    const char *what = get_text(&w->in, NULL);
    Str path = {0};
    DevError err = DEV_NO_ERROR;
    bool good = false;
    if (l && w->device->text)
        good = w->device->text(w->dev, l->mod, what, &path, &err);
    else
        err = dev_no_text(what);
    bool ok = good ? answer_text(w, &path) : answer_fail(w, 0, l ? l->id : 0, err);
    str_free(&path);
    return ok;
}

/* The first message: which device, and the board. */
static bool do_worker_open(Worker *w)
{
    const char *name = get_text(&w->in, NULL), *options = get_text(&w->in, NULL);
    DevError err = DEV_NO_ERROR;
    int fd = w->in.fd;
    if (w->board || fd < 0)
        return false;
    w->board = mmap(NULL, sizeof *w->board, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (w->board == MAP_FAILED)
        return false;
    for (const Target *const *t = w->targets; *t && !w->device; t++)
        if (strcmp((*t)->name, name) == 0)
            w->device = (*t)->device;
    w->options = strdup(options);
    if (w->device && (!w->options || !(w->dev = w->device->open(options, &err))))
        w->device = NULL;
    w->apart = device_apart(w->device, options);
    w->cold = w->device && w->device->warm;
    w->host = host_of(w, false);
    if (w->device && w->device->attach)
        w->device->attach(w->dev, &w->host);
    if (w->device && w->device->native && jail_asked() && !(jail_calls() && w->files) && jail_must())
        return answer_fail(w, 0, 0, dev_error_all(E_serve_sandbox, w->files ? "seccomp" : "Landlock"));
    return w->device ? answer_ok(w) : answer_fail(w, 0, 0, err);
}

static bool worker_dispatch(Worker *w)
{
    if (w->in.h.kind != Mopen && !w->board)
        return false;
    switch (w->in.h.kind) {
    case Mopen: return do_worker_open(w);
    case Mmap: do_map(w); return true;
    case Mdrop: do_drop(w); return true;
    case Mput: return do_put(w);
    case Mget: return do_get(w);
    case Mevict: do_evict(w); return true;
    case Mload: return do_worker_load(w);
    case Munload: do_unload(w); return true;
    case Mlaunch: return do_launch(w);
    case Mset: do_set(w); return true;
    case Mbench: return do_bench(w);
    case Mcomplete: return do_complete(w);
    case Mtext: return do_text(w);
    case Mdescribe: return do_describe(w);
    default: return false;
    }
}

/* What the first kernel needs, while nobody asks for anything. */
static void worker_warm(Worker *w)
{
    struct pollfd p = {w->fd, POLLIN, 0};
    if (!w->cold || poll(&p, 1, 0) != 0)
        return;
    w->cold = false;
    w->device->warm(w->dev);
}

static void *worker_serve(void *ud)
{
    Worker *w = ud;
    Spin spin = spin_new();
    while (msg_recv(w->fd, &w->in) == RECVok && worker_dispatch(w)) {
        msg_spin(w->fd, &spin); /* launches often follow each other */
        worker_warm(w);
    }
    if (w->device && w->device->leave)
        w->device->leave(w->dev);
    return NULL;
}

/* The terminal's signals are the session's business; a crash must end the
 * process at once, without a core file. */
static void worker_setup(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    sigset_t none;
    for (size_t i = 0; i < COUNT(fatal); i++)
        signal(fatal[i], SIG_DFL);
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    struct rlimit core = {1, 1}; /* 1: not even to a program that takes cores */
    setrlimit(RLIMIT_CORE, &core);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* Before there is a second thread: the walls hold for those that begin behind them.
 * Drivers of cards need files that nobody can list. */
static bool wall_files(void)
{
    Ctx c;
    Cache k;
    ctx_init(&c, NULL, 0);
    bool up = jail_files(cache_open_quietly(&k, &c) ? k.dir.s : NULL);
    cache_close(&k);
    ctx_free(&c);
    return up;
}

bool worker_flag(int argc, char **argv)
{
    return argc == 3 && (strcmp(argv[1], WORKER_FLAG) == 0 || strcmp(argv[1], WORKER_NATIVE) == 0);
}

int worker_main(const char *flag, int fd, const Target *const *table)
{
    worker_setup();
    bool files = strcmp(flag, WORKER_NATIVE) == 0 && jail_asked() && wall_files();
    Worker *w = calloc(1, sizeof *w);
    pthread_attr_t attr;
    pthread_t thread;
    if (!w || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || pthread_attr_init(&attr) != 0)
        return 1;
    w->fd = fd;
    w->files = files;
    w->targets = table;
    pthread_mutex_init(&w->printing, NULL);
    /* Kernels run on this thread too: it gets the deep stack of a pool thread. */
    pthread_attr_setstacksize(&attr, DeepBytes);
    pthread_attr_setguardsize(&attr, DeepGuard);
    if (pthread_create(&thread, &attr, worker_serve, w) != 0)
        worker_serve(w);
    else
        pthread_join(thread, NULL);
    _exit(0); /* nothing to save, and threads of the pool may still be waiting */
}
