/* core/lower/sync_foot.c: the bytes that an access touches, by enumeration of the
 * threads and of the loops that run, and whether two such footprints conflict.
 *
 * An address that cannot be evaluated touches all of its buffer. */
#include <stdlib.h>
#include <string.h>

#include "../expr.h"
#include "../walk.h"
#include "sync.h"

enum { MaxSteps = 1 << 14, MaxElements = 1 << 16 };

/* Enumeration ----------------------------------------------------------- */

/* (index >> shift) & mask, or / weight % extent, times stride. */
typedef struct Cut Cut;
struct Cut { uint8_t dim; int8_t shift; int64_t mask; int32_t weight, extent, stride; };

typedef struct Enum Enum;
struct Enum {
    Touches *t;
    const Acc *a;
    Foot *f;
    const Node *path[64];
    int npath, steps;
    uint8_t *mask;         /* of each thread: may execute it */
    int64_t width;         /* elements in the last dimension */
    Cut digit[LayDigits];
    int ndigit;
    int64_t piece;         /* see there */
    int shift;             /* of bytes to cells */
    bool all;
    bool seen;             /* the index of an earlier step: sym holds */
    bool asking;           /* only who may execute it */
    uint8_t *who;
    int64_t own[64];       /* see stand() */
    Cell *cell; uint32_t ncell, cap;
};

/* The digits of the access's layout, made for speed: powers of two by shifts. */
static void prepare(Enum *e)
{
    const Layout *m = e->a->as->map;
    for (int i = 0; m && i < m->n; i++) {
        const Digit *g = &m->d[i];
        bool top = (int64_t)g->weight * g->extent >= m->extent[g->dim];
        bool two = (g->weight & (g->weight - 1)) == 0 && (g->extent & (g->extent - 1)) == 0;
        if (g->axis != AXoff)
            continue;
        e->digit[e->ndigit++] =
            (Cut){g->dim, two ? (int8_t)__builtin_ctz((unsigned)g->weight) : (int8_t)-1,
                  top ? -1 : g->extent - 1, g->weight, top ? 0 : g->extent, g->stride};
    }
}

/* Elements from the buffer's beginning; barriers have no layout. */
static int64_t offset(const Enum *e, const int64_t *idx)
{
    const Layout *m = e->a->as->map;
    int64_t sum = 0;
    if (!m)
        return idx[0];
    for (int i = 0; i < e->ndigit; i++) {
        const Cut *g = &e->digit[i];
        int64_t v = idx[g->dim];
        if (g->shift >= 0) {
            v = (v >> g->shift) & g->mask;
        } else {
            v /= g->weight;
            v = g->extent ? v % g->extent : v;
        }
        sum += v * g->stride;
    }
    if (m->x.bits)
        sum ^= ((sum >> (m->x.base + m->x.shift)) & ((1 << m->x.bits) - 1)) << m->x.base;
    return sum;
}

static void mark(Enum *e, int64_t byte, int64_t bytes, uint32_t warps, int owner)
{
    Touches *t = e->t;
    int64_t lo = byte >> e->shift, hi = ((byte + bytes - 1) >> e->shift) + 1;
    if (byte < 0 || hi > t->arena) {
        e->all = true;
        return;
    }
    Foot *f = e->f;
    f->lo = lo < f->lo ? lo : f->lo;
    f->hi = hi > f->hi ? hi : f->hi;
    if (hi == lo + 1 && t->sw[lo] == warps && (t->so[lo] == -1 || t->so[lo] == owner + 1))
        return;
    for (int64_t c = lo; c < hi; c++) { /* owners count from 1; 0: nobody yet */
        t->so[c] = t->sw[c] == 0 ? owner + 1 : t->so[c] == owner + 1 && owner >= 0 ? t->so[c] : -1;
        t->sw[c] |= warps;
    }
}

static void note(Enum *e, int64_t at, uint32_t warps, int owner)
{
    if (e->ncell >= MaxElements) {
        e->all = true;
        return;
    }
    agrow(&e->t->l->p->ctx, &e->cell, &e->cap, e->ncell + 1, sizeof *e->cell);
    e->cell[e->ncell++] = (Cell){at, warps, owner};
}

/* The bytes from idx on, when they are one piece of whole cells; else 0. */
static int64_t piece(const Enum *e)
{
    const Acc *a = e->a;
    int64_t n = a->nd ? e->width : 1;
    for (int d = 0; d < a->nd; d++) {
        n *= a->ext[d];
        if (d < a->nd - 1 && a->ext[d] != 1)
            return 0;
    }
    int64_t bits = n * acc_bits(a);
    return a->as->scope == SCshared && bits % 8 == 0 && bits <= ChunkBytes * 8 ? bits / 8 : 0;
}

/* The elements from idx on, ext of them in each dimension. */
static void touch(Enum *e, const int64_t *idx, uint32_t warps, int owner)
{
    const Acc *a = e->a;
    if (e->piece) {
        mark(e, a->as->at + offset(e, idx) * acc_bits(a) / 8, e->piece, warps, owner);
        return;
    }
    int64_t at[MaxDim], k[MaxDim] = {0}, ext[MaxDim];
    bool shared = a->as->scope != SCglobal;
    int bits = a->as->scope == SCbarrier ? 64 : acc_bits(a), last = a->nd - 1;
    int64_t run = 1;
    for (int d = 0; d < a->nd; d++)
        ext[d] = a->ext[d];
    if (last >= 0) {
        ext[last] *= e->width;
        run = shared && ext[last] * bits > ChunkBytes * 8 ? ChunkBytes * 8 / bits : ext[last];
        if (!shared || run < 1)
            run = 1;
    }
    for (;;) {
        for (int d = 0; d < a->nd; d++)
            at[d] = idx[d] + k[d];
        if (shared) {
            int64_t bit = offset(e, at) * bits;
            mark(e, a->as->at + bit / 8, (run * bits + 7) / 8, warps, owner);
        } else {
            uint64_t h = 0;
            for (int d = 0; d < a->nd; d++)
                h = (h + (uint64_t)at[d]) * 0x9E3779B97F4A7C15u;
            note(e, (int64_t)h, warps, owner);
        }
        if (e->all)
            return;
        int d = last;
        while (d >= 0) {
            k[d] += d == last ? run : 1;
            if (k[d] < ext[d])
                break;
            k[d--] = 0;
        }
        if (d < 0)
            return;
    }
}

/* Known and symbolic part of a global index; false: not known. */
static bool split_index(Enum *e, Ex idx, Vec *known, Ex *sym)
{
    Touches *t = e->t;
    Low *l = t->l;
    Prog *p = l->p;
    enum { MaxTerm = 24 };
    Ex x[MaxTerm], rest = 0;
    int64_t coef[MaxTerm], c;
    Ex *map = anew(&p->ctx, p->nvar * sizeof *map);
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vlet && p->var[v].value && x_pure(p, p->var[v].value))
            map[v] = p->var[v].value;
    for (int i = 0; i < 4; i++) /* lets of lets */
        idx = low_substx(l, idx, map, p->nvar, NULL, 0);
    int n = x_linear(p, idx, x, coef, MaxTerm, &c);
    if (n < 0)
        return false;
    Vec sum = {false, c, NULL};
    for (int i = 0; i < n; i++) {
        Vec v = eval(&t->ev, x[i]);
        if (v.unknown) {
            if (!uniform_ex(t->u, x[i]))
                return false;
            Ex term = x_bin(p, Xmul, x[i], x_int(p, ex_type(p, x[i]), coef[i]));
            rest = rest ? x_bin(p, Xadd, rest, term) : term;
            continue;
        }
        int64_t *r = anew(&p->ctx, (size_t)t->ev.n * sizeof *r);
        for (int k = 0; k < t->ev.n; k++)
            r[k] = (sum.v ? sum.v[k] : sum.one) + coef[i] * (v.v ? v.v[k] : v.one);
        sum.v = r;
    }
    if (rest) { /* loops that stand at a value; those that run make it unknown */
        memset(map, 0, p->nvar * sizeof *map);
        for (int i = 0; i < e->a->ndep; i++) {
            uint32_t v = e->a->dep[i];
            if (!x_uses(p, rest, v))
                continue;
            if (!t->ev.has[v] || e->f->key[i] == INT64_MIN)
                return false;
            map[v] = x_int(p, (enum Dtype)p->var[v].dt, t->ev.val[v]);
        }
        rest = low_substx(l, rest, map, p->nvar, NULL, 0);
    }
    *known = sum;
    *sym = rest;
    return true;
}

/* One warp, or one warp group: its first thread speaks for it. */
static void warp_touches(Enum *e, const Vec *v, int first, uint32_t warps)
{
    const Acc *a = e->a;
    int n = a->level == 'G' ? 1 : a->lanes ? a->lanes : e->t->l->m->warp;
    int64_t idx[MaxDim] = {0};
    bool any = false, many = false; /* one lane, two lanes have touched idx */
    for (int i = first; i < first + n && i < e->t->hi; i++) {
        bool same = any;
        if (!e->mask[i])
            continue;
        for (int d = 0; d < a->nd; d++) {
            int64_t k = v[d].v ? v[d].v[i] : v[d].one;
            same = same && k == idx[d];
            idx[d] = k;
        }
        if (same && many)
            continue;
        many = same;
        any = true;
        touch(e, idx, warps, a->level == 'G' ? -1 : i);
    }
}

/* Variables that stand at a value, at the one in the key (back: at their own),
 * so that the same key gives the same index. */
static void stand(Enum *e, bool back)
{
    Eval *v = &e->t->ev;
    for (int i = 0; i < e->a->ndep; i++) {
        int64_t *k = &v->val[e->a->dep[i]];
        if (e->f->key[i] == INT64_MIN || !e->a->period[i])
            continue;
        if (!back)
            e->own[i] = *k;
        *k = back ? e->own[i] : e->f->key[i];
    }
}

static void at_leaf(Enum *e)
{
    Touches *t = e->t;
    const Acc *a = e->a;
    Vec v[MaxDim];
    int warp = t->l->m->warp;
    if (e->asking) {
        for (int i = t->lo; i < t->hi; i++)
            e->who[i] |= e->mask[i];
        return;
    }
    bool global = a->as->scope == SCglobal;
    for (int d = 0; d < a->nd; d++) {
        Ex sym = 0;
        v[d] = global ? (Vec){0} : eval(&t->ev, a->idx[d]);
        if (v[d].unknown || (global && !split_index(e, a->idx[d], &v[d], &sym)) ||
            (!global && !a->as->map && a->nd != 1)) {
            e->all = true;
            return;
        }
        if (a->ext[d] < 0 || (global && e->seen && sym != e->f->sym[d])) {
            e->all = true;
            return;
        }
        e->f->sym[d] = sym;
    }
    e->seen = true;
    for (int first = t->lo; first < t->hi && !e->all; first += a->level == 'G' ? 4 * warp : warp) {
        uint32_t warps = 1u << (first / warp % 32);
        if (a->level == 'G')
            warps |= warps << 1 | warps << 2 | warps << 3;
        warp_touches(e, v, first, warps);
    }
}

static void leaf(Enum *e)
{
    stand(e, false);
    at_leaf(e);
    stand(e, true);
}

/* Takes the threads out of the mask for which c is known to be `not`, runs
 * f, and puts them back. */
static void masked(Enum *e, Vec c, bool not, void (*f)(Enum *e, int k), int k)
{
    Touches *t = e->t;
    uint8_t *keep = anew(&t->l->p->ctx, (size_t)t->ev.n);
    memcpy(keep, e->mask, (size_t)t->ev.n);
    for (int i = 0; i < t->ev.n; i++)
        e->mask[i] = keep[i] && (c.v[i] == 2 || (c.v[i] != 0) != not);
    f(e, k);
    memcpy(e->mask, keep, (size_t)t->ev.n);
}

static void leaf_again(Enum *e, int k)
{
    (void)k;
    eval_reset(&e->t->ev);
    leaf(e);
}

/* The access itself, for the threads whose select takes it. */
static void chosen(Enum *e)
{
    if (!e->a->when) {
        leaf(e);
        return;
    }
    Vec c = eval(&e->t->ev, e->a->when);
    if (c.v)
        masked(e, c, false, leaf_again, 0);
    else if (c.unknown || c.one)
        leaf(e);
}

static void descend(Enum *e, int k);

/* Variable d of loop s and the inner ones. */
static void iterate(Enum *e, int k, int d)
{
    Touches *t = e->t;
    const Stmt *s = e->path[k]->s;
    if (d == s->loop.n) {
        descend(e, k + 1);
        return;
    }
    uint32_t var = s->loop.var[d];
    if (t->ev.has[var] || e->asking) {
        iterate(e, k, d + 1);
        return;
    }
    Vec lo = eval(&t->ev, s->loop.lo[d]), hi = eval(&t->ev, s->loop.hi[d]);
    Vec step = s->loop.step ? eval(&t->ev, s->loop.step) : (Vec){false, 1, NULL};
    bool used = false;
    for (int i = 0; i < e->a->ndep; i++)
        used |= e->a->dep[i] == var;
    bool open = lo.unknown || hi.unknown || step.unknown || lo.v || hi.v || step.v ||
                step.one == 0;
    if (open || !used) { /* not known; or once is enough */
        if (!open && (step.one > 0 ? lo.one >= hi.one : lo.one <= hi.one))
            return;
        iterate(e, k, d + 1);
        return;
    }
    int64_t last = s->loop.kind == Fvectorized ? lo.one + 1 : hi.one;
    t->ev.has[var] = 1;
    for (int64_t i = lo.one; step.one > 0 ? i < last : i > last; i += step.one) {
        if (++e->steps > MaxSteps)
            e->all = true;
        if (e->all)
            break;
        t->ev.val[var] = i;
        iterate(e, k, d + 1);
    }
    t->ev.has[var] = 0;
}

static void descend(Enum *e, int k)
{
    Touches *t = e->t;
    if (e->all)
        return;
    if (k == e->npath) {
        eval_reset(&t->ev);
        chosen(e);
        return;
    }
    const Node *n = e->path[k];
    if (n->s->kind == Sfor && n != e->a->in) {
        iterate(e, k, 0);
        return;
    }
    if (n->s->kind != Sif || n == e->a->in) {
        descend(e, k + 1);
        return;
    }
    bool els = e->path[k + 1]->els;
    Vec c = eval(&t->ev, n->s->cond.cond);
    if (!c.v) {
        if (c.one == 2 || (c.one != 0) != els)
            descend(e, k + 1);
        return;
    }
    masked(e, c, els, descend, k + 1);
}

static int by_place(const void *x, const void *y)
{
    const Cell *a = x, *b = y;
    return (a->at > b->at) - (a->at < b->at);
}

/* Everything of the buffer, by the threads that may come there. */
static void fill(Enum *e)
{
    Touches *t = e->t;
    Foot *f = e->f;
    const Buf *b = &t->l->p->buf[e->a->buf];
    int owner = -2, warp = t->l->m->warp;
    uint32_t warps = 0;
    for (int i = t->lo; i < t->hi; i++)
        if (e->who[i]) {
            owner = owner == -2 ? i : -1;
            warps |= 1u << (i / warp % 32);
        }
    f->all = true;
    if (b->scope == SCglobal)
        return;
    int64_t bytes = b->scope == SCbarrier || !b->map ? buf_bytes(t->l->p, e->a->buf)
                    : layout_extent(b->map, AXoff) * dtypeinfo[b->dt].bits / 8;
    if (owner != -2 && bytes > 0 && b->at >= 0) {
        e->all = false;
        mark(e, b->at, bytes, warps, owner);
    }
}

static void finish(Enum *e)
{
    Touches *t = e->t;
    Foot *f = e->f;
    Ctx *c = &t->l->p->ctx;
    if (e->all)
        fill(e);
    if (e->a->as->scope == SCglobal) {
        if (!f->all && e->ncell) {
            qsort(e->cell, e->ncell, sizeof *e->cell, by_place);
            int n = 0;
            for (uint32_t i = 1; i < e->ncell; i++) {
                Cell *to = &e->cell[n];
                if (e->cell[i].at != to->at) {
                    e->cell[++n] = e->cell[i];
                    continue;
                }
                to->warps |= e->cell[i].warps;
                to->owner = to->owner == e->cell[i].owner ? to->owner : -1;
            }
            f->cell = e->cell;
            f->ncell = n + 1;
        }
        return;
    }
    if (f->lo >= f->hi) {
        f->lo = f->hi = 0;
        return;
    }
    size_t n = (size_t)(f->hi - f->lo);
    f->warps = anew(c, n * sizeof *f->warps);
    f->owner = anew(c, n * sizeof *f->owner);
    memcpy(f->warps, t->sw + f->lo, n * sizeof *f->warps);
    memcpy(f->owner, t->so + f->lo, n * sizeof *f->owner);
    memset(t->sw + f->lo, 0, n * sizeof *t->sw);
    memset(t->so + f->lo, 0, n * sizeof *t->so);
}

/* Which of the block's conditions around a hold now: two bits each. */
static int64_t truths(Touches *t, const Acc *a)
{
    uint64_t bits = 1;
    if (a->when && uniform_ex(t->u, a->when)) {
        Vec c = eval(&t->ev, a->when);
        bits = c.v || c.unknown ? 3u : (uint64_t)(c.one != 0) + 1;
    }
    for (const Node *n = a->in->up; n; n = n->up) {
        if (n->s->kind != Sif || !uniform_ex(t->u, n->s->cond.cond))
            continue;
        Vec c = eval(&t->ev, n->s->cond.cond);
        bits = bits * 0x9E3779B97F4A7C15u + (c.v ? 3u : (uint64_t)c.one);
    }
    return (int64_t)bits;
}

const Foot *touch_foot(Touches *t, const Acc *a)
{
    Ctx *c = &t->l->p->ctx;
    enum { MaxKey = 64 };
    int64_t key[MaxKey];
    if (a->ndep + 1 >= MaxKey)
        diag_fail(c, E_nesting, a->s->loc, "64", NULL);
    int n = a->ndep + 1;
    for (int i = 0; i < a->ndep; i++) {
        int64_t v = t->ev.val[a->dep[i]];
        key[i] = !t->ev.has[a->dep[i]] ? INT64_MIN
                 : a->period[i]        ? ex_floormod(v, a->period[i]) : v;
    }
    key[a->ndep] = truths(t, a);
    for (Foot *f = t->foot[a->id]; f; f = f->next)
        if (memcmp(f->key, key, (size_t)n * sizeof *key) == 0)
            return f;
    Foot *f = anew(c, sizeof *f);
    f->a = a;
    f->id = ++t->nfoot;
    f->lo = INT64_MAX;
    f->key = anew(c, (size_t)n * sizeof *f->key);
    memcpy(f->key, key, (size_t)n * sizeof *key);
    f->next = t->foot[a->id];
    t->foot[a->id] = f;
    Enum e = {.t = t, .a = a, .f = f, .width = acc_width(t, a)};
    prepare(&e);
    e.piece = piece(&e);
    e.shift = __builtin_ctz((unsigned)t->grain);
    for (const Node *k = a->in; k; k = k->up)
        if (e.npath++ == (int)COUNT(e.path))
            diag_fail(c, E_nesting, a->s->loc, "64", NULL);
    int at = e.npath;
    for (const Node *k = a->in; k; k = k->up)
        e.path[--at] = k;
    e.mask = anew(c, (size_t)t->ev.n);
    memset(e.mask, 1, (size_t)t->ev.n);
    descend(&e, 0);
    if (e.all) {
        e.all = false;
        e.asking = true;
        e.who = anew(c, (size_t)t->ev.n);
        memset(e.mask, 1, (size_t)t->ev.n);
        descend(&e, 0);
        e.all = true;
    }
    finish(&e);
    return f;
}

/* Comparing ------------------------------------------------------------- */

static int cells(uint32_t wa, int32_t oa, uint32_t wb, int32_t ob)
{
    if (!wa || !wb || (oa == ob && oa > 0))
        return CFnone;
    uint32_t w = wa | wb;
    return w & (w - 1) ? CFwarps : CFlanes;
}

static int compare(Touches *t, const Foot *a, const Foot *b)
{
    int r = CFnone;
    (void)t;
    if (a->a->as->scope == SCglobal) {
        if (a->all || b->all)
            return CFwarps;
        for (int d = 0; d < a->a->nd; d++)
            if (a->a->nd != b->a->nd || a->sym[d] != b->sym[d])
                return a->a == b->a && !(a->a->mode & ACread) ? CFnone : CFwarps;
        for (int i = 0, j = 0; i < a->ncell && j < b->ncell && r < CFwarps;) {
            if (a->cell[i].at < b->cell[j].at) {
                i++;
            } else if (a->cell[i].at > b->cell[j].at) {
                j++;
            } else {
                int k = cells(a->cell[i].warps, a->cell[i].owner + 1, b->cell[j].warps,
                              b->cell[j].owner + 1);
                r = k > r ? k : r;
                i++;
                j++;
            }
        }
        return r;
    }
    int64_t lo = a->lo > b->lo ? a->lo : b->lo, hi = a->hi < b->hi ? a->hi : b->hi;
    for (int64_t c = lo; c < hi && r < CFwarps; c++) {
        int k = cells(a->warps[c - a->lo], a->owner[c - a->lo], b->warps[c - b->lo],
                      b->owner[c - b->lo]);
        r = k > r ? k : r;
    }
    return r;
}

/* Both in shared memory, or in one global buffer. */
static bool one_space(const Foot *a, const Foot *b)
{
    bool ga = a->a->as->scope == SCglobal, gb = b->a->as->scope == SCglobal;
    return ga == gb && (!ga || a->a->buf == b->a->buf);
}

bool touch_overlap(Touches *t, const Foot *a, const Foot *b)
{
    (void)t;
    if (!one_space(a, b) || a->a->as->scope == SCglobal)
        return false;
    int64_t lo = a->lo > b->lo ? a->lo : b->lo, hi = a->hi < b->hi ? a->hi : b->hi;
    for (int64_t c = lo; c < hi; c++)
        if (a->warps[c - a->lo] && b->warps[c - b->lo])
            return true;
    return false;
}

static uint64_t *find_pair(Touches *t, uint64_t key)
{
    uint32_t mask = t->cappair - 1, i = (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 40) & mask;
    while (t->pairs[i] && t->pairs[i] >> 2 != key)
        i = (i + 1) & mask;
    return &t->pairs[i];
}

static void grow_pairs(Touches *t)
{
    uint64_t *old = t->pairs;
    uint32_t n = t->cappair;
    t->cappair = n ? 2 * n : 1024;
    t->pairs = anew(&t->l->p->ctx, t->cappair * sizeof *t->pairs);
    for (uint32_t i = 0; i < n; i++)
        if (old[i])
            *find_pair(t, old[i] >> 2) = old[i];
}

int touch_conflict(Touches *t, const Foot *a, const Foot *b)
{
    int both = a->a->mode & b->a->mode, any = a->a->mode | b->a->mode;
    if (!(any & ACwrite) || both & ACatomic || !one_space(a, b))
        return CFnone;
    if (a->a->as->scope != SCglobal && (a->lo >= b->hi || b->lo >= a->hi))
        return CFnone;
    if (2 * t->npair >= t->cappair)
        grow_pairs(t);
    if (a->id > b->id) {
        const Foot *k = a;
        a = b;
        b = k;
    }
    uint64_t key = (uint64_t)(uint32_t)a->id << 31 | (uint32_t)b->id, *at = find_pair(t, key);
    if (!*at) {
        *at = key << 2 | (uint64_t)compare(t, a, b);
        t->npair++;
    }
    return (int)(*at & 3);
}
