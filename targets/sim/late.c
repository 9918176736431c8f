/* targets/sim/late.c: -seconds: a run that takes longer is given up, and says where it was.
 *
 * Whoever looks for the line of a fault asks for this: a kernel that does not end does not end
 * here either, and the loop that goes round is the answer. */
#include <stdio.h>

#include "core/base/clock.h"
#include "run.h"

/* A message about the launch that runs, as DevHost.report and DevHost.status take it. */
static void late_report(const SimRun *r, const Strand *s, Str *out)
{
    Loc l = s->pc >= r->l->code && s->pc < r->l->code + r->l->ncode - 1
                ? r->l->loc[s->pc - r->l->code] : r->l->s->loc;
    const char *file = l.file && l.file < r->sp->p->ctx.nfile ? r->sp->p->ctx.file[l.file] : "";
    str_fmt(out, "%s:%u:%u", file, (unsigned)l.line, (unsigned)l.col);
}

static void late_give_up(SimRun *r, const Strand *s)
{
    Str m = {0};
    str_puts(&m, "@sim_late" DEV_SEP);
    late_report(r, s, &m);
    str_fmt(&m, DEV_SEP "%s" DEV_SEP "%d" DEV_SEP "%s", r->sp->p->name, r->opt->seconds,
            report_grid(&r->report, r->block[s->cta]));
    if (!m.bad)
        r->host->report(r->host->ud, m.s, m.n);
    str_free(&m);
    r->assert_text = dev_error("@reported");
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
        char text[64];
        r->said = spent;
        snprintf(text, sizeof text, "@sim_search" DEV_SEP "%d" DEV_SEP "%d", spent, r->opt->seconds);
        r->host->status(r->host->ud, text);
    }
    return false;
}
