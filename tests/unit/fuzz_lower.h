/* tests/unit/fuzz_lower.h: what the fuzzers of lowering share: a text goes the way to a device's source
 * that a stranger's goes on a server; whoever dies of it, or of a message about a bug of ours (E999),
 * shows it. */
#ifndef MOONTILE_TESTS_FUZZ_LOWER_H
#define MOONTILE_TESTS_FUZZ_LOWER_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "core/device/jail.h"
#include "core/device/session.h"
#include "core/ir/verify.h"

enum { MaxInput = 1 << 16, MaxFiles = 500, Patience = SANITIZED ? 60 : 20 };

/* The input that is being looked at, for whoever dies of it. */
static char now_text[MaxInput + 1];
static size_t now_n;
static const char *now_target = "";

static void say_input(void)
{
    if (now_n && write(2, "\n-- ", 4) == 4 && write(2, now_target, strlen(now_target)) > 0 &&
        write(2, "\n", 1) == 1 && write(2, now_text, now_n) < 0)
        _exit(3);
}

static void die(const char *why)
{
    fprintf(stderr, "fuzz_lower: %s", why);
    say_input();
    _exit(1);
}

/* Ends it after so many seconds of the processor, whatever else the machine does; 0: not. */
static void patience(int seconds)
{
    struct itimerval t = {.it_value = {seconds, 0}};
    setitimer(ITIMER_VIRTUAL, &t, NULL);
}

static void on_alarm(int sig)
{
    (void)sig;
    static const char text[] = "fuzz_lower: it does not end";
    if (write(2, text, sizeof text - 1) > 0)
        say_input();
    _exit(1);
}

static void on_abort(int sig)
{
    (void)sig;
    say_input();
    _exit(1);
}

#if SANITIZED
void __sanitizer_set_death_callback(void (*f)(void));
#else
/* On a stack of its own: it may be the stack that is at its end. */
static void on_fault(int sig)
{
    static const char text[] = "fuzz_lower: it dies of a signal";
    (void)sig;
    if (write(2, text, sizeof text - 1) > 0)
        say_input();
    _exit(1);
}

static void watch_faults(void)
{
    static char room[1 << 16];
    stack_t on = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction a = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
    sigaltstack(&on, NULL);
    sigaction(SIGSEGV, &a, NULL);
    sigaction(SIGBUS, &a, NULL);
    sigaction(SIGFPE, &a, NULL);
}
#endif

/* What a server does with a stranger's text -------------------------------- */

static const char *const spec[] = {
    "cpu", "sim -arch=sm_75", "sim -arch=sm_80", "sim -arch=sm_90a", "cuda -arch=sm_80",
    "cuda -arch=sm_90a", "maca", "hip -arch=gfx942", "sim -arch=gfx1100",
};

static long built, refused;
static bool show; /* all messages */

static bool tells_bug(const Prog *p)
{
    for (const Diag *d = p->ctx.diags; d; d = d->next)
        if (d->err == E_bug)
            return true;
    return false;
}

/* A message about a bug of ours ends it. */
static void speak(const Prog *p)
{
    Str s = {0};
    for (const Diag *d = p->ctx.diags; d; d = d->next)
        diag_render(&s, &p->ctx, d, LANGen, false, NULL, NULL);
    if (show && s.s)
        printf("%s", s.s);
    if (tells_bug(p)) {
        fprintf(stderr, "%s", s.s ? s.s : "");
        die("a message about a bug");
    }
    str_free(&s);
}

static void try_one(const char *options)
{
    Artifact a = {0};
    const Target *t = target_find(options);
    Prog *p = t ? prog_parse(NULL, now_text, now_n, "ir") : NULL;
    if (!p)
        return;
    now_target = options;
    patience(Patience);
    bool ok = p->ctx.nerror == 0 && prog_verify(p, "text") &&
              prog_compile(p, t, options, false, &a);
    patience(0);
    built += ok;
    refused += !ok;
    if (!ok && p->ctx.nerror == 0)
        die("it failed without a message");
    speak(p);
    artifact_free(&a);
    prog_free(p);
}

static void try_text(const char *s, size_t n)
{
    memcpy(now_text, s, n);
    now_text[n] = '\0';
    now_n = n;
}

/* Chance and numbers ------------------------------------------------------------ */

static uint64_t state;

static uint32_t rnd(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

/* A number: of a tile's size, near a power of two, or anything. */
static int number(char out[24])
{
    static const int64_t edge[] = {
        0, 1, 2, 3, 7, 31, 33, 127, 1000, 4099, 65535, 65537, 1000003, 1163191520, 1413713306,
        INT32_MAX, INT32_MAX - 1, (int64_t)INT32_MAX + 1, INT32_MIN, UINT32_MAX,
        INT64_C(1) << 40, INT64_C(1) << 46, INT64_MAX, INT64_MAX - 1, INT64_MIN + 1, INT64_MIN, -1,
    };
    int64_t v = edge[rnd(COUNT(edge))];
    if (rnd(3) == 0)
        v = (int64_t)((UINT64_C(1) << rnd(63)) + (uint64_t)rnd(3) - 1);
    else if (rnd(3) == 0)
        v = (int64_t)rnd(UINT32_MAX) >> rnd(31);
    return snprintf(out, 24, "%lld", (long long)v);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fuzz_begin(const char *seconds, const char *seed, double *limit)
{
    signal(SIGVTALRM, on_alarm);
    signal(SIGABRT, on_abort);
#if SANITIZED
    __sanitizer_set_death_callback(say_input);
#else
    watch_faults();
#endif
    *limit = seconds ? atof(seconds) : 2;
    show = getenv("SHOW") != NULL;
    state = seed ? strtoull(seed, NULL, 0) * 2 + 1 : 88172645463325252u;
    for (int i = 0; i < 50; i++)
        rnd(2);
}

#endif
