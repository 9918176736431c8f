/* core/cost/feedback.h: what can be said of a thread program without running it
 * (reference: lowering.md 7.6).
 *
 * Everything is counted from the very statements that the simulator executes
 * and the GPU targets print, for the first block of a launch; totals add up
 * blocks of the beginning, the middle and the end of the grid where the work
 * depends on the block.  Loops of few iterations are looked at one iteration
 * after another; of longer ones some of the beginning and of the end, and in the
 * middle one for many, where conditions on their variables are counted.  Bank conflicts and sectors are
 * exact for static addresses (Machine.exact_banks says whether the bank rule
 * itself is measured); what depends on data is marked, never guessed.
 * Registers are an estimate and called one. */
#ifndef MOONTILE_FEEDBACK_H
#define MOONTILE_FEEDBACK_H

#include "core/ir/ir.h"
#include "core/layout/machine.h"

/* The memory accesses of one kind on a line: all their copies (unrolled,
 * vectorized) together. */
typedef struct FbAccess FbAccess;
struct FbAccess {
    Loc loc;
    uint32_t buf;
    const char *what;      /* "read" "write" "atomic", or the operation's name */
    uint8_t dir;           /* 'r' 'w' 'u' */
    bool shared;           /* else global */
    bool fixed;            /* addresses are static: the counts below hold */
    int bytes;             /* a lane moves at once */
    int active;            /* threads that take part, the most at one time */
    double times;          /* executions by a warp in the block; < 0: not known */
    /* one execution by the worst warp */
    int lanes, warp;
    int waves, ideal, ways, bank; /* shared: wavefronts */
    int sectors, sector_ideal;    /* global */
    /* the whole block: wavefronts or sectors */
    double all, all_ideal;
    /* shared: the layout that helps, by feedback_fixes(); NULL: none */
    const char *fix;       /* "swizzle 128" "swizzle 64" "swizzle 32" "pad 16" "pad 4" "linear" */
    int fixways;           /* of the line then */
};

enum FbLimit { FLthreads, FLregisters, FLshared, FLblocks, NFbLimit };
extern const char *const fblimit[NFbLimit]; /* "threads" "registers" "shared memory" "blocks" */

typedef struct FbBuffer FbBuffer;   /* the shared memory bill */
struct FbBuffer { uint32_t buf; int64_t at, bytes; };

typedef struct FbOp FbOp;           /* operations of the machine that were chosen */
struct FbOp {
    Loc loc;
    const char *name;
    double times;          /* by warps or groups of a block */
    double flops, bytes;   /* of the block: of matrix instructions; moved from or to global memory */
};

typedef struct FbWork FbWork;       /* floating-point operations of a line but its matrix instructions */
struct FbWork { Loc loc; double flops; /* of the block */ };

typedef struct FbSlot FbSlot;       /* a register buffer whose index is not constant */
struct FbSlot { Loc loc; uint32_t buf; };

typedef struct Feedback Feedback;
struct Feedback {
    const Machine *m;
    const Card *card;
    FbAccess *access; uint32_t naccess, capaccess;
    FbBuffer *buffer; uint32_t nbuffer, capbuffer;
    FbOp *op; uint32_t nop, capop;
    FbWork *work; uint32_t nwork, capwork;
    FbSlot *slot; uint32_t nslot, capslot;
    int threads, warps;
    int64_t shared;
    int regs;              /* estimate of registers a thread */
    int fragment_regs;     /* of them held by fragments and local buffers at the fullest point */
    int blocks_sm, limit;  /* blocks that fit on a multiprocessor; enum FbLimit */
    int per[NFbLimit];     /* blocks that each limit alone allows */
    double occupancy;      /* warps / warps_sm */
    /* the first block */
    double flops, mmaflops; /* mmaflops: of flops, by matrix instructions */
    double gbytes;         /* global bytes it moves (sectors * sector size), without caches */
    /* all blocks; < 0: not known */
    double blocks, all_flops, all_mmaflops, all_gbytes;
    double once;           /* global bytes when each is moved once, as a perfect cache would */
    bool sampled;          /* totals are from some of the blocks */
    bool counted;          /* all trip counts were known */
    bool assumed;          /* sizes are not known: tiles are taken to lie inside */
    int mmabits;           /* of the matrix operands: 8, 16, 32 (tf32), 64; 0 none */
    double peak;           /* 1e12 operations a second that the card can do of them, 0 unknown */
    double intensity, ridge; /* flops a byte moved; of the card, 0 unknown */
    double bound_ms;       /* least time on the card, 0 unknown: arithmetic, and each byte once */
    bool compute_bound;    /* intensity >= ridge */
};

/* The launch-th launch (from 0) of the thread program p; dims: values of its
 * dimensions and scalars by Var (NULL: none known).  Everything lives in p's
 * arena.  card NULL: the machine's own.  false: out of memory (in p->ctx). */
bool feedback(Prog *p, int launch, const Machine *m, const Card *card, const int64_t *dims,
              const uint8_t *known, Feedback *out);
int feedback_launches(const Prog *p);

/* One execution of an access by a warp, with its addresses. */
enum { FbLanes = 64 };
typedef struct FbShot FbShot;
struct FbShot {
    FbAccess a;            /* of this warp: lanes, waves, .. ; not fixed: no addresses */
    int n, rows;           /* lanes of a warp; rows: how many of them give addresses */
    int64_t at[FbLanes];   /* byte addresses, of shared memory from the buffer's block's
                            * beginning, of global memory from the tensor's; -1: none */
};

/* What shots are wanted: of a line and a buffer (0, NULL: any), by a warp (-1: the
 * one that costs most).  Of several executions the one that costs most is kept. */
typedef struct FbAsk FbAsk;
struct FbAsk {
    uint32_t line;
    const char *buf;
    int warp;
    FbShot *shot; uint32_t nshot, capshot;
};

/* The accesses of the first block that ask wants, in p's arena; false: out of memory. */
bool feedback_shots(Prog *p, int launch, const Machine *m, const int64_t *dims,
                    const uint8_t *known, FbAsk *ask);

/* Sets fix of the accesses in f, which feedback() found in launch of q, the
 * thread program of the tile program p: layouts are tried by lowering p with
 * each of them, and the one with the fewest wavefronts of the launch is kept.
 * dims and known are by name: value(ud, name, &v). */
typedef bool FbDim(void *ud, const char *name, int64_t *v);
bool feedback_fixes(Prog *p, Prog *q, int launch, FbDim *value, void *ud, Feedback *f);

/* feedback()'s dims and known for p, in its arena. */
bool feedback_dims(Prog *p, FbDim *value, void *ud, int64_t **dims, uint8_t **known);

#endif
