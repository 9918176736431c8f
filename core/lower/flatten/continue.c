/* core/lower/flatten/continue.c: `continue` of parallel and vectorized loops as conditions.
 *
 * What such a loop becomes is no loop whose rounds could be left: statements become nests of
 * their own, threads do several rounds at once, in vectors and slots.  So
 *
 *     if c then A; continue end; B      becomes      if c then A else B end
 *
 * and where a branch only may get to a `continue`, a flag of the round says whether it did:
 *
 *     if c then if d then continue end; A end; B
 *
 *     left = 0; if c then if d then left = 1 else A end end; if not left then B end */
#include "flatten.h"

enum Leaves { Never, Maybe, Always };

/* Does a list get to a `continue` of the loop around it? */
static enum Leaves leaves(const Stmt *list)
{
    enum Leaves all = Never;
    for (const Stmt *s = list; s; s = s->next) {
        if (s->kind == Scontinue)
            return Always;
        if (s->kind != Sif)
            continue;
        enum Leaves a = leaves(s->cond.then), b = leaves(s->cond.els);
        if (a == Always && b == Always)
            return Always;
        all = a != Never || b != Never ? Maybe : all;
    }
    return all;
}

typedef struct Round Round;
struct Round {
    Low *l;
    uint32_t left; /* the flag, once it is needed */
};

static uint32_t flag(Round *r)
{
    Ex one = low_i(r->l, 1);
    if (!r->left)
        r->left = p_buf(r->l->p, SCvar, DTbool, "left", &one, NULL, 1);
    return r->left;
}

static Stmt *set(Round *r, Loc loc, bool value)
{
    Ex zero = low_i(r->l, 0);
    low_begin(r->l, loc);
    low_put(r->l, low_store(r->l, flag(r), &zero, x_int(r->l->p, DTbool, value)));
    return low_end(r->l);
}

/* The list without `continue`; tell: more follows behind the block that it is, so the flag is
 * set in its place. */
static Stmt *without(Round *r, Stmt *list, bool tell)
{
    for (Stmt **at = &list; *at; at = &(*at)->next) {
        Stmt *s = *at, *rest = s->next;
        if (s->kind == Scontinue) {
            *at = tell ? set(r, s->loc, true) : NULL;
            return list;
        }
        enum Leaves a = s->kind == Sif ? leaves(s->cond.then) : Never;
        enum Leaves b = s->kind == Sif ? leaves(s->cond.els) : Never;
        if (a == Never && b == Never)
            continue;
        bool either = (a == Always || b == Always) && a != Maybe && b != Maybe;
        s->next = NULL;
        if (either && a == Never)
            s->cond.then = low_append(s->cond.then, rest);
        else if (either && b == Never)
            s->cond.els = low_append(s->cond.els, rest);
        s->cond.then = without(r, s->cond.then, tell || (!either && rest));
        s->cond.els = without(r, s->cond.els, tell || (!either && rest));
        if (!either && rest) {
            Ex zero = low_i(r->l, 0), left = low_load(r->l, flag(r), &zero);
            s->next = low_if(r->l, x_un(r->l->p, Xnot, left), without(r, rest, tell), NULL);
        }
        return list;
    }
    return list;
}

static Stmt *loop(Low *l, Stmt *s, bool *into, void *ud)
{
    Round r = {.l = l};
    (void)into;
    (void)ud;
    if (s->kind != Sfor || (s->loop.kind != Fparallel && s->loop.kind != Fvectorized) ||
        leaves(s->loop.body) == Never)
        return s;
    Stmt *body = without(&r, s->loop.body, false);
    if (r.left) {
        low_begin(l, s->loc);
        s_alloc(l->p, r.left, 0);
        body = low_append(low_append(low_end(l), set(&r, s->loc, false)), body);
    }
    s->loop.body = body;
    return body ? s : NULL;
}

void flat_continue(Low *l) { low_rewrite(l, &l->launch->launch.body, loop, NULL); }
