/* targets/gpu/faults.c: what the driver's errors mean, as messages. */
#include <string.h>

#include "device.h"

/* They are told apart by their names, which the vendors with HIP's interface have alike
 * behind their prefixes: the numbers of one of them are not known. */
const GpuFault gpu_runtime_faults[] = {
    {0, 0, "ErrorIllegalAddress", GFkernel, "gpu_illegal_address", false},
    {0, 0, "ErrorMisalignedAddress", GFkernel, "gpu_misaligned", false},
    {0, 0, "ErrorIllegalInstruction", GFkernel, "gpu_illegal_instruction", false},
    {0, 0, "ErrorLaunchFailure", GFkernel, "gpu_trap", false},
    {0, 0, "ErrorAssert", GFkernel, "gpu_trap", false},
    {0, 0, "ErrorLaunchTimeOut", GFkernel, "gpu_watchdog", false},
    {0, 0, "ErrorECCNotCorrectable", GFkernel, "gpu_uncorrected", false},
    {0, 0, "ErrorNoDevice", GFno_device, NULL, false},
    {0, 0, "ErrorInvalidDevice", GFlost, NULL, false},
    {0, 0, "ErrorContextIsDestroyed", GFlost, NULL, false},
    {0, 0, "ErrorUnknown", GFlost, NULL, false},
    {0, 0, "ErrorDeinitialized", GFlost, NULL, false},
    {0, 0, "ErrorNotInitialized", GFlost, NULL, false},
    {0, 0, "ErrorOperatingSystem", GFlost, NULL, false},
    {0, 0, "ErrorRuntimeOther", GFlost, NULL, false},
    {0, 0, "ErrorOutOfMemory", GFfull, NULL, false},
    {0, 0, "ErrorMemoryAllocation", GFfull, NULL, false},
    {-1, 0, NULL, GFlost, NULL, false}
};

const GpuFault *gpu_fault_of(const GpuDriver *u, GpuResult r)
{
    size_t n = strlen(u->v->prefix);
    const char *name = r == GpuOk ? "" : gpu_error(u, r);
    if (strncmp(name, u->v->prefix, n) == 0)
        name += n;
    for (const GpuFault *f = u->v->faults; r != GpuOk && f->from >= 0; f++)
        if (f->name ? strcmp(f->name, name) == 0 : r >= f->from && r <= f->to)
            return f;
    return NULL;
}

bool gpu_fault_is(const GpuDriver *u, GpuResult r, enum GpuFaultKind kind)
{
    const GpuFault *f = gpu_fault_of(u, r);
    return f && f->kind == kind;
}

/* Resources that a block of m asks for, of the kernel that asks for most. */
static char *resources(const Gpu *d, const GpuModule *m)
{
    const PlanLaunch *l = m->g.kernel[0].l;
    const GpuFunction *k = &m->fn[0];
    for (int i = 1; i < m->g.plan->nlaunch; i++)
        if (m->g.kernel[i].l->threads * m->fn[i].regs > l->threads * k->regs) {
            l = m->g.kernel[i].l;
            k = &m->fn[i];
        }
    return dev_error("@%s_resources" DEV_SEP "%d" DEV_SEP "%d" DEV_SEP "%lld", d->v->rows,
                     l->threads, k->regs, (long long)l->shared + k->statics);
}

char *gpu_fault(Gpu *d, GpuResult r, const GpuModule *m, enum GpuCall call)
{
    if (r == GpuOk)
        return NULL;
    const GpuFault *f = gpu_fault_of(&d->cu, r);
    const char *name = gpu_error(&d->cu, r);
    char at[64];
    gpu_call_name(&d->cu, call, at);
    if (f && f->kind == GFkernel)
        return dev_error("!@%s" DEV_SEP "%s", f->row, name);
    if (f && (f->kind == GFlost || f->kind == GFno_device))
        return dev_error("!@%s_lost" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%d" DEV_SEP "%s",
                         d->v->rows, at, name, r, d->v->tool);
    if (f && f->kind == GFfull)
        return gpu_full(d, "device_full", 0);
    if (f && f->kind == GFresources && m && m->g.plan && m->g.plan->nlaunch)
        return resources(d, m);
    return dev_error("@%s_failed" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%d" DEV_SEP "%s" DEV_SEP "%s",
                     d->v->rows, at, name, r, d->v->tool, d->v->product);
}

bool gpu_ok(Gpu *d, GpuResult r, const GpuModule *m, enum GpuCall call, char **err)
{
    if (r == GpuOk)
        return true;
    *err = gpu_fault(d, r, m, call);
    return false;
}

char *gpu_full(const Gpu *d, const char *row, size_t bytes)
{
    size_t left = 0, total = 0;
    char a[32], b[32], c[32];
    d->cu.MemGetInfo(&left, &total);
    return dev_error("@%s" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s", row,
                     bytes ? gpu_bytes((double)bytes, a) : "more", gpu_bytes((double)left, b),
                     gpu_bytes((double)total, c));
}
