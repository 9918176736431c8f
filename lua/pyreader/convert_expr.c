/* lua/pyreader/convert_expr.c: operators, choices, comparisons.
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
/* Does calling it twice with the same values give the same? */
static bool pure_function(Cv *p, const PyNode *f)
{
    static const char *const acts[] = {"T.atomic", "T.rng", "T.call", "T.alloc"};
    static const char *const builtins[] = {"abs", "int", "float", "len", "max", "min"};
    const char *of = cv_path(p, f);
    for (size_t i = 0; of && i < COUNT(acts); i++)
        if (strncmp(of, acts[i], strlen(acts[i])) == 0)
            return false;
    if (of && strncmp(of, "T.", 2) == 0)
        return true;
    for (size_t i = 0; f->kind == PYName && i < COUNT(builtins); i++)
        if (strcmp(f->text, builtins[i]) == 0)
            return !cv_find(p, p->scope, f->text)->source;
    return false;
}

bool cv_pure(Cv *p, const PyNode *n)
{
    if (!n)
        return true;
    if (n->kind == PYCall) {
        if (!pure_function(p, n->a))
            return false;
        for (const PyNode *a = n->b; a; a = a->next)
            if (!cv_pure(p, a->kind == PYKeyword ? a->a : a))
                return false;
        return true;
    }
    return n->kind == PYName || n->kind == PYConstant || ((n->kind == PYAttribute || n->kind == PYUnaryOp) && cv_pure(p, n->a)) ||
           ((n->kind == PYBinOp || n->kind == PYSubscript) && cv_pure(p, n->a) && cv_pure(p, n->b)) ||
           (n->kind == PYSlice && cv_pure(p, n->a) && cv_pure(p, n->b) && !n->c) ||
           (n->kind == PYTuple && n->a && cv_pure(p, n->a) && (!n->a->next || cv_pure(p, n->a->next)));
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
    if ((set->kind != PYTuple && set->kind != PYList && set->kind != PYSet) || !set->a || !cv_pure(p, left)) {
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
        if (r->next && !cv_pure(p, r->a))
            cv_cannot(p, E_py_convert_form, n, "a chain of comparisons with a call in its middle", NULL);
        if (one_comparison(p, left, r) < CVand)
            cv_cannot(p, E_py_convert_form, n, "`in` in a chain of comparisons", NULL);
        if (r->next)
            cv(p, " and ");
        left = r->a;
    }
    return CVand;
}

bool cv_is_int(const PyNode *n, int64_t *k)
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
    bool ibase = cv_is_int(n->a, &base), iexp = cv_is_int(n->b, &exp);
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
    if (iexp && exp == 2 && cv_pure(p, n->a) && a != CKtensor) {
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
        return cv_repeated(p, n);
    if (n->op == POAdd && (a == CKlist || b == CKlist))
        return cv_joined(p, n);
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
    bool twice = n->op == POUSub && n->a->kind == PYUnaryOp && n->a->op == POUSub; /* -- would be a comment */
    cv(p, twice ? "(" : "");
    cv_expr(p, n->a, twice ? CVor : CVunary);
    cv(p, twice ? ")" : "");
    if (n->op == POUSub && p->out->n > at && p->out->s[at] == '-')
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
    case PYDict: return cv_dict(p, n);
    case PYList: case PYTuple: cv_table(p, n->a, n->last); return CVvalue;
    case PYListComp: return cv_comprehension(p, n);
    case PYCompare: return compare(p, n);
    case PYCall: return cv_call(p, n);
    case PYAttribute: return attribute(p, n);
    case PYSubscript: return cv_subscript(p, n);
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
