/* targets/maca/maca.c: the maca target: MACA C++, compiled by mcrtc, run by a MetaX GPU. */
#include "../gpu/target.h"
#include "maca.h"

bool maca_print(const Plan *q, const GpuOptions *o, Str *out)
{
    return emit_program(q, &maca_dialect, o->fast_math, out);
}

GPU_TARGET(maca, "a MetaX GPU, through MACA C++ and mcrtc");
