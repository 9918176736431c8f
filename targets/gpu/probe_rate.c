/* targets/gpu/probe_rate.c: times and rates, to be compared with what is known of the
 * card, and numbers of attributes that nobody has published. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "probe.h"

/* Milliseconds: longer than what surrounds a launch; long enough not to be tried again. */
static const double Enough = 3, Long = 20;
enum { Tries = 3, Units = 104 /* compute units where nobody says it */ };

static int units(const Gpu *d) { return d->is.sms > 0 ? d->is.sms : Units; }

/* Times -------------------------------------------------------------------------- */

/* The shortest time that two events show. */
static void ask_timer(const Probe *p)
{
    const GpuDriver *u = &p->d->cu;
    float least = 0, ms = 0;
    if (!devprobe_begin(p->e, "timer_us"))
        return;
    for (int i = 0; i < 200; i++) {
        bool ok = u->EventRecord(p->d->begin, NULL) == GpuOk &&
                  u->EventRecord(p->d->end, NULL) == GpuOk &&
                  u->EventSynchronize(p->d->end) == GpuOk &&
                  u->EventElapsedTime(&ms, p->d->begin, p->d->end) == GpuOk;
        if (ok && ms > 0 && (least == 0 || ms < least))
            least = ms;
    }
    devprobe_is(p->e, "timer_us", "%.4g", (double)least * 1e3);
}

/* A text that nobody has compiled before. */
static void ask_compile(const Probe *p)
{
    static const unsigned one[3] = {1, 1, 1};
    char text[256];
    ProbeKernel k;
    if (!devprobe_begin(p->e, "compile_ms"))
        return;
    void *out = probe_memory(p, "compile_ms", 64 * 8, 0), *param[] = {&out, NULL};
    snprintf(text, sizeof text, "extern \"C\" __global__ void __launch_bounds__(64) "
             "probe(long long *out) { out[MT_TID] = MT_TID + %lldll; }\n",
             (long long)(clock_ms() * 1e3) + (long long)getpid() * 1000003);
    if (!out || !probe_kernel(p, "compile_ms", text, &k))
        return;
    devprobe_is(p->e, "compile_ms", "%.1f", k.compile_ms);
    devprobe_is(p->e, "load_ms", "%.2f", k.load_ms);
    for (int i = 0; i < 2; i++) {
        double start = clock_ms();
        if (probe_launch(p, &k, one, 64, 0, param) == GpuOk)
            devprobe_is(p->e, i ? "launch_us" : "first_launch_us", "%.0f",
                        (clock_ms() - start) * 1e3);
    }
}

/* Rates ------------------------------------------------------------------------------ */

/* Milliseconds of the fastest of some launches; negative: they fail. */
static double timed(const Probe *p, const ProbeKernel *k, unsigned blocks, void **param)
{
    const GpuDriver *u = &p->d->cu;
    unsigned grid[3] = {blocks, 1, 1};
    double best = -1;
    for (int i = 0; i < Tries && best < Long; i++) {
        float ms = 0;
        GpuResult r = u->EventRecord(p->d->begin, NULL);
        r = r == GpuOk ? probe_launch(p, k, grid, 256, 0, param) : r;
        r = r == GpuOk ? u->EventRecord(p->d->end, NULL) : r;
        r = r == GpuOk ? u->EventSynchronize(p->d->end) : r;
        r = r == GpuOk ? u->EventElapsedTime(&ms, p->d->begin, p->d->end) : r;
        if (r != GpuOk)
            return -1;
        if (best < 0 || (double)ms < best)
            best = (double)ms;
    }
    return best;
}

static const char copy_text[] =
    "struct alignas(16) quad { int x[4]; };\n"
    "extern \"C\" __global__ void __launch_bounds__(256) probe(quad *to, const quad *from)\n{\n"
    "    long long i = MT_BLOCK_X * 256ll + MT_TID;\n    to[i] = from[i];\n}\n";

static void ask_copy(const Probe *p)
{
    const size_t most = (size_t)512 << 20;
    ProbeKernel k;
    double gbs = 0;
    if (!devprobe_begin(p->e, "copy_gbs") || !probe_kernel(p, "copy_gbs", copy_text, &k))
        return;
    for (size_t n = (size_t)1 << 20; n <= most && n <= p->d->is.total / 4; n *= 4) {
        GpuAddress to = 0, from = 0;
        void *param[] = {&to, &from, NULL};
        double ms = -1;
        if (p->d->cu.MemAlloc(&to, n) == GpuOk && p->d->cu.MemAlloc(&from, n) == GpuOk)
            ms = timed(p, &k, (unsigned)(n / 4096), param);
        if (to)
            p->d->cu.MemFree(to);
        if (from)
            p->d->cu.MemFree(from);
        if (ms > 0)
            gbs = 2 * (double)n / ms * 1e-6;
        if (ms < 0 || ms > Enough)
            break;
    }
    devprobe_is(p->e, "copy_gbs", "%.4g", gbs);
}

static const char fma_text[] =
    "extern \"C\" __global__ void __launch_bounds__(256) probe(float *out, long long n)\n{\n"
    "    float a[8];\n"
    "#pragma unroll\n    for (int j = 0; j < 8; j++)\n        a[j] = MT_TID + j;\n"
    "    for (int i = 0; i < (int)n; i++)\n"
    "#pragma unroll\n        for (int j = 0; j < 8; j++)\n"
    "            a[j] = __builtin_fmaf(a[j], 0.5f, 1.0f);\n"
    "    float sum = 0;\n"
    "#pragma unroll\n    for (int j = 0; j < 8; j++)\n        sum += a[j];\n"
    "    out[MT_TID] = sum;\n}\n";

static void ask_fma(const Probe *p)
{
    unsigned blocks = (unsigned)units(p->d) * 8;
    ProbeKernel k;
    double rate = 0, ms = 0;
    if (!devprobe_begin(p->e, "fma_tflops"))
        return;
    void *out = probe_memory(p, "fma_tflops", 1024, 0);
    if (!out || !probe_kernel(p, "fma_tflops", fma_text, &k))
        return;
    for (long long n = 64; n <= 1 << 16 && ms >= 0 && ms < Enough; n *= 4) {
        void *param[] = {&out, &n, NULL};
        ms = timed(p, &k, blocks, param);
        if (ms > 0)
            rate = 16.0 * 256 * blocks * (double)n / ms * 1e-9;
    }
    devprobe_is(p->e, "fma_tflops", "%.4g", rate);
}

static void probe_rate_silent(void *ud, int64_t block, const char *s, size_t n)
{
    (void)ud, (void)block, (void)s, (void)n;
}
static void probe_rate_unheard(void *ud, const DevMessage *m) { (void)ud, (void)m; }
static const DevHost quiet = {.print = probe_rate_silent, .report = probe_rate_unheard};

static const Mma *half_mma(const Gpu *d)
{
    const Machine *m = d->opt.m;
    for (int i = 0; i < m->nmma && !d->opt.chip->no_mma; i++)
        if (m->mma[i].a == DTf16)
            return &m->mma[i];
    return NULL;
}

static void ask_mma(const Probe *p)
{
    Gpu *d = p->d;
    const Mma *i = half_mma(d);
    DevError err = DEV_NO_ERROR;
    double flops = 0, rate = 0, ms = 0;
    uint32_t line;
    if (!i || !devprobe_begin(p->e, "mma_tflops"))
        return;
    void *mod = probe_mma_loop(d, i, &flops, &err);
    void *out = mod ? gpu_mem_new(d, NULL, 1 << 16, &err) : NULL;
    DevArg arg[3] = {{.p = out}, {.i = 1}, {.i = 2 * units(d)}};
    for (; out && arg[1].i <= 1 << 16 && !err.is && ms < Enough; arg[1].i *= 4) {
        for (int k = 0; k < Tries && !err.is && (k == 0 || ms < Long); k++) {
            double t = 0;
            if (gpu_launch(d, mod, arg, 3, &quiet, &t, &line, &err) && (k == 0 || t < ms))
                ms = t;
        }
        if (ms > 0)
            rate = flops * (double)arg[1].i * (double)arg[2].i / ms * 1e-9;
    }
    if (!out || err.is)
        probe_error(p, "mma_tflops", err);
    else
        devprobe_is(p->e, "mma_tflops", "%.4g", rate);
}

void probe_rates(const Probe *p)
{
    ask_timer(p);
    ask_compile(p);
    ask_copy(p);
    ask_fma(p);
    ask_mma(p);
}

/* Attributes --------------------------------------------------------------------------- */

/* MACA's numbers are not published: what is answered, by number, may tell them. */
void probe_attributes(const Probe *p)
{
    enum { Most = 160 };
    Str s = {0};
    if (!p->d->cu.DeviceGetAttribute || !devprobe_begin(p->e, "attributes"))
        return;
    for (int i = 0; i < Most; i++) {
        int v = 0;
        if (p->d->cu.DeviceGetAttribute(&v, i, p->d->opt.device) == GpuOk)
            str_fmt(&s, "%s%d=%d", s.n ? " " : "", i, v);
    }
    devprobe_is(p->e, "attributes", "%s", s.s ? s.s : "");
    str_free(&s);
}
