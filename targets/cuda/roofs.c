/* targets/cuda/roofs.c: what the card's memory does at best, measured on it once.
 *
 * Copying and reading buffers far larger than the L2, the best of a few runs: of
 * the driver's own copy, and of a kernel that moves 64 bytes a thread. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda.h"

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

/* 1e9 bytes a second. */
typedef struct Rates Rates;
struct Rates { double copy, read; };

typedef struct Roof Roof;
struct Roof { GpuAddress a, b; size_t bytes; void *mod, *copy, *read; };

/* What is timed; kind 0: the driver's copy, 1 and 2: the kernels. */
static GpuResult roofs_once(Gpu *d, const Roof *f, int kind)
{
    GpuAddress a = f->a, b = f->b;
    void *param[] = {&a, &b};
    unsigned blocks = (unsigned)(f->bytes / ((size_t)Threads * Each * 16));
    if (kind == 0)
        return d->cu.MemcpyDtoDAsync(b, a, f->bytes, d->cu.stream);
    return d->cu.LaunchKernel(kind == 1 ? f->copy : f->read, blocks, 1, 1, Threads, 1, 1, 0,
                              d->cu.stream, param, NULL);
}

/* 1e9 bytes a second, of the best run. */
static GpuResult roofs_rate(Gpu *d, const Roof *f, int kind, double *best)
{
    double bytes = (double)f->bytes * (kind == 2 ? 1 : 2);
    GpuResult r = GpuOk;
    for (int i = 0; i < Runs && r == GpuOk; i++) {
        float ms = 0;
        r = d->cu.EventRecord(d->begin, d->cu.stream);
        r = r == GpuOk ? roofs_once(d, f, kind) : r;
        r = r == GpuOk ? d->cu.EventRecord(d->end, d->cu.stream) : r;
        r = r == GpuOk ? d->cu.EventSynchronize(d->end) : r;
        r = r == GpuOk ? gpu_elapsed(&d->cu, &ms, d->begin, d->end) : r;
        if (r == GpuOk && i && ms > 0 && bytes / ms * 1e-6 > *best)
            *best = bytes / ms * 1e-6;
    }
    return r;
}

static bool open_roof(Gpu *d, Roof *f, DevError *err)
{
    size_t left = 0, total = 0;
    GpuCode c;
    bool ok = gpu_code(d, text, &c, err) && gpu_load_code(d, &c, &f->mod, err);
    gpu_code_free(&c);
    if (!ok)
        return false;
    d->cu.MemGetInfo(&left, &total);
    f->bytes = Most;
    while (f->bytes > left / 4 && f->bytes > Least)
        f->bytes /= 2;
    GpuResult r = gpu_function(&d->cu, &f->copy, f->mod, "roof_copy");
    r = r == GpuOk ? gpu_function(&d->cu, &f->read, f->mod, "roof_read") : r;
    r = r == GpuOk ? gpu_alloc(d, &f->a, f->bytes) : r;
    r = r == GpuOk ? gpu_alloc(d, &f->b, f->bytes) : r;
    r = r == GpuOk ? d->cu.MemsetD8Async(f->a, 0, f->bytes, d->cu.stream) : r;
    return gpu_ok(d, r, NULL, GCMemAlloc, err);
}

static bool roofs_measure(Gpu *d, Rates *out, DevError *err)
{
    Roof f = {.bytes = 0};
    bool ok = open_roof(d, &f, err);
    GpuResult r = ok ? roofs_rate(d, &f, 0, &out->copy) : GpuOk;
    r = ok && r == GpuOk ? roofs_rate(d, &f, 1, &out->copy) : r;
    r = ok && r == GpuOk ? roofs_rate(d, &f, 2, &out->read) : r;
    ok = ok && gpu_ok(d, r, NULL, GCLaunchKernel, err);
    if (f.a)
        d->cu.MemFree(f.a);
    if (f.b)
        d->cu.MemFree(f.b);
    if (f.mod)
        d->cu.ModuleUnload(f.mod);
    return ok;
}

/* The cache: one entry a card and driver ------------------------------------- */

static Hash roofs_key_of(const Gpu *d)
{
    char driver[80] = "";
    Hash h = {0x726f6f66, sizeof text};
    cuda_driver_name(d, driver, sizeof driver);
    h = hash_bytes(h, &d->is.uuid, sizeof d->is.uuid);
    h = hash_bytes(h, &d->cu.version, sizeof d->cu.version);
    h = hash_bytes(h, driver, strlen(driver));
    return hash_bytes(h, text, sizeof text);
}

static bool recall(Gpu *d, Rates *out)
{
    Str path = {0};
    bool ok = cache_get(&d->cache, roofs_key_of(d), "roofs", &path);
    FILE *f = ok ? fopen(path.s, "re") : NULL;
    ok = f && fscanf(f, "copy %lf read %lf", &out->copy, &out->read) == 2;
    if (f)
        fclose(f);
    str_free(&path);
    return ok;
}

static void roofs_keep(Gpu *d, const Rates *r)
{
    Str temp = {0}, path = {0};
    cache_temp(&d->cache, "roofs", &temp);
    FILE *f = temp.bad ? NULL : fopen(temp.s, "we");
    bool ok = f && fprintf(f, "copy %.1f read %.1f\n", r->copy, r->read) > 0;
    if (f && (fclose(f) != 0 || !ok))
        unlink(temp.s);
    else if (f)
        cache_put(&d->cache, roofs_key_of(d), "roofs", temp.s, &path);
    str_free(&temp);
    str_free(&path);
}

void cuda_rates(Gpu *d, Str *out)
{
    Rates r = {0, 0};
    DevError err = DEV_NO_ERROR;
    bool ok = recall(d, &r);
    if (!ok && (ok = roofs_measure(d, &r, &err) && r.copy > 0 && r.read > 0))
        roofs_keep(d, &r);
    if (ok)
        str_fmt(out, "copy: %.2f TB/s\nread: %.2f TB/s\n", r.copy * 1e-3, r.read * 1e-3);
    dev_error_free(err);
}
