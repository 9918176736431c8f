/* targets/cuda/prelude_math.c: functions that are one instruction, votes, atomics of
 * narrow and of several floats. */
#include "prelude.h"

/* The old value of a sum in memory; noftz: subnormals stay. */
#define ATOMIC(type, ptx) \
    FN "float atomic_sum_" type "(" ptx " *p, float v)\n{\n" \
    "    " ptx " a = " ptx "_rn(v), was;\n" \
    "    asm volatile(\"atom.add.noftz." ptx " %0, [%1], %2;\"\n" \
    "        : \"=h\"(was.x) : \"l\"(p), \"h\"(a.x) : \"memory\");\n" \
    "    return f32(was);\n}\n"
#define ATOMIC2(type, ptx) \
    FN "void atomic_sum_" type "_x2(" ptx " *p, float a, float b)\n{\n" \
    "    asm volatile(\"red.global.add.noftz." ptx "x2 [%0], %1;\"\n" \
    "        :: \"l\"(p), \"r\"(" ptx "x2(a, b)) : \"memory\");\n}\n"
#define ATOMIC4(type, ptx) \
    FN "void atomic_sum_" type "_x4(" ptx " *p, float a, float b, float c, float d)\n{\n" \
    "    asm volatile(\"red.global.add.noftz.v2." ptx "x2 [%0], {%1, %2};\"\n" \
    "        :: \"l\"(p), \"r\"(" ptx "x2(a, b)), \"r\"(" ptx "x2(c, d)) : \"memory\");\n}\n"

const CudaText cuda_math[] = {
    {"exp2_approx", 0, "",
     "/* Within 2 units in the last place, subnormal results too. */\n"
     FN "float exp2_approx(float x)\n{\n    float r;\n"
     "    asm(\"ex2.approx.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n    return r;\n}\n"},
    {"exp2_ftz", 0, "",
     "/* Within 2 units in the last place; results below 2^-126 are 0. */\n"
     FN "float exp2_ftz(float x)\n{\n    float r;\n"
     "    asm(\"ex2.approx.ftz.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n    return r;\n}\n"},
    {"fast_rcp", 0, "",
     FN "float fast_rcp(float x)\n{\n    float r;\n"
     "    asm(\"rcp.approx.ftz.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n    return r;\n}\n"},
    {"tanh_approx", 75, "",
     FN "float tanh_approx(float x)\n{\n    float r;\n"
     "    asm(\"tanh.approx.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n    return r;\n}\n"},
    {"sqrt_approx", 0, "",
     FN "float sqrt_approx(float x)\n{\n    float r;\n"
     "    asm(\"sqrt.approx.ftz.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n    return r;\n}\n"},
    {"shared_address", 0, "",
     "/* Where p points in the window of shared memory, as instructions want it. */\n"
     FN "unsigned shared_address(const void *p)\n{\n"
     "    return (unsigned)__cvta_generic_to_shared(p);\n}\n"},
    {"joined", 0, "",
     "/* A condition that is cut short in front of a load, as one value: before anybody branches on\n"
     "   it, the lanes are together again.  Of branches out of its middle ptxas makes code that\n"
     "   keeps warps apart for good where there are more of them than barriers for lanes. */\n"
     FN "bool joined(bool c)\n{\n"
     "    int v = c;\n    asm volatile(\"\" : \"+r\"(v));\n    return v;\n}\n"},
    {"kept", 0, "",
     "/* What a signed shift or division begins with, where results have 8 bits: CUDA 13.0 computes\n"
     "   those in 8 bits, and loses the sign of one element in two of those that it loads together. */\n"
     FN "int kept(int v)\n{\n    asm(\"\" : \"+r\"(v));\n    return v;\n}\n"},
    {"assume", 0, "",
     "#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1102\n"
     "#define assume(c) __builtin_assume(c)\n#else\n#define assume(c)\n#endif\n"},
    {"load_stream", 0, "words4",
     "/* 16 bytes that are read once: they leave the first cache to others.  volatile: not in front of\n"
     "   the condition that says whether they may be read. */\n"
     "#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1104\n"
     "#define LOAD_STREAM \"ld.global.nc.L1::no_allocate.v4.u32\"\n#else\n"
     "#define LOAD_STREAM \"ld.global.nc.v4.u32\"\n#endif\n"
     FN "words4 load_stream(const void *p)\n{\n    words4 v;\n"
     "    asm volatile(LOAD_STREAM \" {%0, %1, %2, %3}, [%4];\"\n"
     "        : \"=r\"(v.x), \"=r\"(v.y), \"=r\"(v.z), \"=r\"(v.w) : \"l\"(p));\n"
     "    return v;\n}\n"},
    {"TensorMap", 0, "",
     "struct alignas(64) TensorMap { unsigned long long opaque[16]; };\n"},

    {"warp_uniform", 0, "",
     "/* v, which is the same in all lanes: now the compiler knows it, too. */\n"
     FN "int warp_uniform(int v) { return __shfl_sync(0xffffffffu, v, 0); }\n"},
    {"match_all", 0, "",
     "/* The mask, where all its lanes have the same v; else 0. */\n"
     "template <class T> " FN "unsigned match_all(unsigned mask, T v)\n{\n"
     "    int same;\n"
     "    return __match_all_sync(mask, v, &same);\n}\n"},
    {"elect", 0, "",
     "/* True in one thread of each `group` threads (0: of the block): the first lane that\n"
     " * is here of the group's first warp. */\n"
     FN "bool elect(int tid, int group)\n{\n"
     "    int warps = group / 32 > 0 ? group / 32 : 1;\n"
     "    bool first = group > 0 ? tid / 32 % warps == 0 : tid < 32;\n"
     "    return first && tid % 32 == __ffs(__activemask()) - 1;\n}\n"},

    {"atomic_sum_float16", 70, "f16 f16_rn f32_f16", ATOMIC("float16", "f16")},
    {"atomic_sum_bfloat16", 90, "bf16 bf16_rn f32_bf16", ATOMIC("bfloat16", "bf16")},
    {"atomic_sum_float16_x2", 60, "f16 f16x2", ATOMIC2("float16", "f16")},
    {"atomic_sum_bfloat16_x2", 90, "bf16 bf16x2", ATOMIC2("bfloat16", "bf16")},
    {"atomic_sum_float16_x4", 90, "f16 f16x2", ATOMIC4("float16", "f16")},
    {"atomic_sum_bfloat16_x4", 90, "bf16 bf16x2", ATOMIC4("bfloat16", "bf16")},
    {"atomic_sum_float32_x2", 90, "",
     FN "void atomic_sum_float32_x2(float *p, float a, float b)\n{\n"
     "    asm volatile(\"red.global.add.v2.f32 [%0], {%1, %2};\"\n"
     "        :: \"l\"(p), \"f\"(a), \"f\"(b) : \"memory\");\n}\n"},
    {"atomic_sum_float32_x4", 90, "",
     FN "void atomic_sum_float32_x4(float *p, float a, float b, float c, float d)\n{\n"
     "    asm volatile(\"red.global.add.v4.f32 [%0], {%1, %2, %3, %4};\"\n"
     "        :: \"l\"(p), \"f\"(a), \"f\"(b), \"f\"(c), \"f\"(d) : \"memory\");\n}\n"},
    {NULL, 0, NULL, NULL},
};
