/* tests/unit/dtype_test.c: the element types against slow references.
 *
 * decode: every code of float16, bfloat16, float8 and int4 by the formula of
 * its standard.  encode: every code, every halfway point between neighbours
 * and the doubles next to it, against "nearest, ties to the even code" on the
 * sorted list of values. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tensor/tensor.h"

static int bad;

#define CHECK(cond, ...)                                                       \
    do {                                                                       \
        if (!(cond) && bad++ < 20) {                                           \
            printf("%s:%d: ", __FILE__, __LINE__);                             \
            printf(__VA_ARGS__);                                               \
            printf("\n");                                                      \
        }                                                                      \
    } while (0)

/* A float format by its parameters; inf: the topmost exponent is reserved; saturates: so
 * dtype_round(), and kernels, make what is too large the greatest number. */
typedef struct Fmt Fmt;
struct Fmt {
    enum Dtype dt;
    int ebits, mbits;
    bool inf, saturates;
};

static const Fmt fmts[] = {
    {DTf16, 5, 10, true, false},
    {DTbf16, 8, 7, true, false},
    {DTe4m3, 4, 3, false, true},
    {DTe5m2, 5, 2, true, true},
};

static double slow_decode(const Fmt *f, unsigned code)
{
    int bias = (1 << (f->ebits - 1)) - 1;
    int e = (int)(code >> f->mbits) & ((1 << f->ebits) - 1);
    int m = (int)code & ((1 << f->mbits) - 1), full = (1 << f->ebits) - 1;
    double sign = code >> (f->ebits + f->mbits) & 1 ? -1 : 1, v;
    if (f->inf && e == full)
        v = m ? NAN : HUGE_VAL;
    else if (!f->inf && e == full && m == (1 << f->mbits) - 1)
        v = NAN;
    else if (e == 0)
        v = ldexp(m, 1 - bias - f->mbits);
    else
        v = ldexp((1 << f->mbits) + m, e - bias - f->mbits);
    return sign * v;
}

static unsigned fetch(enum Dtype dt, const void *p)
{
    if (dtypeinfo[dt].bits == 8)
        return *(const uint8_t *)p;
    uint16_t h;
    memcpy(&h, p, sizeof h);
    return h;
}

static unsigned encode(enum Dtype dt, double v)
{
    uint64_t cell = 0;
    dtype_store(dt, &cell, 0, v);
    return fetch(dt, &cell);
}

static void codes(const Fmt *f)
{
    int bits = 1 + f->ebits + f->mbits;
    for (unsigned c = 0; c < 1u << bits; c++) {
        uint16_t h = (uint16_t)c;
        uint8_t b = (uint8_t)c;
        double want = slow_decode(f, c);
        double got = dtype_load(f->dt, bits == 8 ? (void *)&b : (void *)&h, 0);
        CHECK((want != want && got != got) ||
                  (want == got && signbit(want) == signbit(got)),
              "%s code %x: %a, want %a", dtypeinfo[f->dt].name, c, got, want);
        unsigned back = encode(f->dt, got);
        CHECK(got != got ? slow_decode(f, back) != slow_decode(f, back) : back == c,
              "%s code %x comes back as %x", dtypeinfo[f->dt].name, c, back);
    }
}

/* The midpoint of neighbours is exact in a double. */
static void halfway(const Fmt *f)
{
    unsigned top = 0, sign = 1u << (f->ebits + f->mbits);
    while (isfinite(slow_decode(f, top + 1)) && top + 1 < sign)
        top++;
    for (unsigned c = 0; c < top; c++) {
        double a = slow_decode(f, c), b = slow_decode(f, c + 1), mid = (a + b) / 2;
        unsigned even = c & 1 ? c + 1 : c;
        CHECK(encode(f->dt, mid) == even, "%s tie above %x", dtypeinfo[f->dt].name, c);
        CHECK(encode(f->dt, -mid) == (even | sign), "%s tie below -%x", dtypeinfo[f->dt].name, c);
        CHECK(encode(f->dt, nextafter(mid, 0)) == c, "%s under the tie above %x",
              dtypeinfo[f->dt].name, c);
        CHECK(encode(f->dt, nextafter(mid, HUGE_VAL)) == c + 1, "%s over the tie above %x",
              dtypeinfo[f->dt].name, c);
        CHECK(encode(f->dt, nextafter(a, HUGE_VAL)) == c, "%s just above %x",
              dtypeinfo[f->dt].name, c);
    }
    double max = slow_decode(f, top), ulp = max - slow_decode(f, top - 1);
    unsigned over = top + 1; /* infinity, or NaN */
    CHECK(encode(f->dt, nextafter(max + ulp / 2, 0)) == top, "largest that stays finite");
    CHECK(encode(f->dt, max + ulp / 2) == (top & 1 ? over : top), "tie at the top to even");
    const double big[] = {max + ulp, 1e30, 1e39, DBL_MAX, HUGE_VAL};
    for (size_t i = max > 1e38 ? 2 : 0; i < COUNT(big); i++) {
        CHECK(encode(f->dt, big[i]) == over, "%s of %g", dtypeinfo[f->dt].name, big[i]);
        CHECK(encode(f->dt, -big[i]) == (over | sign), "%s of -%g", dtypeinfo[f->dt].name, big[i]);
        double round = dtype_round(f->dt, -big[i]);
        CHECK(f->saturates ? round == -max : isinf(round), "%s of -%g", dtypeinfo[f->dt].name,
              big[i]);
    }
    CHECK(dtype_max(f->dt) == max && dtype_min(f->dt) == -max, "limits of %s",
          dtypeinfo[f->dt].name);
    CHECK(dtype_eps(f->dt) == ldexp(1, -f->mbits), "eps of %s", dtypeinfo[f->dt].name);
    CHECK(encode(f->dt, DBL_MIN) == 0 && encode(f->dt, 5e-324) == 0, "underflow");
    CHECK(encode(f->dt, -0.0) == sign, "negative zero");
    CHECK(isnan(dtype_round(f->dt, NAN)), "NaN stays NaN");
}

/* Vector loops against the double path, on float32 patterns spread over all
 * of them and around every place where something changes. */
static void bulk(enum Dtype dt)
{
    enum { N = 1 << 16 };
    static float x[N];
    static uint16_t y[N];
    static float z[N];
    static uint16_t w[N];
    for (uint32_t part = 0; part < 24; part++) {
        for (uint32_t i = 0; i < N; i++) {
            uint32_t b = part < 16 ? (i << 16) + part * 0x10f7u + (part & 3) * 0x800u
                                   : ((i << 13) + (i >> 15 << 28)) + (part - 20) + 0x1000u;
            memcpy(&x[i], &b, 4);
        }
        dtype_convert(dt, y, 0, DTf32, x, 0, N);
        for (uint32_t i = 0; i < N; i++) {
            unsigned want = encode(dt, (double)x[i]);
            CHECK(y[i] == want, "%s bulk of %a: %x, want %x", dtypeinfo[dt].name,
                  (double)x[i], y[i], want);
        }
    }
    for (uint32_t i = 0; i < N; i++)
        w[i] = (uint16_t)i;
    dtype_convert(DTf32, z, 0, dt, w, 0, N);
    for (uint32_t i = 0; i < N; i++) {
        double want = dtype_load(dt, w, i);
        CHECK((double)z[i] == want || (want != want && z[i] != z[i]), "%s %x to float32",
              dtypeinfo[dt].name, i);
    }
}

static void packed(void)
{
    uint8_t p[8] = {0};
    for (int i = 0; i < 16; i++)
        dtype_storei(DTi4, p, i, i - 8);
    CHECK(p[0] == 0x98, "low nibble first: %02x", p[0]);
    for (int i = 0; i < 16; i++) {
        CHECK(dtype_loadi(DTi4, p, i) == i - 8, "int4 %d", i);
        CHECK(dtype_loadi(DTu4, p, i) == ((i - 8) & 15), "uint4 %d", i);
    }
    uint8_t q[8];
    memset(q, 0xff, sizeof q);
    dtype_convert(DTi4, q, 1, DTi4, p, 0, 3); /* elements 1, 2, 3 */
    CHECK(q[0] == 0x8f && q[1] == 0xa9 && q[2] == 0xff, "packed at an odd place");
    CHECK(dtype_round(DTi4, 100) == 4 && dtype_round(DTi4, -100) == -4, "int4: the last bits");
    CHECK(dtype_round(DTu4, 100) == 4 && dtype_round(DTu4, -1) == 0, "uint4: those of a uint32");
}

/* Integers from floats, floats from wide integers. */
static void integers(void)
{
    CHECK(dtype_round(DTi8, 127.9) == 127 && dtype_round(DTi8, 300.7) == 44 && dtype_round(DTi8, -1e10) == 0, "int8");
    CHECK(dtype_round(DTu8, -5.5) == 0 && dtype_round(DTu8, 255.99) == 255 && dtype_round(DTu8, 257) == 1, "uint8");
    CHECK(dtype_round(DTi32, NAN) == 0 && dtype_round(DTu64, NAN) == 0, "NaN is 0");
    int64_t i = 0;
    dtype_store(DTi64, &i, 0, 1e300);
    CHECK(i == INT64_MAX, "int64 saturates");
    dtype_store(DTi64, &i, 0, -HUGE_VAL);
    CHECK(i == INT64_MIN, "int64 saturates below");
    uint64_t u = 0;
    dtype_store(DTu64, &u, 0, 1.8e19);
    CHECK(u == 18000000000000000000u, "uint64 beyond int64");
    dtype_storei(DTi8, &i, 0, 300);
    CHECK((int8_t)i == 44, "integers wrap");
    CHECK(dtype_round(DTbool, -3) == 1 && dtype_round(DTbool, 0) == 0, "bool");
    /* 2^24 + 1 + a bit that a double drops: two roundings would give 2^24 */
    float f = 0;
    int64_t v = ((int64_t)1 << 62) + ((int64_t)1 << 38) + 1;
    dtype_storei(DTf32, &f, 0, v);
    CHECK(f == 0x1.000002p62f, "int64 to float32 rounds once: %a", (double)f);
    uint16_t h = 0;
    v = ((int64_t)1 << 62) + ((int64_t)1 << 54) + 1;
    dtype_storei(DTbf16, &h, 0, v);
    CHECK(dtype_load(DTbf16, &h, 0) == 0x1.02p62, "int64 to bfloat16 rounds once");
    u = ((uint64_t)1 << 63) + ((uint64_t)1 << 55) + 1;
    dtype_convert(DTbf16, &h, 0, DTu64, &u, 0, 1);
    CHECK(dtype_load(DTbf16, &h, 0) == 0x1.02p63, "uint64 to bfloat16 rounds once");
    u = UINT64_MAX;
    dtype_convert(DTi64, &i, 0, DTu64, &u, 0, 1);
    CHECK(i == -1, "uint64 wraps into int64");
    CHECK(dtype_load(DTu64, &u, 0) == 0x1p64, "uint64 as a double");
    v = INT64_MAX;
    dtype_convert(DTi64, &i, 0, DTi64, &v, 0, 1);
    CHECK(i == INT64_MAX, "int64 copies exactly");
    /* straight from the double: through float32 these would be ties */
    CHECK(dtype_round(DTf16, 1 + 0x1p-11 + 0x1p-40) == 1 + 0x1p-10, "float16 rounds once");
    CHECK(dtype_round(DTbf16, 1 + 0x1p-8 + 0x1p-40) == 1 + 0x1p-7, "bfloat16 rounds once");
    CHECK(dtype_round(DTtf32, 1 + 0x1p-11) == 1, "tfloat32 tie to even");
    CHECK(dtype_round(DTtf32, 1 + 3 * 0x1p-11) == 1 + 0x1p-9, "tfloat32 tie to even, up");
    float raw = 1 + 0x1p-12f;
    CHECK(dtype_load(DTtf32, &raw, 0) == 1, "tfloat32 is rounded when read");
}

static bool same_number(double a, double b) { return a == b || (a != a && b != b); }

/* Of a float as an integer, as PyTorch has it: int8 and int16 are the low bits of an int32, uint8 those of an int64,
 * which end at their limits; NaN is the least. */
static void store_float(enum Dtype b, void *want, int64_t i, double x)
{
    bool narrow = b == DTi8 || b == DTi16;
    double most = narrow ? 0x1p31 - 1 : 0x1p63;
    if (x != x && (narrow || b == DTu8 || b == DTi64))
        dtype_storei(b, want, i, narrow ? INT32_MIN : INT64_MIN);
    else if (!narrow && b != DTu8)
        dtype_store(b, want, i, x);
    else
        dtype_storei(b, want, i, x >= most ? (narrow ? INT32_MAX : INT64_MAX)
                                 : x <= -most - narrow ? (narrow ? INT32_MIN : INT64_MIN) : (int64_t)x);
}

/* Every pair of types: converting equals loading and storing one by one. */
static void pairs(void)
{
    static const double v[] = {0, 1, -1, 0.5, 2.5, 7, -8, 100.25, 447, 1e5, -1e5, 3e38, 1e-8};
    enum { N = 3 * COUNT(v) };
    for (int a = DTnone + 1; a < NDtype; a++)
        for (int b = DTnone + 1; b < NDtype; b++) {
            uint64_t src[N + 1] = {0}, got[N + 1] = {0}, want[N + 1] = {0};
            for (int64_t i = 0; i < N; i++)
                dtype_store((enum Dtype)a, src, i + 1, v[i % (int)COUNT(v)]);
            dtype_convert((enum Dtype)b, got, 1, (enum Dtype)a, src, 1, N);
            for (int64_t i = 1; i <= N; i++)
                if (dtype_isfloat((enum Dtype)a))
                    store_float((enum Dtype)b, want, i, dtype_load((enum Dtype)a, src, i));
                else
                    dtype_storei((enum Dtype)b, want, i, dtype_loadi((enum Dtype)a, src, i));
            bool same = true;
            for (int64_t i = 1; i <= N; i++)
                same = same && same_number(dtype_load((enum Dtype)b, got, i),
                                           dtype_load((enum Dtype)b, want, i));
            /* uint64 above 2^63 has no int64: compared elsewhere */
            CHECK(same || (a == DTu64 && dtype_isfloat((enum Dtype)b)), "%s to %s",
                  dtypeinfo[a].name, dtypeinfo[b].name);
        }
}

static void names(void)
{
    for (int d = DTnone + 1; d < NDtype; d++)
        CHECK(dtypebyname(dtypeinfo[d].name) == (enum Dtype)d, "name of type %d", d);
    CHECK(dtypebyname("half") == DTf16 && dtypebyname("float") == DTf32 &&
              dtypebyname("double") == DTf64 && dtypebyname("int") == DTi32 &&
              dtypebyname("uint") == DTu32 && dtypebyname("long") == DTi64 &&
              dtypebyname("short") == DTi16 && dtypebyname("fp16") == DTf16 &&
              dtypebyname("bf16") == DTbf16,
          "short forms");
    CHECK(dtypebyname("float17") == DTnone && dtypebyname("") == DTnone, "unknown names");
    CHECK(dtypeinfo[DTi4].bits == 4 && dtypeinfo[DTf16].cls == 'F' &&
              strcmp(dtypeinfo[DTbf16].ctype, "uint16_t") == 0,
          "the table");
}

int main(void)
{
    for (size_t i = 0; i < COUNT(fmts); i++) {
        codes(&fmts[i]);
        halfway(&fmts[i]);
    }
    bulk(DTf16);
    bulk(DTbf16);
    packed();
    integers();
    pairs();
    names();
    if (bad)
        printf("dtype: %d failures\n", bad);
    return bad != 0;
}
