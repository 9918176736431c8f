/* targets/cpu/emit_cast.c: constants and conversions as C. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"

bool small_float(enum Dtype dt)
{
    return is_float(dt) && dt != DTf32 && dt != DTf64;
}

const char *value_type(enum Dtype dt)
{
    if (is_float(dt))
        return dt == DTf64 ? "double" : "float";
    if (bits_of(dt) == 64)
        return class_of(dt) == 'U' ? "unsigned long" : "long";
    return dt == DTu32 ? "unsigned" : "int";
}

/* C's element types, and the same ones for memory that has two types. */
static const struct { const char *plain, *alias; } heldtype[NDtype] = {
    [DTbool] = {"unsigned char", "unsigned char"},
    [DTi4] = {"unsigned char", "unsigned char"},
    [DTu4] = {"unsigned char", "unsigned char"},
    [DTi8] = {"signed char", "signed char"},
    [DTu8] = {"unsigned char", "unsigned char"},
    [DTe4m3] = {"unsigned char", "unsigned char"},
    [DTe5m2] = {"unsigned char", "unsigned char"},
    [DTi16] = {"short", "alias_i16"},
    [DTu16] = {"unsigned short", "alias_u16"},
    [DTf16] = {"unsigned short", "alias_u16"},
    [DTbf16] = {"unsigned short", "alias_u16"},
    [DTi32] = {"int", "alias_i32"},
    [DTu32] = {"unsigned", "alias_u32"},
    [DTi64] = {"long", "alias_i64"},
    [DTu64] = {"unsigned long", "alias_u64"},
    [DTf32] = {"float", "alias_f32"},
    [DTtf32] = {"float", "alias_f32"},
    [DTf64] = {"double", "alias_f64"},
};

const char *held_type(Gen *g, enum Dtype held, bool alias)
{
    const char *t = alias ? heldtype[held].alias : heldtype[held].plain;
    return alias && t != heldtype[held].plain && t[0] == 'a' ? use(g, t) : t;
}

/* Constants ------------------------------------------------------------ */

void emit_int(Gen *g, int64_t v, enum Dtype dt, int prec)
{
    bool unsig = dt == DTu32 || dt == DTu64;
    const char *suffix = dt == DTu32 ? "u" : dt == DTu64 ? "uL" : "";
    if (dt == DTi64)
        suffix = "L";
    if (unsig) {
        put(g, "%" PRIu64 "%s", dt == DTu32 ? (uint64_t)(uint32_t)v : (uint64_t)v, suffix);
    } else if (v == INT64_MIN || (v == INT32_MIN && dt != DTi64)) {
        put(g, "(-%" PRId64 "%s - 1)", -(v + 1), suffix);
    } else {
        put(g, v < 0 && prec >= PVunary ? "(%" PRId64 "%s)" : "%" PRId64 "%s", v, suffix);
    }
}

/* The shortest text that reads back to the same value. */
void emit_float(Gen *g, double v, enum Dtype dt, int prec)
{
    char s[40];
    bool d = dt == DTf64, paren = prec >= PVunary && (signbit(v) || isinf(v));
    if (isnan(v)) {
        put(g, d ? "__builtin_nan(\"\")" : "__builtin_nanf(\"\")");
        return;
    }
    if (isinf(v)) {
        put(g, "%s%s%s%s", paren && v < 0 ? "(" : "", v < 0 ? "-" : "",
            d ? "__builtin_inf()" : "__builtin_inff()", paren && v < 0 ? ")" : "");
        return;
    }
    for (int n = 1; n <= 17; n++) {
        snprintf(s, sizeof s, "%.*g", n, v);
        if (d ? strtod(s, NULL) == v : (double)strtof(s, NULL) == v)
            break;
    }
    put(g, "%s%s%s%s%s", paren ? "(" : "", s, strpbrk(s, ".e") ? "" : ".0", d ? "" : "f",
        paren ? ")" : "");
}

/* Conversions ---------------------------------------------------------- */

static const char *const roundname[NDtype] = {
    [DTf16] = "round_f16", [DTbf16] = "round_bf16", [DTtf32] = "round_tf32",
    [DTe4m3] = "round_e4m3", [DTe5m2] = "round_e5m2",
};

const char *round_name(enum Dtype dt) { return roundname[dt]; }

/* Whether every value of `from` is one of `to`, both floats of at most 32 bits. */
static bool ccast_fits_float(enum Dtype to, enum Dtype from)
{
    if (to == from || to == DTf32)
        return true;
    if (from == DTe4m3 || from == DTe5m2)
        return to == DTf16 || to == DTbf16 || to == DTtf32;
    return to == DTtf32 && (from == DTf16 || from == DTbf16);
}

static bool ccast_fits_int(enum Dtype to, enum Dtype from)
{
    int nt = bits_of(to), nf = from == DTbool ? 1 : bits_of(from);
    bool ut = class_of(to) == 'U', uf = class_of(from) != 'I';
    return to == from || (uf && nf < nt) || (uf && ut && nf <= nt) || (!uf && !ut && nf <= nt);
}

/* A cast opens with `pre`, at most two functions deep, and closes with `post`;
 * what stands inside is printed with precedence `prec`. */
typedef struct Wrap { const char *pre[3]; const char *post; int prec; } Wrap;

/* Whole numbers up to this are exact in the narrow floats. */
static int64_t cast_exact_integers(enum Dtype dt)
{
    return dt == DTf16 || dt == DTtf32 ? 2048 : dt == DTbf16 ? 256 : dt == DTe4m3 ? 16 : 8;
}

static Wrap wrap_float(Gen *g, Ex e, enum Dtype to, bool unrounded)
{
    Wrap w = {{"", "", ""}, "", PVany};
    enum Dtype from = type_of(g, e);
    bool wide = bits_of(from) >= 32 && !is_float(from);
    int64_t lo, hi;
    if (small_float(to) && !is_float(from) &&
        (from == DTbool || (x_range(g->p, e, &lo, &hi) && -cast_exact_integers(to) <= lo &&
                            hi <= cast_exact_integers(to)))) {
        w.pre[0] = "(float)", w.prec = PVunary;
        return w;
    }
    if (to == DTf64) {
        w.pre[0] = "(double)", w.prec = PVunary;
    } else if (to == DTf32) {
        w.pre[0] = "(float)", w.prec = PVunary;
    } else if (from == DTf64) { /* to odd first, so that the second rounding is exact */
        w.pre[0] = use(g, roundname[to]);
        w.pre[1] = use(g, "f64_odd");
        w.post = "))";
    } else if (wide) {
        w.pre[0] = use(g, roundname[to]);
        w.pre[1] = use(g, bits_of(from) == 32 ? "f64_odd" : from == DTi64 ? "i64_odd" : "u64_odd");
        w.post = "))";
    } else {
        w.pre[0] = use(g, roundname[to]);
        w.post = ")";
    }
    if (unrounded && small_float(to)) {
        w.pre[0] = w.pre[1][0] ? w.pre[1] : "(float)";
        w.prec = w.pre[1][0] ? PVany : PVunary;
        w.post = w.pre[1][0] ? ")" : "";
        w.pre[1] = "";
    }
    return w;
}

const char *int_cast(enum Dtype to)
{
    switch (to) {
    case DTi8: return "(signed char)";
    case DTu8: return "(unsigned char)";
    case DTi16: return "(short)";
    case DTu16: return "(unsigned short)";
    case DTi32: return "(int)";
    case DTu32: return "(unsigned)";
    case DTi64: return "(long)";
    default: return "(unsigned long)";
    }
}

static void open_wrap(Gen *g, const Wrap *w)
{
    for (int i = 0; i < 2; i++)
        if (*w->pre[i])
            put(g, "%s%s", w->pre[i], w->pre[i][0] == '(' ? "" : "(");
}

void emit_cast(Gen *g, Ex e, enum Dtype to, int prec, bool unrounded)
{
    enum Dtype from = type_of(g, e);
    if (from == to) {
        emit_expr(g, e, prec);
    } else if (to == DTbool) {
        put(g, prec > PVeq ? "(" : "");
        emit_expr(g, e, PVeq + 1);
        put(g, prec > PVeq ? " != 0)" : " != 0");
    } else if (is_float(to) && is_float(from) &&
               (ccast_fits_float(to, from) || (to == DTf32 && from != DTf64)) && to != DTf64) {
        emit_expr(g, e, prec);
    } else if (is_float(to)) {
        Wrap w = wrap_float(g, e, to, unrounded);
        bool paren = w.prec == PVunary && prec > PVunary;
        put(g, paren ? "(" : "");
        open_wrap(g, &w);
        emit_expr(g, e, w.prec);
        put(g, "%s%s", w.post, paren ? ")" : "");
    } else if (is_float(from)) {
        const char *src = from == DTf64 ? "f64" : "f32";
        char name[24];
        if (bits_of(to) >= 32) {
            snprintf(name, sizeof name, "%s_%c%d", src, class_of(to) == 'U' ? 'u' : 'i',
                     bits_of(to));
            put(g, "%s(", use(g, name));
            emit_expr(g, e, PVany);
            put(g, ")");
        } else {
            int n = bits_of(to), u = class_of(to) == 'U';
            snprintf(name, sizeof name, "%s_clamp", src);
            put(g, "%s(", use(g, name));
            emit_expr(g, e, PVany);
            put(g, ", %d, %d)", u ? 0 : -(1 << (n - 1)), (1 << (n - !u)) - 1);
        }
    } else if (bits_of(to) == 4) { /* an int in flight, whatever e is */
        put(g, to == DTu4 ? "(15 & (int)" : "((int)((unsigned)");
        emit_expr(g, e, PVunary);
        put(g, to == DTu4 ? ")" : " << 28) >> 28)");
    } else if (ccast_fits_int(to, from) && strcmp(value_type(to), value_type(from)) == 0) {
        emit_expr(g, e, prec);
    } else {
        put(g, prec > PVunary ? "(%s" : "%s", int_cast(to));
        emit_expr(g, e, PVunary);
        put(g, prec > PVunary ? ")" : "");
    }
}

void emit_as(Gen *g, Ex e, enum Dtype to, int prec) { emit_cast(g, e, to, prec, false); }

/* Storage -------------------------------------------------------------- */

const char *from_held(Gen *g, enum Dtype held)
{
    static const char *const name[NDtype] = {
        [DTf16] = "f16_f32", [DTbf16] = "bf16_f32", [DTe4m3] = "e4m3_f32",
        [DTe5m2] = "e5m2_f32", [DTtf32] = "round_tf32"};
    if (held == DTbool) { /* a byte from outside may be any */
        put(g, "(");
        return " != 0)";
    }
    if (!name[held])
        return "";
    put(g, "%s(", use(g, name[held]));
    return ")";
}

void emit_to_held(Gen *g, Ex value, enum Dtype held)
{
    static const char *const name[NDtype] = {
        [DTf16] = "f32_f16", [DTbf16] = "f32_bf16", [DTe4m3] = "f32_e4m3", [DTe5m2] = "f32_e5m2"};
    if (!name[held]) {
        emit_expr(g, value, PVany);
        return;
    }
    put(g, "%s(", use(g, name[held]));
    emit_unrounded(g, value);
    put(g, ")");
}

void emit_unrounded(Gen *g, Ex value)
{
    Ex outer = g->unrounded;
    g->unrounded = value;
    emit_expr(g, value, PVany);
    g->unrounded = outer;
}
