/* core/lower/sync/within.c: threads of one branch that come to one place, in no order.
 *
 *     if tx < 20 then
 *       atomic sum C[0], A[tx]
 *       B[tx] = C[0]                 of which of the twenty?
 *     end
 *
 * A branch of whole warps is a role, in which they can wait for each other (flatten/range.c).
 * In any other no barrier can stand: if both are made for certain, of elements that are known, by
 * threads that are known, and nothing in the branch waits, it is said. */
#include <string.h>

#include "walk.h"
#include "err/order.h"

static bool within_quiet(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Scall && s->kind != Srole && s->kind != Sfor && s->kind != Swhile &&
           s->kind != Sbreak && s->kind != Scontinue && (s->kind != Sop || sync_quiet(s->op.op));
}

/* Is it known of each thread that is here whether e holds? */
static bool within_known(AccessSet *t, Ex e)
{
    Lanes is = e ? eval(&t->ev, e) : (Lanes){false, 1, NULL};
    bool known = !is.unknown && (is.v || is.one != EVmaybe);
    for (int k = t->lo; is.v && k < t->hi; k++)
        known &= is.v[k] != EVmaybe;
    return known;
}

/* Are the elements of f known, and the threads that come to them? */
static bool within_certain(AccessSet *t, const Footprint *f)
{
    const SyncAccess *a = f->a;
    bool global = a->as->scope == SCglobal;
    if (a->async || a->done != 's' || a->level != 'H' || f->all || !f->print ||
        (global ? !f->seen || f->print->wide != 1 : t->grain * 8 > acc_bits(a)))
        return false;
    for (int i = 0; i < a->ndep; i++)
        if (eval_bound(&t->ev, a->dep[i]) != EBvalue)
            return false;
    for (int d = 0; d < a->nd && global; d++)
        for (uint32_t i = 0; i < f->nterm[d]; i++)
            if (f->term[d][i].free)
                return false;
    bool known = within_known(t, a->when);
    for (int k = 0; k < a->ncond && known; k++)
        known = within_known(t, a->cond[k].e);
    return known;
}

/* Do both add the same to their indices? */
static bool within_alike(const Footprint *a, const Footprint *b)
{
    bool alike = global_named_alike(a, b);
    for (int d = 0; d < a->a->nd && alike; d++) {
        alike = a->nterm[d] == b->nterm[d];
        for (uint32_t i = 0; i < a->nterm[d] && alike; i++)
            alike = a->term[d][i].e == b->term[d][i].e && a->term[d][i].coef == b->term[d][i].coef &&
                    a->term[d][i].now == b->term[d][i].now;
    }
    return alike;
}

/* Two atomics that commute, or one of which tells what was there, loads or stores: a flag, a lock.
 * Updates of two kinds are none of these. */
static bool within_meant(const SyncAccess *a, const SyncAccess *b)
{
    return a->mode & b->mode & ACatomic && (!a->update || !b->update || a->update == b->update);
}

static void within_pair(Walk *w, const SyncAccess *a, const SyncAccess *b)
{
    AccessSet *t = w->t;
    int mode = a->mode | b->mode;
    if (a->s == b->s || a->buf != b->buf || !(mode & ACwrite) || within_meant(a, b) ||
        (!(mode & ACatomic) && a->mode & b->mode & ACwrite))
        return;
    const Footprint *f = access_footprint(t, a);
    if (footprint_empty(f) || !within_certain(t, f))
        return;
    const Footprint *g = access_footprint(t, b);
    if (footprint_empty(g) || !within_certain(t, g) ||
        (a->as->scope == SCglobal && !within_alike(f, g)) || !access_conflict(t, f, g))
        return;
    Ctx *c = &w->y->l->p->ctx;
    if (sync_first_told(w->y, a->s, b->s))
        diag(c, E_order_open, b->s->loc, w->y->l->p->buf[b->buf].name,
             afmt(c, "%d", (int)a->s->loc.line), "barrier", NULL);
}

void sync_within(Walk *w, const Node *n)
{
    enum { Most = 64 };                /* accesses of a branch, whose pairs are looked at */
    const AccessSet *t = w->t;
    if (!w->y->marks || n->s->kind != Sif || n->last - n->first > Most ||
        !stmt_walk(n->s->cond.then, within_quiet, NULL) || !stmt_walk(n->s->cond.els, within_quiet, NULL))
        return;
    for (uint32_t i = n->self; i < n->last; i++)
        for (uint32_t j = i + 1; j < n->last && access_matters(t, &t->acc[i]); j++)
            within_pair(w, &t->acc[i], &t->acc[j]);
}
