/* core/lower/reduce.c: reductions of fragments, and of private arrays.
 *
 * The solver has given the operation a loop layout over its source (a ParLoopPlan)
 * that agrees with both sides, so a reduction is a walk over modes:
 *   1. each thread combines its own registers, in the order of the loop's register
 *      modes; with few outputs in two or four partial results, register r of one
 *      mode into partial r % 4, so that one operation need not wait for the
 *      one before;
 *   2. lanes exchange partial results by shfl_xor, low lane bits first (a
 *      butterfly: all lanes end with the same bits);
 *   3. warps write one value each to shared memory and every thread combines
 *      the values of all warps, in the order of their numbers, at once;
 *   4. the old value of the destination comes in once, on the left.
 * The order of a float sum is therefore the layout's; it is the same in every
 * run.  Threads that hold copies compute copies.  Barriers are low_sync's. */
#include <math.h>
#include <string.h>

#include "core/lower/mma/gemm.h"
#include "core/ir/reduce.h"

/* Fragments -------------------------------------------------------------- */

typedef struct ReduceLower ReduceLower;
struct ReduceLower {
    Low *l;
    Prog *p;
    const Stmt *s;
    const Layout *loop;
    int kind, dim;
    bool nan, clear;
    enum Dtype dt, ddt;     /* of the combined values, of the destination */
    uint32_t acc;           /* local: `chains` values an output of this thread */
    int64_t outs;
    int32_t chains;         /* partial results of an output; the first is the result */
    int chained;            /* the register mode that says which, when there are several */
    Ex reg[LayModes];       /* of the loop's register modes: a loop variable, or 0 */
};

static bool reduce_reduced(const ReduceLower *q, const Mode *d) { return d->dim == q->dim; }

/* Opens unrolled loops over the register modes that are reduced, or those that are
 * not; how many. */
static int reduce_open_loops(ReduceLower *q, bool red)
{
    int n = 0, r = 0;
    Ex lo = low_i(q->l, 0), one = low_i(q->l, 1);
    for (int i = 0; i < q->loop->n; i++) {
        const Mode *d = &q->loop->d[i];
        if (d->axis != AXreg)
            continue;
        if (reduce_reduced(q, d) == red) {
            const char *name = red ? "r" : "k";
            Ex hi = low_i(q->l, d->extent);
            Stmt *f = s_for(q->p, Funroll, &lo, &hi, 1, one, &name);
            q->reg[r] = x_var(q->p, f->loop.var[0]);
            n++;
        } else if (!red) {
            q->reg[r] = lo;
        }
        r++;
    }
    return n;
}

static void close_loops(ReduceLower *q, int n)
{
    while (n-- > 0)
        s_close(q->p);
}

/* Number of this thread's output at the variables of the open loops. */
static Ex out_number(ReduceLower *q)
{
    Ex sum = low_i(q->l, 0);
    int64_t step = 1;
    for (int i = q->loop->n - 1, r = 0; i >= 0; i--) {
        const Mode *d = &q->loop->d[i];
        if (d->axis != AXreg || reduce_reduced(q, d))
            continue;
        r = 0;
        for (int k = 0; k < i; k++)
            r += q->loop->d[k].axis == AXreg;
        sum = low_add(q->l, sum, low_mul(q->l, q->reg[r], step));
        step *= d->extent;
    }
    return sum;
}

/* The part of index d that the register modes make. */
static Ex reduce_reg_index(ReduceLower *q, int d)
{
    Ex sum = low_i(q->l, 0);
    for (int i = 0, r = 0; i < q->loop->n; i++) {
        const Mode *g = &q->loop->d[i];
        if (g->axis == AXreg) {
            if (g->dim == d)
                sum = low_add(q->l, sum, low_mul(q->l, q->reg[r], g->weight));
            r++;
        }
    }
    return sum;
}

/* Condition that the iteration is no padding; 0: always.  red: of the reduced
 * dimension too. */
static Ex not_padding(ReduceLower *q, bool red)
{
    Ex all = 0;
    for (int d = 0; d < q->loop->ndim; d++) {
        if (q->loop->extent[d] == q->loop->size[d] || (d == q->dim && !red))
            continue;
        Ex c = x_bin(q->p, Xlt, low_index(q->l, q->loop, d, q->reg),
                     low_i(q->l, q->loop->size[d]));
        all = all ? x_bin(q->p, Xand, all, c) : c;
    }
    return all;
}

static Ex load_acc(ReduceLower *q, Ex k)
{
    k = low_mul(q->l, k, q->chains);
    return x_load(q->p, q->acc, &k, 1);
}

static void put_acc(ReduceLower *q, Ex k, Ex v)
{
    k = low_mul(q->l, k, q->chains);
    s_store(q->p, q->acc, &k, 1, v);
}

static Ex reduce_combine(ReduceLower *q, Ex a, Ex b)
{
    return red_combine(q->p, q->kind, q->nan, a, b);
}

/* The k-th register mode of the reduced dimension, lowest first, or NULL; *r: its
 * number among all register modes. */
static const Mode *reduced_regs(const ReduceLower *q, int k, int *r)
{
    *r = 0;
    for (int i = 0; i < q->loop->n; i++) {
        const Mode *d = &q->loop->d[i];
        if (d->axis == AXreg && reduce_reduced(q, d) && k-- == 0)
            return d;
        *r += d->axis == AXreg;
    }
    return NULL;
}

/* Partial results come from the lowest mode, or where that is a pair from the
 * next one. */
static void choose_chains(ReduceLower *q)
{
    const Mode *d;
    q->chains = 1;
    for (int k = 0; k < 2 && q->chains == 1 && q->outs < 4; k++) {
        if (!(d = reduced_regs(q, k, &q->chained)))
            return;
        if (d->extent % 4 == 0 && d->extent > 4)
            q->chains = k && q->outs > 1 ? 2 : 4;
        else if (d->extent % 2 == 0 && d->extent > 2)
            q->chains = 2;
        else if (d->extent != 2)
            return;
    }
}

/* Partial result c of output k. */
static Ex reduce_chain(ReduceLower *q, Ex k, Ex c)
{
    return low_add(q->l, low_mul(q->l, k, q->chains), c);
}

/* 1: own registers. */
static void within_thread(ReduceLower *q)
{
    const Region *src = &q->s->op.r[0];
    const BufLow *b = low_buf(q->l, src->buf);
    Ex idx[MaxDim], at, none = red_identity(q->p, q->kind, q->dt);
    int n = reduce_open_loops(q, false);
    Ex k = out_number(q);
    for (int c = 0; c < q->chains; c++) {
        at = reduce_chain(q, k, low_i(q->l, c));
        s_store(q->p, q->acc, &at, 1, none);
    }
    int m = reduce_open_loops(q, true);
    for (int d = 0; d < q->loop->ndim; d++)
        idx[d] = low_add(q->l, src->min[d], reduce_reg_index(q, d));
    Ex reg = gemm_reg(q->l, &b->map, idx), in = not_padding(q, true);
    Ex v = red_element(q->p, q->kind, q->dt, q->ddt, x_load(q->p, b->regs, &reg, 1));
    if (in)
        v = x_select(q->p, in, v, none);
    at = q->chains == 1 ? low_i(q->l, 0) : low_mod(q->l, q->reg[q->chained], q->chains);
    at = reduce_chain(q, k, at);
    s_store(q->p, q->acc, &at, 1, reduce_combine(q, x_load(q->p, q->acc, &at, 1), v));
    close_loops(q, m);
    for (int step = 1; step < q->chains; step *= 2)
        for (int c = 0; c < q->chains; c += 2 * step) {
            Ex a = reduce_chain(q, k, low_i(q->l, c)),
               other = reduce_chain(q, k, low_i(q->l, c + step));
            s_store(
                q->p, q->acc, &a, 1,
                reduce_combine(q, x_load(q->p, q->acc, &a, 1), x_load(q->p, q->acc, &other, 1)));
        }
    close_loops(q, n);
}

/* Runs over the outputs of the thread: an unrolled loop. */
static Ex open_outs(ReduceLower *q)
{
    const char *name = "k";
    Ex lo = low_i(q->l, 0), hi = low_i(q->l, q->outs);
    Stmt *f = s_for(q->p, Funroll, &lo, &hi, 1, low_i(q->l, 1), &name);
    return x_var(q->p, f->loop.var[0]);
}

/* 2: butterflies over the lane bits of the reduced dimension. */
static void across_lanes(ReduceLower *q)
{
    for (int bit = 1; bit < q->l->m->warp; bit *= 2)
        for (int i = 0; i < q->loop->n; i++) {
            const Mode *d = &q->loop->d[i];
            if (d->axis != AXlane || !reduce_reduced(q, d) || bit < d->stride ||
                bit >= d->stride * d->extent)
                continue;
            Ex k = open_outs(q), v = load_acc(q, k);
            Ex other = low_shuffle(q->l, Ishfl_xor, v, low_i(q->l, bit), q->l->m->warp);
            put_acc(q, k, reduce_combine(q, v, other));
            s_close(q->p);
        }
}

/* Value of a mode of the lane or warp. */
static Ex warp_mode(Low *l, const Mode *d)
{
    Ex e = d->axis == AXlane ? low_lane(l) : low_warp(l);
    return low_mod(l, low_div(l, e, d->stride), d->extent);
}

/* Lanes of a warp that hold different outputs, numbered densely; *n: how many. */
static Ex kept_lane(ReduceLower *q, int32_t *n)
{
    Ex sum = low_i(q->l, 0);
    *n = 1;
    for (int i = 0; i < q->loop->n; i++) {
        const Mode *d = &q->loop->d[i];
        if (d->axis != AXlane || reduce_reduced(q, d))
            continue;
        sum = low_add(q->l, sum, low_mul(q->l, warp_mode(q->l, d), *n));
        *n *= d->extent;
    }
    return sum;
}

/* Condition that this lane is the one of its equals that writes; 0: always. */
static Ex reduce_writer(ReduceLower *q)
{
    Ex all = 0;
    for (int i = 0; i < q->loop->n + q->loop->nb; i++) {
        const Mode *d = i < q->loop->n ? &q->loop->d[i] : &q->loop->b[i - q->loop->n];
        if (d->axis != AXlane || (i < q->loop->n && !reduce_reduced(q, d)))
            continue;
        Ex c = x_bin(q->p, Xeq, warp_mode(q->l, d), low_i(q->l, 0));
        all = all ? x_bin(q->p, Xand, all, c) : c;
    }
    return all;
}

static int32_t reduced_warps(const ReduceLower *q)
{
    int32_t n = 1;
    for (int i = 0; i < q->loop->n; i++)
        if (q->loop->d[i].axis == AXwarp && reduce_reduced(q, &q->loop->d[i]))
            n *= q->loop->d[i].extent;
    return n;
}

/* Warps that come here.  Those beyond the layout's are copies of its own. */
static int64_t warps_here(const ReduceLower *q)
{
    int64_t all = (q->l->threads + q->l->m->warp - 1) / q->l->m->warp, own = layout_extent(q->loop, AXwarp);
    return all > own ? all : own;
}

/* Of this warp, or where the warps are no multiple of the layout's, of that whose copy it is:
 * the last copies have not all of their neighbours. */
static Ex warp_in_layout(ReduceLower *q)
{
    int64_t own = layout_extent(q->loop, AXwarp);
    return warps_here(q) % own ? low_mod(q->l, low_warp(q->l), own) : low_warp(q->l);
}

/* The warp whose modes of the reduced dimension are those of number r, the
 * others this warp's. */
static Ex reduce_warp_of(ReduceLower *q, int32_t r)
{
    Ex e = warp_in_layout(q);
    for (int i = 0; i < q->loop->n; i++) {
        const Mode *d = &q->loop->d[i];
        if (d->axis != AXwarp || !reduce_reduced(q, d))
            continue;
        Ex own = low_mul(q->l, warp_mode(q->l, d), -(int64_t)d->stride);
        e = low_add(q->l, e, low_add(q->l, own, low_i(q->l, (int64_t)(r % d->extent) * d->stride)));
        r /= d->extent;
    }
    return e;
}

/* A value of each warp, of each output and of as many lanes: row-major, and said so, since what
 * order threads need is asked by where elements are. */
static uint32_t reduce_partial(ReduceLower *q, int32_t lanes)
{
    enum { Rank = 3 };
    int32_t size[Rank] = {(int32_t)warps_here(q), (int32_t)q->outs, lanes};
    Ex shape[Rank];
    for (int i = 0; i < Rank; i++)
        shape[i] = low_i(q->l, size[i]);
    uint32_t sh = low_sharedbuf(q->l, q->dt, "partial", shape, Rank);
    Layout *map = anew(&q->p->ctx, sizeof *map);
    layout_linear(map, Rank, size);
    q->p->buf[sh].map = map;
    low_holds(q->l, sh, q->s->op.r[0].buf);
    return sh;
}

/* 3: one value a warp goes through shared memory. */
static void across_warps(ReduceLower *q)
{
    int32_t lanes, parts = reduced_warps(q);
    if (parts == 1)
        return;
    Ex lane = kept_lane(q, &lanes), first = reduce_writer(q);
    uint32_t sh = reduce_partial(q, lanes);
    if (first)
        s_if(q->p, first);
    Ex k = open_outs(q), at[3] = {low_warp(q->l), k, lane};
    s_store(q->p, sh, at, 3, load_acc(q, k));
    s_close(q->p);
    if (first)
        s_close(q->p);
    k = open_outs(q);
    Ex v = 0;
    for (int32_t r = 0; r < parts; r++) {
        Ex from[3] = {reduce_warp_of(q, r), k, lane}, x = x_load(q->p, sh, from, 3);
        v = v ? reduce_combine(q, v, x) : x;
    }
    put_acc(q, k, v);
    s_close(q->p);
}

/* 4: into the destination's registers.  Padding gets values too, as parallel loops that
 * work on registers alone do not mask it; unless the destination has no room. */
static void into_dst(ReduceLower *q)
{
    const Region *dst = &q->s->op.r[1];
    const BufLow *b = low_buf(q->l, dst->buf);
    int nd = q->p->buf[dst->buf].ndim, ns = q->loop->ndim;
    Ex idx[MaxDim];
    bool room = true;
    int n = reduce_open_loops(q, false);
    for (int d = 0, j = 0; d < ns && j < nd; d++) {
        if (d == q->dim && nd < ns)
            continue;
        idx[j] = d == q->dim ? dst->min[j] : low_add(q->l, dst->min[j], reduce_reg_index(q, d));
        room &= d == q->dim || b->map.extent[j] >= q->loop->extent[d];
        j++;
    }
    Ex at = gemm_reg(q->l, &b->map, idx), v = load_acc(q, out_number(q));
    Ex in = room ? 0 : not_padding(q, false);
    if (!q->clear)
        v = reduce_combine(q, x_cast(q->p, q->dt, x_load(q->p, b->regs, &at, 1)), v);
    if (in)
        s_if(q->p, in);
    s_store(q->p, b->regs, &at, 1, x_cast(q->p, q->ddt, v));
    if (in)
        s_close(q->p);
    close_loops(q, n);
}

static Stmt *fragments(Low *l, Stmt *s)
{
    const ParLoopPlan *plan = s->op.reduce;
    ReduceLower q = {.l = l, .p = l->p, .s = s, .loop = &plan->loop, .kind = s->op.attr[REkind],
                     .dim = s->op.attr[REdim], .nan = s->op.attr[REnan] != 0,
                     .clear = s->op.attr[REclear] != 0, .outs = 1};
    q.ddt = (enum Dtype)l->p->buf[s->op.r[1].buf].dt;
    q.dt = red_type((enum Dtype)l->p->buf[s->op.r[0].buf].dt, q.ddt);
    for (int i = 0; i < q.loop->n; i++)
        if (q.loop->d[i].axis == AXreg && !reduce_reduced(&q, &q.loop->d[i]))
            q.outs *= q.loop->d[i].extent;
    low_begin(l, s->loc);
    choose_chains(&q);
    q.acc = low_local(l, q.dt, "acc", q.outs * q.chains);
    low_holds(l, q.acc, s->op.r[0].buf);
    within_thread(&q);
    if (!plan->partial)
        across_lanes(&q);
    across_warps(&q);
    into_dst(&q);
    return low_end(l);
}

/* Private arrays --------------------------------------------------------- */

enum { UnrollLimit = 256 };

/* One loop a dimension but dim; v[d]: its variable.  Returns how many. */
static int private_loops(Low *l, const Region *r, int dim, bool unroll, Ex *v)
{
    int n = 0;
    const char *name = "k";
    for (int d = 0; d < l->p->buf[r->buf].ndim; d++) {
        int64_t e = 1;
        Ex lo = low_i(l, 0);
        v[d] = lo;
        x_isint(l->p, r->extent[d], &e);
        if (d == dim || e == 1)
            continue;
        enum ForKind kind = unroll ? Funroll : Fserial;
        Stmt *f = s_for(l->p, kind, &lo, &r->extent[d], 1, low_i(l, 1), &name);
        v[d] = x_var(l->p, f->loop.var[0]);
        n++;
    }
    return n;
}

static int64_t reduce_elements(Low *l, const Region *r)
{
    int64_t n = 1, e;
    for (int d = 0; d < l->p->buf[r->buf].ndim; d++)
        n *= x_isint(l->p, r->extent[d], &e) ? e : UnrollLimit;
    return n;
}

static Stmt *reduce_privates(Low *l, Stmt *s)
{
    Prog *p = l->p;
    const Region *src = &s->op.r[0], *dst = &s->op.r[1];
    int kind = s->op.attr[REkind], dim = s->op.attr[REdim];
    int ns = p->buf[src->buf].ndim, nd = p->buf[dst->buf].ndim;
    bool nan = s->op.attr[REnan] != 0, unroll = reduce_elements(l, src) <= UnrollLimit;
    enum Dtype ddt = (enum Dtype)p->buf[dst->buf].dt;
    enum Dtype dt = red_type((enum Dtype)p->buf[src->buf].dt, ddt);
    Ex v[MaxDim], idx[MaxDim], to[MaxDim], zero = low_i(l, 0);
    const char *name = "r";
    low_begin(l, s->loc);
    uint32_t acc = low_local(l, dt, "acc", 1);
    low_holds(l, acc, src->buf);
    int n = private_loops(l, src, dim, unroll, v);
    s_store(p, acc, &zero, 1, red_identity(p, kind, dt));
    Stmt *f = s_for(p, unroll ? Funroll : Fserial, &zero, &src->extent[dim], 1, low_i(l, 1), &name);
    for (int d = 0; d < ns; d++)
        idx[d] = low_add(l, src->min[d], d == dim ? x_var(p, f->loop.var[0]) : v[d]);
    Ex x = red_element(p, kind, dt, ddt, x_load(p, src->buf, idx, ns));
    s_store(p, acc, &zero, 1, red_combine(p, kind, nan, x_load(p, acc, &zero, 1), x));
    s_close(p);
    for (int d = 0, j = 0; d < ns && j < nd; d++) {
        if (d == dim && nd < ns)
            continue;
        to[j] = d == dim ? dst->min[j] : low_add(l, dst->min[j], v[d]);
        j++;
    }
    Ex r = x_load(p, acc, &zero, 1);
    if (!s->op.attr[REclear])
        r = red_combine(p, kind, nan, x_cast(p, dt, x_load(p, dst->buf, to, nd)), r);
    s_store(p, dst->buf, to, nd, x_cast(p, ddt, r));
    while (n-- > 0)
        s_close(p);
    return low_end(l);
}

/* ------------------------------------------------------------------------ */

static Stmt *reduce_statement(Low *l, Stmt *s, bool *into, void *ud)
{
    (void)ud;
    if (s->kind == Sfor && s->loop.kind == Fparallel)
        *into = false;
    if (s->kind != Sop)
        return s;
    if (s->op.op == Oreduce)
        return l->p->buf[s->op.r[0].buf].scope == SCfragment ? fragments(l, s)
                                                             : reduce_privates(l, s);
    return s->op.op == Oscan ? low_scan(l, s) : s;
}

void low_reduce(Low *l)
{
    Stmt *body = l->launch->launch.body;
    l->launch->launch.body = NULL; /* takes the declarations of new shared buffers */
    low_rewrite(l, &body, reduce_statement, NULL);
    l->launch->launch.body = low_append(l->launch->launch.body, body);
}
