/* targets/cpu/prelude_base.c: helpers for types, integers and conversions.
 *
 * Everything that a loop may call is branch-free, so that it vectorises. */
#include <stddef.h>

#include "prelude.h"

/* Element types of memory that the program sees as two types. */
#define ALIAS(name, type) \
    {name, "", "typedef " type " __attribute__((may_alias, aligned(1))) " name ";\n"}
const Helper prelude_types[] = {
    ALIAS("alias_i16", "short"), ALIAS("alias_u16", "unsigned short"),
    ALIAS("alias_i32", "int"), ALIAS("alias_u32", "unsigned"),
    ALIAS("alias_i64", "long"), ALIAS("alias_u64", "unsigned long"),
    ALIAS("alias_f32", "float"), ALIAS("alias_f64", "double"),
    {NULL, NULL, NULL},
};

#define MIN(name, type) \
    {"min_" name, "", "static inline " type " min_" name "(" type " a, " type " b) { " \
     "return a < b ? a : b; }\n"}
#define MAX(name, type) \
    {"max_" name, "", "static inline " type " max_" name "(" type " a, " type " b) { " \
     "return a > b ? a : b; }\n"}

/* Signed division: x / 0 gives 0, the least number by -1 wraps. */
#define DIVS(name, type, utype) \
    {"truncdiv_" name, "", \
     "static inline " type " truncdiv_" name "(" type " a, " type " b)\n{\n" \
     "    return b == 0 ? 0 : b == -1 ? (" type ")(0 - (" utype ")a) : a / b;\n}\n"}, \
    {"truncmod_" name, "", \
     "static inline " type " truncmod_" name "(" type " a, " type " b)\n{\n" \
     "    return b == 0 || b == -1 ? 0 : a % b;\n}\n"}, \
    {"floordiv_" name, "truncdiv_" name " truncmod_" name, \
     "static inline " type " floordiv_" name "(" type " a, " type " b)\n{\n" \
     "    " type " r = truncmod_" name "(a, b);\n" \
     "    return truncdiv_" name "(a, b) - (r != 0 && (r < 0) != (b < 0));\n}\n"}, \
    {"floormod_" name, "truncmod_" name, \
     "static inline " type " floormod_" name "(" type " a, " type " b)\n{\n" \
     "    " type " r = truncmod_" name "(a, b);\n" \
     "    return r != 0 && (r < 0) != (b < 0) ? r + b : r;\n}\n"}
#define DIVU(name, type) \
    {"truncdiv_" name, "", "static inline " type " truncdiv_" name "(" type " a, " type " b) { " \
     "return b ? a / b : 0; }\n"}, \
    {"truncmod_" name, "", "static inline " type " truncmod_" name "(" type " a, " type " b) { " \
     "return b ? a % b : 0; }\n"}, \
    {"floordiv_" name, "", "static inline " type " floordiv_" name "(" type " a, " type " b) { " \
     "return b ? a / b : 0; }\n"}, \
    {"floormod_" name, "", "static inline " type " floormod_" name "(" type " a, " type " b) { " \
     "return b ? a % b : 0; }\n"}

/* Shifts by the width and more give 0, or the sign. */
#define SHIFT(name, type, utype, bits, over) \
    {"shl_" name, "", \
     "static inline " type " shl_" name "(" type " a, " type " n) { " \
     "return (" utype ")n < " bits " ? (" type ")((" utype ")a << n) : 0; }\n"}, \
    {"shr_" name, "", \
     "static inline " type " shr_" name "(" type " a, " type " n) { " \
     "return (" utype ")n < " bits " ? a >> n : " over "; }\n"}

const Helper prelude_ints[] = {
    {"divisor", "",
     "/* A divisor that may be zero. */\n"
     "static inline long divisor(MtRt *rt, long n, int line)\n{\n"
     "    if (__builtin_expect(n == 0, 0))\n"
     "        rt->zero(rt, line);\n"
     "    return n;\n}\n"},
    {"at", "",
     "/* An index that could not be proved inside of its tile. */\n"
     "static inline long at(MtRt *rt, long i, long n, const char *tile, int line)\n{\n"
     "    if (__builtin_expect(i < 0 || i >= n, 0)) {\n"
     "        char text[160];\n"
     "        __builtin_snprintf(text, sizeof text, \"index %ld of %s is out of range: "
     "its extent is %ld\", i, tile, n);\n"
     "        rt->fail(rt, text, line);\n"
     "    }\n"
     "    return i;\n}\n"},
    {"region", "",
     "/* A region that could not be proved inside of its tile. */\n"
     "static inline void region(MtRt *rt, long i, long n, long extent, const char *tile, int line)\n"
     "{\n"
     "    if (__builtin_expect(n > 0 && (i < 0 || n > extent || i > extent - n), 0)) {\n"
     "        char text[160];\n"
     "        __builtin_snprintf(text, sizeof text, \"index %ld of %s is out of range: \"\n"
     "\"its extent is %ld\", i < 0 || i > extent ? i : extent, tile, extent);\n"
     "        rt->fail(rt, text, line);\n"
     "    }\n}\n"},
    {"room_for", "",
     "/* Bits of n times as much, or less than 0. */\n"
     "static inline long room_for(long bits, long n)\n{\n"
     "    long r;\n"
     "    return bits < 0 || n < 0 || __builtin_mul_overflow(bits, n, &r) ? -16 : r;\n}\n"},
    {"rounds", "",
     "/* Of a loop from lo to hi; a step of 0 makes none. */\n"
     "static inline unsigned long rounds(long lo, long hi, long step)\n{\n"
     "    unsigned long a = (unsigned long)lo, b = (unsigned long)hi, s = (unsigned long)step;\n"
     "    if (step > 0)\n        return lo < hi ? (b - a - 1) / s + 1 : 0;\n"
     "    return step < 0 && lo > hi ? (a - b - 1) / (0 - s) + 1 : 0;\n}\n"},
    {"rounds_u", "",
     "static inline unsigned long rounds_u(unsigned long lo, unsigned long hi, long step)\n{\n"
     "    unsigned long s = (unsigned long)step;\n"
     "    if (step > 0)\n        return lo < hi ? (hi - lo - 1) / s + 1 : 0;\n"
     "    return step < 0 && lo > hi ? (lo - hi - 1) / (0 - s) + 1 : 0;\n}\n"},
    {"no_vectors", "",
     "/* gcc may make wrong code of a loop with several sums of integers when it vectorizes it\n"
     " * (11 and 12: PR 107212; 13 too), and of one that loads neighbours under a condition\n"
     " * (12: PR 114375 and another): there, such a loop stays as it is. */\n"
     "#if defined(__GNUC__) && !defined(__clang__)\n"
     "#define no_vectors() __asm__ volatile(\"\")\n#else\n#define no_vectors() (void)0\n#endif\n"},
    {"i4_get", "",
     "static inline int i4_get(const unsigned char *p, long i)\n{\n"
     "    return (int)((unsigned)p[i >> 1] << (i & 1 ? 24 : 28)) >> 28;\n}\n"},
    {"u4_get", "",
     "static inline int u4_get(const unsigned char *p, long i) { "
     "return p[i >> 1] >> (i & 1) * 4 & 15; }\n"},
    {"i4_put", "",
     "/* Two elements share a byte, and two blocks may own one each. */\n"
     "static inline void i4_put(unsigned char *p, long i, int v)\n{\n"
     "    int s = (i & 1) * 4;\n"
     "    unsigned char old = __atomic_load_n(p + (i >> 1), 0), new;\n"
     "    do\n"
     "        new = (unsigned char)((old & ~(15 << s)) | (v & 15) << s);\n"
     "    while (!__atomic_compare_exchange_n(p + (i >> 1), &old, new, 1, 0, 0));\n}\n"},
    MIN("i32", "int"), MAX("i32", "int"), MIN("u32", "unsigned"), MAX("u32", "unsigned"),
    MIN("i64", "long"), MAX("i64", "long"), MIN("u64", "unsigned long"), MAX("u64", "unsigned "
    "long"),
    {"abs_i32", "", "static inline int abs_i32(int a) { return a < 0 ? "
     "(int)(0u - (unsigned)a) : a; }\n"},
    {"abs_i64", "", "static inline long abs_i64(long a) { return a < 0 ? "
     "(long)(0uL - (unsigned long)a) : a; }\n"},
    {"clz_u32", "", "static inline int clz_u32(unsigned a) { return a ? __builtin_clz(a) : 32; "
     "}\n"},
    {"clz_u64", "", "static inline int clz_u64(unsigned long a) { return a ? "
     "__builtin_clzl(a) : 64; }\n"},
    {"popcount_u32", "", "static inline int popcount_u32(unsigned a) { "
     "return __builtin_popcount(a); }\n"},
    {"popcount_u64", "", "static inline int popcount_u64(unsigned long a) { "
     "return __builtin_popcountl(a); }\n"},
    DIVS("i32", "int", "unsigned"), DIVS("i64", "long", "unsigned long"),
    DIVU("u32", "unsigned"), DIVU("u64", "unsigned long"),
    SHIFT("i32", "int", "unsigned", "32", "a < 0 ? -1 : 0"),
    SHIFT("i64", "long", "unsigned long", "64", "a < 0 ? -1 : 0"),
    SHIFT("u32", "unsigned", "unsigned", "32", "0"),
    SHIFT("u64", "unsigned long", "unsigned long", "64", "0"),
    {NULL, NULL, NULL},
};

/* Integers from floats truncate and saturate; NaN gives 0.  gcc makes (float)(int)x a truncf(x)
 * with -fno-trapping-math, which gives -0 for -0.3: hence the sum, after which no zero is -0. */
#define TOINT(from, ftype, sfx, to, itype, lo, below, over, most) \
    {from "_" to, "", \
     "static inline " itype " " from "_" to "(" ftype " x)\n{\n" \
     "    " ftype " t = x > " lo " ? x : " lo ";\n" \
     "    t = __builtin_trunc" sfx "(t < " below " ? t : " below ");\n" \
     "    " itype " i = (" itype ")(t + 0.0f);\n" \
     "    i = x >= " over " ? " most " : i;\n" \
     "    return x == x ? i : 0;\n}\n"}

const Helper prelude_floats[] = {
    {"bits_f32", "",
     "static inline unsigned bits_f32(float x) { union { float f; unsigned u; } b = {x}; "
     "return b.u; }\n"},
    {"f32_bits", "",
     "static inline float f32_bits(unsigned x) { union { unsigned u; float f; } b = {x}; "
     "return b.f; }\n"},
    {"bits_f64", "",
     "static inline unsigned long bits_f64(double x) { union { double f; unsigned long u; "
     "} b = {x}; return b.u; }\n"},
    {"f64_bits", "",
     "static inline double f64_bits(unsigned long x) { union { unsigned long u; double f; "
     "} b = {x}; return b.f; }\n"},
    {"f64_odd", "bits_f32 f32_bits",
     "/* Rounds to odd: a second rounding of the result is then exact. */\n"
     "static inline float f64_odd(double x)\n{\n"
     "    float f = (float)x;\n"
     "    unsigned u = bits_f32(f);\n"
     "    double a = x < 0 ? -x : x, b = f < 0 ? -(double)f : f;\n"
     "    unsigned odd = a > b ? u + 1 : u - 1;\n"
     "    return f32_bits(a != b && a == a && (u & 1) == 0 ? odd : u);\n}\n"},
    {"i64_odd", "f64_odd",
     "static inline float i64_odd(long x)\n{\n"
     "    unsigned long a = x < 0 ? 0uL - (unsigned long)x : (unsigned long)x;\n"
     "    a = a >> 53 ? (a & ~2047uL) | (a & 2047 ? 2048 : 0) : a;\n"
     "    return f64_odd(x < 0 ? -(double)a : (double)a);\n}\n"},
    {"u64_odd", "f64_odd",
     "static inline float u64_odd(unsigned long x)\n{\n"
     "    return f64_odd((double)(x >> 53 ? (x & ~2047uL) | (x & 2047 ? 2048 : 0) : x));\n}\n"},
    {"f16_f32", "bits_f32 f32_bits",
     "/* The exponent is rebased by a multiplication, which also handles subnormals. */\n"
     "static inline float f16_f32(unsigned short h)\n{\n"
     "    unsigned a = (unsigned)(h & 0x7fff) << 13, s = (unsigned)(h & 0x8000) << 16;\n"
     "    unsigned u = bits_f32(f32_bits(a) * 0x1p112f);\n"
     "    return f32_bits((a >= 0x0f800000 ? u | 0x7f800000 : u) | s);\n}\n"},
    {"f32_f16", "bits_f32 f32_bits",
     "/* To nearest, ties to even; adding 0.5 aligns a subnormal's last place. */\n"
     "static inline unsigned short f32_f16(float x)\n{\n"
     "    unsigned u = bits_f32(x), a = u & 0x7fffffff;\n"
     "    unsigned normal = (a + 0xfff + (a >> 13 & 1) - 0x38000000) >> 13;\n"
     "    unsigned tiny = bits_f32(f32_bits(a) + 0.5f) - 0x3f000000;\n"
     "    unsigned h = a < 0x38800000 ? tiny : normal;\n"
     "    h = a >= 0x477ff000 ? 0x7c00 : h;\n"
     "    h = a > 0x7f800000 ? 0x7e00 : h;\n"
     "    return (unsigned short)(h | (u >> 16 & 0x8000));\n}\n"},
    {"round_f16", "bits_f32 f32_bits",
     "static inline float round_f16(float x)\n{\n"
     "    unsigned u = bits_f32(x), a = u & 0x7fffffff;\n"
     "    unsigned normal = (a + 0xfff + (a >> 13 & 1)) & ~0x1fffu;\n"
     "    unsigned tiny = bits_f32((float)(int)(bits_f32(f32_bits(a) + 0.5f) - 0x3f000000) * "
     "0x1p-24f);\n"
     "    unsigned r = a < 0x38800000 ? tiny : normal;\n"
     "    r = a >= 0x477ff000 ? 0x7f800000 : r;\n"
     "    r = a > 0x7f800000 ? 0x7fc00000 : r;\n"
     "    return f32_bits(r | (u & 0x80000000));\n}\n"},
    {"bf16_f32", "f32_bits",
     "static inline float bf16_f32(unsigned short h) { return f32_bits((unsigned)h << 16); }\n"},
    {"f32_bf16", "bits_f32",
     "static inline unsigned short f32_bf16(float x)\n{\n"
     "    unsigned u = bits_f32(x), r = (u + 0x7fff + (u >> 16 & 1)) >> 16;\n"
     "    return (unsigned short)((u & 0x7fffffff) > 0x7f800000 ? u >> 16 | 0x40 : r);\n}\n"},
    {"round_bf16", "bf16_f32 f32_bf16",
     "static inline float round_bf16(float x) { return bf16_f32(f32_bf16(x)); }\n"},
    {"round_tf32", "bits_f32 f32_bits",
     "static inline float round_tf32(float x)\n{\n"
     "    unsigned u = bits_f32(x), r = (u + 0xfff + (u >> 13 & 1)) & ~0x1fffu;\n"
     "    return f32_bits((u & 0x7fffffff) > 0x7f800000 ? u : r);\n}\n"},
    {"e4m3_f32", "bits_f32 f32_bits",
     "static inline float e4m3_f32(unsigned char h)\n{\n"
     "    unsigned a = (unsigned)(h & 0x7f) << 20, s = (unsigned)(h & 0x80) << 24;\n"
     "    unsigned u = bits_f32(f32_bits(a) * 0x1p120f);\n"
     "    return f32_bits((a == 0x07f00000 ? 0x7fc00000 : u) | s);\n}\n"},
    {"f32_e4m3", "bits_f32 f32_bits",
     "/* Saturates at 448; there is no infinity. */\n"
     "static inline unsigned char f32_e4m3(float x)\n{\n"
     "    unsigned u = bits_f32(x), a = u & 0x7fffffff;\n"
     "    unsigned c = a < 0x43e00000 ? a : 0x43e00000;\n"
     "    unsigned normal = (c + 0x7ffff + (c >> 20 & 1) - 0x3c000000) >> 20;\n"
     "    unsigned tiny = bits_f32(f32_bits(c) + 16384.0f) - 0x46800000;\n"
     "    unsigned h = c < 0x3c800000 ? tiny : normal;\n"
     "    h = a > 0x7f800000 ? 0x7f : h;\n"
     "    return (unsigned char)(h | (u >> 24 & 0x80));\n}\n"},
    {"round_e4m3", "e4m3_f32 f32_e4m3",
     "static inline float round_e4m3(float x) { return e4m3_f32(f32_e4m3(x)); }\n"},
    {"e5m2_f32", "f16_f32",
     "static inline float e5m2_f32(unsigned char h) { return f16_f32((unsigned short)(h << 8)); "
     "}\n"},
    {"f32_e5m2", "bits_f32 f32_bits",
     "/* Saturates at 57344. */\n"
     "static inline unsigned char f32_e5m2(float x)\n{\n"
     "    unsigned u = bits_f32(x), a = u & 0x7fffffff;\n"
     "    unsigned normal = (a + 0xfffff + (a >> 21 & 1) - 0x38000000) >> 21;\n"
     "    unsigned tiny = bits_f32(f32_bits(a) + 128.0f) - 0x43000000;\n"
     "    unsigned h = a < 0x38800000 ? tiny : normal;\n"
     "    h = a >= 0x47700000 ? 0x7b : h;\n"
     "    h = a > 0x7f800000 ? 0x7f : h;\n"
     "    return (unsigned char)(h | (u >> 24 & 0x80));\n}\n"},
    {"keep_e5m2", "f32_e5m2",
     "/* An element as it is: infinity stays. */\n"
     "static inline unsigned char keep_e5m2(float x)\n{\n"
     "    return (unsigned char)(f32_e5m2(x) + (__builtin_isinf(x) ? 1 : 0));\n}\n"},
    {"round_e5m2", "e5m2_f32 f32_e5m2",
     "static inline float round_e5m2(float x) { return e5m2_f32(f32_e5m2(x)); }\n"},
    TOINT("f32", "float", "f", "i32", "int",
          "-2147483648.0f", "2147483520.0f", "2147483648.0f", "2147483647"),
    TOINT("f32", "float", "f", "u32", "unsigned",
          "0.0f", "4294967040.0f", "4294967296.0f", "4294967295u"),
    TOINT("f32", "float", "f", "i64", "long",
          "-0x1p63f", "0x1.fffffep62f", "0x1p63f", "9223372036854775807L"),
    TOINT("f32", "float", "f", "u64", "unsigned long",
          "0.0f", "0x1.fffffep63f", "0x1p64f", "~0uL"),
    TOINT("f64", "double", "", "i32", "int",
          "-2147483648.0", "2147483647.0", "2147483648.0", "2147483647"),
    TOINT("f64", "double", "", "u32", "unsigned",
          "0.0", "4294967295.0", "4294967296.0", "4294967295u"),
    TOINT("f64", "double", "", "i64", "long",
          "-0x1p63", "0x1.fffffffffffffp62", "0x1p63", "9223372036854775807L"),
    TOINT("f64", "double", "", "u64", "unsigned "
    "long", "0.0", "0x1.fffffffffffffp63", "0x1p64", "~0uL"),
    {NULL, NULL, NULL},
};
