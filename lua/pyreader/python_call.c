/* lua/pyreader/python_call.c: arguments of calls and classes, parameters, comprehensions. */
#include <string.h>

#include "err/python.h"
#include "python_p.h"

/* Comprehensions ---------------------------------------------------------------------- */

bool py_at_comprehension(const PyReader *p)
{
    return py_cur(p) == PTfor || (py_cur(p) == PTasync && py_peek(p, 1) == PTfor);
}

/* Each `for a in b if c if d`, as a list. */
PyNode *py_comprehensions(PyReader *p)
{
    PyList l = {0};
    py_deeper(p);
    while (py_at_comprehension(p)) {
        PyNode *n = py_node(p, PYComprehension, p->at);
        PyList ifs = {0};
        if (py_cur(p) == PTasync)
            py_unsupported(p, p->at, "`async for`", "write `for`: everything runs in order here");
        py_next(p);
        n->a = py_targets(p, PWcomp);
        py_want(p, PTin);
        n->b = py_or(p);
        while (py_take(p, PTif))
            py_append(&ifs, py_or(p));
        n->c = ifs.first;
        py_append(&l, py_done(p, n));
    }
    py_shallower(p);
    return l.first;
}

/* Arguments ------------------------------------------------------------------------------ */

typedef struct Args {
    PyList list;
    bool keyword, doublestar; /* seen so far */
    const PyNode *generator;
} Args;

NORETURN static void bad_argument(PyReader *p, uint32_t at, const char *what, const char *help)
{
    py_fail(p, E_pysyn_argument, at, what, help, NULL, NULL);
}

static PyNode *keyword(PyReader *p, Args *a)
{
    PyNode *n = py_node(p, PYKeyword, p->at);
    if (py_take(p, PTpow)) {
        n->a = py_expr(p);
        a->doublestar = true;
        return py_done(p, n);
    }
    n->text = py_text(p, p->at);
    for (const PyNode *k = a->list.first; k; k = k->next)
        if (k->kind == PYKeyword && k->text && strcmp(k->text, n->text) == 0)
            bad_argument(p, n->at, afmt(p->c, "keyword argument repeated: %s", n->text),
                         "remove one of the two");
    py_next(p);
    py_next(p);
    if (py_cur(p) == PTcomma || py_cur(p) == PTrparen)
        py_fail_here(p, E_pysyn_argument, "expected argument value expression",
                     "write a value behind the `=`", NULL, NULL);
    n->a = py_expr(p);
    a->keyword = true;
    return py_done(p, n);
}

/* `value = ..`, where value is not a name. */
NORETURN static void assigned(PyReader *p, const PyNode *value)
{
    if (value->kind == PYConstant && value->op <= PCfalse)
        py_fail(p, E_pysyn_assign, value->at, py_what(value), "a keyword is a name: f(name=value)",
                NULL, NULL);
    bad_argument(p, value->at, "expression cannot contain assignment, perhaps you meant \"==\"?",
                 "a keyword is a name: f(name=value); to compare write `==`");
}

static PyNode *argument(PyReader *p, Args *a)
{
    uint32_t from = p->at;
    if (py_cur(p) == PTpow || (py_cur(p) == PTname && py_peek(p, 1) == PTassign))
        return keyword(p, a);
    if (py_cur(p) == PTmul) {
        if (a->doublestar)
            bad_argument(p, p->tok[from].at,
                         "iterable argument unpacking follows keyword argument unpacking",
                         "write *args before **kwargs");
        PyNode *n = py_node(p, PYStarred, from);
        py_next(p);
        n->a = py_expr(p);
        return py_done(p, n);
    }
    PyNode *n = py_named(p);
    if (py_cur(p) == PTassign)
        assigned(p, n);
    if (py_at_comprehension(p)) {
        PyNode *g = py_node(p, PYGeneratorExp, from);
        g->a = n;
        g->b = py_comprehensions(p);
        n = py_done(p, g);
        a->generator = n;
    }
    if (a->doublestar || a->keyword)
        bad_argument(p, n->at,
                     a->doublestar ? "positional argument follows keyword argument unpacking"
                                   : "positional argument follows keyword argument",
                     "put it before the first `name=value`, or give it its name");
    return n;
}

PyNode *py_arguments(PyReader *p, bool call)
{
    uint32_t opener = p->at;
    Args a = {0};
    bool comma = false;
    py_next(p);
    while (py_cur(p) != PTrparen) {
        py_append(&a.list, argument(p, &a));
        if (py_cur(p) == PTrparen)
            break;
        if (py_cur(p) != PTcomma)
            py_no_closer(p, opener);
        comma = true;
        py_next(p);
    }
    if (a.generator && (comma || !call))
        bad_argument(p, a.generator->at, "generator expression must be parenthesized",
                     "write f((x for x in y), z)");
    py_next(p);
    if (a.generator) { /* the parentheses of the call are its own */
        PyNode *g = a.list.first;
        g->at = p->tok[opener].at;
        g->line = p->tok[opener].line;
        g->parens = true;
        py_done(p, g);
    }
    return a.list.first;
}

/* Parameters -------------------------------------------------------------------------------- */

typedef struct Params {
    PyList list;
    bool annotated;     /* of a def, not of a lambda */
    bool defaults;      /* a positional one has a default */
    bool star, slash, kwargs;
    enum PyTk closer;
} Params;

NORETURN static void bad_parameter(PyReader *p, const char *what, const char *help)
{
    py_fail_here(p, E_pysyn_parameter, what, help, NULL, NULL);
}

/* name: type = default */
static void parameter(PyReader *p, Params *m, enum PyArg kind)
{
    PyNode *n = py_node(p, PYArg, p->at);
    n->op = (uint8_t)kind;
    if (py_cur(p) == PTlparen)
        bad_parameter(p, "parameters cannot be parenthesized",
                      "take the tuple apart in the body: a, b = pair");
    if (py_cur(p) != PTname)
        py_no_name(p);
    n->text = py_text(p, p->at);
    py_next(p);
    if (m->annotated && py_take(p, PTcolon))
        n->a = kind == PAvararg && py_cur(p) == PTmul ? py_target_part(p) : py_expr(p);
    py_done(p, n);
    if (py_cur(p) == PTassign && (kind == PAvararg || kind == PAkwarg))
        bad_parameter(p,
                      kind == PAvararg ? "var-positional argument cannot have default value"
                                       : "var-keyword argument cannot have default value",
                      "remove the `= ...`");
    if (py_take(p, PTassign)) {
        if (py_cur(p) == PTcomma || py_cur(p) == m->closer)
            bad_parameter(p, "expected default value expression", "write a value behind the `=`");
        n->b = py_expr(p);
        m->defaults = m->defaults || kind == PApos;
    } else if (kind == PApos && m->defaults) {
        py_fail(p, E_pysyn_parameter, n->at, "non-default argument follows default argument",
                "give it a default too, or put it in front", NULL, NULL);
    }
    py_append(&m->list, n);
}

/* `/`: those before it are given by position only. */
static void slash(PyReader *p, Params *m)
{
    if (!m->list.first)
        bad_parameter(p, "at least one argument must precede /", "remove the `/`");
    if (m->slash)
        bad_parameter(p, "/ may appear only once", "remove one of the two");
    if (m->star)
        bad_parameter(p, "/ must be ahead of *", "put the `/` before the `*`");
    for (PyNode *n = m->list.first; n; n = n->next)
        n->op = PAposonly;
    m->slash = true;
    py_next(p);
}

static void star(PyReader *p, Params *m)
{
    if (m->star)
        bad_parameter(p, "* argument may appear only once", "remove one of the two");
    m->star = true;
    py_next(p);
    if (py_cur(p) == m->closer ||
        (py_cur(p) == PTcomma && (py_peek(p, 1) == m->closer || py_peek(p, 1) == PTpow)))
        bad_parameter(p, "named arguments must follow bare *",
                      "write names behind the `*`, or remove it");
    if (py_cur(p) == PTassign)
        bad_parameter(p, "var-positional argument cannot have default value", "remove the `= ...`");
    if (py_cur(p) != PTcomma)
        parameter(p, m, PAvararg);
}

PyNode *py_parameters(PyReader *p, enum PyTk closer)
{
    Params m = {.annotated = closer == PTrparen, .closer = closer};
    while (py_cur(p) != closer) {
        if (m.kwargs)
            bad_parameter(p, "arguments cannot follow var-keyword argument",
                          "put the parameter before the `**`");
        if (py_cur(p) == PTdiv) {
            slash(p, &m);
        } else if (py_cur(p) == PTmul) {
            star(p, &m);
        } else if (py_take(p, PTpow)) {
            parameter(p, &m, PAkwarg);
            m.kwargs = true;
        } else {
            parameter(p, &m, m.star ? PAkwonly : PApos);
        }
        if (py_cur(p) == closer)
            break;
        if (!py_take(p, PTcomma))
            py_expected(p, closer);
    }
    return m.list.first;
}
