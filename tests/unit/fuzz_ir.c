/* Fuzzing the IR reader: any bytes end in a program or in messages, nothing
 * else; what reads without errors verifies, prints, reads back to the same
 * text, and goes through the checks.  A thread program may break the rules of
 * its machine; then the verifier says so, and it prints and reads all the same.
 *
 *     fuzz_ir [SECONDS [SEED]]      3 seconds of mutations of tests/ir/?*.ir
 *
 * Built with -fsanitize=fuzzer -DLIBFUZZER it is a libFuzzer target. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/ir/ir.h"
#include "../../targets/targets.h"

enum { MaxInput = 1 << 16, MaxFiles = 500 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void die(const char *why, const char *text, size_t n)
{
    fprintf(stderr, "fuzz_ir: %s; the input:\n%.*s\n", why, (int)n, text);
    abort();
}

static void roundtrip(Prog *p, const char *text, size_t n)
{
    Str one = {0}, two = {0};
    if (!prog_verify(p, "text") && !p->machine)
        die("what was read does not verify", text, n);
    prog_print(p, &one);
    Prog *q = prog_parse(NULL, one.s, one.n, "ir");
    if (!q || q->ctx.nerror)
        die("the print does not read", one.s, one.n);
    prog_print(q, &two);
    if (one.n != two.n || memcmp(one.s, two.s, one.n) != 0) {
        fprintf(stderr, "%s\n---\n", two.s);
        die("the print reads back to another", one.s, one.n);
    }
    prog_free(q);
    prog_check(p);
    str_free(&one);
    str_free(&two);
}

static void speak(const Prog *p)
{
    Str s = {0};
    for (const Diag *d = p->ctx.diags; d; d = d->next) {
        diag_render(&s, &p->ctx, d, LANGen, false, NULL, NULL);
        diag_render(&s, &p->ctx, d, LANGzh, false, NULL, NULL);
    }
    str_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    Prog *p = prog_parse(NULL, (const char *)data, n, "ir");
    if (!p)
        return 0;
    if (p->ctx.nerror == 0)
        roundtrip(p, (const char *)data, n);
    speak(p);
    for (const Diag *d = p->ctx.diags; d; d = d->next)
        if (d->err == E_bug)
            die("a message about a bug", (const char *)data, n);
    prog_free(p);
    return 0;
}

#ifndef LIBFUZZER

static uint64_t state;

static uint32_t rnd(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

typedef struct Text Text;
struct Text { char *s; size_t n; };

static Text corpus[MaxFiles];
static int ncorpus;

static Text slurp(const char *path)
{
    Text t = {malloc(MaxInput), 0};
    FILE *f = fopen(path, "rb");
    if (f && t.s) {
        t.n = fread(t.s, 1, MaxInput, f);
        fclose(f);
    }
    return t;
}

static void load(const char *folder)
{
    char path[1024];
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d)) && ncorpus < MaxFiles;) {
        size_t n = strlen(e->d_name);
        if (n > 3 && strcmp(e->d_name + n - 3, ".ir") == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
            corpus[ncorpus++] = slurp(path);
        }
    }
    if (d)
        closedir(d);
}

/* Words of the language and values at its edges. */
static const char *const words[] = {
    "0", "1", "-1", "2147483647", "2147483648", "-2147483648", "9223372036854775807",
    "18446744073709551615", "1e400", "1e-400", "0.1", "nan", "-inf", "inf", "true", "(", ")", "[",
    "]", ",", "+", "-", "*", "/", "//", "%", "<", "<=", "==", "!=", "and ", "or ", "not ", "~",
    "<<", ">>", "&", "|", "^", ":", ":+", "->", "<-", "@", "@1:2:3", "$1", "def $1 = ", "min(",
    "max(", "select(", "truncdiv(", "truncmod(", "reinterpret(", "int4(", "int8(", "uint64(",
    "int64(", "bool(", "float16(", "float64(", "float8_e4m3fn(", "bfloat16(", "tfloat32(", "exp(",
    "pow(", "end\n", "else\n", "break\n", "continue\n", "launch b in 4 threads 1 do\n",
    "for i in parallel(8) do\n", "for i in serial(4:0) step=-1 do\n", "if i < 3 then\n",
    "while i < 3 do\n", "alloc s: shared float32[8]\n", "alloc v: var int32[1] = 3\n",
    "let t = 3\n", "view q of s: int32[8]\n", "fill s, 1.0\n", "copy s -> s\n", "dim N: int32\n",
    "\n", " ", "--", "'", "\"", "\\", "''", "'a b'.2", ".2", "\xff", "order=[0, 1]", "stage=[0, 0]",
    "stages=3", "kind=max", "dim=1", "clear=1",
    "machine sm_90a", "machine c500", "role 0..32 do\n", "barrier uint64[2]", "pipe uint64[2]",
    "mma ", "ldmatrix ", "wgmma ", "tma_load ", "cp_async ", "mbar_wait ", "bar_sync id=1 count=32\n",
    "num=4", "n=64", "bytes=16", "swizzle=128", "at=0", "shared=4096", "cluster=[2, 1, 1]",
    "map=\"[8,8] off(1/1:8*1 0/1:8*8)\"", "map=\"[64] lane(0/1:32*1) reg(0/32:2*1)\"",
    "\"mma.m16n8k16.f32.f16\"", "for v in vectorized(4) do\n", "for u in unroll(2) do\n",
};

static size_t span(const char *s, size_t n, size_t at, int stop)
{
    size_t i = at;
    while (i < n && s[i] != stop)
        i++;
    return i;
}

static size_t splice(char *s, size_t n, size_t at, size_t cut, const char *in, size_t len)
{
    if (at > n)
        at = n;
    if (cut > n - at)
        cut = n - at;
    if (n - cut + len > MaxInput)
        return n;
    memmove(s + at + len, s + at + cut, n - at - cut);
    memcpy(s + at, in, len);
    return n - cut + len;
}

/* A line of a text: where it begins; its length with the newline in *len. */
static size_t line(const Text *t, size_t *len)
{
    size_t at = t->n ? rnd((uint32_t)t->n) : 0;
    while (at > 0 && t->s[at - 1] != '\n')
        at--;
    size_t end = span(t->s, t->n, at, '\n');
    *len = end - at + (end < t->n);
    return at;
}

static bool inword(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t mutate(char *s, size_t n)
{
    static char keep[MaxInput];
    size_t at = n ? rnd((uint32_t)n) : 0, len, end;
    const char *w = words[rnd(COUNT(words))];
    const Text *other = &corpus[rnd((uint32_t)ncorpus)];
    Text t = {s, n};
    switch (rnd(9)) {
    case 0: /* a byte */
        if (n)
            s[at] = (char)rnd(256);
        return n;
    case 1:
        return splice(s, n, at, 0, w, strlen(w));
    case 2: case 3: /* a token by a word */
        while (at > 0 && inword(s[at - 1]))
            at--;
        for (end = at; end < n && inword(s[end]); end++)
            ;
        return splice(s, n, at, end - at + (end == at), w, strlen(w));
    case 4: /* without a line */
        at = line(&t, &len);
        return splice(s, n, at, len, "", 0);
    case 5: /* a line twice */
        at = line(&t, &len);
        memcpy(keep, s + at, len);
        return splice(s, n, at, 0, keep, len);
    case 6: { /* a line of another text */
        size_t from = line(other, &len);
        at = line(&t, &end);
        return splice(s, n, at, rnd(2) ? end : 0, other->s + from, len);
    }
    case 7: { /* a token of this text elsewhere */
        for (end = at; end < n && inword(s[end]); end++)
            ;
        len = end - at;
        memcpy(keep, s + at, len);
        size_t to = n ? rnd((uint32_t)n) : 0;
        return splice(s, n, to, rnd(3), keep, len);
    }
    default:
        return splice(s, n, at, rnd(8), "", 0);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    targets_init();
    double limit = argc > 1 ? atof(argv[1]) : 3, start = now(), slowest = 0;
    static char s[MaxInput];
    long runs = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) * 2 + 1 : 88172645463325252u;
    static const char *const folder[] = {
        "tests/ir", "tests/ir/check", "tests/ir/bad", "tests/ir/thread", "tests/ir/thread/bad",
        "../ir", "../ir/check", "../ir/bad", "../ir/thread", "../ir/thread/bad",
    };
    for (size_t i = 0; i < COUNT(folder); i++)
        load(folder[i]);
    if (ncorpus == 0) {
        fprintf(stderr, "fuzz_ir: no tests/ir/*.ir here\n");
        return 1;
    }
    for (int i = 0; i < ncorpus; i++)
        LLVMFuzzerTestOneInput((const uint8_t *)corpus[i].s, corpus[i].n);
    for (; now() - start < limit; runs++) {
        const Text *from = &corpus[rnd((uint32_t)ncorpus)];
        size_t n = from->n;
        memcpy(s, from->s, n);
        for (uint32_t k = rnd(4) + 1; k; k--)
            n = mutate(s, n);
        double t = now();
        LLVMFuzzerTestOneInput((const uint8_t *)s, n);
        t = now() - t;
        slowest = t > slowest ? t : slowest;
        if (t > 10)
            die("more than 10 seconds", s, n);
    }
    printf("%d texts, %ld mutations, slowest %.0f ms\n", ncorpus, runs, slowest * 1e3);
    for (int i = 0; i < ncorpus; i++)
        free(corpus[i].s);
    return 0;
}

#endif
