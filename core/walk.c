/* core/walk.c: the expressions and inner blocks of a statement, by kind. */
#include "walk.h"

typedef struct Walk Walk;
struct Walk {
    ExFn *f;
    void *ud;
    bool ok;
};

static void one(Walk *w, Ex e)
{
    if (e && w->ok)
        w->ok = w->f(w->ud, e);
}

static void several(Walk *w, const Ex *e, int n)
{
    for (int i = 0; i < n; i++)
        one(w, e[i]);
}

int region_dims(const Prog *p, const Region *r)
{
    return r->buf && r->buf < p->nbuf ? p->buf[r->buf].ndim : 0;
}

bool region_whole(const Prog *p, const Region *r)
{
    int n = region_dims(p, r);
    for (int d = 0; d < n; d++) {
        int64_t v;
        if (!x_isint(p, r->min[d], &v) || v != 0 ||
            ex_type(p, r->min[d]) != DTi32 ||
            r->extent[d] != p->buf[r->buf].shape[d])
            return false;
    }
    return r->buf != 0;
}

static int rank(const Prog *p, uint32_t buf)
{
    return buf < p->nbuf ? p->buf[buf].ndim : 0;
}

bool stmt_exprs(const Prog *p, const Stmt *s, ExFn *f, void *ud)
{
    Walk w = {f, ud, true};
    switch ((enum StmtKind)s->kind) {
    case Slaunch:
        several(&w, s->launch.grid, s->launch.n);
        break;
    case Salloc:
        one(&w, s->alloc.init);
        break;
    case Slet:
        one(&w, p->var[s->let.var].value);
        break;
    case Sstore:
        several(&w, s->store.idx, rank(p, s->store.buf));
        one(&w, s->store.value);
        break;
    case Sfor:
        for (int i = 0; i < s->loop.n; i++) {
            one(&w, s->loop.lo[i]);
            one(&w, s->loop.hi[i]);
        }
        one(&w, s->loop.step);
        break;
    case Swhile:
        one(&w, s->whil.cond);
        break;
    case Sif:
        one(&w, s->cond.cond);
        break;
    case Sop:
        for (int i = 0; i < MaxRegion; i++) {
            const Region *r = &s->op.r[i];
            for (int d = 0; d < region_dims(p, r); d++) {
                one(&w, r->min[d]);
                one(&w, r->extent[d]);
            }
        }
        one(&w, s->op.value);
        break;
    case Satomic:
        several(&w, s->atomic.idx, rank(p, s->atomic.buf));
        several(&w, s->atomic.value, COUNT(s->atomic.value));
        break;
    case Scall:
        several(&w, s->call.arg, COUNT(s->call.arg));
        break;
    case Sprint:
        one(&w, s->print.value);
        break;
    case Sassert:
    case Sassume:
        one(&w, s->check.cond);
        break;
    case Sxxx: case Sbreak: case Scontinue: case Srole: case NStmt:
        break;
    }
    return w.ok;
}

int stmt_blocks(const Stmt *s, Stmt *block[2])
{
    switch ((enum StmtKind)s->kind) {
    case Slaunch:
        return block[0] = s->launch.body, 1;
    case Sfor:
        return block[0] = s->loop.body, 1;
    case Swhile:
        return block[0] = s->whil.body, 1;
    case Sif:
        block[0] = s->cond.then;
        block[1] = s->cond.els;
        return 2;
    case Srole:
        return block[0] = s->role.body, 1;
    default:
        return 0;
    }
}

/* What a program writes to ------------------------------------------------- */

typedef struct Writes Writes;
struct Writes { const Prog *p; bool *mark; };

static void mark_loads(const Writes *w, Ex e)
{
    const Expr *x = ex_at(w->p, e);
    if (x->op == Xload)
        w->mark[buf_root(w->p, x->sym)] = true;
    for (int i = 0; i < x->n; i++)
        mark_loads(w, x->arg[i]);
}

/* An intrinsic that is called for its effect may change whatever it names. */
static bool mark_writes(Stmt *s, void *ud)
{
    const Writes *w = ud;
    if (s->kind == Sstore)
        w->mark[buf_root(w->p, s->store.buf)] = true;
    else if (s->kind == Satomic && s->atomic.kind != ATload)
        w->mark[buf_root(w->p, s->atomic.buf)] = true;
    for (int i = 0; s->kind == Scall && i < (int)COUNT(s->call.arg); i++)
        mark_loads(w, s->call.arg[i]);
    for (int i = 0; s->kind == Sop && i < opinfo[s->op.op].nregion; i++)
        if (opinfo[s->op.op].regions[i] != 'r' && s->op.r[i].buf)
            w->mark[buf_root(w->p, s->op.r[i].buf)] = true;
    return true;
}

void prog_written(const Prog *p, bool *mark)
{
    Writes w = {p, mark};
    for (uint32_t i = 0; i < p->nbuf; i++)
        mark[i] = false;
    stmt_walk(p->body, mark_writes, &w);
}
