/* core/lower/mma/lanes.c: loads of single lanes that ldmatrix can do.
 *
 * A kernel whose lanes fetch their operands of a matrix instruction by themselves reads
 *
 *     for r in T.unroll(8) do a[r] = s[row(lane, r), col(lane, r)] end
 *
 * a register at a time, where ldmatrix gets up to four at once: lane 4q + x has, in register j,
 * elements x * per .. of row q of matrix j, per = 4 bytes / element; transposed, elements q of rows
 * 2x and 2x + 1 (reference: 3.2).  Which row is which is not read from the expressions: what of the
 * indices depends on the thread is computed for each thread and register, and has to be that.
 * Then lane 8j + q names the row, at the index that the expressions have for the lane and the
 * register of its first element.  All lanes of the warps have to come, since they fetch for each
 * other. */
#include "core/ir/eval.h"
#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "core/lower/vary/vary.h"
#include "gemm.h"

enum { MatrixRows = 8, WarpLanes = 32, MostMatrices = 4 };

typedef struct LaneRows LaneRows;
struct LaneRows {
    Low *l;
    Prog *p;
    Vary *v;
    Eval ev;
    const Stmt *s;         /* the loop over a lane's elements */
    const Stmt *st;        /* its store */
    uint32_t var;
    uint32_t buf;          /* shared */
    int ndim;
    Ex idx[MaxDim];        /* of it, without names of what depends on the thread or the element */
    int n, bits, per, num; /* elements, and of each register; registers */
    int64_t *val[MaxDim];  /* [element][thread]: what the thread has to do with of each index */
    int c;                 /* the dimension along rows of matrices */
    bool trans;
};

/* Looking ------------------------------------------------------------------ */

/* The store that a block is, behind names; or NULL. */
static const Stmt *lane_store(const Stmt *s)
{
    while (s && s->kind == Slet)
        s = s->next;
    return s && !s->next && s->kind == Sstore ? s : NULL;
}

/* Rounds of a loop from 0 to a constant in steps of one; 0: it is another. */
static int lane_rounds(const Prog *p, const Stmt *s)
{
    int64_t lo, hi, step = 1;
    enum ForKind kind = s->kind == Sfor ? (enum ForKind)s->loop.kind : Fparallel;
    if ((kind != Funroll && kind != Fserial && kind != Fvectorized) || s->loop.n != 1 || !x_isint(p, s->loop.lo[0], &lo) ||
        !x_isint(p, s->loop.hi[0], &hi) || lo != 0 || (s->loop.step && (!x_isint(p, s->loop.step, &step) || step != 1)))
        return 0;
    return hi > 0 && hi <= MostMatrices * 4 ? (int)hi : 0;
}

/* Is s such a loop, from shared memory to registers that follow each other? */
static bool lane_loop(LaneRows *q, const Stmt *s)
{
    const Prog *p = q->p;
    if (!(q->n = lane_rounds(p, s)) || !(q->st = lane_store(s->loop.body)))
        return false;
    q->s = s;
    q->var = s->loop.var[0];
    const Expr *x = ex_at(p, q->st->store.value);
    const Buf *to = &p->buf[q->st->store.buf];
    if (x->op != Xload || to->scope != SClocal || p->buf[x->sym].scope != SCshared ||
        p->buf[x->sym].dt != to->dt)
        return false;
    q->buf = x->sym;
    q->ndim = p->buf[q->buf].ndim;
    q->bits = dtypeinfo[to->dt].bits;
    q->per = 32 / q->bits;
    if (q->bits < 8 || q->bits > 32 || q->n % q->per)
        return false;
    q->num = q->n / q->per;
    for (int d = 0; d < to->ndim - 1; d++)
        if (eval_depends(p, q->st->store.idx[d], q->var))
            return false;
    return (q->num == 1 || q->num == 2 || q->num == MostMatrices) &&
           eval_counts(p, q->st->store.idx[to->ndim - 1], q->var);
}

/* Is var the name of something within the loop? */
static bool lane_within(const LaneRows *q, uint32_t var)
{
    for (const Stmt *s = q->s->loop.body; s != q->st; s = s->next)
        if (s->let.var == var)
            return true;
    return false;
}

/* The first name in an expression of what depends on the thread, or that is given in the loop. */
typedef struct LaneName { LaneRows *q; Ex name; } LaneName;

static ExGo lane_name(void *ud, Ex e)
{
    LaneName *k = ud;
    const Prog *p = k->q->p;
    Ex is = ex_let(p, e);
    if (!is || !(eval_depends(p, is, k->q->l->tid) || lane_within(k->q, ex_at(p, e)->sym)))
        return EXinto;
    k->name = e;
    return EXstop;
}

/* e with what such names stand for. */
static Ex lane_named(LaneRows *q, Ex e)
{
    for (;;) {
        LaneName k = {q, 0};
        ex_walk(q->p, e, lane_name, &k);
        if (!k.name)
            return e;
        LowNew is = {ex_at(q->p, k.name)->sym, ex_let(q->p, k.name)};
        e = low_varsx(q->l, e, &is, 1);
    }
}

/* Of index d what depends on the thread or the element, in *own, and the rest; false: that is not
 * the same for all lanes of a warp, or cannot be told apart. */
static bool lane_parts(LaneRows *q, int d, Ex *own, Ex *rest)
{
    const Prog *p = q->p;
    ExSum sum = x_linear(p, q->idx[d]);
    *own = low_i(q->l, 0);
    *rest = low_i(q->l, sum.c);
    for (int i = 0; i < sum.n; i++) {
        Ex e = sum.atom[i];
        if (ex_at(p, e)->dt != DTi32)
            return false;
        bool is = eval_depends(p, e, q->l->tid) || eval_depends(p, e, q->var);
        Ex *to = is ? own : rest;
        *to = low_add(q->l, *to, low_mul(q->l, e, sum.coef[i]));
        if (!is && vary_groups_differ(q->v, e, WarpLanes))
            return false;
    }
    return true;
}

/* The values of q->val[d]; false: they are not known. */
static bool lane_values(LaneRows *q, int d, Ex own)
{
    int threads = q->l->total;
    q->val[d] = anew(&q->p->ctx, (size_t)(q->n * threads) * sizeof *q->val[d]);
    for (int r = 0; r < q->n; r++) {
        eval_reset(&q->ev);
        eval_bind(&q->ev, q->var, r);
        Lanes x = eval(&q->ev, own);
        if (x.unknown)
            return false;
        for (int t = 0; t < threads; t++)
            q->val[d][r * threads + t] = x.v ? x.v[t] : x.one;
    }
    return true;
}

/* The lane within its warp and the element of a lane that stand at the beginning of row `row` of
 * matrix j. */
static int row_lane(const LaneRows *q, int row) { return q->trans ? row / 2 : row * 4; }
static int row_element(const LaneRows *q, int j, int row)
{
    return j * q->per + (q->trans ? row % 2 : 0);
}

/* Is what thread t has as element r that of its place in a matrix? */
static bool lane_stands(const LaneRows *q, int t, int r)
{
    int threads = q->l->total, lane = t % WarpLanes, j = r / q->per, e = r % q->per;
    int row = q->trans ? lane % 4 * 2 + e : lane / 4, col = q->trans ? lane / 4 : lane % 4 * q->per + e;
    int first = row_element(q, j, row) * threads + t - lane + row_lane(q, row);
    for (int d = 0; d < q->ndim; d++) {
        int64_t at = q->val[d][first];
        if (q->val[d][r * threads + t] != at + (d == q->c ? col : 0))
            return false;
        if (d == q->c && at % (128 / q->bits))
            return false;
    }
    return true;
}

static bool lanes_stand(const LaneRows *q)
{
    const VaryHere *here = vary_here(q->v);
    for (int t = here->lo; t < here->hi; t++)
        for (int r = 0; r < q->n; r++)
            if (!lane_stands(q, t, r))
                return false;
    return true;
}

/* Do the elements fill whole registers, the same ones for all threads: an instruction names them? */
static bool lane_registers(LaneRows *q)
{
    Prog *p = q->p;
    const Stmt *st = q->st;
    const Buf *to = &p->buf[st->store.buf];
    LowNew first = {q->var, low_i(q->l, 0)};
    int last = to->ndim - 1;
    for (int d = 0; d <= last; d++)
        if (vary_ex(q->v, st->store.idx[d]))
            return false;
    return x_multiple(p, low_varsx(q->l, lane_named(q, st->store.idx[last]), &first, 1), q->per) &&
           (last == 0 || x_multiple(p, to->shape[last], q->per));
}

/* Whole warps come here, and fill their registers with rows of matrices. */
static bool lane_matrices(LaneRows *q)
{
    Prog *p = q->p;
    Ex own[MaxDim], rest[MaxDim];
    const Layout *map = &low_buf(q->l, q->buf)->map;
    const Expr x = *ex_at(p, q->st->store.value);
    for (int d = 0; d < q->ndim; d++)
        q->idx[d] = lane_named(q, x.arg[d]);
    vary_at(q->v, q->st);
    if (map->ndim != q->ndim || vary_here(q->v)->hi % WarpLanes || !vary_groups_come(q->v, WarpLanes))
        return false;
    if (!lane_registers(q))
        return false;
    for (int d = 0; d < q->ndim; d++)
        if (!lane_parts(q, d, &own[d], &rest[d]) || !lane_values(q, d, own[d]))
            return false;
    int row = 128 / q->bits;
    for (q->c = q->ndim - 1; q->c >= 0; q->c--) {
        if (!gemm_contiguous(map, q->c, row) || !x_multiple(p, rest[q->c], row))
            continue;
        for (int t = 0; t < (q->bits == 16 ? 2 : 1); t++) {
            q->trans = t;
            if ((t || q->num > 1) && lanes_stand(q))
                return true;
        }
    }
    return false;
}

/* Building ------------------------------------------------------------------ */

static Stmt *lane_build(LaneRows *q)
{
    Low *l = q->l;
    Prog *p = q->p;
    const Stmt *st = q->st;
    int last = p->buf[st->store.buf].ndim - 1;
    Ex tid = x_var(p, l->tid), row = low_mod(l, tid, MatrixRows), zero = low_i(l, 0);
    Ex warp = low_mul(l, low_div(l, tid, WarpLanes), WarpLanes);
    Ex j = low_mul(l, low_mod(l, low_div(l, tid, MatrixRows), q->num), q->per);
    Ex lane = q->trans ? low_div(l, row, 2) : low_mul(l, row, 4);
    Ex element = q->trans ? low_add(l, j, low_mod(l, row, 2)) : j;
    Region from = {.buf = q->buf}, to = {.buf = st->store.buf};
    low_begin(l, st->loc);
    for (int d = 0; d < q->ndim; d++) {
        LowNew at[] = {{l->tid, low_add(l, warp, lane)}, {q->var, element}};
        from.min[d] = low_varsx(l, q->idx[d], at, COUNT(at));
        from.extent[d] = low_i(l, d == q->c ? 128 / q->bits : 1);
    }
    for (int d = 0; d <= last; d++) {
        LowNew first = {q->var, zero};
        to.min[d] = low_varsx(l, lane_named(q, st->store.idx[d]), &first, 1);
        to.extent[d] = low_i(l, d == last ? q->n : 1);
    }
    int32_t attr[MaxAttr] = {q->num, q->trans};
    s_op(p, Oldmatrix, (Region[MaxRegion]){from, to}, 0, attr, NULL);
    return low_end(l);
}

static Stmt *lane_try(Low *l, Stmt *s, bool *into, void *ud)
{
    LaneRows *q = ud;
    (void)l;
    (void)into;
    return lane_loop(q, s) && lane_matrices(q) ? lane_build(q) : s;
}

/* Goes on until there is one. */
static bool lane_none(Stmt *s, void *ud) { return !lane_loop(ud, s); }

void low_lane_rows(Low *l)
{
    LaneRows q = {.l = l, .p = l->p};
    if (!l->m->ldmatrix || stmt_walk(l->launch->launch.body, lane_none, &q))
        return;
    q.v = vary_look(l, VaryTiles, NULL, NULL);
    eval_init(&q.ev, l->p, l->tid, l->total);
    low_rewrite(l, &l->launch->launch.body, lane_try, &q);
}
