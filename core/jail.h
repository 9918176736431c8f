/* core/jail.h: walls around a process that runs a program which nobody trusts. */
#ifndef MOONTILE_JAIL_H
#define MOONTILE_JAIL_H

#include "base.h"

typedef struct Jail Jail;
struct Jail {
    size_t bytes;    /* of address space, beyond what the process has now; 0: no limit */
    size_t file;     /* bytes of a file in memory; there are no others */
    unsigned cpu;    /* seconds of processor time, beyond what it has used */
    int keep;        /* descriptors above this one are closed */
};

enum { JailFiles = 64 }; /* descriptors that the process may have */

/* The process ends with its parent, the process of that id; false: that is gone. */
bool jail_follow(int parent);

/* Puts the walls up; there is no way back.  The process gains no rights, leaves no core,
 * starts nothing, connects to nothing, opens files for reading only.  Walls that this
 * kernel does not have are left out: none stands alone. */
void jail_enter(const Jail *j);

#endif
