/* core/lower/unused.c: buffers that nothing touches any more go: a loop that
 * never runs takes its statements with it and leaves their buffers. */
#include "../walk.h"
#include "lower.h"

typedef struct Unused Unused;
struct Unused { Low *l; bool *used, *seen; };

static bool loads(void *ud, Ex e)
{
    Unused *u = ud;
    const Expr *x = ex_at(u->l->p, e);
    if (x->op < Xadd || u->seen[e])
        return true;
    u->seen[e] = true;
    if (x->op == Xload)
        u->used[x->sym] = u->used[buf_root(u->l->p, x->sym)] = true;
    for (int i = 0; i < x->n; i++)
        loads(ud, x->arg[i]);
    return true;
}

static void use(Unused *u, uint32_t buf)
{
    if (buf)
        u->used[buf] = u->used[buf_root(u->l->p, buf)] = true;
}

static bool look(Stmt *s, void *ud)
{
    Unused *u = ud;
    stmt_exprs(u->l->p, s, loads, u);
    if (s->kind == Sstore)
        use(u, s->store.buf);
    else if (s->kind == Satomic)
        use(u, s->atomic.buf);
    for (int i = 0; s->kind == Sop && i < MaxRegion; i++)
        use(u, s->op.r[i].buf);
    return true;
}

static Stmt *drop(Low *l, Stmt *s, bool *into, void *ud)
{
    const Unused *u = ud;
    (void)l, (void)into;
    return s->kind == Salloc && !u->used[s->alloc.buf] ? NULL : s;
}

void low_unused(Low *l)
{
    Unused u = {.l = l};
    u.used = anew(&l->p->ctx, l->p->nbuf);
    u.seen = anew(&l->p->ctx, l->p->nex);
    stmt_walk(l->launch->launch.body, look, &u);
    low_rewrite(l, &l->launch->launch.body, drop, &u);
}
