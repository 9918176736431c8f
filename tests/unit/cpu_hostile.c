/* Kernels made to leave their tensors: indices, bounds, steps and shapes of
 * extreme numbers, facts that a store ends, arithmetic that wraps.  Each tensor
 * lies directly before a page that nobody may touch, or behind one; what is left
 * in it is compared with the interpreter of tests/cpu where order cannot matter.
 *
 *     cpu_hostile [KERNELS [SEED [FIRST]]]     128 kernels of seed 1
 *
 * 64 kernels are the launches of one program, which is compiled once and run for
 * many sets of numbers and sizes.  FIRST skips programs: a report names it.  The
 * time goes into the C compiler, so most programs are compiled without optimising,
 * to trap on what C leaves undefined: that finds what an optimiser would make use
 * of.  Every sixteenth (the first of the short run among them) is compiled as kernels
 * are.  With KEEP in the environment the printed C stays in hostile.c.  Built with
 * sanitizers, the C is compiled with them too. */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "../../targets/cpu/run.h"
#include "../cpu/oracle.c"

enum { Launches = 64, Sets = 16, Fast = 16, MaxArgs = 32, MaxScope = 24, Steps = 20000 };

static const int64_t Largest = (int64_t)1 << 28; /* bytes of a tensor */

/* Chance ---------------------------------------------------------------------- */

static uint64_t seed;

static uint32_t draw(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint32_t x = (uint32_t)(seed >> 33);
    return n ? x % n : x;
}

static bool chance(uint32_t percent) { return draw(100) < percent; }

#define PICK(list) list[draw((uint32_t)COUNT(list))]

/* Text --------------------------------------------------------------------------- */

typedef struct Writer {
    Str out;
    char scope[MaxScope][8]; /* variables that may be used */
    int nscope, nname, depth, budget;
    bool compare;  /* order does not matter to the result */
    bool counting; /* inside of a loop that w[0] ends */
} Writer;

static const char *const numbers[] = {
    "0", "1", "2", "3", "4", "7", "8", "15", "16", "17", "-1", "-2", "-5", "40", "2147483647",
    "-2147483647", "1073741824", "65536", "268435456", "900000000", "46341", "2147483632", "715827883",
};
static const char *const wide_numbers[] = {
    "9223372036854775807", "-9223372036854775807", "4294967296", "4294967295", "2147483648",
    "-2147483649", "6148914691236517206", "1099511627776",
};

static void expr(Writer *w, int depth);
static void wide(Writer *w, int depth);

static void condition(Writer *w, int depth)
{
    static const char *const ops[] = {"<", "<=", "<", ">=", "==", "!="};
    static const char *const ends[] = {"0", "3", "4", "16", "N", "M", "8", "33", "2147483647"};
    Str *o = &w->out;
    if (depth > 0 && chance(35)) {
        str_puts(o, chance(15) ? "(not (" : "((");
        condition(w, depth - 1);
        str_puts(o, chance(75) ? ") and (" : ") or (");
        condition(w, depth - 1);
        str_puts(o, "))");
        return;
    }
    if (chance(25)) {
        str_fmt(o, "(%s <= ", PICK(ends));
        expr(w, depth);
        str_puts(o, ")");
        return;
    }
    str_puts(o, "(");
    chance(15) ? wide(w, depth) : expr(w, depth);
    str_fmt(o, " %s ", PICK(ops));
    if (chance(70))
        str_puts(o, PICK(ends));
    else
        expr(w, depth - 1);
    str_puts(o, ")");
}

static void element(Writer *w, const char *name, int dims, int depth)
{
    str_fmt(&w->out, "%s[", name);
    for (int d = 0; d < dims; d++) {
        str_puts(&w->out, d ? ", " : "");
        chance(20) ? wide(w, depth - 1) : expr(w, depth - 1);
    }
    str_puts(&w->out, "]");
}

static void leaf(Writer *w, int depth)
{
    Str *o = &w->out;
    switch (draw(depth > 0 ? 22 : 12)) {
    case 0: case 1: case 2: case 3:
        if (w->nscope) {
            str_puts(o, w->scope[draw((uint32_t)w->nscope)]);
            break;
        } /* fallthrough */
    case 4: str_puts(o, PICK(numbers)); break;
    case 5: str_puts(o, "bx"); break;
    case 6: str_puts(o, chance(50) ? "N" : "M"); break;
    case 7: str_puts(o, "K"); break;
    case 8: str_puts(o, "t"); break;
    case 9: str_puts(o, chance(50) ? "int32(s)" : "int32(u)"); break;
    case 10: str_puts(o, "v[0]"); break;
    case 11: str_puts(o, chance(50) ? "int32(b)" : "int32(f)"); break;
    case 12: case 13: element(w, "I", 1, depth); break;
    case 14: element(w, "A", 1, depth); break;
    case 15: str_puts(o, "int32("); element(w, "J", 1, depth); str_puts(o, ")"); break;
    case 16: str_puts(o, "int32("); element(w, "U", 1, depth); str_puts(o, ")"); break;
    case 17: str_puts(o, "int32("); element(w, "P", 1, depth); str_puts(o, ")"); break;
    case 18: str_puts(o, "int32("); element(w, "E", 1, depth); str_puts(o, ")"); break;
    case 19: str_fmt(o, "T[%u]", draw(8)); break;
    case 20: str_puts(o, "T[("); expr(w, depth - 1); str_puts(o, ") & 7]"); break;
    default: str_puts(o, "int32("); element(w, "Q", 1, depth); str_puts(o, ")"); break;
    }
}

/* An int32. */
static void expr(Writer *w, int depth)
{
    static const char *const ops[] = {"+", "+", "+", "-", "-", "*", "*", "&", "|", "^"};
    static const char *const by[] = {"2", "3", "4", "8", "16", "7", "268435456", "65536"};
    static const char *const narrow[] = {"int8", "uint8", "int16", "uint16", "uint32", "int64", "float32"};
    Str *o = &w->out;
    if (depth <= 0 || chance(30)) {
        leaf(w, depth);
        return;
    }
    switch (draw(12)) {
    case 0: case 1: case 2: case 3: case 4:
        str_puts(o, "(");
        expr(w, depth - 1);
        str_fmt(o, " %s ", PICK(ops));
        expr(w, depth - 1);
        str_puts(o, ")");
        break;
    case 5: case 6: {
        static const char *const div[] = {"//", "%", "//", "%", ">>", "<<"};
        const char *op = PICK(div);
        str_puts(o, "(");
        expr(w, depth - 1);
        str_fmt(o, " %s ", op);
        if (op[0] == '<' || op[0] == '>')
            str_fmt(o, "%u", draw(31));
        else if (chance(80))
            str_puts(o, PICK(by));
        else
            expr(w, 0);
        str_puts(o, ")");
        break;
    }
    case 7:
        str_fmt(o, "%s(", chance(50) ? "min" : "max");
        expr(w, depth - 1);
        str_puts(o, ", ");
        expr(w, depth - 1);
        str_puts(o, ")");
        break;
    case 8:
        str_puts(o, "select(");
        condition(w, depth - 1);
        str_puts(o, ", ");
        expr(w, depth - 1);
        str_puts(o, ", ");
        expr(w, depth - 1);
        str_puts(o, ")");
        break;
    case 9:
        str_fmt(o, "int32(%s(", PICK(narrow));
        expr(w, depth - 1);
        str_puts(o, "))");
        break;
    case 10:
        str_puts(o, "int32(");
        wide(w, depth - 1);
        str_puts(o, ")");
        break;
    default:
        str_fmt(o, "%s(", chance(50) ? "truncdiv" : "truncmod");
        expr(w, depth - 1);
        str_puts(o, ", ");
        expr(w, 0);
        str_puts(o, ")");
        break;
    }
}

/* An int64. */
static void wide(Writer *w, int depth)
{
    Str *o = &w->out;
    if (depth <= 0 || chance(40)) {
        if (chance(35))
            str_puts(o, "s");
        else if (chance(30))
            str_fmt(o, "int64(%s)", PICK(wide_numbers));
        else if (chance(20))
            element(w, "J", 1, depth);
        else {
            str_puts(o, "int64(");
            expr(w, depth - 1);
            str_puts(o, ")");
        }
        return;
    }
    str_puts(o, "(");
    wide(w, depth - 1);
    str_fmt(o, " %s ", chance(60) ? "+" : chance(50) ? "-" : "*");
    wide(w, depth - 1);
    str_puts(o, ")");
}

/* Statements ----------------------------------------------------------------------- */

static void indent(Writer *w) { str_fmt(&w->out, "%*s", 2 * w->depth, ""); }

static void block(Writer *w, int n);

static const struct { const char *name; int dims; const char *cast; } written[] = {
    {"A", 1, "int32"}, {"A", 1, "int32"}, {"B", 2, "int32"}, {"C", 2, "float32"}, {"D", 1, "float16"},
    {"E", 1, "int8"}, {"F", 1, "int64"}, {"Q", 1, "int4"}, {"W", 2, "int32"}, {"Z", 1, "int32"},
    {"T", 1, "int32"}, {"S", 2, "float16"}, {"X", 1, "int4"}, {"V", 1, "int32"},
};

static void assign(Writer *w)
{
    uint32_t k = draw((uint32_t)COUNT(written));
    indent(w);
    element(w, written[k].name, written[k].dims, 3);
    str_fmt(&w->out, " = %s(", written[k].cast);
    expr(w, 2);
    str_puts(&w->out, ")\n");
}

static void end_rounds(Writer *w)
{
    indent(w);
    str_puts(&w->out, "w[0] = w[0] + 1\n");
    indent(w);
    str_puts(&w->out, "if w[0] > 60 then\n");
    indent(w);
    str_puts(&w->out, "  break\n");
    indent(w);
    str_puts(&w->out, "end\n");
}

/* An extent: mostly small, so that the loop can end by itself. */
static bool small_extent(Writer *w)
{
    static const char *const some[] = {"4", "8", "16", "3", "N", "M", "(N - 20)", "33", "1", "(M * 2)"};
    str_puts(&w->out, PICK(some));
    return true;
}

static void loop_of(Writer *w)
{
    static const char *const kinds[] = {"serial", "serial", "serial", "unroll", "parallel", "parallel",
                                        "vectorized"};
    const char *kind = PICK(kinds);
    Str *o = &w->out;
    bool serial = strcmp(kind, "serial") == 0, ends = true, two = !serial && kind[0] == 'p' && chance(50);
    int scope = w->nscope;
    if (w->nscope + 2 > MaxScope)
        return;
    indent(w);
    str_fmt(o, "for ");
    for (int i = 0; i <= two; i++) {
        snprintf(w->scope[w->nscope + i], sizeof w->scope[0], "i%d", w->nname++);
        str_fmt(o, i ? ", %s" : "%s", w->scope[w->nscope + i]);
    }
    str_fmt(o, " in %s(", kind);
    if (serial && chance(60)) {
        int how = (int)draw(4);
        ends = false;
        how == 0 ? wide(w, 2) : expr(w, 2);
        str_puts(o, " : ");
        if (how == 1)
            str_puts(o, "16");
        else
            how == 0 ? wide(w, 2) : expr(w, 2);
    } else if (strcmp(kind, "unroll") == 0) {
        str_fmt(o, "%u", draw(6) + 1);
    } else {
        small_extent(w);
        if (two) {
            str_puts(o, ", ");
            small_extent(w);
        }
    }
    str_puts(o, ")");
    if (serial && chance(50)) {
        static const char *const steps[] = {"2", "3", "-1", "-4", "s", "u", "t", "1073741824", "I[2]", "b"};
        str_fmt(o, " step=%s", PICK(steps));
        ends = false;
    }
    str_puts(o, " do\n");
    w->nscope += 1 + two;
    w->depth++;
    bool was = w->counting;
    if (!ends)
        end_rounds(w);
    if (kind[0] == 'p' || kind[0] == 'v') {
        w->compare = false;
        for (int n = 1 + (int)draw(2); n; n--)
            assign(w);
    } else {
        block(w, 1 + (int)draw(3));
    }
    w->counting = was;
    w->depth--;
    w->nscope = scope;
    indent(w);
    str_puts(o, "end\n");
}

static void branch(Writer *w)
{
    indent(w);
    str_puts(&w->out, "if ");
    condition(w, 2);
    str_puts(&w->out, " then\n");
    w->depth++;
    block(w, 1 + (int)draw(3));
    w->depth--;
    if (chance(30)) {
        indent(w);
        str_puts(&w->out, "else\n");
        w->depth++;
        block(w, 1);
        w->depth--;
    }
    indent(w);
    str_puts(&w->out, "end\n");
}

/* A number is found to be an index of `to`, changes (or not), and is used. */
static void stale(Writer *w)
{
    static const char *const cells[] = {"v[0]", "A[0]", "T[1]", "A[bx]", "V[2]", "int32(E[3])"};
    static const char *const stores[] = {"v[0] = ", "A[0] = ", "T[1] = ", "A[bx] = ", "V[2] = ", "E[3] = int8("};
    uint32_t k = draw((uint32_t)COUNT(cells));
    Str *o = &w->out;
    indent(w);
    str_fmt(o, "if %s < %u then\n", cells[k], 1 + draw(16));
    indent(w);
    str_fmt(o, "  if 0 <= %s then\n", cells[k]);
    w->depth += 2;
    if (chance(70)) {
        indent(w);
        str_puts(o, stores[k]);
        expr(w, 2);
        str_puts(o, stores[k][0] == 'E' ? ")\n" : "\n");
    } else {
        block(w, 1);
    }
    indent(w);
    uint32_t to = draw(3);
    str_fmt(o, to == 0 ? "A[%s] = 7\n" : to == 1 ? "B[%s, 1] = 7\n" : "D[%s] = 1.0\n", cells[k]);
    w->depth -= 2;
    indent(w);
    str_puts(o, "  end\n");
    indent(w);
    str_puts(o, "end\n");
}

static void tile_op(Writer *w)
{
    Str *o = &w->out;
    indent(w);
    switch (draw(9)) {
    case 0: str_puts(o, "fill A["); expr(w, 2); str_puts(o, " :+ 8], 3\n"); break;
    case 1: str_puts(o, "fill C["); expr(w, 2); str_puts(o, " :+ 3, "); expr(w, 1); str_puts(o, " :+ N], 1.0\n"); break;
    case 2: str_puts(o, "copy T -> A["); chance(40) ? wide(w, 2) : expr(w, 2); str_puts(o, " :+ 8]\n"); break;
    case 3: str_puts(o, "copy A["); chance(40) ? wide(w, 2) : expr(w, 2); str_puts(o, " :+ 8] -> T\n"); break;
    case 4: str_puts(o, "copy S -> C["); expr(w, 2); str_puts(o, " :+ 8, "); expr(w, 1); str_puts(o, " :+ 16]\n"); break;
    case 5: str_puts(o, "reduce S["); expr(w, 2); str_puts(o, " :+ 4, 0 :+ 16] -> R kind=max dim=1 clear=1\n"); break;
    case 6: str_puts(o, "copy V["); expr(w, 2); str_puts(o, " :+ 8] -> T\n"); break;
    case 7: str_puts(o, "copy W["); expr(w, 2); str_puts(o, ", "); expr(w, 2); str_puts(o, " :+ 8] -> T\n"); break;
    default: str_puts(o, "copy D["); expr(w, 2); str_puts(o, " :+ 16] -> S["); expr(w, 1); str_puts(o, ", 0 :+ 16]\n"); break;
    }
}

static void atomic(Writer *w)
{
    static const char *const kinds[] = {"sum", "max", "min", "store"};
    indent(w);
    if (chance(30))
        str_fmt(&w->out, "let p%d = ", w->nname++);
    str_fmt(&w->out, "atomic %s ", PICK(kinds));
    if (chance(50))
        element(w, "A", 1, 3);
    else
        element(w, chance(50) ? "B" : "W", 2, 3);
    str_puts(&w->out, ", int32(");
    expr(w, 1);
    str_puts(&w->out, ")\n");
}

static void binding(Writer *w)
{
    if (w->nscope == MaxScope)
        return;
    char name[8];
    snprintf(name, sizeof name, "l%d", w->nname++);
    indent(w);
    str_fmt(&w->out, "let %s = ", name);
    expr(w, 3);
    str_puts(&w->out, "\n");
    memcpy(w->scope[w->nscope++], name, sizeof name);
}

static void block(Writer *w, int n)
{
    int scope = w->nscope;
    for (; n > 0 && w->budget > 0; n--) {
        w->budget--;
        uint32_t k = draw(20);
        if (k < 6 || w->depth > 6)
            assign(w);
        else if (k < 9)
            branch(w);
        else if (k < 13)
            loop_of(w);
        else if (k < 14)
            stale(w);
        else if (k < 16)
            binding(w);
        else if (k < 18)
            tile_op(w);
        else if (k < 19)
            atomic(w);
        else {
            indent(w);
            str_puts(&w->out, chance(60) ? "v[0] = " : "V[(v[0] & 15)] = ");
            expr(w, 3);
            str_puts(&w->out, "\n");
        }
    }
    if (scope == w->nscope || n < 0)
        n = 0;
    w->nscope = scope;
}

static void launch_text(Writer *w)
{
    static const char *const grids[] = {"1", "2", "3", "(N + 7) // 8"};
    Str *o = &w->out;
    w->compare = true;
    w->nscope = w->nname = 0;
    w->budget = 9;
    w->depth = 1;
    str_fmt(o, "launch bx in %s threads 32 do\n", PICK(grids));
    str_puts(o, "  alloc v: var int32[1] = 0\n  alloc w: var int32[1] = 0\n"
                "  alloc T: local int32[8]\n  alloc R: fragment float16[4]\n"
                "  alloc S: shared float16[8, 16]\n  alloc X: local int4[24]\n  alloc V: shared int32[16]\n"
                "  fill T, 0\n  fill R, 0.0\n  fill S, 1.0\n  fill X, int4(3)\n  fill V, 2\n");
    if (chance(50))
        str_fmt(o, "  v[0] = %s\n", PICK(numbers));
    block(w, 2 + (int)draw(5));
    str_puts(o, "end\n");
}

static void head(Str *o)
{
    static const char *const shapes[] = {
        "select(K < K + 1, 16, 4)", "select(K*K // 65536 == K, 16, 5)", "16", "select(K < K + N, 16, 4)",
        "max(K * 65536, 6)", "(K * K) & 31", "N * M", "select(int64(K) + s < int64(16), 12, 3)",
    };
    str_puts(o, "kernel k(A, B, C, D, E, F, P, I, J, U, W, Q, Z, s, t, u, b, f)\n"
                "dim N: int32\ndim M: int32\ndim K: int32\n"
                "scalar s: int64\nscalar t: int32\nscalar u: uint32\nscalar b: int8\nscalar f: float32\n"
                "buffer A: global int32[16]\nbuffer B: global int32[16, 3]\n"
                "buffer C: global float32[N, M]\nbuffer D: global float16[N]\n"
                "buffer E: global int8[40]\nbuffer F: global int64[9]\nbuffer P: global bool[16]\n"
                "buffer I: global int32[16]\nbuffer J: global int64[8]\nbuffer U: global uint8[32]\n"
                "buffer W: global int32[16, 1000000]\nbuffer Q: global int4[33]\n");
    str_fmt(o, "buffer Z: global int32[%s]\n", shapes[draw(7)]);
}

/* A program of launches that all read without an error. */
static Prog *make_program(Str *text, bool *compare)
{
    Str top = {0};
    int n = 0;
    head(&top);
    str_add(text, top.s, top.n);
    while (n < Launches) {
        Writer w = {0};
        Str one = {0};
        launch_text(&w);
        str_add(&one, top.s, top.n);
        str_add(&one, w.out.s, w.out.n);
        str_puts(&one, "end\n");
        Prog *p = prog_parse(NULL, one.s, one.n, "hostile");
        Str c = {0};
        if (p && p->ctx.nerror == 0 && cpu_emit(p, "cpu", &c)) {
            str_add(text, w.out.s, w.out.n);
            compare[n++] = w.compare;
        } else if (getenv("VERBOSE") && p) {
            Str s = {0};
            diag_render(&s, &p->ctx, p->ctx.diags, LANGen, false, NULL, NULL);
            printf("%s\n", s.s);
            str_free(&s);
        }
        prog_free(p);
        str_free(&c);
        str_free(&one);
        str_free(&w.out);
    }
    str_puts(text, "end\n");
    str_free(&top);
    return prog_parse(NULL, text->s, text->n, "hostile");
}

/* Memory between pages that nobody may touch ---------------------------------------- */

typedef struct Fenced {
    char *map, *at, *want;
    size_t size, bytes;
    bool large; /* never compared */
} Fenced;

static void fence(Fenced *f, size_t bytes, bool low)
{
    size_t page = 4096, room = (bytes + page - 1) / page * page;
    f->bytes = bytes;
    f->size = room + 2 * page;
    f->map = mmap(NULL, f->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (f->map == MAP_FAILED || (room && mprotect(f->map + page, room, PROT_READ | PROT_WRITE) != 0)) {
        perror("cpu_hostile: mmap");
        exit(1);
    }
    f->at = low ? f->map + page : f->map + page + room - bytes;
    f->large = bytes > 65536;
    f->want = f->large ? mmap(NULL, room + page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                       : malloc(bytes + 8);
}

static void unfence(Fenced *f)
{
    size_t room = (f->bytes + 4095) / 4096 * 4096;
    munmap(f->map, f->size);
    if (f->large)
        munmap(f->want, room + 4096);
    else
        free(f->want);
}

static void contents(Fenced *f, enum Dtype dt)
{
    static const int32_t values[] = {0, 1, 2, 3, 5, 7, 8, 15, 16, 17, -1, -2, INT32_MAX, INT32_MIN,
                                     1000000000, -900000000};
    int64_t n = f->large ? 0 : (int64_t)(f->bytes * 8 / (size_t)dtypeinfo[dt].bits);
    if (f->large) { /* zeros again */
        madvise(f->map + 4096, f->size - 2 * 4096, MADV_DONTNEED);
        madvise(f->want, f->size - 4096, MADV_DONTNEED);
    }
    for (int64_t i = 0; i < n; i++) {
        int32_t v = chance(70) ? (int32_t)draw(16) : PICK(values);
        if (dt == DTbool)
            f->at[i] = (char)(chance(70) ? draw(2) : draw(256));
        else if (dtype_isfloat(dt))
            dtype_store(dt, f->at, i, v % 100);
        else
            dtype_storei(dt, f->at, i, dtypeinfo[dt].bits == 64 && chance(20) ? v * ((int64_t)1 << 31) : v);
    }
    if (!f->large)
        memcpy(f->want, f->at, f->bytes);
}

/* Running ------------------------------------------------------------------------------ */

static sigjmp_buf back;
static volatile sig_atomic_t running;
static int failures;
static long kernels, compared, stopped, late;
static char *touched;

static void on_signal(int sig, siginfo_t *info, void *context)
{
    (void)context;
    if (!running) {
        signal(sig, SIG_DFL);
        raise(sig);
        return;
    }
    touched = info->si_addr;
    siglongjmp(back, sig);
}

static void on_fail(MtRt *rt, const char *message, int32_t line)
{
    (void)rt, (void)message, (void)line;
    siglongjmp(back, -1);
}

static void on_zero(MtRt *rt, int32_t line)
{
    (void)rt, (void)line;
}

static void on_print(MtRt *rt, const MtPrint *what, const void *data)
{
    (void)rt, (void)what, (void)data;
}

static void catch_signals(void)
{
    static const int list[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGVTALRM};
    static char stack[1 << 16];
    stack_t s = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&s, NULL);
    for (size_t i = 0; i < COUNT(list); i++) {
        struct sigaction a = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        sigaction(list[i], &a, NULL);
    }
}

static void alarm_in(long us)
{
    struct itimerval t = {.it_value = {us / 1000000, us % 1000000}};
    setitimer(ITIMER_VIRTUAL, &t, NULL);
}

/* 0 ran, -1 stopped by itself, else the signal. */
static int run_launch(const MtLaunch *l, const MtArg *arg)
{
    static char *scratch;
    static int64_t size;
    MtRt rt = {.print = on_print, .fail = on_fail, .zero = on_zero};
    int64_t g[3];
    if (l->scratch > size) {
        free(scratch);
        scratch = aligned_alloc(64, (size_t)(size = (l->scratch + 63) / 64 * 64));
    }
    if (scratch)
        memset(scratch, 0x5a, (size_t)size);
    int sig = sigsetjmp(back, 1);
    if (sig == 0) {
        running = 1;
        alarm_in(400000);
        l->grid(arg, g);
        int64_t n = g[0] > 0 ? g[0] : 0;
        l->run(arg, g, 0, n < 8 ? n : 8, scratch, &rt);
    }
    running = 0;
    alarm_in(0);
    return sig;
}

typedef struct Program {
    Prog *p;
    const char *text;
    const bool *compare;
    const MtModule *m;
    Fenced mem[MaxArgs];
    MtArg arg[MaxArgs];
    OracleArg want[MaxArgs];
    int number;
    uint64_t seed;
} Program;

static void show_launch(const Program *q, int k, const char *what)
{
    const char *s = strstr(q->text, "\nlaunch ");
    for (int i = 0; s && i < k; i++)
        s = strstr(s + 1, "\nlaunch ");
    const char *end = s ? strstr(s + 1, "\nlaunch ") : NULL;
    printf("program %d of seed %llu, launch %d: %s\n", q->number, (unsigned long long)q->seed, k, what);
    for (uint32_t i = 0; i < q->p->nparam; i++)
        if (q->p->param[i].scalar)
            printf("  %s = %lld", q->p->var[q->p->param[i].id].name, (long long)q->arg[i].i);
    uint32_t at = q->p->nparam;
    for (uint32_t v = 1; v < q->p->nvar; v++)
        if (q->p->var[v].kind == Vdim)
            printf("  %s = %lld", q->p->var[v].name, (long long)q->arg[at++].i);
    printf("\n%.*s\n", s ? (int)(end ? end - s : (long)strlen(s)) : 0, s ? s : "");
    failures++;
}

static const char *whose(const Program *q, const char *at)
{
    for (uint32_t i = 0; i < q->p->nparam; i++)
        if (!q->p->param[i].scalar && at >= q->mem[i].map && at < q->mem[i].map + q->mem[i].size)
            return q->p->buf[q->p->param[i].id].name;
    return "no tensor";
}

static void check_contents(const Program *q, int k)
{
    char what[160];
    for (uint32_t i = 0; i < q->p->nparam; i++) {
        const Fenced *f = &q->mem[i];
        if (q->p->param[i].scalar || f->large || memcmp(f->at, f->want, f->bytes) == 0)
            continue;
        size_t at = 0;
        while (f->at[at] == f->want[at])
            at++;
        snprintf(what, sizeof what, "%s differs at byte %zu: %d, wanted %d",
                 q->p->buf[q->p->param[i].id].name, at, f->at[at], f->want[at]);
        show_launch(q, k, what);
        return;
    }
}

static void one_launch(Program *q, int k)
{
    char what[160];
    for (uint32_t i = 0; i < q->p->nparam; i++)
        if (!q->p->param[i].scalar)
            contents(&q->mem[i], (enum Dtype)q->p->buf[q->p->param[i].id].dt);
    int sig = run_launch(&q->m->launch[k], q->arg);
    kernels++;
    late += sig == SIGVTALRM;
    stopped += sig == -1;
    if (sig > 0 && sig != SIGVTALRM) {
        snprintf(what, sizeof what, "%s at %s", strsignal(sig), whose(q, touched));
        show_launch(q, k, what);
        return;
    }
    if (!q->compare[k] || sig == SIGVTALRM)
        return;
    const char *why = oracle_part(q->p, q->want, k, Steps);
    if (why == oracle_long)
        return;
    compared++;
    if ((why != NULL) != (sig == -1)) {
        snprintf(what, sizeof what, "%s, wanted: %s", sig ? "it stopped" : "it did not stop",
                 why ? why : "an end");
        show_launch(q, k, what);
    } else if (!why) {
        check_contents(q, k);
    }
}

/* Bytes of a parameter for these numbers, or -1. */
static int64_t bytes_of(const Program *q, const Buf *b, const int64_t *env)
{
    int64_t n = dtypeinfo[b->dt].bits, v;
    for (int d = 0; d < b->ndim; d++)
        if (!x_eval(q->p, b->shape[d], env, &v) || v < 0 || __builtin_mul_overflow(n, v, &n))
            return -1;
    return n / 8 + (n % 8 != 0) <= Largest ? n / 8 + (n % 8 != 0) : -1;
}

/* Draws numbers and tensors for them; false: not for these. */
static bool set_args(Program *q)
{
    static const int64_t sizes[] = {0, 1, 3, 8, 16, 33, 64};
    static const int64_t large[] = {0, 1, 4, 65536, 46341, 32768, 2146435071, 2146435070, 1 << 30, 5};
    static const int64_t wides[] = {INT64_MAX, INT64_MIN, INT64_MAX - 4, INT64_MIN + 3, -1, 0, 3, 16,
                                    INT32_MAX, (int64_t)INT32_MAX + 1, INT32_MIN, UINT32_MAX, 8};
    Prog *p = q->p;
    int64_t *env = calloc(p->nvar, sizeof *env), n;
    uint32_t at = p->nparam;
    bool low = chance(50), ok = true;
    memset(q->mem, 0, sizeof q->mem);
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim) {
            n = strcmp(p->var[v].name, "K") == 0 ? PICK(large) : PICK(sizes);
            env[v] = q->arg[at].i = q->want[at].i = n;
            at++;
        }
    for (uint32_t i = 0; i < p->nparam; i++)
        if (p->param[i].scalar) {
            enum Dtype dt = (enum Dtype)p->var[p->param[i].id].dt;
            n = PICK(wides);
            if (dtype_isfloat(dt))
                q->arg[i].f = q->want[i].f = (double)(float)n;
            else
                env[p->param[i].id] = q->arg[i].i = q->want[i].i = wrap(dt, n);
        }
    for (uint32_t i = 0; ok && i < p->nparam; i++)
        if (!p->param[i].scalar) {
            n = bytes_of(q, &p->buf[p->param[i].id], env);
            ok = n >= 0;
            if (!ok)
                break;
            fence(&q->mem[i], (size_t)n, low);
            q->arg[i].p = q->mem[i].at;
            q->want[i].data = q->mem[i].want;
        }
    free(env);
    return ok;
}

static void free_args(Program *q)
{
    for (int i = 0; i < MaxArgs; i++)
        if (q->mem[i].map)
            unfence(&q->mem[i]);
}

/* The compiler for a program; gives the target's options. */
static const char *choose_compiler(bool fast)
{
#if defined(__SANITIZE_ADDRESS__)
    setenv("CC", "gcc -fsanitize=address,undefined -fno-sanitize-recover=undefined", 1);
#else
    static const char trap[] = "gcc -fsanitize=undefined -fsanitize-undefined-trap-on-error";
    if (fast)
        unsetenv("CC");
    else
        setenv("CC", trap, 1);
#endif
    return fast ? "cpu" : "cpu -quick";
}

static void one_program(uint64_t base, int number)
{
    bool compare[Launches];
    Program q = {.number = number, .seed = base, .compare = compare};
    Str text = {0};
    Artifact a = {0};
    seed = base * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)number * UINT64_C(0xd1342543de82ef95);
    q.p = make_program(&text, compare);
    q.text = text.s;
    const char *options = choose_compiler(number % Fast == 0);
    Prog *made = prog_parse(NULL, text.s, text.n, "hostile");
    if (!cpu_emit(made, options, &a.source) || !cpu_build(&made->ctx, options, &a)) {
        Str s = {0};
        for (const Diag *d = made->ctx.diags; d; d = d->next)
            diag_render(&s, &made->ctx, d, LANGen, false, NULL, NULL);
        printf("program %d of seed %llu is not built: %s\n", number, (unsigned long long)base, s.s);
        str_free(&s);
        failures++;
    } else {
        void *so = dlopen(a.path.s, RTLD_NOW | RTLD_LOCAL);
        q.m = so ? dlsym(so, "mt_module") : NULL;
        for (int set = 0, tries = 0; q.m && set < Sets && tries < Sets * 4; tries++) {
            if (set_args(&q)) {
                int before = failures;
                for (int k = 0; k < Launches; k++)
                    one_launch(&q, k);
                if (failures > before)
                    printf("source: %s\n", getenv("KEEP") ? a.path.s : "(KEEP=1 keeps it)");
                set++;
            }
            free_args(&q);
        }
        if (!q.m) {
            printf("%s\n", dlerror());
            failures++;
        }
        if (getenv("KEEP")) {
            FILE *f = fopen("hostile.c", "w");
            fwrite(a.source.s, 1, a.source.n, f);
            fclose(f);
        }
        if (so)
            dlclose(so);
        unlink(a.path.s);
    }
    artifact_free(&a);
    prog_free(q.p);
    prog_free(made);
    str_free(&text);
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 128;
    uint64_t base = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    int first = argc > 3 ? atoi(argv[3]) : 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    catch_signals();
    for (int i = first; (i - first) * (long)Launches < n && failures < 20; i++)
        one_program(base, i);
    printf("%ld runs of %ld kernels, %ld compared, %ld stopped, %ld late, %d failures\n", kernels, n,
           compared, stopped, late, failures);
    return failures != 0;
}
