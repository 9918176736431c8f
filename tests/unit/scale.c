/* Compiling sixteen times the statements, to a target's text, takes at most twice sixteen
 * times the memory and the work.  Memory is what every table and every set of pending things
 * is made of; work is how often something is asked for, counted by what takes memory and by
 * the instructions of the process where the kernel counts them: neither depends on what the
 * machine is doing meanwhile.
 *
 *     scale                     all kinds on some targets
 *     scale KIND N [TARGET]     one, for a profiler: its bytes and instructions */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "core/device/session.h"
#include "../../targets/targets.h"
#include "times.h"

enum { Few = 16, Times = 16, Most = 32 };
static const bool one_target = TIMES(false, true); /* each kind goes to one target only */

typedef void Body(Str *s, int n);

static void loops(Str *s, int n)
{
    for (int i = 0; i < n; i++)
        str_fmt(s, "for i in parallel(128) do\n B[bx*128 + i] = A[bx*128 + i]*%d + B[bx*128 + i]\nend\n",
                i + 1);
}

static void copies(Str *s, int n)
{
    str_puts(s, "alloc S: shared float32[32, 32]\n");
    for (int i = 0; i < n; i++)
        str_fmt(s, "copy D[%d:+32, 0:+32] -> S\ncopy S -> E[%d:+32, 0:+32]\n", 32 * i, 32 * i);
}

static void fragments(Str *s, int n)
{
    for (int i = 0; i < n; i++)
        str_fmt(s, "alloc F%d: fragment float32[128]\ncopy A[bx*128:+128] -> F%d\n", i, i);
    for (int i = 0; i < n; i++)
        str_fmt(s, "copy F%d -> B[bx*128:+128]\n", i);
}

static void tiles(Str *s, int n)
{
    for (int i = 0; i < n; i++)
        str_fmt(s, "alloc S%d: shared float32[128]\nfor i in parallel(128) do\n S%d[i] = A[i]*%d\nend\n"
                   "for i in parallel(128) do\n B[bx*128 + i] = S%d[127 - i]\nend\n", i, i, i, i);
}

static void trips(Str *s, int n)
{
    str_puts(s, "alloc S: shared float32[128]\n");
    for (int i = 0; i < n; i++)
        str_fmt(s, "for i in parallel(128) do\n S[i] = A[i]*%d\nend\n"
                   "for i in parallel(128) do\n B[bx*128 + i] = S[127 - i]\nend\n", i);
}

/* Sums of tiles that a pipeline brings. */
static void pipelines(Str *s, int n)
{
    str_puts(s, "alloc S: shared float32[128]\nalloc F: fragment float32[128]\nfill F, 0.0\n");
    for (int i = 0; i < n; i++)
        str_fmt(s, "for k%d in pipelined(8) stages=2 do\n copy A[k%d*128:+128] -> S\n"
                   " for i in parallel(128) do\n  F[i] = F[i] + S[127 - i]\n end\nend\n", i, i);
    str_puts(s, "copy F -> B[bx*128:+128]\n");
}

static void products(Str *s, int n)
{
    str_puts(s, "alloc P: shared float16[64, 32]\nalloc Q: shared float16[32, 64]\n"
                "alloc C: fragment float32[64, 64]\nfill C, 0.0\n");
    for (int i = 0; i < n; i++)
        str_fmt(s, "for k%d in pipelined(8) stages=2 do\n copy H[bx*64:+64, k%d*32:+32] -> P\n"
                   " copy H[k%d*32:+32, 64:+64] -> Q\n gemm P, Q -> C\nend\n", i, i, i);
    str_puts(s, "copy C -> O[bx*64:+64, 0:+64]\n");
}

static void serial(Str *s, int n)
{
    str_puts(s, "alloc S: shared float32[128]\nalloc F: fragment float32[128]\nfill F, 0.0\n");
    for (int i = 0; i < n; i++)
        str_fmt(s, "for k%d in serial(8) do\n copy A[k%d*128:+128] -> S\n"
                   " for i in parallel(128) do\n  F[i] = F[i] + S[127 - i]\n end\nend\n", i, i);
    str_puts(s, "copy F -> B[bx*128:+128]\n");
}

static void reductions(Str *s, int n)
{
    str_puts(s, "alloc F: fragment float32[64, 32]\nalloc G: fragment float32[64]\n"
                "copy D[bx*64:+64, 0:+32] -> F\n");
    for (int i = 0; i < n; i++)
        str_puts(s, "reduce F -> G kind=sum dim=1 clear=1\n"
                    "for i, j in parallel(64, 32) do\n F[i, j] = F[i, j] - G[i]\nend\n");
    str_puts(s, "copy F -> E[bx*64:+64, 0:+32]\n");
}

/* Branches that all threads of a block take, around tiles that need barriers. */
static void branches(Str *s, int n)
{
    str_puts(s, "alloc S: shared float32[128]\ncopy A[0:+128] -> S\n");
    for (int i = 0; i < n; i++)
        str_fmt(s, "if bx > %d then\n for i in parallel(128) do\n  S[i] = S[i] + A[i]*%d\n end\nelse\n"
                   " for i in parallel(128) do\n  S[127 - i] = S[127 - i] - 1\n end\nend\n", i % 7, i);
    str_puts(s, "copy S -> B[bx*128:+128]\n");
}

/* Trips of a tile through memory, to its other end and to other halves. */
static void turns(Str *s, int n)
{
    str_puts(s, "alloc S: shared float32[128]\nalloc F: fragment float32[128]\ncopy A[bx*128:+128] -> F\n");
    for (int i = 0; i < 4 * n; i++)
        str_fmt(s, "for i in parallel(128) do\n S[%s] = F[i]\nend\n"
                   "for i in parallel(128) do\n F[i] = S[i] + %d\nend\n",
                i % 2 ? "i ^ 32" : "127 - i", i);
    str_puts(s, "copy F -> B[bx*128:+128]\n");
}

/* Of a tile that no write fills by itself. */
static void halves(Str *s, int n)
{
    str_puts(s, "alloc S: shared float32[128]\nalloc F: fragment float32[64]\ncopy A[bx*64:+64] -> F\n");
    for (int i = 0; i < 4 * n; i++)
        str_fmt(s, "for i in parallel(64) do\n S[%s] = F[i]\nend\n"
                   "for i in parallel(64) do\n F[i] = S[%s] + %d\nend\n",
                i % 2 ? "2*i" : "127 - 2*i", i % 2 ? "126 - 2*i" : "2*i + 1", i);
    str_puts(s, "copy F -> B[bx*64:+64]\n");
}

/* What some warps do, in shared and in global memory. */
static void ranges(Str *s, int n)
{
    str_puts(s, "alloc S: shared float32[128]\nfill S, 0.0\n");
    for (int i = 0; i < 4 * n; i++)
        str_fmt(s, "if tx < 64 then\n S[tx] = S[tx] + %d\nend\n"
                   "if tx >= 96 then\n B[bx*128 + tx] = B[bx*128 + tx] + %d\nend\n", i, i);
    str_puts(s, "copy S -> A[bx*128:+128]\n");
}

/* Many things that nobody reads, many that somebody does: sixteen a part, as one costs little. */
static void idle(Str *s, int n)
{
    for (int i = 0; i < 16 * n; i++)
        str_fmt(s, "alloc v%d: var int32[1] = 0\n", i);
    str_puts(s, "B[bx] = 1\n");
}

static void variables(Str *s, int n)
{
    for (int i = 0; i < 16 * n; i++)
        str_fmt(s, "alloc v%d: var int32[1] = 0\nv%d[0] = bx + %d\nlet l%d = v%d[0]\n", i, i, i, i, i);
    for (int i = 0; i < 16 * n; i++)
        str_fmt(s, "B[l%d %% 4096] = v%d[0]\n", i, i);
}

/* One expression, as deep as it is long. */
static void depth(Str *s, int n)
{
    str_puts(s, "for i in parallel(128) do\n def $1 = A[i] + 1\n");
    for (int i = 0; i < n; i++)
        str_fmt(s, " def $%d = $%d*B[i] + %d\n", i + 2, i + 1, i);
    str_fmt(s, " B[bx*128 + i] = $%d\nend\n", n + 1);
}

/* One integer sum: of new terms; of terms that come again, so that it is made anew each time. */
static void sum(Str *s, int n)
{
    str_puts(s, "def $1 = I[0]\n");
    for (int i = 1; i < 64 * n; i++)
        str_fmt(s, "def $%d = $%d + I[%d]\n", i + 1, i, i);
    str_fmt(s, "I[bx] = $%d\n", 64 * n);
}

static void again(Str *s, int n)
{
    str_puts(s, "def $1 = I[0]\n");
    for (int i = 1; i < 64 * n; i++)
        str_fmt(s, "def $%d = $%d + I[%d]*%d\n", i + 1, i, i % 1000, i);
    str_fmt(s, "I[bx] = $%d\n", 64 * n);
}

/* Work --------------------------------------------------------------------- */

static size_t taken;

static void *count(void *ud, void *p, size_t n)
{
    (void)ud;
    taken += n;
    return mem_libc.alloc(NULL, p, n);
}

/* Instructions of this process that are counted from now on; -1: nobody counts. */
static int counter(void)
{
#ifdef __linux__
    struct perf_event_attr a = {.type = PERF_TYPE_HARDWARE, .size = sizeof a,
                                .config = PERF_COUNT_HW_INSTRUCTIONS, .exclude_kernel = 1,
                                .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
#else
    return -1;
#endif
}

static uint64_t counted(int fd)
{
    uint64_t n = 0;
#ifdef __linux__
    if (fd >= 0) {
        if (read(fd, &n, sizeof n) != (ssize_t)sizeof n)
            n = 0;
        close(fd);
    }
#endif
    (void)fd;
    return n;
}

typedef struct Cost { size_t bytes; uint64_t work; } Cost;

/* What compiling the kernel of n parts to `target` takes; bytes 0: it fails. */
static Cost cost(Body *body, int n, const char *target)
{
    static const Mem mem = {count, NULL};
    Str s = {0};
    str_fmt(&s, "kernel k(A, B, D, E, H, O, I)\nbuffer A: global float32[4096]\nbuffer B: global float32[4096]\n"
                "buffer D: global float32[%d, 32]\nbuffer E: global float32[%d, 32]\n"
                "buffer H: global float16[2048, 256]\nbuffer O: global float32[2048, 64]\n"
                "buffer I: global int32[65536]\n"
                "launch bx in 32 threads tx in 128 do\n", 32 * n + 2048, 32 * n + 2048);
    body(&s, n);
    str_puts(&s, "end\nend\n");
    const Target *t = target_find(target);
    const char *options = strchr(target, ' ');
    Artifact out = {0};
    taken = 0;
    int fd = counter();
    Prog *p = s.bad ? NULL : prog_parse(&mem, s.s, s.n, "ir");
    bool ok = p && p->ctx.nerror == 0 && prog_compile(p, t, options ? options + 1 : "", false, &out);
    Cost k = {ok ? taken : 0, counted(fd)};
    for (const Diag *d = p && !ok ? p->ctx.diags : NULL; d; d = d->next)
        if (err_info(d->err)->level == Lerror)
            fprintf(stderr, "%s %s %u\n", err_info(d->err)->code, d->arg[0] ? d->arg[0] : "", d->loc.line);
    artifact_free(&out);
    str_free(&s);
    if (p)
        prog_free(p);
    return k;
}

static const struct { const char *name; Body *body; } kind[] = {
    {"loops", loops},         {"copies", copies},     {"fragments", fragments},
    {"tiles", tiles},         {"trips", trips},       {"pipelines", pipelines},
    {"products", products},   {"serial", serial},     {"reductions", reductions},
    {"branches", branches},   {"idle", idle},         {"variables", variables},
    {"depth", depth},         {"sum", sum},           {"again", again},
    {"turns", turns},         {"halves", halves},     {"ranges", ranges},
};

static int one(const char *name, int n, const char *target)
{
    for (size_t i = 0; i < COUNT(kind); i++) {
        if (strcmp(kind[i].name, name) != 0)
            continue;
        Cost k = cost(kind[i].body, n, target);
        printf("%s %d %s: %zu bytes, %llu instructions\n", name, n, target, k.bytes,
               (unsigned long long)k.work);
        return k.bytes == 0;
    }
    return 2;
}

/* Does 16 times as much take much more than 16 times as much? */
static bool worse(const char *name, const char *target, const char *of, uint64_t few, uint64_t many)
{
    if (many <= few * Most)
        return false;
    fprintf(stderr, "%s for %s: %llu %s for %d, %llu for %d\n", name, target,
            (unsigned long long)few, of, Few, (unsigned long long)many, Few * Times);
    return true;
}

int main(int argc, char **argv)
{
    targets_init();
    static const char *const target[] = {"cuda -arch=sm_80", "cuda -arch=sm_90a", "hip -arch=gfx942",
                                         "cpu"};
    int bad = 0;
    if (argc > 2)
        return one(argv[1], atoi(argv[2]), argc > 3 ? argv[3] : target[0]);
    for (size_t t = 0; t < COUNT(target); t++)
        for (size_t i = 0; i < COUNT(kind); i++) {
            if (one_target && i % COUNT(target) != t)
                continue;
            Cost few = cost(kind[i].body, Few, target[t]);
            Cost many = cost(kind[i].body, Few * Times, target[t]);
            bad += !few.bytes || !many.bytes ||
                   worse(kind[i].name, target[t], "bytes", few.bytes, many.bytes) ||
                   worse(kind[i].name, target[t], "instructions", few.work, many.work);
        }
    return bad != 0;
}
