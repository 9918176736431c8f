/* targets/gpu/side.c: the side buffer's memory.  The host's, which kernels reach, so that it
 * can be read after a fault; where there is none, the device's and a copy. */
#include <stdlib.h>

#include "device.h"

static PlanOut *side_mapped(Gpu *d)
{
    const GpuDriver *u = &d->cu;
    void *p = NULL;
    if (!u->HostGetDevicePointer || !u->MemFreeHost || !(u->MemHostAlloc || u->MallocHost))
        return NULL;
    if (gpu_pinned(u, &p, GpuOutBytes, GpuHostPortable | GpuHostMapped) != GpuOk)
        return NULL;
    d->out_at = 0;
    if (u->HostGetDevicePointer(&d->out_at, p, 0) == GpuOk && d->out_at)
        return p;
    u->MemFreeHost(p);
    return NULL;
}

void gpu_out_close(Gpu *d)
{
    if (!d->out)
        return;
    if (d->out_mapped) {
        d->cu.MemFreeHost(d->out);
    } else {
        d->cu.MemFree(d->out_at);
        free(d->out);
    }
    d->out = NULL;
}

bool gpu_out_open(Gpu *d, DevError *err)
{
    if (d->out)
        return true;
    d->out = side_mapped(d);
    d->out_mapped = d->out != NULL;
    if (!d->out) {
        GpuResult r = gpu_alloc(d, &d->out_at, GpuOutBytes);
        if (r != GpuOk)
            return gpu_ok(d, r, NULL, GCMemAlloc, err);
        d->out = malloc(GpuOutBytes);
        if (!d->out) {
            d->cu.MemFree(d->out_at);
            return false;
        }
    }
    gpu_out_init(d->out);
    if (d->out_mapped || gpu_ok(d, gpu_put(d, d->out_at, d->out, GpuOutBytes), NULL,
                                gpu_copy_call(d, true), err))
        return true;
    gpu_out_close(d); /* the next one begins with what no kernel may find */
    return false;
}

/* Bytes of the records that a run wrote. */
static size_t side_written(const PlanOut *o)
{
    return (size_t)(o->used < o->room ? o->used : o->room) * 4;
}

/* The head, and the records of the run before. */
bool gpu_out_start(Gpu *d, DevError *err)
{
    size_t bytes = sizeof *d->out + side_written(d->out);
    gpu_out_clear(d->out);
    return d->out_mapped || gpu_ok(d, gpu_put(d, d->out_at, d->out, bytes), NULL,
                                   gpu_copy_call(d, true), err);
}

/* What the kernel wrote, where it is the device's. */
GpuResult gpu_out_fetch(Gpu *d)
{
    if (d->out_mapped)
        return GpuOk;
    GpuResult r = gpu_get(d, d->out, d->out_at, sizeof *d->out);
    return r == GpuOk ? gpu_get(d, d->out + 1, d->out_at + sizeof *d->out, side_written(d->out))
                      : r;
}
