/* core/lower/flatten/flatten.h: inside of low_flatten. */
#ifndef MOONTILE_FLATTEN_H
#define MOONTILE_FLATTEN_H

#include "core/ir/walk.h"
#include "core/ir/eval.h"
#include "core/lower/vary/vary.h"

/* Index of an element of a region: at[k] is added in the k-th dimension whose
 * extent is not 1. */
void flat_index(Low *l, const Region *r, const Ex *at, Ex *idx);
/* Copies of again in front of every continue of the loop whose body is at *at. */
void flat_before_continue(Low *l, Stmt **at, const Stmt *again);
/* own.c.  Does every thread do operation s, at which v is, by itself, spread over none?  *why:
 * what its regions differ in, 0 where they are private. */
bool flat_by_each(const Low *l, Vary *v, const Stmt *s, Ex *why);

/* continue.c.  Takes every `continue` of a loop, of its body, that is not parallel, out of it; false:
 * there is none. */
bool flat_drop_continue(Low *l, Stmt **body, Loc loc);

/* split.c, cases.c ------------------------------------------------------ */

/* Where a condition stands: v is at it. */
typedef struct RangePlace RangePlace;
struct RangePlace {
    Vary *v;
    Eval ev;             /* of the threads of the block, one a lane */
    int lo, hi;          /* the threads that come there: those of the role around */
    const Stmt **loop; uint32_t nloop; /* the loops around, not the parallel ones */
};

typedef struct RangeSplit RangeSplit;
struct RangeSplit {
    bool *in;            /* thread lo + k comes, if uniform holds */
    Ex range, uniform;   /* the factors of each kind; 0: none */
    bool mixed;          /* it is not known which threads come */
};
RangeSplit flat_split(Low *l, RangePlace *at, Ex cond);
/* The condition by what its private variables are known to be; itself: that cannot be said here. */
Ex flat_stated(Low *l, RangePlace *at, Ex cond);
/* if cond then .. else .. of s, whose threads are not known, as such conditions for each value of
 * what is the same in all of them; NULL: there is no such thing, or it has too many. */
Stmt *flat_cases(Low *l, RangePlace *at, Stmt *s, Ex cond);

/* The parts of low_flatten, in order ------------------------------------------ */

void flat_widen(Low *l);     /* widen.c: twice the threads where fragments do not fit into registers */
void flat_listed(Low *l);    /* listed.c: entries of order and stage lists with what becomes of their statements */
void flat_continue(Low *l);  /* continue.c: `continue` of parallel loops as conditions */
void flat_ranges(Low *l);    /* range.c: ranges of threads as roles */
/* ... waits.c: barriers that users wrote and not all threads may come to; v is of the program as it is. */
void flat_waits(Low *l, Vary *v);
/* Where messages find a call that s makes: a call within an expression by its name in the line. */
Loc flat_call_loc(const Stmt *s);
void flat_masks(Low *l, Vary *v); /* masks.c: those of warps, votes and shuffles, too */
void flat_parts(Low *l);     /* parts.c: registers that are stored in parts */
Vary *flat_refused(Low *l);  /* refused.c: what the threads share out has to be alike in them */
bool flat_ragged(const Low *l, const Stmt *s); /* a role that is not made of whole warps */
void flat_views(Low *l);     /* view.c: other names of fragments */
void flat_local_views(Low *l); /* local_view.c: those of private arrays, of other widths */
/* s, whose next is NULL, with all names of the fragment `root` replaced by those of a
 * copy in shared memory, filled before it and, when it was written, read back behind. */
Stmt *flat_through_shared(Low *l, Stmt *s, uint32_t root, bool written);
void flat_apart(Low *l);     /* apart.c: fragments that single threads speak of */
void flat_fragments(Low *l); /* frag.c: elements of fragments outside of parallel loops */
void flat_votes(Low *l);     /* votes.c: votes beside loads, in an order */
void flat_once(Low *l);      /* once.c: effects that the block has once */

/* range.c.  Reports that the threads of role, which stand under a condition, would
 * have to wait for each other at loc and cannot on this machine: there they come to buf,
 * behind `early`; NULL: T.sync_threads() says so. */
NORETURN void low_no_barrier(Low *l, Loc loc, const Stmt *role, const char *buf, Loc early);

#endif
