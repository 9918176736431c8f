/* targets/cuda/ptx.h: inside ptx*.c: operations of thread programs as calls of
 * small functions, and the PTX in those functions.
 *
 *   ptx.c        the table of operations, fences and barriers of threads, texts
 *   ptx_mma.c    mma.sync, ldmatrix, stmatrix
 *   ptx_copy.c   cp.async; mbarriers
 *   ptx_tma.c    boxes of tensor maps, bulk copies
 *   ptx_wgmma.c  products of warp groups; ptx_flight.c: which of them are in flight where
 *
 * A function is printed once, above the kernels, when a call of it was: emit_need()
 * with its name, of which ptx_*_helper() makes or looks up the text. */
#ifndef MOONTILE_CUDA_PTX_H
#define MOONTILE_CUDA_PTX_H

#include "cuda.h"

#define PTX_FN "static __device__ __forceinline__ "

/* A helper whose text never changes. */
typedef struct PtxText PtxText;
struct PtxText { const char *name, *text; };
const char *ptx_find(const PtxText *table, size_t n, const char *name);

/* The text in s as the arena's; s is freed.  Unwinds without memory. */
const char *ptx_done(Emit *e, Str *s);
/* emit_regs() as 32-bit words: "(unsigned *)&A_r[i * 8]". */
const char *ptx_words(Emit *e, const Region *r);
/* What asm operands hold the slots of dt: 'f' float, 'r' words, 'd' double. */
char ptx_constraint(enum Dtype dt);
const char *ptx_regtype(enum Dtype dt); /* "float" "int" "unsigned" "double" */
/* `"+f"(c[0]), "+f"(c[1]) ..`: n operands. */
void ptx_operands(Str *s, const char *mode, char constraint, const char *name, int n);
/* `{%0, %1 ..}`: n of them from number `first` on. */
void ptx_list(Str *s, int first, int n);
bool ptx_true(const Emit *e, Ex x);  /* constant, not 0 */

/* ptx_flight.c.  Arrays of registers; fresh: all of it is about to be overwritten. */
typedef struct Held Held;
struct Held { struct { uint32_t buf; bool fresh; } *at; uint32_t n, cap; };
void held_add(Prog *p, Held *h, uint32_t buf, bool fresh);
bool held_has(const Held *h, uint32_t buf);
/* Loops around a statement, innermost first. */
typedef struct WgmmaAround WgmmaAround;
struct WgmmaAround { const Stmt *loop; const WgmmaAround *up; };
/* Of a product: the loops around.  Of a fence: what is in flight there; of a wait: what it
 * completes. */
typedef struct WgmmaFact WgmmaFact;
struct WgmmaFact { const WgmmaAround *around; Held held; };
const WgmmaFact *wgmma_fact(Emit *e, const Stmt *s);

/* Each prints the operation s. */
typedef void PtxFn(Emit *e, const Stmt *s);
PtxFn ptx_mma, ptx_matrices;
PtxFn ptx_cp_async, ptx_cp_group, ptx_cp_arrive, ptx_mbar;
PtxFn ptx_tma_load, ptx_tma_store, ptx_bulk_load, ptx_bulk_store, ptx_bulk_group;
PtxFn ptx_wgmma, ptx_wgmma_fence, ptx_wgmma_commit, ptx_wgmma_wait;

const char *ptx_mma_helper(Emit *e, const char *name);
const char *ptx_copy_helper(Emit *e, const char *name);
const char *ptx_tma_helper(Emit *e, const char *name);
const char *ptx_wgmma_helper(Emit *e, const char *name);

#endif
