/* targets/sim/units.h: what matrix instructions, tile boxes and row fetches
 * compute.  Nothing here knows of order or of findings.
 *
 * Registers are as sim.h says: a register is an array over the threads of the
 * cluster; a pointer here points to the first lane of the executing warp (or
 * warp group) in the first register, and register s is `stride` elements of the class
 * further: value(register s, lane l) = p[s * stride + l].  Classes: float for
 * floats up to 32 bits, double for float64, int32_t for integers up to 32. */
#ifndef MOONTILE_SIM_UNITS_H
#define MOONTILE_SIM_UNITS_H

#include "sim.h"

/* Matrix instructions ------------------------------------------------------
 * Products are exact.  Where the machine says how it sums them (Mma.sum), they are summed
 * so, and the bits are the hardware's.  Else, and unless `exact`, a sum is rounded to float32
 * (float64; int32 wraps) after each addition, in order of k, starting from C; a float16
 * accumulator is summed in float32 and rounded once an instruction; results agree with the
 * hardware's within its error.  Operands of tf32 lose their low 13 bits (rounded towards
 * zero, as the hardware reads them). */
typedef struct SimUnit SimUnit;
/* n: of a wgmma, else 0.  NULL: no memory, or the layouts do not fit the warp.
 * Prepare one for all places of an instruction in a program: its work space is of one
 * execution only. */
SimUnit *unit_new(const Machine *m, const Mma *i, int n, bool exact);
bool unit_is(const SimUnit *u, const Mma *i, int n); /* what unit_new makes of these? */
void unit_free(SimUnit *u);
/* One warp: c += a * b, in place. */
void unit_mma(const SimUnit *u, const void *a, const void *b, void *c, int64_t stride);

/* An operand in shared memory as its descriptor says: bytes, as the attributes
 * of the operation; start is the absolute byte offset in the block's memory. */
typedef struct Desc Desc;
struct Desc {
    int64_t start;
    int32_t lbo, sbo, swizzle; /* swizzle: 0, 32, 64, 128 */
    bool tnsp;                 /* MN-major */
};
/* A warp group: c (+)= a * b.  mem: the block's shared memory, size bytes; a: NULL, then
 * from da; b from db.  scale_d 0: c is overwritten.  Descriptor addresses are
 * taken & 0x3ffff; false: one reached beyond size (nothing is done then). */
bool unit_wgmma(const SimUnit *u, const uint8_t *mem, int64_t size, const void *a, const Desc *da,
                const Desc *db, void *c, int64_t stride, bool scale_d);
/* Byte offsets of the 16-byte rows that operand 'a' or 'b' at d touches, at most
 * max of them; returns how many there are (<= 2048). */
int unit_rows(const SimUnit *u, char which, const Desc *d, int64_t *at, int max);
enum { UnitRows = 2048 };

/* Row fetches --------------------------------------------------------------
 * at: byte offset of each lane's row (absolute in mem), all inside mem and
 * multiples of 16.  num 1, 2, 4: rows of lanes 0 .. 8 * num - 1 count.  dt: element type;
 * each lane gets (gives) num * 32 / bits registers of dt's class, matrix by matrix.  A row
 * to be stored at -1 is left out. */
void unit_ldmatrix(const uint8_t *mem, const int64_t *at, int num, bool trans, enum Dtype dt,
                   void *dst, int64_t stride);
void unit_stmatrix(uint8_t *mem, const int64_t *at, int num, bool trans, enum Dtype dt,
                   const void *src, int64_t stride);

/* Boxes of global tensors ---------------------------------------------------
 * Dimensions as in the IR, outermost first.  min may lie outside, also below 0.  The
 * box is row-major in shared memory from `at` on; with a swizzle, address bits
 * are XORed (absolute addresses in mem, reference: lowering.md 3.5). */
typedef struct TmaBox TmaBox;
struct TmaBox {
    int ndim, bits;            /* bits of an element: 8 and up (4: rows must be whole bytes) */
    int64_t size[MaxDim];      /* of the tensor */
    int64_t stride[MaxDim];    /* elements */
    int64_t min[MaxDim];
    int32_t extent[MaxDim];
    int32_t swizzle;           /* 0, 32, 64, 128 */
};
int64_t box_bytes(const TmaBox *b);                       /* what it adds to a barrier */
void box_load(const TmaBox *b, const uint8_t *global, uint8_t *mem, int64_t at);
void box_store(const TmaBox *b, uint8_t *global, const uint8_t *mem, int64_t at);
/* global[e] = kind(global[e], shared[e]); kind: enum Red */
void box_reduce(const TmaBox *b, enum Dtype dt, int kind, uint8_t *global, const uint8_t *mem,
                int64_t at);
/* The parts of rows inside the tensor: byte offsets in it, *bytes each; at most
 * max are stored; returns how many there are.  For hb_global. */
int64_t box_rows(const TmaBox *b, int64_t *at, int64_t max, int *bytes);

/* Conversions between storage and classes, n contiguous elements of dt (8 bits
 * and up; tables and vector loops). */
void unit_decode(enum Dtype dt, const void *src, void *dst, int64_t n);
void unit_encode(enum Dtype dt, const void *src, void *dst, int64_t n);

#endif
