/* Every program of tests/cpu, printed as C, built, run, and compared with an
 * interpreter of the IR that works element by element in float64.
 *
 * Comments of a program that begin with "--:" steer it:
 *     --: run n=1000 m=17       values of dimensions and scalars; several runs
 *     --: tol 1e-5              of float results, relative to 1 + |wanted|
 *     --: ints -100 100         range of integers below 64 bits
 *     --: T float16 int8        the program once for each, $T replaced; also U
 *     --: fails                 both must stop: an assertion, a bad index */
#include <dirent.h>
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tensor/show.h"
#include "../../targets/cpu/run.h"
#include "../cpu/oracle.c"
#include "../../targets/targets.h"
#include "times.h"

enum { MaxArgs = 24, Scratch = 1 << 24 };

static int failures, programs;
static jmp_buf stopped;
static const char *why;

static void on_zero(MtRt *rt, int32_t line)
{
    (void)rt, (void)line;
}

static void on_print(MtRt *rt, const MtPrint *what, const void *data)
{
    const int64_t block[3] = {rt->bx, rt->by, rt->bz};
    Shown w = {.message = what->message, .name = what->name, .dt = (enum Dtype)what->dtype,
               .ndim = what->ndim};
    Str s = {0};
    memcpy(w.shape, what->shape, sizeof w.shape);
    memcpy(w.stride, what->stride, sizeof w.stride);
    show_print(&s, block, &w, data);
    str_free(&s);
}

static void on_fail(MtRt *rt, const char *message, int32_t line)
{
    (void)rt;
    (void)line;
    why = message;
    longjmp(stopped, 1);
}

static void run_launches(const MtModule *m, const MtArg *arg)
{
    static char *scratch;
    MtRt rt = {.print = on_print, .fail = on_fail, .zero = on_zero};
    if (!scratch)
        scratch = aligned_alloc(64, Scratch);
    for (int i = 0; i < m->nlaunch; i++) {
        int64_t g[3];
        m->launch[i].grid(arg, g);
        if (m->launch[i].scratch > Scratch) {
            printf("scratch of %lld bytes\n", (long long)m->launch[i].scratch);
            failures++;
            return;
        }
        memset(scratch, 0x5a, (size_t)m->launch[i].scratch);
        m->launch[i].run(arg, g, 0, g[0] * g[1] * g[2], scratch, &rt);
    }
}

/* Steering ------------------------------------------------------------------ */

static double tolerance(const char *text)
{
    const char *s = strstr(text, "--: tol ");
    return s ? strtod(s + 8, NULL) : 1e-5;
}

static void int_range(const char *text, long *lo, long *hi)
{
    const char *s = strstr(text, "--: ints ");
    *lo = -100, *hi = 100;
    if (s)
        sscanf(s + 9, "%ld %ld", lo, hi);
}

/* name=value on the line at s */
static bool setting(const char *s, const char *name, double *v)
{
    size_t n = strlen(name);
    for (; *s && *s != '\n'; s++)
        if (s[0] == ' ' && strncmp(s + 1, name, n) == 0 && s[n + 1] == '=') {
            *v = strtod(s + n + 2, NULL);
            return true;
        }
    return false;
}

/* Data ------------------------------------------------------------------------ */

static uint64_t seed;

static uint32_t random32(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33);
}

static void fill(enum Dtype dt, char *p, int64_t n, long lo, long hi)
{
    for (int64_t i = 0; i < n; i++) {
        if (dtype_isfloat(dt))
            dtype_store(dt, p, i, (double)((int32_t)random32() % 4096) / 1024.0 - 1.0);
        else if (dtypeinfo[dt].bits == 64)
            dtype_storei(dt, p, i, (int64_t)((uint64_t)random32() << 33 ^ random32()));
        else
            dtype_storei(dt, p, i, lo + (long)(random32() % (unsigned long)(hi - lo + 1)));
    }
}

typedef struct Tensors {
    int n;
    MtArg arg[MaxArgs];
    OracleArg want[MaxArgs];
    void *raw[MaxArgs]; /* with a guard zone on both sides */
    int64_t count[MaxArgs], bytes[MaxArgs];
} Tensors;

enum { Guard = 256 };

/* What a shape is, evaluated with the run's dimensions. */
static int64_t elements(Prog *p, const Buf *b, const int64_t *env)
{
    int64_t n = 1, v = 1, s;
    bool strided = b->ndim && b->stride[0];
    for (int d = 0; d < b->ndim; d++) {
        x_eval(p, b->shape[d], env, &v);
        if (strided) {
            x_eval(p, b->stride[d], env, &s);
            n += v > 0 ? (v - 1) * s : 0;
        } else {
            n *= v;
        }
    }
    return n;
}

static void make_args(Prog *p, const char *line, Tensors *t, long lo, long hi)
{
    int64_t *env = calloc(p->nvar, sizeof *env);
    double v;
    int k = (int)p->nparam;
    for (uint32_t i = 1; i < p->nvar; i++)
        if (p->var[i].kind == Vdim) {
            v = 0;
            if (!setting(line, p->var[i].name, &v))
                printf("no value for %s\n", p->var[i].name);
            env[i] = t->arg[k].i = t->want[k].i = (int64_t)v;
            k++;
        }
    for (uint32_t i = 0; i < p->nparam; i++) {
        uint32_t id = p->param[i].id;
        if (p->param[i].scalar) {
            v = 1.5;
            setting(line, p->var[id].name, &v);
            if (dtype_isfloat((enum Dtype)p->var[id].dt))
                t->arg[i].f = t->want[i].f = v;
            else
                t->arg[i].i = t->want[i].i = (int64_t)v;
            continue;
        }
        const Buf *b = &p->buf[id];
        enum Dtype dt = (enum Dtype)b->dt;
        int64_t n = elements(p, b, env);
        size_t size = (size_t)((n * dtypeinfo[dt].bits + 7) / 8);
        t->raw[i] = malloc(size + 2 * Guard);
        memset(t->raw[i], 0x77, size + 2 * Guard);
        t->want[i].data = malloc(size + 1);
        t->count[i] = n;
        t->bytes[i] = (int64_t)size;
        fill(dt, t->want[i].data, n, lo, hi);
        t->arg[i].p = (char *)t->raw[i] + Guard;
        memcpy(t->arg[i].p, t->want[i].data, size);
    }
    t->n = k;
    free(env);
}

static void free_args(Prog *p, Tensors *t)
{
    for (uint32_t i = 0; i < p->nparam; i++) {
        free(t->raw[i]);
        if (t->raw[i])
            free(t->want[i].data);
    }
}

static bool guards_hold(const Tensors *t, uint32_t i)
{
    const unsigned char *p = t->raw[i];
    for (int k = 0; k < Guard; k++)
        if (p[k] != 0x77 || p[Guard + t->bytes[i] + k] != 0x77)
            return false;
    return true;
}

static void compare(Prog *p, const Tensors *t, const char *name, const char *line, double tol)
{
    for (uint32_t i = 0; i < p->nparam; i++) {
        if (p->param[i].scalar)
            continue;
        const Buf *b = &p->buf[p->param[i].id];
        enum Dtype dt = (enum Dtype)b->dt;
        if (!guards_hold(t, i)) {
            printf("%s: %.*s: %s was written outside of its bounds\n", name,
                   (int)strcspn(line, "\n"), line, b->name);
            failures++;
        }
        int bad = 0;
        for (int64_t k = 0; k < t->count[i]; k++) {
            double got = dtype_load(dt, t->arg[i].p, k), want = dtype_load(dt, t->want[i].data, k);
            bool same =
                dtype_isfloat(dt)
                    ? (isnan(want) && isnan(got)) || got == want ||
                          fabs(got - want) <=
                              (tol + 1.01 * dtype_eps(dt) * (dt != DTf32 && dt != DTf64)) *
                                  (1 + fabs(want))
                    : dtype_loadi(dt, t->arg[i].p, k) == dtype_loadi(dt, t->want[i].data, k);
            if (same || bad++ >= 3)
                continue;
            printf("%s: %.*s: %s[%lld]: got %.9g, want %.9g\n", name, (int)strcspn(line, "\n"),
                   line, b->name, (long long)k, got, want);
        }
        if (bad) {
            printf("%s: %s: %d of %lld wrong\n", name, b->name, bad, (long long)t->count[i]);
            failures++;
        }
    }
}

/* One program ------------------------------------------------------------------ */

static void show(const Prog *p)
{
    Str s = {0};
    for (const Diag *d = p->ctx.diags; d; d = d->next)
        diag_render(&s, &p->ctx, d, LANGen, false, NULL, NULL);
    printf("%s", s.s ? s.s : "");
    str_free(&s);
}

static void run_once(Prog *p, const char *text, const char *line, const char *name,
                     const MtModule *m)
{
    Tensors t = {0};
    long lo, hi;
    int_range(text, &lo, &hi);
    seed = 12345;
    make_args(p, line, &t, lo, hi);
    const char *wanted = oracle_run(p, t.want);
    int64_t bytes[MaxArgs] = {0};
    if (m->nworkspace)
        m->workspace(t.arg, bytes);
    for (int k = 0; k < m->nworkspace; k++)
        t.arg[m->narg + k].p = calloc((size_t)bytes[k] + 64, 1);
    why = NULL;
    if (setjmp(stopped) == 0)
        run_launches(m, t.arg);
    bool fails = strstr(text, "--: fails") != NULL;
    if ((why != NULL) != (wanted != NULL) || fails != (why != NULL)) {
        printf("%s: stopped with \"%s\", wanted \"%s\"\n", name, why ? why : "-",
               wanted ? wanted : "-");
        failures++;
    }
    if (!why)
        compare(p, &t, name, line, tolerance(text));
    for (int k = 0; k < m->nworkspace; k++)
        free(t.arg[m->narg + k].p);
    free_args(p, &t);
}

static void test(const char *name, const char *text, size_t n)
{
    Prog *p = prog_parse(NULL, text, n, name), *q = prog_parse(NULL, text, n, name);
    Artifact a = {0};
    programs++;
    if (p->ctx.nerror || !cpu_emit(q, "cpu", &a.source) || !cpu_build(&q->ctx, "cpu", &a)) {
        printf("%s: not built\n", name);
        show(p->ctx.nerror ? p : q);
        failures++;
    } else {
        void *so = dlopen(a.path.s, RTLD_NOW | RTLD_LOCAL);
        const MtModule *m = so ? dlsym(so, "mt_module") : NULL;
        if (!m) {
            printf("%s: %s\n", name, dlerror());
            failures++;
        } else {
            const char *line = strstr(text, "--: run");
            if (!line)
                run_once(p, text, "", name, m);
            for (; line; line = strstr(line + 1, "--: run"))
                run_once(p, text, line, name, m);
        }
        if (so)
            dlclose(so);
    }
    artifact_free(&a);
    prog_free(p);
    prog_free(q);
}

/* Replaces $T (or $U) by each word of the line "--: T ...", then tests.  Of
 * pairs, only every few are tried unless MOONTILE_FULL is set: building a
 * kernel takes its time. */
static void expand(const char *name, const char *text, char which)
{
    static unsigned turn;
    char key[8] = {'-', '-', ':', ' ', which, ' ', '\0'};
    const char *s = which == 'V' ? NULL : strstr(text, key);
    if (which == 'V') {
        test(name, text, strlen(text));
        return;
    }
    if (!s) {
        expand(name, text, (char)(which + 1));
        return;
    }
    for (s += 6; *s && *s != '\n'; s += strspn(s, " ")) {
        size_t n = strcspn(s, " \n");
        if (which == 'U' && turn++ % TIMES(7, 28) && !getenv("MOONTILE_FULL")) {
            s += n;
            continue;
        }
        Str out = {0}, title = {0};
        for (const char *q = text; *q;) {
            if (q[0] == '$' && q[1] == which) {
                str_add(&out, s, n);
                q += 2;
            } else {
                str_add(&out, q++, 1);
            }
        }
        str_fmt(&title, "%s %.*s", name, (int)n, s);
        expand(title.s, out.s, (char)(which + 1));
        str_free(&out);
        str_free(&title);
        s += n;
    }
}

/* A file may hold several programs: each begins at a line "--- name". */
static void test_file(const char *path, const char *only)
{
    FILE *f = fopen(path, "rb");
    static char text[1 << 20];
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    for (char *s = strstr(text, "--- "), *next; s; s = next) {
        next = strstr(s + 4, "\n--- ");
        if (next)
            *next++ = '\0';
        char name[640];
        const char *base = strrchr(path, '/');
        snprintf(name, sizeof name, "%s:%.*s", base ? base + 1 : path, (int)strcspn(s + 4, "\n"),
                 s + 4);
        if (!only || strstr(name, only))
            expand(name, s, 'T');
    }
}

int main(int argc, char **argv)
{
    targets_init();
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *dir = "../cpu";
    char path[512];
    struct dirent *e;
    DIR *d = opendir(dir);
    if (!d)
        d = opendir(dir = "tests/cpu");
    while (d && (e = readdir(d)) != NULL) {
        size_t n = strlen(e->d_name);
        if (n < 4 || strcmp(e->d_name + n - 4, ".mtp") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        test_file(path, argc > 1 ? argv[1] : NULL);
    }
    if (d)
        closedir(d);
    printf("%d programs, %d failures\n", programs, failures);
    return failures != 0 || programs == 0;
}
