/* core/ir/expr.c: hash-consed expressions: nodes, types, operators.
 *
 * Operands are promoted, constants folded and integer sums kept canonical
 * (expr_sum.c) when a node is made, so equal trees have equal handles. */
#include <math.h>
#include <string.h>

#include "expr.h"
#include "walk.h"
#include "err/kernel.h"

/* A thread's part of an unrolled tile (a sum over 256 registers, each an index of a
 * few dozen operations) has some 10^4 nodes, a sum of 20,000 products some 10^5; walks that take
 * each node as often as it occurs are still over in milliseconds at the limit.  Walks go down by
 * calls: core/base/deep.h. */
enum { MaxNodes = 1 << 20, MaxDepth = 20000 };

const XopInfo xopinfo[NXop] = {
#define XOP(id, text, arity, kind) [X##id] = {text, arity, #kind[0]},
#include "ops.h"
};

const IntrInfo intrinfo[NIntr] = {
#define INTR(id, text, arity, type, level) [I##id] = {text, arity, #type[0], #level[0]},
#include "ops.h"
};

int intr_mask(uint32_t fn)
{
    switch (fn) {
    case Ishfl: case Ishfl_xor: case Ishfl_up: case Ishfl_down: return 3;
    case Iany_sync: case Iall_sync: case Iballot: case Imatch_any: case Imatch_all: return 1;
    case Isync_warp: return 0;
    default: return -1;
    }
}

int intr_shuffle_source(uint32_t fn, int lane, int64_t given, int width, int warp)
{
    int seg = lane & -width, by = (int)(given & (warp - 1)), j;
    switch (fn) {
    case Ishfl: return seg + (by & (width - 1));
    case Ishfl_xor: j = lane ^ by; break;
    case Ishfl_up: return lane - by < seg ? lane : lane - by;
    default: j = lane + by; break;
    }
    return j < seg + width ? j : lane;
}

/* Hash consing --------------------------------------------------------- */

static uint32_t expr_hash_mix(uint32_t h, uint64_t v)
{
    v = (v ^ h) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(v >> 29);
}

static uint32_t hash_expr(const Expr *e)
{
    uint32_t h = expr_hash_mix(e->op * 31u + e->dt, e->sym);
    if (e->n == 0)
        return expr_hash_mix(h, (uint64_t)e->i);
    for (int i = 0; i < e->n; i++)
        h = expr_hash_mix(h, e->arg[i]);
    return h;
}

static bool expr_same(const Expr *a, const Expr *b)
{
    if (a->op != b->op || a->dt != b->dt || a->n != b->n || a->sym != b->sym)
        return false;
    if (a->n == 0)
        return a->i == b->i; /* floats by their bits, so that NaN and -0 work */
    return memcmp(a->arg, b->arg, a->n * sizeof(Ex)) == 0;
}

static void expr_rehash(Prog *p)
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
static void tree_size(Prog *p, Expr *e)
{
    e->size = 1;
    e->depth = 1;
    for (int i = 0; i < e->n; i++) {
        const Expr *x = &p->ex[e->arg[i]];
        e->size += x->size;
        if (x->depth >= e->depth)
            e->depth = x->depth + 1;
    }
    e->terms = e->op != Xint;
    if (e->op == Xadd || e->op == Xsub)
        e->terms = p->ex[e->arg[0]].terms + p->ex[e->arg[1]].terms;
    if (e->size > MaxNodes || e->depth > MaxDepth)
        diag_fail(&p->ctx, E_expr_large, p->here, afmt(&p->ctx, "%d", (int)MaxNodes),
                  afmt(&p->ctx, "%d", (int)MaxDepth), afmt(&p->ctx, "%u", (unsigned)e->size),
                  afmt(&p->ctx, "%u", (unsigned)e->depth), NULL);
}

static Ex intern(Prog *p, Expr e)
{
    if (p->nex * 2 >= p->nhash)
        expr_rehash(p);
    uint32_t *slot = &p->hash[hash_expr(&e) & (p->nhash - 1)];
    for (Ex k = *slot; k; k = p->ex[k].chain)
        if (expr_same(&p->ex[k], &e))
            return k;
    tree_size(p, &e);
    if (e.n) {
        Ex *arg = anew(&p->ctx, e.n * sizeof *arg);
        memcpy(arg, e.arg, e.n * sizeof *arg);
        e.arg = arg;
    }
    uint32_t k = p->nex ? p->nex : 1;
    agrow(&p->ctx, &p->ex, &p->capex, k + 1, sizeof *p->ex);
    agrow(&p->ctx, &p->marks->mark, &p->marks->cap, p->capex, sizeof *p->marks->mark);
    agrow(&p->ctx, &p->marks->fold, &p->marks->capfold, p->capex, sizeof *p->marks->fold);
    e.chain = *slot;
    p->ex[k] = e;
    p->nex = k + 1;
    return *slot = k;
}

Ex ex_mk(Prog *p, enum Xop op, enum Dtype dt, uint32_t sym, const Ex *arg, int n)
{
    return intern(p, (Expr){.op = (uint8_t)op, .dt = (uint8_t)dt, .n = (uint16_t)n,
                            .sym = sym, .arg = n ? arg : NULL});
}

Ex ex_mk2(Prog *p, enum Xop op, enum Dtype dt, Ex a, Ex b)
{
    return ex_mk(p, op, dt, 0, (Ex[]){a, b}, 2);
}

/* Leaves --------------------------------------------------------------- */

void ex_limits(enum Dtype dt, int64_t *lo, int64_t *hi)
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

int64_t ex_wrap(enum Dtype dt, int64_t v)
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
    if (dtype_isfloat(dt))
        return x_float(p, dt, (double)v);
    return intern(p, (Expr){.op = Xint, .dt = (uint8_t)dt, .i = ex_wrap(dt, v)});
}

Ex x_float(Prog *p, enum Dtype dt, double v)
{
    if (!dtype_isfloat(dt))
        return x_int(p, dt, v != v ? 0 : v >= 0x1p63 ? INT64_MAX : v <= -0x1p63 ? INT64_MIN : (int64_t)v);
    return intern(p, (Expr){.op = Xfloat, .dt = (uint8_t)dt, .f = dtype_round(dt, v)});
}

Ex x_var(Prog *p, uint32_t var)
{
    return ex_mk(p, Xvar, (enum Dtype)p->var[var].dt, var, NULL, 0);
}

bool x_isint(const Prog *p, Ex e, int64_t *v)
{
    if (!e || p->ex[e].op != Xint)
        return false;
    *v = p->ex[e].i;
    return true;
}

static bool expr_isconst(const Prog *p, Ex e)
{
    return p->ex[e].op == Xint || p->ex[e].op == Xfloat;
}

/* Promotion ------------------------------------------------------------ */

enum Dtype x_promote(enum Dtype a, enum Dtype b)
{
    if (a == b)
        return a;
    if (a == DTbool || b == DTbool)
        return a == DTbool ? b : a;
    bool fa = dtype_isfloat(a), fb = dtype_isfloat(b);
    if (fa != fb)
        return fa ? a : b;
    int na = dtypeinfo[a].bits, nb = dtypeinfo[b].bits;
    if (fa) {
        if (na == nb)
            return na == 32 ? DTf32 : DTf16; /* of bfloat16 and float16, too, as in TVM */
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
    if (dtype_isfloat(to))
        return true;
    if (x->op == Xfloat || !dtype_isint(to))
        return false;
    return ex_wrap(to, x->i) == x->i;
}

/* Both sides as values of t, their common type, in the type that those are computed in: an int4 beside
 * a uint4 is a uint4 first, as in TVM, and then an int32. */
static enum Dtype common_in(Prog *p, enum Dtype t, Ex *a, Ex *b)
{
    enum Dtype wide = arith(t);
    if (dtype_isint(t)) {
        *a = x_cast(p, t, *a);
        *b = x_cast(p, t, *b);
    }
    *a = x_cast(p, wide, *a);
    *b = x_cast(p, wide, *b);
    return wide;
}

static enum Dtype expr_common(Prog *p, Ex *a, Ex *b)
{
    enum Dtype ta = ex_type(p, *a), tb = ex_type(p, *b), t;
    bool ca = expr_isconst(p, *a), cb = expr_isconst(p, *b);
    if (ca && !cb && adapts(p, *a, tb))
        t = tb;
    else if (cb && !ca && adapts(p, *b, ta))
        t = ta;
    else
        t = x_promote(ta, tb);
    return common_in(p, t, a, b);
}

void x_typed(Prog *p, enum Xop op, Ex *a, Ex *b)
{
    enum Dtype ta = ex_type(p, *a), tb = ex_type(p, *b);
    if (ta == tb || xopinfo[op].kind == 'B' || dtype_isfloat(ta) != dtype_isfloat(tb) ||
        (!expr_isconst(p, *a) && !expr_isconst(p, *b)))
        return;
    common_in(p, op == Xshl || op == Xshr ? ta : x_promote(ta, tb), a, b);
}

/* Operators ------------------------------------------------------------ */

/* The exact remainder, with the sign of b, rounded once: as float32 and narrower have it. */
static double fold_floormod(enum Dtype t, double a, double b)
{
    double r = fmod(a, b); /* exact, a float32 if a and b are */
    if (r == 0)
        return copysign(r, b);
    if ((r < 0) == (b < 0))
        return r;
    return t == DTf64 ? r + b : (double)((float)r + (float)b);
}

static double fold_float(enum Xop op, enum Dtype t, double a, double b)
{
    switch (op) {
    case Xadd: return a + b;
    case Xsub: return a - b;
    case Xmul: return a * b;
    case Xdiv: return a / b;
    case Xfdiv: return floor(a / b);
    case Xfmod: return fold_floormod(t, a, b);
    case Xmin: return fmin(a, b);
    default: return fmax(a, b);
    }
}

static Ex arith_float(Prog *p, enum Xop op, enum Dtype t, Ex a, Ex b)
{
    const Expr *x = &p->ex[a], *y = &p->ex[b];
    if (x->op == Xfloat && y->op == Xfloat)
        return x_float(p, t, fold_float(op, t, x->f, y->f));
    if ((op == Xmul || op == Xdiv) && y->op == Xfloat && y->f == 1)
        return a;
    if (op == Xmul && x->op == Xfloat && x->f == 1)
        return b;
    return ex_mk2(p, op, t, a, b);
}

/* Sign of a - b for all values, when known: -1 less, 0 equal, 1 greater;
 * le and ge are set when only that is known. */
static bool expr_order(Prog *p, enum Dtype t, Ex a, Ex b, int64_t *lo, int64_t *hi)
{
    int64_t alo, ahi, blo, bhi;
    if (a == b) {
        *lo = *hi = 0;
        return true;
    }
    if (!x_range(p, a, &alo, &ahi) || !x_range(p, b, &blo, &bhi))
        return false;
    if (__builtin_sub_overflow(alo, bhi, lo) || __builtin_sub_overflow(ahi, blo, hi))
        return false;
    bool wraps = ex_wrap(t, *lo) != *lo || ex_wrap(t, *hi) != *hi;
    if (dtypeinfo[t].cls == 'I' && !wraps) { /* terms that both have cancel out */
        int64_t least = *lo, most = *hi;
        if (!x_range(p, ex_add(p, t, a, b, -1), lo, hi))
            *lo = least, *hi = most;
    }
    return true;
}

static Ex arith_int(Prog *p, enum Xop op, enum Dtype t, Ex a, Ex b)
{
    int64_t x, y, lo, hi;
    switch (op) {
    case Xadd: return ex_add(p, t, a, b, 1);
    case Xsub: return ex_add(p, t, a, b, -1);
    case Xmul: return ex_mul(p, t, a, b);
    case Xfdiv: case Xfmod: return ex_divmod(p, op, t, a, b);
    case Xtdiv: case Xtmod:
        if (!x_isint(p, b, &y))
            return ex_mk2(p, op, t, a, b);
        if (y == 0)
            diag_fail(&p->ctx, E_div_zero, p->here, op == Xtdiv ? "T.truncdiv" : "T.truncmod", NULL);
        if (x_isint(p, a, &x) && x_operate(op, t, x, y, &x))
            return x_int(p, t, x);
        return ex_mk2(p, op, t, a, b);
    default: /* min, max */
        if (expr_order(p, t, a, b, &lo, &hi)) {
            if (hi <= 0)
                return op == Xmin ? a : b;
            if (lo >= 0)
                return op == Xmin ? b : a;
        }
        return a < b ? ex_mk2(p, op, t, a, b) : ex_mk2(p, op, t, b, a);
    }
}

static Ex expr_compare(Prog *p, enum Xop op, enum Dtype t, Ex a, Ex b)
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
    if (!dtype_isfloat(t) && expr_order(p, t, a, b, &lo, &hi)) {
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
        return ex_mk2(p, op, DTbool, b, a);
    return ex_mk2(p, op, DTbool, a, b);
}

static Ex expr_truth(Prog *p, Ex a)
{
    enum Dtype t = ex_type(p, a);
    if (t == DTbool)
        return a;
    return x_bin(p, Xne, a, dtype_isfloat(t) ? x_float(p, t, 0) : x_int(p, t, 0));
}

static Ex expr_logic(Prog *p, enum Xop op, Ex a, Ex b)
{
    int64_t v;
    a = expr_truth(p, a);
    b = expr_truth(p, b);
    if (x_isint(p, a, &v))
        return (op == Xand) == (v != 0) ? b : a;
    if (x_isint(p, b, &v))
        return (op == Xand) == (v != 0) ? a : b;
    return a == b ? a : ex_mk2(p, op, DTbool, a, b);
}

static Ex bitwise(Prog *p, enum Xop op, Ex a, Ex b)
{
    enum Dtype t;
    if (op == Xshl || op == Xshr) { /* the result has the type of the left side */
        t = arith(ex_type(p, a));
        if (expr_isconst(p, a) && !expr_isconst(p, b))
            t = arith(x_promote(t, ex_type(p, b)));
        a = x_cast(p, t, a);
        b = x_cast(p, t, b);
    } else if (ex_type(p, a) == DTbool && ex_type(p, b) == DTbool) {
        t = DTbool;
    } else {
        t = expr_common(p, &a, &b);
    }
    int64_t x, y;
    int bits = dtypeinfo[t].bits;
    if (!x_isint(p, b, &y))
        return ex_mk2(p, op, t, a, b);
    if ((op == Xshl || op == Xshr) && (y < 0 || y >= bits)) {
        diag_fail(&p->ctx, E_shift, p->here, afmt(&p->ctx, "%lld", (long long)y),
                  dtypeinfo[t].name, afmt(&p->ctx, "%d", bits), NULL);
    }
    if (!x_isint(p, a, &x))
        return ex_mk2(p, op, t, a, b);
    switch (op) {
    case Xband: return x_int(p, t, x & y);
    case Xbor: return x_int(p, t, x | y);
    case Xbxor: return x_int(p, t, x ^ y);
    case Xshl: return x_int(p, t, (int64_t)((uint64_t)x << y));
    default:
        return x_int(p, t, dtypeinfo[t].cls == 'U' ? (int64_t)((uint64_t)x >> y) : x >> y);
    }
}

static bool expr_intlike(enum Dtype t) { return dtype_isint(t) || t == DTbool; }

Ex x_bin(Prog *p, enum Xop op, Ex a, Ex b)
{
    enum Dtype ta = ex_type(p, a), tb = ex_type(p, b);
    char kind = xopinfo[op].kind;
    if (kind == 'B')
        return expr_logic(p, op, a, b);
    if (kind == 'I' && (!expr_intlike(ta) || !expr_intlike(tb)))
        diag_fail(&p->ctx, E_int_only, p->here, xopinfo[op].text, dtypeinfo[ta].name,
                  dtypeinfo[tb].name, NULL);
    if (kind == 'I')
        return bitwise(p, op, a, b);
    if (op == Xdiv && expr_intlike(ta) && expr_intlike(tb))
        diag_fail(&p->ctx, E_int_div, p->here, dtypeinfo[ta].name, dtypeinfo[tb].name, NULL);
    if ((op == Xtdiv || op == Xtmod) && (!expr_intlike(ta) || !expr_intlike(tb)))
        diag_fail(&p->ctx, E_int_only, p->here, xopinfo[op].text, dtypeinfo[ta].name,
                  dtypeinfo[tb].name, NULL);
    enum Dtype t = expr_common(p, &a, &b);
    if (kind == 'C')
        return expr_compare(p, op, t, a, b);
    return dtype_isfloat(t) ? arith_float(p, op, t, a, b) : arith_int(p, op, t, a, b);
}

Ex x_neg(Prog *p, Ex a)
{
    enum Dtype t = arith(ex_type(p, a));
    a = x_cast(p, t, a);
    if (!dtype_isfloat(t))
        return x_bin(p, Xsub, x_int(p, t, 0), a);
    if (p->ex[a].op == Xfloat)
        return x_float(p, t, -p->ex[a].f);
    return ex_mk2(p, Xmul, t, a, x_float(p, t, -1)); /* exact, and keeps -0 */
}

Ex x_un(Prog *p, enum Xop op, Ex a)
{
    const Expr *x;
    int64_t v;
    if (op == Xbnot) {
        enum Dtype t = ex_type(p, a);
        if (!expr_intlike(t))
            diag_fail(&p->ctx, E_int_only, p->here, "~", dtypeinfo[t].name, "-", NULL);
        t = arith(t);
        a = x_cast(p, t, a);
        if (x_isint(p, a, &v))
            return x_int(p, t, ~v);
        return ex_mk(p, Xbnot, t, 0, &a, 1);
    }
    a = expr_truth(p, a);
    x = &p->ex[a];
    if (x_isint(p, a, &v))
        return x_int(p, DTbool, !v);
    if (x->op == Xnot)
        return x->arg[0];
    if (x->op == Xeq || x->op == Xne)
        return ex_mk2(p, x->op == Xeq ? Xne : Xeq, DTbool, x->arg[0], x->arg[1]);
    if ((x->op == Xlt || x->op == Xle) && !dtype_isfloat(ex_type(p, x->arg[0])))
        return ex_mk2(p, x->op == Xlt ? Xle : Xlt, DTbool, x->arg[1], x->arg[0]);
    return ex_mk(p, Xnot, DTbool, 0, &a, 1);
}

Ex x_select(Prog *p, Ex c, Ex a, Ex b)
{
    int64_t v;
    enum Dtype t;
    c = expr_truth(p, c);
    if (ex_type(p, a) == ex_type(p, b)) {
        t = ex_type(p, a);
    } else {
        t = expr_common(p, &a, &b);
    }
    if (x_isint(p, c, &v))
        return v ? a : b;
    return a == b ? a : ex_mk(p, Xselect, t, 0, (Ex[]){c, a, b}, 3);
}

Ex x_cast(Prog *p, enum Dtype dt, Ex a)
{
    const Expr *x = &p->ex[a];
    if (x->dt == dt)
        return a;
    if (x->op == Xint)
        return dtype_isfloat(dt) ? x_float(p, dt, dtypeinfo[x->dt].cls == 'U' && x->i < 0
                                                ? (double)(uint64_t)x->i : (double)x->i)
                           : x_int(p, dt, x->i);
    if (x->op == Xfloat) {
        if (dt == DTbool)
            return x_int(p, DTbool, x->f != 0);
        if (dtype_isfloat(dt))
            return x_float(p, dt, x->f);
        int64_t v[1] = {0};
        dtype_store(dt, v, 0, x->f);
        return x_int(p, dt, dtype_loadi(dt, v, 0));
    }
    if (dt == DTbool)
        return expr_truth(p, a);
    return ex_mk(p, Xcast, dt, 0, &a, 1);
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
    return ex_mk(p, Xbits, dt, 0, &a, 1);
}

void x_index(Prog *p, uint32_t buf, const Ex *idx, int n, Ex *out)
{
    const Buf *b = &p->buf[buf];
    if (n != b->ndim)
        diag_fail(&p->ctx, E_rank, p->here, b->name, afmt(&p->ctx, "%d", b->ndim),
                  afmt(&p->ctx, "%d", n), NULL);
    if (b->scope == SCbarrier || b->scope == SCpipe)
        diag_fail(&p->ctx, E_barrier_value, p->here, b->name, NULL);
    for (int i = 0; i < n; i++) {
        enum Dtype t = ex_type(p, idx[i]);
        if (!expr_intlike(t))
            diag_fail(&p->ctx, E_index_type, p->here, b->name, afmt(&p->ctx, "%d", i),
                      dtypeinfo[t].name, NULL);
        /* Arithmetic of narrow types wraps; from here on an index is a whole number. */
        out[i] = dtypeinfo[t].bits >= 32 ? idx[i] : x_cast(p, DTi32, idx[i]);
    }
}

/* What counts blocks goes as far as the grid. */
static bool expr_is_block(void *ud, Ex e)
{
    const Prog *const *p = ud;
    const Expr *x = &(*p)->ex[e];
    return x->op == Xvar && (*p)->var[x->sym].kind == Vblock;
}

bool x_negative(const Prog *p, Ex idx)
{
    int64_t lo, hi;
    return expr_intlike(ex_type(p, idx)) && x_range(p, idx, &lo, &hi) && hi < 0 && lo <= hi &&
           !ex_any(p, idx, expr_is_block, &p);
}

Ex x_from_end(Prog *p, uint32_t buf, int d, Ex idx)
{
    return x_negative(p, idx) ? x_bin(p, Xadd, p->buf[buf].shape[d], idx) : idx;
}

Ex x_load(Prog *p, uint32_t buf, const Ex *idx, int n)
{
    Ex at[MaxDim];
    x_index(p, buf, idx, n, at);
    return ex_mk(p, Xload, (enum Dtype)p->buf[buf].dt, buf, at, n);
}

/* Intrinsics ----------------------------------------------------------- */

static Ex tofloat(Prog *p, Ex a)
{
    enum Dtype t = ex_type(p, a);
    if (dtype_isfloat(t))
        return t == DTtf32 ? x_cast(p, DTf32, a) : a;
    return x_cast(p, t == DTi64 || t == DTu64 ? DTf64 : DTf32, a);
}

/* The next number of a type narrower than float32 from x towards y: targets compute
 * these in float32, whose next number is rounded away.  The bits of numbers of one
 * sign are ordered as the numbers are. */
static Ex narrow_next(Prog *p, Ex x, Ex y)
{
    enum Dtype t = ex_type(p, x), u = dtypeinfo[t].bits == 8 ? DTu8 : DTu16;
    Ex zero = x_float(p, t, 0), one = x_int(p, DTi32, 1);
    Ex bits = x_cast(p, DTi32, x_bits(p, u, x)), sign = x_int(p, DTi32, 1 << (dtypeinfo[t].bits - 1));
    Ex away = x_bin(p, Xeq, x_bin(p, Xlt, x, y), x_bin(p, Xlt, zero, x));
    Ex next = x_select(p, away, x_bin(p, Xadd, bits, one), x_bin(p, Xsub, bits, one));
    Ex least = x_select(p, x_bin(p, Xlt, y, zero), x_bin(p, Xadd, sign, one), one);
    next = x_select(p, x_bin(p, Xeq, x, zero), least, next);
    next = x_bits(p, t, x_cast(p, u, next));
    Ex nan = x_bin(p, Xor, x_bin(p, Xne, x, x), x_bin(p, Xne, y, y));
    return x_select(p, nan, x_bin(p, Xadd, x, y), x_select(p, x_bin(p, Xeq, x, y), y, next));
}

static bool is_ieee(enum Intr fn) { return fn >= Iieee_add && fn <= Iieee_fsqrt; }

void x_typed_call(Prog *p, enum Intr fn, Ex *arg, unsigned typed, int n)
{
    enum Dtype t = DTnone;
    int values = is_ieee(fn) ? n - 1 : n;
    if (intrinfo[fn].type != 'F' || n != intrinfo[fn].arity)
        return;
    for (int i = 0; i < values; i++)
        if (typed >> i & 1) {
            arg[i] = tofloat(p, arg[i]);
            t = t ? x_promote(t, ex_type(p, arg[i])) : ex_type(p, arg[i]);
        }
    for (int i = 0; i < values; i++)
        if (typed >> i & 1)
            arg[i] = x_cast(p, t, arg[i]);
}

Ex x_call(Prog *p, enum Intr fn, const Ex *arg, int n)
{
    const IntrInfo *f = &intrinfo[fn];
    Ex a[4];
    if (n != f->arity)
        diag_fail(&p->ctx, E_intr_args, p->here, f->text, afmt(&p->ctx, "%d", f->arity),
                  afmt(&p->ctx, "%d", n), NULL);
    memcpy(a, arg, (size_t)n * sizeof *a);
    int values = is_ieee(fn) || f->level == 'T' ? n - 1 : n; /* the rest are plain integers */
    if (is_ieee(fn)) /* who gives a number beside floats has made it one */
        a[n - 1] = x_cast(p, DTi32, a[n - 1]);
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
            expr_common(p, &a[0], &a[i]);
        for (int i = 1; i < values; i++)
            expr_common(p, &a[0], &a[i]);
        t = ex_type(p, a[0]);
        break;
    case 'S':
        t = arith(ex_type(p, a[0]));
        a[0] = x_cast(p, t, a[0]);
        break;
    case 'I':
        if (!expr_intlike(ex_type(p, a[0])))
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
    case 'L': t = DTu64; break;
    default:
        diag_fail(&p->ctx, E_no_value, p->here, f->text, NULL);
    }
    if (fn == Inextafter && dtypeinfo[t].bits < 32)
        return narrow_next(p, a[0], a[1]);
    return ex_mk(p, Xcall, t, fn, a, n);
}
