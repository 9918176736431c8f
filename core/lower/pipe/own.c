/* core/lower/pipe/own.c: pipelined loops that the program's own mbarriers keep in step.
 *
 *     for ko in T.Pipelined(n, {num_stages = S}) do
 *       for _ in T.ws(1) do T.barrier_wait(done, (ko + 1) % 2); .. S[..] = ..; T.barrier_arrive(ready) end
 *       for _ in T.ws(0) do T.barrier_wait(ready, ko % 2); .. = S[..]; T.barrier_arrive(done) end
 *     end
 *
 * As in TileLang S stages let the roles run apart: tiles and mbarriers have S places, iteration ko uses
 * place ko % S of all of them, and a wait is for the phase ko // S of its place, or the one before that:
 * what waited for the last iteration waits for the one S before.
 *
 * That is the same program where nothing but tiles goes from one role to another, each iteration writes
 * these anew before it reads them, and each mbarrier has one phase an iteration: a chain of waits that ordered
 * two uses of a tile one iteration apart has exactly one wait for the iteration before; it orders uses S
 * apart now, which are those of one place. What comes before what in an iteration is not what the text says
 * but the waits for that iteration: what no chain of them orders keeps its one place. */
#include "core/ir/eval.h"
#include "core/ir/walk.h"
#include "pipeline.h"
#include "err/pipes.h"

typedef struct OwnLook OwnLook;
struct OwnLook {
    Low *l;
    Stmt *loop;
    OwnSteps *o;
    Pipe q;              /* statements of the body, each alone */
    Pipe steps;          /* those of its roles, each alone in its role: in an order that the waits have */
    int *unit;           /* ... of each, by the text: its number in q */
    bool *before;        /* ... of each two, by the text: the first comes first */
    uint32_t buf; int n; /* what is looked for */
    bool deep;
};

static bool own_phase_op(const Stmt *s)
{
    return s->kind == Sop && (s->op.op == Ombar_arrive || s->op.op == Ombar_wait ||
                              s->op.op == Ombar_arrive_expect || s->op.op == Ocp_async_arrive);
}

static void own_add(Low *l, uint32_t **a, uint32_t *n, uint32_t *cap, uint32_t v)
{
    for (uint32_t i = 0; i < *n; i++)
        if ((*a)[i] == v)
            return;
    agrow(&l->p->ctx, a, cap, *n + 1, sizeof **a);
    (*a)[(*n)++] = v;
}

/* mbarriers that it names. */
static bool own_named(Stmt *s, void *ud)
{
    OwnLook *k = ud;
    for (int i = 0; s->kind == Sop && s->op.op != Ombar_init && i < MaxRegion; i++)
        if (s->op.r[i].buf && k->l->p->buf[s->op.r[i].buf].scope == SCbarrier) {
            own_add(k->l, &k->o->bar, &k->o->nbar, &k->o->capbar, s->op.r[i].buf);
            k->n += s->op.r[i].buf == k->buf;
        }
    return true;
}

static int own_uses_of(OwnLook *k, Stmt *s, uint32_t bar)
{
    k->buf = bar;
    k->n = 0;
    stmt_walk(s, own_named, k);
    return k->n;
}

static bool own_has_phase(Stmt *s, void *ud)
{
    (void)ud;
    return !own_phase_op(s);
}

/* The statements of unit u that all its threads come to, and how many these are. */
static Stmt *own_body(const Low *l, Stmt *u, int *threads)
{
    *threads = u->kind == Srole ? u->role.hi - u->role.lo : l->threads;
    return u->kind == Srole ? u->role.body : u;
}

/* Arrivals and waits stand where all of a role come to them, two roles of which wait. */
static bool own_plain(OwnLook *k)
{
    Stmt *b[2];
    int waiting = 0, threads;
    for (int i = 0; i < k->q.n; i++) {
        Stmt *u = k->q.unit[i].s;
        bool waits = false;
        for (Stmt *s = own_body(k->l, u, &threads); s; s = s->next) {
            waits |= s->kind == Sop && s->op.op == Ombar_wait;
            for (int j = 0, n = stmt_blocks(s, b); j < n; j++)
                if (!stmt_walk(b[j], own_has_phase, NULL))
                    return false;
        }
        waiting += waits && u->kind == Srole;
    }
    return waiting > 1;
}

/* Is e 0 and 1 in turn as the loop runs?  Its value in the first iteration to *first. */
static bool own_alternates(OwnLook *k, Ex e, int64_t *first)
{
    Prog *p = k->l->p;
    uint32_t v = k->loop->loop.var[0];
    int64_t lo, second;
    Eval ev;
    eval_init(&ev, p, 0, 1);
    if (!x_isint(p, k->loop->loop.lo[0], &lo) || eval_period(&ev, e, v) != 2)
        return false;
    eval_residue(&ev, v, lo & 1, 2);
    eval_reset(&ev);
    bool known = eval_one(&ev, e, first);
    eval_residue(&ev, v, (lo + 1) & 1, 2);
    eval_reset(&ev);
    return known && eval_one(&ev, e, &second) && *first + second == 1 && (*first & ~1) == 0;
}

static bool own_init_of(Stmt *s, void *ud)
{
    OwnLook *k = ud;
    k->deep |= s->kind == Sop && s->op.op == Ombar_init && s->op.r[0].buf == k->buf;
    return true;
}

/* Arrivals that a phase of element `at` waits for; 0: not known. */
static int64_t own_count(const OwnLook *k, uint32_t bar, int64_t at)
{
    const Prog *p = k->l->p;
    int64_t count = 0, here;
    for (const Stmt *s = k->l->launch->launch.body; s; s = s->next)
        if (s->kind == Sop && s->op.op == Ombar_init && s->op.r[0].buf == bar &&
            x_isint(p, s->op.r[0].min[0], &here) && here == at && !x_isint(p, s->op.value, &count))
            return 0;
    return count;
}

/* mbarrier `bar`, of n elements, has one phase an iteration in each, which is waited for in turn. */
static bool own_in_turn(OwnLook *k, uint32_t bar, int64_t n)
{
    const Prog *p = k->l->p;
    int64_t *came = anew(&k->l->p->ctx, (size_t)n * sizeof *came), at, first, block;
    int threads;
    for (int i = 0; i < k->q.n; i++)
        for (Stmt *s = own_body(k->l, k->q.unit[i].s, &threads); s; s = s->next) {
            if (!own_phase_op(s) || s->op.r[0].buf != bar)
                continue;
            if (!x_isint(p, s->op.r[0].min[0], &at) || at < 0 || at >= n)
                return false;
            if (s->op.op == Ombar_wait ? !own_alternates(k, s->op.value, &first)
                                       : s->op.op != Ombar_arrive || !x_isint(p, s->op.value, &block) || block != -1)
                return false;
            came[at] += s->op.op == Ombar_arrive ? threads : 0;
        }
    for (int64_t i = 0; i < n; i++)
        if (came[i] == 0 || came[i] != own_count(k, bar, i))
            return false;
    return true;
}

/* How many units touch root buffer b. */
static int own_touching(const OwnLook *k, uint32_t b)
{
    int n = 0;
    for (int i = 0; i < k->q.n; i++)
        n += pipe_touches(&k->q, i, b) != 0;
    return n;
}

static bool own_written(void *ud, const MemEffect *e)
{
    OwnLook *k = ud;
    int scope = k->l->p->buf[e->root].scope;
    if (e->mode & FXwrite && (scope == SCshared || scope == SCglobal) && own_touching(k, e->root) > 1)
        own_add(k->l, &k->o->tile, &k->o->ntile, &k->o->captile, e->root);
    return true;
}

/* Statements of the body as units, each alone. */
static void own_units(OwnLook *k)
{
    k->q = (Pipe){.l = k->l, .loop = k->loop};
    for (Stmt *s = k->loop->loop.body; s; s = s->next) {
        agrow(&k->l->p->ctx, &k->q.unit, &k->q.capunit, (uint32_t)k->q.n + 1, sizeof *k->q.unit);
        Stmt *one = anew(&k->l->p->ctx, sizeof *one);
        *one = *s;
        one->next = NULL;
        k->q.unit[k->q.n] = (Unit){.s = one, .rank = 2 * k->q.n};
        k->q.n++;
    }
}

/* A statement of a role, alone. */
static Stmt *own_alone(OwnLook *k, const Stmt *role, const Stmt *s)
{
    Stmt *one = anew(&k->l->p->ctx, sizeof *one), *in = anew(&k->l->p->ctx, sizeof *in);
    *in = *s;
    in->next = NULL;
    if (role->kind != Srole)
        return in;
    *one = *role;
    one->role.body = in;
    return one;
}

static Stmt *own_inner(const Stmt *step) { return step->kind == Srole ? step->role.body : (Stmt *)(uintptr_t)step; }

/* Does step j wait for what step i arrives at, of the same iteration? */
static bool own_awaits(OwnLook *k, const Stmt *i, const Stmt *j)
{
    int64_t first, at, to;
    return i->kind == Sop && i->op.op == Ombar_arrive && j->kind == Sop && j->op.op == Ombar_wait &&
           i->op.r[0].buf == j->op.r[0].buf && x_isint(k->l->p, i->op.r[0].min[0], &at) &&
           x_isint(k->l->p, j->op.r[0].min[0], &to) && at == to && own_alternates(k, j->op.value, &first) && !first;
}

static bool own_same_threads(const Stmt *a, const Stmt *b)
{
    return a->kind == Srole && b->kind == Srole && a->role.lo == b->role.lo && a->role.hi == b->role.hi;
}

/* The steps by their text, and which of them come before which. */
static void own_look(OwnLook *k)
{
    Ctx *c = &k->l->p->ctx;
    Pipe *q = &k->steps;
    uint32_t cap = 0;
    int threads;
    *q = (Pipe){.l = k->l, .loop = k->loop};
    for (int i = 0; i < k->q.n; i++)
        for (Stmt *s = own_body(k->l, k->q.unit[i].s, &threads); s; s = s->next) {
            agrow(c, &q->unit, &q->capunit, (uint32_t)q->n + 1, sizeof *q->unit);
            agrow(c, &k->unit, &cap, (uint32_t)q->n + 1, sizeof *k->unit);
            q->unit[q->n] = (Unit){.s = own_alone(k, k->q.unit[i].s, s)};
            k->unit[q->n++] = i;
        }
    size_t n = (size_t)q->n;
    k->before = anew(c, (n * n + 1) * sizeof *k->before);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            k->before[i * n + j] = (i < j && own_same_threads(q->unit[i].s, q->unit[j].s)) ||
                                   own_awaits(k, own_inner(q->unit[i].s), own_inner(q->unit[j].s));
    for (size_t m = 0; m < n; m++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; k->before[i * n + m] && j < n; j++)
                k->before[i * n + j] |= k->before[m * n + j];
}

/* Steps that wait for each other have no order; else their rank is one. */
static bool own_order(OwnLook *k)
{
    Pipe *q = &k->steps;
    int n = q->n;
    for (int i = 0; i < n; i++) {
        if (k->before[i * n + i])
            return false;
        q->unit[i].rank = 0;
        for (int j = 0; j < n; j++)
            q->unit[i].rank += k->before[j * n + i];
    }
    return true;
}

/* Of any two steps of several roles that touch b, one of which writes it, do the waits say which comes first? */
static bool own_ordered(const OwnLook *k, uint32_t b)
{
    const Pipe *q = &k->steps;
    int n = q->n;
    for (int i = 0; i < n; i++) {
        int a = pipe_touches(q, i, b);
        for (int j = 0; a && j < i; j++) {
            int o = pipe_touches(q, j, b);
            if (k->unit[i] != k->unit[j] && o && (a | o) & FXwrite && !k->before[i * n + j] && !k->before[j * n + i])
                return false;
        }
    }
    return true;
}

/* The first that keeps iterations from having places of their own; 0: none. */
static uint32_t own_unfit(OwnLook *k)
{
    Low *l = k->l;
    Prog *p = l->p;
    const OwnSteps *o = k->o;
    int64_t n;
    for (uint32_t i = 0; i < o->nbar; i++) {
        uint32_t b = o->bar[i];
        k->buf = b;
        k->deep = false;
        stmt_walk(k->loop->loop.body, own_init_of, k);
        if (k->deep || p->buf[b].base || p->buf[b].ndim != 1 || low_buf(l, b)->pipe ||
            !x_isint(p, p->buf[b].shape[0], &n) || n < 1 || !own_in_turn(k, b, n) ||
            own_uses_of(k, l->launch->launch.body, b) != own_uses_of(k, k->loop->loop.body, b))
            return b;
    }
    own_look(k);
    if (!own_order(k))
        return o->bar[0];
    for (uint32_t i = 0; i < o->ntile; i++)
        if (p->buf[o->tile[i]].scope != SCshared || !pipe_views_staged(l, o->tile[i]) || !own_ordered(k, o->tile[i]) ||
            !pipe_fresh(&k->steps, o->tile[i]) || low_read_behind(l, k->loop, NULL, o->tile[i]))
            return o->tile[i];
    return 0;
}

bool own_steps(Low *l, Stmt *loop, OwnSteps *o)
{
    OwnLook k = {.l = l, .loop = loop, .o = o};
    *o = (OwnSteps){0};
    if (loop->kind != Sfor || loop->loop.kind != Fpipelined || loop->loop.num_stages < 2 ||
        loop->loop.norder || loop->loop.nstage || stmt_leaves(loop->loop.body))
        return false;
    own_units(&k);
    own_uses_of(&k, loop->loop.body, 0);
    if (!o->nbar || !own_plain(&k))
        return false;
    const Stmt *outer = l->launch->launch.body; /* looked for last: there may be thousands of loops */
    while (outer && outer != loop)
        outer = outer->next;
    if (!outer) {
        *o = (OwnSteps){0};
        return false;
    }
    low_uses_less(l, loop);
    for (int i = 0; i < k.q.n; i++)
        block_effects(l->p, k.q.unit[i].s, true, own_written, &k);
    o->unfit = own_unfit(&k);
    low_uses_more(l, loop, false);
    return o->ntile > 0 && !o->unfit;
}

/* Their places ---------------------------------------------------------- */

typedef struct OwnPlaces OwnPlaces;
struct OwnPlaces {
    Low *l;
    Stmt *loop;
    int n;                       /* places */
    Ex nth, slot;                /* iterations before this one, its place */
    const uint32_t *bar; uint32_t nbar;
    uint32_t *to; int64_t *size; /* of each of bar: the one with places, its own elements */
    OwnLook *look;
};

static int own_which(const OwnPlaces *w, uint32_t buf)
{
    for (uint32_t i = 0; i < w->nbar; i++)
        if (w->bar[i] == buf)
            return (int)i;
    return -1;
}

/* mbarriers of a statement in the loop: those of its place. */
static bool own_place(Stmt *s, void *ud)
{
    OwnPlaces *w = ud;
    Low *l = w->l;
    Prog *p = l->p;
    int64_t first = 0;
    CopyPlan *c = s->kind == Sop ? s->op.copy : NULL;
    if (c && own_which(w, c->bar) >= 0)
        c->bar = w->to[own_which(w, c->bar)];
    for (int i = 0; s->kind == Sop && i < MaxRegion; i++) {
        Region *r = &s->op.r[i];
        int k = r->buf ? own_which(w, r->buf) : -1;
        if (k < 0)
            continue;
        if (s->op.op == Ombar_wait && own_alternates(w->look, s->op.value, &first))
            s->op.value = low_mod(l, low_add(l, low_div(l, w->nth, w->n), low_i(l, first)), 2);
        r->buf = w->to[k];
        r->min[0] = low_add(l, low_mul(l, w->slot, w->size[k]), x_cast(p, DTi32, r->min[0]));
    }
    return true;
}

/* Where they are made: S of each. */
static Stmt *own_made(Low *l, Stmt *s, bool *into, void *ud)
{
    OwnPlaces *w = ud;
    Prog *p = l->p;
    int k = s->kind == Salloc ? own_which(w, s->alloc.buf)
            : s->kind == Sop && s->op.op == Ombar_init ? own_which(w, s->op.r[0].buf) : -1;
    *into = false;
    if (k < 0)
        return s;
    if (s->kind == Salloc) {
        s->alloc.buf = w->to[k];
        return s;
    }
    Stmt *list = NULL;
    for (int i = 0; i < w->n; i++) {
        Stmt *one = low_clone(l, s);
        one->next = NULL;
        one->op.r[0].buf = w->to[k];
        one->op.r[0].min[0] = x_bin(p, Xadd, low_i(l, i * w->size[k]), s->op.r[0].min[0]);
        list = low_append(list, one);
    }
    return list;
}

static void own_barriers(OwnPlaces *w)
{
    Low *l = w->l;
    Prog *p = l->p;
    w->to = anew(&p->ctx, w->nbar * sizeof *w->to);
    w->size = anew(&p->ctx, w->nbar * sizeof *w->size);
    for (uint32_t i = 0; i < w->nbar; i++) {
        Buf old = p->buf[w->bar[i]];
        x_isint(p, old.shape[0], &w->size[i]);
        Ex shape = low_i(l, w->n * w->size[i]);
        w->to[i] = p_buf(p, SCbarrier, (enum Dtype)old.dt, old.name, &shape, NULL, 1);
        p->buf[w->to[i]].loc = old.loc;
    }
    stmt_walk(w->loop->loop.body, own_place, w);
    low_rewrite(l, &l->launch->launch.body, own_made, w);
}

/* Tiles and their views; the allocations stand in front of the loop. */
static Stmt *own_tiles(const OwnPlaces *w, const OwnSteps *o)
{
    Low *l = w->l;
    Prog *p = l->p;
    Stmt *allocs = NULL;
    StageOf *m = NULL;
    uint32_t n = 0, cap = 0, most = p->nbuf;
    for (uint32_t b = 1; b < most; b++) { /* by number; a view has a greater one than its root */
        uint32_t root = buf_root(p, b), to = 0;
        bool mine = false;
        for (uint32_t i = 0; i < o->ntile; i++)
            mine |= o->tile[i] == root;
        if (!mine)
            continue;
        for (uint32_t i = 0; i < n; i++)
            to = m[i].buf == root ? m[i].to : to;
        agrow(&p->ctx, &m, &cap, n + 1, sizeof *m);
        m[n++] = (StageOf){b, b == root ? pipe_multi_stage(l, b, w->n, &allocs) : pipe_multi_view(l, b, to, w->n),
                           w->slot};
    }
    pipe_to_stages(l, w->loop->loop.body, true, m, n);
    return allocs;
}

/* Where statement s of the launch hangs. */
static Stmt **own_at(Low *l, const Stmt *s)
{
    Stmt **at = &l->launch->launch.body;
    while (*at != s)
        at = &(*at)->next;
    return at;
}

static void own_apart(Low *l, Stmt *loop, const OwnSteps *o)
{
    Prog *p = l->p;
    OwnLook look = {.l = l, .loop = loop};
    Ex nth = x_cast(p, DTi32, x_bin(p, Xsub, x_var(p, loop->loop.var[0]), loop->loop.lo[0]));
    int n = loop->loop.num_stages;
    OwnPlaces w = {.l = l, .loop = loop, .n = n, .nth = nth, .slot = low_mod(l, nth, n), .bar = o->bar,
                   .nbar = o->nbar, .look = &look};
    Stmt *allocs = own_tiles(&w, o);
    own_barriers(&w);
    low_serial(loop);
    *own_at(l, loop) = low_append(allocs, loop);
}

void own_pipes(Low *l)
{
    for (Stmt *s = l->launch->launch.body, *next; s; s = next) {
        OwnSteps o;
        next = s->next;
        if (own_steps(l, s, &o)) {
            own_apart(l, s, &o);
            low_uses(l);
            low_drop(l, o.tile, o.ntile);
        } else if (o.unfit) {
            low_note(l, E_pipe_own, s, l->p->buf[o.unfit].name);
        }
    }
}
