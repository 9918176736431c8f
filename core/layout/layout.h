/* core/layout/layout.h: layouts: who holds which element, and where.
 *
 * A Layout maps an index (i0, i1, ..) to a place.  Each dimension is cut into
 * modes: mode value (i[dim] / weight) % extent, which adds value * stride to
 * one axis.  A fragment uses the axes REG, LANE and WARP (register, lane,
 * warp of the threads that hold it); a buffer in memory uses OFF (elements),
 * and then one XOR swizzle may be applied to the sum.  Broadcast modes belong
 * to no dimension: copies of every element along LANE, WARP or REG.
 *
 * Invariants, checked by layout_check(): the modes of a dimension tile
 * 0 .. extent exactly (weights are the running products); on each axis modes
 * and broadcast modes do not collide; LANE modes are powers of two and,
 * with the broadcast modes of LANE, tile the warp; WARP likewise tiles the
 * warps, of any number.  Extents are padded: extent[d] >= size[d].
 *
 * Layouts are values: small, copied freely, in no arena. */
#ifndef MOONTILE_LAYOUT_H
#define MOONTILE_LAYOUT_H

#include "core/base/base.h"

enum Axis { AXreg, AXlane, AXwarp, AXoff, NAxis };
extern const char *const axisname[NAxis]; /* "reg" "lane" "warp" "off" */

enum { LayDims = 8, LayModes = 32, LayBroadcast = 8 };

typedef struct Mode Mode;
struct Mode {
    uint8_t dim, axis;
    int32_t weight, extent, stride;
};

typedef struct Layout Layout;
struct Layout {
    uint8_t ndim, n, nb;
    int32_t size[LayDims];   /* logical */
    int32_t extent[LayDims]; /* padded: product of the modes' extents */
    Mode d[LayModes];        /* sorted by dim, weight */
    Mode b[LayBroadcast];    /* broadcast: dim and weight unused */
    struct { int8_t bits, base, shift; } x; /* OFF: off ^= ((off >> (base + shift)) & mask) << base;
                                             * in elements; bits 0: none */
};

/* Where an element is: one number an axis. */
typedef struct Spot Spot;
struct Spot { int64_t at[NAxis]; };

/* layout.c: making ------------------------------------------------------ */
void layout_init(Layout *l, int ndim, const int32_t *size); /* no modes yet */
/* Adds a mode at the top of dim (weight: product so far). */
void layout_mode(Layout *l, int dim, int32_t extent, enum Axis a, int32_t stride);
void layout_bcast(Layout *l, int32_t extent, enum Axis a, int32_t stride);
/* Sorts modes, drops those of extent 1, merges neighbours that continue each
 * other; the canonical form that layout_equal compares. */
void layout_canon(Layout *l);
/* NULL, or a static English text of the first invariant that fails. */
const char *layout_check(const Layout *l, int warp);
/* Row-major memory of these sizes. */
void layout_linear(Layout *l, int ndim, const int32_t *size);
/* "m n" bit strings of a matrix fragment, low to high: "k1 k2 m0 m1 m2" for
 * lane, "k0 m3 k3" for reg; dims is "mk", "kn" or "mn".  See machine.h. */
bool layout_bits(Layout *l, const char *dims, const char *lane, const char *reg);

/* Asking ---------------------------------------------------------------- */
Spot layout_eval(const Layout *l, const int32_t *idx); /* first copy */
/* The XOR of l alone, of an offset; its own inverse. */
int64_t layout_xor(const Layout *l, int64_t off);
/* Index of what stands at reg, lane, warp (or off): false if it is padding
 * beyond size; copies give the same index. */
bool layout_invert(const Layout *l, const Spot *at, int32_t *idx);
int64_t layout_extent(const Layout *l, enum Axis a); /* registers, lanes, warps, elements spanned */
int64_t layout_copies(const Layout *l);              /* product of broadcast modes on LANE, WARP */
bool layout_equal(const Layout *a, const Layout *b); /* canonical forms */
bool layout_same_threads(const Layout *a, const Layout *b); /* equal up to the order of REG */
/* Length of the common run of lowest elements along dim that is contiguous
 * (stride 1) on axis of l. */
int32_t layout_run(const Layout *l, int dim, enum Axis a);

/* Algebra --------------------------------------------------------------- */
/* Cuts the modes of a at the cuts of b and the other way round (same ndim and
 * padded extents); false when two cuts do not nest. */
bool layout_refine(Layout *a, Layout *b);
/* New dimension k is old dimension perm[k]. */
void layout_permute(Layout *l, const int *perm);
/* Dimension dim is gone: its LANE and WARP modes become broadcast, REG ones
 * are dropped (and the registers renumbered densely).  A reduction's result. */
void layout_project(Layout *l, int dim);
/* A dimension of this size before dim, held by nobody in particular: on REG
 * with the given stride, or on OFF. */
void layout_insert(Layout *l, int dim, int32_t size, enum Axis a, int32_t stride);
/* Registers renumbered densely in order of dim's weights: the default order. */
void layout_pack(Layout *l);
/* Row-major reshape to another shape of as many elements. */
bool layout_reshape(const Layout *l, int ndim, const int32_t *size, Layout *out);

/* The same threads counted in warps of another size: thread = lane + lanes *
 * warp stays what it is; where they are not a whole warp its other lanes get copies.
 * False, l as it was: a mode lies across a warp's end. */
bool layout_warps(Layout *l, int warp);

/* How to get from a to b (same logical shape): */
enum Move { MVsame, MVregs, MVshuffle, MVshared };
enum Move layout_convert(const Layout *a, const Layout *b);

/* Text: "[64,64] lane(1/2:4*1 0/1:8*4) reg(1/1:2*1 ..) bcast(warp:2*1) xor(3,3,3)";
 * a mode is dim/weight:extent*stride.  Reads back to the same layout. */
void layout_print(const Layout *l, Str *out);
bool layout_parse(Layout *l, const char *text); /* false: malformed or breaks an invariant */

/* fit.c: a function of the indices fitted to modes and checked by enumerating
 * all of them.  f gives the place of idx: at[AXoff], or thread in at[AXlane]
 * (fit splits it by `warp`) and register in at[AXreg]; rep is the replica.  On
 * failure *why is a static reason and idx the witness. */
typedef bool LayoutFn(void *ud, const int32_t *idx, int32_t rep, Spot *at);
bool layout_fit(Layout *l, int ndim, const int32_t *size, int32_t nrep, int warp, bool memory,
                LayoutFn *f, void *ud, const char **why, int32_t *idx);

/* swizzle.c: layouts of memory by name; bytes: of an element ------------- */
/* 2-D tile cut into column blocks of `span` (128, 64, 32) bytes, rows
 * contiguous inside a block, XOR of 16-byte chunks: TMA's, wgmma's and
 * TileLang's full, half, quarter bank layouts.  span 16: no XOR, core matrices
 * of wgmma.  false: does not divide. */
bool layout_swizzled(Layout *l, int ndim, const int32_t *size, int bits, int span);
/* Row pitch padded by 16 bytes. */
void layout_padded(Layout *l, int ndim, const int32_t *size, int bits);
/* vec, perPhase, maxPhase form of 64-lane chips (reference: 3.7). */
bool layout_phased(Layout *l, int ndim, const int32_t *size, int bits, int vec);

/* banks.c: cost of one warp access (reference: 3.5) ---------------------- */
typedef struct BankCost BankCost;
struct BankCost { int waves, ideal, ways; int bank; }; /* ways: worst serialisation in a group */
/* addr[0..lanes): byte addresses, -1 inactive; bytes each lane takes; at most 128 banks. */
BankCost bank_cost(const int64_t *addr, int lanes, int bytes, int banks, int bank_bytes);
/* Distinct sectors (32 bytes) that the access touches, and the fewest possible. */
void sector_cost(const int64_t *addr, int lanes, int bytes, int sector, int *touched, int *ideal);

#endif
