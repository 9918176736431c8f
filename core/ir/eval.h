/* core/ir/eval.h: the values of integer and bool expressions, for n lanes at once:
 * one number (n = 1), or one for each thread of a block.
 *
 * The results are those of the IR: each operator's wraps to its type, division
 * rounds as its operator says, a select, `and` or `or` evaluates only the side
 * that it takes.  What cannot be said, the value of a load, a float, a division
 * by zero, is unknown, and so is what is made of it; a bool that is not known
 * is 2, one lane of it too.
 *
 * A variable is unbound (unknown), bound to a value, or bound to a residue: any
 * value that is r modulo m.  Then the expressions that repeat after m, see
 * eval_period(), have their value, and what else depends on it is unknown. */
#ifndef MOONTILE_EVAL_H
#define MOONTILE_EVAL_H

#include "ir.h"

typedef struct Lanes Lanes;
struct Lanes {
    bool unknown;
    int64_t one;       /* of all lanes, where v is NULL */
    const int64_t *v;  /* of each lane: until eval_reset() */
};

enum { EVmaybe = 2 };  /* a bool that is not known */

/* Asked for a load or an intrinsic: one number for all lanes, or false. */
typedef bool EvalAsk(void *ud, Ex e, int64_t *v);

typedef struct Bound Bound;
struct Bound { uint8_t how; int64_t val, mod; }; /* EB*; a residue: val modulo mod */
enum { EBfree, EBvalue, EBresidue };

typedef struct EvalMemo EvalMemo;
typedef struct Eval Eval;
struct Eval {
    Prog *p;
    uint32_t lane;         /* Var that counts the lanes, from 0; 0: there is none */
    int n;                 /* lanes */
    EvalAsk *ask;          /* or NULL */
    EvalAsk *guess;        /* or NULL: asked for each integer or bool that has no value otherwise */
    void *ud;
    Bound *var; uint32_t nvar; /* of each Var */
    uint32_t *residue, nresidue, capresidue; /* Vars that are bound so */
    Ex *given; int64_t *as; uint32_t ngiven, capgiven, capas; /* see eval_assume() */
    uint64_t givenops;     /* ... a bit for each Xop that one of them is, names followed */
    uint32_t givens;       /* times that they have changed */
    uint64_t *key; uint32_t capkey; /* of each expression, see eval_key(); 0: not asked for yet */
    EvalMemo *memo; uint32_t nmemo; /* of each expression */
    EvalMemo *pass; uint32_t npass; /* ... where it is a part of one that repeats */
    uint32_t epoch;        /* of bindings: older memos are void */
    uint32_t resets;       /* of vectors: older ones are void */
    uint32_t known;        /* of what eval_period() takes for known: assumptions, bound scalars */
    int inside;            /* an expression that repeats: residues stand for values */
    int64_t **pool; uint32_t npool, cappool; /* vectors, and how many are in use */
    uint32_t used;
    struct EvalPeriod *period; uint32_t nperiod, capperiod; /* hash table, see eval_period.c */
    uint32_t sums;         /* that eval_period() has looked into */
};

/* eval.c: everything unbound.  lane: 0 where n is 1.  The memory is p's. */
void eval_init(Eval *v, Prog *p, uint32_t lane, int n);
Lanes eval(Eval *v, Ex e);
/* e's value if it is known and one for all lanes. */
bool eval_one(Eval *v, Ex e, int64_t *out);
void eval_reset(Eval *v);  /* what vectors there are are void */
void eval_bind(Eval *v, uint32_t var, int64_t val);
void eval_residue(Eval *v, uint32_t var, int64_t val, int64_t m); /* val modulo m, m > 0 */
void eval_free(Eval *v, uint32_t var);
void eval_free_all(Eval *v);
/* From now on e is x, whatever it is made of, and so is what only names its parts otherwise or
 * adds them up in another order: each role of a block has lets of its own. */
void eval_assume(Eval *v, Ex e, int64_t x);
void eval_assume_none(Eval *v);
/* Of the assumptions the one that gives e's value, its number, or -1; and whether number
 * i, or with -1 any, is about a part of e, lets followed. */
int eval_given(Eval *v, Ex e);
bool eval_assumes(Eval *v, Ex e, int i);
/* eval_key.c: a number that is the same for expressions that are: names of lets followed, sums
 * in any order, operands of what does not care for their order too. */
uint64_t eval_key(Eval *v, Ex e);
/* The key of a node of two operands x and y (by is y's value where it is a constant, else NULL)
 * whose keys are known, where the operands' order or grouping does not count; 0: of another. */
uint64_t eval_key_of(enum Xop op, enum Dtype dt, uint64_t x, uint64_t y, const int64_t *by);
uint64_t eval_key_int(int64_t c); /* of a constant: sums of keys are keys of sums */
uint64_t eval_key_mix(uint64_t h, uint64_t by);
/* Something that ask() answers has changed. */
void eval_changed(Eval *v);
/* Does e depend on var, lets followed? */
bool eval_depends(const Prog *p, Ex e, uint32_t var);
/* Is e one more wherever var is one more? */
bool eval_counts(const Prog *p, Ex e, uint32_t var);

/* eval_period.c: after how many steps of loop variable var what eval() says of e
 * repeats: proved by linear arithmetic, wrapping included; 0: it does not, or it
 * cannot be proved, or not within MaxPeriod.  1: it does not change.  So it is as long as
 * Eval.known is what it was: other assumptions, other periods. */
int64_t eval_period(Eval *v, Ex e, uint32_t var);
int64_t eval_gcd(int64_t a, int64_t b); /* not negative; 0 of zeros; 1 where an int64 does not hold it */
int64_t eval_lcm(int64_t a, int64_t b); /* of periods: 0 if one is, or it is too large */

/* How var is bound: EB*. */
static inline int eval_bound(const Eval *v, uint32_t var)
{
    return var < v->nvar ? v->var[var].how : EBfree;
}

#endif
