/* core/check/race_enum.c: two accesses run through all iterations of a
 * T.Parallel loop, for indices and conditions that are not affine.
 *
 * A table holds, for each element written, an iteration that did it, or two; each
 * access of another iteration is looked up in it.  Variables outside of the
 * parallel loop take their first, a middle and their last value. */
#include <string.h>

#include "race.h"

typedef struct RaceCell EnumCell;
struct RaceCell {
    uint64_t key;
    int64_t iteration; /* 0: empty; counted from 1 */
    int64_t second;    /* another one, of updates that may meet each other; or 0 */
};

typedef struct EnumRun EnumRun;
struct EnumRun {
    RaceLoop *n;
    const Access *a, *b;
    EnumCell *cell;
    uint32_t mask;
    uint32_t var[MaxUnknown]; /* enumerated for one access: inner, after par */
    int nvar;
    int64_t *mine, *theirs;
    uint32_t unit; /* a and b are views of one storage: bits of which elements of both are
                    * made, which are compared then; else 0 */
    const Guard **guard; uint32_t nguard, capguard; /* of the access at work, where n->loose */
    bool unsaid;   /* where an access goes could not be computed */
};

static bool contains(const uint32_t *v, int n, uint32_t x)
{
    for (int i = 0; i < n; i++)
        if (v[i] == x)
            return true;
    return false;
}

/* Does condition g count?  To rule pairs out, one that cannot be computed is as good as none.
 * The first `from` of f->uses stay. */
static bool race_enum_counts(RaceLoop *n, const Guard *g, uint32_t from)
{
    Facts *f = n->f;
    if (!n->loose)
        return true;
    bool known = g->cond && x_pure(f->p, g->cond);
    for (uint32_t i = from, k = known ? facts_uses(f, g->cond, from) : 0; i < k; i++)
        known = known && f->dom[f->uses[i]].exact;
    return known;
}

/* The conditions of k that count, into r->guard. */
static void race_enum_guards(EnumRun *r, const Access *k)
{
    Ctx *c = &r->n->f->p->ctx;
    r->nguard = 0;
    for (const Guard *g = k->guard; g && r->n->loose; g = g->up) {
        if (!race_enum_counts(r->n, g, 0))
            continue;
        agrow(c, &r->guard, &r->capguard, r->nguard + 1, sizeof *r->guard);
        r->guard[r->nguard++] = g;
    }
}

/* Do the conditions of k, whose guards are r's, hold?  As facts_holds(). */
static int race_enum_holds(const EnumRun *r, const Access *k)
{
    Facts *f = r->n->f;
    if (!r->n->loose)
        return facts_holds(f, k->guard);
    for (uint32_t i = 0; i < r->nguard; i++) {
        int64_t v;
        if (x_eval(f->p, r->guard[i]->cond, f->env, &v) && (v != 0) == r->guard[i]->not)
            return 0;
    }
    return 1;
}

/* The variables that k's indices and conditions use, apart from the parallel loop's
 * indices; outer: of those that lie outside.  False when one has no known
 * domain, or something else than variables decides. */
static bool race_enum_variables(RaceLoop *n, const Access *k, uint32_t *var, int *nvar, bool outer)
{
    Facts *f = n->f;
    uint32_t m = 0;
    *nvar = 0;
    for (int d = 0; d < k->ndim; d++) {
        if (!x_pure(f->p, k->idx[d]))
            return false;
        m = facts_uses(f, k->idx[d], m);
    }
    for (const Guard *g = k->guard; g; g = g->up) {
        if (!race_enum_counts(n, g, m))
            continue;
        if (!g->cond || !x_pure(f->p, g->cond))
            return false;
        m = facts_uses(f, g->cond, m);
    }
    for (uint32_t i = 0; i < m; i++) {
        uint32_t v = f->uses[i];
        const Domain *d = &f->dom[v];
        bool in = d->moment > n->frame->begin && d->moment <= n->frame->end;
        if (!d->exact)
            return false;
        if (contains(n->par, n->npar, v) || in == outer)
            continue;
        if (*nvar == MaxUnknown) {
            n->gave_up = true;
            return false;
        }
        var[(*nvar)++] = v;
    }
    return true;
}

/* The points of n variables, or MaxRacePoints + 1 where there are more. */
static int64_t count_points(const Facts *f, const uint32_t *var, int n)
{
    int64_t points = 1, span;
    for (int i = 0; i < n && points <= MaxRacePoints; i++) {
        const Domain *d = &f->dom[var[i]];
        if (__builtin_sub_overflow(d->hi, d->lo, &span) || span / d->step >= MaxRacePoints)
            return MaxRacePoints + 1;
        points *= span / d->step + 1;
    }
    return points <= MaxRacePoints ? points : MaxRacePoints + 1;
}

static bool next_iteration(Facts *f, const uint32_t *var, int n)
{
    for (int i = n; i-- > 0;) {
        f->env[var[i]] += f->dom[var[i]].step;
        if (f->env[var[i]] <= f->dom[var[i]].hi)
            return true;
        f->env[var[i]] = f->dom[var[i]].lo;
    }
    return false;
}

/* The number that the size e of a buffer is; false: not known here. */
static bool size_is(const RaceLoop *n, Ex e, int64_t *v)
{
    return n->chosen ? x_eval(n->f->p, e, n->f->env, v) : x_isint(n->f->p, e, v);
}

static uint64_t mixed(uint64_t h) { return h * UINT64_C(0x9e3779b97f4a7c15) | 1; }

/* How many elements side by side k reaches: those of a vector atomic; 0: that is not known. */
static int64_t race_enum_lanes(const Prog *p, const Access *k)
{
    int64_t lanes = 1;
    return k->tile && !x_isint(p, k->extent[k->ndim - 1], &lanes) ? 0 : lanes;
}

/* The element that k reaches with its given lane: a number that says which, its place in the storage
 * where views are compared; false when its condition does not hold or it lies outside of the buffer. */
static bool element_reached(EnumRun *r, const Access *k, int64_t lane, uint64_t *out)
{
    const Facts *f = r->n->f;
    const Buf *b = &f->p->buf[k->buf];
    uint64_t h = r->unit ? 0 : 1;
    int holds = race_enum_holds(r, k);
    r->unsaid |= holds < 0;
    if (holds != 1)
        return false;
    for (int d = 0; d < k->ndim; d++) {
        int64_t v = 0, size = INT64_MAX;
        bool sized = size_is(r->n, b->shape[d], &size), known = x_eval(f->p, k->idx[d], f->env, &v);
        r->unsaid |= !known;
        v += d == k->ndim - 1 ? lane : 0;
        if (!known || v < 0 || (sized && v >= size))
            return false;
        h = r->unit ? h * (uint64_t)(sized ? size : 0) + (uint64_t)v
                    : h * UINT64_C(0x100000001b3) + (uint64_t)v + 1;
    }
    *out = h;
    return true;
}

/* Can k be compared by places with another view?  Its buffer is compact, of known shape. */
static bool flat(const RaceLoop *n, const Access *k)
{
    const Buf *b = &n->f->p->buf[k->buf];
    int64_t size;
    for (int d = 0; d < k->ndim; d++)
        if (b->stride[d] || (d > 0 && !size_is(n, b->shape[d], &size)))
            return false;
    return !k->tile;
}

static uint32_t race_enum_bits(const Facts *f, const Access *k)
{
    return dtypeinfo[f->p->buf[k->buf].dt].bits;
}

/* Of how many cells of the table an element of k consists. */
static uint32_t cells_reached(const EnumRun *r, const Access *k)
{
    return r->unit ? race_enum_bits(r->n->f, k) / r->unit : 1;
}

static EnumCell *cell_slot(EnumRun *r, uint64_t k)
{
    uint32_t i = (uint32_t)(k >> 32) & r->mask;
    while (r->cell[i].iteration && r->cell[i].key != k)
        i = (i + 1) & r->mask;
    return &r->cell[i];
}

static void restart(Facts *f, const uint32_t *var, int n)
{
    for (int i = 0; i < n; i++)
        f->env[var[i]] = f->dom[var[i]].lo;
}

static void race_enum_values(const RaceLoop *n, int64_t iteration, int64_t *out)
{
    iteration--;
    for (int i = n->npar; i-- > 0;) {
        const Domain *d = &n->f->dom[n->par[i]];
        int64_t size = (d->hi - d->lo) / d->step + 1;
        out[i] = d->lo + iteration % size * d->step;
        iteration /= size;
    }
}

/* The iteration of c's that is not this one, 0: there is none. */
static int64_t race_enum_other(const EnumCell *c, int64_t iteration)
{
    return c->iteration != iteration ? c->iteration : c->second;
}

/* Iteration comes to the element of c as well. */
static void race_enum_enter(EnumCell *c, uint64_t key, int64_t iteration)
{
    if (!c->iteration)
        *c = (EnumCell){key, iteration, 0};
    else if (c->iteration != iteration)
        c->second = iteration;
}

/* A lane of access k in an iteration; true: it has met another one. */
static bool race_enum_visit(EnumRun *r, const Access *k, int64_t lane, int64_t iteration, bool enters,
                            bool meets)
{
    uint64_t at;
    uint32_t wide = cells_reached(r, k);
    for (uint32_t i = element_reached(r, k, lane, &at) ? wide : 0; i-- > 0;) {
        uint64_t key = mixed(at * wide + i);
        EnumCell *c = cell_slot(r, key);
        int64_t other = race_enum_other(c, iteration);
        if (meets && other) {
            race_enum_values(r->n, other, r->mine);
            race_enum_values(r->n, iteration, r->theirs);
            return true;
        }
        if (enters)
            race_enum_enter(c, key, iteration);
    }
    return false;
}

/* Runs access k through all iterations.  Writes of a go into the table (enters); an access that meets
 * one of another iteration ends the run (meets). */
static bool race_enum_through(EnumRun *r, const Access *k, bool enters, bool meets)
{
    RaceLoop *n = r->n;
    Facts *f = n->f;
    int64_t iteration = 0, lanes = race_enum_lanes(f->p, k);
    race_enum_guards(r, k);
    restart(f, n->par, n->npar);
    do {
        iteration++;
        restart(f, r->var, r->nvar);
        do {
            for (int64_t lane = 0; lane < lanes; lane++)
                if (race_enum_visit(r, k, lane, iteration, enters, meets))
                    return true;
        } while (next_iteration(f, r->var, r->nvar));
    } while (next_iteration(f, n->par, n->npar));
    return false;
}

/* Both accesses with the variables outside as they are in env.  When a meets
 * itself that is for the pair (a, a) to say. */
static bool race_enum_once(EnumRun *r, uint32_t cells)
{
    RaceLoop *n = r->n;
    bool self = r->a == r->b;
    memset(r->cell, 0, cells * sizeof *r->cell);
    if (!race_enum_variables(n, r->a, r->var, &r->nvar, false))
        return false;
    if (race_enum_through(r, r->a, true, self))
        return true;
    return !self && race_enum_variables(n, r->b, r->var, &r->nvar, false) &&
           race_enum_through(r, r->b, false, true);
}

int race_enumerate(RaceLoop *n, const Access *a, const Access *b)
{
    Facts *f = n->f;
    EnumRun r = {.n = n, .a = a, .b = b, .mine = n->iter[0], .theirs = n->iter[1]};
    if (a->buf != b->buf) {
        if (!flat(n, a) || !flat(n, b))
            return -1;
        for (r.unit = race_enum_bits(f, a);
             race_enum_bits(f, a) % r.unit || race_enum_bits(f, b) % r.unit;)
            r.unit--;
    }
    uint32_t outer[2 * MaxUnknown], inner[MaxUnknown];
    int na, nb, ni, nj;
    if (!race_enum_variables(n, a, outer, &na, true) ||
        !race_enum_variables(n, b, outer + na, &nb, true) ||
        !race_enum_variables(n, a, inner, &ni, false))
        return -1;
    int64_t points = count_points(f, n->par, n->npar), more = count_points(f, inner, ni);
    int64_t mine = race_enum_lanes(f->p, a) * cells_reached(&r, a);
    int64_t theirs = race_enum_lanes(f->p, b) * cells_reached(&r, b);
    if (!mine || !theirs || mine > MaxRacePoints || theirs > MaxRacePoints ||
        !race_enum_variables(n, b, inner, &nj, false))
        return -1;
    int64_t writes = points * more * mine, samples = na + nb ? 3 : 1;
    int64_t cost = samples * (writes + points * count_points(f, inner, nj) * theirs);
    if (points > MaxRacePoints || more > MaxRacePoints || writes > MaxRacePoints || cost > n->points) {
        n->gave_up = true;
        return -1;
    }
    n->points -= cost;
    uint32_t cells = 16;
    while (cells < 2 * writes)
        cells *= 2;
    agrow(&f->p->ctx, &n->cell, &n->capcell, cells, sizeof *n->cell);
    r.cell = n->cell;
    r.mask = cells - 1;
    for (int sample = 0; sample < samples; sample++) {
        for (int i = 0; i < na + nb; i++) {
            const Domain *d = &f->dom[outer[i]];
            int64_t size = (d->hi - d->lo) / d->step;
            f->env[outer[i]] = d->lo + (sample == 0 ? 0 : sample == 1 ? size / 2 : size) * d->step;
        }
        if (race_enum_once(&r, cells)) {
            if (!n->loose)
                race_report(n, a, b, b, r.mine, r.theirs, false);
            return 1;
        }
    }
    n->doubt |= samples > 1; /* a run has others, too */
    return r.unsaid ? -1 : 0;
}
