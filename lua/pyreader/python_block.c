/* lua/pyreader/python_block.c: compound statements and their blocks. */
#include <string.h>

#include "err/python.h"
#include "python_p.h"

static PyNode *compound(PyReader *p);

static bool is_compound(const PyReader *p)
{
    switch (py_cur(p)) {
    case PTif: case PTfor: case PTwhile: case PTwith: case PTtry: case PTdef: case PTclass:
    case PTat: case PTasync: return true;
    default: return false;
    }
}

/* `match x:` and `case` in the next line; otherwise it is a name. */
static void match_statement(PyReader *p)
{
    const PyTok *t = &p->tok[p->at];
    uint32_t i = p->at;
    if (t->kind != PTname || t->end - t->at != 5 || memcmp(p->src + t->at, "match", 5) != 0)
        return;
    while (py_kind(p, i) != PTnewline && py_kind(p, i) != PTeof)
        i++;
    if (py_kind(p, i - 1) == PTcolon && py_kind(p, i + 1) == PTindent &&
        py_kind(p, i + 2) == PTname && p->tok[i + 2].end - p->tok[i + 2].at == 4 &&
        memcmp(p->src + p->tok[i + 2].at, "case", 4) == 0)
        py_unsupported(p, p->at, "the `match` statement",
                       "write if x == 1: ... elif x == 2: ... else: ...");
}

static void statement(PyReader *p, PyList *into)
{
    if (is_compound(p)) {
        py_append(into, compound(p));
    } else {
        match_statement(p);
        py_simple_line(p, into);
    }
}

/* `:` and what belongs to it, in the same line or indented.  opener: the word that it belongs to, which
 * messages call `what`. */
static PyNode *block(PyReader *p, uint32_t opener, const char *what)
{
    PyList l = {0};
    if (!py_take(p, PTcolon))
        py_no_colon(p, opener);
    py_deeper(p);
    if (!py_take(p, PTnewline)) {
        if (is_compound(p))
            py_fail_here(p, E_pysyn_oneline, py_quote_tok(p, p->at), what, NULL, NULL);
        py_simple_line(p, &l);
    } else if (!py_take(p, PTindent)) {
        py_no_block(p, opener, what);
    } else {
        while (py_cur(p) != PTdedent && py_cur(p) != PTeof && py_cur(p) != PTerr)
            statement(p, &l);
        py_error_token(p);
        py_take(p, PTdedent);
    }
    py_shallower(p);
    return l.first;
}

static PyNode *else_block(PyReader *p)
{
    uint32_t opener = p->at;
    return py_take(p, PTelse) ? block(p, opener, "'else' statement") : NULL;
}

/* if and elif: each elif is an If alone in the orelse of the one before. */
static PyNode *ifs(PyReader *p)
{
    PyNode *top = NULL, **at = &top;
    do {
        uint32_t opener = p->at;
        PyNode *n = py_node(p, PYIf, opener);
        n->op = at != &top;
        py_next(p);
        n->a = py_named(p);
        n->b = block(p, opener, n->op ? "'elif' statement" : "'if' statement");
        *at = n;
        at = &n->c;
    } while (py_cur(p) == PTelif);
    *at = else_block(p);
    for (PyNode *n = top; n; n = n->c && n->c->kind == PYIf && n->c->op ? n->c : NULL)
        py_done(p, n);
    return top;
}

static PyNode *whiles(PyReader *p)
{
    uint32_t opener = p->at;
    PyNode *n = py_node(p, PYWhile, opener);
    py_next(p);
    n->a = py_named(p);
    n->b = block(p, opener, "'while' statement");
    n->c = else_block(p);
    return py_done(p, n);
}

static PyNode *fors(PyReader *p)
{
    uint32_t opener = p->at;
    PyNode *n = py_node(p, PYFor, opener);
    py_next(p);
    n->a = py_targets(p, PWfor);
    py_want(p, PTin);
    n->b = py_exprs(p);
    n->c = block(p, opener, "'for' statement");
    n->d = else_block(p);
    return py_done(p, n);
}

/* With ------------------------------------------------------------------------------------- */

static PyNode *with_item(PyReader *p)
{
    PyNode *n = py_node(p, PYWithItem, p->at);
    n->a = py_expr(p);
    if (py_take(p, PTas)) {
        n->b = py_target_part(p);
        py_check_target(p, n->b, PWwith);
    }
    return py_done(p, n);
}

/* Do the parentheses at hand hold items, `with (a as b, c):`?  Then the colon follows, and nothing stands in
 * them that only a value has. */
static bool holds_items(const PyReader *p)
{
    int depth = 0, lambdas = 0; /* whose colon has not come */
    if (py_peek(p, 1) == PTrparen || py_peek(p, 1) == PTyield)
        return false;
    for (uint32_t i = p->at;; i++) {
        enum PyTk k = py_kind(p, i);
        if (k == PTeof || k == PTerr)
            return true;
        if (depth == 1)
            lambdas += k == PTlambda ? 1 : k == PTcolon ? -1 : 0;
        if (depth == 1 && !lambdas && (k == PTwalrus || k == PTfor ||
                           (k == PTmul && (py_kind(p, i - 1) == PTcomma || i == p->at + 1))))
            return false;
        if (k == PTlparen || k == PTlbracket || k == PTlbrace)
            depth++;
        if ((k == PTrparen || k == PTrbracket || k == PTrbrace) && --depth == 0)
            return py_kind(p, i + 1) == PTcolon;
    }
}

static PyNode *withs(PyReader *p)
{
    uint32_t opener = p->at, paren;
    PyNode *n = py_node(p, PYWith, opener);
    PyList l = {0};
    py_next(p);
    paren = p->at;
    bool parens = py_cur(p) == PTlparen && holds_items(p);
    if (parens)
        py_next(p);
    do {
        if (parens && l.first && py_cur(p) == PTrparen)
            break;
        py_append(&l, with_item(p));
    } while (py_take(p, PTcomma));
    if (parens && !py_take(p, PTrparen))
        py_no_closer(p, paren);
    if (parens && !l.first->next && !l.first->b)
        l.first->a->parens = true;
    n->a = l.first;
    n->b = block(p, opener, "'with' statement");
    return py_done(p, n);
}

/* Try -------------------------------------------------------------------------------------- */

static PyNode *handler(PyReader *p)
{
    uint32_t opener = p->at;
    PyNode *n = py_node(p, PYExceptHandler, opener);
    py_next(p);
    if (py_cur(p) == PTmul)
        py_unsupported(p, opener, "`except*`",
                       "write `except`: there are no groups of exceptions here");
    if (py_cur(p) != PTcolon) {
        n->a = py_expr(p);
        if (py_cur(p) == PTcomma)
            py_fail_here(p, E_pysyn_except, py_copy(p, n->a->at, n->a->end), NULL, NULL, NULL);
        if (py_take(p, PTas)) {
            if (py_cur(p) != PTname)
                py_no_name(p);
            n->text = py_text(p, p->at);
            py_next(p);
        }
    }
    n->b = block(p, opener, "'except' statement");
    return py_done(p, n);
}

static PyNode *tries(PyReader *p)
{
    uint32_t opener = p->at, finally;
    PyNode *n = py_node(p, PYTry, opener);
    PyList l = {0};
    py_next(p);
    n->a = block(p, opener, "'try' statement");
    while (py_cur(p) == PTexcept) {
        if (l.last && !l.last->a)
            py_fail(p, E_pysyn_bare, l.last->at, NULL, NULL, NULL, NULL);
        py_append(&l, handler(p));
    }
    n->b = l.first;
    if (l.first)
        n->c = else_block(p);
    finally = p->at;
    if (py_take(p, PTfinally))
        n->d = block(p, finally, "'finally' statement");
    else if (!l.first)
        py_fail_here(p, E_pysyn_try, afmt(p->c, "%u", n->line), py_quote_tok(p, p->at), NULL, NULL);
    return py_done(p, n);
}

/* Definitions --------------------------------------------------------------------------------- */

static void type_parameters(PyReader *p)
{
    if (py_cur(p) == PTlbracket)
        py_unsupported(p, p->at, "a list of type parameters",
                       "remove it: types are not checked here");
}

static PyNode *def(PyReader *p, PyNode *decorators)
{
    uint32_t opener = p->at, paren;
    PyNode *n = py_node(p, PYFunctionDef, opener);
    py_next(p);
    if (py_cur(p) != PTname)
        py_no_name(p);
    n->text = py_text(p, p->at);
    py_next(p);
    type_parameters(p);
    paren = p->at;
    py_want(p, PTlparen);
    n->a = py_parameters(p, PTrparen);
    if (!py_take(p, PTrparen))
        py_no_closer(p, paren);
    n->c = decorators;
    if (py_take(p, PTarrow))
        n->d = py_expr(p);
    n->b = block(p, opener, "function definition");
    return py_done(p, n);
}

static PyNode *class(PyReader *p, PyNode *decorators)
{
    uint32_t opener = p->at;
    PyNode *n = py_node(p, PYClassDef, opener);
    py_next(p);
    if (py_cur(p) != PTname)
        py_no_name(p);
    n->text = py_text(p, p->at);
    py_next(p);
    type_parameters(p);
    if (py_cur(p) == PTlparen)
        n->a = py_arguments(p, false);
    n->c = decorators;
    n->b = block(p, opener, "class definition");
    return py_done(p, n);
}

static PyNode *decorated(PyReader *p)
{
    PyList l = {0};
    while (py_take(p, PTat)) {
        py_append(&l, py_named(p));
        if (!py_take(p, PTnewline))
            py_no_end(p);
    }
    if (py_cur(p) == PTdef)
        return def(p, l.first);
    if (py_cur(p) == PTclass)
        return class(p, l.first);
    if (py_cur(p) == PTasync)
        return compound(p);
    if (py_cur(p) == PTeof && !py_ends_blank(p, 2)) /* one empty line may stand above `def` */
        p->info->incomplete = true;
    py_fail_here(p, E_pysyn_decorator, py_quote_tok(p, p->at), NULL, NULL, NULL);
}

static PyNode *compound(PyReader *p)
{
    switch (py_cur(p)) {
    case PTif: return ifs(p);
    case PTfor: return fors(p);
    case PTwhile: return whiles(p);
    case PTwith: return withs(p);
    case PTtry: return tries(p);
    case PTclass: return class(p, NULL);
    case PTat: return decorated(p);
    case PTasync:
        py_unsupported(p, p->at,
                       py_peek(p, 1) == PTdef    ? "`async def`"
                       : py_peek(p, 1) == PTfor  ? "`async for`"
                       : py_peek(p, 1) == PTwith ? "`async with`"
                                                 : "`async`",
                       "write it without `async`: everything runs in order here");
    default: return def(p, NULL);
    }
}

PyNode *py_module(PyReader *p)
{
    PyNode *n = anew(p->c, sizeof *n);
    PyList l = {0};
    n->kind = PYModule;
    n->end = p->n;
    n->line = 1;
    n->last = p->tok[p->ntok - 1].line;
    while (py_cur(p) != PTeof)
        statement(p, &l);
    n->a = l.first;
    return n;
}
