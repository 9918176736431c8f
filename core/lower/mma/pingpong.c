/* core/lower/mma/pingpong.c: warp groups that take turns at the matrix units.
 *
 * Two groups with rows of their own run the same loop of products and other
 * work.  Left alone they fall into step: both want the matrix units, then both
 * leave them idle.  Named barriers keep them apart, so that the products of one
 * run under the other work of the other:
 *
 *     group g, each time:  bar_sync id[g]; products; bar_arrive id[g + 1]
 *
 * The last group arrives once for the first before the loop, and not in its last
 * iteration, so that the loop leaves the barriers as it found them.
 *
 * Reference: performance.md 2.3. */
#include "core/ir/walk.h"
#include "gemm.h"
#include "overlap.h"
#include "err/lower.h"

enum { GroupThreads = 128 };

/* Each warp group has rows of its own of product s. */
static bool own_rows(const Low *l, const Stmt *s)
{
    const GemmPlan *g = s->op.gemm;
    return g->wn == 1 && g->wm * l->m->warp == l->threads;
}

static bool shared_access(void *ud, const MemEffect *e)
{
    const Low *l = ud;
    return l->p->buf[e->root].scope != SCshared;
}

/* No statement makes the groups wait for each other: nothing goes through shared
 * memory but the products' operands. */
static bool groups_independent(Low *l, const Stmt *s)
{
    for (; s; s = s->next)
        if (s->kind == Scall || (!(s->kind == Sop && s->op.op == Ogemm) &&
                                 !block_effects(l->p, s, false, shared_access, l)))
            return false;
    return true;
}

static Stmt *pingpong_bar(Low *l, enum Op op, int id, Loc loc)
{
    Stmt *s = low_op(l, op, loc);
    s->op.attr[0] = id;
    s->op.attr[1] = 2 * GroupThreads;
    return s;
}

/* The statement of each group, chosen by its number; s is used up. */
static Stmt *by_group(Low *l, Stmt **s, int n)
{
    Ex group = low_div(l, low_warp(l), GroupThreads / l->m->warp);
    Stmt *list = s[n - 1];
    for (int i = n - 2; i >= 0; i--) {
        Stmt *k = low_guard(l, x_bin(l->p, Xeq, group, low_i(l, i)), s[i]);
        k->cond.els = list;
        list = k;
    }
    return list;
}

static void pingpong_insert(Stmt *at, Stmt *s)
{
    Stmt *rest = at->next;
    at->next = s;
    low_append(s, rest);
}

Stmt *overlap_turns(Low *l, Stmt *loop, Stmt *first, Stmt *last)
{
    Prog *p = l->p;
    int n = l->threads / GroupThreads;
    Stmt *sync[NamedBarriers], *arrive[NamedBarriers];
    Ex k = x_var(p, loop->loop.var[0]), lo = loop->loop.lo[0], hi = loop->loop.hi[0];
    if (n < 2 || !own_rows(l, first) || !own_rows(l, last) ||
        !groups_independent(l, loop->loop.body))
        return loop;
    int id = low_named(l, n);
    if (!id) {
        low_note(l, E_overlap_barriers, loop, afmt(&p->ctx, "%d", n));
        return loop;
    }
    for (int i = 0; i < n; i++) {
        sync[i] = pingpong_bar(l, Obar_sync, id + i, loop->loc);
        arrive[i] = pingpong_bar(l, Obar_arrive, id + (i + 1) % n, loop->loc);
    }
    arrive[n - 1] = low_guard(l, x_bin(p, Xlt, low_add(l, k, low_i(l, 1)), hi), arrive[n - 1]);
    pingpong_insert(last, by_group(l, arrive, n));
    Stmt **at = &loop->loop.body;
    while (*at != first)
        at = &(*at)->next;
    *at = by_group(l, sync, n);
    (*at)->next = first;
    Ex is_last = x_bin(p, Xeq, low_div(l, low_warp(l), GroupThreads / l->m->warp),
                       low_i(l, n - 1));
    Stmt *s = low_guard(l, is_last, pingpong_bar(l, Obar_arrive, id, loop->loc));
    return low_append(low_guard(l, x_bin(p, Xlt, lo, hi), s), loop);
}
