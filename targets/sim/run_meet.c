/* targets/sim/run_meet.c: who executes an operation of a warp, and whom their masks name.
 *
 *     if tx < 16 then v = any_sync(p, 0xffff) end     lanes 0 .. 15 are here, and name each other
 *     if tx < 16 then v = any_sync(p) end             they name lanes that are not here
 *     v = any_sync(p, 0xffff)                         lanes 16 .. 31 do not name themselves
 *     v = any_sync(p, match_any_sync(x))              lanes meet those with the same x
 *
 * Barriers, votes and shuffles ask the same: a lane meets those that its mask names, which have to
 * be here with the same mask.  Without a mask it names all of its warp; threads that the block does
 * not have, behind a last warp that is not whole, count for nothing.  Where warps have 64 lanes a
 * full mask is that of the 32 around the lane, at least: what is right for warps of 32 is right
 * there too, as those machines take whoever comes. */
#include <inttypes.h>

#include "run.h"
#include "err/sim.h"

static uint64_t meet_bits(int n) { return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX; }
static bool meet_is(uint64_t m, int l) { return m >> l & 1; }

/* Warps ---------------------------------------------------------------------------- */

void meeting_first(const SimRun *r, const Strand *s, Meeting *m)
{
    m->k0 = -((s->t0 - s->cta * r->l->lanes) % r->sp->m->warp);
    m->n = 0;
}

/* The lanes of the warp at m->k0 that are here. */
static uint64_t meet_here(const SimRun *r, const Strand *s, const Ins *i, const Meeting *m)
{
    const uint8_t *on = mask_of(r, s, i->level);
    uint64_t here = 0;
    for (int l = 0; l < m->n; l++) {
        int k = m->k0 + l;
        here |= (uint64_t)(k >= 0 && k < s->n && (!on || on[k])) << l;
    }
    return here;
}

/* Whom a full mask names: see above. */
static uint64_t meet_full(const Meeting *m)
{
    uint64_t all = meet_bits(m->n);
    for (int l = 0; l < 64; l += 32) {
        uint64_t part = all & meet_bits(32) << l;
        if ((m->here & part) && (m->here & part) != part)
            return all;
    }
    return m->here;
}

static uint64_t meet_named(const SimRun *r, const Strand *s, const WarpMask *mask, const Meeting *m,
                           int l)
{
    uint64_t v = (uint64_t)ivalue(r, s, mask->v, m->k0 + l);
    if (mask->v.dt == DTu32)
        v &= meet_bits(32);
    return v & meet_bits(m->n);
}

static void meet_each_other(SimRun *r, const Strand *s, const WarpMask *mask, Meeting *m)
{
    uint64_t full = mask && mask->all ? meet_full(m) : m->here;
    bool given = mask && !mask->all;
    for (int l = 0; l < m->n; l++)
        if (meet_is(m->here, l))
            m->named[l] = given ? meet_named(r, s, mask, m, l) : full;
    for (int l = 0; l < m->n; l++) {
        m->with[l] = given ? UINT64_C(1) << l : m->here;
        for (int k = 0; given && meet_is(m->here, l) && k < m->n; k++)
            if (meet_is(m->here & m->named[l], k) && m->named[k] == m->named[l])
                m->with[l] |= UINT64_C(1) << k;
    }
}

bool meeting_next(SimRun *r, const Strand *s, const Ins *i, const WarpMask *mask, Meeting *m)
{
    int warp = r->sp->m->warp;
    for (m->k0 += m->n ? warp : 0; m->k0 < s->n; m->k0 += warp) {
        int left = r->l->threads - (s->t0 + m->k0 - s->cta * r->l->lanes);
        m->n = left < warp ? left : warp;
        m->here = meet_here(r, s, i, m);
        if (!m->here)
            continue;
        meet_each_other(r, s, mask, m);
        return true;
    }
    return false;
}

/* What is wrong -------------------------------------------------------------------- */

/* Thread k of the strand executes it, thread j does not. */
static void report_part(SimRun *r, const Strand *s, uint32_t site, int k, int j)
{
    Report *q = &r->report;
    if (!report_has(q, E_sim_part, site, 0))
        report_add(q, E_sim_part, site, E_none, 0, r->sp->site[site].what,
                   report_thread(q, s->t0 + k), report_block(q, s->t0 + k), report_where(q),
                   report_thread(q, s->t0 + j), (const char *)NULL);
    r->stop |= q->full;
}

/* e: of lane l, whose mask is not right about lane j; first: what {6} chooses. */
static void report_mask(SimRun *r, const Strand *s, const Ins *i, const Meeting *m, Err e, int l,
                        int j, bool first)
{
    Report *q = &r->report;
    int t = s->t0 + m->k0 + l, digits = r->sp->m->warp / 4;
    if (!report_has(q, e, i->site, 0))
        report_add(q, e, i->site, E_none, 0, r->sp->site[i->site].what, report_thread(q, t),
                   report_block(q, t),
                   afmt(q->c, "0x%0*" PRIx64 "%s", digits, m->named[l], report_where(q)),
                   report_number(q, j), first ? "1" : "0", (const char *)NULL);
    r->stop |= q->full;
}

static int meet_lowest(uint64_t m) { return __builtin_ctzll(m); }

/* Lane l; true: it was reported. */
static bool meet_check_lane(SimRun *r, const Strand *s, const Ins *i, const WarpMask *mask,
                            const Meeting *m, int l)
{
    uint64_t named = m->named[l], off = named & ~m->here, other = named & ~m->with[l];
    if (!meet_is(named, l))
        report_mask(r, s, i, m, E_sim_mask_short, l, l, true);
    else if (off && (mask->all || named == meet_bits(m->n)))
        report_part(r, s, i->site, m->k0 + l, m->k0 + meet_lowest(off));
    else if (off)
        report_mask(r, s, i, m, E_sim_mask_other, l, meet_lowest(off), true);
    else if (other)
        report_mask(r, s, i, m, E_sim_mask_other, l, meet_lowest(other), false);
    else
        return false;
    return true;
}

bool meeting_check(SimRun *r, const Strand *s, const Ins *i, const WarpMask *mask,
                   const Meeting *m)
{
    bool wrong = false;
    for (int l = 0; mask && r->opt->lanes && l < m->n && !wrong; l++)
        wrong = meet_is(m->here, l) && meet_check_lane(r, s, i, mask, m, l);
    return wrong;
}

void meeting_outside(SimRun *r, const Strand *s, const Ins *i, const Meeting *m, int l, int from)
{
    if (r->opt->lanes)
        report_mask(r, s, i, m, E_sim_mask_short, l, from, false);
}

/* Whole warps ---------------------------------------------------------------------- */

bool whole_warps(SimRun *r, Strand *s, const Ins *i, uint32_t site)
{
    const uint8_t *on = mask_of(r, s, i->level);
    int warp = r->sp->m->warp;
    for (int k0 = 0; on && k0 < s->n; k0 += warp) {
        int n = k0 + warp < s->n ? warp : s->n - k0, is = -1, isnt = -1;
        for (int k = k0; k < k0 + n; k++)
            *(on[k] ? &is : &isnt) = k;
        if (is < 0 || isnt < 0)
            continue;
        report_part(r, s, site, is, isnt);
        return false;
    }
    return true;
}
