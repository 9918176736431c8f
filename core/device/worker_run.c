/* core/device/worker_run.c: launches and benches in the worker.  The first run of a
 * kernel may print; a bench says the same thing a hundred times otherwise. */
#include <stdlib.h>
#include <string.h>

#include "worker_p.h"
#include "err/launch.h"
#include "err/room.h"

/* A kernel's output and messages ------------------------------------------- */

static void worker_run_print(void *ud, int64_t block, const char *s, size_t n)
{
    Worker *w = ud;
    if (atomic_load(&w->board->cut))
        return;
    pthread_mutex_lock(&w->printing);
    board_add(w->board, block, s, n);
    pthread_mutex_unlock(&w->printing);
}

static void send_output(void *ud, const DevMessage *m)
{
    Worker *w = ud;
    pthread_mutex_lock(&w->printing);
    board_report(w->board, m);
    pthread_mutex_unlock(&w->printing);
}

static void noprint(void *ud, int64_t block, const char *s, size_t n)
{
    (void)ud, (void)block, (void)s, (void)n;
}

static void worker_run_alive(void *ud)
{
    Worker *w = ud;
    atomic_fetch_add(&w->board->runs, 1);
}

static void status(void *ud, const DevMessage *m)
{
    Worker *w = ud;
    board_status(w->board, m);
}

static bool worker_run_stopped(void *ud)
{
    const Worker *w = ud;
    return atomic_load(&w->board->stop) != 0;
}

DevHost host_of(Worker *w, bool prints)
{
    return (DevHost){w,           prints ? worker_run_print : noprint,
                     send_output, worker_run_alive,
                     status,      worker_run_stopped};
}

/* Refusals ------------------------------------------------------------------- */

static DevError not_loaded(void) { return dev_error(E_device_load, "it is not loaded"); }

static DevError not_read(const char *what)
{
    return dev_error_all(E_bug, dev_text("%s does not read", what));
}

/* Arguments ------------------------------------------------------------------ */

/* Reads narg arguments of a message. */
static DevError worker_run_get_args(Worker *w, DevArg *arg, uint64_t narg)
{
    DevError err = DEV_NO_ERROR;
    for (uint64_t i = 0; i < narg && !err.is; i++) {
        switch (get_u64(&w->in)) {
        case ARmem: {
            uint64_t id = get_u64(&w->in), at = get_u64(&w->in);
            arg[i].p = worker_address(w, id, at, (int)i, &err);
            break;
        }
        case ARint: arg[i].i = (int64_t)get_u64(&w->in); break;
        case ARfloat: arg[i].f = get_double(&w->in); break;
        default: w->in.bad = true;
        }
    }
    return !err.is && w->in.bad ? not_read("a launch message") : err;
}

/* A run whose data did not arrive is refused: its session has been told why. */
static DevError not_sent(Worker *w)
{
    if (!w->unsent)
        return DEV_NO_ERROR;
    w->unsent = false;
    return dev_error(E_worker_memory, "not sent");
}

/* Running -------------------------------------------------------------------- */

/* What stopped a run. */
typedef struct Stop Stop;
struct Stop { DevError err; uint32_t line; uint64_t module; };

static bool run_kernel(Worker *w, const Loaded *l, const DevArg *arg, int narg, const DevHost *host,
                       double *ms, Stop *stop)
{
    worker_run_alive(w);
    atomic_store(&w->board->phase, PHrun);
    bool ok = w->device->launch(w->dev, l->mod, arg, narg, host, ms, &stop->line, &stop->err);
    atomic_store(&w->board->phase, PHidle);
    if (!ok)
        stop->module = l->id;
    return ok;
}

/* Whole rounds of b, by the device itself.  l: b's modules. */
static bool run_bench(Worker *w, DevBench *b, const Loaded *l, const DevHost *host, Stop *stop)
{
    DevFailed failed = {-1, 0};
    b->failed = &failed;
    worker_run_alive(w);
    atomic_store(&w->board->phase, PHrun);
    bool ok = w->device->bench(w->dev, b, host, &stop->err);
    atomic_store(&w->board->phase, PHidle);
    stop->line = failed.line;
    if (failed.module >= 0)
        stop->module = l[failed.module].id;
    return ok;
}

/* The next run of module i of b, `batch` times; *ms is that of one of them. */
static bool run_batch(Worker *w, const DevBench *b, const Loaded *l, int i, int set,
                      const DevHost *host, double *ms, Stop *stop)
{
    double sum = 0, one = 0;
    for (int k = 0; k < b->batch; k++) {
        if (!run_kernel(w, l, b->set[set * b->n + i], b->narg[i], host, &one, stop))
            return false;
        sum += one;
    }
    *ms = sum / b->batch;
    return true;
}

/* The same as Device.bench for devices without one.  l: b's modules. */
static bool run_rounds(Worker *w, const DevBench *b, const Loaded *l, const DevHost *host,
                       Stop *stop)
{
    for (int r = -b->warmup; r < b->rounds; r++) {
        int set = r < 0 ? 0 : r % b->nsets;
        for (int k = 0; k < b->n; k++) {
            int i = bench_turn(b, r, k);
            double ms = 0;
            if (bench_flushes(b, i) && r >= 0)
                w->device->flush(w->dev);
            if (!run_batch(w, b, &l[i], i, set, host, &ms, stop))
                return false;
            if (r >= 0)
                b->ms[i * b->rounds + r] = ms;
        }
        if (r >= 0)
            b->mhz[r] = 0;
    }
    return true;
}

static bool answer_times(Worker *w, uint64_t n)
{
    msg_start(&w->out, Mok, w->in.h.seq);
    put_u64(&w->out, n);
    for (uint64_t i = 0; i < n; i++)
        put_double(&w->out, w->ms[i]);
    return answer(w);
}

/* Repeated runs of one kernel: the device's own way of timing where it has one,
 * behind one ordinary run that may print. */
static bool run_repeatedly(Worker *w, const Loaded *l, int narg, int warmup, int times, bool flush,
                           Stop *stop)
{
    DevHost host = host_of(w, true);
    double ms;
    if (w->device->bench && warmup + times > 1) {
        void *mod = l->mod;
        const DevArg *arg = w->arg;
        double *mhz = calloc((size_t)times + 1, sizeof *mhz);
        DevBench b = {.mod = &mod, .n = 1, .set = &arg, .narg = &narg, .nsets = 1,
                      .warmup = warmup ? warmup - 1 : 0, .rounds = times, .batch = 1,
                      .flush = flush, .ms = w->ms, .mhz = mhz};
        bool ok = mhz && (!warmup || run_kernel(w, l, w->arg, narg, &host, &ms, stop));
        if (warmup)
            host.print = noprint;
        ok = ok && run_bench(w, &b, l, &host, stop);
        free(mhz);
        return ok;
    }
    for (int i = 0; i < warmup + times; i++) {
        if (flush && i >= warmup)
            w->device->flush(w->dev);
        if (!run_kernel(w, l, w->arg, narg, &host, i < warmup ? &ms : &w->ms[i - warmup], stop))
            return false;
        host.print = noprint;
    }
    return true;
}

bool do_launch(Worker *w)
{
    const Loaded *l = worker_loaded(w, get_u64(&w->in));
    uint64_t warmup = get_u64(&w->in), times = get_u64(&w->in), flush = get_u64(&w->in);
    uint64_t narg = get_u64(&w->in);
    Stop stop = {not_sent(w), 0, 0};
    if (stop.err.is)
        return answer_fail(w, 0, 0, stop.err);
    if (!l)
        return answer_fail(w, 0, 0, not_loaded());
    if (w->in.bad || narg > LaunchArgs || times > LaunchTimes || warmup > INT32_MAX / 2)
        return answer_fail(w, 0, 0, not_read("a launch message"));
    stop.err = worker_run_get_args(w, w->arg, narg);
    if (stop.err.is ||
        !run_repeatedly(w, l, (int)narg, (int)warmup, (int)times, flush != 0, &stop))
        return answer_fail(w, stop.line, l->id, stop.err);
    return answer_times(w, times);
}

/* Benches -------------------------------------------------------------------- */

/* What cannot be kept shows when the bench looks for it. */
void do_set(Worker *w)
{
    uint64_t i = get_u64(&w->in), narg = get_u64(&w->in);
    if (w->in.bad || i >= BenchSets || narg > LaunchArgs)
        return;
    while (w->nset <= i) {
        if (!proto_room(&w->set, w->nset, &w->capset, sizeof *w->set))
            return;
        w->set[w->nset++] = (ArgSet){NULL, 0};
    }
    ArgSet *set = &w->set[i];
    free(set->arg);
    *set = (ArgSet){calloc(narg + 1, sizeof *set->arg), (int)narg};
    DevError err = DEV_NO_ERROR;
    if (!w->unsent && set->arg)
        err = worker_run_get_args(w, set->arg, narg);
    if (!err.is)
        return;
    dev_error_free(err);
    free(set->arg);
    set->arg = NULL;
}

/* The arrays of a DevBench, and the modules by number. */
typedef struct Tables Tables;
struct Tables {
    void *mod[BenchModules];
    Loaded loaded[BenchModules];
    int narg[BenchModules];
    const DevArg *set[BenchSets];
};

/* Reads a Mbench into *b. */
static DevError get_bench(Worker *w, Tables *t, DevBench *b)
{
    uint64_t n = get_u64(&w->in);
    if (n < 1 || n > BenchModules)
        return not_read("a bench message");
    for (uint64_t i = 0; i < n; i++) {
        const Loaded *l = worker_loaded(w, get_u64(&w->in));
        if (!l)
            return not_loaded();
        t->loaded[i] = *l;
        t->mod[i] = l->mod;
    }
    uint64_t nsets = get_u64(&w->in), first = get_u64(&w->in), warmup = get_u64(&w->in);
    uint64_t rounds = get_u64(&w->in), batch = get_u64(&w->in), flush = get_u64(&w->in);
    uint64_t chain = get_u64(&w->in);
    if (w->in.bad || !nsets || nsets > BenchSets / n || first >= nsets || !batch ||
        batch > INT32_MAX || warmup > INT32_MAX || rounds > BenchTimes / (n + 1))
        return not_read("a bench message");
    for (uint64_t i = 0; i < nsets * n; i++) {
        const ArgSet *from = (first * n + i) % (nsets * n) < w->nset
                                 ? &w->set[(first * n + i) % (nsets * n)] : NULL;
        if (!from || !from->arg)
            return dev_error(E_worker_memory, dev_text("set %d", (int)(i / n) + 1));
        t->set[i] = from->arg;
        t->narg[i % n] = from->narg;
    }
    *b = (DevBench){.mod = t->mod, .n = (int)n, .set = t->set, .narg = t->narg,
                    .nsets = (int)nsets, .warmup = (int)warmup, .rounds = (int)rounds,
                    .batch = (int)batch, .flush = flush != 0, .chain = chain != 0, .ms = w->ms,
                    .mhz = w->ms + n * rounds};
    return DEV_NO_ERROR;
}

bool do_bench(Worker *w)
{
    DevBench b = {0};
    Tables *t = calloc(1, sizeof *t);
    Stop stop = {not_sent(w), 0, 0};
    bool ok = false;
    if (t && !stop.err.is)
        stop.err = get_bench(w, t, &b);
    if (t && !stop.err.is) {
        DevHost host = host_of(w, false);
        ok = w->device->bench ? run_bench(w, &b, t->loaded, &host, &stop)
                              : run_rounds(w, &b, t->loaded, &host, &stop);
    }
    free(t);
    if (!ok)
        return answer_fail(w, stop.line, stop.module, stop.err);
    return answer_times(w, (uint64_t)(b.n + 1) * (uint64_t)b.rounds);
}
