/* core/emit/scalar.c: operators and calls as C; scalar.h tells what is whose. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "scalar.h"

/* Text --------------------------------------------------------------------- */

const char *scalar_take(Scalar *s, size_t at)
{
    Ctx *c = &s->p->ctx;
    if (s->out->bad)
        diag_fail(c, E_memory, *s->here, afmt(c, "%zu", s->out->n), afmt(c, "%zu", c->limit), NULL);
    const char *t = astr(c, s->out->s ? s->out->s + at : "", s->out->n - at);
    s->out->n = at;
    return t;
}

void scalar_insert(Scalar *s, size_t at, const char *text)
{
    size_t n = strlen(text), end = s->out->n;
    str_add(s->out, text, n);
    if (s->out->bad)
        return;
    memmove(s->out->s + at + n, s->out->s + at, end - at);
    memcpy(s->out->s + at, text, n);
}

static void scalar_wrapping(Scalar *s, Ex x, enum Dtype dt, int prec);

void scalar_form(Scalar *s, bool parens, const char *fmt, ...)
{
    const char *late = NULL;
    size_t at = 0;
    va_list ap;
    va_start(ap, fmt);
    str_puts(s->out, parens ? "(" : "");
    for (size_t plain; *fmt; fmt += plain) {
        plain = strcspn(fmt, "%");
        str_add(s->out, fmt, plain);
        if (!fmt[plain])
            break;
        char slot = fmt[plain + 1];
        plain += 2;
        if (slot == 'e') {
            Ex x = va_arg(ap, Ex);
            scalar_put(s, x, va_arg(ap, int));
        } else if (slot == 'w') {
            Ex x = va_arg(ap, Ex);
            enum Dtype dt = (enum Dtype)va_arg(ap, int);
            scalar_wrapping(s, x, dt, va_arg(ap, int));
        } else if (slot == 'f') {
            at = s->out->n;
            late = va_arg(ap, const char *);
        } else {
            str_puts(s->out, va_arg(ap, const char *));
        }
    }
    va_end(ap);
    if (late)
        scalar_insert(s, at, s->w->fn(s, late));
    str_puts(s->out, parens ? ")" : "");
}

/* Operators ---------------------------------------------------------------- */

static void scalar_infix(Scalar *s, const Expr *k, const char *op, int at, int prec)
{
    str_puts(s->out, prec > at ? "(" : "");
    scalar_put(s, k->arg[0], at);
    str_fmt(s->out, " %s ", op);
    scalar_put(s, k->arg[1], at + 1);
    str_puts(s->out, prec > at ? ")" : "");
}

/* The left operand of k, which shifts or divides it. */
static void scalar_shifted(Scalar *s, const Expr *k, int prec)
{
    const char *kept = class_of((enum Dtype)k->dt) == 'I' && s->w->kept ? s->w->kept(s, k) : NULL;
    if (kept)
        scalar_form(s, false, "%s(%e)", s->w->fn(s, kept), k->arg[0], PRany);
    else
        scalar_put(s, k->arg[0], prec);
}

/* "(a op b)", the same of such a k */
static void scalar_shifts(Scalar *s, const Expr *k, const char *op, int at, int right, bool parens)
{
    str_puts(s->out, parens ? "(" : "");
    scalar_shifted(s, k, at);
    str_fmt(s->out, " %s ", op);
    scalar_put(s, k->arg[1], right);
    str_puts(s->out, parens ? ")" : "");
}

/* A constant stands on the right. */
static void scalar_compare(Scalar *s, const Expr *k, const char *op, const char *turned, int at,
                           int prec)
{
    const Expr *a = ex_at(s->p, k->arg[0]);
    const Ex arg[2] = {k->arg[1], k->arg[0]};
    Expr y = *k;
    y.arg = arg;
    if (a->op == Xint || a->op == Xfloat)
        scalar_infix(s, &y, turned, at, prec);
    else
        scalar_infix(s, k, op, at, prec);
}

/* Mixed && and ||, and & | ^ beside comparisons, have parentheses for the reader. */
static int scalar_strict(int prec, int at, int beyond)
{
    return prec > beyond && prec != at ? PRpost : prec;
}

/* x, which is evaluated only where cond holds, or does not. */
static void scalar_under(Scalar *s, Ex cond, bool holds, Ex x, int prec)
{
    uint32_t mark = s->w->assume ? s->w->assume(s, cond, holds) : 0;
    scalar_put(s, x, prec);
    if (s->w->forget)
        s->w->forget(s, mark);
}

static void scalar_logic(Scalar *s, const Expr *k, const char *op, int at, int prec)
{
    const char *joined = s->w->joined ? s->w->joined(s, k) : NULL;
    bool paren = joined || scalar_strict(prec, at, PRcond) > at;
    str_fmt(s->out, "%s%s", joined ? joined : "", paren ? "(" : "");
    scalar_put(s, k->arg[0], at);
    str_fmt(s->out, " %s ", op);
    scalar_under(s, k->arg[0], k->op == Xand, k->arg[1], at + 1);
    str_puts(s->out, paren ? ")" : "");
}

void scalar_call(Scalar *s, const char *fn, const Ex *arg, int n)
{
    str_fmt(s->out, "%s(", s->w->fn(s, fn));
    for (int i = 0; i < n; i++) {
        str_puts(s->out, i ? ", " : "");
        scalar_put(s, arg[i], PRany);
    }
    str_puts(s->out, ")");
}

/* "+stem_i32": helpers by the type of the value in flight. */
static const char *scalar_typed(Scalar *s, const char *stem, enum Dtype dt)
{
    static const char *const type[NFlight] = {"f32", "f64", "i32", "u32", "i64", "u64"};
    return afmt(&s->p->ctx, "+%s_%s", stem, type[flight_of(dt)]);
}

/* x in a sum that wraps: as an unsigned number.  The sum's own parts that may wrap are
 * not made signed on the way. */
static void scalar_wrapping(Scalar *s, Ex x, enum Dtype dt, int prec)
{
    static const char *const op[] = {[Xadd] = "+", [Xsub] = "-", [Xmul] = "*"};
    enum Dtype u = bits_of(dt) == 64 ? DTu64 : DTu32;
    const char *cast = scalar_to(s->w, u);
    Expr k = *ex_at(s->p, x);
    if (k.op == Xint) {
        str_fmt(s->out, "%s%s", k.i >= 0 ? "" : cast,
                k.i >= 0 ? scalar_int(s, k.i, u, prec) : scalar_int(s, k.i, dt, PRunary));
        return;
    }
    if (scalar_name(s, x) || (k.op != Xadd && k.op != Xsub && k.op != Xmul) || k.dt != dt) {
        scalar_form(s, prec > PRunary, "%s%e", cast, x, PRunary);
        return;
    }
    int at = k.op == Xmul ? PRmul : PRadd;
    const Expr *b = ex_at(s->p, k.arg[1]);
    if (k.op == Xmul && b->op == Xint && b->i == -1)
        scalar_form(s, prec > PRunary, "-%w", k.arg[0], dt, PRpost);
    else
        scalar_form(s, prec > at, "%w %s %w", k.arg[0], dt, at, op[k.op], k.arg[1], dt, at + 1);
}

static void scalar_arithmetic(Scalar *s, Ex x, const Expr *k, int prec)
{
    static const struct { const char *op; int prec; } ops[] = {
        [Xadd] = {"+", PRadd}, [Xsub] = {"-", PRadd}, [Xmul] = {"*", PRmul}, [Xdiv] = {"/", PRmul}};
    enum Dtype dt = (enum Dtype)k->dt;
    const char *op = ops[k->op].op;
    const Expr *b = ex_at(s->p, k->arg[1]);
    int at = ops[k->op].prec;
    size_t from = s->out->n;
    if (is_float(dt) && k->op == Xmul && b->op == Xfloat && b->f == -1.0) {
        scalar_form(s, prec > PRunary, "-%e", k->arg[0], PRpost);
    } else if (dt == DTf32 && k->op == Xdiv && s->fast_div) {
        scalar_call(s, s->fast_div, k->arg, 2);
    } else if (is_float(dt)) {
        scalar_infix(s, k, op, at, scalar_rounds(s, x, dt) ? PRany : prec);
        if (scalar_rounds(s, x, dt))
            scalar_round(s, from, dt);
    } else if (dt == DTu32 || dt == DTu64) {
        scalar_infix(s, k, op, at, prec);
    } else if (s->w->may_wrap(s, x)) {
        scalar_form(s, prec > PRunary, "%s(%w)", scalar_to(s->w, dt), x, dt, PRany);
    } else if (!s->w->sum || !s->w->sum(s, x, k, prec)) {
        scalar_infix(s, k, op, at, prec);
    }
}

/* By zero it gives 0, and the least number by -1 is that number. */
static void scalar_divide(Scalar *s, const Expr *k, bool div, bool floor_, bool positive, int prec)
{
    enum Dtype dt = (enum Dtype)k->dt;
    const char *stem = floor_ ? div ? "floordiv" : "floormod" : div ? "truncdiv" : "truncmod";
    bool wraps = div && class_of(dt) != 'U' && !positive;
    ScalarFrame f = wraps ? scalar_wrap(s, dt, prec) : (ScalarFrame){"", ""};
    scalar_form(s, false, "%s%s(%e, ", f.pre, s->w->fn(s, scalar_typed(s, stem, dt)), k->arg[0],
                PRany);
    if (s->w->divisor)
        s->w->divisor(s, k->arg[1]);
    else
        scalar_put(s, k->arg[1], PRany);
    str_fmt(s->out, ")%s", f.post);
}

/* // and % towards minus infinity; truncating ones for tdiv and tmod.  A power of two
 * divides by a shift and leaves the low bits, whatever the sign.  A quotient has more
 * parentheses than C needs. */
static void scalar_division(Scalar *s, const Expr *k, int prec)
{
    int64_t lo = 0, hi, n = 0, nlo, nhi;
    enum Dtype dt = (enum Dtype)k->dt;
    bool div = k->op == Xfdiv || k->op == Xtdiv, floor_ = k->op == Xfdiv || k->op == Xfmod;
    bool unsig = class_of(dt) == 'U';
    bool positive = x_range(s->p, k->arg[1], &nlo, &nhi) && nlo > 0;
    bool constant = x_isint(s->p, k->arg[1], &n);
    bool nonneg = unsig || (x_range(s->p, k->arg[0], &lo, &hi) && lo >= 0);
    const char *op = div ? "/" : "%";
    if (positive && (nonneg || !floor_) &&
        (unsig || !floor_ || !s->w->plainly || s->w->plainly(s, k))) {
        if (constant && (n & (n - 1)) == 0)
            scalar_shifts(s, k, op, PRmul, PRunary, prec > PRterm);
        else
            scalar_form(s, prec > PRterm, "%e %s %e", k->arg[0], PRmul, op, k->arg[1], PRunary);
    } else if (constant && n > 0 && (n & (n - 1)) == 0 && floor_) {
        str_puts(s->out, prec > PRland ? "(" : "");
        if (div)
            scalar_shifted(s, k, PRmul);
        else
            scalar_put(s, k->arg[0], PRadd);
        str_fmt(s->out, " %s %" PRId64 "%s", div ? ">>" : "&", div ? __builtin_ctzll((uint64_t)n) : n - 1,
                prec > PRland ? ")" : "");
    } else if (positive && nonneg && bits_of(dt) <= 32) {
        scalar_form(s, prec > PRunary, "(int)((unsigned)%e %s ", k->arg[0], PRunary, op);
        if (constant)
            scalar_form(s, false, "%s)", scalar_int(s, n, DTu32, PRany));
        else
            scalar_form(s, false, "(unsigned)%e)", k->arg[1], PRunary);
    } else {
        scalar_divide(s, k, div, floor_, positive, prec);
    }
}

/* // and % of floats */
static void scalar_floor(Scalar *s, Ex x, const Expr *k)
{
    enum Dtype dt = (enum Dtype)k->dt;
    size_t at = s->out->n;
    bool div = k->op == Xfdiv || k->op == Xtdiv;
    scalar_call(s, scalar_typed(s, div ? "floordiv" : "floormod", dt), k->arg, 2);
    if (scalar_rounds(s, x, dt))
        scalar_round(s, at, dt);
}

static void scalar_shift(Scalar *s, const Expr *k, int prec)
{
    enum Dtype dt = (enum Dtype)k->dt;
    int64_t lo, hi;
    bool left = k->op == Xshl, wide = bits_of(dt) == 64;
    bool inside = x_range(s->p, k->arg[1], &lo, &hi) && lo >= 0 && hi < (wide ? 64 : 32);
    bool narrow = left && bits_of(dt) < 32;
    ScalarFrame f = narrow ? scalar_wrap(s, dt, prec) : (ScalarFrame){"", ""};
    prec = narrow ? PRany : prec;
    str_puts(s->out, f.pre);
    if (inside && narrow && class_of(dt) == 'U') /* of an int it would not be defined */
        scalar_form(s, false, "%s%e << %e", scalar_to(s->w, DTu32), k->arg[0], PRunary, k->arg[1],
                    PRshift + 1);
    else if (inside && !left)
        scalar_shifts(s, k, ">>", PRshift, PRshift + 1, (prec > PRrel ? PRpost : prec) > PRshift);
    else if (inside && class_of(dt) == 'U')
        scalar_infix(s, k, "<<", PRshift, prec > PRrel ? PRpost : prec);
    else if (inside)
        scalar_form(s, prec > PRunary, "%s(%s%e << %e)", scalar_to(s->w, wide ? DTi64 : DTi32),
                    scalar_to(s->w, wide ? DTu64 : DTu32), k->arg[0], PRunary, k->arg[1],
                    PRshift + 1);
    else
        scalar_call(s, scalar_typed(s, left ? "shl" : "shr", dt), k->arg, 2);
    str_puts(s->out, f.post);
}

static void scalar_not(Scalar *s, const Expr *k, int prec)
{
    enum Dtype dt = (enum Dtype)k->dt;
    if (bits_of(dt) == 4) {
        ScalarFrame f = scalar_wrap(s, dt, prec);
        scalar_form(s, false, "%s~%e%s", f.pre, k->arg[0], PRunary, f.post);
    } else {
        scalar_form(s, prec > PRunary, "%s~%e", bits_of(dt) < 32 ? scalar_to(s->w, dt) : "",
                    k->arg[0], PRunary);
    }
}

static void scalar_choice(Scalar *s, const Expr *k, int prec)
{
    str_puts(s->out, prec > PRcond ? "(" : "");
    scalar_put(s, k->arg[0], PRlor);
    for (int i = 1; i <= 2; i++) {
        str_puts(s->out, i == 1 ? " ? " : " : ");
        scalar_under(s, k->arg[0], i == 1, k->arg[i], PRcond);
    }
    str_puts(s->out, prec > PRcond ? ")" : "");
}

/* Calls -------------------------------------------------------------------- */

/* Bit counts are those of the type's own width.  C counts in int. */
static void scalar_count(Scalar *s, const Expr *k, int prec)
{
    enum Dtype dt = (enum Dtype)k->dt;
    int n = bits_of(dt);
    bool clz = k->sym == Iclz, cast = flight_of(dt) != FLi32, less = clz && n < 32;
    const char *fn = s->w->fn(s, (clz ? s->w->clz : s->w->popcount)[n == 64]);
    bool nibble = n == 4 && dt != DTu4;
    scalar_form(s, cast && prec > PRunary, "%s%s%s(%s%e%s%s", cast ? scalar_to(s->w, dt) : "",
                less ? "(" : "", fn,
                nibble ? "((" : n > 4 && n < 32 ? scalar_to(s->w, bits_type(dt)) : "", k->arg[0],
                PRunary, nibble ? ") & 15)" : "",
                less ? afmt(&s->p->ctx, ") - %d)", 32 - n) : ")");
}

/* C of the user's own: of values as they are in flight, of small integers in their own type; what it
 * gives is converted as an assignment would. */
static void scalar_own(Scalar *s, const Expr *k, int prec)
{
    enum Dtype dt = (enum Dtype)k->dt;
    bool parens = prec > PRunary;
    str_fmt(s->out, "%s%s%s(", parens ? "(" : "", dt == DTbool ? "!!" : scalar_to(s->w, dt),
            x_extern_name(s->p, k));
    for (int i = 1; i < k->n; i++) {
        enum Dtype t = ex_type(s->p, k->arg[i]);
        const char *to = !is_float(t) && bits_of(t) < 32 ? scalar_to(s->w, t) : "";
        str_puts(s->out, i > 1 ? ", " : "");
        scalar_form(s, false, "%s%e", to, k->arg[i], *to ? PRunary : PRany);
    }
    str_puts(s->out, parens ? "))" : ")");
}

static void scalar_intrinsic(Scalar *s, Ex x, const Expr *k, int prec)
{
    enum Dtype dt = (enum Dtype)k->dt;
    bool whole = dt == DTbool || k->sym == Imatch_any || k->sym == Imatch_all;
    bool same = k->sym == Iabs || k->sym == Icopysign || (k->sym >= Ishfl && k->sym <= Ishfl_down);
    size_t at = s->out->n;
    if (k->sym == Iclz || k->sym == Ipopcount) {
        scalar_count(s, k, prec);
    } else if (k->sym == Iabs && class_of(dt) == 'I') { /* that of the least number is itself */
        ScalarFrame f = scalar_wrap(s, dt, prec);
        scalar_form(s, false, "%s%f(%e)%s", f.pre, s->w->abs[flight_of(dt)], k->arg[0], PRany,
                    f.post);
    } else if (k->sym == Iabs && !is_float(dt)) {
        scalar_put(s, k->arg[0], PRpost);
    } else if (intr_own(k->sym)) {
        scalar_own(s, k, scalar_rounds(s, x, dt) ? PRany : prec);
        if (scalar_rounds(s, x, dt))
            scalar_round(s, at, dt);
    } else {
        s->w->call(s, k, whole && k->n ? ex_type(s->p, k->arg[0]) : whole ? DTnone : dt);
        if (!same && scalar_rounds(s, x, dt))
            scalar_round(s, at, dt);
    }
}

/* -------------------------------------------------------------------------- */

void scalar_room(Scalar *s)
{
    agrow(&s->p->ctx, &s->temp, &s->captemp, s->p->nex + 1, sizeof *s->temp);
}

void scalar_unrounded(Scalar *s, Ex x, int prec)
{
    Ex outer = s->unrounded;
    s->unrounded = x;
    scalar_put(s, x, prec);
    s->unrounded = outer;
}

void scalar_put(Scalar *s, Ex x, int prec)
{
    Expr k = *ex_at(s->p, x);
    enum Dtype dt = (enum Dtype)k.dt;
    if (scalar_name(s, x)) {
        s->temp[x].used = true;
        str_puts(s->out, s->temp[x].name);
        return;
    }
    if (s->w->leaf(s, x, &k, prec))
        return;
    switch ((enum Xop)k.op) {
    case Xint: str_puts(s->out, scalar_int(s, k.i, dt, prec)); break;
    case Xfloat: str_puts(s->out, scalar_float(s, k.f, dt, prec)); break;
    case Xadd: case Xsub: case Xmul: case Xdiv: scalar_arithmetic(s, x, &k, prec); break;
    case Xfdiv: case Xfmod: case Xtdiv: case Xtmod:
        if (is_float(dt))
            scalar_floor(s, x, &k);
        else
            scalar_division(s, &k, prec);
        break;
    case Xmin: scalar_call(s, s->w->min[flight_of(dt)], k.arg, 2); break;
    case Xmax: scalar_call(s, s->w->max[flight_of(dt)], k.arg, 2); break;
    case Xlt: scalar_compare(s, &k, "<", ">", PRrel, prec); break;
    case Xle: scalar_compare(s, &k, "<=", ">=", PRrel, prec); break;
    case Xeq: scalar_compare(s, &k, "==", "==", PReq, prec); break;
    case Xne: scalar_compare(s, &k, "!=", "!=", PReq, prec); break;
    case Xand: scalar_logic(s, &k, "&&", PRland, prec); break;
    case Xor: scalar_logic(s, &k, "||", PRlor, prec); break;
    case Xband: scalar_infix(s, &k, "&", PRband, scalar_strict(prec, PRband, PRland)); break;
    case Xbor: scalar_infix(s, &k, "|", PRbor, scalar_strict(prec, PRbor, PRland)); break;
    case Xbxor: scalar_infix(s, &k, "^", PRbxor, scalar_strict(prec, PRbxor, PRland)); break;
    case Xshl: case Xshr: scalar_shift(s, &k, prec); break;
    case Xnot: scalar_form(s, false, "!%e", k.arg[0], PRunary); break;
    case Xbnot: scalar_not(s, &k, prec); break;
    case Xselect: scalar_choice(s, &k, prec); break;
    case Xcast: scalar_cast(s, k.arg[0], dt, prec, x == s->unrounded); break;
    case Xbits: scalar_reinterpret(s, &k); break;
    case Xcall: scalar_intrinsic(s, x, &k, prec); break;
    default: diag_fail(&s->p->ctx, E_bug, *s->here, "an expression without a text", NULL);
    }
}
