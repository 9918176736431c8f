/* targets/sim/kern_math.h: conversions and elementary functions of one value,
 * for kern_loops.h, which compiles them for each processor.  Powers are an NVIDIA
 * card's (kern_ex2.h); the other formulas are those of targets/cpu/prelude_*.c, where they are tested. */
static inline uint32_t bits_f32(float x) { union { float f; uint32_t u; } b = {x}; return b.u; }
static inline float f32_bits(uint32_t x) { union { uint32_t u; float f; } b = {x}; return b.f; }
static inline uint64_t bits_f64(double x) { union { double f; uint64_t u; } b = {x}; return b.u; }
static inline double f64_bits(uint64_t x) { union { uint64_t u; double f; } b = {x}; return b.f; }

/* Rounds to odd: a second rounding of the result is then exact. */
static inline float f64_odd(double x)
{
    float f = (float)x;
    uint32_t u = bits_f32(f);
    double a = x < 0 ? -x : x, b = f < 0 ? -(double)f : (double)f;
    uint32_t odd = a > b ? u + 1 : u - 1;
    return f32_bits(a != b && a == a && (u & 1) == 0 ? odd : u);
}

/* a * b + c, rounded once: the sum of an exact product is rounded to odd first. */
static inline float fma_f32(float a, float b, float c)
{
#if defined(KERN_FMA)
    return __builtin_fmaf(a, b, c);
#endif
    double p = (double)a * b, s = p + c, t = s - p, lost = (p - (s - t)) + (c - t);
    uint64_t u = bits_f64(s);
    uint64_t odd = (lost > 0) == (s > 0) ? u + 1 : u - 1;
    return (float)f64_bits((lost > 0 || lost < 0) && (u & 1) == 0 ? odd : u);
}

static inline uint64_t sticky_u64(uint64_t a)
{
    return a >> 53 ? (a & ~(uint64_t)2047) | (a & 2047 ? 2048 : 0) : a;
}

static inline float u64_odd(uint64_t x) { return f64_odd((double)sticky_u64(x)); }

static inline float i64_odd(int64_t x)
{
    uint64_t a = sticky_u64(x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
    return f64_odd(x < 0 ? -(double)a : (double)a);
}

/* The exponent is rebased by a multiplication, which also handles subnormals. */
static inline float f16_f32(uint32_t h)
{
    uint32_t a = (h & 0x7fff) << 13, s = (h & 0x8000) << 16;
    uint32_t u = bits_f32(f32_bits(a) * 0x1p112f);
    return f32_bits((a >= 0x0f800000 ? u | 0x7f800000 : u) | s);
}

/* To nearest, ties to even; adding 0.5 aligns a subnormal's last place. */
static inline uint32_t f32_f16(float x)
{
    uint32_t u = bits_f32(x), a = u & 0x7fffffff;
    uint32_t normal = (a + 0xfff + (a >> 13 & 1) - 0x38000000) >> 13;
    uint32_t tiny = bits_f32(f32_bits(a) + 0.5f) - 0x3f000000;
    uint32_t h = a < 0x38800000 ? tiny : normal;
    h = a >= 0x477ff000 ? 0x7c00 : h;
    h = a > 0x7f800000 ? 0x7e00 : h;
    return h | (u >> 16 & 0x8000);
}

static inline float round_f16(float x)
{
    uint32_t u = bits_f32(x), a = u & 0x7fffffff;
    uint32_t normal = (a + 0xfff + (a >> 13 & 1)) & ~0x1fffu;
    uint32_t part = bits_f32(f32_bits(a) + 0.5f) - 0x3f000000;
    uint32_t tiny = bits_f32((float)(int32_t)part * 0x1p-24f);
    uint32_t r = a < 0x38800000 ? tiny : normal;
    r = a >= 0x477ff000 ? 0x7f800000 : r;
    r = a > 0x7f800000 ? 0x7fc00000 : r;
    return f32_bits(r | (u & 0x80000000));
}

static inline float bf16_f32(uint32_t h) { return f32_bits(h << 16); }

static inline uint32_t f32_bf16(float x)
{
    uint32_t u = bits_f32(x), r = (u + 0x7fff + (u >> 16 & 1)) >> 16;
    return (u & 0x7fffffff) > 0x7f800000 ? u >> 16 | 0x40 : r;
}

static inline float round_bf16(float x) { return bf16_f32(f32_bf16(x)); }

static inline float round_tf32(float x)
{
    uint32_t u = bits_f32(x), r = (u + 0xfff + (u >> 13 & 1)) & ~0x1fffu;
    return f32_bits((u & 0x7fffffff) > 0x7f800000 ? u : r);
}

static inline float e4m3_f32(uint32_t h)
{
    uint32_t a = (h & 0x7f) << 20, s = (h & 0x80) << 24;
    uint32_t u = bits_f32(f32_bits(a) * 0x1p120f);
    return f32_bits((a == 0x07f00000 ? 0x7fc00000 : u) | s);
}

/* Saturates at 448; there is no infinity. */
static inline uint32_t f32_e4m3(float x)
{
    uint32_t u = bits_f32(x), a = u & 0x7fffffff;
    uint32_t c = a < 0x43e00000 ? a : 0x43e00000;
    uint32_t normal = (c + 0x7ffff + (c >> 20 & 1) - 0x3c000000) >> 20;
    uint32_t tiny = bits_f32(f32_bits(c) + 16384.0f) - 0x46800000;
    uint32_t h = c < 0x3c800000 ? tiny : normal;
    h = a > 0x7f800000 ? 0x7f : h;
    return h | (u >> 24 & 0x80);
}

static inline float round_e4m3(float x) { return e4m3_f32(f32_e4m3(x)); }
static inline float e5m2_f32(uint32_t h) { return f16_f32(h << 8); }

/* Infinity stays: conversions have saturated before. */
static inline uint32_t f32_e5m2(float x)
{
    uint32_t u = bits_f32(x), a = u & 0x7fffffff;
    uint32_t normal = (a + 0xfffff + (a >> 21 & 1) - 0x38000000) >> 21;
    uint32_t tiny = bits_f32(f32_bits(a) + 128.0f) - 0x43000000;
    uint32_t h = a < 0x38800000 ? tiny : normal;
    h = a >= 0x47700000 ? 0x7c : h;
    h = a > 0x7f800000 ? 0x7f : h;
    return h | (u >> 24 & 0x80);
}

/* Saturates at 57344. */
static inline float round_e5m2(float x)
{
    float c = x > 57344.0f ? 57344.0f : x < -57344.0f ? -57344.0f : x;
    return e5m2_f32(f32_e5m2(c));
}

/* Integers from floats truncate and saturate; NaN gives 0. */
#define TOINT(name, from, to, lo, below, over, most)                                               \
    static inline to name(from x)                                                                  \
    {                                                                                              \
        from t = x > lo ? x : lo;                                                                  \
        to i = (to)(t < below ? t : below);                                                        \
        i = x >= over ? most : i;                                                                  \
        return x == x ? i : 0;                                                                     \
    }
TOINT(f32_i32, float, int32_t, -2147483648.0f, 2147483520.0f, 2147483648.0f, INT32_MAX)
TOINT(f32_u32, float, uint32_t, 0.0f, 4294967040.0f, 4294967296.0f, UINT32_MAX)
TOINT(f32_i64, float, int64_t, -0x1p63f, 0x1.fffffep62f, 0x1p63f, INT64_MAX)
TOINT(f32_u64, float, uint64_t, 0.0f, 0x1.fffffep63f, 0x1p64f, UINT64_MAX)
TOINT(f64_i32, double, int32_t, -2147483648.0, 2147483647.0, 2147483648.0, INT32_MAX)
TOINT(f64_u32, double, uint32_t, 0.0, 4294967295.0, 4294967296.0, UINT32_MAX)
TOINT(f64_i64, double, int64_t, -0x1p63, 0x1.fffffffffffffp62, 0x1p63, INT64_MAX)
TOINT(f64_u64, double, uint64_t, 0.0, 0x1.fffffffffffffp63, 0x1p64, UINT64_MAX)
#undef TOINT

/* Integers --------------------------------------------------------------- */

#define DIVISION(sfx, type, utype)                                                                 \
    static inline type tdiv_##sfx(type a, type b)                                                  \
    {                                                                                              \
        return b == 0 ? 0 : b == -1 ? (type)(0 - (utype)a) : a / b;                                \
    }                                                                                              \
    static inline type tmod_##sfx(type a, type b) { return b == 0 || b == -1 ? 0 : a % b; }        \
    static inline type fdiv_##sfx(type a, type b)                                                  \
    {                                                                                              \
        type r = tmod_##sfx(a, b);                                                                 \
        return tdiv_##sfx(a, b) - (r != 0 && (r < 0) != (b < 0));                                  \
    }                                                                                              \
    static inline type fmod_##sfx(type a, type b)                                                  \
    {                                                                                              \
        type r = tmod_##sfx(a, b);                                                                 \
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;                                           \
    }
DIVISION(i, int32_t, uint32_t)
DIVISION(l, int64_t, uint64_t)
#undef DIVISION

/* Floats ------------------------------------------------------------------ */

/* The exact remainder, with the sign of b, rounded once. */
static inline float floormod_f32(float a, float b)
{
    float r = fmodf(a, b);
    return r == 0 ? copysignf(r, b) : (r < 0) != (b < 0) ? r + b : r;
}

static inline double floormod_f64(double a, double b)
{
    double r = fmod(a, b);
    return r == 0 ? copysign(r, b) : (r < 0) != (b < 0) ? r + b : r;
}

/* Elementary functions of float32 ----------------------------------------- */

/* x, at most m away from 0: floats of one sign are ordered as their bits are */
static inline float within_f32(float x, float m)
{
    int32_t b = (int32_t)bits_f32(x), hi = (int32_t)bits_f32(m);
    uint32_t c = (uint32_t)(b < hi ? b : hi), lo = bits_f32(-m);
    return f32_bits(c < lo ? c : lo);
}

static inline int32_t nearest_f32(float x)
{
    return (int32_t)(bits_f32(x + 12582912.0f) - 0x4b400000);
}

#include "kern_ex2.h"

/* x = (1 + f) * 2^e, 2/3 <= 1 + f < 4/3; returns log(1 + f) - f */
static inline float split_f32(float x, float *f, float *e)
{
    int tiny = x < 0x1p-126f;
    x = tiny ? x * 0x1p23f : x;
    int32_t i = (int32_t)(bits_f32(x) - 0x3f2aaaab);
    float m = f32_bits((uint32_t)(i & 0x7fffff) + 0x3f2aaaab) - 1.0f;
    float p = ((0.120092368f * m - 0.128470843f) * m + 0.10753755f) * m - 0.121953678f;
    p = (((p * m + 0.143044934f) * m - 0.166796038f) * m + 0.199995967f) * m - 0.249998198f;
    p = p * m + 0.333333358f;
    *f = m;
    *e = (float)(i >> 23) - (tiny ? 23.0f : 0.0f);
    return (p * m - 0.5f) * (m * m);
}

/* Logarithms of 0, infinity, NaN and negative numbers. */
static inline float ends_f32(float x, float y)
{
    y = x == 0.0f ? -INFINITY : y;
    y = x < INFINITY ? y : x;
    return x < 0.0f ? NAN : y;
}

static inline float log_f32(float x)
{
    float f, e, p = split_f32(x, &f, &e);
    return ends_f32(x, e * 0.693359375f + (f + (p + e * -2.12194440e-4f)));
}

static inline float log2_f32(float x)
{
    float f, e, p = split_f32(x, &f, &e);
    float s = f + p, d = f - s + p; /* log(1 + f) in two parts */
    return ends_f32(x, e + (s * 1.44269502f + (d * 1.44269502f + s * 1.92596299e-8f)));
}

static inline float log10_f32(float x)
{
    float f, e, p = split_f32(x, &f, &e);
    float s = f + p, d = f - s + p;
    float y = s * 0.434294492f + (d * 0.434294492f - s * 1.00951537e-8f + e * 4.60503806e-6f);
    return ends_f32(x, e * 0.301025391f + y);
}

static inline float sign_f32(float a, float x)
{
    return f32_bits((bits_f32(a) & 0x7fffffff) | (bits_f32(x) & 0x80000000));
}

static inline float abs_f32(float x) { return f32_bits(bits_f32(x) & 0x7fffffff); }

static inline float tanh_f32(float x)
{
    float a = abs_f32(x), y = a * a;
    float p = (((-0.00590587344f * y + 0.0208053893f) * y - 0.0537866851f) * y + 0.133319583f) * y
              - 0.333332993f;
    float small = p * y * a + a;
    float large = 1.0f - 2.0f / (exp_f32(2.0f * (a < 10.0f ? a : 10.0f)) + 1.0f);
    float t = a < 0.6f ? small : large;
    return x == x ? sign_f32(t, x) : x;
}

static inline float sigmoid_f32(float x)
{
    float e = exp_f32(-abs_f32(x));
    return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

static inline double sigmoid_f64(double x)
{
    double e = exp(-fabs(x));
    return (x < 0.0 ? e : 1.0) / (1.0 + e);
}

static inline float erf_f32(float x)
{
    float a = abs_f32(x), y = a * a;
    float p = ((7.85386108e-05f * y - 0.000801019353f) * y + 0.00518832767f) * y - 0.0268538119f;
    float small = (((p * y + 0.112835851f) * y - 0.376126258f) * y + 0.128379167f) * a + a;
    float c = a < 4.0f ? a : 4.0f; /* erf(x) = 1 - e^-q(x) */
    float q = ((2.16867485e-05f * c - 0.000441335116f) * c + 0.00420455528f) * c - 0.025208238f;
    q = (((q * c + 0.108418546f) * c + 0.633219924f) * c + 1.12957841f) * c - 0.000188036442f;
    float t = a < 1.0f ? small : 1.0f - exp_f32(-q);
    return x == x ? sign_f32(t, x) : x;
}

/* x = n * pi/2 + r, |r| <= pi/4; sin or cos of r by n's parity */
static inline float quarter_f32(float x, int32_t shift)
{
    int32_t i = nearest_f32(x * 0.636619772f);
    float n = (float)i;
    float r = ((x - n * 1.57079601f) - n * 3.13916473e-7f) - n * 5.39030253e-15f;
    uint32_t k = (uint32_t)i + (uint32_t)shift;
    float y = r * r;
    float s = ((-0.000195172186f * y + 0.00833217758f) * y - 0.166666549f) * y * r + r;
    float c = ((2.44383682e-05f * y - 0.00138873668f) * y + 0.0416666469f) * y * y - 0.5f * y
              + 1.0f;
    float v = k & 1 ? c : s;
    return k & 2 ? -v : v;
}

static inline float rsqrt_f32(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt_f64(double x) { return 1.0 / sqrt(x); }

static inline float round_away_f32(float x)
{
    float t = truncf(x);
    return abs_f32(x - t) >= 0.5f ? t + sign_f32(1.0f, x) : t;
}

static inline double round_away_f64(double x)
{
    double t = trunc(x);
    return fabs(x - t) >= 0.5 ? t + copysign(1.0, x) : t;
}
