/* core/lower/flatten/continue.c: `continue` of parallel and vectorized loops as conditions, and of
 * others where some threads alone take it and all come to a tile operation: threads that are
 * done with a round wait for the others at its end.
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

/* The innermost condition around a `continue` in list, which gets to one. */
static const Stmt *continue_condition(const Stmt *list)
{
    for (const Stmt *s = list; s; s = s->next) {
        if (s->kind != Sif)
            continue;
        bool then = continue_leaves(s->cond.then) != LeavesNever;
        const Stmt *in = then || continue_leaves(s->cond.els) != LeavesNever ? s : NULL;
        if (in) {
            const Stmt *inner = continue_condition(then ? s->cond.then : s->cond.els);
            return inner ? inner : in;
        }
    }
    return NULL;
}

/* The rest of a round, for those who have not left it where condition why stands. */
static Stmt *continue_rest(LoopRound *r, const Stmt *why, Stmt *rest)
{
    Ex zero = low_i(r->l, 0), left = low_load(r->l, continue_flag(r), &zero);
    Ex stays = x_un(r->l->p, Xnot, left);
    Stmt *out = low_if(r->l, stays, rest, NULL);
    low_say(r->l, stays, why->cond.cond);
    if (out)
        out->loc = why->loc;
    return out;
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
        const Stmt *why = continue_condition(s);
        if (either && a == LeavesNever)
            s->cond.then = low_append(s->cond.then, rest);
        else if (either && b == LeavesNever)
            s->cond.els = low_append(s->cond.els, rest);
        s->cond.then = continue_without(r, s->cond.then, tell || (!either && rest));
        s->cond.els = continue_without(r, s->cond.els, tell || (!either && rest));
        if (!either && rest)
            s->next = continue_rest(r, why, continue_without(r, rest, tell));
        return list;
    }
    return list;
}

bool flat_drop_continue(Low *l, Stmt **body, Loc loc)
{
    LoopRound r = {.l = l};
    if (continue_leaves(*body) == LeavesNever)
        return false;
    Stmt *list = continue_without(&r, *body, false);
    if (r.left) {
        low_begin(l, loc);
        s_alloc(l->p, r.left, 0);
        list = low_append(low_append(low_end(l), continue_set(&r, loc, false)), list);
    }
    *body = list;
    return true;
}

static Stmt *loop_continues(Low *l, Stmt *s, bool *into, void *ud)
{
    (void)into;
    (void)ud;
    if (s->kind != Sfor || (s->loop.kind != Fparallel && s->loop.kind != Fvectorized))
        return s;
    flat_drop_continue(l, &s->loop.body, s->loc);
    return s->loop.body ? s : NULL;
}

void flat_continue(Low *l) { low_rewrite(l, &l->launch->launch.body, loop_continues, NULL); }
