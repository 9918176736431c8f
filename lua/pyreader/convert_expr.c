/* lua/pyreader/convert_expr.c: operators, choices, indices.
 *
 * Each function prints and says how tightly its text holds together; parentheses come where the place asks for
 * more, and nowhere else. */
#include <string.h>

#include "convert.h"

enum { MostDepth = 150 };

typedef struct Op { const char *text; enum CvPrec prec; } Op;

static const Op ops[NPyOp] = {
    [POAdd] = {"+", CVadd}, [POSub] = {"-", CVadd}, [POMult] = {"*", CVmul}, [PODiv] = {"/", CVmul},
    [POMod] = {"%", CVmul}, [POFloorDiv] = {"//", CVmul}, [POLShift] = {"<<", CVshift}, [PORShift] = {">>", CVshift},
    [POBitAnd] = {"&", CVband}, [POBitXor] = {"~", CVxor}, [POBitOr] = {"|", CVbor}, [POPow] = {"^", CVpow},
    [POEq] = {"==", CVcompare}, [PONotEq] = {"~=", CVcompare}, [POLt] = {"<", CVcompare}, [POLtE] = {"<=", CVcompare},
    [POGt] = {">", CVcompare}, [POGtE] = {">=", CVcompare}, [POIs] = {"==", CVcompare}, [POIsNot] = {"~=", CVcompare},
};

/* Names ------------------------------------------------------------------- */

void cv_name(Cv *p, const PyNode *n)
{
    CvVar *v = cv_find(p, p->scope, n->text);
    if (v->lost)
        cv_cannot(p, E_py_convert_lost, n, n->text, NULL);
    if (!v->lua)
        v->lua = v->source ? cv_lua_name(p, n->text) : py_lua_name(p->c, n->text);
    if (!v->source && strcmp(n->text, "__name__") == 0)
        cv_cannot(p, E_py_convert_name, n, n->text, NULL);
    cv(p, "%s", v->lua);
}

/* Names that Python has from the start and Lua has not. */
static bool builtin(const char *s)
{
    static const char *const words[] = {
        "len", "range", "int", "float", "str", "bool", "list", "tuple", "dict", "set", "min", "max", "abs", "sum", "sorted",
        "zip", "enumerate", "map", "filter", "isinstance", "getattr", "hasattr", "setattr", "any", "all", "round", "repr",
        "open", "iter", "reversed", "slice", "object", "super", "id", "hash", "callable", "vars", "dir", "divmod", "pow",
        "ValueError", "RuntimeError", "NotImplementedError", "TypeError", "Exception", "AssertionError", "type",
    };
    for (size_t i = 0; i < COUNT(words); i++)
        if (strcmp(words[i], s) == 0)
            return true;
    return false;
}

static enum CvPrec path(Cv *p, const PyNode *n, const char *path)
{
    const char *lua = cv_lua_path(p, path);
    if (!lua)
        cv_cannot(p, E_py_convert_name, n, path, NULL);
    cv(p, "%s", lua ? lua : "");
    return lua && *lua == '"' ? CVvalue : CVatom;
}

static enum CvPrec name(Cv *p, const PyNode *n)
{
    const CvVar *v = cv_find(p, p->scope, n->text);
    const char *of = cv_path(p, n);
    if (of)
        return path(p, n, of);
    if (!v->source && builtin(n->text))
        cv_cannot(p, E_py_convert_name, n, n->text, NULL);
    cv_name(p, n);
    return CVatom;
}

static enum CvPrec attribute(Cv *p, const PyNode *n)
{
    const char *of = cv_path(p, n);
    if (of)
        return path(p, n, of);
    enum CvKind k = cv_kind(p, n->a);
    if (k == CKlist || k == CKstr || k == CKdict)
        cv_cannot(p, E_py_convert_name, n, afmt(p->c, ".%s", n->text), NULL);
    cv_expr(p, n->a, CVatom);
    if (cv_is_name(n->text, strlen(n->text)))
        cv(p, ".%s", n->text);
    else
        cv(p, "[\"%s\"]", n->text);
    return CVatom;
}

static enum CvPrec constant(Cv *p, const PyNode *n)
{
    switch ((enum PyConst)n->op) {
    case PCnone: cv(p, "nil"); break;
    case PCtrue: cv(p, "true"); break;
    case PCfalse: cv(p, "false"); break;
    case PCint: case PCfloat: return cv_number(p, n);
    case PCstr: cv_string(p, n); break;
    case PCellipsis: cv_cannot(p, E_py_convert_name, n, "...", NULL); break;
    case PCbytes: cv_cannot(p, E_py_convert_form, n, "a string of bytes", NULL); break;
    }
    return CVvalue;
}

static void in_place(Cv *p, const PyNode *n, enum CvPrec least, enum CvPrec (*f)(Cv *, const PyNode *));
static enum CvPrec compare(Cv *p, const PyNode *n);

/* Truth ------------------------------------------------------------------- */

bool cv_truthy(Cv *p, const PyNode *n)
{
    switch (cv_kind(p, n)) {
    case CKint: case CKfloat: case CKnumber: case CKstr: case CKlist: case CKdict: case CKtensor: case CKbuffer:
    case CKfunc: case CKobject: case CKsymbol: return true;
    case CKbool: return n->kind == PYConstant && n->op == PCtrue;
    default: return false;
    }
}

static void truth_unknown(Cv *p, const PyNode *n)
{
    if (n->kind == PYName || n->kind == PYAttribute || n->kind == PYSubscript)
        diag(p->c, E_py_convert_truth, py_loc(p->t, n->at), cv_source(p, n), NULL);
}

/* x ~= 0, x ~= "", #x > 0: where Lua has another truth; `no`: the opposite.  CVor - 1: it has the same. */
static int other_truth(Cv *p, const PyNode *n, bool no)
{
    enum CvKind k = cv_kind(p, n);
    if (k == CKint || k == CKfloat || k == CKnumber || k == CKstr) {
        cv_expr(p, n, CVbor);
        cv(p, no ? " == %s" : " ~= %s", k == CKstr ? "\"\"" : "0");
    } else if (k == CKlist) {
        cv(p, "#");
        cv_expr(p, n, CVatom);
        cv(p, no ? " == 0" : " > 0");
    } else if (k == CKdict) {
        cv(p, "next(");
        cv_expr(p, n, CVor);
        cv(p, no ? ") == nil" : ") ~= nil");
    } else {
        return 0;
    }
    return CVcompare;
}

/* not a == b: a ~= b */
static const PyNode *opposite(Cv *p, const PyNode *n, PyNode *to, PyNode *rest)
{
    static const enum PyOp other[NPyOp] = {[POEq] = PONotEq, [PONotEq] = POEq, [POIs] = POIsNot, [POIsNot] = POIs,
                                           [POIn] = PONotIn, [PONotIn] = POIn};
    if (n->kind != PYCompare || n->b->next || !other[n->b->op] || cv_kind(p, n->a) == CKtensor || cv_kind(p, n->b->a) == CKtensor)
        return NULL;
    *rest = *n->b;
    rest->op = (uint8_t)other[n->b->op];
    *to = *n;
    to->b = rest;
    to->next = NULL;
    return to;
}

static enum CvPrec negation(Cv *p, const PyNode *n)
{
    PyNode to, rest;
    const PyNode *other = opposite(p, n, &to, &rest);
    if (other)
        return compare(p, other);
    int prec = n->kind == PYBoolOp || n->kind == PYUnaryOp ? 0 : other_truth(p, n, true);
    if (prec)
        return (enum CvPrec)prec;
    cv(p, "not ");
    cv_condition(p, n, CVunary);
    return CVunary;
}

/* The condition n: returns how it holds together. */
static enum CvPrec condition(Cv *p, const PyNode *n)
{
    if (n->kind == PYUnaryOp && n->op == PONot)
        return negation(p, n->a);
    if (n->kind == PYBoolOp) {
        enum CvPrec prec = n->op == POAnd ? CVand : CVor;
        for (const PyNode *v = n->a; v; v = v->next) {
            cv_condition(p, v, v == n->a ? prec : prec + 1);
            if (v->next)
                cv(p, n->op == POAnd ? " and " : " or ");
        }
        return prec;
    }
    int prec = other_truth(p, n, false);
    if (prec)
        return (enum CvPrec)prec;
    cv_expr(p, n, CVor);
    return CVor; /* cv_expr above is in no parentheses: the caller puts them */
}

/* Prints by f, in parentheses if it holds together less than `least`. */
static void in_place(Cv *p, const PyNode *n, enum CvPrec least, enum CvPrec (*f)(Cv *, const PyNode *))
{
    cv_move(p, n->line);
    if (p->fresh) /* the indentation, before the place where a parenthesis may come */
        cv(p, "%s", "");
    size_t at = p->out->n;
    enum CvPrec prec = f(p, n);
    if (prec >= least || p->out->bad)
        return;
    str_add(p->out, "()", 2);
    if (p->out->bad)
        return;
    memmove(p->out->s + at + 1, p->out->s + at, p->out->n - 2 - at);
    p->out->s[at] = '(';
}

/* Is the truth of n its value in Lua? */
static bool plain_truth(Cv *p, const PyNode *n)
{
    enum CvKind k = cv_kind(p, n);
    return k == CKbool || k == CKunknown || k == CKnone || k == CKsymbol || k == CKbuffer || k == CKtensor || k == CKobject ||
           k == CKfunc;
}

void cv_condition(Cv *p, const PyNode *n, enum CvPrec least)
{
    bool composed = n->kind == PYBoolOp || (n->kind == PYUnaryOp && n->op == PONot);
    if (!composed && plain_truth(p, n)) {
        if (cv_kind(p, n) == CKunknown)
            truth_unknown(p, n);
        cv_expr(p, n, least);
        return;
    }
    in_place(p, n, least, condition);
}

/* Operators --------------------------------------------------------------- */

static enum CvPrec bool_op(Cv *p, const PyNode *n)
{
    for (const PyNode *v = n->a; v->next; v = v->next)
        if (!plain_truth(p, v) || (cv_kind(p, v) == CKtensor))
            cv_cannot(p, E_py_convert_value, n, cv_source(p, n), NULL);
    return condition(p, n);
}

/* Evaluated twice it is still the same. */
static bool pure(Cv *p, const PyNode *n)
{
    if (!n)
        return true;
    if (n->kind == PYCall) {
        const char *of = cv_path(p, n->a);
        if (!of || strncmp(of, "T.", 2) != 0)
            return false;
        for (const PyNode *a = n->b; a; a = a->next)
            if (!pure(p, a->kind == PYKeyword ? a->a : a))
                return false;
        return true;
    }
    return n->kind == PYName || n->kind == PYConstant || ((n->kind == PYAttribute || n->kind == PYUnaryOp) && pure(p, n->a)) ||
           ((n->kind == PYBinOp || n->kind == PYSubscript) && pure(p, n->a) && pure(p, n->b)) ||
           (n->kind == PYSlice && pure(p, n->a) && pure(p, n->b) && !n->c) ||
           (n->kind == PYTuple && n->a && pure(p, n->a) && (!n->a->next || pure(p, n->a->next)));
}

/* x in (a, b): x == a or x == b */
static enum CvPrec member(Cv *p, const PyNode *left, const PyNode *r)
{
    const PyNode *set = r->a;
    bool is_in = r->op == POIn;
    if (cv_kind(p, set) == CKstr) {
        cv_expr(p, set, CVatom);
        cv(p, ":find(");
        cv_expr(p, left, CVor);
        cv(p, is_in ? ", 1, true) ~= nil" : ", 1, true) == nil");
        return CVcompare;
    }
    if ((set->kind != PYTuple && set->kind != PYList && set->kind != PYSet) || !set->a || !pure(p, left)) {
        cv_cannot(p, E_py_convert_form, r, is_in ? "`in`" : "`not in`", NULL);
        return CVatom;
    }
    for (const PyNode *e = set->a; e; e = e->next) {
        cv_expr(p, left, CVbor);
        cv(p, is_in ? " == " : " ~= ");
        cv_expr(p, e, CVbor);
        if (e->next)
            cv(p, is_in ? " or " : " and ");
    }
    return !set->a->next ? CVcompare : is_in ? CVor : CVand;
}

/* a < b of tensors: a:lt(b) */
static enum CvPrec compare_tensors(Cv *p, const PyNode *left, const PyNode *r)
{
    static const char *const names[NPyOp] = {[POEq] = "eq", [PONotEq] = "ne", [POLt] = "lt", [POLtE] = "le", [POGt] = "gt",
                                             [POGtE] = "ge"};
    static const char *const swapped[NPyOp] = {[POEq] = "eq", [PONotEq] = "ne", [POLt] = "gt", [POLtE] = "ge", [POGt] = "lt",
                                               [POGtE] = "le"};
    bool first = cv_kind(p, left) == CKtensor;
    const char *f = (first ? names : swapped)[r->op];
    if (!f)
        cv_cannot(p, E_py_convert_form, left, "a comparison of tensors", NULL);
    cv_expr(p, first ? left : r->a, CVatom);
    cv(p, ":%s(", f ? f : "");
    cv_expr(p, first ? r->a : left, CVor);
    cv(p, ")");
    return CVatom;
}

static enum CvPrec one_comparison(Cv *p, const PyNode *left, const PyNode *r)
{
    enum CvKind a = cv_kind(p, left), b = cv_kind(p, r->a);
    if (r->op == POIn || r->op == PONotIn)
        return member(p, left, r);
    if ((r->op == POEq || r->op == PONotEq) && (a == CKlist || b == CKlist || a == CKdict || b == CKdict))
        cv_cannot(p, E_py_convert_equal, left, cv_source(p, left), NULL);
    if ((a == CKtensor || b == CKtensor) && r->op != POIs && r->op != POIsNot)
        return compare_tensors(p, left, r);
    cv_expr(p, left, CVbor);
    cv(p, " %s ", ops[r->op].text);
    cv_expr(p, r->a, CVbor);
    return CVcompare;
}

/* a < b < c: a < b and b < c */
static enum CvPrec compare(Cv *p, const PyNode *n)
{
    const PyNode *left = n->a;
    if (!n->b->next)
        return one_comparison(p, left, n->b);
    for (const PyNode *r = n->b; r; r = r->next) {
        if (r->next && !pure(p, r->a))
            cv_cannot(p, E_py_convert_form, n, "a chain of comparisons with a call in its middle", NULL);
        if (one_comparison(p, left, r) < CVand)
            cv_cannot(p, E_py_convert_form, n, "`in` in a chain of comparisons", NULL);
        if (r->next)
            cv(p, " and ");
        left = r->a;
    }
    return CVand;
}

static bool is_int(const PyNode *n, int64_t *k)
{
    if (n->kind == PYUnaryOp && n->op == POUSub && n->a->kind == PYConstant && n->a->op == PCint) {
        *k = -n->a->i;
        return true;
    }
    *k = n->i;
    return n->kind == PYConstant && n->op == PCint;
}

/* Is the name that of loops over ranges? */
static bool counts(Cv *p, const PyNode *n)
{
    const CvVar *v = n->kind == PYName ? cv_find(p, p->scope, n->text) : NULL;
    const CvSource *s = v ? v->source : NULL;
    for (; s && s->how == CSitem && s->node->kind == PYCall && s->node->b && !s->node->b->next;)
        s = s->next;
    return v && v->source && !s;
}

static enum CvPrec power(Cv *p, const PyNode *n)
{
    int64_t base, exp;
    bool ibase = is_int(n->a, &base), iexp = is_int(n->b, &exp);
    enum CvKind a = cv_kind(p, n->a), b = cv_kind(p, n->b);
    if (ibase && iexp && exp >= 0 && base >= 0) {
        int64_t r = 1;
        bool fits = exp < 64;
        if (base == 2 && exp < 63 && exp > 10) {
            cv(p, "1 << %lld", (long long)exp);
            return CVshift;
        }
        for (int64_t i = 0; i < exp && fits; i++)
            fits = !__builtin_mul_overflow(r, base, &r);
        if (fits) {
            cv(p, "%lld", (long long)r);
            return CVvalue;
        }
    }
    if (ibase && base == 2 && b == CKint && counts(p, n->b)) {
        cv(p, "1 << ");
        cv_expr(p, n->b, CVshift + 1);
        return CVshift;
    }
    if (iexp && exp == 2 && pure(p, n->a) && a != CKtensor) {
        cv_expr(p, n->a, CVmul);
        cv(p, " * ");
        cv_expr(p, n->a, CVmul + 1);
        return CVmul;
    }
    if (a != CKfloat && b != CKfloat && a != CKtensor && !(iexp && exp < 0))
        cv_cannot(p, E_py_convert_power, n, cv_source(p, n), NULL);
    cv_expr(p, n->a, CVpow + 1);
    cv(p, " ^ ");
    cv_expr(p, n->b, CVunary);
    return CVpow;
}

static enum CvPrec matmul(Cv *p, const PyNode *n)
{
    cv(p, "tl.ref.matmul(");
    cv_expr(p, n->a, CVor);
    cv(p, ", ");
    cv_expr(p, n->b, CVor);
    cv(p, ")");
    return CVatom;
}

static uint32_t count(const PyNode *list)
{
    uint32_t n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

/* [x] * n */
static enum CvPrec repeated(Cv *p, const PyNode *n)
{
    const PyNode *list = n->a, *times = n->b;
    if ((list->kind != PYList && list->kind != PYTuple) || count(list->a) != 1 || !pure(p, list->a)) {
        cv_cannot(p, E_py_convert_form, n, "an operation on lists", NULL);
        return CVatom;
    }
    if (times->kind == PYConstant && times->op == PCint && times->i >= 0 && times->i <= 8) {
        cv(p, "{");
        for (int64_t i = 0; i < times->i; i++) {
            cv(p, i ? ", " : "");
            cv_expr(p, list->a, CVor);
        }
        cv(p, "}");
        return CVvalue;
    }
    cv(p, "(function() local t = {} for i = 1, ");
    cv_expr(p, times, CVor);
    cv(p, " do t[i] = ");
    cv_expr(p, list->a, CVor);
    cv(p, " end return t end)()");
    return CVatom;
}

/* {1, 2, table.unpack(b)}, or table.move(b, 1, #b, #a + 1, {table.unpack(a)}) */
static enum CvPrec joined(Cv *p, const PyNode *n)
{
    const PyNode *a = n->a, *b = n->b;
    bool left = a->kind == PYList || a->kind == PYTuple, right = b->kind == PYList || b->kind == PYTuple;
    if (cv_kind(p, a) != CKlist || cv_kind(p, b) != CKlist || (!left && !(pure(p, a) && (right || pure(p, b))))) {
        cv_cannot(p, E_py_convert_form, n, "an operation on lists", NULL);
        return CVatom;
    }
    if (left) {
        cv(p, "{");
        cv_list(p, a->a);
        cv(p, a->a ? ", table.unpack(" : "table.unpack(");
        cv_expr(p, b, CVor);
        cv(p, ")}");
        return CVvalue;
    }
    cv(p, "table.move(");
    cv_expr(p, b, CVor);
    cv(p, ", 1, ");
    if (right) {
        cv(p, "%u", count(b->a));
    } else {
        cv(p, "#");
        cv_expr(p, b, CVatom);
    }
    cv(p, ", #");
    cv_expr(p, a, CVatom);
    cv(p, " + 1, {table.unpack(");
    cv_expr(p, a, CVor);
    cv(p, ")})");
    return CVatom;
}

static enum CvPrec bin_op(Cv *p, const PyNode *n)
{
    enum CvKind a = cv_kind(p, n->a), b = cv_kind(p, n->b);
    Op op = ops[n->op];
    if (n->op == POPow)
        return power(p, n);
    if (n->op == POMatMult)
        return matmul(p, n);
    if (a == CKstr && b == CKstr && n->op == POAdd)
        op = (Op){"..", CVconcat};
    else if (a == CKstr && n->op == POMult) {
        cv_expr(p, n->a, CVatom);
        cv(p, ":rep(");
        cv_expr(p, n->b, CVor);
        cv(p, ")");
        return CVatom;
    } else if ((a == CKstr || b == CKstr) && !p->traced)
        cv_cannot(p, E_py_convert_form, n, "this operation on a string", NULL);
    if (a == CKlist && n->op == POMult)
        return repeated(p, n);
    if (n->op == POAdd && (a == CKlist || b == CKlist))
        return joined(p, n);
    if (a == CKlist || b == CKlist)
        cv_cannot(p, E_py_convert_form, n, "an operation on lists", NULL);
    cv_expr(p, n->a, op.prec);
    cv(p, " %s ", op.text);
    cv_expr(p, n->b, op.prec + 1);
    return op.prec;
}

static enum CvPrec unary_op(Cv *p, const PyNode *n)
{
    if (n->op == PONot)
        return condition(p, n);
    if (n->op == POUAdd) {
        cv_expr(p, n->a, CVunary);
        return CVunary;
    }
    cv(p, n->op == POUSub ? "-" : "~");
    size_t at = p->out->n;
    cv_expr(p, n->a, CVunary);
    if (n->op == POUSub && p->out->n > at && p->out->s[at] == '-') /* -- would be a comment */
        cv_cannot(p, E_py_convert_form, n, "two minus signs in a row", NULL);
    return CVunary;
}

static PyNode negated(const PyNode *c)
{
    PyNode no = *c;
    no.kind = PYUnaryOp;
    no.op = PONot;
    no.next = no.b = no.c = no.d = NULL;
    no.a = (PyNode *)(uintptr_t)c;
    return no;
}

/* False if c else b: not c and b */
static enum CvPrec false_or(Cv *p, const PyNode *c, const PyNode *b)
{
    PyNode no = negated(c);
    cv_condition(p, &no, CVand);
    cv(p, " and ");
    cv_expr(p, b, CVand + 1);
    return CVand;
}

/* a if c else b: c and a or b, where a is surely neither nil nor false */
static enum CvPrec choice(Cv *p, const PyNode *n)
{
    const PyNode *c = n->a, *a = n->b, *b = n->c;
    bool never = cv_kind(p, a) == CKnone || (a->kind == PYConstant && a->op == PCfalse);
    bool swapped = !cv_truthy(p, a) && cv_truthy(p, b) && (never || !p->traced);
    if (!swapped && a->kind == PYConstant && a->op == PCfalse && !p->traced)
        return false_or(p, c, b);
    if (!swapped && !cv_truthy(p, a)) {
        if (!p->traced || cv_kind(p, a) == CKnone || cv_kind(p, a) == CKbool)
            cv_cannot(p, E_py_convert_choice, a, cv_source(p, a), NULL);
        if (!p->traced)
            return CVatom;
    }
    PyNode no = negated(c);
    if (swapped && a->kind == PYConstant && a->op == PCfalse && b->kind == PYConstant && b->op == PCtrue)
        return condition(p, &no);
    cv_condition(p, swapped ? &no : c, CVand);
    cv(p, " and ");
    cv_expr(p, swapped ? b : a, CVand + 1);
    cv(p, " or ");
    cv_expr(p, swapped ? a : b, CVor + 1);
    return CVor;
}

/* Indices ----------------------------------------------------------------- */

void cv_plus(Cv *p, const PyNode *n, int64_t k, enum CvPrec least)
{
    int64_t i;
    if (is_int(n, &i)) {
        cv(p, "%lld", (long long)(i + k));
        return;
    }
    if (n->kind == PYBinOp && (n->op == POAdd || n->op == POSub) && is_int(n->b, &i)) {
        i = (n->op == POAdd ? i : -i) + k;
        if (i == 0) {
            cv_expr(p, n->a, least);
            return;
        }
        n = n->a;
        k = i;
    }
    if (k == 0) {
        cv_expr(p, n, least);
        return;
    }
    bool parens = least > CVadd;
    cv(p, parens ? "(" : "");
    cv_expr(p, n, CVadd);
    cv(p, " %c %lld", k < 0 ? '-' : '+', (long long)(k < 0 ? -k : k));
    cv(p, parens ? ")" : "");
}

/* -k of a list is #list - k + 1. */
static void from_end(Cv *p, const PyNode *list, int64_t k)
{
    if (!pure(p, list))
        cv_cannot(p, E_py_convert_form, list, "a negative index of a call's result", NULL);
    cv(p, "#");
    cv_expr(p, list, CVatom);
    if (k != 1)
        cv(p, " - %lld", (long long)(k - 1));
}

static enum CvPrec list_slice(Cv *p, const PyNode *n)
{
    const PyNode *s = n->b;
    int64_t k;
    if (s->c) {
        cv_cannot(p, E_py_convert_form, s, "a slice with a step", NULL);
        return CVatom;
    }
    cv(p, "{table.unpack(");
    cv_expr(p, n->a, CVor);
    if (s->a || s->b) {
        cv(p, ", ");
        if (s->a && is_int(s->a, &k) && k < 0) {
            from_end(p, n->a, -k);
        } else if (s->a) {
            cv_plus(p, s->a, 1, CVor);
        } else {
            cv(p, "1");
        }
    }
    if (s->b) {
        cv(p, ", ");
        if (is_int(s->b, &k) && k < 0)
            from_end(p, n->a, -k + 1);
        else
            cv_expr(p, s->b, CVor);
    }
    cv(p, ")}");
    return CVvalue;
}

static enum CvPrec list_index(Cv *p, const PyNode *n)
{
    int64_t k;
    if (n->b->kind == PYSlice)
        return list_slice(p, n);
    if (n->b->kind == PYTuple || cv_kind(p, n->b) == CKstr) {
        cv_cannot(p, E_py_convert_index, n->a, cv_source(p, n->a), NULL);
        return CVatom;
    }
    cv_expr(p, n->a, CVatom);
    cv(p, "[");
    if (is_int(n->b, &k) && k < 0)
        from_end(p, n->a, -k);
    else
        cv_plus(p, n->b, 1, CVor);
    cv(p, "]");
    return CVatom;
}

/* x : f(y) would be a call of x's method f. */
static bool like_method(const PyNode *upper)
{
    while (upper->kind == PYBinOp || upper->kind == PYCompare)
        upper = upper->a;
    return upper->kind == PYCall && upper->a->kind == PYName;
}

static void one_index(Cv *p, const PyNode *n)
{
    bool wide = n->kind == PYSlice && ((n->a && n->a->kind != PYName && n->a->kind != PYConstant) ||
                                       (n->b && n->b->kind != PYName && n->b->kind != PYConstant));
    if (n->kind == PYConstant && n->op == PCnone)
        cv_cannot(p, E_py_convert_form, n, "`None` as an index", NULL);
    if (n->kind != PYSlice) {
        cv_expr(p, n, CVor);
        return;
    }
    if (n->c)
        cv_cannot(p, E_py_convert_form, n, "a slice with a step", NULL);
    if (n->a && n->b && like_method(n->b)) {
        cv(p, "T.slice(");
        cv_expr(p, n->a, CVor);
        cv(p, ", ");
        cv_expr(p, n->b, CVor);
        cv(p, ")");
        return;
    }
    if (n->a)
        cv_expr(p, n->a, CVor);
    cv(p, wide && n->a ? " :" : ":");
    cv(p, wide && n->b ? " " : "");
    if (n->b)
        cv_expr(p, n->b, CVor);
}

static void tile_index(Cv *p, const PyNode *n)
{
    bool several = n->b->kind == PYTuple && n->b->a;
    cv_expr(p, n->a, CVatom);
    cv(p, "[");
    for (const PyNode *k = several ? n->b->a : n->b; k; k = several ? k->next : NULL) {
        one_index(p, k);
        if (several && k->next)
            cv(p, ", ");
    }
    cv_move(p, n->last);
    cv(p, "]");
}

/* Does the index say that it is a tensor's? */
static bool speaks_of_tensor(const PyNode *index)
{
    if (index->kind != PYTuple)
        return false;
    return index->a && index->a->next;
}

static enum CvPrec subscript(Cv *p, const PyNode *n)
{
    enum CvKind k = cv_kind(p, n->a);
    const char *of = cv_path(p, n->a);
    if (of && strncmp(of, "T.", 2) == 0) { /* T.Tensor[[M, N], dtype] */
        cv_expr(p, n->a, CVatom);
        cv(p, "(");
        if (n->b->kind == PYTuple)
            cv_list(p, n->b->a);
        else
            cv_expr(p, n->b, CVor);
        cv(p, ")");
        return CVatom;
    }
    if (of && strcmp(of, "sys.argv") == 0) { /* arg[1], too */
        cv(p, "arg[");
        cv_expr(p, n->b, CVor);
        cv(p, "]");
        return CVatom;
    }
    if (k == CKlist)
        return list_index(p, n);
    if (k == CKdict || (k == CKunknown && n->b->kind == PYConstant && n->b->op == PCstr)) {
        cv_expr(p, n->a, CVatom);
        cv(p, "[");
        cv_expr(p, n->b, CVor);
        cv(p, "]");
        return CVatom;
    }
    if (k == CKstr || k == CKint || k == CKfloat || k == CKnumber)
        cv_cannot(p, E_py_convert_form, n, "an index of a string", NULL);
    if (k == CKunknown && !p->traced && !p->element && !speaks_of_tensor(n->b))
        cv_cannot(p, E_py_convert_index, n->a, cv_source(p, n->a), NULL);
    tile_index(p, n);
    return CVatom;
}

/* Tables ------------------------------------------------------------------ */

void cv_list(Cv *p, const PyNode *list)
{
    for (const PyNode *n = list; n; n = n->next) {
        cv_expr(p, n, CVor);
        if (n->next)
            cv(p, ", ");
    }
}

static void cv_table(Cv *p, const PyNode *list, uint32_t last)
{
    cv(p, "{");
    for (const PyNode *n = list; n; n = n->next) {
        if (n->kind == PYStarred && !n->next) {
            cv(p, "table.unpack(");
            cv_expr(p, n->a, CVor);
            cv(p, ")");
            break;
        }
        if (n->kind == PYConstant && n->op == PCnone)
            cv_cannot(p, E_py_convert_form, n, "a list with None in it", NULL);
        bool one = !n->next && cv_several(p, n); /* several results would be several items */
        cv(p, one ? "(" : "");
        cv_expr(p, n, CVor);
        cv(p, one ? ")" : "");
        if (n->next)
            cv(p, ", ");
    }
    cv_move(p, last);
    cv(p, "}");
}

static enum CvPrec dict(Cv *p, const PyNode *n)
{
    cv(p, "{");
    for (const PyNode *k = n->a; k; k = k->next) {
        cv_move(p, k->line);
        if (!k->a) {
            cv_cannot(p, E_py_convert_form, k, "** in a dict", NULL);
            break;
        }
        if (k->a->kind == PYConstant && k->a->op == PCstr && cv_is_name(k->a->text, k->a->ntext)) {
            cv(p, "%s = ", k->a->text);
        } else {
            cv(p, "[");
            cv_expr(p, k->a, CVor);
            cv(p, "] = ");
        }
        cv_expr(p, k->b, CVor);
        if (k->next)
            cv(p, ", ");
    }
    cv_move(p, n->last);
    cv(p, "}");
    return CVvalue;
}

static enum CvPrec print_expr(Cv *p, const PyNode *n)
{
    switch ((enum PyKind)n->kind) {
    case PYName: return name(p, n);
    case PYConstant: return constant(p, n);
    case PYJoinedStr: return cv_fstring(p, n);
    case PYBoolOp: return bool_op(p, n);
    case PYBinOp: return bin_op(p, n);
    case PYUnaryOp: return unary_op(p, n);
    case PYLambda: return cv_lambda(p, n);
    case PYIfExp: return choice(p, n);
    case PYDict: return dict(p, n);
    case PYList: case PYTuple: cv_table(p, n->a, n->last); return CVvalue;
    case PYListComp: return cv_comprehension(p, n);
    case PYCompare: return compare(p, n);
    case PYCall: return cv_call(p, n);
    case PYAttribute: return attribute(p, n);
    case PYSubscript: return subscript(p, n);
    case PYNamedExpr: cv_cannot(p, E_py_convert_form, n, "`:=`", NULL); break;
    case PYSet: case PYSetComp: cv_cannot(p, E_py_convert_form, n, "a set", NULL); break;
    case PYGeneratorExp: cv_cannot(p, E_py_convert_form, n, "a generator", NULL); break;
    case PYDictComp: cv_cannot(p, E_py_convert_form, n, "a dict comprehension", NULL); break;
    case PYYield: case PYYieldFrom: cv_cannot(p, E_py_convert_form, n, "`yield`", NULL); break;
    case PYStarred: cv_cannot(p, E_py_convert_form, n, "* in front of an argument that is not the last", NULL); break;
    case PYSlice: cv_cannot(p, E_py_convert_form, n, "a slice", NULL); break;
    default: cv_cannot(p, E_py_convert_form, n, "an argument by name here", NULL); /* range(a=1) */
    }
    return CVatom;
}

void cv_expr(Cv *p, const PyNode *n, enum CvPrec least)
{
    if (p->why.err) /* it will not stay */
        return;
    if (++p->depth > MostDepth)
        cv_cannot(p, E_py_convert_form, n, "so deep an expression", NULL);
    else
        in_place(p, n, least, print_expr);
    p->depth--;
}
