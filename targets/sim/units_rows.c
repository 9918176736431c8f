/* targets/sim/units_rows.c: ldmatrix and stmatrix: eight rows of 16 bytes a
 * matrix, four bytes a lane.  Reference: lowering.md 3.2. */
#include "units_p.h"

#include <string.h>

enum { RowBytes = 16, MatrixBytes = 8 * RowBytes, MatrixLanes = 32 };

/* Which element of a matrix (row-major, per elements a lane) lane l has in its
 * register e: plain, bytes 4t .. of row g; trans, rows 2t, 2t + 1 of column g. */
static int matrix_element(int l, int e, int per, bool trans)
{
    int g = l / 4, t = l % 4;
    return trans ? (t * per + e) * 4 * per + g : g * 4 * per + t * per + e;
}

void unit_ldmatrix(const uint8_t *mem, const int64_t *at, int num, bool trans, enum Dtype dt,
                   void *dst, int64_t stride)
{
    int per = 32 / dtypeinfo[dt].bits;
    union { uint8_t b[MatrixBytes]; uint32_t aligned; } u;
    uint8_t *raw = u.b;
    uint32_t val[MatrixLanes * 4];
    for (int m = 0; m < num; m++) {
        for (int r = 0; r < 8; r++)
            memcpy(raw + r * RowBytes, mem + at[m * 8 + r], RowBytes);
        unit_decode(dt, raw, val, (int64_t)MatrixLanes * per);
        for (int e = 0; e < per; e++) {
            uint32_t *d = (uint32_t *)dst + (m * per + e) * stride;
            for (int l = 0; l < MatrixLanes; l++)
                d[l] = val[matrix_element(l, e, per, trans)];
        }
    }
}

void unit_stmatrix(uint8_t *mem, const int64_t *at, int num, bool trans, enum Dtype dt,
                   const void *src, int64_t stride)
{
    int per = 32 / dtypeinfo[dt].bits;
    union { uint8_t b[MatrixBytes]; uint32_t aligned; } u;
    uint8_t *raw = u.b;
    uint32_t val[MatrixLanes * 4];
    for (int m = 0; m < num; m++) {
        for (int e = 0; e < per; e++) {
            const uint32_t *s = (const uint32_t *)src + (m * per + e) * stride;
            for (int l = 0; l < MatrixLanes; l++)
                val[matrix_element(l, e, per, trans)] = s[l];
        }
        unit_encode(dt, val, raw, (int64_t)MatrixLanes * per);
        for (int r = 0; r < 8; r++)
            if (at[m * 8 + r] >= 0)
                memcpy(mem + at[m * 8 + r], raw + r * RowBytes, RowBytes);
    }
}
