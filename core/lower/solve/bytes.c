/* core/lower/solve/bytes.c: elements of 4 bits on their way through shared memory.
 *
 *     s: shared int4[128]                          s: shared int8[128]
 *     for i in parallel(128) do s[i] = f[i]   ->   for i in parallel(128) do s[i] = int8(f[i])
 *     .. = s[k]                                    .. = int4(s[k])
 *
 * Whoever owns an element of a fragment stores it alone, whereas two of them in a byte
 * would have to be stored by one thread (core/lower/parallel/bytes.c). */
#include "solve.h"

typedef struct Wide Wide;
struct Wide { const Low *l; bool *wide; }; /* by buffer */

static bool in_operation(Stmt *s, void *ud)
{
    Wide *w = ud;
    for (int i = 0; s->kind == Sop && i < opinfo[s->op.op].nregion; i++)
        if (s->op.r[i].buf && s->op.op != Ocopy)
            w->wide[buf_root(w->l->p, s->op.r[i].buf)] = false;
    return true;
}

static Ex narrow_load(Low *l, Ex e, void *ud)
{
    const Wide *w = ud;
    Expr x = *ex_at(l->p, e);
    if (x.op != Xload || !w->wide[x.sym] || dtypeinfo[x.dt].bits >= 8)
        return e;
    return x_cast(l->p, (enum Dtype)x.dt, low_load(l, x.sym, x.arg));
}

static bool widen_store(Stmt *s, void *ud)
{
    const Wide *w = ud;
    Prog *p = w->l->p;
    if (s->kind == Sstore && w->wide[s->store.buf])
        s->store.value = x_cast(p, (enum Dtype)p->buf[s->store.buf].dt, s->store.value);
    return true;
}

void solve_unpack(Low *l)
{
    Prog *p = l->p;
    Stmt *body = l->launch->launch.body;
    Wide w = {l, anew(&p->ctx, p->nbuf * sizeof *w.wide)};
    bool any = false;
    for (uint32_t b = 1; b < p->nbuf; b++)
        w.wide[b] = p->buf[b].stage && p->buf[b].scope == SCshared && !p->buf[b].base &&
                    dtypeinfo[p->buf[b].dt].bits < 8;
    for (uint32_t b = 1; b < p->nbuf; b++)
        if (p->buf[b].base)
            w.wide[buf_root(p, b)] = false;
    stmt_walk(body, in_operation, &w);
    for (uint32_t b = 1; b < p->nbuf; b++) {
        any |= w.wide[b];
        if (w.wide[b])
            p->buf[b].dt = p->buf[b].dt == DTu4 ? DTu8 : DTi8;
    }
    if (!any)
        return;
    low_map(l, body, narrow_load, &w);
    stmt_walk(body, widen_store, &w);
}
