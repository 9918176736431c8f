/* targets/cuda/output.c: the side buffer's memory: the host can read it after the
 * context is lost. */
#include "device.h"

bool cuda_out_open(Cuda *d, char **err)
{
    void *p = NULL;
    if (d->out)
        return true;
    CUresult r = d->cu.MemHostAlloc(&p, GpuOutBytes, CUHportable | CUHmapped);
    if (r == CUok)
        r = d->cu.MemHostGetDevicePointer(&d->out_at, p, 0);
    if (r == CUok) {
        d->out = p;
        gpu_out_init(d->out);
    }
    return cuda_ok(d, r, NULL, "cuMemHostAlloc", err);
}

void cuda_out_close(Cuda *d)
{
    if (d->out)
        d->cu.MemFreeHost(d->out);
    d->out = NULL;
}
