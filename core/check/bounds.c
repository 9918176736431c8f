/* core/check/bounds.c: indices and tiles against shapes.
 *
 * Tiles on chip (shared, fragment, local): every index of every iteration must
 * be in range.  A range that follows from the variables' ranges settles most;
 * then an index that is affine in variables with known, independent domains is
 * greatest and least in corners, which gives a witness; else the iterations
 * are enumerated, conditions included.  Of more than MaxPoints, the corners of the
 * space and the first SomePoints are looked at, and a note says so.  What else cannot
 * be decided, as memory or arguments decide it, is left to the run, and a note says that
 * for targets that do not look at it then.
 *
 * Global memory: out-of-range elements read as 0 and are not written, which is
 * how kernels treat ragged edges.  So only an access that is never inside is
 * an error, and a block whose writes lie outside as a whole is a warning. */
#include "check.h"
#include "err/check.h"

enum { MaxPoints = 1 << 20, SomePoints = 1 << 14, MaxVars = 12 };

static const char *bounds_num(Facts *f, int64_t v)
{
    return afmt(&f->p->ctx, "%lld", (long long)v);
}

static int64_t bounds_extent_of(const Facts *f, const Access *a, int d)
{
    int64_t n = 1;
    return a->tile && !x_isint(f->p, a->extent[d], &n) ? -1 : n;
}

/* Was it said of this place?  A loop of Lua's makes many statements of one line. */
static bool bounds_told(const Facts *f, Err e, Loc l)
{
    for (const Diag *d = l.line ? f->p->ctx.diags : NULL; d; d = d->next)
        if (d->err == e && d->loc.line == l.line && d->loc.col == l.col && d->loc.file == l.file)
            return true;
    return false;
}

/* Reporting: f->env and f->uses[0..n) hold the witness ------------------- */

static void report_bounds(Facts *f, const Access *a, int d, int64_t at, int64_t size, uint32_t n)
{
    Ctx *c = &f->p->ctx;
    const char *name = f->p->buf[a->buf].name;
    int64_t ext = bounds_extent_of(f, a, d);
    const char *what = ext > 1 ? afmt(c, "%lld..%lld", (long long)at, (long long)(at + ext - 1))
                               : bounds_num(f, at);
    Err e = ext > 1 ? n ? E_region_range : E_region_fixed : n ? E_index_range : E_index_fixed;
    if (bounds_told(f, e, a->s->loc))
        return;
    diag(c, e, a->s->loc, name, what, bounds_num(f, d), bounds_num(f, size),
         n ? facts_where(f, n) : NULL, NULL);
}

/* Affine indices -------------------------------------------------------- */

/* *v += a * b; false: that is no int64. */
static bool add_times(int64_t *v, int64_t a, int64_t b)
{
    return !__builtin_mul_overflow(a, b, &b) && !__builtin_add_overflow(*v, b, v);
}

/* Puts the corner where x is greatest (or least) into f->env and f->uses;
 * false when some variable's domain is not known. */
static bool bounds_corner(Facts *f, const Affine *x, bool greatest, int64_t *v, uint32_t *n)
{
    if (x->nrest)
        return false;
    *v = x->c;
    *n = 0;
    for (int i = 0; i < x->n; i++) {
        const Domain *d = &f->dom[x->var[i]];
        if (!d->exact)
            return false;
        f->env[x->var[i]] = (x->coef[i] > 0) == greatest ? d->hi : d->lo;
        if (!add_times(v, x->coef[i], f->env[x->var[i]]))
            return false;
        f->uses[(*n)++] = x->var[i];
    }
    return true;
}

/* 1: reported or in range; 0: not decided. */
static int by_corners(Facts *f, const Access *a, int d, int64_t ext, int64_t size)
{
    Affine x;
    if (!affine_of(f, a->idx[d], &x))
        return 0;
    for (int greatest = 1; greatest >= 0; greatest--) {
        int64_t v;
        uint32_t n;
        if (!bounds_corner(f, &x, greatest, &v, &n))
            return 0;
        if (greatest ? v <= size - ext : v >= 0)
            continue;
        if (a->guard) /* is the corner reached? */
            return 0;
        report_bounds(f, a, d, v, size, n);
        return 1;
    }
    return 1;
}

/* Enumeration ----------------------------------------------------------- */

/* The variables of the index and of the guards; false when one of them has no
 * known domain.  *points: how many, or more than MaxPoints. */
static bool space(Facts *f, const Access *a, int d, uint32_t *n, int64_t *points)
{
    *points = 1;
    *n = facts_uses(f, a->idx[d], 0);
    for (const Guard *g = a->guard; g; g = g->up) {
        if (!g->cond)
            return false;
        *n = facts_uses(f, g->cond, *n);
    }
    for (uint32_t i = 0; i < *n; i++) {
        const Domain *k = &f->dom[f->uses[i]];
        int64_t range;
        if (!k->exact)
            return false;
        if (__builtin_sub_overflow(k->hi, k->lo, &range) || range / k->step >= MaxPoints)
            *points = MaxPoints + 1;
        else if (*points <= MaxPoints)
            *points *= range / k->step + 1;
    }
    return true;
}

/* The next point; false after the last. */
static bool next_point(Facts *f, uint32_t n)
{
    for (uint32_t i = n; i-- > 0;) {
        uint32_t v = f->uses[i];
        if (f->env[v] != f->dom[v].hi) {
            f->env[v] += f->dom[v].step;
            return true;
        }
        f->env[v] = f->dom[v].lo;
    }
    return false;
}

/* The point in f->env: 1 it is in range or not reached, 0 it is reported, -1 it cannot
 * be said. */
static int one_point(Facts *f, const Access *a, int d, int64_t ext, int64_t size, uint32_t n)
{
    int64_t v;
    int holds = facts_holds(f, a->guard);
    if (holds < 0 || (holds && !x_eval(f->p, a->idx[d], f->env, &v)))
        return -1;
    if (!holds || (v >= 0 && v <= size - ext))
        return 1;
    report_bounds(f, a, d, v, size, n);
    return 0;
}

/* Where each variable has its first or its last value. */
static bool corners(Facts *f, const Access *a, int d, int64_t ext, int64_t size, uint32_t n)
{
    for (uint32_t k = 0; k < 1u << n; k++) {
        for (uint32_t i = 0; i < n; i++) {
            const Domain *v = &f->dom[f->uses[i]];
            f->env[f->uses[i]] = k >> i & 1 ? v->hi : v->lo;
        }
        if (one_point(f, a, d, ext, size, n) <= 0)
            return false;
    }
    return true;
}

/* The first `most` points; 1: all are in range or not reached, else as one_point. */
static int first_points(Facts *f, const Access *a, int d, int64_t ext, int64_t size, uint32_t n,
                        int64_t most)
{
    for (uint32_t i = 0; i < n; i++)
        f->env[f->uses[i]] = f->dom[f->uses[i]].lo;
    while (most-- > 0) {
        int r = one_point(f, a, d, ext, size, n);
        if (r <= 0)
            return r;
        if (!next_point(f, n))
            break;
    }
    return 1;
}

/* False: not decided, and nothing said. */
static bool by_points(Facts *f, const Access *a, int d, int64_t ext, int64_t size)
{
    uint32_t n;
    int64_t points;
    if (!space(f, a, d, &n, &points))
        return false;
    if (points <= MaxPoints)
        return first_points(f, a, d, ext, size, n, points) >= 0;
    Diag **tail = f->p->ctx.diagtail;
    if ((n > MaxVars || corners(f, a, d, ext, size, n)) &&
        first_points(f, a, d, ext, size, n, SomePoints) > 0 &&
        !bounds_told(f, E_bounds_part, a->s->loc))
        diag(&f->p->ctx, E_bounds_part, a->s->loc, f->p->buf[a->buf].name, bounds_num(f, d), NULL);
    return f->p->ctx.diagtail != tail;
}

/* Data ------------------------------------------------------------------ */

static bool bounds_data(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    const Var *v = x->op == Xvar ? &p->var[x->sym] : NULL;
    return x->op == Xload || (v && (v->kind == Vscalar || v->kind == Vdim || (v->kind == Vlet && !v->value)));
}

/* A part of a condition, and the index that it may speak of. */
typedef struct BoundsAsked BoundsAsked;
struct BoundsAsked { Prog *p; Ex index, part; };

static bool bounds_is(void *ud, Ex e) { return e == ((const BoundsAsked *)ud)->part; }

static bool bounds_shares(void *ud, Ex e)
{
    BoundsAsked *k = ud;
    k->part = e;
    return bounds_data(k->p, e) && ex_any_let(k->p, k->index, bounds_is, k);
}

static bool bounds_not_assumed(Stmt *s, void *ud)
{
    BoundsAsked *k = ud;
    return (s->kind != Sassume && s->kind != Sassert) ||
           !ex_any_let(k->p, s->check.cond, bounds_shares, k);
}

/* Does a condition around, or an assumption, speak of the data that e is made of? */
static bool bounds_asked(const Facts *f, const Access *a, Ex e)
{
    BoundsAsked k = {f->p, e, 0};
    for (const Guard *g = a->guard; g; g = g->up)
        if (!g->cond || ex_any_let(f->p, g->cond, bounds_shares, &k))
            return true;
    return !stmt_walk(f->p->body, bounds_not_assumed, &k);
}

/* Index d of a is for data to decide. */
static void bounds_open(Facts *f, const Access *a, int d, int64_t ext, int64_t size)
{
    Ctx *c = &f->p->ctx;
    int64_t lo, hi;
    Ex e = a->idx[d];
    x_extremes(f->p, e, &lo, &hi);
    if ((lo >= 0 && hi <= size - ext) || !ex_any_let(f->p, e, bounds_data, f->p) ||
        bounds_asked(f, a, e) || bounds_told(f, E_index_open, a->s->loc))
        return;
    Str s = {0};
    ex_print(f->p, e, &s);
    diag(c, E_index_open, a->s->loc, f->p->buf[a->buf].name, s.s ? astr(c, s.s, s.n) : "?",
         bounds_num(f, d), bounds_num(f, size), NULL);
    str_free(&s);
}

/* The rules ------------------------------------------------------------- */

static void bounds_onchip(Facts *f, const Access *a, int d)
{
    int64_t lo, hi, size, ext = bounds_extent_of(f, a, d);
    if (ext < 0 || !x_isint(f->p, f->p->buf[a->buf].shape[d], &size))
        return;
    if (x_range(f->p, a->idx[d], &lo, &hi) && lo >= 0 && hi <= size - ext)
        return;
    if (!by_corners(f, a, d, ext, size) && !by_points(f, a, d, ext, size))
        bounds_open(f, a, d, ext, size);
}

/* Where a write begins in dimension d for the last block, at least; v: that block.  false:
 * not known. */
static bool last_block(Facts *f, const Access *a, int d, int64_t *at, int64_t *v)
{
    Affine x;
    if (a->guard || !(a->mode & Awrite) || !affine_of(f, a->idx[d], &x) || x.nrest)
        return false;
    *at = x.c;
    for (int i = 0; i < x.n; i++) {
        const Domain *k = &f->dom[x.var[i]];
        bool isblock = f->p->var[x.var[i]].kind == Vblock;
        if (!k->exact)
            return false;
        int64_t val = (x.coef[i] > 0) == isblock ? k->hi : k->lo;
        if (!add_times(at, x.coef[i], val))
            return false;
        if (isblock)
            v[f->p->var[x.var[i]].axis % MaxLaunchDim] = val;
    }
    return true;
}

/* Does a write outside of the buffer in dimension d for a whole block, whatever
 * the loops inside do?  (Reads may rely on the zeros that they get.)  Of statements of
 * one line, which a loop of Lua's makes, all have to. */
static bool idle_block(Facts *f, const Access *a, int d, int64_t size)
{
    const CheckFrame *l = frame_find(a->in, Slaunch);
    int64_t v[MaxLaunchDim] = {0}, at, other, w[MaxLaunchDim];
    if (!l || !last_block(f, a, d, &at, v) || at < size ||
        bounds_told(f, E_block_outside, a->s->loc))
        return false;
    for (uint32_t k = l->first; k < l->last && a->s->loc.line; k++) {
        const Access *b = &f->a[k];
        if (b->buf == a->buf && b->s != a->s && b->mode & Awrite &&
            b->s->loc.line == a->s->loc.line && b->s->loc.col == a->s->loc.col &&
            (!last_block(f, b, d, &other, w) || other < size))
            return false;
    }
    diag(&f->p->ctx, E_block_outside, a->s->loc, f->p->buf[a->buf].name,
         facts_values(f, NULL, l->s->launch.n, v), bounds_num(f, at), bounds_num(f, d),
         bounds_num(f, size), NULL);
    return true;
}

/* How much was added to an index because it counted from the end; such a one that is negative
 * still was so before.  In IR text only constants of elements count from there. */
static int64_t bounds_counted(const Prog *p, const Access *a, int d, int64_t size)
{
    int64_t v;
    bool from_end = p->textfile ? !a->tile && x_isint(p, a->idx[d], &v) : x_negative(p, a->idx[d]);
    return from_end ? size : 0;
}

/* Is the index below the buffer wherever the conditions around let it come?  *most: the
 * greatest that it is then.  One place inside is enough to say no. */
static bool below_under(Facts *f, const Access *a, int d, int64_t ext, int64_t *most)
{
    uint32_t n;
    int64_t points, v;
    bool reached = false;
    *most = INT64_MIN;
    if (!x_range(f->p, a->idx[d], &v, &points) || v > -ext || !space(f, a, d, &n, &points) ||
        points > SomePoints)
        return false;
    for (uint32_t i = 0; i < n; i++)
        f->env[f->uses[i]] = f->dom[f->uses[i]].lo;
    do {
        int holds = facts_holds(f, a->guard);
        if (holds < 0 || (holds && (!x_eval(f->p, a->idx[d], f->env, &v) || v > -ext)))
            return false;
        reached = reached || holds;
        *most = holds && v > *most ? v : *most;
    } while (next_point(f, n));
    return reached;
}

/* The access lies below `before`, 0 or what counts from the end, and reaches `most`. */
static void bounds_below(Facts *f, const Access *a, int d, int64_t most, int64_t before)
{
    Prog *p = f->p;
    if (bounds_told(f, E_never_below, a->s->loc))
        return;
    diag(&p->ctx, E_never_below, a->s->loc, p->buf[a->buf].name, bounds_num(f, d),
         bounds_num(f, most), bounds_num(f, before), bounds_num(f, !p->textfile && before == 0), NULL);
}

/* Under a condition: an index that is below 0 does not count from the end, as it is not so
 * whatever its variables are. */
static bool inglobal_if(Facts *f, const Access *a, int d, int64_t ext)
{
    int64_t most;
    if (!below_under(f, a, d, ext, &most))
        return false;
    bounds_below(f, a, d, most, 0);
    return true;
}

static bool inglobal(Facts *f, const Access *a, int d)
{
    Prog *p = f->p;
    Ex shape = p->buf[a->buf].shape[d];
    int64_t lo, hi, size, ext = bounds_extent_of(f, a, d);
    if (ext < 0)
        return false;
    if (a->guard)
        return inglobal_if(f, a, d, ext);
    bool ranged = x_range(p, a->idx[d], &lo, &hi);
    bool sized = x_isint(p, shape, &size);
    if (ranged && hi <= -ext) {
        int64_t before = sized ? bounds_counted(p, a, d, size) : 0;
        bounds_below(f, a, d, hi - before, -before);
        return true;
    }
    if (ranged && a->tile && hi < 0 && !p->textfile && !bounds_told(f, E_tile_below, a->s->loc))
        diag(&p->ctx, E_tile_below, a->s->loc, p->buf[a->buf].name, bounds_num(f, d),
             bounds_num(f, hi), NULL);
    if (!sized)
        return false;
    if (ranged && lo >= size && size > 0) {
        if (!bounds_told(f, E_never_inside, a->s->loc))
            diag(&p->ctx, E_never_inside, a->s->loc, p->buf[a->buf].name, bounds_num(f, d),
                 bounds_num(f, size), bounds_num(f, lo), NULL);
        return true;
    }
    return (!ranged || hi >= size) && size > 0 && idle_block(f, a, d, size);
}

void check_bounds(Facts *f)
{
    const Stmt *last = NULL; /* one message a statement */
    for (uint32_t k = 0; k < f->n && !check_full(f); k++) {
        const Access *a = &f->a[k];
        const Buf *b = &f->p->buf[a->buf];
        Diag **tail = f->p->ctx.diagtail;
        for (int d = 0; d < a->ndim && a->s != last; d++) {
            if (b->scope != SCglobal)
                bounds_onchip(f, a, d);
            else
                inglobal(f, a, d);
            if (f->p->ctx.diagtail != tail)
                last = a->s;
        }
    }
}
