/* core/check_race.c: do two iterations of T.Parallel, or two blocks, meet in
 * one element?
 *
 * Within each outermost T.Parallel, every write is compared with itself and
 * with every other access of the same storage.  Indices that are affine in
 * variables with known domains give linear equations between an iteration and
 * another; solve.c finds a pair or proves that there is none.  Where indices
 * are not affine, or a condition may rule the pair out, the iterations are
 * enumerated (check_race_enum.c), for a few values of the variables outside; so are views of
 * one storage.  Where a size of the arguments says how many there are, one size is looked at
 * (check_race_size.c).  What equations do not say of two blocks, check_race_block.c looks for in
 * a few of them.
 * A pair that rests on a condition on data is a warning; what cannot be
 * decided is left to the checked run, and where that is for its size alone, a
 * note says so.
 *
 * Private variables (T.alloc_var, T.alloc_local) are each iteration's own: for
 * them it is wrong to read, before any write, what another iteration wrote. */
#include <string.h>

#include "race_p.h"

/* Variables that belong to an iteration ---------------------------------- */

static bool inside(const Nest *n, uint32_t moment)
{
    return moment > n->frame->begin && moment <= n->frame->end;
}

static bool isindex(const Nest *n, uint32_t var)
{
    for (int i = 0; i < n->npar; i++)
        if (n->par[i] == var)
            return true;
    return false;
}

static bool changes(void *ud, Ex e)
{
    const Nest *n = ud;
    const Facts *f = n->f;
    const Expr *x = &f->p->ex[e];
    if (x->op == Xvar)
        return isindex(n, x->sym) || inside(n, f->dom[x->sym].moment);
    for (uint32_t k = n->frame->first; x->op == Xload && k < n->frame->last; k++)
        if (f->a[k].mode & Awrite && buf_root(f->p, f->a[k].buf) == buf_root(f->p, x->sym))
            return true;
    return false;
}

/* Is e the same in every iteration?  Nothing declared inside of the nest, no
 * load of what the nest writes. */
static bool fixed(Nest *n, Ex e) { return !ex_any(n->f->p, e, changes, n); }

/* Equations -------------------------------------------------------------- */

/* What an unknown stands for: a variable's value outside of the nest, its
 * value in the one iteration, and how much greater it is in the other. */
enum Part { Outside, Mine, Delta, Theirs };

/* The unknown for part of variable v, made when it is not there; values count
 * in steps from the variable's first.  -1: no room, or no known domain. */
static int unknown(Nest *n, uint32_t v, enum Part part)
{
    const Domain *d = &n->f->dom[v];
    for (int i = 0; i < n->s.n; i++)
        if (n->of[i] == v && n->part[i] == part)
            return i;
    int64_t span;
    n->gave_up |= n->s.n == MaxUnknown;
    if (n->s.n == MaxUnknown || !d->exact || __builtin_sub_overflow(d->hi, d->lo, &span))
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

static bool term(Nest *n, int e, uint32_t v, enum Part part, int64_t coef)
{
    int k = coef ? unknown(n, v, part) : 0;
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
static bool equate(Nest *n, int e, const Affine *x, const Affine *y)
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
            bool own = isindex(n, v) || inside(n, d->moment);
            if (side && cx)
                continue; /* done with x */
            if (!own && cx == cy)
                continue;
            if (!d->exact)
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
static bool samerest(Nest *n, const Affine *x, const Affine *y)
{
    if (x->nrest != y->nrest)
        return false;
    for (int i = 0, j = 0, left = x->nrest; left > 0; i++, j++, left--) { /* in order of handles */
        while (x->var[i])
            i++;
        while (y->var[j])
            j++;
        if (x->atom[i] != y->atom[j] || x->coef[i] != y->coef[j] || !fixed(n, x->atom[i]))
            return false;
    }
    return true;
}

/* May the box hold two different iterations?  Their differences come first. */
static bool different(const Solve *s, const int64_t *lo, const int64_t *hi, void *ud)
{
    const Nest *n = ud;
    (void)s;
    for (int i = 0; i < n->npar; i++)
        if (lo[i] != 0 || hi[i] != 0)
            return true;
    return false;
}

/* Where a variable has both a value and a difference, the other value has to
 * be in its domain too:  mine + delta - theirs = 0. */
static bool close_ranges(Nest *n)
{
    for (int i = 0, m = n->s.n; i < m; i++) {
        if (n->part[i] != Mine)
            continue;
        for (int j = 0; j < m; j++) {
            if (n->of[j] != n->of[i] || n->part[j] != Delta)
                continue;
            int k = unknown(n, n->of[i], Theirs), e = n->s.neq;
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

/* Do an iteration of a and another of b meet?  As solve(). */
static int meet(Nest *n, const Access *a, const Access *b)
{
    n->s.accept = different;
    n->s.ud = n;
    n->s.steps = MaxSteps;
    n->s.n = n->s.neq = 0;
    for (int i = 0; i < n->npar; i++)
        if (unknown(n, n->par[i], Delta) != i)
            return -1;
    if (a->buf != b->buf)
        return -1; /* another view of the same storage */
    for (int d = 0; d < a->ndim; d++) {
        Affine x, y;
        if (!affine_of(n->f, a->idx[d], &x) || !affine_of(n->f, b->idx[d], &y) ||
            !samerest(n, &x, &y) || !equate(n, d, &x, &y))
            return -1;
    }
    if (!close_ranges(n))
        return -1;
    int r = solve(&n->s);
    n->work -= MaxSteps - n->s.steps;
    n->gave_up |= n->s.steps < 0;
    return r;
}

/* Sets env to one iteration of the solution; what the equations leave open
 * takes its first value. */
static void enter_side(Nest *n, enum Part side)
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
            if (side == Theirs)
                f->env[v] += n->s.z[i] * d->step;
        }
}

/* What can be said of a condition: computed for any iteration; resting on
 * data; or on something that is known only when the kernel runs. */
enum Certainty { Computed, Unknown, Data };

static enum Certainty certainty(Nest *n, const Guard *g)
{
    Facts *f = n->f;
    enum Certainty all = Computed;
    for (; g; g = g->up) {
        if (!g->cond)
            return Unknown;
        const Expr *x = &f->p->ex[g->cond];
        if (!x_pure(f->p, g->cond)) {
            if (!g->not && x->op == Xeq && (fixed(n, x->arg[0]) || fixed(n, x->arg[1])))
                return Unknown; /* picks an iteration: i == k[0] */
            all = all == Computed ? Data : all;
            continue;
        }
        for (uint32_t i = 0, k = facts_uses(f, g->cond, 0); i < k; i++)
            if (!f->dom[f->uses[i]].exact)
                all = Unknown;
    }
    return all;
}

/* Reports -------------------------------------------------------------- */

static const char *text(Facts *f, Ex e)
{
    Str s = {0};
    ex_print(f->p, e, &s);
    const char *t = astr(&f->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}

static const char *elementtext(Facts *f, const Access *a)
{
    Str s = {0};
    str_fmt(&s, "%s[", f->p->buf[a->buf].name);
    for (int d = 0; d < a->ndim; d++) {
        int64_t v;
        if (d)
            str_puts(&s, ", ");
        if (x_eval(f->p, a->idx[d], f->env, &v))
            str_fmt(&s, "%lld", (long long)v);
        else
            str_puts(&s, text(f, a->idx[d]));
    }
    str_puts(&s, "]");
    const char *t = astr(&f->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}

/* What loop s says of where variable v ends. */
static Ex extent_of(const Stmt *s, uint32_t v)
{
    for (int i = 0; i < s->loop.n; i++)
        if (s->loop.var[i] == v)
            return s->loop.hi[i];
    return 0;
}

static const char *nesttext(Nest *n)
{
    Facts *f = n->f;
    Str s = {0}, sizes = {0};
    str_puts(&s, "T.Parallel(");
    for (int i = 0; i < n->npar; i++) {
        const Domain *d = &f->dom[n->par[i]];
        Ex e = n->chosen ? extent_of(d->s, n->par[i]) : 0;
        str_puts(&s, i ? ", " : "");
        if (e && !x_isint(f->p, e, &(int64_t){0})) {
            str_puts(&s, text(f, e));
            race_chosen(f, e, &sizes);
        } else {
            str_fmt(&s, "%lld", (long long)(d->hi - d->lo + 1));
        }
    }
    str_fmt(&s, ")%s", sizes.n ? sizes.s : "");
    str_free(&sizes);
    const char *t = astr(&f->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}

/* Is a load of the very element that s stores to part of what it stores? */
static bool updates(const Facts *f, const Access *a)
{
    if (a->s->kind != Sstore)
        return false;
    for (const Access *r = a; r-- > f->a && r->s == a->s;)
        if (r->mode & Aread && r->buf == a->buf && memcmp(r->idx, a->idx, sizeof r->idx) == 0)
            return true;
    return false;
}

/* What a and b store is one value for all iterations. */
static bool samevalue(Nest *n, const Access *a, const Access *b)
{
    return a->s->kind == Sstore && b->s->kind == Sstore &&
           a->s->store.value == b->s->store.value && x_pure(n->f->p, a->s->store.value) &&
           fixed(n, facts_expand(n->f, a->s->store.value));
}

void race_report(Nest *n, const Access *a, const Access *b, const Access *at, const int64_t *mine,
                 const int64_t *theirs, bool maybe)
{
    Facts *f = n->f;
    Ctx *c = &f->p->ctx;
    const char *i = facts_values(f, NULL, n->npar, mine);
    const char *j = facts_values(f, NULL, n->npar, theirs);
    bool writes = b->mode & Awrite;
    enum Err e = n->chosen && !writes                     ? E_race_read_maybe
                 : maybe || n->chosen || (writes && samevalue(n, a, b)) ? E_race_maybe
                 : !writes                            ? E_race_read
                 : updates(f, a)                      ? E_race_accum
                                                      : E_race_write;
    if (e == E_race_read || e == E_race_read_maybe) /* the reader comes first */
        diag(c, e, b->s->loc, nesttext(n), j, i, elementtext(f, at), NULL);
    else
        diag(c, e, a->s->loc, nesttext(n), i, j, elementtext(f, at), NULL);
}

static void report(Nest *n, const Access *a, const Access *b, bool maybe)
{
    for (int side = 0; side < 2; side++) {
        enter_side(n, side ? Theirs : Mine);
        for (int i = 0; i < n->npar; i++)
            n->iter[side][i] = n->f->env[n->par[i]];
    }
    enter_side(n, Mine);
    race_report(n, a, b, a, n->iter[0], n->iter[1], maybe);
}

/* Pairs ---------------------------------------------------------------- */

static bool shared(const Facts *f, const Access *a)
{
    int sc = f->p->buf[a->buf].scope;
    return sc == SCglobal || sc == SCshared || sc == SCfragment;
}

/* -> true when something was reported */
static bool pair(Nest *n, const Access *a, const Access *b)
{
    if (n->work-- <= 0) {
        n->gave_up = true;
        return false;
    }
    bool gave_up = n->gave_up;
    int r = meet(n, a, b);
    if (r == 0)
        return false;
    enum Certainty x = certainty(n, a->guard), y = certainty(n, b->guard);
    if (x == Unknown || y == Unknown)
        return false;
    if (r > 0) {
        enter_side(n, Mine);
        int mine = facts_holds(n->f, a->guard);
        enter_side(n, Theirs);
        int theirs = facts_holds(n->f, b->guard);
        bool certain = mine > 0 && theirs > 0;
        if (certain || (mine && theirs && b->mode & Awrite && !samevalue(n, a, b))) {
            report(n, a, b, !certain);
            return true;
        }
    }
    if (x != Computed || y != Computed)
        return false;
    n->gave_up = gave_up; /* to enumerate them decides as well */
    return race_enumerate(n, a, b);
}

static void shared_elements(Nest *n)
{
    Facts *f = n->f;
    const Frame *fr = n->frame;
    for (uint32_t i = fr->first; i < fr->last && !check_full(f); i++) {
        const Access *a = &f->a[i];
        bool told = false;
        if (!(a->mode & Awrite) || a->mode & Aatomic || !shared(f, a))
            continue;
        for (uint32_t j = fr->first; j < fr->last && !told; j++) {
            const Access *b = &f->a[j];
            if (b->mode & Aatomic || b->tile || buf_root(f->p, b->buf) != buf_root(f->p, a->buf) ||
                (b->mode & Awrite && j < i) || (b->mode & Aread && b->s == a->s && updates(f, a) &&
                                                memcmp(a->idx, b->idx, sizeof a->idx) == 0))
                continue; /* seen from the other side; or the same as the write */
            told = pair(n, a, b);
        }
    }
}

/* Private variables that live longer than an iteration. */
static void private_values(Nest *n)
{
    Facts *f = n->f;
    const Frame *fr = n->frame;
    for (uint32_t i = fr->first; i < fr->last && !check_full(f); i++) {
        const Access *a = &f->a[i];
        uint32_t root = buf_root(f->p, a->buf);
        bool first = a->mode & Aread && !shared(f, a) && f->born[root] <= fr->begin, later = false;
        for (uint32_t j = fr->first; j < fr->last && first; j++)
            if (buf_root(f->p, f->a[j].buf) == root) {
                first = j >= i || !(f->a[j].mode & (Awrite | Aread));
                later = later || (j > i && f->a[j].mode & Awrite);
            }
        if (first && later)
            diag(&f->p->ctx, E_race_carried, a->s->loc, f->p->buf[a->buf].name, NULL);
    }
}

static bool open_nest(Nest *n, const Frame *fr)
{
    n->frame = fr;
    n->npar = 0;
    for (const Stmt *s = fr->s; s && s->kind == Sfor && s->loop.kind == Fparallel;
         s = s->loop.body && !s->loop.body->next ? s->loop.body : NULL)
        for (int i = 0; i < s->loop.n; i++) {
            if (!n->f->dom[s->loop.var[i]].exact)
                return false;
            agrow(&n->f->p->ctx, &n->par, &n->cappar, (uint32_t)n->npar + 1, sizeof *n->par);
            n->par[n->npar++] = s->loop.var[i];
        }
    for (int side = 0; side < 2; side++)
        agrow(&n->f->p->ctx, &n->iter[side], &n->capiter[side], (uint32_t)n->npar, sizeof *n->iter[side]);
    return true;
}

/* Blocks --------------------------------------------------------------- */

static bool otherblock(const Solve *s, const int64_t *lo, const int64_t *hi, void *ud)
{
    const int *nblock = ud;
    (void)s;
    for (int i = 0; i < *nblock; i++)
        if (lo[i] != 0 || hi[i] != 0)
            return true;
    return false;
}

/* Unknowns are differences between one block's and another's values. */
static int slot(Solve *s, int64_t reach)
{
    if (s->n == MaxUnknown) {
        s->steps = -1;
        return -1;
    }
    s->lo[s->n] = -reach;
    s->hi[s->n] = reach;
    for (int e = 0; e < MaxEquation; e++)
        s->a[e][s->n] = 0;
    return s->n++;
}

/* Is e the same in all blocks, for all time? */
static bool given(Facts *f, Ex e)
{
    for (uint32_t i = 0, n = facts_uses(f, e, 0); i < n; i++)
        if (f->dom[f->uses[i]].moment)
            return false;
    return x_pure(f->p, e);
}

/* Equation d: a's index in one block equals that in another. */
static bool block_terms(Facts *f, Solve *s, const Access *a, int d, uint32_t *of)
{
    Affine x;
    int64_t ext = 1;
    if (!affine_of(f, a->idx[d], &x) || (a->tile && !x_isint(f->p, a->extent[d], &ext)))
        return false;
    s->neq = d + 1;
    s->b[d] = 0;
    for (int i = 0; i < x.n; i++)
        if (!x.var[i] && !given(f, x.atom[i]))
            return false;
    for (int i = 0; i < x.n; i++) {
        if (!x.var[i])
            continue;
        const Domain *k = &f->dom[x.var[i]];
        int64_t span;
        int j = 0;
        if (k->moment == 0)
            continue; /* a parameter */
        while (j < s->n && of[j] != x.var[i])
            j++;
        if (!k->exact || k->step > INT32_MAX || __builtin_sub_overflow(k->hi, k->lo, &span) ||
            (j == s->n && (j = slot(s, span / k->step)) < 0))
            return false;
        of[j] = x.var[i];
        s->a[d][j] = x.coef[i] * k->step;
    }
    if (ext > 1) { /* anywhere within the tile */
        int j = slot(s, ext - 1);
        if (j < 0)
            return false;
        of[j] = 0;
        s->a[d][j] = 1;
    }
    return true;
}

/* What is written is one value for all blocks. */
static bool blockvalue(Facts *f, const Access *a)
{
    Ex e = a->s->kind == Sstore ? a->s->store.value : a->s->kind == Sop ? a->s->op.value : 0;
    return e && given(f, facts_expand(f, e));
}

static void compared_in_part(Facts *f, const Stmt *s)
{
    diag(&f->p->ctx, E_race_part, s->loc, NULL);
}

/* Reports that a's writes in two blocks meet, where equations say so. */
static enum RaceBlock blocks(Facts *f, const Access *a)
{
    const Frame *fr = frame_find(a->in, Slaunch);
    Solve s = {.accept = otherblock, .steps = MaxSteps};
    uint32_t of[MaxUnknown];
    int64_t one[MaxLaunchDim] = {0}, two[MaxLaunchDim] = {0};
    if (!fr)
        return RBnone;
    if (a->guard)
        return RBopen;
    const Stmt *l = fr->s;
    int n = l->launch.n;
    s.ud = &n;
    for (int i = 0; i < n; i++) {
        const Domain *k = &f->dom[l->launch.block[i]];
        int j = slot(&s, k->exact ? k->hi : 0);
        of[j] = l->launch.block[i];
    }
    for (int d = 0; d < a->ndim; d++)
        if (!block_terms(f, &s, a, d, of)) {
            if (s.steps < 0)
                compared_in_part(f, a->s);
            return RBopen;
        }
    int meets = blockvalue(f, a) ? 0 : solve(&s);
    if (meets != 1) {
        if (s.steps < 0)
            compared_in_part(f, a->s);
        return meets ? RBopen : RBapart;
    }
    for (int i = 0; i < n; i++) {
        one[i] = s.z[i] < 0 ? -s.z[i] : 0;
        two[i] = one[i] + s.z[i];
    }
    for (uint32_t v = 1; v < f->p->nvar; v++)
        f->env[v] = f->dom[v].exact ? f->dom[v].lo : 0;
    for (int i = 0; i < s.n; i++)
        if (of[i]) {
            const Domain *k = &f->dom[of[i]];
            f->env[of[i]] = k->lo + k->step * (s.z[i] < 0 ? -s.z[i] : 0);
        }
    diag(&f->p->ctx, E_race_block, a->s->loc, f->p->buf[a->buf].name, facts_values(f, NULL, n, one),
         facts_values(f, NULL, n, two), elementtext(f, a), NULL);
    return RBtold;
}

/* ----------------------------------------------------------------------- */

/* One T.Parallel; false: how many iterations it has is not known. */
static bool nest(Nest *n, const Frame *fr)
{
    if (!open_nest(n, fr))
        return false;
    n->gave_up = false;
    shared_elements(n);
    private_values(n);
    if (n->gave_up)
        compared_in_part(n->f, fr->s);
    return true;
}

/* The T.Parallel that todo marks by their first access, whose iterations a size counts: for one
 * choice of the sizes. */
static void with_sizes(Nest *n, const bool *todo)
{
    Facts *f = n->f;
    size_t size = f->p->nvar * sizeof *f->dom;
    Domain *dom = memcpy(anew(&f->p->ctx, size), f->dom, size);
    n->chosen = race_choose(f);
    for (uint32_t k = 0; n->chosen && k < f->n && !check_full(f); k++)
        if (todo[k])
            nest(n, frame_parallel(f->a[k].in));
    memcpy(f->dom, dom, size);
}

void check_race(Facts *f)
{
    const Frame *last = NULL;
    Nest *n = anew(&f->p->ctx, sizeof *n);
    bool *todo = anew(&f->p->ctx, (f->n + 1) * sizeof *todo), any = false;
    enum RaceBlock *how = anew(&f->p->ctx, (f->n + 1) * sizeof *how);
    n->f = f;
    n->points = MaxAllPoints;
    n->work = MaxWork;
    for (uint32_t k = 0; k < f->n && !check_full(f); k++) {
        const Access *a = &f->a[k];
        const Frame *fr = frame_parallel(a->in);
        if (fr && fr != last) {
            last = fr;
            todo[k] = !nest(n, fr);
            any |= todo[k];
        }
        if (a->mode == Awrite && f->p->buf[a->buf].scope == SCglobal)
            how[k] = blocks(f, a);
    }
    race_blocks(f, how);
    if (any)
        with_sizes(n, todo);
}
