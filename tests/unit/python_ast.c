/* tests/unit/python_ast.c: the reader of Python. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base.h"
#include "lua/python/ast.h"

static char *slurp(const char *path, size_t *n)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    size_t cap = 1 << 16;
    char *s = malloc(cap);
    *n = 0;
    for (size_t k; f && s && (k = fread(s + *n, 1, cap - *n, f)) > 0;)
        if ((*n += k) == cap)
            s = realloc(s, cap *= 2);
    if (!f || !s)
        exit(2);
    fclose(f);
    return s;
}

int main(int argc, char **argv)
{
    size_t n;
    if (argc < 2)
        return 0;
    if (argc > 2 && strcmp(argv[1], "looks") == 0) {
        for (int i = 2; i < argc; i++) {
            char *t = slurp(argv[i], &n);
            printf("%s %s\n", (const char *[]){"no", "maybe", "yes"}[py_looks(t, n)], argv[i]);
            free(t);
        }
        return 0;
    }
    char *s = slurp(argv[1], &n);
    Ctx c;
    PyInfo info;
    Str out = {0};
    ctx_init(&c, NULL, 0);
    PyTree *t = py_parse(&c, s, n, "@file.py", &info);
    if (t)
        py_dump(t, &out);
    else
        for (const Diag *d = c.diags; d; d = d->next)
            diag_render(&out, &c, d, LANGen, false, NULL, NULL);
    fwrite(out.s, 1, out.n, stdout);
    return t ? 0 : 1;
}
