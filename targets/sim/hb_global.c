/* targets/sim/hb_global.c: who wrote, and who read, the elements of global
 * buffers that a launch writes.
 *
 * A record describes one instruction's accesses; a chunk of 32 granules that
 * one record covers wholly costs one store, others have their details: record
 * and thread for each granule.  Buffers that are only read have no map. */
#include "hb_p.h"

#include <stdlib.h>
#include <string.h>

enum { Chunk32 = 32 };
#define Mixed 0x80000000u

/* Thread of a byte: t0 + (offset - base) / step; step 0: t0; irregular: the
 * grain's k tells. */
typedef struct Rec Rec;
struct Rec {
    uint32_t cluster, stamp, site; /* site | Atomic */
    int32_t t0, step;
    int64_t base;
    bool irregular;
};

/* Last writer, first and last reader since then; k of each. */
typedef struct Grain Grain;
struct Grain {
    uint32_t w, ra, rb;
    uint16_t wk, rak, rbk, said;
};

typedef struct Spread Spread; /* a chunk: record of its last write, of its last read since */
struct Spread { uint32_t w, r; };  /* w | Mixed: block of grains instead */

typedef struct Mapped Mapped;
struct Mapped {
    const char *from, *to;
    int shift;
    bool written, poisoned;
    Spread *s;
    int64_t n;
};

struct Global {
    Mapped *m; uint32_t nm;
    uint32_t *of;               /* by root Buf: 1 + Mapped, 0 none */
    HbGlobal *buf;              /* by Buf */
    Rec *rec; uint32_t nrec, caprec;
    Grain *grain; uint32_t ngrain, capgrain; /* blocks of 32 */
    int64_t *block; uint32_t nblock, capblock; /* linear index, by cluster * most + cta */
    bool full;                  /* no more records can be numbered: maps are as they are */
};

/* Life ------------------------------------------------------------------------ */

static int by_from(const void *a, const void *b)
{
    const Mapped *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static int shift_of(const Hb *h, uint32_t root)
{
    int bits = dtypeinfo[h->p->buf[root].dt].bits, s = 0;
    for (uint32_t b = 1; b < h->p->nbuf; b++)
        if (h->p->buf[b].scope == SCglobal && buf_root(h->p, b) == root &&
            dtypeinfo[h->p->buf[b].dt].bits < bits)
            bits = dtypeinfo[h->p->buf[b].dt].bits;
    while (8 << s < bits)
        s++;
    return s;
}

bool hb_global_new(Hb *h, const HbGlobal *buf)
{
    uint32_t nbuf = h->p->nbuf, n = 0, k = 0;
    Global *g = h->g = calloc(1, sizeof *g);
    if (!g)
        return false;
    g->m = calloc(nbuf + 1, sizeof *g->m);
    g->of = calloc(nbuf + 1, sizeof *g->of);
    g->buf = calloc(nbuf + 1, sizeof *g->buf);
    if (!g->m || !g->of || !g->buf)
        return false;
    g->nrec = 1;
    for (uint32_t b = 1; buf && b < nbuf; b++) {
        g->buf[b] = buf[b];
        if (buf[b].data && buf[b].bytes > 0)
            g->m[n++] = (Mapped){buf[b].data, (const char *)buf[b].data + buf[b].bytes,
                                 shift_of(h, b), buf[b].written, buf[b].poisoned, NULL, 0};
    }
    qsort(g->m, n, sizeof *g->m, by_from);
    for (uint32_t i = 1; i < n; i++) { /* overlapping memory is one */
        Mapped *x = &g->m[k], *y = &g->m[i];
        if (y->from >= x->to) {
            g->m[++k] = *y;
            continue;
        }
        x->to = y->to > x->to ? y->to : x->to;
        x->shift = y->shift < x->shift ? y->shift : x->shift;
        x->written |= y->written;
        x->poisoned &= y->poisoned;
    }
    g->nm = n ? k + 1 : 0;
    for (uint32_t i = 0; i < g->nm; i++) {
        Mapped *x = &g->m[i];
        if (!x->written)
            continue;
        x->n = (((x->to - x->from) >> x->shift) + Chunk32) / Chunk32;
        x->s = calloc((size_t)x->n, sizeof *x->s);
        if (!x->s)
            return false;
    }
    for (uint32_t b = 1; buf && b < nbuf; b++)
        for (uint32_t i = 0; i < g->nm && buf[b].data; i++)
            if ((const char *)buf[b].data >= g->m[i].from && (const char *)buf[b].data < g->m[i].to)
                g->of[b] = i + 1;
    return true;
}

void hb_global_free(Hb *h)
{
    Global *g = h->g;
    if (!g)
        return;
    for (uint32_t i = 0; i < g->nm; i++)
        free(g->m[i].s);
    free(g->m);
    free(g->of);
    free(g->buf);
    free(g->rec);
    free(g->grain);
    free(g->block);
    hb_chain_free(h);
    free(g);
}

void hb_global_cluster(Hb *h)
{
    Global *g = h->g;
    uint32_t at = h->cluster * (uint32_t)h->most, n = at + (uint32_t)h->most;
    if (n > g->capblock) {
        uint32_t to = n * 2;
        g->block = hb_grow(h, g->block, g->capblock, to, sizeof *g->block);
        g->capblock = to;
    }
    for (int i = 0; i < h->blocks; i++)
        g->block[at + (uint32_t)i] = h->r->block[i & 15];
}

/* What happened before ------------------------------------------------------- */

/* One access while it is looked at. */
typedef struct Row Row;
struct Row {
    Hb *h;
    Global *g;
    Mapped *m;
    const Touch *t;
    uint32_t buf, site;   /* site | Atomic */
    bool one;             /* all by thread t0 */
    uint32_t floor;       /* the lowest of the warps' */
    uint32_t odd;         /* record of single elements, 0: not made yet */
    Eye e; int k;
    int64_t delta;        /* of the buffer in the map */
};

static uint32_t new_rec(Row *r, int64_t base, int32_t t0, int32_t step, bool irregular)
{
    Global *g = r->g;
    if (g->nrec >= g->caprec) {
        uint32_t to = g->caprec ? g->caprec * 2 : 1024;
        g->rec = hb_grow(r->h, g->rec, g->caprec, to, sizeof *g->rec);
        g->caprec = to;
    }
    g->rec[g->nrec] = (Rec){r->h->cluster, r->h->now, r->site, t0, step, base, irregular};
    return g->nrec++;
}

static int thread_of(const Rec *x, int64_t off, int k)
{
    if (x->irregular)
        return x->t0 + k;
    return x->t0 + (x->step ? (int)((off - x->base) / x->step) : 0);
}

/* Is all that x did, on the bytes that the run now touches, known to happen
 * before?  run: the new record. */
static bool before(const Row *r, uint32_t x, const Rec *run)
{
    const Rec *q = &r->g->rec[x];
    if (!x || q->cluster < r->h->launch0)
        return true;
    if (q->cluster != r->h->cluster)
        return false;
    if (q->stamp <= r->floor)
        return true;
    return !q->irregular && q->step == run->step &&
           q->base - (int64_t)q->t0 * q->step == run->base - (int64_t)run->t0 * run->step &&
           (q->step || q->t0 == run->t0);
}

static bool knows(const Row *r, const Rec *q, int thr)
{
    Hb *h = r->h;
    if (q->cluster < h->launch0)
        return true;
    if (q->cluster != h->cluster)
        return hb_chain_knows(h, q->cluster, h->warpof[thr], h->laneof[thr], q->stamp, &r->e);
    return thr == r->e.thr || q->stamp <= r->e.floor ||
           clock_knows(r->e.c, h->warpof[thr], h->laneof[thr], q->stamp);
}

static int64_t block_of(const Row *r, const Rec *q, int thr)
{
    return r->g->block[q->cluster * (uint32_t)r->h->most + (uint32_t)(thr / r->h->threads)];
}

/* Was thread thr at this byte before, in this very touch? */
static int earlier(const Row *r, int thr, int64_t off)
{
    const Touch *t = r->t;
    int j = thr - t->t0;
    if (r->one || j < 0 || j >= r->k || (t->on && !t->on[j]))
        return -1;
    int64_t at = r->delta + (t->at ? t->at[j] : t->base + j * t->step);
    return off >= at && off < at + t->bytes ? j : -1;
}

static void conflict(Row *r, const Rec *q, int thr, int64_t off, bool waswrite)
{
    bool was = q->site & Atomic, is = r->site & Atomic, write = r->t->mode != HBread;
    Hb *h = r->h;
    int64_t block = block_of(r, q, thr), mine = h->r->block[(r->e.thr / h->threads) & 15];
    enum Err e, note = was ? E_sim_updates : waswrite ? E_sim_wrote : E_sim_read;
    if (was && is)
        return;
    if (waswrite && write && q->site == r->site && r->t->same &&
        r->t->same(r->t->ud, r->k, earlier(r, thr, off)))
        return;
    if (block != mine || q->cluster != h->cluster)
        e = E_sim_race_blocks;
    else if (was || is)
        e = E_sim_race_atomic;
    else if (!waswrite)
        e = E_sim_race_rw;
    else if (!write)
        e = E_sim_race_wr;
    else
        e = q->site == r->site ? E_sim_race_same : E_sim_race_ww;
    hb_say_race(h, e, e == E_sim_race_same ? E_none : note, off - r->delta, thr, block, q->site, &r->e,
                r->site);
}

static void after(Row *r, uint32_t x, int k, int64_t off, bool waswrite)
{
    const Rec *q = &r->g->rec[x];
    int thr = x ? thread_of(q, off, k) : 0;
    if (x && !knows(r, q, thr))
        conflict(r, q, thr, off, waswrite);
}

/* Noting ---------------------------------------------------------------------- */

static Grain *expand(Row *r, Spread *s, int64_t chunk)
{
    Global *g = r->g;
    if (s->w & Mixed)
        return g->grain + (size_t)(s->w & ~Mixed) * Chunk32;
    if ((g->ngrain + 1) * Chunk32 > g->capgrain) {
        uint32_t to = g->capgrain ? g->capgrain * 2 : 64 * Chunk32;
        g->grain = hb_grow(r->h, g->grain, g->capgrain, to, sizeof *g->grain);
        g->capgrain = to;
    }
    Grain *q = g->grain + (size_t)g->ngrain * Chunk32;
    for (int i = 0; i < Chunk32; i++)
        q[i] = (Grain){s->w, s->r, 0, 0, 0, 0, 0};
    (void)chunk;
    s->w = g->ngrain++ | Mixed;
    return q;
}

static void touch_grain(Row *r, Grain *q, int64_t off, uint32_t rec)
{
    uint16_t k = (uint16_t)(r->one ? 0 : r->k);
    uint8_t mode = r->t->mode;
    bool write = mode & HBwrite || mode == HBatomic;
    if (!q->w && !(mode & HBwrite) && r->m->poisoned && !q->said) {
        q->said = 1;
        hb_say(r->h, E_sim_poison, E_none, off - r->delta, 0, NULL, &r->e, r->site);
    }
    bool updated = q->w && r->g->rec[q->w].site & Atomic, both = updated && r->site & Atomic;
    if (q->w && !both)
        after(r, q->w, q->wk, off, true);
    if (!write) {
        if (updated && q->ra && r->g->rec[q->ra].site & Atomic)
            after(r, q->ra, q->rak, off, true);
        bool mine = q->rb && r->g->rec[q->rb].cluster == r->h->cluster;
        if (!q->ra || (mine && knows(r, &r->g->rec[q->ra], thread_of(&r->g->rec[q->ra], off, q->rak)))) {
            q->ra = rec;
            q->rak = k;
        }
        q->rb = rec;
        q->rbk = k;
        return;
    }
    after(r, q->ra, q->rak, off, false);
    if (q->rb != q->ra)
        after(r, q->rb, q->rbk, off, false);
    if (!both) {
        q->ra = q->rb = 0;
    } else if (!q->ra) { /* another's update is kept as if it were a reader */
        const Rec *w = &r->g->rec[q->w];
        if (w->cluster != r->h->cluster || thread_of(w, off, q->wk) != r->e.thr) {
            q->ra = q->w;
            q->rak = q->wk;
        }
    }
    q->w = rec;
    q->wk = k;
}

/* The bytes [from, to) of thread k, or of threads k .. when step > 0. */
static void touch_part(Row *r, int64_t from, int64_t to, uint32_t rec)
{
    int shift = r->m->shift, thr = -1;
    const Rec *x = &r->g->rec[rec];
    int k0 = r->k;
    for (int64_t i = from >> shift; i < (to + (1 << shift) - 1) >> shift; i++) {
        Spread *s = &r->m->s[i / Chunk32];
        Grain *q = expand(r, s, i / Chunk32);
        int64_t off = i << shift;
        x = &r->g->rec[rec];
        int now = thread_of(x, off < from ? from : off, k0);
        if (now != thr) {
            r->e = hb_eye(r->h, now);
            thr = now;
        }
        if (!r->one)
            r->k = thr - r->t->t0;
        touch_grain(r, &q[i % Chunk32], off, rec);
    }
    r->k = k0;
}

/* A run of contiguous bytes, described by the record: whole chunks at once. */
static void touch_run(Row *r, int64_t from, int64_t to, uint32_t rec)
{
    const int64_t size = (int64_t)Chunk32 << r->m->shift;
    uint8_t mode = r->t->mode;
    bool plain = mode == HBread || mode == HBwrite;
    while (from < to) {
        int64_t chunk = from / size, end = (chunk + 1) * size;
        Spread *s = &r->m->s[chunk];
        bool whole = plain && from == chunk * size && end <= to && !(s->w & Mixed);
        const Rec *x = &r->g->rec[rec];
        if (whole && mode == HBwrite && before(r, s->w, x) && before(r, s->r, x)) {
            *s = (Spread){rec, 0};
        } else if (whole && mode == HBread && (s->w || !r->m->poisoned) && before(r, s->w, x) &&
                   before(r, s->r, x)) {
            s->r = rec;
        } else {
            touch_part(r, from, end < to ? end : to, rec);
        }
        from = end;
    }
}

static uint32_t lowest(Hb *h, const Touch *t, bool one)
{
    uint32_t low = UINT32_MAX;
    int n = one ? 1 : t->n;
    for (int k = 0; k < n;) {
        int w = h->warpof[t->t0 + k];
        const Warp *x = hb_warp(h, w);
        low = x->floor < low ? x->floor : low;
        h->last[w] = h->now;
        while (k < n && h->warpof[t->t0 + k] == w)
            k++;
    }
    return low;
}

static void touch(Row *r)
{
    const Touch *t = r->t;
    for (int k = 0, n; k < t->n; k += n) {
        n = 1;
        if (t->on && !t->on[k])
            continue;
        int64_t at = t->at ? t->at[k] : t->base + k * t->step, end = at + t->bytes;
        while (!r->one && k + n < t->n && (!t->on || t->on[k + n]) &&
               (t->at ? t->at[k + n] : t->base + (k + n) * t->step) == end) {
            end += t->bytes;
            n++;
        }
        uint32_t rec;
        r->k = k;
        if (r->one || end - at < (int64_t)Chunk32 << r->m->shift) {
            if (!r->odd)
                r->odd = new_rec(r, 0, t->t0, 0, !r->one);
            rec = r->odd;
        } else {
            rec = new_rec(r, r->delta + at, t->t0 + k, t->bytes, false);
        }
        if (rec != r->odd || r->one) {
            touch_run(r, r->delta + at, r->delta + end, rec);
            continue;
        }
        for (int i = 0; i < n; i++, at += t->bytes) {
            r->k = k + i;
            touch_part(r, r->delta + at, r->delta + at + t->bytes, rec);
        }
    }
}

static void global(Hb *h, uint32_t buf, const Touch *t, bool one)
{
    Global *g = h->g;
    uint32_t root = buf_root(h->p, buf);
    Mapped *m = g->of[root] ? &g->m[g->of[root] - 1] : NULL;
    if (!m || !m->s)
        return;
    Row r = {.h = h, .g = g, .m = m, .t = t, .buf = root, .one = one};
    r.site = t->site | (t->mode & HBatomic ? Atomic : 0);
    r.delta = (const char *)g->buf[root].data - m->from;
    r.floor = lowest(h, t, one);
    touch(&r);
}

void hb_global(Hb *h, uint32_t buf, const Touch *t) { global(h, buf, t, false); }

void hb_async_global(Hb *h, Async *a, uint32_t buf, const Touch *t)
{
    Touch u = *t;
    u.t0 = a->t0;
    global(h, buf, &u, true);
}

/* The end ------------------------------------------------------------------------ */

static bool grain_written(const Global *g, const Mapped *m, int64_t i)
{
    const Spread *s = &m->s[i / Chunk32];
    if (s->w & Mixed)
        return g->grain[(size_t)(s->w & ~Mixed) * Chunk32 + (size_t)(i % Chunk32)].w != 0;
    return s->w != 0;
}

/* Elements of buffer b that nobody wrote. */
static int64_t unwritten(const Hb *h, uint32_t b, int64_t *first, int64_t *count)
{
    const Global *g = h->g;
    const Mapped *m = &g->m[g->of[b] - 1];
    int64_t base = (const char *)g->buf[b].data - m->from, n = 0;
    int bits = dtypeinfo[h->p->buf[b].dt].bits;
    int size = bits < 8 ? 1 : bits / 8;
    *count = g->buf[b].bytes / size;
    *first = -1;
    for (int64_t e = 0; e < *count; e++) {
        int64_t from = (base + e * size) >> m->shift, to = (base + (e + 1) * size - 1) >> m->shift;
        bool all = true;
        if (from % Chunk32 == 0 && m->s[from / Chunk32].w && !(m->s[from / Chunk32].w & Mixed)) {
            e += (int64_t)(Chunk32 << m->shift) / size - 1; /* a whole chunk is written */
            continue;
        }
        for (int64_t i = from; i <= to; i++)
            all = all && grain_written(g, m, i);
        if (!all && n++ == 0)
            *first = e * size;
    }
    return n;
}

void hb_global_finish(Hb *h)
{
    Report *r = h->r;
    for (uint32_t b = 1; b < h->p->nbuf; b++) {
        const HbGlobal *u = &h->g->buf[b];
        int64_t first = 0, count = u->bytes, n = 0;
        if (!u->output || !u->data || u->bytes <= 0)
            continue;
        if (u->written) {
            n = unwritten(h, b, &first, &count);
        } else { /* no statement writes it at all */
            int bits = dtypeinfo[h->p->buf[b].dt].bits;
            n = count = u->bytes / (bits < 8 ? 1 : bits / 8);
        }
        if (n)
            report_output(r, b, n, count, first);
    }
}

bool hb_writer(const Hb *h, uint32_t buf, int64_t byte, uint32_t *site, int64_t *block, int *thread)
{
    const Global *g = h->g;
    uint32_t root = buf_root(h->p, buf);
    const Mapped *m = g->of[root] ? &g->m[g->of[root] - 1] : NULL;
    if (!m || !m->s || byte < 0 || byte >= g->buf[root].bytes)
        return false;
    int64_t off = (const char *)g->buf[root].data - m->from + byte, i = off >> m->shift;
    const Spread *s = &m->s[i / Chunk32];
    uint32_t w = s->w;
    int k = 0;
    if (w & Mixed) {
        const Grain *n = &g->grain[(size_t)(w & ~Mixed) * Chunk32 + (size_t)(i % Chunk32)];
        w = n->w;
        k = n->wk;
    }
    if (!w)
        return false;
    const Rec *x = &g->rec[w];
    int t = thread_of(x, i << m->shift, k);
    *site = x->site & ~Atomic;
    *block = g->block[x->cluster * (uint32_t)h->most + (uint32_t)(t / h->threads)];
    *thread = t % h->threads;
    return true;
}
