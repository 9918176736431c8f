/* core/lower/vary/vary_p.h: inside of the analysis.  See flow.c first. */
#ifndef MOONTILE_VARY_P_H
#define MOONTILE_VARY_P_H

#include "core/ir/eval.h"
#include "core/ir/walk.h"
#include "vary.h"

enum {
    MostElements = 32,     /* of an array that are known apart */
    MostSlots = 128,       /* ... of all arrays */
    MostRounds = 32,       /* of loops around that are gone through one by one */
    MostNodes = 64,        /* of a value; of larger ones it is known where they differ */
    MostVisits = 32        /* of a statement, on average; then loops are gone through once */
};

/* What tokens stand for: what a statement leaves in a slot. */
enum VaryToken {
    VTstored, VTjoined, VThead, VTback, VTnext, VTbroken, VTleft, VTexit, VTreset, VTrole,
    VTrenamed, VTseen, VTmemory, VTround /* and the number of the round */
};

/* Of a variable of the program, or a token: a variable that stands for a value which is not
 * known, and does not change while it can be met. */
typedef struct VaryFact VaryFact;
struct VaryFact {
    Steps *steps;          /* or NULL: none */
    uint32_t stamp;        /* when it got its value */
    Ex is, ever;           /* of a let: what it stands for here; whenever it was met; 0: itself */
    bool let, held;        /* ever holds; some slot may have a value that is made of it */
    const Stmt *at;        /* of a let: where it got its value */
    Ex load; uint32_t memory; /* of a load of memory: what is loaded, when: 0: none */
    uint32_t parts;        /* the look of Vary.parts that met the load */
    bool read;             /* its steps were looked at */
    uint32_t grown;        /* of Vary.grown: since then `loaded` is where the load differs */
    Steps *loaded;
};

/* What is known at a place.  Slots: elements of private arrays, counted from 1. */
typedef struct VaryState VaryState;
struct VaryState {
    Ex *val;               /* of each slot - 1; while answers are given 0 of those that are not
                            * named where they are about */
    uint32_t memory;       /* a token: what is in it */
    bool dead;             /* nobody comes here */
};

/* What tables of entries begin with; see table.c. */
typedef struct VaryLink VaryLink;
struct VaryLink { VaryLink *next; uint32_t hash; };
typedef struct VaryTable VaryTable;
struct VaryTable { VaryLink **list; uint32_t n, cap; };

/* In front of s: of the n slots that it names itself, what they have. */
typedef struct VaryPlace VaryPlace;
struct VaryPlace {
    VaryLink link;
    const Stmt *s;
    uint32_t *slot, n, cap, capval;
    Ex *val;
    VaryHere here;
    Steps *div;
};

/* Part of an array that is known apart. */
typedef struct Part { uint32_t first, n; } Part;

typedef struct VaryName VaryName;
struct VaryName { VaryLink link; uintptr_t at; uint32_t slot, kind, var; };
typedef struct VaryLane VaryLane;
struct VaryLane { bool seen; Steps *steps; };

struct Vary {
    Low *l;
    uint32_t tid;          /* Var: the launch's thread; Low.tid may be a let for it (roles) */
    enum VaryOf of;
    VarySee *see; void *ud;
    bool none, lost;       /* nothing in the program differs; where we are was not gone through */
    Eval ev;               /* of the threads of the block, one a lane */
    uint32_t words;        /* of Steps */
    uint32_t *slot, *count, nroot; /* of a private root: its first slot; how many */
    uint32_t nslot;        /* of all; a root of many elements has one, which stands for them */
    bool *single;          /* of each slot - 1: it is one element */
    uint8_t *type;         /* ... of what type */
    VaryState now;
    VaryHere here;
    VaryFact *fact; uint32_t nfact; /* by variable */
    uint32_t clock;
    VaryTable names, places; /* VaryName, VaryPlace */
    VaryLane *lane; uint32_t nlane; /* by expression: steps of those made of the index alone */
    uint8_t *index; uint32_t nindex; /* by expression: see steps_by_index() */
    uint8_t *plain; uint32_t nplain; /* by expression: 1 it stands for itself, 2 it may not */
    Ex but;
    uint32_t parts;        /* how many values' parts were looked at */
    uint32_t grown;        /* how often something changed of what steps were found by, from 1 */
    bool asking;           /* everything is gone through */
    const VaryPlace *at;   /* ... and questions are about this place */
    bool *kept;            /* by slot - 1: stored in since the parallel loop began */
    int rounds, bound;     /* of loops around that are gone through one by one; how many those are */
    uint32_t visits, most; /* of statements; how many there may be */
    Vary *once;            /* VaryTiles: what the block does once, or NULL: nothing is asked for */
    /* of the loop around */
    Steps *gone;           /* where threads differ in whether they left its round */
    struct VaryLoop *loop;
};

/* table.c -------------------------------------------------------------------- */

/* The first of those that may have this hash, or NULL; then their next. */
VaryLink *vary_links(const VaryTable *t, uint32_t hash);
void vary_link(Vary *v, VaryTable *t, VaryLink *k, uint32_t hash); /* one more */

/* steps.c -------------------------------------------------------------------- */

static inline void steps_put(Steps *s, int t) { s[t / 64] |= (Steps)1 << t % 64; }
static inline bool steps_at(const Steps *s, int t) { return s[t / 64] >> t % 64 & 1; }
Steps *steps_none(const Vary *v);
bool steps_join(const Vary *v, Steps *to, const Steps *from); /* is that more? */
void steps_every(const Vary *v, Steps *to, int n);   /* at each multiple of n */
bool steps_differ(const Vary *v, const Steps *s);    /* do the threads that are here differ? */
/* Adds those of e, as it is here; of e that is made of tokens and names, which vary_value() gave. */
void steps_of(Vary *v, Steps *to, Ex e);
void steps_of_value(Vary *v, Steps *to, Ex e);
void steps_of_all(Vary *v, Steps *to, const Stmt *s); /* those of all expressions of s itself */

/* value.c -------------------------------------------------------------------- */

VaryFact *vary_fact(Vary *v, uint32_t var);
Steps *vary_steps(Vary *v, uint32_t var);
void vary_gains(Vary *v, uint32_t var, const Steps *more);
/* The token for what at leaves in a slot, which from now on differs at `steps` too. */
Ex vary_token(Vary *v, const Stmt *at, uint32_t slot, int kind, enum Dtype dt, const Steps *steps);
Part vary_whole(const Vary *v, uint32_t buf);
/* The element with these indices; where they are not known all that there are. */
Part vary_element(Vary *v, uint32_t buf, const Ex *idx);
Part vary_part(Vary *v, const Region *r, bool *all); /* *all: and nothing else is in it */
bool vary_single(const Vary *v, Part k);             /* known to be one element */
int64_t vary_elements(const Prog *p, uint32_t buf);  /* 0: too many, or not known */
uint32_t vary_stamp(Vary *v, Ex value);              /* when the newest of its parts got its value */
/* A value for a slot: e itself where it is small. */
Ex vary_keep(Vary *v, Ex e, const Stmt *at, uint32_t slot, enum VaryToken kind);
void vary_hold(Vary *v, Ex value);                   /* slots have it from now on */
bool vary_names(Vary *v, Ex value, uint32_t var);    /* is it made of var? */
enum Dtype vary_type(const Vary *v, uint32_t slot);  /* of its elements */

/* flow.c --------------------------------------------------------------------- */

/* Goes through s and what follows it.  div: where threads differ in whether they come to s. */
void flow_block(Vary *v, const Stmt *s, const Steps *div);

/* ask.c ---------------------------------------------------------------------- */

void vary_note(Vary *v, const Stmt *s);  /* remembers what is known in front of s */

#endif
