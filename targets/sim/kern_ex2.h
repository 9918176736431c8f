/* targets/sim/kern_ex2.h: powers as NVIDIA's cards make them, bit for bit, a part of kern_math.h.
 *
 * ex2.approx is a table of 64 parabolas.  A number is cut to a fixed point with 23 digits behind
 * it; a negative one that is not whole then becomes its ones' complement.  Of those 23 digits six
 * choose a row and 17 are l:
 *
 *     2^23 * 2^(row/64 + l/2^23) = floor(c0/4 + 6114/2^15 + c1*l/2^15 + c2*s/2^15)
 *
 * s is l*l / 2^19 of a squarer that leaves out all products of digits below 2^19.  Row widths,
 * digits left out and the constant were found from all 2^23 results of an H200; unit/sim_ex2 holds
 * a hash of them, and results over the whole range.  expf and exp10f are what CUDA's compiler
 * makes of them: the power of a remainder, times a power of two. */
static const uint32_t ex2_c0[64] = {
    33554435, 33919818, 34289182, 34662565, 35040018, 35421577, 35807292, 36197209,
    36591372, 36989825, 37392616, 37799797, 38211409, 38627504, 39048131, 39473337,
    39903173, 40337690, 40776937, 41220970, 41669836, 42123592, 42582286, 43045977,
    43514717, 43988561, 44467565, 44951786, 45441278, 45936101, 46436314, 46941971,
    47453135, 47969867, 48492225, 49020269, 49554065, 50093674, 50639159, 51190582,
    51748011, 52311510, 52881146, 53456983, 54039091, 54627538, 55222393, 55823725,
    56431607, 57046106, 57667297, 58295254, 58930048, 59571754, 60220447, 60876205,
    61539104, 62209220, 62886634, 63571424, 64263672, 64963458, 65670863, 66385972,
};
/* c1 and c2, 16 bits each. */
static const uint32_t ex2_c12[64] = {
    0x58b901ee, 0x59b001f5, 0x5aaa01fa, 0x5ba701ff, 0x5ca60206, 0x5da90209, 0x5eae020f, 0x5fb60214,
    0x60c0021d, 0x61ce0222, 0x62df0227, 0x63f2022f, 0x65090234, 0x66230238, 0x673f0241, 0x685f0247,
    0x6982024d, 0x6aa80254, 0x6bd20258, 0x6cfe0261, 0x6e2e0267, 0x6f61026e, 0x70980273, 0x71d20279,
    0x730f0281, 0x74500287, 0x7594028f, 0x76dc0295, 0x7827029e, 0x797602a5, 0x7ac802ae, 0x7c1f02b3,
    0x7d7902bb, 0x7ed702c1, 0x803802cb, 0x819e02d1, 0x830702da, 0x847402e3, 0x85e502ec, 0x875b02f1,
    0x88d402fb, 0x8a510305, 0x8bd3030b, 0x8d590313, 0x8ee3031c, 0x90710326, 0x9204032d, 0x939b0336,
    0x95360341, 0x96d6034a, 0x987b0351, 0x9a24035a, 0x9bd10366, 0x9d84036d, 0x9f3b0377, 0xa0f70380,
    0xa2b7038d, 0xa47d0395, 0xa648039d, 0xa81703aa, 0xa9ec03b2, 0xabc503bf, 0xada403c9, 0xaf8803d4,
};

/* v where l's digit i is 1, else 0 */
static inline uint32_t ex2_where(uint32_t l, int i, uint32_t v)
{
    return (uint32_t)((int32_t)(l << (31 - i)) >> 31) & v;
}

/* l*l / 2^19, of 17 digits: upper times upper, and of each upper digit's products with the lower
 * ten what reaches 2^19. */
static inline uint32_t ex2_square(uint32_t l)
{
    uint32_t hi = l >> 10, lo = l & 0x3ff;
    uint32_t s = 2 * hi * hi + ex2_where(l, 16, lo >> 2) + ex2_where(l, 15, lo >> 3) + ex2_where(l, 14, lo >> 4);
    s += ex2_where(l, 13, lo >> 5) + ex2_where(l, 12, lo >> 6) + ex2_where(l, 11, lo >> 7);
    return s + ex2_where(l, 10, lo >> 8);
}

/* 2^23 * 2^(f/2^23) of a row, f's digits l and their square.  c1 * l has 33 digits: it is cut in
 * two, to stay in words. */
static inline uint32_t ex2_parabola(uint32_t c0, uint32_t c12, uint32_t l, uint32_t square)
{
    uint32_t c1 = c12 >> 16, c2 = c12 & 0xffff, upper = c1 * (l >> 2);
    uint32_t lower = c1 * (l & 3) + c2 * square + ((c0 & 3) << 13) + 6114;
    return (c0 >> 2) + (upper >> 13) + (((upper & 0x1fff) * 4 + lower) >> 15);
}

static inline uint32_t ex2_row(int32_t f) { return (uint32_t)f >> 17 & 63; }
static inline uint32_t ex2_rest(int32_t f) { return (uint32_t)f & 0x1ffff; }
static inline uint32_t ex2_exponent(int32_t f) { return (uint32_t)((f >> 23) + 126) << 23; }

/* The fixed point of x, |x| <= 200. */
static inline int32_t ex2_fixed(float x)
{
    int32_t t = (int32_t)(x * 0x1p23f);
    return t - (t < 0 && (t & 0x7fffff) != 0);
}

/* 2^(f/2^23) where that is a normal number. */
static inline uint32_t ex2_normal(int32_t f)
{
    uint32_t row = ex2_row(f), l = ex2_rest(f);
    return ex2_exponent(f) + ex2_parabola(ex2_c0[row], ex2_c12[row], l, ex2_square(l));
}

/* ex2.approx.ftz.f32: results below the least normal number are 0. */
static inline float ex2_ftz_f32(float x)
{
    int32_t f = ex2_fixed(within_f32(x, 200.0f)), n = f >> 23;
    uint32_t y = n < -126 ? 0 : ex2_normal(f);
    y = n > 127 ? 0x7f800000 : y;
    return x == x ? f32_bits(y) : x;
}

/* ex2.approx.f32: small results are squares of the half's. */
static inline float ex2_f32(float x)
{
    int small = x < -126.0f;
    float y = ex2_ftz_f32(small ? x * 0.5f : x);
    return small ? y * y : y;
}

/* A base b: beyond `most`, about 152 / log2(b), its powers are infinite or 0; step is log2(b) / 252,
 * and hi + lo log2(b). */
typedef struct Base Base;
struct Base { float most, step, hi, lo; };

static const Base base_e = {105.5f, 0x1.77313ap-8f, 0x1.715476p+0f, 0x1.4ae0cp-26f},
                  base_10 = {45.8f, 0x1.aff4c4p-7f, 0x1.a934fp+1f, 0x1.2f346ep-24f};

/* b^y = 2^n 2^r, n = y * log2(b) to an integer, from -126 to 126: gives 2^n, and r's fixed point; 2^r
 * is normal.  The product with 252 is rounded down. */
static inline float power_split(const Base *b, float y, int32_t *r)
{
    float x = within_f32(y, b->most), t = fma_f32(x, b->step, 0.5f);
    int32_t j = (int32_t)(t * 252.0f);
    j += (int32_t)bits_f32(fma_f32(t, 252.0f, -(float)j)) >> 31; /* it was rounded up */
    j = j > 0 ? j : 0;
    j = j < 252 ? j : 252;
    *r = ex2_fixed(fma_f32(x, b->lo, fma_f32(x, b->hi, (float)(126 - j))));
    return f32_bits((uint32_t)(j + 1) << 23);
}

static inline float power_f32(const Base *b, float x)
{
    int32_t r;
    float n = power_split(b, x, &r), p = f32_bits(ex2_normal(r)) * n;
    return x == x ? p : x;
}

static inline float exp_f32(float x) { return power_f32(&base_e, x); }

static inline float exp10_f32(float x) { return power_f32(&base_10, x); }
