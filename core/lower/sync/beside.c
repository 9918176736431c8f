/* core/lower/sync/beside.c: roles that run side by side and come to one place of global memory.
 *
 *     for _ in T.ws(1) do Y[i, j] = .. end
 *     for _ in T.ws(0) do .. = Y[j, i] end        which first?
 *
 * In shared memory the audit plays through what orders roles.  Here it is said where nothing can:
 * neither of the two waits for anything, or tells anything. */
#include "core/ir/walk.h"
#include "walk.h"
#include "err/order.h"

bool sync_quiet(uint8_t op)
{
    switch ((enum Op)op) {
    case Obar_sync: case Obar_arrive: case Owarp_sync: case Ocluster_arrive: case Ocluster_wait:
    case Ombar_arrive: case Ombar_wait: case Ombar_arrive_expect: case Ocp_async_arrive: return false;
    default: return true;
    }
}

static bool beside_quiet(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Scall && s->kind != Satomic &&
           (s->kind != Sop || s->op.op == Owarp_sync || sync_quiet(s->op.op));
}

bool sync_quiet_role(const Stmt *role) { return stmt_walk(role->role.body, beside_quiet, NULL); }

bool sync_first_told(Sync *y, const Stmt *a, const Stmt *b)
{
    for (uint32_t i = 0; i < y->nbeside; i++)
        if (y->beside[i].a == a && y->beside[i].b == b)
            return false;
    agrow(&y->l->p->ctx, &y->beside, &y->capbeside, y->nbeside + 1, sizeof *y->beside);
    y->beside[y->nbeside++] = (struct Beside){a, b};
    return true;
}

void sync_beside(Walk *w, const Footprint *f, const Entry *e)
{
    Sync *y = w->y;
    Ctx *c = &y->l->p->ctx;
    const Stmt *a = e->f->a->s, *b = f->a->s;
    if (!y->marks || f->a->as->scope != SCglobal || !e->role || !w->role ||
        !e->quiet || !w->quiet || !access_conflict(w->t, e->f, f) || !sync_first_told(y, a, b))
        return;
    diag(c, E_order_open, b->loc, y->l->p->buf[f->a->buf].name, afmt(c, "%d", (int)a->loc.line),
         "barrier", NULL);
}
