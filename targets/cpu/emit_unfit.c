/* targets/cpu/emit_unfit.c: what the printed program asks of its arguments, as a
 * function that launching calls first.
 *
 * Dimensions lie in the range that proofs were made for.  Tensors that indices,
 * bounds and conditions are read from share no memory with one that the
 * program writes: a test and the use behind it read them twice, and what was
 * once found true of them stays true. */
#include <inttypes.h>

#include "emit.h"

typedef struct Relied {
    Gen *g;
    bool *on; /* by Buf: a parameter that is only read */
} Relied;

static ExGo rely(void *ud, Ex e)
{
    Relied *r = ud;
    const Expr *x = ex_at(r->g->p, e);
    if (x->op == Xload) {
        uint32_t root = buf_root(r->g->p, x->sym);
        if (r->g->p->buf[root].param && !r->g->place[root].written)
            r->on[root] = true;
    }
    return EXinto;
}

/* Of a value: only what its own indices and conditions read. */
static ExGo rely_inside(void *ud, Ex e)
{
    Relied *r = ud;
    const Expr *x = ex_at(r->g->p, e);
    for (int i = 0; x->op == Xload && i < x->n; i++)
        ex_walk(r->g->p, x->arg[i], rely, r);
    if (x->op != Xselect)
        return x->op == Xload ? EXskip : EXinto;
    ex_walk(r->g->p, x->arg[0], rely, r);
    return EXinto;
}

static bool rely_stmt(Stmt *s, void *ud)
{
    Relied *r = ud;
    const Prog *p = r->g->p;
    if (s->kind == Sstore || s->kind == Satomic || s->kind == Sop) {
        const Ex *idx = s->kind == Sstore ? s->store.idx : s->atomic.idx;
        uint32_t buf = s->kind == Sstore ? s->store.buf : s->kind == Satomic ? s->atomic.buf : 0;
        for (int d = 0; buf && d < p->buf[buf].ndim; d++)
            ex_walk(p, idx[d], rely, r);
        for (int i = 0; s->kind == Sop && i < MaxRegion; i++)
            for (int d = 0; s->op.r[i].buf && d < p->buf[s->op.r[i].buf].ndim; d++) {
                ex_walk(p, s->op.r[i].min[d], rely, r);
                ex_walk(p, s->op.r[i].extent[d], rely, r);
            }
        return stmt_ex_walk(p, s, rely_inside, r);
    }
    return stmt_ex_walk(p, s, rely, r);
}

static int cunfit_arg_of(const Gen *g, uint32_t buf) { return g->place[buf].arg; }

/* The last byte of a tensor, as an offset: its strides, or its shape. */
static void put_span(Gen *g, uint32_t buf)
{
    const Buf *b = &g->p->buf[buf];
    int bits = dtypeinfo[b->dt].bits;
    put(g, "(char *)arg[%d].p + ((0", cunfit_arg_of(g, buf));
    for (int d = 0; d < b->ndim; d++) {
        put(g, " + ((long)");
        emit_expr(g, g->p->buf[buf].shape[d], PRunary);
        put(g, " - 1)");
        if (g->p->buf[buf].stride[0]) {
            put(g, " * ");
            emit_expr(g, g->p->buf[buf].stride[d], PRunary);
        }
        for (int k = d + 1; !g->p->buf[buf].stride[0] && k < b->ndim; k++) {
            put(g, " * ");
            emit_expr(g, g->p->buf[buf].shape[k], PRunary);
        }
        b = &g->p->buf[buf];
    }
    put(g, ") * %d + %d) / 8", bits, bits - 1);
}

static void emit_apart(Gen *g, uint32_t a, uint32_t b)
{
    begin(g);
    put(g, "if ((char *)arg[%d].p <= ", cunfit_arg_of(g, b));
    put_span(g, a);
    put(g, " && (char *)arg[%d].p <= ", cunfit_arg_of(g, a));
    put_span(g, b);
    put(g, ") {\n");
    begin(g);
    put(g, "    *least = 1, *most = 0, *value = (long)");
    put_string(g, g->p->buf[b].name);
    put(g, ";\n");
    begin(g);
    put(g, "    return ");
    put_string(g, g->p->buf[a].name);
    put(g, ";\n");
    line(g, "}");
}

static void emit_range(Gen *g, uint32_t v, int at)
{
    const Var *x = &g->p->var[v];
    if (is_float((enum Dtype)x->dt) || x->dt == DTu64 || (x->lo == INT64_MIN && x->hi == INT64_MAX))
        return;
    line(g, "*value = arg[%d].i, *least = %" PRId64 "L, *most = %" PRId64 "L;", at,
         x->lo == INT64_MIN ? -INT64_MAX : x->lo, x->hi);
    begin(g);
    put(g, "if (*value < *least || *value > *most)\n");
    begin(g);
    put(g, "    return ");
    put_string(g, x->name);
    put(g, ";\n");
}

void emit_unfit(Gen *g)
{
    const Prog *p = g->p;
    Relied r = {g, anew(g->c, p->nbuf * sizeof *r.on)};
    int at = 0;
    stmt_walk(p->body, rely_stmt, &r);
    line(g, "static const char *unfit(const MtArg *arg, long *value, long *least, long *most)");
    line(g, "{");
    g->indent++;
    for (uint32_t i = 0; i < p->nparam; i++, at++)
        if (p->param[i].scalar)
            emit_range(g, p->param[i].id, at);
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            emit_range(g, v, at++);
    emit_all_numbers(g);
    for (uint32_t a = 1; a < p->nbuf; a++)
        for (uint32_t b = 1; r.on[a] && b < p->nbuf; b++)
            if (p->buf[b].param && !p->buf[b].base && g->place[b].written)
                emit_apart(g, a, b);
    line(g, "return 0;");
    g->indent--;
    line(g, "}\n");
}
