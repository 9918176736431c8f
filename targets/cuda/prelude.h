/* targets/cuda/prelude.h: texts of the helpers of printed CUDA C++. */
#ifndef MOONTILE_CUDA_PRELUDE_H
#define MOONTILE_CUDA_PRELUDE_H

#include "cuda.h"

#define FN "static __device__ __forceinline__ "

/* A helper and what it asks for, names with spaces between.  since: for machines
 * from this compute capability on (90 for sm_90a), the first row that fits counts. */
typedef struct CudaText CudaText;
struct CudaText { const char *name; int since; const char *needs, *text; };

extern const CudaText cuda_types[];   /* prelude_types.c: types and conversions */
extern const CudaText cuda_math[];    /* prelude_math.c: functions, warps, barriers, atomics */

int cuda_capability(const Machine *m); /* 90 of "sm_90a" */

/* prelude.c: Dialect.helper; asks cuda_ptx_helper first. */
const char *cuda_helper(Emit *e, const char *name);

#endif
