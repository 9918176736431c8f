/* targets/sim/trace.h: when what one block does would happen: -trace=X,Y,Z[,N].
 *
 * While the cluster of that block runs, every instruction goes through
 * trace_strand(), which executes it as run_strand() does and moves clocks beside
 * it.  The model, a discrete-event one on top of the order in which the simulator
 * executes:
 *
 *   - Each warp has a clock.  An instruction starts at the latest clock of its
 *     strand's warps and moves them by its issue cycles.
 *   - A copy takes the block's way to the L2 for its bytes, a matrix product the
 *     matrix units, an access of shared memory its wavefronts: each from when it is
 *     asked for, in the cycles that nobody has taken yet.  Copies land a latency later.
 *   - A wait ends when what it waits for is there: the latest of a phase's arrivals and
 *     landings, of a barrier's arrivals, of a group's operations.
 *   - Values from memory are waited for by what needs them without holding up what
 *     follows, as a compiler orders loads, until the next barrier, and for some rounds
 *     of a loop; products are waited for at once.
 *
 * Order and waits are thus exact for the schedule that was executed; cycles are an
 * estimate, of one block alone on its multiprocessor of a card whose others do the
 * same.  Nothing here changes what the program computes or what is found wrong with it. */
#ifndef MOONTILE_SIM_TRACE_H
#define MOONTILE_SIM_TRACE_H

#include "async.h"

typedef struct Trace Trace;

/* Does the trace that r was asked for concern the launch that is to run?  Refuses a block
 * that its grid does not have. */
bool trace_wanted(SimRun *r, uint32_t launch);
/* May the blocks and launches before the traced ones be left out: does no block read what
 * others may write? */
bool trace_alone(const SimRun *r);
/* Is the block that is asked for one of the cluster that is placed? */
bool trace_here(const SimRun *r);
Trace *trace_new(SimRun *r);
void trace_strand(SimRun *r, Strand *s);          /* runs s, as run_strand */
void trace_landed(SimRun *r, const Copy *c);      /* a load with an mbarrier is there */
void trace_write(const SimRun *r, Str *out);      /* what was recorded, as text: see trace.c */

#endif
