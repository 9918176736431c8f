/* targets/cpu/emit_copy.c: tile operations that move data: copy, fill,
 * transpose, print.  Each becomes a parallel loop nest over the region, so
 * edges, conversions and vectorising are those of any nest. */
#include <inttypes.h>
#include <string.h>

#include "emit.h"
#include "err/kernel.h"

static const char *const names[MaxDim] = {"i", "j", "k", "l", "m", "n", "o", "q"};

int region_rank(const Gen *g, const Region *r) { return g->p->buf[r->buf].ndim; }

Region region_of(Gen *g, uint32_t buf) { return r_whole(g->p, buf); }

static bool is_literal_one(const Gen *g, Ex e)
{
    int64_t v;
    return x_isint(g->p, e, &v) && v == 1;
}

int64_t tile_stride(const Gen *g, uint32_t buf, int d)
{
    const Buf *b = &g->p->buf[buf];
    int64_t s = 1, v;
    for (int i = b->ndim - 1; i > d; i--)
        s *= x_isint(g->p, b->shape[i], &v) ? v : 1;
    return s;
}

uint32_t tile_new(Gen *g, const char *name, enum Dtype dt, enum Dtype held, const int64_t *extent,
                  int n)
{
    Ex shape[MaxDim];
    uint32_t cap = g->p->nbuf;
    int64_t count = 1;
    for (int i = 0; i < n; i++) {
        shape[i] = x_int(g->p, DTi32, extent[i]);
        count *= extent[i];
    }
    uint32_t b = p_buf(g->p, SClocal, dt, name, shape, NULL, n);
    agrow(g->c, &g->place, &cap, g->p->nbuf, sizeof *g->place);
    int64_t at = scratch_take(g, held_bytes(held, count));
    const char *type = held_type(g, held, false);
    g->place[b] = (StorePlace){.name = declare(g, name),
                               .kind = PLscratch,
                               .held = (uint8_t)held,
                               .written = true,
                               .live = true,
                               .offset = at,
                               .count = count};
    line(g, "%s *restrict %s = (%s *)(scratch + %" PRId64 ");", type, g->place[b].name, type, at);
    return b;
}

void check_region(Gen *g, const Region *r)
{
    for (int d = 0; d < region_rank(g, r); d++) {
        Ex shape = g->p->buf[r->buf].shape[d];
        if (region_proved(g, r->min[d], r->extent[d], shape))
            continue;
        begin(g);
        put(g, "%s(rt, ", use(g, "region"));
        emit_expr(g, r->min[d], PRany);
        put(g, ", ");
        emit_expr(g, r->extent[d], PRany);
        put(g, ", ");
        emit_expr(g, shape, PRany);
        put(g, ", ");
        put_string(g, g->p->buf[r->buf].name);
        put(g, ", %" PRIu32 ");\n", g->here.line);
    }
}

/* The dimensions of a region whose extent is not 1. */
static int ccopy_squeeze(const Gen *g, const Region *r, int *dim)
{
    int n = 0;
    for (int d = 0; d < region_rank(g, r); d++)
        if (!is_literal_one(g, r->extent[d]))
            dim[n++] = d;
    return n;
}

/* Index of the region's element at v[0], v[1] .. along dimensions dim[]. */
static void ccopy_index_at(Gen *g, const Region *r, const int *dim, int n, const uint32_t *v,
                           Ex *idx)
{
    memcpy(idx, r->min, sizeof r->min);
    for (int i = 0; i < n; i++)
        idx[dim[i]] = x_bin(g->p, Xadd, idx[dim[i]], x_var(g->p, v[i]));
}

/* One store, or a nest of loops around it. */
static void emit_nest_of(Gen *g, Stmt *nest, Stmt *body)
{
    if (nest->loop.n) {
        nest->loop.body = body;
        emit_for(g, nest);
    } else {
        emit_stmt(g, body);
    }
}

static Stmt *nest_over(Gen *g, Loc l, const Region *r, const int *dim, int n)
{
    Ex extent[MaxDim];
    for (int i = 0; i < n; i++)
        extent[i] = r->extent[dim[i]];
    return nest_new(g, l, names, extent, n);
}

Stmt *copy_nest(Gen *g, Loc l, const Region *src, const Region *dst)
{
    int from[MaxDim], to[MaxDim], n = ccopy_squeeze(g, src, from);
    Ex a[MaxDim], b[MaxDim];
    ccopy_squeeze(g, dst, to);
    Stmt *nest = nest_over(g, l, dst, to, n);
    ccopy_index_at(g, src, from, n, nest->loop.var, a);
    ccopy_index_at(g, dst, to, n, nest->loop.var, b);
    nest->loop.body = store_new(g, l, dst->buf, b, x_load(g->p, src->buf, a, region_rank(g, src)));
    return nest;
}

static void copy_region(Gen *g, Loc l, const Region *src, const Region *dst)
{
    Stmt *nest = copy_nest(g, l, src, dst);
    Ex load = nest->loop.body->store.value;
    if (ex_at(g->p, load)->op == Xcast)
        load = ex_at(g->p, load)->arg[0];
    g->ahead = load;
    emit_nest_of(g, nest, nest->loop.body);
    g->ahead = 0;
}

void emit_copy(Gen *g, Stmt *s) { copy_region(g, s->loc, &s->op.r[0], &s->op.r[1]); }

void emit_fill(Gen *g, Stmt *s)
{
    int dim[MaxDim], n = ccopy_squeeze(g, &s->op.r[0], dim);
    Ex idx[MaxDim], v = s->op.value;
    uint32_t mark = scope_enter(g);
    bool plain = ex_at(g->p, v)->n == 0;
    if (!plain) { /* evaluated once */
        emit_temps(g, &v, 1);
        const char *name = declare(g, "value");
        begin(g);
        put(g, "const %s %s = ", value_type(ex_type(g->p, v)), name);
        emit_expr(g, v, PRany);
        put(g, ";\n");
        end_shared(g);
        v = value_new(g, ex_type(g->p, v), name);
    }
    Stmt *nest = nest_over(g, s->loc, &s->op.r[0], dim, n);
    ccopy_index_at(g, &s->op.r[0], dim, n, nest->loop.var, idx);
    emit_nest_of(g, nest, store_new(g, s->loc, s->op.r[0].buf, idx, v));
    if (plain)
        scope_leave(g, mark);
}

void emit_transpose(Gen *g, Stmt *s)
{
    const Region *src = &s->op.r[0], *dst = &s->op.r[1];
    int from[MaxDim], to[MaxDim], n = ccopy_squeeze(g, src, from);
    Ex a[MaxDim], b[MaxDim];
    uint32_t v[MaxDim];
    ccopy_squeeze(g, dst, to);
    Stmt *nest = nest_over(g, s->loc, src, from, n);
    memcpy(v, nest->loop.var, sizeof v);
    ccopy_index_at(g, src, from, n, v, a);
    if (n >= 2) {
        uint32_t t = v[n - 1];
        v[n - 1] = v[n - 2];
        v[n - 2] = t;
    }
    ccopy_index_at(g, dst, to, n, v, b);
    emit_nest_of(g, nest,
                 store_new(g, s->loc, dst->buf, b, x_load(g->p, src->buf, a, region_rank(g, src))));
}

/* Printing -------------------------------------------------------------- */

static void ccopy_put_text(Gen *g, const char *s)
{
    if (s)
        put_string(g, s);
    else
        put(g, "0");
}

static void print_record(Gen *g, const char *message, const char *name, enum Dtype dt, int ndim)
{
    g->prints = true;
    begin(g);
    put(g, "const MtPrint what = {");
    ccopy_put_text(g, message);
    put(g, ", ");
    ccopy_put_text(g, name);
    put(g, ", %d, %d", (int)dt, ndim);
}

void emit_print_value(Gen *g, Stmt *s)
{
    Ex v = s->print.value;
    uint32_t mark = scope_enter(g);
    begin(g);
    put(g, "{\n");
    g->indent++;
    if (v) {
        enum Dtype dt = ex_type(g->p, v);
        emit_temps(g, &v, 1);
        begin(g);
        put(g, "const %s value = ", held_type(g, dt, false));
        emit_to_held(g, v, dt);
        put(g, ";\n");
        end_shared(g);
        print_record(g, s->print.text, NULL, dt, 0);
    } else {
        print_record(g, s->print.text, NULL, DTnone, -1);
    }
    put(g, ", {0}, {0}, %" PRIu32 "};\n", s->loc.line);
    line(g, "rt->print(rt, &what, %s);", v ? "&value" : "0");
    close_brace(g);
    scope_leave(g, mark);
}

/* Whether the region can be printed from where it lies. */
static bool printable(Gen *g, const Region *r)
{
    const Buf *b = &g->p->buf[r->buf];
    if (g->place[r->buf].held != b->dt || b->dt == DTi4 || b->dt == DTu4 ||
        g->place[r->buf].kind == PLscalar)
        return false;
    for (int d = 0; d < b->ndim; d++) {
        if (!region_proved(g, r->min[d], r->extent[d], g->p->buf[r->buf].shape[d]))
            return false;
        b = &g->p->buf[r->buf];
    }
    return true;
}

static void emit_stride(Gen *g, uint32_t buf, int d)
{
    const Buf *b = &g->p->buf[buf];
    if (b->stride[0]) {
        emit_expr(g, b->stride[d], PRany);
        return;
    }
    put(g, d + 1 < b->ndim ? "(long)" : "1");
    for (int i = d + 1; i < b->ndim; i++) {
        put(g, i > d + 1 ? " * " : "");
        emit_expr(g, g->p->buf[buf].shape[i], PRunary);
        b = &g->p->buf[buf];
    }
}

/* A copy in the buffer's own type, for tiles that are held otherwise. */
static Region ccopy_stage(Gen *g, Loc l, const Region *r)
{
    int64_t extent[MaxDim];
    enum Dtype dt = (enum Dtype)g->p->buf[r->buf].dt;
    int n = region_rank(g, r);
    for (int d = 0; d < n; d++)
        if (!x_isint(g->p, r->extent[d], &extent[d]))
            diag_fail(g->c, E_extent_static, l, "print", g->p->buf[r->buf].name,
                      afmt(g->c, "%d", d), NULL);
    Region to = region_of(g, tile_new(g, "staged", dt, dt, extent, n));
    if (g->place[r->buf].kind == PLscalar) {
        Ex zero = x_int(g->p, DTi32, 0);
        emit_assign(g, to.buf, &zero, x_load(g->p, r->buf, &zero, 1));
    } else {
        copy_region(g, l, r, &to);
    }
    return to;
}

void emit_print_region(Gen *g, Stmt *s)
{
    Region r = s->op.r[0];
    if (!r.buf) {
        Stmt v = {.kind = Sprint, .loc = s->loc};
        v.print.text = s->op.text;
        emit_print_value(g, &v);
        return;
    }
    uint32_t mark = scope_enter(g);
    const char *name = g->p->buf[r.buf].name;
    enum Dtype dt = (enum Dtype)g->p->buf[r.buf].dt;
    begin(g);
    put(g, "{\n");
    g->indent++;
    if (!printable(g, &r))
        r = ccopy_stage(g, s->loc, &r);
    int n = region_rank(g, &r);
    print_record(g, s->op.text, name, dt, n);
    put(g, ", {");
    for (int d = 0; d < n; d++) {
        put(g, d ? ", " : "");
        emit_expr(g, r.extent[d], PRany);
    }
    put(g, "}, {");
    for (int d = 0; d < n; d++) {
        put(g, d ? ", " : "");
        emit_stride(g, r.buf, d);
    }
    put(g, "}, %" PRIu32 "};\n", s->loc.line);
    begin(g);
    put(g, "rt->print(rt, &what, %s", g->place[r.buf].name);
    emit_plus_offset(g, r.buf, r.min);
    put(g, ");\n");
    close_brace(g);
    scope_leave(g, mark);
}
