/* targets/hip/mfma.c: matrix instructions of a wave: MFMA (CDNA), WMMA (RDNA3).
 *
 * A function mfma_16x16x16_f32_f16 adds the product of this wave's registers of A and B
 * to those of C.  Where Mma.transposed, the instruction gets B and A in that order: it
 * computes the transpose, whose rows are C's columns.
 *
 * gfx942 multiplies 8-bit floats of another encoding (FNUZ): the same bits are half as
 * large, -0 is its only NaN, and there is no infinity.  Bits that mean something else are
 * replaced, and the sum is kept in quarters; infinities of float8_e5m2 become NaN.  gfx950
 * has the encodings of the program. */
#include "hip.h"

#include <string.h>

/* ab, c: types of a lane's registers of an operand; before, between, behind: what the
 * built-in takes beside them. */
typedef struct MfmaUnit MfmaUnit;
struct MfmaUnit {
    const char *name, *builtin, *ab, *c;
    const char *before, *between, *behind;
};

#define MFMA(name, fn, ab, c) {"mfma." name, "mfma_" fn, ab, c, "", "", ", 0, 0, 0"}
#define WMMA(name, fn, ab, c, sa, sb, end) {"wmma." name, "wmma_" fn, ab, c, sa, sb, end}

static const MfmaUnit units[] = {
    MFMA("16x16x16.f32.f16", "f32_16x16x16f16", "halfs4", "floats4"),
    MFMA("16x16x16.f32.bf16", "f32_16x16x16bf16_1k", "shorts4", "floats4"),
    MFMA("32x32x8.f32.f16", "f32_32x32x8f16", "halfs4", "floats16"),
    MFMA("32x32x8.f32.bf16", "f32_32x32x8bf16_1k", "shorts4", "floats16"),
    MFMA("16x16x4.f32.f32", "f32_16x16x4f32", "float", "floats4"),
    MFMA("16x16x4.f64.f64", "f64_16x16x4f64", "double", "doubles4"),
    MFMA("16x16x16.s32.s8", "i32_16x16x16i8", "int", "ints4"),
    MFMA("16x16x32.s32.s8", "i32_16x16x32_i8", "long", "ints4"),
    MFMA("16x16x32.f32.e4m3", "f32_16x16x32_fp8_fp8", "long", "floats4"),
    MFMA("16x16x32.f32.e5m2", "f32_16x16x32_bf8_bf8", "long", "floats4"),
    MFMA("16x16x32.f32.e4m3.e5m2", "f32_16x16x32_bf8_fp8", "long", "floats4"), /* B, A */
    MFMA("16x16x32.f32.e5m2.e4m3", "f32_16x16x32_fp8_bf8", "long", "floats4"),
    WMMA("16x16x16.f32.f16", "f32_16x16x16_f16_w32", "halfs16", "floats8", "", "", ""),
    WMMA("16x16x16.f32.bf16", "f32_16x16x16_bf16_w32", "shorts16", "floats8", "", "", ""),
    WMMA("16x16x16.s32.s8", "i32_16x16x16_iu8_w32", "ints4", "ints8", "true, ", "true, ",
         ", false"),
    WMMA("16x16x16.s32.u8", "i32_16x16x16_iu8_w32", "ints4", "ints8", "false, ", "false, ",
         ", false"),
    WMMA("16x16x16.s32.s8.u8", "i32_16x16x16_iu8_w32", "ints4", "ints8", "true, ", "false, ",
         ", false"),
    WMMA("16x16x16.s32.u8.s8", "i32_16x16x16_iu8_w32", "ints4", "ints8", "false, ", "true, ",
         ", false"),
};

#define EXT(name, mfma_type, n) \
    {name, "", "typedef " mfma_type " __attribute__((ext_vector_type(" n "))) " name ";\n"}
/* n: where the magnitude plus this reaches bit 7, it is no finite number. */
#define FNUZ(name, n, about) \
    {name, "", \
     "/* " about " in the encoding of the matrix unit, half as large. */\n" \
     "% unsigned " name "(unsigned v)\n{\n" \
     "    unsigned size = v & 0x7f7f7f7f, some = (size + 0x7f7f7f7f) & 0x80808080;\n" \
     "    unsigned none = (size + " n ") & 0x80808080;\n" \
     "    return (size & ~((none >> 7) * 0x7f)) | (v & some) | none;\n}\n" \
     "% long " name "(long v)\n{\n" \
     "    unsigned lo = " name "((unsigned)v), hi = " name "((unsigned)(v >> 32));\n" \
     "    return (long)(lo | (unsigned long)hi << 32);\n}\n"}

static const EmitText texts[] = {
    EXT("halfs4", "_Float16", "4"), EXT("halfs16", "_Float16", "16"),
    EXT("shorts4", "short", "4"), EXT("shorts16", "short", "16"),
    EXT("ints4", "int", "4"), EXT("ints8", "int", "8"),
    EXT("floats4", "float", "4"), EXT("floats8", "float", "8"),
    EXT("floats16", "float", "16"), EXT("doubles4", "double", "4"),
    FNUZ("fnuz_e4m3", "0x01010101", "Four numbers"),
    FNUZ("fnuz_e5m2", "0x04040404", "Four numbers"),
    {NULL, NULL, NULL},
};

/* "mfma.16x16x16.f32.f16" <-> "mfma_16x16x16_f32_f16" */
static const char *mfma_renamed(Ctx *c, const char *name, char from, char to)
{
    char *s = astr(c, name, strlen(name));
    for (char *k = s; *k; k++)
        if (*k == from)
            *k = to;
    return s;
}

static const MfmaUnit *mfma_unit_of(const char *name)
{
    for (size_t i = 0; i < COUNT(units); i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

/* A vector's name ends with its elements: it is defined by a helper. */
static const char *mfma_type(Emit *e, const char *name)
{
    return strpbrk(name, "468") ? emit_need(e, name) : name;
}

/* Conversions of 8-bit floats, and the scale of the sum. */
static const char *fnuz(Emit *e, const Mma *i, const char **back)
{
    Ctx *c = &e->p->ctx;
    static const char *const fn[NDtype] = {[DTe4m3] = "fnuz_e4m3", [DTe5m2] = "fnuz_e5m2"};
    *back = "";
    if (!fn[i->a])
        return "";
    const char *a = emit_need(e, fn[i->a]), *b = emit_need(e, fn[i->b]);
    *back = "#ifndef __gfx950__\n    z *= 4.0f;\n#endif\n";
    return afmt(c, "#ifndef __gfx950__\n"
                   "    x = %s(x), y = %s(y), z *= 0.25f;\n"
                   "#endif\n", a, b);
}

static const char *mfma_function(Emit *e, const char *name, const Mma *i, const MfmaUnit *u)
{
    Ctx *c = &e->p->ctx;
    const char *ab = mfma_type(e, u->ab), *ct = mfma_type(e, u->c), *back,
               *there = fnuz(e, i, &back);
    const char *one = i->transposed ? "y" : "x", *two = i->transposed ? "x" : "y";
    return afmt(c,
                "static __device__ __forceinline__ void %s(void *c, const void *a, const void *b)\n"
                "{\n"
                "    %s x, y;\n"
                "    %s z;\n"
                "    __builtin_memcpy(&x, a, sizeof x);\n"
                "    __builtin_memcpy(&y, b, sizeof y);\n"
                "    __builtin_memcpy(&z, c, sizeof z);\n"
                "%s"
                "    z = __builtin_amdgcn_%s(%s%s, %s%s, z%s);\n"
                "%s"
                "    __builtin_memcpy(c, &z, sizeof z);\n"
                "}\n",
                name, ab, ct, there, u->builtin, u->before, one, u->between, two, u->behind, back);
}

const char *hip_mfma_helper(Emit *e, const char *name)
{
    const char *t = emit_find(e, texts, name);
    if (t || (strncmp(name, "mfma_", 5) != 0 && strncmp(name, "wmma_", 5) != 0))
        return t;
    const char *mma = mfma_renamed(&e->p->ctx, name, '_', '.');
    const Mma *i = mma_find(mma);
    const MfmaUnit *u = mfma_unit_of(mma);
    return i && u ? mfma_function(e, name, i, u) : NULL;
}

void hip_mfma(Emit *e, const Stmt *s)
{
    const Region *r = s->op.r;
    emit_line(e, "%s(%s, %s, %s);",
              emit_need(e, mfma_renamed(&e->p->ctx, s->op.text, '.', '_')), emit_regs(e, &r[2]),
              emit_regs(e, &r[0]), emit_regs(e, &r[1]));
}
