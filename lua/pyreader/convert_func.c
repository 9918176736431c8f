/* lua/pyreader/convert_func.c: functions: plain ones, those that T and tl take, lambdas, comprehensions. */
#include <string.h>

#include "convert.h"

uint32_t cv_def_line(const PyNode *n)
{
    uint32_t line = n->line;
    if (n->kind == PYFunctionDef || n->kind == PYClassDef)
        for (const PyNode *d = n->c; d; d = d->next)
            line = d->line < line ? d->line : line;
    return line;
}

/* Decorators -------------------------------------------------------------- */

enum { MostWraps = 4 };

/* What stands around the function: tl.autotune(tl.jit(function .. end, {..}), {..}); the innermost is the last. */
typedef struct Wrap {
    const char *open;
    const PyNode *options[MostWraps]; /* the decorator's call, NULL where it has no arguments */
    uint32_t n;
    bool kernel, jitted;
} Wrap;

static const char *wrapper(const char *path)
{
    static const struct { const char *path, *lua; } table[] = {
        {"tilelang.jit", "tl.jit"}, {"tilelang.lazy_jit", "tl.jit"}, {"tilelang.autotune", "tl.autotune"},
        {"T.prim_func", "T.prim_func"}, {"T.macro", "T.macro"}, {"T.inline", "T.macro"},
    };
    for (size_t i = 0; path && i < COUNT(table); i++)
        if (strcmp(table[i].path, path) == 0)
            return table[i].lua;
    return NULL;
}

static Wrap wrap_of(Cv *p, const PyNode *n)
{
    Wrap w = {.open = ""};
    const PyNode *outer = NULL;
    for (const PyNode *d = n->c; d; d = d->next) {
        const char *of = cv_path(p, d->kind == PYCall ? d->a : d), *lua = wrapper(of);
        if (lua && w.n < MostWraps) {
            w.options[w.n++] = d->kind == PYCall && d->b ? d : NULL;
            w.open = afmt(p->c, "%s%s(", w.open, lua);
            w.jitted |= strcmp(lua, "tl.jit") == 0;
            w.kernel |= strcmp(lua, "T.prim_func") == 0;
            if (strcmp(lua, "tl.autotune") == 0)
                outer = d;
        } else if (!of || strncmp(of, "functools.", 10) != 0) {
            cv_cannot(p, E_py_convert_form, d, afmt(p->c, "the decorator `%s`", cv_source(p, d)), NULL);
        }
    }
    if (outer && !w.jitted)
        cv_cannot(p, E_py_convert_form, outer, "autotune without jit", NULL);
    return w;
}

/* A function of the kernel's statements: launches, or is a macro, a prim_func. */
static bool makes_kernels(const PyNode *list)
{
    for (const PyNode *n = list; n; n = n->next)
        if (n->kind == PYFunctionDef && n->c)
            for (const PyNode *d = n->c; d; d = d->next)
                if ((d->kind == PYAttribute || d->kind == PYName) && strcmp(d->text, "prim_func") == 0)
                    return true;
    return false;
}

static void options_of(Cv *p, const PyNode *call)
{
    if (!call)
        return;
    cv(p, ", ");
    if (call->b->kind != PYKeyword)
        cv_cannot(p, E_py_convert_form, call, "a decorator's argument without a name", NULL);
    cv_options(p, call->b);
}

/* Parameters -------------------------------------------------------------- */

static void parameters(Cv *p, const PyNode *args)
{
    const char *sep = "";
    cv(p, "(");
    for (const PyNode *a = args; a; a = a->next) {
        CvVar *v = cv_find(p, p->scope, a->text);
        v->lua = cv_lua_name(p, a->text);
        cv(p, "%s%s", sep, a->op == PAvararg ? "..." : v->lua);
        sep = ", ";
        if (a->op == PAkwarg || (a->op == PAvararg && a->next))
            cv_cannot(p, E_py_convert_form, a, a->op == PAkwarg ? "**" : "* and a parameter behind it", NULL);
    }
    cv(p, ")");
}

/* Where what a parameter is given stands: on its own line, if it has one. */
static void own_line(Cv *p, const PyNode *a, const PyNode *def)
{
    p->stmt = NULL;
    p->indent = p->open->indent;
    if (a->line > def->line)
        cv_move(p, a->line);
    cv(p, p->fresh ? "%s" : " %s", "");
}

/* After `A: ` a type begins with a name. */
bool cv_is_type(Cv *p, const PyNode *ann)
{
    bool call = ann->kind == PYCall || ann->kind == PYSubscript;
    bool fits = ann->kind == PYName || (ann->kind == PYAttribute && cv_path(p, ann)) ||
                (call && cv_path(p, ann->a));
    if (!fits)
        cv_cannot(p, E_py_convert_form, ann, "this annotation", NULL);
    return fits;
}

static void scalar_type(Cv *p, const PyNode *ann)
{
    static const struct { const char *py, *lua; } table[] = {
        {"int", "T.int32"}, {"float", "T.float32"}, {"bool", "T.bool"},
    };
    for (size_t i = 0; i < COUNT(table); i++)
        if (ann->kind == PYName && strcmp(ann->text, table[i].py) == 0) {
            cv(p, "%s", table[i].lua);
            return;
        }
    if (cv_is_type(p, ann))
        cv_expr(p, ann, CVor);
}

/* Annotations that a jit function's compile-time values have. */
static bool is_plain_type(Cv *p, const PyNode *ann)
{
    const char *of = cv_path(p, ann->kind == PYSubscript || ann->kind == PYCall ? ann->a : ann);
    if (ann->kind == PYConstant && (ann->op == PCnone || ann->op == PCstr))
        return true;
    if (!of)
        return ann->kind == PYName || ann->kind == PYSubscript || ann->kind == PYAttribute || ann->kind == PYBinOp; /* int | None */
    return strncmp(of, "T.", 2) != 0 || strcmp(of, "T.dtype") == 0;
}

/* Types and defaults, as statements. */
static void parameter_statements(Cv *p, const PyNode *def, const Wrap *w)
{
    for (const PyNode *a = def->a; a; a = a->next) {
        const char *lua = cv_find(p, p->scope, a->text)->lua;
        if (a->op == PAvararg) {
            own_line(p, a, def);
            cv(p, "local %s = {...}", lua);
        }
        if (a->b && !(a->b->kind == PYConstant && a->b->op == PCnone)) {
            own_line(p, a, def);
            cv(p, "if %s == nil then %s = ", lua, lua);
            cv_expr(p, a->b, CVor);
            cv(p, " end");
        }
        if (a->a && (w->kernel || (w->jitted && !is_plain_type(p, a->a)))) {
            own_line(p, a, def);
            cv(p, "%s: ", lua);
            scalar_type(p, a->a);
            cv(p, a->next && a->next->line == a->line ? ";" : "");
        }
    }
}

/* Bodies ------------------------------------------------------------------ */

static bool launches(const PyNode *n)
{
    return py_scope(n)->stage != PSplain && !makes_kernels(n->b);
}


/* The function's end, and what stands around it. */
static const char *closing(Cv *p, const Wrap *w, bool wrapped)
{
    Str *out = p->out, text = {0};
    uint32_t line = p->line;
    bool fresh = p->fresh, commented = p->commented;
    if (!wrapped)
        return "end";
    p->out = &text; /* on one line, wherever the decorator stood */
    p->line = UINT32_MAX / 2;
    p->fresh = p->commented = false;
    cv(p, "end");
    for (uint32_t i = w->n; i-- > 0;) {
        options_of(p, w->options[i]);
        cv(p, ")");
    }
    p->out = out;
    p->line = line;
    p->fresh = fresh;
    p->commented = commented;
    const char *r = text.s ? astr(p->c, text.s, text.n) : "end)";
    str_free(&text);
    return r;
}

void cv_def(Cv *p, const PyNode *n)
{
    CvVar *v = cv_find(p, p->scope, n->text);
    CvMark m = cv_mark(p);
    CvOpen o;
    uint32_t ncomment = p->ncomment;
    Wrap w = wrap_of(p, n);
    bool wrapped = *w.open, traced = p->traced;
    PyScope *scope = p->scope;
    if (py_scope(n)->stage != PSplain && !wrapped)
        cv_cannot(p, E_py_convert_form, n, "a kernel without a decorator", NULL);
    const char *end = closing(p, &w, wrapped);
    p->ncomment = ncomment;
    cv_move(p, n->line);
    v->lua = cv_lua_name(p, n->text);
    const char *local = cv_new_here(v, n) ? "local " : "";
    if (wrapped)
        cv(p, "%s%s = %sfunction", local, v->lua, w.open);
    else
        cv(p, "%sfunction %s", local, v->lua);
    p->scope = py_scope(n);
    p->traced = launches(n);
    parameters(p, n->a);
    cv_open(p, &o, n, n->b);
    parameter_statements(p, n, &w);
    if (p->why.err) {
        p->open = o.up;
        p->scope = scope;
        p->traced = traced;
        p->indent = o.indent - 2;
        cv_back(p, m);
        cv_left(p, n);
        return;
    }
    v->lost = false;
    p->done = n->line;
    for (const PyNode *a = n->a; a; a = a->next)
        p->done = a->last > p->done ? a->last : p->done;
    cv_block(p, n->b);
    p->traced = traced;
    p->scope = scope;
    cv_close(p, end);
    p->done = n->last;
}

enum CvPrec cv_lambda(Cv *p, const PyNode *n)
{
    PyScope *scope = p->scope;
    p->scope = py_scope(n);
    cv(p, "function");
    parameters(p, n->a);
    for (const PyNode *a = n->a; a; a = a->next)
        if (a->b)
            cv_cannot(p, E_py_convert_form, a, "a lambda's default", NULL);
    cv(p, " return ");
    p->spread = true;
    if (n->b->kind == PYTuple && n->b->a)
        cv_list(p, n->b->a);
    else
        cv_expr(p, n->b, CVor);
    p->spread = false;
    cv(p, " end");
    p->scope = scope;
    return CVvalue;
}

/* Comprehensions ------------------------------------------------------------ */

/* The keys of a dict of lists that is made here: dict(a=[1, 2], b=[3]). */
static const PyNode *dict_items(Cv *p, const PyNode *name)
{
    const PyNode *d = cv_only_value(p, name);
    bool made = d && (d->kind == PYDict || (d->kind == PYCall && d->a->kind == PYName && strcmp(d->a->text, "dict") == 0));
    for (const PyNode *k = made ? (d->kind == PYDict ? d->a : d->b) : NULL; k; k = k->next)
        made = d->kind == PYDict ? k->a && k->a->kind == PYConstant && k->a->op == PCstr && cv_is_name(k->a->text, k->a->ntext)
                                 : k->kind == PYKeyword && k->text && cv_is_name(k->text, strlen(k->text));
    return !made ? NULL : d->kind == PYDict ? d->a : d->b;
}

static bool calls(Cv *p, const PyNode *n, const char *path)
{
    const char *of = n && n->kind == PYCall ? cv_path(p, n->a) : NULL;
    if (n && n->kind == PYCall && !of && n->a->kind == PYName)
        of = n->a->text;
    return of && strcmp(of, path) == 0;
}

/* [dict(zip(d, values)) for values in itertools.product(*d.values())]: d; NULL: it is another one. */
static const PyNode *all_of_dict(Cv *p, const PyNode *n)
{
    const PyNode *g = n->b, *zip = calls(p, n->a, "dict") ? n->a->b : NULL;
    const PyNode *d = calls(p, zip, "zip") ? zip->b : NULL, *star = calls(p, g->b, "itertools.product") ? g->b->b : NULL;
    const PyNode *values = star && star->kind == PYStarred ? star->a : NULL;
    if (d && d->kind == PYCall && d->a->kind == PYAttribute && strcmp(d->a->text, "keys") == 0)
        d = d->a->a;
    bool fits = d && d->kind == PYName && values && values->kind == PYCall && values->a->kind == PYAttribute &&
                strcmp(values->a->text, "values") == 0 && values->a->a->kind == PYName && !g->next && !g->c &&
                strcmp(values->a->a->text, d->text) == 0 && zip->b->next && zip->b->next->kind == PYName && g->a->kind == PYName &&
                strcmp(zip->b->next->text, g->a->text) == 0;
    return fits && dict_items(p, d) ? d : NULL;
}

/* A loop for each key, in their order. */
static void dict_loops(Cv *p, const PyNode *d, const char *name)
{
    const PyNode *items = dict_items(p, d);
    uint32_t n = 0;
    for (const PyNode *k = items; k; k = k->next, n++) {
        const char *key = k->kind == PYKeyword ? k->text : k->a->text;
        cv(p, "for _, %s in ipairs(", key);
        cv_name(p, d);
        cv(p, ".%s) do ", key);
    }
    cv(p, "%s[#%s + 1] = {", name, name);
    for (const PyNode *k = items; k; k = k->next) {
        const char *key = k->kind == PYKeyword ? k->text : k->a->text;
        cv(p, "%s = %s%s", key, key, k->next ? ", " : "}");
    }
    while (n--)
        cv(p, " end");
}

static void comprehension_loops(Cv *p, const PyNode *n, const char *name)
{
    const PyNode *d = all_of_dict(p, n);
    if (d) {
        dict_loops(p, d, name);
        return;
    }
    uint32_t ends = 0;
    PyScope *scope = p->scope;
    for (const PyNode *g = n->b; g; g = g->next) {
        if (g != n->b)
            p->scope = py_scope(n);
        cv_move(p, g->line);
        ends += cv_loop_head(p, g->a, g->b, false);
        p->scope = py_scope(n);
        cv(p, " ");
        for (const PyNode *c = g->c; c; c = c->next, ends++) {
            cv(p, "if ");
            cv_condition(p, c, CVor);
            cv(p, " then ");
        }
    }
    cv(p, "%s[#%s + 1] = ", name, name);
    cv_expr(p, n->a, CVor);
    while (ends--)
        cv(p, " end");
    p->scope = scope;
}

void cv_comprehension_into(Cv *p, const PyNode *n, const char *name)
{
    cv(p, "{} ");
    comprehension_loops(p, n, name);
    cv_move(p, n->last);
}

/* list(itertools.product(a, b)) */
void cv_product(Cv *p, const PyNode *call)
{
    uint32_t n = 0;
    cv(p, "(function() local t = {} ");
    for (const PyNode *a = call->b; a; a = a->next) {
        if (a->kind == PYKeyword || a->kind == PYStarred || cv_kind(p, a) != CKlist)
            cv_cannot(p, E_py_convert_name, call, "itertools.product", NULL);
        cv(p, "for _, x%u in ipairs(", ++n);
        cv_expr(p, a->kind == PYKeyword || a->kind == PYStarred ? a->a : a, CVor);
        cv(p, ") do ");
    }
    cv(p, "t[#t + 1] = {");
    for (uint32_t i = 1; i <= n; i++)
        cv(p, i < n ? "x%u, " : "x%u", i);
    cv(p, "}");
    while (n--)
        cv(p, " end");
    cv(p, " return t end)()");
}

enum CvPrec cv_comprehension(Cv *p, const PyNode *n)
{
    cv(p, "(function() local t = {} ");
    comprehension_loops(p, n, "t");
    cv(p, " return t end)()");
    return CVatom;
}
