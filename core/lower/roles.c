/* core/lower/roles.c: consumers and a producer.
 *
 * Where the machine has TMA and a pipelined loop loads tiles that TMA can
 * move, the block gets one more warp group.  Its first thread walks the loops
 * and issues the loads; the other warps run the program without them:
 *
 *     role 0..128 "consumers"            role 128..256 "producer"
 *       for i: ring_wait R[i % S], i       if tid == 128: for i:
 *              ..                            ring_acquire R[i % S], i
 *              ring_release R[i % S], i      ring_commit R[i % S], i bytes=n
 *                                            copy .. (CPtma)
 *
 * Loads with the same first and last reader share a ring.  The number of a use
 * runs on when the loop is repeated: in closed form from the loops around it,
 * else in a variable of each role.  Reference: lowering.md 5.4 to 5.6. */
#include <string.h>

#include "../walk.h"
#include "pipeline.h"

#define NUM(v) afmt(&l->p->ctx, "%lld", (long long)(v))

enum { Group = 128, MaxSplit = 16, MaxDepth = 16, MaxRings = 24 };

typedef struct Ring Ring;
struct Ring {
    uint32_t buf;          /* of scope ring */
    int unit[MaxUnits], n; /* its loads, in order */
    int first, last;       /* readers */
    Ex cond;               /* of its loads, or 0 */
};

/* A loop whose loads move, or one copy before such a loop. */
typedef struct Split Split;
struct Split {
    Stmt *s;               /* the loop, or the copy */
    Pipe *q;               /* NULL: a copy */
    Stmt *up[MaxDepth];    /* statements around it, outermost first */
    int depth;
    bool tma[MaxUnits];    /* of q's units */
    Ring ring[MaxRings];
    int nring, slots;
    Ex trip;               /* uses of the ring each time: iterations, or 1 */
    Ex count[2];           /* number of the first use, for consumers and producer */
    uint32_t var[2];       /* counters, or 0 */
    Stmt *repl;            /* a copy: what consumers have instead */
};

typedef struct Roles Roles;
struct Roles {
    Low *l;
    Split split[MaxSplit];
    int n;
    Stmt *up[MaxDepth];
    int depth;
    bool *need;            /* private buffers that the producer computes, too */
    bool more;
    const char *why;       /* the producer cannot follow: what it would need */
    int role;              /* being built: 0 consumers, 1 producer */
};

/* What a split needs of the program ------------------------------------------ */

static bool find_obstacle(Stmt *s, void *ud)
{
    Roles *r = ud;
    const Prog *p = r->l->p;
    if (s->kind == Srole)
        r->why = "T.ws";
    else if (s->kind == Salloc && p->buf[s->alloc.buf].scope == SCbarrier)
        r->why = afmt(&r->l->p->ctx, "barrier `%s`", p->buf[s->alloc.buf].name);
    else if (s->kind == Scall && s->call.fn == Isync_grid)
        r->why = intrinfo[Isync_grid].text;
    return r->why == NULL;
}

static bool block_wide(void *ud, Ex e)
{
    Roles *r = ud;
    const Expr *x = &r->l->p->ex[e];
    if (x->op == Xcall && (x->sym == Icount_sync || x->sym == Iand_sync || x->sym == Ior_sync))
        r->why = intrinfo[x->sym].text;
    for (int i = 0; i < x->n && !r->why; i++)
        block_wide(ud, x->arg[i]);
    return r->why == NULL;
}

static bool each_expr(Stmt *s, void *ud)
{
    Roles *r = ud;
    return stmt_exprs(r->l->p, s, block_wide, r);
}

/* Pipelined loops, with what is around them -------------------------------------- */

static void collect(Roles *r, Stmt *s)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        bool piped = s->kind == Sfor && s->loop.kind == Fpipelined;
        if (piped && s->loop.num_stages > 0 && r->n < MaxSplit) {
            Split *k = &r->split[r->n++];
            k->s = s;
            k->depth = r->depth;
            memcpy(k->up, r->up, sizeof k->up);
        }
        if (piped || r->depth == MaxDepth || (s->kind == Sfor && s->loop.kind == Fparallel))
            continue; /* a loop in a pipelined one stays as it is */
        r->up[r->depth++] = s;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            collect(r, b[i]);
        r->depth--;
    }
}

/* The copies of a unit that TMA may move: one, or several under one `if`. */
static Stmt *copies_of(Stmt *s)
{
    return s->kind == Sif ? s->cond.then : s;
}

static int64_t copy_bytes(const Low *l, const Stmt *s)
{
    const Region *d = &s->op.r[1];
    int64_t n = 1, v;
    for (int k = 0; k < l->p->buf[d->buf].ndim; k++)
        n *= x_isint(l->p, d->extent[k], &v) ? v : 0;
    return n * dtypeinfo[l->p->buf[d->buf].dt].bits / 8;
}

/* A part of a shared buffer begins where a swizzle does: every 8 rows. */
static bool atoms(const Low *l, const Region *d)
{
    int64_t v;
    if (region_whole(l->p, d))
        return true;
    for (int k = 0; k < l->p->buf[d->buf].ndim; k++)
        if (!x_isint(l->p, d->min[k], &v) || v % 8)
            return false;
    return true;
}

static bool eligible(Roles *r, const Split *k, int i)
{
    Low *l = r->l;
    const Unit *u = &k->q->unit[i];
    const char *why = NULL;
    if (!u->load || (u->s->kind == Sif && u->s->cond.els))
        return false;
    for (const Stmt *s = copies_of(u->s); s; s = s->next) {
        if (s->kind != Sop || s->op.op != Ocopy)
            return false;
        uint32_t b = s->op.r[1].buf;
        if ((!atoms(l, &s->op.r[1]) || !tma_layout(l, b)) && (why = l->p->buf[b].name)) {
            low_note(l, E_roles_copy, s, l->p->buf[b].name, why);
            return false;
        }
        if (!choose_tma(l, s, &why) || (pipe_live_out(k->q, b) && (why = l->p->buf[b].name))) {
            low_note(l, E_roles_copy, s, l->p->buf[b].name, why);
            return false;
        }
    }
    return true;
}

static int touched_by(const Split *k, int unit, int i)
{
    const Low *l = k->q->l;
    int mode = 0;
    for (const Stmt *s = copies_of(k->q->unit[unit].s); s; s = s->next)
        mode |= pipe_touches(l, k->q->unit[i].s, true, s->op.r[1].buf);
    return mode;
}

/* Loads that are waited for and released at the same places share a ring. */
static void make_rings(Split *k)
{
    Pipe *q = k->q;
    for (int i = 0; i < q->n; i++) {
        int first = -1, last = -1, j = 0;
        if (!k->tma[i])
            continue;
        for (int u = 0; u < q->n; u++)
            if (!k->tma[u] && touched_by(k, i, u)) {
                first = first < 0 ? u : first;
                last = u;
            }
        Ex cond = q->unit[i].s->kind == Sif ? q->unit[i].s->cond.cond : 0;
        while (j < k->nring && (k->ring[j].first != first || k->ring[j].last != last ||
                                k->ring[j].cond != cond))
            j++;
        if (first < 0 || j == MaxRings) { /* nobody reads it, or too many */
            k->tma[i] = false;
            continue;
        }
        Ring *g = &k->ring[j];
        if (j == k->nring) {
            k->nring++;
            g->first = first;
            g->last = last;
            g->cond = cond;
        }
        g->unit[g->n++] = i;
    }
}

/* One buffer in two loads of different rings would be guarded twice. */
static void part(Split *k)
{
    Pipe *q = k->q;
    for (int i = 0; i < q->n; i++)
        for (int u = 0; u < q->n && k->tma[i]; u++)
            if (u != i && q->unit[u].load && touched_by(k, i, u) & EFwrite)
                k->tma[i] = k->tma[u] = false;
}

static bool plan_loops(Roles *r)
{
    int n = 0;
    for (int j = 0; j < r->n; j++) {
        Split *k = &r->split[j];
        const Stmt *s = k->s;
        k->q = pipe_new(r->l, k->s);
        k->s->plan = k->q;
        if (!k->q->cut)
            continue;
        if (s->loop.norder || s->loop.nstage) {
            low_note(r->l, E_roles_none, s, "order, stage");
            continue;
        }
        bool any = false;
        for (int i = 0; i < k->q->n; i++)
            k->tma[i] = eligible(r, k, i);
        part(k);
        make_rings(k);
        for (int i = 0; i < k->nring; i++)
            any |= k->ring[i].n > 0;
        k->slots = s->loop.num_stages;
        k->trip = x_bin(r->l->p, Xsub, s->loop.hi[0], s->loop.lo[0]);
        if (any)
            r->split[n++] = *k;
    }
    r->n = n;
    return n > 0;
}

/* Copies before the loops ------------------------------------------------------------ */

static bool is_split(const Roles *r, const Stmt *s)
{
    for (int i = 0; i < r->n; i++)
        if (r->split[i].s == s)
            return true;
    return false;
}

static bool holds_split(const Roles *r, const Stmt *s)
{
    for (int i = 0; i < r->n; i++) {
        if (r->split[i].s == s)
            return true;
        for (int d = 0; d < r->split[i].depth; d++)
            if (r->split[i].up[d] == s)
                return true;
    }
    return false;
}

/* Statements of the list, and inside of it, that touch b; a write counts as
 * many, so that it is found. */
static int count(const Low *l, const Stmt *s, const Stmt *except, uint32_t b)
{
    enum { Many = 1 << 20 };
    Stmt *in[2];
    int sum = 0;
    for (; s; s = s->next) {
        int n = stmt_blocks(s, in);
        int t = n == 0 && s != except ? pipe_touches(l, s, false, b) : 0;
        sum += t & EFwrite ? Many : t != 0;
        for (int i = 0; i < n; i++)
            sum += count(l, in[i], except, b);
    }
    return sum;
}

/* The only write of its buffer, whole, all of whose readers follow it in its
 * block. */
static bool leads(Roles *r, const Stmt *s)
{
    Low *l = r->l;
    const Stmt *body = l->launch->launch.body;
    const char *why = NULL;
    if (s->kind != Sop || s->op.op != Ocopy || l->p->buf[s->op.r[1].buf].scope != SCshared)
        return false;
    uint32_t b = s->op.r[1].buf;
    if (pipe_viewed(l, b) || !tma_layout(l, b) || !region_whole(l->p, &s->op.r[1]) || !choose_tma(l, s, &why) ||
        pipe_touches(l, body, true, buf_root(l->p, s->op.r[0].buf)) & EFwrite)
        return false;
    int behind = count(l, s->next, s, b);
    return behind > 0 && behind == count(l, body, s, b);
}

static bool holds_later(const Roles *r, const Stmt *s)
{
    for (s = s->next; s; s = s->next)
        if (holds_split(r, s))
            return true;
    return false;
}

static void find_leads(Roles *r, Stmt *s, int depth)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        if (r->n < MaxSplit && holds_later(r, s) && leads(r, s)) {
            Split *k = &r->split[r->n++];
            *k = (Split){.s = s, .depth = depth, .nring = 1, .slots = 1, .trip = low_i(r->l, 1)};
            memcpy(k->up, r->up, sizeof k->up);
        }
        if (is_split(r, s) || !holds_split(r, s) || depth == MaxDepth)
            continue;
        r->up[depth] = s;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            find_leads(r, b[i], depth + 1);
    }
}

/* What the producer has to follow ------------------------------------------------------- */

/* Everything in e is known to the producer, or can be computed by it too. */
static bool follows(void *ud, Ex e)
{
    Roles *r = ud;
    Low *l = r->l;
    const Expr *x = &l->p->ex[e];
    if (x->op == Xvar && l->p->var[x->sym].kind == Vthread)
        r->why = l->p->var[x->sym].name;
    if (x->op == Xvar && l->p->var[x->sym].kind == Vlet) {
        if (!l->p->var[x->sym].value)
            r->why = l->p->var[x->sym].name;
        else
            follows(ud, l->p->var[x->sym].value);
    }
    if (x->op == Xcall && intrinfo[x->sym].level == 'T')
        r->why = intrinfo[x->sym].text;
    if (x->op == Xload) {
        uint32_t b = buf_root(l->p, x->sym);
        int sc = l->p->buf[b].scope;
        if (sc == SClocal || sc == SCvar) {
            r->more |= !r->need[b];
            r->need[b] = true;
        } else if (sc != SCglobal ||
                   pipe_touches(l, l->launch->launch.body, true, b) & EFwrite) {
            r->why = l->p->buf[b].name;
        }
    }
    for (int i = 0; i < x->n && !r->why; i++)
        follows(ud, x->arg[i]);
    return r->why == NULL;
}

static bool jump_inside(const Stmt *s)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        if (s->kind == Sbreak || s->kind == Scontinue)
            return true;
        if (s->kind == Sif)
            for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
                if (jump_inside(b[i]))
                    return true;
    }
    return false;
}

static bool writes_needed(void *ud, const Effect *e)
{
    const Roles *r = ud;
    return !(e->mode & EFwrite && r->need[e->buf]);
}

static bool kept(Roles *r, const Stmt *s)
{
    if (s->kind == Sbreak || s->kind == Scontinue)
        return true;
    if (s->kind == Sif && jump_inside(s->cond.then))
        return true;
    if (s->kind == Salloc)
        return r->need[s->alloc.buf];
    return holds_split(r, s) || !pipe_effects(r->l, s, false, writes_needed, r);
}

/* Walks what the producer will contain, asking follows() about it. */
static void scan(Roles *r, Stmt *s)
{
    Low *l = r->l;
    Stmt *b[2];
    for (; s && !r->why; s = s->next) {
        if (!kept(r, s))
            continue;
        if (s->kind == Sop && !is_split(r, s)) {
            r->why = opinfo[s->op.op].text;
            return;
        }
        if (s->kind == Satomic || (s->kind == Sfor && s->loop.kind == Fparallel)) {
            r->why = s->kind == Satomic ? "T.atomic" : "T.Parallel";
            return;
        }
        if (!is_split(r, s) || s->kind == Sop)
            stmt_exprs(l->p, s, follows, r);
        if (is_split(r, s) && s->kind == Sfor) {
            stmt_exprs(l->p, s, follows, r);
            for (int i = 0; i < r->n; i++)
                for (int u = 0; r->split[i].s == s && u < r->split[i].q->n; u++)
                    if (r->split[i].tma[u]) {
                        const Stmt *k = r->split[i].q->unit[u].s;
                        stmt_exprs(l->p, k, follows, r);
                        for (k = copies_of(r->split[i].q->unit[u].s); k; k = k->next)
                            stmt_exprs(l->p, k, follows, r);
                    }
            continue;
        }
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            scan(r, b[i]);
    }
}

static bool feasible(Roles *r)
{
    r->need = anew(&r->l->p->ctx, r->l->p->nbuf);
    do {
        r->more = false;
        scan(r, r->l->launch->launch.body);
    } while (r->more && !r->why);
    return r->why == NULL;
}

/* Numbers of uses --------------------------------------------------------------------------- */

/* Iterations of the loops around k so far, times its uses each time: 0 when
 * that is no sum of products of their variables. */
static Ex closed_form(Low *l, const Split *k)
{
    Prog *p = l->p;
    Ex sum = low_i(l, 0);
    for (int d = 0; d < k->depth; d++) {
        const Stmt *s = k->up[d];
        int64_t step = 1;
        if (s->kind != Sfor || s->loop.n != 1 ||
            (s->loop.kind != Fserial && s->loop.kind != Funroll) || !x_pure(p, s->loop.lo[0]) ||
            !x_pure(p, s->loop.hi[0]) || (s->loop.step && !x_isint(p, s->loop.step, &step)) ||
            step < 1)
            return 0;
        for (int i = 0; i <= d; i++)
            if (k->up[i]->kind == Sfor &&
                (x_uses(p, k->trip, k->up[i]->loop.var[0]) ||
                 (i < d && (x_uses(p, s->loop.lo[0], k->up[i]->loop.var[0]) ||
                            x_uses(p, s->loop.hi[0], k->up[i]->loop.var[0])))))
                return 0;
        Ex trips = low_div(l, low_add(l, x_bin(p, Xsub, s->loop.hi[0], s->loop.lo[0]),
                                      low_i(l, step - 1)), step);
        Ex at = low_div(l, x_bin(p, Xsub, x_var(p, s->loop.var[0]), s->loop.lo[0]), step);
        sum = x_bin(p, Xadd, x_bin(p, Xmul, sum, trips), at);
    }
    if (!x_pure(p, k->trip))
        return 0;
    return x_bin(p, Xmul, sum, k->trip);
}

static void numbers(Roles *r)
{
    Low *l = r->l;
    Prog *p = l->p;
    for (int i = 0; i < r->n; i++) {
        Split *k = &r->split[i];
        Ex zero = low_i(l, 0), one = low_i(l, 1);
        k->count[0] = k->count[1] = k->depth ? closed_form(l, k) : zero;
        for (int w = 0; w < 2 && !k->count[w]; w++) {
            const Stmt *s = k->s;
            const char *of = k->q ? p->buf[copies_of(k->q->unit[k->ring[0].unit[0]].s)->op.r[1].buf]
                                        .name
                                  : p->buf[s->op.r[1].buf].name;
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
        if (r->split[i].var[role]) {
            Stmt *s = pipe_alloc(r->l, r->split[i].var[role], r->l->launch->loc);
            s->alloc.init = low_i(r->l, 0);
            list = low_append(list, s);
        }
    return list;
}

/* Rings ---------------------------------------------------------------------------------------- */

static Stmt *ring_op(Low *l, enum Op op, uint32_t ring, int slots, Ex use, int64_t bytes, Loc loc)
{
    Stmt *s = pipe_op(l, op, loc);
    s->op.r[0].buf = ring;
    s->op.r[0].min[0] = low_mod(l, use, slots);
    s->op.r[0].extent[0] = low_i(l, 1);
    s->op.value = use;
    s->op.attr[0] = (int32_t)bytes;
    return s;
}

static uint32_t new_ring(Low *l, const char *of, int slots, Loc loc, Stmt **allocs)
{
    Prog *p = l->p;
    Ex n = low_i(l, slots);
    uint32_t b = p_buf(p, SCring, DTu64, afmt(&p->ctx, "%s_ring", of), &n, NULL, 1);
    p->buf[b].loc = loc;
    *allocs = low_append(*allocs, pipe_alloc(l, b, loc));
    return b;
}

/* Rings and slots of a loop; *allocs: what the whole block shares. */
static void shared_parts(Roles *r, Split *k, Stmt **allocs)
{
    Low *l = r->l;
    Pipe *q = k->q;
    Prog *p = l->p;
    for (int g = 0; g < k->nring; g++) {
        const Stmt *s = q ? copies_of(q->unit[k->ring[g].unit[0]].s) : k->s;
        k->ring[g].buf = new_ring(l, p->buf[s->op.r[1].buf].name, k->slots, s->loc, allocs);
        if (!q) {
            low_buf(l, s->op.r[1].buf)->async = true;
            low_buf(l, s->op.r[1].buf)->ring = k->ring[g].buf;
        }
    }
    if (!q)
        return;
    q->nbuf = p->nbuf;
    q->slots = anew(&p->ctx, (q->nbuf + 64) * sizeof *q->slots);
    q->versions = anew(&p->ctx, (q->nbuf + 64) * sizeof *q->versions);
    for (int g = 0; g < k->nring; g++)
        for (int i = 0; i < k->ring[g].n; i++)
            for (Stmt *s = copies_of(q->unit[k->ring[g].unit[i]].s); s; s = s->next) {
                uint32_t b = s->op.r[1].buf, v = b;
                if (k->slots > 1 && !q->slots[b])
                    q->slots[b] = pipe_slotted(l, b, k->slots, allocs);
                v = q->slots[b] ? q->slots[b] : b;
                q->versions[b] = k->slots;
                low_buf(l, v)->async = true;
                low_buf(l, v)->ring = k->ring[g].buf;
            }
}

/* The producer ----------------------------------------------------------------------------------- */

/* Copies of unit s with their plans; *n: their bytes. */
static Stmt *planned(Low *l, const Stmt *s, uint32_t ring, Ex use, int64_t *n)
{
    Stmt *k = low_clone(l, s);
    k->next = NULL;
    *n = 0;
    for (Stmt *c = copies_of(k); c; c = c->next) {
        CopyPlan *plan = anew(&l->p->ctx, sizeof *plan);
        *plan = (CopyPlan){.how = CPtma, .bar = ring, .use = use};
        c->plan = plan;
        *n += copy_bytes(l, c);
    }
    return k;
}

/* acquire, commit, copies of one ring for use number `use`; where the copies
 * have a condition, no bytes are expected without it. */
static Stmt *produce(Low *l, const Split *k, const Ring *g, Ex use)
{
    Prog *p = l->p;
    Pipe *q = k->q;
    Stmt *list = NULL, *loads = NULL;
    int64_t bytes = 0, n;
    if (q || k->depth)
        list = ring_op(l, Oring_acquire, g->buf, k->slots, use, 0, k->s->loc);
    if (!q) {
        Stmt one = *k->s;
        one.next = NULL;
        loads = planned(l, &one, g->buf, use, &bytes);
    }
    Ex *slot = anew(&p->ctx, p->nbuf * sizeof *slot);
    for (uint32_t b = 1; b < p->nbuf; b++)
        slot[b] = low_mod(l, use, k->slots);
    for (int i = 0; q && i < g->n; i++) {
        Stmt *s = planned(l, q->unit[g->unit[i]].s, g->buf, use, &n);
        pipe_slots(l, s, true, q->slots, slot, q->nbuf);
        bytes += n;
        loads = low_append(loads, s->kind == Sif ? s->cond.then : s);
    }
    loads = low_append(ring_op(l, Oring_commit, g->buf, k->slots, use, bytes, k->s->loc), loads);
    if (g->cond) {
        Ex cond = g->cond;
        loads = pipe_if(l, cond, loads);
        if (loads && loads->kind == Sif)
            loads->cond.els = ring_op(l, Oring_commit, g->buf, k->slots, use, 0, k->s->loc);
    }
    return low_append(list, loads);
}

static Stmt *slice(Roles *r, const Stmt *s);

static Stmt *produce_all(Roles *r, const Split *k)
{
    Low *l = r->l;
    Prog *p = l->p;
    Stmt *list = NULL;
    if (!k->q)
        return low_append(produce(l, k, &k->ring[0], k->count[1]), advance(l, k, 1));
    Ex use = x_bin(p, Xadd, k->count[1], x_bin(p, Xsub, x_var(p, k->s->loop.var[0]),
                                               k->s->loop.lo[0]));
    for (int g = 0; g < k->nring; g++)
        list = low_append(list, produce(l, k, &k->ring[g], use));
    Stmt *loop = anew(&p->ctx, sizeof *loop);
    *loop = *k->s;
    loop->next = NULL;
    loop->plan = NULL;
    loop->loop.body = list;
    pipe_serial(loop);
    return low_append(loop, advance(l, k, 1));
}

/* The part of the program that the producer follows. */
static Stmt *slice(Roles *r, const Stmt *s)
{
    Low *l = r->l;
    Stmt *list = NULL, **b[2];
    for (; s; s = s->next) {
        const Split *of = NULL;
        for (int i = 0; i < r->n; i++)
            of = r->split[i].s == s ? &r->split[i] : of;
        if (of) {
            list = low_append(list, produce_all(r, of));
            continue;
        }
        if (s->kind != Slet && !kept(r, s))
            continue;
        Stmt *k = anew(&l->p->ctx, sizeof *k);
        *k = *s;
        k->next = NULL;
        for (int i = 0, n = low_blocks(k, b); i < n; i++)
            *b[i] = slice(r, *b[i]);
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
        if (s->kind == Sop && s->op.op == Oring_commit)
            commit = s;
        CopyPlan *c = s->kind == Sop && s->op.op == Ocopy ? s->plan : NULL;
        if (c && commit)
            c->use = commit->op.value;
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            renumber(l, *b[i]);
    }
}

typedef struct Uses Uses;
struct Uses { const Prog *p; uint32_t var; bool found; };

static bool uses_var(void *ud, Ex e)
{
    Uses *u = ud;
    u->found |= x_uses(u->p, e, u->var);
    return !u->found;
}

static bool stmt_uses(Stmt *s, void *ud)
{
    Uses *u = ud;
    return stmt_exprs(u->p, s, uses_var, u);
}

/* Lets that nothing behind them uses go. */
static Stmt *trim(Low *l, Stmt *s)
{
    Stmt **b[2];
    if (!s)
        return NULL;
    s->next = trim(l, s->next);
    for (int i = 0, n = low_blocks(s, b); i < n; i++)
        *b[i] = trim(l, *b[i]);
    if (s->kind == Slet) {
        Uses u = {l->p, s->let.var, false};
        stmt_walk(s->next, stmt_uses, &u);
        return u.found ? s : s->next;
    }
    return s;
}

/* The consumers ------------------------------------------------------------------------------------- */

/* The loop's units without the loads, with waits and releases. */
static void consume_loop(Roles *r, Split *k)
{
    Low *l = r->l;
    Prog *p = l->p;
    Pipe *q = k->q;
    Unit u[MaxUnits];
    int n = 0;
    Ex use = x_bin(p, Xadd, k->count[0],
                   x_bin(p, Xsub, x_var(p, k->s->loop.var[0]), k->s->loop.lo[0]));
    for (int i = 0; i < q->n; i++) {
        for (int g = 0; g < k->nring; g++)
            if (k->ring[g].first == i && n < MaxUnits)
                u[n++] = (Unit){.s = ring_op(l, Oring_wait, k->ring[g].buf, k->slots, use, 0,
                                             k->s->loc),
                                .rank = 2 * q->unit[i].rank, .user = -1};
        if (!k->tma[i] && n < MaxUnits) {
            u[n] = q->unit[i];
            u[n++].rank = 2 * q->unit[i].rank + 1;
        }
        for (int g = 0; g < k->nring; g++)
            if (k->ring[g].last == i && n < MaxUnits)
                u[n++] = (Unit){.s = ring_op(l, Oring_release, k->ring[g].buf, k->slots, use, 0,
                                             k->s->loc),
                                .rank = 2 * q->unit[i].rank + 2, .user = -1};
    }
    memcpy(q->unit, u, (size_t)n * sizeof *u);
    q->n = n;
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
    while (*at && !pipe_touches(l, *at, false, b))
        at = &(*at)->next;
    for (Stmt **s = at; *s; s = &(*s)->next)
        if (pipe_touches(l, *s, false, b))
            last = &(*s)->next;
    if (last && k->depth) {
        Stmt *s = ring_op(l, Oring_release, k->ring[0].buf, 1, k->count[0], 0, k->s->loc);
        s = low_append(s, advance(l, k, 0));
        Stmt *behind = *last;
        *last = s;
        low_append(s, behind);
    }
    Stmt *wait = ring_op(l, Oring_wait, k->ring[0].buf, 1, k->count[0], 0, k->s->loc);
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
        Split *of = NULL;
        for (int i = 0; i < r->n; i++)
            of = r->split[i].s == s ? &r->split[i] : of;
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

/* sync_threads of the program holds for the consumers alone. */
static Stmt *barriers(Low *l, Stmt *s, bool *into, void *ud)
{
    int64_t id;
    uint32_t *bar = ud;
    (void)into;
    if (s->kind != Scall || s->call.fn != Isync_threads ||
        !x_isint(l->p, s->call.arg[0], &id) || id > 0)
        return s;
    if (!*bar)
        *bar = l->nextbar++;
    Stmt *k = pipe_op(l, Obar_sync, s->loc);
    k->op.attr[0] = (int32_t)*bar;
    k->op.attr[1] = l->threads;
    return k;
}

/* Named barriers that the program uses stay the user's. */
static bool reserve(Stmt *s, void *ud)
{
    Low *l = ud;
    int64_t id = 0;
    if (s->kind == Scall && s->call.fn == Isync_threads && x_isint(l->p, s->call.arg[0], &id) &&
        id >= (int64_t)l->nextbar)
        l->nextbar = (uint32_t)id + 1;
    return true;
}

/* Registers: launches of 65536 for each multiprocessor; reference: 5.5. */
static Stmt *registers(Low *l, bool consumer)
{
    int groups = l->threads / Group;
    if (!l->m->setmaxnreg || groups > 3)
        return NULL;
    Stmt *s = pipe_op(l, Osetmaxnreg, l->launch->loc);
    s->op.attr[0] = !consumer ? 24 : groups == 3 ? 160 : 240;
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
        !low_buf(l, s->alloc.buf)->ring)
        return s;
    *top = low_append(*top, s);
    return NULL;
}

static Stmt *role(Low *l, int lo, int hi, const char *name, Stmt *body)
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
    Pipe *q = s->kind == Sfor && s->loop.kind == Fpipelined ? s->plan : NULL;
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

static void split(Roles *r)
{
    Low *l = r->l;
    Prog *p = l->p;
    Stmt *launch = l->launch, *top = NULL;
    bool regs = stmt_walk(launch->launch.body, no_setmaxnreg, NULL);
    uint32_t bar = 0;
    stmt_walk(launch->launch.body, reserve, l);
    numbers(r);
    for (int i = 0; i < r->n; i++)
        shared_parts(r, &r->split[i], &top);
    Stmt *producer = low_append(counters(r, 1), trim(l, slice(r, launch->launch.body)));
    producer = low_renew(l, producer);
    renumber(l, producer);
    consume(r, &launch->launch.body);
    launch->launch.body = low_append(counters(r, 0), launch->launch.body);
    low_rewrite(l, &launch->launch.body, hoist, &top);
    for (int i = 0; i < r->n; i++)
        if (r->split[i].q)
            low_rewrite(l, &r->split[i].q->before, hoist, &top);
    low_rewrite(l, &launch->launch.body, barriers, &bar);
    l->total = l->threads + Group;
    p->var[l->tid].hi = l->total - 1;
    launch->launch.threads[0] = l->total;
    Ex first = x_bin(p, Xeq, x_var(p, l->tid), low_i(l, l->threads));
    producer = pipe_if(l, first, producer);
    Stmt *body = consumer_thread(l, launch->launch.body);
    if (regs) {
        body = low_append(registers(l, true), body);
        producer = low_append(registers(l, false), producer);
    }
    Stmt *a = role(l, 0, l->threads, "consumers", body);
    a->next = role(l, l->threads, l->total, "producer", producer);
    launch->launch.body = low_append(top, a);
}

void roles_split(Low *l)
{
    Roles *r = anew(&l->p->ctx, sizeof *r);
    r->l = l;
    if (!l->m->tma || !l->m->mbarrier)
        return;
    collect(r, l->launch->launch.body);
    if (r->n == 0)
        return;
    stmt_walk(l->launch->launch.body, find_obstacle, r);
    if (!r->why)
        stmt_walk(l->launch->launch.body, each_expr, r);
    if (!r->why && l->threads % Group)
        r->why = afmt(&l->p->ctx, "%d %% %d != 0", l->threads, Group);
    if (!r->why && l->threads + Group > l->m->max_threads)
        r->why = afmt(&l->p->ctx, "%d + %d > %d", l->threads, Group, l->m->max_threads);
    if (!r->why && !plan_loops(r))
        return;
    if (!r->why) {
        find_leads(r, l->launch->launch.body, 0);
        feasible(r);
    }
    if (r->why) {
        low_note(l, E_roles_none, l->launch, r->why);
        return;
    }
    split(r);
}
