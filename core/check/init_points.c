/* core/check/init_points.c: the elements that an access reads or writes, one bit each.
 *
 *     for i in T.Parallel(64) do if i % 2 == 0 then s[i] = 1 end end     -- bits 0, 2, .. 62
 *
 * The loops around it are gone through, with the conditions and indices computed for each point.
 * An index that is a loop's variable and a sum makes a row of points one box, and a variable that
 * nothing depends on has one point. */
#include <string.h>

#include "init_open.h"

enum { MaxAxes = 32, MaxGuards = 32 };
/* Sums of numbers below this stay in int64; a place or a bound beyond it is not known. */
static const int64_t Far = (int64_t)1 << 40;

/* A variable around the access, outer first. */
typedef struct PointAxis PointAxis;
struct PointAxis {
    const Stmt *s;
    int i;
    uint32_t var;
    bool used;             /* something depends on it */
    int row;               /* the dimension that it makes a row in; -1 */
};

typedef struct PointWalk PointWalk;
struct PointWalk {
    OpenInit *t;
    const OpenStore *o;
    const Access *a, *r, *dest;
    uint64_t *bit;
    PointAxis axis[MaxAxes];
    int naxis;
    Ex guard[MaxGuards]; bool not[MaxGuards];
    int nguard;
    int64_t more[MaxDim];  /* of a dimension: elements of the row behind the first */
    bool data;
};

/* Values ------------------------------------------------------------------- */

static bool point_unsaid(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return x->op == Xload || x->op == Xcall ||
           (x->op == Xvar && (p->var[x->sym].kind == Vlet || dtype_isfloat(x->dt)));
}

bool open_plain(OpenInit *t, Ex e)
{
    Prog *p = t->f->p;
    agrow(&p->ctx, &t->plain, &t->capplain, e + 1, sizeof *t->plain);
    if (!t->plain[e])
        t->plain[e] = ex_any(p, e, point_unsaid, p) ? 2 : 1;
    return t->plain[e] == 1;
}

static bool point_value(OpenInit *t, Ex e, int64_t *v)
{
    return open_plain(t, e) && x_eval(t->f->p, e, t->f->env, v) && *v > -Far && *v < Far;
}

bool open_range(OpenInit *t, const Stmt *s, int i, int64_t *lo, int64_t *step, int64_t *n)
{
    int64_t hi;
    *step = 1;
    if (s->kind == Slaunch) {
        const Domain *d = &t->f->dom[open_var(s, i)];
        if (!d->exact || d->lo < -Far || d->hi > Far)
            return false;
        *lo = d->lo;
        *n = d->hi - d->lo + 1;
        return true;
    }
    if (!point_value(t, s->loop.lo[i], lo) || !point_value(t, s->loop.hi[i], &hi) ||
        (s->loop.step && !point_value(t, s->loop.step, step)) || *step == 0)
        return false;
    *n = *step > 0 ? (hi - *lo + *step - 1) / *step : (*lo - hi - *step - 1) / -*step;
    *n = *n < 0 ? 0 : *n;
    return true;
}

/* Storage ------------------------------------------------------------------ */

int64_t open_count(const Prog *p, uint32_t buf)
{
    int64_t n = 1, k;
    for (int d = 0; d < p->buf[buf].ndim; d++)
        if (!x_isint(p, p->buf[buf].shape[d], &k) || k <= 0 || __builtin_mul_overflow(n, k, &n))
            return -1;
    return n;
}

/* units 0: too many, or not known how many. */
static OpenStore store_of(const OpenInit *t, uint32_t root)
{
    const Prog *p = t->f->p;
    uint32_t bits = dtypeinfo[p->buf[root].dt].bits, unit = bits;
    OpenStore none = {root, 0, bits, 0};
    for (uint32_t i = t->first[root]; i; i = t->next[i - 1]) {
        uint32_t b = dtypeinfo[p->buf[t->f->a[i - 1].buf].dt].bits;
        unit = b < unit ? b : unit;
    }
    for (uint32_t i = t->first[root]; i; i = t->next[i - 1])
        if (dtypeinfo[p->buf[t->f->a[i - 1].buf].dt].bits % unit)
            return none;
    int64_t n = open_count(p, root);
    if (n <= 0 || n > MaxOpenUnits || p->buf[root].stride[0] || n * (bits / unit) > MaxOpenUnits)
        return none;
    n *= bits / unit;
    return (OpenStore){root, n, unit, (size_t)(n + 63) / 64};
}

bool open_store(OpenInit *t, uint32_t root, OpenStore *o)
{
    if (!t->store[root].bits)
        t->store[root] = store_of(t, root);
    *o = t->store[root];
    return o->units > 0;
}

/* Marks -------------------------------------------------------------------- */

static void mark_run(uint64_t *bit, int64_t from, int64_t n)
{
    while (n > 0) {
        int at = (int)(from & 63), k = 64 - at < n ? 64 - at : (int)n;
        bit[from >> 6] |= (k == 64 ? ~(uint64_t)0 : (((uint64_t)1 << k) - 1) << at);
        from += k;
        n -= k;
    }
}

/* The elements lo .. hi of each dimension, within the buffer. */
static void mark_box(PointWalk *w, int64_t *lo, int64_t *hi)
{
    const Prog *p = w->t->f->p;
    const Buf *b = &p->buf[w->a->buf];
    int64_t size[MaxDim], at[MaxDim], unit = dtypeinfo[b->dt].bits / w->o->bits;
    int last = b->ndim - 1;
    for (int d = 0; d < b->ndim; d++) {
        if (!x_isint(p, b->shape[d], &size[d]))
            return;
        lo[d] = lo[d] < 0 ? 0 : lo[d];
        hi[d] = hi[d] >= size[d] ? size[d] - 1 : hi[d];
        at[d] = lo[d];
        if (lo[d] > hi[d])
            return;
    }
    for (;;) {
        int64_t from = 0;
        for (int d = 0; d < b->ndim; d++)
            from = from * size[d] + at[d];
        int64_t n = b->ndim ? hi[last] - lo[last] + 1 : 1;
        mark_run(w->bit, from * unit, n * unit);
        w->t->work -= 1 + n / 64;
        int d = last - 1;
        while (d >= 0 && at[d] == hi[d]) {
            at[d] = lo[d];
            d--;
        }
        if (d < 0)
            return;
        at[d]++;
    }
}

/* Where what is read goes -------------------------------------------------- */

/* Cuts lo .. hi of the source of a copy to what lies inside of its destination; false: nothing
 * does.  Extents of 1 are those that only one side has. */
static bool point_cut(PointWalk *w, int64_t *lo, int64_t *hi)
{
    OpenInit *t = w->t;
    const Prog *p = t->f->p;
    const Access *a = w->a, *o = w->dest;
    int d = 0;
    for (int e = 0; e < o->ndim; e++) {
        int64_t size, at, ext = 1;
        if (o->tile && !point_value(t, o->extent[e], &ext))
            return true;
        bool known = point_value(t, p->buf[o->buf].shape[e], &size) && point_value(t, o->idx[e], &at);
        if (ext == 1) {
            if (known && (at < 0 || at >= size))
                return false;
            continue;
        }
        while (d < a->ndim && hi[d] == lo[d])
            d++;
        if (d == a->ndim || hi[d] - lo[d] + 1 != ext)
            return true;
        if (known) {
            hi[d] = at + ext > size ? hi[d] - (at + ext - size) : hi[d];
            lo[d] = at < 0 ? lo[d] - at : lo[d];
            if (hi[d] < lo[d])
                return false;
        }
        d++;
    }
    return true;
}

/* Points ------------------------------------------------------------------- */

/* The place of one point in dimension d; false: it is not known, and *lo .. *hi is all that it
 * may be. */
static bool point_place(PointWalk *w, int d, int64_t *lo, int64_t *hi)
{
    OpenInit *t = w->t;
    const Access *a = w->a;
    int64_t ext = 1, a_lo, a_hi;
    bool known = !a->tile || point_value(t, a->extent[d], &ext);
    if (known && point_value(t, a->idx[d], lo)) {
        *hi = *lo + ext - 1 + w->more[d];
        return true;
    }
    bool range = known && x_range(t->f->p, a->idx[d], &a_lo, &a_hi) && a_lo > -Far &&
                 a_hi < INT32_MAX;
    *lo = range ? a_lo : 0;
    *hi = range ? a_hi + ext - 1 : INT32_MAX;
    return false;
}

static bool point_here(PointWalk *w)
{
    OpenInit *t = w->t;
    const Access *a = w->a;
    int64_t lo[MaxDim] = {0}, hi[MaxDim] = {0}, v;
    if (t->work-- <= 0)
        return false;
    for (int i = 0; i < w->nguard; i++)
        if (x_eval(t->f->p, w->guard[i], t->f->env, &v) && (v != 0) == w->not[i])
            return true;
    for (int d = 0; d < a->ndim; d++) {
        if (point_place(w, d, &lo[d], &hi[d]))
            continue;
        if (!open_by_data(t, a->idx[d]) && !(a->tile && open_by_data(t, a->extent[d])))
            return false;
        w->data = true;
        if (a != w->r)
            return true;
    }
    if (w->dest && !point_cut(w, lo, hi))
        return true;
    mark_box(w, lo, hi);
    return true;
}

static bool point_size(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return x->op == Xvar && p->var[x->sym].kind == Vdim;
}

static bool point_walk(PointWalk *w, int k)
{
    if (k == w->naxis)
        return point_here(w);
    OpenInit *t = w->t;
    const PointAxis *x = &w->axis[k];
    int64_t lo, step, n;
    const int64_t was = t->f->env[x->var];
    if (t->mode[x->var] == OMkept)
        return point_walk(w, k + 1);
    if (!open_range(t, x->s, x->i, &lo, &step, &n))
        return false;
    if (t->mode[x->var] == OMbefore)
        n = (was - lo) / step < n ? (was - lo) / step : n;
    else if (n == 0 && w->a != w->r)
        t->idle |= x->s->kind == Sfor && (ex_any(t->f->p, x->s->loop.lo[x->i], point_size, t->f->p) ||
                                          ex_any(t->f->p, x->s->loop.hi[x->i], point_size, t->f->p));
    if (n <= 0)
        return t->work-- > 0;
    bool all = true;
    if (x->row >= 0) {
        t->f->env[x->var] = lo;
        w->more[x->row] = n - 1;
        all = point_walk(w, k + 1);
        w->more[x->row] = 0;
    } else {
        for (int64_t i = 0; i < (x->used ? n : 1) && all; i++) {
            t->f->env[x->var] = lo + i * step;
            all = point_walk(w, k + 1);
        }
    }
    t->f->env[x->var] = was;
    return all;
}

/* What depends on a variable ----------------------------------------------- */

static bool point_uses(const PointWalk *w, uint32_t var, int but)
{
    const Prog *p = w->t->f->p;
    const Access *a = w->a;
    bool is = false;
    for (int d = 0; d < a->ndim; d++)
        is |= (d != but && x_uses(p, a->idx[d], var)) || (a->tile && x_uses(p, a->extent[d], var));
    for (int i = 0; i < w->nguard; i++)
        is |= x_uses(p, w->guard[i], var);
    for (int d = 0; w->dest && d < w->dest->ndim; d++)
        is |= x_uses(p, w->dest->idx[d], var);
    for (int k = 0; k < w->naxis; k++) {
        const Stmt *s = w->axis[k].s;
        int i = w->axis[k].i;
        is |= s->kind == Sfor && (x_uses(p, s->loop.lo[i], var) || x_uses(p, s->loop.hi[i], var));
    }
    return is;
}

/* The dimension in which all values of x are one row; -1. */
static int point_row(PointWalk *w, const PointAxis *x)
{
    OpenInit *t = w->t;
    const Access *a = w->a;
    int64_t step;
    if (x->s->kind == Sfor && x->s->loop.step && !(x_isint(t->f->p, x->s->loop.step, &step) && step == 1))
        return -1;
    for (int d = 0; d < a->ndim; d++) {
        Affine e;
        if (!x_uses(t->f->p, a->idx[d], x->var))
            continue;
        if (w->dest || point_uses(w, x->var, d) || !open_plain(t, a->idx[d]) ||
            !affine_of(t->f, a->idx[d], &e))
            return -1;
        bool once = false;
        for (int i = 0; i < e.n; i++) {
            once |= e.var[i] == x->var && e.coef[i] == 1;
            if (e.var[i] != x->var && x_uses(t->f->p, e.atom[i], x->var))
                return -1;
        }
        for (int k = 0; k < w->naxis; k++)
            once &= w->axis[k].row != d;
        return once ? d : -1;
    }
    return -1;
}

/* What point_axes() found where these modes were set, on which it depends: a read's choices look at the
 * same writes hundreds of times. */
typedef struct PointPlan PointPlan;
struct PointPlan { PointPlan *more; uint32_t all; int naxis; PointAxis axis[]; };

/* The axes of variables of which all values are gone through, as bits. */
static uint32_t axes_of_all(const OpenInit *t, const PointAxis *axis, int naxis)
{
    uint32_t all = 0;
    for (int k = 0; k < naxis; k++)
        all |= (uint32_t)(t->mode[axis[k].var] == OMall) << k;
    return all;
}

/* The place of the plans; NULL: there are none for what no read asks for (init_whole.c has a copy of
 * the access), or what goes to dest. */
static PointPlan **plans_of(const PointWalk *w)
{
    return w->r && !w->dest ? &w->t->plan[w->a - w->t->f->a] : NULL;
}

static bool plan_fits(PointWalk *w)
{
    PointPlan **at = plans_of(w);
    const PointPlan *plan = at ? *at : NULL;
    while (plan && axes_of_all(w->t, plan->axis, plan->naxis) != plan->all)
        plan = plan->more;
    if (!plan)
        return false;
    w->naxis = plan->naxis;
    memcpy(w->axis, plan->axis, (size_t)plan->naxis * sizeof *w->axis);
    return true;
}

static void plan_keep(const PointWalk *w)
{
    PointPlan **at = plans_of(w);
    size_t bytes = (size_t)w->naxis * sizeof *w->axis;
    if (!at)
        return;
    PointPlan *plan = anew(&w->t->f->p->ctx, sizeof *plan + bytes);
    plan->more = *at;
    plan->all = axes_of_all(w->t, w->axis, w->naxis);
    plan->naxis = w->naxis;
    memcpy(plan->axis, w->axis, bytes);
    *at = plan;
}

static bool point_axes(PointWalk *w)
{
    const CheckFrame *frame[MaxAxes];
    int n = 0;
    if (plan_fits(w))
        return true;
    for (const CheckFrame *k = w->a->in; k; k = k->up) {
        if (n == MaxAxes)
            return false;
        frame[n++] = k;
    }
    while (n-- > 0) {
        const Stmt *s = frame[n]->s;
        for (int i = 0; i < open_vars(s); i++) {
            if (w->naxis == MaxAxes)
                return false;
            w->axis[w->naxis++] = (PointAxis){.s = s, .i = i, .var = open_var(s, i), .row = -1};
        }
    }
    for (int k = 0; k < w->naxis; k++) {
        PointAxis *x = &w->axis[k];
        x->used = point_uses(w, x->var, -1);
        x->row = x->used && w->t->mode[x->var] == OMall ? point_row(w, x) : -1;
    }
    plan_keep(w);
    return true;
}

/* Does dest certainly lie inside of its buffer? */
static bool point_inside(const Prog *p, const Access *dest)
{
    for (int d = 0; d < dest->ndim; d++) {
        int64_t lo, hi, size, ext = 1;
        if (!x_isint(p, p->buf[dest->buf].shape[d], &size) || !x_range(p, dest->idx[d], &lo, &hi) ||
            (dest->tile && !x_isint(p, dest->extent[d], &ext)) || ext < 1 || lo < 0 || hi > size - ext)
            return false;
    }
    return true;
}

enum OpenMarked open_mark(OpenInit *t, const OpenStore *o, const Access *a, const Access *r,
                          const Access *dest, uint64_t *bit)
{
    PointWalk w = {.t = t, .o = o, .a = a, .r = r, .bit = bit};
    w.dest = dest && !point_inside(t->f->p, dest) ? dest : NULL;
    for (const Guard *g = a->guard; g; g = g->up) {
        if (!g->cond || !open_plain(t, g->cond))
            continue;
        if (w.nguard == MaxGuards)
            return OPunknown;
        w.guard[w.nguard] = g->cond;
        w.not[w.nguard++] = g->not;
    }
    if (!point_axes(&w) || !point_walk(&w, 0))
        return OPunknown;
    return w.data ? OPdata : OPmarked;
}
