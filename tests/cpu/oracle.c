/* tests/cpu/oracle.c: see oracle.h. */
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tensor/tensor.h"
#include "oracle.h"

typedef struct Val {
    double f;
    int64_t i;
} Val;

typedef struct Run Run;
struct Run {
    Prog *p;
    Val *var;    /* by Var */
    char **data; /* by Buf: storage, NULL while not allocated */
    Val *held;   /* what a copy has read; freed at the end, for stop() leaves anywhere */
    jmp_buf out;
    const char *why;
    int64_t left; /* statements it may still run */
};

enum Jump { Jnone, Jbreak, Jcontinue };

static bool isf(enum Dtype dt) { return dtypeinfo[dt].cls == 'F'; }

static void stop(Run *r, const char *why)
{
    r->why = why;
    longjmp(r->out, 1);
}

static int64_t wrap(enum Dtype dt, int64_t v)
{
    int bits = dtypeinfo[dt].bits;
    if (dt == DTbool)
        return v != 0;
    if (bits == 64)
        return v;
    uint64_t u = (uint64_t)v << (64 - bits);
    return dtypeinfo[dt].cls == 'U' ? (int64_t)(u >> (64 - bits)) : (int64_t)u >> (64 - bits);
}

static Val num(enum Dtype dt, double f, int64_t i)
{
    return isf(dt) ? (Val){dtype_round(dt, f), 0} : (Val){0, wrap(dt, i)};
}

static Val eval(Run *r, Ex e);

static int64_t ival(Run *r, Ex e) { return eval(r, e).i; }

/* Linear element index; -1 when out of bounds. */
static int64_t locate(Run *r, uint32_t buf, const int64_t *at)
{
    const Buf *b = &r->p->buf[buf];
    int64_t off = 0;
    for (int d = 0; d < b->ndim; d++) {
        int64_t n = ival(r, b->shape[d]);
        if (at[d] < 0 || at[d] >= n)
            return -1;
        off = b->stride[0] ? off + at[d] * ival(r, b->stride[d]) : off * n + at[d];
    }
    return off;
}

static char *storage(Run *r, uint32_t buf)
{
    uint32_t root = buf_root(r->p, buf);
    if (!r->data[root]) {
        const Buf *b = &r->p->buf[root];
        int64_t n = 1;
        for (int d = 0; d < b->ndim; d++)
            n *= ival(r, b->shape[d]);
        r->data[root] = calloc((size_t)n + 1, 8);
    }
    return r->data[root];
}

static Val load(Run *r, uint32_t buf, const int64_t *at)
{
    const Buf *b = &r->p->buf[buf];
    enum Dtype dt = (enum Dtype)b->dt;
    char *p = storage(r, buf);
    int64_t off = locate(r, buf, at);
    if (off < 0) {
        if (b->scope != SCglobal)
            stop(r, "index out of a tile");
        return b->safe ? eval(r, b->safe) : (Val){0, 0};
    }
    return isf(dt) ? (Val){dtype_round(dt, dtype_load(dt, p, off)), 0}
                   : (Val){0, dtype_loadi(dt, p, off)};
}

static void store(Run *r, uint32_t buf, const int64_t *at, Val v)
{
    enum Dtype dt = (enum Dtype)r->p->buf[buf].dt;
    char *p = storage(r, buf);
    int64_t off = locate(r, buf, at);
    if (off < 0 && r->p->buf[buf].scope != SCglobal)
        stop(r, "index out of a tile");
    if (off < 0)
        return;
    if (isf(dt))
        dtype_store(dt, p, off, v.f);
    else
        dtype_storei(dt, p, off, v.i);
}

static Val convert(enum Dtype to, enum Dtype from, Val v)
{
    if (isf(from) && isf(to))
        return num(to, v.f, 0);
    if (isf(from)) {
        char bytes[8] = {0};
        if (to == DTbool)
            return (Val){0, v.f != 0};
        dtype_store(to, bytes, 0, v.f);
        return (Val){0, dtype_loadi(to, bytes, 0)};
    }
    if (isf(to)) {
        if (from == DTu64)
            return num(to, (double)(uint64_t)v.i, 0);
        if (to == DTf64)
            return num(to, (double)v.i, 0);
        if (to == DTf32)
            return (Val){(double)(float)v.i, 0};
        return num(to, (double)v.i, 0);
    }
    return num(to, 0, v.i);
}

static Val bits(enum Dtype to, enum Dtype from, Val v)
{
    char bytes[16] = {0};
    if (isf(from))
        dtype_store(from, bytes, 0, v.f);
    else
        dtype_storei(from, bytes, 0, v.i);
    return isf(to) ? (Val){dtype_load(to, bytes, 0), 0} : (Val){0, dtype_loadi(to, bytes, 0)};
}

static int64_t floor_div(int64_t a, int64_t b)
{
    if (b == 0)
        return 0;
    if (b == -1)
        return (int64_t)(0 - (uint64_t)a);
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

static Val arith_int(enum Xop op, enum Dtype dt, int64_t a, int64_t b)
{
    bool u = dtypeinfo[dt].cls == 'U', less = u ? (uint64_t)a < (uint64_t)b : a < b;
    int n = dtypeinfo[dt].bits;
    int64_t v = 0;
    switch (op) {
    case Xadd: v = (int64_t)((uint64_t)a + (uint64_t)b); break;
    case Xsub: v = (int64_t)((uint64_t)a - (uint64_t)b); break;
    case Xmul: v = (int64_t)((uint64_t)a * (uint64_t)b); break;
    case Xfdiv: v = u ? (b ? (int64_t)((uint64_t)a / (uint64_t)b) : 0) : floor_div(a, b); break;
    case Xfmod:
        v = !b        ? 0
            : u       ? (int64_t)((uint64_t)a % (uint64_t)b)
            : b == -1 ? 0
                      : (int64_t)((uint64_t)a - (uint64_t)floor_div(a, b) * (uint64_t)b);
        break;
    case Xtdiv:
        v = !b        ? 0
            : u       ? (int64_t)((uint64_t)a / (uint64_t)b)
            : b == -1 ? (int64_t)(0 - (uint64_t)a)
                      : a / b;
        break;
    case Xtmod: v = !b || b == -1 ? 0 : u ? (int64_t)((uint64_t)a % (uint64_t)b) : a % b; break;
    case Xmin: v = less ? a : b; break;
    case Xmax: v = less ? b : a; break;
    case Xlt: return (Val){0, less};
    case Xle: return (Val){0, less || a == b};
    case Xeq: return (Val){0, a == b};
    case Xne: return (Val){0, a != b};
    case Xband: v = a & b; break;
    case Xbor: v = a | b; break;
    case Xbxor: v = a ^ b; break;
    case Xshl: v = b < 0 || b >= n ? 0 : (int64_t)((uint64_t)a << b); break;
    case Xshr:
        v = b < 0 || b >= n ? (u || a >= 0 ? 0 : -1) : u ? (int64_t)((uint64_t)a >> b) : a >> b;
        break;
    default: break;
    }
    return num(dt, 0, v);
}

static Val arith_float(enum Xop op, enum Dtype dt, double a, double b)
{
    switch (op) {
    case Xadd: return num(dt, a + b, 0);
    case Xsub: return num(dt, a - b, 0);
    case Xmul: return num(dt, a * b, 0);
    case Xdiv: return num(dt, a / b, 0);
    case Xfdiv: return num(dt, floor(a / b), 0);
    case Xfmod: { /* in [0, b) or (b, 0] before it is rounded; zeros have b's sign */
        double r = fmod(a, b);
        r = r != 0 && (r < 0) != (b < 0) ? r + b : r;
        return num(dt, r == 0 ? copysign(0, b) : r, 0);
    }
    case Xmin: return num(dt, fmin(a, b), 0);
    case Xmax: return num(dt, fmax(a, b), 0);
    case Xlt: return (Val){0, a < b};
    case Xle: return (Val){0, a <= b};
    case Xeq: return (Val){0, a == b};
    default: return (Val){0, a != b};
    }
}

static double nudge(double exact_minus, double v, int mode, enum Dtype dt)
{
    /* exact_minus: sign of (exact - v), v rounded to nearest in dt */
    if (mode == 0 || exact_minus == 0)
        return v;
    double to = mode == 2 ? INFINITY : mode == 3 ? -INFINITY : 0;
    bool wrong = mode == 2   ? exact_minus > 0
                 : mode == 3 ? exact_minus < 0
                             : (exact_minus < 0) == (v > 0);
    if (!wrong)
        return v;
    return dt == DTf32 ? (double)nextafterf((float)v, (float)to) : nextafter(v, to);
}

/* float32 only: long double holds what decides. */
static double ieee(enum Intr fn, enum Dtype dt, const Val *a, const int64_t *m)
{
    long double x = a[0].f, y = a[1].f, z = a[2].f, v;
    int mode;
    switch (fn) {
    case Iieee_add:
        v = x + y;
        mode = (int)m[2];
        break;
    case Iieee_sub:
        v = x - y;
        mode = (int)m[2];
        break;
    case Iieee_mul:
        v = x * y;
        mode = (int)m[2];
        break;
    case Iieee_fdiv:
        v = x / y;
        mode = (int)m[2];
        break;
    case Iieee_fmaf:
        v = x * y + z;
        mode = (int)m[3];
        break;
    case Iieee_frcp:
        v = 1 / x;
        mode = (int)m[1];
        break;
    case Iieee_fsqrt:
        v = sqrtl(x);
        mode = (int)m[1];
        break;
    default:
        v = 1 / sqrtl(x);
        mode = 0;
        break;
    }
    float f = (float)v;
    return nudge((double)(v - f), (double)f, mode, dt);
}

static Val call(Run *r, const Expr *x)
{
    Val a[4] = {{0, 0}};
    int64_t m[4] = {0};
    enum Dtype dt = (enum Dtype)x->dt, t = ex_type(r->p, x->arg[0]);
    for (int i = 0; i < x->n; i++) {
        a[i] = eval(r, x->arg[i]);
        m[i] = a[i].i;
    }
    double v = a[0].f, w = a[1].f;
    uint64_t u = (uint64_t)a[0].i;
    int n = dtypeinfo[dt].bits;
    switch (x->sym) {
    case Iabs:
        return isf(dt)
                   ? num(dt, fabs(v), 0)
                   : num(dt, 0, dtypeinfo[dt].cls == 'I' && a[0].i < 0 ? (int64_t)(0 - u) : a[0].i);
    case Iisnan: return (Val){0, isnan(v)};
    case Iisinf: return (Val){0, isinf(v) != 0};
    case Iisfinite: return (Val){0, isfinite(v)};
    case Iclz:
        u = n == 64 ? u : u & (((uint64_t)1 << n) - 1);
        return (Val){0, u ? __builtin_clzll(u) - (64 - n) : n};
    case Ipopcount:
        u = n == 64 ? u : u & (((uint64_t)1 << n) - 1);
        return (Val){0, __builtin_popcountll(u)};
    case Iacos: v = acos(v); break;
    case Iacosh: v = acosh(v); break;
    case Iasin: v = asin(v); break;
    case Iasinh: v = asinh(v); break;
    case Iatan: v = atan(v); break;
    case Iatanh: v = atanh(v); break;
    case Iceil: v = ceil(v); break;
    case Icos:
    case Ifast_cos: v = cos(v); break;
    case Icosh: v = cosh(v); break;
    case Ierf: v = erf(v); break;
    case Iexp:
    case Ifast_exp: v = exp(v); break;
    case Iexp2: v = exp2(v); break;
    case Iexp10:
    case Ifast_exp10: v = pow(10, v); break;
    case Ifloor: v = floor(v); break;
    case Ilog:
    case Ifast_log: v = log(v); break;
    case Ilog10:
    case Ifast_log10: v = log10(v); break;
    case Ilog1p: v = log1p(v); break;
    case Ilog2:
    case Ifast_log2: v = log2(v); break;
    case Inearbyint:
    case Iround: v = nearbyint(v); break;
    case Iround_away: v = round(v); break;
    case Irsqrt: v = 1 / sqrt(v); break;
    case Isigmoid: v = 1 / (1 + exp(-v)); break;
    case Isin:
    case Ifast_sin: v = sin(v); break;
    case Isinh: v = sinh(v); break;
    case Isqrt: v = sqrt(v); break;
    case Itan:
    case Ifast_tan: v = tan(v); break;
    case Itanh: v = tanh(v); break;
    case Itrunc: v = trunc(v); break;
    case Iatan2: v = atan2(v, w); break;
    case Icopysign: v = copysign(v, w); break;
    case Ifmodc: v = fmod(v, w); break;
    case Ihypot: v = hypot(v, w); break;
    case Ildexp: v = ldexp(v, (int)w); break;
    case Inextafter:
        v = dt == DTf32 ? (double)nextafterf((float)v, (float)w) : nextafter(v, w);
        break;
    case Ipow: v = pow(v, w); break;
    case Ifast_rcp: v = 1 / v; break;
    default: (void)t; v = ieee((enum Intr)x->sym, dt, a, m);
    }
    return num(dt, v, 0);
}

static Val eval(Run *r, Ex e)
{
    const Expr *x = &r->p->ex[e];
    enum Dtype dt = (enum Dtype)x->dt;
    int64_t at[MaxDim];
    Val a, b;
    switch (x->op) {
    case Xint: return (Val){0, x->i};
    case Xfloat: return (Val){x->f, 0};
    case Xvar: return r->var[x->sym];
    case Xload:
        for (int i = 0; i < x->n; i++)
            at[i] = ival(r, x->arg[i]);
        return load(r, x->sym, at);
    case Xselect: return eval(r, eval(r, x->arg[0]).i ? x->arg[1] : x->arg[2]);
    case Xand: return eval(r, x->arg[0]).i ? eval(r, x->arg[1]) : (Val){0, 0};
    case Xor: return eval(r, x->arg[0]).i ? (Val){0, 1} : eval(r, x->arg[1]);
    case Xnot: return (Val){0, !eval(r, x->arg[0]).i};
    case Xbnot: return num(dt, 0, ~eval(r, x->arg[0]).i);
    case Xcast: return convert(dt, ex_type(r->p, x->arg[0]), eval(r, x->arg[0]));
    case Xbits: return bits(dt, ex_type(r->p, x->arg[0]), eval(r, x->arg[0]));
    case Xcall: return call(r, x);
    default: break;
    }
    enum Dtype t = ex_type(r->p, x->arg[0]);
    a = eval(r, x->arg[0]);
    b = eval(r, x->arg[1]);
    return isf(t) ? arith_float((enum Xop)x->op, dt, a.f, b.f)
                  : arith_int((enum Xop)x->op, xopinfo[x->op].kind == 'C' ? t : dt, a.i, b.i);
}

/* Tile operations ---------------------------------------------------------- */

typedef struct Box {
    uint32_t buf;
    int n;
    int64_t min[MaxDim], ext[MaxDim];
} Box;

static Box box(Run *r, const Region *g)
{
    Box b = {g->buf, r->p->buf[g->buf].ndim, {0}, {0}};
    for (int d = 0; d < b.n; d++) {
        b.min[d] = ival(r, g->min[d]);
        b.ext[d] = ival(r, g->extent[d]);
    }
    return b;
}

static int64_t box_count(const Box *b)
{
    int64_t n = 1;
    for (int d = 0; d < b->n; d++)
        n *= b->ext[d];
    return n;
}

/* Coordinates of the k-th element in row-major order. */
static void box_at(const Box *b, int64_t k, int64_t *at)
{
    for (int d = b->n - 1; d >= 0; d--) {
        at[d] = (int64_t)((uint64_t)b->min[d] + (uint64_t)(k % b->ext[d]));
        k /= b->ext[d];
    }
}

static enum Dtype type_of(Run *r, const Box *b) { return (enum Dtype)r->p->buf[b->buf].dt; }

static Val combine(int kind, bool nan, enum Dtype dt, Val a, Val b)
{
    if (isf(dt)) {
        if (nan && (isnan(a.f) || isnan(b.f)) && kind != Rsum && kind != Rabssum)
            return (Val){NAN, 0};
        switch (kind) {
        case Rsum:
        case Rabssum: return (Val){a.f + b.f, 0};
        case Rmin: return (Val){fmin(a.f, b.f), 0};
        default: return (Val){fmax(a.f, b.f), 0};
        }
    }
    static const enum Xop op[NRed] = {
        [Rsum] = Xadd, [Rabssum] = Xadd,  [Rmax] = Xmax,   [Rabsmax] = Xmax,
        [Rmin] = Xmin, [Rbitand] = Xband, [Rbitor] = Xbor, [Rbitxor] = Xbxor};
    return arith_int(op[kind], dt, a.i, b.i);
}

/* Where the k-th element of a goes: its number in b. */
static int64_t copied_to(const Box *a, bool trans, int64_t k)
{
    int64_t rows = a->ext[a->n - 2 >= 0 ? a->n - 2 : 0], cols = a->ext[a->n - 1];
    int64_t page = k / (rows * cols), in = k % (rows * cols);
    return trans ? page * rows * cols + in % cols * rows + in / cols : k;
}

/* What would be written outside of a tensor is not read either. */
static void op_copy(Run *r, const Stmt *s, bool trans)
{
    Box a = box(r, &s->op.r[0]), b = box(r, &s->op.r[1]);
    int64_t n = box_count(&a), at[MaxDim], to[MaxDim];
    Val *tmp = r->held = calloc((size_t)n, sizeof *tmp);
    for (int64_t k = 0; k < n; k++) {
        box_at(&a, k, at);
        box_at(&b, copied_to(&a, trans, k), to);
        if (r->p->buf[b.buf].scope != SCglobal || locate(r, b.buf, to) >= 0)
            tmp[k] = convert(type_of(r, &b), type_of(r, &a), load(r, a.buf, at));
    }
    for (int64_t k = 0; k < n; k++) {
        box_at(&b, copied_to(&a, trans, k), to);
        store(r, b.buf, to, tmp[k]);
    }
    free(tmp);
    r->held = NULL;
}

static void op_gemm(Run *r, const Stmt *s)
{
    Box a = box(r, &s->op.r[0]), b = box(r, &s->op.r[1]), c = box(r, &s->op.r[2]);
    bool ta = s->op.attr[0], tb = s->op.attr[1], clear = s->op.attr[3];
    int64_t m = c.ext[c.n - 2], n = c.ext[c.n - 1], kk = ta ? a.ext[a.n - 2] : a.ext[a.n - 1];
    int64_t pa[MaxDim], pb[MaxDim], pc[MaxDim];
    bool f = isf(type_of(r, &c));
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            memcpy(pc, c.min, sizeof pc);
            pc[c.n - 2] += i;
            pc[c.n - 1] += j;
            Val acc = clear ? (Val){0, 0} : load(r, c.buf, pc);
            for (int64_t k = 0; k < kk; k++) {
                memcpy(pa, a.min, sizeof pa);
                memcpy(pb, b.min, sizeof pb);
                pa[a.n - 2] += ta ? k : i;
                pa[a.n - 1] += ta ? i : k;
                pb[b.n - 2] += tb ? j : k;
                pb[b.n - 1] += tb ? k : j;
                Val x = load(r, a.buf, pa), y = load(r, b.buf, pb);
                acc.f += x.f * y.f;
                acc.i = (int64_t)((uint64_t)acc.i + (uint64_t)x.i * (uint64_t)y.i);
            }
            store(r, c.buf, pc, f ? acc : num(type_of(r, &c), 0, acc.i));
        }
}

static enum Dtype computed(enum Dtype src, enum Dtype dst)
{
    if (isf(src) || isf(dst))
        return DTf64;
    return dtypeinfo[dst].bits < 32 ? DTi32 : dst;
}

static Val absolute(int kind, enum Dtype dt, Val v)
{
    if (kind != Rabssum && kind != Rabsmax)
        return v;
    v.f = fabs(v.f);
    if (dtypeinfo[dt].cls == 'I' && v.i < 0)
        v.i = (int64_t)(0 - (uint64_t)v.i);
    return v;
}

static void op_reduce(Run *r, const Stmt *s)
{
    Box a = box(r, &s->op.r[0]), b = box(r, &s->op.r[1]);
    int kind = s->op.attr[0], dim = s->op.attr[1];
    bool clear = s->op.attr[2], nan = s->op.attr[4];
    enum Dtype dst = type_of(r, &b), ct = computed(type_of(r, &a), dst);
    int64_t n = a.ext[dim], at[MaxDim], to[MaxDim];
    Box outer = a;
    outer.ext[dim] = 1;
    for (int64_t k = 0; k < box_count(&outer); k++) {
        box_at(&outer, k, at);
        Val acc = {0, 0};
        for (int64_t i = 0; i < n; i++) {
            at[dim] = a.min[dim] + i;
            Val v = absolute(kind, ct, convert(ct, type_of(r, &a), load(r, a.buf, at)));
            acc = i ? combine(kind, nan, ct, acc, v) : v;
        }
        int j = 0;
        for (int d = 0; d < a.n; d++) {
            if (d == dim && b.n != a.n)
                continue;
            to[j] = b.min[j] + (d == dim ? 0 : at[d] - a.min[d]);
            j++;
        }
        if (!clear)
            acc = combine(kind, nan, ct, acc, convert(ct, dst, load(r, b.buf, to)));
        store(r, b.buf, to, convert(dst, ct, acc));
    }
}

static void op_scan(Run *r, const Stmt *s)
{
    Box a = box(r, &s->op.r[0]), b = box(r, &s->op.r[1]);
    int kind = s->op.attr[0] == Rmax ? Rmax : Rsum, dim = s->op.attr[1];
    enum Dtype dst = type_of(r, &b), ct = computed(type_of(r, &a), dst);
    int64_t n = a.ext[dim], at[MaxDim], to[MaxDim];
    Box outer = a;
    outer.ext[dim] = 1;
    for (int64_t k = 0; k < box_count(&outer); k++) {
        Val acc = {0, 0};
        box_at(&outer, k, at);
        for (int64_t i = 0; i < n; i++) {
            int64_t q = s->op.attr[2] ? n - 1 - i : i;
            at[dim] = a.min[dim] + q;
            Val v = convert(ct, type_of(r, &a), load(r, a.buf, at));
            acc = i ? combine(kind, false, ct, acc, v) : v;
            for (int d = 0; d < a.n; d++)
                to[d] = b.min[d] + at[d] - a.min[d];
            store(r, b.buf, to, convert(dst, ct, acc));
        }
    }
}

static Val update(int kind, enum Dtype dt, Val was, Val v)
{
    if (kind == ATstore)
        return v;
    Val x = combine(kind, false, dt, was, v);
    return num(dt, x.f, x.i);
}

static void op_atomic(Run *r, const Stmt *s)
{
    Box b = box(r, &s->op.r[0]), a = box(r, &s->op.r[1]);
    int64_t at[MaxDim], to[MaxDim];
    for (int64_t k = 0; k < box_count(&a); k++) {
        box_at(&a, k, at);
        box_at(&b, k, to);
        Val v = convert(type_of(r, &b), type_of(r, &a), load(r, a.buf, at));
        store(r, b.buf, to, update(s->op.attr[0], type_of(r, &b), load(r, b.buf, to), v));
    }
}

/* Statements ---------------------------------------------------------------- */

static enum Jump run(Run *r, const Stmt *s);

static enum Jump loop(Run *r, const Stmt *s, int level)
{
    if (level == s->loop.n)
        return run(r, s->loop.body);
    int64_t lo = ival(r, s->loop.lo[level]), hi = ival(r, s->loop.hi[level]);
    int64_t step = s->loop.step ? ival(r, s->loop.step) : 1, i = lo;
    while (step > 0 ? i < hi : step < 0 && i > hi) {
        if (r->left-- <= 0)
            stop(r, oracle_long);
        r->var[s->loop.var[level]] = (Val){0, i};
        if (loop(r, s, level + 1) == Jbreak && level == s->loop.n - 1)
            break;
        if (__builtin_add_overflow(i, step, &i))
            break;
    }
    return Jnone;
}

static void element_atomic(Run *r, const Stmt *s)
{
    int64_t at[MaxDim];
    enum Dtype dt = (enum Dtype)r->p->buf[s->atomic.buf].dt;
    int n = r->p->buf[s->atomic.buf].ndim;
    for (int l = 0; l < s->atomic.lanes || l == 0; l++) {
        for (int d = 0; d < n; d++)
            at[d] = ival(r, s->atomic.idx[d]);
        at[n ? n - 1 : 0] += l;
        Val was = load(r, s->atomic.buf, at);
        if (s->atomic.kind != ATload)
            store(r, s->atomic.buf, at,
                  update(s->atomic.kind, dt, was, eval(r, s->atomic.value[l])));
        if (s->atomic.prev)
            r->var[s->atomic.prev] = was;
    }
}

static void op(Run *r, const Stmt *s)
{
    switch (s->op.op) {
    case Ocopy: op_copy(r, s, false); break;
    case Otranspose: op_copy(r, s, true); break;
    case Ofill: {
        Box b = box(r, &s->op.r[0]);
        int64_t at[MaxDim] = {0};
        Val v = eval(r, s->op.value);
        for (int64_t k = 0; k < box_count(&b); k++) {
            box_at(&b, k, at);
            store(r, b.buf, at, v);
        }
        break;
    }
    case Ogemm: op_gemm(r, s); break;
    case Oreduce: op_reduce(r, s); break;
    case Oscan: op_scan(r, s); break;
    case Oatomic: op_atomic(r, s); break;
    default: break;
    }
}

static enum Jump run_one(Run *r, const Stmt *s)
{
    int64_t at[MaxDim] = {0};
    enum Jump j = Jnone;
    if (r->left-- <= 0)
        stop(r, oracle_long);
    switch (s->kind) {
    case Salloc:
        if (r->p->buf[s->alloc.buf].scope != SCglobal) {
            free(r->data[s->alloc.buf]);
            r->data[s->alloc.buf] = NULL;
            storage(r, s->alloc.buf);
            if (s->alloc.init)
                store(r, s->alloc.buf, at, eval(r, s->alloc.init));
        }
        break;
    case Slet: r->var[s->let.var] = eval(r, r->p->var[s->let.var].value); break;
    case Sstore:
        for (int d = 0; d < r->p->buf[s->store.buf].ndim; d++)
            at[d] = ival(r, s->store.idx[d]);
        store(r, s->store.buf, at, eval(r, s->store.value));
        break;
    case Sfor: loop(r, s, 0); break;
    case Swhile:
        while (eval(r, s->whil.cond).i && run(r, s->whil.body) != Jbreak)
            ;
        break;
    case Sif: j = run(r, eval(r, s->cond.cond).i ? s->cond.then : s->cond.els); break;
    case Sbreak: return Jbreak;
    case Scontinue: return Jcontinue;
    case Sop: op(r, s); break;
    case Satomic: element_atomic(r, s); break;
    case Sassert:
        if (!eval(r, s->check.cond).i)
            stop(r, s->check.text ? s->check.text : "device_assert failed");
        break;
    default: break;
    }
    return j;
}

static enum Jump run(Run *r, const Stmt *s)
{
    for (; s; s = s->next) {
        enum Jump j = run_one(r, s);
        if (j != Jnone)
            return j;
    }
    return Jnone;
}

static void launch(Run *r, const Stmt *s)
{
    int64_t g[3] = {1, 1, 1};
    for (int i = 0; i < s->launch.n; i++)
        g[i] = ival(r, s->launch.grid[i]);
    for (int64_t b = 0; b < g[0] * g[1] * g[2]; b++) {
        int64_t at[3] = {b % g[0], b / g[0] % g[1], b / g[0] / g[1]};
        for (int i = 0; i < s->launch.n; i++)
            r->var[s->launch.block[i]] = (Val){0, at[i]};
        for (int i = 0; i < s->launch.nthread; i++)
            r->var[s->launch.thread[i]] = (Val){0, 0};
        run(r, s->launch.body);
    }
}

/* The program's own statements; only: the one launch to run, or -1. */
static void host(Run *r, int only)
{
    int at = 0;
    for (Stmt *s = r->p->body; s; s = s->next) {
        if (s->kind == Slet)
            r->var[s->let.var] = eval(r, r->p->var[s->let.var].value);
        else if (s->kind == Slaunch && (only < 0 || only == at++))
            launch(r, s);
    }
}

const char *const oracle_long = "it takes too long";

const char *oracle_part(Prog *p, const OracleArg *arg, int only, int64_t steps)
{
    Run r = {.p = p, .left = steps};
    r.var = calloc(p->nvar, sizeof *r.var);
    r.data = calloc(p->nbuf, sizeof *r.data);
    uint32_t k = 0;
    for (uint32_t i = 0; i < p->nparam; i++, k++)
        if (p->param[i].scalar)
            r.var[p->param[i].id] = num((enum Dtype)p->var[p->param[i].id].dt, arg[k].f, arg[k].i);
        else
            r.data[p->param[i].id] = arg[k].data;
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            r.var[v].i = arg[k++].i;
    if (setjmp(r.out) == 0)
        host(&r, only);
    for (uint32_t b = 1; b < p->nbuf; b++)
        if (!p->buf[b].param)
            free(r.data[b]);
    free(r.held);
    free(r.var);
    free(r.data);
    return r.why;
}

const char *oracle_run(Prog *p, const OracleArg *arg) { return oracle_part(p, arg, -1, INT64_MAX); }
