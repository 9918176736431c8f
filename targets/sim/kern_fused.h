/* targets/sim/kern_fused.h: matrix products as matrix units sum them (MmaSum in
 * core/layout/machine.h), a part of kern_loops.h.
 *
 * Terms of a sum are an accumulator and exact products.  Each is cut to a multiple of one
 * unit, which hangs on the greatest of their exponents; so the sum is one of integers, eight
 * columns at a time.  A float product is exact, and so is its scaling by a power of two,
 * as long as exponents stay within Least .. Most; sums beyond, infinities and NaN are those
 * of fused_one(), which says once more, and slowly, what is meant. */
enum {
    Least = -100, Most = 120, /* exponents that the vectors can do */
    Nothing = -4096,          /* of zero: it decides nothing.  A sum of two is below .. */
    Nowhere = -3000,          /* .. this, */
    Special = 16384,          /* and infinities and NaN end above Most */
    Widest = 25, AtOnce = 8,  /* products of so many bits and two that an int32 can sum, and C */
    FusedNaN = 0x7fffffff
};

/* Where the leading place of x stands; that of subnormals of its type is `least`. */
static inline int32_t exponent_of(float x, int32_t least)
{
    uint32_t a = bits_f32(x) & 0x7fffffff;
    int32_t e = (int32_t)(a >> 23) - 127;
    e = e < least ? least : e;
    e = a >= 0x7f800000 ? Special : e;
    return a ? e : Nothing;
}

static void exponents(const float *x, int32_t least, int32_t *e, int64_t n)
{
    EACH_LANE e[k] = exponent_of(x[k], least);
}

/* x as an integer of 24 bits at *e: x = m * 2^*e. */
static inline int64_t whole(float x, int *e)
{
    int64_t m = (int64_t)(frexpf(x, e) * 0x1p24f);
    *e -= 24;
    return m;
}

/* m * 2^e, cut towards zero; |m| < 2^48 and no bit leaves at the top (0 may have any e). */
static inline int64_t cut(int64_t m, int e)
{
    if (m == 0)
        return 0;
    int64_t a = m < 0 ? -m : m;
    a = e >= 0 ? a << e : e > -63 ? a >> -e : 0;
    return m < 0 ? -a : a;
}

/* x, which is exact, as C's type has it. */
static float fused_round(const KernFused *f, double x)
{
    if (x == 0)
        return 0;
    if (f->half)
        return round_f16(f64_odd(x)) + 0.0f; /* what is rounded away is +0 */
    int e = ilogb(x), place = (e < f->cmin ? f->cmin : e) - f->places;
    if (e > 127)
        return x < 0 ? -INFINITY : INFINITY;
    return (float)ldexp(trunc(ldexp(x, -place)), place) + 0.0f;
}

/* What infinities and NaN among the terms make of their sum; else 0. */
static float fused_special(int g, const float *a, int ak, const float *b, int bk, float c)
{
    float s = isfinite(c) ? 0 : c;
    for (int k = 0; k < g; k++)
        if (!isfinite(a[k * ak]) || !isfinite(b[k * bk]))
            s += a[k * ak] * b[k * bk];
    return s == s ? s : f32_bits(FusedNaN);
}

/* One element: c + a * b over g values of k. */
static float fused_one(const KernFused *f, int g, const float *a, int ak, const float *b, int bk,
                       float c)
{
    float special = fused_special(g, a, ak, b, bk, c);
    if (special != 0)
        return special;
    int32_t most = exponent_of(c, f->cmin);
    for (int k = 0; k < g; k++) {
        int32_t e = exponent_of(a[k * ak], f->amin) + exponent_of(b[k * bk], f->bmin);
        most = e > most ? e : most;
    }
    if (most < Nowhere)
        return 0;
    int ea, eb, unit = most - f->bits;
    int64_t m = whole(c, &ea), sum = cut(m, ea - unit);
    for (int k = 0; k < g; k++) {
        m = whole(a[k * ak], &ea) * whole(b[k * bk], &eb);
        sum += cut(m, ea + eb - unit);
    }
    return fused_round(f, ldexp((double)sum, unit));
}

#ifdef VECTOR
/* Vectors go from function to function by address: by value they are no matter of every
 * processor's calling convention. */
typedef int32_t IRow VECTOR(32);
typedef uint32_t URow VECTOR(32);
typedef double DRow VECTOR(32);
typedef int64_t LRow VECTOR(32);
typedef int32_t IHalf VECTOR(16);
typedef float FHalf VECTOR(16);
#define ALL(v)          ((IRow){0} + (v))
#define EITHER(m, x, y) (((x) & (m)) | ((y) & ~(m)))

/* A block of 8 x 8 elements, and its operands: a and ea at [row * am + k * ak], b and eb at
 * [k * n + column]. */
typedef struct FusedBlock FusedBlock;
struct FusedBlock {
    const float *a, *b;
    const int32_t *ea, *eb;
    int am, ak, n;
};

/* Eight sums of integers. */
typedef struct FusedSum FusedSum;
struct FusedSum { DRow lo, hi; };

static inline void row_exponents(const Row *x, int32_t least, IRow *out)
{
    IRow a, e;
    memcpy(&a, x, sizeof a);
    a &= 0x7fffffff;
    e = (a >> 23) - 127;
    e = EITHER(e < least, ALL(least), e);
    e = EITHER(a >= 0x7f800000, ALL(Special), e);
    *out = EITHER(a == 0, ALL(Nothing), e);
}

static inline void greater(IRow *most, const IRow *e)
{
#if defined(KERN_AVX2)
    *most = (IRow)_mm256_max_epi32((__m256i)*most, (__m256i)*e); /* which compilers do not see */
#else
    *most = EITHER(*e > *most, *e, *most);
#endif
}

static inline void widen(FusedSum *s, const IRow *x)
{
    IHalf part[2];
    memcpy(part, x, sizeof part);
    s->lo += __builtin_convertvector(part[0], DRow);
    s->hi += __builtin_convertvector(part[1], DRow);
}

/* Four sums times their unit, with C's places: cut, or (half) rounded to odd. */
static inline void fused_four(const KernFused *f, const DRow *s, const FHalf *unit, FHalf *out)
{
    LRow u, low = (LRow){0} + (((int64_t)1 << (52 - f->places)) - 1);
    memcpy(&u, s, sizeof u);
    LRow lost = (u & low) != 0;
    u &= ~low;
    if (f->half)
        u |= lost & (low + 1);
    DRow d;
    memcpy(&d, &u, sizeof d);
    *out = __builtin_convertvector(d * __builtin_convertvector(*unit, DRow), FHalf);
}

/* The sums, in units of 2^(most - bits). */
static inline void fused_eight(const KernFused *f, const FusedSum *s, const IRow *most, Row *out)
{
    IRow bits = (*most - f->bits + 127) << 23;
    FHalf unit[2], x[2];
    memcpy(unit, &bits, sizeof unit);
    fused_four(f, &s->lo, &unit[0], &x[0]);
    fused_four(f, &s->hi, &unit[1], &x[1]);
    memcpy(out, x, sizeof x);
    for (int q = 0; f->half && q < 8; q++)
        (*out)[q] = round_f16((*out)[q]) + 0.0f;
}

/* Makes the greatest exponent 0 where all terms are zero; bad: those that vectors cannot do. */
static inline void bound(IRow *most, IRow *bad)
{
    *most &= ~(*most < Nowhere);
    *bad = (*most < Least) | (*most > Most);
}

static inline bool any(const IRow *row)
{
    uint64_t u[4];
    memcpy(u, row, sizeof u);
    return (u[0] | u[1] | u[2] | u[3]) != 0;
}

/* The greatest exponents among the terms of each sum. */
static void greatest(const KernFused *f, const FusedBlock *z, int k0, const Row *x, IRow *most)
{
    for (int r = 0; r < 8; r++)
        row_exponents(&x[r], f->cmin, &most[r]);
    for (int k = k0; k < k0 + f->group; k++) {
        IRow eb;
        memcpy(&eb, z->eb + k * z->n, sizeof eb);
        for (int r = 0; r < 8; r++) {
            IRow e = eb + z->ea[r * z->am + k * z->ak];
            greater(&most[r], &e);
        }
    }
}

/* part[row] += the products of k0 <= k < end, each cut to its unit.  Added without
   a sign: rows with a `bad` one may wrap here, their sums are not used. */
static void sum_some(const FusedBlock *z, int k0, int end, const Row *scale, URow *part)
{
    for (int k = k0; k < end; k++) {
        Row b;
        memcpy(&b, z->b + k * z->n, sizeof b);
        for (int r = 0; r < 8; r++)
            part[r] += (URow)__builtin_convertvector(b * z->a[r * z->am + k * z->ak] * scale[r],
                                                     IRow);
    }
}

/* The sums of a whole group, which an int32 holds, cut to C's places: the float next to one is
 * moved where it is greater. */
static inline void fused_short(const KernFused *f, const URow *sum, const IRow *most, Row *out)
{
    IRow s = (IRow)*sum, sign = s >> 31, bits = (*most - f->bits + 127) << 23, u;
    URow a = (*sum ^ (URow)sign) - (URow)sign;
    Row x = __builtin_convertvector((IRow)a, Row), unit;
    IRow back = __builtin_convertvector(x, IRow);
    memcpy(&u, &x, sizeof u);
    u += back > (IRow)a;
    u &= (int32_t)(UINT32_MAX << (23 - f->places));
    memcpy(&x, &u, sizeof x);
    memcpy(&unit, &bits, sizeof unit);
    x *= unit;
    memcpy(&u, &x, sizeof u);
    u |= sign & INT32_MIN;
    memcpy(out, &u, sizeof u);
}

/* The same for a group of any size. */
static void fused_long(const KernFused *f, const FusedBlock *z, int k0, const Row *scale,
                       const IRow *most, URow *part, Row *x)
{
    FusedSum s[8] = {{{0}, {0}}};
    for (int k = k0, end = k0 + f->group; k < end; k += AtOnce) {
        sum_some(z, k, k + AtOnce < end ? k + AtOnce : end, scale, part);
        for (int r = 0; r < 8; r++) {
            IRow whole = (IRow)part[r];
            widen(&s[r], &whole);
            part[r] = (URow){0};
        }
    }
    for (int r = 0; r < 8; r++)
        fused_eight(f, &s[r], &most[r], &x[r]);
}

/* x[row] += a * b over the group of k from k0 on. */
static void fused_group(const KernFused *f, const FusedBlock *z, int k0, Row *x)
{
    IRow most[8];
    Row scale[8], was[8];
    URow part[8];
    IRow bad[8], some = {0};
    greatest(f, z, k0, x, most);
    for (int r = 0; r < 8; r++) {
        bound(&most[r], &bad[r]);
        some |= bad[r];
        IRow bits = (f->bits - most[r] + 127) << 23;
        memcpy(&scale[r], &bits, sizeof bits);
        part[r] = (URow)__builtin_convertvector(x[r] * scale[r], IRow);
        was[r] = x[r];
    }
    if (f->group << f->bits <= AtOnce << Widest && !f->half) {
        sum_some(z, k0, k0 + f->group, scale, part);
        for (int r = 0; r < 8; r++)
            fused_short(f, &part[r], &most[r], &x[r]);
    } else {
        fused_long(f, z, k0, scale, most, part, x);
    }
    for (int r = 0; any(&some) && r < 8; r++)
        for (int q = 0; any(&bad[r]) && q < 8; q++)
            x[r][q] = fused_one(f, f->group, z->a + r * z->am + k0 * z->ak, z->ak,
                                z->b + k0 * z->n + q, z->n, was[r][q]);
}

/* c + x, rounded to nearest, as adders do it. */
static inline void apart_sum(Row *c, const Row *x)
{
    Row s = *c + *x;
    IRow bad = s != s, u;
    memcpy(&u, &s, sizeof u);
    u = EITHER(bad, ALL(FusedNaN), u);
    memcpy(c, &u, sizeof u);
}

static void product_fused(const KernFused *f, int m, int n, int kk, const float *a, int am, int ak,
                          const float *b, float *c, int32_t *room)
{
    exponents(a, f->amin, room, (int64_t)m * kk);
    exponents(b, f->bmin, room + m * kk, (int64_t)kk * n);
    for (int j = 0; j < n; j += 8)
        for (int i = 0; i < m; i += 8) {
            FusedBlock z = {a + i * am, b + j, room + i * am, room + m * kk + j, am, ak, n};
            Row x[8], was[8];
            for (int r = 0; r < 8; r++)
                memcpy(&was[r], c + (i + r) * n + j, sizeof *was);
            for (int r = 0; r < 8; r++)
                x[r] = f->apart ? (Row){0} : was[r];
            for (int k = 0; k < kk; k += f->group)
                fused_group(f, &z, k, x);
            for (int r = 0; r < 8 && f->apart; r++)
                apart_sum(&was[r], &x[r]);
            for (int r = 0; r < 8; r++)
                memcpy(c + (i + r) * n + j, f->apart ? &was[r] : &x[r], sizeof *x);
        }
}
#else
static void product_fused(const KernFused *f, int m, int n, int kk, const float *a, int am, int ak,
                          const float *b, float *c, int32_t *room)
{
    (void)room;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float *d = c + i * n + j, x = f->apart ? 0 : *d;
            for (int k = 0; k < kk; k += f->group)
                x = fused_one(f, f->group, a + i * am + k * ak, ak, b + k * n + j, n, x);
            *d = f->apart ? *d + x : x;
            *d = *d == *d ? *d : f32_bits(FusedNaN);
        }
}
#endif
