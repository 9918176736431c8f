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

/* A pair of functions that give bytes: their size, and them. */
static bool bind_pair(const GpuRtc *t, const char *size, const char *get, void *to)
{
    void *p[2] = {gpu_symbol(t->handle, t->v->rtc, size), gpu_symbol(t->handle, t->v->rtc, get)};
    memcpy(to, p, sizeof p); /* dlsym's way to a function */
    return p[0] && p[1];
}

static bool bind_getters(GpuRtc *t)
{
    const GpuVendor *v = t->v;
    if (v->assembly[0] && !bind_pair(t, v->assembly[0], v->assembly[1], &t->assembly))
        return false;
    for (int i = 0; v->getter[0][i]; i++)
        if (bind_pair(t, v->getter[0][i], v->getter[1][i], &t->code))
            return true;
    return false;
}

/* NULL: all are there; else the one that is missing. */
static const char *rtc_bind(GpuRtc *t)
{
    static const struct { const char *symbol; bool must; size_t at; } entry[] = {
#define GPU_RTC_FN(name, symbol, must, args) {symbol, must, offsetof(GpuRtc, name)},
        GPU_RTC_FNS
#undef GPU_RTC_FN
    };
    for (size_t i = 0; i < COUNT(entry); i++) {
        void *p = gpu_symbol(t->handle, t->v->rtc, entry[i].symbol);
        if (!p && entry[i].must)
            return entry[i].symbol;
        memcpy((char *)t + entry[i].at, &p, sizeof p);
    }
    return bind_getters(t) ? NULL : t->v->getter[0][0];
}

static void close_library(GpuRtc *t)
{
    if (t->handle && t->own)
        dlclose(t->handle);
    t->handle = NULL;
}

static bool rtc_named(const GpuVendor *v)
{
    const char *s = v->rtc_env ? getenv(v->rtc_env) : NULL;
    return s && *s;
}

/* 13000 of 13.0; 0, which is none, of what no version looks like. */
static int version_of(int major, int minor)
{
    bool is = major >= 0 && major < 1000 && minor >= 0 && minor < 100;
    return is ? major * 1000 + minor * 10 : 0;
}

/* Its functions and versions; false: why says what is wrong. */
static bool rtc_ask(GpuRtc *t)
{
    const char *missing = rtc_bind(t);
    int major = 0, minor = 0, r = missing ? 0 : t->Version(&major, &minor);
    t->version = version_of(major, minor);
    snprintf(t->name, sizeof t->name, "%s %d.%d", t->v->rtc_name ? t->v->rtc_name : t->v->rtc,
             major, minor);
    if (missing)
        str_fmt(&t->why, "%s: %s%s", t->path, t->v->rtc, missing);
    else if (r)
        str_fmt(&t->why, "%s: %sVersion %d", t->path, t->v->rtc, r);
    if (missing || r)
        return false;
    if (!t->NumArchs || !t->Archs || t->NumArchs(&t->narch) != 0 || t->narch < 0 ||
        t->narch > GpuRtcArchs ||
        t->Archs(t->arch) != 0)
        t->narch = 0;
    return true;
}

/* Takes n where it serves better than t; the one that is not taken is closed. */
static void take_better(GpuRtc *t, GpuRtc *n, int driver, const char *arch)
{
    int (*rank)(const GpuRtc *, int, const char *) = t->v->rank;
    bool better = rtc_ask(n) && (!t->handle || rank(n, driver, arch) > rank(t, driver, arch));
    GpuRtc *out = better ? t : n;
    if (better || (!t->handle && n->why.n)) {
        str_free(&t->why);
        t->why = n->why;
        n->why = (Str){0};
    }
    close_library(out);
    str_free(&n->why);
    if (!better)
        return;
    Str why = t->why;
    *t = *n;
    t->why = why;
}

/* One version of the library after another, until one serves well enough; a name without
 * a version, the last, is for where no other is there. */
static void rtc_find_library(GpuRtc *t, const GpuDriver *u, const char *arch, const GpuDirs *first,
                             const GpuDirs *then)
{
    const GpuVendor *v = t->v;
    for (const char *const *const *names = v->rtc_names; names && *names; names++) {
        Str looked = {0};
        GpuRtc n = {.v = v, .own = true};
        if (t->handle &&
            (!names[1] || !v->rank || v->rank(t, u->version, arch) >= v->rank_enough))
            break;
        GpuLibrary lib = {.env = v->rtc_env, .names = *names, .first = gpu_dirs_list(first),
                          .then = gpu_dirs_list(then)};
        n.handle = gpu_dlopen(&lib, n.path, sizeof n.path, &looked);
        if (!t->why.n)
            str_puts(&t->why, looked.s ? looked.s : "");
        str_free(&looked);
        if (n.handle)
            take_better(t, &n, u->version, arch);
    }
}

/* The library, ready to compile; false: t->why. */
static bool open_library(GpuRtc *t, const GpuDriver *u, const char *arch)
{
    const GpuVendor *v = t->v;
    GpuDirs first, then;
    gpu_dirs_find(&first, v->first, (size_t)v->nfirst);
    if (v->nrtc_then)
        gpu_dirs_find(&then, v->rtc_then, (size_t)v->nrtc_then);
    else
        gpu_dirs_find(&then, v->then, (size_t)v->nthen);
    rtc_find_library(t, u, arch, &first, &then);
    gpu_dirs_free(&first);
    gpu_dirs_free(&then);
    if (t->handle || v->api == GPUdriver || !u->handle || rtc_named(v))
        return t->handle != NULL;
    GpuRtc own = {.v = v, .handle = u->handle}; /* older ones, Hygon's and MACA's */
    snprintf(own.path, sizeof own.path, "%s", u->path);
    take_better(t, &own, u->version, arch);
    return t->handle != NULL;
}

/* The offline compiler --------------------------------------------------------- */

/* A version in what `tool --version` says: its first word with a digit and a dot. */
static bool tool_version(GpuRtc *t)
{
    char flag[] = "--version", *argv[] = {t->tool, flag, NULL};
    Proc p = {.argv = argv};
    int major = 0, minor = 0;
    bool ok = proc_run(&p) && p.status == 0 && p.out.s;
    const char *name = strrchr(t->tool, '/'), *s = ok ? p.out.s : "", *word = t->v->offline_word;
    s = word && strstr(s, word) ? strstr(s, word) + strlen(word) : s;
    name = name ? name + 1 : t->tool;
    while (*s) {
        size_t n = strcspn(s, " ,\t\n");
        if (memchr(s, '.', n) && strcspn(s, "0123456789") < n) {
            snprintf(t->name, sizeof t->name, "%s %.*s", name, (int)n, s);
            if (sscanf(s, "%6d.%6d", &major, &minor) == 2)
                t->version = version_of(major, minor);
            break;
        }
        s += n;
        s += strspn(s, " ,\t\n");
    }
    if (ok && !t->name[0])
        snprintf(t->name, sizeof t->name, "%s", name);
    str_free(&p.out);
    return ok;
}

/* The path that the environment names for it; NULL: none. */
static const char *own_tool(const GpuVendor *v)
{
    const char *s = v->offline_env ? getenv(v->offline_env) : NULL;
    return s && *s ? s : NULL;
}

static bool open_tool(GpuRtc *t)
{
    const GpuVendor *v = t->v;
    const char *own = own_tool(v);
    if (own)
        t->tool = proc_find(own);
    for (const char *const *n = v->offline_names; *n && !t->tool && !own; n++)
        t->tool = gpu_tool(*n, v->offline, (size_t)v->noffline);
    if (t->tool && tool_version(t))
        return true;
    free(t->tool);
    t->tool = NULL;
    if (v->rtc_alone)
        str_fmt(&t->why, ", %s", v->offline_names[0]);
    return false;
}

DevError gpu_rtc_open(GpuRtc *t, const GpuVendor *v, const GpuDriver *u, const char *arch,
                      bool library)
{
    *t = (GpuRtc){.v = v};
    if (library && open_library(t, u, arch))
        return DEV_NO_ERROR;
    if (!(v->rtc_alone && rtc_named(v)) && open_tool(t))
        return DEV_NO_ERROR;
    DevError err = dev_error_row(v->rows->no_compiler, v->product,
                                 library && t->why.s ? t->why.s : v->rtc,
                                 own_tool(v) ? own_tool(v) : v->offline_names[0],
                                 v->rtc_env ? v->rtc_env : v->lib_env,
                                 v->wheel ? v->wheel(u->version) : "");
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

/* Words -------------------------------------------------------------------- */

/* What stands for the braces of a vendor's words; NULL: the word is left out. */
typedef struct RtcHole RtcHole;
struct RtcHole { const char *name, *text; };
enum { MostWords = 24 };
typedef struct RtcWords RtcWords;
struct RtcWords { char *word[MostWords + 1]; int n; bool bad; };

/* false: the word is left out. */
static bool fill_word(const char *s, const RtcHole *hole, Str *out)
{
    while (*s) {
        const RtcHole *h = hole;
        while (h->name && strncmp(s, h->name, strlen(h->name)) != 0)
            h++;
        if (h->name && !h->text)
            return false;
        str_add(out, h->name ? h->text : s, h->name ? strlen(h->text) : 1);
        s += h->name ? strlen(h->name) : 1;
    }
    return true;
}

static void fill_words(RtcWords *w, const char *const *list, const RtcHole *hole)
{
    for (; list && *list && !w->bad; list++) {
        Str s = {0};
        bool in = fill_word(*list, hole, &s);
        w->bad = s.bad || w->n == MostWords;
        if (in && !w->bad)
            w->word[w->n++] = s.s;
        else
            str_free(&s);
    }
}

static void free_words(RtcWords *w, int from)
{
    while (w->n > from)
        free(w->word[--w->n]);
}

/* Compiling -------------------------------------------------------------------- */

void gpu_compiled_free(GpuCompiled *c)
{
    str_free(&c->code);
    str_free(&c->log);
}

/* Text or bytes of a program: their size by one function, they by another.  More than this no
 * compiler makes of a kernel. */
static const size_t MostBytes = (size_t)1 << 30;
enum { LogBytes = ProcOutput }; /* that are kept of what it says, as of a program's */

static bool rtc_take(void *p, int (*size)(void *, size_t *), int (*get)(void *, char *), Str *out)
{
    size_t n = 0;
    if (size(p, &n) != 0 || n == 0 || n > MostBytes)
        return false;
    char *s = calloc(1, n + 1);
    bool ok = s && get(p, s) == 0;
    if (ok)
        str_add(out, s, n);
    free(s);
    return ok && !out->bad;
}

static enum GpuOutcome broken(const GpuRtc *t, const char *why, int r, DevError *err)
{
    *err = dev_error_row(t->v->rows->compiler_broken, t->tool ? t->tool : t->path, r, why);
    return RTCbroken;
}

static enum GpuOutcome call_broken(const GpuRtc *t, const char *call, int r, DevError *err)
{
    char why[96];
    snprintf(why, sizeof why, "%s%s: %d", t->v->rtc, call, r);
    return broken(t, why, r, err);
}

/* It says that it compiled the text. */
static enum GpuOutcome no_code(const GpuRtc *t, DevError *err)
{
    char why[96];
    snprintf(why, sizeof why, "%s%s: 0 bytes", t->v->rtc, t->v->getter[1][0]);
    return broken(t, why, 0, err);
}

/* What the compiler says of registers can be asked of newer libraries alone: those of the last
 * words that are not known are left out. */
static int compile_program(const GpuRtc *t, void *p, RtcWords *w, int needed)
{
    int r;
    do
        r = t->Compile(p, w->n, (const char *const *)w->word);
    while (r && r == t->v->rtc_unknown_option && w->n-- > needed);
    return r;
}

static enum GpuOutcome by_library(const GpuRtc *t, const char *text, const RtcHole *hole,
                                  GpuCompiled *out, DevError *err)
{
    RtcWords w = {.n = 0};
    char name[64];
    void *p = NULL;
    snprintf(name, sizeof name, "kernel.%s", t->v->text_ext);
    fill_words(&w, t->v->rtc_options, hole);
    int needed = w.n, all;
    if (strncmp(out->target, "compute_", 8) != 0)
        fill_words(&w, t->v->rtc_more, hole);
    all = w.n;
    int r = w.bad ? 0 : t->Create(&p, text, name, 0, NULL, NULL);
    r = gpu_given(r, w.bad || p);
    if (w.bad || r) {
        free_words(&w, 0);
        return w.bad ? RTCbroken : call_broken(t, "CreateProgram", gpu_error_number(r), err);
    }
    r = compile_program(t, p, &w, needed);
    w.n = all;
    free_words(&w, 0);
    rtc_take(p, t->LogSize, t->Log, &out->log);
    if (out->log.n > LogBytes)
        out->log.s[out->log.n = LogBytes] = '\0';
    if (out->log.n && !out->log.s[out->log.n - 1]) /* the size counts a 0 behind it */
        out->log.n--;
    enum GpuOutcome is = r == 0 ? RTCmade : r == GpuRtcRefused ? RTCrefused : RTCbroken;
    bool got = is == RTCmade && rtc_take(p, out->assembly ? t->assembly.size : t->code.size,
                                         out->assembly ? t->assembly.get : t->code.get, &out->code);
    if (is == RTCbroken)
        call_broken(t, "CompileProgram", r, err);
    else if (is == RTCmade && !got)
        is = no_code(t, err);
    t->Destroy(&p);
    return is;
}

static enum GpuOutcome run_tool(const GpuRtc *t, const RtcHole *hole, const char *made,
                                GpuCompiled *out, DevError *err)
{
    RtcWords w = {.word = {t->tool}, .n = 1};
    fill_words(&w, t->v->offline_argv, hole);
    Proc p = {.argv = w.word};
    bool ran = !w.bad && proc_run(&p);
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
        *err = dev_error(E_build_interrupted);
    else if (is == RTCbroken && !w.bad)
        broken(t, ran ? why : strerror(e), p.status, err);
    str_free(&p.out);
    free_words(&w, 1);
    return is;
}

enum { HoleIn, HoleOut, HoleArch, HoleFast, HoleForm, Holes };

static enum GpuOutcome by_tool(const GpuRtc *t, const char *text, RtcHole *hole, const Cache *k,
                               GpuCompiled *out, DevError *err)
{
    Str in = {0}, made = {0};
    union { const char *c; char *v; } bytes = {.c = text}; /* only read */
    Str all = {.s = bytes.v, .n = strlen(text)};
    const Str *part[] = {&all};
    enum GpuOutcome is = RTCbroken;
    cache_temp(k, t->v->text_ext, &in);
    cache_temp(k, t->v->code_ext, &made);
    hole[HoleIn].text = in.s;
    hole[HoleOut].text = made.s;
    if (in.bad || made.bad)
        ;
    else if (!gpu_write_file(in.s, part, 1))
        *err = dev_no_file(in.s, errno);
    else
        is = run_tool(t, hole, made.s, out, err);
    if (in.s)
        unlink(in.s);
    if (made.s)
        unlink(made.s);
    str_free(&in);
    str_free(&made);
    return is;
}

enum GpuOutcome gpu_compile(const GpuRtc *t, const char *text, const GpuOptions *o,
                            const Cache *k, bool assembly, GpuCompiled *out, DevError *err)
{
    const GpuVendor *v = t->v;
    double start = clock_ms();
    *out = (GpuCompiled){.assembly = assembly};
    snprintf(out->target, sizeof out->target, "%s", gpu_told(o));
    if (v->target_of)
        out->assembly |= v->target_of(t, gpu_told(o), out->target);
    RtcHole hole[Holes + 1] = {
        [HoleIn] = {"{in}", NULL}, [HoleOut] = {"{out}", NULL},
        [HoleArch] = {"{arch}", out->target},
        [HoleFast] = {"{fast}", o->fast_math ? v->fast : NULL},
        [HoleForm] = {"{form}", v->form[out->assembly]},
    };
    enum GpuOutcome is = t->handle ? by_library(t, text, hole, out, err)
                                   : by_tool(t, text, hole, k, out, err);
    out->ms = clock_ms() - start;
    return is;
}
