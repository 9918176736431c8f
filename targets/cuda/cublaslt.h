/* targets/cuda/cublaslt.h: cublasLt by dlopen.
 *
 * The declarations are ours; names, types and numbers are those of the library,
 * the same from CUDA 11 to 13. */
#ifndef MOONTILE_CUDA_CUBLASLT_H
#define MOONTILE_CUDA_CUBLASLT_H

#include "core/device/error.h"

typedef struct LtHandle LtHandle;   /* the library's own */
typedef struct LtDesc LtDesc;
typedef struct LtLayout LtLayout;
typedef struct LtPreference LtPreference;

typedef struct LtAlgo { uint64_t data[8]; } LtAlgo;
typedef struct LtCandidate LtCandidate; /* cublasLtMatmulHeuristicResult_t */
struct LtCandidate {
    LtAlgo algo;
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
};

enum { /* cudaDataType_t */
    LTf32 = 0, LTf64 = 1, LTf16 = 2, LTi8 = 3, LTi32 = 10, LTbf16 = 14, LTe4m3 = 28, LTe5m2 = 29
};
enum { /* cublasComputeType_t */
    LTcompute_16f = 64, LTcompute_32f = 68, LTcompute_64f = 70, LTcompute_32i = 72,
    LTcompute_tf32 = 77
};
enum { /* cublasLtMatmulDescAttributes_t */
    LTtransa = 3, LTtransb = 4, LTscale_a = 17, LTscale_b = 18, LTscale_d = 20,
    LTfast_accum = 25
};
enum { LTbatch = 5, LTstride = 6 };               /* cublasLtMatrixLayoutAttribute_t */
enum { LTmax_workspace = 1, LTalign_a = 5, LTalign_b, LTalign_c, LTalign_d }; /* preferences */
enum { LTok = 0, LTnot_supported = 15 };          /* cublasStatus_t */

/* LT_FN(name, symbol, result, (arguments)) */
#define LT_FNS \
    LT_FN(Version, "cublasLtGetVersion", size_t, (void)) \
    LT_FN(Create, "cublasLtCreate", int, (LtHandle **)) \
    LT_FN(Destroy, "cublasLtDestroy", int, (LtHandle *)) \
    LT_FN(DescCreate, "cublasLtMatmulDescCreate", int, (LtDesc **, int, int)) \
    LT_FN(DescDestroy, "cublasLtMatmulDescDestroy", int, (LtDesc *)) \
    LT_FN(DescSet, "cublasLtMatmulDescSetAttribute", int, \
          (LtDesc *, int, const void *, size_t)) \
    LT_FN(LayoutCreate, "cublasLtMatrixLayoutCreate", int, \
          (LtLayout **, int, uint64_t, uint64_t, int64_t)) \
    LT_FN(LayoutDestroy, "cublasLtMatrixLayoutDestroy", int, (LtLayout *)) \
    LT_FN(LayoutSet, "cublasLtMatrixLayoutSetAttribute", int, \
          (LtLayout *, int, const void *, size_t)) \
    LT_FN(PreferenceCreate, "cublasLtMatmulPreferenceCreate", int, (LtPreference **)) \
    LT_FN(PreferenceDestroy, "cublasLtMatmulPreferenceDestroy", int, (LtPreference *)) \
    LT_FN(PreferenceSet, "cublasLtMatmulPreferenceSetAttribute", int, \
          (LtPreference *, int, const void *, size_t)) \
    LT_FN(Heuristic, "cublasLtMatmulAlgoGetHeuristic", int, \
          (LtHandle *, LtDesc *, LtLayout *, LtLayout *, LtLayout *, LtLayout *, LtPreference *, \
           int, LtCandidate *, int *)) \
    LT_FN(Matmul, "cublasLtMatmul", int, \
          (LtHandle *, LtDesc *, const void *, const void *, LtLayout *, const void *, \
           LtLayout *, const void *, const void *, LtLayout *, void *, LtLayout *, \
           const LtAlgo *, void *, size_t, void *))

typedef struct CublasLt CublasLt;
struct CublasLt {
    void *handle;        /* of dlopen */
    LtHandle *lt;
    size_t version;      /* 130002 */
    char path[512];
#define LT_FN(name, symbol, result, args) result (*name) args;
    LT_FNS
#undef LT_FN
};

/* cublaslt.c: opens the library of the driver's CUDA version or an older one; an error says
 * where was looked.
 * $MOONTILE_CUBLASLT_LIB names the file instead of the usual places. */
DevError cublaslt_open(CublasLt *b, int cuda);
void cublaslt_close(CublasLt *b);
const char *cublaslt_error(int status); /* "CUBLAS_STATUS_NOT_SUPPORTED" */

#endif
