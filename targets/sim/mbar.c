/* targets/sim/mbar.c: mbarriers, named barriers, the cluster's barrier. */
#include "mbar.h"
#include "err/sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NamedBars = 16, MaxArrivals = (1 << 20) - 1, MaxStuck = 256 };

/* One mbarrier object. */
typedef struct SimMbar SimMbar;
struct SimMbar {
    int64_t at;
    int cta;
    bool used, live;          /* slot taken; initialised in this cluster */
    int64_t count, pending;   /* arrivals of a phase; still missing */
    int64_t tx;               /* bytes expected and not there yet; below 0: came early */
    uint64_t phase;           /* completed phases */
    uint32_t site;            /* of the initialisation */
    int thr; uint32_t born;   /* who initialised it, when (hb_mark) */
    Clocks *acc, *done;       /* of the running phase and all before; of the completed ones */
    Clocks *came, *before;    /* the arrivals of the running phase; of the one before */
};

/* A barrier of threads: named, or the cluster's. */
typedef struct NamedBar NamedBar;
struct NamedBar {
    int count, come;          /* threads awaited, there; come 0: nobody, count unset */
    bool all;                 /* ... those of the block that have not ended */
    int64_t phase;
    uint32_t site;            /* of an arrival */
    bool together;            /* ... which asks for all at that site */
    int thr;
    Clocks *acc, *done;
};

typedef struct StuckAt StuckAt;
struct StuckAt { enum Stuck kind; uint32_t site; int cta; int64_t at; int what; int t0, n; };

struct Bars {
    Report *r;
    Hb *h;                    /* may be NULL */
    int warp, threads, blocks;
    uint8_t *gone;            /* by thread of the cluster */
    int *alive;               /* by block */
    SimMbar *m; uint32_t nm, capm; /* open addressing, a power of two */
    NamedBar *bar;            /* by cta * NamedBars + id */
    NamedBar cluster;
    StuckAt *stuck; int nstuck;
};

/* Life ----------------------------------------------------------------------- */

NORETURN static void mbar_nomem(Ctx *c)
{
    anew(c, (size_t)1 << 62); /* reports and unwinds */
    ctx_unwind(c);
}

Bars *bars_new(Report *report, Hb *hb, const Machine *m, int threads, int blocks)
{
    Bars *b = calloc(1, sizeof *b);
    if (!b)
        mbar_nomem(report->c);
    *b = (Bars){.r = report, .h = hb, .warp = m->warp, .threads = threads, .blocks = blocks};
    b->capm = 64;
    b->gone = calloc((size_t)threads * (size_t)blocks, 1);
    b->alive = calloc((size_t)blocks, sizeof *b->alive);
    b->m = calloc(b->capm, sizeof *b->m);
    b->bar = calloc((size_t)blocks * NamedBars, sizeof *b->bar);
    b->stuck = calloc(MaxStuck, sizeof *b->stuck);
    if (!b->gone || !b->alive || !b->m || !b->bar || !b->stuck) {
        bars_free(b);
        mbar_nomem(report->c);
    }
    return b;
}

void bars_free(Bars *b)
{
    if (!b)
        return;
    free(b->gone);
    free(b->alive);
    free(b->m);
    free(b->bar);
    free(b->stuck);
    free(b);
}

void bars_cluster(Bars *b)
{
    memset(b->gone, 0, (size_t)b->threads * (size_t)b->blocks);
    memset(b->m, 0, b->capm * sizeof *b->m);
    memset(b->bar, 0, (size_t)b->blocks * NamedBars * sizeof *b->bar);
    b->nm = 0;
    b->nstuck = 0;
    b->cluster = (NamedBar){0};
    for (int i = 0; i < b->blocks; i++)
        b->alive[i] = b->threads;
}

/* Messages -------------------------------------------------------------------- */

static int count_of(Who w)
{
    int n = 0;
    for (int k = 0; k < w.n; k++)
        n += !w.on || w.on[k];
    return n;
}

static int mbar_first_of(Who w)
{
    for (int k = 0; k < w.n; k++)
        if (!w.on || w.on[k])
            return w.t0 + k;
    return w.t0;
}

/* A finding about a barrier: {1} its name, {2} {3} the thread, {4} where, {5} {6}. */
static bool bar_finding(Bars *b, Err e, uint32_t site, const char *name, int thr, int64_t v,
                        int64_t w)
{
    Report *r = b->r;
    if (!report_has(r, e, site, 0))
        report_add(r, e, site, E_none, 0, name, report_thread(r, thr), report_block(r, thr),
                   report_where(r), report_number(r, v), report_number(r, w), (const char *)NULL);
    return false;
}

static const char *mbar_name(Bars *b, uint32_t site, int64_t at)
{
    return report_element(b->r, site < b->r->nsite ? b->r->site[site].buf : 0, at * HbByte);
}

/* mbarriers --------------------------------------------------------------------- */

static SimMbar *mbar_slot(const Bars *b, int cta, int64_t at)
{
    uint64_t key = (uint64_t)at / 8 * 31 + (uint64_t)cta * 7919;
    uint32_t i = (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 40) & (b->capm - 1);
    while (b->m[i].used && (b->m[i].cta != cta || b->m[i].at != at))
        i = (i + 1) & (b->capm - 1);
    return &b->m[i];
}

static SimMbar *mbar_make(Bars *b, int cta, int64_t at)
{
    if ((b->nm + 1) * 2 > b->capm) {
        SimMbar *old = b->m;
        uint32_t n = b->capm;
        SimMbar *m = calloc((size_t)n * 2, sizeof *m);
        if (!m)
            mbar_nomem(b->r->c);
        b->m = m;
        b->capm = n * 2;
        for (uint32_t i = 0; i < n; i++)
            if (old[i].used)
                *mbar_slot(b, old[i].cta, old[i].at) = old[i];
        free(old);
    }
    SimMbar *m = mbar_slot(b, cta, at);
    if (!m->used) {
        *m = (SimMbar){.used = true, .cta = cta, .at = at};
        b->nm++;
    }
    return m;
}

/* The object, if it is initialised and all of w know that; else a finding. */
static SimMbar *sim_mbar_ready(Bars *b, uint32_t site, int cta, int64_t at, Who w)
{
    SimMbar *m = mbar_slot(b, cta, at);
    if (m->used && m->live && (!b->h || hb_knew(b->h, m->thr, m->born, w)))
        return m;
    bar_finding(b, E_sim_mbar_uninit, site, mbar_name(b, site, at), mbar_first_of(w), 0, 0);
    return m->used && m->live ? m : NULL;
}

bool mbar_init(Bars *b, uint32_t site, int cta, int64_t at, int64_t count, Who w)
{
    SimMbar *m = mbar_make(b, cta, at);
    int thr = mbar_first_of(w);
    if (count < 1 || count > MaxArrivals)
        return bar_finding(b, E_sim_mbar_count, site, mbar_name(b, site, at), thr, count, 0);
    bool again = m->live, many = count_of(w) > 1;
    if (many)
        bar_finding(b, E_sim_mbar_many, site, mbar_name(b, site, at), thr, count_of(w), 0);
    else if (again)
        bar_finding(b, E_sim_mbar_again, site, mbar_name(b, site, at), thr, 0, 0);
    m->live = true;
    m->count = m->pending = count;
    m->tx = 0;
    m->phase = 0;
    m->site = site;
    m->thr = thr;
    if (b->h) {
        m->born = hb_mark(b->h, thr);
        m->acc = hb_clocks(b->h);
        m->done = hb_clocks(b->h);
        m->came = hb_clocks(b->h);
        m->before = hb_clocks(b->h);
    }
    return !again && !many;
}

/* Ends the phase when nothing is missing any more. */
static bool phase_settle(Bars *b, uint32_t site, SimMbar *m, int thr)
{
    if (m->pending > 0)
        return true;
    if (m->tx < 0) {
        int64_t more = -m->tx;
        m->tx = 0;
        bar_finding(b, E_sim_mbar_bytes, site, mbar_name(b, m->site, m->at), thr, more, 0);
    }
    if (m->tx > 0)
        return true;
    m->phase++;
    m->pending = m->count;
    if (b->h) {
        hb_copy(b->h, m->done, m->acc);
        hb_copy(b->h, m->before, m->came);
        hb_clear(b->h, m->came);
    }
    return true;
}

bool mbar_expect(Bars *b, uint32_t site, int cta, int64_t at, int64_t bytes, Who w)
{
    SimMbar *m = sim_mbar_ready(b, site, cta, at, w);
    if (m)
        m->tx += bytes * count_of(w);
    return m != NULL;
}

/* The first `most` threads of w, counting those that are on. */
static Who first_few(Who w, int64_t most)
{
    int k = 0;
    for (int64_t n = 0; k < w.n; k++) {
        n += !w.on || w.on[k];
        if (n > most)
            break;
    }
    w.n = k;
    return w;
}

/* Threads that all count for the running phase. */
static bool sim_mbar_arrive(Bars *b, uint32_t site, SimMbar *m, int64_t expect, Who w)
{
    int n = count_of(w), thr = mbar_first_of(w);
    bool local = thr / b->threads == m->cta, ok = true;
    if (b->h && local && !hb_knows(b->h, m->before, w))
        ok = bar_finding(b, E_sim_mbar_phase, site, mbar_name(b, site, m->at), thr, m->count, 0);
    if (b->h) {
        hb_did(b->h, m->came, w);
        hb_release(b->h, m->acc, w);
    }
    if (expect > 0)
        m->tx += expect * n;
    m->pending -= n;
    return phase_settle(b, site, m, thr) && ok;
}

bool mbar_arrive(Bars *b, uint32_t site, int cta, int64_t at, int64_t expect, Who w)
{
    SimMbar *m = sim_mbar_ready(b, site, cta, at, w);
    bool ok = m != NULL;
    while (ok && count_of(w)) { /* a phase may end between them */
        if (m->pending == 0)
            return bar_finding(b, E_sim_mbar_arrivals, site, mbar_name(b, site, at),
                               mbar_first_of(w), m->count, 0);
        Who some = first_few(w, m->pending);
        ok = sim_mbar_arrive(b, site, m, expect, some);
        w.t0 += some.n;
        w.n -= some.n;
        w.on = w.on ? w.on + some.n : NULL;
    }
    return ok;
}

bool mbar_done(Bars *b, uint32_t site, int cta, int64_t at, int64_t bytes, Async *a)
{
    SimMbar *m = mbar_slot(b, cta, at);
    Who nobody = {0, 0, NULL};
    if (!m->used || !m->live) {
        bar_finding(b, E_sim_mbar_uninit, site, mbar_name(b, site, at), cta * b->threads, 0, 0);
        return false;
    }
    if (b->h && a)
        hb_complete(b->h, a, nobody, m->acc);
    m->tx -= bytes;
    return phase_settle(b, site, m, cta * b->threads);
}

bool mbar_ready(const Bars *b, int cta, int64_t at, int parity)
{
    const SimMbar *m = mbar_slot(b, cta, at);
    return !m->used || !m->live || (int)(m->phase & 1) != (parity & 1);
}

int64_t mbar_phase(const Bars *b, int cta, int64_t at)
{
    const SimMbar *m = mbar_slot(b, cta, at);
    return m->used && m->live ? (int64_t)m->phase : 0;
}

bool mbar_try(Bars *b, uint32_t site, int cta, int64_t at, int parity, Who w)
{
    SimMbar *m = sim_mbar_ready(b, site, cta, at, w);
    if (!m)
        return true;
    if ((int)(m->phase & 1) == (parity & 1))
        return false;
    if (b->h)
        hb_acquire(b->h, m->done, w);
    return true;
}

/* Barriers of threads ----------------------------------------------------------- */

static const char *bar_name(Bars *b, int id) { return report_number(b->r, id); }

static int mbar_alive(const Bars *b, int cta)
{
    int n = 0;
    for (int i = 0; i < b->blocks; i++)
        n += cta < 0 || i == cta ? b->alive[i] : 0;
    return n;
}

static void mbar_open(Bars *b, NamedBar *x)
{
    x->phase++;
    x->come = 0;
    if (b->h) {
        hb_copy(b->h, x->done, x->acc);
        hb_clear(b->h, x->acc);
    }
}

static int64_t mbar_enter(Bars *b, NamedBar *x, uint32_t site, int count, Who w)
{
    int64_t phase = x->phase;
    if (b->h && !x->acc) {
        x->acc = hb_clocks(b->h);
        x->done = hb_clocks(b->h);
    }
    if (b->h)
        hb_release(b->h, x->acc, w);
    x->count = count;
    x->come += count_of(w);
    x->site = site;
    x->thr = mbar_first_of(w);
    if (x->come >= x->count)
        mbar_open(b, x);
    return phase;
}

/* A thread of the warp of thread thr (all in w count) that is missing, or -1. */
static int mbar_missing(const Bars *b, Who w, int thr)
{
    int in = thr % b->threads, first = thr - in % b->warp, block = thr - in;
    for (int t = first; t < first + b->warp && t < block + b->threads; t++) {
        int k = t - w.t0;
        if (!b->gone[t] && (k < 0 || k >= w.n || (w.on && !w.on[k])))
            return t;
    }
    return -1;
}

/* Whole warps come, as bar.sync has it. */
static void bar_whole_warps(Bars *b, uint32_t site, int id, Who w)
{
    int last = -1;
    for (int k = 0; k < w.n; k++) {
        int thr = w.t0 + k, warp = thr / b->threads * 4096 + thr % b->threads / b->warp, t;
        if ((w.on && !w.on[k]) || warp == last)
            continue;
        last = warp;
        t = mbar_missing(b, w, thr);
        if (t >= 0)
            bar_finding(b, E_sim_bar_warp, site, bar_name(b, id), thr, t % b->threads, 0);
    }
}

/* Thread thr of another site than those that are there: PTX leaves open what a vote counts then
 * (bar.red beside bar.sync or bar.arrive), and CUDA all of __syncthreads() that some skip. */
static void bar_mixed(Bars *b, const NamedBar *x, uint32_t site, int thr)
{
    Report *r = b->r;
    if (!report_has(r, E_sim_bar_mixed, site, x->site))
        report_add(r, E_sim_bar_mixed, site, E_sim_bar_other, x->site, r->site[site].what,
                   report_thread(r, thr), report_block(r, thr), report_where(r),
                   report_thread(r, x->thr), r->site[x->site].what, (const char *)NULL);
}

int64_t bar_enter(Bars *b, uint32_t site, int cta, int id, int count, Who w, bool together)
{
    NamedBar *x = &b->bar[cta * NamedBars + (id & (NamedBars - 1))];
    int all = mbar_alive(b, cta), n = count_of(w), thr = mbar_first_of(w);
    if (count > 0 && (count % b->warp || count > (b->threads + b->warp - 1) / b->warp * b->warp) &&
        count != b->threads)
        bar_finding(b, E_sim_bar_count, site, bar_name(b, id), thr, count, b->warp);
    bool everybody = count <= 0 || (id == 0 && count >= b->threads);
    if (everybody)
        count = all;
    else
        bar_whole_warps(b, site, id, w);
    if (everybody && x->come && x->all)
        x->count = all; /* some have ended since the first of them came */
    x->all = everybody;
    if (x->come && x->count != count) {
        bar_finding(b, E_sim_bar_differs, site, bar_name(b, id), thr, count, x->count);
    } else if (x->come + n > count) {
        bar_finding(b, E_sim_bar_many, site, bar_name(b, id), thr, count, x->come);
    }
    if (x->come && x->site != site && (x->together || together))
        bar_mixed(b, x, site, thr);
    x->together = together;
    return mbar_enter(b, x, site, count, w);
}

bool bar_open(const Bars *b, int cta, int id, int64_t phase)
{
    return b->bar[cta * NamedBars + (id & (NamedBars - 1))].phase > phase;
}

int64_t bar_phase(const Bars *b, int cta, int id)
{
    return b->bar[cta * NamedBars + (id & (NamedBars - 1))].phase;
}

void bar_leave(Bars *b, int cta, int id, Who w)
{
    NamedBar *x = &b->bar[cta * NamedBars + (id & (NamedBars - 1))];
    if (b->h && x->done)
        hb_acquire(b->h, x->done, w);
}

int64_t cluster_enter(Bars *b, uint32_t site, Who w)
{
    return mbar_enter(b, &b->cluster, site, mbar_alive(b, -1), w);
}

bool cluster_open(const Bars *b, int64_t phase) { return b->cluster.phase > phase; }

void cluster_leave(Bars *b, Who w)
{
    if (b->h && b->cluster.done)
        hb_acquire(b->h, b->cluster.done, w);
}

void bars_exit(Bars *b, Who w)
{
    for (int k = 0; k < w.n; k++) {
        int thr = w.t0 + k;
        if ((w.on && !w.on[k]) || b->gone[thr])
            continue;
        b->gone[thr] = 1;
        b->alive[thr / b->threads]--;
    }
    for (int i = 0; i < b->blocks; i++) {
        NamedBar *x = &b->bar[i * NamedBars];
        if (x->come && x->count > b->alive[i] && x->come >= b->alive[i] && b->alive[i] > 0)
            mbar_open(b, x);
    }
    NamedBar *c = &b->cluster;
    if (c->come && c->come >= mbar_alive(b, -1))
        mbar_open(b, c);
}

/* Deadlock ------------------------------------------------------------------------ */

void bars_stuck(Bars *b, enum Stuck kind, uint32_t site, int cta, int64_t at, int what, Who w)
{
    if (b->nstuck == MaxStuck)
        return;
    for (int i = 0; i < b->nstuck; i++) { /* neighbours at the same place are one entry */
        StuckAt *s = &b->stuck[i];
        if (s->kind == kind && s->site == site && s->cta == cta && s->at == at && s->what == what &&
            s->t0 + s->n == w.t0) {
            s->n += w.n;
            return;
        }
    }
    int t0 = mbar_first_of(w);
    b->stuck[b->nstuck++] = (StuckAt){kind, site, cta, at, what, t0, w.n - (t0 - w.t0)};
}

/* "0..127": threads of their block. */
static const char *mbar_threads_text(Bars *b, const StuckAt *s)
{
    int from = s->t0 % b->threads, to = from + s->n - 1;
    return from == to ? afmt(b->r->c, "%d", from) : afmt(b->r->c, "%d..%d", from, to);
}

static void stuck_mbar(Bars *b, const StuckAt *s)
{
    const SimMbar *m = mbar_slot(b, s->cta, s->at);
    Report *r = b->r;
    report_add(r, E_sim_deadlock, s->site, E_none, 0, mbar_threads_text(b, s),
               report_block(r, s->t0), report_number(r, s->what), mbar_name(b, s->site, s->at),
               afmt(r->c, "%" PRId64 "/%" PRId64, m->pending, m->count),
               report_number(r, m->tx > 0 ? m->tx : 0), (const char *)NULL);
}

static void stuck_bar(Bars *b, const StuckAt *s)
{
    const NamedBar *x = &b->bar[s->cta * NamedBars + (int)(s->at & (NamedBars - 1))];
    Report *r = b->r;
    report_add(r, E_sim_deadlock_bar, s->site, E_none, 0, mbar_threads_text(b, s),
               report_block(r, s->t0), bar_name(b, (int)s->at), report_number(r, x->come),
               report_number(r, x->count),
               (const char *)NULL);
}

void bars_deadlock(Bars *b)
{
    Report *r = b->r;
    for (int i = 0; i < b->nstuck; i++) {
        const StuckAt *s = &b->stuck[i];
        switch (s->kind) {
        case STUCKmbar: stuck_mbar(b, s); break;
        case STUCKbar: stuck_bar(b, s); break;
        case STUCKcluster:
            report_add(r, E_sim_deadlock_cluster, s->site, E_none, 0, mbar_threads_text(b, s),
                       report_block(r, s->t0), report_number(r, b->cluster.come),
                       report_number(r, b->cluster.count), (const char *)NULL);
            break;
        case STUCKgroup: case STUCKother:
            report_add(r, E_sim_deadlock_other, s->site, E_none, 0, mbar_threads_text(b, s),
                       report_block(r, s->t0), (const char *)NULL);
            break;
        }
    }
    b->nstuck = 0;
}

void bars_finish(Bars *b)
{
    for (int i = 0; i < b->blocks * NamedBars; i++) {
        const NamedBar *x = &b->bar[i];
        if (x->come)
            bar_finding(b, E_sim_bar_left, x->site, bar_name(b, i % NamedBars), x->thr, x->come,
                        x->count);
    }
}
