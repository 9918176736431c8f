/* targets/sim/code.h: what a loaded thread program and a running launch are,
 * for the files that build it and run it.
 *
 * Code is a flat list of instructions over operands.  An operand is uniform
 * (one value a strand, in Strand.u), of the threads (an array over all threads
 * of the cluster, class by class as sim.h says) or wide (w such arrays, one
 * behind the other, inside a vectorized loop).  Elementwise operations have no
 * effects and run for all lanes; loads, stores and everything else that touches
 * memory are instructions of their own and obey the strand's mask. */
#ifndef MOONTILE_SIM_CODE_H
#define MOONTILE_SIM_CODE_H

#include "hb.h"
#include "iters.h"
#include "kern.h"
#include "mbar.h"
#include "units.h"

enum {
    SimWide = 64            /* most elements of one vector access: 32 bytes of 4 bits */
};

/* How values of a type are kept in registers (sim.h). */
enum ValueClass { VCf, VCd, VCi, VCl, NValueClass };
static inline enum ValueClass value_class(enum Dtype dt)
{
    const DtypeInfo *d = &dtypeinfo[dt];
    return d->cls == 'F' ? (d->bits == 64 ? VCd : VCf) : d->bits == 64 ? VCl : VCi;
}
static inline int class_bytes(enum ValueClass c) { return c == VCd || c == VCl ? 8 : 4; }
/* Rows that a register of the class takes: a row is 4 bytes for each thread. */
static inline uint32_t class_rows(enum ValueClass c) { return (uint32_t)class_bytes(c) / 4; }

/* Operands ---------------------------------------------------------------- */

enum Shape { SHu, SHt, SHw };   /* uniform, of the threads, wide */

/* Where a value is: a register of Strand.u (uniform), or a row of Machinery.lanes. */
typedef struct Val Val;
struct Val {
    uint8_t shape, cls, dt;     /* enum Shape, ValueClass, Dtype */
    uint32_t at;
};

typedef union Reg { float f; double d; int32_t i; int64_t l; } Reg;

/* A local buffer, or a variable that differs between threads: registers of rows. */
typedef struct Local Local;
struct Local {
    uint32_t buf, at;           /* at: row of register 0 */
    uint32_t index;             /* of its defined bytes in Machinery.local */
    uint8_t cls, dt;
    bool async;                 /* a wgmma touches it */
    int first;                  /* thread of the block that a fragment's layout counts from; -1: not used */
    int64_t regs;
    uint8_t *pad;               /* [reg][lanes of a block]: 1 where a fragment's layout holds no
                                 * element, and reading it does no harm; NULL: nowhere */
};

/* An access to memory.  Index d is u[d] + t[d] + (v if vec == d); u is uniform, t of
 * the threads (missing: hast is false), v the element of a vector access. */
typedef struct SimAccess SimAccess;
struct SimAccess {
    uint32_t buf, site, id;     /* id: of the launch, for isstatic ones */
    uint8_t ndim, dt;
    int8_t vec;                 /* dimension that moves with the vector, -1 none */
    uint16_t w;                 /* elements of a vector, else 1 */
    bool isstatic;              /* all t are the same in the whole launch */
    bool quiet;                 /* reads of what nobody writes */
    bool moves;                 /* reads a staging buffer, and what never got a value is moved on */
    bool hast[MaxDim];
    Val u[MaxDim], t[MaxDim];
};

/* Registers of a local buffer: [reg + *at, .. + n) */
typedef struct RegArgs RegArgs;
struct RegArgs {
    const Local *l;
    Val at;                     /* uniform */
    int64_t n;
};

/* c + k[0] * v[0] + .. */
typedef struct Lin Lin;
struct Lin { int64_t c; int n; struct { Val v; int64_t k; } term[]; };

/* What a load, store or atomic of an open T.Parallel is told to iters.c as; or, of run_parallel, the
 * extent `first` of dimension dim. */
typedef struct IterArgs IterArgs;
struct IterArgs {
    uint32_t loop, round;       /* round: uniform register, how often the loop has begun */
    uint32_t begins;            /* site of the loop's beginning: which loops are around it */
    int dim;
    uint8_t mode;               /* It* of iters.h */
    bool spans;                 /* from first to last: both are told; else only first */
    uint16_t wide;              /* elements of a vector, one an iteration; 0: one for all */
    uint8_t lanes;              /* of a vector atomic, from first to last; else 0 */
    Val first, last, value;
    const SimAccess *acc;       /* memory; or */
    uint8_t parts;              /* .. of which views have narrower elements: that many of them; 1 */
    const Local *l; Val at;     /* registers of a fragment, from at on */
};

/* A call of ieee_*: n operands and the mode. */
typedef struct Ieee Ieee;
struct Ieee { uint8_t fn, n; bool wide; Val arg[4]; };

/* A value that is only moved, out of registers [reg + *at, .. + n) into shared memory
 * or other registers: where it is undefined, its new place is too.  l NULL: out of a
 * staging buffer or from another lane, elements [reg, .. + n) of Machinery.held. */
typedef struct Moved Moved;
struct Moved { const Local *l; Val at; int64_t reg; int n; bool lanes; };

/* A variable that is a register of a fragment in another lane: what says in which lanes it has
 * a value (int32); l NULL: it is no such one. */
typedef struct Shuffled Shuffled;
struct Shuffled { const Local *l; int64_t reg; Val row; };

/* Whom a lane names that executes something with other lanes: all of its warp, or those of a
 * mask. */
typedef struct WarpMask WarpMask;
struct WarpMask { bool all; Val v; };

/* An instruction of the IR (Sop) with its operands. */
typedef struct OpArgs OpArgs;
struct OpArgs {
    const Stmt *s;
    uint32_t site[MaxRegion];
    const RegArgs *reg[MaxRegion];    /* registers */
    const SimAccess *acc[MaxRegion];  /* memory: what one thread touches, or where it starts */
    Val min[MaxRegion][MaxDim];       /* boxes; barriers: min[0] is the flat index */
    Val value;
    const SimUnit *unit;
    const WarpMask *mask;             /* of a barrier of the warp */
    int32_t a0, a1, a2;               /* attributes, by operation */
};
int op_attr(const Stmt *s, const char *name); /* build_op.c; 0 when there is none */

/* A warp operation, an atomic, a print.  mask: NULL where it takes those who are there. */
typedef struct CallArgs CallArgs;
struct CallArgs { uint8_t fn, n; Val arg[4]; const WarpMask *mask; };
typedef struct AtomicArgs AtomicArgs;
struct AtomicArgs { const Stmt *s; const SimAccess *acc; Val value[4], prev; bool hasprev; };

typedef struct PrintArgs PrintArgs;
struct PrintArgs {
    const Stmt *s;
    Val value;                        /* of Sprint */
    const Local *local;               /* of Oprint: registers, else memory */
    Val min[MaxDim], extent[MaxDim];
};

/* Uniform variables that are visible at a place. */
typedef struct Live Live;
struct Live { uint32_t n; const uint32_t *reg; const char **name; };

typedef struct Ins Ins;
typedef struct Strand Strand;
/* Executes one instruction for a strand; returns the next one, NULL when the
 * strand cannot go on now (it has ended, waits, or gives others their turn). */
typedef const Ins *InsFn(SimRun *r, Strand *s, const Ins *i);

struct Ins {
    InsFn *fn;
    Val d, a, b, c;
    uint8_t w;                  /* elements of the vector loop around, else 1 */
    uint8_t n;
    uint16_t level;             /* masks around */
    uint32_t site;
    int64_t k;
    const Ins *to;              /* jumps */
    Kern *kern;
    const void *x, *y;          /* more, by kind */
};

/* A loaded program --------------------------------------------------------- */

/* A shared buffer: offsets of an index by tables, unless they are linear. */
typedef struct SharedMap SharedMap;
struct SharedMap {
    bool linear;
    int64_t stride[MaxDim];     /* linear: elements */
    int32_t *tab[MaxDim];       /* by index of the dimension: elements; then XOR */
    int bits, base, shift;      /* of the XOR, 0 bits: none */
};

typedef struct SimLaunch SimLaunch;
struct SimLaunch {
    const Stmt *s;
    int threads, lanes;         /* of a block; rounded up to whole warps */
    int64_t ncta;               /* blocks of a cluster; 0: all of the grid (sync_grid) */
    int cluster[3];
    int64_t shared;             /* bytes of a block */
    uint32_t nreg, nrow, nlevel; /* nlevel: masks within each other, at most */
    uint32_t naccess;           /* static ones */
    const SimAccess **access;
    Local **local; uint32_t nlocal;
    int64_t defined;            /* registers of all locals */
    bool open;                  /* a parallel loop of it was left open by the checks */
    const Ins *once, *code;     /* for the launch, for each block */
    const Loc *loc; uint32_t ncode; /* by instruction of code: the user's line */
    Val grid[3];                /* of `once` */
    uint32_t block[3];          /* registers of the block's indices */
    uint32_t index;             /* row of the thread's index in its block */
};

struct SimProg {
    Prog *p;
    const Machine *m;
    SimSite *site; uint32_t nsite, capsite; /* site 0 is nothing */
    SimLaunch *launch; uint32_t nlaunch, caplaunch;
    bool *written, *read;       /* by root Buf: some statement writes or makes, reads it */
    SharedMap *map;             /* by Buf */
    const KernTable *kern;
    bool exact;                 /* arithmetic as the machine's, where it is known */
    const Live **where;         /* by site: loops around it */
    uint32_t capwhere;
    SimUnit **unit; uint32_t nunit, capunit; /* to be freed */
};

/* A running launch --------------------------------------------------------- */

/* A global buffer of this run; by root Buf. */
typedef struct SimGlobal SimGlobal;
struct SimGlobal {
    char *data;
    int64_t bytes;
    bool owned;                 /* a workspace */
};

/* Shapes and strides, by Buf, as numbers. */
typedef struct SimShape SimShape;
struct SimShape { int64_t size[MaxDim], stride[MaxDim]; };

typedef struct Machinery Machinery; /* run.h: strands, registers, barriers */
struct Trace;                       /* trace.h */

struct SimRun {
    Ctx *ctx;                   /* memory and findings of this run */
    const SimProg *sp;
    const SimOptions *opt;
    const DevHost *host;
    Report report;
    uint32_t told;              /* findings that the session knows */
    Hb *hb;                     /* NULL: no checks */
    Iters *iters;               /* NULL: no checks, or nothing is open */
    Bars *bars;                 /* to be freed */
    Reg *arg;                   /* by Var: scalars and dimensions */
    SimGlobal *global;          /* [p->nbuf] */
    SimShape *shape;            /* [p->nbuf] */
    const SimLaunch *l;         /* the one that runs */
    int64_t grid[3];
    int64_t *block;             /* linear indices of the running blocks, [ncta] */
    int ncta;                   /* of the cluster that runs */
    char *shared;               /* ncta * l->shared bytes */
    bool stop;                  /* enough: end the launch */
    DevError failed;            /* a device_assert failed; or it was given up */
    uint32_t assert_line;
    double start;               /* of the run: s of a clock; only with -seconds */
    int said;                   /* seconds of it that the user was told of */
    Machinery *x;
    struct Trace *trace;        /* of the cluster that runs; NULL: it is not recorded */
};

/* build.c: code for all launches of p, which stays the caller's; unwinds. */
SimProg *sim_build(Prog *p, const Machine *m, bool exact);
void sim_unbuild(SimProg *sp);
/* launch.c: runs every launch of sp; false: *err says why. */
bool sim_run(const SimProg *sp, const SimOptions *opt, const DevHost *host, const DevArg *arg,
             int narg, uint32_t *failed_at, DevError *err);

#endif
