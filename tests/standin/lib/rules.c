/* rules.c: calls a stand-in as a program must not: what it answers, a line each.
 *
 *     rules mc libmcruntime.so mcrtc libmcruntime.so [handles] */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *lib, *rtc;
static const char *prefix, *rtc_prefix;

static void *find(void *in, const char *p, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s", p, name);
    return dlsym(in, full);
}

#define FN(result, name, ...) \
    result (*name)(__VA_ARGS__); \
    *(void **)(void *)&name = find(lib, prefix, #name)
#define RTC(name, ...) \
    int (*name)(__VA_ARGS__); \
    *(void **)(void *)&name = find(rtc, rtc_prefix, #name)

static void say(const char *what, int r)
{
    FN(const char *, GetErrorName, int);
    const char *s = GetErrorName(r);
    printf("%s: %s\n", what, s + strlen(prefix));
}

static const char text[] =
    "extern \"C\" __global__ void __launch_bounds__(1024) fill(int *a, int v, long long n)\n"
    "{\n    for (int i = 0; i < n; i++)\n        a[i] = v;\n}\n";

/* Compiles text; NULL: refused, and the log was shown. */
static char *compile(const char *source)
{
    RTC(CreateProgram, void **, const char *, const char *, int, void *, void *);
    RTC(CompileProgram, void *, int, const char **);
    RTC(GetProgramLogSize, void *, size_t *);
    RTC(GetProgramLog, void *, char *);
    RTC(GetCodeSize, void *, size_t *);
    RTC(GetCode, void *, char *);
    const char *option[] = {"--offload-arch=gfx942", "-std=c++17"};
    void *p = NULL;
    size_t n = 0;
    if (!GetCodeSize) {
        *(void **)(void *)&GetCodeSize = find(rtc, rtc_prefix, "GetBitcodeSize");
        *(void **)(void *)&GetCode = find(rtc, rtc_prefix, "GetBitcode");
    }
    int r = CreateProgram(&p, source, NULL, 0, NULL, NULL);
    if (r == 0)
        r = CompileProgram(p, 2, option);
    printf("compile: %d\n", r);
    if (r) {
        GetProgramLogSize(p, &n);
        char *log = malloc(n);
        GetProgramLog(p, log);
        printf("%.*s\n", (int)strcspn(log, "\n"), log);
        free(log);
        return NULL;
    }
    GetCodeSize(p, &n);
    char *code = malloc(n);
    GetCode(p, code);
    return code;
}

static void *elsewhere(void *fn)
{
    FN(int, ModuleLaunchKernel, void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
       unsigned, void *, void **, void **);
    void *none[] = {NULL};
    say("launch on another thread", ModuleLaunchKernel(fn, 1, 1, 1, 64, 1, 1, 0, NULL, none, NULL));
    return NULL;
}

static void launches(void *fn, int *at)
{
    FN(int, ModuleLaunchKernel, void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
       unsigned, void *, void **, void **);
    FN(int, DeviceSynchronize, void);
    int v = 7;
    long long n = 4;
    void *param[] = {&at, &v, &n};
    char packed[24];
    size_t size = sizeof packed;
    void *extra[] = {(void *)1, packed, (void *)2, &size, (void *)3};
    memcpy(packed, &at, 8);
    memcpy(packed + 8, &v, 4);
    memcpy(packed + 16, &n, 8);
#define LAUNCH(what, g, t, shared, p, e) \
    say(what, ModuleLaunchKernel(fn, g, 1, 1, t, 1, 1, shared, NULL, p, e))
    LAUNCH("1024 threads", 1, 1024, 0, param, NULL);
    LAUNCH("1088 threads", 1, 1088, 0, param, NULL);
    LAUNCH("65536 bytes", 1, 64, 65536, param, NULL);
    LAUNCH("65792 bytes", 1, 64, 65792, param, NULL);
    LAUNCH("no blocks", 0, 64, 0, param, NULL);
    LAUNCH("packed", 1, 64, 0, NULL, extra);
    size = 20;
    LAUNCH("packed, too short", 1, 64, 0, NULL, extra);
    LAUNCH("both forms", 1, 64, 0, param, extra);
    n = 1 << 20;
    LAUNCH("beyond its memory", 1, 64, 0, param, NULL);
    say("synchronize", DeviceSynchronize());
    say("synchronize again", DeviceSynchronize());
}

/* What was given back, and what never was: none of it may crash. */
static void handles(void *mod, void *fn)
{
    FN(int, Malloc, void **, size_t);
    FN(int, Free, void *);
    FN(int, EventCreate, void **);
    FN(int, EventRecord, void *, void *);
    FN(int, EventElapsedTime, float *, void *, void *);
    FN(int, EventDestroy, void *);
    FN(int, ModuleUnload, void *);
    FN(int, ModuleGetFunction, void **, void *, const char *);
    FN(int, ModuleLaunchKernel, void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
       unsigned, void *, void **, void **);
    RTC(DestroyProgram, void **);
    RTC(CompileProgram, void *, int, const char **);
    void *p = NULL, *a = NULL, *b = NULL, *none[] = {NULL, NULL, NULL}, *other = NULL;
    float ms;
    Malloc(&p, 16);
    say("free", Free(p));
    say("free again", Free(p));
    say("free nothing", Free(NULL));
    EventCreate(&a);
    EventCreate(&b);
    say("time between events that were not recorded", EventElapsedTime(&ms, a, b));
    say("record", EventRecord(a, NULL));
    EventDestroy(a);
    say("record what was destroyed", EventRecord(a, NULL));
    say("destroy it again", EventDestroy(a));
    EventDestroy(b);
    say("launch no function", ModuleLaunchKernel(mod, 1, 1, 1, 64, 1, 1, 0, NULL, none, NULL));
    say("unload", ModuleUnload(mod));
    say("unload again", ModuleUnload(mod));
    say("kernel of what is unloaded", ModuleGetFunction(&other, mod, "fill"));
    say("launch of what is unloaded",
        ModuleLaunchKernel(fn, 1, 1, 1, 64, 1, 1, 0, NULL, none, NULL));
    printf("compile no program: %d\n", CompileProgram(mod, 0, NULL));
    printf("destroy no program: %d\n", DestroyProgram(&mod));
}

/* The code of a program that was not compiled. */
static void no_code(void)
{
    RTC(CreateProgram, void **, const char *, const char *, int, void *, void *);
    RTC(GetCodeSize, void *, size_t *);
    RTC(DestroyProgram, void **);
    void *p = NULL, *q;
    size_t n = 0;
    if (!GetCodeSize)
        *(void **)(void *)&GetCodeSize = find(rtc, rtc_prefix, "GetBitcodeSize");
    CreateProgram(&p, text, NULL, 0, NULL, NULL);
    q = p;
    printf("code before it is compiled: %d\n", GetCodeSize(p, &n));
    printf("destroy: %d\n", DestroyProgram(&p));
    printf("destroy again: %d\n", DestroyProgram(&q));
}

static void memory(int **at)
{
    FN(int, Malloc, void **, size_t);
    FN(int, Free, void *);
    FN(int, Memcpy, void *, const void *, size_t, int);
    void *p = NULL;
    char host[64] = {0};
    say("allocate too much", Malloc(&p, (size_t)1 << 20));
    say("allocate", Malloc(&p, 64));
    say("copy", Memcpy(p, host, 64, 1));
    say("copy too much", Memcpy(p, host, 65, 1));
    say("copy the other way", Memcpy(p, host, 64, 2));
    say("copy no way", Memcpy(p, host, 64, 9));
    say("free what is not its own", Free(host));
    *at = p;
}

int main(int argc, char **argv)
{
    prefix = argv[1];
    lib = dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL);
    rtc_prefix = argv[3];
    rtc = argc > 4 ? dlopen(argv[4], RTLD_NOW) : NULL;
    if (!lib || !rtc)
        return printf("%s\n", dlerror()), 1;
    FN(int, SetDevice, int);
    FN(int, ModuleLoadData, void **, const void *);
    FN(int, ModuleGetFunction, void **, void *, const char *);
    FN(int, Malloc, void **, size_t);
    void *mod = NULL, *fn = NULL, *p = NULL;
    int *at = NULL;
    pthread_t t;
    say("allocate without a device", Malloc(&p, 16));
    say("device 5", SetDevice(5));
    say("device 0", SetDevice(0));
    memory(&at);
    compile("extern \"C\" __global__ void wrong() { nonsense; }\n");
    char *code = compile(text);
    say("load what is no code", ModuleLoadData(&mod, "not code at all, but 64 bytes of some text "
                                                     "that nobody can load"));
    say("load", ModuleLoadData(&mod, code));
    say("no such kernel", ModuleGetFunction(&fn, mod, "other"));
    say("kernel", ModuleGetFunction(&fn, mod, "fill"));
    no_code();
    pthread_create(&t, NULL, elsewhere, argv[1][0] == 'm' ? fn : NULL);
    pthread_join(t, NULL);
    if (argc > 5) {
        handles(mod, fn);
        return 0;
    }
    launches(fn, at);
    return 0;
}
