/* core/worker.c: the process that owns a device and runs its kernels.
 *
 * It serves one session: a message in, an answer out, until the socket closes.
 * A kernel may do anything to this process; whatever must outlive it is in the
 * tensors' memfds and on the board, which the session owns. */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto.h"
#include "storage.h"

enum { StackBytes = 64 << 20, GuardBytes = 1 << 20 };

typedef struct Mapping Mapping;
struct Mapping { uint64_t id; char *data; size_t bytes; }; /* data NULL: failed */

typedef struct Loaded Loaded;
struct Loaded { uint64_t id; void *mod; };

typedef struct Worker Worker;
struct Worker {
    int fd;
    const Target *const *targets;
    const Device *device;
    void *dev;
    Board *board;
    Mapping *map; /* in the order of ids */
    size_t nmap, capmap;
    Loaded *mod;
    size_t nmod, capmod;
    pthread_mutex_t printing;
    Msg in, out;
    DevArg arg[LaunchArgs];
    double ms[LaunchTimes];
};

char *dev_error(const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *s = n < 0 ? NULL : malloc((size_t)n + 1);
    if (s)
        vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    return s;
}

/* Room for one more element of `size` in the array *p; false: no memory. */
static bool room(void *p, size_t n, size_t *cap, size_t size)
{
    void *old, *new;
    if (n < *cap)
        return true;
    size_t want = *cap ? *cap * 2 : 16;
    memcpy(&old, p, sizeof old);
    new = realloc(old, want * size);
    if (!new)
        return false;
    memcpy(p, &new, sizeof new);
    *cap = want;
    return true;
}

/* Answers --------------------------------------------------------------- */

static bool answer(Worker *w) { return msg_send(w->fd, &w->out); }

static bool answer_ok(Worker *w)
{
    msg_start(&w->out, Mok, w->in.h.seq);
    return answer(w);
}

/* Takes err over. */
static bool answer_fail(Worker *w, uint32_t line, char *err)
{
    const char *s = err ? err : "@device_memory" DEV_SEP "?";
    size_t n = strlen(s);
    msg_start(&w->out, Mfail, w->in.h.seq);
    put_u64(&w->out, line);
    put_text(&w->out, s, n < 4096 ? n : 4096);
    free(err);
    return answer(w);
}

/* Memory ---------------------------------------------------------------- */

/* Index of the first mapping whose id is not less. */
static size_t find(const Worker *w, uint64_t id)
{
    size_t lo = 0, hi = w->nmap;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (w->map[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void do_map(Worker *w)
{
    uint64_t id = get_u64(&w->in);
    size_t i = find(w, id);
    struct stat st;
    Mapping m = {id, NULL, 0};
    if (w->in.fd >= 0 && fstat(w->in.fd, &st) == 0 && st.st_size > 0) {
        m.bytes = (size_t)st.st_size;
        m.data = storage_map(w->in.fd, m.bytes);
    }
    if (w->in.fd >= 0)
        close(w->in.fd);
    if (!room(&w->map, w->nmap, &w->capmap, sizeof *w->map)) {
        if (m.data)
            munmap(m.data, m.bytes);
        return; /* a launch that needs it will say so */
    }
    memmove(w->map + i + 1, w->map + i, (w->nmap - i) * sizeof *w->map);
    w->map[i] = m;
    w->nmap++;
}

static void do_drop(Worker *w)
{
    for (uint64_t n = get_u64(&w->in); n && !w->in.bad; n--) {
        uint64_t id = get_u64(&w->in);
        size_t i = find(w, id);
        if (i == w->nmap || w->map[i].id != id)
            continue;
        if (w->map[i].data)
            munmap(w->map[i].data, w->map[i].bytes);
        w->nmap--;
        memmove(w->map + i, w->map + i + 1, (w->nmap - i) * sizeof *w->map);
    }
}

/* Modules --------------------------------------------------------------- */

static Loaded *loaded(Worker *w, uint64_t id)
{
    for (size_t i = 0; i < w->nmod; i++)
        if (w->mod[i].id == id)
            return &w->mod[i];
    return NULL;
}

static bool do_load(Worker *w)
{
    uint64_t id = get_u64(&w->in);
    const char *path = get_text(&w->in, NULL), *name = get_text(&w->in, NULL);
    char *err = NULL;
    if (!w->device || loaded(w, id) || !room(&w->mod, w->nmod, &w->capmod, sizeof *w->mod))
        return answer_fail(w, 0, dev_error("@device_load" DEV_SEP "no device"));
    atomic_store(&w->board->phase, PHload);
    void *mod = w->device->load(w->dev, path, name, &err);
    atomic_store(&w->board->phase, PHidle);
    if (!mod)
        return answer_fail(w, 0, err);
    w->mod[w->nmod++] = (Loaded){id, mod};
    return answer_ok(w);
}

static void do_unload(Worker *w)
{
    Loaded *l = loaded(w, get_u64(&w->in));
    if (!l)
        return;
    w->device->unload(w->dev, l->mod);
    *l = w->mod[--w->nmod];
}

/* Running --------------------------------------------------------------- */

static void print(void *ud, int64_t block, const char *s, size_t n)
{
    Worker *w = ud;
    if (atomic_load(&w->board->cut))
        return;
    pthread_mutex_lock(&w->printing);
    board_add(w->board, block, s, n);
    pthread_mutex_unlock(&w->printing);
}

static void tell(void *ud, const char *s, size_t n)
{
    Worker *w = ud;
    pthread_mutex_lock(&w->printing);
    board_report(w->board, s, n);
    pthread_mutex_unlock(&w->printing);
}

static void noprint(void *ud, int64_t block, const char *s, size_t n)
{
    (void)ud, (void)block, (void)s, (void)n;
}

/* Reads the arguments of a launch into w->arg; a malloc'd error or NULL. */
static char *get_args(Worker *w, int narg)
{
    for (int i = 0; i < narg; i++) {
        switch (get_u64(&w->in)) {
        case Amem: {
            uint64_t id = get_u64(&w->in), at = get_u64(&w->in);
            size_t k = find(w, id);
            if (k == w->nmap || w->map[k].id != id || !w->map[k].data)
                return dev_error("@worker_memory" DEV_SEP "argument %d", i + 1);
            if (at > w->map[k].bytes)
                return dev_error("@argument_bounds" DEV_SEP "%d", i + 1);
            w->arg[i].p = w->map[k].data + at;
            break;
        }
        case Aint: w->arg[i].i = (int64_t)get_u64(&w->in); break;
        case Afloat: w->arg[i].f = get_double(&w->in); break;
        default: w->in.bad = true;
        }
    }
    return w->in.bad ? dev_error("@bug" DEV_SEP "a launch message does not read") : NULL;
}

/* Warm-up runs, then timed ones.  Only the first run prints: a benchmark says
 * the same thing a hundred times otherwise. */
static bool do_launch(Worker *w)
{
    Loaded *l = loaded(w, get_u64(&w->in));
    uint64_t warmup = get_u64(&w->in), times = get_u64(&w->in), flush = get_u64(&w->in);
    uint64_t narg = get_u64(&w->in);
    if (!l)
        return answer_fail(w, 0, dev_error("@device_load" DEV_SEP "it is not loaded"));
    if (w->in.bad || narg > LaunchArgs || times > LaunchTimes)
        return answer_fail(w, 0, dev_error("@bug" DEV_SEP "a launch message does not read"));
    char *err = get_args(w, (int)narg);
    if (err)
        return answer_fail(w, 0, err);
    DevHost host = {w, print, tell};
    for (uint64_t i = 0; i < warmup + times; i++) {
        uint32_t line = 0;
        double ms = 0;
        if (flush && i >= warmup)
            w->device->flush(w->dev);
        atomic_fetch_add(&w->board->runs, 1);
        atomic_store(&w->board->phase, PHrun);
        bool ok = w->device->launch(w->dev, l->mod, w->arg, (int)narg, &host, &ms, &line, &err);
        atomic_store(&w->board->phase, PHidle);
        if (!ok)
            return answer_fail(w, line, err);
        if (i >= warmup)
            w->ms[i - warmup] = ms;
        host.print = noprint;
    }
    msg_start(&w->out, Mok, w->in.h.seq);
    put_u64(&w->out, times);
    for (uint64_t i = 0; i < times; i++)
        put_double(&w->out, w->ms[i]);
    return answer(w);
}

static bool do_describe(Worker *w)
{
    Str s = {0};
    if (w->device)
        w->device->describe(w->dev, &s);
    msg_start(&w->out, Mok, w->in.h.seq);
    put_text(&w->out, s.s ? s.s : "", s.n < MsgBytes / 2 ? s.n : MsgBytes / 2);
    str_free(&s);
    return answer(w);
}

/* The first message: which device, and the board. */
static bool do_open(Worker *w)
{
    const char *name = get_text(&w->in, NULL), *options = get_text(&w->in, NULL);
    char *err = NULL;
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
    if (w->device && !(w->dev = w->device->open(options, &err)))
        w->device = NULL;
    return w->device ? answer_ok(w) : answer_fail(w, 0, err);
}

static bool dispatch(Worker *w)
{
    if (w->in.h.kind != Mopen && !w->board)
        return false;
    switch (w->in.h.kind) {
    case Mopen: return do_open(w);
    case Mmap: do_map(w); return true;
    case Mdrop: do_drop(w); return true;
    case Mload: return do_load(w);
    case Munload: do_unload(w); return true;
    case Mlaunch: return do_launch(w);
    case Mdescribe: return do_describe(w);
    default: return false;
    }
}

static void *serve(void *ud)
{
    Worker *w = ud;
    int spin = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? SpinUs : 0;
    while (msg_recv(w->fd, &w->in) == RECVok && dispatch(w))
        msg_spin(w->fd, spin); /* launches often follow each other */
    return NULL;
}

/* The terminal's signals are the session's business; a crash must end the
 * process at once, without a core file. */
static void settle(void)
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

int worker_main(int fd, const Target *const *table)
{
    settle();
    Worker *w = calloc(1, sizeof *w);
    pthread_attr_t attr;
    pthread_t thread;
    if (!w || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || pthread_attr_init(&attr) != 0)
        return 1;
    w->fd = fd;
    w->targets = table;
    pthread_mutex_init(&w->printing, NULL);
    /* Kernels run on this thread too: it gets the deep stack of a pool thread. */
    pthread_attr_setstacksize(&attr, StackBytes);
    pthread_attr_setguardsize(&attr, GuardBytes);
    if (pthread_create(&thread, &attr, serve, w) != 0)
        serve(w);
    else
        pthread_join(thread, NULL);
    _exit(0); /* nothing to save, and threads of the pool may still be waiting */
}
