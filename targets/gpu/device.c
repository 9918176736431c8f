/* targets/gpu/device.c: struct Device of the hip and maca targets: opening a GPU, what
 * it is, what programs should be lowered for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/clock.h"
#include "device.h"

static const double Patience = 2; /* seconds behind opening */
enum { GridX = 0x7fffffff, GridYZ = 65535 };

bool gpu_patience(const Gpu *d)
{
    if (clock_s() - d->opened > Patience)
        return false;
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    return true;
}

bool gpu_here(Gpu *d, char **err)
{
    pthread_t self = pthread_self();
    if (!d->cu.handle || (d->set && pthread_equal(d->thread, self)))
        return true;
    GpuResult r = d->cu.SetDevice(d->opt.device);
    d->set = r == GpuOk;
    d->thread = self;
    return gpu_ok(d, r, "SetDevice", err);
}

/* Notes ---------------------------------------------------------------------- */

void gpu_note(Gpu *d, char *text)
{
    if (text && d->nnote < GpuNotes)
        d->note[d->nnote++] = text;
    else
        free(text);
}

static void drop_notes(Gpu *d)
{
    while (d->nnote)
        free(d->note[--d->nnote]);
}

void gpu_say(Gpu *d, const DevHost *host)
{
    for (int i = 0; i < d->nnote; i++)
        host->report(host->ud, d->note[i], strlen(d->note[i]));
    drop_notes(d);
}

/* Opening ------------------------------------------------------------------ */

void gpu_close(void *dev)
{
    Gpu *d = dev;
    char *err = NULL;
    if (d->cu.handle && gpu_here(d, &err)) {
        gpu_bench_close(d);
        gpu_out_close(d);
        gpu_blocks_free(&d->blocks);
        if (d->begin)
            d->cu.EventDestroy(d->begin);
        if (d->end)
            d->cu.EventDestroy(d->end);
    }
    free(err);
    if (d->have_rtc)
        gpu_rtc_close(&d->rtc);
    drop_notes(d);
    str_free(&d->probe.bad);
    cache_close(&d->cache);
    ctx_free(&d->c);
    free(d); /* the library stays: it cannot be unloaded and loaded again */
}

/* The first error of the options or of the cache, with its arguments from `from` on. */
static char *first_error(const Ctx *c, int from)
{
    const Diag *d = c->diags;
    while (d && err_info(d->err)->level != Lerror)
        d = d->next;
    if (!d)
        return NULL;
    const char *a = d->arg[from] ? d->arg[from] : "", *b = d->arg[from + 1] ? d->arg[from + 1] : "";
    if (from)
        return dev_error("@%s" DEV_SEP "%s" DEV_SEP "%s", err_info(d->err)->id, a, b);
    return dev_error("@device_load" DEV_SEP "%s: %s", a, b);
}

static char *find_device(Gpu *d)
{
    const GpuVendor *v = d->v;
    const char *visible = getenv(v->visible);
    int n = 0;
    GpuResult r = d->cu.GetDeviceCount(&n);
    if (gpu_is(d, r, "ErrorNoDevice") || (r == GpuOk && n == 0))
        return dev_error("@gpu_no_device" DEV_SEP "%s" DEV_SEP "%s%s%s%s%s" DEV_SEP "%s" DEV_SEP
                         "%s", v->product, d->cu.path, visible ? "; " : "",
                         visible ? v->visible : "", visible ? "=" : "", visible ? visible : "",
                         v->tool, v->nodes[0]);
    if (r == GpuOk && d->opt.device >= n)
        return dev_error("@gpu_no_ordinal" DEV_SEP "%d" DEV_SEP "%d", d->opt.device, n);
    if (r != GpuOk)
        return dev_error("@gpu_init" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%d" DEV_SEP "%s" DEV_SEP
                         "%s", d->cu.path, gpu_error(&d->cu, r), r, v->product, v->tool);
    char *err = NULL;
    gpu_here(d, &err);
    return err;
}

/* Facts --------------------------------------------------------------------- */

/* The chip's name among the properties, whose layout is not that of every version: the
 * text that begins with "gfx". */
static void find_chip(Gpu *d)
{
    enum { Bytes = 8192 }; /* more than any version's */
    char *p = d->v->attributes && d->cu.GetDeviceProperties ? calloc(1, Bytes) : NULL;
    if (p && d->cu.GetDeviceProperties(p, d->opt.device) == GpuOk)
        for (size_t i = 0; i + sizeof d->is.chip < Bytes && !d->is.chip[0]; i++)
            if (memcmp(p + i, "gfx", 3) == 0 && strspn(p + i + 3, "0123456789abcdef") >= 3)
                snprintf(d->is.chip, sizeof d->is.chip, "%.*s", (int)strcspn(p + i, ":"), p + i);
    free(p);
}

static void ask_attributes(Gpu *d)
{
    GpuFacts *f = &d->is;
    const struct { int attr; int *to; } get[] = {
        {GpuAsms, &f->sms}, {GpuAmax_threads, &f->max_threads}, {GpuAshared, &f->shared},
        {GpuAwarp, &f->warp}, {GpuAl2, &f->l2}, {GpuAclock_khz, &f->clock_khz},
        {GpuAmemory_khz, &f->memory_khz}, {GpuAbus_bits, &f->bus_bits},
    };
    for (size_t i = 0; i < COUNT(get) && d->v->attributes && d->cu.DeviceGetAttribute; i++) {
        int n = 0;
        if (d->cu.DeviceGetAttribute(&n, get[i].attr, d->opt.device) == GpuOk && n > 0)
            *get[i].to = n;
    }
}

static char *ask(Gpu *d)
{
    GpuFacts *f = &d->is;
    size_t left = 0;
    *f = (GpuFacts){.max_threads = d->v->max_threads, .shared = d->v->shared,
                     .grid = {GridX, GridYZ, GridYZ}};
    GpuResult r = d->cu.DeviceGetName(f->name, (int)sizeof f->name, d->opt.device);
    r = r == GpuOk ? d->cu.MemGetInfo(&left, &f->total) : r;
    if (r != GpuOk)
        return gpu_fault(d, r, "DeviceGetName");
    find_chip(d);
    ask_attributes(d);
    return NULL;
}

/* Does this name say that the device is of that chip? */
static bool names(const GpuFacts *f, const GpuArch *a)
{
    return f->chip[0] ? strcmp(f->chip, a->device) == 0 : strstr(f->name, a->device) != NULL;
}

/* The chip's own -arch; code for another one is refused.  A name that says nothing
 * counts as the vendor's first chip where all of them run the same code. */
static char *fit_arch(Gpu *d)
{
    const GpuVendor *v = d->v;
    const GpuArch *own = NULL;
    for (int i = 0; i < v->narch && !own; i++)
        own = names(&d->is, &v->arch[i]) ? &v->arch[i] : NULL;
    bool chips = v->attributes; /* they differ in their code */
    const char *known = d->is.chip[0] ? d->is.chip : d->is.name;
    if (!own && chips && !d->opt.arch_given)
        return dev_error("@gpu_old_chip" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s", d->is.name, known,
                         v->arch[0].name);
    if (own && d->opt.arch_given && strcmp(own->compiler, d->opt.arch->compiler) != 0)
        return dev_error("@gpu_wrong_arch" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s",
                         d->opt.arch->name, d->is.name, own->name);
    if (own && !d->opt.arch_given)
        d->opt.arch = own;
    const Machine *m = d->opt.arch->m;
    if (d->is.warp > 0 && d->is.warp != m->warp)
        return dev_error("@gpu_lanes" DEV_SEP "%s" DEV_SEP "%d" DEV_SEP "%s" DEV_SEP "%d",
                         d->is.name, d->is.warp, d->opt.arch->name, m->warp);
    d->is.warp = m->warp;
    if (!d->is.sms && own) /* a card with another name may have fewer */
        d->is.sms = own->sms;
    return NULL;
}

static char *open_events(Gpu *d)
{
    GpuResult r = d->cu.EventCreate(&d->begin);
    r = r == GpuOk ? d->cu.EventCreate(&d->end) : r;
    return gpu_fault(d, r, "EventCreate");
}

static char *open_gpu(Gpu *d)
{
    char *err = gpu_driver_open(&d->cu, d->v);
    err = err ? err : find_device(d);
    err = err ? err : ask(d);
    err = err ? err : fit_arch(d);
    if (!err)
        gpu_contact(d);
    err = err ? err : gpu_probe_use(d);
    return err ? err : open_events(d);
}

static void give_back(void *ud, uint64_t at)
{
    const Gpu *d = ud;
    d->cu.Free((void *)(uintptr_t)at);
}

void *gpu_open(const GpuVendor *v, const char *options, char **err)
{
    Gpu *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->v = d->cu.v = v;
    d->opened = clock_s();
    d->blocks.ud = d;
    d->blocks.free = give_back;
    ctx_init(&d->c, &mem_libc, 16 << 20);
    if (!gpu_options(&d->c, v, options, &d->opt))
        *err = first_error(&d->c, 1);
    else if (!cache_open(&d->cache, &d->c))
        *err = first_error(&d->c, 0);
    else if (d->opt.build_only || !(*err = open_gpu(d)))
        return d;
    if (!d->begin) /* nothing is to be given back */
        d->cu.handle = NULL;
    gpu_close(d);
    return NULL;
}

bool gpu_apart(const char *options) { return !strstr(options, "-build"); }

/* What programs are lowered for ----------------------------------------------- */

static const Card *card_of(const Gpu *d)
{
    for (const Card *const *c = cards; *c; c++)
        if (strstr(d->is.name, (*c)->name))
            return *c;
    return NULL;
}

static void add_word(Str *options, const char *name, const char *value)
{
    if (!options->s || !strstr(options->s, name))
        str_fmt(options, "%s%s%s", options->n ? " " : "", name, value);
}

bool gpu_complete(void *dev, Str *options, char **err)
{
    const Gpu *d = dev;
    char n[16];
    (void)err;
    if (!d->cu.handle)
        return true;
    add_word(options, "-arch=", d->opt.arch->name);
    snprintf(n, sizeof n, "%d", d->is.sms);
    if (d->is.sms > 0)
        add_word(options, "-sms=", n);
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
    char *err = NULL;
    if (d->cu.handle && gpu_here(d, &err))
        describe_gpu(d, out);
    else
        str_puts(out, "GPU: none (-build)\n");
    str_fmt(out, "architecture: %s\n", d->opt.arch->name);
    if (!err && gpu_compiler(d, &err))
        str_fmt(out, "compiler: %s, %s\n", d->rtc.name, d->rtc.tool ? d->rtc.tool : d->rtc.path);
    free(err);
}

/* The first text that a compiler's library compiles takes it longer than the others. */
void gpu_warm(void *dev)
{
    static const char text[] = "extern \"C\" __global__ void warm(int *a) { *a = 0; }\n";
    Gpu *d = dev;
    GpuCompiled c = {.ms = 0};
    char *err = NULL;
    if (gpu_here(d, &err) && gpu_compiler(d, &err) && d->rtc.handle)
        gpu_compile(&d->rtc, text, &d->opt, &d->cache, &c, &err);
    gpu_compiled_free(&c);
    free(err);
}
