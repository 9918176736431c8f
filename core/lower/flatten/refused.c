/* core/lower/flatten/refused.c: what the threads share out has to be alike in all of them.
 *
 * A parallel loop gives its iterations, and an operation on a tile its elements, to threads of its
 * own choice.  Where a place, a value or a condition in it differs between threads, what comes out
 * depends on that choice, which is no program's meaning: an error.  This looks at what flat_ranges
 * left: ranges of threads are roles, and within a role what differs outside of it is alike.
 *
 * Let be: what each thread keeps for itself; copies and fills that every thread does by
 * itself (own.c); and sums in places of the thread's own (a histogram for each warp), which are
 * the same in total whoever does what. */
#include <string.h>

#include "flatten.h"
#include "err/kernel.h"

/* What is wrong ---------------------------------------------------------------- */

/* Where we are. */
typedef struct Refused Refused;
struct Refused { Low *l; Vary *v; const VaryHere *here; };

typedef struct Cause { const Prog *p; Vary *v; Ex e; } Cause;

/* Goes down as long as it is a term or a condition that differs. */
static ExGo refused_narrower(void *ud, Ex e)
{
    Cause *k = ud;
    enum Xop op = (enum Xop)ex_at(k->p, e)->op;
    if (!vary_ex(k->v, e))
        return EXskip;
    k->e = e;
    return op == Xcast || op == Xadd || op == Xsub || op == Xmul || op == Xselect ? EXinto : EXstop;
}

/* What makes e, which differs, do so: of a choice its condition, of a sum its term. */
static Ex cause(const Refused *a, Ex e)
{
    Cause k = {a->l->p, a->v, e};
    ex_walk(a->l->p, e, refused_narrower, &k);
    return k.e;
}

typedef struct RefusedMade { const Refused *a; bool kept, talks; } RefusedMade;

static bool refused_made_of(void *ud, Ex e)
{
    RefusedMade *k = ud;
    const Prog *p = k->a->l->p;
    const Expr *x = ex_at(p, e);
    bool private = x->op == Xload && vary_private(p, x->sym);
    k->talks |= x->op == Xcall && intrinfo[x->sym].level == 'T';
    k->kept |= private && vary_kept(k->a->v, x->sym);
    return private || k->talks;
}

/* One of the threads that are here, as users would ask for it. */
static const char *one_thread(const Refused *a)
{
    const Prog *p = a->l->p;
    const char *all = NULL;
    for (uint32_t i = 1; i < p->nvar; i++)
        if (p->var[i].kind == Vthread && i != a->l->tid)
            all = afmt(&a->l->p->ctx, "%s%s%s == %d", all ? all : "", all ? " and " : "",
                       p->var[i].name, all ? 0 : a->here->lo);
    return all ? all : "";
}

/* what: the expression that differs.  op: the operation that s is; NULL: s is in a parallel
 * loop. */
NORETURN static void refused_refuse(const Refused *a, const Stmt *s, Err err, const char *op, Ex what)
{
    Low *l = a->l;
    RefusedMade k = {a, false, false};
    Ex e = cause(a, what);
    const char *text = low_text(l, e);
    bool own = ex_any(l->p, e, refused_made_of, &k);
    const char *index = !own || (a->here->parloop && k.kept) ? "1" : "0";
    const char *before = a->here->parloop && k.talks ? "0" : "1";
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

static Ex refused_updates(const Refused *a, const Stmt *s)
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
static bool each_its_own(const Refused *a, const Ex *idx, int nd)
{
    const Prog *p = a->l->p;
    for (int i = 0; i < a->here->naround; i++) {
        bool found = p->var[a->here->around[i]].lo == p->var[a->here->around[i]].hi;
        for (int d = 0; d < nd; d++) {
            ExSum s = x_linear(p, idx[d]);
            for (int k = 0; k < s.n; k++)
                found |= refused_is_var(p, s.atom[k], a->here->around[i]);
        }
        if (!found)
            return false;
    }
    return true;
}

/* A place, by its indices, that differs: one that is added to may. */
static void refused_place(const Refused *a, const Stmt *s, const Ex *idx, int nd, bool sums)
{
    for (int d = 0; d < nd; d++)
        if (vary_ex(a->v, idx[d]) && (!sums || each_its_own(a, idx, nd)))
            refused_refuse(a, s, E_parallel_place, NULL, idx[d]);
}

static void refused_conditions(const Refused *a, const Stmt *s)
{
    if (vary_comes(a->v))
        refused_refuse(a, a->here->within ? a->here->within : s, E_parallel_condition, NULL,
                       a->here->cond);
}

static void refused_store(const Refused *a, const Stmt *s)
{
    const Prog *p = a->l->p;
    Ex load = refused_updates(a, s);
    bool own = vary_private(p, s->store.buf);
    if (own && !load)
        return;
    refused_conditions(a, s);
    if (own)
        return;
    refused_place(a, s, s->store.idx, p->buf[s->store.buf].ndim, load != 0);
    if (vary_ex_but(a->v, s->store.value, load))
        refused_refuse(a, s, E_parallel_value, NULL, s->store.value);
}

static void refused_atomic(const Refused *a, const Stmt *s)
{
    if (s->atomic.kind == ATload)
        return;
    refused_conditions(a, s);
    refused_place(a, s, s->atomic.idx, a->l->p->buf[s->atomic.buf].ndim, s->atomic.kind != ATstore);
    for (int i = 0; i < s->atomic.lanes; i++)
        if (vary_ex(a->v, s->atomic.value[i]))
            refused_refuse(a, s, E_parallel_value, NULL, s->atomic.value[i]);
}

typedef struct RefusedFirst { Vary *v; Ex e; } RefusedFirst;

static bool refused_first(void *ud, Ex e)
{
    RefusedFirst *k = ud;
    k->e = vary_ex(k->v, e) ? e : 0;
    return !k->e;
}

/* An operation on a tile that the threads do together. */
static void refused_tile(const Refused *a, const Stmt *s)
{
    Low *l = a->l;
    const Region *r = s->op.r;
    RefusedFirst k = {a->v, 0};
    Ex why;
    if (opinfo[s->op.op].level != 'T' || s->op.op == Oprint)
        return;
    if (s->op.op == Ocopy && low_fragment(l->p, r[1].buf) && vary_region(a->v, &r[0]))
        diag_fail(&l->p->ctx, E_tile_thread, s->loc, op_name(l->p, Ocopy), l->p->buf[r[0].buf].name,
                  "1", "1", one_thread(a), NULL);
    if (flat_by_each(l, a->v, s, &why))
        return;
    stmt_exprs(l->p, s, refused_first, &k);
    if (k.e)
        refused_refuse(a, s, E_tile_thread, op_said(l->p, s), k.e);
}

static void refused_statement(void *ud, Vary *v, const Stmt *s)
{
    Refused a = {ud, v, vary_here(v)};
    if (a.here->parloop && s->kind == Sstore)
        refused_store(&a, s);
    else if (a.here->parloop && s->kind == Satomic)
        refused_atomic(&a, s);
    else if (s->kind == Sop)
        refused_tile(&a, s);
}

Vary *flat_refused(Low *l) { return vary_look(l, VaryTiles, refused_statement, l); }
