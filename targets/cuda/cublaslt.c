/* targets/cuda/cublaslt.c: see cublaslt.h. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gpu/gpu.h"
#include "cublaslt.h"
#include "err/cuda.h"

/* Toolkits first, then PyTorch's wheels. */
static const GpuPlace place[] = {
    {"CUDA_HOME", "lib64"}, {"CUDA_PATH", "lib64"}, {"CONDA_PREFIX", "lib"},
    {"VIRTUAL_ENV", "lib/python3*/site-packages/nvidia/c*/lib"},
    {"CONDA_PREFIX", "lib/python3*/site-packages/nvidia/c*/lib"},
    {NULL, "/usr/local/cuda/lib64"}, {NULL, "/usr/local/cuda-[0-9]*/lib64"},
    {NULL, "/opt/cuda/lib64"}, {NULL, "/usr/lib/cuda/lib64"},
    {"HOME", ".local/lib/python3*/site-packages/nvidia/c*/lib"},
    {NULL, "/usr/local/lib/python3*/[sd]*-packages/nvidia/c*/lib"},
    {NULL, "/usr/lib/python3*/[sd]*-packages/nvidia/c*/lib"},
    {NULL, "/opt/conda/lib"}, {NULL, "/opt/conda/lib/python3*/site-packages/nvidia/c*/lib"},
};

/* By CUDA version; a newer one than the driver serves does not run. */
static const struct { int cuda; const char *name; } soname[] = {
    {13000, "libcublasLt.so.13"}, {12000, "libcublasLt.so.12"}, {11000, "libcublasLt.so.11"},
};

static bool cublaslt_bind(CublasLt *b)
{
    static const struct { const char *symbol; size_t at; } entry[] = {
#define LT_FN(name, symbol, result, args) {symbol, offsetof(CublasLt, name)},
        LT_FNS
#undef LT_FN
    };
    for (size_t i = 0; i < COUNT(entry); i++) {
        void *p = dlsym(b->handle, entry[i].symbol);
        if (!p)
            return false;
        memcpy((char *)b + entry[i].at, &p, sizeof p);
    }
    return true;
}

DevError cublaslt_open(CublasLt *b, int cuda)
{
    const char *name[COUNT(soname) + 2];
    int n = 0;
    Str looked = {0};
    GpuDirs dirs;
    *b = (CublasLt){0};
    for (size_t i = 0; i < COUNT(soname); i++)
        if (soname[i].cuda <= cuda)
            name[n++] = soname[i].name;
    name[n++] = "libcublasLt.so";
    name[n] = NULL;
    gpu_dirs_find(&dirs, place, COUNT(place));
    GpuLibrary lib = {.env = "MOONTILE_CUBLASLT_LIB", .names = name,
                      .then = gpu_dirs_list(&dirs)};
    b->handle = gpu_dlopen(&lib, b->path, sizeof b->path, &looked);
    gpu_dirs_free(&dirs);
    DevError err = DEV_NO_ERROR;
    if (!b->handle) {
        err = dev_error(E_cublas_none, name[0], looked.s ? looked.s : "?", cuda / 1000);
    } else if (!cublaslt_bind(b)) {
        err = dev_error(E_cublas_failed, "dlsym", b->path);
    } else {
        b->version = b->Version();
        int r = b->Create(&b->lt);
        if (r != LTok)
            err = dev_error(E_cublas_failed, "cublasLtCreate", cublaslt_error(r));
    }
    str_free(&looked);
    if (err.is)
        cublaslt_close(b);
    return err;
}

void cublaslt_close(CublasLt *b)
{
    if (b->lt)
        b->Destroy(b->lt);
    if (b->handle)
        dlclose(b->handle);
    *b = (CublasLt){0};
}

const char *cublaslt_error(int status)
{
    static const struct { int status; const char *name; } names[] = {
        {1, "CUBLAS_STATUS_NOT_INITIALIZED"}, {3, "CUBLAS_STATUS_ALLOC_FAILED"},
        {7, "CUBLAS_STATUS_INVALID_VALUE"},   {8, "CUBLAS_STATUS_ARCH_MISMATCH"},
        {11, "CUBLAS_STATUS_MAPPING_ERROR"},  {13, "CUBLAS_STATUS_EXECUTION_FAILED"},
        {14, "CUBLAS_STATUS_INTERNAL_ERROR"}, {15, "CUBLAS_STATUS_NOT_SUPPORTED"},
    };
    for (size_t i = 0; i < COUNT(names); i++)
        if (names[i].status == status)
            return names[i].name;
    return "an unknown status";
}
