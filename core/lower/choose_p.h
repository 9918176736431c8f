/* core/lower/choose_p.h: inside low_choose: choose.c, choose_gemm.c, choose_copy.c. */
#ifndef MOONTILE_CHOOSE_P_H
#define MOONTILE_CHOOSE_P_H

#include "copy/choose.h"

GemmPlan *choose_gemm(Low *l, Stmt *s);
/* A wish for shared buffer buf, unless it has one: see choose.c. */
void choose_exchange(Low *l, uint32_t buf);
CopyPlan *choose_copy(Low *l, Stmt *s);
/* s and what must follow it so that a copy asked for in another way is done
 * when T.copy is. */
Stmt *choose_waits(Low *l, Stmt *s);

#endif
