/* targets/gpu/device.h: inside the device of a GPU: what its files share. */
#ifndef MOONTILE_GPU_DEVICE_H
#define MOONTILE_GPU_DEVICE_H

#include <pthread.h>

#include "driver.h"

typedef struct Gpu Gpu;
typedef struct GpuModule GpuModule;
typedef struct GpuFunction GpuFunction;
typedef struct GpuLanes GpuLanes; /* copy.c: staging for large copies */

/* What is known about the device: from the driver, where it says it; else the vendor's
 * constants and what a probe has measured. */
typedef struct GpuFacts GpuFacts;
struct GpuFacts {
    char name[128];
    char chip[32];           /* gcnArchName cut at ':'; "" where nobody says it */
    unsigned char uuid[16];
    int major, minor;        /* compute capability */
    int sms, max_threads, shared, warp, grid[3];
    int l2, clock_khz, ecc; /* 0: not known */
    size_t total;            /* bytes of memory */
};

/* What a device has answered (moontile doctor, contact.c): lines "name value", kept with
 * the cache.  -1: not known. */
typedef struct GpuProbe GpuProbe;
struct GpuProbe {
    int contact;             /* all questions of a first contact were asked */
    int params, packed;      /* the two forms of a launch work */
    int warp;                /* lanes of a wave */
    int ballot, shuffle;     /* votes and shuffles reach all of them */
    int async;               /* asynchronous copies arrive as their waits say */
    int shared, max_threads, grid[3];
    int good;                /* matrix instructions whose lane maps are as assumed */
    Str bad;                 /* names of the others, with commas between */
};

/* Code of a text. */
typedef struct GpuCode GpuCode;
struct GpuCode {
    Str code;                /* assembly where that is set */
    Str info;                /* lines: "compiler NVRTC 13.0" "target sm_90a"
                              * "kernel NAME REGS STACK SPILLED" "warning TEXT" */
    bool assembly, cached;
    double ms;               /* it took to compile */
};

enum { GpuNotes = 4 };

struct Gpu {
    Ctx c;                   /* of the options */
    const GpuVendor *v;
    GpuOptions opt;
    GpuDriver cu;            /* not open with -build */
    GpuRtc rtc;
    bool have_rtc;
    DevError note[GpuNotes]; int nnote; /* for DevHost.report, until they are told */
    pthread_t thread;        /* the one that has the device or its context set */
    bool set;
    int dev;                 /* the driver's number of the device */
    void *ctx;               /* its context, where there are such */
    GpuFacts is;
    GpuProbe probe;
    double opened;           /* seconds of the monotonic clock */
    void *begin, *end;       /* events */
    Cache cache;
    GpuBlocks blocks;
    GpuLanes *lanes;         /* NULL until the first large copy */
    PlanOut *out;            /* the side buffer, as the host sees it; NULL until needed */
    GpuAddress out_at;       /* its address on the device */
    bool out_mapped;         /* both are one memory; else it is copied */
    GpuAddress wash; size_t washed; /* twice the last cache, to write over; 0 until needed */
    uint32_t *gate; GpuAddress gate_at; /* bench.c: what the stream waits for */
    void **event; int nevent;
    void *own;               /* the vendor's */
};

/* A kernel of a module, beside GpuKernel. */
struct GpuFunction {
    void *fn;
    char *buf; size_t nbuf;  /* packed launches: its parameters */
    int regs, local, statics, constants, max_threads, blocks_sm; /* -1: not known */
};

struct GpuModule {
    void *routine;           /* of the vendor's library, and nothing of the rest; or NULL */
    char *name;
    GpuProgram g;
    Str source;
    GpuCode code;
    void *mod;
    GpuFunction *fn;         /* by launch */
    void *map;               /* GpuVendor.maps' */
};

/* faults.c */
/* The error of a call that returned r; m: the module that runs, or NULL. */
DevError gpu_fault(Gpu *d, GpuResult r, const GpuModule *m, enum GpuCall call);
/* else *err */
bool gpu_ok(Gpu *d, GpuResult r, const GpuModule *m, enum GpuCall call, DevError *err);
/* No memory for so many bytes (0: nobody says how many) of a tensor, or of workspaces. */
DevError gpu_full(const Gpu *d, bool workspaces, size_t bytes);

/* device.c.  The driver knows the device by the thread: to be called before any call of
 * it by one that may be new. */
bool gpu_here(Gpu *d, DevError *err);
/* A worker that was killed leaves its memory, and an exclusive GPU, a moment after its
 * successor has come: true, after a short sleep, while it is worth asking again. */
bool gpu_patience(const Gpu *d);
/* Something that the user must know, with all its arguments: kept (it is taken over) and told
 * with the next launch, once. */
void gpu_note(Gpu *d, DevError note);
void gpu_say(Gpu *d, const DevHost *host);
/* Members of struct Device; gpu_open: of Device.open, for vendor v. */
void *gpu_open(const GpuVendor *v, const char *options, DevError *err);
void gpu_close(void *dev);
bool gpu_apart(const char *options);

/* describe.c */
bool gpu_complete(void *dev, Str *options, DevError *err);
void gpu_describe(void *dev, Str *out);
void gpu_warm(void *dev);

/* code.c */
bool gpu_compiler(Gpu *d, DevError *err); /* opens it, once */
bool gpu_code(Gpu *d, const char *text, GpuCode *out, DevError *err);
/* The same, whatever the cache has; *c is what it had. */
bool gpu_code_again(Gpu *d, const char *text, GpuCode *c, DevError *err);
void gpu_code_free(GpuCode *c);

/* load.c */
void *gpu_load(void *dev, const char *path, const char *name, DevError *err);
void gpu_unload(void *dev, void *mod);
void gpu_facts(void *dev, void *mod, Str *out);
/* Code into the driver. */
bool gpu_load_code(Gpu *d, const GpuCode *c, void **mod, DevError *err);

/* launch.c */
bool gpu_bind_module(Gpu *d, GpuModule *m, DevError *err); /* parameters of a fresh module */
bool gpu_launch(void *dev, void *mod, const DevArg *arg, int narg, const DevHost *host,
                double *ms, uint32_t *failed_at, DevError *err);
/* Queues one run of m; the caller waits. */
bool gpu_enqueue(Gpu *d, GpuModule *m, const DevArg *arg, int narg, DevError *err);
/* Waits for the queue and gives what was printed; an error of the runs goes to err. */
bool gpu_finish(Gpu *d, GpuModule *m, const DevHost *host, uint32_t *failed_at, DevError *err);
/* The form of a launch that the device takes.  extra: as packed launches want it. */
GpuResult gpu_start(const Gpu *d, void *fn, const unsigned grid[3], unsigned threads,
                    unsigned shared, void **param, void **extra);

/* side.c: the side buffer's memory */
bool gpu_out_open(Gpu *d, DevError *err);
bool gpu_out_start(Gpu *d, DevError *err);  /* a run begins */
GpuResult gpu_out_fetch(Gpu *d);         /* it has ended */
void gpu_out_close(Gpu *d);

/* memory.c */
void *gpu_mem_new(void *dev, void *host, size_t bytes, DevError *err);
void gpu_mem_free(void *dev, void *devcopy);
bool gpu_mem_zero(void *dev, void *devcopy, size_t at, size_t n, DevError *err);
bool gpu_mem_fill(void *dev, void *devcopy, size_t at, size_t n, uint64_t fill, DevError *err);
bool gpu_mem_put(void *dev, void *devcopy, const void *host, size_t at, size_t n, DevError *err);
bool gpu_mem_get(void *dev, void *devcopy, void *host, size_t at, size_t n, DevError *err);
/* Allocates, after giving back what is kept for later if it must be. */
GpuResult gpu_alloc(Gpu *d, GpuAddress *at, size_t bytes);

/* copy.c: to or from the device, and a wait. */
GpuResult gpu_put(Gpu *d, GpuAddress at, const void *host, size_t n);
GpuResult gpu_get(Gpu *d, void *host, GpuAddress at, size_t n);
enum GpuCall gpu_copy_call(const Gpu *d, bool put);
void gpu_lanes_close(Gpu *d);

/* bench.c */
bool gpu_bench(void *dev, const DevBench *b, const DevHost *host, DevError *err);
void gpu_flush(void *dev);
void gpu_bench_close(Gpu *d);

/* text.c */
bool gpu_text(void *dev, void *mod, const char *what, Str *path, DevError *err);
bool gpu_keep_text(Gpu *d, const char *ext, const Str *s, Str *path, DevError *err);
bool gpu_no_text(const char *what, DevError *err);

/* probe.c */
extern const GpuProbe gpu_probe_none; /* nothing is known */
void gpu_probe_load(Gpu *d);
/* Keeps what was told about this device, lines of core/device/probe.h, as its answers. */
bool gpu_probe_store(Gpu *d, const char *devprobe);
/* The lines that were kept, added to out; false: there are none. */
bool gpu_probe_text(const Gpu *d, Str *out);
void gpu_probe_path(const Gpu *d, Str *out);
/* Takes limits and forms from the answers; an error: why the device is not opened. */
DevError gpu_probe_use(Gpu *d);
/* Why a kernel of this source is not run on it. */
DevError gpu_probe_refuses(const Gpu *d, const char *source);

/* contact.c: the answers, asked for where they are not known. */
void gpu_contact(Gpu *d);

#endif
