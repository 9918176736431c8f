/* targets/maca/vendor.c: the run-time of MetaX' MACA as data.
 *
 * Reference: vendor-targets.md 1.1, 1.2, 3.1, 3.2, 10.1 and 10.4: read in the sources of
 * those who use it.  Nothing of it has been tried on a card of ours. */
#include "machines.h"
#include "maca.h"

static const GpuArch maca_arch[] = {
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

/* What the kernels of probes are written in, see probe.h. */
static const char maca_words[] =
    "#define MT_TID ((int)threadIdx.x)\n"
    "#define MT_BLOCK_X ((int)blockIdx.x)\n"
    "#define MT_BLOCK_Y ((int)blockIdx.y)\n"
    "#define MT_BLOCK_Z ((int)blockIdx.z)\n"
    "#define MT_WIDTH ((int)warpSize)\n"
    "#define MT_SHUFFLE(v, lane) __shfl_sync(~0ul, v, lane, 64)\n"
    "#define MT_BALLOT(p) __ballot_sync(~0ul, p)\n"
    "#define MT_BARRIER() __syncthreads()\n";

/* The numbers of its attributes and the keys of a packed launch are not published: the
 * first are left alone, the second are taken to be HIP's and used where -packed=on asks. */
const GpuVendor maca_vendor = {
    .target = "maca", .api = GPUruntime, .prefix = "mc", .rtc = "mcrtc", .product = "MACA",
    .unnamed = "mc", .rows = &gpu_runtime_rows, .dialect = &maca_dialect, .words = gpu_words,
    .nwords = gpu_nwords,
    .arch = maca_arch, .narch = (int)COUNT(maca_arch),
    .lib_env = "MOONTILE_MACA_LIB", .names = maca_names,
    .first = maca_first, .nfirst = (int)COUNT(maca_first),
    .then = maca_then, .nthen = (int)COUNT(maca_then), .global = true,
    .getter = {maca_size, maca_code}, .rtc_options = maca_options,
    .offline_env = "MOONTILE_MXCC", .offline_names = maca_compilers,
    .offline = maca_bin, .noffline = (int)COUNT(maca_bin), .offline_argv = maca_argv,
    .text_ext = "maca", .code_ext = "mcbin",
    .visible = "MACA_VISIBLE_DEVICES", .nodes = maca_nodes, .tool = "mx-smi",
    .faults = gpu_runtime_faults, .shared = 65536, .max_threads = 1024, .threads32 = true,
    .launch_key = {1, 2, 3},
    .code_name = "code", .figures = gpu_clang_figures, .words_of_probes = maca_words,
};
