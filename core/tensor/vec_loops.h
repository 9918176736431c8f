/* core/tensor/vec_loops.h: the loops of vec.h, included by vec_*.c with
 *     TABLE    what declares the table, up to its =
 *     BYTES    of a vector
 *     ROWS, VECTORS    a block of a product: ROWS rows, VECTORS vectors of columns
 *     VEC_MADD(c, b, a)    c + b * a of two vectors and a number, if it can be fused
 * Written without branches, so that the compiler makes vector code of them. */

static uint64_t vec_bits(double v)
{
    uint64_t b;
    memcpy(&b, &v, sizeof b);
    return b;
}

static double vec_from(uint64_t b)
{
    double v;
    memcpy(&v, &b, sizeof v);
    return v;
}

/* Exponent and significand of the half, read as the upper ones of a double, are too small by a
 * power of two; that product is exact for subnormals as well. */
static void from_f16(double *d, const uint16_t *s, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        uint64_t h = s[k], m = h & 0x7fff;
        uint64_t v = vec_bits(vec_from(m << 42) * 0x1p1008);
        uint64_t top = (uint64_t)0x7ff << 52 | (m & 0x3ff) << 42;
        top |= m > 0x7c00 ? (uint64_t)1 << 51 : 0;
        d[k] = vec_from((h & 0x8000) << 48 | (m >= 0x7c00 ? top : v));
    }
}

static void from_bf16(double *d, const uint16_t *s, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        uint32_t b = (uint32_t)s[k] << 16;
        float f;
        memcpy(&f, &b, sizeof f);
        d[k] = (double)f;
    }
}

/* The significand is cut to `mbits` bits, to even; a carry runs into the exponent.  Below the least
 * normal number the addition of `magic`, whose last place is that of subnormals, rounds. */
static inline uint64_t vec_encode(double v, int mbits, uint64_t bias, double magic, uint64_t inf)
{
    uint64_t u = vec_bits(v), a = u & (UINT64_MAX >> 1);
    uint64_t r = a + (((uint64_t)1 << (51 - mbits)) - 1) + (a >> (52 - mbits) & 1);
    uint64_t normal = (r >> (52 - mbits)) - (bias << mbits);
    uint64_t small = vec_bits(vec_from(a) + magic) - vec_bits(magic);
    uint64_t h = a < (bias + 1) << 52 ? small : normal;
    h = a >= (bias + 1) << 52 && r >= (bias << 52) + (inf << (52 - mbits)) ? inf : h;
    h = a > (uint64_t)0x7ff << 52 ? inf | (uint64_t)1 << (mbits - 1) : h;
    return u >> 63 << 15 | h;
}

static void to_f16(uint16_t *d, const double *s, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        d[k] = (uint16_t)vec_encode(s[k], 10, 1023 - 15, 0x1p28, 0x7c00);
}

static void to_bf16(uint16_t *d, const double *s, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        d[k] = (uint16_t)vec_encode(s[k], 7, 1023 - 127, 0x1p-81, 0x7f80);
}

/* x = n log 2 + r, |r| <= log(2) / 2, and the series of exp(r) to r^13; 2^n goes in by two factors,
 * so that results below the least normal number are right as well. */
static void vec_exp(double *v, int64_t n)
{
    static const double c[] = {
        1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
        1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2,
    };
    for (int64_t i = 0; i < n; i += VecBlock)
        for (int k = 0; k < VecBlock; k++) {
            double x = v[i + k], y = x > 710 ? 710 : x;
            y = y < -750 ? -750 : y;
            double z = y * 1.44269504088896340736 + 0x1.8p52, m = z - 0x1.8p52;
            double r = y - m * 6.93147180369123816490e-01 - m * 1.90821492927058770002e-10;
            double p = c[0];
            for (int j = 1; j < 12; j++)
                p = p * r + c[j];
            p = 1 + (r + r * r * p);
            uint64_t e = vec_bits(z) - vec_bits(0x1.8p52), half = ((e + 4096) >> 1) - 2048;
            p = p * vec_from((half + 1023) << 52) * vec_from((e - half + 1023) << 52);
            v[i + k] = x != x ? x : p;
        }
}

/* Products ------------------------------------------------------------- */

typedef double VecLane __attribute__((vector_size(BYTES), aligned(8), may_alias));
enum { Lanes = BYTES / 8, Cols = VECTORS * Lanes };

#if !defined(VEC_MADD)
#define VEC_MADD(c, b, a) ((c) + (b) * (a))
#endif

static void vec_block(int64_t k, const double *a, const double *b, double *c, int64_t ldc)
{
    VecLane acc[ROWS][VECTORS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < VECTORS; j++)
            acc[i][j] = (VecLane){0};
    for (int64_t p = 0; p < k; p++, a += ROWS, b += Cols)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < VECTORS; j++)
                acc[i][j] = VEC_MADD(acc[i][j], *(const VecLane *)(b + j * Lanes), a[i]);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < VECTORS; j++)
            *(VecLane *)(c + i * ldc + j * Lanes) += acc[i][j];
}

TABLE = {from_f16, from_bf16, to_f16, to_bf16, vec_exp, vec_block, ROWS, Cols};
