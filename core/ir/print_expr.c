/* core/ir/print_expr.c: names, constants and expressions as text.
 *
 * What is printed is what the reader turns into the same node: constants in
 * the fewest digits that read back, with their type where the neighbour does
 * not give it; parentheses only where the grammar needs them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"
#include "core/tensor/tensor.h"
#include "text.h"

enum {
    ShortNodes = 60,  /* of an expression within a message */
    ShortDepth = 24
};

/* Names ---------------------------------------------------------------- */

static bool plainname(const char *s)
{
    if (!(*s == '_' || (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z')))
        return false;
    for (const char *t = s; *t; t++)
        if (!(*t == '_' || (*t >= 'a' && *t <= 'z') || (*t >= 'A' && *t <= 'Z') ||
              (*t >= '0' && *t <= '9')))
            return false;
    return !text_reserved(s);
}

/* What can be read stays as it is: names may be Chinese. */
void pr_quoted(Str *out, const char *s, char quote)
{
    str_add(out, &quote, 1);
    for (size_t k; *s; s += k) {
        unsigned char ch = (unsigned char)*s;
        size_t plain = text_plain(s, strnlen(s, 4));
        k = plain ? plain : 1;
        if (ch == (unsigned char)quote || ch == '\\')
            str_fmt(out, "\\%c", ch);
        else if (ch == '\n')
            str_puts(out, "\\n");
        else if (!plain || ch == '\t')
            str_fmt(out, "\\x%02x", ch);
        else
            str_add(out, s, plain);
    }
    str_add(out, &quote, 1);
}

void pr_name(Str *out, const char *s)
{
    if (!s)
        s = "_";
    if (plainname(s))
        str_puts(out, s);
    else
        pr_quoted(out, s, '\'');
}

void pr_var(Pr *w, uint32_t v)
{
    if (v >= w->p->nvar) {
        str_puts(w->out, "?");
        return;
    }
    pr_name(w->out, w->p->var[v].name);
    if (w->var && w->var[v].n > 1)
        str_fmt(w->out, ".%u", (unsigned)w->var[v].n);
}

void pr_buf(Pr *w, uint32_t b)
{
    if (b >= w->p->nbuf) {
        str_puts(w->out, "?");
        return;
    }
    pr_name(w->out, w->p->buf[b].name);
    if (w->buf && w->buf[b].n > 1)
        str_fmt(w->out, ".%u", (unsigned)w->buf[b].n);
}
/* Constants ------------------------------------------------------------ */

/* The shortest decimal that the reader turns into v again.  `bare` numbers
 * are read as float32 first. */
static void floattext(char s[40], enum Dtype dt, double v, bool bare)
{
    if (isnan(v)) {
        strcpy(s, signbit(v) ? "-nan" : "nan");
        return;
    }
    if (isinf(v)) {
        strcpy(s, v < 0 ? "-inf" : "inf");
        return;
    }
    if (v == floor(v) && fabs(v) < 1e8) {
        snprintf(s, 32, "%.1f", v);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(s, 32, "%.*g", digits, v);
        double back = strtod(s, NULL);
        if (bare)
            back = dtype_round(DTf32, back);
        if (dtype_round(dt, back) == v)
            break;
    }
    if (!strpbrk(s, ".e"))
        strcat(s, ".0");
}

static bool print_expr_fits32(const Expr *x)
{
    return x->i >= (dtypeinfo[x->dt].cls == 'U' ? 0 : INT32_MIN) && x->i <= INT32_MAX;
}

/* e is a constant; `bare`: the reader knows its type from its neighbour. */
static void print_expr_constant(Pr *w, const Expr *x, bool bare)
{
    const DtypeInfo *t = &dtypeinfo[x->dt];
    char s[40];
    if (x->dt == DTbool) {
        str_puts(w->out, x->i ? "true" : "false");
        return;
    }
    if (x->op == Xfloat) {
        bare = x->dt == DTf32 ||
               (bare && (isnan(x->f) || dtype_round(DTf32, x->f) == x->f));
        floattext(s, (enum Dtype)x->dt, x->f, bare);
    } else {
        bare = x->dt == DTi32 || (bare && print_expr_fits32(x));
        if (t->cls == 'U')
            snprintf(s, sizeof s, "%llu", (unsigned long long)x->i);
        else
            snprintf(s, sizeof s, "%lld", (long long)x->i);
    }
    str_fmt(w->out, bare ? "%s%s" : "%s(%s)", bare ? "" : t->name, s);
}
/* Expressions ---------------------------------------------------------- */

/* How tightly an operator binds; 0: written like a call. */
static const uint8_t binds[NXop] = {
    [Xor] = 1, [Xand] = 2, [Xlt] = 3, [Xle] = 3, [Xeq] = 3, [Xne] = 3,
    [Xbor] = 4, [Xbxor] = 5, [Xband] = 6, [Xshl] = 7, [Xshr] = 7,
    [Xadd] = 8, [Xsub] = 8, [Xmul] = 9, [Xdiv] = 9, [Xfdiv] = 9, [Xfmod] = 9,
    [Xnot] = 10, [Xbnot] = 10,
};
static bool print_expr_isconst(const Pr *w, Ex e)
{
    return w->p->ex[e].op == Xint || w->p->ex[e].op == Xfloat;
}

bool pr_isint(const Expr *x)
{
    return dtypeinfo[x->dt].cls == 'I' || dtypeinfo[x->dt].cls == 'U';
}

/* May a constant beside e be written without its type?  It then takes the
 * type of e, unless that is one that no arithmetic is done in. */
static bool tellstype(const Pr *w, Ex e)
{
    const Expr *x = &w->p->ex[e];
    return !print_expr_isconst(w, e) && x->dt != DTbool && x->dt != DTtf32 &&
           dtypeinfo[x->dt].bits >= 8;
}

/* Does a come before b, where their order means nothing? */
static bool prints_before(const Pr *w, Ex a, Ex b)
{
    if (print_expr_isconst(w, a) != print_expr_isconst(w, b))
        return print_expr_isconst(w, b);
    if (w->inner[a] != w->inner[b])
        return w->inner[a] < w->inner[b];
    return w->key[a] < w->key[b];
}

/* Has e a name of its own? */
static bool print_expr_named(const Pr *w, Ex e) { return w->def && w->def[e]; }

static int64_t wrapto(enum Dtype dt, int64_t v)
{
    int bits = dtypeinfo[dt].bits;
    if (bits >= 64)
        return v;
    uint64_t m = ((uint64_t)1 << bits) - 1, u = (uint64_t)v & m;
    if (dtypeinfo[dt].cls == 'I' && u >> (bits - 1))
        u |= ~m;
    return (int64_t)u;
}

/* The terms of an integer sum; the last may be a constant, atom 0.  Returns
 * how many, or 0 when it is no sum or too long. */
int pr_terms(const Pr *w, Ex e, PrintTerm t[SortTerms])
{
    const Expr *x = &w->p->ex[e];
    enum Dtype dt = (enum Dtype)x->dt;
    int n = 0;
    for (bool last = false; !last; n++) {
        if (n == SortTerms)
            return 0;
        bool minus = x->op == Xsub;
        Ex a = e;
        last = (x->op != Xadd && x->op != Xsub) || (n && print_expr_named(w, e));
        if (!last) {
            a = x->arg[1];
            e = x->arg[0];
        }
        const Expr *y = &w->p->ex[a];
        int64_t k = 1;
        if (print_expr_named(w, a) && (n || !last)) {
            k = 1;
        } else if (y->op == Xint) {
            k = y->i;
            a = 0;
        } else if (y->op == Xmul && x_isint(w->p, y->arg[1], &k)) {
            a = y->arg[0];
        } else if ((y->op == Xadd || y->op == Xsub) && !last) {
            return 0; /* a sum inside a sum: it was too long to flatten */
        }
        t[n] = (PrintTerm){a, wrapto(dt, minus && !last ? (int64_t)(0 - (uint64_t)k) : k)};
        x = &w->p->ex[e];
    }
    return n;
}

static void sortterms(const Pr *w, PrintTerm *t, int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0; j--) {
            PrintTerm *a = &t[j - 1], *b = &t[j];
            if (b->atom == 0 || (a->atom && !prints_before(w, b->atom, a->atom)))
                break;
            PrintTerm k = *a;
            *a = *b;
            *b = k;
        }
    for (int i = 0; i < n; i++) /* start with one that needs no sign */
        if (t[i].coef > 0 && t[i].atom) {
            PrintTerm k = t[i];
            memmove(t + 1, t, (size_t)i * sizeof *t);
            t[0] = k;
            break;
        }
}

static void print_expr_factor(Pr *w, Ex e)
{
    pr_expr(w, e, w->p->ex[e].op == Xmul ? BindMul : BindUnary, false);
}

/* Behind a minus: `--` is a comment, so what begins with one of its own gets parentheses. */
static void negated(Pr *w, Ex e)
{
    size_t at = w->out->n;
    str_puts(w->out, "(");
    print_expr_factor(w, e);
    if (w->out->bad)
        return;
    if (w->out->s[at + 1] == '-') {
        str_puts(w->out, ")");
    } else {
        memmove(w->out->s + at, w->out->s + at + 1, w->out->n - at); /* its 0, too */
        w->out->n--;
    }
}

static void print_expr_number(Pr *w, enum Dtype dt, int64_t v)
{
    print_expr_constant(w, &(Expr){.op = Xint, .dt = (uint8_t)dt, .i = v}, true);
}

static void print_expr_sum(Pr *w, enum Dtype dt, PrintTerm *t, int n)
{
    if (w->key)
        sortterms(w, t, n);
    for (int i = 0; i < n; i++) {
        int64_t k = t[i].coef;
        bool minus = k < 0 && wrapto(dt, (int64_t)(0 - (uint64_t)k)) > 0;
        if (i > 0)
            str_puts(w->out, minus ? " - " : " + ");
        if (i > 0 && minus)
            k = -k;
        if (!t[i].atom) {
            print_expr_number(w, dt, k);
        } else if (k == -1 && minus) {
            str_puts(w->out, "-");
            negated(w, t[i].atom);
        } else {
            print_expr_factor(w, t[i].atom);
            if (k != 1) {
                str_puts(w->out, "*");
                print_expr_number(w, dt, k);
            }
        }
    }
}

static void print_expr_binary(Pr *w, const Expr *x)
{
    Ex a = x->arg[0], b = x->arg[1];
    int bind = binds[x->op];
    bool swaps = x->op == Xeq || x->op == Xne ||
                 (pr_isint(x) && (x->op == Xmul || x->op == Xmin || x->op == Xmax));
    bool behind = print_expr_isconst(w, a) && !print_expr_isconst(w, b);
    if (swaps && (w->key ? prints_before(w, b, a) : behind)) {
        a = x->arg[1];
        b = x->arg[0];
    }
    bool flip = (x->op == Xlt || x->op == Xle) && print_expr_isconst(w, a); /* 8 <= i: i >= 8 */
    if (flip) {
        a = x->arg[1];
        b = x->arg[0];
    }
    bool shift = x->op == Xshl || x->op == Xshr, logic = x->op == Xand || x->op == Xor;
    bool barea = !shift && !logic && tellstype(w, b);
    bool bareb = shift || (!logic && tellstype(w, a));
    if (!bind) {
        str_fmt(w->out, "%s(", xopinfo[x->op].text);
        pr_expr(w, a, 0, barea);
        str_puts(w->out, ", ");
        pr_expr(w, b, 0, bareb);
        str_puts(w->out, ")");
        return;
    }
    if (bind == BindMul)
        bind = w->p->ex[a].op == Xmul && x->op == Xmul ? BindMul : BindUnary;
    pr_expr(w, a, bind + (bind == binds[Xlt]), barea);
    if (flip)
        str_puts(w->out, x->op == Xlt ? " > " : " >= ");
    else
        str_fmt(w->out, x->op == Xmul ? "%s" : " %s ", xopinfo[x->op].text);
    pr_expr(w, b, binds[x->op] + 1, bareb);
}

/* What stands between the parentheses of a call of the user's own C. */
static void print_expr_own(Pr *w, const Expr *x)
{
    const char *name = x_extern_name(w->p, x);
    pr_quoted(w->out, name ? name : "?", '"');
    str_fmt(w->out, ", %s%s", dtypeinfo[x->dt].name, x->n > 1 ? ", " : "");
    pr_exprs(w, x->arg + 1, x->n - 1);
}

void pr_exprs(Pr *w, const Ex *arg, int n)
{
    for (int i = 0; i < n; i++) {
        if (i)
            str_puts(w->out, ", ");
        pr_expr(w, arg[i], 0, false);
    }
}

/* Indices.  But for thread programs the reader counts a negative constant from
 * the end, so one that lies before the beginning is written with the dimension
 * taken off. */
void pr_element(Pr *w, uint32_t buf, const Ex *idx, int n)
{
    pr_buf(w, buf);
    if (n == 0)
        return;
    str_puts(w->out, "[");
    for (int i = 0; i < n; i++) {
        int64_t v, extent;
        if (i)
            str_puts(w->out, ", ");
        pr_expr(w, idx[i], 0, false);
        if (!w->p->machine && x_isint(w->p, idx[i], &v) && v < 0 && buf < w->p->nbuf &&
            x_isint(w->p, w->p->buf[buf].shape[i], &extent))
            str_fmt(w->out, " - %lld", (long long)extent);
    }
    str_puts(w->out, "]");
}

/* The node itself, without parentheses. */
static void print_expr_node(Pr *w, Ex e, bool bare)
{
    const Expr *x = &w->p->ex[e];
    switch ((enum Xop)x->op) {
    case Xint: case Xfloat:
        print_expr_constant(w, x, bare);
        break;
    case Xvar:
        pr_var(w, x->sym);
        break;
    case Xnot: case Xbnot:
        str_puts(w->out, x->op == Xnot ? "not " : "~");
        pr_expr(w, x->arg[0], BindUnary, false);
        break;
    case Xselect:
        str_puts(w->out, "select(");
        pr_expr(w, x->arg[0], 0, false);
        str_puts(w->out, ", ");
        pr_expr(w, x->arg[1], 0, tellstype(w, x->arg[2]));
        str_puts(w->out, ", ");
        pr_expr(w, x->arg[2], 0, tellstype(w, x->arg[1]));
        str_puts(w->out, ")");
        break;
    case Xcast:
        str_fmt(w->out, "%s(", dtypeinfo[x->dt].name);
        pr_expr(w, x->arg[0], 0, false);
        str_puts(w->out, ")");
        break;
    case Xbits:
        str_fmt(w->out, "reinterpret(%s, ", dtypeinfo[x->dt].name);
        pr_expr(w, x->arg[0], 0, false);
        str_puts(w->out, ")");
        break;
    case Xload: /* a message calls a variable by its name */
        if (!w->key && x->sym < w->p->nbuf && w->p->buf[x->sym].scope == SCvar)
            pr_buf(w, x->sym);
        else
            pr_element(w, x->sym, x->arg, x->n);
        break;
    case Xcall:
        str_fmt(w->out, "%s(", x->sym < NIntr ? intrinfo[x->sym].text : "?");
        if (intr_own(x->sym))
            print_expr_own(w, x);
        else
            pr_exprs(w, x->arg, x->n);
        str_puts(w->out, ")");
        break;
    default:
        if (x->n == 2)
            print_expr_binary(w, x);
        else
            str_puts(w->out, "?");
    }
}

/* e in a place where an operator binds with strength `bind`. */
void pr_expr(Pr *w, Ex e, int bind, bool bare)
{
    if (e == 0 || e >= w->p->nex || w->nodes == 0 || w->depth == 0) {
        str_puts(w->out, e ? "..." : "?");
        return;
    }
    if (print_expr_named(w, e) && w->def[e] != CUT) {
        str_fmt(w->out, "$%u", (unsigned)w->def[e]);
        return;
    }
    if (w->nodes > 0) {
        w->nodes--;
        w->depth--;
    }
    const Expr *x = &w->p->ex[e];
    PrintTerm t[SortTerms];
    int n = 0, binding = binds[x->op];
    bool neg = x->op == Xmul && !pr_isint(x) && x->n == 2 && !print_expr_isconst(w, x->arg[0]) &&
               w->p->ex[x->arg[1]].op == Xfloat && w->p->ex[x->arg[1]].f == -1;
    if (pr_isint(x) && (x->op == Xadd || x->op == Xsub || x->op == Xmul))
        n = pr_terms(w, e, t);
    if (n == 1 && t[0].coef == 1)
        n = 0;
    if (n == 1)
        binding = t[0].coef == -1 && w->p->ex[t[0].atom].op != Xmul ? BindUnary : BindMul;
    if (neg)
        binding = BindUnary;
    bool paren = binding && binding < bind;
    str_puts(w->out, paren ? "(" : "");
    if (n) {
        print_expr_sum(w, (enum Dtype)x->dt, t, n);
    } else if (neg) {
        str_puts(w->out, "-");
        pr_expr(w, x->arg[0], BindUnary + 1, false); /* `--` is a comment */
    } else {
        print_expr_node(w, e, bare);
    }
    str_puts(w->out, paren ? ")" : "");
    if (w->depth >= 0)
        w->depth++;
}

void ex_print(const Prog *p, Ex e, Str *out)
{
    Pr w = {.p = p, .out = out, .nodes = ShortNodes, .depth = ShortDepth};
    pr_expr(&w, e, 0, false);
}
