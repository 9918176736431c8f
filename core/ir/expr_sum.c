/* core/ir/expr_sum.c: the canonical form of integer arithmetic.
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
#include <stdlib.h>
#include <string.h>

#include "eval.h"
#include "expr.h"
#include "walk.h"
#include "err/kernel.h"

/* Terms of any sum -------------------------------------------------------- */

static void term_put(struct ExMarks *m, uint32_t i, Ex e, int64_t k)
{
    agrow(m->ctx, &m->term, &m->capterm, i + 1, sizeof *m->term);
    m->term[i] = (struct ExTerm){e, k};
}

/* Puts all that k * e adds up behind the first n of m->term; how many those are then.  What is
 * still to be looked at stands behind the terms. */
static uint32_t terms_list(const Prog *p, uint32_t n, Ex e, int64_t k, int64_t *c)
{
    struct ExMarks *m = p->marks;
    uint32_t open = 1;
    term_put(m, n, e, k);
    while (open) {
        struct ExTerm t = m->term[n + --open];
        const Expr *x = &p->ex[t.e];
        int64_t by;
        if (x->op == Xint) {
            *c = ex_wadd(*c, ex_wmul(t.coef, x->i));
        } else if (x->op == Xadd || x->op == Xsub) {
            term_put(m, n + open++, x->arg[0], t.coef);
            term_put(m, n + open++, x->arg[1], x->op == Xadd ? t.coef : ex_wmul(t.coef, -1));
        } else {
            bool times = x->op == Xmul && x_isint(p, x->arg[1], &by);
            term_put(m, n + open, m->term[n].e, m->term[n].coef); /* makes room for a term */
            m->term[n++] = times ? (struct ExTerm){x->arg[0], ex_wmul(t.coef, by)} : t;
        }
    }
    return n;
}

static int by_atom(const void *x, const void *y)
{
    const struct ExTerm *a = x, *b = y;
    return (a->e > b->e) - (a->e < b->e);
}

/* In order, those of one atom added up; how many are left. */
static uint32_t terms_sort(struct ExTerm *t, uint32_t n)
{
    uint32_t k = 0;
    bool sorted = true;
    for (uint32_t i = 0; i < n / 2; i++) { /* a canonical sum is listed from its end on */
        struct ExTerm x = t[i];
        t[i] = t[n - 1 - i];
        t[n - 1 - i] = x;
    }
    for (uint32_t i = 1; i < n && sorted; i++)
        sorted = t[i - 1].e <= t[i].e;
    if (!sorted)
        qsort(t, n, sizeof *t, by_atom);
    for (uint32_t i = 0; i < n; i++) {
        if (k && t[k - 1].e == t[i].e)
            t[k - 1].coef = ex_wadd(t[k - 1].coef, t[i].coef);
        else
            t[k++] = t[i];
        k -= t[k - 1].coef == 0 && (i + 1 == n || t[i + 1].e != t[i].e);
    }
    return k;
}

static const ExSum *linear_form(const Prog *p, Ex e)
{
    struct ExMarks *m = p->marks;
    ExSum *s = anew(m->ctx, sizeof *s);
    uint32_t n = terms_list(p, 0, e, 1, &s->c);
    s->n = (int)terms_sort(m->term, n);
    Ex *atom = anew(m->ctx, (size_t)s->n * sizeof *atom);
    int64_t *coef = anew(m->ctx, (size_t)s->n * sizeof *coef);
    for (int i = 0; i < s->n; i++) {
        atom[i] = m->term[i].e;
        coef[i] = m->term[i].coef;
    }
    s->atom = atom;
    s->coef = coef;
    return s;
}

ExSum x_linear(const Prog *p, Ex e)
{
    struct ExMarks *m = p->marks;
    agrow(m->ctx, &m->linear, &m->caplinear, e + 1, sizeof *m->linear);
    if (!m->linear[e])
        m->linear[e] = linear_form(p, e);
    return *m->linear[e];
}

/* Sums that are made ------------------------------------------------------ */

/* Terms of a canonical sum: to make one takes time with its length, and each term that comes in
 * may make it anew.  A longer one is a sum of such sums.  It is right too, but two that are equal
 * may have two handles. */
enum { MaxTerms = 256, Few = 64 };

/* A sum of coef[i] * atom[i] + c, atoms in order of their handles. */
typedef struct Sum Sum;
struct Sum {
    int n, cap;
    int64_t c;
    Ex *atom;
    int64_t *coef;
    const Prog *p;
    int room;              /* where it goes when it grows: one of p's */
    bool grown;
};

/* Room for most sums, made in passing. */
typedef struct Passing Passing;
struct Passing { Ex atom[Few]; int64_t coef[Few]; };

static Sum sum_in(const Prog *p, int room, Passing *r)
{
    return (Sum){.cap = Few, .atom = r->atom, .coef = r->coef, .p = p, .room = room};
}

static void sum_grow(Sum *s, int cap)
{
    struct ExMarks *m = s->p->marks;
    struct ExRoom *r = &m->room[s->room];
    agrow(m->ctx, &r->atom, &r->capatom, (uint32_t)cap, sizeof *r->atom);
    agrow(m->ctx, &r->coef, &r->capcoef, (uint32_t)cap, sizeof *r->coef);
    if (!s->grown) {
        memcpy(r->atom, s->atom, (size_t)s->n * sizeof *r->atom);
        memcpy(r->coef, s->coef, (size_t)s->n * sizeof *r->coef);
    }
    s->atom = r->atom;
    s->coef = r->coef;
    s->cap = cap;
    s->grown = true;
}

static void sum_term(Sum *s, Ex atom, int64_t k)
{
    int i = s->n;
    while (i > 0 && s->atom[i - 1] >= atom)
        i--;
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
    if (s->n == s->cap)
        sum_grow(s, 2 * s->cap);
    memmove(&s->atom[i + 1], &s->atom[i], (size_t)(s->n - i) * sizeof *s->atom);
    memmove(&s->coef[i + 1], &s->coef[i], (size_t)(s->n - i) * sizeof *s->coef);
    s->atom[i] = atom;
    s->coef[i] = k;
    s->n++;
}

/* s += k * e, a short one. */
static void sum_add(const Prog *p, Sum *s, Ex e, int64_t k)
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
        sum_add(p, s, x->arg[1], x->op == Xadd ? k : ex_wmul(k, -1));
        e = x->arg[0];
    }
}

static bool is_long(const Prog *p, Ex e) { return p->ex[e].terms > MaxTerms; }

/* s, which is empty, becomes ka * a + kb * b; b 0: ka * a.  false: one of them is too long, and s
 * is as it was. */
static bool expr_sum_of(const Prog *p, Sum *s, Ex a, int64_t ka, Ex b, int64_t kb)
{
    struct ExMarks *m = p->marks;
    if (is_long(p, a) || (b && is_long(p, b)))
        return false;
    if (p->ex[a].size + (b ? p->ex[b].size : 0) <= 2 * Few) {
        sum_add(p, s, a, ka);
        if (b)
            sum_add(p, s, b, kb);
        return true;
    }
    uint32_t n = terms_list(p, 0, b ? b : a, b ? kb : ka, &s->c); /* what is listed last comes first */
    n = b ? terms_list(p, n, a, ka, &s->c) : n;
    n = terms_sort(m->term, n);
    if (n > (uint32_t)s->cap)
        sum_grow(s, (int)n);
    for (s->n = 0; (uint32_t)s->n < n; s->n++) {
        s->atom[s->n] = m->term[s->n].e;
        s->coef[s->n] = m->term[s->n].coef;
    }
    return true;
}

/* c*(x // c) + x % c ==> x */
static void sum_rejoin(const Prog *p, Sum *s)
{
    for (int i = 0; i < s->n; i++) {
        const Expr *d = &p->ex[s->atom[i]];
        int64_t c;
        if (d->op != Xfdiv || !x_isint(p, d->arg[1], &c) || c <= 0 || s->coef[i] % c)
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
            sum_add(p, s, x, k);
            i = -1;
            break;
        }
    }
}

/* e, a sum or 0, and the term k * atom. */
static Ex with_term(Prog *p, enum Dtype dt, Ex e, Ex atom, int64_t k)
{
    k = ex_wrap(dt, k);
    if (k == 0)
        return e;
    bool minus = e && k < 0 && k != INT64_MIN;
    if (minus)
        k = -k;
    Ex t = k == 1 ? atom : ex_mk2(p, Xmul, dt, atom, x_int(p, dt, k));
    return e ? ex_mk2(p, minus ? Xsub : Xadd, dt, e, t) : t;
}

/* e, terms or 0, and the constant c. */
static Ex with_constant(Prog *p, enum Dtype dt, Ex e, int64_t c)
{
    c = ex_wrap(dt, c);
    if (!e)
        return x_int(p, dt, c);
    if (c == 0)
        return e;
    if (c < 0 && dtypeinfo[dt].cls == 'I' && c != INT64_MIN)
        return ex_mk2(p, Xsub, dt, e, x_int(p, dt, -c));
    return ex_mk2(p, Xadd, dt, e, x_int(p, dt, c));
}

/* 0: it is too long. */
static Ex sum_build(Prog *p, enum Dtype dt, Sum *s)
{
    sum_rejoin(p, s);
    if (s->n > MaxTerms)
        return 0;
    Ex e = 0;
    for (int i = 0; i < s->n; i++)
        e = with_term(p, dt, e, s->atom[i], s->coef[i]);
    return with_constant(p, dt, e, s->c);
}

/* e is coef * atom, or 0. */
static bool one_term(const Prog *p, Ex e, Ex *atom, int64_t *coef)
{
    const Expr *x = &p->ex[e];
    *coef = 1;
    *atom = x->op == Xmul && x_isint(p, x->arg[1], coef) ? x->arg[0] : e;
    return x->terms == 1 && x->op != Xadd && x->op != Xsub;
}

/* a + kb * b where b is a term that comes behind all those of a and goes together with none: most
 * sums grow so, and need not be made anew.  0: it is not so. */
static Ex sum_append(Prog *p, enum Dtype dt, Ex a, Ex b, int64_t kb)
{
    const Expr *x = &p->ex[a];
    Ex rest = a, last, atom;
    int64_t c = 0, k, unused;
    if (x->terms == 0 || x->terms >= MaxTerms || !one_term(p, b, &atom, &k) ||
        p->ex[atom].op == Xfdiv || p->ex[atom].op == Xfmod)
        return 0;
    if ((x->op == Xadd || x->op == Xsub) && x_isint(p, x->arg[1], &c)) {
        rest = x->arg[0];
        c = x->op == Xadd ? c : ex_wmul(c, -1);
    }
    x = &p->ex[rest];
    last = x->op == Xadd || x->op == Xsub ? x->arg[1] : rest;
    if (!one_term(p, last, &last, &unused) || last >= atom)
        return 0;
    return with_constant(p, dt, with_term(p, dt, rest, atom, ex_wmul(k, kb)), c);
}

/* a + kb * b where a is too long: with its last sum if there is room. */
static Ex add_to_long(Prog *p, enum Dtype dt, Ex a, Ex b, int64_t kb)
{
    const Expr *x = &p->ex[a];
    if ((x->op != Xadd && x->op != Xsub) || p->ex[x->arg[1]].terms + p->ex[b].terms > MaxTerms)
        return 0;
    bool minus = x->op == Xsub;
    Ex rest = x->arg[0], last = ex_add(p, dt, x->arg[1], b, minus ? -kb : kb);
    if (p->ex[last].terms == 0 && p->ex[last].i == 0)
        return rest;
    return ex_mk2(p, minus ? Xsub : Xadd, dt, rest, last);
}

Ex ex_add(Prog *p, enum Dtype dt, Ex a, Ex b, int64_t kb)
{
    Passing r;
    Sum s = sum_in(p, 0, &r);
    Ex e = sum_append(p, dt, a, b, kb);
    if (!e && expr_sum_of(p, &s, a, 1, b, kb))
        e = sum_build(p, dt, &s);
    if (!e && a == b && kb < 0)
        return x_int(p, dt, 0);
    if (!e && is_long(p, a))
        e = add_to_long(p, dt, a, b, kb);
    else if (!e && is_long(p, b) && kb > 0)
        e = add_to_long(p, dt, b, a, 1);
    return e ? e : ex_mk2(p, kb < 0 ? Xsub : Xadd, dt, a, b);
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
    Passing r;
    Sum s = sum_in(p, 0, &r);
    Ex e = expr_sum_of(p, &s, a, k, 0, 0) ? sum_build(p, dt, &s) : 0;
    return e ? e : ex_mk2(p, Xmul, dt, a, b);
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

/* No sum, whatever it is made of: there is nothing to split. */
static bool is_atom(const Prog *p, Ex e)
{
    int op = p->ex[e].op;
    return op == Xvar || op == Xselect || op == Xload || op == Xcall;
}

/* Splits e = c*q + r, the constant of r in [0, c).  false: too long, or one of them may wrap. */
static bool split_at(Prog *p, enum Dtype dt, Ex e, int64_t c, Ex *q, Ex *r)
{
    Passing rs, rq, rr;
    Sum s = sum_in(p, 0, &rs), sq = sum_in(p, 1, &rq), sr = sum_in(p, 2, &rr);
    if (!expr_sum_of(p, &s, e, 1, 0, 0))
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
    return *q && *r && x_whole(p, *q) && x_whole(p, *r);
}

static bool stays_below(const Prog *p, Ex e, int64_t c)
{
    int64_t lo, hi;
    return x_range(p, e, &lo, &hi) && lo >= 0 && hi < c;
}

enum { FewTerms = 8 };

/* e = g * q + r with r in [0, g), g the largest divisor of c that divides some term: 0, there is none. */
static int64_t split_factor(Prog *p, enum Dtype dt, Ex e, int64_t c, Ex *q, Ex *r)
{
    int64_t least = c, g[FewTerms];
    int n = 0, most = p->ex[e].terms;
    if (most < 1 || most > FewTerms)
        return 0;
    ExSum s = x_linear(p, e);
    for (int i = 0; i < s.n && n < FewTerms; i++)
        g[n++] = eval_gcd(c, s.coef[i]);
    for (;;) {
        int64_t next = 1;
        for (int i = 0; i < n; i++)
            next = g[i] < least && g[i] > next ? g[i] : next;
        if (next == 1)
            return 0;
        if (split_at(p, dt, e, next, q, r) && stays_below(p, *r, next))
            return next;
        least = next;
    }
}

/* e // c or e % c, where a factor of c goes out of it:
 *     (8 * i + j) // 64 = i // 8        (8 * i + j) % 64 = i % 8 * 8 + j        j in [0, 8) */
static Ex divmod_factor(Prog *p, enum Xop op, enum Dtype dt, Ex e, int64_t c)
{
    Ex q, r;
    int64_t g = split_factor(p, dt, e, c, &q, &r);
    if (!g)
        return ex_mk2(p, op, dt, e, x_int(p, dt, c));
    q = ex_divmod(p, op, dt, q, x_int(p, dt, c / g));
    return op == Xfdiv ? q : ex_add(p, dt, ex_mul(p, dt, q, x_int(p, dt, g)), r, 1);
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
    if (stays_below(p, a, c))
        return div ? x_int(p, dt, 0) : a;
    Ex q, r;
    if (is_atom(p, a) || !x_whole(p, a) || !split_at(p, dt, a, c, &q, &r))
        return ex_mk2(p, op, dt, a, b);
    if (stays_below(p, r, c))
        return div ? q : r;
    const Expr *x = &p->ex[r];
    if (x->op == Xfdiv && div && x_isint(p, x->arg[1], &v) && v > 0 && v <= INT32_MAX &&
        c <= INT32_MAX && ex_wrap(dt, v * c) == v * c)
        r = ex_divmod(p, Xfdiv, dt, x->arg[0], x_int(p, dt, v * c));
    else if (x->op == Xfmod && !div && x_isint(p, x->arg[1], &v) && v % c == 0)
        r = ex_divmod(p, Xfmod, dt, x->arg[0], b);
    else
        r = divmod_factor(p, op, dt, r, c);
    return div ? ex_add(p, dt, q, r, 1) : r;
}

bool x_multiple(const Prog *p, Ex e, int64_t k)
{
    ExSum s = x_linear(p, e);
    if (s.c % k)
        return false;
    for (int i = 0; i < s.n; i++)
        if (s.coef[i] % k)
            return false;
    return true;
}
