/* core/lower/copy/epilogue.h: inside the epilogue: epilogue_plan.c, epilogue.c. */
#ifndef MOONTILE_EPILOGUE_H
#define MOONTILE_EPILOGUE_H

#include "core/lower/pipe/pipeline.h"

/* A box of the staging buffer: what one warp stores at once.  Rows of the
 * instructions' accumulators, and columns of one swizzle span. */
enum { BoxRows = 16, BoxSpan = 128 };

/* Statement s, which stores elements of a tile to a global buffer, or adds them to
 * what is there, as a region of that buffer: dimension row moves with the first
 * variable or extent, the last one with the second. */
typedef struct Tile Tile;
struct Tile {
    const Stmt *s;
    Region to;
    int row, col;          /* dimensions of to.buf */
    int64_t m, n;          /* their extents */
    Ex value;              /* of a parallel loop: what is stored; 0: a copy */
    int kind;              /* Rsum: added; Rnone: stored */
};
/* A parallel loop of two variables from 0 whose only statement stores (adds) one element
 * that moves with both; false: s is none. */
bool epilogue_parloop(Low *l, const Stmt *s, Tile *out);

#endif
