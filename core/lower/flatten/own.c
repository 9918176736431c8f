/* core/lower/flatten/own.c: operations that each thread does for itself.
 *
 * A tile operation between global and shared memory whose regions differ between
 * threads names a part for every thread; spread over the threads like the others
 * it would do a piece of each.  So it becomes loops of every thread (flatten.c). */
#include "flatten.h"

/* Do the regions of operation s differ between threads?  *why: what does. */
static bool flat_each(const Low *l, Vary *v, const Stmt *s, Ex *why)
{
    for (int i = 0; i < opinfo[s->op.op].nregion; i++) {
        const Region *r = &s->op.r[i];
        for (int d = 0; r->buf && d < l->p->buf[r->buf].ndim; d++) {
            *why = vary_ex(v, r->min[d]) ? r->min[d] : r->extent[d];
            if (vary_ex(v, *why))
                return true;
        }
    }
    *why = 0;
    return false;
}

bool flat_by_each(const Low *l, Vary *v, const Stmt *s, Ex *why)
{
    const Prog *p = l->p;
    const Region *r = s->op.r;
    enum Op op = (enum Op)s->op.op;
    int n = op == Ofill ? 1 : 2;
    *why = 0;
    if (op != Ofill && op != Otranspose && op != Oatomic && op != Oasync_copy && op != Ocopy)
        return false;
    for (int i = 0; i < n; i++)
        if (vary_private(p, r[i].buf))
            return true;
    for (int i = 0; i < n; i++)
        if (low_fragment(p, r[i].buf))
            return false;
    return flat_each(l, v, s, why);
}
