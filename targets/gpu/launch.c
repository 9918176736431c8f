/* targets/gpu/launch.c: launches, in both forms: a list of the addresses of parameters,
 * or one buffer that holds them; and the memory of the side buffer. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* The side buffer ------------------------------------------------------------- */

/* Memory of the host's that kernels reach, so that it can be read after a fault. */
static void *mapped(Gpu *d)
{
    const GpuDriver *u = &d->cu;
    void *p = NULL, *at = NULL;
    unsigned flags = GpuHostPortable | GpuHostMapped;
    if (!u->HostGetDevicePointer || !u->FreeHost || !(u->HostMalloc || u->MallocHost))
        return NULL;
    if ((u->HostMalloc ? u->HostMalloc(&p, GpuOutBytes, flags)
                       : u->MallocHost(&p, GpuOutBytes)) != GpuOk)
        return NULL;
    if (u->HostGetDevicePointer(&at, p, 0) == GpuOk) {
        d->out_at = (uintptr_t)at;
        return p;
    }
    u->FreeHost(p);
    return NULL;
}

static bool out_open(Gpu *d, char **err)
{
    void *at = NULL;
    if (d->out)
        return true;
    d->out = mapped(d);
    d->out_mapped = d->out != NULL;
    if (!d->out) {
        GpuResult r = gpu_alloc(d, &at, GpuOutBytes);
        if (r != GpuOk)
            return gpu_ok(d, r, "Malloc", err);
        d->out_at = (uintptr_t)at;
        d->out = malloc(GpuOutBytes);
        if (!d->out) {
            d->cu.Free(at);
            return false;
        }
    }
    gpu_out_init(d->out);
    return d->out_mapped ||
           gpu_ok(d, d->cu.Memcpy(at, d->out, GpuOutBytes, GpuToDevice), "Memcpy", err);
}

void gpu_out_close(Gpu *d)
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
bool gpu_out_start(Gpu *d, char **err)
{
    uint32_t used = d->out->used < d->out->room ? d->out->used : d->out->room;
    size_t bytes = sizeof *d->out + (size_t)used * 4;
    gpu_out_clear(d->out);
    return d->out_mapped || gpu_ok(d, d->cu.Memcpy((void *)(uintptr_t)d->out_at, d->out, bytes,
                                                    GpuToDevice), "Memcpy", err);
}

/* What the kernel wrote, where it is the device's. */
static GpuResult out_fetch(Gpu *d)
{
    char *from = (char *)(uintptr_t)d->out_at;
    if (d->out_mapped)
        return GpuOk;
    GpuResult r = d->cu.Memcpy(d->out, from, sizeof *d->out, GpuToHost);
    uint32_t used = r != GpuOk ? 0 : d->out->used < d->out->room ? d->out->used : d->out->room;
    if (used)
        r = d->cu.Memcpy(d->out + 1, from + sizeof *d->out, (size_t)used * 4, GpuToHost);
    return r;
}

/* Arguments ------------------------------------------------------------------- */

bool gpu_bind_module(Gpu *d, GpuModule *m, char **err)
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
struct Taker { Gpu *d; GpuModule *m; };

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
    return gpu_full(t->d, row, bytes);
}

static bool pool(void *ud, size_t bytes, char **err)
{
    const Taker *t = ud;
    Gpu *d = t->d;
    GpuProgram *g = &t->m->g;
    void *at = NULL;
    if (g->pool) {
        d->cu.DeviceSynchronize(); /* a run may still use it */
        d->cu.Free((void *)(uintptr_t)g->pool);
    }
    g->npool = 0;
    g->pool = 0;
    GpuResult r = gpu_alloc(d, &at, bytes);
    g->pool = (uintptr_t)at;
    if (gpu_is_full(d, r))
        *err = gpu_full(d, "device_full", bytes); /* the session may make room */
    else
        *err = gpu_fault(d, r, "Malloc");
    return r == GpuOk;
}

static bool take(Gpu *d, GpuModule *m, const DevArg *arg, int narg, char **err)
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

static GpuResult start(Gpu *d, GpuModule *m, int i, char **err)
{
    const GpuKernel *g = &m->g.kernel[i];
    const PlanLaunch *l = g->l;
    GpuFunction *k = &m->kernel[i];
    const GpuDriver *u = &d->cu;
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
        return GpuOk;
    }
    return u->ModuleLaunchKernel(k->fn, g->grid[0], g->grid[1], g->grid[2], x, 1, 1, shared, NULL,
                                 NULL, extra);
}

bool gpu_enqueue(Gpu *d, GpuModule *m, const DevArg *arg, int narg, char **err)
{
    if (!gpu_same(&m->g, arg, narg) && !take(d, m, arg, narg, err))
        return false;
    if (m->g.zeroed &&
        !gpu_ok(d, gpu_zero(d, (void *)(uintptr_t)m->g.pool, m->g.zeroed), "MemsetAsync", err))
        return false;
    for (int i = 0; i < m->g.plan->nlaunch; i++) {
        GpuResult r = m->g.kernel[i].empty ? GpuOk : start(d, m, i, err);
        if (*err || !gpu_ok(d, r, "ModuleLaunchKernel", err))
            return false;
    }
    return true;
}

bool gpu_finish(Gpu *d, GpuModule *m, const DevHost *host, uint32_t *failed_at, char **err)
{
    GpuResult r = d->cu.DeviceSynchronize();
    GpuResult f = m->g.prints ? out_fetch(d) : GpuOk;
    char *assertion = m->g.prints && f == GpuOk
                          ? gpu_out_read(&m->g, d->out, r != GpuOk, host, failed_at) : NULL;
    if (assertion) {
        *err = assertion;
        return false;
    }
    return gpu_ok(d, r != GpuOk ? r : f, "DeviceSynchronize", err);
}

bool gpu_launch(void *dev, void *mod, const DevArg *arg, int narg, const DevHost *host,
                 double *ms, uint32_t *failed_at, char **err)
{
    Gpu *d = dev;
    GpuModule *m = mod;
    float t = 0;
    if (!d->cu.handle) {
        *err = dev_error("@gpu_not_run");
        return false;
    }
    if (!gpu_here(d, err) || (m->g.prints && !gpu_out_start(d, err)))
        return false;
    gpu_say(d, host);
    if (!gpu_ok(d, d->cu.EventRecord(d->begin, NULL), "EventRecord", err))
        return false;
    if (!gpu_enqueue(d, m, arg, narg, err)) { /* nothing may be left running behind the error */
        d->cu.DeviceSynchronize();
        return false;
    }
    GpuResult r = d->cu.EventRecord(d->end, NULL);
    if (!gpu_finish(d, m, host, failed_at, err) || !gpu_ok(d, r, "EventRecord", err))
        return false;
    if (d->cu.EventElapsedTime(&t, d->begin, d->end) == GpuOk)
        *ms = t;
    return true;
}
