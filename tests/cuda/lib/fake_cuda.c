/* A stand-in for libcuda.so.1: the host's memory is the device's, kernels run as
 * the few functions below, and what goes wrong is told by the environment.
 *
 *   FAKE_CUDA_LOG=FILE       what is called, a line each
 *   FAKE_CUDA_VERSION=12040  FAKE_CUDA_CC=9.0  FAKE_CUDA_COUNT=1  FAKE_CUDA_NAME=..
 *   FAKE_CUDA_INIT=N         cuInit gives this error
 *   FAKE_CUDA_RETAIN=N       so does opening the context; FAKE_CUDA_MODE: compute mode
 *   FAKE_CUDA_LOAD=N         so does loading a module
 *   FAKE_CUDA_MEMORY=BYTES   of the device
 *   FAKE_CUDA_LAUNCH=N       launching gives this error
 *   FAKE_CUDA_FAULT=N        a kernel ends with this error, which stays
 *   FAKE_CUDA_ONCE=FILE      these, and RETAIN, only while FILE is not there; it is made
 *   FAKE_CUDA_N=N            elements of the kernel `twice`; else its third parameter
 *   FAKE_CUDA_REGS=N         registers of every kernel
 *   FAKE_CUDA_PARAMS="8 4"   sizes of a kernel's parameters, to log their bytes
 *
 * and by turn.h, which makes any call fail, lie or take its time.  fake_rtc.h is a compiler
 * beside it.
 *
 * Built with -DCUDA_11 it lacks what CUDA 12 brought, with -DNO_MEMORY an entry
 * point that every driver has. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ir/plan.h"
#include "../../../targets/cuda/numbers.h"
#include "../../../targets/gpu/driver.h"
#include "fake_rtc.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* those of a library */

typedef int CUresult, CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct CUctx *CUcontext;
typedef struct CUmod *CUmodule;
typedef struct CUfunc *CUfunction;
typedef struct CUstr *CUstream;
typedef struct CUev *CUevent;
typedef struct CUuuid { unsigned char b[16]; } CUuuid;
typedef struct CUtensorMap { _Alignas(128) uint64_t opaque[16]; } CUtensorMap;
typedef GpuLaunchConfig CUlaunchConfig;

enum { MaxBlocks = 4096 };

static struct { char *p; size_t n; } mem[MaxBlocks];
static size_t used;
#define stuck fake.lasting

static long number(const char *name, long otherwise)
{
    const char *v = getenv(name);
    return v && *v ? strtol(v, NULL, 0) : otherwise;
}

PRINTF(1, 2) static void note(const char *fmt, ...)
{
    const char *name = getenv("FAKE_CUDA_LOG");
    FILE *f = name ? fopen(name, "a") : NULL;
    va_list ap;
    if (!f)
        return;
    va_start(ap, fmt);
    vfprintf(f, fmt, ap);
    va_end(ap);
    fclose(f);
}

/* The error of that name, unless it was given before. */
static CUresult planned(const char *name)
{
    const char *once = getenv("FAKE_CUDA_ONCE");
    CUresult r = (CUresult)number(name, 0);
    FILE *f = r && once ? fopen(once, "r") : NULL;
    if (f) {
        fclose(f);
        return CUok;
    }
    if (r && once && (f = fopen(once, "w")))
        fclose(f);
    return r;
}

/* The driver and its device ------------------------------------------------------ */

CUresult cuInit(unsigned flags)
{
    TURN;
    (void)flags;
    return (CUresult)number("FAKE_CUDA_INIT", 0);
}
CUresult cuDriverGetVersion(int *v)
{
    TURN;
    *v = TOLD((int)number("FAKE_CUDA_VERSION", 12040));
    return CUok;
}

CUresult cuGetErrorName(CUresult r, const char **s)
{
    TURN;
    static const struct { CUresult r; const char *name; } name[] = {
        {0, "CUDA_SUCCESS"}, {1, "CUDA_ERROR_INVALID_VALUE"}, {2, "CUDA_ERROR_OUT_OF_MEMORY"},
        {46, "CUDA_ERROR_DEVICE_UNAVAILABLE"}, {100, "CUDA_ERROR_NO_DEVICE"},
        {200, "CUDA_ERROR_INVALID_IMAGE"}, {214, "CUDA_ERROR_ECC_UNCORRECTABLE"},
        {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"}, {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
        {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"}, {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
        {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION"}, {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
        {719, "CUDA_ERROR_LAUNCH_FAILED"}, {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
        {999, "CUDA_ERROR_UNKNOWN"},
    };
    for (size_t i = 0; i < COUNT(name); i++)
        if (name[i].r == r) {
            *s = name[i].name;
            return CUok;
        }
    *s = NULL;
    return CUinvalid_value;
}

CUresult cuGetErrorString(CUresult r, const char **s)
{
    TURN;
    (void)r;
    *s = "";
    return CUok;
}
CUresult cuDeviceGetCount(int *n)
{
    TURN;
    *n = TOLD((int)number("FAKE_CUDA_COUNT", 1));
    return CUok;
}
CUresult cuDeviceGet(CUdevice *d, int i)
{
    TURN;
    *d = TOLD(i);
    return CUok;
}

CUresult cuDeviceGetName(char *s, int n, CUdevice d)
{
    TURN;
    const char *name = getenv("FAKE_CUDA_NAME");
    (void)d;
    snprintf(s, (size_t)n, "%s", name ? name : "NVIDIA H200");
    switch (fake_lie(__func__, -1)) {
    case LieNone: *s = '\0'; break;
    case LieHuge: memset(s, 'N', (size_t)n); break; /* and no end of it */
    case LieMinus: memset(s, 0xff, (size_t)n - 1); break;
    case LieOdd: snprintf(s, (size_t)n, "GPU\n\033[2J\037@x %%s %%n\tV\x80"); break;
    default: break;
    }
    return CUok;
}

CUresult cuDeviceGetAttribute(int *v, int a, CUdevice d)
{
    TURN;
    const char *cc = getenv("FAKE_CUDA_CC");
    int major = 9, minor = 0;
    (void)d;
    if (cc)
        sscanf(cc, "%d.%d", &major, &minor);
    switch (a) {
    case CUDmajor: *v = major; break;
    case CUDminor: *v = minor; break;
    case CUDsms: *v = 132; break;
    case CUDmax_threads: *v = 1024; break;
    case CUDmax_grid_x: *v = 0x7fffffff; break;
    case CUDmax_grid_y: case CUDmax_grid_z: *v = 65535; break;
    case CUDshared_optin: *v = (int)number("FAKE_CUDA_SHARED", 232448); break;
    case CUDshared_sm: *v = 233472; break;
    case CUDregs_sm: *v = 65536; break;
    case CUDl2: *v = 1 << 20; break;
    case CUDclock_khz: *v = 1980000; break;
    case CUDcompute_mode: *v = (int)number("FAKE_CUDA_MODE", 0); break;
    default: *v = 0; break;
    }
    *v = TOLD_OF(a, *v);
    return CUok;
}

static size_t memory(void) { return (size_t)number("FAKE_CUDA_MEMORY", 1 << 30); }

CUresult cuDeviceTotalMem_v2(size_t *n, CUdevice d)
{
    TURN;
    (void)d;
    *n = TOLD_SIZE(memory());
    return CUok;
}

CUresult cuDeviceGetUuid(CUuuid *u, CUdevice d)
{
    TURN;
    (void)d;
    for (int i = 0; i < 16; i++)
        u->b[i] = (unsigned char)i;
    return CUok;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d)
{
    TURN;
    static int it;
    CUresult r = planned("FAKE_CUDA_RETAIN");
    (void)d;
    *c = r ? NULL : HANDLE("context", &it);
    return r;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice d)
{
    TURN;
    (void)d;
    for (int i = 0; i < FakeThings; i++) /* the last one who has it takes all with it */
        if (fake.thing[i].kind && strcmp(fake.thing[i].kind, "context") == 0)
            fake.thing[i].kind = NULL;
    return CUok;
}
CUresult cuCtxSetCurrent(CUcontext c)
{
    TURN;
    (void)c;
    return stuck;
}
CUresult cuCtxSynchronize(void)
{
    TURN;
    return stuck;
}

/* Memory ------------------------------------------------------------------------- */

CUresult cuMemGetInfo_v2(size_t *left, size_t *total)
{
    TURN;
    *total = TOLD_SIZE(memory());
    *left = *total - used;
    return CUok;
}

#ifndef NO_MEMORY
CUresult cuMemAlloc_v2(CUdeviceptr *at, size_t n)
{
    TURN;
    int i = 0;
    if (stuck || n > memory() - used)
        return stuck ? stuck : CUout_of_memory;
    if (fake_lie(__func__, -1) == LieNone)
        return *at = 0, CUok;
    while (i < MaxBlocks && mem[i].p)
        i++;
    char *p = i < MaxBlocks ? aligned_alloc(256, (n + 255) / 256 * 256) : NULL;
    if (!p)
        return CUout_of_memory;
    memset(p, 0xcd, n); /* nothing may count on zeros */
    mem[i].p = p;
    mem[i].n = n;
    used += n;
    *at = (uintptr_t)fake_made("memory", p);
    note("alloc %zu\n", n);
    return CUok;
}
#endif

CUresult cuMemFree_v2(CUdeviceptr at)
{
    TURN;
    for (int i = 0; i < MaxBlocks; i++)
        if (mem[i].p == (char *)(uintptr_t)at && at) {
            note("free %zu\n", mem[i].n);
            fake_is("memory", mem[i].p, true);
            used -= mem[i].n;
            free(mem[i].p);
            mem[i].p = NULL;
            return CUok;
        }
    return CUinvalid_value;
}

/* A process behind a lost context: for tests that are one process. */
void fake_reset(void)
{
    for (int i = 0; i < MaxBlocks; i++) {
        free(mem[i].p);
        mem[i].p = NULL;
    }
    for (int i = 0; i < FakeThings; i++)
        if (fake.thing[i].kind && strcmp(fake.thing[i].kind, "program") == 0)
            rtc_free(fake.thing[i].p);
        else if (fake.thing[i].kind && strcmp(fake.thing[i].kind, "host memory") == 0)
            free(fake.thing[i].p);
    used = 0;
    fake.fails = fake.lies = 0;
    stuck = 0;
    memset(fake.thing, 0, sizeof fake.thing);
}

/* Is [at, at + n) in one block of the device's? */
static bool mine(CUdeviceptr at, size_t n)
{
    for (int i = 0; i < MaxBlocks; i++)
        if (mem[i].p && at >= (uintptr_t)mem[i].p &&
            at + n <= (uintptr_t)mem[i].p + mem[i].n)
            return true;
    note("stray %zu\n", n);
    return false;
}

CUresult cuMemHostAlloc(void **p, size_t n, unsigned flags)
{
    TURN;
    (void)flags;
    void *new = stuck ? NULL : aligned_alloc(256, (n + 255) / 256 * 256);
    *p = new ? HANDLE("host memory", new) : NULL;
    if (!*p)
        free(new);
    return stuck ? stuck : new ? CUok : CUout_of_memory;
}

CUresult cuMemFreeHost(void *p)
{
    TURN;
    if (!fake_is("host memory", p, true))
        return CUinvalid_value;
    free(p);
    return CUok;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *at, void *p, unsigned flags)
{
    TURN;
    (void)flags;
    *at = fake_lie(__func__, -1) == LieNone ? 0 : (uintptr_t)p;
    return CUok;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t n, CUstream s)
{
    TURN;
    (void)s;
    if (stuck || !mine(to, n))
        return stuck ? stuck : CUinvalid_value;
    memcpy((void *)(uintptr_t)to, from, n);
    note("put %zu\n", n);
    return CUok;
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t n, CUstream s)
{
    TURN;
    (void)s;
    if (stuck || !mine(from, n))
        return stuck ? stuck : CUinvalid_value;
    memcpy(to, (void *)(uintptr_t)from, n);
    note("get %zu\n", n);
    return CUok;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s)
{
    TURN;
    (void)s;
    if (stuck || !mine(to, n) || !mine(from, n))
        return stuck ? stuck : CUinvalid_value;
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, n);
    return CUok;
}

CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char v, size_t n, CUstream s)
{
    TURN;
    (void)s;
    if (stuck || !mine(at, n))
        return stuck ? stuck : CUinvalid_value;
    memset((void *)(uintptr_t)at, v, n);
    note("set %zu\n", n);
    return CUok;
}

CUresult cuMemsetD32Async(CUdeviceptr at, unsigned v, size_t n, CUstream s)
{
    TURN;
    (void)s;
    if (stuck || !mine(at, 4 * n))
        return stuck ? stuck : CUinvalid_value;
    for (size_t i = 0; i < n; i++)
        memcpy((char *)(uintptr_t)at + 4 * i, &v, 4);
    note("set32 %zu\n", n);
    return CUok;
}

/* Streams and events ---------------------------------------------------------------- */

static int handle;
/* A handle that nobody looks behind. */
static void *new_number(void)
{
    static uintptr_t last;
    return (void *)(last += 16);
}

CUresult cuStreamCreate(CUstream *s, unsigned f)
{
    TURN;
    (void)f;
    *s = stuck ? NULL : HANDLE("stream", new_number());
    return stuck;
}
/* Gives it back; what is lost is lost with the context. */
static CUresult give_back(const char *kind, void *p)
{
    return fake_is(kind, p, true) ? stuck : CUinvalid_handle;
}

CUresult cuStreamDestroy_v2(CUstream s)
{
    TURN;
    return give_back("stream", s);
}

CUresult cuStreamSynchronize(CUstream s)
{
    TURN;
    (void)s;
    return stuck;
}
CUresult cuEventCreate(CUevent *e, unsigned f)
{
    TURN;
    (void)f;
    *e = stuck ? NULL : HANDLE("event", new_number());
    return stuck;
}
CUresult cuEventDestroy_v2(CUevent e)
{
    TURN;
    return give_back("event", e);
}
CUresult cuEventRecord(CUevent e, CUstream s)
{
    TURN;
    (void)s;
    return !fake_is("event", e, false) ? CUinvalid_handle : stuck;
}
CUresult cuEventSynchronize(CUevent e)
{
    TURN;
    return !fake_is("event", e, false) ? CUinvalid_handle : stuck;
}
CUresult cuEventElapsedTime(float *ms, CUevent a, CUevent b)
{
    TURN;
    switch (fake_lie(__func__, -1)) {
    case LieNone: *ms = 0; break;
    case LieHuge: *ms = INFINITY; break;
    case LieMinus: *ms = -1; break;
    case LieOdd: *ms = NAN; break;
    default: *ms = 0.5f; break;
    }
    return !fake_is("event", a, false) || !fake_is("event", b, false) ? CUinvalid_handle : stuck;
}

/* Modules and kernels --------------------------------------------------------------- */

typedef struct Fn Fn;
struct Fn { char name[128]; int dynamic; };
static Fn fn[64];
static int nfn;

/* Code of fake_rtc.h is checked: nothing of it may be missing. */
static bool whole_image(const char *image)
{
    FakeCode c;
    if (memcmp(image, FAKE_MAGIC, sizeof c.magic) != 0)
        return image[0] == '\177' || image[0] == '.' || image[0] == '/';
    memcpy(&c, image, sizeof c);
    return c.sum == fake_sum(image + sizeof c, c.bytes);
}

CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned n, int *o, void **v)
{
    TURN;
    CUresult r = (CUresult)number("FAKE_CUDA_LOAD", 0);
    (void)n, (void)o, (void)v;
    note("module %s\n", memcmp(image, "\177ELF", 4) == 0 ? "cubin" : "ptx");
    r = stuck ? stuck : r ? r : whole_image(image) ? CUok : CUinvalid_image;
    *m = r ? NULL : HANDLE("module", new_number());
    return r;
}

CUresult cuModuleUnload(CUmodule m)
{
    TURN;
    return give_back("module", m);
}

CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name)
{
    TURN;
    Fn *k = &fn[nfn++ % (int)COUNT(fn)];
    if (!fake_is("module", m, false))
        return CUinvalid_handle;
    snprintf(k->name, sizeof k->name, "%s", name);
    *f = fake_lie(__func__, -1) == LieNone ? NULL : (CUfunction)(void *)k;
    return CUok;
}

CUresult cuFuncGetAttribute(int *v, int a, CUfunction f)
{
    TURN;
    (void)f;
    *v = a == CUFregs ? (int)number("FAKE_CUDA_REGS", 32) : 0;
    if (a == CUFmax_threads)
        *v = 65536 / (int)number("FAKE_CUDA_REGS", 32) / 128 * 128;
    if (a == CUFmax_threads && *v > 1024)
        *v = 1024;
    *v = TOLD_OF(a, *v);
    return CUok;
}

CUresult cuFuncSetAttribute(CUfunction f, int a, int v)
{
    TURN;
    if (a == CUFmax_dynamic_shared)
        ((Fn *)(void *)f)->dynamic = v;
    return CUok;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, CUfunction f, int threads, size_t b)
{
    TURN;
    (void)f, (void)b;
    *n = TOLD(2048 / threads);
    return CUok;
}

/* float y[n] = 2 * x[n]: tensors, then the dimension, where it is none of the text. */
static void twice(void **p)
{
    const float *x;
    float *y;
    int n = (int)number("FAKE_CUDA_N", 0);
    memcpy(&x, p[0], sizeof x);
    memcpy(&y, p[1], sizeof y);
    if (!n)
        memcpy(&n, p[2], sizeof n);
    for (int i = 0; i < n && mine((uintptr_t)&x[i], 4) && mine((uintptr_t)&y[i], 4); i++)
        y[i] = 2 * x[i];
}

static void record(PlanOut *o, uint32_t site, uint32_t block, uint32_t thread, uint32_t index,
                   const uint32_t *v, uint32_t n);

/* The kernels of tests/unit/cuda_fail.c: w = 2 * x and a record; y = w + 1. */
static void first(void **p)
{
    const float *x;
    float *w;
    PlanOut *o;
    uint32_t bits;
    int n;
    memcpy(&x, p[0], sizeof x);
    memcpy(&n, p[1], sizeof n);
    memcpy(&w, p[2], sizeof w);
    memcpy(&o, p[3], sizeof o);
    for (int i = 0; i < n && mine((uintptr_t)&x[i], 4) && mine((uintptr_t)&w[i], 4); i++)
        w[i] = 2 * x[i];
    memcpy(&bits, &x[1], sizeof bits);
    record(o, 0, 0, 0, 0, &bits, 1);
}

static void second(void **p)
{
    const float *w;
    float *y;
    int n;
    memcpy(&y, p[0], sizeof y);
    memcpy(&n, p[1], sizeof n);
    memcpy(&w, p[2], sizeof w);
    for (int i = 0; i < n && mine((uintptr_t)&w[i], 4) && mine((uintptr_t)&y[i], 4); i++)
        y[i] = w[i] + 1;
}

/* The kernel of moontile doctor. */
static void add(void **p)
{
    const float *a, *b;
    float *c;
    memcpy(&a, p[0], sizeof a);
    memcpy(&b, p[1], sizeof b);
    memcpy(&c, p[2], sizeof c);
    for (int i = 0; i < 1000; i++)
        c[i] = a[i] + b[i];
}

/* Records of the side buffer, the threads of a block last to first. */
static void record(PlanOut *o, uint32_t site, uint32_t block, uint32_t thread, uint32_t index,
                   const uint32_t *v, uint32_t n)
{
    uint32_t *w = (uint32_t *)(void *)(o + 1) + o->used;
    o->used += PlanRecordHead + n;
    if (o->used > o->room) {
        o->dropped++;
        return;
    }
    const uint32_t head[PlanRecordHead] = {site, PlanRecordHead + n, block, 0, thread, index};
    memcpy(w, head, sizeof head);
    memcpy(w + PlanRecordHead, v, n * 4);
}

/* Two blocks of 32 threads: each thread prints its number; then, a tile of 64 ints,
 * two elements a thread. */
static void talk(void **p, int tiles)
{
    PlanOut *o;
    memcpy(&o, p[0], sizeof o);
    for (uint32_t b = 2; b-- > 0;)
        for (uint32_t t = 32; t-- > 0;) {
            record(o, 0, b, t, 0, &t, 1);
            const uint32_t v[2] = {b * 1000 + 2 * t, b * 1000 + 2 * t + 1};
            if (tiles)
                record(o, 1, b, t, 2 * t, v, 2);
        }
}

/* More than the buffer holds. */
static void shout(void **p)
{
    PlanOut *o;
    memcpy(&o, p[0], sizeof o);
    for (uint32_t i = 0; i < 1000000; i++)
        record(o, 0, 0, i % 32, 0, &i, 1);
}

/* Room that was taken and never written, then the record of an assert. */
static void fail(void **p)
{
    PlanOut *o;
    memcpy(&o, p[1], sizeof o); /* behind the tensor that is looked at */
    o->used += 17;
    record(o, 0, 1, 7, 0, NULL, 0);
    o->failed = 1;
    stuck = CUlaunch_failed;
}

static void log_launch(const Fn *k, const unsigned *g, unsigned threads, unsigned shared,
                       int cooperative, void **p)
{
    const char *sizes = getenv("FAKE_CUDA_PARAMS");
    note("launch %s grid %u %u %u threads %u shared %u%s%s", k->name, g[0], g[1], g[2], threads,
         shared, (int)shared > k->dynamic ? " (not allowed)" : "",
         cooperative ? " cooperative" : "");
    for (int i = 0, n, len; sizes && sscanf(sizes, "%d%n", &n, &len) == 1; i++, sizes += len) {
        const unsigned char *b = p[i];
        note(" ");
        for (int j = n; j-- > 0;)
            note("%02x", b[j]);
    }
    note("\n");
}

/* Is it the kernel of that name in the program? */
static bool is_kernel(const Fn *k, const char *name)
{
    size_t n = strlen(name);
    return strncmp(k->name, name, n) == 0 && strcmp(k->name + n, "_kernel") == 0;
}

static CUresult run(const Fn *k, const unsigned *g, unsigned threads, unsigned shared,
                    int cooperative, void **p)
{
    CUresult r = planned("FAKE_CUDA_LAUNCH");
    if (stuck || r)
        return stuck ? stuck : r;
    log_launch(k, g, threads, shared, cooperative, p);
    if (is_kernel(k, "twice"))
        twice(p);
    else if (is_kernel(k, "vector_add"))
        add(p);
    else if (strcmp(k->name, "f_kernel") == 0)
        first(p);
    else if (strcmp(k->name, "f_kernel_1") == 0)
        second(p);
    else if (is_kernel(k, "talk") || is_kernel(k, "talk_tiles"))
        talk(p, is_kernel(k, "talk_tiles"));
    else if (is_kernel(k, "shout"))
        shout(p);
    else if (is_kernel(k, "fail"))
        fail(p);
    r = planned("FAKE_CUDA_FAULT");
    stuck = stuck ? stuck : r;
    return CUok;
}

CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, CUstream s, void **p, void **x)
{
    TURN;
    const unsigned g[3] = {gx, gy, gz};
    (void)by, (void)bz, (void)s, (void)x;
    return run((const Fn *)(const void *)f, g, bx, shared, 0, p);
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                   CUstream s, void **p)
{
    TURN;
    const unsigned g[3] = {gx, gy, gz};
    (void)by, (void)bz, (void)s;
    return run((const Fn *)(const void *)f, g, bx, shared, 1, p);
}

#ifndef CUDA_11
CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **p, void **x)
{
    TURN;
    (void)x;
    return run((const Fn *)(const void *)f, c->grid, c->block[0], c->shared,
               c->nattr && c->attr[0].id == GpuCooperative, p);
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *m, int type, uint32_t rank, void *base,
                                const uint64_t *dim, const uint64_t *stride, const uint32_t *box,
                                const uint32_t *step, int interleave, int swizzle, int promotion,
                                int fill)
{
    TURN;
    (void)step, (void)interleave, (void)promotion, (void)fill;
    note("map type %d swizzle %d dims", type, swizzle);
    for (uint32_t i = 0; i < rank; i++)
        note(" %llu", (unsigned long long)dim[i]);
    note(" strides");
    for (uint32_t i = 0; i + 1 < rank; i++)
        note(" %llu", (unsigned long long)stride[i]);
    note(" box");
    for (uint32_t i = 0; i < rank; i++)
        note(" %u", box[i]);
    note("\n");
    memset(m, 0, sizeof *m);
    m->opaque[0] = (uintptr_t)base;
    return CUok;
}

/* The gate of a benchmark: the host opens it when all is queued; here everything
 * has run by then. */
CUresult cuStreamWaitValue32_v2(CUstream s, CUdeviceptr at, uint32_t v, unsigned flags)
{
    TURN;
    (void)s, (void)at, (void)v, (void)flags;
    return CUok;
}
#endif

/* libnvidia-ml, from the same file --------------------------------------------------- */

int nvmlInit_v2(void)
{
    TURN;
    return 0;
}
int nvmlShutdown(void)
{
    TURN;
    return 0;
}
int nvmlDeviceGetHandleByUUID(const char *uuid, void **d)
{
    TURN;
    *d = &handle;
    return strcmp(uuid, "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f") != 0;
}
int nvmlDeviceGetClockInfo(void *d, int type, unsigned *mhz)
{
    TURN;
    (void)d;
    *mhz = type == 1 ? 1755 : 0;
    return 0;
}
int nvmlDeviceGetPowerUsage(void *d, unsigned *mw)
{
    TURN;
    (void)d;
    *mw = 123000;
    return 0;
}
int nvmlSystemGetDriverVersion(char *s, unsigned n)
{
    TURN;
    snprintf(s, n, "550.54.15");
    return 0;
}
