/* targets/cpu/bounds.c: which accesses are inside of their buffers.
 *
 * The printed program computes an index in the index's own type, where sums
 * and products wrap.  Here it is reasoned about as a whole number: an
 * expression of int64 that cannot overflow.  The two are the same where every
 * step of the index is known to stay within its type (exact()).  Otherwise
 * they agree modulo 2^32 at least, for what wraps is a ring: then, if the whole
 * number lies inside of the buffer, so does the computed one, being equal to
 * it.  That takes both ends to be proved of one and the same whole number; one
 * alone says nothing, nor do two of numbers that only agree modulo 2^32.  So the
 * number of an index follows from its form alone (wraps() and what bound_value() makes
 * of it), never from what can be proved of it.  Divisions, minima and wider types
 * are no such ring: what goes into them has to be exact.
 *
 * What a variable can be follows from its loop's bounds, what the user's
 * conditions say from facts.c, and what a test in front of a nest has found
 * true from tests.c. */
#include "emit.h"

static bool is_loop(const Gen *g, uint32_t v) { return g->loop[v].hi != 0; }

/* nest 0: every loop and block variable */
static bool in_set(const Gen *g, uint32_t v, uint16_t nest)
{
    return is_loop(g, v) && (nest == 0 || g->loop[v].nest == nest);
}

typedef struct BoundsNest BoundsNest;
struct BoundsNest { const Gen *g; uint16_t nest; };

static bool is_touched(void *ud, Ex e)
{
    const BoundsNest *k = ud;
    const Expr *x = ex_at(k->g->p, e);
    return x->op == Xvar && !ex_let(k->g->p, e) && in_set(k->g, x->sym, k->nest);
}

static bool depends_on_loop(const Gen *g, Ex e, uint16_t nest)
{
    return ex_any_let(g->p, e, is_touched, &(BoundsNest){g, nest});
}

static bool cbounds_changes(void *ud, Ex e)
{
    const Gen *g = *(const Gen *const *)ud;
    const Expr *x = ex_at(g->p, e);
    if (x->op != Xload)
        return x->op == Xcall && intr_fleeting(x->sym);
    const StorePlace *root = &g->place[buf_root(g->p, x->sym)];
    return root->kind != PLpointer || root->written;
}

/* Whether e is the same wherever it is evaluated in the kernel, while its
 * variables are: it reads nothing but tensors that the program never writes. */
static bool stable(const Gen *g, Ex e) { return !ex_any_let(g->p, e, cbounds_changes, &g); }

static Ex cbounds_num(Gen *g, int64_t v) { return x_int(g->p, DTi64, v); }

/* Ranges ----------------------------------------------------------------- */

/* As x_range(), where what it does not know is all that its type holds. */
static bool reach_anew(Gen *g, Ex e, int64_t *lo, int64_t *hi)
{
    const Expr *x = ex_at(g->p, e);
    int64_t a[2], b[2];
    if (x_range(g->p, e, lo, hi))
        return true;
    if (is_float((enum Dtype)x->dt))
        return false;
    if (bits_of((enum Dtype)x->dt) <= 32) {
        int bits = bits_of((enum Dtype)x->dt);
        bool s = class_of((enum Dtype)x->dt) == 'I';
        *lo = s ? -((int64_t)1 << (bits - 1)) : 0;
        *hi = ((int64_t)1 << (s ? bits - 1 : bits)) - 1;
        return true;
    }
    if (x->dt != DTi64)
        return false;
    if (x->op == Xcast)
        return x->n == 1 && ex_type(g->p, x->arg[0]) != DTu64 && reach(g, x->arg[0], lo, hi);
    if (x->op == Xselect)
        return reach(g, x->arg[1], &a[0], &a[1]) && reach(g, x->arg[2], &b[0], &b[1]) &&
               (*lo = a[0] < b[0] ? a[0] : b[0], *hi = a[1] > b[1] ? a[1] : b[1], true);
    return x->n == 2 && reach(g, x->arg[0], &a[0], &a[1]) && reach(g, x->arg[1], &b[0], &b[1]) &&
           x_range_of((enum Xop)x->op, a, b, lo, hi);
}

/* What e can be, whatever the variables are: from their ranges, else from the
 * type; in int64, only where no step overflows.  Found once, until a range changes: it is
 * asked for all parts of a sum. */
bool reach(Gen *g, Ex e, int64_t *lo, int64_t *hi)
{
    agrow(g->c, &g->reach, &g->capreach, e + 1, sizeof *g->reach);
    if (g->reach[e].when != g->ranges) {
        struct Reach r = {.when = g->ranges};
        r.known = reach_anew(g, e, &r.lo, &r.hi);
        g->reach[e] = r;
    }
    *lo = g->reach[e].lo;
    *hi = g->reach[e].hi;
    return g->reach[e].known;
}

/* Operations of a bound.  To compute a longer one costs more than the tests that it may save;
 * and a chain of lets, written out, may double at each. */
enum { MaxBound = 4096 };

/* a op b as whole numbers, or 0 where that may leave int64 or is not known. */
Ex whole_op(Gen *g, enum Xop op, Ex a, Ex b)
{
    int64_t p[2], q[2], lo, hi;
    if (!a || !b || ex_at(g->p, a)->size > MaxBound || ex_at(g->p, b)->size > MaxBound ||
        !reach(g, a, &p[0], &p[1]) || !reach(g, b, &q[0], &q[1]) || !x_range_of(op, p, q, &lo, &hi))
        return 0;
    return x_bin(g->p, op, a, b);
}

/* What was found of let v for the answer in hand: its whole number, its least and its greatest.
 * Lets may name each other many times over; each is looked into once. */
enum { LFvalue, LFleast, LFmost };

static struct Found *cbounds_found(Gen *g, uint32_t v, int what)
{
    agrow(g->c, &g->found, &g->capfound, v + 1, sizeof *g->found);
    return &g->found[v][what];
}

/* Whole numbers ------------------------------------------------------------ */

static bool signed_type(enum Dtype dt) { return class_of(dt) == 'I' && bits_of(dt) >= 32; }

/* A sum or product of int32 or int64. */
static bool is_ring(const Expr *x)
{
    return (x->op == Xadd || x->op == Xsub || x->op == Xmul) && signed_type((enum Dtype)x->dt);
}

/* A conversion between int32 and int64. */
static bool resizes(const Gen *g, const Expr *x)
{
    return x->op == Xcast && signed_type((enum Dtype)x->dt) &&
           signed_type(ex_type(g->p, x->arg[0]));
}

/* Operations that are those of whole numbers when their operands are exact. */
static bool cbounds_plain_op(Gen *g, const Expr *x)
{
    int64_t lo, hi;
    if (!signed_type((enum Dtype)x->dt))
        return false;
    if (x->op == Xfdiv || x->op == Xfmod)
        return x_range(g->p, x->arg[1], &lo, &hi) && lo > 0;
    return x->op == Xmin || x->op == Xmax;
}

static int64_t exact_form(ExFold *f, Ex e)
{
    Gen *g = f->ud;
    Expr x = *ex_at(g->p, e);
    int64_t lo, hi;
    if (is_ring(&x))
        return x_range(g->p, e, &lo, &hi) && ex_fold(f, x.arg[0]) && ex_fold(f, x.arg[1]);
    if (cbounds_plain_op(g, &x))
        return ex_fold(f, x.arg[0]) && ex_fold(f, x.arg[1]);
    if (x.op == Xselect && signed_type((enum Dtype)x.dt))
        return ex_fold(f, x.arg[1]) && ex_fold(f, x.arg[2]);
    if (resizes(g, &x))
        return ex_fold(f, x.arg[0]) && (x.dt == DTi64 || x_range(g->p, e, &lo, &hi));
    return true; /* read or computed otherwise: it is what it is */
}

/* ... found once, until a range changes. */
static int64_t exact_node(ExFold *f, Ex e)
{
    Gen *g = f->ud;
    agrow(g->c, &g->exact, &g->capexact, e + 1, sizeof *g->exact);
    if (g->exact[e].when == g->ranges)
        return g->exact[e].is;
    bool is = exact_form(f, e);
    g->exact[e] = (struct Exact){g->ranges, is};
    return is;
}

/* Whether what is computed for e is the whole number that it stands for: no
 * step of it can wrap. */
static bool exact(Gen *g, Ex e)
{
    return ex_fold(&(ExFold){.p = g->p, .f = exact_node, .ud = g}, e);
}

/* Whether the number of e, modulo 2^32, is made of those of its parts although what is
 * computed for it may be another: then nothing known of the computed one, its type's
 * range say, is known of it. */
static bool wraps(Gen *g, Ex e, bool modular)
{
    Expr x = *ex_at(g->p, e);
    bool parts = is_ring(&x) || (resizes(g, &x) && x.dt == DTi32) ||
                 (x.op == Xselect && signed_type((enum Dtype)x.dt));
    return modular && parts && !exact(g, e);
}

static Ex bound_value(Gen *g, Ex e, bool modular);

/* ... of a let that is not declared yet. */
static Ex let_value(Gen *g, uint32_t v)
{
    struct Found *f = cbounds_found(g, v, LFvalue);
    if (f->when == g->asked)
        return f->is;
    Ex is = g->p->var[v].value, w = 0;
    if (stable(g, is) && ex_type(g->p, is) == (enum Dtype)g->p->var[v].dt)
        w = bound_value(g, is, false);
    *cbounds_found(g, v, LFvalue) = (struct Found){g->asked, w};
    return w;
}

/* The whole number that e stands for, int64; 0 when there is no telling.
 * modular: it may differ from the computed one by a multiple of 2^32 (of 2^64
 * for int64).  Bindings that are not declared yet give way to their values. */
static Ex bound_value(Gen *g, Ex e, bool modular)
{
    Expr x = *ex_at(g->p, e);
    enum Dtype dt = (enum Dtype)x.dt;
    int64_t lo, hi;
    room(g);
    bool sure = exact(g, e), free = wraps(g, e, modular);
    if (x.op == Xint)
        return dt == DTu64 && x.i < 0 ? 0 : cbounds_num(g, x.i);
    if (x.op == Xvar && g->p->var[x.sym].kind == Vlet && !g->name[x.sym] && g->p->var[x.sym].value)
        return let_value(g, x.sym);
    if ((sure || free) && is_ring(&x))
        return whole_op(g, (enum Xop)x.op, bound_value(g, x.arg[0], free),
                        bound_value(g, x.arg[1], free));
    if (sure && cbounds_plain_op(g, &x))
        return whole_op(g, (enum Xop)x.op, bound_value(g, x.arg[0], false),
                        bound_value(g, x.arg[1], false));
    if ((sure || free) && resizes(g, &x))
        return bound_value(g, x.arg[0], free);
    if (free)
        return 0;
    if (bits_of(dt) == 64) /* wide already, and nothing may be made of it that overflows */
        return dt == DTi64 && x_range(g->p, e, &lo, &hi) ? e : 0;
    return is_float(dt) ? 0 : x_cast(g->p, DTi64, e);
}

/* The number of e, for an answer of its own. */
static Ex number_of(Gen *g, Ex e, bool modular)
{
    g->asked++;
    return bound_value(g, e, modular);
}

Ex whole_value(Gen *g, Ex e) { return number_of(g, e, false); }

/* Extremes ------------------------------------------------------------------- */

static bool extreme(Gen *g, Ex e, bool up, uint16_t nest, bool modular, Ex *out);

/* The last value that a loop's variable takes in direction `up`. */
static bool extreme_bound(Gen *g, uint32_t v, bool up, uint16_t nest, Ex *out)
{
    LoopVar l = g->loop[v];
    int64_t lo = 1, hi = 1;
    enum Dtype dt = (enum Dtype)g->p->var[v].dt;
    if (!l.hi || !signed_type(dt) || !stable(g, l.lo) || !stable(g, l.hi) ||
        !signed_type(ex_type(g->p, l.lo)) || !signed_type(ex_type(g->p, l.hi)) ||
        (l.step && (!x_range(g->p, l.step, &lo, &hi) || (lo <= 0 && hi >= 0))))
        return false;
    bool inclusive = up == (lo < 0); /* the side that the loop begins at */
    if (!extreme(g, inclusive ? l.lo : l.hi, up, nest, false, out))
        return false;
    if (!inclusive)
        *out = whole_op(g, up ? Xsub : Xadd, *out, cbounds_num(g, 1));
    return *out != 0;
}

static bool extreme_let(Gen *g, uint32_t v, bool up, uint16_t nest, Ex *out)
{
    int what = up ? LFmost : LFleast;
    Ex is = g->p->var[v].value;
    struct Found *f = cbounds_found(g, v, what);
    if (f->when != g->asked) {
        *out = 0;
        if (!is || !stable(g, is) || ex_type(g->p, is) != (enum Dtype)g->p->var[v].dt ||
            !extreme(g, is, up, nest, false, out))
            *out = 0;
        f = cbounds_found(g, v, what);
        *f = (struct Found){g->asked, *out};
    }
    *out = f->is;
    return *out != 0;
}

static bool extreme_var(Gen *g, uint32_t v, bool up, uint16_t nest, Ex *out)
{
    Var var = g->p->var[v];
    int64_t k;
    if (var.kind == Vlet)
        return extreme_let(g, v, up, nest, out);
    if (!extreme_bound(g, v, up, nest, out))
        return false;
    /* a condition of the user may know more */
    if (up && var.hi != INT64_MAX && x_isint(g->p, *out, &k) && var.hi < k)
        *out = cbounds_num(g, var.hi);
    if (!up && var.lo != INT64_MIN && x_isint(g->p, *out, &k) && var.lo > k)
        *out = cbounds_num(g, var.lo);
    return true;
}

static bool extreme_sum(Gen *g, Ex e, bool up, uint16_t nest, bool modular, Ex *out)
{
    const int64_t far = INT64_C(1) << 61; /* a sum of such coefficients may have wrapped */
    ExSum s = x_linear(g->p, e);
    if (s.c > far || s.c < -far)
        return false;
    Ex sum = cbounds_num(g, s.c), t;
    for (int i = 0; i < s.n; i++) {
        int64_t k = s.coef[i];
        if (s.atom[i] == e || k > far || k < -far ||
            !extreme(g, s.atom[i], (k > 0) == up, nest, modular, &t))
            return false;
        sum = whole_op(g, Xadd, sum, whole_op(g, Xmul, t, cbounds_num(g, k)));
        if (!sum)
            return false;
    }
    *out = sum;
    return true;
}

/* A product with one side fixed and not negative grows with the other. */
static bool extreme_product(Gen *g, const Expr *x, bool up, uint16_t nest, bool modular, Ex *out)
{
    for (int i = 0; i < 2; i++) {
        int64_t lo, hi;
        Ex fixed = x->arg[i], t;
        if (depends_on_loop(g, fixed, nest) || !exact(g, fixed) ||
            !x_range(g->p, fixed, &lo, &hi) || lo < 0 ||
            !extreme(g, x->arg[1 - i], up, nest, modular, &t))
            continue;
        *out = whole_op(g, Xmul, t, bound_value(g, fixed, false));
        return *out != 0;
    }
    return false;
}

static bool extreme_op(Gen *g, const Expr *x, Ex e, bool up, uint16_t nest, bool modular, Ex *out)
{
    int64_t c;
    Ex a, b;
    if (is_ring(x))
        return x->op == Xmul && !x_isint(g->p, x->arg[1], &c)
                   ? extreme_product(g, x, up, nest, modular, out)
                   : extreme_sum(g, e, up, nest, modular, out);
    if (resizes(g, x)) /* to int32: modulo 2^32 is modulo 2^64 too */
        return extreme(g, x->arg[0], up, nest, modular && x->dt == DTi32, out);
    switch (x->op) {
    case Xvar: return extreme_var(g, x->sym, up, nest, out);
    case Xfdiv:
        return cbounds_plain_op(g, x) && !depends_on_loop(g, x->arg[1], nest) &&
               extreme(g, x->arg[0], up, nest, false, &a) &&
               (*out = whole_op(g, Xfdiv, a, bound_value(g, x->arg[1], false))) != 0;
    case Xfmod:
        if (!cbounds_plain_op(g, x) || depends_on_loop(g, x->arg[1], nest))
            return false;
        *out = up ? whole_op(g, Xsub, bound_value(g, x->arg[1], false), cbounds_num(g, 1))
                  : cbounds_num(g, 0);
        return *out != 0;
    case Xmin:
    case Xmax:
        return cbounds_plain_op(g, x) && extreme(g, x->arg[0], up, nest, false, &a) &&
               extreme(g, x->arg[1], up, nest, false, &b) &&
               (*out = whole_op(g, (enum Xop)x->op, a, b)) != 0;
    case Xselect:
        return signed_type((enum Dtype)x->dt) && extreme(g, x->arg[1], up, nest, modular, &a) &&
               extreme(g, x->arg[2], up, nest, modular, &b) &&
               (*out = whole_op(g, up ? Xmax : Xmin, a, b)) != 0;
    default: return false;
    }
}

/* The greatest (up) or least value of e over all values of the loop variables
 * in `nest`, as an expression without them, of whole numbers. */
static bool extreme(Gen *g, Ex e, bool up, uint16_t nest, bool modular, Ex *out)
{
    int64_t lo, hi;
    room(g);
    if (!depends_on_loop(g, e, nest) && (*out = bound_value(g, e, modular)) != 0)
        return true;
    Expr x = *ex_at(g->p, e);
    bool free = wraps(g, e, modular);
    bool follow = free || (!is_ring(&x) && !resizes(g, &x)) || exact(g, e);
    if (follow && extreme_op(g, &x, e, up, nest, free, out))
        return true;
    if (free || !reach(g, e, &lo, &hi))
        return false;
    *out = cbounds_num(g, up ? hi : lo);
    return true;
}

/* Proofs ---------------------------------------------------------------------- */

/* extent - 1 - bound, or bound: not negative when the access is inside. */
static Ex margin(Gen *g, Ex bound, Ex extent, bool upper)
{
    if (!upper)
        return bound;
    return whole_op(g, Xsub, whole_op(g, Xsub, number_of(g, extent, false), cbounds_num(g, 1)),
                    bound);
}

/* One end, by whole numbers: the expression that must be below extent (or not
 * negative), without the variables of `nest`. */
static bool bound_of(Gen *g, Ex index, Ex extent, bool upper, uint16_t nest, Ex *bound)
{
    int64_t lo, hi, most = bits_of(ex_type(g->p, index)) == 64 ? INT64_MAX : INT32_MAX;
    bool sure = exact(g, index);
    g->asked++;
    if (!extreme(g, index, upper, nest, !sure, bound))
        return false;
    /* a buffer longer than the index can count */
    return !upper || sure || (reach(g, extent, &lo, &hi) && hi <= most);
}

static bool end_inside(Gen *g, Ex index, Ex extent, bool upper)
{
    int64_t lo, hi;
    Ex bound;
    if (bound_of(g, index, extent, upper, 0, &bound)) {
        Ex m = margin(g, bound, extent, upper);
        if (m && reach(g, m, &lo, &hi) && lo >= 0)
            return true;
    }
    return bound_of(g, index, extent, upper, g->nest, &bound) && held(g, bound, extent, upper);
}

static bool inside_whole(Gen *g, Ex index, Ex extent)
{
    return end_inside(g, index, extent, false) && end_inside(g, index, extent, true);
}

bool is_exact(Gen *g, Ex index) { return exact(g, index); }

/* Both ends by whole numbers: what is known of the sum that the last index is
 * says nothing of the region if that sum wrapped. */
bool region_proved(Gen *g, Ex min, Ex extent, Ex shape)
{
    Ex last = x_bin(g->p, Xadd, min, x_bin(g->p, Xsub, extent, x_int(g->p, DTi32, 1)));
    return inside_whole(g, min, shape) && inside_whole(g, last, shape);
}

Ex widened_index(Gen *g, Ex index, Ex extent)
{
    return exact(g, index) || !inside_whole(g, index, extent) ? 0 : number_of(g, index, true);
}

bool in_range(Gen *g, Ex index, Ex extent, bool upper)
{
    int64_t lo, hi, n;
    if (x_range(g->p, index, &lo, &hi) &&
        (upper ? x_isint(g->p, extent, &n) && hi < n : lo >= 0))
        return true;
    if (class_of(ex_type(g->p, index)) == 'U' && !upper)
        return true;
    if (assumed(g, index, extent, upper))
        return true;
    return exact(g, index) ? end_inside(g, index, extent, upper) : inside_whole(g, index, extent);
}

/* The test that proves one end for a whole nest, evaluable in front of it.
 * already: there is nothing to test. */
bool test_for(Gen *g, Ex index, Ex extent, bool upper, Test *t, bool *already)
{
    int64_t lo, hi;
    Ex bound, m;
    *already = end_inside(g, index, extent, upper);
    if (*already)
        return true;
    if (!bound_of(g, index, extent, upper, g->nest, &bound) ||
        !(m = margin(g, bound, extent, upper)) || !reach(g, m, &lo, &hi) || hi < 0 ||
        !reach(g, bound, &lo, &hi))
        return false; /* hi < 0: it never holds, the guard stays */
    *t = (Test){bound, extent, upper};
    return true;
}
