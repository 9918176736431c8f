/* targets/sim/kern_loops.h: the loops of kern.h.  Included by kern_base.c and
 * kern_avx2.c, which name the table TABLE.  Arrays are either the same or apart. */
#include <math.h>
#include <string.h>

#include "kern.h"
#include "kern_math.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#define EACH_LANE for (int64_t k = 0; k < n; k++)
#elif defined(__GNUC__)
#define EACH_LANE _Pragma("GCC ivdep") for (int64_t k = 0; k < n; k++)
#else
#define EACH_LANE for (int64_t k = 0; k < n; k++)
#endif

#define ARGS void *d_, const void *a_, const void *b_, const void *c_, int64_t n
#define UNUSED (void)a_, (void)b_, (void)c_

/* Two operands; R: type of the result. */
#define VV(name, T, R, expr)                                                                       \
    static void name##_vv(ARGS)                                                                    \
    {                                                                                              \
        UNUSED;                                                                                    \
        R *d = d_;                                                                                 \
        const T *a = a_, *b = b_;                                                                  \
        EACH_LANE                                                                                  \
        {                                                                                          \
            T x = a[k], y = b[k];                                                                  \
            d[k] = (R)(expr);                                                                      \
        }                                                                                          \
    }
/* .. in three forms. */
#define BIN(name, T, R, expr)                                                                      \
    VV(name, T, R, expr)                                                                           \
    static void name##_vs(ARGS)                                                                    \
    {                                                                                              \
        UNUSED;                                                                                    \
        R *d = d_;                                                                                 \
        const T *a = a_, y = *(const T *)b_;                                                       \
        EACH_LANE                                                                                  \
        {                                                                                          \
            T x = a[k];                                                                            \
            d[k] = (R)(expr);                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void name##_sv(ARGS)                                                                    \
    {                                                                                              \
        UNUSED;                                                                                    \
        R *d = d_;                                                                                 \
        const T *b = b_, x = *(const T *)a_;                                                       \
        EACH_LANE                                                                                  \
        {                                                                                          \
            T y = b[k];                                                                            \
            d[k] = (R)(expr);                                                                      \
        }                                                                                          \
    }
#define FORMS(name) {name##_vv, name##_vs, name##_sv}

#define UN(name, T, R, expr)                                                                       \
    static void name(ARGS)                                                                         \
    {                                                                                              \
        UNUSED;                                                                                    \
        R *d = d_;                                                                                 \
        const T *a = a_;                                                                           \
        EACH_LANE                                                                                  \
        {                                                                                          \
            T x = a[k];                                                                            \
            d[k] = (R)(expr);                                                                      \
        }                                                                                          \
    }

/* Three operands of all lanes. */
#define TRI(name, T, expr)                                                                         \
    static void name(ARGS)                                                                         \
    {                                                                                              \
        T *d = d_;                                                                                 \
        const T *a = a_, *b = b_, *c = c_;                                                         \
        EACH_LANE                                                                                  \
        {                                                                                          \
            T x = a[k], y = b[k], z = c[k];                                                        \
            d[k] = expr;                                                                           \
        }                                                                                          \
    }
TRI(fma_f, float, fma_f32(x, y, z))
TRI(fma_d, double, fma(x, y, z))
TRI(fms_f, float, fma_f32(x, y, -z))
TRI(fms_d, double, fma(x, y, -z))
TRI(fnma_f, float, fma_f32(-x, y, z))
TRI(fnma_d, double, fma(-x, y, z))

/* NaN loses against a number, as in CUDA's fminf. */
#define FLOATS(s, T, flr, mod)                                                                     \
    BIN(add_##s, T, T, x + y)                                                                      \
    BIN(sub_##s, T, T, x - y)                                                                      \
    BIN(mul_##s, T, T, x * y)                                                                      \
    BIN(div_##s, T, T, x / y)                                                                      \
    BIN(fdiv_##s, T, T, flr(x / y))                                                                \
    BIN(fmod_##s, T, T, mod(x, y))                                                                 \
    BIN(min_##s, T, T, x < y || y != y ? x : y)                                                    \
    BIN(max_##s, T, T, x > y || y != y ? x : y)
#define COMPARES(s, T)                                                                             \
    BIN(lt_##s, T, int32_t, x < y)                                                                 \
    BIN(le_##s, T, int32_t, x <= y)                                                                \
    BIN(eq_##s, T, int32_t, x == y)                                                                \
    BIN(ne_##s, T, int32_t, x != y)                                                                \
    UN(truth_##s, T, int32_t, x != 0)
#define INTEGERS(s, T, U, width)                                                                   \
    BIN(add_##s, U, U, x + y)                                                                      \
    BIN(sub_##s, U, U, x - y)                                                                      \
    BIN(mul_##s, U, U, x * y)                                                                      \
    BIN(band_##s, U, U, x & y)                                                                     \
    BIN(bor_##s, U, U, x | y)                                                                      \
    BIN(bxor_##s, U, U, x ^ y)                                                                     \
    BIN(shl_##s, U, U, y < width ? x << (y & (width - 1)) : 0)                                     \
    UN(bnot_##s, U, U, ~x)                                                                         \
    UN(neg_##s, U, U, 0 - x)                                                                       \
    BIN(fdiv_##s, T, T, fdiv_##s##_1(x, y))                                                        \
    BIN(fmod_##s, T, T, fmod_##s##_1(x, y))                                                        \
    BIN(tdiv_##s, T, T, tdiv_##s##_1(x, y))                                                        \
    BIN(tmod_##s, T, T, tmod_##s##_1(x, y))                                                        \
    BIN(min_##s, T, T, x < y ? x : y)                                                              \
    BIN(max_##s, T, T, x > y ? x : y)                                                              \
    BIN(shr_##s, T, T, (U)y < width ? x >> ((U)y & (width - 1)) : x < 0 ? -1 : 0)
#define UNSIGNEDS(s, U, width)                                                                     \
    BIN(div_##s, U, U, y ? x / y : 0)                                                              \
    BIN(mod_##s, U, U, y ? x % y : 0)                                                              \
    BIN(min_##s, U, U, x < y ? x : y)                                                              \
    BIN(max_##s, U, U, x > y ? x : y)                                                              \
    BIN(shr_##s, U, U, y < width ? x >> (y & (width - 1)) : 0)                                     \
    BIN(lt_##s, U, int32_t, x < y)                                                                 \
    BIN(le_##s, U, int32_t, x <= y)

#define fdiv_i_1 fdiv_i
#define fmod_i_1 fmod_i
#define tdiv_i_1 tdiv_i
#define tmod_i_1 tmod_i
#define fdiv_l_1 fdiv_l
#define fmod_l_1 fmod_l
#define tdiv_l_1 tdiv_l
#define tmod_l_1 tmod_l

FLOATS(f, float, floorf, floormod_f32)
FLOATS(d, double, floor, floormod_f64)
COMPARES(f, float)
COMPARES(d, double)
COMPARES(i, int32_t)
COMPARES(l, int64_t)
INTEGERS(i, int32_t, uint32_t, 32)
INTEGERS(l, int64_t, uint64_t, 64)
UNSIGNEDS(u, uint32_t, 32)
UNSIGNEDS(m, uint64_t, 64)
UN(not_i, int32_t, int32_t, x == 0)

/* Functions --------------------------------------------------------------- */

/* d = b^a of n <= Strip numbers, one step of all after the other: a processor waits for the long chain
 * of a single one. */
enum { Strip = 64 };

static inline void powers(const Base *b, const float *a, float *d, int64_t n)
{
    int32_t r[Strip];
    uint32_t c0[Strip], c12[Strip], square[Strip];
    float unit[Strip];
    EACH_LANE unit[k] = power_split(b, a[k], &r[k]);
    EACH_LANE c0[k] = ex2_c0[ex2_row(r[k])];
    EACH_LANE c12[k] = ex2_c12[ex2_row(r[k])];
    EACH_LANE square[k] = ex2_square(ex2_rest(r[k]));
    EACH_LANE
    {
        uint32_t y = ex2_parabola(c0[k], c12[k], ex2_rest(r[k]), square[k]);
        float p = f32_bits(ex2_exponent(r[k]) + y) * unit[k];
        d[k] = a[k] == a[k] ? p : a[k];
    }
}

#define POWERS(name, base)                                                                         \
    static void name(ARGS)                                                                         \
    {                                                                                              \
        UNUSED;                                                                                    \
        const float *a = a_;                                                                       \
        float *d = d_;                                                                             \
        for (int64_t at = 0; at < n; at += Strip)                                                  \
            powers(base, a + at, d + at, n - at < Strip ? n - at : Strip);                         \
    }
POWERS(fn_exp_f, &base_e)
POWERS(fn_exp10_f, &base_10)

#define F1(id, f, d) UN(fn_##id##_f, float, float, f) UN(fn_##id##_d, double, double, d)
F1(abs, abs_f32(x), fabs(x))
F1(acos, acosf(x), acos(x))
F1(acosh, acoshf(x), acosh(x))
F1(asin, asinf(x), asin(x))
F1(asinh, asinhf(x), asinh(x))
F1(atan, atanf(x), atan(x))
F1(atanh, atanhf(x), atanh(x))
F1(ceil, ceilf(x), ceil(x))
F1(cos, cosf(x), cos(x))
F1(cosh, coshf(x), cosh(x))
F1(erf, erf_f32(x), erf(x))
UN(fn_exp_d, double, double, exp(x))
F1(exp2, ex2_f32(x), exp2(x))
UN(fn_exp10_d, double, double, pow(10.0, x))
F1(floor, floorf(x), floor(x))
F1(log, log_f32(x), log(x))
F1(log10, log10_f32(x), log10(x))
F1(log1p, log1pf(x), log1p(x))
F1(log2, log2_f32(x), log2(x))
F1(round, rintf(x), rint(x))
F1(round_away, round_away_f32(x), round_away_f64(x))
F1(rsqrt, rsqrt_f32(x), rsqrt_f64(x))
F1(sigmoid, sigmoid_f32(x), sigmoid_f64(x))
F1(sin, sinf(x), sin(x))
F1(sinh, sinhf(x), sinh(x))
F1(sqrt, sqrtf(x), sqrt(x))
F1(tan, tanf(x), tan(x))
F1(tanh, tanh_f32(x), tanh(x))
F1(trunc, truncf(x), trunc(x))
F1(fast_exp, ex2_f32(x * 1.44269502f), exp(x))
F1(fast_exp2, ex2_ftz_f32(x), exp2(x))
F1(fast_exp10, ex2_f32(x * 3.32192802f), pow(10.0, x))
F1(fast_sin, quarter_f32(x, 0), sin(x))
F1(fast_cos, quarter_f32(x, 1), cos(x))
F1(fast_tan, quarter_f32(x, 0) / quarter_f32(x, 1), tan(x))
F1(fast_rcp, 1.0f / x, 1.0 / x)
F1(ieee_frsqrt, (float)(1.0 / sqrt((double)x)), 1.0 / sqrt(x))
#undef F1
#define F2(id, f, d) VV(fn_##id##_f, float, float, f) VV(fn_##id##_d, double, double, d)
F2(atan2, atan2f(x, y), atan2(x, y))
F2(copysign, copysignf(x, y), copysign(x, y))
F2(fmodc, fmodf(x, y), fmod(x, y))
F2(hypot, hypotf(x, y), hypot(x, y))
F2(ldexp, ldexpf(x, f32_i32(y)), ldexp(x, f64_i32(y)))
F2(nextafter, nextafterf(x, y), nextafter(x, y))
F2(pow, powf(x, y), pow(x, y))
#undef F2
#define TESTS(s, T)                                                                                \
    UN(isnan_##s, T, int32_t, x != x)                                                              \
    UN(isinf_##s, T, int32_t, x == (T)INFINITY || x == -(T)INFINITY)                               \
    UN(isfinite_##s, T, int32_t, x < (T)INFINITY && x > -(T)INFINITY)
TESTS(f, float)
TESTS(d, double)
UN(abs_i, uint32_t, uint32_t, x >> 31 ? 0 - x : x)
UN(abs_l, uint64_t, uint64_t, x >> 63 ? 0 - x : x)

static inline uint32_t ones(uint64_t x)
{
    x = x - (x >> 1 & 0x5555555555555555u);
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(x * 0x0101010101010101u >> 56);
}

/* Leading zeros: the bits below the highest one, counted in the complement. */
static inline uint32_t zeros(uint64_t x)
{
    for (int s = 1; s < 64; s <<= 1)
        x |= x >> s;
    return ones(~x);
}
UN(popcount_i, uint32_t, uint32_t, ones(x))
UN(popcount_l, uint64_t, uint64_t, ones(x))
UN(clz_i, uint32_t, uint32_t, zeros(x) - 32)
UN(clz_l, uint64_t, uint64_t, zeros(x))

/* Conversions --------------------------------------------------------------- */

UN(f_d, float, double, x)
UN(f_i, float, int32_t, f32_i32(x))
UN(f_u, float, uint32_t, f32_u32(x))
UN(f_l, float, int64_t, f32_i64(x))
UN(f_m, float, uint64_t, f32_u64(x))
UN(d_f, double, float, x)
UN(d_i, double, int32_t, f64_i32(x))
UN(d_u, double, uint32_t, f64_u32(x))
UN(d_l, double, int64_t, f64_i64(x))
UN(d_m, double, uint64_t, f64_u64(x))
UN(i_f, int32_t, float, x)
UN(i_d, int32_t, double, x)
UN(i_l, int32_t, int64_t, x)
UN(u_f, uint32_t, float, x)
UN(u_d, uint32_t, double, x)
UN(u_l, uint32_t, uint64_t, x)
UN(l_f, int64_t, float, x)
UN(l_d, int64_t, double, x)
UN(l_i, uint64_t, uint32_t, x)
UN(m_f, uint64_t, float, x)
UN(m_d, uint64_t, double, x)
UN(copy_4, uint32_t, uint32_t, x)
UN(copy_8, uint64_t, uint64_t, x)
UN(odd_d, double, float, f64_odd(x))
UN(odd_i, int32_t, float, f64_odd((double)x))
UN(odd_u, uint32_t, float, f64_odd((double)x))
UN(odd_l, int64_t, float, i64_odd(x))
UN(odd_m, uint64_t, float, u64_odd(x))
UN(round_16, float, float, round_f16(x))
UN(round_b16, float, float, round_bf16(x))
UN(round_t32, float, float, round_tf32(x))
UN(round_43, float, float, round_e4m3(x))
UN(round_52, float, float, round_e5m2(x))
UN(wrap_i4, uint32_t, uint32_t, ((x & 15) ^ 8) - 8)
UN(wrap_i8, uint32_t, uint32_t, ((x & 255) ^ 128) - 128)
UN(wrap_i16, uint32_t, uint32_t, ((x & 65535) ^ 32768) - 32768)
UN(wrap_u4, uint32_t, uint32_t, x & 15)
UN(wrap_u8, uint32_t, uint32_t, x & 255)
UN(wrap_u16, uint32_t, uint32_t, x & 65535)
UN(pack_f16, float, uint32_t, f32_f16(x))
UN(pack_bf16, float, uint32_t, f32_bf16(x))
UN(pack_e4m3, float, uint32_t, f32_e4m3(x))
UN(pack_e5m2, float, uint32_t, f32_e5m2(x))
UN(unpack_f16, uint32_t, float, f16_f32(x))
UN(unpack_bf16, uint32_t, float, bf16_f32(x))
UN(unpack_e4m3, uint32_t, float, e4m3_f32(x))
UN(unpack_e5m2, uint32_t, float, e5m2_f32(x))

#define SELECT(name, T)                                                                            \
    static void name(ARGS)                                                                         \
    {                                                                                              \
        T *d = d_;                                                                                 \
        const int32_t *a = a_;                                                                     \
        const T *b = b_, *c = c_;                                                                  \
        EACH_LANE d[k] = a[k] ? b[k] : c[k];                                                       \
    }                                                                                              \
    static void fill_##name(ARGS)                                                                  \
    {                                                                                              \
        UNUSED;                                                                                    \
        T *d = d_, x = *(const T *)a_;                                                             \
        EACH_LANE d[k] = x;                                                                        \
    }                                                                                              \
    static void merge_##name(void *d_, const void *a_, const uint8_t *on, int64_t n)               \
    {                                                                                              \
        T *d = d_;                                                                                 \
        const T *a = a_;                                                                           \
        EACH_LANE d[k] = on[k] ? a[k] : d[k];                                                      \
    }
SELECT(select_4, uint32_t)
SELECT(select_8, uint64_t)

/* Addresses ----------------------------------------------------------------- */

#define LINEAR(s, T, U)                                                                            \
    static void scale_##s(ARGS)                                                                    \
    {                                                                                              \
        U *d = d_, m = (U) * (const uint64_t *)b_, x = (U) * (const uint64_t *)c_;                 \
        const U *a = a_;                                                                           \
        EACH_LANE d[k] = a[k] * m + x;                                                             \
    }                                                                                              \
    static void scaleadd_##s(ARGS)                                                                 \
    {                                                                                              \
        (void)c_;                                                                                  \
        U *d = d_, m = (U) * (const uint64_t *)b_;                                                 \
        const U *a = a_;                                                                           \
        EACH_LANE d[k] += a[k] * m;                                                                \
    }                                                                                              \
    static void offset_##s(ARGS)                                                                   \
    {                                                                                              \
        (void)c_;                                                                                  \
        int64_t *d = d_, m = *(const int64_t *)b_;                                                 \
        const T *a = a_;                                                                           \
        EACH_LANE d[k] = (int64_t)((uint64_t)d[k] + (uint64_t)a[k] * (uint64_t)m); /* wraps */     \
    }                                                                                              \
    static bool range_##s(const void *a_, const uint8_t *on, int64_t n, int64_t *out)              \
    {                                                                                              \
        const T *a = a_;                                                                           \
        T lo = sizeof(T) == 4 ? (T)INT32_MAX : (T)INT64_MAX, hi = (T)(-lo - 1);                    \
        if (!on)                                                                                   \
            for (int64_t k = 0; k < n; k++) {                                                      \
                lo = a[k] < lo ? a[k] : lo;                                                        \
                hi = a[k] > hi ? a[k] : hi;                                                        \
            }                                                                                      \
        else                                                                                       \
            for (int64_t k = 0; k < n; k++) {                                                      \
                T x = on[k] ? a[k] : lo, y = on[k] ? a[k] : hi;                                    \
                lo = x < lo ? x : lo;                                                              \
                hi = y > hi ? y : hi;                                                              \
            }                                                                                      \
        out[0] = lo;                                                                               \
        out[1] = hi;                                                                               \
        return lo <= hi;                                                                           \
    }
LINEAR(i, int32_t, uint32_t)
LINEAR(l, int64_t, uint64_t)

static int64_t count_on(const uint8_t *on, int64_t n)
{
    int64_t sum = 0, k = 0;
    for (; k + 128 <= n; k += 128) {
        uint8_t part = 0;
        for (int j = 0; j < 128; j++)
            part = (uint8_t)(part + on[k + j]);
        sum += part;
    }
    for (; k < n; k++)
        sum += on[k];
    return sum;
}

static int64_t split_on(uint8_t *d, uint8_t *e, const uint8_t *on, const int32_t *cond, int64_t n)
{
    if (on)
        EACH_LANE
        {
            uint8_t c = cond[k] != 0, m = on[k];
            e[k] = m & (uint8_t)(c ^ 1);
            d[k] = m & c;
        }
    else
        EACH_LANE
        {
            uint8_t c = cond[k] != 0;
            e[k] = c ^ 1;
            d[k] = c;
        }
    return count_on(d, n);
}

/* Memory -------------------------------------------------------------------- */

/* x: the element in memory, v: the value of the register. */
#define MEMORY(name, M, T, from, to)                                                               \
    static void load_##name(void *d_, const char *mem, int64_t base, int64_t step,                 \
                            const int64_t *at, const uint8_t *on, int64_t n)                       \
    {                                                                                              \
        T *d = d_;                                                                                 \
        const M *m = (const M *)(const void *)mem + base;                                          \
        if (at) {                                                                                  \
            for (int64_t k = 0; k < n; k++)                                                        \
                if (!on || on[k]) {                                                                \
                    M x = m[at[k]];                                                                \
                    d[k] = (T)(from);                                                              \
                }                                                                                  \
        } else if (on) {                                                                           \
            for (int64_t k = 0; k < n; k++)                                                        \
                if (on[k]) {                                                                       \
                    M x = m[k * step];                                                             \
                    d[k] = (T)(from);                                                              \
                }                                                                                  \
        } else if (step == 1) {                                                                    \
            EACH_LANE                                                                              \
            {                                                                                      \
                M x = m[k];                                                                        \
                d[k] = (T)(from);                                                                  \
            }                                                                                      \
        } else {                                                                                   \
            for (int64_t k = 0; k < n; k++) {                                                      \
                M x = m[k * step];                                                                 \
                d[k] = (T)(from);                                                                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void store_##name(const void *s_, char *mem, int64_t base, int64_t step,                \
                             const int64_t *at, const uint8_t *on, int64_t n)                      \
    {                                                                                              \
        const T *s = s_;                                                                           \
        M *m = (M *)(void *)mem + base;                                                            \
        if (at) {                                                                                  \
            for (int64_t k = 0; k < n; k++)                                                        \
                if (!on || on[k]) {                                                                \
                    T v = s[k];                                                                    \
                    m[at[k]] = (M)(to);                                                            \
                }                                                                                  \
        } else if (on) {                                                                           \
            for (int64_t k = 0; k < n; k++)                                                        \
                if (on[k]) {                                                                       \
                    T v = s[k];                                                                    \
                    m[k * step] = (M)(to);                                                         \
                }                                                                                  \
        } else if (step == 1) {                                                                    \
            EACH_LANE                                                                              \
            {                                                                                      \
                T v = s[k];                                                                        \
                m[k] = (M)(to);                                                                    \
            }                                                                                      \
        } else {                                                                                   \
            for (int64_t k = 0; k < n; k++) {                                                      \
                T v = s[k];                                                                        \
                m[k * step] = (M)(to);                                                             \
            }                                                                                      \
        }                                                                                          \
    }
/* Vectors: rows are filled together, so that memory is read once.  Two and four
 * elements become shuffles. */
#define VECTORS(name, M, T, from, to)                                                              \
    static inline T get_##name(M x) { return (T)(from); }                                          \
    static inline M put_##name(T v) { return (M)(to); }                                            \
    static void unzip2_##name(T *restrict d, int64_t row, const M *restrict m, int64_t n)          \
    {                                                                                              \
        for (int64_t k = 0; k < n; k++) {                                                          \
            d[k] = get_##name(m[2 * k]);                                                           \
            d[row + k] = get_##name(m[2 * k + 1]);                                                 \
        }                                                                                          \
    }                                                                                              \
    static void unzip4_##name(T *restrict d, int64_t row, const M *restrict m, int64_t n)          \
    {                                                                                              \
        T *restrict d1 = d + row, *restrict d2 = d1 + row, *restrict d3 = d2 + row;                \
        for (int64_t k = 0; k < n; k++) {                                                          \
            d[k] = get_##name(m[4 * k]);                                                           \
            d1[k] = get_##name(m[4 * k + 1]);                                                      \
            d2[k] = get_##name(m[4 * k + 2]);                                                      \
            d3[k] = get_##name(m[4 * k + 3]);                                                      \
        }                                                                                          \
    }                                                                                              \
    static void zip2_##name(const T *restrict s, int64_t row, M *restrict m, int64_t n)            \
    {                                                                                              \
        const T *restrict s1 = s + row;                                                            \
        for (int64_t k = 0; k < n; k++) {                                                          \
            m[2 * k] = put_##name(s[k]);                                                           \
            m[2 * k + 1] = put_##name(s1[k]);                                                      \
        }                                                                                          \
    }                                                                                              \
    static void zip4_##name(const T *restrict s, int64_t row, M *restrict m, int64_t n)            \
    {                                                                                              \
        const T *restrict s1 = s + row, *restrict s2 = s1 + row, *restrict s3 = s2 + row;          \
        for (int64_t k = 0; k < n; k++) {                                                          \
            m[4 * k] = put_##name(s[k]);                                                           \
            m[4 * k + 1] = put_##name(s1[k]);                                                      \
            m[4 * k + 2] = put_##name(s2[k]);                                                      \
            m[4 * k + 3] = put_##name(s3[k]);                                                      \
        }                                                                                          \
    }                                                                                              \
    static void loadv_##name(void *d_, int64_t row, const char *mem, int64_t base, int64_t step,   \
                             const int64_t *at, const uint8_t *on, int64_t n, int w)               \
    {                                                                                              \
        T *d = d_;                                                                                 \
        const M *m = (const M *)(const void *)mem + base;                                          \
        if (!at && !on && w == 4 && step == 4) {                                                   \
            unzip4_##name(d, row, m, n);                                                           \
        } else if (!at && !on && w == 2 && step == 2) {                                            \
            unzip2_##name(d, row, m, n);                                                           \
        } else {                                                                                   \
            for (int64_t k = 0; k < n; k++)                                                        \
                for (int e = 0; (!on || on[k]) && e < w; e++)                                      \
                    d[e * row + k] = get_##name(m[(at ? at[k] : k * step) + e]);                   \
        }                                                                                          \
    }                                                                                              \
    static void storev_##name(const void *s_, int64_t row, char *mem, int64_t base, int64_t step,  \
                              const int64_t *at, const uint8_t *on, int64_t n, int w)              \
    {                                                                                              \
        const T *s = s_;                                                                           \
        M *m = (M *)(void *)mem + base;                                                            \
        if (!at && !on && w == 4 && step == 4) {                                                   \
            zip4_##name(s, row, m, n);                                                             \
        } else if (!at && !on && w == 2 && step == 2) {                                            \
            zip2_##name(s, row, m, n);                                                             \
        } else {                                                                                   \
            for (int64_t k = 0; k < n; k++)                                                        \
                for (int e = 0; (!on || on[k]) && e < w; e++)                                      \
                    m[(at ? at[k] : k * step) + e] = put_##name(s[e * row + k]);                   \
        }                                                                                          \
    }
#define BOTHWAYS(name, M, T, from, to) MEMORY(name, M, T, from, to) VECTORS(name, M, T, from, to)
BOTHWAYS(b8, uint8_t, int32_t, x != 0, v != 0)
BOTHWAYS(i8, int8_t, int32_t, x, v)
BOTHWAYS(i16, int16_t, int32_t, x, v)
BOTHWAYS(i32, int32_t, int32_t, x, v)
BOTHWAYS(i64, int64_t, int64_t, x, v)
BOTHWAYS(u8, uint8_t, int32_t, x, v)
BOTHWAYS(u16, uint16_t, int32_t, x, v)
BOTHWAYS(f16, uint16_t, float, f16_f32(x), f32_f16(v))
BOTHWAYS(bf16, uint16_t, float, bf16_f32(x), f32_bf16(v))
BOTHWAYS(f32, float, float, x, v)
BOTHWAYS(f64, double, double, x, v)
BOTHWAYS(tf32, float, float, round_tf32(x), round_tf32(v))
BOTHWAYS(e4m3, uint8_t, float, e4m3_f32(x), f32_e4m3(v))
BOTHWAYS(e5m2, uint8_t, float, e5m2_f32(x), f32_e5m2(v))

/* Two elements a byte, the even one low. */
#define NIBBLES(name, from)                                                                        \
    static void load_##name(void *d_, const char *mem, int64_t base, int64_t step,                 \
                            const int64_t *at, const uint8_t *on, int64_t n)                       \
    {                                                                                              \
        int32_t *d = d_;                                                                           \
        for (int64_t k = 0; k < n; k++)                                                            \
            if (!on || on[k]) {                                                                    \
                int64_t i = base + (at ? at[k] : k * step);                                        \
                int32_t x = ((const uint8_t *)mem)[i >> 1] >> (i & 1) * 4 & 15;                    \
                d[k] = from;                                                                       \
            }                                                                                      \
    }
NIBBLES(u4, x)
NIBBLES(i4, (x ^ 8) - 8)

static void store_u4(const void *s_, char *mem, int64_t base, int64_t step, const int64_t *at,
                     const uint8_t *on, int64_t n)
{
    const int32_t *s = s_;
    for (int64_t k = 0; k < n; k++)
        if (!on || on[k]) {
            int64_t i = base + (at ? at[k] : k * step);
            uint8_t *b = (uint8_t *)mem + (i >> 1);
            uint8_t v = (uint8_t)(s[k] & 15);
            *b = (uint8_t)(i & 1 ? (*b & 15) | v << 4 : (*b & 240) | v);
        }
}

/* The table ----------------------------------------------------------------- */

#define BOTH(id) [I##id] = {fn_##id##_f, fn_##id##_d}
#define AS(id, of) [I##id] = {fn_##of##_f, fn_##of##_d}
#define INTOPS(op) [KCi] = FORMS(op##_i), [KCl] = FORMS(op##_l), [KCu] = FORMS(op##_i),            \
        [KCm] = FORMS(op##_l)
#define SIGNED(op, un) [KCi] = FORMS(op##_i), [KCl] = FORMS(op##_l), [KCu] = FORMS(un##_u),        \
        [KCm] = FORMS(un##_m)
#define REAL(op) [KCf] = FORMS(op##_f), [KCd] = FORMS(op##_d)
#include "kern_product.h"
#include "kern_fused.h"

const KernTable TABLE = {
    .product = {[KPf] = product_f, [KPx] = product_x, [KPd] = product_d, [KPi] = product_i},
    .fused = product_fused,
    .fma = {fma_f, fma_d}, .fms = {fms_f, fms_d}, .fnma = {fnma_f, fnma_d},
    .bin = {
        [Xadd] = {REAL(add), INTOPS(add)},
        [Xsub] = {REAL(sub), INTOPS(sub)},
        [Xmul] = {REAL(mul), INTOPS(mul)},
        [Xdiv] = {REAL(div)},
        [Xfdiv] = {REAL(fdiv), SIGNED(fdiv, div)},
        [Xfmod] = {REAL(fmod), SIGNED(fmod, mod)},
        [Xtdiv] = {SIGNED(tdiv, div)},
        [Xtmod] = {SIGNED(tmod, mod)},
        [Xmin] = {REAL(min), SIGNED(min, min)},
        [Xmax] = {REAL(max), SIGNED(max, max)},
        [Xlt] = {REAL(lt), SIGNED(lt, lt)},
        [Xle] = {REAL(le), SIGNED(le, le)},
        [Xeq] = {REAL(eq), INTOPS(eq)},
        [Xne] = {REAL(ne), INTOPS(ne)},
        [Xand] = {[KCi] = FORMS(band_i)},
        [Xor] = {[KCi] = FORMS(bor_i)},
        [Xband] = {INTOPS(band)},
        [Xbor] = {INTOPS(bor)},
        [Xbxor] = {INTOPS(bxor)},
        [Xshl] = {INTOPS(shl)},
        [Xshr] = {SIGNED(shr, shr)},
    },
    .call2 = {
        [Iatan2] = {fn_atan2_f_vv, fn_atan2_d_vv},
        [Icopysign] = {fn_copysign_f_vv, fn_copysign_d_vv},
        [Ifmodc] = {fn_fmodc_f_vv, fn_fmodc_d_vv},
        [Ihypot] = {fn_hypot_f_vv, fn_hypot_d_vv},
        [Ildexp] = {fn_ldexp_f_vv, fn_ldexp_d_vv},
        [Inextafter] = {fn_nextafter_f_vv, fn_nextafter_d_vv},
        [Ipow] = {fn_pow_f_vv, fn_pow_d_vv},
    },
    .call1 = {
        BOTH(acos), BOTH(acosh), BOTH(asin), BOTH(asinh), BOTH(atan), BOTH(atanh), BOTH(ceil),
        BOTH(cos), BOTH(cosh), BOTH(erf), BOTH(exp), BOTH(exp2), BOTH(exp10), BOTH(floor),
        BOTH(log), BOTH(log10), BOTH(log1p), BOTH(log2), AS(nearbyint, round), BOTH(round),
        BOTH(round_away), BOTH(rsqrt), BOTH(sigmoid), BOTH(sin), BOTH(sinh), BOTH(sqrt),
        BOTH(tan), BOTH(tanh), BOTH(trunc), BOTH(fast_exp), BOTH(fast_exp2), BOTH(fast_exp10),
        AS(fast_log, log), AS(fast_log2, log2), AS(fast_log10, log10), BOTH(fast_sin),
        BOTH(fast_cos), BOTH(fast_tan), BOTH(fast_rcp), BOTH(ieee_frsqrt),
        [Iabs] = {fn_abs_f, fn_abs_d, abs_i, abs_l, copy_4, copy_8},
        [Iisnan] = {isnan_f, isnan_d}, [Iisinf] = {isinf_f, isinf_d},
        [Iisfinite] = {isfinite_f, isfinite_d},
        [Iclz] = {NULL, NULL, clz_i, clz_l, clz_i, clz_l},
        [Ipopcount] = {NULL, NULL, popcount_i, popcount_l, popcount_i, popcount_l},
    },
    .not_ = not_i,
    .bnot = {bnot_i, bnot_l},
    .neg = {neg_i, neg_l},
    .select = {select_4, select_8},
    .fill = {fill_select_4, fill_select_8},
    .conv = {
        [KCf] = {copy_4, f_d, f_i, f_l, f_u, f_m},
        [KCd] = {d_f, copy_8, d_i, d_l, d_u, d_m},
        [KCi] = {i_f, i_d, copy_4, i_l, copy_4, i_l},
        [KCl] = {l_f, l_d, l_i, copy_8, l_i, copy_8},
        [KCu] = {u_f, u_d, copy_4, u_l, copy_4, u_l},
        [KCm] = {m_f, m_d, l_i, copy_8, l_i, copy_8},
    },
    .odd = {[KCf] = copy_4, [KCd] = odd_d, [KCi] = odd_i, [KCl] = odd_l, [KCu] = odd_u,
            [KCm] = odd_m},
    .truth = {truth_f, truth_d, truth_i, truth_l, truth_i, truth_l},
    .round = {[DTf16] = round_16, [DTbf16] = round_b16, [DTtf32] = round_t32, [DTe4m3] = round_43,
              [DTe5m2] = round_52},
    .wrap = {[DTi4] = wrap_i4, [DTi8] = wrap_i8, [DTi16] = wrap_i16, [DTu4] = wrap_u4,
             [DTu8] = wrap_u8, [DTu16] = wrap_u16},
    .pack = {[DTf16] = pack_f16, [DTbf16] = pack_bf16, [DTf32] = copy_4, [DTtf32] = copy_4,
             [DTe4m3] = pack_e4m3, [DTe5m2] = pack_e5m2, [DTf64] = copy_8},
    .unpack = {[DTf16] = unpack_f16, [DTbf16] = unpack_bf16, [DTf32] = copy_4,
               [DTtf32] = round_t32, [DTe4m3] = unpack_e4m3, [DTe5m2] = unpack_e5m2,
               [DTf64] = copy_8},
    .scale = {scale_i, scale_l},
    .scaleadd = {scaleadd_i, scaleadd_l},
    .offset = {offset_i, offset_l},
    .range = {range_i, range_l},
    .split = split_on,
    .count = count_on,
    .merge = {merge_select_4, merge_select_8},
    .load = {[DTbool] = load_b8, [DTi4] = load_i4, [DTi8] = load_i8, [DTi16] = load_i16,
             [DTi32] = load_i32, [DTi64] = load_i64, [DTu4] = load_u4, [DTu8] = load_u8,
             [DTu16] = load_u16, [DTu32] = load_i32, [DTu64] = load_i64, [DTf16] = load_f16,
             [DTbf16] = load_bf16, [DTf32] = load_f32, [DTf64] = load_f64, [DTtf32] = load_tf32,
             [DTe4m3] = load_e4m3, [DTe5m2] = load_e5m2},
    .store = {[DTbool] = store_b8, [DTi4] = store_u4, [DTi8] = store_i8, [DTi16] = store_i16,
              [DTi32] = store_i32, [DTi64] = store_i64, [DTu4] = store_u4, [DTu8] = store_u8,
              [DTu16] = store_u16, [DTu32] = store_i32, [DTu64] = store_i64, [DTf16] = store_f16,
              [DTbf16] = store_bf16, [DTf32] = store_f32, [DTf64] = store_f64,
              [DTtf32] = store_tf32, [DTe4m3] = store_e4m3, [DTe5m2] = store_e5m2},
    .loadv = {[DTbool] = loadv_b8, [DTi8] = loadv_i8, [DTi16] = loadv_i16, [DTi32] = loadv_i32,
              [DTi64] = loadv_i64, [DTu8] = loadv_u8, [DTu16] = loadv_u16, [DTu32] = loadv_i32,
              [DTu64] = loadv_i64, [DTf16] = loadv_f16, [DTbf16] = loadv_bf16,
              [DTf32] = loadv_f32, [DTf64] = loadv_f64, [DTtf32] = loadv_tf32,
              [DTe4m3] = loadv_e4m3, [DTe5m2] = loadv_e5m2},
    .storev = {[DTbool] = storev_b8, [DTi8] = storev_i8, [DTi16] = storev_i16,
               [DTi32] = storev_i32, [DTi64] = storev_i64, [DTu8] = storev_u8,
               [DTu16] = storev_u16, [DTu32] = storev_i32, [DTu64] = storev_i64,
               [DTf16] = storev_f16, [DTbf16] = storev_bf16, [DTf32] = storev_f32,
               [DTf64] = storev_f64, [DTtf32] = storev_tf32, [DTe4m3] = storev_e4m3,
               [DTe5m2] = storev_e5m2},
};
