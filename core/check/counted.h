/* core/check/counted.h: while loops that count. */
#ifndef MOONTILE_CHECK_COUNTED_H
#define MOONTILE_CHECK_COUNTED_H

#include "core/ir/walk.h"

/* buf is first + by * round, until statement `step` of each round. */
typedef struct Counted Counted;
struct Counted {
    uint32_t buf;
    const Stmt *step;
    int64_t first, by, rounds;
};
/* Does s, a while of `list`, count? */
bool counted_loop(Prog *p, const Stmt *list, const Stmt *s, Counted *k);

/* What a variable is where it counts. */
typedef struct Counting Counting;
struct Counting {
    uint32_t buf;
    const Stmt *step;
    Ex value, behind;          /* until that statement, and behind it */
    Counting *up;              /* the loop around */
};
/* e with those values. */
Ex counted_ex(Prog *p, const Counting *c, Ex e);

#endif
