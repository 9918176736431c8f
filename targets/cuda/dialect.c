/* targets/cuda/dialect.c: CUDA C++ as a dialect of the printer: names of types and
 * of the numbers of threads, conversions, functions. */
#include <string.h>

#include "cuda.h"
#include "prelude.h"

/* Types -------------------------------------------------------------------- */

static const char *type(Emit *e, enum Dtype dt)
{
    static const char *const name[NDtype] = {
        [DTbool] = "unsigned char", [DTi4] = "signed char", [DTi8] = "signed char",
        [DTi16] = "short", [DTi32] = "int", [DTi64] = "long long",
        [DTu4] = "unsigned char", [DTu8] = "unsigned char", [DTu16] = "unsigned short",
        [DTu32] = "unsigned", [DTu64] = "unsigned long long",
        [DTf32] = "float", [DTtf32] = "float", [DTf64] = "double",
        [DTf16] = "f16", [DTbf16] = "bf16", [DTe4m3] = "e4m3", [DTe5m2] = "e5m2"};
    bool own = dt == DTf16 || dt == DTbf16 || dt == DTe4m3 || dt == DTe5m2;
    return own ? emit_need(e, name[dt]) : name[dt];
}

static const char *cast(Emit *e, enum Dtype to, enum Dtype from, const char *x)
{
    static const char *const narrow[NDtype] = {
        [DTf16] = "f16_rn", [DTbf16] = "bf16_rn", [DTe4m3] = "e4m3_rn", [DTe5m2] = "e5m2_rn",
        [DTtf32] = "tf32_rn"};
    static const char *const wide[NDtype] = {
        [DTf16] = "f32_f16", [DTbf16] = "f32_bf16", [DTe4m3] = "f32_e4m3", [DTe5m2] = "f32_e5m2"};
    Ctx *c = &e->p->ctx;
    if (to == DTf32 && wide[from]) { /* one name for all: f32(x) */
        emit_need(e, wide[from]);
        return afmt(c, "f32(%s)", x);
    }
    return from == DTf32 && narrow[to] ? afmt(c, "%s(%s)", emit_need(e, narrow[to]), x) : NULL;
}

/* Functions ---------------------------------------------------------------- */

/* Functions of CUDA for float and double.  "+name" is a helper of ours, @ stands for
 * arguments in an order of their own. */
static const struct { const char *f32, *f64; } function[NIntr] = {
    [Iabs] = {"fabsf", "fabs"}, [Iacos] = {"acosf", "acos"}, [Iacosh] = {"acoshf", "acosh"},
    [Iasin] = {"asinf", "asin"}, [Iasinh] = {"asinhf", "asinh"}, [Iatan] = {"atanf", "atan"},
    [Iatanh] = {"atanhf", "atanh"}, [Iceil] = {"ceilf", "ceil"}, [Icos] = {"cosf", "cos"},
    [Icosh] = {"coshf", "cosh"}, [Ierf] = {"erff", "erf"}, [Iexp] = {"expf", "exp"},
    [Iexp2] = {"+exp2_ftz", "exp2"}, [Iexp10] = {"exp10f", "exp10"},
    [Ifloor] = {"floorf", "floor"}, [Iisfinite] = {"+is_finite", "+is_finite"},
    [Iisinf] = {"+is_inf", "+is_inf"}, [Iisnan] = {"+is_nan", "+is_nan"},
    [Ilog] = {"logf", "log"}, [Ilog10] = {"log10f", "log10"}, [Ilog1p] = {"log1pf", "log1p"},
    [Ilog2] = {"log2f", "log2"}, [Inearbyint] = {"rintf", "rint"}, [Iround] = {"rintf", "rint"},
    [Iround_away] = {"roundf", "round"}, [Irsqrt] = {"rsqrtf", "rsqrt"},
    [Isigmoid] = {"+sigmoid_f32", "+sigmoid_f64"}, [Isin] = {"sinf", "sin"},
    [Isinh] = {"sinhf", "sinh"}, [Isqrt] = {"sqrtf", "sqrt"}, [Itan] = {"tanf", "tan"},
    [Itanh] = {"tanhf", "tanh"}, [Itrunc] = {"truncf", "trunc"}, [Iatan2] = {"atan2f", "atan2"},
    [Icopysign] = {"copysignf", "copysign"}, [Ifmodc] = {"fmodf", "fmod"},
    [Ihypot] = {"hypotf", "hypot"}, [Ildexp] = {"+ldexp_f32", "+ldexp_f64"},
    [Inextafter] = {"nextafterf", "nextafter"}, [Ipow] = {"powf", "pow"},
    [Ifast_exp] = {"__expf", "exp"}, [Ifast_exp10] = {"__exp10f", "exp10"},
    [Ifast_log] = {"__logf", "log"}, [Ifast_log2] = {"__log2f", "log2"},
    [Ifast_log10] = {"__log10f", "log10"}, [Ifast_sin] = {"__sinf", "sin"},
    [Ifast_cos] = {"__cosf", "cos"}, [Ifast_tan] = {"__tanf", "tan"},
    [Ifast_rcp] = {"+fast_rcp", "__drcp_rn"},
    [Iieee_frsqrt] = {"__frsqrt_rn", "+frsqrt_f64"},
};

/* What -fast-math takes instead. */
static const char *const approximate[NIntr] = {
    [Iexp] = "__expf", [Iexp10] = "__exp10f", [Ilog] = "__logf", [Ilog2] = "__log2f",
    [Ilog10] = "__log10f", [Isin] = "__sinf", [Icos] = "__cosf", [Itan] = "__tanf",
    [Ipow] = "__powf", [Itanh] = "+tanh_approx", [Isqrt] = "+sqrt_approx"};

/* "__fadd" of __fadd_rn, __fadd_rz ..: by rounding mode. */
static const struct { const char *f32, *f64; } rounding[NIntr] = {
    [Iieee_add] = {"__fadd", "__dadd"}, [Iieee_sub] = {"__fsub", "__dsub"},
    [Iieee_mul] = {"__fmul", "__dmul"}, [Iieee_fdiv] = {"__fdiv", "__ddiv"},
    [Iieee_fmaf] = {"__fmaf", "__fma"}, [Iieee_frcp] = {"__frcp", "__drcp"},
    [Iieee_fsqrt] = {"__fsqrt", "__dsqrt"}};
static const char *const mode[] = {"rn", "rz", "ru", "rd"};

static const char *list(Ctx *c, const char *const *arg, int n)
{
    const char *s = n ? arg[0] : "";
    for (int i = 1; i < n; i++)
        s = afmt(c, "%s, %s", s, arg[i]);
    return s;
}

static const char *ieee(Emit *e, enum Intr fn, bool d, const char *const *arg, int n)
{
    Ctx *c = &e->p->ctx;
    const char *stem = d ? rounding[fn].f64 : rounding[fn].f32, *m = arg[n - 1];
    const char *args = list(c, arg, n - 1), *t = "";
    for (int i = 0; i < 4; i++)
        if (m[0] == (char)('0' + i) && (!m[1] || strcmp(m + 1, ".0f") == 0 ||
                                        strcmp(m + 1, ".0") == 0))
            return afmt(c, "%s_%s(%s)", stem, mode[i], args);
    for (int i = 1; i < 4; i++)
        t = afmt(c, "%s(%s) == %d ? %s_%s(%s) : ", t, m, i, stem, mode[i], args);
    return afmt(c, "(%s%s_rn(%s))", t, stem, args);
}

/* What the lanes of a warp, and the threads of a block, do together. */
static const char *together(Emit *e, enum Intr fn, enum Dtype dt, const char *const *arg, int n)
{
    static const char *const shuffle[NIntr] = {
        [Ishfl] = "__shfl_sync", [Ishfl_xor] = "__shfl_xor_sync", [Ishfl_up] = "__shfl_up_sync",
        [Ishfl_down] = "__shfl_down_sync"};
    Ctx *c = &e->p->ctx;
    (void)n;
    switch (fn) {
    case Ishfl: case Ishfl_xor: case Ishfl_up: case Ishfl_down:
        return afmt(c, "%s(%s, %s, %s, %s)", shuffle[fn], arg[3], arg[0], arg[1], arg[2]);
    case Iany_sync: return afmt(c, "__any_sync(%s, %s)", arg[1], arg[0]);
    case Iall_sync: return afmt(c, "__all_sync(%s, %s)", arg[1], arg[0]);
    case Iballot: return afmt(c, "__ballot_sync(%s, %s)", arg[1], arg[0]);
    case Iactivemask: return "__activemask()";
    case Imatch_any: return afmt(c, "__match_any_sync(%s, %s)", arg[1], arg[0]);
    case Imatch_all: return afmt(c, "%s(%s, %s)", emit_need(e, "match_all"), arg[1], arg[0]);
    case Icount_sync: return afmt(c, "__syncthreads_count(%s)", arg[0]);
    case Iand_sync: return afmt(c, "__syncthreads_and(%s)", arg[0]);
    case Ior_sync: return afmt(c, "__syncthreads_or(%s)", arg[0]);
    case Ishuffle_elect:
        return afmt(c, "%s(%s, %s)", emit_need(e, "elect"),
                    emit_varname(e, e->l->launch->launch.thread[0]), arg[0]);
    default:
        return afmt(c, "%s(%s)", emit_need(e, afmt(c, "%s_%s", intrinfo[fn].text,
                                                   dtypeinfo[dt].name)), arg[0]);
    }
}

static const char *call(Emit *e, enum Intr fn, enum Dtype dt, const char *const *arg, int n)
{
    Ctx *c = &e->p->ctx;
    bool d = dt == DTf64;
    if (intrinfo[fn].level == 'T')
        return together(e, fn, dt, arg, n);
    if (rounding[fn].f32)
        return ieee(e, fn, d, arg, n);
    if (fn == Iabs && dtypeinfo[dt].cls != 'F')
        return afmt(c, dt == DTi64 ? "llabs(%s)" : "abs(%s)", arg[0]);
    const char *f = d ? function[fn].f64 : function[fn].f32;
    if (e->fast_math && !d && approximate[fn])
        f = approximate[fn];
    if (!f)
        return NULL;
    if (fn == Iieee_frsqrt || fn == Ifast_rcp)
        n = 1;
    return afmt(c, "%s(%s)", *f == '+' ? emit_need(e, f + 1) : f, list(c, arg, n));
}

/* Statements ----------------------------------------------------------------- */

static void sync_threads(Emit *e, const Stmt *s)
{
    int64_t id = -1, count = -1;
    if (s->call.arg[0])
        x_isint(e->p, s->call.arg[0], &id);
    if (s->call.arg[1])
        x_isint(e->p, s->call.arg[1], &count);
    if (id <= 0 && (count < 0 || count == e->l->threads))
        emit_line(e, "%s", e->d->sync_block);
    else
        emit_line(e, "%s(%d, %d);", emit_need(e, "bar_sync"), id < 0 ? 0 : (int)id,
                  count < 0 ? e->l->threads : (int)count);
}

/* The parameter that points to the counters of grid-wide barriers. */
static const char *counters(Emit *e)
{
    for (int i = 0; i < e->l->nparam; i++)
        if (e->l->param[i].kind == PKgrid)
            return e->l->param[i].name;
    diag_fail(&e->p->ctx, E_bug, e->here, "a grid-wide barrier without counters", NULL);
}

static void op(Emit *e, const Stmt *s)
{
    if (s->kind == Sop)
        cuda_op(e, s);
    else if (s->call.fn == Isync_threads)
        sync_threads(e, s);
    else if (s->call.fn == Isync_warp)
        emit_line(e, "__syncwarp(%s);", s->call.arg[0] ? emit_top(e, s->call.arg[0]) : "");
    else
        emit_line(e, "%s(%s);", emit_need(e, "grid_sync"), counters(e));
}

const Dialect cuda_dialect = {
    .name = "cuda",
    .global_fn = "extern \"C\" __global__ void",
    .device_fn = "static __device__ __forceinline__",
    .bounds = "__launch_bounds__",
    .cluster = "__cluster_dims__",
    .grid_constant = "__grid_constant__",
    .restrict_word = "__restrict__",
    .shared = "extern __shared__ __align__(1024) unsigned char smem[];",
    .unroll = "#pragma unroll",
    .no_unroll = "#pragma unroll 1",
    .tid = "threadIdx.x",
    .bid = {"blockIdx.x", "blockIdx.y", "blockIdx.z"},
    .griddim = {"gridDim.x", "gridDim.y", "gridDim.z"},
    .sync_block = "__syncthreads();",
    .stream = "load_stream",
    .warp = 32,
    .type = type,
    .cast = cast,
    .call = call,
    .op = op,
    .helper = cuda_helper,
};
