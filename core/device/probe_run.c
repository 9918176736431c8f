/* core/device/probe_run.c: what every target's device says of itself, and whether a kernel runs
 * on it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "probe.h"
#include "proto.h"

/* What it says ----------------------------------------------------------------- */

/* Lines "name: value". */
static void probe_run_describe(const DeviceProbe *e, const Device *d, void *dev)
{
    Str s = {0};
    char name[64];
    d->describe(dev, &s);
    for (const char *at = s.s; at && *at;) {
        size_t n = strcspn(at, "\n"), k = strcspn(at, ":\n");
        if (k < n && k < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)k, at);
            devprobe_is(e, name, "%.*s", (int)(n - k - 2), at + k + 2);
        }
        at += n + (at[n] == '\n');
    }
    str_free(&s);
}

/* A kernel ----------------------------------------------------------------------- */

enum { Extent = 1000, Large = 1 << 20 };

/* %ld: a number larger than any sum, so that no cache has this one. */
#define TEXT \
    "file 1 \"@moontile/doctor\"\n" \
    "kernel vector_add(A, B, C)\n" \
    "  buffer A: global float32[1000] @1\n" \
    "  buffer B: global float32[1000] @1\n" \
    "  buffer C: global float32[1000] @1\n" \
    "  launch bx in 4 threads 128 do @1\n" \
    "    for i in parallel(256) do @1\n" \
    "      C[bx*256 + i] = min(A[bx*256 + i] + B[bx*256 + i], %ld.0) @1\n" \
    "    end\n" \
    "  end\n" \
    "end\n"

typedef struct ProbeTrial ProbeTrial;
struct ProbeTrial {
    const Device *d;
    void *dev, *mod;
    bool apart;
    float host[3][Extent];
    DevArg arg[3];
    int n;               /* of arg that are there */
};

static void say_nothing(void *ud, int64_t block, const char *s, size_t n)
{
    (void)ud, (void)block, (void)s, (void)n;
}
static void no_message(void *ud, const DevMessage *m) { (void)ud, (void)m; }
static void no_word(void *ud) { (void)ud; }
static bool no_stop(void *ud) { return ud != NULL; }
static const DevHost quiet = {NULL, say_nothing, no_message, no_word, no_message, no_stop};

static bool probe_run_give(ProbeTrial *t, DevError *err)
{
    for (t->n = 0; t->n < 3; t->n++) {
        DevArg *a = &t->arg[t->n];
        float *p = t->host[t->n];
        a->p = t->apart ? t->d->mem_new(t->dev, p, sizeof t->host[0], err) : p;
        if (!a->p)
            return false;
        if (t->apart && !t->d->mem_put(t->dev, a->p, p, 0, sizeof t->host[0], err))
            return t->n++, false;
    }
    return true;
}

/* How many sums are wrong; -1: *err. */
static int run_trial(ProbeTrial *t, DevError *err)
{
    double ms = 0;
    uint32_t line = 0;
    int wrong = 0;
    for (int i = 0; i < Extent; i++) {
        t->host[0][i] = (float)i;
        t->host[1][i] = (float)(3 * i);
        t->host[2][i] = -1;
    }
    if (!probe_run_give(t, err) ||
        !t->d->launch(t->dev, t->mod, t->arg, 3, &quiet, &ms, &line, err))
        return -1;
    if (t->apart && !t->d->mem_get(t->dev, t->arg[2].p, t->host[2], 0, sizeof t->host[2], err))
        return -1;
    for (int i = 0; i < Extent; i++)
        wrong += t->host[2][i] != (float)(4 * i);
    return wrong;
}

/* The first error of c as a device's; the label says most. */
static DevError probe_run_message(const Ctx *c)
{
    const Diag *d = diag_first_error(c);
    return d ? dev_error_of(d, true) : DEV_NO_ERROR;
}

static void *load_trial(ProbeTrial *t, const Target *target, const char *options, DevError *err)
{
    Str s = {0};
    long unique = ((long)(clock_ms() * 1e3) + getpid()) & (Large - 1);
    str_fmt(&s, TEXT, Large + unique);
    Prog *p = s.bad ? NULL : prog_parse(NULL, s.s, s.n, "doctor");
    Artifact a = {.cached = false};
    void *mod = NULL;
    if (p && prog_compile(p, target, options, true, &a) && a.path.s)
        mod = t->d->load(t->dev, a.path.s, "vector_add", err);
    else if (p)
        *err = probe_run_message(&p->ctx);
    artifact_free(&a);
    prog_free(p);
    str_free(&s);
    return mod;
}

static void try_kernel(const DeviceProbe *e, const Target *target, const char *options, void *dev)
{
    ProbeTrial t = {
        .d = target->device, .dev = dev, .apart = device_apart(target->device, options)};
    Str full = {0};
    DevError err = DEV_NO_ERROR;
    double start = clock_ms();
    devprobe_begin(e, "compile");
    str_puts(&full, options);
    if ((!t.d->complete || t.d->complete(dev, &full, &err)) && !full.bad)
        t.mod = load_trial(&t, target, full.s ? full.s : "", &err);
    if (t.mod) {
        devprobe_is(e, "compile_ms", "%.1f", clock_ms() - start);
        devprobe_begin(e, "run");
        devprobe_run_begins(e, "run");
        start = clock_ms();
        int wrong = run_trial(&t, &err);
        if (wrong >= 0) {
            devprobe_is(e, "run_ms", "%.3f", clock_ms() - start);
            devprobe_is(e, "wrong", "%d", wrong);
        }
    }
    if (!t.mod || err.is)
        devprobe_error(e, err);
    for (int i = 0; i < t.n && t.apart; i++)
        t.d->mem_free(dev, t.arg[i].p);
    if (t.mod)
        t.d->unload(dev, t.mod);
    str_free(&full);
}

void devprobe_look(const DeviceProbe *e, const Target *t, const char *options)
{
    DevError err = DEV_NO_ERROR;
    double start = clock_ms();
    devprobe_begin(e, "open");
    void *dev = t->device->open(options, &err);
    if (dev) {
        devprobe_is(e, "open_ms", "%.1f", clock_ms() - start);
        if (t->device->attach)
            t->device->attach(dev, &quiet);
    } else {
        devprobe_error(e, err);
    }
    devprobe_begin(e, "describe");
    if (dev)
        probe_run_describe(e, t->device, dev);
    if (t->devprobe && t->devprobe->look) {
        devprobe_begin(e, "look");
        t->devprobe->look(e, options, dev);
    }
    if (!dev)
        return;
    try_kernel(e, t, options, dev);
    t->device->close(dev);
}
