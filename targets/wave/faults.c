/* targets/wave/faults.c: what the run-time's errors mean, as messages.
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
    {"ErrorLaunchTimeOut", "gpu_watchdog"}, {"ErrorECCNotCorrectable", "wave_ecc"},
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

bool wave_is(const Wave *d, WaveResult r, const char *name)
{
    return r != WaveOk && strcmp(wave_error_name(&d->cu, r), name) == 0;
}

bool wave_is_full(const Wave *d, WaveResult r)
{
    for (size_t i = 0; i < COUNT(full); i++)
        if (wave_is(d, r, full[i]))
            return true;
    return false;
}

char *wave_fault(Wave *d, WaveResult r, const char *call)
{
    if (r == WaveOk)
        return NULL;
    const char *name = wave_error(&d->cu, r), *bare = wave_error_name(&d->cu, r);
    const char *row = fault_row(bare), *p = d->v->prefix;
    if (row)
        return dev_error("!@%s" DEV_SEP "%s", row, name);
    if (is_gone(bare))
        return dev_error("!@wave_lost" DEV_SEP "%s%s" DEV_SEP "%s" DEV_SEP "%d" DEV_SEP "%s", p,
                         call, name, r, d->v->tool);
    if (wave_is_full(d, r))
        return wave_full(d, "device_full", 0);
    return dev_error("@wave_failed" DEV_SEP "%s%s" DEV_SEP "%s" DEV_SEP "%d" DEV_SEP "%s" DEV_SEP
                     "%s", p, call, name, r, d->v->tool, d->v->product);
}

bool wave_ok(Wave *d, WaveResult r, const char *call, char **err)
{
    if (r == WaveOk)
        return true;
    *err = wave_fault(d, r, call);
    return false;
}
