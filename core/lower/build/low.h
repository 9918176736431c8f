/* core/lower/build/low.h: what the passes work on and build with.
 *
 * A pass rewrites the statements of one launch or attaches a plan for a later pass.  All of
 * them report into p->ctx: errors unwind, and whatever better way was not taken leaves a note
 * (level note) with the condition that failed. */
#ifndef MOONTILE_LOW_H
#define MOONTILE_LOW_H

#include "core/ir/handover.h"

/* What the passes found that a launch needs, for the next time it is lowered (retry.c). */
typedef struct Needs Needs;
struct Needs {
    int64_t over;            /* bytes that the machine lacks; 0: none */
    int64_t planned;         /* bytes that pipelines and boxes reckoned with */
    int64_t side;            /* bytes of buffers of roles, side by side; 0: there are no roles */
    int64_t cut;             /* bytes of the largest copy that could be made in more rounds */
    bool never;              /* without any copy it is too much: nothing helps */
    int stages;              /* of the deepest pipeline, 0: there is none */
    bool boxes;              /* there are boxes of results */
    bool after;              /* .. some in bytes that other buffers have before them */
    bool copies;             /* there are copies that tight would make elsewhere */
    bool waves;              /* each block loops over tiles */
    int64_t spare;           /* loops have more stages than were asked for: bytes with which as many blocks
                              * fit side by side as without them; 0: none has */
    bool padded;             /* rows of tiles are longer than what stands in them */
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
    Turn making;             /* of what is built now */
    int64_t *env; uint32_t capenv;
    int64_t *zeros; uint32_t capzeros;
    uint32_t *mark, capmark, marks;
    struct LowUses *used;    /* see used.c */
    Ex *said; uint32_t capsaid; /* of e: what users wrote for it, with their threads' names; or 0 */
    bool fence_global;       /* fences of the async proxy cover global memory too (sync/proxy.c) */
    Retry retry;
    Needs needs;
};
BufLow *low_buf(Low *l, uint32_t buf); /* grows the table */
/* Dimensions of buf in front of its tile's own: 1 where a pipeline gave it stages. */
int low_stage_dims(Low *l, uint32_t buf);

/* The passes, in order, and where they are --------------------------------- */
void low_flatten(Low *l);   /* flatten/: one thread variable; block-uniform stores, atomics, prints
                             * outside parallel loops become loops of one iteration; no aliases */
void low_select(Low *l);    /* select.c: GemmPlan of each gemm, CopyPlan of each copy */
void low_pipeline(Low *l);  /* pipe/: pipelined loops: stages, cp.async groups, or (roles.c)
                             * producers and consumers with barrier pairs */
void low_tile_ops(Low *l);  /* parallel/tile_ops.c: fills, loop copies, transposes, tile atomics,
                             * and gemms without an instruction, as parallel loops */
void low_layouts(Low *l);   /* solve/: layout of every fragment and parallel loop; conversions */
void low_shared(Low *l);    /* shared/: layout of every shared buffer */
void low_epilogue(Low *l);  /* copy/epilogue.c: results of matrix instructions leave by stmatrix, TMA */
void low_tma(Low *l);       /* copy/tma.c: CPtma and CPbulk copies -> tma_load, tma_store, bulk_* */
void low_split_acc(Low *l); /* mma/split_acc.c: sums that lanes exchange once, behind a loop */
void low_partition(Low *l); /* partition.c: masks only where something is masked */
void low_zero_init(Low *l); /* zero_init.c: products overwrite instead of adding to zeros */
void low_overlap(Low *l);   /* mma/overlap.c: products run under what does not need them */
void low_gemm(Low *l);      /* mma/: operand fetches and matrix instructions */
void low_reduce(Low *l);    /* reduce.c: reductions; scan.c: scans */
Stmt *low_scan(Low *l, Stmt *s); /* ... one of them: what stands in its place */
void low_parallel(Low *l);  /* parallel/: these loops as unrolled, vectorized, guarded statements */
void low_mbarriers(Low *l); /* pipe/mbarriers.c: barrier pairs as mbarriers; all are initialised */
void low_simplify(Low *l);  /* simplify.c: constant conditions, empty statements, lets of common parts */
void low_unused(Low *l);    /* unused.c: buffers that nothing touches any more */
void low_alloc_shared(Low *l); /* shared/alloc.c: lifetimes and byte offsets */
void low_sync(Low *l);      /* sync/: barriers and fences from the effect table */
void low_fences(Low *l);    /* sync/proxy.c: fences of global memory that bulk copies come to, too */
void low_ranges(Low *l);    /* ranges.c: roles that are no whole warps as conditions */
void low_unroll(Low *l);    /* unroll.c: loops that would be too much text stay loops */
void low_iterations(Low *l); /* iterations.c: behind all of them: which iteration does what */
void low_audit(Low *l);     /* audit/: are the barriers enough?  What lacks is put in */
/* audit/mbarriers.c: mbarriers played through; false: a bug of ours (E9xx) */
bool low_check_mbarriers(Low *l);

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
uint32_t low_local(Low *l, enum Dtype dt, const char *name, int64_t regs);
/* b, of a pass, holds elements of `buf` for a while, which may never have got a value: messages
 * name that. */
void low_holds(Low *l, uint32_t b, uint32_t buf);
/* These two stand at the launch's beginning.  The first is scratch: what is read of it
 * was written before in the same execution of the block that holds all its uses, so that
 * nothing is in it from one iteration of a loop to the next. */
uint32_t low_sharedbuf(Low *l, enum Dtype dt, const char *name, const Ex *shape, int ndim);
uint32_t low_barrierbuf(Low *l, const char *name, int64_t n);
/* The first of n named barriers side by side that nobody uses, from 1 on: given
 * out; 0: there are none. */
enum { NamedBarriers = 16 };
int low_named(Low *l, int n);
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
/* Replaces the expressions that s itself holds, each as a whole, in the order in which they are evaluated. */
void low_wholes(Low *l, Stmt *s, LowExFn *f, void *ud);
/* Deep; what is declared inside stays shared, values of lets with it: give the
 * copy its own by low_renew before changing it. */
Stmt *low_clone(Low *l, const Stmt *s);
Stmt *low_renew(Low *l, Stmt *s);       /* new variables and buffers for those declared inside */
/* Accesses; constants below 0 do not count from the end.  Statements are returned,
 * at the builder's position, not put anywhere. */
Ex low_load(Low *l, uint32_t buf, const Ex *idx);
Stmt *low_store(Low *l, uint32_t buf, const Ex *idx, Ex value); /* value is cast */
Stmt *low_atomic(Low *l, int kind, uint32_t buf, const Ex *idx, Ex value);
ParLoopPlan *low_loop_plan(Low *l, const Layout *loop); /* vectors of one */
void low_serial(Stmt *loop); /* a pipelined loop runs as it stands */
/* cond 0 or constant: one side; either may be NULL. */
Stmt *low_if(Low *l, Ex cond, Stmt *then, Stmt *els);
Stmt *low_alloc(Low *l, uint32_t buf, Loc loc);
Stmt *low_fence_async(Low *l, Loc loc);
Stmt *low_op(Low *l, enum Op op, Loc loc);   /* an Sop without regions */
/* At body's place; cond known to hold: body itself; not to hold: NULL. */
Stmt *low_guard(Low *l, Ex cond, Stmt *body);
Ex low_rebuild(Low *l, Ex e, const Ex *arg); /* e with other operands */
/* Expressions of int32. */
Ex low_i(Low *l, int64_t v);
Ex low_add(Low *l, Ex a, Ex b);
Ex low_mul(Low *l, Ex a, int64_t k);
Ex low_div(Low *l, Ex a, int64_t k);
Ex low_mod(Low *l, Ex a, int64_t k);
Ex low_thread(Low *l);                  /* tid - base */
Ex low_lane(Low *l);                    /* low_thread % warp */
/* A shuffle within groups of `width` lanes by all lanes of the warp. */
Ex low_shuffle(Low *l, enum Intr fn, Ex value, Ex lane, int width);
Ex low_warp(Low *l);                    /* low_thread // warp */
bool low_uniform(const Low *l, Ex e);   /* the same in all threads of the block: no tid, no register */
/* Index of dimension d at register modes, lane and warp of this thread: the sum
 * over the modes of map; reg[k] is the value of the k-th REG mode (in the
 * order of Layout.d), as an expression. */
Ex low_index(Low *l, const Layout *map, int d, const Ex *reg);
/* TMA or wgmma touch the buffer: it, and what it is a view of, stand where those can. */
void low_async(Low *l, uint32_t buf);
/* Condition that this thread holds the first copy (broadcast modes of LANE and
 * WARP are 0, and its warp is one of the layout's), or 0 if it always does. */
Ex low_first(Low *l, const Layout *map);
/* Text of an expression for a message, as users wrote it where that is known; e stands for what
 * they wrote as `was`, unless they wrote e, too. */
const char *low_text(Low *l, Ex e);
void low_say(Low *l, Ex e, Ex was);
/* A note about s: en and zh are in errs/lower.h. */
#define low_note(l, err, s, ...) diag(&(l)->p->ctx, err, (s)->loc, __VA_ARGS__, (const char *)NULL)

#endif
