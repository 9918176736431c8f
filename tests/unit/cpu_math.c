/* The elementary functions of printed programs, over float32's whole range,
 * against the C library in float64: at most 2 units in the last place, 4 for
 * the fast ones where they promise anything. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tensor/tensor.h"
#include "../../targets/cpu/run.h"
#include "../../targets/targets.h"

enum { Count = 1 << 20 };

static double exp10_(double x) { return pow(10, x); }
static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double rsqrt(double x) { return 1 / sqrt(x); }
static double round_even(double x) { return nearbyint(x); }

static const struct {
    const char *name;
    double (*exact)(double);
    double lo, hi; /* where the bound holds; elsewhere only NaN must agree */
    double ulps;
} functions[] = {
    {"exp", exp, -INFINITY, INFINITY, 2},     {"exp2", exp2, -INFINITY, INFINITY, 2},
    {"exp10", exp10_, -INFINITY, INFINITY, 2}, {"log", log, -INFINITY, INFINITY, 2},
    {"log2", log2, -INFINITY, INFINITY, 2},   {"log10", log10, -INFINITY, INFINITY, 2},
    {"tanh", tanh, -INFINITY, INFINITY, 2},   {"sigmoid", sigmoid, -INFINITY, INFINITY, 2.2},
    {"erf", erf, -INFINITY, INFINITY, 2},     {"rsqrt", rsqrt, -INFINITY, INFINITY, 2},
    {"round", round_even, -INFINITY, INFINITY, 0},
    {"round_away", round, -INFINITY, INFINITY, 0},
    {"__exp", exp, -87, 88, 4},               {"__log", log, -INFINITY, INFINITY, 4},
    {"__sin", sin, -3, 3, 4},                 {"__cos", cos, -1.5, 1.5, 4},
};

static int failures;

/* Distance of got from exact in units of float32's last place at exact. */
static double error(float got, double exact)
{
    float near = (float)exact;
    if (isnan(exact) || isnan(got))
        return isnan(exact) && isnan(got) ? 0 : INFINITY;
    if (isinf(near) || isinf(got))
        return near == got || fabs(exact) > 3.4028e38 ? 0 : INFINITY;
    double ulp = ldexp(1, (exact == 0 ? -126 : ilogb(exact) < -126 ? -126 : ilogb(exact)) - 23);
    return fabs((double)got - exact) / ulp;
}

static void check(size_t f, const float *x, const float *y)
{
    double worst = 0;
    float at = 0;
    for (int i = 0; i < Count; i++) {
        double v = (double)x[i];
        if (!isnan(v) && (v < functions[f].lo || v > functions[f].hi))
            continue;
        double e = error(y[i], functions[f].exact(v));
        if (e > worst) {
            worst = e;
            at = x[i];
        }
    }
    if (worst > functions[f].ulps) {
        printf("%s: %.3g units in the last place at %.9g\n", functions[f].name, worst, (double)at);
        failures++;
    }
}

/* All the functions in one kernel: y[f][i] = f(x[i]). */
static void program(Str *s)
{
    str_fmt(s, "kernel m(X, Y)\nbuffer X: global float32[%d]\n", Count);
    str_fmt(s, "buffer Y: global float32[%d, %d]\nlaunch bx in 1 threads 128 do\n",
            (int)COUNT(functions), Count);
    for (size_t f = 0; f < COUNT(functions); f++)
        str_fmt(s, "for i in parallel(%d) do\nY[%d, i] = %s(X[i])\nend\n", Count, (int)f,
                functions[f].name);
    str_puts(s, "end\nend\n");
}

int main(void)
{
    targets_init();
    Str text = {0};
    program(&text);
    Prog *p = prog_parse(NULL, text.s, text.n, "math");
    Artifact a = {0};
    const MtModule *m = NULL;
    void *so = NULL;
    if (p->ctx.nerror == 0 && cpu_emit(p, "cpu", &a.source) && cpu_build(&p->ctx, "cpu", &a)) {
        so = dlopen(a.path.s, RTLD_NOW | RTLD_LOCAL);
        m = so ? dlsym(so, "mt_module") : NULL;
    }
    float *x = malloc(Count * sizeof *x), *y = malloc(COUNT(functions) * Count * sizeof *y);
    if (m && x && y) {
        MtArg arg[2] = {{.p = x}, {.p = y}};
        MtRt rt = {0};
        int64_t g[3];
        for (uint32_t i = 0; i < Count; i++) {
            uint32_t bits = i * 4096 + i % 4093;
            memcpy(&x[i], &bits, sizeof bits);
        }
        m->launch[0].grid(arg, g);
        m->launch[0].run(arg, g, 0, 1, NULL, &rt);
        for (size_t f = 0; f < COUNT(functions); f++)
            check(f, x, y + f * Count);
    } else {
        printf("the kernel was not built\n");
        failures++;
    }
    free(x);
    free(y);
    if (so)
        dlclose(so);
    artifact_free(&a);
    str_free(&text);
    prog_free(p);
    return failures != 0;
}
