/* core/lower/audit/guess.c: values for what a kernel knows only when it runs. */
#include <string.h>

#include "core/ir/walk.h"
#include "core/ir/expr.h"
#include "guess.h"

enum { MaxLook = 4096, Few = 6 };

/* What tells variable v from others. */
static uint64_t key_of_var(uint32_t v, const Var *a)
{
    /* each role has loops of its own; the launch's variables are everybody's */
    return a->kind == Vloop ? 1 : v;
}

/* A private buffer by its name, since each role has its own, and by what was put there. */
static uint64_t key_of_load(Guess *g, uint64_t h, const Expr *x)
{
    const Buf *b = &g->ev->p->buf[x->sym];
    if (b->scope != SCvar && b->scope != SClocal)
        return eval_key_mix(h, x->sym);
    for (const char *s = b->name; *s; s++)
        h = eval_key_mix(h, (unsigned char)*s);
    return eval_key_mix(h, g->stores[x->sym]);
}

static uint64_t guess_key(Guess *g, Ex e);

/* e's value, or what it is made of. */
static uint64_t key_of_part(Guess *g, Ex e)
{
    int64_t v;
    if (!dtype_isfloat((enum Dtype)g->ev->p->ex[e].dt) && eval_one(g->ev, e, &v))
        return eval_key_int(v);
    return guess_key(g, e);
}

static uint64_t guess_key(Guess *g, Ex e)
{
    const Prog *p = g->ev->p;
    while (ex_let(p, e))
        e = ex_let(p, e);
    Expr x = p->ex[e];
    uint64_t bits, h = eval_key_mix(x.op, x.dt);
    int64_t by = 0;
    if (g->left-- <= 0)
        return h;
    if (x.n == 2) {
        uint64_t a = key_of_part(g, x.arg[0]), b = key_of_part(g, x.arg[1]);
        bool times = !dtype_isfloat((enum Dtype)x.dt) && eval_one(g->ev, x.arg[1], &by);
        uint64_t both = eval_key_of((enum Xop)x.op, (enum Dtype)x.dt, a, b, times ? &by : NULL);
        if (both)
            return both;
    }
    switch ((enum Xop)x.op) {
    case Xint: return eval_key_int(x.i);
    case Xfloat: memcpy(&bits, &x.f, sizeof bits); h = eval_key_mix(h, bits); break;
    case Xvar: h = eval_key_mix(h, key_of_var(x.sym, &p->var[x.sym])); break;
    case Xload: h = key_of_load(g, h, &x); break;
    case Xcall: h = eval_key_mix(h, x.sym); break;
    default: break;
    }
    for (int i = 0; i < x.n; i++)
        h = eval_key_mix(h, key_of_part(g, p->ex[e].arg[i]));
    return h;
}

/* The guess of e as a number from -1 to Few - 2. */
static int64_t guess_small(Guess *g, Ex e)
{
    if (g->kind == Gmost || g->kind == Gleast)
        return g->kind == Gmost ? Few - 2 : 0;
    g->left = MaxLook;
    return (int64_t)(eval_key_mix(guess_key(g, e), g->kind) >> 32) % Few - 1;
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
