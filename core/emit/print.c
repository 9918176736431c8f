/* core/emit/print.c: T.print and T.device_assert: records in the side buffer,
 * whose form core/ir/plan.h describes.
 *
 * A scalar is written by every thread that comes by.  Of a tile in registers each
 * thread that holds a first copy writes its own elements, those that follow each
 * other in one record; a tile in memory, and a message alone, come from one thread. */
#include <inttypes.h>

#include "emit_p.h"

static const char *side_buffer(Emit *e)
{
    if (!priv(e)->out)
        diag_fail(&e->p->ctx, E_bug, e->here, "a launch without a side buffer prints", NULL);
    return priv(e)->out;
}

static const char *thread(Emit *e) { return emit_varname(e, e->l->launch->launch.thread[0]); }

static int printf_words_of(enum Dtype dt) { return dtypeinfo[dt].bits > 32 ? 2 : 1; }

/* "if (unsigned *r = record(..)) {": room for n words of values, if there is. */
static const char *open_record(Emit *e, const Stmt *s, const char *n, const char *first)
{
    const char *r = emit_fresh(e, "r");
    emit_line(e, "if (unsigned *%s = %s(%s, %d, %s, %s, %s)) {", r, emit_need(e, "record"),
              side_buffer(e), plan_site_of(e->plan, s), n, thread(e), first);
    emit_open(e);
    return r;
}

/* Writes the value x into record r from word `at` on; next: the one behind it. */
static void record_value(Emit *e, const char *r, const char *at, const char *next, Ex x)
{
    Ctx *c = &e->p->ctx;
    enum Dtype dt = ex_type(e->p, x);
    if (printf_words_of(dt) == 2) {
        const char *t = dt == DTf64 ? afmt(c, "%s(%s)", emit_fn(e, "__double_as_longlong"),
                                         ex_text(e, x, PRany))
                                    : ex_text(e, x, PRany);
        const char *v = emit_fresh(e, "bits");
        emit_line(e, "const unsigned long long %s = %s;", v, t);
        emit_line(e, "%s[%s] = (unsigned)%s;", r, at, v);
        emit_line(e, "%s[%s] = (unsigned)(%s >> 32);", r, next, v);
        return;
    }
    const char *t;
    if (is_narrow(dt) && dt != DTtf32)
        t = afmt(c, "%s.x", stored_text(e, x, dt, PRpost));
    else if (is_float(dt))
        t = afmt(c, "%s(%s)", emit_fn(e, "__float_as_uint"), ex_text(e, x, PRany));
    else
        t = afmt(c, dtypeinfo[dt].bits < 32 && dt != DTbool ? "(%s)(%s)" : "%s%s",
                 dtypeinfo[dt].bits < 32 && dt != DTbool ? e->d->type(e, bits_type(dt)) : "",
                 ex_text(e, x, PRany));
    emit_line(e, "%s[%s] = %s;", r, at, t);
}

void emit_print(Emit *e, const Stmt *s)
{
    Ctx *c = &e->p->ctx;
    Ex x = s->print.value;
    int words = x ? printf_words_of(ex_type(e->p, x)) : 0;
    uint32_t mark = emit_mark(e);
    if (!x) {
        emit_line(e, "%s(%s, %d, 6, %s, 0);", emit_need(e, "record"), side_buffer(e),
                  plan_site_of(e->plan, s), thread(e));
        return;
    }
    const char *r = open_record(e, s, afmt(c, "%d", PlanRecordHead + words), "0");
    record_value(e, r, "0", "1", x);
    emit_close(e);
    emit_forget(e, mark);
}

/* Tiles ---------------------------------------------------------------------- */

/* One thread of those that come by: the role's first, or the first lane that is here.
 * false: there is one only. */
static bool open_one(Emit *e)
{
    if (priv(e)->single)
        return false;
    if (priv(e)->divergent)
        emit_line(e, "if ((%s & %d) == %s) {", thread(e), e->m->warp - 1,
                  emit_translated(e, e->d->first_lane));
    else
        emit_line(e, "if (%s == %d) {", thread(e), priv(e)->first);
    emit_open(e);
    return true;
}

static Ex print_int(Emit *e, int64_t v) { return x_int(e->p, DTi32, v); }

static void for_line(Emit *e, const char *v, const char *n)
{
    emit_line(e, "for (int %s = 0; %s < %s; %s++) {", v, v, n, v);
    emit_open(e);
}

/* A tile in memory, or in one thread's own registers: a record for each row. */
static void by_one(Emit *e, const Stmt *s)
{
    Ctx *c = &e->p->ctx;
    Prog *p = e->p;
    const Region *g = &s->op.r[0];
    int n = p->buf[g->buf].ndim, words = printf_words_of((enum Dtype)p->buf[g->buf].dt);
    uint32_t row = emit_newvar(e, "row", INT32_MAX), col = emit_newvar(e, "col", INT32_MAX);
    Ex idx[MaxDim], rows = print_int(e, 1), cols = n ? g->extent[n - 1] : print_int(e, 1);
    int64_t count;
    for (int d = 0; d < n - 1; d++)
        rows = x_bin(p, Xmul, rows, g->extent[d]);
    bool one = x_isint(p, rows, &count) && count == 1;
    Ex rest = one ? print_int(e, 0) : x_var(p, row);
    for (int d = n - 1; d-- > 0;) {
        idx[d] = x_bin(p, Xadd, g->min[d], d ? x_bin(p, Xfmod, rest, g->extent[d]) : rest);
        rest = x_bin(p, Xfdiv, rest, g->extent[d]);
    }
    if (n)
        idx[n - 1] = x_bin(p, Xadd, g->min[n - 1], x_var(p, col));
    const char *i = emit_name_var(e, row), *j = emit_name_var(e, col);
    if (!one)
        for_line(e, i, ex_text(e, rows, PRrel));
    Ex size =
        x_bin(p, Xadd, x_bin(p, Xmul, cols, print_int(e, words)), print_int(e, PlanRecordHead));
    const char *r = open_record(e, s, ex_text(e, size, PRany),
                                one ? "0" : afmt(c, "%s * %s", i, ex_text(e, cols, PRmul)));
    for_line(e, j, ex_text(e, cols, PRrel));
    record_value(e, r, words == 1 ? j : afmt(c, "%s * 2", j), afmt(c, "%s * 2 + 1", j),
                 x_load(p, g->buf, idx, n));
    emit_close(e);
    emit_close(e);
    if (!one)
        emit_close(e);
}

/* Elements of the last dimension that stand in neighbouring registers. */
static int printf_run_of(const Layout *m)
{
    int last = m->ndim - 1, r = 1;
    for (int i = 0; i < m->n; i++)
        if (m->d[i].axis == AXreg && m->d[i].dim == last && m->d[i].weight == 1 &&
            m->d[i].stride == 1)
            r = m->d[i].extent;
    return m->ndim && m->size[last] % r == 0 ? r : 1;
}

/* The value of a mode of lane, warp or register. */
static Ex print_mode(Emit *e, const Mode *g, const Ex *axis)
{
    Prog *p = e->p;
    Ex v = x_bin(p, Xfdiv, axis[g->axis], print_int(e, g->stride));
    return x_bin(p, Xfmod, v, print_int(e, g->extent));
}

/* Each thread its own elements of a fragment whose registers m describes. */
static void printf_by_all(Emit *e, const Stmt *s, const Layout *m)
{
    Ctx *c = &e->p->ctx;
    Prog *p = e->p;
    int run = printf_run_of(m), count = (int)layout_extent(m, AXreg) / run;
    uint32_t buf = s->op.r[0].buf, reg = emit_newvar(e, "slot", count - 1);
    int words = printf_words_of((enum Dtype)p->buf[buf].dt);
    Ex t = x_bin(p, Xsub, x_var(p, e->l->launch->launch.thread[0]), print_int(e, priv(e)->first));
    int64_t always;
    Ex lanes = print_int(e, e->m->warp), at[LayDims], linear = print_int(e, 0);
    Ex axis[NAxis] = {[AXreg] = x_bin(p, Xmul, x_var(p, reg), print_int(e, run)),
                      [AXlane] = x_bin(p, Xfmod, t, lanes), [AXwarp] = x_bin(p, Xfdiv, t, lanes)};
    Ex here = x_bin(p, Xlt, axis[AXwarp], print_int(e, layout_extent(m, AXwarp)));
    for (int d = 0; d < m->ndim; d++)
        at[d] = print_int(e, 0);
    for (int i = 0; i < m->n; i++) {
        Ex v = x_bin(p, Xmul, print_mode(e, &m->d[i], axis), print_int(e, m->d[i].weight));
        at[m->d[i].dim] = x_bin(p, Xadd, at[m->d[i].dim], v);
    }
    for (int i = 0; i < m->nb; i++)
        here = x_bin(p, Xand, here, x_bin(p, Xeq, print_mode(e, &m->b[i], axis), print_int(e, 0)));
    for (int d = 0; d < m->ndim; d++) {
        linear = x_bin(p, Xadd, x_bin(p, Xmul, linear, print_int(e, m->size[d])), at[d]);
        if (m->extent[d] != m->size[d])
            here = x_bin(p, Xand, here, x_bin(p, Xlt, at[d], print_int(e, m->size[d])));
    }
    const char *v = emit_name_var(e, reg);
    emit_line(e, "%s", e->d->unroll);
    for_line(e, v, afmt(c, "%d", count));
    bool all = x_isint(p, here, &always) && always;
    if (!all) {
        emit_line(e, "if (%s) {", ex_text(e, here, PRany));
        emit_open(e);
    }
    const char *r = open_record(e, s, afmt(c, "%d", PlanRecordHead + run * words),
                                ex_text(e, linear, PRany));
    for (int k = 0; k < run; k++) {
        Ex idx = x_bin(p, Xadd, axis[AXreg], print_int(e, k));
        record_value(e, r, afmt(c, "%d", k * words), afmt(c, "%d", k * words + 1),
                     x_load(p, buf, &idx, 1));
    }
    emit_close(e);
    if (!all)
        emit_close(e);
    emit_close(e);
}

void emit_tile(Emit *e, const Stmt *s)
{
    uint32_t buf = s->op.r[0].buf, mark = emit_mark(e);
    const Buf *b = &e->p->buf[buf];
    bool opened = true;
    if (buf && b->scope == SClocal && b->map && b->ndim == 1) {
        emit_line(e, "{");
        emit_open(e);
        printf_by_all(e, s, b->map);
    } else {
        opened = open_one(e);
        if (buf)
            by_one(e, s);
        else
            emit_line(e, "%s(%s, %d, 6, %s, 0);", emit_need(e, "record"), side_buffer(e),
                      plan_site_of(e->plan, s), thread(e));
    }
    if (opened)
        emit_close(e);
    emit_forget(e, mark);
}

void emit_assert(Emit *e, const Stmt *s)
{
    emit_line(e, "if (!%s)", ex_text(e, s->check.cond, PRunary));
    emit_line(e, "    %s(%s, %d, %s);", emit_need(e, "record_failure"), side_buffer(e),
              plan_site_of(e->plan, s), thread(e));
}
