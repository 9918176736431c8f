/* Properties of random layouts, with extents that are not powers of two:
 * invert undoes eval, checks see what is broken, refining and canonical forms
 * keep the map, text reads back, conversions are classified as plain
 * enumeration says, and a function made of digits and an XOR is fitted again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/layout/layout.h"
#include "times.h"

enum { Rounds = TIMES(1000, 300), Warp = 32 };

static uint64_t state = 88172645463325252u;

static int rnd(int n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)((uint32_t)(state >> 33) % (uint32_t)n);
}

static int failures;

static void expect(bool ok, const char *what, const Layout *l)
{
    Str s = {0};
    if (ok)
        return;
    layout_print(l, &s);
    if (failures++ < 20)
        printf("failed: %s: %s\n", what, s.s);
    str_free(&s);
}

/* Making ---------------------------------------------------------------- */

/* Pieces to deal out over dimensions: what an axis still has to get. */
typedef struct Piece { enum Axis axis; int32_t extent, stride; } Piece;

static int deal_axis(Piece *p, enum Axis a, const int32_t *extent, int n)
{
    int32_t stride = 1;
    for (int i = 0; i < n; i++) {
        p[i] = (Piece){a, extent[i], stride};
        stride *= extent[i];
    }
    return n;
}

static void shuffle(Piece *p, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int k = rnd(i + 1);
        Piece t = p[i];
        p[i] = p[k];
        p[k] = t;
    }
}

/* The last size may be smaller than the digits reach. */
static void cut_sizes(Layout *l)
{
    for (int d = 0; d < l->ndim; d++)
        l->size[d] = l->extent[d] > 3 && rnd(3) == 0 ? l->extent[d] - 1 - rnd(l->extent[d] / 2)
                                                       : l->extent[d];
}

static void random_fragment(Layout *l)
{
    static const int32_t ones[LayDims] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const int32_t odd[] = {2, 3, 4, 5, 2, 4, 7};
    Piece p[16];
    int32_t lane[5] = {2, 2, 2, 2, 2}, warp[2], reg[4];
    int n = 0, nw = rnd(3), nr = rnd(4);
    for (int i = 0; i < nw; i++)
        warp[i] = odd[rnd(4)];
    for (int i = 0; i < nr; i++)
        reg[i] = odd[rnd((int)COUNT(odd))];
    n += deal_axis(p + n, AXlane, lane, 5);
    n += deal_axis(p + n, AXwarp, warp, nw);
    n += deal_axis(p + n, AXreg, reg, nr);
    shuffle(p, n);
    layout_init(l, 1 + rnd(3), ones);
    for (int i = 0; i < n; i++)
        if (p[i].axis != AXreg && rnd(6) == 0)
            layout_bcast(l, p[i].extent, p[i].axis, p[i].stride);
        else
            layout_mode(l, rnd(l->ndim), p[i].extent, p[i].axis, p[i].stride);
    cut_sizes(l);
}

static void random_memory(Layout *l)
{
    static const int32_t ones[LayDims] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const int32_t odd[] = {2, 3, 4, 8, 2, 4, 6};
    Piece p[8];
    int32_t ext[6], stride = 1;
    int n = 1 + rnd(6);
    for (int i = 0; i < n; i++)
        ext[i] = odd[rnd((int)COUNT(odd))];
    deal_axis(p, AXoff, ext, n);
    if (rnd(3) == 0) /* gaps: padded rows */
        for (int i = 0; i < n; i++) {
            p[i].stride = stride;
            stride *= p[i].extent;
            stride += rnd(3) == 0 ? 8 : 0;
        }
    shuffle(p, n);
    layout_init(l, 1 + rnd(3), ones);
    for (int i = 0; i < n; i++)
        layout_mode(l, rnd(l->ndim), p[i].extent, AXoff, p[i].stride);
    if (rnd(2)) {
        l->x.bits = (int8_t)(1 + rnd(3));
        l->x.base = (int8_t)rnd(5);
        l->x.shift = (int8_t)(l->x.bits + rnd(3));
    }
    cut_sizes(l);
}

/* Walking --------------------------------------------------------------- */

static int64_t elements(const Layout *l)
{
    int64_t n = 1;
    for (int d = 0; d < l->ndim; d++)
        n *= l->size[d];
    return n;
}

static void index_of(const Layout *l, int64_t e, int32_t *idx)
{
    for (int d = l->ndim - 1; d >= 0; d--) {
        idx[d] = (int32_t)(e % l->size[d]);
        e /= l->size[d];
    }
}

static bool same_spot(const Spot *a, const Spot *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Do two layouts put every element at the same place? */
static bool same_map(const Layout *a, const Layout *b)
{
    int32_t idx[LayDims];
    for (int64_t e = 0, n = elements(a); e < n; e++) {
        index_of(a, e, idx);
        Spot p = layout_eval(a, idx), q = layout_eval(b, idx);
        if (!same_spot(&p, &q))
            return false;
    }
    return true;
}

/* Properties ------------------------------------------------------------ */

static void inverts(const Layout *l, bool memory)
{
    int64_t n = elements(l), seen = 0, places = 1;
    int32_t idx[LayDims], back[LayDims];
    for (int64_t e = 0; e < n; e++) {
        index_of(l, e, idx);
        Spot s = layout_eval(l, idx);
        bool ok = layout_invert(l, &s, back);
        for (int d = 0; d < l->ndim && ok; d++)
            ok = back[d] == idx[d];
        for (int a = 0; a < NAxis; a++)
            ok = ok && s.at[a] < layout_extent(l, (enum Axis)a);
        expect(ok, "invert undoes eval", l);
    }
    /* every place holds one element or none; copies multiply */
    for (int a = 0; a < NAxis; a++)
        places *= memory == (a == AXoff) ? layout_extent(l, (enum Axis)a) : 1;
    if (places > 1 << 16)
        return;
    for (int64_t i = 0; i < places; i++) {
        Spot s = {{0}};
        int64_t v = i;
        for (int a = 0; a < NAxis; a++)
            if (memory == (a == AXoff)) {
                s.at[a] = v % layout_extent(l, (enum Axis)a);
                v /= layout_extent(l, (enum Axis)a);
            }
        seen += layout_invert(l, &s, back);
    }
    int64_t copies = layout_copies(l);
    for (int i = 0; i < l->nb; i++)
        copies *= l->b[i].axis == AXreg ? l->b[i].extent : 1;
    expect(seen == n * copies, "each element is in as many places as it has copies", l);
}

static void texts(const Layout *l)
{
    Str s = {0}, again = {0};
    Layout q;
    layout_print(l, &s);
    bool ok = layout_parse(&q, s.s) && layout_equal(l, &q);
    expect(ok, "text reads back", l);
    if (ok)
        layout_print(&q, &again);
    expect(ok && strcmp(s.s, again.s) == 0, "text is written the same again", l);
    /* cut anywhere it is refused, or read as a map that holds */
    for (size_t k = 1; s.s && k < s.n; k += 3) {
        char cut[512];
        if (s.n >= sizeof cut)
            break;
        memcpy(cut, s.s, k);
        cut[k] = '\0';
        expect(!layout_parse(&q, cut) || layout_check(&q, 0) == NULL, "a cut text", l);
    }
    str_free(&s);
    str_free(&again);
}

static void canonical(const Layout *l)
{
    Layout c = *l, r = *l, q = *l;
    layout_canon(&c);
    expect(same_map(l, &c) && layout_equal(l, &c), "the canonical form is the same map", l);
    expect(layout_check(&c, 0) == NULL, "the canonical form holds", l);
    if (layout_refine(&r, &q))
        expect(same_map(l, &r), "refined with itself", l);
    if (l->ndim > 1) {
        int perm[3] = {1, 0, 2};
        Layout t = *l;
        layout_permute(&t, perm);
        expect(layout_check(&t, 0) == NULL && t.size[0] == l->size[1], "a transposed map holds", l);
        layout_permute(&t, perm);
        expect(layout_equal(&t, l), "transposed twice", l);
    }
}

static void refines(const Layout *a)
{
    Layout b = *a, p = *a, q;
    layout_pack(&b); /* the same sizes, registers in another order */
    q = b;
    if (!layout_refine(&p, &q))
        return;
    expect(same_map(a, &p) && same_map(&b, &q), "refine keeps both maps", a);
    bool cuts = p.n == q.n;
    for (int i = 0; i < p.n && cuts; i++)
        cuts = p.d[i].dim == q.d[i].dim && p.d[i].weight == q.d[i].weight &&
               p.d[i].extent == q.d[i].extent;
    expect(cuts, "refine gives both the same cuts", a);
    expect(layout_same_threads(a, &b), "packed slots stay in their threads", a);
    enum Move m = layout_convert(a, &b);
    expect(m == MVsame || m == MVregs, "packing is a matter of registers", a);
}

static void projects(const Layout *l)
{
    if (l->ndim < 2)
        return;
    for (int d = 0; d < l->ndim; d++) {
        Layout p = *l;
        layout_project(&p, d);
        bool ok = layout_check(&p, Warp) == NULL && p.ndim == l->ndim - 1 &&
                  layout_extent(&p, AXwarp) == layout_extent(l, AXwarp);
        int32_t idx[LayDims], rest[LayDims];
        for (int64_t e = 0, n = elements(l); e < n && ok; e++) {
            index_of(l, e, idx);
            Spot s = layout_eval(l, idx), t = {{0}};
            for (int k = 0; k < p.ndim; k++)
                rest[k] = idx[k + (k >= d)];
            /* the thread that holds idx holds what is left of it */
            t = layout_eval(&p, rest);
            t.at[AXlane] = s.at[AXlane];
            t.at[AXwarp] = s.at[AXwarp];
            int32_t back[LayDims];
            ok = layout_invert(&p, &t, back) && memcmp(back, rest, sizeof back[0] * p.ndim) == 0;
        }
        expect(ok, "a projection is held by the same threads", l);
    }
}

/* Warps of 64 and of 16 lanes: the same threads, and copies where those are no whole warp. */
static void recounts(const Layout *l)
{
    static const int warps[] = {64, 16};
    int32_t idx[LayDims];
    int64_t all = layout_extent(l, AXlane) * layout_extent(l, AXwarp);
    for (size_t k = 0; k < COUNT(warps); k++) {
        int64_t more = all < warps[k] ? warps[k] / all : 1;
        Layout w = *l;
        if (!layout_warps(&w, warps[k])) {
            expect(layout_equal(l, &w), "what cannot be recounted stays", l);
            continue;
        }
        bool ok = layout_check(&w, warps[k]) == NULL;
        for (int64_t e = 0, n = elements(l); e < n && ok; e++) {
            index_of(l, e, idx);
            Spot s = layout_eval(l, idx), t = layout_eval(&w, idx);
            ok = s.at[AXlane] + s.at[AXwarp] * Warp == t.at[AXlane] + t.at[AXwarp] * warps[k] &&
                 s.at[AXreg] == t.at[AXreg];
        }
        expect(ok && layout_copies(&w) == layout_copies(l) * more, "the same threads", l);
        expect(layout_warps(&w, Warp) && (more > 1 || layout_equal(&w, l)), "counted back", l);
    }
}

static void reshapes(const Layout *l)
{
    int32_t flat = (int32_t)elements(l), two[2] = {2, flat / 2}, idx[LayDims];
    Layout f;
    for (int k = 0; k < 2; k++) {
        if ((k && flat % 2) || !layout_reshape(l, k + 1, k ? two : &flat, &f))
            continue;
        bool ok = true;
        for (int32_t e = 0; e < flat && ok; e++) {
            int32_t at[2] = {k ? e / two[1] : e, k ? e % two[1] : 0};
            index_of(l, e, idx);
            Spot s = layout_eval(l, idx), t = layout_eval(&f, at);
            ok = same_spot(&s, &t);
        }
        expect(ok, "a reshape keeps places", l);
    }
}

/* Conversions by enumeration: does every thread that holds an element in b hold
 * it in a (registers), some lane of its warp (shuffle)? */
static enum Move by_hand(const Layout *a, const Layout *b)
{
    int32_t idx[LayDims], jdx[LayDims];
    bool regs = true, warps = true;
    int64_t nw = layout_extent(b, AXwarp), nr = layout_extent(b, AXreg);
    for (int64_t w = 0; w < nw; w++)
        for (int64_t i = 0; i < Warp; i++)
            for (int64_t r = 0; r < nr; r++) {
                Spot s = {{r, i, w, 0}};
                if (!layout_invert(b, &s, idx))
                    continue;
                bool here = false, near = false;
                for (int64_t j = 0; j < Warp && !here; j++)
                    for (int64_t q = 0; q < layout_extent(a, AXreg) && !here; q++) {
                        Spot t = {{q, j, w, 0}};
                        if (!layout_invert(a, &t, jdx) ||
                            memcmp(idx, jdx, sizeof idx[0] * a->ndim) != 0)
                            continue;
                        near = true;
                        here |= j == i;
                    }
                regs &= here;
                warps &= near;
            }
    return regs ? MVregs : warps ? MVshuffle : MVshared;
}

/* Exchanges two digits of a on the given axes (or none): another layout of the
 * same shape. */
static void conversions(void)
{
    Layout a, b;
    do
        random_fragment(&a);
    while (elements(&a) > 512);
    for (int d = 0; d < a.ndim; d++)
        a.size[d] = a.extent[d];
    b = a;
    for (int k = 0; k < 1 + rnd(3); k++) {
        int i = a.n ? rnd(a.n) : 0, j = a.n ? rnd(a.n) : 0;
        if (a.n && b.d[i].extent == b.d[j].extent) {
            Mode t = b.d[i];
            b.d[i].axis = b.d[j].axis;
            b.d[i].stride = b.d[j].stride;
            b.d[j].axis = t.axis;
            b.d[j].stride = t.stride;
        }
    }
    enum Move m = layout_convert(&a, &b), want = by_hand(&a, &b);
    if (m == MVsame)
        expect(same_map(&a, &b), "the same map", &a);
    else
        expect(m == want, "a conversion's kind", &a);
}

/* Fitting --------------------------------------------------------------- */

typedef struct Made { const Layout *l; bool memory; } Made;

static bool made(void *ud, const int32_t *idx, int32_t rep, Spot *at)
{
    const Made *m = ud;
    Spot s = layout_eval(m->l, idx);
    for (int i = 0; i < m->l->nb; i++) {
        const Mode *g = &m->l->b[i];
        s.at[g->axis] += rep % g->extent * g->stride;
        rep /= g->extent;
    }
    if (!m->memory) {
        s.at[AXlane] += s.at[AXwarp] * Warp;
        s.at[AXwarp] = 0;
    }
    *at = s;
    return true;
}

static void fits(const Layout *l, bool memory)
{
    Layout q;
    const char *why;
    int32_t idx[LayDims];
    Made m = {l, memory};
    if (memory && l->x.bits)
        return; /* the XOR of sum of digits may move element 0's neighbours anywhere: below */
    if (layout_fit(&q, l->ndim, l->size, (int32_t)layout_copies(l), Warp, memory, made, &m, &why,
                   idx))
        expect(same_map(l, &q), "a fit is the function", l);
    else
        expect(false, why, l);
}

static void fits_swizzles(void)
{
    static const int bits[] = {8, 16, 32}, spans[] = {128, 64, 32};
    for (int s = 0; s < 3; s++)
        for (int e = 0; e < 3; e++) {
            int32_t size[2] = {16 + 8 * rnd(4), spans[s] * 8 / bits[e] * (1 + rnd(3))}, idx[2];
            Layout l, q;
            const char *why;
            Made m = {&l, true};
            if (layout_swizzled(&l, 2, size, bits[e], spans[s]))
                expect(layout_fit(&q, 2, size, 1, Warp, true, made, &m, &why, idx) &&
                           same_map(&l, &q), "a swizzle is found", &l);
        }
}

typedef struct Wrong { const char *what; bool memory; LayoutFn *f; int32_t i, j; } Wrong;

static bool diagonal(void *ud, const int32_t *idx, int32_t rep, Spot *at)
{
    (void)ud;
    at->at[AXlane] = rep + idx[0];
    at->at[AXreg] = (idx[1] + idx[0]) % 8;
    return true;
}

static bool both(void *ud, const int32_t *idx, int32_t rep, Spot *at)
{
    (void)ud;
    at->at[AXlane] = rep + idx[0] * 2 + idx[1] / 4;
    at->at[AXreg] = idx[1];
    return true;
}

static bool twice(void *ud, const int32_t *idx, int32_t rep, Spot *at)
{
    (void)ud;
    at->at[AXoff] = rep + idx[0] * 8 + idx[1] / 2;
    return true;
}

static bool quadratic(void *ud, const int32_t *idx, int32_t rep, Spot *at)
{
    (void)ud;
    at->at[AXoff] = rep + idx[0] * 8 + idx[1] + (idx[0] == 5) * 1000;
    return true;
}

static bool shifted(void *ud, const int32_t *idx, int32_t rep, Spot *at)
{
    (void)ud;
    at->at[AXoff] = rep + 4 + idx[0] * 8 + idx[1];
    return true;
}

static bool below(void *ud, const int32_t *idx, int32_t rep, Spot *at)
{
    (void)ud;
    at->at[AXoff] = rep + idx[0] * 8 - idx[1];
    return true;
}

static void refuses(void)
{
    static const Wrong wrong[] = {
        {"a rotation", false, diagonal, 1, 0}, {"a diagonal", false, both, 0, 4},
        {"two in one place", true, twice, 0, 1}, {"a row elsewhere", true, quadratic, 6, 0},
        {"an origin elsewhere", true, shifted, 0, 0}, {"a place below 0", true, below, 0, 1},
    };
    static const int32_t size[2] = {8, 8};
    for (size_t k = 0; k < COUNT(wrong); k++) {
        Layout l;
        const char *why = NULL;
        int32_t idx[2] = {-1, -1};
        layout_linear(&l, 2, size);
        bool ok = layout_fit(&l, 2, size, 1, Warp, wrong[k].memory, wrong[k].f, NULL, &why, idx);
        bool at = idx[0] == wrong[k].i && idx[1] == wrong[k].j;
        if (ok || !why || !at) {
            printf("failed: %s: %s at %d, %d\n", wrong[k].what, why ? why : "fitted", idx[0],
                   idx[1]);
            failures++;
        }
    }
}

/* Broken maps are seen --------------------------------------------------- */

static void breaks(const Layout *l)
{
    Layout b = *l;
    if (l->n == 0)
        return;
    int i = rnd(l->n);
    Mode *g = &b.d[i];
    switch (rnd(4)) {
    case 0: g->weight++; break;
    case 1: g->stride = 0; break;
    case 2: b.extent[g->dim]++; break;
    default: b.size[g->dim] = b.extent[g->dim] + 1; break;
    }
    expect(layout_check(&b, 0) != NULL, "a broken map is seen", l);
}

int main(void)
{
    for (int k = 0; k < Rounds; k++) {
        Layout l;
        bool memory = rnd(3) == 0;
        if (memory)
            random_memory(&l);
        else
            random_fragment(&l);
        if (elements(&l) > 4096)
            continue;
        expect(layout_check(&l, memory ? 0 : Warp) == NULL, "a random map holds", &l);
        inverts(&l, memory);
        texts(&l);
        canonical(&l);
        breaks(&l);
        reshapes(&l);
        fits(&l, memory);
        if (!memory) {
            refines(&l);
            projects(&l);
            recounts(&l);
        }
        if (k % 30 == 0)
            conversions();
        if (k % 100 == 0)
            fits_swizzles();
    }
    refuses();
    return failures != 0;
}
