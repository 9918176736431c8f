/* core/lower/sync/named.c: what the program's own numbered barriers order.
 *
 * A barrier of a number counts arrivals, whoever makes them. Only where each thread that
 * could make one waits itself (nobody arrives and goes on), all say the same count, and
 * those are exactly that many threads, does nobody pass its k-th before all others have
 * come to their k-th: two arrivals of one thread are never in one phase. Where all of a
 * role's threads come to the same ones, in no branch or loop that parts them, its k-th is
 * one statement for all of them: they have met there, like at a barrier of their own.
 *
 * Of roles that run side by side all have come equally often to a number that nothing
 * else names, when all are over: else some of them would still wait. Then each has met the
 * others behind each of its own. In a loop around the roles that holds of each of its
 * rounds only when each role comes there as often in one as in another.
 *
 * Else what other roles did is left to the barriers that sync.c puts in: one too many is
 * slow, one too few is wrong. So it is with a number at which somebody only arrives: it may
 * be that one's arrival of the next phase that lets others go. */
#include "walk.h"

typedef struct NamedBarrier NamedBarrier;
struct NamedBarrier {
    bool open;           /* it may not be what is said above */
    bool apart;          /* when roles side by side are over, some may have been there oftener */
    int64_t count;
    Warps who;           /* those that come to it */
    const Node *last;    /* the last role that names it */
};

/* All threads of n's role come to n equally often, and of the block to the role. */
static bool named_by_all(const Uniform *u, const Node *n)
{
    for (n = n->up; n; n = n->up)
        if ((n->s->kind == Sif && !uniform_ex(u, n->s, n->s->cond.cond)) ||
            ((n->s->kind == Sfor || n->s->kind == Swhile) && !uniform_loop(u, n->s)))
            return false;
    return true;
}

static bool named_side_by_side(const Node *first, const Node *n)
{
    while (first && first != n) {
        first = first->next;
        if (first && (first->s->kind != Srole || first->s->role.apart))
            return false;
    }
    return first != NULL;
}

/* Barrier (id, count) of n; waits: its threads do not go on before it is complete. */
static void barrier_use(Walk *w, Node *n, int64_t id, int64_t count, bool waits)
{
    Sync *y = w->y;
    if (id < 1 || id >= NamedBarriers)
        return;
    NamedBarrier *k = &y->named[id];
    const Node *role = walk_role(n->up);
    Warps who = walk_warps(w, role ? role->s : NULL);
    int lo = role ? role->s->role.lo : 0, hi = role ? role->s->role.hi : y->l->total;
    count = count > 0 ? count : y->l->total;
    k->open = k->open || !waits || lo % w->unit || hi % w->unit || (k->who && k->count != count) ||
              !named_by_all(&y->u, n);
    k->apart = k->apart || !role || (k->last && !named_side_by_side(k->last, role)) ||
               (role->depth && n->up != role);
    k->count = count;
    k->who |= who;
    k->last = role;
}

static void barrier_scan(Walk *w, Node *n)
{
    const Stmt *s = n->s;
    int64_t id = -1, count = -1;
    if (s->kind == Sop && (s->op.op == Obar_sync || s->op.op == Obar_arrive))
        barrier_use(w, n, s->op.attr[0], s->op.attr[1], s->op.op == Obar_sync);
    if (s->kind != Scall || s->call.fn != Isync_threads)
        return;
    const Prog *p = w->y->l->p;
    bool known = (!s->call.arg[0] || x_isint(p, s->call.arg[0], &id)) &&
                 (!s->call.arg[1] || x_isint(p, s->call.arg[1], &count));
    for (int i = 1; i < NamedBarriers && !known; i++)
        w->y->named[i].open = true;
    barrier_use(w, n, id, count, true);
}

static void named_uses(Walk *w, Node *n)
{
    for (; n; n = n->next) {
        barrier_scan(w, n);
        named_uses(w, n->child[0]);
        named_uses(w, n->child[1]);
    }
}

Warps named_met(Walk *w, int64_t id)
{
    Sync *y = w->y;
    if (!y->named) {
        y->named = anew(&y->l->p->ctx, NamedBarriers * sizeof *y->named);
        named_uses(w, y->t.root);
    }
    if (id < 1 || id >= NamedBarriers)
        return 0;
    const NamedBarrier *k = &y->named[id];
    int64_t threads = 0;
    for (Warps left = k->who; left; left &= left - 1)
        threads += w->unit;
    if (k->open || threads != k->count)
        return 0;
    return k->apart ? w->mine : k->who;
}
