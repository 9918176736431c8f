/* core/feedback_value.c: values of index expressions and conditions for all
 * threads of a block at once.
 *
 * Each node is computed once a moment, that is, until a loop variable or the
 * block changes; lets are followed.  What depends on memory is not known. */
#include "eval.h"
#include "expr.h"
#include "feedback_p.h"

static int64_t *room(Fb *f, FbVal *v, uint32_t n)
{
    if (v->room < n) {
        v->v = anew(&f->p->ctx, n * sizeof *v->v);
        v->room = n;
    }
    return v->v;
}

static void constant(Fb *f, FbVal *v, int64_t x)
{
    room(f, v, 1)[0] = x;
    v->known = v->uniform = true;
}

static void variable(Fb *f, FbVal *v, uint32_t id)
{
    const Var *x = &f->p->var[id];
    if (id == f->tid) {
        int64_t *to = room(f, v, (uint32_t)f->threads);
        for (int t = 0; t < f->threads; t++)
            to[t] = t;
        v->known = true;
        v->uniform = false;
    } else if (f->known[id]) {
        constant(f, v, f->env[id]);
    } else if (x->kind == Vlet && x->value) {
        FbVal k = *fb_value(f, x->value);
        uint32_t n = k.uniform ? 1 : (uint32_t)f->threads;
        v->known = k.known;
        v->uniform = k.uniform;
        v->data = k.data;
        if (k.known) {
            int64_t *to = room(f, v, n);
            for (uint32_t t = 0; t < n; t++)
                to[t] = k.v[t];
        }
    } else {
        v->data = x->kind == Vlet;
    }
}

/* What operator x gives thread t; false: nothing, as 1 // 0. */
static bool step(const Prog *p, const Expr *x, const FbVal *const *a, int t, int64_t *out)
{
    int64_t l = fb_at(a[0], t), r = x->n > 1 ? fb_at(a[1], t) : 0;
    switch (x->op) {
    case Xnot: *out = !l; return true;
    case Xbnot: *out = ex_wrap((enum Dtype)x->dt, ~l); return true;
    case Xcast: *out = ex_wrap((enum Dtype)x->dt, l); return true;
    case Xand: *out = l && r; return true;
    case Xor: *out = l || r; return true;
    case Xselect: *out = l ? r : fb_at(a[2], t); return true;
    default:
        return x_operate((enum Xop)x->op, ex_type(p, x->arg[0]), l, r, out);
    }
}

/* and, or with one side that decides by itself. */
static bool decided(Fb *f, const Expr *x, FbVal *v)
{
    if (x->op == Xand || x->op == Xor)
        for (int i = 0; i < 2; i++) {
            const FbVal *a = fb_value(f, x->arg[i]);
            if (a->known && a->uniform && (a->v[0] != 0) == (x->op == Xor)) {
                constant(f, v, x->op == Xor);
                return true;
            }
        }
    return false;
}

static void operate(Fb *f, const Expr *x, FbVal *v)
{
    const FbVal *a[3] = {0};
    bool known = true, uniform = true;
    if (x->n < 1 || x->n > 3 || x->op == Xload || x->op == Xcall || x->op == Xbits) {
        v->data = true;
        return;
    }
    if (decided(f, x, v))
        return;
    for (int i = 0; i < x->n; i++) {
        a[i] = fb_value(f, x->arg[i]);
        known = known && a[i]->known;
        uniform = uniform && a[i]->uniform;
        v->data = v->data || (!a[i]->known && a[i]->data);
    }
    int n = uniform ? 1 : f->threads;
    if (!known)
        return;
    room(f, v, (uint32_t)n);
    for (int t = 0; t < n; t++)
        if (!step(f->p, x, a, t, &v->v[t])) {
            v->data = true;
            return;
        }
    v->known = true;
    v->uniform = uniform;
}

const FbVal *fb_value(Fb *f, Ex e)
{
    FbVal *v = &f->val[e];
    const Expr *x = &f->p->ex[e];
    if (v->moment == f->moment)
        return v;
    v->moment = f->moment;
    v->known = v->data = false;
    v->uniform = true;
    if (dtype_isfloat((enum Dtype)x->dt))
        v->data = true;
    else if (x->op == Xint)
        constant(f, v, x->i);
    else if (x->op == Xvar)
        variable(f, v, x->sym);
    else if (x->op >= Xadd)
        operate(f, x, v);
    return v;
}

bool fb_number(Fb *f, Ex e, int64_t *v)
{
    const FbVal *k = e ? fb_value(f, e) : NULL;
    if (!k || !k->known || !k->uniform)
        return false;
    *v = k->v[0];
    return true;
}

bool fb_uses(Fb *f, Ex e, uint32_t var) { return eval_depends(f->p, e, var); }

void fb_set(Fb *f, uint32_t var, int64_t v)
{
    if (f->known[var] && f->env[var] == v)
        return;
    f->known[var] = true;
    f->env[var] = v;
    f->moment++;
}
