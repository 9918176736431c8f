/* core/lower/solve/solve.c: who holds which element of a fragment, who does which
 * iteration of a parallel loop.
 *
 * Anchors are hard: what the user annotated, the operands of matrix
 * instructions.  From them layouts spread over links, strongest first, each
 * node and fragment remembering where its layout came from.  What no anchor
 * reaches is laid out by cost (free.c).  There is no backtracking: where
 * a node and a fragment disagree in the end, stage.c moves the values. */
#include <stdlib.h>
#include <string.h>

#include "core/lower/parallel/parallel.h"
#include "solve.h"
#include "err/layouts.h"

/* Anchors ---------------------------------------------------------------- */

bool frag_set(Solve *s, uint32_t frag, const Layout *map, int from, int strength)
{
    Frag *f = &s->frag[frag];
    if (f->set)
        return false;
    f->set = true;
    f->map = *map;
    f->from = from;
    f->strength = (uint8_t)strength;
    return true;
}

bool node_set(Solve *s, uint32_t node, const Layout *loop, int from, int strength)
{
    SolveNode *n = &s->node[node];
    if (n->set)
        return false;
    n->set = true;
    n->loop = *loop;
    n->from = from;
    n->strength = (uint8_t)strength;
    return true;
}

/* The statement at the root of a chain of reasons: a node that had its layout
 * from nobody. */
const Stmt *anchor_node(const Solve *s, int node)
{
    for (uint32_t steps = 0; node >= 0 && steps <= s->nnode; steps++) {
        const SolveNode *n = &s->node[node];
        if (n->from < 0)
            return n->strength >= STreduce ? n->s : NULL;
        node = s->frag[n->from].from;
    }
    return NULL;
}

const Stmt *anchor_frag(const Solve *s, uint32_t frag)
{
    return anchor_node(s, s->frag[frag].from);
}

/* Do the elements spread over no lane that the last warp lacks?  See solve_threads. */
static bool lanes_there(const Solve *s, const Layout *map)
{
    for (int i = 0; i < map->n; i++)
        if (map->d[i].axis == AXlane && map->d[i].stride * (int64_t)map->d[i].extent > s->lanes)
            return false;
    return true;
}

/* Why an annotated layout cannot be used, or NULL. */
static const char *solve_unfit(const Solve *s, const Frag *f, const Layout *map)
{
    int64_t elements = 1;
    if (map->ndim != f->ndim)
        return "rank";
    for (int d = 0; d < f->ndim; d++) {
        if (map->size[d] != f->size[d])
            return "shape";
        if (__builtin_mul_overflow(elements, map->size[d], &elements) || elements > INT64_MAX / 2)
            return "shape";
    }
    if (layout_extent(map, AXlane) != s->l->m->warp || layout_extent(map, AXwarp) > f->most ||
        !lanes_there(s, map))
        return "threads";
    if (layout_extent(map, AXreg) > 2 * elements)
        return "registers"; /* padding, of which no layout needs more */
    const char *why = layout_check(map, s->l->m->warp);
    Layout loop; /* of a parallel loop over all of it, with which its values are moved where they
                  * must be */
    LayoutLink k;
    link_identity(f->ndim, f->size, &k);
    return why || node_from(s, map, &k, f->ndim, f->size, false, 1, &loop) ? why : "digits";
}

/* Threads that a fragment may be laid out over. */
static int solve_threads_of(const Solve *s, const Frag *f)
{
    int all = s->l->threads, own = f->most * s->l->m->warp;
    return own < all ? own : all;
}

static void annotations(Solve *s)
{
    Prog *p = s->l->p;
    for (uint32_t i = 0; i < s->nfrag; i++) {
        const Buf *b = &p->buf[s->frag[i].buf];
        Layout map;
        if (!b->layout || !layout_parse(&map, b->layout))
            continue;
        layout_warps(&map, s->l->m->warp); /* written for warps of 32 */
        const char *why = solve_unfit(s, &s->frag[i], &map);
        if (!why) {
            frag_set(s, i, &map, -1, STuser);
            continue;
        }
        diag_fail(&p->ctx, E_layout_annotated, b->loc, b->name, why,
                  afmt(&p->ctx, "%d", solve_threads_of(s, &s->frag[i])), NULL);
    }
}

/* What a matrix instruction spreads over more warps than come to one of the
 * statements that use it: these would miss a part. */
static void too_wide(const Solve *s, const SolveNode *gemm)
{
    Ctx *c = &s->l->p->ctx;
    uint32_t frag = gemm->use[0].frag;
    const Stmt *role = around_role(gemm->in);
    int lo = role ? role->role.lo : 0, hi = role ? role->role.hi : s->l->threads;
    for (uint32_t i = 0; i < s->nnode; i++) {
        const SolveNode *n = &s->node[i];
        const Stmt *own = around_role(n->in);
        bool uses = false;
        for (uint32_t k = 0; k < n->nuse; k++)
            uses |= n->use[k].frag == frag;
        if (!uses || !own || (own->role.lo <= lo && hi <= own->role.hi))
            continue;
        const char *name = s->l->p->buf[s->frag[frag].buf].name;
        Diag *d = diag(c, E_layout_roles, n->s->loc, name, afmt(c, "%d..%d", lo, hi - 1),
                       afmt(c, "%d..%d", own->role.lo, own->role.hi - 1), NULL);
        diag_note(c, d, E_layout_anchor, gemm->s->loc, name, NULL);
        return;
    }
}

static void solve_roles(const Solve *s)
{
    for (uint32_t i = 0; i < s->nnode && !s->l->p->ctx.nerror; i++) {
        const SolveNode *n = &s->node[i];
        if (n->kind == NDgemm && layout_extent(&n->loop, AXwarp) > s->frag[n->use[0].frag].most)
            too_wide(s, n);
    }
    if (s->l->p->ctx.nerror)
        ctx_unwind(&s->l->p->ctx);
}

/* Spreading -------------------------------------------------------------- */

/* From a node with a layout to the fragments that it touches. */
static bool node_to_frags(Solve *s, uint32_t i)
{
    bool any = false;
    for (uint32_t k = 0; k < s->node[i].nuse; k++) {
        const SolveNode *n = &s->node[i];
        const Use *u = &n->use[k];
        const Frag *f = &s->frag[u->frag];
        Layout map;
        int strength = n->kind == NDreduce ? STreduce : STweak;
        if (n->exact && n->from < 0)
            strength = n->strength;
        if (!f->set && !(f->floating && n->kind == NDscalar) &&
            frag_from(s, &n->loop, n->size, &u->link, f->ndim, f->size, n->exact, &map) &&
            (n->kind == NDgemm || layout_extent(&map, AXwarp) <= f->most))
            any |= frag_set(s, u->frag, &map, (int)i, strength);
    }
    return any;
}

/* How good a guide fragment f is for a parallel loop: anchors first, then wide types
 * (so that what is moved is narrow), then what is written. */
static int rank_use(const Solve *s, const Use *u)
{
    const Frag *f = &s->frag[u->frag];
    return f->strength * 1000 + dtypeinfo[s->l->p->buf[f->buf].dt].bits * 4 + (u->write ? 1 : 0);
}

/* Values of the last variable that one thread gets side by side, where the
 * known fragment leaves that variable open: 4, or what divides. */
static int solve_wish(const SolveNode *n)
{
    int last = n->nvar ? n->size[n->nvar - 1] : 1, v = 4;
    while (v > 1 && last % v)
        v /= 2;
    return v;
}

static int64_t solve_elements(const Frag *f)
{
    int64_t n = 1;
    for (int d = 0; d < f->ndim; d++)
        n *= f->size[d];
    return n;
}

/* From known fragments to an open node.  fill: also from those that leave
 * variables of the node open; a single element, which every thread holds, says
 * nothing about them. */
static bool frags_to_node(Solve *s, uint32_t i, bool fill)
{
    SolveNode *n = &s->node[i];
    int best = -1, rank = -1;
    Layout loop, try;
    for (uint32_t k = 0; k < n->nuse; k++) {
        const Use *u = &n->use[k];
        const Frag *f = &s->frag[u->frag];
        if (!f->set || rank_use(s, u) <= rank || (fill && solve_elements(f) == 1) ||
            !node_from(s, &f->map, &u->link, n->nvar, n->size, fill, solve_wish(n), &try))
            continue;
        loop = try;
        best = (int)u->frag;
        rank = rank_use(s, u);
    }
    return best >= 0 && node_set(s, i, &loop, best, STweak);
}

static bool open_node(const SolveNode *n)
{
    return !n->set && n->nuse && (n->kind == NDloop || n->kind == NDreduce);
}

/* Rounds over these nodes until nothing changes; each round goes one link
 * further from the anchors.  Projections come last: they leave open what the
 * other variables do. */
void solve_spread(Solve *s, const IndexPiece *part)
{
    for (bool any = true; any;) {
        any = false;
        for (uint32_t i = 0; i < part->nnode; i++)
            if (s->node[part->node[i]].set)
                any |= node_to_frags(s, part->node[i]);
        for (uint32_t i = 0; i < part->nnode; i++)
            if (open_node(&s->node[part->node[i]]))
                any |= frags_to_node(s, part->node[i], false);
        for (uint32_t i = 0; i < part->nnode && !any; i++)
            if (open_node(&s->node[part->node[i]]))
                any |= frags_to_node(s, part->node[i], true);
    }
}

static void spread_all(Solve *s)
{
    IndexPiece all = {.node = anew(&s->l->p->ctx, ((size_t)s->nnode + 1) * sizeof *all.node),
                      .nnode = s->nnode};
    for (uint32_t i = 0; i < s->nnode; i++)
        all.node[i] = i;
    solve_spread(s, &all);
}

/* What stays ------------------------------------------------------------- */

/* All threads hold all of it. */
static void solve_replicated(const Solve *s, int ndim, const int32_t *size, int warps, Layout *out)
{
    layout_init(out, ndim, size);
    for (int d = 0; d < ndim; d++)
        if (size[d] > 1)
            layout_mode(out, d, size[d], AXreg, 1);
    layout_bcast(out, s->l->m->warp, AXlane, 1);
    if (warps > 1)
        layout_bcast(out, warps, AXwarp, 1);
    layout_pack(out);
    layout_canon(out);
}

enum { SmallFragment = 16 };

/* Small fragments that single statements read and write belong to every
 * thread; so does one element. */
static void solve_small(Solve *s)
{
    for (uint32_t i = 0; i < s->nfrag; i++) {
        const Frag *f = &s->frag[i];
        Layout map;
        if (f->set || solve_elements(f) > (f->floating ? SmallFragment : 1))
            continue;
        solve_replicated(s, f->ndim, f->size, f->warps, &map);
        frag_set(s, i, &map, -1, STfree);
    }
}

static void scalars(Solve *s)
{
    for (uint32_t i = 0; i < s->nnode; i++)
        if (s->node[i].kind == NDscalar) {
            Layout all;
            solve_replicated(s, 0, NULL, s->node[i].warps, &all);
            node_set(s, i, &all, -1, STnone);
        }
}

typedef struct Root Root;
struct Root { int64_t size; uint32_t node; };

static int by_size(const void *x, const void *y)
{
    const Root *a = x, *b = y;
    return a->size != b->size ? (a->size < b->size) - (a->size > b->size)
                              : (a->node > b->node) - (a->node < b->node);
}

/* Open components, each guided by its largest node. */
static void components(Solve *s, bool looks)
{
    uint32_t n = 0;
    Root *r = anew(&s->l->p->ctx, ((size_t)s->nnode + 1) * sizeof *r);
    for (uint32_t i = 0; i < s->nnode; i++) {
        const SolveNode *k = &s->node[i];
        int64_t size = 1;
        if (!open_node(k) || around_looks(k->in) != looks)
            continue;
        for (int v = 0; v < k->nvar; v++)
            size *= k->size[v];
        r[n++] = (Root){size, i};
    }
    if (n)
        qsort(r, n, sizeof *r, by_size);
    for (uint32_t i = 0; i < n; i++)
        if (open_node(&s->node[r[i].node]))
            solve_free(s, r[i].node);
}

/* A fragment that only whole operations or single statements touch. */
static void lonely(Solve *s)
{
    for (uint32_t i = 0; i < s->nfrag; i++) {
        const Frag *f = &s->frag[i];
        SolveNode n = {.kind = NDloop, .nvar = (uint8_t)f->ndim, .warps = f->warps};
        Layout map;
        if (f->set)
            continue;
        memcpy(n.size, f->size, sizeof n.size);
        plan_default(s, &n, f->ndim - 1, 1, true, true, &map);
        frag_set(s, i, &map, -1, STfree);
    }
}

/* Parallel loops without fragments: the default plan, over the linear index where their
 * own extents do not divide well. */
static void solve_others(Solve *s)
{
    for (uint32_t i = 0; i < s->nnode; i++) {
        SolveNode *n = &s->node[i];
        Layout loop;
        if (n->set || n->kind != NDloop)
            continue;
        LowRole outer = low_enter(s->l, around_role(n->in));
        parloop_plan(s->l, n->s, &loop);
        low_leave(s->l, outer);
        node_set(s, i, &loop, -1, STfree);
    }
}

/* The lanes that layouts spread over.  Where the last warp is ragged, or the
 * only one, groups of so many that all are complete; the other lanes of a warp
 * repeat what the first group does. */
static void solve_threads(Solve *s)
{
    const Low *l = s->l;
    int rest = l->threads % l->m->warp;
    s->lanes = rest ? rest & -rest : l->m->warp;
}

void low_layouts(Low *l)
{
    Solve s = {.l = l};
    solve_threads(&s);
    solve_unpack(l);
    solve_normal(l);
    solve_unroll(&s);
    solve_gather(&s);
    solve_roles(&s);
    scalars(&s);
    annotations(&s);
    spread_all(&s);
    solve_small(&s);
    spread_all(&s);
    components(&s, false);
    components(&s, true); /* peeks last: they follow */
    lonely(&s);
    solve_others(&s);
    solve_bytes(&s);
    solve_unrolled(&s);
    solve_finish(&s);
    solve_unpack(l);
}
