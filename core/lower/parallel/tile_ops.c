/* core/lower/parallel/tile_ops.c: tile operations as parallel loops with plain stores, so
 * that one way of spreading work over threads serves all.
 *
 *   copy, fill, transpose, atomic   a parallel loop over the extents that are not 1
 *   copy planned CPasync            a parallel loop of one cp_async an element
 *   gemm without an instruction     for k: parallel loop C[i, j] += A[i, k] * B[k, j]
 *   print of a tile                 one thread prints; registers go through
 *                                   shared memory first */
#include <string.h>

#include "core/lower/flatten/flatten.h"
#include "parallel.h"

/* ORDER of the attributes in ops.h */
enum { PGgroup, PGwarp };

static const char *const names[MaxLoop] = {"i", "j", "k", "l", "m", "n", "o", "q"};

/* Opens a parallel loop over the extents of r that are not 1 (one of a single iteration
 * when all are); at[k] is the k-th variable.  -> how many. */
static int expand_open_parloop(Low *l, const Region *r, Ex *at)
{
    Prog *p = l->p;
    Ex lo[MaxLoop], hi[MaxLoop];
    int64_t v;
    int n = 0;
    for (int d = 0; d < p->buf[r->buf].ndim; d++)
        if (!x_isint(p, r->extent[d], &v) || v != 1) {
            lo[n] = low_i(l, 0);
            hi[n++] = r->extent[d];
        }
    int open = n ? n : 1;
    if (n == 0) {
        lo[0] = low_i(l, 0);
        hi[0] = low_i(l, 1);
    }
    Stmt *s = s_for(p, Fparallel, lo, hi, open, 0, names);
    for (int i = 0; i < open; i++)
        at[i] = x_var(p, s->loop.var[i]);
    return n;
}

/* Element at the parallel loop's variables; swap: the last two stand for each other. */
static void loop_element(Low *l, const Region *r, const Ex *at, int n, bool swap, Ex *idx)
{
    Ex turned[MaxLoop];
    memcpy(turned, at, sizeof turned);
    if (swap && n >= 2) {
        turned[n - 1] = at[n - 2];
        turned[n - 2] = at[n - 1];
    }
    flat_index(l, r, turned, idx);
}

/* Copies ---------------------------------------------------------------- */

static Stmt *expand_copy(Low *l, const Stmt *s, const Region *dst, const Region *src, bool swap)
{
    Ex at[MaxLoop] = {0}, from[MaxDim], to[MaxDim];
    low_begin(l, s->loc);
    int n = expand_open_parloop(l, dst, at);
    loop_element(l, dst, at, n, false, to);
    loop_element(l, src, at, n, swap, from);
    low_put(l, low_store(l, dst->buf, to, low_load(l, src->buf, from)));
    s_close(l->p);
    return low_end(l);
}

Stmt *low_copy_parloop(Low *l, const Stmt *s)
{
    return expand_copy(l, s, &s->op.r[1], &s->op.r[0], false);
}

static Stmt *bare_op(Low *l, enum Op op, Loc loc)
{
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = Sop;
    s->loc = loc;
    s->op.op = (uint8_t)op;
    return s;
}

/* One cp_async an element; low_parallel makes wider ones of them. */
static Stmt *copy_async(Low *l, const Stmt *s, const CopyPlan *plan)
{
    Prog *p = l->p;
    const Region *r = s->op.r;
    Ex at[MaxLoop] = {0};
    low_begin(l, s->loc);
    int n = expand_open_parloop(l, &r[1], at);
    Stmt *k = bare_op(l, Ocp_async, s->loc);
    for (int i = 0; i < 2; i++) {
        k->op.r[i].buf = r[i].buf;
        loop_element(l, &r[i], at, n, false, k->op.r[i].min);
        for (int d = 0; d < p->buf[r[i].buf].ndim; d++)
            k->op.r[i].extent[d] = low_i(l, 1);
    }
    k->op.value = x_int(p, DTbool, 1);
    k->op.attr[0] = dtypeinfo[p->buf[r[1].buf].dt].bits / 8;
    low_put(l, k);
    s_close(p);
    if (!plan->commit && !(s->op.op == Oasync_copy && s->op.attr[1]))
        low_put(l, bare_op(l, Ocp_async_commit, s->loc));
    return low_end(l);
}

static Stmt *expand_fill(Low *l, const Stmt *s)
{
    const Region *r = &s->op.r[0];
    Ex at[MaxLoop] = {0}, to[MaxDim];
    low_begin(l, s->loc);
    int n = expand_open_parloop(l, r, at);
    loop_element(l, r, at, n, false, to);
    low_put(l, low_store(l, r->buf, to, s->op.value));
    s_close(l->p);
    return low_end(l);
}

static Stmt *expand_atomic(Low *l, const Stmt *s)
{
    const Region *dst = &s->op.r[0], *src = &s->op.r[1];
    Ex at[MaxLoop] = {0}, from[MaxDim], to[MaxDim];
    low_begin(l, s->loc);
    int n = expand_open_parloop(l, src, at);
    loop_element(l, dst, at, n, false, to);
    loop_element(l, src, at, n, false, from);
    Stmt *k = low_atomic(l, s->op.attr[0], dst->buf, to, low_load(l, src->buf, from));
    k->atomic.order = (uint8_t)s->op.attr[1];
    low_put(l, k);
    s_close(l->p);
    return low_end(l);
}

/* gemm ------------------------------------------------------------------ */

static bool is_fragment(const Prog *p, uint32_t buf) { return p->buf[buf].scope == SCfragment; }

static uint32_t like(Low *l, const Region *r, enum Scope sc, enum Dtype dt)
{
    Prog *p = l->p;
    const char *name = afmt(&p->ctx, "%s_%c", p->buf[r->buf].name, sc == SCshared ? 's' : 'w');
    uint32_t b = sc == SCshared ? low_sharedbuf(l, dt, name, r->extent, p->buf[r->buf].ndim)
                                : p_buf(p, sc, dt, name, r->extent, NULL, p->buf[r->buf].ndim);
    if (sc != SCshared)
        s_alloc(p, b, 0);
    low_holds(l, b, r->buf);
    return b;
}

/* The sum is formed in this type: the cpu target's. */
static enum Dtype sum_type(enum Dtype c)
{
    if (dtypeinfo[c].cls != 'F')
        return DTi32;
    return c == DTf64 ? DTf64 : DTf32;
}

/* An operand in shared memory: fragments are copied there, as every thread
 * needs whole rows and columns. */
static Region expand_operand(Low *l, const Stmt *s, const Region *r)
{
    Prog *p = l->p;
    if (!is_fragment(p, r->buf))
        return *r;
    Region to = r_whole(p, like(l, r, SCshared, (enum Dtype)p->buf[r->buf].dt));
    low_put(l, expand_copy(l, s, &to, r, false));
    return to;
}

static Ex expand_factor(Low *l, const Region *r, Ex row, Ex col, bool turned, enum Dtype t)
{
    Prog *p = l->p;
    Ex idx[MaxDim];
    int n = p->buf[r->buf].ndim;
    memcpy(idx, r->min, sizeof idx);
    idx[n - 2] = low_add(l, idx[n - 2], turned ? col : row);
    idx[n - 1] = low_add(l, idx[n - 1], turned ? row : col);
    return x_cast(p, t, low_load(l, r->buf, idx));
}

/* Multiply-adds of k, for all (i, j) of C; spread: over the threads. */
static void expand_products(Low *l, const Stmt *s, const Region *a, const Region *b,
                            const Region *c, bool spread, int64_t depth)
{
    Prog *p = l->p;
    static const char *const kname = "k";
    Ex zero = low_i(l, 0), kmax = low_i(l, depth), lo[2], hi[2], idx[MaxDim];
    int n = p->buf[c->buf].ndim, loops = 1;
    enum Dtype t = sum_type((enum Dtype)p->buf[c->buf].dt);
    uint32_t v[2];
    for (int i = 0; i < 2; i++) {
        lo[i] = zero;
        hi[i] = c->extent[n - 2 + i];
    }
    Stmt *fk = s_for(p, Fserial, &zero, &kmax, 1, low_i(l, 1), &kname);
    if (spread) {
        Stmt *f = s_for(p, Fparallel, lo, hi, 2, 0, names);
        memcpy(v, f->loop.var, sizeof v);
    } else {
        for (int i = 0; i < 2; i++, loops++)
            v[i] = s_for(p, Funroll, &lo[i], &hi[i], 1, low_i(l, 1), &names[i])->loop.var[0];
        loops--;
    }
    Ex i = x_var(p, v[0]), j = x_var(p, v[1]), k = x_var(p, fk->loop.var[0]);
    memcpy(idx, c->min, sizeof idx);
    idx[n - 2] = low_add(l, idx[n - 2], i);
    idx[n - 1] = low_add(l, idx[n - 1], j);
    Ex prod = x_bin(p, Xmul, expand_factor(l, a, i, k, s->op.attr[GEtransA], t),
                    expand_factor(l, b, k, j, s->op.attr[GEtransB], t));
    low_put(l, low_store(l, c->buf, idx, x_bin(p, Xadd, low_load(l, c->buf, idx), prod)));
    for (; loops >= 0; loops--)
        s_close(p);
}

static Stmt *expand_gemm(Low *l, const Stmt *s)
{
    Prog *p = l->p;
    const Region *c = &s->op.r[2];
    const Region *a0 = &s->op.r[0];
    int64_t depth = 0;
    bool spread = is_fragment(p, c->buf);
    enum Dtype ct = (enum Dtype)p->buf[c->buf].dt, t = sum_type(ct);
    x_isint(p, a0->extent[p->buf[a0->buf].ndim - (s->op.attr[GEtransA] ? 2 : 1)], &depth);
    low_begin(l, s->loc);
    Region a = expand_operand(l, s, a0), b = expand_operand(l, s, &s->op.r[1]), sum = *c;
    if (spread && t != ct)
        sum = r_whole(p, like(l, c, SCfragment, t)); /* rounded once, at the end */
    if (s->op.attr[GEclear]) {
        Stmt zero = {.kind = Sop, .loc = s->loc};
        zero.op.r[0] = sum;
        zero.op.value = x_int(p, (enum Dtype)p->buf[sum.buf].dt, 0);
        low_put(l, expand_fill(l, &zero));
    } else if (sum.buf != c->buf) {
        low_put(l, expand_copy(l, s, &sum, c, false));
    }
    expand_products(l, s, &a, &b, &sum, spread, depth);
    if (sum.buf != c->buf)
        low_put(l, expand_copy(l, s, c, &sum, false));
    return low_end(l);
}

/* print ----------------------------------------------------------------- */

static Stmt *expand_print(Low *l, Stmt *s)
{
    Prog *p = l->p;
    const Region *r = &s->op.r[0];
    int per = l->m->group ? l->m->group : 4;
    int who = (s->op.attr[PGgroup] * per + s->op.attr[PGwarp]) * l->m->warp;
    low_begin(l, s->loc);
    if (r->buf && is_fragment(p, r->buf)) {
        Region to = r_whole(p, like(l, r, SCshared, (enum Dtype)p->buf[r->buf].dt));
        p_name(p, to.buf, p->buf[r->buf].name);
        low_put(l, expand_copy(l, s, &to, r, false));
        s->op.r[0] = to;
    }
    s->op.attr[PGgroup] = s->op.attr[PGwarp] = 0;
    Ex cond = x_bin(p, Xeq, low_thread(l), low_i(l, who < l->threads ? who : 0));
    low_put(l, low_if(l, cond, s, NULL));
    return low_end(l);
}

/* ----------------------------------------------------------------------- */

static Stmt *parallel_expand(Low *l, Stmt *s, bool *into, void *ud)
{
    const CopyPlan *plan = copy_plan(s);
    (void)ud;
    if (s->kind != Sop)
        return s;
    const Region *r = s->op.r;
    *into = false;
    switch ((enum Op)s->op.op) {
    case Ocopy: case Oasync_copy:
        if (plan && plan->how == CPasync)
            return copy_async(l, s, plan);
        return plan && plan->how != CPloop ? s : expand_copy(l, s, &r[1], &r[0], false);
    case Otranspose: return expand_copy(l, s, &r[1], &r[0], true);
    case Ofill: return expand_fill(l, s);
    case Oatomic: return expand_atomic(l, s);
    case Ogemm: {
        const GemmPlan *g = gemm_plan(s);
        return g && g->mma ? s : expand_gemm(l, s);
    }
    case Oprint: return expand_print(l, s);
    default: return s;
    }
}

void low_tile_ops(Low *l)
{
    low_rewrite(l, &l->launch->launch.body, parallel_expand, NULL);
}
