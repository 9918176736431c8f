/* targets/maca/dialect.c: MACA C++ as a dialect of the printer: functions, names, barriers.
 *
 * Reference: vendor-targets.md 1.3, read in the vendor's ports, not tried.  Halves are
 * computed as floats, so that no function of theirs is missed; sums and extremes of halves
 * in memory are loops around a compare-and-swap, which need no instruction for them.
 *
 * Not proven on the card: whether division and square roots are rounded right by default,
 * whether subnormal floats are kept, whether __syncthreads waits for loads that are on
 * their way (it would cost speed), atomics of 64-bit extremes.  exp2f is a call of a
 * function there, slower than an instruction. */
#include <stdlib.h>
#include <string.h>

#include "maca.h"
#include "err/ir.h"

/* Functions ---------------------------------------------------------------- */

#define PLAIN(name) {name "f", name}

/* __tanf is inaccurate there, rsqrt of doubles is missing. */
static const EmitMathName function[NIntr] = {
    EMIT_CLANG_MATH(PLAIN),
    [Iexp2] = PLAIN("exp2"), [Irsqrt] = {"rsqrtf", "+frsqrt_f64"},
    [Ifast_exp] = {"__expf", "exp"}, [Ifast_exp2] = {"+exp2_ftz", "exp2"},
    [Ifast_exp10] = {"+fast_exp10", "exp10"},
    [Ifast_log] = {"__logf", "log"}, [Ifast_log2] = {"__log2f", "log2"},
    [Ifast_log10] = {"__log10f", "log10"}, [Ifast_sin] = {"__sinf", "sin"},
    [Ifast_cos] = {"__cosf", "cos"}, [Ifast_rcp] = {"__builtin_mxc_rcpf", "+fast_rcp_f64"},
};

/* What -fast-math takes instead. */
static const char *const approximate[NIntr] = {
    [Iexp] = "__expf", [Iexp2] = "+exp2_ftz", [Ilog] = "__logf", [Ilog2] = "__log2f", [Ilog10] = "__log10f",
    [Isin] = "__sinf", [Icos] = "__cosf", [Ipow] = "__powf"};

#define ROUNDED(f32, f64) {"__" f32 "_%s", "__" f64 "_%s"}

static const EmitMathName rounding[NIntr] = {
    [Iieee_add] = ROUNDED("fadd", "dadd"), [Iieee_sub] = ROUNDED("fsub", "dsub"),
    [Iieee_mul] = ROUNDED("fmul", "dmul"), [Iieee_fdiv] = ROUNDED("fdiv", "ddiv"),
    [Iieee_fmaf] = ROUNDED("fmaf", "fma"), [Iieee_frcp] = ROUNDED("frcp", "drcp"),
    [Iieee_fsqrt] = ROUNDED("fsqrt", "dsqrt")};

static const EmitMath math = {function, approximate, rounding, {"rn", "rz", "ru", "rd"}};

/* A distance within the warp: what the functions make of others is not said, the language takes
 * the bits that a lane has. */
static const char *maca_delta(Emit *e, const char *by)
{
    size_t digits = strspn(by, "0123456789");
    bool within = digits < 3 && by[digits] == 0 && atoi(by) < e->m->warp;
    return within ? by : afmt(&e->p->ctx, "(%s) & %d", by, e->m->warp - 1);
}

/* The mask of a shuffle says by its type how wide a warp is meant: always all 64 lanes. */
static const char *maca_shuffle(Emit *e, enum Intr fn, enum Dtype dt, const char *const *arg)
{
    static const char *const shuffle[NIntr] = {
        [Ishfl] = "__shfl_sync", [Ishfl_xor] = "__shfl_xor_sync", [Ishfl_up] = "__shfl_up_sync",
        [Ishfl_down] = "__shfl_down_sync"};
    if (fn == Icount_sync)
        return afmt(&e->p->ctx, "__syncthreads_count(%s)", arg[0]);
    if (fn == Iand_sync || fn == Ior_sync)
        return afmt(&e->p->ctx, "__syncthreads_%s(%s)", fn == Iand_sync ? "and" : "or", arg[0]);
    if (shuffle[fn])
        return afmt(&e->p->ctx, "%s(~0ul, %s, %s, %s)", shuffle[fn],
                    emit_lane_value(e, dt, arg[0]), maca_delta(e, arg[1]), arg[2]);
    return emit_together(e, fn, dt, arg);
}

static const char *maca_call(Emit *e, enum Intr fn, enum Dtype dt, const char *const *arg, int n)
{
    return intrinfo[fn].level == 'T' ? maca_shuffle(e, fn, dt, arg)
                                     : emit_math(e, &math, fn, dt, arg, n);
}

static const EmitName names[] = {
    {"__activemask", "+here"}, {"__fdividef", "+fast_div"}, {NULL, NULL},
};

/* Statements ----------------------------------------------------------------- */

/* Always said: without it the code is for 512 threads, and compiled again at a launch of
 * more. */
static const char *maca_launch_bounds(Emit *e, int threads, int blocks)
{
    (void)blocks;
    return afmt(&e->p->ctx, "__launch_bounds__(%d)", threads);
}

/* What core/ir/verify_thread.c lets through for this machine. */
static void maca_op(Emit *e, const Stmt *s)
{
    int what = s->kind == Sop ? s->op.op : -1, fn = s->kind == Scall ? s->call.fn : -1;
    if (what == Omma)
        maca_mma(e, s);
    else if (what == Ocp_async || what == Ocp_async_commit || what == Ocp_async_wait)
        maca_copy(e, s);
    else if (fn == Isync_threads || what == Obar_sync)
        emit_line(e, "%s();", emit_block_barrier(e, s, "__syncthreads"));
    else if (fn == Isync_warp || what == Owarp_sync)
        emit_line(e, "__syncwarp();");
    else if (what == Ofence_global)
        emit_line(e, "__threadfence();");
    else if (fn == Isync_grid)
        emit_grid_sync(e);
    else
        diag_fail(&e->p->ctx, E_machine_op, s->loc, e->m->name,
                  s->kind == Sop ? opinfo[what].text : intrinfo[fn].text,
                  s->kind == Sop ? opinfo[what].text : intrinfo[fn].text, "0", NULL);
}

const Dialect maca_dialect = {
    .name = "maca",
    .global_fn = "extern \"C\" __global__ void",
    .device_fn = "static __device__ inline __attribute__((always_inline))",
    .bounds = maca_launch_bounds,
    .restrict_word = "__restrict__",
    .shared = "extern __shared__ __attribute__((aligned(1024))) unsigned char smem[];",
    .unroll = "#pragma unroll",
    .no_unroll = "#pragma unroll 1",
    .tid = "threadIdx.x",
    .bid = {"blockIdx.x", "blockIdx.y", "blockIdx.z"},
    .lockstep = true,
    .first_lane = "__ffsll(__activemask()) - 1",
    .names = {names, emit_clang_names},
    .word = "words1",
    .halfword = "words_half",
    .type = emit_type,
    .cast = emit_narrow,
    .call = maca_call,
    .op = maca_op,
    .helper = maca_helper,
};
