/* targets/cpu/emit.h: what the files of the C generator share.
 *
 * The generator prints one C file for a tile program.  Its head (ABI structs,
 * helper functions) depends on what the body used, so the body is printed
 * first, into Gen.body, and every use of a helper is noted with use(). */
#ifndef MOONTILE_CPU_EMIT_H
#define MOONTILE_CPU_EMIT_H

#include "core/emit/scalar.h"
#include "core/ir/ir.h"
#include "core/ir/names.h"
#include "core/ir/padding.h"
#include "core/ir/walk.h"

/* How a buffer is held in the printed program. */
enum PlaceKind {
    PLnone,
    PLpointer, /* global: a pointer to the tensor's element 0 */
    PLscratch, /* a pointer into the thread's scratch memory */
    PLarray,   /* small tile: a C array */
    PLscalar,  /* alloc_var */
    PLview     /* another name of a buffer's bytes */
};

typedef struct StorePlace StorePlace;
struct StorePlace {
    const char *name;  /* in C */
    uint8_t kind;      /* enum PlaceKind */
    uint8_t held;      /* enum Dtype of an element in memory: float16 tiles that
                        * nothing aliases are held as float32, rounded on store */
    bool alias;        /* another type looks at the same bytes */
    bool read, written;
    bool live;         /* used in the launch being printed */
    int64_t offset;    /* PLscratch: bytes from the scratch's start */
    int64_t count;     /* elements, on-chip buffers */
    int32_t arg;       /* PLpointer: index into MtArg */
};

/* What is known of a loop or block variable. */
typedef struct LoopVar LoopVar;
struct LoopVar {
    Ex lo, hi, step;   /* hi exclusive; step 0 is 1 */
    uint32_t nest;     /* number of the nest being analysed that it belongs to */
};

/* 0 <= index, or index < extent, as computed; dead: something that one of them
 * reads was written since. */
typedef struct Proof Proof;
struct Proof { Ex index, extent; bool upper, dead; };

/* bound < extent, or 0 <= bound; bound is a whole number. */
typedef struct Test Test;
struct Test { Ex bound, extent; bool upper; };

/* A variable's range before a condition narrowed it. */
typedef struct Narrowed Narrowed;
struct Narrowed { uint32_t var, nproof; int64_t lo, hi; };

/* Elements that were converted, a row at a time, into an array of float. */
typedef struct Staged Staged;
struct Staged { uint32_t buf; Ex idx[MaxDim]; const char *name; };

/* A load under `under` conditions. */
typedef struct Masked Masked;
struct Masked { uint32_t buf, under; Ex idx[MaxDim]; };

typedef struct Gen Gen;
struct Gen {
    Prog *p;
    Ctx *c;
    Str body, statics;   /* the launch's function; what stands before it */
    const Stmt *launch;  /* the one in hand */
    int indent;
    uint32_t branches;   /* printed so far: put_if() */
    uint32_t under;      /* conditions around what is being printed */
    Masked *masked; uint32_t nmasked, capmasked; /* loads under conditions printed so far in this launch */
    uint8_t *used;       /* by helper: noted with use() */
    StorePlace *place;   /* by Buf */
    const char **name;   /* by Var: in C, NULL while undeclared */
    LoopVar *loop;       /* by Var: of loops and blocks */
    bool *named;         /* by Var: the launch's blocks name it */
    uint32_t nvar;       /* capacity of name and loop */
    Names names;         /* in scope, to keep them distinct */
    Proof *proof;
    uint32_t nproof, capproof;
    struct Found { uint32_t when; Ex is; } (*found)[3]; /* by Var: of lets, see bounds.c */
    uint32_t capfound, asked;
    struct Reach { uint32_t when; bool known; int64_t lo, hi; } *reach; /* by Ex, of that `ranges` */
    struct Exact { uint32_t when; bool is; } *exact;                    /* the same */
    uint32_t capreach, capexact;
    uint32_t ranges;     /* times that a variable's range has changed, counted from 1 */
    Test *held;          /* found true in front of the nest */
    uint32_t nheld, capheld;
    Narrowed *narrowed;
    uint32_t nnarrowed, capnarrowed;
    bool host;           /* printed is what launching computes, in front of all blocks */
    bool early;          /* what is printed may not be what the program comes to */
    bool fresh;          /* loads of what other blocks may write happen exactly once */
    uint32_t nest;       /* number of the current nest, 0 before the first */
    bool innest;
    Scalar scalar;       /* the printer of expressions; its `out` is one of the two texts, where all
                          * else goes, too; room() sees to its temporaries */
    ExUses uses;         /* shared subexpressions of one statement */
    int64_t scratch;     /* bytes so far, of this launch */
    int64_t maxscratch;
    int64_t onstack;     /* bytes of C arrays */
    Loc here;            /* of the statement being printed */
    uint32_t line;       /* of the last comment */
    const char *kernel;  /* name of the launch being printed */
    const char **fn;     /* static functions printed so far: what for, name, ... */
    uint32_t nfn, capfn;
    Ex ahead;            /* load of the copy being printed, to be prefetched */
    uint32_t strip;      /* a buffer whose stores go to the array `part` instead */
    enum Dtype striptype; /* what that holds */
    Ex stripvar;         /* index into it, and into what is staged */
    Staged *staged; uint32_t nstaged; /* loads that come from a converted copy */
    bool streamed;       /* this launch has stores that need a fence */
    bool prints;         /* MtPrint is needed in full */
    Padding padding;     /* of the program, in front of its first launch */
};

/* prelude.c: helper functions of the printed program.  use() notes that one
 * is needed and returns its name. */
const char *use(Gen *g, const char *name);
void prelude_print(const Gen *g, Str *out); /* those noted, in order */
bool prelude_reserved(const char *name);    /* a name the program cannot take */
uint32_t prelude_count(void);

/* emit/text.c: lines of text */
PRINTF(2, 3) void put(Gen *g, const char *fmt, ...);  /* part of a line */
void put_string(Gen *g, const char *s); /* quoted */
void begin(Gen *g);                                   /* indentation */
void put_if(Gen *g);    /* "if (" */
/* "#pragma GCC ivdep" for the loop that follows, whose iterations write places of their own; when
 * its text is complete (at, branches: as they were before), it becomes a comment if there are
 * branches inside.  gcc (12.2 at least) makes masked vectors of such loops that read 0 under a
 * condition which is the same in all iterations. */
#define IVDEP "#pragma GCC ivdep"
void ivdep_keep(Gen *g, size_t at, uint32_t branches);
PRINTF(2, 3) void line(Gen *g, const char *fmt, ...); /* a whole line */
void open_brace(Gen *g);  /* " {" and a deeper level */
void close_brace(Gen *g);
void note_line(Gen *g, Loc l); /* the comment with the user's line */
/* A distinct C name like `name`, taken until its scope is left. */
const char *declare(Gen *g, const char *name);
uint32_t scope_enter(Gen *g);
void scope_leave(Gen *g, uint32_t mark);
NORETURN void refuse(Gen *g, Loc l, const char *what); /* the sim target runs it */
void room(Gen *g); /* side tables grow with the program's */

/* emit.c: names for all scalars, dimensions and bindings of the program. */
void emit_all_numbers(Gen *g);
/* emit_unfit.c: the function that says whether the arguments are such as the
 * program was printed for. */
void emit_unfit(Gen *g);

/* emit_stmt.c */
void emit_list(Gen *g, Stmt *s);
void emit_stmt(Gen *g, Stmt *s);
void emit_let(Gen *g, Stmt *s);
void declare_views(Gen *g, uint32_t root); /* of a buffer that now has a name */

/* Whether no number of the operation's regions is read from memory. */
bool pure_regions(const Gen *g, const Stmt *s);

/* plan.c: where each buffer lives */
void plan_places(Gen *g);
void plan_launch(Gen *g, Stmt *launch);
bool streams(const Gen *g, uint32_t buf);
int64_t held_bytes(enum Dtype held, int64_t count);
int64_t scratch_take(Gen *g, int64_t bytes);

/* emit_cast.c, emit_expr.c */
extern const ScalarWords cpu_words;
static inline enum Dtype type_of(const Gen *g, Ex e) { return ex_type(g->p, e); }
static inline const char *value_type(enum Dtype dt) { return scalar_type(&cpu_words, dt); }
static inline const char *int_cast(enum Dtype to) { return scalar_to(&cpu_words, to); }
void emit_expr(Gen *g, Ex e, int prec);
void emit_as(Gen *g, Ex e, enum Dtype to, int prec); /* converted */
const char *round_name(enum Dtype dt);    /* of narrow floats; NULL */
/* Of ScalarWords: */
ScalarFrame cpu_round(Scalar *s, enum Dtype dt);
const char *cpu_stored_bits(Scalar *s, Ex e);
const char *cpu_float_bits(Scalar *s, enum Dtype from, const char *x);
const char *cpu_bits_float(Scalar *s, enum Dtype to, const char *x);
const char *held_type(Gen *g, enum Dtype held, bool alias);
/* Whether index d of an access is printed as a whole number. */
bool index_widens(Gen *g, uint32_t buf, const Ex *idx, int d);
/* Declares temporaries for what the given expressions share. */
void emit_temps(Gen *g, const Ex *e, int n);
void end_shared(Gen *g);
/* Storage -> value: prints what stands before an element held so, returns what
 * stands after it. */
const char *from_held(Gen *g, enum Dtype held);
/* A value on its way into storage: the conversion rounds it. */
void emit_to_held(Gen *g, Ex value, enum Dtype held);
/* A value whose own last rounding is left to who takes it. */
void emit_unrounded(Gen *g, Ex value);

/* bounds.c: what is known of indices. */
/* Proved that index < extent (upper), or 0 <= index? */
bool in_range(Gen *g, Ex index, Ex extent, bool upper);
/* Proved that [min, min + extent) lies in [0, shape), extent > 0? */
bool region_proved(Gen *g, Ex min, Ex extent, Ex shape);
/* Range of e whatever the variables are; false: int64 is not enough. */
bool reach(Gen *g, Ex e, int64_t *lo, int64_t *hi);
/* a op b of whole numbers (int64 that cannot overflow), or 0. */
Ex whole_op(Gen *g, enum Xop op, Ex a, Ex b);
/* The whole number that is computed for e, or 0. */
Ex whole_value(Gen *g, Ex e);
/* Whether no step of computing e can wrap. */
bool is_exact(Gen *g, Ex e);
/* An index that may wrap on its way but was proved inside, as whole number; 0
 * for any other. */
Ex widened_index(Gen *g, Ex index, Ex extent);
/* A test of one end for the current nest.  already: none is needed. */
bool test_for(Gen *g, Ex index, Ex extent, bool upper, Test *t, bool *already);

/* facts.c: what conditions have found true. */
bool assumed(const Gen *g, Ex index, Ex extent, bool upper);
/* Assumes cond (or its negation), which what is printed stands under, until refine_end(mark). */
uint32_t refine(Gen *g, Ex cond, bool holds);
void refine_end(Gen *g, uint32_t mark);
/* Under the guard of an access, until facts_end(facts_mark()). */
void assume_inside(Gen *g, uint32_t buf, const Ex *idx);
uint32_t facts_mark(const Gen *g);
void facts_end(Gen *g, uint32_t mark);
/* s, with all that is in it, writes: what is known of that ends. */
void forget_written(Gen *g, Stmt *s);
/* Memory that other blocks may write while this one runs. */
bool is_shared(const Gen *g, uint32_t buf);
bool reads_shared(const Gen *g, Ex e);

/* tests.c: tests in front of a nest that prove its accesses. */
typedef struct Tests Tests;
struct Tests { Test *t; uint32_t n, cap; };
void begin_tests(Gen *g); /* the nests collected from here on belong together */
void collect_tests(Gen *g, Stmt *s, Tests *t);
void emit_tests(Gen *g, const Tests *t);
uint32_t hold_tests(Gen *g, const Tests *t); /* until drop_tests(mark) */
void drop_tests(Gen *g, uint32_t mark);
bool held(const Gen *g, Ex bound, Ex extent, bool upper);
void emit_whole(Gen *g, Ex e, int prec); /* a whole number, in 32 bits where they do */

/* emit_access.c */
void emit_offset(Gen *g, uint32_t buf, const Ex *idx);
void emit_plus_offset(Gen *g, uint32_t buf, const Ex *idx);
void emit_load(Gen *g, Ex e, int prec);
/* Prints the guard of a global access, joined by &&; false if it needs none. */
bool emit_guard(Gen *g, uint32_t buf, const Ex *idx, int prec);
bool needs_guard(Gen *g, uint32_t buf, const Ex *idx);
/* Declares, on lines of their own, what of a guarded access must be evaluated
 * once; out is then idx in those names. */
bool emit_names(Gen *g, uint32_t buf, const Ex *idx, Ex *out);
bool access_may_fail(Gen *g, uint32_t buf, const Ex *idx);
void emit_assign(Gen *g, uint32_t buf, const Ex *idx, Ex value);
void emit_zero(Gen *g, uint32_t buf); /* what a read out of bounds gives */

/* masked.c: loops that load under a condition. */
typedef struct Masks Masks;
struct Masks { uint32_t n, under; };
Masks masks_open(const Gen *g);                         /* a loop begins */
void masks_note(Gen *g, uint32_t buf, const Ex *idx);   /* a load is printed */
/* In front of the end of the loop over var, which moves by step (0: not known): keeps it from
 * becoming vectors where gcc would make wrong ones.  rounds: those that gcc may put behind each
 * other, -1: it cannot. */
void masks_close(Gen *g, Masks at, uint32_t var, int64_t step, int64_t rounds);

/* emit_loop.c */
void emit_for(Gen *g, Stmt *s);
/* Prints twice, under the tests and without, or once if there are none. */
void emit_tested(Gen *g, const Tests *t, void (*print)(void *), void *ud);
/* d(offset)/d(var) of an access, in elements; false when it is not constant. */
bool access_stride(Gen *g, uint32_t buf, const Ex *idx, uint32_t var, int64_t *out);
/* Whether each value of var stores to elements of its own. */
bool stores_distinct(Gen *g, Stmt *nest, uint32_t var);
/* The nest without loops of one iteration, if its body is only stores; else
 * as it was. */
Stmt *nest_squeezed(Gen *g, Stmt *s);
/* A parallel loop nest made by the generator itself. */
Stmt *nest_new(Gen *g, Loc l, const char *const *names, const Ex *extent, int n);
Stmt *store_new(Gen *g, Loc l, uint32_t buf, const Ex *idx, Ex value);

/* A scalar of the generator's own in an expression; its C name is `name`. */
Ex value_new(Gen *g, enum Dtype dt, const char *name);
/* Prints for-headers and an open brace over [0, extent); gives the variables. */
Masks loops_open(Gen *g, const char *const *names, const Ex *extent, int n, Ex *var);
void loops_close(Gen *g, Masks masks, const Ex *var, int n);

/* sums.c: does variable i of the nest run through a loop that keeps several sums of whole
 * numbers?  last: it has the body. */
bool keeps_sums(Gen *g, const Stmt *loop, int i, bool last);

/* emit_row.c */
/* The loop over var = first .. first + n - 1 of a parallel nest, the other
 * variables being declared. */
void emit_span(Gen *g, Stmt *nest, uint32_t var, Ex first, int64_t n);
/* The innermost loop of a nest, if there is a better way than to print it. */
bool emit_specially(Gen *g, Stmt *nest, int i);
Ex open_strips(Gen *g, int64_t n, int64_t strip);

/* emit_output.c: prints the tables; gives how many outputs there are in them. */
int emit_outputs(Gen *g);

/* emit_copy.c */
/* Stops the kernel if an on-chip region is not inside its buffer. */
void check_region(Gen *g, const Region *r);
/* Stride in elements of dimension d of an on-chip buffer. */
int64_t tile_stride(const Gen *g, uint32_t buf, int d);
/* A tile of the generator's own, in scratch memory, declared here. */
uint32_t tile_new(Gen *g, const char *name, enum Dtype dt, enum Dtype held,
                  const int64_t *extent, int n);
/* dst = src over equal (squeezed) extents, with conversion: printed, or as a
 * nest whose body is one store. */
Stmt *copy_nest(Gen *g, Loc l, const Region *src, const Region *dst);
Region region_of(Gen *g, uint32_t buf); /* whole */
int region_rank(const Gen *g, const Region *r);
void emit_copy(Gen *g, Stmt *s);
void emit_fill(Gen *g, Stmt *s);
void emit_transpose(Gen *g, Stmt *s);
void emit_print_region(Gen *g, Stmt *s);
void emit_print_value(Gen *g, Stmt *s);

/* emit_fuse.c: prints the statements from s on that go through the same rows
 * together; the one after them, or s if there are none. */
Stmt *emit_fused(Gen *g, Stmt *s);

/* emit_gemm.c, emit_reduce.c, emit/atomic.c */
void emit_gemm(Gen *g, Stmt *s);
void emit_reduce(Gen *g, Stmt *s);
/* A reduction along contiguous elements that a helper does. */
typedef struct RowReduce RowReduce;
struct RowReduce { int kind; bool clear; enum Dtype dt; char helper[32]; };
bool reduce_by_rows(Gen *g, const Stmt *s, RowReduce *q);
/* Where the result goes; of[d]: variable of source dimension d, or 0. */
void reduce_index(Gen *g, const Region *src, const Region *dst, int dim, const Ex *of, Ex *idx);
void emit_scan(Gen *g, Stmt *s);
void emit_atomic(Gen *g, Stmt *s);
void emit_atomic_tile(Gen *g, Stmt *s);

#endif
