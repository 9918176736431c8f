/* core/lower/solve/reach.c: stores that not all copies of an element would see.
 *
 *     for j in T.Parallel(16) do
 *       if j == 3 then f[0] = 5 end          -- f[0] is held by every thread
 *     end
 *
 * Each thread stores to its own copy, in the iterations that it runs.  Where the loop's layout
 * hands a variable out to threads and the element does not depend on it, the threads that hold the
 * element run different iterations: without conditions all store, under one that tells those
 * iterations apart only some do. */
#include "core/lower/build/accesses.h"
#include "solve.h"

enum { MaxGuards = 32 }; /* more are taken to tell all iterations apart */
typedef struct Reach Reach;
struct Reach {
    Solve *s;
    const SolveNode *n;
    uint32_t buf, regs;   /* the fragment, and the registers that stand for it */
    Ex guard[MaxGuards];
    int nguard;
    uint32_t var;         /* .. that conditions are asked for */
};

/* Does it depend on the variable, or on what the loop's body writes? */
static bool tells_apart(void *ud, Ex e)
{
    const Reach *k = ud;
    const Prog *p = k->s->l->p;
    const Expr *x = ex_at(p, e);
    return x->op == Xvar ? x->sym == k->var
           : x->op == Xload ? low_accesses(k->s->l, k->n->s->loop.body, true, buf_root(p, x->sym)) & FXwrite
                            : false;
}

/* Is that part of variable v's mode g in an index of the store? */
static bool in_link(const LayoutLink *link, int v, const Mode *g)
{
    for (int i = 0; i < link->n; i++) {
        const RadixPiece *p = &link->p[i];
        if (p->var == v && g->weight >= p->weight &&
            (int64_t)g->weight * g->extent <= (int64_t)p->weight * p->extent)
            return true;
    }
    return false;
}

static bool store_reaches(Reach *k, const Stmt *st)
{
    const SolveNode *n = k->n;
    LayoutLink link;
    if (!k->nguard)
        return true;
    link_parse(k->s, n, st->store.idx, k->s->l->p->buf[st->store.buf].ndim, &link);
    for (int i = 0; i < n->loop.n; i++) {
        const Mode *g = &n->loop.d[i];
        if (g->axis == AXreg || g->extent == 1 || (link.why == LWok && in_link(&link, g->dim, g)))
            continue;
        k->var = n->var[g->dim];
        for (int j = 0; j < k->nguard; j++)
            if (ex_any_let(k->s->l->p, k->guard[j], tells_apart, k))
                return false;
    }
    return true;
}

static bool all_reach(Reach *k, const Stmt *list);

static bool guarded_reach(Reach *k, const Stmt *st, const Ex *cond, int n)
{
    Stmt *b[2];
    int was = k->nguard;
    for (int i = 0; i < n; i++) {
        if (k->nguard == MaxGuards)
            return false;
        k->guard[k->nguard] = cond[i];
        k->nguard += cond[i] != 0;
    }
    bool all = true;
    for (int i = 0, m = stmt_blocks(st, b); i < m && all; i++)
        all = all_reach(k, b[i]);
    k->nguard = was;
    return all;
}

static bool all_reach(Reach *k, const Stmt *list)
{
    for (const Stmt *st = list; st; st = st->next) {
        bool is = st->kind == Sstore && (st->store.buf == k->buf || (k->regs && st->store.buf == k->regs));
        if ((is && !store_reaches(k, st)) ||
            (st->kind == Sif && !guarded_reach(k, st, &st->cond.cond, 1)) ||
            (st->kind == Swhile && !guarded_reach(k, st, &st->whil.cond, 1)) ||
            (st->kind == Sfor && !guarded_reach(k, st, (Ex[]){st->loop.lo[0], st->loop.hi[0]}, 2)))
            return false;
    }
    return true;
}

bool stores_reach(Solve *s, const SolveNode *n, uint32_t buf)
{
    Reach k = {.s = s, .n = n, .buf = buf, .regs = buf < s->l->capbuf ? s->l->buf[buf].regs : 0};
    return all_reach(&k, n->s->loop.body);
}
