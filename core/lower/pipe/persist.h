/* core/lower/pipe/persist.h: blocks and tiles: persist.c, raster.c. */
#ifndef MOONTILE_PERSIST_H
#define MOONTILE_PERSIST_H

#include "pipeline.h"

/* resident.c: Stmt.launch.blocks, where the steps of products are too short for one block to keep a
 * multiprocessor busy, if each needs so many bytes of shared memory; and what each may take of it then. */
void low_resident(Low *l, int64_t shared);
int64_t resident_shared(const Low *l);
/* The most bytes of shared memory with which as many blocks fit side by side as with `shared`; it is
 * `shared` where the machine's registers are not known. */
int64_t resident_most(const Low *l, int64_t shared);
/* Can n blocks with a producer each have so many?  With roles[0] of a producer's thread, roles[1] of a
 * consumer's; 0, 0: with those of the launch. */
bool resident_share(const Low *l, int n, int roles[2]);
/* Have n blocks as many as the user says of the roles?  false: *why, in numbers. */
bool resident_said(const Low *l, int n, int roles[2], const char **why);

/* Where the launch is a product: as many blocks as the card has multiprocessors,
 * each with a loop over tiles; pairs of blocks as clusters. */
void low_persist(Low *l);

/* Lets, put into the list that is open, of block variables a and 1 - a at number
 * `at` of a walk in panels of n indices of 1 - a, along a; every other panel goes
 * backwards, so that neighbours in time share tiles in the cache.  map[] of both
 * block variables is set. */
void raster_panels(Low *l, Ex at, int a, int64_t n, Ex *map);
/* T.use_swizzle: which block variable is walked within a panel. */
int raster_along(const Stmt *launch);
/* T.use_swizzle of a launch whose blocks are what the user wrote. */
void raster_user(Low *l);

#endif
