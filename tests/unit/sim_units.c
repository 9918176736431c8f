/* Matrix instructions, row fetches and tile boxes of the simulator, against
 * double loops over the layouts and the placements of the reference (sections
 * 3.1 to 3.6 of lowering.md, written out here once more). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tensor/tensor.h"
#include "targets/sim/units.h"
#include "../../targets/targets.h"

static int failures;
#define CHECK(c) \
    do { \
        if (!(c)) { \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #c); \
            failures++; \
        } \
    } while (0)

static uint32_t seed = 1;
static uint32_t rnd(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(seed >> 4) * n) >> 28);
}

/* A value that dt holds exactly. */
static double value(enum Dtype dt)
{
    if (dt == DTi8)
        return (double)rnd(256) - 128;
    if (dt == DTu8)
        return rnd(256);
    if (dt == DTi32)
        return (double)rnd(1u << 20) * (rnd(2) ? 1 : -1);
    return dtype_round(dt, ((double)rnd(4001) - 2000) / (rnd(2) ? 512 : 3000));
}

static bool is_int(enum Dtype dt) { return dtypeinfo[dt].cls != 'F'; }

/* Register values of one class. */
static void put(void *reg, enum Dtype dt, int64_t i, double v)
{
    if (is_int(dt))
        ((int32_t *)reg)[i] = (int32_t)v;
    else if (dt == DTf64)
        ((double *)reg)[i] = v;
    else
        ((float *)reg)[i] = (float)v;
}

static double get(const void *reg, enum Dtype dt, int64_t i)
{
    if (is_int(dt))
        return ((const int32_t *)reg)[i];
    return dt == DTf64 ? ((const double *)reg)[i] : (double)((const float *)reg)[i];
}

/* One step of the sum, as units.h states it. */
static double step(enum Dtype a, enum Dtype c, double s, double x, double y)
{
    if (c == DTi32)
        return (int32_t)(uint32_t)((int64_t)s + (int64_t)x * (int64_t)y);
    if (c == DTf64)
        return fma(x, y, s);
    (void)a;
    return (float)(x * y + s); /* both exact in double but for the last rounding */
}

enum { Most = 256 * 128 };
static double ma[Most], mb[Most], mc[Most], md[Most];

static void want(const Mma *i, int m, int n, int k, bool zero)
{
    for (int r = 0; r < m; r++)
        for (int c = 0; c < n; c++) {
            double s = zero ? 0 : mc[r * n + c];
            for (int q = 0; q < k; q++)
                s = step((enum Dtype)i->a, (enum Dtype)i->c, s, ma[r * k + q], mb[q * n + c]);
            md[r * n + c] = i->c == DTf16 ? dtype_round(DTf16, s) : s;
        }
}

static void fill(double *x, int n, enum Dtype dt)
{
    for (int i = 0; i < n; i++)
        x[i] = value(dt);
}

/* Puts a matrix into registers through eval of the layout, and back. */
static void spread(const Layout *l, const double *x, int rows, int cols, void *reg, enum Dtype dt,
                   int warp, int64_t stride)
{
    for (int32_t r = 0; r < rows; r++)
        for (int32_t c = 0; c < cols; c++) {
            int32_t idx[2] = {r, c};
            Spot s = layout_eval(l, idx);
            int64_t at = s.at[AXreg] * stride + s.at[AXwarp] * warp + s.at[AXlane];
            put(reg, dt, at, x[r * cols + c]);
            if (l->nb) /* one bit of the lanes makes a copy */
                put(reg, dt, at + l->b[0].stride, x[r * cols + c]);
        }
}

static int differ(const Layout *l, const double *x, int rows, int cols, const void *reg,
                  enum Dtype dt, int warp, int64_t stride)
{
    int bad = 0;
    for (int32_t r = 0; r < rows; r++)
        for (int32_t c = 0; c < cols; c++) {
            int32_t idx[2] = {r, c};
            Spot s = layout_eval(l, idx);
            double v = get(reg, dt, s.at[AXreg] * stride + s.at[AXwarp] * warp + s.at[AXlane]);
            bad += v != x[r * cols + c];
        }
    return bad;
}

static double reg[3][64 * 1024]; /* [slot][thread], of either width */

static void test_mma(const Machine *m, const Mma *i)
{
    enum { Threads = 256 };
    Layout a, b, c;
    SimUnit *u = unit_new(m, i, 0, false);
    CHECK(u != NULL);
    CHECK(mma_layout(i, 'a', 0, &a) && mma_layout(i, 'b', 0, &b) && mma_layout(i, 'c', 0, &c));
    if (!u)
        return;
    for (int round = 0; round < 3; round++) {
        fill(ma, i->m * i->k, (enum Dtype)i->a);
        fill(mb, i->k * i->n, (enum Dtype)i->b);
        fill(mc, i->m * i->n, (enum Dtype)i->c);
        want(i, i->m, i->n, i->k, false);
        spread(&a, ma, i->m, i->k, reg[0], (enum Dtype)i->a, m->warp, Threads);
        spread(&b, mb, i->k, i->n, reg[1], (enum Dtype)i->b, m->warp, Threads);
        spread(&c, mc, i->m, i->n, reg[2], (enum Dtype)i->c, m->warp, Threads);
        unit_mma(u, reg[0], reg[1], reg[2], Threads);
        int bad = differ(&c, md, i->m, i->n, reg[2], (enum Dtype)i->c, m->warp, Threads);
        if (bad)
            printf("%s on %s: %d of %d elements\n", i->name, m->name, bad, i->m * i->n);
        CHECK(bad == 0);
    }
    unit_free(u);
}

/* Known lanes of 3.1, 3.3 and 3.7: the product of unit vectors shows them. */
static void spot(const char *name, char which, int n, int lane, int slot, int row, int col)
{
    const Mma *i = mma_find(name);
    Layout l;
    int32_t idx[LayDims] = {0};
    Spot s = {{0}};
    CHECK(i != NULL);
    if (!i)
        return;
    CHECK(mma_layout(i, which, n, &l));
    s.at[AXlane] = lane % 32;
    s.at[AXwarp] = i->kind == MMAgroup ? lane / 32 : 0;
    if (i->kind != MMAgroup)
        s.at[AXlane] = lane;
    s.at[AXreg] = slot;
    CHECK(layout_invert(&l, &s, idx));
    CHECK(idx[0] == row && idx[1] == col);
}

static void test_spots(void)
{
    spot("mma.m16n8k16.f32.f16", 'a', 0, 5, 3, 9, 3);
    spot("mma.m16n8k16.f32.f16", 'b', 0, 5, 2, 10, 1);
    spot("mma.m16n8k16.f32.f16", 'c', 0, 5, 3, 9, 3);
    spot("mma.m16n8k32.s32.s8", 'a', 0, 6, 9, 1, 25);
    spot("mma.m16n8k8.f32.tf32", 'a', 0, 7, 3, 9, 7);
    spot("wgmma.m64k16.f32.f16", 'c', 64, 37, 6, 25, 10);
}

/* wgmma -------------------------------------------------------------------------- */

static int64_t sw(int64_t a, int swizzle)
{
    int b = swizzle == 128 ? 3 : swizzle == 64 ? 2 : swizzle == 32 ? 1 : 0;
    return a ^ ((a >> 3) & (((1 << b) - 1) << 4));
}

/* How one operand stands in memory; the table of 3.4. */
typedef struct Placed Placed;
struct Placed { bool mn_major; int swizzle; int64_t base, lbo, sbo; };

static int64_t place(const Placed *p, int MN, int e, int mn, int k)
{
    int S = p->swizzle ? p->swizzle : 16, w = S / e;
    int64_t off;
    if (!p->mn_major && p->swizzle)
        off = (int64_t)(k / w) * MN * S + (int64_t)mn * S + (k % w) * e;
    else if (!p->mn_major)
        off = (k / w) * p->lbo + (mn / 8) * p->sbo + (mn % 8) * 16 + (k % w) * e;
    else if (p->swizzle)
        off = (mn / w) * p->lbo + (k / 8) * p->sbo + (k % 8) * S + (mn % w) * e;
    else
        off = (mn / 8) * p->sbo + (k / 8) * p->lbo + (k % 8) * 16 + (mn % 8) * e;
    return sw(p->base + off, p->swizzle);
}

static Desc describe(const Placed *p, int MN, int e, int k0)
{
    int S = p->swizzle ? p->swizzle : 16, w = S / e;
    Desc d = {p->base, (int32_t)p->lbo, (int32_t)p->sbo, p->swizzle, p->mn_major};
    if (!p->mn_major && p->swizzle) {
        d.start += (int64_t)(k0 / w) * MN * S + (k0 % w) * e;
        d.lbo = 16;
        d.sbo = 8 * S;
    } else if (!p->mn_major) {
        d.start += (k0 / w) * p->lbo;
    } else if (p->swizzle) {
        d.start += (k0 / 8) * p->sbo;
    } else {
        d.start += (k0 / 8) * p->lbo;
    }
    return d;
}

/* Offsets that do not overlap, with a gap now and then. */
static Placed placement(bool mn_major, int swizzle, int64_t base, int MN, int K, int e)
{
    int S = swizzle ? swizzle : 16, gap = rnd(2) ? 16 : 0;
    Placed p = {mn_major, swizzle, base, 0, 0};
    if (!mn_major && !swizzle) {
        p.sbo = 128 + gap;
        p.lbo = MN / 8 * p.sbo + gap;
    } else if (mn_major && swizzle) {
        p.sbo = 8 * S;
        p.lbo = (int64_t)(K / 8) * p.sbo;
    } else if (mn_major) {
        p.lbo = 128 + gap;
        p.sbo = K / 8 * p.lbo + gap;
    }
    (void)e;
    return p;
}

enum { MemBytes = 1 << 18 };
static uint8_t mem[MemBytes];

static void store_tile(const Placed *p, int MN, int K, enum Dtype dt, const double *x, bool isb,
                       int n)
{
    int e = dtypeinfo[dt].bits / 8;
    for (int mn = 0; mn < MN; mn++)
        for (int k = 0; k < K; k++) {
            double v = isb ? x[k * n + mn] : x[mn * K + k];
            uint8_t *at = mem + place(p, MN, e, mn, k);
            if (is_int(dt))
                dtype_storei(dt, at, 0, (int64_t)v);
            else
                dtype_store(dt, at, 0, v);
        }
}

/* The whole K in steps of the instruction, A from shared memory or registers. */
static void test_wgmma(const Machine *m, const Mma *i, int n, Placed pa, Placed pb, bool rs,
                       int steps)
{
    enum { Threads = 384 };
    int e = dtypeinfo[i->a].bits / 8, K = i->k * steps;
    SimUnit *u = unit_new(m, i, n, false);
    Layout la, lc;
    CHECK(u != NULL);
    if (!u)
        return;
    memset(mem, 0x7f, sizeof mem);
    fill(ma, 64 * K, (enum Dtype)i->a);
    fill(mb, K * n, (enum Dtype)i->b);
    fill(mc, 64 * n, (enum Dtype)i->c);
    store_tile(&pa, 64, K, (enum Dtype)i->a, ma, false, n);
    store_tile(&pb, n, K, (enum Dtype)i->b, mb, true, n);
    CHECK(mma_layout(i, 'a', n, &la) && mma_layout(i, 'c', n, &lc));
    spread(&lc, mc, 64, n, reg[2], (enum Dtype)i->c, 32, Threads);
    double *x = malloc(sizeof *x * 64 * (size_t)i->k);
    for (int s = 0; s < steps; s++) {
        Desc da = describe(&pa, 64, e, s * i->k), db = describe(&pb, n, e, s * i->k);
        for (int r = 0; r < 64; r++)
            for (int k = 0; k < i->k; k++)
                x[r * i->k + k] = ma[r * K + s * i->k + k];
        spread(&la, x, 64, i->k, reg[0], (enum Dtype)i->a, 32, Threads);
        CHECK(unit_wgmma(u, mem, MemBytes, rs ? reg[0] : NULL, &da, &db, reg[2], Threads, s > 0));
    }
    want(i, 64, n, K, true);
    if (i->c == DTf16 && steps > 1) { /* rounded after each instruction */
        for (int r = 0; r < 64; r++)
            for (int c = 0; c < n; c++) {
                double s = 0;
                for (int k = 0; k < K; k++) {
                    s = (float)(ma[r * K + k] * mb[k * n + c] + s);
                    if (k % i->k == i->k - 1)
                        s = dtype_round(DTf16, s);
                }
                md[r * n + c] = s;
            }
    }
    int bad = differ(&lc, md, 64, n, reg[2], (enum Dtype)i->c, 32, Threads);
    if (bad)
        printf("%s n=%d a %s %d b %s %d%s: %d wrong\n", i->name, n, pa.mn_major ? "mn" : "k",
               pa.swizzle, pb.mn_major ? "mn" : "k", pb.swizzle, rs ? " rs" : "", bad);
    CHECK(bad == 0);
    /* a wrong swizzle or stride must give wrong numbers */
    Desc da = describe(&pa, 64, e, 0), db = describe(&pb, n, e, 0);
    db.swizzle = db.swizzle ? 0 : 128;
    memset(reg[2], 0, sizeof reg[2]);
    unit_wgmma(u, mem, MemBytes, rs ? reg[0] : NULL, &da, &db, reg[2], Threads, true);
    want(i, 64, n, i->k, true);
    CHECK(differ(&lc, md, 64, n, reg[2], (enum Dtype)i->c, 32, Threads) > 0);
    db = describe(&pb, n, e, 0);
    db.start = 65536 - 64;
    CHECK(!unit_wgmma(u, mem, 65536, NULL, &da, &db, reg[2], Threads, true));
    free(x);
    unit_free(u);
}

static void test_wgmmas(const Machine *m)
{
    static const int spans[] = {0, 32, 64, 128};
    for (int q = 0; q < m->nmma; q++) {
        const Mma *i = &m->mma[q];
        int e = dtypeinfo[i->a].bits / 8, steps = 128 / (i->k * e);
        if (i->kind != MMAgroup)
            continue;
        for (int ta = 0; ta < 2; ta++)
            for (int tb = 0; tb < 2; tb++)
                for (int s = 0; s < 4; s++) {
                    if ((ta || tb) && (i->kmajor_only || e != 2))
                        continue;
                    int n = (int)(rnd(16) + 1) * (i->n > 8 ? i->n : 8), ws = spans[s] / e;
                    if (n > i->nmax || n > 256)
                        n = 64;
                    if (tb && ws && n % ws)
                        n = 128;
                    if (ta && ws > 64)
                        continue;
                    Placed a = placement(ta, spans[s], 1024 * (1 + rnd(4)), 64, i->k * steps, e);
                    int K = i->k * steps, span = spans[(s + tb) % 4];
                    if (tb && span && n % (span / e))
                        span = 0;
                    Placed b = placement(tb, span, 32768 + 1024 * rnd(4), n, K, e);
                    test_wgmma(m, i, n, a, b, rnd(2), steps);
                }
    }
}

/* ldmatrix, stmatrix ------------------------------------------------------------- */

static void test_rows(void)
{
    enum { Threads = 64 };
    static float f[8 * Threads];
    static int32_t n[16 * Threads];
    int64_t at[32];
    for (int i = 0; i < 4096; i += 2) {
        uint16_t v = (uint16_t)(i / 2 % 1024); /* small subnormal patterns: exact */
        memcpy(mem + i, &v, 2);
    }
    for (int l = 0; l < 32; l++)
        at[l] = 16 * ((l * 7) % 64);
    for (int num = 1; num <= 4; num *= 2)
        for (int trans = 0; trans < 2; trans++) {
            unit_ldmatrix(mem, at, num, trans, DTf16, f, Threads);
            for (int q = 0; q < num; q++)
                for (int l = 0; l < 32; l++)
                    for (int e = 0; e < 2; e++) {
                        int row = trans ? 2 * (l % 4) + e : l / 4;
                        int col = trans ? l / 4 : 2 * (l % 4) + e;
                        double v = dtype_load(DTf16, mem + at[8 * q + row], col);
                        CHECK((double)f[(2 * q + e) * Threads + l] == v);
                    }
            static uint8_t back[4096];
            memset(back, 0, sizeof back);
            unit_stmatrix(back, at, num, trans, DTf16, f, Threads);
            for (int l = 0; l < 8 * num; l++)
                CHECK(!memcmp(back + at[l], mem + at[l], 16));
        }
    unit_ldmatrix(mem, at, 4, false, DTu8, n, Threads); /* four bytes a lane */
    for (int q = 0; q < 4; q++)
        for (int l = 0; l < 32; l++)
            for (int e = 0; e < 4; e++)
                CHECK(n[(4 * q + e) * Threads + l] == mem[at[8 * q + l / 4] + 4 * (l % 4) + e]);
}

/* Boxes ---------------------------------------------------------------------------- */

static void test_box(int round)
{
    static uint16_t g[64 * 96], out[64 * 96];
    static const int spans[] = {0, 32, 64, 128};
    TmaBox b = {.ndim = 2, .bits = 16, .swizzle = spans[round % 4]};
    int cols = b.swizzle ? b.swizzle / 2 : 8 * (int)(1 + rnd(8)), rows = (int)(1 + rnd(64));
    int64_t at = 1024 * (1 + rnd(8));
    b.size[0] = 1 + rnd(40);
    b.size[1] = 8 + rnd(60);
    b.stride[0] = 96;
    b.stride[1] = 1;
    b.extent[0] = rows;
    b.extent[1] = cols;
    b.min[0] = (int64_t)rnd(60) - 20;
    b.min[1] = (int64_t)rnd(100) - 40;
    for (size_t i = 0; i < COUNT(g); i++)
        g[i] = (uint16_t)(i * 7 + 1);
    memset(mem, 0x55, 65536);
    memset(out, 0, sizeof out);
    CHECK(box_bytes(&b) == (int64_t)rows * cols * 2);
    box_load(&b, (const uint8_t *)g, mem, at);
    int64_t inside = 0, in_rows = 0;
    for (int r = 0; r < rows; r++) {
        int64_t width = 0;
        for (int c = 0; c < cols; c++) {
            int64_t y = b.min[0] + r, x = b.min[1] + c;
            bool in = y >= 0 && y < b.size[0] && x >= 0 && x < b.size[1];
            uint16_t v, w = in ? g[y * 96 + x] : 0;
            memcpy(&v, mem + sw(at + (int64_t)(r * cols + c) * 2, b.swizzle), 2);
            CHECK(v == w);
            width += in;
        }
        inside += width;
        in_rows += width > 0;
    }
    int bytes;
    int64_t rows_at[64];
    CHECK(box_rows(&b, rows_at, 64, &bytes) == in_rows);
    CHECK(in_rows * bytes == inside * 2);
    box_store(&b, (uint8_t *)out, mem, at);
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 96; x++) {
            bool in = y >= b.min[0] && y < b.min[0] + rows && y < b.size[0] && x >= b.min[1] &&
                      x < b.min[1] + cols && x < b.size[1];
            CHECK(out[y * 96 + x] == (in ? g[y * 96 + x] : 0));
        }
    box_reduce(&b, DTu16, Rsum, (uint8_t *)out, mem, at);
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 96; x++)
            if (out[y * 96 + x])
                CHECK(out[y * 96 + x] == (uint16_t)(2 * g[y * 96 + x]));
    CHECK(mem[at - 1] == 0x55 && mem[at + ((int64_t)rows * cols * 2 + 1023) / 1024 * 1024] == 0x55);
}

int main(void)
{
    targets_init();
    for (int k = 0; machines[k]; k++) {
        for (int q = 0; q < machines[k]->nmma; q++)
            if (machines[k]->mma[q].kind == MMAwarp)
                test_mma(machines[k], &machines[k]->mma[q]);
        test_wgmmas(machines[k]);
    }
    test_spots();
    test_rows();
    for (int i = 0; i < 200; i++)
        test_box(i);
    if (failures)
        printf("%d checks failed\n", failures);
    return failures != 0;
}
