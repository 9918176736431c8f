/* core/emit/prelude.c: helpers that every dialect has alike: division and
 * shifts as the language defines them, rounding to odd, packed integers of 4 bits,
 * the side buffer, functions that no dialect has a name for. */
#include <string.h>

#include "emit_p.h"

/* Signed division: x / 0 gives 0, the least number by -1 wraps. */
#define DIVS(name, type, utype) \
    {"truncdiv_" name, "", \
     "% " type " truncdiv_" name "(" type " a, " type " b)\n{\n" \
     "    return b == 0 ? 0 : b == -1 ? (" type ")(0 - (" utype ")a) : a / b;\n}\n"}, \
    {"truncmod_" name, "", \
     "% " type " truncmod_" name "(" type " a, " type " b)\n{\n" \
     "    return b == 0 || b == -1 ? 0 : a % b;\n}\n"}, \
    {"floordiv_" name, "truncdiv_" name " truncmod_" name, \
     "% " type " floordiv_" name "(" type " a, " type " b)\n{\n" \
     "    " type " r = truncmod_" name "(a, b);\n" \
     "    return truncdiv_" name "(a, b) - (r != 0 && (r < 0) != (b < 0));\n}\n"}, \
    {"floormod_" name, "truncmod_" name, \
     "% " type " floormod_" name "(" type " a, " type " b)\n{\n" \
     "    " type " r = truncmod_" name "(a, b);\n" \
     "    return r != 0 && (r < 0) != (b < 0) ? r + b : r;\n}\n"}
#define DIVU1(fn, name, type, op) \
    {fn "_" name, "", \
     "% " type " " fn "_" name "(" type " a, " type " b) { return b ? a " op " b : 0; }\n"}
#define DIVU(name, type) \
    DIVU1("truncdiv", name, type, "/"), DIVU1("floordiv", name, type, "/"), \
    DIVU1("truncmod", name, type, "%"), DIVU1("floormod", name, type, "%")

/* Shifts by the width and more give 0, or the sign. */
#define SHIFT(name, type, utype, bits, over) \
    {"shl_" name, "", \
     "% " type " shl_" name "(" type " a, " type " n)\n{\n" \
     "    return (" utype ")n < " bits " ? (" type ")((" utype ")a << n) : 0;\n}\n"}, \
    {"shr_" name, "", \
     "% " type " shr_" name "(" type " a, " type " n)\n{\n" \
     "    return (" utype ")n < " bits " ? a >> n : " over ";\n}\n"}

/* Rounds to odd: a second rounding of the result is then exact. */
#define ODD(name, type, to, back) \
    {"to_odd_" name, "", \
     "/* Towards zero, and odd where inexact: a second rounding is then right. */\n" \
     "% float to_odd_" name "(" type " x)\n{\n" \
     "    float f = " to "(x);\n" \
     "    return " back " == x ? f : __uint_as_float(__float_as_uint(f) | 1);\n}\n"}

/* Integers from floats truncate and saturate; NaN gives 0. */
#define TOINT(name, ftype, itype, fn) \
    {name, "", "% " itype " " name "(" ftype " x) { return x == x ? " fn "(x) : 0; }\n"}

#define FLOORS(name, type, sfx) \
    {"floordiv_" name, "", \
     "% " type " floordiv_" name "(" type " a, " type " b) { return floor" sfx "(a / b); }\n"}, \
    {"floormod_" name, "", \
     "/* The exact remainder, with the sign of b, rounded once. */\n" \
     "% " type " floormod_" name "(" type " a, " type " b)\n{\n" \
     "    " type " r = fmod" sfx "(a, b);\n" \
     "    return r == 0 ? copysign" sfx "(r, b) : (r < 0) != (b < 0) ? r + b : r;\n}\n"}

static const EmitText texts[] = {
    DIVS("i32", "int", "unsigned"), DIVS("i64", "long long", "unsigned long long"),
    DIVU("u32", "unsigned"), DIVU("u64", "unsigned long long"),
    SHIFT("i32", "int", "unsigned", "32", "a < 0 ? -1 : 0"),
    SHIFT("i64", "long long", "unsigned long long", "64", "a < 0 ? -1 : 0"),
    SHIFT("u32", "unsigned", "unsigned", "32", "0"),
    SHIFT("u64", "unsigned long long", "unsigned long long", "64", "0"),
    FLOORS("f32", "float", "f"), FLOORS("f64", "double", ""),
    ODD("f64", "double", "__double2float_rz", "(double)f"),
    ODD("i32", "int", "__int2float_rz", "__float2int_rz(f)"),
    ODD("u32", "unsigned", "__uint2float_rz", "__float2uint_rz(f)"),
    ODD("i64", "long long", "__ll2float_rz", "__float2ll_rz(f)"),
    ODD("u64", "unsigned long long", "__ull2float_rz", "__float2ull_rz(f)"),
    TOINT("f32_i64", "float", "long long", "__float2ll_rz"),
    TOINT("f32_u64", "float", "unsigned long long", "__float2ull_rz"),
    TOINT("f64_i32", "double", "int", "__double2int_rz"),
    TOINT("f64_u32", "double", "unsigned", "__double2uint_rz"),
    TOINT("f64_i64", "double", "long long", "__double2ll_rz"),
    TOINT("f64_u64", "double", "unsigned long long", "__double2ull_rz"),
    {"inf", "", "% float inf() { return __uint_as_float(0x7f800000u); }\n"},
    {"not_a_number", "", "% float not_a_number() { return __uint_as_float(0x7fffffffu); }\n"},
    {"words4", "",
     "struct alignas(16) words4 { unsigned x, y, z, w; }; /* what one access moves */\n"},
    {"words2", "", "struct alignas(8) words2 { unsigned x, y; };\n"},
    {"i4_get", "",
     "% int i4_get(const unsigned char *p, long long i)\n{\n"
     "    return (int)((unsigned)p[i >> 1] << (i & 1 ? 24 : 28)) >> 28;\n}\n"},
    {"u4_get", "",
     "% int u4_get(const unsigned char *p, long long i)\n{\n"
     "    return p[i >> 1] >> (i & 1) * 4 & 15;\n}\n"},
    {"i4_put", "",
     "/* Two elements share a byte, and two threads may own one each. */\n"
     "% void i4_put(unsigned char *p, long long i, int v)\n{\n"
     "    unsigned long long at = (unsigned long long)(p + (i >> 1));\n"
     "    unsigned *word = (unsigned *)(at & ~3ull);\n"
     "    int shift = (int)(at & 3) * 8 + (int)(i & 1) * 4;\n"
     "    atomicAnd(word, ~(15u << shift));\n"
     "    atomicOr(word, (v & 15u) << shift);\n}\n"},
    {"record", "",
     "/* Room for a record of n words in the side buffer, its head filled in; null: full. */\n"
     "static __device__ __noinline__ unsigned *record(unsigned *out, unsigned site, unsigned n,\n"
     "    int thread, unsigned first)\n{\n"
     "    unsigned long long block = blockIdx.x + (unsigned long long)gridDim.x *\n"
     "        (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);\n"
     "    unsigned at = *(volatile unsigned *)out < out[1] ? atomicAdd(out, n) : out[1];\n"
     "    if (at + n > out[1]) {\n"
     "        atomicAdd(out + 2, 1u);\n"
     "        return 0;\n"
     "    }\n"
     "    unsigned *r = out + 4 + at;\n"
     "    r[0] = site;\n"
     "    r[1] = n;\n"
     "    r[2] = (unsigned)block;\n"
     "    r[3] = (unsigned)(block >> 32);\n"
     "    r[4] = thread;\n"
     "    r[5] = first;\n"
     "    return r + 6;\n}\n"},
    {"record_failure", "record",
     "/* An assertion does not hold: says where, and stops the grid. */\n"
     "% void record_failure(unsigned *out, unsigned site, int thread)\n{\n"
     "    record(out, site, 6, thread, 0);\n"
     "    __threadfence_system();\n"
     "    atomicCAS(out + 3, 0u, site + 1);\n"
     "    __threadfence_system();\n"
     "    __trap();\n}\n"},
    {"sigmoid_f32", "",
     "% float sigmoid_f32(float x)\n{\n"
     "    float e = expf(-fabsf(x));\n"
     "    return (x < 0.0f ? e : 1.0f) / (1.0f + e);\n}\n"},
    {"sigmoid_f64", "",
     "% double sigmoid_f64(double x)\n{\n"
     "    double e = exp(-fabs(x));\n"
     "    return (x < 0.0 ? e : 1.0) / (1.0 + e);\n}\n"},
    {"abs_i32", "",
     "/* Of the least number there is none: it stays. */\n"
     "% int abs_i32(int x) { return x < 0 ? (int)(0 - (unsigned)x) : x; }\n"},
    {"abs_i64", "",
     "% long long abs_i64(long long x)\n{\n"
     "    return x < 0 ? (long long)(0 - (unsigned long long)x) : x;\n}\n"},
    {"ldexp_f32", "", "% float ldexp_f32(float x, float n) { return ldexpf(x, (int)n); }\n"},
    {"ldexp_f64", "", "% double ldexp_f64(double x, double n) { return ldexp(x, (int)n); }\n"},
    {"frsqrt_f64", "", "% double frsqrt_f64(double x) { return 1.0 / sqrt(x); }\n"},
    {"is_nan", "",
     "% bool is_nan(float x) { return x != x; }\n"
     "% bool is_nan(double x) { return x != x; }\n"},
    {"is_inf", "inf",
     "% bool is_inf(float x) { return fabsf(x) == inf(); }\n"
     "% bool is_inf(double x) { return fabs(x) == inf(); }\n"},
    {"is_finite", "inf",
     "% bool is_finite(float x) { return fabsf(x) < inf(); }\n"
     "% bool is_finite(double x) { return fabs(x) < inf(); }\n"},
    {"grid_sync", "",
     "/* All threads of the grid meet; the counter only grows. */\n"
     "static __device__ __noinline__ void grid_sync(unsigned *arrived)\n{\n"
     "    __syncthreads();\n"
     "    if (threadIdx.x == 0) {\n"
     "        unsigned blocks = gridDim.x * gridDim.y * gridDim.z;\n"
     "        __threadfence();\n"
     "        unsigned wanted = (atomicAdd(arrived, 1u) / blocks + 1) * blocks;\n"
     "        while (*(volatile unsigned *)arrived < wanted)\n"
     "            ;\n"
     "        __threadfence();\n"
     "    }\n"
     "    __syncthreads();\n}\n"},
    {NULL, NULL, NULL},
};

const char *emit_prelude(Emit *e, const char *name)
{
    const char *t = emit_find(e, texts, name);
    return t ? t : emit_types(e, name);
}
