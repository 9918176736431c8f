/* targets/cuda/vendor.c: NVIDIA's driver and compiler as data. */
#include "cuda.h"
#include "machines.h"
#include "numbers.h"
#include "err/cuda.h"
#include "err/gpu.h"

/* Chips are told apart by their numbers: chips.c. */
static const GpuArch cuda_arch[] = {{.name = "sm_90a", .m = &machine_sm90a}};

static const Option cuda_words[] = {
    {"-arch", "-arch=sm_NN", OPTown, 0, 0, 0,
     "sm_75, sm_80, sm_86, sm_89, sm_90a, sm_100, sm_120 ..", cuda_take_arch},
    GPU_COMMON_WORDS,
    {"-shared", "-shared=BYTES", OPTint, offsetof(GpuOptions, shared), 1, 999999999, "1 ..", NULL},
    GPU_CARD_WORD,
};

/* The driver --------------------------------------------------------------------- */

static const char *const cuda_names[] = {"libcuda.so.1", "libcuda.so", NULL};

/* WSL's own folder comes with the Windows driver; the others are where
 * distributions and containers put it. */
static const GpuPlace cuda_then[] = {
    {NULL, "/usr/lib/wsl/lib"}, {NULL, "/usr/lib/x86_64-linux-gnu"},
    {NULL, "/usr/lib/aarch64-linux-gnu"}, {NULL, "/usr/lib64"}, {NULL, "/usr/lib"},
    {NULL, "/usr/lib64/nvidia"}, {NULL, "/usr/lib/nvidia"}, {NULL, "/usr/local/nvidia/lib64"},
    {NULL, "/run/opengl-driver/lib"},
};
/* A driver leaves one of these; under WSL it is the third. */
static const char *const cuda_nodes[] = {"/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", NULL};

static const GpuFault cuda_faults[] = {
    {CUillegal_address, CUillegal_address, NULL, GFkernel, DEV_ROW(1, E_gpu_illegal_address),
     false},
    {CUmisaligned, CUmisaligned, NULL, GFkernel, DEV_ROW(1, E_gpu_misaligned), false},
    {CUillegal_instruction, CUillegal_instruction, NULL, GFkernel,
     DEV_ROW(1, E_gpu_illegal_instruction), false},
    {CUaddress_space, CUaddress_space, NULL, GFkernel, DEV_ROW(1, E_gpu_illegal_address), false},
    {CUinvalid_pc, CUlaunch_failed, NULL, GFkernel, DEV_ROW(1, E_gpu_trap), false},
    {CUhardware_stack, CUhardware_stack, NULL, GFkernel, DEV_ROW(1, E_gpu_trap), false},
    {CUassert, CUassert, NULL, GFkernel, DEV_ROW(1, E_gpu_trap), false},
    {CUlaunch_timeout, CUlaunch_timeout, NULL, GFkernel, DEV_ROW(1, E_gpu_watchdog), false},
    {CUecc, CUecc, NULL, GFkernel, DEV_ROW(1, E_gpu_ecc), false},
    {CUnvlink, CUnvlink, NULL, GFkernel, DEV_ROW(1, E_gpu_ecc), false},
    {CUcontained, CUcontained, NULL, GFkernel, DEV_ROW(1, E_gpu_ecc), false},
    {CUno_device, CUno_device, NULL, GFno_device, {0}, false},
    {CUdevice_unavailable, CUdevice_unavailable, NULL, GFlost, {0}, true},
    {CUinvalid_device, CUinvalid_device, NULL, GFstart, {0}, true},
    {CUcontext_destroyed, CUcontext_destroyed, NULL, GFlost, {0}, false},
    {CUmps_failed, CUmps_failed, NULL, GFlost, {0}, true},
    {CUmps_failed + 1, CUmps_last, NULL, GFlost, {0}, false},
    {CUunknown, CUunknown, NULL, GFlost, {0}, false},
    {CUsystem_not_ready, CUsystem_not_ready, NULL, GFlost, {0}, false},
    {CUdriver_mismatch, CUdriver_mismatch, NULL, GFlost, DEV_ROW(1, E_cuda_mismatch), false},
    {CUoperating_system, CUoperating_system, NULL, GFlost, {0}, false},
    {CUstub_library, CUstub_library, NULL, GFstart, DEV_ROW(1, E_cuda_stub), false},
    {CUout_of_memory, CUout_of_memory, NULL, GFfull, {0}, true},
    {CUout_of_resources, CUout_of_resources, NULL, GFresources, {0}, false},
    {CUcluster_size, CUcluster_size, NULL, GFcluster, {0}, false},
    {CUinvalid_image, CUinvalid_image, NULL, GFcode, {0}, false},
    {CUno_binary, CUno_binary, NULL, GFcode, {0}, false},
    {CUinvalid_ptx, CUinvalid_ptx, NULL, GFcode, {0}, false},
    {CUno_jit, CUunsupported_ptx, NULL, GFcode, {0}, false},
    {-1, 0, NULL, GFlost, {0}, false}
};

static const GpuRows cuda_rows = {
    GPU_ROWS(cuda), .busy = DEV_ROW(3, E_cuda_busy),
    .newer_code = DEV_ROW(3, E_cuda_newer_code), .resources = DEV_ROW(3, E_cuda_resources)};

static const GpuAttribute cuda_device_attributes[] = {
    {CUDmajor, offsetof(GpuFacts, major)}, {CUDminor, offsetof(GpuFacts, minor)},
    {CUDsms, offsetof(GpuFacts, sms)}, {CUDmax_threads, offsetof(GpuFacts, max_threads)},
    {CUDmax_grid_x, offsetof(GpuFacts, grid[0])}, {CUDmax_grid_y, offsetof(GpuFacts, grid[1])},
    {CUDmax_grid_z, offsetof(GpuFacts, grid[2])}, {CUDshared_optin, offsetof(GpuFacts, shared)},
    {CUDl2, offsetof(GpuFacts, l2)}, {CUDclock_khz, offsetof(GpuFacts, clock_khz)},
    {CUDecc, offsetof(GpuFacts, ecc)}, {0, 0}
};
static const GpuAttribute cuda_function_attributes[] = {
    {CUFregs, offsetof(GpuFunction, regs)}, {CUFlocal, offsetof(GpuFunction, local)},
    {CUFshared, offsetof(GpuFunction, statics)}, {CUFconst, offsetof(GpuFunction, constants)},
    {CUFmax_threads, offsetof(GpuFunction, max_threads)}, {0, 0}
};

/* The compiler --------------------------------------------------------------------- */

/* The names of each major version; 11 has three for its minor ones. */
static const char *const nvrtc_13[] = {"libnvrtc.so.13", NULL};
static const char *const nvrtc_12[] = {"libnvrtc.so.12", NULL};
static const char *const nvrtc_11[] = {
    "libnvrtc.so.11.2", "libnvrtc.so.11.1", "libnvrtc.so.11.0", NULL
};
static const char *const nvrtc_any[] = {"libnvrtc.so", NULL};
static const char *const *const nvrtc_names[] = {nvrtc_13, nvrtc_12, nvrtc_11, nvrtc_any, NULL};

/* Toolkits first, then the wheels that PyTorch brings. */
static const GpuPlace nvrtc_then[] = {
    {"CUDA_HOME", "lib64"}, {"CUDA_PATH", "lib64"}, {"CONDA_PREFIX", "lib"},
    {"VIRTUAL_ENV", "lib/python3*/site-packages/nvidia/cu13/lib"},
    {"VIRTUAL_ENV", "lib/python3*/site-packages/nvidia/cuda_nvrtc/lib"},
    {"CONDA_PREFIX", "lib/python3*/site-packages/nvidia/cu13/lib"},
    {"CONDA_PREFIX", "lib/python3*/site-packages/nvidia/cuda_nvrtc/lib"},
    {NULL, "/usr/local/cuda/lib64"}, {NULL, "/usr/local/cuda-[0-9]*/lib64"},
    {NULL, "/opt/cuda/lib64"}, {NULL, "/usr/lib/cuda/lib64"},
    {"HOME", ".local/lib/python3*/site-packages/nvidia/cu13/lib"},
    {"HOME", ".local/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib"},
    {NULL, "/usr/local/lib/python3*/[sd]*-packages/nvidia/cu13/lib"},
    {NULL, "/usr/local/lib/python3*/[sd]*-packages/nvidia/cuda_nvrtc/lib"},
    {NULL, "/usr/lib/python3*/[sd]*-packages/nvidia/cuda_nvrtc/lib"},
    {NULL, "/opt/conda/lib"},
    {NULL, "/opt/conda/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib"},
};
static const char *const cubin_size[] = {"GetCUBINSize", NULL};
static const char *const cubin[] = {"GetCUBIN", NULL};
static const char *const nvrtc_options[] = {
    "--gpu-architecture={arch}", "-default-device", "--fmad=true", "-std=c++17", "{fast}", NULL
};
/* ptxas' figures (registers, spills) come with the log where it can be asked; not with what
 * a newer NVRTC has kept from an earlier time: we keep code ourselves, with its figures. */
static const char *const nvrtc_more[] = {"--ptxas-options=-v", "--no-cache", NULL};
enum { InvalidOption = 5 /* NVRTC_ERROR_INVALID_OPTION */ };

static const char *const nvcc_names[] = {"nvcc", NULL};
static const GpuPlace nvcc_places[] = {
    {"CUDA_HOME", "bin"}, {"CUDA_PATH", "bin"}, {NULL, "/usr/local/cuda/bin"},
};
static const char *const nvcc_argv[] = {
    "{form}", "-x", "cu", "-arch={arch}", "--fmad=true", "-std=c++17", "-Xptxas=-v", "{fast}", "-o",
    "{out}", "{in}", NULL
};

const GpuVendor cuda_vendor = {
    .target = "cuda", .api = GPUdriver, .prefix = "cu", .rtc = "nvrtc", .product = "CUDA",
    .unnamed = "CUDA_ERROR", .rows = &cuda_rows, .dialect = &cuda_dialect,
    .arch = cuda_arch, .narch = (int)COUNT(cuda_arch),
    .words = cuda_words, .nwords = (int)COUNT(cuda_words), .async = true, .shared_differs = true,
    .lib_env = "MOONTILE_CUDA_LIB", .names = cuda_names,
    .then = cuda_then, .nthen = (int)COUNT(cuda_then), .least = 11000,
    .visible = "CUDA_VISIBLE_DEVICES", .nodes = cuda_nodes, .tool = "nvidia-smi",
    .faults = cuda_faults,
    .device_attributes = cuda_device_attributes, .function_attributes = cuda_function_attributes,
    .compute_mode = CUDcompute_mode, .shared = 49152, .max_threads = 1024, .cooperative = true,
    .rtc_env = "MOONTILE_NVRTC_LIB", .rtc_name = "NVRTC", .rtc_names = nvrtc_names,
    .rtc_then = nvrtc_then, .nrtc_then = (int)COUNT(nvrtc_then), .rtc_alone = true,
    .getter = {cubin_size, cubin}, .assembly = {"GetPTXSize", "GetPTX"},
    .rtc_options = nvrtc_options, .rtc_more = nvrtc_more, .fast = "--use_fast_math",
    .rtc_unknown_option = InvalidOption,
    .offline_names = nvcc_names, .offline = nvcc_places, .noffline = (int)COUNT(nvcc_places),
    .offline_argv = nvcc_argv, .form = {"-cubin", "-ptx"}, .offline_word = "release ",
    .text_ext = "cu", .code_ext = "cubin", .code_name = "cubin", .assembly_name = "ptx",
    .figures = cuda_figures, .doubtful = cuda_doubtful,
    .ask = cuda_ask, .fit = cuda_fit, .opened = cuda_opened, .closed = cuda_closed,
    .describe = cuda_describe, .rates = cuda_rates, .mhz = cuda_mhz,
    .rank = cuda_rank, .rank_enough = 6000, .target_of = cuda_target_of, .wheel = cuda_wheel,
    .text = cuda_text, .maps = &cuda_maps, .routines = &cuda_routines,
};
