/* targets/gpu/bench.c: timing of kernels against each other by events, the cost of nothing
 * but the GPU. */
#include <stdlib.h>

#include "device.h"
#include "err/gpu.h"

enum { GateRoom = 400 /* calls that surely fit the stream's queue */ };
static const size_t WashLeast = (size_t)32 << 20, Some = (size_t)1 << 20; /* bytes */

/* Evicting the caches ---------------------------------------------------------- */

/* Queues a write of twice the last cache, or of as much as there is. */
static GpuResult wash(Gpu *d)
{
    size_t cache = (size_t)d->opt.chip->cache << 20, l2 = d->is.l2 > 0 ? (size_t)d->is.l2 : 0;
    size_t want = 2 * (cache > l2 ? cache : l2);
    if (!d->wash) {
        want = want > WashLeast ? want : WashLeast;
        GpuResult r = gpu_alloc(d, &d->wash, want);
        while (gpu_fault_is(&d->cu, r, GFfull) && want > Some)
            r = gpu_alloc(d, &d->wash, want /= 2);
        if (r != GpuOk)
            return r;
        d->washed = want;
    }
    return gpu_zero(&d->cu, d->wash, d->washed);
}

void gpu_flush(void *dev)
{
    Gpu *d = dev;
    DevError err = DEV_NO_ERROR;
    if (d->cu.handle && gpu_here(d, &err))
        wash(d);
    dev_error_free(err);
}

/* The gate ----------------------------------------------------------------- */

/* The stream waits until a word of the host's memory has grown: what is queued
 * behind runs without a pause, and no time of the host's is measured.  Not on
 * every driver. */
static void gate_shut(Gpu *d)
{
    void *p = NULL;
    if (!d->cu.StreamWaitValue32)
        return;
    if (!d->gate) {
        if (gpu_pinned(&d->cu, &p, 64, GpuHostPortable | GpuHostMapped) != GpuOk)
            return;
        d->gate_at = 0;
        if (d->cu.HostGetDevicePointer(&d->gate_at, p, 0) != GpuOk || !d->gate_at) {
            d->cu.MemFreeHost(p);
            return;
        }
        d->gate = p;
        *d->gate = 0;
    }
    if (d->cu.StreamWaitValue32(d->cu.stream, d->gate_at, *d->gate + 1, GpuWaitGeq) != GpuOk)
        d->cu.StreamWaitValue32 = NULL;
}

static void gate_open(Gpu *d)
{
    if (d->gate)
        __atomic_store_n(d->gate, *d->gate + 1, __ATOMIC_RELEASE);
}

/* Calls that a round puts into the stream. */
static long calls(const DevBench *b)
{
    long n = 0;
    for (int i = 0; i < b->n; i++) {
        const GpuModule *m = b->mod[i];
        long each = m->routine ? 4 : m->g.plan->nlaunch + 1;
        n += each * (b->batch > 1 ? b->batch : 1) + 3;
    }
    return n;
}

/* Rounds ------------------------------------------------------------------------ */

static bool need_events(Gpu *d, int n, DevError *err)
{
    if (n <= d->nevent)
        return true;
    void **e = realloc(d->event, (size_t)n * sizeof *e);
    if (!e)
        return false;
    d->event = e;
    while (d->nevent < n) {
        if (!gpu_ok(d, gpu_event(&d->cu, &d->event[d->nevent], 0), NULL, GCEventCreate, err))
            return false;
        d->nevent++;
    }
    return true;
}

static bool talks(const DevBench *b, int i)
{
    const GpuModule *m = b->mod[i];
    return !m->routine && m->g.prints;
}

/* Records bear no name of a program: of several that write them each is waited for. */
static int talking(const DevBench *b, int *last)
{
    int n = 0;
    for (int i = 0; i < b->n; i++)
        if (talks(b, i))
            *last = i, n++;
    return n;
}

/* Queues module i with argument set s, events around it. */
static bool queue_one(Gpu *d, const DevBench *b, int i, int s, DevError *err)
{
    GpuModule *m = b->mod[i];
    const GpuDriver *u = &d->cu;
    int k = s * b->n + i, batch = b->batch > 1 ? b->batch : 1;
    if (bench_flushes(b, i) && !gpu_ok(d, wash(d), m, gpu_zero_call(u), err))
        return false;
    if (!gpu_ok(d, u->EventRecord(d->event[2 * i], u->stream), m, GCEventRecord, err))
        return false;
    for (int j = 0; j < batch; j++)
        if (!gpu_enqueue(d, m, b->set[k], b->narg[i], err))
            return false;
    return gpu_ok(d, u->EventRecord(d->event[2 * i + 1], u->stream), m, GCEventRecord, err);
}

/* Waits for what is queued; what module i has written is read.  alone: nothing else runs. */
static bool gpu_bench_finish(Gpu *d, const DevBench *b, int i, bool alone, const DevHost *host,
                             DevError *err)
{
    uint32_t line = 0;
    bool ok = gpu_finish(d, b->mod[i], host, &line, err);
    if (!ok)
        bench_failed(b, alone || line ? i : -1, line);
    return ok;
}

/* The same of one of several that write records: the next one's begin anew. */
static bool in_turn(Gpu *d, const DevBench *b, int i, const DevHost *host, DevError *err)
{
    return gpu_bench_finish(d, b, i, true, host, err) && gpu_out_start(d, err);
}

/* All modules once, in the order of the round, one behind the other; or where
 * several of them write records, each waited for. */
static bool gpu_bench_run_all(Gpu *d, const DevBench *b, int round, const DevHost *host,
                              DevError *err)
{
    int number = round < 0 ? -round - 1 : round, s = b->nsets > 1 ? number % b->nsets : 0;
    int last = 0, talkers = talking(b, &last);
    bool ok = !talkers || gpu_out_start(d, err);
    bool gated = ok && calls(b) <= GateRoom && talkers < 2;
    if (gated)
        gate_shut(d);
    for (int j = 0; j < b->n && ok; j++) {
        int i = bench_turn(b, number, j);
        ok = queue_one(d, b, i, s, err);
        if (!ok)
            bench_failed(b, i, 0);
        if (ok && talkers > 1 && talks(b, i) && !in_turn(d, b, i, host, err))
            return false;
    }
    if (gated)
        gate_open(d);
    if (round >= 0 && b->mhz) /* while it is busy */
        b->mhz[round] = d->v->mhz ? d->v->mhz(d) : 0;
    if (ok)
        return gpu_bench_finish(d, b, last, b->n == 1, host, err);
    gpu_wait(&d->cu); /* nothing may be left running behind the error */
    return false;
}

/* round < 0: one of the warm-up. */
static bool gpu_bench_run_round(Gpu *d, const DevBench *b, int round, const DevHost *host,
                                DevError *err)
{
    float t = 0;
    if (!gpu_bench_run_all(d, b, round, host, err))
        return false;
    if (host->alive)
        host->alive(host->ud);
    for (int i = 0; i < b->n && round >= 0; i++) {
        GpuResult r = gpu_elapsed(&d->cu, &t, d->event[2 * i], d->event[2 * i + 1]);
        if (!gpu_ok(d, r, NULL, GCEventElapsedTime, err))
            return false;
        b->ms[i * b->rounds + round] = (double)t / (b->batch > 1 ? b->batch : 1);
    }
    return true;
}

/* Module i once with argument set s. */
static bool prime_one(Gpu *d, const DevBench *b, int i, int s, const DevHost *host, DevError *err)
{
    bench_failed(b, i, 0);
    bool ok = (!talks(b, i) || gpu_out_start(d, err)) &&
              gpu_enqueue(d, b->mod[i], b->set[s * b->n + i], b->narg[i], err) &&
              gpu_bench_finish(d, b, i, true, host, err);
    if (host->alive)
        host->alive(host->ud);
    return ok;
}

/* Every module once with each of its argument sets, and one flush, before the gate is
 * used: what is done at a first run (loading, choosing, allocating) waits for the device,
 * which behind a shut gate would be for ever. */
static bool prime(Gpu *d, const DevBench *b, const DevHost *host, DevError *err)
{
    int rounds = b->warmup + b->rounds, sets = b->nsets > 1 ? b->nsets : 1;
    bool ok = !b->flush || gpu_ok(d, wash(d), NULL, gpu_zero_call(&d->cu), err);
    for (int s = 0; s < sets && s < rounds && ok; s++)
        for (int i = 0; i < b->n && ok; i++)
            ok = prime_one(d, b, i, s, host, err);
    if (ok)
        bench_failed(b, -1, 0);
    return ok;
}

bool gpu_bench(void *dev, const DevBench *b, const DevHost *host, DevError *err)
{
    Gpu *d = dev;
    if (!d->cu.handle) {
        *err = dev_error(E_gpu_not_run);
        return false;
    }
    if (!gpu_here(d, err) || !need_events(d, 2 * b->n, err))
        return false;
    gpu_say(d, host);
    if (d->v->api == GPUdriver && !prime(d, b, host, err))
        return false;
    for (int r = -b->warmup; r < b->rounds; r++)
        if (!gpu_bench_run_round(d, b, r, host, err))
            return false;
    return true;
}

void gpu_bench_close(Gpu *d)
{
    for (int i = 0; i < d->nevent; i++)
        d->cu.EventDestroy(d->event[i]);
    free(d->event);
    if (d->wash)
        d->cu.MemFree(d->wash);
    if (d->gate)
        d->cu.MemFreeHost(d->gate);
}
