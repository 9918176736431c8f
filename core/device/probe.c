/* core/device/probe.c: the two ends of a look at a target: the process that looks, and the one
 * that waits for it.  See probe.h. */
#include "core/base/clock.h"
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/proc.h"
#include "worker.h"

enum { Channel = 3, MostRounds = 40, MostBytes = 1 << 20 };

/* Telling -------------------------------------------------------------------- */

/* One line at once: what comes later may end the process. */
static void send_line(const DeviceProbe *e, Str *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->s[i] == '\n' || s->s[i] == '\r')
            s->s[i] = ' ';
    str_puts(s, "\n");
    for (size_t at = 0; !s->bad && at < s->n;) {
        ssize_t k = write(e->fd, s->s + at, s->n - at);
        if (k < 0 && errno != EINTR)
            break;
        at += k > 0 ? (size_t)k : 0;
    }
    str_free(s);
}

bool devprobe_begin(const DeviceProbe *e, const char *name)
{
    Str s = {0};
    for (int i = 0; i < e->nskip; i++)
        if (strcmp(e->skip[i], name) == 0)
            return false;
    str_fmt(&s, "begin\t%s", name);
    send_line(e, &s);
    return true;
}

void devprobe_run_begins(const DeviceProbe *e, const char *name)
{
    Str s = {0};
    str_fmt(&s, "run\t%s", name);
    send_line(e, &s);
}

void devprobe_is(const DeviceProbe *e, const char *name, const char *fmt, ...)
{
    Str s = {0};
    va_list ap;
    str_fmt(&s, "is\t%s\t", name);
    va_start(ap, fmt);
    str_vfmt(&s, fmt, ap);
    va_end(ap);
    send_line(e, &s);
}

void devprobe_error(const DeviceProbe *e, DevError err)
{
    Str s = {0};
    if (!err.is)
        err = dev_error_all(E_memory, "more", "reached");
    str_puts(&s, "error\t");
    dev_error_text(&err, &s);
    send_line(e, &s);
    dev_error_free(err);
}

/* The process that looks ------------------------------------------------------ */

/* It ends with the one that waits, and quietly. */
static void child_setup(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < COUNT(fatal); i++)
        signal(fatal[i], SIG_DFL);
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    struct rlimit core = {1, 1}; /* 1: not even to a program that takes cores */
    setrlimit(RLIMIT_CORE, &core);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static const char *options_of(const char *spec)
{
    spec += strcspn(spec, " \t");
    return spec + strspn(spec, " \t");
}

static char *slurp_input(void)
{
    Str s = {0};
    char buf[4096];
    ssize_t k;
    while ((k = read(0, buf, sizeof buf)) > 0)
        str_add(&s, buf, (size_t)k);
    return s.s ? s.s : strdup("");
}

static void remember_failure(const DeviceProbe *e, const Target *t, const char *options)
{
    char *lines = slurp_input();
    DevError err = DEV_NO_ERROR;
    Str path = {0};
    if (t->devprobe->keep(options, lines, &path, &err))
        devprobe_is(e, "kept", "%s", path.s ? path.s : "");
    else
        devprobe_error(e, err);
    str_free(&path);
    free(lines);
}

int devprobe_main(int argc, char **argv, const Target *const *table)
{
    const Target *t = NULL;
    if (argc < 2 || fcntl(Channel, F_SETFD, FD_CLOEXEC) != 0)
        return 2;
    const char *spec = argv[0], *group = argv[1];
    size_t n = strcspn(spec, " \t");
    DeviceProbe e = {Channel, argv + 2, argc - 2};
    for (; *table && !t; table++)
        t = strlen((*table)->name) == n && memcmp((*table)->name, spec, n) == 0 ? *table : NULL;
    if (!t || (*group && !t->devprobe))
        return 2;
    child_setup();
    setenv("MOONTILE_PROBE", "ignore", 1); /* it asks by itself */
    if (!*group)
        devprobe_look(&e, t, options_of(spec));
    else if (strcmp(group, "keep") == 0)
        remember_failure(&e, t, options_of(spec));
    else
        t->devprobe->ask(&e, options_of(spec), group);
    _exit(0); /* nothing to save; what was opened may not like to be closed */
}

/* The process that waits -------------------------------------------------------- */

/* The name behind the last line that begins so; "" where there is none. */
static const char *last_name(const Str *lines, size_t from, const char *what, char out[128])
{
    size_t n = strlen(what);
    out[0] = '\0';
    for (const char *s = lines->s ? lines->s + from : NULL; s && *s;
         s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL)
        if (strncmp(s, what, n) == 0 && s[n] == '\t')
            snprintf(out, 128, "%.*s", (int)strcspn(s + n + 1, "\t\n"), s + n + 1);
    return out;
}

/* Says how the process ended where that was not well; the name of what it was doing goes
 * to doing.  false: it has done all. */
static bool probe_ended(const Proc *p, bool ran, ExamJob *j, size_t from, char doing[128])
{
    last_name(&j->lines, from, "begin", doing);
    if (!ran && p->late)
        str_fmt(&j->lines, "late\t%s\t%d\n", doing, j->limit_ms / 1000);
    else if (WIFSIGNALED(p->status))
        str_fmt(&j->lines, "died\t%s\t%d\n", doing, WTERMSIG(p->status));
    else if (!WIFEXITED(p->status) || WEXITSTATUS(p->status) != 0)
        str_fmt(&j->lines, "left\t%s\t%d\n", doing, WEXITSTATUS(p->status));
    else
        return false;
    return true;
}

/* One process.  more: there may be questions behind the one that it did not survive. */
static bool ask_once(ExamJob *j, int limit_ms, char **argv, char doing[128], bool *more)
{
    Proc p = {.argv = argv, .channel = true, .limit_ms = limit_ms, .most = MostBytes,
              .in = j->in, .nin = j->in ? strlen(j->in) : 0, .abandon = true,
              .follows = true};
    size_t from = j->lines.n;
    bool ran = proc_run(&p); /* false, too, where it had to be ended */
    bool ok = ran || p.late || p.large;
    if (p.result.n)
        str_add(&j->lines, p.result.s, p.result.n);
    if (j->lines.n > from && j->lines.s[j->lines.n - 1] != '\n')
        str_puts(&j->lines, "\n"); /* its last one was cut */
    if (p.out.n)
        str_add(&j->noise, p.out.s, p.out.n);
    bool on = p.late ? j->resume_late : j->resume;
    *more = ok && probe_ended(&p, ran, j, from, doing) && doing[0] && on;
    str_free(&p.out);
    str_free(&p.result);
    return ok && !j->lines.bad;
}

/* What was begun, for the next process to leave out: malloc'd names. */
static int add_begun(const Str *lines, size_t from, char **to, int n, int most)
{
    for (const char *s = lines->s ? lines->s + from : NULL; s && *s && n < most;
         s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL)
        if (strncmp(s, "begin\t", 6) == 0) {
            size_t k = strcspn(s + 6, "\t\n");
            to[n] = strndup(s + 6, k);
            n += to[n] != NULL;
        }
    return n;
}

bool devprobe_ask(ExamJob *j)
{
    enum { Fixed = 4, MostSkipped = 120 };
    char self[] = "/proc/self/exe", flag[] = "--devprobe", doing[128];
    char *argv[Fixed + MostSkipped + 1] = {self, flag, strdup(j->spec), strdup(j->group)};
    int n = Fixed, rounds = 0;
    bool more = true, ok = argv[2] && argv[3];
    int64_t until = j->total_ms ? (int64_t)clock_ms() + j->total_ms : INT64_MAX;
    while (ok && more && rounds++ < MostRounds && (int64_t)clock_ms() < until) {
        size_t from = j->lines.n;
        int64_t left = until - (int64_t)clock_ms();
        ok = ask_once(j, left < j->limit_ms ? (int)left + 1 : j->limit_ms, argv, doing, &more);
        n = more ? add_begun(&j->lines, from, argv, n, Fixed + MostSkipped) : n;
    }
    for (int i = 2; i < n; i++)
        free(argv[i]);
    return ok;
}
