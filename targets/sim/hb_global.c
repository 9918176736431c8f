/* targets/sim/hb_global.c: global memory: which of it is watched, and at the end
 * what was never written. */
#include <stdlib.h>
#include <string.h>

#include "hb_map.h"

/* Life ------------------------------------------------------------------------ */

static int by_from(const void *a, const void *b)
{
    const Mapped *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static int hb_global_shift_of(const Hb *h, uint32_t root)
{
    int bits = dtypeinfo[h->p->buf[root].dt].bits, s = 0;
    for (uint32_t b = 1; b < h->p->nbuf; b++)
        if (h->p->buf[b].scope == SCglobal && buf_root(h->p, b) == root &&
            dtypeinfo[h->p->buf[b].dt].bits < bits)
            bits = dtypeinfo[h->p->buf[b].dt].bits;
    while (8 << s < bits * HbByte)
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
    g->next = 1; /* mark 0 is none */
    for (uint32_t b = 1; buf && b < nbuf; b++) {
        g->buf[b] = buf[b];
        if (buf[b].data && buf[b].bytes > 0)
            g->m[n++] = (Mapped){buf[b].data,
                                 (const char *)buf[b].data + buf[b].bytes,
                                 hb_global_shift_of(h, b),
                                 buf[b].written,
                                 buf[b].poisoned,
                                 NULL,
                                 0};
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
        x->n = (((x->to - x->from) * HbByte >> x->shift) + Grains) / Grains;
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
    free(g->w);
    free(g->r);
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
        g->block[at + (uint32_t)i] = h->r->block[i];
}

/* The end ------------------------------------------------------------------------ */

/* The whole chunk is written. */
static bool chunk_written(const Global *g, const Spread *s)
{
    if (!(s->w & Mixed))
        return s->w != 0;
    const uint32_t *by = g->w[s->w & ~Mixed].by;
    bool all = true;
    for (int i = 0; i < Grains; i++)
        all &= by[i] != 0;
    return all;
}

/* Half bytes of an element of b. */
static int hb_global_size(const Hb *h, uint32_t b)
{
    return dtypeinfo[h->p->buf[b].dt].bits * HbByte / 8;
}

/* Elements of an output: the last byte may have one of two. */
static int64_t hb_global_elements(const Hb *h, uint32_t b)
{
    int64_t n = h->g->buf[b].bytes * HbByte / hb_global_size(h, b), all;
    return report_elements(h->r, b, &all) && all < n ? all : n;
}

/* How many of the count elements of buffer b nobody wrote; *first: the first, in half bytes. */
static int64_t hb_global_unwritten(const Hb *h, uint32_t b, int64_t count, int64_t *first)
{
    const Global *g = h->g;
    const Mapped *m = &g->m[g->of[b] - 1];
    int64_t base = ((const char *)g->buf[b].data - m->from) * HbByte, n = 0;
    int size = hb_global_size(h, b);
    *first = -1;
    for (int64_t e = 0; e < count; e++) {
        int64_t from = (base + e * size) >> m->shift, to = (base + (e + 1) * size - 1) >> m->shift;
        bool all = true;
        if (from % Grains == 0 && chunk_written(g, &m->s[from / Grains])) {
            e += (int64_t)(Grains << m->shift) / size - 1;
            continue;
        }
        for (int64_t i = from; i <= to; i++)
            all = all && map_writer(g, m, i);
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
        int64_t first = 0, count, n;
        if (!u->output || !u->data || u->bytes <= 0)
            continue;
        n = count = hb_global_elements(h, b);
        if (u->written) /* else no statement writes it at all */
            n = hb_global_unwritten(h, b, count, &first);
        if (n)
            report_output(r, b, n, count, first);
    }
}

bool hb_writer(const Hb *h, uint32_t buf, int64_t element, uint32_t *site, int64_t *block,
               int *thread)
{
    const Global *g = h->g;
    uint32_t root = buf_root(h->p, buf);
    const Mapped *m = g->of[root] ? &g->m[g->of[root] - 1] : NULL;
    int size = hb_global_size(h, root);
    if (!m || !m->s || element < 0 || element >= g->buf[root].bytes * HbByte / size)
        return false;
    int64_t base = ((const char *)g->buf[root].data - m->from) * HbByte;
    int64_t i = (base + element * size) >> m->shift;
    uint32_t w = map_writer(g, m, i);
    if (!w)
        return false;
    const Rec *x = map_rec(h->g, w);
    int t = map_thread(x, w, i << m->shift);
    *site = map_site(x) & ~Atomic;
    *block = g->block[x->cluster * (uint32_t)h->most + (uint32_t)(t / h->threads)];
    *thread = t % h->threads;
    return true;
}
