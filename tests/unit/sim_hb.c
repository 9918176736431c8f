/* What the simulator knows of order: every kind of race and misuse is found, and
 * synchronised programs stay silent.  Random schedules: sim_order.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "targets/sim/mbar.h"
#include "../../targets/targets.h"
#include "err/sim.h"

static int failures;
#define CHECK(c) \
    do { \
        if (!(c)) { \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #c); \
            failures++; \
        } \
    } while (0)

/* A program of a few buffers, as far as hb looks at it ------------------------- */

enum { Sites = 4096, A_s = 1, B_s = 2, Bars_s = 3, X = 4, Y = 5 };
static SimSite site[Sites];
static Prog *prog;
static Report rep;
static Hb *hb;
static Bars *bars;
static char xdata[1 << 16], ydata[1 << 16];
static const char *const what[] = {"",         "reads",     "writes", "cp_async",
                                   "tma_load", "tma_store", "wgmma"};

static Ex shape(int64_t n) { return x_int(prog, DTi32, n); }

static void build(Ctx *c, void *ud)
{
    Ex d[2] = {shape(32), shape(32)};
    (void)c;
    (void)ud;
    uint32_t a = p_buf(prog, SCshared, DTf16, "A_s", d, NULL, 2);
    uint32_t b = p_buf(prog, SCshared, DTf32, "B_s", d, NULL, 1);
    uint32_t m = p_buf(prog, SCbarrier, DTu64, "full", d, NULL, 1);
    Ex n[2] = {shape(128), shape(64)};
    uint32_t x = p_buf(prog, SCglobal, DTf32, "X", n, NULL, 2);
    uint32_t y = p_buf(prog, SCglobal, DTf32, "Y", n, NULL, 2);
    CHECK(a == A_s && b == B_s && m == Bars_s && x == X && y == Y);
    prog->buf[a].at = 0;
    prog->buf[b].at = 0; /* the same bytes, in turn */
    prog->buf[m].at = 4096;
}

static void begin(Ctx *c, void *ud)
{
    const Machine *m = ud;
    HbGlobal g[8] = {{0}};
    (void)c;
    g[X] = (HbGlobal){xdata, 128 * 64 * 4, true, true, true};
    g[Y] = (HbGlobal){ydata, 128 * 64 * 4, true, false, false};
    HbSetup s = {&rep, m, rep.threads, 2, 8192, g};
    hb = hb_new(&s);
    bars = bars_new(&rep, hb, m, rep.threads, 2);
    hb_cluster(hb, (int64_t[]){0, 1});
    bars_cluster(bars);
}

/* A fresh Hb for clusters of two blocks of so many threads. */
static void start(const Machine *m, int threads)
{
    prog = prog_new(&mem_libc, "k");
    CHECK(ctx_try(&prog->ctx, build, NULL));
    for (uint32_t i = 0; i < Sites; i++)
        site[i] = (SimSite){{1, 1, i}, i >= 900 ? X : i >= 800 ? B_s : i >= 700 ? Bars_s : A_s,
                            what[i / 100 % 7], 0};
    memset(&rep, 0, sizeof rep);
    rep.c = &prog->ctx;
    rep.p = prog;
    rep.site = site;
    rep.nsite = Sites;
    rep.threads = threads;
    rep.grid[0] = 8;
    rep.max = 1 << 20;
    union { const Machine *c; void *v; } u = {m};
    CHECK(ctx_try(&prog->ctx, begin, u.v));
}

static void stop(void)
{
    bars_free(bars);
    hb_free(hb);
    prog_free(prog);
}

static int found(Err e)
{
    int n = 0;
    for (uint32_t i = 0; i < rep.n; i++)
        n += rep.f[i].err == e;
    return n;
}

static void show(void)
{
    for (uint32_t i = 0; i < rep.n && i < 6; i++)
        printf("  %s %s %s %s %s %s %s line %u/%u\n", err_info(rep.f[i].err)->id, rep.f[i].arg[0],
               rep.f[i].arg[1], rep.f[i].arg[2], rep.f[i].arg[3] ? rep.f[i].arg[3] : "",
               rep.f[i].arg[4] ? rep.f[i].arg[4] : "", rep.f[i].arg[5] ? rep.f[i].arg[5] : "",
               rep.f[i].loc.line, rep.f[i].other.line);
}

/* Findings that only follow from others go: late arrivals at mbarriers. */
static void drop_phases(void)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < rep.n; i++)
        if (i == 0 || rep.f[i].err != E_sim_mbar_phase)
            rep.f[n++] = rep.f[i];
    rep.n = n;
}

/* Exactly this finding and no other (E_none: none at all). */
#define ONLY(e) \
    do { \
        if ((Err)(e) == E_none ? rep.n != 0 : rep.n == 0 || found(e) != (int)rep.n) { \
            printf("%s:%d: expected only %s\n", __FILE__, __LINE__, \
                   (e) ? err_info(e)->id : "nothing"); \
            show(); \
            failures++; \
        } \
        stop(); \
    } while (0)

/* Thread t0 + k at base + k * step. */
static void sh(uint32_t s, int mode, int t0, int n, int64_t base, int64_t step, int bytes)
{
    hb_shared(hb, &(HbAccess){.site = s, .mode = (uint8_t)mode, .t0 = t0, .n = n,
                              .base = base * HbByte, .step = step * HbByte, .size = bytes * HbByte});
}

/* Threads t0 .. touch bytes each, contiguous from base. */
static void rd(uint32_t s, int t0, int n, int64_t base, int bytes)
{
    sh(s, HBread, t0, n, base, bytes, bytes);
}

static void wr(uint32_t s, int t0, int n, int64_t base, int bytes)
{
    sh(s, HBwrite, t0, n, base, bytes, bytes);
}

static void gl(uint32_t s, int mode, int t0, int n, int64_t base, int64_t step, int bytes)
{
    hb_global(hb, site[s].buf, &(HbAccess){.site = s, .mode = (uint8_t)mode, .t0 = t0, .n = n,
                                           .base = base * HbByte, .step = step * HbByte,
                                           .size = bytes * HbByte});
}

/* Ranges that a new asynchronous operation of these threads owns. */
static Async *issue(uint32_t s, enum HbAsync kind, int t0, int n, int mode, int ranges, int bytes)
{
    Async *a = hb_issue(hb, s, kind, (Who){t0, n, NULL});
    hb_owns(hb, a, &(HbAccess){.site = s, .mode = (uint8_t)mode, .t0 = t0, .n = ranges,
                               .step = bytes * HbByte, .size = bytes * HbByte}, kind != HAeach);
    return a;
}

static Who all(int t0, int n) { return (Who){t0, n, NULL}; }
static bool equal(void *ud, int k, int j)
{
    (void)ud;
    (void)k;
    (void)j;
    return true;
}

/* Scenarios ------------------------------------------------------------------------ */

static void shared_races(const Machine *m)
{
    start(m, 128);
    wr(1, 0, 128, 0, 2);
    hb_join(hb, all(0, 128));
    rd(2, 0, 128, 2, 2);                /* thread 127 reads beyond what was written */
    ONLY(E_sim_unwritten);

    start(m, 128);
    wr(1, 0, 128, 0, 2);
    hb_join(hb, all(0, 128));
    sh(2, HBread, 0, 128, 254, -2, 2);
    hb_join(hb, all(0, 128));
    wr(1, 0, 128, 0, 2);
    ONLY(E_none);

    start(m, 128);                      /* no barrier behind the write */
    wr(1, 0, 128, 0, 2);
    sh(2, HBread, 0, 128, 254, -2, 2);
    CHECK(rep.n == 1 && !strcmp(rep.f[0].arg[0], "A_s[3, 31]"));
    CHECK(!strcmp(rep.f[0].arg[1], "127") && !strcmp(rep.f[0].arg[3], "0"));
    CHECK(rep.f[0].loc.line == 2 && rep.f[0].other.line == 1 && !strcmp(rep.f[0].arg[4], "(0)"));
    ONLY(E_sim_race_wr);

    start(m, 128);                      /* no barrier behind the read */
    wr(1, 0, 128, 0, 2);
    hb_join(hb, all(0, 128));
    sh(2, HBread, 0, 128, 254, -2, 2);
    wr(3, 0, 128, 0, 2);
    ONLY(E_sim_race_rw);

    start(m, 128);                      /* own elements need no barrier */
    wr(1, 0, 128, 0, 8);
    rd(2, 0, 128, 0, 8);
    wr(3, 0, 128, 0, 8);
    ONLY(E_none);

    start(m, 128);                      /* within a warp: warp_sync suffices, and is needed */
    wr(1, 0, 32, 0, 2);
    hb_step(hb, all(0, 32));
    sh(2, HBread, 0, 32, 62, -2, 2);
    hb_step(hb, all(0, 32));
    wr(1, 0, 32, 0, 2);
    ONLY(E_none);
    start(m, 128);
    wr(1, 0, 32, 0, 2);
    sh(2, HBread, 0, 32, 62, -2, 2);
    ONLY(E_sim_race_wr);
    start(m, 128);                      /* another warp's warp_sync does not help */
    wr(1, 0, 64, 0, 2);
    hb_step(hb, all(0, 64));
    sh(2, HBread, 0, 64, 126, -2, 2);
    ONLY(E_sim_race_wr);

    start(m, 128);                      /* all lanes read one element, one writes it */
    wr(1, 5, 1, 0, 2);
    hb_join(hb, all(0, 128));
    sh(2, HBread, 0, 128, 0, 0, 2);
    sh(2, HBread, 0, 128, 0, 0, 2);
    hb_join(hb, all(0, 128));
    wr(1, 127, 1, 0, 2);
    ONLY(E_none);
    start(m, 128);
    wr(1, 5, 1, 0, 2);
    hb_join(hb, all(0, 128));
    sh(2, HBread, 0, 128, 0, 0, 2);
    hb_join(hb, all(32, 96));           /* all but the first warp */
    wr(1, 127, 1, 0, 2);
    CHECK(rep.n == 1 && atoi(rep.f[0].arg[1]) < 32);
    ONLY(E_sim_race_rw);

    start(m, 128);                      /* different values at once; equal ones are fine */
    sh(1, HBwrite, 0, 64, 0, 0, 2);
    ONLY(E_sim_race_same);
    start(m, 128);
    hb_shared(hb, &(HbAccess){.site = 1, .mode = HBwrite, .n = 64, .size = 2 * HbByte, .same = equal});
    ONLY(E_none);
    start(m, 128);                      /* two statements race even then */
    wr(1, 0, 1, 0, 2);
    hb_shared(hb, &(HbAccess){.site = 3, .mode = HBwrite, .t0 = 9, .n = 1, .size = 2 * HbByte, .same = equal});
    ONLY(E_sim_race_ww);

    start(m, 128);                      /* atomics, then a plain read */
    wr(1, 0, 1, 0, 2);
    hb_join(hb, all(0, 128));
    for (int i = 0; i < 4; i++)
        sh(2, HBatomic, 0, 128, 0, 0, 2);
    hb_join(hb, all(0, 128));
    rd(3, 7, 1, 0, 2);
    ONLY(E_none);
    start(m, 128);
    wr(1, 0, 1, 0, 2);
    hb_join(hb, all(0, 128));
    sh(2, HBatomic, 0, 128, 0, 0, 2);
    rd(3, 127, 1, 0, 2);                /* the last one that updated reads: the others race */
    ONLY(E_sim_race_atomic);
    start(m, 128);                      /* cleared by the first of those that update */
    wr(1, 0, 1, 0, 2);
    sh(2, HBatomic, 0, 128, 0, 0, 2);
    CHECK(rep.n == 1 && rep.f[0].note == E_sim_wrote);
    ONLY(E_sim_race_atomic);
    start(m, 128);                      /* .. and two others' updates since then */
    wr(1, 0, 1, 0, 2);
    sh(2, HBatomic, 0, 1, 0, 0, 2);
    hb_join(hb, all(0, 64));
    sh(2, HBatomic, 32, 1, 0, 0, 2);
    CHECK(rep.n == 0);
    sh(2, HBatomic, 64, 1, 0, 0, 2);
    ONLY(E_sim_race_atomic);
    start(m, 128);                      /* a plain write that knows that one, not the update */
    wr(1, 0, 1, 0, 2);
    hb_join(hb, all(0, 128));
    sh(2, HBatomic, 0, 1, 0, 0, 2);
    wr(3, 64, 1, 0, 2);
    ONLY(E_sim_race_atomic);

    start(m, 128);                      /* never written; written as another buffer */
    rd(2, 0, 1, 0, 2);
    ONLY(E_sim_unwritten);
    start(m, 128);
    wr(801, 0, 64, 0, 4);
    hb_join(hb, all(0, 128));
    rd(2, 0, 64, 0, 2);
    CHECK(rep.n == 1 && !strcmp(rep.f[0].arg[4], "B_s"));
    ONLY(E_sim_stale);
    start(m, 128);                      /* a new cluster: unwritten again, no races */
    wr(1, 0, 64, 0, 2);
    hb_cluster(hb, (int64_t[]){2, 3});
    wr(3, 64, 64, 0, 2);
    hb_join(hb, all(0, 128));
    rd(2, 0, 64, 0, 2);
    rd(4, 0, 1, 1024, 2);
    CHECK(rep.n == 1 && !strcmp(rep.f[0].arg[2], "(2)"));
    ONLY(E_sim_unwritten);
    start(m, 128);                      /* the other block's memory is another one */
    wr(1, 0, 64, 0, 2);
    hb_shared(hb, &(HbAccess){.site = 2, .mode = HBread, .cta = 1, .t0 = 0, .n = 1, .size = 2 * HbByte});
    ONLY(E_sim_unwritten);
}

static void mbarriers(const Machine *m)
{
    const int64_t full = 4096, empty = 4104;
    for (int mutant = 0; mutant < 6; mutant++) {
        start(m, 160);                  /* warps 0..3 consume, warp 4 produces with plain stores */
        mbar_init(bars, 701, 0, full, 1, all(128, 1));
        mbar_init(bars, 702, 0, empty, 4, all(128, 1));
        if (mutant != 1)
            hb_join(hb, all(0, 160));
        for (int i = 0; i < 4; i++) {
            CHECK(mbar_try(bars, 703, 0, empty, (i & 1) ^ 1, all(128, 32)) || mutant);
            wr(1, 128, 32, 0, 32);
            if (mutant != 2)
                hb_step(hb, all(128, 32));
            mbar_arrive(bars, 704, 0, full, -1, all(128, 1));
            for (int w = 0; w < 4; w++) {
                if (mutant != 3 || w != 2)
                    CHECK(mbar_try(bars, 705, 0, full, i & 1, all(32 * w, 32)) || mutant);
                sh(2, HBread, 32 * w, 32, 992, -32, 32);
                if (mutant != 4)
                    hb_step(hb, all(32 * w, 32));
                if (mutant != 5 || w != 1)
                    mbar_arrive(bars, 706, 0, empty, -1, all(32 * w, 1));
            }
            if (mutant == 5)
                break;
        }
        if (mutant == 5) { /* the phase cannot complete */
            CHECK(!mbar_try(bars, 703, 0, empty, 0, all(128, 32)));
            bars_stuck(bars, STUCKmbar, 703, 0, empty, 0, all(128, 32));
            bars_deadlock(bars);
            CHECK(rep.n == 1 && !strcmp(rep.f[0].arg[4], "1/4"));
            CHECK(!strcmp(rep.f[0].arg[0], "128..159"));
            CHECK(rep.f[0].loc.line == 703);
        }
        static const Err want[] = {E_none, E_sim_mbar_uninit, E_sim_race_wr, E_sim_race_wr,
                                        E_sim_race_rw, E_sim_deadlock};
        if (mutant == 1)
            CHECK(found(E_sim_mbar_uninit) > 0);
        drop_phases();
        if (mutant == 1)
            stop();
        else
            ONLY(want[mutant]);
    }
    start(m, 128);
    CHECK(!mbar_arrive(bars, 701, 0, full, -1, all(0, 1)));
    ONLY(E_sim_mbar_uninit);
    start(m, 128);
    CHECK(!mbar_init(bars, 701, 0, full, 0, all(0, 1)));
    ONLY(E_sim_mbar_count);
    start(m, 128);                      /* a second arrival while bytes are missing */
    mbar_init(bars, 701, 0, full, 1, all(0, 1));
    CHECK(mbar_arrive(bars, 702, 0, full, 64, all(0, 1)));
    CHECK(!mbar_arrive(bars, 702, 0, full, -1, all(0, 1)));
    ONLY(E_sim_mbar_arrivals);
    start(m, 128);                      /* more bytes than expected */
    mbar_init(bars, 701, 0, full, 1, all(0, 1));
    mbar_arrive(bars, 702, 0, full, 64, all(0, 1));
    CHECK(!mbar_try(bars, 703, 0, full, 0, all(0, 1)));
    mbar_done(bars, 704, 0, full, 128, NULL);
    ONLY(E_sim_mbar_bytes);
    start(m, 128);                      /* bytes before their expectation are fine */
    mbar_init(bars, 701, 0, full, 1, all(0, 1));
    mbar_done(bars, 704, 0, full, 64, NULL);
    CHECK(!mbar_try(bars, 703, 0, full, 0, all(0, 1)));
    mbar_arrive(bars, 702, 0, full, 64, all(0, 1));
    CHECK(mbar_try(bars, 703, 0, full, 0, all(0, 1)));
    CHECK(mbar_try(bars, 703, 0, full, 0, all(0, 1)) && !mbar_ready(bars, 0, full, 1));
    ONLY(E_none);
}

static void thread_barriers(const Machine *m)
{
    start(m, 128);                      /* producer arrives, consumer waits: bar 1 of 64 */
    wr(1, 0, 32, 0, 2);
    int64_t p = bar_enter(bars, 11, 0, 1, 64, all(0, 32), false);
    CHECK(!bar_open(bars, 0, 1, p));
    p = bar_enter(bars, 12, 0, 1, 64, all(32, 32), false);
    CHECK(bar_open(bars, 0, 1, p));
    bar_leave(bars, 0, 1, all(32, 32));
    rd(2, 32, 32, 0, 2);
    ONLY(E_none);
    start(m, 128);                      /* who only arrived knows nothing of the other */
    bar_enter(bars, 11, 0, 1, 64, all(0, 32), false);
    wr(1, 32, 32, 0, 2);
    bar_enter(bars, 12, 0, 1, 64, all(32, 32), false);
    bar_leave(bars, 0, 1, all(32, 32));
    rd(2, 0, 32, 0, 2);
    ONLY(E_sim_race_wr);
    start(m, 128);
    bar_enter(bars, 11, 0, 1, 64, all(0, 32), false);
    bar_enter(bars, 11, 0, 1, 96, all(32, 32), false);
    ONLY(E_sim_bar_differs);
    start(m, 128);                      /* a vote, and another barrier */
    bar_enter(bars, 11, 0, 0, 0, all(0, 32), true);
    bar_enter(bars, 12, 0, 0, 0, all(32, 32), false);
    ONLY(E_sim_bar_mixed);
    start(m, 128);
    bar_enter(bars, 11, 0, 0, 0, all(0, 32), true);
    bar_enter(bars, 11, 0, 0, 0, all(32, 32), true);
    bar_enter(bars, 11, 0, 0, 0, all(64, 64), true);
    bar_enter(bars, 12, 0, 0, 0, all(0, 128), false); /* the next phase */
    ONLY(E_none);
    start(m, 128);
    bar_enter(bars, 11, 0, 1, 40, all(0, 32), false);
    ONLY(E_sim_bar_count);
    start(m, 128);
    bar_enter(bars, 11, 0, 1, 64, all(0, 96), false);
    ONLY(E_sim_bar_many);
    start(m, 128);
    bar_enter(bars, 11, 0, 1, 64, all(0, 16), false);
    ONLY(E_sim_bar_warp);
    start(m, 128);                      /* left over at exit */
    bar_enter(bars, 11, 0, 1, 64, all(0, 32), false);
    bars_finish(bars);
    ONLY(E_sim_bar_left);
    start(m, 128);                      /* ended threads are not awaited */
    p = bar_enter(bars, 11, 0, 0, 0, all(0, 96), false);
    CHECK(!bar_open(bars, 0, 0, p));
    bars_exit(bars, all(96, 32));
    CHECK(bar_open(bars, 0, 0, p));
    ONLY(E_none);
    start(m, 64);                       /* the cluster: each block sees the other's memory */
    wr(1, 0, 64, 0, 2);
    p = cluster_enter(bars, 11, all(0, 64));
    CHECK(!cluster_open(bars, p));
    cluster_enter(bars, 11, all(64, 64));
    CHECK(cluster_open(bars, p));
    cluster_leave(bars, all(0, 64));
    cluster_leave(bars, all(64, 64));
    rd(2, 64, 64, 0, 2);
    ONLY(E_none);
}

static void cp_async(const Machine *m)
{
    for (int mutant = 0; mutant < 4; mutant++) {
        start(m, 128);
        Async *a = issue(301, HAeach, 0, 128, HBwrite, 128, 16);
        if (mutant != 1)
            hb_complete(hb, a, all(0, 128), NULL);
        if (mutant != 2)
            hb_join(hb, all(0, 128));
        sh(2, HBread, 0, 128, 2032, -16, 16);
        if (mutant == 1)
            hb_complete(hb, a, all(0, 128), NULL);
        if (mutant == 3) {              /* the next copy into the same place, too early */
            a = issue(301, HAeach, 0, 128, HBwrite, 128, 16);
            hb_complete(hb, a, all(0, 128), NULL);
        }
        hb_finish(hb);
        static const Err want[] = {E_none, E_sim_async_early, E_sim_async_unseen,
                                        E_sim_race_rw};
        rep.n -= (uint32_t)found(E_sim_never_written); /* X is an output */
        ONLY(want[mutant]);
    }
    start(m, 128);                      /* own copies need no barrier, but the wait */
    Async *a = issue(301, HAeach, 0, 128, HBwrite, 128, 16);
    hb_complete(hb, a, all(0, 128), NULL);
    rd(2, 0, 128, 0, 16);
    ONLY(E_none);
    start(m, 128);
    a = issue(301, HAeach, 0, 128, HBwrite, 128, 16);
    hb_cluster(hb, (int64_t[]){2, 3});
    ONLY(E_sim_never_waited);
}

/* TMA into a ring of one slot, wgmma out of it. */
static void tma(const Machine *m)
{
    const int64_t full = 4096, empty = 4104;
    for (int mutant = 0; mutant < 4; mutant++) {
        start(m, 256);
        mbar_init(bars, 701, 0, full, 1, all(128, 1));
        mbar_init(bars, 702, 0, empty, 4, all(128, 1));
        hb_join(hb, all(0, 256));
        for (int i = 0; i < 3; i++) {
            if (mutant != 1)
                CHECK(mbar_try(bars, 703, 0, empty, (i & 1) ^ 1, all(128, 1)) || mutant);
            mbar_arrive(bars, 704, 0, full, 1024, all(128, 1));
            Async *t = issue(401, HAthread, 128, 1, HBwrite, 1, 1024);
            mbar_done(bars, 401, 0, full, 1024, t);
            if (mutant != 2)
                CHECK(mbar_try(bars, 705, 0, full, i & 1, all(0, 128)) || mutant);
            Async *g = issue(601, HAgroup, 0, 128, HBread, 64, 16);
            if (mutant != 3)
                hb_complete(hb, g, all(0, 128), NULL);
            for (int w = 0; w < 4; w++)
                mbar_arrive(bars, 706, 0, empty, -1, all(32 * w, 1));
            if (mutant == 3)
                hb_complete(hb, g, all(0, 128), NULL);
        }
        static const Err want[] = {E_none, E_sim_async_busy, E_sim_async_unseen,
                                        E_sim_async_busy};
        drop_phases();
        ONLY(want[mutant]);
    }
    for (int mutant = 0; mutant < 5; mutant++) { /* plain stores, fence, barrier, TMA store */
        start(m, 128);
        wr(1, 0, 128, 0, 8);
        if (mutant != 1)
            hb_fence_async(hb, all(0, 128), true);
        if (mutant == 4) /* stores after the fence are not covered */
            wr(3, 0, 128, 0, 8);
        if (mutant != 2)
            hb_join(hb, all(0, 128));
        Async *t = issue(501, HAthread, 0, 1, HBread, 1, 1024);
        if (mutant != 3) {
            hb_complete(hb, t, all(0, 1), NULL);
            hb_join(hb, all(0, 128));
        }
        wr(2, 0, 128, 0, 8);
        static const Err want[] = {E_none, E_sim_fence, E_sim_race_wr, E_sim_async_reads,
                                        E_sim_fence};
        ONLY(want[mutant]);
    }
    for (int mutant = 0; mutant < 3; mutant++) { /* a TMA load over plain stores, read or not */
        start(m, 128);
        wr(1, 0, 128, 0, 8);
        if (mutant == 2)
            rd(2, 0, 128, 0, 8);
        if (mutant == 0)
            hb_fence_async(hb, all(0, 128), true);
        hb_join(hb, all(0, 128));
        Async *t = issue(501, HAthread, 0, 1, HBwrite, 1, 1024);
        hb_complete(hb, t, all(0, 1), NULL);
        hb_join(hb, all(0, 128));
        static const Err want[] = {E_none, E_sim_fence, E_sim_fence};
        ONLY(want[mutant]);
    }
    start(m, 128);                      /* waited for by thread 0 only */
    wr(1, 0, 128, 0, 8);
    hb_fence_async(hb, all(0, 128), true);
    hb_join(hb, all(0, 128));
    Async *t = issue(501, HAthread, 0, 1, HBread, 1, 1024);
    hb_complete(hb, t, all(0, 1), NULL);
    wr(2, 0, 128, 0, 8);
    ONLY(E_sim_async_busy);
    start(m, 128);                      /* cp.async needs the fence, too */
    Async *c = issue(301, HAeach, 0, 128, HBwrite, 128, 16);
    hb_complete(hb, c, all(0, 128), NULL);
    hb_join(hb, all(0, 128));
    t = issue(601, HAgroup, 0, 128, HBread, 128, 16);
    hb_complete(hb, t, all(0, 128), NULL);
    ONLY(E_sim_fence);
}

static void global_races(const Machine *m)
{
    start(m, 128);                      /* every block its own tile: fine, and all is written */
    for (int b = 0; b < 4; b++) {
        hb_cluster(hb, (int64_t[]){2 * b, 2 * b + 1});
        for (int i = 0; i < 4; i++)
            gl(901, HBwrite, 0, 256, b * 8192 + i * 2048, 8, 8);
    }
    hb_finish(hb);
    ONLY(E_none);
    start(m, 128);                      /* the last 3 elements are missing */
    gl(901, HBwrite, 0, 128, 0, 64 * 4, 64 * 4);
    hb_finish(hb);
    CHECK(rep.n == 0);
    stop();
    start(m, 128);
    gl(901, HBwrite, 0, 127, 0, 256, 256);
    gl(901, HBwrite, 127, 1, 127 * 256, 256, 61 * 4);
    hb_finish(hb);
    CHECK(rep.n == 1 && !strcmp(rep.f[0].arg[1], "3") && !strcmp(rep.f[0].arg[3], "X[127, 61]"));
    ONLY(E_sim_never_written);
    start(m, 128);                      /* two blocks write one element */
    gl(901, HBwrite, 0, 128, 0, 4, 4);
    hb_cluster(hb, (int64_t[]){2, 3});
    gl(901, HBwrite, 0, 128, 508, 4, 4);
    CHECK(rep.n == 1 && !strcmp(rep.f[0].arg[0], "X[1, 63]") && !strcmp(rep.f[0].arg[2], "(0)"));
    ONLY(E_sim_race_blocks);
    start(m, 128);                      /* one block reads what another writes */
    site[902].buf = Y;
    site[903].buf = Y;
    gl(902, HBread, 0, 128, 0, 4, 4);
    hb_cluster(hb, (int64_t[]){2, 3});
    gl(903, HBwrite, 0, 128, 0, 4, 4);
    ONLY(E_sim_race_blocks);
    start(m, 128);                      /* in place, each thread its own */
    site[902].buf = site[903].buf = Y;
    for (int i = 0; i < 3; i++) {
        gl(902, HBread, 0, 128, 0, 16, 16);
        gl(903, HBwrite, 0, 128, 0, 16, 16);
    }
    ONLY(E_none);
    start(m, 128);                      /* a neighbour's element: needs a barrier */
    site[902].buf = site[903].buf = Y;
    gl(903, HBwrite, 0, 128, 0, 4, 4);
    hb_join(hb, all(0, 128));
    gl(902, HBread, 0, 128, 508, -4, 4);
    CHECK(rep.n == 0);
    gl(903, HBwrite, 0, 128, 0, 4, 4);
    ONLY(E_sim_race_rw);
    start(m, 128);                      /* atomics of all blocks: fine; a plain read of it is not */
    site[902].buf = site[903].buf = Y;
    for (int b = 0; b < 4; b++) {
        hb_cluster(hb, (int64_t[]){2 * b, 2 * b + 1});
        gl(903, HBatomic, 0, 128, 0, 0, 4);
    }
    CHECK(rep.n == 0);
    gl(902, HBread, 127, 1, 0, 0, 4);   /* even by the last one that updated it */
    ONLY(E_sim_race_both);
    start(m, 128);                      /* block 0 clears, and all blocks add */
    site[902].buf = site[903].buf = Y;
    gl(902, HBwrite, 0, 1, 0, 0, 4);
    hb_join(hb, all(0, 128));
    gl(903, HBatomic, 0, 128, 0, 0, 4);
    CHECK(rep.n == 0);
    hb_cluster(hb, (int64_t[]){2, 3});
    gl(903, HBatomic, 0, 128, 0, 0, 4);
    CHECK(rep.n == 1 && rep.f[0].note == E_sim_wrote);
    ONLY(E_sim_race_both);
    start(m, 128);                      /* .. in a launch of its own: fine */
    site[902].buf = site[903].buf = Y;
    gl(902, HBwrite, 0, 1, 0, 0, 4);
    hb_launch(hb);
    for (int b = 0; b < 4; b++) {
        hb_cluster(hb, (int64_t[]){2 * b, 2 * b + 1});
        gl(903, HBatomic, 0, 128, 0, 0, 4);
    }
    ONLY(E_none);
    start(m, 128);                      /* block 0 reads, and adds; others only add */
    site[901].buf = site[903].buf = site[904].buf = Y;
    gl(901, HBwrite, 0, 1, 0, 0, 4);
    hb_launch(hb);
    hb_cluster(hb, (int64_t[]){0, 1});
    gl(904, HBread, 0, 1, 0, 0, 4);
    gl(903, HBatomic, 0, 1, 0, 0, 4);
    hb_cluster(hb, (int64_t[]){2, 3});
    gl(903, HBatomic, 0, 1, 0, 0, 4);
    ONLY(E_sim_race_both);
    start(m, 128);                      /* undefined contents of an output */
    gl(904, HBread, 0, 1, 0, 4, 4);
    ONLY(E_sim_poison);
    start(m, 128);                      /* a second launch comes after the first */
    gl(901, HBwrite, 0, 128, 0, 4, 4);
    hb_launch(hb);
    hb_cluster(hb, (int64_t[]){0, 1});
    gl(904, HBread, 0, 128, 508, -4, 4);
    gl(901, HBwrite, 0, 128, 4, 4, 4);
    CHECK(rep.n == 1); /* the write behind the reads of this launch */
    ONLY(E_sim_race_rw);
}

/* "The last block adds up": partial results, fence, counter; without the fence, or
 * without the barrier in front of it, it races. */
static void last_block(const Machine *m)
{
    for (int mutant = 0; mutant < 4; mutant++) {
        start(m, 128);
        site[902].buf = site[903].buf = Y;
        for (int b = 0; b < 4; b++) {
            HbAccess count = {.site = 905, .mode = HBatomic, .n = 1, .base = 30000 * HbByte, .size = 4 * HbByte};
            hb_cluster(hb, (int64_t[]){2 * b, 2 * b + 1});
            gl(903, HBwrite, 0, 128, b * 512, 4, 4);
            if (mutant != 1)
                hb_join(hb, all(0, 128));
            if (mutant != 2)
                hb_fence_global(hb, all(0, 128));
            site[905].buf = Y;
            hb_global(hb, Y, &count);
            hb_atomic(hb, Y, &count, MOrelaxed);
            if (b < 3)
                continue;
            hb_fence_global(hb, all(0, 1));
            if (mutant != 3)
                hb_join(hb, all(0, 128));
            for (int i = 0; i < 4; i++)
                gl(902, HBread, 0, 128, i * 512, 4, 4);
        }
        if (mutant)
            ONLY(E_sim_race_blocks);
        else
            ONLY(E_none);
    }
}

/* A lock: acquire, work on common data, release; each of several warps in turn. */
static void locks(const Machine *m)
{
    for (int mutant = 0; mutant < 3; mutant++) {
        start(m, 128);
        wr(1, 0, 1, 0, 2);
        hb_join(hb, all(0, 128));
        for (int w = 0; w < 4; w++) {
            HbAccess t = {.site = 905, .mode = HBatomic, .t0 = 32 * w, .n = 1, .base = 64 * HbByte, .size = 4 * HbByte};
            site[905].buf = Y;
            hb_global(hb, Y, &t);
            hb_atomic(hb, Y, &t, mutant == 1 ? MOrelaxed : MOacquire);
            rd(2, 32 * w, 1, 0, 2);
            wr(3, 32 * w, 1, 0, 2);
            t.mode = HBatomic | HBwrite;
            hb_global(hb, Y, &t);
            hb_atomic(hb, Y, &t, mutant == 2 ? MOrelaxed : MOrelease);
        }
        if (mutant)
            ONLY(E_sim_race_wr);
        else
            ONLY(E_none);
    }
}

/* Launches of one program with blocks of different shapes. */
static void shapes(const Machine *m)
{
    start(m, 128);
    gl(901, HBwrite, 0, 128, 0, 4, 4);
    hb_launch(hb);
    rep.threads = 256;
    hb_shape(hb, 256, 1);
    hb_cluster(hb, (int64_t[]){3});
    gl(904, HBread, 0, 128, 508, -4, 4);
    wr(1, 0, 256, 0, 2);
    hb_join(hb, all(0, 256));
    sh(2, HBread, 0, 256, 510, -2, 2);
    CHECK(rep.n == 0);
    wr(3, 200, 1, 0, 2);
    CHECK(rep.n == 1 && !strcmp(rep.f[0].arg[3], "200") && !strcmp(rep.f[0].arg[2], "(3)"));
    ONLY(E_sim_race_rw);
}

/* Every row, rendered with its arguments, has no hole left, in both languages. */
static void texts(const Machine *m)
{
    start(m, 128);
    wr(1, 0, 128, 0, 2);
    sh(2, HBread, 0, 128, 254, -2, 2);
    mbar_arrive(bars, 701, 0, 4096, -1, all(0, 1));
    bar_enter(bars, 11, 0, 1, 64, all(0, 16), false);
    bars_stuck(bars, STUCKbar, 11, 0, 1, 64, all(0, 32));
    bars_stuck(bars, STUCKmbar, 12, 0, 4096, 0, all(32, 32));
    bars_stuck(bars, STUCKcluster, 13, 0, 0, 0, all(64, 32));
    bars_stuck(bars, STUCKother, 14, 0, 0, 0, all(96, 1));
    bars_deadlock(bars);
    hb_finish(hb);
    uint32_t n = rep.n;
    CHECK(n >= 5);
    report_diags(&rep, &prog->ctx);
    for (enum Lang lang = LANGen; lang < NLang; lang++)
        for (const Diag *d = prog->ctx.diags; d; d = d->next) {
            Str s = {0};
            diag_render(&s, &prog->ctx, d, lang, false, NULL, NULL);
            CHECK(s.s && !strchr(s.s, '{') && !strstr(s.s, "(null)"));
            str_free(&s);
        }
    stop();
}

int main(void)
{
    targets_init();
    const Machine *m = machine_find("sm_90a");
    shared_races(m);
    mbarriers(m);
    thread_barriers(m);
    cp_async(m);
    tma(m);
    global_races(m);
    last_block(m);
    locks(m);
    shapes(m);
    texts(m);
    if (failures)
        printf("%d checks failed\n", failures);
    return failures != 0;
}
