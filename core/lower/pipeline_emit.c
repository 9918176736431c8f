/* core/lower/pipeline_emit.c: a planned pipeline as statements.
 *
 * In front of the loop `last` steps run the early stages alone; in the loop,
 * step i runs unit k for iteration i + last - stage[k], under a condition
 * where that may lie beyond the end.  So there is no epilogue.
 *
 * cp.async: every step commits each group, also an empty one, so that the
 * groups behind a needed one can be counted: a wait leaves that many open.
 * Where the copy was issued in an earlier step the wait stands at the head of
 * the step, before the new copies: one barrier then both publishes the data
 * and frees the slot that they go to. */
#include <string.h>

#include "../expr.h"
#include "pipeline.h"

/* Slots ----------------------------------------------------------------- */

typedef struct Slots Slots;
struct Slots {
    Low *l;
    const uint32_t *map;
    const Ex *slot;
    uint32_t n;
};

static Ex slot_ex(Slots *v, Ex e)
{
    Prog *p = v->l->p;
    Expr x = p->ex[e];
    if (x.n == 0)
        return e;
    Ex a[MaxDim + 8], *arg = x.n + 1u <= COUNT(a) ? a : anew(&p->ctx, (x.n + 1u) * sizeof *arg);
    bool changed = false;
    for (int i = 0; i < x.n; i++) {
        arg[i] = slot_ex(v, x.arg[i]);
        changed |= arg[i] != x.arg[i];
    }
    if (x.op == Xload && x.sym < v->n && v->map[x.sym]) {
        memmove(arg + 1, arg, x.n * sizeof *arg);
        arg[0] = v->slot[x.sym];
        return ex_mk(p, Xload, (enum Dtype)x.dt, v->map[x.sym], arg, x.n + 1);
    }
    if (!changed)
        return e;
    switch ((enum Xop)x.op) {
    case Xload: return ex_mk(p, Xload, (enum Dtype)x.dt, x.sym, arg, x.n);
    case Xcall: return x_call(p, (enum Intr)x.sym, arg, x.n);
    case Xselect: return x_select(p, arg[0], arg[1], arg[2]);
    case Xcast: return x_cast(p, (enum Dtype)x.dt, arg[0]);
    case Xbits: return x_bits(p, (enum Dtype)x.dt, arg[0]);
    case Xnot: case Xbnot: return x_un(p, (enum Xop)x.op, arg[0]);
    default: return x_bin(p, (enum Xop)x.op, arg[0], arg[1]);
    }
}

static void slot_one(Slots *v, Ex *e)
{
    if (*e)
        *e = slot_ex(v, *e);
}

static void slot_many(Slots *v, Ex *e, int n)
{
    for (int i = 0; i < n; i++)
        slot_one(v, &e[i]);
}

/* An index of a buffer with slots: one more in front. */
static bool slot_index(Slots *v, uint32_t *buf, Ex *idx)
{
    uint32_t b = *buf;
    if (b == 0 || b >= v->n || !v->map[b])
        return false;
    memmove(idx + 1, idx, (MaxDim - 1) * sizeof *idx);
    idx[0] = v->slot[b];
    *buf = v->map[b];
    return true;
}

static void slot_op(Slots *v, Stmt *s)
{
    for (int i = 0; i < MaxRegion; i++) {
        Region *r = &s->op.r[i];
        slot_many(v, r->min, MaxDim);
        slot_many(v, r->extent, MaxDim);
        if (!slot_index(v, &r->buf, r->min))
            continue;
        memmove(r->extent + 1, r->extent, (MaxDim - 1) * sizeof *r->extent);
        r->extent[0] = low_i(v->l, 1);
        if (i == 0 && (s->op.op == Oreduce || s->op.op == Oscan))
            s->op.attr[1]++; /* dim counts those of the source */
    }
    slot_one(v, &s->op.value);
}

static void slot_stmt(Slots *v, Stmt *s)
{
    Prog *p = v->l->p;
    switch ((enum StmtKind)s->kind) {
    case Salloc: slot_one(v, &s->alloc.init); break;
    case Slet: {
        Ex e = p->var[s->let.var].value;
        slot_one(v, &e);
        p->var[s->let.var].value = e;
        break;
    }
    case Sstore:
        slot_one(v, &s->store.value);
        slot_many(v, s->store.idx, MaxDim);
        slot_index(v, &s->store.buf, s->store.idx);
        break;
    case Sfor:
        slot_many(v, s->loop.lo, s->loop.n);
        slot_many(v, s->loop.hi, s->loop.n);
        break;
    case Swhile: slot_one(v, &s->whil.cond); break;
    case Sif: slot_one(v, &s->cond.cond); break;
    case Sop: slot_op(v, s); break;
    case Satomic:
        slot_many(v, s->atomic.idx, MaxDim);
        slot_many(v, s->atomic.value, (int)COUNT(s->atomic.value));
        slot_index(v, &s->atomic.buf, s->atomic.idx);
        break;
    case Scall: slot_many(v, s->call.arg, (int)COUNT(s->call.arg)); break;
    case Sprint: slot_one(v, &s->print.value); break;
    case Sassert: case Sassume: slot_one(v, &s->check.cond); break;
    case Sxxx: case Slaunch: case Sbreak: case Scontinue: case Srole: case NStmt: break;
    }
}

void pipe_slots(Low *l, Stmt *s, bool all, const uint32_t *map, const Ex *slot, uint32_t n)
{
    Slots v = {l, map, slot, n};
    Stmt **b[2];
    for (; s; s = all ? s->next : NULL) {
        slot_stmt(&v, s);
        for (int i = 0, k = low_blocks(s, b); i < k; i++)
            pipe_slots(l, *b[i], true, map, slot, n);
    }
}

uint32_t pipe_slotted(Low *l, uint32_t b, int n, Stmt **allocs)
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
    p->buf[k].loc = old.loc;
    BufLow known = *low_buf(l, b);
    known.versions = n;
    known.ring = 0; /* a ring of the buffer itself does not guard its slots */
    *low_buf(l, k) = known;
    *allocs = low_append(*allocs, pipe_alloc(l, k, old.loc));
    return k;
}

/* Fragments: one buffer a step of distance ------------------------------ */

/* Readers of a fragment in stage r, written in stage w < r, read what r - w
 * moves at the ends of steps have brought along. */
typedef struct Shift Shift;
struct Shift {
    uint32_t buf, copy[MaxUnits]; /* copy[d]: as it was d steps ago */
    int stage, n;                 /* of the writers; greatest d */
};

typedef struct Emit Emit;
struct Emit {
    Pipe *q;
    Low *l;
    Ex lo, hi;
    Shift *shift;
    int nshift;
    uint32_t *last;    /* of a buffer: the variable that holds its last slot written, or 0 */
    int *marks;        /* of such a buffer: the unit that sets it */
    int group[MaxUnits], groups; /* of async units, in order */
    int bound;         /* groups that may still be open, -1: any number */
};

static Shift *shift_of(Emit *w, uint32_t b)
{
    for (int i = 0; i < w->nshift; i++)
        if (w->shift[i].buf == b)
            return &w->shift[i];
    return NULL;
}

static void plan_shifts(Emit *w)
{
    Pipe *q = w->q;
    Prog *p = w->l->p;
    uint32_t n = 0;
    for (uint32_t b = 1; b < q->nbuf; b++) {
        if (q->versions[b] < 2 || p->buf[b].scope == SCshared)
            continue;
        Shift h = {.buf = b, .stage = -1};
        for (int i = 0; i < q->n; i++) {
            int t = pipe_touches(w->l, q->unit[i].s, true, b), s = q->unit[i].stage;
            if (t & EFwrite) {
                if (h.stage >= 0 && h.stage != s)
                    diag_fail(&p->ctx, E_pipe_carried, q->unit[i].s->loc, p->buf[b].name,
                              afmt(&p->ctx, "%d", h.stage), afmt(&p->ctx, "%d", s), NULL);
                h.stage = s;
            }
        }
        for (int i = 0; i < q->n; i++) {
            int d = q->unit[i].stage - h.stage;
            if (pipe_touches(w->l, q->unit[i].s, true, b) && d > h.n)
                h.n = d;
        }
        for (int d = 1; d <= h.n; d++) {
            Buf old = p->buf[b];
            h.copy[d] = p_buf(p, (enum Scope)old.scope, (enum Dtype)old.dt,
                              afmt(&p->ctx, "%s_%d", old.name, d), old.shape, NULL, old.ndim);
            p->buf[h.copy[d]].loc = old.loc;
            q->before = low_append(q->before, pipe_alloc(w->l, h.copy[d], old.loc));
        }
        uint32_t cap = n;
        agrow(&p->ctx, &w->shift, &cap, n + 1, sizeof *w->shift);
        w->shift[n++] = h;
        w->nshift = (int)n;
    }
}

/* Units ----------------------------------------------------------------- */

/* `if it < hi then body end`, or what that comes to. */
static Stmt *within(Emit *w, Ex it, Stmt *body)
{
    return pipe_if(w->l, x_bin(w->l->p, Xlt, it, w->hi), body);
}

/* `last[0] = slot` behind what the condition of s guards. */
static void mark_last(Low *l, Stmt *s, uint32_t last, Ex slot)
{
    Ex zero = low_i(l, 0);
    Stmt *k = anew(&l->p->ctx, sizeof *k);
    k->kind = Sstore;
    k->loc = s->loc;
    k->store.buf = last;
    k->store.idx[0] = zero;
    k->store.value = x_cast(l->p, DTi32, slot);
    s->cond.then = low_append(s->cond.then, k);
}

/* A copy of unit i for iteration `it`. */
static Stmt *instance(Emit *w, int i, Ex it)
{
    Low *l = w->l;
    Pipe *q = w->q;
    Prog *p = l->p;
    const Unit *u = &q->unit[i];
    Stmt *s = low_clone(l, u->s);
    if (!u->let)
        s = low_renew(l, s);
    Ex *map = anew(&p->ctx, p->nvar * sizeof *map), *slot = anew(&p->ctx, q->nbuf * sizeof *slot);
    uint32_t *bufs = anew(&p->ctx, q->nbuf * sizeof *bufs);
    map[q->loop->loop.var[0]] = it;
    for (uint32_t b = 1; b < q->nbuf; b++) {
        const Shift *h = shift_of(w, b);
        if (h && u->stage > h->stage)
            bufs[b] = h->copy[u->stage - h->stage];
        if (q->slots[b]) {
            Ex n = x_bin(p, Xsub, it, w->lo);
            if (q->count && low_buf(l, q->slots[b])->ring)
                n = x_bin(p, Xadd, q->count, n);
            slot[b] = low_mod(l, n, q->versions[b]);
        }
    }
    low_subst(l, s, map, p->nvar, bufs, q->nbuf);
    pipe_slots(l, s, true, q->slots, slot, q->nbuf);
    for (uint32_t b = 1; b < q->nbuf; b++)
        if (w->last[b] && w->marks[b] == i)
            mark_last(l, s, w->last[b], slot[b]);
    return s;
}

/* cp.async -------------------------------------------------------------------- */

static void number_groups(Emit *w)
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
}

/* Does a commit stand behind unit i? */
static bool commits(const Emit *w, int i)
{
    return w->group[i] >= 0 && (i + 1 == w->q->n || w->group[i + 1] != w->group[i]);
}

/* Most groups that may be open when unit i runs, -1: it needs none.  head: only
 * those copied in earlier steps, at the head of the step; else those copied in
 * this one, just before i. */
static int open_groups(const Emit *w, int i, bool head)
{
    const Pipe *q = w->q;
    int least = -1, passed = 0;
    for (int k = 0; k < i; k++)
        passed += commits(w, k);
    for (int k = 0; k < q->n; k++) {
        bool meets = false;
        if (w->group[k] < 0 || q->unit[i].async)
            continue;
        for (uint32_t b = 1; b < q->nbuf && !meets; b++)
            meets = pipe_touches(w->l, q->unit[k].s, true, b) & EFwrite &&
                    pipe_touches(w->l, q->unit[i].s, true, b);
        if (!meets)
            continue;
        int d = q->unit[i].stage - q->unit[k].stage, n;
        if ((d > 0) != head)
            continue;
        n = d > 0 ? w->groups - w->group[k] - 1 + (d - 1) * w->groups : passed - w->group[k] - 1;
        if (least < 0 || n < least)
            least = n;
    }
    return least;
}

static Stmt *async_op(Emit *w, enum Op op, int n)
{
    Stmt *s = pipe_op(w->l, op, w->q->loop->loc);
    s->op.attr[0] = n;
    return s;
}

static void wait_for(Emit *w, int n, Stmt **list)
{
    if (n < 0 || (w->bound >= 0 && w->bound <= n))
        return;
    *list = low_append(*list, async_op(w, Ocp_async_wait, n));
    w->bound = n;
}

/* Steps ----------------------------------------------------------------- */

/* Moves of fragments at the end of a step, under the writer's condition. */
static Stmt *shifts(Emit *w, Ex base, int step)
{
    Low *l = w->l;
    Stmt *list = NULL;
    for (int i = 0; i < w->nshift; i++) {
        const Shift *h = &w->shift[i];
        for (int d = h->n; d > 0; d--) {
            int ahead = step < 0 ? w->q->last - h->stage - (d - 1) : step - h->stage - (d - 1);
            if (ahead < 0)
                continue;
            Stmt *s = pipe_op(l, Ocopy, w->q->loop->loc);
            s->op.r[0] = r_whole(l->p, d > 1 ? h->copy[d - 1] : h->buf);
            s->op.r[1] = r_whole(l->p, h->copy[d]);
            Ex it = low_add(l, base, low_i(l, ahead));
            list = low_append(list, ahead ? within(w, it, s) : s);
        }
    }
    return list;
}

/* Neighbours of one iteration share a condition. */
typedef struct Run Run;
struct Run { Stmt *some; int ahead; uint32_t next; };

static void flush(Emit *w, Run *r, Ex base, int step, Stmt **list)
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
    *list = low_append(*list, sure || !r->some ? r->some : within(w, it, r->some));
    *r = (Run){NULL, 0, 0};
}

/* The iteration that a run is for.  Under its condition it lies below the end:
 * a name of its own carries that range. */
static Ex iteration(Emit *w, Run *r, Ex base, int step)
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
static Stmt *step_of(Emit *w, Ex base, int step)
{
    const Pipe *q = w->q;
    Stmt *list = NULL;
    Run r = {NULL, 0, 0};
    w->bound = -1;
    for (int i = 0; i < q->n; i++)
        if (step < 0 || step >= q->unit[i].stage)
            wait_for(w, open_groups(w, i, true), &list);
    for (int i = 0; i < q->n; i++) {
        int ahead = (step < 0 ? q->last : step) - q->unit[i].stage;
        if (ahead >= 0) {
            int n = open_groups(w, i, false);
            if (r.ahead != ahead || n >= 0)
                flush(w, &r, base, step, &list);
            wait_for(w, n, &list);
            r.ahead = ahead;
            r.some = low_append(r.some, instance(w, i, iteration(w, &r, base, step)));
        }
        if (commits(w, i)) {
            flush(w, &r, base, step, &list);
            list = low_append(list, async_op(w, Ocp_async_commit, 0));
            w->bound += w->bound >= 0;
        }
    }
    flush(w, &r, base, step, &list);
    return low_append(list, shifts(w, base, step));
}

/* Around the loop ------------------------------------------------------- */

/* The buffers with slots; one that is also used outside keeps its name there. */
static void make_slots(Pipe *q)
{
    Low *l = q->l;
    for (uint32_t b = 1; b < q->nbuf; b++)
        if (q->versions[b] > 1 && !q->slots[b] && l->p->buf[b].scope == SCshared)
            q->slots[b] = pipe_slotted(l, b, q->versions[b], &q->before);
}

/* What a producer loads is never read behind its loop: roles_plan.c saw to that. */
static bool comes_back(const Pipe *q, uint32_t b)
{
    return q->slots[b] && q->versions[b] > 1 && !low_buf(q->l, q->slots[b])->ring &&
           pipe_live_out(q, b);
}

/* Where not every iteration writes a tile that is read behind the loop, a variable
 * knows the last slot written, -1: none. */
static void keep_last(Emit *w)
{
    Pipe *q = w->q;
    Low *l = w->l;
    Prog *p = l->p;
    uint32_t n = q->nbuf;
    w->last = anew(&p->ctx, n * sizeof *w->last);
    w->marks = anew(&p->ctx, n * sizeof *w->marks);
    for (uint32_t b = 1; b < n; b++) {
        Ex one = low_i(l, 1);
        if (!comes_back(q, b) || !pipe_under(q, b))
            continue;
        while (!(pipe_touches(l, q->unit[w->marks[b]].s, true, b) & EFwrite))
            w->marks[b]++;
        w->last[b] = p_buf(p, SCvar, DTi32, afmt(&p->ctx, "%s_last", p->buf[b].name), &one, NULL,
                           1);
        p->buf[w->last[b]].loc = q->loop->loc;
        Stmt *s = pipe_alloc(l, w->last[b], q->loop->loc);
        s->alloc.init = low_i(l, -1);
        q->before = low_append(q->before, s);
    }
}

/* What is read behind the loop comes back from its last slot. */
static Stmt *bring_back(Emit *w)
{
    Pipe *q = w->q;
    Low *l = w->l;
    Prog *p = l->p;
    Stmt *list = NULL;
    Ex zero = low_i(l, 0), trip = x_bin(p, Xsub, w->hi, w->lo);
    for (uint32_t b = 1; b < q->nbuf; b++) {
        if (!comes_back(q, b))
            continue;
        Stmt *s = pipe_op(l, Ocopy, q->loop->loc);
        Ex ran = x_bin(p, Xlt, w->lo, w->hi);
        Ex slot = low_mod(l, low_add(l, trip, low_i(l, -1)), q->versions[b]);
        if (w->last[b]) {
            slot = x_load(p, w->last[b], &zero, 1);
            ran = x_bin(p, Xle, zero, slot);
        }
        s->op.r[0] = r_whole(p, q->slots[b]);
        s->op.r[0].min[0] = slot;
        s->op.r[0].extent[0] = low_i(l, 1);
        s->op.r[1] = r_whole(p, b);
        low_note(l, E_pipe_after, q->loop, p->buf[b].name);
        list = low_append(list, pipe_if(l, ran, s));
    }
    return list;
}

/* The allocations of buffers that nothing uses any more. */
typedef struct Unused Unused;
struct Unused { const bool *gone; uint32_t n; };

static Stmt *unused(Low *l, Stmt *s, bool *into, void *ud)
{
    const Unused *u = ud;
    (void)l;
    (void)into;
    return s->kind == Salloc && s->alloc.buf < u->n && u->gone[s->alloc.buf] ? NULL : s;
}

static void drop_unused(Pipe *q)
{
    Low *l = q->l;
    bool *gone = anew(&l->p->ctx, q->nbuf * sizeof *gone);
    Unused u = {gone, q->nbuf};
    for (uint32_t b = 1; b < q->nbuf; b++)
        gone[b] = q->slots[b] && !pipe_outside(q, b);
    low_rewrite(l, &q->before, unused, &u);
    low_rewrite(l, &l->launch->launch.body, unused, &u);
}

Stmt *pipe_emit(Pipe *q)
{
    Low *l = q->l;
    Stmt *loop = q->loop, *list = NULL;
    Emit w = {.q = q, .l = l, .lo = loop->loop.lo[0], .hi = loop->loop.hi[0], .bound = -1};
    make_slots(q);
    keep_last(&w);
    plan_shifts(&w);
    number_groups(&w);
    for (int t = 0; t < q->last; t++)
        list = low_append(list, step_of(&w, w.lo, t));
    Stmt *body = step_of(&w, x_var(l->p, loop->loop.var[0]), -1);
    Stmt *back = bring_back(&w);
    drop_unused(q);
    loop->loop.body = body;
    loop->next = NULL;
    pipe_serial(loop);
    list = low_append(low_append(q->before, list), loop);
    return low_append(list, back);
}
