/* core/ir/share.h: which iterations of a T.Parallel each thread of the block does, in TileLang's
 * order, where that order counts: each thread draws its random numbers one after the other. */
#ifndef MOONTILE_SHARE_H
#define MOONTILE_SHARE_H

#include "ir.h"

/* A value that iterations draw.  var: the let that holds it; at: the `if` whose inside draws it;
 * bound: it was given a name, and is one value of a whole vector then; most: lanes that a vector
 * has at most, 0 any number.  vector, found by share_width(): a vector of numbers, not lane after
 * lane one. */
typedef struct Drawn Drawn;
struct Drawn { uint32_t var; const Stmt *at; bool bound; int32_t most; bool vector; };

/* How many adjacent iterations of the innermost dimension a thread does at once: the width of
 * TileLang's vectors, a power of two.  Reports what has no such order here (E_draw_order). */
int share_width(Prog *p, const Stmt *loop, int64_t threads, Drawn *drawn, int n);

/* Puts what this thread does of the loop, taken out of its block before, into the open block:
 *     for i, j in T.Parallel(..)  ->  for round in serial(..): for lane in serial(width): i = ..; j = ..
 * lane: the variable that bodies were made with. */
void share_loop(Prog *p, const Stmt *loop, Ex thread, int64_t threads, int width, uint32_t lane);

#endif
