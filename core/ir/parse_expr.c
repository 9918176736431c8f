/* core/ir/parse_expr.c: the expressions of IR text; the grammar stands at the
 * head of parse.c.  Nodes are made by the builder, which checks types and
 * brings them to canonical form, so any spelling of an index gives the node
 * that the tracer would have made. */
#include <math.h>
#include <string.h>

#include "parse.h"
#include "err/ir.h"

/* How tightly binary operators bind; print.c has the same. */
enum { ParseUnary = 10 };

static const struct { int tok; uint8_t bind, op; } binary[] = {
    {Tle, 3, Xle}, {Teq, 3, Xeq}, {Tne, 3, Xne}, {Tback, 3, Xlt},
    {Tchar + '<', 3, Xlt}, {Tchar + '>', 3, Xnone},
    {Tchar + '|', 4, Xbor}, {Tchar + '^', 5, Xbxor}, {Tchar + '&', 6, Xband},
    {Tshl, 7, Xshl}, {Tshr, 7, Xshr}, {Tchar + '+', 8, Xadd}, {Tchar + '-', 8, Xsub},
    {Tchar + '*', 9, Xmul}, {Tchar + '/', 9, Xdiv}, {Tfdiv, 9, Xfdiv}, {Tchar + '%', 9, Xfmod},
};

static const struct { const char *name; uint8_t bind, op; } binaryword[] = {
    {"or", 1, Xor}, {"and", 2, Xand},
};

/* Operators that are written like calls. */
static const struct { const char *name; uint8_t op, n; } function[] = {
    {"min", Xmin, 2}, {"max", Xmax, 2}, {"truncdiv", Xtdiv, 2}, {"truncmod", Xtmod, 2},
    {"select", Xselect, 3},
};

static Ex parse_expr_expression(Parser *r, int bind);

/* Literals ------------------------------------------------------------- */

static bool literal_fits(enum Dtype dt, uint64_t v, bool minus)
{
    int bits = dtypeinfo[dt].bits;
    if (dtypeinfo[dt].cls == 'U')
        return (!minus || v == 0) && (bits >= 64 || v >> bits == 0);
    return v <= ((uint64_t)1 << (bits - 1)) - !minus;
}

static NORETURN void toolarge(Parser *r, uint64_t v, bool minus, enum Dtype dt)
{
    diag_fail(&r->p->ctx, E_ir_literal, r->l.loc,
              afmt(&r->p->ctx, "%s%llu", minus ? "-" : "", (unsigned long long)v),
              dtypeinfo[dt].name, NULL);
}

/* A number, inf or nan; -> false if there is none.  dt: its type when that
 * is written around it, else DTnone. */
static bool parse_expr_literal(Parser *r, bool minus, enum Dtype dt, Ex *e)
{
    Prog *p = r->p;
    double f;
    if (r->l.tok == Tint && dtypeinfo[dt].cls != 'F') {
        enum Dtype t = dt == DTnone || dt == DTbool ? DTi32 : dt;
        if (!literal_fits(t, r->l.i, minus))
            toolarge(r, r->l.i, minus, t);
        *e = x_int(p, dt == DTbool ? DTbool : t, (int64_t)(minus ? 0 - r->l.i : r->l.i));
        lex_next(&r->l);
        return true;
    }
    if (r->l.tok == Tint)
        f = (double)r->l.i;
    else if (r->l.tok == Tfloat)
        f = r->l.f;
    else if (parse_isword(r, "inf"))
        f = (double)INFINITY;
    else if (parse_isword(r, "nan"))
        f = (double)NAN;
    else
        return false;
    lex_next(&r->l);
    f = minus ? -f : f;
    *e = dtypeinfo[dt].cls == 'F' ? x_float(p, dt, f) : x_float(p, DTf32, f);
    if (dt != DTnone)
        *e = x_cast(p, dt, *e);
    return true;
}

/* Calls ---------------------------------------------------------------- */

static int parse_expr_arguments(Parser *r, Ex *e, int max, int close)
{
    int n = 0;
    if (parse_take(r, close))
        return 0;
    do {
        if (n == max)
            parse_limit(r, "expressions in a list", max, (uint64_t)n + 1);
        e[n++] = parse_expr_expression(r, 0);
    } while (parse_take(r, Tchar + ','));
    parse_need(r, close, close == Tchar + ')' ? "`,` `)`"
                                              : "`,` or `]`");
    return n;
}

/* dtype "(" literal | expr ")" */
static Ex conversion(Parser *r, enum Dtype dt)
{
    Lex back = r->l;
    Ex e;
    bool minus = parse_take(r, Tchar + '-');
    Lex ahead = r->l;
    lex_next(&ahead); /* `uint8(-16 // n)`: the number is no uint8 */
    if (ahead.tok == Tchar + ')' && parse_expr_literal(r, minus, dt, &e) &&
        parse_take(r, Tchar + ')'))
        return e;
    r->l = back;
    e = x_cast(r->p, dt, parse_expr_expression(r, 0));
    parse_need(r, Tchar + ')', "`)`");
    return e;
}

static void wrongcount(Parser *r, Loc at, int want, int n)
{
    Ctx *c = &r->p->ctx;
    diag_fail(c, E_ir_count, at, afmt(c, "%d", want), afmt(c, "%d", n), NULL);
}

/* A call of the user's own C, behind its parenthesis: text "," dtype { "," expr } ")" */
static Ex parse_own(Parser *r, enum Intr fn)
{
    Ex a[MaxExtern];
    const char *name = parse_text(r);
    parse_need(r, Tchar + ',', "`,`");
    enum Dtype dt = parse_dtype(r);
    bool more = parse_take(r, Tchar + ',');
    int n = more ? parse_expr_arguments(r, a, COUNT(a), Tchar + ')') : 0;
    if (!more)
        parse_need(r, Tchar + ')', "`,` `)`");
    return x_extern(r->p, fn, dt, name, a, n);
}

/* name "(" ... ")", the parenthesis being next. */
static Ex parse_call(Parser *r)
{
    Prog *p = r->p;
    const char *name = r->l.s;
    Loc at = r->l.loc;
    Ex a[8];
    enum Dtype dt = dtypebyname(name);
    lex_next(&r->l);
    lex_next(&r->l);
    if (dt != DTnone)
        return conversion(r, dt);
    if (strcmp(name, "reinterpret") == 0) {
        dt = parse_dtype(r);
        parse_need(r, Tchar + ',', "`,`");
        Ex e = x_bits(p, dt, parse_expr_expression(r, 0));
        parse_need(r, Tchar + ')', "`)`");
        return e;
    }
    for (size_t i = 0; i < COUNT(function); i++)
        if (strcmp(name, function[i].name) == 0) {
            int n = parse_expr_arguments(r, a, COUNT(a), Tchar + ')');
            if (n != function[i].n)
                wrongcount(r, at, function[i].n, n);
            return n == 3 ? x_select(p, a[0], a[1], a[2])
                          : x_bin(p, (enum Xop)function[i].op, a[0], a[1]);
        }
    for (int i = Inone + 1; i < NIntr; i++)
        if (strcmp(name, intrinfo[i].text) == 0) {
            if (intr_own((uint32_t)i))
                return parse_own(r, (enum Intr)i);
            int n = parse_expr_arguments(r, a, COUNT(a), Tchar + ')');
            if (n != intrinfo[i].arity)
                wrongcount(r, at, intrinfo[i].arity, n);
            return x_call(p, (enum Intr)i, a, n);
        }
    diag_fail(&p->ctx, E_ir_undefined, at, name, NULL);
}

/* Operands ------------------------------------------------------------- */

int parse_list(Parser *r, Ex *e, int max)
{
    parse_need(r, Tchar + '[', "`[`");
    return parse_expr_arguments(r, e, max, Tchar + ']');
}

int parse_element(Parser *r, uint32_t buf, Ex *idx)
{
    Prog *p = r->p;
    int64_t v;
    int n = parse_is(r, Tchar + '[') ? parse_list(r, idx, MaxDim) : 0;
    for (int d = 0; d < n && d < p->buf[buf].ndim && !p->machine; d++)
        if (x_isint(p, idx[d], &v))
            idx[d] = x_from_end(p, buf, d, idx[d]);
    return n;
}

static Ex parse_named(Parser *r)
{
    Lex after = r->l;
    lex_next(&after);
    if (after.tok == Tchar + '(' && r->l.n == 1)
        return parse_call(r);
    Symbol *s = parse_lookup(r);
    if (!s)
        diag_fail(&r->p->ctx, E_ir_undefined, r->l.loc, r->l.s, NULL);
    r->l = after;
    if (!s->isbuf)
        return x_var(r->p, s->id);
    Ex idx[MaxDim];
    int n = parse_element(r, s->id, idx);
    return x_load(r->p, s->id, idx, n);
}

static Ex parse_expr_primary(Parser *r)
{
    Ex e;
    if (parse_expr_literal(r, false, DTnone, &e))
        return e;
    if (r->l.tok == Tname)
        return parse_named(r);
    if (parse_isword(r, "true") || parse_isword(r, "false")) {
        e = x_int(r->p, DTbool, parse_isword(r, "true"));
        lex_next(&r->l);
        return e;
    }
    if (r->l.tok == Tdef && r->l.i >= 1 && r->l.i <= r->ndef) {
        e = r->def[r->l.i - 1];
        lex_next(&r->l);
        return e;
    }
    if (!parse_take(r, Tchar + '('))
        parse_expected(r, "expr");
    e = parse_expr_expression(r, 0);
    parse_need(r, Tchar + ')', "`)`");
    return e;
}

static Ex parse_expr_unary(Parser *r)
{
    Ex e;
    if (++r->parens > TextParens)
        parse_limit(r, "parentheses and signs inside of each other", TextParens, r->parens);
    if (parse_take(r, Tchar + '-')) {
        if (!parse_expr_literal(r, true, DTnone, &e))
            e = x_neg(r->p, parse_expr_unary(r));
    } else if (parse_take(r, Tchar + '~')) {
        e = x_un(r->p, Xbnot, parse_expr_unary(r));
    } else if (parse_takeword(r, "not")) {
        e = x_un(r->p, Xnot, parse_expr_unary(r));
    } else {
        e = parse_expr_primary(r);
    }
    r->parens--;
    return e;
}

/* The operator at the current token, if it binds at least as tightly. */
static bool operator(const Parser *r, int bind, int *op, int *its)
{
    for (size_t i = 0; i < COUNT(binary); i++)
        if (r->l.tok == binary[i].tok) {
            *op = binary[i].op;
            *its = binary[i].bind;
            return *its >= bind;
        }
    for (size_t i = 0; i < COUNT(binaryword); i++)
        if (parse_isword(r, binaryword[i].name)) {
            *op = binaryword[i].op;
            *its = binaryword[i].bind;
            return *its >= bind;
        }
    return false;
}

static Ex parse_expr_expression(Parser *r, int bind)
{
    int op, its;
    Ex a = parse_expr_unary(r);
    while (operator(r, bind, &op, &its)) {
        bool minus = r->l.tok == Tback /* a<-b */, ge = false;
        lex_next(&r->l);
        if (op == Xnone)
            ge = parse_take(r, Tchar + '=');
        Ex b = parse_expr_expression(r, its + 1);
        if (minus)
            b = x_neg(r->p, b);
        a = op == Xnone ? x_bin(r->p, ge ? Xle : Xlt, b, a) : x_bin(r->p, (enum Xop)op, a, b);
    }
    return a;
}

Ex parse_expr(Parser *r) { return parse_expr_expression(r, 0); }

Ex parse_int(Parser *r)
{
    Loc at = r->l.loc;
    Ex e = parse_expr_expression(r, 0);
    enum Dtype t = ex_type(r->p, e);
    if (dtypeinfo[t].cls != 'I' && dtypeinfo[t].cls != 'U')
        diag_fail(&r->p->ctx, E_ir_type, at, dtypeinfo[t].name, NULL);
    return e;
}

enum Dtype parse_dtype(Parser *r)
{
    enum Dtype dt = r->l.tok == Tname && r->l.n == 1 ? dtypebyname(r->l.s) : DTnone;
    if (dt == DTnone)
        parse_expected(r, "dtype");
    lex_next(&r->l);
    return dt;
}
