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
    Ex guard[MaxGuards + 1]; /* the last one stays free */
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

/* From here on under cond, too (0: none); false: those are too many. */
static bool reach_under(Reach *k, Ex cond)
{
    if (cond && k->nguard == MaxGuards)
        return false;
    k->guard[k->nguard] = cond;
    k->nguard += cond != 0;
    return true;
}

/* The conditions under which list leaves the loop around it: on them rests what stands behind, and
 * what later rounds do. */
static bool under_leaves(Reach *k, const Stmt *list)
{
    Stmt *b[2];
    for (const Stmt *st = list; st; st = st->next) {
        Stmt alone = *st;
        alone.next = NULL;
        if (!stmt_leaves(&alone))
            continue;
        if (st->kind == Sif && !reach_under(k, st->cond.cond))
            return false;
        for (int i = 0, n = stmt_blocks(st, b); i < n; i++)
            if (!under_leaves(k, b[i]))
                return false;
    }
    return true;
}

/* st, an `if` or a loop. */
static bool inner_reach(Reach *k, const Stmt *st)
{
    Stmt *b[2];
    bool all = st->kind == Sif      ? reach_under(k, st->cond.cond)
               : st->kind == Swhile ? reach_under(k, st->whil.cond) && under_leaves(k, st->whil.body)
                                    : under_leaves(k, st->loop.body);
    for (int i = 0; st->kind == Sfor && i < st->loop.n; i++)
        all = all && reach_under(k, st->loop.lo[i]) && reach_under(k, st->loop.hi[i]) &&
              reach_under(k, st->loop.step);
    for (int i = 0, n = stmt_blocks(st, b); i < n && all; i++)
        all = all_reach(k, b[i]);
    return all;
}

static bool all_reach(Reach *k, const Stmt *list)
{
    for (const Stmt *st = list; st; st = st->next) {
        int was = k->nguard;
        bool is = st->kind == Sstore && (st->store.buf == k->buf || (k->regs && st->store.buf == k->regs));
        if (is && !store_reaches(k, st))
            return false;
        if ((st->kind == Sif || st->kind == Swhile || st->kind == Sfor) && !inner_reach(k, st))
            return false;
        k->nguard = was;
    }
    return true;
}

bool stores_reach(Solve *s, const SolveNode *n, uint32_t buf)
{
    Reach k = {.s = s, .n = n, .buf = buf, .regs = buf < s->l->capbuf ? s->l->buf[buf].regs : 0};
    const Stmt *body = n->s->loop.body;
    return under_leaves(&k, body) && all_reach(&k, body);
}
