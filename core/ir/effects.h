/* core/ir/effects.h: what a statement reads and writes, each access in the order in
 * which they happen: the one place that knows it.  Loads stand where their
 * expressions are evaluated; what an operation does is its row in ops.h. */
#ifndef MOONTILE_EFFECTS_H
#define MOONTILE_EFFECTS_H

#include "ir.h"

enum {
    FXread = 1,
    FXwrite = 2,
    FXatomic = 4,
    FXadds = 8            /* the write of an operation that adds to what was there */
};

/* A condition inside the statement under which an access happens: cond holds, or
 * with `not` does not; and all of up's.  Of a select, an `and`, an `or`. */
typedef struct MemIf MemIf;
struct MemIf {
    Ex cond;
    bool not;
    const MemIf *up;   /* the one around it, or NULL */
};

typedef struct MemEffect MemEffect;
struct MemEffect {
    uint32_t buf, root;    /* as it is named; whose storage that is */
    uint8_t mode;          /* FX* */
    char letter;           /* of an operation's region, see ops.h; else 0 */
    char level;            /* who does it: 'T' the block, 'H' a thread, 'W' a warp, 'G' a group */
    char done, proxy;      /* OpInfo's; 's' and 'g' of everything else */
    uint8_t order;         /* MemOrder of an atomic */
    uint16_t update;       /* of an atomic: which update_number() it is */
    int nd;                /* dimensions of buf */
    const Ex *at;          /* index, or lower corner of a region; NULL: the variable's initial value */
    const Ex *extent;      /* of a region; NULL: one element */
    int lanes;             /* elements side by side in the last dimension: of vector atomics; else 1 */
    const MemIf *when;     /* valid in the callback; NULL: always */
    const Stmt *s;         /* whose it is */
};

/* Calls f for each access of s itself, not of the statements inside it, reads before
 * the writes that depend on them; a load that occurs more than once, once.  An operation that updates a region both reads
 * and writes it, in one effect; where its attributes say that it starts afresh, it
 * writes only.  Stops and returns false when f does. */
typedef bool MemEffectFn(void *ud, const MemEffect *e);
bool stmt_effects(const Prog *p, const Stmt *s, MemEffectFn *f, void *ud);
/* Two atomics of one number, not 0, come out the same in either order: they make the same update of
 * numbers of one type, which commutes, and tell nobody what was there before. */
uint16_t update_number(const Prog *p, const Stmt *s);
/* Of s and of the statements inside it; all: of its successors too. */
bool block_effects(const Prog *p, const Stmt *s, bool all, MemEffectFn *f, void *ud);
/* Does operation s ignore what its updated operand held before? */
bool stmt_overwrites(const Prog *p, const Stmt *s);

/* Does s, a statement of the body of loop, take a place in the loop's order and stage lists?  As
 * TileLang counts: allocations take none, nor do names for what the loop does not change. */
bool stmt_listed(const Prog *p, const Stmt *loop, const Stmt *s);

/* Does s take a vote of the block (a barrier in an expression) behind all that it accesses of
 * memory?  What it stores, and what it loads beside the vote's own arguments, may come behind. */
bool stmt_vote_last(const Prog *p, const Stmt *s);

#endif
