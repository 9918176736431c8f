/* targets/wave/probe_text.c: words that the kernels of probes are written in, for both
 * vendors.
 *
 * MT_TID, MT_BLOCK_X ..; MT_BARRIER(), MT_BALLOT(p), MT_SHUFFLE(v, lane); MT_LANES: of a
 * wave, as our machine has it; MT_WIDTH: as the compiler does. */
#include <string.h>

#include "../hip/hip.h"
#include "../maca/maca.h"
#include "probe.h"

static const char hip_words[] =
    "#define MT_TID ((int)__builtin_amdgcn_workitem_id_x())\n"
    "#define MT_BLOCK_X ((int)__builtin_amdgcn_workgroup_id_x())\n"
    "#define MT_BLOCK_Y ((int)__builtin_amdgcn_workgroup_id_y())\n"
    "#define MT_BLOCK_Z ((int)__builtin_amdgcn_workgroup_id_z())\n"
    "#define MT_WIDTH ((int)__builtin_amdgcn_wavefrontsize())\n"
    "#define MT_SHUFFLE(v, lane) __builtin_amdgcn_ds_bpermute((lane) * 4, v)\n"
    "static __device__ __forceinline__ void mt_barrier()\n{\n"
    "    __builtin_amdgcn_fence(__ATOMIC_RELEASE, \"workgroup\");\n"
    "    __builtin_amdgcn_s_barrier();\n"
    "    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"workgroup\");\n}\n"
    "#define MT_BARRIER() mt_barrier()\n";

static const char maca_words[] =
    "#define MT_TID ((int)threadIdx.x)\n"
    "#define MT_BLOCK_X ((int)blockIdx.x)\n"
    "#define MT_BLOCK_Y ((int)blockIdx.y)\n"
    "#define MT_BLOCK_Z ((int)blockIdx.z)\n"
    "#define MT_WIDTH ((int)warpSize)\n"
    "#define MT_SHUFFLE(v, lane) __shfl_sync(~0ul, v, lane, 64)\n"
    "#define MT_BALLOT(p) __ballot_sync(~0ul, p)\n"
    "#define MT_BARRIER() __syncthreads()\n";

void probe_words(const Wave *d, const char *text, Str *out)
{
    bool hip = strcmp(d->v->target, "hip") == 0;
    const Dialect *l = hip ? &hip_dialect : &maca_dialect;
    int lanes = d->opt.arch->m->warp;
    str_puts(out, l->head ? l->head : "");
    str_puts(out, hip ? hip_words : maca_words);
    str_fmt(out, "#define MT_LANES %d\n", lanes);
    if (hip)
        str_fmt(out, "#define MT_BALLOT(p) __builtin_amdgcn_ballot_w%d(p)\n", lanes);
    str_puts(out, text);
}
