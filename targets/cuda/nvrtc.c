/* targets/cuda/nvrtc.c: see nvrtc.h. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/proc.h"
#include "../gpu/gpu.h"
#include "driver.h"
#include "nvrtc.h"

enum { InvalidOption = 5 /* NVRTC_ERROR_INVALID_OPTION */ };

/* Where it may be -------------------------------------------------------- */

/* Toolkits first, then the wheels that PyTorch brings. */
static const GpuPlace place[] = {
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

/* Opening ---------------------------------------------------------------- */

/* The names of each major version; 11 has three for its minor ones. */
static const struct { int major; const char *name[4]; } soname[] = {
    {13, {"libnvrtc.so.13"}}, {12, {"libnvrtc.so.12"}},
    {11, {"libnvrtc.so.11.2", "libnvrtc.so.11.1", "libnvrtc.so.11.0"}},
    {0, {"libnvrtc.so"}},
};

static bool bind(Nvrtc *n)
{
    static const struct { const char *symbol; bool must; size_t at; } entry[] = {
#define NVRTC_FN(name, symbol, must, args) {symbol, must, offsetof(Nvrtc, name)},
        NVRTC_FNS
#undef NVRTC_FN
    };
    for (size_t i = 0; i < COUNT(entry); i++) {
        void *p = dlsym(n->handle, entry[i].symbol);
        if (!p && entry[i].must)
            return false;
        memcpy((char *)n + entry[i].at, &p, sizeof p);
    }
    return true;
}

static bool ask(Nvrtc *n)
{
    int major = 0, minor = 0;
    if (!bind(n) || n->Version(&major, &minor) != 0)
        return false;
    n->version = major * 1000 + minor * 10;
    snprintf(n->name, sizeof n->name, "NVRTC %d.%d", major, minor);
    if (n->NumArchs && n->Archs && n->NumArchs(&n->narch) == 0 && n->narch <= NvrtcArchs)
        n->Archs(n->arch);
    else
        n->narch = 0;
    return true;
}

/* 90 of "sm_90a" */
static int number(const char *arch) { return atoi(arch + strcspn(arch, "0123456789")); }

static bool knows(const Nvrtc *n, const char *arch)
{
    for (int i = 0; i < n->narch; i++)
        if (n->arch[i] == number(arch))
            return true;
    return n->narch == 0;
}

/* How well one serves, more is better: code of a newer CUDA than the driver's
 * cannot be loaded for sure; an older one may not know the chip. */
static int rank(const Nvrtc *n, int cuda, const char *arch)
{
    bool fits = !cuda || n->version / 1000 <= cuda / 1000;
    return (fits ? 4000 : 0) + (knows(n, arch) ? 2000 : 0) + n->version / 10 % 1000 / 10;
}

static void drop(Nvrtc *n)
{
    if (n->handle)
        dlclose(n->handle);
    *n = (Nvrtc){0};
}

/* The best of those that are there; the others are not kept.  A major version
 * that fits the driver and knows the chip ends the search. */
static void open_best(Nvrtc *best, int cuda, const char *arch, const GpuDirs *dirs,
                      Str *looked)
{
    enum { All = 6000 };
    for (size_t i = 0; i < COUNT(soname); i++) {
        Nvrtc n = {0};
        Str places = {0};
        if (soname[i].major == 0 && best->handle)
            break;
        GpuLibrary lib = {.env = "MOONTILE_NVRTC_LIB", .names = soname[i].name,
                          .then = gpu_dirs_list(dirs)};
        n.handle = gpu_dlopen(&lib, n.path, sizeof n.path, &places);
        if (!looked->n)
            str_puts(looked, places.s ? places.s : "");
        str_free(&places);
        if (!n.handle)
            continue;
        if (!ask(&n) || (best->handle && rank(&n, cuda, arch) <= rank(best, cuda, arch))) {
            drop(&n);
            continue;
        }
        drop(best);
        *best = n;
        if (rank(best, cuda, arch) >= All)
            break;
    }
}

/* nvcc ------------------------------------------------------------------- */

/* The word behind "release " in what `nvcc --version` says. */
static bool nvcc_version(Nvrtc *n)
{
    char flag[] = "--version", *argv[] = {n->nvcc, flag, NULL};
    Proc p = {.argv = argv};
    int major = 0, minor = 0;
    bool ok = proc_run(&p) && p.status == 0 && p.out.s;
    const char *s = ok ? strstr(p.out.s, "release ") : NULL;
    ok = s && sscanf(s, "release %d.%d", &major, &minor) == 2;
    str_free(&p.out);
    n->version = major * 1000 + minor * 10;
    snprintf(n->name, sizeof n->name, "nvcc %d.%d", major, minor);
    return ok;
}

static bool find_nvcc(Nvrtc *n)
{
    static const char *const env[] = {"CUDA_HOME", "CUDA_PATH"};
    char path[512];
    n->nvcc = proc_find("nvcc");
    for (size_t i = 0; i <= COUNT(env) && !n->nvcc; i++) {
        const char *root = i < COUNT(env) ? getenv(env[i]) : "/usr/local/cuda";
        if (!root || snprintf(path, sizeof path, "%s/bin/nvcc", root) >= (int)sizeof path)
            continue;
        n->nvcc = proc_find(path);
    }
    if (n->nvcc && nvcc_version(n))
        return true;
    free(n->nvcc);
    n->nvcc = NULL;
    return false;
}

char *nvrtc_open(Nvrtc *n, int cuda, const char *arch)
{
    GpuDirs dirs;
    Str looked = {0};
    *n = (Nvrtc){0};
    gpu_dirs_find(&dirs, place, COUNT(place));
    open_best(n, cuda, arch, &dirs, &looked);
    gpu_dirs_free(&dirs);
    char *err = NULL;
    const char *named = getenv("MOONTILE_NVRTC_LIB");
    bool nvcc = !n->handle && !(named && *named);
    if (nvcc)
        str_puts(&looked, ", nvcc");
    if (!n->handle && !(nvcc && find_nvcc(n))) /* drivers of CUDA 13 load what 12's makes */
        err = dev_error("@cuda_no_nvrtc" DEV_SEP "%s" DEV_SEP "%d",
                        looked.s ? looked.s : "libnvrtc", cuda && cuda < 12000 ? 11 : 12);
    str_free(&looked);
    return err;
}

void nvrtc_close(Nvrtc *n)
{
    free(n->nvcc);
    n->nvcc = NULL;
    drop(n);
}

/* Compiling -------------------------------------------------------------- */

void compiled_free(Compiled *c)
{
    str_free(&c->code);
    str_free(&c->log);
}

/* For a chip that this NVRTC does not know: PTX for the newest one it does. */
static void choose_target(const Nvrtc *n, const char *arch, Compiled *out)
{
    int newest = 0;
    snprintf(out->target, sizeof out->target, "%s", arch);
    if (knows(n, arch))
        return;
    for (int i = 0; i < n->narch; i++)
        if (n->arch[i] < number(arch) && n->arch[i] > newest)
            newest = n->arch[i];
    snprintf(out->target, sizeof out->target, "compute_%d", newest);
    out->ptx = true;
}

/* Text of an NVRTC program: its size by one function, its bytes by another. */
static bool take(NvrtcProgram *p, int (*size)(NvrtcProgram *, size_t *),
                 int (*get)(NvrtcProgram *, char *), Str *out)
{
    size_t n = 0;
    if (size(p, &n) != 0 || n == 0)
        return false;
    char *s = malloc(n + 1);
    bool ok = s && get(p, s) == 0;
    if (ok)
        str_add(out, s, n);
    free(s);
    return ok && !out->bad;
}

/* ptxas' figures (registers, spills) come with the log where it can be asked; not with what
 * a newer NVRTC has kept from an earlier time: we keep code ourselves, with its figures. */
static int run_nvrtc(const Nvrtc *n, NvrtcProgram *p, const char *target, bool fast_math)
{
    char arch[64];
    const char *opt[8];
    int k = 0;
    snprintf(arch, sizeof arch, "--gpu-architecture=%s", target);
    opt[k++] = arch;
    opt[k++] = "-default-device";
    opt[k++] = "--fmad=true";
    opt[k++] = "-std=c++17";
    if (fast_math)
        opt[k++] = "--use_fast_math";
    static const char *const more[] = {"--ptxas-options=-v", "--no-cache"};
    int nmore = strncmp(target, "sm_", 3) == 0 ? 2 : 0, r;
    for (int i = 0; i < nmore; i++)
        opt[k + i] = more[i];
    do
        r = n->Compile(p, k + nmore, opt);
    while (r == InvalidOption && nmore-- > 0);
    return r;
}

static bool with_nvrtc(const Nvrtc *n, const char *text, bool fast_math, bool ptx, Compiled *out,
                       char **err)
{
    NvrtcProgram *p = NULL;
    int r = n->Create(&p, text, "kernel.cu", 0, NULL, NULL);
    if (r != 0) {
        *err = dev_error("@cuda_nvrtc_broken" DEV_SEP "%s" DEV_SEP "%d", n->path, r);
        return false;
    }
    r = run_nvrtc(n, p, out->target, fast_math);
    take(p, n->LogSize, n->Log, &out->log);
    bool ok = r == 0 && take(p, ptx ? n->PtxSize : n->CubinSize, ptx ? n->Ptx : n->Cubin,
                             &out->code);
    if (!ok && r != 6 /* the text was refused */)
        *err = dev_error("@cuda_nvrtc_broken" DEV_SEP "%s" DEV_SEP "%d", n->path, r);
    n->Destroy(&p);
    return ok;
}

static bool with_nvcc(const Nvrtc *n, const char *text, bool fast_math, bool ptx, Compiled *out,
                      char **err)
{
    char file[] = "/tmp/moontile-XXXXXX", arch[64];
    char cubin[] = "-cubin", toptx[] = "-ptx", x[] = "-x", cu[] = "cu", o[] = "-o", in[] = "-";
    char fmad[] = "--fmad=true", std[] = "-std=c++17", v[] = "-Xptxas=-v";
    char fast[] = "--use_fast_math";
    int fd = mkstemp(file);
    if (fd >= 0)
        close(fd);
    snprintf(arch, sizeof arch, "-arch=%s", out->target);
    char *argv[] = {n->nvcc, ptx ? toptx : cubin, x, cu, arch, fmad, std, v, o, file, in,
                    fast_math ? fast : NULL, NULL};
    Proc p = {.argv = argv, .in = text, .nin = strlen(text)};
    bool ran = fd >= 0 && proc_run(&p);
    bool ok = ran && p.status == 0 && gpu_read_file(file, &out->code) && out->code.n;
    str_add(&out->log, p.out.s ? p.out.s : "", p.out.n);
    if (!ok && !(ran && WIFEXITED(p.status)))
        *err = dev_error("@cuda_nvrtc_broken" DEV_SEP "%s" DEV_SEP "%d", n->nvcc, p.status);
    str_free(&p.out);
    if (fd >= 0)
        unlink(file);
    return ok;
}

bool nvrtc_compile(const Nvrtc *n, const char *text, const char *arch, bool fast_math,
                   enum NvrtcWant want, Compiled *out, char **err)
{
    double start = clock_ms();
    *out = (Compiled){0};
    choose_target(n, arch, out);
    out->ptx |= want == NVptx;
    bool ok = (n->handle ? with_nvrtc : with_nvcc)(n, text, fast_math, out->ptx, out, err);
    out->ms = clock_ms() - start;
    return ok;
}
