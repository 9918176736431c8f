/* core/lower/sync_touch.c: the accesses of a thread program to memory that
 * threads share, and the bytes that each touches, by enumeration.
 *
 * What an operation touches is its row in ops.h; what a load or store does is
 * its index and its buffer's layout.  An address that cannot be evaluated
 * touches all of its buffer. */
#include <stdlib.h>
#include <string.h>

#include "../walk.h"
#include "sync.h"

enum { MaxSteps = 1 << 14, MaxElements = 1 << 16, ChunkBytes = 16, BarrierBytes = 8 };

/* Gathering ----------------------------------------------------------------- */

typedef struct Gather Gather;
struct Gather {
    Touches *t;
    Node *at;
};

static bool shared_space(const Prog *p, uint32_t buf)
{
    int sc = p->buf[buf].scope;
    return sc == SCshared || sc == SCbarrier;
}

static Acc *add(Gather *g, uint32_t buf, int mode, const Ex *idx)
{
    Touches *t = g->t;
    Prog *p = t->l->p;
    if (!buf || (!shared_space(p, buf) && p->buf[buf].scope != SCglobal))
        return NULL;
    agrow(&p->ctx, &t->acc, &t->cap, t->n + 1, sizeof *t->acc);
    Acc *a = &t->acc[t->n];
    *a = (Acc){.s = g->at->s, .in = g->at, .mode = (uint8_t)mode, .level = 'H', .done = 's',
               .buf = buf_root(p, buf), .as = &p->buf[buf], .nd = p->buf[buf].ndim,
               .id = (int)t->n};
    for (int d = 0; d < a->nd; d++) {
        a->idx[d] = idx[d];
        a->ext[d] = 1;
    }
    t->n++;
    return a;
}

static bool loads(void *ud, Ex e)
{
    Gather *g = ud;
    Expr x = g->t->l->p->ex[e];
    for (int i = 0; i < x.n; i++)
        loads(ud, x.arg[i]);
    if (x.op == Xload)
        add(g, x.sym, ACread, x.arg);
    return true;
}

static void operation(Gather *g, const Stmt *s)
{
    const Prog *p = g->t->l->p;
    const OpInfo *o = &opinfo[s->op.op];
    for (int i = 0; i < o->nregion; i++) {
        const Region *r = &s->op.r[i];
        char c = o->regions[i];
        int mode = c == 'r' ? ACread : c == 'w' ? ACwrite : ACread | ACwrite;
        if (c == 'b' && s->op.op != Ombar_init)
            mode |= ACatomic;
        if (c == 'b' && s->op.op == Ombar_init)
            mode = ACwrite;
        Acc *a = add(g, r->buf, mode, r->min);
        if (!a)
            continue;
        int64_t v;
        for (int d = 0; d < a->nd; d++)
            a->ext[d] = x_isint(p, r->extent[d], &v) ? (int32_t)v : -1;
        a->level = (uint8_t)o->level;
        if (c == 'b')
            continue;
        if (p->buf[a->buf].scope == SCshared) {
            a->async = o->proxy == 'a';
            a->done = o->done;
        }
        if (s->op.op == Oldmatrix || s->op.op == Ostmatrix)
            a->lanes = 8 * s->op.attr[0];
    }
}

static void own(Gather *g, const Stmt *s)
{
    Prog *p = g->t->l->p;
    stmt_exprs(p, s, loads, g);
    if (s->kind == Sstore) {
        add(g, s->store.buf, ACwrite, s->store.idx);
    } else if (s->kind == Satomic) {
        bool reads = s->atomic.kind == ATload;
        Acc *a = add(g, s->atomic.buf, ACatomic | ACread | (reads ? 0 : ACwrite), s->atomic.idx);
        if (a && a->nd)
            a->ext[a->nd - 1] = s->atomic.lanes;
    } else if (s->kind == Sop) {
        operation(g, s);
    }
}

static Node *gather(Touches *t, Stmt *s, const Node *up, bool els, int depth)
{
    Node *head = NULL, **at = &head;
    Stmt *b[2];
    for (; s; s = s->next) {
        Node *n = anew(&t->l->p->ctx, sizeof *n);
        Gather g = {t, n};
        *n = (Node){.s = s, .up = up, .els = els, .depth = depth, .first = t->n};
        own(&g, s);
        n->self = t->n;
        bool loop = s->kind == Sfor || s->kind == Swhile;
        for (int i = 0, k = stmt_blocks(s, b); i < k; i++)
            n->child[i] = gather(t, b[i], n, i == 1, depth + loop);
        n->last = t->n;
        *at = n;
        at = &n->next;
    }
    return head;
}

/* Loop variables that e uses, lets followed. */
static void depends(Touches *t, Acc *a, Ex e, uint32_t *cap)
{
    Prog *p = t->l->p;
    const Expr *x = &p->ex[e];
    if (x->op == Xvar) {
        const Var *v = &p->var[x->sym];
        if (v->kind == Vlet && v->value)
            depends(t, a, v->value, cap);
        if (v->kind != Vloop)
            return;
        for (int i = 0; i < a->ndep; i++)
            if (a->dep[i] == x->sym)
                return;
        agrow(&p->ctx, &a->dep, cap, (uint32_t)a->ndep + 1, sizeof *a->dep);
        a->dep[a->ndep++] = x->sym;
        return;
    }
    for (int i = 0; i < x->n; i++)
        depends(t, a, p->ex[e].arg[i], cap);
}

static void dependences(Touches *t, Acc *a)
{
    uint32_t cap = 0;
    for (int d = 0; d < a->nd; d++)
        depends(t, a, a->idx[d], &cap);
    for (const Node *n = a->in; n; n = n->up) {
        if (n->s->kind == Sif)
            depends(t, a, n->s->cond.cond, &cap);
        for (int i = 0; n->s->kind == Sfor && i < n->s->loop.n; i++) {
            depends(t, a, n->s->loop.lo[i], &cap);
            depends(t, a, n->s->loop.hi[i], &cap);
        }
    }
}

static int size_bits(const Acc *a) { return dtypeinfo[a->as->dt].bits; }

static bool vector_of(const Node *n)
{
    return n->s->kind == Sfor && n->s->loop.kind == Fvectorized;
}

/* Elements that one thread takes at once: a vector loop's, or a short run. */
static int64_t width(const Touches *t, const Acc *a)
{
    const Prog *p = t->l->p;
    int64_t w = 1, lo, hi;
    for (const Node *n = a->in; n; n = n->up)
        if (vector_of(n) && a->nd && eval_depends(&t->ev, a->idx[a->nd - 1], n->s->loop.var[0]) &&
            x_isint(p, n->s->loop.lo[0], &lo) && x_isint(p, n->s->loop.hi[0], &hi))
            w *= hi - lo;
    return w;
}

/* The widest cell with which all accesses are whole cells. */
static void choose_grain(Touches *t)
{
    t->grain = ChunkBytes;
    for (uint32_t i = 0; i < t->n; i++) {
        const Acc *a = &t->acc[i];
        if (!shared_space(t->l->p, a->buf) || a->as->scope == SCbarrier)
            continue;
        int64_t w = width(t, a);
        if (a->nd && a->ext[a->nd - 1] > 0)
            w *= a->ext[a->nd - 1];
        int64_t bytes = w * size_bits(a) / 8;
        while (t->grain > 1 && (bytes < t->grain || bytes % t->grain))
            t->grain /= 2;
    }
    for (uint32_t i = 0; i < t->n; i++)
        if (t->acc[i].as->scope == SCbarrier && t->grain > BarrierBytes)
            t->grain = BarrierBytes;
}

/* Of a global buffer that is only read, or that one place alone writes, nothing
 * needs to be known. */
static void drop_globals(Touches *t)
{
    const Prog *p = t->l->p;
    t->both = anew(&t->l->p->ctx, p->nbuf * sizeof *t->both);
    int *count = anew(&t->l->p->ctx, p->nbuf * sizeof *count);
    bool *write = anew(&t->l->p->ctx, p->nbuf * sizeof *write);
    for (uint32_t i = 0; i < t->n; i++) {
        count[t->acc[i].buf]++;
        write[t->acc[i].buf] |= (t->acc[i].mode & ACwrite) != 0;
    }
    for (uint32_t b = 1; b < p->nbuf; b++)
        t->both[b] = p->buf[b].scope != SCglobal || (write[b] && count[b] > 1);
}

void touches_init(Touches *t, Low *l)
{
    Ctx *c = &l->p->ctx;
    memset(t, 0, sizeof *t);
    t->l = l;
    eval_init(&t->ev, l);
    t->root = gather(t, l->launch->launch.body, NULL, false, 0);
    drop_globals(t);
    for (uint32_t i = 0; i < t->n; i++) {
        dependences(t, &t->acc[i]);
        t->async |= t->acc[i].async;
    }
    choose_grain(t);
    t->foot = anew(c, (t->n + 1) * sizeof *t->foot);
    t->arena = l->launch->launch.shared / t->grain + 2;
    t->sw = anew(c, (size_t)t->arena * sizeof *t->sw);
    t->so = anew(c, (size_t)t->arena * sizeof *t->so);
    t->hi = l->total;
}

/* Enumeration ------------------------------------------------------------------ */

typedef struct Enum Enum;
struct Enum {
    Touches *t;
    const Acc *a;
    Foot *f;
    const Node *path[64];
    int npath, steps;
    uint8_t *mask;         /* of each thread: may execute it */
    int64_t width;         /* elements in the last dimension */
    bool all;
    bool asking;           /* only who may execute it */
    uint8_t *who;
    Cell *cell; uint32_t ncell, cap;
};

/* Elements from the buffer's beginning; barriers have no layout. */
static int64_t offset(const Acc *a, const int64_t *idx)
{
    const Layout *m = a->as->map;
    int64_t sum = 0;
    if (!m)
        return idx[0];
    for (int i = 0; i < m->n; i++) {
        const Digit *g = &m->d[i];
        if (g->axis != AXoff)
            continue;
        int64_t v = g->weight == 1 ? idx[g->dim] : idx[g->dim] / g->weight;
        if ((int64_t)g->weight * g->extent < m->extent[g->dim])
            v %= g->extent;
        sum += v * g->stride;
    }
    if (m->x.bits)
        sum ^= ((sum >> (m->x.base + m->x.shift)) & ((1 << m->x.bits) - 1)) << m->x.base;
    return sum;
}

static void mark(Enum *e, int64_t byte, int64_t bytes, uint32_t warps, int owner)
{
    Touches *t = e->t;
    int64_t lo = byte / t->grain, hi = (byte + bytes - 1) / t->grain + 1;
    if (byte < 0 || hi > t->arena) {
        e->all = true;
        return;
    }
    Foot *f = e->f;
    f->lo = lo < f->lo ? lo : f->lo;
    f->hi = hi > f->hi ? hi : f->hi;
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

/* The elements from idx on, ext of them in each dimension. */
static void touch(Enum *e, const int64_t *idx, uint32_t warps, int owner)
{
    const Acc *a = e->a;
    int64_t at[MaxDim], k[MaxDim] = {0}, ext[MaxDim];
    bool shared = a->as->scope != SCglobal;
    int bits = a->as->scope == SCbarrier ? 64 : size_bits(a), last = a->nd - 1;
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
            int64_t bit = offset(a, at) * bits;
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

static void leaf(Enum *e)
{
    Touches *t = e->t;
    const Acc *a = e->a;
    Vec v[MaxDim];
    int64_t idx[MaxDim];
    int warp = t->l->m->warp, step = a->level == 'G' ? 4 * warp : 1;
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
        if (a->ext[d] < 0 || (global && e->steps > 1 && sym != e->f->sym[d])) {
            e->all = true;
            return;
        }
        e->f->sym[d] = sym;
    }
    for (int i = t->lo; i < t->hi && !e->all; i += step) {
        uint32_t warps = 1u << (i / warp % 32);
        if (!e->mask[i] || (a->lanes && i % warp >= a->lanes))
            continue;
        for (int d = 0; d < a->nd; d++)
            idx[d] = v[d].v ? v[d].v[i] : v[d].one;
        if (a->level == 'G')
            warps |= warps << 1 | warps << 2 | warps << 3;
        touch(e, idx, warps, a->level == 'G' ? -1 : i);
    }
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
        leaf(e);
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
    uint8_t *keep = anew(&t->l->p->ctx, (size_t)t->ev.n);
    memcpy(keep, e->mask, (size_t)t->ev.n);
    for (int i = 0; i < t->ev.n; i++)
        e->mask[i] = keep[i] && (c.v[i] == 2 || (c.v[i] != 0) != els);
    descend(e, k + 1);
    memcpy(e->mask, keep, (size_t)t->ev.n);
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

const Foot *touch_foot(Touches *t, const Acc *a)
{
    Ctx *c = &t->l->p->ctx;
    int64_t key[64];
    int n = a->ndep < 64 ? a->ndep : 64;
    for (int i = 0; i < n; i++)
        key[i] = t->ev.has[a->dep[i]] ? t->ev.val[a->dep[i]] : INT64_MIN;
    for (Foot *f = t->foot[a->id]; f; f = f->next)
        if (n == 0 || memcmp(f->key, key, (size_t)n * sizeof *key) == 0)
            return f;
    Foot *f = anew(c, sizeof *f);
    f->a = a;
    f->id = ++t->nfoot;
    f->lo = INT64_MAX;
    f->key = anew(c, ((size_t)n + 1) * sizeof *f->key);
    memcpy(f->key, key, (size_t)n * sizeof *key);
    f->next = t->foot[a->id];
    t->foot[a->id] = f;
    Enum e = {.t = t, .a = a, .f = f, .width = width(t, a)};
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

/* Comparing ----------------------------------------------------------------------- */

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
