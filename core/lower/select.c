/* core/lower/select.c: low_select: which instructions products and copies use.
 *
 * Every T.gemm gets a GemmPlan (select_gemm.c), every copy a CopyPlan
 * (select_copy.c).  Inside a role its threads are the ones that count: base and
 * threads of the Low stand for them meanwhile. */
#include "core/lower/copy/select.h"
#include "core/lower/mma/gemm.h"
#include "core/lower/mma/gemm.h"

static Stmt *select_statement(Low *l, Stmt *s)
{
    if (s->kind != Sop)
        return s;
    switch (s->op.op) {
    case Ogemm:
        s->op.gemm = select_gemm(l, s);
        return s;
    case Ocopy: case Oasync_copy: case Otma_copy: case Otma_put:
        s->op.copy = select_copy(l, s);
        return select_waits(l, s);
    default: return s;
    }
}

/* Shared tiles that fragments of products pass through: lanes reach 8 rows at a
 * time there, which the widest swizzle of a row keeps apart.  What a product
 * reads has its own wish. */
typedef struct SeenNote { Low *l; bool product; } SeenNote;

static bool select_products(Stmt *s, void *ud)
{
    SeenNote *k = ud;
    const GemmPlan *g = gemm_plan(s);
    k->product |= g && g->mma;
    return true;
}

static bool select_exchanged(Stmt *s, void *ud)
{
    const SeenNote *k = ud;
    if (s->kind == Sop && (s->op.op == Ocopy || s->op.op == Otranspose))
        for (int i = 0; i < 2; i++)
            if (k->l->p->buf[s->op.r[1 - i].buf].scope == SCfragment)
                select_exchange(k->l, s->op.r[i].buf);
    return true;
}

void low_select(Low *l)
{
    SeenNote k = {l, false};
    gemm_walk(l, &l->launch->launch.body, select_statement);
    stmt_walk(l->launch->launch.body, select_products, &k);
    if (k.product && l->m->warp == 32)
        stmt_walk(l->launch->launch.body, select_exchanged, &k);
}
