/* core/lower/resume.h: lowering that stops between two passes, and goes on from there. */
#ifndef MOONTILE_RESUME_H
#define MOONTILE_RESUME_H

#include "core/lower/build/low.h"
#include "lower.h"

/* What l has for later passes becomes the plan of its launch. */
void resume_keep(Low *l);
/* .. and the other way round; l is newly begun, its launch has a plan. */
void resume_take(Low *l);
/* Has the launch what passes from number `first` on rely on?  False: reported. */
bool resume_ready(Low *l, int first);

#endif
