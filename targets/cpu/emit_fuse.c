/* targets/cpu/emit_fuse.c: statements that go through the same long rows.
 *
 * A softmax over rows copies, reduces, maps, reduces, maps and copies a tile
 * of [R][N].  One after the other, each would move the whole tile through the
 * second-level cache.  Here they run together, a row at a time and within it
 * in strips that stay in the first-level cache; where a statement needs the
 * result of a reduction, a new walk over the row begins.
 *
 * This is allowed when each buffer that one of the statements writes is
 * touched by all of them at one and the same index of (row, column). */
#include <inttypes.h>
#include <string.h>

#include "core/ir/expr.h"
#include "core/ir/reduce.h"
#include "emit.h"

enum {
    LongRow = 2048, /* elements; shorter tiles live in the cache anyway */
    Strip = 1024
};

/* One statement: a parallel nest over (row, column), or a reduction. */
typedef struct FuseLink FuseLink;
struct FuseLink {
    Stmt *s;           /* as it stands in the program */
    Stmt *nest;        /* loops over it, NULL for a reduction */
    uint32_t row, col; /* its variables; row 0: none */
    RowReduce red;
    uint32_t src; /* a reduction's source, and the indices in the chain's variables */
    Ex from[MaxDim], to[MaxDim];
    bool fresh; /* begins a new walk over the row */
    const char *acc;
};

/* A buffer that the chain touches. */
typedef struct ChainAccess ChainAccess;
struct ChainAccess {
    uint32_t buf;
    Ex idx[MaxDim];     /* in the chain's variables */
    bool written, many; /* many: at different indices */
    int reduced;        /* walk in which a reduction wrote it, -1 never */
};

typedef struct FuseChain FuseChain;
struct FuseChain {
    Gen *g;
    FuseLink *link; uint32_t caplink;
    int n;
    int64_t rows, cols;
    uint32_t row, col; /* the chain's own variables */
    ChainAccess *touched; uint32_t captouched;
    int ntouched;
    bool refused; /* what it has touched does not allow it */
};

static bool constant_extent(const Gen *g, const Stmt *s, int i, int64_t *n)
{
    int64_t lo;
    return x_isint(g->p, s->loop.lo[i], &lo) && lo == 0 && x_isint(g->p, s->loop.hi[i], n);
}

/* The nest's shape as (rows, cols); false if it has none. */
static bool nest_shape(const Gen *g, FuseLink *k, int64_t *rows, int64_t *cols)
{
    const Stmt *s = k->nest;
    *rows = 1;
    if (s->loop.kind != Fparallel || s->loop.n < 1 || s->loop.n > 2 || s->loop.step)
        return false;
    k->col = s->loop.var[s->loop.n - 1];
    k->row = s->loop.n == 2 ? s->loop.var[0] : 0;
    for (const Stmt *b = s->loop.body; b; b = b->next)
        if (b->kind != Sstore)
            return false;
    return constant_extent(g, s, s->loop.n - 1, cols) &&
           (s->loop.n == 1 || constant_extent(g, s, 0, rows));
}

/* Accesses --------------------------------------------------------------- */

/* Is something written at one index and touched at another, or by two names? */
static bool chain_clashes(const FuseChain *c, const ChainAccess *t)
{
    const Prog *p = c->g->p;
    for (int i = 0; i < c->ntouched; i++) {
        const ChainAccess *o = &c->touched[i];
        if (o != t && buf_root(p, t->buf) == buf_root(p, o->buf) && (t->written || o->written))
            return true;
    }
    return t->written && t->many;
}

static void chain_touch(FuseChain *c, uint32_t buf, const Ex *idx, bool write, int reduced)
{
    Prog *p = c->g->p;
    int n = p->buf[buf].ndim, i = 0;
    while (i < c->ntouched && c->touched[i].buf != buf)
        i++;
    bool first = i == c->ntouched;
    if (first) {
        agrow(c->g->c, &c->touched, &c->captouched, (uint32_t)++c->ntouched, sizeof *c->touched);
        c->touched[i] = (ChainAccess){.buf = buf, .reduced = -1};
        memcpy(c->touched[i].idx, idx, (size_t)n * sizeof *idx);
    }
    ChainAccess *t = &c->touched[i];
    bool many = t->many || memcmp(t->idx, idx, (size_t)n * sizeof *idx) != 0;
    bool news = first || many != t->many || (write && !t->written);
    t->many = many;
    t->written = t->written || write;
    if (reduced >= 0)
        t->reduced = reduced;
    c->refused = c->refused || (news && chain_clashes(c, t));
}

typedef struct Touching {
    FuseChain *c;
    const FuseLink *k;
    bool waits;
    int walk;
} Touching;

/* idx in the chain's variables */
static void chain_index(const Touching *t, const Ex *idx, int n, Ex *out)
{
    Gen *g = t->c->g;
    ExNew own[2] = {{t->k->col, x_var(g->p, t->c->col)}};
    if (t->k->row)
        own[1] = (ExNew){t->k->row, x_var(g->p, t->c->row)};
    for (int d = 0; d < n; d++)
        out[d] = x_replace_all(g->p, idx[d], own, t->k->row ? 2 : 1);
}

static ExGo cfuse_touch_load(void *ud, Ex e)
{
    Touching *t = ud;
    Expr x = *ex_at(t->c->g->p, e);
    Ex idx[MaxDim];
    if (x.op != Xload)
        return EXinto;
    chain_index(t, x.arg, x.n, idx);
    for (int i = 0; i < t->c->ntouched; i++)
        if (t->c->touched[i].buf == x.sym && t->c->touched[i].reduced == t->walk)
            t->waits = true;
    chain_touch(t->c, x.sym, idx, false, -1);
    return EXinto;
}

/* Every store must name its own column, else it is not elementwise. */
static bool touch_nest(FuseChain *c, FuseLink *k, int walk)
{
    Gen *g = c->g;
    Touching t = {c, k, false, walk};
    Ex idx[MaxDim];
    for (Stmt *b = k->nest->loop.body; b; b = b->next) {
        int n = g->p->buf[b->store.buf].ndim;
        bool own = false;
        ex_walk(g->p, b->store.value, cfuse_touch_load, &t);
        for (int d = 0; d < n; d++) {
            ex_walk(g->p, b->store.idx[d], cfuse_touch_load, &t);
            own = own || x_uses(g->p, b->store.idx[d], k->col);
        }
        chain_index(&t, b->store.idx, n, idx);
        chain_touch(c, b->store.buf, idx, true, -1);
        if (!own || (c->rows > 1 && !k->row))
            return false;
    }
    k->fresh = t.waits;
    return true;
}

static void touch_reduce(FuseChain *c, FuseLink *k, int walk)
{
    Gen *g = c->g;
    const Region *src = &k->s->op.r[0], *dst = &k->s->op.r[1];
    int n = region_rank(g, src), outer = 0;
    Ex of[MaxDim] = {0}, row = x_var(g->p, c->row), col = x_var(g->p, c->col);
    int64_t v;
    for (int d = 0; d < n - 1; d++)
        if (!x_isint(g->p, src->extent[d], &v) || v != 1)
            of[outer = d] = row;
    for (int d = 0; d < n; d++)
        k->from[d] = d == n - 1 ? x_bin(g->p, Xadd, src->min[d], col)
                     : of[d]    ? x_bin(g->p, Xadd, src->min[d], row)
                                : src->min[d];
    reduce_index(g, src, dst, n - 1, of, k->to);
    k->src = src->buf;
    for (int i = 0; i < c->ntouched; i++)
        k->fresh = k->fresh || (c->touched[i].buf == src->buf && c->touched[i].reduced == walk);
    chain_touch(c, src->buf, k->from, false, -1);
    chain_touch(c, dst->buf, k->to, true, k->fresh ? walk + 1 : walk);
}

/* Shape of a reduction, at most one dimension before the last not 1. */
static bool reduce_shape(Gen *g, const Stmt *s, int64_t *rows, int64_t *cols)
{
    const Region *src = &s->op.r[0];
    int n = region_rank(g, src), outer = 0;
    int64_t v;
    *rows = 1;
    for (int d = 0; d < n; d++) {
        if (!x_isint(g->p, src->extent[d], &v))
            return false;
        if (d == n - 1)
            *cols = v;
        else if (v != 1)
            *rows = v, outer++;
    }
    return outer <= 1;
}

/* Building ---------------------------------------------------------------- */

/* Regions that may lie outside of their tile are left to the ordinary way. */
static bool region_inside(Gen *g, const Region *r)
{
    for (int d = 0; d < region_rank(g, r); d++) {
        if (!x_pure(g->p, r->min[d]) ||
            !region_proved(g, r->min[d], r->extent[d], g->p->buf[r->buf].shape[d]))
            return false;
    }
    return true;
}

static bool make_link(Gen *g, Stmt *s, FuseLink *k, int64_t *rows, int64_t *cols)
{
    *k = (FuseLink){.s = s};
    if (s->kind == Sop && s->op.op == Oreduce)
        return reduce_by_rows(g, s, &k->red) && region_inside(g, &s->op.r[0]) &&
               region_inside(g, &s->op.r[1]) && reduce_shape(g, s, rows, cols);
    if (s->kind == Sop && s->op.op == Ocopy && pure_regions(g, s))
        k->nest = copy_nest(g, s->loc, &s->op.r[0], &s->op.r[1]);
    else if (s->kind == Sfor)
        k->nest = nest_squeezed(g, s);
    return k->nest && nest_shape(g, k, rows, cols);
}

static bool extend(FuseChain *c, Stmt *s, int *walk)
{
    int64_t rows = 0, cols = 0;
    agrow(c->g->c, &c->link, &c->caplink, (uint32_t)c->n + 1, sizeof *c->link);
    FuseLink *k = &c->link[c->n];
    if (!make_link(c->g, s, k, &rows, &cols))
        return false;
    if (c->n && (rows != c->rows || cols != c->cols))
        return false;
    c->rows = rows;
    c->cols = cols;
    if (cols < LongRow || cols % Strip)
        return false;
    if (k->nest ? !touch_nest(c, k, *walk) : (touch_reduce(c, k, *walk), false))
        return false;
    if (c->refused)
        return false;
    *walk += k->fresh;
    c->n++;
    return true;
}

/* Forwarding ---------------------------------------------------------------- */

typedef struct Exchange Exchange;
struct Exchange { Prog *p; Ex from, to; };

static int64_t cfuse_exchanged(ExFold *f, Ex e)
{
    const Exchange *k = f->ud;
    return e == k->from ? k->to : ex_refold(k->p, f, e);
}

/* e with the subexpression `from` replaced */
static Ex cfuse_replaced(Prog *p, Ex e, Ex from, Ex to)
{
    return (Ex)ex_fold(&(ExFold){.p = p, .f = cfuse_exchanged, .ud = &(Exchange){p, from, to}}, e);
}

/* The nest's body with loads of `tile` taken from `load` instead, which is in
 * the variables of link `of`. */
static void forward_nest(Gen *g, FuseLink *k, const FuseLink *of, uint32_t tile, Ex load)
{
    ExNew own[2] = {{of->col, x_var(g->p, k->col)}};
    int nown = of->row && k->row ? 2 : 1;
    if (nown > 1)
        own[1] = (ExNew){of->row, x_var(g->p, k->row)};
    Ex here = x_replace_all(g->p, load, own, nown), at[MaxDim], old;
    const Stmt *copy = of->nest->loop.body;
    int n = g->p->buf[tile].ndim;
    for (int d = 0; d < n; d++)
        at[d] = x_replace_all(g->p, copy->store.idx[d], own, nown);
    old = x_load(g->p, tile, at, n);
    Stmt *nest = anew(g->c, sizeof *nest), **tail = &nest->loop.body;
    *nest = *k->nest;
    for (const Stmt *b = k->nest->loop.body; b; b = b->next) {
        Stmt *t = anew(g->c, sizeof *t);
        *t = *b;
        t->store.value = cfuse_replaced(g->p, b->store.value, old, here);
        *tail = t;
        tail = &t->next;
    }
    *tail = NULL;
    k->nest = nest;
}

static bool stores_global(const Gen *g, const FuseLink *k)
{
    for (const Stmt *b = k->nest ? k->nest->loop.body : NULL; b; b = b->next)
        if (g->p->buf[b->store.buf].scope == SCglobal)
            return true;
    return false;
}

/* The link that overwrites what link `a` copied into `tile`, or -1. */
static int overwritten(const FuseChain *c, int a, uint32_t tile)
{
    for (int i = a + 1; i < c->n; i++) {
        const FuseLink *k = &c->link[i];
        if (stores_global(c->g, k))
            return -1;
        const Stmt *b = k->nest ? k->nest->loop.body : NULL;
        if (b && !b->next && b->store.buf == tile && (c->rows == 1 || k->row))
            return i;
    }
    return -1;
}

/* A tile that is copied from a tensor, read, and then overwritten element by
 * element need not be copied: its readers go to the tensor.  Makes *c that
 * chain and gives the tensor's load; 0 if there is no such tile. */
static Ex forward_copy(FuseChain *c)
{
    Gen *g = c->g;
    FuseLink a = c->link[0];
    const Stmt *b = a.nest ? a.nest->loop.body : NULL;
    if (!b || b->next || ex_at(g->p, b->store.value)->op != Xload)
        return 0;
    Ex load = b->store.value;
    Expr x = *ex_at(g->p, load);
    uint32_t tile = b->store.buf;
    int64_t stride;
    int last = overwritten(c, 0, tile);
    if (last < 0 || g->place[tile].kind == PLpointer || g->place[x.sym].kind != PLpointer ||
        g->place[x.sym].held != g->place[tile].held || g->place[x.sym].alias ||
        !access_stride(g, x.sym, x.arg, a.col, &stride) || stride != 1)
        return 0;
    for (int i = 1; i <= last; i++) {
        FuseLink *k = &c->link[i];
        if (k->nest) {
            forward_nest(g, k, &a, tile, load);
        } else if (k->src == tile) {
            Touching t = {c, &a, false, 0};
            k->src = x.sym;
            chain_index(&t, x.arg, x.n, k->from);
        }
    }
    c->n--;
    memmove(&c->link[0], &c->link[1], (size_t)c->n * sizeof c->link[0]);
    return load;
}

/* Printing ---------------------------------------------------------------- */

static void begin_reduce(Gen *g, FuseLink *k)
{
    k->acc = declare(g, "acc");
    begin(g);
    put(g, "%s %s = ", value_type(k->red.dt), k->acc);
    emit_expr(g, red_identity(g->p, k->red.kind, k->red.dt), PRany);
    put(g, ";\n");
}

/* Its name stays taken to the end of the strip: another sum may follow in the same block. */
static void strip_of_reduce(FuseChain *c, FuseLink *k, Ex first)
{
    Gen *g = c->g;
    uint32_t buf = k->src;
    Ex at[MaxDim];
    for (int d = 0; d < g->p->buf[buf].ndim; d++)
        at[d] = x_replace(g->p, k->from[d], c->col, first);
    const char *part = declare(g, "t");
    begin(g);
    put(g, "const %s %s = %s(%s", value_type(k->red.dt), part, use(g, k->red.helper),
        g->place[buf].name);
    emit_plus_offset(g, buf, at);
    put(g, ", %d);\n", Strip);
    Ex v = red_combine(g->p, k->red.kind, false, value_new(g, k->red.dt, k->acc),
                          value_new(g, k->red.dt, part));
    begin(g);
    put(g, "%s = ", k->acc);
    emit_expr(g, v, PRany);
    put(g, ";\n");
}

static void end_reduce(Gen *g, FuseLink *k)
{
    const Region *dst = &k->s->op.r[1];
    Ex v = value_new(g, k->red.dt, k->acc);
    if (!k->red.clear)
        v = red_combine(
            g->p, k->red.kind, false,
            x_cast(g->p, k->red.dt, x_load(g->p, dst->buf, k->to, region_rank(g, dst))), v);
    emit_assign(g, dst->buf, k->to, x_cast(g->p, (enum Dtype)g->p->buf[dst->buf].dt, v));
}

/* Links from .. to - 1 in one walk over the row. */
static void emit_walk(FuseChain *c, int from, int to)
{
    Gen *g = c->g;
    for (int i = from; i < to; i++)
        if (!c->link[i].nest)
            begin_reduce(g, &c->link[i]);
    uint32_t inner = scope_enter(g);
    Ex first = open_strips(g, c->cols, Strip);
    for (int i = from; i < to; i++) {
        FuseLink *k = &c->link[i];
        note_line(g, k->s->loc);
        g->here = k->s->loc;
        if (k->nest)
            emit_span(g, k->nest, k->col, first, Strip);
        else
            strip_of_reduce(c, k, first);
    }
    close_brace(g);
    scope_leave(g, inner);
    for (int i = from; i < to; i++)
        if (!c->link[i].nest)
            end_reduce(g, &c->link[i]);
}

static void emit_rows(FuseChain *c)
{
    Gen *g = c->g;
    uint32_t mark = scope_enter(g);
    const char *row = NULL;
    if (c->rows > 1) {
        row = declare(g, "i");
        line(g, "for (int %s = 0; %s < %" PRId64 "; %s++) {", row, row, c->rows, row);
    } else {
        line(g, "{");
    }
    g->indent++;
    room(g);
    for (int i = 0; i <= c->n; i++) {
        uint32_t v = i < c->n ? c->link[i].row : c->row;
        if (v)
            g->name[v] = row ? row : "0";
    }
    for (int from = 0, to; from < c->n; from = to) {
        to = from + 1;
        while (to < c->n && !c->link[to].fresh)
            to++;
        emit_walk(c, from, to);
    }
    close_brace(g);
    scope_leave(g, mark);
    for (int i = 0; i < c->n; i++)
        if (c->link[i].row)
            g->name[c->link[i].row] = NULL;
}

/* Both forms of a chain; the forwarded one holds where its load needs no
 * guard. */
typedef struct Forms {
    FuseChain *plain, forwarded;
    Ex load;
} Forms;

static void print_chain(void *ud)
{
    Forms *f = ud;
    Gen *g = f->plain->g;
    Expr x = *ex_at(g->p, f->load);
    emit_rows(f->load && !needs_guard(g, x.sym, x.arg) ? &f->forwarded : f->plain);
}

static void emit_chain(FuseChain *c)
{
    Gen *g = c->g;
    Tests t = {0};
    Forms *f = anew(g->c, sizeof *f);
    *f = (Forms){.plain = c, .forwarded = *c};
    f->forwarded.link = anew(g->c, (size_t)c->n * sizeof *c->link);
    memcpy(f->forwarded.link, c->link, (size_t)c->n * sizeof *c->link);
    f->load = forward_copy(&f->forwarded);
    begin_tests(g);
    for (int k = 0; k < 2; k++) {
        const FuseChain *q = k ? &f->forwarded : c;
        for (int i = 0; i < q->n; i++)
            if (q->link[i].nest)
                collect_tests(g, q->link[i].nest, &t);
    }
    line(g, "/* lines %" PRIu32 " to %" PRIu32 " together, by strips that stay in the cache */",
         c->link[0].s->loc.line, c->link[c->n - 1].s->loc.line);
    bool outer = g->innest;
    g->innest = true;
    for (int i = 0; i < c->n; i++)
        forget_written(g, c->link[i].s);
    emit_tested(g, &t, print_chain, f);
    g->innest = outer;
}

Stmt *emit_fused(Gen *g, Stmt *s)
{
    bool op = s->kind == Sop && (s->op.op == Oreduce || s->op.op == Ocopy);
    if (g->innest || !(op || (s->kind == Sfor && s->loop.kind == Fparallel)) || !s->next)
        return s;
    FuseChain *c = anew(g->c, sizeof *c);
    Loc here = g->here;
    g->here = s->loc;
    *c = (FuseChain){.g = g,
                     .row = p_var(g->p, Vloop, DTi32, "i", 0, INT32_MAX),
                     .col = p_var(g->p, Vloop, DTi32, "j", 0, INT32_MAX)};
    room(g);
    int walk = 0;
    for (Stmt *t = s; t && extend(c, t, &walk);)
        t = t->next;
    if (c->n >= 2) {
        g->loop[c->row] = (LoopVar){x_int(g->p, DTi32, 0), x_int(g->p, DTi32, c->rows), 0, 0};
        g->p->var[c->row].hi = c->rows - 1;
        g->p->var[c->col].hi = c->cols - 1;
        g->ranges++;
        emit_chain(c);
        s = c->link[c->n - 1].s->next;
    }
    g->here = here;
    return s;
}
