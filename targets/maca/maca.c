/* targets/maca/maca.c: the maca target: MACA C++, compiled by mcrtc, run by a MetaX GPU. */
#include "maca.h"

static const Machine *machine(Ctx *c, const char *options)
{
    return wave_machine(c, &wave_maca, options);
}

static bool emit(Prog *p, const char *options, Str *out)
{
    return wave_emit(p, &wave_maca, options, out);
}

static bool present(void) { return wave_present(&wave_maca); }

bool maca_print(const Plan *q, const WaveOptions *o, Str *out)
{
    return emit_program(q, &maca_dialect, o->fast_math, out);
}

const Target maca_target = {
    .name = "maca",
    .summary = "a MetaX GPU, through MACA C++ and mcrtc",
    .machine = machine,
    .emit = emit,
    .present = present,
    .build = artifact_store,
    .device = &wave_device_maca,
    .exam = &wave_exam_maca,
};
