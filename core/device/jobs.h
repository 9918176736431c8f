/* core/device/jobs.h: several programs compiled at once, for tuning. */
#ifndef MOONTILE_JOBS_H
#define MOONTILE_JOBS_H

#include "session.h"

/* p and its context are this job's alone; what the passes say is in p->ctx. */
typedef struct BuildJob BuildJob;
struct BuildJob {
    Prog *p;
    Artifact a;          /* the result; the caller frees it */
    Str facts;           /* of session_prepare(), where there are sessions; the caller's */
    bool begun, ok;      /* not begun: an interruption came first */
    double ms;           /* from its start to its end */
};

enum { MostJobs = 64 };  /* threads */

/* prog_compile() of each, by up to `threads` at once.  session: NULL, or one for
 * each thread, started: thread i loads what it has built in session[i], so that
 * devices that compile when they load do it now, into the cache.  Nothing else may
 * use these sessions or any tensor meanwhile.  false: interrupt_asked came; it is
 * set back, and jobs that were done by then are good. */
bool build_jobs(BuildJob *job, int n, const Target *t, const char *options,
                Session *const *session, int threads);

#endif
