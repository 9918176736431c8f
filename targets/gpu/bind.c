/* targets/gpu/bind.c: what kernels get.
 *
 * Everything that a launch needs is made when the program is loaded; a launch with
 * the arguments of the last one finds it as it is, one with other tensors writes
 * their addresses, and only other dimensions make it evaluate grids and workspaces. */
#include <stdlib.h>
#include <string.h>

#include "core/tensor/tensor.h"
#include "gpu.h"
#include "err/cuda.h"
#include "err/gpu.h"
#include "err/launch.h"

enum { Apart = 256 /* bytes: alignment of workspaces */ };

/* Parameters --------------------------------------------------------------- */

/* Where among the arguments variable v is; -1: nowhere. */
static int gpu_bind_place_of(const GpuProgram *g, uint32_t v)
{
    for (int i = 0; i < g->narg; i++)
        if (!g->arg[i].tensor && g->arg[i].id == v)
            return i;
    return -1;
}

typedef struct Binder Binder;
struct Binder { void *(*map)(void *ud, int i); void *ud; const uint64_t *out; };

/* The address of what parameter a of launch k gets; NULL: nothing. */
static void *gpu_bind_value_of(GpuProgram *g, const Binder *b, int k, const PlanParam *a)
{
    union { const uint64_t *c; uint64_t *v; } out = {.c = b->out}; /* only read */
    int at = a->kind == PKtensor ? g->place[a->id]
             : a->kind == PKscalar || a->kind == PKdim ? gpu_bind_place_of(g, a->id) : 0;
    if (at < 0)
        return NULL;
    switch (a->kind) {
    case PKtensor: case PKscalar: return &g->value[at];
    case PKdim: return &g->dim[at];
    case PKwork: return &g->work[a->id];
    case PKmap: return b->map ? b->map(b->ud, (int)a->id) : NULL;
    case PKout: return out.v;
    case PKgrid: return &g->counters[k];
    default: return NULL;
    }
}

static bool bind_kernel(GpuProgram *g, const Binder *b, int i, DevError *err)
{
    GpuKernel *k = &g->kernel[i];
    const PlanLaunch *l = k->l;
    k->param = calloc((size_t)l->nparam + 1, sizeof *k->param);
    if (!k->param)
        return false;
    for (int j = 0; j < l->nparam; j++) {
        k->param[j] = gpu_bind_value_of(g, b, i, &l->param[j]);
        g->prints |= l->param[j].kind == PKout;
        if (!k->param[j]) {
            *err = dev_error_all(E_bug, dev_text("parameter %s of %s is no argument",
                                                 l->param[j].name, l->name));
            return false;
        }
    }
    return true;
}

/* Which launch the statements that print belong to: sites are in their order. */
typedef struct Owner Owner;
struct Owner { GpuProgram *g; int launch; };

static bool gpu_bind_own(Stmt *s, void *ud)
{
    Owner *o = ud;
    int i = plan_site_of(o->g->plan, s);
    if (i >= 0)
        o->g->owner[i] = o->launch;
    return true;
}

static void own_sites(GpuProgram *g)
{
    for (int i = 0; i < g->plan->nlaunch; i++) {
        Owner o = {g, i};
        stmt_walk(g->plan->launch[i].launch->launch.body, gpu_bind_own, &o);
    }
}

/* n elements, at least one, that can be pointed at. */
static void *gpu_bind_list(int n, size_t size)
{
    return calloc(n > 0 ? (size_t)n : 1, size);
}

bool gpu_bind(GpuProgram *g, void *(*map)(void *ud, int i), void *ud, const uint64_t *out,
              DevError *err)
{
    const Plan *q = g->plan;
    Binder b = {map, ud, out};
    g->last = gpu_bind_list(g->narg, sizeof *g->last);
    g->value = gpu_bind_list(g->narg, sizeof *g->value);
    g->dim = gpu_bind_list(g->narg, sizeof *g->dim);
    g->env = gpu_bind_list((int)g->p->nvar, sizeof *g->env);
    g->work = gpu_bind_list(q->nwork, sizeof *g->work);
    g->counters = gpu_bind_list(q->nlaunch, sizeof *g->counters);
    g->owner = gpu_bind_list(q->nsite, sizeof *g->owner);
    if (!g->last || !g->value || !g->dim || !g->env || !g->work || !g->counters || !g->owner)
        return false;
    for (int i = 0; i < q->nlaunch; i++)
        if (!bind_kernel(g, &b, i, err))
            return false;
    if (q->nsite)
        own_sites(g);
    return true;
}

/* Arguments ---------------------------------------------------------------- */

static bool take_tensor(GpuProgram *g, int i, const DevArg *a, DevError *err)
{
    const GpuArg *w = &g->arg[i];
    uintptr_t at = (uintptr_t)a->p, off = at % w->align;
    g->value[i] = at;
    if (!off)
        return true;
    *err = dev_error(E_gpu_align, i + 1, g->p->buf[w->id].name, w->align, off);
    return false;
}

static void take_scalar(GpuProgram *g, int i, const DevArg *a)
{
    const GpuArg *w = &g->arg[i];
    enum Dtype dt = (enum Dtype)w->dt;
    g->value[i] = 0;
    if (dtypeinfo[dt].cls == 'F') {
        dtype_store(dt, &g->value[i], 0, a->f);
        return;
    }
    dtype_storei(dt, &g->value[i], 0, a->i);
    g->env[w->id] = a->i;
    g->dim[i] = (int32_t)a->i;
}

/* Values of the lets over arguments, which grids and sizes may use. */
static void eval_lets(GpuProgram *g)
{
    const Prog *p = g->p;
    int64_t v;
    for (uint32_t i = 1; i < p->nvar; i++)
        if (p->var[i].kind == Vlet && p->var[i].value && x_eval(p, p->var[i].value, g->env, &v))
            g->env[i] = v;
}

/* Workspaces ----------------------------------------------------------------- */

static bool gpu_bind_room(GpuProgram *g, const GpuRoom *r, size_t bytes, DevError *err)
{
    if (bytes <= g->npool)
        return true;
    if (!r->pool(r->ud, bytes, err))
        return false;
    g->npool = bytes;
    return true;
}

/* Places the counters of each launch, which one call zeroes, then the workspaces: a
 * kernel writes those itself before it reads them. */
static bool place_work(GpuProgram *g, const GpuRoom *r, DevError *err)
{
    const Plan *q = g->plan;
    uint64_t at = 0;
    int64_t n;
    for (int i = 0; i < q->nlaunch; i++) {
        g->counters[i] = at;
        at += q->launch[i].grid_sync ? Apart : 0;
    }
    g->zeroed = at;
    for (int i = 0; i < q->nwork; i++) {
        const Buf *b = &g->p->buf[q->work[i].buf];
        int64_t bits = dtypeinfo[b->dt].bits;
        for (int k = 0; k < b->ndim; k++)
            if (!x_eval(g->p, b->shape[k], g->env, &n) || n < 0 ||
                __builtin_mul_overflow(bits, n, &bits))
                return *err = r->full(r->ud, SIZE_MAX / 2), false;
        g->work[i] = at;
        at += ((uint64_t)bits / 8 + Apart) / Apart * Apart;
    }
    if (!at)
        return true;
    if (!gpu_bind_room(g, r, at, err))
        return false;
    for (int i = 0; i < q->nwork; i++)
        g->work[i] += g->pool;
    for (int i = 0; i < q->nlaunch; i++)
        g->counters[i] += g->pool;
    return true;
}

/* Grids -------------------------------------------------------------------- */

DevError gpu_no_cluster(const GpuKernel *k)
{
    const unsigned *g = k->grid;
    return dev_error(E_cuda_cluster, dev_text("%u, %u, %u", g[0], g[1], g[2]),
                     dev_text("%d, %d, %d", k->l->cluster[0], k->l->cluster[1], k->l->cluster[2]));
}

static bool size_grid(const GpuProgram *g, const GpuRoom *r, int which, DevError *err)
{
    GpuKernel *k = &g->kernel[which];
    int64_t n = 1, v;
    k->empty = false;
    for (int i = 0; i < 3; i++) {
        if (!x_eval(g->p, k->l->grid[i], g->env, &v)) {
            *err = dev_error_all(E_bug, dev_text("the grid of %s has no value", k->l->name));
            return false;
        }
        if (v > r->grid[i]) {
            *err = dev_error(E_gpu_grid, v, i, r->grid[i]);
            return false;
        }
        k->empty |= v <= 0;
        k->grid[i] = v > 0 ? (unsigned)v : 0;
        n *= v > 0 ? v : 0;
    }
    for (int i = 0; i < 3 && !k->empty; i++)
        if (k->grid[i] % k->l->cluster[i])
            return *err = gpu_no_cluster(k), false;
    int64_t fit = k->l->grid_sync ? r->resident(r->ud, which) : n;
    if (n > fit) {
        *err = dev_error(E_gpu_resident, n, fit);
        return false;
    }
    return true;
}

static bool size_all(GpuProgram *g, const GpuRoom *r, DevError *err)
{
    g->shape++;
    eval_lets(g);
    for (int i = 0; i < g->plan->nlaunch; i++)
        if (!size_grid(g, r, i, err))
            return false;
    return place_work(g, r, err);
}

bool gpu_same(const GpuProgram *g, const DevArg *arg, int narg)
{
    return g->ready && narg == g->narg && memcmp(arg, g->last, (size_t)narg * sizeof *arg) == 0;
}

bool gpu_take(GpuProgram *g, const GpuRoom *r, const DevArg *arg, int narg, DevError *err)
{
    bool sized = g->ready;
    if (narg != g->narg) {
        *err = dev_error(E_device_args, narg, g->narg);
        return false;
    }
    for (int i = 0; i < g->narg; i++) {
        if (g->ready && memcmp(&arg[i], &g->last[i], sizeof arg[i]) == 0)
            continue;
        if (g->arg[i].tensor) {
            if (!take_tensor(g, i, &arg[i], err))
                return g->ready = false;
        } else {
            take_scalar(g, i, &arg[i]);
            sized = false;
        }
    }
    g->ready = false;
    if (!sized && !size_all(g, r, err))
        return false;
    if (g->narg)
        memcpy(g->last, arg, (size_t)g->narg * sizeof *arg);
    return g->ready = true;
}

/* Packed -------------------------------------------------------------------- */

static size_t gpu_bind_size_of(const PlanParam *a)
{
    size_t bits = (size_t)dtypeinfo[a->dt].bits;
    return a->kind == PKdim ? 4 : a->kind != PKscalar ? 8 : bits < 8 ? 1 : bits / 8;
}

size_t gpu_pack(const GpuProgram *g, int i, void *out, size_t size)
{
    const GpuKernel *k = &g->kernel[i];
    size_t at = 0;
    for (int j = 0; j < k->l->nparam; j++) {
        size_t n = gpu_bind_size_of(&k->l->param[j]);
        at = (at + n - 1) / n * n;
        if (at + n > size)
            return 0;
        memcpy((char *)out + at, k->param[j], n);
        at += n;
    }
    return at;
}
