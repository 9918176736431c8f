/* Fuzzing the way from IR text to a device's source with numbers at the edges of what a number
 * can be: extents, strides, offsets and bounds as nobody writes them and anybody may send them to
 * a server.  Whatever the text, lowering ends in time, in source or in messages about the text: no
 * overflow (under make SAN=1 each is fatal), no access beyond a table, no bug of ours (E999).
 *
 *     fuzz_lower [SECONDS [SEED]]   2 seconds of tests/lower/lib and tests/ir
 *     fuzz_lower FILE..             these, for every target */
#include <dirent.h>

#include "fuzz_lower.h"
#include "../../targets/targets.h"

/* Texts --------------------------------------------------------------------- */

typedef struct Text Text;
struct Text { char *s; size_t n; };

static Text corpus[MaxFiles];
static int ncorpus;

static Text slurp(const char *path)
{
    Text t = {malloc(MaxInput), 0};
    FILE *f = fopen(path, "rb");
    if (f && t.s)
        t.n = fread(t.s, 1, MaxInput, f);
    if (f)
        fclose(f);
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

static bool mode(char c) { return c >= '0' && c <= '9'; }
static bool inword(char c) { return mode(c) || (c | 32) == '_' || ((c | 32) >= 'a' && (c | 32) <= 'z'); }

/* Where a number of s begins; n: there is none. */
static size_t some_number(const char *s, size_t n)
{
    size_t best = n, seen = 0;
    for (size_t i = 0; i < n; i++) {
        if (!mode(s[i]) || (i && (inword(s[i - 1]) || s[i - 1] == '.')))
            continue;
        if (rnd((uint32_t)++seen) == 0)
            best = i;
    }
    return best;
}

static size_t replace(char *s, size_t n, size_t at, size_t cut, const char *in, size_t len)
{
    if (n - cut + len > MaxInput)
        return n;
    memmove(s + at + len, s + at + cut, n - at - cut);
    memcpy(s + at, in, len);
    return n - cut + len;
}

/* One number of s becomes another; every one that is like it, now and then. */
static size_t mutate(char *s, size_t n)
{
    char was[24] = "", now[24];
    size_t at = some_number(s, n), cut = 0;
    if (at == n)
        return n;
    while (at + cut < n && mode(s[at + cut]) && cut < sizeof was - 1) {
        was[cut] = s[at + cut];
        cut++;
    }
    size_t len = (size_t)number(now);
    if (rnd(2))
        return replace(s, n, at, cut, now, len);
    for (size_t i = 0; i + cut <= n; i++)
        if (memcmp(s + i, was, cut) == 0 && (!i || !inword(s[i - 1])) &&
            (i + cut == n || !inword(s[i + cut]))) {
            n = replace(s, n, i, cut, now, len);
            i += len;
        }
    return n;
}

/* Tiles, regions, loops and stages that are too large are refused by name. */
static void large(void)
{
    static const char *const body[] = {
        "for i in parallel(1163191520) do\n A[i] = A[i] + 1\n end\n",
        "for i, j in parallel(65536, 65536) do\n A[i + j] = 0.0\n end\n",
        "alloc s: shared float32[8192, 16384]\n fill s, 1.0\n",
        "alloc r: fragment int8[16, 1413713306]\n alloc q: fragment int8[16]\n"
        "reduce r -> q kind=sum dim=1 clear=1\n",
        "alloc s: shared float32[64]\n for k in pipelined(8) stages=100000 do\n"
        "copy A[k*64 :+ 64] -> s\n end\n",
        "for k in serial(-9223372036854775807 : 9223372036854775807) do\n A[0] = 1.0\n end\n",
    };
    char text[512];
    for (size_t i = 0; i < COUNT(body); i++) {
        int n = snprintf(text, sizeof text, "kernel k(A)\nbuffer A: global float32[4096]\n"
                         "launch bx in 1 threads 128 do\n%send\nend\n", body[i]);
        try_text(text, (size_t)n);
        for (size_t k = 1; k < COUNT(spec); k++)
            try_one(spec[k]);
        if (built)
            die("what is too large was built");
    }
    refused = 0;
}

static int files(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        Text t = slurp(argv[i]);
        try_text(t.s, t.n);
        for (size_t k = 0; k < COUNT(spec); k++)
            try_one(spec[k]);
        free(t.s);
    }
    return 0;
}

int main(int argc, char **argv)
{
    targets_init();
    static const char *const folder[] = {
        "tests/ir", "tests/ir/check", "tests/lower/lib", "tests/lower/lib/solve",
        "../ir", "../ir/check", "../lower/lib", "../lower/lib/solve",
    };
    static char s[MaxInput];
    double limit, slowest = 0;
    fuzz_begin(argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL, &limit);
    if (argc > 1 && !mode(argv[1][0]))
        return files(argc, argv);
    double start = now();
    large();
    for (size_t i = 0; i < COUNT(folder); i++)
        load(folder[i]);
    if (ncorpus == 0) {
        fprintf(stderr, "fuzz_lower: no tests/lower/lib/*.ir here\n");
        return 1;
    }
    while (now() - start < limit) {
        const Text *from = &corpus[rnd((uint32_t)ncorpus)];
        size_t n = from->n;
        memcpy(s, from->s, n);
        for (uint32_t k = rnd(4) + 1; k; k--)
            n = mutate(s, n);
        try_text(s, n);
        double t = now();
        try_one(spec[rnd(COUNT(spec))]);
        t = now() - t;
        slowest = t > slowest ? t : slowest;
    }
    printf("%d texts, %ld built, %ld refused, slowest %.0f ms\n", ncorpus, built, refused,
           slowest * 1e3);
    for (int i = 0; i < ncorpus; i++)
        free(corpus[i].s);
    return 0;
}
