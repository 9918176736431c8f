/* core/ir/walk.h: looking at statements without knowing each kind: their
 * expressions and their inner blocks.  For the printer, the verifier and the
 * checks; nothing here changes a program. */
#ifndef MOONTILE_WALK_H
#define MOONTILE_WALK_H

#include "ir.h"

/* walk.c: calls f for e and what it is made of, outer before inner, arguments in
 * order; of a large expression each node once, however often it occurs.  Lets are
 * not followed.  f says how it goes on; false: f stopped it.  Not for two threads
 * at once on one program. */
typedef enum ExGo { EXstop, EXskip, EXinto } ExGo; /* skip: not into this one's arguments */
typedef ExGo ExVisit(void *ud, Ex e);
bool ex_walk(const Prog *p, Ex e, ExVisit *f, void *ud);
/* Is is() true for e or something that it is made of? */
typedef bool ExTest(void *ud, Ex e);
bool ex_any(const Prog *p, Ex e, ExTest *is, void *ud);
/* ... or that the lets in it stand for. */
bool ex_any_let(const Prog *p, Ex e, ExTest *is, void *ud);
/* ex_walk() that follows lets, each once: a variable, then what it stands for. */
bool ex_walk_let(const Prog *p, Ex e, ExVisit *f, void *ud);
/* ex_walk_let() the other way round: f sees a node behind its arguments, as it is evaluated; a
 * let's value, then its variable. */
typedef bool ExFn(void *ud, Ex e);
bool ex_each_let(const Prog *p, Ex e, ExFn *f, void *ud);
/* Values in env, which has those of all other variables, for what e's lets stand for; 0 where x_eval()
 * cannot say it. */
void x_eval_lets(const Prog *p, Ex e, int64_t *env);

/* What e's let stands for; 0: it is none, or not known. */
static inline Ex ex_let(const Prog *p, Ex e)
{
    const Expr *x = &p->ex[e];
    return x->op == Xvar && p->var[x->sym].kind == Vlet ? p->var[x->sym].value : 0;
}

/* A value for each node, made of those of its parts: f computes e's and asks ex_fold()
 * for the parts that it needs, ex_fold_let() for what a let stands for.  Each is computed
 * once where a tree is so large, or has lets, that this counts. */
typedef struct ExFold ExFold;
typedef int64_t ExFoldFn(ExFold *k, Ex e);
struct ExFold {
    const Prog *p;
    ExFoldFn *f;
    void *ud;
    uint32_t mark;         /* ex_fold()'s: 0 as long as nothing is worth remembering */
};
int64_t ex_fold(ExFold *k, Ex e);
int64_t ex_fold_let(ExFold *k, Ex e); /* ex_let(e) is not 0 */
/* ... of all arguments the least and the greatest; of none, `none`. */
int64_t ex_fold_least(ExFold *k, Ex e, int64_t none);
int64_t ex_fold_greatest(ExFold *k, Ex e, int64_t none);

/* What stands behind names of lets, e otherwise. */
Ex ex_named(const Prog *p, Ex e);

/* Does e load from the storage of root buffer `root`? */
bool ex_reads(const Prog *p, Ex e, uint32_t root);

/* Arithmetic on numbers of loops, threads, blocks and dimensions alone, lets followed? */
bool ex_index_like(const Prog *p, Ex e);

/* How often each node that has operands is one itself, of what is counted: n, until it is
 * cleared, and which those are. */
typedef struct ExUses ExUses;
struct ExUses { uint16_t *n; uint32_t cap; Ex *seen; uint32_t nseen, capseen; };
/* Counts the n expressions (0: none there) and what they are made of; skips operand i of node x
 * where skip, if not NULL, says so.  u->seen is in an order of evaluation. */
typedef bool ExSkip(void *ud, Ex x, int i);
void ex_shared(Prog *p, ExUses *u, const Ex *e, int n, ExSkip *skip, void *ud);

/* For walks of one's own: marks of expressions.  ex_marks() gives a mark that none
 * bears; *ex_mark() is the one that e bears.  A small expression
 * needs none: it is quicker to look at it as often as it occurs. */
struct ExMarks {
    uint32_t *mark, cap, last;
    struct ExFolded { uint32_t mark; int64_t val; } *fold; /* ex_fold()'s */
    uint32_t capfold, lastfold;
    Ctx *ctx;              /* whose memory this is */
    const ExSum **linear; uint32_t caplinear; /* x_linear()'s, of each expression */
    struct ExTerm { Ex e; int64_t coef; } *term; /* room for it */
    uint32_t capterm;
    struct ExRoom { Ex *atom; int64_t *coef; uint32_t capatom, capcoef; } room[3]; /* for long sums */
};
uint32_t ex_marks(const Prog *p);
static inline bool ex_small(const Prog *p, Ex e) { return p->ex[e].size <= 256; }
static inline uint32_t *ex_mark(const Prog *p, Ex e) { return &p->marks->mark[e]; }

/* Calls f for every expression that s itself holds (not those of the
 * statements inside it), in the order in which they are printed; zeros are
 * left out.  Stops and returns false when f does. */
bool stmt_exprs(const Prog *p, const Stmt *s, ExFn *f, void *ud);

/* ex_walk(), and the same the other way round, over each of those; and is is() true for something that they are
 * made of? */
bool stmt_ex_walk(const Prog *p, const Stmt *s, ExVisit *f, void *ud);
bool stmt_ex_each(const Prog *p, const Stmt *s, ExFn *f, void *ud);
bool stmt_any(const Prog *p, const Stmt *s, ExTest *is, void *ud);

/* The blocks inside s: body, or then and else.  Returns how many. */
int stmt_blocks(const Stmt *s, Stmt *block[2]);

/* s without what is inside of it, and alone; a parallel loop is one statement. */
Stmt stmt_bare(const Stmt *s);

/* Is there a break or continue in list of a loop that is around it? */
bool stmt_leaves(const Stmt *list);

/* Sets mark[root buffer] for each buffer whose storage p may change; mark has nbuf
 * entries and is cleared first. */
void prog_written(const Prog *p, bool *mark);

/* together.c: group[buf] of the parameters: those of one group, not 0, may be one and the
 * same tensor, although the program writes to one of them; all others have to lie apart from what is
 * written.  group has nbuf entries. */
void prog_together(Prog *p, uint32_t *group);

/* x_eval() where all of e's variables are among those with known[var]; false: it cannot be known. */
bool x_eval_known(const Prog *p, Ex e, const int64_t *env, const bool *known, int64_t *v);

/* Sizes of 32 bits that are known at a launch alone are at most this; in a program of long tiles less: sizes.c. */
enum { DimMost = INT32_MAX - (1 << 20) };

/* sizes.c.  The first size of p's that is not known when it is compiled and too near to 2^31 at these values: index
 * arithmetic of 32 bits could reach beyond it.  *most: what it may be; 0: there is none. */
uint32_t dim_beyond(const Prog *p, const int64_t *env, const bool *known, int64_t *most);

/* The first launch of p with a grid of a negative number of blocks, *n of them in dimension *d, at
 * values env[var] of those with known[var].  NULL: none, as far as these tell. */
const Stmt *launch_negative(const Prog *p, const int64_t *env, const bool *known, int *d, int64_t *n);

/* The first assumption of p that is false at these values, of those that a run surely meets: in
 * front of its launches or of their statements; NULL: none, as far as these values tell. */
const Stmt *assume_false(const Prog *p, const int64_t *env, const bool *known);

/* How many dimensions region r has: those of its buffer, 0 without one. */
int region_dims(const Prog *p, const Region *r);

/* Whether r is its whole buffer as r_whole() writes it. */
bool region_whole(const Prog *p, const Region *r);

#endif
