/* targets/wave/launch.c: launches, in both forms: a list of the addresses of parameters,
 * or one buffer that holds them; and the memory of the side buffer. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* The side buffer ------------------------------------------------------------- */

/* Memory of the host's that kernels reach, so that it can be read after a fault. */
static void *mapped(Wave *d)
{
    const WaveDriver *u = &d->cu;
    void *p = NULL, *at = NULL;
    unsigned flags = WaveHostPortable | WaveHostMapped;
    if (!u->HostGetDevicePointer || !u->FreeHost || !(u->HostMalloc || u->MallocHost))
        return NULL;
    if ((u->HostMalloc ? u->HostMalloc(&p, GpuOutBytes, flags)
                       : u->MallocHost(&p, GpuOutBytes)) != WaveOk)
        return NULL;
    if (u->HostGetDevicePointer(&at, p, 0) == WaveOk) {
        d->out_at = (uintptr_t)at;
        return p;
    }
    u->FreeHost(p);
    return NULL;
}

static bool out_open(Wave *d, char **err)
{
    void *at = NULL;
    if (d->out)
        return true;
    d->out = mapped(d);
    d->out_mapped = d->out != NULL;
    if (!d->out) {
        WaveResult r = wave_alloc(d, &at, GpuOutBytes);
        if (r != WaveOk)
            return wave_ok(d, r, "Malloc", err);
        d->out_at = (uintptr_t)at;
        d->out = malloc(GpuOutBytes);
        if (!d->out) {
            d->cu.Free(at);
            return false;
        }
    }
    gpu_out_init(d->out);
    return d->out_mapped ||
           wave_ok(d, d->cu.Memcpy(at, d->out, GpuOutBytes, WaveToDevice), "Memcpy", err);
}

void wave_out_close(Wave *d)
{
    if (!d->out)
        return;
    if (d->out_mapped) {
        d->cu.FreeHost(d->out);
    } else {
        d->cu.Free((void *)(uintptr_t)d->out_at);
        free(d->out);
    }
    d->out = NULL;
}

/* The head, and the records of the run before. */
bool wave_out_start(Wave *d, char **err)
{
    uint32_t used = d->out->used < d->out->room ? d->out->used : d->out->room;
    size_t bytes = sizeof *d->out + (size_t)used * 4;
    gpu_out_clear(d->out);
    return d->out_mapped || wave_ok(d, d->cu.Memcpy((void *)(uintptr_t)d->out_at, d->out, bytes,
                                                    WaveToDevice), "Memcpy", err);
}

/* What the kernel wrote, where it is the device's. */
static WaveResult out_fetch(Wave *d)
{
    char *from = (char *)(uintptr_t)d->out_at;
    if (d->out_mapped)
        return WaveOk;
    WaveResult r = d->cu.Memcpy(d->out, from, sizeof *d->out, WaveToHost);
    uint32_t used = r != WaveOk ? 0 : d->out->used < d->out->room ? d->out->used : d->out->room;
    if (used)
        r = d->cu.Memcpy(d->out + 1, from + sizeof *d->out, (size_t)used * 4, WaveToHost);
    return r;
}

/* Arguments ------------------------------------------------------------------- */

bool wave_bind(Wave *d, WaveModule *m, char **err)
{
    enum { MostBytes = 4096 }; /* of parameters; more is not launched by any */
    if (!gpu_bind(&m->g, NULL, NULL, &d->out_at, err))
        return false;
    for (int i = 0; i < m->g.plan->nlaunch && d->opt.packed; i++) {
        m->kernel[i].nbuf = MostBytes;
        if (!(m->kernel[i].buf = malloc(MostBytes)))
            return false;
    }
    return !m->g.prints || out_open(d, err);
}

typedef struct Taker Taker;
struct Taker { Wave *d; WaveModule *m; };

/* Where nobody says how many fit, one on each compute unit does for sure. */
static int64_t resident(void *ud, int i)
{
    const Taker *t = ud;
    int each = t->m->kernel[i].blocks_sm;
    return (int64_t)(each > 0 ? each : 1) * (t->d->is.sms > 0 ? t->d->is.sms : 1);
}

static char *full(void *ud, const char *row, size_t bytes)
{
    const Taker *t = ud;
    return wave_full(t->d, row, bytes);
}

static bool pool(void *ud, size_t bytes, char **err)
{
    const Taker *t = ud;
    Wave *d = t->d;
    GpuProgram *g = &t->m->g;
    void *at = NULL;
    if (g->pool) {
        d->cu.DeviceSynchronize(); /* a run may still use it */
        d->cu.Free((void *)(uintptr_t)g->pool);
    }
    g->npool = 0;
    g->pool = 0;
    WaveResult r = wave_alloc(d, &at, bytes);
    g->pool = (uintptr_t)at;
    if (wave_is_full(d, r))
        *err = wave_full(d, "device_full", bytes); /* the session may make room */
    else
        *err = wave_fault(d, r, "Malloc");
    return r == WaveOk;
}

static bool take(Wave *d, WaveModule *m, const DevArg *arg, int narg, char **err)
{
    Taker t = {d, m};
    GpuRoom r = {.ud = &t, .resident = resident, .pool = pool, .full = full};
    memcpy(r.grid, d->is.grid, sizeof r.grid);
    for (int i = 0; i < m->g.plan->nlaunch; i++) { /* threads of a grid are counted in 32 bits */
        int64_t most = UINT32_MAX / (int64_t)m->g.plan->launch[i].threads;
        if (most < r.grid[0])
            r.grid[0] = (int)most;
    }
    return gpu_take(&m->g, &r, arg, narg, err);
}

/* Running ----------------------------------------------------------------------- */

static WaveResult start(Wave *d, WaveModule *m, int i, char **err)
{
    const GpuKernel *g = &m->g.kernel[i];
    const PlanLaunch *l = g->l;
    WaveKernel *k = &m->kernel[i];
    const WaveDriver *u = &d->cu;
    unsigned x = (unsigned)l->threads, shared = (unsigned)l->shared;
    if (l->grid_sync && d->v->cooperative && u->ModuleLaunchCooperativeKernel)
        return u->ModuleLaunchCooperativeKernel(k->fn, g->grid[0], g->grid[1], g->grid[2], x, 1,
                                                1, shared, NULL, g->param);
    if (!d->opt.packed)
        return u->ModuleLaunchKernel(k->fn, g->grid[0], g->grid[1], g->grid[2], x, 1, 1, shared,
                                     NULL, g->param, NULL);
    size_t n = gpu_pack(&m->g, i, k->buf, k->nbuf);
    const intptr_t *key = d->v->launch_key;
    void *extra[] = {(void *)key[0], k->buf, (void *)key[1], &n, (void *)key[2]};
    if (!n && l->nparam) {
        *err = dev_error("@bug" DEV_SEP "the parameters of %s are too large", l->name);
        return WaveOk;
    }
    return u->ModuleLaunchKernel(k->fn, g->grid[0], g->grid[1], g->grid[2], x, 1, 1, shared, NULL,
                                 NULL, extra);
}

bool wave_enqueue(Wave *d, WaveModule *m, const DevArg *arg, int narg, char **err)
{
    if (!gpu_same(&m->g, arg, narg) && !take(d, m, arg, narg, err))
        return false;
    if (m->g.zeroed &&
        !wave_ok(d, wave_zero(d, (void *)(uintptr_t)m->g.pool, m->g.zeroed), "MemsetAsync", err))
        return false;
    for (int i = 0; i < m->g.plan->nlaunch; i++) {
        WaveResult r = m->g.kernel[i].empty ? WaveOk : start(d, m, i, err);
        if (*err || !wave_ok(d, r, "ModuleLaunchKernel", err))
            return false;
    }
    return true;
}

bool wave_finish(Wave *d, WaveModule *m, const DevHost *host, uint32_t *failed_at, char **err)
{
    WaveResult r = d->cu.DeviceSynchronize();
    WaveResult f = m->g.prints ? out_fetch(d) : WaveOk;
    char *assertion = m->g.prints && f == WaveOk
                          ? gpu_out_read(&m->g, d->out, r != WaveOk, host, failed_at) : NULL;
    if (assertion) {
        *err = assertion;
        return false;
    }
    return wave_ok(d, r != WaveOk ? r : f, "DeviceSynchronize", err);
}

bool wave_launch(void *dev, void *mod, const DevArg *arg, int narg, const DevHost *host,
                 double *ms, uint32_t *failed_at, char **err)
{
    Wave *d = dev;
    WaveModule *m = mod;
    float t = 0;
    if (!d->cu.handle) {
        *err = dev_error("@gpu_not_run");
        return false;
    }
    if (!wave_here(d, err) || (m->g.prints && !wave_out_start(d, err)))
        return false;
    wave_say(d, host);
    if (!wave_ok(d, d->cu.EventRecord(d->begin, NULL), "EventRecord", err))
        return false;
    if (!wave_enqueue(d, m, arg, narg, err)) { /* nothing may be left running behind the error */
        d->cu.DeviceSynchronize();
        return false;
    }
    WaveResult r = d->cu.EventRecord(d->end, NULL);
    if (!wave_finish(d, m, host, failed_at, err) || !wave_ok(d, r, "EventRecord", err))
        return false;
    if (d->cu.EventElapsedTime(&t, d->begin, d->end) == WaveOk)
        *ms = t;
    return true;
}
