/* core/lower/flatten.h: inside of low_flatten. */
#ifndef MOONTILE_FLATTEN_H
#define MOONTILE_FLATTEN_H

#include "../walk.h"
#include "lower.h"

bool flat_private(const Prog *p, uint32_t buf); /* local or var */
/* Index of an element of a region: at[k] is added in the k-th dimension whose
 * extent is not 1. */
void flat_index(Low *l, const Region *r, const Ex *at, Ex *idx);
/* Copies of again in front of every continue of the loop whose body is at *at. */
void flat_before_continue(Low *l, Stmt **at, const Stmt *again);
/* flatten_own.c.  Of each private buffer: its value is the thread's own. */
bool *flat_own(Low *l);
/* Do the regions of operation s differ between threads?  *why: what does. */
bool flat_each(const Low *l, bool *varies, const Stmt *s, Ex *why);
void flat_views(Low *l);     /* flatten_view.c: other names of fragments */
void flat_fragments(Low *l); /* flatten_frag.c: elements of fragments outside of nests */
void flat_once(Low *l);      /* flatten_once.c: effects that the block has once */

#endif
