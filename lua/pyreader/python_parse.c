/* lua/pyreader/python_parse.c: the entry of the reader of Python, and how nodes are made. */
#include <string.h>

#include "err/base.h"
#include "err/python.h"
#include "python_p.h"

PyNode *py_node(PyReader *p, enum PyKind k, uint32_t tok)
{
    PyNode *n = anew(p->c, sizeof *n);
    n->kind = (uint8_t)k;
    n->at = p->tok[tok].at;
    n->line = p->tok[tok].line;
    return n;
}

/* Line ends and the like are no part of a node. */
PyNode *py_done(PyReader *p, PyNode *n)
{
    uint32_t i = p->at;
    while (i-- > 0) {
        enum PyTk k = py_kind(p, i);
        if (k != PTnewline && k != PTindent && k != PTdedent)
            break;
    }
    n->end = p->tok[i].end;
    n->last = p->tok[i].last;
    return n;
}

void py_append(PyList *l, PyNode *n)
{
    if (l->last)
        l->last->next = n;
    else
        l->first = n;
    l->last = n;
}

char *py_copy(PyReader *p, uint32_t at, uint32_t end) { return astr(p->c, p->src + at, end - at); }

Loc py_loc(const PyTree *t, uint32_t at)
{
    Loc l = {.file = t->file, .line = 1};
    uint32_t start = t->n >= 3 && at >= 3 && memcmp(t->src, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (uint32_t i = 0; i < at; i++) {
        if (t->src[i] != '\n' && t->src[i] != '\r')
            continue;
        if (t->src[i] == '\r' && i + 1 < at && t->src[i + 1] == '\n')
            i++;
        l.line++;
        start = i + 1;
    }
    uint32_t col = at - start + 1;
    l.col = (uint16_t)(col < UINT16_MAX ? col : 0);
    return l;
}

/* How deep the tree is: who walks it may recurse.  With a stack of its own, since the reader's limit is of
 * brackets and blocks: `a + b + c` is as deep as it is long. */
enum { MaxTree = 1000 };

typedef struct Depth { const PyNode *n; uint32_t level; } Depth;

static void depth_push(PyReader *p, Depth **stack, uint32_t *n, uint32_t *cap, const PyNode *node,
                       uint32_t level)
{
    if (!node)
        return;
    if (level > MaxTree)
        py_fail(p, E_pysyn_deep, node->at, afmt(p->c, "%d", MaxTree), NULL, NULL, NULL);
    if (*n == *cap)
        agrow(p->c, stack, cap, *cap ? *cap * 2 : 256, sizeof **stack);
    (*stack)[(*n)++] = (Depth){node, level};
}

static void check_depth(PyReader *p, const PyNode *module)
{
    Depth *stack = NULL;
    uint32_t n = 0, cap = 0;
    depth_push(p, &stack, &n, &cap, module, 0);
    while (n) {
        Depth d = stack[--n];
        depth_push(p, &stack, &n, &cap, d.n->next, d.level);
        depth_push(p, &stack, &n, &cap, d.n->a, d.level + 1);
        depth_push(p, &stack, &n, &cap, d.n->b, d.level + 1);
        depth_push(p, &stack, &n, &cap, d.n->c, d.level + 1);
        depth_push(p, &stack, &n, &cap, d.n->d, d.level + 1);
    }
}

/* Would a prompt ask for another line?  The last statement is a block's, and its last line is not blank. */
static bool goes_on(const PyReader *p, const PyNode *module)
{
    const PyNode *n = module->a;
    while (n && n->next)
        n = n->next;
    if (!n || !(n->kind == PYFunctionDef || n->kind == PYClassDef || n->kind == PYFor ||
                n->kind == PYWhile || n->kind == PYIf || n->kind == PYWith || n->kind == PYTry))
        return false;
    return !py_ends_blank(p, 1);
}

typedef struct PyJob {
    PyReader r;
    PyTree *tree;
    size_t n;
    const char *src, *chunk;
} PyJob;

static void parse(Ctx *c, void *ud)
{
    PyJob *j = ud;
    PyReader *p = &j->r;
    PyTree *t = anew(c, sizeof *t);
    p->tree = t;
    t->src = p->src = j->src;
    t->file = ctx_file(c, j->chunk);
    if (j->n > INT32_MAX)
        diag_fail(c, E_memory, (Loc){0}, afmt(c, "%zu", j->n), afmt(c, "%d", INT32_MAX), NULL);
    t->n = p->n = (uint32_t)j->n;
    py_lex(p);
    t->module = py_module(p);
    check_depth(p, t->module);
    p->info->incomplete = goes_on(p, t->module);
    j->tree = t;
}

PyTree *py_parse(Ctx *c, const char *src, size_t n, const char *chunk, PyInfo *info)
{
    PyInfo none;
    PyJob j = {.n = n, .src = src, .chunk = chunk};
    j.r.c = c;
    j.r.info = info ? info : &none;
    j.r.info->incomplete = false;
    return ctx_try(c, parse, &j) ? j.tree : NULL;
}
