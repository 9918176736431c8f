/* targets/cuda/device.c: struct Device of the cuda target: opening a GPU, what it
 * is, what programs should be lowered for. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "core/base/clock.h"
#include "device.h"

enum { LeastMajor = 7, LeastMinor = 5 };
static const double Patience = 2; /* seconds behind opening */

bool cuda_patience(const Cuda *d)
{
    if (clock_s() - d->opened > Patience)
        return false;
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    return true;
}

/* Opening ------------------------------------------------------------------ */

static void cuda_close(void *dev)
{
    Cuda *d = dev;
    const CudaDriver *u = &d->cu;
    if (d->ctx) {
        cuda_bench_close(d);
        cuda_out_close(d);
        cuda_lanes_close(d);
        if (d->begin)
            u->EventDestroy(d->begin);
        if (d->end)
            u->EventDestroy(d->end);
        if (d->stream)
            u->StreamDestroy(d->stream);
        u->CtxRelease(d->dev);
    }
    nvml_close(&d->ml);
    if (d->have_rtc)
        nvrtc_close(&d->rtc);
    cache_close(&d->cache);
    ctx_free(&d->c);
    free(d); /* the driver stays: it cannot be unloaded and loaded again */
}

/* The options' first error with its arguments behind the kernel's name. */
static char *option_error(const Ctx *c)
{
    const Diag *d = c->diags;
    while (d && err_info(d->err)->level != Lerror)
        d = d->next;
    if (!d)
        return NULL;
    return dev_error("@%s" DEV_SEP "%s" DEV_SEP "%s", err_info(d->err)->id,
                     d->arg[1] ? d->arg[1] : "", d->arg[2] ? d->arg[2] : "");
}

static char *cache_error(const Ctx *c)
{
    const Diag *d = c->diags;
    while (d && err_info(d->err)->level != Lerror)
        d = d->next;
    return d ? dev_error("@device_load" DEV_SEP "%s: %s", d->arg[0] ? d->arg[0] : "",
                         d->arg[1] ? d->arg[1] : "")
             : NULL;
}

static char *find_device(Cuda *d)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    int n = 0;
    CUresult r = d->cu.DeviceGetCount(&n);
    if (r == CUno_device || (r == CUok && n == 0))
        return dev_error("@cuda_no_device" DEV_SEP "%s%s%s", d->cu.path,
                         visible ? "; CUDA_VISIBLE_DEVICES=" : "", visible ? visible : "");
    if (r == CUok && d->opt.device >= n)
        return dev_error("@cuda_no_ordinal" DEV_SEP "%d" DEV_SEP "%d", d->opt.device, n);
    if (r == CUok)
        r = d->cu.DeviceGet(&d->dev, d->opt.device);
    return cuda_fault(d, r, NULL, "cuDeviceGet");
}

static char *ask(Cuda *d)
{
    const CudaDriver *u = &d->cu;
    CudaFacts *f = &d->is;
    const struct { int attr; int *to; } get[] = {
        {CUDmajor, &f->major}, {CUDminor, &f->minor}, {CUDsms, &f->sms},
        {CUDmax_threads, &f->max_threads}, {CUDmax_grid_x, &f->grid[0]},
        {CUDmax_grid_y, &f->grid[1]}, {CUDmax_grid_z, &f->grid[2]},
        {CUDshared_optin, &f->shared_optin}, {CUDshared_sm, &f->shared_sm},
        {CUDregs_sm, &f->regs_sm}, {CUDl2, &f->l2}, {CUDclock_khz, &f->clock_khz},
        {CUDmemory_khz, &f->memory_khz}, {CUDbus_bits, &f->bus_bits}, {CUDecc, &f->ecc},
    };
    CUresult r = u->DeviceGetName(f->name, (int)sizeof f->name, d->dev);
    for (size_t i = 0; i < COUNT(get) && r == CUok; i++)
        r = u->DeviceGetAttribute(get[i].to, get[i].attr, d->dev);
    r = r == CUok ? u->DeviceTotalMem(&f->total, d->dev) : r;
    r = r == CUok ? u->DeviceGetUuid(&f->uuid, d->dev) : r;
    return cuda_fault(d, r, NULL, "cuDeviceGetAttribute");
}

/* 90 of "sm_90a" */
static int number(const char *arch) { return atoi(arch + strcspn(arch, "0123456789")); }

/* The chip's own -arch, whatever machine the programs are lowered for; an
 * instruction set that the chip lacks is refused. */
static char *fit_arch(Cuda *d, const char *options)
{
    const CudaFacts *f = &d->is;
    char version[16], arch[16] = "";
    snprintf(version, sizeof version, "%d.%d", f->major, f->minor);
    bool given = strstr(options, "-arch=") != NULL;
    int want = given ? number(d->opt.arch) : 0, has = f->major * 10 + f->minor;
    const char *digits = d->opt.arch + strcspn(d->opt.arch, "0123456789");
    bool exact = given && digits[strspn(digits, "0123456789")] != '\0'; /* "sm_90a" */
    const Machine *m = cuda_machine_of(f->major, f->minor, arch);
    if (!m || f->major < LeastMajor || (f->major == LeastMajor && f->minor < LeastMinor))
        return dev_error("@cuda_old_chip" DEV_SEP "%s" DEV_SEP "%s", f->name, version);
    if (want > has || (exact && want != has))
        return dev_error("@cuda_wrong_arch" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s", d->opt.arch,
                         f->name, version);
    if (!given)
        d->opt.m = m;
    memcpy(d->opt.arch, arch, sizeof d->opt.arch);
    return NULL;
}

static int compute_mode(const Cuda *d)
{
    int k = 0;
    d->cu.DeviceGetAttribute(&k, CUDcompute_mode, d->dev);
    return k;
}

static char *busy(Cuda *d, CUresult r)
{
    static const char *const mode[] = {"DEFAULT", "EXCLUSIVE_THREAD", "PROHIBITED",
                                       "EXCLUSIVE_PROCESS"};
    int k = compute_mode(d);
    return dev_error("@cuda_busy" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s", d->is.name,
                     driver_error(&d->cu, r), k >= 0 && k < (int)COUNT(mode) ? mode[k] : "?");
}

static char *open_context(Cuda *d)
{
    const CudaDriver *u = &d->cu;
    CUcontext ctx = NULL;
    CUresult r = u->CtxRetain(&ctx, d->dev);
    while (r == CUdevice_unavailable && compute_mode(d) == CUMexclusive_process && cuda_patience(d))
        r = u->CtxRetain(&ctx, d->dev);
    if (r == CUdevice_unavailable || r == CUinvalid_device || r == CUmps_failed ||
        r == CUout_of_memory)
        return busy(d, r);
    if (r != CUok)
        return dev_error("@cuda_init" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%d", u->path,
                         driver_error(u, r), r);
    d->ctx = ctx;
    r = u->CtxSetCurrent(ctx);
    r = r == CUok ? u->StreamCreate(&d->stream, CUSnonblocking) : r;
    r = r == CUok ? u->EventCreate(&d->begin, 0) : r;
    r = r == CUok ? u->EventCreate(&d->end, 0) : r;
    return cuda_fault(d, r, NULL, "cuDevicePrimaryCtxRetain");
}

static char *open_gpu(Cuda *d, const char *options)
{
    char *err = driver_open(&d->cu);
    err = err ? err : find_device(d);
    err = err ? err : ask(d);
    err = err ? err : fit_arch(d, options);
    err = err ? err : open_context(d);
    if (!err)
        nvml_open(&d->ml, &d->is.uuid);
    return err;
}

/* NVRTC takes tens of megabytes for each compile and gives them back: keeping them
 * spares it the page faults of the next one (virtual machines pay most for these). */
static void keep_memory(void)
{
#if defined(__GLIBC__)
    enum { Kept = 512 << 20, Step = 32 << 20 };
    mallopt(M_MMAP_THRESHOLD, Step);
    mallopt(M_TRIM_THRESHOLD, Kept);
    mallopt(M_TOP_PAD, Step);
#endif
}

static void *cuda_open(const char *options, char **err)
{
    Cuda *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    keep_memory();
    d->opened = clock_s();
    ctx_init(&d->c, &mem_libc, 16 << 20);
    if (!cuda_options(&d->c, options, &d->opt))
        *err = option_error(&d->c);
    else if (!cache_open(&d->cache, &d->c))
        *err = cache_error(&d->c);
    else if (d->opt.build_only || !(*err = open_gpu(d, options)))
        return d;
    cuda_close(d);
    return NULL;
}

static bool cuda_apart(const char *options) { return !strstr(options, "-build"); }

/* What programs are lowered for ----------------------------------------------- */

/* Is the card's name in that of the device, but for spaces ("RTX4090")? */
static bool named(const char *device, const char *card)
{
    char text[96];
    size_t n = 0;
    for (const char *s = device; *s && n + 1 < sizeof text; s++)
        if (*s != ' ')
            text[n++] = *s;
    text[n] = '\0';
    const char *at = strstr(text, card);
    return at && !isdigit((unsigned char)at[strlen(card)]);
}

static const Card *card_of(const CudaFacts *f)
{
    for (const Card *const *c = cards; *c; c++)
        if (named(f->name, (*c)->name))
            return *c;
    return NULL;
}

static void add_word(Str *options, const char *name, const char *value)
{
    if (!options->s || !strstr(options->s, name))
        str_fmt(options, "%s%s%s", options->n ? " " : "", name, value);
}

static bool cuda_complete(void *dev, Str *options, char **err)
{
    const Cuda *d = dev;
    char n[16];
    (void)err;
    if (!d->cu.handle)
        return true;
    add_word(options, "-arch=", d->opt.arch);
    snprintf(n, sizeof n, "%d", d->is.sms);
    add_word(options, "-sms=", n);
    snprintf(n, sizeof n, "%d", d->is.shared_optin);
    add_word(options, "-shared=", n);
    const Card *c = card_of(&d->is);
    if (c)
        add_word(options, "-card=", c->name);
    return true;
}

/* For people ------------------------------------------------------------------ */

static void describe_gpu(Cuda *d, Str *out)
{
    const CudaFacts *f = &d->is;
    char bytes[32], l2[32], left[32], driver[80];
    size_t rest = 0, total = 0;
    d->cu.MemGetInfo(&rest, &total);
    str_fmt(out, "GPU: %s\n", f->name);
    str_fmt(out, "compute capability: %d.%d\n", f->major, f->minor);
    str_fmt(out, "multiprocessors: %d\n", f->sms);
    str_fmt(out, "memory: %s, %s free%s\n", gpu_bytes((double)f->total, bytes),
            gpu_bytes((double)rest, left), f->ecc ? ", ECC" : "");
    str_fmt(out, "L2 cache: %s\n", gpu_bytes(f->l2, l2));
    str_fmt(out, "shared memory: %d bytes a block\n", f->shared_optin);
    str_fmt(out, "clock: %.0f MHz at most", f->clock_khz * 1e-3);
    if (nvml_mhz(&d->ml) > 0)
        str_fmt(out, ", %.0f MHz now, %.0f W", nvml_mhz(&d->ml), nvml_watts(&d->ml));
    str_fmt(out, "\ndriver: CUDA %d.%d", d->cu.version / 1000, d->cu.version % 1000 / 10);
    if (nvml_driver(&d->ml, driver, sizeof driver))
        str_fmt(out, " (%s)", driver);
    str_fmt(out, ", %s\n", d->cu.path);
}

static void describe_roofs(Cuda *d, Str *out)
{
    CudaRoofs r;
    char *err = NULL;
    if (cuda_roofs(d, &r, &err))
        str_fmt(out, "copy: %.2f TB/s\nread: %.2f TB/s\n", r.copy * 1e-3, r.read * 1e-3);
    free(err);
}

static void cuda_describe(void *dev, Str *out)
{
    Cuda *d = dev;
    char *err = NULL;
    if (d->cu.handle)
        describe_gpu(d, out);
    else
        str_puts(out, "GPU: none (-build)\n");
    str_fmt(out, "architecture: %s\n", d->opt.arch);
    if (cuda_compiler(d, &err))
        str_fmt(out, "compiler: %s, %s\n", d->rtc.name, d->rtc.nvcc ? d->rtc.nvcc : d->rtc.path);
    free(err);
    if (d->cu.handle)
        describe_roofs(d, out);
}

/* The first text that NVRTC compiles takes it three times as long as the others. */
static void cuda_warm(void *dev)
{
    static const char text[] = "extern \"C\" __global__ void warm(int *a) { *a = 0; }\n";
    Cuda *d = dev;
    Compiled c;
    char *err = NULL;
    if (cuda_compiler(d, &err) && d->rtc.handle) {
        nvrtc_compile(&d->rtc, text, d->opt.arch, false, NVcode, &c, &err);
        compiled_free(&c);
    }
    free(err);
}

const Device cuda_device = {
    .open = cuda_open,         .close = cuda_close,       .load = cuda_load,
    .unload = cuda_unload,     .launch = cuda_launch,     .flush = cuda_flush,
    .describe = cuda_describe, .apart = cuda_apart,       .mem_new = cuda_mem_new,
    .mem_free = cuda_mem_free, .mem_zero = cuda_mem_zero, .mem_put = cuda_mem_put,
    .mem_get = cuda_mem_get,   .complete = cuda_complete, .facts = cuda_module_facts,
    .text = cuda_text,         .bench = cuda_bench,       .warm = cuda_warm,
};
