/* targets/wave/memory.c: device twins of host memory, and copies between them.
 *
 * Copies are left to the run-time, which brings ordinary memory to the device through
 * pinned buffers of its own. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

char *wave_full(Wave *d, const char *row, size_t bytes)
{
    size_t left = 0, total = 0;
    char a[32], b[32], c[32];
    d->cu.MemGetInfo(&left, &total);
    return dev_error("@%s" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s", row,
                     bytes ? gpu_bytes((double)bytes, a) : "more", gpu_bytes((double)left, b),
                     gpu_bytes((double)total, c));
}

WaveResult wave_alloc(Wave *d, void **at, size_t bytes)
{
    size_t left = 0, total = 0;
    WaveResult r = d->cu.Malloc(at, bytes);
    if (!wave_is_full(d, r))
        return r;
    if (gpu_blocks_empty(&d->blocks))
        r = d->cu.Malloc(at, bytes);
    d->cu.MemGetInfo(&left, &total);
    while (wave_is_full(d, r) && bytes <= total && wave_patience(d))
        r = d->cu.Malloc(at, bytes);
    if (r != WaveOk && d->cu.GetLastError)
        d->cu.GetLastError(); /* nobody shall find it later */
    return r;
}

/* Without a fill of its own: from zeros of the host's. */
static WaveResult copy_zeros(Wave *d, char *at, size_t n)
{
    enum { Piece = 1 << 16 };
    char *zeros = calloc(1, Piece);
    WaveResult r = WaveOk;
    for (size_t k = 0; zeros && k < n && r == WaveOk; k += Piece)
        r = d->cu.Memcpy(at + k, zeros, n - k < Piece ? n - k : Piece, WaveToDevice);
    free(zeros);
    return zeros ? r : 1;
}

WaveResult wave_zero(Wave *d, void *at, size_t n)
{
    if (d->cu.MemsetAsync)
        return d->cu.MemsetAsync(at, 0, n, NULL);
    return d->cu.Memset ? d->cu.Memset(at, 0, n) : copy_zeros(d, at, n);
}

/* Twins ---------------------------------------------------------------------- */

void *wave_mem_new(void *dev, void *host, size_t bytes, char **err)
{
    Wave *d = dev;
    size_t want = bytes ? bytes : 1;
    (void)host;
    if (!wave_here(d, err))
        return NULL;
    void *at = (void *)(uintptr_t)gpu_blocks_take(&d->blocks, want);
    WaveResult r = at ? WaveOk : wave_alloc(d, &at, want);
    if (r == WaveOk && !gpu_blocks_add(&d->blocks, (uintptr_t)at, want)) {
        d->cu.Free(at);
        return NULL;
    }
    if (r == WaveOk)
        return at;
    *err = wave_is_full(d, r) ? wave_full(d, "device_full", want) : wave_fault(d, r, "Malloc");
    return NULL;
}

void wave_mem_free(void *dev, void *twin)
{
    Wave *d = dev;
    char *err = NULL;
    if (wave_here(d, &err))
        gpu_blocks_drop(&d->blocks, (uintptr_t)twin);
    free(err); /* the next call says it again */
}

bool wave_mem_zero(void *dev, void *twin, size_t at, size_t n, char **err)
{
    Wave *d = dev;
    if (!wave_here(d, err))
        return false;
    WaveResult r = n ? wave_zero(d, (char *)twin + at, n) : WaveOk;
    if (r == WaveOk)
        r = d->cu.DeviceSynchronize();
    return wave_ok(d, r, "Memset", err);
}

bool wave_mem_put(void *dev, void *twin, const void *host, size_t at, size_t n, char **err)
{
    Wave *d = dev;
    return wave_here(d, err) &&
           (!n || wave_ok(d, d->cu.Memcpy((char *)twin + at, host, n, WaveToDevice), "Memcpy",
                          err));
}

bool wave_mem_get(void *dev, void *twin, void *host, size_t at, size_t n, char **err)
{
    Wave *d = dev;
    return wave_here(d, err) &&
           (!n || wave_ok(d, d->cu.Memcpy(host, (char *)twin + at, n, WaveToHost), "Memcpy",
                          err));
}
