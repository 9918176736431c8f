/* Every call of the run-time of hip and maca fails once, in turn, while a device is
 * opened, a program loaded and run, and all is given back: each time there must be an
 * error or a right result, nothing may stay behind, and the next device must work.
 *
 * Needs the stand-ins of tests/standin; exit status 77 where they cannot be made. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/device/worker.h"
#include "../../targets/gpu/vendor.h"
#include "../../targets/hip/hip.h"
#include "../../targets/maca/maca.h"
#include "../../targets/targets.h"
#include "times.h"

enum { N = 200 };

static int failures;
static char at[128]; /* what is being tried */

#define EXPECT(ok, ...) expect((ok), __LINE__, __VA_ARGS__)

__attribute__((format(printf, 3, 4)))
static void expect(bool ok, int line, const char *fmt, ...)
{
    va_list ap;
    if (ok || failures++ > 20)
        return;
    printf("standin_fail.c:%d: %s: ", line, at);
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
}

/* Two launches through a workspace, and a line that is printed. */
static const char program[] =
    "file 1 \"@k.lua\"\n"
    "kernel f(x, y) machine %s\n"
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

/* The stand-ins ------------------------------------------------------------------ */

/* Takes the settings that tests/standin/lib/standin.sh makes.  What the shell ended with. */
static int make(const char *folder)
{
    char command[512], line[4096];
    snprintf(command, sizeof command, "cd ../standin && sh -c '. lib/standin.sh; use %s; env'", folder);
    FILE *p = popen(command, "r");
    if (!p)
        return 1;
    while (fgets(line, sizeof line, p)) {
        line[strcspn(line, "\n")] = '\0';
        char *v = strchr(line, '=');
        if (v && (strncmp(line, "STANDIN_", 8) == 0 || strncmp(line, "MOONTILE_", 9) == 0)) {
            *v = '\0';
            setenv(line, v + 1, 1);
        } else if (!v) {
            puts(line);
        }
    }
    int status = pclose(p);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

typedef struct Ledger Ledger;
struct Ledger {
    int (*left)(const char *kind);
    void (*turns)(void);
};

static bool ledger_of(const char *lib, Ledger *l)
{
    void *p, *q; /* they have one ledger: that of the first of them */
    if (!dlopen(lib, RTLD_NOW | RTLD_GLOBAL) || !(p = dlsym(RTLD_DEFAULT, "standin_left")) ||
        !(q = dlsym(RTLD_DEFAULT, "standin_turns")))
        return false;
    memcpy(&l->left, &p, sizeof p);
    memcpy(&l->turns, &q, sizeof q);
    return true;
}

/* What is alive, without functions, which end with their modules. */
static int left(const Ledger *l) { return l->left(NULL) - l->left("function"); }

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
    const Device *d;
    void *dev, *mod, *x, *y;
    float in[N], out[N];
    bool right;      /* the results are */
};

static bool run(Life *l, DevError *err)
{
    DevArg arg[3] = {{.p = l->x}, {.p = l->y}, {.i = N}};
    double ms = 0;
    uint32_t line = 0;
    if (!l->d->launch(l->dev, l->mod, arg, 3, &host, &ms, &line, err) ||
        !l->d->mem_get(l->dev, l->y, l->out, 0, sizeof l->out, err))
        return false;
    l->right = true;
    for (int i = 0; i < N; i++)
        l->right &= l->out[i] == 2 * l->in[i] + 1;
    return true;
}

static bool bench(Life *l, DevError *err)
{
    DevArg arg[3] = {{.p = l->x}, {.p = l->y}, {.i = N}};
    const DevArg *set[] = {arg};
    int narg = 3;
    double ms[2];
    DevBench b = {.mod = &l->mod, .n = 1, .set = set, .narg = &narg, .nsets = 1, .warmup = 1,
                  .rounds = 2, .batch = 2, .flush = true, .ms = ms};
    return l->d->bench(l->dev, &b, &host, err);
}

static bool live(Life *l, const char *spec, const char *ir, DevError *err)
{
    const Device *d = l->d;
    Str options = {0}, text = {0};
    bool ok = (l->dev = d->open(spec, err)) != NULL;
    if (ok) {
        d->describe(l->dev, &text);
        ok = d->complete(l->dev, &options, err);
    }
    ok = ok && (l->mod = d->load(l->dev, ir, "f", err)) != NULL;
    if (ok)
        d->facts(l->dev, l->mod, &text);
    ok = ok && (l->x = d->mem_new(l->dev, l->in, sizeof l->in, err)) != NULL &&
         (l->y = d->mem_new(l->dev, l->out, sizeof l->out, err)) != NULL &&
         d->mem_put(l->dev, l->x, l->in, 0, sizeof l->in, err) &&
         d->mem_zero(l->dev, l->y, 0, sizeof l->out, err) && run(l, err) && run(l, err) &&
         bench(l, err);
    str_free(&options);
    str_free(&text);
    return ok;
}

static void die(Life *l)
{
    if (l->x)
        l->d->mem_free(l->dev, l->x);
    if (l->y)
        l->d->mem_free(l->dev, l->y);
    if (l->mod)
        l->d->unload(l->dev, l->mod);
    if (l->dev)
        l->d->close(l->dev);
}

/* A life from a cache of code of its own.  true: no error. */
static bool whole(const Device *d, const char *spec, const char *ir, const Ledger *k)
{
    static int number;
    char folder[512];
    DevError err = DEV_NO_ERROR;
    Life l = {.d = d, .right = true};
    for (int i = 0; i < N; i++)
        l.in[i] = (float)i;
    snprintf(folder, sizeof folder, "%s/code-%d", getenv("TMP"), number++);
    setenv("MOONTILE_CACHE_DIR", folder, 1);
    printed[0] = '\0';
    bool ok = live(&l, spec, ir, &err);
    EXPECT(ok || err.is, "failed without an error");
    EXPECT(err.is != E_bug, "error: %s", err.text ? err.text : "");
    EXPECT(!ok || l.right, "no error, and a wrong result");
    EXPECT(!ok || strstr(printed, "1"), "no error, and nothing was printed: %s", printed);
    dev_error_free(err);
    die(&l);
    EXPECT(left(k) == 0, "%d memory, %d host memory, %d events, %d modules, %d programs left",
           k->left("memory"), k->left("host memory"), k->left("event"), k->left("module"),
           k->left("program"));
    EXPECT(access(getenv("STANDIN_CRIMES"), F_OK) != 0, "something that must never be done");
    return ok;
}

/* Calls whose failure changes nothing but what is said beside: another way is gone, a
 * figure is not known, something is not given back that goes with the process. */
static const char *const quiet[] = {
    "RuntimeGetVersion", "DriverGetVersion", "DeviceGetAttribute", "GetDevicePropertiesR0600",
    "MemGetInfo", "FuncGetAttribute", "ModuleOccupancyMaxActiveBlocksPerMultiprocessor",
    "HostMalloc", "MallocHost", "HostGetDevicePointer", "EventElapsedTime", "Free", "FreeHost",
    "HostFree", "EventDestroy", "ModuleUnload", "rtcGetProgramLogSize", "rtcGetProgramLog",
    "rtcDestroyProgram", "rtcVersion" /* it is asked again */
};

static bool is_quiet(const char *call)
{
    for (size_t i = 0; i < COUNT(quiet); i++)
        if (strcmp(call, quiet[i]) == 0)
            return true;
    return false;
}

/* The nth call fails.  false: there were not as many. */
static bool nth(const GpuVendor *v, const Device *d, const char *spec, const char *ir,
                const Ledger *k, int n, const char *with)
{
    char number[16], mark[512], call[64] = "";
    snprintf(number, sizeof number, "%d", n);
    snprintf(mark, sizeof mark, "%s/failed", getenv("TMP"));
    unlink(mark);
    k->turns();
    setenv("STANDIN_FAIL", number, 1);
    setenv("STANDIN_FAILED", mark, 1);
    setenv("STANDIN_FAIL_WITH", with, 1);
    snprintf(at, sizeof at, "%s, call %d, %s", spec, n, with);
    bool ok = whole(d, spec, ir, k);
    unsetenv("STANDIN_FAIL");
    FILE *f = fopen(mark, "r");
    if (!f)
        return false;
    if (!fgets(call, sizeof call, f))
        EXPECT(false, "no name in %s", mark);
    fclose(f);
    call[strcspn(call, "\n")] = '\0';
    bool full = strcmp(with, "ErrorOutOfMemory") == 0 && strstr(call, "alloc"); /* asked again */
    EXPECT(!ok || full || is_quiet(call + strlen(v->prefix)), "%s failed, and nobody said so",
           call);
    return true;
}

/* ways: how many of the errors below are tried. */
static void sweep(const GpuVendor *v, const Device *d, const char *spec, const char *chip,
                  const char *lib, size_t ways)
{
    static const char *const with[] = {"ErrorInvalidValue", "ErrorOutOfMemory", "ErrorUnknown"};
    char ir[512];
    Ledger k;
    int n = 0, all = 0;
    setenv("STANDIN_CHIP", chip, 1);
    snprintf(at, sizeof at, "%s", spec);
    snprintf(ir, sizeof ir, "%s/%s.ir", getenv("TMP"), v->target);
    FILE *f = fopen(ir, "w");
    if (!f || !ledger_of(lib, &k)) {
        EXPECT(false, "%s: %s", lib, dlerror());
        return;
    }
    fprintf(f, program, v == &maca_vendor ? "c500" : chip); /* NOLINT: a constant */
    fclose(f);
    EXPECT(whole(d, spec, ir, &k), "it does not run at all");
    for (size_t w = 0; w < (size_t)TIMES(ways, 1); w++, all += n)
        for (n = 0; nth(v, d, spec, ir, &k, n + 1, with[w]) && n < 1000; n++)
            ;
    snprintf(at, sizeof at, "%s", spec);
    EXPECT(n > 30 && n < 1000, "%d calls", n);
    EXPECT(whole(d, spec, ir, &k), "afterwards it does not run");
    printf("%s: %d calls failed, each at its turn\n", spec, all);
}

int main(void)
{
    targets_init();
    if (!getenv("TMP") || !getenv("MOONTILE_CACHE_DIR"))
        return puts("run by tests/run.lua"), 77;
    int r = make("std");
    if (r)
        return r;
    setenv("STANDIN_MEMORY", "8000000", 1);
    char *maca = strdup(getenv("MOONTILE_MACA_LIB")), *hip = strdup(getenv("MOONTILE_HIP_LIB"));
    sweep(&maca_vendor, &maca_device, "maca", "", maca, 3);
    sweep(&maca_vendor, &maca_device, "maca -packed=on", "", maca, 1);
    sweep(&hip_vendor, &hip_device, "hip", "gfx942", hip, 2);
    free(maca);
    free(hip);
    printf("%d failures\n", failures);
    return failures != 0;
}
