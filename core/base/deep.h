/* core/base/deep.h: the stack of the program and of its threads.
 *
 * An expression is walked by calls, a level half a KiB at most (three with sanitizers), and a sum
 * of ten thousand terms is as many levels deep.  The 8 MiB that a process gets carry that no more. */
#ifndef MOONTILE_DEEP_H
#define MOONTILE_DEEP_H

enum { DeepBytes = 128 << 20, DeepGuard = 1 << 20 }; /* memory is taken as far as it is touched */

/* f(argc, argv) on a stack of DeepBytes, in the calling thread; returns what f returns.  Without
 * memory for the stack: -1, and f was not called. */
int deep_call(int (*f)(int argc, char **argv), int argc, char **argv);

#endif
