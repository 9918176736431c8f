/* targets/cuda/card.c: what is beside the driver's attributes of a card: its number, NVML. */
#include <stdlib.h>

#include "cuda.h"
#include "nvml.h"

DevError cuda_ask(Gpu *d)
{
    GpuResult r = d->cu.DeviceGetUuid(d->is.uuid, d->dev);
    return gpu_fault(d, r, NULL, GCDeviceGetUuid);
}

void cuda_opened(Gpu *d)
{
    d->own = calloc(1, sizeof(Nvml));
    if (d->own)
        nvml_open(d->own, d->is.uuid);
}

void cuda_closed(Gpu *d)
{
    if (d->own)
        nvml_close(d->own);
    free(d->own);
}

double cuda_mhz(const Gpu *d) { return d->own ? nvml_mhz(d->own) : 0; }

bool cuda_driver_name(const Gpu *d, char *out, size_t size)
{
    return d->own && nvml_driver(d->own, out, size);
}

void cuda_describe(Gpu *d, Str *out)
{
    const GpuFacts *f = &d->is;
    char bytes[32], l2[32], left[32], driver[80];
    size_t rest = 0, total = 0;
    d->cu.MemGetInfo(&rest, &total);
    str_fmt(out, "GPU: %s\n", f->name);
    str_fmt(out, "compute capability: %d.%d\n", f->major, f->minor);
    str_fmt(out, "multiprocessors: %d\n", f->sms);
    str_fmt(out, "memory: %s, %s free%s\n", gpu_bytes((double)f->total, bytes),
            gpu_bytes((double)rest, left), f->ecc ? ", ECC" : "");
    str_fmt(out, "L2 cache: %s\n", gpu_bytes(f->l2, l2));
    str_fmt(out, "shared memory: %d bytes a block\n", f->shared);
    str_fmt(out, "clock: %.0f MHz at most", f->clock_khz * 1e-3);
    if (cuda_mhz(d) > 0)
        str_fmt(out, ", %.0f MHz now, %.0f W", cuda_mhz(d), nvml_watts(d->own));
    str_fmt(out, "\ndriver: CUDA %d.%d", d->cu.version / 1000, d->cu.version % 1000 / 10);
    if (cuda_driver_name(d, driver, sizeof driver))
        str_fmt(out, " (%s)", driver);
    str_fmt(out, ", %s\n", d->cu.path);
}
