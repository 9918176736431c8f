/* core/lower/sync/walk.c: the accesses of a thread program in order, past its
 * barriers, waits and fences.
 *
 * The state is the set of touches that not all threads know of yet: a thread
 * knows of one when a barrier stands between it and all who did it, or it met
 * someone at a barrier who knew.  A statement that conflicts with a touch of
 * another thread, and is run by threads that do not know of it, needs a barrier
 * in front.  Asynchronous accesses stay in flight until their wait; then they
 * count as done by the thread that waited.  Bytes written through the generic
 * proxy that the async proxy uses later need a fence before the barrier between
 * them.  What mbarriers order (TMA loads) is left to them, but for what is behind the roles:
 * there not all have waited.  What their phases order is in phases.c.
 *
 * Loops: see loop.c.  Branches that threads decide are one step: a barrier
 * can only stand around them. */
#include <string.h>

#include "walk.h"

/* Barriers, waits, fences ------------------------------------------------ */

Warps walk_warps(const Walk *w, const Stmt *role)
{
    int lo = role ? role->role.lo : 0, hi = role ? role->role.hi : w->y->l->total;
    int n = (hi + w->unit - 1) / w->unit;
    return (n < 64 ? ((Warps)1 << n) - 1 : ~(Warps)0) & ~(((Warps)1 << lo / w->unit) - 1);
}

/* Threads `who` meet at `at`, of whom `here` come to this one.  What those here did, or one
 * of them is behind, they all are behind then; not what a role beside this one did: where in
 * this one that is known is not. */
static void sync_walk_barrier(Walk *w, Warps here, Warps who, Node *at, const Stmt *by,
                              SyncSite *site)
{
    State *s = &w->s;
    uint32_t n = 0;
    phases_met(w, here, who);
    for (uint32_t i = 0; i < s->n; i++) {
        Entry *e = &s->e[i];
        if ((!e->fly || e->fly == SFload) && (all_in(e->did, here) || (e->known & here && e->after & here))) {
            e->alone = w->y->marks && !e->cleared ? site : NULL;
            e->lone = NULL;
            if (!e->cleared) {
                e->cleared = at;
                e->by = by;
            }
            e->known |= who;
            if (e->proxy == PXlate)
                e->proxy = all_in(e->known, who) ? PXnone : by ? PXopen : PXhere;
        }
        if (e->proxy || e->alone || !all_in(walk_warps(w, NULL), e->known))
            s->e[n++] = *e;
    }
    s->n = n;
    s->indexed = 0;
}

static void warp_barrier(Walk *w, SyncSite *site)
{
    for (uint32_t i = 0; i < w->s.n; i++) {
        Entry *e = &w->s.e[i];
        if (e->fly)
            continue;
        e->lone = w->y->marks && !(e->lanes & w->mine) ? site : NULL;
        e->lanes |= w->mine;
    }
}

/* A fence of threads `who`: of all that wrote, or of those who are behind them.  It
 * counts from the next barrier on. */
static void sync_walk_fence(Walk *w, Warps who)
{
    for (uint32_t i = 0; i < w->s.n; i++) {
        Entry *e = &w->s.e[i];
        if (!e->fly && e->proxy == PXopen && (all_in(e->did, who) || all_in(who, e->known)))
            e->proxy = e->cleared ? PXlate : PXnone;
    }
}

static void sync_walk_commit(Walk *w, int fly)
{
    for (uint32_t i = 0; i < w->s.n; i++) {
        Entry *e = &w->s.e[i];
        if (e->fly == fly && e->did & w->mine && e->age < w->ages)
            e->age++;
    }
}

static void sync_walk_wait(Walk *w, int fly, int n, const Node *at)
{
    for (uint32_t i = 0; i < w->s.n; i++) {
        Entry *e = &w->s.e[i];
        if (e->fly == fly && e->did & w->mine && e->age > n) {
            e->fly = SFnone;
            e->since = at;
        }
    }
}

/* Needs ----------------------------------------------------------------- */

static bool node_inside(const Node *n, const Node *of)
{
    for (; n; n = n->up)
        if (n == of)
            return true;
    return false;
}

Node *walk_role(Node *n)
{
    while (n && n->s->kind != Srole)
        n = n->up;
    return n;
}

/* The role whose threads have to meet, so that more of them get to know of e: that
 * of those who did it; then one that came between it and this one. */
static const Stmt *carrier(const Walk *w, const Entry *e)
{
    const Stmt *x = NULL;
    if (!e->known)
        return e->role;
    for (uint32_t i = w->ndone; i-- > w->first;) {
        Warps k = walk_warps(w, w->done[i]);
        if (k & e->known && !all_in(k, e->known) && (!x || k & w->mine))
            x = w->done[i];
    }
    return x;
}

/* Before node n, or before the outermost loop or branch around it that `since`
 * is outside of: less often, and where it may serve others too.  What e's threads
 * did, not all of which come to this role, nobody here may know of: those who
 * did it meet in front of this role first. */
static void sync_walk_missing(Walk *w, Node *n, int what, const Node *since, const Entry *e)
{
    Sync *y = w->y;
    Node *at = n, *here = walk_role(n->up);
    y->fence_at = NULL;
    y->stop = true;
    y->early = (e ? e->f->a->s : since->s)->loc;
    Warps ours = walk_warps(w, here ? here->s : NULL);
    if (e && e->gate) { /* what the phases do not order: in front of the roles, for all */
        here = walk_role(e->gate->up);
        y->before = e->gate;
        y->depth = e->gate->depth;
        y->what = what;
        y->role = here ? here->s : NULL;
        y->front = false;
        return;
    }
    y->front = here && e && what & (SYblock | SYfence) && !all_in(e->did, ours) &&
               !(e->known & ours);
    if (y->front) {
        y->before = here;
        y->depth = here->depth;
        y->what = what | SYblock;
        y->role = carrier(w, e);
        y->front = y->role != NULL;
        return;
    }
    for (Node *k = n->up; k && k->s->kind != Srole; k = k->up)
        if (!node_inside(since, k))
            at = k;
    y->before = at;
    y->depth = at->depth;
    y->what = what;
    const Node *role = walk_role(at->up);
    y->role = role ? role->s : NULL;
}

/* A fence is missing at the barrier behind e.  A run that puts in what it lacks goes on: what is
 * pending and has met there is behind the fence now, and that nothing else is missing is what the next
 * run says. */
static void missing_fence(Walk *w, const Entry *e)
{
    Sync *y = w->y;
    Node *at = e->cleared;
    const Stmt *by = e->by;
    y->fence_at = at;
    y->role = by;
    y->what = SYfence;
    y->stop = !y->puts || !sync_put_fence(y);
    for (uint32_t i = 0; i < w->s.n && !y->stop; i++) {
        Entry *k = &w->s.e[i];
        if (k->proxy == PXopen && k->cleared == at && k->by == by)
            k->proxy = PXnone;
    }
    y->changed |= !y->stop;
}

/* What a conflict that is ordered rests on: one site alone? */
static void sync_walk_needs(const Walk *w, const Entry *e, int c, bool known)
{
    if (known && e->alone && !(c == CFlanes && all_in(e->did & w->mine, e->lanes)))
        e->alone->need |= SYblock;
    if (!known && c == CFlanes && e->lone)
        e->lone->need |= SYwarp;
}

/* Access f of statement n against e, which is pending. */
static void check_one(Walk *w, Node *n, const Footprint *f, const Entry *e)
{
    bool role = w->role || w->gate;
    if ((e->fly && (e->fly != SFload || role)) || (w->gate && e->told))
        return; /* a barrier does not help: the program does not wait; or it is asked in the role */
    if (!(e->after & w->mine)) {
        sync_beside(w, f, e);
        return;
    }
    bool known = all_in(w->mine, e->known);
    int c = known && !e->alone ? CFnone
            : !e->fly ? access_conflict(w->t, e->f, f)
            : access_overlap(w->t, e->f, f) ? CFwarps : CFnone; /* who started it has not waited */
    if (c && w->y->marks)
        sync_walk_needs(w, e, c, known);
    if (known || (c == CFlanes && all_in(e->did & w->mine, e->lanes)))
        c = CFnone;
    bool proxy = (e->proxy == PXopen || e->proxy == PXlate) && f->a->async &&
                 access_overlap(w->t, e->f, f);
    if (proxy && known && e->proxy == PXopen)
        missing_fence(w, e);
    else if (proxy && known)
        sync_walk_missing(w, n, SYblock, n, NULL);
    else if (proxy && e->proxy == PXlate) /* a warp_sync behind the fence would not tell it */
        sync_walk_missing(w, n, SYblock, e->since, e);
    else if (c || proxy)
        sync_walk_missing(w, n,
                          (proxy ? SYfence : 0) | (c == CFwarps ? SYblock
                                                   : c          ? SYwarp
                                                                : 0),
                          e->since, e);
}

/* ... against everything pending. */
static void sync_walk_check(Walk *w, Node *n, const Footprint *f)
{
    uint32_t some;
    if (w->y->blind)
        return;
    const uint32_t *near = state_near(w, &w->s, f, &some);
    uint32_t all = near ? some : w->s.n;
    for (uint32_t i = 0; i < all && !w->y->stop; i++)
        check_one(w, n, f, &w->s.e[near ? near[i] : i]);
}

/* Is a what a TMA load of a role writes, which the program waits for? */
static bool sync_walk_loads(const Walk *w, const SyncAccess *a)
{
    uint32_t bar = w->role && a->mode & ACwrite ? a->s->op.r[2].buf : 0;
    return bar && !low_buf(w->y->l, bar)->pipe;
}

static void file_footprint(Walk *w, const Node *n, const Footprint *f)
{
    const SyncAccess *a = f->a;
    if (a->done == 'm' && !sync_walk_loads(w, a))
        return;
    Entry e = {.f = f, .since = n, .role = w->role ? w->role->s : NULL, .did = w->mine,
               .after = w->mine, .quiet = w->quiet};
    e.fly = a->done == 'c' ? SFcopy : a->done == 'w' ? SFwgmma : a->done == 'b' ? SFbulk
            : a->done == 'm' ? SFload : SFnone;
    if (w->y->l->m->proxies && w->t->async && a->mode & ACwrite && !a->async &&
        a->as->scope == SCshared)
        e.proxy = PXopen;
    state_renew(w, &w->s, &e);
}

static void sync_walk_accesses(Walk *w, Node *n, uint32_t from, uint32_t to, bool checks)
{
    AccessSet *t = w->t;
    for (uint32_t i = from; i < to && !w->y->stop; i++) {
        if (!access_matters(t, &t->acc[i]))
            continue;
        const Footprint *f = access_footprint(t, &t->acc[i]);
        if (footprint_empty(f))
            continue;
        if (!checks) {
            file_footprint(w, n, f);
            continue;
        }
        sync_walk_check(w, n, f);
        if (w->y->stop)
            w->y->late = &t->acc[i];
    }
}

void walk_accesses(Walk *w, Node *n, uint32_t from, uint32_t to)
{
    sync_walk_accesses(w, n, from, to, true);
    sync_walk_accesses(w, n, from, to, false);
    state_trim(w, &w->s);
}

/* What a statement does to the order by itself -------------------------- */

static int64_t sync_walk_constant(const Prog *p, Ex e, int64_t otherwise)
{
    int64_t v;
    return e && x_isint(p, e, &v) ? v : otherwise;
}

/* All threads that walk here come to barrier (id, count): who has met behind it. */
static void sync_walk_meet(Walk *w, Node *n, int64_t id, int64_t count)
{
    int here = w->t->hi - w->t->lo;
    bool whole = id <= 0 ? here == w->y->l->total : count == here;
    Warps who = whole ? w->mine : id > 0 ? named_met(w, id) : 0;
    if (who)
        sync_walk_barrier(w, w->mine, who, n, NULL, NULL);
}

static void sync_walk_called(Walk *w, Node *n)
{
    const Stmt *s = n->s;
    const Prog *p = w->y->l->p;
    if (s->call.fn == Isync_grid)
        sync_walk_barrier(w, w->mine, w->mine, n, NULL, NULL);
    else if (s->call.fn == Isync_threads)
        sync_walk_meet(w, n, sync_walk_constant(p, s->call.arg[0], -1),
                       sync_walk_constant(p, s->call.arg[1], -1));
    else if (s->call.fn == Isync_warp && x_all_lanes(p, s->call.arg[0]))
        warp_barrier(w, NULL); /* others order some lanes of it */
}

static void walk_op(Walk *w, Node *n)
{
    const Stmt *s = n->s;
    int a = s->op.attr[0];
    switch ((enum Op)s->op.op) {
    case Ocp_async_commit: sync_walk_commit(w, SFcopy); break;
    case Ocp_async_wait: sync_walk_wait(w, SFcopy, a, n); break;
    case Owgmma_commit: sync_walk_commit(w, SFwgmma); break;
    case Owgmma_wait: sync_walk_wait(w, SFwgmma, a, n); break;
    case Obulk_commit: sync_walk_commit(w, SFbulk); break;
    case Obulk_wait: sync_walk_wait(w, SFbulk, a, n); break;
    case Obar_sync: sync_walk_meet(w, n, a, s->op.attr[1]); break;
    case Ocluster_wait: sync_walk_meet(w, n, 0, 0); break; /* of all threads, or of none */
    case Owarp_sync: warp_barrier(w, NULL); break;
    case Ofence_async: sync_walk_fence(w, w->mine); break;
    case Ombar_arrive: case Ombar_wait: case Ombar_arrive_expect: walk_phase(w, n); break;
    default: break;
    }
}

/* Votes of the block that are taken, whatever a select or an `and` chooses. */
static ExGo sync_walk_vote(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = &p->ex[e];
    if (x->op == Xselect || x->op == Xand || x->op == Xor)
        return ex_walk(p, x->arg[0], sync_walk_vote, ud) ? EXskip : EXstop;
    bool all = x->op == Xcall && (x->sym == Icount_sync || x->sym == Iand_sync || x->sym == Ior_sync);
    return all ? EXstop : EXinto;
}

static bool sync_walk_votes(void *ud, Ex e) { return ex_walk(ud, e, sync_walk_vote, ud); }

static void sync_walk_orders(Walk *w, Node *n)
{
    Prog *p = w->y->l->p;
    if (n->s->kind == Sop)
        walk_op(w, n);
    else if (n->s->kind == Scall)
        sync_walk_called(w, n);
    else if (w->role == NULL && stmt_vote_last(p, n->s) && !stmt_exprs(p, n->s, sync_walk_votes, p))
        sync_walk_barrier(w, w->mine, w->mine, n, NULL, NULL);
}

/* One of threads `who`, by: who is meant, where it stands in front of a role. */
static void sync_walk_site(Walk *w, SyncSite *k, Warps who, const Stmt *by)
{
    if (k->what & SYfence)
        sync_walk_fence(w, who);
    if (k->what & SYblock)
        sync_walk_barrier(w, who, who, k->before, by, k);
    else if (k->what & SYwarp)
        warp_barrier(w, k);
}

/* Those put in so far. */
static void sites(Walk *w, Node *n)
{
    for (SyncSite *k = n->sites; k; k = k->next)
        if (!k->front)
            sync_walk_site(w, k, w->mine, NULL);
}

/* One step -------------------------------------------------------------- */

static bool sync_walk_phase(int op)
{
    return op == Ombar_arrive || op == Ombar_wait || op == Ombar_arrive_expect;
}

/* Touches of n and all inside, in order, with the waits among them. */
static void absorb(Walk *w, Node *n)
{
    sync_walk_accesses(w, n, n->first, n->self, false);
    walk_phase_passed(w, n);
    if (n->s->kind == Sop && !sync_walk_phase(n->s->op.op) && n->s->op.op != Obar_sync && n->s->op.op != Owarp_sync &&
        n->s->op.op != Ocluster_wait && n->s->op.op != Ofence_async)
        walk_op(w, n);
    for (int i = 0; i < 2; i++)
        for (Node *k = n->child[i]; k; k = k->next)
            absorb(w, k);
}

/* Does some thread leave the round of the loop around in n? */
static bool sync_walk_leaves(const Node *n)
{
    if (n->s->kind == Sbreak || n->s->kind == Scontinue)
        return true;
    for (int i = 0; n->s->kind == Sif && i < 2; i++)
        for (const Node *k = n->child[i]; k; k = k->next)
            if (sync_walk_leaves(k))
                return true;
    return false;
}

void walk_step(Walk *w, Node *n)
{
    sync_walk_accesses(w, n, n->first, n->last, true);
    if (w->y->stop)
        return;
    sync_within(w, n);
    absorb(w, n);
    state_trim(w, &w->s);
    if (w->leave && sync_walk_leaves(n)) {
        state_join(w, w->leave, &w->s);
        state_join(w, w->again, &w->s);
    }
}

/* The walk -------------------------------------------------------------- */

static void walk_if(Walk *w, Node *n)
{
    eval_reset(&w->t->ev);
    if (!uniform_ex(&w->y->u, n->s, n->s->cond.cond)) {
        walk_step(w, n);
        return;
    }
    walk_accesses(w, n, n->first, n->self);
    int64_t c;
    if (eval_one(&w->t->ev, n->s->cond.cond, &c)) {
        walk_inner(w, n, !c, 0);
        return;
    }
    State *els = state_take(w), *then = state_take(w);
    state_copy(w, els, &w->s);
    walk_inner(w, n, 0, 0);
    state_copy(w, then, &w->s);
    state_copy(w, &w->s, els);
    walk_inner(w, n, 1, 0);
    state_join(w, &w->s, then);
    state_give(w, els);
    state_give(w, then);
}

static void use_role(Walk *w, const Node *n)
{
    AccessSet *t = w->t;
    w->role = n;
    w->mine = walk_warps(w, n ? n->s : NULL);
    w->quiet = n && w->y->marks && sync_quiet_role(n->s);
    t->lo = n ? n->s->role.lo : 0;
    t->hi = n ? n->s->role.hi : w->y->l->total;
}

/* The threads of role n come to it, past the sites in front of it.  What some of
 * them did comes before it; of what they have in flight they wait for their part. */
static void begin_role(Walk *w, const Node *n)
{
    use_role(w, n);
    for (SyncSite *k = n->sites; k; k = k->next)
        if (k->front)
            sync_walk_site(w, k, walk_warps(w, k->role), k->role);
    for (uint32_t i = 0, end = w->s.n; i < end; i++) {
        Entry *e = &w->s.e[i], rest = *e;
        if (e->after & w->mine)
            e->after |= w->mine;
        if (e->fly && e->did & w->mine && !all_in(e->did, w->mine)) {
            rest.did &= ~w->mine;
            rest.after = e->after;
            e->did &= w->mine;
            e->role = n->s;
            e->quiet = w->quiet;
            state_push(w, &w->s, &rest);
        }
    }
}

/* Late fences count in the role that they stand in alone. */
static void end_role(Walk *w, const Node *n)
{
    for (uint32_t i = 0; i < w->s.n; i++) {
        Entry *e = &w->s.e[i];
        if (e->proxy == PXhere || e->proxy == PXlate)
            e->proxy = PXopen;
    }
    agrow(&w->y->l->p->ctx, &w->done, &w->capdone, w->ndone + 1, sizeof(const Stmt *));
    w->done[w->ndone++] = n->s;
}

static bool sync_walk_beside(const Node *n, const Node *first)
{
    return n && n->s->kind == Srole && (n == first || !n->s->role.apart);
}

/* What came before the roles from `first` on and is told by mbarriers: checked where one of them comes
 * to it, it may have waited for that by then. */
static void pass_gate(Walk *w, Node *first, State *before)
{
    uint32_t n = 0;
    state_clear(&w->s);
    for (uint32_t i = 0; i < before->n; i++) {
        Entry e = before->e[i];
        if (e.told) {
            e.gate = e.gate ? e.gate : first;
            state_push(w, &w->s, &e);
        } else {
            before->e[n++] = e;
        }
    }
    before->n = n;
    before->indexed = 0;
}

static void leave_gate(Walk *w, const Node *first)
{
    for (uint32_t i = 0; i < w->s.n; i++) {
        Entry *e = &w->s.e[i];
        e->after |= w->mine;
        e->gate = e->gate == first ? NULL : e->gate;
    }
    w->s.indexed = 0;
}

/* Roles run side by side: what came before must be ordered before the first of
 * them, for all threads that are here.  Those that share threads run in order. */
static Node *sync_walk_roles(Walk *w, Node *n)
{
    Node *first = n, *last = n;
    const Node *around = w->role;
    uint32_t from = w->first;
    bool asks = w->s.n && w->same != n;
    w->same = NULL;
    if (asks)
        for (Node *k = n; sync_walk_beside(k, first) && !w->y->stop; k = k->next) {
            use_role(w, k);
            w->gate = true;
            sync_walk_accesses(w, first, k->first, k->last, true);
            w->gate = false;
        }
    State *before = state_take(w);
    state_copy(w, before, &w->s);
    pass_gate(w, first, before);
    w->first = w->ndone;
    for (; sync_walk_beside(n, first) && !w->y->stop; n = n->next) {
        begin_role(w, n);
        walk_inner(w, n, 0, 0);
        end_role(w, n);
        last = n;
    }
    use_role(w, around);
    w->ndone = w->first;
    w->first = from;
    leave_gate(w, first);
    state_join_older(w, &w->s, before);
    state_give(w, before);
    return last;
}

static void sync_walk_jump(Walk *w, const Node *n)
{
    State *to = n->s->kind == Sbreak ? w->leave : w->again;
    if (w->leave && (n->s->kind == Sbreak || n->s->kind == Scontinue))
        state_join(w, to, &w->s);
}

/* Node n; the last that it took: roles side by side are one. */
static Node *walk_statement(Walk *w, Node *n)
{
    sites(w, n);
    if (n->s->kind == Srole)
        return sync_walk_roles(w, n);
    if (n->s->kind == Sif) {
        walk_if(w, n);
    } else if (n->s->kind == Sfor || n->s->kind == Swhile) {
        if (!n->uniform)
            n->uniform = uniform_loop(&w->y->u, n->s) ? 2 : 1;
        if (n->uniform == 2)
            walk_loop(w, n);
        else
            walk_step(w, n);
    } else {
        walk_accesses(w, n, n->first, n->self);
        sync_walk_orders(w, n);
        sync_walk_jump(w, n);
    }
    return n;
}

/* Does what is missing stand in front of n, of a role beside it, or inside? */
static bool sync_walk_covers(const Node *n, const Node *last, const Node *before)
{
    for (; n; n = n == last ? NULL : n->next)
        if (node_inside(before, n))
            return true;
    return false;
}

/* As walk_statement(); what it lacks is put in, and it is walked again.  What a later round of a
 * loop lacks changes its first one, too: when all that is missing in the loop has been put in, it is
 * walked again as a whole, as often as rounds found something, not once for each barrier. */
static Node *completed(Walk *w, Node *n)
{
    Sync *y = w->y;
    bool simple = !n->child[0] && !n->child[1] && !n->sites, loop = n->s->kind == Sfor || n->s->kind == Swhile;
    uint32_t late = y->nlate;
    State *before = simple ? NULL : state_take(w);
    if (before)
        state_copy(w, before, &w->s);
    Node *last = walk_statement(w, n);
    for (;;) {
        if (y->stop && !y->fence_at && sync_walk_covers(n, last, y->before)) {
            sync_put(y);
            y->nlate += w->later;
            y->stop = false;
            y->changed = true;
        } else if (loop && !y->stop && y->nlate != late) {
            late = y->nlate;
        } else {
            break;
        }
        if (before)
            state_copy(w, &w->s, before);
        last = walk_statement(w, n);
    }
    if (before)
        state_give(w, before);
    return last;
}

Node *walk_one(Walk *w, Node *n) { return w->y->puts ? completed(w, n) : walk_statement(w, n); }

void walk_block(Walk *w, Node *n)
{
    for (; n && !w->y->stop; n = n->next)
        n = walk_one(w, n);
}

/* Commits that no wait of n and what follows it lets pass. */
static uint8_t sync_walk_oldest(const Node *n)
{
    int most = 1;
    for (; n; n = n->next) {
        enum Op o = n->s->kind == Sop ? (enum Op)n->s->op.op : Onone;
        if ((o == Ocp_async_wait || o == Owgmma_wait || o == Obulk_wait) &&
            n->s->op.attr[0] >= most)
            most = n->s->op.attr[0] + 1;
        for (int i = 0; i < 2; i++) {
            int k = sync_walk_oldest(n->child[i]);
            most = k > most ? k : most;
        }
    }
    return (uint8_t)(most < UINT8_MAX ? most : UINT8_MAX);
}

Walk walk_new(Sync *y)
{
    Walk w = {.y = y, .t = &y->t, .unit = y->l->m->warp, .rounds = 1};
    while (y->l->total > 64 * w.unit)
        w.unit *= 2;
    if (!y->ages)
        y->ages = sync_walk_oldest(y->t.root);
    w.ages = y->ages;
    w.spare = y->spare;
    if (y->last)
        w.s = *y->last;
    state_clear(&w.s);
    phases_start(&w, &w.s);
    y->stop = y->changed = false;
    use_role(&w, NULL);
    eval_free_all(&y->t.ev);
    return w;
}

void walk_end(Walk *w)
{
    Sync *y = w->y;
    if (!y->last)
        y->last = state_take(w);
    *y->last = w->s;
    y->spare = w->spare;
}

bool sync_run(Sync *y)
{
    Walk w = walk_new(y);
    walk_block(&w, y->t.root);
    walk_end(&w);
    return !y->stop;
}
