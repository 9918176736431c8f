/* core/cost/feedback_value.c: values of index expressions and conditions for all
 * threads of a block at once, as eval.c finds them.
 *
 * Each is asked for once a moment, that is, until a loop variable or the
 * block changes.  What depends on memory is not known. */
#include "core/ir/eval.h"
#include "feedback_p.h"
#include "core/ir/walk.h"

void fb_values(Fb *f)
{
    f->val = anew(&f->p->ctx, f->p->nex * sizeof *f->val);
    f->ev = anew(&f->p->ctx, sizeof *f->ev);
    eval_init(f->ev, f->p, 0, 1);
    eval_free(f->ev, f->p->nvar - 1); /* room for all */
}

void fb_block(Fb *f)
{
    f->ev->lane = f->tid;
    f->ev->n = f->threads;
}

static bool fb_value_is_known(Fb *f, Ex e, Lanes *a)
{
    *a = eval(f->ev, e);
    bool sure = !a->unknown, maybe = ex_type(f->p, e) == DTbool;
    for (int t = 0; sure && maybe && t < (a->v ? f->threads : 1); t++)
        sure = (a->v ? a->v[t] : a->one) != EVmaybe;
    return sure;
}

const FbVal *fb_value(Fb *f, Ex e)
{
    FbVal *v = &f->val[e];
    Lanes a;
    if (v->moment == f->moment)
        return v;
    v->moment = f->moment;
    v->known = fb_value_is_known(f, e, &a);
    v->uniform = !a.v;
    v->one = a.one;
    v->v = a.v ? a.v : &v->one;
    return v;
}

/* No size would help. */
static ExGo data(void *ud, Ex e)
{
    Fb *f = ud;
    const Expr *x = &f->p->ex[e];
    const Var *v = x->op == Xvar ? &f->p->var[x->sym] : NULL;
    Lanes a;
    if (fb_value_is_known(f, e, &a))
        return EXskip;
    if (dtype_isfloat((enum Dtype)x->dt) || x->op == Xload || x->op == Xcall || x->op == Xbits ||
        (v && v->kind == Vlet && !v->value))
        return EXstop;
    bool all = x->n > 0; /* as 1 // 0 */
    for (int i = 0; i < x->n && all; i++)
        all = fb_value_is_known(f, x->arg[i], &a);
    return all ? EXstop : EXinto;
}

bool fb_data(Fb *f, Ex e) { return !ex_walk_let(f->p, e, data, f); }

bool fb_number(Fb *f, Ex e, int64_t *v)
{
    const FbVal *k = e ? fb_value(f, e) : NULL;
    if (!k || !k->known || !k->uniform)
        return false;
    *v = k->v[0];
    return true;
}

bool fb_uses(Fb *f, Ex e, uint32_t var) { return eval_depends(f->p, e, var); }

void fb_moment(Fb *f)
{
    eval_reset(f->ev);
    f->moment++;
}

void fb_set(Fb *f, uint32_t var, int64_t v)
{
    if (eval_bound(f->ev, var) == EBvalue && f->ev->var[var].val == v)
        return;
    eval_bind(f->ev, var, v);
    fb_moment(f);
}

int64_t fb_get(const Fb *f, uint32_t var) { return f->ev->var[var].val; }

void fb_free(Fb *f, uint32_t var)
{
    eval_free(f->ev, var);
    fb_moment(f);
}
