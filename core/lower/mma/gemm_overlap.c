/* core/lower/mma/gemm_overlap.c: products by warp groups that need not wait for
 * themselves, so that the matrix units always have one group to work on.
 *
 *     for k: pipe_wait R[k]; gemm; pipe_release R[k]
 *
 * becomes, when the barrier pair has two stages or more,
 *
 *     for k: pipe_wait R[k]; gemm, wait for all groups but the newest;
 *            if k > lo then pipe_release R[k - 1]
 *     wait for all; if the loop ran at all then pipe_release R[hi - 1]
 *
 * The last release goes when the loop is not repeated: nobody waits for it.
 * Nothing else may stand in the loop: it could touch the accumulators. */
#include "core/ir/walk.h"
#include "gemm.h"

static bool gemm_overlap_is_op(const Stmt *s, enum Op op)
{
    return s && s->kind == Sop && s->op.op == op;
}

/* A barrier pair that holds another stage while this one is read. */
static bool gemm_overlap_two_stages(const Low *l, const Stmt *s)
{
    int64_t n;
    return x_isint(l->p, l->p->buf[s->op.r[0].buf].shape[0], &n) && n >= 2;
}

static bool gemm_overlap_waited(const Stmt *from, const Stmt *to, uint32_t pipe)
{
    for (; from != to; from = from->next)
        if (from->op.r[0].buf == pipe)
            return true;
    return false;
}

GemmPlan *gemm_own_plan(Low *l, Stmt *s)
{
    GemmPlan *g = anew(&l->p->ctx, sizeof *g);
    *g = *s->op.gemm;
    s->op.gemm = g;
    return g;
}

bool gemm_in_place(Low *l, const Stmt *s, const GemmPlan *g)
{
    Gemm q = {.l = l, .p = l->p, .s = s, .g = g, .i = g->mma,
              .shape = gemm_shape(g->mma, g->n), .pack = 1};
    gemm_operand(&q, &q.c, GemmC);
    return q.c.inplace && !g->widen;
}

/* The gemm of a loop of the form above, or NULL. */
static Stmt *loop_product(Low *l, const Stmt *loop)
{
    int64_t step;
    if (loop->kind != Sfor || loop->loop.kind != Fserial || loop->loop.n != 1 ||
        (loop->loop.step && (!x_isint(l->p, loop->loop.step, &step) || step != 1)))
        return NULL;
    Stmt *first = loop->loop.body, *s = first;
    while (gemm_overlap_is_op(s, Opipe_wait) && gemm_overlap_two_stages(l, s))
        s = s->next;
    const GemmPlan *g = gemm_plan(s);
    if (s == first || !g || !g->mma || g->mma->kind != MMAgroup || g->areg || g->async ||
        s->op.attr[GEclear] || !gemm_overlap_is_op(s->next, Opipe_release) ||
        !gemm_in_place(l, s, g))
        return NULL;
    for (const Stmt *r = s->next; r; r = r->next)
        if (!gemm_overlap_is_op(r, Opipe_release) || !gemm_overlap_waited(first, s, r->op.r[0].buf))
            return NULL;
    return s;
}

/* The releases from s on, for iteration `at` instead of the loop's own. */
static Stmt *gemm_overlap_releases(Low *l, const Stmt *s, const Stmt *loop, Ex at)
{
    Stmt *list = low_clone(l, s);
    LowNew own = {loop->loop.var[0], at};
    low_vars(l, list, &own, 1);
    return list;
}

typedef struct OwnOperand OwnOperand;
struct OwnOperand { const Prog *p; uint32_t var; };

/* May the number of a use go on from one run of the loop to the next? */
static bool runs_on(void *ud, Ex e)
{
    const OwnOperand *k = ud;
    const Expr *x = &k->p->ex[e];
    return x->op == Xload ||
           (x->op == Xvar && x->sym != k->var && k->p->var[x->sym].kind == Vloop);
}

static bool repeated(const Prog *p, const Stmt *release, const Stmt *loop)
{
    for (; release; release = release->next)
        if (ex_any(p, release->op.value, runs_on, &(OwnOperand){p, loop->loop.var[0]}))
            return true;
    return false;
}

static Stmt *overlap(Low *l, Stmt *loop)
{
    Prog *p = l->p;
    Stmt *s = loop_product(l, loop);
    if (!s)
        return loop;
    Ex k = x_var(p, loop->loop.var[0]), lo = loop->loop.lo[0], hi = loop->loop.hi[0];
    gemm_own_plan(l, s)->behind = true;
    Stmt *last = s->next;
    low_begin(l, last->loc);
    s_if(p, x_bin(p, Xlt, lo, k));
    low_put(l, gemm_overlap_releases(l, last, loop, low_add(l, k, low_i(l, -1))));
    s_close(p);
    s->next = low_end(l);
    low_begin(l, loop->loc);
    s_op(p, Owgmma_wait, (Region[MaxRegion]){{0}}, 0, NULL, NULL);
    Ex ran = x_bin(p, Xlt, lo, hi);
    int64_t sure;
    bool always = x_isint(p, ran, &sure) && sure;
    if (repeated(p, last, loop)) {
        if (!always)
            s_if(p, ran);
        low_put(l, gemm_overlap_releases(l, last, loop, low_add(l, hi, low_i(l, -1))));
        if (!always)
            s_close(p);
    }
    return low_append(loop, low_end(l));
}

void gemm_overlap(Low *l) { gemm_walk(l, &l->launch->launch.body, overlap); }
