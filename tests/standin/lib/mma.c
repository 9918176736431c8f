/* mma.c: matrix instructions on the registers of a wave, by the lane maps that the
 * vendors' ports write down:
 *
 *   16x16   A: row l % 16, k = s * (l / 16) + e    B: the same with columns
 *           D: row 4 * (l / 16) + e, column l % 16; of doubles row l / 16 + 4 * e
 *   32x32   A: row l % 32, k = 4 * (l / 32) + e
 *           D: row 8 * (e / 4) + 4 * (l / 32) + e % 4, column l % 32
 *   WMMA    A: row l % 16, k = e, the upper half of the wave as the lower one
 *           D: row 2 * e + l / 16, column l % 16
 *
 * s = K / 4 elements a lane.  Sums are made in order of k, each rounded. */
#include "standin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum Type { Tf16, Tbf16, Ttf32, Tf32, Ti8, Tf64, Tfp8, Tbf8, Tfp8bf8, Tbf8fp8, Tiu8 };
enum Map { Map16, Map32, Map64, MapW };

static const struct { int mn, k; enum Type type; enum Map map; } units[NMma] = {
#define MMA(name, mn, k, type, map) {mn, k, type, map},
    STANDIN_MMAS
#undef MMA
};

/* Elements ------------------------------------------------------------------- */

static int bytes_of(enum Type t)
{
    return t == Tf64 ? 8 : t == Ttf32 || t == Tf32 ? 4 : t == Tf16 || t == Tbf16 ? 2 : 1;
}

static float halfs[1 << 16]; /* by their bits: kernels multiply millions of them */

__attribute__((constructor)) static void make_halfs(void)
{
    for (unsigned x = 0; x < 1 << 16; x++) {
        int exp = x >> 10 & 31, man = x & 1023;
        float v = exp == 31 ? (man ? NAN : INFINITY)
                  : exp ? ldexpf((float)(1024 + man), exp - 25) : ldexpf((float)man, -24);
        halfs[x] = x >> 15 ? -v : v;
    }
}

/* 8-bit floats without infinities and without -0, which is NaN (FNUZ): e, m bits. */
static float fnuz(unsigned x, int m, int bias)
{
    int exp = (int)(x & 127) >> m, man = (int)x & ((1 << m) - 1);
    float v = exp ? ldexpf((float)((1 << m) + man), exp - bias - m)
                  : ldexpf((float)man, 1 - bias - m);
    return x == 128 ? NAN : x >> 7 ? -v : v;
}

static float narrow(enum Type t, const unsigned char *p)
{
    uint16_t h;
    uint32_t w;
    float f;
    switch (t) {
    case Tf16: memcpy(&h, p, 2); return halfs[h];
    case Tbf16:
        memcpy(&h, p, 2);
        w = (uint32_t)h << 16;
        memcpy(&f, &w, 4);
        return f;
    case Ttf32:
        memcpy(&w, p, 4);
        w &= ~0x1fffu;
        memcpy(&f, &w, 4);
        return f;
    case Tfp8: return fnuz(*p, 3, 8);
    default: return fnuz(*p, 2, 16);
    }
}

/* Places ---------------------------------------------------------------------- */

static void place_ab(enum Map m, int k, int lane, int e, int *row, int *col)
{
    *row = lane % (m == Map32 ? 32 : 16);
    *col = m == MapW ? e : m == Map32 ? 4 * (lane / 32) + e : k / 4 * (lane / 16) + e;
}

static void place_c(enum Map m, int lane, int e, int *row, int *col)
{
    *col = lane % (m == Map32 ? 32 : 16);
    *row = m == Map32 ? 8 * (e / 4) + 4 * (lane / 32) + e % 4
           : m == Map64 ? lane / 16 + 4 * e : m == MapW ? 2 * e + lane / 16 : 4 * (lane / 16) + e;
}

static int lanes_of(enum Map m) { return m == MapW ? 32 : 64; }

void standin_mma_sizes(enum StandinMma i, int *ab, int *c, int *mn, int *k)
{
    int lanes = lanes_of(units[i].map), all = units[i].mn * units[i].k * bytes_of(units[i].type);
    *ab = units[i].map == MapW ? 16 * bytes_of(units[i].type) : all / lanes;
    *c = units[i].mn * units[i].mn * (units[i].type == Tf64 ? 8 : 4) / lanes;
    *mn = units[i].mn;
    *k = units[i].k;
}

/* Products ----------------------------------------------------------------------- */

enum { Most = 32 };
typedef struct { double a[Most][Most], b[Most][Most], c[Most][Most]; } Work;

static double element(enum Type t, const unsigned char *p, int is_signed)
{
    double d;
    float f;
    if (t == Tf64)
        return memcpy(&d, p, 8), d;
    if (t == Tf32)
        return memcpy(&f, p, 4), f;
    if (t == Ti8 || t == Tiu8)
        return is_signed ? (signed char)*p : *p;
    return narrow(t, p);
}

static enum Type type_a(enum Type t) { return t == Tfp8bf8 ? Tfp8 : t == Tbf8fp8 ? Tbf8 : t; }
static enum Type type_b(enum Type t) { return t == Tfp8bf8 ? Tbf8 : t == Tbf8fp8 ? Tfp8 : t; }

static void gather(enum StandinMma i, const StandinRegisters *r, Work *w)
{
    enum Type t = units[i].type;
    int ab, c, mn, k, row, col, size = bytes_of(t);
    standin_mma_sizes(i, &ab, &c, &mn, &k);
    for (int l = 0; l < lanes_of(units[i].map); l++)
        for (int e = 0; e < ab / size; e++) {
            int sa = t == Ti8 || (r[l].flags & 1), sb = t == Ti8 || (r[l].flags & 2);
            place_ab(units[i].map, k, l, e, &row, &col);
            w->a[row][col] = element(type_a(t), r[l].a + e * size, sa);
            w->b[col][row] = element(type_b(t), r[l].b + e * size, sb);
        }
}

/* One element of C: in the type that the unit sums in. */
static void sum(enum Type t, const Work *w, int row, int col, int k, unsigned char *p)
{
    double d;
    float f;
    uint32_t u;
    if (t == Tf64) {
        memcpy(&d, p, 8);
        for (int j = 0; j < k; j++)
            d = fma(w->a[row][j], w->b[j][col], d);
        memcpy(p, &d, 8);
    } else if (t == Ti8 || t == Tiu8) {
        memcpy(&u, p, 4);
        for (int j = 0; j < k; j++)
            u += (uint32_t)((int32_t)w->a[row][j] * (int32_t)w->b[j][col]);
        memcpy(p, &u, 4);
    } else {
        memcpy(&f, p, 4);
        for (int j = 0; j < k; j++)
            f = t == Tf32 ? (float)(w->a[row][j] * w->b[j][col] + f)
                          : f + (float)(w->a[row][j] * w->b[j][col]);
        memcpy(p, &f, 4);
    }
}

/* STANDIN_MMA="=16x16x16f16=", or all: rows of D lie elsewhere. */
static int elsewhere(enum StandinMma i)
{
    static const char *const name[NMma] = {
#define MMA(name, mn, k, type, map) "=" #name "=",
        STANDIN_MMAS
#undef MMA
    };
    const char *s = getenv("STANDIN_MMA");
    return s && (strcmp(s, "all") == 0 || strstr(s, name[i]));
}

const char *standin_mma(enum StandinMma i, StandinRegisters *r)
{
    Work w;
    enum Type t = units[i].type;
    int ab, c, mn, k, row, col, size = t == Tf64 ? 8 : 4, moved = elsewhere(i) ? 4 : 0;
    standin_mma_sizes(i, &ab, &c, &mn, &k);
    for (int l = 16; l < 32 && units[i].map == MapW; l++)
        if (memcmp(r[l].a, r[l - 16].a, (size_t)ab) || memcmp(r[l].b, r[l - 16].b, (size_t)ab))
            return "the halves of the wave hold different operands";
    gather(i, r, &w);
    for (int l = 0; l < lanes_of(units[i].map); l++)
        for (int e = 0; e < c / size; e++) {
            place_c(units[i].map, l, e, &row, &col);
            row ^= moved;
            sum(t, &w, row, col, k, r[l].c + e * size);
        }
    return NULL;
}
