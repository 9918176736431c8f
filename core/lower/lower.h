/* core/lower/lower.h: from a tile program to the thread program of a machine.
 *
 * lower.c lists the passes in order; each is one file here (or a few, where it
 * says so) and one function below, which rewrites the statements of one launch
 * or attaches a plan for a later pass.  All of them report into p->ctx: errors
 * unwind, and whatever better way was not taken leaves a note (level note)
 * with the condition that failed.
 *
 * What a thread program is (what the last pass leaves, and verify.c checks):
 *   - a launch has one thread variable, `tid`, 0 .. threads - 1 of the block
 *   - fragments are local buffers, one-dimensional, indexed by the slot; after
 *     unrolling the unroll and vectorized loops every slot index is constant;
 *     Buf.map says what the slots hold
 *   - shared buffers keep their logical indices; Buf.map turns those into
 *     element offsets from Buf.at
 *   - no tile operations (level T), no parallel, pipelined or persistent loops
 *   - a vectorized loop is one vector access: its bounds are 0 .. w, its body
 *     stores (and atomics, cp_async); every memory access in it either does not depend on its
 *     variable or moves by one element with it, from an address that is a
 *     multiple of w elements, w * size at most Machine.vec_bytes; all
 *     conditions are the same for the whole vector
 *   - global accesses are inside their buffer for every thread that executes
 *     them: what could lie outside is under an if, or in a select
 *   - statements are executed by all threads (of the role) unless an if says
 *     otherwise */
#ifndef MOONTILE_LOWER_H
#define MOONTILE_LOWER_H

#include "../ir/ir.h"
#include "../layout/machine.h"

/* Whether and how a statement's way was decided ------------------------- */

/* A gemm's plan, hung on its Sop by low_choose (Stmt.plan).  Layouts are over
 * the whole (M, K), (K, N), (M, N) of the operation, also when the operand is
 * passed transposed; they are set for operands in registers and for C. */
typedef struct GemmPlan GemmPlan;
struct GemmPlan {
    const Mma *mma;          /* NULL: scalar multiply-adds in a nest */
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
    Ex keep;                 /* wgmma: whether it adds to what C holds (clear.c); 0: as clear_accum says */
};

/* How the elements of a copy travel (Ocopy, Oasync_copy, Otma_copy, Otma_put). */
enum CopyHow { CPnest, CPasync, CPtma, CPbulk };
typedef struct CopyPlan CopyPlan;
struct CopyPlan {
    uint8_t how;
    bool commit;             /* CPasync: the pipeline commits; false: right after */
    bool shared;             /* CPtma load: the same in all blocks of the cluster: each loads a
                              * part for all */
    uint32_t bar;            /* CPtma load: ring or barrier buffer; 0 of its own */
    Ex use;                  /* running number of the ring's use */
};

/* A parallel nest's plan, set by low_layouts: iteration -> thread and slot.
 * Reductions between fragments have one too, over the source's region. */
typedef struct NestPlan NestPlan;
struct NestPlan {
    Layout loop;             /* over the nest's variables; axes REG LANE WARP */
    int vec;                 /* iterations of the innermost run done as one vector, >= 1 */
    bool partial;            /* reductions: lanes keep parts, see partial.c */
};

/* What is known of a buffer while lowering; Low.buf[id]. */
enum Strength { STnone, STfree, STweak, STreduce, STgemm, STuser };
typedef struct BufLow BufLow;
struct BufLow {
    Layout map;              /* fragments: low_layouts.  shared: low_shared, which keeps a map whose
                              * strength is set (staging buffers of low_layouts) */
    uint8_t strength;        /* enum Strength: STnone, map is not set */
    const Stmt *why;         /* the statement that fixed it */
    int span;                /* shared: wanted swizzle as in GemmPlan, 0 no wish */
    int versions;            /* slots of a pipelined buffer (dimension 0 then), else 0 */
    bool async;              /* TMA or wgmma touch it: alignment, fences */
    bool scratch;            /* shared: of a pass, see low_sharedbuf */
    uint32_t ring;           /* ring that guards it, or 0 */
    uint32_t stage;          /* global: the shared buffer through whose boxes results go, see
                              * epilogue.c, or 0 */
    uint32_t slots;          /* fragments, from low_layouts on: the local buffer of its slots
                              * (1-D, Buf.map set, allocated beside it).  low_gemm and low_reduce
                              * use it; low_nests replaces the other accesses and drops the fragment */
    uint32_t fragment;       /* local: the fragment whose slots it has, or 0 */
};

/* What a launch goes without where its shared memory would not be enough; see thrift.c. */
typedef struct Thrift Thrift;
struct Thrift {
    int64_t keep;            /* bytes that pipelines and boxes leave to what later passes need */
    bool one;                /* pipelines give up their second stage for them, too */
    int64_t most;            /* bytes of a fragment's copy, if it can be made in rounds; 0: any */
    int64_t whole;           /* .. and of the largest, when that began */
    bool tight;              /* fragments are copied where they are used, for that use alone */
};
/* .. and what the passes found that it needs, for the next time. */
typedef struct Needs Needs;
struct Needs {
    int64_t over;            /* bytes that the machine lacks; 0: none */
    int64_t planned;         /* bytes that pipelines and boxes reckoned with */
    int64_t side;            /* bytes of buffers of roles, side by side; 0: there are no roles */
    int64_t cut;             /* bytes of the largest copy that could be made in more rounds */
    bool never;              /* without any copy it is too much: nothing helps */
    int stages;              /* of the deepest pipeline, 0: there is none */
    bool boxes;              /* there are boxes of results */
    bool copies;             /* there are copies that tight would make elsewhere */
};

typedef struct Low Low;
struct Low {
    Prog *p;
    const Machine *m;
    Stmt *launch;
    uint32_t tid;            /* Var: index of the thread in the block */
    int threads;             /* of the tile program; layouts count these */
    int base;                /* index in the block of their first thread (producers may stand before) */
    int total;               /* of the block, producers too */
    BufLow *buf; uint32_t capbuf;
    uint32_t rank;           /* Var: which of the cluster's tiles is this block's (persist.c), or 0 */
    uint32_t bars;           /* named barriers in use: bit i for number i */
    /* Scratch that all substitutions share: what expression e has become, in that of
     * number memo[e].turn; values of variables by their numbers, while they are asked for. */
    struct LowMemo { uint32_t turn; Ex is; } *memo;
    uint32_t capmemo, turn;
    int64_t *env; uint32_t capenv;
    int64_t *zeros; uint32_t capzeros;
    uint32_t *mark, capmark, marks;
    struct PipeUsed *used;   /* see pipeline_used.c */
    Thrift thrift;
    Needs needs;
};
BufLow *low_buf(Low *l, uint32_t buf); /* grows the table */
/* Dimensions of buf in front of its tile's own: 1 where a pipeline gave it slots. */
int low_slotdims(Low *l, uint32_t buf);

/* lower.c: the pass list.  p is verified and checked; true: p is a thread
 * program for m (p->machine).  until: stop behind the pass of that name. */
bool prog_lower(Prog *p, const Machine *m, const char *until);
/* The same, all of it; seen is called behind each pass over each launch, to look. */
typedef void LowSeen(void *ud, const Prog *p, const Stmt *launch, const char *pass);
bool prog_lower_seen(Prog *p, const Machine *m, LowSeen *seen, void *ud);
/* verify.c: has m what p asks for by name (T.set_max_nreg, clusters, ..)?  Reports. */
bool prog_fits(Prog *p, const Machine *m);
/* audit.c.  What two statements of thread program p lack, `from` came first. */
typedef struct Unordered Unordered;
struct Unordered { Loc from, to; const char *buf; bool fence; };
/* Are the barriers of a thread program enough?  Those places where not, *n of them: p's
 * memory; without a buf: threads wait at `to` for ever.  *whole: all that it does was looked at, which open inputs, unknown waits and
 * limit (cells looked at; 0: none) may prevent. */
const Unordered *prog_audit(Prog *p, const Machine *m, int64_t limit, uint32_t *n, bool *whole);
const char *prog_pass(int i); /* name of the i-th pass; NULL behind the last */

/* The passes, in order --------------------------------------------------- */
void low_flatten(Low *l);   /* flatten.c: one thread variable; block-uniform stores, atomics, prints
                             * outside nests become one-iteration nests; aliases resolved */
void low_choose(Low *l);    /* choose.c: GemmPlan of each gemm, CopyPlan of each copy */
void low_pipeline(Low *l);  /* pipeline.c: pipelined loops: versions, stages, cp.async groups, or
                             * (roles.c) producers and consumers with rings */
void low_expand(Low *l);    /* expand.c: fills, nest copies, transposes, tile atomics -> nests;
                             * gemms without an instruction -> nests */
void low_layouts(Low *l);   /* solve.c, solve_*.c: layout of every fragment and nest; conversions */
void low_shared(Low *l);    /* shared.c: layout of every shared buffer */
void low_epilogue(Low *l);  /* epilogue.c: results of matrix instructions leave by stmatrix and TMA */
void low_tma(Low *l);       /* tma.c: CPtma and CPbulk copies -> tma_load, tma_store, bulk_* */
void low_partial(Low *l);   /* partial.c: sums that lanes exchange once, behind a loop */
void low_peel(Low *l);      /* peel.c: masks only where something is masked */
void low_clear(Low *l);     /* clear.c: products overwrite instead of adding to zeros */
void low_overlap(Low *l);   /* overlap.c: products run under what does not need them */
void low_gemm(Low *l);      /* gemm.c, gemm_*.c: operand fetches and matrix instructions */
void low_reduce(Low *l);    /* reduce.c: reductions; scan.c: scans */
void low_nests(Low *l);     /* nest.c, nest_*.c: nests -> unrolled, vectorized, guarded statements */
void low_rings(Low *l);     /* rings.c: rings -> pairs of mbarriers; initialisation of barriers */
void low_sync(Low *l);      /* sync.c: barriers and fences from the effect table */
void low_place(Low *l);     /* place.c: lifetimes and byte offsets; before low_sync, see lower.c */
void low_simplify(Low *l);  /* simplify.c: constant conditions, empty statements, lets of common parts */
void low_unused(Low *l);    /* unused.c: buffers that nothing touches any more */
void low_ranges(Low *l);    /* ranges.c: roles that are no whole warps as conditions */
void low_unroll(Low *l);    /* unroll.c: loops that would be too much text stay loops */
void low_audit(Low *l);     /* audit.c, audit_*.c: are the barriers enough?  What lacks is put in */
bool low_replay(Low *l);    /* replay.c: rings and barriers replayed; false: a bug of ours (E9xx) */

/* build.c: statements for the passes ------------------------------------- */
/* Everything built until low_end() goes to a list of its own, at loc. */
void low_begin(Low *l, Loc loc);
Stmt *low_end(Low *l);
/* Calls f for each statement of the block at *at, outer first; f returns what
 * stands there instead (a list, the statement itself, or NULL: removed) and
 * whether to go into its blocks by *into (true when called).  Inside a role base
 * and threads of l are the role's. */
typedef Stmt *LowFn(Low *l, Stmt *s, bool *into, void *ud);
/* Goes into the blocks of all that f returned. */
void low_rewrite(Low *l, Stmt **at, LowFn *f, void *ud);
Stmt *low_append(Stmt *list, Stmt *more); /* joined; either may be NULL */
void low_put(Low *l, Stmt *list);         /* appended to the list that is open */
int low_blocks(Stmt *s, Stmt **block[2]); /* where the blocks inside s hang; how many */
/* Into the blocks of s (NULL: of none): where s is a role, base and threads of l
 * become the role's, until low_leave() gets back what low_enter() gave. */
typedef struct LowRole { int base, threads; } LowRole;
LowRole low_enter(Low *l, const Stmt *s);
void low_leave(Low *l, LowRole outer);
/* Buf, and its Salloc in the list that is open, else at the launch's beginning. */
uint32_t low_local(Low *l, enum Dtype dt, const char *name, int64_t slots);
/* These two stand at the launch's beginning.  The first is scratch: what is read of it
 * was written before in the same execution of the block that holds all its uses, so that
 * nothing is in it from one iteration of a loop to the next. */
uint32_t low_sharedbuf(Low *l, enum Dtype dt, const char *name, const Ex *shape, int ndim);
uint32_t low_barrierbuf(Low *l, const char *name, int64_t n);
/* The first of n named barriers side by side that nobody uses, from 1 on: given
 * out; 0: there are none. */
enum { NamedBarriers = 16 };
int low_named(Low *l, int n);
/* flatten_range.c.  Reports that the threads of role, which stand under a condition, would
 * have to wait for each other at loc and cannot on this machine: there they come to buf,
 * behind `early`; NULL: T.sync_threads() says so. */
NORETURN void low_no_barrier(Low *l, Loc loc, const Stmt *role, const char *buf, Loc early);
void low_names_taken(Low *l); /* those that the program names are in use from now on */
/* Replaces variables and/or buffers in all expressions of a block, in place:
 * var v by map[v] where not 0, buffer b by bufs[b] where not 0. */
void low_subst(Low *l, Stmt *s, const Ex *map, uint32_t nmap, const uint32_t *bufs, uint32_t nbufs);
/* The same for n variables, and for n buffers, in time that does not depend on how many
 * there are; to: what stands there, in any order. */
typedef struct LowNew LowNew;
struct LowNew { uint32_t id, to; };
void low_vars(Low *l, Stmt *s, LowNew *v, int n);
Ex low_varsx(Low *l, Ex e, LowNew *v, int n);
void low_bufs(Low *l, Stmt *s, LowNew *b, int n);
int64_t *low_env(Low *l); /* by variable; whatever was there */
int64_t *low_zeros(Low *l); /* by variable: zeros, and left so */
/* By variable: marks; none is *mine, which no other set of marks is. */
uint32_t *low_marks(Low *l, uint32_t *mine);
/* Is buf a fragment, and (an ExTest; ud: the Prog) is e a load of one? */
static inline bool low_fragment(const Prog *p, uint32_t buf)
{
    return buf && p->buf[buf].scope == SCfragment;
}
static inline bool low_of_fragment(void *ud, Ex e)
{
    const Prog *p = ud;
    return p->ex[e].op == Xload && low_fragment(p, p->ex[e].sym);
}
/* Replaces expressions bottom-up: f gets each load, call and operator whose
 * operands are done and returns what stands there.  The whole block; what s
 * itself holds, not the blocks inside it; one expression. */
typedef Ex LowExFn(Low *l, Ex e, void *ud);
void low_map(Low *l, Stmt *s, LowExFn *f, void *ud);
void low_map_own(Low *l, Stmt *s, LowExFn *f, void *ud);
Ex low_mapx(Low *l, Ex e, LowExFn *f, void *ud);
/* low_subst for one expression. */
Ex low_substx(Low *l, Ex e, const Ex *map, uint32_t nmap, const uint32_t *bufs, uint32_t nbufs);
/* Deep; what is declared inside stays shared, values of lets with it: give the
 * copy its own by low_renew before changing it. */
Stmt *low_clone(Low *l, const Stmt *s);
Stmt *low_renew(Low *l, Stmt *s);       /* new variables and buffers for those declared inside */
/* Accesses; constants below 0 do not count from the end.  Statements are returned,
 * at the builder's position, not put anywhere. */
Ex low_load(Low *l, uint32_t buf, const Ex *idx);
Stmt *low_store(Low *l, uint32_t buf, const Ex *idx, Ex value); /* value is cast */
Stmt *low_atomic(Low *l, int kind, uint32_t buf, const Ex *idx, Ex value);
/* cond 0 or constant: one side; either may be NULL. */
Stmt *low_if(Low *l, Ex cond, Stmt *then, Stmt *els);
Ex low_rebuild(Low *l, Ex e, const Ex *arg); /* e with other operands */
/* Expressions of int32. */
Ex low_i(Low *l, int64_t v);
Ex low_add(Low *l, Ex a, Ex b);
Ex low_mul(Low *l, Ex a, int64_t k);
Ex low_div(Low *l, Ex a, int64_t k);
Ex low_mod(Low *l, Ex a, int64_t k);
Ex low_thread(Low *l);                  /* tid - base */
Ex low_lane(Low *l);                    /* low_thread % warp */
Ex low_warp(Low *l);                    /* low_thread // warp */
bool low_uniform(const Low *l, Ex e);   /* the same in all threads of the block: no tid, no register */
/* Index of dimension d at slot digits, lane and warp of this thread: the sum
 * over the digits of map; reg[k] is the value of the k-th REG digit (in the
 * order of Layout.d), as an expression. */
Ex low_index(Low *l, const Layout *map, int d, const Ex *reg);
/* expand.c: what Ocopy s does as a nest. */
Stmt *low_copy_nest(Low *l, const Stmt *s);
/* TMA or wgmma touch the buffer: it, and what it is a view of, stand where those can (shared.c). */
void low_async(Low *l, uint32_t buf);
/* Alignment in bytes of a shared buffer with this map (shared.c). */
int64_t low_align(Low *l, uint32_t buf, const Layout *map);
/* Bytes of shared memory that the launch will need when each buffer stands in
 * memory slots[Buf] times, by the lifetimes of the program as it is (place.c). */
int64_t low_estimate(Low *l, const int *slots);
/* epilogue_plan.c.  Bytes of shared memory that the boxes of this launch's results
 * want at the least; 0: there are none. */
int64_t epilogue_wish(Low *l);
/* Allocates their buffers, in at most `room` bytes, and says in notes why not; what is
 * left of these. */
int64_t epilogue_plan(Low *l, int64_t room);
/* Takes stages from pipelined loops until their slots fit into the machine's
 * shared memory; low_pipeline begins with it (stages.c). */
void low_stages(Low *l);
/* Condition that this thread holds the first copy (broadcast digits of LANE and
 * WARP are 0, and its warp is one of the layout's), or 0 if it always does. */
Ex low_first(Low *l, const Layout *map);
/* A note about s: en and zh are in errs_lower.h. */
#define low_note(l, err, s, ...) diag(&(l)->p->ctx, err, (s)->loc, __VA_ARGS__, (const char *)NULL)

#endif
