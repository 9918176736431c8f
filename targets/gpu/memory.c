/* targets/gpu/memory.c: device copies of host memory. */
#include <stdlib.h>

#include "device.h"

/* The driver's word; an address that is none counts as none. */
static GpuResult ask_memory(const Gpu *d, GpuAddress *at, size_t bytes)
{
    *at = 0;
    GpuResult r = d->cu.MemAlloc(at, bytes);
    return gpu_given(r, *at);
}

GpuResult gpu_alloc(Gpu *d, GpuAddress *at, size_t bytes)
{
    size_t left = 0, total = 0;
    GpuResult r = ask_memory(d, at, bytes);
    if (!gpu_fault_is(&d->cu, r, GFfull))
        return r;
    if (gpu_blocks_empty(&d->blocks))
        r = ask_memory(d, at, bytes);
    d->cu.MemGetInfo(&left, &total);
    while (gpu_fault_is(&d->cu, r, GFfull) && bytes <= total && gpu_patience(d))
        r = ask_memory(d, at, bytes);
    if (r != GpuOk && d->cu.GetLastError)
        d->cu.GetLastError(); /* nobody shall find it later */
    return r;
}

void *gpu_mem_new(void *dev, void *host, size_t bytes, DevError *err)
{
    Gpu *d = dev;
    size_t want = bytes ? bytes : 1;
    (void)host;
    if (!gpu_here(d, err))
        return NULL;
    GpuAddress at = gpu_blocks_take(&d->blocks, want);
    GpuResult r = at ? GpuOk : gpu_alloc(d, &at, want);
    if (r == GpuOk && !gpu_blocks_add(&d->blocks, at, want)) {
        d->cu.MemFree(at);
        return NULL;
    }
    if (r == GpuOk)
        return (void *)(uintptr_t)at;
    *err = gpu_fault_is(&d->cu, r, GFfull) ? gpu_full(d, false, want)
                                           : gpu_fault(d, r, NULL, GCMemAlloc);
    return NULL;
}

void gpu_mem_free(void *dev, void *devcopy)
{
    Gpu *d = dev;
    DevError err = DEV_NO_ERROR;
    if (gpu_here(d, &err))
        gpu_blocks_drop(&d->blocks, (uintptr_t)devcopy);
    dev_error_free(err); /* the next call says it again */
}

bool gpu_mem_zero(void *dev, void *devcopy, size_t at, size_t n, DevError *err)
{
    return gpu_mem_fill(dev, devcopy, at, n, 0, err);
}

bool gpu_mem_fill(void *dev, void *devcopy, size_t at, size_t n, uint64_t fill, DevError *err)
{
    Gpu *d = dev;
    if (!gpu_here(d, err))
        return false;
    enum GpuCall call = gpu_zero_call(&d->cu);
    GpuResult r = n ? gpu_fill(&d->cu, (uintptr_t)devcopy + at, n, fill, &call) : GpuOk;
    if (r == GpuOk)
        r = gpu_wait(&d->cu);
    return gpu_ok(d, r, NULL, call, err);
}

bool gpu_mem_put(void *dev, void *devcopy, const void *host, size_t at, size_t n, DevError *err)
{
    Gpu *d = dev;
    return gpu_here(d, err) && gpu_ok(d, gpu_put(d, (uintptr_t)devcopy + at, host, n), NULL,
                                      gpu_copy_call(d, true), err);
}

bool gpu_mem_get(void *dev, void *devcopy, void *host, size_t at, size_t n, DevError *err)
{
    Gpu *d = dev;
    return gpu_here(d, err) && gpu_ok(d, gpu_get(d, host, (uintptr_t)devcopy + at, n), NULL,
                                      gpu_copy_call(d, false), err);
}
