/* targets/sim/hb.c: the life of an Hb: a launch, its clusters, its end. */
#include "hb_p.h"

#include <stdlib.h>
#include <string.h>

/* Stamps must not run out within a cluster: beyond this they start again. */
#define LastStart 0x80000000u

NORETURN static void hb_nomem(Ctx *c)
{
    anew(c, (size_t)1 << 62); /* reports and unwinds */
    ctx_unwind(c);
}

void *hb_grow(Hb *h, void *p, size_t from, size_t to, size_t size)
{
    char *q = to > SIZE_MAX / 2 / size ? NULL : realloc(p, to * size);
    if (!q)
        hb_nomem(h->c);
    memset(q + from * size, 0, (to - from) * size);
    return q;
}

static bool threads_new(Hb *h)
{
    int n = h->threads * h->blocks, warp = h->m->warp;
    h->warps = (h->threads + warp - 1) / warp;
    h->nwarp = h->warps * h->blocks;
    h->warpof = calloc((size_t)n, sizeof *h->warpof);
    h->laneof = calloc((size_t)n, sizeof *h->laneof);
    if (!h->warpof || !h->laneof)
        return false;
    for (int t = 0; t < n; t++) {
        int in = t % h->threads;
        h->warpof[t] = (uint16_t)(t / h->threads * h->warps + in / warp);
        h->laneof[t] = (uint8_t)(in % warp);
    }
    return true;
}

static void threads_free(Hb *h)
{
    hb_chain_free(h); /* it counts warps, and what it knows is over */
    hb_order_free(h);
    free(h->warpof);
    free(h->laneof);
    h->warpof = NULL;
    h->laneof = NULL;
}

/* The roots of the sites' buffers, for reads of what another buffer left. */
static bool sites_new(Hb *h)
{
    h->root = calloc(h->r->nsite + 1, sizeof *h->root);
    for (uint32_t i = 1; h->root && i < h->r->nsite; i++)
        if (h->r->site[i].buf)
            h->root[i] = buf_root(h->p, h->r->site[i].buf);
    return h->root != NULL;
}

Hb *hb_new(const HbSetup *s)
{
    Hb *h = calloc(1, sizeof *h);
    if (!h)
        hb_nomem(s->report->c);
    h->r = s->report;
    h->c = s->report->c;
    h->p = s->report->p;
    h->m = s->m;
    h->threads = s->threads;
    h->blocks = s->blocks > 0 ? s->blocks : 1;
    h->shared = s->shared;
    h->most = h->blocks;
    h->fences = true;
    h->now = 1;
    if (!threads_new(h) || !sites_new(h) || !hb_order_new(h) || !hb_shared_new(h) ||
        !hb_global_new(h, s->global)) {
        hb_free(h);
        hb_nomem(s->report->c);
    }
    return h;
}

void hb_free(Hb *h)
{
    if (!h)
        return;
    hb_global_free(h);
    hb_shared_free(h);
    hb_async_free(h);
    threads_free(h);
    free(h->root);
    free(h);
}

void hb_shape(Hb *h, int threads, int blocks)
{
    if (threads == h->threads && blocks == h->blocks)
        return;
    threads_free(h);
    h->threads = threads;
    h->blocks = blocks < h->most ? blocks : h->most;
    if (!threads_new(h) || !hb_order_new(h))
        hb_nomem(h->c);
}

void hb_cluster(Hb *h, const int64_t *block)
{
    hb_async_cluster(h);
    report_blocks(h->r, block, h->blocks);
    if (h->now >= LastStart) {
        h->now = 1;
        hb_shared_wipe(h);
    }
    h->start = h->now + 1;
    h->now += 2;
    h->cluster++;
    hb_order_cluster(h);
    hb_global_cluster(h);
}

void hb_launch(Hb *h)
{
    hb_async_cluster(h);
    h->launch0 = h->cluster + 1;
    h->fences = true;
}

void hb_finish(Hb *h)
{
    hb_async_cluster(h);
    hb_global_finish(h);
}
