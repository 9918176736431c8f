/* targets/sim/run_mma.c: matrix instructions of a warp, and fetches of their
 * operands. */
#include <string.h>

#include "run.h"

static const Val none = {0};

/* The registers of operand k; false: outside, reported. */
static bool registers(SimRun *r, Strand *s, const Ins *i, const OpArgs *a, int k, Val *v)
{
    *v = none;
    return a->reg[k] && slots_at(r, s, i, a->reg[k], a->site[k], v);
}

static char *lane_at(const SimRun *r, const Strand *s, Val v, int k)
{
    return row_at(r, v, s->t0 + k);
}

static bool warp_on(const uint8_t *on, int k0) { return !on || on[k0]; }

const Ins *run_mma(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    int warp = r->sp->m->warp;
    Val v[3];
    for (int k = 0; k < 3; k++)
        if (!registers(r, s, i, a, k, &v[k]))
            return i + 1;
    if (!whole_warps(r, s, i, i->site))
        return i + 1;
    for (int k = 0; k < 3; k++)
        slots_read(r, s, i, a->reg[k], a->site[k], v[k]);
    for (int k0 = 0; k0 < s->n; k0 += warp)
        if (warp_on(on, k0))
            unit_mma(a->unit, lane_at(r, s, v[0], k0), lane_at(r, s, v[1], k0),
                     lane_at(r, s, v[2], k0), r->x->T);
    slots_written(r, s, i, a->reg[2], v[2]);
    return i + 1;
}

/* Byte offsets of the rows that the lanes of each warp name; lanes that name
 * none are left out of the checks.  false: one is outside or not aligned. */
static bool rows(SimRun *r, Strand *s, const Ins *i, const OpArgs *a, int k, int num, int mode,
                 int64_t *at)
{
    const uint8_t *on = mask_of(r, s, i->level);
    uint8_t *named = r->x->on[1];
    int warp = r->sp->m->warp;
    Spots o;
    for (int j = 0; j < s->n; j++)
        named[j] = (!on || on[j]) && j % warp < 8 * num;
    if (!access_spots(r, s, named, a->acc[k], 0, &o))
        return false;
    access_touch(r, s, a->acc[k], &o, mode, NULL, NULL);
    int bits = dtypeinfo[a->acc[k]->dt].bits;
    for (int j = 0; j < s->n; j++) {
        int64_t e = o.base + (o.at ? o.at[j] : j * o.step);
        at[j] = (o.mem - (r->shared + s->cta * r->l->shared)) + e * bits / 8;
        if (!o.on[j])
            at[j] = 0;
        if (o.on[j] != named[j] || at[j] % 16)
            return false;
    }
    return true;
}

static const uint8_t *shared_of(const SimRun *r, const Strand *s)
{
    return (const uint8_t *)(r->shared + s->cta * r->l->shared);
}

/* All 32 lanes' rows count with num 4, the first 8 with num 1. */
const Ins *run_ldmatrix(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    int warp = r->sp->m->warp, num = a->a0 ? a->a0 : 1;
    int64_t *at = r->x->votes;
    Val v;
    if (!registers(r, s, i, a, 1, &v) || !whole_warps(r, s, i, i->site) ||
        !rows(r, s, i, a, 0, num, HBread, at))
        return i + 1;
    for (int k0 = 0; k0 < s->n; k0 += warp)
        if (warp_on(on, k0))
            unit_ldmatrix(shared_of(r, s), at + k0, num, a->a1 != 0, (enum Dtype)a->acc[0]->dt,
                          lane_at(r, s, v, k0), r->x->T);
    slots_written(r, s, i, a->reg[1], v);
    return i + 1;
}

const Ins *run_stmatrix(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    const uint8_t *on = mask_of(r, s, i->level);
    int warp = r->sp->m->warp, num = a->a0 ? a->a0 : 1;
    int64_t *at = r->x->votes;
    Val v;
    if (!registers(r, s, i, a, 0, &v) || !whole_warps(r, s, i, i->site))
        return i + 1;
    slots_read(r, s, i, a->reg[0], a->site[0], v);
    if (!rows(r, s, i, a, 1, num, HBwrite, at))
        return i + 1;
    for (int k0 = 0; k0 < s->n; k0 += warp)
        if (warp_on(on, k0))
            unit_stmatrix((uint8_t *)r->shared + s->cta * r->l->shared, at + k0, num, a->a1 != 0,
                          (enum Dtype)a->acc[1]->dt, lane_at(r, s, v, k0), r->x->T);
    return i + 1;
}
