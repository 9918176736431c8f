/* Every thread program of tests/sim, run by the simulator: in order and under
 * several seeds.  Comments of a program that begin with "--:" say what must come
 * out; whatever is found without being named is a failure.
 *
 *     --: n=1000                value of a dimension or scalar
 *     --: C 1 2.5 -3            the first elements of a buffer
 *     --: sum C 435.75          the sum of all of them
 *     --: finds sim_race_wr 7   a finding at a line, in order of the reports
 *     --: maybe sim_race_ww 7   one that may be there, depending on the schedule
 *     --: finds something       there is a finding, one of the `maybe`s
 *     --: prints TEXT           a line that the kernel prints (in order)
 *     --: fails sim_assert      why the launch ends
 *
 * Each runs with the time line of its first block too (-trace), which must change nothing,
 * and in which nobody's clock may run backwards.
 *
 * Inputs are small multiples of 1/4 (integers: 0 .. 6) from a generator; outputs
 * of the kernel start as zero. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tensor/tensor.h"
#include "../../targets/sim/code.h"
#include "../../targets/sim/device.h"
#include "../../targets/targets.h"
#include "times.h"
#include "dev_said.h"

enum { MaxText = 1 << 20, MaxArgs = 64, MaxDirectives = 64 };

static int failures, programs, runs;
static char text[MaxText];

typedef struct Case Case;
struct Case {
    char path[600], option[40];
    Prog *p;
    SimProg *sp;
    char *line[MaxDirectives];
    int nline;
    int64_t env[1024];
    void *mem[MaxArgs];
    int64_t count[MaxArgs];
    Str found, printed;
};

static void fail(const Case *c, const char *what, const char *detail)
{
    fprintf(stderr, "%s (%s): %s: %s\n", c->path, c->option, what, detail);
    failures++;
}

/* What the run says -------------------------------------------------------------- */

static void on_print(void *ud, int64_t block, const char *s, size_t n)
{
    Case *c = ud;
    (void)block;
    str_add(&c->printed, s, n);
}

/* "id line"; the notes are left out. */
static void on_report(void *ud, const DevMessage *m)
{
    Case *c = ud;
    str_fmt(&c->found, "%s %u\n", err_info(m->is)->id, (unsigned)m->line);
}

/* Directives ---------------------------------------------------------------------- */

static const char *after(const char *line, const char *word)
{
    size_t n = strlen(word);
    return strncmp(line, word, n) == 0 && line[n] == ' ' ? line + n + 1 : NULL;
}

static void directives(Case *c, char *s)
{
    for (char *l = strtok(s, "\n"); l; l = strtok(NULL, "\n")) {
        char *d = strstr(l, "--: ");
        if (d && c->nline < MaxDirectives)
            c->line[c->nline++] = d + 4;
    }
}

static int param_named(const Case *c, const char *name, size_t n)
{
    for (uint32_t k = 0; k < c->p->nparam; k++) {
        const Buf *b = &c->p->buf[c->p->param[k].id];
        if (!c->p->param[k].scalar && strlen(b->name) == n && strncmp(b->name, name, n) == 0)
            return (int)k;
    }
    return -1;
}

static enum Dtype type_of(const Case *c, int k) { return (enum Dtype)c->p->buf[c->p->param[k].id].dt; }

static void check_values(const Case *c, const char *line)
{
    size_t n = strcspn(line, " ");
    int k = param_named(c, line, n);
    const char *s = line + n;
    char *end, detail[200];
    if (k < 0) {
        fail(c, "no such buffer", line);
        return;
    }
    for (int64_t i = 0;; i++, s = end) {
        double want = strtod(s, &end), got;
        if (end == s)
            return;
        got = i < c->count[k] ? dtype_load(type_of(c, k), c->mem[k], i) : NAN;
        if (got != want && !(isnan(got) && isnan(want))) {
            snprintf(detail, sizeof detail, "%.*s[%lld] is %g, not %g", (int)n, line,
                     (long long)i, got, want);
            fail(c, "value", detail);
            return;
        }
    }
}

static void check_sum(const Case *c, const char *line)
{
    size_t n = strcspn(line, " ");
    int k = param_named(c, line, n);
    double want = strtod(line + n, NULL), got = 0;
    char detail[200];
    for (int64_t i = 0; k >= 0 && i < c->count[k]; i++)
        got += dtype_load(type_of(c, k), c->mem[k], i);
    snprintf(detail, sizeof detail, "%.*s: %.17g, not %.17g", (int)n, line, got, want);
    if (k < 0 || fabs(got - want) > 1e-9 * (1 + fabs(want)))
        fail(c, "sum", detail);
}

/* Takes the line "id line" out of what was found; false: not there. */
static bool take(Case *c, const char *what)
{
    size_t n = strlen(what);
    for (char *s = c->found.s; s && *s;) {
        size_t len = strcspn(s, "\n");
        if (len == n && strncmp(s, what, n) == 0) {
            memmove(s, s + len + 1, strlen(s + len + 1) + 1);
            return true;
        }
        s += len + (s[len] == '\n');
    }
    return false;
}

static void check(Case *c, const char *err)
{
    const char *at = c->printed.s ? c->printed.s : "", *w;
    bool may_fail = false, any = c->found.n > 0;
    for (int i = 0; i < c->nline; i++) {
        const char *l = c->line[i];
        if ((w = after(l, "finds"))) {
            may_fail = true;
            if (strcmp(w, "something") == 0 ? !any : !take(c, w))
                fail(c, "not found", w);
        } else if ((w = after(l, "maybe"))) {
            may_fail |= take(c, w);
        } else if ((w = after(l, "prints"))) {
            size_t n = strcspn(at, "\n");
            if (strlen(w) != n || strncmp(at, w, n) != 0)
                fail(c, "printed", *at ? at : "nothing");
            at += n + (at[n] == '\n');
        } else if ((w = after(l, "fails"))) {
            may_fail = true;
            if (!err || !strstr(err, w))
                fail(c, "it does not fail so", err ? err : "it succeeds");
        } else if ((w = after(l, "sum"))) {
            check_sum(c, w);
        } else if (!strchr(l, '=')) {
            check_values(c, l);
        }
    }
    if (c->found.s && *c->found.s)
        fail(c, "found what is not there", c->found.s);
    else if (err && !may_fail)
        fail(c, "fails", err);
}

/* Running ---------------------------------------------------------------------------- */

static void dims(Case *c)
{
    for (uint32_t v = 1; v < c->p->nvar && v < 1024; v++)
        for (int i = 0; i < c->nline; i++) {
            size_t n = strlen(c->p->var[v].name);
            if (strncmp(c->line[i], c->p->var[v].name, n) == 0 && c->line[i][n] == '=')
                c->env[v] = strtoll(c->line[i] + n + 1, NULL, 10);
        }
}

static int arguments(Case *c, DevArg *arg)
{
    Prog *p = c->p;
    int n = 0;
    for (uint32_t k = 0; k < p->nparam; k++, n++) {
        uint32_t id = p->param[k].id, s = 12345 + k * 77;
        if (p->param[k].scalar) {
            if (dtype_isfloat((enum Dtype)p->var[id].dt))
                arg[n].f = (double)c->env[id];
            else
                arg[n].i = c->env[id];
            continue;
        }
        enum Dtype dt = (enum Dtype)p->buf[id].dt;
        int64_t count = 1, v = 0;
        for (int d = 0; d < p->buf[id].ndim; d++)
            count *= x_eval(p, p->buf[id].shape[d], c->env, &v) ? v : 0;
        c->count[k] = count;
        arg[n].p = c->mem[k] = calloc(1, (size_t)tensor_bytes(dt, count) + 64);
        for (int64_t i = 0; i < count && !p->buf[id].out; i++) {
            s = s * 1664525u + 1013904223u;
            dtype_store(dt, c->mem[k], i, dtype_isfloat(dt) ? ((int)((s >> 20) % 17) - 8) / 4.0
                                                            : (int)((s >> 20) % 7));
        }
    }
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            arg[n++].i = c->env[v];
    return n;
}

/* Events of warps follow each other; the block is not over before the last of them. */
static void timeline(Case *c, const char *s)
{
    static int64_t clock[1 << 10];
    int64_t last = 0, end = -1;
    memset(clock, 0, sizeof clock);
    for (; s && *s; s += strcspn(s, "\n"), s += *s == '\n') {
        char kind = 0;
        long long from, to, cycles;
        int cta, w0, w1;
        if (sscanf(s, "end 0 %lld", &cycles) == 1)
            end = cycles;
        if (sscanf(s, "e %c %lld %lld %d %d %d", &kind, &from, &to, &cta, &w0, &w1) != 6)
            continue;
        if (to < from || from < 0 || w0 < 0 || w1 <= w0 || w1 > (int)COUNT(clock))
            fail(c, "an event is wrong", s);
        last = cta == 0 && to > last ? to : last;
        if (strchr("GM", kind))
            continue;
        for (int w = w0; w < w1 && w < (int)COUNT(clock); w++) {
            if (from < clock[w])
                fail(c, "a clock runs backwards", s);
            clock[w] = to;
        }
    }
    if (end < last)
        fail(c, "it ends before its last event", c->option);
}

static void once(Case *c, const char *option)
{
    Ctx ctx;
    SimOptions opt;
    DevArg arg[MaxArgs];
    DevHost host = {.ud = c, .print = on_print, .report = on_report};
    uint32_t line = 0;
    DevError err = DEV_NO_ERROR;
    runs++;
    snprintf(c->option, sizeof c->option, "%s", option);
    ctx_init(&ctx, &mem_libc, 1 << 20);
    if (!sim_options(&ctx, option, &opt))
        fail(c, "options", option);
    Str traced = {0};
    if (opt.trace.on)
        opt.trace.out = &traced;
    int n = arguments(c, arg);
    sim_run(c->sp, &opt, &host, arg, n, &line, &err);
    char *said = dev_said(err);
    if (opt.trace.on)
        timeline(c, traced.s);
    if (!opt.trace.on || (traced.s && strstr(traced.s, "\ngrid 1 1 1\n") && c->sp->nlaunch == 1))
        check(c, said);
    str_free(&traced);
    free(said);
    for (int k = 0; k < MaxArgs; k++) {
        free(c->mem[k]);
        c->mem[k] = NULL;
    }
    str_free(&c->found);
    str_free(&c->printed);
    ctx_free(&ctx);
}

static void build(Ctx *ctx, void *ud)
{
    Case *c = ud;
    (void)ctx;
    c->sp = sim_build(c->p, machine_find(c->p->machine ? c->p->machine : "sm_80"), true);
}

static void program(const char *dir, const char *name)
{
    static const char *const option[] = {"", "-seed=1", "-seed=2", "-seed=77",
                                        "-trace=0,0,0", "-seed=5 -trace=0,0,0"};
    Case *c = calloc(1, sizeof *c);
    snprintf(c->path, sizeof c->path, "%s/%s", dir, name);
    FILE *f = fopen(c->path, "re");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[n] = '\0';
    if (f)
        fclose(f);
    programs++;
    c->p = prog_parse(&mem_libc, text, n, name);
    if (!c->p || c->p->ctx.nerror || !prog_verify(c->p, "load") ||
        !ctx_try(&c->p->ctx, build, c)) {
        Str s = {0};
        if (c->p && c->p->ctx.diags)
            diag_text(&s, c->p->ctx.diags, err_info(c->p->ctx.diags->err)->label[LANGen], LANGen);
        fail(c, "does not load", s.s ? s.s : "?");
        str_free(&s);
    } else {
        directives(c, text);
        dims(c);
        for (size_t k = 0; k < COUNT(option); k += TIMES(1, 5))
            once(c, option[k]);
    }
    sim_unbuild(c->sp);
    if (c->p)
        prog_free(c->p);
    free(c);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
    targets_init();
    const char *dir = argc > 1 ? argv[1] : "../sim";
    DIR *d = opendir(dir);
    if (!d)
        d = opendir(dir = "tests/sim");
    char *name[512];
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d)) && n < 512;)
        if (strlen(e->d_name) > 4 && strcmp(e->d_name + strlen(e->d_name) - 4, ".mtp") == 0)
            name[n++] = strdup(e->d_name);
    if (d)
        closedir(d);
    qsort(name, (size_t)n, sizeof *name, by_name);
    for (int i = 0; i < n; i++) {
        program(dir, name[i]);
        free(name[i]);
    }
    if (programs < 10) {
        fprintf(stderr, "only %d programs in %s\n", programs, dir);
        failures++;
    }
    printf("%d programs, %d runs, %d failures\n", programs, runs, failures);
    return failures != 0;
}
