/* core/layout/algebra.c: layouts from layouts: refined, renamed, projected,
 * cut, reshaped; and what it takes to get from one to another. */
#include <string.h>

#include "layout.h"

/* Cuts ----------------------------------------------------------------- */

/* Splits mode i at the weight cut, which lies inside of it; false when it is
 * not a multiple there, or there is no room. */
static bool cut_mode(Layout *l, int i, int32_t cut)
{
    Mode *g = &l->d[i];
    int32_t low = cut / g->weight;
    if (cut % g->weight || g->extent % low || l->n == LayModes)
        return false;
    memmove(&l->d[i + 1], g, (size_t)(l->n - i) * sizeof *g);
    l->n++;
    g[1].weight = cut;
    g[1].extent = g->extent / low;
    g[1].stride = g->stride * low;
    g->extent = low;
    return true;
}

/* Cuts the modes of dim so that one begins at weight cut. */
static bool cut_at(Layout *l, int dim, int32_t cut)
{
    for (int i = 0; i < l->n; i++) {
        const Mode *g = &l->d[i];
        if (g->dim == dim && g->weight < cut && cut < (int64_t)g->weight * g->extent)
            return cut_mode(l, i, cut);
    }
    return true;
}

/* Every cut of b also in a. */
static bool cut_like(Layout *a, const Layout *b)
{
    for (int i = 0; i < b->n; i++)
        if (!cut_at(a, b->d[i].dim, b->d[i].weight))
            return false;
    return true;
}

bool layout_refine(Layout *a, Layout *b)
{
    if (a->ndim != b->ndim)
        return false;
    for (int d = 0; d < a->ndim; d++)
        if (a->extent[d] != b->extent[d])
            return false;
    Layout p = *a, q = *b;
    layout_canon(&p);
    layout_canon(&q);
    if (!cut_like(&p, &q) || !cut_like(&q, &p))
        return false;
    *a = p;
    *b = q;
    return true;
}

/* Renaming ------------------------------------------------------------- */

static void sort_dims(Layout *l)
{
    for (int i = 1; i < l->n; i++)
        for (int j = i; j > 0 && l->d[j].dim < l->d[j - 1].dim; j--) {
            Mode t = l->d[j];
            l->d[j] = l->d[j - 1];
            l->d[j - 1] = t;
        }
}

void layout_permute(Layout *l, const int *perm)
{
    Layout old = *l;
    for (int k = 0; k < l->ndim; k++) {
        l->size[k] = old.size[perm[k]];
        l->extent[k] = old.extent[perm[k]];
        for (int i = 0; i < l->n; i++)
            if (old.d[i].dim == perm[k])
                l->d[i].dim = (uint8_t)k;
    }
    sort_dims(l);
}

/* Registers without gaps, in the order that they have. */
static void close_regs(Layout *l)
{
    int64_t done = 0, next = 1; /* strides below `done` are renumbered */
    Layout old = *l;
    for (;;) {
        int32_t least = INT32_MAX;
        for (int i = 0; i < l->n + l->nb; i++) {
            const Mode *g = i < l->n ? &old.d[i] : &old.b[i - l->n];
            if (g->axis == AXreg && g->stride > done && g->stride < least)
                least = g->stride;
        }
        if (least == INT32_MAX)
            return;
        for (int i = 0; i < l->n + l->nb; i++) {
            const Mode *g = i < l->n ? &old.d[i] : &old.b[i - l->n];
            Mode *to = i < l->n ? &l->d[i] : &l->b[i - l->n];
            if (g->axis == AXreg && g->stride == least) {
                to->stride = (int32_t)next;
                next *= g->extent;
            }
        }
        done = least;
    }
}

void layout_project(Layout *l, int dim)
{
    Layout old = *l;
    l->n = 0;
    for (int i = 0; i < old.n; i++) {
        Mode g = old.d[i];
        if (g.dim != dim) {
            g.dim -= g.dim > dim;
            l->d[l->n++] = g;
        } else if (g.axis == AXlane || g.axis == AXwarp) {
            layout_bcast(l, g.extent, (enum Axis)g.axis, g.stride);
        }
    }
    l->ndim--;
    for (int d = dim; d < l->ndim; d++) {
        l->size[d] = old.size[d + 1];
        l->extent[d] = old.extent[d + 1];
    }
    close_regs(l);
    layout_canon(l);
}

void layout_insert(Layout *l, int dim, int32_t size, enum Axis a, int32_t stride)
{
    for (int d = l->ndim; d > dim; d--) {
        l->size[d] = l->size[d - 1];
        l->extent[d] = l->extent[d - 1];
    }
    for (int i = 0; i < l->n; i++)
        l->d[i].dim += l->d[i].dim >= dim;
    l->ndim++;
    l->size[dim] = size;
    l->extent[dim] = 1;
    layout_mode(l, dim, size, a, stride);
}

/* The last dimension's low modes come first, so that a thread's elements
 * stand in the order of memory. */
void layout_pack(Layout *l)
{
    int32_t next = 1;
    for (int d = l->ndim - 1; d >= 0; d--)
        for (int i = 0; i < l->n; i++)
            if (l->d[i].dim == d && l->d[i].axis == AXreg) {
                l->d[i].stride = next;
                next *= l->d[i].extent;
            }
    for (int i = 0; i < l->nb; i++)
        if (l->b[i].axis == AXreg) {
            l->b[i].stride = next;
            next *= l->b[i].extent;
        }
}

/* Parts and shapes ----------------------------------------------------- */

bool layout_reshape(const Layout *l, int ndim, const int32_t *size, Layout *out)
{
    int64_t had = 1, has = 1, room; /* elements; places left in the new dimension */
    int to = ndim - 1;
    for (int d = 0; d < l->ndim; d++) {
        had *= l->size[d];
        if (d && l->extent[d] != l->size[d])
            return false;
    }
    for (int d = 0; d < ndim; d++)
        has *= size[d];
    if (had != has || ndim < 1 || ndim > LayDims)
        return false;
    layout_init(out, ndim, size);
    memcpy(out->b, l->b, sizeof l->b);
    out->nb = l->nb;
    out->x.bits = l->x.bits;
    out->x.base = l->x.base;
    out->x.shift = l->x.shift;
    room = size[to];
    for (int d = l->ndim - 1; d >= 0; d--)
        for (int i = 0; i < l->n; i++) {
            Mode g = l->d[i];
            if (g.dim != d)
                continue;
            while (g.extent > 1) {
                while (room == 1 && to > 0)
                    room = size[--to];
                int64_t take = to == 0 || g.extent <= room ? g.extent : room;
                if (g.extent % take || (to > 0 && room % take))
                    return false;
                layout_mode(out, to, (int32_t)take, (enum Axis)g.axis, g.stride);
                g.extent /= (int32_t)take;
                g.stride *= (int32_t)take;
                if (to > 0)
                    room /= take;
            }
        }
    for (int d = 0; d < ndim; d++)
        if (out->extent[d] < size[d])
            return false;
    layout_canon(out);
    return true;
}

/* Warps of another size ------------------------------------------------ */

/* A mode of threads, split where a warp ends: how much of its extent lies
 * inside, 0 when the cut does not nest. */
static int32_t extent_in_warp(int64_t stride, int32_t extent, int warp)
{
    if (stride >= warp)
        return stride % warp ? 0 : 1;
    int64_t n = warp / stride < extent ? warp / stride : extent;
    return warp % stride || extent % n ? 0 : (int32_t)n;
}

/* Mode g (of dimension dim, or a broadcast one) into l. */
static bool recount(Layout *l, const Mode *g, bool bcast, int64_t lanes, int warp)
{
    bool threads = g->axis == AXlane || g->axis == AXwarp;
    int64_t stride = g->axis == AXwarp ? g->stride * lanes : g->stride;
    int32_t in = threads ? extent_in_warp(stride, g->extent, warp) : 1;
    struct { int32_t extent; enum Axis axis; int64_t stride; } part[2] = {
        {in, AXlane, stride},
        {in ? g->extent / in : 1, AXwarp, stride * in / warp},
    };
    if (in == 0 || (threads && part[1].extent > 1 && stride * in % warp))
        return false;
    if (!threads) {
        part[1].extent = g->extent;
        part[1].axis = (enum Axis)g->axis;
        part[1].stride = g->stride;
    }
    for (int k = 0; k < 2; k++) {
        if (bcast)
            layout_bcast(l, part[k].extent, part[k].axis, (int32_t)part[k].stride);
        else
            layout_mode(l, g->dim, part[k].extent, part[k].axis, (int32_t)part[k].stride);
    }
    return true;
}

bool layout_warps(Layout *l, int warp)
{
    Layout out;
    int64_t lanes = layout_extent(l, AXlane);
    if (lanes == warp)
        return true;
    layout_init(&out, l->ndim, l->size);
    for (int i = 0; i < l->n; i++)
        if (!recount(&out, &l->d[i], false, lanes, warp))
            return false;
    for (int i = 0; i < l->nb; i++)
        if (!recount(&out, &l->b[i], true, lanes, warp))
            return false;
    int64_t own = layout_extent(&out, AXlane);
    if (own < warp && warp % own == 0 && layout_extent(&out, AXwarp) == 1)
        layout_bcast(&out, (int32_t)(warp / own), AXlane, (int32_t)own);
    layout_canon(&out);
    if (layout_check(&out, warp))
        return false;
    *l = out;
    return true;
}

/* Conversion ----------------------------------------------------------- */

/* Does b hold the elements of each mode of a on `axis` at the same place?
 * Then no value has to leave its lane (warp) on the way from a to b. */
static bool keeps(const Layout *a, const Layout *b, enum Axis axis)
{
    for (int i = 0; i < a->n; i++) {
        bool found = a->d[i].axis != axis;
        for (int j = 0; j < b->n && !found; j++)
            found = b->d[j].dim == a->d[i].dim && b->d[j].weight == a->d[i].weight &&
                    b->d[j].extent == a->d[i].extent && b->d[j].axis == axis &&
                    b->d[j].stride == a->d[i].stride;
        if (!found)
            return false;
    }
    return true;
}

enum Move layout_convert(const Layout *a, const Layout *b)
{
    Layout p = *a, q = *b;
    if (layout_equal(a, b))
        return MVsame;
    if (!layout_refine(&p, &q) || layout_extent(&q, AXwarp) > layout_extent(&p, AXwarp) ||
        !keeps(&p, &q, AXwarp))
        return MVshared;
    return keeps(&p, &q, AXlane) ? MVregs : MVshuffle;
}
