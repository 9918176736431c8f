/* core/check/check.h: inside the source-level checks: what a program reads and
 * writes, in order, and questions about it. */
#ifndef MOONTILE_CHECK_H
#define MOONTILE_CHECK_H

#include "core/ir/walk.h"

/* A statement with blocks around an access. */
typedef struct CheckFrame CheckFrame;
struct CheckFrame {
    const Stmt *s;
    const CheckFrame *up;
    uint32_t first, last;  /* accesses inside: first <= k < last */
    uint32_t begin, end;   /* moments: statements are counted */
    bool maybe;            /* a loop left early, a while: may not run */
};

/* A condition that holds where an access happens; cond 0: one that cannot be
 * said. */
typedef struct Guard Guard;
struct Guard {
    Ex cond;
    bool not;
    const Guard *up;
};

enum { Aread = 1, Awrite = 2, Aatomic = 4 };

typedef struct Access Access;
struct Access {
    const Stmt *s;
    const CheckFrame *in;
    const Guard *guard;
    uint32_t moment;
    uint32_t buf;
    uint8_t mode, ndim;
    bool tile;             /* a region: extent holds */
    uint16_t update;       /* of an atomic: update_number() */
    bool adds;             /* written by an operation that adds to it */
    Ex idx[MaxDim], extent[MaxDim];
};

/* What is known of the values that a variable takes. */
typedef struct Domain Domain;
struct Domain {
    bool exact;            /* all of lo, lo + step, .. hi, whatever the others */
    int64_t lo, hi, step;
    uint32_t moment;       /* of its declaration */
    const Stmt *s;         /* the loop or launch that declares it */
};

typedef struct Facts Facts;
struct Facts {
    Prog *p;
    Access *a;
    uint32_t n, cap;
    Domain *dom;           /* of each Var */
    Ex *let;               /* of each Var: its value where that is pure and short */
    uint32_t *letsize;     /* of each Var: nodes of that, 1 without */
    uint32_t *born;        /* of each Buf: moment of its alloc, 0: before all */
    int64_t *env;          /* room for a value of each Var */
    uint32_t *uses;        /* list of variables, see facts_uses */
    const uint32_t **vars; uint32_t capvars; /* of an expression: Affine.var, found before */
    /* while gathering */
    const CheckFrame *in;
    const Guard *guard;
    uint32_t moment;
    uint32_t nuses;        /* while facts_uses() lists them */
    const Stmt *s;
    struct Counting *counting; /* counted.h: the loops around that count */
    uint32_t *spare, nspare; /* variables for those */
};

/* access.c: everything that p reads and writes, in program order; lets that
 * are pure are replaced by their values.  Statements that never run are left
 * out. */
Facts *facts_gather(Prog *p);
/* The range of variable v: of a number that comes with the call what T.assume says of it, in front
 * of the launches or of the statements of the only one. */
void facts_assumed(const Prog *p, uint32_t v, int64_t *lo, int64_t *hi);
Ex facts_expand(Facts *f, Ex e);
/* Adds the variables of e to f->uses[0..n); returns the new n. */
uint32_t facts_uses(Facts *f, Ex e, uint32_t n);
/* Do all guards of a hold with f->env?  1 yes, 0 no, -1 cannot be said. */
int facts_holds(const Facts *f, const Guard *g);
/* The innermost frame of kind k around a; NULL. */
const CheckFrame *frame_find(const CheckFrame *in, enum StmtKind k);
const CheckFrame *frame_parallel(const CheckFrame *in); /* outermost T.Parallel */

/* A sum of small numbers times variables, and c; nrest: terms of it that are no variables. */
typedef struct Affine Affine;
struct Affine {
    int n, nrest;          /* terms: all, and those that are no variables */
    int64_t c;
    const Ex *atom;        /* in order of their handles */
    const int64_t *coef;
    const uint32_t *var;   /* of each; 0: it is no variable */
};
bool affine_of(Facts *f, Ex e, Affine *out);

/* "i = 3, j = 0" for the variables uses[0..n) with their values in env. */
const char *facts_where(Facts *f, uint32_t n);
/* "3, 0": the values of n variables. */
const char *facts_values(Facts *f, const uint32_t *var, int n, const int64_t *v);

/* solve.c: integers z[k] in lo[k] .. hi[k] with  sum a[e][k] z[k] = b[e]. */
enum { MaxUnknown = 48, MaxEquation = MaxDim + 12 };
typedef struct EqSolve EqSolve;
struct EqSolve {
    int n, neq;
    int64_t lo[MaxUnknown], hi[MaxUnknown];
    int64_t a[MaxEquation][MaxUnknown], b[MaxEquation];
    bool (*accept)(const EqSolve *, const int64_t *lo, const int64_t *hi, void *);
    void *ud;      /* accept: may this box hold a wanted solution? */
    int64_t z[MaxUnknown];
    int steps;     /* left */
};
/* 1: z is a solution; 0: there is none; -1: gave up. */
int solve(EqSolve *s);

/* idle.c: reports a loop that never runs and would have written root; false: there
 * is none. */
bool check_idle_writer(Facts *f, uint32_t root);
/* Is a inside of a loop that has no rounds, whatever the values are? */
bool check_never_runs(const Facts *f, const Access *a);

/* init.c: are a and b done by different threads side by side, so that their order in the text
 * says nothing? */
bool check_concurrent(const Facts *f, const Access *a, const Access *b);

enum { CheckErrors = 20 }; /* that one run reports */

/* The checks.  They report into p->ctx. */
void check_names(Prog *p);
void check_structure(Facts *f);
void check_bounds(Facts *f);
void check_overlap(Facts *f);
void check_race(Facts *f);
void check_init(Facts *f);
void check_role(Facts *f);
void check_init_open(Facts *f); /* what depends on data: notes */
bool check_full(const Facts *f); /* enough errors reported? */

#endif
