/* core/lower/solve/gather.c: what uses which fragment, in program order. */
#include <string.h>

#include "core/ir/eval.h"
#include "core/ir/reduce.h"
#include "solve.h"

bool const_region(const Prog *p, const Region *r, int32_t *extent)
{
    for (int d = 0; d < p->buf[r->buf].ndim; d++) {
        int64_t v;
        if (!x_isint(p, r->extent[d], &v) || v < 1 || v > INT32_MAX)
            return false;
        extent[d] = (int32_t)v;
    }
    return true;
}

typedef struct Declared Declared;
struct Declared { uint32_t var; };

static bool gather_not_declared(Stmt *s, void *ud)
{
    const Declared *d = ud;
    for (int i = 0; s->kind == Sfor && i < s->loop.n; i++)
        if (s->loop.var[i] == d->var)
            return false;
    return !(s->kind == Slet && s->let.var == d->var) &&
           !(s->kind == Satomic && s->atomic.prev == d->var);
}

bool declares(Stmt *list, uint32_t var)
{
    Declared d = {var};
    return !stmt_walk(list, gather_not_declared, &d);
}

/* Fragments -------------------------------------------------------------- */

/* The fragment of buffer b, entered at its first use. */
static uint32_t fragment(Solve *s, uint32_t b)
{
    Prog *p = s->l->p;
    if (b >= s->nof) {
        uint32_t old = s->nof;
        agrow(&p->ctx, &s->of, &s->nof, p->nbuf + 32, sizeof *s->of);
        for (uint32_t i = old; i < s->nof; i++)
            s->of[i] = -1;
    }
    if (s->of[b] >= 0)
        return (uint32_t)s->of[b];
    agrow(&p->ctx, &s->frag, &s->capfrag, s->nfrag + 1, sizeof *s->frag);
    Frag *f = &s->frag[s->nfrag];
    *f = (Frag){.buf = b, .ndim = p->buf[b].ndim, .from = -1};
    for (int d = 0; d < f->ndim; d++) {
        int64_t v = 1;
        x_isint(p, p->buf[b].shape[d], &v);
        f->size[d] = (int32_t)v;
    }
    s->of[b] = (int32_t)s->nfrag;
    return s->nfrag++;
}

/* Nodes ------------------------------------------------------------------ */

typedef struct FragGather FragGather;
struct FragGather {
    Solve *s;
    SolveNode *nd;   /* being filled */
    bool always;     /* the statement runs in every iteration of the node */
    Loc loc;
};

static SolveNode *node_new(Solve *s, enum NodeKind kind, Stmt *st, const Around *in)
{
    agrow(&s->l->p->ctx, &s->node, &s->capnode, s->nnode + 1, sizeof *s->node);
    SolveNode *n = &s->node[s->nnode++];
    *n = (SolveNode){.kind = (uint8_t)kind, .s = st, .in = in, .out = in, .from = -1};
    return n;
}

bool link_covers(const LayoutLink *k, const Frag *f)
{
    if (k->why)
        return false;
    for (int d = 0; d < f->ndim; d++) {
        int64_t pos = 1;
        for (int i = 0; i < k->n; i++)
            if (k->dim[i] == d) {
                if (k->p[i].coef > pos)
                    return false;
                pos = (int64_t)k->p[i].coef * k->p[i].extent;
            }
        if (pos < f->size[d] || k->off[d] || k->dyn[d])
            return false;
    }
    return true;
}

static void gather_use(FragGather *g, uint32_t buf, const Ex *idx, bool write)
{
    Solve *s = g->s;
    Use u = {.frag = fragment(s, buf), .read = !write, .write = write, .loc = g->loc};
    SolveNode *nd = g->nd;
    link_parse(s, nd, idx, s->l->p->buf[buf].ndim, &u.link);
    u.whole = write && g->always && link_covers(&u.link, &s->frag[u.frag]);
    for (uint32_t i = 0; i < nd->nuse; i++)
        if (nd->use[i].frag == u.frag && link_equal(&nd->use[i].link, &u.link)) {
            nd->use[i].read |= u.read && !nd->use[i].whole; /* else of what it wrote itself */
            nd->use[i].write |= u.write;
            nd->use[i].whole |= u.whole;
            return;
        }
    agrow(&s->l->p->ctx, &nd->use, &nd->capuse, nd->nuse + 1, sizeof *nd->use);
    nd->use[nd->nuse++] = u;
}

static void gather_fresh(Solve *s)
{
    if (s->capseen < s->l->p->nex)
        agrow(&s->l->p->ctx, &s->seen, &s->capseen, s->l->p->nex + 256, sizeof *s->seen);
    s->epoch++;
}

/* A load of a fragment, each once. */
static ExGo gather_load(void *ud, Ex e)
{
    FragGather *g = ud;
    Solve *s = g->s;
    Expr x = *ex_at(s->l->p, e);
    if (x.op != Xload || !low_fragment(s->l->p, x.sym))
        return EXinto;
    if (e < s->capseen) {
        if (s->seen[e] == s->epoch)
            return EXskip;
        s->seen[e] = s->epoch;
    }
    if (g->nd)
        gather_use(g, x.sym, x.arg, false);
    return EXinto;
}

/* The uses of one statement's own expressions. */
static void own_uses(FragGather *g, const Stmt *st)
{
    g->loc = st->loc;
    gather_fresh(g->s);
    stmt_ex_walk(g->s->l->p, st, gather_load, g);
    if (st->kind == Sstore && low_fragment(g->s->l->p, st->store.buf))
        gather_use(g, st->store.buf, st->store.idx, true);
}

/* The uses inside a parallel loop; in: the statements around, for unrolled loops. */
static void parloop_uses(FragGather *g, Stmt *list, bool always, const Around *in)
{
    Stmt *b[2];
    for (Stmt *st = list; st; st = st->next) {
        Around here = {st, in};
        g->always = always;
        g->nd->in = in;
        own_uses(g, st);
        for (int i = 0, n = stmt_blocks(st, b); i < n; i++)
            parloop_uses(g, b[i], false, &here);
    }
}

static void gather_parloop(Solve *s, Stmt *st, const Around *in)
{
    Prog *p = s->l->p;
    SolveNode *nd = node_new(s, NDloop, st, in);
    nd->nvar = st->loop.n;
    for (int i = 0; i < st->loop.n; i++) {
        int64_t lo = 0, hi = 1;
        nd->var[i] = st->loop.var[i];
        x_isint(p, st->loop.lo[i], &lo);
        x_isint(p, st->loop.hi[i], &hi);
        nd->lo[i] = (int32_t)lo;
        nd->size[i] = hi > lo ? (int32_t)(hi - lo) : 1;
    }
    FragGather g = {.s = s, .nd = nd};
    parloop_uses(&g, st->loop.body, true, in);
    s->node[s->nnode - 1].in = in;
}

/* Indices of an operation's region as those of a parallel loop over its extents. */
static void region_link(Solve *s, SolveNode *nd, const Region *r, const int8_t *var, LayoutLink *k)
{
    Prog *p = s->l->p;
    *k = (LayoutLink){.ndim = p->buf[r->buf].ndim};
    for (int d = 0; d < k->ndim; d++) {
        int64_t v, n = 1, size = INT32_MAX;
        x_isint(p, r->extent[d], &n);
        x_isint(p, p->buf[r->buf].shape[d], &size);
        if (!x_isint(p, r->min[d], &v))
            k->dyn[d] = r->min[d];
        else if (v < 0 || v > size - n) /* outside, under a condition that never holds */
            k->why = LWunaligned;
        else
            k->off[d] = (int32_t)v;
        if (var[d] >= 0 && nd->size[var[d]] > 1) {
            k->dim[k->n] = (uint8_t)d;
            k->p[k->n++] = (RadixPiece){(uint8_t)var[d], 1, nd->size[var[d]], 1};
        }
    }
}

static void region_use(Solve *s, SolveNode *nd, const Region *r, const int8_t *var, bool read,
                       bool write)
{
    Use u = {.frag = fragment(s, r->buf), .read = read, .write = write, .loc = nd->s->loc};
    region_link(s, nd, r, var, &u.link);
    u.whole = write && link_covers(&u.link, &s->frag[u.frag]);
    agrow(&s->l->p->ctx, &nd->use, &nd->capuse, nd->nuse + 1, sizeof *nd->use);
    nd->use[nd->nuse++] = u;
}

/* One node an operand of a gemm that is in registers, its layout the plan's. */
static void gather_gemm(Solve *s, Stmt *st, const Around *in)
{
    const GemmPlan *g = st->op.gemm;
    for (int i = 0; i < 3; i++) {
        const Region *r = &st->op.r[i];
        const Layout *want = i == 0 ? &g->a : i == 1 ? &g->b : &g->c;
        if (!low_fragment(s->l->p, r->buf))
            continue;
        SolveNode *nd = node_new(s, NDgemm, st, in);
        int n = s->l->p->buf[r->buf].ndim;
        bool swap = i < 2 && st->op.attr[i == 0 ? GEtransA : GEtransB];
        int8_t var[MaxDim];
        memset(var, -1, sizeof var);
        var[n - 2] = swap ? 1 : 0;
        var[n - 1] = swap ? 0 : 1;
        nd->operand = (uint8_t)i;
        nd->nvar = 2;
        nd->size[0] = want->size[0];
        nd->size[1] = want->size[1];
        nd->loop = *want;
        nd->set = nd->exact = true;
        nd->strength = i == 2 ? STgemm : STreduce;
        region_use(s, nd, r, var, i < 2 || !st->op.attr[GEclear], i == 2);
    }
}

/* A parallel loop over the source; the destination lacks one dimension, or has 1 there. */
static void gather_reduce(Solve *s, Stmt *st, const Around *in)
{
    const Region *src = &st->op.r[0], *dst = &st->op.r[1];
    Prog *p = s->l->p;
    int n = p->buf[src->buf].ndim, m = p->buf[dst->buf].ndim, dim = st->op.attr[REdim];
    int8_t a[MaxDim], b[MaxDim];
    SolveNode *nd = node_new(s, NDreduce, st, in);
    nd->nvar = (uint8_t)n;
    const_region(p, src, nd->size);
    memset(b, -1, sizeof b);
    for (int d = 0, j = 0; d < n; d++) {
        a[d] = (int8_t)d;
        if (d == dim && m < n)
            continue;
        if (j < m)
            b[j++] = d == dim ? -1 : (int8_t)d;
    }
    region_use(s, nd, src, a, true, false);
    region_use(s, nd, dst, b, !st->op.attr[REclear], true);
}

/* An operation whose fragments are wanted in memory: scans, prints. */
static void gather_memory(Solve *s, Stmt *st, const Around *in)
{
    for (int i = 0; i < opinfo[st->op.op].nregion; i++) {
        const Region *r = &st->op.r[i];
        char mode = opinfo[st->op.op].regions[i];
        if (!low_fragment(s->l->p, r->buf))
            continue;
        SolveNode *nd = s->nnode ? &s->node[s->nnode - 1] : NULL;
        if (nd && nd->kind == NDmemory && nd->s == st &&
            s->frag[nd->use[0].frag].buf == r->buf) { /* in place */
            nd->use[0].read |= mode != 'w';
            nd->use[0].write |= mode != 'r';
            nd->use[0].whole &= mode != 'u';
            continue;
        }
        nd = node_new(s, NDmemory, st, in);
        int8_t var[MaxDim];
        nd->nvar = s->l->p->buf[r->buf].ndim;
        const_region(s->l->p, r, nd->size);
        for (int d = 0; d < nd->nvar; d++)
            var[d] = (int8_t)d;
        region_use(s, nd, r, var, mode != 'w', mode != 'r');
        nd->use[0].link.why = LWdata;
    }
}

/* A statement outside of parallel loops that every thread executes. */
static void gather_scalar(Solve *s, Stmt *st, const Around *in)
{
    SolveNode *nd = node_new(s, NDscalar, st, in);
    FragGather g = {.s = s, .nd = nd};
    own_uses(&g, st);
    nd = &s->node[s->nnode - 1];
    if (nd->nuse == 0) {
        s->nnode--;
        return;
    }
    for (uint32_t i = 0; i < nd->nuse; i++)
        s->frag[nd->use[i].frag].floating = true;
}

static void gather_block(Solve *s, Stmt *list, const Around *in)
{
    Stmt *b[2];
    for (Stmt *st = list; st; st = st->next) {
        if (st->kind == Sfor && st->loop.kind == Fparallel) {
            gather_parloop(s, st, in);
            continue;
        }
        if (st->kind == Sop) {
            const GemmPlan *g = gemm_plan(st);
            if (g && g->mma)
                gather_gemm(s, st, in);
            else if (st->op.op == Oreduce && low_fragment(s->l->p, st->op.r[0].buf) &&
                     low_fragment(s->l->p, st->op.r[1].buf))
                gather_reduce(s, st, in);
            else
                gather_memory(s, st, in);
            continue;
        }
        gather_scalar(s, st, in);
        Around *here = anew(&s->l->p->ctx, sizeof *here);
        *here = (Around){st, in};
        for (int i = 0, n = stmt_blocks(st, b); i < n; i++)
            gather_block(s, b[i], here);
    }
}

/* Fragments that nothing uses still need a layout while their alloc stands. */
static bool gather_allocs(Stmt *st, void *ud)
{
    Solve *s = ud;
    if (st->kind == Salloc && low_fragment(s->l->p, st->alloc.buf))
        fragment(s, st->alloc.buf);
    return true;
}

/* Warps ------------------------------------------------------------------ */

static int warps_of(const Solve *s, int threads)
{
    return (threads + s->l->m->warp - 1) / s->l->m->warp;
}

/* The warps that touch a fragment: as many as the narrowest of its nodes has.
 * Nodes of roles that begin elsewhere find their elements in warps of the same
 * number when these divide the distance. */
static void gather_accessed_by(const Solve *s, Frag *f, const SolveNode *n)
{
    const Stmt *role = around_role(n->in);
    int base = role ? role->role.lo / s->l->m->warp : 0;
    if (!f->most) {
        f->most = n->warps;
        f->base = base;
        return;
    }
    f->most = n->warps < f->most ? n->warps : f->most;
    int off = base > f->base ? base - f->base : f->base - base;
    if (off % f->most)
        f->most = (int)eval_gcd(f->most, off);
}

/* One layout serves all that fragments connect, so it has the warps of the
 * narrowest. */
static void gather_narrow(Solve *s)
{
    for (bool any = true; any;) {
        any = false;
        for (uint32_t i = 0; i < s->nnode; i++)
            for (uint32_t k = 0; k < s->node[i].nuse; k++) {
                int *a = &s->node[i].warps, *b = &s->frag[s->node[i].use[k].frag].warps;
                any |= *a != *b;
                *a = *b = *a < *b ? *a : *b;
            }
    }
}

static void gather_warps(Solve *s)
{
    int all = warps_of(s, s->l->threads);
    for (uint32_t i = 0; i < s->nnode; i++) {
        const Stmt *role = around_role(s->node[i].in);
        s->node[i].warps = role ? warps_of(s, role->role.hi - role->role.lo) : all;
        for (uint32_t k = 0; k < s->node[i].nuse; k++)
            gather_accessed_by(s, &s->frag[s->node[i].use[k].frag], &s->node[i]);
    }
    for (uint32_t i = 0; i < s->nfrag; i++) {
        Frag *f = &s->frag[i];
        f->most = f->most ? f->most : all;
        f->warps = f->most;
    }
    gather_narrow(s);
}

void solve_gather(Solve *s)
{
    gather_block(s, s->l->launch->launch.body, NULL);
    stmt_walk(s->l->launch->launch.body, gather_allocs, s);
    gather_warps(s);
}
