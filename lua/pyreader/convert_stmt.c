/* lua/pyreader/convert_stmt.c: simple statements, docstrings, declarations. */
#include <ctype.h>
#include <string.h>

#include "convert.h"

/* What is lost ------------------------------------------------------------- */

static void lose_target(Cv *p, const PyNode *t, bool lost)
{
    if (t->kind == PYName) {
        cv_find(p, p->scope, t->text)->lost = lost;
    } else if (t->kind == PYTuple || t->kind == PYList) {
        for (const PyNode *k = t->a; k; k = k->next)
            lose_target(p, k, lost);
    }
}

static void lose_list(Cv *p, const PyNode *list)
{
    for (const PyNode *n = list; n; n = n->next)
        cv_lose(p, n);
}

void cv_lose(Cv *p, const PyNode *n)
{
    switch ((enum PyKind)n->kind) {
    case PYAssign:
        for (const PyNode *t = n->a; t; t = t->next)
            lose_target(p, t, true);
        break;
    case PYAnnAssign: case PYAugAssign: lose_target(p, n->a, true); break;
    case PYFunctionDef: case PYClassDef: cv_find(p, p->scope, n->text)->lost = true; break;
    case PYIf: case PYWhile: case PYWith: lose_list(p, n->b); lose_list(p, n->c); break;
    case PYFor: lose_list(p, n->c); lose_list(p, n->d); break;
    case PYTry: lose_list(p, n->a); lose_list(p, n->c); break;
    case PYImport: case PYImportFrom:
        for (const PyNode *k = n->a; k; k = k->next) {
            const char *dot = strchr(k->text, '.');
            const char *name = k->text2 ? k->text2 : dot && n->kind == PYImport ? astr(p->c, k->text, (size_t)(dot - k->text)) : k->text;
            if (strcmp(k->text, "*") != 0)
                cv_find(p, p->scope, name)->lost = true;
        }
        break;
    default: break;
    }
}

/* Declarations ------------------------------------------------------------- */

static const char *name_of(Cv *p, CvVar *v)
{
    if (!v->lua)
        v->lua = cv_lua_name(p, v->v->name);
    return v->lua;
}

/* The line before is blank: what comes stands there. */
static bool line_above(Cv *p)
{
    const Str *out = p->out;
    if (!p->fresh || out->n < 2 || out->s[out->n - 1] != '\n' || out->s[out->n - 2] != '\n')
        return false;
    p->out->n--;
    p->out->s[p->out->n] = '\0';
    p->line--;
    return true;
}

/* Variables whose declaration must stand before n. */
static void declare_early(Cv *p, const PyNode *n)
{
    const char *sep = "local ";
    bool any = false, above;
    for (CvVar *v = p->var; v; v = v->next)
        for (const CvDecl *d = v->decl; d; d = d->next)
            any |= d->early && d->stmt == n && v->source;
    above = any && line_above(p);
    for (CvVar *v = p->var; v; v = v->next)
        for (const CvDecl *d = v->decl; d; d = d->next) {
            if (!d->early || d->stmt != n || !v->source)
                continue;
            cv(p, "%s%s", sep, name_of(p, v));
            sep = ", ";
        }
    if (above)
        cv_move(p, p->line + 1);
    else if (any)
        cv(p, "; ");
}

/* Names that n was to declare, and others give a value too. */
static void declare_left(Cv *p, const PyNode *n)
{
    const char *sep = "local ";
    for (CvVar *v = p->var; v; v = v->next)
        if (cv_new_here(v, n) && v->source && v->source->next && v->v->owner->up) {
            cv(p, "%s%s", sep, name_of(p, v));
            sep = ", ";
        }
    if (*sep == ',')
        cv(p, "  ");
}

/* Assignments -------------------------------------------------------------- */

static void target(Cv *p, const PyNode *t)
{
    if (t->kind == PYName) {
        cv(p, "%s", name_of(p, cv_find(p, p->scope, t->text)));
    } else if (t->kind == PYSubscript || t->kind == PYAttribute) {
        cv_expr(p, t, CVatom);
        char last = p->out->n ? p->out->s[p->out->n - 1] : ' ';
        if (last != ']' && !isalnum((unsigned char)last) && last != '_') /* T.Tensor[..] is a call */
            cv_cannot(p, E_py_convert_form, t, "this target", NULL);
    } else {
        cv_cannot(p, E_py_convert_form, t, "a target within a target", NULL);
    }
}

/* `local a, b = `, with what is new and what is not. */
static void targets(Cv *p, const PyNode *list, bool one)
{
    bool all_new = true;
    const char *sep = "local ";
    for (const PyNode *t = list; t; t = one ? NULL : t->next)
        all_new &= t->kind == PYName && cv_new_here(cv_find(p, p->scope, t->text), p->stmt);
    for (const PyNode *t = list; t && !all_new; t = one ? NULL : t->next)
        if (t->kind == PYName && cv_new_here(cv_find(p, p->scope, t->text), p->stmt)) {
            cv(p, "%s%s", sep, name_of(p, cv_find(p, p->scope, t->text)));
            sep = ", ";
        }
    cv(p, *sep == ',' ? "; " : "");
    cv(p, all_new ? "local " : "");
    for (const PyNode *t = list; t; t = one ? NULL : t->next) {
        target(p, t);
        cv(p, !one && t->next ? ", " : "");
    }
    cv(p, " = ");
}

static uint32_t length(const PyNode *list)
{
    uint32_t n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

/* a, b = value */
static void unpack(Cv *p, const PyNode *list, const PyNode *value)
{
    uint32_t n = length(list);
    if (!n) {
        cv_cannot(p, E_py_convert_form, value, "an empty target", NULL);
        return;
    }
    /* the values are those before: what is declared here is not theirs */
    targets(p, list, false);
    if ((value->kind == PYTuple || value->kind == PYList) && length(value->a) == n) {
        cv_list(p, value->a);
    } else if (value->kind == PYCall && cv_gives_tuple(p, value)) {
        p->spread = true;
        cv_expr(p, value, CVor);
    } else if (value->kind == PYTuple || value->kind == PYList) {
        cv_cannot(p, E_py_convert_form, value, "values of another number than targets", NULL);
    } else if (cv_kind(p, value) == CKlist) {
        cv(p, "table.unpack(");
        cv_expr(p, value, CVor);
        cv(p, ")");
    } else if (value->kind == PYCall) {
        p->spread = true;
        cv_expr(p, value, CVor);
        p->spread = false;
    } else {
        cv_cannot(p, E_py_convert_form, value, afmt(p->c, "the items of `%s`", cv_source(p, value)), NULL);
    }
}

/* x = a if c else b, where a may be nil or false: an `if`. */
static bool by_branch(Cv *p, const PyNode *t, const PyNode *value)
{
    if (value->kind != PYIfExp || p->traced || t->kind != PYName || cv_truthy(p, value->b) || cv_truthy(p, value->c))
        return false;
    CvVar *v = cv_find(p, p->scope, t->text);
    if (cv_new_here(v, p->stmt))
        cv(p, "local %s ", name_of(p, v));
    cv(p, "if ");
    cv_condition(p, value->a, CVor);
    cv(p, " then %s = ", name_of(p, v));
    cv_expr(p, value->b, CVor);
    cv(p, " else %s = ", name_of(p, v));
    cv_expr(p, value->c, CVor);
    cv(p, " end");
    return true;
}

static void assign_one(Cv *p, const PyNode *t, const PyNode *value)
{
    if (t->kind == PYTuple || t->kind == PYList) {
        unpack(p, t->a, value);
    } else if (value->kind == PYListComp && t->kind == PYName) {
        targets(p, t, true);
        cv_comprehension_into(p, value, cv_find(p, p->scope, t->text)->lua);
    } else if (!by_branch(p, t, value)) {
        targets(p, t, true);
        cv_expr(p, value, CVor);
    }
}

/* a = b = value */
static void assign(Cv *p, const PyNode *n)
{
    const PyNode *last = n->a;
    while (last->next)
        last = last->next;
    assign_one(p, last, n->b);
    for (const PyNode *t = n->a; t != last; t = t->next) {
        if (last->kind != PYName) {
            cv_cannot(p, E_py_convert_form, n, "several targets of which the last is no name", NULL);
            return;
        }
        cv(p, "; ");
        assign_one(p, t, last);
    }
}

/* Does n, or what stands beside it, read what the kernel's statements may change? */
static bool reads_memory(Cv *p, const PyNode *n)
{
    for (; n; n = n->next) {
        if (n->kind == PYName ? cv_is_stored_to(p, cv_find(p, p->scope, n->text))
                              : n->kind == PYSubscript && cv_kind(p, n->a) == CKbuffer)
            return true;
        if (reads_memory(p, n->a) || reads_memory(p, n->b) || reads_memory(p, n->c) || reads_memory(p, n->d))
            return true;
    }
    return false;
}

/* `n += S[0]` of a name in a kernel is, as in TileLang, the expression, which is computed where n is read; Lua's
 * is computed at once. */
static bool is_late(Cv *p, const PyNode *n)
{
    return p->scope->stage && n->a->kind == PYName && !cv_is_stored_to(p, cv_find(p, p->scope, n->a->text)) &&
           reads_memory(p, n->b);
}

static void aug_assign(Cv *p, const PyNode *n)
{
    static const char *const text[NPyOp] = {
        [POAdd] = "+=", [POSub] = "-=", [POMult] = "*=", [PODiv] = "/=", [POFloorDiv] = "//=", [POMod] = "%=",
        [POBitAnd] = "&=", [POBitOr] = "|=", [POLShift] = "<<=", [PORShift] = ">>=",
    };
    enum CvKind k = cv_kind(p, n->a);
    if (k == CKlist || (k == CKstr && n->op != POAdd))
        cv_cannot(p, E_py_convert_form, n, "an operation on lists", NULL);
    if (n->a->kind == PYName && cv_find(p, p->scope, n->a->text)->lost)
        cv_cannot(p, E_py_convert_lost, n->a, n->a->text, NULL);
    if (is_late(p, n))
        cv_cannot(p, E_py_convert_form, n, "an expression that is computed where its name is read", NULL);
    target(p, n->a);
    if (text[n->op] && k != CKstr) {
        cv(p, " %s ", text[n->op]);
        cv_expr(p, n->b, CVor);
        return;
    }
    PyNode op = {.kind = PYBinOp, .op = n->op, .a = n->a, .b = n->b, .at = n->at, .end = n->end, .line = n->line, .last = n->last};
    PyNode left = *n->a;
    left.next = NULL;
    op.a = &left;
    cv(p, " = ");
    cv_expr(p, &op, CVor);
}

/* A: T.Tensor(..); x: T.float32 = 0 */
static void annotated(Cv *p, const PyNode *n)
{
    if (n->c) {
        assign_one(p, n->a, n->c);
    } else if (p->scope->stage && n->a->kind == PYName && cv_find(p, p->scope, n->a->text)->v->param &&
               cv_is_type(p, n->b)) {
        cv_name(p, n->a);
        cv(p, ": ");
        cv_expr(p, n->b, CVor);
    }
}

/* Other simple statements -------------------------------------------------- */

static const PyNode *docstring(const PyNode *n)
{
    const PyNode *e = n->kind == PYExpr ? n->a : NULL;
    return e && e->kind == PYConstant && e->op == PCstr ? e : NULL;
}

/* The text between the quotes, a comment for each of its lines. */
static void doc_comment(Cv *p, const PyNode *n)
{
    const char *s = p->t->src;
    uint32_t i = n->at, end = n->end, quotes = 0;
    while (i < end && s[i] != '"' && s[i] != '\'')
        i++;
    for (char q = s[i]; quotes < 3 && i < end && s[i] == q; quotes++)
        i++;
    if (quotes == 3)
        end = end >= 3 ? end - 3 : end;
    else
        end--, i -= quotes == 2;
    uint32_t margin = p->col;
    for (uint32_t line = n->line; line <= n->last; line++) {
        uint32_t from = line == n->line ? i : p->at[line], to = line == n->last ? end : p->at[line + 1];
        for (uint32_t k = 0; line > n->line && k < margin && from < to && s[from] == ' '; k++)
            from++;
        while (to > from && isspace((unsigned char)s[to - 1]))
            to--;
        if (from >= to)
            continue;
        while (p->line < line)
            cv_move(p, p->line + 1);
        p->stmt = NULL;
        cv(p, "--%s", isspace((unsigned char)s[from]) ? "" : " ");
        str_add(p->out, s + from, to - from);
        p->commented = true;
    }
}

static void import(Cv *p, const PyNode *n)
{
    for (const PyNode *k = n->a; k; k = k->next) {
        const char *module = n->kind == PYImport ? k->text : n->text;
        const char *whole = n->kind == PYImportFrom ? afmt(p->c, "%s.%s", n->text, k->text) : module;
        if ((n->kind == PYImportFrom && n->op) || !(cv_known_module(module) || cv_known_module(whole)))
            cv_cannot(p, E_py_convert_form, n, afmt(p->c, "the module `%s`", module && *module ? module : "."), NULL);
    }
}

/* The statement of an `assert`, `raise`. */
static void assertion(Cv *p, const PyNode *n)
{
    cv(p, "assert(");
    cv_condition(p, n->a, CVor);
    if (n->b) {
        cv(p, ", ");
        cv_expr(p, n->b, CVor);
    }
    cv_move(p, n->last);
    cv(p, ")");
}

static void raise(Cv *p, const PyNode *n)
{
    const PyNode *e = n->a;
    if (!e || n->b || (e->kind == PYCall && (e->a->kind != PYName || !e->b || e->b->next || e->b->kind == PYKeyword)) ||
        (e->kind != PYCall && e->kind != PYName)) {
        cv_cannot(p, E_py_convert_form, n, "this `raise`", NULL);
        return;
    }
    cv(p, "error(");
    if (e->kind == PYCall)
        cv_expr(p, e->b, CVor);
    else
        cv(p, "\"%s\"", e->text);
    cv(p, ")");
}

static void returning(Cv *p, const PyNode *n)
{
    bool last = !n->next;
    if (n->a && n->a->kind == PYListComp) {
        cv(p, last ? "local t = " : "do local t = ");
        cv_comprehension_into(p, n->a, "t");
        cv(p, last ? " return t" : " return t end");
        return;
    }
    cv(p, last ? "return" : "do return");
    if (n->a) {
        cv(p, " ");
        p->spread = true;
        if (n->a->kind == PYTuple && n->a->a)
            p->spread = false, cv_list(p, n->a->a);
        else
            cv_expr(p, n->a, CVor);
        p->spread = false;
    }
    cv(p, last ? "" : " end");
}

/* Is what was printed from `at` on a call? */
static bool is_statement(const Cv *p, size_t at)
{
    const Str *out = p->out;
    while (at < out->n && isspace((unsigned char)out->s[at]))
        at++;
    return at < out->n && (isalpha((unsigned char)out->s[at]) || out->s[at] == '_') && strchr(")}\"'", out->s[out->n - 1]);
}

static void expr_statement(Cv *p, const PyNode *n)
{
    const PyNode *e = n->a;
    if (e->kind == PYConstant)
        return; /* ... */
    bool append = e->kind == PYCall && e->a->kind == PYAttribute && strcmp(e->a->text, "append") == 0 && e->b && !e->b->next;
    if (append && e->a->a->kind == PYName) {
        cv_name(p, e->a->a);
        cv(p, "[#");
        cv_name(p, e->a->a);
        cv(p, " + 1] = ");
        cv_expr(p, e->b, CVor);
        return;
    }
    if (e->kind != PYCall) {
        cv_cannot(p, E_py_convert_form, n, "an expression as a statement", NULL);
        return;
    }
    CvMark m = cv_mark(p);
    p->spread = true;
    cv_expr(p, e, CVor);
    p->spread = false;
    if (!is_statement(p, m.n)) { /* #x, x + 0.0 */
        cv_back(p, m);
        cv(p, "local _ = ");
        cv_expr(p, e, CVor);
    }
}

static void delete(Cv *p, const PyNode *n)
{
    const char *sep = "";
    for (const PyNode *t = n->a; t; t = t->next) {
        if (t->kind != PYName)
            cv_cannot(p, E_py_convert_form, n, "`del` of a part", NULL);
        cv(p, "%s", sep);
        cv_expr(p, t, CVatom);
        cv(p, " = nil");
        sep = "; ";
    }
}

static void simple(Cv *p, const PyNode *n)
{
    switch ((enum PyKind)n->kind) {
    case PYReturn: returning(p, n); break;
    case PYDelete: delete(p, n); break;
    case PYAssign: assign(p, n); break;
    case PYAugAssign: aug_assign(p, n); break;
    case PYAnnAssign: annotated(p, n); break;
    case PYRaise: raise(p, n); break;
    case PYAssert: assertion(p, n); break;
    case PYImport: case PYImportFrom: import(p, n); break;
    case PYExpr: expr_statement(p, n); break;
    case PYBreak: cv(p, n->next ? "do break end" : "break"); break;
    case PYContinue: cv(p, "goto continue"); break;
    case PYGlobal: case PYNonlocal: case PYPass: break;
    case PYClassDef: cv_cannot(p, E_py_convert_form, n, "a class", NULL); break;
    case PYTry: cv_cannot(p, E_py_convert_form, n, "`try`", NULL); break;
    default: cv_cannot(p, E_py_convert_form, n, "this statement", NULL);
    }
}

/* Names of loops that are read behind them. */
static void look_behind(Cv *p, const PyNode *n)
{
    for (CvVar *v = p->var; v; v = v->next)
        if (v->behind == n)
            cv_cannot(p, E_py_convert_loopvar, n, v->v->name, NULL);
}

static void try_simple(Cv *p, const PyNode *n)
{
    CvMark m = cv_mark(p);
    look_behind(p, n);
    p->spread = false;
    size_t at = p->out->n;
    declare_early(p, n);
    simple(p, n);
    if (!p->why.err) {
        cv_move(p, n->last);
        if (p->out->n > at && p->out->s[at] == '(') /* else it would be a call of what stands before */
            cv_back(p, m), cv(p, ";"), simple(p, n);
        for (const PyNode *t = n->kind == PYAssign ? n->a : NULL; t; t = t->next)
            lose_target(p, t, false);
        p->done = n->last;
        return;
    }
    cv_back(p, m);
    declare_left(p, n);
    cv_left(p, n);
}

static void statement(Cv *p, const PyNode *n)
{
    const PyNode *doc = docstring(n);
    if (cv_is_main(n)) {
        cv_block(p, n->b);
        return;
    }
    cv_begin(p, n, n->kind == PYFunctionDef ? cv_def_line(n) : n->line);
    bool compound = n->kind == PYFunctionDef || n->kind == PYIf || n->kind == PYFor || n->kind == PYWhile || n->kind == PYWith;
    if (doc) {
        doc_comment(p, doc);
        p->done = n->last;
        return;
    }
    if (!compound) {
        try_simple(p, n);
        return;
    }
    declare_early(p, n);
    switch ((enum PyKind)n->kind) {
    case PYFunctionDef: cv_def(p, n); break;
    case PYIf: cv_if(p, n); break;
    case PYFor: cv_for(p, n); break;
    case PYWhile: cv_while(p, n); break;
    default: cv_with(p, n);
    }
}

void cv_block(Cv *p, const PyNode *list)
{
    for (const PyNode *n = list; n; n = n->next) {
        p->first = n == list;
        statement(p, n);
    }
}
