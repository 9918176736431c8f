/* targets/sim/print.c: T.print.  A tile in registers is gathered from the threads
 * that hold it, by the layout of its registers. */
#include <string.h>

#include "core/tensor/show.h"
#include "core/tensor/tensor.h"
#include "run.h"

enum { Bytes = 256 * 1024 }; /* of one launch; the session cuts earlier */

static void sprint_say(SimRun *r, const Strand *s, const Shown *w, const void *data)
{
    int64_t b = r->block[s->cta];
    const int64_t block[3] = {b % r->grid[0], b / r->grid[0] % r->grid[1],
                              b / r->grid[0] / r->grid[1]};
    Str text = {0};
    if (r->x->printed > Bytes)
        return;
    show_print(&text, block, w, data);
    if (!text.bad)
        r->host->print(r->host->ud, b, text.s, text.n);
    r->x->printed += (int64_t)text.n;
    str_free(&text);
}

/* A register's value as an element of memory. */
static void sprint_pack(const SimRun *r, enum Dtype dt, const void *from, void *to, int64_t at)
{
    r->sp->kern->store[dt](from, to, at, 0, NULL, NULL, 1);
}

const Ins *run_print(SimRun *r, Strand *s, const Ins *i)
{
    const PrintArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    bool value = a->s->print.value != 0;
    Shown w = {.message = a->s->print.text, .dt = (enum Dtype)a->value.dt, .ndim = value ? 0 : -1};
    size_t bytes = (size_t)class_bytes((enum ValueClass)a->value.cls);
    for (int k = 0; k < s->n; k++) {
        uint64_t cell = 0;
        if (on && !on[k])
            continue;
        if (value)
            sprint_pack(r, w.dt, (const char *)operand(r, s, a->value, 0) +
                              (a->value.shape == SHu ? 0 : (size_t)k * bytes), &cell, 0);
        sprint_say(r, s, &w, &cell);
    }
    return i + 1;
}

/* Tiles ---------------------------------------------------------------------------- */

typedef struct PrintTile PrintTile;
struct PrintTile {
    SimRun *r; Strand *s; const PrintArgs *a;
    const Buf *b;
    int ndim;
    int64_t min[MaxDim], extent[MaxDim], count;
    int lane;                /* whose registers, when no layout says it */
};

/* Element idx in the block's shared or in global memory. */
static const char *memory_at(const PrintTile *t, const int64_t *idx, int64_t *at)
{
    const Prog *p = t->r->sp->p;
    uint32_t buf = t->a->s->op.r[0].buf, root = buf_root(p, buf);
    const SimShape *sh = &t->r->shape[buf];
    const SharedMap *m = &t->r->sp->map[buf];
    bool global = p->buf[root].scope == SCglobal;
    *at = 0;
    for (int d = 0; d < t->ndim; d++) {
        if (idx[d] < 0 || idx[d] >= sh->size[d])
            return NULL;
        *at += global || m->linear ? idx[d] * sh->stride[d] : m->tab[d][idx[d]];
    }
    if (!global && m->bits) {
        int64_t mask = ((int64_t)1 << m->bits) - 1;
        *at ^= (*at >> (m->base + m->shift) & mask) << m->base;
    }
    if (global)
        return t->r->global[root].data;
    return t->r->shared + t->s->cta * t->r->l->shared +
           (t->b->at >= 0 ? t->b->at : p->buf[root].at);
}

/* Element idx in registers: register and thread by the layout, or registers row-major. */
static const char *register_at(const PrintTile *t, const int64_t *idx)
{
    const Local *l = t->a->local;
    const Layout *map = t->b->map;
    int64_t reg = 0;
    int thread = t->s->t0 + t->lane;
    if (map) {
        int32_t at[LayDims] = {0};
        for (int d = 0; d < t->ndim && d < LayDims; d++)
            at[d] = (int32_t)idx[d];
        Spot p = layout_eval(map, at);
        reg = p.at[AXreg];
        thread = t->s->cta * t->r->l->lanes + (int)p.at[AXwarp] * t->r->sp->m->warp +
                 (int)p.at[AXlane];
    } else {
        for (int d = 0; d < t->ndim; d++)
            reg = reg * t->r->shape[t->a->s->op.r[0].buf].size[d] + idx[d];
    }
    if (reg < 0 || reg >= l->regs || thread >= t->r->x->T)
        return NULL;
    return row_at(t->r, (Val){SHt, l->cls, l->dt,
                              l->at + class_rows((enum ValueClass)l->cls) * (uint32_t)reg},
                  thread);
}

static void print_element(const PrintTile *t, const int64_t *idx, char *out, int64_t k)
{
    enum Dtype dt = (enum Dtype)t->b->dt;
    int64_t cell = 0, at;
    if (t->a->local) {
        const char *v = register_at(t, idx);
        sprint_pack(t->r, dt, v ? v : (const char *)&cell, out, k);
        return;
    }
    const char *mem = memory_at(t, idx, &at);
    if (mem)
        t->r->sp->kern->load[dt](&cell, mem, at, 0, NULL, NULL, 1);
    sprint_pack(t->r, dt, &cell, out, k);
}

/* The logical shape: of a fragment, that of its layout. */
static void sprint_geometry(PrintTile *t)
{
    bool whole = t->a->local && t->b->map;
    t->ndim = whole ? t->b->map->ndim : t->b->ndim;
    t->count = 1;
    for (int d = 0; d < t->ndim; d++) {
        t->min[d] = whole ? 0 : ivalue(t->r, t->s, t->a->min[d], t->lane);
        t->extent[d] = whole ? t->b->map->size[d] : ivalue(t->r, t->s, t->a->extent[d], t->lane);
        t->count *= t->extent[d];
    }
}

const Ins *run_printtile(SimRun *r, Strand *s, const Ins *i)
{
    const PrintArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    const Region *g = &a->s->op.r[0];
    Shown w = {.message = a->s->op.text, .ndim = -1};
    PrintTile t = {.r = r, .s = s, .a = a, .b = &r->sp->p->buf[g->buf]};
    while (on && t.lane < s->n && !on[t.lane])
        t.lane++;
    if (t.lane == s->n || (s->t0 - s->cta * r->l->lanes > 0 && !on))
        return i + 1; /* the block prints once: its first threads do */
    if (!g->buf) {
        sprint_say(r, s, &w, NULL);
        return i + 1;
    }
    sprint_geometry(&t);
    if (t.count <= 0 || t.count > (int64_t)1 << 26)
        return i + 1;
    char *data = anew(r->ctx, (size_t)tensor_bytes((enum Dtype)t.b->dt, t.count) + 8);
    int64_t idx[MaxDim];
    for (int64_t k = 0; k < t.count; k++) {
        int64_t rest = k;
        for (int d = t.ndim; d-- > 0;) {
            idx[d] = t.min[d] + rest % t.extent[d];
            rest /= t.extent[d];
        }
        print_element(&t, idx, data, k);
    }
    w.name = t.b->name;
    w.dt = (enum Dtype)t.b->dt;
    w.ndim = t.ndim;
    int64_t step = 1;
    for (int d = t.ndim; d-- > 0; step *= t.extent[d]) {
        w.shape[d] = t.extent[d];
        w.stride[d] = step;
    }
    sprint_say(r, s, &w, data);
    return i + 1;
}
