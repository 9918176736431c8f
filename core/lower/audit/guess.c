/* core/lower/audit/guess.c: values for what a kernel knows only when it runs. */
#include <string.h>

#include "core/ir/walk.h"
#include "core/ir/expr.h"
#include "guess.h"

enum { MaxLook = 4096, Few = 6 };

static uint64_t guess_mix(uint64_t h, uint64_t by)
{
    h = (h ^ by) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
}

/* What tells variable v from others. */
static uint64_t key_of_var(uint32_t v, const Var *a)
{
    /* each role has loops of its own; the launch's variables are everybody's */
    return a->kind == Vloop ? 1 : v;
}

static uint64_t guess_key(Guess *g, uint64_t h, Ex e);

/* A private buffer by its name, since each role has its own, and by what was put there. */
static uint64_t key_of_load(Guess *g, uint64_t h, const Expr *x)
{
    const Buf *b = &g->ev->p->buf[x->sym];
    if (b->scope != SCvar && b->scope != SClocal)
        return guess_mix(h, x->sym);
    for (const char *s = b->name; *s; s++)
        h = guess_mix(h, (unsigned char)*s);
    return guess_mix(h, g->stores[x->sym]);
}

/* h with e in it: its value, or what it is made of. */
static uint64_t guess_key(Guess *g, uint64_t h, Ex e)
{
    const Prog *p = g->ev->p;
    const Expr *x = &p->ex[e];
    uint64_t bits;
    if (ex_let(p, e))
        return guess_key(g, h, ex_let(p, e));
    if (g->left-- <= 0)
        return h;
    h = guess_mix(guess_mix(h, x->op), x->dt);
    switch ((enum Xop)x->op) {
    case Xint: h = guess_mix(h, (uint64_t)x->i); break;
    case Xfloat: memcpy(&bits, &x->f, sizeof bits); h = guess_mix(h, bits); break;
    case Xvar: h = guess_mix(h, key_of_var(x->sym, &p->var[x->sym])); break;
    case Xload: h = key_of_load(g, h, x); break;
    case Xcall: h = guess_mix(h, x->sym); break;
    default: break;
    }
    for (int i = 0, n = x->n; i < n; i++) {
        int64_t v;
        Ex a = p->ex[e].arg[i];
        h = !dtype_isfloat((enum Dtype)p->ex[a].dt) && eval_one(g->ev, a, &v)
                ? guess_mix(h, (uint64_t)v)
                : guess_key(g, h, a);
    }
    return h;
}

/* The guess of e as a number from -1 to Few - 2. */
static int64_t guess_small(Guess *g, Ex e)
{
    if (g->kind == Gmost || g->kind == Gleast)
        return g->kind == Gmost ? Few - 2 : 0;
    g->left = MaxLook;
    return (int64_t)(guess_mix(guess_key(g, 0, e), g->kind) >> 32) % Few - 1;
}

static double real(Guess *g, Ex e)
{
    const Prog *p = g->ev->p;
    const Expr *x = &p->ex[e];
    int64_t v;
    while (ex_let(p, e) || (x->op == Xcast && dtype_isfloat((enum Dtype)p->ex[x->arg[0]].dt))) {
        e = x->op == Xcast ? x->arg[0] : ex_let(p, e);
        x = &p->ex[e];
    }
    if (x->op == Xfloat)
        return x->f;
    if (x->op == Xcast && eval_one(g->ev, x->arg[0], &v))
        return (double)v;
    return (double)guess_small(g, e);
}

static bool compares(enum Xop op) { return op == Xlt || op == Xle || op == Xeq || op == Xne; }

bool guess_value(Guess *g, Ex e, int64_t *v)
{
    const Prog *p = g->ev->p;
    Expr x = p->ex[e];
    int64_t lo, hi;
    if (dtype_isfloat((enum Dtype)x.dt))
        return false;
    if (compares((enum Xop)x.op) && dtype_isfloat((enum Dtype)p->ex[x.arg[0]].dt)) {
        double a = real(g, x.arg[0]), b = real(g, x.arg[1]);
        *v = x.op == Xlt ? a < b : x.op == Xle ? a <= b : (a == b) == (x.op == Xeq);
        return true;
    }
    *v = guess_small(g, e);
    if (x.dt == DTbool)
        *v = *v > 0;
    if (x_range(p, e, &lo, &hi))
        *v = *v < lo ? lo : *v > hi ? hi : *v;
    *v = ex_wrap((enum Dtype)x.dt, *v);
    return true;
}
