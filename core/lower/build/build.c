/* core/lower/build/build.c: what the passes build with: lists of statements of their own,
 * rewriting, buffers, accesses, named barriers. */
#include <stdlib.h>
#include <string.h>

#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "low.h"

BufLow *low_buf(Low *l, uint32_t buf)
{
    if (buf >= l->capbuf)
        agrow(&l->p->ctx, &l->buf, &l->capbuf, l->p->nbuf + 32, sizeof *l->buf);
    return &l->buf[buf];
}

int low_stage_dims(Low *l, uint32_t buf) { return low_buf(l, buf)->versions > 0; }

/* Lists ---------------------------------------------------------------- */

/* A loop that stands nowhere serves as the frame of the new list; its loc keeps
 * the builder's. */
void low_begin(Low *l, Loc loc)
{
    Prog *p = l->p;
    Stmt *f = anew(&p->ctx, sizeof *f);
    f->kind = Sfor;
    f->loop.kind = Fserial;
    f->loc = p->here;
    agrow(&p->ctx, &p->frame, &p->capframe, p->nframe + 1, sizeof *p->frame);
    p->frame[p->nframe++] = f;
    agrow(&p->ctx, &p->tail, &p->captail, p->ntail + 1, sizeof *p->tail);
    p->tail[p->ntail++] = &f->loop.body;
    p->here = loc;
}

Stmt *low_end(Low *l)
{
    Prog *p = l->p;
    Stmt *f = p->frame[--p->nframe];
    p->ntail--;
    p->here = f->loc;
    return f->loop.body;
}

void low_put(Low *l, Stmt *list)
{
    Stmt ***t = &l->p->tail[l->p->ntail - 1];
    **t = list;
    while (**t)
        *t = &(**t)->next;
}

Stmt *low_append(Stmt *list, Stmt *more)
{
    Stmt **t = &list;
    while (*t)
        t = &(*t)->next;
    *t = more;
    return list;
}

int low_blocks(Stmt *s, Stmt **block[2])
{
    switch ((enum StmtKind)s->kind) {
    case Slaunch: block[0] = &s->launch.body; return 1;
    case Sfor: block[0] = &s->loop.body; return 1;
    case Swhile: block[0] = &s->whil.body; return 1;
    case Srole: block[0] = &s->role.body; return 1;
    case Sif:
        block[0] = &s->cond.then;
        block[1] = &s->cond.els;
        return 2;
    default: return 0;
    }
}

LowRole low_enter(Low *l, const Stmt *s)
{
    LowRole outer = {l->base, l->threads};
    if (s && s->kind == Srole) {
        l->base = s->role.lo;
        l->threads = s->role.hi - s->role.lo;
    }
    return outer;
}

void low_leave(Low *l, LowRole outer)
{
    l->base = outer.base;
    l->threads = outer.threads;
}

void low_rewrite(Low *l, Stmt **at, LowFn *f, void *ud)
{
    Stmt **b[2];
    while (*at) {
        Stmt *s = *at, *next = s->next;
        bool into = true;
        s->next = NULL;
        *at = f(l, s, &into, ud);
        for (; *at; at = &(*at)->next) {
            LowRole outer = low_enter(l, *at);
            for (int i = 0, n = into ? low_blocks(*at, b) : 0; i < n; i++)
                low_rewrite(l, b[i], f, ud);
            low_leave(l, outer);
        }
        *at = next;
    }
}

/* Buffers -------------------------------------------------------------- */

/* Into the list that is open, or else before all statements of the launch. */
static uint32_t build_newbuf(Low *l, enum Scope sc, enum Dtype dt, const char *name,
                             const Ex *shape, int ndim, bool here)
{
    Prog *p = l->p;
    uint32_t b = p_buf(p, sc, dt, name, shape, NULL, ndim);
    p->buf[b].at = -1;
    if (here && p->nframe) {
        s_alloc(p, b, 0);
        return b;
    }
    Stmt *s = anew(&p->ctx, sizeof *s);
    s->kind = Salloc;
    s->loc = l->launch->loc;
    s->alloc.buf = b;
    s->next = l->launch->launch.body;
    l->launch->launch.body = s;
    return b;
}

uint32_t low_local(Low *l, enum Dtype dt, const char *name, int64_t regs)
{
    Ex n = low_i(l, regs);
    return build_newbuf(l, SClocal, dt, name, &n, 1, true);
}

void low_holds(Low *l, uint32_t b, uint32_t buf)
{
    const Buf *k = &l->p->buf[buf], *root = &l->p->buf[buf_root(l->p, buf)];
    if (root->stage || root->scope == SCfragment || root->scope == SClocal)
        l->p->buf[b].of = root->of ? root->of : k->name;
}

uint32_t low_sharedbuf(Low *l, enum Dtype dt, const char *name, const Ex *shape, int ndim)
{
    uint32_t b = build_newbuf(l, SCshared, dt, name, shape, ndim, false);
    low_buf(l, b)->scratch = true;
    return b;
}

uint32_t low_barrierbuf(Low *l, const char *name, int64_t n)
{
    Ex e = low_i(l, n);
    return build_newbuf(l, SCbarrier, DTu64, name, &e, 1, false);
}

void low_async(Low *l, uint32_t buf)
{
    for (; buf; buf = l->p->buf[buf].base)
        low_buf(l, buf)->async = true;
}

/* Accesses ------------------------------------------------------------- */

Ex low_load(Low *l, uint32_t buf, const Ex *idx)
{
    const Buf *b = &l->p->buf[buf];
    return ex_mk(l->p, Xload, (enum Dtype)b->dt, buf, idx, b->ndim);
}

static Stmt *bare(Low *l, enum StmtKind k)
{
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = (uint8_t)k;
    s->loc = l->p->here;
    s->turn = l->making;
    return s;
}

void low_serial(Stmt *loop)
{
    loop->loop.kind = Fserial;
    loop->loop.pipe = NULL;
    loop->loop.num_stages = 0;
    loop->loop.order = loop->loop.stage = NULL;
    loop->loop.norder = loop->loop.nstage = 0;
}

Stmt *low_store(Low *l, uint32_t buf, const Ex *idx, Ex value)
{
    Stmt *s = bare(l, Sstore);
    s->store.buf = buf;
    s->store.value = x_cast(l->p, (enum Dtype)l->p->buf[buf].dt, value);
    memcpy(s->store.idx, idx, l->p->buf[buf].ndim * sizeof *idx);
    return s;
}

Stmt *low_atomic(Low *l, int kind, uint32_t buf, const Ex *idx, Ex value)
{
    Stmt *s = bare(l, Satomic);
    s->atomic.kind = (uint8_t)kind;
    s->atomic.lanes = 1;
    s->atomic.buf = buf;
    s->atomic.value[0] = x_cast(l->p, (enum Dtype)l->p->buf[buf].dt, value);
    memcpy(s->atomic.idx, idx, l->p->buf[buf].ndim * sizeof *idx);
    return s;
}

Stmt *low_if(Low *l, Ex cond, Stmt *then, Stmt *els)
{
    int64_t v;
    if (!then && !els)
        return NULL;
    if (!cond || (x_isint(l->p, cond, &v) && v))
        return then;
    if (x_isint(l->p, cond, &v))
        return els;
    Stmt *s = bare(l, Sif);
    s->loc = then ? then->loc : els->loc;
    s->cond.cond = cond;
    s->cond.then = then;
    s->cond.els = els;
    return s;
}

Stmt *low_alloc(Low *l, uint32_t buf, Loc loc)
{
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = Salloc;
    s->loc = loc;
    s->alloc.buf = buf;
    return s;
}

ParLoopPlan *low_loop_plan(Low *l, const Layout *loop)
{
    ParLoopPlan *plan = anew(&l->p->ctx, sizeof *plan);
    *plan = (ParLoopPlan){.loop = *loop, .vec = 1};
    return plan;
}

Stmt *low_op(Low *l, enum Op op, Loc loc)
{
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = Sop;
    s->loc = loc;
    s->op.op = (uint8_t)op;
    return s;
}

Stmt *low_fence_async(Low *l, Loc loc)
{
    enum { Global }; /* attributes */
    Stmt *s = low_op(l, Ofence_async, loc);
    s->op.attr[Global] = l->fence_global;
    return s;
}

Stmt *low_guard(Low *l, Ex cond, Stmt *body)
{
    int64_t v;
    if (!body || (x_isint(l->p, cond, &v) && v))
        return body;
    if (x_isint(l->p, cond, &v))
        return NULL;
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = Sif;
    s->loc = body->loc;
    s->cond.cond = cond;
    s->cond.then = body;
    return s;
}

/* Named barriers ------------------------------------------------------- */

static bool name_taken(Stmt *s, void *ud)
{
    Low *l = ud;
    int64_t id = 0;
    if (s->kind == Scall && s->call.fn == Isync_threads)
        x_isint(l->p, s->call.arg[0], &id);
    else if (s->kind == Sop && (s->op.op == Obar_sync || s->op.op == Obar_arrive))
        id = s->op.attr[0];
    if (id > 0 && id < NamedBarriers)
        l->bars |= 1u << id;
    return true;
}

void low_names_taken(Low *l)
{
    l->bars = 1; /* number 0 is the barrier of the block */
    stmt_walk(l->launch->launch.body, name_taken, l);
}

int low_named(Low *l, int n)
{
    uint32_t want = n < NamedBarriers ? (1u << n) - 1 : ~0u;
    for (int id = 1; id + n <= NamedBarriers; id++)
        if (!(l->bars & want << id)) {
            l->bars |= want << id;
            return id;
        }
    return 0;
}
