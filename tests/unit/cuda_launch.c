/* On a machine with a GPU: what a launch costs against the bare driver call, how fast
 * copies are, that results arrive.  Elsewhere there is nothing to measure. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../targets/cuda/cuda.h"
#include "../../targets/targets.h"
#include "dev_said.h"

enum { N = 1 << 20, Launches = 2000, Rounds = 15 };

static int failures;

#define EXPECT(ok) expect((ok), #ok, __LINE__)

static void expect(bool ok, const char *what, int line)
{
    if (!ok) {
        printf("cuda_launch.c:%d: failed: %s\n", line, what);
        failures++;
    }
}

static const char program[] =
    "kernel twice(x, y) machine sm_80\n"
    "  dim n: int32 in 0..2147483647\n"
    "  buffer x: global float32[n]\n"
    "  buffer y: global float32[n]\n"
    "  launch bx in (n + 127) // 128 threads tid in 128 shared=0 do\n"
    "    if bx*128 + tid < n then\n"
    "      y[bx*128 + tid] = x[bx*128 + tid]*2.0\n"
    "    end\n"
    "  end\n"
    "end\n";

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void noprint(void *ud, int64_t block, const char *s, size_t n)
{
    (void)ud, (void)block, (void)s, (void)n;
}
static void noreport(void *ud, const DevMessage *m) { (void)ud, (void)m; }
static const DevHost host = {.print = noprint, .report = noreport};

static bool good(bool ok, DevError err)
{
    char *text = dev_said(err);
    if (!ok)
        printf("%s\n", text ? text : "no memory");
    free(text);
    EXPECT(ok);
    return ok;
}

static void *load(Gpu *d)
{
    char path[] = "/tmp/moontile-test-XXXXXX";
    DevError err = DEV_NO_ERROR;
    int fd = mkstemp(path);
    EXPECT(fd >= 0 && write(fd, program, sizeof program) == (ssize_t)sizeof program);
    close(fd);
    void *m = cuda_device.load(d, path, "twice", &err);
    unlink(path);
    good(m != NULL, err);
    return m;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Microseconds a launch: bare, of the same kernel with the same parameters, or ours. */
static double one_round(Gpu *d, GpuModule *m, const DevArg *arg, bool bare)
{
    DevError err = DEV_NO_ERROR;
    const GpuKernel *k = &m->g.kernel[0];
    const GpuLaunchConfig config = {.grid = {k->grid[0], k->grid[1], k->grid[2]},
                                    .block = {(unsigned)k->l->threads, 1, 1},
                                    .shared = (unsigned)k->l->shared, .stream = d->cu.stream};
    d->cu.StreamSynchronize(d->cu.stream);
    double start = now();
    for (int i = 0; i < Launches; i++) {
        if (bare && d->cu.LaunchKernelEx)
            d->cu.LaunchKernelEx(&config, m->fn[0].fn, k->param, NULL);
        else if (!bare && !gpu_enqueue(d, m, arg, 3, &err))
            break;
    }
    double t = (now() - start) / Launches * 1e6;
    good(d->cu.StreamSynchronize(d->cu.stream) == GpuOk && !err.is, err);
    return t;
}

static void cost(Gpu *d, GpuModule *m, const DevArg *arg)
{
    double bare[Rounds], ours[Rounds], ratio[Rounds];
    for (int i = 0; i < Rounds; i++) {
        bare[i] = one_round(d, m, arg, true);
        ours[i] = one_round(d, m, arg, false);
        ratio[i] = ours[i] / bare[i];
    }
    qsort(bare, Rounds, sizeof *bare, by_value);
    qsort(ours, Rounds, sizeof *ours, by_value);
    qsort(ratio, Rounds, sizeof *ratio, by_value);
    printf("a launch: %.2f us, the driver's call alone %.2f us, ratio %.2f\n", ours[Rounds / 2],
           bare[Rounds / 2], ratio[Rounds / 2]);
    EXPECT(ratio[Rounds / 2] <= 1.2);
}

static void copies(Gpu *d)
{
    size_t n = (size_t)256 << 20;
    char *a = malloc(n), *b = malloc(n);
    DevError err = DEV_NO_ERROR;
    EXPECT(a && b);
    void *devcopy = cuda_device.mem_new(d, a, n, &err);
    if (!a || !b || !good(devcopy != NULL, err))
        return;
    for (size_t i = 0; i < n; i += 8)
        memcpy(a + i, &(uint64_t){i * 0x9e3779b97f4a7c15u}, 8);
    memset(b, 0, n);
    double best[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        double t0 = now();
        good(cuda_device.mem_put(d, devcopy, a, 0, n, &err), err);
        double t1 = now();
        good(cuda_device.mem_get(d, devcopy, b, 0, n, &err), err);
        double t2 = now();
        best[0] = fmax(best[0], (double)n / (t1 - t0) * 1e-9);
        best[1] = fmax(best[1], (double)n / (t2 - t1) * 1e-9);
    }
    EXPECT(memcmp(a, b, n) == 0);
    memset(b, 0, n);
    good(cuda_device.mem_get(d, devcopy, b, 5, 1001, &err), err); /* a small part */
    EXPECT(memcmp(a + 5, b, 1001) == 0);
    printf("to the device %.1f GB/s, back %.1f GB/s\n", best[0], best[1]);
    cuda_device.mem_free(d, devcopy);
    free(a);
    free(b);
}

static void results(Gpu *d, GpuModule *m)
{
    float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    DevError err = DEV_NO_ERROR;
    double ms = 0;
    uint32_t line = 0;
    DevArg arg[3] = {{.p = cuda_device.mem_new(d, x, N * 4, &err)},
                     {.p = cuda_device.mem_new(d, y, N * 4, &err)}, {.i = N}};
    EXPECT(x && y && arg[0].p && arg[1].p);
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    good(cuda_device.mem_put(d, arg[0].p, x, 0, N * 4, &err), err);
    good(cuda_device.launch(d, m, arg, 3, &host, &ms, &line, &err), err);
    good(cuda_device.mem_get(d, arg[1].p, y, 0, N * 4, &err), err);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += y[i] != 2 * x[i];
    EXPECT(wrong == 0);
    EXPECT(ms > 0 && ms < 100);
    arg[2].i = 300; /* few blocks: the cost is that of launching */
    cost(d, m, arg);
    for (int i = 0; i < 2; i++)
        cuda_device.mem_free(d, arg[i].p);
    free(x);
    free(y);
}

int main(void)
{
    targets_init();
    DevError err = DEV_NO_ERROR;
    if (access("/dev/nvidiactl", F_OK) != 0 || getenv("MOONTILE_CUDA_LIB")) {
        printf("no GPU\n");
        return 0;
    }
    Gpu *d = cuda_device.open("cuda", &err);
    if (!good(d != NULL, err))
        return 1;
    GpuModule *m = load(d);
    if (m) {
        results(d, m);
        cuda_device.unload(d, m);
    }
    copies(d);
    Str s = {0};
    cuda_device.describe(d, &s);
    printf("%s", s.s ? s.s : "");
    str_free(&s);
    cuda_device.close(d);
    return failures != 0;
}
