/* targets/cuda/nvrtc.h: CUDA C++ text -> machine code, in this process.
 *
 * NVRTC is found by dlopen, in any version from CUDA 11 on.  Where there is
 * none, an nvcc that is found serves, in a process of its own and 20 times
 * slower. */
#ifndef MOONTILE_CUDA_NVRTC_H
#define MOONTILE_CUDA_NVRTC_H

#include "core/base/base.h"

typedef struct NvrtcProgram NvrtcProgram; /* NVRTC's own */

/* NVRTC_FN(name, symbol, must, (arguments)) */
#define NVRTC_FNS \
    NVRTC_FN(Version, "nvrtcVersion", true, (int *, int *)) \
    NVRTC_FN(NumArchs, "nvrtcGetNumSupportedArchs", false, (int *)) \
    NVRTC_FN(Archs, "nvrtcGetSupportedArchs", false, (int *)) \
    NVRTC_FN(Create, "nvrtcCreateProgram", true, \
             (NvrtcProgram **, const char *, const char *, int, const char *const *, \
              const char *const *)) \
    NVRTC_FN(Destroy, "nvrtcDestroyProgram", true, (NvrtcProgram **)) \
    NVRTC_FN(Compile, "nvrtcCompileProgram", true, (NvrtcProgram *, int, const char *const *)) \
    NVRTC_FN(CubinSize, "nvrtcGetCUBINSize", true, (NvrtcProgram *, size_t *)) \
    NVRTC_FN(Cubin, "nvrtcGetCUBIN", true, (NvrtcProgram *, char *)) \
    NVRTC_FN(PtxSize, "nvrtcGetPTXSize", true, (NvrtcProgram *, size_t *)) \
    NVRTC_FN(Ptx, "nvrtcGetPTX", true, (NvrtcProgram *, char *)) \
    NVRTC_FN(LogSize, "nvrtcGetProgramLogSize", true, (NvrtcProgram *, size_t *)) \
    NVRTC_FN(Log, "nvrtcGetProgramLog", true, (NvrtcProgram *, char *))

enum { NvrtcArchs = 64 };

typedef struct Nvrtc Nvrtc;
struct Nvrtc {
    void *handle;           /* of dlopen; NULL: not open, or nvcc serves */
    char *nvcc;             /* path, where it serves */
    int version;            /* 13000 */
    char path[512];
    char name[96];          /* "NVRTC 13.0", "nvcc 12.4": part of the key of what it made */
    int arch[NvrtcArchs], narch; /* it knows: 75, 80, 90 ..; none listed: any */
#define NVRTC_FN(name, symbol, must, args) int (*name) args;
    NVRTC_FNS
#undef NVRTC_FN
};

/* cuda: the driver's version, so that one is taken whose code it can load; 0:
 * any.  arch: "sm_90a".  NULL, or an error for struct Device. */
char *nvrtc_open(Nvrtc *n, int cuda, const char *arch);
void nvrtc_close(Nvrtc *n);

/* What compiling gives; all malloc'd, Str for texts and binaries alike. */
typedef struct Compiled Compiled;
struct Compiled {
    Str code;               /* a cubin; PTX when ptx is set */
    Str log;                /* the compiler's messages */
    bool ptx;               /* the compiler does not know the chip: the driver finishes it */
    char target[24];        /* what it was told: "sm_90a", "compute_90" */
    double ms;
};
enum NvrtcWant { NVcode, NVptx };
/* false: the text was refused (out->log says why), or *err is set. */
bool nvrtc_compile(const Nvrtc *n, const char *text, const char *arch, bool fast_math,
                   enum NvrtcWant want, Compiled *out, char **err);
void compiled_free(Compiled *c);
/* Everything beside text, chip and version that the code depends on. */
#define NVRTC_OPTIONS "-default-device --fmad=true -std=c++17"

#endif
