/* targets/gpu/rtc.c: text -> code: by the vendor's library in this process, or by its
 * offline compiler in one of its own. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/proc.h"
#include "driver.h"

/* The library ---------------------------------------------------------------- */

/* The first pair of functions that give code. */
static bool bind_getter(GpuRtc *t)
{
    const GpuVendor *v = t->v;
    for (int i = 0; v->getter[0][i]; i++) {
        void *size = gpu_symbol(t->handle, v->rtc, v->getter[0][i]);
        void *code = gpu_symbol(t->handle, v->rtc, v->getter[1][i]);
        if (!size || !code)
            continue;
        memcpy(&t->CodeSize, &size, sizeof size);
        memcpy(&t->Code, &code, sizeof code);
        return true;
    }
    return false;
}

/* NULL: all are there; else the one that is missing. */
static const char *bind(GpuRtc *t)
{
    static const struct { const char *symbol; size_t at; } entry[] = {
#define GPU_RTC_FN(name, symbol, args) {symbol, offsetof(GpuRtc, name)},
        GPU_RTC_FNS
#undef GPU_RTC_FN
    };
    for (size_t i = 0; i < COUNT(entry); i++) {
        void *p = gpu_symbol(t->handle, t->v->rtc, entry[i].symbol);
        if (!p)
            return entry[i].symbol;
        memcpy((char *)t + entry[i].at, &p, sizeof p);
    }
    return bind_getter(t) ? NULL : t->v->getter[0][0];
}

static void close_library(GpuRtc *t)
{
    if (t->handle && t->own)
        dlclose(t->handle);
    t->handle = NULL;
}

/* Where it may be is where the run-time may be. */
static void find_library(GpuRtc *t, const GpuDriver *u)
{
    const GpuVendor *v = t->v;
    GpuDirs first, then;
    gpu_dirs_find(&first, v->first, (size_t)v->nfirst);
    gpu_dirs_find(&then, v->then, (size_t)v->nthen);
    GpuLibrary lib = {.env = v->rtc_env, .names = v->rtc_names, .first = gpu_dirs_list(&first),
                      .then = gpu_dirs_list(&then)};
    if (v->rtc_names) {
        t->handle = gpu_dlopen(&lib, t->path, sizeof t->path, &t->why);
        t->own = t->handle != NULL;
    }
    const char *named = v->rtc_env ? getenv(v->rtc_env) : NULL;
    if (!t->handle && u->handle && !(named && *named)) { /* older ones, Hygon's and MACA's */
        t->handle = u->handle;
        snprintf(t->path, sizeof t->path, "%s", u->path);
    }
    gpu_dirs_free(&first);
    gpu_dirs_free(&then);
}

/* The library, ready to compile; false: t->why. */
static bool open_library(GpuRtc *t, const GpuDriver *u)
{
    int major = 0, minor = 0, r = 0;
    find_library(t, u);
    if (!t->handle)
        return false;
    const char *missing = bind(t);
    if (!missing && (r = t->Version(&major, &minor)) == 0) {
        snprintf(t->name, sizeof t->name, "%s %d.%d", t->v->rtc, major, minor);
        return true;
    }
    str_free(&t->why);
    if (missing)
        str_fmt(&t->why, "%s: %s%s", t->path, t->v->rtc, missing);
    else
        str_fmt(&t->why, "%s: %sVersion %d", t->path, t->v->rtc, r);
    close_library(t);
    return false;
}

/* The offline compiler --------------------------------------------------------- */

/* A version in what `tool --version` says: its first word with a digit and a dot. */
static bool tool_version(GpuRtc *t)
{
    char flag[] = "--version", *argv[] = {t->tool, flag, NULL};
    Proc p = {.argv = argv};
    bool ok = proc_run(&p) && p.status == 0 && p.out.s;
    const char *name = strrchr(t->tool, '/');
    for (const char *s = ok ? p.out.s : ""; *s;) {
        size_t n = strcspn(s, " \t\n");
        if (memchr(s, '.', n) && strcspn(s, "0123456789") < n) {
            snprintf(t->name, sizeof t->name, "%s %.*s", name ? name + 1 : t->tool, (int)n, s);
            break;
        }
        s += n;
        s += strspn(s, " \t\n");
    }
    if (ok && !t->name[0])
        snprintf(t->name, sizeof t->name, "%s", name ? name + 1 : t->tool);
    str_free(&p.out);
    return ok;
}

static bool open_tool(GpuRtc *t)
{
    const GpuVendor *v = t->v;
    const char *own = getenv(v->offline_env);
    if (own && *own)
        t->tool = proc_find(own);
    for (const char *const *n = v->offline_names; *n && !t->tool && !(own && *own); n++)
        t->tool = gpu_tool(*n, v->offline, (size_t)v->noffline);
    if (t->tool && tool_version(t))
        return true;
    free(t->tool);
    t->tool = NULL;
    return false;
}

char *gpu_rtc_open(GpuRtc *t, const GpuVendor *v, const GpuDriver *u, bool library)
{
    const char *own = getenv(v->offline_env);
    *t = (GpuRtc){.v = v};
    if (library && open_library(t, u))
        return NULL;
    if (open_tool(t))
        return NULL;
    char *err = dev_error("@gpu_no_compiler" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s",
                          v->product, library && t->why.s ? t->why.s : v->rtc,
                          own && *own ? own : v->offline_names[0],
                          v->rtc_env ? v->rtc_env : v->lib_env);
    gpu_rtc_close(t);
    return err;
}

void gpu_rtc_close(GpuRtc *t)
{
    close_library(t);
    free(t->tool);
    t->tool = NULL;
    str_free(&t->why);
}

/* Compiling -------------------------------------------------------------------- */

void gpu_compiled_free(GpuCompiled *c)
{
    str_free(&c->code);
    str_free(&c->log);
}

/* The words of a list, with what stands for the braces; malloc'd each, NULL behind. */
enum { MostWords = 24 };
static bool fill_words(char *out[MostWords], const char *const *word, const char *const hole[][2])
{
    int n = 0;
    for (; word[n]; n++) {
        Str s = {0};
        for (const char *k = word[n]; *k;) {
            int h = 0;
            while (hole[h][0] && strncmp(k, hole[h][0], strlen(hole[h][0])) != 0)
                h++;
            str_add(&s, hole[h][0] ? hole[h][1] : k, hole[h][0] ? strlen(hole[h][1]) : 1);
            k += hole[h][0] ? strlen(hole[h][0]) : 1;
        }
        out[n] = s.bad || n + 1 >= MostWords ? NULL : s.s;
        if (!out[n]) {
            str_free(&s);
            return false;
        }
    }
    out[n] = NULL;
    return true;
}

static void free_words(char *word[MostWords])
{
    for (int i = 0; i < MostWords && word[i]; i++)
        free(word[i]);
}

/* Text or bytes of a program: their size by one function, they by another. */
static bool take(void *p, int (*size)(void *, size_t *), int (*get)(void *, char *), Str *out)
{
    size_t n = 0;
    if (size(p, &n) != 0 || n == 0)
        return false;
    char *s = calloc(1, n + 1);
    bool ok = s && get(p, s) == 0;
    if (ok)
        str_add(out, s, n);
    free(s);
    return ok && !out->bad;
}

static char *broken(const GpuRtc *t, const char *call, int r)
{
    return dev_error("@gpu_compiler_broken" DEV_SEP "%s" DEV_SEP "%s%s: %d", t->path, t->v->rtc,
                     call, r);
}

static enum GpuOutcome by_library(const GpuRtc *t, const char *text, const GpuOptions *o,
                                   GpuCompiled *out, char **err)
{
    const char *const hole[][2] = {{"{arch}", o->arch->compiler}, {NULL, NULL}};
    char *word[MostWords] = {NULL}, name[64];
    void *p = NULL;
    int n = 0;
    snprintf(name, sizeof name, "kernel.%s", t->v->text_ext);
    if (!fill_words(word, t->v->rtc_options, hole)) {
        free_words(word);
        return RTCbroken;
    }
    while (word[n])
        n++;
    int r = t->Create(&p, text, name, 0, NULL, NULL);
    if (r != 0) {
        free_words(word);
        return *err = broken(t, "CreateProgram", r), RTCbroken;
    }
    r = t->Compile(p, n, (const char *const *)word);
    free_words(word);
    take(p, t->LogSize, t->Log, &out->log);
    if (out->log.n && !out->log.s[out->log.n - 1]) /* the size counts a 0 behind it */
        out->log.n--;
    enum GpuOutcome is = r == 0 ? RTCmade : r == GpuRtcRefused ? RTCrefused : RTCbroken;
    if (is == RTCmade && !take(p, t->CodeSize, t->Code, &out->code))
        is = RTCbroken;
    if (is == RTCbroken)
        *err = broken(t, r ? "CompileProgram" : t->v->getter[1][0], r);
    t->Destroy(&p);
    return is;
}

static enum GpuOutcome run_tool(const GpuRtc *t, const char *in, const GpuOptions *o,
                                 const char *made, GpuCompiled *out, char **err)
{
    const char *const hole[][2] = {{"{arch}", o->arch->compiler}, {"{in}", in}, {"{out}", made},
                                   {NULL, NULL}};
    char *argv[MostWords + 1] = {t->tool};
    if (!fill_words(argv + 1, t->v->offline_argv, hole)) {
        free_words(argv + 1);
        return RTCbroken;
    }
    Proc p = {.argv = argv};
    bool ran = proc_run(&p);
    int e = errno;
    enum GpuOutcome is = !ran || !WIFEXITED(p.status) ? RTCbroken
                          : p.status != 0 ? RTCrefused : RTCmade;
    char why[64];
    if (ran && WIFSIGNALED(p.status))
        snprintf(why, sizeof why, "signal %d", WTERMSIG(p.status));
    else
        snprintf(why, sizeof why, "exit 0, 0 bytes");
    str_add(&out->log, p.out.s ? p.out.s : "", p.out.n);
    if (is == RTCmade && !(gpu_read_file(made, &out->code) && out->code.n))
        is = RTCbroken;
    if (is == RTCbroken && p.interrupted)
        *err = dev_error("@build_interrupted");
    else if (is == RTCbroken)
        *err = dev_error("@gpu_compiler_broken" DEV_SEP "%s" DEV_SEP "%s", t->tool,
                         ran ? why : strerror(e));
    str_free(&p.out);
    free_words(argv + 1);
    return is;
}

static enum GpuOutcome by_tool(const GpuRtc *t, const char *text, const GpuOptions *o,
                                const Cache *k, GpuCompiled *out, char **err)
{
    Str in = {0}, made = {0};
    union { const char *c; char *v; } bytes = {.c = text}; /* only read */
    Str all = {.s = bytes.v, .n = strlen(text)};
    const Str *part[] = {&all};
    enum GpuOutcome is = RTCbroken;
    cache_temp(k, t->v->text_ext, &in);
    cache_temp(k, t->v->code_ext, &made);
    if (in.bad || made.bad)
        ;
    else if (!gpu_write_file(in.s, part, 1))
        *err = dev_error("@device_load" DEV_SEP "%s: %s", in.s, strerror(errno));
    else
        is = run_tool(t, in.s, o, made.s, out, err);
    if (in.s)
        unlink(in.s);
    if (made.s)
        unlink(made.s);
    str_free(&in);
    str_free(&made);
    return is;
}

enum GpuOutcome gpu_compile(const GpuRtc *t, const char *text, const GpuOptions *o,
                              const Cache *k, GpuCompiled *out, char **err)
{
    double start = clock_ms();
    *out = (GpuCompiled){.ms = 0};
    enum GpuOutcome is = t->handle ? by_library(t, text, o, out, err)
                                    : by_tool(t, text, o, k, out, err);
    out->ms = clock_ms() - start;
    return is;
}
