/* core/lower/parallel/parallel.h: parallel loops as statements of single threads.
 *
 *   parallel.c the pass: each parallel loop, and what stands outside of parallel loops
 *   tile_ops.c tile operations as parallel loops, the pass before
 *   plan.c   which thread does which iteration, where nothing decides it
 *   bytes.c  halves of bytes that different threads would store
 *   guard.c  accesses that may lie outside; interior and edge
 *   bind.c   what guards test, and how long conditions hold
 *   regs.c   elements of fragments as registers of the thread
 *   vectorize.c how wide an access may be
 *   emit.c   loops over the registers, vectors, statements
 */
#ifndef MOONTILE_PARALLEL_H
#define MOONTILE_PARALLEL_H

#include "core/ir/walk.h"
#include "core/lower/build/low.h"

/* parallel.c ------------------------------------------------------------------ */
/* parallel.c: do names or private arrays hold the statements of a body together? */
bool parloop_joined(const Stmt *body);

/* Has each iteration one thread alone?  Warps beyond those of the layout have copies too. */
bool parloop_alone(const Low *l, const Layout *loop);

/* Each statement of parallel loop s, where the checks left it open, knows whose iteration it is;
 * before s is cut into pieces.  What is returned stands where the loop begins; NULL: nobody asks. */
Stmt *parloop_turns(Low *l, Stmt *s);
/* Parallel loop s runs with this layout, in which threads have copies of iterations: would they
 * read memory that another of them changes, or get another old value of an atomic, even
 * when each statement of the body is a parallel loop of its own? */
bool parloop_races(const Low *l, const Stmt *s, const Layout *loop);

/* plan.c ------------------------------------------------------------ */
/* Iterations along the fastest variable that one thread should take: the widest
 * access that some memory access of the parallel loop allows.  The parallel loop's bounds are
 * constant, from 0. */
int parloop_width(Low *l, Stmt *parloop);
/* Elements that one cp.async of a parallel loop whose body is one can take, where no layout of shared memory is in
 * its way.  The loop's bounds are constant. */
int parloop_async(Low *l, Stmt *parloop);
/* The layout of a parallel loop that no fragment has a say in: the plan of lowering.md 2.4, of one
 * linear index where the extents do not divide well, and with both halves of a byte in one
 * thread if there is such a plan.  May change the parallel loop's variables. */
void parloop_plan(Low *l, Stmt *parloop, Layout *out);
/* Notes on global accesses that could be wider. */
void parloop_notes(Low *l, Stmt *parloop);

/* bytes.c ----------------------------------------------------------- */
/* Does the parallel loop store elements of 4 bits to memory? */
bool parloop_halves(const Low *l, const Stmt *parloop);
/* With this layout, would two threads store the halves of one byte?  The buffer, or 0.  Looks
 * at the first few hundred iterations: what it decides is speed. */
uint32_t parloop_splits(Low *l, const Stmt *parloop, const Layout *loop);

/* guard.c ----------------------------------------------------------- */
/* Guards in list for global accesses that may lie outside: loads become
 * selects, stores and atomics go under an if.  inside, unless NULL: bounds that
 * a condition on the block alone can promise are collected there (0: none) and
 * not guarded; parloop then says whose variables vary. */
void parloop_guard(Low *l, Stmt **list, const Stmt *parloop, Ex *inside);

/* Keeps the iterations where cond does not hold away from memory. */
void parloop_mask(Low *l, Stmt **list, Ex cond);
/* An atomic that gives the old value, where cond holds; elsewhere that is what reads beyond its
 * buffer give. */
Stmt *parloop_prev(Low *l, Stmt *s, Ex cond);

/* bind.c ------------------------------------------------------------ */
/* Is e the same wherever it is evaluated in the launch, while its variables are?  It reads
 * nothing but tensors that the launch never writes: no store of the thread's, of others or
 * of other blocks can change it, so that what was found true of it stays true. */
bool parloop_lasting(Low *l, Ex e);
/* Lets to stand in front of s (NULL: none), changed in place: of indices of global memory
 * in it, values that others may write meanwhile are read there, once, and have names. */
Stmt *parloop_bind(Low *l, Stmt *s);

/* regs.c ------------------------------------------------------------ */
enum { ParLoopModes = LayModes };

/* One parallel loop while it is lowered.  Its REG modes become loops: reg[k] is the
 * variable of the k-th, in the order of loop.d. */
typedef struct ParLoop ParLoop;
struct ParLoop {
    Low *l;
    Stmt *s;
    Layout loop;
    int nreg;
    uint8_t mode[ParLoopModes]; /* index in loop.d */
    uint32_t reg[ParLoopModes];
    int64_t step[ParLoopModes]; /* registers that it moves: of the first fragment, or of loop */
    bool regs;                 /* fragments are touched: all loops unroll */
    int64_t *env;
    const Stmt *const *around; /* loops around, outermost first */
    uint32_t naround;
};
/* parallel.c: is the iteration that the thread and n->reg give one that exists, where modes are padded?
 * The parallel loop's variables have those ranges, so the test is on what stands for them. */
Ex parloop_exists(const ParLoop *n);
/* Cuts the REG modes of n->loop where the modes of fragments cut. */
void parloop_cut(ParLoop *n);
/* Replaces accesses of fragments in list by accesses of their registers, as
 * expressions of the variables n->reg and of unrolled loops inside.  A store
 * that a padded iteration must not do becomes strict. */
void parloop_regs(ParLoop *n, Stmt *list);

/* vectorize.c ------------------------------------------------------------- */
/* A pitch that the fast path assumes to be a multiple of w. */
typedef struct Pitch { Ex e; int64_t w; } Pitch;
typedef struct Vec Vec;
struct Vec {
    Low *l;
    uint32_t v;                /* the vector's variable */
    int npitch;
    Pitch *pitch; uint32_t cappitch;
};
/* Elements at most `max` that one access may take along v; ParLoopFree when it
 * does not depend on v. */
enum { ParLoopFree = 1 << 16 };
int vec_width(const Vec *x, uint32_t buf, const Ex *idx, int max);
bool vec_uses(const Vec *x, Ex e);
/* Is v divided in list?  Else it stands in sums by itself. */
bool vec_divides(const Vec *x, Stmt *list);
/* The note that says why a global access cannot take w elements, and what in it
 * is no multiple of w; E_none: it can. */
Err vec_why(const Vec *x, uint32_t buf, const Ex *idx, int w, const char **what);
bool vec_contiguous(const Vec *x, uint32_t buf, const Ex *idx); /* moves by one with v */
/* Elements that cp_async s can move at once along v, at most `max`. */
int vec_async(const Vec *x, const Stmt *s, int max);
/* cond for w values of v at once, from a multiple of w on (as an expression of
 * v // w); 0: they may differ. */
Ex vec_cond(const Vec *x, Ex cond, int w);
/* Row pitches of global buffers in list that are only known at run time. */
void vec_pitches(Vec *x, Stmt *list);

/* emit.c ------------------------------------------------------------ */
/* for var in 0 .. n */
Stmt *parloop_loop(Low *l, enum ForKind k, uint32_t var, int64_t n, Stmt *body);
/* The statements of list for the w values of x->v; first: the condition of
 * effects on memory, or 0. */
Stmt *parloop_emit(Low *l, Stmt *list, const Vec *x, int w, Ex first);
/* The widest vector that a statement of list can use, up to max; 1: none.
 * global: for accesses of global memory. */
int parloop_widest(Low *l, Stmt *list, const Vec *x, int max, bool global);
/* Does list give each thread values of its own: private arrays, old values of
 * atomics?  Then iterations are done one after the other. */
bool parloop_private(const Low *l, Stmt *list);
/* Is it one `if`?  What that looks at can be loaded for several iterations at once, also where these are
 * done one after the other. */
bool parloop_choice(const Stmt *list);
/* T.vectorized(n): as vectors where that is possible. */
Stmt *parloop_vectorized(Low *l, Stmt *s, Ex first);

/* tile_ops.c: what Ocopy s does as a parallel loop. */
Stmt *low_copy_parloop(Low *l, const Stmt *s);

#endif
