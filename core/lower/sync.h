/* core/lower/sync.h: inside low_sync: who touches which bytes, and whether two
 * touches need a barrier between them. */
#ifndef MOONTILE_SYNC_H
#define MOONTILE_SYNC_H

#include "pipeline.h"

/* Values of an integer expression for all threads of the block ---------- */

/* One value (v NULL), one for each thread, or not known.  A bool that is not
 * known is 2. */
typedef struct Vec Vec;
struct Vec {
    bool unknown;
    int64_t one;
    const int64_t *v;
};

typedef struct Eval Eval;
struct Eval {
    Low *l;
    uint32_t tid;          /* Var of the launch */
    int n;                 /* threads of the block */
    int64_t *val;          /* of each Var: its value, where has[] says so */
    uint8_t *has;
    uint32_t nvar, nex;
    uint8_t *kind;         /* of each expression: see sync_eval.c */
    Vec **memo;            /* of expressions of the thread alone */
    int64_t *pool;         /* scratch vectors */
    int used, cap;
};
void eval_init(Eval *v, Low *l);
Vec eval(Eval *v, Ex e);            /* vectors live until eval_reset() */
void eval_reset(Eval *v);
int64_t eval_op2(enum Xop op, int64_t a, int64_t b); /* and, or: 2 is a bool that is not known */
/* e is the same for all threads as far as it depends on them by itself, not on
 * what a private buffer holds. */
bool eval_depends(const Eval *v, Ex e, uint32_t var);
/* After how many steps of loop variable var the value of e repeats, comparisons
 * apart; 0: it does not, or not within 32. */
int64_t eval_period(const Eval *v, Ex e, uint32_t var);
int64_t eval_lcm(int64_t a, int64_t b); /* of periods: 0 if one is, or it is too large */

/* Uniformity ------------------------------------------------------------ */
typedef struct Uniform Uniform;
struct Uniform {
    Low *l;
    bool *mixed, *var;     /* private buffers, and loop variables, that threads have their own of */
    uint32_t n, nvar, tid;
};
void uniform_init(Uniform *u, Low *l);
bool uniform_ex(const Uniform *u, Ex e);

/* Accesses -------------------------------------------------------------- */

/* The statements as a tree, with the accesses of each. */
typedef struct Node Node;
struct Node {
    Stmt *s;
    Node *next, *child[2];
    const Node *up;
    bool els;              /* stands in the else branch of up */
    uint8_t single;        /* loops: see sync_walk.c, independent() */
    int depth;             /* loops around it */
    uint32_t first, self;  /* its own accesses */
    uint32_t last;         /* first .. last: with those of its blocks */
};

enum { ACread = 1, ACwrite = 2, ACatomic = 4 };

typedef struct Acc Acc;
struct Acc {
    Stmt *s;
    const Node *in;
    uint8_t mode, level;   /* level: 'H' thread, 'W' warp, 'G' warp group */
    char done;             /* OpInfo.done */
    bool async;            /* through the async proxy */
    uint32_t buf;          /* root */
    const Buf *as;         /* how it is indexed */
    int lanes;             /* ldmatrix, stmatrix: lanes that give an address; else 0 */
    uint8_t nd;
    Ex idx[MaxDim];
    int32_t ext[MaxDim];   /* elements */
    Ex when;               /* a load in a select: where it is evaluated; 0: always */
    uint32_t *dep; int ndep; /* loop variables that it or its conditions use */
    int64_t *period;         /* of each: after how many steps the index repeats, or 0 */
    int id;
};

enum { ChunkBytes = 16 };  /* what swizzles leave together */
static inline int acc_bits(const Acc *a) { return dtypeinfo[a->as->dt].bits; }

/* The bytes that one access touches in one situation, and who.  Shared memory:
 * cells of `grain` bytes from `lo` on; global: sorted elements. */
typedef struct Cell Cell;
struct Cell { int64_t at; uint32_t warps; int32_t owner; }; /* owner: thread, -1 several */
typedef struct Foot Foot;
struct Foot {
    const Acc *a;
    bool all;              /* not known: any element of the buffer, by any thread */
    Ex sym[MaxDim];        /* global: the part of the index that is the same for all */
    int64_t lo, hi;        /* cells lo .. hi - 1 */
    uint32_t *warps;       /* shared: of each */
    int32_t *owner;
    Cell *cell; int ncell; /* global */
    Foot *next;            /* of the same access */
    int64_t *key;          /* values of a->dep, INT64_MIN: all */
    int id;
};

enum { CFnone, CFlanes, CFwarps };      /* what two touches conflict between */

typedef struct Touches Touches;
struct Touches {
    Low *l;
    Eval ev;
    Node *root;
    Acc *acc; uint32_t n, cap;
    Foot **foot;           /* of each access: those made so far */
    int nfoot;
    int grain;             /* bytes of a cell */
    int64_t arena;         /* bytes of shared memory */
    bool *both;            /* of a global buffer: some access writes, and there is another */
    bool async;            /* something goes through the async proxy */
    uint64_t *pairs; uint32_t npair, cappair; /* cache of conflicts */
    uint32_t *sw; int32_t *so; /* room for all cells, zero */
    const Uniform *u;
    int lo, hi;            /* threads of the role at work */
};
/* Elements that one thread takes at once in the last dimension: a vector loop's. */
int64_t acc_width(const Touches *t, const Acc *a);
void touches_init(Touches *t, Low *l, const Uniform *u);
/* sync_foot.c.  The footprint of a with the loop variables that ev.has names fixed, the
 * others running. */
const Foot *touch_foot(Touches *t, const Acc *a);
int touch_conflict(Touches *t, const Foot *a, const Foot *b);
bool touch_overlap(Touches *t, const Foot *a, const Foot *b); /* some byte in common */

/* Places ---------------------------------------------------------------- */

enum { SYfence = 1, SYwarp = 2, SYblock = 4 };
typedef struct Site Site;
struct Site {
    const Stmt *before;
    int what;              /* SY* bits */
    const Stmt *role;      /* its threads wait, or all, NULL */
    int depth;             /* loops around it */
};

typedef struct Sync Sync;
struct Sync {
    Low *l;
    Touches t;
    Uniform u;
    Site *site; uint32_t nsite, capsite;
    /* The first need that a run found. */
    Stmt *before;
    int what, depth;
    const Stmt *role;
    const Stmt *fence_at;  /* a barrier that must have a fence before it, or NULL */
    bool stop;
};
/* sync.c: are all threads of role a in role b? */
bool sync_within(const Stmt *a, const Stmt *b);
/* sync_walk.c: runs the program's accesses past the barriers that stand and the
 * sites; true: all ordered.  False: before, what and role say what is missing. */
bool sync_run(Sync *y);

#endif
