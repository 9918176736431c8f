/* core/lower/pipe/roles_plan.c: what a producer can take over: the loads of pipelined
 * loops that TMA moves, the barrier pairs they share, copies in front of the loops, and
 * whether the producer can compute all that its loops and indices need. */
#include <string.h>

#include "core/ir/walk.h"
#include "roles.h"
#include "err/pipes.h"

/* What a split needs of the program ------------------------------------- */

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
    return r->why != NULL;
}

static bool each_expr(Stmt *s, void *ud)
{
    Roles *r = ud;
    return !stmt_any(r->l->p, s, block_wide, r);
}

/* Pipelined loops, with what is around them ----------------------------- */

static Split *new_split(Roles *r)
{
    agrow(&r->l->p->ctx, &r->split, &r->capsplit, (uint32_t)r->n + 1, sizeof *r->split);
    return &r->split[r->n++];
}

static bool no_pipeline(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Sfor || s->loop.kind != Fpipelined;
}

static void collect_roles(Roles *r, Stmt *s)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        bool piped = s->kind == Sfor && s->loop.kind == Fpipelined;
        if (piped && s->loop.num_stages > 0) {
            Split *k = new_split(r);
            k->like = -1;
            k->s = s;
            k->depth = r->depth;
            memcpy(k->up, r->up, sizeof k->up);
        }
        if (!piped && r->depth == RoleDepth && stmt_blocks(s, b) &&
            !stmt_walk(b[0], no_pipeline, NULL))
            low_note(r->l, E_roles_none, s, afmt(&r->l->p->ctx, "> %d", RoleDepth));
        if (piped || r->depth == RoleDepth || (s->kind == Sfor && s->loop.kind == Fparallel))
            continue; /* a loop in a pipelined one stays as it is */
        r->up[r->depth++] = s;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            collect_roles(r, b[i]);
        r->depth--;
    }
}

/* Which statements are splits ------------------------------------------- */

static struct RolesAt *role_at(const Roles *r, const Stmt *s)
{
    uint32_t i = (uint32_t)((uint64_t)(uintptr_t)s * 0x9E3779B97F4A7C15u >> 32) & (r->capat - 1);
    while (r->at[i].s && r->at[i].s != s)
        i = (i + 1) & (r->capat - 1);
    return &r->at[i];
}

static void assign_role(Roles *r, const Stmt *s, int split)
{
    if (2 * (r->nat + 1) >= r->capat) {
        struct RolesAt *old = r->at;
        uint32_t n = r->capat;
        r->capat = n ? 2 * n : 64;
        r->at = anew(&r->l->p->ctx, r->capat * sizeof *r->at);
        for (uint32_t i = 0; i < n; i++)
            if (old[i].s)
                *role_at(r, old[i].s) = old[i];
    }
    struct RolesAt *k = role_at(r, s);
    r->nat += !k->s;
    if (!k->s || split >= 0)
        *k = (struct RolesAt){s, split};
}

/* Split number i and what is around it can be found from now on. */
static void enter_split(Roles *r, int i)
{
    const Split *k = &r->split[i];
    assign_role(r, k->s, i);
    for (int d = 0; d < k->depth; d++)
        assign_role(r, k->up[d], -1);
}

Split *roles_split_of(const Roles *r, const Stmt *s)
{
    const struct RolesAt *k = r->capat ? role_at(r, s) : NULL;
    return k && k->s && k->split >= 0 ? &r->split[k->split] : NULL;
}

/* Is s one of the splits? */
static bool roles_is(const Roles *r, const Stmt *s) { return roles_split_of(r, s) != NULL; }

/* Is one of them s, or inside of it? */
static bool roles_holds(const Roles *r, const Stmt *s) { return r->capat && role_at(r, s)->s; }

/* The copies of a unit that TMA may move: one, or several under one `if`. */
Stmt *roles_copies(Stmt *s)
{
    return s->kind == Sif ? s->cond.then : s;
}

int64_t roles_bytes(const Low *l, const Stmt *s)
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

/* Does the launch write what s loads?  Who computes is told by barriers, a producer by none. */
static bool source_written(const Roles *r, const Split *k, const Stmt *s)
{
    Low *l = r->l;
    uint32_t b = s->op.r[0].buf, root = buf_root(l->p, b);
    if (!low_changed(l, root) && !(low_accesses(l, k->s, false, root) & FXwrite))
        return false;
    low_note(l, E_roles_written, s, l->p->buf[s->op.r[1].buf].name, l->p->buf[b].name);
    return true;
}

static bool eligible(Roles *r, const Split *k, int i)
{
    Low *l = r->l;
    const Unit *u = &k->q->unit[i];
    const char *why = NULL;
    if (!u->load || (u->s->kind == Sif && u->s->cond.els))
        return false;
    for (const Stmt *s = roles_copies(u->s); s; s = s->next) {
        if (s->kind != Sop || s->op.op != Ocopy || source_written(r, k, s))
            return false;
        uint32_t b = s->op.r[1].buf;
        if ((!atoms(l, &s->op.r[1]) || !tma_layout(l, b)) && (why = l->p->buf[b].name)) {
            low_note(l, E_roles_copy, s, l->p->buf[b].name, why);
            return false;
        }
        if (!select_tma(l, s, &why) ||
            (low_read_behind(k->q->l, k->q->loop, k->q->above, b) && (why = l->p->buf[b].name))) {
            low_note(l, E_roles_copy, s, l->p->buf[b].name, why);
            return false;
        }
    }
    return true;
}

static int roles_plan_accessed_by(const Split *k, int unit, int i)
{
    int mode = 0;
    for (const Stmt *s = roles_copies(k->q->unit[unit].s); s; s = s->next)
        mode |= pipe_touches(k->q, i, s->op.r[1].buf);
    return mode;
}

/* Loads that are waited for and released at the same places share a barrier pair. */
static void make_pipes(Split *k)
{
    Pipe *q = k->q;
    for (int i = 0; i < q->n; i++) {
        int first = -1, last = -1, j = 0;
        if (!k->tma[i])
            continue;
        for (int u = 0; u < q->n; u++)
            if (!k->tma[u] && roles_plan_accessed_by(k, i, u)) {
                first = first < 0 ? u : first;
                last = u;
            }
        Ex cond = q->unit[i].s->kind == Sif ? q->unit[i].s->cond.cond : 0;
        while (j < k->npipe && (k->pipe[j].first != first || k->pipe[j].last != last ||
                                k->pipe[j].cond != cond))
            j++;
        if (first < 0) { /* nobody reads it */
            k->tma[i] = false;
            continue;
        }
        agrow(&q->l->p->ctx, &k->pipe, &k->cappipe, (uint32_t)j + 1, sizeof *k->pipe);
        BarrierPair *g = &k->pipe[j];
        if (j == k->npipe) {
            k->npipe++;
            g->first = first;
            g->last = last;
            g->cond = cond;
        }
        agrow(&q->l->p->ctx, &g->unit, &g->capunit, (uint32_t)g->n + 1, sizeof *g->unit);
        g->unit[g->n++] = i;
    }
}

/* One buffer in two loads of different barrier pairs would be guarded twice. */
static void split_loads(Split *k)
{
    Pipe *q = k->q;
    for (int i = 0; i < q->n; i++)
        for (int u = 0; u < q->n && k->tma[i]; u++)
            if (u != i && q->unit[u].load && roles_plan_accessed_by(k, i, u) & FXwrite)
                k->tma[i] = k->tma[u] = false;
}

/* The loop's units, and which of them TMA moves. */
static bool plan_units(Roles *r, Split *k)
{
    Stmt *s = k->s;
    Above above[RoleDepth];
    for (int d = 0; d < k->depth; d++)
        above[d] = (Above){k->up[d], d ? &above[d - 1] : NULL};
    low_uses_less(r->l, s);
    k->q = pipe_new(r->l, s, k->depth ? &above[k->depth - 1] : NULL);
    s->loop.pipe = k->q;
    bool ours = k->q->cut && !s->loop.norder && !s->loop.nstage;
    if (k->q->cut && !ours)
        low_note(r->l, E_roles_none, s, "order, stage");
    k->tma = anew(&r->l->p->ctx, (size_t)k->q->n + 1);
    for (int i = 0; ours && i < k->q->n; i++)
        k->tma[i] = eligible(r, k, i);
    k->q->above = NULL;
    low_uses_more(r->l, s, false);
    return ours;
}

static void plan_stages(Roles *r, Split *k)
{
    const Stmt *s = k->s;
    int64_t trips;
    k->stages = s->loop.num_stages;
    k->trip = x_bin(r->l->p, Xsub, s->loop.hi[0], s->loop.lo[0]);
    if (x_isint(r->l->p, k->trip, &trips) && trips <= k->stages) {
        k->stages = trips > 1 ? (int)trips : 1;
        k->once = k->depth == 0; /* no stage is used again */
    }
}

/* The loop goes without what it has not asked for. */
static void plan_lean(Roles *r, Split *k)
{
    if (!k->q || !k->s->loop.spare)
        return;
    k->s->loop.spare = false;
    k->s->loop.num_stages--;
    k->once = false;
    plan_stages(r, k);
}

/* Do threads copy some of what the loop loads? */
static bool plan_mixed(const Split *k)
{
    bool mixed = false;
    for (int i = 0; i < k->q->n; i++)
        mixed |= k->q->unit[i].load && !k->tma[i];
    return mixed;
}

static bool plan_loops(Roles *r)
{
    int n = 0;
    for (int j = 0; j < r->n; j++) {
        Split *k = &r->split[j];
        bool any = false;
        if (!plan_units(r, k))
            continue;
        split_loads(k);
        make_pipes(k);
        for (int i = 0; i < k->npipe; i++)
            any |= k->pipe[i].n > 0;
        plan_stages(r, k);
        if (any && plan_mixed(k)) /* measured: slower with it */
            plan_lean(r, k);
        if (any)
            r->split[n++] = *k;
    }
    r->n = n;
    for (int i = 0; i < n; i++)
        enter_split(r, i);
    return n > 0;
}

/* Copies before the loops ----------------------------------------------- */

/* Statements of the list, and inside of it, that touch b; a write counts as
 * many, so that it is found. */
enum { Many = 1 << 20 };

static int count_other_uses(const Low *l, const Stmt *s, const Stmt *except, uint32_t b)
{
    Stmt *in[2];
    int sum = 0;
    for (; s; s = s->next) {
        int n = stmt_blocks(s, in);
        int t = n == 0 && s != except ? low_accesses(l, s, false, b) : 0;
        sum += t & FXwrite ? Many : t != 0;
        for (int i = 0; i < n; i++)
            sum += count_other_uses(l, in[i], except, b);
    }
    return sum;
}

/* A copy to a whole buffer, all of whose users follow it in its block.  Where it is
 * repeated none of them writes: the next copy would not wait for that; and nothing leaves
 * the block before their end, where the consumers give it back. */
static bool leads(Roles *r, const Stmt *s, int depth)
{
    Low *l = r->l;
    const Stmt *body = l->launch->launch.body;
    const char *why = NULL;
    if (s->kind != Sop || s->op.op != Ocopy || l->p->buf[s->op.r[1].buf].scope != SCshared)
        return false;
    uint32_t b = s->op.r[1].buf;
    if (low_viewed(l, b) || !tma_layout(l, b) || !region_whole(l->p, &s->op.r[1]) ||
        !select_tma(l, s, &why) ||
        low_changed(l, buf_root(l->p, s->op.r[0].buf)))
        return false;
    int behind = count_other_uses(l, s->next, s, b);
    return behind > 0 && behind == count_other_uses(l, body, s, b) &&
           (depth == 0 || (behind < Many && !stmt_leaves(s->next)));
}

static void find_leads(Roles *r, Stmt *s, int depth)
{
    Stmt *b[2];
    const Stmt *last = NULL; /* that a loop of ours is in */
    for (const Stmt *k = s; k; k = k->next)
        last = roles_holds(r, k) ? k : last;
    for (; s; s = s->next) {
        if (s == last)
            last = NULL;
        if (last && leads(r, s, depth)) {
            Split *k = new_split(r);
            *k = (Split){.s = s,
                         .like = -1,
                         .depth = depth,
                         .npipe = 1,
                         .stages = 1,
                         .trip = low_i(r->l, 1),
                         .once = depth == 0};
            agrow(&r->l->p->ctx, &k->pipe, &k->cappipe, 1, sizeof *k->pipe);
            memcpy(k->up, r->up, sizeof k->up);
            enter_split(r, r->n - 1);
        }
        if (roles_is(r, s) || !roles_holds(r, s) || depth == RoleDepth)
            continue;
        r->up[depth] = s;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            find_leads(r, b[i], depth + 1);
    }
}

/* What the producer has to follow --------------------------------------- */

static ExGo roles_plan_follow(void *ud, Ex e)
{
    Roles *r = ud;
    Low *l = r->l;
    const Expr *x = &l->p->ex[e];
    const Var *v = x->op == Xvar ? &l->p->var[x->sym] : NULL;
    if (v && (v->kind == Vthread || (v->kind == Vlet && !v->value)))
        r->why = v->name;
    if (x->op == Xcall && intrinfo[x->sym].level == 'T')
        r->why = intrinfo[x->sym].text;
    if (x->op == Xload) {
        uint32_t b = buf_root(l->p, x->sym);
        int sc = l->p->buf[b].scope;
        if (sc == SClocal || sc == SCvar) {
            r->more |= !r->need[b];
            r->need[b] = true;
        } else if (sc != SCglobal || low_changed(l, b)) {
            r->why = l->p->buf[b].name;
        }
    }
    return r->why ? EXstop : EXinto;
}

/* Everything in e is known to the producer, or can be computed by it too. */
static bool follows(void *ud, Ex e)
{
    Roles *r = ud;
    return ex_walk_let(r->l->p, e, roles_plan_follow, r);
}

static bool writes_needed(void *ud, const MemEffect *e)
{
    const Roles *r = ud;
    return !(e->mode & FXwrite && r->need[e->root]);
}

bool roles_kept(Roles *r, const Stmt *s)
{
    if (s->kind == Sbreak || s->kind == Scontinue)
        return true;
    if (s->kind == Sif && (stmt_leaves(s->cond.then) || stmt_leaves(s->cond.els)))
        return true;
    if (s->kind == Salloc)
        return r->need[s->alloc.buf];
    return roles_holds(r, s) || !block_effects(r->l->p, s, false, writes_needed, r);
}

/* The consumers' units of a loop set what the producer would have to know. */
static bool sets_needed(Roles *r, const Split *of)
{
    for (int u = 0; u < of->q->n; u++) {
        Stmt one = *of->q->unit[u].s;
        one.next = NULL;
        if (!of->tma[u] && !block_effects(r->l->p, &one, false, writes_needed, r))
            return true;
    }
    return false;
}

/* Walks what the producer will contain, asking follows() about it. */
static void roles_plan_scan(Roles *r, Stmt *s)
{
    Low *l = r->l;
    Stmt *b[2];
    for (; s && !r->why; s = s->next) {
        if (!roles_kept(r, s))
            continue;
        if (s->kind == Sop && !roles_is(r, s)) {
            r->why = opinfo[s->op.op].text;
            return;
        }
        if (s->kind == Satomic || (s->kind == Sfor && s->loop.kind == Fparallel)) {
            r->why = s->kind == Satomic ? "T.atomic" : "T.Parallel";
            return;
        }
        if (!roles_is(r, s) || s->kind == Sop)
            stmt_exprs(l->p, s, follows, r);
        if (roles_is(r, s) && s->kind == Sfor) {
            stmt_exprs(l->p, s, follows, r);
            const Split *of = roles_split_of(r, s);
            if (sets_needed(r, of)) {
                r->why = "T.Pipelined";
                return;
            }
            for (int u = 0; u < of->q->n; u++)
                if (of->tma[u]) {
                    const Stmt *k = of->q->unit[u].s;
                    stmt_exprs(l->p, k, follows, r);
                    for (k = roles_copies(of->q->unit[u].s); k; k = k->next)
                        stmt_exprs(l->p, k, follows, r);
                }
            continue;
        }
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            roles_plan_scan(r, b[i]);
    }
}

static bool feasible(Roles *r)
{
    r->need = anew(&r->l->p->ctx, r->l->p->nbuf);
    do {
        r->more = false;
        roles_plan_scan(r, r->l->launch->launch.body);
    } while (r->more && !r->why);
    return r->why == NULL;
}

/* Memory ------------------------------------------------------------------ */

/* Shared memory that the roles need at the least: they run side by side, so that what
 * they touch has bytes of its own, each loop's stages too unless it uses another's. */
static int64_t roles_plan_side_by_side(const Roles *r)
{
    const Low *l = r->l;
    const Prog *p = l->p;
    bool *loaded = anew(&r->l->p->ctx, p->nbuf * sizeof *loaded);
    int64_t sum = 0;
    for (int i = 0; i < r->n; i++) {
        const Split *k = &r->split[i];
        for (int u = 0; k->q && u < k->q->n; u++)
            for (const Stmt *s = k->q->unit[u].load ? roles_copies(k->q->unit[u].s) : NULL; s;
                 s = s->next) {
                if (s->kind != Sop || s->op.op != Ocopy)
                    continue;
                uint32_t b = s->op.r[1].buf;
                sum += k->like >= 0 && k->tma[u] ? 0 : k->stages * buf_bytes(p, b);
                loaded[b] = true;
            }
    }
    for (uint32_t b = 1; b < p->nbuf; b++)
        if (p->buf[b].scope == SCshared && !p->buf[b].base && !loaded[b] &&
            low_in_use(l, b))
            sum += buf_bytes(p, b);
    for (uint32_t b = 1; b < p->nbuf; b++) /* boxes of results */
        if (low_buf(r->l, b)->staging)
            sum += buf_bytes(p, low_buf(r->l, b)->staging);
    return sum;
}

static bool same_tile(Low *l, uint32_t a, uint32_t b)
{
    const Buf *x = &l->p->buf[a], *y = &l->p->buf[b];
    bool text = x->layout && y->layout ? strcmp(x->layout, y->layout) == 0 : x->layout == y->layout;
    bool same = text && x->dt == y->dt && x->ndim == y->ndim &&
                low_buf(l, a)->span == low_buf(l, b)->span;
    for (int d = 0; d < x->ndim && same; d++)
        same = x->shape[d] == y->shape[d];
    return same;
}

/* May loop k, which follows loop j in the same block, use j's barrier pairs and stages? */
static bool fits_in(Roles *r, const Split *k, const Split *j)
{
    bool ok = k->q && j->q && j->like < 0 && k->npipe == j->npipe && k->stages == j->stages &&
              k->depth == j->depth && memcmp(k->up, j->up, (size_t)k->depth * sizeof *k->up) == 0;
    const Stmt *s = ok ? j->s : NULL;
    while (s && s != k->s)
        s = s->next;
    ok = ok && s && x_pure(r->l->p, k->trip) && x_pure(r->l->p, j->trip);
    for (int g = 0; ok && g < k->npipe; g++) {
        ok = k->pipe[g].n == j->pipe[g].n;
        for (int i = 0; ok && i < k->pipe[g].n; i++) {
            const Stmt *a = roles_copies(k->q->unit[k->pipe[g].unit[i]].s);
            const Stmt *b = roles_copies(j->q->unit[j->pipe[g].unit[i]].s);
            for (; ok && a && b; a = a->next, b = b->next)
                ok = same_tile(r->l, a->op.r[1].buf, b->op.r[1].buf);
            ok = ok && !a && !b;
        }
    }
    return ok;
}

/* Where the stages of all loops do not fit side by side, loops that follow one another use
 * the same: the later one's first loads wait until the earlier one has released them. */
static void lend(Roles *r)
{
    for (int i = 0; i < r->n; i++)
        for (int j = 0; j < i && r->split[i].like < 0; j++)
            if (fits_in(r, &r->split[i], &r->split[j])) {
                r->split[i].like = j;
                r->split[j].lent = true;
                r->split[i].once = r->split[j].once = false;
            }
}

static bool has_room(Roles *r)
{
    Ctx *c = &r->l->p->ctx;
    int64_t most = r->l->m->shared_block - r->l->retry.keep, sum = roles_plan_side_by_side(r);
    if (sum > most && r->l->needs.after) {
        epilogue_beside(r->l);
        sum = roles_plan_side_by_side(r);
    }
    for (int i = 0; i < r->n && sum > most; i++) {
        plan_lean(r, &r->split[i]);
        sum = roles_plan_side_by_side(r);
    }
    if (sum > most)
        lend(r);
    if (sum > most && (sum = roles_plan_side_by_side(r)) > most)
        r->why = afmt(c, "%lld > %lld B", (long long)sum, (long long)most);
    r->l->needs.side = r->why ? 0 : sum;
    return r->why == NULL;
}

bool roles_plan(Roles *r)
{
    Low *l = r->l;
    Stmt *body = l->launch->launch.body;
    collect_roles(r, body);
    if (r->n == 0)
        return false;
    if (l->retry.united)
        r->why = "a check of the barriers between them could not be passed";
    if (!r->why)
        stmt_walk(body, find_obstacle, r);
    if (!r->why)
        stmt_walk(body, each_expr, r);
    if (!r->why && l->threads % Group)
        r->why = afmt(&l->p->ctx, "%d %% %d != 0", l->threads, Group);
    if (!r->why && l->threads + Group > l->m->max_threads)
        r->why = afmt(&l->p->ctx, "%d + %d > %d", l->threads, Group, l->m->max_threads);
    if (r->why || !plan_loops(r))
        return false;
    find_leads(r, body, 0);
    return feasible(r) && has_room(r);
}
