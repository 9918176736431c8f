/* targets/gpu/launch.c: launches, in the forms that a driver has: with clusters, for
 * grid-wide barriers, with a list of the addresses of parameters or one buffer of them. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "err/gpu.h"

/* Arguments ------------------------------------------------------------------- */

bool gpu_bind_module(Gpu *d, GpuModule *m, DevError *err)
{
    enum { MostBytes = 4096 }; /* of parameters; more is not launched by any */
    const GpuMaps *maps = d->v->maps;
    if (maps && !maps->bind(m))
        return false;
    if (!gpu_bind(&m->g, maps ? maps->at : NULL, m, &d->out_at, err))
        return false;
    for (int i = 0; i < m->g.plan->nlaunch && d->opt.packed; i++) {
        m->fn[i].nbuf = MostBytes;
        if (!(m->fn[i].buf = malloc(MostBytes)))
            return false;
    }
    return !m->g.prints || gpu_out_open(d, err);
}

typedef struct Taker Taker;
struct Taker { Gpu *d; GpuModule *m; };

/* Where nobody says how many fit, one on each compute unit does for sure. */
static int64_t resident(void *ud, int i)
{
    const Taker *t = ud;
    int each = t->m->fn[i].blocks_sm;
    return (int64_t)(each >= 0 ? each : 1) * (t->d->is.sms > 0 ? t->d->is.sms : 1);
}

static DevError gpu_launch_full(void *ud, size_t bytes)
{
    const Taker *t = ud;
    return gpu_full(t->d, true, bytes);
}

static bool pool(void *ud, size_t bytes, DevError *err)
{
    const Taker *t = ud;
    Gpu *d = t->d;
    GpuProgram *g = &t->m->g;
    if (g->pool) {
        gpu_wait(&d->cu); /* a run may still use it */
        d->cu.MemFree(g->pool);
    }
    g->npool = 0;
    g->pool = 0;
    GpuResult r = gpu_alloc(d, &g->pool, bytes);
    if (gpu_fault_is(&d->cu, r, GFfull))
        *err = gpu_full(d, false, bytes); /* the session may make room */
    else
        *err = gpu_fault(d, r, t->m, GCMemAlloc);
    return r == GpuOk;
}

static bool gpu_launch_runs(const GpuModule *m)
{
    for (int i = 0; i < m->g.plan->nlaunch; i++)
        if (!m->g.kernel[i].empty)
            return true;
    return false;
}

/* Takes the arguments over where they differ from those of the last launch. */
static bool gpu_launch_take(Gpu *d, GpuModule *m, const DevArg *arg, int narg, DevError *err)
{
    Taker t = {d, m};
    GpuRoom r = {.ud = &t, .resident = resident, .pool = pool, .full = gpu_launch_full};
    memcpy(r.grid, d->is.grid, sizeof r.grid);
    for (int i = 0; i < m->g.plan->nlaunch && d->v->threads32; i++) {
        int64_t most = UINT32_MAX / (int64_t)m->g.plan->launch[i].threads;
        if (most < r.grid[0])
            r.grid[0] = (int)most;
    }
    if (!gpu_take(&m->g, &r, arg, narg, err))
        return false;
    if (m->g.plan->nmap && gpu_launch_runs(m) && !d->v->maps->take(d, m, err))
        return m->g.ready = false;
    return true;
}

/* Running ----------------------------------------------------------------------- */

GpuResult gpu_start(const Gpu *d, void *fn, const unsigned grid[3], unsigned threads,
                    unsigned shared, void **param, void **extra)
{
    const GpuDriver *u = &d->cu;
    return u->LaunchKernel(fn, grid[0], grid[1], grid[2], threads, 1, 1, shared, u->stream, param,
                           extra);
}

static GpuResult start_config(const GpuDriver *u, const GpuKernel *g, void *fn)
{
    const PlanLaunch *l = g->l;
    GpuLaunchAttribute attr = {.id = GpuCooperative, .value.cooperative = 1};
    GpuLaunchConfig c = {.grid = {g->grid[0], g->grid[1], g->grid[2]},
                         .block = {(unsigned)l->threads, 1, 1}, .shared = (unsigned)l->shared,
                         .stream = u->stream, .attr = l->grid_sync ? &attr : NULL,
                         .nattr = l->grid_sync};
    return u->LaunchKernelEx(&c, fn, g->param, NULL);
}

static GpuResult start_packed(Gpu *d, GpuModule *m, int i, DevError *err)
{
    const GpuKernel *g = &m->g.kernel[i];
    GpuFunction *k = &m->fn[i];
    const intptr_t *key = d->v->launch_key;
    size_t n = gpu_pack(&m->g, i, k->buf, k->nbuf);
    void *extra[] = {(void *)key[0], k->buf, (void *)key[1], &n, (void *)key[2]};
    if (n || !g->l->nparam)
        return gpu_start(d, k->fn, g->grid, (unsigned)g->l->threads, (unsigned)g->l->shared, NULL,
                         extra);
    *err = dev_error_all(E_bug, dev_text("the parameters of %s are too large", g->l->name));
    return GpuOk;
}

static GpuResult gpu_launch_start(Gpu *d, GpuModule *m, int i, DevError *err)
{
    const GpuKernel *g = &m->g.kernel[i];
    const PlanLaunch *l = g->l;
    const GpuDriver *u = &d->cu;
    void *fn = m->fn[i].fn;
    unsigned x = (unsigned)l->threads, shared = (unsigned)l->shared;
    if (u->LaunchKernelEx)
        return start_config(u, g, fn);
    if (l->grid_sync && d->v->cooperative && u->LaunchCooperativeKernel)
        return u->LaunchCooperativeKernel(fn, g->grid[0], g->grid[1], g->grid[2], x, 1, 1, shared,
                                          u->stream, g->param);
    if (d->opt.packed)
        return start_packed(d, m, i, err);
    return gpu_start(d, fn, g->grid, x, shared, g->param, NULL);
}

static bool gpu_launch_refused(Gpu *d, const GpuModule *m, int i, GpuResult r, DevError *err)
{
    if (gpu_fault_is(&d->cu, r, GFcluster))
        return *err = gpu_no_cluster(&m->g.kernel[i]), false;
    return gpu_ok(d, r, m, GCLaunchKernel, err);
}

bool gpu_enqueue(Gpu *d, GpuModule *m, const DevArg *arg, int narg, DevError *err)
{
    if (m->routine)
        return d->v->routines->enqueue(d, m->routine, arg, narg, err);
    if (!gpu_same(&m->g, arg, narg) && !gpu_launch_take(d, m, arg, narg, err))
        return false;
    if (m->g.zeroed && !gpu_ok(d, gpu_zero(&d->cu, m->g.pool, m->g.zeroed), m,
                               gpu_zero_call(&d->cu), err))
        return false;
    for (int i = 0; i < m->g.plan->nlaunch; i++) {
        GpuResult r = m->g.kernel[i].empty ? GpuOk : gpu_launch_start(d, m, i, err);
        if (err->is || r != GpuOk)
            return err->is ? false : gpu_launch_refused(d, m, i, r, err);
    }
    return true;
}

bool gpu_finish(Gpu *d, GpuModule *m, const DevHost *host, uint32_t *failed_at, DevError *err)
{
    GpuResult r = gpu_wait(&d->cu), f = m->g.prints ? gpu_out_fetch(d) : GpuOk;
    DevError assertion = DEV_NO_ERROR;
    if (m->g.prints && f == GpuOk)
        assertion = gpu_out_read(&m->g, d->out, r != GpuOk, host, failed_at);
    if (assertion.is) {
        *err = assertion;
        return false;
    }
    return gpu_ok(d, r != GpuOk ? r : f, m,
                  d->cu.DeviceSynchronize ? GCDeviceSynchronize : GCStreamSynchronize, err);
}

bool gpu_launch(void *dev, void *mod, const DevArg *arg, int narg, const DevHost *host,
                double *ms, uint32_t *failed_at, DevError *err)
{
    Gpu *d = dev;
    GpuModule *m = mod;
    const GpuDriver *u = &d->cu;
    float t = 0;
    if (!u->handle) {
        *err = dev_error(E_gpu_not_run);
        return false;
    }
    if (!gpu_here(d, err) || (m->g.prints && !gpu_out_start(d, err)))
        return false;
    gpu_say(d, host);
    if (!gpu_ok(d, u->EventRecord(d->begin, u->stream), m, GCEventRecord, err))
        return false;
    if (!gpu_enqueue(d, m, arg, narg, err)) { /* nothing may be left running behind the error */
        gpu_wait(u);
        return false;
    }
    GpuResult r = u->EventRecord(d->end, u->stream);
    if (!gpu_finish(d, m, host, failed_at, err) || !gpu_ok(d, r, m, GCEventRecord, err))
        return false;
    r = gpu_elapsed(u, &t, d->begin, d->end);
    if (r == GpuOk)
        *ms = t;
    /* without a time the run is as good; with a device that is lost its results are not */
    return !gpu_fault_ends(u, r) || gpu_ok(d, r, m, GCEventElapsedTime, err);
}
