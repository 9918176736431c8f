/* core/proc.h: running a program of the system's, such as the C compiler. */
#ifndef MOONTILE_PROC_H
#define MOONTILE_PROC_H

#include "base.h"

typedef struct Proc Proc;
struct Proc {
    char *const *argv;   /* argv[0]: a path */
    const char *in;      /* its standard input */
    size_t nin;
    Str out;             /* what it wrote, both streams; the caller's to free */
    int status;          /* of waitpid */
    bool interrupted;    /* session_interrupt ended it; left set */
};

enum { ProcOutput = 1 << 20 }; /* bytes kept of what it writes */

/* Runs p to its end.  false: it could not be started (errno) or was
 * interrupted; its whole process group is gone then. */
bool proc_run(Proc *p);

/* The file that a shell would run for `name`: NULL if none, else malloc'd. */
char *proc_find(const char *name);

#endif
