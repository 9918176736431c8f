/* targets/gpu/load.c: thread program -> kernels on the GPU.
 *
 * The program comes as text of the IR; it is printed in the vendor's dialect here once
 * more, so that parameters and grids never pass through that text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "err/gpu.h"

/* Code -> the driver --------------------------------------------------------- */

enum { JitErrorLog = 5, JitErrorBytes = 6 }; /* CU_JIT_ERROR_LOG_BUFFER .. */
enum { LogBytes = 2048 };

/* log: what the driver said while it finished assembly. */
static GpuResult load_data(const Gpu *d, const GpuCode *c, void **mod, char log[LogBytes])
{
    int option[2] = {JitErrorLog, JitErrorBytes};
    void *value[2] = {log, (void *)(uintptr_t)LogBytes};
    *mod = NULL;
    GpuResult r = d->cu.ModuleLoadDataEx ? d->cu.ModuleLoadDataEx(mod, c->code.s, c->assembly ? 2 : 0,
                                                                option, value)
                                         : d->cu.ModuleLoadData(mod, c->code.s);
    log[LogBytes - 1] = '\0';
    return gpu_given(r, *mod);
}

static DevError not_loaded(const Gpu *d, GpuResult r, const char *log)
{
    const char *name = gpu_error(&d->cu, r);
    enum GpuCall call = d->cu.ModuleLoadDataEx ? GCModuleLoadDataEx : GCModuleLoadData;
    char at[64];
    if (d->v->least && d->rtc.version / 1000 > d->cu.version / 1000)
        return dev_error_row(d->v->rows->newer_code,
                             dev_text("%d.%d", d->cu.version / 1000, d->cu.version % 1000 / 10),
                             d->rtc.name, name);
    return dev_error(E_gpu_load, gpu_call_name(&d->cu, call, at),
                     dev_text("%s%s%s", name, log[0] ? ": " : "", log));
}

/* Is the code to blame for r? */
static bool code_is_bad(const Gpu *d, GpuResult r, const char *log)
{
    if (d->v->api == GPUdriver)
        return log[0] || gpu_fault_is(&d->cu, r, GFcode);
    return !gpu_fault_is(&d->cu, r, GFfull) && !gpu_fault_is(&d->cu, r, GFno_device);
}

static bool gpu_load_loaded(Gpu *d, GpuResult r, const char *log, DevError *err)
{
    if (r == GpuOk)
        return true;
    *err = code_is_bad(d, r, log) ? not_loaded(d, r, log)
           : gpu_fault(d, r, NULL, d->cu.ModuleLoadDataEx ? GCModuleLoadDataEx : GCModuleLoadData);
    return false;
}

bool gpu_load_code(Gpu *d, const GpuCode *c, void **mod, DevError *err)
{
    char log[LogBytes] = "";
    GpuResult r = load_data(d, c, mod, log);
    return gpu_load_loaded(d, r, log, err);
}

/* Code of the cache that does not load is made once more: what was kept may never have been
 * right. */
static bool load_module(Gpu *d, GpuModule *m, DevError *err)
{
    char log[LogBytes] = "";
    GpuResult r = load_data(d, &m->code, &m->mod, log);
    if (r != GpuOk && m->code.cached && code_is_bad(d, r, log)) {
        log[0] = '\0';
        if (!gpu_code_again(d, m->source.s ? m->source.s : "", &m->code, err))
            return false;
        r = load_data(d, &m->code, &m->mod, log);
    }
    if (r != GpuOk)
        m->mod = NULL;
    return gpu_load_loaded(d, r, log, err);
}

/* Kernels -------------------------------------------------------------------- */

static bool gpu_load_too_much(Gpu *d, const PlanLaunch *l, const GpuFunction *k, DevError *err)
{
    int64_t shared = l->shared + (k->statics > 0 ? k->statics : 0);
    bool less = k->max_threads > 0 && k->max_threads < d->is.max_threads;
    int most = less ? k->max_threads : d->is.max_threads;
    if (shared > d->is.shared)
        *err = dev_error(E_gpu_shared, shared, d->is.shared, d->is.name);
    else if (l->threads > most)
        *err = dev_error_row(d->v->rows->threads, l->threads, most, d->is.name, k->regs);
    return err->is != E_none;
}

/* The attributes of a kernel, where they can be asked; the compiler's figures else. */
static GpuResult ask_function(const Gpu *d, GpuFunction *k)
{
    const GpuAttribute *a = d->v->function_attributes;
    for (; a && a->at && d->cu.FuncGetAttribute; a++) {
        int n = -1;
        GpuResult r = d->cu.FuncGetAttribute(&n, a->number, k->fn);
        if (r == GpuOk)
            memcpy((char *)k + a->at, &n, sizeof n);
        else if (d->v->api == GPUdriver) /* which has all of them */
            return r;
    }
    return GpuOk;
}

/* Leave to use all of the shared memory it wants, and large clusters. */
static GpuResult gpu_load_allow(const GpuDriver *u, const PlanLaunch *l, const GpuFunction *k)
{
    GpuResult r = GpuOk;
    if (u->FuncSetAttribute && l->shared > 0)
        r = u->FuncSetAttribute(k->fn, GpuDynamicShared, (int)l->shared);
    if (u->FuncSetAttribute && r == GpuOk && l->cluster[0] * l->cluster[1] * l->cluster[2] > 8)
        r = u->FuncSetAttribute(k->fn, GpuNonportableCluster, 1);
    return r;
}

static bool gpu_load_settle(Gpu *d, GpuModule *m, int i, DevError *err)
{
    GpuFunction *k = &m->fn[i];
    const PlanLaunch *l = m->g.kernel[i].l;
    const GpuDriver *u = &d->cu;
    if (!gpu_ok(d, gpu_function(u, &k->fn, m->mod, l->name), m, GCModuleGetFunction, err) ||
        !gpu_ok(d, ask_function(d, k), m, GCFuncGetAttribute, err) ||
        gpu_load_too_much(d, l, k, err) ||
        !gpu_ok(d, gpu_load_allow(u, l, k), m, GCFuncSetAttribute, err))
        return false;
    if (u->Occupancy && u->Occupancy(&k->blocks_sm, k->fn, l->threads, (size_t)l->shared) != GpuOk)
        k->blocks_sm = -1;
    return true;
}

static bool gpu_load_kernels(Gpu *d, GpuModule *m, DevError *err)
{
    int n = m->g.plan->nlaunch;
    m->fn = calloc((size_t)n + 1, sizeof *m->fn);
    if (!m->fn)
        return false;
    for (int i = 0; i < n; i++)
        m->fn[i] = (GpuFunction){
            .regs = gpu_code_figure(&m->code.info, m->g.kernel[i].l->name, "regs"),
            .local = gpu_code_figure(&m->code.info, m->g.kernel[i].l->name, "stack"),
            .statics = -1, .constants = -1, .max_threads = -1, .blocks_sm = -1};
    if (!d->cu.handle || !n)
        return true;
    if (!load_module(d, m, err))
        return false;
    for (int i = 0; i < n; i++)
        if (!gpu_load_settle(d, m, i, err))
            return false;
    return true;
}

/* Modules -------------------------------------------------------------------- */

void gpu_unload(void *dev, void *mod)
{
    Gpu *d = dev;
    GpuModule *m = mod;
    DevError err = DEV_NO_ERROR;
    bool here = d->cu.handle && gpu_here(d, &err);
    if (m->routine)
        d->v->routines->unload(d, m->routine);
    if (here && m->g.pool)
        d->cu.MemFree(m->g.pool);
    if (here && m->mod)
        d->cu.ModuleUnload(m->mod);
    dev_error_free(err);
    for (int i = 0; m->fn && i < m->g.plan->nlaunch; i++)
        free(m->fn[i].buf);
    free(m->fn);
    free(m->map);
    gpu_code_free(&m->code);
    str_free(&m->source);
    gpu_free(&m->g);
    free(m->name);
    free(m);
}

static bool gpu_load_build(Gpu *d, GpuModule *m, const char *path, DevError *err)
{
    if (!gpu_read(&m->g, path, err))
        return false;
    if (!emit_program(m->g.plan, d->v->dialect, d->opt.fast_math, &m->source) || m->source.bad) {
        *err = dev_error_load(&m->g.p->ctx);
        return false;
    }
    if ((*err = gpu_probe_refuses(d, m->source.s ? m->source.s : "")).is)
        return false;
    if (!gpu_code(d, m->source.s ? m->source.s : "", &m->code, err))
        return false;
    if (d->v->doubtful && d->v->doubtful(&m->code.code))
        gpu_note(d, dev_error_all(E_gpu_doubtful, m->name, d->rtc.name));
    return gpu_load_kernels(d, m, err) && (!d->cu.handle || gpu_bind_module(d, m, err));
}

static bool load_routine(Gpu *d, GpuModule *m, const char *spec, DevError *err)
{
    if (d->v->routines)
        return (m->routine = d->v->routines->load(d, spec, err)) != NULL;
    *err = dev_error(E_vendor_none, spec);
    return false;
}

void *gpu_load(void *dev, const char *path, const char *name, DevError *err)
{
    static const char vendor[] = "vendor:";
    Gpu *d = dev;
    GpuModule *m = gpu_here(d, err) ? calloc(1, sizeof *m) : NULL;
    if (!m)
        return NULL;
    m->name = strdup(name);
    bool routine = strncmp(path, vendor, sizeof vendor - 1) == 0;
    if (m->name && (routine ? load_routine(d, m, path + sizeof vendor - 1, err)
                            : gpu_load_build(d, m, path, err)))
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
    const GpuFunction *k = &m->fn[i];
    const PlanLaunch *l = m->g.kernel[i].l;
    str_fmt(out, "%sname %s\n", prefix, l->name);
    add_fact(out, prefix, "regs", k->regs);
    add_fact(out, prefix, "spill", gpu_code_figure(&m->code.info, l->name, "spill"));
    add_fact(out, prefix, "local", k->local);
    add_fact(out, prefix, "shared", l->shared + (k->statics > 0 ? k->statics : 0));
    add_fact(out, prefix, "threads", l->threads);
    add_fact(out, prefix, "const", k->constants);
    add_fact(out, prefix, "max_threads", k->max_threads);
    add_fact(out, prefix, "blocks_per_sm", k->blocks_sm);
}

/* Of several kernels the one that uses most registers stands for all. */
static int largest(const GpuModule *m)
{
    int most = 0;
    for (int i = 1; i < m->g.plan->nlaunch; i++)
        if (m->fn[i].regs > m->fn[most].regs)
            most = i;
    return most;
}

static void code_facts(const Gpu *d, const GpuCode *c, Str *out)
{
    str_fmt(out, "compile_ms %.1f\n", c->ms);
    add_fact(out, "", "cached", c->cached);
    str_fmt(out, "%s_bytes %zu\n", c->assembly ? d->v->assembly_name : d->v->code_name, c->code.n);
    if (c->assembly) /* the compiler did not know the chip: the driver finished it */
        str_puts(out, "jit 1\n");
    for (const char *s = c->info.s; s && *s;) { /* compiler, target, warnings */
        size_t k = strcspn(s, "\n");
        if (strncmp(s, "kernel ", 7) != 0)
            str_fmt(out, "%.*s\n", (int)k, s);
        s += k + (s[k] == '\n');
    }
}

void gpu_facts(void *dev, void *mod, Str *out)
{
    const Gpu *d = dev;
    const GpuModule *m = mod;
    char prefix[32];
    if (m->routine) {
        d->v->routines->facts(m->routine, out);
        return;
    }
    int n = m->g.plan->nlaunch;
    str_fmt(out, "kernels %d\n", n);
    if (n)
        kernel_facts(m, largest(m), "", out);
    for (int i = 0; n > 1 && i < n; i++) {
        snprintf(prefix, sizeof prefix, "kernel_%d.", i + 1);
        kernel_facts(m, i, prefix, out);
    }
    str_fmt(out, "arch %s\n", d->opt.arch);
    code_facts(d, &m->code, out);
}
