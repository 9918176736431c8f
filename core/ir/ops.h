/* The vocabularies of the IR, each written once.  A list is expanded by
 * defining its macro before including this file.  See core/ir/ir.h.
 *
 * XOP(id, text, arity, kind)     expression operators
 *   arity -1: sym names what is meant, args are variable
 *   kind: L leaf, A arithmetic (operands and result of one type), C compare
 *   (bool result), B boolean, I integer only, O other */
#ifdef XOP
XOP(int,     "",       0, L) /* i: the value; any integer or bool type */
XOP(float,   "",       0, L) /* f: the value; any float type */
XOP(var,     "",       0, L) /* sym: Var */
XOP(add,     "+",      2, A)
XOP(sub,     "-",      2, A)
XOP(mul,     "*",      2, A)
XOP(div,     "/",      2, A) /* floats only */
XOP(fdiv,    "//",     2, A) /* towards minus infinity; floats too */
XOP(fmod,    "%",      2, A) /* the sign of the divisor */
XOP(tdiv,    "truncdiv", 2, A) /* integers, towards zero */
XOP(tmod,    "truncmod", 2, A)
XOP(min,     "min",    2, A)
XOP(max,     "max",    2, A)
XOP(lt,      "<",      2, C)
XOP(le,      "<=",     2, C)
XOP(eq,      "==",     2, C)
XOP(ne,      "!=",     2, C)
XOP(and,     "and",    2, B)
XOP(or,      "or",     2, B)
XOP(not,     "not",    1, B)
XOP(band,    "&",      2, I)
XOP(bor,     "|",      2, I)
XOP(bxor,    "^",      2, I)
XOP(bnot,    "~",      1, I)
XOP(shl,     "<<",     2, I)
XOP(shr,     ">>",     2, I) /* arithmetic on signed types */
XOP(select,  "select", 3, O) /* c, a, b: only the chosen side is evaluated */
XOP(cast,    "cast",   1, O) /* value conversion, rounding to nearest even */
XOP(bits,    "reinterpret", 1, O) /* same bits, other type of equal width */
XOP(load,    "load",  -1, O) /* sym: Buf, args: one index a dimension */
XOP(call,    "call",  -1, O) /* sym: intrinsic, args */
#undef XOP
#endif

/* INTR(id, text, arity, type, level)     intrinsics of XOP call
 * type: F float in, same type out; S any number, same type out;
 *       I integer, same out; B any in, bool out; W int32 out; U uint32 out;
 *       L uint64 out; V no value (a statement); X C of the user's own (x_extern)
 * arity: -1 any number of arguments
 * level: M pure math; T needs threads (the sim and GPU targets run it); X may be another value, or
 *   do something, each time that it is computed, whichever thread does */
#ifdef INTR
INTR(abs,        "abs",        1, S, M)
INTR(acos,       "acos",       1, F, M)
INTR(acosh,      "acosh",      1, F, M)
INTR(asin,       "asin",       1, F, M)
INTR(asinh,      "asinh",      1, F, M)
INTR(atan,       "atan",       1, F, M)
INTR(atanh,      "atanh",      1, F, M)
INTR(ceil,       "ceil",       1, F, M)
INTR(cos,        "cos",        1, F, M)
INTR(cosh,       "cosh",       1, F, M)
INTR(erf,        "erf",        1, F, M)
INTR(exp,        "exp",        1, F, M)
INTR(exp2,       "exp2",       1, F, M)
INTR(exp10,      "exp10",      1, F, M)
INTR(floor,      "floor",      1, F, M)
INTR(isfinite,   "isfinite",   1, B, M)
INTR(isinf,      "isinf",      1, B, M)
INTR(isnan,      "isnan",      1, B, M)
INTR(log,        "log",        1, F, M)
INTR(log10,      "log10",      1, F, M)
INTR(log1p,      "log1p",      1, F, M)
INTR(log2,       "log2",       1, F, M)
INTR(nearbyint,  "nearbyint",  1, F, M)
INTR(round,      "round",      1, F, M) /* ties to even */
INTR(round_away, "round_away", 1, F, M) /* ties away from zero */
INTR(rsqrt,      "rsqrt",      1, F, M)
INTR(sigmoid,    "sigmoid",    1, F, M)
INTR(sin,        "sin",        1, F, M)
INTR(sinh,       "sinh",       1, F, M)
INTR(sqrt,       "sqrt",       1, F, M)
INTR(tan,        "tan",        1, F, M)
INTR(tanh,       "tanh",       1, F, M)
INTR(trunc,      "trunc",      1, F, M)
INTR(clz,        "clz",        1, I, M)
INTR(popcount,   "popcount",   1, I, M)
INTR(atan2,      "atan2",      2, F, M)
INTR(copysign,   "copysign",   2, F, M)
INTR(fmodc,      "fmod",       2, F, M) /* C's fmod: the sign of the dividend */
INTR(hypot,      "hypot",      2, F, M)
INTR(ldexp,      "ldexp",      2, F, M)
INTR(nextafter,  "nextafter",  2, F, M)
INTR(pow,        "pow",        2, F, M)
INTR(fast_exp,   "__exp",      1, F, M)
INTR(fast_exp2,  "__exp2",     1, F, M)
INTR(fast_exp10, "__exp10",    1, F, M)
INTR(fast_log,   "__log",      1, F, M)
INTR(fast_log2,  "__log2",     1, F, M)
INTR(fast_log10, "__log10",    1, F, M)
INTR(fast_sin,   "__sin",      1, F, M)
INTR(fast_cos,   "__cos",      1, F, M)
INTR(fast_tan,   "__tan",      1, F, M)
INTR(fast_rcp,   "fast_rcp",   1, F, M)
/* ieee_*: the last argument is the rounding mode, 0 rn 1 rz 2 ru 3 rd */
INTR(ieee_add,   "ieee_add",   3, F, M)
INTR(ieee_sub,   "ieee_sub",   3, F, M)
INTR(ieee_mul,   "ieee_mul",   3, F, M)
INTR(ieee_fdiv,  "ieee_fdiv",  3, F, M)
INTR(ieee_fmaf,  "ieee_fmaf",  4, F, M)
INTR(ieee_frcp,  "ieee_frcp",  2, F, M)
INTR(ieee_fsqrt, "ieee_fsqrt", 2, F, M)
INTR(ieee_frsqrt,"ieee_frsqrt",1, F, M)
/* threads */
INTR(shfl,       "shfl_sync",  4, S, T) /* value, lane, width, mask */
INTR(shfl_xor,   "shfl_xor",   4, S, T)
INTR(shfl_up,    "shfl_up",    4, S, T)
INTR(shfl_down,  "shfl_down",  4, S, T)
INTR(any_sync,   "any_sync",   2, W, T)
INTR(all_sync,   "all_sync",   2, W, T)
INTR(ballot,     "ballot_sync",2, L, T) /* a bit a lane */
INTR(activemask, "activemask", 0, L, T)
INTR(match_any,  "match_any_sync", 2, L, T)
INTR(match_all,  "match_all_sync", 2, L, T)
INTR(lane_idx,   "get_lane_idx",       1, W, T) /* warp size, 0: the target's */
INTR(warp_idx,   "get_warp_idx",       1, W, T)
INTR(warp_group_idx, "get_warp_group_idx", 2, W, T)
INTR(warp_sum,   "warp_reduce_sum",    1, S, T)
INTR(warp_max,   "warp_reduce_max",    1, S, T)
INTR(warp_min,   "warp_reduce_min",    1, S, T)
INTR(warp_bitand,"warp_reduce_bitand", 1, I, T)
INTR(warp_bitor, "warp_reduce_bitor",  1, I, T)
INTR(warp_bitxor,"warp_reduce_bitxor", 1, I, T)
INTR(count_sync, "syncthreads_count",  1, W, T)
INTR(and_sync,   "syncthreads_and",    1, W, T)
INTR(or_sync,    "syncthreads_or",     1, W, T)
INTR(shuffle_elect, "shuffle_elect",   1, B, T)
INTR(sync_threads,  "sync_threads",    2, V, T) /* barrier id -1, count -1 */
INTR(sync_warp,     "sync_warp",       1, V, T) /* mask */
INTR(sync_grid,     "sync_grid",       0, V, T)
/* Thread programs: what the simulator is to know of a parallel loop that the checks left open.  It
 * does nothing.  parallel: the loop of this number begins here; dimension 0 .. of it has so many
 * iterations.  iteration: the next statement is of the iterations from .. to of it, row by row. */
INTR(parallel,      "parallel",        3, V, T) /* loop, dimension, extent */
INTR(iteration,     "iteration",       3, V, T) /* loop, from, to */
/* C of the user's own: number of the name in Prog.called, then any values */
INTR(call_pure_extern, "call_pure_extern", -1, X, M)
INTR(call_extern,      "call_extern",      -1, X, X)
#undef INTR
#endif

/* OP(id, text, regions, values, attributes, level, done, proxy)     operations
 * regions: letters r read, w written, u both, b a barrier object, one a
 *   region, in order.  At level T a region is the whole tile; below, what the
 *   executing thread (or warp, group) itself touches.
 * values: how many scalar expressions follow
 * attributes: names, space separated; all int32, 0 when not given
 * level: T tile operation, done by the block; the others are those of thread
 *   programs and executed by H a thread, W a whole warp, G a warp group
 * done: when its memory accesses have happened: s at once, c at cp_async_wait,
 *   m when its barrier's phase completes, w at wgmma_wait, b at bulk_wait
 * proxy: of its shared accesses, g generic, a async
 * The effect of an operation is this row and nothing else: barrier insertion,
 * the simulator and the static feedback read it here.
 *
 * text of a matrix instruction: its Mma's name in quotes. */
#ifdef OP
OP(copy,      "copy",      "rw",  0, "coalesced_width disable_tma eviction prefer", T, s, g)
OP(fill,      "fill",      "w",   1, "", T, s, g)
OP(gemm,      "gemm",      "rru", 0, "transpose_A transpose_B policy clear_accum k_pack async", T, s, g)
OP(reduce,    "reduce",    "ru",  0, "kind dim clear batch nan_propagate", T, s, g) /* kind: enum Red */
OP(scan,      "scan",      "rw",  0, "kind dim reverse", T, s, g)
OP(transpose, "transpose", "rw",  0, "", T, s, g)
OP(atomic,    "atomic",    "ur",  0, "kind order", T, s, g) /* tile form; kind: enum Red */
OP(print,     "print",     "r",   0, "warp_group warp", T, s, g) /* text: message; region optional */
/* Tile operations of band B: started here, waited for by the user. */
OP(async_copy,"async_copy","rw",  0, "coalesced_width open", T, c, g)    /* cp.async and its commit, unless open */
OP(tma_copy,  "tma_copy",  "rwb", 0, "eviction cluster_mask", T, m, a) /* load; barrier expects the bytes */
OP(tma_put,   "tma_put",   "rw",  0, "eviction kind", T, b, a)      /* store (and reduce): bulk_commit is the user's */
/* Thread programs.  Fragments are local buffers; regions of them are registers. */
OP(mma,       "mma",       "rru", 0, "", W, s, g)      /* A, B, C registers; text: the instruction */
OP(ldmatrix,  "ldmatrix",  "rw",  0, "num trans", W, s, g) /* the 16 bytes at this lane's row -> registers */
OP(stmatrix,  "stmatrix",  "rw",  0, "num trans", W, s, g) /* registers -> the 16 bytes at this lane's row */
OP(cp_async,  "cp_async",  "rw",  1, "bytes", H, c, g)     /* global -> shared; value: 0 writes zeros */
OP(cp_async_commit, "cp_async_commit", "", 0, "", H, s, g)
OP(cp_async_wait,   "cp_async_wait",   "", 0, "n", H, s, g) /* all but the newest n groups are done */
OP(cp_async_arrive, "cp_async_arrive", "b", 0, "", H, c, g) /* noinc: arrives when earlier ones are done */
/* Boxes: the global region's min may lie outside (elements read as 0, are not
 * written), its extents are the box; one thread executes these. */
OP(tma_load,  "tma_load",  "rwb", 1, "swizzle eviction", H, m, a) /* value: mask of cluster blocks, 0 only this */
OP(tma_store, "tma_store", "rw",  0, "swizzle eviction kind", H, b, a) /* kind: 0, or a Red of tma_reduce */
OP(bulk_load, "bulk_load", "rwb", 1, "bytes", H, m, a)     /* contiguous, no tensor map */
OP(bulk_store,"bulk_store","rw",  0, "bytes", H, b, a)
OP(bulk_commit, "bulk_commit", "", 0, "", H, s, g)
OP(bulk_wait,   "bulk_wait",   "", 0, "n read", H, s, g)   /* read 1: sources may be reused */
/* D += A * B by a warp group.  A: shared or local region, B: shared region, as
 * rows of 64 x k and n x k (or k x n: tnsp).  Descriptors in bytes as in PTX:
 * lbo, sbo; swizzle 0, 32, 64 or 128.  value: scale-d, 0 overwrites D. */
OP(wgmma,     "wgmma",     "rru", 1, "n a_tnsp a_lbo a_sbo a_swizzle b_tnsp b_lbo b_sbo b_swizzle", G, w, a)
OP(wgmma_fence,  "wgmma_fence",  "", 0, "", G, s, g)
OP(wgmma_commit, "wgmma_commit", "", 0, "", G, s, g)
OP(wgmma_wait,   "wgmma_wait",   "", 0, "n", G, s, g)
/* mbarriers: buffers of scope barrier, one object an element. */
OP(mbar_init,    "mbar_init",    "b", 1, "", H, s, g)      /* value: arrivals of a phase; in a tile program,
                                                            * where T.alloc_barrier writes it, done once for
                                                            * the block before anything else */
OP(mbar_arrive,  "mbar_arrive",  "b", 1, "", H, s, g)      /* value: block of the cluster, -1 this one */
OP(mbar_expect,  "mbar_expect",  "b", 1, "", H, s, g)      /* value: bytes; no arrival */
OP(mbar_arrive_expect, "mbar_arrive_expect", "b", 1, "", H, s, g)
OP(mbar_wait,    "mbar_wait",    "b", 1, "", H, s, g)      /* value: parity; waits for that phase to complete */
OP(mbar_fence,   "mbar_fence",   "", 0, "", H, s, g)       /* fence.mbarrier_init */
OP(bar_sync,     "bar_sync",     "", 0, "id count", W, s, g)   /* id 0: the block's; count: threads */
OP(bar_arrive,   "bar_arrive",   "", 0, "id count", W, s, g)
OP(warp_sync,    "warp_sync",    "", 0, "", W, s, g)
OP(fence_async,  "fence_async",  "", 0, "global", H, s, g) /* fence.proxy.async; global 0: .shared::cta */
OP(fence_global, "fence_global", "", 0, "", H, s, g)       /* __threadfence */
/* text: a function of the user's own C, and that C; attribute: is the value an argument? */
OP(call_extern,   "call_extern",   "rw", 1, "valued", H, s, g)
OP(import_source, "import_source", "", 0, "", H, s, g)
OP(setmaxnreg,   "setmaxnreg",   "", 0, "n inc", G, s, g)
OP(cluster_arrive, "cluster_arrive", "", 0, "", W, s, g)
OP(cluster_wait,   "cluster_wait",   "", 0, "", W, s, g)
/* Barrier pairs: buffers of scope pipe, lowered to two mbarriers a stage; value: the
 * running number of the use, from 0. */
OP(pipe_acquire, "pipe_acquire", "b", 1, "", H, s, g)      /* producer: the stage is free */
OP(pipe_commit,  "pipe_commit",  "b", 1, "bytes", H, s, g) /* producer: bytes will have arrived */
OP(pipe_wait,    "pipe_wait",    "b", 1, "", H, s, g)      /* consumer: the stage is full */
OP(pipe_release, "pipe_release", "b", 1, "", H, s, g)      /* consumer: done with the stage */
#undef OP
#endif

/* RED(id, text, update, op, start, enters, types): how values combine.
 * update: PTX's word for doing it to memory (atomics, TMA), NULL: memory has none
 * op:     two values become one by it
 * start:  what changes nothing: 0 zero, L the least, G the greatest, 1 all bits set
 * enters: v an element as it is, m its magnitude
 * types:  a all, i integers alone */
#ifdef RED
RED(sum,    "sum",    "add", Xadd,  0, v, a)
RED(max,    "max",    "max", Xmax,  L, v, a)
RED(min,    "min",    "min", Xmin,  G, v, a)
RED(abssum, "abssum", NULL,  Xadd,  0, m, a)
RED(absmax, "absmax", NULL,  Xmax,  0, m, a)
RED(bitand, "bitand", "and", Xband, 1, v, i)
RED(bitor,  "bitor",  "or",  Xbor,  0, v, i)
RED(bitxor, "bitxor", "xor", Xbxor, 0, v, i)
#undef RED
#endif

/* SCOPE(id, text): where a buffer lives */
#ifdef SCOPE
SCOPE(global,   "global")
SCOPE(shared,   "shared")
SCOPE(fragment, "fragment")
SCOPE(local,    "local")
SCOPE(var,      "var")
SCOPE(barrier,  "barrier")  /* mbarrier objects in shared memory; dtype uint64 */
SCOPE(pipe,     "pipe")     /* of a role split; shape: stages; until the pass mbarriers */
#undef SCOPE
#endif

/* FOR(id, text): what a loop is */
#ifdef FOR
FOR(serial,     "serial")
FOR(unroll,     "unroll")
FOR(vectorized, "vectorized")
FOR(parallel,   "parallel")   /* T.Parallel: iterations independent */
FOR(pipelined,  "pipelined")
FOR(persistent, "persistent")
#undef FOR
#endif
