/* core/ir/plan.h: what a host does to run a thread program on a GPU.
 *
 * One kernel a launch of the program.  The printer names parameters from the
 * plan, the device and the exported launcher fill them, so that the three
 * cannot disagree.  All of it lives in the Prog's arena. */
#ifndef MOONTILE_PLAN_H
#define MOONTILE_PLAN_H

#include "ir.h"
#include "core/layout/machine.h"

/* A parameter of the printed kernel. */
enum PlanKind {
    PKtensor,   /* pointer to the first element of Buf id (a parameter of the program) */
    PKscalar,   /* value of Var id */
    PKdim,      /* int32 value of Var id, a symbolic dimension */
    PKwork,     /* pointer to PlanWork id: T.alloc_global, or scratch of a pass; contents undefined */
    PKmap,      /* CUtensorMap of PlanMap id, by value, __grid_constant__ */
    PKout,      /* pointer to the side buffer of T.print and T.device_assert (struct PlanOut) */
    PKgrid      /* pointer to the uint32 counters of grid-wide barriers, zeroed before each run */
};
typedef struct PlanParam PlanParam;
struct PlanParam {
    uint8_t kind, dt;     /* dt: of the element or scalar */
    bool read, written;   /* tensors, workspaces; maps: what they do to their tensor, which has
                           * a parameter of its own only where an address of it is needed */
    uint32_t id;
    const char *name;     /* in the printed text */
};

/* A tensor map: the box of the tma operations that name this buffer with these
 * extents and swizzle.  Dimensions in the IR's order, outermost first; a driver
 * wants them reversed. */
typedef struct PlanMap PlanMap;
struct PlanMap {
    uint32_t buf;         /* global Buf: its shape and strides are in p->buf */
    int ndim;
    int32_t box[MaxDim];  /* elements */
    int swizzle;          /* bytes: 0, 32, 64, 128 */
    const char *name;
};

typedef struct PlanWork PlanWork;
struct PlanWork { uint32_t buf; const char *name; }; /* bytes: shape at run time * size of dtype */

/* A statement that writes to the side buffer; records carry its number. */
typedef struct PlanSite PlanSite;
struct PlanSite { const Stmt *s; };

typedef struct PlanLaunch PlanLaunch;
struct PlanLaunch {
    const Stmt *launch;
    const char *name;              /* of the kernel: the program's, with _1, _2 .. behind the first */
    PlanParam *param; int nparam;
    Ex grid[MaxLaunchDim];         /* blocks, over dims and scalars; 1 where absent */
    int threads;                   /* of the block, all roles */
    int64_t shared;                /* bytes, dynamic */
    uint8_t cluster[MaxLaunchDim]; /* at least 1 */
    int blocks;                    /* that should fit on one multiprocessor; 0: not said */
    bool grid_sync;                /* all blocks must be resident: a cooperative launch */
};

typedef struct Plan Plan;
struct Plan {
    Prog *p;
    const Machine *m;
    PlanLaunch *launch; int nlaunch;
    PlanMap *map; int nmap;
    PlanWork *work; int nwork;
    PlanSite *site; int nsite;     /* in the order of the program's statements, over all launches */
};

/* plan.c.  p is a thread program (p->machine set); NULL: reported into p->ctx. */
Plan *plan_new(Prog *p);
/* The map that a tma operation uses (Otma_load, Otma_store); -1: none. */
int plan_map_of(const Plan *q, const Stmt *s);
int plan_site_of(const Plan *q, const Stmt *s); /* -1: none */

/* The side buffer: this head, then records.  A thread takes room with one
 * atomic add on `used` (in words); what does not fit is counted and dropped.
 * It lies in memory that the host can read after the device is lost. */
typedef struct PlanOut PlanOut;
struct PlanOut {
    uint32_t used;      /* 32-bit words taken, also of records that did not fit */
    uint32_t room;      /* words behind this head */
    uint32_t dropped;   /* records that did not fit */
    uint32_t failed;    /* 1 + site of the first T.device_assert that failed, 0: none */
};
/* A record: site, words of it in all, block (x + y * gx + z * gx * gy, 2 words, low
 * first), thread in block, index of the first element (tiles; else 0), then values: each
 * element takes as many words as it needs (1 up to 32 bits, 2 for 64 bits). */
enum { PlanRecordHead = 6 };

#endif
