/* targets/cuda/dialect.c: CUDA C++ as a dialect of the printer: functions, names of the
 * numbers of threads, barriers. */
#include <string.h>

#include "cuda.h"
#include "prelude.h"

/* Functions ---------------------------------------------------------------- */

/* Functions of CUDA for float and double. */
static const EmitMathName function[NIntr] = {
    [Iabs] = {"fabsf", "fabs"}, [Iacos] = {"acosf", "acos"}, [Iacosh] = {"acoshf", "acosh"},
    [Iasin] = {"asinf", "asin"}, [Iasinh] = {"asinhf", "asinh"}, [Iatan] = {"atanf", "atan"},
    [Iatanh] = {"atanhf", "atanh"}, [Iceil] = {"ceilf", "ceil"}, [Icos] = {"cosf", "cos"},
    [Icosh] = {"coshf", "cosh"}, [Ierf] = {"erff", "erf"}, [Iexp] = {"expf", "exp"},
    [Iexp2] = {"+exp2_approx", "exp2"}, [Iexp10] = {"exp10f", "exp10"},
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
    [Ifast_exp] = {"__expf", "exp"}, [Ifast_exp2] = {"+exp2_ftz", "exp2"},
    [Ifast_exp10] = {"__exp10f", "exp10"},
    [Ifast_log] = {"__logf", "log"}, [Ifast_log2] = {"__log2f", "log2"},
    [Ifast_log10] = {"__log10f", "log10"}, [Ifast_sin] = {"__sinf", "sin"},
    [Ifast_cos] = {"__cosf", "cos"}, [Ifast_tan] = {"__tanf", "tan"},
    [Ifast_rcp] = {"+fast_rcp", "__drcp_rn"},
    [Iieee_frsqrt] = {"__frsqrt_rn", "+frsqrt_f64"},
};

/* What -fast-math takes instead. */
static const char *const approximate[NIntr] = {
    [Iexp] = "__expf", [Iexp2] = "+exp2_ftz", [Iexp10] = "__exp10f", [Ilog] = "__logf", [Ilog2] = "__log2f",
    [Ilog10] = "__log10f", [Isin] = "__sinf", [Icos] = "__cosf", [Itan] = "__tanf",
    [Ipow] = "__powf", [Itanh] = "+tanh_approx", [Isqrt] = "+sqrt_approx"};

static const EmitMathName rounding[NIntr] = {
    [Iieee_add] = {"__fadd_%s", "__dadd_%s"}, [Iieee_sub] = {"__fsub_%s", "__dsub_%s"},
    [Iieee_mul] = {"__fmul_%s", "__dmul_%s"}, [Iieee_fdiv] = {"__fdiv_%s", "__ddiv_%s"},
    [Iieee_fmaf] = {"__fmaf_%s", "__fma_%s"}, [Iieee_frcp] = {"__frcp_%s", "__drcp_%s"},
    [Iieee_fsqrt] = {"__fsqrt_%s", "__dsqrt_%s"}};

static const EmitMath math = {function, approximate, rounding, {"rn", "rz", "ru", "rd"}};

/* What the lanes of a warp, and the threads of a block, do together. */
static const char *cuda_dialect_together(Emit *e, enum Intr fn, enum Dtype dt,
                                         const char *const *arg, int n)
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
    case Iballot: return afmt(c, "(unsigned long long)__ballot_sync(%s, %s)", arg[1], arg[0]);
    case Iactivemask: return "(unsigned long long)__activemask()";
    case Imatch_any: return afmt(c, "(unsigned long long)__match_any_sync(%s, %s)", arg[1], arg[0]);
    case Imatch_all: return afmt(c, "(unsigned long long)%s(%s, %s)", emit_need(e, "match_all"),
                                arg[1], arg[0]);
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

static const char *cuda_dialect_call(Emit *e, enum Intr fn, enum Dtype dt, const char *const *arg,
                                     int n)
{
    return intrinfo[fn].level == 'T' ? cuda_dialect_together(e, fn, dt, arg, n)
                                     : emit_math(e, &math, fn, dt, arg, n);
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

static void cuda_dialect_op(Emit *e, const Stmt *s)
{
    if (s->kind == Sop)
        cuda_op(e, s);
    else if (s->call.fn == Isync_threads)
        sync_threads(e, s);
    else if (s->call.fn == Isync_warp)
        emit_line(e, "__syncwarp(%s);", s->call.arg[0] ? emit_top(e, s->call.arg[0]) : "");
    else
        emit_grid_sync(e);
}

/* Instructions for pairs of float16, from 90 on for bfloat16, too. */
static const char *cuda_dialect_narrow(Emit *e, enum Xop op, enum Dtype dt)
{
    const char *word = op == Xadd ? "add" : op == Xsub ? "sub" : "mul";
    if (dt != DTf16 && (dt != DTbf16 || cuda_capability(e->m) < 90))
        return NULL;
    return afmt(&e->p->ctx, "%s_%s", word, dt == DTf16 ? "f16" : "bf16");
}

/* At least one block a multiprocessor is said where sums in registers decide, and as many as
 * there are where those leave registers over: the compiler, which does not know, saves them.
 * Elsewhere it is not: a compiler that may use all registers spends them on loads far ahead, and too
 * few warps are left to hide the rest. */
static const char *cuda_dialect_bounds(Emit *e, int threads, int blocks)
{
    if (blocks > 0)
        return afmt(&e->p->ctx, "__launch_bounds__(%d, %d)", threads, blocks);
    return afmt(&e->p->ctx, "__launch_bounds__(%d)", threads);
}

const Dialect cuda_dialect = {
    .name = "cuda",
    .global_fn = "extern \"C\" __global__ void",
    .device_fn = "static __device__ __forceinline__",
    .bounds = cuda_dialect_bounds,
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
    .first_lane = "__ffs(__activemask()) - 1",
    .type = emit_type,
    .cast = emit_narrow,
    .call = cuda_dialect_call,
    .narrow_op = cuda_dialect_narrow,
    .op = cuda_dialect_op,
    .helper = cuda_helper,
};
