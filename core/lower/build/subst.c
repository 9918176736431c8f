/* core/lower/build/subst.c: variables, buffers and expressions of statements replaced; copies
 * of statements. */
#include <stdlib.h>
#include <string.h>

#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "low.h"

/* Substitution --------------------------------------------------------- */

/* n: expressions made meanwhile lie beyond; 0: nothing is remembered. */
typedef struct LowSubst LowSubst;
struct LowSubst {
    Low *l;
    Prog *p;
    const Ex *map;
    const uint32_t *bufs;
    uint32_t nmap, nbufs, n, turn;
    const LowNew *var, *buf; /* sorted */
    int nvar, nbuf;
    LowExFn *f;
    bool whole;            /* f gets what statements hold as it is, not what that is made of */
    void *ud;
};

/* Room to remember what the expressions that there are become. */
static void subst_remember(LowSubst *t)
{
    Low *l = t->l;
    t->n = t->p->nex;
    agrow(&t->p->ctx, &l->memo, &l->capmemo, t->n, sizeof *l->memo);
    t->turn = ++l->turn;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const LowNew *)a)->id, y = ((const LowNew *)b)->id;
    return (x > y) - (x < y);
}

/* What stands for id, 0: itself. */
static uint32_t looked_up(const LowNew *list, int n, uint32_t id)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (list[mid].id == id)
            return list[mid].to;
        if (list[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return 0;
}

static Ex new_var(const LowSubst *t, uint32_t v)
{
    return v < t->nmap ? t->map[v] : looked_up(t->var, t->nvar, v);
}

static uint32_t subst_new_buf(const LowSubst *t, uint32_t b)
{
    uint32_t to = b < t->nbufs ? t->bufs[b] : looked_up(t->buf, t->nbuf, b);
    return to ? to : b;
}

Ex low_rebuild(Low *l, Ex e, const Ex *arg)
{
    Expr x = *ex_at(l->p, e);
    return ex_remake(l->p, &x, x.sym, arg);
}

static Ex build_subst(LowSubst *t, Ex e)
{
    Prog *p = t->p;
    Expr x = p->ex[e];
    if (x.op == Xvar) {
        Ex to = new_var(t, x.sym);
        return to ? to : e;
    }
    if (x.n == 0 && x.op != Xload && x.op != Xcall)
        return e;
    if (e < t->n && t->l->memo[e].turn == t->turn)
        return t->l->memo[e].is;
    Ex few[8], *a = x.n <= COUNT(few) ? few : anew(&p->ctx, x.n * sizeof *a);
    uint32_t sym = x.sym;
    if (x.op == Xload)
        sym = subst_new_buf(t, sym);
    bool changed = sym != x.sym;
    for (int i = 0; i < x.n; i++) {
        a[i] = build_subst(t, x.arg[i]);
        changed |= a[i] != x.arg[i];
    }
    Ex r = changed ? ex_remake(p, &x, sym, a) : e;
    if (t->f)
        r = t->f(t->l, r, t->ud);
    if (e < t->n)
        t->l->memo[e] = (struct LowMemo){t->turn, r};
    return r;
}

static void subst_one(LowSubst *t, Ex *e)
{
    if (*e)
        *e = t->whole ? t->f(t->l, *e, t->ud) : build_subst(t, *e);
}

static void subst_many(LowSubst *t, Ex *e, int n)
{
    for (int i = 0; i < n; i++)
        subst_one(t, &e[i]);
}

static void subst_buf(const LowSubst *t, uint32_t *b) { *b = subst_new_buf(t, *b); }

static void subst_region(LowSubst *t, Region *r)
{
    subst_buf(t, &r->buf);
    subst_many(t, r->min, MaxDim);
    subst_many(t, r->extent, MaxDim);
}

static void subst_stmt(LowSubst *t, Stmt *s)
{
    subst_one(t, &s->turn.first);
    subst_one(t, &s->turn.last);
    switch ((enum StmtKind)s->kind) {
    case Slaunch: subst_many(t, s->launch.grid, s->launch.n); break;
    case Salloc:
        subst_buf(t, &s->alloc.buf);
        subst_one(t, &s->alloc.init);
        break;
    case Slet: {
        Ex v = t->p->var[s->let.var].value;
        subst_one(t, &v);
        t->p->var[s->let.var].value = v;
        break;
    }
    case Sstore:
        subst_buf(t, &s->store.buf);
        subst_one(t, &s->store.value);
        subst_many(t, s->store.idx, MaxDim);
        break;
    case Sfor:
        subst_many(t, s->loop.lo, s->loop.n);
        subst_many(t, s->loop.hi, s->loop.n);
        subst_one(t, &s->loop.step);
        break;
    case Swhile: subst_one(t, &s->whil.cond); break;
    case Sif: subst_one(t, &s->cond.cond); break;
    case Sop:
        for (int i = 0; i < MaxRegion; i++)
            subst_region(t, &s->op.r[i]);
        subst_one(t, &s->op.value);
        break;
    case Satomic:
        subst_buf(t, &s->atomic.buf);
        subst_many(t, s->atomic.idx, MaxDim);
        subst_many(t, s->atomic.value, (int)COUNT(s->atomic.value));
        break;
    case Scall: subst_many(t, s->call.arg, (int)COUNT(s->call.arg)); break;
    case Sprint: subst_one(t, &s->print.value); break;
    case Sassert: case Sassume: subst_one(t, &s->check.cond); break;
    case Sxxx: case Sbreak: case Scontinue: case Srole: case NStmt: break;
    }
}

static void subst_block(LowSubst *t, Stmt *s)
{
    Stmt **b[2];
    for (; s; s = s->next) {
        subst_stmt(t, s);
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            subst_block(t, *b[i]);
    }
}

void low_subst(Low *l, Stmt *s, const Ex *map, uint32_t nmap, const uint32_t *bufs, uint32_t nbufs)
{
    LowSubst t = {.l = l, .p = l->p, .map = map, .bufs = bufs, .nmap = nmap, .nbufs = nbufs};
    subst_remember(&t);
    subst_block(&t, s);
}

void low_vars(Low *l, Stmt *s, LowNew *v, int n)
{
    LowSubst t = {.l = l, .p = l->p, .var = v, .nvar = n};
    if (n == 0)
        return;
    qsort(v, (size_t)n, sizeof *v, by_id);
    subst_remember(&t);
    subst_block(&t, s);
}

Ex low_varsx(Low *l, Ex e, LowNew *v, int n)
{
    LowSubst t = {.l = l, .p = l->p, .var = v, .nvar = n};
    qsort(v, (size_t)n, sizeof *v, by_id);
    subst_remember(&t);
    return e ? build_subst(&t, e) : 0;
}

void low_bufs(Low *l, Stmt *s, LowNew *b, int n)
{
    LowSubst t = {.l = l, .p = l->p, .buf = b, .nbuf = n};
    qsort(b, (size_t)n, sizeof *b, by_id);
    subst_remember(&t);
    subst_block(&t, s);
}

int64_t *low_env(Low *l)
{
    agrow(&l->p->ctx, &l->env, &l->capenv, l->p->nvar + 1, sizeof *l->env);
    return l->env;
}

int64_t *low_zeros(Low *l)
{
    agrow(&l->p->ctx, &l->zeros, &l->capzeros, l->p->nvar + 1, sizeof *l->zeros);
    return l->zeros;
}

uint32_t *low_marks(Low *l, uint32_t *mine)
{
    agrow(&l->p->ctx, &l->mark, &l->capmark, l->p->nvar + 1, sizeof *l->mark);
    *mine = ++l->marks;
    return l->mark;
}

void low_map(Low *l, Stmt *s, LowExFn *f, void *ud)
{
    LowSubst t = {.l = l, .p = l->p, .f = f, .ud = ud};
    subst_remember(&t);
    subst_block(&t, s);
}

void low_map_own(Low *l, Stmt *s, LowExFn *f, void *ud)
{
    LowSubst t = {.l = l, .p = l->p, .f = f, .ud = ud};
    subst_stmt(&t, s);
}

void low_wholes(Low *l, Stmt *s, LowExFn *f, void *ud)
{
    LowSubst t = {.l = l, .p = l->p, .f = f, .whole = true, .ud = ud};
    subst_stmt(&t, s);
}

Ex low_mapx(Low *l, Ex e, LowExFn *f, void *ud)
{
    LowSubst t = {.l = l, .p = l->p, .f = f, .ud = ud};
    return e ? build_subst(&t, e) : 0;
}

/* Copies --------------------------------------------------------------- */

Stmt *low_clone(Low *l, const Stmt *s)
{
    Stmt *head = NULL, **t = &head, **b[2];
    for (; s; s = s->next) {
        Stmt *k = *t = anew(&l->p->ctx, sizeof *k);
        *k = *s;
        k->next = NULL;
        t = &k->next;
        for (int i = 0, n = low_blocks(k, b); i < n; i++)
            *b[i] = low_clone(l, *b[i]);
    }
    return head;
}

typedef struct Renew Renew;
struct Renew {
    Low *l;
    LowNew *var, *buf;
    uint32_t nvar, capvar, nbuf, capbuf;
};

static uint32_t renew_var(Renew *r, uint32_t v)
{
    Prog *p = r->l->p;
    Var old = p->var[v];
    uint32_t k = p_var(p, (enum VarKind)old.kind, (enum Dtype)old.dt, old.name, old.lo, old.hi);
    p->var[k] = old;
    agrow(&p->ctx, &r->var, &r->capvar, r->nvar + 1, sizeof *r->var);
    r->var[r->nvar++] = (LowNew){v, x_var(p, k)};
    return k;
}

static uint32_t renew_buf(Renew *r, uint32_t b)
{
    Prog *p = r->l->p;
    Buf old = p->buf[b];
    uint32_t n = p->nbuf;
    uint32_t k = p_buf(p, (enum Scope)old.scope, (enum Dtype)old.dt, old.name, old.shape, NULL,
                       old.ndim);
    p->buf[k] = old;
    agrow(&p->ctx, &r->buf, &r->capbuf, r->nbuf + 1, sizeof *r->buf);
    r->buf[r->nbuf++] = (LowNew){b, k};
    BufLow known = *low_buf(r->l, b);
    known.nth = 0;
    *low_buf(r->l, k) = known;
    for (uint32_t v = b + 1; v < n; v++) /* views come after what they show */
        if (p->buf[v].base == b)
            p->buf[renew_buf(r, v)].base = k;
    return k;
}

static void renew(Renew *r, Stmt *s)
{
    Stmt **b[2];
    for (; s; s = s->next) {
        if (s->kind == Slet)
            s->let.var = renew_var(r, s->let.var);
        else if (s->kind == Satomic && s->atomic.prev)
            s->atomic.prev = renew_var(r, s->atomic.prev);
        else if (s->kind == Salloc)
            s->alloc.buf = renew_buf(r, s->alloc.buf);
        else if (s->kind == Sfor)
            for (int i = 0; i < s->loop.n; i++)
                s->loop.var[i] = renew_var(r, s->loop.var[i]);
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            renew(r, *b[i]);
    }
}

Stmt *low_renew(Low *l, Stmt *s)
{
    Renew r = {.l = l};
    renew(&r, s);
    LowSubst t = {.l = l, .p = l->p, .var = r.var, .buf = r.buf, .nvar = (int)r.nvar,
                  .nbuf = (int)r.nbuf};
    if (r.nvar)
        qsort(r.var, r.nvar, sizeof *r.var, by_id);
    if (r.nbuf)
        qsort(r.buf, r.nbuf, sizeof *r.buf, by_id);
    if (r.nvar || r.nbuf) {
        subst_remember(&t);
        subst_block(&t, s);
    }
    return s;
}
