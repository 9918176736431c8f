/* targets/sim/mbar.h: barrier objects of a cluster: mbarriers in shared
 * memory, named barriers of blocks, the cluster's barrier.  They count, know
 * their phases, pass clocks on (hb.h; none when hb is NULL), and report wrong use.
 * Nothing here blocks: the scheduler asks whether a wait may pass.
 *
 * cta: block of the cluster; at: byte offset of the mbarrier in its shared
 * memory; site: for messages. */
#ifndef MOONTILE_SIM_MBAR_H
#define MOONTILE_SIM_MBAR_H

#include "hb.h"

typedef struct Bars Bars;
/* threads: of a block.  hb may be NULL.  Unwinds as hb.h. */
Bars *bars_new(Report *report, Hb *hb, const Machine *m, int threads, int blocks);
void bars_free(Bars *b);
void bars_cluster(Bars *b);   /* a new cluster, after hb_cluster: nothing is initialised */

/* mbarriers: each function false after a finding; the program may go on. */
bool mbar_init(Bars *b, uint32_t site, int cta, int64_t at, int64_t count, Who w);
/* Arrivals of all threads of w, each adding `expect` bytes first (-1: none).  Whoever
 * arrives must know that the phase before is complete: else its arrival may count for
 * that one. */
bool mbar_arrive(Bars *b, uint32_t site, int cta, int64_t at, int64_t expect, Who w);
bool mbar_expect(Bars *b, uint32_t site, int cta, int64_t at, int64_t bytes, Who w);
/* TMA has written bytes: complete_tx.  a: the operation, completed with it (or NULL). */
bool mbar_done(Bars *b, uint32_t site, int cta, int64_t at, int64_t bytes, Async *a);
/* A noinc arrival of cp.async is mbar_arrive when the copies of w are there. */
/* Has the phase of this parity completed?  True: w goes on, and knows what the
 * arrivals knew.  An uninitialised one is a finding and passes. */
bool mbar_try(Bars *b, uint32_t site, int cta, int64_t at, int parity, Who w);
bool mbar_ready(const Bars *b, int cta, int64_t at, int parity); /* only asks */
int64_t mbar_phase(const Bars *b, int cta, int64_t at); /* how many phases are complete */

/* Named barriers: id 0 .. 15 of a block; id 0 with count 0 is the whole block.
 * bar_enter: w (whole warps of one block) arrive; the result names the phase, to be
 * asked with bar_open; w that also waits calls bar_leave when it is open.
 * count must be the same for all who meet at a phase.  together: all of them have to be at this
 * site: those there combine a value, or a user wrote that the whole block meets there. */
int64_t bar_enter(Bars *b, uint32_t site, int cta, int id, int count, Who w, bool together);
bool bar_open(const Bars *b, int cta, int id, int64_t phase);
int64_t bar_phase(const Bars *b, int cta, int id); /* the one that runs */
void bar_leave(Bars *b, int cta, int id, Who w);

/* The cluster's barrier: all threads of all blocks arrive, then wait. */
int64_t cluster_enter(Bars *b, uint32_t site, Who w);
bool cluster_open(const Bars *b, int64_t phase);
void cluster_leave(Bars *b, Who w);

/* Threads that have ended count for barriers of the whole block and the
 * cluster as gone. */
void bars_exit(Bars *b, Who w);

/* Deadlock: the scheduler calls bars_stuck once for each strand that waits, then
 * bars_deadlock, which reports who waits for what and where, a finding each. */
enum Stuck { STUCKmbar, STUCKbar, STUCKcluster, STUCKgroup, STUCKother };
void bars_stuck(Bars *b, enum Stuck kind, uint32_t site, int cta, int64_t at, int parity, Who w);
void bars_deadlock(Bars *b);
/* At exit of a cluster: waits that remain, phases with arrivals left over. */
void bars_finish(Bars *b);

#endif
