/* core/lower/sync/footprint.c: the bytes that an access touches, by enumeration of the
 * threads and of the loops that run, and whether two such footprints conflict.
 *
 * An address that cannot be evaluated touches all of its buffer. */
#include <stdlib.h>
#include <string.h>

#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "sync.h"

enum {
    MaxSteps = 1 << 14,    /* situations of one access that are looked at */
    MaxElements = 1 << 16, /* of a global buffer */
    MaxGlobal = 64         /* rounds of a loop, of an access to a global buffer: terms do for more */
};

/* Enumeration ----------------------------------------------------------- */

/* (index >> shift) & mask, or / weight % extent, times stride. */
typedef struct ModeCut ModeCut;
struct ModeCut { uint8_t dim; int8_t shift; int64_t mask; int32_t weight, extent, stride; };

typedef struct FootprintEnum FootprintEnum;
struct FootprintEnum {
    AccessSet *t;
    const SyncAccess *a;
    Footprint *f;
    const Node **path;
    int npath, steps;
    int times;             /* steps that one stands for, since loops around are widths */
    int8_t *wide;          /* of each of SyncAccess.dep: see wide_in(); 0: not asked yet */
    uint8_t **keep; int depth; /* masks of the conditions around */
    uint8_t *mask;         /* of each thread: may execute it */
    int64_t ext[MaxDim];   /* elements that one thread takes at once */
    ModeCut mode[LayModes];
    int nmode;
    int64_t run;           /* elements of a row that lie together, if they begin at a multiple */
    int shift;             /* of bytes to cells */
    bool all;
    bool cut;              /* all, since there is too much to look at */
    bool asking;           /* only who may execute it */
    uint8_t *who;
    uint32_t ncell;        /* in t->cell */
};

/* Elements from the buffer's beginning; barriers have no layout. */
static int64_t footprint_offset(const FootprintEnum *e, const int64_t *idx)
{
    const Layout *m = e->a->as->map;
    int64_t sum = 0;
    if (!m)
        return idx[0];
    for (int i = 0; i < e->nmode; i++) {
        const ModeCut *g = &e->mode[i];
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

static void footprint_mark(FootprintEnum *e, int64_t byte, int64_t bytes, uint32_t warps, int owner)
{
    AccessSet *t = e->t;
    int64_t lo = byte >> e->shift, hi = ((byte + bytes - 1) >> e->shift) + 1;
    if (byte < 0 || hi > t->arena) {
        e->all = true;
        return;
    }
    Footprint *f = e->f;
    f->lo = lo < f->lo ? lo : f->lo;
    f->hi = hi > f->hi ? hi : f->hi;
    if (hi == lo + 1 && t->sw[lo] == warps && (t->so[lo] == -1 || t->so[lo] == owner + 1))
        return;
    for (int64_t c = lo; c < hi; c++) { /* owners count from 1; 0: nobody yet */
        t->so[c] = t->sw[c] == 0 ? owner + 1 : t->so[c] == owner + 1 && owner >= 0 ? t->so[c] : -1;
        t->sw[c] |= warps;
    }
}

/* Elements that one thread takes at once. */
static int64_t row_width(const FootprintEnum *e)
{
    return e->a->nd && e->ext[e->a->nd - 1] > 1 ? e->ext[e->a->nd - 1] : 1;
}

/* The elements of a row from at on that one thread takes at once, as one cell. */
static void footprint_note(FootprintEnum *e, const int64_t *at, uint32_t warps, int owner)
{
    AccessSet *t = e->t;
    Ctx *c = &t->l->p->ctx;
    uint32_t nd = e->a->nd, n = e->ncell;
    if ((n + 1) * row_width(e) > MaxElements) {
        e->all = e->cut = true;
        return;
    }
    agrow(c, &t->cell, &t->capcell, n + 1, sizeof *t->cell);
    agrow(c, &t->cellidx, &t->capidx, (n + 1) * nd + 1, sizeof *t->cellidx);
    memcpy(t->cellidx + (size_t)n * nd, at, nd * sizeof *at);
    t->cell[e->ncell++] = (BucketCell){0, n, warps, owner + 1};
}

/* How many elements of a row lie side by side, from each multiple of that on. */
static int64_t row_run(const SyncAccess *a)
{
    const Layout *m = a->as->map;
    int64_t n = 1;
    if (a->as->scope == SCglobal || !m || !a->nd)
        return 1;
    for (int i = 0; i < m->n; i++) {
        const Mode *g = &m->d[i];
        if (g->axis == AXoff && g->dim == a->nd - 1 && g->weight == n && g->stride == n)
            n *= g->extent;
    }
    while (m->x.bits && n > 1) {
        bool whole = n <= (int64_t)1 << m->x.base && (n & (n - 1)) == 0;
        for (int i = 0; i < m->n && whole; i++)
            whole = m->d[i].axis != AXoff || m->d[i].stride < n || m->d[i].stride % n == 0;
        if (whole)
            break;
        n = (n & (n - 1)) ? n & -n : n / 2;
    }
    return n;
}

/* n elements of a row from at on. */
static void access_row(FootprintEnum *e, const int64_t *at, int64_t n, uint32_t warps, int owner)
{
    const SyncAccess *a = e->a;
    int64_t bits = a->as->scope == SCbarrier ? 64 : acc_bits(a),
            bit = footprint_offset(e, at) * bits;
    footprint_mark(e, a->as->at + (bit >> 3), ((bit & 7) + n * bits + 7) / 8, warps, owner);
}

/* The elements from idx on, ext of them in each dimension. */
static void footprint_elements(FootprintEnum *e, const int64_t *idx, uint32_t warps, int owner)
{
    const SyncAccess *a = e->a;
    int last = a->nd - 1, d = last;
    int64_t at[MaxDim], k[MaxDim] = {0}, n = 1;
    bool global = a->as->scope == SCglobal;
    do {
        for (int i = 0; i <= last; i++)
            at[i] = idx[i] + k[i];
        if (last >= 0) {
            int64_t to = e->run - ex_floormod(at[last], e->run), rest = e->ext[last] - k[last];
            n = global || rest < to ? rest : to;
        }
        if (global)
            footprint_note(e, at, warps, owner);
        else
            access_row(e, at, n, warps, owner);
        for (d = last; d >= 0; d--) {
            k[d] += d == last ? n : 1;
            if (k[d] < e->ext[d])
                break;
            k[d] = 0;
        }
    } while (d >= 0 && !e->all);
}

/* The modes of the access's layout, made for speed: powers of two by shifts. */
static void prepare_modes(FootprintEnum *e)
{
    const Layout *m = e->a->as->map;
    for (int i = 0; m && i < m->n; i++) {
        const Mode *g = &m->d[i];
        bool top = (int64_t)g->weight * g->extent >= m->extent[g->dim];
        bool two = (g->weight & (g->weight - 1)) == 0 && (g->extent & (g->extent - 1)) == 0;
        if (g->axis != AXoff)
            continue;
        e->mode[e->nmode++] =
            (ModeCut){g->dim, two ? (int8_t)__builtin_ctz((unsigned)g->weight) : (int8_t)-1,
                      top ? -1 : g->extent - 1, g->weight, top ? 0 : g->extent, g->stride};
    }
    for (int d = 0; d < e->a->nd; d++)
        e->ext[d] = e->a->ext[d];
    if (e->a->nd)
        e->ext[e->a->nd - 1] *= acc_width(e->t, e->a);
    e->run = row_run(e->a);
    e->shift = __builtin_ctz((unsigned)e->t->grain);
}

/* One warp, or one warp group: its first thread speaks for it. */
static void warp_accesses(FootprintEnum *e, const Lanes *v, int first, uint32_t warps)
{
    const SyncAccess *a = e->a;
    int n = a->level == 'G' ? 1 : a->lanes ? a->lanes : e->t->l->m->warp;
    int64_t idx[MaxDim] = {0};
    const int64_t *own[MaxDim]; /* the indices that lanes have their own of */
    int dim[MaxDim], nown = 0;
    bool any = false, many = false; /* one lane, two lanes have touched idx */
    for (int d = 0; d < a->nd; d++) {
        idx[d] = v[d].v ? 0 : v[d].one;
        if (v[d].v) {
            own[nown] = v[d].v;
            dim[nown++] = d;
        }
    }
    for (int i = first; i < first + n && i < e->t->hi; i++) {
        bool same = any;
        if (i < e->t->lo || !e->mask[i])
            continue;
        for (int k = 0; k < nown; k++) {
            same = same && own[k][i] == idx[dim[k]];
            idx[dim[k]] = own[k][i];
        }
        if (same && many)
            continue;
        many = same;
        any = true;
        footprint_elements(e, idx, warps, a->level == 'G' ? -1 : i);
    }
}

static void at_leaf(FootprintEnum *e)
{
    AccessSet *t = e->t;
    const SyncAccess *a = e->a;
    Lanes v[MaxDim];
    int warp = t->l->m->warp;
    if (e->asking) {
        for (int i = t->lo; i < t->hi; i++)
            e->who[i] |= e->mask[i];
        return;
    }
    bool global = a->as->scope == SCglobal;
    for (int d = 0; d < a->nd; d++) {
        if (global && !global_index(t, e->f, a->idx[d], d, &v[d]))
            e->all = true;
        else if (!global)
            v[d] = eval(&t->ev, a->idx[d]);
        if (e->all || v[d].unknown || a->ext[d] < 0 || (!global && !a->as->map && a->nd != 1)) {
            e->all = true;
            return;
        }
    }
    int from = t->lo - t->lo % warp; /* a role may begin within a warp */
    for (int first = from; first < t->hi && !e->all; first += a->level == 'G' ? 4 * warp : warp) {
        uint32_t warps = 1u << (first / warp % 32);
        if (a->level == 'G')
            warps |= warps << 1 | warps << 2 | warps << 3;
        warp_accesses(e, v, first, warps);
    }
}

/* Takes the threads out of the mask for which c is known to be `not`, runs
 * f, and puts them back. */
static void footprint_masked(FootprintEnum *e, Lanes c, bool not,
                             void (*f)(FootprintEnum *e, int k), int k)
{
    int n = e->t->ev.n;
    uint8_t *keep = e->keep[e->depth];
    if (!keep)
        keep = e->keep[e->depth] = anew(&e->t->l->p->ctx, (size_t)n);
    e->depth++;
    memcpy(keep, e->mask, (size_t)n);
    for (int i = 0; i < n; i++)
        e->mask[i] = keep[i] && (c.v[i] == EVmaybe || (c.v[i] != 0) != not);
    f(e, k);
    e->depth--;
    memcpy(e->mask, keep, (size_t)n);
}

static void footprint_leaf(FootprintEnum *e, int k)
{
    (void)k;
    eval_reset(&e->t->ev);
    at_leaf(e);
}

/* The access itself, for the threads whose select takes it. */
static void footprint_chosen(FootprintEnum *e)
{
    Lanes c = e->a->when ? eval(&e->t->ev, e->a->when) : (Lanes){false, 1, NULL};
    if (c.v)
        footprint_masked(e, c, false, footprint_leaf, 0);
    else if (c.one)
        footprint_leaf(e, 0);
}

/* Is everything that c is made of bound, and has it one truth in the threads that are here, which
 * is then *truth?  Threads of other roles may have another one. */
static bool footprint_settled(AccessSet *t, const SyncAccess *a, const SyncCond *c, int64_t *truth)
{
    if (!c->truth)
        return false;
    for (int i = 0; i < a->ndep; i++)
        if (c->period[i] != 1 && !eval_bound(&t->ev, a->dep[i]))
            return false;
    Lanes is = eval(&t->ev, c->e);
    *truth = is.unknown ? EVmaybe : is.v ? is.v[t->lo] : is.one;
    for (int k = t->lo + 1; is.v && k < t->hi; k++)
        if (is.v[k] != *truth)
            return false;
    return true;
}

/* After how many steps of dep[i] all repeats that the key does not tell by itself. */
static int64_t repeat_steps(AccessSet *t, const SyncAccess *a, int i)
{
    int64_t all = a->period[i], truth;
    for (int k = 0; k < a->ncond && all; k++)
        if (!footprint_settled(t, a, &a->cond[k], &truth))
            all = eval_lcm(all, a->cond[k].period[i]);
    return all;
}

static void footprint_descend(FootprintEnum *e, int k);
static void footprint_iterate(FootprintEnum *e, int k, int d);

/* The number of var among what a depends on, or -1. */
static int dep_of(const SyncAccess *a, uint32_t var)
{
    for (int i = 0; i < a->ndep; i++)
        if (a->dep[i] == var)
            return i;
    return -1;
}

/* The rounds of variable d of the loop at k: lo, lo + step, ... before hi.  Where they
 * are not known, what the variable can be at all.  False: that is not known either. */
static bool loop_rounds(FootprintEnum *e, const Stmt *s, int d, int64_t *lo, int64_t *hi,
                        int64_t *step)
{
    Eval *v = &e->t->ev;
    const Var *x = &e->t->l->p->var[s->loop.var[d]];
    *step = 1;
    if (eval_one(v, s->loop.lo[d], lo) && eval_one(v, s->loop.hi[d], hi) &&
        (!s->loop.step || (eval_one(v, s->loop.step, step) && *step != 0)))
        return true;
    if (x->lo <= INT32_MIN || x->hi >= INT32_MAX)
        return false;
    *lo = x->lo;
    *hi = x->hi + 1;
    *step = 1;
    return true;
}

/* The dimension in which dep[i]'s rounds, one apart, lie side by side, where it decides
 * nothing else of a; or -1. */
static int side_of(const AccessSet *t, const SyncAccess *a, int i)
{
    const Prog *p = t->l->p;
    int at = -1;
    if (a->as->scope == SCglobal || !a->as->map)
        return -1;
    for (int k = 0; k < a->ncond; k++)
        if (eval_depends(p, a->cond[k].e, a->dep[i]))
            return -1;
    for (int d = 0; d < a->nd; d++) {
        if (!eval_depends(p, a->idx[d], a->dep[i]))
            continue;
        if (at >= 0 || !eval_counts(p, a->idx[d], a->dep[i]))
            return -1;
        at = d;
    }
    return at;
}

/* side_of(), asked once. */
static int wide_in(FootprintEnum *e, int i)
{
    if (!e->wide[i])
        e->wide[i] = (int8_t)(side_of(e->t, e->a, i) + 2);
    return e->wide[i] - 2;
}

/* n rounds of a loop, its variable at the first, as one that takes more of dimension d. */
static void footprint_widened(FootprintEnum *e, int64_t n, int side, int k, int d)
{
    int times = e->times;
    e->ext[side] += n - 1;
    e->times *= (int)n;
    footprint_iterate(e, k, d + 1);
    e->times = times;
    e->ext[side] -= n - 1;
}

/* Variable d of the loop at k and the inner ones. */
static void footprint_iterate(FootprintEnum *e, int k, int d)
{
    Eval *v = &e->t->ev;
    const Stmt *s = e->path[k]->s;
    int64_t lo, hi, step;
    if (d == s->loop.n) {
        footprint_descend(e, k + 1);
        return;
    }
    uint32_t var = s->loop.var[d];
    if (eval_bound(v, var) || e->asking) {
        footprint_iterate(e, k, d + 1);
        return;
    }
    bool known = loop_rounds(e, s, d, &lo, &hi, &step);
    if (known && (step > 0 ? lo >= hi : lo <= hi))
        return;
    bool far = known && e->a->as->scope == SCglobal && (hi - lo) / step > MaxGlobal;
    int dep = dep_of(e->a, var);
    if (!known || far || dep < 0) { /* once is enough, or as a term */
        footprint_iterate(e, k, d + 1);
        return;
    }
    if (s->loop.kind == Fvectorized && acc_vector(e->t, e->a, s))
        hi = lo + 1;
    int64_t new = repeat_steps(e->t, e->a, dep); /* rounds until all is as in the first */
    int64_t count = step != 1 ? 0 : !new || new > hi - lo ? hi - lo : new;
    if (count > 1 && count <= MaxSteps && wide_in(e, dep) >= 0) {
        e->steps += (int)count * e->times;
        e->all |= e->steps > MaxSteps;
        e->cut |= e->steps > MaxSteps;
        eval_bind(v, var, lo);
        if (!e->all)
            footprint_widened(e, count, wide_in(e, dep), k, d);
        eval_free(v, var);
        return;
    }
    for (int64_t i = lo, n = 0; (step > 0 ? i < hi : i > hi) && (!new || n < new); i += step, n++) {
        if ((e->steps += e->times) > MaxSteps)
            e->all = e->cut = true;
        if (e->all)
            break;
        eval_bind(v, var, i);
        footprint_iterate(e, k, d + 1);
    }
    eval_free(v, var);
}

static void footprint_descend(FootprintEnum *e, int k)
{
    AccessSet *t = e->t;
    if (e->all)
        return;
    eval_reset(&t->ev);
    if (k == e->npath) {
        footprint_chosen(e);
        return;
    }
    const Node *n = e->path[k];
    if (n->s->kind == Sfor && n != e->a->in) {
        footprint_iterate(e, k, 0);
        return;
    }
    if (n->s->kind != Sif || n == e->a->in) {
        footprint_descend(e, k + 1);
        return;
    }
    bool els = e->path[k + 1]->els;
    Lanes c = eval(&t->ev, n->s->cond.cond);
    if (c.v)
        footprint_masked(e, c, els, footprint_descend, k + 1);
    else if (c.one == EVmaybe || (c.one != 0) != els)
        footprint_descend(e, k + 1);
}

/* Everything of the buffer, by the threads that may come there. */
static void whole_buffer_bytes(FootprintEnum *e)
{
    AccessSet *t = e->t;
    Footprint *f = e->f;
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
    bool placed = bytes > 0 && b->at >= 0;
    e->all = false;
    if (owner != -2)
        footprint_mark(e, placed ? b->at : 0, placed ? bytes : (t->arena - 1) * t->grain, warps,
                       owner);
}

static void footprint_finish(FootprintEnum *e)
{
    Footprint *f = e->f;
    if (e->all)
        whole_buffer_bytes(e);
    if (f->all)
        e->ncell = 0;
    if (e->a->as->scope != SCglobal && f->lo >= f->hi)
        f->lo = f->hi = 0;
}

/* Keys ------------------------------------------------------------------ */

/* Must dep[i], which is known modulo m, run through all that it can be? */
static bool footprint_runs(const AccessSet *t, const SyncAccess *a, int i)
{
    const Bound *b = &t->ev.var[a->dep[i]];
    return a->as->scope == SCglobal || a->period[i] == 0 || b->mod % a->period[i] != 0;
}

/* Two numbers for each loop variable, one for each condition: equal keys, equal bytes.
 * A variable runs: 0; stands at a value, or at one of those between which nothing
 * changes: 1 and that; is known modulo m: 1 + m and the residue. */
static int footprint_key_of(AccessSet *t, const SyncAccess *a, int64_t *key)
{
    int n = 0;
    for (int i = 0; i < a->ndep; i++) {
        int how = eval_bound(&t->ev, a->dep[i]);
        if (how == EBfree || (how == EBresidue && footprint_runs(t, a, i))) {
            key[n++] = 0;
            key[n++] = 0;
            continue;
        }
        const Bound *b = &t->ev.var[a->dep[i]];
        int64_t m = repeat_steps(t, a, i);
        bool exact = how == EBvalue || (m && b->mod % m == 0);
        key[n++] = exact ? 1 : 1 + b->mod;
        key[n++] = exact && m ? ex_floormod(b->val, m) : b->val;
    }
    for (int k = 0; k < a->ncond; k++) {
        int64_t truth;
        key[n++] = footprint_settled(t, a, &a->cond[k], &truth) ? truth : -1;
    }
    return n;
}

/* From the outermost statement around to the access. */
static void footprint_find_path(FootprintEnum *e)
{
    int n = 0;
    for (const Node *k = e->a->in; k; k = k->up)
        n++;
    e->npath = n;
    e->path = anew(&e->t->l->p->ctx, (size_t)n * sizeof *e->path);
    e->keep = anew(&e->t->l->p->ctx, ((size_t)n + 1) * sizeof *e->keep);
    for (const Node *k = e->a->in; k; k = k->up)
        e->path[--n] = k;
}

static void footprint_enumerate(FootprintEnum *e)
{
    Ctx *c = &e->t->l->p->ctx;
    size_t n = (size_t)e->t->ev.n;
    footprint_find_path(e);
    e->times = 1;
    e->wide = anew(c, (size_t)e->a->ndep + 1);
    e->mask = anew(c, n);
    memset(e->mask, 1, n);
    footprint_descend(e, 0);
    if (e->all) { /* who may come there at all */
        e->all = false;
        e->asking = true;
        e->who = anew(c, n);
        memset(e->mask, 1, n);
        footprint_descend(e, 0);
        e->all = true;
    }
    footprint_finish(e);
}

static KnownFootprints *new_known(AccessSet *t, const SyncAccess *a, int nkey)
{
    Ctx *c = &t->l->p->ctx;
    KnownFootprints *k = anew(c, sizeof *k);
    k->key = anew(c, ((size_t)nkey + 1) * sizeof *k->key);
    memcpy(k->key, t->key, (size_t)nkey * sizeof *k->key);
    k->next = t->known[a->id];
    t->known[a->id] = k;
    return k;
}

const Footprint *access_footprint(AccessSet *t, const SyncAccess *a)
{
    Ctx *c = &t->l->p->ctx;
    agrow(c, &t->key, &t->capkey, (uint32_t)(2 * a->ndep + a->ncond + 1), sizeof *t->key);
    eval_reset(&t->ev);
    int n = footprint_key_of(t, a, t->key);
    for (KnownFootprints *k = t->known[a->id]; k; k = k->next)
        if (memcmp(k->key, t->key, (size_t)n * sizeof *t->key) == 0)
            return k->footprint;
    KnownFootprints *k = new_known(t, a, n);
    Footprint f = {.a = a, .lo = INT64_MAX, .key = k->key};
    FootprintEnum e = {.t = t, .a = a, .f = &f};
    Bound *own = anew(c, ((size_t)a->ndep + 1) * sizeof *own);
    for (int i = 0; i < a->ndep; i++) {
        own[i] = eval_bound(&t->ev, a->dep[i]) ? t->ev.var[a->dep[i]] : (Bound){EBfree, 0, 0};
        if (own[i].how == EBresidue && footprint_runs(t, a, i))
            eval_free(&t->ev, a->dep[i]);
    }
    prepare_modes(&e);
    footprint_enumerate(&e);
    t->acc[a - t->acc].cut |= e.cut;
    for (int i = 0; i < a->ndep; i++)
        if (own[i].how == EBresidue)
            eval_residue(&t->ev, a->dep[i], own[i].val, own[i].mod);
    return k->footprint = footprint_keep(t, &f, e.ncell, row_width(&e));
}

bool footprint_empty(const Footprint *f)
{
    return f->a->as->scope == SCglobal ? !f->all && !f->print : f->lo >= f->hi;
}
