/* targets/sim/hb_p.h: inside hb*.c.
 *
 * Time is one counter for the cluster, h->now.  Every access is stamped with
 * it; every act of synchronisation moves it on, so that what comes later is
 * stamped higher than what was passed on.  What a warp knows of another is a
 * Comp: all lanes' accesses up to `all`, and those of some lanes up to a later
 * time.  Asynchronous operations that complete at an mbarrier have components
 * of their own ("channels") behind those of the warps. */
#ifndef MOONTILE_SIM_HB_P_H
#define MOONTILE_SIM_HB_P_H

#include "hb.h"

#define Atomic   0x80000000u    /* in a site: by an atomic */
#define Wrote    0x40000000u    /* .. a plain write that updates came behind */
#define Loaded   0x10000000u    /* .. by an atomic that only reads */
#define Bulk     0x20000000u    /* .. through the async proxy, in global memory */
#define SetAsync 0x80000000u    /* in a set of readers: it has asynchronous ones */
#define Done     0x80000000u    /* in Cell.wa: complete, as somebody saw, and wt is when */
#define Proxy    0x40000000u    /* in Cell.wa: through the async proxy */
#define AsyncId  0x3fffffffu    /* in Cell.wa: the number */

typedef struct ClockComp ClockComp;
struct ClockComp {
    uint32_t all, some;   /* some: of the lanes of the mask */
    uint64_t lanes;
};

/* What is known, and what is known to be visible to the async proxy; those
 * beyond n are 0. */
typedef struct Clock Clock;
struct Clock {
    ClockComp *k, *f;
    uint32_t n, cap;
};

struct Clocks {
    Clock c;
    uint32_t channel;     /* component of what completes here; 0: none yet */
    Clocks *next;
};

typedef struct Warp Warp;
struct Warp {
    Clock all, part;      /* what every lane knows; what the lanes pm know */
    uint64_t pm, full;    /* full: lanes that exist */
    int lanes;            /* .. how many */
    ClockComp fenced;     /* own writes that own fences made visible (some, lanes) */
    uint32_t floor, pfloor, ffloor, pffloor; /* all stamped up to here is known, visible */
    bool dirty;           /* .. must be found anew */
};

/* Shadow of a granule of shared memory.  Stamps below h->start belong to an
 * earlier cluster; h->start itself is known to everybody. */
typedef struct Cell Cell;
struct Cell {
    uint32_t wt, ws, wa;  /* last write: stamp, site and Atomic, Async or 0, Done, Proxy */
    uint32_t rt, rs, ra;  /* last read since then, likewise; rt 0: none */
    uint32_t rm;          /* set of the other readers since then, and SetAsync */
    uint16_t wthr, rthr;
};

/* One reader in a set: lanes of a warp at a time, or an asynchronous operation. */
typedef struct ShadowReader ShadowReader;
struct ShadowReader {
    uint64_t lanes;
    uint32_t stamp, site, async;
    uint16_t warp, thr;   /* thr: one of them, for the message */
};

typedef struct Sets Sets;   /* hb_sets.c */

/* Shared memory whose buffers overlap, in half bytes: granules of 1 << shift. */
typedef struct Zone Zone;
enum { ZoneLine = 16 * HbByte };
struct Zone {
    int64_t at, end;
    uint32_t cell;
    int shift;
};

struct Async {
    uint32_t site, id;
    uint8_t kind;         /* enum HbAsync */
    bool proxy, done;     /* done: also for HAeach, when every warp has waited */
    bool reads, writes;   /* owns ranges that it reads, writes */
    int t0, n;
    uint32_t comp, stamp; /* of its completion; comp: channel, or warp of t0 */
    uint32_t each;        /* HAeach: h->each[each + warp - first warp]: stamp, 0 pending;
                           * then two words for each warp: its lanes that issued */
    uint32_t part;        /* not 0: by thread instead, h->each[part + thread - t0] */
    uint32_t rec, nrec;   /* records of global memory: from rec on; nrec 0: none */
};

typedef struct Global Global; /* hb_global.c */
typedef struct AtomicChain AtomicChain; /* hb_chain.c */

struct Hb {
    Report *r;
    const Prog *p;
    const Machine *m;
    Ctx *c;
    int threads, blocks, warps; /* of a block, of the cluster, warps of a block */
    int most;                   /* blocks of any launch's clusters */
    int nwarp;                  /* of the cluster */
    uint32_t ncomp;             /* warps and channels */
    uint32_t now, start;        /* time; the first of this cluster */
    uint32_t *last; uint32_t caplast; /* by component: stamp of its latest access */
    Warp *warp;
    uint16_t *warpof;           /* by thread of the cluster */
    uint8_t *laneof;
    Clocks *clocks, *spare;
    Clock join;                 /* work space */
    /* shared memory */
    int64_t shared;
    Zone *zone; int nzone;
    uint8_t *zoneof;            /* by ZoneLine */
    Cell *cell;
    uint32_t ncell;             /* of a block */
    uint32_t *root;             /* by site: root of its buffer, 0 none */
    Sets *sets; uint32_t nextsweep, nextreaders;
    /* asynchronous operations of the cluster; 0 is none */
    Async **async; uint32_t nasync, capasync; /* blocks of 256 */
    uint32_t *each; uint32_t neach, capeach;
    /* global memory */
    Global *g;
    AtomicChain *chain;         /* NULL while no atomic passes order on */
    uint32_t cluster, launch0;  /* running number; first one that is not ordered before */
    bool fences;                /* those of this launch cover global memory, so far */
};

/* Memory of the Hb's own: realloc that unwinds; size n * size, new part zeroed. */
void *hb_grow(Hb *h, void *p, size_t from, size_t to, size_t size);

/* hb_order.c */
bool hb_order_new(Hb *h);
void hb_order_free(Hb *h);
void hb_order_cluster(Hb *h);
uint32_t hb_channel(Hb *h);
void hb_comp(Hb *h, Clock *c, uint32_t comp, ClockComp x); /* joins into k */
void hb_floors(Hb *h, Warp *w);
static inline bool comp_knows(const ClockComp *x, int lane, uint32_t stamp)
{
    return stamp <= x->all || (stamp <= x->some && (x->lanes >> lane & 1));
}
static inline bool clock_knows(const Clock *c, uint32_t comp, int lane, uint32_t stamp)
{
    return comp < c->n && comp_knows(&c->k[comp], lane, stamp);
}
static inline Warp *hb_warp(Hb *h, int w)
{
    Warp *x = &h->warp[w];
    if (x->dirty)
        hb_floors(h, x);
    return x;
}

/* Who looks at memory: a lane of a warp and what it knows. */
typedef struct Eye Eye;
struct Eye {
    int thr, lane, w;
    const Clock *c;
    const Warp *warp;
    uint32_t floor;       /* of c */
};
Eye hb_eye(Hb *h, int thr);

/* The lanes of w in one warp after another. */
typedef struct LaneSet LaneSet;
struct LaneSet { int w, k, n; uint64_t mask; bool full; }; /* k, n: part of the threads of Who */
bool hb_lanes(const Hb *h, Who w, LaneSet *l); /* l->k = l->n = 0 first */
void hb_give(Hb *h, Clock *c, const LaneSet *l);     /* c joins what they know and did */
void hb_take(Hb *h, const Clock *c, const LaneSet *l); /* they learn c */
void hb_clock_join(Hb *h, Clock *a, const Clock *b);
void hb_clock_free(Clock *c);

/* hb_sets.c: sets of readers, each kept once */
Sets *sets_new(void);
void sets_free(Sets *s);
uint32_t sets_add(Hb *h, uint32_t set, const ShadowReader *r); /* set and r; keeps SetAsync */
const ShadowReader *sets_get(const Sets *s, uint32_t set, int *n);

void sets_sweep(Hb *h, Cell *cell, size_t ncell);
uint32_t sets_count(const Sets *s);
uint32_t sets_readers(const Sets *s); /* of all sets */

/* hb_async.c: is what the operation did (HAeach: for thread thr) over, and does
 * the eye know?  Then *stamp is its time. */
enum Seeing { HSpending, HSunseen, HSknown };
enum Seeing hb_sees(Hb *h, const Async *a, int thr, const Eye *e, uint32_t *stamp);
static inline Async *hb_async(const Hb *h, uint32_t id) { return &h->async[id / 256][id % 256]; }
void hb_async_cluster(Hb *h); /* reports what nobody waited for; none are left */
void hb_async_free(Hb *h);

/* hb_shared.c */
/* hb_grain.c: size[root Buf]: the least half bytes that the program moves there at once,
 * a power of two up to ZoneLine; 0 where nothing does. */
void hb_grain(const Prog *p, int *size);
bool hb_shared_new(Hb *h);
void hb_shared_free(Hb *h);
void hb_shared_wipe(Hb *h);

/* hb_global.c, hb_chain.c */
bool hb_global_new(Hb *h, const HbGlobal *g);
void hb_global_free(Hb *h);
void hb_global_cluster(Hb *h);
void hb_global_finish(Hb *h);
void hb_chain_free(Hb *h);
/* Does the eye know what a lane of an earlier cluster did at a time of that?  comp: its warp,
 * or a channel.  visible: to the async proxy, too. */
bool hb_chain_knows(Hb *h, uint32_t cluster, uint32_t comp, int lane, uint32_t stamp, const Eye *e,
                    bool visible);
/* hb_map.c: asynchronous operations of the cluster are over, or nobody will ever know of them. */
void hb_global_settle(Hb *h, const Async *a);

/* hb_say.c: findings. */
/* Are both sites atomics, whose order the value shows?  See report_two_ways(). */
bool hb_two_ways(const Hb *h, uint32_t a, uint32_t b);
/* One access that races: thread thr of block (linear index) by site was first. */
void hb_say_race(Hb *h, Err e, Err note, int64_t at, int thr, int64_t block,
                 uint32_t site, const Eye *eye, uint32_t now);
/* Contents: other, note: a second place or 0; name: argument {5} or NULL. */
void hb_say(Hb *h, Err e, Err note, int64_t at, uint32_t other, const char *name,
            const Eye *eye, uint32_t now);
#endif
