/* Sessions and workers: what a kernel does to its worker never reaches the
 * session.  Kernels are compiled by the cpu target into a cache of the test's
 * own.  SESSION_STRESS=200 in the environment makes the last test long. */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "core/device/worker.h"
#include "../../targets/cpu/cpu.h"
#include "session_kernels.h"
#include "../../targets/targets.h"
#include "err/run.h"
#include "err/target.h"
#include "err/launch.h"

static int failures;

#define EXPECT(ok) expect((ok), #ok, __LINE__)

static void expect(bool ok, const char *what, int line)
{
    if (!ok) {
        printf("session_test.c:%d: failed: %s\n", line, what);
        failures++;
    }
}

static const Target test_target = {
    .name = "cpu", .summary = "", .build = cpu_build, .device = &cpu_device,
};
static const Target *const table[] = {&test_target, NULL};

static char cache_dir[64];
static Session *session;
static Ctx ctx;

static double ms_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static Tensor vector(enum Dtype dt, int64_t n)
{
    Tensor t = {.dt = dt, .ndim = 1, .shape = {n}, .stride = {1}};
    t.st = storage_new((size_t)n * dtypeinfo[dt].bits / 8);
    return t;
}

static float *floats(const Tensor *t) { return (float *)(void *)t->st->data; }
static int32_t *ints(const Tensor *t) { return (int32_t *)(void *)t->st->data; }

/* Compiles the kernel of that name and loads it; NULL and a message if not. */
static Module *load(const char *name)
{
    const Kernel *k = kernels;
    while (strcmp(k->name, name) != 0)
        k++;
    Artifact a = {0};
    str_puts(&a.source, kernel_head);
    char buf[4096];
    snprintf(buf, sizeof buf, kernel_body, k->grid, k->before, k->block, k->scratch,
             k->sequential, k->narg);
    str_puts(&a.source, buf);
    Module *m = NULL;
    if (cpu_build(&ctx, "", &a))
        m = session_load(session, &ctx, a.path.s, name);
    else
        EXPECT(!"the kernel compiles");
    str_free(&a.source);
    str_free(&a.path);
    return m;
}

/* Launches; returns the error, E_none when there is none, and keeps output. */
static Str output;

static Err launch(Module *m, const LaunchArg *arg, int narg)
{
    LaunchResult r = {0};
    ctx_free(&ctx);
    ctx_init(&ctx, NULL, 0);
    str_free(&output);
    bool ok = session_launch(session, &ctx, m, arg, narg, 0, false, &r);
    output = r.output;
    EXPECT(ok == !ctx.diags);
    return ctx.diags ? ctx.diags->err : E_none;
}

static Err launch0(const char *name)
{
    Module *m = load(name);
    Err e = m ? launch(m, NULL, 0) : E_bug;
    if (m)
        module_free(m);
    return e;
}

static const char *text(void)
{
    static Str s;
    str_free(&s);
    for (const Diag *d = ctx.diags; d; d = d->next)
        diag_render(&s, &ctx, d, LANGen, false, NULL, NULL);
    return s.s ? s.s : "";
}

/* Results --------------------------------------------------------------- */

static void test_add(void)
{
    enum { N = 100000 };
    Tensor x = vector(DTf32, N), y = vector(DTf32, N), z = vector(DTf32, N);
    LaunchArg a[] = {{.t = &x}, {.t = &y}, {.t = &z}, {.i = N, .dt = DTi64}};
    Module *m = load("add");
    for (int i = 0; i < N; i++) {
        floats(&x)[i] = (float)i;
        floats(&y)[i] = 0.5f;
    }
    EXPECT(launch(m, a, 4) == E_none);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += floats(&z)[i] != (float)i + 0.5f;
    EXPECT(wrong == 0);
    double ms[5000];
    LaunchResult r = {.ms = ms, .nms = COUNT(ms)}; /* more than one message holds */
    EXPECT(session_launch(session, &ctx, m, a, 4, 3, false, &r));
    for (size_t i = 0; i < COUNT(ms); i++)
        wrong += !(ms[i] > 0 && ms[i] < 1000);
    EXPECT(wrong == 0);
    r.nms = 2;
    EXPECT(session_launch(session, &ctx, m, a, 4, 1, true, &r));
    EXPECT(launch(m, a, 3) == E_device_args);
    EXPECT(strstr(text(), "`add` got 3 arguments instead of 4") != NULL);
    module_free(m);
    storage_unref(x.st);
    storage_unref(y.st);
    storage_unref(z.st);
}

static void test_threads(void)
{
    enum { N = 30011 };
    Tensor t = vector(DTi32, N);
    LaunchArg a[] = {{.t = &t}, {.i = N, .dt = DTi64}};
    Module *m = load("count"), *s = load("scratch");
    int wrong = 0;
    for (int k = 1; k <= 20; k++) {
        EXPECT(launch(m, a, 2) == E_none);
        for (int i = 0; i < N; i++)
            wrong += ints(&t)[i] != k;
    }
    EXPECT(wrong == 0);
    memset(t.st->data, 0, t.st->bytes);
    EXPECT(launch(s, a, 2) == E_none);
    for (int i = 0; i < N; i++)
        wrong += ints(&t)[i] != 1;
    EXPECT(wrong == 0);
    a[1].i = 0;
    EXPECT(launch(m, a, 2) == E_none); /* an empty grid */
    module_free(m);
    module_free(s);
    storage_unref(t.st);
}

/* A fresh worker must run the next kernel within a tenth of a second. */
static void expect_recovery(Module *nothing, double since)
{
    int old = session_pid(session);
    EXPECT(old != 0); /* already started */
    EXPECT(launch(nothing, NULL, 0) == E_none);
    double ms = ms_now() - since;
    if (ms > 100)
        printf("note: recovery took %.1f ms\n", ms);
    EXPECT(ms < 1000); /* the figure is 100; loaded machines may be slower */
    EXPECT(session_pid(session) == old);
}

static void test_crashes(void)
{
    static const struct { const char *name; Err err; } row[] = {
        {"segv", E_crash_segv}, {"fpe", E_crash_fpe},      {"ill", E_crash_ill},
        {"abort", E_crash_abort}, {"leave", E_worker_exit}, {"overflow", E_crash_segv},
    };
    Tensor keep = vector(DTi32, 1000);
    Module *nothing = load("nothing");
    for (int i = 0; i < 1000; i++)
        ints(&keep)[i] = i * i;
    for (size_t i = 0; i < COUNT(row); i++) {
        Module *m = load(row[i].name);
        Err e = launch(m, NULL, 0);
        double t = ms_now();
        if (e != row[i].err)
            printf("%s: %s", row[i].name, text());
        EXPECT(e == row[i].err);
        EXPECT(strstr(text(), row[i].name) != NULL);
        expect_recovery(nothing, t);
        module_free(m);
    }
    int wrong = 0;
    for (int i = 0; i < 1000; i++)
        wrong += ints(&keep)[i] != i * i;
    EXPECT(wrong == 0);
    EXPECT(launch0("deep") == E_none);
    EXPECT(launch0("shout") == E_none && output.n == 0);
    module_free(nothing);
    storage_unref(keep.st);
}

static void on_alarm(int sig)
{
    (void)sig;
    interrupt_asked = 1;
}

static void test_hangs(void)
{
    Module *nothing = load("nothing"), *loop = load("loop"), *nap = load("nap");
    session_limit(session, 0.2);
    double start = ms_now();
    EXPECT(launch(loop, NULL, 0) == E_timeout);
    EXPECT(strstr(text(), "`loop` did not finish within 0.2 s") != NULL);
    double t = ms_now();
    EXPECT(t - start >= 200 && t - start < 1500);
    expect_recovery(nothing, t);
    /* A benchmark may take longer than one run may. */
    double ms[30];
    LaunchResult r = {.ms = ms, .nms = COUNT(ms)};
    EXPECT(session_launch(session, &ctx, nap, NULL, 0, 0, false, &r));
    session_limit(session, 10);
    struct itimerval when = {{0, 0}, {0, 100000}};
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &when, NULL);
    start = ms_now();
    EXPECT(launch(loop, NULL, 0) == E_interrupted);
    t = ms_now();
    EXPECT(t - start < 1000 && !interrupt_asked);
    expect_recovery(nothing, t);
    module_free(nothing);
    module_free(loop);
    module_free(nap);
}

static void test_assert(void)
{
    Module *m = load("check");
    int pid = session_pid(session);
    module_source(m, "@gemm.lua");
    EXPECT(launch(m, NULL, 0) == E_device_assert);
    EXPECT(strcmp(text(), "gemm.lua:12: error[E307]: a `T.device_assert` of the kernel `check` failed: "
                          "x | y must be positive, in block (40, 0, 0)\n") == 0);
    EXPECT(session_pid(session) == pid); /* no reason to end the worker */
    module_free(m);
}

/* Printing -------------------------------------------------------------- */

static const char said[] =
    "block (0, 0): here\n"
    "block (0, 0): step 0\n"
    "block (1, 0): here\n"
    "block (1, 0): step 0\n"
    "block (2, 0): here\n"
    "block (2, 0): step 0\n"
    "block (2, 0): after: Cl float32 (3, 4)\n"
    "  [[   2  2.25   2.5  2.75]\n"
    "   [   3  3.25   3.5  3.75]\n"
    "   [   4  4.25   4.5  4.75]]\n";

static const char wide[] =
    "block (0, 0): S float32 (40, 64)\n"
    "  [[   0     1     2   inf  ...    60    61    62    63]\n"
    "   [  64    65    66    67  ...   124   125   126   127]\n"
    "   [ 128   129   130   131  ...   188   189   190   191]\n"
    "   [ 192   193   194   195  ...   252   253   254   255]\n"
    "   ...\n"
    "   [2304  2305  2306  2307  ...  2364  2365  2366  2367]\n"
    "   [2368  2369  2370  2371  ...  2428  2429  2430  2431]\n"
    "   [2432  2433  2434  2435  ...  2492  2493  2494  2495]\n"
    "   [2496  2497  2498  2499  ...  2556  2557  2558  2559]]\n"
    "block (0, 0): v int16 (20,)\n"
    "  [-5  -4  -3  -2  ...  11  12  13  14]\n"
    "block (0, 0): cube: Q int32 (2, 2, 2)\n"
    "  [0, :, :]\n"
    "  [[0  1]\n"
    "   [2  3]]\n"
    "  [1, :, :]\n"
    "  [[4  5]\n"
    "   [6  7]]\n";

static void expect_output(const char *want)
{
    if (!output.s || strcmp(output.s, want) != 0) {
        printf("printed:\n%swanted:\n%s", output.s ? output.s : "", want);
        failures++;
    }
}

static void test_print(void)
{
    EXPECT(launch0("say") == E_none);
    expect_output(said);
    EXPECT(launch0("wide") == E_none);
    expect_output(wide);
    EXPECT(launch0("last_words") == E_crash_segv);
    expect_output("block (0, 0): still here\nblock (1, 0): still here\n");
    double t = ms_now();
    EXPECT(launch0("flood") == E_none);
    EXPECT(ms_now() - t < 60000);
    EXPECT(output.n > 60 * 1024 && output.n < 66 * 1024);
    EXPECT(output.s && strstr(output.s, "\n... output cut after 64 KiB\n") != NULL);
}

/* Life ------------------------------------------------------------------ */

static void test_idle_death(void)
{
    Module *m = load("nothing");
    EXPECT(launch(m, NULL, 0) == E_none);
    for (int i = 0; i < 2; i++) {
        kill(session_pid(session), SIGKILL);
        if (i)
            usleep(20000);
        EXPECT(launch(m, NULL, 0) == E_none); /* one silent retry */
    }
    module_free(m);
    m = session_load(session, &ctx, "/nonexistent/kernel.so", "lost");
    EXPECT(launch(m, NULL, 0) == E_device_load);
    EXPECT(launch(m, NULL, 0) == E_device_load);
    module_free(m);
    EXPECT(launch0("nothing") == E_none);
}

/* No descriptor left for a worker: said, and over once there is one again. */
static void test_shortage(void)
{
    struct rlimit keep = {0, 0}, none;
    Module *m = load("nothing");
    EXPECT(launch(m, NULL, 0) == E_none && getrlimit(RLIMIT_NOFILE, &keep) == 0);
    kill(session_pid(session), SIGKILL);
    none = keep;
    none.rlim_cur = 3;
    EXPECT(setrlimit(RLIMIT_NOFILE, &none) == 0);
    Err e = launch(m, NULL, 0);
    EXPECT(setrlimit(RLIMIT_NOFILE, &keep) == 0);
    EXPECT(e == E_worker_start);
    EXPECT(launch(m, NULL, 0) == E_none);
    module_free(m);
}

static void test_options(void)
{
    Session *keep = session;
    static const struct { const char *text; Err err; } row[] = {
        {"cpu -threads=1", E_none},           {"-threads=3 -fast_math", E_none},
        {"cpu -threads=x", E_target_value},   {"cpu -threads=0", E_target_value},
        {"cpu -turbo", E_target_option},
    };
    for (size_t i = 0; i < COUNT(row); i++) {
        session = session_open(&ctx, &test_target, row[i].text);
        Module *m = load("count");
        Tensor t = vector(DTi32, 1000);
        LaunchArg a[] = {{.t = &t}, {.i = 1000, .dt = DTi64}};
        for (int k = 0; k < 2; k++)
            EXPECT(launch(m, a, 2) == row[i].err);
        EXPECT(ints(&t)[999] == (row[i].err ? 0 : 2));
        session_close(session); /* before its module and its memory */
        EXPECT(launch(m, a, 2) == E_session_closed);
        module_free(m);
        storage_unref(t.st);
    }
    session = keep;
    Str s = {0};
    session_describe(session, &s);
    EXPECT(s.s && strstr(s.s, "threads: ") != NULL);
    str_free(&s);
}

static int count_lines(const char *path, const char *word)
{
    char line[512];
    int n = 0;
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        n += strstr(line, word) != NULL;
    if (f)
        fclose(f);
    return n;
}

static int worker_maps(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/maps", session_pid(session));
    return count_lines(path, "memfd:moontile");
}

/* Freed tensors leave the worker. */
static void test_memory(void)
{
    enum { N = 1 << 20 };
    Module *m = load("count");
    int most = 0;
    for (int i = 0; i < 50; i++) {
        Tensor t = vector(DTi32, N);
        LaunchArg a[] = {{.t = &t}, {.i = 64, .dt = DTi64}};
        EXPECT(launch(m, a, 2) == E_none && ints(&t)[63] == 1);
        storage_unref(t.st);
        int n = worker_maps();
        most = n > most ? n : most;
    }
    EXPECT(most < 12);
    Tensor t4 = vector(DTu4, 64);
    t4.offset = 1;
    LaunchArg a[] = {{.t = &t4}, {.i = 1, .dt = DTi64}};
    EXPECT(launch(m, a, 2) == E_subbyte_view);
    t4.offset = 1000;
    EXPECT(launch(m, a, 2) == E_argument_bounds);
    storage_unref(t4.st);
    module_free(m);
}

static int open_files(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

static int children(void)
{
    char path[64];
    int n = 0, pid;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    FILE *f = fopen(path, "re");
    while (f && fscanf(f, "%d", &pid) == 1)
        n++;
    if (f)
        fclose(f);
    return n;
}

static void test_stress(void)
{
    const char *v = getenv("SESSION_STRESS");
    int n = v ? atoi(v) : 12;
    Module *m = load("segv"), *nothing = load("nothing");
    EXPECT(launch(nothing, NULL, 0) == E_none);
    int files = open_files();
    double worst = 0;
    for (int i = 0; i < n; i++) {
        EXPECT(launch(m, NULL, 0) == E_crash_segv);
        double t = ms_now();
        EXPECT(launch(nothing, NULL, 0) == E_none);
        t = ms_now() - t;
        worst = t > worst ? t : worst;
    }
    EXPECT(open_files() == files);
    EXPECT(children() <= 2); /* the worker, one on its way out */
    if (v)
        printf("%d crashes, slowest recovery %.1f ms\n", n, worst);
    module_free(m);
    module_free(nothing);
}

/* SESSION_BENCH=1: what a launch costs. */
static void bench(void)
{
    if (!getenv("SESSION_BENCH"))
        return;
    Module *m = load("nothing");
    launch(m, NULL, 0);
    double t = ms_now(), ms[1000];
    for (int i = 0; i < 2000; i++)
        session_launch(session, &ctx, m, NULL, 0, 0, false, NULL);
    printf("launch: %.2f us\n", (ms_now() - t) / 2000 * 1e3);
    LaunchResult r = {.ms = ms, .nms = COUNT(ms)};
    session_launch(session, &ctx, m, NULL, 0, 0, false, &r);
    printf("in the worker: %.2f us\n", ms[500] * 1e3);
    module_free(m);
    enum { N = 64 << 20 };
    Tensor x = vector(DTf32, N), y = vector(DTf32, N), z = vector(DTf32, N);
    LaunchArg a[] = {{.t = &x}, {.t = &y}, {.t = &z}, {.i = N, .dt = DTi64}};
    m = load("add");
    t = ms_now();
    memset(x.st->data, 0, x.st->bytes);
    memset(y.st->data, 0, x.st->bytes);
    printf("fill 2 x 256 MiB: %.1f ms\n", ms_now() - t);
    r.nms = 10;
    session_launch(session, &ctx, m, a, 4, 0, false, &r);
    for (int i = 0; i < r.nms; i++)
        printf("add 64 Mi: %.2f ms\n", ms[i]);
    module_free(m);
    storage_unref(x.st);
    storage_unref(y.st);
    storage_unref(z.st);
}

int main(int argc, char **argv)
{
    targets_init();
    if (worker_flag(argc, argv))
        return worker_main(argv[1], atoi(argv[2]), table);
    snprintf(cache_dir, sizeof cache_dir, "/tmp/moontile-test-%d", getpid());
    setenv("MOONTILE_CACHE_DIR", cache_dir, 1);
    ctx_init(&ctx, NULL, 0);
    session = session_open(&ctx, &test_target, "cpu");
    session_warm(session);
    test_add();
    test_threads();
    test_crashes();
    test_hangs();
    test_assert();
    test_print();
    test_idle_death();
    test_shortage();
    test_options();
    test_memory();
    test_stress();
    bench();
    session_close(session);
    EXPECT(children() == 0);
    text();
    ctx_free(&ctx);
    str_free(&output);
    char cmd[128];
    snprintf(cmd, sizeof cmd, "rm -rf %s", cache_dir);
    if (system(cmd) != 0)
        failures++;
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
