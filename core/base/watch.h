/* core/base/watch.h: the process that ends what this one leaves running when it is killed.
 *
 * Compilers lead process groups of their own, so that Ctrl-C ends each with what it has started; a
 * signal that ends us reaches none of them, and a compiler goes on for as long as it likes.  A second
 * process of this program is told of every group, and ends those that are left when we are gone.  A group
 * that it has not been told of yet waits for its input, which then ends. */
#ifndef MOONTILE_WATCH_H
#define MOONTILE_WATCH_H

/* Group id begins or has ended.  Where no such process can be started, nothing. */
void watch_begin(int id);
void watch_end(int id);

/* The process itself, at the other end of fd. */
int watch_main(int fd);

#define WATCH_FLAG "--watch"

#endif
