/* targets/wave/code.c: text -> code, through the cache.
 *
 * The key of an entry is everything that its bytes depend on: the text, the options,
 * the chip, the compiler's version and file, and the run-time's version. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

static const char kind[] = "mtwave1";

void wave_code_free(WaveCode *c)
{
    str_free(&c->code);
    str_free(&c->info);
}

/* What serves in place of the library, and why. */
static void note_offline(Wave *d, const char *why)
{
    wave_note(d, dev_error("@wave_offline" DEV_SEP DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s",
                           d->v->rtc, why, d->rtc.name));
}

bool wave_compiler(Wave *d, char **err)
{
    if (d->have_rtc)
        return true;
    *err = wave_rtc_open(&d->rtc, d->v, &d->cu, d->opt.rtc);
    d->have_rtc = *err == NULL;
    if (d->have_rtc && d->opt.rtc && d->rtc.tool)
        note_offline(d, d->rtc.why.s ? d->rtc.why.s : d->v->rtc);
    return d->have_rtc;
}

/* The library has failed by itself, as *err says: the offline compiler takes over.
 * false: there is none, and the error stands. */
static bool change_compiler(Wave *d, char **err)
{
    WaveRtc tool;
    char *none = d->rtc.handle ? wave_rtc_open(&tool, d->v, &d->cu, false) : NULL;
    if (none || !d->rtc.handle) {
        free(none);
        return false;
    }
    Str why = {0};
    const char *sep = *err ? strrchr(*err, *DEV_SEP) : NULL;
    str_puts(&why, sep ? sep + 1 : d->rtc.name);
    wave_rtc_close(&d->rtc);
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

static Hash key_of(const Wave *d, const char *text)
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
static char *refused(Wave *d, const char *text, const WaveCompiled *c)
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

static bool compile(Wave *d, const char *text, WaveCode *out, char **err)
{
    WaveCompiled c;
    enum WaveOutcome is = wave_compile(&d->rtc, text, &d->opt, &d->cache, &c, err);
    if (is == WObroken && change_compiler(d, err)) {
        wave_compiled_free(&c);
        is = wave_compile(&d->rtc, text, &d->opt, &d->cache, &c, err);
    }
    if (is == WOrefused)
        *err = refused(d, text, &c);
    if (is == WOmade) {
        out->code = c.code;
        c.code = (Str){0};
        out->ms = c.ms;
        str_fmt(&out->info, "compiler %s\ntarget %s\n", d->rtc.name, d->opt.arch->compiler);
        gpu_each_line(c.log.s ? c.log.s : "", read_line, &(Figures){.info = &out->info});
    }
    wave_compiled_free(&c);
    return is == WOmade;
}

/* Compiles text and keeps what comes of it. */
static bool make(Wave *d, const char *text, WaveCode *out, char **err)
{
    *out = (WaveCode){.cached = false};
    if (!compile(d, text, out, err))
        return false;
    gpu_code_put(&d->cache, key_of(d, text), d->v->code_ext, kind, &out->code, &out->info, 0);
    return true;
}

bool wave_code(Wave *d, const char *text, WaveCode *out, char **err)
{
    uint64_t flag = 0;
    *out = (WaveCode){.cached = false};
    if (!wave_compiler(d, err))
        return false;
    out->cached = gpu_code_get(&d->cache, key_of(d, text), d->v->code_ext, kind, &out->code,
                               &out->info, &flag);
    if (out->cached)
        return true;
    wave_code_free(out);
    return make(d, text, out, err);
}

bool wave_code_again(Wave *d, const char *text, WaveCode *c, char **err)
{
    wave_code_free(c);
    *c = (WaveCode){.cached = false};
    return wave_compiler(d, err) && make(d, text, c, err);
}
