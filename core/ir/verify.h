/* core/ir/verify.h: inside the verifier: verify.c, verify_thread.c and verify_size.c. */
#ifndef MOONTILE_VERIFY_H
#define MOONTILE_VERIFY_H

#include "core/layout/machine.h"
#include "walk.h"

typedef struct Verify Verify;

/* verify.c: reports at the statement that is looked at. */
PRINTF(2, 3) void verify_broken(Verify *v, const char *fmt, ...);
/* The same by a row of errs/ir.h.  Before any pass has run this is the message
 * (of a text that somebody wrote), else a bug of that pass.  const char *.., NULL */
void verify_wrong(Verify *v, Err e, ...);
void verify_at(Verify *v, Loc l);
bool verify_enough(const Verify *v); /* reported so much that it should end? */

/* verify_thread.c: p->machine is set, all else holds. */
void verify_thread(Verify *v, Prog *p);
/* Has m what the tile program p asks for by name? */
void verify_fits(Verify *v, Prog *p, const Machine *m);
/* verify.c: has m what p asks for by name (T.set_max_nreg, clusters, ..)?  Reports. */
bool prog_fits(Prog *p, const Machine *m);
/* verify_size.c: can its tiles and parallel loops be counted in 32 bits? */
void verify_sizes(Verify *v, Prog *p);

#endif
