/* The vocabularies of the IR, each written once.  A list is expanded by
 * defining its macro before including this file.  See core/ir.h.
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
 *       V no value (a statement)
 * level: M pure math; T needs threads (the sim and GPU targets run it) */
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
INTR(ballot,     "ballot_sync",2, U, T)
INTR(activemask, "activemask", 0, U, T)
INTR(match_any,  "match_any_sync", 2, U, T)
INTR(match_all,  "match_all_sync", 2, U, T)
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
#undef INTR
#endif

/* OP(id, text, regions, values, attributes)     tile operations
 * regions: letters r read, w written, u both, one a region, in order
 * values: how many scalar expressions follow
 * attributes: names, space separated; all int32, 0 when not given.
 * The effect of an operation is this row and nothing else. */
#ifdef OP
OP(copy,      "copy",      "rw",  0, "coalesced_width disable_tma eviction prefer")
OP(fill,      "fill",      "w",   1, "")
OP(gemm,      "gemm",      "rru", 0, "transpose_A transpose_B policy clear_accum k_pack")
OP(reduce,    "reduce",    "ru",  0, "kind dim clear batch nan_propagate") /* kind: enum Red */
OP(scan,      "scan",      "rw",  0, "kind dim reverse")
OP(transpose, "transpose", "rw",  0, "")
OP(atomic,    "atomic",    "ur",  0, "kind order") /* tile form; kind: enum Red */
OP(print,     "print",     "r",   0, "warp_group warp") /* text: message; region optional */
#undef OP
#endif

/* RED(id, text): how values combine */
#ifdef RED
RED(sum,    "sum")
RED(max,    "max")
RED(min,    "min")
RED(abssum, "abssum")
RED(absmax, "absmax")
RED(bitand, "bitand")
RED(bitor,  "bitor")
RED(bitxor, "bitxor")
#undef RED
#endif

/* SCOPE(id, text): where a buffer lives */
#ifdef SCOPE
SCOPE(global,   "global")
SCOPE(shared,   "shared")
SCOPE(fragment, "fragment")
SCOPE(local,    "local")
SCOPE(var,      "var")
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
