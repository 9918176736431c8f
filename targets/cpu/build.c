/* targets/cpu/build.c: C text -> shared object, through the cache.
 *
 * The key of an entry is everything that its bytes depend on: the text, the
 * flags, the compiler's files, this processor, and the ABI number. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/device/cache.h"
#include "core/device/jail.h"
#include "core/base/proc.h"
#include "object.h"
#include "run.h"
#include "err/build.h"
#include "err/serve.h"

/* Measured on a 60-line kernel (gcc 12: 70 ms, of which 15 are the start of
 * cc1, as and ld): leaving out libraries and start files saves 4 ms, -pipe 1;
 * no other option that keeps the code as good saves anything. */
static const char *const flags[] = {
    "-x", "c", "-std=gnu11", "-O3",
#if defined(__x86_64__) || defined(__i386__)
    "-march=native",
#if defined(__x86_64__)
    "-mprefer-vector-width=512", /* where there are such registers; measured faster on Zen 4 */
#endif
#elif defined(__aarch64__)
    "-mcpu=native",
#endif
    "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast", "-fPIC", "-shared",
    "-nostdlib", "-pipe", "-fno-asynchronous-unwind-tables", "-fno-stack-protector",
};
/* Nobody reads warnings of ours.  Where the user's own C is in the text, they are not switched off: a
 * function that it does not have would be one that gives an int. */
static const char *const our_flags[] = {"-w"};
static const char *const own_flags[] = {"-Werror=implicit-function-declaration"};
/* Behind the others: gcc takes 0 - x for -x where x is never -0 (an absolute value, what was an
 * integer), and 0 - 0 is then -0; which it leaves where it does not know how sums are rounded. */
static const char *const zero_flags[] = {"-frounding-math"};
/* Infinities and NaN keep their meaning: masks are made of them. */
static const char *const fast_flags[] = {
    "-funsafe-math-optimizations", "-fno-signed-zeros", "-freciprocal-math",
};
/* Behind the others: a quarter of the time of the compiler, for code that runs once on
 * little data. */
static const char *const quick_flags[] = {"-O0"};
/* For texts of more than LongText bytes, which are one block of very many statements: without
 * those passes of gcc's whose time grows with the square of the basic blocks.  A chain of 1,000
 * choices takes gcc 12 0.7 s instead of 2.9, one of 4,000 3.5 s instead of 44. */
static const char *const long_flags[] = {
    "-fno-thread-jumps", "-fno-tree-pre", "-fno-tree-dominator-opts", "-fno-split-loops",
    "-fno-tree-pta", "-fno-guess-branch-probability",
};
enum { LongText = 128 << 10 };
/* Behind the others, where the compiler did not get to the end with them: gcc 13.3 takes more than
 * 20 GB at -O3 for texts of which gcc 12 makes code in 120 MB. */
static const char *const plain_flags[] = {"-O1"};
static const char *const known[] = {"cc", "gcc", "clang"};

/* The compiler: its words ("ccache gcc"), the first of them as a path. */
typedef struct Cc Cc;
struct Cc {
    char *path, *text;
    char **word;
    int n;
    bool clang;
};

#define CcBytes ((size_t)3 << 30) /* of address space, for the compiler of a stranger's text */

typedef struct CpuBuild CpuBuild;
struct CpuBuild {
    Ctx *c;
    Artifact *a;
    CpuOptions opt;
    Cc cc;
    Cache cache;
    Hash key;
    Str temp, log;
    const char **arg;
    int narg;
    bool plain;          /* with plain_flags */
    Proc proc;
};

/* The compiler ---------------------------------------------------------- */

static void cc_free(Cc *cc)
{
    free(cc->path);
    free(cc->text);
    free(cc->word);
}

/* Splits $CC, if that is not a program whose name has spaces; NULL when there is no such program. */
static char *split_cc(Cc *cc, const char *env)
{
    char *save;
    cc->n = 1;
    if ((cc->path = proc_find(env)))
        return cc->path;
    cc->n = 0;
    cc->text = strdup(env);
    cc->word = malloc((strlen(env) / 2 + 1) * sizeof *cc->word);
    if (!cc->text || !cc->word)
        return NULL;
    for (char *w = strtok_r(cc->text, " \t", &save); w; w = strtok_r(NULL, " \t", &save))
        cc->word[cc->n++] = w;
    return cc->n ? cc->path = proc_find(cc->word[0]) : NULL;
}

static bool find_cc(Cc *cc)
{
    const char *env = getenv("CC");
    if (env && env[strspn(env, " \t")])
        return split_cc(cc, env) != NULL;
    for (size_t i = 0; i < COUNT(known) && !cc->path; i++)
        cc->path = proc_find(known[i]);
    cc->n = 1;
    return cc->path != NULL;
}

static Hash hash_text(Hash h, const char *s) { return hash_bytes(h, s, strlen(s)); }

/* The file behind a name: a new compiler has a new size or time. */
static Hash hash_file(Hash h, const char *path, bool *clang)
{
    struct stat st;
    char *real = realpath(path, NULL);
    if (real && stat(real, &st) == 0) {
        uint64_t v[4] = {(uint64_t)st.st_size, (uint64_t)st.st_ino,
                         (uint64_t)st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec};
        h = hash_bytes(hash_text(h, real), v, sizeof v);
        *clang |= strstr(real, "clang") != NULL;
    }
    free(real);
    return h;
}

static Hash hash_cc(Hash h, Cc *cc)
{
    h = hash_file(h, cc->path, &cc->clang);
    for (int i = 1; i < cc->n; i++) {
        char *path = proc_find(cc->word[i]); /* behind ccache, say */
        h = hash_text(h, cc->word[i]);
        if (path)
            h = hash_file(h, path, &cc->clang);
        free(path);
    }
    return h;
}

/* What -march=native looks at: a cache on a shared disk serves machines with
 * different processors. */
static Hash hash_processor(Hash h)
{
    static const char *const field[] = {"model name", "flags", "Features", "CPU implementer",
                                        "CPU part", "isa"};
    char buf[8192], *save;
    struct utsname u;
    FILE *f = fopen("/proc/cpuinfo", "re");
    size_t n = f ? fread(buf, 1, sizeof buf - 1, f) : 0;
    if (f)
        fclose(f);
    buf[n] = '\0';
    if (uname(&u) == 0)
        h = hash_text(h, u.machine);
    char *end = strstr(buf, "\n\n"); /* the first processor is enough */
    if (end)
        *end = '\0';
    for (char *l = strtok_r(buf, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
        for (size_t i = 0; i < COUNT(field); i++)
            if (strncmp(l, field[i], strlen(field[i])) == 0)
                h = hash_text(h, l);
    return h;
}

/* Reporting, under ctx_try ---------------------------------------------- */

typedef struct BuildReport BuildReport;
struct BuildReport { Err e; const char *a, *b; };

static void do_cbuild_report(Ctx *c, void *ud)
{
    const BuildReport *r = ud;
    diag(c, r->e, (Loc){0, 0, 0}, r->a, r->b, NULL);
}

static bool build_report(const CpuBuild *b, Err e, const char *a1, const char *a2)
{
    BuildReport r = {e, a1, a2};
    ctx_try(b->c, do_cbuild_report, &r);
    return false;
}

/* Compiling ------------------------------------------------------------- */

static void add_args(CpuBuild *b, const char *const *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        b->arg[b->narg++] = s[i];
}

/* Is C of the user's own in the text? */
static bool has_own(const CpuBuild *b)
{
    return b->a->source.s && strstr(b->a->source.s, CpuOurs);
}

/* False: no memory. */
static bool make_args(CpuBuild *b)
{
    static const char *const gcc[] = {"-lgcc"};
    const char *const files[] = {"-", "-o", b->temp.s};
    size_t most = (size_t)b->cc.n + COUNT(flags) + COUNT(own_flags) + COUNT(our_flags) + COUNT(zero_flags) + COUNT(fast_flags) +
                  COUNT(quick_flags) + COUNT(long_flags) + COUNT(plain_flags) + COUNT(files) +
                  COUNT(gcc) + 1;
    free(b->arg);
    b->narg = 0;
    b->arg = malloc(most * sizeof *b->arg);
    if (!b->arg)
        return false;
    add_args(b, (const char *const *)&b->cc.path, 1);
    for (int i = 1; i < b->cc.n; i++)
        add_args(b, (const char *const *)&b->cc.word[i], 1);
    add_args(b, flags, COUNT(flags));
    if (has_own(b))
        add_args(b, own_flags, COUNT(own_flags));
    else
        add_args(b, our_flags, COUNT(our_flags));
    if (b->opt.fast_math)
        add_args(b, fast_flags, COUNT(fast_flags));
    else if (!b->cc.clang)
        add_args(b, zero_flags, COUNT(zero_flags));
    if (b->opt.quick)
        add_args(b, quick_flags, COUNT(quick_flags));
    if (!b->cc.clang && b->a->source.n > LongText)
        add_args(b, long_flags, COUNT(long_flags));
    if (b->plain)
        add_args(b, plain_flags, COUNT(plain_flags));
    add_args(b, files, COUNT(files));
    if (!b->cc.clang)
        add_args(b, gcc, COUNT(gcc)); /* helpers for types the processor lacks */
    b->arg[b->narg] = NULL;
    return true;
}

/* Nearly no space left where `path` is? */
static bool disk_full(const char *path)
{
    struct statvfs fs;
    return statvfs(path, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize < 256 * 1024;
}

/* The compiler's messages and the text it was given, for a report to us. */
static bool keep_log(CpuBuild *b)
{
    cache_path(&b->cache, b->key, "log", &b->log);
    FILE *f = b->log.bad ? NULL : fopen(b->log.s, "we");
    if (!f)
        return false;
    for (int i = 0; i < b->narg; i++)
        fprintf(f, "%s ", b->arg[i]);
    fprintf(f, "\n\n%s\n", b->proc.out.s ? b->proc.out.s : "");
    fwrite(b->a->source.s, 1, b->a->source.n, f);
    return fclose(f) == 0;
}

/* What the compiler says of itself when memory is short. */
static bool lacked_memory(const char *text)
{
    static const char *const says[] = {
        "out of memory", "memory exhausted", "Cannot allocate memory", "bad_alloc",
    };
    for (size_t i = 0; i < COUNT(says); i++)
        if (strstr(text, says[i]))
            return true;
    return false;
}

/* The signal that ended it, or what it runs: a shell, and what is called through one, say so by
 * their status.  0: none. */
static int ended_by(const CpuBuild *b)
{
    int status = b->proc.status;
    if (WIFSIGNALED(status))
        return WTERMSIG(status);
    return WEXITSTATUS(status) > 128 && WEXITSTATUS(status) < 128 + 32 ? WEXITSTATUS(status) - 128 : 0;
}

static const char *cbuild_said(const CpuBuild *b) { return b->proc.out.s ? b->proc.out.s : ""; }

/* Did it fall over a fault of its own? */
static bool at_fault(const CpuBuild *b)
{
    static const int faults[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    static const char *const says[] = {
        "internal compiler error", "failed due to signal", "submit a bug report",
        "submit a full bug report",
    };
    int signal = ended_by(b);
    for (size_t i = 0; i < COUNT(faults); i++)
        if (signal == faults[i])
            return true;
    for (size_t i = 0; i < COUNT(says); i++)
        if (strstr(cbuild_said(b), says[i]))
            return b->proc.status != 0;
    return false;
}

/* Was it ended from outside, most likely for want of memory, or lacked it that? */
static bool was_killed(const CpuBuild *b)
{
    return b->proc.status != 0 &&
           (lacked_memory(cbuild_said(b)) || strstr(cbuild_said(b), "Killed signal terminated") ||
            (ended_by(b) && !at_fault(b)));
}

/* Did it run out of memory, or fall over a fault of its own?  Then less of it may do. */
static bool overtaxed(const CpuBuild *b)
{
    int signal = ended_by(b);
    return at_fault(b) || (was_killed(b) && (!signal || signal == SIGKILL));
}

/* What the compiler could have at most: its own limit, or that of the whole session. */
static size_t least_memory(const CpuBuild *b)
{
    struct rlimit r;
    bool less = getrlimit(RLIMIT_DATA, &r) == 0 && r.rlim_cur < b->proc.memory;
    return less ? (size_t)r.rlim_cur : b->proc.memory;
}

/* Was it one of the limits that a stranger's text has?  Then that is reported. */
static bool beyond_limits(CpuBuild *b, const char *text)
{
    char what[48] = "";
    bool timed = WIFSIGNALED(b->proc.status) && WTERMSIG(b->proc.status) == SIGXCPU;
    if (!b->proc.cpu)
        return false;
    if (timed || strstr(text, "CPU time limit exceeded"))
        snprintf(what, sizeof what, "%u s", b->proc.cpu);
    else if (lacked_memory(text))
        snprintf(what, sizeof what, "%zu MiB", least_memory(b) >> 20);
    if (*what)
        build_report(b, E_serve_cc, what, NULL);
    return *what;
}

/* Reports e with the line of text that says `what`, or its first one; without text, with the exit
 * status. */
static bool report_line(CpuBuild *b, Err e, const char *text, const char *what)
{
    char line[256];
    const char *at = what ? strstr(text, what) : NULL;
    while (at && at > text && at[-1] != '\n')
        at--;
    at = at ? at : text;
    if (*at)
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    else if (ended_by(b))
        snprintf(line, sizeof line, "signal %d", ended_by(b));
    else
        snprintf(line, sizeof line, "exit status %d", WEXITSTATUS(b->proc.status));
    return build_report(b, e, b->cc.path, line);
}

static bool report_broken(CpuBuild *b, const char *text)
{
    return report_line(b, E_cc_broken, text, NULL);
}

/* Does the compiler take a program of one line?  If not, a copy of what it says of that. */
static bool takes_nothing(CpuBuild *b, Str *says)
{
    static const char one[] = "int mt_nothing;\n";
    Proc p = {.argv = b->proc.argv, .in = one, .nin = sizeof one - 1};
    bool ran = proc_run(&p), failed = ran && !p.interrupted && p.status != 0 && !WIFSIGNALED(p.status);
    unlink(b->temp.s);
    str_puts(says, failed && p.out.s ? p.out.s : "");
    proc_drop(&p);
    return failed;
}

/* No space is left: where what we keep goes, or where the compiler puts files of its own. */
static bool report_full(CpuBuild *b, const char *text)
{
    const char *set = getenv("TMPDIR"), *temp = set && *set ? set : "/tmp", *ours = b->cache.dir.s;
    bool theirs = !disk_full(ours) && !strstr(text, ours) && (disk_full(temp) || strstr(text, temp));
    return build_report(b, theirs ? E_temp_full : E_disk_full, theirs ? temp : ours, NULL);
}

/* Why the compiler failed: the machine's fault, or ours. */
static bool report_failure(CpuBuild *b)
{
    static const char *const broken[] = {
        "error trying to exec", "cannot execute",    "cannot find -lgcc",
        "unable to execute",    "command not found", "installation problem",
    };
    char n[16];
    const char *text = cbuild_said(b);
    if (strstr(text, "No space left on device") || strstr(text, "File too large") ||
        strstr(text, "ile size limit exceeded") || strstr(text, "Disk quota exceeded") ||
        disk_full(b->cache.dir.s))
        return report_full(b, text);
    if (beyond_limits(b, text))
        return false;
    if (was_killed(b)) {
        snprintf(n, sizeof n, "%d", ended_by(b) ? ended_by(b) : SIGKILL);
        return build_report(b, E_cc_killed, b->cc.path, n);
    }
    if (at_fault(b))
        return report_line(b, E_cc_fault, text, "internal compiler error");
    if (b->proc.status == 0)
        return build_report(b, E_cc_output, b->cc.path, NULL);
    for (size_t i = 0; i < COUNT(broken); i++)
        if (strstr(text, broken[i]))
            return report_broken(b, text);
    Str says = {0};
    bool nothing = takes_nothing(b, &says);
    if (nothing)
        report_broken(b, says.s ? says.s : "");
    str_free(&says);
    if (nothing)
        return false;
    if (has_own(b))
        return report_line(b, E_cc_own, text, "error:");
    if (!keep_log(b))
        return build_report(b, E_cc_failed, b->cache.dir.s, NULL);
    return build_report(b, E_cc_failed, b->log.s, NULL);
}

static bool cbuild_compile(CpuBuild *b)
{
    b->temp.n = 0;
    cache_temp(&b->cache, "so", &b->temp);
    if (b->temp.bad || !make_args(b))
        return build_report(b, E_memory, "more", "reached");
    /* proc_run changes neither the words nor the text */
    union { const char **c; char *const *v; } argv = {.c = b->arg};
    b->proc = (Proc){.argv = argv.v, .in = b->a->source.s, .nin = b->a->source.n};
    b->proc.memory = memory_part(2, (size_t)1 << 30); /* before it stops the machine */
    char **env = NULL;
    if (jail_asked()) { /* the text is a stranger's */
        b->proc.memory = CcBytes;
        b->proc.cpu = jail_asked();
        b->proc.env = env = jail_environ();
        if (!env)
            return build_report(b, E_memory, "more", "reached");
    }
    bool ran = proc_run(&b->proc);
    int e = errno;
    free(env);
    b->proc.env = NULL;
    for (size_t i = 0; i < b->proc.out.n; i++) /* one text, whatever it wrote */
        b->proc.out.s[i] = b->proc.out.s[i] ? b->proc.out.s[i] : '?';
    if (!ran) {
        unlink(b->temp.s);
        if (!b->proc.interrupted)
            return build_report(b, E_cc_broken, b->cc.path, strerror(e));
        interrupt_asked = 0;
        return build_report(b, E_build_interrupted, NULL, NULL);
    }
    if (overtaxed(b) && !b->plain) {
        unlink(b->temp.s);
        str_free(&b->proc.out);
        b->plain = true;
        return cbuild_compile(b);
    }
    if (b->proc.status != 0 || !object_whole(b->temp.s)) {
        unlink(b->temp.s);
        return report_failure(b);
    }
    if (b->plain)
        build_report(b, E_cc_plain, b->cc.path, plain_flags[0]);
    if (cache_put(&b->cache, b->key, "so", b->temp.s, &b->a->path))
        return true;
    e = errno;
    if (e == ENOSPC || e == EDQUOT)
        return build_report(b, E_disk_full, b->cache.dir.s, NULL);
    return build_report(b, E_cache_none, b->cache.dir.s, strerror(e));
}

static bool build_object(CpuBuild *b)
{
    Hash h = {MtAbi, sizeof(MtModule)};
    if (!find_cc(&b->cc)) {
        const char *env = getenv("CC");
        return build_report(b, E_no_cc, env && *env ? env : "cc, gcc, clang", NULL);
    }
    if (!cache_open(&b->cache, b->c))
        return false;
    h = hash_processor(hash_cc(h, &b->cc));
    for (size_t i = 0; i < COUNT(flags); i++)
        h = hash_text(h, flags[i]);
    for (size_t i = 0; !b->opt.fast_math && i < COUNT(zero_flags); i++)
        h = hash_text(h, zero_flags[i]);
    for (size_t i = 0; b->opt.fast_math && i < COUNT(fast_flags); i++)
        h = hash_text(h, fast_flags[i]);
    for (size_t i = 0; b->opt.quick && i < COUNT(quick_flags); i++)
        h = hash_text(h, quick_flags[i]);
    b->key = hash_bytes(h, b->a->source.s, b->a->source.n);
    b->a->cached = cache_get(&b->cache, b->key, "so", &b->a->path);
    return b->a->cached || cbuild_compile(b);
}

/* options are checked when the session opens; a wrong one changes nothing
 * here. */
bool cpu_build(Ctx *c, const char *options, Artifact *a)
{
    double start = clock_ms();
    CpuBuild b = {.c = c, .a = a};
    if (a->program.n)
        return artifact_store(c, options, a); /* nothing to compile */
    dev_error_free(cpu_options(options, &b.opt));
    a->path.n = 0;
    bool ok = a->source.s && build_object(&b);
    a->build_ms = clock_ms() - start;
    cc_free(&b.cc);
    cache_close(&b.cache);
    str_free(&b.temp);
    str_free(&b.log);
    str_free(&b.proc.out);
    free(b.arg);
    return ok;
}
