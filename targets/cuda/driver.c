/* targets/cuda/driver.c: see driver.h. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gpu/gpu.h"
#include "driver.h"

enum { LeastVersion = 11000 }; /* the oldest driver that is served */

/* The driver ------------------------------------------------------------- */

static const char *const driver_names[] = {"libcuda.so.1", "libcuda.so", NULL};

/* WSL's own folder comes with the Windows driver; the others are where
 * distributions and containers put it. */
static const char *const driver_dirs[] = {
    "/usr/lib/wsl/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64", "/usr/lib", "/usr/lib64/nvidia", "/usr/lib/nvidia", "/usr/local/nvidia/lib64",
    "/run/opengl-driver/lib", NULL
};

typedef struct Entry Entry;
struct Entry { const char *symbols; int since; size_t at; };

static const Entry entry[] = {
#define CUDA_FN(name, symbols, since, args) {symbols, since, offsetof(CudaDriver, name)},
    CUDA_FNS
#undef CUDA_FN
};

/* Fills the table; the first entry that must be there and is not. */
static const Entry *bind(CudaDriver *u)
{
    for (size_t i = 0; i < COUNT(entry); i++) {
        void *p = gpu_symbol(u->handle, "", entry[i].symbols);
        if (!p && entry[i].since)
            return &entry[i];
        memcpy((char *)u + entry[i].at, &p, sizeof p); /* dlsym's way to a function */
    }
    return NULL;
}

static char *not_found(const Str *looked)
{
    return dev_error("@cuda_no_driver" DEV_SEP "%s", looked->s ? looked->s : "libcuda.so.1");
}

static char *too_old(int has, int needs, const char *what)
{
    return dev_error("@cuda_old_driver" DEV_SEP "%d.%d" DEV_SEP "%d.%d" DEV_SEP "%s", has / 1000,
                     has % 1000 / 10, needs / 1000, needs % 1000 / 10, what);
}

const char *driver_error(const CudaDriver *u, CUresult r)
{
    const char *s = NULL;
    if (u->GetErrorName && u->GetErrorName(r, &s) == CUok && s)
        return s;
    return "CUDA_ERROR";
}

/* Why cuInit() refused. */
static char *init_failed(const CudaDriver *u, CUresult r)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    switch (r) {
    case CUno_device:
        return dev_error("@cuda_no_device" DEV_SEP "%s%s%s", u->path,
                         visible ? "; CUDA_VISIBLE_DEVICES=" : "", visible ? visible : "");
    case CUstub_library:
        return dev_error("@cuda_stub" DEV_SEP "%s", u->path);
    case CUdriver_mismatch:
        return dev_error("@cuda_mismatch" DEV_SEP "%s", u->path);
    default:
        return dev_error("@cuda_init" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%d", u->path,
                         driver_error(u, r), r);
    }
}

char *driver_open(CudaDriver *u)
{
    Str looked = {0};
    int version = 0;
    *u = (CudaDriver){0};
    GpuLibrary lib = {.env = "MOONTILE_CUDA_LIB", .names = driver_names, .then = driver_dirs};
    u->handle = gpu_dlopen(&lib, u->path, sizeof u->path, &looked);
    char *err = u->handle ? NULL : not_found(&looked);
    str_free(&looked);
    if (err)
        return err;
    const Entry *missing = bind(u);
    if (u->DriverGetVersion)
        u->DriverGetVersion(&version);
    u->version = version;
    if (missing || version < LeastVersion) {
        int needs = missing && missing->since > LeastVersion ? missing->since : LeastVersion;
        return too_old(version, needs, missing ? missing->symbols : u->path);
    }
    CUresult r = u->Init(0);
    return r == CUok ? NULL : init_failed(u, r);
}

/* NVML ------------------------------------------------------------------- */

enum { NvmlSm = 1 }; /* NVML_CLOCK_SM */

void nvml_open(Nvml *n, const CUuuid *uuid)
{
    static const char *const names[] = {"libnvidia-ml.so.1", "libnvidia-ml.so", NULL};
    char text[48], *s = text;
    Str looked = {0};
    int (*init)(void) = NULL, (*by_uuid)(const char *, void **) = NULL;
    void *p;
    *n = (Nvml){0};
    GpuLibrary lib = {.env = "MOONTILE_NVML_LIB", .names = names, .then = driver_dirs};
    n->handle = gpu_dlopen(&lib, NULL, 0, &looked);
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
        s += sprintf(s, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid->b[i]);
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
