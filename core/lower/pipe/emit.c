/* core/lower/pipe/emit.c: a planned pipeline as statements.
 *
 * In front of the loop `last` steps run the early stages alone; in the loop,
 * step i runs unit k for iteration i + last - stage[k], under a condition
 * where that may lie beyond the end.  So there is no epilogue.
 *
 * cp.async: every step commits each group, also an empty one, so that the
 * groups behind a needed one can be counted: a wait leaves that many open.
 * Where the copy was issued in an earlier step the wait stands at the head of
 * the step, before the new copies: one barrier then both publishes the data
 * and frees the stage that they go to. */
#include <string.h>

#include "core/ir/expr.h"
#include "pipeline.h"
#include "err/pipes.h"

/* Fragments: one buffer a step of distance ------------------------------ */

/* Readers of a fragment in stage r, written in stage w < r, read what r - w
 * moves at the ends of steps have brought along. */
typedef struct PipeShift PipeShift;
struct PipeShift {
    uint32_t buf, *copy; /* copy[d]: as it was d steps ago */
    int stage, n;        /* of the writers; greatest d */
};

/* A view of a buffer with stages, and the one of these. */
typedef struct PipeView { const PipeBuf *of; uint32_t view, to; } PipeView;

typedef struct PipeEmit PipeEmit;
struct PipeEmit {
    Pipe *q;
    Low *l;
    Ex lo, hi;
    PipeShift *shift;
    int nshift;
    PipeView *view; uint32_t nview, capview;
    int *group, groups; /* of async units, in order; */
    int *passed;        /* ... of each unit: commits in front of it */
    int bound;         /* groups that may still be open, -1: any number */
};

static PipeShift *pipe_emit_shift_of(PipeEmit *w, uint32_t b)
{
    for (int i = 0; i < w->nshift; i++)
        if (w->shift[i].buf == b)
            return &w->shift[i];
    return NULL;
}

static void plan_shifts(PipeEmit *w)
{
    Pipe *q = w->q;
    Prog *p = w->l->p;
    uint32_t n = 0;
    for (const PipeBuf *k = q->buf; k < q->buf + q->nbuf; k++) {
        uint32_t b = k->buf;
        if (k->versions < 2 || p->buf[b].scope == SCshared)
            continue;
        PipeShift h = {.buf = b, .stage = -1};
        for (int i = 0; i < q->n; i++) {
            int t = pipe_touches(q, i, b), s = q->unit[i].stage;
            if (t & FXwrite) {
                if (h.stage >= 0 && h.stage != s)
                    diag_fail(&p->ctx, E_pipe_written, q->unit[i].s->loc, p->buf[b].name,
                              afmt(&p->ctx, "%d", h.stage), afmt(&p->ctx, "%d", s), NULL);
                h.stage = s;
            }
        }
        for (int i = 0; i < q->n; i++) {
            int d = q->unit[i].stage - h.stage;
            if (pipe_touches(q, i, b) && d > h.n)
                h.n = d;
        }
        h.copy = anew(&p->ctx, ((size_t)h.n + 1) * sizeof *h.copy);
        for (int d = 1; d <= h.n; d++) {
            Buf old = p->buf[b];
            h.copy[d] = p_buf(p, (enum Scope)old.scope, (enum Dtype)old.dt,
                              afmt(&p->ctx, "%s_%d", old.name, d), old.shape, NULL, old.ndim);
            p->buf[h.copy[d]].loc = old.loc;
            q->before = low_append(q->before, low_alloc(w->l, h.copy[d], old.loc));
        }
        uint32_t cap = n;
        agrow(&p->ctx, &w->shift, &cap, n + 1, sizeof *w->shift);
        w->shift[n++] = h;
        w->nshift = (int)n;
    }
}

/* Units ----------------------------------------------------------------- */

/* `if it < hi then body end`, or what that comes to. */
static Stmt *if_in_range(PipeEmit *w, Ex it, Stmt *body)
{
    return low_guard(w->l, x_bin(w->l->p, Xlt, it, w->hi), body);
}

/* `last[0] = stage` behind what the condition of s guards. */
static void mark_last(Low *l, Stmt *s, uint32_t last, Ex stage)
{
    Ex zero = low_i(l, 0);
    Stmt *k = anew(&l->p->ctx, sizeof *k);
    k->kind = Sstore;
    k->loc = s->loc;
    k->store.buf = last;
    k->store.idx[0] = zero;
    k->store.value = x_cast(l->p, DTi32, stage);
    s->cond.then = low_append(s->cond.then, k);
}

/* The stage of b that iteration `it` has. */
static Ex stage_for(const PipeEmit *w, const PipeBuf *b, Ex it)
{
    Low *l = w->l;
    Ex n = x_bin(l->p, Xsub, it, w->lo);
    if (w->q->count && low_buf(l, b->stages)->pipe)
        n = x_bin(l->p, Xadd, w->q->count, n);
    return low_mod(l, n, b->versions);
}

/* The stages that iteration `it` has of all buffers that have some, and of their views, by number. */
static StageOf *stages_for(const PipeEmit *w, Ex it, uint32_t *n)
{
    const Pipe *q = w->q;
    StageOf *m = anew(&w->l->p->ctx, ((size_t)q->nbuf + w->nview + 1) * sizeof *m);
    *n = 0;
    for (const PipeBuf *b = q->buf; b < q->buf + q->nbuf; b++)
        if (b->stages)
            m[(*n)++] = (StageOf){b->buf, b->stages, stage_for(w, b, it)};
    for (uint32_t i = 0; i < w->nview; i++) {
        uint32_t k = (*n)++;
        for (; k > 0 && m[k - 1].buf > w->view[i].view; k--)
            m[k] = m[k - 1];
        m[k] = (StageOf){w->view[i].view, w->view[i].to, stage_for(w, w->view[i].of, it)};
    }
    return m;
}

/* A copy of unit i for iteration `it`. */
static Stmt *instance(PipeEmit *w, int i, Ex it)
{
    Low *l = w->l;
    Pipe *q = w->q;
    Prog *p = l->p;
    const Unit *u = &q->unit[i];
    Stmt *s = low_clone(l, u->s);
    if (!u->let)
        s = low_renew(l, s);
    LowNew var = {q->loop->loop.var[0], it}, *bufs = anew(&p->ctx, q->nbuf * sizeof *bufs + 1);
    int nbufs = 0;
    for (const PipeBuf *b = q->buf; b < q->buf + q->nbuf; b++) {
        const PipeShift *h = pipe_emit_shift_of(w, b->buf);
        if (h && u->stage > h->stage)
            bufs[nbufs++] = (LowNew){b->buf, h->copy[u->stage - h->stage]};
    }
    low_vars(l, s, &var, 1);
    if (nbufs)
        low_bufs(l, s, bufs, nbufs);
    uint32_t nstage;
    const StageOf *stage = stages_for(w, it, &nstage);
    pipe_to_stages(l, s, true, stage, nstage);
    for (const PipeBuf *b = q->buf; b < q->buf + q->nbuf; b++)
        if (b->last && b->mark == i)
            mark_last(l, s, b->last, stage_for(w, b, it));
    return s;
}

/* cp.async -------------------------------------------------------------------- */

/* Does a commit stand behind unit i? */
static bool pipe_emit_commits(const PipeEmit *w, int i)
{
    return w->group[i] >= 0 && (i + 1 == w->q->n || w->group[i + 1] != w->group[i]);
}

static void number_groups(PipeEmit *w)
{
    const Pipe *q = w->q;
    bool open = false;
    int stage = -1;
    for (int i = 0; i < q->n; i++) {
        w->group[i] = -1;
        if (!q->unit[i].async) {
            open = false;
            continue;
        }
        if (!open || stage != q->unit[i].stage)
            w->groups++;
        open = true;
        stage = q->unit[i].stage;
        w->group[i] = w->groups - 1;
    }
    for (int i = 0, n = 0; i < q->n; i++) {
        w->passed[i] = n;
        n += pipe_emit_commits(w, i);
    }
}
/* Groups that may be open when unit i runs, as far as unit k is waited for, which is in one. */
static int open_behind(const PipeEmit *w, int i, int k, bool head)
{
    int d = w->q->unit[i].stage - w->q->unit[k].stage;
    if ((d > 0) != head)
        return -1;
    return d > 0 ? w->groups - w->group[k] - 1 + (d - 1) * w->groups : w->passed[i] - w->group[k] - 1;
}

/* Most groups that may be open when unit i runs, -1: it needs none.  head: only
 * those copied in earlier steps, at the head of the step; else those copied in
 * this one, just before i. */
static int open_groups(const PipeEmit *w, int i, bool head)
{
    Pipe *q = w->q;
    int least = -1, all;
    uint32_t b;
    if (q->unit[i].async || !w->groups)
        return -1;
    for (uint32_t j = 0; (b = low_touched_buf(pipe_does(q, i), j)) != 0; j++) {
        if (q->l->p->buf[b].scope != SCshared)
            continue; /* no group writes it */
        const PipeTouch *t = pipe_touching(q, b, &all);
        for (int x = 0; x < all; x++) {
            int k = t[x].unit;
            if (w->group[k] < 0 || !(pipe_touches(q, k, b) & FXwrite))
                continue;
            int n = open_behind(w, i, k, head);
            least = n >= 0 && (least < 0 || n < least) ? n : least;
        }
    }
    return least;
}

static Stmt *async_op(PipeEmit *w, enum Op op, int n)
{
    Stmt *s = low_op(w->l, op, w->q->loop->loc);
    s->op.attr[0] = n;
    return s;
}

/* Behind what ends at *end: `more`, where the end is now. */
static void pipe_emit_put(Stmt ***end, Stmt *more)
{
    **end = more;
    while (**end)
        *end = &(**end)->next;
}

static void pipe_emit_wait_for(PipeEmit *w, int n, Stmt ***end)
{
    if (n < 0 || (w->bound >= 0 && w->bound <= n))
        return;
    pipe_emit_put(end, async_op(w, Ocp_async_wait, n));
    w->bound = n;
}

/* Steps ----------------------------------------------------------------- */

/* All of `from` to `to`, of one shape: of a fragment by those who hold it, of what each thread has
 * for itself by each. */
static Stmt *moved(PipeEmit *w, uint32_t from, uint32_t to)
{
    Low *l = w->l;
    Prog *p = l->p;
    const Buf b = p->buf[from];
    Ex lo[MaxDim], idx[MaxDim];
    static const char *const names[MaxDim] = {"i", "j", "k", "l", "m", "n", "o", "q"};
    if (b.scope == SCfragment) {
        Stmt *s = low_op(l, Ocopy, w->q->loop->loc);
        s->op.r[0] = r_whole(p, from);
        s->op.r[1] = r_whole(p, to);
        return s;
    }
    low_begin(l, w->q->loop->loc);
    for (int d = 0; d < b.ndim; d++) {
        lo[d] = low_i(l, 0);
        Stmt *s = b.scope == SCvar ? NULL
                                   : s_for(p, Fserial, &lo[d], &b.shape[d], 1, low_i(l, 1), &names[d]);
        idx[d] = s ? x_var(p, s->loop.var[0]) : lo[d];
    }
    low_put(l, low_store(l, to, idx, x_load(p, from, idx, b.ndim)));
    for (int d = 0; d < b.ndim && b.scope != SCvar; d++)
        s_close(p);
    return low_end(l);
}

/* Moves of fragments and variables at the end of a step, under the writer's condition. */
static Stmt *shifts(PipeEmit *w, Ex base, int step)
{
    Low *l = w->l;
    Stmt *list = NULL;
    for (int i = 0; i < w->nshift; i++) {
        const PipeShift *h = &w->shift[i];
        for (int d = h->n; d > 0; d--) {
            int ahead = step < 0 ? w->q->last - h->stage - (d - 1) : step - h->stage - (d - 1);
            if (ahead < 0)
                continue;
            Stmt *s = moved(w, d > 1 ? h->copy[d - 1] : h->buf, h->copy[d]);
            Ex it = low_add(l, base, low_i(l, ahead));
            list = low_append(list, ahead ? if_in_range(w, it, s) : s);
        }
    }
    return list;
}

/* Neighbours of one iteration share a condition. */
typedef struct EmitRun EmitRun;
struct EmitRun { Stmt *some, **end; int ahead; uint32_t next; };

static void flush(PipeEmit *w, EmitRun *r, Ex base, int step, Stmt ***end)
{
    Low *l = w->l;
    bool sure = r->ahead == 0 && step < 0;
    Ex it = low_add(l, base, low_i(l, r->ahead));
    if (r->some && r->next) {
        Stmt *let = anew(&l->p->ctx, sizeof *let);
        let->kind = Slet;
        let->loc = r->some->loc;
        let->let.var = r->next;
        r->some = low_append(let, r->some);
    }
    pipe_emit_put(end, sure || !r->some ? r->some : if_in_range(w, it, r->some));
    r->some = NULL;
    r->end = &r->some;
    r->ahead = 0;
    r->next = 0;
}

/* The iteration that a run is for.  Under its condition it lies below the end:
 * a name of its own carries that range. */
static Ex pipe_emit_iteration(PipeEmit *w, EmitRun *r, Ex base, int step)
{
    Low *l = w->l;
    Prog *p = l->p;
    uint32_t v = w->q->loop->loop.var[0];
    Ex it = low_add(l, base, low_i(l, r->ahead));
    if (step >= 0 || r->ahead == 0)
        return it;
    if (!r->next) {
        Var k = p->var[v];
        bool known = k.lo != INT64_MIN && k.hi != INT64_MAX;
        r->next = p_var(p, Vlet, ex_type(p, it), afmt(&p->ctx, "%s_next", k.name),
                        known ? k.lo + r->ahead : INT64_MIN, known ? k.hi : INT64_MAX);
        p->var[r->next].value = it;
        p->var[r->next].loc = w->q->loop->loc;
    }
    return x_var(p, r->next);
}

/* One step.  step >= 0: that one of those in front of the loop; -1: in it.
 * base: lo, or the loop's variable. */
static Stmt *pipe_emit_step_of(PipeEmit *w, Ex base, int step)
{
    const Pipe *q = w->q;
    Stmt *list = NULL, **end = &list;
    EmitRun r = {.end = &r.some};
    w->bound = -1;
    for (int i = 0; i < q->n; i++)
        if (step < 0 || step >= q->unit[i].stage)
            pipe_emit_wait_for(w, open_groups(w, i, true), &end);
    for (int i = 0; i < q->n; i++) {
        int ahead = (step < 0 ? q->last : step) - q->unit[i].stage;
        if (ahead >= 0) {
            int n = open_groups(w, i, false);
            if (r.ahead != ahead || n >= 0)
                flush(w, &r, base, step, &end);
            pipe_emit_wait_for(w, n, &end);
            r.ahead = ahead;
            pipe_emit_put(&r.end, instance(w, i, pipe_emit_iteration(w, &r, base, step)));
        }
        if (pipe_emit_commits(w, i)) {
            flush(w, &r, base, step, &end);
            pipe_emit_put(&end, async_op(w, Ocp_async_commit, 0));
            w->bound += w->bound >= 0;
        }
    }
    flush(w, &r, base, step, &end);
    pipe_emit_put(&end, shifts(w, base, step));
    return list;
}

/* Around the loop ------------------------------------------------------- */

static void make_views(PipeEmit *w, const PipeBuf *b)
{
    Prog *p = w->l->p;
    for (uint32_t v = b->buf + 1, n = p->nbuf; v < n; v++) {
        if (!p->buf[v].base || buf_root(p, v) != b->buf)
            continue;
        uint32_t to = pipe_multi_view(w->l, v, b->stages, b->versions);
        agrow(&p->ctx, &w->view, &w->capview, w->nview + 1, sizeof *w->view);
        w->view[w->nview++] = (PipeView){b, v, to};
    }
}

/* The buffers with stages; one that is also used outside keeps its name there. */
static void make_stages(PipeEmit *w)
{
    Pipe *q = w->q;
    Low *l = q->l;
    for (PipeBuf *b = q->buf; b < q->buf + q->nbuf; b++)
        if (b->versions > 1 && !b->stages && l->p->buf[b->buf].scope == SCshared)
            b->stages = pipe_multi_stage(l, b->buf, b->versions, &q->before);
    for (const PipeBuf *b = q->buf; b < q->buf + q->nbuf; b++)
        if (b->stages && low_viewed(l, b->buf))
            make_views(w, b);
}

/* What a producer loads is never read behind its loop: roles_plan.c saw to that. */
static bool comes_back(const Pipe *q, const PipeBuf *b)
{
    return b->stages && b->versions > 1 && !low_buf(q->l, b->stages)->pipe &&
           low_read_behind(q->l, q->loop, q->above, b->buf);
}

/* Where not every iteration writes a tile that is read behind the loop, a variable
 * knows the last stage written, -1: none. */
static void keep_last(PipeEmit *w)
{
    Pipe *q = w->q;
    Low *l = w->l;
    Prog *p = l->p;
    for (PipeBuf *b = q->buf; b < q->buf + q->nbuf; b++) {
        Ex one = low_i(l, 1);
        if (!comes_back(q, b) || !pipe_under(q, b->buf))
            continue;
        while (!(pipe_touches(q, b->mark, b->buf) & FXwrite))
            b->mark++;
        b->last = p_buf(p, SCvar, DTi32, afmt(&p->ctx, "%s_last", p->buf[b->buf].name), &one, NULL,
                        1);
        p->buf[b->last].loc = q->loop->loc;
        Stmt *s = low_alloc(l, b->last, q->loop->loc);
        s->alloc.init = low_i(l, -1);
        q->before = low_append(q->before, s);
    }
}

/* What is read behind the loop comes back from its last stage. */
static Stmt *bring_back(PipeEmit *w)
{
    Pipe *q = w->q;
    Low *l = w->l;
    Prog *p = l->p;
    Stmt *list = NULL;
    Ex zero = low_i(l, 0), trip = x_bin(p, Xsub, w->hi, w->lo);
    for (const PipeBuf *b = q->buf; b < q->buf + q->nbuf; b++) {
        if (!comes_back(q, b))
            continue;
        Stmt *s = low_op(l, Ocopy, q->loop->loc);
        Ex ran = x_bin(p, Xlt, w->lo, w->hi);
        Ex stage = low_mod(l, low_add(l, trip, low_i(l, -1)), b->versions);
        if (b->last) {
            stage = x_load(p, b->last, &zero, 1);
            ran = x_bin(p, Xle, zero, stage);
        }
        s->op.r[0] = r_whole(p, b->stages);
        s->op.r[0].min[0] = stage;
        s->op.r[0].extent[0] = low_i(l, 1);
        s->op.r[1] = r_whole(p, b->buf);
        low_note(l, E_pipe_after, q->loop, p->buf[b->buf].name);
        list = low_append(list, low_guard(l, ran, s));
    }
    return list;
}

Stmt *pipe_emit(Pipe *q)
{
    Low *l = q->l;
    Stmt *loop = q->loop, *list = NULL;
    PipeEmit w = {.q = q, .l = l, .lo = loop->loop.lo[0], .hi = loop->loop.hi[0], .bound = -1};
    w.group = anew(&l->p->ctx, ((size_t)q->n + 1) * sizeof *w.group);
    w.passed = anew(&l->p->ctx, ((size_t)q->n + 1) * sizeof *w.passed);
    make_stages(&w);
    keep_last(&w);
    plan_shifts(&w);
    number_groups(&w);
    for (int t = 0; t < q->last; t++)
        list = low_append(list, pipe_emit_step_of(&w, w.lo, t));
    Stmt *body = pipe_emit_step_of(&w, x_var(l->p, loop->loop.var[0]), -1);
    Stmt *back = bring_back(&w);
    loop->loop.body = body;
    loop->next = NULL;
    low_serial(loop);
    list = low_append(low_append(q->before, list), loop);
    return low_append(list, back);
}
