/* core/lower/sync_touch.c: the accesses of a thread program to memory that
 * threads share: what an operation touches is its row in ops.h, what a load or
 * store does is its index. */
#include <string.h>

#include "../walk.h"
#include "sync.h"

enum { BarrierBytes = 8 };

/* Gathering ------------------------------------------------------------- */

typedef struct Gather Gather;
struct Gather {
    Touches *t;
    Node *at;
};

static bool shared_space(const Prog *p, uint32_t buf)
{
    int sc = p->buf[buf].scope;
    return sc == SCshared || sc == SCbarrier;
}

static Acc *add(Gather *g, uint32_t buf, int mode, const Ex *idx)
{
    Touches *t = g->t;
    Prog *p = t->l->p;
    if (!buf || (!shared_space(p, buf) && p->buf[buf].scope != SCglobal))
        return NULL;
    agrow(&p->ctx, &t->acc, &t->cap, t->n + 1, sizeof *t->acc);
    Acc *a = &t->acc[t->n];
    *a = (Acc){.s = g->at->s, .in = g->at, .mode = (uint8_t)mode, .level = 'H', .done = 's',
               .buf = buf_root(p, buf), .as = &p->buf[buf], .nd = p->buf[buf].ndim,
               .id = (int)t->n};
    for (int d = 0; d < a->nd; d++) {
        a->idx[d] = idx[d];
        a->ext[d] = 1;
    }
    t->n++;
    return a;
}

/* when and c; conditions that read memory say nothing. */
static Ex both(Prog *p, Ex when, Ex c)
{
    if (!x_pure(p, c))
        return when;
    return when ? x_bin(p, Xand, when, c) : c;
}

/* The loads of e; a select evaluates only the side that it chooses. */
static void loads_when(Gather *g, Ex e, Ex when)
{
    Prog *p = g->t->l->p;
    Expr x = p->ex[e];
    if (x.op == Xselect) {
        loads_when(g, x.arg[0], when);
        loads_when(g, x.arg[1], both(p, when, x.arg[0]));
        loads_when(g, x.arg[2], both(p, when, x_un(p, Xnot, x.arg[0])));
        return;
    }
    for (int i = 0; i < x.n; i++)
        loads_when(g, x.arg[i], when);
    Acc *a = x.op == Xload ? add(g, x.sym, ACread, x.arg) : NULL;
    if (a)
        a->when = when;
}

static bool loads(void *ud, Ex e)
{
    loads_when(ud, e, 0);
    return true;
}

static void operation(Gather *g, const Stmt *s)
{
    const Prog *p = g->t->l->p;
    const OpInfo *o = &opinfo[s->op.op];
    for (int i = 0; i < o->nregion; i++) {
        const Region *r = &s->op.r[i];
        char c = o->regions[i];
        int mode = c == 'r' ? ACread : c == 'w' ? ACwrite : ACread | ACwrite;
        if (c == 'b' && s->op.op != Ombar_init)
            mode |= ACatomic;
        if (c == 'b' && s->op.op == Ombar_init)
            mode = ACwrite;
        Acc *a = add(g, r->buf, mode, r->min);
        if (!a)
            continue;
        int64_t v;
        for (int d = 0; d < a->nd; d++)
            a->ext[d] = x_isint(p, r->extent[d], &v) ? (int32_t)v : -1;
        a->level = (uint8_t)o->level;
        if (c == 'b')
            continue;
        if (p->buf[a->buf].scope == SCshared) {
            a->async = o->proxy == 'a';
            a->done = o->done;
        }
        if (s->op.op == Oldmatrix || s->op.op == Ostmatrix)
            a->lanes = 8 * s->op.attr[0];
    }
}

static void own(Gather *g, const Stmt *s)
{
    Prog *p = g->t->l->p;
    stmt_exprs(p, s, loads, g);
    if (s->kind == Sstore) {
        add(g, s->store.buf, ACwrite, s->store.idx);
    } else if (s->kind == Satomic) {
        bool reads = s->atomic.kind == ATload;
        Acc *a = add(g, s->atomic.buf, ACatomic | ACread | (reads ? 0 : ACwrite), s->atomic.idx);
        if (a && a->nd)
            a->ext[a->nd - 1] = s->atomic.lanes;
    } else if (s->kind == Sop) {
        operation(g, s);
    }
}

static Node *gather(Touches *t, Stmt *s, const Node *up, bool els, int depth)
{
    Node *head = NULL, **at = &head;
    Stmt *b[2];
    for (; s; s = s->next) {
        Node *n = anew(&t->l->p->ctx, sizeof *n);
        Gather g = {t, n};
        *n = (Node){.s = s, .up = up, .els = els, .depth = depth, .first = t->n};
        own(&g, s);
        n->self = t->n;
        bool loop = s->kind == Sfor || s->kind == Swhile;
        for (int i = 0, k = stmt_blocks(s, b); i < k; i++)
            n->child[i] = gather(t, b[i], n, i == 1, depth + loop);
        n->last = t->n;
        *at = n;
        at = &n->next;
    }
    return head;
}

/* Loop variables that e uses, lets followed. */
static void depends(Touches *t, Acc *a, Ex e, uint32_t *cap)
{
    Prog *p = t->l->p;
    const Expr *x = &p->ex[e];
    if (x->op == Xvar) {
        const Var *v = &p->var[x->sym];
        if (v->kind == Vlet && v->value)
            depends(t, a, v->value, cap);
        if (v->kind != Vloop)
            return;
        for (int i = 0; i < a->ndep; i++)
            if (a->dep[i] == x->sym)
                return;
        agrow(&p->ctx, &a->dep, cap, (uint32_t)a->ndep + 1, sizeof *a->dep);
        a->dep[a->ndep++] = x->sym;
        return;
    }
    for (int i = 0; i < x->n; i++)
        depends(t, a, p->ex[e].arg[i], cap);
}

static void dependences(Touches *t, Acc *a)
{
    uint32_t cap = 0;
    for (int d = 0; d < a->nd; d++)
        depends(t, a, a->idx[d], &cap);
    if (a->when)
        depends(t, a, a->when, &cap);
    for (const Node *n = a->in; n; n = n->up) {
        if (n->s->kind == Sif)
            depends(t, a, n->s->cond.cond, &cap);
        for (int i = 0; n->s->kind == Sfor && i < n->s->loop.n; i++) {
            depends(t, a, n->s->loop.lo[i], &cap);
            depends(t, a, n->s->loop.hi[i], &cap);
        }
    }
}

/* Conditions that threads decide must repeat too; the others go into the key. */
static void periods(Touches *t, Acc *a)
{
    a->period = anew(&t->l->p->ctx, ((size_t)a->ndep + 1) * sizeof *a->period);
    for (int i = 0; i < a->ndep; i++) {
        int64_t all = 1;
        for (int d = 0; d < a->nd; d++)
            all = eval_lcm(all, eval_period(&t->ev, a->idx[d], a->dep[i]));
        if (a->when && eval_depends(&t->ev, a->when, a->dep[i]))
            all = 0;
        for (const Node *n = a->in->up; n; n = n->up)
            if (n->s->kind == Sif && !uniform_ex(t->u, n->s->cond.cond) &&
                eval_depends(&t->ev, n->s->cond.cond, a->dep[i]))
                all = 0;
        for (const Node *n = a->in->up; n; n = n->up)
            for (int k = 0; n->s->kind == Sfor && k < n->s->loop.n; k++)
                if (eval_depends(&t->ev, n->s->loop.lo[k], a->dep[i]) ||
                    eval_depends(&t->ev, n->s->loop.hi[k], a->dep[i]))
                    all = 0;
        a->period[i] = a->as->scope == SCglobal ? 0 : all;
    }
}

static bool vector_of(const Node *n)
{
    return n->s->kind == Sfor && n->s->loop.kind == Fvectorized;
}

int64_t acc_width(const Touches *t, const Acc *a)
{
    const Prog *p = t->l->p;
    int64_t w = 1, lo, hi;
    for (const Node *n = a->in; n; n = n->up)
        if (vector_of(n) && a->nd && eval_depends(&t->ev, a->idx[a->nd - 1], n->s->loop.var[0]) &&
            x_isint(p, n->s->loop.lo[0], &lo) && x_isint(p, n->s->loop.hi[0], &hi))
            w *= hi - lo;
    return w;
}

/* The widest cell with which all accesses are whole cells. */
static void choose_grain(Touches *t)
{
    t->grain = ChunkBytes;
    for (uint32_t i = 0; i < t->n; i++) {
        const Acc *a = &t->acc[i];
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

/* Of a global buffer that is only read, or that one place alone writes, nothing
 * needs to be known. */
static void drop_globals(Touches *t)
{
    const Prog *p = t->l->p;
    t->both = anew(&t->l->p->ctx, p->nbuf * sizeof *t->both);
    int *count = anew(&t->l->p->ctx, p->nbuf * sizeof *count);
    bool *write = anew(&t->l->p->ctx, p->nbuf * sizeof *write);
    for (uint32_t i = 0; i < t->n; i++) {
        count[t->acc[i].buf]++;
        write[t->acc[i].buf] |= (t->acc[i].mode & ACwrite) != 0;
    }
    for (uint32_t b = 1; b < p->nbuf; b++)
        t->both[b] = p->buf[b].scope != SCglobal || (write[b] && count[b] > 1);
}

void touches_init(Touches *t, Low *l, const Uniform *u)
{
    Ctx *c = &l->p->ctx;
    memset(t, 0, sizeof *t);
    t->l = l;
    t->u = u;
    eval_init(&t->ev, l);
    t->root = gather(t, l->launch->launch.body, NULL, false, 0);
    drop_globals(t);
    for (uint32_t i = 0; i < t->n; i++) {
        dependences(t, &t->acc[i]);
        periods(t, &t->acc[i]);
        t->async |= t->acc[i].async;
    }
    choose_grain(t);
    t->foot = anew(c, (t->n + 1) * sizeof *t->foot);
    t->arena = l->launch->launch.shared / t->grain + 2;
    t->sw = anew(c, (size_t)t->arena * sizeof *t->sw);
    t->so = anew(c, (size_t)t->arena * sizeof *t->so);
    t->hi = l->total;
}
