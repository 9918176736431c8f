/* core/lower/build/accesses.c: what statements of tile programs do to buffers. */
#include <stdlib.h>

#include "core/ir/effects.h"
#include "core/ir/walk.h"
#include "accesses.h"

typedef struct Ask Ask;
struct Ask { const Low *l; uint32_t buf; int mode; };

/* A fragment and its registers are one thing: conversions speak of the registers. */
static uint32_t one_name(const Low *l, uint32_t b)
{
    return b < l->capbuf && l->buf[b].fragment ? l->buf[b].fragment : b;
}

static bool accesses_collect(void *ud, const MemEffect *e)
{
    Ask *a = ud;
    if (one_name(a->l, e->root) == a->buf)
        a->mode |= e->mode;
    return true;
}

int low_accesses(const Low *l, const Stmt *s, bool all, uint32_t b)
{
    Ask a = {l, one_name(l, b), 0};
    block_effects(l->p, s, all, accesses_collect, &a);
    return a.mode;
}

/* e differs between threads, by names, too; or holds an atomic's old value. */
static bool of_threads(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = &p->ex[e];
    const Var *v = x->op == Xvar ? &p->var[x->sym] : NULL;
    if ((x->op == Xcall && intrinfo[x->sym].level == 'T') || (v && v->kind == Vthread))
        return true;
    return v && v->kind == Vlet && !v->value;
}

typedef struct Changed Changed;
struct Changed { const Low *l; const Stmt *list; };

static bool accesses_changed(void *ud, Ex e)
{
    const Changed *k = ud;
    const Prog *p = k->l->p;
    const Expr *x = &p->ex[e];
    return x->op == Xload && low_accesses(k->l, k->list, true, buf_root(p, x->sym)) & FXwrite;
}

bool low_stable(const Low *l, Ex e, const Stmt *list)
{
    Changed k = {l, list};
    return !ex_any_let(l->p, e, of_threads, l->p) && !ex_any(l->p, e, accesses_changed, &k);
}

typedef struct Touch Touch;
struct Touch { uint32_t buf; int mode; };
struct Touched { const Low *l; Touch *at; uint32_t n, cap; };

static bool touched_collect(void *ud, const MemEffect *e)
{
    Touched *t = ud;
    agrow(&t->l->p->ctx, &t->at, &t->cap, t->n + 1, sizeof *t->at);
    t->at[t->n++] = (Touch){one_name(t->l, e->root), e->mode};
    return true;
}

static int touched_order(const void *x, const void *y)
{
    const Touch *a = x, *b = y;
    return (a->buf > b->buf) - (a->buf < b->buf);
}

Touched *low_touched(const Low *l, const Stmt *list)
{
    Touched *t = anew(&l->p->ctx, sizeof *t);
    uint32_t n = 0;
    t->l = l;
    block_effects(l->p, list, true, touched_collect, t);
    if (t->n)
        qsort(t->at, t->n, sizeof *t->at, touched_order);
    for (uint32_t i = 0; i < t->n; i++) {
        if (n && t->at[n - 1].buf == t->at[i].buf)
            t->at[n - 1].mode |= t->at[i].mode;
        else
            t->at[n++] = t->at[i];
    }
    t->n = n;
    return t;
}

int low_touched_how(const Touched *t, uint32_t b)
{
    const Touch key = {one_name(t->l, b), 0};
    const Touch *k = t->n ? bsearch(&key, t->at, t->n, sizeof *t->at, touched_order) : NULL;
    return k ? k->mode : 0;
}

uint32_t low_touched_buf(const Touched *t, uint32_t i) { return i < t->n ? t->at[i].buf : 0; }

uint32_t low_touched_as(const Low *l, uint32_t b) { return one_name(l, b); }

static bool touched_changed(void *ud, Ex e)
{
    const Touched *t = ud;
    const Expr *x = &t->l->p->ex[e];
    return x->op == Xload && low_touched_how(t, buf_root(t->l->p, x->sym)) & FXwrite;
}

bool low_touched_stable(Touched *t, Ex e)
{
    return !ex_any_let(t->l->p, e, of_threads, t->l->p) && !ex_any(t->l->p, e, touched_changed, t);
}

Ex low_condition(const Low *l, const Stmt *s, const Stmt *list)
{
    return s->kind == Sif && !s->cond.els && low_stable(l, s->cond.cond, list) ? s->cond.cond : 0;
}
