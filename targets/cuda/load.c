/* targets/cuda/load.c: thread program -> kernels on the GPU.
 *
 * The program comes as text of the IR; it is printed as CUDA C++ here once more,
 * so that parameters, tensor maps and grids never pass through that text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* Code -> kernels ---------------------------------------------------------- */

enum { JitErrorLog = 5, JitErrorBytes = 6 }; /* CU_JIT_ERROR_LOG_BUFFER .. */

bool cuda_load_code(Cuda *d, const CudaCode *c, CUmodule *mod, char **err)
{
    char log[2048] = "";
    int option[2] = {JitErrorLog, JitErrorBytes};
    void *value[2] = {log, (void *)(uintptr_t)sizeof log};
    CUresult r = d->cu.ModuleLoadDataEx(mod, c->code.s, c->ptx ? 2 : 0, option, value);
    const char *name = driver_error(&d->cu, r);
    if (r == CUok)
        return true;
    bool image = r == CUinvalid_image || r == CUno_binary || r == CUunsupported_ptx ||
                 r == CUinvalid_ptx || r == CUno_jit;
    if (image && d->rtc.version / 1000 > d->cu.version / 1000)
        *err = dev_error("@cuda_newer_code" DEV_SEP "%d.%d" DEV_SEP "%s" DEV_SEP "%s",
                         d->cu.version / 1000, d->cu.version % 1000 / 10, d->rtc.name, name);
    else if (image || log[0])
        *err = dev_error("@cuda_load" DEV_SEP "cuModuleLoadDataEx" DEV_SEP "%s%s%s", name,
                         log[0] ? ": " : "", log);
    else
        *err = cuda_fault(d, r, NULL, "cuModuleLoadDataEx");
    return false;
}

/* The attributes of a kernel, and leave to use all of the shared memory it wants. */
static bool settle(Cuda *d, CudaModule *m, CudaKernel *k, char **err)
{
    const PlanLaunch *l = k->l;
    const CudaDriver *u = &d->cu;
    const struct { int attr; int *to; } get[] = {
        {CUFregs, &k->regs}, {CUFlocal, &k->local}, {CUFshared, &k->statics},
        {CUFconst, &k->constants}, {CUFmax_threads, &k->max_threads},
    };
    CUresult r = u->ModuleGetFunction(&k->fn, m->mod, l->name);
    for (size_t i = 0; i < COUNT(get) && r == CUok; i++)
        r = u->FuncGetAttribute(get[i].to, get[i].attr, k->fn);
    if (r == CUok && l->shared + k->statics > d->is.shared_optin) {
        *err = dev_error("@gpu_shared" DEV_SEP "%lld" DEV_SEP "%d" DEV_SEP "%s",
                         (long long)l->shared + k->statics, d->is.shared_optin, d->is.name);
        return false;
    }
    if (r == CUok && l->threads > k->max_threads) {
        *err = dev_error("@cuda_threads" DEV_SEP "%d" DEV_SEP "%d" DEV_SEP "%d", l->threads,
                         k->max_threads, k->regs);
        return false;
    }
    if (r == CUok && l->shared > 0)
        r = u->FuncSetAttribute(k->fn, CUFmax_dynamic_shared, (int)l->shared);
    if (r == CUok && l->cluster[0] * l->cluster[1] * l->cluster[2] > 8)
        r = u->FuncSetAttribute(k->fn, CUFnonportable_cluster, 1);
    if (r == CUok)
        r = u->Occupancy(&k->blocks_sm, k->fn, l->threads, (size_t)l->shared);
    return cuda_ok(d, r, m, "cuFuncGetAttribute", err);
}

/* Without a driver the compiler's own figures have to do. */
static void figures(const CudaModule *m, CudaKernel *k)
{
    int regs = gpu_code_figure(&m->code.info, k->l->name, "regs");
    int stack = gpu_code_figure(&m->code.info, k->l->name, "stack");
    k->regs = regs > 0 ? regs : 0;
    k->local = stack > 0 ? stack : 0;
}

static bool kernels(Cuda *d, CudaModule *m, char **err)
{
    m->kernel = calloc((size_t)m->g.plan->nlaunch + 1, sizeof *m->kernel);
    if (!m->kernel)
        return false;
    for (int i = 0; i < m->g.plan->nlaunch; i++)
        m->kernel[i].l = m->g.kernel[i].l;
    if (!d->cu.handle) {
        for (int i = 0; i < m->g.plan->nlaunch; i++)
            figures(m, &m->kernel[i]);
        return true;
    }
    if (!m->g.plan->nlaunch)
        return true;
    if (!cuda_load_code(d, &m->code, &m->mod, err))
        return false;
    for (int i = 0; i < m->g.plan->nlaunch; i++)
        if (!settle(d, m, &m->kernel[i], err))
            return false;
    return true;
}

/* Modules ------------------------------------------------------------------ */

void cuda_unload(void *dev, void *mod)
{
    Cuda *d = dev;
    CudaModule *m = mod;
    if (m->vendor)
        vendor_unload(d, m->vendor);
    cuda_unbind(d, m);
    if (m->mod)
        d->cu.ModuleUnload(m->mod);
    free(m->kernel);
    cuda_code_free(&m->code);
    str_free(&m->source);
    gpu_free(&m->g);
    free(m->name);
    free(m);
}

static bool build(Cuda *d, CudaModule *m, const char *path, char **err)
{
    if (!gpu_read(&m->g, path, err))
        return false;
    if (!emit_program(m->g.plan, &cuda_dialect, d->opt.fast_math, &m->source) || m->source.bad) {
        *err = dev_message(&m->g.p->ctx);
        return false;
    }
    return cuda_code(d, m->source.s ? m->source.s : "", &m->code, err) &&
           kernels(d, m, err) && (!d->cu.handle || cuda_bind(d, m, err));
}

void *cuda_load(void *dev, const char *path, const char *name, char **err)
{
    static const char vendor[] = "vendor:";
    Cuda *d = dev;
    CudaModule *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->name = strdup(name);
    bool ok = m->name != NULL;
    if (ok && strncmp(path, vendor, sizeof vendor - 1) == 0)
        ok = (m->vendor = vendor_load(d, path + sizeof vendor - 1, err)) != NULL;
    else if (ok)
        ok = build(d, m, path, err);
    if (ok)
        return m;
    cuda_unload(d, m);
    return NULL;
}

/* Facts -------------------------------------------------------------------- */

static void add_fact(Str *out, const char *prefix, const char *name, long long v)
{
    str_fmt(out, "%s%s %lld\n", prefix, name, v);
}

static void kernel_facts(const CudaModule *m, const CudaKernel *k, const char *prefix, Str *out)
{
    int spill = gpu_code_figure(&m->code.info, k->l->name, "spill");
    str_fmt(out, "%sname %s\n", prefix, k->l->name);
    add_fact(out, prefix, "regs", k->regs);
    if (spill >= 0)
        add_fact(out, prefix, "spill", spill);
    add_fact(out, prefix, "local", k->local);
    add_fact(out, prefix, "shared", k->l->shared + k->statics);
    add_fact(out, prefix, "threads", k->l->threads);
    if (!m->mod)
        return;
    add_fact(out, prefix, "const", k->constants);
    add_fact(out, prefix, "max_threads", k->max_threads);
    add_fact(out, prefix, "blocks_per_sm", k->blocks_sm);
}

/* Of several kernels the one that uses most registers stands for all. */
static const CudaKernel *largest(const CudaModule *m)
{
    const CudaKernel *k = &m->kernel[0];
    for (int i = 1; i < m->g.plan->nlaunch; i++)
        if (m->kernel[i].regs > k->regs)
            k = &m->kernel[i];
    return k;
}

void cuda_module_facts(void *dev, void *mod, Str *out)
{
    const Cuda *d = dev;
    const CudaModule *m = mod;
    char prefix[32];
    if (m->vendor) {
        vendor_facts(m->vendor, out);
        return;
    }
    int n = m->g.plan->nlaunch;
    str_fmt(out, "kernels %d\n", n);
    if (n)
        kernel_facts(m, largest(m), "", out);
    for (int i = 0; n > 1 && i < n; i++) {
        snprintf(prefix, sizeof prefix, "kernel_%d.", i + 1);
        kernel_facts(m, &m->kernel[i], prefix, out);
    }
    str_fmt(out, "arch %s\n", d->opt.arch);
    str_fmt(out, "compile_ms %.1f\n", m->code.ms);
    add_fact(out, "", "cached", m->code.cached);
    add_fact(out, "", m->code.ptx ? "ptx_bytes" : "cubin_bytes", (long long)m->code.code.n);
    if (m->code.ptx) /* the compiler did not know the chip: the driver finished it */
        str_puts(out, "jit 1\n");
    for (const char *s = m->code.info.s; s && *s;) { /* compiler, target, warnings */
        size_t k = strcspn(s, "\n");
        if (strncmp(s, "kernel ", 7) != 0)
            str_fmt(out, "%.*s\n", (int)k, s);
        s += k + (s[k] == '\n');
    }
}
