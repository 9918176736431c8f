/* core/device/jail.h: walls around a process that runs a program which nobody trusts. */
#ifndef MOONTILE_JAIL_H
#define MOONTILE_JAIL_H

#include "core/base/base.h"

/* The sanitizers reserve terabytes and ask the kernel for more than the filters have. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

typedef struct Jail Jail;
struct Jail {
    size_t bytes;    /* of address space, beyond what the process has now; 0: no limit */
    size_t file;     /* bytes of a file in memory; there are no others */
    unsigned cpu;    /* seconds of processor time, beyond what it has used */
    int keep;        /* descriptors above this one are closed */
    const char *folder; /* below which files may be read; NULL: none may */
};

enum { JailFiles = 64 }; /* descriptors that the process may have */

/* The process ends with its parent, the process of that id; false: that is gone. */
bool jail_follow(int parent);

/* Puts the walls up; there is no way back.  The process gains no rights, leaves no core,
 * starts nothing, connects to nothing, opens files for reading only, and those of j->folder
 * alone.  Walls that this kernel does not have are left out: none stands alone. */
void jail_enter(const Jail *j);

/* jail_worker.c: of a worker that runs machine code which a stranger's program became.  Whoever
 * serves strangers sets this name in its environment: to the processor seconds that a
 * compiler may use, with a ! behind them where nothing is to run without all of the walls.
 * 0: nobody asked. */
#define JAIL_GUARD "MOONTILE_GUARD"
#define JAIL_MUST "!"
unsigned jail_asked(void);
bool jail_must(void);
/* jail_env.c: may such a process, its compilers among them, know this NAME=.. of the environment?
 * jail_environ(): a list of those that there are, and where compiled kernels and temporary files
 * are; its strings are the environment's own; NULL on lack of memory. */
bool jail_knows(const char *e);
char **jail_environ(void);
/* The first of its walls that this machine does not have; NULL: all are there.  It is tried, by a
 * thread that ends with it. */
const char *jail_missing(void);
/* Both are false where the wall could not be put up. */
bool jail_files(const char *kernels); /* from here on only these are read; nothing is written */
void jail_folder(const char *folder); /* the same, without the libraries; NULL: nothing is read */
bool jail_calls(void);                /* all threads, once the device is open */

#endif
