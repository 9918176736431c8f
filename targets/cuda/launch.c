/* targets/cuda/launch.c: launches.
 *
 * What kernels get is the same on every GPU (targets/gpu/bind.c); here it becomes
 * calls of the driver, with tensor maps and clusters. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* Binding ---------------------------------------------------------------- */

static void *map_of(void *ud, int i)
{
    CudaModule *m = ud;
    return &m->map[i].enc[0];
}

static void bind_kernel(Cuda *d, CudaModule *m, int i)
{
    CudaKernel *k = &m->kernel[i];
    const PlanLaunch *l = k->l;
    k->param = m->g.kernel[i].param;
    k->config = (CUlaunchConfig){.block = {(unsigned)l->threads, 1, 1},
                                 .shared = (unsigned)l->shared, .stream = d->stream};
    if (l->grid_sync) {
        k->attr = (CUlaunchAttribute){.id = CUAcooperative, .value.cooperative = 1};
        k->config.attr = &k->attr;
        k->config.nattr = 1;
    }
}

bool cuda_bind(Cuda *d, CudaModule *m, char **err)
{
    const Plan *q = m->g.plan;
    /* CUtensorMap wants more alignment than malloc gives */
    size_t bytes = ((size_t)q->nmap + 1) * sizeof *m->map;
    m->map = aligned_alloc(_Alignof(CudaMap), bytes);
    if (!m->map)
        return false;
    memset(m->map, 0, bytes);
    for (int i = 0; i < q->nmap; i++)
        m->map[i].arg = m->g.place[buf_root(m->g.p, q->map[i].buf)];
    if (!gpu_bind(&m->g, map_of, m, &d->out_at, err))
        return false;
    for (int i = 0; i < q->nlaunch; i++)
        bind_kernel(d, m, i);
    return !m->g.prints || cuda_out_open(d, err);
}

void cuda_unbind(Cuda *d, CudaModule *m)
{
    if (m->g.pool)
        d->cu.MemFree(m->g.pool);
    free(m->map);
}

/* Arguments -------------------------------------------------------------- */

typedef struct Taker Taker;
struct Taker { Cuda *d; CudaModule *m; };

static int64_t resident(void *ud, int i)
{
    const Taker *t = ud;
    return (int64_t)t->m->kernel[i].blocks_sm * t->d->is.sms;
}

static char *full(void *ud, const char *row, size_t bytes)
{
    const Taker *t = ud;
    return cuda_full(t->d, row, bytes);
}

static bool pool(void *ud, size_t bytes, char **err)
{
    const Taker *t = ud;
    Cuda *d = t->d;
    GpuProgram *g = &t->m->g;
    if (g->pool) {
        d->cu.StreamSynchronize(d->stream); /* a run may still use it */
        d->cu.MemFree(g->pool);
    }
    g->npool = 0;
    g->pool = 0;
    CUresult r = cuda_alloc(d, &g->pool, bytes);
    if (r == CUout_of_memory)
        *err = cuda_full(d, "device_full", bytes); /* the session may make room */
    else
        *err = cuda_fault(d, r, t->m, "cuMemAlloc");
    return r == CUok;
}

/* Tensor maps --------------------------------------------------------------- */

static bool runs(const CudaModule *m)
{
    for (int i = 0; i < m->g.plan->nlaunch; i++)
        if (!m->g.kernel[i].empty)
            return true;
    return false;
}

static bool take_maps(Cuda *d, CudaModule *m, char **err)
{
    const Plan *q = m->g.plan;
    for (int i = 0; i < q->nmap; i++) {
        CudaMap *c = &m->map[i];
        void *base = NULL;
        for (int k = 0; k < q->nwork && c->arg < 0; k++)
            if (q->work[k].buf == buf_root(m->g.p, q->map[i].buf))
                base = (void *)(uintptr_t)m->g.work[k];
        if (c->arg >= 0)
            base = (void *)(uintptr_t)m->g.value[c->arg];
        if (!cuda_map(d, m, i, base, err))
            return false;
    }
    for (int k = 0; k < q->nlaunch; k++)
        for (int j = 0; j < q->launch[k].nparam; j++) {
            const PlanParam *a = &q->launch[k].param[j];
            if (a->kind == PKmap)
                m->kernel[k].param[j] = &m->map[a->id].enc[m->map[a->id].used];
        }
    return true;
}

/* Takes the arguments over where they differ from those of the last launch. */
static bool take(Cuda *d, CudaModule *m, const DevArg *arg, int narg, char **err)
{
    Taker t = {d, m};
    GpuRoom r = {.ud = &t, .resident = resident, .pool = pool, .full = full};
    memcpy(r.grid, d->is.grid, sizeof r.grid);
    if (!gpu_take(&m->g, &r, arg, narg, err))
        return false;
    for (int i = 0; i < m->g.plan->nlaunch; i++)
        memcpy(m->kernel[i].config.grid, m->g.kernel[i].grid, sizeof m->g.kernel[i].grid);
    if (m->g.plan->nmap && runs(m) && !take_maps(d, m, err))
        return m->g.ready = false;
    return true;
}

/* Running -------------------------------------------------------------------- */

static CUresult start(const CudaDriver *u, CudaKernel *k)
{
    const CUlaunchConfig *c = &k->config;
    if (u->LaunchKernelEx)
        return u->LaunchKernelEx(c, k->fn, k->param, NULL);
    if (c->nattr)
        return u->LaunchCooperativeKernel(k->fn, c->grid[0], c->grid[1], c->grid[2], c->block[0],
                                          1, 1, c->shared, c->stream, k->param);
    return u->LaunchKernel(k->fn, c->grid[0], c->grid[1], c->grid[2], c->block[0], 1, 1,
                           c->shared, c->stream, k->param, NULL);
}

static bool refused(Cuda *d, const CudaModule *m, int i, CUresult r, char **err)
{
    if (r == CUcluster_size)
        return *err = gpu_no_cluster(&m->g.kernel[i]), false;
    return cuda_ok(d, r, m, "cuLaunchKernel", err);
}

bool cuda_enqueue(Cuda *d, CudaModule *m, const DevArg *arg, int narg, char **err)
{
    if (m->vendor)
        return vendor_enqueue(d, m->vendor, arg, narg, err);
    if (!gpu_same(&m->g, arg, narg) && !take(d, m, arg, narg, err))
        return false;
    CUresult r = CUok;
    if (m->g.zeroed)
        r = d->cu.MemsetD8Async(m->g.pool, 0, m->g.zeroed, d->stream);
    if (r != CUok)
        return cuda_ok(d, r, m, "cuMemsetD8Async", err);
    for (int i = 0; i < m->g.plan->nlaunch; i++)
        if (!m->g.kernel[i].empty && (r = start(&d->cu, &m->kernel[i])) != CUok)
            return refused(d, m, i, r, err);
    return true;
}

bool cuda_finish(Cuda *d, CudaModule *m, const DevHost *host, uint32_t *failed_at, char **err)
{
    CUresult r = d->cu.StreamSynchronize(d->stream);
    char *assertion = m->g.prints ? gpu_out_read(&m->g, d->out, true, host, failed_at) : NULL;
    if (assertion) { /* the trap behind it has ended the context */
        *err = assertion;
        return false;
    }
    return cuda_ok(d, r, m, "cuStreamSynchronize", err);
}

bool cuda_launch(void *dev, void *mod, const DevArg *arg, int narg, const DevHost *host,
                 double *ms, uint32_t *failed_at, char **err)
{
    Cuda *d = dev;
    CudaModule *m = mod;
    float t = 0;
    if (!d->cu.handle) {
        *err = dev_error("@gpu_not_run");
        return false;
    }
    if (m->g.prints)
        gpu_out_clear(d->out);
    CUresult r = d->cu.EventRecord(d->begin, d->stream);
    if (!cuda_ok(d, r, m, "cuEventRecord", err) || !cuda_enqueue(d, m, arg, narg, err))
        return false;
    r = d->cu.EventRecord(d->end, d->stream);
    if (!cuda_finish(d, m, host, failed_at, err) || !cuda_ok(d, r, m, "cuEventRecord", err))
        return false;
    if (d->cu.EventElapsedTime(&t, d->begin, d->end) == CUok)
        *ms = t;
    return true;
}
