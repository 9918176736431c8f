/* targets/gpu/describe.c: what programs are lowered for on a device, and what it is, for
 * people. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* What programs are lowered for ----------------------------------------------- */

/* Is the card's name in that of the device, but for spaces ("RTX4090")? */
static bool describe_named(const char *device, const char *card)
{
    char text[sizeof((GpuFacts *)NULL)->name];
    size_t n = 0;
    for (const char *s = device; *s && n + 1 < sizeof text; s++)
        if (*s != ' ')
            text[n++] = *s;
    text[n] = '\0';
    const char *at = strstr(text, card);
    return at && !isdigit((unsigned char)at[strlen(card)]);
}

static const Card *card_of(const Gpu *d)
{
    for (const Card *const *c = cards; *c; c++)
        if (describe_named(d->is.name, (*c)->name))
            return *c;
    return NULL;
}

static void add_word(Str *options, const char *name, const char *value)
{
    if (!options->s || !strstr(options->s, name))
        str_fmt(options, "%s%s%s", options->n ? " " : "", name, value);
}

static void describe_add_number(Str *options, const char *name, int value)
{
    enum { Most = 999999999 };
    char n[16];
    snprintf(n, sizeof n, "%d", value);
    if (value > 0 && value <= Most) /* else nobody knows it: the options take no more */
        add_word(options, name, n);
}

bool gpu_complete(void *dev, Str *options, DevError *err)
{
    const Gpu *d = dev;
    (void)err;
    if (!d->cu.handle)
        return true;
    add_word(options, "-arch=", d->opt.arch);
    describe_add_number(options, "-sms=", d->is.sms);
    if (d->v->shared_differs)
        describe_add_number(options, "-shared=", d->is.shared);
    const Card *c = card_of(d);
    if (c)
        add_word(options, "-card=", c->name);
    if (d->probe.bad.n && d->opt.mma && !d->opt.mma_given) { /* the last word of a name holds */
        if (d->probe.good)
            str_fmt(options, " -no-mma=%s%s%s", d->opt.no_mma, d->opt.no_mma[0] ? "," : "",
                    d->probe.bad.s);
        else
            str_puts(options, " -mma=off");
    }
    return !options->bad;
}

/* For people ------------------------------------------------------------------ */

static void describe_gpu(Gpu *d, Str *out)
{
    const GpuFacts *f = &d->is;
    char bytes[32], left[32];
    size_t rest = 0, total = 0;
    d->cu.MemGetInfo(&rest, &total);
    str_fmt(out, "GPU: %s\n", f->name);
    if (f->chip[0])
        str_fmt(out, "chip: %s\n", f->chip);
    if (f->sms > 0)
        str_fmt(out, "compute units: %d\n", f->sms);
    str_fmt(out, "lanes of a wave: %d\n", f->warp);
    str_fmt(out, "memory: %s, %s free\n", gpu_bytes((double)f->total, bytes),
            gpu_bytes((double)rest, left));
    str_fmt(out, "shared memory: %d bytes a block\n", f->shared);
    if (f->clock_khz > 0)
        str_fmt(out, "clock: %.0f MHz at most\n", f->clock_khz * 1e-3);
    str_fmt(out, "run-time: %s", d->v->product);
    if (d->cu.version > 0)
        str_fmt(out, " %d", d->cu.version);
    str_fmt(out, ", %s\n", d->cu.path);
}

void gpu_describe(void *dev, Str *out)
{
    Gpu *d = dev;
    DevError err = DEV_NO_ERROR;
    bool here = d->cu.handle && gpu_here(d, &err);
    if (here)
        (d->v->describe ? d->v->describe : describe_gpu)(d, out);
    else
        str_puts(out, "GPU: none (-build)\n");
    str_fmt(out, "architecture: %s\n", d->opt.arch);
    if (!err.is && gpu_compiler(d, &err))
        str_fmt(out, "compiler: %s, %s\n", d->rtc.name, d->rtc.tool ? d->rtc.tool : d->rtc.path);
    dev_error_free(err);
    if (here && d->v->rates)
        d->v->rates(d, out);
}

/* The first text that a compiler's library compiles takes it longer than the others. */
void gpu_warm(void *dev)
{
    static const char text[] = "extern \"C\" __global__ void warm(int *a) { *a = 0; }\n";
    Gpu *d = dev;
    GpuCompiled c = {.ms = 0};
    DevError err = DEV_NO_ERROR;
    if (gpu_here(d, &err) && gpu_compiler(d, &err) && d->rtc.handle)
        gpu_compile(&d->rtc, text, &d->opt, &d->cache, false, &c, &err);
    gpu_compiled_free(&c);
    dev_error_free(err);
}
