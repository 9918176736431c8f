/* core/check/race_points.c: the elements that an access touches in one block, one after the other.
 *
 * Digits count: a thread's index, the variable of a loop, a place in a region.  A loop may say by
 * what stands outside of it where it begins and ends: its digit's range is then computed each time
 * that the digits in front of it change, and may be empty. */
#include <string.h>

#include "race.h"

static bool race_points_is_block(const Stmt *launch, uint32_t v)
{
    for (int i = 0; i < launch->launch.n; i++)
        if (launch->launch.block[i] == v)
            return true;
    return false;
}

/* What may be counted ----------------------------------------------------- */

/* The variables that decide where a touches: f->uses[0..n) and the blocks' are all. */
typedef struct KnownVars KnownVars;
struct KnownVars {
    Facts *f;
    const Stmt *launch;
    const Access *a;
    uint32_t n;
    uint32_t var[MaxWheel];
    Wheel digit[MaxWheel];
};

/* Adds the variables of e; false: e's value depends on data, or there are too many. */
static bool add_variables(KnownVars *k, Ex e)
{
    Facts *f = k->f;
    if (!x_pure(f->p, e))
        return false;
    for (uint32_t i = 0, n = facts_uses(f, e, 0); i < n; i++) {
        uint32_t v = f->uses[i], j = 0;
        if (race_points_is_block(k->launch, v))
            continue;
        while (j < k->n && k->var[j] != v)
            j++;
        if (j == MaxWheel)
            return false;
        k->var[j] = v;
        k->n += j == k->n;
    }
    return true;
}

/* Loop s, at index i: does it run the same whatever the others do? */
static bool trip_is_exact(const Facts *f, const Stmt *s, int i)
{
    return f->dom[s->loop.var[i]].exact;
}

/* Adds what loop s's ranges depend on; false as add_variables(). */
static bool add_loop(KnownVars *k, const Stmt *s)
{
    Facts *f = k->f;
    for (int i = 0; i < s->loop.n; i++)
        if (!trip_is_exact(f, s, i) &&
            (!add_variables(k, facts_expand(f, s->loop.lo[i])) ||
             !add_variables(k, facts_expand(f, s->loop.hi[i])) ||
             (s->loop.step && !add_variables(k, facts_expand(f, s->loop.step)))))
            return false;
    return true;
}

static bool add_all(KnownVars *k)
{
    Facts *f = k->f;
    const Access *a = k->a;
    for (int d = 0; d < a->ndim; d++)
        if (!add_variables(k, a->idx[d]) || !add_variables(k, f->p->buf[a->buf].shape[d]) ||
            (a->tile && !add_variables(k, facts_expand(f, a->extent[d]))))
            return false;
    for (const Guard *g = a->guard; g; g = g->up)
        if (!g->cond || !add_variables(k, g->cond))
            return false;
    for (const CheckFrame *r = a->in; r && r->s->kind != Slaunch; r = r->up)
        if (r->maybe || (r->s->kind == Sfor && !add_loop(k, r->s)))
            return false;
    return true;
}

/* Takes v from k's variables: it is counted. */
static bool take_variable(KnownVars *k, uint32_t v)
{
    for (uint32_t j = 0; j < k->n; j++)
        if (k->var[j] == v) {
            k->var[j] = k->var[--k->n];
            return true;
        }
    return false;
}

/* Digits ------------------------------------------------------------------ */

static Wheel *wheel_of(RaceAccess *t)
{
    Wheel *g = t->n < MaxWheel ? &t->digit[t->n++] : NULL;
    if (g)
        *g = (Wheel){0};
    return g;
}

/* The digits of loop s. */
static bool count_loop(KnownVars *k, const Stmt *s, RaceAccess *t)
{
    Facts *f = k->f;
    for (int i = 0; i < s->loop.n; i++) {
        bool used = take_variable(k, s->loop.var[i]), fixed = trip_is_exact(f, s, i);
        if (fixed && !used)
            continue;
        Wheel *g = wheel_of(t);
        if (!g)
            return false;
        g->var = s->loop.var[i];
        if (fixed)
            continue;
        g->lo = facts_expand(f, s->loop.lo[i]);
        g->hi = facts_expand(f, s->loop.hi[i]);
        g->step = s->loop.step ? facts_expand(f, s->loop.step) : 0;
        t->moves = true;
    }
    return true;
}

/* The digits of all loops around, outer ones first. */
static bool count_loops(KnownVars *k, const CheckFrame *in, RaceAccess *t)
{
    const CheckFrame *loop[MaxWheel];
    int n = 0;
    for (; in && in->s->kind != Slaunch; in = in->up)
        if (in->s->kind == Sfor) {
            if (n == MaxWheel)
                return false;
            loop[n++] = in;
        }
    while (n-- > 0)
        if (!count_loop(k, loop[n]->s, t))
            return false;
    return true;
}

/* The digits of variables that no loop has: threads, and sizes that have one value. */
static bool count_others(KnownVars *k, RaceAccess *t)
{
    const Facts *f = k->f;
    for (uint32_t j = 0; j < k->n;) {
        uint32_t v = k->var[j];
        const Domain *d = &f->dom[v];
        if (d->s && d->s->kind == Sfor) { /* its loop's turn comes */
            j++;
            continue;
        }
        Wheel *g = d->exact ? wheel_of(t) : NULL;
        if (!g)
            return false;
        g->var = v;
        take_variable(k, v);
    }
    return true;
}

static bool count_region(KnownVars *k, RaceAccess *t)
{
    Facts *f = k->f;
    const Access *a = k->a;
    for (int d = 0; a->tile && d < a->ndim; d++) {
        int64_t n;
        bool fixed = x_isint(f->p, a->extent[d], &n);
        if (fixed && n == 1)
            continue;
        Wheel *g = wheel_of(t);
        if (!g)
            return false;
        g->dim = (uint8_t)d;
        g->hi = facts_expand(f, a->extent[d]);
        t->moves |= !fixed;
    }
    return true;
}

bool access_of(Facts *f, const Stmt *launch, const Access *a, RaceAccess *t)
{
    KnownVars k = {.f = f, .launch = launch, .a = a};
    *t = (RaceAccess){.a = a, .digit = k.digit};
    if (!add_all(&k) || !count_others(&k, t) || !count_loops(&k, a->in, t) || k.n > 0 ||
        !count_region(&k, t))
        return false;
    t->digit = memcpy(anew(&f->p->ctx, (size_t)(t->n + 1) * sizeof *t->digit), k.digit,
                      (size_t)t->n * sizeof *t->digit);
    return true;
}

/* Counting ---------------------------------------------------------------- */

static int64_t *wheel_value(Facts *f, RaceAccess *t, const Wheel *g)
{
    return g->var ? &f->env[g->var] : &t->off[g->dim];
}

/* Does g count what one tile consists of? */
static bool within_tile(const Domain *d, const Wheel *g)
{
    return !g->var || (d->s && d->s->kind == Sfor && d->s->loop.kind == Fparallel);
}

/* Sets g's range and its first value; false: it is empty, or cannot be computed. */
static bool wheel_begin(Facts *f, RaceAccess *t, Wheel *g)
{
    const Domain *d = &f->dom[g->var];
    int64_t first = 0, end;
    g->by = 1;
    if (!g->hi) {
        first = d->lo;
        end = d->hi + 1;
        g->by = d->step;
    } else if ((g->lo && !x_eval(f->p, g->lo, f->env, &first)) ||
               !x_eval(f->p, g->hi, f->env, &end) ||
               (g->step && (!x_eval(f->p, g->step, f->env, &g->by) || g->by <= 0)) ||
               first < INT64_MIN >> 2 || end > INT64_MAX >> 2 || g->by > INT64_MAX >> 2) {
        return false;
    }
    if (t->thin && within_tile(d, g) && end - 1 > first + g->by)
        g->by = (end - 1 - first) / g->by * g->by;
    g->end = end;
    *wheel_value(f, t, g) = first;
    return first < end;
}

/* The next value of a digit in front of digit i; -1: there is none, else that digit. */
static int race_points_carry(Facts *f, RaceAccess *t, int i)
{
    while (i-- > 0) {
        const Wheel *g = &t->digit[i];
        int64_t *v = wheel_value(f, t, g);
        *v += g->by;
        if (*v < g->end)
            return i;
    }
    return -1;
}

/* Begins the digits from i on, at the first point that there is. */
static bool wheels_begin(Facts *f, RaceAccess *t, int i)
{
    while (i < t->n) {
        if (wheel_begin(f, t, &t->digit[i]))
            i++;
        else if (++t->empty > MaxBlockPoints || (i = race_points_carry(f, t, i) + 1) == 0)
            return false;
    }
    return true;
}

bool access_first(Facts *f, RaceAccess *t)
{
    memset(t->off, 0, sizeof t->off);
    t->empty = 0;
    return wheels_begin(f, t, 0);
}

bool access_next(Facts *f, RaceAccess *t)
{
    int i = race_points_carry(f, t, t->n);
    return i >= 0 && wheels_begin(f, t, i + 1);
}

int64_t access_count(Facts *f, RaceAccess *t)
{
    int64_t n = 0;
    for (bool on = access_first(f, t); on && n < MaxBlockPoints; on = access_next(f, t)) {
        const Wheel *g = t->n ? &t->digit[t->n - 1] : NULL;
        if (!g) /* the last digit at once */
            return 1;
        int64_t *v = wheel_value(f, t, g), left = (g->end - 1 - *v) / g->by;
        *v += left * g->by;
        n += left + 1;
    }
    return n < MaxBlockPoints ? n : MaxBlockPoints;
}

void access_save(Facts *f, RaceAccess *t, int64_t *out)
{
    for (int i = 0; i < t->n; i++)
        out[i] = *wheel_value(f, t, &t->digit[i]);
}

void access_load(Facts *f, RaceAccess *t, const int64_t *in)
{
    memset(t->off, 0, sizeof t->off);
    for (int i = 0; i < t->n; i++)
        *wheel_value(f, t, &t->digit[i]) = in[i];
}

bool access_element(const Facts *f, const RaceAccess *t, uint64_t *out)
{
    uint64_t at = 0;
    if (facts_holds(f, t->a->guard) != 1)
        return false;
    for (int d = 0; d < t->a->ndim; d++) {
        int64_t v, size;
        if (!x_eval(f->p, f->p->buf[t->a->buf].shape[d], f->env, &size) ||
            !x_eval(f->p, t->a->idx[d], f->env, &v) ||
            __builtin_add_overflow(v, t->off[d], &v) || v < 0 || v >= size)
            return false;
        at = at * (uint64_t)size + (uint64_t)v;
    }
    *out = at;
    return true;
}
