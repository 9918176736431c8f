/* targets/cuda/prelude_types.c: types of 16 and 8 bits and conversions.
 *
 * Conversions round to nearest, ties to even.  Machines without an instruction for
 * a type get the formulas of the cpu target: the bits of a float, moved.  float8_e4m3
 * saturates at 448 and has no infinity; float8_e5m2 overflows to infinity, which the
 * instruction does not do. */
#include "prelude.h"

#define CVT1(name, type, ptx) \
    FN type " " name "(float x)\n{\n    " type " r;\n" \
    "    asm(\"" ptx " %0, %1;\" : \"=h\"(r.x) : \"f\"(x));\n    return r;\n}\n"
#define CVT2(name, ptx) \
    "/* Two of them in a word, the first in the low half. */\n" \
    FN "unsigned " name "(float a, float b)\n{\n    unsigned r;\n" \
    "    asm(\"" ptx " %0, %1, %2;\" : \"=r\"(r) : \"f\"(b), \"f\"(a));\n    return r;\n}\n"
#define FP8(name, ptx) \
    FN "unsigned short " name "(float a, float b)\n{\n    unsigned short r;\n" \
    "    asm(\"" ptx " %0, %1, %2;\" : \"=h\"(r) : \"f\"(b), \"f\"(a));\n    return r;\n}\n"

const CudaText cuda_types[] = {
    {"f16", 0, "", "struct f16 { unsigned short x; };\n"},
    {"bf16", 0, "", "struct bf16 { unsigned short x; };\n"},
    {"e4m3", 0, "", "struct e4m3 { unsigned char x; };\n"},
    {"e5m2", 0, "", "struct e5m2 { unsigned char x; };\n"},

    {"f16_rn", 0, "f16", CVT1("f16_rn", "f16", "cvt.rn.f16.f32")},
    {"f16x2", 80, "", CVT2("f16x2", "cvt.rn.f16x2.f32")},
    {"f16x2", 0, "f16_rn",
     FN "unsigned f16x2(float a, float b)\n{\n"
     "    return f16_rn(a).x | (unsigned)f16_rn(b).x << 16;\n}\n"},
    {"f32_f16", 0, "f16",
     FN "float f32(f16 h)\n{\n    float r;\n"
     "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(r) : \"h\"(h.x));\n    return r;\n}\n"},

    {"bf16_rn", 80, "bf16", CVT1("bf16_rn", "bf16", "cvt.rn.bf16.f32")},
    {"bf16_rn", 0, "bf16",
     FN "bf16 bf16_rn(float x)\n{\n"
     "    unsigned u = __float_as_uint(x), r = (u + 0x7fff + (u >> 16 & 1)) >> 16;\n"
     "    return bf16{(unsigned short)((u & 0x7fffffff) > 0x7f800000 ? u >> 16 | 0x40 : r)};\n}\n"},
    {"bf16x2", 80, "", CVT2("bf16x2", "cvt.rn.bf16x2.f32")},
    {"bf16x2", 0, "bf16_rn",
     FN "unsigned bf16x2(float a, float b)\n{\n"
     "    return bf16_rn(a).x | (unsigned)bf16_rn(b).x << 16;\n}\n"},
    {"f32_bf16", 0, "bf16",
     FN "float f32(bf16 h) { return __uint_as_float((unsigned)h.x << 16); }\n"},

    {"tf32_rn", 0, "",
     FN "float tf32_rn(float x)\n{\n"
     "    unsigned u = __float_as_uint(x), r = (u + 0xfff + (u >> 13 & 1)) & ~0x1fffu;\n"
     "    return __uint_as_float((u & 0x7fffffff) > 0x7f800000 ? u : r);\n}\n"},

    {"e4m3x2", 89, "", FP8("e4m3x2", "cvt.rn.satfinite.e4m3x2.f32")},
    {"e4m3x2", 0, "e4m3_rn",
     FN "unsigned short e4m3x2(float a, float b)\n{\n"
     "    return (unsigned short)(e4m3_rn(a).x | e4m3_rn(b).x << 8);\n}\n"},
    {"e4m3_rn", 89, "e4m3 e4m3x2",
     FN "e4m3 e4m3_rn(float x) { return e4m3{(unsigned char)e4m3x2(x, 0.0f)}; }\n"},
    {"e4m3_rn", 0, "e4m3",
     FN "e4m3 e4m3_rn(float x)\n{\n"
     "    unsigned u = __float_as_uint(x), a = u & 0x7fffffff;\n"
     "    unsigned c = a < 0x43e00000 ? a : 0x43e00000;\n"
     "    unsigned normal = (c + 0x7ffff + (c >> 20 & 1) - 0x3c000000) >> 20;\n"
     "    unsigned tiny = __float_as_uint(__uint_as_float(c) + 16384.0f) - 0x46800000;\n"
     "    unsigned h = c < 0x3c800000 ? tiny : normal;\n"
     "    h = a > 0x7f800000 ? 0x7f : h;\n"
     "    return e4m3{(unsigned char)(h | (u >> 24 & 0x80))};\n}\n"},
    {"f32_e4m3", 89, "e4m3",
     FN "float f32(e4m3 h)\n{\n    unsigned pair;\n    float r;\n"
     "    asm(\"cvt.rn.f16x2.e4m3x2 %0, %1;\" : \"=r\"(pair) : \"h\"((unsigned short)h.x));\n"
     "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(r) : \"h\"((unsigned short)pair));\n"
     "    return r;\n}\n"},
    {"f32_e4m3", 0, "e4m3",
     FN "float f32(e4m3 h)\n{\n"
     "    unsigned a = (unsigned)(h.x & 0x7f) << 20, s = (unsigned)(h.x & 0x80) << 24;\n"
     "    unsigned u = __float_as_uint(__uint_as_float(a) * 0x1p120f);\n"
     "    return __uint_as_float((a == 0x07f00000 ? 0x7fc00000 : u) | s);\n}\n"},

    {"e5m2_rn", 0, "e5m2",
     FN "e5m2 e5m2_rn(float x)\n{\n"
     "    unsigned u = __float_as_uint(x), a = u & 0x7fffffff;\n"
     "    unsigned normal = (a + 0xfffff + (a >> 21 & 1) - 0x38000000) >> 21;\n"
     "    unsigned tiny = __float_as_uint(__uint_as_float(a) + 128.0f) - 0x43000000;\n"
     "    unsigned h = a < 0x38800000 ? tiny : normal;\n"
     "    h = a >= 0x47700000 ? 0x7c : h;\n"
     "    h = a > 0x7f800000 ? 0x7f : h;\n"
     "    return e5m2{(unsigned char)(h | (u >> 24 & 0x80))};\n}\n"},
    {"e5m2x2", 89, "",
     "/* The instruction stops at the largest number: beyond stands infinity. */\n"
     FN "unsigned short e5m2x2(float a, float b)\n{\n    unsigned short r;\n"
     "    asm(\"cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;\" : \"=h\"(r) : \"f\"(b), \"f\"(a));\n"
     "    r += fabsf(a) >= 61440.0f ? 0x0001 : 0;\n"
     "    return r + (fabsf(b) >= 61440.0f ? 0x0100 : 0);\n}\n"},
    {"e5m2x2", 0, "e5m2_rn",
     FN "unsigned short e5m2x2(float a, float b)\n{\n"
     "    return (unsigned short)(e5m2_rn(a).x | e5m2_rn(b).x << 8);\n}\n"},
    {"f32_e5m2", 0, "e5m2",
     FN "float f32(e5m2 h)\n{\n    float r;\n"
     "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(r) : \"h\"((unsigned short)(h.x << 8)));\n"
     "    return r;\n}\n"},
    {NULL, 0, NULL, NULL},
};
