/* targets/cpu/emit.h: what the files of the C generator share.
 *
 * The generator prints one C file for a tile program.  Its head (ABI structs,
 * helper functions) depends on what the body used, so the body is printed
 * first, into Gen.body, and every use of a helper is noted with use(). */
#ifndef MOONTILE_CPU_EMIT_H
#define MOONTILE_CPU_EMIT_H

#include "../../core/ir.h"
#include "../../core/walk.h"

/* How a buffer is held in the printed program. */
enum PlaceKind {
    PKnone,
    PKpointer, /* global: a pointer to the tensor's element 0 */
    PKscratch, /* a pointer into the thread's scratch memory */
    PKarray,   /* small tile: a C array */
    PKscalar,  /* alloc_var */
    PKview     /* another name of a buffer's bytes */
};

typedef struct Place Place;
struct Place {
    const char *name;  /* in C */
    uint8_t kind;      /* enum PlaceKind */
    uint8_t held;      /* enum Dtype of an element in memory: float16 tiles that
                        * nothing aliases are held as float32, rounded on store */
    bool alias;        /* another type looks at the same bytes */
    bool written;
    bool live;         /* used in the launch being printed */
    int64_t offset;    /* PKscratch: bytes from the scratch's start */
    int64_t count;     /* elements, on-chip buffers */
    int32_t arg;       /* PKpointer: index into MtArg */
};

/* What is known of a loop or block variable. */
typedef struct LoopVar LoopVar;
struct LoopVar {
    Ex lo, hi, step;   /* hi exclusive; step 0 is 1 */
    uint16_t nest;     /* number of the nest being analysed that it belongs to */
};

/* lo <= index or index < extent, found true by a test before the nest. */
typedef struct Proof Proof;
struct Proof { Ex index, extent; bool upper; };

/* A variable's range before a condition narrowed it. */
typedef struct Narrowed Narrowed;
struct Narrowed { uint32_t var, nproof; int64_t lo, hi; };

typedef struct Gen Gen;
struct Gen {
    Prog *p;
    Ctx *c;
    Str body, statics;   /* the launch's function; what stands before it */
    Str *out;            /* one of the two: where text goes */
    int indent;
    uint8_t *used;       /* by helper: noted with use() */
    Place *place;        /* by Buf */
    const char **name;   /* by Var: in C, NULL while undeclared */
    LoopVar *loop;       /* by Var: of loops and blocks */
    uint32_t nvar;       /* capacity of name and loop */
    const char **active; /* names in scope, to keep them distinct */
    uint32_t nactive, capactive;
    Proof *proof;
    uint32_t nproof, capproof;
    Narrowed *narrowed;
    uint32_t nnarrowed, capnarrowed;
    bool bare;           /* index arithmetic without (long) and L: cannot overflow */
    uint16_t nest;       /* number of the current nest, 0 outside */
    bool innest;
    /* shared subexpressions of one statement */
    uint16_t *uses;      /* by Ex: parents counted */
    const char **temp;   /* by Ex: name of its temporary, or NULL */
    uint32_t nex;        /* capacity of both */
    Ex *seen; uint32_t nseen, capseen;
    int64_t scratch;     /* bytes so far, of this launch */
    int64_t maxscratch;
    int64_t onstack;     /* bytes of C arrays */
    Loc here;            /* of the statement being printed */
    uint32_t line;       /* of the last comment */
    uint32_t serial;     /* for names of static functions and data */
    const char *kernel;  /* name of the launch being printed */
    const char **fn;   /* names of the static functions printed so far */
    uint32_t nfn, capfn;
    bool prints;         /* MtPrint is needed in full */
};

/* prelude.c: helper functions of the printed program.  use() notes that one
 * is needed and returns its name. */
const char *use(Gen *g, const char *name);
void prelude_print(const Gen *g, Str *out); /* those noted, in order */
bool prelude_reserved(const char *name);    /* a name the program cannot take */
uint32_t prelude_count(void);

/* emit.c: lines of text */
PRINTF(2, 3) void put(Gen *g, const char *fmt, ...);  /* part of a line */
void put_string(Gen *g, const char *s); /* quoted */
void begin(Gen *g);                                   /* indentation */
PRINTF(2, 3) void line(Gen *g, const char *fmt, ...); /* a whole line */
void open_brace(Gen *g);  /* " {" and a deeper level */
void close_brace(Gen *g);
void note_line(Gen *g, Loc l); /* the comment with the user's line */
const char *declare(Gen *g, const char *name); /* distinct C name; scope ends with... */
uint32_t scope_enter(Gen *g);
void scope_leave(Gen *g, uint32_t mark);
void emit_stmts(Gen *g, Stmt *s);
void emit_stmt(Gen *g, Stmt *s);
NORETURN void refuse(Gen *g, Loc l, const char *what); /* the sim target runs it */
void room(Gen *g); /* side tables grow with the program's */

/* plan.c: where each buffer lives */
void plan_places(Gen *g);
void plan_launch(Gen *g, Stmt *launch);
int64_t held_bytes(enum Dtype held, int64_t count);
int64_t scratch_take(Gen *g, int64_t bytes);

/* emit_expr.c */
enum { /* C precedence, loosest first */
    PRany, PRcond, PRlor, PRland, PRbor, PRbxor, PRband, PReq, PRrel, PRshift,
    PRadd, PRmul, PRunary, PRpost
};
void emit_ex(Gen *g, Ex e, int prec);
void emit_as(Gen *g, Ex e, enum Dtype to, int prec); /* converted */
void emit_float(Gen *g, double v, enum Dtype dt, int prec);
void emit_int(Gen *g, int64_t v, enum Dtype dt, int prec);
const char *value_type(enum Dtype dt);   /* C type of a value in flight */
const char *held_type(Gen *g, enum Dtype held, bool alias);
/* Declares temporaries for what the given expressions share. */
void emit_shared(Gen *g, const Ex *e, int n);
void end_shared(Gen *g);
/* Storage <-> value: what stands around an element `P[..]` of type held so
 * that it reads as a value of type dt.  Returns the closing text. */
const char *from_held(Gen *g, enum Dtype dt, enum Dtype held);
/* The same for a value of type dt on its way into storage. */
const char *to_held(Gen *g, enum Dtype dt, enum Dtype held);
bool index_like(const Gen *g, Ex e); /* loop, block and dimension arithmetic only */
/* Whether two expressions of this type can be combined without rounding. */
bool small_float(enum Dtype dt);

/* bounds.c: what is known of indices. */
bool in_range(Gen *g, Ex index, Ex extent, bool upper); /* proved? */
/* Assumes cond (or its negation) until refine_end(mark). */
uint32_t refine(Gen *g, Ex cond, bool holds);
void refine_end(Gen *g, uint32_t mark);
/* Tests that make every access of a nest provable, evaluable before it. */
typedef struct Test Test;
struct Test { Ex bound, extent; bool upper; }; /* bound < extent, or 0 <= bound */
typedef struct Tests Tests;
struct Tests {
    Test *t; uint32_t n, cap;
    Proof *proof; uint32_t nproof, capproof; /* what holds when all tests do */
};
void collect_tests(Gen *g, Stmt *s, Tests *t);
void emit_tests(Gen *g, const Tests *t);
void assume_tests(Gen *g, const Tests *t, uint32_t *mark);
void assume_inside(Gen *g, uint32_t buf, const Ex *idx);
void forget_tests(Gen *g, uint32_t mark);

/* emit_access.c */
void emit_offset(Gen *g, uint32_t buf, const Ex *idx);
void emit_plus_offset(Gen *g, uint32_t buf, const Ex *idx);
void emit_load(Gen *g, Ex e, int prec);
/* Prints the guard of a global access, joined by &&; false if it needs none. */
bool emit_guard(Gen *g, uint32_t buf, const Ex *idx, int prec);
bool needs_guard(Gen *g, uint32_t buf, const Ex *idx);
bool access_may_fail(Gen *g, uint32_t buf, const Ex *idx);
void emit_assign(Gen *g, uint32_t buf, const Ex *idx, Ex value);
void emit_zero(Gen *g, uint32_t buf); /* what a read out of bounds gives */

/* emit_loop.c */
void emit_for(Gen *g, Stmt *s);
bool has_tile_op(const Stmt *s);
/* A parallel loop nest made by the generator itself. */
Stmt *nest_new(Gen *g, Loc l, const char *const *names, const Ex *extent, int n);
Stmt *store_new(Gen *g, Loc l, uint32_t buf, const Ex *idx, Ex value);

/* A scalar of the generator's own in an expression; its C name is `name`. */
Ex value_new(Gen *g, enum Dtype dt, const char *name);
/* Prints for-headers and an open brace over [0, extent); gives the variables. */
void loops_open(Gen *g, const char *const *names, const Ex *extent, int n, Ex *var);
void loops_close(Gen *g, const Ex *var, int n);

/* emit_copy.c */
/* Stops the kernel if an on-chip region is not inside its buffer. */
void check_region(Gen *g, const Region *r);
/* Stride in elements of dimension d of an on-chip buffer. */
int64_t tile_stride(const Gen *g, uint32_t buf, int d);
/* A tile of the generator's own, in scratch memory, declared here. */
uint32_t tile_new(Gen *g, const char *name, enum Dtype dt, enum Dtype held, const int64_t *extent, int n);
/* dst = src over equal (squeezed) extents, with conversion. */
void copy_region(Gen *g, Loc l, const Region *src, const Region *dst);
Region region_of(Gen *g, uint32_t buf); /* whole */
int region_rank(const Gen *g, const Region *r);
void emit_copy(Gen *g, Stmt *s);
void emit_fill(Gen *g, Stmt *s);
void emit_transpose(Gen *g, Stmt *s);
void emit_print_region(Gen *g, Stmt *s);
void emit_print_value(Gen *g, Stmt *s);

/* emit_gemm.c, emit_reduce.c, emit_atomic.c */
void emit_gemm(Gen *g, Stmt *s);
void emit_reduce(Gen *g, Stmt *s);
void emit_scan(Gen *g, Stmt *s);
void emit_atomic(Gen *g, Stmt *s);
void emit_atomic_tile(Gen *g, Stmt *s);

#endif
