/* core/base/dtype.c: the element types: names, limits, and exact conversions.
 *
 * Every narrow float is decoded to and encoded from float64 by one pair of
 * functions driven by a row of numbers, so that rounding happens once, from
 * the double, to nearest even.  Bulk conversions hoist the switch over types
 * out of the loop; float32 to and from the 16-bit floats has loops of its own
 * that a compiler turns into vector code. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/tensor/tensor.h"

const DtypeInfo dtypeinfo[NDtype] = {
    [DTnone] = {"none", "void", 0, '-'},
#define DT(id, name, bits, cls, ctype) [DT##id] = {name, ctype, bits, #cls[0]},
#include "dtypes.h"
#undef DT
};

static const struct {
    const char *name;
    enum Dtype dt;
} alias[] = {
    {"half", DTf16},   {"float", DTf32}, {"double", DTf64}, {"int", DTi32},
    {"uint", DTu32},   {"long", DTi64},  {"short", DTi16},  {"fp16", DTf16},
    {"bf16", DTbf16},  {"fp32", DTf32},  {"fp64", DTf64},   {"tf32", DTtf32},
    {"float8_e4m3", DTe4m3},
};

enum Dtype dtypebyname(const char *name)
{
    for (int d = DTnone + 1; d < NDtype; d++)
        if (strcmp(dtypeinfo[d].name, name) == 0)
            return (enum Dtype)d;
    for (size_t i = 0; i < COUNT(alias); i++)
        if (strcmp(alias[i].name, name) == 0)
            return alias[i].dt;
    return DTnone;
}

bool dtype_isint(enum Dtype dt)
{
    return dtypeinfo[dt].cls == 'I' || dtypeinfo[dt].cls == 'U';
}

/* Narrow floats -------------------------------------------------------- */

/* A float format narrower than double.  A code is the bits below the sign. */
typedef struct Format Format;
struct Format {
    int mbits;      /* stored bits of the significand */
    int emin;       /* exponent of the least normal number */
    uint32_t max;   /* code of the greatest finite number */
    uint32_t over;  /* code of what is greater still */
    uint32_t nan;   /* the NaN we write */
    uint32_t sign;
};

static const Format format[NDtype] = {
    [DTf16]  = {10, -14,  0x7bff,  0x7c00,  0x7e00,  0x8000},
    [DTbf16] = {7,  -126, 0x7f7f,  0x7f80,  0x7fc0,  0x8000},
    [DTe4m3] = {3,  -6,   0x7e,    0x7f,    0x7f,    0x80},
    [DTe5m2] = {2,  -14,  0x7b,    0x7c,    0x7f,    0x80},
    [DTtf32] = {10, -126, 0x3fbff, 0x3fc00, 0x3fe00, 0x40000},
};

static uint64_t bits64(double v)
{
    uint64_t b;
    memcpy(&b, &v, sizeof b);
    return b;
}

static double from64(uint64_t b)
{
    double v;
    memcpy(&v, &b, sizeof v);
    return v;
}

static uint32_t bits32(float v)
{
    uint32_t b;
    memcpy(&b, &v, sizeof b);
    return b;
}

static float from32(uint32_t b)
{
    float v;
    memcpy(&v, &b, sizeof v);
    return v;
}

/* v in format f, to nearest even: the significand is cut at the last place
 * that f has at this exponent; a carry runs into the exponent by itself. */
static uint32_t dtype_encode(const Format *f, double v)
{
    uint64_t b = bits64(v), one = (uint64_t)1 << 52;
    uint32_t sign = b >> 63 ? f->sign : 0;
    int e = (int)(b >> 52 & 0x7ff) - 1023;
    uint64_t m = b & (one - 1);
    if (e == 1024)
        return sign | (m ? f->nan : f->over);
    if (e == -1023)
        return sign; /* zero, or far below half of anything we have */
    m |= one;
    int cut = 52 - f->mbits + (e < f->emin ? f->emin - e : 0);
    if (cut > 54)
        cut = 54;
    uint64_t q = m >> cut, rest = m & (((uint64_t)1 << cut) - 1);
    uint64_t half = (uint64_t)1 << (cut - 1);
    q += rest > half || (rest == half && (q & 1));
    if (e >= f->emin) {
        if (e - f->emin > 255)
            return sign | f->over;
        q += (uint64_t)(e - f->emin) << f->mbits;
    }
    return sign | (q > f->max ? f->over : (uint32_t)q);
}

static double dtype_decode(const Format *f, uint32_t code)
{
    uint64_t sign = code & f->sign ? (uint64_t)1 << 63 : 0;
    uint32_t a = code & (f->sign - 1);
    if (a > f->max)
        return from64(sign | bits64(HUGE_VAL) | (a == f->over && a != f->nan ? 0 : (uint64_t)1 << 51));
    uint32_t e = a >> f->mbits;
    uint64_t m = a & (((uint32_t)1 << f->mbits) - 1);
    int low = f->emin - f->mbits; /* exponent of the last place of subnormals */
    if (e == 0) /* m is small, 2^low is a normal double: the product is exact */
        return from64(sign | bits64((double)m * from64((uint64_t)(low + 1023) << 52)));
    return from64(sign | (uint64_t)((int)e - 1 + f->emin + 1023) << 52 |
                  m << (52 - f->mbits));
}

/* float32 -> float16 and bfloat16 without branches, for vector code.  Adding
 * 0.5f to a number below 2^-14 rounds it to a multiple of 2^-24, which is
 * float16's last place there; above, the exponent is rebiased and half of the
 * last place, less one when the kept part is even, is added. */
static uint16_t f16_from_f32(float v)
{
    uint32_t x = bits32(v), sign = x >> 16 & 0x8000;
    x &= 0x7fffffff;
    uint32_t small = bits32(from32(x < 0x38800000 ? x : 0) + 0.5f) - 0x3f000000;
    uint32_t normal = (x + 0xc8000fff + (x >> 13 & 1)) >> 13;
    uint32_t big = x > 0x7f800000 ? 0x7e00 : 0x7c00;
    uint32_t r = x < 0x38800000 ? small : x >= 0x47800000 ? big : normal;
    return (uint16_t)(sign | r);
}

static uint16_t bf16_from_f32(float v)
{
    uint32_t x = bits32(v);
    uint32_t r = (x + 0x7fff + (x >> 16 & 1)) >> 16;
    bool nan = (x & 0x7fffffff) > 0x7f800000;
    return (uint16_t)(nan ? (x >> 16 & 0x8000) | 0x7fc0 : r);
}

/* Scaling by 2^112 gives the exponent that float32 wants, and makes normal
 * what was subnormal; infinities and NaN need their exponent set. */
static float f32_from_f16(uint16_t h)
{
    uint32_t x = (uint32_t)(h & 0x7fff) << 13, sign = (uint32_t)(h & 0x8000) << 16;
    uint32_t r = bits32(from32(x) * 0x1p112f);
    r = x >= 0x0f800000 ? x | 0x7f800000 : r;
    return from32(sign | r);
}

static float f32_from_bf16(uint16_t h) { return from32((uint32_t)h << 16); }

static float tf32_from_f32(float v)
{
    uint32_t x = bits32(v);
    if ((x & 0x7fffffff) > 0x7f800000)
        return v;
    return from32((x + 0xfff + (x >> 13 & 1)) & ~(uint32_t)0x1fff);
}

/* Limits --------------------------------------------------------------- */

/* The limits of 64-bit integers are those that a double can hold. */
double dtype_max(enum Dtype dt)
{
    const DtypeInfo *d = &dtypeinfo[dt];
    switch (dt) {
    case DTf32: return FLT_MAX;
    case DTf64: return DBL_MAX;
    default: break;
    }
    switch (d->cls) {
    case 'F': return dtype_decode(&format[dt], format[dt].max);
    case 'I': return ldexp(1, d->bits - 1) - 1;
    case 'U': return ldexp(1, d->bits) - 1;
    case 'B': return 1;
    }
    return 0;
}

double dtype_min(enum Dtype dt)
{
    switch (dtypeinfo[dt].cls) {
    case 'F': return -dtype_max(dt);
    case 'I': return -ldexp(1, dtypeinfo[dt].bits - 1);
    }
    return 0;
}

double dtype_eps(enum Dtype dt)
{
    if (!dtype_isfloat(dt))
        return 0;
    return dt == DTf32 ? FLT_EPSILON : dt == DTf64 ? DBL_EPSILON
                                                   : ldexp(1, -format[dt].mbits);
}

/* Integers from doubles: towards zero, the nearest limit beyond it. */
static int64_t clampi(double v, int64_t lo, int64_t hi)
{
    if (v != v)
        return 0;
    if (v <= (double)lo)
        return lo;
    return v >= (double)hi ? hi : (int64_t)v;
}

static uint64_t clampu(double v, uint64_t hi)
{
    if (!(v > 0))
        return 0;
    return v >= (double)hi ? hi : (uint64_t)v;
}

/* A double that rounds as the integer u would: what falls off the end is kept
 * as a set last bit ("round to odd"), so that a second rounding is right. */
static double sticky(uint64_t u)
{
    if (u >> 53)
        u = (u & ~(uint64_t)2047) | (u & 2047 ? (uint64_t)1 << 11 : 0);
    return (double)u;
}

/* Runs of elements ----------------------------------------------------- */

static unsigned dtype_nibble(const void *p, int64_t i)
{
    return ((const uint8_t *)p)[i >> 1] >> (i & 1 ? 4 : 0) & 15u;
}

static void setnibble(void *p, int64_t i, unsigned v)
{
    uint8_t *b = (uint8_t *)p + (i >> 1);
    *b = (uint8_t)(i & 1 ? (*b & 15u) | v << 4 : (*b & 240u) | (v & 15u));
}

static int64_t signnibble(unsigned v) { return (int64_t)(v ^ 8u) - 8; }

/* Every loop below reads or writes n elements from element i on.  s is the
 * typed array, k runs over the elements. */
#define EACH(type, array, expr)                                                \
    {                                                                          \
        type *s = (type *)(array) + i;                                         \
        for (int64_t k = 0; k < n; k++)                                        \
            expr;                                                              \
        return;                                                                \
    }
#define EACHNIBBLE(expr)                                                       \
    {                                                                          \
        for (int64_t k = 0; k < n; k++)                                        \
            expr;                                                              \
        return;                                                                \
    }

void dtype_loadn(enum Dtype dt, const void *p, int64_t i, int64_t n, double *out)
{
    const Format *f = &format[dt];
    switch (dt) {
    case DTbool: EACH(const uint8_t, p, out[k] = s[k] != 0)
    case DTi4:   EACHNIBBLE(out[k] = (double)signnibble(dtype_nibble(p, i + k)))
    case DTu4:   EACHNIBBLE(out[k] = dtype_nibble(p, i + k))
    case DTi8:   EACH(const int8_t, p, out[k] = s[k])
    case DTi16:  EACH(const int16_t, p, out[k] = s[k])
    case DTi32:  EACH(const int32_t, p, out[k] = s[k])
    case DTi64:  EACH(const int64_t, p, out[k] = (double)s[k])
    case DTu8:   EACH(const uint8_t, p, out[k] = s[k])
    case DTu16:  EACH(const uint16_t, p, out[k] = s[k])
    case DTu32:  EACH(const uint32_t, p, out[k] = s[k])
    case DTu64:  EACH(const uint64_t, p, out[k] = (double)s[k])
    case DTf16:  EACH(const uint16_t, p, out[k] = (double)f32_from_f16(s[k]))
    case DTbf16: EACH(const uint16_t, p, out[k] = (double)f32_from_bf16(s[k]))
    case DTf32:  EACH(const float, p, out[k] = (double)s[k])
    case DTf64:  EACH(const double, p, out[k] = s[k])
    case DTtf32: EACH(const float, p, out[k] = (double)tf32_from_f32(s[k]))
    case DTe4m3:
    case DTe5m2: EACH(const uint8_t, p, out[k] = dtype_decode(f, s[k]))
    default: break;
    }
}

void dtype_storen(enum Dtype dt, void *p, int64_t i, int64_t n, const double *v)
{
    const Format *f = &format[dt];
    switch (dt) {
    case DTbool: EACH(uint8_t, p, s[k] = v[k] != 0)
    case DTi4:   EACHNIBBLE(setnibble(p, i + k, (unsigned)clampi(v[k], INT32_MIN, INT32_MAX) & 15u))
    case DTu4:   EACHNIBBLE(setnibble(p, i + k, (unsigned)clampu(v[k], UINT32_MAX) & 15u))
    case DTi8:   EACH(int8_t, p, s[k] = (int8_t)clampi(v[k], INT32_MIN, INT32_MAX))
    case DTi16:  EACH(int16_t, p, s[k] = (int16_t)clampi(v[k], INT32_MIN, INT32_MAX))
    case DTi32:  EACH(int32_t, p, s[k] = (int32_t)clampi(v[k], INT32_MIN, INT32_MAX))
    case DTi64:  EACH(int64_t, p, s[k] = clampi(v[k], INT64_MIN, INT64_MAX))
    case DTu8:   EACH(uint8_t, p, s[k] = (uint8_t)clampu(v[k], UINT32_MAX))
    case DTu16:  EACH(uint16_t, p, s[k] = (uint16_t)clampu(v[k], UINT32_MAX))
    case DTu32:  EACH(uint32_t, p, s[k] = (uint32_t)clampu(v[k], UINT32_MAX))
    case DTu64:  EACH(uint64_t, p, s[k] = clampu(v[k], UINT64_MAX))
    case DTf16:
    case DTbf16: EACH(uint16_t, p, s[k] = (uint16_t)dtype_encode(f, v[k]))
    case DTf32:  EACH(float, p, s[k] = (float)v[k])
    case DTf64:  EACH(double, p, s[k] = v[k])
    case DTtf32: EACH(float, p, s[k] = from32(dtype_encode(f, v[k]) << 13))
    case DTe4m3:
    case DTe5m2: EACH(uint8_t, p, s[k] = (uint8_t)dtype_encode(f, v[k]))
    default: break;
    }
}

/* Exact for integers and bool, uint64 as its bits; floats truncate. */
void dtype_loadin(enum Dtype dt, const void *p, int64_t i, int64_t n, int64_t *out)
{
    switch (dt) {
    case DTbool: EACH(const uint8_t, p, out[k] = s[k] != 0)
    case DTi4:   EACHNIBBLE(out[k] = signnibble(dtype_nibble(p, i + k)))
    case DTu4:   EACHNIBBLE(out[k] = dtype_nibble(p, i + k))
    case DTi8:   EACH(const int8_t, p, out[k] = s[k])
    case DTi16:  EACH(const int16_t, p, out[k] = s[k])
    case DTi32:  EACH(const int32_t, p, out[k] = s[k])
    case DTi64:  EACH(const int64_t, p, out[k] = s[k])
    case DTu8:   EACH(const uint8_t, p, out[k] = s[k])
    case DTu16:  EACH(const uint16_t, p, out[k] = s[k])
    case DTu32:  EACH(const uint32_t, p, out[k] = s[k])
    case DTu64:  EACH(const uint64_t, p, out[k] = (int64_t)s[k])
    default:     EACHNIBBLE(out[k] = clampi(dtype_load(dt, p, i + k), INT64_MIN, INT64_MAX))
    }
}

static double stickyi(int64_t v)
{
    return v < 0 ? -sticky(-(uint64_t)v) : sticky((uint64_t)v);
}

void dtype_storein(enum Dtype dt, void *p, int64_t i, int64_t n, const int64_t *v)
{
    const Format *f = &format[dt];
    switch (dt) {
    case DTbool: EACH(uint8_t, p, s[k] = v[k] != 0)
    case DTi4:
    case DTu4:   EACHNIBBLE(setnibble(p, i + k, (unsigned)v[k] & 15u))
    case DTi8:
    case DTu8:   EACH(uint8_t, p, s[k] = (uint8_t)v[k])
    case DTi16:
    case DTu16:  EACH(uint16_t, p, s[k] = (uint16_t)v[k])
    case DTi32:
    case DTu32:  EACH(uint32_t, p, s[k] = (uint32_t)v[k])
    case DTi64:
    case DTu64:  EACH(uint64_t, p, s[k] = (uint64_t)v[k])
    case DTf16:
    case DTbf16: EACH(uint16_t, p, s[k] = (uint16_t)dtype_encode(f, stickyi(v[k])))
    case DTf32:  EACH(float, p, s[k] = (float)v[k])
    case DTf64:  EACH(double, p, s[k] = (double)v[k])
    case DTtf32: EACH(float, p, s[k] = from32(dtype_encode(f, stickyi(v[k])) << 13))
    case DTe4m3:
    case DTe5m2: EACH(uint8_t, p, s[k] = (uint8_t)dtype_encode(f, stickyi(v[k])))
    default: break;
    }
}

/* One element ---------------------------------------------------------- */

double dtype_load(enum Dtype dt, const void *p, int64_t i)
{
    double v = 0;
    dtype_loadn(dt, p, i, 1, &v);
    return v;
}

void dtype_store(enum Dtype dt, void *p, int64_t i, double v)
{
    dtype_storen(dt, p, i, 1, &v);
}

int64_t dtype_loadi(enum Dtype dt, const void *p, int64_t i)
{
    int64_t v = 0;
    dtype_loadin(dt, p, i, 1, &v);
    return v;
}

void dtype_storei(enum Dtype dt, void *p, int64_t i, int64_t v)
{
    dtype_storein(dt, p, i, 1, &v);
}

/* v, or the greatest number of a type of 8 bits where it is greater: not a NaN. */
static double saturated(enum Dtype dt, double v)
{
    const Format *f = &format[dt];
    if (dt != DTe4m3 && dt != DTe5m2)
        return v;
    double most = dtype_decode(f, f->max);
    return v > most ? most : v < -most ? -most : v;
}

double dtype_round(enum Dtype dt, double v)
{
    uint64_t cell = 0;
    dtype_store(dt, &cell, 0, saturated(dt, v));
    return dtype_load(dt, &cell, 0);
}

double dtype_roundi(enum Dtype dt, int64_t v)
{
    uint64_t cell = 0;
    dtype_storei(dt, &cell, 0, v);
    if (dt == DTe4m3 || dt == DTe5m2)
        return dtype_round(dt, stickyi(v));
    return dtype_load(dt, &cell, 0);
}

void dtype_wrapn(enum Dtype dt, void *p, int64_t i, int64_t n, const double *v)
{
    if (dt != DTu8 && dt != DTi64) {
        dtype_storen(dt, p, i, n, v);
        return;
    }
    int64_t w[64];
    for (int64_t k = 0, m; k < n; k += m) {
        m = n - k < 64 ? n - k : 64;
        for (int64_t j = 0; j < m; j++)
            w[j] = v[k + j] == v[k + j] ? clampi(v[k + j], INT64_MIN, INT64_MAX) : INT64_MIN;
        dtype_storein(dt, p, i + k, m, w);
    }
}

/* Bulk ----------------------------------------------------------------- */

/* Blocks of a constant length let a compiler use vectors without a cost
 * model for short loops. */
enum { Block = 64 };

#define BULK(name, to, from, convert)                                          \
    static void name(to *d, const from *s, int64_t n)                          \
    {                                                                          \
        for (; n >= Block; n -= Block, d += Block, s += Block)                 \
            for (int k = 0; k < Block; k++)                                    \
                d[k] = convert(s[k]);                                          \
        for (int64_t k = 0; k < n; k++)                                        \
            d[k] = convert(s[k]);                                              \
    }
BULK(bulk_f32_f16, uint16_t, float, f16_from_f32)
BULK(bulk_f32_bf16, uint16_t, float, bf16_from_f32)
BULK(bulk_f16_f32, float, uint16_t, f32_from_f16)
BULK(bulk_bf16_f32, float, uint16_t, f32_from_bf16)
BULK(bulk_f32_f64, double, float, (double))
BULK(bulk_f64_f32, float, double, (float))

/* The common pairs; false: none of them. */
static bool direct(enum Dtype to, void *dst, int64_t i, enum Dtype from,
                   const void *src, int64_t j, int64_t n)
{
#define FROM(a) ((const a *)src + j)
#define TO(a)   ((a *)dst + i)
    int64_t bytes = dtypeinfo[to].bits / 8; /* 0 for packed types */
    if (to == from && bytes > 0)
        memcpy((char *)dst + i * bytes, (const char *)src + j * bytes, (size_t)(n * bytes));
    else if (from == DTf32 && to == DTf16)
        bulk_f32_f16(TO(uint16_t), FROM(float), n);
    else if (from == DTf32 && to == DTbf16)
        bulk_f32_bf16(TO(uint16_t), FROM(float), n);
    else if (from == DTf16 && to == DTf32)
        bulk_f16_f32(TO(float), FROM(uint16_t), n);
    else if (from == DTbf16 && to == DTf32)
        bulk_bf16_f32(TO(float), FROM(uint16_t), n);
    else if (from == DTf32 && to == DTf64)
        bulk_f32_f64(TO(double), FROM(float), n);
    else if (from == DTf64 && to == DTf32)
        bulk_f64_f32(TO(float), FROM(double), n);
    else
        return false;
    return true;
#undef FROM
#undef TO
}

/* uint64 to a float other than float64: one rounding, and no sign. */
static void unsigned64(enum Dtype to, void *dst, int64_t i, const uint64_t *s, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        dtype_store(to, dst, i + k, sticky(s[k]));
}

void dtype_convert(enum Dtype to, void *dst, int64_t i0, enum Dtype from,
                   const void *src, int64_t j0, int64_t n)
{
    if (n <= 0 || direct(to, dst, i0, from, src, j0, n))
        return;
    if (from == DTu64 && dtype_isfloat(to) && to != DTf64) {
        unsigned64(to, dst, i0, (const uint64_t *)src + j0, n);
        return;
    }
    bool ints = !dtype_isfloat(from) && !(from == DTu64 && to == DTf64);
    double v[256];
    int64_t w[256];
    for (int64_t k = 0, m; k < n; k += m) {
        m = n - k < 256 ? n - k : 256;
        if (ints) {
            dtype_loadin(from, src, j0 + k, m, w);
            dtype_storein(to, dst, i0 + k, m, w);
        } else {
            dtype_loadn(from, src, j0 + k, m, v);
            dtype_wrapn(to, dst, i0 + k, m, v);
        }
    }
}
