/* targets/maca/maca.h: the maca target: MACA C++ for MetaX' C500.
 *
 *   machines.c  the machine as data      dialect.c  printed text: names, functions
 *   maca.c      struct Target            prelude.c  helpers of the text
 *   mma.c       matrix instructions      copy.c     copies that nobody waits for
 *   vendor.c    the run-time as data
 *
 * The text is CUDA-like C++ without includes.  What clang has a built-in for is one, what
 * MetaX' compiler is known to have is called by its name; narrow floats are converted by
 * moving bits.  The run-time is targets/gpu. */
#ifndef MOONTILE_MACA_H
#define MOONTILE_MACA_H

#include "core/emit/emit.h"
#include "../gpu/device.h"

extern const Target maca_target;
extern const Device maca_device;
extern const GpuVendor maca_vendor;                      /* vendor.c */
extern const Dialect maca_dialect;

const char *maca_helper(Emit *e, const char *name);      /* prelude.c: Dialect.helper */
const char *maca_mma_helper(Emit *e, const char *name);  /* mma.c: NULL: none of its */
const char *maca_copy_helper(Emit *e, const char *name); /* copy.c: the same */
void maca_mma(Emit *e, const Stmt *s);                   /* prints an Omma */
void maca_copy(Emit *e, const Stmt *s);                  /* prints an Ocp_async, _commit, _wait */

#endif
