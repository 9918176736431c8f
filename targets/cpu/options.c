/* targets/cpu/options.c: the words after "cpu".
 *
 * -twin and -twin=BYTES are for tests and not listed: tensors then get twins, as on
 * a device with memory of its own, of BYTES in all. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { MaxThreads = 4096 };

static bool word_is(const char *s, size_t n, const char *name)
{
    return n == strlen(name) && memcmp(s, name, n) == 0;
}

/* What stands behind `name` in the word s[0 .. n); NULL: another word. */
static const char *value_of(const char *s, size_t n, const char *name)
{
    size_t k = strlen(name);
    return n >= k && memcmp(s, name, k) == 0 ? s + k : NULL;
}

/* A decimal number in s[0 .. n) from 1 to MaxThreads, or 0. */
static int number(const char *s, size_t n)
{
    int v = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9' || v > MaxThreads)
            return 0;
        v = v * 10 + (s[i] - '0');
    }
    return v <= MaxThreads ? v : 0;
}

char *cpu_options(const char *text, CpuOptions *o)
{
    static const char threads[] = "-threads=";
    const size_t nt = sizeof threads - 1;
    *o = (CpuOptions){0};
    for (const char *s = text ? text : ""; *s;) {
        size_t n = strcspn(s, " \t");
        if (n && !word_is(s, n, "cpu")) {
            if (n >= nt && memcmp(s, threads, nt) == 0) {
                o->threads = number(s + nt, n - nt);
                if (!o->threads)
                    return dev_error("@target_value" DEV_SEP "%.*s" DEV_SEP "1 .. %d",
                                     (int)(n < 64 ? n : 64), s, MaxThreads);
            } else if (word_is(s, n, "-twin")) {
                o->twin = SIZE_MAX;
            } else if (value_of(s, n, "-twin=")) {
                o->twin = strtoull(value_of(s, n, "-twin="), NULL, 10);
            } else if (word_is(s, n, "-fast_math")) {
                o->fast_math = true;
            } else if (word_is(s, n, "-quick")) {
                o->quick = true;
            } else {
                return dev_error("@target_option" DEV_SEP "%.*s" DEV_SEP
                                 "-threads=N, -fast_math, -quick", (int)(n < 64 ? n : 64), s);
            }
        }
        s += n + strspn(s + n, " \t");
    }
    return NULL;
}

bool cpu_apart(const char *text)
{
    CpuOptions o;
    char *err = cpu_options(text, &o);
    free(err);
    return !err && o.twin > 0;
}
