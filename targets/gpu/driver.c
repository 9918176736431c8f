/* targets/gpu/driver.c: finds a driver's library and its entry points, and starts it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

typedef struct DriverEntry DriverEntry;
struct DriverEntry { const char *names[2]; int since[2]; size_t at; }; /* by GpuApi */

static const DriverEntry entry[] = {
#define GPU_FN(name, driver, since, runtime, must, args) \
    {{driver, runtime}, {since, must}, offsetof(GpuDriver, name)},
    GPU_FNS
#undef GPU_FN
};

/* Fills the table; the first entry that must be there and is not. */
static const DriverEntry *driver_bind(GpuDriver *u)
{
    const DriverEntry *missing = NULL;
    void *p = gpu_symbol(u->handle, u->v->prefix, "GetErrorName");
    if (u->v->api == GPUruntime)
        memcpy(&u->GetErrorName, &p, sizeof p); /* dlsym's way to a function */
    for (size_t i = 0; i < COUNT(entry) && !missing; i++) {
        const DriverEntry *e = &entry[i];
        p = gpu_symbol(u->handle, u->v->prefix, e->names[u->v->api]);
        if (!p && e->since[u->v->api])
            missing = e;
        memcpy((char *)u + e->at, &p, sizeof p);
    }
    return missing;
}

void gpu_driver_lacks(const GpuDriver *u, Str *out)
{
    void *p;
    for (size_t i = 0; i < COUNT(entry); i++) {
        const char *names = entry[i].names[u->v->api];
        memcpy(&p, (const char *)u + entry[i].at, sizeof p);
        if (!p && *names)
            str_fmt(out, "%s%s%.*s", out->n ? ", " : "", u->v->prefix, (int)strcspn(names, " "),
                    names);
    }
}

const char *gpu_call_name(const GpuDriver *u, enum GpuCall call, char out[64])
{
    const char *const *both = entry[call].names, *s = both[u->v->api];
    s = *s ? s : both[!u->v->api]; /* EventCreate, which they have in two forms */
    size_t n = strcspn(s, " ");
    if (n > 3 && memcmp(s + n - 3, "_v2", 3) == 0)
        n -= 3;
    snprintf(out, 64, "%s%.*s", u->v->prefix, (int)n, s);
    return out;
}

/* Opening ---------------------------------------------------------------------- */

static DevError not_found(const GpuVendor *v, const Str *looked)
{
    return dev_error_row(v->rows->no_library, v->product, v->names[0],
                         looked->s ? looked->s : v->names[0], v->lib_env);
}

/* An entry point is missing, or (NULL) it says that it is too old. */
static DevError too_old(const GpuDriver *u, const DriverEntry *missing)
{
    const GpuVendor *v = u->v;
    int has = u->version, needs = v->least;
    if (missing && missing->since[v->api] > needs)
        needs = missing->since[v->api];
    return dev_error_row(v->rows->old_library, v->product, u->path,
                         dev_text("%s%s", missing ? v->prefix : "",
                                  missing ? missing->names[v->api] : u->path),
                         dev_text("%d.%d", has / 1000, has % 1000 / 10),
                         dev_text("%d.%d", needs / 1000, needs % 1000 / 10));
}

DevError gpu_no_device(const GpuDriver *u)
{
    const GpuVendor *v = u->v;
    const char *visible = getenv(v->visible);
    DevText where = visible ? dev_text("%s; %s=%s", u->path, v->visible, visible)
                            : dev_text("%s", u->path);
    return dev_error_row(v->rows->no_device, v->product, where, v->tool, v->nodes[0]);
}

DevError gpu_init_failed(const GpuDriver *u, GpuResult r)
{
    const GpuFault *f = gpu_fault_of(u, r);
    if (f && f->kind == GFno_device)
        return gpu_no_device(u);
    if (f && f->row.is && (f->kind == GFstart || f->kind == GFlost))
        return dev_error_row(f->row, u->path);
    return dev_error_row(u->v->rows->init, u->path, gpu_error(u, r), gpu_error_number(r), u->v->product,
                         u->v->tool);
}

static void *driver_find_library(GpuDriver *u, Str *looked)
{
    const GpuVendor *v = u->v;
    GpuDirs first, then;
    gpu_dirs_find(&first, v->first, (size_t)v->nfirst);
    gpu_dirs_find(&then, v->then, (size_t)v->nthen);
    GpuLibrary lib = {.env = v->lib_env, .names = v->names, .first = gpu_dirs_list(&first),
                      .then = gpu_dirs_list(&then), .global = v->global};
    void *handle = gpu_dlopen(&lib, u->path, sizeof u->path, looked);
    gpu_dirs_free(&first);
    gpu_dirs_free(&then);
    return handle;
}

DevError gpu_driver_open(GpuDriver *u, const GpuVendor *v)
{
    Str looked = {0};
    *u = (GpuDriver){.v = v};
    u->handle = driver_find_library(u, &looked);
    DevError err = u->handle ? DEV_NO_ERROR : not_found(v, &looked);
    str_free(&looked);
    if (err.is)
        return err;
    const DriverEntry *missing = driver_bind(u);
    GpuResult (*version)(int *) = u->Version ? u->Version : u->RuntimeGetVersion;
    if (version && version(&u->version) != GpuOk)
        u->version = 0;
    if (missing || u->version < v->least)
        return too_old(u, missing);
    GpuResult r = u->Init ? u->Init(0) : GpuOk;
    return r == GpuOk ? DEV_NO_ERROR : gpu_init_failed(u, r);
}

const char *gpu_error(const GpuDriver *u, GpuResult r)
{
    const char *s = NULL;
    if (r == GpuOdd)
        return "success, but with an impossible result";
    if (u->GetErrorName)
        s = u->GetErrorName(r);
    else if (u->ErrorName && u->ErrorName(r, &s) != GpuOk)
        s = NULL;
    return s ? s : u->v->unnamed;
}

int gpu_error_number(GpuResult r) { return r == GpuOdd ? 0 : r; }

/* The two interfaces ------------------------------------------------------------- */

GpuResult gpu_wait(const GpuDriver *u)
{
    return u->DeviceSynchronize ? u->DeviceSynchronize() : u->StreamSynchronize(u->stream);
}

GpuResult gpu_event(const GpuDriver *u, void **event, unsigned flags)
{
    *event = NULL;
    GpuResult r = u->EventNew ? u->EventNew(event) : u->EventCreate(event, flags);
    return gpu_given(r, *event);
}

GpuResult gpu_elapsed(const GpuDriver *u, float *ms, void *begin, void *end)
{
    *ms = 0;
    GpuResult r = u->EventElapsedTime(ms, begin, end);
    return gpu_given(r, isfinite(*ms) && *ms >= 0);
}

GpuResult gpu_pinned(const GpuDriver *u, void **p, size_t n, unsigned flags)
{
    *p = NULL;
    GpuResult r = u->MemHostAlloc ? u->MemHostAlloc(p, n, flags) : u->MallocHost(p, n);
    return gpu_given(r, *p);
}

GpuResult gpu_function(const GpuDriver *u, void **fn, void *mod, const char *name)
{
    *fn = NULL;
    GpuResult r = u->ModuleGetFunction(fn, mod, name);
    return gpu_given(r, *fn);
}

/* Without a fill of the driver's: copies of the host's. */
static GpuResult copy_words(const GpuDriver *u, GpuAddress at, size_t n, uint64_t fill)
{
    enum { Words = 1 << 17 };
    uint64_t *word = malloc(Words * sizeof *word);
    GpuResult r = GpuOk;
    for (size_t k = 0; word && k < Words; k++)
        word[k] = fill;
    for (size_t k = 0, m; word && k < n && r == GpuOk; k += m) {
        m = n - k < Words * sizeof *word ? n - k : Words * sizeof *word;
        r = u->Memcpy ? u->Memcpy((void *)(uintptr_t)(at + k), word, m, GpuToDevice)
                      : u->MemcpyHtoDAsync(at + k, word, m, u->stream);
    }
    if (word && r == GpuOk)
        r = gpu_wait(u); /* before the words go */
    free(word);
    return word ? r : 1;
}

static GpuResult fill_bytes(const GpuDriver *u, GpuAddress at, size_t n, unsigned char byte)
{
    if (u->MemsetD8Async)
        return u->MemsetD8Async(at, byte, n, u->stream);
    if (u->MemsetAsync)
        return u->MemsetAsync(at, byte, n, u->stream);
    return u->Memset ? u->Memset(at, byte, n) : copy_words(u, at, n, 0x0101010101010101u * byte);
}

GpuResult gpu_fill(const GpuDriver *u, GpuAddress at, size_t n, uint64_t fill, enum GpuCall *call)
{
    unsigned char byte = (unsigned char)fill;
    uint32_t word = (uint32_t)fill;
    size_t whole = n / sizeof word;
    *call = gpu_zero_call(u);
    if (fill == 0x0101010101010101u * byte)
        return fill_bytes(u, at, n, byte);
    bool words = word == fill >> 32 && u->MemsetD32Async;
    *call = words ? GCMemsetD32Async : u->Memcpy ? GCMemcpy : GCMemcpyHtoDAsync;
    if (!words)
        return copy_words(u, at, n, fill);
    GpuResult r = whole ? u->MemsetD32Async(at, word, whole, u->stream) : GpuOk;
    for (size_t k = whole * sizeof word; k < n && r == GpuOk; k++)
        r = u->MemsetD8Async(at + k, (unsigned char)(fill >> k % 8 * 8), 1, u->stream);
    return r;
}

GpuResult gpu_zero(const GpuDriver *u, GpuAddress at, size_t n) { return fill_bytes(u, at, n, 0); }

enum GpuCall gpu_zero_call(const GpuDriver *u)
{
    return u->v->api == GPUdriver ? GCMemsetD8Async : GCMemsetAsync;
}
