/* tests/unit/card_sums.h: sums for matrix instructions, the same on every machine, and what an
 * H200 made of them.  card_sums.cu asks the card, sim_sums.c the simulator; C and C++.
 *
 * A tile is a, m rows of k elements; b, 8 rows (columns of the product) of k; c, m rows of 8.
 * Kinds of tiles, in turns: about normal; wide exponents; any finite bits; with infinities and
 * NaN; subnormals and zeros; halves that cancel; sparse; positive. */
#ifndef MOONTILE_CARD_SUMS_H
#define MOONTILE_CARD_SUMS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum SumType { Sf16, Sbf16, Stf32, Se4m3, Se5m2, Ss8, Sf64, Sf32, Ss32 };

typedef struct SumTypeInfo SumTypeInfo;
struct SumTypeInfo { int bits, exponent, mantissa, bias, spread; };
static const SumTypeInfo sumtype[] = {
    {16, 5, 10, 15, 6}, {16, 8, 7, 127, 12}, {32, 8, 10, 127, 12}, {8, 4, 3, 7, 5}, {8, 5, 2, 15, 8},
    {8, 0, 0, 0, 0}, {64, 11, 52, 1023, 20}, {32, 8, 23, 127, 12}, {32, 0, 0, 0, 0}};

/* hash: of all results in order, FNV-1a, as the card made them (driver 580.159, 2026-11-22). */
typedef struct CardSum CardSum;
struct CardSum {
    const char *name;
    bool group, regs;       /* wgmma; A in registers */
    int k, a, b, c;
    uint64_t hash;
};
static const CardSum card_sum[] = {
    {"wgmma.m64k16.f32.f16", 1, 0, 16, Sf16, Sf16, Sf32, 0xb0666ff4db2d8d57},
    {"wgmma.m64k16.f16.f16", 1, 0, 16, Sf16, Sf16, Sf16, 0x51ccbfb64d622c92},
    {"wgmma.m64k16.f32.bf16", 1, 0, 16, Sbf16, Sbf16, Sf32, 0x2d9c45d66d2bb684},
    {"wgmma.m64k8.f32.tf32", 1, 0, 8, Stf32, Stf32, Sf32, 0xdc6e4afa87b083a1},
    {"wgmma.m64k32.f32.e4m3", 1, 0, 32, Se4m3, Se4m3, Sf32, 0x65e1cc356aa56fbd},
    {"wgmma.m64k32.f32.e5m2", 1, 0, 32, Se5m2, Se5m2, Sf32, 0x4f907498f6cb6ec0},
    {"wgmma.m64k32.f32.e4m3.e5m2", 1, 0, 32, Se4m3, Se5m2, Sf32, 0x5738d02996265812},
    {"wgmma.m64k32.f32.e5m2.e4m3", 1, 0, 32, Se5m2, Se4m3, Sf32, 0xec15b0be85334bd8},
    {"wgmma.m64k32.f16.e4m3", 1, 0, 32, Se4m3, Se4m3, Sf16, 0x1417de30ca739e0c},
    {"wgmma.m64k32.f16.e5m2", 1, 0, 32, Se5m2, Se5m2, Sf16, 0x87f6a798e9047e9f},
    {"wgmma.m64k32.s32.s8", 1, 0, 32, Ss8, Ss8, Ss32, 0x11ae602b4db6982b},
    {"wgmma.m64k16.f32.f16", 1, 1, 16, Sf16, Sf16, Sf32, 0xb771f48088c94849},
    {"wgmma.m64k32.f32.e4m3", 1, 1, 32, Se4m3, Se4m3, Sf32, 0xe9d697cf2f04d367},
    {"mma.m16n8k16.f32.f16", 0, 0, 16, Sf16, Sf16, Sf32, 0x8678ee4bb4ccaf85},
    {"mma.m16n8k16.f16.f16", 0, 0, 16, Sf16, Sf16, Sf16, 0x53a5ebdd22edacda},
    {"mma.m16n8k16.f32.bf16", 0, 0, 16, Sbf16, Sbf16, Sf32, 0x6786f225af987eff},
    {"mma.m16n8k8.f32.f16", 0, 0, 8, Sf16, Sf16, Sf32, 0x4c3d5a094afc3e9a},
    {"mma.m16n8k8.f16.f16", 0, 0, 8, Sf16, Sf16, Sf16, 0x4e12706e798e3894},
    {"mma.m16n8k8.f32.bf16", 0, 0, 8, Sbf16, Sbf16, Sf32, 0x200f37160b0b2eed},
    {"mma.m16n8k8.f32.tf32", 0, 0, 8, Stf32, Stf32, Sf32, 0xb44cb9549bd2405c},
    {"mma.m16n8k4.f32.tf32", 0, 0, 4, Stf32, Stf32, Sf32, 0x4a969e127b673a19},
    {"mma.m16n8k32.f32.e4m3", 0, 0, 32, Se4m3, Se4m3, Sf32, 0x78a487ba4880e2bf},
    {"mma.m16n8k32.f32.e5m2", 0, 0, 32, Se5m2, Se5m2, Sf32, 0xc328aa1523993438},
    {"mma.m16n8k32.f32.e4m3.e5m2", 0, 0, 32, Se4m3, Se5m2, Sf32, 0x43d63620542f8e3d},
    {"mma.m16n8k32.f32.e5m2.e4m3", 0, 0, 32, Se5m2, Se4m3, Sf32, 0xb8291d7908c25feb},
    {"mma.m16n8k32.s32.s8", 0, 0, 32, Ss8, Ss8, Ss32, 0x59cec92704b82a0e},
    {"mma.m8n8k4.f64.f64", 0, 0, 4, Sf64, Sf64, Sf64, 0xdf06d552d90a7259},
};
enum { CardSums = sizeof card_sum / sizeof *card_sum, MaxSumBytes = 64 * 32 };

/* Bytes of a and b of a tile are m * k and 8 * k elements; acc: c counts. */
typedef struct SumTile SumTile;
struct SumTile { uint8_t a[MaxSumBytes], b[MaxSumBytes], c[MaxSumBytes]; bool acc; };

static inline int sum_rows(const CardSum *i) { return i->group ? 64 : i->a == Sf64 ? 8 : 16; }
static inline int sum_tiles(const CardSum *i) { return i->group || i->a == Sf64 ? 512 : 2048; }

static inline uint64_t sum_hash(uint64_t h, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}
#define SUM_HASH 1469598103934665603u

/* Random numbers ------------------------------------------------------------ */

static inline uint64_t sum_next(uint64_t *s)
{
    uint64_t z = (*s += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static inline int sum_below(uint64_t *s, int n)
{
    return (int)((sum_next(s) >> 32) * (uint64_t)n >> 32);
}

static inline int sum_range(uint64_t *s, int lo, int hi) { return lo + sum_below(s, hi - lo + 1); }
static inline int sum_coin(uint64_t *s) { return (int)(sum_next(s) & 1); }

/* An exponent about as those of normal numbers. */
static inline int sum_exponent(uint64_t *s)
{
    int e = 1;
    uint32_t x = (uint32_t)sum_next(s);
    for (; e > -8 && !(x & 1); x >>= 1)
        e--;
    return e - 1 + (int)(x >> 1 & 1);
}

/* The bits of a number with this exponent, as near as the type has it. */
static inline uint64_t sum_number(int type, uint64_t *s, int e, int sign)
{
    const SumTypeInfo *y = &sumtype[type];
    int at = e + y->bias, top = (1 << y->exponent) - 2;
    uint64_t m = sum_next(s) & (((uint64_t)1 << y->mantissa) - 1);
    if (type == Se4m3) {
        top = 15;
        m = at >= 15 ? m % 7 : m;
    }
    if (at < 1) {
        m = 1 - at > y->mantissa ? 0 : (m | (uint64_t)1 << y->mantissa) >> (1 - at);
        at = 0;
    }
    at = at > top ? top : at;
    uint64_t v = (uint64_t)sign << (y->exponent + y->mantissa) | (uint64_t)at << y->mantissa | m;
    return type == Stf32 ? v << 13 | (sum_next(s) & 0x1fff) : v; /* low bits that nobody reads */
}

static inline uint64_t sum_bits(int type, uint64_t *s)
{
    uint64_t v = sum_next(s);
    return sumtype[type].bits == 64 ? v : v & (((uint64_t)1 << sumtype[type].bits) - 1);
}

static inline bool sum_special(int type, uint64_t v)
{
    const SumTypeInfo *y = &sumtype[type];
    v = type == Stf32 ? v >> 13 : v;
    uint64_t e = v >> y->mantissa & (((uint64_t)1 << y->exponent) - 1);
    uint64_t m = v & (((uint64_t)1 << y->mantissa) - 1);
    return type == Se4m3 ? e == 15 && m == 7 : e == ((uint64_t)1 << y->exponent) - 1;
}

static inline uint64_t sum_zero(int type, uint64_t *s)
{
    return (uint64_t)sum_coin(s) << (sumtype[type].bits - 1);
}

static inline uint64_t sum_tiny(int type, uint64_t *s)
{
    int kind = sum_below(s, 4), lo = 1 - sumtype[type].bias;
    if (kind == 0)
        return sum_zero(type, s);
    int sign = sum_coin(s);
    int e = kind == 1 ? lo - sum_range(s, 1, sumtype[type].mantissa) : lo + sum_range(s, 0, 4);
    return sum_number(type, s, e, sign);
}

static inline uint64_t sum_finite(int type, uint64_t *s)
{
    uint64_t v = sum_bits(type, s);
    while (sum_special(type, v))
        v = sum_bits(type, s);
    return v;
}

static inline uint64_t sum_operand(int type, uint64_t *s, int kind)
{
    int spread = sumtype[type].spread;
    if (type == Ss8)
        return sum_next(s) & 255;
    if (kind == 2)
        return sum_finite(type, s);
    if (kind == 4)
        return sum_tiny(type, s);
    if (kind == 3 && sum_below(s, 24) == 0)
        return sum_bits(type, s);
    if (kind == 6 && sum_below(s, 6) != 0)
        return sum_zero(type, s);
    int sign = kind == 7 ? 0 : sum_coin(s), e = 0;
    if (kind == 0 || kind == 3)
        e = sum_exponent(s);
    else if (kind == 1 || kind == 6)
        e = sum_range(s, -spread, spread);
    return sum_number(type, s, e, sign);
}

static inline uint64_t sum_accumulator(const CardSum *i, uint64_t *s, int kind)
{
    int bias = sumtype[i->a].bias, top = 2 * bias > 60 ? 200 : 2 * bias, e;
    if (i->c == Ss32)
        return sum_below(s, 4) ? (uint32_t)sum_range(s, -100000, 100000) : (uint32_t)sum_next(s);
    switch (kind) {
    case 0: e = sum_exponent(s) + 2; break;
    case 1: e = sum_range(s, -16, 16); break;
    case 5: e = sum_range(s, -30, 2); break;
    case 6: e = sum_range(s, -24, 24); break;
    case 7: e = sum_range(s, 0, 4); break;
    default: e = sum_range(s, -12, 12); break;
    }
    if (kind == 2)
        e = sum_range(s, -top, top);
    if (kind == 4)
        e = 2 * (1 - bias) + sum_range(s, -30, 10);
    if (kind == 3 && sum_below(s, 16) == 0)
        return sum_bits(i->c, s);
    if (sum_below(s, 20) == 0)
        return sum_zero(i->c, s);
    return sum_number(i->c, s, e, sum_coin(s));
}

/* Tiles --------------------------------------------------------------------- */

static inline uint64_t sum_get(const uint8_t *p, int at, int type)
{
    int n = sumtype[type].bits / 8;
    uint64_t v = 0;
    memcpy(&v, p + (size_t)at * (size_t)n, (size_t)n);
    return v;
}

static inline void sum_put(uint8_t *p, int at, int type, uint64_t v)
{
    int n = sumtype[type].bits / 8;
    memcpy(p + (size_t)at * (size_t)n, &v, (size_t)n);
}

/* The second half of each row of a is the negative of the first, mostly; of b, the same. */
static inline void sum_cancel(const CardSum *i, SumTile *x, uint64_t *s)
{
    int half = i->k / 2;
    uint64_t sign = i->a == Ss8 ? 0 : (uint64_t)1 << (sumtype[i->a].bits - 1);
    for (int q = 0; q < sum_rows(i); q++)
        for (int p = q * i->k; p < q * i->k + half; p++)
            if (sum_below(s, 5))
                sum_put(x->a, p + half, i->a, sum_get(x->a, p, i->a) ^ sign);
    for (int q = 0; q < 8; q++)
        for (int p = q * i->k; p < q * i->k + half; p++)
            sum_put(x->b, p + half, i->b, sum_get(x->b, p, i->b));
}

/* Tile t of card_sum[which]. */
static inline void sum_tile(int which, int t, SumTile *x)
{
    const CardSum *i = &card_sum[which];
    int kind = t % 8, m = sum_rows(i);
    uint64_t s = (uint64_t)which * 1000003 + (uint64_t)t * 7919 + 12345;
    sum_next(&s);
    x->acc = !(i->group && t % 16 >= 12);
    for (int p = 0; p < m * i->k; p++)
        sum_put(x->a, p, i->a, sum_operand(i->a, &s, kind));
    for (int p = 0; p < 8 * i->k; p++)
        sum_put(x->b, p, i->b, sum_operand(i->b, &s, kind));
    if (kind == 5)
        sum_cancel(i, x, &s);
    for (int p = 0; p < m * 8; p++)
        sum_put(x->c, p, i->c, sum_accumulator(i, &s, kind));
}

#endif
