/* core/ir/handover.h: what a pass of lowering leaves for later ones beside the program.
 *
 * Most of what a pass decides is in the program that it leaves.  The rest hangs on statements,
 * on launches and on their buffers, and is one of the plans below; a pass that runs finds
 * them in these places and nowhere else, so that a program between two passes is its statements
 * and its plans.  IR text has both where the program's line says behind which pass it stands:
 *
 *     kernel k(A, B) -> C machine sm_90a after layouts
 *
 * print_handover.c writes the plans as lines that begin with `plan`, parse_handover.c reads and
 * verifies them; the grammar is at the head of parse.c.  What can be found again from the
 * program is not written: which named barriers are taken, the extents of a product, the layout
 * of a fragment whose registers have one.  Nor is what speaks to people alone: the names that
 * users gave to threads (Low.said), and what fixed a layout (Buf.cause). */
#ifndef MOONTILE_HANDOVER_H
#define MOONTILE_HANDOVER_H

#include "core/layout/machine.h"
#include "walk.h"

/* A gemm's plan, hung on its Sop by low_select.  Layouts are over
 * the whole (M, K), (K, N), (M, N) of the operation, also when the operand is
 * passed transposed; they are set for operands in registers and for C. */
typedef struct GemmPlan GemmPlan;
struct GemmPlan {
    const Mma *mma;          /* NULL: scalar multiply-adds in a parallel loop */
    int M, N, K;
    int wm, wn;              /* warps along M and N (wgmma: in units of a warp) */
    int n;                   /* wgmma: N of one instruction */
    bool areg, breg;         /* operand comes from a fragment */
    Layout a, b, c;
    int aspan, bspan;        /* wanted swizzle of shared operands: 128, 64, 32 bytes; 16: 8 x 16
                              * byte core matrices of wgmma, no XOR; 0 none possible; -1 padded
                              * rows; -2 phased (64-lane chips) */
    int pack;                /* 64-lane chips: instructions of one operand fetch, 1 or 2 */
    bool widen;              /* C is converted to the instruction's type around the products */
    bool async;              /* T.wgmma_gemm: the user waits */
    bool behind;             /* wgmma: the newest group stays in flight (gemm_overlap.c) */
    Ex keep;                 /* wgmma: whether it adds to what C holds (zero_init.c); 0: as
                              * clear_accum says */
};

/* How the elements of a copy travel (Ocopy, Oasync_copy, Otma_copy, Otma_put). */
enum CopyHow { CPloop, CPasync, CPtma, CPbulk, NCopyHow };
typedef struct CopyPlan CopyPlan;
struct CopyPlan {
    uint8_t how;
    bool commit;             /* CPasync: the pipeline commits; false: right after */
    bool shared;             /* CPtma load: the same in all blocks of the cluster: each loads a
                              * part for all */
    uint32_t bar;            /* CPtma load: barrier pair or barrier buffer; 0 of its own */
    Ex use;                  /* running number of the barrier pair's use */
};

/* A parallel loop's plan, set by low_layouts: iteration -> thread and register.
 * Reductions between fragments have one too, over the source's region. */
typedef struct ParLoopPlan ParLoopPlan;
struct ParLoopPlan {
    Layout loop;             /* over the parallel loop's variables; axes REG LANE WARP */
    int vec;                 /* iterations of the innermost run done as one vector, >= 1 */
    bool partial;            /* reductions: lanes keep parts, see split_acc.c */
};

/* What was decided about s (which may be NULL) as a product, a copy, a parallel loop; NULL:
 * nothing, or it is none. */
static inline GemmPlan *gemm_plan(const Stmt *s)
{
    return s && s->kind == Sop ? s->op.gemm : NULL;
}
static inline CopyPlan *copy_plan(const Stmt *s)
{
    return s && s->kind == Sop ? s->op.copy : NULL;
}
static inline ParLoopPlan *loop_plan(const Stmt *s)
{
    return s && s->kind == Sfor && s->loop.kind == Fparallel ? s->loop.plan : NULL;
}

/* What is known of a buffer of a launch; Low.buf[id]. */
enum Strength { STnone, STfree, STweak, STreduce, STgemm, STuser, NStrength };
typedef struct BufLow BufLow;
struct BufLow {
    Layout map;              /* fragments: low_layouts.  shared: low_shared, which keeps a map whose
                              * strength is set (staging buffers of low_layouts) */
    uint8_t strength;        /* enum Strength: STnone, map is not set */
    Loc why;                 /* the statement that fixed it */
    int span;                /* shared: wanted swizzle as in GemmPlan, 0 no wish */
    int versions;            /* stages of a pipelined buffer (dimension 0 then), else 0 */
    bool async;              /* TMA or wgmma touch it: alignment, fences */
    bool scratch;            /* shared: of a pass, see low_sharedbuf */
    uint32_t pipe;           /* barrier pair that guards it, or 0; from low_mbarriers on its full barrier */
    uint32_t staging;          /* global: the shared buffer through whose boxes results go, see
                              * epilogue.c, or 0 */
    bool settles;           /* .. which are waited for whole each time: others may come there again */
    bool after;             /* .. reckoned to stand in bytes of what is not there any more; of low_pipeline alone */
    uint32_t regs;          /* fragments, from low_layouts on: the local buffer of its registers
                              * (1-D, Buf.map set, allocated beside it).  low_gemm and low_reduce
                              * use it; low_parallel replaces the other accesses and drops the
                              * fragment */
    uint32_t fragment;       /* local: the fragment whose registers it has, or 0 */
    uint32_t nth;            /* shared, barrier: of a text that has the launch's in another order than
                              * they were made in, its place in that order; else 0 */
};

/* What orders shared buffers by when they were made; k may be NULL.  (Where places in shared memory
 * are alike, the older one is first: lower/shared/alloc.c.) */
static inline uint64_t buf_age(const BufLow *k, uint32_t b)
{
    return k && k->nth ? k->nth : (UINT64_C(1) << 32) + b;
}

/* What a launch goes without where its shared memory would not be enough; see retry.c. */
typedef struct Retry Retry;
struct Retry {
    int64_t keep;            /* bytes that pipelines and boxes leave to what later passes need */
    bool one;                /* pipelines give up their second stage for them, too */
    int64_t most;            /* bytes of a fragment's copy, if it can be made in rounds; 0: any */
    int64_t whole;           /* .. and of the largest, when that began */
    bool tight;              /* fragments are copied where they are used, for that use alone */
    bool apart;              /* a block works on one tile: buffers of a loop over tiles live side by side */
    bool united;             /* no warps have a role of their own: the audit found their barriers wrong */
    bool lean;               /* loops have the stages that were asked for and no more */
    bool dense;              /* rows of tiles stand one behind the other, without what keeps columns off one bank */
    bool beside;             /* boxes of results have bytes that nothing else has before them */
};

/* A launch's, set where lowering stops between two passes. */
typedef struct LaunchPlan LaunchPlan;
struct LaunchPlan {
    uint32_t tid;            /* Var: index of the thread in the block, of those that count; 0:
                              * before low_flatten */
    int threads;             /* of the tile program; the block may have producers beside them */
    uint32_t rank;           /* Var: which of the cluster's tiles is this block's (persist.c), or 0 */
    Retry retry;
    BufLow *buf; uint32_t nbuf; /* by Buf */
};

/* handover.c -------------------------------------------------------------- */
extern const char *const copyhow[NCopyHow], *const strengthname[NStrength];
/* Calls f for every expression in the plans of s itself; stops and returns false when f does. */
bool handover_exprs(const Stmt *s, ExFn *f, void *ud);
/* The plan of buffer b in plan l, or NULL: nothing is known of it. */
const BufLow *handover_buf(const LaunchPlan *l, uint32_t b);

#endif
