/* core/lower/flatten/flatten.h: inside of low_flatten. */
#ifndef MOONTILE_FLATTEN_H
#define MOONTILE_FLATTEN_H

#include "core/ir/walk.h"
#include "core/lower/build/low.h"

bool flat_private(const Prog *p, uint32_t buf); /* local or var */
/* Index of an element of a region: at[k] is added in the k-th dimension whose
 * extent is not 1. */
void flat_index(Low *l, const Region *r, const Ex *at, Ex *idx);
/* Copies of again in front of every continue of the loop whose body is at *at. */
void flat_before_continue(Low *l, Stmt **at, const Stmt *again);
/* own.c.  Of each private buffer: its value is the thread's own. */
bool *flat_own(Low *l);
/* Do the regions of operation s differ between threads?  *why: what does. */
bool flat_each(const Low *l, bool *varies, const Stmt *s, Ex *why);
/* flatten.c.  Does every thread do operation s by itself, spread over none?  varies: flat_own()'s;
 * *why: what its regions differ in, 0 where they are private. */
bool flat_by_each(const Low *l, bool *varies, const Stmt *s, Ex *why);
/* vary.c: what differs between threads ------------------------------ */

typedef struct VaryPart { uint32_t root; int lo, hi; } VaryPart;
typedef struct Vary Vary;
struct Vary {
    Low *l;
    bool *var, *buf;       /* of a Var, of a private array's root: threads differ */
    VaryPart *part;        /* private arrays that threads lo .. hi - 1 alone store in */
    uint32_t npart, cappart;
    int lo, hi;            /* the threads that come to where we are: those of the role around */
    bool changed;
};
void vary_init(Vary *o, Low *l); /* looks at the program as it is; behind it o is outside of roles */
/* Into the blocks of s and out again: inside of a role its own threads count. */
VaryPart vary_enter(Vary *o, const Stmt *s);
void vary_leave(Vary *o, VaryPart outer);
bool vary_ex(const Vary *o, Ex e);
bool vary_own(const Vary *o, const Stmt *s);  /* the expressions that s itself holds */
/* What threads differ in at s, a condition or a loop, and where it stands: of a loop that some
 * leave, at the condition around the jump; 0: nothing. */
Ex vary_cause(const Vary *o, const Stmt *s, const Stmt **at);
bool vary_loop(const Vary *o, const Stmt *s); /* do threads differ in how often a loop runs? */
bool vary_collective(uint32_t fn);            /* an intrinsic whose result is the block's */

/* The parts of low_flatten, in order ------------------------------------------ */

void flat_continue(Low *l);  /* continue.c: `continue` of parallel loops as conditions */
void flat_ranges(Low *l);    /* range.c: ranges of threads as roles */
void flat_alike(Low *l);     /* alike.c: what the threads share out has to be alike in them */
bool flat_ragged(const Low *l, const Stmt *s); /* a role that is not made of whole warps */
void flat_views(Low *l);     /* view.c: other names of fragments */
void flat_local_views(Low *l); /* local_view.c: those of private arrays, of other widths */
/* s, whose next is NULL, with all names of the fragment `root` replaced by those of a
 * copy in shared memory, filled before it and, when it was written, read back behind. */
Stmt *flat_through_shared(Low *l, Stmt *s, uint32_t root, bool written);
void flat_apart(Low *l);     /* apart.c: fragments that single threads speak of */
void flat_fragments(Low *l); /* frag.c: elements of fragments outside of parallel loops */
void flat_once(Low *l);      /* once.c: effects that the block has once */

/* range.c.  Reports that the threads of role, which stand under a condition, would
 * have to wait for each other at loc and cannot on this machine: there they come to buf,
 * behind `early`; NULL: T.sync_threads() says so. */
NORETURN void low_no_barrier(Low *l, Loc loc, const Stmt *role, const char *buf, Loc early);

#endif
