/* The lane maps of hip's and maca's machines, which the printed text and the simulator
 * follow, against those of the stand-ins, which were written down from the vendors' ports
 * apart from them: products of matrices with a single 1, placed by the former and
 * multiplied by the latter, must come out where the former say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/layout/machine.h"
#include "../standin/lib/mma.c"
#include "../../targets/targets.h"

static int failures;

/* The stand-in's unit of an instruction, its operands as the targets hand them over. */
typedef struct Pair Pair;
struct Pair { const char *name; enum StandinMma unit; int flags; };

static const Pair pairs[] = {
    {"mxc.16x16x16.f32.f16", Mma_16x16x16f16, 0}, {"mxc.16x16x16.f32.bf16", Mma_16x16x16bf16, 0},
    {"mxc.16x16x8.f32.tf32", Mma_16x16x8tf32, 0}, {"mxc.16x16x4.f32.f32", Mma_16x16x4f32, 0},
    {"mxc.16x16x16.s32.s8", Mma_16x16x16i8, 0}, {"mxc.16x16x4.f64.f64", Mma_16x16x4f64, 0},
    {"mfma.16x16x16.f32.f16", Mma_16x16x16f16, 0}, {"mfma.16x16x16.f32.bf16", Mma_16x16x16bf16, 0},
    {"mfma.32x32x8.f32.f16", Mma_32x32x8f16, 0}, {"mfma.32x32x8.f32.bf16", Mma_32x32x8bf16, 0},
    {"mfma.16x16x4.f32.f32", Mma_16x16x4f32, 0}, {"mfma.16x16x4.f64.f64", Mma_16x16x4f64, 0},
    {"mfma.16x16x16.s32.s8", Mma_16x16x16i8, 0}, {"mfma.16x16x32.s32.s8", Mma_16x16x32i8, 0},
    {"mfma.16x16x32.f32.e4m3", Mma_16x16x32fp8_fp8, 0},
    {"mfma.16x16x32.f32.e5m2", Mma_16x16x32bf8_bf8, 0},
    {"mfma.16x16x32.f32.e4m3.e5m2", Mma_16x16x32bf8_fp8, 0}, /* B, A */
    {"mfma.16x16x32.f32.e5m2.e4m3", Mma_16x16x32fp8_bf8, 0},
    {"wmma.16x16x16.f32.f16", Mma_wmma_f16, 0}, {"wmma.16x16x16.f32.bf16", Mma_wmma_bf16, 0},
    {"wmma.16x16x16.s32.s8", Mma_wmma_iu8, 3}, {"wmma.16x16x16.s32.u8", Mma_wmma_iu8, 0},
    {"wmma.16x16x16.s32.s8.u8", Mma_wmma_iu8, 1}, {"wmma.16x16x16.s32.u8.s8", Mma_wmma_iu8, 2},
};

static const Pair *pair_of(const char *name)
{
    for (size_t i = 0; i < COUNT(pairs); i++)
        if (strcmp(pairs[i].name, name) == 0)
            return &pairs[i];
    return NULL;
}

/* The bits of 1 as the instruction's operand has them; FNUZ, half as large: of 0.5. */
static void put_one(enum Type t, unsigned char *p)
{
    static const double d = 1;
    static const float f = 1;
    static const unsigned char h[] = {0, 0x3c}, b[] = {0x80, 0x3f};
    switch (t) {
    case Tf64: memcpy(p, &d, 8); break;
    case Tf32: case Ttf32: memcpy(p, &f, 4); break;
    case Tf16: memcpy(p, h, 2); break;
    case Tbf16: memcpy(p, b, 2); break;
    case Ti8: case Tiu8: *p = 1; break;
    case Tfp8: *p = 0x40; break;
    default: *p = 0x40; break;
    }
}

static double get(enum Type t, const unsigned char *p)
{
    double d;
    float f;
    int32_t i;
    if (t == Tf64)
        return memcpy(&d, p, 8), d;
    if (t == Ti8 || t == Tiu8)
        return memcpy(&i, p, 4), i;
    return memcpy(&f, p, 4), f;
}

/* Puts a 1 wherever the layout has element (row, col). */
static void place(const Layout *l, int lanes, int slots, int row, int col, enum Type t,
                  StandinRegisters *r, bool is_a)
{
    int32_t idx[LayDims];
    for (int lane = 0; lane < lanes; lane++)
        for (int s = 0; s < slots; s++) {
            Spot p = {{0}};
            p.at[AXreg] = s;
            p.at[AXlane] = lane;
            if (layout_invert(l, &p, idx) && idx[0] == row && idx[1] == col)
                put_one(t, (is_a ? r[lane].a : r[lane].b) + s * bytes_of(t));
        }
}

static void wrong(const Mma *i, int m, int k, int n, const char *what)
{
    if (failures++ < 20)
        printf("%s: A[%d][%d] = B[%d][%d] = 1: %s\n", i->name, m, k, k, n, what);
}

/* The one 1 of the product is where the layout of C says, and nowhere else. */
static void expect(const Mma *i, const Layout *c, int lanes, int slots, int m, int k, int n,
                   enum Type t, const StandinRegisters *r)
{
    int32_t idx[LayDims];
    for (int lane = 0; lane < lanes; lane++)
        for (int s = 0; s < slots; s++) {
            Spot p = {{0}};
            p.at[AXreg] = s;
            p.at[AXlane] = lane;
            bool here = layout_invert(c, &p, idx) && idx[0] == m && idx[1] == n;
            if (get(t, r[lane].c + s * (t == Tf64 ? 8 : 4)) != here)
                wrong(i, m, k, n, here ? "no 1 in C" : "a 1 in C where none belongs");
        }
}

static void one_hot(const Machine *w, const Mma *i, const Pair *u, int m, int k, int n)
{
    StandinRegisters r[StandinLanes];
    Layout a, b, c;
    enum Type t = units[u->unit].type;
    memset(r, 0, sizeof r);
    if (!mma_layout(i, 'a', i->n, &a) || !mma_layout(i, 'b', i->n, &b) ||
        !mma_layout(i, 'c', i->n, &c)) {
        wrong(i, m, k, n, "no layout");
        return;
    }
    /* transposed: the text hands B over where the instruction takes A */
    place(&a, w->warp, (int)layout_extent(&a, AXreg), m, k, i->transposed ? type_b(t) : type_a(t),
          r, !i->transposed);
    place(&b, w->warp, (int)layout_extent(&b, AXreg), k, n, i->transposed ? type_a(t) : type_b(t),
          r, i->transposed);
    for (int l = 0; l < StandinLanes; l++)
        r[l].flags = u->flags;
    const char *why = standin_mma(u->unit, r);
    if (why)
        wrong(i, m, k, n, why);
    else
        expect(i, &c, w->warp, (int)layout_extent(&c, AXreg), m, k, n, t, r);
}

static void check(const Machine *w, const Mma *i)
{
    const Pair *u = pair_of(i->name);
    int ab, c, mn, k;
    if (!u) {
        printf("%s of %s: the stand-ins have no such instruction\n", i->name, w->name);
        failures++;
        return;
    }
    standin_mma_sizes(u->unit, &ab, &c, &mn, &k);
    if (mn != i->m || mn != i->n || k != i->k)
        wrong(i, mn, k, mn, "of another size");
    for (int j = 0; j < i->k; j++) /* every element of A and of B, and every pair of rows once */
        for (int m = 0; m < i->m; m++)
            one_hot(w, i, u, m, j, (m * 5 + j * 3) % i->n);
    for (int m = 0; m < i->m; m++)
        for (int n = 0; n < i->n; n++)
            one_hot(w, i, u, m, (m + n) % i->k, n);
    for (int j = 0; j < i->k; j++)
        for (int n = 0; n < i->n; n++)
            one_hot(w, i, u, (n * 7 + j) % i->m, j, n);
}

int main(void)
{
    targets_init();
    int n = 0;
    for (const Machine *const *m = machines; *m; m++)
        if (strcmp((*m)->family, "amd") == 0 || strcmp((*m)->family, "metax") == 0)
            for (int i = 0; i < (*m)->nmma; i++, n++)
                check(*m, &(*m)->mma[i]);
    printf("%d instructions, %d failures\n", n, failures);
    return failures != 0 || n == 0;
}
