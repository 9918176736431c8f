/* targets/cpu/emit_access.c: elements of buffers: offsets, guards, loads and
 * stores.
 *
 * Global tensors follow TileLang: per dimension, a read out of bounds gives 0
 * (or the safe value) and a write is dropped.  Tiles have no such rule: an
 * index that cannot be proved is tested, and failing it stops the kernel with
 * the user's line.
 *
 * What is tested is the very value that is used: an index that reads a tensor
 * which other blocks may write is evaluated once, into a name of its own. */
#include <inttypes.h>
#include <string.h>

#include "emit.h"

static const Buf *buf_at(const Gen *g, uint32_t b) { return &g->p->buf[b]; }
static bool on_chip(const Gen *g, uint32_t b) { return buf_at(g, b)->scope != SCglobal; }

static bool caccess_outside(Gen *g, uint32_t buf, const Ex *idx, int d, bool upper)
{
    return !in_range(g, idx[d], buf_at(g, buf)->shape[d], upper);
}

bool needs_guard(Gen *g, uint32_t buf, const Ex *idx)
{
    for (int d = 0; d < buf_at(g, buf)->ndim; d++)
        if (caccess_outside(g, buf, idx, d, false) || caccess_outside(g, buf, idx, d, true))
            return true;
    return false;
}

bool access_may_fail(Gen *g, uint32_t buf, const Ex *idx)
{
    return on_chip(g, buf) && g->place[buf].kind != PLscalar && needs_guard(g, buf, idx);
}

bool emit_guard(Gen *g, uint32_t buf, const Ex *idx, int prec)
{
    int n = 0;
    if (on_chip(g, buf) || !needs_guard(g, buf, idx))
        return false;
    put(g, prec > PRland ? "(" : "");
    for (int d = 0; d < buf_at(g, buf)->ndim; d++)
        for (int up = 0; up < 2; up++) {
            if (!caccess_outside(g, buf, idx, d, up))
                continue;
            put(g, n++ ? " && " : "");
            emit_expr(g, idx[d], PRrel);
            put(g, up ? " < " : " >= 0");
            if (up)
                emit_expr(g, buf_at(g, buf)->shape[d], PRrel + 1);
        }
    put(g, prec > PRland ? ")" : "");
    return true;
}

/* Index d as the whole number that it was proved to be, or 0. */
static Ex whole_index(Gen *g, uint32_t buf, const Ex *idx, int d)
{
    return scalar_name(&g->scalar, idx[d])
               ? 0 : widened_index(g, idx[d], buf_at(g, buf)->shape[d]);
}

/* One index, tested where it cannot be proved.  One that was proved as a whole
 * number is computed as such: nothing that wraps then stands between the
 * compiler and the loop's variable. */
static void emit_index(Gen *g, uint32_t buf, const Ex *idx, int d, int prec)
{
    Ex wide = whole_index(g, buf, idx, d);
    if (wide) {
        emit_whole(g, wide, prec);
        return;
    }
    if (on_chip(g, buf) &&
        (caccess_outside(g, buf, idx, d, false) || caccess_outside(g, buf, idx, d, true))) {
        put(g, "%s(rt, ", use(g, "at"));
        emit_expr(g, idx[d], PRany);
        put(g, ", ");
        emit_expr(g, buf_at(g, buf)->shape[d], PRany);
        put(g, ", ");
        put_string(g, buf_at(g, buf)->name);
        put(g, ", %u)", g->here.line);
        return;
    }
    emit_expr(g, idx[d], prec);
}

static bool caccess_is_zero(const Gen *g, Ex e)
{
    int64_t v;
    return x_isint(g->p, e, &v) && v == 0;
}

static bool is_one(const Gen *g, Ex e)
{
    int64_t v;
    return x_isint(g->p, e, &v) && v == 1;
}

/* Offsets that may pass 2^31 are computed in 64 bits. */
static bool offset_is_long(const Gen *g, uint32_t buf)
{
    const Buf *b = buf_at(g, buf);
    int64_t n = 1, v;
    if (b->stride[0])
        return true;
    for (int d = 0; d < b->ndim; d++)
        if (!x_isint(g->p, b->shape[d], &v) || __builtin_mul_overflow(n, v, &n) ||
            n > INT32_MAX / 2)
            return true; /* half: a prefetch may point behind the end */
    return false;
}

static void emit_strided(Gen *g, uint32_t buf, const Ex *idx)
{
    const char *sep = "";
    for (int d = 0; d < buf_at(g, buf)->ndim; d++) {
        Ex stride = buf_at(g, buf)->stride[d];
        if (caccess_is_zero(g, idx[d]) || caccess_is_zero(g, stride))
            continue;
        put(g, "%s", sep);
        sep = " + ";
        if (is_one(g, stride)) {
            emit_index(g, buf, idx, d, PRadd);
            continue;
        }
        put(g, "(long)");
        emit_index(g, buf, idx, d, PRunary);
        put(g, " * ");
        emit_expr(g, stride, PRunary);
    }
    put(g, *sep ? "" : "0");
}

/* How tightly an index is bound that a row's start stands before: of row + (a - b) C makes
 * (row + a) - b, and that sum may leave the 32 bits that the whole stays in.  The row's start
 * is below 2^30 there (offset_is_long). */
static int behind_row(Gen *g, uint32_t buf, const Ex *idx, int d)
{
    const int64_t most = INT64_C(1) << 30;
    int64_t lo, hi;
    Ex wide = whole_index(g, buf, idx, d), e = wide ? wide : idx[d];
    room(g);
    for (const Expr *x; !scalar_name(&g->scalar, e); e = x->arg[0]) {
        x = ex_at(g->p, e);
        if (x->op != Xadd && x->op != Xsub)
            break;
        if (!reach(g, x->arg[0], &lo, &hi) || lo < -most || hi > most)
            return PRadd + 1;
    }
    return PRadd;
}

/* Row-major by Horner's rule: (i * N + j) * K + k; leading zeros vanish. */
static void emit_horner(Gen *g, uint32_t buf, const Ex *idx, int d, int first, bool wide, int prec)
{
    bool bump = d > first && caccess_is_zero(g, idx[d]);
    if (d == first) {
        bool cast = wide && d < buf_at(g, buf)->ndim - 1;
        put(g, cast ? "(long)" : "");
        emit_index(g, buf, idx, d, cast ? PRunary : prec);
        return;
    }
    if (is_one(g, buf_at(g, buf)->shape[d])) {
        emit_horner(g, buf, idx, d - 1, first, wide, prec);
        return;
    }
    bool paren = prec > (bump ? PRmul : PRadd);
    put(g, paren ? "(" : "");
    emit_horner(g, buf, idx, d - 1, first, wide, PRmul);
    put(g, " * ");
    emit_expr(g, buf_at(g, buf)->shape[d], PRmul + 1);
    if (!bump) {
        put(g, " + ");
        emit_index(g, buf, idx, d, wide ? PRadd : behind_row(g, buf, idx, d));
    }
    put(g, paren ? ")" : "");
}

static void emit_offset_at(Gen *g, uint32_t buf, const Ex *idx, int prec)
{
    int n = buf_at(g, buf)->ndim, first = 0;
    if (n && buf_at(g, buf)->stride[0]) {
        emit_strided(g, buf, idx);
        return;
    }
    while (first < n && caccess_is_zero(g, idx[first]))
        first++;
    if (first == n)
        put(g, "0");
    else
        emit_horner(g, buf, idx, n - 1, first, offset_is_long(g, buf), prec);
}

void emit_offset(Gen *g, uint32_t buf, const Ex *idx) { emit_offset_at(g, buf, idx, PRany); }

/* " + offset", or nothing */
void emit_plus_offset(Gen *g, uint32_t buf, const Ex *idx)
{
    for (int d = 0; d < buf_at(g, buf)->ndim; d++)
        if (!caccess_is_zero(g, idx[d])) {
            put(g, " + ");
            emit_offset_at(g, buf, idx, PRadd);
            return;
        }
}

void emit_zero(Gen *g, uint32_t buf)
{
    const Buf *b = buf_at(g, buf);
    enum Dtype dt = (enum Dtype)b->dt;
    Ex safe = buf_safe(g->p, g->launch, buf);
    if (safe)
        emit_as(g, safe, dt, PRcond);
    else
        put(g, "%s", is_float(dt) ? scalar_float(&g->scalar, 0, dt, PRcond)
                                  : scalar_int(&g->scalar, 0, dt, PRcond));
}

static const char *caccess_staged(const Gen *g, uint32_t buf, const Ex *idx)
{
    for (uint32_t i = 0; i < g->nstaged; i++)
        if (g->staged[i].buf == buf &&
            memcmp(g->staged[i].idx, idx, g->p->buf[buf].ndim * sizeof *idx) == 0)
            return g->staged[i].name;
    return NULL;
}

static void emit_element(Gen *g, uint32_t buf, const Ex *idx)
{
    const StorePlace *pl = &g->place[buf];
    const char *row = caccess_staged(g, buf, idx);
    if (row) {
        put(g, "%s[", row);
        emit_expr(g, g->stripvar, PRany);
        put(g, "]");
        return;
    }
    if (pl->held == DTi4 || pl->held == DTu4) {
        masks_note(g, buf, idx);
        put(g, "%s(%s, ", use(g, pl->held == DTi4 ? "i4_get" : "u4_get"), pl->name);
        emit_offset(g, buf, idx);
        put(g, ")");
        return;
    }
    masks_note(g, buf, idx);
    const char *close = from_held(g, (enum Dtype)pl->held);
    bool once = g->fresh && is_shared(g, buf) && !is_float((enum Dtype)pl->held);
    if (once) /* loaded once, however often the compiler needs it */
        put(g, "*(const volatile %s *)&", held_type(g, (enum Dtype)pl->held, pl->alias));
    put(g, "%s[", pl->name);
    emit_offset(g, buf, idx);
    put(g, "]%s", close);
}

/* Whether an index of this access must be named before it is tested. */
static bool must_name(Gen *g, uint32_t buf, const Ex *idx)
{
    if (on_chip(g, buf) || !needs_guard(g, buf, idx))
        return false;
    for (int d = 0; d < buf_at(g, buf)->ndim; d++)
        if (reads_shared(g, idx[d]))
            return true;
    return false;
}

/* Declares names for the indices that read shared memory; gives the others as
 * they are. */
static void name_indices(Gen *g, uint32_t buf, const Ex *idx, Ex *out, const char *before,
                         const char *after)
{
    for (int d = 0; d < buf_at(g, buf)->ndim; d++) {
        bool outer = g->fresh;
        out[d] = idx[d];
        if (!reads_shared(g, idx[d]))
            continue;
        enum Dtype dt = type_of(g, idx[d]);
        const char *name = declare(g, "at_index");
        put(g, "%sconst %s %s = ", before, value_type(dt), name);
        g->fresh = true;
        emit_expr(g, idx[d], PRany);
        g->fresh = outer;
        put(g, ";%s", after);
        out[d] = value_new(g, dt, name);
    }
}

bool emit_names(Gen *g, uint32_t buf, const Ex *idx, Ex *out)
{
    if (!must_name(g, buf, idx))
        return false;
    const char *indent = afmt(g->c, "%*s", 4 * g->indent, "");
    name_indices(g, buf, idx, out, indent, "\n");
    return true;
}

void emit_load(Gen *g, Ex e, int prec)
{
    Expr x = *ex_at(g->p, e);
    if (g->place[x.sym].kind == PLscalar) {
        put(g, "%s", g->place[x.sym].name);
        return;
    }
    Ex named[MaxDim];
    uint32_t mark = scope_enter(g);
    bool guarded = !on_chip(g, x.sym) && needs_guard(g, x.sym, x.arg);
    bool names = must_name(g, x.sym, x.arg);
    if (names) {
        put(g, "({ ");
        name_indices(g, x.sym, x.arg, named, "", " ");
        x.arg = named;
        prec = PRany;
    }
    if (guarded) {
        put(g, prec > PRcond ? "(" : "");
        emit_guard(g, x.sym, x.arg, PRcond + 1);
        put(g, " ? ");
    }
    g->under += guarded;
    emit_element(g, x.sym, x.arg);
    g->under -= guarded;
    if (guarded) {
        put(g, " : ");
        emit_zero(g, x.sym);
        put(g, prec > PRcond ? ")" : "");
    }
    if (names)
        put(g, "; })");
    scope_leave(g, mark);
}

/* A statement; value has the buffer's type. */
void emit_assign(Gen *g, uint32_t buf, const Ex *idx, Ex value)
{
    const StorePlace *pl = &g->place[buf];
    Ex named[MaxDim];
    bool outer = g->fresh;
    if (pl->kind != PLscalar && emit_names(g, buf, idx, named))
        idx = named;
    begin(g);
    if (pl->kind == PLscalar) {
        put(g, "%s = ", pl->name);
        g->fresh = true;
        emit_expr(g, value, PRany);
        g->fresh = outer;
        put(g, ";\n");
        return;
    }
    uint32_t mark = facts_mark(g), under = g->under;
    if (!on_chip(g, buf) && needs_guard(g, buf, idx)) {
        g->under++;
        put_if(g);
        emit_guard(g, buf, idx, PRany);
        put(g, ")\n");
        begin(g);
        put(g, "    ");
        assume_inside(g, buf, idx);
    }
    if (pl->held == DTi4 || pl->held == DTu4) {
        put(g, "%s(%s, ", use(g, "i4_put"), pl->name);
        emit_offset(g, buf, idx);
        put(g, ", ");
        emit_expr(g, value, PRany);
        put(g, ");\n");
        facts_end(g, mark);
        g->under = under;
        return;
    }
    enum Dtype held = (enum Dtype)pl->held;
    if (g->strip == buf) {
        held = g->striptype;
        put(g, "part[");
        emit_expr(g, g->stripvar, PRany);
    } else {
        put(g, "%s[", pl->name);
        emit_offset(g, buf, idx);
    }
    put(g, "] = ");
    if (g->strip == buf && held != pl->held)
        emit_unrounded(g, value); /* a row function converts and rounds */
    else
        emit_to_held(g, value, held);
    put(g, ";\n");
    facts_end(g, mark);
    g->under = under;
}
