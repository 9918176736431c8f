/* Fuzzing passes that run alone.  The text behind some pass, with its plans, gets other numbers, loses
 * lines or has some twice or in another order; then the next pass, or all that are left, run on it.
 * Whatever the text, they end in time, in a program or in messages about the text (fuzz_lower.h).
 *
 *     fuzz_pass [SECONDS [SEED]]    2 seconds of tests/lower/lib and tests/ir
 *     fuzz_pass WHICH FILE..        these texts, as they are, with the passes WHICH */
#include <dirent.h>

#include "fuzz_lower.h"
#include "core/base/disk.h"
#include "core/lower/lower.h"
#include "../../targets/targets.h"

static Str corpus[MaxFiles];
static int ncorpus;

static void load(const char *folder)
{
    char path[1024];
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d)) && ncorpus < MaxFiles;) {
        size_t n = strlen(e->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (n > 3 && strcmp(e->d_name + n - 3, ".ir") == 0 && !disk_read(path, &corpus[ncorpus]))
            ncorpus++;
    }
    if (d)
        closedir(d);
}

static const char *const machine[] = {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"};

/* The text behind a pass over program `from`, in now_text; its number, -1: it is refused. */
static int prepared(const Str *from, const Machine *m)
{
    char which[40];
    int n = 0, i;
    while (prog_pass(n))
        n++;
    i = (int)rnd((uint32_t)n);
    snprintf(which, sizeof which, "..%s", prog_pass(i));
    Prog *p = prog_parse(NULL, from->s, from->n, "ir");
    Str out = {0};
    bool ok = p && p->ctx.nerror == 0 && !p->machine && prog_verify(p, "text") && prog_check(p) &&
              prog_lower(p, m, which);
    if (ok)
        prog_print(p, &out);
    if (p)
        prog_free(p);
    ok = ok && out.n < MaxInput;
    if (ok)
        try_text(out.s, out.n);
    str_free(&out);
    return ok ? i : -1;
}

/* Line number k of now_text: where it begins, and how long it is. */
static size_t line(uint32_t k, size_t *n)
{
    size_t at = 0;
    while (k-- && at < now_n)
        at = (size_t)(strchr(now_text + at, '\n') - now_text) + 1;
    const char *end = strchr(now_text + at, '\n');
    *n = end ? (size_t)(end - now_text) + 1 - at : now_n - at;
    return at;
}

static void splice(size_t at, size_t cut, const char *in, size_t len)
{
    if (now_n - cut + len > MaxInput)
        return;
    memmove(now_text + at + len, now_text + at + cut, now_n - at - cut + 1);
    memcpy(now_text + at, in, len);
    now_n += len - cut;
}

/* One line goes, comes again elsewhere, or gets another number. */
static void mutate(void)
{
    uint32_t lines = 0;
    char copy[4096];
    size_t n, k;
    for (const char *s = now_text; (s = strchr(s, '\n')); s++)
        lines++;
    if (lines < 3)
        return;
    uint32_t which = 1 + rnd(lines - 2);
    size_t at = line(which, &n);
    bool plan = n < sizeof copy && memmem(now_text + at, n, "plan ", 5);
    switch (rnd(plan ? 8 : 12)) {
    case 0:
        splice(at, n, "", 0);
        break;
    case 1:
        if (n >= sizeof copy)
            break;
        memcpy(copy, now_text + at, n);
        splice(line(1 + rnd(lines - 2), &k), 0, copy, n);
        break;
    case 2: { /* away with a word */
        size_t from = at + rnd((uint32_t)n), len = strcspn(now_text + from, " \n");
        splice(from, len, "", 0);
        break;
    }
    default: { /* a number */
        char text[24];
        size_t digits = 0, from = at + rnd((uint32_t)n);
        from += strcspn(now_text + from, "0123456789\n");
        while (now_text[from + digits] >= '0' && now_text[from + digits] <= '9')
            digits++;
        int len = rnd(2) ? number(text) : snprintf(text, sizeof text, "%u", rnd(130));
        if (digits)
            splice(from, digits, text, (size_t)len);
    }
    }
}

static void run(const Machine *m, const char *which)
{
    now_target = which;
    Prog *p = prog_parse(NULL, now_text, now_n, "ir");
    if (!p)
        return;
    patience(Patience);
    bool ok = p->ctx.nerror == 0 && prog_verify(p, "text") && p->between.after &&
              prog_lower(p, m ? m : machine_find(p->between.machine), which);
    if (ok && p->machine)
        prog_verify(p, "text");
    patience(0);
    built += ok;
    refused += !ok;
    if (!ok && p->ctx.nerror == 0 && p->between.after)
        die("it failed without a message");
    speak(p);
    prog_free(p);
}

static int files(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        Str t = {0};
        if (disk_read(argv[i], &t) || t.n > MaxInput)
            return 1;
        try_text(t.s, t.n);
        run(NULL, argv[1]);
        str_free(&t);
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const folder[] = {
        "tests/ir", "tests/ir/check", "tests/lower/lib", "tests/lower/lib/steps", "tests/lower/lib/solve",
        "../ir", "../ir/check", "../lower/lib", "../lower/lib/steps", "../lower/lib/solve",
    };
    double limit;
    targets_init();
    bool given = argc > 2 && !(argv[1][0] >= '0' && argv[1][0] <= '9');
    fuzz_begin(argc > 1 && !given ? argv[1] : NULL, argc > 2 && !given ? argv[2] : NULL, &limit);
    if (given)
        return files(argc, argv);
    for (size_t i = 0; i < COUNT(folder); i++)
        load(folder[i]);
    double start = now();
    while (ncorpus && now() - start < limit) {
        const Machine *m = machine_find(machine[rnd(COUNT(machine))]);
        int after = prepared(&corpus[rnd((uint32_t)ncorpus)], m);
        if (after < 0)
            continue;
        static char text[MaxInput + 1];
        size_t n = now_n;
        memcpy(text, now_text, n + 1);
        for (int again = 0; again < 20; again++) {
            char which[40];
            try_text(text, n);
            for (uint32_t k = rnd(3) + 1; k; k--)
                mutate();
            const char *next = prog_pass(after + 1);
            snprintf(which, sizeof which, next && rnd(2) ? "=%s" : "..", next);
            run(m, which);
            if (rnd(20) == 0) /* no target takes it */
                try_one(spec[rnd(COUNT(spec))]);
        }
    }
    printf("%d programs, %ld went on, %ld refused\n", ncorpus, built, refused);
    for (int i = 0; i < ncorpus; i++)
        str_free(&corpus[i]);
    return ncorpus == 0;
}
