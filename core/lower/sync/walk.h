/* core/lower/sync/walk.h: inside the walk of low_sync: its state. */
#ifndef MOONTILE_SYNC_WALK_H
#define MOONTILE_SYNC_WALK_H

#include "sync.h"

enum { SFnone, SFcopy, SFwgmma, SFbulk, SFload /* of a role, for an mbarrier of the program */ };

typedef uint64_t Warps;  /* a set of threads: one bit for Walk.unit of them */

typedef struct Entry Entry;
struct Entry {
    const Footprint *f;
    const Node *since;   /* of the access, or of the wait that ended it */
    const Stmt *role;    /* of those who did it, or NULL: one of its threads, the newest */
    Node *cleared;       /* the first barrier that followed, or what it stands in front of; */
    const Stmt *by;      /* ... in front of a role: the one whose threads met there */
    uint8_t fly, age;    /* FL*; commits since it was issued */
    uint8_t proxy;       /* PX* */
    bool quiet;          /* Walk.quiet where it was done */
    Warps did, known;    /* who did it, who is behind all of it */
    Warps after;         /* those who did it, and whom the text's order puts behind them */
    Warps lanes;         /* whose warp_sync has followed */
    SyncSite *alone, *lone; /* Sync.marks: the only barrier, warp_sync that has followed */
    uint32_t told, telling; /* mbarriers whose last phase comes behind it; whose open one will */
    Node *gate;          /* done before the roles side by side from this one on, which are walked now,
                          * and checked in them, since it is told */
};

/* Of writes through the generic proxy: no fence yet; one behind the barrier that
 * followed, so that another barrier must follow that; both have followed, in this
 * role alone, and to others there was none. */
enum { PXnone, PXopen, PXlate, PXhere };

/* phases.c: an mbarrier of the program, between two statements. */
typedef struct Phase Phase;
struct Phase {
    uint32_t done;       /* phases complete; of more than 3: 2 or 3, for their parity */
    int64_t arrived;     /* threads that have come to the open one, */
    Warps came;          /* ... and which */
    Warps known[2];      /* who knows that the last but one is complete, that the last is */
    uint32_t told[2], telling[2]; /* mbarriers whose last phase tells that; whose open one will */
    bool lost;           /* more than one way led here: all of this is not known */
};

typedef struct State State;
struct State {
    Phase *phase;        /* of Sync.own; NULL: there are none */
    bool reached;        /* ... something has led here */
    Entry *e; uint32_t n, cap;
    uint32_t *at, *same, capat, capsame; /* e[0 .. indexed - 1] by footprint; see state.c */
    uint32_t indexed, tidied; /* tidied: entries when no two were alike */
    State *next;
};

/* The rounds of a loop. */
typedef struct Rounds Rounds;
struct Rounds {
    bool step;             /* independent: all are one step, the rest is not set */
    uint32_t var;          /* 0: it stays unknown */
    int64_t lo, by;
    int64_t trips;         /* INT64_MAX: not known, but not more than */
    int64_t most;
    int64_t period;        /* of the addresses, 1 at least */
    bool all;              /* the conditions repeat with them */
    bool roams;            /* some address does not repeat */
    int64_t places;        /* accesses to global memory that do not */
};

typedef struct Visit Visit;
typedef struct Walk Walk;
struct Walk {
    Sync *y;
    AccessSet *t;
    State s;
    const Node *role;
    const Stmt **done;   /* the roles beside this one that came before it */
    uint32_t ndone, capdone, first; /* from `first` on */
    Warps mine;          /* who walks here */
    bool quiet;          /* Sync.marks: in a role in which nobody waits for another thread */
    int unit;            /* threads to a bit of Warps */
    uint8_t ages;        /* older than all waits let pass: enough commits are counted */
    bool gate;           /* in front of roles, see Entry.gate */
    bool later;          /* in a round of a loop that is not its first */
    int64_t rounds;      /* of the loops around that are walked exactly, multiplied */
    State *spare;        /* see state_take() */
    State *leave, *again; /* states at breaks and continues of the innermost loop */
    Visit *visit;        /* again.c: of the block that is walked, or NULL; */
    bool record;         /* ... it is made now; */
    const Node *same;    /* ... in front of this one all is as it was, also its sites: asked once */
};

/* state.c: states. */
void state_push(Walk *w, State *s, const Entry *e);
/* ... e happens now: it takes the place of what it was before. */
void state_renew(Walk *w, State *s, const Entry *e);
/* Those of s, in order, that f may meet: *n of them, by number, until the next call; NULL:
 * any of s may. */
const uint32_t *state_near(Walk *w, State *s, const Footprint *f, uint32_t *n);
static inline void state_clear(State *s) { s->n = s->indexed = s->tidied = 0; }
void state_copy(Walk *w, State *to, const State *s);
void state_join(Walk *w, State *to, const State *s);
/* ... of what came before all of `to`: of those alike the place in `to` stands for both. */
void state_join_older(Walk *w, State *to, const State *s);
void state_tidy(Walk *w, State *s);  /* those that have become alike are one */
/* The same, when there are twice as many as when it was done last. */
void state_trim(Walk *w, State *s);
bool state_same(Walk *w, State *a, State *b); /* as sets */
State *state_take(Walk *w);          /* an empty one, to be given back: */
void state_give(Walk *w, State *s);

/* walk.c: a walk of all threads, before the first statement; its memory goes to the
 * next one. */
Walk walk_new(Sync *y);
void walk_end(Walk *w);
/* Node n, with those that belong together with it: the last; what it lacks: y->stop. */
Node *walk_one(Walk *w, Node *n);
/* Node n and what follows it; one step: all of n, in no order. */
void walk_block(Walk *w, Node *n);
void walk_step(Walk *w, Node *n);
/* again.c: block `els` of n, in that round of a loop. */
void walk_inner(Walk *w, Node *n, int els, int64_t round);
/* ... what loop n does here, if it is known; else it is `found`, or NULL: NULL. */
const Rounds *walk_rounds(Walk *w, Node *n, const Rounds *found);
/* ... it has made that many rounds. */
void walk_rounds_end(Walk *w, Node *n, int64_t rounds);
/* The accesses from .. to of n: checked, then part of the state. */
void walk_accesses(Walk *w, Node *n, uint32_t from, uint32_t to);
/* The threads of a role; NULL: all. The role that n stands in, or NULL. */
Warps walk_warps(const Walk *w, const Stmt *role);
Node *walk_role(Node *n);
static inline bool all_in(Warps a, Warps b) { return !(a & ~b); }

/* named.c: who has met behind a barrier of number id, to which all of w->mine come;
 * 0: not known. */
Warps named_met(Walk *w, int64_t id);

/* phases.c: the program's own mbarriers in a state that nothing has led to yet, and in that at the
 * start; what is not the same on two ways that lead to one place is lost. */
void phases_clear(Walk *w, State *s);
void phases_start(Walk *w, State *s);
void phases_copy(Walk *w, State *to, const State *s);
void phases_join(Walk *w, State *to, const State *s);
bool phases_same(const Walk *w, const State *a, const State *b);
/* Threads `here` have met at a barrier of threads `who`. */
void phases_met(Walk *w, Warps here, Warps who);
/* w->mine come to arrival or wait n; ... in something that is one step: not all of them may. */
void walk_phase(Walk *w, Node *n);
void walk_phase_passed(Walk *w, const Node *n);
/* What decides which mbarrier, and which phase (or 0), n is about; 0: none. */
Ex phases_depend(const Sync *y, const Node *n, Ex *parity);

/* beside.c: what a role side by side with this one has done, e, and f: do they meet? */
void sync_beside(Walk *w, const Footprint *f, const Entry *e);
bool sync_quiet(uint8_t op);         /* no thread waits for another in it, or tells one */
bool sync_quiet_role(const Stmt *role); /* ... in none of its statements */
/* Is it the first time that something is said of a and b? */
bool sync_first_told(Sync *y, const Stmt *a, const Stmt *b);

/* within.c: what the threads of branch n, in which none can wait for another, do to each other. */
void sync_within(Walk *w, const Node *n);

/* loop.c: a loop of which all threads make the same rounds. */
void walk_loop(Walk *w, Node *n);

#endif
