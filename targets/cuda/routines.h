/* targets/cuda/routines.h: routines of NVIDIA's library as modules of the
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
#ifndef MOONTILE_CUDA_ROUTINES_H
#define MOONTILE_CUDA_ROUTINES_H

#include "cuda.h"

/* The words of a spec. */
typedef struct RoutineSpec RoutineSpec;
struct RoutineSpec {
    int64_t m, n, k, batch, bytes;
    enum Dtype a, b, c, acc;
    bool ta, tb;
};

typedef struct Routine Routine;
typedef struct RoutineKind RoutineKind;
struct RoutineKind {
    const char *name;
    int narg;
    /* Any but enqueue may be NULL.  false and NULL: *err as of struct Device. */
    bool (*open)(Gpu *d, Routine *v, DevError *err);
    bool (*enqueue)(Gpu *d, Routine *v, const DevArg *arg, DevError *err);
    void (*facts)(const Routine *v, Str *out);
    void (*close)(Gpu *d, Routine *v);
};

struct Routine {
    const RoutineKind *kind;
    RoutineSpec spec;
    void *state;         /* the kind's own */
};
/* GpuRoutines' members: spec is what stands behind "vendor:". */
void *cuda_routine_load(Gpu *d, const char *spec, DevError *err);
void cuda_routine_unload(Gpu *d, void *routine);
bool cuda_routine_enqueue(Gpu *d, void *routine, const DevArg *arg, int narg, DevError *err);
void cuda_routine_facts(const void *routine, Str *out); /* lines "name value" */
extern const RoutineKind routine_gemm; /* routine_gemm.c */

#endif
