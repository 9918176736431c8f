/* core/lower/pipe/depth.c: how many stages the buffers of a pipelined loop need, once
 * its units have theirs. */
#include <string.h>

#include "pipeline.h"
#include "err/check.h"
#include "err/pipes.h"

#define NUM(v) afmt(&l->p->ctx, "%lld", (long long)(v))

/* Is unit a's work on an iteration done before unit b's on the one `dist`
 * later?  Positions are those in q->unit. */
static bool done_before(const Pipe *q, int a, int b, int dist)
{
    int ta = q->unit[a].stage, tb = q->unit[b].stage + dist;
    return ta < tb || (ta == tb && a < b);
}

/* What a unit does to a buffer: FX* bits of all its accesses; the update that each of them is
 * (effects.h), 0 where one is another or none. */
typedef struct UnitUse UnitUse;
struct UnitUse { uint32_t buf; int unit, mode; uint16_t update; };

static bool depth_use(void *ud, const MemEffect *e)
{
    UnitUse *u = ud;
    if (e->root != u->buf)
        return true;
    u->update = !u->mode || u->update == e->update ? e->update : 0;
    u->mode |= e->mode;
    return true;
}

static bool depth_conflict(const UnitUse *x, const UnitUse *y)
{
    return ((x->mode | y->mode) & FXwrite) != 0 && !(x->update && x->update == y->update);
}

static bool local_scope(const Low *l, uint32_t b)
{
    int sc = l->p->buf[b].scope;
    return sc == SCfragment || sc == SClocal || sc == SCvar;
}

/* Stages of buffer b, whose iterations are independent: the fewest with which
 * no unit meets another iteration's elements. */
static int buffer_depth(const Pipe *q, const UnitUse *access, int all)
{
    for (int n = 1;; n++) {
        bool ok = true;
        for (int i = 0; i < all && ok; i++)
            for (int k = 0; k < all && ok; k++)
                if (depth_conflict(&access[i], &access[k]) && access[k].mode & FXwrite)
                    ok = done_before(q, access[i].unit, access[k].unit, n); /* k comes again n iterations later */
        if (ok || n > q->last + 1)
            return n;
    }
}

bool pipe_views_staged(const Low *l, uint32_t b)
{
    const Prog *p = l->p;
    if (!low_viewed(l, b))
        return true;
    for (uint32_t v = b + 1; v < p->nbuf; v++)
        if (p->buf[v].base && buf_root(p, v) == b && p->buf[v].ndim == MaxDim)
            return false;
    return p->buf[b].scope == SCshared;
}

static NORETURN void refuse_overlap(const Pipe *q, Err e, const Unit *u, uint32_t b, int x, int y)
{
    Low *l = q->l;
    diag_fail(&l->p->ctx, e, u->s->loc, l->p->buf[b].name, NUM(x), NUM(y), NULL);
}

/* of: a buffer that n units access. */
static void one_buffer(Pipe *q, PipeBuf *of, const UnitUse *access, int n, bool anew_each)
{
    uint32_t b = of->buf;
    bool fresh = anew_each && pipe_views_staged(q->l, b);
    bool staged = false;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            int x = access[i].unit, y = access[k].unit;
            const Unit *u = &q->unit[x], *v = &q->unit[y];
            if (u->rank >= v->rank || !depth_conflict(&access[i], &access[k]))
                continue;
            if (!done_before(q, x, y, 0))
                refuse_overlap(q, u->stage > v->stage ? E_pipe_stage : E_pipe_order, v, b, u->stage, v->stage);
            if (!fresh && !done_before(q, y, x, 1))
                refuse_overlap(q, anew_each ? E_pipe_viewed : E_pipe_carried, v, b, u->stage, v->stage);
        }
    for (int i = 0; i < n; i++)
        staged |= access[i].mode & FXwrite && q->unit[access[i].unit].stage < q->last;
    if (!fresh || !staged)
        return;
    int depth = buffer_depth(q, access, n);
    /* One more saves a barrier a step: the store need not wait for the readers. */
    if (depth == 1 && q->last > 0 && !local_scope(q->l, b))
        depth = 2;
    of->versions = depth;
}

uint32_t pipe_first(const void *list, uint32_t n, size_t size, uint32_t b)
{
    uint32_t lo = 0, hi = n, buf;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        memcpy(&buf, (const char *)list + mid * size, sizeof buf);
        if (buf < b)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

PipeBuf *pipe_buf(Pipe *q, uint32_t b, bool make)
{
    uint32_t lo = pipe_first(q->buf, q->nbuf, sizeof *q->buf, b);
    if (lo < q->nbuf && q->buf[lo].buf == b)
        return &q->buf[lo];
    if (!make)
        return NULL;
    agrow(&q->l->p->ctx, &q->buf, &q->capbuf, q->nbuf + 1, sizeof *q->buf);
    memmove(q->buf + lo + 1, q->buf + lo, (q->nbuf++ - lo) * sizeof *q->buf);
    q->buf[lo] = (PipeBuf){.buf = b};
    return &q->buf[lo];
}

static bool depth_accessed(void *ud, const MemEffect *e)
{
    pipe_buf(ud, e->root, true);
    return true;
}

void pipe_versions(Pipe *q)
{
    Low *l = q->l;
    Prog *p = l->p;
    UnitUse *access = anew(&p->ctx, ((size_t)q->n + 1) * sizeof *access);
    for (int i = 0; i < q->n; i++) /* those of barrier pairs are there already */
        block_effects(l->p, q->unit[i].s, true, depth_accessed, q);
    for (PipeBuf *b = q->buf; b < q->buf + q->nbuf; b++) {
        int all, n = 0, sc = p->buf[b->buf].scope;
        const PipeTouch *t = pipe_touching(q, b->buf, &all);
        for (int i = 0; i < all; i++) {
            access[n] = (UnitUse){.buf = b->buf, .unit = t[i].unit};
            block_effects(p, q->unit[t[i].unit].s, true, depth_use, &access[n]);
            n += access[n].mode != 0;
        }
        if (n)
            one_buffer(q, b, access, n, sc != SCglobal && sc != SCbarrier && sc != SCpipe && pipe_fresh(q, b->buf));
    }
}
