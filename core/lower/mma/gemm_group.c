/* core/lower/mma/gemm_group.c: T.gemm as wgmma: products by warp groups, B (and A)
 * read from shared memory through descriptors (reference: 3.3, 3.4).
 *
 *     wgmma_fence
 *     for i, j, k in unroll: wgmma A[i, k], B[j, k] -> C[i, j]
 *     wgmma_commit
 *     wgmma_wait 0             (not for T.wgmma_gemm; 1 where gemm_overlap.c says so) */
#include "gemm.h"

/* Descriptors ------------------------------------------------------------- */

/* Offset of (x, k) of a tile in bytes, from its first element, before the XOR:
 * the rows of table 3.4, with span S and w = S / bytes of an element. */
typedef struct MatrixForm MatrixForm;
struct MatrixForm {
    bool mn;     /* MN-major */
    int span;    /* 128, 64, 32; 16: none */
    int64_t lbo, sbo;
};

static int64_t matrix_offset(const MatrixForm *f, int x, int k, int bytes)
{
    int S = f->span, w = S / bytes;
    if (!f->mn && S > 16) /* lbo: the next column block, which no instruction reaches */
        return (int64_t)(x / 8) * f->sbo + x % 8 * S + k % w * bytes;
    if (!f->mn)
        return k / w * f->lbo + x / 8 * f->sbo + x % 8 * 16 + k % w * bytes;
    if (S > 16)
        return x / w * f->lbo + k / 8 * f->sbo + k % 8 * S + x % w * bytes;
    return x / 8 * f->sbo + k / 8 * f->lbo + k % 8 * 16 + x % 8 * bytes;
}

/* Offset of one index along dimension dim, without the XOR. */
static int64_t gemm_group_distance(const Layout *flat, int dim, int step, int bytes)
{
    int32_t idx[LayDims] = {0};
    idx[dim] = step;
    return step < flat->extent[dim] ? layout_eval(flat, idx).at[AXoff] * bytes : 0;
}

/* Both sides are sums of what x and k add, so that each is looked at alone. */
static bool gemm_group_agrees(const Layout *flat, int mn, int k, int rows, int steps, int bytes,
                              const MatrixForm *f)
{
    for (int x = 0; x < rows; x++)
        if (gemm_group_distance(flat, mn, x, bytes) != matrix_offset(f, x, 0, bytes))
            return false;
    for (int j = 0; j < steps; j++)
        if (gemm_group_distance(flat, k, j, bytes) != matrix_offset(f, 0, j, bytes))
            return false;
    return true;
}

bool gemm_descriptor(const Layout *map, int mn, int k, int rows, int steps, int bits,
                     Descriptor *out)
{
    int bytes = bits / 8, span = map->x.bits ? 16 << map->x.bits : 16, w = span / bytes;
    Layout flat = *map;
    flat.x.bits = 0;
    if (bits < 8 || span > 128 ||
        (map->x.bits && (16 / bytes != 1 << map->x.base || map->x.shift != 3)))
        return false;
    for (int turn = 0; turn < 2; turn++) {
        MatrixForm f = {.mn = turn, .span = span};
        if (span > 16) {
            f.sbo = 8 * span;
            f.lbo = turn ? gemm_group_distance(&flat, mn, w, bytes) : 16;
        } else {
            f.sbo = gemm_group_distance(&flat, mn, 8, bytes);
            f.lbo = gemm_group_distance(&flat, k, turn ? 8 : w, bytes);
        }
        if (!gemm_group_agrees(&flat, mn, k, rows, steps, bytes, &f))
            continue;
        *out = (Descriptor){turn, (int)f.lbo, (int)f.sbo, span > 16 ? span : 0};
        if (out->lbo == 0) /* a single block: the field is not looked at */
            out->lbo = 16;
        return true;
    }
    return false;
}

/* Instructions ------------------------------------------------------------- */

static Descriptor gemm_group_describe(Gemm *q, const Operand *o, int rows)
{
    Descriptor d = {0};
    int mn = o->which == GemmA ? 0 : 1;
    const Buf *b = &q->p->buf[o->r->buf];
    if (!gemm_descriptor(&o->map, o->dim[mn], o->dim[1 - mn], rows, q->shape.k,
                         dtypeinfo[b->dt].bits, &d))
        diag_fail(&q->p->ctx, E_bug, q->s->loc,
                  afmt(&q->p->ctx, "no descriptor for `%s`", b->name), NULL);
    return d;
}

/* The tile t of a shared operand. */
static Region gemm_group_tile(Gemm *q, const Operand *o, const Ex t[2])
{
    Region r = {.buf = o->r->buf};
    gemm_origin(q, o, t, true, r.min);
    for (int d = 0; d < q->p->buf[r.buf].ndim; d++)
        r.extent[d] = low_i(q->l, 1);
    for (int x = 0; x < 2; x++)
        r.extent[o->dim[x]] = low_i(q->l, o->tile[x]);
    return r;
}

/* Registers of A's fragments when they are not in the instruction's order: all
 * steps at once, as the instructions read them until they are waited for. */
static void reorder_a(Gemm *q, uint32_t to)
{
    Ex i = gemm_for(q->l, "i", q->a.count[0]);
    Ex k = gemm_for(q->l, "k", q->a.count[1]);
    Ex n = low_add(q->l, low_mul(q->l, i, q->a.count[1]), k);
    gemm_move(q, &q->a, (Ex[2]){i, k}, to, low_mul(q->l, n, q->a.items), false);
    gemm_end(q->l, q->a.count[1]);
    gemm_end(q->l, q->a.count[0]);
}

static Region a_regs(Gemm *q, uint32_t buf, Ex i, Ex k)
{
    Low *l = q->l;
    Ex e = q->a.inplace ? gemm_tile(q, &q->a, (Ex[2]){i, k})
                        : low_mul(l, low_add(l, low_mul(l, i, q->a.count[1]), k), q->a.items);
    return gemm_regs(l, buf, e, q->a.items);
}

static void gemm_group_issue(Gemm *q, uint32_t areg)
{
    Low *l = q->l;
    Prog *p = q->p;
    Descriptor a = q->a.frag ? (Descriptor){0} : gemm_group_describe(q, &q->a, q->shape.m);
    Descriptor b = gemm_group_describe(q, &q->b, q->g->n);
    int32_t attr[MaxAttr] = {q->g->n,  a.tnsp, a.lbo, a.sbo,    a.swizzle,
                             b.tnsp, b.lbo,  b.sbo, b.swizzle};
    Ex i = gemm_for(l, "i", q->c.count[0]);
    Ex j = gemm_for(l, "j", q->c.count[1]);
    Ex k = gemm_for(l, "k", q->a.count[1]);
    Region ra = q->a.frag ? a_regs(q, areg, i, k) : gemm_group_tile(q, &q->a, (Ex[2]){i, k});
    Region rb = gemm_group_tile(q, &q->b, (Ex[2]){k, j});
    Ex keep = q->g->keep ? q->g->keep : x_int(p, DTbool, !q->s->op.attr[GEclear]);
    Ex scale = x_bin(p, Xor, keep, x_bin(p, Xne, k, low_i(l, 0)));
    s_op(p, Owgmma, (Region[MaxRegion]){ra, rb, gemm_acc(q, i, j)}, scale, attr, q->i->name);
    gemm_end(l, q->a.count[1]);
    gemm_end(l, q->c.count[1]);
    gemm_end(l, q->c.count[0]);
}

static void emit_group_op(Gemm *q, enum Op op, int n)
{
    int32_t attr[MaxAttr] = {n};
    s_op(q->p, op, (Region[MaxRegion]){{0}}, 0, attr, NULL);
}

void gemm_group(Gemm *q)
{
    uint32_t areg = q->a.regs;
    gemm_load_c(q);
    if (q->a.frag && !q->a.inplace) {
        areg = low_local(q->l, (enum Dtype)q->i->a, "A_r",
                         (int64_t)q->a.items * q->a.count[0] * q->a.count[1]);
        low_holds(q->l, areg, q->a.r->buf);
        reorder_a(q, areg);
    }
    emit_group_op(q, Owgmma_fence, 0);
    gemm_group_issue(q, areg);
    emit_group_op(q, Owgmma_commit, 0);
    if (!q->g->async || q->acc != q->c.regs)
        emit_group_op(q, Owgmma_wait, q->g->behind ? 1 : 0);
    gemm_store_c(q);
}
