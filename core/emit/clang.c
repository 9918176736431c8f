/* core/emit/clang.c: helpers of dialects that clang compiles and whose texts include
 * no header: what CUDA has a function for, from the compiler's built-ins.
 *
 * Conversions to integers saturate and make 0 of NaN, as the language has it; in C++ they
 * are undefined.  Words through which elements of another type are moved are marked so:
 * clang assumes otherwise that memory is read by the type it was written with. */
#include "emit_p.h"

const EmitName emit_clang_names[] = {
    {"__float_as_uint", "+bits_of"}, {"__uint_as_float", "+float_of"},
    {"__double_as_longlong", "+bits_of_double"}, {"__longlong_as_double", "+double_of"},
    {"__float2int_rz", "+trunc_i32_f32"}, {"__float2uint_rz", "+trunc_u32_f32"},
    {"__float2ll_rz", "+trunc_i64_f32"}, {"__float2ull_rz", "+trunc_u64_f32"},
    {"__double2int_rz", "+trunc_i32_f64"}, {"__double2uint_rz", "+trunc_u32_f64"},
    {"__double2ll_rz", "+trunc_i64_f64"}, {"__double2ull_rz", "+trunc_u64_f64"},
    {"__int2float_rz", "+float_rz_i32"}, {"__uint2float_rz", "+float_rz_u32"},
    {"__ll2float_rz", "+float_rz_i64"}, {"__ull2float_rz", "+float_rz_u64"},
    {"__double2float_rz", "+float_rz_f64"},
    {"__clz", "+lead_zeros"}, {"__clzll", "+lead_zeros_ll"},
    {"__popc", "__builtin_popcount"}, {"__popcll", "__builtin_popcountll"},
    {"__ffs", "__builtin_ffs"}, {"__ffsll", "__builtin_ffsll"},
    {"min", "+lesser"}, {"max", "+greater"},
    {"fminf", "__builtin_fminf"}, {"fmaxf", "__builtin_fmaxf"}, {"fmin", "__builtin_fmin"},
    {"fmax", "__builtin_fmax"}, {"fabsf", "__builtin_fabsf"}, {"fabs", "__builtin_fabs"},
    {"floorf", "__builtin_floorf"}, {"floor", "__builtin_floor"},
    {"sqrtf", "__builtin_sqrtf"}, {"sqrt", "__builtin_sqrt"},
    {"copysignf", "__builtin_copysignf"}, {"copysign", "__builtin_copysign"},
    {"__noinline__", "__attribute__((noinline))"},
    {NULL, NULL},
};

#define SAME_BITS(name, to, from) \
    {name, "", "% " to " " name "(" from " x) { return __builtin_bit_cast(" to ", x); }\n"}

/* The bounds are what the type's ends are as floats; the upper one is beyond the end. */
#define TRUNC(name, type, from, least, beyond, lo, hi) \
    {name, "", \
     "% " type " " name "(" from " x)\n{\n" \
     "    " type " end = x < 0 ? " lo " : " hi ";\n" \
     "    return x >= " least " && x < " beyond " ? (" type ")x : x == x ? end : 0;\n}\n"}

/* Bits below the 24 that a float holds are cut off before. */
#define FLOAT_RZ(name, type, magnitude) \
    {name, "", \
     "/* Towards zero. */\n" \
     "% float " name "(" type " x)\n{\n" \
     "    unsigned long long u = " magnitude ";\n" \
     "    int extra = u >> 24 ? 40 - __builtin_clzll(u) : 0;\n" \
     "    float f = (float)(u >> extra << extra);\n" \
     "    return x < 0 ? -f : f;\n}\n"}

/* Vectors: of a structure that is only copied clang 19 makes no registers. */
#define WORDS(name, n, about) \
    {name, "", \
     about "typedef unsigned __attribute__((ext_vector_type(" n "), may_alias)) " name ";\n"}

static const EmitText texts[] = {
    {"words1", "",
     "typedef unsigned __attribute__((may_alias)) words1; /* elements of any type */\n"},
    {"words_half", "", "typedef unsigned short __attribute__((may_alias)) words_half;\n"},
    {"any", "",
     "/* T where elements of another type may lie. */\n"
     "template <class T> using any = T __attribute__((may_alias));\n"},
    WORDS("words2", "2", ""),
    WORDS("words4", "4", "/* What one access moves. */\n"),
    SAME_BITS("bits_of", "unsigned", "float"), SAME_BITS("float_of", "float", "unsigned"),
    SAME_BITS("bits_of_double", "long long", "double"),
    SAME_BITS("double_of", "double", "long long"),
    TRUNC("trunc_i32_f32", "int", "float", "-0x1p31f", "0x1p31f", "-0x7fffffff - 1", "0x7fffffff"),
    TRUNC("trunc_u32_f32", "unsigned", "float", "0", "0x1p32f", "0", "0xffffffff"),
    TRUNC("trunc_i64_f32", "long long", "float", "-0x1p63f", "0x1p63f",
          "-0x7fffffffffffffff - 1", "0x7fffffffffffffff"),
    TRUNC("trunc_u64_f32", "unsigned long long", "float", "0", "0x1p64f", "0",
          "0xffffffffffffffff"),
    TRUNC("trunc_i32_f64", "int", "double", "-0x1p31", "0x1p31", "-0x7fffffff - 1", "0x7fffffff"),
    TRUNC("trunc_u32_f64", "unsigned", "double", "0", "0x1p32", "0", "0xffffffff"),
    TRUNC("trunc_i64_f64", "long long", "double", "-0x1p63", "0x1p63",
          "-0x7fffffffffffffff - 1", "0x7fffffffffffffff"),
    TRUNC("trunc_u64_f64", "unsigned long long", "double", "0", "0x1p64", "0",
          "0xffffffffffffffff"),
    FLOAT_RZ("float_rz_i32", "int", "x < 0 ? 0 - (unsigned)x : (unsigned)x"),
    FLOAT_RZ("float_rz_i64", "long long",
             "x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x"),
    {"float_rz_u64", "",
     "/* Towards zero. */\n"
     "% float float_rz_u64(unsigned long long x)\n{\n"
     "    int extra = x >> 24 ? 40 - __builtin_clzll(x) : 0;\n"
     "    return (float)(x >> extra << extra);\n}\n"},
    {"float_rz_u32", "float_rz_u64",
     "% float float_rz_u32(unsigned x) { return float_rz_u64(x); }\n"},
    {"float_rz_f64", "",
     "/* Towards zero. */\n"
     "% float float_rz_f64(double x)\n{\n"
     "    float f = (float)x;\n"
     "    bool beyond = fabs((double)f) > fabs(x);\n"
     "    return __uint_as_float(__float_as_uint(f) - beyond);\n}\n"},
    {"lead_zeros", "", "% int lead_zeros(unsigned x) { return x ? __builtin_clz(x) : 32; }\n"},
    {"lead_zeros_ll", "",
     "% int lead_zeros_ll(unsigned long long x) { return x ? __builtin_clzll(x) : 64; }\n"},
    {"lesser", "",
     "template <class T, class U>\n% auto lesser(T a, U b) { return b < a ? b : a; }\n"},
    {"greater", "",
     "template <class T, class U>\n% auto greater(T a, U b) { return a < b ? b : a; }\n"},
    {"f16_rn", "f16",
     "% f16 f16_rn(float x)\n{\n"
     "    return f16{__builtin_bit_cast(unsigned short, (_Float16)x)};\n}\n"},
    {"f32_f16", "f16",
     "% float f32(f16 h) { return (float)__builtin_bit_cast(_Float16, h.x); }\n"},
    {"f32_e4m3", "e4m3",
     "/* Without subnormal floats, which a chip may take for 0. */\n"
     "% float f32(e4m3 h)\n{\n"
     "    unsigned a = (unsigned)(h.x & 0x7f) << 20, s = (unsigned)(h.x & 0x80) << 24;\n"
     "    float tiny = __uint_as_float(a | 0x3c800000) - 0x1p-6f;\n"
     "    unsigned u = a < 0x00800000 ? __float_as_uint(tiny) : a + 0x3c000000;\n"
     "    return __uint_as_float((a == 0x07f00000 ? 0x7fc00000 : u) | s);\n}\n"},
    {"assume", "", "#define assume(c) __builtin_assume(c)\n"},
    {"exp2_ftz", "",
     "/* Results below 2^-126 are 0. */\n"
     "% float exp2_ftz(float x) { return x < -126.0f ? 0.0f : exp2f(x); }\n"},
    {"fast_exp10", "",
     "/* As CUDA's __exp10f: the product is rounded. */\n"
     "% float fast_exp10(float x) { return exp2f(x * 3.32192802f); }\n"},
    {"frsqrt_f32", "",
     "% float frsqrt_f32(float x) { return (float)(1.0 / sqrt((double)x)); }\n"},
    {NULL, NULL, NULL},
};

const char *emit_clang(Emit *e, const char *name) { return emit_find(e, texts, name); }
