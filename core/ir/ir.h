/* core/ir/ir.h: the tile program.
 *
 * A Prog is one traced kernel function: parameters, buffers, variables,
 * hash-consed expressions and a tree of statements.  Everything is made
 * through the functions below, which check what they are given and report
 * into p->ctx; nothing else builds nodes, so the tracer, the IR reader and
 * the passes obey the same rules.  All memory is the Prog's and goes with it.
 *
 * Functions that make expressions or statements unwind (ctx_unwind) after
 * reporting an error; call them under ctx_try. */
#ifndef MOONTILE_IR_H
#define MOONTILE_IR_H

#include "core/layout/layout.h"

enum Xop {
    Xnone,
#define XOP(id, text, arity, kind) X##id,
#include "ops.h"
    NXop
};
enum Intr {
    Inone,
#define INTR(id, text, arity, type, level) I##id,
#include "ops.h"
    NIntr
};
enum Op {
    Onone,
#define OP(id, text, regions, values, attrs, level, done, proxy) O##id,
#include "ops.h"
    NOp
};
enum Red {
    Rnone,
#define RED(id, text, update, op, start, enters, types) R##id,
#include "ops.h"
    NRed
};
enum Scope {
    SCnone,
#define SCOPE(id, text) SC##id,
#include "ops.h"
    NScope
};
enum ForKind {
    Fnone,
#define FOR(id, text) F##id,
#include "ops.h"
    NFor
};

typedef struct XopInfo { const char *text; int8_t arity; char kind; } XopInfo;
typedef struct IntrInfo { const char *text; int8_t arity; char type, level; } IntrInfo;
typedef struct OpInfo {
    const char *text, *regions, *attrs;
    uint8_t nregion, nvalue;
    char level, done, proxy; /* see ops.h */
} OpInfo;
typedef struct RedInfo {
    const char *text, *update;
    enum Xop op;
    char start, enters, types; /* see ops.h */
} RedInfo;
extern const XopInfo xopinfo[NXop];
extern const IntrInfo intrinfo[NIntr];
/* The argument that says which lanes of a warp execute it together; -1: it has none. */
int intr_mask(uint32_t fn);
/* The lane that `lane` of a warp takes from by shuffle fn; groups of `width` lanes, as PTX says: of the
 * number that is given, only the bits count that a lane has. */
int intr_shuffle_source(uint32_t fn, int lane, int64_t given, int width, int warp);
extern const OpInfo opinfo[NOp];
extern const RedInfo redinfo[NRed];
extern const char *const scopename[NScope], *const forname[NFor];

enum {
    MaxDim = 8,      /* of a buffer */
    MaxLoop = 8,     /* variables of one loop nest */
    MaxRegion = 3,   /* of a tile operation */
    MaxAttr = 10,
    MaxLaunchDim = 3,
    MaxResident = 32, MaxRegs = 256, /* blocks on a multiprocessor, registers of a thread */
    MaxOpen = 4096   /* parallel loops that the checks left open, of a program */
};

typedef struct Prog Prog;
typedef struct Expr Expr;
typedef struct Var Var;
typedef struct Buf Buf;
typedef struct Region Region;
typedef struct Stmt Stmt;

/* Expressions ---------------------------------------------------------- */

typedef uint32_t Ex; /* index into p->ex; 0 is no expression.  Equal trees
                      * have equal handles: compare with ==. */
struct Expr {
    uint8_t op; /* enum Xop */
    uint8_t dt; /* enum Dtype of the value */
    uint16_t n; /* arguments */
    uint32_t sym; /* Xvar: Var; Xload: Buf; Xcall: enum Intr */
    union {
        int64_t i; /* Xint */
        double f;  /* Xfloat */
        const Ex *arg;
    };
    uint32_t chain; /* of the hash table */
    uint32_t size;  /* nodes of the tree, shared ones counted each time */
    uint32_t depth; /* levels of it */
    uint32_t terms; /* what it adds up, constants left out: expr_sum.c */
};

enum VarKind { Vloop, Vblock, Vthread, Vlet, Vscalar, Vdim, NVarKind };

/* A name for one value.  lo..hi is the inclusive range that is known of an
 * integer variable (INT64_MIN, INT64_MAX when nothing is). */
struct Var {
    const char *name;
    uint8_t kind, dt, axis; /* axis: of Vblock and Vthread, 0 x 1 y 2 z */
    int64_t lo, hi;
    Ex value; /* Vlet: what it stands for */
    bool once; /* ... thread programs: a load of what others may write, of which one value counts */
    Loc loc;
};

/* Buffers -------------------------------------------------------------- */

struct Buf {
    const char *name;
    uint8_t scope, dt, ndim;
    bool param;          /* of the kernel, in p->param */
    bool out;            /* allocated by the call and returned */
    bool stage;          /* shared, of a pass: a fragment's elements while they are there.  What
                          * never got a value may be moved on, as from registers */
    bool aside;          /* text that was not traced speaks of it: other sizes may use it */
    Ex shape[MaxDim];    /* int32; constant except for global buffers */
    Ex stride[MaxDim];   /* in elements; 0 means row-major and compact */
    uint32_t base;       /* T.view/T.reshape: the Buf whose storage this is; else 0 */
    Ex safe;             /* value of out-of-bounds reads in every launch; 0 means zero */
    const char *of;      /* of a pass: the buffer whose elements are here for a while, for messages; or
                          * NULL */
    const char *layout;  /* T.annotate_layout: layout_print's text (or a name's), or NULL */
    const struct Remap *remap; /* ... of a tensor in global memory, while it is made: remap.h; or NULL */
    const Layout *map;   /* thread programs.  shared: index -> element offset; local: what
                          * a fragment's registers hold (its logical shape, lanes, warps) */
    int64_t at;          /* thread programs, shared and barrier: byte offset in the block's
                          * shared memory; -1: not placed */
    const char *cause;   /* thread programs: what fixed map: "annotate_layout" "gemm" "reduce" "copy" "loop"
                          * "size" (of the buffer alone); NULL: nothing */
    Loc fixed;           /* the statement that it was */
    Loc loc;
};

/* A box of a buffer: [min, min + extent) in each dimension. */
struct Region {
    uint32_t buf; /* 0: none */
    Ex min[MaxDim], extent[MaxDim];
};

/* Statements ----------------------------------------------------------- */

enum StmtKind {
    Sxxx,
    Slaunch, /* a grid of blocks */
    Salloc,  /* buf comes into being, contents undefined */
    Slet,    /* var = value */
    Sstore,  /* buf[idx] = value */
    Sfor, Swhile, Sif,
    Sbreak, Scontinue,
    Sop,     /* a tile operation */
    Satomic, /* atomic on one element, with or without the previous value */
    Scall,   /* an intrinsic of type V */
    Sprint,  /* one scalar and/or a message */
    Sassert, /* device_assert */
    Sassume,
    Srole,   /* the threads [lo, hi) of the block, whole warps, run the body; a role inside
              * of a role is a part of it */
    NStmt
};

/* What a pass of lowering decided about a statement for a later one; NULL before: see handover.h.
 * Pipe: within one pass, core/lower/pipe/pipeline.h. */
struct GemmPlan;
struct CopyPlan;
struct ParLoopPlan;
struct LaunchPlan;
struct Pipe;

/* What reads beyond a buffer give: a constant. */
typedef struct Safe Safe;
struct Safe { uint32_t buf; Ex value; };

/* While it is lowered: the statement is of these iterations of the parallel loop of number `loop`
 * (0: of none), row by row counted: first, or from first to last.  See lower/iterations.c. */
typedef struct Turn Turn;
struct Turn { uint32_t loop; Ex first, last; };

struct Stmt {
    uint8_t kind;
    bool own;   /* tile programs.  While it is made: what it is given speaks of the thread, as it was
                 * written.  Of a whole one: an atomic is meant for each thread, a private variable
                 * may get a value of each one's own, whatever the expressions have become */
    Loc loc;
    Turn turn;
    Stmt *next; /* in its block */
    union {
        struct {
            uint8_t n, nthread;
            uint32_t block[MaxLaunchDim], thread[MaxLaunchDim]; /* Var */
            Ex grid[MaxLaunchDim];
            int32_t threads[MaxLaunchDim];
            int32_t panel; uint8_t order; /* use_swizzle: panel 0 off; order 0 row 1 column 2 mlx */
            uint8_t fixed;                 /* its blocks do not become loops over tiles */
            uint8_t cluster[MaxLaunchDim]; /* blocks of a cluster; 0 or 1: none */
            uint8_t blocks;                /* that should fit on one multiprocessor; 0: not said */
            uint8_t keep_regs;             /* threads have as many registers in all roles */
            uint8_t own_syncs;             /* accesses at places that are known only when it runs have the
                                            * order that the program gives them, no other */
            uint8_t own_stages;            /* its pipelines have no more stages than they ask for */
            uint16_t regs[2];              /* of a thread of the producer, of a consumer; 0: not said */
            int64_t shared;                /* thread programs: bytes of shared memory */
            const Safe *safe; uint32_t nsafe; /* of parameters, in this launch only */
            struct LaunchPlan *plan;       /* between two passes, see Prog.between */
            Stmt *body;
        } launch;
        struct { uint32_t buf; Ex init; } alloc; /* init: alloc_var only, or 0 */
        struct { uint32_t var; } let;            /* value in Var.value */
        struct {
            uint32_t buf; Ex value; Ex idx[MaxDim];
            bool strict; /* while it is lowered: iterations that only pad a loop must not do it */
        } store;
        struct {
            uint8_t kind, n;            /* enum ForKind */
            uint32_t var[MaxLoop];
            Ex lo[MaxLoop], hi[MaxLoop]; /* half-open */
            Ex step;                    /* serial and unroll; never 0 */
            int32_t num_stages, unroll; /* unroll: factor, -1 explicit */
            bool spare; /* while it is lowered: nobody has asked for the last of its stages */
            bool apart; /* thread programs: its rounds are iterations of T.Parallel */
            bool open;  /* T.Parallel: check/ could not say that its iterations keep apart; not
                         * in the text */
            const int32_t *order, *stage; uint32_t norder, nstage;
            struct ParLoopPlan *plan; /* of a parallel one */
            struct Pipe *pipe;        /* of a pipelined one */
            Stmt *body;
        } loop;
        struct { Ex cond; Stmt *body; } whil;
        struct {
            Ex cond; Stmt *then, *els;
            bool look; /* put in by peek.c: reads what the program computes, and nothing reads it */
        } cond;
        struct {
            uint8_t op; /* enum Op */
            Region r[MaxRegion];
            Ex value;
            int32_t attr[MaxAttr];
            const char *text; /* Oprint: message, or NULL */
            struct GemmPlan *gemm; /* of a gemm */
            struct CopyPlan *copy; /* of a copy, of whichever way */
            struct ParLoopPlan *reduce; /* of a reduction */
        } op;
        struct {
            uint8_t kind;          /* enum Red, or the two below */
            uint8_t lanes;         /* 1, 2, 4: atomic_addx2, x4 (last index) */
            uint8_t order;         /* enum MemOrder */
            uint32_t buf, prev;    /* prev: Var that takes the old value, or 0 */
            Ex idx[MaxDim];
            Ex value[4];           /* one a lane; none for a load */
        } atomic;
        struct { uint8_t fn; Ex arg[4]; } call;
        struct { Ex value; const char *text; } print;
        struct {
            Ex cond; const char *text;
            bool begins; /* while it is lowered, Sassume: the parallel loop turn.loop begins here,
                          * whose dimension turn.first has turn.last iterations */
        } check;         /* Sassert, Sassume */
        struct {
            int32_t lo, hi; const char *name; Stmt *body; /* name or NULL */
            bool apart; /* while it is lowered: not beside the roles in front of it, but behind */
        } role;
    };
};

/* Prog.audit.part: all was looked at; the wait of one trial was in vain; what decides who
 * waits is known only when it runs; there was too much. */
enum { APwhole, APwait, APvalue, APlimit };
enum GemmAttr { GEtransA, GEtransB, GEpolicy, GEclear, GEkpack, GEasync }; /* ORDER of ops.h */
enum { ATload = NRed, ATstore }; /* Stmt.atomic.kind beside enum Red */
enum MemOrder { MOrelaxed, MOconsume, MOacquire, MOrelease, MOacq_rel, MOseq_cst };

/* The program ---------------------------------------------------------- */

typedef struct Param Param;
struct Param {        /* in the order of the user's parameter list */
    bool scalar;
    uint32_t id;      /* Buf, or Var of kind Vscalar */
};

/* A line of a printed text, by the byte it begins at, and whose statement it is of. */
typedef struct Origin Origin;
struct Origin { size_t at; Loc loc; };

/* A name that the user's own C is called by, and where. */
typedef struct Called { const char *name; Loc loc; bool pure; } Called;

struct Prog {
    Ctx ctx;
    const char *name;
    const char *machine;                  /* of a thread program: Machine.name; else NULL */
    struct { const char *machine, *after; } between; /* lowering to that machine stopped behind this
                                           * pass, with all that it left (handover.h); else NULL */
    Expr *ex; uint32_t nex, capex;
    uint32_t *hash, nhash;
    struct ExMarks *marks;                /* see walk.h */
    Var *var; uint32_t nvar, capvar;
    Buf *buf; uint32_t nbuf, capbuf;
    Param *param; uint32_t nparam, capparam;
    uint32_t *out; uint32_t nout, capout; /* Bufs that the call returns, in order */
    Called *called; uint32_t ncalled, capcalled; /* calls of the user's own C, see own.c */
    Stmt *body;
    uint32_t nopen;                       /* thread programs: parallel loops that have `turn`s */
    struct { uint8_t part; int64_t work; } audit; /* thread programs, see lower/audit/audit.h: AP*: was
                                           * all looked at; how much was */
    Loc loc;                              /* where the function stands */
    uint16_t textfile; /* ctx.file of the IR text it was read from; 0: traced.
                        * Positions in it stand for "none" when printed. */
    Origin *origin; uint32_t norigin, caporigin; /* of the newest source printed of it */
    /* building */
    Stmt ***tail; uint32_t ntail, captail; /* stack of open blocks */
    Stmt **frame; uint32_t nframe, capframe; /* open launch/for/while/if */
    Loc here;                             /* position given to new nodes */
    bool own;                             /* Stmt.own of the next one */
};

/* ir.c: life ----------------------------------------------------------- */

Prog *prog_new(const Mem *mem, const char *name); /* NULL on lack of memory */
void prog_free(Prog *p);
Prog *prog_copy(const Prog *p); /* through its text; NULL: no memory */

/* expr.c: expressions.  Integer add, sub, mul by constants, // and % are kept
 * in a canonical form: a sum of coefficient * atom plus a constant, atoms in
 * order of their handles; (c*k*x + r) // c and % c split by known ranges. */
static inline const Expr *ex_at(const Prog *p, Ex e);
Ex x_int(Prog *p, enum Dtype dt, int64_t v);    /* wraps to dt */
Ex x_float(Prog *p, enum Dtype dt, double v);   /* rounded to dt */
Ex x_var(Prog *p, uint32_t var);
/* Promotes operands as TileLang does: literals take the other's type, then
 * float over int, then the wider.  Reports type errors (E_int_div, ...). */
Ex x_bin(Prog *p, enum Xop op, Ex a, Ex b);
/* Gives a and b the type that op has for values of their types, also where one is a
 * constant: to be called first where neither is a number that takes the other's type, so
 * that what folds to a constant leaves no other type than what does not. */
void x_typed(Prog *p, enum Xop op, Ex *a, Ex *b);
/* The same for arguments of a function of floats; bit i of typed: arg[i] has a type of its own. */
void x_typed_call(Prog *p, enum Intr fn, Ex *arg, unsigned typed, int n);
Ex x_un(Prog *p, enum Xop op, Ex a);            /* not, bnot */
Ex x_neg(Prog *p, Ex a);
Ex x_select(Prog *p, Ex c, Ex a, Ex b);
Ex x_cast(Prog *p, enum Dtype dt, Ex a);
Ex x_bits(Prog *p, enum Dtype dt, Ex a);
Ex x_load(Prog *p, uint32_t buf, const Ex *idx, int n);
/* Is idx below 0 whatever its variables are?  An index of blocks is not: a halo of a grid
 * with one block is no other than that of a larger grid. */
bool x_negative(const Prog *p, Ex idx);
/* The index of dimension d that the user means by idx: what is below 0 counts from
 * the end. */
Ex x_from_end(Prog *p, uint32_t buf, int d, Ex idx);
/* Checks rank and types of an index; n entries of out. */
void x_index(Prog *p, uint32_t buf, const Ex *idx, int n, Ex *out);
Ex x_call(Prog *p, enum Intr fn, const Ex *arg, int n);
/* own.c: a value of type dt of a function of the user's own C, Icall_extern or Icall_pure_extern.  Calls of
 * the former are all different, however equal name and arguments are. */
Ex x_extern(Prog *p, enum Intr fn, enum Dtype dt, const char *name, const Ex *arg, int n);
/* The function that x calls; NULL: none. */
const char *x_extern_name(const Prog *p, const Expr *x);
static inline bool intr_own(uint32_t fn) { return fn == Icall_pure_extern || fn == Icall_extern; }
/* May it be another value each time that it is computed? */
static inline bool intr_fleeting(uint32_t fn) { return intrinfo[fn].level != 'M'; }
enum { MaxExtern = 31 }; /* arguments of a call of it */
/* Rebuilds e with each variable v replaced by map[v] where that is not 0. */
Ex x_subst(Prog *p, Ex e, const Ex *map, uint32_t nmap);
bool x_isint(const Prog *p, Ex e, int64_t *v);  /* constant? */
/* A mask of lanes that means all of a warp, whatever its width: 0, or 32 ones written down, which
 * is what users leave out.  One that is computed names the lanes that it names. */
bool x_all_lanes(const Prog *p, Ex e);
/* Range of an integer expression from the ranges of its variables; false if
 * nothing is known. */
bool x_range(const Prog *p, Ex e, int64_t *lo, int64_t *hi);
/* ... or, of integers that are not known, all that the type has; max(e, 0) is never negative. */
void x_extremes(const Prog *p, Ex e, int64_t *lo, int64_t *hi);
/* Of l op r, each from [0] to [1], in whole numbers; false: not known, or beyond int64. */
bool x_range_of(enum Xop op, const int64_t l[2], const int64_t r[2], int64_t *lo, int64_t *hi);
/* Is e's value that of its operations on whole numbers, none of which wraps?  Proved from
 * ranges; of int32 and int64 taken for granted where the extent of an index is not known,
 * never where values from memory or the call go in. */
bool x_whole(const Prog *p, Ex e);
/* What x_linear() finds: the sum of coef[i] * atom[i], and c; atoms in order of their
 * handles, no coefficient 0. */
typedef struct ExSum ExSum;
struct ExSum {
    int n;
    int64_t c;
    const Ex *atom;
    const int64_t *coef;
};
/* Integer e as a sum, of all of its terms.  It is found once and stays as long as p does. */
ExSum x_linear(const Prog *p, Ex e);
bool x_multiple(const Prog *p, Ex e, int64_t k); /* certainly one of k */
bool x_uses(const Prog *p, Ex e, uint32_t var);
bool x_pure(const Prog *p, Ex e);  /* neither loads nor thread intrinsics */
/* Evaluates e with values env[var] (integers); loads fail, and floats that are more than casts,
 * sums or products. */
bool x_eval(const Prog *p, Ex e, const int64_t *env, int64_t *v);
enum Dtype x_promote(enum Dtype a, enum Dtype b); /* DTnone if they do not mix */

/* ir.c: building ------------------------------------------------------- */

uint32_t p_var(Prog *p, enum VarKind k, enum Dtype dt, const char *name,
               int64_t lo, int64_t hi);
uint32_t p_buf(Prog *p, enum Scope sc, enum Dtype dt, const char *name,
               const Ex *shape, const Ex *stride, int ndim);
uint32_t p_view(Prog *p, uint32_t buf, enum Dtype dt, const Ex *shape, int ndim);
void p_param(Prog *p, bool scalar, uint32_t id);
void p_out(Prog *p, uint32_t buf);
void p_name(Prog *p, uint32_t buf, const char *name); /* T.alloc names its buffer later */
void p_name_thread(Prog *p, uint32_t var, const char *name); /* users' first one of tx, ty, tz */

/* Statements go to the innermost open block. */
Stmt *s_launch(Prog *p, const Ex *grid, int n, const int32_t *threads, int nthread,
               const char *const *names);
Stmt *s_for(Prog *p, enum ForKind k, const Ex *lo, const Ex *hi, int n, Ex step,
            const char *const *names);
/* The range that the builder gives the variable that s declares, a let; the i-th, a loop or a launch
 * (of blocks). */
void stmt_range(const Prog *p, const Stmt *s, int i, int64_t *lo, int64_t *hi);
/* Does variable i of loop s stay in its type, the step behind the last round included? */
bool loop_stays(const Prog *p, const Stmt *s, int i);
Stmt *s_while(Prog *p, Ex cond);
Stmt *s_if(Prog *p, Ex cond);
void s_else(Prog *p);   /* of the innermost frame, an if */
void s_safe(Prog *p, Stmt *launch, uint32_t buf, Ex e);
Stmt *s_role(Prog *p, int32_t lo, int32_t hi, const char *name);
void s_close(Prog *p);  /* the innermost frame */
/* Takes what the open block got since s_here out of it again; s_paste puts it into the block that
 * is open then. */
Stmt **s_here(Prog *p);
Stmt *s_cut(Prog *p, Stmt **since);
void s_paste(Prog *p, Stmt *list);
Stmt *s_alloc(Prog *p, uint32_t buf, Ex init);
uint32_t s_let(Prog *p, const char *name, Ex value); /* -> Var */
void s_store(Prog *p, uint32_t buf, const Ex *idx, int n, Ex value);
void s_break(Prog *p);
void s_continue(Prog *p);
void s_call(Prog *p, enum Intr fn, const Ex *arg, int n);
void s_print(Prog *p, Ex value, const char *text);
void s_check(Prog *p, enum StmtKind k, Ex cond, const char *text);
/* Is this kind of reduction, or AT* of loads and stores, one that an atomic does?  Sums and maxima
 * of magnitudes are not; the other refuses kind in the words of E067. */
bool kind_updates(int kind);
void kind_fail(Prog *p, const char *what, int kind);
/* prev: name of the variable for the old value, or NULL; returns that Var. */
uint32_t s_atomic(Prog *p, int kind, uint32_t buf, const Ex *idx, int n,
                  const Ex *value, int lanes, enum MemOrder o, const char *prev);
/* Checks the operation's shapes, scopes and types (tile.c). */
Stmt *s_op(Prog *p, enum Op op, const Region *r, Ex value, const int32_t *attr,
           const char *text);
/* tile_thread.c: what users call an operation: "T.mbarrier_wait_parity". */
const char *op_name(Prog *p, enum Op op);
/* ... and what they call this one: "T.reduce_sum", "T.cumsum". */
const char *op_said(Prog *p, const Stmt *s);
/* tile.c: whole buffer as a region; extents of a copy inferred as TileLang
 * does (from the whole side, aligned from the last dimension). */
Region r_whole(Prog *p, uint32_t buf);
/* T.copy's rule: a side given as an origin (isorigin) takes its extents from
 * the other; equal after dropping ones, else E_copy_extent. */
void r_infer(Prog *p, Region *a, bool aorigin, Region *b, bool borigin);
/* Of a region that is given as an origin: what negative indices are. */
void r_from_end(Prog *p, Region *r);

/* The passes over a whole program, in the order they run; see compile.c --- */

bool prog_check(Prog *p); /* check*.c: all source-level checks; false if errors */
bool prog_verify(Prog *p, const char *after); /* verify.c: IR invariants */

/* print.c, parse.c: text that reads back to the same IR ------------------- */
void prog_print(const Prog *p, Str *out);
/* chunk names the text as Lua names chunks: "@path", "=name", or the text itself, which
 * messages shorten; path is a file's, which they show whole. */
Prog *prog_parse(const Mem *mem, const char *text, size_t n, const char *chunk);
Prog *prog_parse_file(const Mem *mem, const char *text, size_t n, const char *path);
/* -> always a Prog unless out of memory (NULL); look at ctx.nerror */
void ex_print(const Prog *p, Ex e, Str *out);

/* origin.c: for printers: a line at byte `at` of the text begins, of a statement at l;
 * what was noted from number `from` on stands `by` bytes further on. */
void origin_add(Prog *p, size_t at, Loc l);
void origin_shift(Prog *p, uint32_t from, int64_t by);

/* helpers ---------------------------------------------------------------- */
static inline const Expr *ex_at(const Prog *p, Ex e) { return &p->ex[e]; }
static inline enum Dtype ex_type(const Prog *p, Ex e) { return p->ex[e].dt; }
uint32_t buf_root(const Prog *p, uint32_t buf); /* follows base */
/* A tensor that is made for the launch, with undefined contents: an output or a workspace. */
static inline bool buf_fresh(const Buf *b)
{
    return b->scope == SCglobal && !b->base && (b->out || !b->param);
}
/* What reads beyond buf give in a launch; 0: zero.  A view of the same type has what it is a view
 * of has. */
Ex buf_safe(const Prog *p, const Stmt *launch, uint32_t buf);
/* Calls f for every statement, outer before inner; stops when f is false. */
bool stmt_walk(Stmt *s, bool (*f)(Stmt *, void *), void *ud);
/* Does the program bring C of its own (import_source, call_extern)?  That goes to compilers as it is:
 * no text of a stranger's may. */
bool prog_extern(const Prog *p);
/* Reports a call of it whose value is in no statement, and which would not be made; unwinds. */
void prog_extern_used(Prog *p);
/* Does e call it, for more than its value? */
bool x_extern_does(const Prog *p, Ex e);
/* Bytes of a buffer's storage, or -1 when not constant or beyond 2^40. */
int64_t buf_bytes(const Prog *p, uint32_t buf);

#endif
