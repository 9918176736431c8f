/* targets/wave/vendors.c: AMD's HIP and MetaX' MACA as data.
 *
 * Reference: vendor-targets.md 1.1, 1.2, 3.1, 3.2, 10.1 and 10.4: read in the sources of
 * those who use these libraries.  Nothing of it has been tried on a card of ours. */
#include "../hip/machines.h"
#include "../maca/machines.h"
#include "wave.h"

/* HIP ---------------------------------------------------------------------- */

/* Hygon's chips have HIP and other matrix instructions than AMD's. */
static const WaveArch hip_arch[] = {
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
static const char *const hiprtc_names[] = {
    "libhiprtc.so", "libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5", NULL
};
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

const WaveVendor wave_hip = {
    .target = "hip", .prefix = "hip", .rtc = "hiprtc", .product = "ROCm",
    .arch = hip_arch, .narch = (int)COUNT(hip_arch),
    .lib_env = "MOONTILE_HIP_LIB", .names = hip_names,
    .first = hip_first, .nfirst = (int)COUNT(hip_first),
    .then = hip_then, .nthen = (int)COUNT(hip_then),
    .rtc_env = "MOONTILE_HIPRTC_LIB", .rtc_names = hiprtc_names,
    .getter = {hip_size, hip_code}, .rtc_options = hip_options,
    .offline_env = "MOONTILE_HIPCC", .offline_names = hip_compilers,
    .offline = hip_bin, .noffline = (int)COUNT(hip_bin), .offline_argv = hip_argv,
    .text_ext = "hip", .code_ext = "hsaco",
    .visible = "HIP_VISIBLE_DEVICES", .nodes = hip_nodes, .common = true, .tool = "rocm-smi",
    .shared = 65536, .max_threads = 1024,
    .attributes = true, .cooperative = true,
    .launch_key = {1, 2, 3},
    .print = hip_print,
};

/* MACA --------------------------------------------------------------------- */

static const WaveArch maca_arch[] = {
    {"c500", &machine_c500, "xcore1000", "C500", 104, 0, false},
    {"c550", &machine_c500, "xcore1000", "C550", 0, 0, false},
};

static const char *const maca_names[] = {"libmcruntime.so", NULL};
static const GpuPlace maca_first[] = {{"MACA_PATH", "lib"}, {"MACA_HOME", "lib"}};
static const GpuPlace maca_then[] = {
    {NULL, "/opt/maca/lib"}, {NULL, "/opt/maca-[0-9]*/lib"},
};
/* The installed headers have Bitcode, the guide of 3.5.3 speaks of Code. */
static const char *const maca_size[] = {"GetBitcodeSize", "GetCodeSize", NULL};
static const char *const maca_code[] = {"GetBitcode", "GetCode", NULL};
static const char *const maca_options[] = {"-std=c++17", NULL};
static const char *const maca_compilers[] = {"mxcc", NULL};
static const GpuPlace maca_bin[] = {
    {"MACA_CLANG_PATH", "."}, {"MACA_CLANG_PATH", "bin"}, {"MACA_PATH", "mxgpu_llvm/bin"},
    {"MACA_HOME", "mxgpu_llvm/bin"}, {NULL, "/opt/maca/mxgpu_llvm/bin"},
    {NULL, "/opt/maca-[0-9]*/mxgpu_llvm/bin"},
};
static const char *const maca_argv[] = {
    "-x", "maca", "-device-obj", "-O3", "--offload-arch={arch}", "-std=c++17", "-o", "{out}",
    "{in}", NULL
};
static const char *const maca_nodes[] = {"/dev/mxcd", NULL};

/* The numbers of its attributes and the keys of a packed launch are not published: the
 * first are left alone, the second are taken to be HIP's and used where -packed=on asks. */
const WaveVendor wave_maca = {
    .target = "maca", .prefix = "mc", .rtc = "mcrtc", .product = "MACA",
    .arch = maca_arch, .narch = (int)COUNT(maca_arch),
    .lib_env = "MOONTILE_MACA_LIB", .names = maca_names,
    .first = maca_first, .nfirst = (int)COUNT(maca_first),
    .then = maca_then, .nthen = (int)COUNT(maca_then),
    .getter = {maca_size, maca_code}, .rtc_options = maca_options,
    .offline_env = "MOONTILE_MXCC", .offline_names = maca_compilers,
    .offline = maca_bin, .noffline = (int)COUNT(maca_bin), .offline_argv = maca_argv,
    .text_ext = "maca", .code_ext = "mcbin",
    .visible = "MACA_VISIBLE_DEVICES", .nodes = maca_nodes, .tool = "mx-smi",
    .shared = 65536, .max_threads = 1024,
    .launch_key = {1, 2, 3},
    .print = maca_print,
};
