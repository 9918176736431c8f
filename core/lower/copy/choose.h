/* core/lower/choose.h: questions about copies that other passes ask again.
 *
 * *why receives, on false, the condition that failed as values and a relation
 * ("`A` float32, `As` float16", "pitch 100 B % 16 != 0"), the same in every
 * language, in the Prog's arena. */
#ifndef MOONTILE_CHOOSE_H
#define MOONTILE_CHOOSE_H

#include "../lower.h"

/* May this copy (global -> shared) run as cp.async?  s is an Ocopy or Oasync_copy. */
bool choose_async(Low *l, const Stmt *s, const char **why);
/* May this copy (global -> shared, or back) run as boxes of TMA?  s is an
 * Ocopy, Otma_copy or Otma_put.  What the shared layout must be is low_shared's. */
bool choose_tma(Low *l, const Stmt *s, const char **why);

/* Copies already decided have their CopyPlan in Stmt.plan; gemms their GemmPlan. */
static inline CopyPlan *copy_plan(const Stmt *s) { return s->plan; }
static inline GemmPlan *gemm_plan(const Stmt *s) { return s->plan; }

#endif
