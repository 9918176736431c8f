/* targets/sim/trace_step.c: one instruction after the other for the time line of trace.h.
 *
 * An instruction is executed by its own function; before it, or behind it, a function of
 * trace_calc.c, trace_async.c or trace_sync.c moves the clocks.  Which one says a table. */
#include <string.h>

#include "trace_step.h"

/* Clocks ----------------------------------------------------------------------- */

int step_warps(const TraceStep *p) { return p->w1 - p->w0; }
Loc step_loc(const TraceStep *p) { return trace_loc(p->r, p->i); }
Units *step_units(const TraceStep *p) { return &p->t->unit[p->s->cta]; }
int64_t step_now(const TraceStep *p) { return p->t->w[p->w0].clock; }
const uint8_t *step_mask(const TraceStep *p) { return mask_of(p->r, p->s, p->i->level); }

/* The strand's warps, which may have become fewer. */
static void step_who(TraceStep *p)
{
    p->w0 = p->s->t0 / p->t->warp;
    p->w1 = (p->s->t0 + p->s->n - 1) / p->t->warp + 1;
    p->each = (step_warps(p) + TrSubs - 1) / TrSubs;
}

/* Their clocks become the latest of them. */
void step_look(TraceStep *p)
{
    Trace *t = p->t;
    step_who(p);
    trace_set(t, p->w0, p->w1, trace_clock(t, p->w0, p->w1));
    t->start = t->w[p->w0].clock;
}

void step_move(const TraceStep *p, int64_t clock)
{
    if (clock > step_now(p))
        trace_set(p->t, p->w0, p->w1, clock);
}

/* Issues n instructions of each warp, of `lanes` lanes a clock in the multiprocessor. */
void step_issue(const TraceStep *p, int64_t n, int lanes)
{
    int64_t c = n * p->each * p->t->warp * TrSubs;
    step_move(p, step_now(p) + (c + lanes - 1) / lanes);
}

void step_issue1(const TraceStep *p) { step_move(p, step_now(p) + p->each); }

/* Waiting until `until`, which is an event of its own. */
TraceEvent *step_waited(const TraceStep *p, enum TrKind kind, int64_t until, Loc by)
{
    int64_t from = step_now(p);
    step_move(p, until);
    Loc at = step_loc(p); /* the end of the code stands nowhere */
    TraceEvent *e = trace_event(p->r, p->w0, p->w1, at.line ? at : by, kind, from, step_now(p));
    e->by = by;
    p->t->start = step_now(p);
    return e;
}

int64_t step_shared(const TraceStep *p, int64_t at, int64_t waves)
{
    int64_t end;
    calendar_take(p->r->ctx, &step_units(p)->shared, at, waves, &end);
    return end;
}

/* Registers -------------------------------------------------------------------- */

static int64_t *ready_at(const TraceStep *p, uint32_t row)
{
    return p->t->ready + (size_t)row * (size_t)p->t->warps;
}

static bool in_lanes(const TraceStep *p, Val v) { return v.shape != SHu && v.at < p->r->l->nrow; }

static uint32_t trace_step_rows_of(const TraceStep *p, Val v)
{
    return class_rows((enum ValueClass)v.cls) * (v.shape == SHw ? p->i->w : 1u);
}

/* 2 * cycle + 1 where the warps must stop for it, else 2 * cycle. */
int64_t step_needs(const TraceStep *p, Val v)
{
    int64_t at = 0;
    if (!in_lanes(p, v))
        return 0;
    for (uint32_t k = 0, n = trace_step_rows_of(p, v); k < n; k++) {
        int64_t x = ready_at(p, v.at + k)[p->w0];
        at = x > at ? x : at;
    }
    return at;
}

void step_ready(const TraceStep *p, uint32_t row, uint32_t n, int64_t x)
{
    for (uint32_t k = 0; k < n && row + k < p->r->l->nrow; k++)
        for (int w = p->w0; w < p->w1; w++)
            ready_at(p, row + k)[w] = x;
}

void step_gives(const TraceStep *p, Val v, int64_t x)
{
    if (in_lanes(p, v))
        step_ready(p, v.at, trace_step_rows_of(p, v), x);
}

/* Takes an operand: -> when it is there; stops for products, counting that as a stall. */
int64_t step_takes(const TraceStep *p, Val v, int64_t *stall)
{
    int64_t x = step_needs(p, v), at = x / 2;
    if (x & 1 && at > step_now(p)) {
        *stall += at - step_now(p);
        step_move(p, at);
    }
    return at;
}

void step_pends(const TraceStep *p, int64_t done)
{
    for (int w = p->w0; w < p->w1; w++)
        if (done > p->t->w[w].pending) {
            p->t->w[w].pending = done;
            p->t->w[w].pended = step_loc(p);
        }
}

void step_drains(const TraceStep *p, int64_t done)
{
    for (int w = p->w0; w < p->w1; w++)
        p->t->w[w].drain = done > p->t->w[w].drain ? done : p->t->w[w].drain;
}

/* Memory operations that others may see must be over before a barrier. */
void step_settles(const TraceStep *p)
{
    int64_t until = 0;
    Loc by = {0, 0, 0};
    for (int w = p->w0; w < p->w1; w++)
        if (p->t->w[w].pending > until) {
            until = p->t->w[w].pending;
            by = p->t->w[w].pended;
        }
    if (until > step_now(p))
        step_waited(p, TEmemory, until, by);
}

/* Control flow ----------------------------------------------------------------- */

/* The next round may not be further ahead than TrRounds of what it loads. */
static void back(TraceStep *p)
{
    WarpTime *w = &p->t->w[p->w0];
    int64_t until = w->round[w->nround % TrRounds];
    if (until > step_now(p))
        step_waited(p, TEmemory, until, w->loaded);
    w->round[w->nround++ % TrRounds] = w->loads;
    for (int k = p->w0 + 1; k < p->w1; k++) {
        memcpy(p->t->w[k].round, w->round, sizeof w->round);
        p->t->w[k].nround = w->nround;
    }
    step_issue1(p);
}

/* A warp ends when what it has loaded and stored is done with. */
static void trace_step_last(TraceStep *p)
{
    for (int w = p->w0; w < p->w1; w++)
        if (p->t->w[w].loads > p->t->w[w].pending) {
            p->t->w[w].pending = p->t->w[w].loads;
            p->t->w[w].pended = p->t->w[w].loaded;
        }
    step_settles(p);
}

static void account_step(TraceStep *p)
{
    step_issue1(p);
    trace_work(p->r, p->s, p->i, TEcompute, 0);
}

/* The table -------------------------------------------------------------------- */

typedef struct Act Act;
struct Act { InsFn *fn; Account *before, *after; };

static const Act acts[] = {
    {run_kern, act_calc, NULL},
    {run_lint, act_calc, NULL},
    {run_ieee, act_calc, NULL},
    {run_copy, act_copy, NULL},
    {run_assign, act_copy, NULL},
    {run_ldslot, act_load_reg, NULL},
    {run_stslot, act_store_reg, NULL},
    {run_ldindex, act_indexed, NULL},
    {run_stindex, act_indexed, NULL},
    {run_load, act_load, NULL},
    {run_loadu, act_load_uniform, NULL},
    {run_store, act_store, NULL},
    {run_atomic, act_atomic, NULL},
    {run_warp, act_shuffle, NULL},
    {run_mma, act_product, NULL},
    {run_ldmatrix, NULL, act_rows},
    {run_stmatrix, NULL, act_rows},
    {run_wgmma, NULL, act_group_product},
    {run_wgmmacommit, act_group_commit, NULL},
    {run_wgmmawait, act_group_wait, NULL},
    {run_cpasync, act_copy_lanes, NULL},
    {run_cpcommit, act_copy_commit, NULL},
    {run_cpwait, act_copy_wait, NULL},
    {run_cparrive, NULL, act_mbar},
    {run_load_box, NULL, act_box_load},
    {run_store_box, NULL, act_box_store},
    {run_bulkcommit, act_bulk_commit, NULL},
    {run_bulkwait, act_bulk_wait, NULL},
    {run_mbar, NULL, act_mbar},
    {run_mbarwait, NULL, act_mbar_wait},
    {run_barsync, act_bar, NULL},
    {run_blockred, act_bar, NULL},
    {run_grid, act_bar, NULL},
    {run_bararrive, act_bar_arrive, NULL},
    {run_clusterarrive, NULL, act_cluster_arrive},
    {run_clusterwait, NULL, act_cluster_wait},
    {run_back, back, NULL},
    {run_end, trace_step_last, NULL},
    {run_warpsync, account_step, NULL},
    {run_fenceasync, account_step, NULL},
    {run_fenceglobal, account_step, NULL},
    {run_print, account_step, NULL},
    {run_printtile, account_step, NULL},
};
enum { Other = COUNT(acts) + 1 };

static const Act *act_of(const Ins *i, TrIns *k)
{
    if (!k->kind) {
        size_t n = 0;
        while (n < COUNT(acts) && acts[n].fn != i->fn)
            n++;
        k->kind = (uint8_t)(n + 1);
    }
    return k->kind < Other ? &acts[k->kind - 1] : NULL;
}

/* Executes i and accounts for it. */
static const Ins *execute_step(SimRun *r, Strand *s, const Ins *i)
{
    Trace *t = r->trace;
    TraceStep p = {.r = r, .t = t, .s = s, .i = i, .k = &t->ins[i - r->l->code]};
    const Act *a = act_of(i, p.k);
    StrandWait was = s->wait;
    if (a && a->before == act_bar) {
        act_bar(&p);
    } else if (a && a->before) {
        step_look(&p);
        a->before(&p);
    }
    const Ins *next = i->fn(r, s, i);
    if (i->fn == run_more)
        trace_round(r, s, i, next == i + 1);
    else if (i->fn == run_role && next == i + 1)
        trace_role(r, i);
    if (a && a->before == act_bar) {
        step_who(&p);
        step_barrier(&p, next, &was);
    } else if (a && a->after && next) {
        step_look(&p);
        a->after(&p);
    }
    return next;
}

void trace_strand(SimRun *r, Strand *s)
{
    s->state = SRrun;
    r->x->cur = s;
    for (const Ins *i = s->pc; i && !r->stop;) {
        r->x->ins = i;
        i = execute_step(r, s, i);
    }
    r->x->cur = NULL;
}
