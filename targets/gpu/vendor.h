/* targets/gpu/vendor.h: what a vendor of GPUs is to the run-time: a table.
 *
 *   options.c  the words behind the target's name
 *   driver.c   the driver by dlopen            faults.c   what its errors mean
 *   rtc.c      text -> code: library, offline compiler       code.c     the cache of code
 *   device.c   struct Device: open, facts      describe.c what it is, for people and for lowering
 *   load.c     thread program -> kernels       launch.c   arguments, launches
 *   memory.c   device copies of host memory            copy.c     large copies through pinned
 * buffers
 *   bench.c    timing, flushing                text.c     source, code
 *   contact.c  a device that was never seen    probe*.c   what it is asked (probe.h)
 *
 * There are two interfaces, of which all vendors have one or the other under a prefix of
 * their own: that of CUDA's driver (cu; MUSA's mu) and that of HIP (hip; MACA's mc).
 *
 * What a target (targets/cuda, targets/hip, targets/maca) has to bring: its machines, a
 * Dialect, a GpuVendor, and a Target made with GPU_DEVICE and GPU_TARGET (target.h).
 * Everything is data but for the functions at the end, which may be NULL. */
#ifndef MOONTILE_GPU_VENDOR_H
#define MOONTILE_GPU_VENDOR_H

#include "core/device/options.h"
#include "core/emit/emit.h"
#include "gpu.h"

typedef struct GpuVendor GpuVendor;
typedef struct GpuArch GpuArch;
typedef struct GpuOptions GpuOptions;
typedef struct GpuFault GpuFault;
typedef struct GpuAttribute GpuAttribute;
typedef struct GpuFigures GpuFigures;
typedef struct GpuMaps GpuMaps;
typedef struct GpuRoutines GpuRoutines;
struct Gpu;
struct GpuModule;
struct GpuRtc;

/* A chip by the name that -arch= takes. */
struct GpuArch {
    const char *name;       /* "gfx942" "c500" */
    const Machine *m;       /* whose instructions it runs */
    const char *compiler;   /* what the compilers are told: "gfx942" "xcore1000"; NULL: the name */
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
    const GpuArch *chip;    /* of -arch=; the vendor's first one where the words name none */
    const Machine *m;       /* whose instructions are used */
    char arch[24];          /* "sm_90a" "gfx942": as the words name it */
    bool arch_given;
    int device;             /* -device=N */
    bool fast_math;         /* -fast-math */
    bool build_only;        /* -build: no driver; text and code only */
    int sms;                /* -sms=N: compute units, 0: not known */
    int shared;             /* -shared=N: bytes a block may have on this card, 0: the machine's */
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
enum { gpu_nwords = 11 };
extern const Option gpu_words[gpu_nwords];      /* of most vendors */
/* Rows that every vendor has, for a table of its own. */
bool gpu_take_card(const OptionWord *w, void *options, Str *known);
#define GPU_COMMON_WORDS \
    {"-device", "-device=N", OPTint, offsetof(GpuOptions, device), 0, 999999999, "0 ..", NULL}, \
    {"-fast-math", "-fast-math", OPTflag, offsetof(GpuOptions, fast_math), 0, 0, NULL, NULL}, \
    {"-build", "-build", OPTflag, offsetof(GpuOptions, build_only), 0, 0, NULL, NULL}, \
    {"-sms", "-sms=N", OPTint, offsetof(GpuOptions, sms), 1, 999999999, "1 ..", NULL}
#define GPU_CARD_WORD {"-card", "-card=NAME", OPTown, 0, 0, 0, NULL, gpu_take_card}

void gpu_use_arch(GpuOptions *o, const GpuArch *a);
const char *gpu_told(const GpuOptions *o);      /* what compilers are told of the chip */
/* The machine of these options: Target.machine; they change its figures.  NULL: reported. */
const Machine *gpu_machine(Ctx *c, const GpuVendor *v, const char *options);
/* p as the vendor's text: Target.emit. */
bool gpu_emit(Prog *p, const GpuVendor *v, const char *options, Str *out);
/* Is there a device, by the files of its driver (and its library, of `common` vendors):
 * Target.present. */
bool gpu_present(const GpuVendor *v);

/* What an error means: by its number, or by its name behind the prefix where the vendor's
 * numbers are not known. */
enum GpuFaultKind {
    GFkernel,    /* a kernel that ran ended so, and with it the context; row: the message */
    GFlost,      /* the device or the driver is gone */
    GFno_device, /* there is none; behind opening: gone */
    GFstart,     /* of the driver's start alone; row: the message */
    GFfull,      /* no memory */
    GFresources, /* a block wants more than there is */
    GFcluster,   /* the grid is no multiple of the cluster */
    GFcode       /* this code does not load */
};
struct GpuFault {
    int from, to;           /* numbers; 0 of those that go by name */
    const char *name;
    enum GpuFaultKind kind;
    DevRow1 row;            /* the message; of GFlost: at the driver's start */
    bool busy;              /* opening the context: somebody else has the device */
};
/* faults.c: of HIP's interface; `from` is -1 behind the last. */
extern const GpuFault gpu_runtime_faults[];

/* Messages that vendors have of their own: E_cuda_no_library, E_gpu_no_library ..  The last three
 * are of CUDA's interface alone (GPUdriver). */
typedef struct GpuRows GpuRows;
struct GpuRows {
    DevRow2 no_ordinal;
    DevRow3 old_chip, wrong_arch, compiler_broken;
    DevRow4 no_library, no_device, threads, lost;
    DevRow5 old_library, init, no_compiler, failed;
    DevRow3 busy, newer_code, resources;
};
#define GPU_ROWS(name) \
    .no_library = DEV_ROW(4, E_##name##_no_library), \
    .old_library = DEV_ROW(5, E_##name##_old_library), \
    .no_device = DEV_ROW(4, E_##name##_no_device), .init = DEV_ROW(5, E_##name##_init), \
    .no_ordinal = DEV_ROW(2, E_##name##_no_ordinal), \
    .old_chip = DEV_ROW(3, E_##name##_old_chip), \
    .wrong_arch = DEV_ROW(3, E_##name##_wrong_arch), \
    .no_compiler = DEV_ROW(5, E_##name##_no_compiler), \
    .compiler_broken = DEV_ROW(3, E_##name##_compiler_broken), \
    .threads = DEV_ROW(4, E_##name##_threads), .lost = DEV_ROW(4, E_##name##_lost), \
    .failed = DEV_ROW(5, E_##name##_failed)
extern const GpuRows gpu_runtime_rows; /* faults.c: of HIP's interface */

/* A number that the driver is asked for, and where the answer goes. */
struct GpuAttribute { int number; size_t at; };

/* What a compiler's log has said so far. */
struct GpuFigures { Str *info; char kernel[256]; int regs, more, stack; };
void gpu_clang_figures(void *figures, const char *line); /* code.c: clang's remarks */

/* Descriptors of copies, which kernels get beside their arguments. */
struct GpuMaps {
    bool (*bind)(struct GpuModule *m);                 /* of a fresh module: m->map, malloc'd */
    void *(*at)(void *module, int i);                  /* where map i stands */
    bool (*take)(struct Gpu *d, struct GpuModule *m, DevError *err); /* for new arguments */
};

/* Routines of a vendor's library as modules, to measure against. */
struct GpuRoutines {
    void *(*load)(struct Gpu *d, const char *spec, DevError *err);
    void (*unload)(struct Gpu *d, void *routine);
    bool (*enqueue)(struct Gpu *d, void *routine, const DevArg *arg, int narg, DevError *err);
    void (*facts)(const void *routine, Str *out);
};

enum GpuApi { GPUdriver, GPUruntime };

struct GpuVendor {
    const char *target;          /* "cuda" "hip" "maca" */
    enum GpuApi api;
    const char *prefix, *rtc;    /* of entry points: "cu" "nvrtc", "hip" "hiprtc", "mc" "mcrtc" */
    const char *product;         /* for messages: "CUDA" "ROCm" "MACA" */
    const char *unnamed;         /* stands for an error that has no name */
    const GpuRows *rows;
    const Dialect *dialect;
    const GpuArch *arch; int narch;
    bool chips;                  /* they differ in their code: an unknown one is refused */
    const Option *words; int nwords;
    bool async;                  /* -async is on unless it is off */
    bool shared_differs;         /* cards of one machine differ in shared memory: -shared */

    /* The driver: $lib_env alone where it is set; else names where dlopen() looks, behind
     * `first` places and before `then` places. */
    const char *lib_env;
    const char *const *names;
    const GpuPlace *first; int nfirst;
    const GpuPlace *then; int nthen;
    bool global;                 /* it loads siblings, which look for its names */
    int least;                   /* the oldest version that is served; 0: any */
    const char *visible;         /* variable that hides devices */
    const char *const *nodes;    /* files that its driver makes; NULL behind the last */
    bool common;                 /* machines that nobody means to compute with have them
                                  * too (laptops): without the library, no device */
    const char *tool;            /* that lists devices: "rocm-smi" "mx-smi" */
    const GpuFault *faults;

    /* Of devices (into GpuFacts) and functions (into GpuFunction); NULL: their numbers are not
     * known.  `at` 0 behind the last. */
    const GpuAttribute *device_attributes, *function_attributes;
    int compute_mode;            /* attribute: may others use the device? 0: nobody says it */
    int shared, max_threads;     /* limits where the driver does not say them */
    bool cooperative;            /* there is a launch for grid-wide barriers */
    bool threads32;              /* threads of a grid are counted in 32 bits */
    intptr_t launch_key[3];      /* of a packed launch: pointer, size, end */

    /* The compiler's library: names of one version after another, NULL behind the last;
     * NULL: the run-time has it. */
    const char *rtc_env, *rtc_name;          /* rtc_name: for people, NULL: rtc */
    const char *const *const *rtc_names;
    const GpuPlace *rtc_then; int nrtc_then; /* where it may be; none: where the driver may be */
    bool rtc_alone;              /* another compiler serves only where no library is there, and
                                  * none was named */
    /* Functions that give the code behind the rtc's prefix, best first: size, bytes. */
    const char *const *getter[2];            /* names of the functions; NULL behind the last */
    const char *assembly[2];                 /* the same of assembly; NULL: there are none */
    /* "{arch}" stands for the chip, "{fast}" for `fast` where -fast-math asks, else the word
     * is left out; of `rtc_more` the last ones go where the library does not know them. */
    const char *const *rtc_options, *const *rtc_more;
    const char *fast;
    int rtc_unknown_option;      /* its error; 0: none */
    /* The offline compiler: $offline_env alone where it is set; else PATH, then places. */
    const char *offline_env;
    const char *const *offline_names;
    const GpuPlace *offline; int noffline;
    const char *const *offline_argv;         /* behind its name: also "{in}" "{out}" "{form}" */
    const char *form[2];                     /* code, assembly */
    const char *offline_word;                /* behind it stands the version; NULL: anywhere */
    const char *text_ext, *code_ext;         /* "cu" "cubin", "hip" "hsaco" */
    const char *code_name, *assembly_name;   /* as k:text() and facts name them */
    void (*figures)(void *figures, const char *line); /* reads a line of the compiler's log */
    const char *words_of_probes; /* MT_TID, MT_BARRIER() ..; NULL: nothing is asked (probe.h) */

    /* The rest may be NULL. */
    DevError (*ask)(struct Gpu *d);          /* what is beside the attributes */
    DevError (*fit)(struct Gpu *d);          /* the chip's own -arch; else by the names of chips */
    void (*opened)(struct Gpu *d), (*closed)(struct Gpu *d);
    void (*describe)(struct Gpu *d, Str *out), (*rates)(struct Gpu *d, Str *out);
    double (*mhz)(const struct Gpu *d);      /* of the multiprocessors, now; 0: unknown */
    /* How well a library serves this driver and chip; from rank_enough on no other is tried. */
    int (*rank)(const struct GpuRtc *t, int driver, const char *arch);
    int rank_enough;
    /* What to compile for: a chip that the library does not know gets assembly for another. */
    bool (*target_of)(const struct GpuRtc *t, const char *arch, char out[24]);
    /* Is this code of a form that the compiler is known to get wrong? */
    bool (*doubtful)(const Str *code);
    const char *(*wheel)(int driver);        /* version of the package that has the compiler */
    bool (*text)(struct Gpu *d, const struct GpuModule *m, const char *what, Str *path,
                 DevError *err);
    const GpuMaps *maps;
    const GpuRoutines *routines;
};

#endif
