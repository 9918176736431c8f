/* core/lower/mma/ldsm.c: copies between shared memory and fragments that ldmatrix
 * and stmatrix can do.
 *
 * A parallel loop qualifies when all it does is one store of one element loaded from the
 * other side, of the same type, and its lanes stand as those of 8x8 matrices
 * (reference: 3.2): with r the variable along the rows and c the one whose
 * elements are side by side in shared memory, per = 4 bytes / element:
 *
 *     plain   reg: c % per         lane: c / per % 4, then r % 8
 *     trans   reg: r % 2           lane: r / 2 % 4, then c % 8    (16 bits only)
 *
 * What is left of the layout is register, up to four matrices of which go
 * at once, and warps. */
#include "gemm.h"
#include "err/lower.h"

typedef struct Bit Bit;
struct Bit { int var; int32_t weight; }; /* of the number of a matrix */

typedef struct Ldsm Ldsm;
struct Ldsm {
    Low *l;
    Prog *p;
    Stmt *s;               /* the parallel loop */
    const Stmt *st;        /* its store */
    const Layout *loop;
    bool load;             /* ldmatrix */
    uint32_t frag, shared;
    const Ex *fidx, *sidx;
    Layout map, place;     /* of the fragment, of the shared buffer */
    int bits, per;
    int r, c;              /* variables */
    int cdim;              /* dimension of the shared buffer along c */
    bool trans;
    Bit bit[2];
    int nbit;
    int64_t *env;
};

/* Looking ------------------------------------------------------------------ */

static bool ldsm_pure(Ldsm *q)
{
    const Prog *p = q->p;
    const Stmt *st = q->s->loop.body;
    if (!st || st->next || st->kind != Sstore)
        return false;
    const Expr *v = ex_at(p, st->store.value);
    if (v->op != Xload || p->buf[v->sym].dt != p->buf[st->store.buf].dt)
        return false;
    int to = p->buf[st->store.buf].scope, from = p->buf[v->sym].scope;
    q->load = to == SCfragment && from == SCshared;
    if (!q->load && !(to == SCshared && from == SCfragment))
        return false;
    q->st = st;
    q->frag = q->load ? st->store.buf : v->sym;
    q->shared = q->load ? v->sym : st->store.buf;
    q->fidx = q->load ? st->store.idx : v->arg;
    q->sidx = q->load ? v->arg : st->store.idx;
    q->bits = dtypeinfo[p->buf[q->frag].dt].bits;
    q->per = 32 / q->bits;
    return q->bits >= 8 && q->bits <= 32;
}

/* The mode of variable v at this weight, or NULL. */
static const Mode *ldsm_mode_at(const Ldsm *q, int v, int32_t weight)
{
    for (int i = 0; i < q->loop->n; i++)
        if (q->loop->d[i].dim == v && q->loop->d[i].weight == weight)
            return &q->loop->d[i];
    return NULL;
}

static bool lanes_match(const Ldsm *q, int v, int32_t weight, int32_t extent, int32_t stride)
{
    const Mode *g = ldsm_mode_at(q, v, weight);
    return g && g->axis == AXlane && g->extent == extent && g->stride == stride;
}

/* Whether the lanes are those of 8x8 matrices with rows along q->r. */
static bool ldsm_matrix(Ldsm *q)
{
    int v = q->trans ? q->r : q->c, other = q->trans ? q->c : q->r;
    if (q->trans && q->bits != 16)
        return false;
    const Mode *low = ldsm_mode_at(q, v, 1);
    if (q->per > 1 && (!low || low->axis != AXreg || low->extent != q->per))
        return false;
    return lanes_match(q, v, q->per, 4, 1) && lanes_match(q, other, 1, 8, 4);
}

static int64_t ldsm_at(const Ldsm *q, Ex e, int v, int32_t value)
{
    int64_t n = 0;
    q->env[q->s->loop.var[v]] = value;
    x_eval(q->p, e, q->env, &n);
    q->env[q->s->loop.var[v]] = 0;
    return n;
}

/* Registers of the fragment from one value of variable v to the one `weight` on. */
static int64_t reg_stride(const Ldsm *q, int v, int32_t weight)
{
    int32_t a[LayDims], b[LayDims];
    for (int d = 0; d < q->map.ndim; d++) {
        a[d] = (int32_t)ldsm_at(q, q->fidx[d], v, 0);
        b[d] = (int32_t)ldsm_at(q, q->fidx[d], v, weight);
    }
    return layout_eval(&q->map, b).at[AXreg] - layout_eval(&q->map, a).at[AXreg];
}

/* The one dimension of the shared buffer that moves with variable v, by one
 * each; -1: none or several, -2: with another stride. */
static int ldsm_along(const Ldsm *q, int v)
{
    int found = -1;
    for (int d = 0; d < q->p->buf[q->shared].ndim; d++) {
        if (!x_uses(q->p, q->sidx[d], q->s->loop.var[v]))
            continue;
        ExSum sum = x_linear(q->p, q->sidx[d]);
        for (int i = 0; i < sum.n && found != d; i++)
            if (sum.atom[i] == x_var(q->p, q->s->loop.var[v])) {
                if (found >= 0 || sum.coef[i] != 1)
                    return -2;
                found = d;
            }
        if (found != d)
            return -2;
    }
    return found;
}

/* The variable along dimension d. */
static int along_dim(const Ldsm *q, int d)
{
    for (int v = 0; v < q->s->loop.n; v++)
        if (ldsm_along(q, v) == d)
            return v;
    return -1;
}

/* Register modes that number the matrices of one instruction: their registers follow
 * each other as its registers do. */
static void ldsm_bits(Ldsm *q)
{
    for (q->nbit = 0; q->nbit < 2; q->nbit++) {
        bool found = false;
        for (int i = 0; i < q->loop->n && !found; i++) {
            const Mode *g = &q->loop->d[i];
            int v = q->trans ? q->r : q->c;
            int32_t w = g->weight;
            if (g->axis != AXreg || (g->dim == v && w < q->per) || g->extent % 2)
                continue;
            if (q->nbit && q->bit[0].var == g->dim && q->bit[0].weight == w) {
                if (g->extent % 4)
                    continue;
                w *= 2;
            }
            found = reg_stride(q, g->dim, w) == (int64_t)q->per << q->nbit;
            if (found)
                q->bit[q->nbit] = (Bit){g->dim, w};
        }
        if (!found)
            return;
    }
}

/* NULL, or what keeps a copy whose lanes are right from being one. */
static const char *why_not_ldsm(Ldsm *q, bool *near)
{
    Prog *p = q->p;
    int row = 128 / q->bits;
    *near = false;
    for (int v = 0; v < q->s->loop.n; v++) {
        int64_t lo;
        if (!x_isint(p, q->s->loop.lo[v], &lo) || lo != 0 ||
            q->loop->size[v] != q->loop->extent[v])
            return "size";
        if (ldsm_along(q, v) == -2)
            return "stride";
    }
    for (int i = 0; i < q->loop->nb; i++)
        if (q->loop->b[i].axis != AXwarp)
            return "copies";
    q->cdim = -1;
    for (int d = 0; d < p->buf[q->shared].ndim; d++)
        if (gemm_contiguous(&q->place, d, row) && (q->c = along_dim(q, d)) >= 0)
            q->cdim = d;
    for (int d = 0; d < p->buf[q->shared].ndim; d++) {
        q->r = d == q->cdim ? -1 : along_dim(q, d);
        for (int t = 0; t < 2 && q->cdim >= 0 && q->r >= 0; t++) {
            q->trans = t;
            if (!ldsm_matrix(q))
                continue;
            *near = true;
            Ex from = low_add(q->l, q->sidx[q->cdim],
                              low_mul(q->l, x_var(p, q->s->loop.var[q->c]), -1));
            if (!x_multiple(p, from, row))
                return afmt(&p->ctx, "min[%d] %% %d != 0", q->cdim, row);
            if (q->per > 1 && reg_stride(q, t ? q->r : q->c, 1) != 1)
                return "slots";
            return NULL;
        }
    }
    return "lanes";
}

/* Lanes that would do if the elements stood the other way, or side by side. */
static bool almost(Ldsm *q)
{
    int n = q->s->loop.n;
    for (q->r = 0; q->r < n; q->r++)
        for (q->c = 0; q->c < n; q->c++)
            for (int t = 0; t < 2; t++) {
                q->trans = t;
                if (q->r != q->c && q->bits == 16 && ldsm_matrix(q))
                    return true;
            }
    return false;
}

/* Building ------------------------------------------------------------------ */

/* Adds e to variable v of the iteration that a lane names (addr) and, when
 * `register`, of the one whose registers are touched. */
static void add_to_index(Ldsm *q, Ex *addr, Ex *reg, int v, Ex e)
{
    addr[v] = low_add(q->l, addr[v], e);
    if (reg)
        reg[v] = low_add(q->l, reg[v], e);
}

static int ldsm_used(const Ldsm *q, const Mode *g, int32_t *low)
{
    int n = 0;
    *low = 0;
    for (int b = 0; b < q->nbit; b++)
        if (q->bit[b].var == g->dim && q->bit[b].weight >= g->weight &&
            q->bit[b].weight < (int64_t)g->weight * g->extent)
            n++;
    return n;
}

/* Loops over the registers that one instruction does not cover; how many. */
static int ldsm_loops(Ldsm *q, Ex *addr, Ex *reg)
{
    Low *l = q->l;
    int open = 0;
    for (int i = 0; i < q->loop->n; i++) {
        const Mode *g = &q->loop->d[i];
        int v = q->trans ? q->r : q->c;
        int32_t low, rest;
        if (g->axis == AXwarp) {
            Ex w = low_mod(l, low_div(l, low_warp(l), g->stride), g->extent);
            add_to_index(q, addr, NULL, g->dim, low_mul(l, w, g->weight));
        }
        if (g->axis != AXreg || (g->dim == v && g->weight < q->per))
            continue;
        rest = g->extent >> ldsm_used(q, g, &low);
        if (rest > 1) {
            Ex u = gemm_for(l, "u", rest);
            add_to_index(q, addr, reg, g->dim, low_mul(l, u, g->weight * (g->extent / rest)));
            open++;
        }
    }
    return open;
}

/* Index list with the parallel loop's variables replaced. */
static void index(Ldsm *q, const Ex *idx, int n, const Ex *at_var, Ex *out)
{
    LowNew map[MaxLoop];
    for (int v = 0; v < q->s->loop.n; v++)
        map[v] = (LowNew){q->s->loop.var[v], at_var[v]};
    for (int d = 0; d < n; d++)
        out[d] = low_varsx(q->l, idx[d], map, q->s->loop.n);
}

/* Lane 8m + r names row r of matrix m. */
static void ldsm_rows(Ldsm *q, Ex *addr)
{
    Low *l = q->l;
    Ex lane = low_lane(l);
    bool line = q->nbit && q->bit[0].var == q->r && q->bit[0].weight == 8;
    add_to_index(q, addr, NULL, q->r, low_mod(l, lane, line ? 16 : 8));
    if (q->nbit && !line)
        add_to_index(q, addr, NULL, q->bit[0].var,
                     low_mul(l, low_mod(l, low_div(l, lane, 8), 2), q->bit[0].weight));
    if (q->nbit > 1)
        add_to_index(q, addr, NULL, q->bit[1].var,
                     low_mul(l, low_div(l, lane, 16), q->bit[1].weight));
}

static Stmt *ldsm_build(Ldsm *q)
{
    Low *l = q->l;
    Prog *p = q->p;
    Ex addr[MaxLoop], reg[MaxLoop], idx[MaxDim], first = q->load ? 0 : low_first(l, q->loop);
    int num = 1 << q->nbit, ndim = p->buf[q->shared].ndim;
    low_begin(l, q->s->loc);
    if (first)
        s_if(p, first);
    for (int v = 0; v < q->s->loop.n; v++)
        addr[v] = reg[v] = low_i(l, 0);
    int open = ldsm_loops(q, addr, reg);
    ldsm_rows(q, addr);
    Region m = {.buf = q->shared};
    index(q, q->sidx, ndim, addr, m.min);
    for (int d = 0; d < ndim; d++)
        m.extent[d] = low_i(l, d == q->cdim ? 128 / q->bits : 1);
    index(q, q->fidx, p->buf[q->frag].ndim, reg, idx);
    Region f = gemm_regs(l, low_buf(l, q->frag)->regs, gemm_reg(l, &q->map, idx), num * q->per);
    int32_t attr[MaxAttr] = {num, q->trans};
    s_op(p, q->load ? Oldmatrix : Ostmatrix,
         (Region[MaxRegion]){q->load ? m : f, q->load ? f : m}, 0, attr, NULL);
    for (; open; open--)
        s_close(p);
    if (first)
        s_close(p);
    return low_end(l);
}

static Stmt *ldsm_try(Low *l, Stmt *s)
{
    const ParLoopPlan *n = loop_plan(s);
    Ldsm q = {.l = l, .p = l->p, .s = s};
    bool near;
    if (!n || !ldsm_pure(&q) || !(q.load ? l->m->ldmatrix : l->m->stmatrix))
        return s;
    q.loop = &n->loop;
    q.map = low_buf(l, q.frag)->map;
    q.place = low_buf(l, q.shared)->map;
    q.env = low_zeros(l);
    const char *why = low_buf(l, q.frag)->regs ? why_not_ldsm(&q, &near) : "slots";
    if (!why) {
        ldsm_bits(&q);
        return ldsm_build(&q);
    }
    if (near || almost(&q))
        low_note(l, E_copy_ldmatrix, s, q.load ? "ldmatrix" : "stmatrix", why);
    return s;
}

void low_ldsm(Low *l)
{
    if (l->m->ldmatrix || l->m->stmatrix)
        gemm_walk(l, &l->launch->launch.body, ldsm_try);
}
