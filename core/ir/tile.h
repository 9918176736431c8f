/* core/ir/tile.h: inside the builder of operations: tile.c and tile_thread.c. */
#ifndef MOONTILE_TILE_H
#define MOONTILE_TILE_H

#include "ir.h"

/* tile.c */
int tile_rank(const Prog *p, const Region *r);
const char *tile_name(const Prog *p, const Region *r);
bool tile_matches(const Prog *p, const Region *a, const Region *b); /* extents, ones apart */
const char *tile_extents(Prog *p, const Region *r);                 /* "(16, 32)" */
void tile_scope(Prog *p, const char *what, const Region *r, bool ok, const char *wanted);

/* tile_thread.c: what the operations below level T, and the copies that the
 * user waits for, ask of their operands.  Makes *value an int32 or a bool.
 * Reports and unwinds. */
void check_thread_op(Prog *p, enum Op op, const Region *r, Ex *value, const int32_t *attr,
                     const char *text);

#endif
