/* core/lower/shared/shared.h: shared memory: where the elements of a buffer stand, and where
 * the buffers stand in the block's memory. */
#ifndef MOONTILE_SHARED_H
#define MOONTILE_SHARED_H

#include "core/lower/build/low.h"

/* Alignment in bytes of a shared buffer with this map. */
int64_t low_align(Low *l, uint32_t buf, const Layout *map);
/* Bytes of shared memory that the launch will need when each buffer stands in
 * memory stages[Buf] times, by the lifetimes of the program as it is. */
int64_t low_estimate(Low *l, const int *stages);

/* spread.c: m, the row-major layout of a tile of buf without its stages, for which nobody has a
 * wish: with an XOR where that halves the wavefronts of its accesses, at least. */
void low_spread(Low *l, uint32_t buf, Layout *m);

#endif
