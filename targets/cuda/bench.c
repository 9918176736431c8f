/* targets/cuda/bench.c: timing of kernels against each other, the cost of nothing
 * but the GPU; and what the card's memory can do at best. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

enum {
    GateRoom = 400,       /* calls that surely fit the stream's queue */
    WashLeast = 32 << 20  /* bytes */
};

/* Evicting the L2 ---------------------------------------------------------- */

/* Queues a write of twice the L2. */
static CUresult wash(Cuda *d)
{
    size_t want = (size_t)d->is.l2 * 2 > WashLeast ? (size_t)d->is.l2 * 2 : WashLeast;
    if (!d->wash) {
        CUresult r = cuda_alloc(d, &d->wash, want);
        if (r != CUok)
            return r;
        d->washed = want;
    }
    return d->cu.MemsetD8Async(d->wash, 0, d->washed, d->stream);
}

void cuda_flush(void *dev)
{
    Cuda *d = dev;
    if (d->cu.handle)
        wash(d);
}

/* The gate ----------------------------------------------------------------- */

/* The stream waits until a word of the host's memory has grown: what is queued
 * behind runs without a pause, and no time of the host's is measured.  Not on
 * every driver. */
static void gate_shut(Cuda *d)
{
    void *p = NULL;
    if (!d->cu.StreamWaitValue32)
        return;
    if (!d->gate) {
        if (d->cu.MemHostAlloc(&p, 64, CUHportable | CUHmapped) != CUok)
            return;
        if (d->cu.MemHostGetDevicePointer(&d->gate_at, p, 0) != CUok) {
            d->cu.MemFreeHost(p);
            return;
        }
        d->gate = p;
        *d->gate = 0;
    }
    if (d->cu.StreamWaitValue32(d->stream, d->gate_at, *d->gate + 1, CUWgeq) != CUok)
        d->cu.StreamWaitValue32 = NULL;
}

static void gate_open(Cuda *d)
{
    if (d->gate)
        __atomic_store_n(d->gate, *d->gate + 1, __ATOMIC_RELEASE);
}

/* Rounds ------------------------------------------------------------------- */

static bool need_events(Cuda *d, int n, char **err)
{
    if (n <= d->nevent)
        return true;
    CUevent *e = realloc(d->event, (size_t)n * sizeof *e);
    if (!e)
        return false;
    d->event = e;
    while (d->nevent < n) {
        CUresult r = d->cu.EventCreate(&d->event[d->nevent], 0);
        if (r != CUok)
            return cuda_ok(d, r, NULL, "cuEventCreate", err);
        d->nevent++;
    }
    return true;
}

/* Calls that a round puts into the stream. */
static long calls(const DevBench *b)
{
    long n = 0;
    for (int i = 0; i < b->n; i++) {
        const CudaModule *m = b->mod[i];
        long each = m->vendor ? 4 : m->g.plan->nlaunch + 1;
        n += each * (b->batch > 1 ? b->batch : 1) + 3;
    }
    return n;
}

/* Queues module i with argument set s, events around it. */
static bool queue_one(Cuda *d, const DevBench *b, int i, int s, char **err)
{
    CudaModule *m = b->mod[i];
    int k = s * b->n + i, batch = b->batch > 1 ? b->batch : 1;
    if (b->flush && !cuda_ok(d, wash(d), m, "cuMemsetD8Async", err))
        return false;
    if (!cuda_ok(d, d->cu.EventRecord(d->event[2 * i], d->stream), m, "cuEventRecord", err))
        return false;
    for (int j = 0; j < batch; j++)
        if (!cuda_enqueue(d, m, b->set[k], b->narg[i], err))
            return false;
    return cuda_ok(d, d->cu.EventRecord(d->event[2 * i + 1], d->stream), m, "cuEventRecord", err);
}

static bool talks(const DevBench *b, int i)
{
    const CudaModule *m = b->mod[i];
    return !m->vendor && m->g.prints;
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

/* Waits for what is queued; what module i has written is read.  alone: nothing else runs. */
static bool wait_for(Cuda *d, const DevBench *b, int i, bool alone, const DevHost *host, char **err)
{
    uint32_t line = 0;
    bool ok = talks(b, i) ? cuda_finish(d, b->mod[i], host, &line, err)
                          : cuda_ok(d, d->cu.StreamSynchronize(d->stream), NULL,
                                    "cuStreamSynchronize", err);
    if (!ok)
        bench_failed(b, alone || line ? i : -1, line);
    return ok;
}

/* All modules once, in the other order every other time, one behind the other; or where
 * several of them write records, each waited for. */
static bool run_all(Cuda *d, const DevBench *b, int round, const DevHost *host, char **err)
{
    int number = round < 0 ? -round - 1 : round, s = b->nsets > 1 ? number % b->nsets : 0;
    int last = 0, talkers = talking(b, &last);
    bool ok = true, gated = calls(b) <= GateRoom && talkers < 2;
    if (talkers)
        gpu_out_clear(d->out);
    if (gated)
        gate_shut(d);
    for (int j = 0; j < b->n && ok; j++) {
        int i = number & 1 ? b->n - 1 - j : j;
        ok = queue_one(d, b, i, s, err);
        if (!ok)
            bench_failed(b, i, 0);
        if (ok && talkers > 1 && talks(b, i)) {
            if (!wait_for(d, b, i, true, host, err))
                return false;
            gpu_out_clear(d->out);
        }
    }
    if (gated)
        gate_open(d);
    double mhz = round >= 0 ? nvml_mhz(&d->ml) : 0; /* while it is busy */
    if (round >= 0 && b->mhz)
        b->mhz[round] = mhz;
    if (ok)
        return wait_for(d, b, last, b->n == 1, host, err);
    d->cu.StreamSynchronize(d->stream); /* nothing may be left running behind the error */
    return false;
}

/* round < 0: one of the warm-up. */
static bool run_round(Cuda *d, const DevBench *b, int round, const DevHost *host, char **err)
{
    float t = 0;
    if (!run_all(d, b, round, host, err))
        return false;
    if (host->alive)
        host->alive(host->ud);
    if (round < 0)
        return true;
    for (int i = 0; i < b->n; i++) {
        CUresult r = d->cu.EventElapsedTime(&t, d->event[2 * i], d->event[2 * i + 1]);
        if (!cuda_ok(d, r, NULL, "cuEventElapsedTime", err))
            return false;
        b->ms[i * b->rounds + round] = (double)t / (b->batch > 1 ? b->batch : 1);
    }
    return true;
}

/* Every module once with each of its argument sets, and one flush, before the gate is
 * used: what is done at a first run (loading, choosing, allocating) waits for the device,
 * which behind a shut gate would be for ever. */
static bool prime(Cuda *d, const DevBench *b, const DevHost *host, char **err)
{
    int rounds = b->warmup + b->rounds, sets = b->nsets > 1 ? b->nsets : 1;
    bool ok = !b->flush || cuda_ok(d, wash(d), NULL, "cuMemsetD8Async", err);
    for (int s = 0; s < sets && s < rounds && ok; s++)
        for (int i = 0; i < b->n && ok; i++) {
            if (talks(b, i))
                gpu_out_clear(d->out);
            bench_failed(b, i, 0);
            ok = cuda_enqueue(d, b->mod[i], b->set[s * b->n + i], b->narg[i], err) &&
                 wait_for(d, b, i, true, host, err);
            if (host->alive)
                host->alive(host->ud);
        }
    if (ok)
        bench_failed(b, -1, 0);
    return ok;
}

bool cuda_bench(void *dev, const DevBench *b, const DevHost *host, char **err)
{
    Cuda *d = dev;
    if (!d->cu.handle) {
        *err = dev_error("@gpu_not_run");
        return false;
    }
    if (!need_events(d, 2 * b->n, err) || !prime(d, b, host, err))
        return false;
    for (int r = -b->warmup; r < b->rounds; r++)
        if (!run_round(d, b, r, host, err))
            return false;
    return true;
}

void cuda_bench_close(Cuda *d)
{
    for (int i = 0; i < d->nevent; i++)
        d->cu.EventDestroy(d->event[i]);
    free(d->event);
    if (d->wash)
        d->cu.MemFree(d->wash);
    if (d->gate)
        d->cu.MemFreeHost(d->gate);
}
