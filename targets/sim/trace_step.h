/* targets/sim/trace_step.h: a strand at an instruction, whose clocks are moved. */
#ifndef MOONTILE_SIM_TRACE_STEP_H
#define MOONTILE_SIM_TRACE_STEP_H

#include "trace_p.h"

/* Cycles.  Barrier: lua/tl/tune/cost.lua.  The others are rounded from published
 * microbenchmarks of such chips: of a fetch from shared memory, of a shuffle, of mma.sync
 * from operands to result, of a group of wgmma behind its last product, until a waiter
 * sees an mbarrier's phase end. */
enum {
    CyBarrier = 40, CyShared = 30, CyShuffle = 24, CyProduct = 33, CyGroup = 30, CyMbar = 20,
    CyAhead = 64        /* a warp is never further ahead of the matrix unit */
};

typedef struct TraceStep TraceStep;
struct TraceStep {
    SimRun *r; Trace *t; Strand *s; const Ins *i; TrIns *k;
    int w0, w1, each;   /* warps; of the fullest quarter of the multiprocessor */
};
typedef void Account(TraceStep *p);

/* trace_step.c */
int step_warps(const TraceStep *p);
Loc step_loc(const TraceStep *p);
Units *step_units(const TraceStep *p);
int64_t step_now(const TraceStep *p);
const uint8_t *step_mask(const TraceStep *p);
void step_look(TraceStep *p);           /* the clocks of its warps become the latest of them */
void step_move(const TraceStep *p, int64_t clock); /* not backwards */
/* n instructions of each warp, of `lanes` lanes a clock in the multiprocessor; one of the
 * scheduler alone. */
void step_issue(const TraceStep *p, int64_t n, int lanes);
void step_issue1(const TraceStep *p);
/* Wavefronts of shared memory, not before `at`: -> the last one's end. */
int64_t step_shared(const TraceStep *p, int64_t at, int64_t waves);
/* Waiting until `until`, which is an event of its own. */
TraceEvent *step_waited(const TraceStep *p, enum TrKind kind, int64_t until, Loc by);
/* Registers: 2 * the cycle when a value is there, + 1 where the warps stop for it.
 * step_takes: an operand is used: when it is there; stops add to *stall. */
int64_t step_needs(const TraceStep *p, Val v);
void step_ready(const TraceStep *p, uint32_t row, uint32_t n, int64_t x);
void step_gives(const TraceStep *p, Val v, int64_t x);
int64_t step_takes(const TraceStep *p, Val v, int64_t *stall);
/* Memory operations that a barrier waits for, that the end of the block does. */
void step_pends(const TraceStep *p, int64_t done);
void step_drains(const TraceStep *p, int64_t done);
void step_settles(const TraceStep *p);  /* waits for those that a barrier waits for */

/* trace_calc.c */
/* `bytes` over the way to memory, not before `at`: -> the last one's cycle there. */
int64_t step_transfer(const TraceStep *p, int cta, int64_t at, int64_t bytes, uint32_t buf,
                      int64_t stage, int latency, int queue);
/* The first index of a buffer in memory, where it is the same for all threads: the stage
 * of a pipeline's buffer; else -1. */
int64_t step_stage(const TraceStep *p, const SimAccess *a);
Account act_calc, act_copy, act_load_reg, act_store_reg, act_indexed, act_shuffle, act_load,
    act_load_uniform, act_store, act_atomic, act_rows;

/* trace_async.c */
void step_commits(const TraceStep *p, int queue);
/* When all groups but the newest `left` are done; they are forgotten. */
int64_t step_finishes(const TraceStep *p, int queue, int left, Loc *by);
Account act_product, act_group_product, act_group_commit, act_group_wait, act_copy_lanes,
    act_copy_commit, act_copy_wait, act_box_load, act_box_store, act_bulk_commit, act_bulk_wait;

/* trace_sync.c */
Account act_mbar, act_mbar_wait, act_bar, act_bar_arrive, act_cluster_arrive, act_cluster_wait;
/* Behind an instruction that waits among threads; was: what the strand waited for. */
void step_barrier(TraceStep *p, const Ins *next, const StrandWait *was);

#endif
