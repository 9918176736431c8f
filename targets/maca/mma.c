/* targets/maca/mma.c: matrix instructions of a wave of 64 lanes.
 *
 * A function mxc_16x16x16_f32_f16 adds the product of this wave's registers of A and B to
 * those of C.  The instruction gets B and A in that order: it computes the transpose,
 * whose rows are C's columns.  Reference: vendor-targets.md 1.4.
 *
 * Not proven on the card: the lane maps (the first-contact probe of `doctor` compares
 * them; -mma=off multiplies by FMA instead).  Users of tfloat32 give its two k in the other
 * order than we do: A and B alike, so that the product is the same.  Users of int8 give one
 * word, or two of which the first counts: the text takes what the compiler takes. */
#include "maca.h"

#include <string.h>

/* ab, c: types of a lane's registers of an operand; made: what the built-in is called
 * through, a helper; or NULL. */
typedef struct MacaMmaUnit MacaMmaUnit;
struct MacaMmaUnit { const char *name, *builtin, *ab, *c, *made; };

static const MacaMmaUnit units[] = {
    {"mxc.16x16x16.f32.f16", "16x16x16f16", "halfs4", "floats4", NULL},
    {"mxc.16x16x16.f32.bf16", "16x16x16bf16", "halfs4", "floats4", NULL}, /* their bits */
    {"mxc.16x16x8.f32.tf32", "16x16x8tf32", "floats2", "floats4", NULL},
    {"mxc.16x16x4.f32.f32", "16x16x4f32", "float", "floats4", NULL},
    {"mxc.16x16x16.s32.s8", "16x16x16i8", "int", "ints4", "bytes_mma"},
    {"mxc.16x16x4.f64.f64", "16x16x4f64", "double", "doubles4", NULL},
};

#define EXT(name, maca_mma_type, n) \
    {name, "", "typedef " maca_mma_type " __attribute__((ext_vector_type(" n "))) " name ";\n"}

static const EmitText vectors[] = {
    EXT("halfs4", "_Float16", "4"), EXT("floats2", "float", "2"),
    EXT("floats4", "float", "4"), EXT("ints4", "int", "4"),
    EXT("doubles4", "double", "4"),
    {"bytes_mma", "ints4",
     "/* Four bytes of a lane are the first of two words, or a word: as the compiler has it. */\n"
     "template <class T> using two = T __attribute__((ext_vector_type(2)));\n"
     "template <class T>\n% auto bytes_mma(T a, T b, ints4 c, int)\n"
     "    -> decltype(__builtin_mxc_mma_16x16x16i8(two<T>{a, 0}, two<T>{b, 0}, c))\n"
     "{\n    return __builtin_mxc_mma_16x16x16i8(two<T>{a, 0}, two<T>{b, 0}, c);\n}\n"
     "template <class T>\n% ints4 bytes_mma(T a, T b, ints4 c, long)\n{\n"
     "    return __builtin_mxc_mma_16x16x16i8(a, b, c);\n}\n"},
    {NULL, NULL, NULL},
};

static const char *mma_renamed(Ctx *c, const char *name, char from, char to)
{
    char *s = astr(c, name, strlen(name));
    for (char *k = s; *k; k++)
        if (*k == from)
            *k = to;
    return s;
}

static const char *maca_mma_type(Emit *e, const char *name)
{
    return strpbrk(name, "248") ? emit_need(e, name) : name;
}

static const char *maca_mma_function(Emit *e, const char *name, const MacaMmaUnit *u)
{
    const char *ab = maca_mma_type(e, u->ab), *c = maca_mma_type(e, u->c);
    const char *call = u->made ? afmt(&e->p->ctx, "%s(y, x, z, 0)", emit_need(e, u->made))
                               : afmt(&e->p->ctx, "__builtin_mxc_mma_%s(y, x, z)", u->builtin);
    return afmt(&e->p->ctx,
                "%s void %s(void *c, const void *a, const void *b)\n"
                "{\n"
                "    %s x, y;\n"
                "    %s z;\n"
                "    __builtin_memcpy(&x, a, sizeof x);\n"
                "    __builtin_memcpy(&y, b, sizeof y);\n"
                "    __builtin_memcpy(&z, c, sizeof z);\n"
                "    z = %s;\n"
                "    __builtin_memcpy(c, &z, sizeof z);\n"
                "}\n",
                e->d->device_fn, name, ab, c, call);
}

const char *maca_mma_helper(Emit *e, const char *name)
{
    const char *t = emit_find(e, vectors, name), *mma = mma_renamed(&e->p->ctx, name, '_', '.');
    for (size_t i = 0; i < COUNT(units) && !t; i++)
        if (strcmp(units[i].name, mma) == 0)
            t = maca_mma_function(e, name, &units[i]);
    return t;
}

void maca_mma(Emit *e, const Stmt *s)
{
    const Region *r = s->op.r;
    emit_line(e, "%s(%s, %s, %s);",
              emit_need(e, mma_renamed(&e->p->ctx, s->op.text, '.', '_')), emit_regs(e, &r[2]),
              emit_regs(e, &r[0]), emit_regs(e, &r[1]));
}
