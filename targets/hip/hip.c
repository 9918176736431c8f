/* targets/hip/hip.c: the hip target: HIP C++, compiled by hiprtc, run by an AMD GPU. */
#include "../wave/target.h"
#include "hip.h"

bool hip_print(const Plan *q, const WaveOptions *o, Str *out)
{
    return emit_program(q, &hip_dialect, o->fast_math, out);
}

WAVE_TARGET(hip, "an AMD GPU, through HIP and hiprtc");
