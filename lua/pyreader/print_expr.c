/* lua/pyreader/print_expr.c: expressions. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "print.h"
#include "err/python_scope.h"

enum {
    MostDepth = 120, /* of calls in calls: Lua stops at 200 */
    MostArgs = 200,  /* of a call: Lua has 255 registers */
};

static const char *const operator_names[NPyOp] = {
    [POAdd] = "add", [POSub] = "sub", [POMult] = "mul", [POMatMult] = "matmul", [PODiv] = "div", [POMod] = "mod",
    [POPow] = "pow", [POLShift] = "lshift", [PORShift] = "rshift", [POBitOr] = "bor", [POBitXor] = "bxor",
    [POBitAnd] = "band", [POFloorDiv] = "floordiv", [POInvert] = "invert", [PONot] = "no", [POUAdd] = "pos",
    [POUSub] = "neg", [POEq] = "eq", [PONotEq] = "ne", [POLt] = "lt", [POLtE] = "le", [POGt] = "gt", [POGtE] = "ge",
    [POIs] = "is", [POIsNot] = "isnot", [POIn] = "contains", [PONotIn] = "notcontains",
};

const char *pp_operator(enum PyOp op) { return operator_names[op]; }

/* What a kernel's expressions call, or a host program's. */
static const char *either(const PyPrint *p, const char *kernels, const char *hosts)
{
    return p->fn->symbolic ? kernels : hosts;
}

/* Names ------------------------------------------------------------------- */

/* Is the block `up` the block b or one around it? */
static bool block_around(const PyFn *f, uint32_t up, uint32_t b)
{
    while (b > up)
        b = f->parent[b];
    return b == up;
}

/* A variable of a kernel: may it have got its value in a block that is closed by now?  Where several places assign it,
 * one further down may have, in an earlier turn of a loop. */
static bool may_be_gone(const PyFn *f, const PyVar *v)
{
    if (v->nset > 1)
        return true;
    for (uint32_t i = 0; i < v->nblock; i++)
        if (!block_around(f, v->blocks[i], f->block))
            return true;
    return false;
}

static void read_local(PyPrint *p, const PyVar *v)
{
    const PyFn *f = p->fn;
    bool own = v->owner == f->scope;
    if (own && f->staged && may_be_gone(f, v))
        pp(p, "__py.get(__st%u, %s, \"%s\", %u)", f->level, v->lua, v->name, f->block);
    else if (!v->deleted && (own ? f->has[v->index] : v->param))
        pp(p, "%s", v->lua);
    else
        pp(p, "(%s == nil and __py.unbound(\"%s\", \"%s\") or %s)", v->lua, v->name, own ? "own" : "free", v->lua);
}

/* In a class's body: its own names first, then those around, the functions' before the module's. */
static void read_in_class(PyPrint *p, const PyVar *v)
{
    PyScope *cls = p->scope, *fn = cls->up;
    pp(p, "__py.inclass(__ns, \"%s\", function() return ", v->name);
    while (fn->node->kind == PYClassDef)
        fn = fn->up;
    const PyVar *o = py_find(p->c, fn, v->name);
    pp(p, "%s end)", o->lua);
}

/* __class__ in a class's functions, which no program assigns: what super() takes. */
static bool is_own_class(const PyPrint *p, const PyVar *v)
{
    const PyScope *s = p->scope;
    bool inside = false;
    if (strcmp(v->name, "__class__") != 0 || v->owner->up || v->bound)
        return false;
    for (; s && s->node->kind != PYClassDef; s = s->up)
        inside = true;
    return s && inside;
}

void pp_read(PyPrint *p, const PyNode *n)
{
    const PyVar *v = py_find(p->c, p->scope, n->text);
    pp_line(p, n);
    if (is_own_class(p, v))
        pp(p, "__class");
    else if (v->owner->node->kind == PYClassDef)
        read_in_class(p, v);
    else if (!v->owner->up)
        pp(p, "%s", v->lua);
    else
        read_local(p, v);
}

/* Constants --------------------------------------------------------------- */

static void constant(PyPrint *p, const PyNode *n)
{
    pp_line(p, n);
    switch ((enum PyConst)n->op) {
    case PCnone: pp(p, "__py.None"); break;
    case PCtrue: pp(p, "true"); break;
    case PCfalse: pp(p, "false"); break;
    case PCellipsis: pp(p, "__py.Ellipsis"); break;
    case PCint: /* the smallest is no literal of Lua's */
        if (n->i == INT64_MIN)
            pp(p, "(-9223372036854775807 - 1)");
        else
            pp(p, "%lld", (long long)n->i);
        break;
    case PCfloat:
        if (isinf(n->f))
            pp(p, "(1 / 0)");
        else
            pp(p, "%a", n->f);
        break;
    case PCstr: pp_string(p, n->text, n->ntext); break;
    case PCbytes:
        pp(p, "__py.bytes(");
        pp_string(p, n->text, n->ntext);
        pp(p, ")");
        break;
    }
}

/* {v} or f"..": pieces that are joined. */
static void formatted(PyPrint *p, const PyNode *n)
{
    pp(p, "__py.format(");
    pp_expr(p, n->a);
    if (n->op || n->b) {
        if (n->op)
            pp(p, ", \"%c\"", n->op);
        else
            pp(p, ", nil");
        if (n->b) {
            pp(p, ", ");
            pp_expr(p, n->b);
        }
    }
    pp(p, ")");
}

static void joined(PyPrint *p, const PyNode *n)
{
    pp_line(p, n);
    if (!n->a) {
        pp(p, "\"\"");
        return;
    }
    pp(p, "__py.strings{");
    for (const PyNode *k = n->a; k; k = k->next) {
        if (k->kind == PYFormattedValue)
            formatted(p, k);
        else
            pp_expr(p, k);
        pp(p, k->next ? ", " : "}");
    }
}

/* Lists ------------------------------------------------------------------- */

void pp_list(PyPrint *p, const PyNode *list)
{
    for (const PyNode *n = list; n; n = n->next) {
        pp_expr(p, n);
        if (n->next)
            pp(p, ", ");
    }
}

static bool has_star(const PyNode *list)
{
    for (const PyNode *n = list; n; n = n->next)
        if (n->kind == PYStarred)
            return true;
    return false;
}

/* A list, tuple or set: __py.KIND{..}; with stars __py.join("KIND", {a, b}, __py.star(x), ..). */
static void display(PyPrint *p, const char *kind, const PyNode *list)
{
    if (!has_star(list)) {
        pp(p, "__py.%s{", kind);
        pp_list(p, list);
        pp(p, "}");
        return;
    }
    pp(p, "__py.join(\"%s\"", kind);
    for (const PyNode *n = list; n;) {
        if (n->kind == PYStarred) {
            pp(p, ", __py.star(");
            pp_expr(p, n->a);
            pp(p, ")");
            n = n->next;
            continue;
        }
        pp(p, ", {");
        for (; n && n->kind != PYStarred; n = n->next) {
            pp_expr(p, n);
            pp(p, ", ");
        }
        pp(p, "}");
    }
    pp(p, ")");
}

/* What CPython's compiler has computed before the program runs: constants, operators on those, tuples of them. */
static bool folded(const PyNode *n)
{
    switch (n->kind) {
    case PYConstant: return true;
    case PYUnaryOp: return folded(n->a);
    case PYBinOp: return folded(n->a) && folded(n->b);
    case PYTuple:
        for (const PyNode *k = n->a; k; k = k->next)
            if (!folded(k))
                return false;
        return true;
    default: return false;
    }
}

/* {a, b, c}.  Constants are a frozenset in CPython, from which a set of more than two is filled: each of those steps
 * gives them another order.  iterated: what a `for` goes over, which is the frozenset. */
void pp_set(PyPrint *p, const PyNode *n, bool iterated)
{
    uint32_t constants = 0;
    for (const PyNode *k = n->a; k; k = k->next, constants++)
        if (!folded(k)) {
            display(p, "set", n->a);
            return;
        }
    display(p, iterated ? "constants" : constants > 2 ? "constset" : "set", n->a);
}

/* merge: what puts dicts together, where there is a `**`. */
static void dict(PyPrint *p, const PyNode *n, const char *merge)
{
    bool merges = false;
    pp_line(p, n);
    for (const PyNode *k = n->a; k; k = k->next)
        merges |= !k->a;
    if (merges)
        pp(p, "__py.%s(", merge);
    else
        pp(p, "__py.dict{");
    for (const PyNode *k = n->a; k;) {
        if (!k->a) {
            pp_expr(p, k->b);
            k = k->next;
            pp(p, k ? ", " : "");
            continue;
        }
        if (merges)
            pp(p, "__py.dict{");
        for (; k && k->a; k = k->next) {
            pp_expr(p, k->a);
            pp(p, ", ");
            pp_expr(p, k->b);
            pp(p, k->next && k->next->a ? ", " : "");
        }
        if (merges)
            pp(p, k ? "}, " : "}");
    }
    pp(p, merges ? ")" : "}");
}

/* Calls ------------------------------------------------------------------- */

typedef struct Args { uint32_t plain, named; bool stars; } Args;

static Args args_of(const PyNode *list)
{
    Args a = {0};
    for (const PyNode *n = list; n; n = n->next) {
        if (n->kind == PYStarred || (n->kind == PYKeyword && !n->text))
            a.stars = true;
        else if (n->kind == PYKeyword)
            a.named++;
        else
            a.plain++;
    }
    a.stars |= a.plain + a.named > MostArgs;
    return a;
}

/* `, {"a", "b"}` and then the values: positional ones, those of keywords. */
static void named_args(PyPrint *p, const PyNode *list)
{
    const char *sep = ", {";
    for (const PyNode *n = list; n; n = n->next)
        if (n->kind == PYKeyword) {
            pp(p, "%s\"%s\"", sep, n->text);
            sep = ", ";
        }
    pp(p, "}");
    for (const PyNode *n = list; n; n = n->next) { /* keywords stand behind, but for f(*a, k = 1, *b) */
        pp(p, ", ");
        pp_expr(p, n->kind == PYKeyword ? n->a : n);
    }
}

/* `, List, Dict or nil` */
static void star_args(PyPrint *p, const PyNode *list)
{
    PyNode *plain = NULL, **pt = &plain, *named = NULL, **nt = &named;
    for (const PyNode *n = list; n; n = n->next) {
        PyNode *k = anew(p->c, sizeof *k);
        *k = *n;
        k->next = NULL;
        if (n->kind != PYKeyword) {
            *pt = k;
            pt = &k->next;
            continue;
        }
        k->kind = PYDictItem;
        k->b = n->a;
        k->a = NULL;
        if (n->text) {
            k->a = anew(p->c, sizeof *k->a);
            *k->a = (PyNode){.kind = PYConstant, .op = PCstr, .text = n->text, .ntext = (uint32_t)strlen(n->text),
                             .line = n->line, .at = n->at, .end = n->end};
        }
        *nt = k;
        nt = &k->next;
    }
    pp(p, ", ");
    display(p, "list", plain);
    pp(p, ", ");
    if (named)
        dict(p, &(PyNode){.kind = PYDict, .a = named, .line = named->line}, "keywords");
    else
        pp(p, "nil");
}

/* super() is super(the class, the first parameter). */
static bool is_super(const PyPrint *p, const PyNode *n)
{
    return n->a->kind == PYName && strcmp(n->a->text, "super") == 0 && !n->b && p->scope->cls;
}

static void call(PyPrint *p, const PyNode *n)
{
    Args a = args_of(n->b);
    const char *how = a.stars ? "s" : a.named ? "k" : "";
    const PyNode *f = n->a;
    pp_line(p, n);
    if (is_super(p, n)) {
        const PyVar *self = p->scope->var;
        pp(p, "__py.super(__class, %s)", self && self->param ? self->lua : "nil");
        return;
    }
    if (f->kind == PYAttribute) {
        pp(p, "__py.method%s(", a.stars ? "s" : a.named ? "k" : "");
        pp_expr(p, f->a);
        pp(p, ", \"%s\"", pp_attr_name(p, f->text));
    } else {
        pp(p, "__py.call%s(", how);
        pp_expr(p, f);
    }
    if (a.stars) {
        star_args(p, n->b);
    } else if (a.named) {
        named_args(p, n->b);
    } else {
        for (const PyNode *k = n->b; k; k = k->next) {
            pp(p, ", ");
            pp_expr(p, k);
        }
    }
    pp(p, ")");
}

/* Subscripts -------------------------------------------------------------- */

static void slice_part(PyPrint *p, const PyNode *n)
{
    if (n)
        pp_expr(p, n);
    else
        pp(p, "nil");
}

static void one_index(PyPrint *p, const PyNode *n)
{
    if (n->kind != PYSlice) {
        pp_expr(p, n);
        return;
    }
    pp(p, "__py.slice(");
    slice_part(p, n->a);
    pp(p, ", ");
    slice_part(p, n->b);
    if (n->c) {
        pp(p, ", ");
        pp_expr(p, n->c);
    }
    pp(p, ")");
}

static bool several_keys(const PyNode *index)
{
    return index->kind == PYTuple && index->a && !has_star(index->a) && !index->parens;
}

uint32_t pp_index_count(const PyNode *index)
{
    uint32_t n = 0;
    for (const PyNode *k = several_keys(index) ? index->a : index; k; k = several_keys(index) ? k->next : NULL)
        n++;
    return n;
}

bool pp_index(PyPrint *p, const PyNode *index)
{
    bool several = several_keys(index);
    if (several && !index->a->next) { /* o[k,] */
        pp(p, ", __py.tuple{");
        one_index(p, index->a);
        pp(p, "}");
        return false;
    }
    for (const PyNode *k = several ? index->a : index; k; k = several ? k->next : NULL) {
        pp(p, ", ");
        one_index(p, k);
    }
    return several;
}

/* Operators --------------------------------------------------------------- */

static void closure(PyPrint *p, const PyNode *n)
{
    pp(p, "function() return ");
    pp_expr(p, n);
    pp(p, " end");
}

/* a and b and c: land(a, function() return land(b, function() return c end) end) */
static void bool_op(PyPrint *p, const PyNode *n, const PyNode *value)
{
    if (!value->next) {
        pp_expr(p, value);
        return;
    }
    pp(p, "__py.%s(", n->op == POAnd ? either(p, "sland", "land") : either(p, "slor", "lor"));
    pp_expr(p, value);
    pp(p, ", function() return ");
    p->part++;
    bool_op(p, n, value->next);
    p->part--;
    pp(p, " end)");
}

/* a < b < c: each operand once, from left to right; what follows a false one is not evaluated. */
static void compare_rest(PyPrint *p, const char *left, const PyNode *rest)
{
    const PyNode *r = rest->a;
    if (!rest->next) {
        pp(p, "__py.%s(%s, ", pp_operator((enum PyOp)rest->op), left);
        pp_expr(p, r);
        pp(p, ")");
        return;
    }
    uint32_t t = pp_temp(p);
    pp(p, "(function(__t%u) return __py.%s(__py.%s(%s, __t%u), function() return ", t, either(p, "sland", "land"),
       pp_operator((enum PyOp)rest->op), left, t);
    p->part++;
    compare_rest(p, afmt(p->c, "__t%u", t), rest->next);
    p->part--;
    pp(p, " end) end)(");
    pp_expr(p, r);
    pp(p, ")");
}

static void compare(PyPrint *p, const PyNode *n)
{
    const PyNode *r = n->b;
    if (!r->next) {
        pp(p, "__py.%s(", pp_operator((enum PyOp)r->op));
        pp_expr(p, n->a);
        pp(p, ", ");
        pp_expr(p, r->a);
        pp(p, ")");
        return;
    }
    uint32_t t = pp_temp(p);
    pp(p, "(function(__t%u) return ", t);
    compare_rest(p, afmt(p->c, "__t%u", t), r);
    pp(p, " end)(");
    pp_expr(p, n->a);
    pp(p, ")");
}

/* How long is the chain of operators on the left? */
static uint32_t chain_length(const PyNode *n)
{
    uint32_t k = 0;
    for (; n->kind == PYBinOp; n = n->a)
        k++;
    return k;
}

static void chain(PyPrint *p, const PyNode *n)
{
    if (n->kind == PYBinOp) {
        chain(p, n->a);
        pp(p, ", \"%s\", ", pp_operator((enum PyOp)n->op));
        pp_expr(p, n->b);
    } else {
        pp_expr(p, n);
    }
}

static void bin_op(PyPrint *p, const PyNode *n)
{
    if (chain_length(n) > MostDepth / 2) {
        pp(p, "__py.chain{");
        chain(p, n);
        pp(p, "}");
        return;
    }
    pp(p, "__py.%s(", pp_operator((enum PyOp)n->op));
    pp_expr(p, n->a);
    pp(p, ", ");
    pp_expr(p, n->b);
    pp(p, ")");
}

static void unary_op(PyPrint *p, const PyNode *n)
{
    if (n->op == POUSub && n->a->kind == PYConstant && n->a->op == PCint && n->a->i >= 0) {
        pp(p, "(-%lld)", (long long)n->a->i);
        return;
    }
    pp(p, "__py.%s(", n->op == PONot ? either(p, "sno", "no") : pp_operator((enum PyOp)n->op));
    pp_expr(p, n->a);
    pp(p, ")");
}

static void choose(PyPrint *p, const PyNode *n)
{
    pp(p, "__py.%s(", either(p, "schoose", "choose"));
    pp_expr(p, n->a);
    pp(p, ", ");
    p->part++;
    closure(p, n->b);
    pp(p, ", ");
    closure(p, n->c);
    p->part--;
    pp(p, ")");
}

/* The value is assigned on the way: a function does it.  Whether it is got to, nobody knows here: `a and (x := b)`.  In
 * a kernel TileLang has made a function of such a part, whose own name x is then. */
static void walrus(PyPrint *p, const PyNode *n)
{
    uint32_t t = pp_temp(p);
    const PyVar *v = py_find(p->c, p->scope, n->a->text);
    bool own = v->owner == p->fn->scope, had = own && p->fn->has[v->index];
    if (own && p->fn->staged && p->part)
        pp_fail(p, E_py_walrus_part, n, n->a->text, NULL);
    pp(p, "(function(__t%u) ", t);
    pp_name_give(p, "named", n->a->text, NULL, afmt(p->c, "__t%u", t));
    if (own)
        p->fn->has[v->index] = had;
    pp(p, " return __t%u end)(", t);
    pp_expr(p, n->b);
    pp(p, ")");
}

static void yield(PyPrint *p, const PyNode *n)
{
    pp(p, n->kind == PYYield ? "__py.yield(" : "__py.yieldfrom(");
    if (n->a)
        pp_expr(p, n->a);
    else
        pp(p, "__py.None");
    pp(p, ")");
}

static void print_expr(PyPrint *p, const PyNode *n)
{
    switch ((enum PyKind)n->kind) {
    case PYName: pp_read(p, n); break;
    case PYConstant: constant(p, n); break;
    case PYJoinedStr: joined(p, n); break;
    case PYBoolOp: bool_op(p, n, n->a); break;
    case PYNamedExpr: walrus(p, n); break;
    case PYBinOp: bin_op(p, n); break;
    case PYUnaryOp: unary_op(p, n); break;
    case PYLambda: pp_lambda(p, n); break;
    case PYIfExp: choose(p, n); break;
    case PYDict: dict(p, n, "merge"); break;
    case PYSet: pp_set(p, n, false); break;
    case PYList: display(p, "list", n->a); break;
    case PYTuple: display(p, "tuple", n->a); break;
    case PYListComp: case PYSetComp: case PYGeneratorExp: case PYDictComp: pp_comprehension(p, n); break;
    case PYYield: case PYYieldFrom: yield(p, n); break;
    case PYCompare: compare(p, n); break;
    case PYCall: call(p, n); break;
    case PYAttribute:
        pp(p, "__py.attr(");
        pp_expr(p, n->a);
        pp(p, ", \"%s\")", pp_attr_name(p, n->text));
        break;
    case PYSubscript:
        pp(p, "__py.index(");
        pp_expr(p, n->a);
        pp_index(p, n->b);
        pp(p, ")");
        break;
    case PYStarred: pp_fail(p, E_py_star_here, n, NULL, NULL);
    case PYSlice: one_index(p, n); break;
    default: assert(false);
    }
}

void pp_expr(PyPrint *p, const PyNode *n)
{
    pp_line(p, n);
    if (++p->depth > MostDepth)
        pp_fail(p, E_py_deep, n, afmt(p->c, "%d", MostDepth), NULL);
    print_expr(p, n);
    p->depth--;
}
