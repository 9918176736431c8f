/* tests/unit/sim_sums.c: the simulator's matrix units against the sums that an H200 made
 * (card_sums.h): every bit of 262,144 of each instruction. */
#include <stdio.h>

#include "card_sums.h"
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

enum { Threads = 128, Slots = 16, At = 8192, MemBytes = 16384 };

static const enum Dtype dtype[] = {DTf16, DTbf16, DTtf32, DTe4m3, DTe5m2, DTi8, DTf64, DTf32, DTi32};
static double reg[3][Threads * Slots];
static uint8_t mem[MemBytes];

static enum Dtype stored(int type) { return type == Stf32 ? DTf32 : dtype[type]; }
static size_t width(int type) { return type == Sf64 ? 8 : 4; }

/* One operand in the registers of its lanes; b's rows are columns. */
static void spread(const Layout *l, const uint8_t *p, int rows, int cols, int type, bool turned,
                   void *to)
{
    for (int32_t r = 0; r < rows; r++)
        for (int32_t c = 0; c < cols; c++) {
            int32_t idx[LayDims] = {turned ? c : r, turned ? r : c};
            Spot s = layout_eval(l, idx);
            int64_t at = s.at[AXreg] * Threads + s.at[AXwarp] * 32 + s.at[AXlane];
            unit_decode(stored(type), p + (size_t)(r * cols + c) * (size_t)sumtype[type].bits / 8,
                        (char *)to + (size_t)at * width(type), 1);
        }
}

/* C from the registers; NaN of float16 as the card writes it. */
static void collect(const Layout *l, int rows, int type, const void *from, uint8_t *p)
{
    for (int32_t r = 0; r < rows; r++)
        for (int32_t c = 0; c < 8; c++) {
            int32_t idx[LayDims] = {r, c};
            Spot s = layout_eval(l, idx);
            int64_t at = s.at[AXreg] * Threads + s.at[AXwarp] * 32 + s.at[AXlane];
            uint8_t *to = p + (size_t)(r * 8 + c) * (size_t)sumtype[type].bits / 8;
            unit_encode(stored(type), (const char *)from + (size_t)at * width(type), to, 1);
            if (type == Sf16 && (sum_get(to, 0, type) & 0x7fff) > 0x7c00)
                sum_put(to, 0, type, 0x7fff);
        }
}

/* Rows of 32 bytes in shared memory, without a swizzle. */
static void place(const uint8_t *p, int rows, uint8_t *to)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < 2; c++)
            memcpy(to + c * 128 + r / 8 * 256 + r % 8 * 16, p + r * 32 + c * 16, 16);
}

static void test_sums(int which)
{
    static SumTile x;
    const CardSum *i = &card_sum[which];
    const Machine *m = machine_find("sm_90a");
    const Mma *mma = machine_mma(m, i->name);
    int rows = sum_rows(i), n = i->group ? 8 : 0;
    SimUnit *u = mma ? unit_new(m, mma, n, true) : NULL;
    Layout la, lb, lc;
    CHECK(u && mma_layout(mma, 'a', n, &la) && mma_layout(mma, 'c', n, &lc));
    CHECK(i->group || (u && mma_layout(mma, 'b', n, &lb)));
    uint64_t hash = SUM_HASH;
    for (int t = 0; u && t < sum_tiles(i); t++) {
        Desc da = {0, 128, 256, 0, false}, db = {At, 128, 256, 0, false};
        sum_tile(which, t, &x);
        spread(&lc, x.c, rows, 8, i->c, false, reg[2]);
        if (!i->group || i->regs)
            spread(&la, x.a, rows, i->k, i->a, false, reg[0]);
        if (!i->group) {
            spread(&lb, x.b, 8, i->k, i->b, true, reg[1]);
            unit_mma(u, reg[0], reg[1], reg[2], Threads);
        } else {
            place(x.a, rows, mem);
            place(x.b, 8, mem + At);
            CHECK(unit_wgmma(u, mem, MemBytes, i->regs ? reg[0] : NULL, &da, &db, reg[2], Threads,
                             x.acc));
        }
        collect(&lc, rows, i->c, reg[2], x.c);
        hash = sum_hash(hash, x.c, (size_t)rows * 8 * (size_t)sumtype[i->c].bits / 8);
    }
    if (hash != i->hash)
        printf("%s%s: other bits than the card's\n", i->name, i->regs ? ", A in registers" : "");
    CHECK(hash == i->hash);
    unit_free(u);
}

int main(void)
{
    targets_init();
    for (int which = 0; which < CardSums; which++)
        test_sums(which);
    if (failures)
        printf("%d checks failed\n", failures);
    return failures != 0;
}
