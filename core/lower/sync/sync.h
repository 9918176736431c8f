/* core/lower/sync/sync.h: inside low_sync: who touches which bytes, and whether two
 * touches need a barrier between them.
 *
 * Whatever cannot be said is taken to touch more: a footprint holds at least the
 * bytes that its access touches and at least the threads that do. */
#ifndef MOONTILE_SYNC_H
#define MOONTILE_SYNC_H

#include "core/ir/effects.h"
#include "core/ir/eval.h"
#include "core/ir/walk.h"
#include "core/lower/pipe/pipeline.h"
#include "core/lower/vary/vary.h"

/* Uniformity (uniform.c) ------------------------------------------- */
typedef struct Uniform Uniform;
typedef struct UniformAnswer UniformAnswer;
struct Uniform { Prog *p; Vary *v; UniformAnswer *known; };
void uniform_init(Uniform *u, Low *l);
/* e, which is evaluated at a statement, is the same for all threads. */
bool uniform_ex(const Uniform *u, const Stmt *at, Ex e);
/* All threads make the same rounds of loop s. */
bool uniform_loop(const Uniform *u, const Stmt *s);
/* The statement that gave a let its value. */
const Stmt *uniform_let(const Uniform *u, Ex name);

/* Accesses -------------------------------------------------------------- */

typedef struct SyncSite SyncSite;
/* The statements as a tree, with the accesses of each. */
typedef struct Node Node;
struct Node {
    Stmt *s;
    Node *next, *child[2];
    Node *up;
    bool els;              /* stands in the else branch of up */
    uint32_t place;        /* its number in its block */
    bool leaves[2];        /* again.c: a break or continue in that block leaves it */
    uint32_t changed, stamp; /* ... the try that changed what is in front of it, what is inside: */
    uint32_t lo[2], hi[2]; /* ... in that block between these places */
    uint8_t uniform;       /* loops: 1: threads make different rounds, 2: the same; 0: not asked */
    uint8_t single;        /* loops: see walk.c, independent() */
    uint8_t turns;         /* a role: how often it went behind others, see phases_turn() */
    bool cut;              /* a loop of so many rounds that they are not told apart */
    int depth;             /* loops around it */
    uint32_t first, self;  /* its own accesses */
    uint32_t last;         /* first .. last: with those of its blocks */
    SyncSite *sites, **tail; /* in front of it, in the order in which they were put */
};

enum { ACread = 1, ACwrite = 2, ACatomic = 4 };

/* A condition that decides whether a thread makes an access, or how often: an if
 * around it, what its select chose, a bound or step of a loop around it. */
typedef struct SyncCond SyncCond;
struct SyncCond {
    Ex e;
    bool truth;            /* the same for all threads, and a bool */
    int64_t *period;       /* of each of SyncAccess.dep */
};

typedef struct SyncAccess SyncAccess;
struct SyncAccess {
    Stmt *s;
    const Node *in;
    uint8_t mode, level;   /* level: 'H' thread, 'W' warp, 'G' warp group */
    char done;             /* OpInfo.done */
    uint16_t update;       /* of an atomic: MemEffect.update */
    bool async;            /* through the async proxy */
    uint32_t buf;          /* root */
    const Buf *as;         /* how it is indexed */
    int lanes;             /* ldmatrix, stmatrix: lanes that give an address; else 0 */
    uint8_t nd;
    Ex idx[MaxDim];
    int64_t ext[MaxDim];   /* elements; -1: not known */
    Ex when;               /* where it is evaluated; 0: always */
    uint32_t *dep; int ndep; /* loop variables that it or its conditions use */
    int64_t *period;       /* of the indices: after how many steps of each they repeat, or 0 */
    SyncCond *cond; int ncond;
    bool cut;              /* of so many places that it is taken to touch all of its buffer */
    int id;
};

enum { SyncChunk = 16 };   /* what swizzles leave together */
static inline int acc_bits(const SyncAccess *a) { return dtypeinfo[a->as->dt].bits; }

/* Part of a global index that is not a number: coef times e, an integer that is the
 * same for all threads. */
typedef struct Term Term;
struct Term {
    Ex e;
    int64_t coef;
    uint64_t now;          /* of what loop variables it is made of: a hash of their values */
    bool free;             /* it may be another number each time */
};

/* The bytes that one access touches in one situation, and who.  Shared memory:
 * cells of `grain` bytes from `lo` on; global: elements. */
typedef struct BucketCell BucketCell;
struct BucketCell { uint64_t at; uint32_t i, warps; int32_t owner; }; /* owner: thread + 1, or -1:
                                                                       * several */
/* What footprints are made of, kept once however many have it: that of a place, which
 * each has its own of. */
typedef struct ByteSet ByteSet;
struct ByteSet {
    uint32_t *warps;       /* shared: of each of n cells */
    int32_t *owner;        /* thread + 1, or -1: several */
    BucketCell *cell; uint32_t n; /* global: in order of `at`, a hash of the index */
    int64_t *idx;          /* ... its known part, nd numbers from cell i * nd on; the least is 0 */
    int64_t *most;         /* ... the greatest, of each dimension, in elements */
    int64_t wide;          /* ... elements of a row in a cell, a power of two: its units in idx */
    int nd;
    uint64_t hash;
    ByteSet *next;         /* of the same bucket */
};
typedef struct Footprint Footprint;
struct Footprint {
    const SyncAccess *a;   /* the first that has it: the others are of its kind */
    bool all;              /* not known: any element of the buffer, by any thread */
    bool seen;             /* global: the terms are known */
    Term *term[MaxDim];    /* ... what is added to each index */
    uint32_t nterm[MaxDim];
    int64_t at[MaxDim];    /* ... and of what is known the least */
    int64_t lo, hi;        /* shared: cells lo .. hi - 1 */
    const ByteSet *print;  /* NULL: none */
    int64_t *key;          /* while it is made: see key_of() */
    Footprint *next;       /* of the same bucket */
    int id;
};
/* Of a footprint, by its number: the others, of the first `seen`, that it may meet. */
typedef struct Near Near;
typedef struct BucketLine BucketLine;
typedef struct Drawer Drawer;
struct Near { const Footprint *footprint; uint32_t *id, n, cap, seen; };
/* The footprint that an access has in one situation. */
typedef struct KnownFootprints KnownFootprints;
struct KnownFootprints { int64_t *key; const Footprint *footprint; KnownFootprints *next; };

enum { CFnone, CFlanes, CFwarps };      /* what two touches conflict between */

typedef struct AccessSet AccessSet;
struct AccessSet {
    Low *l;
    Eval ev;
    Node *root;
    SyncAccess *acc; uint32_t n, cap;
    KnownFootprints **known; /* of each access: those made so far */
    Footprint **footprint; uint32_t nfootprint, capfootprint; /* all: hash table by what they are */
    Near *near; uint32_t capnear; /* ... by number: those that it may meet */
    BucketLine **line; uint32_t nline, nfiled; /* ... by where they lie, see buckets.c */
    Drawer *place; uint32_t nplace, capplace;
    ByteSet **print; uint32_t nprint, capprint;
    BucketCell *cell; uint32_t capcell; /* room for one that is made */
    int64_t *cellidx; uint32_t capidx;
    BucketCell *room[2]; uint32_t caproom[2]; /* for two that are compared */
    BucketCell *sorted; uint32_t capsorted, *drawer, capdrawer; /* for those that are sorted */
    int grain;             /* bytes of a cell */
    int64_t arena;         /* cells of shared memory */
    bool *both;            /* of a buffer: some access writes, and another may meet it */
    bool *written;         /* of a buffer: the launch writes it */
    bool async;            /* something goes through the async proxy */
    uint64_t *pairs; uint32_t npair, cappair; /* cache of conflicts */
    uint32_t *sw; int32_t *so; /* room for all cells, zero */
    int64_t *key; uint32_t capkey; /* room for one */
    int64_t *sum[MaxDim];  /* room for the index of each thread */
    const Uniform *u;
    int lo, hi;            /* threads of the role at work */
};
/* Elements of a row that a takes at once in the vector loop s around it; 0: it goes from one
 * value of its variable to the next, as in other loops, since that decides more than the
 * place in the row. */
int64_t acc_vector(const AccessSet *t, const SyncAccess *a, const Stmt *s);
/* Elements that one thread takes at once in the last dimension: the vector loops'. */
int64_t acc_width(const AccessSet *t, const SyncAccess *a);
/* An atomic whose old value is taken? */
static inline bool acc_prev(const SyncAccess *a)
{
    return a->s->kind == Satomic && a->s->atomic.prev && a->mode & ACatomic;
}
void accesses_init(AccessSet *t, Low *l, const Uniform *u);
/* Waits for no other: a buffer of one access that meets nobody, not itself either. */
static inline bool access_matters(const AccessSet *t, const SyncAccess *a)
{
    return t->both[a->buf];
}
/* footprint.c.  The footprint of a with loop variables as they are bound in t->ev. */
const Footprint *access_footprint(AccessSet *t, const SyncAccess *a);
bool footprint_empty(const Footprint *f);
/* keep.c.  f, of n cells of `wide` elements in t->cell or lo .. hi of t->sw and t->so,
 * as one that is kept: another with the same bytes, threads and kind of access, or f from
 * now on. */
const Footprint *footprint_keep(AccessSet *t, const Footprint *f, uint32_t ncell, int64_t wide);
/* conflict.c.  Two atomics that come out the same in either order? */
bool access_commute(const SyncAccess *a, const SyncAccess *b);
int access_conflict(AccessSet *t, const Footprint *a, const Footprint *b);
bool access_overlap(AccessSet *t, const Footprint *a, const Footprint *b); /* some byte in common */
/* Do the boxes around them say that they never meet? */
bool footprint_apart(const Footprint *a, const Footprint *b);
/* buckets.c.  The numbers of all that f may conflict or overlap with; NULL: too many to
 * say. */
const Near *access_near(AccessSet *t, const Footprint *f);

/* global.c: the known part of index idx of dimension d for all threads; the rest
 * becomes terms of f.  False: not known. */
bool global_index(AccessSet *t, Footprint *f, Ex idx, int d, Lanes *known);
/* Is more of the index known with var at a value, as `at`, than where it runs? */
bool global_counts(AccessSet *t, Ex idx, uint32_t var, int64_t at);
int global_meet(AccessSet *t, const Footprint *a, const Footprint *b); /* CF* */
/* Do both name the elements of their buffer alike: by the same dimensions and type? */
bool global_named_alike(const Footprint *a, const Footprint *b);
/* Are they named alike, and what is unknown of dimension d the same, so that it is apart
 * where their ranges in it are? */
bool global_along(const Footprint *a, const Footprint *b, int d);
/* Are the boxes around the two apart, in a dimension in which their terms are the same?
 * The answer of most pairs, and quick. */
bool global_apart(const Footprint *a, const Footprint *b);
uint64_t cell_hash(const int64_t *idx, int nd);
/* Sorts by place, joins those of one place; how many are left. */
uint32_t cells_sort(AccessSet *t, BucketCell *c, uint32_t n);
/* What two owners of one cell (thread + 1, or -1) do to each other: CF*. */
int owners_meet(uint32_t wa, int32_t oa, uint32_t wb, int32_t ob);

/* Places ---------------------------------------------------------------- */

enum { SYfence = 1, SYwarp = 2, SYblock = 4 };
struct SyncSite {
    Node *before;
    SyncSite *next;        /* in front of the same */
    int what;              /* SY* bits */
    int need;              /* those without which something is not ordered */
    uint32_t order;        /* in which they were put */
    const Stmt *role;      /* its threads wait, or all, NULL */
    bool front;            /* before is a role, and role one that ran beside it */
    int depth;             /* loops around it */
};

typedef struct Sync Sync;
struct Sync {
    Low *l;
    AccessSet t;
    Uniform u;
    SyncSite **site; uint32_t nsite, capsite;
    /* The first need that a run found. */
    Node *before;
    int what, depth;
    const Stmt *role;
    bool front;
    const SyncAccess *late; /* whom it lets wait, */
    Loc early;             /* ... and for which access */
    Node *fence_at;        /* a barrier that must have a fence before it, or NULL */
    bool stop;
    bool puts;             /* a run puts in what it lacks where it can, and goes on; */
    bool changed;          /* ... it has, */
    uint32_t nlate;        /* ... so often in a round of a loop that is not its first */
    bool marks;            /* a run finds SyncSite.need */
    struct Beside { const Stmt *a, *b; } *beside; /* of what it was said that it has no order */
    uint32_t nbeside, capbeside;
    uint8_t ages;          /* see Walk; 0: not counted yet */
    struct NamedBarrier *named; /* named.c: barriers of each number; NULL: not looked at yet */
    struct OwnBarrier *own; /* phases.c: the program's own mbarriers, by number; */
    int nown; uint32_t open; /* ... bits of those that are not followed */
    Node *ahead;           /* ... the first role whose wait is for what stands behind it in the text */
    bool blind;            /* a run asks for no barrier, only what it can know of these */
    struct State *spare;   /* states that no walk holds */
    struct State *last;    /* of the walk before: room */
    uint32_t *near, capnear; /* see state_near() */
    struct Again *again;   /* again.c */
    SyncSite **moved; uint32_t capmoved; /* sync.c: fences that a try puts in */
};
/* Puts in what the last run asked for. */
void sync_put(Sync *y);
/* The fence that y->fence_at lacks; false: it is there, and nothing has changed since the run began. */
bool sync_put_fence(Sync *y);
/* walk.c: runs the program's accesses past the barriers that stand and the
 * sites; true: all ordered.  False: before, what and role say what is missing. */
bool sync_run(Sync *y);
/* beside.c: which of the roles in s and what follows it run side by side: Stmt.role.apart. */
void beside_find(Low *l, Stmt *s);
/* phases.c: finds the program's own mbarriers that can be followed: Sync.own. */
void phases_find(Sync *y);
/* again.c: as sync_run(), of a program that is ordered; what is pending at some of
 * its statements is kept. */
bool sync_record(Sync *y);
/* As sync_record(), when since then only sites in front of `from` and those n have changed.
 * False: what is kept is as before. */
bool sync_again(Sync *y, Node *from, SyncSite *const *moved, uint32_t n);

#endif
