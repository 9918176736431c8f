/* core/check/race_block.c: do two blocks write one element?  For indices and
 * conditions that are not affine, and for two statements.  And does a block read what another
 * one writes?
 *
 * A few blocks are looked at: all where there are few, else the first with its
 * neighbours, a middle one and the last ones, and the first point of each.  Each runs its writes; a
 * table holds, for each element, the block that wrote it; then each runs its reads.  One pair that
 * meets is enough for a report.  Where not all were looked at, equations (race.c) may find
 * or rule out the others; else a note says so.
 *
 * Looked at are accesses whose indices, conditions and loops are made of numbers
 * that are known here: never where one may not happen.  Blocks that wait
 * for each other are left alone, and so is what both blocks write the same. */
#include <math.h>
#include <string.h>

#include "race.h"
#include "err/check.h"

enum {
    MaxAllBlocks = 1 << 17,     /* points of one buffer in all blocks that are looked at */
    MaxBlockWork = 1 << 20,     /* ... in a program: a tenth of a second */
    MaxPairs = 1 << 12,         /* of accesses of one buffer that equations compare */
    MaxSame = 1 << 14,          /* pairs that meet and write the same, of one access */
    Samples = 8                 /* blocks, of many */
};

/* Who touched an element: an access, in a block, where its digits stand. */
typedef struct BlockCell PointCell;
struct BlockCell {
    uint64_t key;             /* the element's place in its buffer */
    RaceAccess *w;            /* NULL: an empty cell */
    const Access *own;        /* of block `mine`: its first one that writes here */
    int64_t block, mine, also; /* also: another block, of those that write the same; -1: none */
    uint32_t at;              /* digits[] */
    RaceAccess *way;          /* an update in another way than w's, of block `waysof`; or NULL */
    int64_t waysof;
    uint32_t wayat;
};

typedef struct AccessList AccessList;
struct AccessList { RaceAccess *t; uint32_t n, cap; };

typedef struct BlockSearch BlockSearch;
struct BlockSearch {
    RaceLoop *parloop;
    Facts *f;
    const CheckFrame *frame;
    const Stmt *launch;
    AccessList w, u, r;       /* what writes to a buffer; what updates it atomically; what reads
                               * it */
    uint32_t unit;            /* bits that elements of all views of it are made of; 0: no views */
    PointCell *cell; uint32_t capcell, mask, room;
    int64_t *digits; uint32_t ndigits, capdigits;
    int64_t block[Samples];
    int nblock;               /* of block[]; 0: all are looked at */
    int64_t all;              /* blocks of the launch */
    int64_t limit;            /* points of an access that are looked at */
    int64_t *other;           /* another f->env */
    int same;                 /* pairs that may still write the same */
    int64_t work;
    bool part;                /* not all was looked at */
    bool quiet, found;        /* nothing is said; what would have been */
};

/* What is looked at ----------------------------------------------------- */

/* stmt_walk() stops where s may let a block wait for another. */
static bool waits_not(Stmt *s, void *ud)
{
    (void)ud;
    return !((s->kind == Scall && s->call.fn == Isync_grid) ||
             (s->kind == Sop && s->op.op == Ofence_global) ||
             (s->kind == Satomic && s->atomic.prev));
}

/* Does the launch write what a, a read inside of a while loop, or for its condition, reads?  So a
 * block waits for another. */
static bool watches(const Facts *f, const CheckFrame *fr, const Access *a)
{
    if (!(a->mode & Aread) || (a->s->kind != Swhile && !frame_find(a->in, Swhile)) ||
        f->p->buf[a->buf].scope != SCglobal)
        return false;
    for (uint32_t i = fr->first; i < fr->last; i++)
        if (f->a[i].mode & Awrite && buf_root(f->p, f->a[i].buf) == buf_root(f->p, a->buf))
            return true;
    return false;
}

bool race_independent(const Facts *f, const CheckFrame *fr)
{
    for (uint32_t i = fr->first; i < fr->last; i++)
        if (watches(f, fr, &f->a[i]))
            return false;
    return stmt_walk(fr->s->launch.body, waits_not, NULL);
}

/* Are they blocks that have no order?  Those of a cluster may. */
static bool blocks_unordered(const BlockSearch *k, int64_t one, int64_t two)
{
    for (int i = k->launch->launch.n; i-- > 0;) {
        int64_t size = k->f->dom[k->launch->launch.block[i]].hi + 1, c = k->launch->launch.cluster[i];
        if (one % size / (c ? c : 1) != two % size / (c ? c : 1))
            return true;
        one /= size;
        two /= size;
    }
    return false;
}

static int64_t race_block_at_most(int64_t x, int64_t most) { return x < most ? x : most; }

static void enter_block(const BlockSearch *k, int64_t block)
{
    Facts *f = k->f;
    for (int i = k->launch->launch.n; i-- > 0;) {
        uint32_t v = k->launch->launch.block[i];
        int64_t size = f->dom[v].hi + 1;
        f->env[v] = block % size;
        block /= size;
    }
}

static int64_t race_block_of(const BlockSearch *k, const int64_t *env)
{
    int64_t b = 0;
    for (int i = 0; i < k->launch->launch.n; i++) {
        uint32_t v = k->launch->launch.block[i];
        b = b * (k->f->dom[v].hi + 1) + env[v];
    }
    return b;
}

/* The points of all in a block: the most of the first, a middle and the last one. */
static int64_t race_block_points(BlockSearch *k, AccessList *l)
{
    int64_t most = 0;
    for (int sample = 0; sample < 3; sample++) {
        int64_t n = 0;
        enter_block(k, sample == 0 ? 0 : sample == 1 ? k->all / 2 : k->all - 1);
        for (uint32_t i = 0; i < l->n; i++)
            n += access_count(k->f, &l->t[i]) + 1;
        most = n > most ? n : most;
    }
    return most;
}

/* Which blocks are looked at, where each has that many points. */
static void choose_blocks(BlockSearch *k, int64_t each)
{
    int64_t near = 1, first[Samples] = {0};
    int n = 1;
    k->nblock = 0;
    if (k->all <= MaxAllBlocks / each)
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

/* The same value? -------------------------------------------------------- */

/* Has e one value in both blocks?  False: it has not, or it has none. */
static bool equal(const BlockSearch *k, Ex e)
{
    int64_t x, y;
    const Prog *p = k->f->p;
    return x_pure(p, e) && x_eval(p, e, k->f->env, &x) && x_eval(p, e, k->other, &y) && x == y;
}

/* Is the same element of the same tensor read in both? */
static bool race_block_same_place(const BlockSearch *k, uint32_t buf, const Ex *idx, int n,
                                  uint32_t written)
{
    const Prog *p = k->f->p;
    if (p->buf[buf].scope != SCglobal || buf_root(p, buf) == buf_root(p, written))
        return false;
    for (int d = 0; d < n; d++)
        if (!equal(k, facts_expand(k->f, idx[d])))
            return false;
    return true;
}

typedef struct SameBlock SameBlock;
struct SameBlock { const BlockSearch *k; uint32_t written; };

static ExGo same_node(void *ud, Ex e)
{
    const SameBlock *s = ud;
    const Expr *x = &s->k->f->p->ex[e];
    if (x->op == Xload)
        return race_block_same_place(s->k, x->sym, x->arg, x->n, s->written) ? EXskip : EXstop;
    if (x->op == Xvar)
        return s->k->f->env[x->sym] == s->k->other[x->sym] ? EXskip : EXstop;
    return equal(s->k, e) ? EXskip : EXinto;
}

/* Is what w reads for its tile the same in both? */
static bool same_tiles(const BlockSearch *k, const Access *a)
{
    const Facts *f = k->f;
    for (uint32_t i = 0; i < f->n; i++) {
        const Access *r = &f->a[i];
        if (r->s == a->s && r->mode & Aread &&
            !race_block_same_place(k, r->buf, r->idx, r->ndim, a->buf))
            return false;
    }
    return true;
}

/* A constant whose bits are all 0, in any type. */
static bool zero_bits(const Prog *p, Ex e)
{
    const Expr *x = ex_at(p, e);
    return (x->op == Xint && x->i == 0) || (x->op == Xfloat && x->f == 0 && !signbit(x->f));
}

/* Do the two write one value?  f->env and off are of the one, other and its offsets of
 * the other.  Their buffers are two names of one tensor, or one.  False: they do not, or that cannot
 * be said. */
static bool same_value(BlockSearch *k, const RaceAccess *x, const RaceAccess *y, const int64_t *off)
{
    const Access *a = x->a, *b = y->a;
    SameBlock s = {k, a->buf};
    bool store = a->s->kind == Sstore && b->s->kind == Sstore;
    if (!store && (a->s != b->s || a->s->kind != Sop || memcmp(off, y->off, sizeof y->off) != 0))
        return false;
    Ex v = facts_expand(k->f, store ? a->s->store.value : a->s->op.value);
    Ex w = facts_expand(k->f, store ? b->s->store.value : b->s->op.value);
    const Prog *p = k->f->p;
    if (p->buf[a->buf].dt != p->buf[b->buf].dt)
        return store && zero_bits(p, v) && zero_bits(p, w);
    return v == w && (store || same_tiles(k, a)) && (!v || ex_walk(p, v, same_node, &s));
}

/* Reports --------------------------------------------------------------- */

static const char *block_text(const BlockSearch *k)
{
    return facts_values(k->f, k->launch->launch.block, k->launch->launch.n, k->f->env);
}

static const char *race_block_element_text(const BlockSearch *k, const Access *a,
                                           const int64_t *off)
{
    Facts *f = k->f;
    int64_t at[MaxDim] = {0};
    for (int d = 0; d < a->ndim; d++) {
        x_eval(f->p, a->idx[d], f->env, &at[d]);
        at[d] += off[d];
    }
    Str s = {0};
    str_fmt(&s, "%s[%s]", f->p->buf[a->buf].name, facts_values(f, NULL, a->ndim, at));
    for (uint32_t v = 1; k->parloop->chosen && v < f->p->nvar; v++)
        if (race_size_comes(f->p, v) && f->dom[v].exact)
            str_fmt(&s, ", %s = %lld", f->p->var[v].name, (long long)f->dom[v].lo);
    const char *t = astr(&f->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}

/* Says e of two accesses: `at`, with its place, of block `mine`; and note is where the other is. */
static void race_block_say(BlockSearch *k, Err e, const Access *at, const char *where,
                           const char *mine, const char *theirs, const Access *note)
{
    Ctx *c = &k->f->p->ctx;
    k->found = k->parloop->told[buf_root(k->f->p, at->buf)] = true;
    if (k->quiet)
        return;
    Diag *d = diag(c, e, at->s->loc, k->f->p->buf[at->buf].name, mine, theirs, where, NULL);
    if (note->s != at->s)
        diag_note(c, d, e == E_race_block_updates ? E_race_block_update : E_race_block_other,
                  note->s->loc, NULL);
}

/* w, a write at the point where env is, meets the write of another block in cell c.  True: that is
 * reported. */
static bool race_block_met(BlockSearch *k, RaceAccess *w, const PointCell *c)
{
    Facts *f = k->f;
    int64_t off[MaxDim], here[MaxWheel];
    const char *mine = block_text(k), *where = race_block_element_text(k, w->a, w->off);
    bool atomic = w->a->mode & Aatomic;
    memcpy(off, w->off, sizeof off);
    memcpy(k->other, f->env, f->p->nvar * sizeof *f->env);
    access_save(f, w, here);
    enter_block(k, c->block);
    access_load(f, c->w, k->digits + c->at);
    const char *theirs = block_text(k);
    bool same = !atomic && same_value(k, w, c->w, off);
    if (same) {
        memcpy(f->env, k->other, f->p->nvar * sizeof *f->env);
        access_load(f, w, here);
        return false;
    }
    const Access *late = w->a < c->w->a ? c->w->a : w->a, *early = late == w->a ? c->w->a : w->a;
    if (atomic && c->w->a->mode & Aatomic)
        race_block_say(k, E_race_block_updates, w->a, where, mine, theirs, c->w->a);
    else if (atomic)
        race_block_say(k, E_race_block_atomic, w->a, where, mine, theirs, c->w->a);
    else
        race_block_say(k, E_race_block, late, where, theirs, mine, early);
    return true;
}

/* w, a read at the point where env is, meets the write in cell c of block `their`. */
static void met_read(BlockSearch *k, const RaceAccess *w, const PointCell *c, int64_t their)
{
    const char *mine = block_text(k), *where = race_block_element_text(k, w->a, w->off);
    enter_block(k, their);
    race_block_say(k, E_race_block_read, w->a, where, mine, block_text(k), c->w->a);
}

/* The table ------------------------------------------------------------- */

static PointCell *table_slot(const BlockSearch *k, uint64_t key)
{
    uint32_t i = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & k->mask;
    while (k->cell[i].w && k->cell[i].key != key)
        i = (i + 1) & k->mask;
    return &k->cell[i];
}

/* Keeps the point where env is; where it is kept. */
static uint32_t table_point(BlockSearch *k, RaceAccess *w)
{
    uint32_t at = k->ndigits;
    agrow(&k->f->p->ctx, &k->digits, &k->capdigits, at + MaxWheel, sizeof *k->digits);
    access_save(k->f, w, k->digits + at);
    k->ndigits += (uint32_t)w->n;
    return at;
}

/* Enters w at the point where env is; false: there is no room left. */
static bool table_enter(BlockSearch *k, PointCell *c, uint64_t key, RaceAccess *w, int64_t block)
{
    if (k->room == 0)
        return false;
    k->room--;
    *c = (PointCell){.key = key, .w = w, .block = block, .mine = -1, .also = -1, .at = table_point(k, w)};
    return true;
}

static void race_block_clear(BlockSearch *k, int64_t room)
{
    int64_t cells = 16;
    while (cells < 2 * room)
        cells *= 2;
    agrow(&k->f->p->ctx, &k->cell, &k->capcell, (uint32_t)cells, sizeof *k->cell);
    memset(k->cell, 0, (size_t)cells * sizeof *k->cell);
    k->mask = (uint32_t)cells - 1;
    k->room = (uint32_t)room;
    k->ndigits = 0;
}

/* Of how many cells an element of buf is made. */
static uint32_t cells_per_element(const BlockSearch *k, uint32_t buf)
{
    return k->unit ? dtypeinfo[k->f->p->buf[buf].dt].bits / k->unit : 1;
}

/* Does a block's write w come before its read r?  In a loop around both it may. */
static bool write_precedes(const Access *w, const Access *r)
{
    for (const CheckFrame *k = r->in; k && k->s->kind != Slaunch; k = k->up)
        for (const CheckFrame *l = w->in; l && k->s->kind == Sfor; l = l->up)
            if (l == k)
                return true;
    return w < r;
}

/* One access ------------------------------------------------------------ */

/* What is done with an element that w touches in a block.  True: that ends the search. */
typedef bool Visit(BlockSearch *k, RaceAccess *w, int64_t block, uint64_t key);

/* A write: does it meet another block's? */
static bool write_at(BlockSearch *k, RaceAccess *w, int64_t block, uint64_t key)
{
    PointCell *c = table_slot(k, key);
    if (!c->w) {
        k->part |= !table_enter(k, c, key, w, block);
        return false;
    }
    if (c->block == block && c->also < 0 && w->a > c->w->a) { /* the last one's value stays */
        c->w = w;
        c->at = table_point(k, w);
    }
    if (!blocks_unordered(k, c->block, block))
        return false;
    if (k->same-- <= 0) {
        k->part = true;
        return true;
    }
    if (race_block_met(k, w, c))
        return true;
    c->also = block;
    return false;
}

/* Does the order of c->w and w, an update, show? */
static bool update_clashes(const PointCell *c, const RaceAccess *w)
{
    return !(c->w->a->mode & Aatomic) || race_two_ways(w->a, c->w->a);
}

/* An atomic update: does it meet another block's write, or update in another way?  A block may make
 * both of the ways that another one makes one of. */
static bool update_at(BlockSearch *k, RaceAccess *w, int64_t block, uint64_t key)
{
    PointCell *c = table_slot(k, key);
    if (!c->w) {
        k->part |= !table_enter(k, c, key, w, block);
        return false;
    }
    if (blocks_unordered(k, c->block, block)) {
        if (update_clashes(c, w))
            return race_block_met(k, w, c);
        c->also = block;
    } else if (!c->way && update_clashes(c, w)) {
        c->way = w;
        c->waysof = block;
        c->wayat = table_point(k, w);
    }
    if (c->way && blocks_unordered(k, c->waysof, block)) {
        PointCell other = {.key = key, .w = c->way, .block = c->waysof, .at = c->wayat};
        if (update_clashes(&other, w))
            return race_block_met(k, w, &other);
    }
    return false;
}

/* A write again: it is known then of this block where it wrote. */
static bool own_at(BlockSearch *k, RaceAccess *w, int64_t block, uint64_t key)
{
    PointCell *c = table_slot(k, key);
    if (c->w && (c->mine != block || w->a < c->own)) {
        c->mine = block;
        c->own = w->a;
    }
    return false;
}

/* A read, behind the writes of all: does another block write there? */
static bool read_at(BlockSearch *k, RaceAccess *w, int64_t block, uint64_t key)
{
    const PointCell *c = table_slot(k, key);
    if (!c->w)
        return false;
    bool one = blocks_unordered(k, c->block, block),
         two = c->also >= 0 && blocks_unordered(k, c->also, block);
    if (!one && !two)
        return false;
    if (c->also >= 0 && !(c->w->a->mode & Aatomic) && c->mine == block &&
        write_precedes(c->own, w->a))
        return false; /* it wrote the same itself, whoever did in between */
    met_read(k, w, c, one ? c->block : c->also);
    return true;
}

/* Runs w in one block.  True: that ended the search. */
static bool run_in_block(BlockSearch *k, RaceAccess *w, int64_t block, Visit *visit)
{
    Facts *f = k->f;
    uint64_t at;
    uint32_t wide = cells_per_element(k, w->a->buf);
    int64_t n = 0;
    enter_block(k, block);
    for (bool on = access_first(f, w); on; on = access_next(f, w)) {
        if (n++ == k->limit || k->work-- <= 0) {
            k->part = true;
            return false;
        }
        for (uint32_t i = access_element(f, w, &at) ? wide : 0; i-- > 0;)
            if (visit(k, w, block, at * wide + i))
                return true;
    }
    return false;
}

static bool race_block_run_all(BlockSearch *k, AccessList *l, int64_t block, Visit *visit)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (run_in_block(k, &l->t[i], block, visit))
            return true;
    return false;
}

/* The search ------------------------------------------------------------ */

/* Runs all in the chosen blocks.  True: that ended the search. */
static bool race_block_run_blocks(BlockSearch *k)
{
    int64_t n = k->nblock ? k->nblock : k->all;
    for (int64_t b = 0; b < n; b++)
        if (race_block_run_all(k, &k->w, k->nblock ? k->block[b] : b, write_at))
            return true;
    for (int64_t b = 0; b < n; b++)
        if (race_block_run_all(k, &k->u, k->nblock ? k->block[b] : b, update_at))
            return true;
    for (int64_t b = 0; k->r.n && b < n; b++) {
        int64_t block = k->nblock ? k->block[b] : b;
        bool shared = k->same < MaxSame; /* an element that several write */
        if ((shared && race_block_run_all(k, &k->w, block, own_at)) ||
            race_block_run_all(k, &k->r, block, read_at))
            return true;
    }
    return false;
}

static void thin(AccessList *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        l->t[i].thin = true;
}

/* The corners of all tiles, or the first one of each access, in all blocks if there are not too
 * many. */
static bool run_corners(BlockSearch *k, bool *all)
{
    int64_t count = (int64_t)k->w.n + k->u.n + k->r.n, each;
    thin(&k->w);
    thin(&k->u);
    thin(&k->r);
    each = race_block_points(k, &k->w) + race_block_points(k, &k->u) + race_block_points(k, &k->r);
    k->nblock = 0;
    k->limit = MaxBlockPoints;
    if (k->all > MaxAllBlocks / each) {
        k->limit = 1;
        each = count;
    }
    if (k->all > MaxAllBlocks / each)
        return false;
    *all = true;
    race_block_clear(k, k->all * each * (k->unit ? 8 : 1));
    k->same = MaxSame;
    return race_block_run_blocks(k);
}

/* Equations --------------------------------------------------------------- */

/* Is that one which equations hold for, wherever its loops and conditions lead? */
static bool race_block_settles(const BlockSearch *k, const RaceAccess *t)
{
    return race_loops_run(k->f, t->a);
}

/* The solution: does the access happen there, on that side?  Its block and element. */
static bool happens(BlockSearch *k, const Access *a, bool other, RaceAccess *t, int64_t *block,
                    uint64_t *at)
{
    *t = (RaceAccess){.a = a};
    race_enter(k->parloop, other, t->off);
    *block = race_block_of(k, k->f->env);
    return access_element(k->f, t, at);
}

/* Reports that r reads what w writes, where the equations' solution is one. */
static bool solved(BlockSearch *k, const RaceAccess *w, const RaceAccess *r)
{
    RaceAccess x, y;
    int64_t one, two;
    uint64_t p, q;
    if (!race_block_settles(k, w) || !race_block_settles(k, r) ||
        !happens(k, w->a, false, &x, &one, &p))
        return false;
    const char *theirs = block_text(k);
    if (!happens(k, r->a, true, &y, &two, &q) || p != q || !blocks_unordered(k, one, two))
        return false;
    race_block_say(k, E_race_block_read, r->a, race_block_element_text(k, r->a, y.off),
                   block_text(k), theirs, w->a);
    return true;
}

/* Can two blocks meet in no element of two of the writes?  Equations say so. */
static bool disjoint(BlockSearch *k, const AccessList *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        for (uint32_t j = i; j < l->n; j++)
            if (race_meet(k->parloop, l->t[i].a, l->t[j].a) != 0)
                return false;
    return true;
}

/* What was not looked at: equations find a pair, or none, or a note says that it is open. */
static void race_block_decide(BlockSearch *k, bool *open)
{
    bool sure = disjoint(k, &k->w) && k->u.n == 0;
    *open = !sure;
    for (uint32_t i = 0; i < k->w.n; i++)
        for (uint32_t j = 0; j < k->r.n; j++) {
            int r = race_meet(k->parloop, k->w.t[i].a, k->r.t[j].a);
            if (r > 0 && sure && solved(k, &k->w.t[i], &k->r.t[j]))
                return;
            *open |= r != 0;
        }
}

/* Not all that is done with the buffer which a writes was looked at.  Where that is most of the
 * blocks, seen: how many were, it is said to who runs the program, once; else to who asks. */
static void say_part(BlockSearch *k, const Access *a, int seen)
{
    Ctx *c = &k->f->p->ctx;
    if (k->parloop->blocks_part || !seen)
        diag(c, E_race_part, a->s->loc, NULL);
    else
        diag(c, E_race_blocks_part, a->s->loc, k->f->p->buf[a->buf].name, afmt(c, "%d", seen),
             afmt(c, "%lld", (long long)k->all), NULL);
    k->parloop->blocks_part |= seen > 0;
}

/* A buffer -------------------------------------------------------------- */

/* All that is written of one buffer, and read. */
static void race_block_search(BlockSearch *k)
{
    Facts *f = k->f;
    bool open, all = false;
    for (uint32_t v = 1; v < f->p->nvar; v++)
        f->env[v] = f->dom[v].exact ? f->dom[v].lo : 0;
    int64_t writes = race_block_points(k, &k->w) + race_block_points(k, &k->u);
    choose_blocks(k, writes + race_block_points(k, &k->r));
    int64_t cost = (k->nblock ? k->nblock : k->all) * writes * (k->unit ? 8 : 1);
    int chosen = k->nblock;
    k->part = chosen > 0;
    k->limit = MaxBlockPoints;
    k->same = MaxSame;
    race_block_clear(k, race_block_at_most(cost, MaxBlockWork));
    if (race_block_run_blocks(k) || !k->part || run_corners(k, &all) ||
        k->w.n * (k->w.n + k->r.n) > MaxPairs)
        return;
    race_block_decide(k, &open);
    if (open && !k->found && !k->quiet)
        say_part(k, (k->w.n ? &k->w : &k->u)->t[0].a, all ? 0 : chosen);
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

static void collect_accesses(BlockSearch *k, AccessList *l, const Access *a)
{
    agrow(&k->f->p->ctx, &l->t, &l->cap, l->n + 1, sizeof *l->t);
    l->n += access_of(k->f, k->launch, a, &l->t[l->n]);
}

/* Can the place of its elements in the storage be said? */
static bool compact(const Facts *f, uint32_t buf)
{
    const Buf *b = &f->p->buf[buf];
    for (int d = 0; d < b->ndim; d++)
        if (b->stride[d])
            return false;
    return true;
}

/* Finds what k->unit is for the accesses to the storage of a; false: they cannot be compared. */
static bool race_block_views(BlockSearch *k, const Access *a)
{
    const Facts *f = k->f;
    uint32_t root = buf_root(f->p, a->buf);
    bool one = true, all = true;
    k->unit = dtypeinfo[f->p->buf[a->buf].dt].bits;
    for (uint32_t i = k->frame->first; i < k->frame->last; i++) {
        uint32_t b = f->a[i].buf;
        if (buf_root(f->p, b) != root)
            continue;
        one &= b == a->buf;
        all &= compact(f, b);
        while (k->unit > 1 && dtypeinfo[f->p->buf[b].dt].bits % k->unit)
            k->unit--;
    }
    if (one)
        k->unit = 0;
    return one || all;
}

/* Are some of them updates of two kinds? */
static bool two_ways(const AccessList *l)
{
    bool are = false;
    for (uint32_t i = 1; i < l->n && !are; i++)
        are = race_two_ways(l->t[0].a, l->t[i].a);
    return are;
}

/* The buffer that access `first` of launch k->frame writes: all that is done with it. */
static void race_block_buffer(BlockSearch *k, uint32_t first, enum RaceBlock *how, bool *done)
{
    Facts *f = k->f;
    uint32_t root = buf_root(f->p, f->a[first].buf);
    bool alone = true, same = race_block_views(k, &f->a[first]);
    k->w.n = k->u.n = k->r.n = 0;
    for (uint32_t i = k->frame->first; i < k->frame->last; i++) {
        const Access *a = &f->a[i];
        if (buf_root(f->p, a->buf) != root || !(a->mode & (Aread | Awrite)))
            continue;
        done[i] = true;
        if (!same || how[i] == RBtold || (a->mode & Aread && a->mode & Aatomic))
            continue;
        collect_accesses(k, a->mode & Aread ? &k->r : a->mode & Aatomic ? &k->u : &k->w, a);
        alone &= how[i] != RBopen && how[i] != RBseen;
    }
    k->found = false;
    if (k->w.n + k->u.n > 0 && (!alone || k->w.n > 1 || k->r.n > 0 || (k->w.n && k->u.n) || two_ways(&k->u)))
        race_block_search(k);
}

/* All launches; where sizes were chosen, the buffers that nothing was said of. */
static void each_launch(BlockSearch *k, enum RaceBlock *how, bool say)
{
    Facts *f = k->f;
    bool *done = anew(&f->p->ctx, (f->n + 1) * sizeof *done);
    k->f = f;
    k->work = MaxBlockWork;
    k->other = anew(&f->p->ctx, f->p->nvar * sizeof *k->other);
    for (uint32_t i = 0; i < f->n && !check_full(f); i++) {
        const Access *a = &f->a[i];
        k->frame = done[i] || !(a->mode & Awrite) || f->p->buf[a->buf].scope != SCglobal
                       ? NULL : frame_find(a->in, Slaunch);
        if (!k->frame || (k->parloop->chosen && (how[i] == RBtold || (say && how[i] != RBseen))))
            continue;
        k->launch = k->frame->s;
        k->all = blocks_of(f, k->launch);
        if (k->all < 2 || !race_independent(f, k->frame) ||
            !race_open_blocks(k->parloop, k->frame))
            continue;
        race_block_buffer(k, i, how, done);
        if (k->found)
            how[i] = k->quiet ? RBseen : RBtold;
    }
}

void race_blocks(RaceLoop *n, enum RaceBlock *how)
{
    BlockSearch k = {.parloop = n, .f = n->f};
    each_launch(&k, how, true);
}

void race_blocks_sized(RaceLoop *n, enum RaceBlock *how, bool say)
{
    BlockSearch k = {.parloop = n, .f = n->f, .quiet = !say};
    each_launch(&k, how, say);
}
