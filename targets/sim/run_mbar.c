/* targets/sim/run_mbar.c: operations on mbarriers. */
#include <string.h>

#include "run.h"
#include "err/sim.h"

int64_t mbar_place(const SimRun *r, uint32_t buf, int64_t index)
{
    return r->sp->p->buf[buf].at + 8 * index;
}

/* Index of the barrier element in lane k, checked against the buffer. */
static bool mbar_element(SimRun *r, Strand *s, const OpArgs *a, int k, int64_t *at)
{
    uint32_t buf = a->s->op.r[0].buf;
    int64_t n = buf_bytes(r->sp->p, buf) / 8, i = ivalue(r, s, a->min[0][0], k);
    *at = mbar_place(r, buf, i);
    if (i >= 0 && i < n)
        return true;
    Report *q = &r->report;
    if (!report_has(q, E_sim_bounds, a->site[0], 0))
        report_add(q, E_sim_bounds, a->site[0], E_none, 0,
                   afmt(r->ctx, "%s[%lld]", r->sp->p->buf[buf].name, (long long)i),
                   report_number(q, n), report_thread(q, s->t0 + k), report_block(q, s->t0 + k),
                   report_where(q), (const char *)NULL);
    r->stop |= q->full;
    return false;
}

static bool run_mbar_is_on(const Who *w, int k) { return !w->on || w->on[k]; }

/* Threads [k, end) that are on and name the same barrier and value as k. */
static int run_mbar_alike(SimRun *r, Strand *s, const OpArgs *a, const Who *w, int k, bool value)
{
    int64_t at = ivalue(r, s, a->min[0][0], k), v = value ? ivalue(r, s, a->value, k) : 0;
    int end = k + 1;
    while (end < w->n &&
           (!run_mbar_is_on(w, end) || (ivalue(r, s, a->min[0][0], end) == at &&
                                        (!value || ivalue(r, s, a->value, end) == v))))
        end++;
    return end;
}

static void act(SimRun *r, Strand *s, const OpArgs *a, uint32_t site, int64_t at, int64_t v, Who w)
{
    Bars *b = r->x->bars;
    switch (a->s->op.op) {
    case Ombar_init: mbar_init(b, site, s->cta, at, v, w); break;
    case Ocp_async_arrive: mbar_arrive(b, site, s->cta, at, -1, w); break;
    case Ombar_expect: mbar_expect(b, site, s->cta, at, v, w); break;
    case Ombar_arrive_expect: mbar_arrive(b, site, s->cta, at, v, w); break;
    default: mbar_arrive(b, site, v < 0 || v >= r->ncta ? s->cta : (int)v, at, -1, w); break;
    }
}

const Ins *run_mbar(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    Who w = who_of(r, s, i);
    for (int k = 0, end; k < w.n; k = end) {
        int64_t at;
        end = k + 1;
        if (!run_mbar_is_on(&w, k))
            continue;
        end = run_mbar_alike(r, s, a, &w, k, true);
        if (mbar_element(r, s, a, k, &at))
            act(r, s, a, a->site[0], at, ivalue(r, s, a->value, k),
                (Who){s->t0 + k, end - k, w.on ? w.on + k : NULL});
    }
    return i + 1;
}

/* Warps that wait for different things go their own ways. */
static void warps_part(SimRun *r, Strand *s, const Ins *i, const OpArgs *a)
{
    int warp = r->sp->m->warp, n = (s->n + warp - 1) / warp;
    uint8_t key[64];
    Who w = who_of(r, s, i);
    if (n < 2 || n > 64 || (a->min[0][0].shape == SHu && a->value.shape == SHu))
        return;
    if (run_mbar_alike(r, s, a, &w, 0, true) == s->n)
        return;
    for (int k = 0; k < n; k++)
        key[k] = (uint8_t)k;
    s->pc = i;
    strand_parts(r, s, key);
}

const Ins *run_mbarwait(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    warps_part(r, s, i, a);
    Who w = who_of(r, s, i);
    for (int k = 0, end; k < w.n; k = end) {
        int64_t at;
        end = k + 1;
        if (!run_mbar_is_on(&w, k))
            continue;
        end = run_mbar_alike(r, s, a, &w, k, true);
        if (!mbar_element(r, s, a, k, &at))
            continue;
        int parity = (int)(ivalue(r, s, a->value, k) & 1);
        if (!mbar_try(r->x->bars, a->site[0], s->cta, at, parity,
                      (Who){s->t0 + k, end - k, w.on ? w.on + k : NULL})) {
            s->wait =
                (StrandWait){.kind = STUCKmbar, .site = a->site[0], .at = at, .parity = parity};
            return strand_wait(s, i);
        }
    }
    return i + 1;
}
