/* targets/gpu/faults.c: what the driver's errors mean, as messages. */
#include <string.h>

#include "device.h"
#include "err/gpu.h"
#include "err/room.h"

/* They are told apart by their names, which the vendors with HIP's interface have alike
 * behind their prefixes: the numbers of one of them are not known. */
const GpuFault gpu_runtime_faults[] = {
    {0, 0, "ErrorIllegalAddress", GFkernel, DEV_ROW(1, E_gpu_illegal_address), false},
    {0, 0, "ErrorMisalignedAddress", GFkernel, DEV_ROW(1, E_gpu_misaligned), false},
    {0, 0, "ErrorIllegalInstruction", GFkernel, DEV_ROW(1, E_gpu_illegal_instruction), false},
    {0, 0, "ErrorLaunchFailure", GFkernel, DEV_ROW(1, E_gpu_trap), false},
    {0, 0, "ErrorAssert", GFkernel, DEV_ROW(1, E_gpu_trap), false},
    {0, 0, "ErrorLaunchTimeOut", GFkernel, DEV_ROW(1, E_gpu_watchdog), false},
    {0, 0, "ErrorECCNotCorrectable", GFkernel, DEV_ROW(1, E_gpu_uncorrected), false},
    {0, 0, "ErrorNoDevice", GFno_device, {0}, false},
    {0, 0, "ErrorInvalidDevice", GFlost, {0}, false},
    {0, 0, "ErrorContextIsDestroyed", GFlost, {0}, false},
    {0, 0, "ErrorUnknown", GFlost, {0}, false},
    {0, 0, "ErrorDeinitialized", GFlost, {0}, false},
    {0, 0, "ErrorNotInitialized", GFlost, {0}, false},
    {0, 0, "ErrorOperatingSystem", GFlost, {0}, false},
    {0, 0, "ErrorRuntimeOther", GFlost, {0}, false},
    {0, 0, "ErrorOutOfMemory", GFfull, {0}, false},
    {0, 0, "ErrorMemoryAllocation", GFfull, {0}, false},
    {-1, 0, NULL, GFlost, {0}, false}
};

const GpuRows gpu_runtime_rows = {GPU_ROWS(gpu)};

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

bool gpu_fault_ends(const GpuDriver *u, GpuResult r)
{
    const GpuFault *f = gpu_fault_of(u, r);
    return f && (f->kind == GFkernel || f->kind == GFlost || f->kind == GFno_device);
}

/* Resources that a block of m asks for, of the kernel that asks for most. */
static DevError resources(const Gpu *d, const GpuModule *m)
{
    const PlanLaunch *l = m->g.kernel[0].l;
    const GpuFunction *k = &m->fn[0];
    for (int i = 1; i < m->g.plan->nlaunch; i++)
        if ((int64_t)m->g.kernel[i].l->threads * m->fn[i].regs > (int64_t)l->threads * k->regs) {
            l = m->g.kernel[i].l;
            k = &m->fn[i];
        }
    return dev_error_row(d->v->rows->resources, l->threads, k->regs,
                         (int64_t)l->shared + k->statics);
}

DevError gpu_fault(Gpu *d, GpuResult r, const GpuModule *m, enum GpuCall call)
{
    if (r == GpuOk)
        return DEV_NO_ERROR;
    const GpuRows *rows = d->v->rows;
    const GpuFault *f = gpu_fault_of(&d->cu, r);
    const char *name = gpu_error(&d->cu, r);
    char at[64];
    gpu_call_name(&d->cu, call, at);
    if (f && f->kind == GFkernel)
        return dev_lost(dev_error_row(f->row, name));
    if (f && (f->kind == GFlost || f->kind == GFno_device))
        return dev_lost(dev_error_row(rows->lost, at, name, gpu_error_number(r), d->v->tool));
    if (f && f->kind == GFfull)
        return gpu_full(d, false, 0);
    if (f && f->kind == GFresources && m && m->g.plan && m->g.plan->nlaunch)
        return resources(d, m);
    return dev_error_row(rows->failed, at, name, gpu_error_number(r), d->v->tool,
                         d->v->product);
}

bool gpu_ok(Gpu *d, GpuResult r, const GpuModule *m, enum GpuCall call, DevError *err)
{
    if (r == GpuOk)
        return true;
    *err = gpu_fault(d, r, m, call);
    return false;
}

DevError gpu_full(const Gpu *d, bool workspaces, size_t bytes)
{
    size_t left = 0, total = 0;
    char a[32], b[32], c[32];
    d->cu.MemGetInfo(&left, &total);
    const char *asked = bytes ? gpu_bytes((double)bytes, a) : "more";
    const char *have = gpu_bytes((double)left, b), *all = gpu_bytes((double)total, c);
    return workspaces ? dev_error(E_gpu_workspace, asked, have, all)
                      : dev_error(E_device_full, asked, have, all);
}
