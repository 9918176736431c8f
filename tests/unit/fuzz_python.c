/* tests/unit/fuzz_python.c: the reader of Python against broken and random text.
 *
 *     fuzz_python [SECONDS [SEED]]     mutates the samples below; 2 seconds
 *
 * With -DLIBFUZZER it is an entry for libFuzzer instead.
 *
 * What is checked of every text:
 *   - no crash, no leak; a refusal comes with exactly one message, whose place is in the text;
 *   - nodes lie within their parents, in the order of the text, and the lines of both ends are right;
 *   - comments are comments;
 *   - what is complete stays what it is when blank lines follow; what is not, is refused or goes on;
 *   - a text cut anywhere, or said to look like something, ends without a crash. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/base.h"
#include "lua/pyreader/ast.h"

/* What the mutations start from. */
static const char *const samples[] = {
    "import a, b.c as d\nfrom .. import (e as f, g,)\nfrom .x.y import *\n",
    "@d.e(1)\ndef f(a, /, b: int = 1, *c, d=2, **e) -> x:\n    \"\"\"doc\"\"\"\n    return a, *b\n",
    "class A(B, metaclass=C):\n    x: int = 1\n\n    @property\n    def f(self): return self.x  # c\n",
    "if a:\n    b\nelif c: d; e\nelse:\n    for x, *y in z:\n        pass\n    else:\n        while w: break\n",
    "with (open(a) as b, c):\n    try:\n        d\n    except (E, F) as g:\n        raise h from i\n    finally:\n        del j, k[0]\n",
    "x = [a for b in c if d] + {e: f for g, h in i} - {j for k in l} | (m for n in o)\n",
    "y = {**a, 'b': [*c, d], (1, 2): lambda x, *y, z=1: x if y else z}\n",
    "z = f\"a{b!r:>{c}.{d}f}e{{{g=}}}\" f'{h:%Y-%m}' r'\\x' if 0 else '''x\ny''' 'z\\n\\u00e9\\\n'\n",
    "t = f\"{f'{x:{y}}' + \"nested\"}\" f'''{\na # c\n}'''\n",
    "A[i, j:k, ::2, None, ...] += -a ** ~b // c @ d << 1 & 2 ^ 3 | 4 < 5 <= 6 != 7 is not 8 not in 9\n",
    "n = 1_000, 0xFF, 0b1, 0o7, .5, 1e-3, 1., 9223372036854775807, -9223372036854775808\n",
    "def g():\n\tglobal a, b\n\tnonlocal c\n\tx = yield\n\ty = yield from z\n\tassert x, y\n\tif (n := f(a, *b, k=1, **c)): return\n",
    "@tilelang.jit(out_idx=[-1])\ndef k(M, N, block_M=128, dtype=\"float16\"):\n    @T.prim_func\n    def main(A: T.Tensor((M, N), dtype)):\n"
    "        with T.Kernel(T.ceildiv(N, 128), threads=128) as (bx, by):\n            As = T.alloc_shared((block_M, 32), dtype)\n"
    "            for ko in T.Pipelined(4, num_stages=3):\n                T.copy(A[by * block_M, ko * 32], As)\n    return main\n",
    "x = (1,\n     2,  # c\n\n     3)\ny = a + \\\n    b\r\nif x:\r\n\r\n    # c\r\n    z\r\n",
    "\xEF\xBB\xBF# -*- coding: utf-8 -*-\n\xE5\x8F\x98\xE9\x87\x8F = '\xC3\xA9'\n\x0c\nmatch = case = type = 1\nmatch(x)\nprint(match[0])\n",
    "f(x for x in y)\nassert (yield)\nx: (a) = b\n*a, (b, [c, *d]) = e\nlambda: (yield)\n",
};

static const char *const tokens[] = {
    "and", "as", "assert", "async", "await", "break", "class A", "continue", "def f(", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    "None", "True", "...", "**=", "//=", ">>=", "->", ":=", "==", "!=", "<=", "<<", "**", "//",
    "+=", "@=", "+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", "=", "(", ")", "[", "]", "{",
    "}", ",", ":", ".", ";", "!", "a", "x", "1", "0x", "1e", "0777", "1_", "2j",
    "9223372036854775808", "'s'", "\"", "'", "\"\"\"", "'''", "f\"", "f'{", "rb'", "{{", "}}",
    "{x!r}", "{x=", "#", "# c\n", "\n", "\n\n", "\n    ", "\n\t", "\n  ", "\r\n", "\r", " ", "\\",
    "\\\n", "\\N{", "\\x4", "\\u12", "\f", "\xEF\xBC\x88", "\xFF", "\xC2\xA0", "\xE2\x80\x9C", "$",
    "?", "&&", "||", "++", "--", "..", "~=", "<>", "`", "local x", "function f", "then", "do",
    "end", "else if", "print x", "exec", "match x:\n case", "type X =", "except*", "if a:\n  b\n",
    "for x in y:", "[x for x in ", "f(a=", "\"a\" \"b\"", "lambda *a: ", "a if b else ",
    "with (a as b, ", "@d\n", "x: int = ", "del (a, ", "*a, ", "(yield)", "(x := ",
};

static void die(const char *why, const char *s, size_t n)
{
    fprintf(stderr, "fuzz_python: %s\n---\n", why);
    fwrite(s, 1, n, stderr);
    fprintf(stderr, "\n---\n");
    abort();
}

/* The line of byte `at`. */
static uint32_t line_of(const char *s, uint32_t at)
{
    uint32_t line = 1;
    for (uint32_t i = 0; i < at; i++)
        line += s[i] == '\n' || (s[i] == '\r' && !(i + 1 < at && s[i + 1] == '\n'));
    return line;
}

/* Is there something in the tree that need not lie where its parent says? */
static bool anywhere(const PyNode *n)
{
    return n->kind == PYJoinedStr || n->kind == PYFormattedValue;
}

static void check_node(const char *s, size_t n, const PyNode *k, const PyNode *up)
{
    const PyNode *of[4] = {k->a, k->b, k->c, k->d};
    bool decorated = up && (up->kind == PYFunctionDef || up->kind == PYClassDef);
    if (k->kind == PYnone || k->kind >= NPyKind || k->at > k->end || k->end > n)
        die("a node that is none", s, n);
    if (up && !decorated && (k->at < up->at || k->end > up->end) && !(up->kind == PYArg) && !anywhere(up))
        die("a node outside of its parent", s, n);
    if (k->kind != PYModule && (line_of(s, k->at) != k->line || k->last < k->line || k->last > line_of(s, k->end)))
        die("a node with another line", s, n);
    for (int i = 0; i < 4; i++)
        for (const PyNode *c = of[i]; c; c = c->next) {
            if (c->next && c->next->at < c->at && !anywhere(k))
                die("nodes that are not in order", s, n);
            check_node(s, n, c, k);
        }
}

static void check_tree(const char *s, size_t n, const PyTree *t)
{
    check_node(s, n, t->module, NULL);
    for (uint32_t i = 0; i < t->ncomment; i++)
        if (s[t->comment[i].at] != '#' || t->comment[i].end > n || line_of(s, t->comment[i].at) != t->comment[i].line)
            die("a comment that is none", s, n);
}

/* Reads it: 1 complete, 2 goes on, -1 refused, -2 more is wanted. */
static int read_text(const char *s, size_t n, size_t cut)
{
    Ctx c;
    PyInfo info;
    Str out = {0};
    ctx_init(&c, NULL, 256 << 20);
    PyTree *t = py_parse(&c, s, cut, "=fuzz", &info);
    if ((t != NULL) != (c.nerror == 0) || (!t && c.nerror != 1))
        die("messages do not fit the result", s, cut);
    if (!t && (c.diags->loc.line == 0 || c.diags->loc.line > line_of(s, (uint32_t)cut)))
        die("a message with no place", s, cut);
    if (cut == n && t)
        check_tree(s, n, t);
    if (cut == n && t)
        py_dump(t, &out);
    if (cut == n && !t)
        for (int lang = 0; lang < NLang; lang++)
            diag_render(&out, &c, c.diags, (enum Lang)lang, false, NULL, NULL);
    str_free(&out);
    int r = (t ? 1 : -1) * (info.incomplete ? 2 : 1);
    ctx_free(&c);
    return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *s = malloc(n + 3); /* exactly as long at first, so that overruns show */
    char *exact = malloc(n ? n : 1);
    if (!s || !exact)
        abort();
    memcpy(s, data, n);
    memcpy(exact, data, n);
    int r = read_text(exact, n, n);
    enum PyLooks looks = py_looks(exact, n);
    if (looks != PyNo && looks != PyMaybe && looks != PyYes)
        die("looks like nothing", s, n);
    if (n)
        read_text(exact, n, (size_t)(data[n / 2] * 31u) % n);
    memcpy(s + n, "\n\n", 2);
    if (r == 1 && read_text(s, n + 2, n + 2) != 1)
        die("complete, but not with blank lines", s, n);
    if (r == 2 && read_text(s, n + 2, n + 2) != 1)
        die("goes on, but does not end with blank lines", s, n);
    free(exact);
    free(s);
    return 0;
}

#ifndef LIBFUZZER

static uint64_t state;

static size_t rnd(size_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return n ? (size_t)(state >> 33) % n : 0;
}

enum { MaxText = 3000 };

/* s[at .. at+del) becomes t[0..n) */
static size_t splice(char *s, size_t len, size_t at, size_t del, const char *t, size_t n)
{
    if (len - del + n > MaxText)
        return len;
    memmove(s + at + n, s + at + del, len - at - del);
    memcpy(s + at, t, n);
    return len - del + n;
}

/* Where a word or line begins, near `at`. */
static size_t boundary(const char *s, size_t at)
{
    while (at && s[at - 1] != ' ' && s[at - 1] != '\n' && s[at - 1] != '(' && s[at - 1] != ',')
        at--;
    return at;
}

static size_t line_start(const char *s, size_t at)
{
    while (at && s[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const char *s, size_t n, size_t at)
{
    while (at < n && s[at] != '\n')
        at++;
    return at < n ? at + 1 : n;
}

static size_t mutate(char *s, size_t n)
{
    char piece[200];
    size_t at = rnd(n + 1), from = line_start(s, at), to = line_end(s, n, at), len;
    const char *t;
    switch (rnd(11)) {
    case 0: /* a byte */
        if (n)
            s[rnd(n)] = (char)rnd(256);
        return n;
    case 1: /* less */
        len = n - at < 20 ? n - at : 20;
        return splice(s, n, at, rnd(len + 1), "", 0);
    case 2: /* a piece again, elsewhere */
        len = rnd(n - at < 64 ? n - at : 64);
        memcpy(piece, s + at, len);
        return splice(s, n, rnd(n + 1), 0, piece, len);
    case 3: /* another sample */
        t = samples[rnd(COUNT(samples))];
        return splice(s, n, rnd(2) ? from : at, 0, t, strlen(t));
    case 4: /* a piece of it */
        t = samples[rnd(COUNT(samples))];
        len = strlen(t);
        t += at = rnd(len);
        return splice(s, n, boundary(s, rnd(n + 1)), 0, t, rnd(len - at));
    case 5: /* a line more or less indented */
        return rnd(2) ? splice(s, n, from, 0, "        \t", 1 + rnd(9)) : splice(s, n, from, s[from] == ' ' && from < n, "", 0);
    case 6: /* a line away, or twice */
        len = to - from < sizeof piece ? to - from : sizeof piece;
        memcpy(piece, s + from, len);
        return rnd(2) ? splice(s, n, from, to - from, "", 0) : splice(s, n, line_start(s, rnd(n + 1)), 0, piece, len);
    default:
        t = tokens[rnd(COUNT(tokens))];
        at = rnd(4) ? boundary(s, at) : at;
        n = splice(s, n, at, 0, t, strlen(t));
        return rnd(2) && at < n ? splice(s, n, at + strlen(t) < n ? at + strlen(t) : n, 0, " ", 1) : n;
    }
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 2;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    char s[MaxText + 1];
    size_t runs = 0;
    for (size_t i = 0; i < COUNT(samples); i++) {
        if (read_text(samples[i], strlen(samples[i]), strlen(samples[i])) < 0)
            die("a sample is refused", samples[i], strlen(samples[i]));
        LLVMFuzzerTestOneInput((const uint8_t *)samples[i], strlen(samples[i]));
    }
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (clock() < end) {
        const char *t = samples[rnd(COUNT(samples))];
        size_t n = strlen(t);
        memcpy(s, t, n);
        for (size_t k = rnd(6) + 1; k-- > 0; runs++) {
            n = mutate(s, n);
            LLVMFuzzerTestOneInput((const uint8_t *)s, n);
        }
    }
    printf("%zu texts\n", runs);
    return 0;
}

#endif
