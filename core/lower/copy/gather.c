/* core/lower/copy/gather.c: parallel loops that only move elements from global to shared memory, wherever
 * each of them comes from: rows of a table, windows of an image, what a mask leaves.
 *
 *     for i, j in T.Parallel(64, 512) do
 *         kv[i, j] = T.if_then_else(rows[i] >= 0, KV[rows[i], j], 0)
 *     end
 *
 * Element by element that is a cp.async that writes a zero where the condition does not hold; side by side,
 * low_parallel makes wider ones of them.  Pipelines ask for the gathers that they move. */
#include <math.h>
#include <string.h>

#include "core/ir/walk.h"
#include "core/lower/parallel/parallel.h"
#include "select.h"

#define TEXT(...) afmt(&l->p->ctx, __VA_ARGS__)

enum { GatherBytes = 4 };

/* What the store of a gather does: dst[..] = load where cond holds, else 0. */
typedef struct Gather Gather;
struct Gather { const Stmt *store; Ex load, cond; };

static bool gather_zero(const Prog *p, Ex e)
{
    const Expr *x = ex_at(p, e);
    int64_t v;
    return x->op == Xfloat ? x->f == 0 && !signbit(x->f) : x_isint(p, e, &v) && v == 0;
}

/* s as a gather; false: it computes something. */
static bool gather_of(Prog *p, const Stmt *s, Gather *g)
{
    const Stmt *k = s->kind == Sfor && s->loop.kind == Fparallel ? s->loop.body : NULL;
    if (!k || k->next || k->kind != Sstore || p->buf[k->store.buf].scope != SCshared)
        return false;
    *g = (Gather){k, k->store.value, x_int(p, DTbool, 1)};
    for (;;) {
        Expr x = *ex_at(p, g->load);
        if (x.op == Xload)
            return p->buf[x.sym].scope == SCglobal && p->buf[x.sym].dt == p->buf[k->store.buf].dt;
        if (x.op != Xselect || gather_zero(p, x.arg[1]) == gather_zero(p, x.arg[2]))
            return false;
        bool then = gather_zero(p, x.arg[2]);
        g->cond = x_bin(p, Xand, g->cond, then ? x.arg[0] : x_un(p, Xnot, x.arg[0]));
        g->load = x.arg[then ? 1 : 2];
    }
}

Stmt *gather_async(Low *l, const Stmt *s)
{
    Prog *p = l->p;
    Gather g;
    if (!gather_of(p, s, &g))
        return NULL;
    Expr from = *ex_at(p, g.load);
    Stmt *out = anew(&p->ctx, sizeof *out), *k = low_op(l, Ocp_async, g.store->loc);
    k->turn = g.store->turn;
    k->op.r[0].buf = from.sym;
    k->op.r[1].buf = g.store->store.buf;
    memcpy(k->op.r[0].min, from.arg, from.n * sizeof *from.arg);
    memcpy(k->op.r[1].min, g.store->store.idx, sizeof g.store->store.idx);
    for (int i = 0; i < 2; i++)
        for (int d = 0; d < p->buf[k->op.r[i].buf].ndim; d++)
            k->op.r[i].extent[d] = low_i(l, 1);
    k->op.value = g.cond;
    k->op.attr[0] = dtypeinfo[p->buf[from.sym].dt].bits / 8;
    *out = *s;
    out->next = NULL;
    out->loop.body = k;
    return out;
}

/* Zeros are all that a cp.async can fill up with. */
static bool gather_fills(Low *l, uint32_t buf, const char **why)
{
    Ex safe = buf_safe(l->p, l->launch, buf);
    if (!safe || gather_zero(l->p, safe))
        return true;
    *why = TEXT("`%s`: T.annotate_safe_value", l->p->buf[buf].name);
    return false;
}

bool select_gather(Low *l, const Stmt *s, const char **why)
{
    Prog *p = l->p;
    Gather g;
    *why = NULL;
    if (!gather_of(p, s, &g))
        return false;
    uint32_t from = ex_at(p, g.load)->sym;
    int bits = dtypeinfo[p->buf[from].dt].bits;
    *why = l->m->name;
    if (!l->m->cp_async || !gather_fills(l, from, why))
        return false;
    if (bits < 8 || stmt_any(p, g.store, low_of_fragment, p)) {
        *why = TEXT("`%s` %s", p->buf[from].name, dtypeinfo[p->buf[from].dt].name);
        return false;
    }
    int bytes = parloop_async(l, gather_async(l, s)) * bits / 8;
    if (bytes >= GatherBytes)
        return true;
    *why = TEXT("`%s`: %d B < %d B", p->buf[from].name, bytes, GatherBytes);
    return false;
}
