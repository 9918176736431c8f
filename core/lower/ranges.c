/* core/lower/ranges.c: roles that are not made of whole warps, as conditions again.
 *
 * A role says who a tile operation is spread over and who must meet at a barrier;
 * once that is settled, threads 0 .. 39 are `tid < 40`. */
#include "core/lower/flatten/flatten.h"

static Stmt *role_to_condition(Low *l, Stmt *s, bool *into, void *ud)
{
    Prog *p = l->p;
    (void)into;
    (void)ud;
    if (s->kind == Srole)
        s->role.apart = false;
    if (!flat_ragged(l, s))
        return s;
    Ex tid = x_var(p, l->tid), lo = low_i(l, s->role.lo), hi = low_i(l, s->role.hi);
    low_begin(l, s->loc);
    Stmt *out = low_if(l, x_bin(p, Xand, x_bin(p, Xle, lo, tid), x_bin(p, Xlt, tid, hi)),
                       s->role.body, NULL);
    low_end(l);
    return out;
}

void low_ranges(Low *l)
{
    low_rewrite(l, &l->launch->launch.body, role_to_condition, NULL);
}
