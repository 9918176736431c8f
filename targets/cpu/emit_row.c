/* targets/cpu/emit_row.c: innermost loops that go along contiguous elements.
 *
 * Three things that a compiler does not find by itself: rows of half floats
 * are converted by the processor's own instruction; a large tensor that is
 * only written is stored past the caches, which saves reading it first; and a
 * plain copy is one call.  Loops are cut into strips that are computed in the
 * first-level cache, short ones, because a long burst of stores starves the
 * reads beside it. */
#include <inttypes.h>
#include <string.h>

#include "core/ir/expr.h"
#include "emit.h"

enum {
    StripBytes = 1024,
    ShortRow = 32, /* elements; below it a plain loop is as good */
    CachedFloats = 16 * 1024, /* that are converted first: where more loads are, strips are shorter */
    RowsAhead = 4
};

/* How the single store of a loop over var is done. */
typedef struct LoopRow LoopRow;
struct LoopRow {
    Stmt *b;
    uint32_t var;
    Staged *in; uint32_t nin, capin; /* half floats that are converted first */
    bool half, stream; /* the result is converted, or stored past the caches */
};

/* &buf[idx] with var replaced by `at` */
static void put_row(Gen *g, uint32_t buf, const Ex *idx, uint32_t var, Ex at)
{
    Ex from[MaxDim];
    for (int d = 0; d < g->p->buf[buf].ndim; d++)
        from[d] = x_replace(g->p, idx[d], var, at);
    put(g, "%s", g->place[buf].name);
    emit_plus_offset(g, buf, from);
}

static bool unit_stride(Gen *g, uint32_t buf, const Ex *idx, uint32_t var)
{
    int64_t s;
    return access_stride(g, buf, idx, var, &s) && s == 1;
}

static bool half_row(Gen *g, uint32_t buf, const Ex *idx, uint32_t var)
{
    const StorePlace *pl = &g->place[buf];
    return pl->held == DTf16 && !pl->alias && unit_stride(g, buf, idx, var) &&
           !needs_guard(g, buf, idx);
}

typedef struct Staging Staging;
struct Staging { Gen *g; LoopRow *r; };

static ExGo stage_load(void *ud, Ex e)
{
    LoopRow *r = ((Staging *)ud)->r;
    Gen *g = ((Staging *)ud)->g;
    Expr x = *ex_at(g->p, e);
    if (x.op != Xload || !half_row(g, x.sym, x.arg, r->var))
        return EXinto;
    size_t n = x.n * sizeof *x.arg;
    for (uint32_t i = 0; i < r->nin; i++)
        if (r->in[i].buf == x.sym && memcmp(r->in[i].idx, x.arg, n) == 0)
            return EXskip;
    agrow(g->c, &r->in, &r->capin, r->nin + 1, sizeof *r->in);
    r->in[r->nin].buf = x.sym;
    memcpy(r->in[r->nin++].idx, x.arg, n);
    return EXskip;
}

/* The one store that a parallel loop over var consists of; false if there is
 * more to it, or nothing to gain. */
static bool plan_row(Gen *g, const Stmt *nest, uint32_t var, LoopRow *r)
{
    Stmt *b = nest->loop.body;
    *r = (LoopRow){.b = b, .var = var};
    if (nest->loop.kind != Fparallel || !b || b->next || b->kind != Sstore ||
        g->place[b->store.buf].kind == PLscalar || needs_guard(g, b->store.buf, b->store.idx) ||
        !unit_stride(g, b->store.buf, b->store.idx, var))
        return false;
    ex_walk(g->p, b->store.value, stage_load, &(Staging){g, r});
    r->half = half_row(g, b->store.buf, b->store.idx, var);
    r->stream = streams(g, b->store.buf);
    return true;
}

/* Plain copies -------------------------------------------------------------- */

/* The function for a store of a (converted) load, or NULL. */
static const char *copy_function(Gen *g, const LoopRow *r, const Expr *x)
{
    const StorePlace *to = &g->place[r->b->store.buf], *from = &g->place[x->sym];
    enum Dtype src = (enum Dtype)x->dt, dst = (enum Dtype)g->p->buf[r->b->store.buf].dt;
    if (needs_guard(g, x->sym, x->arg) || !unit_stride(g, x->sym, x->arg, r->var) || to->alias ||
        from->alias || from->kind == PLscalar)
        return NULL;
    if (from->held == DTf16 && to->held == DTf32 && (dst == DTf32 || dst == DTf16))
        return use(g, "row_f16_f32");
    if (from->held == DTf32 && to->held == DTf16 && (src == DTf32 || src == DTf16) && !r->stream)
        return use(g, "row_f32_f16");
    if (r->stream && from->held == to->held && src == dst)
        return use(g, "stream");
    return NULL;
}

static bool emit_copy_row(Gen *g, const LoopRow *r, Ex first, Ex n)
{
    Expr x = *ex_at(g->p, r->b->store.value);
    if (x.op == Xcast)
        x = *ex_at(g->p, x.arg[0]);
    const char *fn = x.op == Xload ? copy_function(g, r, &x) : NULL;
    if (!fn)
        return false;
    bool stream = strcmp(fn, "stream") == 0;
    g->streamed = g->streamed || stream;
    begin(g);
    put(g, "%s(", fn);
    put_row(g, r->b->store.buf, r->b->store.idx, r->var, first);
    put(g, ", ");
    put_row(g, x.sym, x.arg, r->var, first);
    put(g, ", ");
    emit_expr(g, n, stream ? PRmul : PRany);
    if (stream)
        put(g, " * %d", dtypeinfo[g->place[x.sym].held].bits / 8);
    put(g, ");\n");
    return true;
}

/* Strips -------------------------------------------------------------------- */

/* for (name = first; name < first + n; name++) { */
static void open_span(Gen *g, uint32_t var, Ex first, int64_t n)
{
    int64_t from;
    room(g);
    const char *name = declare(g, g->p->var[var].name);
    begin(g);
    put(g, "for (int %s = ", name);
    emit_expr(g, first, PRany);
    put(g, "; %s < ", name);
    if (x_isint(g->p, first, &from)) {
        put(g, "%" PRId64, from + n);
    } else {
        emit_expr(g, first, PRadd);
        put(g, " + %" PRId64, n);
    }
    put(g, "; %s++)", name);
    open_brace(g);
    g->name[var] = name;
}

/* A loop over [0, n) in strips; the variable that counts their starts. */
Ex open_strips(Gen *g, int64_t n, int64_t strip)
{
    const char *name = declare(g, "s");
    line(g, "for (int %s = 0; %s < %" PRId64 "; %s += %" PRId64 ") {", name, name, n, name, strip);
    g->indent++;
    uint32_t v = p_var(g->p, Vloop, DTi32, name, 0, n - strip);
    room(g);
    g->name[v] = name;
    return x_var(g->p, v);
}

static void convert_inputs(Gen *g, LoopRow *r, Ex first, int64_t n)
{
    for (uint32_t i = 0; i < r->nin; i++) {
        Staged *t = &r->in[i];
        t->name = declare(g, afmt(g->c, "%s_f32", g->place[t->buf].name));
        line(g, "float %s[%" PRId64 "] __attribute__((aligned(64)));", t->name, n);
        begin(g);
        put(g, "%s(%s, ", use(g, "row_f16_f32"), t->name);
        put_row(g, t->buf, t->idx, r->var, first);
        put(g, ", %" PRId64 ");\n", n);
    }
}

static void write_result(Gen *g, const LoopRow *r, Ex first, int64_t n)
{
    const char *from = "part";
    if (r->half) {
        if (r->stream)
            line(g, "unsigned short half[%" PRId64 "] __attribute__((aligned(64)));", n);
        begin(g);
        put(g, "%s(", use(g, "row_f32_f16"));
        if (r->stream)
            put(g, "half");
        else
            put_row(g, r->b->store.buf, r->b->store.idx, r->var, first);
        put(g, ", part, %" PRId64 ");\n", n);
        from = "half";
    }
    if (r->stream) {
        begin(g);
        put(g, "%s(", use(g, "stream"));
        put_row(g, r->b->store.buf, r->b->store.idx, r->var, first);
        put(g, ", %s, sizeof %s);\n", from, from);
        g->streamed = true;
    }
}

static void emit_strip(Gen *g, LoopRow *r, Ex first, int64_t n)
{
    uint32_t mark = scope_enter(g);
    enum Dtype held = r->half ? DTf32 : (enum Dtype)g->place[r->b->store.buf].held;
    convert_inputs(g, r, first, n);
    if (r->half || r->stream)
        line(g, "%s part[%" PRId64 "] __attribute__((aligned(64)));", held_type(g, held, false), n);
    size_t at = g->scalar.out->n;
    uint32_t branches = g->branches;
    Masks masks = masks_open(g);
    line(g, IVDEP);
    open_span(g, r->var, first, n);
    if (r->half || r->stream) {
        g->strip = r->b->store.buf;
        g->striptype = held;
    }
    g->stripvar = x_bin(g->p, Xsub, x_var(g->p, r->var), first);
    g->staged = r->in;
    g->nstaged = r->nin;
    emit_list(g, r->b);
    g->strip = g->nstaged = 0;
    masks_close(g, masks, r->var, 1, n);
    close_brace(g);
    ivdep_keep(g, at, branches);
    write_result(g, r, first, n);
    scope_leave(g, mark);
    g->name[r->var] = NULL;
}

/* A part of n elements whose converted floats stay in the cache, and on the stack. */
static int64_t strip_cached(const LoopRow *r, int64_t n)
{
    while (n * r->nin > CachedFloats && n % 2 == 0 && n > ShortRow)
        n /= 2;
    return n;
}

static int64_t strip_length(const Gen *g, const LoopRow *r, int64_t n)
{
    int64_t size = r->half ? 4 : held_bytes((enum Dtype)g->place[r->b->store.buf].held, 1),
            strip = n;
    while (strip * size > StripBytes && strip % 2 == 0)
        strip /= 2;
    return strip * size <= 2 * StripBytes ? strip_cached(r, strip) : 0;
}

static bool gains(const LoopRow *r) { return r->nin || r->half || r->stream; }

void emit_span(Gen *g, Stmt *nest, uint32_t var, Ex first, int64_t n)
{
    LoopRow r;
    uint32_t mark = scope_enter(g);
    bool row = plan_row(g, nest, var, &r);
    if (row && emit_copy_row(g, &r, first, x_int(g->p, DTi32, n)))
        return;
    if (row && gains(&r)) {
        int64_t strip = strip_cached(&r, n);
        if (strip < n) {
            first = x_bin(g->p, Xadd, first, open_strips(g, n, strip));
        } else {
            line(g, "{");
            g->indent++;
        }
        emit_strip(g, &r, first, strip);
        close_brace(g);
        return;
    }
    size_t at = g->scalar.out->n;
    uint32_t branches = g->branches;
    Masks masks = masks_open(g);
    bool distinct = stores_distinct(g, nest, var);
    if (distinct)
        line(g, IVDEP);
    open_span(g, var, first, n);
    emit_list(g, nest->loop.body);
    masks_close(g, masks, var, 1, n);
    close_brace(g);
    if (distinct)
        ivdep_keep(g, at, branches);
    scope_leave(g, mark);
    g->name[var] = NULL;
}

/* Short rows of a tensor lie on pages of their own, where the processor's own
 * prefetching begins anew: some rows before one is copied it is asked for. */
static void prefetch_row(Gen *g, const Stmt *nest, int i)
{
    int64_t n, rows, bytes;
    Expr x = *ex_at(g->p, g->ahead);
    if (!g->ahead || nest->loop.n < 2 || i == 0 || g->place[x.sym].kind != PLpointer ||
        !unit_stride(g, x.sym, x.arg, nest->loop.var[i]) || needs_guard(g, x.sym, x.arg) ||
        !x_isint(g->p, nest->loop.hi[i], &n) || !x_isint(g->p, nest->loop.hi[i - 1], &rows))
        return;
    bytes = held_bytes((enum Dtype)g->place[x.sym].held, n);
    if (rows < 16 || bytes < 64 || bytes > 2048)
        return;
    Ex idx[MaxDim];
    uint32_t row = nest->loop.var[i - 1];
    Ex ahead = x_bin(g->p, Xadd, x_var(g->p, row), x_int(g->p, DTi32, RowsAhead));
    for (int d = 0; d < x.n; d++)
        idx[d] = x_replace(g->p, x.arg[d], row, ahead);
    begin(g);
    put(g, "%s(", use(g, "prefetch"));
    put_row(g, x.sym, idx, nest->loop.var[i], x_int(g->p, DTi32, 0));
    put(g, ", %" PRId64 ");\n", bytes);
}

bool emit_specially(Gen *g, Stmt *nest, int i)
{
    LoopRow r;
    int64_t lo, n = 0, strip;
    uint32_t var = nest->loop.var[i];
    if (!x_isint(g->p, nest->loop.lo[i], &lo) || lo != 0 || !plan_row(g, nest, var, &r))
        return false;
    prefetch_row(g, nest, i);
    Ex zero = x_int(g->p, (enum Dtype)g->p->var[var].dt, 0);
    if (emit_copy_row(g, &r, zero, nest->loop.hi[i]))
        return true;
    if (!gains(&r) || !x_isint(g->p, nest->loop.hi[i], &n) || n < ShortRow ||
        (strip = strip_length(g, &r, n)) == 0)
        return false;
    uint32_t mark = scope_enter(g);
    Ex first = zero;
    if (strip < n) {
        first = open_strips(g, n, strip);
    } else {
        line(g, "{");
        g->indent++;
    }
    emit_strip(g, &r, first, strip);
    close_brace(g);
    scope_leave(g, mark);
    return true;
}
