/* lua/pyreader/scope.c: whose variables the names of a Python text are.  See scope.h. */
#include <stdio.h>
#include <string.h>

#include "scope.h"
#include "err/python_scope.h"

/* Lua takes 200 locals a function; some are the printer's. */
enum { MostLocals = 150 };

typedef struct Scopes {
    Ctx *c;
    PyTree *t;
    PyScope *s;    /* the scope at hand */
    uint32_t nscope;
    int loops;     /* around the statement at hand, in its function */
    const char **later; /* names that are given to tilelang.jit(), T.prim_func(), .. as functions */
    uint32_t nlater, caplater;
} Scopes;

static void scan(Scopes *q, PyNode *n);

static bool py_opens_scope(const PyNode *n)
{
    switch ((enum PyKind)n->kind) {
    case PYModule: case PYFunctionDef: case PYLambda: case PYClassDef: case PYListComp: case PYSetComp:
    case PYGeneratorExp: case PYDictComp: return true;
    default: return false;
    }
}

static bool is_function(const PyScope *s)
{
    return s->node->kind != PYModule && s->node->kind != PYClassDef;
}

/* Names ------------------------------------------------------------------- */

static bool lua_keyword(const char *s)
{
    static const char *const words[] = {
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
        "nil", "not", "or", "repeat", "return", "then", "true", "until", "while", "self",
    };
    for (size_t i = 0; i < COUNT(words); i++)
        if (*words[i] == *s && strcmp(words[i], s) == 0)
            return true;
    return false;
}

const char *py_lua_name(Ctx *c, const char *name)
{
    bool plain = true;
    for (const char *s = name; *s; s++)
        plain = plain && (signed char)*s > 0;
    if (plain)
        return lua_keyword(name) || strncmp(name, "__", 2) == 0 ? afmt(c, "%s_", name) : name;
    char *out = anew(c, strlen(name) * 2 + 3);
    size_t n = 0;
    for (const char *s = name; *s; s++)
        if ((signed char)*s > 0)
            out[n++] = *s;
        else
            n += (size_t)snprintf(out + n, 3, "%02x", (unsigned char)*s);
    out[n++] = '_';
    out[n++] = '_';
    return out;
}

static uint32_t name_hash(const char *s)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

static PyVar **bucket_of(const PyScope *s, const char *name)
{
    return &s->bucket[name_hash(name) & (s->nbucket - 1)];
}

static PyVar *var_find(const PyScope *s, const char *name)
{
    for (PyVar *v = s->nbucket ? *bucket_of(s, name) : s->var; v; v = s->nbucket ? v->chain : v->next)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

static void bucket_add(PyScope *s, PyVar *v)
{
    PyVar **at = bucket_of(s, v->name);
    v->chain = *at;
    *at = v;
}

/* The first time, at a power of two, twice as many buckets as names; then four times as many as before. */
static void index_names(Ctx *c, PyScope *s)
{
    s->nbucket = s->nbucket ? s->nbucket * 4 : s->nname * 2;
    s->bucket = anew(c, s->nbucket * sizeof *s->bucket);
    for (PyVar *v = s->var; v; v = v->next)
        bucket_add(s, v);
}

static PyVar *var_here(Scopes *q, PyScope *s, const char *name)
{
    enum { Few = 16 }; /* a power of two: so is each size of the table */
    PyVar *v = var_find(s, name);
    if (v)
        return v;
    v = anew(q->c, sizeof *v);
    v->name = name;
    *s->tail = v;
    s->tail = &v->next;
    s->nname++;
    if (s->nbucket ? s->nname > s->nbucket : s->nname == Few)
        index_names(q->c, s);
    else if (s->nbucket)
        bucket_add(s, v);
    return v;
}

static void assigned(PyVar *v)
{
    v->bound = true;
    v->nset++;
}

/* The name is assigned in the scope at hand. */
static void bind(Scopes *q, const char *name)
{
    assigned(var_here(q, q->s, name));
}

/* The walrus of a comprehension is the function's around. */
static void bind_walrus(Scopes *q, const char *name)
{
    PyScope *s = q->s;
    while (s->node->kind >= PYListComp && s->node->kind <= PYDictComp)
        s = s->up;
    assigned(var_here(q, s, name));
}

/* What is traced ---------------------------------------------------------- */

static const char *last_name(const PyNode *n)
{
    if (n->kind == PYCall)
        n = n->a;
    return n->kind == PYName || n->kind == PYAttribute ? n->text : "";
}

static enum PyStage stage_word(const char *s)
{
    static const struct { const char *word; enum PyStage stage; } table[] = {
        {"jit", PSkernel}, {"lazy_jit", PSkernel}, {"prim_func", PSkernel}, {"macro", PSmacro}, {"inline", PSmacro},
    };
    for (size_t i = 0; i < COUNT(table); i++)
        if (strcmp(table[i].word, s) == 0)
            return table[i].stage;
    return PSplain;
}

/* A `with T.Kernel(..)` among these statements, not in functions inside. */
static bool launches(const PyNode *list)
{
    for (const PyNode *n = list; n; n = n->next) {
        if (n->kind == PYWith)
            for (const PyNode *w = n->a; w; w = w->next)
                if (w->a->kind == PYCall && strcmp(last_name(w->a), "Kernel") == 0)
                    return true;
        bool inner = n->kind == PYIf || n->kind == PYFor || n->kind == PYWhile || n->kind == PYWith;
        if (inner && (launches(n->b) || launches(n->c)))
            return true;
    }
    return false;
}

static bool is_later(const Scopes *q, const char *name)
{
    for (uint32_t i = 0; i < q->nlater; i++)
        if (strcmp(q->later[i], name) == 0)
            return true;
    return false;
}

static enum PyStage stage_of(const Scopes *q, const PyNode *f)
{
    for (const PyNode *d = f->c; d; d = d->next) {
        enum PyStage s = stage_word(last_name(d));
        if (s)
            return s;
    }
    if (is_later(q, f->text) || launches(f->b))
        return PSkernel;
    return PSplain;
}

static void note_later(Scopes *q, const PyNode *call)
{
    const PyNode *f = call->b;
    if (!stage_word(last_name(call->a)) || call->a->kind == PYCall || !f || f->kind != PYName)
        return;
    agrow(q->c, &q->later, &q->caplater, q->nlater + 1, sizeof *q->later);
    q->later[q->nlater++] = f->text;
}

static void find_later(Scopes *q, const PyNode *n)
{
    for (; n; n = n->next) {
        if (n->kind == PYCall)
            note_later(q, n);
        find_later(q, n->a);
        find_later(q, n->b);
        find_later(q, n->c);
        find_later(q, n->d);
    }
}

/* Scopes ------------------------------------------------------------------ */

static NORETURN void scope_fail(const Scopes *q, Err e, const PyNode *n, const char *a, const char *b)
{
    diag_fail(q->c, e, py_loc(q->t, n->at), a, b, NULL);
}

static PyScope *scope_open(Scopes *q, PyNode *n)
{
    PyScope *s = anew(q->c, sizeof *s);
    s->up = q->s;
    s->node = n;
    s->tail = &s->var;
    s->id = ++q->nscope;
    n->note = s;
    q->s = s;
    return s;
}

static void scan_list(Scopes *q, PyNode *n)
{
    for (; n; n = n->next)
        scan(q, n);
}

static void scan_args(Scopes *q, PyNode *args)
{
    for (PyNode *a = args; a; a = a->next) {
        if (var_find(q->s, a->text))
            scope_fail(q, E_py_duplicate_argument, a, a->text, NULL);
        PyVar *v = var_here(q, q->s, a->text);
        v->param = true;
        assigned(v);
    }
}

/* Defaults and annotations are evaluated around the function. */
static void scan_args_outside(Scopes *q, PyNode *args)
{
    for (PyNode *a = args; a; a = a->next) {
        if (a->b)
            scan(q, a->b);
        if (a->a)
            scan(q, a->a);
    }
}

static void scan_function(Scopes *q, PyNode *n)
{
    int loops = q->loops;
    PyNode *cls = q->s->node->kind == PYClassDef ? q->s->node : NULL;
    scan_list(q, n->c);
    scan_args_outside(q, n->a);
    if (n->d)
        scan(q, n->d);
    bind(q, n->text);
    PyScope *s = scope_open(q, n);
    s->stage = stage_of(q, n);
    s->cls = cls;
    q->loops = 0;
    scan_args(q, n->a);
    if (s->stage) /* annotations may use what the body makes: T.Tensor[[M, N], dtype] */
        scan_args_outside(q, n->a);
    scan_list(q, n->b);
    q->s = s->up;
    q->loops = loops;
}

static void scan_lambda(Scopes *q, PyNode *n)
{
    scan_args_outside(q, n->a);
    PyScope *s = scope_open(q, n);
    scan_args(q, n->a);
    scan(q, n->b);
    q->s = s->up;
}

static void scan_class(Scopes *q, PyNode *n)
{
    int loops = q->loops;
    scan_list(q, n->c);
    scan_list(q, n->a);
    bind(q, n->text);
    PyScope *s = scope_open(q, n);
    q->loops = 0;
    scan_list(q, n->b);
    q->s = s->up;
    q->loops = loops;
}

static void scan_target(Scopes *q, PyNode *n)
{
    switch ((enum PyKind)n->kind) {
    case PYName: bind(q, n->text); break;
    case PYStarred: scan_target(q, n->a); break;
    case PYTuple: case PYList:
        for (PyNode *k = n->a; k; k = k->next)
            scan_target(q, k);
        break;
    default: scan(q, n);
    }
}

/* The names among the targets of `del`. */
static void note_deleted(Scopes *q, const PyNode *n)
{
    if (n->kind == PYName)
        var_here(q, q->s, n->text)->deleted = true;
    for (const PyNode *k = n->kind == PYTuple || n->kind == PYList ? n->a : NULL; k; k = k->next)
        note_deleted(q, k);
}

static void scan_comprehension(Scopes *q, PyNode *n)
{
    PyNode *gen = n->kind == PYDictComp ? n->c : n->b;
    scan(q, gen->b); /* the first iterable is the scope's around */
    PyScope *s = scope_open(q, n);
    for (PyNode *g = gen; g; g = g->next) {
        scan_target(q, g->a);
        if (g != gen)
            scan(q, g->b);
        scan_list(q, g->c);
    }
    scan(q, n->a);
    if (n->kind == PYDictComp)
        scan(q, n->b);
    q->s = s->up;
}

static void scan_declared(Scopes *q, const PyNode *n)
{
    for (PyNode *k = n->a; k; k = k->next) {
        PyVar *v = var_find(q->s, k->text);
        if (v && (v->param || v->bound))
            scope_fail(q, v->param ? E_py_parameter_global : E_py_global_late, k, k->text,
                       n->kind == PYGlobal ? "global" : "nonlocal");
        if (n->kind == PYNonlocal && q->s->node->kind == PYModule)
            scope_fail(q, E_py_nonlocal_module, k, k->text, NULL);
        v = var_here(q, q->s, k->text);
        if (n->kind == PYGlobal)
            v->global = true;
        else
            v->nonlocal = true;
    }
}

static void scan_imports(Scopes *q, const PyNode *n)
{
    for (PyNode *k = n->a; k; k = k->next) {
        const char *dot = strchr(k->text, '.');
        if (strcmp(k->text, "*") == 0) {
            if (q->s->node->kind != PYModule)
                scope_fail(q, E_py_star_inside, k, n->text, NULL);
            continue;
        }
        if (k->text2)
            bind(q, k->text2);
        else if (n->kind == PYImport && dot)
            bind(q, astr(q->c, k->text, (size_t)(dot - k->text)));
        else
            bind(q, k->text);
    }
}

static void scan_loop(Scopes *q, PyNode *n)
{
    if (n->kind == PYFor) {
        scan(q, n->b);
        scan_target(q, n->a);
    } else {
        scan(q, n->a);
    }
    q->loops++;
    scan_list(q, n->kind == PYFor ? n->c : n->b);
    q->loops--;
    scan_list(q, n->kind == PYFor ? n->d : n->c);
}

static void scan_yield(Scopes *q, const PyNode *n)
{
    if (q->s->node->kind != PYFunctionDef && q->s->node->kind != PYLambda)
        scope_fail(q, E_py_outside_function, n, "yield", NULL);
    if (q->s->stage != PSplain)
        scope_fail(q, E_py_kernel_yield, n, NULL, NULL);
    q->s->generator = true;
}

/* Fields in the order in which they are evaluated, names bound in the scope at hand. */
static void scan(Scopes *q, PyNode *n)
{
    switch ((enum PyKind)n->kind) {
    case PYFunctionDef: scan_function(q, n); return;
    case PYLambda: scan_lambda(q, n); return;
    case PYClassDef: scan_class(q, n); return;
    case PYListComp: case PYSetComp: case PYGeneratorExp: case PYDictComp: scan_comprehension(q, n); return;
    case PYAssign:
        scan(q, n->b);
        for (PyNode *k = n->a; k; k = k->next)
            scan_target(q, k);
        return;
    case PYAugAssign:
        scan(q, n->b);
        scan_target(q, n->a);
        return;
    case PYDelete:
        for (PyNode *k = n->a; k; k = k->next) {
            scan_target(q, k);
            note_deleted(q, k);
        }
        return;
    case PYAnnAssign:
        scan(q, n->b);
        if (n->c)
            scan(q, n->c);
        if (n->c || n->a->kind != PYName)
            scan_target(q, n->a);
        else
            var_here(q, q->s, n->a->text)->bound = true; /* a type alone gives no value */
        return;
    case PYNamedExpr:
        scan(q, n->b);
        bind_walrus(q, n->a->text);
        return;
    case PYFor: case PYWhile: scan_loop(q, n); return;
    case PYWithItem:
        scan(q, n->a);
        if (n->b)
            scan_target(q, n->b);
        return;
    case PYExceptHandler:
        if (n->a)
            scan(q, n->a);
        if (n->text && *n->text) {
            bind(q, n->text);
            var_here(q, q->s, n->text)->deleted = true;
        }
        scan_list(q, n->b);
        return;
    case PYImport: case PYImportFrom: scan_imports(q, n); return;
    case PYGlobal: case PYNonlocal: scan_declared(q, n); return;
    case PYComprehension: scan_target(q, n->a); return;
    case PYName: var_here(q, q->s, n->text); return;
    case PYReturn:
        if (q->s->node->kind != PYFunctionDef)
            scope_fail(q, E_py_outside_function, n, "return", NULL);
        break;
    case PYBreak: case PYContinue:
        if (!q->loops)
            scope_fail(q, E_py_outside_loop, n, n->kind == PYBreak ? "break" : "continue", NULL);
        return;
    case PYYield: case PYYieldFrom: scan_yield(q, n); break;
    default: break;
    }
    scan_list(q, n->a);
    scan_list(q, n->b);
    scan_list(q, n->c);
    scan_list(q, n->d);
}

/* Owners ------------------------------------------------------------------ */

static PyScope *module_of(PyScope *s)
{
    while (s->up)
        s = s->up;
    return s;
}

/* Whose variable is a name that scope s only reads? */
static PyScope *owner_of(PyScope *s, const char *name)
{
    for (PyScope *up = s->up; up; up = up->up) {
        PyVar *v = up->node->kind == PYClassDef ? NULL : var_find(up, name);
        if (!up->up || (v && v->global))
            break;
        if (v && v->bound && !v->nonlocal && is_function(up))
            return up;
    }
    return module_of(s);
}

/* Does a function around s have a local of that name? */
static bool is_shadowed(PyScope *s, const char *name)
{
    for (PyScope *up = s->up; up && up->up; up = up->up) {
        PyVar *v = is_function(up) ? var_find(up, name) : NULL;
        if (v && v->bound && !v->global && !v->nonlocal)
            return true;
    }
    return false;
}

static void settle(Scopes *q, PyScope *s, PyVar *v)
{
    bool module = s->node->kind == PYModule;
    if (module || (v->bound && !v->global && !v->nonlocal)) {
        v->owner = s;
        v->index = s->nvar++;
        return;
    }
    PyScope *top = module_of(s);
    v->owner = v->global ? top : owner_of(s, v->name);
    if (v->nonlocal && v->owner == top)
        scope_fail(q, E_py_nonlocal_none, s->node, v->name, NULL);
    PyVar *o = var_here(q, v->owner, v->name);
    o->owner = v->owner;
    o->deleted |= v->deleted;
    o->shadowed |= v->owner == top && is_shadowed(s, v->name);
    if (v->owner != s)
        o->captured = true;
}

static void settle_all(Scopes *q, PyNode *n)
{
    for (; n; n = n->next) {
        if (py_opens_scope(n) && n->note) {
            PyScope *s = n->note;
            for (PyVar *v = s->var; v; v = v->next)
                settle(q, s, v);
            s->spills = is_function(s) && s->nvar > MostLocals;
        }
        settle_all(q, n->a);
        settle_all(q, n->b);
        settle_all(q, n->c);
        settle_all(q, n->d);
    }
}

/* How a scope's own variables are printed. */
static void name_all(Scopes *q, PyNode *n)
{
    for (; n; n = n->next) {
        if (py_opens_scope(n) && n->note) {
            PyScope *s = n->note;
            for (PyVar *v = s->var; v; v = v->next) {
                const char *lua = py_lua_name(q->c, v->name);
                if (v->owner == s && is_function(s))
                    v->lua = s->spills && v->index >= MostLocals && !v->param ? afmt(q->c, "__spill%u.%s", s->id, lua) : lua;
                else if (v->owner == s && s->node->kind == PYClassDef)
                    v->lua = afmt(q->c, "__ns[\"%s\"]", v->name);
                else if (v->owner == s)
                    v->lua = lua == v->name && !v->shadowed ? lua : afmt(q->c, "_ENV[\"%s\"]", v->name);
            }
        }
        name_all(q, n->a);
        name_all(q, n->b);
        name_all(q, n->c);
        name_all(q, n->d);
    }
}

PyVar *py_find(Ctx *c, PyScope *s, const char *name)
{
    PyVar *v = var_find(s, name);
    if (!v || !v->owner) { /* not among those that were scanned: the module's */
        Scopes q = {.c = c};
        s = module_of(s);
        v = var_here(&q, s, name);
        v->owner = s;
        if (!v->lua) {
            const char *lua = py_lua_name(c, name);
            v->lua = lua == name ? lua : afmt(c, "_ENV[\"%s\"]", name);
        }
        return v;
    }
    return v->owner == s ? v : var_find(v->owner, name);
}

void py_scopes(Ctx *c, PyTree *t)
{
    Scopes q = {.c = c, .t = t};
    find_later(&q, t->module);
    scope_open(&q, t->module);
    scan_list(&q, t->module->a);
    settle_all(&q, t->module);
    name_all(&q, t->module);
}
