/* core/lower/flatten/continue.c: `continue` of parallel and vectorized loops as conditions.
 *
 * What such a loop becomes is no loop whose rounds could be left: statements become parallel loops
 * of their own, threads do several rounds at once, in vectors and registers.  So
 *
 *     if c then A; continue end; B      becomes      if c then A else B end
 *
 * and where a branch only may get to a `continue`, a flag of the round says whether it did:
 *
 *     if c then if d then continue end; A end; B
 *
 *     left = 0; if c then if d then left = 1 else A end end; if not left then B end */
#include "flatten.h"

enum Leaves { LeavesNever, LeavesMaybe, LeavesAlways };

/* Does a list get to a `continue` of the loop around it? */
static enum Leaves continue_leaves(const Stmt *list)
{
    enum Leaves all = LeavesNever;
    for (const Stmt *s = list; s; s = s->next) {
        if (s->kind == Scontinue)
            return LeavesAlways;
        if (s->kind != Sif)
            continue;
        enum Leaves a = continue_leaves(s->cond.then), b = continue_leaves(s->cond.els);
        if (a == LeavesAlways && b == LeavesAlways)
            return LeavesAlways;
        all = a != LeavesNever || b != LeavesNever ? LeavesMaybe : all;
    }
    return all;
}

typedef struct LoopRound LoopRound;
struct LoopRound {
    Low *l;
    uint32_t left; /* the flag, once it is needed */
};

static uint32_t continue_flag(LoopRound *r)
{
    Ex one = low_i(r->l, 1);
    if (!r->left)
        r->left = p_buf(r->l->p, SCvar, DTbool, "left", &one, NULL, 1);
    return r->left;
}

static Stmt *continue_set(LoopRound *r, Loc loc, bool value)
{
    Ex zero = low_i(r->l, 0);
    low_begin(r->l, loc);
    low_put(r->l, low_store(r->l, continue_flag(r), &zero, x_int(r->l->p, DTbool, value)));
    return low_end(r->l);
}

/* The list without `continue`; tell: more follows behind the block that it is, so the flag is
 * set in its place. */
static Stmt *continue_without(LoopRound *r, Stmt *list, bool tell)
{
    for (Stmt **at = &list; *at; at = &(*at)->next) {
        Stmt *s = *at, *rest = s->next;
        if (s->kind == Scontinue) {
            *at = tell ? continue_set(r, s->loc, true) : NULL;
            return list;
        }
        enum Leaves a = s->kind == Sif ? continue_leaves(s->cond.then) : LeavesNever;
        enum Leaves b = s->kind == Sif ? continue_leaves(s->cond.els) : LeavesNever;
        if (a == LeavesNever && b == LeavesNever)
            continue;
        bool either =
            (a == LeavesAlways || b == LeavesAlways) && a != LeavesMaybe && b != LeavesMaybe;
        s->next = NULL;
        if (either && a == LeavesNever)
            s->cond.then = low_append(s->cond.then, rest);
        else if (either && b == LeavesNever)
            s->cond.els = low_append(s->cond.els, rest);
        s->cond.then = continue_without(r, s->cond.then, tell || (!either && rest));
        s->cond.els = continue_without(r, s->cond.els, tell || (!either && rest));
        if (!either && rest) {
            Ex zero = low_i(r->l, 0), left = low_load(r->l, continue_flag(r), &zero);
            s->next =
                low_if(r->l, x_un(r->l->p, Xnot, left), continue_without(r, rest, tell), NULL);
        }
        return list;
    }
    return list;
}

static Stmt *loop_continues(Low *l, Stmt *s, bool *into, void *ud)
{
    LoopRound r = {.l = l};
    (void)into;
    (void)ud;
    if (s->kind != Sfor || (s->loop.kind != Fparallel && s->loop.kind != Fvectorized) ||
        continue_leaves(s->loop.body) == LeavesNever)
        return s;
    Stmt *body = continue_without(&r, s->loop.body, false);
    if (r.left) {
        low_begin(l, s->loc);
        s_alloc(l->p, r.left, 0);
        body = low_append(low_append(low_end(l), continue_set(&r, s->loc, false)), body);
    }
    s->loop.body = body;
    return body ? s : NULL;
}

void flat_continue(Low *l) { low_rewrite(l, &l->launch->launch.body, loop_continues, NULL); }
