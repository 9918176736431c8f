/* core/lower/solve/free.c: layouts that nothing fixes: candidates, and what
 * they cost.
 *
 * A component without an anchor is laid out from one of its parallel loops: every width
 * of a vector times the dimension that goes fastest over the lanes, times how
 * warps are spread and whether odd extents are padded.  Each candidate spreads
 * over the component; the cheapest stays, the first on ties.  The cost of a
 * layout is counted for a whole block, in warp operations: sectors of global
 * memory touched + 4 * wavefronts of shared memory + accesses, shuffles and
 * exchanges of reductions + registers of a thread (reference: 7.4). */
#include <stdlib.h>
#include <string.h>

#include "core/ir/expr.h"
#include "core/lower/parallel/parallel.h"
#include "solve.h"

/* Candidates ------------------------------------------------------------- */

static int32_t free_ceildiv(int32_t a, int32_t b) { return (a + b - 1) / b; }

/* Lanes that a rest of this many gets, of `left`: as many as divide it, or,
 * padded, as cover it. */
static int32_t lanes_for(int32_t rest, int32_t left, bool pad)
{
    int32_t k = 1;
    while (k < left && (pad ? k < rest : rest % (2 * k) == 0))
        k *= 2;
    return k;
}

static int32_t warps_for(int32_t rest, int32_t left, bool pad)
{
    for (int32_t k = left; k > 1; k--)
        if (left % k == 0 && k <= rest && (pad || rest % k == 0))
            return k;
    return 1;
}

/* Dimensions in the order in which threads go over them. */
static void free_order(int n, int fast, int *out)
{
    int k = 0;
    if (n)
        out[k++] = fast;
    for (int d = n - 1; d >= 0; d--)
        if (d != fast)
            out[k++] = d;
}

void plan_default(const Solve *s, const SolveNode *nd, int fast, int vec, bool pad, bool spread,
                  Layout *out)
{
    int dims[MaxLoop], n = nd->nvar;
    int32_t rest[MaxLoop], lane[MaxLoop], lstride[MaxLoop], warp[MaxLoop], wstride[MaxLoop];
    int32_t lanes = 1, warps = 1;
    free_order(n, fast, dims);
    for (int d = 0; d < n; d++)
        rest[d] = d == fast ? free_ceildiv(nd->size[d], vec) : nd->size[d];
    for (int i = 0; i < n; i++) {
        int d = dims[i];
        lane[d] = lanes_for(rest[d], s->lanes / lanes, pad);
        lstride[d] = lanes;
        lanes *= lane[d];
        rest[d] = free_ceildiv(rest[d], lane[d]);
    }
    for (int i = 0; i < n; i++) {
        int d = dims[spread ? i : n - 1 - i];
        warp[d] = warps_for(rest[d], nd->warps / warps, pad);
        wstride[d] = warps;
        warps *= warp[d];
        rest[d] = free_ceildiv(rest[d], warp[d]);
    }
    layout_init(out, n, nd->size);
    for (int d = 0; d < n; d++) {
        if (d == fast && vec > 1)
            layout_mode(out, d, vec, AXreg, 1);
        if (lane[d] > 1)
            layout_mode(out, d, lane[d], AXlane, lstride[d]);
        if (warp[d] > 1)
            layout_mode(out, d, warp[d], AXwarp, wstride[d]);
        if (rest[d] > 1)
            layout_mode(out, d, rest[d], AXreg, 1);
    }
    if (lanes < s->l->m->warp)
        layout_bcast(out, s->l->m->warp / lanes, AXlane, lanes);
    if (warps < nd->warps)
        layout_bcast(out, nd->warps / warps, AXwarp, warps);
    layout_pack(out);
    layout_canon(out);
}

/* Memory accesses of a parallel loop ---------------------------------------------- */

typedef struct FreeScan FreeScan;
struct FreeScan { Solve *s; SolveNode *n; };

static void mem(FreeScan *q, uint32_t buf, const Ex *idx)
{
    SolveNode *n = q->n;
    const Buf *b = &q->s->l->p->buf[buf];
    if (b->scope != SCglobal && b->scope != SCshared)
        return;
    agrow(&q->s->l->p->ctx, &n->mem, &n->capmem, n->nmem + 1, sizeof *n->mem);
    n->mem[n->nmem++] = (SolveAccess){buf, idx};
}

static ExGo free_loads(void *ud, Ex e)
{
    FreeScan *q = ud;
    const Expr *x = ex_at(q->s->l->p, e);
    if (x->op == Xload)
        mem(q, x->sym, x->arg);
    return EXinto;
}

static bool scan_stmt(Stmt *st, void *ud)
{
    FreeScan *q = ud;
    stmt_ex_walk(q->s->l->p, st, free_loads, q);
    if (st->kind == Sstore)
        mem(q, st->store.buf, st->store.idx);
    else if (st->kind == Satomic)
        mem(q, st->atomic.buf, st->atomic.idx);
    return true;
}

static uint8_t free_narrower(const Solve *s, uint8_t bits, uint32_t buf)
{
    uint8_t w = dtypeinfo[s->l->p->buf[buf].dt].bits;
    return w < bits ? w : bits;
}

static void free_scan(Solve *s, SolveNode *n)
{
    FreeScan q = {s, n};
    if (n->scanned)
        return;
    if (n->kind == NDloop)
        stmt_walk(n->s->loop.body, scan_stmt, &q);
    n->scanned = true;
    n->membits = n->ownbits = 64;
    for (uint32_t k = 0; k < n->nmem; k++)
        n->membits = free_narrower(s, n->membits, n->mem[k].buf);
    for (uint32_t k = 0; k < n->nuse; k++)
        n->ownbits = free_narrower(s, n->ownbits, s->frag[n->use[k].frag].buf);
}

/* Cost ------------------------------------------------------------------- */

/* Element offset of an access at the values in env; a dimension that is only
 * known later counts as 4096. */
static bool free_offset(Solve *s, const SolveAccess *m, int64_t *out)
{
    const Prog *p = s->l->p;
    const Buf *b = &p->buf[m->buf];
    int64_t step = 1;
    *out = 0;
    for (int d = b->ndim - 1; d >= 0; d--) {
        int64_t v, n = 4096, pitch = step;
        x_eval_lets(p, m->idx[d], s->env);
        if (!x_eval(p, m->idx[d], s->env, &v))
            return false;
        if (b->stride[d] && !x_isint(p, b->stride[d], &pitch))
            pitch = d == b->ndim - 1 ? 1 : 4096;
        x_isint(p, b->shape[d], &n);
        *out = ex_wadd(*out, ex_wmul(v, pitch));
        step = ex_wmul(step, n);
    }
    return true;
}

enum { MaxLanes = 64 };

/* Places the node's variables at register 0 of a lane of warp 0. */
static void place_lane(Solve *s, const SolveNode *n, const Layout *loop, int lane)
{
    int32_t idx[LayDims];
    Spot at = {{[AXlane] = lane}};
    layout_invert(loop, &at, idx);
    for (int i = 0; i < n->nvar; i++)
        s->env[n->var[i]] = idx[i] + n->lo[i];
}

/* Elements that one thread has side by side in memory and in its registers. */
static int vector_elements(Solve *s, const SolveNode *n, const Layout *loop, const SolveAccess *m)
{
    int64_t a, b;
    int bits = dtypeinfo[s->l->p->buf[m->buf].dt].bits, most = s->l->m->vec_bytes * 8;
    place_lane(s, n, loop, 0);
    if (!free_offset(s, m, &a))
        return 1;
    for (int v = 0; v < n->nvar; v++) {
        s->env[n->var[v]]++;
        bool next = free_offset(s, m, &b) && b == ex_wadd(a, 1);
        s->env[n->var[v]]--;
        if (!next || loop->n == 0)
            continue;
        for (int i = 0; i < loop->n; i++)
            if (loop->d[i].dim == v && loop->d[i].weight == 1 && loop->d[i].axis == AXreg) {
                int k = 1;
                while (2 * k * bits <= most && loop->d[i].extent % (2 * k) == 0 &&
                       a % (2 * k) == 0)
                    k *= 2;
                return k;
            }
    }
    return 1;
}

/* Threads that store the halves of a byte: what is held elsewhere has to be moved. */
enum { SplitByte = 1 << 24 };

static int64_t mem_cost(Solve *s, const SolveNode *n, const Layout *loop, const SolveAccess *m)
{
    const Machine *mc = s->l->m;
    const Buf *b = &s->l->p->buf[m->buf];
    int bits = dtypeinfo[b->dt].bits;
    int vec = vector_elements(s, n, loop, m), lanes = mc->warp < MaxLanes ? mc->warp : MaxLanes;
    int64_t regs = layout_extent(loop, AXreg), warps = layout_extent(loop, AXwarp);
    int64_t times = (regs + vec - 1) / vec * warps, addr[MaxLanes];
    int size = vec * bits / 8;
    size = size ? size : 1;
    for (int lane = 0; lane < lanes; lane++) {
        place_lane(s, n, loop, lane);
        if (!free_offset(s, m, &addr[lane]))
            return (int64_t)lanes * times;
        addr[lane] = ex_wmul(addr[lane], bits) / 8;
    }
    if (b->scope == SCshared) {
        BankCost c = bank_cost(addr, lanes, size, mc->banks, mc->bank_bytes);
        return times * (4 * c.waves + 1);
    }
    int accessed, ideal;
    sector_cost(addr, lanes, size, mc->sector, &accessed, &ideal);
    return times * (accessed + 1);
}

/* Shuffles within warps, exchanges between them. */
static int64_t reduce_cost(const Layout *loop, int dim)
{
    int64_t steps = 0, exchange = 0, regs = 1, warps = layout_extent(loop, AXwarp);
    for (int i = 0; i < loop->n; i++) {
        const Mode *d = &loop->d[i];
        if (d->dim != dim && d->axis == AXreg)
            regs *= d->extent;
        if (d->dim == dim && d->axis == AXlane)
            for (int32_t e = d->extent; e > 1; e /= 2)
                steps++;
        if (d->dim == dim && d->axis == AXwarp)
            exchange = 1;
    }
    return warps * (2 * regs * steps + exchange * (16 + 8 * regs));
}

static int64_t node_cost(Solve *s, uint32_t i)
{
    SolveNode *n = &s->node[i];
    int64_t sum = 0;
    if (n->kind == NDreduce)
        return reduce_cost(&n->loop, n->s->op.attr[1]);
    if (n->kind != NDloop)
        return 0;
    free_scan(s, n);
    for (uint32_t k = 0; k < n->nmem; k++)
        sum += mem_cost(s, n, &n->loop, &n->mem[k]);
    if (n->membits < 8 && parloop_splits(s->l, n->s, &n->loop))
        sum += SplitByte;
    return sum + layout_extent(&n->loop, AXreg);
}

static int64_t frag_cost(const Solve *s, const Frag *f)
{
    return layout_extent(&f->map, AXreg) * ((dtypeinfo[s->l->p->buf[f->buf].dt].bits + 31) / 32);
}

/* Choice ----------------------------------------------------------------- */

typedef struct Saved Saved;
struct Saved { SolveNode *node; Frag *frag; }; /* of a part, in its order */

static void save(const Solve *s, const IndexPiece *part, Saved *to)
{
    for (uint32_t i = 0; i < part->nnode; i++)
        to->node[i] = s->node[part->node[i]];
    for (uint32_t i = 0; i < part->nfrag; i++)
        to->frag[i] = s->frag[part->frag[i]];
}

static void restore(Solve *s, const IndexPiece *part, const Saved *from)
{
    for (uint32_t i = 0; i < part->nnode; i++)
        s->node[part->node[i]] = from->node[i];
    for (uint32_t i = 0; i < part->nfrag; i++)
        s->frag[part->frag[i]] = from->frag[i];
}

static void saved_new(Solve *s, const IndexPiece *part, Saved *to)
{
    to->node = anew(&s->l->p->ctx, (part->nnode + 1) * sizeof *to->node);
    to->frag = anew(&s->l->p->ctx, (part->nfrag + 1) * sizeof *to->frag);
}

/* Accesses that do not agree are staged: through shared memory, with barriers. */
enum { StageCost = 200 };

/* What the layouts of the part cost, none of which was set before. */
static int64_t free_cost(Solve *s, const IndexPiece *part)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < part->nnode; i++) {
        const SolveNode *n = &s->node[part->node[i]];
        if (around_looks(n->in))
            continue;
        if (n->set)
            sum += node_cost(s, part->node[i]);
        for (uint32_t k = 0; k < n->nuse; k++) {
            const Frag *f = &s->frag[n->use[k].frag];
            int32_t size;
            if (f->set && !n->set) /* what did not spread will not agree */
                sum += StageCost + 4 * frag_cost(s, f);
            else if (f->set &&
                !link_agrees(s, &n->loop, n->size, &n->use[k].link, &f->map, false))
                sum += reg_var(s, n, f, &size) ? size : StageCost + 4 * frag_cost(s, f);
        }
    }
    for (uint32_t i = 0; i < part->nfrag; i++)
        if (s->frag[part->frag[i]].set)
            sum += frag_cost(s, &s->frag[part->frag[i]]);
    return sum;
}

typedef struct BestLayout BestLayout;
struct BestLayout {
    int64_t cost;
    IndexPiece part;
    Saved at, before;
    bool any;
    Layout tried[64];
    int ntried;
};

/* main: the component's root; another node counts only if it reaches that. */
static void free_attempt(Solve *s, uint32_t main, uint32_t root, const Layout *loop, BestLayout *b)
{
    for (int i = 0; i < b->ntried && root == main; i++)
        if (layout_equal(&b->tried[i], loop))
            return;
    if (b->ntried < (int)COUNT(b->tried) && root == main)
        b->tried[b->ntried++] = *loop;
    node_set(s, root, loop, -1, STfree);
    solve_spread(s, &b->part);
    int64_t c = free_cost(s, &b->part);
    if (s->node[main].set && (!b->any || c < b->cost)) {
        b->any = true;
        b->cost = c;
        save(s, &b->part, &b->at);
    }
    restore(s, &b->part, &b->before);
}

/* The open nodes with the narrowest in front, once for all components: nodes are set, never opened. */
static void narrow_lists(Solve *s)
{
    uint32_t start[2][66] = {{0}};
    s->nnarrow = s->atnarrow[0] = s->atnarrow[1] = 0;
    s->narrowed = s->nnode;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < s->nnode; i++) {
            SolveNode *n = &s->node[i];
            if (n->set || around_looks(n->in))
                continue;
            free_scan(s, n);
            const uint8_t bits[2] = {n->membits, n->ownbits};
            for (int k = 0; k < 2; k++) {
                if (pass)
                    s->narrow[k][start[k][bits[k]]++] = i;
                else
                    start[k][bits[k] + 1]++;
            }
            s->nnarrow += !pass;
        }
        for (int k = 0; k < 2 && !pass; k++) {
            s->narrow[k] = anew(&s->l->p->ctx, (s->nnarrow + 1) * sizeof *s->narrow[k]);
            for (int b = 1; b < 66; b++)
                start[k][b] += start[k][b - 1];
        }
    }
}

/* The widest vector that is worth trying: 16 bytes of the narrowest element
 * that an open parallel loop touches in memory, or else of the fragments. */
static int widest_vector(Solve *s)
{
    int least[2];
    if (!s->narrow[0] || s->narrowed != s->nnode)
        narrow_lists(s);
    for (int k = 0; k < 2; k++) {
        uint32_t *at = &s->atnarrow[k];
        while (*at < s->nnarrow && s->node[s->narrow[k][*at]].set)
            ++*at;
        const SolveNode *n = *at < s->nnarrow ? &s->node[s->narrow[k][*at]] : NULL;
        least[k] = !n ? 64 : k ? n->ownbits : n->membits;
    }
    int bits = least[0] < 64 ? least[0] : least[1];
    return s->l->m->vec_bytes * 8 / (bits < 8 ? 8 : bits);
}

/* Values for what costs are counted with: sizes that are not known count as 4096. */
static void environment(Solve *s)
{
    const Prog *p = s->l->p;
    s->env = anew(&s->l->p->ctx, (p->nvar + 1) * sizeof *s->env);
    for (uint32_t v = 0; v < p->nvar; v++)
        s->env[v] = p->var[v].kind == Vdim || p->var[v].kind == Vscalar ? 4096 : 0;
}

/* Components -------------------------------------------------------------- */

/* Which nodes use a fragment. */
static void index_users(Solve *s)
{
    Ctx *c = &s->l->p->ctx;
    uint32_t n = 0, *at = s->user = anew(c, ((size_t)s->nfrag + 2) * sizeof *at);
    for (uint32_t i = 0; i < s->nnode; i++)
        for (uint32_t k = 0; k < s->node[i].nuse; k++, n++)
            at[s->node[i].use[k].frag + 2]++; /* two further on: see below */
    for (uint32_t f = 2; f < s->nfrag + 2; f++)
        at[f] += at[f - 1];
    s->users = anew(c, ((size_t)n + 1) * sizeof *s->users);
    for (uint32_t i = 0; i < s->nnode; i++)
        for (uint32_t k = 0; k < s->node[i].nuse; k++)
            s->users[at[s->node[i].use[k].frag + 1]++] = i;
    s->reached = anew(c, (size_t)s->nnode + s->nfrag + 1);
    s->roomnode = anew(c, ((size_t)s->nnode + 1) * sizeof *s->roomnode);
    s->roomfrag = anew(c, ((size_t)s->nfrag + 1) * sizeof *s->roomfrag);
}

static void add_frags(Solve *s, IndexPiece *q, uint32_t node)
{
    for (uint32_t k = 0; k < s->node[node].nuse; k++) {
        uint32_t f = s->node[node].use[k].frag;
        if (s->frag[f].set || s->reached[s->nnode + f])
            continue;
        s->reached[s->nnode + f] = 1;
        q->frag[q->nfrag++] = f;
    }
}

static void add_nodes(Solve *s, IndexPiece *q, uint32_t frag)
{
    for (uint32_t k = s->user[frag]; k < s->user[frag + 1]; k++) {
        uint32_t n = s->users[k];
        if (s->node[n].set || s->reached[n])
            continue;
        s->reached[n] = 1;
        q->node[q->nnode++] = n;
    }
}

static int ascending(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* Everything open that a layout of node root can spread to. */
static void component(Solve *s, uint32_t root, IndexPiece *q)
{
    Ctx *c = &s->l->p->ctx;
    static const size_t word = sizeof(uint32_t);
    if (!s->user)
        index_users(s);
    uint32_t *node = s->roomnode, *frag = s->roomfrag;
    *q = (IndexPiece){.node = node, .frag = frag};
    s->reached[root] = 1;
    node[q->nnode++] = root;
    for (uint32_t i = 0, k = 0; i < q->nnode || k < q->nfrag;) {
        if (i < q->nnode)
            add_frags(s, q, node[i++]);
        else
            add_nodes(s, q, frag[k++]);
    }
    q->node = memcpy(anew(c, (q->nnode + 1) * word), node, q->nnode * word);
    q->frag = memcpy(anew(c, (q->nfrag + 1) * word), frag, q->nfrag * word);
    qsort(q->node, q->nnode, word, ascending);
}

static void component_done(Solve *s, const IndexPiece *q)
{
    for (uint32_t i = 0; i < q->nnode; i++) {
        const SolveNode *n = &s->node[q->node[i]];
        s->reached[q->node[i]] = 0;
        for (int v = 0; v < n->nvar; v++)
            s->env[n->var[v]] = 0;
    }
    for (uint32_t i = 0; i < q->nfrag; i++)
        s->reached[s->nnode + q->frag[i]] = 0;
}

/* All candidates with one node as the root. */
static void free_candidates(Solve *s, uint32_t main, uint32_t root, int most, BestLayout *b)
{
    const SolveNode *n = &s->node[root];
    for (int fast = n->nvar - 1; fast >= 0; fast--)
        for (int vec = most; vec >= 1; vec /= 2)
            for (int form = 0; form < 4; form++) {
                Layout loop;
                if (vec > 1 && n->size[fast] % vec)
                    continue;
                plan_default(s, n, fast, vec, form & 1, !(form & 2), &loop);
                if (layout_check(&loop, s->l->m->warp) == NULL)
                    free_attempt(s, main, root, &loop, b);
            }
}

/* Does a loop around choose an element for the node?  Then a layout that keeps
 * these in one thread comes from the node itself. */
static bool chosen_outside(const SolveNode *n)
{
    for (uint32_t k = 0; k < n->nuse; k++)
        for (int d = 0; d < n->use[k].link.ndim; d++)
            if (n->use[k].link.dyn[d])
                return true;
    return false;
}

/* A layout of the parallel loop's own: the cheapest that leaves bytes whole.  Fragments that lie
 * otherwise are moved for it. */
static void free_whole_bytes(Solve *s, uint32_t node)
{
    SolveNode *n = &s->node[node];
    Layout old = n->loop, best;
    int64_t least = 0;
    for (int fast = n->nvar - 1; fast >= 0; fast--)
        for (int vec = 1; vec <= s->l->m->vec_bytes; vec *= 2)
            for (int form = 0; form < 4 && n->size[fast] % vec == 0; form++) {
                plan_default(s, n, fast, vec, form & 1, !(form & 2), &n->loop);
                if (layout_check(&n->loop, s->l->m->warp) != NULL ||
                    parloop_splits(s->l, n->s, &n->loop))
                    continue;
                int64_t c = node_cost(s, node);
                if (!least || c < least) {
                    least = c ? c : 1;
                    best = n->loop;
                }
            }
    n->loop = least ? best : old;
    n->from = least ? -1 : n->from;
}

void solve_bytes(Solve *s)
{
    if (!s->env)
        environment(s);
    for (uint32_t i = 0; i < s->nnode; i++) {
        const SolveNode *n = &s->node[i];
        if (n->kind == NDloop && n->set && n->nuse && parloop_splits(s->l, n->s, &n->loop))
            free_whole_bytes(s, i);
    }
}

enum { MoreRoots = 2 };

void solve_free(Solve *s, uint32_t root)
{
    if (!s->best)
        s->best = anew(&s->l->p->ctx, sizeof *s->best);
    BestLayout *b = s->best;
    int more = 0;
    b->any = false;
    b->ntried = 0;
    component(s, root, &b->part);
    saved_new(s, &b->part, &b->at);
    saved_new(s, &b->part, &b->before);
    if (!s->env)
        environment(s);
    int most = widest_vector(s);
    save(s, &b->part, &b->before);
    free_candidates(s, root, root, most, b);
    for (uint32_t i = 0; i < b->part.nnode && more < MoreRoots; i++) {
        const SolveNode *n = &s->node[b->part.node[i]];
        if (b->part.node[i] != root && n->nvar && chosen_outside(n)) {
            free_candidates(s, root, b->part.node[i], most, b);
            more++;
        }
    }
    if (!b->any)
        diag_fail(&s->l->p->ctx, E_bug, s->node[root].s->loc, "a parallel loop without any layout",
                  NULL);
    restore(s, &b->part, &b->at);
    component_done(s, &b->part);
}
