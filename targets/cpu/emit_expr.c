/* targets/cpu/emit_expr.c: expressions as C.
 *
 * A value in flight has the C type of its class: int for bool and integers up
 * to 32 bits, unsigned, long, unsigned long, double, and float for float32 and
 * everything narrower.  A narrow float is a float that holds a value of its
 * type: arithmetic is done in float and rounded once, which is exact for
 * + - * / because 24 >= 2 * 11 + 2. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"

/* Arithmetic ----------------------------------------------------------- */

/* Whether signed + - * must be spelled so that it wraps: C's own must not, and
 * compilers rely on it. */
static bool cexpr_may_wrap(Gen *g, Ex e)
{
    int64_t lo, hi;
    return !x_range(g->p, e, &lo, &hi) && (type_of(g, e) != DTi64 || !reach(g, e, &lo, &hi));
}

static void cexpr_infix(Gen *g, const Expr *x, const char *op, int at, int prec)
{
    put(g, prec > at ? "(" : "");
    emit_expr(g, x->arg[0], at);
    put(g, " %s ", op);
    emit_expr(g, x->arg[1], at + 1);
    put(g, prec > at ? ")" : "");
}

static void cexpr_call2(Gen *g, const char *fn, const Expr *x)
{
    put(g, "%s(", use(g, fn));
    emit_expr(g, x->arg[0], PVany);
    put(g, ", ");
    emit_expr(g, x->arg[1], PVany);
    put(g, ")");
}

/* Suffix of helpers by the type of the value in flight. */
static const char *cexpr_suffix(enum Dtype dt)
{
    if (is_float(dt))
        return dt == DTf64 ? "f64" : "f32";
    if (bits_of(dt) == 64)
        return class_of(dt) == 'U' ? "u64" : "i64";
    return dt == DTu32 ? "u32" : "i32";
}

static const char *helper_name(char *buf, size_t n, const char *stem, enum Dtype dt)
{
    snprintf(buf, n, "%s_%s", stem, cexpr_suffix(dt));
    return buf;
}

static bool is_minus_one(const Gen *g, Ex e)
{
    const Expr *x = ex_at(g->p, e);
    return x->op == Xfloat && x->f == -1.0;
}

static void emit_sum(Gen *g, Ex e, const Expr *x, int prec)
{
    static const struct { const char *op; int prec; } ops[] = {
        [Xadd] = {"+", PVadd}, [Xsub] = {"-", PVadd}, [Xmul] = {"*", PVmul}, [Xdiv] = {"/", PVmul}};
    enum Dtype dt = (enum Dtype)x->dt;
    const char *op = ops[x->op].op;
    int at = ops[x->op].prec;
    if (is_float(dt)) {
        if (x->op == Xmul && is_minus_one(g, x->arg[1])) {
            put(g, prec > PVunary ? "(-" : "-");
            emit_expr(g, x->arg[0], PVpost);
            put(g, prec > PVunary ? ")" : "");
            return;
        }
        if (small_float(dt) && e != g->unrounded) {
            put(g, "%s(", use(g, round_name(dt)));
            cexpr_infix(g, x, op, at, PVany);
            put(g, ")");
            return;
        }
        cexpr_infix(g, x, op, at, prec);
    } else if (dt == DTu32 || dt == DTu64) {
        cexpr_infix(g, x, op, at, prec);
    } else if (!cexpr_may_wrap(g, e)) {
        cexpr_infix(g, x, op, at, prec);
    } else {
        bool wide = bits_of(dt) == 64;
        const char *u = wide ? "(unsigned long)" : "(unsigned)";
        put(g, prec > PVunary ? "(%s(%s" : "%s(%s", int_cast(dt), u);
        emit_expr(g, x->arg[0], PVunary);
        put(g, " %s %s", op, u);
        emit_expr(g, x->arg[1], PVunary);
        put(g, prec > PVunary ? "))" : ")");
    }
}

/* Called for a division whose divisor is not known to be positive: by zero it gives 0, and
 * that is told, unless the divisor is known to be another number or may be padding. */
static void emit_quotient(Gen *g, const char *fn, const Expr *x)
{
    int64_t lo, hi;
    bool never = x_range(g->p, x->arg[1], &lo, &hi) && (lo > 0 || hi < 0);
    if (never || g->host || g->early || padding_read(g->p, &g->padding, x->arg[1])) {
        cexpr_call2(g, fn, x);
        return;
    }
    put(g, "%s(", use(g, fn));
    emit_expr(g, x->arg[0], PVany);
    put(g, ", %s(rt, ", use(g, "divisor"));
    emit_expr(g, x->arg[1], PVany);
    put(g, ", %u))", g->here.line);
}

/* // and % towards minus infinity; truncating ones for tdiv and tmod. */
static void emit_division(Gen *g, const Expr *x, int prec)
{
    char name[24];
    int64_t lo = 0, hi, c = 0, clo, chi;
    enum Dtype dt = (enum Dtype)x->dt;
    bool div = x->op == Xfdiv || x->op == Xtdiv, floor_ = x->op == Xfdiv || x->op == Xfmod;
    if (is_float(dt)) {
        if (small_float(dt))
            put(g, "%s(", use(g, round_name(dt)));
        cexpr_call2(g, helper_name(name, sizeof name, div ? "floordiv" : "floormod", dt), x);
        put(g, small_float(dt) ? ")" : "");
        return;
    }
    bool positive = x_range(g->p, x->arg[1], &clo, &chi) && clo > 0;
    bool constant = x_isint(g->p, x->arg[1], &c);
    bool nonneg = class_of(dt) == 'U' || (x_range(g->p, x->arg[0], &lo, &hi) && lo >= 0);
    if (positive && (nonneg || !floor_)) {
        cexpr_infix(g, x, div ? "/" : "%", PVmul, prec);
    } else if (constant && c > 0 && (c & (c - 1)) == 0) {
        int at = div ? PVshift : PVband;
        put(g, prec > at ? "(" : "");
        emit_expr(g, x->arg[0], at + 1);
        put(g, div ? " >> %" PRId64 : " & %" PRId64,
            div ? (int64_t)__builtin_ctzll((uint64_t)c) : c - 1);
        put(g, prec > at ? ")" : "");
    } else {
        const char *stem = floor_ ? div ? "floordiv" : "floormod" : div ? "truncdiv" : "truncmod";
        bool narrow = div && bits_of(dt) < 32 && class_of(dt) == 'I'; /* least / -1 */
        put(g, "%s", narrow ? prec > PVunary ? "(" : "" : "");
        put(g, "%s", narrow ? int_cast(dt) : "");
        emit_quotient(g, helper_name(name, sizeof name, stem, dt), x);
        put(g, "%s", narrow && prec > PVunary ? ")" : "");
    }
}

static void emit_shift(Gen *g, const Expr *x, int prec)
{
    char name[24];
    enum Dtype dt = (enum Dtype)x->dt;
    int64_t n;
    bool left = x->op == Xshl, fixed = x_isint(g->p, x->arg[1], &n);
    bool narrow = bits_of(dt) < 32 && left;
    if (narrow)
        put(g, prec > PVunary ? "(%s" : "%s", int_cast(dt));
    int inner = narrow ? PVunary : prec;
    if (fixed && (!left || class_of(dt) == 'U')) {
        cexpr_infix(g, x, left ? "<<" : ">>", PVshift, inner);
    } else if (fixed) {
        put(g, inner > PVunary ? "(%s(" : "%s(", bits_of(dt) == 64 ? "(long)" : "(int)");
        put(g, bits_of(dt) == 64 ? "(unsigned long)" : "(unsigned)");
        emit_expr(g, x->arg[0], PVunary);
        put(g, " << %" PRId64 ")%s", n, inner > PVunary ? ")" : "");
    } else {
        cexpr_call2(g, helper_name(name, sizeof name, left ? "shl" : "shr", dt), x);
    }
    put(g, narrow && prec > PVunary ? ")" : "");
}

static void emit_minmax(Gen *g, const Expr *x)
{
    char name[24];
    cexpr_call2(g, helper_name(name, sizeof name, x->op == Xmin ? "min" : "max", (enum Dtype)x->dt),
                x);
}

/* The unsigned integer of a type's width: the bits of floats travel in it. */
static enum Dtype cexpr_bits_type(enum Dtype dt)
{
    int n = bits_of(dt);
    return n == 8 ? DTu8 : n == 16 ? DTu16 : n == 32 ? DTu32 : DTu64;
}

static void emit_bits(Gen *g, const Expr *x)
{
    static const struct { const char *pack, *unpack; } fn[NDtype] = {
        [DTf16] = {"f32_f16", "f16_f32"}, [DTbf16] = {"f32_bf16", "bf16_f32"},
        [DTe4m3] = {"f32_e4m3", "e4m3_f32"}, [DTe5m2] = {"f32_e5m2", "e5m2_f32"},
        [DTf32] = {"bits_f32", "f32_bits"}, [DTtf32] = {"bits_f32", "f32_bits"},
        [DTf64] = {"bits_f64", "f64_bits"}};
    enum Dtype to = (enum Dtype)x->dt, from = type_of(g, x->arg[0]);
    if (bits_of(to) == 4) { /* int4 <-> uint4 */
        put(g, to == DTu4 ? "(15 & " : "((int)((unsigned)");
        emit_expr(g, x->arg[0], PVunary);
        put(g, to == DTu4 ? ")" : " << 28) >> 28)");
        return;
    }
    put(g, "(");
    if (is_float(to))
        put(g, "%s(", use(g, fn[to].unpack));
    if (!is_float(to) || !is_float(from))
        put(g, "%s", int_cast(is_float(to) ? cexpr_bits_type(to) : to));
    if (is_float(from))
        put(g, "%s(", use(g, fn[from].pack));
    emit_expr(g, x->arg[0], is_float(from) ? PVany : PVunary);
    put(g, "%s%s)", is_float(from) ? ")" : "", is_float(to) ? ")" : "");
}

/* Intrinsics ----------------------------------------------------------- */

/* C spellings for float and double.  Without __builtin_ it is a helper. */
static const struct { const char *f32, *f64; } mathname[NIntr] = {
#define LIBM(id) [I##id] = {"__builtin_" #id "f", "__builtin_" #id}
#define OURS(id) [I##id] = {#id "_f32", "__builtin_" #id}
    LIBM(acos), LIBM(acosh), LIBM(asin), LIBM(asinh), LIBM(atanh), LIBM(ceil),
    LIBM(floor), LIBM(trunc), LIBM(sqrt), LIBM(atan2), LIBM(copysign), LIBM(hypot),
    LIBM(nextafter), LIBM(pow), LIBM(sin), LIBM(cos), LIBM(tan), LIBM(sinh), LIBM(cosh),
    LIBM(log1p), LIBM(atan),
    OURS(exp), OURS(exp2), OURS(log), OURS(log2), OURS(log10), OURS(tanh), OURS(erf),
    [Iexp10] = {"exp10_f32", "exp10_f64"},
    [Inearbyint] = {"__builtin_rintf", "__builtin_rint"},
    [Iround] = {"__builtin_rintf", "__builtin_rint"},
    [Iround_away] = {"round_away_f32", "round_away_f64"},
    [Irsqrt] = {"rsqrt_f32", "rsqrt_f64"},
    [Isigmoid] = {"sigmoid_f32", "sigmoid_f64"},
    [Ifmodc] = {"__builtin_fmodf", "__builtin_fmod"},
    [Ildexp] = {"ldexp_f32", "ldexp_f64"},
    [Ifast_exp] = {"fast_exp_f32", "__builtin_exp"},
    [Ifast_exp2] = {"exp2_f32", "__builtin_exp2"},
    [Ifast_exp10] = {"exp10_f32", "exp10_f64"},
    [Ifast_log] = {"log_f32", "__builtin_log"},
    [Ifast_log2] = {"log2_f32", "__builtin_log2"},
    [Ifast_log10] = {"log10_f32", "__builtin_log10"},
    [Ifast_sin] = {"fast_sin_f32", "__builtin_sin"},
    [Ifast_cos] = {"fast_cos_f32", "__builtin_cos"},
    [Ifast_tan] = {"fast_tan_f32", "__builtin_tan"},
    [Ifast_rcp] = {"rcp_f32", "rcp_f64"},
    [Iieee_add] = {"ieee_add_f32", "ieee_add_f64"},
    [Iieee_sub] = {"ieee_sub_f32", "ieee_sub_f64"},
    [Iieee_mul] = {"ieee_mul_f32", "ieee_mul_f64"},
    [Iieee_fdiv] = {"ieee_div_f32", "ieee_div_f64"},
    [Iieee_fmaf] = {"ieee_fma_f32", "ieee_fma_f64"},
    [Iieee_frcp] = {"ieee_rcp_f32", "ieee_rcp_f64"},
    [Iieee_fsqrt] = {"ieee_sqrt_f32", "ieee_sqrt_f64"},
    [Iieee_frsqrt] = {"ieee_rsqrt_f32", "ieee_rsqrt_f64"},
#undef LIBM
#undef OURS
};

static void call_args(Gen *g, const char *fn, const Expr *x)
{
    put(g, "%s(", strncmp(fn, "__builtin_", 10) == 0 ? fn : use(g, fn));
    for (int i = 0; i < x->n; i++) {
        put(g, i ? ", " : "");
        emit_expr(g, x->arg[i], PVany);
    }
    put(g, ")");
}

/* Bit counts are those of the type's own width.  C counts in int. */
static void emit_count(Gen *g, const Expr *x)
{
    char name[24];
    enum Dtype dt = (enum Dtype)x->dt;
    int n = bits_of(dt);
    bool clz = x->sym == Iclz, cast = strcmp(value_type(dt), value_type(DTi32)) != 0;
    put(g, "%s%s", cast ? "(" : "", cast ? int_cast(dt) : "");
    helper_name(name, sizeof name, clz ? "clz" : "popcount", n == 64 ? DTu64 : DTu32);
    put(g, "%s%s(", clz && n < 32 ? "(" : "", use(g, name));
    put(g, "%s", int_cast(cexpr_bits_type(dt)));
    emit_expr(g, x->arg[0], PVunary);
    put(g, clz && n < 32 ? ") - %d)" : ")", 32 - n);
    put(g, cast ? ")" : "");
}

static void emit_call(Gen *g, Ex e, const Expr *x)
{
    char name[24];
    enum Dtype dt = (enum Dtype)x->dt, at = x->n ? type_of(g, x->arg[0]) : DTnone;
    bool rounds = small_float(dt) && x->sym != Iabs && x->sym != Icopysign && e != g->unrounded;
    if (intrinfo[x->sym].level == 'T')
        refuse(g, (Loc){0}, intrinfo[x->sym].text);
    switch (x->sym) {
    case Iisnan: call_args(g, at == DTf64 ? "isnan_f64" : "isnan_f32", x); return;
    case Iisinf: call_args(g, at == DTf64 ? "isinf_f64" : "isinf_f32", x); return;
    case Iisfinite: call_args(g, at == DTf64 ? "isfinite_f64" : "isfinite_f32", x); return;
    case Iclz: case Ipopcount: emit_count(g, x); return;
    case Iabs:
        if (is_float(dt))
            call_args(g, dt == DTf64 ? "__builtin_fabs" : "__builtin_fabsf", x);
        else if (class_of(dt) == 'I') {
            put(g, "%s", bits_of(dt) < 32 ? "(" : "");
            put(g, "%s", bits_of(dt) < 32 ? int_cast(dt) : "");
            call_args(g, helper_name(name, sizeof name, "abs", dt), x);
            put(g, "%s", bits_of(dt) < 32 ? ")" : "");
        }
        else
            emit_expr(g, x->arg[0], PVpost);
        return;
    default: break;
    }
    if (rounds)
        put(g, "%s(", use(g, round_name(dt)));
    call_args(g, dt == DTf64 ? mathname[x->sym].f64 : mathname[x->sym].f32, x);
    put(g, rounds ? ")" : "");
}

/* ---------------------------------------------------------------------- */

static void emit_var(Gen *g, const Expr *x, int prec)
{
    const Var *v = &g->p->var[x->sym];
    if (v->kind == Vthread) {
        if (v->lo != v->hi)
            refuse(g, (Loc){0}, "T.get_thread_binding");
        emit_int(g, v->lo, (enum Dtype)v->dt, prec);
        return;
    }
    if (!g->name[x->sym])
        diag_fail(g->c, E_bug, g->here,
                  afmt(g->c, "variable %s is used before it is declared", v->name), NULL);
    put(g, "%s", g->name[x->sym]);
}

void emit_expr(Gen *g, Ex e, int prec)
{
    room(g);
    if (g->temp[e]) {
        put(g, "%s", g->temp[e]);
        return;
    }
    Expr x = *ex_at(g->p, e);
    switch (x.op) {
    case Xint: emit_int(g, x.i, (enum Dtype)x.dt, prec); break;
    case Xfloat: emit_float(g, x.f, (enum Dtype)x.dt, prec); break;
    case Xvar: emit_var(g, &x, prec); break;
    case Xadd: case Xsub: case Xmul: case Xdiv: emit_sum(g, e, &x, prec); break;
    case Xfdiv: case Xfmod: case Xtdiv: case Xtmod: emit_division(g, &x, prec); break;
    case Xmin: case Xmax: emit_minmax(g, &x); break;
    case Xlt: cexpr_infix(g, &x, "<", PVrel, prec); break;
    case Xle: cexpr_infix(g, &x, "<=", PVrel, prec); break;
    case Xeq: cexpr_infix(g, &x, "==", PVeq, prec); break;
    case Xne: cexpr_infix(g, &x, "!=", PVeq, prec); break;
    case Xand:
        cexpr_infix(g, &x, "&&", PVland, prec > PVcond && prec != PVland ? PVpost : prec);
        break;
    case Xor:
        cexpr_infix(g, &x, "||", PVlor, prec > PVcond && prec != PVlor ? PVpost : prec);
        break;
    case Xband: cexpr_infix(g, &x, "&", PVband, prec > PVland ? PVpost : prec); break;
    case Xbor: cexpr_infix(g, &x, "|", PVbor, prec > PVland ? PVpost : prec); break;
    case Xbxor: cexpr_infix(g, &x, "^", PVbxor, prec > PVland ? PVpost : prec); break;
    case Xshl: case Xshr: emit_shift(g, &x, prec > PVrel ? PVpost : prec); break;
    case Xnot:
        put(g, "!");
        emit_expr(g, x.arg[0], PVunary);
        break;
    case Xbnot:
        put(g, prec > PVunary ? "(" : "");
        put(g, "%s~", bits_of((enum Dtype)x.dt) < 32 ? int_cast((enum Dtype)x.dt) : "");
        emit_expr(g, x.arg[0], PVunary);
        put(g, prec > PVunary ? ")" : "");
        break;
    case Xselect: {
        put(g, prec > PVcond ? "(" : "");
        emit_expr(g, x.arg[0], PVlor);
        put(g, " ? ");
        uint32_t mark = refine(g, x.arg[0], true);
        emit_expr(g, x.arg[1], PVcond);
        refine_end(g, mark);
        put(g, " : ");
        mark = refine(g, x.arg[0], false);
        emit_expr(g, x.arg[2], PVcond);
        refine_end(g, mark);
        put(g, prec > PVcond ? ")" : "");
        break;
    }
    case Xcast: emit_cast(g, x.arg[0], (enum Dtype)x.dt, prec, e == g->unrounded); break;
    case Xbits: emit_bits(g, &x); break;
    case Xload: emit_load(g, e, prec); break;
    case Xcall: emit_call(g, e, &x); break;
    default: diag_fail(g->c, E_bug, g->here, "an expression without C spelling", NULL);
    }
}

/* Shared subexpressions ------------------------------------------------ */

bool index_widens(Gen *g, uint32_t buf, const Ex *idx, int d)
{
    return widened_index(g, idx[d], g->p->buf[buf].shape[d]) != 0;
}

static bool is_widened(void *ud, Ex e, int i)
{
    Gen *g = ud;
    Expr x = *ex_at(g->p, e);
    return x.op == Xload && index_widens(g, x.sym, x.arg, i);
}

static bool may_fail(void *ud, Ex e)
{
    Gen *g = ud;
    Expr x = *ex_at(g->p, e);
    return x.op == Xload && access_may_fail(g, x.sym, x.arg);
}

/* Whether evaluating e where the user would not is harmless. */
static bool safe_early(Gen *g, Ex e) { return !ex_any(g->p, e, may_fail, g); }

static bool cexpr_worth_naming(Gen *g, Ex e)
{
    const Expr *x = ex_at(g->p, e);
    if (g->uses.n[e] < 2 || (x->op == Xload && g->place[x->sym].kind == PLscalar))
        return false;
    if (x->op == Xcast && ex_at(g->p, x->arg[0])->n == 0)
        return false;
    int few = ex_index_like(g->p, e) ? 8 : 2; /* indices read better where they stand */
    return (int)x->size > few || (x->op == Xload && x->n > 0 && few == 2);
}

static int cexpr_by_handle(const void *a, const void *b)
{
    Ex x = *(const Ex *)a, y = *(const Ex *)b;
    return (x > y) - (x < y);
}

/* Handles grow from operands to results, so their order is an order of
 * evaluation. */
void emit_temps(Gen *g, const Ex *e, int n)
{
    room(g);
    g->uses.nseen = 0;
    for (int i = 0; i < n; i++)
        if (e[i])
            ex_uses(g->p, &g->uses, e[i], is_widened, g);
    if (g->uses.nseen > 1)
        qsort(g->uses.seen, g->uses.nseen, sizeof *g->uses.seen, cexpr_by_handle);
    for (uint32_t i = 0; i < g->uses.nseen; i++) {
        Ex k = g->uses.seen[i];
        if (!cexpr_worth_naming(g, k) || !safe_early(g, k))
            continue;
        const char *name = declare(g, "t");
        bool outer = g->fresh;
        begin(g);
        put(g, "const %s %s = ", value_type(type_of(g, k)), name);
        g->fresh = true; /* it may become an index */
        emit_expr(g, k, PVany);
        g->fresh = outer;
        put(g, ";\n");
        room(g);
        g->temp[k] = name;
    }
    for (uint32_t i = 0; i < g->uses.nseen; i++)
        g->uses.n[g->uses.seen[i]] = 0;
}

void end_shared(Gen *g)
{
    for (uint32_t i = 0; i < g->uses.nseen; i++)
        g->temp[g->uses.seen[i]] = NULL;
    g->uses.nseen = 0;
}
