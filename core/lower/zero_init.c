/* core/lower/zero_init.c: no zeros in front of a product by warp groups.
 *
 * Its first instruction can overwrite the accumulators instead of adding to
 * them, and decides so while it runs (scale-d).  Zeros stored to all of C are
 * then superfluous, in three places:
 *
 *     C = 0; gemm                            -> gemm, overwriting
 *     if u then C = 0 else C = mask; gemm    -> if not u then C = mask;
 *                                               gemm, overwriting where u
 *     C = 0; for k: gemm                     -> for k: gemm, overwriting for the
 *                                               first k (the zeros stay where the
 *                                               loop may not run at all)
 *
 * u is the same in the whole block.  Whether a gemm adds to C stands in
 * GemmPlan.keep. */
#include "core/ir/walk.h"
#include "core/lower/mma/gemm.h"
#include "core/lower/pipe/pipeline.h"

static bool zero_init_is_zero(const Prog *p, Ex e)
{
    const Expr *x = ex_at(p, e);
    return x->op == Xint ? x->i == 0 : x->op == Xfloat && x->f == 0;
}

/* One parallel loop that stores 0 to all of buffer b, and nothing else. */
static bool zeroes(const Low *l, Stmt *s, uint32_t b)
{
    const Stmt *st = s && !s->next && s->kind == Sfor && s->loop.kind == Fparallel ? s->loop.body
                                                                                   : NULL;
    return st && st->kind == Sstore && !st->next && st->store.buf == b &&
           zero_init_is_zero(l->p, st->store.value) && low_covers(l, &s, 1, b);
}

/* A product by warp groups into all of its C, which the instructions find in
 * place: its plan. */
static GemmPlan *whole_product(Low *l, Stmt *s)
{
    GemmPlan *g = gemm_plan(s);
    if (!g || !g->mma || g->mma->kind != MMAgroup || g->keep || s->op.attr[GEclear] ||
        !region_whole(l->p, &s->op.r[GemmC]) || !gemm_in_place(l, s, g))
        return NULL;
    return g;
}

static bool zero_init_no_jump(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Sbreak && s->kind != Scontinue;
}

/* The first statement from s on that touches b, reached in any case. */
static Stmt *next_use(const Low *l, Stmt *s, uint32_t b)
{
    for (; s && !low_accesses(l, s, false, b); s = s->next) {
        Stmt one = *s;
        one.next = NULL;
        if (!stmt_walk(&one, zero_init_no_jump, NULL))
            return NULL;
    }
    return s;
}

/* The gemm that is the first to touch b in the body of a serial loop that all
 * threads of the block run alike, or NULL. */
static Stmt *first_in(Low *l, Stmt *loop, uint32_t b)
{
    int64_t v;
    if (loop->kind != Sfor || loop->loop.kind != Fserial || loop->loop.n != 1 ||
        (loop->loop.step && (!x_isint(l->p, loop->loop.step, &v) || v != 1)) ||
        !x_pure(l->p, loop->loop.hi[0]) || !low_uniform(l, loop->loop.hi[0]) ||
        !x_pure(l->p, loop->loop.lo[0]) || !low_uniform(l, loop->loop.lo[0]))
        return NULL;
    Stmt *s = next_use(l, loop->loop.body, b);
    return s && whole_product(l, s) && s->op.r[GemmC].buf == b ? s : NULL;
}

/* s with its zeros gone where a product overwrites them. */
static Stmt *zero_init_without(Low *l, Stmt *s, Stmt *rest)
{
    Prog *p = l->p;
    bool choice = s->kind == Sif && s->cond.then && x_pure(p, s->cond.cond) &&
                  low_uniform(l, s->cond.cond);
    Stmt *parloop = choice ? s->cond.then : s;
    const Stmt *st =
        parloop->kind == Sfor && parloop->loop.kind == Fparallel ? parloop->loop.body : NULL;
    if (!st || st->kind != Sstore || p->buf[st->store.buf].scope != SCfragment)
        return s;
    uint32_t b = st->store.buf;
    Stmt *user = next_use(l, rest, b);
    if (!user || !zeroes(l, parloop, b))
        return s;
    if (whole_product(l, user) && user->op.r[GemmC].buf == b) {
        gemm_own_plan(l, user)->keep = choice ? x_un(p, Xnot, s->cond.cond) : x_int(p, DTbool, 0);
        if (!choice || !s->cond.els)
            return NULL;
        s->cond.cond = x_un(p, Xnot, s->cond.cond);
        s->cond.then = s->cond.els;
        s->cond.els = NULL;
        return s;
    }
    Stmt *in = choice ? NULL : first_in(l, user, b);
    if (!in)
        return s;
    gemm_own_plan(l, in)->keep = x_bin(p, Xlt, user->loop.lo[0], x_var(p, user->loop.var[0]));
    return low_guard(l, x_bin(p, Xle, user->loop.hi[0], user->loop.lo[0]), s);
}

static void zero_init_block(Low *l, Stmt **at)
{
    Stmt **b[2];
    while (*at) {
        Stmt *s = *at, *next = s->next;
        LowRole outer = low_enter(l, s);
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            zero_init_block(l, b[i]);
        low_leave(l, outer);
        s->next = NULL;
        Stmt *k = zero_init_without(l, s, next);
        *at = k ? k : next;
        if (k) {
            k->next = next;
            at = &k->next;
        }
    }
}

void low_zero_init(Low *l)
{
    if (l->m->wgmma)
        zero_init_block(l, &l->launch->launch.body);
}
