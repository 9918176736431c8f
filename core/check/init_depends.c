/* core/check/init_depends.c: what the accesses of a storage depend on, for init_cover.c, which asks for
 * each read: looked at once for each storage, as a program may read and write one thousands of times. */
#include <string.h>

#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "init_open.h"

typedef struct OpenOf OpenOf;
struct OpenOf {
    uint32_t *var;               /* NULL: not looked at yet */
    uint32_t nvar;
    int64_t value[MaxValues];
    int nvalue;
};

static ExGo depends_note(void *ud, Ex e)
{
    OpenDepends *d = ud;
    const Expr *x = ex_at(d->p, e);
    if (x->op == Xvar)
        d->used[x->sym] = true;
    bool is = x->op == Xint;
    for (int i = 0; i < d->nvalue && is; i++)
        is = d->value[i] != x->i;
    if (is && d->nvalue < MaxValues)
        d->value[d->nvalue++] = x->i;
    return EXinto;
}

static void depends_access(const Access *a, OpenDepends *d)
{
    const Prog *p = d->p;
    for (int i = 0; i < a->ndim; i++) {
        ex_walk(p, a->idx[i], depends_note, d);
        if (a->tile)
            ex_walk(p, a->extent[i], depends_note, d);
    }
    for (const Guard *g = a->guard; g; g = g->up)
        if (g->cond)
            ex_walk(p, g->cond, depends_note, d);
    for (const CheckFrame *k = a->in; k; k = k->up)
        for (int i = 0; k->s->kind == Sfor && i < k->s->loop.n; i++) {
            ex_walk(p, k->s->loop.lo[i], depends_note, d);
            ex_walk(p, k->s->loop.hi[i], depends_note, d);
        }
}

/* Notes what stands in d, which is all that the accesses of the root depend on. */
static void depends_keep(OpenOf *o, const OpenDepends *d, Ctx *c)
{
    o->nvar = 0;
    for (uint32_t v = 0; v < d->p->nvar; v++)
        o->nvar += d->used[v];
    o->var = anew(c, (o->nvar + 1) * sizeof *o->var);
    for (uint32_t v = 0, n = 0; v < d->p->nvar; v++)
        if (d->used[v])
            o->var[n++] = v;
    memcpy(o->value, d->value, sizeof o->value);
    o->nvalue = d->nvalue;
}

void open_depends(OpenInit *t, uint32_t root, const Access *dest, OpenDepends *out)
{
    const Facts *f = t->f;
    OpenOf *o = &t->of[root];
    *out = (OpenDepends){.p = f->p, .used = memset(t->used, 0, f->p->nvar * sizeof *t->used)};
    if (o->var) {
        for (uint32_t i = 0; i < o->nvar; i++)
            out->used[o->var[i]] = true;
        memcpy(out->value, o->value, sizeof o->value);
        out->nvalue = o->nvalue;
    } else {
        for (uint32_t i = t->first[root]; i; i = t->next[i - 1])
            depends_access(&f->a[i - 1], out);
        depends_keep(o, out, &t->f->p->ctx);
    }
    for (int d = 0; dest && d < dest->ndim; d++)
        ex_walk(f->p, dest->idx[d], depends_note, out);
}

/* What the program assumes ------------------------------------------------- */

static bool depends_count(Stmt *s, void *ud)
{
    OpenInit *t = ud;
    t->nassumed += s->kind == Sassume;
    return true;
}

static bool depends_collect(Stmt *s, void *ud)
{
    OpenInit *t = ud;
    if (s->kind == Sassume)
        t->assumed[t->nassumed++] = s->check.cond;
    return true;
}

void open_depends_init(OpenInit *t)
{
    Prog *p = t->f->p;
    t->of = anew(&p->ctx, p->nbuf * sizeof *t->of);
    stmt_walk(p->body, depends_count, t);
    t->assumed = anew(&p->ctx, ((size_t)t->nassumed + 1) * sizeof *t->assumed);
    t->nassumed = 0;
    stmt_walk(p->body, depends_collect, t);
}

bool open_assumed(OpenInit *t)
{
    int64_t v;
    for (int i = 0; i < t->nassumed; i++)
        if (open_plain(t, t->assumed[i]) && x_eval(t->f->p, t->assumed[i], t->f->env, &v) && !v)
            return false;
    return true;
}
