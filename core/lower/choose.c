/* core/lower/choose.c: low_choose: which instructions products and copies use.
 *
 * Every T.gemm gets a GemmPlan (choose_gemm.c), every copy a CopyPlan
 * (choose_copy.c).  Inside a role its threads are the ones that count: base and
 * threads of the Low stand for them meanwhile. */
#include "core/lower/copy/choose.h"
#include "core/lower/mma/gemm.h"
#include "core/lower/mma/gemm.h"

static Stmt *choose(Low *l, Stmt *s)
{
    if (s->kind != Sop)
        return s;
    switch (s->op.op) {
    case Ogemm:
        s->plan = choose_gemm(l, s);
        return s;
    case Ocopy: case Oasync_copy: case Otma_copy: case Otma_put:
        s->plan = choose_copy(l, s);
        return choose_waits(l, s);
    default: return s;
    }
}

/* Shared tiles that fragments of products pass through: lanes reach 8 rows at a
 * time there, which the widest swizzle of a row keeps apart.  What a product
 * reads has its own wish. */
typedef struct Seen { Low *l; bool product; } Seen;

static bool products(Stmt *s, void *ud)
{
    Seen *k = ud;
    const GemmPlan *g = s->kind == Sop && s->op.op == Ogemm ? gemm_plan(s) : NULL;
    k->product |= g && g->mma;
    return true;
}

static bool exchanged(Stmt *s, void *ud)
{
    const Seen *k = ud;
    if (s->kind == Sop && (s->op.op == Ocopy || s->op.op == Otranspose))
        for (int i = 0; i < 2; i++)
            if (k->l->p->buf[s->op.r[1 - i].buf].scope == SCfragment)
                choose_exchange(k->l, s->op.r[i].buf);
    return true;
}

void low_choose(Low *l)
{
    Seen k = {l, false};
    gemm_walk(l, &l->launch->launch.body, choose);
    stmt_walk(l->launch->launch.body, products, &k);
    if (k.product && l->m->warp == 32)
        stmt_walk(l->launch->launch.body, exchanged, &k);
}
