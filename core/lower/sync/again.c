/* core/lower/sync/again.c: is all ordered without some barrier?  The walk of an ordered
 * program is kept: of each time that it went through a long block (the program, the body of a
 * loop in one round, of a role, of a branch) what was pending at some of its statements.  To try
 * without a barrier is to go the same way again, but in each block from the last statement kept
 * in front of it to where what is pending is as it was: the time for all that are tried
 * grows with the program, not with its square.
 *
 * States are kept as far apart as they are large.  A try that is right puts its own in the place
 * of those that differ; what it did is undone where it is not. */
#include "walk.h"
#include "err/order.h"

enum { VisitLong = 32 };    /* accesses of a block that is worth it */

typedef struct Snap Snap;
typedef struct NodeVisit NodeVisit;
struct Snap { Node *at; State *s; }; /* what is pending in front of at */

/* One time through a block. */
struct Visit {
    Snap *snap; uint32_t nsnap, capsnap; /* in order; none: part of it is left by break or continue */
    State *end;              /* behind it; NULL likewise */
    NodeVisit *node; uint32_t nnode, capnode; /* statements with blocks in it, in order */
    Visit *next;             /* of Again.spare */
};
struct NodeVisit {
    Node *at;
    Visit **block[2]; uint32_t n[2], cap[2]; /* of each block and round; NULL: too short */
    const Rounds *rounds;    /* of a loop; NULL: not asked yet */
};

/* What a try did: a state in the place of another one; or a round that was not there before
 * (of->n is then one more); or fewer rounds than before, n. */
typedef struct Undo Undo;
struct Undo {
    State **at, *old;
    NodeVisit *of; int els;
    uint32_t n; bool fewer;
};

typedef struct Again Again;
struct Again {
    Visit *root;
    Visit *spare;
    Undo *undo; uint32_t nundo, capundo;
    uint32_t stamp;          /* of Node.stamp: which blocks have changes in this try, */
    uint32_t lo, hi;         /* ... and between which places: of the program's own */
};

/* Places ---------------------------------------------------------------- */

/* Numbers the statements of the block; does a break or continue in it leave it? */
static bool again_number(Node *n)
{
    bool leaves = false;
    for (uint32_t place = 1; n; n = n->next) {
        n->place = place++;
        for (int i = 0; i < 2; i++)
            n->leaves[i] = again_number(n->child[i]);
        bool loop = n->s->kind == Sfor || n->s->kind == Swhile;
        leaves |= n->s->kind == Sbreak || n->s->kind == Scontinue ||
                  (!loop && (n->leaves[0] || n->leaves[1]));
    }
    return leaves;
}

/* What stands in front of n has changed. */
static void again_changed(Again *a, Node *n)
{
    n->changed = a->stamp;
    for (; n; n = n->up) {
        Node *up = n->up;
        uint32_t *lo = up ? &up->lo[n->els] : &a->lo, *hi = up ? &up->hi[n->els] : &a->hi;
        if (up && up->stamp != a->stamp) {
            up->stamp = a->stamp;
            up->lo[0] = up->lo[1] = UINT32_MAX;
            up->hi[0] = up->hi[1] = 0;
        }
        *lo = n->place < *lo ? n->place : *lo;
        *hi = n->place > *hi ? n->place : *hi;
    }
}

/* Records --------------------------------------------------------------- */

static Visit *visit_new(Walk *w)
{
    Again *a = w->y->again;
    Visit *v = a->spare;
    if (!v)
        return anew(&w->y->l->p->ctx, sizeof *v);
    a->spare = v->next;
    v->nsnap = v->nnode = 0;
    v->end = NULL;
    return v;
}

static void visit_give(Walk *w, Visit *v)
{
    if (!v)
        return;
    for (uint32_t i = 0; i < v->nsnap; i++)
        state_give(w, v->snap[i].s);
    if (v->end)
        state_give(w, v->end);
    for (uint32_t i = 0; i < v->nnode; i++)
        for (int b = 0; b < 2; b++)
            while (v->node[i].n[b])
                visit_give(w, v->node[i].block[b][--v->node[i].n[b]]);
    v->next = w->y->again->spare;
    w->y->again->spare = v;
}

static State *again_state(Walk *w)
{
    State *s = state_take(w);
    state_copy(w, s, &w->s);
    return s;
}

static Undo *undo_new(Walk *w)
{
    Again *a = w->y->again;
    agrow(&w->y->l->p->ctx, &a->undo, &a->capundo, a->nundo + 1, sizeof *a->undo);
    a->undo[a->nundo] = (Undo){0};
    return &a->undo[a->nundo++];
}

/* Is what is pending as it was at *at?  If not, it is so from now on. */
static bool again_as_before(Walk *w, State **at)
{
    if (state_same(w, &w->s, *at))
        return true;
    Undo *u = undo_new(w);
    u->at = at;
    u->old = *at;
    *at = again_state(w);
    return false;
}

/* Statement n in the block that is walked. */
static NodeVisit *visit_node(Walk *w, Node *n)
{
    Visit *v = w->visit;
    uint32_t lo = 0, hi = v->nnode;
    if (hi && v->node[hi - 1].at == n)
        return &v->node[hi - 1];
    if (w->record) {
        agrow(&w->y->l->p->ctx, &v->node, &v->capnode, v->nnode + 1, sizeof *v->node);
        NodeVisit *k = &v->node[v->nnode++];
        k->at = n;
        k->rounds = NULL;
        return k;
    }
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        if (v->node[mid].at->place <= n->place)
            lo = mid;
        else
            hi = mid;
    }
    if (!v->nnode || v->node[lo].at != n)
        diag_fail(&w->y->l->p->ctx, E_bug, n->s->loc, "a statement that was not walked", NULL);
    return &v->node[lo];
}

/* Walks --------------------------------------------------------------- */

static void again_record(Walk *w, Node *n, bool leaves)
{
    Visit *v = w->visit;
    uint64_t walked = 0;
    for (; n && !w->y->stop; n = n->next) {
        if (!leaves && (v->nsnap == 0 || walked >= w->s.n || n->s->kind == Srole)) {
            agrow(&w->y->l->p->ctx, &v->snap, &v->capsnap, v->nsnap + 1, sizeof *v->snap);
            v->snap[v->nsnap++] = (Snap){n, again_state(w)};
            walked = 0;
        }
        walked += 1 + n->last - n->first;
        n = walk_one(w, n);
    }
    if (!leaves)
        v->end = again_state(w);
}

/* The last in front of which nothing has changed. */
static uint32_t again_last_before(const Visit *v, uint32_t place)
{
    uint32_t lo = 0, hi = v->nsnap;
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        if (v->snap[mid].at->place <= place)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* From n on, where nothing has changed but between places lo and hi. */
static void again_replay(Walk *w, Node *n, uint32_t lo, uint32_t hi)
{
    Visit *v = w->visit;
    for (uint32_t i = 0; n && !w->y->stop; n = n->next) {
        bool same = i < v->nsnap && n == v->snap[i].at && again_as_before(w, &v->snap[i].s);
        if (same && n->place > hi) {
            state_copy(w, &w->s, v->end);
            return;
        }
        uint32_t k = same ? again_last_before(v, lo) : i;
        if (k > i) {
            i = k;
            n = v->snap[i].at;
            state_copy(w, &w->s, v->snap[i].s);
        }
        i += i < v->nsnap && n == v->snap[i].at;
        w->same = same && n->changed != w->y->again->stamp ? n : NULL;
        n = walk_one(w, n);
    }
    if (v->end && !w->y->stop)
        again_as_before(w, &v->end);
}

/* The block's visit of that round, and whether it is new. */
static Visit *again_visit(Walk *w, Node *n, int els, int64_t round, bool *new)
{
    NodeVisit *k = visit_node(w, n);
    *new = w->record || (uint64_t)round >= k->n[els];
    if (!*new)
        return k->block[els][round];
    agrow(&w->y->l->p->ctx, &k->block[els], &k->cap[els], k->n[els] + 1, sizeof(Visit *));
    Node *last = n->child[els];
    while (last && last->next && last->last - n->child[els]->first < VisitLong)
        last = last->next;
    bool is_long = last && last->last - n->child[els]->first >= VisitLong;
    Visit *v = is_long ? visit_new(w) : NULL;
    k->block[els][k->n[els]++] = v;
    if (!w->record) {
        Undo *u = undo_new(w);
        u->of = k;
        u->els = els;
    }
    return v;
}

void walk_inner(Walk *w, Node *n, int els, int64_t round)
{
    Visit *around = w->visit;
    bool record = w->record, new;
    if (!around) {
        walk_block(w, n->child[els]);
        return;
    }
    w->visit = again_visit(w, n, els, round, &new);
    w->record = new;
    if (!w->visit)
        walk_block(w, n->child[els]);
    else if (new)
        again_record(w, n->child[els], n->leaves[els]);
    else if (n->stamp == w->y->again->stamp)
        again_replay(w, n->child[els], n->lo[els], n->hi[els]);
    else
        again_replay(w, n->child[els], UINT32_MAX, 0);
    w->visit = around;
    w->record = record;
}

const Rounds *walk_rounds(Walk *w, Node *n, const Rounds *found)
{
    NodeVisit *k = w->visit ? visit_node(w, n) : NULL;
    if (k && !k->rounds && found) {
        Rounds *r = anew(&w->y->l->p->ctx, sizeof *r);
        *r = *found;
        k->rounds = r;
    }
    return k ? k->rounds : NULL;
}

void walk_rounds_end(Walk *w, Node *n, int64_t rounds)
{
    NodeVisit *k = w->visit && !w->y->stop ? visit_node(w, n) : NULL;
    if (!k || (uint64_t)rounds >= k->n[0])
        return;
    Undo *u = undo_new(w);
    u->of = k;
    u->n = (uint32_t)rounds;
    u->fewer = true;
}

/* Tries ------------------------------------------------------------------- */

/* Undoes all that was done, the newest first; or what it replaced is not needed any more. */
static void again_settle(Walk *w, bool right)
{
    Again *a = w->y->again;
    for (uint32_t i = 0; i < a->nundo && right; i++) {
        Undo *u = &a->undo[i];
        if (u->at)
            state_give(w, u->old);
        while (u->fewer && u->of->n[0] > u->n)
            visit_give(w, u->of->block[0][--u->of->n[0]]);
    }
    while (a->nundo && !right) {
        Undo *u = &a->undo[--a->nundo];
        if (u->at) {
            state_give(w, *u->at);
            *u->at = u->old;
        } else if (!u->fewer) {
            visit_give(w, u->of->block[u->els][--u->of->n[u->els]]);
        }
    }
    a->nundo = 0;
}

bool sync_record(Sync *y)
{
    Again *a = y->again = anew(&y->l->p->ctx, sizeof *a);
    bool leaves = again_number(y->t.root);
    Walk w = walk_new(y);
    w.visit = a->root = visit_new(&w);
    w.record = true;
    again_record(&w, y->t.root, leaves);
    walk_end(&w);
    return !y->stop;
}

bool sync_again(Sync *y, Node *from, SyncSite *const *moved, uint32_t n)
{
    Again *a = y->again;
    Walk w = walk_new(y);
    a->stamp++;
    a->lo = UINT32_MAX;
    a->hi = 0;
    again_changed(a, from);
    for (uint32_t i = 0; i < n; i++)
        again_changed(a, moved[i]->before);
    w.visit = a->root;
    again_replay(&w, y->t.root, a->lo, a->hi);
    again_settle(&w, !y->stop);
    walk_end(&w);
    return !y->stop;
}
