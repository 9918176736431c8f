/* targets/wave/driver.h: the run-time of HIP or MACA, and its compiler, by dlopen.
 *
 * The declarations that are used are ours: no vendor headers are needed to build
 * moontile.  Names and arguments are those of both interfaces, which differ in their
 * prefixes alone; numbers are HIP's, and used only where they are known. */
#ifndef MOONTILE_WAVE_DRIVER_H
#define MOONTILE_WAVE_DRIVER_H

#include "wave.h"

typedef int WaveResult;      /* hipError_t, mcError_t */
enum { WaveOk = 0 };
enum { WaveToDevice = 1, WaveToHost = 2, WaveOnDevice = 3 }; /* Memcpy */
enum { WaveHostPortable = 1, WaveHostMapped = 2 };           /* HostMalloc */

/* hipDeviceGetAttribute; not for MACA, whose numbers are not known. */
enum {
    WaveAclock_khz = 5, WaveAl2 = 19, WaveAmax_threads = 56, WaveAbus_bits = 59,
    WaveAmemory_khz = 60, WaveAsms = 63, WaveAshared = 74, WaveAwarp = 87
};
/* hipFuncGetAttribute; likewise. */
enum { WaveFmax_threads = 0, WaveFshared = 1, WaveFlocal = 3, WaveFregs = 4 };

/* WAVE_FN(member, "names without the prefix, best first", must, result, (arguments)) */
#define WAVE_FNS \
    WAVE_FN(SetDevice, "SetDevice", true, WaveResult, (int)) \
    WAVE_FN(GetDeviceCount, "GetDeviceCount", true, WaveResult, (int *)) \
    WAVE_FN(DeviceGetName, "DeviceGetName", true, WaveResult, (char *, int, int)) \
    WAVE_FN(DeviceGetAttribute, "DeviceGetAttribute", false, WaveResult, (int *, int, int)) \
    WAVE_FN(GetDeviceProperties, "GetDevicePropertiesR0600 GetDeviceProperties", false, \
            WaveResult, (void *, int)) \
    WAVE_FN(MemGetInfo, "MemGetInfo", true, WaveResult, (size_t *, size_t *)) \
    WAVE_FN(RuntimeGetVersion, "RuntimeGetVersion", false, WaveResult, (int *)) \
    WAVE_FN(DriverGetVersion, "DriverGetVersion", false, WaveResult, (int *)) \
    WAVE_FN(GetErrorName, "GetErrorName", true, const char *, (WaveResult)) \
    WAVE_FN(GetErrorString, "GetErrorString", true, const char *, (WaveResult)) \
    WAVE_FN(GetLastError, "GetLastError", false, WaveResult, (void)) \
    WAVE_FN(Malloc, "Malloc", true, WaveResult, (void **, size_t)) \
    WAVE_FN(Free, "Free", true, WaveResult, (void *)) \
    WAVE_FN(Memcpy, "Memcpy", true, WaveResult, (void *, const void *, size_t, int)) \
    WAVE_FN(Memset, "Memset", false, WaveResult, (void *, int, size_t)) \
    WAVE_FN(MemsetAsync, "MemsetAsync", false, WaveResult, (void *, int, size_t, void *)) \
    WAVE_FN(HostMalloc, "HostMalloc", false, WaveResult, (void **, size_t, unsigned)) \
    WAVE_FN(MallocHost, "MallocHost", false, WaveResult, (void **, size_t)) \
    WAVE_FN(FreeHost, "HostFree FreeHost", false, WaveResult, (void *)) \
    WAVE_FN(HostGetDevicePointer, "HostGetDevicePointer", false, WaveResult, \
            (void **, void *, unsigned)) \
    WAVE_FN(DeviceSynchronize, "DeviceSynchronize", true, WaveResult, (void)) \
    WAVE_FN(EventCreate, "EventCreate", true, WaveResult, (void **)) \
    WAVE_FN(EventDestroy, "EventDestroy", true, WaveResult, (void *)) \
    WAVE_FN(EventRecord, "EventRecord", true, WaveResult, (void *, void *)) \
    WAVE_FN(EventSynchronize, "EventSynchronize", true, WaveResult, (void *)) \
    WAVE_FN(EventElapsedTime, "EventElapsedTime", true, WaveResult, (float *, void *, void *)) \
    WAVE_FN(ModuleLoadData, "ModuleLoadData", true, WaveResult, (void **, const void *)) \
    WAVE_FN(ModuleUnload, "ModuleUnload", true, WaveResult, (void *)) \
    WAVE_FN(ModuleGetFunction, "ModuleGetFunction", true, WaveResult, \
            (void **, void *, const char *)) \
    WAVE_FN(ModuleLaunchKernel, "ModuleLaunchKernel", true, WaveResult, \
            (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
             void *, void **, void **)) \
    WAVE_FN(ModuleLaunchCooperativeKernel, "ModuleLaunchCooperativeKernel", false, WaveResult, \
            (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
             void *, void **)) \
    WAVE_FN(FuncGetAttribute, "FuncGetAttribute", false, WaveResult, (int *, int, void *)) \
    WAVE_FN(Occupancy, "ModuleOccupancyMaxActiveBlocksPerMultiprocessor", false, WaveResult, \
            (int *, void *, int, size_t))

typedef struct WaveDriver WaveDriver;
struct WaveDriver {
    const WaveVendor *v;
    void *handle;        /* of dlopen; NULL: not opened */
    int version;         /* as RuntimeGetVersion says; 0: it does not */
    char path[512];      /* where it was found */
#define WAVE_FN(name, symbols, must, result, args) result (*name) args;
    WAVE_FNS
#undef WAVE_FN
};

/* driver.c: NULL, or an error for struct Device. */
char *wave_driver_open(WaveDriver *u, const WaveVendor *v);
const char *wave_error(const WaveDriver *u, WaveResult r); /* "hipErrorOutOfMemory" */
/* The same without the vendor's prefix: "ErrorOutOfMemory". */
const char *wave_error_name(const WaveDriver *u, WaveResult r);

/* The compiler --------------------------------------------------------------- */

#define WAVE_RTC_FNS \
    WAVE_RTC_FN(Version, "Version", (int *, int *)) \
    WAVE_RTC_FN(Create, "CreateProgram", \
                (void **, const char *, const char *, int, const char *const *, \
                 const char *const *)) \
    WAVE_RTC_FN(Destroy, "DestroyProgram", (void **)) \
    WAVE_RTC_FN(Compile, "CompileProgram", (void *, int, const char *const *)) \
    WAVE_RTC_FN(LogSize, "GetProgramLogSize", (void *, size_t *)) \
    WAVE_RTC_FN(Log, "GetProgramLog", (void *, char *))

enum { WaveRtcRefused = 6 }; /* the text does not compile */

typedef struct WaveRtc WaveRtc;
struct WaveRtc {
    const WaveVendor *v;
    void *handle;           /* of dlopen; NULL: not open, or the offline compiler serves */
    bool own;               /* a library of its own, to be closed */
    char *tool;             /* path of the offline compiler, where it serves */
    char path[512];         /* of the library */
    char name[128];         /* "hiprtc 9.0", "mxcc 1.0.0": part of the key of what it made */
    Str why;                /* the library does not serve: why */
#define WAVE_RTC_FN(name, symbol, args) int (*name) args;
    WAVE_RTC_FNS
#undef WAVE_RTC_FN
    int (*CodeSize)(void *, size_t *);
    int (*Code)(void *, char *);
};

/* rtc.c.  u: the run-time, which may have the functions itself; or closed.  library
 * false: the offline compiler.  NULL, or an error for struct Device. */
char *wave_rtc_open(WaveRtc *t, const WaveVendor *v, const WaveDriver *u, bool library);
void wave_rtc_close(WaveRtc *t);

typedef struct WaveCompiled WaveCompiled;
struct WaveCompiled {
    Str code, log;
    double ms;
};
enum WaveOutcome {
    WOmade,
    WOrefused,  /* the text does not compile: the log says why */
    WObroken    /* the compiler itself fails: *err */
};
enum WaveOutcome wave_compile(const WaveRtc *t, const char *text, const WaveOptions *o,
                              const Cache *k, WaveCompiled *out, char **err);
void wave_compiled_free(WaveCompiled *c);

#endif
