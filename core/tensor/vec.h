/* core/tensor/vec.h: the inner loops that decide how fast host operators are, once for any
 * processor and once for those with AVX2 and FMA: rounding to 16-bit floats and back, exp, and the
 * innermost block of a product.  Both give the same bits but for products, whose multiplications
 * and additions are fused where the processor can. */
#ifndef MOONTILE_VEC_H
#define MOONTILE_VEC_H

#include <stdint.h>

enum { VecBlock = 64 }; /* exp takes a multiple of these */

typedef struct Vec Vec;
struct Vec {
    void (*from_f16)(double *d, const uint16_t *s, int64_t n);
    void (*from_bf16)(double *d, const uint16_t *s, int64_t n);
    void (*to_f16)(uint16_t *d, const double *s, int64_t n); /* to nearest, ties to even */
    void (*to_bf16)(uint16_t *d, const double *s, int64_t n);
    /* e to the power v[k], below 1 unit in the last place wrong; n a multiple of VecBlock */
    void (*exp)(double *v, int64_t n);
    /* c[i][j] += sum over k of a[k][i] * b[k][j]: rows x cols of c, whose rows are ldc apart; a and
     * b are packed, rows and cols to a step. */
    void (*block)(int64_t k, const double *a, const double *b, double *c, int64_t ldc);
    int rows, cols;
};
extern const Vec vec_avx2;

/* The best that this processor has. */
const Vec *vec_loops(void);

#endif
