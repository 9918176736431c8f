/* targets/sim/hb_shared.c: the shadow of shared memory. */
#include "hb_p.h"
#include "err/sim.h"

#include <stdlib.h>
#include <string.h>

enum { SweepSets = 1 << 16, SweepReaders = 1 << 20, MaxZones = 255, MaxLanes = 64 };

/* Granules ----------------------------------------------------------------- */

/* Bytes of a buffer. */
static int64_t hb_shared_bytes_of(const Hb *h, uint32_t b)
{
    const Buf *u = &h->p->buf[b];
    if (u->map)
        return (layout_extent(u->map, AXoff) * dtypeinfo[u->dt].bits + 7) / 8;
    return buf_bytes(h->p, b);
}

static int by_at(const void *a, const void *b)
{
    const Zone *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

static int hb_shared_log2of(int n)
{
    int s = 0;
    while (n > 1 << s)
        s++;
    return s;
}

/* Zones of overlapping buffers (to a ZoneLine), each with the smallest access
 * that there is; zone 0, bytes, is everything else.  grain: see hb_grain.c. */
static void find_zones(Hb *h, const int *grain)
{
    int64_t all = h->shared * HbByte, line = ZoneLine;
    int n = 1;
    for (uint32_t b = 1; b < h->p->nbuf; b++) {
        const Buf *u = &h->p->buf[b], *root = &h->p->buf[buf_root(h->p, b)];
        int64_t size = hb_shared_bytes_of(h, buf_root(h->p, b)) * HbByte, at = root->at * HbByte;
        if (u->scope != SCshared || at < 0 || size <= 0 || at >= all)
            continue;
        int64_t end = at + size < all ? at + size : all;
        int bits = dtypeinfo[u->dt].bits, least = grain[buf_root(h->p, b)];
        h->zone[n++] = (Zone){at / line * line, (end + line - 1) / line * line, 0,
                              hb_shared_log2of(least ? least : bits * HbByte / 8)};
    }
    qsort(h->zone + 1, (size_t)n - 1, sizeof *h->zone, by_at);
    int k = 1;
    for (int i = 2; i < n; i++) {
        Zone *z = &h->zone[k], *y = &h->zone[i];
        if (y->at >= z->end && k + 1 < MaxZones) {
            h->zone[++k] = *y;
            continue;
        }
        z->end = y->end > z->end ? y->end : z->end;
        z->shift = y->shift < z->shift ? y->shift : z->shift;
    }
    h->nzone = n > 1 ? k + 1 : 1;
    h->nextsweep = SweepSets;
    h->nextreaders = SweepReaders;
}

bool hb_shared_new(Hb *h)
{
    int64_t lines = (h->shared * HbByte + ZoneLine - 1) / ZoneLine + 1;
    h->zone = calloc(h->p->nbuf + 1, sizeof *h->zone);
    h->zoneof = calloc((size_t)lines, 1);
    h->sets = sets_new();
    int *grain = calloc(h->p->nbuf + 1, sizeof *grain);
    if (!h->zone || !h->zoneof || !h->sets || !grain) {
        free(grain);
        return false;
    }
    h->zone[0] = (Zone){0, lines * ZoneLine, 0, hb_shared_log2of(HbByte)};
    hb_grain(h->p, grain);
    find_zones(h, grain);
    free(grain);
    h->ncell = (uint32_t)(lines * ZoneLine / HbByte);
    for (int i = 1; i < h->nzone; i++) {
        Zone *z = &h->zone[i];
        z->cell = h->ncell;
        h->ncell += (uint32_t)((z->end - z->at) >> z->shift);
        memset(h->zoneof + z->at / ZoneLine, i, (size_t)((z->end - z->at) / ZoneLine));
    }
    h->cell = calloc((size_t)h->ncell * (size_t)h->most, sizeof *h->cell);
    return h->cell != NULL;
}

void hb_shared_free(Hb *h)
{
    sets_free(h->sets);
    free(h->zone);
    free(h->zoneof);
    free(h->cell);
}

void hb_shared_wipe(Hb *h)
{
    memset(h->cell, 0, (size_t)h->ncell * (size_t)h->most * sizeof *h->cell);
}

/* What happened before ------------------------------------------------------- */

/* An asynchronous write that nobody has seen complete: no stamp tells. */
static inline bool running(uint32_t wa) { return wa != 0 && !(wa & Done); }

/* One access while it is looked at. */
typedef struct SharedLook SharedLook;
struct SharedLook {
    Hb *h;
    const HbAccess *t;
    Eye e;
    uint32_t site;        /* and Atomic */
    uint32_t id;          /* Async, or 0 */
    bool proxy;
    uint32_t root, fine;  /* of the buffer; the last writing site that is of the same */
    int64_t at;           /* of the granule */
    int k;                /* of the touch */
    uint32_t seen, stamp; /* id: an Async, complete and known to e, and when it was; 0 none */
    uint32_t set, pushed, sum; /* the last asynchronous reader put into a set */
};

static void race(SharedLook *l, Err e, Err note, int thr, uint32_t site)
{
    Hb *h = l->h;
    hb_say_race(h, e, note, l->at, thr, h->r->block[thr / h->threads], site, &l->e, l->site);
}

/* Was the touch's thread thr at this granule before, in this very touch? */
static int hb_shared_earlier(const SharedLook *l, int thr)
{
    const HbAccess *t = l->t;
    int j = thr - t->t0;
    if (j < 0 || j >= l->k || (t->on && !t->on[j]))
        return -1;
    int64_t at = t->at ? t->at[j] : t->base + j * t->step;
    return l->at >= at && l->at < at + t->size ? j : -1;
}

/* Does the write bring what another one of the same statement, which was unrolled perhaps, has left? */
static bool writes_alike(SharedLook *l, const Cell *c)
{
    return l->t->same && report_one_place(l->h->r, c->ws, l->site) &&
           l->t->same(l->t->ud, l->k, hb_shared_earlier(l, c->wthr));
}

static void clash(SharedLook *l, const Cell *c)
{
    bool was = c->ws & Atomic, is = l->site & Atomic;
    if (was && is) {
        if (hb_two_ways(l->h, c->ws, l->site))
            race(l, E_sim_race_updates, E_sim_updates, c->wthr, c->ws);
        return;
    }
    if (was || is) {
        race(l, E_sim_race_atomic, was ? E_sim_updates : E_sim_wrote, c->wthr, c->ws);
        return;
    }
    if (writes_alike(l, c))
        return;
    if (c->ws != l->site)
        race(l, E_sim_race_ww, E_sim_wrote, c->wthr, c->ws);
    else
        race(l, E_sim_race_same, E_none, c->wthr, c->ws);
}

/* The last write, for an access that does not know all of its time.  False: it is
 * not known, and something was said. */
static bool after_write(SharedLook *l, Cell *c, bool write)
{
    Hb *h = l->h;
    uint32_t stamp;
    if (!c->wa) {
        if (c->wthr == l->e.thr ||
            clock_knows(l->e.c, h->warpof[c->wthr], h->laneof[c->wthr], c->wt))
            return true;
        if (write)
            clash(l, c);
        else if (!(c->ws & l->site & Atomic))
            race(l, c->ws & Atomic ? E_sim_race_atomic : E_sim_race_wr,
                 c->ws & Atomic ? E_sim_updates : E_sim_wrote, c->wthr, c->ws);
        return false;
    }
    uint32_t id = c->wa & AsyncId;
    enum Seeing s = HSknown;
    /* lanes of a warp, which wait together, copy the same */
    if (write && id == l->id && h->warpof[c->wthr] == l->e.w && l->t->same &&
        l->t->same(l->t->ud, l->k, hb_shared_earlier(l, c->wthr)))
        return true;
    if (l->id && id == l->seen)
        stamp = l->stamp; /* as a moment ago */
    else
        s = hb_sees(h, hb_async(h, id), c->wthr, &l->e, &stamp);
    if (s == HSknown) {
        l->seen = hb_async(h, id)->kind == HAeach ? 0 : id;
        l->stamp = stamp;
        c->wt = stamp;
        c->wa |= Done;
    } else {
        hb_say(h, s == HSpending ? E_sim_async_early : E_sim_async_unseen, E_sim_issued, l->at,
               c->ws, report_op(h->r, c->ws), &l->e, l->site);
    }
    return s == HSknown;
}

/* One earlier reader, before a write. */
static void after_reader(SharedLook *l, const ShadowReader *r)
{
    Hb *h = l->h;
    uint32_t stamp;
    bool ways = hb_two_ways(h, r->site, l->site);
    if (r->site & l->site & Atomic && !ways)
        return;
    if (!r->async) {
        uint64_t who = r->lanes;
        if (r->warp == l->e.w)
            who &= ~((uint64_t)1 << l->e.lane);
        const ClockComp *x = r->warp < l->e.c->n ? &l->e.c->k[r->warp] : NULL;
        if (!who || r->stamp <= l->e.floor || (x && r->stamp <= x->all) ||
            (x && r->stamp <= x->some && !(who & ~x->lanes)))
            return;
        int thr = r->thr;
        if (thr == l->e.thr) { /* name another of them */
            int lane = 0;
            while (!(who >> lane & 1))
                lane++;
            thr += lane - l->e.lane;
        }
        bool atomic = (r->site | l->site) & Atomic;
        race(l, ways ? E_sim_race_updates : atomic ? E_sim_race_atomic : E_sim_race_rw,
             r->site & Atomic && !(r->site & Loaded) ? E_sim_updates : r->site & Wrote ? E_sim_wrote : E_sim_read, thr,
             r->site);
        return;
    }
    enum Seeing s = hb_sees(h, hb_async(h, r->async), r->thr, &l->e, &stamp);
    if (s != HSknown)
        hb_say(h, s == HSpending ? E_sim_async_reads : E_sim_async_busy, E_sim_issued, l->at,
               r->site, report_op(h->r, r->site), &l->e, l->site);
}

static ShadowReader reader0(const Hb *h, const Cell *c)
{
    return (ShadowReader){
        (uint64_t)1 << h->laneof[c->rthr], c->rt, c->rs, c->ra, h->warpof[c->rthr], c->rthr};
}

static bool updates(uint32_t site) { return site & Atomic && !(site & Loaded); }

/* All earlier readers, or only those that are updates. */
static void after_readers(SharedLook *l, const Cell *c, bool atomics)
{
    ShadowReader r0 = reader0(l->h, c);
    int n;
    const ShadowReader *r = sets_get(l->h->sets, c->rm, &n);
    if (!atomics || updates(r0.site))
        after_reader(l, &r0);
    for (int i = 0; i < n; i++)
        if (!atomics || updates(r[i].site))
            after_reader(l, &r[i]);
}

/* The contents are what this buffer's statements wrote? */
static void contents(SharedLook *l, Cell *c)
{
    Hb *h = l->h;
    if (c->wt < h->start) {
        hb_say(h, E_sim_unwritten, E_none, l->at, 0, NULL, &l->e, l->site);
        c->wt = h->start; /* said once; not by anyone */
        c->ws = l->site & ~Atomic;
        c->wa = 0;
        c->wthr = (uint16_t)l->e.thr;
        c->rt = c->rm = c->ra = 0;
        l->fine = c->ws;
        return;
    }
    uint32_t site = c->ws & ~Atomic;
    uint32_t root = h->root[site];
    if (root && l->root && root != l->root)
        hb_say(h, E_sim_stale, E_sim_stored, l->at, site, report_name(h->r, root), &l->e, l->site);
    else
        l->fine = c->ws;
}

/* A generic write that the async proxy reads or overwrites must have been fenced. */
static void hb_shared_fenced(SharedLook *l, const Cell *c)
{
    Hb *h = l->h;
    const Warp *w = l->e.warp;
    if (c->wa & Proxy)
        return;
    uint32_t ff = l->e.c == &w->part ? w->pffloor : w->ffloor;
    int wv = h->warpof[c->wthr], lane = h->laneof[c->wthr];
    if (c->wt <= ff ||
        ((uint32_t)wv < l->e.c->n && comp_knows(&l->e.c->f[wv], lane, c->wt)))
        return;
    if (wv == l->e.w && comp_knows(&w->fenced, lane, c->wt) && c->wthr == l->e.thr)
        return;
    hb_say(h, E_sim_fence, E_sim_stored, l->at, c->ws, report_op(h->r, l->site), &l->e, l->site);
}

/* Reading and writing a granule ------------------------------------------------ */

static void check_read(SharedLook *l, Cell *c)
{
    if (l->t->moves) {
        if (c->wt < l->h->start) /* nobody's */
            return;
    } else if (c->wt < l->h->start || c->ws != l->fine) {
        contents(l, c);
    }
    bool known = (c->wt <= l->e.floor && !running(c->wa)) || after_write(l, c, false);
    if (c->ws & Atomic && c->rt >= l->h->start && !(l->site & Atomic))
        after_readers(l, c, true);
    if (known && l->proxy)
        hb_shared_fenced(l, c);
}

static void push_reader(SharedLook *l, Cell *c)
{
    ShadowReader r = reader0(l->h, c);
    bool again = c->rm == l->set && r.async && r.async == l->pushed;
    l->set = c->rm;
    l->pushed = r.async;
    c->rm = l->sum = again ? l->sum : sets_add(l->h, c->rm, &r);
}

/* The reader is noted; whom it knows of need not be remembered. */
static void note_read(SharedLook *l, Cell *c)
{
    Hb *h = l->h;
    uint32_t stamp;
    if (c->rt < h->start)
        c->rm = 0;
    else if (c->ra) {
        if (c->ra != l->id && hb_sees(h, hb_async(h, c->ra), c->rthr, &l->e, &stamp) != HSknown)
            push_reader(l, c);
    } else if (c->rt <= l->e.floor) {
        if (!(c->rm & SetAsync))
            c->rm = 0;
    } else if (c->rthr != l->e.thr || l->id || c->rs & (Atomic | Wrote)) {
        push_reader(l, c);
    }
    c->rt = h->now;
    c->rs = l->site;
    c->ra = l->id;
    c->rthr = (uint16_t)l->e.thr;
}

/* Who knows the readers since the last write knows that write, too. */
static void check_write(SharedLook *l, Cell *c)
{
    bool readers = c->rt >= l->h->start, known = true;
    if (c->wt >= l->h->start && (c->wt > l->e.floor || running(c->wa)) &&
        (!readers || (c->rs | l->site) & (Atomic | Wrote)))
        known = after_write(l, c, true);
    if (l->proxy && known && c->wt >= l->h->start)
        hb_shared_fenced(l, c);
    if (readers && (c->rt > l->e.floor || c->ra || c->rm & SetAsync))
        after_readers(l, c, false);
}

/* In front of an update another thread's, one of another kind, and a plain write stay known. */
static void note_write(SharedLook *l, Cell *c)
{
    Hb *h = l->h;
    bool both = l->site & c->ws & Atomic, first = l->site & ~c->ws & Atomic && !c->wa;
    bool other = both && (c->wthr != l->e.thr || hb_two_ways(h, c->ws, l->site));
    if (c->wt >= h->start && (other || first)) { /* remembered as a reader */
        uint32_t ws = c->ws | (first ? Wrote : 0);
        ShadowReader r = {
            (uint64_t)1 << h->laneof[c->wthr], c->wt, ws, 0, h->warpof[c->wthr], c->wthr};
        if (c->rt < h->start)
            c->rm = 0;
        else if (c->rs & (Atomic | Wrote))
            push_reader(l, c);
        c->rm = sets_add(h, c->rm, &r);
        c->rt = c->wt;
        c->rs = ws;
        c->rthr = c->wthr;
        c->ra = 0;
    } else if (!both) {
        c->rt = c->rm = c->ra = 0;
    }
    c->wt = h->now;
    c->ws = l->site;
    c->wa = l->id | (l->proxy ? Proxy : 0);
    c->wthr = (uint16_t)l->e.thr;
}

/* The usual cases, without looking closer: everything on record is known to the
 * thread, or its own. */
static inline bool quick_write(const SharedLook *l, Cell *c, uint32_t now)
{
    if (c->wt > l->e.floor || running(c->wa) || c->rt > l->e.floor || c->ra || c->rm & SetAsync)
        return false;
    *c = (Cell){.wt = now, .ws = l->site, .wthr = (uint16_t)l->e.thr};
    return true;
}

static inline bool quick_read(const SharedLook *l, Cell *c, uint32_t now)
{
    uint16_t thr = (uint16_t)l->e.thr;
    bool mine = c->rthr == thr && !c->ra && !(c->rs & Atomic);
    if (c->wt < l->h->start || c->ws != l->fine || c->ws & Atomic || c->rm & SetAsync ||
        !((c->wt <= l->e.floor && !running(c->wa)) || (c->wthr == thr && !c->wa)) ||
        !((c->rt <= l->e.floor && !c->ra) || mine))
        return false;
    if (c->rt <= l->e.floor)
        c->rm = 0;
    c->rt = now;
    c->rs = l->site;
    c->ra = 0;
    c->rthr = thr;
    return true;
}

static void access_cell(SharedLook *l, Cell *c)
{
    uint8_t mode = l->t->mode;
    if (mode == HBread) {
        if (!l->id && quick_read(l, c, l->h->now))
            return;
        check_read(l, c);
        note_read(l, c);
    } else if (mode == HBwrite) {
        check_write(l, c);
        note_write(l, c);
    } else if (mode & HBread) { /* atomic load */
        check_read(l, c);
        note_read(l, c);
    } else {
        if (!(mode & HBwrite) && (c->wt < l->h->start || c->ws != l->fine))
            contents(l, c);
        check_write(l, c);
        note_write(l, c);
    }
}

/* Touches ----------------------------------------------------------------------- */

/* The granules of [at, at + size) of one block: up to the end of its zone. */
static Cell *cells(const Hb *h, int cta, int64_t at, int64_t size, int *n, int64_t *next,
                   int *shift)
{
    const Zone *z = &h->zone[h->zoneof[at / ZoneLine]];
    int64_t end = at + size, first = (at - z->at) >> z->shift;
    int64_t stop = z == h->zone ? (at / ZoneLine + 1) * ZoneLine : z->end;
    if (end > stop)
        end = stop;
    *n = (int)(((end - z->at + (1 << z->shift) - 1) >> z->shift) - first);
    *next = end;
    *shift = z->shift;
    return h->cell + (size_t)cta * h->ncell + z->cell + first;
}

static void access_range(SharedLook *l, int64_t at, int64_t size)
{
    int64_t end = at + size, next;
    for (; at < end; at = next) {
        int n, shift;
        Cell *c = cells(l->h, l->t->cta, at, end - at, &n, &next, &shift);
        l->at = at;
        for (int i = 0; i < n; i++, l->at += (int64_t)1 << shift)
            access_cell(l, &c[i]);
    }
}

/* Lanes l->k .. l->k + n of one warp, contiguous from at, each `size`; all know the
 * same. */
static void access_lanes(SharedLook *l, int n, int64_t at, int size)
{
    int64_t end = at + (int64_t)n * size, next;
    uint32_t now = l->h->now;
    uint8_t mode = l->t->mode;
    int thr0 = l->e.thr, lane0 = l->e.lane, k0 = l->k;
    for (int64_t from = at; from < end; from = next) {
        int count, shift;
        Cell *c = cells(l->h, l->t->cta, from, end - from, &count, &next, &shift);
        int per = size >> shift ? size >> shift : 1;
        int left = per - (int)((from - at) >> shift) % per;
        int k = (int)((from - at) / size);
        l->at = from;
        for (int i = 0; i < count; i++, l->at += (int64_t)1 << shift) {
            l->k = k0 + k;
            l->e.thr = thr0 + k;
            l->e.lane = lane0 + k;
            if (!(mode == HBwrite ? quick_write(l, &c[i], now)
                                  : mode == HBread && quick_read(l, &c[i], now)))
                access_cell(l, &c[i]);
            if (--left == 0) {
                left = per;
                k++;
            }
        }
    }
}

static SharedLook cell_look(Hb *h, const HbAccess *t, uint32_t site)
{
    SharedLook l = {.h = h, .t = t, .site = site, .fine = UINT32_MAX};
    l.root = site < h->r->nsite ? h->root[site] : 0;
    if (t->mode & HBatomic)
        l.site |= Atomic | (t->mode == (HBatomic | HBread) ? Loaded : 0);
    return l;
}

/* Lanes of a warp that know the same, l->e the first of them, read the same places: noted
 * as one reader, and checked for two of them, as one may be the writer. */
static void read_same(SharedLook *l, uint64_t lanes, int64_t at)
{
    Hb *h = l->h;
    int first = l->e.thr, lane = l->e.lane, last = lane;
    while (lanes >> last > 1)
        last++;
    int64_t end = at + l->t->size, next;
    for (; at < end; at = next) {
        int n, shift;
        Cell *c = cells(h, l->t->cta, at, end - at, &n, &next, &shift);
        l->at = at;
        for (int i = 0; i < n; i++, l->at += (int64_t)1 << shift) {
            check_read(l, &c[i]);
            if (c[i].wt > l->e.floor || running(c[i].wa)) {
                l->e.thr = first + last - lane;
                l->e.lane = last;
                check_read(l, &c[i]);
                l->e.thr = first;
                l->e.lane = lane;
            }
            note_read(l, &c[i]);
            ShadowReader r = {lanes, h->now, l->site, 0, (uint16_t)l->e.w, (uint16_t)first};
            c[i].rm = sets_add(h, c[i].rm, &r);
        }
    }
}

/* Do no two of a warp's lanes come to the same place?  True: certainly. */
static bool rising(const HbAccess *t, const LaneSet *w)
{
    for (int k = w->k + 1; k < w->k + w->n; k++)
        if (t->at[k] <= t->at[k - 1])
            return false;
    return true;
}

/* Which lanes of a warp come to the same place: to[lane], of the first of them, gets all. */
static void find_mates(const HbAccess *t, const LaneSet *w, int lane0, uint64_t *to)
{
    uint8_t slot[2 * MaxLanes] = {0}; /* by hash of the place: 1 + the first lane there */
    for (int i = 0; i < w->n; i++) {
        int64_t at = t->at[w->k + i];
        int lane = lane0 + i;
        if (!(w->mask >> lane & 1))
            continue;
        uint32_t k = (uint32_t)((uint64_t)at * 0x9E3779B97F4A7C15u >> 57);
        while (slot[k] && t->at[w->k + slot[k] - 1 - lane0] != at)
            k = (k + 1) % COUNT(slot);
        if (!slot[k]) {
            slot[k] = (uint8_t)(lane + 1);
            to[lane] = 0;
        }
        to[slot[k] - 1] |= (uint64_t)1 << lane;
    }
}

static void hb_shared_sweep(Hb *h)
{
    if (sets_count(h->sets) > h->nextsweep || sets_readers(h->sets) > h->nextreaders) {
        sets_sweep(h, h->cell, (size_t)h->ncell * (size_t)h->most);
        h->nextsweep = sets_count(h->sets) + SweepSets;
        h->nextreaders = 2 * sets_readers(h->sets) + SweepReaders;
    }
}

void hb_shared(Hb *h, const HbAccess *t)
{
    SharedLook l = cell_look(h, t, t->site);
    hb_shared_sweep(h);
    for (LaneSet w = {0}; hb_lanes(h, (Who){t->t0, t->n, t->on}, &w);) {
        const Warp *x = hb_warp(h, w.w);
        h->last[w.w] = h->now;
        bool many = w.mask & (w.mask - 1) && t->mode == HBread && !x->pm;
        bool same = many && (t->at ? !rising(t, &w) : t->step == 0);
        uint64_t done = 0, mates[MaxLanes];
        if (same && t->at)
            find_mates(t, &w, h->laneof[t->t0 + w.k], mates);
        if (!t->at && t->step == t->size && !x->pm && (!t->on || w.full)) {
            int thr = t->t0 + w.k;
            l.e = (Eye){thr, h->laneof[thr], w.w, &x->all, x, x->floor};
            l.k = w.k;
            access_lanes(&l, w.n, t->base + w.k * t->step, t->size);
            continue;
        }
        for (int k = w.k; k < w.k + w.n && w.mask & ~done; k++) {
            int thr = t->t0 + k, lane = h->laneof[thr];
            if ((t->on && !t->on[k]) || done >> lane & 1)
                continue;
            bool part = x->pm >> lane & 1;
            l.e = (Eye){thr, lane, w.w, part ? &x->part : &x->all, x, part ? x->pfloor : x->floor};
            l.k = k;
            int64_t at = t->at ? t->at[k] : t->base + k * t->step;
            uint64_t lanes = !same ? 0 : t->at ? mates[lane] : w.mask;
            if (lanes & (lanes - 1))
                read_same(&l, lanes, at);
            else
                access_range(&l, at, t->size);
            done |= lanes;
        }
    }
}

void hb_forget(Hb *h, const HbAccess *t)
{
    for (int k = 0; k < t->n; k++) {
        int64_t at = t->at ? t->at[k] : t->base + k * t->step, end = at + t->size, next;
        for (; (!t->on || t->on[k]) && at < end; at = next) {
            int n, shift;
            Cell *c = cells(h, t->cta, at, end - at, &n, &next, &shift);
            for (int i = 0; i < n; i++)
                c[i].wt = 0;
        }
    }
}

/* Has a cell a value that a buffer's own statements wrote? */
static bool cell_holds(const Hb *h, const Cell *c, uint32_t root)
{
    uint32_t of = h->root[c->ws & ~Atomic];
    return c->wt >= h->start && (!of || !root || of == root);
}

void hb_held(Hb *h, const HbAccess *t, uint8_t *held)
{
    uint32_t root = cell_look(h, t, t->site).root;
    for (int k = 0; k < t->n; k++) {
        int64_t at = t->at ? t->at[k] : t->base + k * t->step, end = at + t->size, next;
        for (; (!t->on || t->on[k]) && at < end; at = next) {
            int n, shift;
            Cell *c = cells(h, t->cta, at, end - at, &n, &next, &shift);
            for (int i = 0; i < n; i++)
                held[k] &= cell_holds(h, &c[i], root);
        }
    }
}

/* Contents that the issuing threads know, and that are visible to the operation. */
static inline bool quick_source(const SharedLook *l, const Cell *c, uint32_t ffloor)
{
    return c->wt >= l->h->start && c->ws == l->fine && c->wt <= l->e.floor && !running(c->wa) &&
           !(c->ws & Atomic) && (!l->proxy || c->wa & Proxy || c->wt <= ffloor);
}

/* One range: checked, and noted if asked for. */
static void own_range(SharedLook *l, int64_t at, int64_t size, bool noted)
{
    Hb *h = l->h;
    bool read = l->t->mode == HBread;
    uint32_t ffloor = l->e.c == &l->e.warp->part ? l->e.warp->pffloor : l->e.warp->ffloor;
    int64_t next, end = at + size;
    l->at = at;
    for (; at < end; at = next) {
        int n, shift;
        Cell *c = cells(h, l->t->cta, at, end - at, &n, &next, &shift);
        for (int i = 0; i < n; i++, l->at += (int64_t)1 << shift) {
            if (!read)
                check_write(l, &c[i]);
            else if (!quick_source(l, &c[i], ffloor))
                check_read(l, &c[i]);
            if (noted && read)
                note_read(l, &c[i]);
            else if (noted)
                note_write(l, &c[i]);
        }
    }
}

/* All ranges, as thread thr sees them; HAeach: as their own threads do. */
static void own_ranges(SharedLook *l, int thr, bool each, bool noted)
{
    const HbAccess *t = l->t;
    l->e = hb_eye(l->h, thr);
    l->seen = 0;
    for (int k = 0; k < t->n; k++) {
        if (t->on && !t->on[k])
            continue;
        l->k = k;
        if (each) {
            l->e = hb_eye(l->h, t->t0 + k);
            l->seen = 0;
        }
        own_range(l, t->at ? t->at[k] : t->base + k * t->step, t->size, noted);
    }
}

/* The threads that issue an operation must know what it touches, of a group each
 * warp. */
void hb_owns(Hb *h, Async *a, const HbAccess *t, bool proxy)
{
    HbAccess u = *t;
    SharedLook l = cell_look(h, &u, t->site);
    u.same = a->kind == HAeach ? t->same : NULL;
    a->proxy = proxy;
    a->reads |= t->mode == HBread;
    a->writes |= t->mode != HBread;
    l.id = a->id;
    l.proxy = proxy && h->m->proxies;
    hb_shared_sweep(h);
    for (int thr = a->t0 + 1; a->kind == HAgroup && thr < a->t0 + a->n; thr++)
        if (h->warpof[thr] != h->warpof[thr - 1])
            own_ranges(&l, thr, false, false);
    own_ranges(&l, a->t0, a->kind == HAeach, true);
}
