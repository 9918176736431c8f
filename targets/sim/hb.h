/* targets/sim/hb.h: what the simulator knows of memory and order: which bytes
 * are written, by whom, and what has happened before what.
 *
 * Order is kept as vector clocks of warps, with lanes: a block barrier joins
 * all of them, an mbarrier passes them on from arrivals to waits.  Two accesses
 * by different lanes of one warp need a warp_sync or a barrier between them
 * too.  Every element of shared memory has a shadow: last writer and readers
 * (thread, time, site), whether it was ever written, which asynchronous
 * operation still owns it.  The simulator runs a cluster at a time: "threads"
 * are those of all its blocks (block k: k * threads ..), shared offsets count
 * from 0 in each block and carry the block in `cta`.
 *
 * A finding is reported once for a pair of sites, into the Report.  All
 * functions that take an Hb unwind through the Report's context on lack of
 * memory; hb_free must still be called then. */
#ifndef MOONTILE_SIM_HB_H
#define MOONTILE_SIM_HB_H

#include "report.h"

typedef struct Hb Hb;

/* A global buffer of the launch, by root Buf; data NULL: not a global buffer.
 * Buffers whose memory overlaps are treated as one. */
typedef struct HbGlobal HbGlobal;
struct HbGlobal {
    const void *data;
    int64_t bytes;
    bool written;         /* some statement of the launch writes or updates it (also
                           * through a view): others cost nothing */
    bool output;          /* must be written whole by the end: hb_finish looks */
    bool poisoned;        /* its contents were undefined before the launch: outputs, workspaces.
                           * Reading an element before it is written is a finding */
};

typedef struct HbSetup HbSetup;
struct HbSetup {
    Report *report;       /* sites, names, shapes (report_shape) */
    const Machine *m;     /* warp, proxies */
    int threads, blocks;  /* of a block; of a cluster */
    int64_t shared;       /* bytes of a block */
    const HbGlobal *global; /* [p->nbuf]; copied */
};
Hb *hb_new(const HbSetup *s);
void hb_free(Hb *h);      /* NULL is fine */
/* A new cluster, of these blocks (linear indices): shared memory is unwritten, all
 * order starts anew.  Reports asynchronous operations of the last cluster that
 * nobody waited for.  Called before the first access, too. */
void hb_cluster(Hb *h, const int64_t *block);
/* A new launch of the same program follows the last one: everything before is
 * ordered before it (writers of global memory are kept). */
void hb_launch(Hb *h);
/* Its blocks have so many threads, its clusters so many blocks (at most
 * HbSetup.blocks); Report.threads is the caller's to set.  Between hb_launch (or
 * hb_new) and hb_cluster. */
void hb_shape(Hb *h, int threads, int blocks);

/* Threads t0 .. t0 + n - 1 of the cluster, those with on[k] not 0 (NULL: all). */
typedef struct Who Who;
struct Who {
    int t0, n;
    const uint8_t *on;
};

/* One access: thread t0 + k touches [at[k], at[k] + size), unless on[k] is 0.  Places and
 * sizes are half bytes, as the least elements (int4) are: two threads may store the halves
 * of one byte, which is two elements. */
enum { HbByte = 2 };      /* half bytes of a byte */
enum { HBread = 1, HBwrite = 2, HBatomic = 4 };
typedef struct HbAccess HbAccess;
struct HbAccess {
    uint32_t site;        /* SimSite: statement and buffer */
    uint8_t mode;         /* HBread, HBwrite, or HBatomic: an atomic update or read */
    int cta;              /* shared: whose memory */
    int t0, n;
    const uint8_t *on;    /* NULL: all */
    const int64_t *at;    /* half bytes: in shared memory, or from the start of the root
                           * buffer.  Multiples of the element size */
    int64_t base, step;   /* when at is NULL: at[k] = base + k * step */
    int size;             /* > 0: a vector access has them all */
    bool moves;           /* reads: what is unwritten is moved on as such, which is no fault */
    /* Writes: does thread k store the same bits as thread j of this touch, or for
     * j = -1 the bits that memory holds now?  Asked only when two threads write the
     * same place by the same statement, of which unrolling may have made several.  NULL: they
     * differ. */
    bool (*same)(void *ud, int k, int j);
    void *ud;
};

/* Accesses, already inside their memory; call these BEFORE the data moves.  They
 * report races, reads of unwritten memory, accesses to what an asynchronous
 * operation still owns; the program goes on. */
void hb_shared(Hb *h, const HbAccess *t);
/* What never got a value is stored at t's places of shared memory: they are unwritten again. */
void hb_forget(Hb *h, const HbAccess *t);
/* held[k] = 0 where some of what k reads of shared memory is unwritten, or another buffer's. */
void hb_held(Hb *h, const HbAccess *t, uint8_t *held);
/* buf: any Buf over the memory (views too); see HbGlobal.written. */
void hb_global(Hb *h, uint32_t buf, const HbAccess *t);

/* Order ------------------------------------------------------------------- */

typedef struct Clocks Clocks;                  /* what a barrier object passes on */
Clocks *hb_clocks(Hb *h);                      /* the Hb's; gone with the next hb_cluster */
void hb_copy(Hb *h, Clocks *to, const Clocks *from);
void hb_clear(Hb *h, Clocks *c);
void hb_step(Hb *h, Who w);                    /* warp_sync: within each warp of w */
void hb_release(Hb *h, Clocks *c, Who w);      /* c joins what w knows and did */
void hb_acquire(Hb *h, const Clocks *c, Who w);
void hb_join(Hb *h, Who w);                    /* a barrier that all of these leave together: the
                                                * block's sync_threads, a reduction over it */
/* fence.proxy.async.  A launch whose fences do not all cover global memory counts as one
 * without any there. */
void hb_fence_async(Hb *h, Who w, bool global);
void hb_fence_global(Hb *h, Who w);            /* __threadfence */
/* An atomic on global memory, after hb_global: passes order on between blocks when
 * it releases or acquires (order: enum MemOrder), or has a fence_global before
 * (release) and behind it (acquire). */
void hb_atomic(Hb *h, uint32_t buf, const HbAccess *t, int order);

/* c joins only what w do now, not what they know; hb_knows: have all of w
 * heard of everything in c that they did not do themselves? */
void hb_did(Hb *h, Clocks *c, Who w);
bool hb_knows(Hb *h, const Clocks *c, Who w);
/* Something that thread thr does now, and whether all of w know of it later (or
 * are that thread): initialisations. */
uint32_t hb_mark(Hb *h, int thr);
bool hb_knew(Hb *h, int thr, uint32_t mark, Who w);

/* Asynchronous operations -------------------------------------------------- */

/* Issued by threads that own it together: one thread (TMA, bulk), the threads
 * of a warp or strand, each its own ranges (cp.async; n ranges of the touch
 * belong to the n threads), or a warp group (wgmma). */
enum HbAsync { HAthread, HAeach, HAgroup };
typedef struct Async Async;
Async *hb_issue(Hb *h, uint32_t site, enum HbAsync kind, Who w);
/* Shared ranges that it reads or writes until it completes: t->at, base, step,
 * n, bytes, cta, mode, site count (site: for the buffer); t0 only for HAeach, else n is
 * just the number of ranges; same: likewise, as for hb_shared.  proxy: through the async proxy (all but cp.async).
 * Checks them against what the issuing threads know, like hb_shared.  Any number of calls. */
void hb_owns(Hb *h, Async *a, const HbAccess *t, bool proxy);
/* Global side of it: what the issuing threads know is before it; whoever comes there later
 * must know that it is over.  A store whose tile was read is not: its global side is an
 * operation of its own. */
void hb_async_global(Hb *h, Async *a, uint32_t buf, const HbAccess *t, bool proxy);
/* It has happened: w waited for it (those threads now may use it), or, for
 * c not NULL (mbarrier), whoever acquires c later (w is not used then). */
void hb_complete(Hb *h, Async *a, Who w, Clocks *c);
/* HAeach: from now on its parts complete thread by thread, not warp by warp. */
void hb_part(Hb *h, Async *a);

/* At the end of the launch: elements of outputs that nobody wrote; async
 * operations never waited for. */
void hb_finish(Hb *h);
/* Who wrote (or updated) an element of global buffer buf last, counted from its first in
 * memory: site, linear index of the block, thread of the block; false: nobody in this launch. */
bool hb_writer(const Hb *h, uint32_t buf, int64_t element, uint32_t *site, int64_t *block,
               int *thread);

#endif
