/* core/tensor/op.h: operators of host programs, as PyTorch defines them, on as many threads as there
 * are processors.  lua/tl/host/ knows their names, defaults and result types.
 *
 * Inputs have any dtype and strides; outputs have been allocated by the caller, with the shape that
 * is said, and do not overlap an input.  Floats are computed and summed in float64 and rounded once,
 * to the output's dtype; integers and bool in int64, which wraps, uint64 without a sign.  A function
 * that returns bool is false for lack of memory only. */
#ifndef MOONTILE_OP_H
#define MOONTILE_OP_H

#include "tensor.h"

/* op_pool.c: threads --------------------------------------------------------- */

/* Calls f(ud, lo, hi) for pieces of [0, n), on as many threads as the work (in simple operations)
 * is worth; one when `out` has elements that share bytes. */
void op_parallel(const Tensor *out, int64_t n, double work,
                 void (*f)(void *ud, int64_t lo, int64_t hi), void *ud);

/* op_elem.c: one element at a time -------------------------------------------- */

/* F(name, inputs, expression in the doubles x, y, z and the numbers p and q) */
#define ELEM_FLOATS(F)                                                         \
    F(neg, 1, -x)                                                              \
    F(abs, 1, fabs(x))                                                         \
    F(sign, 1, x != x ? x : (x > 0) - (x < 0))                                 \
    F(exp2, 1, exp2(x))                                                        \
    F(expm1, 1, expm1(x))                                                      \
    F(log, 1, log(x))                                                          \
    F(log2, 1, log2(x))                                                        \
    F(log10, 1, log10(x))                                                      \
    F(log1p, 1, log1p(x))                                                      \
    F(sqrt, 1, sqrt(x))                                                        \
    F(rsqrt, 1, 1 / sqrt(x))                                                   \
    F(reciprocal, 1, 1 / x)                                                    \
    F(square, 1, x * x)                                                        \
    F(sin, 1, sin(x))                                                          \
    F(cos, 1, cos(x))                                                          \
    F(tan, 1, tan(x))                                                          \
    F(asin, 1, asin(x))                                                        \
    F(acos, 1, acos(x))                                                        \
    F(atan, 1, atan(x))                                                        \
    F(sinh, 1, sinh(x))                                                        \
    F(cosh, 1, cosh(x))                                                        \
    F(tanh, 1, tanh(x))                                                        \
    F(asinh, 1, asinh(x))                                                      \
    F(acosh, 1, acosh(x))                                                      \
    F(atanh, 1, atanh(x))                                                      \
    F(erf, 1, erf(x))                                                          \
    F(erfc, 1, erfc(x))                                                        \
    F(floor, 1, floor(x))                                                      \
    F(ceil, 1, ceil(x))                                                        \
    F(round, 1, nearbyint(x * p) / p)                                          \
    F(trunc, 1, trunc(x))                                                      \
    F(frac, 1, x - trunc(x))                                                   \
    F(relu, 1, x > 0 || x != x ? x : 0)                                        \
    F(gelu, 1, x / 2 * (1 + erf(x * 0.70710678118654752440)))                  \
    F(gelu_tanh, 1, x / 2 * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)))) \
    F(mish, 1, x * tanh(x > 30 ? x : log1p(exp(x))))                           \
    F(softplus, 1, x * p > q ? x : log1p(exp(x * p)) / p)                      \
    F(logsigmoid, 1, (x < 0 ? x : 0) - log1p(exp(-fabs(x))))                   \
    F(leaky_relu, 1, x > 0 ? x : x * p)                                        \
    F(elu, 1, x > 0 ? x : p * expm1(x))                                        \
    F(isnan, 1, x != x)                                                        \
    F(isinf, 1, x == HUGE_VAL || x == -HUGE_VAL)                               \
    F(isposinf, 1, x == HUGE_VAL)                                              \
    F(isneginf, 1, x == -HUGE_VAL)                                             \
    F(isfinite, 1, fabs(x) < HUGE_VAL)                                         \
    F(signbit, 1, signbit(x) != 0)                                             \
    F(logical_not, 1, x == 0)                                                  \
    F(add, 2, x + p * y)                                                       \
    F(sub, 2, x - p * y)                                                       \
    F(mul, 2, x * y)                                                           \
    F(div, 2, x / y)                                                           \
    F(div_trunc, 2, trunc(x / y))                                              \
    F(floordiv, 2, op_floordiv(x, y))                                          \
    F(mod, 2, op_mod(x, y))                                                    \
    F(fmod, 2, fmod(x, y))                                                     \
    F(pow, 2, pow(x, y))                                                       \
    F(maximum, 2, x != x || x > y ? x : y)                                     \
    F(minimum, 2, x != x || x < y ? x : y)                                     \
    F(fmax, 2, fmax(x, y))                                                     \
    F(fmin, 2, fmin(x, y))                                                     \
    F(atan2, 2, atan2(x, y))                                                   \
    F(hypot, 2, hypot(x, y))                                                   \
    F(copysign, 2, copysign(x, y))                                             \
    F(xlogy, 2, x == 0 && y == y ? 0 : x * log(y))                             \
    F(logaddexp, 2, x == y ? x + 0.69314718055994530942                        \
                           : fmax(x, y) + log1p(exp(-fabs(x - y))))            \
    F(eq, 2, x == y)                                                           \
    F(ne, 2, x != y)                                                           \
    F(lt, 2, x < y)                                                            \
    F(le, 2, x <= y)                                                           \
    F(gt, 2, x > y)                                                            \
    F(ge, 2, x >= y)                                                           \
    F(logical_and, 2, x != 0 && y != 0)                                        \
    F(logical_or, 2, x != 0 || y != 0)                                         \
    F(logical_xor, 2, (x != 0) != (y != 0))                                    \
    F(isclose, 2, x == y || (q != 0 && x != x && y != y) ||                    \
                      (fabs(x - y) <= op_tolerance + p * fabs(y) && fabs(x - y) < HUGE_VAL)) \
    F(where, 3, x != 0 ? y : z)                                                \
    F(clamp, 3, x != x || y != y || z != z ? x + y + z                         \
                                           : (x < y ? y : x) > z ? z : x < y ? y : x) \
    F(lerp, 3, z < 0.5 ? x + z * (y - x) : y - (y - x) * (1 - z))              \
    F(addcmul, 3, x + p * y * z)                                               \
    F(addcdiv, 3, x + p * y / z)

/* I(name, inputs, expression in the int64 x, y, z and p; the same of uint64 where it differs) */
#define ELEM_INTS(I)                                                           \
    I(neg, 1, WRAP(0, -, x), WRAP(0, -, x))                                    \
    I(abs, 1, x < 0 ? WRAP(0, -, x) : x, x)                                    \
    I(sign, 1, (x > 0) - (x < 0), x != 0)                                      \
    I(square, 1, WRAP(x, *, x), WRAP(x, *, x))                                 \
    I(relu, 1, x > 0 ? x : 0, x)                                               \
    I(logical_not, 1, x == 0, x == 0)                                          \
    I(bitnot, 1, ~x, ~x)                                                       \
    I(add, 2, WRAP(x, +, WRAP(p, *, y)), WRAP(x, +, WRAP(p, *, y)))            \
    I(sub, 2, WRAP(x, -, WRAP(p, *, y)), WRAP(x, -, WRAP(p, *, y)))            \
    I(mul, 2, WRAP(x, *, y), WRAP(x, *, y))                                    \
    I(div_trunc, 2, op_divi(x, y, false), op_divu(x, y))                       \
    I(floordiv, 2, op_divi(x, y, true), op_divu(x, y))                         \
    I(fmod, 2, op_modi(x, y, false), op_modu(x, y))                            \
    I(mod, 2, op_modi(x, y, true), op_modu(x, y))                              \
    I(pow, 2, op_powi(x, y), op_powi(x, y))                                    \
    I(maximum, 2, x > y ? x : y, BELOW(x, y) ? y : x)                          \
    I(minimum, 2, x < y ? x : y, BELOW(x, y) ? x : y)                          \
    I(eq, 2, x == y, x == y)                                                   \
    I(ne, 2, x != y, x != y)                                                   \
    I(lt, 2, x < y, BELOW(x, y))                                               \
    I(le, 2, x <= y, !BELOW(y, x))                                             \
    I(gt, 2, x > y, BELOW(y, x))                                               \
    I(ge, 2, x >= y, !BELOW(x, y))                                             \
    I(logical_and, 2, x != 0 && y != 0, x != 0 && y != 0)                      \
    I(logical_or, 2, x != 0 || y != 0, x != 0 || y != 0)                       \
    I(logical_xor, 2, (x != 0) != (y != 0), (x != 0) != (y != 0))              \
    I(bitand, 2, x & y, x & y)                                                 \
    I(bitor, 2, x | y, x | y)                                                  \
    I(bitxor, 2, x ^ y, x ^ y)                                                 \
    I(shl, 2, y < 0 || y > 63 ? 0 : (int64_t)((uint64_t)x << y),               \
      y < 0 || y > 63 ? 0 : (int64_t)((uint64_t)x << y))                       \
    I(shr, 2, x >> (y < 0 || y > 63 ? 63 : y),                                 \
      y < 0 || y > 63 ? 0 : (int64_t)((uint64_t)x >> y))                       \
    I(gcd, 2, op_gcd(x, y), op_gcd(x, y))                                      \
    I(where, 3, x != 0 ? y : z, x != 0 ? y : z)                                \
    I(clamp, 3, (x < y ? y : x) > z ? z : x < y ? y : x,                       \
      BELOW(z, BELOW(x, y) ? y : x) ? z : BELOW(x, y) ? y : x)                 \
    I(addcmul, 3, WRAP(x, +, WRAP(p, *, WRAP(y, *, z))), WRAP(x, +, WRAP(p, *, WRAP(y, *, z))))

/* Those whose value is exp of something, which vec.h has a loop for: E(name, what it is of, what
 * becomes of the e) */
#define ELEM_EXPS(E)                                                           \
    E(exp, x, e)                                                               \
    E(sigmoid, -x, 1 / (1 + e))                                                \
    E(silu, -x, x / (1 + e))

/* The operator of a name that computes in int64 or in double: its number; below 0: there is none.
 * Many names have both. */
int elem_find(const char *name, bool ints);
int elem_inputs(int op);
/* The inputs have been expanded to out's shape; out may be an input itself, place for place.  p: the
 * operator's numbers p, q and op_tolerance. */
void elem_apply(int op, Tensor *out, const Tensor *const *in, const double p[3]);
/* op_reduce.c: many elements to one ---------------------------------------------- */

/* sum, mean, prod, max, min, any, all, count (of others than 0), abssum, norm2 (the root of the sum
 * of squares), powers (the sum of |x|^p), var and std (p: the correction), lse (log of the sum of
 * exp), argmax, argmin (the first place in row-major order).  NaN wins in max, min and arg*. */
#define FOLD_OPS(R)                                                            \
    R(sum) R(mean) R(prod) R(max) R(min) R(any) R(all) R(count) R(abssum) R(norm2) R(powers) \
    R(var) R(std) R(lse) R(argmax) R(argmin)
enum Fold {
#define R(name) Fold_##name,
    FOLD_OPS(R)
#undef R
    NFold
};
extern const char *const fold_name[NFold];
/* out[..] of x[.., reduced]: the last `reduced` dimensions of x go.  sum, prod, max, min, argmax and
 * argmin of integers are exact.  index, when it is not NULL, receives the places of max or min. */
void fold_apply(enum Fold op, Tensor *out, Tensor *index, const Tensor *x, int reduced, double p);

/* op_lines.c: along one dimension ------------------------------------------------ */

/* Each element with those before it. */
enum Scan { ScanSum, ScanProd, ScanMax, ScanMin, ScanLse };
/* index [of x's shape], where it is not NULL: the places of ScanMax and ScanMin, the last of equals. */
bool scan_apply(enum Scan op, Tensor *out, Tensor *index, const Tensor *x, int dim);
bool softmax_apply(Tensor *out, const Tensor *x, int dim, bool logarithm);
/* Over the last dimension: (x - mean) / sqrt(var + eps) * w + b, or with `root` x / sqrt(mean(x^2) +
 * eps) * w + b; w and b [of its length] may be NULL. */
bool norm_apply(Tensor *out, const Tensor *x, const Tensor *w, const Tensor *b, double eps, bool root);

/* op_sort.c: order ----------------------------------------------------------------- */

/* Along dim, equal ones in the order in which they stood; NaN is the greatest. */
bool sort_apply(Tensor *values, Tensor *index, const Tensor *x, int dim, bool falling);
/* How many of the sorted line of `sorted` [.., n] are below each of x [.., m], or with `right` not
 * above it; sorted may have one dimension and serve all lines. */
void search_apply(Tensor *out, const Tensor *sorted, const Tensor *x, bool right);

/* op_product.c ---------------------------------------------------------------------- */

/* out[b, m, n] = sum over k of a[b, m, k] * b[b, k, n]; all of three dimensions.  Integers of less
 * than 32 bits, and all floats, are summed in float64, other integers in int64. */
bool product_apply(Tensor *out, const Tensor *a, const Tensor *b);

/* op_index.c: elements chosen by others ----------------------------------------------- */

/* out[i][j] = x[index[i][j]][j] for dim 0, and so on; out has index's shape.  false: *bad is a place
 * that is not in x. */
bool gather_apply(Tensor *out, const Tensor *x, int dim, const Tensor *index, int64_t *bad);
enum Put { PutSet, PutAdd, PutMul, PutMax, PutMin };
/* The other way: x[index[i][j]][j] becomes, or takes in, src[i][j]; src has index's shape. */
bool scatter_apply(enum Put how, Tensor *x, int dim, const Tensor *index, const Tensor *src,
                   int64_t *bad);
/* Parts of x by lists of places: x is [n0, n1, .., rest], place[k] counts in dimension k, negative
 * from the end; all have one shape.  out, or value, is [places, rest].  TakeRange: place[*k] has
 * *bad, which is not in x. */
enum Take { TakeOk, TakeMemory, TakeRange };
enum Take take_apply(Tensor *out, const Tensor *x, int lists, const Tensor *place, int *k,
                     int64_t *bad);
enum Take put_apply(enum Put how, Tensor *x, int lists, const Tensor *place, const Tensor *value,
                    int *k, int64_t *bad);
/* The places of elements other than 0, in order, [n, x->ndim]; *out is made here.  false: no memory. */
bool nonzero_apply(Tensor *out, const Tensor *x);

#endif
