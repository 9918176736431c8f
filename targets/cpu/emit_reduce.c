/* targets/cpu/emit_reduce.c: reductions and prefix scans over a tile.
 *
 * Sums and extrema are formed in float32 (float64 if either side is) and
 * rounded once to the destination's type.  Along contiguous elements a helper
 * keeps several vectors of partial results; along any other dimension whole
 * rows are combined.  As on the GPU, NaN loses against a number in max and min
 * unless nan_propagate is set. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/ir/reduce.h"
#include "emit.h"

static const char *const names[MaxDim] = {"i", "j", "k", "l", "m", "n", "o", "q"};

static Ex reduced_element(Gen *g, int kind, enum Dtype dt, enum Dtype dst, const Region *r,
                          const Ex *idx)
{
    return red_element(g->p, kind, dt, dst, x_load(g->p, r->buf, idx, region_rank(g, r)));
}

/* Indices: of[d] is the loop variable of source dimension d. */
static void src_index(Gen *g, const Region *r, const Ex *of, Ex *idx)
{
    for (int d = 0; d < region_rank(g, r); d++)
        idx[d] = of[d] ? x_bin(g->p, Xadd, r->min[d], of[d]) : r->min[d];
}

void reduce_index(Gen *g, const Region *src, const Region *dst, int dim, const Ex *of, Ex *idx)
{
    int ns = region_rank(g, src), nd = region_rank(g, dst);
    for (int d = 0, j = 0; d < ns && j < nd; d++) {
        if (d == dim && nd != ns)
            continue;
        idx[j] = d != dim && of[d] ? x_bin(g->p, Xadd, dst->min[j], of[d]) : dst->min[j];
        j++;
    }
    if (ns == 1)
        idx[0] = dst->min[0];
}

static int64_t reduce_extent(const Gen *g, const Region *r, int d)
{
    int64_t v = 1;
    x_isint(g->p, r->extent[d], &v);
    return v;
}

/* Opens loops over all dimensions but dim; of[] gets their variables. */
static int open_outer(Gen *g, const Region *r, int dim, Ex *of, Ex *var, Masks *masks)
{
    Ex ext[MaxDim];
    int n = 0, at[MaxDim];
    for (int d = 0; d < region_rank(g, r); d++) {
        of[d] = 0;
        if (d == dim || reduce_extent(g, r, d) == 1)
            continue;
        at[n] = d;
        ext[n++] = r->extent[d];
    }
    *masks = loops_open(g, names, ext, n, var);
    for (int i = 0; i < n; i++)
        of[at[i]] = var[i];
    return n;
}

/* Name of the helper for a contiguous row, or NULL. */
static const char *row_helper(Gen *g, char *buf, size_t n, int kind, bool nan, enum Dtype dt,
                              const Region *src, int dim)
{
    if (redinfo[kind].types == 'i' || nan || g->place[src->buf].held != dt || (dt != DTf32 && dt != DTf64) ||
        tile_stride(g, src->buf, dim) != 1 || g->place[src->buf].alias)
        return NULL;
    snprintf(buf, n, "row_%s_%s", redinfo[kind].text, dt == DTf64 ? "f64" : "f32");
    return buf;
}

/* acc = the reduction of src along dim at the current outer position. */
static void reduce_line(Gen *g, int kind, bool nan, enum Dtype dt, enum Dtype ddt,
                        const Region *src, int dim, Ex *of, const char *acc)
{
    char name[32];
    Ex idx[MaxDim], var, a;
    const char *helper = row_helper(g, name, sizeof name, kind, nan, dt, src, dim);
    if (helper) {
        src_index(g, src, of, idx);
        begin(g);
        put(g, "const %s %s = %s(%s", value_type(dt), acc, use(g, helper), g->place[src->buf].name);
        emit_plus_offset(g, src->buf, idx);
        put(g, ", %" PRId64 ");\n", reduce_extent(g, src, dim));
        return;
    }
    begin(g);
    put(g, "%s %s = ", value_type(dt), acc);
    emit_expr(g, red_identity(g->p, kind, dt), PRany);
    put(g, ";\n");
    a = value_new(g, dt, acc);
    Masks masks = loops_open(g, &names[2], &src->extent[dim], 1, &var);
    of[dim] = var;
    src_index(g, src, of, idx);
    of[dim] = 0;
    Ex v = red_combine(g->p, kind, nan, a, reduced_element(g, kind, dt, ddt, src, idx));
    emit_temps(g, &v, 1);
    begin(g);
    put(g, "%s = ", acc);
    emit_expr(g, v, PRany);
    put(g, ";\n");
    end_shared(g);
    loops_close(g, masks, &var, 1);
}

static void reduce_lines(Gen *g, Stmt *s, int kind, int dim, bool clear, bool nan)
{
    const Region *src = &s->op.r[0], *dst = &s->op.r[1];
    enum Dtype ddt = (enum Dtype)g->p->buf[dst->buf].dt;
    enum Dtype dt = red_type((enum Dtype)g->p->buf[src->buf].dt, ddt);
    Ex of[MaxDim], var[MaxDim], idx[MaxDim];
    uint32_t mark = scope_enter(g);
    begin(g);
    put(g, "{\n");
    g->indent++;
    Masks masks;
    int n = open_outer(g, src, dim, of, var, &masks);
    const char *acc = declare(g, "acc");
    reduce_line(g, kind, nan, dt, ddt, src, dim, of, acc);
    Ex v = value_new(g, dt, acc);
    reduce_index(g, src, dst, dim, of, idx);
    if (!clear)
        v = red_combine(g->p, kind, nan,
                           x_cast(g->p, dt, x_load(g->p, dst->buf, idx, region_rank(g, dst))), v);
    emit_assign(g, dst->buf, idx, x_cast(g->p, ddt, v));
    loops_close(g, masks, var, n);
    close_brace(g);
    scope_leave(g, mark);
}

/* Along a dimension that is not contiguous: dst op= row, for each row. */
static void reduce_rows(Gen *g, Stmt *s, int kind, int dim, bool clear, bool nan)
{
    const Region *src = &s->op.r[0], *dst = &s->op.r[1];
    enum Dtype dt = (enum Dtype)g->p->buf[dst->buf].dt;
    Ex idx[MaxDim], from[MaxDim], of[MaxDim] = {0}, ext[MaxDim], v;
    int at[MaxDim], n = 0, last = region_rank(g, src) - 1;
    const char *nm[MaxDim];
    if (clear) {
        Stmt f = {.kind = Sop, .loc = s->loc};
        f.op.op = Ofill;
        f.op.r[0] = *dst;
        f.op.value = red_identity(g->p, kind, dt);
        emit_fill(g, &f);
    }
    for (int d = 0; d <= last; d++) /* the reduced dimension just outside the last */
        if (d != dim && d != last && reduce_extent(g, src, d) > 1)
            at[n++] = d;
    at[n++] = dim;
    at[n++] = last;
    for (int i = 0; i < n; i++) {
        ext[i] = src->extent[at[i]];
        nm[i] = at[i] == dim ? "r" : names[i];
    }
    Stmt *nest = nest_new(g, s->loc, nm, ext, n - 1);
    Stmt *inner = nest_new(g, s->loc, &nm[n - 1], &ext[n - 1], 1);
    nest->loop.kind = Fserial;
    nest->loop.body = inner;
    for (int i = 0; i < n - 1; i++)
        of[at[i]] = x_var(g->p, nest->loop.var[i]);
    of[last] = x_var(g->p, inner->loop.var[0]);
    src_index(g, src, of, from);
    reduce_index(g, src, dst, dim, of, idx);
    v = red_combine(g->p, kind, nan, x_load(g->p, dst->buf, idx, region_rank(g, dst)),
                       reduced_element(g, kind, dt, dt, src, from));
    inner->loop.body = store_new(g, s->loc, dst->buf, idx, v);
    emit_for(g, nest);
}

bool reduce_by_rows(Gen *g, const Stmt *s, RowReduce *q)
{
    const Region *src = &s->op.r[0], *dst = &s->op.r[1];
    int n = region_rank(g, src),
        dim = s->op.attr[REdim] < 0 ? s->op.attr[REdim] + n : s->op.attr[REdim];
    *q = (RowReduce){.kind = s->op.attr[REkind], .clear = s->op.attr[REclear] != 0};
    q->dt = red_type((enum Dtype)g->p->buf[src->buf].dt, (enum Dtype)g->p->buf[dst->buf].dt);
    return dim == n - 1 && row_helper(g, q->helper, sizeof q->helper, q->kind,
                                      s->op.attr[REnan] != 0, q->dt, src, dim);
}

void emit_reduce(Gen *g, Stmt *s)
{
    const Region *src = &s->op.r[0], *dst = &s->op.r[1];
    int kind = s->op.attr[REkind], dim = s->op.attr[REdim], n = region_rank(g, src);
    bool clear = s->op.attr[REclear], nan = s->op.attr[REnan];
    enum Dtype sdt = (enum Dtype)g->p->buf[src->buf].dt, ddt = (enum Dtype)g->p->buf[dst->buf].dt;
    if (dim < 0)
        dim += n;
    check_region(g, src);
    check_region(g, dst);
    bool rows = dim < n - 1 && reduce_extent(g, src, n - 1) >= 8 &&
                reduce_extent(g, src, dim) > 1 && red_type(sdt, ddt) == ddt &&
                g->place[dst->buf].held == ddt && !g->place[dst->buf].alias;
    if (rows)
        reduce_rows(g, s, kind, dim, clear, nan);
    else
        reduce_lines(g, s, kind, dim, clear, nan);
}

void emit_scan(Gen *g, Stmt *s)
{
    const Region *src = &s->op.r[0], *dst = &s->op.r[1];
    int kind = s->op.attr[SNkind] == Rmax ? Rmax : Rsum, dim = s->op.attr[SNdim];
    enum Dtype ddt = (enum Dtype)g->p->buf[dst->buf].dt;
    enum Dtype sdt = (enum Dtype)g->p->buf[src->buf].dt, dt = red_type(sdt, sdt);
    Ex of[MaxDim], var[MaxDim], idx[MaxDim], k;
    if (dim < 0)
        dim += region_rank(g, src);
    check_region(g, src);
    check_region(g, dst);
    uint32_t mark = scope_enter(g);
    begin(g);
    put(g, "{\n");
    g->indent++;
    Masks masks;
    int n = open_outer(g, src, dim, of, var, &masks);
    const char *acc = declare(g, "acc");
    begin(g);
    put(g, "%s %s = ", value_type(dt), acc);
    emit_expr(g, red_identity(g->p, kind, dt), PRany);
    put(g, ";\n");
    Ex a = value_new(g, dt, acc);
    Masks line_masks = loops_open(g, &names[2], &src->extent[dim], 1, &k);
    of[dim] = s->op.attr[SNreverse]
                  ? x_bin(g->p, Xsub, x_int(g->p, DTi32, reduce_extent(g, src, dim) - 1), k)
                  : k;
    src_index(g, src, of, idx);
    begin(g);
    put(g, "%s = ", acc);
    emit_expr(g, red_combine(g->p, kind, false, a, reduced_element(g, kind, dt, sdt, src, idx)), PRany);
    put(g, ";\n");
    src_index(g, dst, of, idx);
    emit_assign(g, dst->buf, idx, x_cast(g->p, ddt, x_cast(g->p, sdt, a)));
    loops_close(g, line_masks, &k, 1);
    loops_close(g, masks, var, n);
    close_brace(g);
    scope_leave(g, mark);
}
