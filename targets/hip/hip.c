/* targets/hip/hip.c: the hip target: HIP C++, compiled by hiprtc, run by an AMD GPU. */
#include "../gpu/target.h"
#include "hip.h"

bool hip_print(const Plan *q, const GpuOptions *o, Str *out)
{
    return emit_program(q, &hip_dialect, o->fast_math, out);
}

GPU_TARGET(hip, "an AMD GPU, through HIP and hiprtc");
