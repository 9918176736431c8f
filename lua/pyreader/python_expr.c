/* lua/pyreader/python_expr.c: expressions.
 *
 *     a if c else b      py_expr      a := b         py_named
 *     or and not < | + * py_binary, by levels of binding, as in the table
 *     - ~ **             py_unary, py_power
 *     f(x)[i].y          py_primary
 *
 * Nodes begin and end where CPython's do: brackets around an operand belong to the operation. */
#include <string.h>

#include "err/python.h"
#include "python_p.h"

enum { MaxDeep = 500 }; /* levels of brackets and blocks */

/* How firmly binary operators bind. */
enum Binding {
    LVor = 1, LVand, LVnot, LVcompare, LVbor, LVbxor, LVband, LVshift, LVsum, LVproduct
};

static const struct { uint8_t level, op; } binary[NPyTk] = {
    [PTor] = {LVor, POOr},         [PTand] = {LVand, POAnd},
    [PTeq] = {LVcompare, POEq},    [PTne] = {LVcompare, PONotEq},   [PTlt] = {LVcompare, POLt},
    [PTle] = {LVcompare, POLtE},   [PTgt] = {LVcompare, POGt},      [PTge] = {LVcompare, POGtE},
    [PTis] = {LVcompare, POIs},    [PTin] = {LVcompare, POIn},      [PTnot] = {LVcompare, PONotIn},
    [PTbor] = {LVbor, POBitOr},    [PTbxor] = {LVbxor, POBitXor},   [PTband] = {LVband, POBitAnd},
    [PTshl] = {LVshift, POLShift}, [PTshr] = {LVshift, PORShift},   [PTadd] = {LVsum, POAdd},
    [PTsub] = {LVsum, POSub},      [PTmul] = {LVproduct, POMult},   [PTdiv] = {LVproduct, PODiv},
    [PTmod] = {LVproduct, POMod},  [PTidiv] = {LVproduct, POFloorDiv}, [PTat] = {LVproduct, POMatMult},
};

void py_deeper(PyReader *p)
{
    if (++p->deep > MaxDeep)
        py_fail(p, E_pysyn_deep, p->tok[p->at].at, afmt(p->c, "%d", MaxDeep), NULL, NULL, NULL);
}

bool py_starts_expr(enum PyTk k)
{
    switch (k) {
    case PTname: case PTnumber: case PTstring: case PTfstart: case PTFalse: case PTNone:
    case PTTrue: case PTlambda: case PTnot: case PTdots: case PTadd: case PTsub: case PTbnot:
    case PTlparen: case PTlbracket:
    case PTlbrace: case PTawait:
        return true;
    default:
        return false;
    }
}

static PyNode *starred_or_named(PyReader *p);

/* Atoms ----------------------------------------------------------------------------- */

static PyNode *name(PyReader *p)
{
    PyNode *n = py_node(p, PYName, p->at);
    n->text = py_text(p, p->at);
    py_next(p);
    return py_done(p, n);
}

static PyNode *word_constant(PyReader *p, enum PyConst c)
{
    PyNode *n = py_node(p, PYConstant, p->at);
    n->op = (uint8_t)c;
    n->text = py_text(p, p->at);
    py_next(p);
    return py_done(p, n);
}

/* [x, y for ..]: the target needs parentheses. */
static void bare_tuple(PyReader *p, uint32_t opener)
{
    if (py_at_comprehension(p))
        py_fail(p, E_pysyn_comp, p->tok[opener + 1].at,
                "did you forget parentheses around the comprehension target?",
                "write ((x, y) for ...) with parentheses of its own", NULL, NULL);
}

/* Entries up to the closer, separated by commas; the first was read already. */
static PyNode *entries(PyReader *p, PyNode *first, enum PyTk closer, uint32_t opener)
{
    PyList l = {0};
    py_append(&l, first);
    while (py_cur(p) != closer) {
        bare_tuple(p, opener);
        if (!py_take(p, PTcomma))
            py_no_closer(p, opener);
        if (py_cur(p) == closer)
            break;
        py_append(&l, starred_or_named(p));
    }
    return l.first;
}

static PyNode *comprehension(PyReader *p, PyNode *n, PyNode *elt, enum PyKind k, enum PyTk closer,
                             uint32_t opener)
{
    if (elt->kind == PYStarred)
        py_fail(p, E_pysyn_comp, elt->at, "iterable unpacking cannot be used in a comprehension",
                "write two loops: [x for a in b for x in a]", NULL, NULL);
    n->kind = (uint8_t)k;
    n->a = elt;
    n->b = py_comprehensions(p);
    if (py_cur(p) != closer)
        py_no_closer(p, opener);
    return n;
}

static PyNode *parenthesized(PyReader *p)
{
    uint32_t opener = p->at;
    PyNode *n = py_node(p, PYTuple, opener), *first;
    py_next(p);
    n->parens = true;
    if (py_take(p, PTrparen))
        return py_done(p, n);
    if (py_cur(p) == PTyield) {
        first = py_value(p);
    } else {
        first = starred_or_named(p);
        if (py_at_comprehension(p)) {
            comprehension(p, n, first, PYGeneratorExp, PTrparen, opener);
            py_next(p);
            return py_done(p, n);
        }
        if (py_cur(p) == PTcomma) {
            n->a = entries(p, first, PTrparen, opener);
            py_next(p);
            return py_done(p, n);
        }
    }
    if (!py_take(p, PTrparen))
        py_no_closer(p, opener);
    if (first->kind == PYStarred)
        py_fail(p, E_pysyn_star, first->at, "cannot use a starred expression here",
                "for a tuple write (*a,), with a comma", NULL, NULL);
    first->parens = true;
    return first;
}

static PyNode *list(PyReader *p)
{
    uint32_t opener = p->at;
    PyNode *n = py_node(p, PYList, opener);
    py_next(p);
    if (py_cur(p) != PTrbracket) {
        PyNode *first = starred_or_named(p);
        if (py_at_comprehension(p)) {
            comprehension(p, n, first, PYListComp, PTrbracket, opener);
        } else {
            n->a = entries(p, first, PTrbracket, opener);
        }
    }
    py_next(p);
    return py_done(p, n);
}

/* key: value, or **value; the key was read already, from token `from` on, or is NULL. */
static PyNode *dict_item(PyReader *p, PyNode *key, uint32_t from)
{
    PyNode *n = py_node(p, PYDictItem, from);
    if (!key && py_take(p, PTpow)) {
        n->b = py_target_part(p);
        return py_done(p, n);
    }
    if (!key && py_cur(p) == PTmul)
        py_fail_here(p, E_pysyn_dict, "an unpacked list cannot be an entry of a dict",
                     "in a dict stands key: value or **dict", NULL, NULL);
    n->a = key ? key : py_expr(p);
    if (py_cur(p) != PTcolon)
        py_fail_here(p, E_pysyn_dict, "':' expected after dictionary key", "an entry is key: value",
                     NULL, NULL);
    py_next(p);
    if (py_cur(p) == PTrbrace || py_cur(p) == PTcomma)
        py_fail_here(p, E_pysyn_dict, "expression expected after dictionary key and ':'",
                     "write the value behind the colon", NULL, NULL);
    if (py_cur(p) == PTmul)
        py_fail_here(p, E_pysyn_dict, "cannot use a starred expression in a dictionary value",
                     "write a list: key: [*a]", NULL, NULL);
    n->b = py_expr(p);
    return py_done(p, n);
}

static PyNode *dict(PyReader *p, PyNode *n, PyNode *first, uint32_t opener)
{
    PyList l = {0};
    if (py_at_comprehension(p)) {
        if (!first->a)
            py_fail(p, E_pysyn_comp, first->at,
                    "dict unpacking cannot be used in a dict comprehension",
                    "write two loops: {k: v for d in ds for k, v in d.items()}", NULL, NULL);
        n->kind = PYDictComp;
        n->a = first->a;
        n->b = first->b;
        n->c = py_comprehensions(p);
        if (py_cur(p) != PTrbrace)
            py_no_closer(p, opener);
        return n;
    }
    n->kind = PYDict;
    py_append(&l, first);
    while (py_cur(p) != PTrbrace) {
        if (!py_take(p, PTcomma))
            py_no_closer(p, opener);
        if (py_cur(p) == PTrbrace)
            break;
        py_append(&l, dict_item(p, NULL, p->at));
    }
    n->a = l.first;
    return n;
}

/* A dict or a set: the first colon tells. */
static PyNode *braces(PyReader *p)
{
    uint32_t opener = p->at;
    PyNode *n = py_node(p, PYDict, opener), *first;
    py_next(p);
    if (py_take(p, PTrbrace))
        return py_done(p, n);
    if (py_cur(p) == PTpow) {
        dict(p, n, dict_item(p, NULL, p->at), opener);
    } else {
        first = starred_or_named(p);
        if (py_cur(p) == PTcolon && first->kind != PYStarred &&
            (first->kind != PYNamedExpr || first->parens)) {
            dict(p, n, dict_item(p, first, opener + 1), opener);
        } else if (py_at_comprehension(p)) {
            comprehension(p, n, first, PYSetComp, PTrbrace, opener);
        } else {
            n->kind = PYSet;
            n->a = entries(p, first, PTrbrace, opener);
        }
    }
    py_next(p);
    return py_done(p, n);
}

static PyNode *atom(PyReader *p)
{
    switch (py_cur(p)) {
    case PTname: return name(p);
    case PTnumber: return py_number(p, false);
    case PTstring: case PTfstart: return py_strings(p);
    case PTNone: return word_constant(p, PCnone);
    case PTTrue: return word_constant(p, PCtrue);
    case PTFalse: return word_constant(p, PCfalse);
    case PTdots: return word_constant(p, PCellipsis);
    case PTlparen: return parenthesized(p);
    case PTlbracket: return list(p);
    case PTlbrace: return braces(p);
    case PTawait:
        py_unsupported(p, p->at, "`await`",
                       "call the function without it: everything runs in order here");
    default: py_no_expr(p);
    }
}

/* Primaries ---------------------------------------------------------------------------- */

/* a, a:b, a:b:c, *a */
static PyNode *slice(PyReader *p)
{
    uint32_t from = p->at;
    PyNode *lower = py_cur(p) == PTcolon ? NULL : starred_or_named(p), *n;
    if (py_cur(p) != PTcolon || (lower && lower->kind == PYStarred))
        return lower;
    n = py_node(p, PYSlice, from);
    n->a = lower;
    py_next(p);
    if (py_cur(p) != PTcolon && py_cur(p) != PTcomma && py_cur(p) != PTrbracket)
        n->b = py_expr(p);
    if (py_take(p, PTcolon) && py_cur(p) != PTcomma && py_cur(p) != PTrbracket)
        n->c = py_expr(p);
    return py_done(p, n);
}

static PyNode *subscript(PyReader *p, PyNode *value, uint32_t from)
{
    PyNode *n = py_node(p, PYSubscript, from), *first;
    uint32_t opener = p->at;
    py_next(p);
    n->a = value;
    if (py_cur(p) == PTrbracket)
        py_no_expr(p);
    uint32_t at = p->at;
    first = slice(p);
    if (py_cur(p) == PTcomma || first->kind == PYStarred) {
        PyNode *t = py_node(p, PYTuple, at);
        PyList l = {0};
        py_append(&l, first);
        while (py_take(p, PTcomma) && py_cur(p) != PTrbracket)
            py_append(&l, slice(p));
        t->a = l.first;
        first = py_done(p, t);
    }
    n->b = first;
    if (!py_take(p, PTrbracket))
        py_no_closer(p, opener);
    return py_done(p, n);
}

static PyNode *attribute(PyReader *p, PyNode *value, uint32_t from)
{
    PyNode *n = py_node(p, PYAttribute, from);
    py_next(p);
    if (py_cur(p) != PTname)
        py_no_name(p);
    n->a = value;
    n->text = py_text(p, p->at);
    py_next(p);
    return py_done(p, n);
}

static PyNode *primary(PyReader *p)
{
    uint32_t from = p->at;
    PyNode *n = atom(p);
    for (;;) {
        switch (py_cur(p)) {
        case PTdot: n = attribute(p, n, from); break;
        case PTlbracket: n = subscript(p, n, from); break;
        case PTlparen: {
            PyNode *call = py_node(p, PYCall, from);
            call->a = n;
            call->b = py_arguments(p, true);
            n = py_done(p, call);
            break;
        }
        default: return n;
        }
    }
}

/* Operators ------------------------------------------------------------------------------ */

static PyNode *unary(PyReader *p);

static PyNode *power(PyReader *p)
{
    uint32_t from = p->at;
    PyNode *left = primary(p), *n;
    if (py_cur(p) != PTpow)
        return left;
    n = py_node(p, PYBinOp, from);
    py_next(p);
    n->op = POPow;
    n->a = left;
    py_deeper(p);
    n->b = unary(p);
    py_shallower(p);
    return py_done(p, n);
}

static PyNode *unary(PyReader *p)
{
    enum PyTk k = py_cur(p);
    if (k != PTsub && k != PTadd && k != PTbnot)
        return power(p);
    PyNode *n = py_node(p, PYUnaryOp, p->at);
    py_next(p);
    if (k == PTsub && py_lowest(p, p->at) && py_peek(p, 1) != PTpow)
        return py_number(p, true);
    n->op = k == PTsub ? POUSub : k == PTadd ? POUAdd : POInvert;
    py_deeper(p);
    n->a = unary(p);
    py_shallower(p);
    return py_done(p, n);
}

static PyNode *operators(PyReader *p, int level);

/* The operator at hand, if it binds as firmly as that: its level; 0: none.  `not` is one only before `in`. */
static int operator_at(const PyReader *p, int level)
{
    enum PyTk k = py_cur(p);
    int own = binary[k].level;
    return own >= level && (k != PTnot || py_peek(p, 1) == PTin) ? own : 0;
}

static PyNode *comparisons(PyReader *p, PyNode *left, uint32_t from)
{
    PyNode *n = py_node(p, PYCompare, from);
    PyList l = {0};
    n->a = left;
    while (operator_at(p, LVcompare) == LVcompare) {
        PyNode *c = py_node(p, PYComparison, p->at);
        c->op = binary[py_cur(p)].op;
        py_next(p);
        if (c->op == PONotIn) {
            py_next(p);
        } else if (c->op == POIs && py_take(p, PTnot)) {
            c->op = POIsNot;
        }
        c->a = operators(p, LVcompare + 1);
        py_append(&l, py_done(p, c));
    }
    n->b = l.first;
    return py_done(p, n);
}

static PyNode *logical(PyReader *p, PyNode *left, uint32_t from, int level)
{
    PyNode *n = py_node(p, PYBoolOp, from);
    PyList l = {0};
    n->op = binary[py_cur(p)].op;
    py_append(&l, left);
    while (operator_at(p, level) == level) {
        py_next(p);
        py_append(&l, operators(p, level + 1));
    }
    n->a = l.first;
    return py_done(p, n);
}

static PyNode *negation(PyReader *p)
{
    PyNode *n = py_node(p, PYUnaryOp, p->at);
    py_next(p);
    n->op = PONot;
    py_deeper(p);
    n->a = operators(p, LVnot);
    py_shallower(p);
    return py_done(p, n);
}

/* What operators of that level and firmer ones join. */
static PyNode *operators(PyReader *p, int level)
{
    uint32_t from = p->at;
    PyNode *left = py_cur(p) == PTnot && level <= LVnot ? negation(p) : unary(p);
    for (int own; (own = operator_at(p, level)) != 0;) {
        if (own == LVcompare) {
            left = comparisons(p, left, from);
        } else if (own <= LVand) {
            left = logical(p, left, from, own);
        } else {
            PyNode *n = py_node(p, PYBinOp, from);
            n->op = binary[py_cur(p)].op;
            py_next(p);
            n->a = left;
            n->b = operators(p, own + 1);
            left = py_done(p, n);
        }
    }
    return left;
}

PyNode *py_or(PyReader *p)
{
    return operators(p, LVor);
}

static PyNode *lambda(PyReader *p)
{
    PyNode *n = py_node(p, PYLambda, p->at);
    py_next(p);
    n->a = py_parameters(p, PTcolon);
    if (!py_take(p, PTcolon))
        py_expected(p, PTcolon);
    n->b = py_expr(p);
    return py_done(p, n);
}

PyNode *py_expr(PyReader *p)
{
    uint32_t from = p->at;
    PyNode *n, *body;
    py_deeper(p);
    if (py_cur(p) == PTlambda) {
        n = lambda(p);
    } else {
        n = body = py_or(p);
        if (py_cur(p) == PTif) {
            n = py_node(p, PYIfExp, from);
            py_next(p);
            n->b = body;
            n->a = py_or(p);
            if (!py_take(p, PTelse))
                py_fail_here(p, E_pysyn_ifexp, py_quote_tok(p, p->at), NULL, NULL, NULL);
            n->c = py_expr(p);
            py_done(p, n);
        }
    }
    py_shallower(p);
    return n;
}

PyNode *py_named(PyReader *p)
{
    uint32_t from = p->at;
    PyNode *n = py_expr(p), *target = n;
    if (py_cur(p) != PTwalrus)
        return n;
    n = py_node(p, PYNamedExpr, from);
    if (target->kind != PYName || target->parens)
        py_check_target(p, target, PWnamed);
    py_next(p);
    n->a = target;
    n->b = py_expr(p);
    return py_done(p, n);
}

PyNode *py_target_part(PyReader *p)
{
    PyNode *n = py_node(p, PYStarred, p->at);
    bool star = py_take(p, PTmul);
    py_deeper(p);
    PyNode *value = operators(p, LVbor);
    py_shallower(p);
    if (!star)
        return value;
    n->a = value;
    return py_done(p, n);
}

static PyNode *starred_or_named(PyReader *p)
{
    return py_cur(p) == PTmul ? py_target_part(p) : py_named(p);
}

static PyNode *starred_or_expr(PyReader *p)
{
    return py_cur(p) == PTmul ? py_target_part(p) : py_expr(p);
}

PyNode *py_exprs(PyReader *p)
{
    uint32_t from = p->at;
    PyNode *first = starred_or_expr(p), *n;
    PyList l = {0};
    if (py_cur(p) != PTcomma)
        return first;
    n = py_node(p, PYTuple, from);
    py_append(&l, first);
    while (py_take(p, PTcomma) && (py_starts_expr(py_cur(p)) || py_cur(p) == PTmul))
        py_append(&l, starred_or_expr(p));
    n->a = l.first;
    return py_done(p, n);
}

static PyNode *yield(PyReader *p)
{
    PyNode *n = py_node(p, PYYield, p->at);
    py_next(p);
    if (py_take(p, PTfrom)) {
        n->kind = PYYieldFrom;
        n->a = py_expr(p);
    } else if (py_starts_expr(py_cur(p)) || py_cur(p) == PTmul) {
        n->a = py_exprs(p);
    }
    return py_done(p, n);
}

PyNode *py_value(PyReader *p)
{
    return py_cur(p) == PTyield ? yield(p) : py_exprs(p);
}
