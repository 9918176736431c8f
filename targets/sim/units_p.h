/* targets/sim/units_p.h: inside units*.c. */
#ifndef MOONTILE_SIM_UNITS_P_H
#define MOONTILE_SIM_UNITS_P_H

#include "kern.h"
#include "units.h"

/* How products are summed one after the other: floats whose products float32 holds exactly,
 * float32 operands (fused), float64, integers. */
enum UnitClass { UCf, UCx, UCd, UCi };

/* An operand in registers: at[register * lanes + lane] is its place in the row-major
 * rows x cols matrix; at NULL: never in registers.  zipped: of two registers of four lanes the
 * elements lie side by side, lane by lane. */
typedef struct MmaOperand MmaOperand;
struct MmaOperand {
    int rows, cols, regs, lanes;
    uint16_t *at;
    bool zipped;
};

struct SimUnit {
    const Mma *i;
    int m, n, k;
    enum UnitClass cls;
    bool sums;                      /* as the hardware does it: */
    KernFused sum;
    int32_t *room;                  /* of the fused kernel */
    MmaOperand a, b, c;
    void *work, *wa, *wb, *wt, *wc; /* matrices; wt: room to transpose b */
    uint8_t *raw;                   /* an operand's bytes */
};

void unit_gather(const MmaOperand *o, const void *reg, int64_t stride, void *mat, size_t size);
void unit_scatter(const MmaOperand *o, const void *mat, void *reg, int64_t stride, size_t size);
void unit_tf32(float *x, int64_t n);
/* wc += wa * wb; wa at [row * am + k * ak]. */
void unit_product(const SimUnit *u, int am, int ak);

/* 16-byte chunk of address bits XORed: swizzle 0, 32, 64, 128 (lowering.md 3.5). */
static inline int64_t unit_swizzle(int64_t a, int swizzle)
{
    int64_t mask = swizzle == 128 ? 7 : swizzle == 64 ? 3 : swizzle == 32 ? 1 : 0;
    return a ^ (a >> 3 & mask << 4);
}
#endif
