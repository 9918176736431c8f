/* targets/sim/kern.h: the inner loops of the simulator: one operation on n
 * lanes, over plain arrays.
 *
 * kern_loops.h holds them, compiled once for any processor (kern_base.c) and
 * once for those with AVX2 (kern_avx2.c); both give the same bits: nothing is
 * contracted or reassociated.  Results are those of the cpu target and of
 * core/base/dtype.c: float arithmetic of narrow types is done in float32 and rounded,
 * integers wrap, division by zero gives 0, shifts by the width and more give 0
 * or the sign. */
#ifndef MOONTILE_SIM_KERN_H
#define MOONTILE_SIM_KERN_H

#include "core/ir/ir.h"

/* What arithmetic is done in; uint32 and uint64 share their registers with the
 * signed types. */
enum KernClass { KCf, KCd, KCi, KCl, KCu, KCm, NKernClass };
enum KernClass kern_class(enum Dtype dt);

/* b is a uniform operand: *b; likewise a. */
enum KernForm { KFvv, KFvs, KFsv, NKernForm };

typedef void Kern(void *d, const void *a, const void *b, const void *c, int64_t n);
/* Element k stands at base + k * step, or at[k] if there is such an array; only
 * where on[k] if there is that.  Elements of mem are packed as in tensors. */
typedef void KernLoad(void *d, const char *mem, int64_t base, int64_t step, const int64_t *at,
                      const uint8_t *on, int64_t n);
typedef void KernStore(const void *s, char *mem, int64_t base, int64_t step, const int64_t *at,
                       const uint8_t *on, int64_t n);

/* w elements a lane, one behind the other; element e goes to row e, rows being
 * `row` lanes apart. */
typedef void KernLoadV(void *d, int64_t row, const char *mem, int64_t base, int64_t step,
                       const int64_t *at, const uint8_t *on, int64_t n, int w);
typedef void KernStoreV(const void *s, int64_t row, char *mem, int64_t base, int64_t step,
                        const int64_t *at, const uint8_t *on, int64_t n, int w);

/* c += a * b; see kern_product.h. */
enum KernSum { KPf, KPx, KPd, KPi, NKernSum };
typedef void KernProduct(int m, int n, int k, const void *a, int am, int ak, const void *b, void *c);

/* The same as matrix units do it (MmaSum in core/layout/machine.h): the least exponents of the types
 * of a, b and c, whether c is float16.  c += a * b; room: m * k + k * n integers.  m and n
 * are multiples of 8, k of the group. */
typedef struct KernFused KernFused;
struct KernFused {
    int group, bits, places;
    int amin, bmin, cmin;
    bool half, apart;
};
typedef void KernProductFused(const KernFused *f, int m, int n, int k, const float *a, int am,
                              int ak, const float *b, float *c, int32_t *room);

typedef struct KernTable KernTable;
struct KernTable {
    Kern *bin[NXop][NKernClass][NKernForm];
    Kern *call2[NIntr][2];        /* KCf, KCd; operands of all lanes */
    Kern *call1[NIntr][NKernClass];
    Kern *fma[2], *fms[2], *fnma[2]; /* KCf, KCd: a * b + c, a * b - c, c - a * b; all lanes */
    Kern *not_, *bnot[2], *neg[2];
    Kern *select[2];              /* by 4 or 8 bytes: d = a ? b : c; a of int32 */
    Kern *fill[2];
    Kern *conv[NKernClass][NKernClass]; /* plain conversions; to integers saturating */
    Kern *odd[NKernClass];        /* to float32, rounded to odd */
    Kern *truth[NKernClass];      /* != 0 */
    Kern *round[NDtype], *wrap[NDtype];
    Kern *pack[NDtype], *unpack[NDtype]; /* float types <-> their bits as int32 (f64: int64) */
    Kern *scale[2];               /* int32, int64: d = a * *b + *c, of int64 scalars */
    Kern *scaleadd[2];            /* d += a * *b */
    Kern *offset[2];              /* int64 d += a * *b (a of int32, int64) */
    /* least and greatest of a, where on (NULL: all), as out[0], out[1]; false: nobody is on */
    bool (*range[2])(const void *a, const uint8_t *on, int64_t n, int64_t *out);
    /* d = on & (cond of int32 != 0), e = on & !cond; on NULL: all.  How many are on in d. */
    int64_t (*split)(uint8_t *d, uint8_t *e, const uint8_t *on, const int32_t *cond, int64_t n);
    int64_t (*count)(const uint8_t *on, int64_t n);
    void (*merge[2])(void *d, const void *a, const uint8_t *on, int64_t n); /* where on */
    KernLoad *load[NDtype];
    KernStore *store[NDtype];
    KernLoadV *loadv[NDtype];   /* of 8 bits and more */
    KernStoreV *storev[NDtype];
    KernProduct *product[NKernSum];
    KernProductFused *fused;
};
extern const KernTable kern_base, kern_avx2;
const KernTable *kern_table(void); /* the best for this processor */

#endif
