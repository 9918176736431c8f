/* targets/sim/hb_say.c: the findings of hb*.c in words. */
#include "hb_p.h"
#include "err/sim.h"

static uint32_t site_number(uint32_t site) { return site & ~(Atomic | Wrote | Loaded | Bulk); }

bool hb_two_ways(const Hb *h, uint32_t a, uint32_t b)
{
    return a & b & Atomic && report_two_ways(h->r, site_number(a), site_number(b));
}

static uint32_t hb_say_buffer(const Hb *h, uint32_t site)
{
    return site_number(site) < h->r->nsite ? h->r->site[site_number(site)].buf : 0;
}

void hb_say_race(Hb *h, Err e, Err note, int64_t at, int thr, int64_t block,
                 uint32_t site, const Eye *eye, uint32_t now)
{
    Report *r = h->r;
    if (report_has(r, e, site_number(now), site_number(site)))
        return;
    /* x = x + 1 by several threads: a barrier is not what is missing */
    Loc a = r->site[site_number(now)].loc, b = r->site[site_number(site)].loc;
    bool same = a.line && a.line == b.line && a.file == b.file;
    if (same && (e == E_sim_race_wr || e == E_sim_race_rw))
        e = E_sim_race_update;
    report_add(r, e, site_number(now), note, site_number(site),
               report_element(r, hb_say_buffer(h, now), at), report_thread(r, thr),
               report_grid(r, block), report_thread(r, eye->thr), report_block(r, eye->thr),
               report_where(r), (const char *)NULL);
}

void hb_say(Hb *h, Err e, Err note, int64_t at, uint32_t other, const char *name,
            const Eye *eye, uint32_t now)
{
    Report *r = h->r;
    if (report_has(r, e, site_number(now), site_number(other)))
        return;
    report_add(r, e, site_number(now), note, site_number(other),
               report_element(r, hb_say_buffer(h, now), at), report_thread(r, eye->thr),
               report_block(r, eye->thr), report_where(r), name ? name : "", (const char *)NULL);
}
