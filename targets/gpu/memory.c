/* targets/gpu/memory.c: device twins of host memory, and copies between them.
 *
 * Copies are left to the run-time, which brings ordinary memory to the device through
 * pinned buffers of its own. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

char *gpu_full(Gpu *d, const char *row, size_t bytes)
{
    size_t left = 0, total = 0;
    char a[32], b[32], c[32];
    d->cu.MemGetInfo(&left, &total);
    return dev_error("@%s" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s", row,
                     bytes ? gpu_bytes((double)bytes, a) : "more", gpu_bytes((double)left, b),
                     gpu_bytes((double)total, c));
}

GpuResult gpu_alloc(Gpu *d, void **at, size_t bytes)
{
    size_t left = 0, total = 0;
    GpuResult r = d->cu.Malloc(at, bytes);
    if (!gpu_is_full(d, r))
        return r;
    if (gpu_blocks_empty(&d->blocks))
        r = d->cu.Malloc(at, bytes);
    d->cu.MemGetInfo(&left, &total);
    while (gpu_is_full(d, r) && bytes <= total && gpu_patience(d))
        r = d->cu.Malloc(at, bytes);
    if (r != GpuOk && d->cu.GetLastError)
        d->cu.GetLastError(); /* nobody shall find it later */
    return r;
}

/* Without a fill of its own: from zeros of the host's. */
static GpuResult copy_zeros(Gpu *d, char *at, size_t n)
{
    enum { Piece = 1 << 16 };
    char *zeros = calloc(1, Piece);
    GpuResult r = GpuOk;
    for (size_t k = 0; zeros && k < n && r == GpuOk; k += Piece)
        r = d->cu.Memcpy(at + k, zeros, n - k < Piece ? n - k : Piece, GpuToDevice);
    free(zeros);
    return zeros ? r : 1;
}

GpuResult gpu_zero(Gpu *d, void *at, size_t n)
{
    if (d->cu.MemsetAsync)
        return d->cu.MemsetAsync(at, 0, n, NULL);
    return d->cu.Memset ? d->cu.Memset(at, 0, n) : copy_zeros(d, at, n);
}

/* Twins ---------------------------------------------------------------------- */

void *gpu_mem_new(void *dev, void *host, size_t bytes, char **err)
{
    Gpu *d = dev;
    size_t want = bytes ? bytes : 1;
    (void)host;
    if (!gpu_here(d, err))
        return NULL;
    void *at = (void *)(uintptr_t)gpu_blocks_take(&d->blocks, want);
    GpuResult r = at ? GpuOk : gpu_alloc(d, &at, want);
    if (r == GpuOk && !gpu_blocks_add(&d->blocks, (uintptr_t)at, want)) {
        d->cu.Free(at);
        return NULL;
    }
    if (r == GpuOk)
        return at;
    *err = gpu_is_full(d, r) ? gpu_full(d, "device_full", want) : gpu_fault(d, r, "Malloc");
    return NULL;
}

void gpu_mem_free(void *dev, void *twin)
{
    Gpu *d = dev;
    char *err = NULL;
    if (gpu_here(d, &err))
        gpu_blocks_drop(&d->blocks, (uintptr_t)twin);
    free(err); /* the next call says it again */
}

bool gpu_mem_zero(void *dev, void *twin, size_t at, size_t n, char **err)
{
    Gpu *d = dev;
    if (!gpu_here(d, err))
        return false;
    GpuResult r = n ? gpu_zero(d, (char *)twin + at, n) : GpuOk;
    if (r == GpuOk)
        r = d->cu.DeviceSynchronize();
    return gpu_ok(d, r, "Memset", err);
}

bool gpu_mem_put(void *dev, void *twin, const void *host, size_t at, size_t n, char **err)
{
    Gpu *d = dev;
    return gpu_here(d, err) &&
           (!n || gpu_ok(d, d->cu.Memcpy((char *)twin + at, host, n, GpuToDevice), "Memcpy",
                          err));
}

bool gpu_mem_get(void *dev, void *twin, void *host, size_t at, size_t n, char **err)
{
    Gpu *d = dev;
    return gpu_here(d, err) &&
           (!n || gpu_ok(d, d->cu.Memcpy(host, (char *)twin + at, n, GpuToHost), "Memcpy",
                          err));
}
