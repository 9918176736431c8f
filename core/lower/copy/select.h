/* core/lower/copy/select.h: questions about copies that other passes ask again.
 *
 * *why receives, on false, the condition that failed as values and a relation
 * ("`A` float32, `As` float16", "pitch 100 B % 16 != 0"), the same in every
 * language, in the Prog's arena. */
#ifndef MOONTILE_CHOOSE_H
#define MOONTILE_CHOOSE_H

#include "core/lower/build/low.h"

/* May this copy (global -> shared) run as cp.async?  s is an Ocopy or Oasync_copy. */
bool select_async(Low *l, const Stmt *s, const char **why);
/* May this copy (global -> shared, or back) run as boxes of TMA?  s is an
 * Ocopy, Otma_copy or Otma_put.  What the shared layout must be is low_shared's. */
bool select_tma(Low *l, const Stmt *s, const char **why);

/* gather.c.  Does parallel loop s only move elements from global to shared memory, and may it run as cp.async?
 * *why is NULL on false where it does something else.  And that loop with a cp.async of each element, to be
 * committed behind it; NULL: it does something else. */
bool select_gather(Low *l, const Stmt *s, const char **why);
Stmt *gather_async(Low *l, const Stmt *s);

/* epilogue_plan.c.  Bytes of shared memory that the boxes of this launch's results
 * want at the least; 0: there are none. */
int64_t epilogue_wish(Low *l);
/* Allocates their buffers, in at most `room` bytes, and says in notes why not; what is
 * left of these.  Others stand in bytes of what is not there any more when results leave, if `fits` says of
 * the program with them that it fits. */
int64_t epilogue_plan(Low *l, int64_t room, bool (*fits)(void *ud), void *ud);
/* These go: roles run side by side. */
void epilogue_beside(Low *l);
/* tma.c.  The layout that the user gave shared buffer b, if any, is one that boxes can have. */
bool tma_layout(const Low *l, uint32_t b);
/* Copies shared -> global that TMA can do are planned so. */
void tma_stores(Low *l);
/* moves.c.  Bulk stores keep no order.  May statement s, which stores to region `to` of a global
 * buffer, come to a place of it again in another round of the loops around it; may another
 * statement come there, or read any of the buffer, too?  And do a and b never meet? */
bool store_repeats(const Low *l, const Stmt *s, const Region *to);
bool store_comes_back(const Low *l, const Stmt *s, const Region *to);
bool stores_apart(const Low *l, const Region *a, const Region *b);
CopyPlan *select_copy(Low *l, Stmt *s);
/* s and what must follow it so that a copy asked for in another way is done
 * when T.copy is. */
Stmt *select_waits(Low *l, Stmt *s);

#endif
