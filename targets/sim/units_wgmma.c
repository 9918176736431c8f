/* targets/sim/units_wgmma.c: warp group products, with operands that
 * descriptors describe.  Placement: reference lowering.md 3.4. */
#include "units_p.h"

#include <string.h>

#include "kern.h"

enum { ChunkBytes = 16, AddressMask = 0x3ffff, FieldMask = 0x3fff };

/* Operand which as rows of 16-byte chunks.  K-major: row mn has its k bytes; else
 * row k has its mn bytes. */
typedef struct WgmmaShape WgmmaShape;
struct WgmmaShape { int mn, k, bytes, rows, chunks; };

static WgmmaShape units_wgmma_shape_of(const SimUnit *u, char which, const Desc *d)
{
    WgmmaShape s = {which == 'a' ? u->m : u->n, u->k, 0, 0, 0};
    s.bytes = dtypeinfo[which == 'a' ? u->i->a : u->i->b].bits / 8;
    s.rows = d->tnsp ? s.k : s.mn;
    s.chunks = (d->tnsp ? s.mn : s.k) * s.bytes / ChunkBytes;
    return s;
}

/* A field of the descriptor as the hardware has it: 14 bits of 16 bytes. */
static int64_t units_wgmma_field(int64_t bytes) { return (bytes >> 4 & FieldMask) << 4; }

/* Offset of chunk c of row r, from the start address, before the XOR. */
static int64_t chunk_at(const Desc *d, const WgmmaShape *s, int r, int c)
{
    int64_t lbo = units_wgmma_field(d->lbo), sbo = units_wgmma_field(d->sbo);
    int span = d->swizzle ? d->swizzle : ChunkBytes, per = span / ChunkBytes;
    (void)s;
    if (!d->tnsp) /* r: mn, c: 16 bytes along k */
        return d->swizzle ? r / 8 * sbo + r % 8 * span + c * ChunkBytes
                          : c * lbo + r / 8 * sbo + r % 8 * ChunkBytes;
    /* r: k, c: 16 bytes along mn */
    return d->swizzle ? c / per * lbo + r / 8 * sbo + r % 8 * span + c % per * ChunkBytes
                      : c * sbo + r / 8 * lbo + r % 8 * ChunkBytes;
}

int unit_rows(const SimUnit *u, char which, const Desc *d, int64_t *at, int max)
{
    WgmmaShape s = units_wgmma_shape_of(u, which, d);
    int64_t start = units_wgmma_field(d->start);
    int n = 0;
    for (int r = 0; r < s.rows; r++)
        for (int c = 0; c < s.chunks; c++, n++)
            if (n < max)
                at[n] = unit_swizzle((start + chunk_at(d, &s, r, c)) & AddressMask, d->swizzle);
    return n;
}

/* The operand's bytes, row after row; false: an address beyond the memory. */
static bool fetch_operand(const SimUnit *u, char which, const Desc *d, const uint8_t *mem,
                          int64_t size)
{
    int64_t at[UnitRows];
    int n = unit_rows(u, which, d, at, UnitRows);
    for (int i = 0; i < n; i++)
        if (at[i] + ChunkBytes > size)
            return false;
    for (int i = 0; i < n; i++)
        memcpy(u->raw + (size_t)i * ChunkBytes, mem + at[i], ChunkBytes);
    return true;
}

static void units_wgmma_transpose(const uint32_t *src, uint32_t *dst, int rows, int cols)
{
    for (int c = 0; c < cols; c++)
        for (int r = 0; r < rows; r++)
            dst[c * rows + r] = src[r * cols + c];
}

/* tf32 operands stand in memory as float32; their low bits are cut off later. */
static void units_wgmma_decode(enum Dtype dt, const uint8_t *raw, void *dst, int64_t n)
{
    unit_decode(dt == DTtf32 ? DTf32 : dt, raw, dst, n);
}

bool unit_wgmma(const SimUnit *u, const uint8_t *mem, int64_t size, const void *a, const Desc *da,
                const Desc *db, void *c, int64_t stride, bool scale_d)
{
    int am = u->k, ak = 1;
    int64_t na = (int64_t)u->m * u->k, nb = (int64_t)u->k * u->n, nc = (int64_t)u->m * u->n;
    if (!fetch_operand(u, 'b', db, mem, size))
        return false;
    units_wgmma_decode(u->i->b, u->raw, db->tnsp ? u->wb : u->wt, nb);
    if (!db->tnsp)
        units_wgmma_transpose(u->wt, u->wb, u->n, u->k);
    if (a) {
        unit_gather(&u->a, a, stride, u->wa, 4);
    } else {
        if (!fetch_operand(u, 'a', da, mem, size))
            return false;
        units_wgmma_decode(u->i->a, u->raw, u->wa, na);
        am = da->tnsp ? 1 : u->k;
        ak = da->tnsp ? u->m : 1;
    }
    if (u->i->a == DTtf32)
        unit_tf32(u->wa, na);
    if (u->i->b == DTtf32)
        unit_tf32(u->wb, nb);
    if (scale_d)
        unit_gather(&u->c, c, stride, u->wc, 4);
    else
        memset(u->wc, 0, (size_t)nc * 4);
    unit_product(u, am, ak);
    unit_scatter(&u->c, u->wc, c, stride, 4);
    return true;
}
