/* targets/gpu/output.c: the side buffer: what T.print and T.device_assert wrote.
 *
 * Threads append records in any order (core/ir/plan.h).  They are put into that of a
 * machine whose threads go hand in hand: block by block, and in a block the first
 * output of each thread, then the second of each.  The records of a tile, from the
 * threads that hold it, become one text. */
#include <stdlib.h>
#include <string.h>

#include "core/tensor/show.h"
#include "core/tensor/tensor.h"
#include "gpu.h"
#include "err/launch.h"

enum { MaxTile = 1 << 24 /* elements of a tile that is shown */ };

static uint32_t *output_words(const PlanOut *o)
{
    union { const PlanOut *c; PlanOut *v; } at = {.c = o + 1};
    return (uint32_t *)(void *)at.v;
}

void gpu_out_init(PlanOut *o)
{
    memset(o, 0, GpuOutBytes);
    o->room = (GpuOutBytes - sizeof *o) / 4;
}

/* What a thread took room for and did not write must not look like a record. */
void gpu_out_clear(PlanOut *o)
{
    uint32_t used = o->used < o->room ? o->used : o->room;
    memset(output_words(o), 0, (size_t)used * 4);
    o->used = o->dropped = o->failed = 0;
}

/* Records ------------------------------------------------------------------ */

typedef struct Record Record;
struct Record {
    const uint32_t *w;
    uint32_t site, n, thread, index;
    int64_t block;
    uint32_t at;         /* place in the buffer */
    uint32_t rank;       /* outputs of this thread before */
    uint32_t nth;        /* of them, of this site */
};

typedef struct OutputReader OutputReader;
struct OutputReader {
    const GpuProgram *g;
    const DevHost *host;
    Record *r; size_t n;
    uint32_t *count, *first; /* by site, of the thread that is looked at */
};

static bool read_record(const GpuProgram *g, const uint32_t *w, uint32_t left, Record *r)
{
    if (left < PlanRecordHead || w[1] < PlanRecordHead || w[1] > left ||
        w[0] >= (uint32_t)g->plan->nsite)
        return false;
    *r = (Record){.w = w, .site = w[0], .n = w[1], .thread = w[4], .index = w[5],
                  .block = (int64_t)((uint64_t)w[2] | (uint64_t)w[3] << 32)};
    const GpuKernel *k = &g->kernel[g->owner[r->site]];
    const unsigned *n = k->grid;
    return r->block >= 0 && r->block < (int64_t)n[0] * n[1] * n[2] &&
           r->thread < (uint32_t)k->l->threads;
}

/* All records; room that was taken and not written (the kernel was stopped) is
 * skipped word by word. */
static bool output_read_all(OutputReader *q, const PlanOut *o)
{
    uint32_t end = o->used < o->room ? o->used : o->room;
    const uint32_t *w = output_words(o);
    q->r = calloc(end / PlanRecordHead + 1, sizeof *q->r);
    if (!q->r)
        return false;
    for (uint32_t at = 0; at < end;) {
        Record *r = &q->r[q->n];
        if (!read_record(q->g, w + at, end - at, r)) {
            at++;
            continue;
        }
        r->at = at;
        at += r->n;
        q->n++;
    }
    return true;
}

static int output_by_thread(const void *x, const void *y)
{
    const Record *a = x, *b = y;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Sites -------------------------------------------------------------------- */

/* What a site shows: the logical shape of a tile. */
static Shown output_shown(const GpuProgram *g, uint32_t site)
{
    const Prog *p = g->p;
    const Stmt *s = g->plan->site[site].s;
    Shown w = {.ndim = -1};
    if (s->kind == Sprint) {
        w.message = s->print.text;
        w.ndim = s->print.value ? 0 : -1;
        w.dt = s->print.value ? ex_type(p, s->print.value) : DTnone;
        return w;
    }
    if (s->kind != Sop)
        return w;
    const Region *of = &s->op.r[0];
    const Buf *b = &p->buf[of->buf];
    w.message = s->op.text;
    if (!of->buf)
        return w;
    bool whole = b->scope == SClocal && b->map; /* slots: their logical tile */
    w.name = b->name;
    w.dt = (enum Dtype)b->dt;
    w.ndim = whole ? b->map->ndim : b->ndim;
    int64_t step = 1;
    for (int d = w.ndim; d-- > 0; step *= w.shape[d]) {
        w.shape[d] = 1;
        if (whole)
            w.shape[d] = b->map->size[d];
        else
            x_eval(p, of->extent[d], g->env, &w.shape[d]);
        w.stride[d] = step;
    }
    return w;
}

static int64_t output_elements(const Shown *w)
{
    int64_t n = 1;
    for (int d = 0; d < w->ndim; d++)
        n = w->shape[d] > 0 && n < MaxTile ? n * w->shape[d] : n;
    return n;
}

/* Element i of data from its word or two. */
static void set_element(enum Dtype dt, void *data, int64_t i, const uint32_t *w)
{
    int bits = dtypeinfo[dt].bits;
    if (bits < 8)
        dtype_storei(dt, data, i, (int64_t)w[0]);
    else /* low bytes first, as this machine has them */
        memcpy((char *)data + i * (bits / 8), w, (size_t)bits / 8);
}

static int output_words_of(enum Dtype dt) { return dtypeinfo[dt].bits > 32 ? 2 : 1; }

/* Order -------------------------------------------------------------------- */

static bool is_tile(const GpuProgram *g, uint32_t site)
{
    return g->plan->site[site].s->kind == Sop;
}

/* Numbers the outputs of each thread.  It writes the records of a tile one after the
 * other, always in the same order: the first of them again is the next printing. */
static void output_number(OutputReader *q)
{
    uint32_t rank = 0, sites = (uint32_t)q->g->plan->nsite;
    for (size_t i = 0; i < q->n; i++) {
        Record *r = &q->r[i], *before = i ? r - 1 : NULL;
        bool first = !before || before->block != r->block || before->thread != r->thread;
        if (first) {
            rank = 0;
            memset(q->count, 0, sites * sizeof *q->count);
        }
        bool more = !first && is_tile(q->g, r->site) && before->site == r->site &&
                    r->index != q->first[r->site];
        r->rank = more ? before->rank : rank++;
        r->nth = more ? before->nth : q->count[r->site]++;
        q->first[r->site] = more ? q->first[r->site] : r->index;
    }
}

/* The records of one tile side by side. */
static int by_tile(const void *x, const void *y)
{
    const Record *a = x, *b = y;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    if (a->nth != b->nth)
        return a->nth < b->nth ? -1 : 1;
    return output_by_thread(x, y);
}

/* One text: a scalar's record, or those of a tile. */
typedef struct OutputEvent OutputEvent;
struct OutputEvent { const Record *r; size_t n; uint32_t rank, thread; };

static int output_by_time(const void *x, const void *y)
{
    const OutputEvent *a = x, *b = y;
    if (a->r->block != b->r->block)
        return a->r->block < b->r->block ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->thread < b->thread ? -1 : a->thread > b->thread;
}

static size_t output_events(const OutputReader *q, OutputEvent *e)
{
    size_t n = 0;
    for (size_t i = 0, k; i < q->n; i += k) {
        const Record *r = &q->r[i];
        uint32_t rank = r->rank;
        k = 1;
        while (is_tile(q->g, r->site) && i + k < q->n && r[k].block == r->block &&
               r[k].site == r->site && r[k].nth == r->nth) {
            rank = r[k].rank < rank ? r[k].rank : rank;
            k++;
        }
        if (q->g->plan->site[r->site].s->kind != Sassert)
            e[n++] = (OutputEvent){r, k, rank, r->thread};
    }
    return n;
}

/* Text --------------------------------------------------------------------- */

static void output_blocks(const GpuProgram *g, const Record *r, int64_t b[3])
{
    const unsigned *n = g->kernel[g->owner[r->site]].grid;
    b[0] = r->block % n[0];
    b[1] = r->block / n[0] % n[1];
    b[2] = r->block / n[0] / n[1];
}

static void output_say(const OutputReader *q, const OutputEvent *e)
{
    Shown w = output_shown(q->g, e->r->site);
    int64_t n = output_elements(&w), block[3];
    size_t bytes = w.ndim < 0 ? 0 : (size_t)tensor_bytes(w.dt, n);
    Str text = {0};
    if (w.ndim >= 0 && n > MaxTile)
        return;
    char *data = calloc(1, bytes + 8);
    if (!data)
        return;
    for (size_t k = 0; k < e->n && w.ndim >= 0; k++) {
        const Record *r = &e->r[k];
        int step = output_words_of(w.dt);
        for (uint32_t j = PlanRecordHead, i = r->index; j + (uint32_t)step <= r->n && i < n;
             j += (uint32_t)step, i++)
            set_element(w.dt, data, i, r->w + j);
    }
    output_blocks(q->g, e->r, block);
    show_print(&text, block, &w, data);
    if (!text.bad)
        q->host->print(q->host->ud, e->r->block, text.s, text.n);
    str_free(&text);
    free(data);
}

static void say_all(OutputReader *q)
{
    OutputEvent *e = calloc(q->n + 1, sizeof *e);
    q->count = calloc((size_t)q->g->plan->nsite + 1, sizeof *q->count);
    q->first = calloc((size_t)q->g->plan->nsite + 1, sizeof *q->first);
    if (e && q->count && q->first) {
        qsort(q->r, q->n, sizeof *q->r, output_by_thread);
        output_number(q);
        qsort(q->r, q->n, sizeof *q->r, by_tile);
        size_t n = output_events(q, e);
        qsort(e, n, sizeof *e, output_by_time);
        for (size_t i = 0; i < n; i++)
            output_say(q, &e[i]);
    }
    free(q->count);
    free(q->first);
    free(e);
}

/* The assert that failed first: its record names block and thread, if it was written. */
static DevError output_assertion(const OutputReader *q, uint32_t site, uint32_t *failed_at)
{
    const Stmt *s = q->g->plan->site[site].s;
    const char *text = s->check.text && *s->check.text ? s->check.text : "device_assert failed";
    *failed_at = s->loc.line;
    for (size_t i = 0; i < q->n; i++) {
        int64_t b[3];
        if (q->r[i].site != site)
            continue;
        output_blocks(q->g, &q->r[i], b);
        return dev_error(E_sim_assert, text, dev_block(b[0], b[1], b[2]), q->r[i].thread);
    }
    return dev_error(E_device_assert, text, "?");
}

DevError gpu_out_read(const GpuProgram *g, const PlanOut *o, bool lost, const DevHost *host,
                      uint32_t *failed_at)
{
    OutputReader q = {.g = g, .host = host};
    Str s = {0};
    DevError err = DEV_NO_ERROR;
    if (!o->used && !o->failed)
        return DEV_NO_ERROR;
    if (output_read_all(&q, o)) {
        bool ours = o->failed && o->failed <= (uint32_t)g->plan->nsite &&
                    g->plan->site[o->failed - 1].s->kind == Sassert;
        if (o->failed && !ours) /* of another program that is timed beside this one */
            err = dev_error(E_device_assert, "", "?");
        if (ours)
            err = output_assertion(&q, o->failed - 1, failed_at);
        err = lost && err.is ? dev_lost(err) : err;
        say_all(&q);
    }
    if (o->dropped) /* behind the last block's */
        str_fmt(&s, "... %u more records, for which there was no room\n", (unsigned)o->dropped);
    if (s.n && !s.bad)
        host->print(host->ud, INT64_MAX, s.s, s.n);
    str_free(&s);
    free(q.r);
    return err;
}
