/* core/layout/layout.c: layouts: making them, and asking where an element is.
 * algebra.c derives new ones, text.c writes and reads them. */
#include <string.h>

#include "layout.h"

const char *const axisname[NAxis] = {"reg", "lane", "warp", "off"};

/* Making --------------------------------------------------------------- */

void layout_init(Layout *l, int ndim, const int32_t *size)
{
    memset(l, 0, sizeof *l);
    l->ndim = (uint8_t)ndim;
    for (int d = 0; d < ndim; d++) {
        l->size[d] = size[d];
        l->extent[d] = 1;
    }
}

/* A mode beyond LayModes is left out; the dimension is then not tiled any
 * more, which layout_check says. */
void layout_mode(Layout *l, int dim, int32_t extent, enum Axis a, int32_t stride)
{
    int at = 0;
    int32_t weight = l->extent[dim];
    l->extent[dim] *= extent;
    if (extent == 1 || l->n == LayModes)
        return;
    while (at < l->n && l->d[at].dim <= dim)
        at++;
    memmove(&l->d[at + 1], &l->d[at], (size_t)(l->n - at) * sizeof l->d[0]);
    l->d[at] = (Mode){(uint8_t)dim, (uint8_t)a, weight, extent, stride};
    l->n++;
}

void layout_bcast(Layout *l, int32_t extent, enum Axis a, int32_t stride)
{
    if (extent > 1 && l->nb < LayBroadcast)
        l->b[l->nb++] = (Mode){0, (uint8_t)a, 0, extent, stride};
}

static bool mode_precedes(const Mode *a, const Mode *b)
{
    if (a->dim != b->dim)
        return a->dim < b->dim;
    if (a->weight != b->weight)
        return a->weight < b->weight;
    return a->axis != b->axis ? a->axis < b->axis : a->stride < b->stride;
}

/* Sorts, drops modes of extent 1 and joins those that continue each other. */
static int tidy(Mode *d, int n, bool bcast)
{
    int k = 0;
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && mode_precedes(&d[j], &d[j - 1]); j--) {
            Mode t = d[j];
            d[j] = d[j - 1];
            d[j - 1] = t;
        }
    for (int i = 0; i < n; i++) {
        Mode *p = k ? &d[k - 1] : NULL;
        if (d[i].extent == 1)
            continue;
        if (p && p->dim == d[i].dim && p->axis == d[i].axis &&
            (bcast || p->weight * p->extent == d[i].weight) &&
            p->stride * p->extent == d[i].stride)
            p->extent *= d[i].extent;
        else
            d[k++] = d[i];
    }
    return k;
}

void layout_canon(Layout *l)
{
    l->n = (uint8_t)tidy(l->d, l->n, false);
    l->nb = (uint8_t)tidy(l->b, l->nb, true);
    if (l->x.bits == 0)
        l->x.base = l->x.shift = 0;
    memset(&l->d[l->n], 0, (LayModes - l->n) * sizeof l->d[0]);
    memset(&l->b[l->nb], 0, (LayBroadcast - l->nb) * sizeof l->b[0]);
}

void layout_linear(Layout *l, int ndim, const int32_t *size)
{
    int32_t stride = 1;
    layout_init(l, ndim, size);
    for (int d = ndim - 1; d >= 0; d--) {
        layout_mode(l, d, size[d], AXoff, stride);
        stride *= size[d];
    }
}

/* Invariants ----------------------------------------------------------- */

/* The modes and broadcast modes of axis a, by stride; how many. */
static int onaxis(const Layout *l, enum Axis a, Mode *out)
{
    int n = 0;
    for (int i = 0; i < l->n + l->nb; i++) {
        Mode g = i < l->n ? l->d[i] : l->b[i - l->n];
        int k = n;
        if (g.axis != a)
            continue;
        for (; k > 0 && out[k - 1].stride > g.stride; k--)
            out[k] = out[k - 1];
        out[k] = g;
        n++;
    }
    return n;
}

static bool ispow2(int64_t v) { return v > 0 && (v & (v - 1)) == 0; }

static const char *check_dims(const Layout *l)
{
    int64_t e[LayDims];
    for (int d = 0; d < l->ndim; d++)
        e[d] = 1;
    for (int i = 0; i < l->n; i++) {
        const Mode *g = &l->d[i];
        if (g->dim >= l->ndim || g->axis >= NAxis || g->extent < 1 || g->stride < 1)
            return "a mode without dimension, axis, extent or stride";
        if (i && g->dim < l->d[i - 1].dim)
            return "the modes are not in order";
        if (g->weight != e[g->dim])
            return "the modes do not tile their dimension";
        e[g->dim] *= g->extent;
        if (e[g->dim] > INT32_MAX)
            return "a dimension is too large";
    }
    for (int d = 0; d < l->ndim; d++) {
        if (e[d] != l->extent[d])
            return "the modes do not tile their dimension";
        if (l->size[d] < 1 || l->size[d] > l->extent[d])
            return "a dimension is larger than its modes reach";
    }
    return NULL;
}

/* LANE and WARP have no gaps; lanes are bits. */
static const char *layout_check_axis(const Layout *l, enum Axis a, int warp)
{
    Mode g[LayModes + LayBroadcast];
    int n = onaxis(l, a, g);
    int64_t reach = 0, span = 1; /* largest place so far; places if without gaps */
    for (int i = 0; i < n; i++) {
        if (g[i].stride <= reach)
            return "two modes of an axis collide";
        reach += (int64_t)(g[i].extent - 1) * g[i].stride;
        if (reach > INT32_MAX)
            return "an axis is too long";
        if (a == AXlane && (!ispow2(g[i].extent) || !ispow2(g[i].stride)))
            return "a mode of lanes is not a power of two";
        if ((a == AXlane || a == AXwarp) && g[i].stride != span)
            return a == AXlane ? "the modes of lanes leave gaps"
                               : "the modes of warps leave gaps";
        span *= g[i].extent;
    }
    if (a == AXlane && warp && span != warp)
        return "the modes do not fill the lanes of a warp";
    return NULL;
}

const char *layout_check(const Layout *l, int warp)
{
    if (l->ndim > LayDims || l->n > LayModes || l->nb > LayBroadcast)
        return "too many dimensions or modes";
    const char *why = check_dims(l);
    bool memory = false;
    for (int i = 0; i < l->n; i++)
        memory |= l->d[i].axis == AXoff;
    for (int i = 0; i < l->nb && !why; i++)
        if (l->b[i].axis >= AXoff || l->b[i].extent < 1 || l->b[i].stride < 1)
            why = "a broadcast mode without axis, extent or stride";
    for (int i = 0; i < l->n && !why && memory; i++)
        if (l->d[i].axis != AXoff || l->nb)
            why = "offsets and threads in one layout";
    for (int a = 0; a < NAxis && !why; a++)
        why = layout_check_axis(l, (enum Axis)a, memory ? 0 : warp);
    if (!why && (l->x.bits < 0 || l->x.bits > 8 || l->x.base < 0 || l->x.base > 16 ||
                 l->x.shift < l->x.bits || l->x.shift > 16))
        why = "an XOR that is not its own inverse";
    if (!why && l->x.bits && !memory)
        why = "an XOR without offsets";
    return why;
}

/* Asking --------------------------------------------------------------- */

int64_t layout_xor(const Layout *l, int64_t off)
{
    int64_t mask = ((int64_t)1 << l->x.bits) - 1;
    return off ^ ((off >> (l->x.base + l->x.shift) & mask) << l->x.base);
}

Spot layout_eval(const Layout *l, const int32_t *idx)
{
    Spot s = {{0}};
    for (int i = 0; i < l->n; i++) {
        const Mode *g = &l->d[i];
        s.at[g->axis] += (int64_t)(idx[g->dim] / g->weight % g->extent) * g->stride;
    }
    s.at[AXoff] = layout_xor(l, s.at[AXoff]);
    return s;
}

/* Those of dimensions, then the broadcast ones. */
static const Mode *mode(const Layout *l, int i)
{
    return i < l->n ? &l->d[i] : &l->b[i - l->n];
}

/* Splits v, a place on axis a, into its modes, high ones first, and adds
 * those of dimensions to idx; false if no modes give v. */
static bool layout_split(const Layout *l, enum Axis a, int64_t v, int32_t *idx)
{
    uint8_t by[LayModes + LayBroadcast]; /* by stride, high ones first */
    int n = 0;
    if (v == 0)
        return true;
    for (int i = 0; i < l->n + l->nb; i++) {
        if (mode(l, i)->axis != a)
            continue;
        int at = n++;
        for (; at > 0 && mode(l, by[at - 1])->stride < mode(l, i)->stride; at--)
            by[at] = by[at - 1];
        by[at] = (uint8_t)i;
    }
    for (int i = 0; i < n && v; i++) {
        const Mode *g = mode(l, by[i]);
        int64_t k = v / g->stride;
        if (k >= g->extent)
            return false;
        v -= k * g->stride;
        if (by[i] < l->n)
            idx[g->dim] += (int32_t)k * g->weight;
    }
    return v == 0;
}

static bool hasoff(const Layout *l)
{
    for (int i = 0; i < l->n; i++)
        if (l->d[i].axis == AXoff)
            return true;
    return false;
}

bool layout_invert(const Layout *l, const Spot *at, int32_t *idx)
{
    for (int d = 0; d < l->ndim; d++)
        idx[d] = 0;
    if (hasoff(l)) {
        if (at->at[AXoff] < 0 || !layout_split(l, AXoff, layout_xor(l, at->at[AXoff]), idx))
            return false;
    } else {
        for (int a = 0; a < NAxis; a++)
            if (at->at[a] < 0 || !layout_split(l, (enum Axis)a, at->at[a], idx))
                return false;
    }
    for (int d = 0; d < l->ndim; d++)
        if (idx[d] >= l->size[d])
            return false;
    return true;
}

int64_t layout_extent(const Layout *l, enum Axis a)
{
    int64_t top = 0;
    for (int i = 0; i < l->n; i++)
        if (l->d[i].axis == a)
            top += (int64_t)(l->d[i].extent - 1) * l->d[i].stride;
    for (int i = 0; i < l->nb; i++)
        if (l->b[i].axis == a)
            top += (int64_t)(l->b[i].extent - 1) * l->b[i].stride;
    if (a == AXoff && l->x.bits) /* the XOR moves elements inside such pieces */
        top |= ((int64_t)1 << (l->x.base + l->x.bits)) - 1;
    return top + 1;
}

int64_t layout_copies(const Layout *l)
{
    int64_t n = 1;
    for (int i = 0; i < l->nb; i++)
        if (l->b[i].axis == AXlane || l->b[i].axis == AXwarp)
            n *= l->b[i].extent;
    return n;
}

static bool same_modes(const Mode *a, const Mode *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i].dim != b[i].dim || a[i].axis != b[i].axis || a[i].weight != b[i].weight ||
            a[i].extent != b[i].extent || a[i].stride != b[i].stride)
            return false;
    return true;
}

static bool layout_same_shape(const Layout *a, const Layout *b)
{
    if (a->ndim != b->ndim)
        return false;
    for (int d = 0; d < a->ndim; d++)
        if (a->size[d] != b->size[d] || a->extent[d] != b->extent[d])
            return false;
    return true;
}

bool layout_equal(const Layout *a, const Layout *b)
{
    Layout p = *a, q = *b;
    layout_canon(&p);
    layout_canon(&q);
    return layout_same_shape(&p, &q) && p.n == q.n && p.nb == q.nb && same_modes(p.d, q.d, p.n) &&
           same_modes(p.b, q.b, p.nb) && p.x.bits == q.x.bits && p.x.base == q.x.base &&
           p.x.shift == q.x.shift;
}

/* Leaves of l what says which threads hold an element. */
static void threads_only(Layout *l)
{
    int n = 0, nb = 0;
    layout_canon(l);
    for (int i = 0; i < l->n; i++)
        if (l->d[i].axis != AXreg)
            l->d[n++] = l->d[i];
    for (int i = 0; i < l->nb; i++)
        if (l->b[i].axis != AXreg)
            l->b[nb++] = l->b[i];
    l->n = (uint8_t)n;
    l->nb = (uint8_t)nb;
}

bool layout_same_threads(const Layout *a, const Layout *b)
{
    Layout p = *a, q = *b;
    threads_only(&p);
    threads_only(&q);
    return layout_same_shape(&p, &q) && p.n == q.n && p.nb == q.nb && same_modes(p.d, q.d, p.n) &&
           same_modes(p.b, q.b, p.nb);
}

int32_t layout_run(const Layout *l, int dim, enum Axis a)
{
    int64_t run = 1;
    for (int i = 0; i < l->n; i++) {
        const Mode *g = &l->d[i];
        if (g->dim != dim)
            continue;
        if (g->weight != run || g->axis != a || g->stride != run)
            break;
        run *= g->extent;
    }
    if (a == AXoff && l->x.bits)
        while (run > (int64_t)1 << l->x.base)
            run = run % 2 == 0 ? run / 2 : 1;
    return (int32_t)run;
}
