/* targets/gpu/driver.h: the run-time of HIP or MACA, and its compiler, by dlopen.
 *
 * The declarations that are used are ours: no vendor headers are needed to build
 * moontile.  Names and arguments are those of both interfaces, which differ in their
 * prefixes alone; numbers are HIP's, and used only where they are known. */
#ifndef MOONTILE_GPU_DRIVER_H
#define MOONTILE_GPU_DRIVER_H

#include "vendor.h"

typedef int GpuResult;      /* hipError_t, mcError_t */
enum { GpuOk = 0 };
enum { GpuToDevice = 1, GpuToHost = 2, GpuOnDevice = 3 }; /* Memcpy */
enum { GpuHostPortable = 1, GpuHostMapped = 2 };           /* HostMalloc */

/* hipDeviceGetAttribute; not for MACA, whose numbers are not known. */
enum {
    GpuAclock_khz = 5, GpuAl2 = 19, GpuAmax_threads = 56, GpuAbus_bits = 59,
    GpuAmemory_khz = 60, GpuAsms = 63, GpuAshared = 74, GpuAwarp = 87
};
/* hipFuncGetAttribute; likewise. */
enum { GpuFmax_threads = 0, GpuFshared = 1, GpuFlocal = 3, GpuFregs = 4 };

/* GPU_FN(member, "names without the prefix, best first", must, result, (arguments)) */
#define GPU_FNS \
    GPU_FN(SetDevice, "SetDevice", true, GpuResult, (int)) \
    GPU_FN(GetDeviceCount, "GetDeviceCount", true, GpuResult, (int *)) \
    GPU_FN(DeviceGetName, "DeviceGetName", true, GpuResult, (char *, int, int)) \
    GPU_FN(DeviceGetAttribute, "DeviceGetAttribute", false, GpuResult, (int *, int, int)) \
    GPU_FN(GetDeviceProperties, "GetDevicePropertiesR0600 GetDeviceProperties", false, \
            GpuResult, (void *, int)) \
    GPU_FN(MemGetInfo, "MemGetInfo", true, GpuResult, (size_t *, size_t *)) \
    GPU_FN(RuntimeGetVersion, "RuntimeGetVersion", false, GpuResult, (int *)) \
    GPU_FN(DriverGetVersion, "DriverGetVersion", false, GpuResult, (int *)) \
    GPU_FN(GetErrorName, "GetErrorName", true, const char *, (GpuResult)) \
    GPU_FN(GetErrorString, "GetErrorString", true, const char *, (GpuResult)) \
    GPU_FN(GetLastError, "GetLastError", false, GpuResult, (void)) \
    GPU_FN(Malloc, "Malloc", true, GpuResult, (void **, size_t)) \
    GPU_FN(Free, "Free", true, GpuResult, (void *)) \
    GPU_FN(Memcpy, "Memcpy", true, GpuResult, (void *, const void *, size_t, int)) \
    GPU_FN(Memset, "Memset", false, GpuResult, (void *, int, size_t)) \
    GPU_FN(MemsetAsync, "MemsetAsync", false, GpuResult, (void *, int, size_t, void *)) \
    GPU_FN(HostMalloc, "HostMalloc", false, GpuResult, (void **, size_t, unsigned)) \
    GPU_FN(MallocHost, "MallocHost", false, GpuResult, (void **, size_t)) \
    GPU_FN(FreeHost, "HostFree FreeHost", false, GpuResult, (void *)) \
    GPU_FN(HostGetDevicePointer, "HostGetDevicePointer", false, GpuResult, \
            (void **, void *, unsigned)) \
    GPU_FN(DeviceSynchronize, "DeviceSynchronize", true, GpuResult, (void)) \
    GPU_FN(EventCreate, "EventCreate", true, GpuResult, (void **)) \
    GPU_FN(EventDestroy, "EventDestroy", true, GpuResult, (void *)) \
    GPU_FN(EventRecord, "EventRecord", true, GpuResult, (void *, void *)) \
    GPU_FN(EventSynchronize, "EventSynchronize", true, GpuResult, (void *)) \
    GPU_FN(EventElapsedTime, "EventElapsedTime", true, GpuResult, (float *, void *, void *)) \
    GPU_FN(ModuleLoadData, "ModuleLoadData", true, GpuResult, (void **, const void *)) \
    GPU_FN(ModuleUnload, "ModuleUnload", true, GpuResult, (void *)) \
    GPU_FN(ModuleGetFunction, "ModuleGetFunction", true, GpuResult, \
            (void **, void *, const char *)) \
    GPU_FN(ModuleLaunchKernel, "ModuleLaunchKernel", true, GpuResult, \
            (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
             void *, void **, void **)) \
    GPU_FN(ModuleLaunchCooperativeKernel, "ModuleLaunchCooperativeKernel", false, GpuResult, \
            (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
             void *, void **)) \
    GPU_FN(FuncGetAttribute, "FuncGetAttribute", false, GpuResult, (int *, int, void *)) \
    GPU_FN(Occupancy, "ModuleOccupancyMaxActiveBlocksPerMultiprocessor", false, GpuResult, \
            (int *, void *, int, size_t))

typedef struct GpuDriver GpuDriver;
struct GpuDriver {
    const GpuVendor *v;
    void *handle;        /* of dlopen; NULL: not opened */
    int version;         /* as RuntimeGetVersion says; 0: it does not */
    char path[512];      /* where it was found */
#define GPU_FN(name, symbols, must, result, args) result (*name) args;
    GPU_FNS
#undef GPU_FN
};

/* driver.c: NULL, or an error for struct Device. */
char *gpu_driver_open(GpuDriver *u, const GpuVendor *v);
const char *gpu_error(const GpuDriver *u, GpuResult r); /* "hipErrorOutOfMemory" */
/* The same without the vendor's prefix: "ErrorOutOfMemory". */
const char *gpu_error_name(const GpuDriver *u, GpuResult r);

/* The compiler --------------------------------------------------------------- */

#define GPU_RTC_FNS \
    GPU_RTC_FN(Version, "Version", (int *, int *)) \
    GPU_RTC_FN(Create, "CreateProgram", \
                (void **, const char *, const char *, int, const char *const *, \
                 const char *const *)) \
    GPU_RTC_FN(Destroy, "DestroyProgram", (void **)) \
    GPU_RTC_FN(Compile, "CompileProgram", (void *, int, const char *const *)) \
    GPU_RTC_FN(LogSize, "GetProgramLogSize", (void *, size_t *)) \
    GPU_RTC_FN(Log, "GetProgramLog", (void *, char *))

enum { GpuRtcRefused = 6 }; /* the text does not compile */

typedef struct GpuRtc GpuRtc;
struct GpuRtc {
    const GpuVendor *v;
    void *handle;           /* of dlopen; NULL: not open, or the offline compiler serves */
    bool own;               /* a library of its own, to be closed */
    char *tool;             /* path of the offline compiler, where it serves */
    char path[512];         /* of the library */
    char name[128];         /* "hiprtc 9.0", "mxcc 1.0.0": part of the key of what it made */
    Str why;                /* the library does not serve: why */
#define GPU_RTC_FN(name, symbol, args) int (*name) args;
    GPU_RTC_FNS
#undef GPU_RTC_FN
    int (*CodeSize)(void *, size_t *);
    int (*Code)(void *, char *);
};

/* rtc.c.  u: the run-time, which may have the functions itself; or closed.  library
 * false: the offline compiler.  NULL, or an error for struct Device. */
char *gpu_rtc_open(GpuRtc *t, const GpuVendor *v, const GpuDriver *u, bool library);
void gpu_rtc_close(GpuRtc *t);

typedef struct GpuCompiled GpuCompiled;
struct GpuCompiled {
    Str code, log;
    double ms;
};
enum GpuOutcome {
    RTCmade,
    RTCrefused,  /* the text does not compile: the log says why */
    RTCbroken    /* the compiler itself fails: *err */
};
enum GpuOutcome gpu_compile(const GpuRtc *t, const char *text, const GpuOptions *o,
                              const Cache *k, GpuCompiled *out, char **err);
void gpu_compiled_free(GpuCompiled *c);

#endif
