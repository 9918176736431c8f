/* core/worker.h: the other side: the process that owns the device.
 *
 * worker_main() serves one session over the socket `fd` until it closes.  It
 * is generic; what a device does is behind struct Device, which a target
 * implements in its own folder. */
#ifndef MOONTILE_WORKER_H
#define MOONTILE_WORKER_H

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
     * even if the kernel never ends.  One line of text a message, notes about it
     * on the lines behind:
     *     "@id" SEP "file:line:col" SEP "argument 1" SEP ..
     * id: a row of the tables of messages.  The place may be empty, and no
     * argument holds a line's end.  Errors make the launch fail. */
    void (*report)(void *ud, const char *s, size_t n);
};

typedef struct Device Device;
/* When a result is NULL or false, *err is a malloc'd text, "@id" and arguments
 * with DEV_SEP before each: a row of errs_run.h whose {1} is the kernel's name
 * and whose {2} and so on are the arguments.  dev_error() makes one. */
#define DEV_SEP "\037"
struct Device {
    void *(*open)(const char *options, char **err);
    void (*close)(void *dev);
    void *(*load)(void *dev, const char *path, const char *name, char **err);
    void (*unload)(void *dev, void *mod);
    /* One run, synchronous.  *failed_at: line of a device assert, else 0.  An
     * *err of "@reported": DevHost.report has been told why. */
    bool (*launch)(void *dev, void *mod, const DevArg *arg, int narg,
                   const DevHost *host, double *ms, uint32_t *failed_at, char **err);
    void (*flush)(void *dev); /* evict caches */
    void (*describe)(void *dev, Str *out);
};

/* NULL when even that much memory is missing. */
PRINTF(1, 2) char *dev_error(const char *fmt, ...);

/* The program calls this, before anything else, when its arguments are
 * "--worker FD". */
int worker_main(int fd, const Target *const *table); /* exit status */

#endif
