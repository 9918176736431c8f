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

/* Ranges of threads that answer each other ------------------------------ */

typedef struct Talk Talk;
struct Talk {
    const Prog *p;
    bool waits;            /* what is looked for: a wait; else an arrival */
    Stmt *other;           /* the role that answers, or NULL: */
    uint32_t bar;          /* ... this mbarrier, 0: none */
    int64_t id;            /* ... or barrier of this number, -1: of any */
};

/* What s waits for, or tells. */
static bool talk_of(const Talk *k, const Stmt *s, Talk *to)
{
    const Prog *p = k->p;
    *to = (Talk){.p = p, .waits = !k->waits};
    if (s->kind == Scall && s->call.fn == Isync_threads) {
        to->id = s->call.arg[0] && !x_isint(p, s->call.arg[0], &to->id) ? -1 : to->id;
        return s->call.arg[0] != 0;
    }
    if (s->kind != Sop)
        return false;
    switch ((enum Op)s->op.op) {
    case Obar_sync: to->id = s->op.attr[0]; return true;
    case Obar_arrive: to->id = s->op.attr[0]; return !k->waits;
    case Ombar_wait: to->bar = buf_root(p, s->op.r[0].buf); return k->waits;
    case Ombar_arrive: case Ombar_arrive_expect: case Ocp_async_arrive:
        to->bar = buf_root(p, s->op.r[0].buf);
        return !k->waits;
    default: return false;
    }
}

/* Goes on while nothing is found. */
static bool talk_silent(Stmt *s, void *ud)
{
    const Talk *k = ud;
    Talk to;
    if (!talk_of(k, s, &to))
        return true;
    if (!k->other) /* this is the answer? */
        return to.bar != k->bar || (!k->bar && to.id != k->id && to.id >= 0 && k->id >= 0);
    return stmt_walk(k->other->role.body, talk_silent, &to);
}

/* `if` and `if` are one after the other, as the text has them, but not where what the first one waits for
 * comes from the second: no barrier could stand between them. */
void beside_find(Low *l, Stmt *s)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        for (Stmt *k = s; s->kind == Srole && k && k->kind == Srole; k = k->next) {
            Talk t = {.p = l->p, .waits = true, .other = k};
            if (k != s && !stmt_walk(s->role.body, talk_silent, &t))
                for (Stmt *i = s; i != k; i = i->next)
                    i->next->role.apart = false;
        }
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            beside_find(l, b[i]);
    }
}

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
