/* core/lower/sync_walk.c: the accesses of a thread program in order, past its
 * barriers, waits and fences.
 *
 * The state is the set of touches that not all threads know of yet: a thread
 * knows of one when a barrier stands between it and all who did it, or it met
 * someone at a barrier who knew.  A statement that conflicts with a touch of
 * another thread, and is run by threads that do not know of it, needs a barrier
 * in front.  Asynchronous accesses stay in flight until their wait; then they
 * count as done by the thread that waited.  Bytes written through the generic
 * proxy that the async proxy uses later need a fence before the barrier between
 * them.  What mbarriers order (TMA loads) is left to them.
 *
 * Loops are walked with values of their variable: at the start as many as the
 * slots (`% S`) in their addresses repeat after, and two more, then the last
 * ones; a loop whose iterations do not meet each other is one step.  Branches
 * that threads decide are one step, too: a barrier can only stand around them.
 */
#include <string.h>

#include "../expr.h"
#include "../walk.h"
#include "sync.h"

enum { MaxRounds = 64 };
enum { FLnone, FLcopy, FLwgmma, FLbulk };

typedef uint64_t Warps;  /* a set of threads: one bit for Walk.unit of them */

typedef struct Entry Entry;
struct Entry {
    const Foot *f;
    const Node *since;   /* of the access, or of the wait that ended it */
    const Stmt *role;    /* of those who did it, or NULL */
    const Stmt *cleared; /* the first barrier that followed, or what it stands in front of; */
    const Stmt *by;      /* ... in front of a role: the one whose threads met there */
    uint8_t fly, age;    /* FL*; commits since it was issued */
    uint8_t proxy;       /* PX* */
    Warps did, known;    /* who did it, who is behind all of it */
    Warps after;         /* those who did it, and whom the text's order puts behind them */
    Warps lanes;         /* whose warp_sync has followed */
};

/* Of writes through the generic proxy: no fence yet; one behind the barrier that
 * followed, so that another barrier must follow that; both have followed, in this
 * role alone, and to others there was none. */
enum { PXnone, PXopen, PXlate, PXhere };

typedef struct State State;
struct State { Entry *e; uint32_t n, cap; };

typedef struct Walk Walk;
struct Walk {
    Sync *y;
    Touches *t;
    State s;
    const Node *role;
    const Stmt **done;   /* the roles beside this one that came before it */
    uint32_t ndone, capdone;
    Warps mine;          /* who walks here */
    int unit;            /* threads to a bit of Warps */
    State *leave;        /* states at breaks of the innermost loop */
};

/* States ---------------------------------------------------------------- */

/* Do they differ in nothing but their age, and where they were? */
static bool alike(const Entry *a, const Entry *b)
{
    return a->f == b->f && a->role == b->role && a->cleared == b->cleared && a->by == b->by &&
           a->fly == b->fly && a->proxy == b->proxy && a->did == b->did &&
           a->known == b->known && a->after == b->after && a->lanes == b->lanes;
}

static void push(Walk *w, State *s, const Entry *e)
{
    for (uint32_t i = 0; i < s->n; i++) {
        Entry *k = &s->e[i];
        if (alike(k, e)) {
            k->since = e->since;
            k->age = e->age < k->age ? e->age : k->age;
            return;
        }
    }
    agrow(&w->y->l->p->ctx, &s->e, &s->cap, s->n + 1, sizeof *s->e);
    s->e[s->n++] = *e;
}

static State copy(Walk *w, const State *s)
{
    State k = {NULL, 0, 0};
    agrow(&w->y->l->p->ctx, &k.e, &k.cap, s->n + 1, sizeof *k.e);
    if (s->n)
        memcpy(k.e, s->e, s->n * sizeof *k.e);
    k.n = s->n;
    return k;
}

static void join(Walk *w, State *to, const State *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        push(w, to, &s->e[i]);
}

/* The threads of a role; NULL: all. */
static Warps warps_of(const Walk *w, const Stmt *role)
{
    int lo = role ? role->role.lo : 0, hi = role ? role->role.hi : w->y->l->total;
    int n = (hi + w->unit - 1) / w->unit;
    return (n < 64 ? ((Warps)1 << n) - 1 : ~(Warps)0) & ~(((Warps)1 << lo / w->unit) - 1);
}

static bool all_in(Warps a, Warps b) { return !(a & ~b); }

/* Threads `who` meet at `at`.  What all of it did, or one of them is behind, they
 * all are behind then. */
static void barrier(Walk *w, Warps who, const Stmt *at, const Stmt *by)
{
    State *s = &w->s;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        Entry *e = &s->e[i];
        if (!e->fly && (all_in(e->did, who) || e->known & who)) {
            if (!e->cleared) {
                e->cleared = at;
                e->by = by;
            }
            e->known |= who;
            if (e->proxy == PXlate)
                e->proxy = all_in(e->known, who) ? PXnone : by ? PXopen : PXhere;
        }
        if (e->proxy || !all_in(warps_of(w, NULL), e->known))
            s->e[n++] = *e;
    }
    s->n = n;
}

static void warp_barrier(Walk *w)
{
    for (uint32_t i = 0; i < w->s.n; i++)
        if (!w->s.e[i].fly)
            w->s.e[i].lanes |= w->mine;
}

/* A fence of threads `who`: of all that wrote, or of those who are behind them.  It
 * counts from the next barrier on. */
static void fence(Walk *w, Warps who)
{
    for (uint32_t i = 0; i < w->s.n; i++) {
        Entry *e = &w->s.e[i];
        if (!e->fly && e->proxy == PXopen && (all_in(e->did, who) || all_in(who, e->known)))
            e->proxy = e->cleared ? PXlate : PXnone;
    }
}

static void commit(Walk *w, int fly)
{
    for (uint32_t i = 0; i < w->s.n; i++) {
        Entry *e = &w->s.e[i];
        if (e->fly == fly && e->did & w->mine && e->age < UINT8_MAX)
            e->age++;
    }
}

static void wait(Walk *w, int fly, int n, const Node *at)
{
    for (uint32_t i = 0; i < w->s.n; i++) {
        Entry *e = &w->s.e[i];
        if (e->fly == fly && e->did & w->mine && e->age > n) {
            e->fly = FLnone;
            e->since = at;
        }
    }
}

/* Needs ----------------------------------------------------------------- */

static bool inside(const Node *n, const Node *of)
{
    for (; n; n = n->up)
        if (n == of)
            return true;
    return false;
}

static const Node *role_of(const Node *n)
{
    while (n && n->s->kind != Srole)
        n = n->up;
    return n;
}

static bool is_loop(const Node *n) { return n->s->kind == Sfor || n->s->kind == Swhile; }

/* The role whose threads have to meet, so that more of them get to know of e: that
 * of those who did it; then one that came between it and this one. */
static const Stmt *carrier(const Walk *w, const Entry *e)
{
    const Stmt *x = NULL;
    if (!e->known)
        return e->role;
    for (uint32_t i = w->ndone; i-- > 0;) {
        Warps k = warps_of(w, w->done[i]);
        if (k & e->known && !all_in(k, e->known) && (!x || k & w->mine))
            x = w->done[i];
    }
    return x;
}

/* Before node n, or before the outermost loop or branch around it that `since`
 * is outside of: less often, and where it may serve others too.  What e's threads
 * did, not all of which come to this role, nobody here may know of: those who
 * did it meet in front of this role first. */
static void missing(Walk *w, const Node *n, int what, const Node *since, const Entry *e)
{
    Sync *y = w->y;
    const Node *at = n, *here = role_of(n->up);
    y->fence_at = NULL;
    y->stop = true;
    if (here && e && what & (SYblock | SYfence) && !all_in(e->did, w->mine) &&
        !(e->known & w->mine)) {
        y->before = here->s;
        y->depth = here->depth;
        y->what = what | SYblock;
        y->role = carrier(w, e);
        return;
    }
    for (const Node *k = n->up; k && k->s->kind != Srole; k = k->up)
        if (!inside(since, k))
            at = k;
    y->before = at->s;
    y->depth = at->depth;
    y->what = what;
    const Node *role = role_of(at->up);
    y->role = role ? role->s : NULL;
}

static void missing_fence(Walk *w, const Entry *e)
{
    w->y->fence_at = e->cleared;
    w->y->role = e->by;
    w->y->what = SYfence;
    w->y->stop = true;
}

static bool empty(const Foot *f)
{
    return f->a->as->scope == SCglobal ? !f->all && !f->ncell : f->lo >= f->hi;
}

/* Access a of statement n against everything pending. */
static void check(Walk *w, const Node *n, const Foot *f)
{
    for (uint32_t i = 0; i < w->s.n && !w->y->stop; i++) {
        const Entry *e = &w->s.e[i];
        if (e->fly)
            continue; /* a barrier does not help: the program does not wait */
        if (!(e->after & w->mine))
            continue; /* side by side */
        bool known = all_in(w->mine, e->known);
        int c = known ? CFnone : touch_conflict(w->t, e->f, f);
        if (c == CFlanes && all_in(e->did & w->mine, e->lanes))
            c = CFnone;
        bool proxy = (e->proxy == PXopen || e->proxy == PXlate) && f->a->async &&
                     touch_overlap(w->t, e->f, f);
        if (proxy && known && e->proxy == PXopen)
            missing_fence(w, e);
        else if (proxy && known)
            missing(w, n, SYblock, n, NULL);
        else if (c || proxy)
            missing(w, n, (proxy ? SYfence : 0) | (c == CFwarps ? SYblock : c ? SYwarp : 0),
                    e->since, e);
    }
}

static void keep(Walk *w, const Node *n, const Foot *f)
{
    const Acc *a = f->a;
    if (a->done == 'm')
        return;
    Entry e = {.f = f, .since = n, .role = w->role ? w->role->s : NULL, .did = w->mine,
               .after = w->mine};
    e.fly = a->done == 'c' ? FLcopy : a->done == 'w' ? FLwgmma : a->done == 'b' ? FLbulk : FLnone;
    if (w->y->l->m->proxies && w->t->async && a->mode & ACwrite && !a->async &&
        a->as->scope == SCshared)
        e.proxy = PXopen;
    push(w, &w->s, &e);
}

static bool matters(const Touches *t, const Acc *a) { return t->both[a->buf]; }

static void accesses(Walk *w, const Node *n, uint32_t from, uint32_t to, bool checks)
{
    Touches *t = w->t;
    for (uint32_t i = from; i < to && !w->y->stop; i++) {
        if (!matters(t, &t->acc[i]))
            continue;
        const Foot *f = touch_foot(t, &t->acc[i]);
        if (empty(f))
            continue;
        if (checks)
            check(w, n, f);
        else
            keep(w, n, f);
    }
}

/* What a statement does to the order by itself -------------------------- */

static int64_t constant(const Prog *p, Ex e, int64_t otherwise)
{
    int64_t v;
    return e && x_isint(p, e, &v) ? v : otherwise;
}

/* All threads that walk here take part in barrier (id, count). */
static bool whole(const Walk *w, int64_t id, int64_t count)
{
    int n = w->t->hi - w->t->lo;
    return id <= 0 ? n == w->y->l->total : count == n;
}

static void called(Walk *w, const Stmt *s)
{
    const Prog *p = w->y->l->p;
    if (s->call.fn == Isync_grid ||
        (s->call.fn == Isync_threads &&
         whole(w, constant(p, s->call.arg[0], -1), constant(p, s->call.arg[1], -1))))
        barrier(w, w->mine, s, NULL);
    else if (s->call.fn == Isync_warp)
        warp_barrier(w);
}

static void operation(Walk *w, const Node *n)
{
    const Stmt *s = n->s;
    int a = s->op.attr[0];
    switch ((enum Op)s->op.op) {
    case Ocp_async_commit: commit(w, FLcopy); break;
    case Ocp_async_wait: wait(w, FLcopy, a, n); break;
    case Owgmma_commit: commit(w, FLwgmma); break;
    case Owgmma_wait: wait(w, FLwgmma, a, n); break;
    case Obulk_commit: commit(w, FLbulk); break;
    case Obulk_wait: wait(w, FLbulk, a, n); break;
    case Obar_sync:
        if (whole(w, a, s->op.attr[1]))
            barrier(w, w->mine, s, NULL);
        break;
    case Ocluster_wait: /* of all threads, or of none */
        if (whole(w, 0, 0))
            barrier(w, w->mine, s, NULL);
        break;
    case Owarp_sync: warp_barrier(w); break;
    case Ofence_async: fence(w, w->mine); break;
    default: break;
    }
}

static bool votes(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = &p->ex[e];
    if (x->op == Xcall && (x->sym == Icount_sync || x->sym == Iand_sync || x->sym == Ior_sync))
        return false;
    for (int i = 0; i < x->n; i++)
        if (!votes(ud, x->arg[i]))
            return false;
    return true;
}

static void orders(Walk *w, const Node *n)
{
    Prog *p = w->y->l->p;
    if (n->s->kind == Sop)
        operation(w, n);
    else if (n->s->kind == Scall)
        called(w, n->s);
    else if (w->role == NULL && !stmt_exprs(p, n->s, votes, p))
        barrier(w, w->mine, n->s, NULL);
}

/* One of threads `who`, by: who is meant, where it stands in front of a role. */
static void site(Walk *w, const Site *k, Warps who, const Stmt *by)
{
    if (k->what & SYfence)
        fence(w, who);
    if (k->what & SYblock)
        barrier(w, who, k->before, by);
    else if (k->what & SYwarp)
        warp_barrier(w);
}

/* Sites put in so far. */
static void sites(Walk *w, const Node *n)
{
    const Sync *y = w->y;
    for (uint32_t i = 0; i < y->nsite; i++)
        if (y->site[i].before == n->s && (n->s->kind != Srole || !y->site[i].role))
            site(w, &y->site[i], w->mine, NULL);
}

/* One step -------------------------------------------------------------- */

/* Touches of n and all inside, in order, with the waits among them. */
static void absorb(Walk *w, const Node *n)
{
    accesses(w, n, n->first, n->self, false);
    if (n->s->kind == Sop && n->s->op.op != Obar_sync && n->s->op.op != Owarp_sync &&
        n->s->op.op != Ocluster_wait && n->s->op.op != Ofence_async)
        operation(w, n);
    for (int i = 0; i < 2; i++)
        for (const Node *k = n->child[i]; k; k = k->next)
            absorb(w, k);
}

static void step(Walk *w, const Node *n)
{
    accesses(w, n, n->first, n->last, true);
    if (!w->y->stop)
        absorb(w, n);
}

static bool orders_something(const Node *n)
{
    static const uint8_t ops[] = {Ocp_async_commit, Ocp_async_wait, Owgmma_commit, Owgmma_wait,
                                  Obulk_commit, Obulk_wait, Obar_sync, Owarp_sync, Ofence_async,
                                  Ocluster_wait};
    for (; n; n = n->next) {
        if (n->s->kind == Scall || n->s->kind == Sbreak || n->s->kind == Scontinue)
            return true;
        for (size_t i = 0; n->s->kind == Sop && i < COUNT(ops); i++)
            if (n->s->op.op == ops[i])
                return true;
        if (orders_something(n->child[0]) || orders_something(n->child[1]))
            return true;
    }
    return false;
}

/* One access writes a buffer that another one touches, too: not worth asking. */
static bool shares(const Touches *t, const Node *n)
{
    for (uint32_t i = n->first; i < n->last; i++)
        for (uint32_t k = n->first; k < n->last; k++)
            if (k != i && t->acc[i].buf == t->acc[k].buf && matters(t, &t->acc[i]) &&
                t->acc[i].mode & ACwrite && !(t->acc[i].mode & t->acc[k].mode & ACatomic))
                return true;
    return false;
}

/* The iterations of this loop, and the statements in it, do not meet each
 * other in any byte that they would need an order for.  Node.single: 0 not
 * asked yet, 1 never, 2 always, 3 it depends on the loops around. */
static bool independent(Walk *w, Node *n)
{
    Touches *t = w->t;
    bool writes = false, async = false, generic = false;
    int kind = n->s->kind == Sfor ? n->s->loop.kind : Fnone;
    bool nest = kind == Funroll;
    if (kind == Fvectorized)
        return true;
    if (n->single == 0) {
        n->single = 2;
        for (uint32_t i = n->first; i < n->last; i++)
            if (matters(t, &t->acc[i])) {
                const Acc *a = &t->acc[i];
                writes |= a->mode & ACwrite && !(a->mode & ACatomic);
                async |= a->async;
                generic |= a->mode & ACwrite && !a->async && a->as->scope == SCshared;
            }
        if (orders_something(n->child[0]) || (async && generic) || (!nest && shares(t, n)))
            n->single = 1;
        else if (writes)
            n->single = 3;
    }
    if (n->single < 3)
        return n->single == 2;
    for (uint32_t i = n->first; i < n->last; i++) {
        if (!matters(t, &t->acc[i]) || !(t->acc[i].mode & ACwrite))
            continue;
        const Foot *f = touch_foot(t, &t->acc[i]);
        for (uint32_t k = n->first; k < n->last; k++)
            if (matters(t, &t->acc[k]) && (k >= i || !(t->acc[k].mode & ACwrite)) &&
                !(k == i && nest && f->all) && /* scattered: iterations of T.Parallel */
                touch_conflict(t, f, touch_foot(t, &t->acc[k])))
                return false;
    }
    return true;
}

/* Loops ----------------------------------------------------------------- */

static int64_t loop_period(const Walk *w, const Node *n)
{
    const Touches *t = w->t;
    int64_t all = 1;
    for (uint32_t i = n->first; i < n->last; i++) {
        const Acc *a = &t->acc[i];
        if (!matters(t, a) || a->as->scope == SCglobal)
            continue;
        for (int d = 0; d < a->nd; d++)
            all = eval_lcm(all, eval_period(&t->ev, a->idx[d], n->s->loop.var[0]));
        for (const Node *k = a->in; k != n; k = k->up)
            if (k->s->kind == Sif)
                all = eval_lcm(all, eval_period(&t->ev, k->s->cond.cond, n->s->loop.var[0]));
    }
    return all;
}

static void block(Walk *w, Node *n);

/* One time through the body.  Joins what a break leaves behind to *leave. */
static void round_of(Walk *w, Node *n, State *leave)
{
    State *outer = w->leave;
    w->leave = leave;
    block(w, n->child[0]);
    w->leave = outer;
}

/* The number of rounds is not known: any of them may be the last. */
static void open_loop(Walk *w, Node *n, int64_t rounds, bool stepped, int64_t lo, int64_t by)
{
    Eval *v = &w->t->ev;
    uint32_t var = n->s->kind == Sfor ? n->s->loop.var[0] : 0;
    State end = copy(w, &w->s);
    for (int64_t i = 0; i < rounds && !w->y->stop; i++) {
        if (stepped) {
            v->has[var] = 1;
            v->val[var] = lo + i * by;
        }
        round_of(w, n, &end);
        join(w, &end, &w->s);
    }
    if (var)
        v->has[var] = 0;
    w->s = end;
}

static void closed_loop(Walk *w, Node *n, int64_t lo, int64_t by, int64_t trips, int64_t period_)
{
    Eval *v = &w->t->ev;
    uint32_t var = n->s->loop.var[0];
    State left = {NULL, 0, 0};
    int64_t head = period_ ? period_ + 2 : trips;
    for (int64_t i = 0; i < trips && !w->y->stop; i++) {
        if (i == head && trips - i > period_ + 1) /* skip whole periods */
            i += (trips - i - 2) / period_ * period_;
        v->has[var] = 1;
        v->val[var] = lo + i * by;
        round_of(w, n, &left);
    }
    v->has[var] = 0;
    join(w, &w->s, &left);
}

static void loop(Walk *w, Node *n)
{
    const Stmt *s = n->s;
    Eval *v = &w->t->ev;
    if (independent(w, n)) {
        step(w, n);
        return;
    }
    accesses(w, n, n->first, n->self, true);
    accesses(w, n, n->first, n->self, false);
    if (s->kind == Swhile || s->loop.n != 1) {
        open_loop(w, n, 3, false, 0, 1);
        return;
    }
    eval_reset(v);
    Vec lo = eval(v, s->loop.lo[0]), hi = eval(v, s->loop.hi[0]);
    Vec by = s->loop.step ? eval(v, s->loop.step) : (Vec){false, 1, NULL};
    int64_t per = loop_period(w, n);
    if (lo.unknown || by.unknown || by.one == 0) {
        open_loop(w, n, 3, false, 0, 1);
    } else if (hi.unknown) {
        int64_t least, most, rounds = per ? per + 2 : INT64_MAX;
        if (by.one > 0 && x_range(w->y->l->p, s->loop.hi[0], &least, &most) &&
            (most - lo.one) / by.one < rounds) /* addresses may rely on it */
            rounds = (most - lo.one + by.one - 1) / by.one;
        if (rounds > MaxRounds)
            open_loop(w, n, 3, false, 0, 1);
        else
            open_loop(w, n, rounds, true, lo.one, by.one);
    } else {
        int64_t d = by.one > 0 ? hi.one - lo.one : lo.one - hi.one;
        int64_t a = by.one > 0 ? by.one : -by.one, trips = d > 0 ? (d + a - 1) / a : 0;
        if (per == 0 && trips > MaxRounds)
            open_loop(w, n, 3, false, 0, 1);
        else
            closed_loop(w, n, lo.one, by.one, trips, per);
    }
}

/* The walk -------------------------------------------------------------- */

static void branch(Walk *w, Node *n)
{
    eval_reset(&w->t->ev);
    if (!uniform_ex(&w->y->u, n->s->cond.cond)) {
        step(w, n);
        return;
    }
    accesses(w, n, n->first, n->self, true);
    accesses(w, n, n->first, n->self, false);
    Vec c = eval(&w->t->ev, n->s->cond.cond);
    if (!c.v && c.one != 2) {
        block(w, n->child[c.one ? 0 : 1]);
        return;
    }
    State before = copy(w, &w->s);
    block(w, n->child[0]);
    State then = w->s;
    w->s = before;
    block(w, n->child[1]);
    join(w, &w->s, &then);
}

static bool uniform_loop(const Walk *w, const Stmt *s)
{
    const Uniform *u = &w->y->u;
    if (s->kind == Swhile)
        return uniform_ex(u, s->whil.cond);
    for (int i = 0; i < s->loop.n; i++)
        if (!uniform_ex(u, s->loop.lo[i]) || !uniform_ex(u, s->loop.hi[i]))
            return false;
    return true;
}

static void use_role(Walk *w, const Node *n)
{
    Touches *t = w->t;
    w->role = n;
    w->mine = warps_of(w, n ? n->s : NULL);
    t->lo = n ? n->s->role.lo : 0;
    t->hi = n ? n->s->role.hi : w->y->l->total;
}

/* The threads of role n come to it, past the sites in front of it.  What some of
 * them did comes before it; of what they have in flight they wait for their part. */
static void begin_role(Walk *w, const Node *n)
{
    const Sync *y = w->y;
    use_role(w, n);
    for (uint32_t i = 0; i < y->nsite; i++)
        if (y->site[i].before == n->s && y->site[i].role)
            site(w, &y->site[i], warps_of(w, y->site[i].role), y->site[i].role);
    for (uint32_t i = 0, end = w->s.n; i < end; i++) {
        Entry *e = &w->s.e[i], rest = *e;
        if (e->after & w->mine)
            e->after |= w->mine;
        if (e->fly && e->did & w->mine && !all_in(e->did, w->mine)) {
            rest.did &= ~w->mine;
            rest.after = e->after;
            e->did &= w->mine;
            e->role = n->s;
            push(w, &w->s, &rest);
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

/* Roles run side by side: what came before must be ordered before the first of
 * them, for all threads.  Those that share threads run in order. */
static Node *roles(Walk *w, Node *n)
{
    Node *first = n, *last = n;
    if (w->s.n)
        for (Node *k = n; k && k->s->kind == Srole && !w->y->stop; k = k->next) {
            use_role(w, k);
            accesses(w, first, k->first, k->last, true);
        }
    State before = w->s;
    w->s = (State){NULL, 0, 0};
    w->ndone = 0;
    for (; n && n->s->kind == Srole && !w->y->stop; n = n->next) {
        begin_role(w, n);
        block(w, n->child[0]);
        end_role(w, n);
        last = n;
    }
    use_role(w, NULL);
    for (uint32_t i = 0; i < w->s.n; i++)
        w->s.e[i].after = w->mine;
    join(w, &w->s, &before);
    return last;
}

static void block(Walk *w, Node *n)
{
    for (; n && !w->y->stop; n = n->next) {
        sites(w, n);
        if (n->s->kind == Srole) {
            n = roles(w, n);
        } else if (is_loop(n)) {
            if (uniform_loop(w, n->s))
                loop(w, n);
            else
                step(w, n);
        } else if (n->s->kind == Sif) {
            branch(w, n);
        } else {
            accesses(w, n, n->first, n->self, true);
            accesses(w, n, n->first, n->self, false);
            orders(w, n);
            if (w->leave && (n->s->kind == Sbreak || n->s->kind == Scontinue))
                join(w, w->leave, &w->s);
        }
    }
}

bool sync_run(Sync *y)
{
    Walk w = {.y = y, .t = &y->t, .unit = 32};
    while (y->l->total > 64 * w.unit)
        w.unit *= 2;
    y->stop = false;
    use_role(&w, NULL);
    memset(y->t.ev.has, 0, y->t.ev.nvar);
    block(&w, y->t.root);
    return !y->stop;
}
