/* core/emit/python_expr.c: names, constants and expressions of TileLang Python. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "python.h"
#include "core/tensor/tensor.h"
#include "core/ir/text.h"
#include "core/ir/walk.h"

/* Names ------------------------------------------------------------------ */

static const char *const reserved[] = {
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class",
    "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
    "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return",
    "try", "while", "with", "yield", "T", "tilelang", "float", "range", "print",
};

static bool py_expr_letter(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

/* Python takes letters of any script. */
const char *py_fresh(Py *w, const char *s)
{
    Ctx *c = &w->p->ctx;
    char *t = astr(c, s && *s ? s : "x", strlen(s && *s ? s : "x"));
    for (char *k = t; *k; k++)
        if (!py_expr_letter(*k) && !(k > t && *k >= '0' && *k <= '9'))
            *k = '_';
    if (!w->names.n)
        for (size_t i = 0; i < COUNT(reserved); i++)
            name_take(c, &w->names, reserved[i]);
    return name_take(c, &w->names, t);
}

const char *py_var(Py *w, uint32_t v)
{
    if (!w->var[v])
        w->var[v] = py_fresh(w, w->p->var[v].name);
    return w->var[v];
}

/* An entry that no open loop has, of a variable that the user calls the same. */
static LoopName *loop_name(Py *w, const char *want)
{
    Ctx *c = &w->p->ctx;
    for (uint32_t i = 0; i < w->nloop; i++)
        if (!w->loop[i].busy && strcmp(w->loop[i].want, want) == 0)
            return &w->loop[i];
    if (w->nloop == w->caploop)
        agrow(c, &w->loop, &w->caploop, w->nloop + 1, sizeof *w->loop);
    w->loop[w->nloop] = (LoopName){want, py_fresh(w, want), false};
    return &w->loop[w->nloop++];
}

const char *py_loop_var(Py *w, uint32_t v)
{
    LoopName *n = loop_name(w, w->p->var[v].name ? w->p->var[v].name : "");
    n->busy = true;
    return w->var[v] = n->text;
}

void py_loop_end(Py *w, uint32_t v)
{
    const char *text = w->var[v];
    for (uint32_t i = 0; i < w->nloop; i++)
        if (w->loop[i].text == text)
            w->loop[i].busy = false;
}

const char *py_buf(Py *w, uint32_t b)
{
    if (!w->buf[b])
        w->buf[b] = py_fresh(w, w->p->buf[b].name);
    return w->buf[b];
}

const char *py_quoted(Py *w, const char *s)
{
    const char *t = "";
    Ctx *c = &w->p->ctx;
    for (size_t k; *s; s += k) {
        size_t plain = text_plain(s, strnlen(s, 4));
        k = plain ? plain : 1;
        if (*s == '"' || *s == '\\')
            t = afmt(c, "%s\\%c", t, *s);
        else if (!plain || *s == '\n' || *s == '\t')
            t = afmt(c, "%s\\x%02x", t, (unsigned)(unsigned char)*s);
        else
            t = afmt(c, "%s%.*s", t, (int)plain, s);
    }
    return afmt(c, "\"%s\"", t);
}

const char *py_dtype(enum Dtype dt) { return dtypeinfo[dt].name; }

/* Constants --------------------------------------------------------------- */

/* TileLang refuses 3.4028235e+38, which is rounded to the greatest float32 and lies above it. */
static const char *py_number(Py *w, enum Dtype dt, double v)
{
    Ctx *c = &w->p->ctx;
    for (int digits = 1; digits <= 17; digits++) {
        const char *s = afmt(c, "%.*g", digits, v);
        double back = 0;
        if (strlen(s) < 40)
            back = strtod(s, NULL);
        if (dtype_round(dt, back) == v && fabs(back) <= dtype_max(dt))
            return strpbrk(s, ".e") ? s : afmt(c, "%s.0", s);
    }
    return afmt(c, "%.17g", v);
}

static const char *py_expr_constant(Py *w, const Expr *x)
{
    Ctx *c = &w->p->ctx;
    const char *t = py_dtype((enum Dtype)x->dt);
    if (x->dt == DTbool)
        return x->i ? "True" : "False";
    if (x->op == Xint) {
        const char *s = dtypeinfo[x->dt].cls == 'U' ? afmt(c, "%llu", (unsigned long long)x->i)
                                                    : afmt(c, "%lld", (long long)x->i);
        return x->dt == DTi32 ? s : afmt(c, "T.%s(%s)", t, s);
    }
    if (isnan(x->f))
        return afmt(c, "T.%s(float(\"nan\"))", t);
    if (isinf(x->f))
        return afmt(c, "%sT.infinity(\"%s\")", x->f < 0 ? "-" : "", t);
    const char *s = py_number(w, (enum Dtype)x->dt, x->f);
    return x->dt == DTf32 ? s : afmt(c, "T.%s(%s)", t, s);
}

/* Expressions -------------------------------------------------------------- */

/* How strongly Python binds; 0: written like a call. */
static const uint8_t binds[NXop] = {
    [Xor] = 1, [Xand] = 2, [Xnot] = 3, [Xlt] = 4, [Xle] = 4, [Xeq] = 4, [Xne] = 4,
    [Xbor] = 5, [Xbxor] = 6, [Xband] = 7, [Xshl] = 8, [Xshr] = 8,
    [Xadd] = 9, [Xsub] = 9, [Xmul] = 10, [Xdiv] = 10, [Xfdiv] = 10, [Xfmod] = 10, [Xbnot] = 11,
};
static const char *const sign[NXop] = {
    [Xor] = "or", [Xand] = "and", [Xlt] = "<", [Xle] = "<=", [Xeq] = "==", [Xne] = "!=",
    [Xbor] = "|", [Xbxor] = "^", [Xband] = "&", [Xshl] = "<<", [Xshr] = ">>", [Xadd] = "+",
    [Xsub] = "-", [Xmul] = "*", [Xdiv] = "/", [Xfdiv] = "//", [Xfmod] = "%",
};
/* Where TileLang's word differs from ours; rounding modes of ieee_*. */
static const char *const word[NIntr] = {
    [Ifast_exp2] = "exp2",
    [Iballot] = "ballot_sync", [Ifmodc] = "fmod", [Imatch_all] = "match_all_sync",
};
static const char *const rounding[] = {"rn", "rz", "ru", "rd"};

static const char *py_operand(Py *w, Ex e, int bind);

/* "a + b - 2": terms of an integer sum with their signs. */
static const char *py_expr_sum(Py *w, const Expr *x)
{
    const Expr *b = ex_at(w->p, x->arg[1]);
    int64_t k;
    Ctx *c = &w->p->ctx;
    const char *left = py_operand(w, x->arg[0], 9);
    if (x->op == Xadd && b->op == Xint && b->i < 0 && b->dt == DTi32)
        return afmt(c, "%s - %lld", left, -(long long)b->i);
    if (x->op == Xadd && b->op == Xmul && x_isint(w->p, b->arg[1], &k) && k < 0 && b->dt == DTi32)
        return k == -1
                   ? afmt(c, "%s - %s", left, py_operand(w, b->arg[0], 10))
                   : afmt(c, "%s - %s * %lld", left, py_operand(w, b->arg[0], 10), -(long long)k);
    return afmt(c, "%s %s %s", left, sign[x->op], py_operand(w, x->arg[1], 10));
}

static const char *args(Py *w, const Ex *arg, int n)
{
    const char *t = "";
    for (int i = 0; i < n; i++)
        t = afmt(&w->p->ctx, "%s%s%s", t, i ? ", " : "", py_ex(w, arg[i]));
    return t;
}

static const char *py_intrinsic(Py *w, const Expr *x)
{
    Ctx *c = &w->p->ctx;
    const char *name = word[x->sym] ? word[x->sym] : intrinfo[x->sym].text;
    int n = x->n;
    int64_t v;
    if (intr_own(x->sym))
        return afmt(c, "T.%s(\"%s\", \"%s\"%s%s)", name, py_dtype((enum Dtype)x->dt), x_extern_name(w->p, x),
                    n > 1 ? ", " : "", args(w, x->arg + 1, n - 1));
    if (x->sym == Iround_away)
        return afmt(c, "T.round(%s, \"ties-away-from-zero\")", py_ex(w, x->arg[0]));
    if (strncmp(name, "ieee_", 5) == 0 && x->sym != Iieee_frsqrt &&
        x_isint(w->p, x->arg[n - 1], &v) && v >= 0 && v < 4)
        return afmt(c, "T.%s(%s, \"%s\")", name, args(w, x->arg, n - 1), rounding[v]);
    if ((x->sym == Ilane_idx || x->sym == Iwarp_idx || x->sym == Iwarp_group_idx) &&
        x_isint(w->p, x->arg[0], &v) && v == 0)
        n = 0; /* the target's own warp size */
    return afmt(c, "T.%s(%s)", name, args(w, x->arg, n));
}

static const char *py_expr_node(Py *w, Ex e)
{
    const Expr *x = ex_at(w->p, e);
    Ctx *c = &w->p->ctx;
    switch ((enum Xop)x->op) {
    case Xint: case Xfloat: return py_expr_constant(w, x);
    case Xvar: return py_var(w, x->sym);
    case Xload: return py_element(w, x->sym, x->arg);
    case Xcall: return py_intrinsic(w, x);
    case Xnot: return afmt(c, "not %s", py_operand(w, x->arg[0], 3));
    case Xbnot: return afmt(c, "~%s", py_operand(w, x->arg[0], 11));
    case Xselect: return afmt(c, "T.if_then_else(%s)", args(w, x->arg, 3));
    case Xcast:
        return afmt(c, "T.cast(%s, \"%s\")", py_ex(w, x->arg[0]), py_dtype((enum Dtype)x->dt));
    case Xbits:
        return afmt(c, "T.reinterpret(%s, \"%s\")", py_ex(w, x->arg[0]),
                    py_dtype((enum Dtype)x->dt));
    case Xadd: case Xsub:
        return py_expr_sum(w, x);
    default:
        if (!sign[x->op]) /* min, max, truncdiv, truncmod */
            return afmt(c, "T.%s(%s)", xopinfo[x->op].text, args(w, x->arg, x->n));
        /* comparisons do not nest; `a and b and c` is a and (b and c) for those who read it */
        bool right = x->op == Xand || x->op == Xor, neither = binds[x->op] == 4;
        return afmt(c, "%s %s %s", py_operand(w, x->arg[0], binds[x->op] + (right || neither)),
                    sign[x->op], py_operand(w, x->arg[1], binds[x->op] + !right));
    }
}

static const char *py_operand(Py *w, Ex e, int bind)
{
    const Expr *x = ex_at(w->p, e);
    const char *t = py_expr_node(w, e);
    bool minus = (x->op == Xint || x->op == Xfloat) && *t == '-' && bind > 9;
    return minus || (binds[x->op] && binds[x->op] < bind) ? afmt(&w->p->ctx, "(%s)", t) : t;
}

const char *py_ex(Py *w, Ex e) { return py_operand(w, e, 0); }

const char *py_list(Py *w, const Ex *e, int n, const char *last)
{
    return afmt(&w->p->ctx, "(%s%s)", args(w, e, n), n == 1 ? last : "");
}

const char *py_element(Py *w, uint32_t buf, const Ex *idx)
{
    const Buf *b = &w->p->buf[buf];
    if (b->scope == SCvar)
        return py_buf(w, buf);
    return afmt(&w->p->ctx, "%s[%s]", py_buf(w, buf), b->ndim ? args(w, idx, b->ndim) : "0");
}

const char *py_region(Py *w, const Region *r)
{
    const Prog *p = w->p;
    Ctx *c = &w->p->ctx;
    const char *t = "";
    int64_t one, lo;
    if (region_whole(p, r) || p->buf[r->buf].scope == SCvar)
        return py_buf(w, r->buf);
    for (int d = 0; d < p->buf[r->buf].ndim; d++) {
        const char *comma = d ? ", " : "";
        if (x_isint(p, r->extent[d], &one) && one == 1)
            t = afmt(c, "%s%s%s", t, comma, py_ex(w, r->min[d]));
        else if (x_isint(p, r->min[d], &lo) && lo == 0)
            t = afmt(c, "%s%s0:%s", t, comma, py_ex(w, r->extent[d]));
        else
            t = afmt(c, "%s%s%s:%s + %s", t, comma, py_ex(w, r->min[d]), py_ex(w, r->min[d]),
                     py_operand(w, r->extent[d], 10));
    }
    return afmt(c, "%s[%s]", py_buf(w, r->buf), t);
}
