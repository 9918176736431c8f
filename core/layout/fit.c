/* core/layout/fit.c: a function of the indices as a layout.
 *
 * All places are asked for once.  The function is then read along each axis of
 * the index with the others at 0: where the step changes, a mode ends.  The
 * sum of what the axes give must be the function everywhere; if it is not and
 * this is memory, the XORs that swizzles use are tried in turn.  So nothing is
 * believed that was not compared at every index. */
#include <stdlib.h>
#include <string.h>

#include "layout.h"

enum { MaxElements = 1 << 22, MaxThreads = 1024 };

typedef struct LayoutFit LayoutFit;
struct LayoutFit {
    int ndim, nrep, warp;
    bool memory;
    int32_t size[LayDims];
    int64_t n;
    int64_t *a, *b; /* of each element, row-major: offset, or thread and register */
    int64_t rep[2 * LayBroadcast]; /* thread modes of the copies: extent, stride in turn */
    int nrepmode;
    const char *why;
    int64_t witness; /* element */
};

static bool fit_fail(LayoutFit *t, const char *why, int64_t element)
{
    t->why = why;
    t->witness = element;
    return false;
}

static void fit_unflatten(const LayoutFit *t, int64_t e, int32_t *idx)
{
    for (int d = t->ndim - 1; d >= 0; d--) {
        idx[d] = (int32_t)(e % t->size[d]);
        e /= t->size[d];
    }
}

/* Elements from one index of dim to the next. */
static int64_t fit_pitch(const LayoutFit *t, int dim)
{
    int64_t n = 1;
    for (int d = dim + 1; d < t->ndim; d++)
        n *= t->size[d];
    return n;
}

/* Asking --------------------------------------------------------------- */

static bool fit_sound(LayoutFit *t, const Spot *s, int64_t e)
{
    if (t->memory)
        return (s->at[AXoff] >= 0 && s->at[AXoff] <= INT32_MAX) ||
               fit_fail(t, "an offset is negative or beyond 2^31", e);
    if (s->at[AXlane] < 0 || s->at[AXlane] >= MaxThreads)
        return fit_fail(t, "a thread lies outside of the block", e);
    return (s->at[AXreg] >= 0 && s->at[AXreg] < 1 << 16) ||
           fit_fail(t, "a register slot is negative or too large", e);
}

/* -1: f raised an error of its own */
static int fit_ask(LayoutFit *t, LayoutFn *f, void *ud)
{
    int32_t idx[LayDims];
    for (int64_t e = 0; e < t->n; e++) {
        Spot s = {{0}};
        fit_unflatten(t, e, idx);
        if (!f(ud, idx, 0, &s))
            return -1;
        if (!fit_sound(t, &s, e))
            return 0;
        t->a[e] = t->memory ? s.at[AXoff] : s.at[AXlane];
        t->b[e] = t->memory ? 0 : s.at[AXreg];
    }
    return 1;
}

/* The copies of element 0 as modes of the thread; then every element's copies
 * must stand in the same places around it, in the same register. */
static int ask_copies(LayoutFit *t, LayoutFn *f, void *ud)
{
    int64_t at[MaxThreads];
    int32_t idx[LayDims];
    for (int64_t e = 0; e < t->n; e++) {
        fit_unflatten(t, e, idx);
        for (int r = 1; r < t->nrep; r++) {
            Spot s = {{0}};
            if (!f(ud, idx, r, &s))
                return -1;
            if (!fit_sound(t, &s, e))
                return 0;
            if (e == 0)
                at[r] = s.at[AXlane] - t->a[0];
            if (s.at[AXlane] - t->a[e] != at[r] || s.at[AXreg] != t->b[e])
                return fit_fail(t, "the copies of an element are placed unlike those of the first",
                                e);
        }
    }
    at[0] = 0;
    for (int r = 1; r < t->nrep;) { /* weight r: its mode runs as far as its step does */
        int e = 2;
        if (t->nrepmode + 2 > 2 * LayBroadcast || at[r] <= 0)
            return fit_fail(t, "the copies do not follow bits of the thread", 0);
        while (r * e < t->nrep && at[r * e] == at[r] * e)
            e++;
        if (t->nrep % ((int64_t)r * e))
            return fit_fail(t, "the copies do not follow bits of the thread", 0);
        for (int k = 0; k < r * e; k++)
            if (at[k] != at[k % r] + k / r * at[r])
                return fit_fail(t, "the copies do not follow bits of the thread", 0);
        t->rep[t->nrepmode++] = e;
        t->rep[t->nrepmode++] = at[r];
        r *= e;
    }
    return 1;
}

/* Two elements in one place? */
typedef struct FitPlace FitPlace;
struct FitPlace { int64_t a, b, e; };

static int fit_by_place(const void *p, const void *q)
{
    const FitPlace *x = p, *y = q;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    return (x->e > y->e) - (x->e < y->e);
}

static bool fit_distinct(LayoutFit *t)
{
    FitPlace *p = malloc((size_t)t->n * sizeof *p);
    int64_t clash = -1;
    if (!p)
        return fit_fail(t, "out of memory", 0);
    for (int64_t e = 0; e < t->n; e++)
        p[e] = (FitPlace){t->a[e], t->b[e], e};
    qsort(p, (size_t)t->n, sizeof *p, fit_by_place);
    for (int64_t i = 1; i < t->n && clash < 0; i++)
        if (p[i].a == p[i - 1].a && p[i].b == p[i - 1].b)
            clash = p[i].e;
    free(p);
    return clash < 0 || fit_fail(t, "two elements are in one place", clash);
}

/* Reading along an axis ------------------------------------------------- */

static int64_t unswizzle(const Layout *l, int64_t v)
{
    return v ^ ((v >> (l->x.base + l->x.shift) & (((int64_t)1 << l->x.bits) - 1)) << l->x.base);
}

/* Place of element e without the XOR of l. */
static int64_t offset_unswizzled(const LayoutFit *t, const Layout *l, int64_t e)
{
    return l->x.bits ? unswizzle(l, t->a[e]) : t->a[e];
}

/* One mode of a thread's number, split at the end of a warp.  The topmost of
 * its dimension is padded to whole lanes. */
static bool thread_mode(LayoutFit *t, Layout *l, int dim, int64_t extent, int64_t stride, int64_t e)
{
    int64_t w = t->warp, inside = 1;
    bool top = l->extent[dim] * extent >= t->size[dim];
    if (stride % w == 0) {
        layout_mode(l, dim, (int32_t)extent, AXwarp, (int32_t)(stride / w));
        return true;
    }
    while (inside < extent && inside * stride < w)
        inside *= 2;
    if ((extent % inside && !top) || (stride & (stride - 1)))
        return fit_fail(t, "lanes are not bits of an index", e);
    extent = (extent + inside - 1) / inside * inside;
    layout_mode(l, dim, (int32_t)inside, AXlane, (int32_t)stride);
    layout_mode(l, dim, (int32_t)(extent / inside), AXwarp, 1);
    return true;
}

static bool put_mode(LayoutFit *t, Layout *l, int dim, int64_t extent, int64_t sa, int64_t sb,
                     int64_t e)
{
    if (l->n >= LayModes - 1)
        return fit_fail(t, "it has too many pieces", e);
    if (sa < 0 || sb < 0)
        return fit_fail(t, "places run backwards along an index", e);
    if (sa && sb)
        return fit_fail(t, "an index moves thread and register at once", e);
    if (t->memory)
        layout_mode(l, dim, (int32_t)extent, AXoff, (int32_t)sa);
    else if (sa)
        return thread_mode(t, l, dim, extent, sa, e);
    else
        layout_mode(l, dim, (int32_t)extent, AXreg, (int32_t)sb);
    return true;
}

/* Modes of one dimension, read with the other indices at 0: w is the weight
 * of the mode, which runs until the step changes. */
static bool read_dim(LayoutFit *t, Layout *l, int dim)
{
    int64_t step = fit_pitch(t, dim), size = t->size[dim], a0 = offset_unswizzled(t, l, 0);
    for (int64_t w = 1, e; w < size; w *= e) {
        int64_t sa = offset_unswizzled(t, l, w * step) - a0, sb = t->b[w * step] - t->b[0];
        for (e = 1; e * w < size; e++) {
            int64_t at = e * w * step;
            if (offset_unswizzled(t, l, at) - a0 != e * sa || t->b[at] - t->b[0] != e * sb)
                break;
        }
        if (!put_mode(t, l, dim, e, sa, sb, w * step))
            return false;
    }
    return true;
}

/* The sum of the modes is the function at every element? */
static bool fit_agrees(LayoutFit *t, const Layout *l)
{
    int32_t idx[LayDims];
    for (int64_t e = 0; e < t->n; e++) {
        fit_unflatten(t, e, idx);
        Spot s = layout_eval(l, idx);
        if (t->memory ? s.at[AXoff] != t->a[e]
                      : s.at[AXlane] + s.at[AXwarp] * t->warp != t->a[e] ||
                            s.at[AXreg] != t->b[e])
            return fit_fail(t, t->memory ? "it is not a sum of modes with one XOR"
                                     : "it is not a sum of modes", e);
    }
    return true;
}

/* The topmost mode of a dimension that ends at `span` reaches on to `next`:
 * what it gains is padding. */
static bool fit_stretch(Layout *l, enum Axis a, int64_t span, int64_t next)
{
    for (int i = 0; i < l->n; i++) {
        Mode *g = &l->d[i];
        if (g->axis != a || (int64_t)g->stride * g->extent != span || next % g->stride ||
            (int64_t)g->weight * g->extent != l->extent[g->dim])
            continue;
        g->extent = (int32_t)(next / g->stride);
        l->extent[g->dim] = g->weight * g->extent;
        return true;
    }
    return false;
}

/* Threads that hold nothing get copies: a layout names all lanes of its warps. */
static void fill_axis(Layout *l, enum Axis a, int64_t until)
{
    int64_t span = 1;
    while (span < until) {
        int64_t next = until;
        bool mode = false;
        for (int i = 0; i < l->n + l->nb; i++) {
            const Mode *g = i < l->n ? &l->d[i] : &l->b[i - l->n];
            if (g->axis != a || g->stride < span)
                continue;
            if (g->stride < next || (g->stride == next && !mode)) {
                next = g->stride;
                mode = true;
            }
            if (g->stride == span) {
                span *= g->extent;
                next = 0;
                break;
            }
        }
        if (next == 0)
            continue;
        if (next % span == 0)
            layout_bcast(l, (int32_t)(next / span), a, (int32_t)span);
        else if (!fit_stretch(l, a, span, next))
            return; /* layout_check says what is wrong */
        span = next;
    }
}

static void fill_threads(LayoutFit *t, Layout *l)
{
    for (int i = 0; i + 1 < t->nrepmode; i += 2) {
        int64_t extent = t->rep[i], stride = t->rep[i + 1], w = t->warp;
        if (stride % w == 0) {
            layout_bcast(l, (int32_t)extent, AXwarp, (int32_t)(stride / w));
            continue;
        }
        int64_t inside = stride * extent <= w ? extent : w / stride;
        layout_bcast(l, (int32_t)inside, AXlane, (int32_t)stride);
        layout_bcast(l, (int32_t)(extent / inside), AXwarp, 1);
    }
    fill_axis(l, AXlane, t->warp);
    fill_axis(l, AXwarp, layout_extent(l, AXwarp));
}

/* Modes for a given XOR, compared everywhere. */
static bool fit_attempt(LayoutFit *t, Layout *l, int bits, int base, int shift)
{
    layout_init(l, t->ndim, t->size);
    l->x.bits = (int8_t)bits;
    l->x.base = (int8_t)base;
    l->x.shift = (int8_t)shift;
    for (int d = t->ndim - 1; d >= 0; d--)
        if (!read_dim(t, l, d))
            return false;
    if (!fit_agrees(t, l))
        return false;
    if (!t->memory)
        fill_threads(t, l);
    layout_canon(l);
    const char *why = layout_check(l, t->memory ? 0 : t->warp);
    return !why || fit_fail(t, why, 0);
}

static bool fit_solve(LayoutFit *t, Layout *l)
{
    if (!t->memory && t->a[0] + t->b[0] != 0)
        return fit_fail(t, "the first element is not in thread 0, slot 0", 0);
    if (t->memory && t->a[0] != 0)
        return fit_fail(t, "the first element is not at offset 0", 0);
    if (!fit_distinct(t))
        return false;
    if (fit_attempt(t, l, 0, 0, 0))
        return true;
    const char *why = t->why;
    int64_t witness = t->witness;
    for (int bits = 1; t->memory && bits <= 5; bits++)
        for (int base = 0; base <= 8; base++)
            for (int shift = bits; shift <= 10; shift++)
                if (fit_attempt(t, l, bits, base, shift))
                    return true;
    return fit_fail(t, why, witness);
}

bool layout_fit(Layout *l, int ndim, const int32_t *size, int32_t nrep, int warp, bool memory,
                LayoutFn *f, void *ud, const char **why, int32_t *idx)
{
    LayoutFit t = {.ndim = ndim, .nrep = nrep, .warp = warp, .memory = memory, .n = 1};
    bool ok = false;
    *why = NULL;
    memset(idx, 0, (size_t)ndim * sizeof *idx);
    for (int d = 0; d < ndim; d++) {
        t.size[d] = size[d];
        t.n = size[d] > 0 && t.n <= MaxElements ? t.n * size[d] : MaxElements + 1;
    }
    if (t.n > MaxElements || nrep < 1 || nrep > MaxThreads) {
        *why = "it has too many elements";
        return false;
    }
    t.a = malloc((size_t)t.n * sizeof *t.a);
    t.b = malloc((size_t)t.n * sizeof *t.b);
    int asked = t.a && t.b ? fit_ask(&t, f, ud) : fit_fail(&t, "out of memory", 0);
    if (asked == 1 && nrep > 1)
        asked = ask_copies(&t, f, ud);
    if (asked == 1)
        ok = fit_solve(&t, l);
    if (!ok && asked >= 0) {
        *why = t.why;
        fit_unflatten(&t, t.witness, idx);
    }
    free(t.a);
    free(t.b);
    return ok;
}
