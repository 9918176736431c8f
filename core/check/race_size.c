/* core/check/race_size.c: loops whose extents come with the arguments: symbolic dimensions and
 * scalars.
 *
 * Whether iterations meet can depend on such a size.  Two choices of all of them are looked at: large
 * enough that a loop has many iterations and a grid several blocks, no multiple of each other, and
 * small enough to be enumerated; and so small that a bound of the program is beyond them.  What is
 * found for one is a warning. */
#include "race.h"

enum { Tries = 4 };

/* Values for the first, second, .. size; the others repeat the last. */
static const int64_t choice[][Tries][3] = {
    [RSmany] = {{200, 136, 24}, {256, 128, 64}, {64, 32, 16}, {8, 4, 2}},
    [RSfew] = {{3, 5, 7}, {5, 3, 2}, {2, 1, 1}, {1, 2, 3}},
};

/* For blocks: whole tiles, as kernels without a condition take them, and either size the greater
 * one.  A scalar stays unknown: it may be a place. */
static const int64_t whole[RaceRows][3] = {{1024, 512, 256}, {256, 512, 1024}};

static bool race_size_other(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return x->op == Xload || (x->op == Xvar && !race_size_comes(p, x->sym));
}

/* Is s an assumption that is false for the sizes that were chosen?  One of other things than sizes
 * says nothing. */
static bool race_size_denied(const Facts *f, const Stmt *s)
{
    int64_t v;
    if (s->kind != Sassume || !x_eval(f->p, s->check.cond, f->env, &v) || v)
        return false;
    return !ex_any(f->p, s->check.cond, race_size_other, (void *)f->p);
}

static bool race_size_in(const Facts *f, const Stmt *s)
{
    while (s && !race_size_denied(f, s))
        s = s->next;
    return s != NULL;
}

static bool race_size_hold(const Facts *f)
{
    for (const Stmt *s = f->p->body; s; s = s->next)
        if (race_size_denied(f, s) || (s->kind == Slaunch && race_size_in(f, s->launch.body)))
            return false;
    return true;
}

bool race_size_comes(const Prog *p, uint32_t v)
{
    const Var *k = &p->var[v];
    return k->kind == Vdim || (k->kind == Vscalar && dtypeinfo[k->dt].cls != 'F');
}

/* Sizes, or those of tensors alone, get the values of one row; false: there is none. */
static bool race_size_give(Facts *f, const int64_t *value, bool dims)
{
    int n = 0;
    for (uint32_t v = 1; v < f->p->nvar; v++) {
        const Var *k = &f->p->var[v];
        f->env[v] = 0;
        if (!race_size_comes(f->p, v) || (dims && k->kind != Vdim))
            continue;
        int64_t x = value[n < 2 ? n : 2];
        int64_t lo, hi;
        facts_assumed(f->p, v, &lo, &hi);
        x = x < lo ? lo : x > hi ? hi : x;
        f->env[v] = x;
        f->dom[v] = (Domain){.exact = true, .lo = x, .hi = x, .step = 1};
        n++;
    }
    return n > 0;
}

/* Does e consist of sizes alone? */
static bool sizes_only(Facts *f, Ex e)
{
    for (uint32_t i = 0, n = facts_uses(f, e, 0); i < n; i++)
        if (!race_size_comes(f->p, f->uses[i]))
            return false;
    return x_pure(f->p, e);
}

static bool constant_of(Facts *f, Ex e, int64_t *v)
{
    return sizes_only(f, e) && x_eval(f->p, e, f->env, v);
}

/* The domain of v, which loop or launch s declares. */
static void race_size_follow(Facts *f, uint32_t v, const Stmt *s)
{
    int64_t lo = 0, hi, step = 1;
    Domain *d = &f->dom[v];
    bool known = false;
    if (s->kind == Sfor) {
        int i = 0;
        while (s->loop.var[i] != v)
            i++;
        known = constant_of(f, s->loop.lo[i], &lo) && constant_of(f, s->loop.hi[i], &hi) &&
                (!s->loop.step || constant_of(f, s->loop.step, &step));
    } else if (s->kind == Slaunch) {
        for (int i = 0; i < s->launch.n; i++)
            if (s->launch.block[i] == v)
                known = constant_of(f, s->launch.grid[i], &hi);
    }
    if (known && step > 0 && lo < hi && hi - lo < MaxRacePoints) {
        d->exact = true;
        d->lo = lo;
        d->hi = lo + (hi - 1 - lo) / step * step;
        d->step = step;
    }
}

static void follow_all(Facts *f)
{
    for (uint32_t v = 1; v < f->p->nvar; v++)
        if (!f->dom[v].exact && f->dom[v].s)
            race_size_follow(f, v, f->dom[v].s);
}

bool race_choose(Facts *f, enum RaceSizes which)
{
    int i = 0;
    bool dims = which == RSfew; /* a small scalar may be a stride that is never so small */
    while (i < Tries && race_size_give(f, choice[which][i], dims) && !race_size_hold(f))
        i++;
    if (i == Tries || !race_size_give(f, choice[which][i], dims))
        return false;
    follow_all(f);
    return true;
}

bool race_choose_row(Facts *f, int row, const SizeGiven *given, int n)
{
    bool any = race_size_give(f, whole[row], true);
    for (int i = 0; i < n; i++) {
        int64_t x = given[i].value;
        f->env[given[i].var] = x;
        f->dom[given[i].var] = (Domain){.exact = true, .lo = x, .hi = x, .step = 1};
    }
    if ((!any && n == 0) || !race_size_hold(f))
        return false;
    follow_all(f);
    return true;
}
