/* core/lower/pipe/plan.c: which statement of a pipelined loop runs in which
 * stage.
 *
 * Without lists of the user: copies that may run ahead are stage 0, all else is
 * stage S - 1; copies that no instruction moves by itself go through registers,
 * one step ahead (loaded before the step's work, stored behind it). */
#include <string.h>

#include "core/ir/walk.h"
#include "pipeline.h"
#include "err/lower.h"
#include "err/pipes.h"

#define NUM(v) afmt(&l->p->ctx, "%lld", (long long)(v))

/* Units ----------------------------------------------------------------- */

static bool global_to_shared(const Low *l, const Stmt *s)
{
    const Prog *p = l->p;
    return s->kind == Sop && s->op.op == Ocopy && p->buf[s->op.r[0].buf].scope == SCglobal &&
           p->buf[s->op.r[1].buf].scope == SCshared;
}

static bool finds_copy(Stmt *s, void *ud)
{
    return !global_to_shared(ud, s);
}

/* `if c then a; b end` as `if c then a end; if c then b end`, so that each can
 * have a stage of its own; only where c keeps its value and the branch binds
 * no names. */
static Stmt *split_if(Low *l, Stmt *s, const Stmt *body)
{
    if (!low_stable(l, s->cond.cond, body) || s->cond.els || !s->cond.then ||
        !s->cond.then->next || stmt_walk(s->cond.then, finds_copy, l))
        return s;
    for (const Stmt *k = s->cond.then; k; k = k->next)
        if (k->kind == Slet || k->kind == Salloc || k->kind == Sbreak || k->kind == Scontinue)
            return s;
    Stmt *list = NULL, **at = &list;
    for (Stmt *k = s->cond.then, *next; k; k = next) {
        next = k->next;
        k->next = NULL;
        Stmt *one = anew(&l->p->ctx, sizeof *one);
        *one = *s;
        one->next = NULL;
        one->cond.then = k;
        *at = one;
        at = &one->next;
    }
    return list;
}

/* Allocations move in front of the loop; lets that keep their value are put
 * in place of their names. */
typedef struct LoopCut LoopCut;
struct LoopCut {
    Pipe *q;
    LowNew *let; uint32_t n, cap; /* values of lets that are gone */
    uint32_t *keeps, mine;        /* of each Var: a let of the body that keeps its value all the
                                   * iteration is marked so */
};

/* Asked while the body is still one list: as it is rewritten it comes apart. */
static void find_keepers(LoopCut *c)
{
    Low *l = c->q->l;
    const Stmt *body = c->q->loop->loop.body;
    for (const Stmt *s = body; s; s = s->next)
        if (s->kind == Slet && low_stable(l, l->p->var[s->let.var].value, body))
            c->keeps[s->let.var] = c->mine;
}

static void hoist_alloc(LoopCut *c, Stmt *s, Stmt **stays)
{
    Low *l = c->q->l;
    Ex init = s->alloc.init;
    *stays = NULL;
    if (init) {
        Stmt *k = anew(&l->p->ctx, sizeof *k);
        k->kind = Sstore;
        k->loc = s->loc;
        k->store.buf = s->alloc.buf;
        k->store.value = init;
        for (int d = 0; d < l->p->buf[s->alloc.buf].ndim; d++)
            k->store.idx[d] = low_i(l, 0);
        *stays = k;
        s->alloc.init = 0;
    }
    s->next = NULL;
    c->q->before = low_append(c->q->before, s);
}

static Stmt *pipe_plan_cut(Low *l, Stmt *s, bool *into, void *ud)
{
    LoopCut *c = ud;
    Stmt *stays;
    low_vars(l, s, c->let, (int)c->n);
    *into = false;
    if (s->kind == Salloc) {
        hoist_alloc(c, s, &stays);
        return stays;
    }
    if (s->kind == Slet && c->keeps[s->let.var] == c->mine) {
        agrow(&l->p->ctx, &c->let, &c->cap, c->n + 1, sizeof *c->let);
        c->let[c->n++] = (LowNew){s->let.var, l->p->var[s->let.var].value};
        return NULL;
    }
    return s;
}

/* What flat_listed() put into blocks, out of them where it still is one statement; false, with a note:
 * that is not what the lists are about. */
static bool listed_entries(Pipe *q, Stmt **at)
{
    const Prog *p = q->l->p;
    uint32_t n = 0, want = q->loop->loop.norder ? q->loop->loop.norder : q->loop->loop.nstage;
    int64_t always;
    for (; *at; at = &(*at)->next, n++) {
        Stmt *s = *at, *one = s->kind == Sif && !s->cond.els ? s->cond.then : NULL;
        if (!one || one->next || !x_isint(p, s->cond.cond, &always) || !always)
            continue;
        one->next = s->next;
        *at = one;
    }
    if (n != want)
        low_note(q->l, E_pipe_entries, q->loop, afmt(&q->l->p->ctx, "%u", n),
                 afmt(&q->l->p->ctx, "%u", want));
    return n == want;
}

bool pipe_units(Pipe *q)
{
    Low *l = q->l;
    Stmt **at = &q->loop->loop.body;
    bool listed = q->loop->loop.norder || q->loop->loop.nstage;
    if (stmt_leaves(*at)) {
        diag(&l->p->ctx, E_pipe_jump, q->loop->loc, NULL);
        return false;
    }
    if (listed && !listed_entries(q, at))
        return false;
    LoopCut c = {.q = q};
    c.keeps = low_marks(l, &c.mine);
    find_keepers(&c);
    low_rewrite(l, at, pipe_plan_cut, &c);
    for (Stmt **k = at; *k && !listed; k = &(*k)->next)
        if ((*k)->kind == Sif) {
            Stmt *next = (*k)->next;
            *k = split_if(l, *k, *at);
            while ((*k)->next && (*k)->next != next)
                k = &(*k)->next;
            (*k)->next = next;
        }
    for (Stmt *s = *at; s; s = s->next) {
        agrow(&l->p->ctx, &q->unit, &q->capunit, (uint32_t)q->n + 1, sizeof *q->unit);
        bool let = s->kind == Slet || (s->kind == Satomic && s->atomic.prev);
        q->unit[q->n] = (Unit){.s = s, .let = let, .user = q->n, .rank = 2 * q->n};
        q->n++;
    }
    for (int i = 0; i < q->n; i++) /* from here on lists of one */
        q->unit[i].s->next = NULL;
    *at = NULL;
    for (int i = q->n; i-- > 0;) { /* the questions of deps.c look at the body, too */
        Stmt *k = anew(&l->p->ctx, sizeof *k);
        *k = *q->unit[i].s;
        k->next = *at;
        *at = k;
    }
    return true;
}

/* Loads ----------------------------------------------------------------- */

typedef struct Movable Movable;
struct Movable {
    const Pipe *q;
    bool ok, any;
    const char *why; /* a condition that failed, as text */
};

static bool stable_one(void *ud, Ex e)
{
    Movable *m = ud;
    if (!low_touched_stable(m->q->body, e)) {
        m->ok = false;
        m->why = afmt(&m->q->l->p->ctx, "`%s`", low_text(m->q->l, e));
    }
    return m->ok;
}

/* Copies from global to shared under loops and conditions, all of whose
 * expressions keep their value. */
static void movable(Movable *m, const Stmt *s)
{
    Low *l = m->q->l;
    Stmt *b[2];
    for (; s && m->ok; s = s->next) {
        if (global_to_shared(l, s)) {
            m->any = true;
            m->ok = !(low_touched_how(m->q->body, buf_root(l->p, s->op.r[0].buf)) & FXwrite);
            if (!m->ok)
                m->why = afmt(&l->p->ctx, "`%s`", l->p->buf[s->op.r[0].buf].name);
        } else if (!(s->kind == Sif ||
                     (s->kind == Sfor && (s->loop.kind == Fserial || s->loop.kind == Funroll)))) {
            m->ok = false;
        }
        if (m->ok)
            stmt_exprs(l->p, s, stable_one, m);
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            movable(m, b[i]);
    }
}

/* The buffers that unit u writes, each once. */
typedef struct WrittenByLoop WrittenByLoop;
struct WrittenByLoop { Ctx *c; uint32_t *buf, n, cap; };

static bool written_one(void *ud, const MemEffect *e)
{
    WrittenByLoop *w = ud;
    if (e->mode & FXwrite) {
        for (uint32_t i = 0; i < w->n; i++)
            if (w->buf[i] == e->root)
                return true;
        agrow(w->c, &w->buf, &w->cap, w->n + 1, sizeof *w->buf);
        w->buf[w->n++] = e->root;
    }
    return true;
}

static bool pipe_plan_uses_let(Pipe *q, const Unit *u);
static void pipe_plan_bound(Pipe *q);

/* The loads of b come before all else that touches it, and write no element twice:
 * they run in any order then, and before the rest. */
static bool loads_first(Pipe *q, uint32_t b)
{
    int all, n = 0, last = -1, user = INT32_MAX;
    const PipeTouch *t = pipe_touching(q, b, &all);
    Stmt **list = anew(&q->l->p->ctx, ((size_t)all + 1) * sizeof *list);
    for (int i = 0; i < all; i++) {
        const Unit *u = &q->unit[t[i].unit];
        if (u->load) {
            list[n++] = u->s;
            last = u->rank > last ? u->rank : last;
        } else {
            user = u->rank < user ? u->rank : user;
        }
    }
    return last < user && low_writes_once(q->l, list, n, b);
}

/* Why unit i's buffer cannot have stages, or NULL. */
static const char *pipe_plan_unfit(Pipe *q, uint32_t b)
{
    Low *l = q->l;
    const char *name = l->p->buf[b].name;
    if (!pipe_views_staged(l, b))
        return afmt(&l->p->ctx, "view `%s`", name);
    int n;
    const PipeTouch *t = pipe_touching(q, b, &n);
    for (int i = 0; i < n; i++)
        if (!q->unit[t[i].unit].load && pipe_touches(q, t[i].unit, b) & FXwrite)
            return afmt(&l->p->ctx, "`%s`: %u", name, (unsigned)q->unit[t[i].unit].s->loc.line);
    if (!pipe_fresh(q, b) || !loads_first(q, b))
        return afmt(&l->p->ctx, "`%s`", name);
    return NULL;
}

/* Does something in the loop use buffer b of a load?  Who does waits for the
 * copies; where nobody does they stay in their place. */
static bool awaited(Pipe *q, uint32_t b)
{
    int n;
    const PipeTouch *t = pipe_touching(q, b, &n);
    for (int i = 0; i < n; i++)
        if (!q->unit[t[i].unit].load)
            return true;
    return false;
}

/* A parallel loop that stores values made of global memory alone to one shared
 * buffer. */
static bool gathers(const Pipe *q, const Stmt *s)
{
    const Low *l = q->l;
    const Stmt *k = s->kind == Sfor && s->loop.kind == Fparallel ? s->loop.body : NULL;
    if (!k || k->next || k->kind != Sstore || l->p->buf[k->store.buf].scope != SCshared)
        return false;
    Movable m = {q, true, false, NULL};
    stmt_exprs(l->p, k, stable_one, &m);
    stmt_exprs(l->p, s, stable_one, &m);
    return m.ok && low_accesses(l, k, false, k->store.buf) == FXwrite;
}

/* Can load u have stages, and is there a use for them? */
static bool runs_ahead(Pipe *q, const Unit *u)
{
    Low *l = q->l;
    WrittenByLoop w = {.c = &l->p->ctx};
    block_effects(l->p, u->s, true, written_one, &w);
    for (uint32_t k = 0; k < w.n; k++) {
        const char *why = pipe_plan_unfit(q, w.buf[k]);
        if (why) {
            low_note(l, E_pipe_reuse, u->s, why);
            return false;
        }
    }
    for (uint32_t k = 0; k < w.n; k++)
        if (awaited(q, w.buf[k]))
            return true;
    low_note(l, E_pipe_unread, u->s, l->p->buf[w.buf[0]].name);
    return false;
}

void pipe_loads(Pipe *q)
{
    Low *l = q->l;
    q->body = low_touched(l, q->loop->loop.body);
    pipe_plan_bound(q);
    for (int i = 0; i < q->n; i++) {
        Unit *u = &q->unit[i];
        Movable m = {q, true, false, NULL};
        if (u->s->kind == Sfor && u->s->loop.kind == Fparallel) {
            u->load = gathers(q, u->s) && !pipe_plan_uses_let(q, u);
            continue;
        }
        movable(&m, u->s);
        u->load = m.ok && m.any && !pipe_plan_uses_let(q, u);
        if (m.any && !m.ok && m.why)
            low_note(l, E_pipe_source, u->s, m.why);
    }
    for (bool again = true; again;) { /* one that fails takes others along */
        again = false;
        for (int i = 0; i < q->n; i++) {
            Unit *u = &q->unit[i];
            if (u->load && !runs_ahead(q, u)) {
                u->load = false;
                again = true;
            }
        }
    }
}

/* Names bound by units that stay in place. */
static bool bound_one(void *ud, Ex e)
{
    const Pipe *q = ud;
    const Expr *x = &q->l->p->ex[e];
    return x->op == Xvar && q->bound[x->sym];
}

static bool names_one(void *ud, Ex e)
{
    const Pipe *q = ud;
    return !q->bound || !ex_any_let(q->l->p, e, bound_one, ud);
}

static void pipe_plan_bound(Pipe *q)
{
    const Prog *p = q->l->p;
    q->bound = NULL;
    for (int i = 0; i < q->n; i++) {
        const Stmt *s = q->unit[i].s;
        if (!q->unit[i].let)
            continue;
        if (!q->bound)
            q->bound = anew(&q->l->p->ctx, p->nvar * sizeof *q->bound);
        q->bound[s->kind == Slet ? s->let.var : s->atomic.prev] = true;
    }
}

static bool pipe_plan_names(Pipe *q, const Stmt *s)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        if (!stmt_exprs(q->l->p, s, names_one, q))
            return true;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            if (pipe_plan_names(q, b[i]))
                return true;
    }
    return false;
}

static bool pipe_plan_uses_let(Pipe *q, const Unit *u) { return pipe_plan_names(q, u->s); }

/* Stages ---------------------------------------------------------------- */

static const Stmt *pipe_plan_first_copy(const Low *l, const Stmt *s)
{
    while (s && !global_to_shared(l, s)) {
        Stmt *b[2];
        s = stmt_blocks(s, b) ? b[0] : s->next;
    }
    return s;
}

/* Sets the plan of each copy of an asynchronous unit. */
static bool set_async(Stmt *s, void *ud)
{
    Low *l = ud;
    if (global_to_shared(l, s)) {
        CopyPlan *k = anew(&l->p->ctx, sizeof *k);
        *k = (CopyPlan){.how = CPasync, .commit = true};
        s->op.copy = k;
    }
    return true;
}

static bool keep_sync(Stmt *s, void *ud)
{
    if (global_to_shared(ud, s))
        s->op.copy = NULL; /* a plain parallel loop */
    return true;
}

typedef struct AskAsync AskAsync;
struct AskAsync { Low *l; const char *why; bool ok; };

static bool pipe_plan_ask_async(Stmt *s, void *ud)
{
    AskAsync *a = ud;
    if (global_to_shared(a->l, s))
        a->ok = select_async(a->l, s, &a->why);
    return a->ok;
}

/* Can load u go by cp.async?  What stands in the way goes to a note. */
static bool goes_async(Pipe *q, const Unit *u)
{
    Low *l = q->l;
    AskAsync a = {l, NULL, true};
    if (pipe_plan_first_copy(l, u->s) == NULL) {
        a.ok = select_gather(l, u->s, &a.why);
        if (!a.ok && a.why)
            low_note(l, E_copy_plain, u->s, "cp.async", a.why);
        return a.ok;
    }
    stmt_walk(u->s, pipe_plan_ask_async, &a);
    if (!a.ok)
        low_note(l, E_copy_plain, u->s, "cp.async", a.why ? a.why : l->m->name);
    return a.ok;
}

/* Another unit that writes what load u does, in another way; NULL: there is none. */
static const Unit *other_way(Pipe *q, const Unit *u)
{
    WrittenByLoop w = {.c = &q->l->p->ctx};
    block_effects(q->l->p, u->s, true, written_one, &w);
    const Unit *first = NULL;
    for (uint32_t i = 0; i < w.n; i++) {
        int n;
        const PipeTouch *t = pipe_touching(q, w.buf[i], &n);
        for (int j = 0; j < n; j++) {
            const Unit *k = &q->unit[t[j].unit];
            if (k != u && (!k->load || k->async != u->async) && (!first || k < first) &&
                pipe_touches(q, t[j].unit, w.buf[i]) & FXwrite)
                first = k;
        }
    }
    return first;
}

/* A tile that some loads bring by cp.async and others through registers would be written in two stages: its
 * loads stay where they are. */
static void same_ways(Pipe *q)
{
    for (bool again = true; again;) {
        again = false;
        for (Unit *u = q->unit; u < q->unit + q->n; u++) {
            const Unit *k = u->load ? other_way(q, u) : NULL;
            if (!k)
                continue;
            low_note(q->l, E_pipe_reuse, u->s, afmt(&q->l->p->ctx, "%u", (unsigned)k->s->loc.line));
            u->load = u->async = false;
            again = true;
        }
    }
}

/* Decides how each load travels. */
static void choose_transport(Pipe *q)
{
    Low *l = q->l;
    for (int i = 0; i < q->n; i++)
        q->unit[i].async = q->unit[i].load && goes_async(q, &q->unit[i]);
    same_ways(q);
    for (Unit *u = q->unit; u < q->unit + q->n; u++) {
        if (!u->load)
            continue;
        if (pipe_plan_first_copy(l, u->s))
            stmt_walk(u->s, u->async ? set_async : keep_sync, l);
        else if (u->async)
            u->s = gather_async(l, u->s);
        u->does = NULL;
    }
}

/* Bytes of registers that a thread may give to a copy on its way. */
enum { StageBytes = 128 };

/* A load split in two: global -> fragment (the unit, which keeps its place) and
 * fragment -> shared (returned); false when that is too large or not one
 * statement. */
static bool stage_registers(Pipe *q, Unit *u, Unit *store)
{
    Low *l = q->l;
    Prog *p = l->p;
    Stmt *s = u->s, **in = &u->s;
    int64_t elems = 1, v;
    Ex shape[MaxDim];
    int n = 0;
    while (s->kind == Sif && !s->cond.els && s->cond.then && !s->cond.then->next) {
        in = &s->cond.then;
        s = *in;
    }
    bool parloop = s->kind == Sfor && s->loop.kind == Fparallel;
    if (!parloop && !global_to_shared(l, s))
        return false;
    uint32_t dst = parloop ? s->loop.body->store.buf : s->op.r[1].buf;
    for (int d = 0; d < (parloop ? s->loop.n : p->buf[dst].ndim); d++) {
        Ex e = parloop ? x_bin(p, Xsub, s->loop.hi[d], s->loop.lo[d]) : s->op.r[1].extent[d];
        if (!x_isint(p, e, &v) || (parloop && s->loop.step))
            return false;
        elems *= v;
        if (parloop || v != 1)
            shape[n++] = e;
    }
    if (n == 0)
        shape[n++] = low_i(l, 1);
    int64_t bytes = (elems * dtypeinfo[p->buf[dst].dt].bits + 7) / 8;
    if (bytes > (int64_t)StageBytes * l->threads) {
        low_note(l, E_pipe_registers, u->s, NUM(bytes / l->threads), NUM(StageBytes));
        return false;
    }
    uint32_t f = p_buf(p, SCfragment, (enum Dtype)p->buf[dst].dt,
                       afmt(&p->ctx, "%s_next", p->buf[dst].name), shape, NULL, n);
    p->buf[f].loc = s->loc;
    q->before = low_append(q->before, low_alloc(l, f, s->loc));
    *store = (Unit){.s = low_clone(l, u->s), .user = -1, .rank = u->rank + 1};
    Stmt *k = store->s;
    while (k->kind == Sif)
        k = k->cond.then;
    if (parloop) {
        low_renew(l, store->s);
        Stmt *a = s->loop.body, *b = k->loop.body;
        Ex idx[MaxDim];
        a->store.buf = f;
        for (int d = 0; d < n; d++) {
            a->store.idx[d] = x_bin(p, Xsub, x_var(p, s->loop.var[d]), s->loop.lo[d]);
            idx[d] = x_bin(p, Xsub, x_var(p, k->loop.var[d]), k->loop.lo[d]);
        }
        b->store.value = x_load(p, f, idx, n);
    } else {
        s->op.r[1] = r_whole(p, f);
        k->op.r[0] = r_whole(p, f);
        k->op.copy = s->op.copy = NULL;
    }
    return true;
}

/* Loads first, in one group; registers' stores behind everything. */
static void standard(Pipe *q)
{
    Ctx *c = &q->l->p->ctx;
    Unit *u = NULL, *tail = anew(c, ((size_t)q->n + 1) * sizeof *tail);
    uint32_t cap = 0;
    agrow(c, &u, &cap, 2 * (uint32_t)q->n + 1, sizeof *u);
    int n = 0, nt = 0, s = q->loop->loop.num_stages;
    q->last = s - 1;
    for (int i = 0; i < q->n; i++)
        if (q->unit[i].load && q->unit[i].async && s > 1) {
            u[n] = q->unit[i];
            u[n++].stage = 0;
        }
    for (int i = 0; i < q->n; i++) {
        Unit *k = &q->unit[i];
        Unit store;
        if (s > 1 && k->load && !k->async && stage_registers(q, k, &store)) {
            store.stage = s - 2;
            tail[nt++] = store;
            u[n] = *k;
            u[n].load = false;
            u[n++].stage = s - 2;
            k->stage = -1; /* placed */
        }
    }
    for (int i = 0; i < q->n; i++) {
        Unit *k = &q->unit[i];
        if ((k->load && k->async && s > 1) || k->stage == -1)
            continue;
        u[n] = *k;
        u[n++].stage = q->last;
    }
    for (int i = 0; i < nt; i++)
        u[n++] = tail[i];
    int first = q->last;
    for (int i = 0; i < n; i++)
        first = u[i].stage < first ? u[i].stage : first;
    for (int i = 0; i < n; i++)
        u[i].stage -= first;
    q->last -= first;
    q->unit = u;
    q->capunit = cap;
    q->n = n;
    pipe_forget(q);
}

/* The user's lists; entries below 0 are the compiler's choice. */
static void pipe_plan_listed(Pipe *q)
{
    const Stmt *s = q->loop;
    int *key = anew(&q->l->p->ctx, ((size_t)q->n + 1) * sizeof *key), top = 0;
    bool stages = s->loop.nstage > 0;
    for (int i = 0; i < q->n; i++) {
        Unit *u = &q->unit[i];
        int given = stages && u->user >= 0 && (uint32_t)u->user < s->loop.nstage
                        ? s->loop.stage[u->user] : -1;
        if (given < 0)
            given = u->load && s->loop.num_stages > 1 ? 0
                    : s->loop.num_stages > 1 ? s->loop.num_stages - 1 : 0;
        u->stage = given;
        top = given > top ? given : top;
        key[i] = s->loop.norder && u->user >= 0 && (uint32_t)u->user < s->loop.norder &&
                         s->loop.order[u->user] >= 0
                     ? s->loop.order[u->user] : i;
    }
    q->last = top;
    for (int i = 0; i < q->n; i++)
        if (q->unit[i].let)
            q->unit[i].stage = top;
    for (int i = 1; i < q->n; i++) /* stable: insertion */
        for (int k = i; k > 0 && key[k] < key[k - 1]; k--) {
            Unit u = q->unit[k];
            int v = key[k];
            q->unit[k] = q->unit[k - 1];
            key[k] = key[k - 1];
            q->unit[k - 1] = u;
            key[k - 1] = v;
        }
    pipe_forget(q);
}

bool pipe_schedule(Pipe *q)
{
    Low *l = q->l;
    const Stmt *s = q->loop;
    bool lists = s->loop.norder || s->loop.nstage;
    bool any = false;
    if (s->loop.num_stages < 1 && !lists)
        return false;
    choose_transport(q);
    for (int i = 0; i < q->n; i++)
        any |= q->unit[i].load;
    if (lists) {
        pipe_plan_listed(q);
        return true;
    }
    if (!any && !q->split) {
        diag(&l->p->ctx, E_pipe_none, s->loc, NULL);
        return false;
    }
    if (s->loop.spare)
        low_note(l, E_pipe_spare, s, NUM(s->loop.num_stages - 1), NUM(s->loop.num_stages));
    standard(q);
    return true;
}
