/* Every call of CUDA's driver and compiler fails once, in turn, with each kind of error, and
 * those that tell something lie about it, while a device is opened, a program loaded, run and
 * timed, and all is given back.  Each time there must be an error that is none of ours, or a
 * right result; where the context is not lost the same device must do it at the second attempt;
 * nothing may stay behind, and the next device must work.
 *
 * Needs a C compiler for the stand-in of tests/cuda; exit status 77 where there is none. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/device/worker.h"
#include "../../targets/cuda/cuda.h"
#include "../../targets/cuda/numbers.h"
#include "../../targets/targets.h"
#include "times.h"

enum { N = 200, Rounds = 2 };

static int failures;
static char at[128]; /* what is being tried */

#define EXPECT(ok, ...) expect((ok), __LINE__, __VA_ARGS__)

__attribute__((format(printf, 3, 4)))
static void expect(bool ok, int line, const char *fmt, ...)
{
    va_list ap;
    if (ok || failures++ > 40)
        return;
    printf("cuda_fail.c:%d: %s: ", line, at);
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
    fflush(stdout);
}

/* Two launches through a workspace, and a line that is printed: the stand-in knows them. */
static const char program[] =
    "file 1 \"@k.lua\"\n"
    "kernel f(x, y) machine sm_80\n"
    "  dim n: int32 in 0..2147483647 @1\n"
    "  buffer x: global float32[n] @1\n"
    "  buffer y: global float32[n] @1\n"
    "  alloc w: global float32[n] @1\n"
    "  launch bx in (n + 63) // 64 threads tid in 64 shared=0 do @2\n"
    "    if bx*64 + tid < n then @2\n"
    "      w[bx*64 + tid] = x[bx*64 + tid]*2.0 @2\n"
    "    end\n"
    "    if bx == 0 then @3\n"
    "      if tid == 0 then @3\n"
    "        printf x[1], \"x\" @3\n"
    "      end\n"
    "    end\n"
    "  end\n"
    "  launch bx in (n + 63) // 64 threads tid in 64 shared=0 do @4\n"
    "    if bx*64 + tid < n then @4\n"
    "      y[bx*64 + tid] = w[bx*64 + tid] + 1.0 @4\n"
    "    end\n"
    "  end\n"
    "end\n";

/* The stand-in ------------------------------------------------------------------- */

static bool beside; /* the call failed while the device was described: that has no errors */

static struct {
    void (*reset)(void);
    int (*left)(const char *kind);
} fake;

/* That library is driver and compiler from now on. */
static bool use(const char *lib)
{
    void *p = NULL, *q = NULL, *h = dlopen(lib, RTLD_NOW);
    if (!h || !(p = dlsym(h, "fake_reset")) || !(q = dlsym(h, "fake_left")))
        return printf("%s: %s\n", lib, dlerror()), false;
    memcpy(&fake.reset, &p, sizeof p);
    memcpy(&fake.left, &q, sizeof q);
    setenv("MOONTILE_CUDA_LIB", lib, 1);
    setenv("MOONTILE_NVRTC_LIB", lib, 1);
    setenv("MOONTILE_NVML_LIB", lib, 1);
    return true;
}

/* Makes it as tests/cuda/lib/fake.sh does.  What the shell ended with. */
static int make(char lib[512])
{
    int r = system("cd ../cuda && sh -c '. lib/fake.sh; fake'");
    if (r != 0)
        return WIFEXITED(r) ? WEXITSTATUS(r) : 1;
    snprintf(lib, 512, "%s/libcuda.so.1", getenv("TMP"));
    setenv("FAKE_CUDA_MEMORY", "8000000", 1);
    return !use(lib);
}

/* The same library without that symbol, in a file of its own: its name is changed where the
 * loader looks for it.  false: it has none. */
static bool without(const char *lib, const char *symbol, char out[512])
{
    static int number;
    static char all[1 << 20];
    char name[80];
    size_t k = strlen(symbol) + 2, found = 0;
    FILE *f = fopen(lib, "rb");
    size_t n = f ? fread(all, 1, sizeof all, f) : 0;
    if (f)
        fclose(f);
    snprintf(name, sizeof name, "%c%s", '\0', symbol);
    for (size_t i = 0; i + k <= n; i++)
        if (memcmp(all + i, name, k - 1) == 0 && all[i + k - 1] == '\0') {
            all[i + 1] = '_';
            found++;
        }
    snprintf(out, 512, "%s/lacking-%d.so", getenv("TMP"), number++);
    f = found ? fopen(out, "wb") : NULL;
    bool ok = f && fwrite(all, 1, n, f) == n;
    return f ? (fclose(f) == 0) & ok : false;
}

/* A whole life --------------------------------------------------------------------- */

static char printed[256];

static void print(void *ud, int64_t block, const char *s, size_t n)
{
    (void)ud, (void)block;
    if (strlen(printed) + n < sizeof printed)
        strncat(printed, s, n);
}
static void report(void *ud, const DevMessage *m) { (void)ud, (void)m; }
static const DevHost host = {.print = print, .report = report};

typedef struct Life Life;
struct Life {
    void *dev, *mod, *x, *y;
    float in[N], out[N];
    const char *ir;
    Str text;
    int errors;
    bool lost;
};

/* The call that was to fail and did, or "". */
static char failed[64];

static void look_mark(void)
{
    FILE *f = fopen(getenv("FAKE_CUDA_MARK") ? getenv("FAKE_CUDA_MARK") : "/nowhere", "r");
    failed[0] = '\0';
    if (f && fgets(failed, sizeof failed, f))
        failed[strcspn(failed, "\n")] = '\0';
    if (f)
        fclose(f);
}

static bool do_open(Life *l, DevError *err)
{
    Str options = {0};
    if (!l->dev && !(l->dev = cuda_device.open("cuda", err)))
        return false;
    look_mark();
    bool before = failed[0];
    cuda_device.describe(l->dev, &l->text);
    look_mark();
    beside |= !before && failed[0];
    bool ok = cuda_device.complete(l->dev, &options, err);
    str_free(&options);
    return ok;
}

static bool do_load(Life *l, DevError *err)
{
    if (!(l->mod = cuda_device.load(l->dev, l->ir, "f", err)))
        return false;
    cuda_device.facts(l->dev, l->mod, &l->text);
    return true;
}

static bool do_memory(Life *l, DevError *err)
{
    const Device *d = &cuda_device;
    return (l->x || (l->x = d->mem_new(l->dev, l->in, sizeof l->in, err))) &&
           (l->y || (l->y = d->mem_new(l->dev, l->out, sizeof l->out, err))) &&
           d->mem_put(l->dev, l->x, l->in, 0, sizeof l->in, err) &&
           d->mem_zero(l->dev, l->y, 0, sizeof l->out, err);
}

/* Enough for pinned buffers. */
static bool do_copies(Life *l, DevError *err)
{
    enum { Bytes = 700001 };
    const Device *d = &cuda_device;
    static char from[Bytes], to[Bytes];
    for (int i = 0; i < Bytes; i++)
        from[i] = (char)(i * 7 + i / 251);
    memset(to, 0, sizeof to);
    void *p = d->mem_new(l->dev, from, Bytes, err);
    bool ok = p && d->mem_put(l->dev, p, from, 0, Bytes, err) &&
              d->mem_get(l->dev, p, to, 0, Bytes, err);
    EXPECT(!ok || memcmp(from, to, Bytes) == 0, "no error, and other bytes came back");
    if (p)
        d->mem_free(l->dev, p);
    return ok;
}

static bool do_run(Life *l, DevError *err)
{
    DevArg arg[3] = {{.p = l->x}, {.p = l->y}, {.i = N}};
    double ms = 0;
    uint32_t line = 0;
    printed[0] = '\0';
    memset(l->out, 0, sizeof l->out);
    if (!cuda_device.mem_zero(l->dev, l->y, 0, sizeof l->out, err) ||
        !cuda_device.launch(l->dev, l->mod, arg, 3, &host, &ms, &line, err) ||
        !cuda_device.mem_get(l->dev, l->y, l->out, 0, sizeof l->out, err))
        return false;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += l->out[i] != 2 * l->in[i] + 1;
    EXPECT(!wrong, "no error, and %d wrong results", wrong);
    EXPECT(strstr(printed, "1"), "no error, and nothing was printed: %s", printed);
    EXPECT(isfinite(ms) && ms >= 0, "it took %g ms", ms);
    return true;
}

static bool do_bench(Life *l, DevError *err)
{
    DevArg arg[3] = {{.p = l->x}, {.p = l->y}, {.i = N}};
    const DevArg *set[] = {arg};
    int narg = 3;
    double ms[Rounds], mhz[Rounds];
    DevBench b = {.mod = &l->mod, .n = 1, .set = set, .narg = &narg, .nsets = 1, .warmup = 1,
                  .rounds = Rounds, .batch = 2, .flush = true, .ms = ms, .mhz = mhz};
    if (!cuda_device.bench(l->dev, &b, &host, err))
        return false;
    for (int i = 0; i < Rounds; i++)
        EXPECT(isfinite(ms[i]) && ms[i] >= 0, "a round took %g ms", ms[i]);
    return true;
}

/* Is the error one that a user can do something with? */
static void judge(Life *l, const DevError *err)
{
    EXPECT(err->is != E_bug, "an error of ours: %s", err->text ? err->text : "");
    l->errors++;
    l->lost |= err->lost;
}

/* One step; a second time where the first one has failed and the device is not lost. */
static bool step(Life *l, const char *name, bool (*f)(Life *, DevError *))
{
    for (int i = 0; i < 2; i++) {
        DevError err = DEV_NO_ERROR;
        bool ok = f(l, &err);
        EXPECT(!ok || !err.is, "%s: an error, and success", name);
        EXPECT(ok || err.is || l->errors, "%s: failed without an error", name);
        if (!ok)
            judge(l, &err);
        dev_error_free(err);
        if (ok || l->lost || !getenv("FAKE_CUDA_FAIL"))
            return ok;
    }
    EXPECT(false, "%s: the second attempt fails too", name);
    return false;
}

static void die(Life *l)
{
    if (l->x)
        cuda_device.mem_free(l->dev, l->x);
    if (l->y)
        cuda_device.mem_free(l->dev, l->y);
    if (l->mod)
        cuda_device.unload(l->dev, l->mod);
    if (l->dev)
        cuda_device.close(l->dev);
    str_free(&l->text);
}

/* What is given back by it stays; the process takes it along. */
static bool gives_back(const char *call)
{
    return strstr(call, "Free") || strstr(call, "Destroy") || strstr(call, "Unload") ||
           strstr(call, "Release");
}

/* A life from a cache of code of its own.  The errors there were. */
static int whole(const char *ir, int with)
{
    static int number;
    char folder[512];
    Life l = {.ir = ir};
    for (int i = 0; i < N; i++)
        l.in[i] = (float)i;
    snprintf(folder, sizeof folder, "%s/code-%d", getenv("TMP"), number++);
    setenv("MOONTILE_CACHE_DIR", folder, 1);
    fake.reset();
    beside = false;
    if (step(&l, "open", do_open) && step(&l, "load", do_load) && step(&l, "memory", do_memory) &&
        step(&l, "copies", do_copies) &&
        step(&l, "run", do_run) && step(&l, "run again", do_run))
        step(&l, "bench", do_bench);
    die(&l);
    bool sticky = with >= CUillegal_address && with <= CUlaunch_failed && with != CUout_of_resources;
    EXPECT(!sticky || !l.errors || l.lost, "the context is gone, and nobody said so");
    look_mark();
    if (failed[0])
        snprintf(at + strlen(at), sizeof at - strlen(at), " (%s)", failed);
    EXPECT(sticky || gives_back(failed) || fake.left(NULL) == 0,
           "%d contexts, %d streams, %d memory, %d host memory, %d events, %d modules, %d programs left",
           fake.left("context"), fake.left("stream"), fake.left("memory"),
           fake.left("host memory"), fake.left("event"), fake.left("module"),
           fake.left("program"));
    return l.errors;
}

/* Failing ------------------------------------------------------------------------- */

/* Calls whose failure changes nothing but what is said beside: another way is gone, a figure is
 * not known, something is not given back that goes with the process. */
static const char *const quiet[] = {
    "cuDriverGetVersion", "cuGetErrorName", "cuMemGetInfo_v2", "cuMemFree_v2", "cuMemFreeHost",
    "cuMemHostAlloc", "cuMemHostGetDevicePointer_v2", "cuEventElapsedTime", "cuEventDestroy_v2",
    "cuStreamDestroy_v2", "cuModuleUnload", "cuDevicePrimaryCtxRelease_v2",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuStreamWaitValue32_v2", "nvrtcVersion",
    "nvrtcGetNumSupportedArchs", "nvrtcGetSupportedArchs", "nvrtcGetProgramLogSize",
    "nvrtcGetProgramLog", "nvrtcDestroyProgram"
};

static bool is_quiet(const char *call)
{
    for (size_t i = 0; i < COUNT(quiet); i++)
        if (strcmp(call, quiet[i]) == 0)
            return true;
    return strncmp(call, "nvml", 4) == 0;
}

/* The nth call fails with that.  false: there were not as many. */
static bool nth(const char *ir, int n, int with)
{
    char plan[64], mark[512];
    snprintf(mark, sizeof mark, "%s/failed", getenv("TMP"));
    snprintf(plan, sizeof plan, "* %d %d", n, with);
    snprintf(at, sizeof at, "call %d gives %d", n, with);
    unlink(mark);
    setenv("FAKE_CUDA_MARK", mark, 1);
    setenv("FAKE_CUDA_FAIL", plan, 1);
    int errors = whole(ir, with);
    unsetenv("FAKE_CUDA_FAIL");
    if (!failed[0])
        return false;
    bool again = with == CUout_of_memory && strstr(failed, "Alloc"); /* asked again */
    EXPECT(errors || again || beside || is_quiet(failed), "nobody said so");
    return true;
}

/* Lying --------------------------------------------------------------------------- */

static const char *const lies[] = {
    "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName",
    "cuDeviceTotalMem_v2", "cuMemGetInfo_v2", "cuDevicePrimaryCtxRetain", "cuMemAlloc_v2",
    "cuMemHostAlloc", "cuMemHostGetDevicePointer_v2", "cuStreamCreate", "cuEventCreate",
    "cuEventElapsedTime", "cuModuleLoadDataEx", "cuModuleGetFunction",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor", "nvrtcVersion", "nvrtcGetNumSupportedArchs",
    "nvrtcGetSupportedArchs", "nvrtcCreateProgram", "nvrtcGetProgramLogSize",
    "nvrtcGetCUBINSize",
    "cuDeviceGetAttribute#1", "cuDeviceGetAttribute#5", "cuDeviceGetAttribute#13",
    "cuDeviceGetAttribute#16", "cuDeviceGetAttribute#32", "cuDeviceGetAttribute#38",
    "cuDeviceGetAttribute#75", "cuDeviceGetAttribute#76", "cuDeviceGetAttribute#97",
    "cuFuncGetAttribute#0", "cuFuncGetAttribute#1", "cuFuncGetAttribute#4",
};

/* Where there is said to be memory without end, it is asked for again and again. */
static int patient(const char *call, const char *what)
{
    return strcmp(call, "cuMemGetInfo_v2") == 0 && strcmp(what, "huge") == 0 ? 3 : 0;
}

static void lie(const char *ir, const char *call, int k, const char *what)
{
    char plan[96];
    snprintf(plan, sizeof plan, "%s %d %s", call, k, what);
    snprintf(at, sizeof at, "%s lies: %s, time %d", call, what, k);
    setenv("FAKE_CUDA_LIE", plan, 1);
    whole(ir, 0);
    unsetenv("FAKE_CUDA_LIE");
}

/* Without each entry point in turn: an error, or another way. */
static int lacking(const char *ir, const char *lib)
{
    static const char *const symbol[] = {
#define GPU_FN(name, driver, since, runtime, must, args) driver,
        GPU_FNS
#undef GPU_FN
#define GPU_RTC_FN(name, symbol, must, args) symbol,
        GPU_RTC_FNS
#undef GPU_RTC_FN
        "GetCUBIN", "GetCUBINSize", "GetPTX", "GetPTXSize",
    };
    int n = 0;
    for (size_t i = 0; i < COUNT(symbol); i++) {
        char name[64], file[512];
        bool rtc = i >= GpuCalls;
        snprintf(name, sizeof name, "%s%.*s", rtc ? "nvrtc" : "cu",
                 (int)strcspn(symbol[i], " "), symbol[i]);
        snprintf(at, sizeof at, "no %s", name);
        if (!symbol[i][0] || !without(lib, name, file) || !use(file))
            continue;
        whole(ir, 0);
        n++;
    }
    use(lib);
    return n;
}

int main(void)
{
    /* One of each kind, the first ones of every call, the others of one in seven. */
    static const int with[] = {CUout_of_memory, CUillegal_address, 12345, CUinvalid_value,
                               CUno_device, CUout_of_resources, CUcluster_size, CUno_binary,
                               CUunknown, -7};
    enum { Every = TIMES(3, 1), Others = TIMES(7, 13), Again = TIMES(1, 3) };
    static const char *const what[] = {"none", "huge", "minus", "odd"};
    char ir[512], lib[512];
    int n = 0, all = 0, told = 0, lack;
    targets_init();
    if (!getenv("TMP") || !getenv("MOONTILE_CACHE_DIR"))
        return puts("run by tests/run.lua"), 77;
    int r = make(lib);
    if (r)
        return r;
    snprintf(ir, sizeof ir, "%s/f.ir", getenv("TMP"));
    FILE *f = fopen(ir, "w");
    if (!f || fputs(program, f) < 0 || fclose(f) != 0)
        return printf("%s: cannot be written\n", ir), 1;
    snprintf(at, sizeof at, "nothing fails");
    EXPECT(whole(ir, 0) == 0, "it does not run at all");
    for (size_t w = 0; w < COUNT(with); w++) {
        int step = w < Every ? 1 : Others;
        for (n = w < Every ? 1 : 1 + (int)w % Others; nth(ir, n, with[w]) && n < 1000; n += step)
            all++;
    }
    EXPECT(n > 60 && n < 1000, "%d calls", n);
    unsetenv("FAKE_CUDA_MARK");
    for (size_t i = 0; i < COUNT(lies); i++)
        for (size_t w = 0; w < COUNT(what); w++)
            for (int k = patient(lies[i], what[w]); k < 4; k += Again, told++)
                lie(ir, lies[i], k, what[w]);
    lack = lacking(ir, lib);
    EXPECT(lack > 40, "%d symbols", lack);
    snprintf(at, sizeof at, "nothing fails any more");
    EXPECT(whole(ir, 0) == 0, "it does not run");
    printf("%d calls failed, each at its turn; %d lies; %d entry points missing\n%d failures\n", all,
           told, lack, failures);
    return failures != 0;
}
