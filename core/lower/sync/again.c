/* core/lower/sync/again.c: is all ordered without some barrier?  A run from that
 * barrier to where what is pending is the same as with it tells: the time for all
 * that are tried grows with the program, not with its square.
 *
 * States are kept at statements that stand in nothing, as far apart as they are large. */
#include "walk.h"

typedef struct Snap Snap;
struct Snap { Node *at; State *s; }; /* what is pending in front of at */

/* The outermost statement around n. */
static const Node *again_outermost(const Node *n)
{
    while (n->up)
        n = n->up;
    return n;
}

bool sync_before(const Node *a, const Node *b)
{
    return again_outermost(a)->place < again_outermost(b)->place;
}

static void again_keep(Walk *w, Node *n)
{
    Sync *y = w->y;
    agrow(&y->l->p->ctx, &y->snap, &y->capsnap, y->nsnap + 1, sizeof *y->snap);
    State *s = state_take(w);
    state_copy(w, s, &w->s);
    y->snap[y->nsnap++] = (Snap){n, s};
}

bool sync_record(Sync *y)
{
    Walk w = walk_new(y);
    uint64_t walked = 0;
    uint32_t place = 0;
    for (Node *n = y->t.root; n; n = n->next)
        n->place = place++;
    for (Node *n = y->t.root; n && !y->stop; n = n->next) {
        if (walked >= w.s.n) {
            again_keep(&w, n);
            walked = 0;
        }
        walked += 1 + n->last - n->first;
        n = walk_one(&w, n);
    }
    walk_end(&w);
    return !y->stop;
}

/* The last one that nothing from `from` on has a part in. */
static uint32_t last_before(const Sync *y, const Node *from)
{
    uint32_t lo = 0, hi = y->nsnap, place = again_outermost(from)->place;
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        if (y->snap[mid].at->place <= place)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* Does the walk come to snapshot i as it did?  If not, how it does is fresh. */
static bool again_as_before(Walk *w, uint32_t first, uint32_t i)
{
    Sync *y = w->y;
    agrow(&y->l->p->ctx, &y->fresh, &y->capfresh, i - first, sizeof(State *)); /* of all that are passed */
    if (state_same(w, &w->s, y->snap[i].s))
        return true;
    y->fresh[i - first - 1] = state_take(w);
    state_copy(w, y->fresh[i - first - 1], &w->s);
    return false;
}

bool sync_again(Sync *y, const Node *from, const Node *to)
{
    Walk w = walk_new(y);
    uint32_t last = again_outermost(to)->place, first = last_before(y, from), i = first + 1;
    state_copy(&w, &w.s, y->snap[first].s);
    for (Node *n = y->snap[first].at; n && !y->stop; n = n->next) {
        if (i < y->nsnap && n == y->snap[i].at) {
            if (again_as_before(&w, first, i) && n->place > last)
                break;
            i++;
        }
        n = walk_one(&w, n);
    }
    for (uint32_t k = first + 1; k < i; k++) {
        State **new = &y->fresh[k - first - 1], *old = y->snap[k].s;
        if (!*new)
            continue;
        if (!y->stop)
            y->snap[k].s = *new;
        state_give(&w, y->stop ? *new : old);
        *new = NULL;
    }
    walk_end(&w);
    return !y->stop;
}
