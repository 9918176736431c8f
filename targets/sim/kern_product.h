/* targets/sim/kern_product.h: matrix products, a part of kern_loops.h.
 *
 * c[m][n] += a * b in order of k, eight rows of eight columns at a time: a at
 * a[row * am + k * ak], b and c row-major; m and n are multiples of 8.  T: of
 * the operands, S: of a sum.  Products of KPf are exact in float32, so that a
 * fused step gives the same bits as a product and a sum. */
#define PRODUCT(name, T, S, STEP) \
    static void name(int m, int n, int kk, const void *pa, int am, int ak, const void *pb, \
                     void *pc) \
    { \
        const T *a = pa, *b = pb; \
        T *c = pc; \
        for (int j = 0; j < n; j += 8) \
            for (int i = 0; i < m; i += 8) { \
                S x[8][8]; \
                for (int r = 0; r < 8; r++) \
                    for (int q = 0; q < 8; q++) \
                        x[r][q] = (S)c[(i + r) * n + j + q]; \
                for (int k = 0; k < kk; k++) { \
                    const T *y = b + k * n + j, *p = a + i * am + k * ak; \
                    for (int r = 0; r < 8; r++) \
                        for (int q = 0; q < 8; q++) \
                            STEP(x[r][q], p[r * am], y[q]); \
                } \
                for (int r = 0; r < 8; r++) \
                    for (int q = 0; q < 8; q++) \
                        c[(i + r) * n + j + q] = (T)x[r][q]; \
            } \
    }

#define STEP_PLAIN(x, a, b) (x) += (a) * (b)
#define STEP_WRAP(x, a, b)  (x) += (uint32_t)((a) * (b)) /* operands have 8 bits */
#define STEP_FMA(x, a, b)   (x) = fma(a, b, x)
#define STEP_FMAF(x, a, b)  (x) = fma_f32(a, b, x)

#ifdef VECTOR
/* The same with the rows of c in vectors: compilers do not see it themselves. */
typedef float Row VECTOR(32);

static void product_f(int m, int n, int kk, const void *pa, int am, int ak, const void *pb,
                      void *pc)
{
    const float *a = pa, *b = pb;
    float *c = pc;
    for (int j = 0; j < n; j += 8)
        for (int i = 0; i < m; i += 8) {
            Row x[8], y;
            for (int r = 0; r < 8; r++)
                memcpy(&x[r], c + (i + r) * n + j, sizeof *x);
            for (int k = 0; k < kk; k++) {
                const float *p = a + i * am + k * ak;
                memcpy(&y, b + k * n + j, sizeof y);
                for (int r = 0; r < 8; r++)
                    x[r] += y * p[r * am];
            }
            for (int r = 0; r < 8; r++)
                memcpy(c + (i + r) * n + j, &x[r], sizeof *x);
        }
}
#else
PRODUCT(product_f, float, float, STEP_PLAIN)
#endif
PRODUCT(product_x, float, float, STEP_FMAF)
PRODUCT(product_d, double, double, STEP_FMA)
PRODUCT(product_i, int32_t, uint32_t, STEP_WRAP)
