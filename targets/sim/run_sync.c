/* targets/sim/run_sync.c: barriers of threads, fences. */
#include <string.h>

#include "run.h"

/* Barriers ---------------------------------------------------------------------- */

/* Warps of the strand that are here and warps that are not part; true if they
 * did: the strand is now the first part. */
static bool part_warps(SimRun *r, Strand *s, const Ins *i)
{
    const uint8_t *on = mask_of(r, s, i->level);
    int warp = r->sp->m->warp, n = (s->n + warp - 1) / warp;
    uint8_t key[64];
    bool differ = false;
    if (!on || n > 64)
        return false;
    for (int w = 0; w < n; w++) {
        key[w] = 0;
        for (int k = w * warp; k < (w + 1) * warp && k < s->n; k++)
            key[w] |= on[k];
        differ |= key[w] != key[0];
    }
    if (!differ)
        return false;
    s->pc = i;
    strand_parts(r, s, key);
    return true;
}

static bool nobody(const SimRun *r, const Strand *s, const Ins *i)
{
    const uint8_t *on = mask_of(r, s, i->level);
    return on && !r->sp->kern->count(on, s->n);
}

/* Arrives at barrier id; the strand waits from now on. */
static int64_t run_sync_arrive(SimRun *r, Strand *s, const Ins *i, int id, int count,
                               bool together)
{
    int64_t phase = bar_enter(r->x->bars, i->site, s->cta, id, count, (Who){s->t0, s->n, NULL},
                              together);
    s->wait = (StrandWait){.kind = STUCKbar,
                           .site = i->site,
                           .id = id,
                           .count = count,
                           .phase = phase,
                           .entered = true};
    strand_wait(s, i);
    return phase;
}

/* Behind the barrier that it arrived at, or still waiting. */
static const Ins *barrier_leave(SimRun *r, Strand *s, const Ins *i)
{
    if (!bar_open(r->x->bars, s->cta, s->wait.id, s->wait.phase))
        return strand_wait(s, i);
    bar_leave(r->x->bars, s->cta, s->wait.id, (Who){s->t0, s->n, NULL});
    s->wait.entered = false;
    return i + 1;
}

/* The strand has arrived: were those the last? */
static const Ins *arrived(SimRun *r, Strand *s, const Ins *i)
{
    if (bar_open(r->x->bars, s->cta, s->wait.id, s->wait.phase))
        sched_release(r, s, i);
    return NULL;
}

const Ins *run_barsync(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    if (s->wait.entered)
        return barrier_leave(r, s, i);
    part_warps(r, s, i);
    if (nobody(r, s, i))
        return i + 1;
    whole_warps(r, s, i, i->site);
    bool block = a->a0 == 0 && (a->a1 == 0 || a->a1 == r->l->threads);
    if (block && s->n == r->l->threads) { /* everybody is here */
        if (r->hb)
            hb_join(r->hb, (Who){s->t0, s->n, NULL});
        return i + 1;
    }
    run_sync_arrive(r, s, i, a->a0, a->a1, block && a->s->kind == Scall);
    return arrived(r, s, i);
}

const Ins *run_bararrive(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    part_warps(r, s, i);
    if (nobody(r, s, i))
        return i + 1;
    whole_warps(r, s, i, i->site);
    bar_enter(r->x->bars, i->site, s->cta, a->a0, a->a1, (Who){s->t0, s->n, NULL}, false);
    return i + 1;
}

/* All threads of the grid, which run as one cluster. */
const Ins *run_grid(SimRun *r, Strand *s, const Ins *i)
{
    Machinery *x = r->x;
    if (s->wait.entered) {
        if (x->gridphase == s->wait.phase)
            return strand_wait(s, i);
        s->wait.entered = false;
        return i + 1;
    }
    whole_warps(r, s, i, i->site);
    s->wait =
        (StrandWait){.kind = STUCKother, .site = i->site, .phase = x->gridphase, .entered = true};
    x->gridcome += s->n;
    strand_wait(s, i);
    if (x->gridcome < (int64_t)r->l->threads * r->ncta)
        return NULL;
    x->gridcome = 0;
    x->gridphase++;
    if (r->hb)
        hb_join(r->hb, (Who){0, x->T, NULL});
    sched_release(r, s, i);
    return NULL;
}

/* Clusters ------------------------------------------------------------------------ */

const Ins *run_clusterarrive(SimRun *r, Strand *s, const Ins *i)
{
    whole_warps(r, s, i, i->site);
    s->cluster = cluster_enter(r->x->bars, i->site, who_of(r, s, i));
    return i + 1;
}

const Ins *run_clusterwait(SimRun *r, Strand *s, const Ins *i)
{
    if (!cluster_open(r->x->bars, s->cluster)) {
        s->wait = (StrandWait){.kind = STUCKcluster, .site = i->site, .phase = s->cluster};
        return strand_wait(s, i);
    }
    cluster_leave(r->x->bars, who_of(r, s, i));
    return i + 1;
}

/* A number of all threads of the block: syncthreads_count and its kin. ------------- */

static int64_t count_true(SimRun *r, Strand *s, const Ins *i, const CallArgs *a, int64_t *all)
{
    const uint8_t *on = mask_of(r, s, i->level);
    int64_t n = 0;
    *all = 0;
    for (int k = 0; k < s->n; k++)
        if (!on || on[k]) {
            n += ivalue(r, s, a->arg[0], k) != 0;
            ++*all;
        }
    return n;
}

static void run_sync_give(SimRun *r, Strand *s, const Ins *i, int fn, int64_t yes, int64_t all)
{
    int32_t *d = operand(r, s, i->d, 0);
    int64_t v = fn == Icount_sync ? yes : fn == Iand_sync ? yes == all : yes != 0;
    for (int k = 0; k < s->n; k++)
        d[k] = (int32_t)v;
}

const Ins *run_blockred(SimRun *r, Strand *s, const Ins *i)
{
    const CallArgs *a = i->x;
    int64_t all, yes;
    Tally *t = &r->x->tally[s->cta];
    if (s->wait.entered) {
        const Ins *next = barrier_leave(r, s, i);
        if (next) /* the other parity's tally is being made meanwhile */
            run_sync_give(r, s, i, a->fn, t->yes[s->wait.phase & 1], t->all[s->wait.phase & 1]);
        return next;
    }
    part_warps(r, s, i);
    if (nobody(r, s, i))
        return i + 1;
    whole_warps(r, s, i, i->site);
    yes = count_true(r, s, i, a, &all);
    if (s->n == r->l->threads) {
        if (r->hb)
            hb_join(r->hb, (Who){s->t0, s->n, NULL});
        run_sync_give(r, s, i, a->fn, yes, all);
        return i + 1;
    }
    int64_t phase = run_sync_arrive(r, s, i, 0, 0, true);
    if (t->phase != phase + 1) { /* the first to come */
        t->phase = phase + 1;
        t->yes[phase & 1] = t->all[phase & 1] = 0;
    }
    t->yes[phase & 1] += yes;
    t->all[phase & 1] += all;
    return arrived(r, s, i);
}

/* Fences ---------------------------------------------------------------------------- */

/* Lanes of a warp that meet each other, and no others, know what they did. */
static void hb_meet(SimRun *r, const Strand *s, const Meeting *m)
{
    uint8_t on[64];
    for (uint64_t rest = m->here; rest;) {
        uint64_t with = m->with[__builtin_ctzll(rest)];
        for (int l = 0; l < m->n; l++)
            on[l] = with >> l & 1;
        hb_step(r->hb, (Who){s->t0 + m->k0, m->n, on});
        rest &= ~with;
    }
}

const Ins *run_warpsync(SimRun *r, Strand *s, const Ins *i)
{
    const WarpMask *mask = ((const OpArgs *)i->x)->mask;
    Meeting m;
    if (mask->all && r->hb)
        hb_step(r->hb, who_of(r, s, i));
    if (mask->all && !mask_of(r, s, i->level))
        return i + 1;
    for (meeting_first(r, s, &m); meeting_next(r, s, i, mask, &m);) {
        meeting_check(r, s, i, mask, &m);
        if (!mask->all && r->hb)
            hb_meet(r, s, &m);
    }
    return i + 1;
}

const Ins *run_fenceasync(SimRun *r, Strand *s, const Ins *i)
{
    const OpArgs *a = i->x;
    if (r->hb)
        hb_fence_async(r->hb, who_of(r, s, i), a->a0 != 0);
    return i + 1;
}

const Ins *run_fenceglobal(SimRun *r, Strand *s, const Ins *i)
{
    if (r->hb)
        hb_fence_global(r->hb, who_of(r, s, i));
    return i + 1;
}

const Ins *run_nothing(SimRun *r, Strand *s, const Ins *i)
{
    (void)r, (void)s;
    return i + 1;
}
