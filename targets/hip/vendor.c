/* targets/hip/vendor.c: the run-time of AMD's HIP as data.
 *
 * Reference: vendor-targets.md 1.1, 1.2, 3.1, 3.2, 10.1 and 10.4: read in the sources of
 * those who use it.  Nothing of it has been tried on a card of ours. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hip.h"
#include "machines.h"

/* Hygon's chips have HIP and other matrix instructions than AMD's. */
static const GpuArch hip_arch[] = {
    {"gfx942", &machine_gfx942, "gfx942", "gfx942", 0, 256, false},
    {"gfx90a", &machine_gfx90a, "gfx90a", "gfx90a", 0, 0, false},
    {"gfx1100", &machine_gfx1100, "gfx1100", "gfx1100", 0, 96, false},
    {"gfx1101", &machine_gfx1100, "gfx1101", "gfx1101", 0, 64, false},
    {"gfx1102", &machine_gfx1100, "gfx1102", "gfx1102", 0, 32, false},
    {"gfx1103", &machine_gfx1100, "gfx1103", "gfx1103", 0, 0, false},
    {"gfx1150", &machine_gfx1100, "gfx1150", "gfx1150", 0, 0, false},
    {"gfx1151", &machine_gfx1100, "gfx1151", "gfx1151", 0, 32, false},
    {"gfx928", &machine_gfx90a, "gfx928", "gfx928", 0, 0, true},
    {"gfx936", &machine_gfx90a, "gfx936", "gfx936", 0, 0, true},
    {"gfx938", &machine_gfx90a, "gfx938", "gfx938", 0, 0, true},
    {"gfx92a", &machine_gfx90a, "gfx92a", "gfx92a", 0, 0, true},
    {"gfx946", &machine_gfx90a, "gfx946", "gfx946", 0, 0, true},
};

/* AMD's names by version, then Hygon's. */
static const char *const hip_names[] = {
    "libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
    "libgalaxyhip.so", "libgalaxyhip.so.5", NULL
};
static const char *const hiprtc_all[] = {
    "libhiprtc.so", "libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5", NULL
};
static const char *const *const hiprtc_names[] = {hiprtc_all, NULL};
static const GpuPlace hip_first[] = {{"ROCM_PATH", "lib"}, {"HIP_PATH", "lib"}};
static const GpuPlace hip_then[] = {
    {NULL, "/opt/rocm/lib"}, {NULL, "/opt/rocm-[0-9]*/lib"}, {NULL, "/opt/dtk/lib"},
    {NULL, "/opt/dtk/hip/lib"}, {NULL, "/opt/dtk-[0-9]*/lib"},
};
static const char *const hip_size[] = {"GetCodeSize", NULL};
static const char *const hip_code[] = {"GetCode", NULL};
/* Sums of floats in memory are one instruction; without that word, a loop.  Right in memory
 * of hipMalloc, which all of ours is. */
static const char *const hip_options[] = {
    "--offload-arch={arch}", "-O3", "-std=c++17", "-munsafe-fp-atomics", "-fno-strict-aliasing",
    "-Rpass-analysis=kernel-resource-usage", NULL
};
static const char *const hip_compilers[] = {"hipcc", "aicc", NULL};
static const GpuPlace hip_bin[] = {
    {"ROCM_PATH", "bin"}, {"HIP_PATH", "bin"}, {NULL, "/opt/rocm/bin"},
    {NULL, "/opt/rocm-[0-9]*/bin"}, {NULL, "/opt/dtk/bin"},
};
static const char *const hip_argv[] = {
    "-x", "hip", "-O3", "-std=c++17", "-munsafe-fp-atomics", "-fno-strict-aliasing",
    "--offload-arch={arch}", "--genco",
    "-Rpass-analysis=kernel-resource-usage", "-o", "{out}", "{in}", NULL
};
static const char *const hip_nodes[] = {"/dev/kfd", NULL};

static const GpuAttribute hip_device_attributes[] = { /* hipDeviceAttribute_t */
    {63, offsetof(GpuFacts, sms)}, {56, offsetof(GpuFacts, max_threads)},
    {74, offsetof(GpuFacts, shared)}, {87, offsetof(GpuFacts, warp)}, {19, offsetof(GpuFacts, l2)},
    {5, offsetof(GpuFacts, clock_khz)}, {0, 0}
};
static const GpuAttribute hip_function_attributes[] = { /* hipFunction_attribute */
    {4, offsetof(GpuFunction, regs)}, {3, offsetof(GpuFunction, local)},
    {1, offsetof(GpuFunction, statics)}, {0, offsetof(GpuFunction, max_threads)}, {0, 0}
};

/* The chip's name among the properties, whose layout is not that of every version: the
 * text that begins with "gfx". */
static DevError hip_chip(Gpu *d)
{
    enum { Bytes = 8192 }; /* more than any version's */
    char *p = d->cu.GetDeviceProperties ? calloc(1, Bytes) : NULL;
    if (p && d->cu.GetDeviceProperties(p, d->opt.device) == GpuOk)
        for (size_t i = 0; i + sizeof d->is.chip < Bytes && !d->is.chip[0]; i++)
            if (memcmp(p + i, "gfx", 3) == 0 && strspn(p + i + 3, "0123456789abcdef") >= 3)
                snprintf(d->is.chip, sizeof d->is.chip, "%.*s", (int)strcspn(p + i, ":"), p + i);
    free(p);
    return DEV_NO_ERROR;
}

/* What the kernels of probes are written in, see probe.h. */
static const char hip_words[] =
    "#define MT_TID ((int)__builtin_amdgcn_workitem_id_x())\n"
    "#define MT_BLOCK_X ((int)__builtin_amdgcn_workgroup_id_x())\n"
    "#define MT_BLOCK_Y ((int)__builtin_amdgcn_workgroup_id_y())\n"
    "#define MT_BLOCK_Z ((int)__builtin_amdgcn_workgroup_id_z())\n"
    "#define MT_WIDTH ((int)__builtin_amdgcn_wavefrontsize())\n"
    "#define MT_SHUFFLE(v, lane) __builtin_amdgcn_ds_bpermute((lane) * 4, v)\n"
    "static __device__ __forceinline__ void mt_barrier()\n{\n"
    "    __builtin_amdgcn_fence(__ATOMIC_RELEASE, \"workgroup\");\n"
    "    __builtin_amdgcn_s_barrier();\n"
    "    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"workgroup\");\n}\n"
    "#define MT_BARRIER() mt_barrier()\n"
    "#if MT_LANES == 64\n#define MT_BALLOT(p) __builtin_amdgcn_ballot_w64(p)\n"
    "#else\n#define MT_BALLOT(p) __builtin_amdgcn_ballot_w32(p)\n#endif\n";

const GpuVendor hip_vendor = {
    .target = "hip", .api = GPUruntime, .prefix = "hip", .rtc = "hiprtc", .product = "ROCm",
    .unnamed = "hip", .rows = &gpu_runtime_rows, .dialect = &hip_dialect, .words = gpu_words,
    .nwords = gpu_nwords,
    .arch = hip_arch, .narch = (int)COUNT(hip_arch), .chips = true,
    .lib_env = "MOONTILE_HIP_LIB", .names = hip_names,
    .first = hip_first, .nfirst = (int)COUNT(hip_first),
    .then = hip_then, .nthen = (int)COUNT(hip_then), .global = true,
    .rtc_env = "MOONTILE_HIPRTC_LIB", .rtc_names = hiprtc_names,
    .getter = {hip_size, hip_code}, .rtc_options = hip_options,
    .offline_env = "MOONTILE_HIPCC", .offline_names = hip_compilers,
    .offline = hip_bin, .noffline = (int)COUNT(hip_bin), .offline_argv = hip_argv,
    .text_ext = "hip", .code_ext = "hsaco",
    .visible = "HIP_VISIBLE_DEVICES", .nodes = hip_nodes, .common = true, .tool = "rocm-smi",
    .faults = gpu_runtime_faults, .ask = hip_chip,
    .device_attributes = hip_device_attributes, .function_attributes = hip_function_attributes,
    .shared = 65536, .max_threads = 1024, .cooperative = true, .threads32 = true,
    .launch_key = {1, 2, 3},
    .code_name = "code", .figures = gpu_clang_figures, .words_of_probes = hip_words,
};
