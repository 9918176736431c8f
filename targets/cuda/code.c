/* targets/cuda/code.c: CUDA C++ -> machine code, through the cache.
 *
 * The key of an entry is everything that its bytes depend on: the text, the
 * options, the chip, the compiler's version and the format below.  What ptxas
 * says about the kernels is kept with the code. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

static const char kind[] = "mtcuda1";

void cuda_code_free(CudaCode *c)
{
    str_free(&c->code);
    str_free(&c->info);
}

bool cuda_compiler(Cuda *d, char **err)
{
    if (d->have_rtc)
        return true;
    *err = nvrtc_open(&d->rtc, d->cu.version, d->opt.arch);
    return d->have_rtc = *err == NULL;
}

/* What the compiler said ------------------------------------------------------ */

/* One line of ptxas' log; kernel: the function that it is about, kept between. */
typedef struct Figures Figures;
struct Figures { Str *info; char kernel[256]; int stack, stores, loads; };

/* The text between the first two quotes of s, into out. */
static void quoted(const char *s, char *out, size_t size)
{
    const char *a = strchr(s, '\''), *b = a ? strchr(a + 1, '\'') : NULL;
    if (b && (size_t)(b - a) < size) {
        memcpy(out, a + 1, (size_t)(b - a) - 1);
        out[b - a - 1] = '\0';
    }
}

static void read_line(void *ud, const char *line)
{
    Figures *f = ud;
    Str *info = f->info;
    const char *s;
    int regs = 0;
    if (strstr(line, "Compiling entry function")) {
        *f = (Figures){.info = info};
        quoted(line, f->kernel, sizeof f->kernel);
    } else if ((s = strstr(line, " bytes stack frame"))) {
        while (s > line && (s[-1] >= '0' && s[-1] <= '9'))
            s--;
        sscanf(s, "%d bytes stack frame, %d bytes spill stores, %d bytes spill loads", &f->stack,
               &f->stores, &f->loads);
    } else if ((s = strstr(line, "Used ")) && sscanf(s, "Used %d registers", &regs) == 1) {
        if (f->kernel[0])
            str_fmt(info, "kernel %s %d %d %d\n", f->kernel, regs, f->stack, f->stores + f->loads);
    } else if ((s = strstr(line, "(C7")) || (s = strstr(line, "warning"))) {
        str_fmt(info, "warning %s\n", s);
    }
}

/* The cache --------------------------------------------------------------------- */

static Hash key_of(const Cuda *d, const char *text)
{
    const char *part[] = {text, NVRTC_OPTIONS, d->opt.arch, d->rtc.name,
                          d->opt.fast_math ? "fast" : "exact"};
    Hash h = {0x63756461, 1};
    h = hash_bytes(h, kind, sizeof kind);
    for (size_t i = 0; i < COUNT(part); i++)
        h = hash_bytes(h, part[i], strlen(part[i]) + 1);
    return h;
}

/* The compiler's messages with the text it was given, for a report to us. */
static char *refused(Cuda *d, const char *text, const Compiled *c)
{
    Str all = {0}, path = {0};
    str_fmt(&all, "%s %s %s\n\n%s\n\n%s", d->rtc.name, c->target, NVRTC_OPTIONS,
            c->log.s ? c->log.s : "", text);
    bool ok = !all.bad && gpu_keep(&d->cache, "log", all.s, all.n, &path);
    char *err = dev_error("@cuda_compile" DEV_SEP "%s" DEV_SEP "%s", d->rtc.name,
                          ok ? path.s : strerror(errno));
    str_free(&all);
    str_free(&path);
    return err;
}

static bool compile(Cuda *d, const char *text, CudaCode *out, char **err)
{
    Compiled c;
    bool ok = nvrtc_compile(&d->rtc, text, d->opt.arch, d->opt.fast_math, NVcode, &c, err);
    if (!ok && !*err)
        *err = refused(d, text, &c);
    if (ok) {
        out->code = c.code;
        c.code = (Str){0};
        out->ptx = c.ptx;
        out->ms = c.ms;
        str_fmt(&out->info, "compiler %s\ntarget %s\n", d->rtc.name, c.target);
        gpu_each_line(c.log.s ? c.log.s : "", read_line, &(Figures){.info = &out->info});
    }
    compiled_free(&c);
    return ok;
}

bool cuda_code(Cuda *d, const char *text, CudaCode *out, char **err)
{
    *out = (CudaCode){.ptx = false};
    if (!cuda_compiler(d, err))
        return false;
    Hash key = key_of(d, text);
    uint64_t ptx = 0;
    out->cached = gpu_code_get(&d->cache, key, "cubin", kind, &out->code, &out->info, &ptx);
    out->ptx = ptx != 0;
    if (out->cached)
        return true;
    cuda_code_free(out);
    *out = (CudaCode){.ptx = false};
    if (!compile(d, text, out, err))
        return false;
    gpu_code_put(&d->cache, key, "cubin", kind, &out->code, &out->info, out->ptx);
    return true;
}
