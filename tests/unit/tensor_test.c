/* tests/unit/tensor_test.c: strides, views, copies, random numbers, comparing:
 * what Lua programs cannot look at directly. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tensor/ref.h"

static int bad;

#define CHECK(cond, ...)                                                       \
    do {                                                                       \
        if (!(cond) && bad++ < 20) {                                           \
            printf("%s:%d: ", __FILE__, __LINE__);                             \
            printf(__VA_ARGS__);                                               \
            printf("\n");                                                      \
        }                                                                      \
    } while (0)

#define SHAPE(...) (const int64_t[]){__VA_ARGS__}
#define AT(...)    (const int64_t[]){__VA_ARGS__}

static uint64_t state = 88172645463325252u;

static int64_t below(int64_t n) /* xorshift64 */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)n);
}

/* A tensor of 0, 1, 2, ... */
static void count_up(Tensor *t, enum Dtype dt, int ndim, const int64_t *shape)
{
    CHECK(tensor_new(t, dt, ndim, shape), "no memory");
    for (int64_t i = 0; i < tensor_count(t); i++)
        dtype_storei(dt, t->st->data, i, i);
}

/* The flat place of t's k-th element in row-major order, by division. */
static int64_t nth(const Tensor *t, int64_t k)
{
    int64_t at = t->offset;
    for (int d = t->ndim - 1; d >= 0; d--) {
        at += k % t->shape[d] * t->stride[d];
        k /= t->shape[d];
    }
    return at;
}

static void shapes(void)
{
    Tensor t;
    CHECK(!tensor_new(&t, DTf32, 2, SHAPE((int64_t)1 << 40, 1 << 20)), "absurd size");
    CHECK(!tensor_new(&t, DTf32, 2, SHAPE(INT64_MAX, 0)), "absurd extent beside 0");
    CHECK(!tensor_new(&t, DTf32, 1, SHAPE(-1)), "negative extent");
    CHECK(tensor_new(&t, DTi4, 1, SHAPE(5)) && tensor_bytes(DTi4, 5) == 3, "packed bytes");
    tensor_free(&t);
    CHECK(tensor_new(&t, DTf64, 0, NULL) && tensor_count(&t) == 1, "a scalar");
    tensor_set(&t, NULL, 2.5);
    CHECK(tensor_get(&t, NULL) == 2.5 && tensor_compact(&t), "its value");
    tensor_free(&t);
    CHECK(tensor_new(&t, DTf32, 3, SHAPE(2, 0, 3)) && tensor_count(&t) == 0, "an empty one");
    tensor_free(&t);
}

/* Random chains of views: every element must be where division says, and
 * copies, rows and reshapes must agree with it. */
static void views(void)
{
    for (int round = 0; round < 3000; round++) {
        Tensor base, t, copy;
        int64_t shape[4] = {1 + below(4), 1 + below(5), 1 + below(4), 1 + below(6)};
        enum Dtype dt = below(4) == 0 ? DTi4 : below(2) ? DTi32 : DTf16;
        count_up(&base, dt, 1 + (int)below(4), shape);
        tensor_view(&t, &base);
        for (int64_t steps = below(4); steps > 0; steps--) {
            int d = t.ndim ? (int)below(t.ndim) : 0, e = t.ndim ? (int)below(t.ndim) : 0;
            int perm[TensorDims];
            for (int i = 0; i < t.ndim; i++)
                perm[i] = i == d ? e : i == e ? d : i;
            switch (below(5)) {
            case 0:
                if (t.ndim)
                    tensor_permute(&t, perm);
                break;
            case 1:
                if (t.ndim && t.shape[d] > 1)
                    tensor_narrow(&t, d, 1, t.shape[d]);
                break;
            case 2:
                if (t.ndim > 1)
                    tensor_select(&t, d, below(t.shape[d]));
                break;
            case 3:
                if (t.ndim < 6)
                    tensor_unsqueeze(&t, d);
                break;
            default: {
                int64_t to[TensorDims];
                for (int i = 0; i < t.ndim; i++)
                    to[i] = t.shape[i] == 1 ? 1 + below(3) : t.shape[i];
                tensor_expand(&t, t.ndim, to);
            }
            }
        }
        int64_t n = tensor_count(&t), seen = 0;
        Rows r;
        for (rows_start(&r, 1, (const Tensor *[]){&t}); rows_next(&r);)
            for (int64_t k = 0; k < r.n; k++, seen++)
                CHECK(r.at[0] + k * r.step[0] == nth(&t, seen), "rows, element %d", (int)seen);
        CHECK(seen == n, "rows gave %d of %d", (int)seen, (int)n);
        CHECK(tensor_clone(&copy, &t, DTi32), "no memory");
        for (int64_t k = 0; k < n; k++)
            CHECK(dtype_loadi(DTi32, copy.st->data, k) ==
                      dtype_loadi(t.dt, t.st->data, nth(&t, k)), "clone, element %d", (int)k);
        Tensor flat = t;
        if (tensor_reshape(&flat, 1, &n))
            for (int64_t k = 0; k < n; k++)
                CHECK(nth(&flat, k) == nth(&t, k), "reshape, element %d", (int)k);
        int64_t two[2] = {t.ndim ? n / t.shape[t.ndim - 1] : 1, t.ndim ? t.shape[t.ndim - 1] : 1};
        flat = t;
        if (tensor_reshape(&flat, 2, two))
            for (int64_t k = 0; k < n; k++)
                CHECK(nth(&flat, k) == nth(&t, k), "reshape to 2-D, element %d", (int)k);
        CHECK(tensor_reshape(&copy, 1, &n), "a compact tensor reshapes");
        tensor_free(&copy);
        tensor_free(&t);
        tensor_free(&base);
    }
}

static void overlap(void)
{
    Tensor t, lo, hi;
    count_up(&t, DTi32, 1, SHAPE(1000));
    tensor_view(&lo, &t);
    tensor_view(&hi, &t);
    tensor_narrow(&lo, 0, 0, 999);
    tensor_narrow(&hi, 0, 1, 1000);
    CHECK(tensor_copy(&hi, &lo), "no memory");
    for (int64_t i = 1; i < 1000; i++)
        CHECK(tensor_geti(&t, &i) == i - 1, "overlapping copy at %d", (int)i);
    tensor_free(&lo);
    tensor_free(&hi);
    tensor_free(&t);
}

/* Known answers of the authors' distribution (Random123, kat_vectors). */
static void philox(void)
{
    static const uint32_t kat[][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
         0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
         0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    for (size_t i = 0; i < COUNT(kat); i++) {
        uint32_t c[4];
        memcpy(c, kat[i], sizeof c);
        philox4x32(c, kat[i] + 4);
        CHECK(memcmp(c, kat[i] + 6, sizeof c) == 0, "known answer %d", (int)i);
    }
}

/* Bits that must never change: programs are compared across machines. */
static void fixed_bits(void)
{
    Tensor t;
    Rng r = {0, 0};
    tensor_new(&t, DTf64, 1, SHAPE(4));
    rng_normal(&r, &t, 0, 1);
    static const double normal[] = {-0x1.f1bcd549837c2p-4, -0x1.599bbd8a9eda7p+0,
                                    -0x1.4f5b54df97ef4p-4, -0x1.c81bafe55414cp-3};
    for (int64_t i = 0; i < 4; i++)
        CHECK(tensor_get(&t, &i) == normal[i], "normal %d is %a", (int)i, tensor_get(&t, &i));
    CHECK(r.draw == 1, "each call is a draw");
    tensor_free(&t);
}

static void moments(enum Dtype dt)
{
    enum { N = 1 << 18 };
    Tensor t;
    Rng r = {42, 7};
    double sum = 0, square = 0, fourth = 0, low = 1, high = 0;
    tensor_new(&t, dt, 1, SHAPE(N));
    rng_normal(&r, &t, 0, 1);
    for (int64_t i = 0; i < N; i++) {
        double x = tensor_get(&t, &i);
        sum += x;
        square += x * x;
        fourth += x * x * x * x;
    }
    CHECK(fabs(sum / N) < 0.01 && fabs(square / N - 1) < 0.02 && fabs(fourth / N - 3) < 0.1,
          "%s normal: mean %g variance %g fourth %g", dtypeinfo[dt].name, sum / N, square / N,
          fourth / N);
    rng_uniform(&r, &t, 0, 1);
    for (int64_t i = 0; i < N; i++) {
        double x = tensor_get(&t, &i);
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    CHECK(low >= 0 && high < 1, "%s uniform: %g to %g", dtypeinfo[dt].name, low, high);
    rng_uniform(&r, &t, -2, 3);
    for (int64_t i = 0; i < N; i++)
        CHECK(tensor_get(&t, &i) >= -2 && tensor_get(&t, &i) < 3, "uniform in [-2, 3)");
    tensor_free(&t);
}

static void integers(void)
{
    enum { N = 50000 };
    Tensor t;
    Rng r = {1, 0};
    int count[5] = {0};
    tensor_new(&t, DTi8, 1, SHAPE(N));
    rng_int(&r, &t, -2, 3);
    for (int64_t i = 0; i < N; i++) {
        int64_t v = tensor_geti(&t, &i);
        CHECK(v >= -2 && v < 3, "integer in [-2, 3)");
        count[v + 2]++;
    }
    for (int i = 0; i < 5; i++)
        CHECK(abs(count[i] - N / 5) < 500, "%d drawn %d times", i - 2, count[i]);
    tensor_free(&t);
}

/* The greatest value and index of a line, NaN first, and ties. */
static void reductions(void)
{
    Tensor x, out;
    static const double v[2][4] = {{1, 9, 9, -3}, {1, NAN, 9, NAN}};
    tensor_new(&x, DTf32, 2, SHAPE(2, 4));
    for (int64_t i = 0; i < 8; i++)
        dtype_store(DTf32, x.st->data, i, v[i / 4][i % 4]);
    tensor_new(&out, DTf64, 1, SHAPE(2));
    ref_reduce(R_argmax, &out, &x, 1);
    CHECK(tensor_get(&out, AT(0)) == 1 && tensor_get(&out, AT(1)) == 1, "argmax");
    ref_reduce(R_max, &out, &x, 1);
    CHECK(tensor_get(&out, AT(0)) == 9 && isnan(tensor_get(&out, AT(1))), "max");
    ref_reduce(R_min, &out, &x, 1);
    CHECK(tensor_get(&out, AT(0)) == -3 && isnan(tensor_get(&out, AT(1))), "min");
    tensor_free(&out);
    tensor_free(&x);
}

/* The pattern found when got is f of what was wanted. */
static enum Pattern pattern_of(double (*f)(int64_t i, int64_t j, double want), Compare *c)
{
    enum { M = 64, N = 96 };
    Tensor got, want;
    tensor_new(&got, DTf32, 2, SHAPE(M, N));
    tensor_new(&want, DTf64, 2, SHAPE(M, N));
    for (int64_t i = 0; i < M; i++)
        for (int64_t j = 0; j < N; j++) {
            double w = 1 + (double)(i * N + j) / 16;
            tensor_set(&want, AT(i, j), w);
            tensor_set(&got, AT(i, j), f(i, j, w));
        }
    CHECK(compare(c, &got, &want, 1e-6, 1e-6), "no memory");
    tensor_free(&got);
    tensor_free(&want);
    return c->pattern;
}

static double right(int64_t i, int64_t j, double w) { return (void)i, (void)j, w; }
static double zeros(int64_t i, int64_t j, double w) { return (void)i, (void)j, 0 * w; }
static double twice(int64_t i, int64_t j, double w) { return (void)i, (void)j, 2 * w; }
static double lastcol(int64_t i, int64_t j, double w) { return (void)i, j % 16 == 15 ? 0 : w; }
static double lastrow(int64_t i, int64_t j, double w) { return (void)j, i % 32 == 31 ? 0 : w; }
static double oddrows(int64_t i, int64_t j, double w) { return (void)j, i % 2 ? -w : w; }
static double block(int64_t i, int64_t j, double w) { return i < 32 && j < 32 ? w : 0; }
static double beyond(int64_t i, int64_t j, double w) { return (void)i, j < 80 ? w : 0; }
static double last(int64_t i, int64_t j, double w) { return i == 63 && j == 95 ? NAN : w; }

static void comparing(void)
{
    Compare c;
    CHECK(pattern_of(right, &c) == Pnone && c.bad == 0 && c.maxabs == 0, "equal tensors");
    CHECK(pattern_of(zeros, &c) == Pzeros && c.bad == c.count, "zeros");
    CHECK(pattern_of(twice, &c) == Pscaled && c.factor == 2, "scaled");
    CHECK(pattern_of(lastcol, &c) == Plastcol && c.p[0] == 16, "last column of tiles");
    CHECK(pattern_of(lastrow, &c) == Plastrow && c.p[0] == 32, "last row of tiles");
    CHECK(pattern_of(oddrows, &c) == Peveryrow && c.p[0] == 1 && c.p[2] == 2, "odd rows");
    CHECK(pattern_of(block, &c) == Pfirstblock && c.p[0] == 32 && c.p[1] == 32, "first block");
    CHECK(pattern_of(beyond, &c) == Ptailcol && c.p[0] == 80, "the partial tile");
    CHECK(pattern_of(last, &c) == Ptailcol || c.pattern == Pnone, "a single one");
    CHECK(c.bad == 1 && c.nan == 1 && c.first[0] == 63 && c.first[1] == 95, "its place");
    CHECK(c.map_rows == 16 && c.map_cols == 24 && c.map[15][23] == 'x' && c.map[0][0] == '.',
          "the map");
}

/* NaN is never close, equal infinities are, tolerances add up. */
static void tolerance(void)
{
    static const struct {
        double got, want;
        bool good;
    } v[] = {
        {1, 1, true},         {NAN, NAN, false},       {NAN, 1, false}, {1, NAN, false},
        {HUGE_VAL, HUGE_VAL, true}, {HUGE_VAL, -HUGE_VAL, false}, {1, HUGE_VAL, false},
        {HUGE_VAL, 1, false}, {1.01, 1, true},         {1.03, 1, false}, {0.01, 0, true},
        {0.011, 0, false},    {-1.02, -1, true},
    };
    for (size_t i = 0; i < COUNT(v); i++) {
        Tensor a, b;
        Compare c;
        tensor_new(&a, DTf64, 0, NULL);
        tensor_new(&b, DTf64, 0, NULL);
        tensor_set(&a, NULL, v[i].got);
        tensor_set(&b, NULL, v[i].want);
        CHECK(compare(&c, &a, &b, 0.01 + 1e-12, 0.01), "no memory");
        CHECK((c.bad == 0) == v[i].good, "%g against %g", v[i].got, v[i].want);
        tensor_free(&a);
        tensor_free(&b);
    }
}

int main(void)
{
    shapes();
    views();
    overlap();
    philox();
    fixed_bits();
    moments(DTf16);
    moments(DTbf16);
    moments(DTf32);
    moments(DTf64);
    integers();
    reductions();
    comparing();
    tolerance();
    if (bad)
        printf("tensor: %d failures\n", bad);
    return bad != 0;
}
