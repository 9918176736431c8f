/* core/expr.c: hash-consed expressions and their canonical form.
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
 * that split a sum assume that it does not overflow; they are left out for
 * unsigned types unless the range is known. */
#include <math.h>
#include <string.h>

#include "ir.h"
#include "tensor.h"

/* Sharing makes trees that are far larger than their memory; every walk over
 * one is bounded by these. */
enum { MaxTerms = 64, MaxNodes = 1 << 16, MaxDepth = 2000 };

const XopInfo xopinfo[NXop] = {
#define XOP(id, text, arity, kind) [X##id] = {text, arity, #kind[0]},
#include "ops.h"
};

const IntrInfo intrinfo[NIntr] = {
#define INTR(id, text, arity, type, level) [I##id] = {text, arity, #type[0], #level[0]},
#include "ops.h"
};

/* Hash consing --------------------------------------------------------- */

static uint32_t mix(uint32_t h, uint64_t v)
{
    v = (v ^ h) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(v >> 29);
}

static uint32_t hash_expr(const Expr *e)
{
    uint32_t h = mix(e->op * 31u + e->dt, e->sym);
    if (e->n == 0)
        return mix(h, (uint64_t)e->i);
    for (int i = 0; i < e->n; i++)
        h = mix(h, e->arg[i]);
    return h;
}

static bool same(const Expr *a, const Expr *b)
{
    if (a->op != b->op || a->dt != b->dt || a->n != b->n || a->sym != b->sym)
        return false;
    if (a->n == 0)
        return a->i == b->i; /* floats by their bits, so that NaN and -0 work */
    return memcmp(a->arg, b->arg, a->n * sizeof(Ex)) == 0;
}

static void rehash(Prog *p)
{
    uint32_t n = p->nhash ? p->nhash * 2 : 256;
    p->hash = anew(&p->ctx, n * sizeof *p->hash);
    p->nhash = n;
    for (Ex e = 1; e < p->nex; e++) {
        uint32_t *slot = &p->hash[hash_expr(&p->ex[e]) & (n - 1)];
        p->ex[e].chain = *slot;
        *slot = e;
    }
}

/* How large the tree of e is; refuses one that no walk could get through. */
static void measure(Prog *p, Expr *e)
{
    e->size = 1;
    e->depth = 1;
    for (int i = 0; i < e->n; i++) {
        const Expr *x = &p->ex[e->arg[i]];
        e->size += x->size;
        if (x->depth >= e->depth)
            e->depth = (uint16_t)(x->depth + 1);
    }
    if (e->size > MaxNodes || e->depth > MaxDepth)
        diag_fail(&p->ctx, E_expr_large, p->here, afmt(&p->ctx, "%d", (int)MaxNodes),
                  afmt(&p->ctx, "%d", (int)MaxDepth), NULL);
}

static Ex intern(Prog *p, Expr e)
{
    if (p->nex * 2 >= p->nhash)
        rehash(p);
    uint32_t *slot = &p->hash[hash_expr(&e) & (p->nhash - 1)];
    for (Ex k = *slot; k; k = p->ex[k].chain)
        if (same(&p->ex[k], &e))
            return k;
    measure(p, &e);
    if (e.n) {
        Ex *arg = anew(&p->ctx, e.n * sizeof *arg);
        memcpy(arg, e.arg, e.n * sizeof *arg);
        e.arg = arg;
    }
    uint32_t k = p->nex ? p->nex : 1;
    agrow(&p->ctx, &p->ex, &p->capex, k + 1, sizeof *p->ex);
    e.chain = *slot;
    p->ex[k] = e;
    p->nex = k + 1;
    return *slot = k;
}

static Ex mk(Prog *p, enum Xop op, enum Dtype dt, uint32_t sym, const Ex *arg, int n)
{
    return intern(p, (Expr){.op = (uint8_t)op, .dt = (uint8_t)dt, .n = (uint16_t)n,
                            .sym = sym, .arg = n ? arg : NULL});
}

static Ex mk2(Prog *p, enum Xop op, enum Dtype dt, Ex a, Ex b)
{
    return mk(p, op, dt, 0, (Ex[]){a, b}, 2);
}

/* Leaves --------------------------------------------------------------- */

static bool isint(enum Dtype dt) { return dtypeinfo[dt].cls == 'I' || dtypeinfo[dt].cls == 'U'; }
static bool isfloat(enum Dtype dt) { return dtypeinfo[dt].cls == 'F'; }

static void limits(enum Dtype dt, int64_t *lo, int64_t *hi)
{
    int bits = dtypeinfo[dt].bits;
    if (dt == DTbool) {
        *lo = 0, *hi = 1;
    } else if (dtypeinfo[dt].cls == 'U') {
        *lo = 0, *hi = bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
    } else {
        *hi = bits >= 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
        *lo = -*hi - 1;
    }
}

static int64_t wrap(enum Dtype dt, int64_t v)
{
    int bits = dtypeinfo[dt].bits;
    if (dt == DTbool)
        return v != 0;
    if (bits >= 64)
        return v;
    uint64_t m = ((uint64_t)1 << bits) - 1, u = (uint64_t)v & m;
    if (dtypeinfo[dt].cls == 'I' && u >> (bits - 1))
        u |= ~m;
    return (int64_t)u;
}

Ex x_int(Prog *p, enum Dtype dt, int64_t v)
{
    if (isfloat(dt))
        return x_float(p, dt, (double)v);
    return intern(p, (Expr){.op = Xint, .dt = (uint8_t)dt, .i = wrap(dt, v)});
}

Ex x_float(Prog *p, enum Dtype dt, double v)
{
    if (!isfloat(dt))
        return x_int(p, dt, v != v ? 0 : v >= 0x1p63 ? INT64_MAX : v <= -0x1p63 ? INT64_MIN : (int64_t)v);
    return intern(p, (Expr){.op = Xfloat, .dt = (uint8_t)dt, .f = dtype_round(dt, v)});
}

Ex x_var(Prog *p, uint32_t var)
{
    return mk(p, Xvar, (enum Dtype)p->var[var].dt, var, NULL, 0);
}

bool x_isint(const Prog *p, Ex e, int64_t *v)
{
    if (!e || p->ex[e].op != Xint)
        return false;
    *v = p->ex[e].i;
    return true;
}

static bool isconst(const Prog *p, Ex e)
{
    return p->ex[e].op == Xint || p->ex[e].op == Xfloat;
}

/* Sums ----------------------------------------------------------------- */

typedef struct Sum {
    int n;
    bool full; /* more terms than fit: the result is not canonical */
    int64_t c;
    Ex atom[MaxTerms];
    int64_t coef[MaxTerms];
} Sum;

static int64_t wadd(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static int64_t wmul(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

static void sum_term(Sum *s, Ex atom, int64_t k)
{
    int i = 0;
    while (i < s->n && s->atom[i] < atom)
        i++;
    if (i < s->n && s->atom[i] == atom) {
        s->coef[i] = wadd(s->coef[i], k);
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
static void sum_add(const Prog *p, Sum *s, Ex e, int64_t k)
{
    for (;;) {
        const Expr *x = &p->ex[e];
        int64_t c;
        if (x->op == Xint) {
            s->c = wadd(s->c, wmul(k, x->i));
            return;
        }
        if (x->op == Xmul && x_isint(p, x->arg[1], &c)) {
            sum_term(s, x->arg[0], wmul(k, c));
            return;
        }
        if (x->op != Xadd && x->op != Xsub) {
            sum_term(s, e, k);
            return;
        }
        sum_add(p, s, x->arg[1], x->op == Xadd ? k : wmul(k, -1));
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
            sum_term(s, (Ex)(d - p->ex), wmul(-k, c));
            sum_add(p, s, x, k);
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
        int64_t k = wrap(dt, s->coef[i]);
        if (k == 0)
            continue;
        bool minus = e && k < 0 && k != INT64_MIN;
        if (minus)
            k = -k;
        Ex t = k == 1 ? s->atom[i] : mk2(p, Xmul, dt, s->atom[i], x_int(p, dt, k));
        e = e ? mk2(p, minus ? Xsub : Xadd, dt, e, t) : t;
    }
    int64_t c = wrap(dt, s->c);
    if (!e)
        return x_int(p, dt, c);
    if (c == 0)
        return e;
    if (c < 0 && dtypeinfo[dt].cls == 'I' && c != INT64_MIN)
        return mk2(p, Xsub, dt, e, x_int(p, dt, -c));
    return mk2(p, Xadd, dt, e, x_int(p, dt, c));
}

static Ex add_int(Prog *p, enum Dtype dt, Ex a, Ex b, int64_t kb)
{
    Sum s = {0};
    sum_add(p, &s, a, 1);
    sum_add(p, &s, b, kb);
    if (s.full)
        return mk2(p, kb < 0 ? Xsub : Xadd, dt, a, b);
    return sum_build(p, dt, &s);
}

static Ex mul_int(Prog *p, enum Dtype dt, Ex a, Ex b)
{
    int64_t k;
    if (x_isint(p, a, &k)) {
        Ex t = a;
        a = b;
        b = t;
    }
    if (!x_isint(p, b, &k))
        return a < b ? mk2(p, Xmul, dt, a, b) : mk2(p, Xmul, dt, b, a);
    Sum s = {0};
    sum_add(p, &s, a, k);
    return s.full ? mk2(p, Xmul, dt, a, b) : sum_build(p, dt, &s);
}

static int64_t floordiv(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - (a % b != 0 && (a % b < 0) != (b < 0));
}

static int64_t floormod(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return r && (r < 0) != (b < 0) ? r + b : r;
}

/* Splits e = c*q + r, the constant of r in [0, c). */
static bool split(Prog *p, enum Dtype dt, Ex e, int64_t c, Ex *q, Ex *r)
{
    Sum s = {0}, sq = {0}, sr = {0};
    sum_add(p, &s, e, 1);
    if (s.full)
        return false;
    for (int i = 0; i < s.n; i++)
        if (s.coef[i] % c == 0)
            sum_term(&sq, s.atom[i], s.coef[i] / c);
        else
            sum_term(&sr, s.atom[i], s.coef[i]);
    sq.c = floordiv(s.c, c);
    sr.c = floormod(s.c, c);
    *q = sum_build(p, dt, &sq);
    *r = sum_build(p, dt, &sr);
    return true;
}

static bool within(const Prog *p, Ex e, int64_t c)
{
    int64_t lo, hi;
    return x_range(p, e, &lo, &hi) && lo >= 0 && hi < c;
}

static Ex divmod_int(Prog *p, enum Xop op, enum Dtype dt, Ex a, Ex b)
{
    int64_t c, v, lo, hi;
    bool div = op == Xfdiv;
    if (!x_isint(p, b, &c))
        return mk2(p, op, dt, a, b);
    if (c == 0)
        diag_fail(&p->ctx, E_div_zero, p->here, div ? "//" : "%", NULL);
    if (c == 1)
        return div ? a : x_int(p, dt, 0);
    if (c < 0)
        return x_isint(p, a, &v) && v != INT64_MIN
                   ? x_int(p, dt, div ? floordiv(v, c) : floormod(v, c))
                   : mk2(p, op, dt, a, b);
    if (within(p, a, c))
        return div ? x_int(p, dt, 0) : a;
    Ex q, r;
    if ((dtypeinfo[dt].cls == 'U' && !x_range(p, a, &lo, &hi)) || !split(p, dt, a, c, &q, &r))
        return mk2(p, op, dt, a, b);
    if (within(p, r, c))
        return div ? q : r;
    const Expr *x = &p->ex[r];
    if (x->op == Xfdiv && div && x_isint(p, x->arg[1], &v) && v > 0 && v <= INT32_MAX &&
        c <= INT32_MAX)
        r = divmod_int(p, Xfdiv, dt, x->arg[0], x_int(p, dt, v * c));
    else if (x->op == Xfmod && !div && x_isint(p, x->arg[1], &v) && v % c == 0)
        r = divmod_int(p, Xfmod, dt, x->arg[0], b);
    else
        r = mk2(p, op, dt, r, b);
    return div ? add_int(p, dt, q, r, 1) : r;
}

/* Promotion ------------------------------------------------------------ */

enum Dtype x_promote(enum Dtype a, enum Dtype b)
{
    if (a == b)
        return a;
    if (a == DTbool || b == DTbool)
        return a == DTbool ? b : a;
    bool fa = isfloat(a), fb = isfloat(b);
    if (fa != fb)
        return fa ? a : b;
    int na = dtypeinfo[a].bits, nb = dtypeinfo[b].bits;
    if (fa) {
        if (na == nb)
            return na == 32 ? DTf32 : na == 16 ? DTf32 : DTf16;
        enum Dtype w = na > nb ? a : b;
        return w == DTtf32 ? DTf32 : w;
    }
    if (na != nb)
        return na > nb ? a : b;
    return dtypeinfo[a].cls == 'U' ? a : b;
}

/* Types too narrow to compute in. */
static enum Dtype arith(enum Dtype t)
{
    return t == DTbool || dtypeinfo[t].bits < 8 ? DTi32 : t == DTtf32 ? DTf32 : t;
}

/* A constant takes the other side's type where its value and class allow. */
static bool adapts(const Prog *p, Ex k, enum Dtype to)
{
    const Expr *x = &p->ex[k];
    if (isfloat(to))
        return true;
    if (x->op == Xfloat || !isint(to))
        return false;
    return wrap(to, x->i) == x->i;
}

static enum Dtype common(Prog *p, Ex *a, Ex *b)
{
    enum Dtype ta = ex_type(p, *a), tb = ex_type(p, *b), t;
    bool ca = isconst(p, *a), cb = isconst(p, *b);
    if (ca && !cb && adapts(p, *a, tb))
        t = tb;
    else if (cb && !ca && adapts(p, *b, ta))
        t = ta;
    else if ((p->ex[*a].op == Xfloat && ca && !isfloat(tb)) ||
             (p->ex[*b].op == Xfloat && cb && !isfloat(ta)))
        t = x_promote(ta, tb);
    else
        t = x_promote(ta, tb);
    t = arith(t);
    *a = x_cast(p, t, *a);
    *b = x_cast(p, t, *b);
    return t;
}

/* Operators ------------------------------------------------------------ */

static double fold_float(enum Xop op, double a, double b)
{
    switch (op) {
    case Xadd: return a + b;
    case Xsub: return a - b;
    case Xmul: return a * b;
    case Xdiv: return a / b;
    case Xfdiv: return floor(a / b);
    case Xfmod: return a - floor(a / b) * b;
    case Xmin: return fmin(a, b);
    default: return fmax(a, b);
    }
}

static Ex arith_float(Prog *p, enum Xop op, enum Dtype t, Ex a, Ex b)
{
    const Expr *x = &p->ex[a], *y = &p->ex[b];
    if (x->op == Xfloat && y->op == Xfloat)
        return x_float(p, t, fold_float(op, x->f, y->f));
    if ((op == Xmul || op == Xdiv) && y->op == Xfloat && y->f == 1)
        return a;
    if (op == Xmul && x->op == Xfloat && x->f == 1)
        return b;
    return mk2(p, op, t, a, b);
}

/* Sign of a - b for all values, when known: -1 less, 0 equal, 1 greater;
 * le and ge are set when only that is known. */
static bool order(Prog *p, enum Dtype t, Ex a, Ex b, int64_t *lo, int64_t *hi)
{
    int64_t alo, ahi, blo, bhi;
    if (a == b) {
        *lo = *hi = 0;
        return true;
    }
    if (!x_range(p, a, &alo, &ahi) || !x_range(p, b, &blo, &bhi))
        return false;
    if (dtypeinfo[t].cls == 'I' && x_range(p, add_int(p, t, a, b, -1), lo, hi))
        return true;
    if (__builtin_sub_overflow(alo, bhi, lo) || __builtin_sub_overflow(ahi, blo, hi))
        return false;
    return true;
}

static Ex arith_int(Prog *p, enum Xop op, enum Dtype t, Ex a, Ex b)
{
    int64_t x, y, lo, hi;
    switch (op) {
    case Xadd: return add_int(p, t, a, b, 1);
    case Xsub: return add_int(p, t, a, b, -1);
    case Xmul: return mul_int(p, t, a, b);
    case Xfdiv: case Xfmod: return divmod_int(p, op, t, a, b);
    case Xtdiv: case Xtmod:
        if (!x_isint(p, b, &y))
            return mk2(p, op, t, a, b);
        if (y == 0)
            diag_fail(&p->ctx, E_div_zero, p->here, op == Xtdiv ? "T.truncdiv" : "T.truncmod", NULL);
        if (x_isint(p, a, &x) && y != -1)
            return x_int(p, t, op == Xtdiv ? x / y : x % y);
        return mk2(p, op, t, a, b);
    default: /* min, max */
        if (order(p, t, a, b, &lo, &hi)) {
            if (hi <= 0)
                return op == Xmin ? a : b;
            if (lo >= 0)
                return op == Xmin ? b : a;
        }
        return a < b ? mk2(p, op, t, a, b) : mk2(p, op, t, b, a);
    }
}

static Ex compare(Prog *p, enum Xop op, enum Dtype t, Ex a, Ex b)
{
    const Expr *x = &p->ex[a], *y = &p->ex[b];
    int64_t lo, hi;
    if (x->op == Xfloat && y->op == Xfloat) {
        bool v = op == Xlt   ? x->f < y->f
                 : op == Xle ? x->f <= y->f
                 : op == Xeq ? x->f == y->f
                             : x->f != y->f;
        return x_int(p, DTbool, v);
    }
    if (!isfloat(t) && order(p, t, a, b, &lo, &hi)) {
        int known = -1;
        if (op == Xlt)
            known = hi < 0 ? 1 : lo >= 0 ? 0 : -1;
        else if (op == Xle)
            known = hi <= 0 ? 1 : lo > 0 ? 0 : -1;
        else if (hi < 0 || lo > 0)
            known = op == Xne;
        else if (lo == 0 && hi == 0)
            known = op == Xeq;
        if (known >= 0)
            return x_int(p, DTbool, known);
    }
    if ((op == Xeq || op == Xne) && b < a)
        return mk2(p, op, DTbool, b, a);
    return mk2(p, op, DTbool, a, b);
}

static Ex truth(Prog *p, Ex a)
{
    enum Dtype t = ex_type(p, a);
    if (t == DTbool)
        return a;
    return x_bin(p, Xne, a, isfloat(t) ? x_float(p, t, 0) : x_int(p, t, 0));
}

static Ex logic(Prog *p, enum Xop op, Ex a, Ex b)
{
    int64_t v;
    a = truth(p, a);
    b = truth(p, b);
    if (x_isint(p, a, &v))
        return (op == Xand) == (v != 0) ? b : a;
    if (x_isint(p, b, &v))
        return (op == Xand) == (v != 0) ? a : b;
    return a == b ? a : mk2(p, op, DTbool, a, b);
}

static Ex bitwise(Prog *p, enum Xop op, Ex a, Ex b)
{
    enum Dtype t;
    if (op == Xshl || op == Xshr) { /* the result has the type of the left side */
        t = arith(ex_type(p, a));
        if (isconst(p, a) && !isconst(p, b))
            t = arith(x_promote(t, ex_type(p, b)));
        a = x_cast(p, t, a);
        b = x_cast(p, t, b);
    } else if (ex_type(p, a) == DTbool && ex_type(p, b) == DTbool) {
        t = DTbool;
    } else {
        t = common(p, &a, &b);
    }
    int64_t x, y;
    int bits = dtypeinfo[t].bits;
    if (!x_isint(p, b, &y))
        return mk2(p, op, t, a, b);
    if ((op == Xshl || op == Xshr) && (y < 0 || y >= bits)) {
        diag_fail(&p->ctx, E_shift, p->here, afmt(&p->ctx, "%lld", (long long)y),
                  dtypeinfo[t].name, afmt(&p->ctx, "%d", bits), NULL);
    }
    if (!x_isint(p, a, &x))
        return mk2(p, op, t, a, b);
    switch (op) {
    case Xband: return x_int(p, t, x & y);
    case Xbor: return x_int(p, t, x | y);
    case Xbxor: return x_int(p, t, x ^ y);
    case Xshl: return x_int(p, t, (int64_t)((uint64_t)x << y));
    default:
        return x_int(p, t, dtypeinfo[t].cls == 'U' ? (int64_t)((uint64_t)x >> y) : x >> y);
    }
}

static bool intlike(enum Dtype t) { return isint(t) || t == DTbool; }

Ex x_bin(Prog *p, enum Xop op, Ex a, Ex b)
{
    enum Dtype ta = ex_type(p, a), tb = ex_type(p, b);
    char kind = xopinfo[op].kind;
    if (kind == 'B')
        return logic(p, op, a, b);
    if (kind == 'I' && (!intlike(ta) || !intlike(tb)))
        diag_fail(&p->ctx, E_int_only, p->here, xopinfo[op].text, dtypeinfo[ta].name,
                  dtypeinfo[tb].name, NULL);
    if (kind == 'I')
        return bitwise(p, op, a, b);
    if (op == Xdiv && intlike(ta) && intlike(tb))
        diag_fail(&p->ctx, E_int_div, p->here, dtypeinfo[ta].name, dtypeinfo[tb].name, NULL);
    if ((op == Xtdiv || op == Xtmod) && (!intlike(ta) || !intlike(tb)))
        diag_fail(&p->ctx, E_int_only, p->here, xopinfo[op].text, dtypeinfo[ta].name,
                  dtypeinfo[tb].name, NULL);
    enum Dtype t = common(p, &a, &b);
    if (kind == 'C')
        return compare(p, op, t, a, b);
    return isfloat(t) ? arith_float(p, op, t, a, b) : arith_int(p, op, t, a, b);
}

Ex x_neg(Prog *p, Ex a)
{
    enum Dtype t = arith(ex_type(p, a));
    a = x_cast(p, t, a);
    if (!isfloat(t))
        return x_bin(p, Xsub, x_int(p, t, 0), a);
    if (p->ex[a].op == Xfloat)
        return x_float(p, t, -p->ex[a].f);
    return mk2(p, Xmul, t, a, x_float(p, t, -1)); /* exact, and keeps -0 */
}

Ex x_un(Prog *p, enum Xop op, Ex a)
{
    const Expr *x;
    int64_t v;
    if (op == Xbnot) {
        enum Dtype t = ex_type(p, a);
        if (!intlike(t))
            diag_fail(&p->ctx, E_int_only, p->here, "~", dtypeinfo[t].name, "-", NULL);
        t = arith(t);
        a = x_cast(p, t, a);
        if (x_isint(p, a, &v))
            return x_int(p, t, ~v);
        return mk(p, Xbnot, t, 0, &a, 1);
    }
    a = truth(p, a);
    x = &p->ex[a];
    if (x_isint(p, a, &v))
        return x_int(p, DTbool, !v);
    if (x->op == Xnot)
        return x->arg[0];
    if (x->op == Xeq || x->op == Xne)
        return mk2(p, x->op == Xeq ? Xne : Xeq, DTbool, x->arg[0], x->arg[1]);
    if ((x->op == Xlt || x->op == Xle) && !isfloat(ex_type(p, x->arg[0])))
        return mk2(p, x->op == Xlt ? Xle : Xlt, DTbool, x->arg[1], x->arg[0]);
    return mk(p, Xnot, DTbool, 0, &a, 1);
}

Ex x_select(Prog *p, Ex c, Ex a, Ex b)
{
    int64_t v;
    enum Dtype t;
    c = truth(p, c);
    if (ex_type(p, a) == ex_type(p, b)) {
        t = ex_type(p, a);
    } else {
        t = common(p, &a, &b);
    }
    if (x_isint(p, c, &v))
        return v ? a : b;
    return a == b ? a : mk(p, Xselect, t, 0, (Ex[]){c, a, b}, 3);
}

Ex x_cast(Prog *p, enum Dtype dt, Ex a)
{
    const Expr *x = &p->ex[a];
    if (x->dt == dt)
        return a;
    if (x->op == Xint)
        return isfloat(dt) ? x_float(p, dt, dtypeinfo[x->dt].cls == 'U' && x->i < 0
                                                ? (double)(uint64_t)x->i : (double)x->i)
                           : x_int(p, dt, x->i);
    if (x->op == Xfloat) {
        if (dt == DTbool)
            return x_int(p, DTbool, x->f != 0);
        if (isfloat(dt))
            return x_float(p, dt, x->f);
        int64_t v[1] = {0};
        dtype_store(dt, v, 0, x->f); /* truncates, saturates, NaN is 0 */
        return x_int(p, dt, dtype_loadi(dt, v, 0));
    }
    if (dt == DTbool)
        return truth(p, a);
    return mk(p, Xcast, dt, 0, &a, 1);
}

Ex x_bits(Prog *p, enum Dtype dt, Ex a)
{
    enum Dtype t = ex_type(p, a);
    if (t == dt)
        return a;
    if (dtypeinfo[t].bits != dtypeinfo[dt].bits || t == DTbool || dt == DTbool)
        diag_fail(&p->ctx, E_reinterpret, p->here, dtypeinfo[t].name,
                  afmt(&p->ctx, "%d", t == DTbool ? 1 : dtypeinfo[t].bits), dtypeinfo[dt].name,
                  afmt(&p->ctx, "%d", dt == DTbool ? 1 : dtypeinfo[dt].bits), NULL);
    return mk(p, Xbits, dt, 0, &a, 1);
}

void x_index(Prog *p, uint32_t buf, const Ex *idx, int n, Ex *out)
{
    const Buf *b = &p->buf[buf];
    if (n != b->ndim)
        diag_fail(&p->ctx, E_rank, p->here, b->name, afmt(&p->ctx, "%d", b->ndim),
                  afmt(&p->ctx, "%d", n), NULL);
    for (int i = 0; i < n; i++) {
        int64_t v;
        enum Dtype t = ex_type(p, idx[i]);
        if (!intlike(t))
            diag_fail(&p->ctx, E_index_type, p->here, b->name, afmt(&p->ctx, "%d", i),
                      dtypeinfo[t].name, NULL);
        out[i] = arith(t) == t ? idx[i] : x_cast(p, DTi32, idx[i]);
        if (x_isint(p, out[i], &v) && v < 0) /* counts from the end, as in Python */
            out[i] = x_bin(p, Xadd, p->buf[buf].shape[i], out[i]);
    }
}

Ex x_load(Prog *p, uint32_t buf, const Ex *idx, int n)
{
    Ex at[MaxDim];
    x_index(p, buf, idx, n, at);
    return mk(p, Xload, (enum Dtype)p->buf[buf].dt, buf, at, n);
}

/* Intrinsics ----------------------------------------------------------- */

static Ex tofloat(Prog *p, Ex a)
{
    enum Dtype t = ex_type(p, a);
    if (isfloat(t))
        return t == DTtf32 ? x_cast(p, DTf32, a) : a;
    return x_cast(p, t == DTi64 || t == DTu64 ? DTf64 : DTf32, a);
}

Ex x_call(Prog *p, enum Intr fn, const Ex *arg, int n)
{
    const IntrInfo *f = &intrinfo[fn];
    Ex a[4];
    if (n != f->arity)
        diag_fail(&p->ctx, E_intr_args, p->here, f->text, afmt(&p->ctx, "%d", f->arity),
                  afmt(&p->ctx, "%d", n), NULL);
    memcpy(a, arg, (size_t)n * sizeof *a);
    bool ieee = fn >= Iieee_add && fn <= Iieee_fsqrt;
    int values = ieee || f->level == 'T' ? n - 1 : n; /* the rest are plain integers */
    enum Dtype t = DTi32;
    if (f->level == 'T' && n > 0) {
        values = n < 1 ? 0 : 1;
        t = ex_type(p, a[0]);
    }
    switch (f->type) {
    case 'F':
        for (int i = 0; i < values; i++)
            a[i] = tofloat(p, a[i]);
        for (int i = 1; i < values; i++)
            common(p, &a[0], &a[i]);
        for (int i = 1; i < values; i++)
            common(p, &a[0], &a[i]);
        t = ex_type(p, a[0]);
        break;
    case 'S':
        t = arith(ex_type(p, a[0]));
        a[0] = x_cast(p, t, a[0]);
        break;
    case 'I':
        if (!intlike(ex_type(p, a[0])))
            diag_fail(&p->ctx, E_int_only, p->here, f->text, dtypeinfo[ex_type(p, a[0])].name,
                      "-", NULL);
        t = arith(ex_type(p, a[0]));
        a[0] = x_cast(p, t, a[0]);
        break;
    case 'B':
        if (f->level == 'M')
            a[0] = tofloat(p, a[0]);
        t = DTbool;
        break;
    case 'U': t = DTu32; break;
    case 'W': t = DTi32; break;
    default:
        diag_fail(&p->ctx, E_no_value, p->here, f->text, NULL);
    }
    return mk(p, Xcall, t, fn, a, n);
}

/* Questions ------------------------------------------------------------ */

static bool clip(enum Dtype dt, int64_t *lo, int64_t *hi)
{
    int64_t a, b;
    limits(dt, &a, &b);
    return *lo >= a && *hi <= b; /* else it may have wrapped */
}

static bool mulrange(int64_t a, int64_t b, int64_t c, int64_t d, int64_t *lo, int64_t *hi)
{
    int64_t v[4];
    if (__builtin_mul_overflow(a, c, &v[0]) || __builtin_mul_overflow(a, d, &v[1]) ||
        __builtin_mul_overflow(b, c, &v[2]) || __builtin_mul_overflow(b, d, &v[3]))
        return false;
    *lo = *hi = v[0];
    for (int i = 1; i < 4; i++) {
        *lo = v[i] < *lo ? v[i] : *lo;
        *hi = v[i] > *hi ? v[i] : *hi;
    }
    return true;
}

static bool range2(const Prog *p, const Expr *x, int64_t *lo, int64_t *hi)
{
    int64_t a, b, c, d;
    if (x->op == Xfmod && x_range(p, x->arg[1], &c, &d) && c > 0) {
        *lo = 0, *hi = d - 1;
        return true;
    }
    if (x->op == Xband && x_range(p, x->arg[1], &c, &d) && c >= 0) {
        *lo = 0, *hi = d;
        return true;
    }
    if (!x_range(p, x->arg[0], &a, &b) || !x_range(p, x->arg[1], &c, &d))
        return false;
    switch (x->op) {
    case Xadd: return !__builtin_add_overflow(a, c, lo) && !__builtin_add_overflow(b, d, hi);
    case Xsub: return !__builtin_sub_overflow(a, d, lo) && !__builtin_sub_overflow(b, c, hi);
    case Xmul: return mulrange(a, b, c, d, lo, hi);
    case Xmin: *lo = a < c ? a : c; *hi = b < d ? b : d; return true;
    case Xmax: *lo = a > c ? a : c; *hi = b > d ? b : d; return true;
    case Xfdiv:
        if (c <= 0)
            return false;
        *lo = floordiv(a, a < 0 ? c : d);
        *hi = floordiv(b, b < 0 ? d : c);
        return true;
    case Xtdiv:
        if (a < 0 || c <= 0)
            return false;
        *lo = a / d, *hi = b / c;
        return true;
    case Xtmod:
        if (a < 0 || c <= 0)
            return false;
        *lo = 0, *hi = b < d - 1 ? b : d - 1;
        return true;
    case Xshr:
        if (a < 0 || c != d || c < 0 || c > 62)
            return false;
        *lo = a >> c, *hi = b >> c;
        return true;
    case Xshl:
        if (c != d || c < 0 || c > 62)
            return false;
        return mulrange(a, b, (int64_t)1 << c, (int64_t)1 << c, lo, hi);
    default: return false;
    }
}

bool x_range(const Prog *p, Ex e, int64_t *lo, int64_t *hi)
{
    const Expr *x = &p->ex[e];
    int64_t a, b;
    if (isfloat((enum Dtype)x->dt))
        return false;
    switch (x->op) {
    case Xint: *lo = *hi = x->i; return true;
    case Xvar:
        *lo = p->var[x->sym].lo;
        *hi = p->var[x->sym].hi;
        return *lo != INT64_MIN && *hi != INT64_MAX;
    case Xselect:
        if (!x_range(p, x->arg[1], lo, hi) || !x_range(p, x->arg[2], &a, &b))
            return false;
        *lo = a < *lo ? a : *lo;
        *hi = b > *hi ? b : *hi;
        return true;
    case Xcast:
        return x_range(p, x->arg[0], lo, hi) && clip((enum Dtype)x->dt, lo, hi);
    case Xload:
        limits((enum Dtype)x->dt, lo, hi);
        return dtypeinfo[x->dt].bits <= 16;
    default:
        if (xopinfo[x->op].kind == 'C' || xopinfo[x->op].kind == 'B') {
            *lo = 0, *hi = 1;
            return true;
        }
        return x->n == 2 && range2(p, x, lo, hi) && clip((enum Dtype)x->dt, lo, hi);
    }
}

int x_linear(const Prog *p, Ex e, Ex *x, int64_t *coef, int max, int64_t *c)
{
    Sum s = {0};
    sum_add(p, &s, e, 1);
    if (s.full || s.n > max)
        return -1;
    memcpy(x, s.atom, (size_t)s.n * sizeof *x);
    memcpy(coef, s.coef, (size_t)s.n * sizeof *coef);
    *c = s.c;
    return s.n;
}

bool x_uses(const Prog *p, Ex e, uint32_t var)
{
    const Expr *x = &p->ex[e];
    if (x->op == Xvar)
        return x->sym == var;
    for (int i = 0; i < x->n; i++)
        if (x_uses(p, x->arg[i], var))
            return true;
    return false;
}

bool x_pure(const Prog *p, Ex e)
{
    const Expr *x = &p->ex[e];
    if (x->op == Xload || (x->op == Xcall && intrinfo[x->sym].level == 'T'))
        return false;
    for (int i = 0; i < x->n; i++)
        if (!x_pure(p, x->arg[i]))
            return false;
    return true;
}

Ex x_subst(Prog *p, Ex e, const Ex *map, uint32_t nmap)
{
    Expr x = p->ex[e];
    if (x.op == Xvar)
        return x.sym < nmap && map[x.sym] ? map[x.sym] : e;
    if (x.n == 0)
        return e;
    Ex small[8], *a = x.n <= 8 ? small : anew(&p->ctx, x.n * sizeof *a);
    bool changed = false;
    for (int i = 0; i < x.n; i++) {
        a[i] = x_subst(p, x.arg[i], map, nmap);
        changed |= a[i] != x.arg[i];
    }
    if (!changed)
        return e;
    switch (x.op) {
    case Xload: return x_load(p, x.sym, a, x.n);
    case Xcall: return x_call(p, (enum Intr)x.sym, a, x.n);
    case Xselect: return x_select(p, a[0], a[1], a[2]);
    case Xcast: return x_cast(p, (enum Dtype)x.dt, a[0]);
    case Xbits: return x_bits(p, (enum Dtype)x.dt, a[0]);
    case Xnot: case Xbnot: return x_un(p, (enum Xop)x.op, a[0]);
    default: return x_bin(p, (enum Xop)x.op, a[0], a[1]);
    }
}

static bool eval2(enum Xop op, int64_t a, int64_t b, int64_t *v)
{
    switch (op) {
    case Xadd: *v = wadd(a, b); break;
    case Xsub: *v = wadd(a, wmul(b, -1)); break;
    case Xmul: *v = wmul(a, b); break;
    case Xfdiv: case Xfmod: case Xtdiv: case Xtmod:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
        *v = op == Xfdiv ? floordiv(a, b) : op == Xfmod ? floormod(a, b)
             : op == Xtdiv ? a / b : a % b;
        break;
    case Xmin: *v = a < b ? a : b; break;
    case Xmax: *v = a > b ? a : b; break;
    case Xlt: *v = a < b; break;
    case Xle: *v = a <= b; break;
    case Xeq: *v = a == b; break;
    case Xne: *v = a != b; break;
    case Xband: *v = a & b; break;
    case Xbor: *v = a | b; break;
    case Xbxor: *v = a ^ b; break;
    case Xshl: case Xshr:
        if (b < 0 || b > 63)
            return false;
        *v = op == Xshl ? (int64_t)((uint64_t)a << b) : a >> b;
        break;
    default: return false;
    }
    return true;
}

bool x_eval(const Prog *p, Ex e, const int64_t *env, int64_t *v)
{
    const Expr *x = &p->ex[e];
    int64_t a, b;
    if (isfloat((enum Dtype)x->dt))
        return false;
    switch (x->op) {
    case Xint: *v = x->i; return true;
    case Xvar: *v = env[x->sym]; return true;
    case Xand: case Xor:
        if (!x_eval(p, x->arg[0], env, &a))
            return false;
        if ((a != 0) == (x->op == Xor)) {
            *v = a != 0;
            return true;
        }
        return x_eval(p, x->arg[1], env, v);
    case Xnot: case Xbnot:
        if (!x_eval(p, x->arg[0], env, &a))
            return false;
        *v = x->op == Xnot ? !a : wrap((enum Dtype)x->dt, ~a);
        return true;
    case Xselect:
        return x_eval(p, x->arg[0], env, &a) && x_eval(p, x->arg[a ? 1 : 2], env, v);
    case Xcast:
        if (!x_eval(p, x->arg[0], env, &a))
            return false;
        *v = wrap((enum Dtype)x->dt, a);
        return true;
    default:
        if (x->n != 2 || !x_eval(p, x->arg[0], env, &a) || !x_eval(p, x->arg[1], env, &b) ||
            !eval2((enum Xop)x->op, a, b, v))
            return false;
        *v = wrap((enum Dtype)x->dt, *v);
        return true;
    }
}
