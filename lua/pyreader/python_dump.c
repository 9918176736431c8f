/* lua/pyreader/python_dump.c: the tree as text, for tests: one node a line, under the name of its field.
 *
 *     Module @0-6
 *       body Assign @0-5
 *         targets Name x @0-1
 *         value Constant int 1 @4-5 */
#include <string.h>

#include "python_p.h"

typedef struct KindInfo { const char *name, *field[4], *text; } KindInfo;

static const KindInfo kinds[NPyKind] = {
#define N(kind, a, b, c, d, text) [PY##kind] = {#kind, {a, b, c, d}, text},
    PY_STATEMENTS(N)
    PY_EXPRESSIONS(N)
#undef N
};

static const char *const ops[NPyOp] = {
#define O(id, text) #id,
    "", PY_OPERATORS(O)
#undef O
};

static const char *const consts[] = {"None", "True", "False", "Ellipsis",
                                     "int", "float", "str", "bytes"};
static const char *const args[] = {"posonly", "pos", "vararg", "kwonly", "kwarg"};

/* Bytes in quotes; what is not printable ASCII as \xHH. */
static void quoted(Str *out, const char *s, size_t n)
{
    str_puts(out, " \"");
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c < 32 || c > 126 || c == '"' || c == '\\')
            str_fmt(out, "\\x%02x", c);
        else
            str_add(out, s + i, 1);
    }
    str_puts(out, "\"");
}

static void constant(Str *out, const PyNode *n)
{
    str_fmt(out, " %s", consts[n->op]);
    if (n->op == PCint)
        str_fmt(out, " %lld", (long long)n->i);
    if (n->op == PCfloat)
        str_fmt(out, " %.17g", n->f);
    if (n->op == PCstr || n->op == PCbytes)
        quoted(out, n->text, n->ntext);
}

/* What a node has besides other nodes. */
static void own(Str *out, const PyNode *n)
{
    switch (n->kind) {
    case PYConstant: constant(out, n); return;
    case PYBoolOp: case PYBinOp: case PYAugAssign: case PYUnaryOp: case PYComparison:
        str_fmt(out, " %s", ops[n->op]); break;
    case PYFormattedValue: str_fmt(out, " %c", n->op ? n->op : '-'); break;
    case PYImportFrom: str_fmt(out, " %d", n->op); break;
    case PYArg: str_fmt(out, " %s", args[n->op]); break;
    default: break;
    }
    if (n->text)
        str_fmt(out, " %s", n->text);
    if (n->text2)
        str_fmt(out, " as %s", n->text2);
}

static void dump(Str *out, const PyNode *n, const char *field, int level)
{
    const KindInfo *k = &kinds[n->kind];
    const PyNode *of[4] = {n->a, n->b, n->c, n->d};
    str_fmt(out, "%*s%.*s%s%s", level * 2, "", (int)strcspn(field, "*"), field, *field ? " " : "",
            k->name);
    own(out, n);
    str_fmt(out, " @%u-%u\n", (unsigned)n->at, (unsigned)n->end);
    for (int i = 0; i < 4; i++)
        for (const PyNode *c = of[i]; c; c = strchr(k->field[i], '*') ? c->next : NULL)
            dump(out, c, k->field[i], level + 1);
}

void py_dump(const PyTree *t, Str *out) { dump(out, t->module, "", 0); }
