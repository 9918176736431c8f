/* targets/cuda/cuda.h: the cuda target and its parts.
 *
 *   machines.c  the machines as data               dialect.c, prelude.c, ptx*.c  printed text
 *   cuda.c      struct Target: options, emit       options.c  the words after "cuda"
 *   driver.c    libcuda by dlopen                  nvrtc.c    NVRTC by dlopen: text -> cubin, PTX
 *   device.c    struct Device: open, facts         load.c     thread program -> kernels, through the cache
 *   memory.c    device twins of host memory        launch.c   arguments, tensor maps, launches
 *   output.c    the side buffer: T.print, asserts  faults.c   what the driver's errors mean
 *   code.c      text -> machine code, the cache    tensormap.c  descriptors of TMA copies
 *   bench.c     timing, flushing, clocks           roofs.c    what the card's memory does at best
 *   text.c      PTX, cubin, SASS of a kernel       vendor.c   cublasLt by dlopen, to measure against */
#ifndef MOONTILE_CUDA_H
#define MOONTILE_CUDA_H

#include "core/emit/emit.h"
#include "core/device/worker.h"

extern const Target cuda_target;
extern const Device cuda_device;
extern const Dialect cuda_dialect;

/* What the words after "cuda" say.  The device's own facts complete them, see
 * Device.complete: sms, shared and card come from there. */
typedef struct CudaOptions CudaOptions;
struct CudaOptions {
    const Machine *m;      /* -arch=sm_90a: the machine whose instructions are used; limits of
                            * the real card where it is known */
    char arch[16];         /* what NVRTC is told: "sm_90a" "sm_86" "sm_120" */
    int device;            /* -device=N, 0 */
    bool fast_math;        /* -fast-math */
    bool build_only;       /* -build: no driver; texts and cubins only */
    int sms;               /* -sms=N: multiprocessors, 0: not known (then the machine's card's) */
    int shared;            /* -shared=N: bytes a block may have on this card, 0: the machine's */
    const Card *card;      /* -card=NAME: the card that the device is, NULL: the machine's */
};
bool cuda_options(Ctx *c, const char *text, CudaOptions *out); /* options.c; reports */
/* The machine whose instructions a chip of this compute capability runs, and
 * the -arch for NVRTC; NULL: too old. */
const Machine *cuda_machine_of(int major, int minor, char arch[16]);

/* ptx.c: prints a statement of kind Sop of a thread program (Dialect.op's part). */
void cuda_op(Emit *e, const Stmt *s);
/* ptx.c: text of a helper function that cuda_op asked for, made when it depends on
 * a shape; NULL: not one of these. */
const char *cuda_ptx_helper(Emit *e, const char *name);

/* export.c: struct Target's bundle: NAME.h, NAME.c, main.c, Makefile. */
bool cuda_bundle(Prog *p, const char *name, BundleFile file[BundleFiles], int *n);

#endif
