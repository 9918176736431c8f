/* targets/wave/device.h: inside the device of HIP and MACA: what its files share. */
#ifndef MOONTILE_WAVE_DEVICE_H
#define MOONTILE_WAVE_DEVICE_H

#include <pthread.h>

#include "driver.h"

typedef struct Wave Wave;
typedef struct WaveModule WaveModule;
typedef struct WaveKernel WaveKernel;

/* What is known about the device: from the driver, where it says it; else the vendor's
 * constants and what a probe has measured. */
typedef struct WaveFacts WaveFacts;
struct WaveFacts {
    char name[128];
    char chip[32];           /* gcnArchName cut at ':'; "" where nobody says it */
    int sms, max_threads, shared, warp, grid[3];
    int l2, clock_khz, memory_khz, bus_bits; /* 0: not known */
    size_t total;            /* bytes of memory */
};

/* What a device has answered (moontile doctor, contact.c): lines "name value", kept with
 * the cache.  -1: not known. */
typedef struct WaveProbe WaveProbe;
struct WaveProbe {
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
typedef struct WaveCode WaveCode;
struct WaveCode {
    Str code;
    Str info;                /* lines: "compiler hiprtc 9.0" "target gfx942"
                              * "kernel NAME REGS STACK SPILLED" "warning TEXT" */
    bool cached;
    double ms;               /* it took to compile */
};

enum { WaveNotes = 4 };

struct Wave {
    Ctx c;                   /* of the options */
    const WaveVendor *v;
    WaveOptions opt;
    WaveDriver cu;           /* not open with -build */
    WaveRtc rtc;
    bool have_rtc;
    char *note[WaveNotes]; int nnote; /* for DevHost.report, until they are told */
    pthread_t thread;        /* the one that has the device set */
    bool set;
    WaveFacts is;
    WaveProbe probe;
    double opened;           /* seconds of the monotonic clock */
    void *begin, *end;       /* events */
    Cache cache;
    GpuBlocks blocks;
    PlanOut *out;            /* the side buffer, as the host sees it; NULL until needed */
    uint64_t out_at;         /* its address on the device */
    bool out_mapped;         /* both are one memory; else it is copied */
    void *wash; size_t washed; /* twice the last cache, to write over; NULL until needed */
    void **event; int nevent;
};

/* A kernel of a module, beside GpuKernel. */
struct WaveKernel {
    void *fn;
    char *buf; size_t nbuf;  /* packed launches: its parameters */
    int regs, local, statics, max_threads, blocks_sm; /* -1: not known */
};

struct WaveModule {
    char *name;
    GpuProgram g;
    Str source;
    WaveCode code;
    void *mod;
    WaveKernel *kernel;      /* by launch */
};

/* faults.c */
/* The error of a call that returned r, as struct Device has them; NULL: there is none.
 * call: without the prefix. */
char *wave_fault(Wave *d, WaveResult r, const char *call);
bool wave_ok(Wave *d, WaveResult r, const char *call, char **err); /* else *err is set */
bool wave_is(const Wave *d, WaveResult r, const char *name);       /* "ErrorNoDevice" */
bool wave_is_full(const Wave *d, WaveResult r);

/* device.c.  The run-time knows the device by the thread: to be called before any call of
 * it by one that may be new. */
bool wave_here(Wave *d, char **err);
/* A worker that was killed leaves its memory a moment after its successor has come:
 * true, after a short sleep, while it is worth asking again. */
bool wave_patience(const Wave *d);
/* Something that the user must know, "@id" DEV_SEP DEV_SEP "argument 1" ..: kept (text is
 * taken over) and told with the next launch, once. */
void wave_note(Wave *d, char *text);
void wave_say(Wave *d, const DevHost *host);

/* Members of struct Device; wave_open: of Device.open, for vendor v. */
void *wave_open(const WaveVendor *v, const char *options, char **err);
void wave_close(void *dev);
void wave_describe(void *dev, Str *out);
bool wave_apart(const char *options);
bool wave_complete(void *dev, Str *options, char **err);
void wave_warm(void *dev);

/* code.c */
bool wave_compiler(Wave *d, char **err); /* opens it, once */
bool wave_code(Wave *d, const char *text, WaveCode *out, char **err);
/* The same, whatever the cache has; *c is what it had. */
bool wave_code_again(Wave *d, const char *text, WaveCode *c, char **err);
void wave_code_free(WaveCode *c);

/* load.c */
void *wave_load(void *dev, const char *path, const char *name, char **err);
void wave_unload(void *dev, void *mod);
void wave_facts(void *dev, void *mod, Str *out);

/* launch.c */
bool wave_bind(Wave *d, WaveModule *m, char **err); /* parameters of a fresh module */
bool wave_launch(void *dev, void *mod, const DevArg *arg, int narg, const DevHost *host,
                 double *ms, uint32_t *failed_at, char **err);
/* Queues one run of m; the caller waits. */
bool wave_enqueue(Wave *d, WaveModule *m, const DevArg *arg, int narg, char **err);
/* Waits for the queue and gives what was printed; an error of the runs goes to err. */
bool wave_finish(Wave *d, WaveModule *m, const DevHost *host, uint32_t *failed_at, char **err);
bool wave_out_start(Wave *d, char **err);
void wave_out_close(Wave *d);

/* memory.c */
void *wave_mem_new(void *dev, void *host, size_t bytes, char **err);
void wave_mem_free(void *dev, void *twin);
bool wave_mem_zero(void *dev, void *twin, size_t at, size_t n, char **err);
bool wave_mem_put(void *dev, void *twin, const void *host, size_t at, size_t n, char **err);
bool wave_mem_get(void *dev, void *twin, void *host, size_t at, size_t n, char **err);
/* Malloc, after giving back what is kept for later if it must be. */
WaveResult wave_alloc(Wave *d, void **at, size_t bytes);
/* Queues a fill with zeros, by what the library has for it. */
WaveResult wave_zero(Wave *d, void *at, size_t bytes);
char *wave_full(Wave *d, const char *row, size_t bytes); /* "@row", asked for, free, in all */

/* bench.c */
bool wave_bench(void *dev, const DevBench *b, const DevHost *host, char **err);
void wave_flush(void *dev);
void wave_bench_close(Wave *d);

/* text.c */
bool wave_text(void *dev, void *mod, const char *what, Str *path, char **err);

/* probe.c */
extern const WaveProbe wave_probe_none; /* nothing is known */
void wave_probe_load(Wave *d);
/* Keeps what was told about this device, lines of core/device/exam.h, as its answers. */
bool wave_probe_store(Wave *d, const char *exam);
/* The lines that were kept, added to out; false: there are none. */
bool wave_probe_text(const Wave *d, Str *out);
void wave_probe_path(const Wave *d, Str *out);
/* Takes limits and forms from the answers.  NULL, or why the device is not opened. */
char *wave_probe_use(Wave *d);
/* Why a kernel of this source is not run on it, or NULL. */
char *wave_probe_refuses(const Wave *d, const char *source);

/* contact.c: the answers, asked for where they are not known. */
void wave_contact(Wave *d);

#endif
