/* core/tensor/rng.c: random numbers that are the same on every machine.
 *
 * Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
 * easy as 1, 2, 3", SC 2011) turns a counter and a key into 128 random bits.
 * The key is the seed; the counter holds the draw and the number of a pair of
 * elements, so element i of a draw does not depend on shape, dtype or order.
 *
 * The normal distribution needs log, sin and cos, which C libraries round
 * differently.  Those here use only + - * / and sqrt, which IEEE 754 fixes to
 * the bit, provided that nothing is contracted into fused multiply-adds: gcc
 * leaves that off with -std=c11, clang obeys the pragma. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "ref.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif
#if defined(__FAST_MATH__)
#error "rng.c must be compiled without -ffast-math"
#endif
_Static_assert(FLT_EVAL_METHOD == 0, "doubles must be computed as doubles");

void philox4x32(uint32_t ctr[4], const uint32_t key[2])
{
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p = (uint64_t)0xd2511f53u * ctr[0], q = (uint64_t)0xcd9e8d57u * ctr[2];
        uint32_t c1 = ctr[1], c3 = ctr[3];
        ctr[0] = (uint32_t)(q >> 32) ^ c1 ^ k0;
        ctr[1] = (uint32_t)q;
        ctr[2] = (uint32_t)(p >> 32) ^ c3 ^ k1;
        ctr[3] = (uint32_t)p;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
}

/* Pairs are made Batch at a time, each step in a loop of constant length that
 * vector units like. */
enum { Batch = 128 };

/* The 64-bit words of pairs j .. j + Batch - 1: pair k in w[2k], w[2k + 1]. */
static void rng_words(const Rng *r, uint64_t j, uint64_t w[2 * Batch])
{
    const uint32_t key[2] = {(uint32_t)r->seed, (uint32_t)(r->seed >> 32)};
    for (uint64_t k = 0; k < Batch; k++) {
        uint32_t c[4] = {(uint32_t)(j + k), (uint32_t)((j + k) >> 32),
                         (uint32_t)r->draw, (uint32_t)(r->draw >> 32)};
        philox4x32(c, key);
        w[2 * k] = (uint64_t)c[0] << 32 | c[1];
        w[2 * k + 1] = (uint64_t)c[2] << 32 | c[3];
    }
}

/* Natural logarithm of x in (0, 1], to a unit in the last place or two.
 * x = 2^e m with m in [sqrt(1/2), sqrt(2)); with s = (m - 1) / (m + 1),
 * log m = 2 (s + s^3/3 + s^5/5 + ...), and s^2 < 0.0295. */
static double log_unit(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    /* the bits of sqrt(1/2) make the exponent step where m should wrap */
    uint64_t above = b - 0x3fe6a09e667f3bcdu;
    double e = (double)(int32_t)(int64_t)((above >> 52 ^ 0x800) - 0x800);
    b -= above & 0xfff0000000000000u;
    double m;
    memcpy(&m, &b, sizeof m);
    double s = (m - 1) / (m + 1), z = s * s;
    double p = 1.0 / 23;
    p = p * z + 1.0 / 21;
    p = p * z + 1.0 / 19;
    p = p * z + 1.0 / 17;
    p = p * z + 1.0 / 15;
    p = p * z + 1.0 / 13;
    p = p * z + 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    return e * 0.69314718055994530942 + 2 * (s + s * z * p);
}

/* cos and sin of 2 pi (q + f) / 4 with f in [-1/2, 1/2] and q a quarter turn:
 * Taylor's series of the rest, |x| <= pi / 4, then a swap and two signs. */
static void sincos_turn(double q, double f, double *cosine, double *sine)
{
    double x = f * 1.57079632679489661923, z = x * x;
    double c = 1.0 / 20922789888000.0;
    c = c * z - 1.0 / 87178291200.0;
    c = c * z + 1.0 / 479001600.0;
    c = c * z - 1.0 / 3628800.0;
    c = c * z + 1.0 / 40320.0;
    c = c * z - 1.0 / 720.0;
    c = c * z + 1.0 / 24.0;
    c = c * z - 1.0 / 2.0;
    c = c * z + 1;
    double s = -1.0 / 1307674368000.0;
    s = s * z + 1.0 / 6227020800.0;
    s = s * z - 1.0 / 39916800.0;
    s = s * z + 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    s = x + x * (s * z);
    bool odd = q == 1 || q == 3;
    *cosine = (q == 1 || q == 2 ? -1.0 : 1.0) * (odd ? s : c);
    *sine = (q == 2 || q == 3 ? -1.0 : 1.0) * (odd ? c : s);
}

/* Box and Muller: two uniform numbers make two independent normal ones. */
static void normals(const uint64_t w[2 * Batch], double out[2 * Batch])
{
    for (int k = 0; k < Batch; k++) {
        double u = (double)((int64_t)(w[2 * k] >> 11) + 1) * 0x1p-53; /* (0, 1] */
        double t = (double)(int64_t)(w[2 * k + 1] >> 11) * 0x1p-51;   /* [0, 4) */
        double q = (double)(int32_t)(t + 0.5);                      /* nearest quarter */
        double f = t - q, c, s;
        sincos_turn(q == 4 ? 0 : q, f, &c, &s);
        double radius = sqrt(-2 * log_unit(u));
        out[2 * k] = radius * c;
        out[2 * k + 1] = radius * s;
    }
}

/* A draw being made: pieces of it on several threads. */
typedef struct Draw Draw;
struct Draw {
    const Rng *r;
    Tensor *t;
    double a, b; /* mean and deviation, or the bounds */
    int64_t lo;  /* of integers, and how many there are */
    uint64_t range;
};

static int64_t batch_size(const Draw *d, int64_t at)
{
    int64_t left = tensor_count(d->t) - at;
    return left < 2 * Batch ? left : 2 * Batch;
}

static void draw_store(const Draw *d, int64_t at, const double *v)
{
    dtype_storen(d->t->dt, storage_write(d->t->st), d->t->offset + at, batch_size(d, at), v);
}

/* Batches hold an even number of elements, so no two share a byte. */
static void rng_draw(const Draw *d, void (*piece)(void *, int64_t, int64_t), Rng *r)
{
    int64_t count = tensor_count(d->t);
    Draw copy = *d;
    tensor_renew(d->t);
    ref_parallel((count + 2 * Batch - 1) / (2 * Batch), (double)count * 20, piece, &copy);
    r->draw++;
}

static void normal_piece(void *ud, int64_t lo, int64_t hi)
{
    const Draw *d = ud;
    uint64_t w[2 * Batch];
    double v[2 * Batch];
    for (int64_t k = lo; k < hi; k++) {
        rng_words(d->r, (uint64_t)k * Batch, w);
        normals(w, v);
        for (int i = 0; i < 2 * Batch; i++)
            v[i] = d->a + d->b * v[i];
        draw_store(d, k * 2 * Batch, v);
    }
}

void rng_normal(Rng *r, Tensor *t, double mean, double sd)
{
    rng_draw(&(Draw){.r = r, .t = t, .a = mean, .b = sd}, normal_piece, r);
}

/* Uniform numbers are multiples of the type's spacing just below 1, so that
 * rounding to the type cannot give 1; where hi - lo makes one round up to hi
 * after all, lo is given instead. */
static void uniform_piece(void *ud, int64_t lo, int64_t hi)
{
    const Draw *d = ud;
    enum Dtype dt = d->t->dt;
    double eps = dtype_eps(dt), grid = eps > 0 ? eps / 2 : 0x1p-53;
    int power;
    frexp(grid, &power); /* grid = 2^(power - 1) */
    int drop = 64 + power - 1;
    uint64_t w[2 * Batch];
    double v[2 * Batch];
    for (int64_t k = lo; k < hi; k++) {
        rng_words(d->r, (uint64_t)k * Batch, w);
        for (int i = 0; i < 2 * Batch; i++) {
            double x = d->a + (d->b - d->a) * ((double)(int64_t)(w[i] >> drop) * grid);
            v[i] = x < d->b && (eps == 0 || dtype_round(dt, x) < d->b) ? x : d->a;
        }
        draw_store(d, k * 2 * Batch, v);
    }
}

void rng_uniform(Rng *r, Tensor *t, double lo, double hi)
{
    rng_draw(&(Draw){.r = r, .t = t, .a = lo, .b = hi}, uniform_piece, r);
}

/* The upper half of a * b: a uniform 64-bit word scaled to [0, b). */
static uint64_t mulhi(uint64_t a, uint64_t b)
{
    uint64_t al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    uint64_t mid = ah * bl + (al * bl >> 32), mid2 = al * bh + (mid & 0xffffffffu);
    return ah * bh + (mid >> 32) + (mid2 >> 32);
}

static void int_piece(void *ud, int64_t lo, int64_t hi)
{
    const Draw *d = ud;
    uint64_t w[2 * Batch];
    int64_t v[2 * Batch];
    for (int64_t k = lo; k < hi; k++) {
        int64_t at = k * 2 * Batch;
        rng_words(d->r, (uint64_t)k * Batch, w);
        for (int i = 0; i < 2 * Batch; i++)
            v[i] = (int64_t)((uint64_t)d->lo + mulhi(w[i], d->range));
        dtype_storein(d->t->dt, storage_write(d->t->st), d->t->offset + at, batch_size(d, at), v);
    }
}

void rng_int(Rng *r, Tensor *t, int64_t lo, int64_t hi)
{
    rng_draw(&(Draw){.r = r, .t = t, .lo = lo, .range = (uint64_t)hi - (uint64_t)lo}, int_piece, r);
}
