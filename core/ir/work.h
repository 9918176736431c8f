/* core/ir/work.h: how much a tile program asks for, as far as its text says. */
#ifndef MOONTILE_WORK_H
#define MOONTILE_WORK_H

#include "ir.h"

/* About how many operations on elements all launches of p declare, at values env[var] of those
 * with known[var]: a product's multiplications and additions, the elements of other tile
 * operations, the nodes of expressions that statements compute.  A loop counts as often as
 * it runs, at the middle of the loops around it; one whose rounds only the data knows counts once,
 * `while` among them; what a program of single threads does,
 * each of them does.  For estimates of time: both sides of an `if` are counted.  env and known
 * have nvar entries and are changed: they are of no use afterwards. */
double prog_work(const Prog *p, int64_t *env, bool *known);

#endif
