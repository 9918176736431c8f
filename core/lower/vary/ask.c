/* core/lower/vary/ask.c: what is known in front of each statement, and questions about it. */
#include "vary_p.h"

/* Places ------------------------------------------------------------------------ */

static uint32_t place_hash(const Stmt *s) { return (uint32_t)((uintptr_t)s / 16); }

static VaryPlace *place_of(const Vary *v, const Stmt *s)
{
    for (VaryLink *i = vary_links(&v->places, place_hash(s)); i; i = i->next)
        if (((VaryPlace *)i)->s == s)
            return (VaryPlace *)i;
    return NULL;
}

typedef struct PlaceNames { Vary *v; VaryPlace *k; } PlaceNames;

static void place_name(Vary *v, VaryPlace *k, uint32_t slot)
{
    for (uint32_t i = 0; i < k->n; i++)
        if (k->slot[i] == slot)
            return;
    agrow(&v->l->p->ctx, &k->slot, &k->cap, k->n + 1, sizeof *k->slot);
    agrow(&v->l->p->ctx, &k->val, &k->capval, k->n + 1, sizeof *k->val);
    k->slot[k->n] = slot;
    k->val[k->n++] = v->now.val[slot - 1];
}

static ExGo place_load(void *ud, Ex e)
{
    PlaceNames *k = ud;
    const Expr *x = ex_at(k->v->l->p, e);
    Part part = x->op == Xload ? vary_whole(k->v, x->sym) : (Part){0, 0};
    for (uint32_t i = 0; i < part.n; i++)
        place_name(k->v, k->k, part.first + i);
    return EXinto;
}

static bool place_loads(void *ud, Ex e)
{
    const PlaceNames *k = ud;
    return ex_walk(k->v->l->p, e, place_load, ud);
}

static VaryPlace *place_new(Vary *v, const Stmt *s)
{
    VaryPlace *k = anew(&v->l->p->ctx, sizeof *k);
    *k = (VaryPlace){.s = s, .here = v->here, .div = steps_none(v)};
    k->here.div = k->div;
    if (v->nslot)
        stmt_exprs(v->l->p, s, place_loads, &(PlaceNames){v, k});
    vary_link(v, &v->places, &k->link, place_hash(s));
    return k;
}

/* What was known there another time, and is here, become what both have in common. */
static void place_join(Vary *v, VaryPlace *k)
{
    for (uint32_t i = 0; i < k->n; i++) {
        Ex is = v->now.val[k->slot[i] - 1];
        if (k->val[i] == is)
            continue;
        Steps *own = steps_none(v);
        steps_of_value(v, own, k->val[i]);
        steps_of_value(v, own, is);
        k->val[i] = vary_token(v, k->s, k->slot[i], VTseen, vary_type(v, k->slot[i]), own);
    }
}

void vary_note(Vary *v, const Stmt *s)
{
    VaryPlace *k = place_of(v, s);
    if (k)
        place_join(v, k);
    else
        k = place_new(v, s);
    steps_join(v, k->div, v->here.div);
}

void vary_at(Vary *v, const Stmt *s)
{
    const VaryPlace *k = v->none ? NULL : place_of(v, s), *was = v->at;
    v->lost = !v->none && !k;
    for (uint32_t i = 0; was && i < was->n; i++)
        v->now.val[was->slot[i] - 1] = 0;
    v->at = k;
    for (uint32_t i = 0; k && i < k->n; i++)
        v->now.val[k->slot[i] - 1] = k->val[i];
    if (k)
        v->here = k->here;
}

const VaryHere *vary_here(const Vary *v) { return &v->here; }

/* Questions ---------------------------------------------------------------------- */

static bool no_number(void *ud, Ex e)
{
    const Prog *p = ud;
    return ex_at(p, e)->op == Xload || ex_at(p, e)->op == Xvar || ex_at(p, e)->op == Xcall;
}

bool vary_ex_but(Vary *v, Ex e, Ex but)
{
    if (v->none || !e)
        return false;
    if (v->lost)
        return ex_any(v->l->p, e, no_number, v->l->p);
    Steps *s = steps_none(v);
    v->but = but;
    steps_of(v, s, e);
    v->but = 0;
    return steps_differ(v, s);
}

bool vary_ex(Vary *v, Ex e) { return vary_ex_but(v, e, 0); }

bool vary_comes(const Vary *v)
{
    return !v->none && (v->lost || steps_differ(v, v->here.div));
}

static bool ask_alike(void *ud, Ex e) { return !vary_ex(ud, e); }

bool vary_own(Vary *v, const Stmt *s)
{
    vary_at(v, s);
    return !stmt_exprs(v->l->p, s, ask_alike, v);
}

/* The condition that varies around a break or continue, or NULL; div: one around s. */
static const Stmt *vary_ragged(Vary *v, const Stmt *s, const Stmt *div)
{
    for (; s; s = s->next) {
        if ((s->kind == Sbreak || s->kind == Scontinue) && div)
            return div;
        if (s->kind != Sif || (!stmt_leaves(s->cond.then) && !stmt_leaves(s->cond.els)))
            continue;
        vary_at(v, s);
        const Stmt *in = vary_ex(v, s->cond.cond) ? s : div;
        const Stmt *found = vary_ragged(v, s->cond.then, in);
        found = found ? found : vary_ragged(v, s->cond.els, in);
        if (found)
            return found;
    }
    return NULL;
}

typedef struct VaryBound { Vary *v; Ex e; } VaryBound;

static bool bound_varies(void *ud, Ex e)
{
    VaryBound *k = ud;
    k->e = vary_ex(k->v, e) ? e : 0;
    return !k->e;
}

Ex vary_cause(Vary *v, const Stmt *s, const Stmt **at)
{
    VaryBound k = {v, 0};
    *at = s;
    if (v->none)
        return 0;
    vary_at(v, s);
    stmt_exprs(v->l->p, s, bound_varies, &k);
    if (k.e || s->kind == Sif)
        return k.e;
    const Stmt *jump = vary_ragged(v, s->kind == Swhile ? s->whil.body : s->loop.body, NULL);
    vary_at(v, s);
    *at = jump ? jump : s;
    return jump ? jump->cond.cond : 0;
}

bool vary_loop(Vary *v, const Stmt *s)
{
    const Stmt *at;
    return vary_cause(v, s, &at) != 0;
}

bool vary_region(Vary *v, const Region *r)
{
    bool all;
    Steps *s = steps_none(v);
    if (v->none || !vary_private(v->l->p, r->buf))
        return false;
    Part k = vary_part(v, r, &all);
    for (uint32_t i = 0; i < k.n; i++)
        steps_of_value(v, s, v->now.val[k.first + i - 1]);
    return v->lost || steps_differ(v, s);
}

bool vary_kept(const Vary *v, uint32_t buf)
{
    Part k = vary_whole(v, buf);
    for (uint32_t i = 0; i < k.n; i++)
        if (v->kept[k.first + i - 1])
            return true;
    return false;
}

const Stmt *vary_let(const Vary *v, uint32_t var)
{
    return var < v->nfact ? v->fact[var].at : NULL;
}
