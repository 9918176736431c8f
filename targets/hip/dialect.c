/* targets/hip/dialect.c: HIP C++ as a dialect of the printer: functions, names of the
 * numbers of threads, barriers. */
#include "hip.h"
#include "err/ir.h"

/* Functions ---------------------------------------------------------------- */

/* Of AMD's device library, for float and double; declared where they are used. */
#define OCML(name) {"+__ocml_" name "_f32", "+__ocml_" name "_f64"}
#define NATIVE(name) {"+__ocml_native_" name "_f32", "+__ocml_" name "_f64"}

static const EmitMathName function[NIntr] = {
    EMIT_CLANG_MATH(OCML),
    [Iexp2] = OCML("exp2"), [Irsqrt] = OCML("rsqrt"),
    [Ifast_exp] = NATIVE("exp"), [Ifast_exp2] = {"+exp2_ftz", "+__ocml_exp2_f64"},
    [Ifast_exp10] = NATIVE("exp10"), [Ifast_log] = NATIVE("log"),
    [Ifast_log2] = NATIVE("log2"), [Ifast_log10] = NATIVE("log10"), [Ifast_sin] = NATIVE("sin"),
    [Ifast_cos] = NATIVE("cos"), [Ifast_rcp] = {"__builtin_amdgcn_rcpf", "+fast_rcp_f64"},
};

/* What -fast-math takes instead. */
static const char *const approximate[NIntr] = {
    [Iexp] = "+__ocml_native_exp_f32", [Iexp2] = "+exp2_ftz",
    [Iexp10] = "+__ocml_native_exp10_f32",
    [Ilog] = "+__ocml_native_log_f32", [Ilog2] = "+__ocml_native_log2_f32",
    [Ilog10] = "+__ocml_native_log10_f32", [Isin] = "+__ocml_native_sin_f32",
    [Icos] = "+__ocml_native_cos_f32", [Irsqrt] = "__builtin_amdgcn_rsqf",
    [Isqrt] = "__builtin_amdgcn_sqrtf"};

#define ROUNDED(name) {"+__ocml_" name "_%s_f32", "+__ocml_" name "_%s_f64"}

static const EmitMathName rounding[NIntr] = {
    [Iieee_add] = ROUNDED("add"), [Iieee_sub] = ROUNDED("sub"), [Iieee_mul] = ROUNDED("mul"),
    [Iieee_fdiv] = ROUNDED("div"), [Iieee_fmaf] = ROUNDED("fma"),
    [Iieee_frcp] = {"+frcp_%s_f32", "+frcp_%s_f64"}, [Iieee_fsqrt] = ROUNDED("sqrt")};

static const EmitMath math = {function, approximate, rounding, {"rte", "rtz", "rtp", "rtn"}};

static const char *hip_call(Emit *e, enum Intr fn, enum Dtype dt, const char *const *arg, int n)
{
    return intrinfo[fn].level == 'T' ? emit_together(e, fn, dt, arg)
                                     : emit_math(e, &math, fn, dt, arg, n);
}

static const EmitName names[] = {
    {"threadIdx.x", "__builtin_amdgcn_workitem_id_x()"},
    {"blockIdx.x", "__builtin_amdgcn_workgroup_id_x()"},
    {"blockIdx.y", "__builtin_amdgcn_workgroup_id_y()"},
    {"blockIdx.z", "__builtin_amdgcn_workgroup_id_z()"},
    {"gridDim.x", "+grid_x()"}, {"gridDim.y", "+grid_y()"}, {"gridDim.z", "+grid_z()"},
    {"__syncthreads", "+sync_threads"}, {"__threadfence", "+fence_device"},
    {"__threadfence_system", "+fence_system"}, {"__trap", "+stop"},
    {"__activemask", "+here"}, {"__fdividef", "+fast_div"},
    {"atomicAdd", "+atomic_add"}, {"atomicMax", "+atomic_highest"},
    {"atomicMin", "+atomic_lowest"}, {"atomicAnd", "+atomic_and"}, {"atomicOr", "+atomic_or"},
    {"atomicXor", "+atomic_xor"}, {"atomicCAS", "+atomic_swap_if"},
    {"ldexpf", "__builtin_amdgcn_ldexpf"}, {"ldexp", "__builtin_amdgcn_ldexp"},
    {"expf", "+__ocml_exp_f32"}, {"exp", "+__ocml_exp_f64"},
    {"fmodf", "+__ocml_fmod_f32"}, {"fmod", "+__ocml_fmod_f64"},
    {NULL, NULL},
};

/* Statements ----------------------------------------------------------------- */

/* For blocks smaller than a wave nothing is said: bounds below 64 have led AMD's compiler
 * to wrong shuffles of 64 bits. */
static const char *hip_launch_bounds(Emit *e, int threads, int blocks)
{
    enum { Least = 64 };
    (void)blocks;
    return threads >= Least ? afmt(&e->p->ctx, "__launch_bounds__(%d)", threads) : "";
}

/* What core/ir/verify_thread.c lets through for these machines. */
static void hip_op(Emit *e, const Stmt *s)
{
    int what = s->kind == Sop ? s->op.op : -1, fn = s->kind == Scall ? s->call.fn : -1;
    if (what == Omma)
        hip_mfma(e, s);
    else if (fn == Isync_threads || what == Obar_sync)
        emit_line(e, "%s();", emit_need(e, emit_block_barrier(e, s, "sync_threads")));
    else if (fn == Isync_warp || what == Owarp_sync)
        emit_line(e, "%s();", emit_need(e, "sync_wave"));
    else if (what == Ofence_global)
        emit_line(e, "%s();", emit_need(e, "fence_device"));
    else if (fn == Isync_grid)
        emit_grid_sync(e);
    else
        diag_fail(&e->p->ctx, E_machine_op, s->loc, e->m->name,
                  s->kind == Sop ? opinfo[what].text : intrinfo[fn].text,
                  s->kind == Sop ? opinfo[what].text : intrinfo[fn].text, "0", NULL);
}

/* Words of HIP where they are not: hiprtc has all of them inside, what clang includes by
 * itself behind hipcc has three, plain clang none. */
static const char head[] =
    "#ifndef __device__\n"
    "#define __device__ __attribute__((device))\n"
    "#define __global__ __attribute__((global))\n"
    "#define __shared__ __attribute__((shared))\n"
    "#endif\n"
    "#ifndef __forceinline__\n"
    "#define __forceinline__ inline __attribute__((always_inline))\n"
    "#endif\n"
    "#ifndef __launch_bounds__\n"
    "#define __launch_bounds__(n) __attribute__((amdgpu_flat_work_group_size(1, n)))\n"
    "#endif\n\n";

const Dialect hip_dialect = {
    .name = "hip",
    .head = head,
    .global_fn = "extern \"C\" __global__ void",
    .device_fn = "static __device__ __forceinline__",
    .bounds = hip_launch_bounds,
    .restrict_word = "__restrict__",
    .shared = "extern __shared__ __attribute__((aligned(1024))) unsigned char smem[];",
    .unroll = "#pragma unroll",
    .no_unroll = "#pragma unroll 1",
    .tid = "__builtin_amdgcn_workitem_id_x()",
    .bid = {"__builtin_amdgcn_workgroup_id_x()", "__builtin_amdgcn_workgroup_id_y()",
            "__builtin_amdgcn_workgroup_id_z()"},
    .lockstep = true,
    .first_lane = "__ffsll(__activemask()) - 1",
    .names = {names, emit_clang_names},
    .word = "words1",
    .halfword = "words_half",
    .type = emit_type,
    .cast = emit_narrow,
    .call = hip_call,
    .op = hip_op,
    .helper = hip_helper,
};
