/* core/lower/pipeline.h: what the files on pipelined loops share.
 *
 * The body of a pipelined loop is cut into units, one a statement.  Unit k runs
 * in step t of the loop for iteration t - stage[k], in order of `pos` within a
 * step; S slots of a buffer keep its iterations apart.  Loads of a producer
 * role (roles.c) are taken out before, rings stand in their place. */
#ifndef MOONTILE_PIPELINE_H
#define MOONTILE_PIPELINE_H

#include "../copy/choose.h"

typedef struct Unit Unit;
struct Unit {
    Stmt *s;     /* one statement, or a list of them */
    int stage;
    int rank;    /* program order */
    int user;    /* number in the user's order and stage lists, -1: none */
    bool load;   /* nothing but copies global -> shared, each of which may run ahead */
    bool async;  /* by cp.async: a commit stands behind the group */
    bool let;    /* binds a name for later units: only in the last stage, unguarded */
};

/* A root buffer that a loop's units touch. */
typedef struct PipeBuf PipeBuf;
struct PipeBuf {
    uint32_t buf;
    uint32_t slots;      /* the one with versions, or 0 */
    int versions;        /* 0 or 1: itself */
    uint32_t last;       /* the variable that holds the last slot written, or 0: */
    int mark;            /* ... the unit that sets it */
};

/* What stands around a statement, innermost first. */
typedef struct Above Above;
struct Above { Stmt *s; const Above *up; };

typedef struct Pipe Pipe;
struct Pipe {
    Low *l;
    Stmt *loop;
    const Above *above;  /* while questions are asked */
    Unit *unit; uint32_t capunit;
    int n;
    bool cut;            /* unit[] is set */
    int last;            /* greatest stage */
    Stmt *before;        /* allocations of the body, put in front of the loop */
    PipeBuf *buf; uint32_t nbuf, capbuf; /* by number */
    bool split;          /* roles: TMA loads are gone, rings stand in their place */
    Ex count;            /* roles: running number of the first iteration's ring use */
};

/* What a statement does to a buffer (the root of its aliases). */
enum { EFread = 1, EFwrite = 2, EFatomic = 4 };
typedef struct Effect Effect;
struct Effect {
    uint32_t buf;
    uint8_t mode;
    const Region *region; /* of an operation, else NULL: an element */
    const Stmt *s;
};
typedef bool EffectFn(void *ud, const Effect *e);

/* pipeline_used.c: who touches a buffer outside of a loop. */
/* Counts what the launch's statements do to each buffer, for the two below and for
 * pipe_viewed(); then: takes s out of it, or adds s and (all) what follows it. */
void pipe_used(Low *l);
void pipe_used_less(Low *l, const Stmt *s);
void pipe_used_more(Low *l, const Stmt *s, bool all);
/* Of a loop that was taken out.  Something reads what it left in b. */
bool pipe_live_out(const Pipe *q, uint32_t b);
/* Statements outside of the loop touch b. */
bool pipe_outside(const Pipe *q, uint32_t b);
bool pipe_viewed(const Low *l, uint32_t b); /* has views */
/* Something that is counted touches b; writes to it. */
bool pipe_in_use(const Low *l, uint32_t b);
bool pipe_changed(const Low *l, uint32_t b);
/* Drops the allocations of the n buffers that nothing touches any more. */
void pipe_drop(Low *l, const uint32_t *buf, uint32_t n);

/* pipeline_deps.c: questions about statements and buffers. */
/* Calls f for every access of s and what is inside (all: of its successors
 * too); stops and returns false when f does. */
bool pipe_effects(const Low *l, const Stmt *s, bool all, EffectFn *f, void *ud);
/* s without what is inside of it; a nest is one statement. */
Stmt pipe_bare(const Stmt *s);
/* EF* bits of what s (all: and its successors) does to the root buffer b. */
int pipe_touches(const Low *l, const Stmt *s, bool all, uint32_t b);
/* Same, for the units from .. to - 1. */
int pipe_units_touch(const Pipe *q, int from, int to, uint32_t b);
/* e keeps its value while the statements of list run: no loads of what they
 * write, nothing of the threads. */
bool pipe_stable(const Low *l, Ex e, const Stmt *list);
/* The statements list[0..n) together write all of b, each time. */
bool pipe_covers(const Low *l, Stmt *const *list, int n, uint32_t b);
/* Room for questions of coverage: pipeline_used.c keeps it. */
typedef struct CoverRoom CoverRoom;
struct CoverRoom {
    uint8_t *bit; uint32_t capbit;
    int64_t *env; uint32_t capenv;
    bool *known; uint32_t capknown; /* of each Var: none, between questions */
};
CoverRoom *pipe_room(const Low *l);
/* Elements of a buffer: of each dimension lo, lo + step, .. below hi. */
typedef struct Marked Marked;
struct Marked {
    int64_t lo[MaxDim], hi[MaxDim], step[MaxDim];
    bool all; /* all of these, not only some */
};
/* s writes elements *w of b and no others; false: that is not known before the kernel runs. */
bool pipe_written(const Low *l, Stmt *s, uint32_t b, Marked *w);
/* The statements list[0..n) write no element of b twice, all their conditions met. */
bool pipe_once(const Low *l, Stmt *const *list, int n, uint32_t b);
/* Each iteration writes all of b before anything in it reads b; writers may
 * all be under one condition if the readers are too. */
bool pipe_fresh(const Pipe *q, uint32_t b);
/* The pure condition that every unit stands under that touches b, or 0. */
Ex pipe_under(const Pipe *q, uint32_t b);
/* The pure condition that all of s stands under (Sif without else), or 0. */
Ex pipe_condition(const Low *l, const Stmt *s, const Stmt *list);

/* pipeline_plan.c: units and their stages. */
/* Cuts the loop's body into units, in place; false with a note: not possible. */
bool pipe_units(Pipe *q);
/* Which units may run ahead (Unit.load); why not goes to notes. */
void pipe_loads(Pipe *q);
/* Stages and order; false: to be run as a serial loop. */
bool pipe_schedule(Pipe *q);

/* pipeline_versions.c */
/* Slots of each buffer; errors for the user's stages unwind. */
void pipe_versions(Pipe *q);
/* Its entry of buffer b; make: a new one where it has none. */
PipeBuf *pipe_buf(Pipe *q, uint32_t b, bool make);

/* pipeline_slots.c: statements on buffers with slots. */
/* Every access to `buf` goes to `to`, in slot `slot` of its new first dimension; all: of the
 * successors of s too.  m: n of them, by number. */
typedef struct SlotOf { uint32_t buf, to; Ex slot; } SlotOf;
void pipe_slots(Low *l, Stmt *s, bool all, const SlotOf *m, uint32_t n);
/* The buffer with n slots of b, its allocation appended to *allocs. */
uint32_t pipe_slotted(Low *l, uint32_t b, int n, Stmt **allocs);

/* pipeline_emit.c: the loop in its new form: a list that stands in its place. */
Stmt *pipe_emit(Pipe *q);

/* pipeline.c: units and loads of a loop, for pipe_finish(), which schedules
 * what is left of them and returns the list that takes the loop's place.
 * roles_split() leaves Pipes in Stmt.plan of loops. */
Pipe *pipe_new(Low *l, Stmt *loop, const Above *above);
void pipe_serial(Stmt *loop); /* as it stands */
Stmt *pipe_finish(Pipe *q);

/* roles.c: splits the launch into consumers and a producer where a pipelined
 * loop loads by TMA. */
void roles_split(Low *l);

/* tma.c: the layout that the user gave shared buffer b, if any, is one that
 * boxes can have. */
bool tma_layout(const Low *l, uint32_t b);
/* Copies shared -> global that TMA can do are planned so. */
void tma_stores(Low *l);

/* Text of an expression for a message. */
const char *pipe_text(Low *l, Ex e);
Stmt *pipe_alloc(Low *l, uint32_t buf, Loc loc);
Stmt *pipe_op(Low *l, enum Op op, Loc loc);   /* an Sop without regions */
/* At body's place; cond known to hold: body itself; not to hold: NULL. */
Stmt *pipe_if(Low *l, Ex cond, Stmt *body);

#endif
