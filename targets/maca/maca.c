/* targets/maca/maca.c: the maca target: MACA C++, compiled by mcrtc, run by a MetaX GPU. */
#include "../gpu/target.h"
#include "maca.h"
#include "err/gpu.h"

GPU_DEVICE(maca, E_gpu_aborted);
GPU_EXAM(maca);
const Target maca_target = {
    GPU_TARGET(maca, "a MetaX GPU, through MACA C++ and mcrtc"), .rank = 3,
    .text.suffix = ".maca", .text.language = "MACA C++", .text.other = "c550",
    .devprobe = &devprobe
};
