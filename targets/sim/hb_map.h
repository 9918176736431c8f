/* targets/sim/hb_map.h: maps of global memory, for hb_global.c and hb_map.c.
 *
 * Every access of a launch has a mark: a number that stands for a thread at a
 * time.  A record describes one instruction's accesses; its marks are id, id + 1
 * .. up to the next record's.  Memory is cut into chunks of 32 granules: one
 * that a mark fills wholly costs one word, others one a granule. */
#ifndef MOONTILE_SIM_HB_MAP_H
#define MOONTILE_SIM_HB_MAP_H

#include "hb_p.h"

enum { Grains = 32 };
#define Mixed 0x80000000u     /* in a Spread: the number of a block, not a mark */

/* Places are half bytes, as in HbAccess.
 *
 * Thread of a mark at one: t0 + (mark - id), and + (offset - base) / step when
 * step is not 0: neighbours that lie side by side share a mark.
 *
 * What an asynchronous operation does has no time of its own while its cluster runs: whoever
 * comes there asks the operation.  Behind the cluster stamp is the time of its completion, as
 * component comp of the clocks (0: the thread's warp), or NEVER. */
typedef struct Rec Rec;
struct Rec {
    uint32_t id, cluster, stamp, site; /* site | Atomic, or | Wrote: by a plain write; | Bulk */
    int32_t t0, step;
    int64_t base;
    uint32_t async, comp;
};
#define NEVER UINT32_MAX

/* Marks of a chunk: of its last write, of its last read since then; 0 none. */
typedef struct Spread Spread;
struct Spread { uint32_t w, r; };

typedef struct Written Written;
struct Written { uint32_t by[Grains]; };

/* The first reader since the write that the later ones did not know of, and the last.
 * Behind updates the plain write, or one of the readers, before the first of them. */
typedef struct Readers Readers;
struct Readers { uint32_t first[Grains], last[Grains]; };

/* Memory that one or several buffers lie in. */
typedef struct Mapped Mapped;
struct Mapped {
    const char *from, *to;
    int shift;                /* granules of 1 << shift half bytes */
    bool written, poisoned;
    Spread *s;                /* [n]; NULL: nobody writes it, nothing is noted */
    int64_t n;
};

struct Global {
    Mapped *m; uint32_t nm;
    uint32_t *of;             /* by root Buf: 1 + Mapped, 0 none */
    HbGlobal *buf;            /* by Buf */
    Rec *rec; uint32_t nrec, caprec, recent; /* by id; recent: the one found last */
    uint32_t next;            /* mark of the next record */
    Written *w; uint32_t nw, capw;
    Readers *r; uint32_t nr, capr;
    int64_t *block; uint32_t capblock; /* linear index, by cluster * most + cta */
};

uint32_t map_search(Global *g, uint32_t mark); /* index of the record */
static inline const Rec *map_rec(Global *g, uint32_t mark)
{
    uint32_t i = g->recent;
    if (mark < g->rec[i].id || (i + 1 < g->nrec && mark >= g->rec[i + 1].id))
        g->recent = i = map_search(g, mark);
    return &g->rec[i];
}
static inline int map_thread(const Rec *x, uint32_t mark, int64_t off)
{
    return x->t0 + (int)(mark - x->id) + (x->step ? (int)((off - x->base) / x->step) : 0);
}
static inline uint32_t map_site(const Rec *x) { return x->site & ~(Wrote | Loaded | Bulk); }
/* Mark of the last write of granule i. */
static inline uint32_t map_writer(const Global *g, const Mapped *m, int64_t i)
{
    uint32_t w = m->s[i / Grains].w;
    return w & Mixed ? g->w[w & ~Mixed].by[i % Grains] : w;
}
#endif
