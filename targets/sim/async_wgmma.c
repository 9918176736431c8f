/* targets/sim/async_wgmma.c: matrix products of warp groups.  They read shared
 * memory and change registers between their issue and the wait for their group;
 * until then those registers are theirs. */
#include <string.h>

#include "async.h"
#include "err/sim.h"

static int async_wgmma_group_lanes(const SimRun *r)
{
    return r->sp->m->warp * (r->sp->m->group ? r->sp->m->group : 1);
}

static uint8_t *dirty(const SimRun *r, const Local *l, int t)
{
    int groups = r->x->T / async_wgmma_group_lanes(r) + 1;
    return r->x->dirty + (size_t)l->index * (size_t)groups + t / async_wgmma_group_lanes(r);
}

void registers_written(SimRun *r, Strand *s, const Local *l)
{
    for (int t = s->t0; t < s->t0 + s->n; t += async_wgmma_group_lanes(r))
        *dirty(r, l, t) = 1;
}

static bool async_wgmma_overlaps(const Copy *c, int k, const Local *l, int64_t at, int64_t n)
{
    const RegArgs *q = c->a->reg[k];
    if (!q || q->l != l)
        return false;
    int64_t first = (c->v[k].at - l->at) / class_rows((enum ValueClass)l->cls);
    return at < first + q->n && first < at + n;
}

static void report_registers(SimRun *r, const Strand *s, Err e, const Local *l, uint32_t site,
                             uint32_t other)
{
    Report *q = &r->report;
    if (r->hb && !report_has(q, e, site, other))
        report_add(q, e, site, other ? E_sim_issued : E_none, other, report_name(q, l->buf),
                   report_thread(q, s->t0), report_block(q, s->t0), report_where(q),
                   "wgmma", (const char *)NULL);
    r->stop |= q->full;
}

void flight_regs(SimRun *r, Strand *s, const Local *l, int64_t at, int64_t n, uint32_t site,
                 bool write)
{
    const Queue *q = &s->q[Qwgmma];
    const Group *g = q->first ? q->first : q->open;
    while (g) {
        for (const Copy *c = g->first; c; c = c->next)
            if (async_wgmma_overlaps(c, 2, l, at, n) ||
                (write && async_wgmma_overlaps(c, 0, l, at, n))) {
                report_registers(r, s, E_sim_registers, l, site, c->a->site[2]);
                return;
            }
        g = g == q->open ? NULL : g->next ? g->next : q->open;
    }
}

/* Issue ------------------------------------------------------------------------------ */

/* The descriptor of a shared operand: region k of the operation. */
static bool async_wgmma_descriptor(SimRun *r, Strand *s, const OpArgs *a, int k, int t, Desc *d)
{
    static const char *const name[2][4] = {{"a_tnsp", "a_lbo", "a_sbo", "a_swizzle"},
                                           {"b_tnsp", "b_lbo", "b_sbo", "b_swizzle"}};
    uint8_t *one = r->x->on[1];
    Spots o;
    memset(one, 0, (size_t)s->n);
    one[t] = 1;
    if (!access_spots(r, s, one, a->acc[k], 0, &o))
        return false;
    int64_t e = o.base + (o.at ? o.at[t] : t * o.step);
    d->start = o.mem - block_memory(r, s->cta) + e * dtypeinfo[a->acc[k]->dt].bits / 8;
    d->tnsp = op_attr(a->s, name[k][0]) != 0;
    d->lbo = op_attr(a->s, name[k][1]);
    d->sbo = op_attr(a->s, name[k][2]);
    d->swizzle = op_attr(a->s, name[k][3]);
    return true;
}

static void rows_owned(SimRun *r, const OpArgs *a, const Copy *c, int k, const Desc *d)
{
    int64_t at[UnitRows], half[UnitRows];
    int n = unit_rows(a->unit, k ? 'b' : 'a', d, at, UnitRows);
    HbAccess t = {.site = a->site[k], .mode = HBread, .cta = c->cta, .t0 = c->t0, .n = n, .at = half,
                  .size = 16 * HbByte};
    for (int j = 0; j < n; j++) {
        if (at[j] < 0 || at[j] + 16 > r->l->shared)
            return;
        half[j] = at[j] * HbByte;
    }
    hb_owns(r->hb, c->h, &t, true);
    r->stop |= r->report.full;
}

static void async_wgmma_fenced(SimRun *r, Strand *s, const OpArgs *a, int t)
{
    for (int k = 0; k < 3; k += 2)
        if (a->reg[k] && *dirty(r, a->reg[k]->l, s->t0 + t)) {
            report_registers(r, s, E_sim_wgmma_fence, a->reg[k]->l, a->site[k], 0);
            *dirty(r, a->reg[k]->l, s->t0 + t) = 0;
        }
}

static void async_wgmma_issue(SimRun *r, Strand *s, const OpArgs *a, int t, const Val *v,
                              bool accumulate)
{
    Copy *c = copy_new(r, a, CKwgmma, 0);
    r->x->inflight++;
    c->cta = s->cta;
    c->t0 = s->t0 + t;
    c->n = async_wgmma_group_lanes(r);
    c->accumulate = accumulate;
    memcpy(c->v, v, sizeof c->v);
    if ((!a->reg[0] && !async_wgmma_descriptor(r, s, a, 0, t, &c->da)) ||
        !async_wgmma_descriptor(r, s, a, 1, t, &c->db)) {
        copy_free(r, c);
        return;
    }
    if (r->hb) {
        async_wgmma_fenced(r, s, a, t);
        c->h = hb_issue(r->hb, a->site[2], HAgroup, (Who){c->t0, c->n, NULL});
        if (!a->reg[0])
            rows_owned(r, a, c, 0, &c->da);
        rows_owned(r, a, c, 1, &c->db);
    }
    queue_add(r, &s->q[Qwgmma], c);
}

const Ins *run_wgmma(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    Val v[3] = {{0}};
    if (!sched_group(r, s, i))
        return NULL;
    if (!whole_warps(r, s, i, i->site))
        return i + 1;
    for (int k = 0; k < 3; k += 2)
        if (a->reg[k] && !regs_at(r, s, i, a->reg[k], a->site[k], &v[k]))
            return i + 1;
    bool accumulate = ivalue(r, s, a->value, 0) != 0;
    if (a->reg[0])
        regs_read(r, s, i, a->reg[0], a->site[0], v[0]);
    if (accumulate)
        regs_given(r, s, i, a->reg[2], a->site[2], v[2]);
    for (int t = 0; t + async_wgmma_group_lanes(r) <= s->n; t += async_wgmma_group_lanes(r))
        if (!on || on[t])
            async_wgmma_issue(r, s, a, t, v, accumulate);
    regs_written(r, s, i, a->reg[2], v[2]);
    return i + 1;
}

const Ins *run_wgmmafence(SimRun *r, Strand *s, const Ins *i)
{
    if (!sched_group(r, s, i))
        return NULL;
    for (uint32_t k = 0; k < r->l->nlocal; k++)
        for (int t = s->t0; t < s->t0 + s->n && r->l->local[k]->async;
             t += async_wgmma_group_lanes(r))
            *dirty(r, r->l->local[k], t) = 0;
    return i + 1;
}

const Ins *run_wgmmacommit(SimRun *r, Strand *s, const Ins *i)
{
    queue_close(r, &s->q[Qwgmma]);
    return i + 1;
}

const Ins *run_wgmmawait(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    queue_wait(r, s, &s->q[Qwgmma], a->a0, NULL);
    return i + 1;
}

/* It happens ---------------------------------------------------------------------------- */

bool wgmma_happens(SimRun *r, const Copy *c)
{
    const OpArgs *a = c->a;
    const void *ra = a->reg[0] ? row_at(r, c->v[0], c->t0) : NULL;
    bool ok = unit_wgmma(a->unit, (const uint8_t *)block_memory(r, c->cta), r->l->shared, ra,
                         &c->da, &c->db, row_at(r, c->v[2], c->t0), r->x->T, c->accumulate);
    if (ok)
        return true;
    Report *q = &r->report;
    if (!report_has(q, E_sim_bounds, a->site[1], 0))
        report_add(q, E_sim_bounds, a->site[1], E_none, 0,
                   r->sp->p->buf[a->s->op.r[1].buf].name, report_number(q, r->l->shared),
                   report_thread(q, c->t0), report_block(q, c->t0), "", (const char *)NULL);
    r->stop |= q->full;
    return false;
}
