/* targets/cuda/vendor.h: routines of the vendor's library as modules of the
 * device, to measure against.
 *
 * A spec, which stands behind "vendor:" in the path that Device.load gets:
 *
 *   gemm m= n= k= a= b= c= acc= [ta=] [tb=] [batch=]
 *       C = A B, row-major; arguments A, B, C.  a, b, c: element types, acc: what
 *       is accumulated in.  ta=1: A is [k, m]; tb=1: B is [n, k].  batch: so many
 *       products, one behind another.  cublasLt's best: the candidates of its
 *       heuristics are timed on the buffers of the first run.
 *   copy bytes=      from the first argument to the second
 *   memset bytes=    zeros to the first argument */
#ifndef MOONTILE_CUDA_VENDOR_H
#define MOONTILE_CUDA_VENDOR_H

#include "device.h"

/* The words of a spec. */
typedef struct VendorSpec VendorSpec;
struct VendorSpec {
    int64_t m, n, k, batch, bytes;
    enum Dtype a, b, c, acc;
    bool ta, tb;
};

typedef struct VendorKind VendorKind;
struct VendorKind {
    const char *name;
    int narg;
    /* Any but enqueue may be NULL.  false and NULL: *err as struct Device has it. */
    bool (*open)(Cuda *d, Vendor *v, char **err);
    bool (*enqueue)(Cuda *d, Vendor *v, const DevArg *arg, char **err);
    void (*facts)(const Vendor *v, Str *out);
    void (*close)(Cuda *d, Vendor *v);
};

struct Vendor {
    const VendorKind *kind;
    VendorSpec spec;
    void *state;         /* the kind's own */
};
extern const VendorKind vendor_gemm; /* vendor_gemm.c */

#endif
