/* core/lower/vary/look.c: what of a program is gone through: whether threads come to differ at all, and
 * which private arrays count. */
#include "core/ir/effects.h"
#include "vary_p.h"

/* Where differences come from ----------------------------------------------------- */

typedef struct VaryOrigin VaryOrigin;
struct VaryOrigin { const Low *l; uint32_t tid; };

static bool origin_of(void *ud, Ex e)
{
    const VaryOrigin *k = ud;
    const Expr *x = ex_at(k->l->p, e);
    return (x->op == Xvar && x->sym == k->tid) ||
           (x->op == Xcall && intrinfo[x->sym].level == 'T');
}

static bool sets_private(Stmt *s, void *ud)
{
    const VaryOrigin *k = ud;
    bool sets = s->kind == Sstore && vary_private(k->l->p, s->store.buf);
    for (int i = 0; s->kind == Sop && i < opinfo[s->op.op].nregion; i++)
        sets |= opinfo[s->op.op].regions[i] != 'r' && vary_private(k->l->p, s->op.r[i].buf);
    return !sets;
}

/* Is there nothing in s itself by which threads come to differ? */
static bool nothing_differs(Stmt *s, void *ud)
{
    VaryOrigin *k = ud;
    if (s->kind == Srole || s->own || stmt_any(k->l->p, s, origin_of, k))
        return false;
    if (s->kind == Sop && opinfo[s->op.op].level != 'T' && !sets_private(s, k))
        return false;
    return s->kind != Sfor || s->loop.kind != Fparallel ||
           stmt_walk(s->loop.body, sets_private, k);
}

static bool look_counted(Stmt *s, void *ud)
{
    uint32_t *n = ud;
    (void)s;
    *n += MostVisits;
    return true;
}

static bool hands_out(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Satomic || !s->atomic.prev;
}

/* What counts ------------------------------------------------------------------------ */

/* Of a thread program: which private arrays decide who comes where, or what is touched. */
typedef struct VaryNeeds { Vary *v; bool *buf, more; } VaryNeeds;

static ExGo needs_load(void *ud, Ex e)
{
    VaryNeeds *k = ud;
    const Prog *p = k->v->l->p;
    const Expr *x = ex_at(p, e);
    if (x->op == Xload && vary_private(p, x->sym) && !k->buf[buf_root(p, x->sym)])
        k->more = k->buf[buf_root(p, x->sym)] = true;
    return EXinto;
}

static bool needs_of(void *ud, Ex e)
{
    const VaryNeeds *k = ud;
    return ex_walk_let(k->v->l->p, e, needs_load, ud);
}

static bool needs_place(void *ud, const MemEffect *e)
{
    for (int d = 0; e->at && d < e->nd; d++)
        needs_of(ud, e->at[d]);
    for (int d = 0; e->extent && d < e->nd; d++)
        needs_of(ud, e->extent[d]);
    for (const MemIf *k = e->when; k; k = k->up)
        needs_of(ud, k->cond);
    return true;
}

static bool needs_statement(Stmt *s, void *ud)
{
    VaryNeeds *k = ud;
    const Prog *p = k->v->l->p;
    uint32_t sets = s->kind == Sstore ? s->store.buf : s->kind == Salloc ? s->alloc.buf : 0;
    stmt_effects(p, s, needs_place, k);
    if (s->kind == Sif || s->kind == Sfor || s->kind == Swhile ||
        (vary_private(p, sets) && k->buf[buf_root(p, sets)]))
        stmt_exprs(p, s, needs_of, k);
    return true;
}

static void look_slots(Vary *v, bool *needed)
{
    const Prog *p = v->l->p;
    uint32_t cap = 0;
    v->nroot = p->nbuf;
    v->slot = anew(&v->l->p->ctx, p->nbuf * sizeof *v->slot);
    v->count = anew(&v->l->p->ctx, p->nbuf * sizeof *v->count);
    for (uint32_t i = 1; i < p->nbuf; i++) {
        if (!vary_private(p, i) || buf_root(p, i) != i || (needed && !needed[i]))
            continue;
        int64_t n = vary_elements(p, i);
        bool apart = n && v->nslot + n <= MostSlots;
        v->slot[i] = v->nslot + 1;
        v->count[i] = apart ? (uint32_t)n : 1;
        v->nslot += v->count[i];
        if (v->nslot > cap) {
            uint32_t was = cap;
            agrow(&v->l->p->ctx, &v->single, &cap, v->nslot, sizeof *v->single);
            agrow(&v->l->p->ctx, &v->type, &was, cap, sizeof *v->type);
        }
        for (uint32_t k = v->slot[i] - 1; k < v->nslot; k++) {
            v->single[k] = apart || n == 1;
            v->type[k] = p->buf[i].dt;
        }
    }
}

/* The whole launch. */
static void look_through(Vary *v)
{
    Prog *p = v->l->p;
    VaryNeeds k = {v, anew(&p->ctx, p->nbuf + 1), v->of == VaryThreads};
    while (k.more) {
        k.more = false;
        stmt_walk(v->l->launch->launch.body, needs_statement, &k);
    }
    look_slots(v, v->of == VaryThreads ? k.buf : NULL);
    v->now.val = anew(&p->ctx, (v->nslot + 1) * sizeof *v->now.val);
    v->kept = anew(&p->ctx, v->nslot + 1);
    for (uint32_t i = 1; i <= v->nslot; i++)
        v->now.val[i - 1] = vary_token(v, NULL, i, VTstored, vary_type(v, i), NULL);
    v->now.memory = ex_at(p, vary_token(v, NULL, 0, VTstored, DTi32, NULL))->sym;
    eval_init(&v->ev, p, v->tid, v->l->total);
    v->gone = steps_none(v);
    flow_block(v, v->l->launch->launch.body, steps_none(v));
    v->asking = true;
    v->now.val = anew(&p->ctx, (v->nslot + 1) * sizeof *v->now.val);
}

Vary *vary_look(Low *l, enum VaryOf of, VarySee *see, void *ud)
{
    Vary *v = anew(&l->p->ctx, sizeof *v);
    VaryOrigin k = {l, l->launch->launch.thread[0]};
    *v = (Vary){.l = l, .tid = k.tid, .of = of, .see = see, .ud = ud, .rounds = 1, .grown = 1};
    v->words = (uint32_t)l->total / 64 + 1;
    v->here.hi = l->total;
    v->here.div = steps_none(v);
    v->most = 1 << 13;
    stmt_walk(l->launch->launch.body, look_counted, &v->most);
    v->none = stmt_walk(l->launch->launch.body, nothing_differs, &k);
    if (v->none)
        return v;
    if (of == VaryTiles && !stmt_walk(l->launch->launch.body, hands_out, NULL))
        v->once = vary_look(l, VaryOnce, NULL, NULL);
    look_through(v);
    return v;
}
