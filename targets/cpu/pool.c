/* targets/cpu/pool.c: threads that share out the blocks of a launch.
 *
 * A job is open while its `gate` has the Open bit; a thread that wakes enters
 * by adding one to it, and leaves by taking one away.  The caller works too,
 * closes the gate when nothing is left, and waits only for those inside: a
 * small job never waits for a thread that is still waking up.  Idle threads
 * spin briefly, because launches of a benchmark follow each other closely,
 * and then sleep on `turn`, which every job changes. */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run.h"

enum {
    StackBytes = 64 << 20, /* touched only as far as a kernel needs */
    GuardBytes = 1 << 20,
    Spins = 4000           /* some 20 us */
};
#define OPEN 0x80000000u

typedef struct PoolThread PoolThread;
struct PoolThread { Pool *pool; pthread_t id; int index; };

struct Pool {
    int n;              /* threads, the caller included */
    PoolFn *fn;
    void *ud;
    int64_t total, chunk;
    bool quit;
    _Alignas(64) _Atomic int64_t next;
    _Alignas(64) _Atomic uint32_t gate;
    _Alignas(64) _Atomic uint32_t turn;
    _Atomic uint32_t sleepers;
    _Atomic bool closing; /* the caller sleeps on gate */
    PoolThread seat[];
};

static void futex_wait(_Atomic uint32_t *at, uint32_t value)
{
    syscall(SYS_futex, (uintptr_t)at, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *at, int n)
{
    syscall(SYS_futex, (uintptr_t)at, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    sched_yield();
#endif
}

static void pool_work(Pool *p, int index)
{
    for (;;) {
        int64_t from = atomic_fetch_add_explicit(&p->next, p->chunk, memory_order_relaxed);
        if (from >= p->total)
            return;
        int64_t to = p->chunk < p->total - from ? from + p->chunk : p->total;
        p->fn(p->ud, index, from, to);
    }
}

static bool pool_enter(Pool *p)
{
    uint32_t g = atomic_load(&p->gate);
    while (g & OPEN)
        if (atomic_compare_exchange_weak(&p->gate, &g, g + 1))
            return true;
    return false;
}

static void pool_leave(Pool *p)
{
    if (atomic_fetch_sub(&p->gate, 1) == 1 && atomic_load(&p->closing))
        futex_wake(&p->gate, 1);
}

static uint32_t wait_turn(Pool *p, uint32_t seen)
{
    for (int i = 0; i < Spins; i++) {
        uint32_t t = atomic_load_explicit(&p->turn, memory_order_acquire);
        if (t != seen)
            return t;
        relax();
    }
    atomic_fetch_add(&p->sleepers, 1);
    while (atomic_load(&p->turn) == seen)
        futex_wait(&p->turn, seen);
    atomic_fetch_sub(&p->sleepers, 1);
    return atomic_load(&p->turn);
}

static void *sit(void *ud)
{
    PoolThread *s = ud;
    Pool *p = s->pool;
    for (uint32_t seen = 0;;) {
        seen = wait_turn(p, seen);
        if (p->quit)
            return NULL;
        if (pool_enter(p)) {
            pool_work(p, s->index);
            pool_leave(p);
        }
    }
}

Pool *pool_new(int threads)
{
    size_t bytes = sizeof(Pool) + (size_t)threads * sizeof(PoolThread);
    Pool *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    pthread_attr_t attr;
    if (!p)
        return NULL;
    *p = (Pool){.n = 1};
    if (pthread_attr_init(&attr) != 0)
        return p;
    pthread_attr_setstacksize(&attr, StackBytes);
    pthread_attr_setguardsize(&attr, GuardBytes);
    for (; p->n < threads; p->n++) {
        PoolThread *s = &p->seat[p->n];
        *s = (PoolThread){.pool = p, .index = p->n};
        if (pthread_create(&s->id, &attr, sit, s) != 0)
            break;
    }
    pthread_attr_destroy(&attr);
    return p;
}

void pool_free(Pool *p)
{
    if (!p)
        return;
    p->quit = true;
    atomic_fetch_add(&p->turn, 1);
    futex_wake(&p->turn, INT_MAX);
    for (int i = 1; i < p->n; i++)
        pthread_join(p->seat[i].id, NULL);
    free(p);
}

int pool_size(const Pool *p) { return p->n; }

void pool_stop(Pool *p) { atomic_store(&p->next, INT64_MAX / 2); }

void pool_run(Pool *p, PoolFn *fn, void *ud, int64_t total, int64_t chunk)
{
    p->fn = fn;
    p->ud = ud;
    p->total = total;
    p->chunk = chunk;
    atomic_store(&p->next, 0);
    int64_t helpers = (total + chunk - 1) / chunk - 1;
    if (helpers > p->n - 1)
        helpers = p->n - 1;
    if (helpers <= 0) {
        pool_work(p, 0);
        return;
    }
    atomic_store(&p->closing, false);
    atomic_store(&p->gate, OPEN);
    atomic_fetch_add(&p->turn, 1);
    if (atomic_load(&p->sleepers))
        futex_wake(&p->turn, (int)helpers);
    pool_work(p, 0);
    uint32_t g = atomic_fetch_and(&p->gate, ~OPEN) & ~OPEN;
    for (int i = 0; g && i < Spins; i++) {
        relax();
        g = atomic_load(&p->gate);
    }
    if (g)
        atomic_store(&p->closing, true);
    while ((g = atomic_load(&p->gate)))
        futex_wait(&p->gate, g);
}

/* Processors worth a thread --------------------------------------------- */

/* A container's share of processor time, in processors; 0: no limit known. */
static int quota(void)
{
    long long q, period;
    int n = 0;
    FILE *f = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (!f)
        return 0;
    if (fscanf(f, "%lld %lld", &q, &period) == 2 && q > 0 && period > 0)
        n = (int)((q + period - 1) / period);
    fclose(f);
    return n;
}

int pool_processors(void)
{
    int n = 0, q = quota();
    for (size_t cpus = 1024; cpus <= 65536 && !n; cpus *= 8) {
        cpu_set_t *set = CPU_ALLOC(cpus);
        if (!set)
            break;
        if (sched_getaffinity(0, CPU_ALLOC_SIZE(cpus), set) == 0)
            n = CPU_COUNT_S(CPU_ALLOC_SIZE(cpus), set);
        CPU_FREE(set);
    }
    if (n < 1)
        n = 1;
    return q && q < n ? q : n;
}
