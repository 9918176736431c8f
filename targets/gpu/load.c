/* targets/gpu/load.c: thread program -> kernels on the GPU.
 *
 * The program comes as text of the IR; it is printed in the vendor's dialect here once
 * more, so that parameters and grids never pass through that text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* Kernels -------------------------------------------------------------------- */

static bool too_much(Gpu *d, const PlanLaunch *l, const GpuFunction *k, char **err)
{
    int64_t shared = l->shared + (k->statics > 0 ? k->statics : 0);
    bool less = k->max_threads > 0 && k->max_threads < d->is.max_threads;
    int most = less ? k->max_threads : d->is.max_threads;
    if (shared > d->is.shared)
        *err = dev_error("@gpu_shared" DEV_SEP "%lld" DEV_SEP "%d" DEV_SEP "%s", (long long)shared,
                         d->is.shared, d->is.name);
    else if (l->threads > most)
        *err = dev_error("@gpu_threads" DEV_SEP "%d" DEV_SEP "%d" DEV_SEP "%s", l->threads, most,
                         d->is.name);
    return *err != NULL;
}

/* The attributes of a kernel, where they can be asked; the compiler's figures else. */
static bool settle(Gpu *d, GpuModule *m, int i, char **err)
{
    GpuFunction *k = &m->kernel[i];
    const PlanLaunch *l = m->g.kernel[i].l;
    const GpuDriver *u = &d->cu;
    const struct { int attr; int *to; } get[] = {
        {GpuFregs, &k->regs}, {GpuFlocal, &k->local}, {GpuFshared, &k->statics},
        {GpuFmax_threads, &k->max_threads},
    };
    if (!gpu_ok(d, u->ModuleGetFunction(&k->fn, m->mod, l->name), "ModuleGetFunction", err))
        return false;
    for (size_t j = 0; j < COUNT(get) && d->v->attributes && u->FuncGetAttribute; j++) {
        int n = -1;
        if (u->FuncGetAttribute(&n, get[j].attr, k->fn) == GpuOk)
            *get[j].to = n;
    }
    if (too_much(d, l, k, err))
        return false;
    if (u->Occupancy && u->Occupancy(&k->blocks_sm, k->fn, l->threads, (size_t)l->shared) != GpuOk)
        k->blocks_sm = -1;
    return true;
}

/* Code of the cache that does not load is made once more: what was kept may never have been
 * right. */
static bool load_code(Gpu *d, GpuModule *m, char **err)
{
    GpuResult r = d->cu.ModuleLoadData(&m->mod, m->code.code.s);
    bool other = gpu_is_full(d, r) || gpu_is(d, r, "ErrorNoDevice"); /* than the code's fault */
    if (r != GpuOk && !other && m->code.cached) {
        if (!gpu_code_again(d, m->source.s ? m->source.s : "", &m->code, err))
            return false;
        r = d->cu.ModuleLoadData(&m->mod, m->code.code.s);
    }
    if (r == GpuOk)
        return true;
    m->mod = NULL;
    if (other)
        return gpu_ok(d, r, "ModuleLoadData", err);
    *err = dev_error("@cuda_load" DEV_SEP "%sModuleLoadData" DEV_SEP "%s", d->v->prefix,
                     gpu_error(&d->cu, r));
    return false;
}

static bool kernels(Gpu *d, GpuModule *m, char **err)
{
    int n = m->g.plan->nlaunch;
    m->kernel = calloc((size_t)n + 1, sizeof *m->kernel);
    if (!m->kernel)
        return false;
    for (int i = 0; i < n; i++)
        m->kernel[i] = (GpuFunction){
            .regs = gpu_code_figure(&m->code.info, m->g.kernel[i].l->name, "regs"),
            .local = gpu_code_figure(&m->code.info, m->g.kernel[i].l->name, "stack"),
            .statics = -1, .max_threads = -1, .blocks_sm = -1};
    if (!d->cu.handle || !n)
        return true;
    if (!load_code(d, m, err))
        return false;
    for (int i = 0; i < n; i++)
        if (!settle(d, m, i, err))
            return false;
    return true;
}

/* Modules -------------------------------------------------------------------- */

void gpu_unload(void *dev, void *mod)
{
    Gpu *d = dev;
    GpuModule *m = mod;
    char *err = NULL;
    bool here = d->cu.handle && gpu_here(d, &err);
    if (here && m->g.pool)
        d->cu.Free((void *)(uintptr_t)m->g.pool);
    if (here && m->mod)
        d->cu.ModuleUnload(m->mod);
    free(err);
    for (int i = 0; m->kernel && i < m->g.plan->nlaunch; i++)
        free(m->kernel[i].buf);
    free(m->kernel);
    gpu_code_free(&m->code);
    str_free(&m->source);
    gpu_free(&m->g);
    free(m->name);
    free(m);
}

static bool build(Gpu *d, GpuModule *m, const char *path, char **err)
{
    if (!gpu_read(&m->g, path, err))
        return false;
    if (!d->v->print(m->g.plan, &d->opt, &m->source) || m->source.bad) {
        *err = dev_message(&m->g.p->ctx);
        return false;
    }
    if ((*err = gpu_probe_refuses(d, m->source.s ? m->source.s : "")) != NULL)
        return false;
    return gpu_code(d, m->source.s ? m->source.s : "", &m->code, err) && kernels(d, m, err) &&
           (!d->cu.handle || gpu_bind_module(d, m, err));
}

void *gpu_load(void *dev, const char *path, const char *name, char **err)
{
    static const char vendor[] = "vendor:";
    Gpu *d = dev;
    if (strncmp(path, vendor, sizeof vendor - 1) == 0) {
        *err = dev_error("@vendor_none" DEV_SEP "%s", path + sizeof vendor - 1);
        return NULL;
    }
    GpuModule *m = gpu_here(d, err) ? calloc(1, sizeof *m) : NULL;
    if (!m)
        return NULL;
    m->name = strdup(name);
    if (m->name && build(d, m, path, err))
        return m;
    gpu_unload(d, m);
    return NULL;
}

/* Facts -------------------------------------------------------------------- */

static void add_fact(Str *out, const char *prefix, const char *name, long long v)
{
    if (v >= 0)
        str_fmt(out, "%s%s %lld\n", prefix, name, v);
}

static void kernel_facts(const GpuModule *m, int i, const char *prefix, Str *out)
{
    const GpuFunction *k = &m->kernel[i];
    const PlanLaunch *l = m->g.kernel[i].l;
    str_fmt(out, "%sname %s\n", prefix, l->name);
    add_fact(out, prefix, "regs", k->regs);
    add_fact(out, prefix, "spill", gpu_code_figure(&m->code.info, l->name, "spill"));
    add_fact(out, prefix, "local", k->local);
    add_fact(out, prefix, "shared", l->shared + (k->statics > 0 ? k->statics : 0));
    add_fact(out, prefix, "threads", l->threads);
    add_fact(out, prefix, "max_threads", k->max_threads);
    add_fact(out, prefix, "blocks_per_sm", k->blocks_sm);
}

/* Of several kernels the one that uses most registers stands for all. */
static int largest(const GpuModule *m)
{
    int most = 0;
    for (int i = 1; i < m->g.plan->nlaunch; i++)
        if (m->kernel[i].regs > m->kernel[most].regs)
            most = i;
    return most;
}

void gpu_facts(void *dev, void *mod, Str *out)
{
    const Gpu *d = dev;
    const GpuModule *m = mod;
    char prefix[32];
    int n = m->g.plan->nlaunch;
    str_fmt(out, "kernels %d\n", n);
    if (n)
        kernel_facts(m, largest(m), "", out);
    for (int i = 0; n > 1 && i < n; i++) {
        snprintf(prefix, sizeof prefix, "kernel_%d.", i + 1);
        kernel_facts(m, i, prefix, out);
    }
    str_fmt(out, "arch %s\n", d->opt.arch->name);
    str_fmt(out, "compile_ms %.1f\n", m->code.ms);
    add_fact(out, "", "cached", m->code.cached);
    add_fact(out, "", "code_bytes", (long long)m->code.code.n);
    for (const char *s = m->code.info.s; s && *s;) { /* compiler, target, warnings */
        size_t k = strcspn(s, "\n");
        if (strncmp(s, "kernel ", 7) != 0)
            str_fmt(out, "%.*s\n", (int)k, s);
        s += k + (s[k] == '\n');
    }
}
