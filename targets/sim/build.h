/* targets/sim/build.h: inside the builder of the simulator's code. */
#ifndef MOONTILE_SIM_BUILD_H
#define MOONTILE_SIM_BUILD_H

#include "core/ir/padding.h"
#include "core/ir/walk.h"
#include "code.h"

/* An instruction, or a label (fn NULL), of a list that still grows. */
typedef struct BuildNode BuildNode;
struct BuildNode { Ins i; BuildNode *next, *to; uint32_t index; Loc loc; };

typedef struct List List;
struct List { BuildNode *first, *last; };

/* What lives for a while: rows to give back, values to forget. */
typedef struct Life Life;
struct Life {
    struct { uint32_t at, n; } *row; uint32_t nrow, caprow;
    Ex *ex; uint32_t nex, capex;
};

/* A place where pure values are computed as far out as they can be: level 0 once
 * a launch, 1 once a block, deeper ones at the head of a loop's body. */
typedef struct Hoist Hoist;
struct Hoist { List head; Life life; };

/* What a variable is: not known here, uniform or of the threads (at Build.var),
 * the element of the vectorized loop, another name for its value, a number now
 * (Build.env). */
enum VarHow { VKnone, VKuniform, VKthread, VKvector, VKalias, VKunrolled };

/* What is known of an expression. */
enum { XIseen = 1, XIthread = 2, XIvector = 4, XIimpure = 8, XIfree = 16 };
/* XIfree: of a variable other than those of unrolled loops, or of what x_eval() does not know */
typedef struct ExInfo ExInfo;
struct ExInfo { uint8_t bits; uint16_t level; };

/* A loop around: for break and continue. */
typedef struct LoopFrame LoopFrame;
struct LoopFrame {
    LoopFrame *up;
    BuildNode *next, *end; /* labels: of the next round, behind the loop */
    bool masked;           /* lanes leave it one by one: see run_flow.c */
    uint16_t level;        /* masked: of the lanes still in the loop; + 1: in this round */
};

typedef struct Build Build;
struct Build {
    Prog *p;
    Ctx *c;
    const Machine *m;
    SimProg *sp;
    SimLaunch *l;
    ExInfo *info; uint32_t capinfo;  /* by Ex */
    Val *val; bool *has; uint32_t capval; /* by Ex: where its value is now */
    int64_t *env;          /* by Var: of unrolled loops */
    Val *var; uint8_t *varkind; uint16_t *varlevel; /* by Var: see build_expr.c */
    Local **local;         /* by Buf: registers that differ between threads */
    Val *uvar;             /* by Buf: variables that do not */
    bool *lane;            /* by Buf, SCvar: differs between threads */
    uint8_t *dep; uint32_t capdep; /* by Ex: 1 the same in all threads, 2 not; build_uniform.c */
    bool *vardep;          /* by Var */
    List *out;             /* instructions go here */
    Life *life;            /* registers belong to it */
    Life stmt;             /* of the statement */
    Hoist **scope; uint32_t capscope; int nscope;
    struct { uint32_t *at; uint32_t n, cap; } free[SimWide * 2 + 1]; /* rows, by how many */
    Padding padding;       /* of the program */
    bool moving;           /* the register that is loaded now is only moved */
    Shuffled *shuffled;    /* by Var */
    Moved *staged;         /* what the next load takes from a staging buffer is; else NULL */
    Turn turn;             /* iterations of an open T.Parallel that the statement does; loop 0: none */
    uint32_t *round;       /* by loop: register, how often it has begun; 0: none yet */
    uint8_t *narrowest;    /* by root: bits of an element by the name whose are fewest; 0: not asked */
    uint32_t *begins;      /* by loop: site of its beginning */
    int first;             /* thread of the role around */
    uint32_t vecvar;       /* variable of the vectorized loop around */
    int w;                 /* its elements; 1 */
    int level, mostlevel;  /* masks around; of all so far */
    struct { uint32_t reg; const char *name; } *state; /* visible uniform variables; */
    uint32_t nstate, capstate;                          /* name: of a loop */
    LoopFrame *loop;
    BuildNode *gone;       /* label: where to go on when all lanes of this level have left */
    Loc here;
    const SimAccess **access; uint32_t naccess, capaccess;
    Local **locals; uint32_t nlocals, caplocals;
    uint32_t nreg, nrow;
    struct { Val v; int64_t bits; } *consts; uint32_t nconst, capconst;
};
enum { InPlace = UINT16_MAX }; /* level of what no head can compute */

/* build.c */
BuildNode *b_emit(Build *b, InsFn *fn);    /* at b->out, w and level filled in */
BuildNode *b_label(Build *b);              /* not placed yet */
void b_place(Build *b, BuildNode *label);
bool b_divides(Build *b, Ex e);            /* integers, perhaps by zero? */
bool b_parted(Build *b, uint32_t buf);     /* a register that holds no element in some lanes */
Val b_reg(Build *b, enum Dtype dt);        /* a new uniform one */
Val b_rows(Build *b, enum Dtype dt, enum Shape sh); /* lane registers, of b->life */
Val b_forever(Build *b, enum Dtype dt, int64_t n);  /* of the launch: n registers */
uint32_t b_site(Build *b, Loc loc, uint32_t buf, const char *what);
const Live *b_live(Build *b, bool loops);
void b_free(Build *b, Life *f);            /* ends a life */
void b_enter(Build *b);                    /* a scope; its body goes to the list that out is */
void b_leave(Build *b, List *body, List *to); /* appends head and body to `to` */

/* build_expr.c */
void b_infos(Build *b);                    /* tables grow with p->nex */
ExInfo b_info(Build *b, Ex e);
Val b_ex(Build *b, Ex e);
bool b_number(Build *b, Ex e, int64_t *v);  /* known now: a constant, or of unrolled loops */
Val b_lanes(Build *b, Val v, enum Shape sh); /* a uniform value spread out */
Val b_const(Build *b, enum Dtype dt, int64_t i, double f);
Val b_cast(Build *b, Val a, enum Dtype to);
Val b_reinterpret(Build *b, Val a, enum Dtype to); /* the same bits */

/* build_access.c */
/* An access by each thread; wide: w elements along dimension dim from idx on, besides
 * what idx itself moves with the vector loop.  reads: and does not write. */
SimAccess *b_access(Build *b, uint32_t buf, const Ex *idx, uint32_t site, int wide, int dim,
                    bool reads);
Val b_load(Build *b, Ex e);
void b_store(Build *b, uint32_t buf, const Ex *idx, Ex value);
Local *b_local(Build *b, uint32_t buf);    /* of the root, which is used here */
Local *b_declared(Build *b, uint32_t buf); /* likewise, but not used */
Val b_uvar(Build *b, uint32_t buf);         /* its register; the next one: has it a value? */
bool b_uniformvar(const Build *b, uint32_t buf);
Ex b_flat(Build *b, uint32_t buf, const Ex *idx); /* row-major index of a local buffer */
/* The registers of a region of a local buffer; write: they become defined. */
const RegArgs *b_regs(Build *b, const Region *r);
bool b_isregister(const Build *b, uint32_t buf);

/* build_op.c, build_warp.c */
void b_op(Build *b, const Stmt *s);
Val b_threadcall(Build *b, Ex e);          /* intrinsics of level T */
const WarpMask *b_mask(Build *b, Ex e);    /* 0: all of the warp */
/* What a variable is whose value is e, a fragment's register in another lane: computes its row. */
Shuffled b_shuffle(Build *b, Ex e);
/* Is e such a variable, or one choice behind the other among them?  Then b_shuffled() is the
 * row that says where it has a value. */
bool b_isshuffled(Build *b, Ex e);
Val b_shuffled(Build *b, Ex e);
void b_given(Build *b, const Shuffled *s); /* it is used: reports where it has none */
void b_callstmt(Build *b, const Stmt *s);
void b_atomic(Build *b, const Stmt *s);
void b_print(Build *b, const Stmt *s);

/* build_uniform.c: which values are the same in all threads of a strand */
void b_uniform(Build *b, const Stmt *launch); /* fills lane, dep, vardep */
bool b_depends(Build *b, Ex e);            /* on the thread */
bool b_leaves(Build *b, const Stmt *body); /* lanes break or continue one by one here */

/* build_vector.c: can this vectorized loop be done for all its elements at once? */
bool b_vectorizes(Build *b, const Stmt *loop);

/* build_iter.c: open T.Parallel */
void b_iterations(Build *b, const Stmt *s); /* "call parallel", "call iteration" */
/* In front of an access: it is told whose iteration this is.  value: of a store, else NULL. */
void b_iter_memory(Build *b, const SimAccess *a, int mode, const Val *value, int lanes);
void b_iter_register(Build *b, const Local *l, Val at, int n, uint32_t site, const Val *value);

/* build_stmt.c */
void b_block(Build *b, const Stmt *s);

#endif
