/* core/lower/sync/keep.c: footprints, each kept once.
 *
 * Programs touch the same bytes in many places, and bytes of the same pattern in
 * others: what is pending, and the memory for it, grows with what differs.  A
 * footprint's cells are a ByteSet, from its least index on, and its place. */
#include <string.h>

#include "core/ir/expr.h"
#include "sync.h"

static uint64_t keep_mix(uint64_t h, uint64_t v) { return (h ^ v) * 0x9E3779B97F4A7C15u ^ h >> 29; }

/* Room for one more in a table of pointers; true: it is a larger one, empty. */
static bool grows(AccessSet *t, void *table, uint32_t n, uint32_t *cap)
{
    void *new;
    if (2 * n < *cap)
        return false;
    *cap = *cap ? 2 * *cap : 256;
    new = anew(&t->l->p->ctx, *cap * sizeof(void *));
    memcpy(table, &new, sizeof new);
    return true;
}

/* Prints ---------------------------------------------------------------- */

static uint64_t print_hash(const ByteSet *q)
{
    uint64_t h = keep_mix(keep_mix(q->n, (uint64_t)q->nd), (uint64_t)q->wide);
    for (uint32_t i = 0; i < q->n; i++)
        if (q->cell)
            h = keep_mix(keep_mix(h, q->cell[i].at), (uint64_t)q->cell[i].warps << 32 |
                                               (uint32_t)q->cell[i].owner);
        else
            h = keep_mix(h, (uint64_t)q->warps[i] << 32 | (uint32_t)q->owner[i]);
    return h;
}

static bool same_cell(const ByteSet *a, const ByteSet *b, uint32_t i)
{
    const BucketCell *x = &a->cell[i], *y = &b->cell[i];
    size_t nd = (size_t)a->nd;
    return x->at == y->at && x->warps == y->warps && x->owner == y->owner &&
           memcmp(a->idx + x->i * nd, b->idx + y->i * nd, nd * sizeof *a->idx) == 0;
}

static bool same_print(const ByteSet *a, const ByteSet *b)
{
    if (a->hash != b->hash || a->n != b->n || a->nd != b->nd || a->wide != b->wide || !a->cell != !b->cell)
        return false;
    if (!a->cell)
        return memcmp(a->warps, b->warps, a->n * sizeof *a->warps) == 0 &&
               memcmp(a->owner, b->owner, a->n * sizeof *a->owner) == 0;
    for (uint32_t i = 0; i < a->n; i++)
        if (!same_cell(a, b, i))
            return false;
    return true;
}

static void *keep_kept(Ctx *c, const void *p, size_t n)
{
    return p && n ? memcpy(anew(c, n), p, n) : anew(c, 1);
}

/* The cells' indices one behind the other, in the cells' order. */
static int64_t *keep_in_order(Ctx *c, const ByteSet *q, const BucketCell *cell)
{
    size_t nd = (size_t)q->nd;
    int64_t *idx = anew(c, q->n * nd * sizeof *idx + 1);
    for (uint32_t i = 0; i < q->n; i++)
        memcpy(idx + i * nd, q->idx + cell[i].i * nd, nd * sizeof *idx);
    return idx;
}

static const ByteSet *print_keep(AccessSet *t, ByteSet *q)
{
    Ctx *c = &t->l->p->ctx;
    uint32_t old = t->capprint;
    ByteSet **was = t->print;
    if (grows(t, &t->print, t->nprint, &t->capprint))
        for (uint32_t i = 0; i < old; i++)
            for (ByteSet *k = was[i], *next; k; k = next) {
                next = k->next;
                k->next = t->print[k->hash & (t->capprint - 1)];
                t->print[k->hash & (t->capprint - 1)] = k;
            }
    q->hash = print_hash(q);
    ByteSet **at = &t->print[q->hash & (t->capprint - 1)];
    for (ByteSet *k = *at; k; k = k->next)
        if (same_print(k, q))
            return k;
    ByteSet *k = keep_kept(c, q, sizeof *q);
    if (q->cell) {
        k->cell = keep_kept(c, q->cell, q->n * sizeof *q->cell);
        k->idx = keep_in_order(c, q, q->cell);
        k->most = keep_kept(c, q->most, (size_t)q->nd * sizeof *q->most);
        for (uint32_t i = 0; i < k->n; i++)
            k->cell[i].i = i;
    } else {
        k->warps = keep_kept(c, q->warps, q->n * sizeof *q->warps);
        k->owner = keep_kept(c, q->owner, q->n * sizeof *q->owner);
    }
    k->next = *at;
    t->nprint++;
    return *at = k;
}

/* The widest cells that f's n of `wide` elements are made of wherever its terms take them:
 * two are one or apart. */
static int64_t keep_unit_of(const AccessSet *t, const Footprint *f, uint32_t n, int64_t wide)
{
    int last = f->a->nd - 1;
    uint64_t bits = (uint64_t)wide;
    for (uint32_t i = 0; last >= 0 && i < n; i++)
        bits |= (uint64_t)t->cellidx[i * (size_t)f->a->nd + (size_t)last];
    for (uint32_t i = 0; last >= 0 && i < f->nterm[last]; i++)
        bits |= (uint64_t)f->term[last][i].coef;
    return (int64_t)(bits & -bits);
}

/* The n cells of t->cell, of `wide` elements, in units of so many: how many there are. */
static uint32_t in_units(AccessSet *t, int nd, uint32_t n, int64_t wide, int64_t unit)
{
    Ctx *c = &t->l->p->ctx;
    size_t size = (size_t)nd, m = (size_t)(wide / unit);
    agrow(c, &t->cell, &t->capcell, (uint32_t)(n * m), sizeof *t->cell);
    agrow(c, &t->cellidx, &t->capidx, (uint32_t)(n * m * size + 1), sizeof *t->cellidx);
    for (uint32_t i = n; i-- > 0;) {
        int64_t at[MaxDim] = {0};
        BucketCell k = t->cell[i];
        memcpy(at, t->cellidx + i * size, size * sizeof *at);
        for (size_t j = m; j-- > 0;) {
            int64_t *to = t->cellidx + (i * m + j) * size;
            k.i = (uint32_t)(i * m + j);
            t->cell[k.i] = k;
            memcpy(to, at, size * sizeof *at);
            if (nd)
                to[nd - 1] = at[nd - 1] / unit + (int64_t)j;
        }
    }
    return (uint32_t)(n * m);
}

/* The n cells of t->cell, from their least index on, which becomes f's place. */
static const ByteSet *of_global(AccessSet *t, Footprint *f, uint32_t n, int64_t wide)
{
    int64_t most[MaxDim], unit = keep_unit_of(t, f, n, wide);
    n = in_units(t, f->a->nd, n, wide, unit);
    ByteSet q = {.cell = t->cell, .idx = t->cellidx, .most = most, .nd = f->a->nd, .wide = unit};
    size_t nd = (size_t)q.nd;
    for (size_t d = 0; d < nd; d++) {
        int64_t by = d + 1 == nd ? unit : 1;
        int64_t lo = q.idx[d], hi = lo;
        for (uint32_t i = 1; i < n; i++) {
            int64_t v = q.idx[i * nd + d];
            lo = v < lo ? v : lo;
            hi = v > hi ? v : hi;
        }
        f->at[d] = lo * by;
        if (__builtin_sub_overflow(hi, lo, &most[d]) || most[d] >= INT64_MAX / by)
            most[d] = INT64_MAX;
        else
            most[d] = most[d] * by + by - 1;
        for (uint32_t i = 0; i < n; i++)
            q.idx[i * nd + d] = ex_wsub(q.idx[i * nd + d], lo);
    }
    for (uint32_t i = 0; i < n; i++)
        q.cell[i].at = cell_hash(q.idx + q.cell[i].i * nd, q.nd);
    q.n = cells_sort(t, q.cell, n);
    return print_keep(t, &q);
}

/* The cells lo .. hi of shared memory; their room is zero again. */
static const ByteSet *of_shared(AccessSet *t, const Footprint *f)
{
    size_t n = (size_t)(f->hi - f->lo);
    ByteSet q = {.warps = t->sw + f->lo, .owner = t->so + f->lo, .n = (uint32_t)n};
    const ByteSet *k = print_keep(t, &q);
    memset(t->sw + f->lo, 0, n * sizeof *t->sw);
    memset(t->so + f->lo, 0, n * sizeof *t->so);
    return k;
}

/* Footprints ------------------------------------------------------------ */

static uint64_t footprint_hash(const Footprint *f)
{
    const SyncAccess *a = f->a;
    bool global = a->as->scope == SCglobal;
    uint64_t h =
        keep_mix((uint64_t)(uintptr_t)f->print >> 4, global ? (uint64_t)(uintptr_t)a->as >> 4 : 0);
    h = keep_mix(keep_mix(h, (uint64_t)f->lo), f->all);
    for (int d = 0; global && d < a->nd; d++)
        h = keep_mix(h, (uint64_t)f->at[d]);
    return keep_mix(h, (uint64_t)a->update << 32 | (uint64_t)a->mode << 16 |
                           (uint64_t)(unsigned char)a->done << 8 | a->async);
}

static bool same_terms(const Footprint *a, const Footprint *b)
{
    for (int d = 0; d < a->a->nd; d++) {
        if (a->nterm[d] != b->nterm[d])
            return false;
        for (uint32_t i = 0; i < a->nterm[d]; i++) {
            const Term *x = &a->term[d][i], *y = &b->term[d][i];
            if (x->e != y->e || x->coef != y->coef || x->now != y->now || x->free != y->free)
                return false;
        }
    }
    return true;
}

/* Does everything that is asked of the two have one answer?  In shared memory the bytes
 * say it all, whatever buffers stand there, one after the other. */
static bool same_footprint(const Footprint *a, const Footprint *b)
{
    const SyncAccess *x = a->a, *y = b->a;
    if (a->print != b->print || a->all != b->all || a->lo != b->lo || a->hi != b->hi ||
        x->mode != y->mode || x->update != y->update || x->done != y->done || x->async != y->async ||
        x->as->scope != y->as->scope || acc_prev(x) != acc_prev(y) || x->cut != y->cut)
        return false;
    return x->as->scope != SCglobal ||
           (x->as == y->as && x->buf == y->buf && x->nd == y->nd &&
            memcmp(a->at, b->at, sizeof a->at) == 0 && same_terms(a, b));
}

const Footprint *footprint_keep(AccessSet *t, const Footprint *made, uint32_t ncell, int64_t wide)
{
    Footprint f = *made;
    uint32_t old = t->capfootprint;
    Footprint **was = t->footprint;
    if (f.a->as->scope == SCglobal)
        f.print = ncell ? of_global(t, &f, ncell, wide) : NULL;
    else if (f.lo < f.hi)
        f.print = of_shared(t, &f);
    if (grows(t, &t->footprint, t->nfootprint, &t->capfootprint))
        for (uint32_t i = 0; i < old; i++)
            for (Footprint *k = was[i], *next; k; k = next) {
                next = k->next;
                Footprint **to = &t->footprint[footprint_hash(k) & (t->capfootprint - 1)];
                k->next = *to;
                *to = k;
            }
    Footprint **at = &t->footprint[footprint_hash(&f) & (t->capfootprint - 1)];
    for (const Footprint *k = *at; k; k = k->next)
        if (same_footprint(k, &f))
            return k;
    f.id = (int)++t->nfootprint;
    f.next = *at;
    *at = keep_kept(&t->l->p->ctx, &f, sizeof f);
    agrow(&t->l->p->ctx, &t->near, &t->capnear, t->nfootprint + 1, sizeof *t->near);
    return t->near[f.id].footprint = *at;
}
