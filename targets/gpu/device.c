/* targets/gpu/device.c: struct Device of a GPU: opening it, asking what it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "core/base/clock.h"
#include "device.h"
#include "err/gpu.h"
#include "err/launch.h"

static const double Patience = 2; /* seconds behind opening */
enum { GridX = 0x7fffffff, GridYZ = 65535 };

bool gpu_patience(const Gpu *d)
{
    if (clock_s() - d->opened > Patience)
        return false;
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    return true;
}

bool gpu_here(Gpu *d, DevError *err)
{
    const GpuDriver *u = &d->cu;
    pthread_t self = pthread_self();
    if (!u->handle || (d->set && pthread_equal(d->thread, self)))
        return true;
    GpuResult r = u->SetDevice ? u->SetDevice(d->opt.device) : u->CtxSetCurrent(d->ctx);
    d->set = r == GpuOk;
    d->thread = self;
    return gpu_ok(d, r, NULL, u->SetDevice ? GCSetDevice : GCCtxSetCurrent, err);
}

/* Notes ---------------------------------------------------------------------- */

void gpu_note(Gpu *d, DevError note)
{
    if (d->nnote < GpuNotes)
        d->note[d->nnote++] = note;
    else
        dev_error_free(note);
}

static void drop_notes(Gpu *d)
{
    while (d->nnote)
        dev_error_free(d->note[--d->nnote]);
}

void gpu_say(Gpu *d, const DevHost *host)
{
    for (int i = 0; i < d->nnote; i++) {
        DevMessage m = dev_message_of(&d->note[i]);
        host->report(host->ud, &m);
    }
    drop_notes(d);
}

/* Closing ------------------------------------------------------------------- */

static void close_gpu(Gpu *d)
{
    const GpuDriver *u = &d->cu;
    gpu_bench_close(d);
    gpu_out_close(d);
    gpu_lanes_close(d);
    gpu_blocks_free(&d->blocks);
    if (d->begin)
        u->EventDestroy(d->begin);
    if (d->end)
        u->EventDestroy(d->end);
    if (u->stream)
        u->StreamDestroy(u->stream);
    if (d->ctx)
        u->CtxRelease(d->dev);
}

void gpu_close(void *dev)
{
    Gpu *d = dev;
    DevError err = DEV_NO_ERROR;
    if (d->cu.handle && gpu_here(d, &err))
        close_gpu(d);
    dev_error_free(err);
    if (d->v->closed)
        d->v->closed(d);
    if (d->have_rtc)
        gpu_rtc_close(&d->rtc);
    drop_notes(d);
    str_free(&d->probe.bad);
    cache_close(&d->cache);
    ctx_free(&d->c);
    free(d); /* the library stays: it cannot be unloaded and loaded again */
}

/* Asking --------------------------------------------------------------------- */

static DevError find_device(Gpu *d)
{
    const GpuDriver *u = &d->cu;
    DevError err = DEV_NO_ERROR;
    int n = 0;
    GpuResult r = u->DeviceGetCount(&n);
    if (gpu_fault_is(u, r, GFno_device) || (r == GpuOk && n <= 0))
        return gpu_no_device(u);
    if (r == GpuOk && d->opt.device >= n)
        return dev_error_row(d->v->rows->no_ordinal, d->opt.device, n);
    if (r != GpuOk && !u->Init) /* it starts with its first call */
        return gpu_init_failed(u, r);
    d->dev = d->opt.device;
    if (r == GpuOk && u->DeviceGet)
        r = u->DeviceGet(&d->dev, d->opt.device);
    if (gpu_ok(d, r, NULL, GCDeviceGet, &err) && u->SetDevice)
        gpu_here(d, &err);
    return err;
}

static DevError ask_attributes(Gpu *d)
{
    const GpuDriver *u = &d->cu;
    bool all = d->v->api == GPUdriver; /* which has all of them */
    const GpuAttribute *a = d->v->device_attributes;
    for (; a && a->at && u->DeviceGetAttribute; a++) {
        int n = 0;
        GpuResult r = u->DeviceGetAttribute(&n, a->number, d->dev);
        if (r != GpuOk && all)
            return gpu_fault(d, r, NULL, GCDeviceGetAttribute);
        if (r == GpuOk && n > 0)
            memcpy((char *)&d->is + a->at, &n, sizeof n);
    }
    return DEV_NO_ERROR;
}

/* A name goes into messages, keys and lines of text: what is no letter of it is a blank. */
static void show_name(char *s, size_t size)
{
    s[size - 1] = '\0';
    for (; *s; s++)
        if (*s < ' ' || *s > '~')
            *s = ' ';
}

static DevError gpu_device_ask(Gpu *d)
{
    const GpuDriver *u = &d->cu;
    GpuFacts *f = &d->is;
    size_t left = 0;
    *f = (GpuFacts){.max_threads = d->v->max_threads, .shared = d->v->shared,
                    .grid = {GridX, GridYZ, GridYZ}};
    GpuResult r = u->DeviceGetName(f->name, (int)sizeof f->name, d->dev);
    show_name(f->name, sizeof f->name);
    if (r == GpuOk)
        r = u->DeviceTotalMem ? u->DeviceTotalMem(&f->total, d->dev)
                              : u->MemGetInfo(&left, &f->total);
    if (r != GpuOk)
        return gpu_fault(d, r, NULL, GCDeviceGetName);
    DevError err = ask_attributes(d);
    return err.is || !d->v->ask ? err : d->v->ask(d);
}

/* Does this name say that the device is of that chip? */
static bool gpu_device_names(const GpuFacts *f, const GpuArch *a)
{
    return f->chip[0] ? strcmp(f->chip, a->device) == 0 : strstr(f->name, a->device) != NULL;
}

/* The chip's own -arch; code for another one is refused.  A name that says nothing
 * counts as the vendor's first chip where all of them run the same code. */
static DevError fit_arch(Gpu *d)
{
    const GpuVendor *v = d->v;
    const GpuArch *own = NULL;
    for (int i = 0; i < v->narch && !own; i++)
        own = gpu_device_names(&d->is, &v->arch[i]) ? &v->arch[i] : NULL;
    const char *known = d->is.chip[0] ? d->is.chip : d->is.name;
    if (!own && v->chips && !d->opt.arch_given)
        return dev_error_row(v->rows->old_chip, d->is.name, known, v->arch[0].name);
    if (own && d->opt.arch_given && strcmp(own->compiler, gpu_told(&d->opt)) != 0)
        return dev_error_row(v->rows->wrong_arch, d->opt.arch, d->is.name, own->name);
    if (own && !d->opt.arch_given)
        gpu_use_arch(&d->opt, own);
    if (!d->is.sms && own) /* a card with another name may have fewer */
        d->is.sms = own->sms;
    return DEV_NO_ERROR;
}

static DevError gpu_device_fit(Gpu *d)
{
    DevError err = d->v->fit ? d->v->fit(d) : fit_arch(d);
    int lanes = d->opt.m->warp;
    if (!err.is && d->is.warp > 0 && d->is.warp != lanes)
        err = dev_error(E_gpu_lanes, d->is.name, d->is.warp, d->opt.arch, lanes);
    d->is.warp = lanes;
    return err;
}

/* Opening ---------------------------------------------------------------------- */

static int compute_mode(const Gpu *d)
{
    int k = 0;
    d->cu.DeviceGetAttribute(&k, d->v->compute_mode, d->dev);
    return k;
}

/* Somebody else has it. */
static DevError gpu_device_busy(const Gpu *d, GpuResult r)
{
    static const char *const mode[] = {"DEFAULT", "EXCLUSIVE_THREAD", "PROHIBITED",
                                       "EXCLUSIVE_PROCESS"};
    int k = compute_mode(d);
    return dev_error_row(d->v->rows->busy, d->is.name, gpu_error(&d->cu, r),
                         k >= 0 && k < (int)COUNT(mode) ? mode[k] : "?");
}

static DevError open_context(Gpu *d)
{
    const GpuDriver *u = &d->cu;
    void *ctx = NULL;
    DevError err = DEV_NO_ERROR;
    GpuResult r = u->CtxRetain(&ctx, d->dev);
    const GpuFault *f = gpu_fault_of(u, r);
    while (f && f->busy && compute_mode(d) == GpuExclusiveProcess && gpu_patience(d)) {
        r = u->CtxRetain(&ctx, d->dev);
        f = gpu_fault_of(u, r);
    }
    if (f && f->busy)
        return gpu_device_busy(d, r);
    r = gpu_given(r, ctx);
    if (r != GpuOk)
        return gpu_init_failed(u, r);
    d->ctx = ctx;
    if (!gpu_here(d, &err))
        return err;
    r = u->StreamCreate(&d->cu.stream, GpuNonblocking);
    gpu_ok(d, gpu_given(r, d->cu.stream), NULL, GCStreamCreate, &err);
    return err;
}

static DevError open_events(Gpu *d)
{
    GpuResult r = gpu_event(&d->cu, &d->begin, 0);
    r = r == GpuOk ? gpu_event(&d->cu, &d->end, 0) : r;
    return gpu_fault(d, r, NULL, GCEventCreate);
}

static DevError open_gpu(Gpu *d)
{
    DevError err = gpu_driver_open(&d->cu, d->v);
    err = err.is ? err : find_device(d);
    err = err.is ? err : gpu_device_ask(d);
    err = err.is ? err : gpu_device_fit(d);
    if (!err.is && d->v->words_of_probes) {
        gpu_contact(d);
        err = gpu_probe_use(d);
    }
    if (!err.is && d->cu.CtxRetain)
        err = open_context(d);
    err = err.is ? err : open_events(d);
    if (!err.is && d->v->opened)
        d->v->opened(d);
    return err;
}

static void give_back(void *ud, uint64_t at)
{
    const Gpu *d = ud;
    d->cu.MemFree(at);
}

static DevError options_wrong(const Ctx *c)
{
    const Diag *d = diag_first_error(c);
    return d ? dev_error_of(d, false) : DEV_NO_ERROR;
}

/* No folder for compiled kernels: what it is, and why. */
static DevError no_cache(const Ctx *c)
{
    const Diag *d = diag_first_error(c);
    return d ? dev_error_of(d, true) : DEV_NO_ERROR;
}

/* A compiler's library takes tens of megabytes for each text and gives them back: keeping them
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

void *gpu_open(const GpuVendor *v, const char *options, DevError *err)
{
    Gpu *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    keep_memory();
    d->v = d->cu.v = v;
    d->probe = gpu_probe_none;
    d->opened = clock_s();
    d->blocks.ud = d;
    d->blocks.free = give_back;
    ctx_init(&d->c, &mem_libc, 16 << 20);
    if (!gpu_options(&d->c, v, options, &d->opt))
        *err = options_wrong(&d->c);
    else if (!cache_open_quietly(&d->cache, &d->c))
        *err = no_cache(&d->c);
    else if (d->opt.build_only || !(*err = open_gpu(d)).is)
        return d;
    if (!d->begin && !d->ctx) /* nothing is to be given back */
        d->cu.handle = NULL;
    gpu_close(d);
    return NULL;
}

bool gpu_apart(const char *options) { return !strstr(options, "-build"); }
