/* The matrix instructions of the stand-ins (tests/standin/lib/mma.c) against the lane maps as
 * the vendors' ports have them, written down once more as one formula each, without the
 * tables of ours: every product of two matrices with a single 1, and sums of random
 * integers, which all types hold exactly. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../standin/lib/standin.h"

/* One stand-in's library has it; here it is the program's own. */
#include "../standin/lib/mma.c"
#include "../../targets/targets.h"

enum { Side = 32 };

static int failures;
static const char *at;

static void wrong(const char *what, int i, int j, int k)
{
    if (failures++ < 20)
        printf("%s: %s: %d %d %d\n", at, what, i, j, k);
}

/* Types: the bits of a small integer ------------------------------------------------- */

static void put_f16(unsigned char *p, int v)
{
    uint16_t h = 0;
    int exp = 0, size = abs(v);
    if (size) {
        while (size >> (exp + 1))
            exp++;
        h = (uint16_t)((exp + 15) << 10 | ((size << 10 >> exp) & 1023));
    }
    h = (uint16_t)(h | (v < 0 ? 0x8000 : 0));
    memcpy(p, &h, 2);
}

static void put_f32(unsigned char *p, int v)
{
    float f = (float)v;
    memcpy(p, &f, 4);
}

/* Bits that the unit drops are set: they must not count. */
static void put_tf32(unsigned char *p, int v)
{
    uint32_t u;
    put_f32((unsigned char *)&u, v);
    u |= 0x1fff;
    memcpy(p, &u, 4);
}

static void put_bf16(unsigned char *p, int v)
{
    unsigned char f[4];
    put_f32(f, v);
    memcpy(p, f + 2, 2);
}

static void put_f64(unsigned char *p, int v)
{
    double d = v;
    memcpy(p, &d, 8);
}

static void put_i8(unsigned char *p, int v) { *p = (unsigned char)v; }

/* 8-bit floats of gfx942 (FNUZ): integers -3 to 3, whose bits are e4m3: 2^(e-8) * (1 + m/8),
 * e5m2: 2^(e-16) * (1 + m/4). */
static void put_fp8(unsigned char *p, int v)
{
    static const unsigned char bits[] = {0x00, 0x40, 0x48, 0x4c};
    *p = (unsigned char)(bits[abs(v)] | (v < 0 ? 0x80 : 0));
}

static void put_bf8(unsigned char *p, int v)
{
    static const unsigned char bits[] = {0x00, 0x40, 0x44, 0x46};
    *p = (unsigned char)(bits[abs(v)] | (v < 0 ? 0x80 : 0));
}

typedef void (*Put)(unsigned char *p, int v);

static double get_f32(const unsigned char *p) { float f; memcpy(&f, p, 4); return f; }
static double get_f64(const unsigned char *p) { double d; memcpy(&d, p, 8); return d; }
static double get_i32(const unsigned char *p) { int32_t i; memcpy(&i, p, 4); return i; }
typedef double (*Get)(const unsigned char *p);

/* Maps ----------------------------------------------------------------------------- */

/* vendor-targets 1.4 and 3.4: 16x16 of 64 lanes, s = K / 4 elements a lane. */
static void ab_16(int l, int e, int k, int *mn, int *kk)
{
    *mn = l % 16;
    *kk = k / 4 * (l / 16) + e;
}
static void c_16(int l, int e, int *m, int *n) { *m = 4 * (l / 16) + e; *n = l % 16; }
/* 1.4: of doubles */
static void c_f64(int l, int e, int *m, int *n) { *m = l / 16 + 4 * e; *n = l % 16; }
/* 3.4: 32x32x8: the K of a lane are four that follow each other. */
static void ab_32(int l, int e, int k, int *mn, int *kk)
{
    *mn = l % 32;
    *kk = k / 2 * (l / 32) + e;
}
static void c_32(int l, int e, int *m, int *n)
{
    *m = 8 * (e / 4) + 4 * (l / 32) + e % 4;
    *n = l % 32;
}
/* 3.5: WMMA of 32 lanes; the upper half has what the lower one has. */
static void ab_w(int l, int e, int k, int *mn, int *kk) { (void)k; *mn = l % 16; *kk = e; }
static void c_w(int l, int e, int *m, int *n) { *m = 2 * e + l / 16; *n = l % 16; }

/* name; sizes; lanes; elements of a lane; bytes of one; how they are put and read; maps;
 * flags; the least integer that A's and B's types hold here */
typedef struct Row Row;
struct Row {
    const char *name;
    enum StandinMma unit;
    int mn, k, lanes, nab, nc, size, csize;
    Put a, b;
    Get c;
    void (*ab_at)(int, int, int, int *, int *);
    void (*c_at)(int, int, int *, int *);
    int flags, least_a, least_b;
};

#define F16(n, u, k, ab, sz, pa, pb, lo) \
    {n, u, 16, k, 64, ab, 4, sz, 4, pa, pb, get_f32, ab_16, c_16, 0, lo, lo}
#define I8W(n, fl, la, lb) \
    {n, Mma_wmma_iu8, 16, 16, 32, 16, 8, 1, 4, put_i8, put_i8, get_i32, ab_w, c_w, fl, la, lb}

static const Row rows[] = {
    F16("16x16x16 f16", Mma_16x16x16f16, 16, 4, 2, put_f16, put_f16, -3),
    F16("16x16x16 bf16", Mma_16x16x16bf16, 16, 4, 2, put_bf16, put_bf16, -3),
    F16("16x16x8 tf32", Mma_16x16x8tf32, 8, 2, 4, put_tf32, put_tf32, -3),
    F16("16x16x4 f32", Mma_16x16x4f32, 4, 1, 4, put_f32, put_f32, -3),
    F16("16x16x32 fp8 fp8", Mma_16x16x32fp8_fp8, 32, 8, 1, put_fp8, put_fp8, -3),
    F16("16x16x32 bf8 bf8", Mma_16x16x32bf8_bf8, 32, 8, 1, put_bf8, put_bf8, -3),
    F16("16x16x32 fp8 bf8", Mma_16x16x32fp8_bf8, 32, 8, 1, put_fp8, put_bf8, -3),
    F16("16x16x32 bf8 fp8", Mma_16x16x32bf8_fp8, 32, 8, 1, put_bf8, put_fp8, -3),
    {"16x16x16 i8", Mma_16x16x16i8, 16, 16, 64, 4, 4, 1, 4, put_i8, put_i8, get_i32, ab_16, c_16,
     0, -128, -128},
    {"16x16x32 i8", Mma_16x16x32i8, 16, 32, 64, 8, 4, 1, 4, put_i8, put_i8, get_i32, ab_16, c_16,
     0, -128, -128},
    {"16x16x4 f64", Mma_16x16x4f64, 16, 4, 64, 1, 4, 8, 8, put_f64, put_f64, get_f64, ab_16, c_f64,
     0, -3, -3},
    {"32x32x8 f16", Mma_32x32x8f16, 32, 8, 64, 4, 16, 2, 4, put_f16, put_f16, get_f32, ab_32, c_32,
     0, -3, -3},
    {"32x32x8 bf16", Mma_32x32x8bf16, 32, 8, 64, 4, 16, 2, 4, put_bf16, put_bf16, get_f32, ab_32,
     c_32, 0, -3, -3},
    {"wmma f16", Mma_wmma_f16, 16, 16, 32, 16, 8, 2, 4, put_f16, put_f16, get_f32, ab_w, c_w, 0,
     -3, -3},
    {"wmma bf16", Mma_wmma_bf16, 16, 16, 32, 16, 8, 2, 4, put_bf16, put_bf16, get_f32, ab_w, c_w,
     0, -3, -3},
    I8W("wmma s8 s8", 3, -128, -128), I8W("wmma s8 u8", 1, -128, 0),
    I8W("wmma u8 s8", 2, 0, -128), I8W("wmma u8 u8", 0, 0, 0),
};

/* Products --------------------------------------------------------------------------- */

typedef struct Matrices Matrices;
struct Matrices { int a[Side][Side], b[Side][Side]; double c[Side][Side], want[Side][Side]; };

/* Puts A, B and C where the maps say, multiplies, and compares C. */
static void multiply(const Row *r, const Matrices *x, int i, int j, int k)
{
    StandinRegisters reg[StandinLanes];
    int mn, kk, m, n;
    memset(reg, 0, sizeof reg);
    for (int l = 0; l < r->lanes; l++) {
        reg[l].flags = r->flags;
        for (int e = 0; e < r->nab; e++) {
            r->ab_at(l, e, r->k, &mn, &kk);
            r->a(reg[l].a + e * r->size, x->a[mn][kk]);
            r->b(reg[l].b + e * r->size, x->b[kk][mn]);
        }
        for (int e = 0; e < r->nc; e++) {
            r->c_at(l, e, &m, &n);
            int32_t v = (int32_t)x->c[m][n];
            if (r->c == get_i32)
                memcpy(reg[l].c + e * 4, &v, 4);
            else
                (r->csize == 8 ? put_f64 : put_f32)(reg[l].c + e * r->csize, v);
        }
    }
    const char *why = standin_mma(r->unit, reg);
    if (why)
        wrong(why, i, j, k);
    for (int l = 0; l < r->lanes; l++)
        for (int e = 0; e < r->nc; e++) {
            r->c_at(l, e, &m, &n);
            if (r->c(reg[l].c + e * r->csize) != x->want[m][n])
                wrong("C is wrong there", l, e, i * 1024 + j);
        }
}

/* The maps reach every element of the matrices, those of C once. */
static void cover(const Row *r)
{
    int ab[Side][Side] = {{0}}, c[Side][Side] = {{0}}, mn, kk, m, n;
    int times = r->lanes * r->nab / (r->mn * r->k);
    for (int l = 0; l < r->lanes; l++) {
        for (int e = 0; e < r->nab; e++) {
            r->ab_at(l, e, r->k, &mn, &kk);
            ab[mn][kk]++;
        }
        for (int e = 0; e < r->nc; e++) {
            r->c_at(l, e, &m, &n);
            c[m][n]++;
        }
    }
    for (int i = 0; i < r->mn; i++) {
        for (int k = 0; k < r->k; k++)
            if (ab[i][k] != times)
                wrong("A's map", i, k, ab[i][k]);
        for (int j = 0; j < r->mn; j++)
            if (c[i][j] != 1)
                wrong("C's map", i, j, c[i][j]);
    }
}

static void one_hot(const Row *r)
{
    static const Matrices zero;
    for (int i = 0; i < r->mn; i++)
        for (int j = 0; j < r->mn; j++) {
            Matrices x = zero;
            int k = (i + 3 * j) % r->k;
            x.a[i][k] = x.b[k][j] = 1;
            x.want[i][j] = 1;
            multiply(r, &x, i, j, k);
        }
}

static int any(uint32_t *seed, int least)
{
    *seed = *seed * 1664525u + 1013904223u;
    int span = least == -128 || least == 0 ? 256 : 7;
    return least + (int)((*seed >> 16) % (uint32_t)span);
}

static void sums(const Row *r)
{
    static Matrices x;
    uint32_t seed = 1;
    for (int i = 0; i < r->mn; i++)
        for (int k = 0; k < r->k; k++) {
            x.a[i][k] = any(&seed, r->least_a);
            x.b[k][i] = any(&seed, r->least_b);
        }
    for (int i = 0; i < r->mn; i++)
        for (int j = 0; j < r->mn; j++) {
            x.c[i][j] = any(&seed, -3);
            x.want[i][j] = x.c[i][j];
            for (int k = 0; k < r->k; k++)
                x.want[i][j] += x.a[i][k] * x.b[k][j];
        }
    multiply(r, &x, -1, -1, -1);
}

/* Every bit pattern of the 8-bit floats as A[0][0], times 1: by their formula. */
static void eight(enum StandinMma unit, int mantissa, int bias, unsigned char one)
{
    at = "8-bit floats";
    for (int v = 0; v < 256; v++) {
        StandinRegisters reg[StandinLanes];
        memset(reg, 0, sizeof reg);
        reg[0].a[0] = (unsigned char)v;
        reg[0].b[0] = one;
        int e = (v & 127) >> mantissa, m = v & ((1 << mantissa) - 1);
        double size = e ? pow(2, e - bias) * (1 + m / (double)(1 << mantissa))
                        : pow(2, 1 - bias) * m / (double)(1 << mantissa);
        standin_mma(unit, reg);
        double got = get_f32(reg[0].c), want = v & 128 ? -size : size;
        if (v == 128 ? !isnan(got) : got != want)
            wrong("a number", v, (int)(got * 1024), (int)(want * 1024));
    }
}

int main(void)
{
    targets_init();
    int n = (int)(sizeof rows / sizeof *rows), seen[NMma] = {0};
    for (int i = 0; i < n; i++) {
        at = rows[i].name;
        seen[rows[i].unit] = 1;
        cover(&rows[i]);
        one_hot(&rows[i]);
        sums(&rows[i]);
    }
    at = "all";
    for (int i = 0; i < NMma; i++)
        if (!seen[i])
            wrong("an instruction that nobody checks", i, 0, 0);
    eight(Mma_16x16x32fp8_fp8, 3, 8, 0x40);
    eight(Mma_16x16x32bf8_bf8, 2, 16, 0x40);
    printf("%d instructions, %d failures\n", n, failures);
    return failures != 0;
}
