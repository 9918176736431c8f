/* core/lower/nest/nest.h: parallel nests as statements of single threads.
 *
 *   nest.c   the pass: each nest, and what stands outside of nests
 *   expand.c tile operations as nests, the pass before
 *   plan.c   which thread does which iteration, where nothing decides it
 *   bytes.c  halves of bytes that different threads would store
 *   guard.c  accesses that may lie outside; interior and edge
 *   bind.c   what guards test, and how long conditions hold
 *   slot.c   elements of fragments as slots of the thread's registers
 *   vec.c    how wide an access may be
 *   emit.c   loops over the slots, vectors, statements
 */
#ifndef MOONTILE_NEST_H
#define MOONTILE_NEST_H

#include "core/ir/walk.h"
#include "core/lower/build/low.h"

/* nest.c ------------------------------------------------------------------ */
/* nest.c: do names or private arrays hold the statements of a body together? */
bool nest_joined(const Stmt *body);
/* Nest s runs with this layout, in which threads have copies of iterations: would they
 * read memory that another of them changes, or get another old value of an atomic, even
 * when each statement of the body is a nest of its own? */
bool nest_races(const Low *l, const Stmt *s, const Layout *loop);

/* plan.c ------------------------------------------------------------ */
/* Iterations along the fastest variable that one thread should take: the widest
 * access that some memory access of the nest allows.  The nest's bounds are
 * constant, from 0. */
int nest_width(Low *l, Stmt *nest);
/* The layout of a nest that no fragment has a say in: the plan of lowering.md 2.4, of one
 * linear index where the extents do not divide well, and with both halves of a byte in one
 * thread if there is such a plan.  May change the nest's variables. */
void nest_plan(Low *l, Stmt *nest, Layout *out);
/* Notes on global accesses that could be wider. */
void nest_notes(Low *l, Stmt *nest);

/* bytes.c ----------------------------------------------------------- */
/* Does the nest store elements of 4 bits to memory? */
bool nest_halves(const Low *l, const Stmt *nest);
/* With this layout, would two threads store the halves of one byte?  The buffer, or 0.
 * Goes through the first `most` iterations or so; 0: all, up to a limit. */
uint32_t nest_splits(Low *l, const Stmt *nest, const Layout *loop, int64_t most);

/* guard.c ----------------------------------------------------------- */
/* Guards in list for global accesses that may lie outside: loads become
 * selects, stores and atomics go under an if.  inside, unless NULL: bounds that
 * a condition on the block alone can promise are collected there (0: none) and
 * not guarded; nest then says whose variables vary. */
void nest_guard(Low *l, Stmt **list, const Stmt *nest, Ex *inside);

/* Keeps the iterations where cond does not hold away from memory. */
void nest_mask(Low *l, Stmt **list, Ex cond);
/* An atomic that gives the old value, where cond holds; elsewhere that is what reads beyond its
 * buffer give. */
Stmt *nest_prev(Low *l, Stmt *s, Ex cond);

/* bind.c ------------------------------------------------------------ */
/* Is e the same wherever it is evaluated in the launch, while its variables are?  It reads
 * nothing but tensors that the launch never writes: no store of the thread's, of others or
 * of other blocks can change it, so that what was found true of it stays true. */
bool nest_lasting(Low *l, Ex e);
/* Lets to stand in front of s (NULL: none), changed in place: of indices of global memory
 * in it, values that others may write meanwhile are read there, once, and have names. */
Stmt *nest_bind(Low *l, Stmt *s);

/* slot.c ------------------------------------------------------------ */
enum { NestDigits = LayDigits };

/* One nest while it is lowered.  Its REG digits become loops: reg[k] is the
 * variable of the k-th, in the order of loop.d. */
typedef struct Nest Nest;
struct Nest {
    Low *l;
    Stmt *s;
    Layout loop;
    int nreg;
    uint8_t digit[NestDigits]; /* index in loop.d */
    uint32_t reg[NestDigits];
    int64_t step[NestDigits];  /* slots that it moves: of the first fragment, or of loop */
    bool slots;                /* fragments are touched: all loops unroll */
    int64_t *env;
    const Stmt *const *around; /* loops around, outermost first */
    uint32_t naround;
};
/* Cuts the REG digits of n->loop where the digits of fragments cut. */
void nest_cut(Nest *n);
/* Replaces accesses of fragments in list by accesses of their slots, as
 * expressions of the variables n->reg and of unrolled loops inside.  A store
 * that a padded iteration must not do gets a plan, whichever. */
void nest_slots(Nest *n, Stmt *list);

/* vec.c ------------------------------------------------------------- */
/* A pitch that the fast path assumes to be a multiple of w. */
typedef struct Pitch { Ex e; int64_t w; } Pitch;
typedef struct Vec Vec;
struct Vec {
    Low *l;
    uint32_t v;                /* the vector's variable */
    int npitch;
    Pitch *pitch; uint32_t cappitch;
};
/* Elements at most `max` that one access may take along v; NestFree when it
 * does not depend on v. */
enum { NestFree = 1 << 16 };
int vec_width(const Vec *x, uint32_t buf, const Ex *idx, int max);
bool vec_uses(const Vec *x, Ex e);
/* The note that says why a global access cannot take w elements, and what in it
 * is no multiple of w; E_none: it can. */
Err vec_why(const Vec *x, uint32_t buf, const Ex *idx, int w, const char **what);
bool vec_contiguous(const Vec *x, uint32_t buf, const Ex *idx); /* moves by one with v */
/* cond for w values of v at once, from a multiple of w on (as an expression of
 * v // w); 0: they may differ. */
Ex vec_cond(const Vec *x, Ex cond, int w);
/* Row pitches of global buffers in list that are only known at run time. */
void vec_pitches(Vec *x, Stmt *list);

/* emit.c ------------------------------------------------------------ */
/* for var in 0 .. n */
Stmt *nest_loop(Low *l, enum ForKind k, uint32_t var, int64_t n, Stmt *body);
/* The statements of list for the w values of x->v; first: the condition of
 * effects on memory, or 0. */
Stmt *nest_emit(Low *l, Stmt *list, const Vec *x, int w, Ex first);
/* The widest vector that a statement of list can use, up to max; 1: none.
 * global: for accesses of global memory. */
int nest_widest(Low *l, Stmt *list, const Vec *x, int max, bool global);
/* Does list give each thread values of its own: private arrays, old values of
 * atomics?  Then iterations are done one after the other. */
bool nest_private(const Low *l, Stmt *list);
/* T.vectorized(n): as vectors where that is possible. */
Stmt *nest_vectorized(Low *l, Stmt *s, Ex first);

/* expand.c: what Ocopy s does as a nest. */
Stmt *low_copy_nest(Low *l, const Stmt *s);

#endif
