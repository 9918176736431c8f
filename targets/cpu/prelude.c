/* targets/cpu/prelude.c: which helper functions a printed program needs.
 *
 * A helper is printed only when something used it, in the order of the tables,
 * so that what it needs stands before it. */
#include <string.h>

#include "emit.h"
#include "prelude.h"

static const Helper *const tables[] = {prelude_types, prelude_ints, prelude_floats,
                                       prelude_math,  prelude_ieee, prelude_rows};

uint32_t prelude_count(void)
{
    uint32_t n = 0;
    for (size_t t = 0; t < COUNT(tables); t++)
        for (const Helper *h = tables[t]; h->name; h++)
            n++;
    return n;
}

static const Helper *helper_find(const char *name, size_t len, uint32_t *index)
{
    uint32_t n = 0;
    for (size_t t = 0; t < COUNT(tables); t++)
        for (const Helper *h = tables[t]; h->name; h++, n++)
            if (strlen(h->name) == len && memcmp(h->name, name, len) == 0) {
                *index = n;
                return h;
            }
    return NULL;
}

static void helper_mark(Gen *g, const char *name, size_t len)
{
    uint32_t i;
    const Helper *h = helper_find(name, len, &i);
    if (!h)
        diag_fail(g->c, E_bug, g->here, afmt(g->c, "no helper %.*s", (int)len, name), NULL);
    if (g->used[i])
        return;
    g->used[i] = 1;
    for (const char *s = h->needs; *s;) {
        size_t n = strcspn(s, " ");
        helper_mark(g, s, n);
        s += n + (s[n] == ' ');
    }
}

const char *use(Gen *g, const char *name)
{
    helper_mark(g, name, strlen(name));
    return name;
}

void prelude_print(const Gen *g, Str *out)
{
    uint32_t n = 0;
    for (size_t t = 0; t < COUNT(tables); t++)
        for (const Helper *h = tables[t]; h->name; h++, n++)
            if (g->used[n]) {
                str_puts(out, h->text);
                str_puts(out, t == 0 ? "" : "\n");
            }
}

/* C's words, and the names that printed functions use for themselves. */
static const char *const reserved[] = {
    "alignas",  "arg",      "asm",    "at",       "auto",      "bool",      "break",  "bytes",
    "case",     "char",     "const",  "continue", "default",   "do",        "double", "else",
    "enum",     "extern",   "float",  "for",      "goto",      "grid",      "if",     "inline",
    "int",      "launches", "linux",  "long",     "main",      "mt_module", "half",   "part",
    "register", "restrict", "return", "rt",       "scratch",   "short",     "signed", "sizeof",
    "static",   "struct",   "switch", "typedef",  "typeof",    "unfit",     "union",  "unix",
    "unsigned", "void",     "volatile", "what",   "while",    "workspaces"};

/* Begins as only names of ours may. */
static bool family(const char *name)
{
    return name[0] == '_' || strncmp(name, "Mt", 2) == 0 || strncmp(name, "gemm_", 5) == 0 ||
           strncmp(name, "atomic_", 7) == 0;
}

bool prelude_reserved(const char *name)
{
    uint32_t i;
    for (size_t k = 0; k < COUNT(reserved); k++)
        if (strcmp(reserved[k], name) == 0)
            return true;
    return family(name) || helper_find(name, strlen(name), &i) != NULL;
}
