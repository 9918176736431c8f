/* targets/cuda/cuda.h: the cuda target: CUDA C++ for NVIDIA's chips.
 *
 *   machines.c  the machines as data               dialect.c, prelude.c, ptx*.c  printed text
 *   cuda.c      struct Target                      vendor.c   driver and compiler as data
 *   chips.c     which machine's instructions a chip runs, by -arch and by the device
 *   compiler.c  NVRTC: which version serves, what it says; sass.c: what it made of branches
 *   card.c      what is beside the driver: NVML (nvml.c), rates of the memory (roofs.c)
 *   tensormap.c descriptors of TMA copies          text.c     PTX, SASS of a kernel
 *   routines.c  cublasLt by dlopen, to measure against
 *
 * The run-time is targets/gpu. */
#ifndef MOONTILE_CUDA_H
#define MOONTILE_CUDA_H

#include "core/emit/emit.h"
#include "../gpu/device.h"

extern const Target cuda_target;
extern const Device cuda_device;
extern const GpuVendor cuda_vendor;
extern const Dialect cuda_dialect;

/* chips.c */
bool cuda_take_arch(const OptionWord *w, void *options, Str *known); /* -arch=sm_90a */
DevError cuda_fit(Gpu *d);         /* GpuVendor.fit */
/* 90 of "sm_90a" */
int cuda_arch_number(const char *arch);

/* compiler.c: GpuVendor's functions of these names */
int cuda_rank(const GpuRtc *t, int driver, const char *arch);
bool cuda_target_of(const GpuRtc *t, const char *arch, char out[24]);
const char *cuda_wheel(int driver);
void cuda_figures(void *figures, const char *line);

/* sass.c: GpuVendor.doubtful */
bool cuda_doubtful(const Str *code);

/* card.c: likewise; uuid */
DevError cuda_ask(Gpu *d);
void cuda_opened(Gpu *d);
void cuda_closed(Gpu *d);
void cuda_describe(Gpu *d, Str *out);
double cuda_mhz(const Gpu *d);
bool cuda_driver_name(const Gpu *d, char *out, size_t size); /* "570.86.15" */

/* roofs.c: what the card's memory does, 1e9 bytes a second; once a card, then from the cache. */
void cuda_rates(Gpu *d, Str *out);

bool cuda_text(Gpu *d, const GpuModule *m, const char *what, Str *path, DevError *err); /* text.c */
extern const GpuMaps cuda_maps;          /* tensormap.c */
extern const GpuRoutines cuda_routines;  /* routines.c */

/* ptx.c: prints a statement of kind Sop of a thread program (Dialect.op's part). */
void cuda_op(Emit *e, const Stmt *s);
/* ptx.c: text of a helper function that cuda_op asked for, made when it depends on
 * a shape; NULL: not one of these. */
const char *cuda_ptx_helper(Emit *e, const char *name);

/* export.c: struct Target's bundle: NAME.h, NAME.c, main.c, Makefile. */
bool cuda_bundle(Prog *p, const char *name, BundleFile file[BundleFiles], int *n);

#endif
