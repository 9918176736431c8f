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

/* All modules once, in the other order every other time. */
static bool queue_all(Cuda *d, const DevBench *b, int round, char **err)
{
    int s = b->nsets > 1 ? round % b->nsets : 0;
    bool ok = true, gated = calls(b) <= GateRoom;
    if (gated)
        gate_shut(d);
    for (int j = 0; j < b->n && ok; j++)
        ok = queue_one(d, b, round & 1 ? b->n - 1 - j : j, s, err);
    if (gated)
        gate_open(d);
    return ok;
}

static bool wait_all(Cuda *d, const DevBench *b, const DevHost *host, char **err)
{
    uint32_t line;
    bool ok = cuda_ok(d, d->cu.StreamSynchronize(d->stream), NULL, "cuStreamSynchronize", err);
    for (int i = 0; i < b->n; i++) {
        CudaModule *m = b->mod[i];
        if (!m->vendor && m->g.prints) { /* what an assert says is more than the fault */
            char *fault = *err;
            *err = NULL;
            ok = cuda_finish(d, m, host, &line, err) && !fault;
            if (*err)
                free(fault);
            else
                *err = fault;
            return ok;
        }
    }
    return ok;
}

static bool prints(const DevBench *b)
{
    for (int i = 0; i < b->n; i++) {
        const CudaModule *m = b->mod[i];
        if (m->g.prints)
            return true;
    }
    return false;
}

/* round < 0: one of the warm-up. */
static bool run_round(Cuda *d, const DevBench *b, int round, const DevHost *host, char **err)
{
    float t = 0;
    if (prints(b))
        gpu_out_clear(d->out);
    int number = round < 0 ? -round - 1 : round;
    bool ok = queue_all(d, b, number, err);
    double mhz = round >= 0 ? nvml_mhz(&d->ml) : 0; /* while it is busy */
    if (!ok) { /* nothing may be left running behind the error */
        d->cu.StreamSynchronize(d->stream);
        return false;
    }
    if (!wait_all(d, b, host, err))
        return false;
    if (host->alive)
        host->alive(host->ud);
    if (round < 0)
        return true;
    if (b->mhz)
        b->mhz[round] = mhz;
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
    if (prints(b))
        gpu_out_clear(d->out);
    for (int s = 0; s < sets && s < rounds && ok; s++)
        for (int i = 0; i < b->n && ok; i++) {
            ok = cuda_enqueue(d, b->mod[i], b->set[s * b->n + i], b->narg[i], err) &&
                 wait_all(d, b, host, err);
            if (host->alive)
                host->alive(host->ud);
        }
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
