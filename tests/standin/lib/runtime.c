/* runtime.c: a stand-in for libamdhip64.so, or with -DSTANDIN_MACA for libmcruntime.so:
 * the host's memory is the device's, kernels really run (grid.c), and what goes wrong is
 * told by the environment.
 *
 *   STANDIN_LOG=FILE      what is called, a line each
 *   STANDIN_COUNT=1  STANDIN_NAME=..  STANDIN_CHIP=gfx942:sramecc+:xnack-
 *   STANDIN_CUS=8  STANDIN_MEMORY=BYTES  STANDIN_THREADS=1024  STANDIN_SHARED=65536
 *   STANDIN_INIT=ERROR    GetDeviceCount gives this error ("ErrorUnknown")
 *   STANDIN_LOAD=ERROR    so does ModuleLoadData, STANDIN_LAUNCH: a launch
 *   STANDIN_FAULT=ERROR   a kernel ends with this error, which stays
 *   STANDIN_ABORT=1       a kernel that faults ends the process, as ROCm does it
 *   STANDIN_ONCE=FILE     LAUNCH and FAULT only while FILE is not there; it is made
 *   STANDIN_FORM=extra    kernelParams are not taken; =params: nor is the packed form
 *   STANDIN_HANG=WORD     a launch (WORD: its kernel), "load" (the library itself) or
 *                           "count" (GetDeviceCount) never returns; STANDIN_CRASH=WORD:
 *                           it ends the process
 *   STANDIN_FAIL_WITH=ERROR  what the call gives that is to fail (ledger.c)
 *
 * The rules of the vendors are kept: sizes are checked, MACA's calls need a SetDevice on
 * their thread (the real ones crash without), handles live until they are given back,
 * and errors stay.  Built with -DSTANDIN_LACKS_MEMSET or
 * -DSTANDIN_LACKS_MAPPING it has less, with -DSTANDIN_LACKS_MODULES too little. */
#include "standin.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef STANDIN_MACA
#define API(name) mc##name
#define PREFIX "mc"
#define FIRST_NUMBER 5000 /* its numbers are not known: not those of HIP */
#else
#define API(name) hip##name
#define PREFIX "hip"
#define FIRST_NUMBER 0
#endif

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* those of a library */

/* Errors ----------------------------------------------------------------------- */

#define ERRORS \
    E(ErrorInvalidValue, 1) E(ErrorOutOfMemory, 2) E(ErrorInvalidConfiguration, 9) \
    E(ErrorInvalidDevicePointer, 17) E(ErrorInvalidMemcpyDirection, 21) E(ErrorNoDevice, 100) \
    E(ErrorInvalidDevice, 101) E(ErrorInvalidImage, 200) E(ErrorInvalidContext, 201) \
    E(ErrorNoBinaryForGpu, 209) E(ErrorECCNotCorrectable, 214) E(ErrorInvalidHandle, 400) \
    E(ErrorNotFound, 500) E(ErrorIllegalAddress, 700) E(ErrorLaunchOutOfResources, 701) \
    E(ErrorLaunchTimeOut, 702) E(ErrorAssert, 710) E(ErrorMisalignedAddress, 716) \
    E(ErrorIllegalInstruction, 715) E(ErrorLaunchFailure, 719) \
    E(ErrorCooperativeLaunchTooLarge, 720) E(ErrorNotSupported, 801) E(ErrorUnknown, 999)

enum {
    Ok = 0,
#define E(name, number) name = FIRST_NUMBER + number,
    ERRORS
#undef E
};

static const struct { int r; const char *name; } errors[] = {
    {Ok, "Success"},
#define E(name, number) {name, #name},
    ERRORS
#undef E
};
enum { NErrors = sizeof errors / sizeof *errors };

const char *API(GetErrorName)(int r)
{
    static _Thread_local char text[64];
    for (int i = 0; i < NErrors; i++)
        if (errors[i].r == r) {
            snprintf(text, sizeof text, PREFIX "%s", errors[i].name);
            return text;
        }
    return PREFIX "ErrorUnknown";
}

const char *API(GetErrorString)(int r) { return API(GetErrorName)(r) + sizeof PREFIX - 1; }

/* The error whose name begins s; ErrorUnknown: there is none. */
static int named(const char *s)
{
    for (int i = 0; i < NErrors; i++) {
        size_t n = strlen(errors[i].name);
        if (strncmp(s, errors[i].name, n) == 0 && (s[n] == '\0' || s[n] == ' '))
            return errors[i].r;
    }
    return ErrorUnknown;
}

/* State ------------------------------------------------------------------------- */

enum { MaxBlocks = 8192, Least = 256 };

typedef struct Memory Memory;
struct Memory { char *p; size_t n; char *base; size_t mapped; };

static Memory mem[MaxBlocks];
static size_t used;
static int stuck, last;
static _Thread_local bool has_device;

static long number(const char *name, long otherwise)
{
    const char *v = getenv(name);
    return v && *v ? strtol(v, NULL, 0) : otherwise;
}

__attribute__((format(printf, 1, 2))) static void note(const char *fmt, ...)
{
    const char *name = getenv("STANDIN_LOG");
    FILE *f = name && *name ? fopen(name, "a") : NULL;
    va_list ap;
    if (!f)
        return;
    va_start(ap, fmt);
    vfprintf(f, fmt, ap);
    va_end(ap);
    fclose(f);
}

static int give(int r) { return last = r ? r : last, r; }

/* Hangs or ends the process where the test wants it. */
static bool meant(const char *wish, const char *where)
{
    size_t n = wish ? strlen(wish) : 0;
    return n && strncmp(wish, where, n) == 0 && (!where[n] || strcmp(where + n, "_kernel") == 0);
}

static void mishap(const char *where)
{
    while (meant(getenv("STANDIN_HANG"), where))
        pause();
    if (meant(getenv("STANDIN_CRASH"), where))
        raise(SIGSEGV);
}

__attribute__((constructor)) static void loaded(void) { mishap("load"); }

/* The error of that name, unless it was given before. */
static int planned(const char *name)
{
    const char *v = getenv(name), *once = getenv("STANDIN_ONCE");
    FILE *f = v && *v && once ? fopen(once, "r") : NULL;
    if (!v || !*v)
        return Ok;
    if (f) {
        fclose(f);
        return Ok;
    }
    if (once && (f = fopen(once, "w")))
        fclose(f);
    return named(v);
}

/* Before every call: Ok, unless it is this one's turn to fail. */
static int turn(const char *call)
{
    const char *with = getenv("STANDIN_FAIL_WITH");
    return standin_turn(PREFIX, call) ? named(with ? with : "ErrorInvalidValue") : Ok;
}

/* Before every call that needs a device. */
static int ready(const char *call)
{
    int r = turn(call);
#ifdef STANDIN_MACA
    if (!has_device) {
        standin_crime(PREFIX "%s on a thread without a device: the real one crashes", call);
        return give(ErrorInvalidContext);
    }
#endif
    return r || stuck ? give(stuck ? stuck : r) : Ok;
}

/* Devices ------------------------------------------------------------------------ */

int API(GetDeviceCount)(int *n)
{
    int r = turn("GetDeviceCount");
    mishap("count");
    *n = r ? -1 : (int)number("STANDIN_COUNT", 1);
    r = r ? r : planned("STANDIN_INIT");
    return give(r ? r : *n ? Ok : ErrorNoDevice);
}

int API(SetDevice)(int i)
{
    int n = (int)number("STANDIN_COUNT", 1), r = turn("SetDevice");
    if (r || i < 0 || i >= n)
        return give(r ? r : ErrorInvalidDevice);
    has_device = true;
    note("device %d\n", i);
    return Ok;
}

static void device_name(char *s, int n)
{
    const char *name = getenv("STANDIN_NAME");
#ifdef STANDIN_MACA
    snprintf(s, (size_t)n, "%s", name ? name : "MetaX C500");
#else
    snprintf(s, (size_t)n, "%s", name ? name : "AMD Instinct MI300X");
#endif
}

int API(DeviceGetName)(char *s, int n, int i)
{
    int r = turn("DeviceGetName");
    if (r || i < 0 || i >= (int)number("STANDIN_COUNT", 1) || n < 1)
        return give(r ? r : ErrorInvalidDevice);
    device_name(s, n);
    return Ok;
}

#ifndef STANDIN_MACA
static const char *chip(void)
{
    const char *s = getenv("STANDIN_CHIP");
    return s && *s ? s : "gfx942:sramecc+:xnack-";
}

/* As ROCm 7's header lays it out. */
int hipGetDevicePropertiesR0600(void *p, int i)
{
    int warp = strncmp(chip(), "gfx9", 4) == 0 ? 64 : 32, cus = (int)number("STANDIN_CUS", 8);
    int r = turn("GetDevicePropertiesR0600");
    if (r || i < 0 || i >= (int)number("STANDIN_COUNT", 1))
        return give(r ? r : ErrorInvalidDevice);
    memset(p, 0, 1472);
    device_name(p, 256);
    memcpy((char *)p + 308, &warp, sizeof warp);
    memcpy((char *)p + 388, &cus, sizeof cus);
    snprintf((char *)p + 1160, 256, "%s", chip());
    return Ok;
}

int hipDeviceGetAttribute(int *v, int a, int i)
{
    int r = turn("DeviceGetAttribute");
    (void)i;
    if (r)
        return give(r);
    switch (a) {
    case 5: *v = 2100000; break;
    case 19: *v = 4 << 20; break;
    case 56: *v = (int)number("STANDIN_THREADS", 1024); break;
    case 63: *v = (int)number("STANDIN_CUS", 8); break;
    case 74: *v = (int)number("STANDIN_SHARED", 65536); break;
    case 87: *v = strncmp(chip(), "gfx9", 4) == 0 ? 64 : 32; break;
    default: return give(ErrorInvalidValue);
    }
    return Ok;
}

int hipRuntimeGetVersion(int *v)
{
    int r = turn("RuntimeGetVersion");
    *v = r ? -1 : 70051831;
    return give(r);
}
#endif

static int lanes(void)
{
#ifdef STANDIN_MACA
    return 64;
#else
    return strncmp(chip(), "gfx9", 4) == 0 ? 64 : 32;
#endif
}

/* Memory -------------------------------------------------------------------------- */

static size_t all_bytes(void) { return (size_t)number("STANDIN_MEMORY", 1l << 32); }

int API(MemGetInfo)(size_t *left, size_t *total)
{
    int r = ready("MemGetInfo");
    if (r)
        return r;
    *total = all_bytes();
    *left = *total - used;
    return Ok;
}

/* Blocks end where no memory is: what goes beyond is seen. */
int API(Malloc)(void **at, size_t n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int i = 0, r = ready("Malloc");
    if (r || n > all_bytes() - used)
        return give(r ? r : ErrorOutOfMemory);
    while (i < MaxBlocks && mem[i].p)
        i++;
    size_t room = (n + Least - 1) / Least * Least, whole = (room + page - 1) / page * page;
    char *base = i < MaxBlocks ? mmap(NULL, whole + page, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    if (base == MAP_FAILED || mprotect(base + whole, page, PROT_NONE) != 0)
        return give(ErrorOutOfMemory);
    mem[i] = (Memory){base + whole - room, n, base, whole + page};
    memset(mem[i].p, 0xcd, room); /* nothing may count on zeros */
    used += n;
    *at = standin_made("memory", mem[i].p);
    note("alloc %zu\n", n);
    return Ok;
}

int API(Free)(void *at)
{
    int r = ready("Free");
    if (at && !standin_end("memory", at, PREFIX "Free"))
        return give(r ? r : ErrorInvalidValue);
    for (int i = 0; i < MaxBlocks; i++) /* even where the call is to fail: who would know? */
        if (at && mem[i].p == (char *)at) {
            note("free %zu\n", mem[i].n);
            used -= mem[i].n;
            munmap(mem[i].base, mem[i].mapped);
            mem[i].p = NULL;
        }
    return give(r);
}

/* Is [at, at + n) in one block of the device's? */
static bool mine(const void *p, size_t n)
{
    const char *at = p;
    for (int i = 0; i < MaxBlocks; i++)
        if (mem[i].p && at >= mem[i].p && at + n <= mem[i].p + mem[i].n)
            return true;
    standin_crime("a copy of %zu bytes beyond its memory", n);
    return false;
}

int API(Memcpy)(void *to, const void *from, size_t n, int kind)
{
    int r = ready("Memcpy");
    if (r)
        return r;
    if (kind < 1 || kind > 3)
        return give(ErrorInvalidMemcpyDirection);
    if ((kind != 2 && !mine(to, n)) || (kind != 1 && !mine(from, n)))
        return give(ErrorInvalidValue);
    memcpy(to, from, n);
    note("%s %zu\n", kind == 1 ? "put" : kind == 2 ? "get" : "copy", n);
    return Ok;
}

#ifndef STANDIN_LACKS_MEMSET
int API(MemsetAsync)(void *at, int v, size_t n, void *stream)
{
    int r = ready("MemsetAsync");
    (void)stream;
    if (r || !mine(at, n))
        return give(r ? r : ErrorInvalidValue);
    memset(at, v, n);
    note("set %zu\n", n);
    return Ok;
}
#endif

#ifndef STANDIN_LACKS_MAPPING
static int host_alloc(const char *call, void **p, size_t n)
{
    int r = ready(call);
    if (r)
        return r;
    *p = standin_made("host memory", aligned_alloc(Least, (n + Least - 1) / Least * Least));
    return give(*p ? Ok : ErrorOutOfMemory);
}

static int host_free(const char *call, void *p)
{
    int r = ready(call);
    if (p && standin_end("host memory", p, call))
        free(p);
    return r;
}

int API(HostGetDevicePointer)(void **at, void *p, unsigned flags)
{
    int r = ready("HostGetDevicePointer");
    if (r || flags || !standin_is("host memory", p, PREFIX "HostGetDevicePointer"))
        return give(r ? r : ErrorInvalidValue);
    *at = p;
    return Ok;
}

#ifdef STANDIN_MACA
int mcMallocHost(void **p, size_t n) { return host_alloc("MallocHost", p, n); }
int mcFreeHost(void *p) { return host_free("FreeHost", p); }
#else
int hipHostMalloc(void **p, size_t n, unsigned flags)
{
    (void)flags;
    return host_alloc("HostMalloc", p, n);
}
int hipHostFree(void *p) { return host_free("HostFree", p); }
#endif
#endif

int API(DeviceSynchronize)(void) { return ready("DeviceSynchronize"); }
int API(GetLastError)(void) { int r = last; last = Ok; return r; }

/* Events -------------------------------------------------------------------------- */

int API(EventCreate)(void **e)
{
    int r = ready("EventCreate");
    if (!r)
        *e = standin_made("event", calloc(1, sizeof(double)));
    return r;
}

int API(EventDestroy)(void *e)
{
    int r = ready("EventDestroy");
    if (!standin_end("event", e, PREFIX "EventDestroy"))
        return give(ErrorInvalidHandle);
    free(e);
    return r;
}

int API(EventRecord)(void *e, void *stream)
{
    struct timespec t;
    double ms;
    int r = ready("EventRecord");
    (void)stream;
    if (r || !standin_is("event", e, PREFIX "EventRecord"))
        return give(r ? r : ErrorInvalidHandle);
    clock_gettime(CLOCK_MONOTONIC, &t);
    ms = (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
    memcpy(e, &ms, sizeof ms);
    return Ok;
}

int API(EventSynchronize)(void *e)
{
    int r = ready("EventSynchronize");
    return r || standin_is("event", e, PREFIX "EventSynchronize") ? r : give(ErrorInvalidHandle);
}

/* Events that were never recorded have no time. */
int API(EventElapsedTime)(float *ms, void *a, void *b)
{
    double from, to;
    int r = ready("EventElapsedTime");
    if (r || !standin_is("event", a, PREFIX "EventElapsedTime") ||
        !standin_is("event", b, PREFIX "EventElapsedTime"))
        return give(r ? r : ErrorInvalidHandle);
    memcpy(&from, a, sizeof from);
    memcpy(&to, b, sizeof to);
    if (from == 0 || to == 0)
        return give(ErrorInvalidHandle);
    *ms = (float)(to - from);
    return Ok;
}

/* Modules -------------------------------------------------------------------------- */

typedef struct Module Module;
struct Module { void *handle; const StandinModule *m; };
typedef struct Function Function;
struct Function { const Module *of; const StandinKernel *k; };

/* Bytes of a shared object: its table of sections stands behind all of it. */
static size_t object_size(const unsigned char *p)
{
    uint64_t at;
    uint16_t each, n;
    if (memcmp(p, "\177ELF", 4) != 0)
        return 0;
    memcpy(&at, p + 40, sizeof at);
    memcpy(&each, p + 58, sizeof each);
    memcpy(&n, p + 60, sizeof n);
    return (size_t)at + (size_t)each * n;
}

/* What mcrtc gives has a head: its magic, a version, where the code begins, its size. */
static const unsigned char *unwrapped(const void *data)
{
    uint32_t head[3];
    memcpy(head, data, sizeof head);
    return head[0] == 0x0b17c0de ? (const unsigned char *)data + head[2] : data;
}

static void *load_object(const unsigned char *p, size_t n)
{
    char path[] = "/tmp/standin-XXXXXX"; /* dlopen() knows objects by their names */
    int fd = mkstemp(path);
    void *h = NULL;
    if (fd >= 0 && write(fd, p, n) == (ssize_t)n) {
        h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!h)
            note("load: %s\n", dlerror());
    }
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    return h;
}

#ifndef STANDIN_LACKS_MODULES
int API(ModuleLoadData)(void **out, const void *data)
{
    int r = ready("ModuleLoadData"), plan = r ? r : planned("STANDIN_LOAD");
    const unsigned char *p = unwrapped(data);
    size_t n = object_size(p);
    Module *m = plan || !n ? NULL : calloc(1, sizeof *m);
    if (m)
        m->handle = load_object(p, n);
    if (m && m->handle)
        m->m = dlsym(m->handle, "standin_module");
    if (!m || !m->m) {
        free(m);
        return give(plan ? plan : ErrorInvalidImage);
    }
    *out = standin_made("module", m);
    note("module %d kernels\n", m->m->nkernel);
    return Ok;
}
#endif

/* Its functions are of no use behind it. */
int API(ModuleUnload)(void *mod)
{
    Module *m = mod;
    int r = ready("ModuleUnload");
    if (!standin_end("module", m, PREFIX "ModuleUnload"))
        return give(ErrorInvalidHandle);
    dlclose(m->handle);
    free(m);
    return r;
}

int API(ModuleGetFunction)(void **out, void *mod, const char *name)
{
    const Module *m = mod;
    int r = ready("ModuleGetFunction");
    if (!r && !standin_is("module", m, PREFIX "ModuleGetFunction"))
        return give(ErrorInvalidHandle);
    for (int i = 0; !r && i < m->m->nkernel; i++)
        if (strcmp(m->m->kernel[i].name, name) == 0) {
            Function *f = malloc(sizeof *f); /* as long as the process */
            if (!f)
                return give(ErrorOutOfMemory);
            *f = (Function){m, &m->m->kernel[i]};
            *out = standin_made("function", f);
            return Ok;
        }
    return give(r ? r : ErrorNotFound);
}

/* NULL: it is none, or its module is gone. */
static const Function *function(const void *fn, const char *call)
{
    const Function *f = fn;
    return standin_is("function", f, call) && standin_is("module", f->of, call) ? f : NULL;
}

#ifndef STANDIN_MACA
int hipFuncGetAttribute(int *v, int a, void *fn)
{
    int r = turn("FuncGetAttribute");
    const Function *f = r ? NULL : function(fn, "hipFuncGetAttribute");
    if (!f)
        return give(r ? r : ErrorInvalidHandle);
    switch (a) {
    case 0: *v = f->k->bound ? f->k->bound : 1024; return Ok;
    case 1: case 3: *v = 0; return Ok;
    case 4: *v = 32; return Ok;
    default: return give(ErrorInvalidValue);
    }
}

/* Blocks that a compute unit holds. */
static int resident(int threads, size_t shared)
{
    int n = shared ? (int)(65536 / shared) : 8;
    return n > 2048 / threads ? 2048 / threads : n;
}

int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *n, void *f, int threads, size_t shared)
{
    int r = turn("ModuleOccupancyMaxActiveBlocksPerMultiprocessor");
    if (r || !function(f, "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor"))
        return give(r ? r : ErrorInvalidHandle);
    *n = resident(threads, shared);
    return Ok;
}
#endif

/* Launches ------------------------------------------------------------------------- */

enum { MostParams = 64 };

/* The addresses of the parameters in a packed buffer. */
static int unpack(const StandinKernel *k, void **extra, void **out)
{
    char *buf = NULL;
    size_t size = 0, at = 0;
    for (int i = 0; (uintptr_t)extra[i] != 3; i += 2)
        if ((uintptr_t)extra[i] == 1)
            buf = extra[i + 1];
        else if ((uintptr_t)extra[i] == 2)
            size = *(size_t *)extra[i + 1];
        else
            return ErrorInvalidValue;
    for (int i = 0; i < k->nparam; i++) {
        size_t n = (size_t)k->size[i];
        at = (at + n - 1) / n * n;
        out[i] = buf + at;
        at += n;
    }
    return buf && at == size ? Ok : ErrorInvalidValue;
}

/* Limits of a launch; MACA's kernels without bounds are for 512 threads. */
static int allowed(const StandinGrid *g)
{
    unsigned most = (unsigned)number("STANDIN_THREADS", 1024);
    unsigned shared = (unsigned)number("STANDIN_SHARED", 65536);
    if (!g->threads || g->threads > most || !g->grid[0] || !g->grid[1] || !g->grid[2] ||
        (uint64_t)g->grid[0] * g->threads > UINT32_MAX || g->grid[1] > 65535 || g->grid[2] > 65535)
        return ErrorInvalidConfiguration;
    if (g->shared > shared)
        return ErrorInvalidValue;
    if (g->k->bound && g->threads > (unsigned)g->k->bound)
        return ErrorLaunchFailure;
    return Ok;
}

static int faulted(int r)
{
    stuck = r;
    if (getenv("STANDIN_ABORT"))
        abort();
    return Ok; /* it is seen when somebody waits for it */
}

static int launch(void *fn, const unsigned n[7], void **params, void **extra, bool together)
{
    const char *form = getenv("STANDIN_FORM");
    void *list[MostParams];
    int r = ready(together ? "ModuleLaunchCooperativeKernel" : "ModuleLaunchKernel");
    const Function *f = r ? NULL : function(fn, "a launch");
    if (!f || f->k->nparam > MostParams)
        return give(r ? r : ErrorInvalidHandle);
    if (form && strcmp(form, extra ? "params" : "extra") == 0)
        return give(ErrorInvalidValue);
    if (extra && (r = unpack(f->k, extra, list)) != Ok)
        return give(r);
    StandinGrid g = {f->of->m, f->k, extra ? list : params, {n[0], n[1], n[2]}, n[3], n[6],
                     lanes()};
    note("launch %s grid %u %u %u threads %u shared %u%s%s\n", f->k->name, n[0], n[1], n[2], n[3],
         n[6], extra ? " packed" : "", together ? " together" : "");
    mishap(f->k->name);
    r = n[4] != 1 || n[5] != 1 ? ErrorInvalidConfiguration : allowed(&g);
    r = r ? r : planned("STANDIN_LAUNCH");
#ifndef STANDIN_MACA
    if (!r && f->k->resident && !together) /* its blocks wait for each other */
        r = ErrorNotSupported;
#endif
    int fault = r ? Ok : planned("STANDIN_FAULT");
    if (r || fault)
        return r ? give(r) : faulted(fault);
    const char *why = standin_run(&g);
    if (why) {
        note("fault: %s\n", why);
        return faulted(named(why));
    }
    return Ok;
}

int API(ModuleLaunchKernel)(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                            unsigned by, unsigned bz, unsigned shared, void *stream, void **params,
                            void **extra)
{
    unsigned n[7] = {gx, gy, gz, bx, by, bz, shared};
    (void)stream;
    if ((params != NULL) == (extra != NULL))
        return give(ErrorInvalidValue);
    return launch(f, n, params, extra, false);
}

#ifndef STANDIN_MACA
int hipModuleLaunchCooperativeKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                     unsigned by, unsigned bz, unsigned shared, void *stream,
                                     void **params)
{
    unsigned n[7] = {gx, gy, gz, bx, by, bz, shared};
    (void)stream;
    if ((long)gx * gy * gz > (long)resident((int)bx, shared) * number("STANDIN_CUS", 8))
        return give(ErrorCooperativeLaunchTooLarge);
    return launch(f, n, params, NULL, true);
}
#endif
