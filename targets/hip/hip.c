/* targets/hip/hip.c: the hip target: HIP C++, compiled by hiprtc, run by an AMD GPU. */
#include "hip.h"

static const Machine *machine(Ctx *c, const char *options)
{
    return wave_machine(c, &wave_hip, options);
}

static bool emit(Prog *p, const char *options, Str *out)
{
    return wave_emit(p, &wave_hip, options, out);
}

static bool present(void) { return wave_present(&wave_hip); }

bool hip_print(const Plan *q, const WaveOptions *o, Str *out)
{
    return emit_program(q, &hip_dialect, o->fast_math, out);
}

const Target hip_target = {
    .name = "hip",
    .summary = "an AMD GPU, through HIP and hiprtc",
    .machine = machine,
    .emit = emit,
    .present = present,
    .build = artifact_store,
    .device = &wave_device_hip,
    .exam = &wave_exam_hip,
};
