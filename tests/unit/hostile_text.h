/* tests/unit/hostile_text.h: the texts of cpu_hostile.c: kernels that no check can prove to stay in
 * their tensors, made of a seed. */
#ifndef MOONTILE_TESTS_HOSTILE_TEXT_H
#define MOONTILE_TESTS_HOSTILE_TEXT_H

#include <stdio.h>
#include <string.h>

#include "core/ir/ir.h"

enum { MaxScope = 24 };

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
    bool threads;  /* tx is a thread, and threads speak to each other */
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
static void condition(Writer *w, int depth);

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

/* What only threads have. */
static void thread_leaf(Writer *w, int depth)
{
    static const char *const shuffles[] = {"shfl_xor", "shfl_up", "shfl_down", "shfl_sync"};
    static const char *const votes[] = {"any_sync", "all_sync", "int32(ballot_sync"};
    static const char *const sums[] = {"sum", "max", "min", "bitand", "bitor", "bitxor"};
    Str *o = &w->out;
    uint32_t k = draw(depth > 0 ? 16 : 11);
    if (k < 10) {
        str_puts(o, k < 8 ? "tx" : k < 9 ? "get_lane_idx(0)" : "get_warp_idx(0)");
    } else if (k < 13) {
        str_fmt(o, "%s(", PICK(shuffles));
        expr(w, depth - 1);
        str_fmt(o, ", %u, %u, -1)", draw(chance(90) ? 32 : 64), 2u << draw(5));
    } else if (k < 14) {
        uint32_t v = draw(3);
        str_fmt(o, "%s(", votes[v]);
        condition(w, depth - 1);
        str_puts(o, v == 2 ? ", -1))" : ", -1)");
    } else {
        str_fmt(o, "warp_reduce_%s(", PICK(sums));
        expr(w, depth - 1);
        str_puts(o, ")");
    }
}

static void leaf(Writer *w, int depth)
{
    Str *o = &w->out;
    if (w->threads && chance(25)) {
        thread_leaf(w, depth);
        return;
    }
    switch (draw(depth > 0 ? 24 : 12)) {
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
    case 21: str_puts(o, "int32("); element(w, "A8", 2, depth); str_puts(o, ")"); break;
    case 22: str_puts(o, "V2[("); expr(w, depth - 1); str_puts(o, ") & 3, 1]"); break;
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
    {"T", 1, "int32"}, {"S", 2, "float16"}, {"X", 1, "int4"}, {"V", 1, "int32"}, {"V2", 2, "int32"},
    {"Sb", 1, "uint8"}, {"A8", 2, "int8"}, {"Bl", 1, "int32"}, {"I", 1, "int32"}, {"J", 1, "int64"},
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

/* Extents and corners of an operation on a part of something, as many as there are dimensions. */
static void corner(Writer *w, const char *extents)
{
    chance(25) ? wide(w, 2) : expr(w, 2);
    str_fmt(&w->out, " :+ %s", extents);
}

static void large_op(Writer *w)
{
    static const char *const reds[] = {"sum", "max", "min", "abssum", "absmax", "bitand", "bitor", "bitxor"};
    static const char *const extents[] = {"N", "M", "(N - 20)", "(M * 2)", "8"};
    Str *o = &w->out;
    const char *n = PICK(extents);
    indent(w);
    switch (draw(8)) {
    case 0:
        str_puts(o, "reduce V2[");
        corner(w, "4");
        str_fmt(o, ", 0 :+ 4] -> T[(");
        expr(w, 1);
        str_fmt(o, ") & 3 :+ 4] kind=%s dim=1 clear=%u\n", PICK(reds), draw(2));
        break;
    case 1:
        str_puts(o, "scan V[");
        corner(w, "8");
        str_puts(o, "] -> V[");
        corner(w, "8");
        str_fmt(o, "] kind=sum dim=0 reverse=%u\n", draw(2));
        break;
    case 2:
        str_puts(o, "transpose W[");
        corner(w, "4");
        str_puts(o, ", ");
        corner(w, "4");
        str_puts(o, "] -> V2[0 :+ 4, 0 :+ 4]\n");
        break;
    case 3:
        str_fmt(o, "atomic %s[", chance(50) ? "A" : "Bl");
        corner(w, "8");
        str_fmt(o, "] <- V[0 :+ 8] kind=%s\n", chance(50) ? "sum" : "max");
        break;
    case 4:
        w->compare = false; /* the order of a sum */
        str_puts(o, "gemm S[0 :+ 4, 0 :+ 16], S[4 :+ 4, 0 :+ 16] -> G[");
        corner(w, "4");
        str_puts(o, ", 0 :+ 4] transpose_B=1\n");
        break;
    case 5:
        str_puts(o, "copy A[");
        corner(w, n);
        str_puts(o, "] -> I[");
        corner(w, n);
        str_puts(o, "]\n");
        break;
    case 6:
        str_puts(o, "copy C[");
        corner(w, n);
        str_puts(o, ", 0 :+ 2] -> C[");
        corner(w, n);
        str_puts(o, ", 1 :+ 2]\n");
        w->compare = false; /* they may overlap */
        break;
    default:
        str_puts(o, "fill Sb[");
        corner(w, "16");
        str_puts(o, "], 200\n");
    }
}

/* Numbers of an index tensor say where: a gather, a scatter, a sum into bins. */
static void scatter(Writer *w)
{
    static const struct { const char *before, *after; } by[] = {
        {"I[", "]"}, {"int32(J[", "])"}, {"int32(U[", "])"}, {"(I[3] + I[", "])"}, {"int32(J[", "] * J[1])"}, {"J[", "]"},
    };
    static const char *const into[] = {"A[", "Bl[", "Z[", "V["};
    char name[8];
    Str *o = &w->out;
    if (w->nscope == MaxScope)
        return;
    snprintf(name, sizeof name, "i%d", w->nname++);
    indent(w);
    str_fmt(o, "for %s in parallel(%s) do\n", name, chance(50) ? "N" : "16");
    indent(w);
    bool adds = chance(30);
    w->compare = false;
    uint32_t how = draw((uint32_t)COUNT(by));
    str_fmt(o, "  %s%s%s%s%s", adds ? "atomic sum " : "", PICK(into), by[how].before, name, by[how].after);
    str_puts(o, adds ? "], " : "] = ");
    memcpy(w->scope[w->nscope++], name, sizeof name);
    expr(w, 2);
    w->nscope--;
    str_puts(o, "\n");
    indent(w);
    str_puts(o, "end\n");
}

static void pipeline(Writer *w)
{
    char name[8];
    Str *o = &w->out;
    if (w->nscope == MaxScope || w->depth > 1)
        return;
    snprintf(name, sizeof name, "i%d", w->nname++);
    memcpy(w->scope[w->nscope++], name, sizeof name);
    indent(w);
    str_fmt(o, "for %s in pipelined(%s) stages=%u do\n", name, chance(50) ? "4" : "((N + 7) // 8)", draw(4));
    w->depth++;
    indent(w);
    str_puts(o, "copy A[");
    chance(50) ? str_fmt(o, "%s * 8", name) : expr(w, 2);
    str_puts(o, " :+ 8] -> V[0 :+ 8]\n");
    if (chance(50)) {
        indent(w);
        str_puts(o, "copy D[");
        corner(w, "16");
        str_puts(o, "] -> S[1, 0 :+ 16]\n");
    }
    assign(w);
    indent(w);
    str_puts(o, "copy V[");
    chance(70) ? str_puts(o, "0") : expr(w, 1);
    str_puts(o, " :+ 8] -> Bl[");
    corner(w, "8");
    str_puts(o, "]\n");
    w->depth--;
    w->nscope--;
    indent(w);
    str_puts(o, "end\n");
}

/* A while that a variable ends, or 60 rounds. */
static void while_loop(Writer *w)
{
    indent(w);
    str_puts(&w->out, "while ");
    condition(w, 2);
    str_puts(&w->out, " do\n");
    w->depth++;
    end_rounds(w);
    block(w, 1 + (int)draw(2));
    w->depth--;
    indent(w);
    str_puts(&w->out, "end\n");
}

/* Statements of threads ------------------------------------------------------------ */

static void async(Writer *w)
{
    static const char *const from[] = {"A", "I", "Bl"};
    Str *o = &w->out;
    indent(w);
    str_fmt(o, "async_copy %s[", PICK(from));
    corner(w, "8");
    str_fmt(o, "] -> V[%u :+ 8]\n", draw(2) * 8);
    indent(w);
    str_puts(o, "cp_async_wait\n");
    indent(w);
    str_puts(o, "call sync_threads(-1, -1)\n");
}

static void roles(Writer *w)
{
    bool lower = chance(50);
    indent(w);
    str_puts(&w->out, lower ? "role 0..32 do\n" : "role 32..64 do\n");
    w->depth += 2;
    block(w, 1 + (int)draw(2));
    w->depth -= 2;
    indent(w);
    str_puts(&w->out, "end\n");
}

static void thread_range(Writer *w)
{
    static const char *const ranges[] = {"tx < 32", "tx >= 32", "tx == 0", "tx < 7", "tx % 2 == 1"};
    indent(w);
    str_fmt(&w->out, "if %s then\n", PICK(ranges));
    w->depth++;
    block(w, 1 + (int)draw(2));
    w->depth--;
    indent(w);
    str_puts(&w->out, "end\n");
}

static void thread_statement(Writer *w)
{
    uint32_t k = draw(8);
    if (k < 3) {
        thread_range(w);
    } else if (k < 4 && w->depth == 1) {
        roles(w);
    } else if (k < 6 && w->depth == 1) {
        async(w);
    } else if (k < 7 && w->depth == 1) {
        indent(w);
        str_puts(&w->out, chance(70) ? "call sync_threads(-1, -1)\n" : "call sync_warp(-1)\n");
    } else {
        assign(w);
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
        uint32_t k = draw(27);
        if (w->threads && chance(30)) {
            thread_statement(w);
            continue;
        }
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
        else if (k < 22)
            large_op(w);
        else if (k < 24)
            scatter(w);
        else if (k < 25)
            pipeline(w);
        else if (k < 26)
            while_loop(w);
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

/* threads: of single ones. */
static void launch_text(Writer *w, bool threads)
{
    static const char *const grids[] = {"1", "2", "3", "(N + 7) // 8"};
    static const char *const blocks[] = {"threads tx in 64", "threads tx, ty in 32, 2", "threads tx in 128"};
    Str *o = &w->out;
    w->compare = true;
    w->threads = threads;
    w->nscope = w->nname = 0;
    w->budget = 9;
    w->depth = 1;
    str_fmt(o, "launch bx in %s %s do\n", PICK(grids), threads ? PICK(blocks) : "threads 32");
    str_puts(o, "  alloc v: var int32[1] = 0\n  alloc w: var int32[1] = 0\n"
                "  alloc T: local int32[8]\n  alloc R: fragment float16[4]\n  alloc G: fragment float32[8, 4]\n"
                "  alloc S: shared float16[8, 16]\n  alloc X: local int4[24]\n  alloc V: shared int32[16]\n"
                "  view V2 of V: int32[4, 4]\n  view Sb of S: uint8[256]\n"
                "  fill T, 0\n  fill R, 0.0\n  fill G, 0.0\n  fill S, 1.0\n  fill X, int4(3)\n  fill V, 2\n");
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
    str_puts(o, "kernel k(A, B, C, D, E, F, P, I, J, U, W, Q, Z, Bl, s, t, u, b, f)\n"
                "dim N: int32\ndim M: int32\ndim K: int32\n"
                "scalar s: int64\nscalar t: int32\nscalar u: uint32\nscalar b: int8\nscalar f: float32\n"
                "buffer A: global int32[16]\nbuffer B: global int32[16, 3]\n"
                "buffer C: global float32[N, M]\nbuffer D: global float16[N]\n"
                "buffer E: global int8[40]\nbuffer F: global int64[9]\nbuffer P: global bool[16]\n"
                "buffer I: global int32[16]\nbuffer J: global int64[8]\nbuffer U: global uint8[32]\n"
                "buffer W: global int32[16, 1000000]\nbuffer Q: global int4[33]\n");
    str_fmt(o, "buffer Z: global int32[%s]\n", shapes[draw((uint32_t)COUNT(shapes))]);
    str_puts(o, "buffer Bl: global int32[N]\nview A8 of A: int8[8, 8]\n");
}

#endif
