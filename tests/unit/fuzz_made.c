/* IR that nobody writes, made from the grammar of the language alone: extents near 2^31 and 2^63, nests
 * of eight huge loops, names that are given twice or never, types and numbers of operands that do not
 * belong together, deep nesting, programs of threads with sizes that no block has.  Lowering each for
 * each target ends in time, in source or in messages about the text (fuzz_lower.h).
 *
 *     fuzz_made [SECONDS [SEED]]    2 seconds */
#include <stdarg.h>

#include "fuzz_lower.h"
#include "../../targets/targets.h"

enum { Depth = 5 };

typedef struct Made {
    char s[MaxInput];
    size_t n;
    uint32_t odd;   /* of 1000 choices, how many are hostile */
    int scope;      /* variables i0 .. that may be used */
    int depth, left;
    bool thread;    /* names single threads */
    bool lowered;   /* and is one of a machine */
} Made;

static bool odd(const Made *m) { return rnd(1000) < m->odd; }
static bool often(uint32_t percent) { return rnd(100) < percent; }

static void put(Made *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Made *m, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    int n = vsnprintf(m->s + m->n, sizeof m->s - m->n, format, ap);
    va_end(ap);
    if (n > 0 && m->n + (size_t)n < sizeof m->s)
        m->n += (size_t)n;
}

#define ANY(list) list[rnd((uint32_t)COUNT(list))]

static void any_number(Made *m)
{
    char t[24];
    number(t);
    put(m, "%s", t);
}

/* An extent. */
static void size(Made *m)
{
    static const int sizes[] = {1, 2, 3, 4, 8, 16, 16, 32, 32, 64, 64, 128, 100, 7};
    if (odd(m))
        any_number(m);
    else
        put(m, "%d", ANY(sizes));
}

/* Things by their first letters: A, B f16 and C f32 tensors, I of int32; s shared, f fragment, l local. */
static const struct { const char *name, *scope, *dt; int nd; } things[] = {
    {"A", "global", "float16", 2}, {"B", "global", "float16", 2}, {"C", "global", "float32", 2},
    {"I", "global", "int32", 1},   {"sa", "shared", "float16", 2}, {"sb", "shared", "float16", 2},
    {"sc", "shared", "float32", 2}, {"fc", "fragment", "float32", 2}, {"fr", "fragment", "float32", 1},
    {"fa", "fragment", "float16", 2}, {"lo", "local", "float32", 1}, {"v", "var", "int32", 1},
};

static const char *const dtypes[] = {
    "bool", "int4", "int8", "int16", "int32", "int64", "uint4", "uint8", "uint32", "uint64", "float16",
    "bfloat16", "float32", "float64", "float8_e4m3fn", "float8_e5m2", "tfloat32",
};

static void ex(Made *m, int depth);
static void real(Made *m, int depth);

static void variable(Made *m)
{
    if (odd(m))
        put(m, "%s", often(50) ? "nobody" : ANY(things).name);
    else if (m->scope && often(70))
        put(m, "i%u", rnd((uint32_t)m->scope));
    else
        put(m, "%s", often(40) ? "bx" : m->thread ? "tx" : often(50) ? "n" : "M");
}

static void indices(Made *m, int nd, int depth)
{
    if (odd(m))
        nd = (int)rnd(6);
    put(m, "[");
    for (int d = 0; d < nd; d++) {
        put(m, d ? ", " : "");
        ex(m, depth - 1);
    }
    put(m, "]");
}

/* An int32, mostly. */
static void ex(Made *m, int depth)
{
    static const char *const ops[] = {"+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"};
    static const char *const calls[] = {"min", "max", "truncdiv", "truncmod"};
    if (depth <= 0 || often(45)) {
        if (often(60))
            variable(m);
        else if (odd(m))
            any_number(m);
        else
            often(90) ? put(m, "%u", rnd(40)) : put(m, "%s", often(50) ? "2147483647" : "-2147483647");
        return;
    }
    switch (rnd(odd(m) ? 9 : 6)) {
    case 0: case 1: case 2:
        put(m, "(");
        ex(m, depth - 1);
        uint32_t op = rnd((uint32_t)COUNT(ops));
        put(m, " %s ", ops[op]);
        often(60) ? put(m, "%u", op > 7 ? rnd(9) : 1u << rnd(7)) : ex(m, depth - 1);
        put(m, ")");
        break;
    case 3:
        put(m, "%s(", ANY(calls));
        ex(m, depth - 1);
        put(m, ", ");
        ex(m, depth - 1);
        put(m, ")");
        break;
    case 4:
        put(m, "I");
        indices(m, 1, depth);
        break;
    case 5:
        put(m, "int32(%s(", ANY(dtypes));
        ex(m, depth - 1);
        put(m, "))");
        break;
    case 6: real(m, depth - 1); break;
    case 7:
        put(m, "%s(", ANY(dtypes));
        any_number(m);
        put(m, ")");
        break;
    default:
        put(m, "select(");
        ex(m, depth - 1);
        put(m, " < ");
        ex(m, depth - 1);
        put(m, ", ");
        ex(m, depth - 1);
        put(m, ", ");
        ex(m, depth - 1);
        put(m, ")");
    }
}

static void real(Made *m, int depth)
{
    static const char *const calls[] = {"exp", "sqrt", "tanh", "abs", "__exp", "erf", "floor", "shfl_xor", "warp_reduce_sum",
                                        "atan2", "ieee_add", "isnan", "clz", "ballot_sync", "syncthreads_count"};
    if (depth <= 0 || often(30)) {
        put(m, often(50) ? "1.5" : odd(m) ? "inf" : "0.25");
        return;
    }
    switch (rnd(4)) {
    case 0:
        put(m, "float32(C");
        indices(m, 2, depth);
        put(m, ")");
        break;
    case 1:
        put(m, "%s(", odd(m) ? ANY(calls) : calls[rnd(6)]);
        real(m, depth - 1);
        for (uint32_t k = odd(m) ? rnd(4) : 0; k; k--) {
            put(m, ", ");
            ex(m, 1);
        }
        put(m, ")");
        break;
    case 2:
        put(m, "(");
        real(m, depth - 1);
        put(m, often(50) ? " * " : " + ");
        real(m, depth - 1);
        put(m, ")");
        break;
    default:
        put(m, "float32(");
        ex(m, depth - 1);
        put(m, ")");
    }
}

/* Statements ------------------------------------------------------------------------ */

static void tab(Made *m) { put(m, "%*s", 2 * m->depth, ""); }

static void block(Made *m, int n);

/* A part of thing t: all of it, or a box. */
static void region(Made *m, uint32_t t, const char *rows, const char *cols)
{
    put(m, "%s", things[t].name);
    if (things[t].scope[0] != 'g' && often(60))
        return;
    put(m, "[");
    int nd = odd(m) ? (int)rnd(5) : things[t].nd;
    for (int d = 0; d < nd; d++) {
        put(m, d ? ", " : "");
        ex(m, 2);
        put(m, " :+ ");
        if (odd(m))
            often(50) ? any_number(m) : ex(m, 1);
        else
            put(m, "%s", d == 0 && things[t].nd == 2 ? rows : cols);
    }
    put(m, "]");
}

static void tile_op(Made *m)
{
    static const char *const reds[] = {"sum", "max", "min", "abssum", "absmax", "bitand", "bitxor"};
    static const uint32_t two[] = {0, 1, 2, 4, 5, 6, 7, 9};
    uint32_t a = odd(m) ? rnd(12) : ANY(two), b = odd(m) ? rnd(12) : ANY(two);
    tab(m);
    switch (rnd(9)) {
    case 0: case 1: case 2:
        put(m, "copy ");
        region(m, a, "32", "32");
        put(m, " -> ");
        region(m, b, "32", "32");
        break;
    case 3:
        put(m, "fill ");
        region(m, b, "32", "32");
        put(m, ", ");
        odd(m) ? real(m, 2) : put(m, "0");
        break;
    case 4: case 5:
        put(m, "gemm ");
        region(m, odd(m) ? a : 4, "32", "32");
        put(m, ", ");
        region(m, odd(m) ? b : 5, "32", "32");
        put(m, " -> ");
        region(m, odd(m) ? rnd((uint32_t)COUNT(things)) : 7, "32", "32");
        if (often(30))
            put(m, " transpose_B=1");
        if (odd(m))
            put(m, " policy=%d k_pack=%d clear_accum=%d", (int)rnd(9) - 3, (int)rnd(9) - 3, (int)rnd(3));
        break;
    case 6:
        put(m, "%s ", odd(m) ? "scan" : "reduce");
        region(m, odd(m) ? a : 7, "32", "32");
        put(m, " -> ");
        region(m, odd(m) ? b : 8, "32", "32");
        put(m, " kind=%s dim=%d", ANY(reds), odd(m) ? (int)rnd(12) - 4 : 1);
        if (often(50))
            put(m, " clear=1");
        break;
    case 7:
        put(m, "atomic ");
        region(m, odd(m) ? b : 2, "32", "32");
        put(m, " <- ");
        region(m, odd(m) ? a : 7, "32", "32");
        put(m, " kind=%s", ANY(reds));
        break;
    default:
        put(m, odd(m) ? "transpose " : "async_copy ");
        region(m, odd(m) ? a : 0, "32", "32");
        put(m, " -> ");
        region(m, odd(m) ? b : 4, "32", "32");
        put(m, "\n");
        tab(m);
        put(m, "cp_async_wait n=%d", odd(m) ? (int)rnd(99) - 9 : 0);
    }
    put(m, "\n");
}

/* Operations of threads, with attributes of any value. */
static void thread_op(Made *m)
{
    static const char *const ops[] = {
        "bar_sync id=%d count=%d", "bar_arrive id=%d count=%d", "cp_async_wait n=%d", "bulk_wait n=%d read=%d",
        "setmaxnreg n=%d inc=%d", "warp_sync", "fence_async", "fence_global", "cluster_arrive", "cluster_wait",
        "wgmma_fence", "wgmma_commit", "wgmma_wait n=%d", "bulk_commit", "mbar_fence", "cp_async_commit",
        "mbar_init bars[%d], %d", "mbar_arrive bars[%d], %d", "mbar_wait bars[%d], %d", "mbar_expect bars[%d], %d",
        "pipe_wait bars, %d", "pipe_acquire bars, %d", "call sync_threads(%d, %d)", "call sync_warp(%d)",
        "call sync_grid()", "cp_async_arrive bars[%d]", "mbar_arrive_expect bars[%d], %d",
        "ldmatrix sa[0, 0:+8] -> lo num=%d trans=%d", "stmatrix lo -> sa[0, 0:+8] num=%d trans=%d",
        "mma lo, lo -> lo \"mma.m16n8k16.f32.f16\"", "wgmma sa, sb -> lo, 1 n=%d a_swizzle=%d \"wgmma.m64k16.f32.f16\"",
        "tma_load A[0:+32, 0:+32] -> sa, bars[%d], %d swizzle=128", "tma_store sa -> A[0:+32, 0:+32] swizzle=%d eviction=%d",
        "bulk_load I[0:+32] -> sc, bars[%d], 0 bytes=%d", "cp_async A[tx, 0:+8] -> sa[tx, 0:+8], %d bytes=%d",
        "tma_copy A[0:+32, 0:+32] -> sa, bars[%d] eviction=%d", "tma_put sa -> A[0:+32, 0:+32] kind=%d",
    };
    const char *s = ANY(ops);
    tab(m);
    for (; *s; s++)
        if (s[0] == '%' && s[1] == 'd') {
            odd(m) ? any_number(m) : put(m, "%u", rnd(3));
            s++;
        } else {
            put(m, "%c", *s);
        }
    put(m, "\n");
}

static void loop(Made *m)
{
    static const char *const kinds[] = {"serial", "unroll", "vectorized", "parallel", "parallel", "pipelined", "persistent"};
    const char *kind = ANY(kinds);
    bool many = strcmp(kind, "parallel") == 0;
    int n = many ? 1 + (int)rnd(odd(m) ? 8 : 3) : 1 + odd(m), was = m->scope;
    tab(m);
    put(m, "for ");
    for (int i = 0; i < n; i++)
        put(m, i ? ", i%d" : "i%d", odd(m) ? 0 : was + i);
    put(m, " in %s(", kind);
    for (int i = 0; i < n; i++) {
        put(m, i ? ", " : "");
        if (often(15)) {
            ex(m, 1);
            put(m, " : ");
        }
        often(90) ? size(m) : ex(m, 2);
    }
    put(m, ")");
    if (strcmp(kind, "pipelined") == 0)
        put(m, " stages=%d", odd(m) ? (int)rnd(1000) - 100 : (int)rnd(4));
    if (odd(m)) {
        put(m, " step=");
        any_number(m);
    }
    put(m, " do\n");
    m->scope += n;
    m->depth++;
    block(m, 1 + (int)rnd(3));
    m->depth--;
    m->scope = was;
    tab(m);
    put(m, "end\n");
}

static void store(Made *m)
{
    static const uint32_t to[] = {2, 2, 3, 6, 7, 7, 8, 10, 11};
    uint32_t t = odd(m) ? rnd((uint32_t)COUNT(things)) : ANY(to);
    tab(m);
    if (often(15) && t < 7 && t != 4 && t != 5)
        put(m, "atomic %s ", often(50) ? "sum" : often(50) ? "max" : "store");
    bool atomic = m->s[m->n - 1] == ' ' && m->n > 2 && m->s[m->n - 2] != ' ' && m->s[m->n - 2] != '\n';
    put(m, "%s", things[t].name);
    indices(m, things[t].nd, 3);
    put(m, atomic ? ", " : " = ");
    put(m, "%s(", odd(m) ? ANY(dtypes) : things[t].dt);
    things[t].dt[0] == 'f' ? real(m, 3) : ex(m, 3);
    put(m, ")\n");
}

static void condition(Made *m, const char *word)
{
    tab(m);
    put(m, "%s ", word);
    ex(m, 2);
    put(m, often(50) ? " < " : " == ");
    ex(m, 1);
    put(m, word[0] == 'i' ? " then\n" : " do\n");
    m->depth++;
    block(m, 1 + (int)rnd(2));
    if (word[0] == 'w') {
        tab(m);
        put(m, "break\n");
    }
    m->depth--;
    if (word[0] == 'i' && often(25)) {
        tab(m);
        put(m, "else\n");
        m->depth++;
        block(m, 1);
        m->depth--;
    }
    tab(m);
    put(m, "end\n");
}

static void role(Made *m)
{
    tab(m);
    put(m, "role %u..%u do\n", 32 * rnd(4), 32 * rnd(8));
    m->depth++;
    block(m, 2);
    m->depth--;
    tab(m);
    put(m, "end\n");
}

static void other(Made *m)
{
    tab(m);
    switch (rnd(6)) {
    case 0: put(m, "let i%d = ", m->scope); ex(m, 3); put(m, "\n"); m->scope++; break;
    case 1: put(m, "assert "); ex(m, 2); put(m, " < "); ex(m, 1); put(m, ", \"so\"\n"); break;
    case 2: put(m, "assume "); ex(m, 2); put(m, " < "); ex(m, 1); put(m, "\n"); break;
    case 3: put(m, "printf "); ex(m, 2); put(m, "\n"); break;
    case 4: put(m, odd(m) ? "continue\n" : "warp_sync\n"); break;
    default: put(m, "print %s\n", ANY(things).name); break;
    }
}

static void block(Made *m, int n)
{
    int scope = m->scope;
    for (; n > 0 && m->left-- > 0; n--) {
        uint32_t k = m->depth > Depth && !odd(m) ? 0 : rnd(20);
        if (k < 6)
            store(m);
        else if (k < 10)
            loop(m);
        else if (k < 14)
            tile_op(m);
        else if (k < 16)
            condition(m, odd(m) ? "while" : "if");
        else if (k < 17)
            other(m);
        else if (m->thread || odd(m))
            often(85) ? thread_op(m) : role(m);
        else
            tile_op(m);
    }
    m->scope = scope;
}

/* An expression or a block of so many levels. */
static void deep(Made *m)
{
    int n = 1 + (int)rnd(often(50) ? 60 : 2000);
    bool loops = often(50);
    for (int i = 0; i < n; i++)
        loops ? put(m, "if bx < %d then\n", i) : put(m, i ? "(1 + " : "v[0] = (1 + ");
    put(m, loops ? "v[0] = 1\n" : "bx");
    for (int i = 0; i < n; i++)
        put(m, loops ? "end\n" : ")");
    put(m, "\n");
}

static void allocs(Made *m)
{
    for (size_t i = 4; i < COUNT(things); i++) {
        if (odd(m) || (m->lowered && things[i].scope[0] == 'f'))
            continue;
        put(m, "  alloc %s: %s %s[", odd(m) ? "sa" : things[i].name, odd(m) ? "pipe" : things[i].scope,
            odd(m) ? ANY(dtypes) : things[i].dt);
        int nd = odd(m) ? (int)rnd(10) : things[i].nd;
        for (int d = 0; d < nd; d++) {
            put(m, d ? ", " : "");
            if (odd(m))
                any_number(m);
            else
                put(m, "%d", things[i].scope[0] == 'v' ? 1 : 32);
        }
        put(m, "]");
        if (m->thread && often(30)) {
            put(m, " at=");
            any_number(m);
        }
        if (odd(m))
            put(m, " layout=\"%s\"", often(50) ? "swizzle 128" : "[32] lane(0/1:32*1) reg(0/32:2147483647*1)");
        put(m, "\n");
    }
    if (m->thread || odd(m))
        put(m, "  alloc bars: barrier uint64[%u]\n", 1 + rnd(300));
    if (often(20)) {
        odd(m) ? put(m, "  view w of %s: %s[", ANY(things).name, ANY(dtypes)) : put(m, "  view w of sa: int16[32, ");
        often(80) ? put(m, "32") : size(m);
        put(m, "]\n");
    }
}

static void head(Made *m)
{
    static const char *const machines_of[] = {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"};
    put(m, "kernel k(A, B, C, I, n)%s", odd(m) ? " -> C, C, nobody" : "");
    if (m->lowered)
        put(m, " machine %s", ANY(machines_of));
    put(m, "\n  dim M: int32 in %s\n", odd(m) ? "-5..9223372036854775807" : "1..4096");
    put(m, "  scalar n: %s\n", odd(m) ? ANY(dtypes) : "int32");
    for (int i = 0; i < 4; i++) {
        if (odd(m))
            continue;
        put(m, "  buffer %s: global %s[", things[i].name, odd(m) ? ANY(dtypes) : things[i].dt);
        for (int d = 0; d < things[i].nd; d++) {
            put(m, d ? ", " : "");
            odd(m) ? any_number(m) : put(m, often(20) ? "M" : "128");
        }
        put(m, "]");
        if (odd(m)) {
            put(m, " stride=[");
            any_number(m);
            put(m, ", 1]");
        }
        put(m, "\n");
    }
    bool two = often(15);
    put(m, two ? "  launch bx, by in M, " : "  launch bx in ");
    odd(m) ? any_number(m) : put(m, "4");
    put(m, " threads ");
    if (m->thread)
        put(m, "tx in ");
    odd(m) ? any_number(m) : put(m, "%u", 32u << rnd(4));
    if (odd(m)) {
        put(m, " cluster=[");
        any_number(m);
        put(m, ", 1, 1]");
    }
    if (m->thread && often(30)) {
        put(m, " shared=");
        any_number(m);
    }
    put(m, " do\n");
}

static void program(Made *m)
{
    static const uint32_t odds[] = {0, 0, 0, 2, 5, 10, 20, 60};
    *m = (Made){.odd = ANY(odds), .depth = 2, .left = 3 + (int)rnd(20), .thread = often(40)};
    m->lowered = m->thread && often(20);
    head(m);
    allocs(m);
    for (size_t i = 4; i < COUNT(things) && !m->lowered; i++)
        if (often(95))
            put(m, "    fill %s, 0\n", things[i].name);
    if (rnd(40) == 0)
        deep(m);
    block(m, 2 + (int)rnd(10));
    put(m, "  end\nend\n");
}

int main(int argc, char **argv)
{
    targets_init();
    static Made m;
    double limit, slowest = 0, start = now();
    long texts = 0;
    fuzz_begin(argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL, &limit);
    for (; now() - start < limit; texts++) {
        program(&m);
        try_text(m.s, m.n);
        double t = now();
        try_one(spec[rnd(COUNT(spec))]);
        t = now() - t;
        slowest = t > slowest ? t : slowest;
    }
    printf("%ld texts, %ld built, %ld refused, slowest %.0f ms\n", texts, built, refused, slowest * 1e3);
    return 0;
}
