/* core/lower/lower.h: from a tile program to the thread program of a machine.
 *
 * lower.c lists the passes in order.
 *
 * What a thread program is (what the last pass leaves, and verify.c checks):
 *   - a launch has one thread variable, `tid`, 0 .. threads - 1 of the block
 *   - fragments are local buffers, one-dimensional, indexed by the register; after
 *     unrolling the unroll and vectorized loops every register index is constant;
 *     Buf.map says what the registers hold
 *   - shared buffers keep their logical indices; Buf.map turns those into
 *     element offsets from Buf.at
 *   - no tile operations (level T), no parallel, pipelined or persistent loops
 *   - a vectorized loop is one vector access: its bounds are 0 .. w, its body
 *     stores (and atomics, cp_async); every memory access in it either does not depend on its
 *     variable or moves by one element with it, from an address that is a
 *     multiple of w elements, w * size at most Machine.vec_bytes; all
 *     conditions are the same for the whole vector
 *   - global accesses are inside their buffer for every thread that executes
 *     them: what could lie outside is under an if, or in a select
 *   - statements are executed by all threads (of the role) unless an if says
 *     otherwise */
#ifndef MOONTILE_LOWER_H
#define MOONTILE_LOWER_H

#include "core/ir/ir.h"
#include "core/layout/machine.h"

/* lower.c: the pass list.  p is verified and checked; true: p is a thread
 * program for m (p->machine), or which was not NULL.  Which passes run:
 *   NULL     all that are left: a program between two passes goes on from there
 *   "PASS"   up to it
 *   "..PASS" up to it, "=PASS" it alone, "A..B" from A to B, "A.." from A to the end: the first one
 *            comes next; p has what later passes need, see Prog.between */
bool prog_lower(Prog *p, const Machine *m, const char *which);
/* The same, all of it; seen is called behind each pass over each launch, to look. */
typedef void LowSeen(void *ud, const Prog *p, const Stmt *launch, const char *pass);
bool prog_lower_seen(Prog *p, const Machine *m, LowSeen *seen, void *ud);
/* Of a tile program that is checked and stays one: is what its threads would share out alike in
 * them, if there were any?  False: reported, as prog_lower() to m does. */
bool prog_alike(Prog *p, const Machine *m);
/* audit.c.  What two statements of thread program p lack, `from` came first. */
typedef struct Unordered Unordered;
struct Unordered { Loc from, to; const char *buf; bool fence; };
/* Are the barriers of a thread program enough?  Those places where not, *n of them: p's
 * memory; without a buf: threads wait at `to` for ever.  *whole: all that it does was looked at, which open inputs, unknown waits and
 * limit (cells looked at; 0: none) may prevent. */
const Unordered *prog_audit(Prog *p, const Machine *m, int64_t limit, uint32_t *n, bool *whole);
const char *prog_pass(int i); /* name of the i-th pass; NULL behind the last */

#endif
