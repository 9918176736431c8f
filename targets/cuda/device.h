/* targets/cuda/device.h: inside the cuda device: what its files share. */
#ifndef MOONTILE_CUDA_DEVICE_H
#define MOONTILE_CUDA_DEVICE_H

#include "../gpu/gpu.h"
#include "cuda.h"
#include "driver.h"
#include "nvrtc.h"

typedef struct CudaModule CudaModule;
typedef struct CudaKernel CudaKernel;
typedef struct CudaLanes CudaLanes; /* memory.c: staging for large copies */
typedef struct Vendor Vendor;       /* vendor.c: a routine of a vendor's library */

/* What the driver says about the GPU. */
typedef struct CudaFacts CudaFacts;
struct CudaFacts {
    char name[96];
    CUuuid uuid;
    int major, minor, sms, max_threads, grid[3];
    int shared_optin, shared_sm, regs_sm, l2;  /* bytes; registers; bytes */
    int clock_khz, memory_khz, bus_bits, ecc;
    size_t total;                              /* bytes of memory */
};

/* Measured on this card: bench.c.  1e9 bytes a second; 0: not measured. */
typedef struct CudaRoofs CudaRoofs;
struct CudaRoofs { double copy, read; };

/* Machine code of a text. */
typedef struct CudaCode CudaCode;
struct CudaCode {
    Str code;               /* cubin; PTX when ptx is set */
    Str info;               /* lines: "compiler NVRTC 13.0" "target sm_90a"
                             * "kernel NAME REGS STACK SPILLED" "warning TEXT" */
    bool ptx, cached;
    double ms;              /* it took to compile */
};

typedef struct Cuda Cuda;
struct Cuda {
    Ctx c;                   /* of the options */
    CudaOptions opt;
    CudaDriver cu;           /* not open with -build */
    Nvml ml;
    Nvrtc rtc;
    bool have_rtc;
    double opened;           /* seconds of the monotonic clock */
    CUdevice dev;
    CUcontext ctx;
    CudaFacts is;
    CUstream stream;         /* everything but large copies goes here, in order */
    CUevent begin, end;
    Cache cache;
    CudaLanes *lanes;        /* NULL until the first large copy */
    PlanOut *out;            /* the side buffer, in host memory; NULL until needed */
    CUdeviceptr out_at;
    CUdeviceptr wash; size_t washed; /* twice the L2, to write over; 0 until needed */
    uint32_t *gate; CUdeviceptr gate_at; /* bench.c: what the stream waits for */
    CUevent *event; int nevent;
    CudaRoofs roofs;
};

/* Encoded tensor maps of one PlanMap, the one last used first. */
enum { CudaMaps = 16 };
typedef struct CudaMap CudaMap;
struct CudaMap {
    CUtensorMap enc[CudaMaps];
    void *base[CudaMaps];   /* the address it was made for; NULL: empty */
    uint64_t shape[CudaMaps]; /* GpuProgram.shape then */
    int next;               /* to be replaced */
    int arg;                /* place of its tensor among the arguments; -1: a workspace */
    int used;               /* the one that the kernels' parameters point at */
};

/* A kernel of a module: a launch of the program. */
struct CudaKernel {
    const PlanLaunch *l;
    CUfunction fn;
    CUlaunchConfig config;
    CUlaunchAttribute attr;
    void **param;           /* GpuKernel's */
    int regs, local, statics, constants, max_threads, blocks_sm;
};

struct CudaModule {
    Vendor *vendor;         /* a routine of a library, and nothing of the rest; or NULL */
    char *name;
    GpuProgram g;
    Str source;             /* CUDA C++ */
    CudaCode code;
    CUmodule mod;
    CudaKernel *kernel;     /* by launch, beside g.kernel */
    CudaMap *map;           /* by PlanMap */
};

/* faults.c */
/* The error of a call that returned r, as struct Device has them; NULL for CUok.
 * m: the module that runs, or NULL. */
char *cuda_fault(Cuda *d, CUresult r, const CudaModule *m, const char *call);
/* true: r is CUok; else *err is set. */
bool cuda_ok(Cuda *d, CUresult r, const CudaModule *m, const char *call, char **err);
bool cuda_sticky(CUresult r); /* does it end the context? */

/* device.c.  A worker that was killed leaves its memory, and an exclusive GPU, a
 * moment after its successor has come: true, after a short sleep, while it is worth
 * asking again. */
bool cuda_patience(const Cuda *d);

/* load.c */
void *cuda_load(void *dev, const char *path, const char *name, char **err);
void cuda_unload(void *dev, void *mod);
void cuda_module_facts(void *dev, void *mod, Str *out);
/* Loads code into the driver.  what: "`add`", for messages. */
bool cuda_load_code(Cuda *d, const CudaCode *c, CUmodule *mod, char **err);

/* code.c: CUDA C++ -> machine code, through the cache */
bool cuda_compiler(Cuda *d, char **err); /* opens it, once */
bool cuda_code(Cuda *d, const char *text, CudaCode *out, char **err);
void cuda_code_free(CudaCode *c);

/* text.c */
bool cuda_text(void *dev, void *mod, const char *what, Str *path, char **err);

/* launch.c */
bool cuda_launch(void *dev, void *mod, const DevArg *arg, int narg, const DevHost *host,
                 double *ms, uint32_t *failed_at, char **err);
/* Queues one run of m; the caller waits. */
bool cuda_enqueue(Cuda *d, CudaModule *m, const DevArg *arg, int narg, char **err);
/* Waits for the queue and gives what was printed; an error of the runs goes to err. */
bool cuda_finish(Cuda *d, CudaModule *m, const DevHost *host, uint32_t *failed_at, char **err);
bool cuda_bind(Cuda *d, CudaModule *m, char **err); /* parameter arrays of a fresh module */
void cuda_unbind(Cuda *d, CudaModule *m);

/* tensormap.c */
/* The map of PlanMap i for a tensor at base, from m's cache or encoded. */
bool cuda_map(Cuda *d, CudaModule *m, int i, void *base, char **err);

/* output.c: memory of the side buffer */
bool cuda_out_open(Cuda *d, char **err);
void cuda_out_close(Cuda *d);

/* memory.c */
void *cuda_mem_new(void *dev, void *host, size_t bytes, char **err);
void cuda_mem_free(void *dev, void *twin);
bool cuda_mem_zero(void *dev, void *twin, size_t at, size_t n, char **err);
bool cuda_mem_put(void *dev, void *twin, const void *host, size_t at, size_t n, char **err);
bool cuda_mem_get(void *dev, void *twin, void *host, size_t at, size_t n, char **err);
void cuda_lanes_close(Cuda *d);
/* cuMemAlloc, after giving back what is kept for later if it must be. */
CUresult cuda_alloc(Cuda *d, CUdeviceptr *at, size_t bytes);
char *cuda_full(Cuda *d, const char *row, size_t bytes); /* "@row", asked for, free, in all */

/* bench.c */
bool cuda_bench(void *dev, const DevBench *b, const DevHost *host, char **err);
void cuda_flush(void *dev);
/* roofs.c: measured once a card, then from the cache */
bool cuda_roofs(Cuda *d, CudaRoofs *out, char **err);
void cuda_bench_close(Cuda *d);

/* vendor.c: cublasLt and the like as modules.  spec: what stands behind "vendor:". */
Vendor *vendor_load(Cuda *d, const char *spec, char **err);
void vendor_unload(Cuda *d, Vendor *v);
/* Queues one run on d->stream; pointers are device addresses.  Errors by cuda_fault() or
 * rows of its own. */
bool vendor_enqueue(Cuda *d, Vendor *v, const DevArg *arg, int narg, char **err);
void vendor_facts(const Vendor *v, Str *out); /* lines "name value" */

#endif
