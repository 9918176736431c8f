/* core/emit/types.c: floats of 16 and 8 bits, and conversions that need no
 * instruction: the formulas of the cpu target, the bits of a float moved.
 *
 * Conversions round to nearest, ties to even.  Those to float8_e4m3, which has no infinity,
 * and float8_e5m2 saturate, at 448 and 57344, as CUDA's instructions do and TileLang's
 * kernels on all cards.  How float16 is converted is a dialect's part. */
#include "emit_p.h"

static const EmitText types[] = {
    {"f16", "", "struct f16 { unsigned short x; };\n"},
    {"bf16", "", "struct bf16 { unsigned short x; };\n"},
    {"e4m3", "", "struct e4m3 { unsigned char x; };\n"},
    {"e5m2", "", "struct e5m2 { unsigned char x; };\n"},

    {"f16x2", "f16_rn",
     "% unsigned f16x2(float a, float b)\n{\n"
     "    return f16_rn(a).x | (unsigned)f16_rn(b).x << 16;\n}\n"},

    {"bf16_rn", "bf16",
     "% bf16 bf16_rn(float x)\n{\n"
     "    unsigned u = __float_as_uint(x), r = (u + 0x7fff + (u >> 16 & 1)) >> 16;\n"
     "    return bf16{(unsigned short)((u & 0x7fffffff) > 0x7f800000 ? u >> 16 | 0x40 : r)};\n}\n"},
    {"bf16x2", "bf16_rn",
     "% unsigned bf16x2(float a, float b)\n{\n"
     "    return bf16_rn(a).x | (unsigned)bf16_rn(b).x << 16;\n}\n"},
    {"f32_bf16", "bf16",
     "% float f32(bf16 h) { return __uint_as_float((unsigned)h.x << 16); }\n"},

    {"tf32_rn", "",
     "% float tf32_rn(float x)\n{\n"
     "    unsigned u = __float_as_uint(x), r = (u + 0xfff + (u >> 13 & 1)) & ~0x1fffu;\n"
     "    return __uint_as_float((u & 0x7fffffff) > 0x7f800000 ? u : r);\n}\n"},

    {"e4m3x2", "e4m3_rn",
     "% unsigned short e4m3x2(float a, float b)\n{\n"
     "    return (unsigned short)(e4m3_rn(a).x | e4m3_rn(b).x << 8);\n}\n"},
    {"e4m3_rn", "e4m3",
     "% e4m3 e4m3_rn(float x)\n{\n"
     "    unsigned u = __float_as_uint(x), a = u & 0x7fffffff;\n"
     "    unsigned c = a < 0x43e00000 ? a : 0x43e00000;\n"
     "    unsigned normal = (c + 0x7ffff + (c >> 20 & 1) - 0x3c000000) >> 20;\n"
     "    unsigned tiny = __float_as_uint(__uint_as_float(c) + 16384.0f) - 0x46800000;\n"
     "    unsigned h = c < 0x3c800000 ? tiny : normal;\n"
     "    h = a > 0x7f800000 ? 0x7f : h;\n"
     "    return e4m3{(unsigned char)(h | (u >> 24 & 0x80))};\n}\n"},
    {"f32_e4m3", "e4m3",
     "% float f32(e4m3 h)\n{\n"
     "    unsigned a = (unsigned)(h.x & 0x7f) << 20, s = (unsigned)(h.x & 0x80) << 24;\n"
     "    unsigned u = __float_as_uint(__uint_as_float(a) * 0x1p120f);\n"
     "    return __uint_as_float((a == 0x07f00000 ? 0x7fc00000 : u) | s);\n}\n"},

    {"e5m2x2", "e5m2_rn",
     "% unsigned short e5m2x2(float a, float b)\n{\n"
     "    return (unsigned short)(e5m2_rn(a).x | e5m2_rn(b).x << 8);\n}\n"},
    {"e5m2_rn", "e5m2",
     "% e5m2 e5m2_rn(float x)\n{\n"
     "    unsigned u = __float_as_uint(x), a = u & 0x7fffffff;\n"
     "    unsigned normal = (a + 0xfffff + (a >> 21 & 1) - 0x38000000) >> 21;\n"
     "    unsigned tiny = __float_as_uint(__uint_as_float(a) + 128.0f) - 0x43000000;\n"
     "    unsigned h = a < 0x38800000 ? tiny : normal;\n"
     "    h = a >= 0x47700000 ? 0x7b : h;\n"
     "    h = a > 0x7f800000 ? 0x7f : h;\n"
     "    return e5m2{(unsigned char)(h | (u >> 24 & 0x80))};\n}\n"},
    {"f32_e5m2", "e5m2 f32_f16",
     "% float f32(e5m2 h) { return f32(f16{(unsigned short)(h.x << 8)}); }\n"},
    {NULL, NULL, NULL},
};

const char *emit_type(Emit *e, enum Dtype dt)
{
    static const char *const name[NDtype] = {
        [DTbool] = "unsigned char", [DTi4] = "signed char", [DTi8] = "signed char",
        [DTi16] = "short", [DTi32] = "int", [DTi64] = "long long",
        [DTu4] = "unsigned char", [DTu8] = "unsigned char", [DTu16] = "unsigned short",
        [DTu32] = "unsigned", [DTu64] = "unsigned long long",
        [DTf32] = "float", [DTtf32] = "float", [DTf64] = "double",
        [DTf16] = "f16", [DTbf16] = "bf16", [DTe4m3] = "e4m3", [DTe5m2] = "e5m2"};
    bool own = dt == DTf16 || dt == DTbf16 || dt == DTe4m3 || dt == DTe5m2;
    return own ? emit_need(e, name[dt]) : name[dt];
}

const char *emit_narrow(Emit *e, enum Dtype to, enum Dtype from, const char *x)
{
    static const char *const narrow[NDtype] = {
        [DTf16] = "f16_rn", [DTbf16] = "bf16_rn", [DTe4m3] = "e4m3_rn", [DTe5m2] = "e5m2_rn",
        [DTtf32] = "tf32_rn"};
    static const char *const wide[NDtype] = {
        [DTf16] = "f32_f16", [DTbf16] = "f32_bf16", [DTe4m3] = "f32_e4m3", [DTe5m2] = "f32_e5m2"};
    Ctx *c = &e->p->ctx;
    if (to == DTf32 && wide[from]) { /* one name for all: f32(x) */
        emit_need(e, wide[from]);
        return afmt(c, "f32(%s)", x);
    }
    return from == DTf32 && narrow[to] ? afmt(c, "%s(%s)", emit_need(e, narrow[to]), x) : NULL;
}

const char *emit_types(Emit *e, const char *name) { return emit_find(e, types, name); }
