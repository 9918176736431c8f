/* core/lower/audit/mbarriers.c: the barrier pairs of a finished thread program, played through.
 *
 * The events on their mbarriers are listed for the producer's thread, for one
 * consumer warp (warp group, where those arrive as one), and for all others as
 * one, which may fall behind the first;
 * then they run against each other in several orders.  A loop whose trip count
 * is known only at run time is played for 0, 1, S - 1, S, S + 1 and 2 S + 1
 * iterations whenever it comes, then for another number each time.  A condition that is
 * not known has the value that guesses of what it is made of give it (guess.h): each role
 * may have written it another way.  What must hold: everybody comes to the end, no stage
 * is loaded while a consumer has not released it, and none is read before its load has
 * ended.  What fails is a bug of ours: reference, lowering.md 5.6, says how often others
 * had it. */
#include <string.h>

#include "core/ir/eval.h"
#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "guess.h"
#include "core/lower/build/low.h"

enum { MaxEvents = 1 << 16, MaxActors = 3, MaxRounds = 4 };
enum { Varied = -1 }; /* as trips: what the guesses give each time */
enum { RVwait, RVarrive, RVexpect, RVload };

typedef struct ReplayEvent ReplayEvent;
struct ReplayEvent { uint8_t what; bool arrives; uint32_t bar; int64_t stage, value; Loc loc; };

typedef struct Actor Actor;
struct Actor {
    int tid;               /* its thread */
    ReplayEvent *e; uint32_t n, cap, at;
};

/* One object: mbarrier semantics of PTX. */
typedef struct ReplayBarrier ReplayBarrier;
struct ReplayBarrier {
    int64_t count, pending, tx;
    int phase;
    int64_t turns;         /* phases that have ended */
    int64_t loads;         /* of a full barrier: uses begun */
    bool fresh;            /* no load of the current use yet */
    int64_t waits[MaxActors];
    bool held[MaxActors];
};

typedef struct Replay Replay;
struct Replay {
    Low *l;
    uint32_t tid;
    Eval ev;               /* of the actor at work; a trial makes its assumptions */
    int64_t *mem;          /* of private variables, */
    uint8_t *set;          /* ... where 1 */
    int64_t trips;         /* of loops that are open, in this trial, */
    int64_t least, most;   /* ... which would be the same for so many */
    Guess guess;           /* of what decides conditions, in this trial */
    bool open, fork, lost; /* met an open loop, such a condition; cannot follow */
    Actor actor[MaxActors];
    int nactor, blocks;    /* of the cluster, which do the same */
    Actor *now;
    ReplayBarrier **bar;   /* of a Buf: its objects */
    int64_t *nbar;
    const char *why;
    Loc at;
};

/* Values ---------------------------------------------------------------- */

static bool replay_counter(void *ud, Ex e, int64_t *v)
{
    const Replay *r = ud;
    const Expr *x = &r->l->p->ex[e];
    if (x->op != Xload || r->set[x->sym] != 1)
        return false;
    *v = r->mem[x->sym];
    return true;
}

static bool replay_value(Replay *r, Ex e, int64_t *v) { return eval_one(&r->ev, e, v); }

static bool replay_guessed(void *ud, Ex e, int64_t *v)
{
    Replay *r = ud;
    return guess_value(&r->guess, e, v);
}

/* e's value: where it is not known, one that the trial gives it. */
static bool replay_decide(Replay *r, Ex e, int64_t *v)
{
    if (replay_value(r, e, v))
        return true;
    r->fork = true;
    r->ev.guess = replay_guessed;
    eval_changed(&r->ev);
    bool ok = replay_value(r, e, v);
    r->ev.guess = NULL;
    eval_changed(&r->ev);
    return ok;
}

/* e's value; where every time has its own guess, what is made of guesses has one. */
static bool replay_used(Replay *r, Ex e, int64_t *v)
{
    return r->trips == Varied ? replay_decide(r, e, v) : replay_value(r, e, v);
}

/* Gives the one unknown term of e such a value that e becomes v. */
static bool replay_assume(Replay *r, Ex e, int64_t v)
{
    ExSum s = x_linear(r->l->p, e);
    Ex open = 0;
    int64_t c = s.c, a, by = 1;
    for (int i = 0; i < s.n; i++) {
        if (replay_value(r, s.atom[i], &a)) {
            c = ex_wadd(c, ex_wmul(s.coef[i], a));
        } else if (open) {
            return false;
        } else {
            open = s.atom[i];
            by = s.coef[i];
        }
    }
    if (!open || (by != 1 && by != -1))
        return false;
    eval_assume(&r->ev, open, ex_wmul(ex_wsub(v, c), by));
    return true;
}

/* Listing events -------------------------------------------------------- */

static void replay_event(Replay *r, int what, bool arrives, const Region *b, int64_t v, Loc loc)
{
    Actor *a = r->now;
    int64_t stage;
    if (b->buf == 0 || !r->bar[b->buf])
        return;
    if (!replay_used(r, b->min[0], &stage) || stage < 0 || stage >= r->nbar[b->buf] ||
        a->n == MaxEvents) {
        r->lost = true;
        return;
    }
    agrow(&r->l->p->ctx, &a->e, &a->cap, a->n + 1, sizeof *a->e);
    a->e[a->n++] = (ReplayEvent){(uint8_t)what, arrives, b->buf, stage, v, loc};
}

static int64_t replay_bytes_of(const Low *l, const Region *g)
{
    int64_t n = 1, v;
    for (int d = 0; d < l->p->buf[g->buf].ndim; d++)
        n *= x_isint(l->p, g->extent[d], &v) ? v : 0;
    return n * dtypeinfo[l->p->buf[g->buf].dt].bits / 8;
}

static void replay_operation(Replay *r, const Stmt *s)
{
    int64_t v = 0;
    const Region *b = &s->op.r[0];
    switch ((enum Op)s->op.op) {
    case Ombar_wait: case Ombar_expect: case Ombar_arrive_expect:
        if (r->bar[b->buf] && !replay_used(r, s->op.value, &v)) {
            r->lost = true;
            return;
        }
        replay_event(r, s->op.op == Ombar_wait ? RVwait : RVexpect, s->op.op == Ombar_arrive_expect,
                     b, v, s->loc);
        break;
    case Ombar_arrive: replay_event(r, RVarrive, true, b, 0, s->loc); break;
    case Otma_load: case Obulk_load:
        if (!replay_value(r, s->op.value, &v) || v == 0) /* a part comes from each block of the
                                                          * cluster */
            v = 1;
        replay_event(r, RVload, false, &s->op.r[2],
                     replay_bytes_of(r->l, &s->op.r[1]) * (v == 1 ? 1 : r->blocks), s->loc);
        break;
    default: break;
    }
}

static void replay_store(Replay *r, const Stmt *s)
{
    int64_t v;
    uint32_t b = s->store.buf;
    if (r->l->p->buf[b].scope != SCvar && r->l->p->buf[b].scope != SClocal)
        return;
    const Buf *buf = &r->l->p->buf[b];
    bool one = buf->ndim == 1 && x_isint(r->l->p, buf->shape[0], &v) && v == 1;
    r->set[b] = one && replay_used(r, s->store.value, &v);
    if (r->set[b])
        r->mem[b] = v;
    else
        r->guess.stores[b]++;
    eval_changed(&r->ev);
}

/* 0 goes on, 1 a break, 2 a continue. */
static int replay_list(Replay *r, Stmt *s);

/* In this trial a loop has r->trips; those from lo to hi would do the same. */
static void same_for(Replay *r, int64_t lo, int64_t hi)
{
    r->open = true;
    r->least = lo > r->least ? lo : r->least;
    r->most = hi < r->most ? hi : r->most;
}

/* The end of a loop that is open, with the trial's trips but within what expressions rely on. */
static int64_t open_end(Replay *r, const Stmt *s, int64_t lo, int64_t by)
{
    int64_t least, most, n;
    /* a turned loop (overlap.c) begins at 1 and ends where the producer's does */
    int64_t from = x_isint(r->l->p, s->loop.lo[0], &least) && lo == 1 ? 0 : lo;
    int64_t hi = from + r->trips * by;
    bool ranged = x_range(r->l->p, s->loop.hi[0], &least, &most);
    if (ranged && hi < least && by == 1 && !__builtin_sub_overflow(least, from, &n))
        same_for(r, INT64_MIN, n);
    else if (ranged && hi > most && by == 1 && !__builtin_sub_overflow(most, from, &n))
        same_for(r, n, INT64_MAX);
    else
        same_for(r, r->trips, r->trips);
    return !ranged ? hi : hi < least ? least : hi > most ? most : hi;
}

static void replay_repeat(Replay *r, const Stmt *s)
{
    uint32_t var = s->loop.var[0];
    int64_t lo, hi, by = 1;
    if (s->loop.n != 1 || !replay_value(r, s->loop.lo[0], &lo) ||
        (s->loop.step && (!replay_value(r, s->loop.step, &by) || by == 0))) {
        r->lost = true;
        return;
    }
    if (!replay_value(r, s->loop.hi[0], &hi)) {
        hi = r->trips == Varied ? 0 : open_end(r, s, lo, by);
        if ((r->trips == Varied || !replay_assume(r, s->loop.hi[0], hi)) &&
            !replay_decide(r, s->loop.hi[0], &hi)) {
            r->lost = true;
            return;
        }
    }
    for (int64_t i = lo; by > 0 ? i < hi : i > hi; i += by) {
        eval_bind(&r->ev, var, i);
        if (replay_list(r, s->loop.body) == 1 || r->lost)
            break;
    }
    eval_free(&r->ev, var);
}

static bool eventful(Stmt *s, void *ud)
{
    const Replay *r = ud;
    if (s->kind == Sstore || s->kind == Sbreak || s->kind == Scontinue)
        return false;
    if (s->kind != Sop)
        return true;
    for (int i = 0; i < MaxRegion; i++)
        if (s->op.r[i].buf && r->bar[s->op.r[i].buf])
            return false;
    return true;
}

/* Stores to private variables count only when they are counters. */
static bool only_counters(Replay *r, Stmt *s)
{
    Stmt one = *s;
    one.next = NULL;
    return stmt_walk(&one, eventful, r);
}

static int replay_branch(Replay *r, Stmt *s)
{
    int64_t c;
    if (!replay_value(r, s->cond.cond, &c) && only_counters(r, s))
        return 0;
    if (!replay_decide(r, s->cond.cond, &c)) {
        r->lost = true;
        return 0;
    }
    return replay_list(r, c ? s->cond.then : s->cond.els);
}

/* A loop whose condition is not known ends like one whose count is not. */
static void during(Replay *r, const Stmt *s)
{
    int64_t c;
    for (int64_t n = 0; !r->lost; n++) {
        bool sure = replay_value(r, s->whil.cond, &c);
        if (!sure && r->trips == Varied)
            r->lost = true;
        else if (!sure)
            same_for(r, r->trips, r->trips);
        if (sure ? !c : n >= r->trips)
            return;
        if (replay_list(r, s->whil.body) == 1)
            return;
        r->lost |= n > MaxEvents;
    }
}

/* What the program relies on does not hold of this trial's guesses. */
static bool refuted(Replay *r, const Stmt *s)
{
    int64_t c;
    return !replay_value(r, s->check.cond, &c) && replay_decide(r, s->check.cond, &c) && !c;
}

static int replay_list(Replay *r, Stmt *s)
{
    for (; s && !r->lost; s = s->next) {
        int k = 0;
        switch ((enum StmtKind)s->kind) {
        case Sbreak: return 1;
        case Scontinue: return 2;
        case Sop: replay_operation(r, s); break;
        case Sstore: replay_store(r, s); break;
        case Salloc:
            if (s->alloc.init && replay_used(r, s->alloc.init, &r->mem[s->alloc.buf]))
                r->set[s->alloc.buf] = 1;
            eval_changed(&r->ev);
            break;
        case Srole:
            if (r->now->tid >= s->role.lo && r->now->tid < s->role.hi)
                replay_list(r, s->role.body);
            break;
        case Sfor:
            if (!only_counters(r, s))
                replay_repeat(r, s);
            break;
        case Swhile:
            if (!only_counters(r, s))
                during(r, s);
            break;
        case Sassert: case Sassume: r->lost |= refuted(r, s); break;
        case Sif: k = replay_branch(r, s); break;
        default: break;
        }
        if (k)
            return k;
    }
    return 0;
}

/* Playing --------------------------------------------------------------- */

static void barrier_turn(ReplayBarrier *b)
{
    if (b->pending == 0 && b->tx == 0) {
        b->pending = b->count;
        b->phase ^= 1;
        b->turns++;
        b->fresh = true;
    }
}

static bool replay_fail(Replay *r, const ReplayEvent *e, const char *why)
{
    r->why = afmt(&r->l->p->ctx, "%s: %s[%lld]: %s", r->l->p->name, r->l->p->buf[e->bar].name,
                  (long long)e->stage, why);
    r->at = e->loc;
    return false;
}

/* The objects of the other barrier of the same barrier pair, or NULL. */
static ReplayBarrier *replay_other(const Replay *r, uint32_t bar, int64_t stage)
{
    uint32_t pipe = low_buf(r->l, bar)->pipe;
    for (uint32_t b = 1; b < r->l->p->nbuf; b++)
        if (b != bar && r->bar[b] && stage < r->nbar[b] && low_buf(r->l, b)->pipe == pipe)
            return &r->bar[b][stage];
    return NULL;
}

/* Arrivals for which one of actor k stands: the others' are all but one. */
static int64_t replay_weight(const Replay *r, int k, const ReplayBarrier *b)
{
    int64_t first = b->count % r->blocks ? 1 : r->blocks; /* its twins' in the cluster, too */
    return k == 0 ? 1 : k == 1 ? (r->nactor > 2 ? first : b->count) : b->count - first;
}

/* Does event e of actor k happen now?  false: it waits, or r->why says. */
static bool replay_happen(Replay *r, int k, const ReplayEvent *e)
{
    ReplayBarrier *b = &r->bar[e->bar][e->stage];
    bool producer = k == 0;
    switch (e->what) {
    case RVwait:
        if ((b->phase & 1) == e->value)
            return false;
        if (!producer) {
            if (b->waits[k] >= b->turns)
                return replay_fail(r, e, "read before it is loaded");
            b->held[k] = true;
            b->waits[k]++;
        }
        return true;
    case RVarrive: {
        ReplayBarrier *full = replay_other(r, e->bar, e->stage);
        if (!producer && full)
            full->held[k] = false;
        b->pending -= replay_weight(r, k, b);
        if (b->pending < 0)
            return replay_fail(r, e, "more arrivals than it counts");
        barrier_turn(b);
        return true;
    }
    case RVexpect:
        b->tx += e->value;
        b->pending -= e->arrives ? replay_weight(r, k, b) : 0;
        if (b->pending < 0)
            return replay_fail(r, e, "more arrivals than it counts");
        barrier_turn(b);
        return true;
    default:
        if (b->fresh) {
            for (int i = 1; i < r->nactor; i++)
                if (b->held[i] || (b->waits[i] < b->loads && replay_other(r, e->bar, e->stage)))
                    return replay_fail(r, e, "loaded before it was released");
            b->loads++;
            b->fresh = false;
        }
        b->tx -= e->value;
        barrier_turn(b);
        return true;
    }
}

static void replay_reset(Replay *r)
{
    for (uint32_t i = 1; i < r->l->p->nbuf; i++)
        for (int64_t k = 0; r->bar[i] && k < r->nbar[i]; k++) {
            int64_t n = r->bar[i][k].count;
            r->bar[i][k] = (ReplayBarrier){.count = n, .pending = n, .fresh = true};
        }
    for (int i = 0; i < r->nactor; i++)
        r->actor[i].at = 0;
}

/* Every load has been waited for: the block may not end before. */
static bool all_met(Replay *r)
{
    for (uint32_t b = 1; b < r->l->p->nbuf; b++)
        for (int64_t s = 0; r->bar[b] && s < r->nbar[b]; s++)
            for (int k = 1; k < r->nactor; k++)
                if (r->bar[b][s].waits[k] < r->bar[b][s].loads)
                    return replay_fail(
                        r, &(ReplayEvent){.bar = b, .stage = s, .loc = r->l->p->buf[b].loc},
                        "loaded, but nobody waits for it");
    return true;
}

/* Actors run as far as they get, in the order first, first + by, .. */
static bool replay_play(Replay *r, int first, int by)
{
    bool moved = true, done = false;
    replay_reset(r);
    while (moved && !done && !r->why) {
        moved = false;
        done = true;
        for (int i = 0; i < r->nactor && !r->why; i++) {
            int k = (first + i * by + r->nactor) % r->nactor;
            Actor *a = &r->actor[k];
            while (a->at < a->n && replay_happen(r, k, &a->e[a->at])) {
                a->at++;
                moved = true;
            }
            done &= a->at == a->n;
        }
    }
    for (int k = 0; k < r->nactor && !done && !r->why; k++)
        if (r->actor[k].at < r->actor[k].n)
            replay_fail(r, &r->actor[k].e[r->actor[k].at], "waits for ever");
    return r->why == NULL && all_met(r);
}

static void replay_events(Replay *r)
{
    Prog *p = r->l->p;
    for (int k = 0; k < r->nactor && !r->lost; k++) {
        r->now = &r->actor[k];
        r->now->n = 0;
        eval_free_all(&r->ev);
        eval_bind(&r->ev, r->tid, r->now->tid);
        memset(r->set, 0, p->nbuf);
        memset(r->guess.stores, 0, p->nbuf * sizeof *r->guess.stores);
        replay_list(r, r->l->launch->launch.body);
    }
}

/* One trial: the events of all, then several orders.  What a loop's count made us assume
 * holds of what came before the loop, too: then once more, from the beginning. */
static bool replay_trial(Replay *r)
{
    uint32_t n, rounds = 0;
    eval_assume_none(&r->ev);
    r->lost = false;
    r->least = INT64_MIN;
    r->most = INT64_MAX;
    do {
        n = r->ev.ngiven;
        replay_events(r);
        r->lost |= ++rounds > MaxRounds;
    } while (r->ev.ngiven != n && !r->lost);
    if (r->lost)
        return true; /* loops that depend on data: nothing can be said */
    for (int first = 0; first < r->nactor; first++)
        if (!replay_play(r, first, 1) || !replay_play(r, first, -1))
            return false;
    return true;
}

/* Objects of barrier pairs and their arrivals. */
static bool find_init(Stmt *s, void *ud)
{
    Replay *r = ud;
    const Prog *p = r->l->p;
    int64_t n, stage, count;
    if (s->kind != Sop || s->op.op != Ombar_init || !low_buf(r->l, s->op.r[0].buf)->pipe)
        return true;
    uint32_t b = s->op.r[0].buf;
    if (!x_isint(p, p->buf[b].shape[0], &n) || !x_isint(p, s->op.r[0].min[0], &stage) ||
        !x_isint(p, s->op.value, &count) || stage < 0 || stage >= n)
        return true;
    if (!r->bar[b]) {
        r->bar[b] = anew(&r->l->p->ctx, (size_t)n * sizeof **r->bar);
        r->nbar[b] = n;
    }
    r->bar[b][stage].count = count;
    return true;
}

static int64_t most_stages(const Replay *r)
{
    int64_t n = 0;
    for (uint32_t b = 1; b < r->l->p->nbuf; b++)
        n = r->bar[b] && r->nbar[b] > n ? r->nbar[b] : n;
    return n;
}

/* Threads that the actors of consumers stand for: a warp group when some barrier pair
 * counts those. */
static int consumers(const Replay *r)
{
    const Low *l = r->l;
    int warp = l->m->warp, group = l->m->group * warp;
    for (uint32_t b = 1; b < l->p->nbuf; b++)
        if (r->bar[b] && group && l->threads % group == 0 &&
            r->bar[b][0].count == r->blocks * l->threads / group && replay_other(r, b, 0) != NULL &&
            replay_other(r, b, 0)->count == 1)
            return group;
    return warp;
}

static bool one_trial(Replay *r, int64_t trips, enum GuessKind g)
{
    r->trips = trips;
    r->guess.kind = g;
    return replay_trial(r) || (diag(&r->l->p->ctx, E_bug, r->at, r->why, NULL), false);
}

/* All trials of barrier pairs of s stages that are not the same as one before. */
static bool trials(Replay *r, int64_t s)
{
    const int64_t trips[] = {2 * s + 1, 0, 1, s - 1, s, s + 1};
    enum { NTrips = COUNT(trips) };
    struct { int64_t least, most; } done[NTrips];
    for (int g = 0; g < NGuess && (g == 0 || r->fork); g++) {
        int n = 0;
        for (int i = 0; i < NTrips && (i == 0 || r->open); i++) {
            int k = 0;
            while (k < n && (trips[i] < done[k].least || trips[i] > done[k].most))
                k++;
            if (k < n)
                continue;
            if (!one_trial(r, trips[i], (enum GuessKind)g))
                return false;
            done[n].least = r->least;
            done[n++].most = r->most;
        }
        if (r->open && !one_trial(r, Varied, (enum GuessKind)g))
            return false;
    }
    return true;
}

bool low_check_mbarriers(Low *l)
{
    Prog *p = l->p;
    Replay r = {.l = l, .tid = l->launch->launch.thread[0]};
    r.bar = anew(&p->ctx, p->nbuf * sizeof *r.bar);
    r.nbar = anew(&p->ctx, p->nbuf * sizeof *r.nbar);
    stmt_walk(l->launch->launch.body, find_init, &r);
    int64_t s = most_stages(&r);
    if (s == 0 || l->total == l->threads)
        return true;
    eval_init(&r.ev, p, 0, 1);
    r.ev.ask = replay_counter;
    r.ev.ud = &r;
    r.mem = anew(&p->ctx, p->nbuf * sizeof *r.mem);
    r.set = anew(&p->ctx, p->nbuf);
    r.guess = (Guess){.ev = &r.ev, .stores = anew(&p->ctx, p->nbuf * sizeof *r.guess.stores)};
    r.blocks = l->rank ? l->launch->launch.cluster[0] : 1;
    int each = consumers(&r);
    r.actor[0] = (Actor){.tid = l->threads};
    r.actor[1] = (Actor){.tid = l->base};
    r.actor[2] = (Actor){.tid = l->base + l->threads - each};
    r.nactor = l->threads > each ? 3 : 2;
    return trials(&r, s);
}
