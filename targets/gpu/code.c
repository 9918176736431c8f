/* targets/gpu/code.c: text -> code, through the cache.
 *
 * The key of an entry is everything that its bytes depend on: the text, the options,
 * the chip, the compiler's version and file, and the run-time's version. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

static const char kind[] = "mtwave1";

void gpu_code_free(GpuCode *c)
{
    str_free(&c->code);
    str_free(&c->info);
}

/* What serves in place of the library, and why. */
static void note_offline(Gpu *d, const char *why)
{
    gpu_note(d, dev_error("@gpu_other_compiler" DEV_SEP DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s",
                           d->v->rtc, why, d->rtc.name));
}

bool gpu_compiler(Gpu *d, char **err)
{
    if (d->have_rtc)
        return true;
    *err = gpu_rtc_open(&d->rtc, d->v, &d->cu, d->opt.rtc);
    d->have_rtc = *err == NULL;
    if (d->have_rtc && d->opt.rtc && d->rtc.tool)
        note_offline(d, d->rtc.why.s ? d->rtc.why.s : d->v->rtc);
    return d->have_rtc;
}

/* The library has failed by itself, as *err says: the offline compiler takes over.
 * false: there is none, and the error stands. */
static bool change_compiler(Gpu *d, char **err)
{
    GpuRtc tool;
    char *none = d->rtc.handle ? gpu_rtc_open(&tool, d->v, &d->cu, false) : NULL;
    if (none || !d->rtc.handle) {
        free(none);
        return false;
    }
    Str why = {0};
    const char *sep = *err ? strrchr(*err, *DEV_SEP) : NULL;
    str_puts(&why, sep ? sep + 1 : d->rtc.name);
    gpu_rtc_close(&d->rtc);
    d->rtc = tool;
    note_offline(d, why.s ? why.s : "");
    str_free(&why);
    free(*err);
    *err = NULL;
    return true;
}

/* What the compiler said ------------------------------------------------------ */

/* clang's remarks about one kernel. */
typedef struct Figures Figures;
struct Figures { Str *info; char kernel[256]; int regs, more, stack; };

/* The number behind `what` and a colon; false: the line says something else. */
static bool figure(const char *line, const char *what, int *out)
{
    const char *s = strstr(line, what);
    s = s ? strchr(s + strlen(what) - 1, ':') : NULL;
    return s && sscanf(s, ": %d", out) == 1;
}

static void read_line(void *ud, const char *line)
{
    Figures *f = ud;
    Str *info = f->info;
    const char *s = strstr(line, "Function Name: ");
    int n = 0;
    if (s && sscanf(s, "Function Name: %255s", f->kernel) == 1)
        f->regs = f->more = f->stack = 0;
    else if (figure(line, "VGPRs Spill:", &n)) {
        if (f->kernel[0])
            str_fmt(info, "kernel %s %d %d %d\n", f->kernel, f->regs + f->more, f->stack, n);
    } else if (!strstr(line, "Spill") && figure(line, " VGPRs:", &n))
        f->regs = n;
    else if (figure(line, " AGPRs:", &n))
        f->more = n;
    else if (figure(line, "ScratchSize [bytes/lane]:", &n))
        f->stack = n;
    else if ((s = strstr(line, "warning: ")))
        str_fmt(info, "warning %s\n", s);
}

/* The cache --------------------------------------------------------------------- */

static Hash key_of(const Gpu *d, const char *text)
{
    const char *part[] = {text, d->v->target, d->opt.arch->compiler, d->rtc.name,
                          d->rtc.tool ? d->rtc.tool : d->rtc.path};
    const char *const *list = d->rtc.tool ? d->v->offline_argv : d->v->rtc_options;
    Hash h = {0x77617665, 1};
    h = hash_bytes(h, kind, sizeof kind);
    for (size_t i = 0; i < COUNT(part); i++) {
        char *real = i + 1 == COUNT(part) ? realpath(part[i], NULL) : NULL; /* names its version */
        const char *s = real ? real : part[i];
        h = hash_bytes(h, s, strlen(s) + 1);
        free(real);
    }
    for (; *list; list++)
        h = hash_bytes(h, *list, strlen(*list) + 1);
    return hash_bytes(h, &d->cu.version, sizeof d->cu.version);
}

/* The compiler's messages with the text it was given, for a report to us. */
static char *refused(Gpu *d, const char *text, const GpuCompiled *c)
{
    Str all = {0}, path = {0};
    str_fmt(&all, "%s %s\n\n%s\n\n%s", d->rtc.name, d->opt.arch->compiler,
            c->log.s ? c->log.s : "", text);
    bool ok = !all.bad && gpu_keep(&d->cache, "log", all.s, all.n, &path);
    char *err = dev_error("@cuda_compile" DEV_SEP "%s" DEV_SEP "%s", d->rtc.name,
                          ok ? path.s : strerror(errno));
    str_free(&all);
    str_free(&path);
    return err;
}

static bool compile(Gpu *d, const char *text, GpuCode *out, char **err)
{
    GpuCompiled c;
    enum GpuOutcome is = gpu_compile(&d->rtc, text, &d->opt, &d->cache, &c, err);
    if (is == RTCbroken && change_compiler(d, err)) {
        gpu_compiled_free(&c);
        is = gpu_compile(&d->rtc, text, &d->opt, &d->cache, &c, err);
    }
    if (is == RTCrefused)
        *err = refused(d, text, &c);
    if (is == RTCmade) {
        out->code = c.code;
        c.code = (Str){0};
        out->ms = c.ms;
        str_fmt(&out->info, "compiler %s\ntarget %s\n", d->rtc.name, d->opt.arch->compiler);
        gpu_each_line(c.log.s ? c.log.s : "", read_line, &(Figures){.info = &out->info});
    }
    gpu_compiled_free(&c);
    return is == RTCmade;
}

/* Compiles text and keeps what comes of it. */
static bool make(Gpu *d, const char *text, GpuCode *out, char **err)
{
    *out = (GpuCode){.cached = false};
    if (!compile(d, text, out, err))
        return false;
    gpu_code_put(&d->cache, key_of(d, text), d->v->code_ext, kind, &out->code, &out->info, 0);
    return true;
}

bool gpu_code(Gpu *d, const char *text, GpuCode *out, char **err)
{
    uint64_t flag = 0;
    *out = (GpuCode){.cached = false};
    if (!gpu_compiler(d, err))
        return false;
    out->cached = gpu_code_get(&d->cache, key_of(d, text), d->v->code_ext, kind, &out->code,
                               &out->info, &flag);
    if (out->cached)
        return true;
    gpu_code_free(out);
    return make(d, text, out, err);
}

bool gpu_code_again(Gpu *d, const char *text, GpuCode *c, char **err)
{
    gpu_code_free(c);
    *c = (GpuCode){.cached = false};
    return gpu_compiler(d, err) && make(d, text, c, err);
}
