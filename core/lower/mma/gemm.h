/* core/lower/mma/gemm.h: what the choice and the lowering of products share: the
 * operands of matrix instructions as T.gemm sees them, and how fragments are
 * fetched as 8x8 matrices. */
#ifndef MOONTILE_GEMM_H
#define MOONTILE_GEMM_H

#include "core/lower/build/low.h"

enum { GemmA, GemmB, GemmC };
enum { PolicySquare, PolicyFullRow, PolicyFullCol };

/* gemm_map.c ------------------------------------------------------------ */

/* Calls f for every statement of the block, inner ones first; f returns what
 * stands there instead.  Inside a role base and threads of l are the role's. */
void gemm_walk(Low *l, Stmt **at, Stmt *(*f)(Low *l, Stmt *s));

/* The extents of one instruction; n: wgmma's, otherwise unused.  (Operands that a
 * chip wants swapped are swapped where the instruction is printed.) */
typedef struct MmaShape { int m, n, k; } MmaShape;
MmaShape gemm_shape(const Mma *i, int n);

/* Fragment of one instruction: 'a' over (m, k), 'b' over (k, n), 'c' over
 * (m, n) of the operation.  With pack = 2 it covers two instructions along k,
 * of which every lane holds twice as many consecutive k: registers of the first,
 * then of the second.  False: no such operand. */
bool gemm_inst(const Mma *i, char which, int n, int pack, Layout *out);

/* The dimension of r's buffer that letter 0 or 1 of operand which (GemmA: m k,
 * GemmB: k n, GemmC: m n) stands in. */
int gemm_dim(const Prog *p, const Stmt *s, int which, int letter);

/* Every aligned group of `elems` elements along dim stands in order at an
 * offset that is a multiple of elems. */
bool gemm_contiguous(const Layout *map, int dim, int elems);

/* A fragment tile of 32 lanes as `num` (1, 2, 4) matrices of 8 rows of 16 bytes:
 * matrix j begins at at[j]; row is the dimension along which rows follow each
 * other, the other one is contiguous.  trans: lanes hold columns. */
typedef struct Matrices {
    bool trans;
    int num, row;
    int32_t at[4][2];
} Matrices;
/* contiguous: the dimension whose elements stand side by side in memory.
 * NULL, or why it does not match (a text without language, static). */
const char *gemm_matrices(const Layout *f, int bits, int contiguous, Matrices *out);
/* Index of this lane's row of m: along the rows and along the contiguous
 * dimension, relative to the tile; idx has two entries. */
void gemm_row(Low *l, const Matrices *m, Ex idx[2]);

/* Register of a fragment's element, as an expression of its index. */
Ex gemm_reg(Low *l, const Layout *map, const Ex *idx);

/* gemm.c ---------------------------------------------------------------- */

/* One operand of a gemm that is being lowered.  Letters as in gemm_dim(). */
typedef struct Operand Operand;
struct Operand {
    int which;
    const Region *r;
    int dim[2];           /* buffer dimension of each letter */
    int tile[2];          /* extents of one instruction (of `pack` ones along k) */
    int count[2];         /* tiles of one warp (warp group) */
    int split[2];         /* warps (warp groups) along each letter */
    bool frag;            /* a fragment; otherwise shared memory */
    uint32_t regs;        /* local buffer: the fragment's registers, or of fetched tiles */
    Layout map;           /* of the buffer */
    Layout inst;          /* gemm_inst() */
    int items;            /* registers of one tile */
    bool inplace;         /* the fragment's registers are in the instruction's order */
};

typedef struct Gemm Gemm;
struct Gemm {
    Low *l;
    Prog *p;
    const Stmt *s;
    const GemmPlan *g;
    const Mma *i;
    MmaShape shape;
    int pack;             /* instructions of one fetch along k: 1 or 2 */
    Operand a, b, c;
    uint32_t acc;         /* local buffer of the accumulators */
};

/* Fills in operand `which` of q. */
void gemm_operand(Gemm *q, Operand *o, int which);
/* Origin of tile t (numbers of tiles along the letters, expressions) in the
 * buffer: rank entries of idx.  warp: with this warp's part, for memory. */
void gemm_origin(Gemm *q, const Operand *o, const Ex t[2], bool warp, Ex *idx);
/* First register of tile t of an operand in registers. */
Ex gemm_tile(Gemm *q, const Operand *o, const Ex t[2]);
/* n registers from e on. */
Region gemm_regs(Low *l, uint32_t buf, Ex e, int n);
/* Opens `for v in unroll(n)` and returns v; 0 and no loop when n is 1. */
Ex gemm_for(Low *l, const char *name, int n);
void gemm_end(Low *l, int n); /* closes it */
/* Moves tile t of a fragment to the registers dst + 0 .. items - 1 of local buffer
 * buf in the instruction's order, or (back) from there; types are converted. */
void gemm_move(Gemm *q, const Operand *o, const Ex t[2], uint32_t buf, Ex dst, bool back);
/* The accumulators around the products: C itself where its registers are in order,
 * or copies of them.  gemm_acc: first register of tile (i, j). */
void gemm_load_c(Gemm *q);
void gemm_store_c(Gemm *q);
Region gemm_acc(Gemm *q, Ex i, Ex j);

/* gemm_fetch.c: tiles of one k step of an operand of q into local buffer `to`, tile t of
 * letter x at register t * items: from shared memory, or from a fragment whose registers are in
 * another order. */
void gemm_fetch(Gemm *q, const Operand *o, Ex step, uint32_t to);

/* The plan of s, which copies of it may share, becomes one of its own, for changes. */
GemmPlan *gemm_own_plan(Low *l, Stmt *s);
/* C of s, planned as g, stands where the instructions leave it: it is not read
 * and converted behind each product. */
bool gemm_in_place(Low *l, const Stmt *s, const GemmPlan *g);
/* gemm_overlap.c: products by warp groups that need not wait for themselves. */
void gemm_overlap(Low *l);
/* gemm_group.c: the products by warp groups. */
void gemm_group(Gemm *q);
/* Placement of a wgmma operand in shared memory (reference: 3.4): mn and k are
 * dimensions of map; rows: extent of one instruction along mn.  False: none of
 * the forms that a descriptor can say. */
typedef struct Descriptor { bool tnsp; int lbo, sbo, swizzle; } Descriptor;
bool gemm_descriptor(const Layout *map, int mn, int k, int rows, int steps, int bits,
                     Descriptor *out);

/* ldsm.c: copies between shared memory and fragments that ldmatrix and
 * stmatrix can do. */
void low_ldsm(Low *l);
/* lanes.c: loads of single lanes that ldmatrix can do. */
void low_lane_rows(Low *l);

/* select_gemm.c ---------------------------------------------------------- */
GemmPlan *select_gemm(Low *l, Stmt *s);
/* Registers of each thread at the launch that a product of warp groups of n columns wants. */
int gemm_launch_registers(const Mma *i, int n);
/* A wish for shared buffer buf, unless it has one: see select.c. */
void select_exchange(Low *l, uint32_t buf);

#endif
