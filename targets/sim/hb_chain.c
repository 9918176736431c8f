/* targets/sim/hb_chain.c: order that atomics pass on: flags, locks, counters,
 * "the last block adds up".
 *
 * An atomic that releases leaves what its warp knows at its address, a link;
 * one that acquires gets all the links that lie there by then.  A relaxed atomic
 * counts as one when a fence_global stands before (release) or behind it
 * (acquire).  Clusters run one after another, so links never change.  Whether a
 * thread knows what another cluster did is asked rarely: only then are the
 * links that the running cluster got sorted by cluster. */
#include "hb_p.h"

#include <stdlib.h>
#include <string.h>

typedef struct ChainLink ChainLink;
struct ChainLink {
    uint32_t cluster, prev;   /* prev: the one before at this address, 0 none */
    uint32_t seen;            /* what its cluster had got by then: a Got, 0 none */
    uint32_t mark;            /* the cluster that has visited it last */
    Clock c;                  /* with the same cluster's links before */
};

/* Lanes of a warp got everything up to a link, at a time of their cluster. */
typedef struct Got Got;
struct Got {
    uint32_t link, prev, stamp;
    int warp;
    uint64_t lanes;
};

/* A link that the running cluster has, and through which Got. */
typedef struct Have Have;
struct Have { uint32_t link, got, next; };

typedef struct ChainPlace ChainPlace;
struct ChainPlace { uint64_t key; uint32_t link; };

struct AtomicChain {
    ChainLink *link; uint32_t nlink, caplink;
    Got *got; uint32_t ngot, capgot;
    uint32_t mine, of;        /* the running cluster's latest Got; which cluster that is */
    uint32_t sorted;          /* .. the latest that is sorted */
    Have *have; uint32_t nhave, caphave;
    uint32_t *head, *epoch; uint32_t caphead; /* by cluster: its Haves, if epoch is `of` */
    ChainPlace *place; uint32_t nplace, capplace; /* a power of two, at most half full */
    uint64_t *fenced, *loaded; /* by warp: lanes with a fence; with an atomic since */
    uint32_t *saw;             /* by warp: the link that those atomics saw */
};

static AtomicChain *hb_chain(Hb *h)
{
    if (!h->chain) {
        AtomicChain *x = h->chain = hb_grow(h, NULL, 0, 1, sizeof *x);
        x->fenced = hb_grow(h, NULL, 0, (size_t)h->nwarp, sizeof *x->fenced);
        x->loaded = hb_grow(h, NULL, 0, (size_t)h->nwarp, sizeof *x->loaded);
        x->saw = hb_grow(h, NULL, 0, (size_t)h->nwarp, sizeof *x->saw);
        x->nlink = x->ngot = x->nhave = 1; /* 0 is none */
    }
    AtomicChain *x = h->chain;
    if (x->of != h->cluster) {
        x->of = h->cluster;
        x->mine = x->sorted = 0;
        x->nhave = 1;
        memset(x->fenced, 0, (size_t)h->nwarp * sizeof *x->fenced);
        memset(x->loaded, 0, (size_t)h->nwarp * sizeof *x->loaded);
    }
    return x;
}

void hb_chain_free(Hb *h)
{
    AtomicChain *x = h->chain;
    if (!x)
        return;
    for (uint32_t i = 1; i < x->nlink; i++)
        hb_clock_free(&x->link[i].c);
    free(x->link);
    free(x->got);
    free(x->have);
    free(x->head);
    free(x->epoch);
    free(x->place);
    free(x->fenced);
    free(x->loaded);
    free(x->saw);
    free(x);
    h->chain = NULL;
}

#define ROOM(h, p, n, cap) \
    do { \
        if ((n) >= (cap)) { \
            uint32_t to_ = ((n) + 16) * 2; \
            (p) = hb_grow(h, p, cap, to_, sizeof *(p)); \
            (cap) = to_; \
        } \
    } while (0)

static ChainPlace *chain_find(AtomicChain *x, uint64_t key)
{
    uint32_t i = (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 33) & (x->capplace - 1);
    while (x->place[i].key && x->place[i].key != key)
        i = (i + 1) & (x->capplace - 1);
    return &x->place[i];
}

/* The place of an address; made if it is new. */
static ChainPlace *chain_place(Hb *h, AtomicChain *x, uint64_t key)
{
    if ((x->nplace + 1) * 2 > x->capplace) {
        ChainPlace *old = x->place;
        uint32_t n = x->capplace;
        x->capplace = n ? n * 2 : 64;
        x->place = hb_grow(h, NULL, 0, x->capplace, sizeof *old);
        for (uint32_t i = 0; i < n; i++)
            if (old[i].key)
                *chain_find(x, old[i].key) = old[i];
        free(old);
    }
    ChainPlace *p = chain_find(x, key);
    if (!p->key) {
        p->key = key;
        x->nplace++;
    }
    return p;
}

static void hb_chain_acquire(Hb *h, AtomicChain *x, uint32_t link, const LaneSet *l)
{
    if (!link)
        return;
    if (x->link[link].cluster == h->cluster)
        hb_take(h, &x->link[link].c, l);
    const Got *last = &x->got[x->mine];
    if (x->mine && last->link == link && last->warp == l->w && !(l->mask & ~last->lanes))
        return;
    ROOM(h, x->got, x->ngot, x->capgot);
    x->got[x->ngot] = (Got){link, x->mine, h->now, l->w, l->mask};
    x->mine = x->ngot++;
    h->last[l->w] = h->now;
    h->now++;
    h->warp[l->w].dirty = true;
}

static void hb_chain_release(Hb *h, AtomicChain *x, ChainPlace *p, const LaneSet *l)
{
    ROOM(h, x->link, x->nlink, x->caplink);
    ChainLink *k = &x->link[x->nlink];
    *k = (ChainLink){h->cluster, p->link, x->mine, 0, {0}};
    if (p->link && x->link[p->link].cluster == h->cluster)
        hb_clock_join(h, &k->c, &x->link[p->link].c);
    hb_give(h, &k->c, l);
    p->link = x->nlink++;
    h->now++;
}

void hb_atomic(Hb *h, uint32_t buf, const HbAccess *t, int order)
{
    AtomicChain *x = hb_chain(h);
    uint32_t root = buf_root(h->p, buf);
    bool shared = h->p->buf[root].scope == SCshared, write = t->mode != (HBatomic | HBread);
    bool acq = order != MOrelaxed && order != MOrelease;
    bool rel = order == MOrelease || order == MOacq_rel || order == MOseq_cst;
    for (LaneSet l = {0}; hb_lanes(h, (Who){t->t0, t->n, t->on}, &l);) {
        bool fenced = (x->fenced[l.w] & l.mask) == l.mask;
        if (!acq && !rel && !fenced && x->nlink == 1)
            continue; /* nobody ever released anything */
        for (int k = l.k; k < l.k + l.n; k++) {
            if (t->on && !t->on[k])
                continue;
            int64_t at = t->at ? t->at[k] : t->base + k * t->step;
            uint64_t cta = shared ? (uint64_t)h->cluster << 4 | (uint64_t)t->cta : 0;
            uint64_t key = ((uint64_t)root << 40 ^ (uint64_t)at ^ cta << 24) + 1;
            ChainPlace *p = chain_place(h, x, key ? key : 1);
            LaneSet one = {l.w, k, 1, (uint64_t)1 << h->laneof[t->t0 + k], false};
            one.full = one.mask == h->warp[l.w].full;
            if (t->mode != (HBatomic | HBwrite)) {
                if (acq)
                    hb_chain_acquire(h, x, p->link, &one);
                x->saw[l.w] = p->link;
                x->loaded[l.w] |= one.mask;
            }
            if (write && (rel || x->fenced[l.w] & one.mask))
                hb_chain_release(h, x, p, &one);
        }
    }
}

void hb_fence_global(Hb *h, Who w)
{
    AtomicChain *x = hb_chain(h);
    for (LaneSet l = {0}; hb_lanes(h, w, &l);) {
        LaneSet some = l;
        some.mask = x->loaded[l.w] & l.mask;
        some.full = some.mask == h->warp[l.w].full;
        if (some.mask)
            hb_chain_acquire(h, x, x->saw[l.w], &some);
        x->loaded[l.w] &= ~l.mask;
        x->fenced[l.w] |= l.mask;
    }
    h->now++;
}

/* Asking ------------------------------------------------------------------------ */

static void have(Hb *h, AtomicChain *x, uint32_t link, uint32_t got)
{
    uint32_t c = x->link[link].cluster;
    if (c >= x->caphead) {
        uint32_t to = (c + 16) * 2;
        x->head = hb_grow(h, x->head, x->caphead, to, sizeof *x->head);
        x->epoch = hb_grow(h, x->epoch, x->caphead, to, sizeof *x->epoch);
        x->caphead = to;
    }
    if (x->epoch[c] != h->cluster) {
        x->epoch[c] = h->cluster;
        x->head[c] = 0;
    }
    ROOM(h, x->have, x->nhave, x->caphave);
    x->have[x->nhave] = (Have){link, got, x->head[c]};
    x->head[c] = x->nhave++;
}

/* Everything at and before the link, and what those had got themselves. */
static void hb_chain_visit(Hb *h, AtomicChain *x, uint32_t link, uint32_t got, int depth)
{
    for (; link && x->link[link].mark != h->cluster; link = x->link[link].prev) {
        ChainLink *k = &x->link[link];
        k->mark = h->cluster;
        if (k->cluster == h->cluster)
            continue;
        have(h, x, link, got);
        for (uint32_t g = depth < 64 ? x->link[link].seen : 0; g; g = x->got[g].prev)
            hb_chain_visit(h, x, x->got[g].link, got, depth + 1);
    }
}

/* Has the eye, or who told it, put a fence behind its acquiring? */
static bool chain_fenced(const Got *g, int lane, const Eye *e)
{
    uint32_t floor = e->c == &e->warp->part ? e->warp->pffloor : e->warp->ffloor;
    return g->stamp <= floor || ((uint32_t)g->warp < e->c->n &&
                                 comp_knows(&e->c->f[g->warp], lane, g->stamp)) ||
           (g->warp == e->w && comp_knows(&e->warp->fenced, e->lane, g->stamp));
}

bool hb_chain_knows(Hb *h, uint32_t cluster, uint32_t comp, int lane, uint32_t stamp, const Eye *e,
                    bool visible)
{
    if (!h->chain)
        return false;
    AtomicChain *x = hb_chain(h);
    if (x->sorted != x->mine) { /* the earliest Got first: it is known to the most */
        uint32_t n = 0, g;
        for (g = x->mine; g && g != x->sorted; g = x->got[g].prev)
            n++;
        uint32_t *list = hb_grow(h, NULL, 0, n + 1, sizeof *list);
        for (g = x->mine; g && g != x->sorted; g = x->got[g].prev)
            list[--n] = g;
        for (; list[n]; n++)
            hb_chain_visit(h, x, x->got[list[n]].link, list[n], 0);
        free(list);
        x->sorted = x->mine;
    }
    uint32_t i = cluster < x->caphead && x->epoch[cluster] == h->cluster ? x->head[cluster] : 0;
    for (; i; i = x->have[i].next) {
        const Got *g = &x->got[x->have[i].got];
        int gl = 0;
        while (!(g->lanes >> gl & 1))
            gl++;
        bool got = (g->warp == e->w && g->lanes >> e->lane & 1) ||
                   clock_knows(e->c, (uint32_t)g->warp, gl, g->stamp) || g->stamp <= e->floor;
        const Clock *c = &x->link[x->have[i].link].c;
        if (got && clock_knows(c, comp, lane, stamp) &&
            (!visible || (comp < c->n && comp_knows(&c->f[comp], lane, stamp)) ||
             chain_fenced(g, gl, e)))
            return true;
    }
    return false;
}
