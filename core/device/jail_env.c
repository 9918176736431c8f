/* core/device/jail_env.c: what a process that may run a stranger's program one day, and the compilers of
 * what it runs, get to know of our environment: what finding libraries and compilers takes, by
 * name, and nothing else.  Keys to other doors are not there. */
#include <stdlib.h>
#include <string.h>

#include "jail.h"

extern char **environ;

/* Whole names: beside names that begin or end like these there are keys, as NVIDIA_API_KEY. */
static const char *const kept[] = {
    /* programs, libraries, the language of compilers' messages */
    "PATH", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ", "CC", "CCACHE_DIR",
    "LD_LIBRARY_PATH", "CONDA_PREFIX",
    /* run-times of cards */
    "CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_MODULE_LOADING",
    "CUDA_MPS_PIPE_DIRECTORY", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES",
    "MACA_PATH", "MACA_HOME", "MACA_VISIBLE_DEVICES", "ROCM_PATH", "HIP_PATH",
    "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL",
    "HSA_OVERRIDE_GFX_VERSION", "HSA_ENABLE_SDMA",
    /* ours */
    "MOONTILE_CUDA_LIB", "MOONTILE_NVRTC_LIB", "MOONTILE_NVML_LIB", "MOONTILE_CUBLASLT_LIB",
    "MOONTILE_MACA_LIB", "MOONTILE_HIP_LIB", "MOONTILE_HIPRTC_LIB",
    "MOONTILE_HIPCC", "MOONTILE_MXCC", "MOONTILE_CACHE_SIZE", "MOONTILE_THREADS",
    "MOONTILE_PROBE", "MOONTILE_WORKER_STDERR", "MOONTILE_STANDIN_LIB" /* the tests' */,
#if SANITIZED
    "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS",
#endif
};

/* Is it NAME=.. with this name? */
static bool means(const char *name, const char *e)
{
    size_t n = strlen(name);
    return strncmp(name, e, n) == 0 && e[n] == '=';
}

bool jail_knows(const char *e)
{
    for (size_t i = 0; i < COUNT(kept); i++)
        if (means(kept[i], e))
            return true;
    return false;
}

char **jail_environ(void)
{
    /* where compiled kernels and temporary files are, and that there are walls */
    static const char *const ours[] = {"HOME", "XDG_CACHE_HOME", "MOONTILE_CACHE_DIR", "TMPDIR", JAIL_GUARD};
    size_t n = 0;
    for (char **e = environ; e && *e; e++)
        n++;
    char **env = calloc(n + 1, sizeof *env);
    n = 0;
    for (char **e = environ; env && e && *e; e++) {
        bool keep = jail_knows(*e);
        for (size_t i = 0; i < COUNT(ours) && !keep; i++)
            keep = means(ours[i], *e);
        if (keep)
            env[n++] = *e;
    }
    return env;
}
