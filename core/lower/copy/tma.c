/* core/lower/copy/tma.c: copies by TMA: boxes of tensor maps, and bulk copies of one
 * run of bytes.
 *
 * The box comes from the shared buffer's layout: along each dimension, from the
 * last on, the run of indices whose offsets go on where the dimensions behind
 * it end; what is left over is iterated, an instruction each.  Limits: 256
 * indices a dimension, an inner row of whole 16 bytes and, with a swizzle, of
 * exactly its span; each box begins at 128 bytes, with a swizzle where its pattern
 * of 8 rows does.  Copies between shared and global memory that have no such boxes
 * become parallel loops, with a note.  Reference: lowering.md 3.6.
 *
 * One thread issues.  Loads of a producer arrive on their barrier pair, whose bytes
 * are expected already; the others on a barrier of their own, that all wait
 * for.  Stores are committed and waited for by that thread, so that they look
 * synchronous. */
#include <string.h>

#include "core/lower/mma/gemm.h"
#include "core/lower/parallel/parallel.h"
#include "core/lower/pipe/pipeline.h"
#include "err/lower.h"

enum { MaxBoxDim = 256, MaxBoxes = 256, RowBytes = 16, BaseBytes = 128 };
enum { Atom = 8 }; /* rows of a swizzle's pattern */

typedef struct CopyBox CopyBox;
struct CopyBox {
    int n;                     /* dimensions of the shared buffer */
    int64_t run[MaxDim];       /* of the box */
    int64_t count[MaxDim];     /* boxes along each */
    int swizzle;
    int64_t total;
    int split;                 /* dimension of which a block of the cluster loads a part, or -1 */
    int64_t part;              /* indices of a part */
};

typedef struct Tma Tma;
struct Tma {
    Low *l;
    Stmt **top;                /* block of the role, or of the launch */
    int first;                 /* its first thread */
    int loops;                 /* around the statement, within it */
    bool alone;              /* one thread is all there is */
};

/* Is `text`, a layout that the user wrote out, one that TMA knows: row-major, or a swizzle? */
static bool tma_written(const Prog *p, const Buf *b, const char *text)
{
    enum { Plain = 16, Widest = 128 }; /* bytes of the XOR's span */
    Layout m, own;
    int32_t size[LayDims];
    int64_t v;
    for (int d = 0; d < b->ndim; d++) {
        if (!x_isint(p, b->shape[d], &v) || v < 1 || v > INT32_MAX)
            return false;
        size[d] = (int32_t)v;
    }
    if (!layout_parse(&m, text))
        return false;
    for (int span = Plain; span <= Widest && m.ndim <= b->ndim; span *= 2) {
        if (span == Plain)
            layout_linear(&own, m.ndim, size + b->ndim - m.ndim);
        else if (!layout_swizzled(&own, m.ndim, size + b->ndim - m.ndim, dtypeinfo[b->dt].bits, span))
            continue;
        if (layout_equal(&m, &own))
            return true;
    }
    return false;
}

bool tma_layout(const Low *l, uint32_t b)
{
    const char *text = l->p->buf[b].layout;
    return !text || strcmp(text, "linear") == 0 || strncmp(text, "swizzle_", 8) == 0 ||
           (*text == '[' && tma_written(l->p, &l->p->buf[b], text));
}

/* Planning of stores, with the pipelines -------------------------------- */

static void plan_store(Low *l, Stmt *s)
{
    const Prog *p = l->p;
    const char *why = NULL;
    const CopyPlan *c = copy_plan(s);
    if (s->op.op != Ocopy || p->buf[s->op.r[0].buf].scope != SCshared ||
        p->buf[s->op.r[1].buf].scope != SCglobal || (c && c->how != CPloop))
        return;
    uint32_t b = s->op.r[0].buf;
    int span = low_buf(l, b)->span;
    if (!select_tma(l, s, &why) || (!tma_layout(l, b) && (why = p->buf[b].layout)) ||
        (span < 0 && (why = p->buf[b].name))) {
        low_note(l, E_tma_plain, s, why);
        return;
    }
    CopyPlan *k = anew(&l->p->ctx, sizeof *k);
    *k = (CopyPlan){.how = CPtma};
    s->op.copy = k;
    low_async(l, b);
}

/* Statements that not all threads execute, or several times each, keep plain
 * stores. */
static void copy_tma_stores(Low *l, Stmt *s)
{
    Stmt **b[2];
    for (; s; s = s->next) {
        if (s->kind == Sop)
            plan_store(l, s);
        if ((s->kind == Sif && !low_uniform(l, s->cond.cond)) ||
            (s->kind == Sfor && s->loop.kind == Fparallel))
            continue;
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            copy_tma_stores(l, *b[i]);
    }
}

void tma_stores(Low *l)
{
    if (l->m->tma)
        copy_tma_stores(l, l->launch->launch.body);
}

/* Boxes ----------------------------------------------------------------- */

/* Length of the run of dimension d's lowest indices with these steps. */
static int64_t tma_run_of(const Layout *m, int d, int64_t step)
{
    int64_t run = 1;
    for (int i = 0; i < m->n; i++) {
        if (m->d[i].dim != d)
            continue;
        if (m->d[i].stride != step * run)
            break;
        run *= m->d[i].extent;
    }
    return run;
}

static int64_t tma_largest_divisor(int64_t n, int64_t run, int64_t cap)
{
    int64_t k = run < cap ? run : cap;
    k = k < n ? k : n;
    while (n % k || run % k)
        k--;
    return k;
}

/* What index i of dimension d adds to the offset. */
static int64_t off_of(const Layout *m, int d, int64_t i)
{
    int64_t off = 0;
    for (int k = 0; k < m->n; k++)
        if (m->d[k].dim == d)
            off += i / m->d[k].weight % m->d[k].extent * m->d[k].stride;
    return off;
}

/* The least multiple of run at all of whose multiples boxes may begin. */
static int64_t begin_of(const Layout *m, int d, int64_t run, int64_t align)
{
    int64_t q = run, n = m->extent[d];
    for (int64_t i = 0; i < n && q < n; i += q)
        if (off_of(m, d, i) % align) {
            q += run;
            i = -q;
        }
    return q < n ? q : n;
}

/* Does region m begin at a multiple of `bytes` along d, whatever runs of `run` indices it
 * begins with?  *why: what it would have to be a multiple of. */
static bool tma_begins(Low *l, const Region *m, int d, int64_t run, int64_t bytes, bool several,
                       const char **why)
{
    const Buf *buf = &l->p->buf[m->buf];
    int64_t align = bytes * 8 / dtypeinfo[buf->dt].bits;
    int64_t q = begin_of(buf->map, d, run, align < 1 ? 1 : align);
    if ((!several || q == run) && (q == 1 || x_multiple(l->p, m->min[d], q)))
        return true;
    *why = afmt(&l->p->ctx, "`%s`: min[%d] %% %lld != 0", buf->name, d, (long long)q);
    return false;
}

static bool box_of(Low *l, const Region *m, CopyBox *b, const char **why)
{
    const Prog *p = l->p;
    const Buf *buf = &p->buf[m->buf];
    const Layout *map = buf->map;
    int64_t step = 1, size = dtypeinfo[buf->dt].bits / 8, e, base;
    bool inner = true;
    if (!map) {
        *why = buf->name;
        return false;
    }
    *b = (CopyBox){.n = buf->ndim, .total = 1, .split = -1,
                   .swizzle = map->x.bits ? 16 << map->x.bits : 0};
    base = b->swizzle ? b->swizzle * Atom : BaseBytes;
    for (int d = buf->ndim - 1; d >= 0; d--) {
        b->run[d] = b->count[d] = 1;
        if (!x_isint(p, m->extent[d], &e) || e == 1) {
            if (!tma_begins(l, m, d, 1, base, false, why))
                return false;
            continue;
        }
        int64_t cap = inner && b->swizzle ? b->swizzle / size : MaxBoxDim;
        b->run[d] = tma_largest_divisor(e, tma_run_of(map, d, step), cap);
        b->count[d] = e / b->run[d];
        b->total *= b->count[d];
        if (!tma_begins(l, m, d, b->run[d], base, b->count[d] > 1, why))
            return false;
        if (inner && ((b->run[d] * size) % RowBytes ||
                      (b->swizzle && b->run[d] * size != b->swizzle))) {
            *why = afmt(&l->p->ctx, "`%s`: %lld B", buf->name, (long long)(b->run[d] * size));
            return false;
        }
        step *= b->run[d];
        inner = false;
    }
    if (b->total > MaxBoxes) {
        *why = afmt(&l->p->ctx, "%lld > %d", (long long)b->total, MaxBoxes);
        return false;
    }
    return true;
}

/* Cuts the boxes into a part for each of n blocks: along a dimension that has
 * several, or else in rows.  False: they do not divide. */
static bool split_boxes(CopyBox *b, int n)
{
    for (int d = b->n - 1; d >= 0 && b->split < 0; d--)
        if (b->count[d] % n == 0 && b->count[d] > 1) {
            b->split = d;
            b->count[d] /= n;
            b->part = b->count[d] * b->run[d];
        }
    for (int d = 0; d < b->n && b->split < 0; d++)
        if (b->count[d] == 1 && b->run[d] % (n * Atom) == 0 && d < b->n - 1) {
            b->split = d;
            b->run[d] /= n;
            b->part = b->run[d];
            return true;
        }
    if (b->split >= 0)
        b->total /= n;
    return b->split >= 0;
}

/* The regions of box number k, of both sides.  Dimensions with an extent of 1
 * are none of the box; the others pair up in order. */
static void box_regions(Low *l, const CopyBox *b, int64_t k, const Region *g, const Region *m,
                        Region *gk, Region *mk)
{
    int blocks = l->launch->launch.cluster[0];
    Ex rank = low_mod(l, x_var(l->p, l->launch->launch.block[0]), blocks > 1 ? blocks : 1);
    const Prog *p = l->p;
    int gd = p->buf[g->buf].ndim - 1;
    int64_t e;
    *gk = *g;
    *mk = *m;
    for (int d = b->n - 1; d >= 0; d--) {
        int64_t at = k % b->count[d] * b->run[d];
        k /= b->count[d];
        if (x_isint(p, m->extent[d], &e) && e == 1)
            continue;
        while (gd >= 0 && x_isint(p, g->extent[gd], &e) && e == 1)
            gd--;
        Ex off = low_i(l, at);
        if (d == b->split)
            off = low_add(l, off, low_mul(l, rank, b->part));
        mk->min[d] = low_add(l, m->min[d], off);
        mk->extent[d] = low_i(l, b->run[d]);
        gk->min[gd] = x_bin(l->p, Xadd, g->min[gd], off);
        gk->extent[gd] = low_i(l, b->run[d]);
        gd--;
    }
}

/* One run of elements on both sides: no box is needed. */
static bool tma_contiguous(Low *l, const Region *m)
{
    const Layout *map = l->p->buf[m->buf].map;
    const char *why;
    int64_t v;
    int live = -1;
    for (int d = 0; map && d < l->p->buf[m->buf].ndim; d++) {
        if (!x_isint(l->p, m->extent[d], &v) || v != 1)
            live = live < 0 ? d : MaxDim;
        if (!tma_begins(l, m, d, 1, RowBytes, false, &why))
            return false;
    }
    return map && !map->x.bits && live >= 0 && live < MaxDim &&
           x_isint(l->p, m->extent[live], &v) && tma_run_of(map, live, 1) >= v;
}

static int64_t region_bytes(Low *l, const Region *r)
{
    int64_t n = 1, v;
    for (int d = 0; d < l->p->buf[r->buf].ndim; d++)
        n *= x_isint(l->p, r->extent[d], &v) ? v : 1;
    return n * dtypeinfo[l->p->buf[r->buf].dt].bits / 8;
}

/* ORDER of attributes in ops.h: of copies, and of what they become. */
enum { CopyEviction = 2, TmaCopyEviction = 0, TmaCopyMask = 1, PutEviction = 0, PutKind = 1 };
enum { TmaSwizzle = 0, TmaEviction = 1, TmaKind = 2 };

static int eviction(const Stmt *s)
{
    return s->op.attr[s->op.op == Ocopy ? CopyEviction : s->op.op == Otma_copy ? TmaCopyEviction
                                                                               : PutEviction];
}

/* The instructions of copy s; bar: of a load, its barrier. */
static Stmt *instructions(Low *l, const Stmt *s, bool bulk, const Region *bar)
{
    const Prog *p = l->p;
    bool load = p->buf[s->op.r[0].buf].scope == SCglobal;
    const Region *g = &s->op.r[!load], *m = &s->op.r[load];
    CopyBox b;
    const char *why = NULL;
    Stmt *list = NULL;
    if (bulk && tma_contiguous(l, m)) {
        Stmt *k = low_op(l, load ? Obulk_load : Obulk_store, s->loc);
        k->op.r[0] = s->op.r[0];
        k->op.r[1] = s->op.r[1];
        if (load)
            k->op.r[2] = *bar;
        k->op.value = load ? low_i(l, 0) : 0;
        k->op.attr[0] = (int32_t)region_bytes(l, m);
        return k;
    }
    if (!box_of(l, m, &b, &why))
        diag_fail(&l->p->ctx, E_copy_tma, s->loc, opinfo[s->op.op].text, why, NULL);
    const CopyPlan *c = copy_plan(s);
    bool parted = c && c->shared && split_boxes(&b, l->launch->launch.cluster[0]);
    if (c && c->shared && !parted) /* each block loads all of it, for itself */
        low_note(l, E_cluster_whole, s, p->buf[m->buf].name);
    for (int64_t i = 0; i < b.total; i++) {
        Stmt *k = low_op(l, load ? Otma_load : Otma_store, s->loc);
        box_regions(l, &b, i, g, m, &k->op.r[!load], &k->op.r[load]);
        k->op.attr[TmaSwizzle] = b.swizzle;
        k->op.attr[TmaEviction] = eviction(s);
        if (load) {
            k->op.r[2] = *bar;
            int mask = s->op.op == Otma_copy ? s->op.attr[TmaCopyMask]
                       : parted              ? (1 << l->launch->launch.cluster[0]) - 1
                                             : 0;
            k->op.value = low_i(l, mask);
        } else if (s->op.op == Otma_put) {
            k->op.attr[TmaKind] = s->op.attr[PutKind];
        }
        list = low_append(list, k);
    }
    return list;
}

/* Loads and stores ------------------------------------------------------ */

static Stmt *elected(Tma *t, Stmt *body)
{
    Low *l = t->l;
    if (t->alone)
        return body;
    return low_guard(l, x_bin(l->p, Xeq, x_var(l->p, l->tid), low_i(l, t->first)), body);
}

static Region tma_object(Low *l, uint32_t buf, Ex at)
{
    Region r = {.buf = buf};
    r.min[0] = at;
    r.extent[0] = low_i(l, 1);
    return r;
}

static Stmt *barrier_op(Low *l, enum Op op, const Region *bar, Ex value, Loc loc)
{
    Stmt *s = low_op(l, op, loc);
    s->op.r[0] = *bar;
    s->op.value = value;
    return s;
}

/* In a loop the parity turns: a variable counts. */
static Ex turning(Tma *t, const Stmt *s, Stmt **behind)
{
    Low *l = t->l;
    Prog *p = l->p;
    Ex one = low_i(l, 1), zero = low_i(l, 0);
    if (t->loops == 0)
        return zero;
    uint32_t v = p_buf(p, SCvar, DTi32, afmt(&p->ctx, "%s_loads", p->buf[s->op.r[1].buf].name),
                       &one, NULL, 1);
    p->buf[v].loc = s->loc;
    Stmt *a = low_alloc(l, v, s->loc), *k = anew(&p->ctx, sizeof *k);
    a->alloc.init = zero;
    a->next = *t->top;
    *t->top = a;
    k->kind = Sstore;
    k->loc = s->loc;
    k->store.buf = v;
    k->store.idx[0] = zero;
    Ex n = x_load(p, v, &zero, 1);
    k->store.value = low_add(l, n, one);
    *behind = k;
    return low_mod(l, n, 2);
}

/* A load that looks synchronous. */
static Stmt *load_and_wait(Tma *t, const Stmt *s, bool bulk)
{
    Low *l = t->l;
    Stmt *behind = NULL;
    uint32_t b = low_barrierbuf(l, afmt(&l->p->ctx, "%s_bar", l->p->buf[s->op.r[1].buf].name), 1);
    Region bar = tma_object(l, b, low_i(l, 0));
    Stmt *init = barrier_op(l, Ombar_init, &bar, low_i(l, 1), s->loc);
    Stmt **at = &l->launch->launch.body; /* behind its allocation */
    init->next = (*at)->next;
    (*at)->next = init;
    Ex parity = turning(t, s, &behind);
    Stmt *list = barrier_op(l, Ombar_arrive_expect, &bar,
                            low_i(l, region_bytes(l, &s->op.r[1])), s->loc);
    list = elected(t, low_append(list, instructions(l, s, bulk, &bar)));
    list = low_append(list, barrier_op(l, Ombar_wait, &bar, parity, s->loc));
    return low_append(list, behind);
}

/* T.tma_copy: the user waits; the bytes are expected here. */
static Stmt *load_only(Tma *t, const Stmt *s, bool bulk)
{
    Low *l = t->l;
    const Region *bar = &s->op.r[2];
    Stmt *list = barrier_op(l, Ombar_expect, bar, low_i(l, region_bytes(l, &s->op.r[1])), s->loc);
    return elected(t, low_append(list, instructions(l, s, bulk, bar)));
}

static Stmt *tma_store_boxes(Tma *t, const Stmt *s, bool bulk)
{
    Low *l = t->l;
    Stmt *list = instructions(l, s, bulk, NULL);
    if (s->op.op == Ocopy) {
        Stmt *wait = low_op(l, Obulk_wait, s->loc);
        wait->op.attr[1] = !store_comes_back(l, s, &s->op.r[1]);
        list = low_append(list, low_op(l, Obulk_commit, s->loc));
        list = low_append(list, wait);
    }
    return elected(t, list);
}

/* Of a copy that need not go by TMA: why it cannot, or NULL. */
static const char *why_not_bulk(Low *l, const Stmt *s, bool bulk)
{
    const CopyPlan *c = copy_plan(s);
    const Region *m = &s->op.r[l->p->buf[s->op.r[0].buf].scope == SCglobal];
    CopyBox b;
    const char *why = NULL;
    if (s->op.op != Ocopy || c->bar || (bulk && tma_contiguous(l, m)) || box_of(l, m, &b, &why))
        return NULL;
    return why;
}

static Stmt *tma_statement(Tma *t, const Stmt *s)
{
    Low *l = t->l;
    const CopyPlan *c = s->op.copy;
    bool bulk = c->how == CPbulk;
    const char *why = why_not_bulk(l, s, bulk);
    if (why) {
        low_note(l, E_tma_plain, s, why);
        return low_copy_parloop(l, s);
    }
    if (l->p->buf[s->op.r[0].buf].scope == SCshared)
        return tma_store_boxes(t, s, bulk);
    if (s->op.op == Otma_copy)
        return load_only(t, s, bulk);
    if (c->bar) {
        uint32_t pipe = c->bar;
        int64_t stages = 1;
        x_isint(l->p, l->p->buf[pipe].shape[0], &stages);
        Region bar = tma_object(l, pipe, low_mod(l, c->use, stages));
        return instructions(l, s, bulk, &bar);
    }
    return load_and_wait(t, s, bulk);
}

static bool tma_planned(const Stmt *s)
{
    const CopyPlan *c = copy_plan(s);
    return c && s->op.op != Oasync_copy && (c->how == CPtma || c->how == CPbulk);
}

static void tma_walk(Tma t, Stmt **at)
{
    Stmt **b[2];
    while (*at) {
        Stmt *s = *at, *next = s->next;
        if (tma_planned(s)) {
            Stmt *list = tma_statement(&t, s);
            while (*at != s) /* allocations may have come before it */
                at = &(*at)->next;
            *at = list;
            while (*at)
                at = &(*at)->next;
            *at = next;
            continue;
        }
        Tma in = t;
        in.loops += s->kind == Sfor || s->kind == Swhile;
        if (s->kind == Srole)
            in = (Tma){t.l, &s->role.body, s->role.lo, 0, s->role.hi - s->role.lo == 1};
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            tma_walk(in, b[i]);
        at = &s->next;
    }
}

void low_tma(Low *l)
{
    tma_walk((Tma){l, &l->launch->launch.body, l->base, 0, l->total == 1}, &l->launch->launch.body);
}
