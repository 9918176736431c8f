/* core/lower/flatten/refused.c: what differs between threads where it may not, and what to do.
 * See alike.c. */
#include <string.h>

#include "alike.h"
#include "core/ir/effects.h"
#include "core/ir/walk.h"
#include "err/kernel.h"

/* What is wrong ---------------------------------------------------------------- */

typedef struct Cause { Alike *a; Ex e; } Cause;

/* Goes down as long as it is a term or a condition that differs. */
static ExGo refused_narrower(void *ud, Ex e)
{
    Cause *k = ud;
    enum Xop op = (enum Xop)ex_at(k->a->l->p, e)->op;
    if (!alike_differs(k->a, e, 0))
        return EXskip;
    k->e = e;
    return op == Xcast || op == Xadd || op == Xsub || op == Xmul || op == Xselect ? EXinto : EXstop;
}

/* What makes e, which differs, do so: of a choice its condition, of a sum its term. */
static Ex cause(Alike *a, Ex e)
{
    Cause k = {a, e};
    ex_walk(a->l->p, e, refused_narrower, &k);
    return k.e;
}

typedef struct RefusedMade { const Alike *a; bool kept, talks; } RefusedMade;

static bool refused_made_of(void *ud, Ex e)
{
    RefusedMade *k = ud;
    const Expr *x = ex_at(k->a->l->p, e);
    Part n = x->op == Xload ? alike_whole(k->a, x->sym) : (Part){0, 0};
    k->talks |= x->op == Xcall && intrinfo[x->sym].level == 'T';
    for (uint32_t i = 0; i < n.n; i++)
        k->kept |= k->a->kept[n.first + i];
    return n.n || k->talks;
}

/* One of the threads that are here, as users would ask for it. */
static const char *one_thread(const Alike *a)
{
    const Prog *p = a->l->p;
    const char *all = NULL;
    for (uint32_t i = 1; i < p->nvar; i++)
        if (p->var[i].kind == Vthread && i != a->l->tid)
            all = afmt(&a->l->p->ctx, "%s%s%s == %d", all ? all : "", all ? " and " : "",
                       p->var[i].name, all ? 0 : a->lo);
    return all ? all : "";
}

/* what: the expression that differs.  op: the operation that s is; NULL: s is in a parallel
 * loop. */
NORETURN static void refused_refuse(Alike *a, const Stmt *s, Err err, const char *op, Ex what)
{
    Low *l = a->l;
    RefusedMade k = {a, false, false};
    Ex e = cause(a, what);
    const char *text = low_text(l, e);
    bool own = ex_any(l->p, e, refused_made_of, &k);
    const char *index = !own || (a->parloop && k.kept) ? "1" : "0";
    const char *before = a->parloop && k.talks ? "0" : "1";
    if (op)
        diag_fail(&l->p->ctx, err, s->loc, op, text, index, before, one_thread(a), NULL);
    diag_fail(&l->p->ctx, err, s->loc, text, index, before, one_thread(a), NULL);
}

/* The load of the element that s stores in; 0: its value has none. */
typedef struct RefusedSame { const Prog *p; const Stmt *s; Ex load; } RefusedSame;

static ExGo refused_same_place(void *ud, Ex e)
{
    RefusedSame *k = ud;
    const Expr *x = ex_at(k->p, e);
    size_t n = k->p->buf[k->s->store.buf].ndim * sizeof(Ex);
    if (x->op == Xload && x->sym == k->s->store.buf && memcmp(x->arg, k->s->store.idx, n) == 0)
        k->load = e;
    return EXinto;
}

static Ex refused_updates(const Alike *a, const Stmt *s)
{
    RefusedSame k = {a->l->p, s, 0};
    ex_walk(a->l->p, s->store.value, refused_same_place, &k);
    return k.load;
}

static bool refused_is_var(const Prog *p, Ex e, uint32_t var)
{
    return ex_at(p, e)->op == Xvar && ex_at(p, e)->sym == var;
}

/* Has each iteration of the parallel loop a place of its own?  Then nothing is summed up in it. */
static bool each_its_own(const Alike *a, const Ex *idx, int nd)
{
    const Prog *p = a->l->p;
    for (int i = 0; i < a->naround; i++) {
        bool found = p->var[a->around[i]].lo == p->var[a->around[i]].hi;
        for (int d = 0; d < nd; d++) {
            ExSum s = x_linear(p, idx[d]);
            for (int k = 0; k < s.n; k++)
                found |= refused_is_var(p, s.atom[k], a->around[i]);
        }
        if (!found)
            return false;
    }
    return true;
}

/* A place, by its indices, that differs: one that is added to may. */
static void refused_place(Alike *a, const Stmt *s, const Ex *idx, int nd, bool sums)
{
    for (int d = 0; d < nd; d++)
        if (alike_differs(a, idx[d], 0) && (!sums || each_its_own(a, idx, nd)))
            refused_refuse(a, s, E_parallel_place, NULL, idx[d]);
}

static void refused_conditions(Alike *a, const Stmt *s, const Steps *div)
{
    if (steps_differ(a, div))
        refused_refuse(a, a->within ? a->within : s, E_parallel_condition, NULL, a->cond);
}

void alike_store(Alike *a, const Stmt *s, const Steps *div)
{
    const Prog *p = a->l->p;
    Ex load = refused_updates(a, s);
    bool own = flat_private(p, s->store.buf);
    if (own && !load)
        return;
    refused_conditions(a, s, div);
    if (own)
        return;
    refused_place(a, s, s->store.idx, p->buf[s->store.buf].ndim, load != 0);
    if (alike_differs(a, s->store.value, load))
        refused_refuse(a, s, E_parallel_value, NULL, s->store.value);
}

void alike_atomic(Alike *a, const Stmt *s, const Steps *div)
{
    if (s->atomic.kind == ATload)
        return;
    refused_conditions(a, s, div);
    refused_place(a, s, s->atomic.idx, a->l->p->buf[s->atomic.buf].ndim, s->atomic.kind != ATstore);
    for (int i = 0; i < s->atomic.lanes; i++)
        if (alike_differs(a, s->atomic.value[i], 0))
            refused_refuse(a, s, E_parallel_value, NULL, s->atomic.value[i]);
}

bool alike_first(void *ud, Ex e)
{
    First *k = ud;
    k->e = alike_differs(k->a, e, 0) ? e : 0;
    return !k->e;
}

/* An operation on a tile that the threads do together. */
void alike_tile(Alike *a, const Stmt *s)
{
    Low *l = a->l;
    const Region *r = s->op.r;
    First k = {a, 0};
    Ex why;
    if (opinfo[s->op.op].level != 'T' || s->op.op == Oprint)
        return;
    bool all;
    Steps *from = steps_none(a);
    if (s->op.op == Ocopy)
        alike_join(a, from, alike_region(a, &r[0], &all));
    if (low_fragment(l->p, r[1].buf) && steps_differ(a, from))
        diag_fail(&l->p->ctx, E_tile_thread, s->loc, op_name(l->p, Ocopy), l->p->buf[r[0].buf].name,
                  "1", "1", one_thread(a), NULL);
    if (flat_by_each(l, a->each, s, &why))
        return;
    stmt_exprs(l->p, s, alike_first, &k);
    if (k.e)
        refused_refuse(a, s, E_tile_thread, op_name(l->p, (enum Op)s->op.op), k.e);
}
