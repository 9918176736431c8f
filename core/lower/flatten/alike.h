/* core/lower/flatten/alike.h: what is known of how values differ between threads: see alike.c. */
#ifndef MOONTILE_ALIKE_H
#define MOONTILE_ALIKE_H

#include "core/ir/eval.h"
#include "flatten.h"

/* Bit t: thread t's value may not be thread t - 1's.  Alike.words words. */
typedef uint64_t Steps;

enum { MostAround = 4 * MaxLoop };

typedef struct Alike Alike;
struct Alike {
    Low *l;
    Eval ev;
    uint32_t words;
    uint32_t *slot, nslot;   /* of a private root: its first element's place in now, from 1 */
    uint32_t *count;         /* ... and how many elements have one; 1: the array has one */
    Steps *now, *var;        /* of private arrays, where we are; of variables */
    Steps *left;             /* like now: where the loop around was left, or its round ended */
    bool *kept;              /* by slot: stored in since the parallel loop began */
    bool *each;              /* flat_own()'s */
    Vary vary;               /* what flat_once() goes by */
    bool apart;              /* inside of what it takes to be some threads' alone */
    const Steps *div;        /* where threads differ in whether they come to where we are */
    int rounds;              /* of loops around that are gone through one by one */
    int lo, hi;              /* the threads that come to where we are */
    int parloop;             /* depth: inside of a parallel loop */
    uint32_t around[MostAround]; int naround; /* the parallel loop's variables */
    const Stmt *within;      /* the condition or loop in the parallel loop that differs, or NULL */
    Ex cond;                 /* ... what differs of it */
};

/* What is known of elements of a private array: n from the first on. */
typedef struct Part { uint32_t first, n; } Part;

/* steps.c -------------------------------------------------------------------- */

static inline void steps_put(Steps *s, int t) { s[t / 64] |= (Steps)1 << t % 64; }
static inline bool steps_at(const Steps *s, int t) { return s[t / 64] >> t % 64 & 1; }
Steps *steps_none(const Alike *a);
void steps_join(const Alike *a, Steps *to, const Steps *from);
void steps_every(const Alike *a, Steps *to, int n);   /* at each multiple of n */
bool steps_differ(const Alike *a, const Steps *s);    /* do the threads that are here differ? */
Steps *alike_slot(const Alike *a, uint32_t k);        /* those of element k, counted from 1 */
Steps *alike_var(const Alike *a, uint32_t var);
Part alike_whole(const Alike *a, uint32_t buf);
/* The element with these indices; where they are not known all that there are. */
Part alike_element(Alike *a, uint32_t buf, const Ex *idx);
Part alike_region(Alike *a, const Region *r, bool *all); /* *all: and nothing else is in it */
void alike_join(const Alike *a, Steps *to, Part k);
/* Adds e's steps; of `but`, where e holds that load, none. */
void alike_add(Alike *a, Steps *to, Ex e, Ex but);
void alike_add_all(Alike *a, Steps *to, const Stmt *s);  /* those of all expressions of s itself */
bool alike_differs(Alike *a, Ex e, Ex but);

/* refused.c ------------------------------------------------------------------ */

/* Unwind where statement s may not stand as it does: stores and atomics are in a parallel loop.
 * div: where threads differ in whether they come there. */
void alike_store(Alike *a, const Stmt *s, const Steps *div);
void alike_atomic(Alike *a, const Stmt *s, const Steps *div);
void alike_tile(Alike *a, const Stmt *s);

/* An ExFn, false at the first expression that differs: e, else 0. */
typedef struct First { Alike *a; Ex e; } First;
bool alike_first(void *ud, Ex e);

#endif
