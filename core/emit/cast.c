/* core/emit/cast.c: constants, conversions, values as memory holds them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "core/ir/walk.h"
#include "emit_p.h"
#include "core/tensor/tensor.h"

static int cast_bits_of(enum Dtype dt) { return dtypeinfo[dt].bits; }
static char cast_class_of(enum Dtype dt) { return dtypeinfo[dt].cls; }

const char *paren(Emit *e, bool on, const char *text)
{
    return on ? afmt(&e->p->ctx, "(%s)", text) : text;
}

const char *flight_type(enum Dtype dt)
{
    if (is_float(dt))
        return dt == DTf64 ? "double" : "float";
    if (cast_bits_of(dt) == 64)
        return cast_class_of(dt) == 'U' ? "unsigned long long" : "long long";
    return dt == DTu32 ? "unsigned" : "int";
}

enum Dtype bits_type(enum Dtype dt)
{
    int n = cast_bits_of(dt);
    return n == 4 ? DTu4 : n == 8 ? DTu8 : n == 16 ? DTu16 : n == 32 ? DTu32 : DTu64;
}

/* Constants ------------------------------------------------------------ */

const char *int_text(Emit *e, int64_t v, enum Dtype dt, int prec)
{
    Ctx *c = &e->p->ctx;
    if (dt == DTu32 || dt == DTu64) {
        uint64_t u = dt == DTu32 ? (uint32_t)v : (uint64_t)v;
        bool mask = u > 0xffffff || (u > 255 && (u & (u + 1)) == 0);
        return afmt(c, mask ? "0x%" PRIx64 "%s" : "%" PRIu64 "%s", u, dt == DTu32 ? "u" : "ull");
    }
    const char *suffix = dt == DTi64 ? "ll" : "";
    if (v == INT64_MIN || (v == INT32_MIN && dt != DTi64))
        return afmt(c, "(%" PRId64 "%s - 1)", v + 1, suffix);
    return afmt(c, v < 0 && prec >= PRadd ? "(%" PRId64 "%s)" : "%" PRId64 "%s", v, suffix);
}

/* The shortest text that reads back to the same value. */
const char *float_text(Emit *e, double v, enum Dtype dt, int prec)
{
    Ctx *c = &e->p->ctx;
    char s[40];
    bool d = dt == DTf64, paren_ = prec >= PRunary && (signbit(v) || isinf(v));
    if (isnan(v))
        return afmt(c, "%s()", emit_need(e, "not_a_number"));
    if (isinf(v)) {
        const char *t = afmt(c, "%s%s()", v < 0 ? "-" : "", emit_need(e, "inf"));
        return paren(e, paren_ && v < 0, t);
    }
    for (int n = fabs(v) < 1e7 && v == floor(v) ? 7 : 1; n <= 17; n++) {
        snprintf(s, sizeof s, "%.*g", n, v);
        if (d ? strtod(s, NULL) == v : (double)strtof(s, NULL) == v)
            break;
    }
    const char *t = afmt(c, "%s%s%s", s, strpbrk(s, ".e") ? "" : ".0", d ? "" : "f");
    return paren(e, paren_, t);
}

static const char *stored_const(Emit *e, double v, enum Dtype dt)
{
    Ctx *c = &e->p->ctx;
    uint64_t cell = 0;
    if (!is_narrow(dt) || dt == DTtf32)
        return float_text(e, v, dt, PRany);
    dtype_store(dt, &cell, 0, v);
    return afmt(c, cell ? "%s{0x%x}" : "%s{%x}", e->d->type(e, dt), (unsigned)cell);
}

/* Narrow floats ---------------------------------------------------------- */

const char *from_stored(Emit *e, enum Dtype dt, const char *text, bool memory)
{
    if (!is_narrow(dt) || (dt == DTtf32 && !memory))
        return text;
    return e->d->cast(e, dt == DTtf32 ? DTtf32 : DTf32, dt == DTtf32 ? DTf32 : dt, text);
}

const char *to_stored(Emit *e, enum Dtype dt, const char *value)
{
    return is_narrow(dt) ? e->d->cast(e, dt, DTf32, value) : value;
}

/* A float as the nearest value of dt, still a float. */
static const char *rounded(Emit *e, enum Dtype dt, const char *x)
{
    if (!is_narrow(dt))
        return x;
    if (dt == DTtf32)
        return e->d->cast(e, dt, DTf32, x);
    return from_stored(e, dt, to_stored(e, dt, x), true);
}

/* Conversions ---------------------------------------------------------- */

/* Whether every value of `from` is one of `to`, both floats of at most 32 bits. */
static bool cast_fits_float(enum Dtype to, enum Dtype from)
{
    if (to == from || to == DTf32)
        return true;
    if (from == DTe4m3 || from == DTe5m2)
        return to == DTf16 || to == DTbf16 || to == DTtf32;
    return to == DTtf32 && (from == DTf16 || from == DTbf16);
}

static bool cast_fits_int(enum Dtype to, enum Dtype from)
{
    int nt = cast_bits_of(to), nf = from == DTbool ? 1 : cast_bits_of(from);
    bool ut = cast_class_of(to) == 'U', uf = cast_class_of(from) != 'I';
    return to == from || (uf && nf < nt) || (uf && ut && nf <= nt) || (!uf && !ut && nf <= nt);
}

/* Whole numbers up to this are exact in the narrow floats. */
static int64_t exact_integers(enum Dtype dt)
{
    return dt == DTf16 || dt == DTtf32 ? 2048 : dt == DTbf16 ? 256 : dt == DTe4m3 ? 16 : 8;
}

const char *cast_to(enum Dtype to)
{
    switch (to) {
    case DTi8: return "(signed char)";
    case DTu8: return "(unsigned char)";
    case DTi16: return "(short)";
    case DTu16: return "(unsigned short)";
    case DTi32: return "(int)";
    case DTu32: return "(unsigned)";
    case DTi64: return "(long long)";
    default: return "(unsigned long long)";
    }
}

static const char *prefixed(Emit *e, const char *cast, Ex x, int prec)
{
    return paren(e, prec > PRunary, afmt(&e->p->ctx, "%s%s", cast, ex_text(e, x, PRunary)));
}

static const char *cast_called(Emit *e, const char *helper, const char *arg)
{
    return afmt(&e->p->ctx, "%s(%s)", emit_need(e, helper), arg);
}

/* Integers and double as floats: exact ones by a cast, others rounded to odd first, so
 * that the second rounding is right. */
static const char *narrow_text(Emit *e, Ex x, enum Dtype to, int prec, bool unrounded)
{
    Ctx *c = &e->p->ctx;
    enum Dtype from = ex_type(e->p, x);
    int64_t lo, hi;
    const char *t;
    if (!is_float(from)) {
        bool known = from == DTbool || x_range(e->p, x, &lo, &hi);
        if (from == DTbool || (known && -exact_integers(to) <= lo && hi <= exact_integers(to)))
            return prefixed(e, "(float)", x, prec);
    }
    if (is_float(from) && from != DTf64)
        t = ex_text(e, x, unrounded ? prec : PRany);
    else if (cast_bits_of(from) < 32 && !unrounded)
        t = prefixed(e, "(float)", x, PRany);
    else if (cast_bits_of(from) < 32)
        return prefixed(e, "(float)", x, prec);
    else
        t = cast_called(e,
                        afmt(c, "to_odd_%s",
                             from == DTf64   ? "f64"
                             : from == DTi32 ? "i32"
                             : from == DTu32 ? "u32"
                             : from == DTi64 ? "i64"
                                             : "u64"),
                        ex_text(e, x, PRany));
    return unrounded ? t : rounded(e, to, t);
}

static const char *float_to_int(Emit *e, Ex x, enum Dtype to)
{
    Ctx *c = &e->p->ctx;
    bool d = ex_type(e->p, x) == DTf64, u = cast_class_of(to) == 'U';
    int n = cast_bits_of(to);
    const char *t = ex_text(e, x, PRany);
    if (n >= 32 && (d || n == 64))
        return cast_called(e, afmt(c, "%s_%c%d", d ? "f64" : "f32", u ? 'u' : 'i', n), t);
    if (n >= 32)
        return afmt(c, "%s(%s)", emit_fn(e, u ? "__float2uint_rz" : "__float2int_rz"), t);
    t = d ? cast_called(e, "f64_i32", t) : afmt(c, "%s(%s)", emit_fn(e, "__float2int_rz"), t);
    return afmt(c, "%s(%s(%s, %d), %d)", emit_fn(e, "min"), emit_fn(e, "max"), t,
                u ? 0 : -(1 << (n - 1)), (1 << (n - !u)) - 1);
}

const char *cast_text(Emit *e, Ex x, enum Dtype to, int prec, bool unrounded)
{
    Ctx *c = &e->p->ctx;
    enum Dtype from = ex_type(e->p, x);
    if (from == to)
        return ex_text(e, x, prec);
    if (to == DTbool)
        return paren(e, prec > PReq, afmt(c, "%s != 0", ex_text(e, x, PReq + 1)));
    if (is_float(to) && is_float(from) && to != DTf64 &&
        (cast_fits_float(to, from) || (to == DTf32 && from != DTf64)))
        return ex_text(e, x, prec);
    if (is_narrow(to))
        return narrow_text(e, x, to, prec, unrounded && to != DTtf32);
    if (is_float(to))
        return prefixed(e, to == DTf64 ? "(double)" : "(float)", x, prec);
    if (is_float(from))
        return float_to_int(e, x, to);
    if (cast_bits_of(to) == 4 && cast_fits_int(to, from))
        return ex_text(e, x, prec);
    if (to == DTu4) { /* an int in flight, whatever x is */
        if (strcmp(flight_type(to), flight_type(from)) != 0)
            return afmt(c, "(int)(%s & 15)", ex_text(e, x, PRband + 1));
        return paren(e, prec > PRband, afmt(c, "%s & 15", ex_text(e, x, PRband + 1)));
    }
    if (to == DTi4)
        return paren(e, prec > PRshift,
                     afmt(c, "(int)((unsigned)%s << 28) >> 28", ex_text(e, x, PRunary)));
    if (cast_fits_int(to, from) && strcmp(flight_type(to), flight_type(from)) == 0)
        return ex_text(e, x, prec);
    return prefixed(e, cast_to(to), x, prec);
}

/* Same bits --------------------------------------------------------------- */

/* The bits of x, a value of `from`, as a value of unsigned type in flight. */
static const char *float_bits(Emit *e, enum Dtype from, const char *x)
{
    Ctx *c = &e->p->ctx;
    if (from == DTf64)
        return afmt(c, "(unsigned long long)%s(%s)", emit_fn(e, "__double_as_longlong"), x);
    if (!is_narrow(from) || from == DTtf32)
        return afmt(c, "%s(%s)", emit_fn(e, "__float_as_uint"), x);
    return afmt(c, "%s.x", to_stored(e, from, x));
}

/* A value of a type in flight whose bits are those of the integer x. */
static const char *bits_float(Emit *e, enum Dtype to, const char *x)
{
    Ctx *c = &e->p->ctx;
    if (to == DTf64)
        return afmt(c, "%s((long long)(%s))", emit_fn(e, "__longlong_as_double"), x);
    if (to == DTf32)
        return afmt(c, "%s((unsigned)(%s))", emit_fn(e, "__uint_as_float"), x);
    if (to == DTtf32)
        return rounded(e, to, afmt(c, "%s((unsigned)(%s))", emit_fn(e, "__uint_as_float"), x));
    return from_stored(e, to, afmt(c, "%s{%s(%s)}", e->d->type(e, to), cast_to(bits_type(to)), x),
                       true);
}

/* Binds as a unary operator. */
const char *bits_text(Emit *e, enum Dtype to, enum Dtype from, const char *x)
{
    Ctx *c = &e->p->ctx;
    if (to == from)
        return x;
    if (cast_bits_of(to) == 4)
        return afmt(c, to == DTu4 ? "((%s) & 15)" : "((int)((unsigned)(%s) << 28) >> 28)", x);
    if (is_float(from))
        x = float_bits(e, from, x);
    if (is_float(to))
        return bits_float(e, to, x);
    return is_float(from) && bits_type(from) == to && cast_bits_of(to) >= 32
               ? paren(e, x[0] == '(', x) : afmt(c, "%s(%s)", cast_to(to), x);
}

/* Elements ---------------------------------------------------------------- */

const char *unrounded_text(Emit *e, Ex x, int prec)
{
    Ex outer = priv(e)->unrounded;
    priv(e)->unrounded = x;
    const char *t = ex_text(e, x, prec);
    priv(e)->unrounded = outer;
    return t;
}

typedef struct Copied Copied;
struct Copied { Emit *e; enum Dtype dt; };

static int64_t copied_node(ExFold *f, Ex x)
{
    const Copied *c = f->ud;
    const Expr *k = ex_at(f->p, x);
    if (k->dt != c->dt)
        return false;
    if (ex_raw(c->e, x))
        return true;
    if (k->op == Xselect)
        return ex_fold(f, k->arg[1]) || ex_fold(f, k->arg[2]);
    return k->op == Xload && !is_variable(c->e, k->sym);
}

/* Is x an element of memory or registers as it is, or chosen from such? */
static bool copied(Emit *e, Ex x, enum Dtype dt)
{
    return ex_fold(&(ExFold){.p = e->p, .f = copied_node, .ud = &(Copied){e, dt}}, x);
}

const char *stored_text(Emit *e, Ex x, enum Dtype dt, int prec)
{
    Ctx *c = &e->p->ctx;
    Expr k = *ex_at(e->p, x);
    if (!is_narrow(dt) || dt == DTtf32)
        return ex_text(e, x, prec);
    if (k.op == Xfloat)
        return stored_const(e, k.f, dt);
    if (copied(e, x, dt)) {
        if (ex_raw(e, x))
            return ex_raw(e, x);
        if (k.op == Xload)
            return element_text(e, k.sym, k.arg);
        const char *cond = ex_text(e, k.arg[0], PRlor), *a = stored_text(e, k.arg[1], dt, PRcond);
        return paren(e, prec > PRcond,
                     afmt(c, "%s ? %s : %s", cond, a, stored_text(e, k.arg[2], dt, PRcond)));
    }
    if (k.op == Xbits && !is_float(ex_type(e->p, k.arg[0])))
        return afmt(c, "%s{%s(%s)}", e->d->type(e, dt), cast_to(bits_type(dt)),
                    ex_text(e, k.arg[0], PRany));
    return to_stored(e, dt, unrounded_text(e, x, PRany));
}
