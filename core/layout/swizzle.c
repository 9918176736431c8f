/* core/layout/swizzle.c: layouts of shared memory by name. */
#include "layout.h"

/* Exponent of v, or -1 when it is no power of two. */
static int swizzle_log2of(int64_t v)
{
    int n = 0;
    if (v < 1)
        return -1;
    while (v > 1 && v % 2 == 0) {
        v /= 2;
        n++;
    }
    return v == 1 ? n : -1;
}

/* Leading dimensions beyond the last two, outermost last: places of `each`. */
static void swizzle_outer(Layout *l, int32_t each)
{
    for (int d = l->ndim - 3; d >= 0; d--) {
        layout_mode(l, d, l->size[d], AXoff, each);
        each *= l->size[d];
    }
}

/* Formula: lowering.md 3.5; on byte addresses a ^ ((a >> 3) & mask) with mask
 * 0x70, 0x30 or 0x10, here in elements. */
bool layout_swizzled(Layout *l, int ndim, const int32_t *size, int bits, int span)
{
    int w = span * 8 / bits, chunk = swizzle_log2of(128 / bits), b = swizzle_log2of(span / 16);
    if (ndim < 2 || bits > 128 || chunk < 0 || b < 0 || b > 3 || size[ndim - 1] % w)
        return false;
    int32_t rows = size[ndim - 2], cols = size[ndim - 1];
    int32_t height = (rows + 7) / 8 * 8; /* column blocks begin at whole patterns */
    layout_init(l, ndim, size);
    layout_mode(l, ndim - 1, w, AXoff, 1);
    layout_mode(l, ndim - 1, cols / w, AXoff, height * w);
    layout_mode(l, ndim - 2, rows, AXoff, w);
    swizzle_outer(l, height * cols);
    if (b > 0) {
        l->x.bits = (int8_t)b;
        l->x.base = (int8_t)chunk;
        l->x.shift = 3;
    }
    return true;
}

void layout_padded(Layout *l, int ndim, const int32_t *size, int bits)
{
    int32_t pitch = size[ndim - 1] + 128 / bits;
    layout_init(l, ndim, size);
    layout_mode(l, ndim - 1, size[ndim - 1], AXoff, 1);
    if (ndim < 2)
        return;
    layout_mode(l, ndim - 2, size[ndim - 2], AXoff, pitch);
    swizzle_outer(l, pitch * size[ndim - 2]);
}

/* Formula: lowering.md 3.7: chunk (col / vec) ^ (row / perPhase % maxPhase),
 * perPhase = max(1, 128 / row bytes), maxPhase = min(16 / perPhase, row / vec).
 * Rows follow each other, so row / perPhase is a shift of the offset. */
bool layout_phased(Layout *l, int ndim, const int32_t *size, int bits, int vec)
{
    if (ndim < 2)
        return false;
    int64_t inner = size[ndim - 1], rowbytes = inner * bits / 8;
    int64_t per = rowbytes ? 128 / rowbytes : 0;
    per = per < 1 ? 1 : per;
    int64_t phases = 16 / per < inner / vec ? 16 / per : inner / vec;
    int b = swizzle_log2of(phases), v = swizzle_log2of(vec), r = swizzle_log2of(inner),
        p = swizzle_log2of(per);
    if (b < 1 || v < 0 || r < 0 || p < 0 || r + p - v < b)
        return false;
    layout_linear(l, ndim, size);
    l->x.bits = (int8_t)b;
    l->x.base = (int8_t)v;
    l->x.shift = (int8_t)(r + p - v);
    return true;
}
