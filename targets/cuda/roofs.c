/* targets/cuda/roofs.c: what the card's memory does at best, measured on it once.
 *
 * Copying and reading buffers far larger than the L2, the best of a few runs: of
 * the driver's own copy, and of a kernel that moves 64 bytes a thread. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device.h"

enum { Threads = 512, Each = 4 /* 16-byte words a thread */, Runs = 6 };
static const size_t Most = (size_t)1 << 30, Least = (size_t)64 << 20; /* bytes of a buffer */

static const char text[] =
    "extern \"C\" __global__ void __launch_bounds__(512)\n"
    "roof_copy(const uint4 *__restrict__ a, uint4 *__restrict__ b)\n"
    "{\n"
    "    unsigned i = blockIdx.x * 2048 + threadIdx.x;\n"
    "    uint4 v[4];\n"
    "    for (int k = 0; k < 4; k++)\n"
    "        v[k] = a[i + k * 512];\n"
    "    for (int k = 0; k < 4; k++)\n"
    "        b[i + k * 512] = v[k];\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(512)\n"
    "roof_read(const uint4 *__restrict__ a, uint4 *__restrict__ b)\n"
    "{\n"
    "    unsigned i = blockIdx.x * 2048 + threadIdx.x, x = 0;\n"
    "    for (int k = 0; k < 4; k++) {\n"
    "        uint4 v = a[i + k * 512];\n"
    "        x |= v.x | v.y | v.z | v.w;\n"
    "    }\n"
    "    if (x)\n" /* the buffer holds zeros: never, but nobody knows */
    "        b[0] = make_uint4(x, x, x, x);\n"
    "}\n";

typedef struct Roof Roof;
struct Roof { CUdeviceptr a, b; size_t bytes; CUmodule mod; CUfunction copy, read; };

/* What is timed; kind 0: the driver's copy, 1 and 2: the kernels. */
static CUresult once(Cuda *d, const Roof *f, int kind)
{
    CUdeviceptr a = f->a, b = f->b;
    void *param[] = {&a, &b};
    unsigned blocks = (unsigned)(f->bytes / ((size_t)Threads * Each * 16));
    if (kind == 0)
        return d->cu.MemcpyDtoDAsync(b, a, f->bytes, d->stream);
    return d->cu.LaunchKernel(kind == 1 ? f->copy : f->read, blocks, 1, 1, Threads, 1, 1, 0,
                              d->stream, param, NULL);
}

/* 1e9 bytes a second, of the best run. */
static CUresult rate(Cuda *d, const Roof *f, int kind, double *best)
{
    double bytes = (double)f->bytes * (kind == 2 ? 1 : 2);
    CUresult r = CUok;
    for (int i = 0; i < Runs && r == CUok; i++) {
        float ms = 0;
        r = d->cu.EventRecord(d->begin, d->stream);
        r = r == CUok ? once(d, f, kind) : r;
        r = r == CUok ? d->cu.EventRecord(d->end, d->stream) : r;
        r = r == CUok ? d->cu.EventSynchronize(d->end) : r;
        r = r == CUok ? d->cu.EventElapsedTime(&ms, d->begin, d->end) : r;
        if (r == CUok && i && ms > 0 && bytes / ms * 1e-6 > *best)
            *best = bytes / ms * 1e-6;
    }
    return r;
}

static bool open_roof(Cuda *d, Roof *f, char **err)
{
    size_t left = 0, total = 0;
    CudaCode c;
    bool ok = cuda_code(d, text, &c, err) && cuda_load_code(d, &c, &f->mod, err);
    cuda_code_free(&c);
    if (!ok)
        return false;
    d->cu.MemGetInfo(&left, &total);
    f->bytes = Most;
    while (f->bytes > left / 4 && f->bytes > Least)
        f->bytes /= 2;
    CUresult r = d->cu.ModuleGetFunction(&f->copy, f->mod, "roof_copy");
    r = r == CUok ? d->cu.ModuleGetFunction(&f->read, f->mod, "roof_read") : r;
    r = r == CUok ? cuda_alloc(d, &f->a, f->bytes) : r;
    r = r == CUok ? cuda_alloc(d, &f->b, f->bytes) : r;
    r = r == CUok ? d->cu.MemsetD8Async(f->a, 0, f->bytes, d->stream) : r;
    return cuda_ok(d, r, NULL, "cuMemAlloc", err);
}

static bool measure(Cuda *d, CudaRoofs *out, char **err)
{
    Roof f = {.bytes = 0};
    bool ok = open_roof(d, &f, err);
    CUresult r = ok ? rate(d, &f, 0, &out->copy) : CUok;
    r = ok && r == CUok ? rate(d, &f, 1, &out->copy) : r;
    r = ok && r == CUok ? rate(d, &f, 2, &out->read) : r;
    ok = ok && cuda_ok(d, r, NULL, "cuLaunchKernel", err);
    if (f.a)
        d->cu.MemFree(f.a);
    if (f.b)
        d->cu.MemFree(f.b);
    if (f.mod)
        d->cu.ModuleUnload(f.mod);
    return ok;
}

/* The cache: one entry a card and driver ------------------------------------- */

static Hash key_of(const Cuda *d)
{
    char driver[80] = "";
    Hash h = {0x726f6f66, sizeof text};
    nvml_driver(&d->ml, driver, sizeof driver);
    h = hash_bytes(h, &d->is.uuid, sizeof d->is.uuid);
    h = hash_bytes(h, &d->cu.version, sizeof d->cu.version);
    h = hash_bytes(h, driver, strlen(driver));
    return hash_bytes(h, text, sizeof text);
}

static bool recall(Cuda *d, CudaRoofs *out)
{
    Str path = {0};
    bool ok = cache_get(&d->cache, key_of(d), "roofs", &path);
    FILE *f = ok ? fopen(path.s, "re") : NULL;
    ok = f && fscanf(f, "copy %lf read %lf", &out->copy, &out->read) == 2;
    if (f)
        fclose(f);
    str_free(&path);
    return ok;
}

static void keep(Cuda *d, const CudaRoofs *r)
{
    Str temp = {0}, path = {0};
    cache_temp(&d->cache, "roofs", &temp);
    FILE *f = temp.bad ? NULL : fopen(temp.s, "we");
    bool ok = f && fprintf(f, "copy %.1f read %.1f\n", r->copy, r->read) > 0;
    if (f && (fclose(f) != 0 || !ok))
        unlink(temp.s);
    else if (f)
        cache_put(&d->cache, key_of(d), "roofs", temp.s, &path);
    str_free(&temp);
    str_free(&path);
}

bool cuda_roofs(Cuda *d, CudaRoofs *out, char **err)
{
    if (d->roofs.copy <= 0 && !recall(d, &d->roofs)) {
        CudaRoofs r = {0, 0};
        if (!measure(d, &r, err))
            return false;
        d->roofs = r;
        keep(d, &r);
    }
    *out = d->roofs;
    return true;
}
