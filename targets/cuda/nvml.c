/* targets/cuda/nvml.c: see nvml.h. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cuda.h"
#include "nvml.h"

enum { NvmlSm = 1 }; /* NVML_CLOCK_SM */

void nvml_open(Nvml *n, const unsigned char uuid[16])
{
    static const char *const names[] = {"libnvidia-ml.so.1", "libnvidia-ml.so", NULL};
    char text[48], *s = text;
    Str looked = {0};
    int (*init)(void) = NULL, (*by_uuid)(const char *, void **) = NULL;
    void *p;
    *n = (Nvml){0};
    GpuDirs dirs;
    gpu_dirs_find(&dirs, cuda_vendor.then, (size_t)cuda_vendor.nthen);
    GpuLibrary lib = {.env = "MOONTILE_NVML_LIB", .names = names, .then = gpu_dirs_list(&dirs)};
    n->handle = gpu_dlopen(&lib, NULL, 0, &looked);
    gpu_dirs_free(&dirs);
    str_free(&looked);
    if (!n->handle)
        return;
#define BIND(to, symbols) ((p = gpu_symbol(n->handle, "", symbols)) != NULL && memcpy(&(to), &p, sizeof p))
    bool ok = BIND(init, "nvmlInit_v2 nvmlInit") && BIND(n->shutdown, "nvmlShutdown") &&
              BIND(by_uuid, "nvmlDeviceGetHandleByUUID") &&
              BIND(n->clock, "nvmlDeviceGetClockInfo") &&
              BIND(n->power, "nvmlDeviceGetPowerUsage") &&
              BIND(n->version, "nvmlSystemGetDriverVersion");
#undef BIND
    s += sprintf(s, "GPU-");
    for (int i = 0; i < 16; i++)
        s += sprintf(s, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
    if (ok && init() == 0 && by_uuid(text, &n->device) == 0)
        return;
    dlclose(n->handle);
    *n = (Nvml){0};
}

void nvml_close(Nvml *n)
{
    if (!n->handle)
        return;
    n->shutdown();
    dlclose(n->handle);
    *n = (Nvml){0};
}

double nvml_mhz(const Nvml *n)
{
    unsigned mhz = 0;
    return n->device && n->clock(n->device, NvmlSm, &mhz) == 0 ? mhz : 0;
}

double nvml_watts(const Nvml *n)
{
    unsigned mw = 0;
    return n->device && n->power(n->device, &mw) == 0 ? mw * 1e-3 : 0;
}

bool nvml_driver(const Nvml *n, char *out, size_t size)
{
    return n->device && n->version(out, (unsigned)size) == 0;
}
