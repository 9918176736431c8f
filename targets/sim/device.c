/* targets/sim/device.c: struct Device: loads thread programs and runs them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/disk.h"
#include "core/base/clock.h"
#include "code.h"
#include "device.h"

typedef struct SimModule SimModule;
struct SimModule { Prog *p; SimProg *sp; bool exact; Str trace; }; /* trace: of the last run */

typedef struct Sim Sim;
struct Sim { Ctx ctx; SimOptions opt; };

/* The first message with its arguments behind the kernel's name, which stands for {1}. */
static DevError option_error(const Ctx *c)
{
    const Diag *d = c->diags;
    if (!d || !d->arg[0] || !d->arg[1] || !d->arg[2])
        return dev_error_load(c);
    return dev_error_of(d, false);
}

static void sim_close(void *dev)
{
    Sim *d = dev;
    ctx_free(&d->ctx);
    free(d);
}

static void *sim_open(const char *options, DevError *err)
{
    Sim *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    ctx_init(&d->ctx, &mem_libc, 1 << 20);
    if (sim_options(&d->ctx, options, &d->opt))
        return d;
    *err = option_error(&d->ctx);
    sim_close(d);
    return NULL;
}

static void sim_unload(void *dev, void *mod)
{
    SimModule *l = mod;
    (void)dev;
    sim_unbuild(l->sp);
    if (l->p)
        prog_free(l->p);
    str_free(&l->trace);
    free(l);
}

static void sim_compile(Ctx *c, void *ud)
{
    SimModule *l = ud;
    const Machine *m = l->p->machine ? machine_find(l->p->machine) : NULL;
    if (!m)
        diag_fail(c, E_bug, (Loc){0, 0, 0}, "it names no machine", NULL);
    l->sp = sim_build(l->p, m, l->exact);
}

static void *sim_load(void *dev, const char *path, const char *name, DevError *err)
{
    Str text = {0};
    int why = disk_read(path, &text);
    SimModule *l = calloc(1, sizeof *l);
    (void)name;
    if (l)
        l->exact = ((const Sim *)dev)->opt.exact;
    if (why || !l) {
        *err = dev_no_file(path, why ? why : ENOMEM);
        str_free(&text);
        free(l);
        return NULL;
    }
    const char *ir = text.s ? text.s : "";
    l->p = prog_parse_file(&mem_libc, ir, strlen(ir), path); /* an entry of the cache ends with a trailer */
    str_free(&text);
    if (l->p && l->p->ctx.nerror == 0 && prog_verify(l->p, "load") &&
        ctx_try(&l->p->ctx, sim_compile, l))
        return l;
    *err = l->p ? dev_error_load(&l->p->ctx) : DEV_NO_ERROR;
    sim_unload(dev, l);
    return NULL;
}

SimProg *sim_prog(void *mod) { return ((SimModule *)mod)->sp; }

static bool sim_launch(void *dev, void *mod, const DevArg *arg, int narg, const DevHost *host,
                       double *ms, uint32_t *failed_at, DevError *err)
{
    const Sim *d = dev;
    SimModule *l = mod;
    SimOptions o = d->opt;
    double start = clock_ms();
    str_free(&l->trace);
    o.trace.out = o.trace.on ? &l->trace : NULL;
    bool ok = sim_run(l->sp, &o, host, arg, narg, failed_at, err);
    *ms = clock_ms() - start;
    return ok;
}

static void sim_flush(void *dev) { (void)dev; } /* its time says nothing of any cache */

static void sim_describe(void *dev, Str *out)
{
    const Sim *d = dev;
    const Machine *m = d->opt.m;
    str_fmt(out, "machine: %s (%s)\n", m->name, m->summary);
    str_fmt(out, "warp: %d\n", m->warp);
    str_fmt(out, "checks: %s\n", d->opt.checks ? "on" : "off");
    str_fmt(out, "sums of matrix units: %s\n", d->opt.exact ? "the machine's" : "in order of k");
    str_fmt(out, "schedule: %s\n", d->opt.seed ? "shuffled" : "in order");
}

/* A temporary file, which is the caller's. */
static bool sdevice_write_file(const Str *s, Str *path, DevError *err)
{
    const char *dir = getenv("TMPDIR");
    Str name = {0};
    str_fmt(&name, "%s/moontile-trace-XXXXXX", dir && *dir ? dir : "/tmp");
    int fd = name.bad ? -1 : mkstemp(name.s);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
    bool ok = f && fwrite(s->s, 1, s->n, f) == s->n;
    ok = f && fclose(f) == 0 && ok;
    if (ok)
        str_puts(path, name.s);
    else
        *err = dev_no_file(name.s ? name.s : "", errno);
    str_free(&name);
    return ok && !path->bad;
}

/* "trace": what the last run recorded, where -trace asked for it. */
static bool sim_text(void *dev, void *mod, const char *what, Str *path, DevError *err)
{
    const SimModule *l = mod;
    (void)dev;
    if (strcmp(what, "trace") != 0 || !l->trace.n || l->trace.bad) {
        *err = dev_no_text(what);
        return false;
    }
    return sdevice_write_file(&l->trace, path, err);
}

const Device sim_device = {
    .open = sim_open,     .close = sim_close, .load = sim_load,   .unload = sim_unload,
    .launch = sim_launch, .flush = sim_flush, .describe = sim_describe,
    .text = sim_text,
};
