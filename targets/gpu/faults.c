/* targets/gpu/faults.c: what the run-time's errors mean, as messages.
 *
 * They are told apart by their names, which both vendors have alike behind their
 * prefixes: the numbers of one of them are not known. */
#include <stdio.h>
#include <string.h>

#include "device.h"

/* Errors of a kernel that ran.  After these the device is of no use to this process. */
static const struct { const char *name, *row; } fault[] = {
    {"ErrorIllegalAddress", "gpu_illegal_address"},
    {"ErrorMisalignedAddress", "gpu_misaligned"},
    {"ErrorIllegalInstruction", "gpu_illegal_instruction"},
    {"ErrorLaunchFailure", "gpu_trap"}, {"ErrorAssert", "gpu_trap"},
    {"ErrorLaunchTimeOut", "gpu_watchdog"}, {"ErrorECCNotCorrectable", "gpu_uncorrected"},
};

/* Errors of the device or of the run-time itself. */
static const char *const gone[] = {
    "ErrorNoDevice", "ErrorInvalidDevice", "ErrorContextIsDestroyed", "ErrorUnknown",
    "ErrorDeinitialized", "ErrorNotInitialized", "ErrorOperatingSystem", "ErrorRuntimeOther",
};

static const char *const full[] = {"ErrorOutOfMemory", "ErrorMemoryAllocation"};

static const char *fault_row(const char *name)
{
    for (size_t i = 0; i < COUNT(fault); i++)
        if (strcmp(fault[i].name, name) == 0)
            return fault[i].row;
    return NULL;
}

static bool is_gone(const char *name)
{
    for (size_t i = 0; i < COUNT(gone); i++)
        if (strcmp(gone[i], name) == 0)
            return true;
    return false;
}

bool gpu_is(const Gpu *d, GpuResult r, const char *name)
{
    return r != GpuOk && strcmp(gpu_error_name(&d->cu, r), name) == 0;
}

bool gpu_is_full(const Gpu *d, GpuResult r)
{
    for (size_t i = 0; i < COUNT(full); i++)
        if (gpu_is(d, r, full[i]))
            return true;
    return false;
}

char *gpu_fault(Gpu *d, GpuResult r, const char *call)
{
    if (r == GpuOk)
        return NULL;
    const char *name = gpu_error(&d->cu, r), *bare = gpu_error_name(&d->cu, r);
    const char *row = fault_row(bare), *p = d->v->prefix;
    if (row)
        return dev_error("!@%s" DEV_SEP "%s", row, name);
    if (is_gone(bare))
        return dev_error("!@gpu_lost" DEV_SEP "%s%s" DEV_SEP "%s" DEV_SEP "%d" DEV_SEP "%s", p,
                         call, name, r, d->v->tool);
    if (gpu_is_full(d, r))
        return gpu_full(d, "device_full", 0);
    return dev_error("@gpu_failed" DEV_SEP "%s%s" DEV_SEP "%s" DEV_SEP "%d" DEV_SEP "%s" DEV_SEP
                     "%s", p, call, name, r, d->v->tool, d->v->product);
}

bool gpu_ok(Gpu *d, GpuResult r, const char *call, char **err)
{
    if (r == GpuOk)
        return true;
    *err = gpu_fault(d, r, call);
    return false;
}
