/* targets/hip/hip.h: the hip target: HIP C++ for AMD's chips.
 *
 *   machines.c  the machines as data     dialect.c  printed text: names, functions
 *   hip.c       struct Target            prelude.c  helpers of the text
 *   mfma.c      matrix instructions  vendor.c    the run-time as data
 *
 * The text includes nothing and is the same for hiprtc, which has HIP's headers inside,
 * and for plain clang: words of HIP are defined where they are not, everything else is a
 * built-in of clang or a function of AMD's device library (__ocml_*), which both link.
 *
 * Compiled for gfx90a, gfx942 and gfx1100, run by stand-ins, not yet by a card.  What only
 * a card can prove: that a block goes on when one of its waves has ended (prelude.c: stop),
 * the barrier of RDNA without waits for global memory (barrier), the lane maps (doctor
 * compares them; -mma=off), and that Hygon's compiler takes the same built-ins.
 * The run-time is targets/gpu. */
#ifndef MOONTILE_HIP_H
#define MOONTILE_HIP_H

#include "core/emit/emit.h"
#include "../gpu/device.h"

extern const Target hip_target;
extern const Device hip_device;
extern const GpuVendor hip_vendor;                      /* vendor.c */
extern const Dialect hip_dialect;

const char *hip_helper(Emit *e, const char *name);      /* prelude.c: Dialect.helper */
const char *hip_mfma_helper(Emit *e, const char *name); /* mfma.c: NULL: none of its */
void hip_mfma(Emit *e, const Stmt *s);                  /* prints an Omma */

#endif
