/* core/lower/audit/cells.c: the cells of shared memory that an access touches, and by
 * whom: by looking up what each index adds to the offset. */
#include <string.h>

#include "audit.h"

/* Masks ------------------------------------------------------------------ */

const Mask *audit_mask(Audit *a, const uint8_t *on)
{
    size_t n = (size_t)a->threads;
    for (Mask *k = a->masks; k; k = k->next)
        if (memcmp(k->on, on, n) == 0)
            return k;
    Mask *k = anew(a->c, sizeof *k);
    k->on = anew(a->c, n);
    k->warp = anew(a->c, (size_t)a->warps * sizeof *k->warp);
    memcpy(k->on, on, n);
    for (int i = 0; i < a->threads; i++)
        if (on[i]) {
            k->warp[i / a->m->warp] |= (uint64_t)1 << i % a->m->warp;
            k->n++;
        }
    k->next = a->masks;
    return a->masks = k;
}

const Mask *audit_side(Audit *a, const Mask *mask, Lanes c, bool not)
{
    if (c.unknown || (!c.v && c.one == EVmaybe))
        return mask;
    for (int i = 0; i < a->threads; i++) {
        int64_t k = c.v ? c.v[i] : c.one;
        a->on[i] = mask->on[i] && (k == EVmaybe || (k != 0) != not);
    }
    return audit_mask(a, a->on);
}

/* Offsets ----------------------------------------------------------------- */

/* Are n elements of the last dimension, from each multiple of n on, side by side? */
static bool cells_runs(const Layout *m, int32_t **table, int n)
{
    int last = m->ndim - 1;
    if (m->x.bits && n > 1 << m->x.base)
        return false;
    if (m->extent[last] % n)
        return false;
    for (int d = 0; d < last; d++)
        for (int i = 0; i < m->extent[d]; i++)
            if (table[d][i] % n)
                return false;
    for (int i = 0; i < m->extent[last]; i += n)
        for (int k = 0; k < n; k++)
            if (table[last][i] % n || table[last][i + k] != table[last][i] + k)
                return false;
    return true;
}

/* What each index adds to the offset of an element; false: not known. */
static int32_t **table_of(Audit *a, uint32_t b)
{
    const Buf *u = &a->p->buf[b];
    const Layout *m = u->map;
    if (a->table[b] || !m)
        return a->table[b];
    int32_t **t = anew(a->c, ((size_t)m->ndim + 1) * sizeof *t);
    for (int d = 0; d < m->ndim; d++) {
        t[d] = anew(a->c, (size_t)m->extent[d] * sizeof **t);
        for (int i = 0; i < m->n; i++) {
            const Mode *g = &m->d[i];
            for (int k = 0; g->axis == AXoff && g->dim == d && k < m->extent[d]; k++)
                t[d][k] += k / g->weight % g->extent * g->stride;
        }
    }
    int bits = dtypeinfo[u->dt].bits, n = 8 * AuditChunk / bits;
    while (n > 1 && (m->ndim == 0 || !cells_runs(m, t, n)))
        n /= 2;
    a->run[b] = n > 1 ? n : 1;
    return a->table[b] = t;
}

/* Enumeration --------------------------------------------------------------- */

enum { MaxRounds = 1 << 14 }; /* of the loops that are one step with an access */

struct CellFound { uint32_t cell; int32_t who; int warp; };
typedef struct CellFound CellFound;

typedef struct CellEnum CellEnum;
struct CellEnum {
    Audit *a;
    AuditAccess *t;
    const Step **path; int npath; /* from what is taken as one, to the access */
    CellFound *f; uint32_t n, cap;
    int64_t ext[MaxDim];
    int rounds;            /* looked at */
    bool raw;              /* Touch.period says nothing: something else is assumed */
    bool all, open;        /* all of the buffer; of some of it */
};

static uint32_t cells_cell_of(const Audit *a, int64_t byte)
{
    int64_t k = byte / AuditChunk;
    return a->first[k] + ((uint32_t)(byte % AuditChunk) >> a->shift[k]);
}

static void mark_bytes(CellEnum *e, int64_t byte, int64_t bytes, int who, int warp)
{
    Audit *a = e->a;
    int64_t end = byte + bytes - 1;
    if (byte < 0 || end >= a->chunks * AuditChunk) {
        e->all = true;
        return;
    }
    uint32_t lo = cells_cell_of(a, byte), hi = cells_cell_of(a, end);
    for (uint32_t c = lo; c <= hi; c++) {
        a->work++;
        if (a->stamp[c] == a->serial) {
            CellFound *f = &e->f[a->stampat[c]];
            f->who = f->who == who ? who : -1;
            continue;
        }
        agrow(a->c, &e->f, &e->cap, e->n + 1, sizeof *e->f);
        a->stamp[c] = a->serial;
        a->stampat[c] = e->n;
        e->f[e->n++] = (CellFound){c, who, warp};
    }
}

/* n elements of a row from at on. */
static void cells_row(CellEnum *e, const int64_t *at, int64_t n, int who, int warp)
{
    const Buf *u = &e->a->p->buf[e->t->buf];
    int64_t bits = u->scope == SCbarrier ? 64 : dtypeinfo[u->dt].bits, off = at[0];
    if (u->map) {
        off = 0;
        for (int d = 0; d < e->t->nd; d++)
            off += e->a->table[e->t->buf][d][at[d]];
        off = layout_xor(u->map, off);
    }
    mark_bytes(e, u->at + (off * bits >> 3), ((off * bits & 7) + n * bits + 7) / 8, who, warp);
}

/* The elements of a row from at on, in pieces that lie side by side; at is as before. */
static void cells_strip(CellEnum *e, int64_t *at, int who, int warp)
{
    const AuditAccess *t = e->t;
    int last = t->nd - 1;
    int64_t r = e->a->p->buf[t->buf].map ? e->a->run[t->buf] : 1, from = at[last], n;
    for (int64_t k = 0; k < e->ext[last] && !e->all; k += n) {
        int64_t to, rest = e->ext[last] - k;
        at[last] = from + k;
        to = r - at[last] % r;
        n = to < rest ? to : rest;
        cells_row(e, at, n, who, warp);
    }
    at[last] = from;
}

/* The box from idx on, which is as before. */
static void cells_box(CellEnum *e, int64_t *idx, int who, int warp)
{
    const Layout *m = e->a->p->buf[e->t->buf].map;
    int64_t k[MaxDim] = {0};
    int last = e->t->nd - 1, d = last;
    for (int i = 0; i <= last; i++) {
        int64_t most = m ? m->extent[i] : INT32_MAX;
        if (idx[i] < 0 || e->ext[i] > most || idx[i] > most - e->ext[i]) {
            e->all = true;
            return;
        }
    }
    if (last < 0) {
        cells_row(e, idx, 1, who, warp);
        return;
    }
    do {
        cells_strip(e, idx, who, warp);
        for (d = last - 1; d >= 0; d--) {
            idx[d]++;
            if (++k[d] < e->ext[d])
                break;
            idx[d] -= k[d];
            k[d] = 0;
        }
    } while (d >= 0 && !e->all);
}

/* The address of each lane; of a warp group, that of its first. */
static void cells_lanes(CellEnum *e, const Lanes *v, const Mask *mask)
{
    Audit *a = e->a;
    bool group = e->t->level == 'G' && a->m->group;
    int unit = group ? a->m->warp * a->m->group : a->m->warp;
    int n = e->t->lanes && e->t->lanes < unit ? e->t->lanes : unit;
    int64_t idx[MaxDim] = {0};
    const int64_t *own[MaxDim]; /* the indices that lanes have their own of */
    int dim[MaxDim], nown = 0;
    for (int d = 0; d < e->t->nd; d++) {
        idx[d] = v[d].v ? 0 : v[d].one;
        if (v[d].v) {
            own[nown] = v[d].v;
            dim[nown++] = d;
        }
    }
    for (int first = 0; first < a->threads; first += unit) {
        int same = 0; /* lanes that have touched idx */
        a->serial++;
        for (int i = first; i < first + n && i < a->threads && !e->all; i++) {
            bool new = same == 0;
            if (!mask->on[i])
                continue;
            for (int k = 0; k < nown; k++) {
                new |= own[k][i] != idx[dim[k]];
                idx[dim[k]] = own[k][i];
            }
            same = new ? 1 : same + 1;
            if (same <= 2) /* a third one adds nothing */
                cells_box(e, idx, group ? -1 : i, first / a->m->warp);
            if (group)
                break;
        }
    }
}

/* Who of warp w comes; -1: several. */
static int cells_who(const Audit *a, const Mask *mask, int w)
{
    uint64_t on = mask->warp[w];
    return on && !(on & (on - 1)) ? w * a->m->warp + __builtin_ctzll(on) : -1;
}

/* Does what level t has come here by warp w? */
static bool cells_comes(const CellEnum *e, const Mask *mask, int w)
{
    const Machine *m = e->a->m;
    return mask->warp[w] && !(e->t->level == 'G' && m->group && w % m->group);
}

/* Some index is not known: all that it can be, with those that lanes have their own of; the
 * others, among them the stages of pipelines, say where that is. */
static void cells_span(CellEnum *e, const Lanes *v, const Mask *mask)
{
    Audit *a = e->a;
    const Layout *m = a->p->buf[e->t->buf].map;
    int64_t idx[MaxDim], ext[MaxDim];
    memcpy(ext, e->ext, sizeof ext);
    for (int d = 0; d < e->t->nd; d++) {
        bool known = !v[d].v && !v[d].unknown && ext[d] >= 0;
        idx[d] = known ? v[d].one : 0;
        e->ext[d] = known ? ext[d] : m->extent[d];
    }
    for (int w = 0; w < a->warps && !e->all; w++) {
        a->serial++;
        if (cells_comes(e, mask, w))
            cells_box(e, idx, cells_who(a, mask, w), w);
    }
    memcpy(e->ext, ext, sizeof ext);
}

static void cells_leaf(CellEnum *e, const Mask *mask)
{
    Audit *a = e->a;
    const AuditAccess *t = e->t;
    Lanes v[MaxDim];
    bool open = false;
    for (uint32_t i = 0; i < t->nif; i++)
        mask = audit_side(a, mask, eval(&a->ev, a->cond[t->if0 + i].e), a->cond[t->if0 + i].not);
    for (int d = 0; d < t->nd; d++) {
        v[d] = t->idx[d] ? eval(&a->ev, t->idx[d]) : (Lanes){true, 0, NULL};
        open |= v[d].unknown || t->ext[d] < 0;
    }
    e->open |= open;
    e->all |= open && !a->p->buf[t->buf].map; /* an mbarrier's: any of them */
    if (open && !e->all)
        cells_span(e, v, mask);
    else if (!e->all)
        cells_lanes(e, v, mask);
}

static void cells_descend(CellEnum *e, int i, const Mask *mask);

/* After how many steps of var what t touches repeats; 0: not known. */
static int64_t cells_repeats(const CellEnum *e, uint32_t var)
{
    const AuditAccess *t = e->t;
    for (uint32_t i = 0; i < t->ndep; i++)
        if (t->dep[i] == var)
            return e->raw ? 0 : t->period[i];
    return 1;
}

/* The rounds of a loop inside, until they repeat; vectors are wide instead, where they
 * can be. */
static void cells_rounds(CellEnum *e, int i, int d, const Mask *mask)
{
    Audit *a = e->a;
    const Stmt *s = e->path[i]->s;
    int64_t lo, hi, by = 1;
    if (d == s->loop.n) {
        cells_descend(e, i + 1, mask);
        return;
    }
    eval_reset(&a->ev);
    if (!eval_one(&a->ev, s->loop.lo[d], &lo) || !eval_one(&a->ev, s->loop.hi[d], &hi) ||
        (s->loop.step && (!eval_one(&a->ev, s->loop.step, &by) || by == 0))) {
        cells_rounds(e, i, d + 1, mask); /* its variable is not known */
        return;
    }
    int64_t new = cells_repeats(e, s->loop.var[d]);
    if (s->loop.kind == Fvectorized && audit_vector(a, e->path[e->npath - 1], e->path[i], e->t))
        new = 1;
    for (int64_t k = lo, n = 0; (by > 0 ? k < hi : k > hi) && (!new || n < new) && !e->all;
         k += by, n++) {
        if (++e->rounds > MaxRounds)
            e->all = true;
        eval_bind(&a->ev, s->loop.var[d], k);
        cells_rounds(e, i, d + 1, mask);
    }
    eval_free(&a->ev, s->loop.var[d]);
}

static void cells_descend(CellEnum *e, int i, const Mask *mask)
{
    if (e->all || mask->n == 0)
        return;
    eval_reset(&e->a->ev);
    if (i == e->npath) {
        cells_leaf(e, mask);
        return;
    }
    const Step *k = e->path[i];
    if (k->s->kind == Sfor) {
        cells_rounds(e, i, 0, mask);
    } else if (k->s->kind == Sif) {
        bool els = false;
        const Step *in = i + 1 < e->npath ? e->path[i + 1] : NULL;
        for (const Step *c = k->child[1]; c && in; c = c->next)
            els |= c == in;
        cells_descend(e, i + 1, audit_side(e->a, mask, eval(&e->a->ev, k->s->cond.cond), els));
    } else {
        cells_descend(e, i + 1, mask);
    }
}

/* All of the buffer, by all that may come there. */
static void mark_buffer(CellEnum *e, const Mask *mask)
{
    Audit *a = e->a;
    uint32_t root = buf_root(a->p, e->t->buf);
    int64_t at = a->p->buf[root].at, bytes = audit_bytes(a, root);
    e->n = 0;
    e->all = false;
    for (int w = 0; w < a->warps; w++) {
        a->serial++;
        if (cells_comes(e, mask, w))
            mark_bytes(e, at, bytes, cells_who(a, mask, w), w);
    }
}

/* By warps. */
static void audit_cells_sort(const CellEnum *e, Cells *c)
{
    Audit *a = e->a;
    uint32_t *at = anew(a->c, ((size_t)a->warps + 2) * sizeof *at);
    c->m = anew(a->c, ((size_t)e->n + 1) * sizeof *c->m);
    for (uint32_t i = 0; i < e->n; i++)
        at[e->f[i].warp + 2]++;
    for (int w = 2; w <= a->warps; w++)
        at[w] += at[w - 1];
    for (uint32_t i = 0; i < e->n; i++)
        c->m[at[e->f[i].warp + 1]++] = (AuditMark){e->f[i].cell, e->f[i].who};
    c->from = at;
}

static void cells_find_path(CellEnum *e, const Step *in, const Step *at)
{
    int n = 0;
    for (const Step *k = at; k; k = k == in ? NULL : k->up)
        n++;
    e->path = anew(e->a->c, ((size_t)n + 1) * sizeof *e->path);
    e->npath = n;
    for (const Step *k = at; k; k = k == in ? NULL : k->up)
        e->path[--n] = k;
}

typedef struct Assumed Assumed;
struct Assumed { Eval *v; bool any; };

static void is_assumed(void *ud, Ex e)
{
    Assumed *k = ud;
    k->any |= e && eval_assumes(k->v, e, -1);
}

/* Is something of t assumed?  Its period was found without. */
static bool cells_assumed(Audit *a, AuditAccess *t, const Step *in, const Step *at)
{
    if (t->since != a->ev.givens) {
        Assumed k = {&a->ev, false};
        audit_each(a, at, in, t, is_assumed, &k);
        t->assumed = k.any;
        t->since = a->ev.givens;
    }
    return t->assumed || (t->changes && a->ev.ngiven);
}

/* What is assumed of open values is nothing that periods know of. */
static void cells_key_of(const Audit *a, const AuditAccess *t, bool raw, int64_t *key)
{
    for (uint32_t i = 0; i < t->ndep; i++) {
        const Bound *b = eval_bound(&a->ev, t->dep[i]) ? &a->ev.var[t->dep[i]] : NULL;
        int64_t m = raw ? 0 : t->period[i];
        key[2 * i] = b != NULL;
        key[2 * i + 1] = !b ? 0 : m ? (b->val % m + m) % m : b->val;
    }
}

Cells *audit_cells(Audit *a, AuditAccess *t, const Step *in, const Step *at, const Mask *mask,
                   int part)
{
    size_t n = 2 * (size_t)t->ndep;
    bool raw = cells_assumed(a, t, in, at);
    int64_t trips = raw ? a->trial.trips : -1;
    agrow(a->c, &a->key, &a->capkey, (uint32_t)n + 1, sizeof *a->key);
    cells_key_of(a, t, raw, a->key);
    for (Cells *c = t->changes ? NULL : t->cells; c; c = c->next)
        if (c->mask == mask && c->trips == trips && c->part == part &&
            memcmp(c->key, a->key, n * sizeof *a->key) == 0)
            return c;
    const Buf *u = &a->p->buf[t->buf];
    CellEnum e = {.a = a, .t = t, .raw = raw, .f = a->found, .cap = a->capfound};
    Cells *c = anew(a->c, sizeof *c);
    *c = (Cells){.mask = mask, .trips = trips, .part = part, .next = t->cells};
    c->key = anew(a->c, (n + 1) * sizeof *c->key);
    memcpy(c->key, a->key, n * sizeof *c->key);
    t->cells = c;
    for (int d = 0; d < t->nd; d++)
        e.ext[d] = t->ext[d];
    if (t->nd)
        e.ext[t->nd - 1] *= audit_width(a, at, t);
    if (u->scope == SCbarrier)
        e.all = t->nd != 1;
    else
        e.all = !u->map || u->map->ndim != t->nd || !table_of(a, t->buf);
    cells_find_path(&e, in, at);
    if (part)
        eval_bind(&a->ev, a->launch->launch.block[0], part - 1);
    cells_descend(&e, 0, mask);
    if (part)
        eval_free(&a->ev, a->launch->launch.block[0]);
    c->open = e.all || e.open;
    if (e.all)
        mark_buffer(&e, mask);
    audit_cells_sort(&e, c);
    a->found = e.f;
    a->capfound = e.cap;
    return c;
}
