/* core/check/race_equations.c: the equations between two iterations of T.Parallel, or two blocks,
 * that meet in one element.
 *
 * Indices that are affine in variables with known domains say which element is reached; solve.c
 * finds a pair or proves that there is none. */
#include <string.h>

#include "race.h"

/* Variables that belong to an iteration ---------------------------------- */

static bool moment_inside(const RaceLoop *n, uint32_t moment)
{
    return moment >= n->frame->begin && moment <= n->frame->end;
}

static bool isindex(const RaceLoop *n, uint32_t var)
{
    for (int i = 0; i < n->npar; i++)
        if (n->par[i] == var)
            return true;
    return false;
}

static bool race_eq_changes(void *ud, Ex e)
{
    const RaceLoop *n = ud;
    const Facts *f = n->f;
    const Expr *x = &f->p->ex[e];
    if (x->op == Xvar)
        return isindex(n, x->sym) || moment_inside(n, f->dom[x->sym].moment);
    for (uint32_t k = n->frame->first; x->op == Xload && k < n->frame->last; k++)
        if (f->a[k].mode & Awrite && buf_root(f->p, f->a[k].buf) == buf_root(f->p, x->sym))
            return true;
    return false;
}

bool race_fixed(RaceLoop *n, Ex e) { return !ex_any(n->f->p, e, race_eq_changes, n); }

/* Equations -------------------------------------------------------------- */

/* What an unknown stands for: a variable's value outside of the parallel loop, its
 * value in the one iteration, and how much greater it is in the other. */
enum EquationPart { Outside, Mine, Delta, Theirs };

/* The unknown for part of variable v, made when it is not there; values count
 * in steps from the variable's first.  -1: no room, or no known domain. */
static int race_eq_unknown(RaceLoop *n, uint32_t v, enum EquationPart part)
{
    const Domain *d = &n->f->dom[v];
    for (int i = 0; i < n->s.n; i++)
        if (n->of[i] == v && n->part[i] == part)
            return i;
    int64_t span, far = (int64_t)1 << 33, hi = d->hi;
    if (!d->exact && n->f->p->var[v].kind == Vblock && hi > INT32_MAX)
        hi = INT32_MAX; /* no launch has more */
    n->gave_up |= n->s.n == MaxUnknown;
    if (n->s.n == MaxUnknown || (!d->exact && (!n->loose || d->lo < -far || hi > far)) ||
        __builtin_sub_overflow(hi, d->lo, &span))
        return -1;
    int i = n->s.n++;
    n->of[i] = v;
    n->part[i] = (uint8_t)part;
    n->s.hi[i] = span / d->step;
    n->s.lo[i] = part == Delta ? -n->s.hi[i] : 0;
    for (int e = 0; e < MaxEquation; e++)
        n->s.a[e][i] = 0;
    return i;
}

static bool term(RaceLoop *n, int e, uint32_t v, enum EquationPart part, int64_t coef)
{
    int k = coef ? race_eq_unknown(n, v, part) : 0;
    if (k < 0)
        return false;
    if (coef)
        n->s.a[e][k] += coef;
    return true;
}

static int64_t coefficient(const Affine *x, uint32_t v)
{
    for (int i = 0; i < x->n; i++)
        if (x->var[i] == v)
            return x->coef[i];
    return 0;
}

/* Equation e:  x in the one iteration = y in the other.  What is the same in
 * both leaves it; a variable of the iterations with one coefficient in both
 * enters by its difference alone. */
static bool equate(RaceLoop *n, int e, const Affine *x, const Affine *y)
{
    n->s.neq = e + 1;
    n->s.b[e] = y->c - x->c;
    for (int side = 0; side < 2; side++) {
        const Affine *z = side ? y : x;
        for (int i = 0; i < z->n; i++) {
            uint32_t v = z->var[i];
            if (v == 0)
                continue;
            const Domain *d = &n->f->dom[v];
            int64_t cx = coefficient(x, v), cy = coefficient(y, v);
            bool own = isindex(n, v) || moment_inside(n, d->moment);
            if (side && cx)
                continue; /* done with x */
            if (!own && cx == cy)
                continue;
            if (!d->exact && !n->loose)
                return false;
            int64_t first, far = (int64_t)1 << 30; /* steps: what solve() is for is shorter */
            if (__builtin_mul_overflow(cx - cy, d->lo, &first) ||
                __builtin_sub_overflow(n->s.b[e], first, &n->s.b[e]) || d->step > far)
                return false;
            if (!term(n, e, v, own ? Mine : Outside, (cx - cy) * d->step) ||
                (own && !term(n, e, v, Delta, -cy * d->step)))
                return false;
        }
    }
    return true;
}

/* Other terms than variables must be the same on both sides. */
static bool samerest(RaceLoop *n, const Affine *x, const Affine *y)
{
    if (x->nrest != y->nrest)
        return false;
    for (int i = 0, j = 0, left = x->nrest; left > 0; i++, j++, left--) { /* in order of handles */
        while (x->var[i])
            i++;
        while (y->var[j])
            j++;
        if (x->atom[i] != y->atom[j] || x->coef[i] != y->coef[j] || !race_fixed(n, x->atom[i]))
            return false;
    }
    return true;
}

/* Adds coef times anything between lo and hi to equation e; false: no room. */
static bool free_term(RaceLoop *n, int e, int64_t coef, int64_t lo, int64_t hi)
{
    int i = n->s.n;
    n->gave_up |= i == MaxUnknown;
    if (i == MaxUnknown)
        return false;
    n->s.n++;
    n->of[i] = 0;
    n->part[i] = Outside;
    n->s.lo[i] = lo;
    n->s.hi[i] = hi;
    for (int k = 0; k < MaxEquation; k++)
        n->s.a[k][i] = 0;
    n->s.a[e][i] = coef;
    return true;
}

/* The term of y that is atom; -1: none. */
static int term_of(const Affine *y, Ex atom)
{
    for (int j = 0; j < y->n; j++)
        if (y->atom[j] == atom)
            return j;
    return -1;
}

/* ... or are, to rule pairs out, anything in their ranges.  What is one expression for both is
 * kept for quotients(). */
static bool anyrest(RaceLoop *n, int e, const Affine *x, const Affine *y)
{
    for (int side = 0; side < 2; side++) {
        const Affine *z = side ? y : x, *o = side ? x : y;
        for (int i = 0; i < z->n; i++) {
            int64_t lo, hi, far = (int64_t)1 << 33;
            int j = z->var[i] ? 0 : term_of(o, z->atom[i]), first = n->s.n;
            if (z->var[i] || (j >= 0 && (side || (o->coef[j] == z->coef[i] &&
                                                  race_fixed(n, z->atom[i])))))
                continue;
            if (!x_range(n->f->p, z->atom[i], &lo, &hi) || lo < -far || hi > far ||
                !free_term(n, e, side ? -z->coef[i] : z->coef[i], lo, hi) ||
                (j >= 0 && !free_term(n, e, -o->coef[j], lo, hi)))
                return false;
            if (j >= 0 && n->nquotient < MaxQuotients)
                n->quotient[n->nquotient++] = (RaceQuotient){z->atom[i], first};
        }
    }
    return true;
}

/* Of e // m and e % m in both iterations: what e differs by is m times a whole number and the
 * difference of the rests. */
static void quotients(RaceLoop *n)
{
    const Prog *p = n->f->p;
    for (int i = 0; i < n->nquotient; i++) {
        const Expr *x = ex_at(p, n->quotient[i].atom);
        int at = n->s.neq, one = n->quotient[i].unknown;
        bool rest = x->op == Xfmod;
        int64_t m;
        Affine e;
        if ((!rest && x->op != Xfdiv) || at == MaxEquation || !x_isint(p, x->arg[1], &m) ||
            m <= 0 || m > 1 << 16 || dtypeinfo[x->dt].bits > 32 || !affine_of(n->f, x->arg[0], &e) || !samerest(n, &e, &e))
            continue;
        int64_t far = rest ? (int64_t)1 << 33 : m - 1;
        if (!equate(n, at, &e, &e) || !free_term(n, at, rest ? -m : -1, -far, far)) {
            n->s.neq = at;
            memset(n->s.a[at], 0, sizeof n->s.a[at]); /* then without it */
            continue;
        }
        n->s.a[at][one] = rest ? -1 : -m;
        n->s.a[at][one + 1] = rest ? 1 : m;
    }
}

/* May the box hold two different iterations?  Their differences come first. */
static bool different(const EqSolve *s, const int64_t *lo, const int64_t *hi, void *ud)
{
    const RaceLoop *n = ud;
    (void)s;
    for (int i = 0; i < n->npar; i++)
        if (lo[i] != 0 || hi[i] != 0)
            return true;
    return false;
}

/* Where a variable has both a value and a difference, the other value has to
 * be in its domain too:  mine + delta - theirs = 0. */
static bool close_ranges(RaceLoop *n)
{
    for (int i = 0, m = n->s.n; i < m; i++) {
        if (n->part[i] != Mine)
            continue;
        for (int j = 0; j < m; j++) {
            if (n->of[j] != n->of[i] || n->part[j] != Delta)
                continue;
            int k = race_eq_unknown(n, n->of[i], Theirs), e = n->s.neq;
            if (k < 0 || e == MaxEquation)
                return false;
            n->s.neq++;
            n->s.b[e] = 0;
            n->s.a[e][i] = n->s.a[e][j] = 1;
            n->s.a[e][k] = -1;
        }
    }
    return true;
}

/* Equation d also has a place in the region of a or b, on that side. */
static bool region_term(RaceLoop *n, int d, const Access *k, bool other)
{
    int64_t ext = 1;
    n->slot[other][d] = -1;
    if (!k->tile)
        return true;
    if (!x_isint(n->f->p, k->extent[d], &ext))
        return false;
    if (ext <= 1)
        return true;
    n->slot[other][d] = (int16_t)n->s.n;
    return free_term(n, d, other ? -1 : 1, 0, ext - 1);
}

/* cond, that holds for both, as `i == k`: what is i in the one iteration is i in the other where k
 * is the same in both. */
static void same_condition(RaceLoop *n, Ex cond)
{
    const Expr x = *ex_at(n->f->p, cond);
    for (int k = 0; x.op == Xand && k < 2; k++)
        same_condition(n, x.arg[k]);
    for (int k = 0; x.op == Xeq && k < 2; k++) {
        Affine e;
        int at = n->s.neq;
        if (!race_fixed(n, x.arg[!k]) || race_fixed(n, x.arg[k]) || at == MaxEquation ||
            !affine_of(n->f, x.arg[k], &e) || !samerest(n, &e, &e))
            continue;
        if (!equate(n, at, &e, &e)) { /* then without it */
            n->s.neq = at;
            memset(n->s.a[at], 0, sizeof n->s.a[at]);
        }
    }
}

static void same_conditions(RaceLoop *n, const Access *a, const Access *b)
{
    for (const Guard *g = a->guard; g; g = g->up) {
        const Guard *h = b->guard;
        while (h && (h->cond != g->cond || h->not != g->not))
            h = h->up;
        if (g->cond && h && !g->not)
            same_condition(n, g->cond);
    }
}

/* Adds  sum of e, in the one iteration or the other, >= 0. */
static void at_least_zero(RaceLoop *n, const Affine *e, bool theirs)
{
    int at = n->s.neq;
    int64_t c = e->c;
    if (at == MaxEquation || e->nrest || !free_term(n, at, -1, 0, (int64_t)1 << 45))
        return;
    for (int i = 0; i < e->n; i++) {
        uint32_t v = e->var[i];
        const Domain *d = &n->f->dom[v];
        bool own = isindex(n, v) || moment_inside(n, d->moment);
        int64_t first;
        if (d->step > (int64_t)1 << 30 || __builtin_mul_overflow(e->coef[i], d->lo, &first) ||
            __builtin_add_overflow(c, first, &c) ||
            !term(n, at, v, own ? Mine : Outside, e->coef[i] * d->step) ||
            (own && theirs && !term(n, at, v, Delta, e->coef[i] * d->step))) {
            memset(n->s.a[at], 0, sizeof n->s.a[at]); /* then without it */
            return;
        }
    }
    n->s.b[at] = -c;
    n->s.neq = at + 1;
}

/* cond holds (`not`: it does not), which is an inequality of sums, or several of them: `i < 32`. */
static void inequality(RaceLoop *n, Ex cond, bool not, bool theirs)
{
    Prog *p = n->f->p;
    const Expr x = *ex_at(p, cond);
    Affine e;
    for (int k = 0; x.op == (not ? Xor : Xand) && k < 2; k++)
        inequality(n, x.arg[k], not, theirs);
    if (x.op == Xnot)
        inequality(n, x.arg[0], !not, theirs);
    if ((x.op != Xlt && x.op != Xle) || dtype_isfloat(ex_type(p, x.arg[0])) ||
        ex_type(p, x.arg[0]) != ex_type(p, x.arg[1]) || !x_whole(p, x.arg[0]) || !x_whole(p, x.arg[1]))
        return;
    Ex by = x_bin(p, Xsub, x.arg[!not], x.arg[not]); /* b - a, or a - b */
    if (!affine_of(n->f, by, &e))
        return;
    e.c -= (x.op == Xlt) != not; /* a < b; not a <= b */
    at_least_zero(n, &e, theirs);
}

/* The conditions of k that are inequalities. */
static void inequalities(RaceLoop *n, const Access *k, bool theirs)
{
    for (const Guard *g = k->guard; g; g = g->up)
        if (g->cond)
            inequality(n, g->cond, g->not, theirs);
}

bool race_apart(RaceLoop *n, const Access *a, const Access *b)
{
    n->loose = true;
    int r = race_meet(n, a, b);
    if (r != 0 && !n->blocks)
        r = race_enumerate(n, a, b);
    n->loose = false;
    return r == 0;
}

/* x and y, single elements in the two iterations, without what is done to both alike and can be
 * undone: v ~ g and w ~ g are one number where v and w are, if g is the same. */
static void undo_xor(RaceLoop *n, Ex *x, Ex *y)
{
    const Prog *p = n->f->p;
    for (int left = 8; left > 0; left--) {
        *x = facts_expand(n->f, *x);
        *y = facts_expand(n->f, *y);
        const Expr *u = ex_at(p, *x), *v = ex_at(p, *y);
        int i = 0;
        if (u->op != Xbxor || v->op != Xbxor || u->dt != v->dt)
            return;
        while (i < 4 && (u->arg[i / 2] != v->arg[i % 2] || !race_fixed(n, u->arg[i / 2])))
            i++;
        if (i == 4)
            return;
        *x = u->arg[1 - i / 2];
        *y = v->arg[1 - i % 2];
    }
}

/* Equation d: the indices of dimension d are the same.  False: it cannot be made. */
static bool same_index(RaceLoop *n, int d, const Access *a, const Access *b)
{
    Affine x, y;
    Ex u = a->idx[d], v = b->idx[d];
    if (!a->tile && !b->tile)
        undo_xor(n, &u, &v);
    return affine_of(n->f, u, &x) && affine_of(n->f, v, &y) &&
           (n->loose ? anyrest(n, d, &x, &y) : samerest(n, &x, &y)) && equate(n, d, &x, &y) &&
           region_term(n, d, a, false) && region_term(n, d, b, true);
}

/* Equation d says nothing; of the unknowns there are the first `unknowns`. */
static void any_index(RaceLoop *n, int d, int unknowns, int quotients)
{
    memset(n->s.a[d], 0, sizeof n->s.a[d]);
    n->s.b[d] = 0;
    n->s.neq = d + 1;
    n->s.n = unknowns;
    n->nquotient = quotients;
    n->slot[0][d] = n->slot[1][d] = -1;
}

int race_meet(RaceLoop *n, const Access *a, const Access *b)
{
    n->s.accept = different;
    n->s.ud = n;
    n->s.steps = RaceSteps;
    n->s.n = n->s.neq = n->nquotient = 0;
    for (int i = 0; i < n->npar; i++)
        if (race_eq_unknown(n, n->par[i], Delta) != i)
            return -1;
    if (a->buf != b->buf)
        return -1; /* another view of the same storage */
    for (int d = 0; d < a->ndim; d++) {
        int unknowns = n->s.n, quotients = n->nquotient;
        if (same_index(n, d, a, b))
            continue;
        if (!n->loose)
            return -1;
        any_index(n, d, unknowns, quotients); /* conditions may rule it out all the same */
    }
    same_conditions(n, a, b);
    if (n->loose) {
        quotients(n);
        inequalities(n, a, false);
        inequalities(n, b, true);
    }
    if (!close_ranges(n))
        return -1;
    int r = solve(&n->s);
    n->work -= RaceSteps - n->s.steps;
    n->gave_up |= n->s.steps < 0;
    return r;
}

void race_side(RaceLoop *n, bool other)
{
    Facts *f = n->f;
    for (uint32_t v = 1; v < f->p->nvar; v++)
        f->env[v] = f->dom[v].exact ? f->dom[v].lo : 0;
    for (int pass = 0; pass < 2; pass++) /* values, then differences */
        for (int i = 0; i < n->s.n; i++) {
            uint32_t v = n->of[i];
            const Domain *d = &f->dom[v];
            bool valued = false;
            if (pass == 0 && (n->part[i] == Mine || n->part[i] == Outside))
                f->env[v] = d->lo + n->s.z[i] * d->step;
            if (pass == 0 || n->part[i] != Delta)
                continue;
            for (int j = 0; j < n->s.n; j++)
                valued |= n->of[j] == v && n->part[j] == Mine;
            if (!valued && n->s.z[i] < 0)
                f->env[v] -= n->s.z[i] * d->step;
            if (other)
                f->env[v] += n->s.z[i] * d->step;
        }
}

void race_enter(RaceLoop *n, bool other, int64_t *off)
{
    race_side(n, other);
    for (int d = 0; d < MaxDim; d++)
        off[d] = n->slot[other][d] < 0 ? 0 : n->s.z[n->slot[other][d]];
}
