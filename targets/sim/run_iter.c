/* targets/sim/run_iter.c: tells iters.c what the iterations of an open T.Parallel touch.
 *
 * One instruction beside each load, store and atomic of such a loop (core/lower/iterations.c says
 * which these are): for each lane that is on and each element of a vector, whose iteration it is and
 * where. */
#include <string.h>

#include "run.h"

typedef struct Iterating Iterating;
struct Iterating {
    SimRun *r;
    Strand *s;
    const Ins *i;
    const IterArgs *a;
    Spots o;
    int k, e;              /* the lane and the element at hand */
};

static int64_t iter_value(const Iterating *t, Val v)
{
    int e = v.shape == SHw ? t->e : 0, k = v.shape == SHu ? 0 : t->k;
    const void *p = operand(t->r, t->s, v, e);
    return v.cls == VCl ? ((const int64_t *)p)[k] : ((const int32_t *)p)[k];
}

const Ins *run_parallel(SimRun *r, Strand *s, const Ins *i)
{
    const IterArgs *a = i->x;
    if (!r->iters)
        return i + 1;
    Iterating t = {.r = r, .s = s, .a = a};
    iters_extent(r->iters, a->loop, a->dim, iter_value(&t, a->first));
    if (a->dim == 0)
        s->u[a->round].l++;
    return i + 1;
}

/* Bits of an operand in the lane at hand, as its class has them. */
static uint64_t iter_bits(const Iterating *t, Val v)
{
    uint64_t bits = 0;
    size_t bytes = (size_t)class_bytes((enum ValueClass)v.cls);
    const char *p = operand(t->r, t->s, v, v.shape == SHw ? t->e : 0);
    memcpy(&bits, p + (v.shape == SHu ? 0 : (size_t)t->k * bytes), bytes);
    return bits;
}

static const char *iter_register(const Iterating *t, const IterTouch *k)
{
    const Buf *b = &t->r->sp->p->buf[k->root];
    int64_t at = k->element, idx[LayDims];
    Str s = {0};
    for (int d = b->map->ndim; d-- > 0; at /= b->map->extent[d])
        idx[d] = at % b->map->extent[d];
    str_puts(&s, b->name);
    for (int d = 0; d < b->map->ndim; d++)
        str_fmt(&s, "%s%lld", d ? ", " : "[", (long long)idx[d]);
    str_puts(&s, b->map->ndim ? "]" : "");
    const char *text = astr(t->r->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return text;
}

static const char *iter_name(void *ud, const IterTouch *k)
{
    const Iterating *t = ud;
    return t->a->l ? iter_register(t, k) : report_element(&t->r->report, t->a->acc->buf, k->element);
}

/* The fragment's element in the register of the lane at hand; false: it holds none. */
static bool iter_element(const Iterating *t, IterTouch *k)
{
    const Local *l = t->a->l;
    const Layout *m = t->r->sp->p->buf[l->buf].map;
    int warp = t->r->sp->m->warp, thread = (t->s->t0 + t->k) % t->r->l->lanes - l->first;
    int64_t reg = iter_value(t, t->a->at) + (t->a->wide ? t->e : 0);
    Spot at = {{reg, thread % warp, thread / warp, 0}};
    int32_t idx[LayDims];
    if (reg < 0 || reg >= l->regs || thread < 0 || !layout_invert(m, &at, idx))
        return false;
    k->element = 0;
    for (int d = 0; d < m->ndim; d++)
        k->element = k->element * m->extent[d] + idx[d];
    Val v = {SHt, l->cls, l->dt, l->at + class_rows((enum ValueClass)l->cls) * (uint32_t)reg};
    memcpy(&k->was, row_at(t->r, v, t->s->t0 + t->k), (size_t)class_bytes((enum ValueClass)l->cls));
    return true;
}

/* The place in memory of the element at hand: half bytes of its storage. */
static void iter_place(const Iterating *t, IterTouch *k)
{
    const SimAccess *a = t->a->acc;
    const Prog *p = t->r->sp->p;
    const Spots *o = &t->o;
    int size = dtypeinfo[a->dt].bits * HbByte / 8;
    const Buf *b = &p->buf[a->buf], *root = &p->buf[k->root];
    int64_t memat = root->scope == SCglobal ? 0 : (b->at >= 0 ? b->at : root->at) * HbByte;
    int64_t at = o->base + (o->at ? o->at[t->k] : t->k * o->step) + (t->a->wide ? t->e : 0);
    k->element = memat + at * size;
    t->r->sp->kern->load[a->dt](&k->was, o->mem, at, 0, NULL, NULL, 1);
}

/* Bits [part * bits, ..) of an element whose bytes are at p. */
static uint64_t iter_part(const char *p, int part, int bits)
{
    uint64_t v = 0;
    memcpy(&v, p + part * bits / 8, (size_t)(bits + 7) / 8);
    return bits < 8 ? v >> part * bits % 8 & ((UINT64_C(1) << bits) - 1) : v;
}

/* An element, or each part of it that has a name of its own by a view of narrower elements: then as
 * the bytes that it has in memory. */
static void iter_parts(Iterating *t, IterTouch *k)
{
    const IterArgs *a = t->a;
    if (a->l || a->parts <= 1) {
        iters_touch(t->r->iters, k, iter_name, t);
        return;
    }
    int bits = dtypeinfo[a->acc->dt].bits, size = bits / 8, part = bits / a->parts;
    int64_t place = t->o.base + (t->o.at ? t->o.at[t->k] : t->k * t->o.step) + (a->wide ? t->e : 0);
    char value[sizeof(uint64_t)] = {0};
    if (a->mode == ItWrite)
        t->r->sp->kern->store[a->acc->dt](&k->value, value, 0, 0, NULL, NULL, 1);
    int64_t element = k->element;
    for (int j = 0; j < a->parts; j++) {
        k->element = element + j * part * HbByte / 8;
        k->was = iter_part(t->o.mem + place * size, j, part);
        k->value = iter_part(value, j, part);
        iters_touch(t->r->iters, k, iter_name, t);
    }
}

static void iter_touch(Iterating *t, Val of)
{
    const IterArgs *a = t->a;
    uint32_t buf = a->l ? a->l->buf : a->acc->buf;
    IterTouch k = {.loop = a->loop, .round = (uint32_t)t->s->u[a->round].l, .site = t->i->site,
                   .root = buf_root(t->r->sp->p, buf), .cta = t->s->cta,
                   .thread = t->s->t0 + t->k, .mode = a->mode, .iteration = iter_value(t, of)};
    if (a->lanes > 1) /* of a vector atomic: one after the other */
        k.iteration += (iter_value(t, a->last) - k.iteration) / (a->lanes - 1) * t->e;
    if (a->mode == ItWrite)
        k.value = iter_bits(t, a->value);
    if (a->l) {
        if (!iter_element(t, &k))
            return;
    } else {
        iter_place(t, &k);
    }
    iter_parts(t, &k);
    t->r->stop |= t->r->report.full;
}

const Ins *run_iteration(SimRun *r, Strand *s, const Ins *i)
{
    const IterArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    Iterating t = {.r = r, .s = s, .i = i, .a = a};
    if (!r->iters || r->stop)
        return i + 1;
    if (a->l)
        t.o.on = on;
    else if (!access_spots(r, s, on, a->acc, 0, &t.o) || t.o.apart)
        return i + 1; /* the access itself has more to say */
    Ins begins = *i;
    begins.site = a->begins;
    r->x->ins = &begins; /* messages name the loops around, not the rounds that one has become */
    int n = a->wide ? a->wide : a->first.shape == SHw ? i->w : 1;
    for (t.e = 0; t.e < n; t.e++) {
        for (t.k = 0; t.k < s->n; t.k++) {
            if (t.o.on && !t.o.on[t.k])
                continue;
            iter_touch(&t, a->first);
            if (a->spans)
                iter_touch(&t, a->last);
        }
    }
    r->x->ins = i;
    return i + 1;
}
