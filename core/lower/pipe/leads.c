/* core/lower/pipe/leads.c: copies in front of a pipelined loop that come with its first stage.
 *
 *     copy Q -> Q_s                      copy Q -> Q_s as cp.async
 *     copy K[0] -> K_s; commit           copy K[0] -> K_s; commit
 *     for k: wait; .. Q_s, K_s ..        for k: wait; .. Q_s, K_s ..
 *
 * What the loop alone reads need not have come before it: the loop waits for its own first stage in
 * any case, and then for what was begun before that.  So both are under way at once, and the indices
 * or lengths that the loop's copies need are read meanwhile. */
#include "core/ir/walk.h"
#include "core/lower/copy/select.h"
#include "pipeline.h"

static bool leads_op(const Stmt *s, enum Op op) { return s && s->kind == Sop && s->op.op == op; }

/* The loop of the list that a pipeline has become, which begins with a wait for at least the first
 * group that is committed in front of it; NULL: there is none. */
static const Stmt *leads_loop(const Low *l, const Stmt *made)
{
    int groups = 0;
    for (; made; made = made->next) {
        int64_t least, most;
        groups += leads_op(made, Ocp_async_commit);
        if (made->kind != Sfor || made->loop.kind != Fserial)
            continue;
        const Stmt *wait = made->loop.body;
        Ex trips = x_bin(l->p, Xsub, made->loop.hi[0], made->loop.lo[0]);
        return leads_op(wait, Ocp_async_wait) && groups > wait->op.attr[0] && made->loop.n == 1 &&
                       x_range(l->p, trips, &least, &most) && least > 0
                   ? made : NULL;
    }
    return NULL;
}

/* Another copy, to other elements of the same buffer. */
static bool leads_beside(const Low *l, const Stmt *s, const Stmt *k)
{
    const Prog *p = l->p;
    const Region *a = &s->op.r[1], *b = &k->op.r[1];
    int64_t from[2], n[2];
    if (!leads_op(k, Ocopy) || a->buf != b->buf || buf_root(p, k->op.r[0].buf) == buf_root(p, a->buf))
        return false;
    for (int d = 0; d < p->buf[a->buf].ndim; d++)
        if (x_isint(p, a->min[d], &from[0]) && x_isint(p, b->min[d], &from[1]) && x_isint(p, a->extent[d], &n[0]) &&
            x_isint(p, b->extent[d], &n[1]) && (from[0] + n[0] <= from[1] || from[1] + n[1] <= from[0]))
            return true;
    return false;
}

/* A copy to shared memory that nobody waits for until the loop, and that nothing changes meanwhile. */
static bool leads_copy(Low *l, const Stmt *s, const Stmt *loop)
{
    const Prog *p = l->p;
    const char *why;
    const CopyPlan *c = copy_plan(s);
    if (!leads_op(s, Ocopy) || (c && c->how != CPloop) || p->buf[s->op.r[0].buf].scope != SCglobal ||
        p->buf[s->op.r[1].buf].scope != SCshared || !select_async(l, s, &why))
        return false;
    uint32_t from = buf_root(p, s->op.r[0].buf), to = buf_root(p, s->op.r[1].buf);
    if (low_changed(l, from) || low_buf(l, to)->versions || low_accesses(l, loop, false, to) & FXwrite)
        return false;
    for (const Stmt *k = s->next; k != loop; k = k->next)
        if (k->kind != Salloc && low_accesses(l, k, false, to) && !leads_beside(l, s, k))
            return false;
    return true;
}

void pipe_leads(Low *l, Stmt *list, const Stmt *made)
{
    const Stmt *loop = leads_loop(l, made);
    for (Stmt *s = list; loop && s && s != made; s = s->next)
        if (leads_copy(l, s, loop)) {
            CopyPlan *k = anew(&l->p->ctx, sizeof *k);
            *k = (CopyPlan){.how = CPasync, .commit = true};
            s->op.copy = k;
        }
}
