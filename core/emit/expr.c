/* core/emit/expr.c: expressions as text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "emit_p.h"

static enum Dtype expr_text_type_of(const Emit *e, Ex x) { return ex_type(e->p, x); }

/* What is known ---------------------------------------------------------- */

/* Does it count something whose extent is not known? */
static bool is_open(void *ud, Ex x)
{
    enum { Extent = 1 << 20 };
    const Prog *p = *(const Prog *const *)ud;
    const Expr *k = ex_at(p, x);
    const Var *v = k->op == Xvar ? &p->var[k->sym] : NULL;
    return k->op == Xcall || (v && !ex_let(p, x) && (v->lo < -Extent || v->hi > Extent));
}

/* Whether signed + - * must be spelled so that it wraps.  Without a proof that it does
 * not, only what counts along an extent that the launch must find room for is taken not
 * to; narrow types are C's int until they are told otherwise. */
static bool expr_text_may_wrap(const Emit *e, Ex x)
{
    const Prog *p = e->p;
    int64_t lo, hi;
    if (x_range(p, x, &lo, &hi))
        return false;
    return dtypeinfo[expr_text_type_of(e, x)].bits < 32 || !ex_index_like(p, x) ||
           !ex_any_let(p, x, is_open, &p);
}

static ExGo is_simple(void *ud, Ex x)
{
    const Prog *p = *(const Prog *const *)ud;
    const Expr *k = ex_at(p, x);
    switch ((enum Xop)k->op) {
    case Xint: return k->i >= 0 ? EXinto : EXstop;
    case Xvar: {
        int kind = p->var[k->sym].kind;
        return ex_let(p, x) || kind == Vthread || kind == Vblock || kind == Vloop ? EXinto : EXstop;
    }
    case Xadd: case Xmul: case Xfdiv: case Xfmod: case Xmin: case Xbxor: return EXinto;
    default: return EXstop;
    }
}

/* Can a C compiler see that x is not negative, given that it is not? */
static bool plainly(const Emit *e, Ex x)
{
    const Prog *p = e->p;
    return ex_walk_let(p, x, is_simple, &p);
}

static bool expr_text_varies(void *ud, Ex x)
{
    const Emit *e = ud;
    const Expr *k = ex_at(e->p, x);
    const Var *v = k->op == Xvar ? &e->p->var[k->sym] : NULL;
    if (v)
        return v->kind == Vthread || (v->kind == Vlet && !v->value);
    if (k->op == Xload) /* variables are taken for the block's: counters, flags */
        return in_registers(e, k->sym) && !is_variable(e, k->sym);
    return k->op == Xcall && intrinfo[k->sym].level == 'T';
}

bool ex_varies(Emit *e, Ex x) { return ex_any_let(e->p, x, expr_text_varies, e); }

static bool has_load(void *ud, Ex x)
{
    const Emit *e = ud;
    const Expr *k = ex_at(e->p, x);
    return k->op == Xload && !in_registers(e, k->sym);
}

bool ex_loads(Emit *e, Ex x) { return ex_any(e->p, x, has_load, e); }

/* Operators ---------------------------------------------------------------- */

static const char *expr_text_infix(Emit *e, const Expr *x, const char *op, int at, int prec)
{
    const char *a = ex_text(e, x->arg[0], at), *b = ex_text(e, x->arg[1], at + 1);
    return paren(e, prec > at, afmt(&e->p->ctx, "%s %s %s", a, op, b));
}

/* A constant stands on the right. */
static const char *compared(Emit *e, const Expr *x, const char *op, const char *turned, int at,
                            int prec)
{
    const Expr *a = ex_at(e->p, x->arg[0]);
    if (a->op != Xint && a->op != Xfloat)
        return expr_text_infix(e, x, op, at, prec);
    Ex arg[2] = {x->arg[1], x->arg[0]};
    Expr y = *x;
    y.arg = arg;
    return expr_text_infix(e, &y, turned, at, prec);
}

static const char *expr_text_call2(Emit *e, const char *fn, const Expr *x)
{
    const char *a = ex_text(e, x->arg[0], PRany), *b = ex_text(e, x->arg[1], PRany);
    return afmt(&e->p->ctx, "%s(%s, %s)", fn, a, b);
}

/* "stem_i32": helpers by the type of the value in flight. */
static const char *expr_text_typed(Emit *e, const char *stem, enum Dtype dt)
{
    const char *t = is_float(dt) ? dt == DTf64 ? "f64" : "f32"
                    : dtypeinfo[dt].bits == 64 ? dtypeinfo[dt].cls == 'U' ? "u64" : "i64"
                    : dt == DTu32 ? "u32" : "i32";
    return emit_need(e, afmt(&e->p->ctx, "%s_%s", stem, t));
}

static const char *narrowed(Emit *e, Ex x, enum Dtype dt, const char *text)
{
    if (!is_narrow(dt) || (x == priv(e)->unrounded && dt != DTtf32))
        return text;
    if (dt == DTtf32)
        return e->d->cast(e, dt, DTf32, text);
    return from_stored(e, dt, to_stored(e, dt, text), true);
}

static int64_t expr_text_size_of(int64_t v) { return v < 0 ? -v : v; }

/* x in a sum that wraps: as an unsigned number.  The sum's own parts that may wrap are
 * not made signed on the way. */
static const char *wrapping(Emit *e, Ex x, enum Dtype dt, int prec)
{
    static const char *const op[] = {[Xadd] = "+", [Xsub] = "-", [Xmul] = "*"};
    Ctx *c = &e->p->ctx;
    Expr k = *ex_at(e->p, x);
    enum Dtype u = dtypeinfo[dt].bits == 64 ? DTu64 : DTu32;
    if (k.op == Xint)
        return k.i >= 0 ? int_text(e, k.i, u, prec)
                        : afmt(c, "%s%s", cast_to(u), int_text(e, k.i, dt, PRunary));
    const EmitPriv *q = priv(e);
    bool named = x < q->captemp && q->temp[x];
    if (named || (k.op != Xadd && k.op != Xsub && k.op != Xmul) || k.dt != dt)
        return paren(e, prec > PRunary, afmt(c, "%s%s", cast_to(u), ex_text(e, x, PRunary)));
    int at = k.op == Xmul ? PRmul : PRadd;
    const Expr *b = ex_at(e->p, k.arg[1]);
    if (k.op == Xmul && b->op == Xint && b->i == -1)
        return paren(e, prec > PRunary, afmt(c, "-%s", wrapping(e, k.arg[0], dt, PRpost)));
    const char *s = wrapping(e, k.arg[0], dt, at), *t = wrapping(e, k.arg[1], dt, at + 1);
    return paren(e, prec > at, afmt(c, "%s %s %s", s, op[k.op], t));
}

/* Adds k * what lies in x[0] .. x[1] to sum; false: that, or k's magnitude, may be beyond
 * what dt is computed in. */
static bool sum_reach(enum Dtype dt, int64_t k, const int64_t x[2], int64_t sum[2])
{
    const int64_t by[2] = {k, k};
    int64_t t[2], lo, hi;
    ex_limits(dtypeinfo[dt].bits < 32 ? DTi32 : dt, &lo, &hi); /* narrow types are C's int */
    return -hi <= k && x_range_of(Xmul, x, by, &t[0], &t[1]) &&
           x_range_of(Xadd, sum, t, &sum[0], &sum[1]) && lo <= sum[0] && sum[1] <= hi;
}

/* Does the sum stay within its type on the way, in this order?  What is subtracted comes last. */
static bool sum_stays(Emit *e, enum Dtype dt, const Ex *t, const int64_t *coef, int n, int64_t rest)
{
    static const int64_t one[2] = {1, 1};
    int64_t sum[2] = {0, 0}, x[2];
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n; i++)
            if ((coef[i] < 0) == pass &&
                (!x_range(e->p, t[i], &x[0], &x[1]) || !sum_reach(dt, coef[i], x, sum)))
                return false;
    return sum_reach(dt, rest, one, sum);
}

/* a * 4 + b - c + 1, without wrapping; NULL: it is no sum of integers, or a part of it that
 * the user did not write might wrap. */
static const char *sum_text(Emit *e, Ex x, const Expr *k, int prec)
{
    Ctx *c = &e->p->ctx;
    const char *s = "";
    int shown = 0;
    enum Dtype dt = (enum Dtype)k->dt;
    ExSum sum = x_linear(e->p, x);
    int n = sum.n;
    int64_t rest = sum.c, lo, hi;
    if (n < 1 || (n == 1 && sum.atom[0] == x))
        return NULL;
    for (int i = 0; i < n; i++)
        if (expr_text_type_of(e, sum.atom[i]) != dt)
            return NULL;
    Ex *t = anew(c, (size_t)n * sizeof *t);
    int64_t *coef = anew(c, (size_t)n * sizeof *coef);
    memcpy(t, sum.atom, (size_t)n * sizeof *t);
    memcpy(coef, sum.coef, (size_t)n * sizeof *coef);
    for (int i = 1; i < n; i++) /* the larger steps first */
        for (int j = i; j > 0 && expr_text_size_of(coef[j]) > expr_text_size_of(coef[j - 1]); j--) {
            int64_t k1 = coef[j];
            Ex t1 = t[j];
            coef[j] = coef[j - 1];
            t[j] = t[j - 1];
            coef[j - 1] = k1;
            t[j - 1] = t1;
        }
    if (x_range(e->p, x, &lo, &hi) && !sum_stays(e, dt, t, coef, n, rest))
        return NULL;
    bool alone = n == 1 && rest == 0;
    for (int pass = 0; pass < 2; pass++) /* what is subtracted stands behind */
        for (int i = 0; i < n; i++) {
            if ((coef[i] < 0) != pass)
                continue;
            int64_t m = coef[i] < 0 ? -coef[i] : coef[i];
            const char *sign = coef[i] < 0 ? shown ? " - " : "-" : shown ? " + " : "";
            const char *v = ex_text(e, t[i], coef[i] < 0 && !shown ? PRunary
                                             : m != 1 ? PRmul : PRterm);
            s = m == 1 ? afmt(c, "%s%s%s", s, sign, v)
                       : afmt(c, "%s%s%s * %s", s, sign, v, int_text(e, m, dt, PRunary));
            shown++;
        }
    if (rest)
        s = afmt(c, "%s %c %s", s, rest < 0 ? '-' : '+',
                 int_text(e, rest < 0 ? -rest : rest, dt, PRunary));
    return paren(e, prec > (alone ? coef[0] < 0 ? PRadd : PRmul : PRadd), s);
}

static const char *expr_text_arithmetic(Emit *e, Ex x, const Expr *k, int prec)
{
    static const struct { const char *op; int prec; } ops[] = {
        [Xadd] = {"+", PRadd}, [Xsub] = {"-", PRadd}, [Xmul] = {"*", PRmul}, [Xdiv] = {"/", PRmul}};
    Ctx *c = &e->p->ctx;
    enum Dtype dt = (enum Dtype)k->dt;
    const char *op = ops[k->op].op;
    int at = ops[k->op].prec;
    if (is_float(dt)) {
        const Expr *b = ex_at(e->p, k->arg[1]);
        if (k->op == Xmul && b->op == Xfloat && b->f == -1.0)
            return paren(e, prec > PRunary, afmt(c, "-%s", ex_text(e, k->arg[0], PRpost)));
        if (k->op == Xdiv && dt == DTf32 && e->fast_math)
            return expr_text_call2(e, emit_fn(e, "__fdividef"), k);
        bool rounds = is_narrow(dt) && (x != priv(e)->unrounded || dt == DTtf32);
        return narrowed(e, x, dt, expr_text_infix(e, k, op, at, rounds ? PRany : prec));
    }
    if (dt == DTu32 || dt == DTu64)
        return expr_text_infix(e, k, op, at, prec);
    if (!expr_text_may_wrap(e, x)) {
        const char *s = sum_text(e, x, k, prec);
        return s ? s : expr_text_infix(e, k, op, at, prec);
    }
    return paren(e, prec > PRunary, afmt(c, "%s(%s)", cast_to(dt), wrapping(e, x, dt, PRany)));
}

/* (a % b) / c: with more parentheses than C needs. */
static const char *expr_text_quotient(Emit *e, const Expr *k, const char *op, int prec)
{
    const char *a = ex_text(e, k->arg[0], PRmul), *b = ex_text(e, k->arg[1], PRunary);
    return paren(e, prec > PRterm, afmt(&e->p->ctx, "%s %s %s", a, op, b));
}

/* s, a result of type dt that C computed in int, and that may lie beyond a narrow dt: wraps. */
static const char *wrapped(Emit *e, enum Dtype dt, const char *s, int prec)
{
    if (dtypeinfo[dt].bits >= 32)
        return s;
    if (dt == DTi4 || dt == DTu4)
        return bits_text(e, dt, DTi32, s);
    return paren(e, prec > PRunary, afmt(&e->p->ctx, "%s(%s)", cast_to(dt), s));
}

/* // and % towards minus infinity; truncating ones for tdiv and tmod.  A power of two
 * divides by a shift and leaves the low bits, whatever the sign. */
static const char *division(Emit *e, Ex x, const Expr *k, int prec)
{
    Ctx *c = &e->p->ctx;
    int64_t lo = 0, hi, n = 0, nlo, nhi;
    enum Dtype dt = (enum Dtype)k->dt;
    bool div = k->op == Xfdiv || k->op == Xtdiv, floor_ = k->op == Xfdiv || k->op == Xfmod;
    if (is_float(dt))
        return narrowed(
            e, x, dt, expr_text_call2(e, expr_text_typed(e, div ? "floordiv" : "floormod", dt), k));
    bool unsig = dtypeinfo[dt].cls == 'U';
    bool positive = x_range(e->p, k->arg[1], &nlo, &nhi) && nlo > 0;
    bool constant = x_isint(e->p, k->arg[1], &n);
    bool nonneg = unsig || (x_range(e->p, k->arg[0], &lo, &hi) && lo >= 0);
    bool pow2 = constant && n > 0 && (n & (n - 1)) == 0;
    if (k->op == Xfdiv && constant && emit_group(e, k->arg[0], n))
        return emit_group(e, k->arg[0], n);
    if (positive && (nonneg || !floor_) &&
        (unsig || !floor_ || (constant && plainly(e, k->arg[0]))))
        return expr_text_quotient(e, k, div ? "/" : "%", prec);
    if (pow2 && floor_) {
        int at = div ? PRshift : PRband;
        const char *a = ex_text(e, k->arg[0], div ? PRmul : PRadd);
        const char *s = div ? afmt(c, "%s >> %d", a, __builtin_ctzll((uint64_t)n))
                            : afmt(c, "%s & %" PRId64, a, n - 1);
        return paren(e, prec > at || (prec > PRany && prec > PRland), s);
    }
    if (positive && nonneg && dtypeinfo[dt].bits <= 32) {
        const char *a = ex_text(e, k->arg[0], PRunary);
        const char *b = constant ? int_text(e, n, DTu32, PRany)
                                 : afmt(c, "(unsigned)%s", ex_text(e, k->arg[1], PRunary));
        return paren(e, prec > PRunary,
                     afmt(c, "(int)((unsigned)%s %c %s)", a, div ? '/' : '%', b));
    }
    const char *s = expr_text_call2(e,
                                    expr_text_typed(e,
                                                    floor_ ? div ? "floordiv" : "floormod"
                                                    : div  ? "truncdiv"
                                                           : "truncmod",
                                                    dt),
                                    k);
    return div && !unsig && !positive ? wrapped(e, dt, s, prec) : s; /* the least number by -1 */
}

static const char *expr_text_shift(Emit *e, const Expr *k, int prec)
{
    Ctx *c = &e->p->ctx;
    enum Dtype dt = (enum Dtype)k->dt;
    int64_t lo, hi;
    int bits = dtypeinfo[dt].bits;
    bool left = k->op == Xshl, narrow = bits < 32 && left, unsig = dtypeinfo[dt].cls == 'U';
    bool inside = x_range(e->p, k->arg[1], &lo, &hi) && lo >= 0 && hi < (bits == 64 ? 64 : 32);
    const char *s;
    int at = PRpost;
    if (inside && (!left || unsig)) {
        s = expr_text_infix(e, k, left ? "<<" : ">>", PRshift, PRany);
        at = PRshift;
    } else if (inside) {
        s = afmt(c, "%s(%s%s << %s)", bits == 64 ? "(long long)" : "(int)",
                 bits == 64 ? "(unsigned long long)" : "(unsigned)",
                 ex_text(e, k->arg[0], PRunary), ex_text(e, k->arg[1], PRshift + 1));
        at = PRunary;
    } else {
        s = expr_text_call2(e, expr_text_typed(e, left ? "shl" : "shr", dt), k);
    }
    if (!narrow)
        return paren(e, prec > at || (at == PRshift && prec > PRrel), s);
    return wrapped(e, dt, s, prec);
}

static const char *minmax(Emit *e, const Expr *k)
{
    enum Dtype dt = (enum Dtype)k->dt;
    bool low = k->op == Xmin;
    if (is_float(dt))
        return expr_text_call2(e,
                               emit_fn(e, dt == DTf64 ? low ? "fmin" : "fmax"
                                          : low       ? "fminf"
                                                      : "fmaxf"),
                               k);
    return expr_text_call2(e, emit_fn(e, low ? "min" : "max"), k);
}

static const char *same_bits(Emit *e, const Expr *k)
{
    enum Dtype to = (enum Dtype)k->dt, from = expr_text_type_of(e, k->arg[0]);
    if (is_narrow(from) && from != DTtf32 && !is_float(to)) { /* without a way through float */
        const char *x = afmt(&e->p->ctx, "%s.x", stored_text(e, k->arg[0], from, PRpost));
        return bits_text(e, to, bits_type(from), x);
    }
    return bits_text(e, to, from, ex_text(e, k->arg[0], PRany));
}

/* Intrinsics ----------------------------------------------------------- */

/* Bit counts are those of the type's own width.  C counts in int. */
static const char *expr_text_counted(Emit *e, const Expr *k, int prec)
{
    Ctx *c = &e->p->ctx;
    enum Dtype dt = (enum Dtype)k->dt;
    int n = dtypeinfo[dt].bits;
    bool clz = k->sym == Iclz;
    const char *fn = emit_fn(e, n == 64 ? clz ? "__clzll" : "__popcll" : clz ? "__clz" : "__popc");
    const char *x = ex_text(e, k->arg[0], PRunary);
    if (n == 4)
        x = bits_text(e, DTu4, dt, x);
    else if (n < 32)
        x = afmt(c, "%s%s", cast_to(bits_type(dt)), x);
    x = clz && n < 32 ? afmt(c, "(%s(%s) - %d)", fn, x, 32 - n) : afmt(c, "%s(%s)", fn, x);
    if (strcmp(flight_type(dt), flight_type(DTi32)) == 0)
        return x;
    return paren(e, prec > PRunary, afmt(c, "%s%s", cast_to(dt), x));
}

/* (tid / div) % mod, mod 0: whole. */
static const char *thread_part_text(Emit *e, const Expr *k, int64_t lanes, int64_t warps, bool lane)
{
    Ctx *c = &e->p->ctx;
    int64_t v, n[2] = {lanes, warps};
    for (int i = 0; i < k->n && i < 2; i++)
        if (x_isint(e->p, k->arg[i], &v) && v > 0)
            n[i] = v;
    const char *tid = emit_varname(e, e->l->launch->launch.thread[0]);
    return afmt(c, "(%s %c %" PRId64 ")", tid, lane ? '%' : '/', lane ? n[0] : n[0] * n[1]);
}

static const char *expr_text_intrinsic(Emit *e, Ex x, const Expr *k, int prec)
{
    enum { MostArgs = 4 };
    Ctx *c = &e->p->ctx;
    const char *arg[MostArgs];
    enum Dtype dt = (enum Dtype)k->dt, at = k->n ? expr_text_type_of(e, k->arg[0]) : DTnone;
    int warp = e->m->warp;
    switch (k->sym) {
    case Iclz: case Ipopcount: return expr_text_counted(e, k, prec);
    case Ilane_idx: return thread_part_text(e, k, warp, 1, true);
    case Iwarp_idx: return thread_part_text(e, k, warp, 1, false);
    case Iwarp_group_idx: return thread_part_text(e, k, warp, 4, false);
    case Iabs:
        if (!is_float(dt) && dtypeinfo[dt].cls != 'I')
            return ex_text(e, k->arg[0], PRpost);
        break;
    default: break;
    }
    for (int i = 0; i < k->n && i < MostArgs; i++)
        arg[i] = ex_text(e, k->arg[i], PRany);
    int mask = intr_mask(k->sym);
    if (e->d->lockstep && mask >= 0 && x_all_lanes(e->p, k->arg[mask]))
        arg[mask] = NULL;
    bool same = k->sym == Iabs || k->sym == Icopysign || (k->sym >= Ishfl && k->sym <= Ishfl_down);
    const char *t = e->d->call(e, (enum Intr)k->sym, dt == DTbool || k->sym == Imatch_any ||
                               k->sym == Imatch_all ? at : dt, arg, k->n);
    if (!t)
        diag_fail(c, E_bug, e->here, afmt(c, "`%s` has no text", intrinfo[k->sym].text), NULL);
    if (k->sym == Iabs && !is_float(dt)) /* abs of the least number */
        return wrapped(e, dt, t, prec);
    return same ? t : narrowed(e, x, dt, t);
}

/* ---------------------------------------------------------------------- */

void ex_room(Emit *e)
{
    EmitPriv *q = priv(e);
    agrow(&e->p->ctx, &q->temp, &q->captemp, e->p->nex + 1, sizeof *q->temp);
    agrow(&e->p->ctx, &q->raw, &q->capraw, e->p->nex + 1, sizeof *q->raw);
}

static const char *expr_text_choice(Emit *e, const Expr *k, int prec)
{
    const char *c = ex_text(e, k->arg[0], PRlor), *a = ex_text(e, k->arg[1], PRcond);
    const char *b = ex_text(e, k->arg[2], PRcond);
    return paren(e, prec > PRcond, afmt(&e->p->ctx, "%s ? %s : %s", c, a, b));
}

static const char *expr_text_part_name(EmitPriv *q, Ex x)
{
    for (uint32_t i = 0; i < q->npart; i++)
        q->part[i].used |= q->part[i].x == x;
    return q->temp[x];
}

/* Mixed && and ||, and & | ^ beside comparisons, have parentheses for the reader. */
static int expr_text_strict(int prec, int at, int beyond)
{
    return prec > beyond && prec != at ? PRpost : prec;
}

const char *ex_text(Emit *e, Ex x, int prec)
{
    Ctx *c = &e->p->ctx;
    Expr k = *ex_at(e->p, x);
    EmitPriv *q = priv(e);
    if (ex_raw(e, x))
        return from_stored(e, (enum Dtype)k.dt, ex_raw(e, x), true);
    if (x < q->captemp && q->temp[x])
        return expr_text_part_name(q, x);
    switch ((enum Xop)k.op) {
    case Xint: return int_text(e, k.i, (enum Dtype)k.dt, prec);
    case Xfloat: return float_text(e, k.f, (enum Dtype)k.dt, prec);
    case Xvar: return emit_varname(e, k.sym);
    case Xadd: case Xsub: case Xmul: case Xdiv: return expr_text_arithmetic(e, x, &k, prec);
    case Xfdiv: case Xfmod: case Xtdiv: case Xtmod: return division(e, x, &k, prec);
    case Xmin: case Xmax: return minmax(e, &k);
    case Xlt: return compared(e, &k, "<", ">", PRrel, prec);
    case Xle: return compared(e, &k, "<=", ">=", PRrel, prec);
    case Xeq: return compared(e, &k, "==", "==", PReq, prec);
    case Xne: return compared(e, &k, "!=", "!=", PReq, prec);
    case Xand: return expr_text_infix(e, &k, "&&", PRland, expr_text_strict(prec, PRland, PRcond));
    case Xor: return expr_text_infix(e, &k, "||", PRlor, expr_text_strict(prec, PRlor, PRcond));
    case Xband: return expr_text_infix(e, &k, "&", PRband, expr_text_strict(prec, PRband, PRland));
    case Xbor: return expr_text_infix(e, &k, "|", PRbor, expr_text_strict(prec, PRbor, PRland));
    case Xbxor: return expr_text_infix(e, &k, "^", PRbxor, expr_text_strict(prec, PRbxor, PRland));
    case Xshl: case Xshr: return expr_text_shift(e, &k, prec);
    case Xnot: return afmt(c, "!%s", ex_text(e, k.arg[0], PRunary));
    case Xbnot: {
        const char *t = afmt(c, "~%s", ex_text(e, k.arg[0], PRunary));
        if (dtypeinfo[k.dt].bits < 32)
            return k.dt == DTu4 || k.dt == DTi4
                       ? bits_text(e, (enum Dtype)k.dt, DTi32, t)
                       : paren(e, prec > PRunary, afmt(c, "%s%s", cast_to((enum Dtype)k.dt), t));
        return paren(e, prec > PRunary, t);
    }
    case Xselect: return expr_text_choice(e, &k, prec);
    case Xcast: return cast_text(e, k.arg[0], (enum Dtype)k.dt, prec, x == q->unrounded);
    case Xbits: return same_bits(e, &k);
    case Xload: return read_text(e, x, prec);
    case Xcall: return expr_text_intrinsic(e, x, &k, prec);
    default: diag_fail(c, E_bug, e->here, "an expression without a text", NULL);
    }
}

const char *emit_ex(Emit *e, Ex x) { return ex_text(e, x, PRpost); }
const char *emit_top(Emit *e, Ex x) { return ex_text(e, x, PRany); }

/* Shared parts ------------------------------------------------------------- */

enum { BigTree = 48, DearPart = 10 };


/* Whether evaluating x where the user would not is harmless, and worth a name. */
static bool expr_text_worth_naming(const Emit *e, const ExUses *s, Ex x)
{
    const Expr *k = ex_at(e->p, x);
    return s->n[x] > 1 && k->size >= DearPart && x_pure(e->p, x) &&
           !(k->op == Xload || is_narrow((enum Dtype)k->dt));
}

static int expr_text_by_handle(const void *a, const void *b)
{
    Ex x = *(const Ex *)a, y = *(const Ex *)b;
    return (x > y) - (x < y);
}

/* Handles grow from operands to results, so their order is an order of evaluation. */
void ex_begin(Emit *e, const Ex *x, int n)
{
    EmitPriv *q = priv(e);
    ExUses s = {0};
    uint32_t size = 0;
    for (int i = 0; i < n; i++)
        size += x[i] ? ex_at(e->p, x[i])->size : 0;
    if (size < BigTree)
        return;
    ex_room(e);
    for (int i = 0; i < n; i++)
        if (x[i])
            ex_uses(e->p, &s, x[i], NULL, NULL);
    if (s.nseen > 1)
        qsort(s.seen, s.nseen, sizeof *s.seen, expr_text_by_handle);
    for (uint32_t i = 0; i < s.nseen; i++) {
        if (!expr_text_worth_naming(e, &s, s.seen[i]))
            continue;
        agrow(&e->p->ctx, &q->part, &q->cappart, q->npart + 1, sizeof *q->part);
        q->temp[s.seen[i]] = emit_fresh(e, "part");
        q->part[q->npart++] = (struct EmitPart){s.seen[i], q->temp[s.seen[i]], NULL, false};
    }
}

void ex_end(Emit *e)
{
    EmitPriv *q = priv(e);
    for (uint32_t i = q->npart; i-- > 0;) { /* a part may use those before it */
        q->temp[q->part[i].x] = NULL;
        if (q->part[i].used)
            q->part[i].text = ex_text(e, q->part[i].x, PRany);
    }
    for (uint32_t i = 0; i < q->npart; i++)
        if (q->part[i].used)
            emit_line(e, "const %s %s = %s;", flight_type(expr_text_type_of(e, q->part[i].x)),
                      q->part[i].name, q->part[i].text);
    q->npart = 0;
}
