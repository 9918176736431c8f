/* lua/pyreader/print.c: the printer's entry, lines, literals.  See print.h. */
#include <stdio.h>
#include <string.h>

#include "print.h"
#include "python.h"

void pp(PyPrint *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    str_vfmt(p->out, fmt, ap);
    va_end(ap);
}

void pp_line(PyPrint *p, const PyNode *n)
{
    for (; p->line < n->line; p->line++)
        pp(p, "\n");
}

void pp_string(PyPrint *p, const char *s, size_t n)
{
    pp(p, "\"");
    for (size_t i = 0; i < n; i++) {
        unsigned char ch = (unsigned char)s[i];
        if (ch == '"' || ch == '\\')
            pp(p, "\\%c", ch);
        else if (ch < 32 || ch == 127)
            pp(p, "\\%03u", ch);
        else
            str_add(p->out, s + i, 1);
    }
    pp(p, "\"");
}

NORETURN void pp_fail(PyPrint *p, Err e, const PyNode *n, const char *a, const char *b)
{
    diag_fail(p->c, e, py_loc(p->t, n->at), a, b, NULL);
}

uint32_t pp_temp(PyPrint *p) { return ++p->ntemp; }

typedef struct PyJob {
    const char *src;
    size_t n;
    const char *chunk;
    Str *out;
    PyTree *tree;
    PyInfo *info;
} PyJob;

/* The last statement, if it is an expression. */
static const PyNode *last_value(const PyNode *module)
{
    const PyNode *n = module->a;
    while (n && n->next)
        n = n->next;
    return n && n->kind == PYExpr ? n : NULL;
}

static void python_print(Ctx *c, void *ud)
{
    PyJob *j = ud;
    py_scopes(c, j->tree);
    PyScope *s = py_scope(j->tree->module);
    PyFn fn = {.scope = s};
    fn.has = anew(c, s->nvar + 1);
    PyPrint p = {.c = c, .t = j->tree, .out = j->out, .line = 1, .scope = s, .fn = &fn};
    if (j->info->value)
        p.value = last_value(j->tree->module);
    j->info->expression = p.value != NULL;
    pp(&p, "local __py <const>, __stage <const> = __py, __stage; __py.begin(_ENV, ...); ");
    pp_block(&p, j->tree->module->a);
    if (j->out->bad)
        diag_fail(c, E_memory, (Loc){0}, afmt(c, "%zu", j->n), "?", NULL);
}

bool python_translate(Ctx *c, const char *src, size_t n, const char *chunk, Str *out, PyInfo *info)
{
    PyInfo none = {0};
    PyJob j = {.src = src, .n = n, .chunk = chunk, .out = out, .info = info ? info : &none};
    j.tree = py_parse(c, src, n, chunk, j.info);
    return j.tree && ctx_try(c, python_print, &j);
}
