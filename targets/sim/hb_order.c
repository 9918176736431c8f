/* targets/sim/hb_order.c: clocks: who knows of whom.
 *
 * Joining two partial components (some lanes up to a later time than the rest)
 * gives all their lanes the later of the two times.  That forgets a possible
 * race in one rare case, and never invents one. */
#include "hb_p.h"

#include <stdlib.h>
#include <string.h>

void hb_clock_free(Clock *c)
{
    free(c->k);
    free(c->f);
    *c = (Clock){0};
}

static void clock_fit(Hb *h, Clock *c, uint32_t n)
{
    if (n > c->cap) {
        uint32_t to = n + 8;
        c->k = hb_grow(h, c->k, c->cap, to, sizeof *c->k);
        c->f = hb_grow(h, c->f, c->cap, to, sizeof *c->f);
        c->cap = to;
    }
    if (n > c->n) {
        memset(c->k + c->n, 0, (n - c->n) * sizeof *c->k);
        memset(c->f + c->n, 0, (n - c->n) * sizeof *c->f);
        c->n = n;
    }
}

static void hb_order_comp_join(ClockComp *a, const ClockComp *b)
{
    if (b->all > a->all)
        a->all = b->all;
    if (b->some > a->all) {
        a->lanes = a->some > a->all ? a->lanes | b->lanes : b->lanes;
        a->some = b->some > a->some ? b->some : a->some;
    } else if (a->some <= a->all) {
        a->some = 0;
        a->lanes = 0;
    }
}

void hb_clock_join(Hb *h, Clock *a, const Clock *b)
{
    clock_fit(h, a, b->n);
    for (uint32_t i = 0; i < b->n; i++) {
        hb_order_comp_join(&a->k[i], &b->k[i]);
        hb_order_comp_join(&a->f[i], &b->f[i]);
    }
}

static void clock_copy(Hb *h, Clock *a, const Clock *b)
{
    clock_fit(h, a, b->n);
    a->n = b->n;
    if (b->n) {
        memcpy(a->k, b->k, b->n * sizeof *a->k);
        memcpy(a->f, b->f, b->n * sizeof *a->f);
    }
}

void hb_comp(Hb *h, Clock *c, uint32_t comp, ClockComp x)
{
    clock_fit(h, c, comp + 1);
    hb_order_comp_join(&c->k[comp], &x);
}

/* Life ------------------------------------------------------------------- */

bool hb_order_new(Hb *h)
{
    h->warp = calloc((size_t)h->nwarp, sizeof *h->warp);
    h->last = calloc((size_t)h->nwarp, sizeof *h->last);
    h->caplast = (uint32_t)h->nwarp;
    h->ncomp = (uint32_t)h->nwarp;
    for (int t = 0; h->warp && t < h->threads * h->blocks; t++)
        h->warp[h->warpof[t]].full |= (uint64_t)1 << h->laneof[t];
    for (int w = 0; h->warp && w < h->nwarp; w++)
        while (h->warp[w].lanes < 64 && h->warp[w].full >> h->warp[w].lanes)
            h->warp[w].lanes++;
    return h->warp && h->last;
}

static void free_list(Clocks *c)
{
    for (Clocks *next; c; c = next) {
        next = c->next;
        hb_clock_free(&c->c);
        free(c);
    }
}

void hb_order_free(Hb *h)
{
    for (int w = 0; h->warp && w < h->nwarp; w++) {
        hb_clock_free(&h->warp[w].all);
        hb_clock_free(&h->warp[w].part);
    }
    free_list(h->clocks);
    free_list(h->spare);
    hb_clock_free(&h->join);
    free(h->warp);
    free(h->last);
    h->warp = NULL;
    h->last = NULL;
    h->clocks = h->spare = NULL;
}

void hb_order_cluster(Hb *h)
{
    for (int w = 0; w < h->nwarp; w++) {
        Warp *x = &h->warp[w];
        x->all.n = x->part.n = 0;
        x->pm = 0;
        x->fenced = (ClockComp){0, 0, 0};
        x->dirty = true;
    }
    memset(h->last, 0, h->ncomp * sizeof *h->last);
    h->ncomp = (uint32_t)h->nwarp;
    while (h->clocks) {
        Clocks *c = h->clocks;
        h->clocks = c->next;
        c->next = h->spare;
        h->spare = c;
    }
}

uint32_t hb_channel(Hb *h)
{
    if (h->ncomp == h->caplast) {
        h->last = hb_grow(h, h->last, h->caplast, h->caplast + 64, sizeof *h->last);
        h->caplast += 64;
    }
    h->last[h->ncomp] = 0;
    return h->ncomp++;
}

Clocks *hb_clocks(Hb *h)
{
    Clocks *c = h->spare;
    if (c)
        h->spare = c->next;
    else
        c = hb_grow(h, NULL, 0, 1, sizeof *c);
    c->c.n = 0;
    c->channel = 0;
    c->next = h->clocks;
    h->clocks = c;
    return c;
}

/* to keeps its own channel. */
void hb_copy(Hb *h, Clocks *to, const Clocks *from) { clock_copy(h, &to->c, &from->c); }

void hb_clear(Hb *h, Clocks *c)
{
    (void)h;
    c->c.n = 0;
}

/* Asking ------------------------------------------------------------------ */

/* The latest time up to which everything is in c.  Who did nothing since c
 * heard of it counts as known up to now: later accesses are stamped later. */
static uint32_t floor_of(const Hb *h, const ClockComp *c, uint32_t have, uint32_t n)
{
    uint32_t f = h->now - 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t all = i < have ? c[i].all : 0;
        if (all < f && h->last[i] > all)
            f = all;
    }
    return f < h->start ? h->start : f;
}

void hb_floors(Hb *h, Warp *w)
{
    uint32_t nw = (uint32_t)h->nwarp;
    w->floor = floor_of(h, w->all.k, w->all.n, h->ncomp);
    w->ffloor = h->m->proxies ? floor_of(h, w->all.f, w->all.n, nw) : w->floor;
    if (w->pm) {
        w->pfloor = floor_of(h, w->part.k, w->part.n, h->ncomp);
        w->pffloor = h->m->proxies ? floor_of(h, w->part.f, w->part.n, nw) : w->pfloor;
    }
    w->dirty = false;
}

Eye hb_eye(Hb *h, int thr)
{
    int w = h->warpof[thr], lane = h->laneof[thr];
    const Warp *x = hb_warp(h, w);
    bool part = x->pm >> lane & 1;
    return (Eye){thr, lane, w, part ? &x->part : &x->all, x, part ? x->pfloor : x->floor};
}

bool hb_lanes(const Hb *h, Who w, LaneSet *l)
{
    uint64_t mask;
    do {
        int k = l->k + l->n;
        if (k >= w.n)
            return false;
        int lane = h->laneof[w.t0 + k];
        l->w = h->warpof[w.t0 + k];
        l->k = k;
        l->n = h->warp[l->w].lanes - lane; /* to the end of the warp */
        if (l->n > w.n - k)
            l->n = w.n - k;
        mask = (l->n < 64 ? ((uint64_t)1 << l->n) - 1 : UINT64_MAX) << lane;
        if (w.on) {
            mask = 0;
            for (int i = 0; i < l->n; i++)
                mask |= (uint64_t)(w.on[k + i] != 0) << (lane + i);
        }
    } while (!mask);
    l->mask = mask;
    l->full = mask == h->warp[l->w].full;
    return true;
}

/* Passing on ---------------------------------------------------------------- */

/* What the lanes of one warp know and did. */
void hb_give(Hb *h, Clock *c, const LaneSet *l)
{
    Warp *w = &h->warp[l->w];
    ClockComp own = l->full ? (ClockComp){h->now, 0, 0} : (ClockComp){0, h->now, l->mask};
    ClockComp fen = {0, w->fenced.some, w->fenced.lanes & l->mask};
    hb_clock_join(h, c, &w->all);
    if (w->pm & l->mask)
        hb_clock_join(h, c, &w->part);
    clock_fit(h, c, (uint32_t)h->nwarp);
    hb_order_comp_join(&c->k[l->w], &own);
    if (fen.lanes == w->full)
        fen.all = fen.some;
    if (fen.lanes)
        hb_order_comp_join(&c->f[l->w], &fen);
}

/* The lanes learn c. */
void hb_take(Hb *h, const Clock *c, const LaneSet *l)
{
    Warp *w = &h->warp[l->w];
    w->dirty = true;
    if (l->full) {
        hb_clock_join(h, &w->all, c);
        if (w->pm)
            hb_clock_join(h, &w->part, c);
        return;
    }
    if (!w->pm)
        clock_copy(h, &w->part, &w->all);
    hb_clock_join(h, &w->part, c);
    w->pm |= l->mask;
    if (w->pm == w->full) {
        clock_copy(h, &w->all, &w->part);
        w->pm = 0;
    }
}

void hb_release(Hb *h, Clocks *c, Who w)
{
    for (LaneSet l = {0}; hb_lanes(h, w, &l);)
        hb_give(h, &c->c, &l);
    h->now++;
}

void hb_did(Hb *h, Clocks *c, Who w)
{
    clock_fit(h, &c->c, (uint32_t)h->nwarp);
    for (LaneSet l = {0}; hb_lanes(h, w, &l);) {
        ClockComp own = l.full ? (ClockComp){h->now, 0, 0} : (ClockComp){0, h->now, l.mask};
        hb_order_comp_join(&c->c.k[l.w], &own);
        h->last[l.w] = h->now;
        h->warp[l.w].dirty = true;
    }
    h->now++;
}

/* Does the eye know component i up to x?  Its own lane's part it does. */
static bool eye_knows(const Hb *h, const Eye *e, uint32_t i, const ClockComp *x)
{
    ClockComp none = {0, 0, 0}, y = i < e->c->n ? e->c->k[i] : none;
    bool own = (int)i == e->w;
    uint64_t mine = own ? (uint64_t)1 << e->lane : 0;
    uint64_t all = i < (uint32_t)h->nwarp ? h->warp[i].full : 1, some = x->lanes & ~mine;
    if (x->all > e->floor && x->all > y.all && (all & ~mine) &&
        !(x->all <= y.some && !(all & ~mine & ~y.lanes)))
        return false;
    return !some || x->some <= e->floor || x->some <= y.all ||
           (x->some <= y.some && !(some & ~y.lanes));
}

bool hb_knows(Hb *h, const Clocks *c, Who w)
{
    for (int k = 0; k < w.n; k++) {
        if (w.on && !w.on[k])
            continue;
        Eye e = hb_eye(h, w.t0 + k);
        for (uint32_t i = 0; i < c->c.n; i++)
            if (!eye_knows(h, &e, i, &c->c.k[i]))
                return false;
    }
    return true;
}

void hb_acquire(Hb *h, const Clocks *c, Who w)
{
    for (LaneSet l = {0}; hb_lanes(h, w, &l);)
        hb_take(h, &c->c, &l);
}

void hb_step(Hb *h, Who w)
{
    for (LaneSet l = {0}; hb_lanes(h, w, &l);) {
        h->join.n = 0;
        hb_give(h, &h->join, &l);
        hb_take(h, &h->join, &l);
        if (l.full)
            h->warp[l.w].pm = 0;
    }
    h->now++;
}

void hb_join(Hb *h, Who w)
{
    h->join.n = 0;
    for (LaneSet l = {0}; hb_lanes(h, w, &l);)
        hb_give(h, &h->join, &l);
    for (LaneSet l = {0}; hb_lanes(h, w, &l);) {
        Warp *x = &h->warp[l.w];
        if (l.full) { /* the join contains all it knew */
            clock_copy(h, &x->all, &h->join);
            x->pm = 0;
            x->dirty = true;
        } else {
            hb_take(h, &h->join, &l);
        }
    }
    h->now++;
}

/* What the lanes know, and did, is visible to the async proxy from here on. */
void hb_fence_async(Hb *h, Who w, bool global)
{
    h->fences &= global;
    for (LaneSet l = {0}; hb_lanes(h, w, &l);) {
        Warp *x = &h->warp[l.w];
        ClockComp own = {0, h->now, l.mask};
        if (!l.full && !x->pm)
            clock_copy(h, &x->part, &x->all);
        if (!l.full)
            x->pm |= l.mask;
        for (uint32_t i = 0; l.full && i < x->all.n; i++)
            hb_order_comp_join(&x->all.f[i], &x->all.k[i]);
        for (uint32_t i = 0; x->pm & l.mask && i < x->part.n; i++)
            hb_order_comp_join(&x->part.f[i], &x->part.k[i]);
        hb_order_comp_join(&x->fenced, &own);
        x->dirty = true;
    }
    h->now++;
}

uint32_t hb_mark(Hb *h, int thr)
{
    h->last[h->warpof[thr]] = h->now;
    return h->now;
}

bool hb_knew(Hb *h, int thr, uint32_t mark, Who w)
{
    for (int k = 0; k < w.n; k++) {
        Eye e;
        if (w.on && !w.on[k])
            continue;
        e = hb_eye(h, w.t0 + k);
        if (e.thr != thr && mark > e.floor &&
            !clock_knows(e.c, h->warpof[thr], h->laneof[thr], mark))
            return false;
        if (e.c == &e.warp->all && e.w != h->warpof[thr]) { /* the rest of the warp knows too */
            while (k + 1 < w.n && h->warpof[w.t0 + k + 1] == e.w && !e.warp->pm)
                k++;
        }
    }
    return true;
}
