/* targets/cuda/faults.c: what the driver's errors mean, as messages. */
#include <stdio.h>
#include <string.h>

#include "device.h"

/* Errors of a kernel that ran.  After these the context answers every call with
 * the same error: only a new process gets a working one. */
static const struct { CUresult r; const char *row; } fault[] = {
    {CUillegal_address, "gpu_illegal_address"}, {CUmisaligned, "gpu_misaligned"},
    {CUillegal_instruction, "gpu_illegal_instruction"}, {CUaddress_space, "gpu_illegal_address"},
    {CUinvalid_pc, "gpu_trap"}, {CUhardware_stack, "gpu_trap"}, {CUlaunch_failed, "gpu_trap"},
    {CUassert, "gpu_trap"}, {CUlaunch_timeout, "gpu_watchdog"}, {CUecc, "gpu_ecc"},
    {CUnvlink, "gpu_ecc"}, {CUcontained, "gpu_ecc"},
};

/* Errors of the GPU or of the driver itself, with the call that said so. */
static const CUresult gone[] = {
    CUdevice_unavailable, CUcontext_destroyed, CUmps_failed, CUmps_last, CUunknown,
    CUsystem_not_ready, CUdriver_mismatch, CUno_device, CUoperating_system,
};

static const char *fault_row(CUresult r)
{
    for (size_t i = 0; i < COUNT(fault); i++)
        if (fault[i].r == r)
            return fault[i].row;
    return NULL;
}

static bool is_gone(CUresult r)
{
    for (size_t i = 0; i < COUNT(gone); i++)
        if (gone[i] == r)
            return true;
    return r > CUmps_failed && r < CUmps_last;
}

bool cuda_sticky(CUresult r) { return fault_row(r) || is_gone(r); }

/* Resources that a block of m asks for, of the kernel that asks for most. */
static char *resources(const CudaModule *m)
{
    const CudaKernel *most = &m->kernel[0];
    for (int i = 1; i < m->g.plan->nlaunch; i++)
        if (m->kernel[i].l->threads * m->kernel[i].regs > most->l->threads * most->regs)
            most = &m->kernel[i];
    return dev_error("@cuda_resources" DEV_SEP "%d" DEV_SEP "%d" DEV_SEP "%lld", most->l->threads,
                     most->regs, (long long)most->l->shared + most->statics);
}

char *cuda_fault(Cuda *d, CUresult r, const CudaModule *m, const char *call)
{
    const char *name = driver_error(&d->cu, r), *row = fault_row(r);
    if (r == CUok)
        return NULL;
    if (row)
        return dev_error("!@%s" DEV_SEP "%s", row, name);
    if (is_gone(r))
        return dev_error("!@cuda_lost" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%d", call, name, r);
    if (r == CUout_of_memory)
        return cuda_full(d, "device_full", 0);
    if (r == CUout_of_resources && m && m->g.plan && m->g.plan->nlaunch)
        return resources(m);
    return dev_error("@cuda_failed" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%d", call, name, r);
}

bool cuda_ok(Cuda *d, CUresult r, const CudaModule *m, const char *call, char **err)
{
    if (r == CUok)
        return true;
    *err = cuda_fault(d, r, m, call);
    return false;
}
