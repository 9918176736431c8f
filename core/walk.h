/* core/walk.h: looking at statements without knowing each kind: their
 * expressions and their inner blocks.  For the printer, the verifier and the
 * checks; nothing here changes a program. */
#ifndef MOONTILE_WALK_H
#define MOONTILE_WALK_H

#include "ir.h"

/* walk.c: calls f for every expression that s itself holds (not those of the
 * statements inside it), in the order in which they are printed; zeros are
 * left out.  Stops and returns false when f does. */
typedef bool ExFn(void *ud, Ex e);
bool stmt_exprs(const Prog *p, const Stmt *s, ExFn *f, void *ud);

/* The blocks inside s: body, or then and else.  Returns how many. */
int stmt_blocks(const Stmt *s, Stmt *block[2]);

/* Sets mark[root buffer] for each buffer whose storage p may change; mark has nbuf
 * entries and is cleared first. */
void prog_written(const Prog *p, bool *mark);

/* How many dimensions region r has: those of its buffer, 0 without one. */
int region_dims(const Prog *p, const Region *r);

/* Whether r is its whole buffer as r_whole() writes it. */
bool region_whole(const Prog *p, const Region *r);

#endif
