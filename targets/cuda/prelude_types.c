/* targets/cuda/prelude_types.c: conversions of floats of 16 and 8 bits by instructions.
 *
 * Machines without one get what core/emit/types.c has for every dialect. */
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

/* Rounded to nearest, and not put together with another one: what float gives, rounded. */
#define NARROW_OP(op, type) \
    FN type " " op "_" type "(" type " a, " type " b)\n{\n    " type " r;\n" \
    "    asm(\"" op ".rn." type " %0, %1, %2;\" : \"=h\"(r.x) : \"h\"(a.x), \"h\"(b.x));\n" \
    "    return r;\n}\n"
#define NARROW_OP2(op, type) \
    FN "unsigned " op "_" type "x2(unsigned a, unsigned b)\n{\n    unsigned r;\n" \
    "    asm(\"" op ".rn." type "x2 %0, %1, %2;\" : \"=r\"(r) : \"r\"(a), \"r\"(b));\n" \
    "    return r;\n}\n"
#define NARROW_OPS(since, op, type) \
    {op "_" type, since, type, NARROW_OP(op, type)}, {op "_" type "x2", since, "", NARROW_OP2(op, type)}
#define BOTH(type) \
    {"both_" type, 0, type, \
     FN "unsigned both_" type "(" type " a, " type " b) { return a.x | (unsigned)b.x << 16; }\n"}

const CudaText cuda_types[] = {
    NARROW_OPS(0, "add", "f16"),
    NARROW_OPS(0, "sub", "f16"),
    NARROW_OPS(0, "mul", "f16"),
    NARROW_OPS(90, "add", "bf16"),
    NARROW_OPS(90, "sub", "bf16"),
    NARROW_OPS(90, "mul", "bf16"),
    BOTH("f16"),
    BOTH("bf16"),
    {"f16_rn", 0, "f16", CVT1("f16_rn", "f16", "cvt.rn.f16.f32")},
    {"f16x2", 80, "", CVT2("f16x2", "cvt.rn.f16x2.f32")},
    {"f32_f16", 0, "f16",
     FN "float f32(f16 h)\n{\n    float r;\n"
     "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(r) : \"h\"(h.x));\n    return r;\n}\n"},

    {"bf16_rn", 80, "bf16", CVT1("bf16_rn", "bf16", "cvt.rn.bf16.f32")},
    {"bf16x2", 80, "", CVT2("bf16x2", "cvt.rn.bf16x2.f32")},
    {"e4m3x2", 89, "", FP8("e4m3x2", "cvt.rn.satfinite.e4m3x2.f32")},
    {"e4m3_rn", 89, "e4m3 e4m3x2",
     FN "e4m3 e4m3_rn(float x) { return e4m3{(unsigned char)e4m3x2(x, 0.0f)}; }\n"},
    {"f32_e4m3", 89, "e4m3",
     FN "float f32(e4m3 h)\n{\n    unsigned pair;\n    float r;\n"
     "    asm(\"cvt.rn.f16x2.e4m3x2 %0, %1;\" : \"=r\"(pair) : \"h\"((unsigned short)h.x));\n"
     "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(r) : \"h\"((unsigned short)pair));\n"
     "    return r;\n}\n"},
    {"e5m2x2", 89, "", FP8("e5m2x2", "cvt.rn.satfinite.e5m2x2.f32")},
    {"e5m2_rn", 89, "e5m2 e5m2x2",
     FN "e5m2 e5m2_rn(float x) { return e5m2{(unsigned char)e5m2x2(x, 0.0f)}; }\n"},
    {"f32_e5m2", 0, "e5m2",
     FN "float f32(e5m2 h)\n{\n    float r;\n"
     "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(r) : \"h\"((unsigned short)(h.x << 8)));\n"
     "    return r;\n}\n"},
    {NULL, 0, NULL, NULL},
};
