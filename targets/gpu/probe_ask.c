/* targets/gpu/probe_ask.c: the groups of questions, and what they are asked with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "target.h"
#include "err/launch.h"
#include "err/gpu.h"

/* Answers that are no numbers ------------------------------------------------- */

static void say_why(const Probe *p, const char *name, const char *text)
{
    char full[128];
    snprintf(full, sizeof full, "%s.why", name);
    devprobe_is(p->e, full, "%s", text);
}

void probe_why(const Probe *p, const char *name, enum GpuCall call, GpuResult r)
{
    char text[160], at[64];
    snprintf(text, sizeof text, "%s: %s", gpu_call_name(&p->d->cu, call, at),
             gpu_error(&p->d->cu, r));
    say_why(p, name, text);
}

void probe_error(const Probe *p, const char *name, DevError err)
{
    Str s = {0};
    if (!err.is)
        err = dev_error_all(E_memory, "more", "reached");
    dev_error_text(&err, &s);
    say_why(p, name, s.bad ? "@memory" : s.s);
    str_free(&s);
    dev_error_free(err);
}

bool probe_refused(const DevError *err) { return err->is == E_gpu_compile; }

/* Kernels ------------------------------------------------------------------------ */

bool probe_kernel(const Probe *p, const char *name, const char *text, ProbeKernel *k)
{
    Gpu *d = p->d;
    Str all = {0};
    GpuCode code = {.cached = false};
    DevError err = DEV_NO_ERROR;
    *k = (ProbeKernel){.mod = NULL};
    probe_words(d, text, &all);
    bool ok = !all.bad && gpu_code(d, all.s, &code, &err);
    k->compile_ms = code.ms;
    if (ok) {
        double start = clock_ms();
        GpuResult r = d->cu.ModuleLoadData(&k->mod, code.code.s);
        k->load_ms = clock_ms() - start;
        r = r == GpuOk ? gpu_function(&d->cu, &k->fn, k->mod, "probe") : r;
        ok = r == GpuOk;
        if (!ok)
            probe_why(p, name, k->mod ? GCModuleGetFunction : GCModuleLoadData, r);
    } else {
        k->refused = probe_refused(&err);
        probe_error(p, name, err);
    }
    gpu_code_free(&code);
    str_free(&all);
    return ok;
}

enum { MostParams = 8 };

/* All parameters have 8 bytes. */
GpuResult probe_launch(const Probe *p, const ProbeKernel *k, const unsigned grid[3],
                        unsigned threads, unsigned shared, void **param)
{
    const GpuDriver *u = &p->d->cu;
    const intptr_t *key = p->d->v->launch_key;
    char buf[MostParams * 8];
    size_t n = 0;
    for (; param[n / 8]; n += 8)
        memcpy(buf + n, param[n / 8], 8);
    void *extra[] = {(void *)key[0], buf, (void *)key[1], &n, (void *)key[2]};
    bool packed = p->d->opt.packed;
    GpuResult r = gpu_start(p->d, k->fn, grid, threads, shared, packed ? NULL : param,
                            packed ? extra : NULL);
    GpuResult s = gpu_wait(u);
    if (r != GpuOk && u->GetLastError)
        u->GetLastError(); /* nobody shall find it later */
    return r != GpuOk ? r : s;
}

void *probe_memory(const Probe *p, const char *name, size_t n, int fill)
{
    GpuAddress at = 0;
    void *host = malloc(n);
    GpuResult r = host ? p->d->cu.MemAlloc(&at, n) : 1;
    r = gpu_given(r, at);
    if (r == GpuOk) {
        memset(host, fill, n);
        r = gpu_put(p->d, at, host, n);
    }
    free(host);
    if (r == GpuOk)
        return (void *)(uintptr_t)at;
    probe_why(p, name, at ? gpu_copy_call(p->d, true) : GCMemAlloc, r);
    if (at)
        p->d->cu.MemFree(at);
    return NULL;
}

bool probe_fetch(const Probe *p, const char *name, void *host, const void *at, size_t n)
{
    GpuResult r = gpu_get(p->d, host, (uintptr_t)at, n);
    if (r != GpuOk)
        probe_why(p, name, gpu_copy_call(p->d, false), r);
    return r == GpuOk;
}

/* Groups --------------------------------------------------------------------------- */

static const struct { const char *name; void (*ask)(const Probe *p); } group[] = {
    {"basic", probe_basic}, {"packed", probe_packed}, {"mma", probe_mma},
    {"threads", probe_threads}, {"shared", probe_shared}, {"grid", probe_grid},
    {"async", probe_async}, {"rates", probe_rates}, {"attributes", probe_attributes},
};
const char *const gpu_questions[] = {"basic", "packed", "mma", "threads", "shared", "grid", "async",
                                    "rates", "attributes", NULL};

void gpu_ask(const DeviceProbe *e, const Device *device, const char *options, const char *what)
{
    DevError err = DEV_NO_ERROR;
    Probe p = {e, device->open(options, &err)};
    if (!p.d) {
        devprobe_error(e, err);
        return;
    }
    for (size_t i = 0; i < COUNT(group); i++)
        if (strcmp(group[i].name, what) == 0)
            group[i].ask(&p);
    device->close(p.d);
}

bool gpu_devprobe_keep(const Device *device, const char *options, const char *lines, Str *path,
                 DevError *err)
{
    Gpu *d = device->open(options, err);
    if (!d)
        return false;
    bool ok = gpu_probe_store(d, lines);
    if (ok)
        gpu_probe_path(d, path);
    else
        *err = dev_error(E_device_load, d->cache.dir.s ? d->cache.dir.s : "");
    device->close(d);
    return ok;
}

/* Facts ------------------------------------------------------------------------------ */

/* Functions of the library that we can do without, and it lacks. */
static void look_functions(const DeviceProbe *e, const GpuDriver *u)
{
    Str lacks = {0};
    gpu_driver_lacks(u, &lacks);
    if (lacks.n)
        devprobe_is(e, "functions it lacks", "%s", lacks.s);
    str_free(&lacks);
}

static void look_devices(const DeviceProbe *e, const Gpu *d)
{
    int n = 0, version = 0;
    char name[32], text[128];
    if (d->cu.DeviceGetCount(&n) != GpuOk)
        n = 0;
    for (int i = 0; i < n && n > 1; i++) {
        snprintf(name, sizeof name, "GPU %d", i);
        if (d->cu.DeviceGetName(text, (int)sizeof text, i) == GpuOk)
            devprobe_is(e, name, "%s", text);
    }
    if (d->cu.DriverGetVersion && d->cu.DriverGetVersion(&version) == GpuOk)
        devprobe_is(e, "driver", "%d", version);
}

/* The compiler that does not serve now. */
static void look_offline(const DeviceProbe *e, const GpuVendor *v, const GpuDriver *u)
{
    GpuRtc t;
    DevError err = gpu_rtc_open(&t, v, u, "", false);
    if (!err.is) {
        devprobe_is(e, "offline compiler", "%s, %s", t.name, t.tool);
        gpu_rtc_close(&t);
    }
    dev_error_free(err);
}

void gpu_look(const DeviceProbe *e, const GpuVendor *v, void *dev)
{
    Gpu *d = dev;
    GpuDriver u = {.v = v};
    if (d) {
        look_devices(e, d);
        look_functions(e, &d->cu);
        look_offline(e, v, &d->cu);
        return;
    }
    DevError err = gpu_driver_open(&u, v);
    if (!err.is) { /* it is not the library that is missing */
        devprobe_is(e, "library", "%s", u.path);
        look_functions(e, &u);
    }
    dev_error_free(err);
    look_offline(e, v, &u);
}
