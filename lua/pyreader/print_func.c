/* lua/pyreader/print_func.c: functions, lambdas, classes, comprehensions: what has variables of its own. */
#include <string.h>

#include "print.h"
#include "err/python_scope.h"

static void fn_open(PyPrint *p, PyFn *f, PyScope *s)
{
    *f = (PyFn){.up = p->fn, .scope = s, .level = p->fn->level + 1};
    f->has = anew(p->c, s->nvar + 1);
    f->parent = NULL;
    p->fn = f;
    p->scope = s;
}

static void fn_close(PyPrint *p)
{
    PyFn *f = p->fn;
    p->fn = f->up;
    p->scope = p->fn->scope;
}

/* Names as classes have them: __x of class C is _C__x. */
const char *pp_attr_name(PyPrint *p, const char *name)
{
    size_t n = strlen(name);
    const PyScope *s = p->scope;
    if (strncmp(name, "__", 2) != 0 || (n > 3 && strcmp(name + n - 2, "__") == 0))
        return name;
    while (s && s->node->kind != PYClassDef)
        s = s->up;
    return s ? afmt(p->c, "_%s%s", s->node->text, name) : name;
}

/* Signatures --------------------------------------------------------------- */

typedef struct Params { uint32_t pos, posonly, kwonly; const PyNode *vararg, *kwarg; } Params;

static Params params_of(const PyNode *args)
{
    Params q = {0};
    for (const PyNode *a = args; a; a = a->next)
        switch ((enum PyArg)a->op) {
        case PAposonly: q.posonly++; q.pos++; break;
        case PApos: q.pos++; break;
        case PAkwonly: q.kwonly++; break;
        case PAvararg: q.vararg = a; break;
        case PAkwarg: q.kwarg = a; break;
        }
    return q;
}

static bool is_named(const PyNode *a) { return a->op != PAvararg && a->op != PAkwarg; }

static void defaults(PyPrint *p, const PyNode *args)
{
    const char *sep = ", default = {";
    uint32_t i = 0;
    for (const PyNode *a = args; a; a = a->next) {
        i += is_named(a);
        if (!a->b)
            continue;
        pp(p, "%s[%u] = ", sep, i);
        pp_expr(p, a->b);
        sep = ", ";
    }
    if (sep[1] == ' ' && !sep[2])
        pp(p, "}");
}

static const PyNode *docstring(const PyNode *body)
{
    const PyNode *e = body && body->kind == PYExpr ? body->a : NULL;
    return e && e->kind == PYConstant && e->op == PCstr ? e : NULL;
}

/* "A.f", "f.<locals>.g": a function's name with those around it. */
static const char *qualified(PyPrint *p, const char *name, const PyScope *s)
{
    const PyScope *up = s->up;
    for (; up && up->up; up = up->up) {
        bool cls = up->node->kind == PYClassDef, fn = up->node->kind == PYFunctionDef;
        if (cls || fn || up->node->kind == PYLambda)
            name = afmt(p->c, "%s%s.%s", cls || fn ? up->node->text : "<lambda>", cls ? "" : ".<locals>", name);
    }
    return name;
}

/* Does an annotation name what the function assigns to as well, and what is known around it?  It means the latter:
 * Python evaluates it there.  A name that only the function's body makes is the body's. */
static bool hidden_names(PyPrint *p, PyScope *s, const PyNode *n)
{
    for (; n; n = n->next) {
        const PyVar *v = n->kind == PYName ? py_find(p->c, s, n->text) : NULL;
        if (v && v->owner == s && !v->param) {
            PyScope *around = py_find(p->c, s->up, n->text)->owner;
            if (py_find(p->c, around, n->text)->bound)
                return true;
        }
        if (hidden_names(p, s, n->a) || hidden_names(p, s, n->b) || hidden_names(p, s, n->c) ||
            hidden_names(p, s, n->d))
            return true;
    }
    return false;
}

/* The annotation of a parameter alone: it is in the list of parameters. */
static bool hides(PyPrint *p, PyScope *s, const PyNode *arg) { return arg->a && hidden_names(p, s, arg->a); }

/* Of a kernel, those annotations that its own variables would hide, by the parameter's number. */
static void around_kernel(PyPrint *p, const PyNode *args, PyScope *s)
{
    const char *sep = ", around = {";
    uint32_t i = 0;
    for (const PyNode *a = args; a; a = a->next) {
        i++;
        if (!hides(p, s, a))
            continue;
        pp(p, "%s[%u] = function() ", sep, i);
        pp_line(p, a);
        pp(p, "return ");
        pp_expr(p, a->a);
        pp(p, " end");
        sep = ", ";
    }
    pp(p, sep[2] ? "" : "}");
}

/* What the parameters and the result are said to be, evaluated when somebody asks. */
static void annotations(PyPrint *p, const PyNode *args, const PyNode *returns)
{
    const char *sep = ", annotation = {";
    uint32_t i = 0;
    for (const PyNode *a = args; a; a = a->next) {
        i += is_named(a);
        if (!a->a || !is_named(a))
            continue;
        pp(p, "%s[%u] = function() return ", sep, i);
        pp_expr(p, a->a);
        pp(p, " end");
        sep = ", ";
    }
    pp(p, sep[2] ? "" : "}");
    if (returns) {
        pp(p, ", returns = function() return ");
        pp_expr(p, returns);
        pp(p, " end");
    }
}

static void signature(PyPrint *p, const PyNode *n, const PyNode *args, PyScope *s)
{
    Params q = params_of(args);
    const char *name = n->kind == PYLambda ? "<lambda>" : n->text, *qual = qualified(p, name, s);
    const PyNode *doc = n->kind == PYLambda ? NULL : docstring(n->b);
    pp(p, "{name = \"%s\", npos = %u", name, q.pos);
    if (qual != name)
        pp(p, ", qual = \"%s\"", qual);
    if (q.posonly)
        pp(p, ", posonly = %u", q.posonly);
    if (q.vararg)
        pp(p, ", vararg = \"%s\"", q.vararg->text);
    if (q.kwarg)
        pp(p, ", kwarg = \"%s\"", q.kwarg->text);
    if (s->generator)
        pp(p, ", gen = true");
    if (s->stage)
        pp(p, ", stage = \"%s\"", s->stage == PSmacro ? "macro" : "kernel");
    for (const PyNode *a = args; a; a = a->next)
        if (is_named(a))
            pp(p, ", \"%s\"", a->text);
    defaults(p, args);
    if (s->stage != PSmacro && n->kind != PYLambda)
        annotations(p, args, n->d);
    if (s->stage)
        around_kernel(p, args, s);
    if (doc) {
        pp(p, ", doc = ");
        pp_string(p, doc->text, doc->ntext);
    }
    pp(p, "}");
}

/* The parameters that Lua's function has by name. */
static void parameters(PyPrint *p, const PyNode *args)
{
    for (const PyNode *a = args; a; a = a->next)
        if (a->op <= PApos)
            pp(p, "%s, ", py_find(p->c, p->scope, a->text)->lua);
    pp(p, "...) ");
}

static void positional(PyPrint *p, const PyNode *args)
{
    for (const PyNode *a = args; a; a = a->next)
        if (a->op <= PApos)
            pp(p, "%s, ", py_find(p->c, p->scope, a->text)->lua);
}

/* What is missing is a default; what is too much, or has a name, finds its place. */
static void bind_arguments(PyPrint *p, const PyNode *args, uint32_t sig)
{
    Params q = params_of(args);
    const char *sep = "";
    for (const PyNode *a = args; a; a = a->next)
        p->fn->has[py_find(p->c, p->scope, a->text)->index] = true;
    if (!q.kwonly && !q.vararg && !q.kwarg) {
        pp(p, "if ");
        for (const PyNode *a = args; a; a = a->next)
            pp(p, "%s == nil or ", py_find(p->c, p->scope, a->text)->lua);
        pp(p, "(...) ~= nil then ");
        for (const PyNode *a = args; a; a = a->next, sep = ", ")
            pp(p, "%s%s", sep, py_find(p->c, p->scope, a->text)->lua);
        pp(p, "%s__py.args(__sig%u, ", args ? " = " : "", sig);
        positional(p, args);
        pp(p, "...) end ");
        return;
    }
    pp(p, "local ");
    for (const PyNode *a = args; a; a = a->next)
        if (a->op == PAkwonly) {
            pp(p, "%s%s", sep, py_find(p->c, p->scope, a->text)->lua);
            sep = ", ";
        }
    if (q.vararg) {
        pp(p, "%s%s", sep, py_find(p->c, p->scope, q.vararg->text)->lua);
        sep = ", ";
    }
    if (q.kwarg)
        pp(p, "%s%s", sep, py_find(p->c, p->scope, q.kwarg->text)->lua);
    pp(p, "; ");
    sep = "";
    for (int round = 0; round < 4; round++)
        for (const PyNode *a = args; a; a = a->next) {
            static const int of[] = {[PAposonly] = 0, [PApos] = 0, [PAkwonly] = 1, [PAvararg] = 2, [PAkwarg] = 3};
            if (of[a->op] != round)
                continue;
            pp(p, "%s%s", sep, py_find(p->c, p->scope, a->text)->lua);
            sep = ", ";
        }
    pp(p, " = __py.args(__sig%u, ", sig);
    positional(p, args);
    pp(p, "...) ");
}

/* Variables that are no parameters. */
static void locals(PyPrint *p)
{
    const PyScope *s = p->scope;
    const char *sep = "local ";
    for (const PyVar *v = s->var; v; v = v->next) {
        if (v->owner != s || v->param || strncmp(v->lua, "__spill", 7) == 0)
            continue;
        pp(p, "%s%s", sep, v->lua);
        sep = ", ";
    }
    if (*sep == ',')
        pp(p, "; ");
    if (s->spills)
        pp(p, "local __spill%u = {}; ", s->id);
}

/* Bodies ------------------------------------------------------------------- */

/* The last statement `name: type` of a kernel's body; NULL: none. */
static const PyNode *last_annotation(const PyNode *body)
{
    const PyNode *last = NULL;
    for (const PyNode *n = body; n; n = n->next)
        if (n->kind == PYAnnAssign && !n->c && n->a->kind == PYName)
            last = n;
    return last;
}

/* A kernel: its frame, its parameters' types, its statements. */
static void staged_body(PyPrint *p, const PyNode *n)
{
    PyFn *f = p->fn;
    const char *sep = "";
    bool typed = false;
    pp(p, "local __st%u = __stage.frame(); ", f->level);
    if (n->a) {
        for (const PyNode *a = n->a; a; a = a->next, sep = ", ")
            pp(p, "%s%s", sep, py_find(p->c, p->scope, a->text)->lua);
        sep = " = __py.given(";
        for (const PyNode *a = n->a; a; a = a->next, sep = ", ")
            pp(p, "%s%s", sep, py_find(p->c, p->scope, a->text)->lua);
        pp(p, "); ");
    }
    uint32_t i = 0;
    for (const PyNode *a = n->a; a; a = a->next) {
        i++;
        if (!a->a)
            continue;
        const char *lua = py_find(p->c, p->scope, a->text)->lua;
        pp_line(p, a);
        pp(p, "%s = __py.annotate(\"%s\", %s, ", lua, a->text, lua);
        if (hides(p, f->scope, a))
            pp(p, "__sig%u.around[%u]()", f->level, i);
        else
            pp_expr(p, a->a);
        pp(p, "); ");
        typed = true;
    }
    const PyNode *last = last_annotation(n->b);
    bool kernel = f->scope->stage == PSkernel;
    if (typed && !last && kernel)
        pp(p, "__stage.sigend(); ");
    if (!last || !kernel) {
        pp_block(p, n->b);
        return;
    }
    pp_statements(p, n->b, last->next);
    pp(p, "__stage.sigend(); ");
    if (!f->ended)
        pp_statements(p, last->next, NULL);
}

static void function_body(PyPrint *p, const PyNode *n)
{
    PyFn *f = p->fn;
    locals(p);
    if (f->staged) {
        staged_body(p, n);
    } else if (f->scope->generator) {
        pp(p, "return __py.generator(function() ");
        pp_block(p, n->b);
        pp(p, "%send)()", f->ended ? " " : " return __py.None ");
        return;
    } else {
        pp_block(p, n->b);
    }
    if (!f->ended && !f->staged)
        pp(p, " return __py.None");
}

static void function(PyPrint *p, const PyNode *n)
{
    PyScope *s = py_scope(n);
    PyFn f;
    pp_line(p, n);
    pp(p, "__py.func(");
    signature(p, n, n->a, s);
    fn_open(p, &f, s);
    f.staged = f.symbolic = s->stage != PSplain;
    pp(p, ", function(__sig%u) return function(", f.level);
    parameters(p, n->a);
    bind_arguments(p, n->a, f.level);
    function_body(p, n);
    fn_close(p);
    pp(p, " end end)");
}

/* `@a`, `@b(1)` in front of a definition: each is evaluated in its line, and called as of it. */
static void decorators(PyPrint *p, const PyNode *n)
{
    for (const PyNode *d = n->c; d; d = d->next) {
        pp_line(p, d);
        pp(p, "__py.decorated(");
        pp_expr(p, d);
        pp(p, ", ");
    }
}

static void decorated(PyPrint *p, const PyNode *n)
{
    for (const PyNode *d = n->c; d; d = d->next)
        pp(p, ")");
    pp(p, ";");
}

void pp_def(PyPrint *p, const PyNode *n)
{
    PyVar *v = py_find(p->c, p->scope, n->text);
    pp(p, "%s = ", v->lua);
    decorators(p, n);
    function(p, n);
    decorated(p, n);
    if (v->owner == p->fn->scope)
        p->fn->has[v->index] = true;
}

void pp_lambda(PyPrint *p, const PyNode *n)
{
    PyScope *s = py_scope(n);
    PyFn f;
    pp(p, "__py.func(");
    signature(p, n, n->a, s);
    fn_open(p, &f, s);
    f.symbolic = f.up->symbolic;
    pp(p, ", function(__sig%u) return function(", f.level);
    parameters(p, n->a);
    bind_arguments(p, n->a, f.level);
    locals(p);
    if (s->generator)
        pp(p, "return __py.generator(function() ");
    pp(p, "return (");
    pp_expr(p, n->b);
    pp(p, s->generator ? ") end)() end end)" : ") end end)");
    fn_close(p);
}

/* Classes ------------------------------------------------------------------ */

void pp_class(PyPrint *p, const PyNode *n)
{
    PyVar *v = py_find(p->c, p->scope, n->text);
    PyScope *s = py_scope(n);
    const PyNode *doc = docstring(n->b);
    PyFn f;
    pp(p, "%s = ", v->lua);
    decorators(p, n);
    pp_line(p, n);
    pp(p, "(function() local __class; __class = __py.class(\"%s\", __py.tuple{", n->text);
    for (const PyNode *b = n->a; b; b = b->next)
        if (b->kind != PYKeyword) {
            pp_expr(p, b);
            pp(p, ", ");
        }
    pp(p, "}, ");
    const char *sep = "__py.dict{";
    for (const PyNode *b = n->a; b; b = b->next)
        if (b->kind == PYKeyword) {
            pp(p, "%s\"%s\", ", sep, b->text);
            pp_expr(p, b->a);
            sep = ", ";
        }
    pp(p, *sep == ',' ? "}" : "nil");
    pp(p, ", function(__ns) ");
    fn_open(p, &f, s);
    if (doc) {
        pp(p, "__ns.__doc__ = ");
        pp_string(p, doc->text, doc->ntext);
        pp(p, "; ");
    }
    pp_block(p, n->b);
    fn_close(p);
    pp(p, " end");
    const char *qual = qualified(p, n->text, s);
    if (qual != n->text)
        pp(p, ", \"%s\"", qual);
    pp(p, ") return __class end)()");
    decorated(p, n);
    if (v->owner == p->fn->scope)
        p->fn->has[v->index] = true;
}

/* Comprehensions ------------------------------------------------------------ */

static void comprehension_loops(PyPrint *p, const PyNode *n, const PyNode *g, bool first)
{
    uint32_t t = pp_temp(p);
    pp(p, "for __t%u in __py.iter(", t);
    if (first)
        pp(p, "__first");
    else
        pp_expr(p, g->b);
    pp(p, ") do ");
    pp_assign(p, g->a, NULL, afmt(p->c, "__t%u", t));
    for (const PyNode *c = g->c; c; c = c->next) {
        pp(p, " if __py.truth(");
        pp_expr(p, c);
        pp(p, ") then");
    }
    pp(p, " ");
    if (g->next) {
        comprehension_loops(p, n, g->next, false);
    } else {
        pp(p, "__add(");
        pp_expr(p, n->a);
        if (n->kind == PYDictComp) {
            pp(p, ", ");
            pp_expr(p, n->b);
        }
        pp(p, ")");
    }
    for (const PyNode *c = g->c; c; c = c->next)
        pp(p, " end");
    pp(p, " end");
}

void pp_comprehension(PyPrint *p, const PyNode *n)
{
    static const char *const kinds[NPyKind] = {
        [PYListComp] = "list", [PYSetComp] = "set", [PYDictComp] = "dict", [PYGeneratorExp] = "generator"};
    const PyNode *gen = n->kind == PYDictComp ? n->c : n->b;
    PyFn f;
    pp(p, "__py.collect(\"%s\", ", kinds[n->kind]);
    pp_iterated(p, gen->b);
    fn_open(p, &f, py_scope(n));
    f.symbolic = f.up->symbolic;
    pp(p, ", function(__first, __add) ");
    locals(p);
    comprehension_loops(p, n, gen, true);
    fn_close(p);
    pp(p, " end)");
}
