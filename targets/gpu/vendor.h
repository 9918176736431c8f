/* targets/gpu/vendor.h: the run-time of AMD's HIP and of MetaX' MACA, once for both.
 *
 * libamdhip64 (libgalaxyhip of Hygon) and libmcruntime are one interface under two
 * prefixes, and so are their compilers' libraries.  What differs is data: GpuVendor.
 *
 *   options.c  the words behind "hip", "maca"
 *   driver.c   the run-time by dlopen          rtc.c      text -> code: library, offline compiler
 *   device.c   struct Device: open, facts      code.c     the cache of code
 *   load.c     thread program -> kernels       launch.c   arguments, launches
 *   memory.c   twins of host memory            bench.c    timing, flushing
 *   faults.c   what errors mean           text.c     source, code
 *   contact.c  a device that was never seen    probe*.c   what it is asked (probe.h)
 *
 * What a target (targets/hip, targets/maca) has to bring: its machines, a Dialect, a
 * GpuVendor, and a Target made of GPU_TARGET (target.h). */
#ifndef MOONTILE_GPU_VENDOR_H
#define MOONTILE_GPU_VENDOR_H

#include "core/emit/emit.h"
#include "gpu.h"

typedef struct GpuVendor GpuVendor;
typedef struct GpuArch GpuArch;
typedef struct GpuOptions GpuOptions;

/* A chip by the name that -arch= takes. */
struct GpuArch {
    const char *name;       /* "gfx942" "c500" */
    const Machine *m;       /* whose instructions it runs */
    const char *compiler;   /* what the compilers are told: "gfx942" "xcore1000" */
    const char *device;     /* how a device of it is named, where that says it: gcnArchName
                             * cut at ':' ("gfx942"), or a part of its name ("C500") */
    int sms;                /* compute units, where no driver says it; else 0 */
    int cache;              /* MiB of the last cache, where it is larger than what the driver
                             * calls L2; else 0 */
    bool no_mma;            /* it lacks the machine's matrix instructions */
};

/* What the words behind the target's name say; the device completes them
 * (Device.complete), so that programs are lowered for the card that is there. */
struct GpuOptions {
    const GpuVendor *vendor;
    const GpuArch *arch;   /* -arch=; the vendor's first one where the words name none */
    bool arch_given;
    int device;             /* -device=N */
    bool fast_math;         /* -fast-math */
    bool build_only;        /* -build: no driver; text and code only */
    int sms;                /* -sms=N: compute units, 0: not known */
    const Card *card;       /* -card=NAME, NULL: the machine's */
    bool async;             /* -async=on: copies by the machine's asynchronous instructions */
    bool packed;            /* -packed=on: launches hand over one buffer, not kernelParams */
    bool mma;               /* -mma=off: products by FMA */
    bool mma_given;         /* -mma=on: all of them, whatever a probe has found */
    char no_mma[512];       /* -no-mma=NAME,..: matrix instructions that are left alone */
    bool rtc;               /* -rtc=off: the offline compiler, whatever else there is */
};

/* options.c.  false: reported. */
bool gpu_options(Ctx *c, const GpuVendor *v, const char *text, GpuOptions *out);
/* The machine of these options: Target.machine.  -sms, -card, -mma=off and -async=off
 * change its figures.  NULL: reported. */
const Machine *gpu_machine(Ctx *c, const GpuVendor *v, const char *options);
/* p as the vendor's text: Target.emit. */
bool gpu_emit(Prog *p, const GpuVendor *v, const char *options, Str *out);
/* Is there a device, by the files of its driver (and its library, of `common` vendors):
 * Target.present. */
bool gpu_present(const GpuVendor *v);

struct GpuVendor {
    const char *target;          /* "hip" "maca" */
    const char *prefix, *rtc;    /* of entry points: "hip" "hiprtc", "mc" "mcrtc" */
    const char *product;         /* for messages: "ROCm" "MACA" */
    const GpuArch *arch; int narch;
    /* The run-time: $lib_env alone where it is set; else names where dlopen() looks, behind
     * `first` places and before `then` places. */
    const char *lib_env;
    const char *const *names;
    const GpuPlace *first; int nfirst;
    const GpuPlace *then; int nthen;
    /* The compiler's library: the same; NULL: the run-time has it. */
    const char *rtc_env;
    const char *const *rtc_names;
    /* Functions that give the code behind the rtc's prefix, best first: size, bytes. */
    const char *const *getter[2];        /* names of the functions; NULL behind the last */
    const char *const *rtc_options;      /* "{arch}" stands for GpuArch.compiler */
    /* The offline compiler: $offline_env alone where it is set; else PATH, then places. */
    const char *offline_env;
    const char *const *offline_names;
    const GpuPlace *offline; int noffline;
    const char *const *offline_argv;     /* behind its name: "{arch}" "{in}" "{out}" */
    const char *text_ext, *code_ext;     /* "hip" "hsaco", "maca" "mcbin" */
    const char *visible;                 /* variable that hides devices */
    const char *const *nodes;            /* files that its driver makes; NULL behind the last */
    bool common;                         /* machines that nobody means to compute with have them
                                          * too (laptops): without the library, no device */
    const char *tool;                    /* that lists devices: "rocm-smi" "mx-smi" */
    /* Limits where the driver does not say them. */
    int shared, max_threads;
    bool attributes;             /* the numbers of DeviceGetAttribute and of FuncGetAttribute are
                                  * known: the tables of driver.h */
    bool cooperative;            /* ModuleLaunchCooperativeKernel is there for grid-wide barriers */
    intptr_t launch_key[3];      /* of a packed launch: pointer, size, end */
    bool (*print)(const Plan *q, const GpuOptions *o, Str *out); /* false: errors in q->p->ctx */
    const Dialect *dialect;
    const char *words;           /* of probes' kernels: MT_TID, MT_BARRIER() .. */
};

#endif
