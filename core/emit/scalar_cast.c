/* core/emit/scalar_cast.c: types, constants, conversions and bits as C. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scalar.h"

/* Types -------------------------------------------------------------------- */

enum Flight flight_of(enum Dtype dt)
{
    if (is_float(dt))
        return dt == DTf64 ? FLf64 : FLf32;
    if (bits_of(dt) == 64)
        return class_of(dt) == 'U' ? FLu64 : FLi64;
    return dt == DTu32 ? FLu32 : FLi32;
}

enum Dtype bits_type(enum Dtype dt)
{
    int n = bits_of(dt);
    return n == 4 ? DTu4 : n == 8 ? DTu8 : n == 16 ? DTu16 : n == 32 ? DTu32 : DTu64;
}

const char *scalar_type(const ScalarWords *w, enum Dtype dt) { return w->type[flight_of(dt)]; }

const char *scalar_to(const ScalarWords *w, enum Dtype dt)
{
    switch (dt) {
    case DTi8: return "(signed char)";
    case DTu8: return "(unsigned char)";
    case DTi16: return "(short)";
    case DTu16: return "(unsigned short)";
    default: return w->cast[flight_of(dt)];
    }
}

/* Constants ---------------------------------------------------------------- */

const char *scalar_int(Scalar *s, int64_t v, enum Dtype dt, int prec)
{
    Ctx *c = &s->p->ctx;
    const char *suffix = s->w->suffix[flight_of(dt)];
    if (dt == DTu32 || dt == DTu64) {
        uint64_t u = dt == DTu32 ? (uint32_t)v : (uint64_t)v;
        bool mask = u > 0xffffff || (u > 255 && (u & (u + 1)) == 0);
        return afmt(c, mask ? "0x%" PRIx64 "%s" : "%" PRIu64 "%s", u, suffix);
    }
    if (v == INT64_MIN || (v == INT32_MIN && dt != DTi64))
        return afmt(c, "(%" PRId64 "%s - 1)", v + 1, suffix);
    return afmt(c, v < 0 && prec >= PRadd ? "(%" PRId64 "%s)" : "%" PRId64 "%s", v, suffix);
}

/* The shortest text that reads back to the same value. */
const char *scalar_float(Scalar *s, double v, enum Dtype dt, int prec)
{
    Ctx *c = &s->p->ctx;
    char text[40];
    bool d = dt == DTf64, parens = prec >= PRunary && signbit(v);
    if (isnan(v))
        return afmt(c, "%s%s", s->w->fn(s, s->w->nan[d]), s->w->nan_args);
    if (isinf(v))
        return afmt(c, parens ? "(-%s())" : v < 0 ? "-%s()" : "%s()", s->w->fn(s, s->w->inf[d]));
    for (int n = fabs(v) < 1e7 && v == floor(v) ? 7 : 1; n <= 17; n++) {
        snprintf(text, sizeof text, "%.*g", n, v);
        if (d ? strtod(text, NULL) == v : (double)strtof(text, NULL) == v)
            break;
    }
    return afmt(c, parens ? "(%s%s%s)" : "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0",
                s->w->suffix[flight_of(dt)]);
}

/* Narrow types --------------------------------------------------------------- */

bool scalar_rounds(const Scalar *s, Ex x, enum Dtype dt)
{
    return is_narrow(dt) && (x != s->unrounded || dt == DTtf32);
}

void scalar_round(Scalar *s, size_t at, enum Dtype dt)
{
    ScalarFrame f = s->w->round(s, dt);
    scalar_insert(s, at, f.pre);
    str_puts(s->out, f.post);
}

ScalarFrame scalar_wrap(Scalar *s, enum Dtype dt, int prec)
{
    if (bits_of(dt) >= 32)
        return (ScalarFrame){"", ""};
    if (bits_of(dt) == 4)
        return dt == DTu4 ? (ScalarFrame){"((", ") & 15)"}
                          : (ScalarFrame){"((int)((unsigned)(", ") << 28) >> 28)"};
    bool parens = prec > PRunary;
    return (ScalarFrame){afmt(&s->p->ctx, "%s%s(", parens ? "(" : "", scalar_to(s->w, dt)),
                         parens ? "))" : ")"};
}

/* Conversions ---------------------------------------------------------------- */

/* Whether every value of `from` is one of `to`, both floats, `to` of at most 32 bits. */
static bool scalar_fits_float(enum Dtype to, enum Dtype from)
{
    if (from == DTf64)
        return false;
    if (to == from || to == DTf32)
        return true;
    if (from == DTe4m3 || from == DTe5m2)
        return to == DTf16 || to == DTbf16 || to == DTtf32;
    return to == DTtf32 && (from == DTf16 || from == DTbf16);
}

static bool scalar_fits_int(enum Dtype to, enum Dtype from)
{
    int nt = bits_of(to), nf = from == DTbool ? 1 : bits_of(from);
    bool ut = class_of(to) == 'U', uf = class_of(from) != 'I';
    return to == from || (uf && nf < nt) || (uf && ut && nf <= nt) || (!uf && !ut && nf <= nt);
}

/* Whole numbers up to this are exact in the narrow floats. */
static int64_t scalar_exact_integers(enum Dtype dt)
{
    return dt == DTf16 || dt == DTtf32 ? 2048 : dt == DTbf16 ? 256 : dt == DTe4m3 ? 16 : 8;
}

static void scalar_prefixed(Scalar *s, enum Dtype to, Ex x, int prec)
{
    scalar_form(s, prec > PRunary, "%s%e", scalar_to(s->w, to), x, PRunary);
}

/* Integers and double as narrow floats: exact ones by a cast, others rounded to odd first, so
 * that the second rounding is right. */
static void scalar_to_narrow(Scalar *s, Ex x, enum Dtype to, int prec, bool unrounded)
{
    enum Dtype from = ex_type(s->p, x);
    int64_t lo, hi, exact = scalar_exact_integers(to);
    size_t at = s->out->n;
    int inner = unrounded ? prec : PRany;
    if (!is_float(from) &&
        (from == DTbool || (x_range(s->p, x, &lo, &hi) && -exact <= lo && hi <= exact))) {
        scalar_prefixed(s, DTf32, x, prec);
        return;
    }
    if (is_float(from) && from != DTf64)
        scalar_put(s, x, inner);
    else if (bits_of(from) < 32)
        scalar_prefixed(s, DTf32, x, inner);
    else
        scalar_form(s, false, "%f(%e)", s->w->odd[flight_of(from)], x, PRany);
    if (!unrounded)
        scalar_round(s, at, to);
}

/* A type of less than 32 bits takes the last bits of the number as int32 or uint32. */
static void scalar_to_int(Scalar *s, Ex x, enum Dtype to, int prec)
{
    bool narrow = bits_of(to) < 32, d = ex_type(s->p, x) == DTf64;
    enum Dtype by = !narrow ? to : class_of(to) == 'U' ? DTu32 : DTi32;
    ScalarFrame wrap = to != DTu4 ? scalar_wrap(s, to, prec) :
                       prec > PRunary ? (ScalarFrame){"((int)(", " & 15))"} : (ScalarFrame){"(int)(", " & 15)"};
    str_puts(s->out, wrap.pre);
    scalar_form(s, false, "%f(%e)", s->w->to_int[d][flight_of(by)], x, PRany);
    str_puts(s->out, wrap.post);
}

void scalar_cast(Scalar *s, Ex x, enum Dtype to, int prec, bool unrounded)
{
    enum Dtype from = ex_type(s->p, x);
    bool kept = flight_of(to) == flight_of(from);
    if (from == to)
        scalar_put(s, x, prec);
    else if (to == DTbool)
        scalar_form(s, prec > PReq, "%e != 0", x, PReq + 1);
    else if (is_float(to) && is_float(from) && to != DTf64 && scalar_fits_float(to, from))
        scalar_put(s, x, prec);
    else if (is_narrow(to))
        scalar_to_narrow(s, x, to, prec, unrounded && to != DTtf32);
    else if (is_float(to))
        scalar_prefixed(s, to, x, prec);
    else if (is_float(from))
        scalar_to_int(s, x, to, prec);
    else if (bits_of(to) == 4 && scalar_fits_int(to, from))
        scalar_put(s, x, prec);
    else if (to == DTu4) /* an int in flight, whatever x is */
        scalar_form(s, kept && prec > PRband, kept ? "%e & 15" : "(int)(%e & 15)", x, PRband + 1);
    else if (to == DTi4)
        scalar_form(s, prec > PRshift, "(int)((unsigned)%e << 28) >> 28", x, PRunary);
    else if (scalar_fits_int(to, from) && kept)
        scalar_put(s, x, prec);
    else
        scalar_prefixed(s, to, x, prec);
}

/* Same bits -------------------------------------------------------------------- */

const char *scalar_bits(Scalar *s, enum Dtype to, enum Dtype from, const char *x)
{
    Ctx *c = &s->p->ctx;
    if (to == from)
        return x;
    if (bits_of(to) == 4)
        return afmt(c, to == DTu4 ? "((%s) & 15)" : "((int)((unsigned)(%s) << 28) >> 28)", x);
    if (is_float(from))
        x = s->w->float_bits(s, from, x);
    if (is_float(to))
        return s->w->bits_float(s, to, x);
    if (is_float(from) && bits_type(from) == to && bits_of(to) >= 32)
        return x[0] == '(' ? afmt(c, "(%s)", x) : x;
    return afmt(c, "%s(%s)", scalar_to(s->w, to), x);
}

void scalar_reinterpret(Scalar *s, const Expr *k)
{
    enum Dtype to = (enum Dtype)k->dt, from = ex_type(s->p, k->arg[0]);
    const char *x;
    if (is_narrow(from) && from != DTtf32 && !is_float(to)) { /* without a way through float */
        x = s->w->stored_bits(s, k->arg[0]);
        from = bits_type(from);
    } else {
        size_t at = s->out->n;
        scalar_put(s, k->arg[0], PRany);
        x = scalar_take(s, at);
    }
    str_puts(s->out, scalar_bits(s, to, from, x));
}
