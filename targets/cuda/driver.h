/* targets/cuda/driver.h: libcuda and libnvidia-ml by dlopen.
 *
 * The declarations that we need of them, and no more, are ours: no CUDA headers
 * are needed to build moontile, and one program runs with the drivers of CUDA
 * 11, 12 and 13.  Names, types and numbers are those of the driver API. */
#ifndef MOONTILE_CUDA_DRIVER_H
#define MOONTILE_CUDA_DRIVER_H

#include "core/base/base.h"

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUuuid { unsigned char b[16]; } CUuuid;
typedef struct CUtensorMap { _Alignas(128) uint64_t opaque[16]; } CUtensorMap;

/* Results that are looked at by name. */
enum {
    CUok = 0, CUinvalid_value = 1, CUout_of_memory = 2, CUstub_library = 34,
    CUnewer_driver = 36, CUdevice_unavailable = 46, CUno_device = 100, CUinvalid_device = 101,
    CUinvalid_image = 200, CUno_binary = 209, CUecc = 214, CUinvalid_ptx = 218,
    CUnvlink = 220, CUno_jit = 221, CUunsupported_ptx = 222, CUcontained = 226,
    CUoperating_system = 304, CUinvalid_handle = 400, CUnot_found = 500, CUnot_ready = 600,
    CUillegal_address = 700, CUout_of_resources = 701, CUlaunch_timeout = 702,
    CUcontext_destroyed = 709, CUassert = 710, CUhardware_stack = 714,
    CUillegal_instruction = 715, CUmisaligned = 716, CUaddress_space = 717, CUinvalid_pc = 718,
    CUlaunch_failed = 719, CUcooperative_too_large = 720, CUnot_permitted = 800,
    CUnot_supported = 801, CUsystem_not_ready = 802, CUdriver_mismatch = 803,
    CUcompat = 804, CUmps_failed = 805, CUmps_last = 810, CUcluster_size = 912, CUunknown = 999
};

enum { /* cuDeviceGetAttribute */
    CUDmax_threads = 1, CUDmax_grid_x = 5, CUDmax_grid_y = 6, CUDmax_grid_z = 7,
    CUDclock_khz = 13, CUDsms = 16, CUDexec_timeout = 17, CUDcompute_mode = 20, CUDecc = 32,
    CUDmemory_khz = 36, CUDbus_bits = 37, CUDl2 = 38, CUDmajor = 75, CUDminor = 76,
    CUDshared_sm = 81, CUDregs_sm = 82, CUDcooperative = 95, CUDshared_optin = 97,
    CUDcluster = 120, CUDtensor_map = 127
};
enum { CUMexclusive_process = 3, CUMprohibited = 2 }; /* values of CUDcompute_mode */
enum { /* cuFuncGetAttribute, cuFuncSetAttribute */
    CUFmax_threads = 0, CUFshared = 1, CUFconst = 2, CUFlocal = 3, CUFregs = 4,
    CUFmax_dynamic_shared = 8, CUFnonportable_cluster = 14
};
enum { CUAcooperative = 2 }; /* CUlaunchAttribute.id */
enum { CUHportable = 1, CUHmapped = 2 }; /* cuMemHostAlloc */
enum { CUSnonblocking = 1 }; /* cuStreamCreate */
enum { CUWgeq = 0 }; /* cuStreamWaitValue32: until *at - value >= 0 */
enum { CUEno_timing = 2 }; /* cuEventCreate */

typedef struct CUlaunchAttribute CUlaunchAttribute;
struct CUlaunchAttribute {
    int id;
    char pad[4];
    union { char bytes[64]; int cooperative; uint64_t align; } value;
};
typedef struct CUlaunchConfig CUlaunchConfig;
struct CUlaunchConfig {
    unsigned grid[3], block[3], shared;
    CUstream stream;
    CUlaunchAttribute *attr;
    unsigned nattr;
};

/* CUDA_FN(name, symbols, since, (arguments)): every entry point that is used.
 * symbols: names to look for, best first, with a space between.  since: the
 * CUDA version (1000 * major + 10 * minor) that brought it, for a message; 0:
 * optional, NULL where it is missing. */
#define CUDA_FNS \
    CUDA_FN(Init, "cuInit", 2000, (unsigned)) \
    CUDA_FN(DriverGetVersion, "cuDriverGetVersion", 2020, (int *)) \
    CUDA_FN(GetErrorName, "cuGetErrorName", 6000, (CUresult, const char **)) \
    CUDA_FN(GetErrorString, "cuGetErrorString", 6000, (CUresult, const char **)) \
    CUDA_FN(DeviceGetCount, "cuDeviceGetCount", 2000, (int *)) \
    CUDA_FN(DeviceGet, "cuDeviceGet", 2000, (CUdevice *, int)) \
    CUDA_FN(DeviceGetName, "cuDeviceGetName", 2000, (char *, int, CUdevice)) \
    CUDA_FN(DeviceGetAttribute, "cuDeviceGetAttribute", 2000, (int *, int, CUdevice)) \
    CUDA_FN(DeviceTotalMem, "cuDeviceTotalMem_v2", 3020, (size_t *, CUdevice)) \
    CUDA_FN(DeviceGetUuid, "cuDeviceGetUuid_v2 cuDeviceGetUuid", 9020, (CUuuid *, CUdevice)) \
    CUDA_FN(CtxRetain, "cuDevicePrimaryCtxRetain", 7000, (CUcontext *, CUdevice)) \
    CUDA_FN(CtxRelease, "cuDevicePrimaryCtxRelease_v2", 11000, (CUdevice)) \
    CUDA_FN(CtxSetCurrent, "cuCtxSetCurrent", 4000, (CUcontext)) \
    CUDA_FN(CtxSynchronize, "cuCtxSynchronize", 2000, (void)) \
    CUDA_FN(ModuleLoadDataEx, "cuModuleLoadDataEx", 2010, \
            (CUmodule *, const void *, unsigned, int *, void **)) \
    CUDA_FN(ModuleUnload, "cuModuleUnload", 2000, (CUmodule)) \
    CUDA_FN(ModuleGetFunction, "cuModuleGetFunction", 2000, \
            (CUfunction *, CUmodule, const char *)) \
    CUDA_FN(FuncGetAttribute, "cuFuncGetAttribute", 2020, (int *, int, CUfunction)) \
    CUDA_FN(FuncSetAttribute, "cuFuncSetAttribute", 9000, (CUfunction, int, int)) \
    CUDA_FN(Occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", 6050, \
            (int *, CUfunction, int, size_t)) \
    CUDA_FN(LaunchKernel, "cuLaunchKernel", 4000, \
            (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
             CUstream, void **, void **)) \
    CUDA_FN(LaunchCooperativeKernel, "cuLaunchCooperativeKernel", 9000, \
            (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
             CUstream, void **)) \
    CUDA_FN(LaunchKernelEx, "cuLaunchKernelEx", 0, \
            (const CUlaunchConfig *, CUfunction, void **, void **)) \
    CUDA_FN(TensorMapEncodeTiled, "cuTensorMapEncodeTiled", 0, \
            (CUtensorMap *, int, uint32_t, void *, const uint64_t *, const uint64_t *, \
             const uint32_t *, const uint32_t *, int, int, int, int)) \
    CUDA_FN(MemAlloc, "cuMemAlloc_v2", 3020, (CUdeviceptr *, size_t)) \
    CUDA_FN(MemFree, "cuMemFree_v2", 3020, (CUdeviceptr)) \
    CUDA_FN(MemGetInfo, "cuMemGetInfo_v2", 3020, (size_t *, size_t *)) \
    CUDA_FN(MemHostAlloc, "cuMemHostAlloc", 2020, (void **, size_t, unsigned)) \
    CUDA_FN(MemFreeHost, "cuMemFreeHost", 2000, (void *)) \
    CUDA_FN(MemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2", 3020, \
            (CUdeviceptr *, void *, unsigned)) \
    CUDA_FN(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", 3020, \
            (CUdeviceptr, const void *, size_t, CUstream)) \
    CUDA_FN(MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", 3020, \
            (void *, CUdeviceptr, size_t, CUstream)) \
    CUDA_FN(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", 3020, \
            (CUdeviceptr, CUdeviceptr, size_t, CUstream)) \
    CUDA_FN(MemsetD8Async, "cuMemsetD8Async", 3020, \
            (CUdeviceptr, unsigned char, size_t, CUstream)) \
    CUDA_FN(MemsetD32Async, "cuMemsetD32Async", 3020, \
            (CUdeviceptr, unsigned, size_t, CUstream)) \
    CUDA_FN(StreamCreate, "cuStreamCreate", 2000, (CUstream *, unsigned)) \
    CUDA_FN(StreamDestroy, "cuStreamDestroy_v2", 4000, (CUstream)) \
    CUDA_FN(StreamSynchronize, "cuStreamSynchronize", 2000, (CUstream)) \
    CUDA_FN(StreamWaitValue32, "cuStreamWaitValue32_v2 cuStreamWaitValue32", 0, \
            (CUstream, CUdeviceptr, uint32_t, unsigned)) \
    CUDA_FN(EventCreate, "cuEventCreate", 2000, (CUevent *, unsigned)) \
    CUDA_FN(EventDestroy, "cuEventDestroy_v2", 4000, (CUevent)) \
    CUDA_FN(EventRecord, "cuEventRecord", 2000, (CUevent, CUstream)) \
    CUDA_FN(EventSynchronize, "cuEventSynchronize", 2000, (CUevent)) \
    CUDA_FN(EventElapsedTime, "cuEventElapsedTime_v2 cuEventElapsedTime", 2000, \
            (float *, CUevent, CUevent))

typedef struct CudaDriver CudaDriver;
struct CudaDriver {
    void *handle;        /* of dlopen; NULL: not opened */
    int version;         /* 12040: the newest CUDA it can serve */
    char path[512];      /* where it was found */
#define CUDA_FN(name, symbols, since, args) CUresult (*name) args;
    CUDA_FNS
#undef CUDA_FN
};

/* driver.c: opens the driver and initialises it.  NULL, or an error for struct
 * Device.  $MOONTILE_CUDA_LIB names the library instead of the usual places. */
char *driver_open(CudaDriver *u);
/* "CUDA_ERROR_OUT_OF_MEMORY", also of a driver that is not open. */
const char *driver_error(const CudaDriver *u, CUresult r);

/* NVML: clocks and power.  Optional: all of it does nothing where it is missing. */
typedef struct Nvml Nvml;
struct Nvml {
    void *handle, *device;
    int (*shutdown)(void);
    int (*clock)(void *device, int type, unsigned *mhz);
    int (*power)(void *device, unsigned *milliwatt);
    int (*version)(char *s, unsigned n);
};
void nvml_open(Nvml *n, const CUuuid *uuid);
void nvml_close(Nvml *n);
double nvml_mhz(const Nvml *n);   /* of the multiprocessors, now; 0: unknown */
double nvml_watts(const Nvml *n); /* 0: unknown */
bool nvml_driver(const Nvml *n, char *out, size_t size); /* "570.86.15" */

#endif
