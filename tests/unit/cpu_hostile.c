/* Kernels made to leave their tensors: indices, bounds, steps and shapes of
 * extreme numbers, facts that a store ends, arithmetic that wraps.  Each tensor
 * lies directly before a page that nobody may touch, or behind one; what is left
 * in it is compared with the interpreter of tests/cpu where order cannot matter.
 *
 *     cpu_hostile [KERNELS [SEED [FIRST]]]     128 kernels of seed 1
 *
 * 64 kernels are a program.  Of four programs, three are the launches of one text, which is
 * compiled once and run for many sets of numbers and sizes; the kernels of the fourth
 * speak of single threads, and the cpu target's executor runs them, in a process that may
 * die.  FIRST skips programs: a report names it.  The time goes into the C compiler, so
 * most programs are compiled without optimising, to trap on what C leaves undefined: that
 * finds what an optimiser would make use of.  Every sixteenth (the first of the short run
 * among them) is compiled as kernels are.  Built with sanitizers, the C is compiled with them
 * too, and never optimised.  With KEEP in the environment the printed C stays in hostile.c.
 *
 * It needs gcc in the PATH and nothing else, runs in any folder, and its last line says all. */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../targets/cpu/run.h"
#include "../cpu/oracle.c"
#include "hostile_memory.h"
#include "hostile_text.h"
#include "../../targets/targets.h"
#include "times.h"

enum { Launches = 64, Sets = 16, Fast = 16, Threads = 4, ThreadSets = 4, MaxArgs = 32, Steps = 20000 };

static const int64_t Largest = (int64_t)1 << 28; /* bytes of a tensor */

/* A program of launches that all read without an error. */
static Prog *make_program(Str *text, bool *compare)
{
    Str top = {0};
    int n = 0;
    head(&top);
    str_add(text, top.s, top.n);
    while (n < Launches) {
        Writer w = {0};
        Str one = {0};
        launch_text(&w, false);
        str_add(&one, top.s, top.n);
        str_add(&one, w.out.s, w.out.n);
        str_puts(&one, "end\n");
        Prog *p = prog_parse(NULL, one.s, one.n, "hostile");
        Str c = {0};
        if (p && p->ctx.nerror == 0 && cpu_emit(p, "cpu", &c)) {
            str_add(text, w.out.s, w.out.n);
            compare[n++] = w.compare;
        } else if (getenv("VERBOSE") && p) {
            Str s = {0};
            diag_render(&s, &p->ctx, p->ctx.diags, LANGen, false, NULL, NULL);
            printf("%s\n", s.s);
            str_free(&s);
        }
        prog_free(p);
        str_free(&c);
        str_free(&one);
        str_free(&w.out);
    }
    str_puts(text, "end\n");
    str_free(&top);
    return prog_parse(NULL, text->s, text->n, "hostile");
}

/* Running ------------------------------------------------------------------------------ */

static sigjmp_buf back;
static volatile sig_atomic_t running;
static int failures;
static long kernels, compared, stopped, late, compiled, threads;
static char *touched;

static void on_signal(int sig, siginfo_t *info, void *context)
{
    (void)context;
    if (!running) {
        signal(sig, SIG_DFL);
        raise(sig);
        return;
    }
    touched = info->si_addr;
    siglongjmp(back, sig);
}

static void on_fail(MtRt *rt, const char *message, int32_t line)
{
    (void)rt, (void)message, (void)line;
    siglongjmp(back, -1);
}

static void on_zero(MtRt *rt, int32_t line)
{
    (void)rt, (void)line;
}

static void on_print(MtRt *rt, const MtPrint *what, const void *data)
{
    (void)rt, (void)what, (void)data;
}

static void catch_signals(void)
{
    static const int list[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGVTALRM};
    static char stack[1 << 16];
    stack_t s = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&s, NULL);
    for (size_t i = 0; i < COUNT(list); i++) {
        struct sigaction a = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        sigaction(list[i], &a, NULL);
    }
}

static void alarm_in(long us)
{
    struct itimerval t = {.it_value = {us / 1000000, us % 1000000}};
    setitimer(ITIMER_VIRTUAL, &t, NULL);
}

/* 0 ran, -1 stopped by itself, else the signal. */
static int run_launch(const MtLaunch *l, const MtArg *arg)
{
    static char *scratch;
    static int64_t size;
    MtRt rt = {.print = on_print, .fail = on_fail, .zero = on_zero};
    int64_t g[3];
    if (l->scratch > size) {
        free(scratch);
        scratch = aligned_alloc(64, (size_t)(size = (l->scratch + 63) / 64 * 64));
    }
    if (scratch)
        memset(scratch, 0x5a, (size_t)size);
    int sig = sigsetjmp(back, 1);
    if (sig == 0) {
        running = 1;
        alarm_in(400000);
        l->grid(arg, g);
        int64_t n = g[0] > 0 ? g[0] : 0;
        l->run(arg, g, 0, n < 8 ? n : 8, scratch, &rt);
    }
    running = 0;
    alarm_in(0);
    return sig;
}

typedef struct Program {
    Prog *p;
    const char *text;
    const bool *compare;
    const MtModule *m;
    Fenced mem[MaxArgs];
    MtArg arg[MaxArgs];
    OracleArg want[MaxArgs];
    int number;
    uint64_t seed;
} Program;

static void show_launch(const Program *q, int k, const char *what)
{
    const char *s = strstr(q->text, "\nlaunch ");
    for (int i = 0; s && i < k; i++)
        s = strstr(s + 1, "\nlaunch ");
    const char *end = s ? strstr(s + 1, "\nlaunch ") : NULL;
    printf("program %d of seed %llu, launch %d: %s\n", q->number, (unsigned long long)q->seed, k, what);
    for (uint32_t i = 0; i < q->p->nparam; i++)
        if (q->p->param[i].scalar)
            printf("  %s = %lld", q->p->var[q->p->param[i].id].name, (long long)q->arg[i].i);
    uint32_t at = q->p->nparam;
    for (uint32_t v = 1; v < q->p->nvar; v++)
        if (q->p->var[v].kind == Vdim)
            printf("  %s = %lld", q->p->var[v].name, (long long)q->arg[at++].i);
    printf("\n%.*s\n", s ? (int)(end ? end - s : (long)strlen(s)) : 0, s ? s : "");
    failures++;
}

static const char *whose(const Program *q, const char *at)
{
    for (uint32_t i = 0; i < q->p->nparam; i++)
        if (!q->p->param[i].scalar && at >= q->mem[i].map && at < q->mem[i].map + q->mem[i].size)
            return q->p->buf[q->p->param[i].id].name;
    return "no tensor";
}

/* Of C and D: which bits of a NaN remain (a view can make them) is nowhere promised. */
static bool both_nan(enum Dtype dt, const char *a, const char *b)
{
    uint32_t x = 0, y = 0, inf = dt == DTf32 ? 0x7f800000 : 0x7c00;
    size_t size = (size_t)dtypeinfo[dt].bits / 8;
    memcpy(&x, a, size);
    memcpy(&y, b, size);
    uint32_t no_sign = dt == DTf32 ? 0x7fffffff : 0x7fff;
    return (x & no_sign) > inf && (y & no_sign) > inf;
}

/* The first byte that differs, or the size. */
static size_t difference(const Fenced *f, enum Dtype dt)
{
    size_t size = dt == DTf32 || dt == DTf16 ? (size_t)dtypeinfo[dt].bits / 8 : 1;
    for (size_t i = 0; i < f->bytes; i += size)
        for (size_t b = i; b < i + size; b++)
            if (f->at[b] != f->want[b] && (size == 1 || !both_nan(dt, f->at + i, f->want + i)))
                return b;
    return f->bytes;
}

static void check_contents(const Program *q, int k)
{
    char what[160];
    for (uint32_t i = 0; i < q->p->nparam; i++) {
        const Fenced *f = &q->mem[i];
        if (q->p->param[i].scalar || f->large || memcmp(f->at, f->want, f->bytes) == 0)
            continue;
        size_t at = difference(f, (enum Dtype)q->p->buf[q->p->param[i].id].dt);
        if (at == f->bytes)
            continue;
        snprintf(what, sizeof what, "%s differs at byte %zu: %d, wanted %d",
                 q->p->buf[q->p->param[i].id].name, at, f->at[at], f->want[at]);
        show_launch(q, k, what);
        return;
    }
}

static void one_launch(Program *q, int k)
{
    char what[160];
    for (uint32_t i = 0; i < q->p->nparam; i++)
        if (!q->p->param[i].scalar)
            contents(&q->mem[i], (enum Dtype)q->p->buf[q->p->param[i].id].dt);
    int sig = run_launch(&q->m->launch[k], q->arg);
    kernels++;
    late += sig == SIGVTALRM;
    stopped += sig == -1;
    if (sig > 0 && sig != SIGVTALRM) {
        snprintf(what, sizeof what, "%s at %s", strsignal(sig), whose(q, touched));
        show_launch(q, k, what);
        return;
    }
    if (!q->compare[k] || sig == SIGVTALRM)
        return;
    const char *why = oracle_part(q->p, q->want, k, Steps);
    if (why == oracle_long)
        return;
    compared++;
    if ((why != NULL) != (sig == -1)) {
        snprintf(what, sizeof what, "%s, wanted: %s", sig ? "it stopped" : "it did not stop",
                 why ? why : "an end");
        show_launch(q, k, what);
    } else if (!why) {
        check_contents(q, k);
    }
}

/* Bytes of a parameter for these numbers, or -1. */
static int64_t bytes_of(const Program *q, const Buf *b, const int64_t *env)
{
    int64_t n = dtypeinfo[b->dt].bits, v;
    for (int d = 0; d < b->ndim; d++)
        if (!x_eval(q->p, b->shape[d], env, &v) || v < 0 || __builtin_mul_overflow(n, v, &n))
            return -1;
    return n / 8 + (n % 8 != 0) <= Largest ? n / 8 + (n % 8 != 0) : -1;
}

/* Draws numbers and tensors for them; false: not for these. */
static bool set_args(Program *q)
{
    static const int64_t sizes[] = {0, 1, 3, 8, 16, 33, 64};
    static const int64_t large[] = {0, 1, 4, 65536, 46341, 32768, 2146435071, 2146435070, 1 << 30, 5};
    static const int64_t wides[] = {INT64_MAX, INT64_MIN, INT64_MAX - 4, INT64_MIN + 3, -1, 0, 3, 16,
                                    INT32_MAX, (int64_t)INT32_MAX + 1, INT32_MIN, UINT32_MAX, 8};
    Prog *p = q->p;
    int64_t *env = calloc(p->nvar, sizeof *env), n;
    uint32_t at = p->nparam;
    bool low = chance(50), ok = true;
    memset(q->mem, 0, sizeof q->mem);
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim) {
            n = strcmp(p->var[v].name, "K") == 0 ? PICK(large) : PICK(sizes);
            env[v] = q->arg[at].i = q->want[at].i = n;
            at++;
        }
    for (uint32_t i = 0; i < p->nparam; i++)
        if (p->param[i].scalar) {
            enum Dtype dt = (enum Dtype)p->var[p->param[i].id].dt;
            n = PICK(wides);
            if (dtype_isfloat(dt))
                q->arg[i].f = q->want[i].f = (double)(float)n;
            else
                env[p->param[i].id] = q->arg[i].i = q->want[i].i = wrap(dt, n);
        }
    for (uint32_t i = 0; ok && i < p->nparam; i++)
        if (!p->param[i].scalar) {
            n = bytes_of(q, &p->buf[p->param[i].id], env);
            ok = n >= 0;
            if (!ok)
                break;
            fence(&q->mem[i], (size_t)n, low);
            q->arg[i].p = q->mem[i].at;
            q->want[i].data = q->mem[i].want;
        }
    free(env);
    return ok;
}

static void free_args(Program *q)
{
    for (int i = 0; i < MaxArgs; i++)
        if (q->mem[i].map)
            unfence(&q->mem[i]);
}

/* How many of the test; compiled for sanitizers, a program takes seconds. */
enum { Programs = TIMES(128, 8) };

/* The compiler for a program; gives the target's options. */
static const char *choose_compiler(bool fast)
{
#if defined(__SANITIZE_ADDRESS__)
    fast = false; /* a minute in the optimiser, whose work the checks of sanitizers hinder */
    setenv("CC", "gcc -fsanitize=address,undefined -fsanitize-undefined-trap-on-error", 1);
#else
    static const char all[] = "gcc -fsanitize=undefined -fsanitize-undefined-trap-on-error";
    static const char some[] = "gcc -fsanitize-undefined-trap-on-error -fsanitize=signed-integer-overflow,shift,"
                               "integer-divide-by-zero,bounds,float-cast-overflow,bool"; /* half the time */
    setenv("CC", fast ? "gcc" : chance(20) ? all : some, 1);
#endif
    return fast ? "cpu" : "cpu -quick";
}

/* Threads -------------------------------------------------------------------------------- */

/* What the process that runs kernels tells the one that waits for it. */
typedef struct Shared { int at; long runs, built, refused, failed; char *touched; char said[160]; } Shared;
static Shared *shared;

static void no_print(void *ud, int64_t block, const char *s, size_t n) { (void)ud, (void)block, (void)s, (void)n; }
static void no_report(void *ud, const DevMessage *m) { (void)ud, (void)m; }
static void no_alive(void *ud) { (void)ud; }
static bool no_stop(void *ud) { (void)ud; return false; }

#if !defined(__SANITIZE_ADDRESS__)
static void on_death(int sig, siginfo_t *info, void *context)
{
    (void)context;
    shared->touched = info->si_addr;
    signal(sig, SIG_DFL);
    raise(sig);
}
#endif

static bool told_bug(const Prog *p)
{
    for (const Diag *d = p->ctx.diags; d; d = d->next)
        if (d->err == E_bug) {
            snprintf(shared->said, sizeof shared->said, "E999: %s", d->arg[0] ? d->arg[0] : "");
            return true;
        }
    return false;
}

/* Writes the thread program where the device reads it. */
static bool to_file(const Str *text, char *path)
{
    int fd = mkstemp(path);
    bool ok = fd >= 0 && write(fd, text->s, text->n) == (ssize_t)text->n;
    if (fd >= 0)
        close(fd);
    return ok;
}

static void launch_threads(Program *q, void *dev, void *mod)
{
    static const DevHost host = {.print = no_print, .report = no_report, .status = no_report, .alive = no_alive,
                                 .stopped = no_stop};
    DevArg arg[MaxArgs];
    uint32_t n = q->p->nparam, failed_at;
    double ms;
    DevError err = DEV_NO_ERROR;
    for (uint32_t v = 1; v < q->p->nvar; v++)
        n += q->p->var[v].kind == Vdim;
    for (uint32_t i = 0; i < q->p->nparam; i++)
        if (!q->p->param[i].scalar)
            contents(&q->mem[i], (enum Dtype)q->p->buf[q->p->param[i].id].dt);
    memcpy(arg, q->arg, sizeof arg);
    shared->runs++;
    alarm_in(2000000);
    shared->failed += !cpu_device.launch(dev, mod, arg, (int)n, &host, &ms, &failed_at, &err);
    alarm_in(0);
    dev_error_free(err);
}

static void run_threads(Program *q, void *dev)
{
    Artifact a = {0};
    char path[] = "/tmp/hostile-XXXXXX";
    DevError err = DEV_NO_ERROR;
    alarm_in(20000000);
    bool ok = q->p && q->p->ctx.nerror == 0 && prog_verify(q->p, "text") &&
              prog_compile(q->p, &cpu_target, "cpu", false, &a);
    if (told_bug(q->p))
        _exit(3);
    void *mod = ok && a.program.n && to_file(&a.program, path) ? cpu_device.load(dev, path, "k", &err) : NULL;
    unlink(path);
    mod ? shared->built++ : shared->refused++;
    for (int set = 0, tries = 0; mod && set < ThreadSets && tries < ThreadSets * 4; tries++) {
        if (set_args(q)) {
            launch_threads(q, dev, mod);
            set++;
        }
        free_args(q);
    }
    if (mod)
        cpu_device.unload(dev, mod);
    dev_error_free(err);
    artifact_free(&a);
}

static void child(Program *q, Str *text, uint64_t from)
{
    static const int list[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    DevError err = DEV_NO_ERROR;
    void *dev = cpu_device.open("cpu -threads=1", &err);
#if !defined(__SANITIZE_ADDRESS__)
    for (size_t i = 0; i < COUNT(list); i++) {
        struct sigaction a = {.sa_sigaction = on_death, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigaction(list[i], &a, NULL);
    }
#else
    (void)list;
#endif
    signal(SIGVTALRM, SIG_DFL);
    for (; dev && shared->at < Launches; shared->at++) {
        seed = from + (uint64_t)shared->at;
        q->p = prog_parse(NULL, text[shared->at].s, text[shared->at].n, "hostile");
        run_threads(q, dev);
        prog_free(q->p);
    }
    if (dev)
        cpu_device.close(dev);
    dev_error_free(err);
    _exit(dev ? 0 : 2);
}

static void thread_program(Program *q)
{
    Str text[Launches] = {0};
    uint64_t from;
    for (int k = 0; k < Launches; k++) {
        Writer w = {0};
        head(&text[k]);
        launch_text(&w, true);
        str_add(&text[k], w.out.s, w.out.n);
        str_puts(&text[k], "end\n");
        str_free(&w.out);
    }
    from = seed;
    *shared = (Shared){0};
    while (shared->at < Launches && failures < 20) {
        int status = 0;
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0)
            child(q, text, from);
        if (pid < 0 || waitpid(pid, &status, 0) != pid)
            break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            break;
        bool is_late = WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM;
        late += is_late;
        if (!is_late) {
            printf("program %d of seed %llu, kernel %d of threads: %s %s\n%s\n", q->number, (unsigned long long)q->seed,
                   shared->at, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it ended", shared->said,
                   text[shared->at].s);
            failures++;
        }
        shared->said[0] = '\0';
        shared->at++;
    }
    kernels += shared->runs;
    stopped += shared->failed;
    threads += shared->built;
    for (int k = 0; k < Launches; k++)
        str_free(&text[k]);
}

static void one_program(uint64_t base, int number)
{
    bool compare[Launches];
    Program q = {.number = number, .seed = base, .compare = compare};
    Str text = {0};
    Artifact a = {0};
    seed = base * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)number * UINT64_C(0xd1342543de82ef95);
    if (number % Threads == 1) {
        thread_program(&q);
        return;
    }
    compiled += Launches;
    q.p = make_program(&text, compare);
    q.text = text.s;
    const char *options = choose_compiler(number % Fast == 0);
    Prog *made = prog_parse(NULL, text.s, text.n, "hostile");
    if (!cpu_emit(made, options, &a.source) || !cpu_build(&made->ctx, options, &a)) {
        Str s = {0};
        for (const Diag *d = made->ctx.diags; d; d = d->next)
            diag_render(&s, &made->ctx, d, LANGen, false, NULL, NULL);
        printf("program %d of seed %llu is not built: %s\n", number, (unsigned long long)base, s.s);
        str_free(&s);
        failures++;
    } else {
        void *so = dlopen(a.path.s, RTLD_NOW | RTLD_LOCAL);
        q.m = so ? dlsym(so, "mt_module") : NULL;
        for (int set = 0, tries = 0; q.m && set < Sets && tries < Sets * 4; tries++) {
            if (set_args(&q)) {
                int before = failures;
                for (int k = 0; k < Launches; k++)
                    one_launch(&q, k);
                if (failures > before)
                    printf("source: %s\n", getenv("KEEP") ? a.path.s : "(KEEP=1 keeps it)");
                set++;
            }
            free_args(&q);
        }
        if (!q.m) {
            printf("%s\n", dlerror());
            failures++;
        }
        if (getenv("KEEP")) {
            FILE *f = fopen("hostile.c", "w");
            fwrite(a.source.s, 1, a.source.n, f);
            fclose(f);
        }
        if (so)
            dlclose(so);
        unlink(a.path.s);
    }
    artifact_free(&a);
    prog_free(q.p);
    prog_free(made);
    str_free(&text);
}

static double seconds_used(void)
{
    struct rusage a, b;
    getrusage(RUSAGE_SELF, &a);
    getrusage(RUSAGE_CHILDREN, &b);
    return (double)(a.ru_utime.tv_sec + a.ru_stime.tv_sec + b.ru_utime.tv_sec + b.ru_stime.tv_sec) +
           (double)(a.ru_utime.tv_usec + a.ru_stime.tv_usec + b.ru_utime.tv_usec + b.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char **argv)
{
    targets_init();
    long n = argc > 1 ? atol(argv[1]) : Programs;
    uint64_t base = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    int first = argc > 3 ? atoi(argv[3]) : 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 2;
    catch_signals();
    for (int i = first; compiled + threads < n && failures < 20; i++)
        one_program(base, i);
    printf("%ld kernels (%ld of threads) of seed %llu, %ld runs, %ld compared, %ld stopped, %ld late, %d failures%s",
           compiled + threads, threads, (unsigned long long)base, kernels, compared, stopped, late, failures,
           getenv("QUIET") ? "\n" : "");
    if (!getenv("QUIET"))
        printf(", %.0f kernels a second of processor\n", (double)(compiled + threads) / seconds_used());
    munmap(shared, sizeof *shared);
    return failures != 0;
}
