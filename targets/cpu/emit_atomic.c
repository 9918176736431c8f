/* targets/cpu/emit_atomic.c: atomics.
 *
 * Blocks run on several threads, so atomics on global tensors are real ones:
 * a compare-and-swap loop over the element's bits, or fetch-and-add for
 * integers.  A shared tile belongs to its block and to one thread: there an
 * atomic is a read and a write. */
#include <inttypes.h>
#include <string.h>

#include "core/ir/reduce.h"
#include "emit.h"

static const char *const names[MaxDim] = {"i", "j", "k", "l", "m", "n", "o", "q"};

/* Prints, once a program, the function for one kind on one type. */
static const char *atomic_fn(Gen *g, int kind, enum Dtype dt)
{
    const char *name = atomic_name(g->c, kind, dt), *value = value_type(dt);
    for (uint32_t i = 0; i < g->nfn; i += 2)
        if (strcmp(g->fn[i], name) == 0)
            return name;
    agrow(g->c, &g->fn, &g->capfn, g->nfn + 2, sizeof *g->fn);
    g->fn[g->nfn++] = name;
    g->fn[g->nfn++] = name;
    const char *bits = held_type(g, bits_type(dt), true);
    Str *out = g->scalar.out;
    int indent = g->indent;
    g->scalar.out = &g->statics;
    g->indent = 0;
    line(g, "static inline %s %s(void *p, %s v, int order)", value, name, value);
    line(g, "{");
    g->indent++;
    if (!is_float(dt) && kind == Rsum) {
        line(g, "return (%s)__atomic_fetch_add((%s *)p, v, order);", held_type(g, dt, false), bits);
    } else {
        line(g, "%s *u = p, old = __atomic_load_n(u, order == 5 || order == 2 ? order : 0), next;",
             bits);
        line(g, "%s was;", value);
        line(g, "do {");
        line(g, "    was = %s;",
             dt == DTbool ? "old != 0" : atomic_from_bits(&g->scalar, dt, "old"));
        if (kind == ATload) {
            line(g, "} while (0);");
        } else {
            const char *next = atomic_next(&g->scalar, kind, dt, "was");
            line(g, "    next = %s;", dt == DTbool ? next : atomic_to_bits(&g->scalar, dt, next));
            line(g, "} while (!__atomic_compare_exchange_n(u, &old, next, 1, order, 0));");
        }
        line(g, "return was;");
    }
    g->indent--;
    line(g, "}\n");
    g->scalar.out = out;
    g->indent = indent;
    return name;
}

/* A call on element idx of a global tensor, without its guard. */
static void put_call(Gen *g, const Stmt *s, const Ex *idx, Ex value)
{
    enum Dtype dt = (enum Dtype)g->p->buf[s->atomic.buf].dt;
    int order = s->atomic.order;
    if (s->atomic.kind == ATload && order != MOrelaxed && order != MOconsume && order != MOacquire)
        order = MOseq_cst;
    put(g, "%s(&%s[", atomic_fn(g, s->atomic.kind, dt), g->place[s->atomic.buf].name);
    emit_offset(g, s->atomic.buf, idx);
    put(g, "], ");
    if (value)
        emit_as(g, value, dt, PRany);
    else
        put(g, "0");
    put(g, ", %d)", order);
}

static void emit_shared_atomic(Gen *g, Stmt *s, const Ex *idx, int lane)
{
    Ex was, stored = atomic_stored(g->p, s, idx, lane, &was);
    if (s->atomic.prev) {
        room(g);
        const char *name = declare(g, g->p->var[s->atomic.prev].name);
        begin(g);
        put(g, "const %s %s = ", value_type((enum Dtype)g->p->var[s->atomic.prev].dt), name);
        emit_expr(g, was, PRany);
        put(g, ";\n");
        room(g);
        g->name[s->atomic.prev] = name;
    }
    if (stored)
        emit_assign(g, s->atomic.buf, idx, stored);
}

static void emit_lane(Gen *g, Stmt *s, const Ex *idx, int lane)
{
    Ex value = s->atomic.value[lane];
    enum Dtype dt = (enum Dtype)g->p->buf[s->atomic.buf].dt;
    if (g->p->buf[s->atomic.buf].scope != SCglobal) {
        emit_shared_atomic(g, s, idx, lane);
        return;
    }
    Ex named[MaxDim];
    if (emit_names(g, s->atomic.buf, idx, named))
        idx = named;
    bool guarded = needs_guard(g, s->atomic.buf, idx);
    begin(g);
    if (s->atomic.prev) {
        const char *name = declare(g, g->p->var[s->atomic.prev].name);
        put(g, "const %s %s = ", value_type(dt), name);
        if (guarded) {
            emit_guard(g, s->atomic.buf, idx, PRcond + 1);
            put(g, " ? ");
        }
        put_call(g, s, idx, value);
        if (guarded) {
            put(g, " : ");
            emit_zero(g, s->atomic.buf);
        }
        put(g, ";\n");
        room(g);
        g->name[s->atomic.prev] = name;
        return;
    }
    if (guarded) {
        put_if(g);
        emit_guard(g, s->atomic.buf, idx, PRany);
        put(g, ")\n");
        begin(g);
        put(g, "    ");
    }
    put_call(g, s, idx, value);
    put(g, ";\n");
}

void emit_atomic(Gen *g, Stmt *s)
{
    Ex idx[MaxDim];
    emit_temps(g, s->atomic.value, s->atomic.lanes);
    for (int l = 0; l < s->atomic.lanes || l == 0; l++) {
        atomic_index(g->p, s, l, idx);
        emit_lane(g, s, idx, l);
    }
    end_shared(g);
}

/* dst op= src over a region */
void emit_atomic_tile(Gen *g, Stmt *s)
{
    const Region *dst = &s->op.r[0], *src = &s->op.r[1];
    Ex ext[MaxDim], to[MaxDim], from[MaxDim];
    int n = 0, nd = region_rank(g, dst), ns = region_rank(g, src), at[2][MaxDim], m = 0;
    int64_t v;
    for (int d = 0; d < nd; d++)
        if (!x_isint(g->p, dst->extent[d], &v) || v != 1) {
            ext[n] = dst->extent[d];
            at[0][n++] = d;
        }
    for (int d = 0; d < ns; d++)
        if (!x_isint(g->p, src->extent[d], &v) || v != 1)
            at[1][m++] = d;
    Stmt *nest = nest_new(g, s->loc, names, ext, n), *one = anew(g->c, sizeof *one);
    memcpy(to, dst->min, sizeof to);
    memcpy(from, src->min, sizeof from);
    for (int i = 0; i < n && i < m; i++) {
        Ex x = x_var(g->p, nest->loop.var[i]);
        to[at[0][i]] = x_bin(g->p, Xadd, to[at[0][i]], x);
        from[at[1][i]] = x_bin(g->p, Xadd, from[at[1][i]], x);
    }
    one->kind = Satomic;
    one->loc = s->loc;
    one->atomic.kind = (uint8_t)s->op.attr[0];
    one->atomic.order = (uint8_t)s->op.attr[1];
    one->atomic.lanes = 1;
    one->atomic.buf = dst->buf;
    memcpy(one->atomic.idx, to, sizeof to);
    one->atomic.value[0] =
        x_cast(g->p, (enum Dtype)g->p->buf[dst->buf].dt, x_load(g->p, src->buf, from, ns));
    if (n == 0) {
        emit_stmt(g, one);
        return;
    }
    nest->loop.body = one;
    emit_for(g, nest);
}
