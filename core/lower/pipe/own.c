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
#include <stdlib.h>

#include "core/ir/eval.h"
#include "core/ir/walk.h"
#include "pipeline.h"
#include "err/pipes.h"

/* An arrival or a wait in the loop, and how many threads come to it; step: its number. */
typedef struct OwnPhase { uint32_t buf; Stmt *s; int threads, step; } OwnPhase;
typedef struct OwnInit { uint32_t buf; const Stmt *s; int order; } OwnInit;

typedef struct OwnLook OwnLook;
struct OwnLook {
    Low *l;
    Stmt *loop;
    OwnSteps *o;
    Pipe q;              /* statements of the body, each alone */
    Pipe steps;          /* those of its roles, each alone in its role: in an order that the waits have */
    int *unit;           /* ... of each, by the text: its number in q, */
    int *chain, *nth;    /* ... its threads, and how many steps of theirs come before it, */
    int *clock;          /* ... of each chain: so many steps come before it */
    const Stmt **threads; int nchain; /* a step of each */
    OwnPhase *phase; uint32_t nphase, capphase; /* arrivals and waits, by mbarrier */
    OwnInit *init; uint32_t ninit, capinit;     /* where mbarriers are made, likewise */
    uint32_t inside;     /* an mbarrier that is made in the loop, or 0 */
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
    for (int i = 0; s->kind == Sop && i < MaxRegion; i++) {
        uint32_t b = s->op.r[i].buf;
        if (!b || k->l->p->buf[b].scope != SCbarrier)
            continue;
        if (s->op.op == Ombar_init)
            k->inside = b;
        else
            own_add(k->l, &k->o->bar, &k->o->nbar, &k->o->capbar, b);
    }
    return true;
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

static int own_by_phase(const void *x, const void *y)
{
    const OwnPhase *a = x, *b = y;
    return a->buf != b->buf ? (a->buf > b->buf) - (a->buf < b->buf) : a->step - b->step;
}

static int own_by_init(const void *x, const void *y)
{
    const OwnInit *a = x, *b = y;
    return a->buf != b->buf ? (a->buf > b->buf) - (a->buf < b->buf) : a->order - b->order;
}

/* The first of mbarrier `bar`. */
static const OwnPhase *own_phases(const OwnLook *k, uint32_t bar)
{
    return k->phase + pipe_first(k->phase, k->nphase, sizeof *k->phase, bar);
}

static const OwnInit *own_inits(const OwnLook *k, uint32_t bar)
{
    return k->init + pipe_first(k->init, k->ninit, sizeof *k->init, bar);
}

static void own_find_inits(OwnLook *k)
{
    int n = 0;
    for (const Stmt *s = k->l->launch->launch.body; s; s = s->next)
        if (s->kind == Sop && s->op.op == Ombar_init) {
            agrow(&k->l->p->ctx, &k->init, &k->capinit, k->ninit + 1, sizeof *k->init);
            k->init[k->ninit++] = (OwnInit){s->op.r[0].buf, s, n++};
        }
    if (k->ninit)
        qsort(k->init, k->ninit, sizeof *k->init, own_by_init);
}

/* Arrivals that a phase of element `at` waits for; 0: not known.  */
static int64_t own_count(const OwnLook *k, uint32_t bar, int64_t at)
{
    const Prog *p = k->l->p;
    int64_t count = 0, here;
    for (const OwnInit *i = own_inits(k, bar); i < k->init + k->ninit && i->buf == bar; i++)
        if (x_isint(p, i->s->op.r[0].min[0], &here) && here == at && !x_isint(p, i->s->op.value, &count))
            return 0;
    return count;
}

/* Does anything but what makes it name mbarrier `bar` outside of the loop? */
static bool own_elsewhere(const OwnLook *k, uint32_t bar)
{
    int64_t made = 0;
    for (const OwnInit *i = own_inits(k, bar); i < k->init + k->ninit && i->buf == bar; i++)
        made++;
    return low_uses_of(k->l, bar) != made;
}

/* mbarrier `bar`, of n elements, has one phase an iteration in each, which is waited for in turn. */
static bool own_in_turn(OwnLook *k, uint32_t bar, int64_t n)
{
    const Prog *p = k->l->p;
    int64_t *came = anew(&k->l->p->ctx, (size_t)n * sizeof *came), at, first, block;
    for (const OwnPhase *f = own_phases(k, bar); f < k->phase + k->nphase && f->buf == bar; f++) {
        const Stmt *s = f->s;
        if (!x_isint(p, s->op.r[0].min[0], &at) || at < 0 || at >= n)
            return false;
        if (s->op.op == Ombar_wait ? !own_alternates(k, s->op.value, &first)
                                   : s->op.op != Ombar_arrive || !x_isint(p, s->op.value, &block) || block != -1)
            return false;
        came[at] += s->op.op == Ombar_arrive ? f->threads : 0;
    }
    for (int64_t i = 0; i < n; i++)
        if (came[i] == 0 || came[i] != own_count(k, bar, i))
            return false;
    return true;
}

/* How many units touch root buffer b. */
static int own_touching(OwnLook *k, uint32_t b)
{
    int n;
    pipe_touching(&k->q, b, &n);
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

/* The number of the threads that make a step. */
static int own_chain(OwnLook *k, const Stmt *s)
{
    int i = 0;
    for (; i < k->nchain; i++) {
        const Stmt *c = k->threads[i];
        if (c->kind == Srole ? s->kind == Srole && c->role.lo == s->role.lo && c->role.hi == s->role.hi : s->kind != Srole)
            return i;
    }
    uint32_t cap = (uint32_t)i;
    agrow(&k->l->p->ctx, &k->threads, &cap, (uint32_t)i + 1, sizeof *k->threads);
    k->threads[k->nchain++] = s;
    return i;
}

/* The steps by their text. */
static void own_look(OwnLook *k)
{
    Ctx *c = &k->l->p->ctx;
    Pipe *q = &k->steps;
    uint32_t cap[3] = {0};
    int threads, *count = anew(c, ((size_t)k->q.n + 1) * sizeof *count);
    *q = (Pipe){.l = k->l, .loop = k->loop};
    for (int i = 0; i < k->q.n; i++)
        for (Stmt *s = own_body(k->l, k->q.unit[i].s, &threads); s; s = s->next) {
            uint32_t n = (uint32_t)q->n + 1;
            agrow(c, &q->unit, &q->capunit, n, sizeof *q->unit);
            agrow(c, &k->unit, &cap[0], n, sizeof *k->unit);
            agrow(c, &k->chain, &cap[1], n, sizeof *k->chain);
            agrow(c, &k->nth, &cap[2], n, sizeof *k->nth);
            q->unit[q->n] = (Unit){.s = own_alone(k, k->q.unit[i].s, s)};
            k->unit[q->n] = i;
            k->chain[q->n] = own_chain(k, k->q.unit[i].s);
            k->nth[q->n] = count[k->chain[q->n]]++;
            if (own_phase_op(s)) {
                agrow(c, &k->phase, &k->capphase, k->nphase + 1, sizeof *k->phase);
                k->phase[k->nphase++] = (OwnPhase){s->op.r[0].buf, s, threads, q->n};
            }
            q->n++;
        }
    if (k->nphase)
        qsort(k->phase, k->nphase, sizeof *k->phase, own_by_phase);
}

/* Step j comes behind step i and what that comes behind. */
static void own_behind(OwnLook *k, int i, int j)
{
    size_t n = (size_t)k->nchain;
    int *to = k->clock + (size_t)j * n, *from = k->clock + (size_t)i * n;
    for (size_t c = 0; c < n; c++)
        to[c] = from[c] > to[c] ? from[c] : to[c];
    if (k->nth[i] + 1 > to[k->chain[i]])
        to[k->chain[i]] = k->nth[i] + 1;
}

/* Step j waits for what arrives in the same iteration: joins what these come behind; false: one of them,
 * of those that have been gone through (`at` of each chain), has not. */
static bool own_awaits(OwnLook *k, int j, const int *at)
{
    const Prog *p = k->l->p;
    const Stmt *s = k->steps.unit[j].s;
    int64_t first, from, to;
    s = s->kind == Srole ? s->role.body : s;
    if (s->kind != Sop || s->op.op != Ombar_wait || !x_isint(p, s->op.r[0].min[0], &to) ||
        !own_alternates(k, s->op.value, &first) || first)
        return true;
    uint32_t bar = s->op.r[0].buf;
    for (const OwnPhase *f = own_phases(k, bar); f < k->phase + k->nphase && f->buf == bar; f++) {
        if (f->s->op.op != Ombar_arrive || !x_isint(p, f->s->op.r[0].min[0], &from) || from != to)
            continue;
        if (at[k->chain[f->step]] <= k->nth[f->step])
            return false;
        own_behind(k, f->step, j);
    }
    return true;
}

/* Which steps come before which: each chain goes as far as its waits let it, in turn.  False: some wait for
 * each other.  A step's rank is how many come before it. */
static bool own_order(OwnLook *k)
{
    Ctx *c = &k->l->p->ctx;
    Pipe *q = &k->steps;
    size_t n = (size_t)q->n, nc = (size_t)k->nchain;
    int *at = anew(c, (nc + 1) * sizeof *at), *next = anew(c, (n + 1) * sizeof *next);
    int *head = anew(c, (nc + 1) * sizeof *head), *last = anew(c, (nc + 1) * sizeof *last), left = q->n;
    k->clock = anew(c, (n * nc + 1) * sizeof *k->clock);
    for (size_t i = 0; i < nc; i++)
        head[i] = last[i] = -1;
    for (int i = 0; i < q->n; i++) {
        int x = k->chain[i];
        next[i] = -1;
        *(last[x] < 0 ? &head[x] : &next[last[x]]) = i;
        last[x] = i;
    }
    for (size_t i = 0; i < nc; i++)
        last[i] = -1;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t x = 0; x < nc; x++)
            for (int j; (j = head[x]) >= 0 && own_awaits(k, j, at); head[x] = next[j]) {
                if (last[x] >= 0)
                    own_behind(k, last[x], j);
                last[x] = j;
                at[x]++;
                left--;
                moved = true;
            }
    }
    for (int i = 0; i < q->n; i++) {
        q->unit[i].rank = 0;
        for (size_t x = 0; x < nc; x++)
            q->unit[i].rank += k->clock[(size_t)i * nc + x];
    }
    return left == 0;
}

/* Those of one chain that touch a tile, in order; write: the next that writes, of these. */
typedef struct OwnTouch { int step, mode, write; } OwnTouch;

/* Are the steps of t[0 .. n - 1] that step x does not come behind, and that meet it, behind it? */
static bool own_follow(const OwnLook *k, int x, int mode, const OwnTouch *t, int n)
{
    size_t nc = (size_t)k->nchain;
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (k->nth[t[mid].step] < k->clock[(size_t)x * nc + (size_t)k->chain[t[mid].step]])
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < n && !(mode & FXwrite))
        lo = t[lo].write;
    return lo >= n || k->clock[(size_t)t[lo].step * nc + (size_t)k->chain[x]] > k->nth[x];
}

/* Of any two steps of several roles that touch b, one of which writes it, do the waits say which comes first? */
static bool own_ordered(OwnLook *k, uint32_t b)
{
    Ctx *c = &k->l->p->ctx;
    int n, nc = k->nchain;
    const PipeTouch *t = pipe_touching(&k->steps, b, &n);
    OwnTouch *all = anew(c, ((size_t)n + 1) * sizeof *all);
    int *end = anew(c, ((size_t)nc + 2) * sizeof *end), *from = end + 1;
    for (int i = 0; i < n; i++)
        from[k->chain[t[i].unit]]++;
    for (int x = 1; x < nc; x++)
        from[x] += from[x - 1];
    for (int i = n; i-- > 0;) /* from[x]: where chain x begins, when all are there */
        all[--from[k->chain[t[i].unit]]] = (OwnTouch){t[i].unit, pipe_touches(&k->steps, t[i].unit, b), 0};
    from[nc] = n;
    for (int x = 0; x < nc; x++)
        for (int i = from[x + 1], w = from[x + 1] - from[x]; i-- > from[x];)
            all[i].write = w = all[i].mode & FXwrite ? i - from[x] : w;
    for (int i = 0; i < n; i++)
        for (int x = 0; x < nc; x++)
            if (x != k->chain[all[i].step] &&
                !own_follow(k, all[i].step, all[i].mode, all + from[x], from[x + 1] - from[x]))
                return false;
    return true;
}

/* The first that keeps iterations from having places of their own; 0: none. */
static uint32_t own_unfit(OwnLook *k)
{
    Low *l = k->l;
    Prog *p = l->p;
    const OwnSteps *o = k->o;
    int64_t n;
    own_look(k);
    own_find_inits(k);
    if (k->inside)
        return k->inside;
    for (uint32_t i = 0; i < o->nbar; i++) {
        uint32_t b = o->bar[i];
        if (p->buf[b].base || p->buf[b].ndim != 1 || low_buf(l, b)->pipe || !x_isint(p, p->buf[b].shape[0], &n) ||
            n < 1 || !own_in_turn(k, b, n) || own_elsewhere(k, b))
            return b;
    }
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
    stmt_walk(loop->loop.body, own_named, &k);
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

/* Of an mbarrier that has got places: the one with them, how many, its own elements. */
typedef struct OwnMoved { uint32_t to; int n; int64_t size; } OwnMoved;
typedef struct OwnAll OwnAll;
struct OwnAll {
    OwnMoved *bar; uint32_t capbar; /* of a buffer */
    uint32_t *tile, ntile, captile; /* that have got places */
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
    const OwnAll *w = ud;
    Prog *p = l->p;
    uint32_t b = s->kind == Salloc ? s->alloc.buf : s->kind == Sop && s->op.op == Ombar_init ? s->op.r[0].buf : 0;
    *into = false;
    if (b >= w->capbar || !w->bar[b].to)
        return s;
    const OwnMoved *k = &w->bar[b];
    if (s->kind == Salloc) {
        s->alloc.buf = k->to;
        return s;
    }
    Stmt *list = NULL;
    for (int i = 0; i < k->n; i++) {
        Stmt *one = low_clone(l, s);
        one->next = NULL;
        one->op.r[0].buf = k->to;
        one->op.r[0].min[0] = x_bin(p, Xadd, low_i(l, i * k->size), s->op.r[0].min[0]);
        list = low_append(list, one);
    }
    return list;
}

static void own_barriers(OwnPlaces *w, OwnAll *all)
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
        agrow(&p->ctx, &all->bar, &all->capbar, w->bar[i] + 1, sizeof *all->bar);
        all->bar[w->bar[i]] = (OwnMoved){w->to[i], w->n, w->size[i]};
    }
    stmt_walk(w->loop->loop.body, own_place, w);
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

/* The loop with its places, and their allocations in front of it. */
static Stmt *own_apart(Low *l, Stmt *loop, const OwnSteps *o, OwnAll *all)
{
    Prog *p = l->p;
    OwnLook look = {.l = l, .loop = loop};
    Ex nth = x_cast(p, DTi32, x_bin(p, Xsub, x_var(p, loop->loop.var[0]), loop->loop.lo[0]));
    int n = loop->loop.num_stages;
    OwnPlaces w = {.l = l, .loop = loop, .n = n, .nth = nth, .slot = low_mod(l, nth, n), .bar = o->bar,
                   .nbar = o->nbar, .look = &look};
    Stmt *allocs = own_tiles(&w, o);
    own_barriers(&w, all);
    low_serial(loop);
    for (uint32_t i = 0; i < o->ntile; i++) {
        agrow(&p->ctx, &all->tile, &all->captile, all->ntile + 1, sizeof *all->tile);
        all->tile[all->ntile++] = o->tile[i];
    }
    return low_append(allocs, loop);
}

void own_pipes(Low *l)
{
    OwnAll all = {0};
    for (Stmt **at = &l->launch->launch.body; *at; at = &(*at)->next) {
        OwnSteps o;
        Stmt *s = *at;
        if (own_steps(l, s, &o)) {
            low_uses_less(l, s);
            *at = own_apart(l, s, &o, &all);
            for (; *at != s; at = &(*at)->next)
                low_uses_more(l, *at, false);
            low_uses_more(l, s, false);
        } else if (o.unfit) {
            low_note(l, E_pipe_own, s, l->p->buf[o.unfit].name);
        }
    }
    if (!all.capbar)
        return;
    low_rewrite(l, &l->launch->launch.body, own_made, &all);
    low_uses(l);
    low_drop(l, all.tile, all.ntile);
}
