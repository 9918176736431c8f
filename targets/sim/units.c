/* targets/sim/units.c: matrix instructions on registers.
 *
 * Which lane and register holds what comes from mma_layout alone: a SimUnit keeps, for
 * each operand, the place in a row-major matrix of every register and lane. */
#include "units_p.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MostLanes = 4 * 64 };

static enum UnitClass units_class_of(enum Dtype a, enum Dtype c)
{
    if (c == DTf64)
        return UCd;
    if (c == DTi32)
        return UCi;
    return a == DTf32 ? UCx : UCf;
}

/* Subnormals of the type have this exponent. */
static int least_exponent(enum Dtype dt)
{
    return dt == DTf16 || dt == DTe5m2 ? -14 : dt == DTe4m3 ? -6 : -126;
}

static KernFused units_sum_of(const Mma *i)
{
    const MmaSum *s = i->sum;
    return (KernFused){.group = s->group, .bits = s->bits, .places = s->places,
                       .amin = least_exponent((enum Dtype)i->a),
                       .bmin = least_exponent((enum Dtype)i->b),
                       .cmin = least_exponent((enum Dtype)i->c),
                       .half = i->c == DTf16, .apart = s->pairs};
}

/* Where element k of a row comes in the order of sums. */
static int sum_turn(const Mma *i, bool sums, int k)
{
    return sums && i->sum->pairs ? k / 2 % 2 * (i->k / 2) + k / 4 * 2 + k % 2 : k;
}

static bool zipped(const MmaOperand *o)
{
    if (o->regs % 2 || o->lanes % 4)
        return false;
    for (int s = 0; s < o->regs; s += 2)
        for (int t = 0; t < o->lanes; t++) {
            const uint16_t *at = &o->at[s * o->lanes + t];
            if (at[o->lanes] != at[0] + 1 || (t % 4 && at[0] != at[-1] + 2))
                return false;
        }
    return true;
}

/* Place j on axis a alone, warps in lanes; the indices of several axes add up. */
static bool units_alone(const Layout *l, enum Axis a, int j, int warp, int32_t *idx)
{
    Spot p = {{0}};
    p.at[a] = a == AXlane ? j % warp : j;
    p.at[AXwarp] = a == AXlane ? j / warp : 0;
    return layout_invert(l, &p, idx);
}

/* Places of the registers of operand which; the matrix is rows x cols. */
static bool units_places(const Machine *m, const Mma *i, char which, int n, bool sums,
                         MmaOperand *o)
{
    Layout l;
    int32_t reg[LayDims], lane[MostLanes][LayDims];
    if (!mma_layout(i, which, n, &l))
        return i->kind == MMAgroup && which == 'b'; /* always in shared memory */
    o->lanes = m->warp * (i->kind == MMAgroup ? 4 : 1);
    if (o->lanes > MostLanes)
        return false;
    o->regs = (int)layout_extent(&l, AXreg);
    o->at = calloc((size_t)o->regs * (size_t)o->lanes, sizeof *o->at);
    for (int t = 0; t < o->lanes; t++)
        if (!units_alone(&l, AXlane, t, m->warp, lane[t]))
            return false;
    for (int s = 0; o->at && s < o->regs; s++) {
        if (!units_alone(&l, AXreg, s, m->warp, reg))
            return false;
        for (int t = 0; t < o->lanes; t++) {
            int32_t idx[] = {reg[0] + lane[t][0], reg[1] + lane[t][1]};
            if (idx[0] >= o->rows || idx[1] >= o->cols)
                return false;
            if (which != 'c')
                idx[which == 'a'] = sum_turn(i, sums, idx[which == 'a']);
            o->at[s * o->lanes + t] = (uint16_t)(idx[0] * o->cols + idx[1]);
        }
    }
    o->zipped = o->at && zipped(o);
    return o->at != NULL;
}

SimUnit *unit_new(const Machine *m, const Mma *i, int n, bool exact)
{
    SimUnit *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    u->i = i;
    u->m = i->m;
    u->n = i->kind == MMAgroup ? n : i->n;
    u->k = i->k;
    u->cls = units_class_of(i->a, i->c);
    u->sums = exact && i->sum;
    if (u->sums)
        u->sum = units_sum_of(i);
    size_t size = u->cls == UCd ? 8 : 4, am = (size_t)u->m * u->k, bm = (size_t)u->k * u->n,
           cm = (size_t)u->m * u->n;
    u->a = (MmaOperand){.rows = u->m, .cols = u->k};
    u->b = (MmaOperand){.rows = u->k, .cols = u->n};
    u->c = (MmaOperand){.rows = u->m, .cols = u->n};
    u->work = malloc((am + 2 * bm + cm) * size);
    u->raw = malloc((am > bm ? am : bm) * 8);
    u->room = malloc((am + bm) * sizeof *u->room);
    bool ok = u->n >= 1 && u->n <= 256 && u->m % 8 == 0 && u->n % 8 == 0 && u->work && u->raw &&
              u->room && units_places(m, i, 'a', u->n, u->sums, &u->a) &&
              units_places(m, i, 'b', u->n, u->sums, &u->b) &&
              units_places(m, i, 'c', u->n, u->sums, &u->c);
    if (!ok) {
        unit_free(u);
        return NULL;
    }
    u->wa = u->work;
    u->wb = (char *)u->work + am * size;
    u->wt = (char *)u->work + (am + bm) * size;
    u->wc = (char *)u->work + (am + 2 * bm) * size;
    return u;
}

bool unit_is(const SimUnit *u, const Mma *i, int n)
{
    return u->i == i && (i->kind != MMAgroup || u->n == n);
}

void unit_free(SimUnit *u)
{
    if (!u)
        return;
    free(u->a.at);
    free(u->b.at);
    free(u->c.at);
    free(u->work);
    free(u->raw);
    free(u->room);
    free(u);
}

/* Registers <-> matrices -------------------------------------------------------- */

/* Four of each in turn, and back. */
#if defined(__has_builtin) && __has_builtin(__builtin_shufflevector)
typedef uint32_t Quad __attribute__((vector_size(16)));

static void zip_four(const uint32_t *even, const uint32_t *odd, uint32_t *x)
{
    Quad e, o, z[2];
    memcpy(&e, even, sizeof e);
    memcpy(&o, odd, sizeof o);
    z[0] = __builtin_shufflevector(e, o, 0, 4, 1, 5);
    z[1] = __builtin_shufflevector(e, o, 2, 6, 3, 7);
    memcpy(x, z, sizeof z);
}

static void unzip_four(const uint32_t *x, uint32_t *even, uint32_t *odd)
{
    Quad e, o, z[2];
    memcpy(z, x, sizeof z);
    e = __builtin_shufflevector(z[0], z[1], 0, 2, 4, 6);
    o = __builtin_shufflevector(z[0], z[1], 1, 3, 5, 7);
    memcpy(even, &e, sizeof e);
    memcpy(odd, &o, sizeof o);
}
#else
static void zip_four(const uint32_t *even, const uint32_t *odd, uint32_t *x)
{
    for (int j = 0; j < 4; j++) {
        x[2 * j] = even[j];
        x[2 * j + 1] = odd[j];
    }
}

static void unzip_four(const uint32_t *x, uint32_t *even, uint32_t *odd)
{
    for (int j = 0; j < 4; j++) {
        even[j] = x[2 * j];
        odd[j] = x[2 * j + 1];
    }
}
#endif

static void zip(const MmaOperand *o, const uint32_t *reg, int64_t stride, uint32_t *mat)
{
    for (int s = 0; s < o->regs; s += 2) {
        const uint16_t *at = o->at + s * o->lanes;
        const uint32_t *even = reg + s * stride;
        for (int t = 0; t < o->lanes; t += 4)
            zip_four(even + t, even + stride + t, mat + at[t]);
    }
}

static void unzip(const MmaOperand *o, const uint32_t *mat, uint32_t *reg, int64_t stride)
{
    for (int s = 0; s < o->regs; s += 2) {
        const uint16_t *at = o->at + s * o->lanes;
        uint32_t *even = reg + s * stride;
        for (int t = 0; t < o->lanes; t += 4)
            unzip_four(mat + at[t], even + t, even + stride + t);
    }
}

void unit_gather(const MmaOperand *o, const void *reg, int64_t stride, void *mat, size_t size)
{
    const uint16_t *at = o->at;
    if (o->zipped && size == 4) {
        zip(o, reg, stride, mat);
        return;
    }
    for (int s = 0; s < o->regs; s++, at += o->lanes) {
        if (size == 4) {
            const uint32_t *r = (const uint32_t *)reg + s * stride;
            uint32_t *x = mat;
            for (int t = 0; t < o->lanes; t++)
                x[at[t]] = r[t];
        } else {
            const uint64_t *r = (const uint64_t *)reg + s * stride;
            uint64_t *x = mat;
            for (int t = 0; t < o->lanes; t++)
                x[at[t]] = r[t];
        }
    }
}

void unit_scatter(const MmaOperand *o, const void *mat, void *reg, int64_t stride, size_t size)
{
    const uint16_t *at = o->at;
    if (o->zipped && size == 4) {
        unzip(o, mat, reg, stride);
        return;
    }
    for (int s = 0; s < o->regs; s++, at += o->lanes) {
        if (size == 4) {
            uint32_t *r = (uint32_t *)reg + s * stride;
            const uint32_t *x = mat;
            for (int t = 0; t < o->lanes; t++)
                r[t] = x[at[t]];
        } else {
            uint64_t *r = (uint64_t *)reg + s * stride;
            const uint64_t *x = mat;
            for (int t = 0; t < o->lanes; t++)
                r[t] = x[at[t]];
        }
    }
}

/* The low 13 bits of float32 operands of tf32 are not looked at. */
void unit_tf32(float *x, int64_t n)
{
    uint32_t b;
    for (int64_t i = 0; i < n; i++) {
        memcpy(&b, &x[i], 4);
        b &= ~(uint32_t)0x1fff;
        memcpy(&x[i], &b, 4);
    }
}

/* Products ------------------------------------------------------------------------ */

void unit_product(const SimUnit *u, int am, int ak)
{
    static const enum KernSum sum[] = {[UCf] = KPf, [UCx] = KPx, [UCd] = KPd, [UCi] = KPi};
    if (u->sums) {
        kern_table()->fused(&u->sum, u->m, u->n, u->k, u->wa, am, ak, u->wb, u->wc, u->room);
        return;
    }
    kern_table()->product[sum[u->cls]](u->m, u->n, u->k, u->wa, am, ak, u->wb, u->wc);
    if (u->i->c == DTf16 || u->i->c == DTbf16) /* once an instruction */
        kern_table()->round[u->i->c](u->wc, u->wc, NULL, NULL, (int64_t)u->m * u->n);
}

void unit_mma(const SimUnit *u, const void *a, const void *b, void *c, int64_t stride)
{
    size_t size = u->cls == UCd ? 8 : 4;
    unit_gather(&u->a, a, stride, u->wa, size);
    unit_gather(&u->b, b, stride, u->wb, size);
    unit_gather(&u->c, c, stride, u->wc, size);
    if (u->i->a == DTtf32)
        unit_tf32(u->wa, (int64_t)u->m * u->k);
    if (u->i->b == DTtf32)
        unit_tf32(u->wb, (int64_t)u->k * u->n);
    unit_product(u, u->k, 1);
    unit_scatter(&u->c, u->wc, c, stride, size);
}

/* Storage <-> classes --------------------------------------------------------------- */

void unit_decode(enum Dtype dt, const void *src, void *dst, int64_t n)
{
    kern_table()->load[dt](dst, src, 0, 1, NULL, NULL, n);
}

void unit_encode(enum Dtype dt, const void *src, void *dst, int64_t n)
{
    kern_table()->store[dt](src, dst, 0, 1, NULL, NULL, n);
}
