/* targets/sim/hb_async.c: asynchronous operations.
 *
 * What an operation reads or writes refers to it; whoever comes there looks it
 * up here: not complete yet, complete but unknown to the one who looks, or
 * known.  So completing one touches no memory. */
#include "hb_p.h"
#include "err/sim.h"

#include <stdlib.h>

/* n more stamps, the first of which has the number returned. */
static uint32_t stamps(Hb *h, uint32_t n)
{
    if (h->neach + n > h->capeach) {
        uint32_t to = (h->neach + n) * 2;
        h->each = hb_grow(h, h->each, h->capeach, to, sizeof *h->each);
        h->capeach = to;
    }
    h->neach += n;
    return h->neach - n;
}

Async *hb_issue(Hb *h, uint32_t site, enum HbAsync kind, Who w)
{
    uint32_t id = h->nasync ? h->nasync : 1; /* 0 is none */
    h->nasync = id + 1;
    if (id / 256 >= h->capasync) {
        h->async = hb_grow(h, h->async, h->capasync, h->capasync + 16, sizeof *h->async);
        h->capasync += 16;
    }
    if (!h->async[id / 256])
        h->async[id / 256] = hb_grow(h, NULL, 0, 256, sizeof **h->async);
    Async *a = hb_async(h, id);
    *a = (Async){.site = site, .id = id, .kind = (uint8_t)kind, .t0 = w.t0, .n = w.n};
    for (int k = 0; w.on && kind != HAeach && k < w.n; k++)
        if (w.on[k]) { /* the thread that really issues */
            a->t0 = w.t0 + k;
            a->n = w.n - k;
            break;
        }
    if (kind == HAthread)
        a->n = 1;
    if (kind == HAeach) {
        uint32_t n = (uint32_t)(h->warpof[w.t0 + w.n - 1] - h->warpof[w.t0] + 1);
        a->each = stamps(h, 3 * n);
        for (uint32_t i = 0; i < n; i++)
            h->each[a->each + i] = h->now;
        for (LaneSet l = {0}; hb_lanes(h, w, &l);) { /* warps that issue nothing are done */
            uint32_t i = (uint32_t)(l.w - h->warpof[w.t0]);
            h->each[a->each + i] = 0;
            h->each[a->each + n + 2 * i] = (uint32_t)l.mask;
            h->each[a->each + n + 2 * i + 1] = (uint32_t)(l.mask >> 32);
        }
    }
    return a;
}

/* Does the eye know that a is over?  What is committed and waited for belongs to
 * the warp group as one (PTX: wgmma.commit_group): who is told by a warp that has
 * waited knows it of all.  The warps of the group itself, which touch memory right
 * behind their own waits, are held to the letter: each has to have waited. */
static bool sees_group(const Hb *h, const Async *a, const Eye *e)
{
    int first = h->warpof[a->t0], last = h->warpof[a->t0 + a->n - 1], n = 0;
    if (a->stamp <= e->floor)
        return true;
    for (int w = first; w <= last; w++) {
        const ClockComp *x = (uint32_t)w < e->c->n ? &e->c->k[w] : NULL;
        n += w == e->w || (x && (a->stamp <= x->all || a->stamp <= x->some));
    }
    return e->w >= first && e->w <= last ? n == last - first + 1 : n > 0;
}

enum Seeing hb_sees(Hb *h, const Async *a, int thr, const Eye *e, uint32_t *stamp)
{
    uint32_t comp = a->comp;
    int lane = 0;
    *stamp = a->stamp;
    if (a->kind == HAeach) {
        comp = h->warpof[thr];
        *stamp = h->each[a->part ? a->part + (uint32_t)(thr - a->t0)
                                 : a->each + comp - (uint32_t)h->warpof[a->t0]];
        if (!*stamp)
            return HSpending;
        lane = h->laneof[thr];
    } else if (!a->done) {
        return HSpending;
    } else if (a->kind == HAgroup) {
        return sees_group(h, a, e) ? HSknown : HSunseen;
    } else if (comp < (uint32_t)h->nwarp) {
        lane = h->laneof[a->t0];
        thr = a->t0;
    } else {
        thr = -1;
    }
    return thr == e->thr || *stamp <= e->floor || clock_knows(e->c, comp, lane, *stamp) ? HSknown
                                                                                    : HSunseen;
}

/* Each warp of the group knows that its own part is over, by any of its lanes. */
static void complete_group(Hb *h, Async *a)
{
    a->comp = h->warpof[a->t0];
    a->stamp = h->now;
    a->done = true;
    for (int w = h->warpof[a->t0]; w <= h->warpof[a->t0 + a->n - 1]; w++) {
        h->last[w] = h->now;
        h->warp[w].dirty = true;
    }
    h->now++;
}

void hb_part(Hb *h, Async *a)
{
    if (a->part)
        return;
    int first = h->warpof[a->t0];
    uint32_t n = (uint32_t)(h->warpof[a->t0 + a->n - 1] - first + 1);
    a->part = stamps(h, (uint32_t)a->n);
    for (int k = 0; k < a->n; k++) {
        uint32_t w = (uint32_t)(h->warpof[a->t0 + k] - first);
        int lane = h->laneof[a->t0 + k];
        bool issued = h->each[a->each + n + 2 * w + (uint32_t)lane / 32] >> lane % 32 & 1;
        uint32_t over = h->each[a->each + w];
        h->each[a->part + (uint32_t)k] = over || issued ? over : h->now;
    }
}

static void complete_threads(Hb *h, Async *a, Who w)
{
    for (int k = 0; k < w.n; k++) {
        uint32_t *stamp = &h->each[a->part + (uint32_t)(w.t0 + k - a->t0)];
        if (*stamp || (w.on && !w.on[k]))
            continue;
        int warp = h->warpof[w.t0 + k];
        *stamp = h->now;
        h->last[warp] = h->now;
        h->warp[warp].dirty = true;
    }
    a->done = true;
    for (int k = 0; k < a->n; k++)
        a->done = a->done && h->each[a->part + (uint32_t)k];
}

static void complete_each(Hb *h, Async *a, Who w)
{
    int first = h->warpof[a->t0], n = h->warpof[a->t0 + a->n - 1] - first + 1;
    for (LaneSet l = {0}; hb_lanes(h, w, &l);) {
        int i = l.w - first;
        if (i < 0 || i >= n || h->each[a->each + (uint32_t)i])
            continue;
        h->each[a->each + (uint32_t)i] = h->now;
        h->last[l.w] = h->now;
        h->warp[l.w].dirty = true;
    }
    a->done = true;
    for (int i = 0; i < n; i++)
        a->done = a->done && h->each[a->each + (uint32_t)i];
}

void hb_complete(Hb *h, Async *a, Who w, Clocks *c)
{
    if (a->done)
        return;
    if (c) {
        if (!c->channel)
            c->channel = hb_channel(h);
        a->comp = c->channel;
        a->stamp = h->now;
        a->done = true;
        a->kind = HAthread;
        h->last[a->comp] = h->now;
        hb_comp(h, &c->c, a->comp, (ClockComp){h->now, 0, 0});
        h->now++;
    } else if (a->kind == HAeach) {
        a->part ? complete_threads(h, a, w) : complete_each(h, a, w);
    } else if (a->kind == HAgroup) {
        complete_group(h, a);
    } else {
        a->comp = h->warpof[a->t0];
        a->stamp = h->now;
        a->done = true;
        h->last[a->comp] = h->now;
        h->warp[a->comp].dirty = true;
    }
}

/* What completes at an mbarrier may do so while others wait for other things: has some
 * thread waited for it? */
static bool hb_async_known(Hb *h, const Async *a)
{
    if (!a->done || a->kind != HAthread || a->comp < (uint32_t)h->nwarp)
        return a->done;
    for (int k = 0; k < h->nwarp; k++) {
        const Warp *w = hb_warp(h, k);
        if (a->stamp <= w->floor || clock_knows(&w->all, a->comp, 0, a->stamp) ||
            (w->pm && (a->stamp <= w->pfloor || clock_knows(&w->part, a->comp, 0, a->stamp))))
            return true;
    }
    return false;
}

/* Reads that nobody waited for do no harm once all threads have ended, but
 * writes into shared memory, and stores that read it, outlive the block. */
void hb_async_cluster(Hb *h)
{
    for (uint32_t id = 1; id < h->nasync; id++) {
        Async *a = hb_async(h, id);
        hb_global_settle(h, a);
        if (!(a->reads || a->writes) || hb_async_known(h, a))
            continue;
        Report *r = h->r;
        if (report_has(r, E_sim_never_waited, a->site, 0))
            continue;
        report_add(r, E_sim_never_waited, a->site, E_none, 0, report_op(r, a->site),
                   report_thread(r, a->t0), report_block(r, a->t0), (const char *)NULL);
    }
    h->nasync = h->neach = 0;
}

void hb_async_free(Hb *h)
{
    for (uint32_t i = 0; h->async && i < h->capasync; i++)
        free(h->async[i]);
    free(h->async);
    free(h->each);
}
