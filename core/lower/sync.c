/* core/lower/sync.c: barriers and fences.
 *
 * Every barrier of the block, or of a role, that the compiler needs comes from
 * here.  sync_run() walks the program and stops at the first access that
 * nothing orders behind an earlier one of another thread; a site is put in
 * front of it, as late as it goes, and the walk begins again.  At the end every
 * site that the others make superfluous goes, those in loops first.
 *
 * Reference: lowering.md 6.6, 7.1. */
#include <string.h>

#include "../walk.h"
#include "sync.h"

enum { MaxSites = 256 };

bool sync_within(const Stmt *a, const Stmt *b)
{
    return b->role.lo <= a->role.lo && a->role.hi <= b->role.hi;
}

/* In front of a statement; in front of a role, there is one for each of the roles
 * before it that wait there (role NULL: all threads do), one more if that has `what`:
 * it must come behind what another one gets to know. */
static Site *site_at(Sync *y, const Stmt *before, const Stmt *role, int what)
{
    Prog *p = y->l->p;
    for (uint32_t i = y->nsite; i-- > 0;) {
        Site *k = &y->site[i];
        if (k->before == before && (before->kind != Srole || k->role == role)) {
            if (before->kind != Srole || !role || (k->what | what) != k->what)
                return k;
            break;
        }
    }
    if (y->nsite == MaxSites)
        diag_fail(&p->ctx, E_bug, before->loc, "too many barriers", NULL);
    agrow(&p->ctx, &y->site, &y->capsite, y->nsite + 1, sizeof *y->site);
    y->site[y->nsite] = (Site){.before = before};
    return &y->site[y->nsite++];
}

/* Where the fence goes that a barrier lacks: with it. */
static Site *fence_site(Sync *y)
{
    for (uint32_t i = 0; i < y->nsite; i++)
        if (y->site[i].before == y->fence_at && y->site[i].what & SYblock &&
            (!y->role || y->site[i].role == y->role))
            return &y->site[i];
    return site_at(y, y->fence_at, NULL, SYfence);
}

/* Puts in what the last run asked for. */
static void put(Sync *y)
{
    Site *k = y->fence_at ? fence_site(y) : site_at(y, y->before, y->role, y->what);
    if ((k->what | y->what) == k->what)
        diag_fail(&y->l->p->ctx, E_bug, k->before->loc, "a barrier that orders nothing", NULL);
    k->what |= y->what;
    if (!y->fence_at) {
        k->role = y->role;
        k->depth = y->depth;
    }
}

/* Is the program ordered, if fences join other barriers where they must? */
static bool ordered(Sync *y)
{
    enum { Moves = 8 };
    Site *to[Moves];
    int n = 0;
    while (!sync_run(y)) {
        if (!y->fence_at || n == Moves || fence_site(y)->what & SYfence) {
            while (n > 0)
                to[--n]->what &= ~SYfence;
            return false;
        }
        to[n] = fence_site(y);
        to[n++]->what |= SYfence;
    }
    return true;
}

/* Without some of its parts, is the program still ordered? */
static bool try_without(Sync *y, uint32_t i, int parts)
{
    int old = y->site[i].what;
    if (!(old & parts))
        return false;
    y->site[i].what = old & ~parts;
    if (ordered(y))
        return true;
    y->site[i].what = old;
    return false;
}

static void minimise(Sync *y)
{
    int deepest = 0;
    for (uint32_t i = 0; i < y->nsite; i++)
        deepest = y->site[i].depth > deepest ? y->site[i].depth : deepest;
    for (int d = deepest; d >= 0; d--)
        for (uint32_t i = 0; i < y->nsite; i++)
            if (y->site[i].depth == d) {
                if (y->site[i].what & SYblock)
                    y->site[i].what &= ~SYwarp;
                if (!try_without(y, i, SYblock | SYfence))
                    try_without(y, i, SYblock);
                try_without(y, i, SYwarp);
            }
    for (uint32_t i = 0; i < y->nsite; i++)
        try_without(y, i, SYfence);
}

/* Statements ------------------------------------------------------------ */

typedef struct Emit Emit;
struct Emit {
    Sync *y;
    const Stmt *role[NamedBarriers]; /* the first of those threads that has a barrier */
    int id[NamedBarriers], n;
};

static int barrier_id(Emit *e, const Stmt *role)
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
static Stmt *between_roles(Low *l, const Site *k, Stmt *list)
{
    if (!list || !k->role || k->before->kind != Srole)
        return list;
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = Srole;
    s->loc = list->loc;
    s->role = k->role->role;
    s->role.body = list;
    return s;
}

static Stmt *barrier_of(Emit *e, const Site *k, Loc loc)
{
    Low *l = e->y->l;
    Stmt *s = pipe_op(l, k->what & SYblock ? Obar_sync : Owarp_sync, loc);
    if (k->what & SYblock && k->role) {
        s->op.attr[0] = barrier_id(e, k->role);
        s->op.attr[1] = k->role->role.hi - k->role->role.lo;
    }
    return s;
}

static Stmt *each(Low *l, Stmt *s, bool *into, void *ud)
{
    Emit *e = ud;
    Stmt *all = NULL;
    (void)into;
    for (uint32_t i = 0; i < e->y->nsite; i++) {
        const Site *k = &e->y->site[i];
        Stmt *list = NULL;
        if (k->before != s)
            continue;
        if (k->what & SYfence)
            list = low_append(list, pipe_op(l, Ofence_async, s->loc));
        if (k->what & (SYblock | SYwarp))
            list = low_append(list, barrier_of(e, k, s->loc));
        all = low_append(all, between_roles(l, k, list));
    }
    return low_append(all, s);
}

void low_sync(Low *l)
{
    Sync *y = anew(&l->p->ctx, sizeof *y);
    y->l = l;
    uniform_init(&y->u, l);
    touches_init(&y->t, l, &y->u);
    while (!sync_run(y))
        put(y);
    minimise(y);
    Emit e = {.y = y};
    low_rewrite(l, &l->launch->launch.body, each, &e);
}
