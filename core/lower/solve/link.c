/* core/lower/solve/link.c: layouts carried through index maps.
 *
 * Through a link (index.c) a layout of the loop gives one of the fragment
 * and the other way round: modes are cut where the link's pieces are and
 * renamed; what one side lacks becomes copies or registers.  A link agrees when
 * going this way from the loop arrives at the fragment's own layout. */
#include <string.h>

#include "solve.h"

/* Modes ----------------------------------------------------------------- */

/* Cuts the mode of dim that crosses weight at; false: it does not divide. */
static bool layout_cut(Layout *l, int dim, int32_t at)
{
    for (int i = 0; i < l->n; i++) {
        Mode *d = &l->d[i];
        if (d->dim != dim || d->weight >= at || (int64_t)d->weight * d->extent <= at)
            continue;
        int32_t low = at / d->weight;
        if (at % d->weight || d->extent % low || l->n == LayModes)
            return false;
        memmove(d + 2, d + 1, (size_t)(l->n - i - 1) * sizeof *d);
        l->n++;
        d[1] = (Mode){d->dim, d->axis, at, d->extent / low, d->stride * low};
        d->extent = low;
        return true;
    }
    return true;
}

/* Cuts dim at the smallest place from `at` on that divides; returns it. */
static int32_t cut_above(Layout *l, int dim, int32_t at)
{
    for (int i = 0; i < l->n; i++) {
        const Mode *d = &l->d[i];
        if (d->dim != dim || d->weight >= at || (int64_t)d->weight * d->extent < at)
            continue;
        int32_t top = d->weight * d->extent, k = (at + d->weight - 1) / d->weight;
        while (k < d->extent && d->extent % k)
            k++;
        if (k < d->extent && layout_cut(l, dim, d->weight * k))
            return d->weight * k;
        return top;
    }
    return at;
}

static int32_t link_ceildiv(int32_t a, int32_t b) { return (a + b - 1) / b; }

/* Adds copies along LANE or WARP.  More than a layout has room for leave a hole
 * that layout_check finds. */
static void link_copies(Layout *l, const Mode *d)
{
    if (d->axis == AXreg)
        return;
    if (l->nb == LayBroadcast)
        layout_canon(l);
    layout_bcast(l, d->extent, (enum Axis)d->axis, d->stride);
}

static bool add_mode(Layout *l, int dim, int32_t extent, int axis, int32_t stride)
{
    if (extent == 1)
        return true;
    if (l->n == LayModes)
        return false;
    layout_mode(l, dim, extent, (enum Axis)axis, stride);
    return true;
}

/* From the loop to the fragment ------------------------------------------ */

/* Modes of pieces in the loop's layout, one cut for all. */
static bool cut_pieces(Layout *l, const int32_t *vsize, const LayoutLink *k)
{
    for (int i = 0; i < k->n; i++) {
        const RadixPiece *p = &k->p[i];
        int64_t top = (int64_t)p->weight * p->extent;
        if (!layout_cut(l, p->var, p->weight) ||
            (top < vsize[p->var] && !layout_cut(l, p->var, (int32_t)top)))
            return false;
    }
    return true;
}

typedef struct LinkFrom LinkFrom;
struct LinkFrom {
    const int32_t *vsize;
    const LayoutLink *k;
    bool exact;
    Layout l, *out;
    bool taken[LayModes];
    int32_t regs; /* exact: stride of the next register mode that the loop lacks */
};

static bool gap(LinkFrom *f, int d, int32_t extent)
{
    int32_t stride = f->regs;
    f->regs *= extent;
    return add_mode(f->out, d, extent, AXreg, stride);
}

/* The loop's modes of piece p become modes of dimension d from weight *pos. */
static bool link_carry(LinkFrom *f, int d, const RadixPiece *p, int32_t *pos)
{
    int64_t top = (int64_t)p->weight * p->extent;
    bool last = top >= f->vsize[p->var];
    for (int i = 0; i < f->l.n; i++) {
        const Mode *g = &f->l.d[i];
        if (g->dim != p->var || g->weight < p->weight || (!last && g->weight >= top))
            continue;
        f->taken[i] = true;
        if (!add_mode(f->out, d, g->extent, g->axis, g->stride))
            return false;
        *pos *= g->extent;
    }
    return true;
}

/* An offset may not touch the modes that the piece covers; one whose step is beyond the
 * fragment covers none. */
static bool clear_of(int32_t off, int32_t coef, int32_t top)
{
    return top >= coef && (off / coef) % (top / coef) == 0;
}

static bool dimension(LinkFrom *f, int d, int32_t size)
{
    int32_t pos = 1;
    for (int i = 0; i < f->k->n; i++) {
        const RadixPiece *p = &f->k->p[i];
        if (f->k->dim[i] != d)
            continue;
        if (p->coef % pos || (p->coef > pos && !gap(f, d, p->coef / pos)))
            return false;
        pos = p->coef;
        int first = f->out->n;
        if (!link_carry(f, d, p, &pos))
            return false;
        while (first < f->out->n && f->out->d[first].axis == AXreg)
            first++;
        if (first < f->out->n && !clear_of(f->k->off[d], p->coef, pos))
            return false;
    }
    return pos >= size || gap(f, d, link_ceildiv(size, pos));
}

bool frag_from(const Solve *s, const Layout *loop, const int32_t *vsize, const LayoutLink *k,
               int ndim, const int32_t *fsize, bool exact, Layout *out)
{
    LinkFrom f = {.vsize = vsize, .k = k, .exact = exact, .l = *loop, .out = out};
    if (k->why || !cut_pieces(&f.l, vsize, k))
        return false;
    f.regs = (int32_t)layout_extent(loop, AXreg);
    layout_init(out, ndim, fsize);
    for (int d = 0; d < ndim; d++)
        if (!dimension(&f, d, fsize[d]))
            return false;
    for (int i = 0; i < f.l.nb; i++)
        link_copies(out, &f.l.b[i]);
    for (int i = 0; i < f.l.n; i++)
        if (!f.taken[i])
            link_copies(out, &f.l.d[i]);
    if (!exact)
        layout_pack(out);
    layout_canon(out);
    return layout_check(out, s->l->m->warp) == NULL;
}

/* From the fragment to the loop ------------------------------------------ */

/* Modes found for the node's variables; weight: of the variable. */
typedef struct LinkFound LinkFound;
struct LinkFound {
    int n;
    Mode d[LayModes];
};

static void link_found(LinkFound *f, Mode d)
{
    int i = f->n++;
    for (; i > 0 && (f->d[i - 1].dim > d.dim ||
                     (f->d[i - 1].dim == d.dim && f->d[i - 1].weight > d.weight)); i--)
        f->d[i] = f->d[i - 1];
    f->d[i] = d;
}

static bool last_piece(const LayoutLink *k, int i)
{
    return i + 1 == k->n || k->dim[i + 1] != k->dim[i];
}

/* Renames the fragment's modes under each piece. */
static bool rename_modes(Layout *m, const LayoutLink *k, const int32_t *vsize, LinkFound *out,
                         bool *taken)
{
    memset(taken, 0, LayModes);
    for (int i = 0; i < k->n; i++) {
        const RadixPiece *p = &k->p[i];
        int d = k->dim[i];
        if (!layout_cut(m, d, p->coef))
            return false;
        if (!last_piece(k, i) && !layout_cut(m, d, k->p[i + 1].coef))
            return false;
    }
    int32_t top[MaxPiece];
    for (int i = 0; i < k->n; i++) { /* all cuts before positions are taken */
        const RadixPiece *p = &k->p[i];
        int64_t want = (int64_t)p->coef * p->extent;
        int d = k->dim[i];
        top[i] = want >= m->size[d] ? m->extent[d] : cut_above(m, d, (int32_t)want);
        bool whole = (int64_t)p->weight * p->extent >= vsize[p->var];
        if ((!whole && top[i] != want) || (!last_piece(k, i) && top[i] > k->p[i + 1].coef) ||
            !clear_of(k->off[d], p->coef, top[i]))
            return false;
    }
    for (int i = 0; i < k->n; i++) {
        const RadixPiece *p = &k->p[i];
        for (int j = 0; j < m->n; j++) {
            const Mode *g = &m->d[j];
            if (g->dim != k->dim[i] || g->weight < p->coef || g->weight >= top[i])
                continue;
            if (out->n == LayModes)
                return false;
            taken[j] = true;
            link_found(out, (Mode){p->var, g->axis, p->weight * (g->weight / p->coef), g->extent,
                                   g->stride});
        }
    }
    return true;
}

static int32_t pow2_at_most(int32_t n)
{
    int32_t p = 1;
    while (p * 2 <= n)
        p *= 2;
    return p;
}

/* Takes up to `need` of the copies that map has along an axis for a variable's
 * mode; what is taken is no copy any more.  Returns how many.  Lanes from
 * `lanes` on are not in every warp. */
static int32_t take_copies(Layout *free, int axis, int32_t need, int lanes, int32_t *stride)
{
    for (int i = 0; i < free->nb; i++) {
        Mode *b = &free->b[i];
        int32_t have = b->extent;
        if (axis == AXlane && b->stride * have > lanes)
            have = lanes / b->stride;
        if (b->axis != axis || have <= 1)
            continue;
        int32_t k = axis == AXlane ? pow2_at_most(need) : need;
        if (axis == AXlane && k < need)
            k *= 2;
        if (k > have)
            k = have;
        while (k > 1 && b->extent % k)
            k--;
        if (k <= 1)
            return 1;
        *stride = b->stride;
        b->stride *= k;
        b->extent /= k;
        return k;
    }
    return 1;
}

/* Extent `need` of variable v that no mode covers yet. */
static bool fill_mode(const Solve *s, Layout *out, Layout *free, int v, int32_t need, int vec)
{
    int32_t stride = 0;
    if (vec > 1 && need % vec == 0) {
        if (!add_mode(out, v, vec, AXreg, 1))
            return false;
        need /= vec;
    }
    for (int axis = AXlane; axis <= AXwarp; axis++)
        for (int32_t k; need > 1 && (k = take_copies(free, axis, need, s->lanes, &stride)) > 1;) {
            if (!add_mode(out, v, k, axis, stride))
                return false;
            need = link_ceildiv(need, k);
        }
    return add_mode(out, v, need, AXreg, 1);
}

static bool link_variable(const Solve *s, const LinkFound *f, int v, int32_t size, bool fill,
                          int vec, Layout *free, Layout *out)
{
    int32_t pos = 1;
    for (int i = 0; i < f->n; i++) {
        const Mode *g = &f->d[i];
        if (g->dim != v)
            continue;
        if (g->weight % pos || g->weight < pos)
            return false;
        if (g->weight > pos) {
            if (!fill || !fill_mode(s, out, free, v, g->weight / pos, pos == 1 ? vec : 1) ||
                out->extent[v] != g->weight)
                return false;
            pos = g->weight;
        }
        if (!add_mode(out, v, g->extent, g->axis, g->stride))
            return false;
        pos *= g->extent;
    }
    if (pos >= size)
        return true;
    return fill && fill_mode(s, out, free, v, link_ceildiv(size, pos), pos == 1 ? vec : 1);
}

bool node_from(const Solve *s, const Layout *map, const LayoutLink *k, int nvar,
               const int32_t *vsize, bool fill, int vec, Layout *out)
{
    Layout m = *map;
    LinkFound f = {0};
    bool taken[LayModes];
    if (k->why || !rename_modes(&m, k, vsize, &f, taken))
        return false;
    for (int i = 0; i < m.n; i++)
        if (!taken[i] && m.d[i].axis != AXreg)
            return false; /* an element that only some threads hold */
    layout_init(out, nvar, vsize);
    for (int v = 0; v < nvar; v++)
        if (!link_variable(s, &f, v, vsize[v], fill, v == nvar - 1 ? vec : 1, &m, out))
            return false;
    for (int i = 0; i < m.nb; i++)
        link_copies(out, &m.b[i]);
    layout_pack(out);
    layout_canon(out);
    return layout_check(out, s->l->m->warp) == NULL;
}

/* Agreement -------------------------------------------------------------- */

/* The mode of dimension d that starts at weight `at`. */
static const Mode *link_mode_at(const Layout *l, int d, int32_t at)
{
    for (int i = 0; i < l->n; i++)
        if (l->d[i].dim == d && l->d[i].weight == at)
            return &l->d[i];
    return NULL;
}

/* Where the run of registers that covers `at` ends: no more than size. */
static int32_t regs_end(const Layout *l, int d, int32_t at)
{
    int32_t end = l->size[d];
    for (int i = 0; i < l->n; i++)
        if (l->d[i].dim == d && l->d[i].axis != AXreg && l->d[i].weight > at &&
            l->d[i].weight < end)
            end = l->d[i].weight;
    return end;
}

/* Walks the modes of dimension d of both, cutting lanes and warps alike. */
static bool same_dim(Layout *a, Layout *b, int d)
{
    int32_t size = a->size[d], at = 1;
    while (at < size) {
        const Mode *x = link_mode_at(a, d, at), *y = link_mode_at(b, d, at);
        if (!x || !y || x->axis != y->axis)
            return false;
        if (x->axis == AXreg) {
            int32_t end = regs_end(a, d, at);
            if (regs_end(b, d, at) != end)
                return false;
            at = end;
            continue;
        }
        int32_t ex = x->extent, ey = y->extent, e = ex < ey ? ex : ey;
        if (x->stride != y->stride || (ex != ey && !layout_cut(ex > ey ? a : b, d, at * e)))
            return false;
        at *= e;
    }
    return true;
}

/* Are the same lanes and warps copies? */
static bool same_copies(Layout *a, Layout *b)
{
    int i = 0, k = 0;
    layout_canon(a);
    layout_canon(b);
    while (true) {
        while (i < a->nb && a->b[i].axis == AXreg)
            i++;
        while (k < b->nb && b->b[k].axis == AXreg)
            k++;
        if (i == a->nb || k == b->nb)
            return i == a->nb && k == b->nb;
        const Mode *x = &a->b[i++], *y = &b->b[k++];
        if (x->axis != y->axis || x->extent != y->extent || x->stride != y->stride)
            return false;
    }
}

/* LANE and WARP modes beyond the size of a dimension hold padding: the same in both,
 * for threads that hold nothing are no copies. */
static bool same_places(const Layout *a, const Layout *b)
{
    Layout x = *a, y = *b;
    if (!same_copies(&x, &y))
        return false;
    for (int d = 0; d < a->ndim; d++)
        if (!same_dim(&x, &y, d))
            return false;
    return layout_extent(a, AXlane) == layout_extent(b, AXlane) &&
           layout_extent(a, AXwarp) == layout_extent(b, AXwarp);
}

/* Is what is added to index d constant, and without a carry into the modes
 * that belong to lanes and warps? */
static bool dyn_fits(const Solve *s, const LayoutLink *k, const Layout *map, int d)
{
    int32_t top = 1;
    if (!k->dyn[d])
        return true;
    for (int i = 0; i < map->n; i++)
        if (map->d[i].dim == d && map->d[i].axis != AXreg)
            top = map->d[i].weight * map->d[i].extent;
    ExSum sum = x_linear(s->l->p, k->dyn[d]);
    for (int i = 0; i < sum.n && top > 1; i++)
        if (sum.coef[i] % top)
            return false;
    return k->fixed[d];
}

bool link_agrees(const Solve *s, const Layout *loop, const int32_t *vsize, const LayoutLink *k,
                 const Layout *map, bool exact)
{
    Layout want;
    if (k->why || !frag_from(s, loop, vsize, k, map->ndim, map->size, exact, &want))
        return false;
    for (int d = 0; d < k->ndim; d++)
        if (!dyn_fits(s, k, map, d))
            return false;
    if (exact)
        return layout_equal(&want, map);
    return same_places(&want, map);
}

enum { RegLimit = 32 };

uint32_t reg_var(const Solve *s, const SolveNode *n, const Frag *f, int32_t *size)
{
    uint32_t v = 0;
    *size = 0;
    for (uint32_t i = 0; i < n->nuse; i++) {
        LayoutLink k = n->use[i].link;
        if (&s->frag[n->use[i].frag] != f)
            continue;
        for (int d = 0; d < k.ndim; d++) {
            const Expr *x = ex_at(s->l->p, k.dyn[d]);
            if (!k.dyn[d])
                continue;
            if (k.why || x->op != Xvar || k.off[d] || (v && v != x->sym))
                return 0;
            for (int j = 0; j < f->map.n; j++)
                if (f->map.d[j].dim == d && f->map.d[j].axis != AXreg)
                    return 0;
            v = x->sym;
            *size = f->size[d];
            k.dyn[d] = 0;
        }
        if (!link_agrees(s, &n->loop, n->size, &k, &f->map, false))
            return 0;
    }
    return *size <= RegLimit ? v : 0;
}
