/* targets/cuda/text.c: what a loaded kernel looks like: its source, PTX, cubin, and
 * machine code as text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/proc.h"
#include "device.h"

static bool keep(Cuda *d, const char *ext, const char *s, size_t n, Str *path, char **err)
{
    if (gpu_keep(&d->cache, ext, s ? s : "", n, path))
        return true;
    *err = dev_error("@device_load" DEV_SEP "%s: %s", d->cache.dir.s, strerror(errno));
    return false;
}

static bool no_such(const char *what, char **err)
{
    *err = dev_error("@text_none" DEV_SEP "%s" DEV_SEP "cuda" DEV_SEP "source, ptx, cubin, sass",
                     what);
    return false;
}

static bool ptx(Cuda *d, const CudaModule *m, Str *path, char **err)
{
    Compiled c;
    if (m->code.ptx)
        return keep(d, "ptx", m->code.code.s, strlen(m->code.code.s), path, err);
    if (!cuda_compiler(d, err))
        return false;
    bool ok = nvrtc_compile(&d->rtc, m->source.s, d->opt.arch, d->opt.fast_math, NVptx, &c, err);
    if (ok)
        ok = keep(d, "ptx", c.code.s, strlen(c.code.s), path, err);
    else if (!*err)
        *err = dev_error("@device_load" DEV_SEP "%s", c.log.s ? c.log.s : d->rtc.name);
    compiled_free(&c);
    return ok;
}

/* Disassembling ----------------------------------------------------------- */

/* Where the tools are, beside PATH; with the toolkit, or with Triton's wheel. */
static const GpuPlace place[] = {
    {"CUDA_HOME", "bin"}, {"CUDA_PATH", "bin"}, {"CONDA_PREFIX", "bin"},
    {NULL, "/usr/local/cuda/bin"}, {NULL, "/usr/local/cuda-[0-9]*/bin"}, {NULL, "/opt/cuda/bin"},
    {"VIRTUAL_ENV", "lib/python3*/site-packages/triton/backends/nvidia/bin"},
    {"CONDA_PREFIX", "lib/python3*/site-packages/triton/backends/nvidia/bin"},
    {NULL, "/usr/local/lib/python3*/[sd]*-packages/triton/backends/nvidia/bin"},
};

/* The tool's output can be larger than what proc_run() keeps: a shell puts it into
 * the file. */
static bool disassemble(Cuda *d, char *tool, char *flag, char *cubin, Str *path, char **err)
{
    char sh[] = "/bin/sh", c[] = "-c", text[] = "exec \"$0\" \"$1\" \"$2\" >\"$3\"";
    Str temp = {0};
    cache_temp(&d->cache, "sass", &temp);
    str_fmt(path, "%.*s.sass", (int)(strrchr(cubin, '.') - cubin), cubin);
    char *argv[] = {sh, c, text, tool, flag, cubin, temp.s, NULL};
    Proc p = {.argv = argv};
    bool ok = !temp.bad && !path->bad && proc_run(&p) && p.status == 0 &&
              rename(temp.s, path->s) == 0;
    if (!ok) {
        const char *says = p.out.n ? p.out.s : strerror(errno);
        *err = dev_error("@cuda_tool" DEV_SEP "%s" DEV_SEP "%.*s", tool, (int)strcspn(says, "\n"),
                         says);
        if (temp.s)
            unlink(temp.s);
    }
    str_free(&p.out);
    str_free(&temp);
    return ok;
}

static bool sass(Cuda *d, const CudaModule *m, Str *path, char **err)
{
    static const struct { const char *name, *flag; } tool[] = {
        {"nvdisasm", "-c"}, {"cuobjdump", "-sass"},
    };
    char *found = NULL, flag[16];
    Str cubin = {0};
    if (m->code.ptx)
        return no_such("sass", err); /* the driver has it and gives it to nobody */
    for (size_t i = 0; i < COUNT(tool) && !found; i++) {
        found = gpu_tool(tool[i].name, place, COUNT(place));
        snprintf(flag, sizeof flag, "%s", tool[i].flag);
    }
    if (!found) {
        *err = dev_error("@cuda_no_tool" DEV_SEP "CUDA_HOME, CUDA_PATH, /usr/local/cuda/bin");
        return false;
    }
    bool ok = keep(d, "cubin", m->code.code.s, m->code.code.n, &cubin, err) &&
              disassemble(d, found, flag, cubin.s, path, err);
    str_free(&cubin);
    free(found);
    return ok;
}

bool cuda_text(void *dev, void *mod, const char *what, Str *path, char **err)
{
    Cuda *d = dev;
    const CudaModule *m = mod;
    if (m->vendor)
        return no_such(what, err);
    if (strcmp(what, "source") == 0)
        return keep(d, "cu", m->source.s, m->source.n, path, err);
    if (strcmp(what, "ptx") == 0)
        return ptx(d, m, path, err);
    if (strcmp(what, "cubin") == 0 && !m->code.ptx)
        return keep(d, "cubin", m->code.code.s, m->code.code.n, path, err);
    if (strcmp(what, "sass") == 0)
        return sass(d, m, path, err);
    return no_such(what, err);
}
