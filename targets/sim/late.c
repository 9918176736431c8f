/* targets/sim/late.c: -seconds: a run that takes longer is given up, and says where it was.
 *
 * Whoever looks for the line of a fault asks for this: a kernel that does not end does not end
 * here either, and the loop that goes round is the answer. */
#include <stdio.h>

#include "core/base/clock.h"
#include "run.h"
#include "err/sim.h"

static void late_give_up(SimRun *r, const Strand *s)
{
    char seconds[16];
    Loc l = s->pc >= r->l->code && s->pc < r->l->code + r->l->ncode - 1
                ? r->l->loc[s->pc - r->l->code] : r->l->s->loc;
    snprintf(seconds, sizeof seconds, "%d", r->opt->seconds);
    DevMessage late = dev_message(E_sim_late, r->sp->p->name, seconds,
                                  report_grid(&r->report, r->block[s->cta]));
    DevMessage m = run_message(r, late.is, l, late.arg);
    r->host->report(r->host->ud, &m);
    r->failed = dev_reported();
    r->stop = true;
}

void late_start(SimRun *r)
{
    if (r->opt->seconds)
        r->start = clock_s();
}

bool late(SimRun *r, const Strand *s)
{
    if (!r->opt->seconds)
        return false;
    int spent = (int)(clock_s() - r->start);
    if (spent >= r->opt->seconds) {
        late_give_up(r, s);
        return true;
    }
    if (spent > r->said) {
        char now[16], most[16];
        r->said = spent;
        snprintf(now, sizeof now, "%d", spent);
        snprintf(most, sizeof most, "%d", r->opt->seconds);
        DevMessage m = dev_message(E_sim_search, now, most);
        r->host->status(r->host->ud, &m);
    }
    return false;
}
