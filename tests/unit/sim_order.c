/* Random schedules of accesses, barriers, releases, acquisitions and
 * asynchronous operations: hb must report an access exactly when it races by a
 * happens-before relation kept by brute force, with a clock for every thread
 * and every operation.  Where only some lanes of a warp synchronise, other
 * than its first alone, hb may forget a race but must not invent one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "targets/sim/hb.h"
#include "../../targets/targets.h"

enum {
    Threads = 16, Lanes4 = 4, Group = 8, All = 2 * Threads, /* two blocks; lanes of a warp, group */
    Places = 6, Objects = 3, Actors = 600, MostPending = 32, Sites = 610, Accesses = 4096
};

static int failures;
static uint32_t seed = 1;
static uint32_t rnd(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(seed >> 4) * n) >> 28);
}

static SimSite site[Sites];
static Prog *prog;
static Report rep;
static Hb *hb;

/* The reference ------------------------------------------------------------------ */

typedef struct Acc { int actor; uint32_t time; bool write; } Acc;
static uint32_t clock_of[Actors][Actors], object[Objects][Actors];
static Acc past[Places][Accesses]; /* accesses that no later write stands for */
static int npast[Places], nactor;
static bool dead[Places];          /* a race was found there */
static int origin[Actors];         /* thread that an actor is, or comes from */
static int first_part[Actors];     /* of a warp group's operation: the actor of its first warp; 0 */

static void reset(void)
{
    memset(clock_of, 0, sizeof clock_of);
    memset(object, 0, sizeof object);
    memset(npast, 0, sizeof npast);
    memset(dead, 0, sizeof dead);
    for (int i = 0; i < Actors; i++) {
        clock_of[i][i] = 1;
        origin[i] = i;
        first_part[i] = 0;
    }
    nactor = All;
}

static void learn(uint32_t *a, const uint32_t *b)
{
    for (int i = 0; i < nactor; i++)
        a[i] = a[i] > b[i] ? a[i] : b[i];
}

/* What a group has waited for as one, others know of all its warps when they know
 * of one; the warps of the group itself need each other's wait. */
static bool knows(int actor, const Acc *h)
{
    int p = first_part[h->actor];
    if (h->time <= clock_of[actor][h->actor])
        return true;
    if (!p || origin[actor] / Group == origin[p] / Group)
        return false;
    for (int i = p; i < p + Group / Lanes4; i++)
        if (h->time <= clock_of[actor][i])
            return true;
    return false;
}

static bool races(int place, int actor, bool write)
{
    for (int i = 0; i < npast[place]; i++) {
        const Acc *h = &past[place][i];
        if ((h->write || write) && h->actor != actor && !knows(actor, h))
            return true;
    }
    return false;
}

/* A write that knows of all before it stands for them. */
static void note(int place, int actor, bool write, bool race)
{
    if (write && !race)
        npast[place] = 0;
    past[place][npast[place]++] = (Acc){actor, clock_of[actor][actor], write};
}

/* All of these threads learn what each knew. */
static void meet(int t0, int n)
{
    uint32_t j[Actors] = {0};
    for (int k = t0; k < t0 + n; k++)
        learn(j, clock_of[k]);
    for (int k = t0; k < t0 + n; k++) {
        learn(clock_of[k], j);
        clock_of[k][k]++;
    }
}

/* One schedule --------------------------------------------------------------------- */

typedef struct Pending Pending;
struct Pending { Async *a; int actor, thr; bool group; };

typedef struct Run Run;
struct Run {
    bool exact;            /* only whole warps and first lanes synchronise */
    int step, t0, n;       /* threads of this step */
    uint32_t site;
    Clocks *c[Objects];
    Pending pend[MostPending];
    int npend;
    bool bad;
};

static bool chance(uint32_t n) { return rnd(n) == 0; }
static Who who(int t0, int n) { return (Who){t0, n, NULL}; }

static void wrong(Run *r, const char *what)
{
    const char *e = rep.n ? err_info(rep.f[rep.n - 1].err)->id : "none";
    printf("step %d: %s: %s\n", r->step, what, e);
    r->bad = true;
    failures++;
}

static void judge(Run *r, bool said, bool race)
{
    if (said && !race)
        wrong(r, "a false alarm");
    else if (race && !said && r->exact)
        wrong(r, "a race was missed");
}

/* Lanes at one place, or at places of their own. */
static void access(Run *r)
{
    bool write = chance(3), own = chance(2), race = false;
    int p0 = (int)rnd(Places), n = write && !own ? 1 : r->n;
    if (own && p0 + n > Places)
        return;
    for (int k = 0; k < n; k++)
        if (dead[own ? p0 + k : p0])
            return;
    for (int k = 0; k < n; k++)
        race = race || races(own ? p0 + k : p0, r->t0 + k, write);
    for (int k = 0; k < n; k++)
        note(own ? p0 + k : p0, r->t0 + k, write, race);
    uint32_t before = rep.n;
    hb_shared(hb, &(HbAccess){.site = r->site, .mode = write ? HBwrite : HBread, .t0 = r->t0, .n = n,
                              .base = 2 * HbByte * p0, .step = own ? 2 * HbByte : 0, .size = 2 * HbByte});
    judge(r, rep.n > before, race);
    for (int k = 0; k < n && race; k++)
        dead[own ? p0 + k : p0] = true;
}

static void sync_warp(Run *r)
{
    int n = r->exact ? Lanes4 : r->n, t0 = r->t0 / Lanes4 * Lanes4;
    meet(t0, n);
    hb_step(hb, who(t0, n));
}

static void barrier(Run *r)
{
    int from = (int)rnd(4) * Lanes4, n = Lanes4 * (2 + (int)rnd(3));
    (void)r;
    if (!chance(3))
        return;
    meet(from, n);
    hb_join(hb, who(from, n));
}

static void release(Run *r)
{
    int o = (int)rnd(Objects);
    for (int k = r->t0; k < r->t0 + r->n; k++)
        learn(object[o], clock_of[k]);
    for (int k = r->t0; k < r->t0 + r->n; k++)
        clock_of[k][k]++;
    hb_release(hb, r->c[o], who(r->t0, r->n));
}

static void acquire(Run *r)
{
    int o = (int)rnd(Objects);
    for (int k = r->t0; k < r->t0 + r->n; k++)
        learn(clock_of[k], object[o]);
    hb_acquire(hb, r->c[o], who(r->t0, r->n));
}

/* A new actor that knows what all of these threads know. */
static int fork_actor(int t0, int n)
{
    int a = nactor++;
    origin[a] = t0;
    memcpy(clock_of[a], clock_of[t0], sizeof clock_of[a]);
    for (int k = 1; k < n; k++)
        for (int i = 0; i < nactor; i++)
            if (clock_of[t0 + k][i] < clock_of[a][i])
                clock_of[a][i] = clock_of[t0 + k][i];
    clock_of[a][a] = 1;
    return a;
}

/* An operation of one thread, or one of a group that reads: the latter has a part
 * for each warp. */
static void start_async(Run *r)
{
    bool group = chance(3), write = !group && chance(2), race;
    int place = (int)rnd(Places), t0 = group ? r->t0 / Group * Group : r->t0, n = group ? Group : 1;
    if (dead[place] || r->npend == MostPending)
        return;
    int a = fork_actor(t0, n), parts = group ? Group / Lanes4 : 1;
    for (int i = 1; i < parts; i++)
        fork_actor(t0, n);
    for (int i = 0; i < parts; i++)
        first_part[a + i] = group ? a : 0;
    race = races(place, group ? a : t0, write);
    for (int i = 0; i < parts; i++)
        note(place, a + i, write, race);
    uint32_t before = rep.n;
    Async *x = hb_issue(hb, r->site, group ? HAgroup : HAthread, who(t0, n));
    hb_owns(hb, x, &(HbAccess){.site = r->site, .mode = write ? HBwrite : HBread, .t0 = t0, .n = 1,
                               .base = 2 * HbByte * place, .size = 2 * HbByte}, true);
    if (!group) /* of a group, own accesses of one thread are not known to another */
        judge(r, rep.n > before, race);
    dead[place] = dead[place] || race || rep.n > before;
    for (int k = 0; k < n; k++)
        clock_of[t0 + k][t0 + k]++;
    r->pend[r->npend++] = (Pending){x, a, t0, group};
}

/* One completes: for its threads, each warp its part, or at an object for whoever
 * acquires that. */
static void end_async(Run *r)
{
    if (!r->npend)
        return;
    int i = (int)rnd((uint32_t)r->npend), o = (int)rnd(Objects);
    Pending q = r->pend[i];
    int n = q.group ? Group : 1;
    r->pend[i] = r->pend[--r->npend];
    if (chance(2)) { /* itself, not what its issuer knew */
        object[o][q.actor] = object[o][q.actor + (q.group ? 1 : 0)] = 1;
        hb_complete(hb, q.a, who(0, 0), r->c[o]);
        return;
    }
    for (int k = 0; k < n; k++)
        clock_of[q.thr + k][q.actor + k / Lanes4] = 1;
    hb_complete(hb, q.a, who(q.thr, n), NULL);
}

static void one_step(Run *r)
{
    typedef void StepFn(Run *);
    static StepFn *const step[] = {access,  access,  access,  access,      access,    sync_warp,
                                   barrier, release, acquire, start_async, end_async, end_async};
    StepFn *f = step[rnd((uint32_t)COUNT(step))];
    r->t0 = (int)rnd(All / Lanes4) * Lanes4;
    r->n = Lanes4;
    r->site = 10 + (uint32_t)r->step % (Sites - 10);
    if (chance(2)) { /* one lane */
        r->t0 += r->exact ? 0 : (int)rnd(Lanes4);
        r->n = 1;
    }
    f(r);
    rep.nseen = 0; /* every access is to be judged */
}

static void schedule(Ctx *c, void *ud)
{
    const bool *exact = ud;
    Run r = {.exact = *exact};
    int steps = 30 + (int)rnd(300);
    (void)c;
    reset();
    hb_cluster(hb, (int64_t[]){0, 1});
    hb_shared(hb, &(HbAccess){.site = 1, .mode = HBwrite, .n = 1, .size = 2 * HbByte * Places});
    hb_join(hb, who(0, All));
    for (int i = 0; i < Objects; i++)
        r.c[i] = hb_clocks(hb);
    for (; r.step < steps && nactor + 2 < Actors && !r.bad; r.step++)
        one_step(&r);
}

/* A machine with small warps and groups, one shared buffer ---------------------------- */

static void begin(Ctx *c, void *ud)
{
    static Machine small;
    const Machine *const *m = ud;
    (void)c;
    small = **m;
    small.warp = Lanes4;
    small.group = Group / Lanes4;
    small.proxies = false;
    Ex n = x_int(prog, DTi32, 64);
    uint32_t b = p_buf(prog, SCshared, DTf16, "A_s", &n, NULL, 1);
    prog->buf[b].at = 0;
    for (uint32_t i = 0; i < Sites; i++)
        site[i] = (SimSite){{1, 1, i}, b, "touches", 0};
    rep = (Report){.c = &prog->ctx, .p = prog, .site = site, .nsite = Sites, .threads = Threads,
                   .max = 4};
    HbSetup s = {&rep, &small, Threads, 2, 1024, NULL};
    hb = hb_new(&s);
}

int main(void)
{
    targets_init();
    const Machine *m = machine_find("sm_90a");
    bool exact = true, any = false;
    prog = prog_new(&mem_libc, "k");
    if (!m || !prog || !ctx_try(&prog->ctx, begin, &m)) {
        printf("no start\n");
        return 1;
    }
    for (int i = 0; i < 3000 && failures < 5; i++) {
        rep.n = rep.nseen = 0;
        rep.max = 1 << 20;
        ctx_try(&prog->ctx, schedule, &exact);
        rep.n = 0;
        ctx_try(&prog->ctx, schedule, &any);
    }
    hb_free(hb);
    prog_free(prog);
    return failures != 0;
}
