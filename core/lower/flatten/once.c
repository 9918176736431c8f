/* core/lower/flatten/once.c: what the block does once.
 *
 * Outside of parallel loops every thread executes every statement.  A store to memory,
 * an atomic, a print or an assertion whose values, indices and enclosing
 * control flow are the same in all threads is meant once: it becomes a parallel loop of
 * one iteration.  What depends on the thread stays as written, an atomic too of which that is
 * known from the program as it was written (Stmt.own):
 *
 *     if tx < 64 then atomic sum C[0], 1 each end     64 times, in a block of 64 threads, too
 */
#include <string.h>

#include "core/ir/walk.h"
#include "flatten.h"

typedef struct OnceBlock { Low *l; Vary *v; } OnceBlock;

/* Once ------------------------------------------------------------------ */

static bool to_memory(const Prog *p, const Stmt *s)
{
    switch ((enum StmtKind)s->kind) {
    case Sstore: return !vary_private(p, s->store.buf) && p->buf[s->store.buf].scope != SCfragment;
    case Satomic: case Sprint: case Sassert: return true;
    default: return false;
    }
}

static bool once_calls_threads(void *ud, Ex e)
{
    const Expr *x = ex_at(ud, e);
    return x->op == Xcall && intrinfo[x->sym].level == 'T';
}

/* May one thread do all of s, for the block? */
static bool once_single(OnceBlock *o, const Stmt *s)
{
    Prog *p = o->l->p;
    Stmt *b[2];
    if (s->own || stmt_any(p, s, once_calls_threads, p) || vary_own(o->v, s))
        return false;
    if (s->kind == Satomic && s->atomic.prev)
        return false;
    if (to_memory(p, s))
        return true;
    bool flow = s->kind == Sif || s->kind == Swhile ||
                (s->kind == Sfor && (s->loop.kind == Fserial || s->loop.kind == Funroll ||
                                     s->loop.kind == Fvectorized));
    if (!flow && s->kind != Slet)
        return false;
    for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
        for (const Stmt *k = b[i]; k; k = k->next)
            if (!once_single(o, k))
                return false;
    return true;
}

static Stmt *parloop_of_one(Low *l, Stmt *body, Loc loc)
{
    Ex lo = low_i(l, 0), hi = low_i(l, 1);
    static const char *const name = "once";
    low_begin(l, loc);
    s_for(l->p, Fparallel, &lo, &hi, 1, 0, &name);
    low_put(l, body);
    s_close(l->p);
    return low_end(l);
}

static Ex collect_lets(Low *l, Ex e, void *ud)
{
    const Expr *x = ex_at(l->p, e);
    (void)ud;
    if (x->op != Xcall || !vary_collective(x->sym))
        return e;
    return x_var(l->p, s_let(l->p, "votes", e));
}

/* The old value that one thread receives, for all of them. */
static void hand_out(Low *l, Stmt *s)
{
    Prog *p = l->p;
    Ex zero = low_i(l, 0), one = low_i(l, 1);
    uint32_t prev = s->atomic.prev;
    Var v = p->var[prev];
    uint32_t k = p_var(p, Vlet, (enum Dtype)v.dt, v.name, v.lo, v.hi);
    uint32_t b = low_sharedbuf(l, (enum Dtype)v.dt, v.name, &one, 1);
    s->atomic.prev = k;
    low_put(l, parloop_of_one(l, low_append(s, low_store(l, b, &zero, x_var(p, k))), s->loc));
    Stmt *let = anew(&p->ctx, sizeof *let);
    let->kind = Slet;
    let->loc = s->loc;
    let->let.var = prev;
    p->var[prev].value = low_load(l, b, &zero);
    low_put(l, let);
}

static void once_block(OnceBlock *o, Stmt **at);

static Stmt *once_alone(OnceBlock *o, Stmt *s)
{
    Low *l = o->l;
    low_begin(l, s->loc);
    low_map_own(l, s, collect_lets, NULL); /* what all threads take part in comes first */
    if (s->kind == Satomic && s->atomic.prev)
        hand_out(l, s);
    else
        low_put(l, parloop_of_one(l, s, s->loc));
    return low_end(l);
}

/* Statements of a run that one thread does go into one parallel loop. */
static Stmt *once_run(OnceBlock *o, Stmt *first, Stmt **rest)
{
    Stmt *last = first;
    while (last->next && once_single(o, last->next) && last->next->kind != Slet)
        last = last->next;
    *rest = last->next;
    last->next = NULL;
    return parloop_of_one(o->l, first, first->loc);
}

static void once_nested(OnceBlock *o, Stmt *s)
{
    Stmt **b[2];
    for (int i = 0, n = low_blocks(s, b); i < n; i++)
        once_block(o, b[i]);
}

static void once_block(OnceBlock *o, Stmt **at)
{
    while (*at) {
        Stmt *s = *at, *next = s->next;
        vary_at(o->v, s);
        bool all = !vary_comes(o->v);
        if (all && s->kind != Slet && once_single(o, s)) {
            *at = once_run(o, s, &next);
        } else if (all && to_memory(o->l->p, s) && !s->own && !vary_own(o->v, s)) {
            s->next = NULL;
            *at = once_alone(o, s);
        } else {
            if (s->kind != Sfor || s->loop.kind != Fparallel)
                once_nested(o, s);
            at = &s->next;
            continue;
        }
        while (*at)
            at = &(*at)->next;
        *at = next;
    }
}

static bool once_settled(Stmt *s, void *ud)
{
    (void)ud;
    s->own = false;
    return true;
}

void flat_once(Low *l)
{
    OnceBlock o = {l, vary_look(l, VaryOnce, NULL, NULL)};
    /* shared memory for old values is allocated in front of all, even of the first statement */
    Stmt **body = &l->launch->launch.body, *list = *body;
    *body = NULL;
    once_block(&o, &list);
    *body = low_append(*body, list);
    stmt_walk(*body, once_settled, NULL);
}
