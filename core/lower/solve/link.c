/* core/lower/solve/link.c: layouts carried through index maps.
 *
 * Through a link (index.c) a layout of the loop gives one of the fragment
 * and the other way round: digits are cut where the link's pieces are and
 * renamed; what one side lacks becomes copies or slots.  A link agrees when
 * going this way from the loop arrives at the fragment's own layout. */
#include <string.h>

#include "solve.h"

/* Digits ----------------------------------------------------------------- */

/* Cuts the digit of dim that crosses weight at; false: it does not divide. */
static bool layout_cut(Layout *l, int dim, int32_t at)
{
    for (int i = 0; i < l->n; i++) {
        Digit *d = &l->d[i];
        if (d->dim != dim || d->weight >= at || (int64_t)d->weight * d->extent <= at)
            continue;
        int32_t low = at / d->weight;
        if (at % d->weight || d->extent % low || l->n == LayDigits)
            return false;
        memmove(d + 2, d + 1, (size_t)(l->n - i - 1) * sizeof *d);
        l->n++;
        d[1] = (Digit){d->dim, d->axis, at, d->extent / low, d->stride * low};
        d->extent = low;
        return true;
    }
    return true;
}

/* Cuts dim at the smallest place from `at` on that divides; returns it. */
static int32_t cut_above(Layout *l, int dim, int32_t at)
{
    for (int i = 0; i < l->n; i++) {
        const Digit *d = &l->d[i];
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

static int32_t ceildiv(int32_t a, int32_t b) { return (a + b - 1) / b; }

/* Adds copies along LANE or WARP.  More than a layout has room for leave a hole
 * that layout_check finds. */
static void copies(Layout *l, const Digit *d)
{
    if (d->axis == AXreg)
        return;
    if (l->nb == LayBroadcast)
        layout_canon(l);
    layout_bcast(l, d->extent, (enum Axis)d->axis, d->stride);
}

static bool add(Layout *l, int dim, int32_t extent, int axis, int32_t stride)
{
    if (extent == 1)
        return true;
    if (l->n == LayDigits)
        return false;
    layout_digit(l, dim, extent, (enum Axis)axis, stride);
    return true;
}

/* From the loop to the fragment ------------------------------------------ */

/* Digits of pieces in the loop's layout, one cut for all. */
static bool cut_pieces(Layout *l, const int32_t *vsize, const Link *k)
{
    for (int i = 0; i < k->n; i++) {
        const Piece *p = &k->p[i];
        int64_t top = (int64_t)p->weight * p->extent;
        if (!layout_cut(l, p->var, p->weight) ||
            (top < vsize[p->var] && !layout_cut(l, p->var, (int32_t)top)))
            return false;
    }
    return true;
}

typedef struct From From;
struct From {
    const int32_t *vsize;
    const Link *k;
    bool exact;
    Layout l, *out;
    bool taken[LayDigits];
    int32_t slots; /* exact: stride of the next slot digit that the loop lacks */
};

static bool gap(From *f, int d, int32_t extent)
{
    int32_t stride = f->slots;
    f->slots *= extent;
    return add(f->out, d, extent, AXreg, stride);
}

/* The loop's digits of piece p become digits of dimension d from weight *pos. */
static bool carry(From *f, int d, const Piece *p, int32_t *pos)
{
    int64_t top = (int64_t)p->weight * p->extent;
    bool last = top >= f->vsize[p->var];
    for (int i = 0; i < f->l.n; i++) {
        const Digit *g = &f->l.d[i];
        if (g->dim != p->var || g->weight < p->weight || (!last && g->weight >= top))
            continue;
        f->taken[i] = true;
        if (!add(f->out, d, g->extent, g->axis, g->stride))
            return false;
        *pos *= g->extent;
    }
    return true;
}

/* An offset may not touch the digits that the piece covers; one whose step is beyond the
 * fragment covers none. */
static bool clear_of(int32_t off, int32_t coef, int32_t top)
{
    return top >= coef && (off / coef) % (top / coef) == 0;
}

static bool dimension(From *f, int d, int32_t size)
{
    int32_t pos = 1;
    for (int i = 0; i < f->k->n; i++) {
        const Piece *p = &f->k->p[i];
        if (f->k->dim[i] != d)
            continue;
        if (p->coef % pos || (p->coef > pos && !gap(f, d, p->coef / pos)))
            return false;
        pos = p->coef;
        int first = f->out->n;
        if (!carry(f, d, p, &pos))
            return false;
        while (first < f->out->n && f->out->d[first].axis == AXreg)
            first++;
        if (first < f->out->n && !clear_of(f->k->off[d], p->coef, pos))
            return false;
    }
    return pos >= size || gap(f, d, ceildiv(size, pos));
}

bool frag_from(const Solve *s, const Layout *loop, const int32_t *vsize, const Link *k, int ndim,
               const int32_t *fsize, bool exact, Layout *out)
{
    From f = {.vsize = vsize, .k = k, .exact = exact, .l = *loop, .out = out};
    if (k->why || !cut_pieces(&f.l, vsize, k))
        return false;
    f.slots = (int32_t)layout_extent(loop, AXreg);
    layout_init(out, ndim, fsize);
    for (int d = 0; d < ndim; d++)
        if (!dimension(&f, d, fsize[d]))
            return false;
    for (int i = 0; i < f.l.nb; i++)
        copies(out, &f.l.b[i]);
    for (int i = 0; i < f.l.n; i++)
        if (!f.taken[i])
            copies(out, &f.l.d[i]);
    if (!exact)
        layout_pack(out);
    layout_canon(out);
    return layout_check(out, s->l->m->warp) == NULL;
}

/* From the fragment to the loop ------------------------------------------ */

/* Digits found for the node's variables; weight: of the variable. */
typedef struct Found Found;
struct Found {
    int n;
    Digit d[LayDigits];
};

static void found(Found *f, Digit d)
{
    int i = f->n++;
    for (; i > 0 && (f->d[i - 1].dim > d.dim ||
                     (f->d[i - 1].dim == d.dim && f->d[i - 1].weight > d.weight)); i--)
        f->d[i] = f->d[i - 1];
    f->d[i] = d;
}

static bool last_piece(const Link *k, int i)
{
    return i + 1 == k->n || k->dim[i + 1] != k->dim[i];
}

/* Renames the fragment's digits under each piece. */
static bool rename_digits(Layout *m, const Link *k, const int32_t *vsize, Found *out, bool *taken)
{
    memset(taken, 0, LayDigits);
    for (int i = 0; i < k->n; i++) {
        const Piece *p = &k->p[i];
        int d = k->dim[i];
        if (!layout_cut(m, d, p->coef))
            return false;
        if (!last_piece(k, i) && !layout_cut(m, d, k->p[i + 1].coef))
            return false;
    }
    int32_t top[MaxPiece];
    for (int i = 0; i < k->n; i++) { /* all cuts before positions are taken */
        const Piece *p = &k->p[i];
        int64_t want = (int64_t)p->coef * p->extent;
        int d = k->dim[i];
        top[i] = want >= m->size[d] ? m->extent[d] : cut_above(m, d, (int32_t)want);
        bool whole = (int64_t)p->weight * p->extent >= vsize[p->var];
        if ((!whole && top[i] != want) || (!last_piece(k, i) && top[i] > k->p[i + 1].coef) ||
            !clear_of(k->off[d], p->coef, top[i]))
            return false;
    }
    for (int i = 0; i < k->n; i++) {
        const Piece *p = &k->p[i];
        for (int j = 0; j < m->n; j++) {
            const Digit *g = &m->d[j];
            if (g->dim != k->dim[i] || g->weight < p->coef || g->weight >= top[i])
                continue;
            if (out->n == LayDigits)
                return false;
            taken[j] = true;
            found(out, (Digit){p->var, g->axis, p->weight * (g->weight / p->coef), g->extent,
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
 * digit; what is taken is no copy any more.  Returns how many.  Lanes from
 * `lanes` on are not in every warp. */
static int32_t take_copies(Layout *free, int axis, int32_t need, int lanes, int32_t *stride)
{
    for (int i = 0; i < free->nb; i++) {
        Digit *b = &free->b[i];
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

/* Extent `need` of variable v that no digit covers yet. */
static bool fill_digit(const Solve *s, Layout *out, Layout *free, int v, int32_t need, int vec)
{
    int32_t stride = 0;
    if (vec > 1 && need % vec == 0) {
        if (!add(out, v, vec, AXreg, 1))
            return false;
        need /= vec;
    }
    for (int axis = AXlane; axis <= AXwarp; axis++)
        for (int32_t k; need > 1 && (k = take_copies(free, axis, need, s->lanes, &stride)) > 1;) {
            if (!add(out, v, k, axis, stride))
                return false;
            need = ceildiv(need, k);
        }
    return add(out, v, need, AXreg, 1);
}

static bool variable(const Solve *s, const Found *f, int v, int32_t size, bool fill, int vec,
                     Layout *free, Layout *out)
{
    int32_t pos = 1;
    for (int i = 0; i < f->n; i++) {
        const Digit *g = &f->d[i];
        if (g->dim != v)
            continue;
        if (g->weight % pos || g->weight < pos)
            return false;
        if (g->weight > pos) {
            if (!fill || !fill_digit(s, out, free, v, g->weight / pos, pos == 1 ? vec : 1) ||
                out->extent[v] != g->weight)
                return false;
            pos = g->weight;
        }
        if (!add(out, v, g->extent, g->axis, g->stride))
            return false;
        pos *= g->extent;
    }
    if (pos >= size)
        return true;
    return fill && fill_digit(s, out, free, v, ceildiv(size, pos), pos == 1 ? vec : 1);
}

bool node_from(const Solve *s, const Layout *map, const Link *k, int nvar, const int32_t *vsize,
               bool fill, int vec, Layout *out)
{
    Layout m = *map;
    Found f = {0};
    bool taken[LayDigits];
    if (k->why || !rename_digits(&m, k, vsize, &f, taken))
        return false;
    for (int i = 0; i < m.n; i++)
        if (!taken[i] && m.d[i].axis != AXreg)
            return false; /* an element that only some threads hold */
    layout_init(out, nvar, vsize);
    for (int v = 0; v < nvar; v++)
        if (!variable(s, &f, v, vsize[v], fill, v == nvar - 1 ? vec : 1, &m, out))
            return false;
    for (int i = 0; i < m.nb; i++)
        copies(out, &m.b[i]);
    layout_pack(out);
    layout_canon(out);
    return layout_check(out, s->l->m->warp) == NULL;
}

/* Agreement -------------------------------------------------------------- */

/* The digit of dimension d that starts at weight `at`. */
static const Digit *digit_at(const Layout *l, int d, int32_t at)
{
    for (int i = 0; i < l->n; i++)
        if (l->d[i].dim == d && l->d[i].weight == at)
            return &l->d[i];
    return NULL;
}

/* Where the run of slots that covers `at` ends: no more than size. */
static int32_t slots_end(const Layout *l, int d, int32_t at)
{
    int32_t end = l->size[d];
    for (int i = 0; i < l->n; i++)
        if (l->d[i].dim == d && l->d[i].axis != AXreg && l->d[i].weight > at &&
            l->d[i].weight < end)
            end = l->d[i].weight;
    return end;
}

/* Walks the digits of dimension d of both, cutting lanes and warps alike. */
static bool same_dim(Layout *a, Layout *b, int d)
{
    int32_t size = a->size[d], at = 1;
    while (at < size) {
        const Digit *x = digit_at(a, d, at), *y = digit_at(b, d, at);
        if (!x || !y || x->axis != y->axis)
            return false;
        if (x->axis == AXreg) {
            int32_t end = slots_end(a, d, at);
            if (slots_end(b, d, at) != end)
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
        const Digit *x = &a->b[i++], *y = &b->b[k++];
        if (x->axis != y->axis || x->extent != y->extent || x->stride != y->stride)
            return false;
    }
}

/* LANE and WARP digits beyond the size of a dimension hold padding: the same in both,
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

/* Is what is added to index d constant, and without a carry into the digits
 * that belong to lanes and warps? */
static bool dyn_fits(const Solve *s, const Link *k, const Layout *map, int d)
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

bool link_agrees(const Solve *s, const Layout *loop, const int32_t *vsize, const Link *k,
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

enum { SlotLimit = 32 };

uint32_t slot_var(const Solve *s, const Node *n, const Frag *f, int32_t *size)
{
    uint32_t v = 0;
    *size = 0;
    for (uint32_t i = 0; i < n->nuse; i++) {
        Link k = n->use[i].link;
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
    return *size <= SlotLimit ? v : 0;
}
