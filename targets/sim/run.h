/* targets/sim/run.h: inside the simulator's machine: strands, registers, and
 * the instructions.
 *
 * A strand is a set of whole warps of one block, neighbours, that stand at one
 * place.  A block starts as one strand (as its warps, with a seed).  Where warps
 * go different ways and one of them waits, the strand is split; strands that
 * meet at a barrier at the same place with equal uniform values are joined.
 * Partial warps are masks. */
#ifndef MOONTILE_SIM_RUN_H
#define MOONTILE_SIM_RUN_H

#include "code.h"

enum { MaxGridThreads = UINT16_MAX }; /* of blocks that wait for each other: the race checker
                                       * numbers them in 16 bits */

enum StrandState { SRrun, SRwait, SRend };

/* What a waiting strand waits for. */
typedef struct StrandWait StrandWait;
struct StrandWait {
    enum Stuck kind;
    uint32_t site;
    int id, count;      /* STUCKbar: number of the barrier */
    int64_t at;         /* STUCKmbar: byte offset of the mbarrier */
    int parity;
    int64_t phase;
    bool entered;       /* has arrived; goes on when the phase is over */
};

/* Asynchronous copies of a strand: groups in order, the last one still open. */
typedef struct Copy Copy;
typedef struct Group Group;
struct Group {
    Copy *first, *last;
    Group *next;
    bool parted;                /* of some threads of the strand */
    uint8_t *on;                /* parted: by thread of the cluster; else NULL, or to be used again */
};
typedef struct Queue Queue;
struct Queue { Group *first, *last; int n; Group *open; }; /* n: closed ones */
enum { Qcp, Qbulk, Qstored, Qwgmma, NQueue }; /* Qstored: of Qbulk, those whose tiles were read */

struct Strand {
    const Ins *pc;
    Reg *u;
    int cta, t0, n;             /* block of the cluster, threads of the cluster */
    uint8_t state;
    bool again;                 /* the instruction was begun before it waited */
    bool *full;                 /* by level: no lane of it is off */
    StrandWait wait;
    Queue q[NQueue];
    int64_t cluster;            /* phase of the cluster's barrier that it arrived at */
    uint32_t turns;             /* loops since it last gave others their turn */
    uint32_t index;             /* in Machinery.strand */
};

/* Of a SimAccess whose parts of the thread never change: offsets in elements of
 * all threads, and per dimension the range of indices. */
typedef struct AccState AccState;
struct AccState {
    bool mapped;                /* offsets need the tables: at is unused */
    bool affine;                /* at[t] = first + t * step */
    int64_t first, step;
    int64_t lo[MaxDim], hi[MaxDim];
    int64_t *at;
};

/* Of a reduction over a block's threads, by the parity of the barrier's phase. */
typedef struct Tally Tally;
struct Tally { int64_t phase, yes[2], all[2]; };

struct Machinery {
    Tally *tally;               /* by block of the cluster */
    int T;                      /* lanes of the cluster */
    char *lanes;                /* rows of 4 * T bytes */
    uint8_t *mask;              /* rows of T bytes: 2 * level mask, 2 * level + 1 of the else */
    uint8_t *def;               /* of all locals: [reg][T] */
    uint8_t **defat;            /* by Local.index */
    int64_t *undef;             /* by Local.index: how many are not defined */
    AccState *acc;              /* by SimAccess.id */
    Reg *u;                     /* what a strand starts with */
    Strand **strand; uint32_t nstrand, capstrand;
    Strand **spares; uint32_t nspare, capspare;
    Bars *bars;
    int64_t *at[4];             /* scratch: element or byte offsets, [T] */
    uint8_t *on[4];             /* scratch masks, [T] */
    int64_t *votes;             /* scratch, [T] */
    int64_t *newer;             /* scratch, [T]: of a wait: groups newer than the one at hand */
    uint8_t *held;              /* [SimWide][T]: what a thread's last load moves out of a staging
                                 * buffer: which elements have a value */
    Copy *spare_copy;           /* to be used again, linked */
    Group *spare_group;
    Copy *flight, *flight_last; /* loads on their way to an mbarrier */
    int inflight;               /* wgmmas that were not waited for */
    uint8_t *dirty;             /* by local * warps: written since the last wgmma_fence */
    uint64_t rng;
    int64_t gridphase, gridcome; /* sync_grid: how often it was passed, threads there */
    int64_t printed;            /* bytes */
    int wins;                   /* element of a vector being stored: for `same` */
    Strand *cur; const Ins *ins; /* what runs: for findings */
};

/* Where the lanes of an access are. */
typedef struct Spots Spots;
struct Spots {
    char *mem;                  /* element 0 */
    int64_t base, step;         /* element of lane k: base + k * step, or base + at[k] */
    const int64_t *at;
    const uint8_t *on;          /* NULL: all; some may have been taken out */
    bool apart;                 /* a vector's elements are not one behind the other */
};

/* Operands ----------------------------------------------------------------- */

static inline char *row_at(const SimRun *r, Val v, int t)
{
    return r->x->lanes + (size_t)v.at * 4 * (size_t)r->x->T +
           (size_t)t * (size_t)class_bytes((enum ValueClass)v.cls);
}

/* Element v of an operand, from the strand's first thread on. */
static inline void *operand(const SimRun *r, const Strand *s, Val v, int e)
{
    if (v.shape == SHu)
        return &s->u[v.at];
    v.at += v.shape == SHw ? (uint32_t)e * class_rows((enum ValueClass)v.cls) : 0;
    return row_at(r, v, s->t0);
}

static inline const uint8_t *mask_of(const SimRun *r, const Strand *s, int level)
{
    return s->full[level] ? NULL : r->x->mask + (size_t)(2 * level) * (size_t)r->x->T + s->t0;
}

static inline int64_t uvalue(const Strand *s, Val v)
{
    return v.cls == VCl ? s->u[v.at].l : s->u[v.at].i;
}

/* An integer operand in lane k of the strand. */
static inline int64_t ivalue(const SimRun *r, const Strand *s, Val v, int k)
{
    const void *p = operand(r, s, v, 0);
    k = v.shape == SHu ? 0 : k;
    return v.cls == VCl ? ((const int64_t *)p)[k] : ((const int32_t *)p)[k];
}

static inline Who who_of(const SimRun *r, const Strand *s, const Ins *i)
{
    return (Who){s->t0, s->n, mask_of(r, s, i->level)};
}

/* run_calc.c: no effects */
InsFn run_kern, run_lin, run_lint, run_const, run_arg, run_copy, run_iota, run_assign, run_ieee, run_divisor,
    run_setu;
/* run_flow.c */
InsFn run_end, run_jz, run_jump, run_back, run_if, run_else, run_ifnone, run_role, run_live,
    run_round, run_trim, run_more, run_morelanes, run_step, run_steplanes, run_stepfar, run_leave, run_assert,
    run_assume;
/* run_reg.c: local buffers */
InsFn run_defined, run_landed, run_given, run_definedu, run_undefine, run_ldslot, run_ldindex,
    run_stslot, run_stindex;
bool regs_at(SimRun *r, Strand *s, const Ins *i, const RegArgs *k, uint32_t site, Val *v);
/* Are they all defined for the lanes that are on? reports if not. */
void regs_read(SimRun *r, Strand *s, const Ins *i, const RegArgs *k, uint32_t site, Val v);
/* The half of that which asks whether a wgmma in flight still has them. */
void regs_landed(SimRun *r, Strand *s, const RegArgs *k, uint32_t site, Val v);
/* Of register j: which threads of the strand have given it a value; NULL: all have. */
const uint8_t *regs_defined(const SimRun *r, const Strand *s, const RegArgs *k, Val v, int j);
void regs_given(SimRun *r, Strand *s, const Ins *i, const RegArgs *k, uint32_t site,
                Val v); /* by a wgmma */
void regs_written(SimRun *r, Strand *s, const Ins *i, const RegArgs *k, Val v);
/* Is it a vector of which some elements are undefined?  on without the lanes whose element e is. */
bool moved_parts(const SimRun *r, const Strand *s, const Moved *m);
const uint8_t *moved_element(SimRun *r, Strand *s, const uint8_t *on, const Moved *m, int e);
/* on without the lanes whose moved value is undefined. */
const uint8_t *moved_mask(SimRun *r, Strand *s, const uint8_t *on, const Moved *m);
static inline uint8_t *held_row(const SimRun *r, const Strand *s, int64_t e)
{
    return r->x->held + (size_t)e * (size_t)r->x->T + s->t0;
}
/* Which lanes gave the register a value; NULL: all did, of all registers. */
const uint8_t *local_undefined(const SimRun *r, const Strand *s, const Local *l, int64_t reg);
/* Register j of thread k of the strand never got a value, after all. */
void regs_undefine(SimRun *r, const Strand *s, const RegArgs *regs, Val v, int j, int k);
/* The lanes of o store what never got a value in shared memory: it is as if unwritten. */
void access_forget(SimRun *r, Strand *s, const SimAccess *a, const Spots *o);
void locals_fill(SimRun *r, int byte); /* what they hold before they are given a value */
void locals_reset(SimRun *r);       /* a new cluster: nothing has a value */
/* run_mem.c */
InsFn run_load, run_loadu, run_store;
/* The lanes of an access of the strand: false if none is on.  Lanes that would
 * leave the buffer are reported and taken out.  k: which scratch arrays to use. */
bool access_spots(SimRun *r, Strand *s, const uint8_t *on, const SimAccess *a, int k, Spots *o);
/* Reports that what a box of lane k's, or a run of bytes, begins with stands at byte `at` of shared
 * memory, at no multiple of `bytes`. */
void access_box_base(SimRun *r, Strand *s, const SimAccess *a, int k, int bytes, int64_t at);
/* Tells the checks of it (mode: HBread ..); before the data moves. */
void access_access(SimRun *r, Strand *s, const SimAccess *a, const Spots *o, int mode,
                   bool (*same)(void *, int, int), void *ud);
/* Size and places as the checks want them, at[k] or base and step. */
void access_places(SimRun *r, const SimAccess *a, const Spots *o, int n, HbAccess *t, int64_t *room);
/* held[k] = 0 where not all of what lane k reads has a value; else 1. */
void access_held(SimRun *r, Strand *s, const SimAccess *a, const Spots *o, uint8_t *held);
void access_static(SimRun *r);      /* fills Machinery.acc */
/* run_iter.c: iterations of an open T.Parallel */
InsFn run_parallel, run_iteration;
/* run_warp.c: lanes of a warp together; run_atomic.c; print.c */
InsFn run_warp, run_shuffled, run_choose, run_hold, run_hold_else, run_blockred, run_atomic, run_print,
    run_printtile;
/* run_mma.c, run_sync.c, run_mbar.c */
InsFn run_mma, run_ldmatrix, run_stmatrix, run_nothing;
InsFn run_barsync, run_bararrive, run_grid, run_clusterarrive, run_clusterwait, run_warpsync,
    run_fenceasync, run_fenceglobal;
InsFn run_mbar, run_mbarwait;
/* async.c, async_*.c */
InsFn run_cpasync, run_cpcommit, run_cpwait, run_cparrive;
InsFn run_load_box, run_store_box, run_bulkcommit, run_bulkwait;
InsFn run_wgmma, run_wgmmafence, run_wgmmacommit, run_wgmmawait;

/* run_meet.c: who executes something together. */
/* All lanes of each warp of the strand here?  Reports if not. */
bool whole_warps(SimRun *r, Strand *s, const Ins *i, uint32_t site);

/* Lanes of one warp at an operation of warps. */
typedef struct Meeting Meeting;
struct Meeting {
    int k0, n;                  /* lane 0 is thread k0 of the strand, perhaps one before it; the
                                 * block has n lanes of this warp */
    uint64_t here;              /* a bit for each that executes it */
    uint64_t named[64];         /* by lane that is here: whom its mask names of the block's */
    uint64_t with[64];          /* ... whom it meets: itself, and those of them with its mask */
};
/* Goes through the warps of s that have lanes here, from m->k0 on; false: no more. */
void meeting_first(const SimRun *r, const Strand *s, Meeting *m);
bool meeting_next(SimRun *r, const Strand *s, const Ins *i, const WarpMask *mask, Meeting *m);
/* Does someone's mask leave it out, or name a lane that does not come with the same mask?  Reports
 * the first. */
bool meeting_check(SimRun *r, const Strand *s, const Ins *i, const WarpMask *mask,
                   const Meeting *m);
/* Reports that lane l takes from lane `from`, which its mask does not name. */
void meeting_outside(SimRun *r, const Strand *s, const Ins *i, const Meeting *m, int l, int from);
/* Byte offset of an mbarrier in its block's memory. */
int64_t mbar_place(const SimRun *r, uint32_t buf, int64_t index);

/* sched.c */
uint64_t run_random(SimRun *r);
void sched_start(SimRun *r);        /* strands of a new cluster */
bool sched_run(SimRun *r);          /* until all have ended; false: they never will, or stopped */
void sched_free(SimRun *r);
Strand *strand_split(SimRun *r, Strand *s, int at); /* s keeps the threads before at */
/* Splits s into parts of whole warps by key (by warp of the strand, in order). */
void strand_parts(SimRun *r, Strand *s, const uint8_t *key);
const Ins *strand_wait(Strand *s, const Ins *i);    /* try again later */
/* A barrier: everybody who waits for it may go on; joins strands. */
void sched_release(SimRun *r, Strand *s, const Ins *i);
/* An operation of warp groups at i: true when s is made of whole ones, after its
 * first strand has taken in the others that wait here; false: s waits for them. */
bool sched_group(SimRun *r, Strand *s, const Ins *i);
/* launch.c */
/* late.c, of -seconds: the clock starts; is it over?  Asked before s has its turn. */
void late_start(SimRun *r);
bool late(SimRun *r, const Strand *s);
void run_tell(SimRun *r);           /* sends on what was found */
/* A message about a place in the program; arg: NULL behind the last, or DiagArgs of them. */
DevMessage run_message(const SimRun *r, Err is, Loc l, const char *const *arg);
/* async.c: queues of asynchronous operations */
void queue_split(SimRun *r, Strand *from, Strand *to, int at);
bool queue_join(SimRun *r, Strand *to, Strand *from);
void queue_drop(SimRun *r, Strand *s);   /* its thread has ended */
bool flight_land(SimRun *r);             /* completes one load that nobody waits for by name; false: none */
void flight_clear(SimRun *r);
/* Registers are read or written: are they in the hands of a wgmma?  Reports. */
void flight_regs(SimRun *r, Strand *s, const Local *l, int64_t at, int64_t n, uint32_t site,
                 bool write);
void registers_written(SimRun *r, Strand *s, const Local *l); /* a wgmma needs a fence now */

#endif
