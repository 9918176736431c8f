/* core/emit/emit.h: the printer of the C family: thread program -> source text.
 *
 * One printer for CUDA, MACA and HIP, driven by a Dialect, which a target
 * provides as data and a few functions.  What is printed is meant to be read by
 * people who learn: stable names (the user's, with _2 and so on behind them when
 * taken), the user's line as a comment where it changes, no dead code, no
 * includes, only the helpers that the kernel uses.
 *
 *   emit.c        the text as a whole: helpers used, kernels, statements
 *   scalar.h expressions as C, of the cpu target too
 *   expr.c   the family's words       cast.c    values as memory holds them
 *   mem.c    addresses (layouts, XOR), loads, stores, registers
 *   vec.c    vector accesses, conversions in pairs
 *   atomic.c atomics                  print.c   prints, asserts
 *   text.c   lines, names, comments   prelude.c helpers of every dialect
 *   call.c   functions by a dialect's tables
 *   names.c  names that a dialect has other words for
 *   types.c  narrow floats by moving bits
 *   clang.c  helpers of dialects that clang compiles and that include nothing
 *   lanes.c  what lanes do together, made of two functions of the dialect
 *   targets/cuda/ptx*.c   matrix, copy and barrier instructions of the dialect
 *
 * Text of expressions is made in the Prog's arena (afmt) and returned; lines go
 * to Emit.body.  Errors unwind. */
#ifndef MOONTILE_EMIT_H
#define MOONTILE_EMIT_H

#include "core/ir/ir.h"
#include "core/layout/machine.h"
#include "core/ir/plan.h"

typedef struct Emit Emit;
typedef struct Dialect Dialect;

/* What a dialect calls something that the printer knows by CUDA's name. */
typedef struct EmitName EmitName;
struct EmitName { const char *cuda, *own; }; /* own: "+name" is a helper; cuda NULL: the end */

struct Dialect {
    const char *name;          /* "cuda" */
    const char *head;          /* text in front of everything, or NULL */
    const char *global_fn;     /* before a kernel's name: extern "C" __global__ void */
    const char *device_fn;     /* before a helper's: static __device__ __forceinline__ */
    /* What stands between global_fn and the kernel's name: "__launch_bounds__(128, 1)".
     * blocks: that should fit on one multiprocessor, 0: nothing is said of it. */
    const char *(*bounds)(Emit *e, int threads, int blocks);
    const char *cluster;       /* "__cluster_dims__", of x, y, z; or NULL */
    const char *grid_constant; /* before a tensor map parameter, or NULL */
    const char *restrict_word; /* "__restrict__" */
    const char *shared;        /* declaration of the dynamic shared memory, named smem */
    const char *unroll;        /* "#pragma unroll", and "#pragma unroll 1" */
    const char *no_unroll;
    const char *tid, *bid[3], *griddim[3];  /* "threadIdx.x" "blockIdx.x" "gridDim.x" .. */
    const char *sync_block;    /* statement */
    const char *stream;        /* helper that reads 16 bytes which this block alone needs, and once:
                                * words4 f(const void *).  NULL: a plain read */
    const char *first_lane;    /* number of the first lane of the warp that is here */
    bool lockstep;             /* lanes that come together execute together: call's argument that
                                * is a mask of all lanes is NULL */
    const EmitName *names[2];  /* or NULL: CUDA's */
    /* Helpers: types of 32 and 16 bits that may stand for elements of any type; there is a
     * helper "any" then, too.  NULL: the compiler takes every type for that. */
    const char *word, *halfword;
    /* C name of a dtype in registers and memory ("f16", "float", "int"); helpers
     * that it needs are requested with emit_need. */
    const char *(*type)(Emit *e, enum Dtype dt);
    /* Texts.  cast: x, a float, as memory holds the narrow float `to` (from: DTf32),
     * or as a float rounded to it (DTtf32); or back, to DTf32 from a narrow float as
     * memory holds it, a struct with one unsigned member x; the argument stands once in what
     * it gives.  call: an intrinsic on values in flight; dt: its type, or that of its argument
     * where it gives a bool. */
    const char *(*cast)(Emit *e, enum Dtype to, enum Dtype from, const char *x);
    const char *(*call)(Emit *e, enum Intr fn, enum Dtype dt, const char *const *arg, int n);
    /* Helper that adds, subtracts, multiplies (op) two narrow floats as memory holds them, and
     * rounds once: "add_f16"; that with "x2" behind its name does so with pairs in words.  NULL:
     * the machine does it in float; the member may be NULL. */
    const char *(*narrow_op)(Emit *e, enum Xop op, enum Dtype dt);
    /* Prints a statement of kind Sop below level T (matrix instructions, copies,
     * barriers), and Scall of thread intrinsics that are statements. */
    void (*op)(Emit *e, const Stmt *s);
    /* Text of helper `name`, requested by emit_need: looked up in the dialect's
     * tables (its prelude), or made (wgmma of a shape). NULL: unknown, a bug. */
    const char *(*helper)(Emit *e, const char *name);
};

struct Emit {
    Prog *p;
    const Plan *plan;
    const PlanLaunch *l;       /* the launch that is printed */
    const Machine *m;
    const Dialect *d;
    bool fast_math;
    Str *body;                 /* lines go here */
    int indent;
    Loc here;                  /* the user's line of the last comment */
    Loc at;                    /* of the statement that is printed */
    const char **bufname, **varname; /* by Buf and Var; NULL: not named yet */
    void *priv;                /* emit.c's own: helpers requested, names taken */
    void *own;                 /* the dialect's own */
};

/* emit.c: the whole text.  false: errors in p->ctx. */
bool emit_program(const Plan *plan, const Dialect *d, bool fast_math, Str *out);
/* A helper the text needs, printed once above the kernels, in the order first
 * asked for, after what it asks for itself; returns name. */
const char *emit_need(Emit *e, const char *name);

/* names.c: the dialect's word for what CUDA calls `cuda`, a helper requested where it
 * is one; and a text of our own, in CUDA's words, in those of the dialect: a % at the
 * beginning of a line stands for the words in front of a function. */
const char *emit_fn(Emit *e, const char *cuda);
const char *emit_translated(Emit *e, const char *text);
/* A helper of a table: its text, after what it asks for (names with spaces between); NULL:
 * it is not there.  The table ends with a name NULL. */
typedef struct EmitText EmitText;
struct EmitText { const char *name, *needs, *text; };
const char *emit_find(Emit *e, const EmitText *table, const char *name);

/* types.c: Dialect.type and Dialect.cast of dialects whose helpers have the names of
 * those of the printer. */
const char *emit_type(Emit *e, enum Dtype dt);
const char *emit_narrow(Emit *e, enum Dtype to, enum Dtype from, const char *x);

/* call.c: functions of one thread by tables, all by enum Intr.  "+name" is a helper.
 * rounding: %s stands for one of the modes, to nearest, to zero, up, down. */
typedef struct EmitMathName EmitMathName;
struct EmitMathName { const char *f32, *f64; };
typedef struct EmitMath EmitMath;
struct EmitMath {
    const EmitMathName *function;
    const char *const *fast;      /* what -fast-math takes instead, for float */
    const EmitMathName *rounding;
    const char *mode[4];
};
const char *emit_math(Emit *e, const EmitMath *m, enum Intr fn, enum Dtype dt,
                      const char *const *arg, int n);

/* clang.c, lanes.c: names and helpers for dialects to take. */
#define EMIT_BUILTIN(name) {"__builtin_" name "f", "__builtin_" name}
/* EmitMath.function where clang's built-ins are there; LIB(name): the vendor's function for
 * float and double. */
#define EMIT_CLANG_MATH(LIB) \
    [Iabs] = EMIT_BUILTIN("fabs"), [Iacos] = LIB("acos"), [Iacosh] = LIB("acosh"), \
    [Iasin] = LIB("asin"), [Iasinh] = LIB("asinh"), [Iatan] = LIB("atan"), \
    [Iatanh] = LIB("atanh"), [Iceil] = EMIT_BUILTIN("ceil"), [Icos] = LIB("cos"), \
    [Icosh] = LIB("cosh"), [Ierf] = LIB("erf"), [Iexp] = LIB("exp"), [Iexp10] = LIB("exp10"), \
    [Ifloor] = EMIT_BUILTIN("floor"), [Iisfinite] = {"+is_finite", "+is_finite"}, \
    [Iisinf] = {"+is_inf", "+is_inf"}, [Iisnan] = {"+is_nan", "+is_nan"}, [Ilog] = LIB("log"), \
    [Ilog10] = LIB("log10"), [Ilog1p] = LIB("log1p"), [Ilog2] = LIB("log2"), \
    [Inearbyint] = EMIT_BUILTIN("rint"), [Iround] = EMIT_BUILTIN("rint"), \
    [Iround_away] = EMIT_BUILTIN("round"), [Isigmoid] = {"+sigmoid_f32", "+sigmoid_f64"}, \
    [Isin] = LIB("sin"), [Isinh] = LIB("sinh"), [Isqrt] = EMIT_BUILTIN("sqrt"), \
    [Itan] = LIB("tan"), [Itanh] = LIB("tanh"), [Itrunc] = EMIT_BUILTIN("trunc"), \
    [Iatan2] = LIB("atan2"), [Icopysign] = EMIT_BUILTIN("copysign"), [Ifmodc] = LIB("fmod"), \
    [Ihypot] = LIB("hypot"), [Ildexp] = {"+ldexp_f32", "+ldexp_f64"}, \
    [Inextafter] = LIB("nextafter"), [Ipow] = LIB("pow"), [Ifast_tan] = LIB("tan"), \
    [Iieee_frsqrt] = {"+frsqrt_f32", "+frsqrt_f64"}
extern const EmitName emit_clang_names[];
const char *emit_clang(Emit *e, const char *name);
const char *emit_lanes(Emit *e, const char *name);
/* Text of an intrinsic that lanes or threads execute together, by those helpers. */
const char *emit_together(Emit *e, enum Intr fn, enum Dtype dt, const char *const *arg);
/* Statements: fn where s, an Isync_threads or Obar_sync, is of the whole block (of some of
 * its threads: the machine lacks it, reported); the barrier of the grid. */
const char *emit_block_barrier(Emit *e, const Stmt *s, const char *fn);
void emit_grid_sync(Emit *e);
/* x, an element of type dt or a value, as the type in flight that templates shall see. */
const char *emit_lane_value(Emit *e, enum Dtype dt, const char *x);
/* A reduction of a warp, "warp_reduce_sum_float32", in the words of a dialect; NULL: the
 * name is none of one. */
typedef struct EmitLanes EmitLanes;
struct EmitLanes {
    const char *mask, *here, *full; /* "unsigned", "__activemask()", "0xffffffffu" */
    const char *ffs;                /* "__ffs": 1 + lowest bit of a mask */
    const char *get, *flip;         /* "__shfl_sync(mask, v", "__shfl_xor_sync(mask, v, step)" */
};
const char *emit_reduction(Emit *e, const char *name, const EmitLanes *w);

/* text.c */
PRINTF(2, 3) void emit_line(Emit *e, const char *fmt, ...); /* indented, with a line's end */
void emit_open(Emit *e);   /* deeper */
void emit_close(Emit *e);  /* back, and "}" */
const char *emit_bufname(Emit *e, uint32_t buf);
const char *emit_varname(Emit *e, uint32_t var);

/* expr.c: C text with the parentheses it needs inside any operator. */
const char *emit_ex(Emit *e, Ex x);
/* The same where no parentheses are needed: an argument, a right-hand side. */
const char *emit_top(Emit *e, Ex x);

/* mem.c */
/* "A + (..)": pointer to the element of a global or shared buffer at idx (its
 * typed address), with the layout's modes and XOR applied. */
const char *emit_pointer(Emit *e, uint32_t buf, const Ex *idx);
/* 32-bit address in the shared window of the first element of the region, in
 * bytes from the window's beginning, as asm operands want it. */
const char *emit_shared(Emit *e, const Region *r);
/* mbarrier object: emit_shared of its region. */
/* Pointer to the registers of a region: "&Cl[i * 4]". */
const char *emit_regs(Emit *e, const Region *r);

#endif
