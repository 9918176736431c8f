/* targets/cpu/emit_cast.c: elements as memory holds them. */
#include "emit.h"

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

static const char *const roundname[NDtype] = {
    [DTf16] = "round_f16", [DTbf16] = "round_bf16", [DTtf32] = "round_tf32",
    [DTe4m3] = "round_e4m3", [DTe5m2] = "round_e5m2",
};

const char *round_name(enum Dtype dt) { return roundname[dt]; }

ScalarFrame cpu_round(Scalar *s, enum Dtype dt)
{
    return (ScalarFrame){afmt(&s->p->ctx, "%s(", use(s->ud, round_name(dt))), ")"};
}

/* Bits ----------------------------------------------------------------- */

static const struct { const char *pack, *unpack; } bitsname[NDtype] = {
    [DTf16] = {"f32_f16", "f16_f32"}, [DTbf16] = {"f32_bf16", "bf16_f32"},
    [DTe4m3] = {"f32_e4m3", "e4m3_f32"}, [DTe5m2] = {"f32_e5m2", "e5m2_f32"},
    [DTf32] = {"bits_f32", "f32_bits"}, [DTtf32] = {"bits_f32", "f32_bits"},
    [DTf64] = {"bits_f64", "f64_bits"}};

const char *cpu_float_bits(Scalar *s, enum Dtype from, const char *x)
{
    return afmt(&s->p->ctx, "%s(%s)", use(s->ud, bitsname[from].pack), x);
}

const char *cpu_bits_float(Scalar *s, enum Dtype to, const char *x)
{
    return afmt(&s->p->ctx, "%s(%s)", use(s->ud, bitsname[to].unpack), x);
}

const char *cpu_stored_bits(Scalar *s, Ex e)
{
    size_t at = s->out->n;
    scalar_unrounded(s, e, PRany); /* it is rounded on its way */
    return cpu_float_bits(s, ex_type(s->p, e), scalar_take(s, at));
}

/* Storage -------------------------------------------------------------- */

const char *from_held(Gen *g, enum Dtype held)
{
    if (held == DTbool) { /* a byte from outside may be any */
        put(g, "(");
        return " != 0)";
    }
    if (!is_narrow(held))
        return "";
    put(g, "%s(", use(g, held == DTtf32 ? roundname[held] : bitsname[held].unpack));
    return ")";
}

/* Is the value an element, or chosen from elements?  Nothing has to saturate then. */
static int64_t element_node(ExFold *f, Ex x)
{
    const Expr *k = ex_at(f->p, x);
    if (k->op == Xselect)
        return ex_fold(f, k->arg[1]) || ex_fold(f, k->arg[2]);
    return k->op == Xload && k->dt == DTe5m2;
}

void emit_to_held(Gen *g, Ex value, enum Dtype held)
{
    if (!is_narrow(held) || held == DTtf32) {
        emit_expr(g, value, PRany);
        return;
    }
    bool kept = held == DTe5m2 &&
                ex_fold(&(ExFold){.p = g->p, .f = element_node}, value);
    put(g, "%s(", use(g, kept ? "keep_e5m2" : bitsname[held].pack));
    emit_unrounded(g, value);
    put(g, ")");
}
