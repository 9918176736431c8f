/* targets/cuda/launch.c: arguments and launches.
 *
 * Everything that a launch needs is made when the module is loaded; a launch
 * with the arguments of the last one calls the driver and does nothing else, one
 * with other tensors writes their addresses, and only other dimensions make it
 * evaluate grids and workspaces. */
#include <stdlib.h>
#include <string.h>

#include "../../core/tensor.h"
#include "device.h"

enum { Apart = 256 /* bytes: alignment of workspaces */ };

/* Binding ---------------------------------------------------------------- */

/* Where among the arguments variable v is; -1: nowhere. */
static int place_of(const CudaModule *m, uint32_t v)
{
    for (int i = 0; i < m->narg; i++)
        if (!m->arg[i].tensor && m->arg[i].id == v)
            return i;
    return -1;
}

/* The address of what parameter a of launch k gets. */
static void *value_of(Cuda *d, CudaModule *m, int k, const PlanParam *a)
{
    int at = a->kind == PKtensor ? m->place[a->id]
             : a->kind == PKscalar || a->kind == PKdim ? place_of(m, a->id) : 0;
    if (at < 0)
        return NULL;
    switch (a->kind) {
    case PKtensor: case PKscalar: return &m->value[at];
    case PKdim: return &m->dim[at];
    case PKwork: return &m->work[a->id];
    case PKmap: return &m->map[a->id].enc[0];
    case PKout: return &d->out_at;
    case PKgrid: return &m->counters[k];
    default: return NULL;
    }
}

static bool bind_kernel(Cuda *d, CudaModule *m, int i, char **err)
{
    CudaKernel *k = &m->kernel[i];
    const PlanLaunch *l = k->l;
    k->param = calloc((size_t)l->nparam + 1, sizeof *k->param);
    if (!k->param)
        return false;
    for (int j = 0; j < l->nparam; j++) {
        k->param[j] = value_of(d, m, i, &l->param[j]);
        m->prints |= l->param[j].kind == PKout;
        if (!k->param[j]) {
            *err = dev_error("@bug" DEV_SEP "parameter %s of %s is no argument",
                             l->param[j].name, l->name);
            return false;
        }
    }
    k->config = (CUlaunchConfig){.block = {(unsigned)l->threads, 1, 1},
                                 .shared = (unsigned)l->shared, .stream = d->stream};
    if (l->grid_sync) {
        k->attr = (CUlaunchAttribute){.id = CUAcooperative, .value.cooperative = 1};
        k->config.attr = &k->attr;
        k->config.nattr = 1;
    }
    return true;
}

/* Which launch the statements that print belong to: sites are in their order. */
typedef struct Owner Owner;
struct Owner { CudaModule *m; int launch; };

static bool own(Stmt *s, void *ud)
{
    Owner *o = ud;
    int i = plan_site_of(o->m->plan, s);
    if (i >= 0)
        o->m->owner[i] = o->launch;
    return true;
}

static void own_sites(CudaModule *m)
{
    for (int i = 0; i < m->plan->nlaunch; i++) {
        Owner o = {m, i};
        stmt_walk(m->plan->launch[i].launch->launch.body, own, &o);
    }
}

/* n elements, at least one, that can be pointed at. */
static void *list(int n, size_t size)
{
    return calloc(n > 0 ? (size_t)n : 1, size);
}

bool cuda_bind(Cuda *d, CudaModule *m, char **err)
{
    const Plan *q = m->plan;
    m->last = list(m->narg, sizeof *m->last);
    m->value = list(m->narg, sizeof *m->value);
    m->dim = list(m->narg, sizeof *m->dim);
    m->env = list((int)m->p->nvar, sizeof *m->env);
    m->work = list(q->nwork, sizeof *m->work);
    m->counters = list(q->nlaunch, sizeof *m->counters);
    m->owner = list(q->nsite, sizeof *m->owner);
    /* CUtensorMap wants more alignment than malloc gives */
    size_t bytes = ((size_t)q->nmap + 1) * sizeof *m->map;
    m->map = aligned_alloc(_Alignof(CudaMap), bytes);
    if (!m->last || !m->value || !m->dim || !m->env || !m->work || !m->counters || !m->owner ||
        !m->map)
        return false;
    memset(m->map, 0, bytes);
    for (int i = 0; i < q->nmap; i++)
        m->map[i].arg = m->place[buf_root(m->p, q->map[i].buf)];
    for (int i = 0; i < q->nlaunch; i++)
        if (!bind_kernel(d, m, i, err))
            return false;
    if (q->nsite)
        own_sites(m);
    return !m->prints || cuda_out_open(d, err);
}

void cuda_unbind(Cuda *d, CudaModule *m)
{
    for (int i = 0; m->kernel && i < m->plan->nlaunch; i++)
        free(m->kernel[i].param);
    if (m->pool)
        d->cu.MemFree(m->pool);
    free(m->last);
    free(m->value);
    free(m->dim);
    free(m->env);
    free(m->work);
    free(m->counters);
    free(m->owner);
    free(m->map);
}

/* Arguments -------------------------------------------------------------- */

static bool take_tensor(CudaModule *m, int i, const DevArg *a, char **err)
{
    const CudaArg *w = &m->arg[i];
    uintptr_t at = (uintptr_t)a->p, off = at % w->align;
    m->value[i] = at;
    if (!off)
        return true;
    *err = dev_error("@cuda_align" DEV_SEP "%d" DEV_SEP "%s" DEV_SEP "%u" DEV_SEP "%u", i + 1,
                     m->p->buf[w->id].name, (unsigned)w->align, (unsigned)off);
    return false;
}

static void take_scalar(CudaModule *m, int i, const DevArg *a)
{
    const CudaArg *w = &m->arg[i];
    enum Dtype dt = (enum Dtype)w->dt;
    m->value[i] = 0;
    if (dtypeinfo[dt].cls == 'F') {
        dtype_store(dt, &m->value[i], 0, a->f);
        return;
    }
    dtype_storei(dt, &m->value[i], 0, a->i);
    m->env[w->id] = a->i;
    m->dim[i] = (int32_t)a->i;
}

/* Values of the lets over arguments, which grids and sizes may use. */
static void eval_lets(CudaModule *m)
{
    const Prog *p = m->p;
    int64_t v;
    for (uint32_t i = 1; i < p->nvar; i++)
        if (p->var[i].kind == Vlet && p->var[i].value && x_eval(p, p->var[i].value, m->env, &v))
            m->env[i] = v;
}

/* Workspaces -------------------------------------------------------------- */

static bool room(Cuda *d, CudaModule *m, size_t bytes, char **err)
{
    if (bytes <= m->npool)
        return true;
    if (m->pool) {
        d->cu.StreamSynchronize(d->stream); /* a run may still use it */
        d->cu.MemFree(m->pool);
    }
    m->npool = 0;
    m->pool = 0;
    CUresult r = cuda_alloc(d, &m->pool, bytes);
    if (r == CUout_of_memory)
        *err = cuda_full(d, "device_full", bytes); /* the session may make room */
    else
        *err = cuda_fault(d, r, m, "cuMemAlloc");
    if (r == CUok)
        m->npool = bytes;
    return r == CUok;
}

/* Places the counters of each launch, which one call zeroes, then the workspaces: a
 * kernel writes those itself before it reads them. */
static bool place_work(Cuda *d, CudaModule *m, char **err)
{
    const Plan *q = m->plan;
    uint64_t at = 0;
    int64_t n;
    for (int i = 0; i < q->nlaunch; i++) {
        m->counters[i] = at;
        at += q->launch[i].grid_sync ? Apart : 0;
    }
    m->zeroed = at;
    for (int i = 0; i < q->nwork; i++) {
        const Buf *b = &m->p->buf[q->work[i].buf];
        int64_t bits = dtypeinfo[b->dt].bits;
        for (int k = 0; k < b->ndim; k++)
            if (!x_eval(m->p, b->shape[k], m->env, &n) || n < 0 ||
                __builtin_mul_overflow(bits, n, &bits))
                return *err = cuda_full(d, "cuda_workspace", SIZE_MAX / 2), false;
        m->work[i] = at;
        at += ((uint64_t)bits / 8 + Apart) / Apart * Apart;
    }
    if (!at)
        return true;
    if (!room(d, m, at, err))
        return false;
    for (int i = 0; i < q->nwork; i++)
        m->work[i] += m->pool;
    for (int i = 0; i < q->nlaunch; i++)
        m->counters[i] += m->pool;
    return true;
}

/* Grids -------------------------------------------------------------------- */

static bool no_cluster(const CudaKernel *k, char **err)
{
    const unsigned *g = k->config.grid;
    *err = dev_error("@cuda_cluster" DEV_SEP "%u, %u, %u" DEV_SEP "%d, %d, %d", g[0], g[1], g[2],
                     k->l->cluster[0], k->l->cluster[1], k->l->cluster[2]);
    return false;
}

static bool size_grid(Cuda *d, const CudaModule *m, CudaKernel *k, char **err)
{
    int64_t n = 1, v;
    k->empty = false;
    for (int i = 0; i < 3; i++) {
        if (!x_eval(m->p, k->l->grid[i], m->env, &v)) {
            *err = dev_error("@bug" DEV_SEP "the grid of %s has no value", k->l->name);
            return false;
        }
        if (v > d->is.grid[i]) {
            *err = dev_error("@cuda_grid" DEV_SEP "%lld" DEV_SEP "%d" DEV_SEP "%d", (long long)v,
                             i, d->is.grid[i]);
            return false;
        }
        k->empty |= v <= 0;
        k->config.grid[i] = v > 0 ? (unsigned)v : 0;
        n *= v > 0 ? v : 0;
    }
    for (int i = 0; i < 3 && !k->empty; i++)
        if (k->config.grid[i] % k->l->cluster[i])
            return no_cluster(k, err);
    int64_t fit = (int64_t)k->blocks_sm * d->is.sms;
    if (k->l->grid_sync && n > fit) {
        *err = dev_error("@cuda_resident" DEV_SEP "%lld" DEV_SEP "%lld", (long long)n,
                         (long long)fit);
        return false;
    }
    return true;
}

static bool size_all(Cuda *d, CudaModule *m, char **err)
{
    m->shape++;
    eval_lets(m);
    for (int i = 0; i < m->plan->nlaunch; i++)
        if (!size_grid(d, m, &m->kernel[i], err))
            return false;
    return place_work(d, m, err);
}

/* Tensor maps --------------------------------------------------------------- */

static bool runs(const CudaModule *m)
{
    for (int i = 0; i < m->plan->nlaunch; i++)
        if (!m->kernel[i].empty)
            return true;
    return false;
}

static bool take_maps(Cuda *d, CudaModule *m, char **err)
{
    const Plan *q = m->plan;
    for (int i = 0; i < q->nmap; i++) {
        CudaMap *c = &m->map[i];
        void *base = NULL;
        for (int k = 0; k < q->nwork && c->arg < 0; k++)
            if (q->work[k].buf == buf_root(m->p, q->map[i].buf))
                base = (void *)(uintptr_t)m->work[k];
        if (c->arg >= 0)
            base = (void *)(uintptr_t)m->value[c->arg];
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
static bool take(Cuda *d, CudaModule *m, const DevArg *arg, char **err)
{
    bool sized = m->ready;
    for (int i = 0; i < m->narg; i++) {
        if (m->ready && memcmp(&arg[i], &m->last[i], sizeof arg[i]) == 0)
            continue;
        if (m->arg[i].tensor) {
            if (!take_tensor(m, i, &arg[i], err))
                return m->ready = false;
        } else {
            take_scalar(m, i, &arg[i]);
            sized = false;
        }
    }
    m->ready = false;
    if (!sized && !size_all(d, m, err))
        return false;
    if (m->plan->nmap && runs(m) && !take_maps(d, m, err))
        return false;
    if (m->narg)
        memcpy(m->last, arg, (size_t)m->narg * sizeof *arg);
    return m->ready = true;
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

static bool refused(Cuda *d, const CudaModule *m, const CudaKernel *k, CUresult r, char **err)
{
    if (r == CUcluster_size)
        return no_cluster(k, err);
    return cuda_ok(d, r, m, "cuLaunchKernel", err);
}

bool cuda_enqueue(Cuda *d, CudaModule *m, const DevArg *arg, int narg, char **err)
{
    if (m->vendor)
        return vendor_enqueue(d, m->vendor, arg, narg, err);
    if (narg != m->narg) {
        *err = dev_error("@device_args" DEV_SEP "%d" DEV_SEP "%d", narg, m->narg);
        return false;
    }
    if (!(m->ready && memcmp(arg, m->last, (size_t)narg * sizeof *arg) == 0) &&
        !take(d, m, arg, err))
        return false;
    CUresult r = CUok;
    if (m->zeroed)
        r = d->cu.MemsetD8Async(m->pool, 0, m->zeroed, d->stream);
    if (r != CUok)
        return cuda_ok(d, r, m, "cuMemsetD8Async", err);
    for (int i = 0; i < m->plan->nlaunch; i++) {
        CudaKernel *k = &m->kernel[i];
        if (!k->empty && (r = start(&d->cu, k)) != CUok)
            return refused(d, m, k, r, err);
    }
    return true;
}

bool cuda_finish(Cuda *d, CudaModule *m, const DevHost *host, uint32_t *failed_at, char **err)
{
    CUresult r = d->cu.StreamSynchronize(d->stream);
    char *assertion = m->prints ? cuda_out_read(d, m, host, failed_at) : NULL;
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
        *err = dev_error("@cuda_not_run");
        return false;
    }
    if (m->prints)
        cuda_out_start(d);
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
