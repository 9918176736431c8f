/* core/lower/shared/retry.h: what a launch goes without when its shared memory is not enough.
 *
 * How much shared memory a launch takes is known when its buffers are placed, behind the
 * passes that could have asked for less.  Where it is more than the machine has, the
 * launch is lowered again, from what it was, with less: see retry_more(). */
#ifndef MOONTILE_THRIFT_H
#define MOONTILE_THRIFT_H

#include "core/lower/build/low.h"

/* A launch before it is lowered, with all of its program that lowering changes. */
typedef struct Before Before;
struct Before {
    Prog *p;
    Stmt *launch, was, *body;
    Var *var;
    Buf *buf;
    uint32_t nvar, nbuf, ntail, nframe;
    Diag **tail;
    int nerror;
};

/* Under ctx_try.  l: of the launch, newly begun. */
void retry_keep(Low *l, Before *b);
/* The program is as it was then; messages that came since are gone. */
void retry_back(Low *l, const Before *b);
/* The launch could not be placed: *t becomes what to go without the next time; false:
 * nothing is left, or it is another error that ended the passes. */
bool retry_more(const Low *l, Retry *t);
/* The barriers of its roles do not hold, as low_check_mbarriers() says: the next time with boxes of
 * results of their own, without spare stages, then without roles.  false: there are none. */
bool retry_united(const Low *l, Retry *t);

#endif
