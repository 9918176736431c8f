/* targets/cuda/cuda.c: the cuda target: CUDA C++ for NVRTC, run by an NVIDIA GPU. */
#include "cuda.h"
#include "../gpu/target.h"

GPU_DEVICE(cuda, E_none);
const Target cuda_target = {
    GPU_TARGET(cuda, "an NVIDIA GPU, through CUDA C++ and NVRTC"), .rank = 4,
    .text.suffix = ".cu", .text.language = "CUDA C++", .text.other = "sm_80",
    .bundle = cuda_bundle
};
