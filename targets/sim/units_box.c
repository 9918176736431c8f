/* targets/sim/units_box.c: boxes of global tensors, as the tensor memory
 * accelerator copies them.  Reference: lowering.md 3.6. */
#include "units_p.h"

#include <assert.h>
#include <string.h>

#include "core/tensor/tensor.h"

enum { ChunkBytes = 16 };

/* A row of the box: its place in shared memory (before the XOR) and the part of
 * it, in elements, that lies inside the tensor. */
typedef struct BoxRow BoxRow;
struct BoxRow {
    int64_t shared;       /* bytes from the box's origin */
    int64_t global;       /* bytes of the first element inside */
    int64_t from, to;     /* elements of the row; from >= to: none */
};

static int64_t units_box_rows_of(const TmaBox *b)
{
    int64_t n = 1;
    for (int d = 0; d + 1 < b->ndim; d++)
        n *= b->extent[d];
    return n;
}

int64_t box_bytes(const TmaBox *b)
{
    return (units_box_rows_of(b) * b->extent[b->ndim - 1] * b->bits + 7) / 8;
}

static BoxRow units_box_row_at(const TmaBox *b, int64_t r)
{
    int last = b->ndim - 1;
    int64_t width = b->extent[last], off = 0, rest = r;
    BoxRow x = {r * width * b->bits / 8, 0, 0, width};
    bool inside = true;
    for (int d = last - 1; d >= 0; d--) {
        int64_t i = b->min[d] + rest % b->extent[d];
        rest /= b->extent[d];
        inside = inside && i >= 0 && i < b->size[d];
        off += i * b->stride[d];
    }
    if (b->min[last] < 0)
        x.from = -b->min[last] < width ? -b->min[last] : width;
    if (b->min[last] + width > b->size[last])
        x.to = b->size[last] - b->min[last];
    if (!inside || x.to < x.from)
        x.to = x.from;
    x.global = (off + (b->min[last] + x.from) * b->stride[last]) * b->bits / 8;
    return x;
}

/* n bytes at linear shared offset at, in pieces that the XOR keeps together. */
typedef void BoxFn(uint8_t *shared, uint8_t *global, int64_t n);

static void copy_in(uint8_t *shared, uint8_t *global, int64_t n)
{
    memcpy(shared, global, (size_t)n);
}

static void copy_out(uint8_t *shared, uint8_t *global, int64_t n)
{
    memcpy(global, shared, (size_t)n);
}

static void units_box_clear(uint8_t *shared, uint8_t *global, int64_t n)
{
    (void)global;
    memset(shared, 0, (size_t)n);
}

static void units_box_pieces(const TmaBox *b, uint8_t *mem, int64_t at, uint8_t *global, int64_t n,
                             BoxFn *f)
{
    if (!b->swizzle) {
        f(mem + at, global, n);
        return;
    }
    while (n > 0) {
        int64_t m = ChunkBytes - at % ChunkBytes;
        if (m > n)
            m = n;
        f(mem + unit_swizzle(at, b->swizzle), global, m);
        at += m;
        global += global ? m : 0;
        n -= m;
    }
}

void box_load(const TmaBox *b, const uint8_t *global, uint8_t *mem, int64_t at)
{
    int64_t width = (int64_t)b->extent[b->ndim - 1] * b->bits / 8;
    uintptr_t from = (uintptr_t)global; /* copy_in only reads it */
    for (int64_t r = 0, n = units_box_rows_of(b); r < n; r++) {
        BoxRow x = units_box_row_at(b, r);
        int64_t lo = x.from * b->bits / 8, hi = x.to * b->bits / 8, s = at + x.shared;
        if (hi <= lo) {
            units_box_pieces(b, mem, s, NULL, width, units_box_clear);
            continue;
        }
        units_box_pieces(b, mem, s, NULL, lo, units_box_clear);
        units_box_pieces(b, mem, s + lo, (uint8_t *)from + x.global, hi - lo, copy_in);
        units_box_pieces(b, mem, s + hi, NULL, width - hi, units_box_clear);
    }
}

void box_store(const TmaBox *b, uint8_t *global, const uint8_t *mem, int64_t at)
{
    uintptr_t to = (uintptr_t)mem; /* copy_out only reads it */
    for (int64_t r = 0, n = units_box_rows_of(b); r < n; r++) {
        BoxRow x = units_box_row_at(b, r);
        int64_t lo = x.from * b->bits / 8, hi = x.to * b->bits / 8;
        if (hi > lo)
            units_box_pieces(b, (uint8_t *)to, at + x.shared + lo, global + x.global, hi - lo,
                             copy_out);
    }
}

static double units_box_fold(int kind, double a, double b)
{
    switch (redinfo[kind].op) {
    case Xmax: return a > b ? a : b;
    case Xmin: return a < b ? a : b;
    default: assert(redinfo[kind].op == Xadd); return a + b;
    }
}

static int64_t foldi(int kind, int64_t a, int64_t b)
{
    switch (redinfo[kind].op) {
    case Xmax: return a > b ? a : b;
    case Xmin: return a < b ? a : b;
    case Xband: return a & b;
    case Xbor: return a | b;
    case Xbxor: return a ^ b;
    default: assert(redinfo[kind].op == Xadd); return (int64_t)((uint64_t)a + (uint64_t)b);
    }
}

void box_reduce(const TmaBox *b, enum Dtype dt, int kind, uint8_t *global, const uint8_t *mem,
                int64_t at)
{
    int bytes = b->bits / 8;
    bool isfloat = dtypeinfo[dt].cls == 'F';
    for (int64_t r = 0, n = units_box_rows_of(b); r < n; r++) {
        BoxRow x = units_box_row_at(b, r);
        for (int64_t e = x.from; e < x.to; e++) {
            const uint8_t *s = mem + unit_swizzle(at + x.shared + e * bytes, b->swizzle);
            uint8_t *g = global + x.global + (e - x.from) * bytes;
            if (isfloat)
                dtype_store(dt, g, 0,
                            units_box_fold(kind, dtype_load(dt, g, 0), dtype_load(dt, s, 0)));
            else
                dtype_storei(dt, g, 0, foldi(kind, dtype_loadi(dt, g, 0), dtype_loadi(dt, s, 0)));
        }
    }
}

int64_t box_rows(const TmaBox *b, int64_t *at, int64_t max, int *bytes)
{
    int64_t k = 0;
    *bytes = 0;
    for (int64_t r = 0, n = units_box_rows_of(b); r < n; r++) {
        BoxRow x = units_box_row_at(b, r);
        if (x.to <= x.from)
            continue;
        *bytes = (int)((x.to - x.from) * b->bits / 8);
        if (k < max)
            at[k] = x.global;
        k++;
    }
    return k;
}
