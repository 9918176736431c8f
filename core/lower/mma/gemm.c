/* core/lower/mma/gemm.c: T.gemm as matrix instructions of warps.
 *
 * Behind low_layouts and low_shared: fragments have their registers, shared buffers
 * their places.  One product becomes
 *
 *     for k in unroll(K / k of the instruction)
 *       fetch of A's tiles of this step   (gemm_fetch.c; fragments are used in place)
 *       fetch of B's tiles of this step
 *       for i, j in unroll(tiles of this warp)  mma A[i], B[j] -> C[i, j]
 *
 * Products by warp groups are in gemm_group.c, copies that ldmatrix can do in
 * ldsm.c.  Reference: lowering.md 4. */
#include "gemm.h"

/* Operands ---------------------------------------------------------------- */

enum GemmLetter { LEm, LEn, LEk };
static const enum GemmLetter letters[3][2] = {{LEm, LEk}, {LEk, LEn}, {LEm, LEn}};

/* The element that register `item` of lane holds of the first tile of warp (group)
 * w along letter x, in the buffer; constants of the region only. */
static void operand_element(const Gemm *q, const Operand *o, int item, int lane, const int part[2],
                            int32_t *idx)
{
    int32_t in[LayDims];
    const Buf *b = &q->p->buf[o->r->buf];
    for (int d = 0; d < b->ndim; d++) {
        int64_t v;
        idx[d] = x_isint(q->p, o->r->min[d], &v) ? (int32_t)v : 0;
    }
    layout_invert(&o->inst, &(Spot){{[AXreg] = item, [AXlane] = lane}}, in);
    for (int x = 0; x < 2; x++)
        idx[o->dim[x]] += in[x] + part[x] * o->tile[x] * o->count[x];
}

/* Whether a tile's registers follow each other as the instruction wants them. */
static bool gemm_ordered(const Gemm *q, const Operand *o)
{
    static const int first[2] = {0, 0};
    int32_t idx[LayDims];
    operand_element(q, o, 0, 0, first, idx);
    int64_t s0 = layout_eval(&o->map, idx).at[AXreg];
    for (int k = 1; k < o->items; k++) {
        operand_element(q, o, k, 0, first, idx);
        if (layout_eval(&o->map, idx).at[AXreg] != s0 + k)
            return false;
    }
    return true;
}

/* The first of the lanes that hold what this one does: RDNA3 has A and B twice. */
static int gemm_first_copy(const Operand *o, int lane)
{
    int32_t idx[LayDims];
    layout_invert(&o->inst, &(Spot){{[AXlane] = lane}}, idx);
    return (int)layout_eval(&o->inst, idx).at[AXlane];
}

/* low_layouts has put every element into the lane and warp that the
 * instruction expects; one that it has not is a bug of ours. */
static void need_threads(const Gemm *q, const Operand *o)
{
    int unit = q->i->kind == MMAgroup ? 4 : 1, gm = q->g->wm / unit;
    int32_t idx[LayDims];
    for (int part = 0; part < o->split[0] * o->split[1]; part++) {
        int at[2] = {part % o->split[0], part / o->split[0]};
        int warp = unit * (o->which == GemmB ? gm * at[1] : at[0] + gm * at[1]);
        for (int lane = 0; lane < q->l->m->warp; lane++) {
            operand_element(q, o, 0, lane, at, idx);
            Spot s = layout_eval(&o->map, idx);
            if (s.at[AXlane] != gemm_first_copy(o, lane) || s.at[AXwarp] != warp)
                diag_fail(&q->p->ctx, E_bug, q->s->loc,
                          afmt(&q->p->ctx, "`%s` is not laid out for `%s`",
                               q->p->buf[o->r->buf].name, q->i->name), NULL);
        }
    }
}

void gemm_operand(Gemm *q, Operand *o, int which)
{
    const GemmPlan *g = q->g;
    int unit = q->i->kind == MMAgroup ? 4 : 1, gm = g->wm / unit;
    *o = (Operand){.which = which, .r = &q->s->op.r[which]};
    gemm_inst(q->i, "abc"[which], g->n, q->pack, &o->inst);
    o->items = (int)layout_extent(&o->inst, AXreg);
    for (int x = 0; x < 2; x++) {
        enum GemmLetter c = letters[which][x];
        int all = c == LEm ? g->M : c == LEn ? g->N : g->K;
        o->dim[x] = gemm_dim(q->p, q->s, which, x);
        o->tile[x] = o->inst.size[x];
        o->split[x] = c == LEm ? gm : c == LEn ? g->wn : 1;
        o->count[x] = all / o->split[x] / o->tile[x];
    }
    const BufLow *b = low_buf(q->l, o->r->buf);
    o->map = b->map;
    o->frag = q->p->buf[o->r->buf].scope == SCfragment;
    if (o->frag) {
        o->regs = b->regs;
        o->inplace = gemm_ordered(q, o);
        need_threads(q, o);
    }
}

/* This warp's (warp group's) number along letter x of o. */
static Ex warp_number(Gemm *q, const Operand *o, int x)
{
    Low *l = q->l;
    int unit = q->i->kind == MMAgroup ? 4 : 1, gm = q->g->wm / unit;
    Ex w = low_div(l, low_warp(l), unit);
    if (letters[o->which][x] == LEn)
        w = low_div(l, w, gm);
    return low_mod(l, w, o->split[x]);
}

void gemm_origin(Gemm *q, const Operand *o, const Ex t[2], bool warp, Ex *idx)
{
    Low *l = q->l;
    for (int d = 0; d < q->p->buf[o->r->buf].ndim; d++)
        idx[d] = o->r->min[d];
    for (int x = 0; x < 2; x++) {
        Ex e = low_mul(l, t[x], o->tile[x]);
        if (warp && o->split[x] > 1)
            e = low_add(l, e, low_mul(l, warp_number(q, o, x), o->count[x] * o->tile[x]));
        idx[o->dim[x]] = low_add(l, idx[o->dim[x]], e);
    }
}

Ex gemm_tile(Gemm *q, const Operand *o, const Ex t[2])
{
    Ex idx[MaxDim];
    gemm_origin(q, o, t, false, idx);
    return gemm_reg(q->l, &o->map, idx);
}

Region gemm_regs(Low *l, uint32_t buf, Ex e, int n)
{
    return (Region){.buf = buf, .min = {e}, .extent = {low_i(l, n)}};
}

Ex gemm_for(Low *l, const char *name, int n)
{
    Ex lo = low_i(l, 0), hi = low_i(l, n);
    if (n == 1)
        return lo;
    Stmt *s = s_for(l->p, Funroll, &lo, &hi, 1, low_i(l, 1), &name);
    return x_var(l->p, s->loop.var[0]);
}

void gemm_end(Low *l, int n)
{
    if (n != 1)
        s_close(l->p);
}

void gemm_move(Gemm *q, const Operand *o, const Ex t[2], uint32_t buf, Ex dst, bool back)
{
    Low *l = q->l;
    Prog *p = q->p;
    Ex idx[MaxDim], e = gemm_for(l, "e", o->items);
    gemm_origin(q, o, t, false, idx);
    for (int i = 0; i < o->inst.n; i++) {
        const Mode *g = &o->inst.d[i];
        int d = o->dim[g->dim];
        if (g->axis != AXreg)
            continue;
        Ex v = low_mod(l, low_div(l, e, g->stride), g->extent);
        idx[d] = low_add(l, idx[d], low_mul(l, v, g->weight));
    }
    Ex reg = gemm_reg(l, &o->map, idx), at = low_add(l, dst, e);
    uint32_t to = back ? o->regs : buf, from = back ? buf : o->regs;
    s_store(p, to, back ? &reg : &at, 1,
            x_cast(p, (enum Dtype)p->buf[to].dt, x_load(p, from, back ? &at : &reg, 1)));
    gemm_end(l, o->items);
}

/* Accumulators --------------------------------------------------------------- */

static bool separate(const Gemm *q) { return !q->c.inplace || q->g->widen; }

static Ex first_reg(Gemm *q, Ex i, Ex j)
{
    Low *l = q->l;
    if (!separate(q))
        return gemm_tile(q, &q->c, (Ex[2]){i, j});
    return low_mul(l, low_add(l, low_mul(l, i, q->c.count[1]), j), q->c.items);
}

Region gemm_acc(Gemm *q, Ex i, Ex j)
{
    return gemm_regs(q->l, q->acc, first_reg(q, i, j), q->c.items);
}

static void zero(Gemm *q, Ex i, Ex j)
{
    Prog *p = q->p;
    Ex e = gemm_for(q->l, "e", q->c.items);
    Ex at = low_add(q->l, first_reg(q, i, j), e);
    s_store(p, q->acc, &at, 1, x_cast(p, (enum Dtype)p->buf[q->acc].dt, low_i(q->l, 0)));
    gemm_end(q->l, q->c.items);
}

/* Calls f for all tiles of C, in unrolled loops. */
static void gemm_tiles(Gemm *q, void (*f)(Gemm *, Ex, Ex))
{
    Ex i = gemm_for(q->l, "i", q->c.count[0]);
    Ex j = gemm_for(q->l, "j", q->c.count[1]);
    f(q, i, j);
    gemm_end(q->l, q->c.count[1]);
    gemm_end(q->l, q->c.count[0]);
}

static void gemm_load(Gemm *q, Ex i, Ex j)
{
    gemm_move(q, &q->c, (Ex[2]){i, j}, q->acc, first_reg(q, i, j), false);
}

static void gemm_store(Gemm *q, Ex i, Ex j)
{
    gemm_move(q, &q->c, (Ex[2]){i, j}, q->acc, first_reg(q, i, j), true);
}

void gemm_load_c(Gemm *q)
{
    int n = q->c.items * q->c.count[0] * q->c.count[1];
    q->acc = separate(q) ? low_local(q->l, (enum Dtype)q->i->c, "acc", n) : q->c.regs;
    if (separate(q))
        low_holds(q->l, q->acc, q->c.r->buf);
    bool overwrites = q->i->kind == MMAgroup; /* the first instruction does: scale-d */
    if (q->s->op.attr[GEclear]) {
        if (!overwrites)
            gemm_tiles(q, zero);
    } else if (separate(q)) {
        gemm_tiles(q, gemm_load);
    }
}

void gemm_store_c(Gemm *q)
{
    if (separate(q))
        gemm_tiles(q, gemm_store);
}

/* Products ------------------------------------------------------------------- */

/* Registers of tile x of an operand for step k, its h-th instruction of a pack. */
static Region operand_regs(Gemm *q, const Operand *o, Ex x, Ex k, Ex h)
{
    Low *l = q->l;
    Ex t[2] = {o->which == GemmA ? x : k, o->which == GemmA ? k : x};
    int n = o->items / q->pack;
    Ex e = o->frag && o->inplace ? gemm_tile(q, o, t) : low_mul(l, x, o->items);
    return gemm_regs(l, o->regs, low_add(l, e, low_mul(l, h, n)), n);
}

/* A place for the tiles of one step, unless they are used where they are. */
static void alloc_step(Gemm *q, Operand *o, const char *name)
{
    if (o->frag)
        return;
    o->regs = low_local(q->l, (enum Dtype)q->p->buf[o->r->buf].dt, name,
                        (int64_t)o->items * o->count[o->which == GemmA ? 0 : 1]);
    low_holds(q->l, o->regs, o->r->buf);
}

static void gemm_products(Gemm *q)
{
    Low *l = q->l;
    Prog *p = q->p;
    gemm_load_c(q);
    alloc_step(q, &q->a, "A_r");
    alloc_step(q, &q->b, "B_r");
    Operand fa = q->a, fb = q->b; /* where the instructions read */
    Ex k = gemm_for(l, "k", q->a.count[1]);
    Operand *both[2] = {&fa, &fb};
    for (int x = 0; x < 2; x++) {
        Operand *o = both[x];
        if (o->frag && !o->inplace) {
            o->regs = low_local(l, (enum Dtype)p->buf[o->r->buf].dt, x ? "B_r" : "A_r",
                                (int64_t)o->items * o->count[x]);
            low_holds(l, o->regs, o->r->buf);
            o->frag = false;
        }
        gemm_fetch(q, x ? &q->b : &q->a, k, o->regs);
    }
    Ex h = gemm_for(l, "h", q->pack);
    Ex i = gemm_for(l, "i", q->c.count[0]);
    Ex j = gemm_for(l, "j", q->c.count[1]);
    Region a = operand_regs(q, &fa, i, k, h), b = operand_regs(q, &fb, j, k, h);
    s_op(p, Omma, (Region[MaxRegion]){a, b, gemm_acc(q, i, j)}, 0, NULL, q->i->name);
    gemm_end(l, q->c.count[1]);
    gemm_end(l, q->c.count[0]);
    gemm_end(l, q->pack);
    gemm_end(l, q->a.count[1]);
    gemm_store_c(q);
}

/* What a user writes around T.wgmma_gemm; nothing is left to wait for where it
 * has become a product by warps. */
static bool gemm_waits(const Stmt *s)
{
    return s->op.op == Owgmma_fence || s->op.op == Owgmma_commit || s->op.op == Owgmma_wait;
}

static Stmt *gemm_statement(Low *l, Stmt *s)
{
    const GemmPlan *g = gemm_plan(s);
    if (s->kind == Sop && gemm_waits(s) && !l->m->wgmma)
        return NULL;
    if (!g || !g->mma)
        return s;
    Gemm q = {.l = l, .p = l->p, .s = s, .g = g, .i = g->mma,
              .shape = gemm_shape(g->mma, g->n), .pack = g->pack};
    gemm_operand(&q, &q.a, GemmA);
    gemm_operand(&q, &q.b, GemmB);
    gemm_operand(&q, &q.c, GemmC);
    low_begin(l, s->loc);
    if (q.i->kind == MMAgroup)
        gemm_group(&q);
    else
        gemm_products(&q);
    return low_end(l);
}

void low_gemm(Low *l)
{
    if (l->m->wgmma)
        gemm_overlap(l);
    gemm_walk(l, &l->launch->launch.body, gemm_statement);
    low_ldsm(l);
    low_lane_rows(l);
}
