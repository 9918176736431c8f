/* core/lower/mma/split_acc.c: sums that lanes exchange once, behind a loop, instead of
 * in each of its iterations.
 *
 *     for k: sum = reduce_sum(P); l[i] = l[i] * f[i] + sum[i]
 *
 * is linear in l and sum, so that the lanes that share a row may each go on with
 * a part of it:
 *
 *     l = in the first of those lanes l, in the others 0
 *     for k: sum = the sum of this lane's elements; l[i] = l[i] * f[i] + sum[i]
 *     l = the sum over those lanes
 *
 * Only where nothing else looks at l in the loop, or at sum anywhere, and where
 * warps have rows of their own.  The order of the additions changes; it is the
 * same in every run, as before.
 *
 * What a peek looks at (core/cost/peek.h) must not change this order: there the parts
 * are added up, copied, and put back as they were. */
#include "core/ir/walk.h"
#include "gemm.h"
#include "core/lower/pipe/pipeline.h"
#include "core/ir/reduce.h"

typedef struct SplitAcc SplitAcc;
struct SplitAcc {
    Low *l;
    Stmt *loop;
    uint32_t sum, l_;   /* fragments */
    Ex at;              /* the element of l that is stored */
    const Layout *map;  /* of both */
};

static bool split_acc_is_op(const Stmt *s, enum Op op)
{
    return s && s->kind == Sop && s->op.op == op;
}

/* Does e load from buffer b? */
typedef struct Loads Loads;
struct Loads { const Prog *p; uint32_t buf; };

static bool is_load(void *ud, Ex e)
{
    const Loads *k = ud;
    const Expr *x = ex_at(k->p, e);
    return x->op == Xload && x->sym == k->buf;
}

static bool loads_buffer(const Prog *p, Ex e, uint32_t b)
{
    Loads k = {p, b};
    return ex_any(p, e, is_load, &k);
}

/* May lanes that hold copies of an element differ in it? */
static bool by_lane(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return (x->op == Xvar && p->var[x->sym].kind == Vthread) ||
           (x->op == Xcall && intrinfo[x->sym].level == 'T') ||
           (x->op == Xload && p->buf[x->sym].scope == SClocal);
}

/* A factor: without sum and l, and the same in all lanes. */
static bool free_of(const SplitAcc *k, Ex e)
{
    const Prog *p = k->l->p;
    return !loads_buffer(p, e, k->sum) && !loads_buffer(p, e, k->l_) &&
           !ex_any(p, e, by_lane, k->l->p);
}

static int64_t linear_node(ExFold *f, Ex e)
{
    const SplitAcc *k = *(const SplitAcc *const *)f->ud;
    const Expr *x = &f->p->ex[e];
    switch ((enum Xop)x->op) {
    case Xload: return (x->sym == k->sum || x->sym == k->l_) && x->arg[0] == k->at;
    case Xadd: case Xsub: return ex_fold(f, x->arg[0]) && ex_fold(f, x->arg[1]);
    case Xmul:
        return (ex_fold(f, x->arg[0]) && free_of(k, x->arg[1])) ||
               (free_of(k, x->arg[0]) && ex_fold(f, x->arg[1]));
    case Xdiv: return ex_fold(f, x->arg[0]) && free_of(k, x->arg[1]);
    default: return false;
    }
}

/* e = a * l[at] + b * sum[at], with factors that are free of both. */
static bool is_linear(const SplitAcc *k, Ex e)
{
    return ex_fold(&(ExFold){.p = k->l->p, .f = linear_node, .ud = &k}, e);
}

/* The lanes that share an output of the reduction, as a mask of lane bits; 0:
 * none, or more than lanes share it. */
static int shared_lanes(const Stmt *s)
{
    const ParLoopPlan *plan = s->op.reduce;
    int mask = 0;
    for (int i = 0; plan && i < plan->loop.n; i++) {
        const Mode *d = &plan->loop.d[i];
        if (d->dim != s->op.attr[REdim])
            continue;
        if (d->axis == AXwarp || (d->axis == AXlane && (d->extent & (d->extent - 1))))
            return 0;
        if (d->axis == AXlane)
            mask |= (d->extent - 1) * d->stride;
    }
    return mask;
}

/* All lanes of the mask hold copies of each element. */
static bool split_acc_replicated(const Layout *map, int mask)
{
    int held = 0;
    for (int i = 0; i < map->nb; i++)
        if (map->b[i].axis == AXlane && (map->b[i].extent & (map->b[i].extent - 1)) == 0)
            held |= (map->b[i].extent - 1) * map->b[i].stride;
    return (held & mask) == mask;
}

static bool split_acc_looks(const Stmt *s) { return s->kind == Sif && s->cond.look; }

/* How many statements of the block, and inside, touch buf; a peek does not count. */
static int touching(const Low *l, Stmt *s, uint32_t buf)
{
    int sum = 0;
    for (; s; s = s->next) {
        Stmt one = *s;
        Stmt **b[2];
        if (split_acc_looks(s))
            continue;
        one.next = NULL;
        int n = low_blocks(&one, b);
        for (int i = 0; i < n; i++) {
            sum += touching(l, *b[i], buf);
            *b[i] = NULL;
        }
        sum += low_accesses(l, &one, false, buf) != 0;
    }
    return sum;
}

/* The parallel loop `l[i] = a * l[i] + b * sum[i]`, whole buffers: nothing but one store. */
static bool update(SplitAcc *k, const Stmt *s)
{
    Prog *p = k->l->p;
    const Stmt *st = s && s->kind == Sfor && s->loop.kind == Fparallel ? s->loop.body : NULL;
    if (!st || st->kind != Sstore || st->next || p->buf[st->store.buf].ndim != 1 ||
        s->loop.n != 1 || st->store.buf == k->sum ||
        st->store.idx[0] != x_var(p, s->loop.var[0]))
        return false;
    k->l_ = st->store.buf;
    k->at = st->store.idx[0];
    return p->buf[k->l_].scope == SCfragment && p->buf[k->l_].dt == p->buf[k->sum].dt &&
           dtypeinfo[p->buf[k->l_].dt].cls == 'F' && dtypeinfo[p->buf[k->l_].dt].bits >= 32 &&
           loads_buffer(p, st->store.value, k->l_) && loads_buffer(p, st->store.value, k->sum) &&
           is_linear(k, st->store.value) &&
           layout_equal(&low_buf(k->l, k->l_)->map, &low_buf(k->l, k->sum)->map);
}

/* A reduction of the loop's body that may stay partial, and its update. */
static bool may_split(SplitAcc *k, Stmt *s)
{
    Low *l = k->l;
    int mask = split_acc_is_op(s, Oreduce) && s->op.attr[REkind] == Rsum && s->op.attr[REclear]
                   ? shared_lanes(s) : 0;
    if (!mask || !region_whole(l->p, &s->op.r[1]) || l->p->buf[s->op.r[1].buf].ndim != 1 ||
        l->p->buf[s->op.r[1].buf].scope != SCfragment ||
        l->p->buf[s->op.r[0].buf].scope != SCfragment)
        return false;
    k->sum = s->op.r[1].buf;
    k->map = &low_buf(l, k->sum)->map;
    Stmt *u = s->next;
    while (u && (split_acc_looks(u) || !low_accesses(l, u, false, k->sum)))
        u = u->next;
    return update(k, u) && split_acc_replicated(k->map, mask) && !low_viewed(l, k->sum) &&
           !low_viewed(l, k->l_) && touching(l, l->launch->launch.body, k->sum) == 2 &&
           touching(l, k->loop->loop.body, k->l_) == 1;
}

/* The registers of buf: in the first of the lanes that share them (behind: summed up). */
static Stmt *each_reg(const SplitAcc *k, uint32_t buf, int mask, bool behind)
{
    Low *l = k->l;
    Prog *p = l->p;
    uint32_t b = low_buf(l, buf)->regs;
    low_begin(l, k->loop->loc);
    for (int bit = 1; bit < l->m->warp; bit *= 2) {
        if (behind ? !(mask & bit) : bit != 1)
            continue;
        Ex at = gemm_for(l, "i", (int)layout_extent(k->map, AXreg)), v = x_load(p, b, &at, 1);
        if (behind) {
            v = x_bin(p, Xadd, v, low_shuffle(l, Ishfl_xor, v, low_i(l, bit), l->m->warp));
        } else {
            Ex first = x_bin(p, Xeq, x_bin(p, Xband, low_lane(l), low_i(l, mask)), low_i(l, 0));
            v = x_select(p, first, v, x_float(p, ex_type(p, v), 0));
        }
        s_store(p, b, &at, 1, v);
        gemm_end(l, (int)layout_extent(k->map, AXreg));
    }
    return low_end(l);
}

/* All registers of one local buffer to another. */
static Stmt *move_regs(const SplitAcc *k, uint32_t from, uint32_t to)
{
    int n = (int)layout_extent(k->map, AXreg);
    low_begin(k->l, k->loop->loc);
    Ex at = gemm_for(k->l, "i", n);
    s_store(k->l->p, to, &at, 1, x_load(k->l->p, from, &at, 1));
    gemm_end(k->l, n);
    return low_end(k->l);
}

/* A peek's copy of buf: of the whole values, which become parts again behind it. */
static void peek_whole(const SplitAcc *k, Stmt *s, uint32_t buf, int mask)
{
    Low *l = k->l;
    uint32_t b = low_buf(l, buf)->regs;
    if (!b || !(low_accesses(l, s->cond.then, true, buf)))
        return;
    low_begin(l, s->loc);
    uint32_t kept = low_local(l, (enum Dtype)l->p->buf[b].dt, "part", layout_extent(k->map, AXreg));
    low_holds(l, kept, buf);
    low_put(l, move_regs(k, b, kept));
    low_put(l, each_reg(k, buf, mask, true));
    low_put(l, s->cond.then);
    low_put(l, move_regs(k, kept, b));
    s->cond.then = low_end(l);
}

/* The peeks in a block at what stays in parts there. */
static void peeks(const SplitAcc *k, Stmt *s, int mask)
{
    Stmt **b[2];
    for (; s; s = s->next) {
        if (split_acc_looks(s)) {
            peek_whole(k, s, k->l_, mask);
            peek_whole(k, s, k->sum, mask);
            continue;
        }
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            peeks(k, *b[i], mask);
    }
}

static Stmt *split_loop(Low *l, Stmt *s)
{
    if (s->kind != Sfor || s->loop.kind != Fserial)
        return s;
    for (Stmt *r = s->loop.body; r; r = r->next) {
        SplitAcc k = {.l = l, .loop = s};
        if (!may_split(&k, r))
            continue;
        int mask = shared_lanes(r);
        ParLoopPlan *plan = anew(&l->p->ctx, sizeof *plan);
        *plan = *r->op.reduce;
        plan->partial = true;
        r->op.reduce = plan;
        peeks(&k, s->loop.body, mask);
        Stmt *list = each_reg(&k, k.l_, mask, false);
        return low_append(list, low_append(s, each_reg(&k, k.l_, mask, true)));
    }
    return s;
}

void low_split_acc(Low *l) { gemm_walk(l, &l->launch->launch.body, split_loop); }
