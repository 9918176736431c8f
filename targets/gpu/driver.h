/* targets/gpu/driver.h: a vendor's driver, and its compiler, by dlopen.
 *
 * The declarations that are used are ours: no vendor headers are needed to build
 * moontile, and one program runs with several versions of a driver.  Addresses of the
 * device are numbers here; where a vendor has pointers, they are the same to a call. */
#ifndef MOONTILE_GPU_DRIVER_H
#define MOONTILE_GPU_DRIVER_H

#include <limits.h>

#include "vendor.h"

typedef int GpuResult;       /* CUresult, hipError_t, mcError_t */
typedef uint64_t GpuAddress;
enum { GpuOk = 0 };
enum { GpuOdd = INT_MIN };   /* ours: the call says that it is well, and gives what cannot be */
static inline GpuResult gpu_given(GpuResult r, bool can_be)
{
    return r == GpuOk && !can_be ? GpuOdd : r;
}
enum { GpuToDevice = 1, GpuToHost = 2, GpuOnDevice = 3 };          /* Memcpy */
enum { GpuHostPortable = 1, GpuHostMapped = 2 };                   /* MemHostAlloc */
enum { GpuNonblocking = 1 };                                       /* StreamCreate */
enum { GpuWaitGeq = 0 };     /* StreamWaitValue32: until *at - value >= 0 */
enum { GpuNoTiming = 2 };                                          /* EventCreate */
enum { GpuExclusiveProcess = 3 };                                  /* value of compute_mode */
enum { GpuDynamicShared = 8, GpuNonportableCluster = 14 };         /* FuncSetAttribute */

typedef struct GpuLaunchAttribute GpuLaunchAttribute;
struct GpuLaunchAttribute {
    int id;
    char pad[4];
    union { char bytes[64]; int cooperative; uint64_t align; } value;
};
enum { GpuCooperative = 2 }; /* GpuLaunchAttribute.id */
typedef struct GpuLaunchConfig GpuLaunchConfig;
struct GpuLaunchConfig {
    unsigned grid[3], block[3], shared;
    void *stream;
    GpuLaunchAttribute *attr;
    unsigned nattr;
};

#define GPU_LAUNCH_ARGS \
    void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **

/* GPU_FN(member, names with the driver's interface, since, names with HIP's, must, arguments):
 * every entry point that is used, its names without the prefix, best first; "": that interface
 * has none.  since: the version (1000 * major + 10 * minor) that brought it, for a message; 0,
 * and false for `must`: it may be missing, and is NULL then. */
#define GPU_FNS \
    GPU_FN(Init, "Init", 2000, "", false, (unsigned)) \
    GPU_FN(Version, "DriverGetVersion", 2020, "", false, (int *)) \
    GPU_FN(ErrorName, "GetErrorName", 6000, "", false, (GpuResult, const char **)) \
    GPU_FN(SetDevice, "", 0, "SetDevice", true, (int)) \
    GPU_FN(DeviceGetCount, "DeviceGetCount", 2000, "GetDeviceCount", true, (int *)) \
    GPU_FN(DeviceGet, "DeviceGet", 2000, "", false, (int *, int)) \
    GPU_FN(DeviceGetName, "DeviceGetName", 2000, "DeviceGetName", true, (char *, int, int)) \
    GPU_FN(DeviceGetAttribute, "DeviceGetAttribute", 2000, "DeviceGetAttribute", false, \
           (int *, int, int)) \
    GPU_FN(GetDeviceProperties, "", 0, "GetDevicePropertiesR0600 GetDeviceProperties", false, \
           (void *, int)) \
    GPU_FN(DeviceTotalMem, "DeviceTotalMem_v2", 3020, "", false, (size_t *, int)) \
    GPU_FN(DeviceGetUuid, "DeviceGetUuid_v2 DeviceGetUuid", 9020, "", false, (void *, int)) \
    GPU_FN(CtxRetain, "DevicePrimaryCtxRetain", 7000, "", false, (void **, int)) \
    GPU_FN(CtxRelease, "DevicePrimaryCtxRelease_v2", 11000, "", false, (int)) \
    GPU_FN(CtxSetCurrent, "CtxSetCurrent", 4000, "", false, (void *)) \
    GPU_FN(RuntimeGetVersion, "", 0, "RuntimeGetVersion", false, (int *)) \
    GPU_FN(DriverGetVersion, "", 0, "DriverGetVersion", false, (int *)) \
    GPU_FN(GetLastError, "", 0, "GetLastError", false, (void)) \
    GPU_FN(ModuleLoadDataEx, "ModuleLoadDataEx", 2010, "", false, \
           (void **, const void *, unsigned, int *, void **)) \
    GPU_FN(ModuleLoadData, "", 0, "ModuleLoadData", true, (void **, const void *)) \
    GPU_FN(ModuleUnload, "ModuleUnload", 2000, "ModuleUnload", true, (void *)) \
    GPU_FN(ModuleGetFunction, "ModuleGetFunction", 2000, "ModuleGetFunction", true, \
           (void **, void *, const char *)) \
    GPU_FN(MemAlloc, "MemAlloc_v2", 3020, "Malloc", true, (GpuAddress *, size_t)) \
    GPU_FN(MemFree, "MemFree_v2", 3020, "Free", true, (GpuAddress)) \
    GPU_FN(MemGetInfo, "MemGetInfo_v2", 3020, "MemGetInfo", true, (size_t *, size_t *)) \
    GPU_FN(Memcpy, "", 0, "Memcpy", true, (void *, const void *, size_t, int)) \
    GPU_FN(Memset, "", 0, "Memset", false, (GpuAddress, int, size_t)) \
    GPU_FN(MemsetAsync, "", 0, "MemsetAsync", false, (GpuAddress, int, size_t, void *)) \
    GPU_FN(MemHostAlloc, "MemHostAlloc", 2020, "HostMalloc", false, (void **, size_t, unsigned)) \
    GPU_FN(MallocHost, "", 0, "MallocHost", false, (void **, size_t)) \
    GPU_FN(MemFreeHost, "MemFreeHost", 2000, "HostFree FreeHost", false, (void *)) \
    GPU_FN(HostGetDevicePointer, "MemHostGetDevicePointer_v2", 3020, "HostGetDevicePointer", \
           false, (GpuAddress *, void *, unsigned)) \
    GPU_FN(MemcpyHtoDAsync, "MemcpyHtoDAsync_v2", 3020, "", false, \
           (GpuAddress, const void *, size_t, void *)) \
    GPU_FN(MemcpyDtoHAsync, "MemcpyDtoHAsync_v2", 3020, "", false, \
           (void *, GpuAddress, size_t, void *)) \
    GPU_FN(MemcpyDtoDAsync, "MemcpyDtoDAsync_v2", 3020, "", false, \
           (GpuAddress, GpuAddress, size_t, void *)) \
    GPU_FN(MemsetD8Async, "MemsetD8Async", 3020, "", false, \
           (GpuAddress, unsigned char, size_t, void *)) \
    GPU_FN(MemsetD32Async, "MemsetD32Async", 3020, "", false, \
           (GpuAddress, unsigned, size_t, void *)) \
    GPU_FN(DeviceSynchronize, "", 0, "DeviceSynchronize", true, (void)) \
    GPU_FN(StreamCreate, "StreamCreate", 2000, "", false, (void **, unsigned)) \
    GPU_FN(StreamDestroy, "StreamDestroy_v2", 4000, "", false, (void *)) \
    GPU_FN(StreamSynchronize, "StreamSynchronize", 2000, "", false, (void *)) \
    GPU_FN(StreamWaitValue32, "StreamWaitValue32_v2 StreamWaitValue32", 0, "", false, \
           (void *, GpuAddress, uint32_t, unsigned)) \
    GPU_FN(EventCreate, "EventCreate", 2000, "", false, (void **, unsigned)) \
    GPU_FN(EventNew, "", 0, "EventCreate", true, (void **)) \
    GPU_FN(EventDestroy, "EventDestroy_v2", 4000, "EventDestroy", true, (void *)) \
    GPU_FN(EventRecord, "EventRecord", 2000, "EventRecord", true, (void *, void *)) \
    GPU_FN(EventSynchronize, "EventSynchronize", 2000, "EventSynchronize", true, (void *)) \
    GPU_FN(EventElapsedTime, "EventElapsedTime_v2 EventElapsedTime", 2000, "EventElapsedTime", \
           true, (float *, void *, void *)) \
    GPU_FN(LaunchKernel, "LaunchKernel", 4000, "ModuleLaunchKernel", true, \
           (GPU_LAUNCH_ARGS, void **)) \
    GPU_FN(LaunchCooperativeKernel, "LaunchCooperativeKernel", 9000, \
           "ModuleLaunchCooperativeKernel", false, (GPU_LAUNCH_ARGS)) \
    GPU_FN(LaunchKernelEx, "LaunchKernelEx", 0, "", false, \
           (const GpuLaunchConfig *, void *, void **, void **)) \
    GPU_FN(TensorMapEncodeTiled, "TensorMapEncodeTiled", 0, "", false, \
           (void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, \
            const uint32_t *, const uint32_t *, int, int, int, int)) \
    GPU_FN(FuncGetAttribute, "FuncGetAttribute", 2020, "FuncGetAttribute", false, \
           (int *, int, void *)) \
    GPU_FN(FuncSetAttribute, "FuncSetAttribute", 9000, "", false, (void *, int, int)) \
    GPU_FN(Occupancy, "OccupancyMaxActiveBlocksPerMultiprocessor", 6050, \
           "ModuleOccupancyMaxActiveBlocksPerMultiprocessor", false, (int *, void *, int, size_t))

/* The same by number, for messages. */
enum GpuCall {
#define GPU_FN(name, driver, since, runtime, must, args) GC##name,
    GPU_FNS
#undef GPU_FN
    GpuCalls
};

typedef struct GpuDriver GpuDriver;
struct GpuDriver {
    const GpuVendor *v;
    void *handle;        /* of dlopen; NULL: not opened */
    int version;         /* 12040; 0: it does not say it */
    char path[512];      /* where it was found */
    void *stream;        /* everything but large copies goes here, in order; NULL: the device's */
    const char *(*GetErrorName)(GpuResult); /* HIP's interface */
#define GPU_FN(name, driver, since, runtime, must, args) GpuResult (*name) args;
    GPU_FNS
#undef GPU_FN
};

/* driver.c.  No error: the driver is started where it must be. */
DevError gpu_driver_open(GpuDriver *u, const GpuVendor *v);
/* "CUDA_ERROR_OUT_OF_MEMORY" "hipErrorOutOfMemory", also of a driver that is not open. */
const char *gpu_error(const GpuDriver *u, GpuResult r);
int gpu_error_number(GpuResult r); /* as the vendor counts them: 0 of GpuOdd */
/* "cuMemAlloc" "hipMalloc" */
const char *gpu_call_name(const GpuDriver *u, enum GpuCall call, char out[64]);
/* Optional entry points that it lacks, with commas between. */
void gpu_driver_lacks(const GpuDriver *u, Str *out);
/* Why it did not start: it said r. */
DevError gpu_init_failed(const GpuDriver *u, GpuResult r);
DevError gpu_no_device(const GpuDriver *u);

/* faults.c: what r means to the vendor; NULL: nothing that is known. */
const GpuFault *gpu_fault_of(const GpuDriver *u, GpuResult r);
bool gpu_fault_ends(const GpuDriver *u, GpuResult r); /* is the context lost with it? */
bool gpu_fault_is(const GpuDriver *u, GpuResult r, enum GpuFaultKind kind);

/* driver.c: what the two interfaces have in different forms. */
GpuResult gpu_wait(const GpuDriver *u);                           /* for all that is queued */
GpuResult gpu_zero(const GpuDriver *u, GpuAddress at, size_t n);  /* queued, where it can be */
/* The 8 bytes of fill over and over, likewise; at is a multiple of 8.  *call: which call did it. */
GpuResult gpu_fill(const GpuDriver *u, GpuAddress at, size_t n, uint64_t fill, enum GpuCall *call);
enum GpuCall gpu_zero_call(const GpuDriver *u);                   /* its name */
GpuResult gpu_event(const GpuDriver *u, void **event, unsigned flags);
GpuResult gpu_elapsed(const GpuDriver *u, float *ms, void *begin, void *end);
GpuResult gpu_pinned(const GpuDriver *u, void **p, size_t n, unsigned flags); /* host memory */
GpuResult gpu_function(const GpuDriver *u, void **fn, void *mod, const char *name);

/* The compiler --------------------------------------------------------------- */

#define GPU_RTC_FNS \
    GPU_RTC_FN(Version, "Version", true, (int *, int *)) \
    GPU_RTC_FN(Create, "CreateProgram", true, \
               (void **, const char *, const char *, int, const char *const *, \
                const char *const *)) \
    GPU_RTC_FN(Destroy, "DestroyProgram", true, (void **)) \
    GPU_RTC_FN(Compile, "CompileProgram", true, (void *, int, const char *const *)) \
    GPU_RTC_FN(LogSize, "GetProgramLogSize", true, (void *, size_t *)) \
    GPU_RTC_FN(Log, "GetProgramLog", true, (void *, char *)) \
    GPU_RTC_FN(NumArchs, "GetNumSupportedArchs", false, (int *)) \
    GPU_RTC_FN(Archs, "GetSupportedArchs", false, (int *))

enum { GpuRtcRefused = 6 }; /* the text does not compile */
enum { GpuRtcArchs = 64 };

typedef struct GpuRtc GpuRtc;
struct GpuRtc {
    const GpuVendor *v;
    void *handle;           /* of dlopen; NULL: not open, or the offline compiler serves */
    bool own;               /* a library of its own, to be closed */
    char *tool;             /* path of the offline compiler, where it serves */
    int version;            /* 13000; 0: not known */
    char path[512];         /* of the library */
    char name[128];         /* "NVRTC 13.0", "mxcc 1.0.0": part of the key of what it made */
    int arch[GpuRtcArchs], narch; /* it knows: 75, 80, 90 ..; none listed: any */
    Str why;                /* the library does not serve: why */
#define GPU_RTC_FN(name, symbol, must, args) int (*name) args;
    GPU_RTC_FNS
#undef GPU_RTC_FN
    struct { int (*size)(void *, size_t *); int (*get)(void *, char *); } code, assembly;
};

/* rtc.c.  u: the driver, whose library may have the functions itself; or closed.  arch: what
 * it shall know.  library false: the offline compiler. */
DevError gpu_rtc_open(GpuRtc *t, const GpuVendor *v, const GpuDriver *u, const char *arch,
                      bool library);
void gpu_rtc_close(GpuRtc *t);

typedef struct GpuCompiled GpuCompiled;
struct GpuCompiled {
    Str code, log;
    bool assembly;              /* it is none yet: the driver finishes it */
    char target[24];            /* what was compiled for: "sm_90a", "compute_90" */
    double ms;
};
enum GpuOutcome {
    RTCmade,
    RTCrefused,  /* the text does not compile: the log says why */
    RTCbroken    /* the compiler itself fails: *err */
};
enum GpuOutcome gpu_compile(const GpuRtc *t, const char *text, const GpuOptions *o,
                            const Cache *k, bool assembly, GpuCompiled *out, DevError *err);
void gpu_compiled_free(GpuCompiled *c);

#endif
