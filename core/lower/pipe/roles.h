/* core/lower/pipe/roles.h: inside the split into roles: roles.c, roles_plan.c. */
#ifndef MOONTILE_ROLES_H
#define MOONTILE_ROLES_H

#include "pipeline.h"

enum { Group = 128, RoleDepth = 16 };

typedef struct BarrierPair BarrierPair;
struct BarrierPair {
    uint32_t buf;          /* of scope pipe */
    int *unit, n; uint32_t capunit; /* its loads, in order */
    int first, last;       /* readers */
    Ex cond;               /* of its loads, or 0 */
};

/* A loop whose loads move, or one copy before such a loop. */
typedef struct Split Split;
struct Split {
    Stmt *s;               /* the loop, or the copy */
    Pipe *q;               /* NULL: a copy */
    Stmt *up[RoleDepth];   /* statements around it, outermost first */
    int depth;
    bool *tma;             /* of q's units */
    BarrierPair *pipe; uint32_t cappipe;
    int npipe, stages;
    int like;              /* number of the split whose barrier pairs and stages it uses after it,
                            * or -1 */
    bool lent;             /* others use this one's */
    bool once;             /* nothing is ever released: every use has a stage of its own */
    Ex trip;               /* uses of the barrier pair each time: iterations, or 1 */
    Ex count[2];           /* number of the first use, for consumers and producer */
    uint32_t var[2];       /* counters, or 0 */
};

typedef struct Roles Roles;
struct Roles {
    Low *l;
    Split *split; uint32_t capsplit; /* grows while the plan is made */
    int n;
    struct RolesAt { const Stmt *s; int split; } *at; /* hash table: the splits, and -1: what is */
    uint32_t nat, capat;   /* ... around them */
    Stmt *up[RoleDepth];
    int depth;
    bool *need;            /* private buffers that the producer computes, too */
    bool more;
    const char *why;       /* the producer cannot follow: what it would need */
};

/* roles_plan.c: which loads move, what must follow them.  False: nothing to
 * split; Roles.why is set when it was worth a note. */
bool roles_plan(Roles *r);
/* The split that s is. */
Split *roles_split_of(const Roles *r, const Stmt *s); /* NULL: none is */
/* Whether the producer runs s, too, beside the loads. */
bool roles_kept(Roles *r, const Stmt *s);
/* The copies of a unit that TMA may move: one, or several under one `if`. */
Stmt *roles_copies(Stmt *s);
int64_t roles_bytes(const Low *l, const Stmt *copy);

#endif
