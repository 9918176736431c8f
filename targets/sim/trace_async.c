/* targets/sim/trace_async.c: matrix products and asynchronous copies on the clocks of
 * trace.h. */
#include <string.h>

#include "trace_step.h"

/* Products --------------------------------------------------------------------- */

static int64_t regs_ready(const TraceStep *p, const RegArgs *q, int64_t *row)
{
    uint32_t each = class_rows((enum ValueClass)q->l->cls);
    int64_t at = 0;
    *row = q->l->at + each * uvalue(p->s, q->at);
    for (int64_t k = 0; k < q->n; k++) {
        int64_t x = step_needs(p, (Val){SHt, q->l->cls, q->l->dt, (uint32_t)(*row + k * each)}) / 2;
        at = x > at ? x : at;
    }
    return at;
}

static const Mma *trace_async_instruction(TraceStep *p)
{
    const OpArgs *a = p->i->x;
    if (!p->k->mma)
        p->k->mma = mma_find(a->s->op.text);
    return p->k->mma;
}

/* `each` cycles of the matrix units of n warps from w on: -> the last one's end. */
static int64_t multiply(const TraceStep *p, int w, int n, int64_t at, int64_t each, int64_t flops,
                        int64_t *start)
{
    int64_t end = at, e, sum = 0, first = INT64_MAX;
    for (int k = 0; k < TrSubs && k < n; k++) {
        int64_t cycles = each * ((n - k + TrSubs - 1) / TrSubs);
        Calendar *u = &step_units(p)->matrix[(w + k) % TrSubs];
        int64_t b = calendar_take(p->r->ctx, u, at, cycles, &e);
        first = b < first ? b : first;
        end = e > end ? e : end;
        sum += cycles;
    }
    *start = first;
    TraceEvent *u =
        trace_unit(p->r, p->s->cta, w, w + n, step_loc(p), TEproduct, 0, -1, first, end);
    u->flops += flops;
    u->busy += sum;
    return end;
}

/* mma.sync: in order, each warp on the unit of its quarter. */
void act_product(TraceStep *p)
{
    const OpArgs *a = p->i->x;
    const Mma *m = trace_async_instruction(p);
    int64_t row = 0, at = step_now(p), start, end, flops = INT64_C(2) * m->m * m->n * m->k;
    int64_t rate = trace_rate(p->r->sp->m, m, &p->t->guessed) / TrSubs;
    for (int k = 0; k < 3; k++) {
        int64_t x = regs_ready(p, a->reg[k], &row);
        at = x > at ? x : at;
    }
    end = multiply(p, p->w0, step_warps(p), at, (flops + rate - 1) / rate, flops * step_warps(p),
                   &start);
    int64_t done = start + CyProduct > end ? start + CyProduct : end, from = step_now(p);
    const RegArgs *c = a->reg[2];
    step_ready(p, (uint32_t)row, class_rows((enum ValueClass)c->l->cls) * (uint32_t)c->n,
               2 * done + 1);
    step_issue1(p);
    step_move(p, start - CyAhead);
    for (int w = p->w0; w < p->w1; w++)
        p->t->w[w].product = done > p->t->w[w].product ? done : p->t->w[w].product;
    int64_t stall = step_now(p) - from - p->each;
    trace_work(p->r, p->s, p->i, TEmatrix, stall > 0 ? stall : 0);
}

/* A group's asynchronous operations ---------------------------------------------- */

static void opens(const TraceStep *p, int w0, int w1, int queue, int64_t done)
{
    for (int w = w0; w < w1; w++) {
        TrQueue *q = &p->t->w[w].q[queue];
        q->open = done > q->open ? done : q->open;
        q->at = step_loc(p);
    }
}

void step_commits(const TraceStep *p, int queue)
{
    for (int w = p->w0; w < p->w1; w++) {
        TrQueue *q = &p->t->w[w].q[queue];
        if (q->n == TrGroups) { /* the two oldest become one */
            q->done[1].to = q->done[0].to > q->done[1].to ? q->done[0].to : q->done[1].to;
            memmove(q->done, q->done + 1, (TrGroups - 1) * sizeof *q->done);
            memmove(q->loc, q->loc + 1, (TrGroups - 1) * sizeof *q->loc);
            q->n--;
        }
        q->done[q->n].to = q->open;
        q->loc[q->n++] = q->at;
        q->open = 0;
    }
}

/* When all groups but the newest `left` are done; they are forgotten. */
int64_t step_finishes(const TraceStep *p, int queue, int left, Loc *by)
{
    int64_t until = 0;
    for (int w = p->w0; w < p->w1; w++) {
        TrQueue *q = &p->t->w[w].q[queue];
        int n = q->n - left;
        for (int k = 0; k < n; k++)
            if (q->done[k].to > until) {
                until = q->done[k].to;
                *by = q->loc[k];
            }
        if (n > 0) {
            memmove(q->done, q->done + n, (size_t)left * sizeof *q->done);
            memmove(q->loc, q->loc + n, (size_t)left * sizeof *q->loc);
            q->n = left;
        }
    }
    return until;
}

static void wait_groups(const TraceStep *p, int queue, int64_t extra)
{
    const OpArgs *a = p->i->x;
    Loc by = {0, 0, 0};
    step_issue1(p);
    int64_t until = step_finishes(p, queue, a->a0, &by);
    TraceEvent *e = step_waited(p, TEgroup, until ? until + extra : 0, by);
    e->queue = (uint8_t)queue;
    e->phase = a->a0;
}

/* wgmma: a warp group's product, its operands fetched from shared memory as it runs. */
void act_group_product(TraceStep *p)
{
    const OpArgs *a = p->i->x;
    const Mma *m = trace_async_instruction(p);
    int group = p->r->sp->m->group ? p->r->sp->m->group : 1;
    int64_t n = op_attr(a->s, "n"), row, at = step_now(p), start, end, fetched;
    int64_t flops = INT64_C(2) * m->m * n * m->k;
    int64_t rate = trace_rate(p->r->sp->m, m, &p->t->guessed);
    int64_t bits = (a->reg[0] ? 0 : m->m) * dtypeinfo[m->a].bits + n * dtypeinfo[m->b].bits;
    int64_t bytes = bits * m->k / 8;
    if (a->reg[0]) {
        int64_t x = regs_ready(p, a->reg[0], &row);
        at = x > at ? x : at;
    }
    step_issue1(p);
    for (int w = p->w0; w + group <= p->w1; w += group) {
        int64_t line = p->r->sp->m->banks * p->r->sp->m->bank_bytes;
        end = multiply(p, w, group, at, (flops + rate - 1) / rate * TrSubs / group, flops, &start);
        fetched = step_shared(p, start, (bytes + line - 1) / line);
        end = fetched > end ? fetched : end;
        opens(p, w, w + group, Qwgmma, end + CyGroup);
        for (int k = w; k < w + group; k++)
            p->t->w[k].product = end > p->t->w[k].product ? end : p->t->w[k].product;
    }
    trace_work(p->r, p->s, p->i, TEmatrix, 0);
}

void act_group_commit(TraceStep *p) { step_commits(p, Qwgmma); }
void act_group_wait(TraceStep *p) { wait_groups(p, Qwgmma, 0); }

/* Copies ----------------------------------------------------------------------- */

static int64_t lanes_on(const TraceStep *p, const OpArgs *a)
{
    const uint8_t *on = step_mask(p);
    int64_t n = 0;
    for (int k = 0; k < p->s->n; k++)
        n += (!on || on[k]) && ivalue(p->r, p->s, a->value, k) != 0;
    return n;
}

/* When bytes that are asked for now are in a buffer of shared memory. */
static int64_t arrives(const TraceStep *p, int cta, int64_t bytes, const SimAccess *to, int queue)
{
    int latency = p->t->timing->latency;
    return step_transfer(p, cta, step_now(p), bytes, to->buf, step_stage(p, to), latency, queue) +
           latency;
}

void act_copy_lanes(TraceStep *p)
{
    const OpArgs *a = p->i->x;
    int64_t bytes = lanes_on(p, a) * a->a0, done;
    step_issue1(p);
    done = step_now(p);
    if (bytes)
        done = arrives(p, p->s->cta, bytes, a->acc[1], Qcp);
    opens(p, p->w0, p->w1, Qcp, done);
    trace_work(p->r, p->s, p->i, TEcopy, 0);
}

void act_copy_commit(TraceStep *p) { step_commits(p, Qcp); }
void act_copy_wait(TraceStep *p) { wait_groups(p, Qcp, 0); }

/* Loads that the instruction has just sent off stand behind those of before. */
void act_box_load(TraceStep *p)
{
    const OpArgs *a = p->i->x;
    Copy *c = p->r->x->flight;
    step_issue1(p);
    for (; c; c = c->next) {
        if (c->a != a || c->lands)
            continue;
        c->lands = arrives(p, c->cta, c->size, a->acc[1], Qbulk);
    }
    trace_work(p->r, p->s, p->i, TEcopy, 0);
}

void act_box_store(TraceStep *p)
{
    const OpArgs *a = p->i->x;
    const Group *g = p->s->q[Qbulk].open;
    step_issue1(p);
    for (Copy *c = g ? g->first : NULL; c; c = c->next) {
        if (c->a != a || c->lands)
            continue;
        c->lands = step_transfer(p, c->cta, step_now(p), c->size, a->s->op.r[1].buf, -1,
                            p->t->timing->latency / 2, Qbulk);
        step_drains(p, c->lands + p->t->timing->latency / 2);
        opens(p, p->w0, p->w1, Qbulk, c->lands);
    }
    trace_work(p->r, p->s, p->i, TEcopy, 0);
}

void act_bulk_commit(TraceStep *p) { step_commits(p, Qbulk); }

/* Only reading shared memory is waited for, or all of it. */
void act_bulk_wait(TraceStep *p)
{
    const OpArgs *a = p->i->x;
    wait_groups(p, Qbulk, a->a1 ? 0 : p->t->timing->latency / 2);
}

