/* targets/gpu/code.c: text -> code, through the cache.
 *
 * The key of an entry is everything that its bytes depend on: the text, the options,
 * the chip, the compiler's version and file, and with HIP's interface the run-time's
 * version.  What the compiler says about the kernels is kept with the code. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "err/gpu.h"

static const char kind[] = "mtgpu1";

void gpu_code_free(GpuCode *c)
{
    str_free(&c->code);
    str_free(&c->info);
}

/* What serves in place of the library, and why. */
static void note_offline(Gpu *d, const char *why)
{
    gpu_note(d, dev_error_all(E_gpu_other_compiler, d->v->rtc, why, d->rtc.name));
}

bool gpu_compiler(Gpu *d, DevError *err)
{
    if (d->have_rtc)
        return true;
    *err = gpu_rtc_open(&d->rtc, d->v, &d->cu, d->opt.arch, d->opt.rtc);
    d->have_rtc = !err->is;
    if (d->have_rtc && d->opt.rtc && d->rtc.tool && !d->v->rtc_alone)
        note_offline(d, d->rtc.why.s ? d->rtc.why.s : d->v->rtc);
    return d->have_rtc;
}

/* The library has failed by itself, as *err says: the offline compiler takes over.
 * false: there is none, and the error stands. */
static bool change_compiler(Gpu *d, DevError *err)
{
    GpuRtc tool;
    if (!d->rtc.handle || d->v->rtc_alone)
        return false;
    DevError none = gpu_rtc_open(&tool, d->v, &d->cu, d->opt.arch, false);
    if (none.is) {
        dev_error_free(none);
        return false;
    }
    const char *why = dev_error_arg(err, err->narg + 1); /* the last one says it */
    Str name = {0};
    str_puts(&name, d->rtc.name);
    gpu_rtc_close(&d->rtc);
    d->rtc = tool;
    note_offline(d, why ? why : name.s ? name.s : "");
    str_free(&name);
    dev_error_free(*err);
    *err = DEV_NO_ERROR;
    return true;
}

/* What the compiler said ------------------------------------------------------ */

/* The number behind `what` and a colon; false: the line says something else. */
static bool figure(const char *line, const char *what, int *out)
{
    const char *s = strstr(line, what);
    s = s ? strchr(s + strlen(what) - 1, ':') : NULL;
    return s && sscanf(s, ": %d", out) == 1;
}

void gpu_clang_figures(void *figures, const char *line)
{
    GpuFigures *f = figures;
    const char *s = strstr(line, "Function Name: ");
    int n = 0;
    if (s && sscanf(s, "Function Name: %255s", f->kernel) == 1)
        f->regs = f->more = f->stack = 0;
    else if (figure(line, "VGPRs Spill:", &n)) {
        if (f->kernel[0])
            str_fmt(f->info, "kernel %s %d %d %d\n", f->kernel, f->regs + f->more, f->stack, n);
    } else if (!strstr(line, "Spill") && figure(line, " VGPRs:", &n))
        f->regs = n;
    else if (figure(line, " AGPRs:", &n))
        f->more = n;
    else if (figure(line, "ScratchSize [bytes/lane]:", &n))
        f->stack = n;
    else if ((s = strstr(line, "warning: ")))
        str_fmt(f->info, "warning %s\n", s);
}

/* The cache --------------------------------------------------------------------- */

static Hash hash_words(Hash h, const char *const *list)
{
    for (; list && *list; list++)
        h = hash_bytes(h, *list, strlen(*list) + 1);
    return h;
}

static Hash gpu_code_key_of(const Gpu *d, const char *text)
{
    const GpuRtc *t = &d->rtc;
    const char *file = t->tool ? t->tool : t->path;
    char *real = realpath(file, NULL); /* names its version */
    const char *part[] = {text, d->v->target, gpu_told(&d->opt), t->name, real ? real : file,
                          d->opt.fast_math ? "fast" : "exact", NULL};
    Hash h = {0x67707563, 1};
    h = hash_words(hash_bytes(h, kind, sizeof kind), part);
    h = hash_words(h, t->tool ? d->v->offline_argv : d->v->rtc_options);
    if (d->v->api == GPUruntime)
        h = hash_bytes(h, &d->cu.version, sizeof d->cu.version);
    free(real);
    return h;
}

/* The compiler's messages with the text it was given, for a report to us. */
static DevError gpu_code_refused(Gpu *d, const char *text, const GpuCompiled *c)
{
    Str all = {0}, path = {0};
    str_fmt(&all, "%s %s\n\n%s\n\n%s", d->rtc.name, c->target, c->log.s ? c->log.s : "", text);
    bool ok = !all.bad && gpu_keep(&d->cache, "log", all.s, all.n, &path);
    DevError err = dev_error(E_gpu_compile, d->rtc.name, ok ? path.s : strerror(errno));
    str_free(&all);
    str_free(&path);
    return err;
}

static bool gpu_code_compile(Gpu *d, const char *text, GpuCode *out, DevError *err)
{
    GpuCompiled c;
    enum GpuOutcome is = gpu_compile(&d->rtc, text, &d->opt, &d->cache, false, &c, err);
    if (is == RTCbroken && change_compiler(d, err)) {
        gpu_compiled_free(&c);
        is = gpu_compile(&d->rtc, text, &d->opt, &d->cache, false, &c, err);
    }
    if (is == RTCrefused)
        *err = gpu_code_refused(d, text, &c);
    if (is == RTCmade) {
        out->code = c.code;
        c.code = (Str){0};
        out->assembly = c.assembly;
        out->ms = c.ms;
        str_fmt(&out->info, "compiler %s\ntarget %s\n", d->rtc.name,
                d->v->target_of ? c.target : d->opt.arch);
        gpu_each_line(c.log.s ? c.log.s : "", d->v->figures, &(GpuFigures){.info = &out->info});
    }
    gpu_compiled_free(&c);
    return is == RTCmade;
}

/* Compiles text and keeps what comes of it. */
static bool gpu_code_make(Gpu *d, const char *text, GpuCode *out, DevError *err)
{
    *out = (GpuCode){.cached = false};
    if (!gpu_code_compile(d, text, out, err))
        return false;
    gpu_code_put(&d->cache, gpu_code_key_of(d, text), d->v->code_ext, kind, &out->code, &out->info,
                 out->assembly);
    return true;
}

bool gpu_code(Gpu *d, const char *text, GpuCode *out, DevError *err)
{
    uint64_t assembly = 0;
    *out = (GpuCode){.cached = false};
    if (!gpu_compiler(d, err))
        return false;
    out->cached = gpu_code_get(&d->cache, gpu_code_key_of(d, text), d->v->code_ext, kind,
                               &out->code, &out->info, &assembly);
    out->assembly = assembly != 0;
    if (out->cached)
        return true;
    gpu_code_free(out);
    return gpu_code_make(d, text, out, err);
}

bool gpu_code_again(Gpu *d, const char *text, GpuCode *c, DevError *err)
{
    gpu_code_free(c);
    *c = (GpuCode){.cached = false};
    return gpu_compiler(d, err) && gpu_code_make(d, text, c, err);
}
