/* core/lower/sync/global.c: which elements of a global buffer an access touches.
 *
 * An index is a number for each thread, plus terms: multiples of integers that are
 * the same for all threads and not known, as the block's number.  Two accesses
 * whose terms are the same are compared by their numbers; else the terms may make
 * up any multiple of what divides their factors, and the numbers are compared
 * modulo that: all rounds of a loop at once. */
#include <stdlib.h>
#include <string.h>

#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "sync.h"

/* Terms ----------------------------------------------------------------- */

typedef struct IndexSplit IndexSplit;
struct IndexSplit {
    AccessSet *t;
    Footprint *f;
    Term *term; uint32_t n, cap;
    int64_t *sum;          /* of each thread */
    bool lanes;            /* they differ */
};

/* Does e itself read what the launch writes, or what is another thing each time? */
static bool global_changes(void *ud, Ex e)
{
    const AccessSet *t = ud;
    const Prog *p = t->l->p;
    const Expr *x = &p->ex[e];
    if (x->op == Xload)
        return p->buf[x->sym].scope == SCfragment || t->written[buf_root(p, x->sym)];
    if (x->op == Xcall)
        return intrinfo[x->sym].level == 'T';
    return x->op == Xvar && p->var[x->sym].kind == Vlet && !p->var[x->sym].value;
}

static Term global_term_of(IndexSplit *k, Ex e, int64_t coef)
{
    AccessSet *t = k->t;
    const SyncAccess *a = k->f->a;
    Term r = {e, coef, 0, ex_any_let(t->l->p, e, global_changes, t)};
    for (int i = 0; i < a->ndep; i++) {
        if (!eval_depends(t->l->p, e, a->dep[i]))
            continue;
        if (k->f->key[2 * i] != 1) /* it runs */
            r.free = true;
        else
            r.now = (r.now + a->dep[i]) * 0x9E3779B97F4A7C15u + (uint64_t)k->f->key[2 * i + 1];
    }
    return r;
}

static void global_add_term(IndexSplit *k, Term r)
{
    for (uint32_t i = 0; i < k->n; i++)
        if (k->term[i].e == r.e) {
            k->term[i].coef = ex_wadd(k->term[i].coef, r.coef);
            return;
        }
    agrow(&k->t->l->p->ctx, &k->term, &k->cap, k->n + 1, sizeof *k->term);
    k->term[k->n++] = r;
}

static void global_add_number(IndexSplit *k, Lanes v, int64_t coef)
{
    k->lanes |= v.v != NULL;
    for (int i = 0; i < k->t->ev.n; i++)
        k->sum[i] = ex_wadd(k->sum[i], ex_wmul(coef, v.v ? v.v[i] : v.one));
}

/* What a let adds to the sum, by the order in which lets name each other. */
typedef struct SplitPart SplitPart;
struct SplitPart { Ex e; int64_t coef; };
typedef struct SplitParts SplitParts;
struct SplitParts { IndexSplit *k; SplitPart *part; uint32_t n, cap; };

static bool note_part(void *ud, Ex e)
{
    SplitParts *t = ud;
    const AccessSet *of = t->k->t;
    if (!ex_let(of->l->p, e))
        return true;
    agrow(&of->l->p->ctx, &t->part, &t->cap, t->n + 1, sizeof *t->part);
    t->part[t->n++] = (SplitPart){e, 0};
    return true;
}

/* Adds coef times what the let e stands for, later: what names it, at `before` or in front of
 * that, may name it again. */
static void add_part(SplitParts *t, uint32_t before, Ex e, int64_t coef)
{
    while (before > 0 && t->part[before - 1].e != e) /* most stand close by */
        before--;
    if (before > 0)
        t->part[before - 1].coef = ex_wadd(t->part[before - 1].coef, coef);
}

/* Adds coef * e, which the let number `at` stands for, but for lets; false: it cannot be said. */
static bool split_sum(SplitParts *t, uint32_t at, Ex e, int64_t coef)
{
    IndexSplit *k = t->k;
    Prog *p = k->t->l->p;
    const Uniform *u = k->t->u;
    const Stmt *here = at < t->n ? uniform_let(u, t->part[at].e) : k->f->a->s;
    ExSum s = x_linear(p, e);
    global_add_number(k, (Lanes){false, s.c, NULL}, coef);
    for (int i = 0; i < s.n; i++) {
        Ex let = ex_let(p, s.atom[i]);
        int64_t by = ex_wmul(coef, s.coef[i]);
        Lanes v = eval(&k->t->ev, s.atom[i]);
        if (!v.unknown)
            global_add_number(k, v, by);
        else if (let && ex_type(p, let) == ex_type(p, s.atom[i]))
            add_part(t, at, s.atom[i], by);
        else if (uniform_ex(u, here, s.atom[i]))
            global_add_term(k, global_term_of(k, s.atom[i], by));
        else
            return false;
    }
    return true;
}

/* Adds e; false: it cannot be said.  A let is looked into once, behind all that name it. */
static bool split_index(IndexSplit *k, Ex e)
{
    SplitParts t = {.k = k};
    ex_each_let(k->t->l->p, e, note_part, &t);
    if (!split_sum(&t, t.n, e, 1))
        return false;
    for (uint32_t i = t.n; i-- > 0;)
        if (t.part[i].coef && !split_sum(&t, i, ex_let(k->t->l->p, t.part[i].e), t.part[i].coef))
            return false;
    return true;
}

typedef struct TermCount TermCount;
struct TermCount { AccessSet *t; uint32_t var; };

static int64_t global_counted(ExFold *f, Ex idx)
{
    const TermCount *k = f->ud;
    Prog *p = k->t->l->p;
    if (!eval_depends(p, idx, k->var))
        return false;
    ExSum s = x_linear(p, idx);
    for (int i = 0; i < s.n; i++) {
        Ex x = s.atom[i];
        if (!eval_depends(p, x, k->var))
            continue;
        if (!eval(&k->t->ev, x).unknown || (ex_let(p, x) && ex_fold_let(f, x)))
            return true;
    }
    return false;
}

static bool number_in(AccessSet *t, Ex idx, uint32_t var)
{
    return ex_fold(&(ExFold){.p = t->l->p, .f = global_counted, .ud = &(TermCount){t, var}}, idx);
}

bool global_counts(AccessSet *t, Ex idx, uint32_t var, int64_t at)
{
    eval_bind(&t->ev, var, at);
    bool r = number_in(t, idx, var);
    eval_free(&t->ev, var);
    return r;
}

static int global_by_handle(const void *x, const void *y)
{
    const Term *a = x, *b = y;
    return (a->e > b->e) - (a->e < b->e);
}

static bool same_term(const Term *a, const Term *b)
{
    return a->e == b->e && a->coef == b->coef && a->now == b->now && !a->free && !b->free;
}

/* Those of another step of the same access: what is free may be alike. */
static bool same_form(const Term *a, uint32_t na, const Term *b, uint32_t nb)
{
    if (na != nb)
        return false;
    for (uint32_t i = 0; i < na; i++)
        if (a[i].e != b[i].e || a[i].coef != b[i].coef || a[i].now != b[i].now)
            return false;
    return true;
}

bool global_index(AccessSet *t, Footprint *f, Ex idx, int d, Lanes *known)
{
    Prog *p = t->l->p;
    IndexSplit k = {.t = t, .f = f};
    if (!t->sum[d])
        t->sum[d] = anew(&p->ctx, (size_t)t->ev.n * sizeof *k.sum);
    k.sum = t->sum[d];
    memset(k.sum, 0, (size_t)t->ev.n * sizeof *k.sum);
    if (!split_index(&k, idx))
        return false;
    enum Dtype dt = ex_type(p, idx);
    for (int i = 0; i < t->ev.n; i++)
        k.sum[i] = ex_wrap(dt, k.sum[i]);
    if (k.n)
        qsort(k.term, k.n, sizeof *k.term, global_by_handle);
    bool first = !f->seen;
    if (first) {
        f->term[d] = k.term;
        f->nterm[d] = k.n;
        f->seen = d == f->a->nd - 1;
    } else if (!same_form(f->term[d], f->nterm[d], k.term, k.n)) {
        return false;
    }
    *known = k.lanes ? (Lanes){false, 0, k.sum} : (Lanes){false, k.sum[0], NULL};
    return true;
}

/* Elements -------------------------------------------------------------- */

uint64_t cell_hash(const int64_t *idx, int nd)
{
    uint64_t h = 0;
    for (int d = 0; d < nd; d++)
        h = (h + (uint64_t)idx[d]) * 0x9E3779B97F4A7C15u;
    return h;
}

static int global_by_place(const void *x, const void *y)
{
    const BucketCell *a = x, *b = y;
    return (a->at > b->at) - (a->at < b->at);
}

/* By insertion, for few. */
static void sort_few(BucketCell *c, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        BucketCell k = c[i];
        uint32_t j = i;
        for (; j > 0 && c[j - 1].at > k.at; j--)
            c[j] = c[j - 1];
        c[j] = k;
    }
}

/* In drawers by the upper bits of the hashes, which spread evenly, then each by itself. */
static void sort_many(AccessSet *t, BucketCell *c, uint32_t n)
{
    enum { Few = 16 };
    int bits = 63 - __builtin_clzll(n), shift = 64 - bits;
    uint32_t drawers = (uint32_t)1 << bits, from = 0;
    agrow(&t->l->p->ctx, &t->sorted, &t->capsorted, n, sizeof *t->sorted);
    agrow(&t->l->p->ctx, &t->drawer, &t->capdrawer, drawers + 1, sizeof *t->drawer);
    uint32_t *to = t->drawer;
    memset(to, 0, (drawers + 1) * sizeof *to);
    for (uint32_t i = 0; i < n; i++)
        to[(c[i].at >> shift) + 1]++;
    for (uint32_t i = 0; i < drawers; i++)
        to[i + 1] += to[i];
    for (uint32_t i = 0; i < n; i++)
        t->sorted[to[c[i].at >> shift]++] = c[i];
    for (uint32_t i = 0; i < drawers; from = to[i++])
        if (to[i] - from <= Few)
            sort_few(t->sorted + from, to[i] - from);
        else
            qsort(t->sorted + from, to[i] - from, sizeof *c, global_by_place);
    memcpy(c, t->sorted, n * sizeof *c);
}

uint32_t cells_sort(AccessSet *t, BucketCell *c, uint32_t n)
{
    uint32_t k = 0;
    if (n == 0)
        return 0;
    if (n > 1)
        sort_many(t, c, n);
    for (uint32_t i = 1; i < n; i++) {
        if (c[i].at != c[k].at) {
            c[++k] = c[i];
            continue;
        }
        c[k].warps |= c[i].warps;
        c[k].owner = c[k].owner == c[i].owner ? c[k].owner : -1;
    }
    return k + 1;
}

int owners_meet(uint32_t wa, int32_t oa, uint32_t wb, int32_t ob)
{
    if (!wa || !wb || (oa == ob && oa > 0))
        return CFnone;
    uint32_t w = wa | wb;
    return w & (w - 1) ? CFwarps : CFlanes;
}

/* Both in order of place. */
static int global_merge(const BucketCell *a, uint32_t na, const BucketCell *b, uint32_t nb)
{
    int r = CFnone;
    for (uint32_t i = 0, j = 0; i < na && j < nb && r < CFwarps;) {
        if (a[i].at < b[j].at) {
            i++;
        } else if (a[i].at > b[j].at) {
            j++;
        } else {
            int k = owners_meet(a[i].warps, a[i].owner, b[j].warps, b[j].owner);
            r = k > r ? k : r;
            i++;
            j++;
        }
    }
    return r;
}

/* Meeting --------------------------------------------------------------- */

/* What the terms of the two, in dimension d, can differ by: its multiples; 0: nothing. */
static int64_t difference(const Footprint *a, const Footprint *b, int d)
{
    int64_t g = 0;
    const Term *x = a->term[d], *y = b->term[d];
    uint32_t i = 0, j = 0, n = a->nterm[d], m = b->nterm[d];
    while (i < n || j < m) {
        bool both = i < n && j < m && x[i].e == y[j].e;
        if (both && same_term(&x[i], &y[j])) {
            i++;
            j++;
        } else if (both) {
            g = eval_gcd(eval_gcd(g, x[i++].coef), y[j++].coef);
        } else if (j == m || (i < n && x[i].e < y[j].e)) {
            g = eval_gcd(g, x[i++].coef);
        } else {
            g = eval_gcd(g, y[j++].coef);
        }
    }
    return g;
}

/* What two footprints are compared by: indices from those of `from` on, modulo mod[d]
 * where that is not 0, in the last dimension both in units of `wide` elements. */
typedef struct Measure Measure;
struct Measure { int64_t from[MaxDim], mod[MaxDim], wide; };

/* The cells of f so measured, in one of two rooms. */
static BucketCell *global_reduced(AccessSet *t, const Footprint *f, const Measure *by, uint32_t *n,
                                  int room)
{
    const ByteSet *q = f->print;
    int nd = f->a->nd;
    uint32_t m = (uint32_t)(q->wide / by->wide);
    agrow(&t->l->p->ctx, &t->room[room], &t->caproom[room], q->n * m, sizeof *t->room[room]);
    BucketCell *c = t->room[room];
    for (uint32_t i = 0; i < q->n; i++)
        for (uint32_t j = 0; j < m; j++) {
            const int64_t *idx = q->idx + (size_t)q->cell[i].i * (size_t)nd;
            int64_t at[MaxDim];
            for (int d = 0; d < nd; d++) {
                int64_t unit = d == nd - 1 ? by->wide : 1, mod = by->mod[d] / unit;
                at[d] = d == nd - 1 ? ex_wmul(idx[d], q->wide) : idx[d];
                at[d] = ex_wsub(ex_wadd(at[d], f->at[d]), by->from[d]) / unit;
                at[d] += d == nd - 1 ? j : 0;
                at[d] = mod ? ex_floormod(at[d], mod) : at[d];
            }
            c[i * m + j] = q->cell[i];
            c[i * m + j].at = cell_hash(at, nd);
        }
    *n = cells_sort(t, c, q->n * m);
    return c;
}

/* Do both name the elements of their buffer alike? */
static bool named_alike(const Buf *a, const Buf *b)
{
    bool same = a->ndim == b->ndim && a->dt == b->dt;
    for (int d = 0; d < a->ndim && same; d++)
        same = a->shape[d] == b->shape[d] && a->stride[d] == b->stride[d];
    return same;
}

bool global_named_alike(const Footprint *a, const Footprint *b)
{
    return named_alike(a->a->as, b->a->as);
}

bool global_along(const Footprint *a, const Footprint *b, int d)
{
    return named_alike(a->a->as, b->a->as) && difference(a, a, d) == 0 && difference(a, b, d) == 0;
}

bool global_apart(const Footprint *a, const Footprint *b)
{
    if (a->all || b->all || !a->print || !b->print || !named_alike(a->a->as, b->a->as))
        return false;
    for (int d = 0; d < a->a->nd; d++) {
        int64_t ea, eb;
        if (__builtin_add_overflow(a->at[d], a->print->most[d], &ea) ||
            __builtin_add_overflow(b->at[d], b->print->most[d], &eb) ||
            (ea >= b->at[d] && eb >= a->at[d]))
            continue;
        if (difference(a, b, d) == 0)
            return true;
    }
    return false;
}

int global_meet(AccessSet *t, const Footprint *a, const Footprint *b)
{
    Measure by = {.wide = 1};
    bool any = false, moved = false;
    if (a->all || b->all || !named_alike(a->a->as, b->a->as))
        return CFwarps;
    if (!a->print || !b->print)
        return CFnone;
    by.wide = a->print->wide < b->print->wide ? a->print->wide : b->print->wide;
    for (int d = 0; d < a->a->nd; d++) {
        by.mod[d] = difference(a, b, d);
        any |= by.mod[d] != 0;
        moved |= a->at[d] != b->at[d];
    }
    const BucketCell *ca = a->print->cell, *cb = b->print->cell;
    uint32_t na = a->print->n, nb = b->print->n;
    if (any || a->print->wide != b->print->wide) {
        ca = global_reduced(t, a, &by, &na, 0);
        cb = a == b ? ca : global_reduced(t, b, &by, &nb, 1);
        nb = a == b ? na : nb;
    } else if (moved) {
        memcpy(by.from, a->at, sizeof by.from);
        cb = global_reduced(t, b, &by, &nb, 1);
    }
    return global_merge(ca, na, cb, nb);
}
