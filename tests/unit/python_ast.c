/* tests/unit/python_ast.c: the reader of Python, for the tests of tests/python.
 *
 *     python_ast tree FILE..        the tree of each, as py_dump() prints it, or the message
 *     python_ast wrong LANG FILE    cases, divided by lines of ====: the message of each
 *     python_ast cases FILE         such cases: the tree of each or the message, and ====
 *     python_ast more FILE          lines, with \n for line ends: what a prompt is told
 *     python_ast looks FILE..       yes, maybe or no, and the name
 *     python_ast ask FILE           the same of each line, with \n for line ends
 *     python_ast time FILE          milliseconds that the tree takes, at best
 *     python_ast                    checks of its own: depths, places, lack of memory */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/base.h"
#include "lua/pyreader/ast.h"

static int failures;

static void expect(bool ok, const char *what)
{
    if (!ok)
        printf("%s\n", what);
    failures += !ok;
}

static char *slurp(const char *path, size_t *n)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    size_t cap = 1 << 16;
    char *s = malloc(cap);
    *n = 0;
    for (size_t k; f && s && (k = fread(s + *n, 1, cap - *n, f)) > 0;)
        if ((*n += k) == cap)
            s = realloc(s, cap *= 2);
    if (!f || !s) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(2);
    }
    if (f != stdin)
        fclose(f);
    return s;
}

typedef struct Text { const char *s; size_t n; } Text;

/* The line of a text that a message shows. */
static const char *line_of(void *ud, const char *file, uint32_t line, size_t *n)
{
    const Text *t = ud;
    const char *s = t->s, *e = t->s + t->n;
    (void)file;
    while (--line && s < e) {
        while (s < e && *s != '\n' && *s != '\r')
            s++;
        s += s + 1 < e && s[0] == '\r' && s[1] == '\n' ? 2 : 1;
    }
    if (s > e)
        return NULL;
    for (*n = 0; s + *n < e && s[*n] != '\n' && s[*n] != '\r';)
        ++*n;
    return s;
}

/* Reads the text and prints the tree or the message. */
static bool show(const char *s, size_t n, enum Lang lang)
{
    Ctx c;
    Str out = {0};
    Text text = {s, n};
    ctx_init(&c, NULL, 0);
    PyTree *t = py_parse(&c, s, n, "=input", NULL);
    if (t)
        py_dump(t, &out);
    else
        diag_render(&out, &c, c.diags, lang, false, line_of, &text);
    fwrite(out.s, 1, out.n, stdout);
    str_free(&out);
    ctx_free(&c);
    return t != NULL;
}

/* The cases of a file; lang NULL: of any kind. */
static int cases(const char *lang, const char *path)
{
    static const char mark[] = "====\n";
    size_t n;
    char *s = slurp(path, &n), *e = s + n;
    for (char *at = s, *end; at < e; at = end + strlen(mark)) {
        for (end = at;
             end < e && !(strncmp(end, mark, strlen(mark)) == 0 && (end == at || end[-1] == '\n'));)
            end++;
        if (show(at, (size_t)(end - at), lang && strcmp(lang, "zh") == 0 ? LANGzh : LANGen) && lang)
            printf("accepted: %.*s", (int)(end - at), at);
        printf(lang ? "\n" : mark);
    }
    free(s);
    return 0;
}

/* The next line of *at, with its \n as line ends, in memory of exactly its size; NULL: there is none. */
static char *next_line(char **at, char *e, size_t *n)
{
    if (*at >= e)
        return NULL;
    char *end = memchr(*at, '\n', (size_t)(e - *at)), *s, *to;
    end = end ? end : e;
    s = to = malloc((size_t)(end - *at) + 1);
    for (; *at < end; ++*at) {
        bool line = end - *at > 1 && (*at)[0] == '\\' && (*at)[1] == 'n';
        *to++ = line ? '\n' : **at;
        *at += line;
    }
    ++*at;
    *n = (size_t)(to - s);
    return s;
}

static const char *const looks_word[] = {"no", "maybe", "yes"};

static int lines(const char *path, bool looks)
{
    size_t n, k;
    char *s = slurp(path, &n), *at = s, *from = s, *line;
    for (; (line = next_line(&at, s + n, &k)) != NULL; from = at) {
        Ctx c;
        PyInfo info;
        ctx_init(&c, NULL, 0);
        const char *says = looks ? looks_word[py_looks(line, k)]
                           : py_parse(&c, line, k, "=input", &info)
                               ? info.incomplete ? "goes on" : "complete"
                               : info.incomplete ? "more" : err_info(c.diags->err)->code;
        printf("%-8s %.*s\n", says, (int)(at - from - 1), from);
        ctx_free(&c);
        free(line);
    }
    free(s);
    return 0;
}

static int timed(const char *path)
{
    size_t n;
    char *s = slurp(path, &n);
    double best = 1e9;
    for (int i = 0; i < 10; i++) {
        Ctx c;
        struct timespec a, b;
        ctx_init(&c, NULL, 0);
        clock_gettime(CLOCK_MONOTONIC, &a);
        bool ok = py_parse(&c, s, n, "=input", NULL) != NULL;
        clock_gettime(CLOCK_MONOTONIC, &b);
        double ms = 1e3 * (double)(b.tv_sec - a.tv_sec) + 1e-6 * (double)(b.tv_nsec - a.tv_nsec);
        best = ok && ms < best ? ms : best;
        if (i == 9)
            printf("%.1f ms, %.1f MiB\n", best, (double)c.arena.total / 1048576);
        ctx_free(&c);
    }
    free(s);
    return best < 50 ? 0 : 1;
}

/* Checks of its own ------------------------------------------------------------------------ */

/* The code of the message that the text gets; "": none. */
static const char *code_of(const char *s, size_t n)
{
    Ctx c;
    ctx_init(&c, NULL, 0);
    PyTree *t = py_parse(&c, s, n, "=input", NULL);
    const char *code = t ? "" : err_info(c.diags->err)->code;
    expect((t != NULL) == (c.nerror == 0) && c.nerror <= 1, "messages do not fit the result");
    ctx_free(&c);
    return code;
}

/* `times` of a, then x, then `times` of b. */
static const char *nested(const char *a, const char *x, const char *b, int times)
{
    Str s = {0};
    for (int i = 0; i < times; i++)
        str_puts(&s, a);
    str_puts(&s, x);
    for (int i = 0; i < times; i++)
        str_puts(&s, b);
    const char *code = code_of(s.s, s.n);
    str_free(&s);
    return code;
}

static const char *blocks(int times)
{
    Str s = {0};
    for (int i = 0; i < times; i++)
        str_fmt(&s, "%*sif x:\n", i, "");
    str_fmt(&s, "%*spass\n", times, "");
    const char *code = code_of(s.s, s.n);
    str_free(&s);
    return code;
}

static void depths(void)
{
    static const struct { const char *open, *mid, *close; } both[] = {
        {"(", "x", ")"}, {"[", "x", "]"}, {"{", "x", "}"}, {"f(", "x", ")"}, {"a[", "x", "]"}, {"-", "x", ""}, {"not ", "x", ""},
        {"lambda: ", "x", ""}, {"x if y else ", "x", ""}, {"2 ** ", "x", ""}, {"f\"{", "x", "}\""}, {"{1: ", "x", "}"}, {"f(a=", "x", ")"},
        {"{", "x", ": 1}"}, {"[x for x in ", "y", "]"},
    };
    for (size_t i = 0; i < COUNT(both); i++) {
        expect(strcmp(nested(both[i].open, both[i].mid, both[i].close, 200), "") == 0,
               both[i].open);
        expect(strcmp(nested(both[i].open, both[i].mid, both[i].close, 100000), "E1029") == 0,
               both[i].open);
    }
    expect(strcmp(nested("x + ", "x", "", 900), "") == 0, "a sum");
    expect(strcmp(nested("x + ", "x", "", 100000), "E1029") == 0, "a long sum");
    expect(strcmp(nested("", "x", ".y", 100000), "E1029") == 0, "a long chain");
    expect(strcmp(nested("", "x", " and x", 100000), "") == 0, "a long `and`");
    expect(strcmp(nested("", "x", " < x", 100000), "") == 0, "a long comparison");
    expect(strcmp(nested("", "if x: y\n", "elif x: y\n", 900), "") == 0, "elif");
    expect(strcmp(nested("", "if x: y\n", "elif x: y\n", 100000), "E1029") == 0, "too many elif");
    expect(strcmp(nested("(", "", "", 100000), "E1005") == 0 ||
               strcmp(nested("(", "", "", 100000), "E1029") == 0,
           "open");
    expect(strcmp(blocks(200), "") == 0, "blocks");
    expect(strcmp(blocks(600), "E1029") == 0, "too many blocks");
}

static void place(const char *text, uint32_t at, uint32_t line, uint16_t col)
{
    PyTree t = {.src = text, .n = (uint32_t)strlen(text)};
    Loc l = py_loc(&t, at);
    expect(l.line == line && l.col == col, text);
}

static void places(void)
{
    place("a\nb", 2, 2, 1);
    place("a\r\nb", 3, 2, 1);
    place("a\rb", 2, 2, 1);
    place("a\n\nbc", 4, 3, 2);
    place("\xEF\xBB\xBF" "ab", 4, 1, 2);
    place("x", 1, 1, 2);
}

/* Memory that ends at the n-th request. */
static void *failing(void *ud, void *p, size_t n)
{
    int *left = ud;
    if (n && (*left)-- <= 0)
        return NULL;
    return mem_libc.alloc(NULL, p, n);
}

static void memory(void)
{
    static const char text[] =
        "@d\ndef f(a, *b, c=1): # c\n  return f\"{a!r:>{b}}\" 'x' + {1: [x for x in y if z]}\n";
    bool ok = false;
    for (int k = 0; k < 100 && !ok; k++) {
        int left = k;
        Mem mem = {failing, &left};
        Ctx c;
        ctx_init(&c, &mem, 1 << 20);
        ok = py_parse(&c, text, strlen(text), "=input", NULL) != NULL;
        expect(ok == (c.nerror == 0), "memory");
        ctx_free(&c);
    }
    expect(ok, "never enough memory");
}

/* Comments, and that a text need not end in a NUL. */
static void comments(void)
{
    static const char text[] = "# a\nx = 1  # b\nif x:\n    # c\n    y(  # d\n    )";
    static const uint32_t line[] = {1, 2, 4, 5};
    size_t n = strlen(text);
    char *s = malloc(n);
    Ctx c;
    ctx_init(&c, NULL, 0);
    memcpy(s, text, n);
    PyTree *t = py_parse(&c, s, n, "=input", NULL);
    expect(t && t->ncomment == COUNT(line), "comments");
    for (uint32_t i = 0; t && i < t->ncomment && i < COUNT(line); i++) {
        const PyComment *k = &t->comment[i];
        expect(k->line == line[i] && s[k->at] == '#' && k->end == k->at + 3 &&
                   k->alone == (i == 0 || i == 2),
               "a comment");
    }
    ctx_free(&c);
    free(s);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    size_t n;
    if (argc > 3 && strcmp(mode, "wrong") == 0)
        return cases(argv[2], argv[3]);
    if (argc > 2 && strcmp(mode, "cases") == 0)
        return cases(NULL, argv[2]);
    if (argc > 2 && (strcmp(mode, "more") == 0 || strcmp(mode, "ask") == 0))
        return lines(argv[2], mode[0] == 'a');
    if (argc > 2 && strcmp(mode, "time") == 0)
        return timed(argv[2]);
    for (int i = 2; i < argc; i++) {
        char *s = slurp(argv[i], &n);
        if (strcmp(mode, "looks") == 0)
            printf("%s %s\n", looks_word[py_looks(s, n)], argv[i]);
        else
            failures += !show(s, n, LANGen);
        free(s);
    }
    if (argc > 1)
        return failures != 0;
    depths();
    places();
    memory();
    comments();
    return failures != 0;
}
