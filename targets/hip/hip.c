/* targets/hip/hip.c: the hip target: HIP C++, compiled by hiprtc, run by an AMD GPU. */
#include "../gpu/target.h"
#include "hip.h"
#include "err/gpu.h"

GPU_DEVICE(hip, E_gpu_aborted);
GPU_EXAM(hip);
const Target hip_target = {
    GPU_TARGET(hip, "an AMD GPU, through HIP and hiprtc"), .rank = 2,
    .text.suffix = ".hip", .text.language = "HIP C++", .text.other = "gfx90a",
    .devprobe = &devprobe
};
