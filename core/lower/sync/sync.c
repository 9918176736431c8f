/* core/lower/sync/sync.c: barriers and fences.
 *
 * Every barrier of the block, or of a role, that the compiler needs comes from
 * here.  sync_run() walks the program; in front of the first access that nothing
 * orders behind an earlier one of another thread a site is put, as late as it
 * goes, and the walk goes on from there, or begins again where that would not
 * tell the same.  At the end every site that the others make superfluous goes,
 * those in loops first: a run marks those on which something rests alone, the
 * others are taken out, one after the other, and looked whether all is ordered.
 *
 * Reference: lowering.md 6.6, 7.1. */
#include <stdlib.h>
#include <string.h>

#include "core/ir/walk.h"
#include "core/lower/flatten/flatten.h"
#include "sync.h"
#include "err/order.h"
#include "err/pipes.h"

/* Are all threads of role a in role b? */
static bool sync_within(const Stmt *a, const Stmt *b)
{
    return b->role.lo <= a->role.lo && a->role.hi <= b->role.hi;
}

/* The newest in front of n that serves role: in front of a role, there is one for each
 * of the roles before it that wait there (role NULL: all threads do), one more if that
 * has `what`: it must come behind what another one gets to know. */
static SyncSite *site_at(Sync *y, Node *n, const Stmt *role, int what)
{
    Ctx *c = &y->l->p->ctx;
    SyncSite *k = NULL;
    for (SyncSite *i = n->sites; i; i = i->next)
        if (n->s->kind != Srole || i->role == role)
            k = i;
    if (k && (!k->front || (k->what | what) != k->what))
        return k;
    k = anew(c, sizeof *k);
    k->before = n;
    *n->tail = k;
    n->tail = &k->next;
    agrow(c, &y->site, &y->capsite, y->nsite + 1, sizeof(SyncSite *));
    return y->site[y->nsite++] = k;
}

/* Where the fence goes that a barrier lacks: with it. */
static SyncSite *fence_site(Sync *y)
{
    for (SyncSite *k = y->fence_at->sites; k; k = k->next)
        if (k->what & SYblock && (!y->role || k->role == y->role))
            return k;
    return site_at(y, y->fence_at, NULL, SYfence);
}

/* Can the threads of a role wait for each other as `what` says? */
static bool can_wait(const Low *l, const Stmt *role, int what)
{
    bool warp = role->role.hi - role->role.lo == l->m->warp;
    if (flat_ragged(l, role))
        return !(what & (SYblock | SYwarp));
    return !(what & SYblock) || warp || l->m->named_barriers;
}

void sync_put(Sync *y)
{
    if (!y->fence_at && y->role && !can_wait(y->l, y->role, y->what))
        low_no_barrier(y->l, y->late->s->loc, y->role, y->l->p->buf[y->late->buf].name, y->early);
    SyncSite *k = y->fence_at ? fence_site(y) : site_at(y, y->before, y->role, y->what);
    if ((k->what | y->what) == k->what)
        diag_fail(&y->l->p->ctx, E_bug, k->before->s->loc, "a barrier that orders nothing", NULL);
    k->what |= y->what;
    if (!y->fence_at) {
        k->role = y->role;
        k->front = y->front;
        k->depth = y->depth;
    }
}

bool sync_put_fence(Sync *y)
{
    /* what is pending may come from before the run put it there */
    bool new = !(fence_site(y)->what & SYfence);
    if (!new && !y->changed)
        return false;
    if (new)
        sync_put(y);
    y->fence_at = NULL;
    return true;
}

/* Superfluous ones ------------------------------------------------------ */

/* Is the program ordered, if fences join other barriers where they must?  Of what was,
 * the sites at `from` have changed. */
static bool sync_ordered(Sync *y, Node *from)
{
    uint32_t n = 0;
    while (!sync_again(y, from, y->moved, n)) {
        if (!y->fence_at || fence_site(y)->what & SYfence) {
            while (n > 0)
                y->moved[--n]->what &= ~SYfence;
            return false;
        }
        agrow(&y->l->p->ctx, &y->moved, &y->capmoved, n + 1, sizeof *y->moved);
        y->moved[n] = fence_site(y);
        y->moved[n++]->what |= SYfence;
    }
    return true;
}

/* Without some of its parts, is the program still ordered? */
static bool try_without(Sync *y, SyncSite *k, int parts)
{
    int old = k->what;
    if (!(old & parts & ~k->need))
        return false;
    k->what = old & ~parts;
    if (sync_ordered(y, k->before))
        return true;
    k->what = old;
    return false;
}

/* Inner loops first, else in the order in which they were put. */
static int by_depth(const void *x, const void *y)
{
    const SyncSite *a = *(SyncSite *const *)x, *b = *(SyncSite *const *)y;
    return a->depth != b->depth ? (a->depth < b->depth) - (a->depth > b->depth)
                                : (a->order > b->order) - (a->order < b->order);
}

static void minimise(Sync *y)
{
    for (uint32_t i = 0; i < y->nsite; i++) {
        y->site[i]->order = i;
        if (y->site[i]->what & SYblock)
            y->site[i]->what &= ~SYwarp;
    }
    y->marks = true;
    sync_run(y);
    y->marks = false;
    if (!y->nsite || !sync_record(y))
        return;
    qsort(y->site, y->nsite, sizeof(SyncSite *), by_depth);
    for (uint32_t i = 0; i < y->nsite; i++) {
        SyncSite *k = y->site[i];
        if (!(k->need & SYblock) && !try_without(y, k, SYblock | SYfence))
            try_without(y, k, SYblock);
        try_without(y, k, SYwarp);
    }
    for (uint32_t i = 0; i < y->nsite; i++)
        try_without(y, y->site[i], SYfence);
}

/* Statements ------------------------------------------------------------ */

typedef struct SyncEmit SyncEmit;
struct SyncEmit {
    Sync *y;
    const Stmt *role[NamedBarriers]; /* the first of those threads that has a barrier */
    int id[NamedBarriers], n;
};

static int barrier_id(SyncEmit *e, const Stmt *role)
{
    Low *l = e->y->l;
    for (int i = 0; i < e->n; i++)
        if (sync_within(role, e->role[i]) && sync_within(e->role[i], role))
            return e->id[i];
    int id = low_named(l, 1);
    if (!id)
        diag_fail(&l->p->ctx, E_named_many, role->loc, NULL);
    e->role[e->n] = role;
    e->id[e->n] = id;
    return e->id[e->n++];
}

/* In front of a role, for the threads of an earlier one: a role again. */
static Stmt *between_roles(Low *l, const SyncSite *k, Stmt *list)
{
    if (!list || !k->front || !k->role)
        return list;
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = Srole;
    s->loc = list->loc;
    s->role = k->role->role;
    s->role.body = list;
    return s;
}

static Stmt *barrier_of(SyncEmit *e, const SyncSite *k, Loc loc)
{
    Low *l = e->y->l;
    bool warp = k->role && !l->m->named_barriers; /* of one warp: can_wait() */
    bool block = k->what & SYblock && !warp;
    Stmt *s = low_op(l, block ? Obar_sync : Owarp_sync, loc);
    if (block && k->role) {
        s->op.attr[0] = barrier_id(e, k->role);
        s->op.attr[1] = k->role->role.hi - k->role->role.lo;
    }
    return s;
}

/* What is put in front of n. */
static Stmt *sites_of(SyncEmit *e, const Node *n)
{
    Low *l = e->y->l;
    Stmt *all = NULL;
    for (const SyncSite *k = n->sites; k; k = k->next) {
        Stmt *list = NULL;
        if (k->what & SYfence)
            list = low_append(list, low_fence_async(l, n->s->loc));
        if (k->what & (SYblock | SYwarp))
            list = low_append(list, barrier_of(e, k, n->s->loc));
        all = low_append(all, between_roles(l, k, list));
    }
    return all;
}

/* The statements that the nodes from n on stand for, at *at, with what is put in. */
static void sync_emit(SyncEmit *e, const Node *n, Stmt **at)
{
    for (; n; n = n->next) {
        Stmt **block[2], *list = sites_of(e, n);
        for (int i = 0, k = low_blocks(n->s, block); i < k; i++)
            if (n->child[i])
                sync_emit(e, n->child[i], block[i]);
        n->s->next = NULL;
        *at = low_append(list, n->s);
        while (*at)
            at = &(*at)->next;
    }
}

/* Notes ----------------------------------------------------------------- */

/* Does a barrier that we put stand in n, or anywhere (NULL)? */
static bool has_site(const Sync *y, const Node *n)
{
    for (uint32_t i = 0; i < y->nsite; i++) {
        const Node *k = y->site[i]->what & (SYblock | SYwarp) ? y->site[i]->before : NULL;
        if (k && !n)
            return true;
        for (k = k ? k->up : NULL; k; k = k->up)
            if (k == n)
                return true;
    }
    return false;
}

static void say_loops(const Sync *y, const Node *n)
{
    for (; n; n = n->next) {
        if (n->cut && has_site(y, n))
            diag(&y->l->p->ctx, E_sync_rounds, n->s->loc, NULL);
        say_loops(y, n->child[0]);
        say_loops(y, n->child[1]);
    }
}

/* What was too much to look at, where that may have made a barrier. */
static void say_limits(const Sync *y)
{
    say_loops(y, y->t.root);
    for (uint32_t i = 0; i < y->t.n && has_site(y, NULL); i++)
        if (y->t.acc[i].cut)
            low_note(y->l, E_sync_places, y->t.acc[i].s, y->l->p->buf[y->t.acc[i].buf].name);
}

void low_sync(Low *l)
{
    Sync *y = anew(&l->p->ctx, sizeof *y);
    y->l = l;
    beside_find(l, l->launch->launch.body);
    uniform_init(&y->u, l);
    accesses_init(&y->t, l, &y->u);
    phases_find(y);
    y->puts = true;
    do {
        while (!sync_run(y))
            sync_put(y);
    } while (y->changed);
    y->puts = false;
    minimise(y);
    say_limits(y);
    SyncEmit e = {.y = y};
    sync_emit(&e, y->t.root, &l->launch->launch.body);
}
