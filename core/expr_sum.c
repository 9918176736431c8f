/* core/expr_sum.c: the canonical form of integer arithmetic.
 *
 * Integer sums are kept as  c1*a1 + c2*a2 + ... + c0  with the atoms in order
 * of their handles; a subtraction appears where a coefficient is negative.
 * Rewrites, applied when a node is made, so that equal index expressions get
 * equal handles:
 *     (a + b) * k         ==>  a*k + b*k
 *     (c*q + r) // c      ==>  q + r // c,  r // c ==> 0 when 0 <= r < c
 *     (c*q + r) %  c      ==>  r % c,       r % c  ==> r when 0 <= r < c
 *     (x // a) // b       ==>  x // (a*b)
 *     (x % (a*b)) % a     ==>  x % a
 *     c*(x // c) + x % c  ==>  x
 * Each makes the tree smaller or moves a sum outwards, so they end.  The two
 * that split a sum are left out where it may wrap, see x_whole(). */
#include <string.h>

#include "expr.h"

static void sum_term(Sum *s, Ex atom, int64_t k)
{
    int i = 0;
    while (i < s->n && s->atom[i] < atom)
        i++;
    if (i < s->n && s->atom[i] == atom) {
        s->coef[i] = ex_wadd(s->coef[i], k);
        if (s->coef[i] == 0) {
            s->n--;
            memmove(&s->atom[i], &s->atom[i + 1], (size_t)(s->n - i) * sizeof *s->atom);
            memmove(&s->coef[i], &s->coef[i + 1], (size_t)(s->n - i) * sizeof *s->coef);
        }
        return;
    }
    if (k == 0)
        return;
    if (s->n == MaxTerms) {
        s->full = true;
        return;
    }
    memmove(&s->atom[i + 1], &s->atom[i], (size_t)(s->n - i) * sizeof *s->atom);
    memmove(&s->coef[i + 1], &s->coef[i], (size_t)(s->n - i) * sizeof *s->coef);
    s->atom[i] = atom;
    s->coef[i] = k;
    s->n++;
}

/* s += k * e, e being canonical already. */
void ex_sum(const Prog *p, Sum *s, Ex e, int64_t k)
{
    for (;;) {
        const Expr *x = &p->ex[e];
        int64_t c;
        if (x->op == Xint) {
            s->c = ex_wadd(s->c, ex_wmul(k, x->i));
            return;
        }
        if (x->op == Xmul && x_isint(p, x->arg[1], &c)) {
            sum_term(s, x->arg[0], ex_wmul(k, c));
            return;
        }
        if (x->op != Xadd && x->op != Xsub) {
            sum_term(s, e, k);
            return;
        }
        ex_sum(p, s, x->arg[1], x->op == Xadd ? k : ex_wmul(k, -1));
        e = x->arg[0];
    }
}

/* c*(x // c) + x % c ==> x */
static void sum_rejoin(const Prog *p, Sum *s)
{
    for (int i = 0; i < s->n; i++) {
        const Expr *d = &p->ex[s->atom[i]];
        int64_t c;
        if (d->op != Xfdiv || !x_isint(p, d->arg[1], &c) || c == 0 || s->coef[i] % c)
            continue;
        int64_t k = s->coef[i] / c;
        for (int j = 0; j < s->n; j++) {
            const Expr *m = &p->ex[s->atom[j]];
            if (m->op != Xfmod || m->arg[0] != d->arg[0] || m->arg[1] != d->arg[1] ||
                s->coef[j] != k)
                continue;
            Ex x = d->arg[0];
            sum_term(s, s->atom[j], -k);
            sum_term(s, (Ex)(d - p->ex), ex_wmul(-k, c));
            ex_sum(p, s, x, k);
            i = -1;
            break;
        }
    }
}

static Ex sum_build(Prog *p, enum Dtype dt, Sum *s)
{
    sum_rejoin(p, s);
    Ex e = 0;
    for (int i = 0; i < s->n; i++) {
        int64_t k = ex_wrap(dt, s->coef[i]);
        if (k == 0)
            continue;
        bool minus = e && k < 0 && k != INT64_MIN;
        if (minus)
            k = -k;
        Ex t = k == 1 ? s->atom[i] : ex_mk2(p, Xmul, dt, s->atom[i], x_int(p, dt, k));
        e = e ? ex_mk2(p, minus ? Xsub : Xadd, dt, e, t) : t;
    }
    int64_t c = ex_wrap(dt, s->c);
    if (!e)
        return x_int(p, dt, c);
    if (c == 0)
        return e;
    if (c < 0 && dtypeinfo[dt].cls == 'I' && c != INT64_MIN)
        return ex_mk2(p, Xsub, dt, e, x_int(p, dt, -c));
    return ex_mk2(p, Xadd, dt, e, x_int(p, dt, c));
}

Ex ex_add(Prog *p, enum Dtype dt, Ex a, Ex b, int64_t kb)
{
    Sum s = {0};
    ex_sum(p, &s, a, 1);
    ex_sum(p, &s, b, kb);
    if (s.full)
        return ex_mk2(p, kb < 0 ? Xsub : Xadd, dt, a, b);
    return sum_build(p, dt, &s);
}

Ex ex_mul(Prog *p, enum Dtype dt, Ex a, Ex b)
{
    int64_t k;
    if (x_isint(p, a, &k)) {
        Ex t = a;
        a = b;
        b = t;
    }
    if (!x_isint(p, b, &k))
        return a < b ? ex_mk2(p, Xmul, dt, a, b) : ex_mk2(p, Xmul, dt, b, a);
    Sum s = {0};
    ex_sum(p, &s, a, k);
    return s.full ? ex_mk2(p, Xmul, dt, a, b) : sum_build(p, dt, &s);
}

int64_t ex_floordiv(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - (a % b != 0 && (a % b < 0) != (b < 0));
}

int64_t ex_floormod(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return r && (r < 0) != (b < 0) ? r + b : r;
}

/* Splits e = c*q + r, the constant of r in [0, c).  false: too long, or one of them may wrap. */
static bool split(Prog *p, enum Dtype dt, Ex e, int64_t c, Ex *q, Ex *r)
{
    Sum s = {0}, sq = {0}, sr = {0};
    ex_sum(p, &s, e, 1);
    if (s.full)
        return false;
    for (int i = 0; i < s.n; i++)
        if (s.coef[i] % c == 0)
            sum_term(&sq, s.atom[i], s.coef[i] / c);
        else
            sum_term(&sr, s.atom[i], s.coef[i]);
    sq.c = ex_floordiv(s.c, c);
    sr.c = ex_floormod(s.c, c);
    *q = sum_build(p, dt, &sq);
    *r = sum_build(p, dt, &sr);
    return x_whole(p, *q) && x_whole(p, *r);
}

static bool within(const Prog *p, Ex e, int64_t c)
{
    int64_t lo, hi;
    return x_range(p, e, &lo, &hi) && lo >= 0 && hi < c;
}

Ex ex_divmod(Prog *p, enum Xop op, enum Dtype dt, Ex a, Ex b)
{
    int64_t c, v;
    bool div = op == Xfdiv;
    if (!x_isint(p, b, &c))
        return ex_mk2(p, op, dt, a, b);
    if (c == 0)
        diag_fail(&p->ctx, E_div_zero, p->here, div ? "//" : "%", NULL);
    if (c == 1)
        return div ? a : x_int(p, dt, 0);
    if (x_isint(p, a, &v))
        return x_operate(op, dt, v, c, &v) ? x_int(p, dt, v) : ex_mk2(p, op, dt, a, b);
    if (c < 0)
        return ex_mk2(p, op, dt, a, b);
    if (within(p, a, c))
        return div ? x_int(p, dt, 0) : a;
    Ex q, r;
    if (!x_whole(p, a) || !split(p, dt, a, c, &q, &r))
        return ex_mk2(p, op, dt, a, b);
    if (within(p, r, c))
        return div ? q : r;
    const Expr *x = &p->ex[r];
    if (x->op == Xfdiv && div && x_isint(p, x->arg[1], &v) && v > 0 && v <= INT32_MAX &&
        c <= INT32_MAX && ex_wrap(dt, v * c) == v * c)
        r = ex_divmod(p, Xfdiv, dt, x->arg[0], x_int(p, dt, v * c));
    else if (x->op == Xfmod && !div && x_isint(p, x->arg[1], &v) && v % c == 0)
        r = ex_divmod(p, Xfmod, dt, x->arg[0], b);
    else
        r = ex_mk2(p, op, dt, r, b);
    return div ? ex_add(p, dt, q, r, 1) : r;
}
