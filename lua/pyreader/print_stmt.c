/* lua/pyreader/print_stmt.c: simple statements, and what an assignment does. */
#include <assert.h>
#include <string.h>

#include "print.h"
#include "err/python_scope.h"

/* Assignment -------------------------------------------------------------- */

static void value_of(PyPrint *p, const PyNode *value, const char *text)
{
    if (value)
        pp_expr(p, value);
    else
        pp(p, "%s", text);
}

/* A kernel's variable gets a value in the block at hand. */
static void note_block(PyPrint *p, PyVar *v)
{
    for (uint32_t i = 0; i < v->nblock; i++)
        if (v->blocks[i] == p->fn->block)
            return;
    agrow(p->c, &v->blocks, &v->capblock, v->nblock + 1, sizeof *v->blocks);
    v->blocks[v->nblock++] = p->fn->block;
}

/* verb: of a kernel's name, what of __py.* gives it the value. */
void pp_name_give(PyPrint *p, const char *verb, const char *name, const PyNode *value, const char *text)
{
    PyVar *v = py_find(p->c, p->scope, name);
    PyFn *f = p->fn;
    bool own = v->owner == f->scope;
    if (own && f->staged) {
        pp(p, "%s = __py.%s(__st%u, %s, ", v->lua, verb, f->level, v->lua);
        value_of(p, value, text);
        pp(p, ", \"%s\", %u%s);", v->name, f->block, p->looping ? ", \"turn\"" : v->captured ? ", \"shared\"" : "");
        note_block(p, v);
    } else {
        pp(p, "%s = ", v->lua);
        value_of(p, value, text);
        pp(p, ";");
    }
    if (own)
        f->has[v->index] = true;
}

void pp_name_set(PyPrint *p, const char *name, const PyNode *value, const char *text)
{
    pp_name_give(p, "assign", name, value, text);
}

static uint32_t length(const PyNode *list)
{
    uint32_t n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

static const PyNode *starred(const PyNode *list)
{
    for (; list; list = list->next)
        if (list->kind == PYStarred)
            return list;
    return NULL;
}

/* Temporaries of their own for n values; the caller closes the `do`. */
static uint32_t open_temps(PyPrint *p, uint32_t n)
{
    uint32_t first = p->ntemp + 1;
    pp(p, "do local ");
    for (uint32_t i = 0; i < n; i++)
        pp(p, "%s__t%u", i ? ", " : "", pp_temp(p));
    pp(p, " = ");
    return first;
}

/* Kernels: the present values of the names among the targets, for __py.taken, and what the others are. */
static void present(PyPrint *p, const PyNode *targets)
{
    for (const PyNode *k = targets; k; k = k->next) {
        PyVar *v = k->kind == PYName ? py_find(p->c, p->scope, k->text) : NULL;
        const PyNode *t = k->kind == PYStarred ? k->a : k;
        bool list = t->kind == PYTuple || t->kind == PYList;
        pp(p, "%s, ", list ? "__py.several" : t->kind != PYName ? "__py.place" : v && v->owner == p->fn->scope ? v->lua : "nil");
    }
}

/* (a, b, ..) = value */
static void assign_list(PyPrint *p, const PyNode *targets, const PyNode *value, const char *text)
{
    uint32_t n = length(targets), first;
    const PyNode *star = starred(targets);
    bool apart = value && !star && (value->kind == PYTuple || value->kind == PYList) && length(value->a) == n &&
                 !starred(value->a);
    if (!n) {
        pp(p, "__py.unpack(");
        value_of(p, value, text);
        pp(p, ", 0);");
        return;
    }
    first = open_temps(p, n);
    if (p->fn->staged) {
        pp(p, "__py.taken(%u, ", n);
        present(p, targets);
    }
    if (apart) {
        pp_list(p, value->a);
    } else {
        pp(p, star ? "__py.unpackstar(" : "__py.unpack(");
        value_of(p, value, text);
        if (star)
            pp(p, ", %u, %u)", n - length(star), length(star->next));
        else
            pp(p, ", %u)", n);
    }
    pp(p, p->fn->staged ? "); " : "; ");
    for (const PyNode *k = targets; k; k = k->next)
        pp_assign(p, k->kind == PYStarred ? k->a : k, NULL, afmt(p->c, "__t%u", first++));
    pp(p, " end ");
}

static void assign_index(PyPrint *p, const PyNode *n, const PyNode *value, const char *text)
{
    uint32_t t = 0;
    if (value) { /* evaluated before the target's parts */
        t = open_temps(p, 1);
        pp_expr(p, value);
        pp(p, "; ");
    }
    pp(p, "__py.setindex(");
    pp_expr(p, n->a);
    if (value)
        pp(p, ", __t%u", t);
    else
        pp(p, ", %s", text);
    pp_index(p, n->b);
    pp(p, value ? ") end " : ");");
}

static void assign_attr(PyPrint *p, const PyNode *n, const PyNode *value, const char *text)
{
    uint32_t t = 0;
    if (value) {
        t = open_temps(p, 1);
        pp_expr(p, value);
        pp(p, "; ");
    }
    pp(p, "__py.setattr(");
    pp_expr(p, n->a);
    if (value)
        pp(p, ", \"%s\", __t%u) end ", pp_attr_name(p, n->text), t);
    else
        pp(p, ", \"%s\", %s);", pp_attr_name(p, n->text), text);
}

void pp_assign(PyPrint *p, const PyNode *target, const PyNode *value, const char *text)
{
    pp_line(p, target);
    switch ((enum PyKind)target->kind) {
    case PYName: pp_name_set(p, target->text, value, text); break;
    case PYTuple: case PYList: assign_list(p, target->a, value, text); break;
    case PYSubscript: assign_index(p, target, value, text); break;
    case PYAttribute: assign_attr(p, target, value, text); break;
    case PYStarred: pp_fail(p, E_py_star_here, target, NULL, NULL);
    default: assert(false);
    }
}

/* a = b = value */
static void assign(PyPrint *p, const PyNode *n)
{
    if (!n->a->next) {
        pp_assign(p, n->a, n->b, NULL);
        return;
    }
    uint32_t t = open_temps(p, 1);
    if (p->fn->staged)
        pp(p, "__py.taken(1, __py.place, ");
    pp_expr(p, n->b);
    pp(p, p->fn->staged ? "); " : "; ");
    for (const PyNode *k = n->a; k; k = k->next)
        pp_assign(p, k, NULL, afmt(p->c, "__t%u", t));
    pp(p, " end ");
}

/* o[k] op= v: o and k once, what is there before v. */
static void aug_index(PyPrint *p, const PyNode *n, const char *op)
{
    const PyNode *t = n->a;
    uint32_t keys = pp_index_count(t->b), o = open_temps(p, 1 + keys);
    const char *at = "";
    for (uint32_t i = 1; i <= keys; i++)
        at = afmt(p->c, "%s, __t%u", at, o + i);
    pp_expr(p, t->a);
    pp_index(p, t->b);
    pp(p, "; __py.setindex(__t%u, __py.i%s(__py.index(__t%u%s), ", o, op, o, at);
    pp_expr(p, n->b);
    pp(p, ")%s) end ", at);
}

static void aug_assign(PyPrint *p, const PyNode *n)
{
    const char *op = pp_operator((enum PyOp)n->op);
    const PyNode *t = n->a;
    pp_line(p, t);
    if (t->kind == PYSubscript) {
        aug_index(p, n, op);
    } else if (t->kind == PYAttribute) {
        uint32_t o = open_temps(p, 1);
        const char *name = pp_attr_name(p, t->text);
        pp_expr(p, t->a);
        pp(p, "; __py.setattr(__t%u, \"%s\", __py.i%s(__py.attr(__t%u, \"%s\"), ", o, name, op, o, name);
        pp_expr(p, n->b);
        pp(p, ")) end ");
    } else {
        uint32_t k = open_temps(p, 1);
        pp(p, "__py.i%s(", op);
        pp_read(p, t);
        pp(p, ", ");
        pp_expr(p, n->b);
        pp(p, "); ");
        pp_name_give(p, "augment", t->text, NULL, afmt(p->c, "__t%u", k));
        pp(p, " end ");
    }
}

/* name: type and name: type = value.  In a kernel the type of a parameter declares; elsewhere nobody asks for it
 * but a class. */
static void ann_assign(PyPrint *p, const PyNode *n)
{
    const PyNode *t = n->a;
    pp_line(p, n);
    if (p->scope->node->kind == PYClassDef && t->kind == PYName) {
        pp(p, "__py.annotated(__ns, \"%s\", function() return ", t->text);
        pp_expr(p, n->b);
        pp(p, " end);");
    } else if (p->fn->staged && t->kind == PYName) {
        const PyVar *v = py_find(p->c, p->scope, t->text);
        if (n->c) {
            uint32_t k = open_temps(p, 1);
            pp(p, "__py.typed(\"%s\", ", t->text);
            pp_expr(p, n->b);
            pp(p, ", ");
            pp_expr(p, n->c);
            pp(p, "); ");
            pp_name_set(p, t->text, NULL, afmt(p->c, "__t%u", k));
            pp(p, " end ");
            return;
        }
        bool param = v->param && v->owner == p->fn->scope;
        if (param)
            pp(p, "%s = __py.annotate(\"%s\", %s, ", v->lua, t->text, v->lua);
        else
            pp(p, "__py.declared(\"%s\", ", t->text);
        pp_expr(p, n->b);
        pp(p, ");");
        if (param)
            p->fn->has[v->index] = true;
        return;
    }
    if (n->c)
        pp_assign(p, t, n->c, NULL);
}

/* Other simple statements -------------------------------------------------- */

static void delete(PyPrint *p, const PyNode *n)
{
    for (const PyNode *k = n->a; k; k = k->next) {
        pp_line(p, k);
        if (k->kind == PYName) {
            const PyVar *v = py_find(p->c, p->scope, k->text);
            pp(p, "__py.present(");
            pp_read(p, k);
            pp(p, "); %s = nil;", v->lua);
            if (v->owner == p->fn->scope)
                p->fn->has[v->index] = false;
        } else if (k->kind == PYSubscript) {
            pp(p, "__py.delindex(");
            pp_expr(p, k->a);
            pp_index(p, k->b);
            pp(p, ");");
        } else if (k->kind == PYAttribute) {
            pp(p, "__py.delattr(");
            pp_expr(p, k->a);
            pp(p, ", \"%s\");", pp_attr_name(p, k->text));
        } else {
            delete(p, &(PyNode){.a = k->a});
        }
    }
}

/* A condition that is known when the kernel runs is tested there. */
static void assertion(PyPrint *p, const PyNode *n)
{
    pp(p, "__py.%s(", p->fn->staged ? "sassert" : "assert");
    pp_expr(p, n->a);
    if (n->b) {
        pp(p, ", function() return ");
        pp_expr(p, n->b);
        pp(p, " end");
    }
    pp(p, ");");
}

static void raise(PyPrint *p, const PyNode *n)
{
    pp(p, "__py.raise(");
    if (n->a)
        pp_expr(p, n->a);
    if (n->b) {
        pp(p, ", ");
        pp_expr(p, n->b);
    }
    pp(p, ");");
    p->fn->ended = true;
}

static void import(PyPrint *p, const PyNode *n)
{
    for (const PyNode *k = n->a; k; k = k->next) {
        const char *dot = strchr(k->text, '.');
        const char *what = afmt(p->c, "__py.import%s(\"%s\")", k->text2 ? "_as" : "", k->text);
        pp_line(p, k);
        pp_name_set(p, k->text2 ? k->text2 : dot ? astr(p->c, k->text, (size_t)(dot - k->text)) : k->text, NULL, what);
    }
}

static void import_from(PyPrint *p, const PyNode *n)
{
    const char *module = n->text ? n->text : ""; /* from . import x */
    for (const PyNode *k = n->a; k; k = k->next) {
        pp_line(p, k);
        if (strcmp(k->text, "*") == 0)
            pp(p, "__py.star_import(_ENV, \"%s\", %u);", module, n->op);
        else
            pp_name_set(p, k->text2 ? k->text2 : k->text, NULL,
                        afmt(p->c, "__py.import_from(%s\"%s\", \"%s\")", n->op ? afmt(p->c, "%u, ", n->op) : "", module,
                             k->text));
    }
}

static void expr_statement(PyPrint *p, const PyNode *n)
{
    const PyNode *e = n->a;
    if (n == p->value) { /* in parentheses: no tail call, which would take the program's place on the stack */
        pp(p, "return (");
        pp_expr(p, e);
        pp(p, ")");
        return;
    }
    if (e->kind == PYConstant) /* a docstring, or `...` */
        return;
    if (e->kind == PYCall) {
        pp_expr(p, e);
        pp(p, ";");
        return;
    }
    pp(p, "__py.drop(");
    pp_expr(p, e);
    pp(p, ");");
}

static void statement(PyPrint *p, const PyNode *n)
{
    bool defines = n->kind == PYFunctionDef || n->kind == PYClassDef;
    pp_line(p, defines && n->c ? n->c : n);
    switch ((enum PyKind)n->kind) {
    case PYFunctionDef: pp_def(p, n); break;
    case PYClassDef: pp_class(p, n); break;
    case PYReturn: pp_return(p, n); break;
    case PYDelete: delete(p, n); break;
    case PYAssign: assign(p, n); break;
    case PYAugAssign: aug_assign(p, n); break;
    case PYAnnAssign: ann_assign(p, n); break;
    case PYFor: pp_for(p, n); break;
    case PYWhile: pp_while(p, n); break;
    case PYIf: pp_if(p, n); break;
    case PYWith: pp_with(p, n); break;
    case PYRaise: raise(p, n); break;
    case PYTry: pp_try(p, n); break;
    case PYAssert: assertion(p, n); break;
    case PYImport: import(p, n); break;
    case PYImportFrom: import_from(p, n); break;
    case PYExpr: expr_statement(p, n); break;
    case PYBreak: case PYContinue: pp_jump(p, n); break;
    case PYGlobal: case PYNonlocal: case PYPass: break;
    default: assert(false);
    }
    pp(p, " ");
}

void pp_statements(PyPrint *p, const PyNode *list, const PyNode *until)
{
    p->fn->ended = false;
    for (const PyNode *n = list; n && n != until; n = n->next) {
        p->depth = 0;
        if (p->fn->ended) /* not reached; Lua takes nothing behind a return */
            break;
        statement(p, n);
    }
}

void pp_block(PyPrint *p, const PyNode *list) { pp_statements(p, list, NULL); }
