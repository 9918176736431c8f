/* lua/pyreader/python_stmt.c: simple statements, and what can be assigned to. */
#include <string.h>

#include "err/python.h"
#include "python_p.h"

/* Targets ------------------------------------------------------------------------------- */

static const char *constant_word(const PyNode *n)
{
    switch (n->op) {
    case PCnone: return "None";
    case PCtrue: return "True";
    case PCfalse: return "False";
    case PCellipsis: return "`...`";
    default: return "a literal";
    }
}

const char *py_what(const PyNode *n)
{
    switch (n->kind) {
    case PYConstant: return constant_word(n);
    case PYCall: return "a function call";
    case PYBoolOp: case PYBinOp: case PYUnaryOp: return "an expression";
    case PYCompare: return "a comparison";
    case PYLambda: return "a lambda";
    case PYIfExp: return "a conditional expression";
    case PYDict: return "a dict literal";
    case PYSet: return "a set display";
    case PYListComp: return "a list comprehension";
    case PYSetComp: return "a set comprehension";
    case PYDictComp: return "a dict comprehension";
    case PYGeneratorExp: return "a generator expression";
    case PYYield: case PYYieldFrom: return "a yield expression";
    case PYJoinedStr: return "an f-string";
    case PYNamedExpr: return "a named expression";
    case PYTuple: return "a tuple";
    case PYList: return "a list";
    case PYStarred: return "a starred expression";
    case PYAttribute: return "an attribute";
    case PYSubscript: return "a subscript";
    default: return "a name";
    }
}

/* What may be assigned with `=`, or where another sign is taken for it. */
static const char *place_help(enum PyWhy why, const PyNode *n)
{
    if (why == PWdelete)
        return "only names, attributes and elements can be deleted";
    if (why == PWnamed)
        return "only a name can stand before `:=`";
    if (why == PWassign && n->kind != PYConstant && n->kind != PYJoinedStr)
        return "to compare write `==`; only names, attributes and elements can be assigned to";
    return "only names, attributes and elements can be assigned to";
}

NORETURN static void no_target(PyReader *p, const PyNode *n, enum PyWhy why)
{
    Err e = why == PWdelete  ? E_pysyn_delete
            : why == PWnamed ? E_pysyn_walrus
            : why == PWaug   ? E_pysyn_augmented
                             : E_pysyn_assign;
    py_fail(p, e, n->at, why == PWnamed ? afmt(p->c, "with %s", py_what(n)) : py_what(n),
            place_help(why, n), NULL, NULL);
}

/* Tuples and lists of targets; one starred at most. */
static void check_targets(PyReader *p, PyNode *n, enum PyWhy why)
{
    int stars = 0;
    for (PyNode *t = n->a; t; t = t->next) {
        PyNode *of = t;
        if (t->kind == PYStarred && why != PWdelete) {
            if (++stars > 1)
                py_fail(p, E_pysyn_star, t->at, "multiple starred expressions in assignment",
                        "keep one `*`", NULL, NULL);
            of = t->a;
        }
        py_check_target(p, of, why);
    }
}

void py_check_target(PyReader *p, PyNode *n, enum PyWhy why)
{
    bool single = why == PWaug || why == PWnamed;
    switch (n->kind) {
    case PYName:
        if (why == PWnamed && n->parens)
            no_target(p, n, why);
        return;
    case PYAttribute: case PYSubscript:
        if (why == PWnamed)
            no_target(p, n, why);
        return;
    case PYTuple: case PYList:
        if (single)
            no_target(p, n, why);
        check_targets(p, n, why);
        return;
    case PYStarred:
        if (why == PWassign || why == PWfor || why == PWwith || why == PWcomp)
            py_fail(p, E_pysyn_star, n->at, "starred assignment target must be in a list or tuple",
                    "write *a, = ...", NULL, NULL);
        no_target(p, n, why);
    default:
        no_target(p, n, why);
    }
}

PyNode *py_targets(PyReader *p, enum PyWhy why)
{
    uint32_t from = p->at;
    PyNode *n = py_target_part(p);
    if (py_cur(p) == PTcomma) {
        PyNode *t = py_node(p, PYTuple, from);
        PyList l = {0};
        py_append(&l, n);
        while (py_take(p, PTcomma) && py_cur(p) != PTin)
            py_append(&l, py_target_part(p));
        t->a = l.first;
        n = py_done(p, t);
    }
    py_check_target(p, n, why);
    return n;
}

/* Assignments ------------------------------------------------------------------------------ */

static PyNode *annotated(PyReader *p, PyNode *target, uint32_t from)
{
    PyNode *n = py_node(p, PYAnnAssign, from);
    bool block = target->kind == PYCall && py_peek(p, 1) == PTnewline && py_peek(p, 2) == PTindent;
    if (target->kind != PYName && target->kind != PYAttribute && target->kind != PYSubscript)
        py_fail(p, E_pysyn_annotated, target->at, py_what(target),
                block ? "write `def` in front to define a function"
                      : "a type belongs to one name, attribute or element: x: int",
                NULL, NULL);
    py_next(p);
    n->a = target;
    n->b = py_expr(p);
    if (py_take(p, PTassign))
        n->c = py_value(p);
    return py_done(p, n);
}

static PyNode *assignment(PyReader *p, PyNode *first, uint32_t from)
{
    PyNode *n = py_node(p, PYAssign, from), *value = first;
    PyList targets = {0};
    while (py_take(p, PTassign)) {
        py_check_target(p, value, PWassign);
        py_append(&targets, value);
        value = py_value(p);
    }
    n->a = targets.first;
    n->b = value;
    return py_done(p, n);
}

/* The operator of a compound assignment; 0: it is none. */
static enum PyOp augmented(enum PyTk k)
{
    switch (k) {
    case PTaddeq: return POAdd;
    case PTsubeq: return POSub;
    case PTmuleq: return POMult;
    case PTmateq: return POMatMult;
    case PTdiveq: return PODiv;
    case PTmodeq: return POMod;
    case PTpoweq: return POPow;
    case PTshleq: return POLShift;
    case PTshreq: return PORShift;
    case PToreq: return POBitOr;
    case PTxoreq: return POBitXor;
    case PTandeq: return POBitAnd;
    case PTidiveq: return POFloorDiv;
    default: return POnone;
    }
}

static PyNode *expression(PyReader *p)
{
    uint32_t from = p->at;
    PyNode *first = py_value(p), *n;
    enum PyOp op = augmented(py_cur(p));
    if (py_cur(p) == PTassign)
        return assignment(p, first, from);
    if (py_cur(p) == PTcolon)
        return annotated(p, first, from);
    if (op) {
        n = py_node(p, PYAugAssign, from);
        n->op = (uint8_t)op;
        py_check_target(p, first, PWaug);
        py_next(p);
        n->a = first;
        n->b = py_value(p);
        return py_done(p, n);
    }
    n = py_node(p, PYExpr, from);
    n->a = first;
    return py_done(p, n);
}

/* Statements that begin with a word ---------------------------------------------------------- */

static bool ends(enum PyTk k) { return k == PTnewline || k == PTsemi || k == PTeof; }

static PyNode *word_alone(PyReader *p, enum PyKind k)
{
    PyNode *n = py_node(p, k, p->at);
    py_next(p);
    return py_done(p, n);
}

static PyNode *returns(PyReader *p)
{
    PyNode *n = py_node(p, PYReturn, p->at);
    py_next(p);
    if (!ends(py_cur(p)))
        n->a = py_exprs(p);
    return py_done(p, n);
}

static PyNode *deletes(PyReader *p)
{
    PyNode *n = py_node(p, PYDelete, p->at);
    PyList l = {0};
    py_next(p);
    do {
        PyNode *t = py_target_part(p);
        py_check_target(p, t, PWdelete);
        py_append(&l, t);
    } while (py_take(p, PTcomma) && !ends(py_cur(p)));
    n->a = l.first;
    return py_done(p, n);
}

static PyNode *raises(PyReader *p)
{
    PyNode *n = py_node(p, PYRaise, p->at);
    py_next(p);
    if (!ends(py_cur(p))) {
        n->a = py_expr(p);
        if (py_take(p, PTfrom))
            n->b = py_expr(p);
    }
    return py_done(p, n);
}

static PyNode *asserts(PyReader *p)
{
    PyNode *n = py_node(p, PYAssert, p->at);
    py_next(p);
    n->a = py_expr(p);
    if (py_take(p, PTcomma))
        n->b = py_expr(p);
    return py_done(p, n);
}

static PyNode *declares(PyReader *p, enum PyKind k)
{
    PyNode *n = py_node(p, k, p->at);
    PyList l = {0};
    py_next(p);
    do {
        PyNode *name = py_node(p, PYName, p->at);
        if (py_cur(p) != PTname)
            py_no_name(p);
        name->text = py_text(p, p->at);
        py_next(p);
        py_append(&l, py_done(p, name));
    } while (py_take(p, PTcomma));
    n->a = l.first;
    return py_done(p, n);
}

/* Imports ------------------------------------------------------------------------------------- */

/* a.b.c, without the blanks that may stand in it */
static const char *dotted(PyReader *p)
{
    const char *s = "";
    for (;;) {
        if (py_cur(p) != PTname)
            py_no_name(p);
        s = afmt(p->c, "%s%s%s", s, *s ? "." : "", py_text(p, p->at));
        py_next(p);
        if (py_cur(p) != PTdot)
            return s;
        py_next(p);
    }
}

static PyNode *alias(PyReader *p, bool dots)
{
    PyNode *n = py_node(p, PYAlias, p->at);
    if (py_cur(p) != PTname)
        py_no_name(p);
    if (dots) {
        n->text = dotted(p);
    } else {
        n->text = py_text(p, p->at);
        py_next(p);
    }
    if (py_take(p, PTas)) {
        if (py_cur(p) != PTname)
            py_no_name(p);
        n->text2 = py_text(p, p->at);
        py_next(p);
    }
    return py_done(p, n);
}

static PyNode *imports(PyReader *p)
{
    PyNode *n = py_node(p, PYImport, p->at);
    PyList l = {0};
    py_next(p);
    do
        py_append(&l, alias(p, true));
    while (py_take(p, PTcomma));
    if (py_cur(p) == PTfrom)
        py_fail_here(p, E_pysyn_import, "did you mean to use 'from ... import ...' instead?",
                     "write from module import name", NULL, NULL);
    n->a = l.first;
    return py_done(p, n);
}

/* The names behind `import`, which may stand in parentheses. */
static PyNode *imported(PyReader *p)
{
    PyList l = {0};
    uint32_t opener = p->at;
    bool parens;
    if (py_cur(p) == PTmul) {
        PyNode *n = py_node(p, PYAlias, p->at);
        n->text = "*";
        py_next(p);
        return py_done(p, n);
    }
    parens = py_take(p, PTlparen);
    do {
        if (l.first && ((parens && py_cur(p) == PTrparen)))
            break;
        if (l.first && !parens && ends(py_cur(p)))
            py_fail(p, E_pysyn_import, py_behind(p),
                    "trailing comma not allowed without surrounding parentheses",
                    "remove the comma, or put the names into parentheses", NULL, NULL);
        py_append(&l, alias(p, false));
    } while (py_take(p, PTcomma));
    if (parens && !py_take(p, PTrparen))
        py_no_closer(p, opener);
    return l.first;
}

static PyNode *from(PyReader *p)
{
    PyNode *n = py_node(p, PYImportFrom, p->at);
    unsigned level = 0;
    py_next(p);
    for (; py_cur(p) == PTdot || py_cur(p) == PTdots; py_next(p))
        level += py_cur(p) == PTdot ? 1 : 3;
    if (level > UINT8_MAX)
        py_fail(p, E_pysyn_deep, p->tok[p->at].at, afmt(p->c, "%d", UINT8_MAX), NULL, NULL, NULL);
    n->op = (uint8_t)level;
    if (!level || py_cur(p) != PTimport)
        n->text = dotted(p);
    py_want(p, PTimport);
    if (ends(py_cur(p)))
        py_fail_here(p, E_pysyn_import, "expected one or more names after 'import'",
                     "write the names, or `*`", NULL, NULL);
    n->a = imported(p);
    return py_done(p, n);
}

/* Lines ----------------------------------------------------------------------------------------- */

/* Is it a word with which a later Python begins a statement, `type X = ..`? */
static void type_statement(PyReader *p)
{
    const PyTok *t = &p->tok[p->at];
    if (t->kind == PTname && t->end - t->at == 4 && memcmp(p->src + t->at, "type", 4) == 0 &&
        py_peek(p, 1) == PTname && (py_peek(p, 2) == PTassign || py_peek(p, 2) == PTlbracket))
        py_unsupported(p, p->at, "the `type` statement", "assign the type: Name = type");
}

static PyNode *simple(PyReader *p)
{
    switch (py_cur(p)) {
    case PTpass: return word_alone(p, PYPass);
    case PTbreak: return word_alone(p, PYBreak);
    case PTcontinue: return word_alone(p, PYContinue);
    case PTreturn: return returns(p);
    case PTdel: return deletes(p);
    case PTraise: return raises(p);
    case PTassert: return asserts(p);
    case PTglobal: return declares(p, PYGlobal);
    case PTnonlocal: return declares(p, PYNonlocal);
    case PTimport: return imports(p);
    case PTfrom: return from(p);
    case PTyield: case PTmul: return expression(p);
    default:
        type_statement(p);
        if (!py_starts_expr(py_cur(p)))
            py_no_statement(p);
        return expression(p);
    }
}

void py_simple_line(PyReader *p, PyList *into)
{
    do
        py_append(into, simple(p));
    while (py_take(p, PTsemi) && !ends(py_cur(p)));
    if (!py_take(p, PTnewline))
        py_no_end(p);
}
