/* core/ir/eval_period.c: after how many steps of a loop's variable a value repeats.
 *
 * What counts is what eval() says: an expression that it cannot say anything of
 * repeats.  A sum repeats modulo m when each term does; that the sum may have
 * wrapped on the way is of no matter where m divides the number of values of
 * its type, and else its terms' ranges must show that it does not. */
#include <string.h>

#include "eval.h"
#include "expr.h"

/* The phases of the most stages that a loop may have, MostStages of verify_size.c. */
enum { MaxPeriod = 2 * 64 };
enum { Never = -1 };       /* period of what eval() says nothing of, at no time */
/* Sums that are looked into for one answer: a chain of lets may hold more ways than there is
 * time for.  Beyond, nothing is said to repeat, which costs speed where anything is that long. */
enum { MaxSums = 4096 };

/* No loop runs that often, and none begins there. */
static const int64_t far = (int64_t)1 << 30;

struct EvalPeriod { Ex e; uint32_t var, known; int64_t period; }; /* known: Eval.known then */

int64_t eval_gcd(int64_t a, int64_t b)
{
    uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    while (y) {
        uint64_t r = x % y;
        x = y;
        y = r;
    }
    return x > INT64_MAX ? 1 : (int64_t)x;
}

int64_t eval_lcm(int64_t a, int64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    int64_t n = a / eval_gcd(a, b);
    return n > MaxPeriod || b > MaxPeriod || n * b > MaxPeriod ? 0 : n * b;
}

static int64_t ir_period(Eval *v, Ex e, uint32_t var);

/* Sums ------------------------------------------------------------------ */

static bool term_range(Eval *v, Ex e, int64_t *lo, int64_t *hi)
{
    const Prog *p = v->p;
    const Expr *x = &p->ex[e];
    int given = eval_given(v, e);
    if (given >= 0) {
        *lo = *hi = v->as[given];
        return true;
    }
    if (eval_assumes(v, e, -1))
        return false;
    if (x->op == Xvar && p->var[x->sym].kind == Vloop) {
        *lo = p->var[x->sym].lo;
        *hi = p->var[x->sym].hi;
        if (*hi > far && *lo >= -far && *lo <= far) /* no known end */
            *hi = far;
        return *lo >= -far && *hi <= far;
    }
    return x_range(p, e, lo, hi);
}

/* The sum does not leave its type. */
static bool stays(Eval *v, const ExSum *t, enum Dtype dt)
{
    int64_t lo = t->c, hi = t->c, a, b, from, to;
    for (int i = 0; i < t->n; i++) {
        if (!term_range(v, t->atom[i], &a, &b) || __builtin_mul_overflow(a, t->coef[i], &a) ||
            __builtin_mul_overflow(b, t->coef[i], &b) ||
            __builtin_add_overflow(lo, a < b ? a : b, &lo) ||
            __builtin_add_overflow(hi, a < b ? b : a, &hi))
            return false;
    }
    ex_limits(dt, &from, &to);
    return lo >= from && hi <= to;
}

/* m divides the number of values of dt. */
static bool divides_type(enum Dtype dt, int64_t m)
{
    int bits = dtypeinfo[dt].bits;
    return dt != DTbool && (m & (m - 1)) == 0 && (bits >= 63 || m <= (int64_t)1 << bits);
}

/* Is what is assumed about e's parts about whole terms of t? */
static bool by_terms(Eval *v, Ex e, const ExSum *t)
{
    for (int i = 0; i < (int)v->ngiven; i++) {
        bool in = !eval_assumes(v, e, i);
        for (int k = 0; k < t->n && !in; k++)
            in = eval_assumes(v, t->atom[k], i);
        if (!in)
            return false;
    }
    return true;
}

static int64_t sum_period(Eval *v, Ex e, uint32_t var, int64_t m);

/* A term of a sum that goes through `% m`. */
static int64_t term_period(Eval *v, Ex e, uint32_t var, int64_t coef, int64_t m)
{
    const Prog *p = v->p;
    const Expr *x = &p->ex[e];
    int64_t d, dm, of = m / eval_gcd(coef, m);
    if (eval_given(v, e) >= 0 || !eval_depends(p, e, var))
        return 1;
    if (x->op == Xvar && x->sym == var)
        return of;
    if (x->op == Xvar)
        return sum_period(v, p->var[x->sym].value, var, of);
    if (x->op == Xfdiv && x_isint(p, x->arg[1], &d) && d > 0 && !__builtin_mul_overflow(d, of, &dm))
        return sum_period(v, x->arg[0], var, dm);
    return ir_period(v, e, var);
}

/* Of e modulo m. */
static int64_t sum_period(Eval *v, Ex e, uint32_t var, int64_t m)
{
    ExSum t = x_linear(v->p, e);
    int64_t all = 1;
    if (m <= 0 || ++v->sums > MaxSums || !by_terms(v, e, &t))
        return 0;
    for (int i = 0; i < t.n; i++)
        if (ir_period(v, t.atom[i], var) == Never)
            return Never;
    enum Dtype dt = ex_type(v->p, e);
    if (!divides_type(dt, m) && !stays(v, &t, dt))
        return 0;
    for (int i = 0; i < t.n; i++) {
        int64_t k = term_period(v, t.atom[i], var, t.coef[i], m);
        if (k == Never)
            return Never;
        all = eval_lcm(all, k);
    }
    return all;
}

/* Expressions ----------------------------------------------------------- */

/* The number that e is taken modulo, when it is such an operator; else 0. */
static int64_t modulus(Eval *v, const Expr *x)
{
    const Prog *p = v->p;
    int64_t m, lo, hi;
    if (x->op == Xcast) {
        int to = dtypeinfo[x->dt].bits, from = dtypeinfo[p->ex[x->arg[0]].dt].bits;
        bool ints = dtype_isint((enum Dtype)x->dt) && dtype_isint(ex_type(p, x->arg[0]));
        return ints && to < from ? (int64_t)1 << to : 0;
    }
    if (x->n != 2 || !x_isint(p, x->arg[1], &m) || m <= 0)
        return 0;
    if (x->op == Xfmod && dtypeinfo[x->dt].cls == 'I')
        return m;
    if (x->op == Xband)
        return (m & (m + 1)) == 0 && m < INT64_MAX ? m + 1 : 0;
    bool positive = !eval_assumes(v, x->arg[0], -1) && x_range(p, x->arg[0], &lo, &hi) && lo >= 0;
    return (x->op == Xtmod || x->op == Xfmod) && positive ? m : 0;
}

/* e has a value only where all its operands have. */
static bool period_strict(const Expr *x)
{
    return x->op != Xselect && x->op != Xand && x->op != Xor;
}

static int64_t variable_period(Eval *v, uint32_t sym, uint32_t var)
{
    const Var *a = &v->p->var[sym];
    if (sym == var)
        return 0;
    if (a->kind == Vlet)
        return a->value ? ir_period(v, a->value, var) : Never;
    return a->kind == Vloop || (v->lane && sym == v->lane) || eval_bound(v, sym) ? 1 : Never;
}

static int64_t period_compute(Eval *v, Ex e, uint32_t var)
{
    const Prog *p = v->p;
    Expr x = p->ex[e];
    int64_t all = 1;
    if (x.op == Xint || eval_given(v, e) >= 0)
        return 1;
    if (x.op == Xvar)
        return variable_period(v, x.sym, var);
    if (x.n == 0 || x.op == Xload || x.op == Xcall || x.op == Xbits ||
        dtype_isfloat((enum Dtype)x.dt) || dtype_isfloat(ex_type(p, x.arg[0])))
        return Never;
    for (int i = 0; i < x.n; i++) {
        int64_t k = ir_period(v, x.arg[i], var);
        if (k == Never && period_strict(&x))
            return Never;
        all = eval_lcm(all, k == Never ? 1 : k);
    }
    int64_t m = all ? 0 : modulus(v, &x);
    return m ? sum_period(v, x.arg[0], var, m) : all;
}

static struct EvalPeriod *period_slot(Eval *v, Ex e, uint32_t var)
{
    uint32_t mask = v->capperiod - 1, i = (e * 0x9E3779B1u ^ var * 0x85EBCA6Bu) & mask;
    while (v->period[i].e && (v->period[i].e != e || v->period[i].var != var))
        i = (i + 1) & mask;
    return &v->period[i];
}

static void period_grow(Eval *v)
{
    struct EvalPeriod *old = v->period;
    uint32_t n = v->capperiod;
    v->capperiod = n ? 2 * n : 256;
    v->period = anew(&v->p->ctx, v->capperiod * sizeof *v->period);
    for (uint32_t i = 0; i < n; i++)
        if (old[i].e)
            *period_slot(v, old[i].e, old[i].var) = old[i];
}

static int64_t ir_period(Eval *v, Ex e, uint32_t var)
{
    if (2 * v->nperiod >= v->capperiod)
        period_grow(v);
    struct EvalPeriod *k = period_slot(v, e, var);
    if (k->e && k->known == v->known)
        return k->period;
    int64_t n = period_compute(v, e, var);
    if (2 * v->nperiod >= v->capperiod)
        period_grow(v);
    k = period_slot(v, e, var);
    v->nperiod += k->e == 0;
    *k = (struct EvalPeriod){e, var, v->known, n};
    return n;
}

int64_t eval_period(Eval *v, Ex e, uint32_t var)
{
    v->sums = 0;
    int64_t k = ir_period(v, e, var);
    return k == Never ? 1 : k;
}
