/* core/device/worker.h: the other side: the process that owns the device.
 *
 * worker_main() serves one session over the socket `fd` until it closes.  It
 * is generic; what a device does is behind struct Device, which a target
 * implements in its own folder. */
#ifndef MOONTILE_WORKER_H
#define MOONTILE_WORKER_H

#include "error.h"
#include "session.h"

typedef union DevArg DevArg;
union DevArg { void *p; int64_t i; double f; };

/* The worker's services to a running kernel. */
typedef struct DevHost DevHost;
struct DevHost {
    void *ud;
    /* Bounded; thread-safe; text arrives at the session in order of blocks. */
    void (*print)(void *ud, int64_t block, const char *s, size_t n);
    /* A message for the user at a line of theirs, sent on at once: it arrives
     * even if the kernel never ends.  Errors make the launch fail. */
    void (*report)(void *ud, const DevMessage *m);
    /* bench(): a run has ended, the time limit begins anew. */
    void (*alive)(void *ud);
    /* What is being waited for, for people.  NULL: nothing more. */
    void (*status)(void *ud, const DevMessage *m);
    /* Has the user asked to stop?  What can be given up without losing anything then
     * ends with dev_interrupted(). */
    bool (*stopped)(void *ud);
};

typedef struct Device Device;
/* One run of bench(): struct BenchJob with the device's own arguments. */
typedef struct DevFailed DevFailed;
struct DevFailed { int module; uint32_t line; }; /* -1: not known; of a device assert, else 0 */
typedef struct DevBench DevBench;
struct DevBench {
    void *const *mod; int n;
    const DevArg *const *set; const int *narg; int nsets;
    int warmup, rounds, batch; bool flush, chain;
    double *ms, *mhz;
    DevFailed *failed; /* where a bench that failed did so; may be NULL */
};
static inline void bench_failed(const DevBench *b, int module, uint32_t line)
{
    if (b->failed)
        *b->failed = (DevFailed){module, line};
}
/* Module k-th in turn of a round, and whether caches are flushed before it. */
static inline int bench_turn(const DevBench *b, int round, int k)
{
    return !b->chain && round & 1 ? b->n - 1 - k : k;
}
static inline bool bench_flushes(const DevBench *b, int i) { return b->flush && !(b->chain && i); }
/* When a result is NULL or false, *err says why, and is the caller's; none: there was no
 * memory. */
struct Device {
    void *(*open)(const char *options, DevError *err);
    void (*close)(void *dev);
    void *(*load)(void *dev, const char *path, const char *name, DevError *err);
    void (*unload)(void *dev, void *mod);
    /* One run, synchronous.  *failed_at: line of a device assert, else 0.  An
     * *err of dev_reported(): DevHost.report has been told why. */
    bool (*launch)(void *dev, void *mod, const DevArg *arg, int narg,
                   const DevHost *host, double *ms, uint32_t *failed_at, DevError *err);
    void (*flush)(void *dev); /* evict caches */
    void (*describe)(void *dev, Str *out);

    /* The rest may be NULL. */
    /* Of these options: has the device memory of its own?  Asked in the session's
     * process, before anything is opened.  NULL: as mem_new says. */
    bool (*apart)(const char *options);
    /* Devices with memory of their own.  mem_new makes a device copy of bytes of host memory
     * and returns its device address, which DevArg.p then counts from; put and get
     * copy bytes [at, at + n) of the device copy from or to [host, host + n), synchronously.
     * An *err of E_device_full with the bytes asked for, free and in all, as text
     * ("3.2 GiB"): the session frees what it can and asks again. */
    void *(*mem_new)(void *dev, void *host, size_t bytes, DevError *err);
    void (*mem_free)(void *dev, void *devcopy);
    bool (*mem_zero)(void *dev, void *devcopy, size_t at, size_t n, DevError *err); /* or NULL */
    /* The 8 bytes of `fill` over and over; at is a multiple of 8.  NULL: the host writes them. */
    bool (*mem_fill)(void *dev, void *devcopy, size_t at, size_t n, uint64_t fill, DevError *err);
    bool (*mem_put)(void *dev, void *devcopy, const void *host, size_t at, size_t n, DevError *err);
    bool (*mem_get)(void *dev, void *devcopy, void *host, size_t at, size_t n, DevError *err);
    /* Options as session_options() wants them. */
    bool (*complete)(void *dev, Str *options, DevError *err);
    void (*facts)(void *dev, void *mod, Str *out);  /* lines "name value" of a loaded kernel */
    /* Writes what ("ptx", "sass", "cubin") to a file and gives its path. */
    bool (*text)(void *dev, void *mod, const char *what, Str *path, DevError *err);
    bool (*bench)(void *dev, const DevBench *b, const DevHost *host, DevError *err);
    /* Called while nothing else is to be done: load and warm what the first kernel needs. */
    void (*warm)(void *dev);
    /* Called once behind open: services that hold until close; print is not among them, and
     * report only for calls that fail by dev_reported().  A device that has this obeys
     * `stopped`. */
    void (*attach)(void *dev, const DevHost *host);
    /* The session ends in order; quick. */
    void (*leave)(void *dev);
    /* Its kernels are machine code of the worker's own process. */
    bool native;
    /* The message where the worker ends by abort(): of drivers that do so when a kernel
     * fails; its {1} is the kernel's name.  E_none: a kernel wrote over memory of the process. */
    Err aborts;
};

/* The program calls this, before anything else, when its arguments are
 * "--worker FD". */
#define WORKER_FLAG "--worker"
#define WORKER_NATIVE "--worker=native" /* of a Device that is so */
bool worker_flag(int argc, char **argv); /* was the program started as a worker? */
int worker_main(const char *flag, int fd, const Target *const *table); /* exit status */

#endif
