/* core/tensor/ref.h: reference operators on host tensors, slow and obviously right,
 * and the comparison of results.  They share no code with the compiler.
 *
 * Inputs have any dtype and strides and are read as float64; every sum is
 * taken in float64, one term after the other; an output is rounded once, to
 * its own dtype.  Shapes have been checked and outputs allocated by the
 * caller.  A function that returns bool is false for lack of memory only. */
#ifndef MOONTILE_REF_H
#define MOONTILE_REF_H

#include "tensor.h"

/* ref_elem.c: one element at a time -------------------------------------- */

/* U(name, expression in x) */
#define UNARY_OPS(U)                                                           \
    U(neg, -x)                                                                 \
    U(abs, fabs(x))                                                            \
    U(sign, (x > 0) - (x < 0))                                                 \
    U(exp, exp(x))                                                             \
    U(exp2, exp2(x))                                                           \
    U(log, log(x))                                                             \
    U(log2, log2(x))                                                           \
    U(sqrt, sqrt(x))                                                           \
    U(rsqrt, 1 / sqrt(x))                                                      \
    U(sin, sin(x))                                                             \
    U(cos, cos(x))                                                             \
    U(tanh, tanh(x))                                                           \
    U(erf, erf(x))                                                             \
    U(floor, floor(x))                                                         \
    U(ceil, ceil(x))                                                           \
    U(round, nearbyint(x))                                                     \
    U(trunc, trunc(x))                                                         \
    U(relu, x > 0 || x != x ? x : 0)                                           \
    U(sigmoid, 1 / (1 + exp(-x)))                                              \
    U(silu, x / (1 + exp(-x)))                                                 \
    U(gelu, x / 2 * (1 + erf(x * 0.70710678118654752440)))                     \
    U(gelu_tanh, x / 2 * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)))) \
    U(isnan, x != x)                                                           \
    U(isinf, x == HUGE_VAL || x == -HUGE_VAL)                                  \
    U(logical_not, x == 0)

/* B(name, expression in x and y) for doubles.  Those up to ge that make sense
 * for integers are computed in int64 when both sides are integers. */
#define BINARY_OPS(B)                                                          \
    B(add, x + y)                                                              \
    B(sub, x - y)                                                              \
    B(mul, x * y)                                                              \
    B(div, x / y)                                                              \
    B(floordiv, floor(x / y))                                                  \
    B(mod, x - y * floor(x / y))                                               \
    B(pow, pow(x, y))                                                          \
    B(maximum, x != x || x > y ? x : y)                                        \
    B(minimum, x != x || x < y ? x : y)                                        \
    B(eq, x == y)                                                              \
    B(ne, x != y)                                                              \
    B(lt, x < y)                                                               \
    B(le, x <= y)                                                              \
    B(gt, x > y)                                                               \
    B(ge, x >= y)                                                              \
    B(logical_and, x != 0 && y != 0)                                           \
    B(logical_or, x != 0 || y != 0)

enum Unary {
#define U(name, expr) U_##name,
    UNARY_OPS(U)
#undef U
    NUnary
};
enum Binary {
#define B(name, expr) B_##name,
    BINARY_OPS(B)
#undef B
    NBinary
};
extern const char *const unary_name[NUnary];
extern const char *const binary_name[NBinary];

void ref_unary(enum Unary op, Tensor *out, const Tensor *x);
/* a and b are expanded to out's shape. */
void ref_binary(enum Binary op, Tensor *out, const Tensor *a, const Tensor *b);

enum Reduce { R_sum, R_mean, R_prod, R_max, R_min, R_absmax, R_abssum, R_any, R_all,
              R_argmax, R_argmin, NReduce };
extern const char *const reduce_name[NReduce];
/* out has x's shape without axis; an empty axis gives the neutral element.
 * NaN wins in max and min; arg* give the first place. */
void ref_reduce(enum Reduce op, Tensor *out, const Tensor *x, int axis);
/* All elements: the one value, and its flat place for arg*. */
double ref_total(enum Reduce op, const Tensor *x);

/* What a large tensor looks like, read at every step-th element of rows. */
typedef struct Stats Stats;
struct Stats { double min, max, sum; int64_t n, nan, inf; };
void ref_stats(Stats *s, const Tensor *x);

/* ref_matmul.c: products ------------------------------------------------- */

/* Calls f(ud, lo, hi) for pieces of [0, n), on as many threads as there are
 * processors when the work (in multiply-adds) is worth it. */
void ref_parallel(int64_t n, double work, void (*f)(void *ud, int64_t lo, int64_t hi), void *ud);
/* The elements of x in row-major order as float64; NULL: no memory; free(). */
double *ref_doubles(const Tensor *x);
/* out[b, m, n] = sum over k of a[b, m, k] * b[b, k, n]; all have 3 dimensions. */
bool ref_matmul(Tensor *out, const Tensor *a, const Tensor *b);

/* ref_nn.c: along one axis ------------------------------------------------ */

bool ref_softmax(Tensor *out, const Tensor *x, int axis, bool logarithm);
/* x / sqrt(mean(x^2) + eps) * w over the last axis; w may be NULL. */
bool ref_rmsnorm(Tensor *out, const Tensor *x, const Tensor *w, double eps);
/* (x - mean) / sqrt(var + eps) * w + b, population variance; w, b may be NULL. */
bool ref_layernorm(Tensor *out, const Tensor *x, const Tensor *w, const Tensor *b, double eps);
bool ref_cumsum(Tensor *out, const Tensor *x, int axis, bool reverse, bool exclusive);
/* The k greatest along the last axis, falling; equal values by rising index. */
bool ref_topk(Tensor *values, Tensor *index, const Tensor *x, int64_t k, bool largest);

/* ref_attn.c: attention ---------------------------------------------------- */

/* q, out [b, h, s, d]; k [b, hk, t, d]; v [b, hk, t, dv]; h a multiple of hk.
 * causal: query i sees keys up to i + t - s.  lse [b, h, s] may be NULL. */
bool ref_attention(Tensor *out, Tensor *lse, const Tensor *q, const Tensor *k,
                   const Tensor *v, double scale, bool causal);
/* q, k [b, h, s, d]; v [b, h, s, dv]: o_t = scale q_t S_t, S_t = g_t S_{t-1}
 * + k_t^T v_t; the decay g is [b, h, s], or NULL for 1.  state [b, h, d, dv]
 * receives the last S when it is not NULL. */
bool ref_linear_attention(Tensor *out, Tensor *state, const Tensor *q, const Tensor *k,
                          const Tensor *v, const Tensor *g, double scale);

/* ref_conv.c: convolution and packed numbers ------------------------------- */

typedef struct Conv Conv;
struct Conv { int64_t stride[2], pad[2], dilation[2], groups; };
/* NCHW: x [n, c, h, w], f [o, c/groups, kh, kw], bias [o] or NULL. */
bool ref_conv2d(Tensor *out, const Tensor *x, const Tensor *f, const Tensor *bias,
                const Conv *p);
/* x [n, c, h, w] -> out [n, oh * ow, kh * kw * c], zeros outside. */
bool ref_im2col(Tensor *out, const Tensor *x, int64_t kh, int64_t kw, const Conv *p);
/* packed [n, k / 2] bytes, low nibble first -> out [n, k] = (nibble - zero) *
 * scale[n, j / group]; scale [n, groups] may be NULL. */
bool ref_dequant4(Tensor *out, const Tensor *packed, const Tensor *scale, int64_t group,
                  double zero, bool is_signed);

/* compare.c ---------------------------------------------------------------- */

enum { MapRows = 16, MapCols = 32 };
enum Pattern { Pnone, Pzeros, Ptransposed, Pscaled, Plastcol, Plastrow, Pfirstblock,
               Peveryrow, Peverycol, Ptailrow, Ptailcol };

typedef struct Compare Compare;
struct Compare {
    int64_t count, bad, nan;         /* nan: in the actual tensor */
    int64_t first[TensorDims];       /* the first bad element */
    double got, want;                /* there */
    double maxabs, maxrel;           /* greatest differences ... */
    int64_t abs_at[TensorDims], rel_at[TensorDims]; /* ... and where */
    /* The error map: all leading dimensions folded into rows. */
    int64_t rows, cols, cell_rows, cell_cols;
    int map_rows, map_cols;
    char map[MapRows][MapCols + 1];
    enum Pattern pattern;
    int64_t p[3];  /* of the pattern: a tile's size, or first, second, period */
    double factor; /* of Pscaled */
};
/* A pair is good when equal, or finite with |got - want| <= atol + rtol |want|;
 * NaN never is.  Equal shapes. */
bool compare(Compare *c, const Tensor *got, const Tensor *want, double rtol, double atol);

#endif
