/* targets/maca/mma.c: matrix instructions of a wave of 64 lanes.
 *
 * A function mxc_16x16x16_f32_f16 adds the product of this wave's registers of A and B to
 * those of C.  The instruction gets B and A in that order: it computes the transpose,
 * whose rows are C's columns.  Reference: vendor-targets.md 1.4. */
#include "maca.h"

#include <string.h>

/* ab, c: types of a lane's registers of an operand. */
typedef struct Unit Unit;
struct Unit { const char *name, *builtin, *ab, *c; };

static const Unit units[] = {
    {"mxc.16x16x16.f32.f16", "16x16x16f16", "halfs4", "floats4"},
    {"mxc.16x16x16.f32.bf16", "16x16x16bf16", "halfs4", "floats4"}, /* their bits */
    {"mxc.16x16x8.f32.tf32", "16x16x8tf32", "floats2", "floats4"},
    {"mxc.16x16x4.f32.f32", "16x16x4f32", "float", "floats4"},
    {"mxc.16x16x16.s32.s8", "16x16x16i8", "int", "ints4"},
    {"mxc.16x16x4.f64.f64", "16x16x4f64", "double", "doubles4"},
};

#define EXT(name, type, n) \
    {name, "", "typedef " type " __attribute__((ext_vector_type(" n "))) " name ";\n"}

static const EmitText vectors[] = {
    EXT("halfs4", "_Float16", "4"), EXT("floats2", "float", "2"),
    EXT("floats4", "float", "4"), EXT("ints4", "int", "4"),
    EXT("doubles4", "double", "4"), {NULL, NULL, NULL},
};

static const char *renamed(Ctx *c, const char *name, char from, char to)
{
    char *s = astr(c, name, strlen(name));
    for (char *k = s; *k; k++)
        if (*k == from)
            *k = to;
    return s;
}

static const char *type(Emit *e, const char *name)
{
    return strpbrk(name, "248") ? emit_need(e, name) : name;
}

static const char *function(Emit *e, const char *name, const Unit *u)
{
    const char *ab = type(e, u->ab), *c = type(e, u->c);
    return afmt(&e->p->ctx,
                "%s void %s(void *c, const void *a, const void *b)\n"
                "{\n"
                "    %s x, y;\n"
                "    %s z;\n"
                "    __builtin_memcpy(&x, a, sizeof x);\n"
                "    __builtin_memcpy(&y, b, sizeof y);\n"
                "    __builtin_memcpy(&z, c, sizeof z);\n"
                "    z = __builtin_mxc_mma_%s(y, x, z);\n"
                "    __builtin_memcpy(c, &z, sizeof z);\n"
                "}\n",
                e->d->device_fn, name, ab, c, u->builtin);
}

const char *maca_mma_helper(Emit *e, const char *name)
{
    const char *t = emit_find(e, vectors, name), *mma = renamed(&e->p->ctx, name, '_', '.');
    for (size_t i = 0; i < COUNT(units) && !t; i++)
        if (strcmp(units[i].name, mma) == 0)
            t = function(e, name, &units[i]);
    return t;
}

void maca_mma(Emit *e, const Stmt *s)
{
    const Region *r = s->op.r;
    emit_line(e, "%s(%s, %s, %s);",
              emit_need(e, renamed(&e->p->ctx, s->op.text, '.', '_')), emit_slots(e, &r[2]),
              emit_slots(e, &r[0]), emit_slots(e, &r[1]));
}
