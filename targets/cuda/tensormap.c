/* targets/cuda/tensormap.c: the descriptors of TMA copies, encoded by the driver.
 *
 * The encoder says no more than CUDA_ERROR_INVALID_VALUE, so its conditions are
 * looked at here first (documentation of cuTensorMapEncodeTiled). */
#include <stdlib.h>
#include <string.h>

#include "cuda.h"
#include "err/cuda.h"

enum { MaxRank = 5, MaxBox = 256, Promotion = 3 /* L2 fetches of 256 bytes */ };

/* Encoded maps of one PlanMap, the one last used first. */
enum { Kept = 16 };
typedef struct TensorMap { _Alignas(128) uint64_t opaque[16]; } TensorMap;
typedef struct Map Map;
struct Map {
    TensorMap enc[Kept];
    void *base[Kept];       /* the address it was made for; NULL: empty */
    uint64_t shape[Kept];   /* GpuProgram.shape then */
    int next;               /* to be replaced */
    int arg;                /* place of its tensor among the arguments; -1: a workspace */
    int used;               /* the one that the kernels' parameters point at */
};

static Map *tensormap_map_of(const GpuModule *m, int i) { return (Map *)m->map + i; }

/* CUtensorMapDataType: copies move bits; only reductions look at the type. */
static int data_type(enum Dtype dt)
{
    enum { U8, U16, U32, I32, U64, I64, F16, F32, F64, BF16 };
    switch (dt) {
    case DTf16: return F16;
    case DTbf16: return BF16;
    case DTf32: case DTtf32: return F32;
    case DTf64: return F64;
    case DTi32: return I32;
    case DTi64: return I64;
    default: break;
    }
    switch (dtypeinfo[dt].bits) {
    case 8: return U8;
    case 16: return U16;
    case 32: return U32;
    case 64: return U64;
    default: return -1;
    }
}

/* What the encoder wants: innermost first, strides in bytes without the first. */
typedef struct Spec Spec;
struct Spec {
    int rank, type, swizzle;
    uint64_t dim[MaxRank], stride[MaxRank];
    uint32_t box[MaxRank], step[MaxRank];
};

/* row: the argument's number and name, and two numbers. */
static bool tensormap_refuse(const GpuModule *m, int i, DevRow4 row, int64_t a, int64_t b,
                             DevError *err)
{
    const PlanMap *q = &m->g.plan->map[i];
    *err = dev_error_row(row, tensormap_map_of(m, i)->arg + 1, m->g.p->buf[q->buf].name, a, b);
    return false;
}

static bool refuse_text(const GpuModule *m, int i, const char *why, DevError *err)
{
    *err = dev_error(E_cuda_map, tensormap_map_of(m, i)->arg + 1,
                     m->g.p->buf[m->g.plan->map[i].buf].name, why);
    return false;
}

static const DevRow4 wrong_box = DEV_ROW(4, E_cuda_map_box),
                     wrong_extent = DEV_ROW(4, E_cuda_map_extent),
                     wrong_stride = DEV_ROW(4, E_cuda_map_stride);

static bool tensormap_check_box(const GpuModule *m, int i, int bytes, DevError *err)
{
    const PlanMap *q = &m->g.plan->map[i];
    int64_t inner = (int64_t)q->box[q->ndim - 1] * bytes;
    for (int k = 0; k < q->ndim; k++)
        if (q->box[k] < 1 || q->box[k] > MaxBox)
            return tensormap_refuse(m, i, wrong_box, k, q->box[k], err);
    if (inner % 16 || (q->swizzle && inner > q->swizzle))
        return tensormap_refuse(m, i, wrong_box, q->ndim - 1, q->box[q->ndim - 1], err);
    return true;
}

/* Sizes and strides with the arguments of this launch. */
static bool tensormap_measure(const GpuModule *m, int i, Spec *s, DevError *err)
{
    const PlanMap *q = &m->g.plan->map[i];
    const Buf *b = &m->g.p->buf[q->buf];
    int bytes = dtypeinfo[b->dt].bits / 8;
    int64_t size, step, compact = 1;
    *s = (Spec){.rank = q->ndim, .type = data_type((enum Dtype)b->dt), .swizzle = q->swizzle};
    if (q->ndim < 1 || q->ndim > MaxRank || s->type < 0)
        return refuse_text(m, i, dtypeinfo[b->dt].name, err);
    if (!tensormap_check_box(m, i, bytes, err))
        return false;
    for (int d = q->ndim; d-- > 0;) {
        int k = q->ndim - 1 - d;
        if (!x_eval(m->g.p, b->shape[d], m->g.env, &size))
            return refuse_text(m, i, "shape", err);
        step = compact;
        if (b->stride[d] && !x_eval(m->g.p, b->stride[d], m->g.env, &step))
            return refuse_text(m, i, "stride", err);
        compact *= size;
        if (size < 1 || size > INT64_C(1) << 32)
            return tensormap_refuse(m, i, wrong_extent, d, size, err);
        if (size == 1 && k) /* its stride moves nothing: any that is allowed */
            step = (step * bytes + 15) / 16 * 16 / bytes;
        if (k ? step * bytes % 16 || step < 0 || step * bytes >= INT64_C(1) << 40 : step != 1)
            return tensormap_refuse(m, i, wrong_stride, d, step * bytes, err);
        s->dim[k] = (uint64_t)size;
        s->stride[k] = (uint64_t)step * (uint64_t)bytes;
        s->box[k] = (uint32_t)q->box[d];
        s->step[k] = 1;
    }
    return true;
}

static bool tensormap_encode(Gpu *d, GpuModule *m, int i, void *base, TensorMap *out, DevError *err)
{
    static const int swizzles[] = {32, 64, 128}; /* CUtensorMapSwizzle 1, 2, 3 */
    Spec s;
    int swizzle = 0;
    if (!tensormap_measure(m, i, &s, err))
        return false;
    if (!d->cu.TensorMapEncodeTiled)
        return refuse_text(m, i, "cuTensorMapEncodeTiled: CUDA 12.0", err);
    for (int k = 0; k < (int)COUNT(swizzles); k++)
        if (s.swizzle == swizzles[k])
            swizzle = k + 1;
    GpuResult r = d->cu.TensorMapEncodeTiled(out, s.type, (uint32_t)s.rank, base, s.dim,
                                            s.stride + 1, s.box, s.step, 0, swizzle, Promotion, 0);
    if (r == GpuOk || gpu_fault_ends(&d->cu, r))
        return gpu_ok(d, r, m, GCTensorMapEncodeTiled, err);
    return refuse_text(m, i, gpu_error(&d->cu, r), err);
}

/* The map of PlanMap i for a tensor at base, of those that are kept or encoded. */
static bool need_map(Gpu *d, GpuModule *m, int i, void *base, DevError *err)
{
    Map *c = tensormap_map_of(m, i);
    for (int k = 0; k < Kept; k++)
        if (c->base[k] == base && c->shape[k] == m->g.shape) {
            c->used = k;
            return true;
        }
    int k = c->next;
    c->base[k] = NULL;
    if (!tensormap_encode(d, m, i, base, &c->enc[k], err))
        return false;
    c->base[k] = base;
    c->shape[k] = m->g.shape;
    c->used = k;
    c->next = (k + 1) % Kept;
    return true;
}

/* A module's ------------------------------------------------------------------- */

static bool bind_maps(GpuModule *m)
{
    const Plan *q = m->g.plan;
    size_t bytes = ((size_t)q->nmap + 1) * sizeof(Map); /* more alignment than malloc gives */
    m->map = aligned_alloc(_Alignof(Map), bytes);
    if (!m->map)
        return false;
    memset(m->map, 0, bytes);
    for (int i = 0; i < q->nmap; i++)
        tensormap_map_of(m, i)->arg = m->g.place[buf_root(m->g.p, q->map[i].buf)];
    return true;
}

static void *map_at(void *module, int i) { return &tensormap_map_of(module, i)->enc[0]; }

/* Where the tensor or workspace of map i lies. */
static void *base_of(const GpuModule *m, int i)
{
    const Plan *q = m->g.plan;
    int arg = tensormap_map_of(m, i)->arg;
    if (arg >= 0)
        return (void *)(uintptr_t)m->g.value[arg];
    for (int k = 0; k < q->nwork; k++)
        if (q->work[k].buf == buf_root(m->g.p, q->map[i].buf))
            return (void *)(uintptr_t)m->g.work[k];
    return NULL;
}

static bool take_maps(Gpu *d, GpuModule *m, DevError *err)
{
    const Plan *q = m->g.plan;
    for (int i = 0; i < q->nmap; i++)
        if (!need_map(d, m, i, base_of(m, i), err))
            return false;
    for (int k = 0; k < q->nlaunch; k++)
        for (int j = 0; j < q->launch[k].nparam; j++) {
            const PlanParam *a = &q->launch[k].param[j];
            Map *c = a->kind == PKmap ? tensormap_map_of(m, (int)a->id) : NULL;
            if (c)
                m->g.kernel[k].param[j] = &c->enc[c->used];
        }
    return true;
}

const GpuMaps cuda_maps = {.bind = bind_maps, .at = map_at, .take = take_maps};
