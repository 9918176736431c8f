/* core/lower/pipe/pipeline.h: what the files on pipelined loops share.
 *
 * The body of a pipelined loop is cut into units, one a statement.  Unit k runs
 * in step t of the loop for iteration t - stage[k], in order of `pos` within a
 * step; S stages of a buffer keep its iterations apart.  Loads of a producer
 * role (roles.c) are taken out before, barrier pairs stand in their place. */
#ifndef MOONTILE_PIPELINE_H
#define MOONTILE_PIPELINE_H

#include "core/lower/build/accesses.h"
#include "core/lower/copy/select.h"

typedef struct Unit Unit;
struct Unit {
    Stmt *s;     /* one statement, or a list of them */
    int stage;
    int rank;    /* program order */
    int user;    /* number in the user's order and stage lists, -1: none */
    bool load;   /* nothing but copies global -> shared, each of which may run ahead */
    bool async;  /* by cp.async: a commit stands behind the group */
    bool let;    /* binds a name for later units: only in the last stage, unguarded */
    Touched *does; /* deps.c; NULL: not asked yet */
};

/* A root buffer that a loop's units touch. */
typedef struct PipeBuf PipeBuf;
struct PipeBuf {
    uint32_t buf;
    uint32_t stages;     /* the one with stages, or 0 */
    int versions;        /* 0 or 1: itself */
    uint32_t last;       /* the variable that holds the last stage written, or 0: */
    int mark;            /* ... the unit that sets it */
};

/* Which units touch a buffer: pairs in order of the buffer, then of the unit. */
typedef struct PipeTouch { uint32_t buf; int unit; } PipeTouch;

typedef struct Pipe Pipe;
struct Pipe {
    Low *l;
    Stmt *loop;
    const Above *above;  /* while questions are asked */
    Unit *unit; uint32_t capunit;
    int n;
    PipeTouch *touch; uint32_t ntouch, captouch; /* deps.c: of the first nknown units */
    int nknown;
    bool cut;            /* unit[] is set */
    Touched *body;       /* pipe_loads(): what all of it does; the names that units bind, or NULL */
    bool *bound;
    int last;            /* greatest stage */
    Stmt *before;        /* allocations of the body, put in front of the loop */
    PipeBuf *buf; uint32_t nbuf, capbuf; /* by number */
    bool split;          /* roles: TMA loads are gone, barrier pairs stand in their place */
    Ex count;            /* roles: running number of the first iteration's barrier pair use */
};

/* deps.c. */
/* What unit i does; as low_accesses() of it and buffer b, in the time of the answer: found when it is
 * first asked for and kept until pipe_forget(), which is called where units have changed. */
Touched *pipe_does(const Pipe *q, int i);
int pipe_touches(const Pipe *q, int i, uint32_t b);
void pipe_forget(Pipe *q);
/* The *n units that touch b, by number. */
const PipeTouch *pipe_touching(Pipe *q, uint32_t b, int *n);
/* Each iteration writes all of b before anything in it reads b; writers may
 * all be under one condition if the readers are too. */
bool pipe_fresh(Pipe *q, uint32_t b);
/* The pure condition that every unit stands under that touches b, or 0. */
Ex pipe_under(Pipe *q, uint32_t b);

/* plan.c: units and their stages. */
/* Cuts the loop's body into units, in place; false with a note: not possible. */
bool pipe_units(Pipe *q);
/* Which units may run ahead (Unit.load); why not goes to notes. */
void pipe_loads(Pipe *q);
/* Stages and order; false: to be run as a serial loop. */
bool pipe_schedule(Pipe *q);

/* depth.c */
/* Stages of each buffer; errors for the user's stages unwind. */
void pipe_versions(Pipe *q);
/* In a list of n entries of `size` bytes, sorted by the buffer that each begins with, the number of
 * the first one of b or of a later buffer. */
uint32_t pipe_first(const void *list, uint32_t n, size_t size, uint32_t b);
/* Its entry of buffer b; make: a new one where it has none. */
PipeBuf *pipe_buf(Pipe *q, uint32_t b, bool make);
/* Each view of b, if there are any, can get stages with it. */
bool pipe_views_staged(const Low *l, uint32_t b);

/* buffers.c: statements on buffers with stages. */
/* Every access to `buf` goes to `to`, in stage `stage` of its new first dimension; all: of the
 * successors of s too.  m: n of them, by number. */
typedef struct StageOf { uint32_t buf, to; Ex stage; } StageOf;
void pipe_to_stages(Low *l, Stmt *s, bool all, const StageOf *m, uint32_t n);
/* The buffer with n stages of b, its allocation appended to *allocs. */
uint32_t pipe_multi_stage(Low *l, uint32_t b, int n, Stmt **allocs);
/* The view of `of`, a buffer with n stages, that shows of each what v shows of its root. */
uint32_t pipe_multi_view(Low *l, uint32_t v, uint32_t of, int n);

/* emit.c: the loop in its new form: a list that stands in its place. */
Stmt *pipe_emit(Pipe *q);

/* leads.c: copies of `list` in front of `made`, what a pipeline has become, that can come with its first
 * stage: they are planned so. */
void pipe_leads(Low *l, Stmt *list, const Stmt *made);

/* own.c.  A pipelined loop that the program's own mbarriers keep in step: the tiles that go from one role
 * to another and these mbarriers, each of which can have a place for each of some iterations; unfit:
 * the first that cannot, 0 none. */
typedef struct OwnSteps OwnSteps;
struct OwnSteps { uint32_t *tile, ntile, captile, *bar, nbar, capbar, unfit; };
/* Is it one, and do all of them fit?  low_uses() has been called. */
bool own_steps(Low *l, Stmt *loop, OwnSteps *o);
/* Gives them their places: serial loops whose roles run num_stages apart at most. */
void own_pipes(Low *l);

/* pipeline.c: units and loads of a pipelined loop, for the pass, which schedules what is left of
 * them.  roles_split() hangs those that it has looked at on their loops: Stmt.loop.pipe. */
Pipe *pipe_new(Low *l, Stmt *loop, const Above *above);

/* roles.c: splits the launch into consumers and a producer where a pipelined
 * loop loads by TMA. */
void roles_split(Low *l);

/* stages.c.  Takes stages from pipelined loops until their stages fit into the machine's
 * shared memory; low_pipeline begins with it. */
void low_stages(Low *l);

#endif
