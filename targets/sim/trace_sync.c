/* targets/sim/trace_sync.c: mbarriers and barriers of threads on the clocks of trace.h. */
#include <string.h>

#include "trace_step.h"

/* Barriers --------------------------------------------------------------------- */

static void mbar_comes(const TraceStep *p, int cta, int64_t at, int64_t when, Loc by, bool copy)
{
    TrBar *b = trace_bar(p->r, TEmbar, cta, at);
    bar_come(b, b->phase, when, by, copy);
    b->phase = mbar_phase(p->r->x->bars, cta, at);
}

void trace_landed(SimRun *r, const Copy *c)
{
    TrBar *b = trace_bar(r, TEmbar, c->cta, c->mbar);
    const SimSite *s = &r->sp->site[c->a->site[0]];
    bar_come(b, b->phase, c->lands, s->loc, true);
    b->phase = mbar_phase(r->x->bars, c->cta, c->mbar);
}

void act_mbar(TraceStep *p)
{
    const OpArgs *a = p->i->x;
    const uint8_t *on = step_mask(p);
    enum Op op = (enum Op)a->s->op.op;
    int64_t last[2] = {-1, -1}, when = step_now(p);
    Loc by = {0, 0, 0};
    if (op == Ocp_async_arrive) {
        step_commits(p, Qcp);
        int64_t done = step_finishes(p, Qcp, 0, &by);
        when = done > when ? done : when;
    } else if (op == Ombar_arrive) {
        step_settles(p);
        p->t->start = when = step_now(p);
    }
    step_issue1(p);
    for (int k = 0; k < p->s->n; k++) {
        if (on && !on[k])
            continue;
        int64_t index = ivalue(p->r, p->s, a->min[0][0], k), v = ivalue(p->r, p->s, a->value, k);
        if (index == last[0] && v == last[1])
            continue;
        last[0] = index;
        last[1] = v;
        int64_t at = mbar_place(p->r, a->s->op.r[0].buf, index);
        bool far = op == Ombar_arrive && v >= 0 && v < p->r->ncta;
        if (op == Ombar_init)
            *trace_bar(p->r, TEmbar, p->s->cta, at) =
                (TrBar){.kind = TEmbar, .cta = p->s->cta, .at = at};
        else
            mbar_comes(p, far ? (int)v : p->s->cta, at, when, by.line ? by : step_loc(p),
                       by.line != 0);
        if (op != Ombar_arrive && op != Ocp_async_arrive)
            continue;
        TraceEvent *e = trace_event(p->r, p->w0, p->w1, step_loc(p), TEarrive, when, when);
        e->buf = a->s->op.r[0].buf;
        e->stage = index;
    }
    if (op != Ombar_arrive && op != Ocp_async_arrive)
        trace_work(p->r, p->s, p->i, TEcompute, 0);
}

/* Behind a wait that has passed. */
void act_mbar_wait(TraceStep *p)
{
    const OpArgs *a = p->i->x;
    const uint8_t *on = step_mask(p);
    int64_t until = 0, last = -1, phase = -1;
    const TrPhase *by = NULL;
    step_issue1(p);
    for (int k = 0; k < p->s->n; k++) {
        int64_t index = ivalue(p->r, p->s, a->min[0][0], k);
        if ((on && !on[k]) || index == last)
            continue;
        last = index;
        int64_t at = mbar_place(p->r, a->s->op.r[0].buf, index);
        phase = mbar_phase(p->r->x->bars, p->s->cta, at) - 1;
        const TrPhase *b =
            phase < 0 ? NULL : bar_done(trace_bar(p->r, TEmbar, p->s->cta, at), phase);
        if (b && b->at > until) {
            until = b->at;
            by = b;
        }
    }
    TraceEvent *e = step_waited(p, TEmbar, by ? until + CyMbar : 0, by ? by->by : (Loc){0, 0, 0});
    e->queue = by && by->copy ? Qbulk : NQueue;
    e->buf = a->s->op.r[0].buf;
    e->stage = last;
    e->phase = phase;
}

/* Number of the barrier: of threads, or of all of the cluster or the grid. */
enum { ClusterBar = 64, GridBar };

static int bar_id(const TraceStep *p)
{
    const OpArgs *a = p->i->x;
    return p->i->fn == run_blockred ? 0 : a->a0;
}

static TrBar *bar_of(const TraceStep *p, int id)
{
    return trace_bar(p->r, TEbarrier, id >= ClusterBar ? 0 : p->s->cta, id);
}

/* In front of a barrier: its arrival, unless it has come before. */
void act_bar(TraceStep *p)
{
    if (p->s->wait.entered)
        return;
    step_look(p);
    step_settles(p);
}

/* The strand, or what is left of it, has come to phase. */
static void bar_arrives(const TraceStep *p, int id, int64_t phase)
{
    bar_come(bar_of(p, id), phase, step_now(p), step_loc(p), false);
}

static const char *trace_sync_what_of(const TraceStep *p)
{
    return p->i->site < p->r->sp->nsite ? p->r->sp->site[p->i->site].what : "";
}

static void bar_passes(const TraceStep *p, int id, int64_t phase)
{
    const TrPhase *b = bar_done(bar_of(p, id), phase);
    int64_t done = b ? b->at : 0;
    Loc by = b ? b->by : step_loc(p);
    TraceStep part = *p; /* warps that came at different times have waited for different times */
    for (int w = p->w0, end; w < p->w1; w = end) {
        for (end = w + 1; end < p->w1 && p->t->w[end].clock == p->t->w[w].clock; end++)
            ;
        part.w0 = w;
        part.w1 = end;
        TraceEvent *e = step_waited(&part, TEbarrier, done + CyBarrier, by);
        e->stage = id;
        e->phase = phase;
        e->what = trace_sync_what_of(p);
    }
}

static void bar_alone(const TraceStep *p, int id)
{
    TraceEvent *e = step_waited(p, TEbarrier, step_now(p) + CyBarrier, step_loc(p));
    e->stage = id;
    e->what = trace_sync_what_of(p);
}

void act_bar_arrive(TraceStep *p)
{
    int64_t phase = bar_phase(p->r->x->bars, p->s->cta, bar_id(p));
    step_settles(p);
    step_issue1(p);
    bar_arrives(p, bar_id(p), phase);
    TraceEvent *e =
        trace_event(p->r, p->w0, p->w1, step_loc(p), TEarrive, step_now(p), step_now(p));
    e->stage = bar_id(p);
}

void act_cluster_arrive(TraceStep *p)
{
    step_settles(p);
    step_issue1(p);
    bar_arrives(p, ClusterBar, p->s->cluster);
}

void act_cluster_wait(TraceStep *p) { bar_passes(p, ClusterBar, p->s->cluster); }

static bool somebody(const TraceStep *p)
{
    const uint8_t *on = step_mask(p);
    return !on || p->r->sp->kern->count(on, p->s->n) > 0;
}

/* An instruction that waits among threads: before and behind it.  wait: as it was. */
void step_barrier(TraceStep *p, const Ins *next, const StrandWait *was)
{
    int id = p->i->fn == run_grid ? GridBar : bar_id(p);
    if (was->entered && next)
        bar_passes(p, id, was->phase);
    else if (!was->entered && !next && p->s->wait.entered)
        bar_arrives(p, id, p->s->wait.phase);
    else if (!was->entered && next && somebody(p))
        bar_alone(p, id);
}

