/* targets/cpu/prelude_math.c: helpers for float arithmetic, elementary
 * functions, exact rounding modes and rows of elements.
 *
 * The polynomials are minimax fits made for this file (Remez exchange in exact
 * arithmetic); every function here is within 2 units in the last place of
 * float32 (sigmoid 2.2), fast_* within 4 near the origin: tests/unit/cpu_math.c. */
#include <stddef.h>

#include "prelude.h"

#define FLOORS(name, type, sfx) \
    {"floordiv_" name, "", \
     "static inline " type " floordiv_" name "(" type " a, " type " b) { " \
     "return __builtin_floor" sfx "(a / b); }\n"}, \
    {"floormod_" name, "", \
     "/* The exact remainder, with the sign of b, rounded once. */\n" \
     "static inline " type " floormod_" name "(" type " a, " type " b)\n{\n" \
     "    " type " r = __builtin_fmod" sfx "(a, b);\n" \
     "    return r == 0 ? __builtin_copysign" sfx "(r, b) : (r < 0) != (b < 0) ? r + b : r;\n}\n"}
/* NaN loses against a number, as in CUDA's fminf. */
#define MINMAX(name, type) \
    {"min_" name, "", \
     "static inline " type " min_" name "(" type " a, " type " b) { return a < b || b != b ? " \
     "a : b; }\n"}, \
    {"max_" name, "", \
     "static inline " type " max_" name "(" type " a, " type " b) { return a > b || b != b ? " \
     "a : b; }\n"}
#define TESTS(name, type, sfx) \
    {"isnan_" name, "", "static inline int isnan_" name "(" type " x) { return x != x; }\n"}, \
    {"isinf_" name, "", \
     "static inline int isinf_" name "(" type " x) { return __builtin_fabs" sfx "(x) == " \
     "__builtin_inf" sfx "(); }\n"}, \
    {"isfinite_" name, "", \
     "static inline int isfinite_" name "(" type " x) { return __builtin_fabs" sfx "(x) < " \
     "__builtin_inf" sfx "(); }\n"}
#define SIMPLE(name, type, one, sfx) \
    {"rcp_" name, "", "static inline " type " rcp_" name "(" type " x) { return " one " / x; " \
     "}\n"}, \
    {"rsqrt_" name, "", \
     "static inline " type " rsqrt_" name "(" type " x) { " \
     "return " one " / __builtin_sqrt" sfx "(x); }\n"}, \
    {"ldexp_" name, "", \
     "static inline " type " ldexp_" name "(" type " x, " type " n) { " \
     "return __builtin_ldexp" sfx "(x, (int)n); }\n"}, \
    {"round_away_" name, "", \
     "static inline " type " round_away_" name "(" type " x)\n{\n" \
     "    " type " t = __builtin_trunc" sfx "(x);\n" \
     "    return __builtin_fabs" sfx "(x - t) >= 0.5f ? t + __builtin_copysign" sfx "(" one ", " \
     "x) : t;\n}\n"}

const Helper prelude_math[] = {
    FLOORS("f32", "float", "f"), FLOORS("f64", "double", ""),
    MINMAX("f32", "float"), MINMAX("f64", "double"),
    TESTS("f32", "float", "f"), TESTS("f64", "double", ""),
    SIMPLE("f32", "float", "1.0f", "f"), SIMPLE("f64", "double", "1.0", ""),
    {"scale_f32", "f32_bits",
     "/* (1 + p) 2^n by two factors, so that results may be subnormal; |n| < 250 */\n"
     "static inline float scale_f32(float p, int n)\n{\n"
     "    int h = n >> 1;\n"
     "    float a = f32_bits((unsigned)(h + 127) << 23);\n"
     "    float b = f32_bits((unsigned)(n - h + 127) << 23);\n"
     "    return (p * a + a) * b;\n}\n"},
    {"within_f32", "bits_f32 f32_bits",
     "/* x, at most m away from 0: floats of one sign are ordered as their bits are */\n"
     "static inline float within_f32(float x, float m)\n{\n"
     "    int b = (int)bits_f32(x), hi = (int)bits_f32(m);\n"
     "    unsigned c = (unsigned)(b < hi ? b : hi), lo = bits_f32(-m);\n"
     "    return f32_bits(c < lo ? c : lo);\n}\n"},
    {"exp_f32", "bits_f32 within_f32 scale_f32",
     "/* e^x = 2^n e^r, |r| <= ln(2)/2; adding 1.5 * 2^23 rounds to an integer. */\n"
     "static inline float exp_f32(float y)\n{\n"
     "    float x = within_f32(y, 150.0f);\n"
     "    int k = (int)(bits_f32(x * 1.44269504f + 12582912.0f) - 0x4b400000);\n"
     "    float n = (float)k;\n"
     "    float r = (x - n * 0.693145752f) - n * 1.42860677e-6f;\n"
     "    float p = ((0.00138145389f * r + 0.00836874574f) * r + 0.0416683908f) * r + "
     "0.166665204f;\n"
     "    return y == y ? scale_f32((p * r + 0.499999934f) * (r * r) + r, k) : y;\n}\n"},
    {"exp2_f32", "bits_f32 within_f32 scale_f32",
     "static inline float exp2_f32(float y)\n{\n"
     "    float x = within_f32(y, 200.0f);\n"
     "    int k = (int)(bits_f32(x + 12582912.0f) - 0x4b400000);\n"
     "    float r = x - (float)k;\n"
     "    float p = ((0.000154763002f * r + 0.00134002696f) * r + 0.00961800389f) * r + "
     "0.0555032779f;\n"
     "    return y == y ? scale_f32(((p * r + 0.240226513f) * r + 0.693147206f) * r, k) : y;\n}\n"},
    {"exp2_ftz_f32", "exp2_f32",
     "/* Results below 2^-126 are 0. */\n"
     "static inline float exp2_ftz_f32(float x)\n{\n"
     "    float e = exp2_f32(x);\n"
     "    return x < -126.0f ? 0.0f : e;\n}\n"},
    {"exp10_f32", "bits_f32 within_f32 scale_f32",
     "static inline float exp10_f32(float y)\n{\n"
     "    float x = within_f32(y, 60.0f);\n"
     "    int k = (int)(bits_f32(x * 3.32192809f + 12582912.0f) - 0x4b400000);\n"
     "    float n = (float)k;\n"
     "    float s = (x - n * 0.301025391f) - n * 4.60503806e-6f;\n"
     "    float r = s * 2.30258509f;\n"
     "    float p = ((0.00138145389f * r + 0.00836874574f) * r + 0.0416683908f) * r + "
     "0.166665204f;\n"
     "    return y == y ? scale_f32((p * r + 0.499999934f) * (r * r) + r, k) : y;\n}\n"},
    {"exp10_f64", "",
     "static inline double exp10_f64(double x) { return __builtin_pow(10.0, x); }\n"},
    {"fast_exp_f32", "bits_f32 f32_bits",
     "/* Results below the least normal number are 0. */\n"
     "static inline float fast_exp_f32(float x)\n{\n"
     "    x = x > 88.8f ? __builtin_inff() : x;\n"
     "    int k = (int)(bits_f32(x * 1.44269504f + 12582912.0f) - 0x4b400000);\n"
     "    float n = (float)k;\n"
     "    float r = (x - n * 0.693145752f) - n * 1.42860677e-6f;\n"
     "    float p = ((0.00138145389f * r + 0.00836874574f) * r + 0.0416683908f) * r + "
     "0.166665204f;\n"
     "    p = (p * r + 0.499999934f) * (r * r) + r;\n"
     "    float e = (p + 1.0f) * f32_bits((unsigned)(k + 127) << 23);\n"
     "    e = x > 88.0f ? __builtin_inff() : e;\n"
     "    return x < -87.3f ? 0.0f : e;\n}\n"},
    {"split_f32", "bits_f32 f32_bits",
     "/* x = (1 + f) * 2^e, 2/3 <= 1 + f < 4/3; returns log(1 + f) - f */\n"
     "static inline float split_f32(float x, float *f, float *e)\n{\n"
     "    int tiny = x < 0x1p-126f;\n"
     "    x = tiny ? x * 0x1p23f : x;\n"
     "    int i = (int)(bits_f32(x) - 0x3f2aaaab);\n"
     "    float m = f32_bits((unsigned)(i & 0x7fffff) + 0x3f2aaaab) - 1.0f;\n"
     "    float p = ((0.120092368f * m - 0.128470843f) * m + 0.10753755f) * m - 0.121953678f;\n"
     "    p = (((p * m + 0.143044934f) * m - 0.166796038f) * m + 0.199995967f) * m - "
     "0.249998198f;\n"
     "    p = p * m + 0.333333358f;\n"
     "    *f = m;\n"
     "    *e = (float)(i >> 23) - (tiny ? 23.0f : 0.0f);\n"
     "    return (p * m - 0.5f) * (m * m);\n}\n"},
    {"ends_f32", "",
     "/* Logarithms of 0, infinity, NaN and negative numbers. */\n"
     "static inline float ends_f32(float x, float y)\n{\n"
     "    y = x == 0.0f ? -__builtin_inff() : y;\n"
     "    y = x < __builtin_inff() ? y : x;\n"
     "    return x < 0.0f ? __builtin_nanf(\"\") : y;\n}\n"},
    {"log_f32", "split_f32 ends_f32",
     "static inline float log_f32(float x)\n{\n"
     "    float f, e, p = split_f32(x, &f, &e);\n"
     "    return ends_f32(x, e * 0.693359375f + (f + (p + e * -2.12194440e-4f)));\n}\n"},
    {"log2_f32", "split_f32 ends_f32",
     "static inline float log2_f32(float x)\n{\n"
     "    float f, e, p = split_f32(x, &f, &e);\n"
     "    float s = f + p, d = f - s + p; /* log(1 + f) in two parts */\n"
     "    return ends_f32(x, e + (s * 1.44269502f + (d * 1.44269502f + s * "
     "1.92596299e-8f)));\n}\n"},
    {"log10_f32", "split_f32 ends_f32",
     "static inline float log10_f32(float x)\n{\n"
     "    float f, e, p = split_f32(x, &f, &e);\n"
     "    float s = f + p, d = f - s + p;\n"
     "    float y = s * 0.434294492f + (d * 0.434294492f - s * 1.00951537e-8f + e * "
     "4.60503806e-6f);\n"
     "    return ends_f32(x, e * 0.301025391f + y);\n}\n"},
    {"tanh_f32", "exp_f32",
     "static inline float tanh_f32(float x)\n{\n"
     "    float a = __builtin_fabsf(x), y = a * a;\n"
     "    float p = (((-0.00590587344f * y + 0.0208053893f) * y - 0.0537866851f) * y + "
     "0.133319583f) * y - 0.333332993f;\n"
     "    float small = p * y * a + a;\n"
     "    float large = 1.0f - 2.0f / (exp_f32(2.0f * (a < 10.0f ? a : 10.0f)) + 1.0f);\n"
     "    float t = a < 0.6f ? small : large;\n"
     "    return x == x ? __builtin_copysignf(t, x) : x;\n}\n"},
    {"sigmoid_f32", "exp_f32",
     "static inline float sigmoid_f32(float x)\n{\n"
     "    float e = exp_f32(-__builtin_fabsf(x));\n"
     "    return (x < 0.0f ? e : 1.0f) / (1.0f + e);\n}\n"},
    {"sigmoid_f64", "",
     "static inline double sigmoid_f64(double x)\n{\n"
     "    double e = __builtin_exp(-__builtin_fabs(x));\n"
     "    return (x < 0.0 ? e : 1.0) / (1.0 + e);\n}\n"},
    {"erf_f32", "exp_f32",
     "static inline float erf_f32(float x)\n{\n"
     "    float a = __builtin_fabsf(x), y = a * a;\n"
     "    float p = ((7.85386108e-05f * y - 0.000801019353f) * y + 0.00518832767f) * y - "
     "0.0268538119f;\n"
     "    float small = (((p * y + 0.112835851f) * y - 0.376126258f) * y + 0.128379167f) * a + a;\n"
     "    float c = a < 4.0f ? a : 4.0f; /* erf(x) = 1 - e^-q(x) */\n"
     "    float q = ((2.16867485e-05f * c - 0.000441335116f) * c + 0.00420455528f) * c - "
     "0.025208238f;\n"
     "    q = (((q * c + 0.108418546f) * c + 0.633219924f) * c + 1.12957841f) * c - "
     "0.000188036442f;\n"
     "    float t = a < 1.0f ? small : 1.0f - exp_f32(-q);\n"
     "    return x == x ? __builtin_copysignf(t, x) : x;\n}\n"},
    {"quarter_f32", "bits_f32",
     "/* x = n * pi/2 + r, |r| <= pi/4; sin or cos of r by n's parity */\n"
     "static inline float quarter_f32(float x, int shift)\n{\n"
     "    int i = (int)(bits_f32(x * 0.636619772f + 12582912.0f) - 0x4b400000);\n"
     "    float n = (float)i;\n"
     "    float r = ((x - n * 1.57079601f) - n * 3.13916473e-7f) - n * 5.39030253e-15f;\n"
     "    unsigned k = (unsigned)(i + shift);\n"
     "    float y = r * r;\n"
     "    float s = ((-0.000195172186f * y + 0.00833217758f) * y - 0.166666549f) * y * r + r;\n"
     "    float c = ((2.44383682e-05f * y - 0.00138873668f) * y + 0.0416666469f) * y * y - 0.5f "
     "* y + 1.0f;\n"
     "    float v = k & 1 ? c : s;\n"
     "    return k & 2 ? -v : v;\n}\n"},
    {"fast_sin_f32", "quarter_f32", "static inline float fast_sin_f32(float x) { "
     "return quarter_f32(x, 0); }\n"},
    {"fast_cos_f32", "quarter_f32", "static inline float fast_cos_f32(float x) { "
     "return quarter_f32(x, 1); }\n"},
    {"fast_tan_f32", "quarter_f32",
     "static inline float fast_tan_f32(float x) { return quarter_f32(x, 0) / quarter_f32(x, 1); "
     "}\n"},
    {NULL, NULL, NULL},
};

/* ieee_*: a result s and the sign of what it lacks, e, give every rounding.
 * noinline keeps contraction out, the option what -ffast_math would do. */
#define NOINLINE "static __attribute__((noinline, optimize(\"no-unsafe-math-optimizations\"))) "
const Helper prelude_ieee[] = {
    {"step_f64", "bits_f64 f64_bits",
     "/* The neighbour of finite x away from (1) or towards (-1) zero. */\n"
     NOINLINE "double step_f64(double x, int away) { return f64_bits(bits_f64(x) + (unsigned "
     "long)(long)away); }\n"},
    {"dir_f64", "step_f64",
     "/* mode: 0 nearest, 1 towards zero, 2 up, 3 down; s is rounded to nearest */\n"
     NOINLINE "double dir_f64(double s, double e, int mode)\n{\n"
     "    if (mode == 0 || e == 0 || e != e || s != s)\n        return s;\n"
     "    int neg = __builtin_signbit(s) != 0;\n"
     "    int over = s == 0 ? 0 : (e < 0) != neg; /* |s| is too large */\n"
     "    if (s == 0)\n"
     "        return mode == 2 && e > 0 ? 0x1p-1074 : mode == 3 && e < 0 ? -0x1p-1074 : s;\n"
     "    if (mode == 1)\n        return over ? step_f64(s, -1) : s;\n"
     "    if ((mode == 2) == (e > 0))\n        return step_f64(s, over ? -1 : 1);\n"
     "    return s;\n}\n"},
    {"dir_f32", "step_f64 bits_f64 f64_bits bits_f32 f32_bits",
     "/* The float32 nearest to s + e, or its neighbour in the wanted direction. */\n"
     NOINLINE "float dir_f32(double s, double e, int mode)\n{\n"
     "    if (e != 0 && e == e && s != 0 && s - s == 0 && (bits_f64(s) & 1) == 0)\n"
     "        s = step_f64(s, (e < 0) != (s < 0) ? -1 : 1); /* to odd */\n"
     "    float f = (float)s;\n"
     "    if (mode == 0 || s != s || (double)f == s)\n        return f;\n"
     "    int up = (double)f < s, neg = __builtin_signbit(f) != 0;\n"
     "    if (mode == 1)\n        return up == neg ? f32_bits(bits_f32(f) - 1) : f;\n"
     "    if (mode == 2 && up)\n        return f == 0 ? (neg ? -0.0f : 0x1p-149f) : "
     "f32_bits(bits_f32(f) + (neg ? -1u : 1u));\n"
     "    if (mode == 3 && !up)\n        return f == 0 ? (neg ? -0x1p-149f : 0.0f) : "
     "f32_bits(bits_f32(f) + (neg ? 1u : -1u));\n"
     "    return f;\n}\n"},
    {"sum_rest", "",
     "/* What the rounded sum a + b lacks, exactly. */\n"
     NOINLINE "double sum_rest(double a, double b)\n{\n"
     "    double s = a + b, t = s - a;\n"
     "    return (a - (s - t)) + (b - t);\n}\n"},
    {"ieee_add_f32", "dir_f32 sum_rest",
     NOINLINE "float ieee_add_f32(float a, float b, int mode)\n{\n"
     "    double s = (double)a + b;\n"
     "    return s == 0 && mode == 3 && !(a == 0 && b == 0 && !__builtin_signbit(a) && "
     "!__builtin_signbit(b))\n"
     "        ? -0.0f : dir_f32(s, sum_rest(a, b), mode);\n}\n"},
    {"ieee_sub_f32", "ieee_add_f32",
     NOINLINE "float ieee_sub_f32(float a, float b, int mode) { return ieee_add_f32(a, -b, "
     "mode); }\n"},
    {"ieee_mul_f32", "dir_f32",
     NOINLINE "float ieee_mul_f32(float a, float b, int mode) { return dir_f32((double)a * b, "
     "0, mode); }\n"},
    {"ieee_div_f32", "dir_f32",
     NOINLINE "float ieee_div_f32(float a, float b, int mode)\n{\n"
     "    double q = (double)a / b, r = __builtin_fma(-q, b, a);\n"
     "    return dir_f32(q, q - q == 0 ? (b < 0 ? -r : r) : 0, mode);\n}\n"},
    {"ieee_rcp_f32", "ieee_div_f32",
     NOINLINE "float ieee_rcp_f32(float x, int mode) { return ieee_div_f32(1.0f, x, mode); }\n"},
    {"ieee_sqrt_f32", "dir_f32",
     NOINLINE "float ieee_sqrt_f32(float x, int mode)\n{\n"
     "    double s = __builtin_sqrt(x);\n"
     "    return dir_f32(s, s - s == 0 ? __builtin_fma(-s, s, x) : 0, mode);\n}\n"},
    {"ieee_rsqrt_f32", "",
     NOINLINE "float ieee_rsqrt_f32(float x) { return (float)(1.0 / __builtin_sqrt((double)x)); "
     "}\n"},
    {"ieee_fma_f32", "dir_f32 sum_rest",
     NOINLINE "float ieee_fma_f32(float a, float b, float c, int mode)\n{\n"
     "    double p = (double)a * b, s = p + c;\n"
     "    return s == 0 && mode == 3 && (p != 0 || __builtin_signbit(p) != __builtin_signbit(c))\n"
     "        ? -0.0f : dir_f32(s, sum_rest(p, c), mode);\n}\n"},
    {"limit_f64", "",
     "/* Overflow: the largest number where the mode rounds towards zero. */\n"
     NOINLINE "double limit_f64(double s, int exact, int mode)\n{\n"
     "    if (exact || s - s == 0 || s != s)\n        return s;\n"
     "    int neg = s < 0;\n"
     "    return mode == 1 || mode == (neg ? 2 : 3) ? (neg ? -0x1.fffffffffffffp1023 : "
     "0x1.fffffffffffffp1023) : s;\n}\n"},
    {"ieee_add_f64", "dir_f64 sum_rest limit_f64",
     NOINLINE "double ieee_add_f64(double a, double b, int mode)\n{\n"
     "    double s = a + b;\n"
     "    if (s == 0 && mode == 3 && !(a == 0 && b == 0 && !__builtin_signbit(a) && "
     "!__builtin_signbit(b)))\n"
     "        return -0.0;\n"
     "    if (s - s != 0)\n        return limit_f64(s, a - a != 0 || b - b != 0, mode);\n"
     "    return dir_f64(s, sum_rest(a, b), mode);\n}\n"},
    {"ieee_sub_f64", "ieee_add_f64",
     NOINLINE "double ieee_sub_f64(double a, double b, int mode) { return ieee_add_f64(a, -b, "
     "mode); }\n"},
    {"ieee_mul_f64", "dir_f64 limit_f64",
     NOINLINE "double ieee_mul_f64(double a, double b, int mode)\n{\n"
     "    double p = a * b;\n"
     "    if (p - p != 0)\n        return limit_f64(p, a - a != 0 || b - b != 0, mode);\n"
     "    if (p == 0)\n        return a == 0 || b == 0 ? p : dir_f64(p, __builtin_signbit(p) ? -1 : 1, "
     "mode);\n"
     "    if (__builtin_fabs(p) > 0x1p-960)\n        return dir_f64(p, __builtin_fma(a, b, -p), "
     "mode);\n"
     "    if (__builtin_fabs(a) > __builtin_fabs(b)) {\n        double t = a;\n        a = b;\n "
     "       b = t;\n    }\n"
     "    double x = a * 0x1p500, y = __builtin_fabs(b) < 1 ? b * 0x1p500 : b; "
     "/* clear of underflow */\n"
     "    double q = __builtin_fabs(b) < 1 ? p * 0x1p500 * 0x1p500 : p * 0x1p500;\n"
     "    double h = x * y, d = h - q; /* exact: they agree in their leading bits, or p is 0 */\n"
     "    return dir_f64(p, d != 0 ? d : __builtin_fma(x, y, -h), mode);\n}\n"},
    {"ieee_div_f64", "dir_f64 limit_f64",
     NOINLINE "double ieee_div_f64(double a, double b, int mode)\n{\n"
     "    double q = a / b;\n"
     "    if (q - q != 0 || b == 0 || b - b != 0)\n"
     "        return b - b != 0 ? q : limit_f64(q, a - a != 0 || b == 0, mode);\n"
     "    double s = __builtin_fabs(a) < 0x1p-500 ? 0x1p500 : 1, "
     "t = __builtin_fabs(b) > 0x1p500 ? 0x1p-500 : 1;\n"
     "    double r = __builtin_fma(-(q * s), b * t, a * s * t);\n"
     "    return dir_f64(q, b < 0 ? -r : r, mode);\n}\n"},
    {"ieee_rcp_f64", "ieee_div_f64",
     NOINLINE "double ieee_rcp_f64(double x, int mode) { return ieee_div_f64(1.0, x, mode); }\n"},
    {"ieee_sqrt_f64", "dir_f64",
     NOINLINE "double ieee_sqrt_f64(double x, int mode)\n{\n"
     "    double k = x < 0x1p-500 ? 0x1p250 : 1, s = __builtin_sqrt(x);\n"
     "    return s - s != 0 ? s : dir_f64(s, __builtin_fma(-(s * k), s * k, x * k * k), "
     "mode);\n}\n"},
    {"ieee_rsqrt_f64", "",
     NOINLINE "double ieee_rsqrt_f64(double x) { return 1.0 / __builtin_sqrt(x); }\n"},
    {"ieee_fma_f64", "dir_f64 sum_rest limit_f64",
     "/* The error of a fused multiply-add (Boldo and Muller, ErrFmaNearest). */\n"
     NOINLINE "double ieee_fma_f64(double a, double b, double c, int mode)\n{\n"
     "    double s = __builtin_fma(a, b, c), p = a * b;\n"
     "    if (s - s != 0)\n        return limit_f64(s, a - a != 0 || b - b != 0 || c - c != 0, "
     "mode);\n"
     "    double r = s, tiny = (a < 0) != (b < 0) ? -1 : 1; /* only its sign counts */\n"
     "    if (__builtin_fabs(p) < 0x1p-960 && a != 0 && b != 0) { /* clear of underflow */\n"
     "        if (__builtin_fabs(c) >= 0x1p-900)\n            return dir_f64(s, tiny, mode);\n"
     "        if (__builtin_fabs(a) > __builtin_fabs(b)) {\n            double x = a;\n"
     "            a = b;\n            b = x;\n        }\n"
     "        double k = __builtin_fabs(b) < 1 ? 0x1p500 : 1;\n"
     "        a *= 0x1p500;\n        b *= k;\n        p = a * b;\n"
     "        c = c * 0x1p500 * k;\n        r = s * 0x1p500 * k;\n"
     "        if (__builtin_fabs(p) < 0x1p-900)\n            return dir_f64(s, tiny, mode);\n"
     "    }\n"
     "    double pe = __builtin_fma(a, b, -p), t = c + pe, te = sum_rest(c, pe);\n"
     "    double u = p + t, ue = sum_rest(p, t), rest = ((u - r) + ue) + te;\n"
     "    if (s == 0 && rest == 0 && mode == 3 && (p != 0 || __builtin_signbit(p) != "
     "__builtin_signbit(c)))\n        return -0.0;\n"
     "    return dir_f64(s, rest, mode);\n}\n"},
    {NULL, NULL, NULL},
};

/* Four vectors of partial results, then a tail.  PART combines v into t. */
#define ROW(name, type, lanes, itype, start, part, last) \
    "static __attribute__((noinline)) " type " row_" name "(const " type " *x, int n)\n{\n" \
    "    typedef " type " V __attribute__((vector_size(64), aligned(sizeof(" type ")), " \
    "may_alias));\n" \
    "    typedef " itype " M __attribute__((vector_size(64)));\n" \
    "    V t[4];\n" \
    "    " type " r = " start ";\n" \
    "    int i = 0;\n" \
    "    for (int k = 0; k < 4; k++)\n        t[k] = (V){0} + r;\n" \
    "    for (; i + 4 * " lanes " <= n; i += 4 * " lanes ")\n" \
    "        for (int k = 0; k < 4; k++) {\n" \
    "            V v = *(const V *)(x + i + k * " lanes ");\n" \
    "            " part "\n" \
    "        }\n" \
    "    for (int k = 0; k < 4; k++)\n        for (int l = 0; l < " lanes "; l++) {\n" \
    "            " type " v = t[k][l];\n            " last "\n        }\n" \
    "    for (; i < n; i++) {\n        " type " v = x[i];\n        " last "\n    }\n" \
    "    return r;\n}\n"
#define ABSV "v = (V)((M)v & ~((M){0} + SIGN)); "
#define PICK(op) "M m = v " op " t[k]; t[k] = (V)(((M)v & m) | ((M)t[k] & ~m));"
#define ROWS(sfx, type, lanes, itype, sign, f) \
    {"row_sum_" sfx, "", ROW("sum_" sfx, type, lanes, itype, "0", "t[k] += v;", "r += v;")}, \
    {"row_max_" sfx, "", ROW("max_" sfx, type, lanes, itype, "-__builtin_inf" f "()", PICK(">"), \
        "r = v > r ? v : r;")}, \
    {"row_min_" sfx, "", ROW("min_" sfx, type, lanes, itype, "__builtin_inf" f "()", PICK("<"), \
        "r = v < r ? v : r;")}, \
    {"row_abssum_" sfx, "", ROW("abssum_" sfx, type, lanes, itype, "0", \
        "t[k] += (V)((M)v & " sign ");", "r += __builtin_fabs" f "(v);")}, \
    {"row_absmax_" sfx, "", ROW("absmax_" sfx, type, lanes, itype, "0", \
        "v = (V)((M)v & " sign "); " PICK(">"), "v = __builtin_fabs" f "(v); r = v > r ? v : r;")}

const Helper prelude_rows[] = {
    ROWS("f32", "float", "16", "int", "0x7fffffff", "f"),
    ROWS("f64", "double", "8", "long", "0x7fffffffffffffffL", ""),
    {"row_f16_f32", "f16_f32",
     "static inline void row_f16_f32(float *d, const unsigned short *s, long n)\n{\n"
     "    long i = 0;\n"
     "#ifdef __F16C__\n"
     "    typedef float F __attribute__((vector_size(32), aligned(4), may_alias));\n"
     "    typedef short H __attribute__((vector_size(16), aligned(2), may_alias));\n"
     "    for (; i + 8 <= n; i += 8)\n"
     "        *(F *)(d + i) = __builtin_ia32_vcvtph2ps256(*(const H *)(s + i));\n"
     "#endif\n"
     "    for (; i < n; i++)\n"
     "        d[i] = f16_f32(s[i]);\n}\n"},
    {"row_f32_f16", "f32_f16",
     "static inline void row_f32_f16(unsigned short *d, const float *s, long n)\n{\n"
     "    long i = 0;\n"
     "#ifdef __F16C__\n"
     "    typedef float F __attribute__((vector_size(32), aligned(4), may_alias));\n"
     "    typedef short H __attribute__((vector_size(16), aligned(2), may_alias));\n"
     "    for (; i + 8 <= n; i += 8)\n"
     "        *(H *)(d + i) = __builtin_ia32_vcvtps2ph256(*(const F *)(s + i), 0);\n"
     "#endif\n"
     "    for (; i < n; i++)\n"
     "        d[i] = f32_f16(s[i]);\n}\n"},
    {"prefetch", "",
     "static inline void prefetch(const void *p, long n)\n{\n"
     "    for (long i = 0; i < n; i += 64)\n"
     "        __builtin_prefetch((const char *)p + i);\n}\n"},
    {"stream", "",
     "/* Copies past the caches, whole lines of the destination at a time. */\n"
     "static inline void stream(void *to, const void *from, long n)\n{\n"
     "    char *d = to;\n"
     "    const char *s = from;\n"
     "    if (n <= 0)\n        return;\n"
     "#if defined(__clang__)\n"
     "    enum { W = 32 };\n"
     "#define STREAM(d, v) __builtin_nontemporal_store(v, d)\n"
     "#elif defined(__AVX512F__)\n"
     "    enum { W = 64 };\n"
     "#define STREAM(d, v) __builtin_ia32_movntdq512(d, v)\n"
     "#elif defined(__AVX__)\n"
     "    enum { W = 32 };\n"
     "#define STREAM(d, v) __builtin_ia32_movntdq256(d, v)\n"
     "#elif defined(__SSE2__)\n"
     "    enum { W = 16 };\n"
     "#define STREAM(d, v) __builtin_ia32_movntdq(d, v)\n"
     "#endif\n"
     "#ifdef STREAM\n"
     "    typedef long long L __attribute__((vector_size(W)));\n"
     "    typedef long long U __attribute__((vector_size(W), aligned(1), may_alias));\n"
     "    long head = -(long)d & 63;\n"
     "    head = head < n ? head : n;\n"
     "    __builtin_memcpy(d, s, head);\n"
     "    for (d += head, s += head, n -= head; n >= 64; d += 64, s += 64, n -= 64)\n"
     "        for (int k = 0; k < 64; k += W)\n"
     "            STREAM((L *)(d + k), *(const U *)(s + k));\n"
     "#undef STREAM\n"
     "#endif\n"
     "    __builtin_memcpy(d, s, n);\n}\n"},
    {"stream_end", "",
     "/* What was streamed is visible to others after this. */\n"
     "static inline void stream_end(void)\n{\n"
     "#ifdef __SSE2__\n"
     "    __builtin_ia32_sfence();\n"
     "#endif\n}\n"},
    {"transpose_f32", "",
     "/* d[c][r] = s[r][c], by 8 x 8 blocks: three rounds of interleaving row i\n"
     " * with row i + 4 exchange rows and columns. */\n"
     "static __attribute__((noinline)) void transpose_f32(float *restrict d, long dr, "
     "const float *restrict s, long sr,\n"
     "    int rows, int cols)\n{\n"
     "    typedef float V __attribute__((vector_size(32), aligned(4), may_alias));\n"
     "    int r = 0;\n"
     "    for (; r + 8 <= rows; r += 8) {\n"
     "        int c = 0;\n"
     "        for (; c + 8 <= cols; c += 8) {\n"
     "            V a[8], b[8];\n"
     "#pragma GCC unroll 8\n"
     "            for (int i = 0; i < 8; i++)\n"
     "                a[i] = *(const V *)(s + (r + i) * sr + c);\n"
     "#pragma GCC unroll 3\n"
     "            for (int k = 0; k < 3; k++) {\n"
     "#pragma GCC unroll 4\n"
     "                for (int i = 0; i < 4; i++) {\n"
     "                    b[2 * i] = __builtin_shufflevector(a[i], a[i + 4], 0, 8, 1, 9, 2, 10, "
     "3, 11);\n"
     "                    b[2 * i + 1] = __builtin_shufflevector(a[i], a[i + 4], 4, 12, 5, 13, "
     "6, 14, 7, 15);\n"
     "                }\n"
     "#pragma GCC unroll 8\n"
     "                for (int i = 0; i < 8; i++)\n"
     "                    a[i] = b[i];\n"
     "            }\n"
     "#pragma GCC unroll 8\n"
     "            for (int i = 0; i < 8; i++)\n"
     "                *(V *)(d + (c + i) * dr + r) = a[i];\n"
     "        }\n"
     "        for (; c < cols; c++)\n"
     "            for (int i = 0; i < 8; i++)\n"
     "                d[c * dr + r + i] = s[(r + i) * sr + c];\n"
     "    }\n"
     "    for (; r < rows; r++)\n"
     "        for (int c = 0; c < cols; c++)\n"
     "            d[c * dr + r] = s[r * sr + c];\n}\n"},
    {NULL, NULL, NULL},
};
