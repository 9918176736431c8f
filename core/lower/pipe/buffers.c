/* core/lower/pipe/buffers.c: buffers with a stage for each of some iterations: what the
 * accesses to them become. */
#include <string.h>

#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "pipeline.h"
#include "err/kernel.h"

typedef struct StagedBuffers StagedBuffers;
struct StagedBuffers {
    Low *l;
    const StageOf *m;
    uint32_t n;
};

static const StageOf *staged_stage_of(const StagedBuffers *v, uint32_t buf)
{
    uint32_t i = pipe_first(v->m, v->n, sizeof *v->m, buf);
    return i < v->n && v->m[i].buf == buf ? &v->m[i] : NULL;
}

static int64_t staged_stage_ex(ExFold *f, Ex e)
{
    const StagedBuffers *v = f->ud;
    Prog *p = v->l->p;
    Expr x = p->ex[e];
    const StageOf *k = x.op == Xload ? staged_stage_of(v, x.sym) : NULL;
    if (!k)
        return ex_refold(p, f, e);
    Ex arg[MaxDim + 1] = {k->stage};
    for (int i = 0; i < x.n; i++)
        arg[i + 1] = (Ex)ex_fold(f, x.arg[i]);
    return ex_mk(p, Xload, (enum Dtype)x.dt, k->to, arg, x.n + 1);
}

static void staged_stage_one(StagedBuffers *v, Ex *e)
{
    if (*e)
        *e = (Ex)ex_fold(&(ExFold){.p = v->l->p, .f = staged_stage_ex, .ud = v}, *e);
}

static void stage_many(StagedBuffers *v, Ex *e, int n)
{
    for (int i = 0; i < n; i++)
        staged_stage_one(v, &e[i]);
}

/* An index of a buffer with stages: one more in front. */
static bool staged_stage_index(StagedBuffers *v, uint32_t *buf, Ex *idx)
{
    const StageOf *k = *buf ? staged_stage_of(v, *buf) : NULL;
    if (!k)
        return false;
    memmove(idx + 1, idx, (MaxDim - 1) * sizeof *idx);
    idx[0] = k->stage;
    *buf = k->to;
    return true;
}

static void stage_op(StagedBuffers *v, Stmt *s)
{
    for (int i = 0; i < MaxRegion; i++) {
        Region *r = &s->op.r[i];
        stage_many(v, r->min, MaxDim);
        stage_many(v, r->extent, MaxDim);
        if (!staged_stage_index(v, &r->buf, r->min))
            continue;
        memmove(r->extent + 1, r->extent, (MaxDim - 1) * sizeof *r->extent);
        r->extent[0] = low_i(v->l, 1);
        if (i == 0 && (s->op.op == Oreduce || s->op.op == Oscan))
            s->op.attr[1]++; /* dim counts those of the source */
    }
    staged_stage_one(v, &s->op.value);
}

static void stage_stmt(StagedBuffers *v, Stmt *s)
{
    Prog *p = v->l->p;
    switch ((enum StmtKind)s->kind) {
    case Salloc: staged_stage_one(v, &s->alloc.init); break;
    case Slet: {
        Ex e = p->var[s->let.var].value;
        staged_stage_one(v, &e);
        p->var[s->let.var].value = e;
        break;
    }
    case Sstore:
        staged_stage_one(v, &s->store.value);
        stage_many(v, s->store.idx, MaxDim);
        staged_stage_index(v, &s->store.buf, s->store.idx);
        break;
    case Sfor:
        stage_many(v, s->loop.lo, s->loop.n);
        stage_many(v, s->loop.hi, s->loop.n);
        break;
    case Swhile: staged_stage_one(v, &s->whil.cond); break;
    case Sif: staged_stage_one(v, &s->cond.cond); break;
    case Sop: stage_op(v, s); break;
    case Satomic:
        stage_many(v, s->atomic.idx, MaxDim);
        stage_many(v, s->atomic.value, (int)COUNT(s->atomic.value));
        staged_stage_index(v, &s->atomic.buf, s->atomic.idx);
        break;
    case Scall: stage_many(v, s->call.arg, (int)COUNT(s->call.arg)); break;
    case Sprint: staged_stage_one(v, &s->print.value); break;
    case Sassert: case Sassume: staged_stage_one(v, &s->check.cond); break;
    case Sxxx: case Slaunch: case Sbreak: case Scontinue: case Srole: case NStmt: break;
    }
}

void pipe_to_stages(Low *l, Stmt *s, bool all, const StageOf *m, uint32_t n)
{
    StagedBuffers v = {l, m, n};
    Stmt **b[2];
    for (; s; s = all ? s->next : NULL) {
        stage_stmt(&v, s);
        for (int i = 0, k = low_blocks(s, b); i < k; i++)
            pipe_to_stages(l, *b[i], true, m, n);
    }
}

/* A buffer like b, with a first dimension of n. */
static uint32_t staged_like(Low *l, uint32_t b, int n)
{
    Prog *p = l->p;
    Buf old = p->buf[b];
    Ex shape[MaxDim];
    if (old.ndim == MaxDim)
        diag_fail(&p->ctx, E_ndim, old.loc, old.name, "9", "8", NULL);
    shape[0] = low_i(l, n);
    memcpy(shape + 1, old.shape, old.ndim * sizeof *shape);
    uint32_t k = p_buf(p, (enum Scope)old.scope, (enum Dtype)old.dt, old.name, shape, NULL,
                       old.ndim + 1);
    p->buf[k].layout = old.layout;
    p->buf[k].cause = old.cause;
    p->buf[k].fixed = old.fixed;
    p->buf[k].safe = old.safe;
    p->buf[k].stage = old.stage;
    p->buf[k].of = old.of;
    p->buf[k].loc = old.loc;
    return k;
}

uint32_t pipe_multi_view(Low *l, uint32_t v, uint32_t of, int n)
{
    uint32_t k = staged_like(l, v, n);
    l->p->buf[k].base = of;
    low_buf(l, k)->versions = n;
    return k;
}

uint32_t pipe_multi_stage(Low *l, uint32_t b, int n, Stmt **allocs)
{
    uint32_t k = staged_like(l, b, n);
    BufLow known = *low_buf(l, b);
    known.versions = n;
    known.nth = 0;
    known.pipe = 0; /* a barrier pair of the buffer itself does not guard its stages */
    *low_buf(l, k) = known;
    *allocs = low_append(*allocs, low_alloc(l, k, l->p->buf[b].loc));
    return k;
}
