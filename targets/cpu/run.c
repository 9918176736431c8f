/* targets/cpu/run.c: the cpu as a device: loads shared objects of the cache
 * and runs their blocks on all processors.  See abi.h for what they export. */
#include <dlfcn.h>
#include <limits.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/tensor/show.h"
#include "../sim/device.h"
#include "run.h"
#include "err/build.h"
#include "err/gpu.h"
#include "err/launch.h"
#include "err/room.h"

enum {
    MaxArgs = 1 << 20,       /* parameters, dimensions and workspaces of a file that is not damaged */
    FailBytes = 512,         /* text of a failure */
    HugeBytes = 2 << 20,
    LineBytes = 64,
    ChunksPerThread = 8,     /* evens out blocks of unequal cost */
    InlineNs = 8000,         /* a launch this short does not wake the pool */
    DefaultCache = 32 << 20,
    MaxCache = 512 << 20
};

typedef struct CpuThread CpuThread;
struct CpuThread {
    MtRt rt;
    sigjmp_buf trap;
    struct Cpu *cpu;
    char *scratch;
    size_t bytes;
    _Alignas(64) char apart[64]; /* neighbours write to rt all the time */
};

typedef struct Cpu Cpu;
struct Cpu {
    CpuOptions opt;
    Pool *pool;
    int nthread;
    CpuThread *thread;
    size_t cache;       /* bytes of the last level */
    char *wash;         /* twice that, to walk over; NULL until needed */
    void *libm;
    void *executor;     /* sim_device's, once a thread program is loaded */
    CpuCopies copies;
    /* the launch that runs */
    const MtLaunch *launch;
    const MtArg *arg;
    int64_t grid[3];
    double busy;        /* ns that thread 0 spent in `ran` blocks */
    int64_t ran;
    const DevHost *host;
    atomic_flag failing;
    _Atomic bool failed;
    char message[FailBytes]; /* of the first failure */
    int32_t line;
    int64_t at[3];
    _Atomic int32_t zero; /* line where an integer was divided by zero first; 0: nowhere */
};

typedef struct CpuModule CpuModule;
struct CpuModule {
    void *threads;      /* a thread program, the executor's; else only outputs and whole are set */
    void *handle;
    const MtModule *m;
    MtArg *arg;
    void **work;        /* workspaces */
    int64_t *workbytes, *worksize;
    double *ns;         /* by launch: of a block, last time; 0: not known */
    Whole whole;
    WholeThreads outputs; /* of a thread program */
    bool told;          /* that an integer is divided by zero */
};

/* Memory ---------------------------------------------------------------- */

CpuCopies *cpu_copies(void *dev) { return &((Cpu *)dev)->copies; }

/* n bytes aligned to a cache line, large ones to huge pages; or NULL. */
static void *grab(size_t n)
{
    size_t align = n >= HugeBytes ? (size_t)HugeBytes : LineBytes;
    if (n > PTRDIFF_MAX - align)
        return NULL;
    size_t room = (n + align - 1) / align * align;
    void *p = aligned_alloc(align, room ? room : align);
    if (p && align > LineBytes)
        madvise(p, room, MADV_HUGEPAGE);
    return p;
}

static bool need_scratch(Cpu *cpu, int threads, int64_t bytes)
{
    for (int i = 0; i < threads; i++) {
        CpuThread *t = &cpu->thread[i];
        if (bytes <= (int64_t)t->bytes)
            continue;
        free(t->scratch);
        t->bytes = 0;
        t->scratch = grab((size_t)bytes);
        if (!t->scratch)
            return false;
        t->bytes = (size_t)bytes;
    }
    return true;
}

/* Allocates the module's workspaces for these arguments, kept from launch to
 * launch, and places them behind the arguments. */
static bool need_work(CpuModule *l, int64_t *total)
{
    const MtModule *m = l->m;
    *total = 0;
    if (!m->nworkspace)
        return true;
    m->workspace(l->arg, l->workbytes);
    for (int i = 0; i < m->nworkspace; i++) {
        int64_t n = l->workbytes[i];
        *total += n;
        if (n < 0)
            return false;
        if (!l->work[i] || n > l->worksize[i]) {
            free(l->work[i]);
            l->worksize[i] = 0;
            if (!(l->work[i] = grab((size_t)n)))
                return false;
            l->worksize[i] = n;
        }
        l->arg[m->narg + i].p = l->work[i];
    }
    return true;
}

/* What a kernel calls ---------------------------------------------------- */

static void rt_print(MtRt *rt, const MtPrint *what, const void *data)
{
    CpuThread *t = rt->ud;
    const int64_t block[3] = {rt->bx, rt->by, rt->bz};
    Shown w = {.message = what->message, .name = what->name, .dt = (enum Dtype)what->dtype,
               .ndim = what->ndim};
    Str s = {0};
    memcpy(w.shape, what->shape, sizeof w.shape);
    memcpy(w.stride, what->stride, sizeof w.stride);
    show_print(&s, block, &w, data);
    if (!s.bad)
        t->cpu->host->print(t->cpu->host->ud, rt->block, s.s, s.n);
    str_free(&s);
}

static void rt_quiet(MtRt *rt, const MtPrint *what, const void *data)
{
    (void)rt, (void)what, (void)data;
}

/* The first failure is the one reported; the other threads finish the blocks
 * that they are in. */
static void rt_fail(MtRt *rt, const char *message, int32_t line)
{
    CpuThread *t = rt->ud;
    Cpu *cpu = t->cpu;
    if (!atomic_flag_test_and_set(&cpu->failing)) {
        snprintf(cpu->message, sizeof cpu->message, "%s", message);
        cpu->line = line;
        cpu->at[0] = rt->bx;
        cpu->at[1] = rt->by;
        cpu->at[2] = rt->bz;
        atomic_store(&cpu->failed, true);
    }
    pool_stop(cpu->pool);
    siglongjmp(t->trap, 1);
}

static void rt_zero(MtRt *rt, int32_t line)
{
    CpuThread *t = rt->ud;
    int32_t none = 0;
    if (!atomic_load_explicit(&t->cpu->zero, memory_order_relaxed))
        atomic_compare_exchange_strong(&t->cpu->zero, &none, line);
}

/* What the first failure says: that of an index (prelude_base.c: at), or of a
 * device_assert. */
static DevError failure(const Cpu *cpu)
{
    long long i, n;
    const int64_t *b = cpu->at;
    char tile[128];
    if (sscanf(cpu->message, "index %lld of %127[^ ] is out of range: its extent is %lld", &i,
               tile, &n) == 3)
        return dev_error(E_index_stop, tile, i, n, dev_block(b[0], b[1], b[2]));
    return dev_error(E_device_assert, cpu->message, dev_block(b[0], b[1], b[2]));
}

/* Running --------------------------------------------------------------- */

/* -fast_math: denormals are flushed, as -ffast-math programs do. */
static void flush_denormals(void)
{
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040u);
#endif
}

static void crun_run_blocks(Cpu *cpu, CpuThread *t, int64_t from, int64_t to)
{
    if (cpu->opt.fast_math)
        flush_denormals();
    t->rt.block = from;
    if (sigsetjmp(t->trap, 0) == 0)
        cpu->launch->run(cpu->arg, cpu->grid, from, to, t->scratch, &t->rt);
}

/* PoolFn: thread 0 takes its time, to know what a block costs. */
static void run_chunk(void *ud, int index, int64_t from, int64_t to)
{
    Cpu *cpu = ud;
    double start = index ? 0 : (double)clock_ns();
    crun_run_blocks(cpu, &cpu->thread[index], from, to);
    if (index)
        return;
    cpu->busy += (double)clock_ns() - start;
    cpu->ran += to - from;
}

/* Blocks of a grid, 0 if it is empty.  Dimensions are at most those of a GPU, and blocks at
 * most what a number can count: else -1, and why. */
static int64_t cpu_grid_blocks(const int64_t g[3], DevError *err)
{
    int64_t n = 1;
    for (int i = 0; i < 3; i++)
        if (g[i] <= 0)
            return 0;
    for (int i = 0; i < 3; i++) {
        int64_t most = INT64_MAX / n < INT32_MAX ? INT64_MAX / n : INT32_MAX;
        if (g[i] > most) {
            *err = dev_error(E_gpu_grid, g[i], i, most);
            return -1;
        }
        n *= g[i];
    }
    return n;
}

/* false: not run, *err says why. */
static bool crun_run_launch(Cpu *cpu, const CpuModule *l, int k, DevError *err)
{
    const MtLaunch *launch = &l->m->launch[k];
    launch->grid(l->arg, cpu->grid);
    int64_t n = cpu_grid_blocks(cpu->grid, err),
            chunk = n / ((int64_t)cpu->nthread * ChunksPerThread);
    if (n <= 0)
        return n == 0;
    cpu->launch = launch;
    cpu->busy = 0;
    cpu->ran = 0;
    bool small = l->ns[k] > 0 && l->ns[k] * (double)n < InlineNs;
    if (launch->sequential || small)
        chunk = n;
    pool_run(cpu->pool, run_chunk, cpu, n, chunk ? chunk : 1);
    if (cpu->ran)
        l->ns[k] = cpu->busy / (double)cpu->ran;
    return true;
}

/* All launches of l; false: not run, *err says why.  A failure is in cpu. */
static bool crun_run_all(Cpu *cpu, CpuModule *l, DevError *err)
{
    atomic_flag_clear(&cpu->failing);
    atomic_store(&cpu->failed, false);
    for (int k = 0; k < l->m->nlaunch && !atomic_load(&cpu->failed); k++)
        if (!crun_run_launch(cpu, l, k, err))
            return false;
    return true;
}

/* l divided an integer by zero: said once, for it may do so in every element. */
static void tell_zero(Cpu *cpu, CpuModule *l)
{
    DevMessage m = dev_message(E_int_zero);
    m.line = (uint32_t)atomic_load(&cpu->zero);
    if (!m.line || l->told)
        return;
    cpu->host->report(cpu->host->ud, &m);
    l->told = true;
}

/* l has run for ms.  What is missing in its outputs. */
static DevError crun_unwritten(Cpu *cpu, CpuModule *l, double ms, uint32_t *line)
{
    DevError err = DEV_NO_ERROR;
    if (!whole_doubted(&l->whole, l->m, l->arg, ms) || !whole_again(&l->whole, l->m, l->arg))
        return DEV_NO_ERROR;
    for (int i = 0; i < cpu->nthread; i++)
        cpu->thread[i].rt.print = rt_quiet;
    bool ran = crun_run_all(cpu, l, &err) && !atomic_load(&cpu->failed);
    for (int i = 0; i < cpu->nthread; i++)
        cpu->thread[i].rt.print = rt_print;
    dev_error_free(err);
    return whole_missing(&l->whole, l->m, l->arg, ran, line);
}

static void no_print(void *ud, int64_t block, const char *s, size_t n)
{
    (void)ud, (void)block, (void)s, (void)n;
}

static void crun_no_report(void *ud, const DevMessage *m) { (void)ud, (void)m; }

/* A launch of a thread program: as the executor does it, and what is missing in its outputs. */
static bool crun_launch_threads(Cpu *cpu, CpuModule *l, const DevArg *arg, int narg,
                                const DevHost *host, double *ms, uint32_t *failed_at, DevError *err)
{
    if (!sim_device.launch(cpu->executor, l->threads, arg, narg, host, ms, failed_at, err))
        return false;
    const MtModule *m = &l->outputs.m;
    MtArg *mine = calloc((size_t)narg + 1, sizeof *mine);
    DevArg *other = calloc((size_t)narg + 1, sizeof *other);
    for (int i = 0; mine && i < narg; i++)
        memcpy(&mine[i], &arg[i], sizeof mine[i]);
    if (mine && other && whole_doubted(&l->whole, m, mine, *ms) && whole_again(&l->whole, m, mine)) {
        for (int i = 0; i < narg; i++)
            memcpy(&other[i], &mine[i], sizeof other[i]);
        DevHost quiet = *host;
        quiet.print = no_print;
        quiet.report = crun_no_report;
        double again;
        uint32_t line;
        DevError why = DEV_NO_ERROR;
        bool ran = sim_device.launch(cpu->executor, l->threads, other, narg, &quiet, &again, &line,
                                     &why);
        dev_error_free(why);
        *err = whole_missing(&l->whole, m, mine, ran, failed_at);
    }
    free(mine);
    free(other);
    return !err->is;
}

static bool cpu_launch(void *dev, void *mod, const DevArg *arg, int narg, const DevHost *host,
                       double *ms, uint32_t *failed_at, DevError *err)
{
    Cpu *cpu = dev;
    CpuModule *l = mod;
    int64_t scratch = 0, work = 0;
    if (l->threads)
        return crun_launch_threads(cpu, l, arg, narg, host, ms, failed_at, err);
    if (narg != l->m->narg) {
        *err = dev_error(E_device_args, narg, l->m->narg);
        return false;
    }
    for (int i = 0; i < narg; i++)
        memcpy(&l->arg[i], &arg[i], sizeof l->arg[i]);
    int64_t value, least, most;
    const char *unfit = l->m->unfit ? l->m->unfit(l->arg, &value, &least, &most) : NULL;
    if (unfit && least > most) {
        const char *other = (const char *)(intptr_t)value;
        *err = dev_error(E_argument_meets, unfit, other);
        return false;
    }
    if (unfit) {
        *err = dev_error(E_cpu_number, unfit, value, least, most);
        return false;
    }
    for (int k = 0; k < l->m->nlaunch; k++)
        if (l->m->launch[k].scratch > scratch)
            scratch = l->m->launch[k].scratch;
    if (!need_work(l, &work) || !need_scratch(cpu, cpu->nthread, scratch)) {
        double bytes = (double)work + (double)scratch * cpu->nthread;
        *err = dev_error(E_device_memory, dev_text("%.4g GiB", bytes / (1 << 30)));
        return false;
    }
    cpu->arg = l->arg;
    cpu->host = host;
    *failed_at = 0;
    atomic_store(&cpu->zero, 0);
    double start = (double)clock_ns();
    if (!crun_run_all(cpu, l, err))
        return false;
    *ms = ((double)clock_ns() - start) * 1e-6;
    tell_zero(cpu, l);
    if (!atomic_load(&cpu->failed))
        return !(*err = crun_unwritten(cpu, l, *ms, failed_at)).is;
    *failed_at = (uint32_t)cpu->line;
    *err = failure(cpu);
    return false;
}

/* Evicting caches: every thread walks its own part of a buffer twice as large
 * as the last level, and large enough for its private ones. */
typedef struct GridWalk GridWalk;
struct GridWalk { char *p; size_t n; int64_t parts; };

static void run_grid_part(void *ud, int index, int64_t from, int64_t to)
{
    GridWalk *w = ud;
    (void)index;
    size_t part = w->n / (size_t)w->parts;
    for (size_t i = (size_t)from * part; i < (size_t)to * part; i += LineBytes)
        w->p[i]++;
}

static void cpu_flush(void *dev)
{
    Cpu *cpu = dev;
    if (!cpu->wash && !(cpu->wash = grab(cpu->cache * 2)))
        return;
    GridWalk w = {cpu->wash, cpu->cache * 2, cpu->nthread};
    pool_run(cpu->pool, run_grid_part, &w, w.parts, 1);
}

/* Modules --------------------------------------------------------------- */

static void cpu_unload(void *dev, void *mod)
{
    CpuModule *l = mod;
    const Cpu *cpu = dev;
    if (l->threads)
        sim_device.unload(cpu->executor, l->threads);
    whole_threads_free(&l->outputs);
    for (int i = 0; l->work && i < l->m->nworkspace; i++)
        free(l->work[i]);
    free(l->work);
    free(l->workbytes);
    free(l->worksize);
    free(l->arg);
    free(l->ns);
    whole_free(&l->whole);
    if (l->handle)
        dlclose(l->handle);
    free(l);
}

static bool load_threads(Cpu *cpu, CpuModule *l, const char *path, const char *name, DevError *err)
{
    if (!cpu->executor)
        cpu->executor = cpu_executor(err);
    l->threads = cpu->executor ? sim_device.load(cpu->executor, path, name, err) : NULL;
    return l->threads && whole_threads_ready(&l->outputs, &l->whole, sim_prog(l->threads));
}

static void *cpu_load(void *dev, const char *path, const char *name, DevError *err)
{
    CpuModule *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    if (cpu_is_threads(path)) {
        if (load_threads(dev, l, path, name, err))
            return l;
        cpu_unload(dev, l);
        return NULL;
    }
    l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    l->m = l->handle ? dlsym(l->handle, "mt_module") : NULL;
    const char *why = !l->m ? dlerror() : NULL;
    const MtModule *m = l->m;
    if (m && m->abi != MtAbi)
        why = "it was made by another version of moontile";
    else if (m && (m->narg < 0 || m->nworkspace < 0 || m->nlaunch < 0 ||
                   m->noutput < 0 || m->narg > MaxArgs || m->nworkspace > MaxArgs - m->narg))
        why = "it is damaged";
    if (why || !m) {
        *err = dev_error(E_device_load, why ? why : path);
        if (l->handle)
            dlclose(l->handle);
        free(l);
        return NULL;
    }
    size_t n = (size_t)m->nworkspace + 1, launches = (size_t)m->nlaunch + 1;
    l->work = calloc(n, sizeof *l->work);
    l->workbytes = calloc(n, sizeof *l->workbytes);
    l->worksize = calloc(n, sizeof *l->worksize);
    l->arg = calloc((size_t)m->narg + n, sizeof *l->arg);
    l->ns = calloc(launches, sizeof *l->ns);
    if (l->work && l->arg && l->workbytes && l->worksize && l->ns && whole_ready(&l->whole, m, m->narg))
        return l;
    cpu_unload(dev, l);
    return NULL;
}

/* The device ------------------------------------------------------------ */

static void cpu_close(void *dev)
{
    Cpu *cpu = dev;
    pool_free(cpu->pool);
    for (int i = 0; cpu->thread && i < cpu->nthread; i++)
        free(cpu->thread[i].scratch);
    free(cpu->thread);
    free(cpu->wash);
    if (cpu->libm)
        dlclose(cpu->libm);
    if (cpu->executor)
        sim_device.close(cpu->executor);
    free(cpu);
}

/* Bytes of the largest cache of processor 0.  The kernel's figure comes first:
 * what sysconf makes of some virtual processors is ten times too large. */
static size_t last_level(void)
{
    static const long name[] = {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE,
                                _SC_LEVEL2_CACHE_SIZE};
    size_t most = 0;
    for (int i = 0; i < 8; i++) {
        char path[80];
        unsigned long k = 0;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        FILE *f = fopen(path, "re");
        if (!f)
            break;
        if (fscanf(f, "%luK", &k) == 1 && k * 1024 > most)
            most = k * 1024;
        fclose(f);
    }
    for (size_t i = 0; i < COUNT(name) && !most; i++) {
        long n = sysconf(name[i]);
        most = n > 0 ? (size_t)n : 0;
    }
    most = most ? most : DefaultCache;
    return most < MaxCache ? most : MaxCache;
}

static void *cpu_open(const char *options, DevError *err)
{
    Cpu *cpu = calloc(1, sizeof *cpu);
    const char *env = getenv("MOONTILE_THREADS");
    if (!cpu)
        return NULL;
    if ((*err = cpu_options(options, &cpu->opt)).is) {
        free(cpu);
        return NULL;
    }
    int want = cpu->opt.threads, given = env ? atoi(env) : 0;
    want = want ? want : given > 0 ? given : pool_processors();
    cpu->pool = pool_new(want);
    cpu->nthread = cpu->pool ? pool_size(cpu->pool) : 0;
    cpu->thread = cpu->pool ? aligned_alloc(64, (size_t)cpu->nthread * sizeof *cpu->thread) : NULL;
    if (!cpu->thread) {
        cpu_close(cpu);
        return NULL;
    }
    for (int i = 0; i < cpu->nthread; i++) {
        CpuThread *t = &cpu->thread[i];
        memset(t, 0, sizeof *t);
        t->cpu = cpu;
        t->rt = (MtRt){.print = rt_print, .fail = rt_fail, .ud = t, .zero = rt_zero};
    }
    cpu->copies.limit = cpu->opt.copies;
    cpu->cache = last_level();
    /* Kernels call expf and the like and name no library: less to link. */
    cpu->libm = dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
    return cpu;
}

static void cpu_describe(void *dev, Str *out)
{
    const Cpu *cpu = dev;
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "re");
    while (f && fgets(line, sizeof line, f)) {
        const char *v = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (v) {
            str_fmt(out, "processor: %.*s\n", (int)strcspn(v + 2, "\n"), v + 2);
            break;
        }
    }
    if (f)
        fclose(f);
    str_fmt(out, "threads: %d\n", cpu->nthread);
    str_fmt(out, "last-level cache: %zu KiB\n", cpu->cache / 1024);
    str_fmt(out, "denormals: %s\n", cpu->opt.fast_math ? "flushed" : "kept");
}

const Device cpu_device = {
    .open = cpu_open,     .close = cpu_close,   .load = cpu_load,   .unload = cpu_unload,
    .launch = cpu_launch, .flush = cpu_flush,   .describe = cpu_describe,
    .native = true,
    .apart = cpu_apart,   .mem_new = cpu_mem_new, .mem_free = cpu_mem_free,
    .mem_put = cpu_mem_put, .mem_get = cpu_mem_get,
};
