/* core/lower/vary/vary.h: what differs between the threads of a block, and where.
 *
 * The one analysis that answers, for a place in the program: do the threads that come here, of
 * the block or of the role around, have this value in common?  Do all of them come here?  It
 * follows values in the order of execution, see flow.c, so that
 *
 *     v = tid; h[tid] = v; v = h[0]; if v == 3 then ..     v is alike where it is tested
 *     v = tid; if v // 128 == 0 then ..                    as tid // 128 is: a range of threads
 *     if tid < 5 then v = 1 else v = 1 end                 v is alike behind it
 *
 * What it cannot tell differs. */
#ifndef MOONTILE_VARY_H
#define MOONTILE_VARY_H

#include "core/lower/build/low.h"

/* Bit t: thread t may have another value than thread t - 1, where both are. */
typedef uint64_t Steps;

enum VaryOf {
    VaryTiles,   /* a tile program, tid being its one thread variable */
    VaryOnce,    /* ... what lanes find out together counts as each one's own: what a block does
                  * once is so on machines of any width of a warp */
    VaryThreads  /* a thread program: conditions, bounds and places, nothing else */
};

enum { MostAround = 4 * MaxLoop };

/* Where questions are about. */
typedef struct VaryHere VaryHere;
struct VaryHere {
    int lo, hi;              /* the threads of the role around, or of the block */
    const Steps *div;        /* where threads differ in whether they come */
    /* while it is gone through */
    int parloop;             /* depth: inside of a parallel loop */
    uint32_t around[MostAround]; int naround; /* the parallel loop's variables */
    const Stmt *within;      /* the condition or loop in the parallel loop that differs, or NULL */
    Ex cond;                 /* ... what differs of it */
};

typedef struct Vary Vary;
/* Goes through the launch as it is.  see, if not NULL, is called in front of each statement as
 * often as it is come by, and may ask about that place.  The memory is l->p's. */
typedef void VarySee(void *ud, Vary *v, const Stmt *s);
Vary *vary_look(Low *l, enum VaryOf of, VarySee *see, void *ud);

/* From now on questions are about the place in front of s; of a while loop, where its condition is
 * tested.  A statement that was not there differs in all that is not a number. */
void vary_at(Vary *v, const Stmt *s);
const VaryHere *vary_here(const Vary *v);
bool vary_ex(Vary *v, Ex e);             /* do threads that are here differ in e? */
bool vary_ex_but(Vary *v, Ex e, Ex but); /* ... where the load `but` counts as alike */
bool vary_comes(const Vary *v);          /* ... in whether they come here? */
/* Of a statement, at which vary_at() is put: the expressions that it holds itself; how often a
 * loop runs. */
bool vary_own(Vary *v, const Stmt *s);
bool vary_loop(Vary *v, const Stmt *s);
/* What threads differ in at s, a condition or a loop, and where it stands: of a loop that some
 * leave, at the condition around the jump; 0: nothing. */
Ex vary_cause(Vary *v, const Stmt *s, const Stmt **at);
/* e with what is known of private variables in their place: made of the thread's index, names
 * and numbers alone; 0: it is made of more. */
Ex vary_value(Vary *v, Ex e);
/* Do the elements of region r of a private array differ? */
bool vary_region(Vary *v, const Region *r);
/* While it is gone through: was private buf stored in since the parallel loop around began? */
bool vary_kept(const Vary *v, uint32_t buf);
/* The statement that gave let var its value, the last one; NULL: none was come by. */
const Stmt *vary_let(const Vary *v, uint32_t var);

/* Of groups of n adjacent threads: do all of one come here, or none?  Do those of one differ in e? */
bool vary_groups_come(const Vary *v, int n);
bool vary_groups_differ(Vary *v, Ex e, int n);

bool vary_collective(uint32_t fn);       /* an intrinsic whose result is the block's */
/* Is buf an array or a variable that each thread has of its own? */
static inline bool vary_private(const Prog *p, uint32_t buf)
{
    return buf && (p->buf[buf].scope == SClocal || p->buf[buf].scope == SCvar);
}

#endif
