/* targets/cpu/emit_expr.c: expressions as C: the words of this target for core/emit/scalar.h,
 * and what statements share. */
#include "core/emit/emit.h"
#include "emit.h"

/* Words ------------------------------------------------------------------ */

static const char *cexpr_fn(Scalar *s, const char *name)
{
    return *name == '+' ? use(s->ud, name + 1) : name;
}

/* C's own must not wrap, and compilers rely on it. */
static bool cexpr_may_wrap(Scalar *s, Ex e)
{
    int64_t lo, hi;
    return !x_range(s->p, e, &lo, &hi) && (ex_type(s->p, e) != DTi64 || !reach(s->ud, e, &lo, &hi));
}

/* Division by zero gives 0, and that is told, unless the divisor is known to be another
 * number or may be padding. */
static void cexpr_divisor(Scalar *s, Ex e)
{
    Gen *g = s->ud;
    int64_t lo, hi;
    bool never = x_range(g->p, e, &lo, &hi) && (lo > 0 || hi < 0);
    if (never || g->host || g->early || padding_read(g->p, &g->padding, e)) {
        emit_expr(g, e, PRany);
        return;
    }
    put(g, "%s(rt, ", use(g, "divisor"));
    emit_expr(g, e, PRany);
    put(g, ", %u)", g->here.line);
}

static uint32_t cexpr_assume(Scalar *s, Ex cond, bool holds) { return refine(s->ud, cond, holds); }
static void cexpr_forget(Scalar *s, uint32_t mark) { refine_end(s->ud, mark); }

/* For float and double: the compiler's, or helpers. */
static const EmitMathName mathname[NIntr] = {
#define LIBM(id) [I##id] = {"__builtin_" #id "f", "__builtin_" #id}
#define OURS(id) [I##id] = {"+" #id "_f32", "__builtin_" #id}
    LIBM(acos), LIBM(acosh), LIBM(asin), LIBM(asinh), LIBM(atanh), LIBM(ceil),
    LIBM(floor), LIBM(trunc), LIBM(sqrt), LIBM(atan2), LIBM(copysign), LIBM(hypot),
    LIBM(nextafter), LIBM(pow), LIBM(sin), LIBM(cos), LIBM(tan), LIBM(sinh), LIBM(cosh),
    LIBM(log1p), LIBM(atan),
    OURS(exp), OURS(exp2), OURS(log), OURS(log2), OURS(log10), OURS(tanh), OURS(erf),
    [Iabs] = {"__builtin_fabsf", "__builtin_fabs"},
    [Iisnan] = {"+isnan_f32", "+isnan_f64"}, [Iisinf] = {"+isinf_f32", "+isinf_f64"},
    [Iisfinite] = {"+isfinite_f32", "+isfinite_f64"},
    [Iexp10] = {"+exp10_f32", "+exp10_f64"},
    [Inearbyint] = {"__builtin_rintf", "__builtin_rint"},
    [Iround] = {"__builtin_rintf", "__builtin_rint"},
    [Iround_away] = {"+round_away_f32", "+round_away_f64"},
    [Irsqrt] = {"+rsqrt_f32", "+rsqrt_f64"},
    [Isigmoid] = {"+sigmoid_f32", "+sigmoid_f64"},
    [Ifmodc] = {"__builtin_fmodf", "__builtin_fmod"},
    [Ildexp] = {"+ldexp_f32", "+ldexp_f64"},
    [Ifast_exp] = {"+fast_exp_f32", "__builtin_exp"},
    [Ifast_exp2] = {"+exp2_ftz_f32", "__builtin_exp2"},
    [Ifast_exp10] = {"+exp10_f32", "+exp10_f64"},
    [Ifast_log] = {"+log_f32", "__builtin_log"},
    [Ifast_log2] = {"+log2_f32", "__builtin_log2"},
    [Ifast_log10] = {"+log10_f32", "__builtin_log10"},
    [Ifast_sin] = {"+fast_sin_f32", "__builtin_sin"},
    [Ifast_cos] = {"+fast_cos_f32", "__builtin_cos"},
    [Ifast_tan] = {"+fast_tan_f32", "__builtin_tan"},
    [Ifast_rcp] = {"+rcp_f32", "+rcp_f64"},
    [Iieee_add] = {"+ieee_add_f32", "+ieee_add_f64"},
    [Iieee_sub] = {"+ieee_sub_f32", "+ieee_sub_f64"},
    [Iieee_mul] = {"+ieee_mul_f32", "+ieee_mul_f64"},
    [Iieee_fdiv] = {"+ieee_div_f32", "+ieee_div_f64"},
    [Iieee_fmaf] = {"+ieee_fma_f32", "+ieee_fma_f64"},
    [Iieee_frcp] = {"+ieee_rcp_f32", "+ieee_rcp_f64"},
    [Iieee_fsqrt] = {"+ieee_sqrt_f32", "+ieee_sqrt_f64"},
    [Iieee_frsqrt] = {"+ieee_rsqrt_f32", "+ieee_rsqrt_f64"},
#undef LIBM
#undef OURS
};

static void cexpr_call(Scalar *s, const Expr *k, enum Dtype dt)
{
    if (intrinfo[k->sym].level == 'T')
        refuse(s->ud, (Loc){0}, intrinfo[k->sym].text);
    scalar_call(s, dt == DTf64 ? mathname[k->sym].f64 : mathname[k->sym].f32, k->arg, k->n);
}

static void cexpr_var(Gen *g, const Expr *k, int prec)
{
    const Var *v = &g->p->var[k->sym];
    if (v->kind == Vthread) {
        if (v->lo != v->hi)
            refuse(g, (Loc){0}, "T.get_thread_binding");
        put(g, "%s", scalar_int(&g->scalar, v->lo, (enum Dtype)v->dt, prec));
        return;
    }
    if (!g->name[k->sym])
        diag_fail(g->c, E_bug, g->here,
                  afmt(g->c, "variable %s is used before it is declared", v->name), NULL);
    put(g, "%s", g->name[k->sym]);
}

static bool cexpr_leaf(Scalar *s, Ex e, const Expr *k, int prec)
{
    if (k->op == Xvar)
        cexpr_var(s->ud, k, prec);
    else if (k->op == Xload)
        emit_load(s->ud, e, prec);
    return k->op == Xvar || k->op == Xload;
}

const ScalarWords cpu_words = {
    .type = {"float", "double", "int", "unsigned", "long", "unsigned long"},
    .cast = {"(float)", "(double)", "(int)", "(unsigned)", "(long)", "(unsigned long)"},
    .suffix = {"f", "", "", "u", "L", "uL"},
    .nan = {"__builtin_nanf", "__builtin_nan"}, .nan_args = "(\"\")",
    .inf = {"__builtin_inff", "__builtin_inf"},
    .min = {"+min_f32", "+min_f64", "+min_i32", "+min_u32", "+min_i64", "+min_u64"},
    .max = {"+max_f32", "+max_f64", "+max_i32", "+max_u32", "+max_i64", "+max_u64"},
    .abs = {[FLi32] = "+abs_i32", [FLi64] = "+abs_i64"},
    .clz = {"+clz_u32", "+clz_u64"}, .popcount = {"+popcount_u32", "+popcount_u64"},
    .odd = {NULL, "+f64_odd", "+f64_odd", "+f64_odd", "+i64_odd", "+u64_odd"},
    .to_int = {{NULL, NULL, "+f32_i32", "+f32_u32", "+f32_i64", "+f32_u64"},
               {NULL, NULL, "+f64_i32", "+f64_u32", "+f64_i64", "+f64_u64"}},
    .fn = cexpr_fn, .leaf = cexpr_leaf, .may_wrap = cexpr_may_wrap, .divisor = cexpr_divisor,
    .round = cpu_round, .assume = cexpr_assume, .forget = cexpr_forget, .call = cexpr_call,
    .stored_bits = cpu_stored_bits, .float_bits = cpu_float_bits, .bits_float = cpu_bits_float,
};

/* Printing --------------------------------------------------------------- */

void emit_expr(Gen *g, Ex e, int prec)
{
    room(g);
    scalar_put(&g->scalar, e, prec);
}

void emit_as(Gen *g, Ex e, enum Dtype to, int prec)
{
    room(g);
    scalar_cast(&g->scalar, e, to, prec, false);
}

void emit_unrounded(Gen *g, Ex value)
{
    room(g);
    scalar_unrounded(&g->scalar, value, PRany);
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

void emit_temps(Gen *g, const Ex *e, int n)
{
    room(g);
    ex_shared(g->p, &g->uses, e, n, is_widened, g);
    for (uint32_t i = 0; i < g->uses.nseen; i++) {
        Ex k = g->uses.seen[i];
        if (!cexpr_worth_naming(g, k) || !safe_early(g, k))
            continue;
        const char *name = declare(g, "t");
        bool outer = g->fresh;
        begin(g);
        put(g, "const %s %s = ", value_type(type_of(g, k)), name);
        g->fresh = true; /* it may become an index */
        emit_expr(g, k, PRany);
        g->fresh = outer;
        put(g, ";\n");
        room(g);
        g->scalar.temp[k].name = name;
    }
    for (uint32_t i = 0; i < g->uses.nseen; i++)
        g->uses.n[g->uses.seen[i]] = 0;
}

void end_shared(Gen *g)
{
    for (uint32_t i = 0; i < g->uses.nseen; i++)
        g->scalar.temp[g->uses.seen[i]].name = NULL;
    g->uses.nseen = 0;
}
