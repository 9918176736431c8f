/* core/base/watch.h: the process that ends what this one leaves running when it is killed.
 *
 * Compilers lead process groups of their own, so that Ctrl-C ends each with what it has started; a signal that
 * ends us reaches none of them, and a compiler goes on for as long as it likes.  A shell is told of every group
 * and ends those that are left when we are gone:
 *
 *     moontile --- "+71" "+80" "-71" end of file --> sh: kill -KILL -80
 *
 * It is a help, not a promise: where there is no shell, or no process may be begun, things are as without it. */
#ifndef MOONTILE_WATCH_H
#define MOONTILE_WATCH_H

#include <sys/types.h>

/* A child leads group id; it is about to end, or has.  The shell is there while there are such groups. */
void watch_begin(pid_t id);
void watch_end(pid_t id);

/* From now on nothing is watched: somebody else ends what this process leaves. */
void watch_none(void);

#endif
