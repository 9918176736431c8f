/* Layouts against the formulas of the reference: instruction fragments, their
 * spots, swizzles, conflict counts; the numbers are those measured there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/layout/machine.h"
#include "../../targets/targets.h"

static int failures;

static void expect(bool ok, const char *what)
{
    if (!ok) {
        printf("failed: %s\n", what);
        failures++;
    }
}

/* Fragments ------------------------------------------------------------ */
/* (lane, item) -> row, column; as lowering_check.py writes them. */

typedef struct RC { int r, c; } RC;
typedef RC FragFn(int l, int i);

#define FRAG(name, row, col) \
    static RC name(int l, int i) \
    { \
        int g = l / 4 % 8, t = l % 4; /* of 32 lanes */ \
        RC rc = {row, col}; \
        (void)g, (void)t, (void)i; \
        return rc; \
    }

FRAG(mma_a16, g + 8 * (i / 2 % 2), 2 * t + i % 2 + 8 * (i / 4))
FRAG(mma_b16, 2 * t + i % 2 + 8 * (i / 2), g)
FRAG(mma_c, g + 8 * (i / 2), 2 * t + i % 2)
FRAG(mma_atf, g + 8 * (i % 2), t + 4 * (i / 2))
FRAG(mma_btf, t + 4 * i, g)
FRAG(mma_a8, g + 8 * (i / 4 % 2), 4 * t + i % 4 + 16 * (i / 8))
FRAG(mma_b8, 4 * t + i % 4 + 16 * (i / 4), g)
FRAG(f64_a, g, t)
FRAG(f64_b, t, g)
FRAG(f64_c, g, 2 * t + i)
FRAG(wg_d, 16 * (l / 32) + g + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * t + i % 2)
FRAG(wg_a16, 16 * (l / 32) + g + 8 * (i / 2 % 2), 2 * t + i % 2 + 8 * (i / 4))
/* of the 64-lane chips; operands are swapped, so rows and columns of D are */
FRAG(mf16_a, l % 16, 4 * (l / 16) + i)
FRAG(mf16_b, 4 * (l / 16) + i, l % 16)
FRAG(mf16_dt, l % 16, 4 * (l / 16) + i)
FRAG(mf32_a, l % 32, 4 * (l / 32) + i)
FRAG(mf32_b, 4 * (l / 32) + i, l % 32)
FRAG(mf32_dt, l % 32, 8 * (i / 4) + 4 * (l / 32) + i % 4)
FRAG(k8_a, l % 16, 8 * (l / 16) + i)
FRAG(k2_a, l % 16, 2 * (l / 16) + i)
FRAG(k1_a, l % 16, l / 16)
FRAG(d64_dt, l % 16, l / 16 + 4 * i)
/* RDNA3: both halves of the wave have A and B whole, D as the hardware has it */
FRAG(wmma_a, l % 16, i)
FRAG(wmma_b, i, l % 16)
FRAG(wmma_d, 2 * i + l / 16, l % 16)

typedef struct FragRow {
    const char *mma;
    char which;
    int n, threads, items, rows, cols;
    FragFn *f;
} FragRow;

static const FragRow frags[] = {
    {"mma.m16n8k16.f32.f16", 'a', 0, 32, 8, 16, 16, mma_a16},
    {"mma.m16n8k16.f32.f16", 'b', 0, 32, 4, 16, 8, mma_b16},
    {"mma.m16n8k16.f32.f16", 'c', 0, 32, 4, 16, 8, mma_c},
    {"mma.m16n8k16.f16.f16", 'c', 0, 32, 4, 16, 8, mma_c},
    {"mma.m16n8k16.f32.bf16", 'a', 0, 32, 8, 16, 16, mma_a16},
    {"mma.m16n8k8.f32.tf32", 'a', 0, 32, 4, 16, 8, mma_atf},
    {"mma.m16n8k8.f32.tf32", 'b', 0, 32, 2, 8, 8, mma_btf},
    {"mma.m16n8k8.f32.tf32", 'c', 0, 32, 4, 16, 8, mma_c},
    {"mma.m16n8k32.s32.s8", 'a', 0, 32, 16, 16, 32, mma_a8},
    {"mma.m16n8k32.s32.s8", 'b', 0, 32, 8, 32, 8, mma_b8},
    {"mma.m16n8k32.s32.u8.s8", 'c', 0, 32, 4, 16, 8, mma_c},
    {"mma.m16n8k32.f32.e4m3", 'a', 0, 32, 16, 16, 32, mma_a8},
    {"mma.m16n8k32.f32.e4m3.e5m2", 'b', 0, 32, 8, 32, 8, mma_b8},
    {"mma.m8n8k4.f64.f64", 'a', 0, 32, 1, 8, 4, f64_a},
    {"mma.m8n8k4.f64.f64", 'b', 0, 32, 1, 4, 8, f64_b},
    {"mma.m8n8k4.f64.f64", 'c', 0, 32, 2, 8, 8, f64_c},
    {"wgmma.m64k16.f32.f16", 'c', 128, 128, 64, 64, 128, wg_d},
    {"wgmma.m64k16.f32.f16", 'c', 256, 128, 128, 64, 256, wg_d},
    {"wgmma.m64k16.f32.bf16", 'c', 24, 128, 12, 64, 24, wg_d},
    {"wgmma.m64k16.f16.f16", 'a', 0, 128, 8, 64, 16, wg_a16},
    {"mfma.16x16x16.f32.f16", 'a', 0, 64, 4, 16, 16, mf16_a},
    {"mfma.16x16x16.f32.f16", 'b', 0, 64, 4, 16, 16, mf16_b},
    {"mfma.16x16x16.f32.f16", 'c', 0, 64, 4, 16, 16, mf16_dt},
    {"mfma.32x32x8.f32.f16", 'a', 0, 64, 4, 32, 8, mf32_a},
    {"mfma.32x32x8.f32.f16", 'b', 0, 64, 4, 8, 32, mf32_b},
    {"mfma.32x32x8.f32.f16", 'c', 0, 64, 16, 32, 32, mf32_dt},
    {"mfma.16x16x32.s32.s8", 'a', 0, 64, 8, 16, 32, k8_a},
    {"mfma.16x16x32.f32.e4m3", 'a', 0, 64, 8, 16, 32, k8_a},
    {"mfma.16x16x4.f32.f32", 'a', 0, 64, 1, 16, 4, k1_a},
    {"mxc.16x16x16.f32.f16", 'a', 0, 64, 4, 16, 16, mf16_a},
    {"mxc.16x16x16.s32.s8", 'c', 0, 64, 4, 16, 16, mf16_dt},
    {"mxc.16x16x8.f32.tf32", 'a', 0, 64, 2, 16, 8, k2_a},
    {"mxc.16x16x4.f64.f64", 'a', 0, 64, 1, 16, 4, k1_a},
    {"mxc.16x16x4.f64.f64", 'c', 0, 64, 4, 16, 16, d64_dt},
    {"wmma.16x16x16.f32.f16", 'a', 0, 32, 16, 16, 16, wmma_a},
    {"wmma.16x16x16.f32.bf16", 'b', 0, 32, 16, 16, 16, wmma_b},
    {"wmma.16x16x16.s32.u8", 'a', 0, 32, 16, 16, 16, wmma_a},
    {"wmma.16x16x16.f32.f16", 'c', 0, 32, 8, 16, 16, wmma_d},
};

static void fragment(const FragRow *r)
{
    Layout l;
    char what[96];
    const Mma *m = mma_find(r->mma);
    int warp = r->threads == 64 ? 64 : 32;
    snprintf(what, sizeof what, "%s, operand %c", r->mma, r->which);
    if (!m || !mma_layout(m, r->which, r->n, &l)) {
        expect(false, what);
        return;
    }
    int copies = r->threads * r->items / (r->rows * r->cols);
    bool ok = layout_check(&l, warp) == NULL && l.size[0] == r->rows && l.size[1] == r->cols &&
              layout_extent(&l, AXreg) == r->items && layout_copies(&l) == copies;
    int seen = 0;
    for (int t = 0; t < r->threads && ok; t++)
        for (int i = 0; i < r->items && ok; i++) {
            RC rc = r->f(t, i);
            int32_t idx[2] = {rc.r, rc.c}, back[2];
            Spot s = layout_eval(&l, idx), here = {{i, t % warp, t / warp, 0}};
            ok = s.at[AXlane] == t % (warp / copies) && s.at[AXwarp] == t / warp &&
                 s.at[AXreg] == i && layout_invert(&l, &here, back) && back[0] == rc.r &&
                 back[1] == rc.c;
            seen++;
        }
    expect(ok && seen == r->rows * r->cols * copies, what);
}

/* Spots that the reference quotes: (thread, item) -> (row, column). */
static void spot(const char *mma, char which, int n, int t, int i, int r, int c)
{
    Layout l;
    const Mma *m = mma_find(mma);
    int32_t idx[2] = {-1, -1};
    int warp = strncmp(mma, "mfma", 4) == 0 ? 64 : 32;
    Spot s = {{i, t % warp, t / warp, 0}};
    bool ok = m && mma_layout(m, which, n, &l) && layout_invert(&l, &s, idx);
    expect(ok && idx[0] == r && idx[1] == c, mma);
}

static void spots(void)
{
    spot("mma.m16n8k16.f32.f16", 'a', 0, 5, 3, 9, 3);
    spot("mma.m16n8k16.f32.f16", 'b', 0, 5, 2, 10, 1);
    spot("mma.m16n8k16.f32.f16", 'c', 0, 5, 3, 9, 3);
    spot("mma.m16n8k32.s32.s8", 'a', 0, 6, 9, 1, 25);
    spot("mma.m16n8k8.f32.tf32", 'a', 0, 7, 3, 9, 7);
    spot("wgmma.m64k16.f32.f16", 'c', 128, 37, 6, 25, 10);
    spot("mfma.16x16x16.f32.f16", 'c', 0, 37, 2, 5, 10);  /* D is passed transposed */
    spot("mfma.32x32x8.f32.f16", 'c', 0, 37, 6, 5, 14);
}

/* Every instruction of every machine: operands fill the warp, hold each element
 * once (RDNA3's A and B: twice), and are pure bit permutations. */
static void all_instructions(void)
{
    for (const Machine *const *m = machines; *m; m++)
        for (int i = 0; i < (*m)->nmma; i++) {
            const Mma *x = &(*m)->mma[i];
            bool group = x->kind == MMAgroup, ok = mma_find(x->name) != NULL;
            int size[3][2] = {{x->m, x->k}, {x->k, x->n}, {x->m, x->n}};
            for (int w = 0; w < 3; w++) {
                Layout l;
                bool has = mma_layout(x, "abc"[w], x->n, &l);
                if (group && w == 1) {
                    ok &= !has; /* always in shared memory */
                    continue;
                }
                int64_t threads = group ? 128 : (*m)->warp;
                ok &= has && layout_check(&l, (*m)->warp) == NULL && l.size[0] == size[w][0] &&
                      l.size[1] == size[w][1] &&
                      layout_extent(&l, AXreg) * threads ==
                          (int64_t)l.size[0] * l.size[1] * layout_copies(&l) &&
                      layout_copies(&l) == (strncmp(x->name, "wmma", 4) == 0 && w < 2 ? 2 : 1);
            }
            expect(ok, x->name);
        }
    expect(machine_find("sm_90a") && !machine_find("sm_70"), "machines by name");
    expect(card_find("H200") && !card_find("V100"), "cards by name");
}

/* What follows from the fragments: lowering.md 3.1, 2.2, 7.3. */
static void consequences(void)
{
    Layout c, a, a8, c8;
    const Mma *h = mma_find("mma.m16n8k16.f32.f16"), *q = mma_find("mma.m16n8k32.s32.s8");
    /* two m16n8 accumulators side by side are an A operand: the same threads */
    mma_layout(h, 'c', 0, &c);
    mma_layout(h, 'a', 0, &a);
    layout_mode(&c, 1, 2, AXreg, 4);
    c.size[1] = 16;
    expect(layout_convert(&c, &a) == MVsame, "an accumulator is a 16-bit A operand");
    /* of 8 bits it is not: lane bits 0 and 1 differ */
    mma_layout(q, 'a', 0, &a8);
    mma_layout(h, 'c', 0, &c8);
    layout_mode(&c8, 1, 4, AXreg, 4);
    c8.size[1] = 32;
    expect(!layout_same_threads(&c8, &a8) && layout_convert(&c8, &a8) == MVshuffle,
           "an accumulator is no 8-bit A operand");
    /* a row of 64x64 on 2x2 warps is held by 8 threads: lane bits 0, 1 and a warp bit */
    Layout blk;
    mma_layout(h, 'c', 0, &blk);
    layout_mode(&blk, 0, 2, AXwarp, 1);
    layout_mode(&blk, 1, 2, AXwarp, 2);
    layout_mode(&blk, 0, 2, AXreg, 4);
    layout_mode(&blk, 1, 4, AXreg, 8);
    blk.size[0] = blk.size[1] = 64;
    bool ok = layout_check(&blk, 32) == NULL && layout_extent(&blk, AXreg) == 32;
    for (int32_t i = 0; i < 64 && ok; i++)
        for (int32_t j = 0; j < 64 && ok; j++) {
            int32_t idx[2] = {i, j};
            Spot s = layout_eval(&blk, idx);
            ok = s.at[AXlane] + 32 * s.at[AXwarp] ==
                 4 * (i % 8) + j % 8 / 2 + 32 * (i / 16 % 2) + 64 * (j / 8 % 2);
        }
    expect(ok, "MakeGemmFragmentC(64, 64, 32, 32)");
    layout_project(&blk, 1);
    expect(layout_copies(&blk) == 8 && blk.nb == 2 && blk.ndim == 1 &&
               layout_extent(&blk, AXreg) == 4 && layout_check(&blk, 32) == NULL,
           "rows of it: 8 copies each");
    int32_t size[2] = {192, 128};
    Layout w;
    layout_init(&w, 2, size);
    layout_mode(&w, 0, 8, AXlane, 4);
    layout_mode(&w, 0, 2, AXreg, 2);
    layout_mode(&w, 0, 12, AXwarp, 1);
    layout_mode(&w, 1, 2, AXreg, 1);
    layout_mode(&w, 1, 4, AXlane, 1);
    layout_mode(&w, 1, 16, AXreg, 4);
    expect(layout_check(&w, 32) == NULL && layout_extent(&w, AXwarp) * 32 == 384 &&
               layout_extent(&w, AXreg) == 64, "192x128 over three warp groups");
}

/* ldmatrix (3.2): lane 8m + r gives the address of row r of matrix m; lane l
 * receives bytes 4t .. of row g in register m, or with trans the elements
 * (2t, g) and (2t + 1, g).  The six addressings of the reference, each as the
 * stored row and column (in elements of `size` bytes) of a lane's address. */
typedef struct LdRow {
    const char *what, *mma;
    char which;
    bool trans, stored_k; /* stored_k: rows of the tile are k */
    int size;
    bool low;             /* row l % 16, or 8 * (l / 16) + l % 8 */
} LdRow;

static const LdRow ldrows[] = {
    {"A from [m][k]", "mma.m16n8k16.f32.f16", 'a', false, false, 2, true},
    {"A from [k][m]", "mma.m16n8k16.f32.f16", 'a', true, true, 2, false},
    {"B from [n][k]", "mma.m16n8k16.f32.f16", 'b', false, false, 2, false},
    {"B from [k][n]", "mma.m16n8k16.f32.f16", 'b', true, true, 2, true},
    {"8-bit A from [m][k]", "mma.m16n8k32.s32.s8", 'a', false, false, 1, true},
    {"tf32 A from [m][k]", "mma.m16n8k8.f32.tf32", 'a', false, false, 4, true},
};

static RC at(const LdRow *r, int l)
{
    int chunk = 16 / r->size;
    if (r->low)
        return (RC){l % 16, chunk * (l / 16)};
    return (RC){8 * (l / 16) + l % 8, chunk * (l % 16 / 8)};
}

static void ldmatrix(const LdRow *r)
{
    Layout l;
    const Mma *i = mma_find(r->mma);
    int per = 4 / r->size; /* elements of a register */
    bool ok = mma_layout(i, r->which, 0, &l);
    for (int m = 0; m < 4 && ok; m++)
        for (int lane = 0; lane < 32 && ok; lane++)
            for (int h = 0; h < per && ok; h++) {
                RC row = at(r, 8 * m + (r->trans ? 2 * (lane % 4) + h : lane / 4));
                row.c += r->trans ? lane / 4 : lane % 4 * per + h;
                /* as the operand counts: (m, k) or (k, n) */
                bool swap = r->which == 'a' ? r->stored_k : !r->stored_k;
                int32_t idx[2] = {swap ? row.c : row.r, swap ? row.r : row.c};
                int slot = m * per + h, second = 0;
                if (r->which == 'b') { /* two n8 instructions side by side */
                    second = idx[1] / 8;
                    idx[1] %= 8;
                }
                Spot s = layout_eval(&l, idx);
                ok = s.at[AXlane] == lane && s.at[AXreg] + 4 * second == slot;
            }
    expect(ok, r->what);
}

/* An accumulator's columns, permuted, are an 8-bit operand lane for lane (3.1). */
static void permuted_k(void)
{
    Layout c, a;
    mma_layout(mma_find("mma.m16n8k16.f32.f16"), 'c', 0, &c);
    layout_mode(&c, 1, 4, AXreg, 4);
    c.size[1] = 32;
    mma_layout(mma_find("mma.m16n8k32.s32.s8"), 'a', 0, &a);
    bool ok = true;
    for (int32_t i = 0; i < 16 && ok; i++)
        for (int32_t k = 0; k < 32 && ok; k++) {
            int32_t idx[2] = {i, k};
            int32_t to[2] = {i, (k & 1) | (k >> 1 & 3) << 2 | (k >> 3 & 1) << 1 | (k & 16)};
            ok = layout_eval(&c, idx).at[AXlane] == layout_eval(&a, to).at[AXlane];
        }
    expect(ok, "a permutation of k makes C an 8-bit A");
}

/* Swizzles ------------------------------------------------------------- */

static int64_t sw(int64_t a, int b) { return a ^ ((a >> 3) & (((1 << b) - 1) << 4)); }

static void swizzles(void)
{
    static const int span[] = {128, 64, 32, 16}, bits[] = {8, 16, 32, 64};
    for (int s = 0; s < 4; s++)
        for (int e = 0; e < 4; e++) {
            int bytes = bits[e] / 8, b = 3 - s;
            int32_t size[2] = {32, 256 / bytes};
            Layout l;
            bool ok = layout_swizzled(&l, 2, size, bits[e], span[s]) && !layout_check(&l, 0);
            for (int32_t i = 0; i < size[0] && ok; i++)
                for (int32_t j = 0; j < size[1] && ok; j++) {
                    int32_t idx[2] = {i, j}, back[2];
                    int64_t block = (int64_t)j * bytes / span[s];
                    int64_t plain = block * size[0] * span[s] + (int64_t)i * span[s] +
                                    (int64_t)j * bytes % span[s];
                    Spot at = layout_eval(&l, idx);
                    ok = at.at[AXoff] * bytes == sw(plain, b) && layout_invert(&l, &at, back) &&
                         back[0] == i && back[1] == j;
                }
            expect(ok && layout_extent(&l, AXoff) * bytes == 32 * 256, "a swizzle's bytes");
            expect(layout_run(&l, 1, AXoff) == (b ? 16 : span[s]) / bytes ||
                       (!b && layout_run(&l, 1, AXoff) == 16 / bytes), "a swizzle's runs");
        }
    int32_t odd[2] = {12, 40};
    Layout l;
    expect(!layout_swizzled(&l, 2, odd, 16, 128), "a row of 80 bytes has no 128-byte swizzle");
    expect(layout_swizzled(&l, 2, odd, 16, 16) && !layout_check(&l, 0), "but core matrices");
}

/* chunk (col / vec) ^ (row / perPhase % maxPhase) of lowering.md 3.7 */
static void phased(void)
{
    static const int32_t shape[][2] = {{64, 64}, {64, 32}, {32, 16}, {16, 128}, {64, 256}};
    for (size_t k = 0; k < COUNT(shape); k++)
        for (int vec = 4; vec <= 8; vec += 4) {
            int inner = shape[k][1], pp = 64 / inner > 1 ? 64 / inner : 1;
            int mp = 16 / pp < inner / vec ? 16 / pp : inner / vec;
            Layout l;
            bool ok = layout_phased(&l, 2, shape[k], 16, vec) && !layout_check(&l, 0);
            for (int32_t i = 0; i < shape[k][0] && ok; i++)
                for (int32_t j = 0; j < inner && ok; j++) {
                    int32_t idx[2] = {i, j};
                    ok = layout_eval(&l, idx).at[AXoff] ==
                         i * inner + ((j / vec) ^ (i / pp % mp)) * vec + j % vec;
                }
            expect(ok, "the phased layout of 64-lane chips");
        }
}

/* Conflicts: measured wavefronts of lowering.md 3.5 --------------------- */

typedef struct ConflictRow {
    const char *what;
    int lanes, bytes;
    int64_t (*addr)(int l);
    int waves, ideal, ways;
} ConflictRow;

static int64_t s4(int l) { return 4 * l; }
static int64_t s8(int l) { return 8 * l; }
static int64_t s16(int l) { return 16 * l; }
static int64_t s32(int l) { return 32 * l; }
static int64_t s128(int l) { return 128 * l; }
static int64_t s132(int l) { return 132 * l; }
static int64_t s144(int l) { return 144 * l; }
static int64_t pairs(int l) { return l / 4 * 128 + 4 * (l % 4); }
static int64_t pairs_sw(int l) { return sw(pairs(l), 3); }
static int64_t f32pairs(int l) { return l / 4 * 256 + 8 * (l % 4); }
static int64_t s128sw(int l) { return sw(128 * l, 3); }
static int64_t same(int l) { return l * 0; }
static int64_t half(int l) { return 2 * l; }
static int64_t ld32(int l) { return l % 16 * 32 + 16 * (l / 16); }
static int64_t ld64(int l) { return l % 16 * 64 + 16 * (l / 16); }
static int64_t ld128(int l) { return l % 16 * 128 + 16 * (l / 16); }
static int64_t ld144(int l) { return l % 16 * 144 + 16 * (l / 16); }
static int64_t ld128sw(int l) { return sw(ld128(l), 3); }
static int64_t ld64sw(int l) { return sw(ld64(l), 2); }
static int64_t ld32sw(int l) { return sw(ld32(l), 1); }

static const ConflictRow conflicts[] = {
    {"4 B, stride 4", 32, 4, s4, 1, 1, 1},       {"4 B, stride 8", 32, 4, s8, 2, 1, 2},
    {"4 B, stride 16", 32, 4, s16, 4, 1, 4},     {"4 B, stride 128", 32, 4, s128, 32, 1, 32},
    {"4 B, stride 132", 32, 4, s132, 1, 1, 1},   {"4 B, one word", 32, 4, same, 1, 1, 1},
    {"2 B, contiguous", 32, 2, half, 1, 1, 1},   {"8 B, contiguous", 32, 8, s8, 2, 2, 1},
    {"C pairs, linear", 32, 4, pairs, 8, 1, 8},  {"C pairs, swizzled", 32, 4, pairs_sw, 1, 1, 1},
    {"f32 pairs, 256 B rows", 32, 8, f32pairs, 8, 2, 4},
    {"16 B, contiguous", 32, 16, s16, 4, 4, 1},  {"16 B, stride 32", 32, 16, s32, 8, 4, 2},
    {"16 B, stride 128", 32, 16, s128, 32, 4, 8},{"16 B, stride 144", 32, 16, s144, 4, 4, 1},
    {"16 B, 128 swizzled", 32, 16, s128sw, 4, 4, 1},
    {"ldmatrix, 32 B rows", 32, 16, ld32, 8, 4, 2},
    {"ldmatrix, 64 B rows", 32, 16, ld64, 16, 4, 4},
    {"ldmatrix, 128 B rows", 32, 16, ld128, 32, 4, 8},
    {"ldmatrix, 144 B rows", 32, 16, ld144, 4, 4, 1},
    {"ldmatrix, 128 B swizzled", 32, 16, ld128sw, 4, 4, 1},
    {"ldmatrix, 64 B swizzled", 32, 16, ld64sw, 4, 4, 1},
    {"ldmatrix, 32 B swizzled", 32, 16, ld32sw, 4, 4, 1},
    {"4 B, stride 4, 64 lanes", 64, 4, s4, 2, 2, 1},
};

static int rank(int64_t *v, int n)
{
    int r = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < r; k++)
            if ((v[i] ^ v[k]) < v[i])
                v[i] ^= v[k];
        if (v[i])
            v[r++] = v[i];
    }
    return r;
}

/* 2^(rank(address) - rank(address mod a row of banks)), of the first group */
static int by_rank(int64_t (*addr)(int), int bytes)
{
    int64_t a[5], b[5];
    int bits = bytes <= 4 ? 5 : bytes == 8 ? 4 : 3;
    for (int i = 0; i < bits; i++) {
        a[i] = addr(1 << i) / bytes;
        b[i] = a[i] & (128 / bytes - 1);
    }
    return 1 << (rank(a, bits) - rank(b, bits));
}

static void banks(void)
{
    for (size_t i = 0; i < COUNT(conflicts); i++) {
        const ConflictRow *r = &conflicts[i];
        int64_t addr[64];
        for (int l = 0; l < r->lanes; l++)
            addr[l] = r->addr(l);
        BankCost c = bank_cost(addr, r->lanes, r->bytes, 32, 4);
        expect(c.waves == r->waves && c.ideal == r->ideal && c.ways == r->ways, r->what);
        bool linear = r->addr != s132 && r->addr != s144 && r->addr != ld144 && r->bytes >= 4;
        if (linear) /* over F2 */
            expect(by_rank(r->addr, r->bytes) == r->ways, "the degree by rank");
        for (int l = 0; l < r->lanes; l++)
            addr[l] = l % 32 == 3 ? r->addr(l) : -1;
        c = bank_cost(addr, r->lanes, r->bytes, 32, 4);
        expect(c.ways == 1 && c.waves == c.ideal, "one lane has no conflict");
    }
    int64_t addr[32];
    int touched, ideal;
    for (int l = 0; l < 32; l++)
        addr[l] = l / 4 * 512 + 8 * (l % 4); /* C pairs of f32 to global memory */
    sector_cost(addr, 32, 8, 32, &touched, &ideal);
    expect(touched == 8 && ideal == 8, "sectors of f32 pairs");
    for (int l = 0; l < 32; l++)
        addr[l] = l / 4 * 512 + 4 * (l % 4); /* f16 pairs: half of each sector */
    sector_cost(addr, 32, 4, 32, &touched, &ideal);
    expect(touched == 8 && ideal == 4, "sectors of f16 pairs");
}

int main(void)
{
    targets_init();
    for (size_t i = 0; i < COUNT(frags); i++)
        fragment(&frags[i]);
    spots();
    all_instructions();
    consequences();
    for (size_t i = 0; i < COUNT(ldrows); i++)
        ldmatrix(&ldrows[i]);
    permuted_k();
    swizzles();
    phased();
    banks();
    return failures != 0;
}
