/* targets/sim/trace_calc.c: arithmetic, registers, loads and stores on the clocks of
 * trace.h. */
#include <string.h>

#include "trace_step.h"

/* Arithmetic ------------------------------------------------------------------- */

static bool is_of(const TraceStep *p, const Ins *i, enum Xop op)
{
    Kern *const (*k)[NKernForm] = p->r->sp->kern->bin[op];
    for (int c = KCf; c <= KCd; c++)
        for (int f = 0; f < NKernForm; f++)
            if (k[c][f] == i->kern)
                return true;
    return false;
}

/* A product and the sum behind it are one instruction. */
static bool fused(const TraceStep *p)
{
    const Ins *i = p->i, *m = i - 1;
    return i > p->r->l->code && m->fn == run_kern && (is_of(p, i, Xadd) || is_of(p, i, Xsub)) &&
           is_of(p, m, Xmul) && ((i->a.at == m->d.at && i->a.shape == m->d.shape) ||
                                 (i->b.at == m->d.at && i->b.shape == m->d.shape));
}

void act_calc(TraceStep *p)
{
    const Ins *i = p->i;
    int64_t stall = 0, soft = 0;
    if (i->d.shape == SHu)
        return;
    if (!p->k->measured) {
        bool special = false;
        int n = i->fn == run_kern ? kern_cycles(p->r->sp->kern, i->kern, &special) : 1;
        p->k->cycles = fused(p) ? 0 : n;
        p->k->fused = special;
        p->k->measured = true;
    }
    const Val v[3] = {i->a, i->b, i->c};
    for (int k = 0; k < 3; k++) {
        int64_t at = i->fn == run_kern ? step_takes(p, v[k], &stall) : 0;
        soft = at > soft ? at : soft;
    }
    int n = p->k->cycles * (i->d.shape == SHw ? i->w : 1);
    if (n)
        step_issue(p, n, p->k->fused ? TrSubs * 4 : p->t->timing->lanes);
    step_gives(p, i->d, soft > step_now(p) ? 2 * soft : 0);
    if (n || stall)
        trace_work(p->r, p->s, i, TEcompute, stall);
}

/* A copy of registers costs nothing; its value is as late as before. */
void act_copy(TraceStep *p)
{
    step_gives(p, p->i->d, step_needs(p, p->i->a));
}

static Val reg_value(const Local *l, int64_t at, int shape)
{
    return (Val){(uint8_t)shape, l->cls, l->dt,
                 l->at + class_rows((enum ValueClass)l->cls) * (uint32_t)at};
}

void act_load_reg(TraceStep *p)
{
    const Local *l = p->i->x;
    int64_t at = uvalue(p->s, p->i->a);
    if (at >= 0 && at < l->regs)
        step_gives(p, p->i->d, step_needs(p, reg_value(l, at, p->i->d.shape)));
}

void act_store_reg(TraceStep *p)
{
    const Local *l = p->i->x;
    int64_t at = uvalue(p->s, p->i->a);
    if (at >= 0 && at < l->regs)
        step_gives(p, reg_value(l, at, p->i->d.shape), step_needs(p, p->i->b));
}

/* Indexed at run time: local memory, which the first cache holds. */
void act_indexed(TraceStep *p)
{
    step_issue1(p);
    int64_t end = step_shared(p, step_now(p), step_warps(p));
    if (p->i->fn == run_ldindex)
        step_gives(p, p->i->d, 2 * (end + CyShared));
    trace_work(p->r, p->s, p->i, TEcompute, 0);
}

void act_shuffle(TraceStep *p)
{
    const CallArgs *a = p->i->x;
    int64_t stall = 0, at = a->n ? step_takes(p, a->arg[0], &stall) : 0, end;
    step_issue1(p);
    at = at > step_now(p) ? at : step_now(p);
    end = step_shared(p, at, step_warps(p));
    step_gives(p, p->i->d, 2 * (end + CyShuffle) + 1);
    trace_work(p->r, p->s, p->i, TEcompute, stall);
}

/* Memory ----------------------------------------------------------------------- */

static bool step_global(const TraceStep *p, const SimAccess *a)
{
    const Prog *g = p->r->sp->p;
    return g->buf[buf_root(g, a->buf)].scope == SCglobal;
}

/* Wavefronts or sectors of the strand's warps, from the addresses of this time. */
static void measure_access(TraceStep *p, const SimAccess *a, const uint8_t *on)
{
    const Machine *m = p->r->sp->m;
    HbAccess q;
    Spots o;
    int64_t addr[64];
    p->k->measured = true;
    p->k->waves = p->k->sectors = p->k->warps = step_warps(p);
    if (!access_spots(p->r, p->s, on, a, 0, &o))
        return;
    access_places(p->r, a, &o, p->s->n, &q, p->r->x->at[2]);
    int sector = m->sector ? m->sector : 32, times = o.apart ? a->w : 1;
    int size = (q.size + 1) / HbByte, bytes = size / times;
    int64_t waves = 0, sectors = 0;
    for (int k0 = 0; k0 < p->s->n; k0 += p->t->warp) {
        int n = p->s->n - k0 < p->t->warp ? p->s->n - k0 : p->t->warp, accessed, ideal;
        for (int k = 0; k < n; k++)
            addr[k] = o.on && !o.on[k0 + k] ? -1
                      : (q.at ? q.at[k0 + k] : q.base + (k0 + k) * q.step) / HbByte;
        if (step_global(p, a)) {
            sector_cost(addr, n, size, sector, &accessed, &ideal);
            sectors += accessed;
        } else {
            waves += times * bank_cost(addr, n, bytes ? bytes : 1, m->banks, m->bank_bytes).waves;
        }
    }
    p->k->waves = waves;
    p->k->sectors = sectors * sector;
}

/* Measured once; other sets of warps have their part of it. */
static int64_t step_share(const TraceStep *p, int64_t n)
{
    return p->k->warps ? (n * step_warps(p) + p->k->warps - 1) / p->k->warps : n;
}

/* `bytes` over the way to memory, not before `at`: -> the last one's cycle there. */
int64_t step_transfer(const TraceStep *p, int cta, int64_t at, int64_t bytes, uint32_t buf,
                        int64_t stage, int latency, int queue)
{
    int rate = p->t->timing->l2;
    int64_t n = (bytes + rate - 1) / rate, end;
    calendar_take(p->r->ctx, &p->t->unit[cta].way, at, n, &end);
    TraceEvent *e = trace_unit(p->r, cta, p->w0, p->w1, step_loc(p), TEflight, buf, stage, at,
                               end + latency);
    e->bytes += bytes;
    e->busy += n;
    e->queue = (uint8_t)queue;
    return end;
}

/* The first index of a buffer in memory, where it is the same for all threads: the stage of
 * a pipeline's buffer. */
int64_t step_stage(const TraceStep *p, const SimAccess *a)
{
    if (!a || a->ndim < 2 || a->hast[0] || a->vec == 0)
        return -1;
    return uvalue(p->s, a->u[0]);
}

/* From when on shared memory may be read: behind the strand's own stores. */
static int64_t stores_done(const TraceStep *p)
{
    int64_t at = step_now(p);
    for (int w = p->w0; w < p->w1; w++)
        at = p->t->w[w].stored > at ? p->t->w[w].stored : at;
    return at;
}

static void stores_end(const TraceStep *p, int64_t done)
{
    step_pends(p, done);
    for (int w = p->w0; w < p->w1; w++)
        p->t->w[w].stored = done > p->t->w[w].stored ? done : p->t->w[w].stored;
}

static void loads_done(const TraceStep *p, int64_t done)
{
    for (int w = p->w0; w < p->w1; w++)
        if (done > p->t->w[w].loads) {
            p->t->w[w].loads = done;
            p->t->w[w].loaded = step_loc(p);
        }
}

void act_load(TraceStep *p)
{
    const SimAccess *a = p->i->x;
    int64_t done;
    if (!p->k->measured)
        measure_access(p, a, step_mask(p));
    step_issue1(p);
    if (step_global(p, a)) {
        done = step_transfer(p, p->s->cta, step_now(p), step_share(p, p->k->sectors), a->buf, -1,
                        p->t->timing->latency, NQueue) + p->t->timing->latency;
    } else {
        done = step_shared(p, stores_done(p), step_share(p, p->k->waves));
        done += CyShared;
        step_pends(p, done);
    }
    loads_done(p, done);
    step_gives(p, p->i->d, 2 * done);
    trace_work(p->r, p->s, p->i, TEload, 0);
}

/* One value for all threads: it may be a bound or an index, so it is waited for. */
void act_load_uniform(TraceStep *p)
{
    const SimAccess *a = p->i->x;
    step_issue1(p);
    int64_t from = step_now(p), done = from + CyShared;
    if (step_global(p, a))
        done = step_transfer(p, p->s->cta, from, 32, a->buf, -1, p->t->timing->latency, NQueue) +
               p->t->timing->latency;
    step_move(p, done);
    trace_work(p->r, p->s, p->i, TEload, done - from);
}

static void trace_calc_stores(TraceStep *p, const SimAccess *a, int64_t at)
{
    at = at > step_now(p) ? at : step_now(p);
    if (step_global(p, a)) {
        int64_t done = step_transfer(p, p->s->cta, at, step_share(p, p->k->sectors), a->buf, -1,
                                     p->t->timing->latency / 2, NQueue);
        step_drains(p, done + p->t->timing->latency / 2);
    } else {
        stores_end(p, step_shared(p, at, step_share(p, p->k->waves)));
    }
}

void act_store(TraceStep *p)
{
    const SimAccess *a = p->i->x;
    int64_t stall = 0;
    const uint8_t *on = step_mask(p);
    if (!p->k->measured)
        measure_access(p, a, p->i->y ? moved_mask(p->r, p->s, on, p->i->y) : on);
    int64_t at = step_takes(p, p->i->a, &stall);
    step_issue1(p);
    trace_calc_stores(p, a, at);
    trace_work(p->r, p->s, p->i, TEstore, stall);
}

void act_atomic(TraceStep *p)
{
    const AtomicArgs *a = p->i->x;
    int64_t stall = 0, at = 0;
    bool far = step_global(p, a->acc);
    if (!p->k->measured)
        measure_access(p, a->acc, step_mask(p));
    for (int k = 0; k < a->s->atomic.lanes; k++) {
        int64_t x = step_takes(p, a->value[k], &stall);
        at = x > at ? x : at;
    }
    step_issue1(p);
    trace_calc_stores(p, a->acc, at);
    if (a->hasprev)
        step_gives(p, a->prev, 2 * (step_now(p) + (far ? p->t->timing->latency : CyShared)));
    trace_work(p->r, p->s, p->i, TEstore, stall);
}

/* Rows of matrices: their addresses stand in votes, behind the instruction. */
void act_rows(TraceStep *p)
{
    const OpArgs *a = p->i->x;
    bool reads = p->i->fn == run_ldmatrix;
    int num = a->a0 ? a->a0 : 1, warp = p->t->warp;
    const Machine *m = p->r->sp->m;
    int64_t done, stall = 0, at = 0;
    if (!p->k->measured) {
        for (int k0 = 0; k0 + warp <= p->s->n; k0 += warp)
            p->k->waves += bank_cost(p->r->x->votes + k0, 8 * num < warp ? 8 * num : warp, 16,
                                     m->banks, m->bank_bytes).waves;
        p->k->warps = step_warps(p);
        p->k->measured = true;
    }
    const RegArgs *q = a->reg[reads ? 1 : 0];
    uint32_t each = class_rows((enum ValueClass)q->l->cls);
    uint32_t row = q->l->at + each * (uint32_t)uvalue(p->s, q->at);
    if (!reads)
        at = step_takes(p, (Val){SHt, q->l->cls, q->l->dt, row}, &stall);
    step_issue1(p);
    int64_t from = reads ? stores_done(p) : step_now(p);
    done = step_shared(p, at > from ? at : from, step_share(p, p->k->waves));
    if (reads) {
        step_pends(p, done + CyShared);
        step_ready(p, row, each * (uint32_t)q->n, 2 * (done + CyShared));
    } else {
        stores_end(p, done);
    }
    trace_work(p->r, p->s, p->i, reads ? TEload : TEstore, stall);
}

