/* core/check_race_block.c: do two blocks write one element?  For indices and
 * conditions that are not affine, and for two statements.
 *
 * A few blocks are looked at: all where there are few, else the first with its
 * neighbours, a middle one and the last ones.  Each runs its writes; a table
 * holds, for each element, the block that wrote it.  One pair that meets is
 * enough for a report; that none was found proves nothing, and nothing is said.
 *
 * Looked at are writes whose indices, conditions and loops are made of numbers
 * that are known here: never where a write may not happen.  Blocks that wait
 * for each other are left alone, and so is what both blocks write the same. */
#include <string.h>

#include "race_p.h"

enum {
    MaxBlockPoints = 1 << 14,   /* of one access in one block: the first ones */
    MaxAllBlocks = 1 << 17,     /* ... of one access in all blocks that are looked at */
    MaxBlockWork = 1 << 20,     /* ... in a program: a tenth of a second */
    MaxSame = 1 << 14,          /* pairs that meet and write the same, of one access */
    Samples = 8                 /* blocks, of many */
};

/* A write that happens, whatever the data, wherever its conditions hold. */
typedef struct Write Write;
struct Write {
    const Access *a;
    uint32_t var[MaxUnknown]; /* that it depends on, blocks' apart; the last one runs fastest */
    int nvar;
    int64_t ext[MaxDim];      /* of its region, which runs faster still */
    int64_t points;           /* of both */
};

/* Who wrote an element: a write, in a block, at a point. */
typedef struct BlockCell Cell;
struct BlockCell {
    uint64_t key;             /* the element's place in its buffer */
    const Write *w;           /* NULL: an empty cell */
    int64_t block, point;
};

typedef struct Look Look;
struct Look {
    Facts *f;
    const Stmt *launch;
    Write *w; uint32_t nw, capw;
    Cell *cell; uint32_t capcell, mask;
    int64_t block[Samples];
    int nblock;               /* of block[]; 0: all are looked at */
    int64_t all;              /* blocks of the launch */
    int64_t off[MaxDim];      /* of the element in its region */
    int64_t *other;           /* another f->env */
    int same;                 /* pairs that may still write the same */
    int64_t work;
};

/* What is looked at ----------------------------------------------------- */

/* stmt_walk() stops where s may let a block wait for another. */
static bool waits_not(Stmt *s, void *ud)
{
    (void)ud;
    return !(s->kind == Swhile || (s->kind == Scall && s->call.fn == Isync_grid) ||
             (s->kind == Sop && s->op.op == Ofence_global) ||
             (s->kind == Satomic && s->atomic.prev));
}

static bool independent(const Stmt *launch)
{
    for (int i = 0; i < MaxLaunchDim; i++)
        if (launch->launch.cluster[i] > 1)
            return false;
    return stmt_walk(launch->launch.body, waits_not, NULL);
}

/* Do all loops around a run, whole, in every block? */
static bool loops_run(const Facts *f, const Access *a)
{
    for (const Frame *k = a->in; k && k->s->kind != Slaunch; k = k->up) {
        if (k->maybe || (k->s->kind == Sfor && k->s->loop.kind == Fpersistent))
            return false;
        for (int i = 0; k->s->kind == Sfor && i < k->s->loop.n; i++)
            if (!f->dom[k->s->loop.var[i]].exact)
                return false;
    }
    return true;
}

static bool is_block(const Stmt *launch, uint32_t v)
{
    for (int i = 0; i < launch->launch.n; i++)
        if (launch->launch.block[i] == v)
            return true;
    return false;
}

/* Adds the variables of e to w's; false: e has no value that is known here. */
static bool known(Look *k, Write *w, Ex e)
{
    Facts *f = k->f;
    if (!x_pure(f->p, e))
        return false;
    for (uint32_t i = 0, n = facts_uses(f, e, 0); i < n; i++) {
        uint32_t v = f->uses[i];
        bool there = is_block(k->launch, v);
        if (!f->dom[v].exact)
            return false;
        for (int j = 0; j < w->nvar; j++)
            there |= w->var[j] == v;
        if (!there && w->nvar == MaxUnknown)
            return false;
        if (!there)
            w->var[w->nvar++] = v;
    }
    return true;
}

/* How many points w has; those behind MaxBlockPoints are not looked at. */
static int64_t count(const Facts *f, const Write *w)
{
    int64_t n = 1, span;
    for (int i = 0; i < w->nvar && n < MaxBlockPoints; i++) {
        const Domain *d = &f->dom[w->var[i]];
        if (__builtin_sub_overflow(d->hi, d->lo, &span) || span / d->step >= MaxBlockPoints)
            return MaxBlockPoints;
        n *= span / d->step + 1;
    }
    for (int d = 0; d < w->a->ndim && n < MaxBlockPoints; d++)
        n = w->ext[d] < MaxBlockPoints ? n * w->ext[d] : MaxBlockPoints;
    return n < MaxBlockPoints ? n : MaxBlockPoints;
}

/* Can it be said which elements a writes?  Fills *w. */
static bool evaluable(Look *k, const Access *a, Write *w)
{
    Facts *f = k->f;
    int64_t size;
    *w = (Write){.a = a};
    if (!loops_run(f, a))
        return false;
    for (int d = 0; d < a->ndim; d++) {
        w->ext[d] = 1;
        if ((a->tile && !x_isint(f->p, a->extent[d], &w->ext[d])) || w->ext[d] < 1 ||
            !x_isint(f->p, f->p->buf[a->buf].shape[d], &size) || !known(k, w, a->idx[d]))
            return false;
    }
    for (const Guard *g = a->guard; g; g = g->up)
        if (!g->cond || !known(k, w, g->cond))
            return false;
    w->points = count(f, w);
    return true;
}

/* Which blocks are looked at, where w has `points` in each. */
static void choose_blocks(Look *k, int64_t points)
{
    int64_t near = 1, first[Samples] = {0};
    int n = 1;
    k->nblock = 0;
    if (k->all <= MaxAllBlocks / points)
        return;
    for (int i = k->launch->launch.n; i-- > 0;) { /* neighbours of the first */
        const Domain *d = &k->f->dom[k->launch->launch.block[i]];
        if (d->hi > 0)
            first[n++] = near;
        near *= d->hi + 1;
    }
    first[n++] = k->all / 2;
    first[n++] = k->all - 2;
    first[n++] = k->all - 1;
    for (int i = 0; i < n; i++) {
        bool there = first[i] < 0;
        for (int j = 0; j < k->nblock; j++)
            there |= k->block[j] == first[i];
        if (!there)
            k->block[k->nblock++] = first[i];
    }
}

/* One point ------------------------------------------------------------- */

static void enter_block(const Look *k, int64_t block)
{
    Facts *f = k->f;
    for (int i = k->launch->launch.n; i-- > 0;) {
        uint32_t v = k->launch->launch.block[i];
        int64_t size = f->dom[v].hi + 1;
        f->env[v] = block % size;
        block /= size;
    }
}

static void enter_point(Look *k, const Write *w, int64_t point)
{
    Facts *f = k->f;
    for (int d = w->a->ndim; d-- > 0;) {
        k->off[d] = point % w->ext[d];
        point /= w->ext[d];
    }
    for (int i = w->nvar; i-- > 0;) {
        const Domain *d = &f->dom[w->var[i]];
        int64_t size = (d->hi - d->lo) / d->step + 1;
        f->env[w->var[i]] = d->lo + point % size * d->step;
        point /= size;
    }
}

/* The place of the element that w writes; false: it writes none here. */
static bool element(const Look *k, const Write *w, uint64_t *out)
{
    const Facts *f = k->f;
    uint64_t at = 0;
    if (facts_holds(f, w->a->guard) != 1)
        return false;
    for (int d = 0; d < w->a->ndim; d++) {
        int64_t v, size;
        if (!x_isint(f->p, f->p->buf[w->a->buf].shape[d], &size) ||
            !x_eval(f->p, w->a->idx[d], f->env, &v) ||
            __builtin_add_overflow(v, k->off[d], &v) || v < 0 || v >= size)
            return false;
        at = at * (uint64_t)size + (uint64_t)v;
    }
    *out = at;
    return true;
}

/* The same value? -------------------------------------------------------- */

/* Has e one value in both blocks?  False: it has not, or it has none. */
static bool equal(const Look *k, Ex e)
{
    int64_t x, y;
    const Prog *p = k->f->p;
    return x_pure(p, e) && x_eval(p, e, k->f->env, &x) && x_eval(p, e, k->other, &y) && x == y;
}

/* Is the same element of the same tensor read in both? */
static bool same_place(const Look *k, uint32_t buf, const Ex *idx, int n, uint32_t written)
{
    const Prog *p = k->f->p;
    if (p->buf[buf].scope != SCglobal || buf_root(p, buf) == buf_root(p, written))
        return false;
    for (int d = 0; d < n; d++)
        if (!equal(k, facts_expand(k->f, idx[d])))
            return false;
    return true;
}

typedef struct Same Same;
struct Same { const Look *k; uint32_t written; };

static ExGo same_node(void *ud, Ex e)
{
    const Same *s = ud;
    const Expr *x = &s->k->f->p->ex[e];
    if (x->op == Xload)
        return same_place(s->k, x->sym, x->arg, x->n, s->written) ? EXskip : EXstop;
    if (x->op == Xvar)
        return s->k->f->env[x->sym] == s->k->other[x->sym] ? EXskip : EXstop;
    return equal(s->k, e) ? EXskip : EXinto;
}

/* Is what w reads for its tile the same in both? */
static bool same_tiles(const Look *k, const Access *a)
{
    const Facts *f = k->f;
    for (uint32_t i = 0; i < f->n; i++) {
        const Access *r = &f->a[i];
        if (r->s == a->s && r->mode & Aread && !same_place(k, r->buf, r->idx, r->ndim, a->buf))
            return false;
    }
    return true;
}

/* Do the two write one value?  f->env and off are of the one, other and its offsets of
 * the other.  False: they do not, or that cannot be said. */
static bool same_value(Look *k, const Access *a, const Access *b, const int64_t *off)
{
    Same s = {k, a->buf};
    bool store = a->s->kind == Sstore && b->s->kind == Sstore;
    if (!store && (a->s != b->s || a->s->kind != Sop || memcmp(off, k->off, sizeof k->off) != 0))
        return false;
    Ex x = facts_expand(k->f, store ? a->s->store.value : a->s->op.value);
    Ex y = facts_expand(k->f, store ? b->s->store.value : b->s->op.value);
    return x == y && (store || same_tiles(k, a)) && (!x || ex_walk(k->f->p, x, same_node, &s));
}

/* Reports --------------------------------------------------------------- */

static const char *block_text(const Look *k)
{
    return facts_values(k->f, k->launch->launch.block, k->launch->launch.n, k->f->env);
}

static const char *element_text(const Look *k, const Access *a)
{
    Facts *f = k->f;
    int64_t at[MaxDim] = {0};
    for (int d = 0; d < a->ndim; d++) {
        x_eval(f->p, a->idx[d], f->env, &at[d]);
        at[d] += k->off[d];
    }
    Str s = {0};
    str_fmt(&s, "%s[%s]", f->p->buf[a->buf].name, facts_values(f, NULL, a->ndim, at));
    const char *t = astr(&f->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}

/* w, at the point where env is, meets what is in cell c.  True: reported. */
static bool met(Look *k, const Write *w, const Cell *c)
{
    Facts *f = k->f;
    int64_t off[MaxDim];
    const char *mine = block_text(k), *where = element_text(k, w->a);
    memcpy(off, k->off, sizeof off);
    memcpy(k->other, f->env, f->p->nvar * sizeof *f->env);
    enter_block(k, c->block);
    enter_point(k, c->w, c->point);
    if (same_value(k, w->a, c->w->a, off))
        return false;
    const Access *late = w->a < c->w->a ? c->w->a : w->a, *early = late == w->a ? c->w->a : w->a;
    Diag *d = diag(&f->p->ctx, E_race_block, late->s->loc, f->p->buf[w->a->buf].name, block_text(k),
                   mine, where, NULL);
    if (early->s != late->s)
        diag_note(&f->p->ctx, d, E_race_block_other, early->s->loc, NULL);
    return true;
}

/* The search ------------------------------------------------------------ */

static Cell *find(const Look *k, uint64_t key)
{
    uint32_t i = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & k->mask;
    while (k->cell[i].w && k->cell[i].key != key)
        i = (i + 1) & k->mask;
    return &k->cell[i];
}

/* Runs w in one block.  True: it met another block, and that is reported. */
static bool run(Look *k, const Write *w, int64_t block)
{
    uint64_t at;
    for (int64_t point = 0; point < w->points; point++) {
        enter_block(k, block);
        enter_point(k, w, point);
        if (!element(k, w, &at))
            continue;
        Cell *c = find(k, at);
        if (!c->w)
            *c = (Cell){at, w, block, point};
        else if (c->block != block && (met(k, w, c) || k->same-- <= 0))
            return true;
    }
    return false;
}

/* All that w[0..nw), of one buffer, write. */
static void search(Look *k)
{
    Facts *f = k->f;
    int64_t points = 0, cells = 16;
    for (uint32_t i = 0; i < k->nw; i++)
        points += k->w[i].points;
    choose_blocks(k, points);
    int64_t blocks = k->nblock ? k->nblock : k->all, cost = blocks * points;
    if (cost > k->work)
        return;
    k->work -= cost;
    while (cells < 2 * cost)
        cells *= 2;
    agrow(&f->p->ctx, &k->cell, &k->capcell, (uint32_t)cells, sizeof *k->cell);
    memset(k->cell, 0, (size_t)cells * sizeof *k->cell);
    k->mask = (uint32_t)cells - 1;
    k->same = MaxSame;
    for (uint32_t v = 1; v < f->p->nvar; v++)
        f->env[v] = f->dom[v].exact ? f->dom[v].lo : 0;
    for (int64_t b = 0; b < blocks; b++)
        for (uint32_t i = 0; i < k->nw; i++)
            if (run(k, &k->w[i], k->nblock ? k->block[b] : b))
                return;
}

/* How many blocks there are; 0: not known, or too many. */
static int64_t blocks_of(const Facts *f, const Stmt *launch)
{
    int64_t n = 1;
    for (int i = 0; i < launch->launch.n; i++) {
        const Domain *d = &f->dom[launch->launch.block[i]];
        if (!d->exact || d->hi >= INT32_MAX || __builtin_mul_overflow(n, d->hi + 1, &n))
            return 0;
    }
    return n;
}

/* The buffer that access `first` of launch fr writes, with all other writes to it. */
static void buffer(Look *k, const Frame *fr, uint32_t first, enum RaceBlock *how)
{
    Facts *f = k->f;
    bool open = false;
    k->nw = 0;
    for (uint32_t i = first; i < fr->last; i++) {
        if (how[i] == RBnone || f->a[i].buf != f->a[first].buf)
            continue;
        agrow(&f->p->ctx, &k->w, &k->capw, k->nw + 1, sizeof *k->w);
        if (how[i] != RBtold && evaluable(k, &f->a[i], &k->w[k->nw])) {
            open |= how[i] == RBopen || k->nw > 0;
            k->nw++;
        }
        how[i] = RBnone;
    }
    if (open)
        search(k);
}

void race_blocks(Facts *f, enum RaceBlock *how)
{
    Look k = {.f = f, .work = MaxBlockWork};
    k.other = anew(&f->p->ctx, f->p->nvar * sizeof *k.other);
    for (uint32_t i = 0; i < f->n && !check_full(f); i++) {
        const Frame *fr = how[i] == RBnone ? NULL : frame_find(f->a[i].in, Slaunch);
        if (!fr)
            continue;
        k.launch = fr->s;
        k.all = blocks_of(f, fr->s);
        if (k.all > 1 && independent(fr->s))
            buffer(&k, fr, i, how);
    }
}
