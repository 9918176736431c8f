/* core/cost/feedback_p.h: what the files of feedback share. */
#ifndef MOONTILE_FEEDBACK_P_H
#define MOONTILE_FEEDBACK_P_H

#include "feedback.h"
#include "core/tensor/tensor.h"

/* The value of an expression: one a thread of the block, or one for all. */
typedef struct FbVal FbVal;
struct FbVal {
    uint32_t moment;      /* computed at this moment of the walk, 0 never */
    bool known;           /* else it depends on data, or on a size that was not given */
    bool uniform;         /* v[0] is that of all threads */
    const int64_t *v;
    int64_t one;
};

/* Which threads execute the statement at hand. */
typedef struct FbMask FbMask;
struct FbMask {
    uint8_t *on;          /* [threads of the block] */
    int n;
};

/* A loop around it, whose first iteration stands for all. */
typedef struct FbFrame FbFrame;
struct FbFrame { uint32_t var; int64_t lo, step, n; };

/* A condition around it that was counted over iterations: holds, or does not. */
typedef struct FbGiven FbGiven;
struct FbGiven { Ex cond; bool not; };

typedef struct FbCall FbCall;      /* an access to look at */
struct FbCall { uint32_t buf; const Ex *idx; const char *what; uint8_t dir; int bytes, rows; };

typedef struct Fb Fb;
struct Fb {
    Prog *p;
    const Machine *m;
    Feedback *out;
    uint32_t tid;
    int threads;                   /* of the block */
    int lo, hi;                    /* those of the role at hand */
    struct Eval *ev;               /* with the value of each Var at the place looked at */
    uint32_t moment;               /* advances when a variable changes */
    FbVal *val;                    /* by Ex */
    FbMask mask;
    FbFrame *frame; uint32_t nframe, capframe;
    FbGiven *given; uint32_t ngiven, capgiven;
    uint32_t *serial, nserial, capserial; /* variables of loops that are not unrolled */
    double budget;                 /* iterations that may still be looked at one by one */
    const Stmt *s;
    double times;                  /* executions a thread, < 0: not known */
    int vec; uint32_t vecvar;      /* innermost vectorized loop */
    uint32_t *seen, once;          /* expressions of the statement that were counted */
    FbAsk *shots;                  /* addresses that someone wants to see, or NULL */
    bool brief;                    /* totals only: a block that is not the first */
    bool byblock;                  /* something depends on the block */
    double *traffic;               /* global bytes by Buf, of the block */
    double *all_traffic;           /* of all blocks */
};

/* feedback_value.c -------------------------------------------------------- */
/* e at the place looked at; good until the next moment. */
const FbVal *fb_value(Fb *f, Ex e);
/* Is e, which is not known, so whatever the sizes are: does it depend on data? */
bool fb_data(Fb *f, Ex e);
/* A number for all threads; false: not known, or not the same for all. */
bool fb_number(Fb *f, Ex e, int64_t *v);
static inline int64_t fb_at(const FbVal *v, int thread) { return v->v[v->uniform ? 0 : thread]; }
/* Does e depend on var, lets written out? */
bool fb_uses(Fb *f, Ex e, uint32_t var);
void fb_set(Fb *f, uint32_t var, int64_t v);
int64_t fb_get(const Fb *f, uint32_t var); /* what was set */
void fb_free(Fb *f, uint32_t var);
void fb_moment(Fb *f);  /* what was found is void */
void fb_values(Fb *f);  /* room for them, before all others */
void fb_block(Fb *f);   /* from now on they are those of f->tid in f->threads; none was asked for */

/* feedback_access.c ------------------------------------------------------- */
void fb_access(Fb *f, const FbCall *c);
void fb_element(Fb *f, uint32_t buf, const Ex *idx, const char *what, char dir);

/* feedback.c: counts the block of launch s whose indices are set, into f->out; lines too, unless
 * f->brief. */
void fb_count(Fb *f, const Stmt *s);

/* feedback_total.c: feedback() without totals, registers and occupancy. */
bool fb_first(Prog *p, int launch, const Machine *m, const int64_t *dims, const uint8_t *known,
              Feedback *out);

/* feedback_sum.c: registers, shared memory, occupancy and roofline of a launch. */
void fb_sum(Fb *f, const Stmt *launch);

#endif
