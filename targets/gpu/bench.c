/* targets/gpu/bench.c: timing of kernels against each other by events. */
#include <stdlib.h>

#include "device.h"

static const size_t WashLeast = (size_t)32 << 20, Some = (size_t)1 << 20; /* bytes */

/* Evicting the caches ---------------------------------------------------------- */

/* Queues a write of twice the last cache, or of as much as there is. */
static GpuResult wash(Gpu *d)
{
    size_t cache = (size_t)d->opt.arch->cache << 20, l2 = d->is.l2 > 0 ? (size_t)d->is.l2 : 0;
    size_t want = 2 * (cache > l2 ? cache : l2);
    if (!d->wash) {
        want = want > WashLeast ? want : WashLeast;
        GpuResult r = gpu_alloc(d, &d->wash, want);
        while (gpu_is_full(d, r) && want > Some)
            r = gpu_alloc(d, &d->wash, want /= 2);
        if (r != GpuOk)
            return r;
        d->washed = want;
    }
    return gpu_zero(d, d->wash, d->washed);
}

void gpu_flush(void *dev)
{
    Gpu *d = dev;
    char *err = NULL;
    if (d->cu.handle && gpu_here(d, &err))
        wash(d);
    free(err);
}

/* Rounds ------------------------------------------------------------------------ */

static bool need_events(Gpu *d, int n, char **err)
{
    if (n <= d->nevent)
        return true;
    void **e = realloc(d->event, (size_t)n * sizeof *e);
    if (!e)
        return false;
    d->event = e;
    while (d->nevent < n) {
        if (!gpu_ok(d, d->cu.EventCreate(&d->event[d->nevent]), "EventCreate", err))
            return false;
        d->nevent++;
    }
    return true;
}

static bool talks(const DevBench *b, int i)
{
    const GpuModule *m = b->mod[i];
    return m->g.prints;
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
static bool queue_one(Gpu *d, const DevBench *b, int i, int s, char **err)
{
    int k = s * b->n + i, batch = b->batch > 1 ? b->batch : 1;
    if (b->flush && !gpu_ok(d, wash(d), "MemsetAsync", err))
        return false;
    if (!gpu_ok(d, d->cu.EventRecord(d->event[2 * i], NULL), "EventRecord", err))
        return false;
    for (int j = 0; j < batch; j++)
        if (!gpu_enqueue(d, b->mod[i], b->set[k], b->narg[i], err))
            return false;
    return gpu_ok(d, d->cu.EventRecord(d->event[2 * i + 1], NULL), "EventRecord", err);
}

/* Waits for what is queued; what module i has written is read.  alone: nothing else runs. */
static bool finish(Gpu *d, const DevBench *b, int i, bool alone, const DevHost *host, char **err)
{
    uint32_t line = 0;
    bool ok = gpu_finish(d, b->mod[i], host, &line, err);
    if (!ok)
        bench_failed(b, alone || line ? i : -1, line);
    return ok;
}

/* All modules once, in the other order every other time; what they print is dropped but
 * for assertions. */
static bool run_all(Gpu *d, const DevBench *b, int number, const DevHost *host, char **err)
{
    int s = b->nsets > 1 ? number % b->nsets : 0, last = 0, talkers = talking(b, &last);
    bool ok = !talkers || gpu_out_start(d, err);
    for (int j = 0; j < b->n && ok; j++) {
        int i = number & 1 ? b->n - 1 - j : j;
        bool waits = talkers > 1 && talks(b, i);
        ok = queue_one(d, b, i, s, err);
        if (!ok)
            bench_failed(b, i, 0);
        if (ok && waits && !(finish(d, b, i, true, host, err) && gpu_out_start(d, err)))
            return false;
    }
    if (ok)
        return finish(d, b, last, b->n == 1, host, err);
    d->cu.DeviceSynchronize(); /* nothing may be left running behind the error */
    return false;
}

/* round < 0: one of the warm-up. */
static bool run_round(Gpu *d, const DevBench *b, int round, const DevHost *host, char **err)
{
    float t = 0;
    if (!run_all(d, b, round < 0 ? -round - 1 : round, host, err))
        return false;
    if (host->alive)
        host->alive(host->ud);
    for (int i = 0; i < b->n && round >= 0; i++) {
        GpuResult r = d->cu.EventElapsedTime(&t, d->event[2 * i], d->event[2 * i + 1]);
        if (!gpu_ok(d, r, "EventElapsedTime", err))
            return false;
        b->ms[i * b->rounds + round] = (double)t / (b->batch > 1 ? b->batch : 1);
    }
    return true;
}

bool gpu_bench(void *dev, const DevBench *b, const DevHost *host, char **err)
{
    Gpu *d = dev;
    if (!d->cu.handle) {
        *err = dev_error("@gpu_not_run");
        return false;
    }
    if (!gpu_here(d, err) || !need_events(d, 2 * b->n, err))
        return false;
    gpu_say(d, host);
    for (int r = 0; b->mhz && r < b->rounds; r++)
        b->mhz[r] = 0; /* nobody says it */
    for (int r = -b->warmup; r < b->rounds; r++)
        if (!run_round(d, b, r, host, err))
            return false;
    return true;
}

void gpu_bench_close(Gpu *d)
{
    for (int i = 0; i < d->nevent; i++)
        d->cu.EventDestroy(d->event[i]);
    free(d->event);
    if (d->wash)
        d->cu.Free(d->wash);
}
