/* core/lower/flatten/split.c: a condition as a set of threads and what is the same in all of them.
 *
 *     64 <= tid and tid < 128 and n[0] > 3     threads 64 .. 127, if n[0] > 3
 *     v // 128 == 0, where v is tid            threads 0 .. 127 */
#include <string.h>

#include "core/ir/walk.h"
#include "flatten.h"

/* Factors ---------------------------------------------------------------------- */

typedef struct Factors Factors;
struct Factors { Low *l; RangePlace *at; RangeSplit *k; bool not; };

static Ex split_both(Prog *p, Ex a, Ex b) { return a ? x_bin(p, Xand, a, b) : b; }

static void select_threads(Factors *f, Ex e)
{
    RangePlace *at = f->at;
    RangeSplit *k = f->k;
    Ex is = vary_value(at->v, e);
    eval_reset(&at->ev);
    Lanes yes = eval(&at->ev, is ? is : e);
    for (int t = at->lo; t < at->hi && !k->mixed; t++) {
        int64_t v = yes.v ? yes.v[t] : yes.one;
        k->mixed = yes.unknown || v == EVmaybe;
        k->in[t - at->lo] &= v != 0;
    }
    if (!k->mixed)
        k->range = split_both(f->l->p, k->range, e);
}

static ExGo split_factor(void *ud, Ex e)
{
    Factors *f = ud;
    Prog *p = f->l->p;
    const Expr *x = ex_at(p, e);
    if (x->op == Xnot) {
        ex_walk(p, x->arg[0], split_factor, &(Factors){f->l, f->at, f->k, !f->not});
        return EXskip;
    }
    if (x->op == (f->not ? Xor : Xand))
        return EXinto;
    e = f->not ? x_un(p, Xnot, e) : e;
    if (vary_ex(f->at->v, e))
        select_threads(f, e);
    else
        f->k->uniform = split_both(p, f->k->uniform, e);
    return EXskip;
}

RangeSplit flat_split(Low *l, RangePlace *at, Ex cond)
{
    size_t n = (size_t)(at->hi - at->lo);
    RangeSplit k = {.in = anew(&l->p->ctx, n)};
    memset(k.in, 1, n);
    ex_walk(l->p, cond, split_factor, &(Factors){l, at, &k, false});
    return k;
}

/* Variables ---------------------------------------------------------------------- */

typedef struct SplitNames { const Low *l; const RangePlace *at; bool other; } SplitNames;

/* Something that may not be named where we are, or be another here. */
static ExGo split_name(void *ud, Ex e)
{
    SplitNames *k = ud;
    const Prog *p = k->l->p;
    const Expr *x = ex_at(p, e);
    bool known = x->op != Xvar || (p->var[x->sym].kind != Vlet && p->var[x->sym].kind != Vloop);
    for (uint32_t i = 0; i < k->at->nloop; i++)
        for (int d = 0; d < k->at->loop[i]->loop.n; d++)
            known |= k->at->loop[i]->loop.var[d] == x->sym;
    k->other |= !known || x->op == Xload;
    return EXinto;
}

Ex flat_stated(Low *l, RangePlace *at, Ex cond)
{
    SplitNames k = {l, at, false};
    Ex is = vary_value(at->v, cond);
    if (is)
        ex_walk(l->p, is, split_name, &k);
    if (!is || k.other)
        return cond;
    low_say(l, is, cond);
    return is;
}
