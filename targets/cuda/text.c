/* targets/cuda/text.c: what a loaded kernel looks like beside its source and cubin: PTX, and
 * machine code as text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/proc.h"
#include "cuda.h"
#include "err/cuda.h"
#include "err/launch.h"

static bool ptx(Gpu *d, const GpuModule *m, Str *path, DevError *err)
{
    GpuCompiled c;
    Str have = {.s = m->code.code.s, .n = m->code.assembly ? strlen(m->code.code.s) : 0};
    if (m->code.assembly)
        return gpu_keep_text(d, "ptx", &have, path, err);
    if (!gpu_compiler(d, err))
        return false;
    bool ok = gpu_compile(&d->rtc, m->source.s, &d->opt, &d->cache, true, &c, err) == RTCmade;
    c.code.n = ok ? strlen(c.code.s) : 0; /* the size counts a 0 behind it */
    if (ok)
        ok = gpu_keep_text(d, "ptx", &c.code, path, err);
    else if (!err->is)
        *err = dev_error(E_device_load, c.log.s ? c.log.s : d->rtc.name);
    gpu_compiled_free(&c);
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
static bool disassemble(Gpu *d, char *tool, char *flag, char *cubin, Str *path, DevError *err)
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
        *err = dev_error(E_cuda_tool, tool, dev_text("%.*s", (int)strcspn(says, "\n"), says));
        if (temp.s)
            unlink(temp.s);
    }
    str_free(&p.out);
    str_free(&temp);
    return ok;
}

static bool sass(Gpu *d, const GpuModule *m, Str *path, DevError *err)
{
    static const struct { const char *name, *flag; } tool[] = {
        {"nvdisasm", "-c"}, {"cuobjdump", "-sass"},
    };
    char *found = NULL, flag[16];
    Str cubin = {0};
    if (m->code.assembly)
        return gpu_no_text("sass", err); /* the driver has it and gives it to nobody */
    for (size_t i = 0; i < COUNT(tool) && !found; i++) {
        found = gpu_tool(tool[i].name, place, COUNT(place));
        snprintf(flag, sizeof flag, "%s", tool[i].flag);
    }
    if (!found) {
        *err = dev_error(E_cuda_no_tool, "CUDA_HOME, CUDA_PATH, /usr/local/cuda/bin");
        return false;
    }
    bool ok = gpu_keep_text(d, "cubin", &m->code.code, &cubin, err) &&
              disassemble(d, found, flag, cubin.s, path, err);
    str_free(&cubin);
    free(found);
    return ok;
}

bool cuda_text(Gpu *d, const GpuModule *m, const char *what, Str *path, DevError *err)
{
    if (strcmp(what, "ptx") == 0)
        return ptx(d, m, path, err);
    return strcmp(what, "sass") == 0 ? sass(d, m, path, err) : gpu_no_text(what, err);
}
