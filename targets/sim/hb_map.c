/* targets/sim/hb_map.c: accesses to global memory are checked and noted. */
#include <assert.h>
#include <string.h>

#include "hb_map.h"
#include "err/sim.h"

#define LastMark (Mixed - (1u << 20)) /* beyond it nothing more is noted */

/* One access while it is looked at. */
typedef struct MapRow MapRow;
struct MapRow {
    Hb *h;
    Global *g;
    Mapped *m;
    const HbAccess *t;
    uint32_t site;        /* site | Atomic */
    bool one;             /* all by thread t0 */
    bool proxy;           /* through the async proxy, where there is one */
    uint32_t async;       /* the operation whose accesses these are; 0: none */
    uint32_t floor;       /* the lowest of the warps' */
    uint32_t odd;         /* marks of single threads: t0 + k has odd + k; 0: not made yet */
    int64_t delta;        /* of the buffer in the map */
    Eye e;                /* who looks closer */
    int k;
};

/* The contiguous [from, to) of threads k0 ..: each of `size`; they share mark
 * `mark`, or thread k0 + i has mark + i (each). */
typedef struct Strip Strip;
struct Strip {
    int64_t from, to;
    int k0, size;
    uint32_t mark;
    bool each;
};

uint32_t map_search(Global *g, uint32_t mark)
{
    uint32_t lo = 0, hi = g->nrec;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (g->rec[mid].id <= mark)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* n marks of a new record. */
static uint32_t new_rec(MapRow *r, uint32_t n, int64_t base, int32_t t0, int32_t step)
{
    Global *g = r->g;
    if (g->nrec >= g->caprec) {
        uint32_t to = g->caprec ? g->caprec * 2 : 1024;
        g->rec = hb_grow(r->h, g->rec, g->caprec, to, sizeof *g->rec);
        g->caprec = to;
    }
    uint32_t site = r->site | (r->t->mode == HBwrite ? Wrote : 0) | (r->proxy ? Bulk : 0) |
                    (r->t->mode == (HBatomic | HBread) ? Loaded : 0);
    g->rec[g->nrec++] =
        (Rec){g->next, r->h->cluster, r->h->now, site, t0, step, base, r->async, 0};
    g->next += n;
    return g->next - n;
}

static int thread_now(const MapRow *r, const Strip *s, int64_t off)
{
    if (r->one)
        return r->t->t0;
    off = off < s->from ? s->from : off;
    return r->t->t0 + s->k0 + (int)((off - s->from) / s->size);
}

/* What happened before ------------------------------------------------------- */

/* Does everybody who comes now know that q is over?  False: look closer. */
static bool hb_map_over(const MapRow *r, const Rec *q)
{
    const Async *a = q->async ? hb_async(r->h, q->async) : NULL;
    if (q->cluster != r->h->cluster || (r->proxy && !(q->site & Bulk)))
        return false;
    return a ? a->done && a->kind == HAthread && a->stamp <= r->floor : q->stamp <= r->floor;
}

/* Is the access of this mark known to thread thr without looking closer? */
static bool fine(const MapRow *r, uint32_t mark, int64_t off, int thr)
{
    const Rec *q = map_rec(r->g, mark);
    if (q->cluster < r->h->launch0 || hb_map_over(r, q))
        return true;
    return !q->async && !r->proxy && q->cluster == r->h->cluster && map_thread(q, mark, off) == thr;
}

static bool hb_map_knows(const MapRow *r, const Rec *q, int thr)
{
    Hb *h = r->h;
    uint32_t stamp, comp = q->comp ? q->comp : h->warpof[thr];
    int lane = q->comp ? 0 : h->laneof[thr];
    if (q->cluster < h->launch0)
        return true;
    if (q->async)
        return hb_sees(h, hb_async(h, q->async), thr, &r->e, &stamp) == HSknown;
    if (q->cluster != h->cluster)
        return hb_chain_knows(h, q->cluster, comp, lane, q->stamp, &r->e, false);
    return thr == r->e.thr || q->stamp <= r->e.floor || clock_knows(r->e.c, comp, lane, q->stamp);
}

/* Is what thread thr wrote in the ordinary way, and the eye knows of, visible to the async
 * proxy? */
static bool hb_map_visible(const MapRow *r, const Rec *q, int thr)
{
    Hb *h = r->h;
    const Warp *w = r->e.warp;
    uint32_t floor = r->e.c == &w->part ? w->pffloor : w->ffloor, comp = h->warpof[thr];
    int lane = h->laneof[thr];
    if (q->cluster < h->launch0 || q->site & Bulk || !h->fences)
        return q->cluster < h->launch0 || q->site & Bulk;
    if (q->cluster != h->cluster)
        return hb_chain_knows(h, q->cluster, comp, lane, q->stamp, &r->e, true);
    return q->stamp <= floor ||
           (comp < r->e.c->n && comp_knows(&r->e.c->f[comp], lane, q->stamp)) ||
           (thr == r->e.thr && comp_knows(&w->fenced, lane, q->stamp));
}

/* The write of this mark, before the async proxy comes there. */
static void hb_map_fenced(MapRow *r, uint32_t mark, int64_t off)
{
    const Rec *q = map_rec(r->g, mark);
    int thr = map_thread(q, mark, off);
    if (hb_map_knows(r, q, thr) && !hb_map_visible(r, q, thr))
        hb_say(r->h, E_sim_fence, E_sim_stored, off - r->delta, q->site,
               report_op(r->h->r, r->t->site), &r->e, r->site);
}

/* Was thread thr at this place before, in this very touch? */
static int hb_map_earlier(const MapRow *r, int thr, int64_t off)
{
    const HbAccess *t = r->t;
    int j = thr - t->t0;
    if (r->one || j < 0 || j >= r->k || (t->on && !t->on[j]))
        return -1;
    int64_t at = r->delta + (t->at ? t->at[j] : t->base + j * t->step);
    return off >= at && off < at + t->size ? j : -1;
}

/* What an asynchronous operation of this cluster does is not over, or the eye does not know. */
static void hb_map_early(MapRow *r, const Rec *q, int thr, int64_t off, bool waswrite)
{
    Hb *h = r->h;
    uint32_t stamp;
    bool pending = hb_sees(h, hb_async(h, q->async), thr, &r->e, &stamp) == HSpending;
    Err e = waswrite ? (pending ? E_sim_store_early : E_sim_async_unseen)
            : pending ? E_sim_async_reads
                      : E_sim_async_busy;
    hb_say(h, e, E_sim_issued, off - r->delta, q->site,
           report_op(h->r, map_site(q) & ~Atomic), &r->e, r->site);
}

static void hb_map_conflict(MapRow *r, const Rec *q, int thr, int64_t off, bool waswrite)
{
    bool was = q->site & Atomic, is = r->site & Atomic, write = r->t->mode != HBread;
    bool same = map_site(q) == r->site;
    Hb *h = r->h;
    int64_t block = r->g->block[q->cluster * (uint32_t)h->most + (uint32_t)(thr / h->threads)];
    int64_t mine = h->r->block[r->e.thr / h->threads];
    Err e, note = was && !(q->site & Loaded) ? E_sim_updates : q->site & Wrote ? E_sim_wrote : E_sim_read;
    if (was && is && !hb_two_ways(h, q->site, r->site))
        return;
    if (waswrite && write && r->t->same && report_one_place(h->r, map_site(q), r->site) &&
        r->t->same(r->t->ud, r->k, hb_map_earlier(r, thr, off)))
        return;
    if (q->async) {
        hb_map_early(r, q, thr, off, waswrite);
        return;
    }
    if (was && is)
        e = E_sim_race_updates;
    else if (block != mine || q->cluster != h->cluster)
        e = was || is ? E_sim_race_both : E_sim_race_blocks;
    else if (was || is)
        e = E_sim_race_atomic;
    else if (!waswrite)
        e = E_sim_race_rw;
    else if (!write)
        e = E_sim_race_wr;
    else
        e = same ? E_sim_race_same : E_sim_race_ww;
    note = e == E_sim_race_same ? E_none : note;
    hb_say_race(h, e, note, off - r->delta, thr, block, q->site, &r->e, r->site);
}

static void hb_map_after(MapRow *r, uint32_t mark, int64_t off, bool waswrite)
{
    if (!mark)
        return;
    const Rec *q = map_rec(r->g, mark);
    int thr = map_thread(q, mark, off);
    if (!hb_map_knows(r, q, thr))
        hb_map_conflict(r, q, thr, off, waswrite);
}

/* Chunks in detail -------------------------------------------------------------- */

static Written *writers(MapRow *r, Spread *s)
{
    Global *g = r->g;
    if (s->w & Mixed)
        return &g->w[s->w & ~Mixed];
    if (g->nw == g->capw) {
        uint32_t to = g->capw ? g->capw * 2 : 256;
        g->w = hb_grow(r->h, g->w, g->capw, to, sizeof *g->w);
        g->capw = to;
    }
    Written *w = &g->w[g->nw];
    for (int i = 0; i < Grains; i++)
        w->by[i] = s->w;
    s->w = g->nw++ | Mixed;
    return w;
}

static Readers *readers(MapRow *r, Spread *s)
{
    Global *g = r->g;
    if (s->r & Mixed)
        return &g->r[s->r & ~Mixed];
    if (g->nr == g->capr) {
        uint32_t to = g->capr ? g->capr * 2 : 256;
        g->r = hb_grow(r->h, g->r, g->capr, to, sizeof *g->r);
        g->capr = to;
    }
    Readers *q = &g->r[g->nr];
    for (int i = 0; i < Grains; i++)
        q->first[i] = q->last[i] = s->r;
    s->r = g->nr++ | Mixed;
    return q;
}

static bool updated(const MapRow *r, uint32_t mark)
{
    const Rec *q = mark ? map_rec(r->g, mark) : NULL;
    return q && q->site & Atomic && !(q->site & Loaded);
}

/* What the mark stands for goes on beside the eye: to be remembered before others. */
static bool hb_map_pending(const MapRow *r, uint32_t mark, int64_t off)
{
    const Rec *q = mark ? map_rec(r->g, mark) : NULL;
    return q && q->async && !hb_map_knows(r, q, map_thread(q, mark, off));
}

/* A read of granule i of the chunk; q: its readers. */
static void read_closely(MapRow *r, uint32_t w, Readers *q, int i, int64_t off, uint32_t mark)
{
    uint32_t first = q->first[i];
    bool both = r->site & Atomic && updated(r, w);
    if (w && !both)
        hb_map_after(r, w, off, true);
    if (updated(r, w) && updated(r, first) && !(r->site & Atomic))
        hb_map_after(r, first, off, true);
    const Rec *x = first ? map_rec(r->g, first) : NULL;
    if (!x || (x->cluster == r->h->cluster && hb_map_knows(r, x, map_thread(x, first, off))))
        q->first[i] = mark;
    if (!hb_map_pending(r, q->last[i], off))
        q->last[i] = mark;
}

/* Is there nothing of this launch? */
static bool hb_map_none(const MapRow *r, uint32_t mark)
{
    return !mark || map_rec(r->g, mark)->cluster < r->h->launch0;
}

/* w, an update or a plain write, stays known in front of an update, as if it were a reader: where
 * nothing is kept, or only an update of another kind. */
static void hb_map_keep(MapRow *r, Readers *q, int i, uint32_t w)
{
    uint32_t site = map_rec(r->g, w)->site;
    if (hb_map_none(r, q->first[i])) {
        q->first[i] = w;
        q->last[i] = 0;
    } else if ((hb_map_none(r, q->last[i]) || q->last[i] == q->first[i]) &&
               hb_two_ways(r->h, map_rec(r->g, q->first[i])->site, site)) {
        q->last[i] = w;
    }
}

/* A write or an update; q: readers, or NULL when there are none. */
static void write_closely(MapRow *r, Spread *s, int i, int64_t off, uint32_t mark)
{
    uint32_t w = writers(r, s)->by[i], first, last;
    bool update = r->site & Atomic, both = update && updated(r, w);
    bool ways = both && hb_two_ways(r->h, map_rec(r->g, w)->site, r->site);
    Readers *q = s->r ? readers(r, s) : NULL;
    first = q ? q->first[i] : 0;
    last = q ? q->last[i] : 0;
    if (w && (!both || ways))
        hb_map_after(r, w, off, true);
    hb_map_after(r, first, off, false);
    if (last != first)
        hb_map_after(r, last, off, false);
    const Rec *x = update && w ? map_rec(r->g, w) : NULL;
    if (!update && q) {
        q->first[i] = q->last[i] = 0;
    } else if (x && x->cluster >= r->h->launch0 &&
               (!both || ways || x->cluster != r->h->cluster || map_thread(x, w, off) != r->e.thr)) {
        hb_map_keep(r, readers(r, s), i, w);
    }
    writers(r, s)->by[i] = mark;
}

static void closely(MapRow *r, Spread *s, const Strip *p, int i, int64_t off, uint32_t mark)
{
    uint8_t mode = r->t->mode;
    int thr = thread_now(r, p, off);
    uint32_t w = s->w & Mixed ? r->g->w[s->w & ~Mixed].by[i] : s->w;
    if (r->e.thr != thr)
        r->e = hb_eye(r->h, thr);
    r->k = r->one ? 0 : thr - r->t->t0;
    if (!w && !(mode & HBwrite) && r->m->poisoned)
        hb_say(r->h, E_sim_poison, E_none, off - r->delta, 0, NULL, &r->e, r->site);
    if (w && r->proxy)
        hb_map_fenced(r, w, off);
    if (mode & HBwrite || mode == HBatomic)
        write_closely(r, s, i, off, mark);
    else
        read_closely(r, w, readers(r, s), i, off, mark);
}

/* Strips -------------------------------------------------------------------------- */

/* Granules [lo, hi) of a chunk that starts at `at`. */
static void write_part(MapRow *r, Spread *s, const Strip *p, int64_t at, int lo, int hi)
{
    int shift = r->m->shift;
    uint32_t ok = 0, *by = writers(r, s)->by;
    for (int i = lo; i < hi; i++) {
        int64_t off = at + ((int64_t)i << shift);
        uint32_t was = by[i], mark = p->mark;
        if (p->each && off > p->from)
            mark += (uint32_t)((off - p->from) / p->size);
        if (was && was != ok) {
            if (!fine(r, was, off, thread_now(r, p, off))) {
                closely(r, s, p, i, off, mark);
                by = writers(r, s)->by;
                continue;
            }
            ok = map_rec(r->g, was)->stamp <= r->floor ? was : 0;
        }
        by[i] = mark;
    }
}

static void read_part(MapRow *r, Spread *s, const Strip *p, int64_t at, int lo, int hi)
{
    int shift = r->m->shift;
    Readers *q = readers(r, s);
    for (int i = lo; i < hi; i++) {
        int64_t off = at + ((int64_t)i << shift);
        uint32_t w = s->w & Mixed ? r->g->w[s->w & ~Mixed].by[i] : s->w, mark = p->mark;
        int thr = thread_now(r, p, off);
        if (p->each && off > p->from)
            mark += (uint32_t)((off - p->from) / p->size);
        if ((w || !r->m->poisoned) && (!w || (fine(r, w, off, thr) && !updated(r, w))) &&
            (!q->first[i] || fine(r, q->first[i], off, thr))) {
            q->first[i] = q->last[i] = mark;
        } else {
            closely(r, s, p, i, off, mark);
            q = readers(r, s);
        }
    }
}

static void strip_part(MapRow *r, Spread *s, const Strip *p, int64_t at, int lo, int hi)
{
    if (r->t->mode == HBread) {
        read_part(r, s, p, at, lo, hi);
    } else if (r->t->mode == HBwrite && !s->r) {
        write_part(r, s, p, at, lo, hi);
    } else {
        for (int i = lo; i < hi; i++) {
            int64_t off = at + ((int64_t)i << r->m->shift);
            uint32_t more = p->each && off > p->from ? (uint32_t)((off - p->from) / p->size) : 0;
            closely(r, s, p, i, off, p->mark + more);
        }
    }
}

/* Is what the mark stands for, over a whole chunk, known to the threads that now
 * come with record x? */
static bool row_before(const MapRow *r, uint32_t mark, const Rec *x)
{
    if (!mark)
        return true;
    if (mark & Mixed)
        return false;
    Rec now = *x; /* the search may move on */
    const Rec *q = map_rec(r->g, mark);
    if (q->cluster < r->h->launch0 || hb_map_over(r, q))
        return true;
    if (q->cluster != r->h->cluster || q->async || (r->proxy && !(q->site & Bulk)))
        return false;
    return q->step == now.step && (q->step || q->t0 == now.t0) &&
           q->base - (int64_t)q->t0 * q->step == now.base - (int64_t)now.t0 * now.step;
}

/* The strip, whole chunks at once where one mark fills them. */
static void hb_map_strip(MapRow *r, const Strip *p)
{
    const int64_t size = (int64_t)Grains << r->m->shift;
    uint8_t mode = r->t->mode;
    bool plain = (mode == HBread || mode == HBwrite) && !p->each;
    Rec x = *map_rec(r->g, p->mark);
    for (int64_t at = p->from / size * size; at < p->to; at += size) {
        Spread *s = &r->m->s[at / size];
        int lo = at < p->from ? (int)((p->from - at) >> r->m->shift) : 0, hi = Grains;
        bool whole = plain && at >= p->from && at + size <= p->to && row_before(r, s->r, &x);
        if (at + size > p->to)
            hi = (int)((p->to - at + (1 << r->m->shift) - 1) >> r->m->shift);
        if (whole && mode == HBwrite && row_before(r, s->w, &x))
            *s = (Spread){p->mark, 0};
        else if (whole && mode == HBread && (s->w || !r->m->poisoned) && row_before(r, s->w, &x) &&
                 !(s->w && updated(r, s->w)))
            s->r = p->mark;
        else
            strip_part(r, s, p, at, lo, hi);
    }
}

static uint32_t lowest(Hb *h, const HbAccess *t, bool one)
{
    uint32_t low = UINT32_MAX;
    for (LaneSet l = {0}; hb_lanes(h, (Who){t->t0, one ? 1 : t->n, NULL}, &l);) {
        const Warp *x = hb_warp(h, l.w);
        low = x->floor < low ? x->floor : low;
        h->last[l.w] = h->now;
    }
    return low;
}

static void row_access(MapRow *r)
{
    const HbAccess *t = r->t;
    for (int k = 0, n; k < t->n; k += n) {
        n = 1;
        if (t->on && !t->on[k])
            continue;
        int64_t at = t->at ? t->at[k] : t->base + k * t->step, end = at + t->size;
        while (!r->one && k + n < t->n && (!t->on || t->on[k + n]) &&
               (t->at ? t->at[k + n] : t->base + (k + n) * t->step) == end) {
            end += t->size;
            n++;
        }
        Strip p = {r->delta + at, r->delta + end, k, t->size, 0, false};
        if (!r->one && end - at >= (int64_t)Grains << r->m->shift) {
            p.mark = new_rec(r, 1, p.from, t->t0 + k, t->size);
        } else {
            if (!r->odd)
                r->odd = new_rec(r, r->one ? 1 : (uint32_t)t->n, 0, t->t0, 0);
            p.mark = r->odd + (uint32_t)(r->one ? 0 : k);
            p.each = !r->one;
        }
        hb_map_strip(r, &p);
    }
}

/* a: the operation whose accesses these are; NULL: they happen now. */
static void global(Hb *h, uint32_t buf, const HbAccess *t, Async *a, bool proxy)
{
    Global *g = h->g;
    uint32_t root = buf_root(h->p, buf);
    Mapped *m = g->of[root] ? &g->m[g->of[root] - 1] : NULL;
    if (!m || !m->s || g->next > LastMark)
        return;
    MapRow r = {.h = h, .g = g, .m = m, .t = t, .one = a && a->kind != HAeach,
                .proxy = proxy && h->m->proxies, .async = a ? a->id : 0, .e = {.thr = -1}};
    r.site = t->site | (t->mode & HBatomic ? Atomic : 0);
    r.delta = ((const char *)g->buf[root].data - m->from) * HbByte;
    r.floor = lowest(h, t, r.one);
    row_access(&r);
}

void hb_global(Hb *h, uint32_t buf, const HbAccess *t) { global(h, buf, t, NULL, false); }

void hb_async_global(Hb *h, Async *a, uint32_t buf, const HbAccess *t, bool proxy)
{
    HbAccess u = *t;
    if (a->kind != HAeach)
        u.t0 = a->t0;
    assert(!a->nrec);
    a->rec = h->g->nrec;
    global(h, buf, &u, a, proxy);
    a->nrec = h->g->nrec - a->rec;
}

void hb_global_settle(Hb *h, const Async *a)
{
    uint32_t stamp = a->done ? a->stamp : NEVER;
    for (int w = h->warpof[a->t0]; a->kind == HAeach && a->done && w <= h->warpof[a->t0 + a->n - 1];
         w++) { /* of several warps the last */
        uint32_t of = h->each[a->each + (uint32_t)(w - h->warpof[a->t0])];
        stamp = of > stamp ? of : stamp;
    }
    for (int k = 0; a->part && a->done && k < a->n; k++) { /* of several threads too */
        uint32_t of = h->each[a->part + (uint32_t)k];
        stamp = of > stamp ? of : stamp;
    }
    for (uint32_t i = 0; i < a->nrec; i++) {
        Rec *q = &h->g->rec[a->rec + i];
        q->async = 0;
        q->stamp = stamp;
        q->comp = a->done && a->comp >= (uint32_t)h->nwarp ? a->comp : 0;
    }
}
