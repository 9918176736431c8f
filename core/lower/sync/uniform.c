/* core/lower/sync/uniform.c: which values are the same for all threads of the
 * block, or of the role that they are computed in. */
#include "core/ir/walk.h"
#include "sync.h"

/* Does e differ by itself, apart from what it is made of? */
static bool differs_itself(void *ud, Ex e)
{
    const Uniform *u = ud;
    const Prog *p = u->l->p;
    const Expr *x = &p->ex[e];
    if (x->op == Xvar) {
        const Var *a = &p->var[x->sym];
        if (a->kind == Vlet)
            return !a->value;
        return x->sym == u->tid || (x->sym < u->nvar && u->var[x->sym]);
    }
    int sc = x->op == Xload ? p->buf[x->sym].scope : SCnone;
    bool memory = sc == SCshared || sc == SCglobal; /* what is read in one place is one value */
    if (x->op == Xload && !memory)
        return sc == SCfragment || u->mixed[buf_root(p, x->sym)];
    return x->op == Xcall && intrinfo[x->sym].level == 'T' && x->sym != Icount_sync &&
           x->sym != Iand_sync && x->sym != Ior_sync;
}

bool uniform_ex(const Uniform *u, Ex e)
{
    Uniform k = *u;
    return !ex_any_let(u->l->p, e, differs_itself, &k);
}

/* Rounds ---------------------------------------------------------------- */

/* Is there a break or continue of the loop whose body s is, that some threads take
 * and others do not? */
static bool leaves_divergent(const Uniform *u, const Stmt *s, bool uniform)
{
    for (; s; s = s->next) {
        if ((s->kind == Sbreak || s->kind == Scontinue) && !uniform)
            return true;
        if (s->kind == Sif) {
            bool same = uniform && uniform_ex(u, s->cond.cond);
            if (leaves_divergent(u, s->cond.then, same) || leaves_divergent(u, s->cond.els, same))
                return true;
        }
    }
    return false;
}

bool uniform_loop(const Uniform *u, const Stmt *s)
{
    if (s->kind == Swhile)
        return uniform_ex(u, s->whil.cond) && !leaves_divergent(u, s->whil.body, true);
    for (int i = 0; i < s->loop.n; i++)
        if (!uniform_ex(u, s->loop.lo[i]) || !uniform_ex(u, s->loop.hi[i]))
            return false;
    return (!s->loop.step || uniform_ex(u, s->loop.step)) &&
           !leaves_divergent(u, s->loop.body, true);
}

static bool buffer_is_mixed(Uniform *u, uint32_t buf)
{
    buf = buf_root(u->l->p, buf);
    bool news = !u->mixed[buf];
    u->mixed[buf] = true;
    return news;
}

/* One more round over all stores: true if a buffer turned out mixed. */
static bool uniform_spread(Uniform *u, const Stmt *s, bool uniform)
{
    const Prog *p = u->l->p;
    Stmt *b[2];
    bool more = false;
    for (; s; s = s->next) {
        bool in = uniform;
        if (s->kind == Sstore) {
            bool ok = uniform && uniform_ex(u, s->store.value);
            for (int d = 0; d < p->buf[s->store.buf].ndim; d++)
                ok = ok && uniform_ex(u, s->store.idx[d]);
            more |= !ok && buffer_is_mixed(u, s->store.buf);
        } else if (s->kind == Salloc && s->alloc.init) {
            more |= !(uniform && uniform_ex(u, s->alloc.init)) && buffer_is_mixed(u, s->alloc.buf);
        } else if (s->kind == Sop) {
            const char *c = opinfo[s->op.op].regions;
            for (int i = 0; c[i]; i++)
                more |= c[i] != 'r' && s->op.r[i].buf && buffer_is_mixed(u, s->op.r[i].buf);
        } else if (s->kind == Sif) {
            in = in && uniform_ex(u, s->cond.cond);
        } else if (s->kind == Swhile) {
            in = in && uniform_loop(u, s);
        } else if (s->kind == Sfor) {
            bool step = !s->loop.step || uniform_ex(u, s->loop.step);
            for (int i = 0; i < s->loop.n; i++) {
                bool same = step && uniform_ex(u, s->loop.lo[i]);
                more |= !same && !u->var[s->loop.var[i]];
                u->var[s->loop.var[i]] = !same;
            }
            in = in && uniform_loop(u, s);
        }
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            more |= uniform_spread(u, b[i], in);
    }
    return more;
}

void uniform_init(Uniform *u, Low *l)
{
    *u = (Uniform){.l = l, .n = l->p->nbuf, .tid = l->launch->launch.thread[0]};
    u->mixed = anew(&l->p->ctx, u->n * sizeof *u->mixed);
    u->nvar = l->p->nvar;
    u->var = anew(&l->p->ctx, u->nvar * sizeof *u->var);
    while (uniform_spread(u, l->launch->launch.body, true))
        ;
}
