/* core/lower/audit/audit.h: are the barriers of a thread program enough?
 *
 * The checker of low_sync, by another way than its: the block is executed, thread by
 * thread, as far as the program can be known without its inputs, and every byte of
 * shared memory remembers who touched it last and when, in vector clocks of warps.
 * It shares with low_sync what says the value of an expression and what says what a
 * statement touches (eval.h, effects.h), and nothing else.
 *
 * What cannot be known: loops that are open make 4, 0, 1, .. rounds, one trial each;
 * conditions that are open and the same for all threads are true in one trial and
 * false in another; an index that is open means all that it can be.  Of long loops the
 * first and the last rounds run, where what is between repeats; where the roles of a
 * block come to a stand because of that, all of them.  Where they come to a stand all the
 * same, whatever the inputs, that is said: every order of events that it plays is one
 * that may be.
 *
 * Two accesses of one statement, or of iterations of one T.Parallel, are not asked
 * about: no barrier could stand between them.  Global memory is not looked at. */
#ifndef MOONTILE_AUDIT_H
#define MOONTILE_AUDIT_H

#include "core/ir/effects.h"
#include "core/ir/eval.h"
#include "core/layout/machine.h"
#include "core/ir/walk.h"

/* tree.c: the statements, and what each touches ------------------------ */

/* One access to shared memory, or to an mbarrier. */
typedef struct AuditAccess AuditAccess;
struct AuditAccess {
    Stmt *s;
    const struct Step *in; /* s there */
    uint8_t mode;          /* FX* */
    char level, done;      /* MemEffect's */
    bool async;            /* through the async proxy */
    uint8_t nd;
    int lanes;             /* ldmatrix, stmatrix: lanes that give an address; else 0 */
    uint32_t buf;          /* as it is indexed */
    Ex idx[MaxDim];
    int64_t ext[MaxDim];   /* elements; -1: not known */
    uint32_t if0, nif;     /* its conditions inside the statement, in Audit.cond */
    uint32_t *dep; uint32_t ndep, capdep; /* loop variables that it is made of */
    int64_t *period;       /* ... after how many steps of each it repeats, or 0 */
    bool changes;          /* made of more than those: of variables in memory */
    bool assumed; uint32_t since; /* something of it is; Eval.givens then */
    struct Cells *cells;   /* those found so far */
};

typedef struct Cond Cond;
struct Cond { Ex e; bool not; };

/* A statement. */
typedef struct Step Step;
struct Step {
    Stmt *s;
    Step *next, *child[2], *up;
    AuditAccess *access; uint32_t naccess;
    bool busy;             /* it or one inside touches something, orders, or keeps count */
    bool orders;           /* it or one inside orders threads, or waits */
    bool writes;           /* it or one inside writes */
    bool jumps;            /* a break or continue is inside */
    int64_t period;        /* of a loop: after how many rounds what it does repeats; 0: not
                            * known */
    int64_t common;        /* ... what of it repeats at all: stages, phases */
    uint32_t since;        /* Eval.known then; 0: not asked yet */
};

/* Cells ------------------------------------------------------------------ */

/* A cell, some bytes of shared memory side by side, and who touched it: a thread, or -1: several
 * of its warp. */
typedef struct AuditMark AuditMark;
struct AuditMark { uint32_t cell; int32_t who; };

typedef struct Mask Mask;
struct Mask { uint64_t *warp; uint8_t *on; int n; Mask *next; }; /* lanes of each warp; threads */

typedef struct Cells Cells;
struct Cells {
    const Mask *mask;      /* the threads there were */
    int64_t *key, trips;   /* of each of AuditAccess.dep, and what was assumed */
    int part;              /* audit_cells()'s */
    AuditMark *m;
    bool open;             /* where is not known: all that may be */
    uint32_t *from;        /* warp w's are m[from[w]] .. m[from[w + 1] - 1] */
    AuditMark *kind; uint32_t *kindfrom, trial; /* ... of each kind of cells one; of that trial */
    uint32_t seen;         /* ... it was touched last */
    Cells *next;           /* of the same access */
};

/* What a warp comes to, one after the other.  */
enum { AuditChunk = 16 };

enum {
    DOaccess,              /* cells */
    DObarrier, DOarrive, DOleave, /* named barrier id, count threads: both; arrive; wait */
    DOwarp,                /* the lanes of a warp meet */
    DOlanes,               /* ... of those that come, those that the mask names: n, or each its own */
    DOfence,               /* fence.proxy.async */
    DOcommit, DOwait,      /* asynchronous work `fly`, all but n groups */
    DOinit, DOmarrive, DOexpect, DOload, DOmwait /* of mbarrier id; n: arrivals, bytes, parity */
};
enum { AFnone, AFcopy, AFwgmma, AFbulk, AFbarrier, NFly };

typedef struct AuditEvent AuditEvent;
struct AuditEvent {
    uint8_t what, fly;
    bool arrives;          /* DOexpect */
    const Stmt *s;
    const Mask *mask;
    uint32_t step;         /* events of one step are not compared */
    uint32_t id;           /* barrier, mbarrier object */
    int64_t n;
    const int64_t *named;  /* DOlanes: of each thread; NULL: n is everyone's */
    const AuditAccess *access; Cells *cells; /* DOaccess */
    uint32_t *time;        /* of wgmma: when each warp had waited for it */
};

/* What two statements lack.  a came first. */
typedef struct Lack Lack;
struct Lack { const Stmt *a, *b; bool fence; uint32_t buf; };

/* Of each loop by its own period; of all by a common one, so that those of two roles
 * leave out as many; none. */
enum { SKown, SKcommon, SKnone };

typedef struct Trial { int64_t trips; bool truth; } Trial;

typedef struct Audit Audit;
struct Audit {
    Prog *p;
    Stmt *launch;
    const Machine *m;
    Ctx *c;
    int threads, warps;
    int64_t work, limit;   /* done so far, at most */
    Eval ev;
    Step *root;
    Cond *cond; uint32_t ncond, capcond;
    uint32_t *first; uint8_t *shift; /* of each 16 bytes: their first cell, log2 of its bytes */
    int64_t chunks;
    uint32_t ncell;
    /* cells.c */
    int32_t ***table;      /* of a Buf: offset that an index adds, of each dimension */
    int *run;              /* of a Buf: elements side by side in one cell, from each multiple on */
    uint32_t *stamp, *stampat, serial;
    uint8_t *on;           /* room for a mask; for a key: */
    int64_t *key; uint32_t capkey;
    struct CellFound *found; uint32_t capfound; /* room for what is found */
    /* trace.c */
    Trial trial;
    bool open, fork;       /* met an open loop, an open condition */
    bool guess;            /* perhaps others meet or wait than one thinks */
    uint8_t skip;          /* SK*: may rounds of long loops be left out? */
    bool skipped;          /* some were */
    uint8_t *perhaps;      /* of each thread: an open condition decides whether it is here; or NULL */
    bool lost;             /* something that decides the order is not known */
    int64_t *mem; uint8_t *set; /* of private variables */
    Mask *masks;
    AuditEvent *e; uint32_t n, cap;
    uint32_t step;
    uint32_t *object, nobject; /* of a Buf: its first mbarrier's number + 1 */
    int64_t *mbars;        /* ... how many it has */
    int blocks;            /* of the cluster, which do the same */
    /* merge.c */
    uint32_t ntrial, nset; /* trials; sets of cells that the last one touched */
    uint32_t *kind, nkind; /* kind + 1 of a cell, 0: nobody touches it; how many */
    struct CellSum *sum;
    /* play.c */
    struct Play *play;
    Lack *lack; uint32_t nlack, caplack;
};

/* tree.c.  False: nothing is shared. */
bool audit_tree(Audit *a);
/* Elements of a row that the access t of k takes at once in the vector loop around it; 0: its
 * variable decides more than the place in the row, and stands at one value after the other. */
int64_t audit_vector(const Audit *a, const Step *k, const Step *loop, const AuditAccess *t);
/* ... in all those around it. */
int64_t audit_width(const Audit *a, const Step *k, const AuditAccess *t);
/* Of a buffer in shared memory, as far as there is any. */
int64_t audit_bytes(const Audit *a, uint32_t root);
/* Is loop k one step: what its rounds touch, together?  Its rounds have no order (they
 * are iterations of T.Parallel), or write nothing. */
static inline bool audit_as_one(const Step *k)
{
    const Stmt *s = k->s;
    if (s->kind != Sfor)
        return false;
    return s->loop.kind == Fvectorized ||
           ((s->loop.apart || !k->writes) && !k->orders && !k->jumps);
}
/* trace.c: the events of one trial. */
void audit_trace(Audit *a);
/* After how many rounds what loop k does repeats, as far as that is known; else 0. */
int64_t audit_period(Audit *a, Step *k);
/* cells.c: what t touches now, by the threads of mask; `in`: the outermost statement
 * around it that is taken as one, or its own: loops inside it run through.  part: i + 1
 * for block i of the cluster, or 0: this one, whichever it is. */
Cells *audit_cells(Audit *a, AuditAccess *t, const Step *in, const Step *at, const Mask *mask,
                   int part);
/* Calls f for each expression that decides where t is and who comes there. */
typedef void EachFn(void *ud, Ex e);
void audit_each(const Audit *a, const Step *k, const Step *one, const AuditAccess *t, EachFn *f,
                void *ud);
const Mask *audit_mask(Audit *a, const uint8_t *on);
/* c where it is known, for the threads of mask: who may take the side (not: the other). */
const Mask *audit_side(Audit *a, const Mask *mask, Lanes c, bool not);
/* merge.c: of cells that the same threads touch always, one: Cells.kind. */
void audit_merge(Audit *a);
/* play.c: runs the warps against each other; what lacks is added to a->lack.  Where
 * a warp waits for ever, the first such statement; NULL: nowhere. */
const Stmt *audit_play(Audit *a);

/* audit.c ------------------------------------------------------------------ */

typedef struct AuditFound AuditFound;
struct AuditFound {
    Lack *lack; uint32_t n;
    uint8_t part;          /* AP* of ir.h: did all trials run to their ends? */
    const Stmt *stuck;     /* threads wait here for ever, whatever the inputs; or NULL */
    int64_t work;
};
/* limit: marks to look at; 0: without one. */
AuditFound audit_run(Prog *p, const Machine *m, Stmt *launch, int64_t limit);

#endif
