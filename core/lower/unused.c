/* core/lower/unused.c: buffers that nothing touches any more go: a loop that
 * never runs takes its statements with it and leaves their buffers. */
#include "core/ir/effects.h"
#include "core/ir/walk.h"
#include "core/lower/build/low.h"

typedef struct Unused Unused;
struct Unused { Low *l; bool *used; };

static bool unused_effect(void *ud, const MemEffect *e)
{
    Unused *u = ud;
    bool initial = !e->at; /* a variable that nothing reads is nothing */
    if (!initial)
        u->used[e->buf] = u->used[e->root] = true;
    return true;
}

static bool unused_statement(Stmt *s, void *ud)
{
    Unused *u = ud;
    return stmt_effects(u->l->p, s, unused_effect, u);
}

static Stmt *drop_unused(Low *l, Stmt *s, bool *into, void *ud)
{
    const Unused *u = ud;
    (void)l, (void)into;
    return s->kind == Salloc && !u->used[s->alloc.buf] ? NULL : s;
}

void low_unused(Low *l)
{
    Unused u = {.l = l};
    u.used = anew(&l->p->ctx, l->p->nbuf);
    stmt_walk(l->launch->launch.body, unused_statement, &u);
    low_rewrite(l, &l->launch->launch.body, drop_unused, &u);
}
