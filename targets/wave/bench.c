/* targets/wave/bench.c: timing of kernels against each other by events. */
#include <stdlib.h>

#include "device.h"

static const size_t WashLeast = (size_t)32 << 20, Some = (size_t)1 << 20; /* bytes */

/* Evicting the caches ---------------------------------------------------------- */

/* Queues a write of twice the last cache, or of as much as there is. */
static WaveResult wash(Wave *d)
{
    size_t cache = (size_t)d->opt.arch->cache << 20, l2 = d->is.l2 > 0 ? (size_t)d->is.l2 : 0;
    size_t want = 2 * (cache > l2 ? cache : l2);
    if (!d->wash) {
        want = want > WashLeast ? want : WashLeast;
        WaveResult r = wave_alloc(d, &d->wash, want);
        while (wave_is_full(d, r) && want > Some)
            r = wave_alloc(d, &d->wash, want /= 2);
        if (r != WaveOk)
            return r;
        d->washed = want;
    }
    return wave_zero(d, d->wash, d->washed);
}

void wave_flush(void *dev)
{
    Wave *d = dev;
    char *err = NULL;
    if (d->cu.handle && wave_here(d, &err))
        wash(d);
    free(err);
}

/* Rounds ------------------------------------------------------------------------ */

static bool need_events(Wave *d, int n, char **err)
{
    if (n <= d->nevent)
        return true;
    void **e = realloc(d->event, (size_t)n * sizeof *e);
    if (!e)
        return false;
    d->event = e;
    while (d->nevent < n) {
        if (!wave_ok(d, d->cu.EventCreate(&d->event[d->nevent]), "EventCreate", err))
            return false;
        d->nevent++;
    }
    return true;
}

static WaveModule *printing(const DevBench *b)
{
    for (int i = 0; i < b->n; i++) {
        WaveModule *m = b->mod[i];
        if (m->g.prints)
            return m;
    }
    return NULL;
}

/* Queues module i with argument set s, events around it. */
static bool queue_one(Wave *d, const DevBench *b, int i, int s, char **err)
{
    int k = s * b->n + i, batch = b->batch > 1 ? b->batch : 1;
    if (b->flush && !wave_ok(d, wash(d), "MemsetAsync", err))
        return false;
    if (!wave_ok(d, d->cu.EventRecord(d->event[2 * i], NULL), "EventRecord", err))
        return false;
    for (int j = 0; j < batch; j++)
        if (!wave_enqueue(d, b->mod[i], b->set[k], b->narg[i], err))
            return false;
    return wave_ok(d, d->cu.EventRecord(d->event[2 * i + 1], NULL), "EventRecord", err);
}

/* All modules once, in the other order every other time; what they print is dropped but
 * for assertions.  round < 0: one of the warm-up. */
static bool run_round(Wave *d, const DevBench *b, int round, const DevHost *host, char **err)
{
    int number = round < 0 ? -round - 1 : round, s = b->nsets > 1 ? number % b->nsets : 0;
    WaveModule *talks = printing(b);
    uint32_t line;
    float t = 0;
    bool ok = !talks || wave_out_start(d, err);
    for (int j = 0; j < b->n && ok; j++)
        ok = queue_one(d, b, number & 1 ? b->n - 1 - j : j, s, err);
    if (!ok) { /* nothing may be left running behind the error */
        d->cu.DeviceSynchronize();
        return false;
    }
    if (!wave_finish(d, talks ? talks : b->mod[0], host, &line, err))
        return false;
    if (host->alive)
        host->alive(host->ud);
    for (int i = 0; i < b->n && round >= 0; i++) {
        WaveResult r = d->cu.EventElapsedTime(&t, d->event[2 * i], d->event[2 * i + 1]);
        if (!wave_ok(d, r, "EventElapsedTime", err))
            return false;
        b->ms[i * b->rounds + round] = (double)t / (b->batch > 1 ? b->batch : 1);
    }
    return true;
}

bool wave_bench(void *dev, const DevBench *b, const DevHost *host, char **err)
{
    Wave *d = dev;
    if (!d->cu.handle) {
        *err = dev_error("@gpu_not_run");
        return false;
    }
    if (!wave_here(d, err) || !need_events(d, 2 * b->n, err))
        return false;
    wave_say(d, host);
    for (int r = 0; b->mhz && r < b->rounds; r++)
        b->mhz[r] = 0; /* nobody says it */
    for (int r = -b->warmup; r < b->rounds; r++)
        if (!run_round(d, b, r, host, err))
            return false;
    return true;
}

void wave_bench_close(Wave *d)
{
    for (int i = 0; i < d->nevent; i++)
        d->cu.EventDestroy(d->event[i]);
    free(d->event);
    if (d->wash)
        d->cu.Free(d->wash);
}
