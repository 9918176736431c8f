/* core/lower/mma/overlap.h: between overlap.c and pingpong.c. */
#ifndef MOONTILE_OVERLAP_H
#define MOONTILE_OVERLAP_H

#include "core/lower/pipe/pipeline.h"

/* pingpong.c: loop, a turned one whose body starts the products first and last,
 * with warp groups that take turns at that where they can.  -> what stands in the
 * loop's place. */
Stmt *overlap_turns(Low *l, Stmt *loop, Stmt *first, Stmt *last);

#endif
