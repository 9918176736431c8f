/* core/ir/elements.h: how many elements shapes have. */
#ifndef MOONTILE_IR_ELEMENTS_H
#define MOONTILE_IR_ELEMENTS_H

#include "ir.h"

/* Whether na extents of elements of abits bits certainly are as many bits as nb of bbits,
 * whatever the values in them are.  False where that cannot be shown. */
bool shapes_same_bits(Prog *p, const Ex *a, int na, int64_t abits, const Ex *b, int nb,
                      int64_t bbits);

#endif
