/* core/lower/flatten/own.c: operations that each thread does for itself.
 *
 * A tile operation between global and shared memory whose regions differ between
 * threads names a part for every thread; spread over the threads like the others
 * it would do a piece of each.  So it becomes loops of every thread (flatten.c).
 *
 * A region differs when its place or extents are made of the thread's index, by
 * names and by private variables, too: those that are set to such values, or
 * where not all threads come. */
#include "flatten.h"

typedef struct OwnThread OwnThread;
struct OwnThread {
    const Low *l;
    bool *varies;   /* of a private Buf: its value is the thread's own */
    bool more, within; /* found another one; inside of what only some threads run */
};

static bool node_differs(void *ud, Ex e)
{
    const OwnThread *o = ud;
    const Prog *p = o->l->p;
    const Expr *x = &p->ex[e];
    const Var *v = x->op == Xvar ? &p->var[x->sym] : NULL;
    return (v && (v->kind == Vthread || (v->kind == Vlet && !v->value))) ||
           (x->op == Xcall && intrinfo[x->sym].level == 'T') ||
           (x->op == Xload && o->varies[x->sym]);
}

static bool own_differs(OwnThread *o, Ex e) { return ex_any_let(o->l->p, e, node_differs, o); }

static void own_set(OwnThread *o, uint32_t buf, bool own)
{
    if (!own || !flat_private(o->l->p, buf) || o->varies[buf])
        return;
    o->varies[buf] = o->more = true;
}

static bool any_differs(void *ud, Ex e) { return !own_differs(ud, e); }

/* Only some threads run what is inside of s, or each another part: a parallel loop gives its
 * iterations to threads. */
static bool splits_threads(OwnThread *o, const Stmt *s)
{
    return (s->kind == Sfor && s->loop.kind == Fparallel) ||
           ((s->kind == Sif || s->kind == Sfor || s->kind == Swhile) &&
            !stmt_exprs(o->l->p, s, any_differs, o));
}

static void own_spread(OwnThread *o, const Stmt *s)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        bool outer = o->within;
        if (s->kind == Sstore)
            own_set(o, s->store.buf, outer || !stmt_exprs(o->l->p, s, any_differs, o));
        else if (s->kind == Salloc && s->alloc.init)
            own_set(o, s->alloc.buf, own_differs(o, s->alloc.init));
        else if (s->kind == Sop) /* what an operation leaves in registers may be a thread's own */
            for (int i = 0; i < opinfo[s->op.op].nregion; i++)
                own_set(o, s->op.r[i].buf, opinfo[s->op.op].regions[i] != 'r' &&
                                           (outer || !stmt_exprs(o->l->p, s, any_differs, o)));
        o->within |= splits_threads(o, s);
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            own_spread(o, b[i]);
        o->within = outer;
    }
}

bool *flat_own(Low *l)
{
    OwnThread o = {.l = l, .varies = anew(&l->p->ctx, l->p->nbuf * sizeof *o.varies)};
    do {
        o.more = false;
        own_spread(&o, l->launch->launch.body);
    } while (o.more);
    return o.varies;
}

bool flat_each(const Low *l, bool *varies, const Stmt *s, Ex *why)
{
    OwnThread o = {.l = l, .varies = varies};
    for (int i = 0; i < opinfo[s->op.op].nregion; i++) {
        const Region *r = &s->op.r[i];
        for (int d = 0; r->buf && d < l->p->buf[r->buf].ndim; d++) {
            *why = own_differs(&o, r->min[d]) ? r->min[d] : r->extent[d];
            if (own_differs(&o, *why))
                return true;
        }
    }
    return false;
}
