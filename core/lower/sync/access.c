/* core/lower/sync/access.c: the accesses of a thread program to memory that
 * threads share, and the conditions and loop variables that they depend on. */
#include <string.h>

#include "sync.h"

enum { BarrierBytes = 8 };

/* Gathering ------------------------------------------------------------- */

typedef struct AccessGather AccessGather;
struct AccessGather {
    AccessSet *t;
    Node *at;
};

static bool shared_space(const Prog *p, uint32_t buf)
{
    int sc = p->buf[buf].scope;
    return sc == SCshared || sc == SCbarrier;
}

/* All of g; conditions that read memory say nothing. */
static Ex sync_access_condition(Prog *p, const MemIf *g)
{
    Ex all = 0;
    for (; g; g = g->up) {
        if (!x_pure(p, g->cond))
            continue;
        Ex c = g->not ? x_un(p, Xnot, g->cond) : g->cond;
        all = all ? x_bin(p, Xand, c, all) : c;
    }
    return all;
}

static bool effect_access_of(void *ud, const MemEffect *e)
{
    AccessGather *g = ud;
    AccessSet *t = g->t;
    Prog *p = t->l->p;
    const Stmt *s = g->at->s;
    int64_t v;
    if (e->mode & FXwrite)
        t->written[e->root] = true;
    if (!shared_space(p, e->buf) && p->buf[e->buf].scope != SCglobal)
        return true;
    agrow(&p->ctx, &t->acc, &t->cap, t->n + 1, sizeof *t->acc);
    SyncAccess *a = &t->acc[t->n];
    *a = (SyncAccess){.s = g->at->s, .in = g->at, .level = (uint8_t)e->level, .done = 's',
                      .mode = (uint8_t)(e->mode & (FXread | FXwrite | FXatomic)), .buf = e->root,
                      .update = e->update, .as = &p->buf[e->buf], .nd = (uint8_t)e->nd, .id = (int)t->n};
    for (int d = 0; d < e->nd; d++) {
        a->idx[d] = e->at[d];
        a->ext[d] = !e->extent ? 1 : x_isint(p, e->extent[d], &v) ? v : -1;
    }
    if (e->lanes > 1 && e->nd)
        a->ext[e->nd - 1] = e->lanes;
    if (p->buf[e->root].scope == SCshared) {
        a->async = e->proxy == 'a';
        a->done = e->done;
    }
    if (s->kind == Sop && (s->op.op == Oldmatrix || s->op.op == Ostmatrix))
        a->lanes = 8 * s->op.attr[0];
    t->n++;
    Ex when = sync_access_condition(p, e->when);
    t->acc[t->n - 1].when = when;
    return true;
}

static Node *sync_access_gather(AccessSet *t, Stmt *s, Node *up, bool els, int depth)
{
    Node *head = NULL, **at = &head;
    Stmt *b[2];
    for (; s; s = s->next) {
        Node *n = anew(&t->l->p->ctx, sizeof *n);
        AccessGather g = {t, n};
        *n = (Node){.s = s, .up = up, .els = els, .depth = depth, .first = t->n};
        n->tail = &n->sites;
        stmt_effects(t->l->p, s, effect_access_of, &g);
        n->self = t->n;
        bool loop = s->kind == Sfor || s->kind == Swhile;
        for (int i = 0, k = stmt_blocks(s, b); i < k; i++)
            n->child[i] = sync_access_gather(t, b[i], n, i == 1, depth + loop);
        n->last = t->n;
        *at = n;
        at = &n->next;
    }
    return head;
}

/* What they depend on --------------------------------------------------- */

typedef struct Depends Depends;
struct Depends { AccessSet *t; SyncAccess *a; uint32_t cap; };

static ExGo note_index_var(void *ud, Ex e)
{
    Depends *d = ud;
    const Prog *p = d->t->l->p;
    const Expr *x = &p->ex[e];
    if (x->op != Xvar || p->var[x->sym].kind != Vloop)
        return EXinto;
    for (int i = 0; i < d->a->ndep; i++)
        if (d->a->dep[i] == x->sym)
            return EXinto;
    uint32_t var = x->sym;
    agrow(&d->t->l->p->ctx, &d->a->dep, &d->cap, (uint32_t)d->a->ndep + 1, sizeof *d->a->dep);
    d->a->dep[d->a->ndep++] = var;
    return EXinto;
}

static void sync_access_depends(Depends *d, Ex e) { ex_walk_let(d->t->l->p, e, note_index_var, d); }

typedef void CondFn(AccessSet *t, SyncAccess *a, Ex e, bool truth);

/* Calls f for each condition of a. */
static void sync_access_conditions(AccessSet *t, SyncAccess *a, CondFn *f)
{
    if (a->when)
        f(t, a, a->when, uniform_ex(t->u, a->s, a->when));
    for (const Node *n = a->in->up; n; n = n->up) {
        const Stmt *s = n->s;
        if (s->kind == Sif)
            f(t, a, s->cond.cond, uniform_ex(t->u, s, s->cond.cond));
        for (int i = 0; s->kind == Sfor && i < s->loop.n; i++) {
            f(t, a, s->loop.lo[i], false);
            f(t, a, s->loop.hi[i], false);
        }
        if (s->kind == Sfor && s->loop.step)
            f(t, a, s->loop.step, false);
    }
}

static void count_conditions(AccessSet *t, SyncAccess *a, Ex e, bool truth)
{
    (void)t;
    (void)truth;
    a->ncond += e != 0;
}

static void add_condition(AccessSet *t, SyncAccess *a, Ex e, bool truth)
{
    (void)t;
    a->cond[a->ncond++] = (SyncCond){.e = e, .truth = truth};
}

static void dependences(AccessSet *t, SyncAccess *a)
{
    Ctx *c = &t->l->p->ctx;
    Depends d = {t, a, 0};
    sync_access_conditions(t, a, count_conditions);
    a->cond = anew(c, ((size_t)a->ncond + 1) * sizeof *a->cond);
    a->ncond = 0;
    sync_access_conditions(t, a, add_condition);
    for (int i = 0; i < a->nd; i++)
        sync_access_depends(&d, a->idx[i]);
    for (int i = 0; i < a->ncond; i++)
        sync_access_depends(&d, a->cond[i].e);
    size_t n = (size_t)a->ndep + 1;
    a->period = anew(c, n * sizeof *a->period);
    for (int i = 0; i < a->ndep; i++) {
        a->period[i] = 1;
        for (int k = 0; k < a->nd; k++)
            a->period[i] = eval_lcm(a->period[i], eval_period(&t->ev, a->idx[k], a->dep[i]));
        if (a->as->scope == SCglobal)
            a->period[i] = 0;
    }
    for (int k = 0; k < a->ncond; k++) {
        a->cond[k].period = anew(c, n * sizeof *a->cond[k].period);
        for (int i = 0; i < a->ndep; i++)
            a->cond[k].period[i] = eval_period(&t->ev, a->cond[k].e, a->dep[i]);
    }
}

/* Cells ----------------------------------------------------------------- */

static bool vector_of(const Node *n)
{
    return n->s->kind == Sfor && n->s->loop.kind == Fvectorized;
}

int64_t acc_vector(const AccessSet *t, const SyncAccess *a, const Stmt *s)
{
    const Prog *p = t->l->p;
    uint32_t var = s->loop.var[0];
    int64_t lo, hi;
    if (!a->nd || !eval_counts(p, a->idx[a->nd - 1], var) || !x_isint(p, s->loop.lo[0], &lo) ||
        !x_isint(p, s->loop.hi[0], &hi))
        return 0;
    for (int d = 0; d < a->nd - 1; d++)
        if (eval_depends(p, a->idx[d], var))
            return 0;
    for (int i = 0; i < a->ncond; i++)
        if (eval_depends(p, a->cond[i].e, var))
            return 0;
    return hi - lo;
}

int64_t acc_width(const AccessSet *t, const SyncAccess *a)
{
    int64_t w = 1;
    for (const Node *n = a->in; n; n = n->up) {
        int64_t k = vector_of(n) ? acc_vector(t, a, n->s) : 0;
        w *= k > 0 ? k : 1;
    }
    return w;
}

/* The widest cell with which all accesses are whole cells. */
static void choose_grain(AccessSet *t)
{
    t->grain = SyncChunk;
    for (uint32_t i = 0; i < t->n; i++) {
        const SyncAccess *a = &t->acc[i];
        if (!shared_space(t->l->p, a->buf) || a->as->scope == SCbarrier)
            continue;
        int64_t w = acc_width(t, a);
        if (a->nd && a->ext[a->nd - 1] > 0)
            w *= a->ext[a->nd - 1];
        int64_t bytes = w * acc_bits(a) / 8;
        while (t->grain > 1 && (bytes < t->grain || bytes % t->grain))
            t->grain /= 2;
    }
    for (uint32_t i = 0; i < t->n; i++)
        if (t->acc[i].as->scope == SCbarrier && t->grain > BarrierBytes)
            t->grain = BarrierBytes;
}

/* Does a come again in an order?  Iterations of T.Parallel have none. */
static bool sync_access_in_loop(const SyncAccess *a)
{
    for (const Node *n = a->in; n; n = n->up) {
        const Stmt *s = n->s;
        if (s->kind == Swhile ||
            (s->kind == Sfor && s->loop.kind != Fvectorized && !s->loop.apart))
            return true;
    }
    return false;
}

/* Of a global buffer that is only read, or that one place alone writes once, nothing
 * needs to be known. */
static void drop_globals(AccessSet *t)
{
    const Prog *p = t->l->p;
    t->both = anew(&t->l->p->ctx, p->nbuf * sizeof *t->both);
    int *places = anew(&t->l->p->ctx, p->nbuf * sizeof *places);
    for (uint32_t i = 0; i < t->n; i++)
        places[t->acc[i].buf] += sync_access_in_loop(&t->acc[i]) ? 2 : 1;
    for (uint32_t b = 1; b < p->nbuf; b++)
        t->both[b] = p->buf[b].scope != SCglobal || (t->written[b] && places[b] > 1);
}

void accesses_init(AccessSet *t, Low *l, const Uniform *u)
{
    Ctx *c = &l->p->ctx;
    memset(t, 0, sizeof *t);
    t->l = l;
    t->u = u;
    t->written = anew(c, l->p->nbuf * sizeof *t->written);
    t->root = sync_access_gather(t, l->launch->launch.body, NULL, false, 0);
    eval_init(&t->ev, l->p, l->launch->launch.thread[0], l->launch->launch.threads[0]);
    drop_globals(t);
    for (uint32_t i = 0; i < t->n; i++) {
        dependences(t, &t->acc[i]);
        t->async |= t->acc[i].async;
    }
    choose_grain(t);
    t->known = anew(c, (t->n + 1) * sizeof *t->known);
    t->arena = l->launch->launch.shared / t->grain + 2;
    t->sw = anew(c, (size_t)t->arena * sizeof *t->sw);
    t->so = anew(c, (size_t)t->arena * sizeof *t->so);
    t->hi = l->total;
}
