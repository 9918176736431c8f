/* core/lower/sync/loop.c: loops of which all threads make the same rounds.
 *
 * A loop whose iterations do not meet each other is one step.  Of another one as
 * many rounds are walked as there are, if those are few.  Else its variable is
 * known modulo the period of the addresses (`% S` of its stages) alone: what a
 * condition that does not repeat with them decides may be either then, an address
 * that does not is any of those that it ever is.  Rounds are walked until the
 * state behind one is that of a period before: so will it be behind all later ones. */
#include "core/ir/expr.h"
#include "walk.h"

enum {
    MaxRounds = 64,        /* walked each with the value that it has, of one loop */
    Long = 32,             /* a period of more rounds is walked where few loops are around */
    MaxWalked = 4096,      /* of loops inside each other */
    MaxNested = 64,        /* ... of those whose rounds are alike */
    MaxPlaces = 2048       /* each round may have other places in global memory: of all */
};

/* Independent iterations ------------------------------------------------ */

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
static bool loop_shares(const AccessSet *t, const Node *n)
{
    for (uint32_t i = n->first; i < n->last; i++)
        for (uint32_t k = n->first; k < n->last && t->acc[i].mode & ACwrite; k++)
            if (k != i && t->acc[i].buf == t->acc[k].buf && access_matters(t, &t->acc[i]) &&
                !access_commute(&t->acc[i], &t->acc[k]))
                return true;
    return false;
}

/* What the accesses of n tell by themselves: Node.single is 1: never, 2: always
 * independent, 3: it depends on the loops around. */
static int loop_classify(const AccessSet *t, const Node *n, bool parloop)
{
    bool writes = false, async = false, generic = false;
    for (uint32_t i = n->first; i < n->last; i++)
        if (access_matters(t, &t->acc[i])) {
            const SyncAccess *a = &t->acc[i];
            writes |= a->mode & ACwrite;
            async |= a->async;
            generic |= a->mode & ACwrite && !a->async && a->as->scope == SCshared;
        }
    if (orders_something(n->child[0]) || (async && generic) || (!parloop && loop_shares(t, n)))
        return 1;
    return writes ? 3 : 2;
}

/* Where f is, is not known for each round by itself. */
static bool scattered(const Footprint *f)
{
    for (int d = 0; f->a->as->scope == SCglobal && !f->all && d < f->a->nd; d++)
        for (uint32_t i = 0; i < f->nterm[d]; i++)
            if (f->term[d][i].free)
                return true;
    return f->all;
}

/* The iterations of this loop, and the statements in it, do not meet each
 * other in any byte that they would need an order for.  Those of T.Parallel
 * have none: a write whose place is not known does not wait for itself, nor an atomic for
 * another one. */
static bool loop_independent(Walk *w, Node *n)
{
    AccessSet *t = w->t;
    int kind = n->s->kind == Sfor ? n->s->loop.kind : Fnone;
    bool apart = n->s->kind == Sfor && n->s->loop.apart, parloop = kind == Funroll || apart;
    if (kind == Fvectorized)
        return true;
    if (n->single == 0)
        n->single = (uint8_t)loop_classify(t, n, parloop);
    if (n->single < 3)
        return n->single == 2;
    for (uint32_t i = n->first; i < n->last; i++) {
        if (!access_matters(t, &t->acc[i]) || !(t->acc[i].mode & ACwrite))
            continue;
        const Footprint *f = access_footprint(t, &t->acc[i]);
        for (uint32_t k = n->first; k < n->last; k++)
            if (access_matters(t, &t->acc[k]) && (k >= i || !(t->acc[k].mode & ACwrite)) &&
                !(k == i && apart && scattered(f)) &&
                !(apart && t->acc[i].mode & t->acc[k].mode & ACatomic) &&
                access_conflict(t, f, access_footprint(t, &t->acc[k])))
                return false;
    }
    return true;
}

/* Rounds ---------------------------------------------------------------- */

/* p and k, unless that takes too long: then k's accesses run through all. */
static void loop_meet_period(Rounds *r, int64_t k)
{
    int64_t both = k ? eval_lcm(r->period, k) : 0;
    if (both)
        r->period = both;
    else
        r->all = false;
}

static void condition_period(Walk *w, Rounds *r, Ex e)
{
    if (e)
        loop_meet_period(r, eval_period(&w->t->ev, e, r->var));
}

/* Of the conditions and inner loops in n and what follows it. */
static void inner_periods(Walk *w, Rounds *r, const Node *n)
{
    for (; n; n = n->next) {
        if (n->s->kind == Sif)
            condition_period(w, r, n->s->cond.cond);
        for (int i = 0; n->s->kind == Sfor && i < n->s->loop.n; i++) {
            condition_period(w, r, n->s->loop.lo[i]);
            condition_period(w, r, n->s->loop.hi[i]);
        }
        if (n->s->kind == Sfor)
            condition_period(w, r, n->s->loop.step);
        Ex parity = 0;
        condition_period(w, r, phases_depend(w->y, n, &parity));
        condition_period(w, r, parity);
        inner_periods(w, r, n->child[0]);
        inner_periods(w, r, n->child[1]);
    }
}

static void find_period(Walk *w, Rounds *r, const Node *n)
{
    AccessSet *t = w->t;
    r->period = 1;
    r->all = true;
    if (!r->var)
        return;
    for (uint32_t i = n->self; i < n->last; i++) {
        const SyncAccess *a = &t->acc[i];
        if (!access_matters(t, a))
            continue;
        for (int d = 0; d < a->nd; d++)
            if (a->as->scope != SCglobal) {
                int64_t k = eval_period(&t->ev, a->idx[d], r->var);
                loop_meet_period(r, k);
                r->roams |= !k;
            } else {
                r->places += global_counts(t, a->idx[d], r->var, r->lo);
            }
        condition_period(w, r, a->when);
    }
    inner_periods(w, r, n->child[0]);
}

static int64_t loop_trips(int64_t lo, int64_t hi, int64_t by)
{
    uint64_t d = by > 0 ? (uint64_t)hi - (uint64_t)lo : (uint64_t)lo - (uint64_t)hi;
    uint64_t step = by > 0 ? (uint64_t)by : 0 - (uint64_t)by;
    if (by > 0 ? hi <= lo : lo <= hi)
        return 0;
    uint64_t n = d / step + (d % step != 0);
    return n > INT64_MAX - 1 ? INT64_MAX - 1 : (int64_t)n;
}

static Rounds rounds_of(Walk *w, Node *n)
{
    const Stmt *s = n->s;
    Eval *v = &w->t->ev;
    Rounds r = {.trips = INT64_MAX, .most = INT64_MAX, .by = 1};
    int64_t hi, least, most;
    if ((r.step = loop_independent(w, n)))
        return r;
    eval_reset(v);
    if (s->kind == Sfor && s->loop.n == 1 && eval_one(v, s->loop.lo[0], &r.lo) &&
        (!s->loop.step || (eval_one(v, s->loop.step, &r.by) && r.by != 0))) {
        r.var = s->loop.var[0];
        if (eval_one(v, s->loop.hi[0], &hi))
            r.trips = r.most = loop_trips(r.lo, hi, r.by);
        else if (x_range(v->p, s->loop.hi[0], &least, &most))
            r.most = loop_trips(r.lo, r.by > 0 ? most : least, r.by);
    }
    find_period(w, &r, n);
    if (r.period > Long && w->rounds * r.period > MaxWalked) {
        r.period = 1;
        r.all = false;
        r.roams = true;
    }
    return r;
}

/* That time through the body: w->s is what is pending behind it, *left what is where
 * a break was. */
static void round_of(Walk *w, Node *n, State *left, int64_t round)
{
    State *leave = w->leave, *again = w->again, *mine = state_take(w);
    w->leave = left;
    w->again = mine;
    walk_inner(w, n, 0, round);
    state_join(w, &w->s, mine);
    state_tidy(w, &w->s);
    state_give(w, mine);
    w->leave = leave;
    w->again = again;
}

/* All rounds, each with its value; end: NULL, or where any of them may be the last. */
static void walk_exactly(Walk *w, Node *n, const Rounds *r, State *left, State *end)
{
    bool later = w->later;
    int64_t rounds = w->rounds, i = 0;
    w->rounds *= r->most > 0 ? r->most : 1;
    for (; i < r->most && !w->y->stop; i++) {
        eval_bind(&w->t->ev, r->var, r->lo + i * r->by);
        w->later = later || i > 0;
        round_of(w, n, left, i);
        if (end)
            state_join(w, end, &w->s);
    }
    walk_rounds_end(w, n, i);
    w->rounds = rounds;
    w->later = later;
}

/* Until what is pending repeats. */
static void walk_modulo(Walk *w, Node *n, const Rounds *r, State *left, State *end)
{
    int64_t period = r->period, stop = INT64_MAX, rounds = w->rounds, i = 0;
    State *few[Long], **past = period <= Long ? few
                                              : anew(&w->t->l->p->ctx, (size_t)period * sizeof *past);
    bool later = w->later;
    w->rounds *= period > Long ? period / Long : 1;
    for (int64_t k = 0; k < period; k++)
        past[k] = state_take(w);
    for (; i < r->most && i < stop && !w->y->stop; i++) {
        State *old = past[i % period];
        if (i >= period && state_same(w, old, &w->s)) { /* all goes on as it did */
            if (r->trips == INT64_MAX)
                break;
            stop = stop == INT64_MAX ? i + (r->trips - i) % period : stop;
            if (i == stop)
                break;
        }
        state_copy(w, old, &w->s);
        if (r->var)
            eval_residue(&w->t->ev, r->var, ex_wadd(r->lo, ex_wmul(i, r->by)), period);
        w->later = later || i > 0;
        round_of(w, n, left, i);
        if (end)
            state_join(w, end, &w->s);
    }
    walk_rounds_end(w, n, i);
    for (int64_t k = 0; k < period; k++)
        state_give(w, past[k]);
    w->rounds = rounds;
    w->later = later;
}

/* Is more known of each round by its value than by what repeats? */
static bool tells(const Rounds *r) { return !r->all || r->places; }

/* Not too much to walk each round of. */
static bool worth_it(const Walk *w, const Rounds *r)
{
    int64_t all = w->rounds * (r->most + 1);
    return r->most <= MaxRounds && all <= MaxWalked && all * r->places <= MaxPlaces;
}

/* No more than it takes to see what repeats; where loops stand deep inside each other, to
 * stop there is what keeps all their rounds from being multiplied. */
static bool loop_few_rounds(const Walk *w, const Rounds *r)
{
    return r->most <= r->period + 2 && r->most <= MaxRounds && (tells(r) || w->rounds <= MaxNested);
}

void walk_loop(Walk *w, Node *n)
{
    const Rounds *known = walk_rounds(w, n, NULL);
    Rounds r = known ? *known : rounds_of(w, n);
    if (!known)
        walk_rounds(w, n, &r);
    if (r.step) {
        walk_step(w, n);
        return;
    }
    walk_accesses(w, n, n->first, n->self);
    bool open = r.trips == INT64_MAX, exact = r.var && loop_few_rounds(w, &r);
    if (!exact && r.var && r.most != INT64_MAX && tells(&r)) {
        exact = worth_it(w, &r);
        n->cut |= !exact && (r.roams || r.places); /* what conditions decide is rarely missed */
    }
    State *left = state_take(w), *end = open ? state_take(w) : NULL;
    if (open)
        state_copy(w, end, &w->s);
    if (exact)
        walk_exactly(w, n, &r, left, end);
    else
        walk_modulo(w, n, &r, left, end);
    if (r.var)
        eval_free(&w->t->ev, r.var);
    if (open)
        state_copy(w, &w->s, end);
    state_join(w, &w->s, left);
    state_give(w, left);
    if (open)
        state_give(w, end);
}
