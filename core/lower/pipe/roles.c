/* core/lower/pipe/roles.c: consumers and a producer.
 *
 * Where the machine has TMA and a pipelined loop loads tiles that TMA can
 * move, the block gets one more warp group.  Its first thread walks the loops
 * and issues the loads; the other warps run the program without them:
 *
 *     role 0..128 "consumers"            role 128..256 "producer"
 *       for i: pipe_wait R[i % S], i       if tid == 128: for i:
 *              ..                            pipe_acquire R[i % S], i
 *              pipe_release R[i % S], i      pipe_commit R[i % S], i bytes=n
 *                                            copy .. (CPtma)
 *
 * Loads with the same first and last reader share a barrier pair.  The number of a use
 * runs on when the loop is repeated: in closed form from the loops around it,
 * else in a variable of each role.  Reference: lowering.md 5.4 to 5.6. */
#include <string.h>

#include "core/ir/eval.h"
#include "core/ir/walk.h"
#include "persist.h"
#include "roles.h"
#include "err/pipes.h"

/* Numbers of uses ------------------------------------------------------- */

/* May e have another value in another iteration of the loop? */
typedef struct Loop Loop;
struct Loop { const Prog *p; const Stmt *s; };

static bool changes_at(void *ud, Ex e)
{
    const Loop *k = ud;
    const Expr *x = &k->p->ex[e];
    if (x->op == Xvar)
        return x->sym == k->s->loop.var[0] || (k->p->var[x->sym].kind == Vlet && !ex_let(k->p, e));
    return x->op == Xload || (x->op == Xcall && !x_pure(k->p, e));
}

/* What lets stand for counts: a block's coordinates are lets of the loop over its tiles. */
static bool changes_within(const Prog *p, Ex e, const Stmt *s)
{
    return ex_any_let(p, e, changes_at, &(Loop){p, s});
}

/* Iterations of the loops around k so far, times its uses each time: 0 when
 * that is no sum of products of their variables, or an iteration may come to its end,
 * or a loop to its own, without k. */
static Ex closed_form(Low *l, const Split *k)
{
    Prog *p = l->p;
    Ex sum = low_i(l, 0);
    for (int d = 0; d < k->depth; d++) {
        const Stmt *s = k->up[d];
        int64_t step = 1;
        if (s->kind != Sfor || s->loop.n != 1 ||
            (s->loop.kind != Fserial && s->loop.kind != Funroll) ||
            (s->loop.step && !x_isint(p, s->loop.step, &step)) || step < 1 ||
            stmt_leaves(s->loop.body) || changes_within(p, k->trip, s))
            return 0;
        for (int i = 0; i < d; i++)
            if (changes_within(p, s->loop.lo[0], k->up[i]) ||
                changes_within(p, s->loop.hi[0], k->up[i]))
                return 0;
        Ex trips = low_div(l, low_add(l, x_bin(p, Xsub, s->loop.hi[0], s->loop.lo[0]),
                                      low_i(l, step - 1)), step);
        Ex at = low_div(l, x_bin(p, Xsub, x_var(p, s->loop.var[0]), s->loop.lo[0]), step);
        sum = x_bin(p, Xadd, x_bin(p, Xmul, sum, trips), at);
    }
    return x_bin(p, Xmul, sum, k->trip);
}

static void number_uses(Roles *r)
{
    Low *l = r->l;
    Prog *p = l->p;
    for (int i = 0; i < r->n; i++) {
        Split *k = &r->split[i];
        Ex zero = low_i(l, 0), one = low_i(l, 1);
        bool on = k->lent || k->like >= 0; /* .. from one loop to the next */
        k->count[0] = k->count[1] = on ? 0 : k->depth ? closed_form(l, k) : zero;
        for (int w = 0; w < 2 && !k->count[w] && k->like >= 0; w++) {
            k->var[w] = r->split[k->like].var[w];
            k->count[w] = r->split[k->like].count[w];
        }
        for (int w = 0; w < 2 && !k->count[w]; w++) {
            const Stmt *s = k->q ? roles_copies(k->q->unit[k->pipe[0].unit[0]].s) : k->s;
            const char *of = p->buf[s->op.r[1].buf].name;
            k->var[w] = p_buf(p, SCvar, DTi32, afmt(&p->ctx, "%s_uses", of), &one, NULL, 1);
            k->count[w] = x_load(p, k->var[w], &zero, 1);
        }
    }
}

/* `uses[0] = uses[0] + trip`, or NULL. */
static Stmt *advance(Low *l, const Split *k, int role)
{
    Prog *p = l->p;
    if (!k->var[role])
        return NULL;
    Stmt *s = anew(&p->ctx, sizeof *s);
    s->kind = Sstore;
    s->loc = k->s->loc;
    s->store.buf = k->var[role];
    s->store.idx[0] = low_i(l, 0);
    s->store.value = x_bin(p, Xadd, k->count[role], x_bin(p, Xmax, k->trip, low_i(l, 0)));
    return s;
}

static Stmt *counters(Roles *r, int role)
{
    Stmt *list = NULL;
    for (int i = 0; i < r->n; i++)
        if (r->split[i].var[role] && r->split[i].like < 0) {
            Stmt *s = low_alloc(r->l, r->split[i].var[role], r->l->launch->loc);
            s->alloc.init = low_i(r->l, 0);
            list = low_append(list, s);
        }
    return list;
}

/* Barrier pairs ----------------------------------------------------------------- */

static Stmt *pipe_op(Low *l, enum Op op, uint32_t pipe, int stages, Ex use, int64_t bytes, Loc loc)
{
    Stmt *s = low_op(l, op, loc);
    s->op.r[0].buf = pipe;
    s->op.r[0].min[0] = low_mod(l, use, stages);
    s->op.r[0].extent[0] = low_i(l, 1);
    s->op.value = use;
    s->op.attr[0] = (int32_t)bytes;
    return s;
}

static uint32_t new_pipe(Low *l, const char *of, int stages, Loc loc, Stmt **allocs)
{
    Prog *p = l->p;
    Ex n = low_i(l, stages);
    uint32_t b = p_buf(p, SCpipe, DTu64, afmt(&p->ctx, "%s_pipe", of), &n, NULL, 1);
    p->buf[b].loc = loc;
    *allocs = low_append(*allocs, low_alloc(l, b, loc));
    return b;
}

/* Barrier pairs and stages of a loop; *allocs: what the whole block shares. */
static void shared_parts(Roles *r, Split *k, Stmt **allocs)
{
    Low *l = r->l;
    Pipe *q = k->q;
    Prog *p = l->p;
    const Split *of = k->like < 0 ? NULL : &r->split[k->like];
    for (int g = 0; g < k->npipe; g++) {
        if (of) {
            k->pipe[g].buf = of->pipe[g].buf;
            continue;
        }
        const Stmt *s = q ? roles_copies(q->unit[k->pipe[g].unit[0]].s) : k->s;
        k->pipe[g].buf = new_pipe(l, p->buf[s->op.r[1].buf].name, k->stages, s->loc, allocs);
        if (!q) {
            low_async(l, s->op.r[1].buf);
            low_buf(l, s->op.r[1].buf)->pipe = k->pipe[g].buf;
        }
    }
    if (!q)
        return;
    for (int g = 0; g < k->npipe; g++)
        for (int i = 0; i < k->pipe[g].n; i++) {
            const Stmt *t = of ? roles_copies(of->q->unit[of->pipe[g].unit[i]].s) : NULL;
            for (Stmt *s = roles_copies(q->unit[k->pipe[g].unit[i]].s); s; s = s->next) {
                uint32_t b = s->op.r[1].buf;
                PipeBuf *to = pipe_buf(q, b, true);
                if (t) {
                    to->stages = pipe_buf(of->q, t->op.r[1].buf, true)->stages;
                    t = t->next;
                }
                if (!to->stages) /* its own, even with one stage: another loop may load b, too */
                    to->stages = pipe_multi_stage(l, b, k->stages, allocs);
                to->versions = k->stages;
                low_async(l, to->stages);
                low_buf(l, to->stages)->pipe = k->pipe[g].buf;
            }
        }
}

/* The producer ---------------------------------------------------------- */

/* Both blocks of a cluster load the same: what is read does not depend on which
 * of the two tiles is a block's own. */
static bool shared_load(const Low *l, const Stmt *c)
{
    const Region *g = &c->op.r[0];
    bool own = !l->rank;
    for (int d = 0; d < l->p->buf[g->buf].ndim && !own; d++)
        own = eval_depends(l->p, g->min[d], l->rank);
    return !own;
}

/* Copies of unit s with their plans; *n: their bytes. */
static Stmt *roles_planned(Low *l, const Stmt *s, uint32_t pipe, Ex use, int64_t *n)
{
    Stmt *k = low_clone(l, s);
    k->next = NULL;
    *n = 0;
    for (Stmt *c = roles_copies(k); c; c = c->next) {
        CopyPlan *plan = anew(&l->p->ctx, sizeof *plan);
        *plan = (CopyPlan){.how = CPtma, .bar = pipe, .use = use, .shared = shared_load(l, c)};
        c->op.copy = plan;
        *n += roles_bytes(l, c);
    }
    return k;
}

/* acquire, commit, copies of one barrier pair for use number `use`; where the copies
 * have a condition, no bytes are expected without it. */
static Stmt *produce(Low *l, const Split *k, const BarrierPair *g, Ex use)
{
    Prog *p = l->p;
    Pipe *q = k->q;
    Stmt *list = NULL, *loads = NULL;
    int64_t bytes = 0, n;
    if (!k->once)
        list = pipe_op(l, Opipe_acquire, g->buf, k->stages, use, 0, k->s->loc);
    if (!q) {
        Stmt one = *k->s;
        one.next = NULL;
        loads = roles_planned(l, &one, g->buf, use, &bytes);
    }
    uint32_t nstage = 0;
    StageOf *stage = anew(&p->ctx, (q ? q->nbuf : 0) * sizeof *stage + 1);
    for (const PipeBuf *b = q ? q->buf : NULL; q && b < q->buf + q->nbuf; b++)
        if (b->stages)
            stage[nstage++] = (StageOf){b->buf, b->stages, low_mod(l, use, k->stages)};
    for (int i = 0; q && i < g->n; i++) {
        Stmt *s = roles_planned(l, q->unit[g->unit[i]].s, g->buf, use, &n);
        pipe_to_stages(l, s, true, stage, nstage);
        bytes += n;
        loads = low_append(loads, s->kind == Sif ? s->cond.then : s);
    }
    loads = low_append(pipe_op(l, Opipe_commit, g->buf, k->stages, use, bytes, k->s->loc), loads);
    if (g->cond) {
        Ex cond = g->cond;
        loads = low_guard(l, cond, loads);
        if (loads && loads->kind == Sif)
            loads->cond.els = pipe_op(l, Opipe_commit, g->buf, k->stages, use, 0, k->s->loc);
    }
    return low_append(list, loads);
}

static Stmt *roles_slice(Roles *r, const Stmt *s);

static Stmt *produce_all(Roles *r, const Split *k)
{
    Low *l = r->l;
    Prog *p = l->p;
    Stmt *list = NULL;
    if (!k->q)
        return low_append(produce(l, k, &k->pipe[0], k->count[1]), advance(l, k, 1));
    Ex use = x_bin(p, Xadd, k->count[1], x_bin(p, Xsub, x_var(p, k->s->loop.var[0]),
                                               k->s->loop.lo[0]));
    for (int g = 0; g < k->npipe; g++)
        list = low_append(list, produce(l, k, &k->pipe[g], use));
    Stmt *loop = anew(&p->ctx, sizeof *loop);
    *loop = *k->s;
    loop->next = NULL;
    loop->loop.body = list;
    low_serial(loop);
    return low_append(loop, advance(l, k, 1));
}

/* The part of the program that the producer follows. */
static Stmt *roles_slice(Roles *r, const Stmt *s)
{
    Low *l = r->l;
    Stmt *list = NULL, **b[2];
    for (; s; s = s->next) {
        const Split *of = roles_split_of(r, s);
        if (of) {
            list = low_append(list, produce_all(r, of));
            continue;
        }
        if (s->kind != Slet && !roles_kept(r, s))
            continue;
        Stmt *k = anew(&l->p->ctx, sizeof *k);
        *k = *s;
        k->next = NULL;
        if (k->kind == Sfor && k->loop.kind == Fpipelined)
            low_serial(k); /* the copies are not its; the pipeline is the consumers' loop's */
        for (int i = 0, n = low_blocks(k, b); i < n; i++)
            *b[i] = roles_slice(r, *b[i]);
        list = low_append(list, k);
    }
    return list;
}

/* After variables got new names: the use of a copy is that of the commit
 * before it, which low_renew() sees. */
static void renumber(Low *l, Stmt *s)
{
    const Stmt *commit = NULL;
    Stmt **b[2];
    for (; s; s = s->next) {
        if (s->kind == Sop && s->op.op == Opipe_commit)
            commit = s;
        CopyPlan *c = copy_plan(s);
        if (c && s->op.op == Ocopy && commit)
            c->use = commit->op.value;
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            renumber(l, *b[i]);
    }
}

typedef struct RoleUses RoleUses;
struct RoleUses { const Prog *p; uint32_t var; bool found; };

static bool uses_var(void *ud, Ex e)
{
    RoleUses *u = ud;
    u->found |= x_uses(u->p, e, u->var);
    return !u->found;
}

static bool stmt_uses(Stmt *s, void *ud)
{
    RoleUses *u = ud;
    return stmt_exprs(u->p, s, uses_var, u);
}

/* Lets that nothing behind them uses go. */
static Stmt *roles_trim(Low *l, Stmt *s)
{
    Stmt **b[2];
    if (!s)
        return NULL;
    s->next = roles_trim(l, s->next);
    for (int i = 0, n = low_blocks(s, b); i < n; i++)
        *b[i] = roles_trim(l, *b[i]);
    if (s->kind == Slet) {
        RoleUses u = {l->p, s->let.var, false};
        stmt_walk(s->next, stmt_uses, &u);
        return u.found ? s : s->next;
    }
    return s;
}

/* The consumers --------------------------------------------------------- */

/* The loop's units without the loads, with waits and releases. */
static void consume_loop(Roles *r, Split *k)
{
    Low *l = r->l;
    Prog *p = l->p;
    Pipe *q = k->q;
    Unit *u = NULL;
    uint32_t cap = 0;
    int n = 0;
    agrow(&p->ctx, &u, &cap, (uint32_t)(q->n + 2 * k->npipe) + 1, sizeof *u);
    Ex use = x_bin(p, Xadd, k->count[0],
                   x_bin(p, Xsub, x_var(p, k->s->loop.var[0]), k->s->loop.lo[0]));
    for (int i = 0; i < q->n; i++) {
        for (int g = 0; g < k->npipe; g++)
            if (k->pipe[g].first == i)
                u[n++] = (Unit){.s = pipe_op(l, Opipe_wait, k->pipe[g].buf, k->stages, use, 0,
                                             k->s->loc),
                                .rank = 2 * q->unit[i].rank, .user = -1};
        if (!k->tma[i]) {
            u[n] = q->unit[i];
            u[n++].rank = 2 * q->unit[i].rank + 1;
        }
        for (int g = 0; g < k->npipe; g++)
            if (k->pipe[g].last == i && !k->once)
                u[n++] = (Unit){.s = pipe_op(l, Opipe_release, k->pipe[g].buf, k->stages, use, 0,
                                             k->s->loc),
                                .rank = 2 * q->unit[i].rank + 2, .user = -1};
    }
    q->unit = u;
    q->capunit = cap;
    q->n = n;
    pipe_forget(q);
    q->count = k->count[0];
    q->split = true;
}

/* A wait before the first reader of a copy that has gone, a release behind the
 * last if the copy is repeated. */
static Stmt *consume_copy(Roles *r, Split *k, Stmt *rest)
{
    Low *l = r->l;
    uint32_t b = k->s->op.r[1].buf;
    Stmt **at = &rest, **last = NULL;
    while (*at && !low_accesses(l, *at, false, b))
        at = &(*at)->next;
    for (Stmt **s = at; *s; s = &(*s)->next)
        if (low_accesses(l, *s, false, b))
            last = &(*s)->next;
    if (last && !k->once) {
        Stmt *s = pipe_op(l, Opipe_release, k->pipe[0].buf, 1, k->count[0], 0, k->s->loc);
        s = low_append(s, advance(l, k, 0));
        Stmt *behind = *last;
        *last = s;
        low_append(s, behind);
    }
    Stmt *wait = pipe_op(l, Opipe_wait, k->pipe[0].buf, 1, k->count[0], 0, k->s->loc);
    wait->next = *at;
    *at = wait;
    return rest;
}

/* Rewrites the block at *at into what the consumers run. */
static void consume(Roles *r, Stmt **at)
{
    Low *l = r->l;
    Stmt **b[2];
    while (*at) {
        Stmt *s = *at;
        Split *of = roles_split_of(r, s);
        if (of && !of->q) {
            *at = consume_copy(r, of, s->next);
            continue;
        }
        if (of) {
            consume_loop(r, of);
            Stmt *more = advance(l, of, 0);
            if (more) {
                more->next = s->next;
                s->next = more;
            }
        } else {
            for (int i = 0, n = low_blocks(s, b); i < n; i++)
                consume(r, b[i]);
        }
        at = &s->next;
    }
}

/* sync_threads of the program holds for the consumers alone.  The statement itself changes: blocks
 * inside of a pipeline's units are those of its loop's body, too, and another in its place would
 * cut the list that the second of them has. */
static Stmt *barriers(Low *l, Stmt *s, bool *into, void *ud)
{
    int64_t id;
    int *bar = ud;
    (void)into;
    if (s->kind != Scall || s->call.fn != Isync_threads ||
        !x_isint(l->p, s->call.arg[0], &id) || id > 0)
        return s;
    *bar = *bar ? *bar : low_named(l, 1);
    if (!*bar)
        diag_fail(&l->p->ctx, E_named_many, s->loc, NULL);
    *s = *low_op(l, Obar_sync, s->loc);
    s->op.attr[0] = *bar;
    s->op.attr[1] = l->threads;
    return s;
}

/* ... in the launch, and in the units of its pipelines, which stand beside their loops' bodies. */
typedef struct RoleBarriers RoleBarriers;
struct RoleBarriers { Low *l; int bar; };

static bool barriers_units(Stmt *s, void *ud)
{
    RoleBarriers *b = ud;
    Pipe *q = s->kind == Sfor ? s->loop.pipe : NULL;
    for (int i = 0; q && i < q->n; i++)
        low_rewrite(b->l, &q->unit[i].s, barriers, &b->bar);
    return true;
}

static void barriers_all(Low *l)
{
    RoleBarriers b = {.l = l};
    low_rewrite(l, &l->launch->launch.body, barriers, &b.bar);
    stmt_walk(l->launch->launch.body, barriers_units, &b);
}

/* Registers of a thread, of 65536 that a multiprocessor has, in roles[0] of the producer, in roles[1] of the
 * consumers; false: all keep what they were launched with.  With one group of consumers
 * everybody has as many as a thread can use already; of several blocks on a multiprocessor each has
 * its share (resident.c).  What the user says needs a producer that gives enough of its own up. */
static bool role_registers(Low *l, int roles[2])
{
    const Stmt *s = l->launch;
    const char *why;
    int groups = l->threads / Group, blocks = s->launch.blocks ? s->launch.blocks : 1;
    if (!l->m->setmaxnreg || s->launch.keep_regs)
        return false;
    if (s->launch.regs[0] || s->launch.regs[1]) {
        if (resident_said(l, blocks, roles, &why))
            return true;
        low_note(l, E_launch_hint, s,
                 s->launch.regs[1] ? "annotate_consumer_reg_alloc" : "annotate_producer_reg_dealloc", why);
    }
    if (blocks > 1) {
        resident_share(l, blocks, roles); /* the user may want more than have room */
        return roles[0] != 0;
    }
    roles[0] = groups == 3 ? 32 : 24;
    roles[1] = groups == 3 ? 160 : 240;
    return groups == 2 || groups == 3;
}

static Stmt *set_registers(Low *l, const int roles[2], bool consumer)
{
    Stmt *s = low_op(l, Osetmaxnreg, l->launch->loc);
    s->op.attr[0] = roles[consumer];
    s->op.attr[1] = consumer;
    return s;
}

static bool no_setmaxnreg(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Sop || s->op.op != Osetmaxnreg;
}

/* Moves allocations of what both roles use in front of them. */
static Stmt *hoist(Low *l, Stmt *s, bool *into, void *ud)
{
    Stmt **top = ud;
    (void)into;
    if (s->kind != Salloc || l->p->buf[s->alloc.buf].scope != SCshared ||
        !low_buf(l, s->alloc.buf)->pipe)
        return s;
    *top = low_append(*top, s);
    return NULL;
}

static Stmt *make_role(Low *l, int lo, int hi, const char *name, Stmt *body)
{
    Stmt *s = anew(&l->p->ctx, sizeof *s);
    s->kind = Srole;
    s->loc = l->launch->loc;
    s->role.lo = lo;
    s->role.hi = hi;
    s->role.name = name;
    s->role.body = body;
    return s;
}

/* Units stand beside their loop's body. */
typedef struct Renamed Renamed;
struct Renamed { Low *l; const Ex *map; uint32_t n; };

static bool rename_units(Stmt *s, void *ud)
{
    Renamed *m = ud;
    Pipe *q = s->kind == Sfor ? s->loop.pipe : NULL;
    for (int i = 0; q && i < q->n; i++)
        low_subst(m->l, q->unit[i].s, m->map, m->n, NULL, 0);
    return true;
}

/* The consumers' index: tid, known to be below their number. */
static Stmt *consumer_thread(Low *l, Stmt *body)
{
    Prog *p = l->p;
    Ex *map = anew(&p->ctx, (p->nvar + 1) * sizeof *map);
    uint32_t nmap = p->nvar, tid = l->tid;
    uint32_t t = p_var(p, Vlet, DTi32, "t", 0, l->threads - 1);
    p->var[t].value = x_var(p, tid);
    p->var[t].loc = l->launch->loc;
    map[tid] = x_var(p, t);
    low_subst(l, body, map, nmap, NULL, 0);
    Renamed in = {l, map, nmap};
    stmt_walk(body, rename_units, &in);
    Stmt *s = anew(&p->ctx, sizeof *s);
    s->kind = Slet;
    s->loc = l->launch->loc;
    s->let.var = t;
    s->next = body;
    l->tid = t;
    return s;
}

static void split_roles(Roles *r)
{
    Low *l = r->l;
    Prog *p = l->p;
    Stmt *launch = l->launch, *top = NULL;
    bool own = stmt_walk(launch->launch.body, no_setmaxnreg, NULL);
    number_uses(r);
    for (int i = 0; i < r->n; i++)
        shared_parts(r, &r->split[i], &top);
    Stmt *producer = low_append(counters(r, 1), roles_trim(l, roles_slice(r, launch->launch.body)));
    producer = low_renew(l, producer);
    renumber(l, producer);
    consume(r, &launch->launch.body);
    launch->launch.body = low_append(counters(r, 0), launch->launch.body);
    low_rewrite(l, &launch->launch.body, hoist, &top);
    for (int i = 0; i < r->n; i++)
        if (r->split[i].q)
            low_rewrite(l, &r->split[i].q->before, hoist, &top);
    barriers_all(l);
    l->total = l->threads + Group;
    p->var[l->tid].hi = l->total - 1;
    launch->launch.threads[0] = l->total;
    Ex first = x_bin(p, Xeq, x_var(p, l->tid), low_i(l, l->threads));
    producer = low_guard(l, first, producer);
    Stmt *body = consumer_thread(l, launch->launch.body);
    int regs[2];
    if (own && role_registers(l, regs)) {
        body = low_append(set_registers(l, regs, true), body);
        producer = low_append(set_registers(l, regs, false), producer);
    }
    Stmt *a = make_role(l, 0, l->threads, "consumers", body);
    a->next = make_role(l, l->threads, l->total, "producer", producer);
    launch->launch.body = low_append(top, a);
}

/* What was said of the registers of roles that there are not. */
static void registers_unused(Low *l)
{
    static const char *const name[] = {"annotate_producer_reg_dealloc", "annotate_consumer_reg_alloc"};
    for (int i = 0; i < 2; i++)
        if (l->launch->launch.regs[i])
            low_note(l, E_launch_hint, l->launch, name[i], l->m->setmaxnreg ? "T.Pipelined" : l->m->name);
}

void roles_split(Low *l)
{
    Roles *r = anew(&l->p->ctx, sizeof *r);
    r->l = l;
    if (!l->m->tma || !l->m->mbarrier) {
        registers_unused(l);
        return;
    }
    if (roles_plan(r)) {
        split_roles(r);
        return;
    }
    if (r->why)
        low_note(l, E_roles_none, l->launch, r->why);
    registers_unused(l);
}
