/* core/ir/remap.h: tensors in global memory whose elements a layout moves (T.annotate_layout), while a
 * program is made.
 *
 * The tensor has a view in the shape of the layout's coordinates, and each access goes to the view:
 *
 *   T.Layout((64, 32), lambda i, j: [j, i])      t' = view of t (32, 64)
 *   t[a, b] = v                                   t'[b, a] = v
 *   copy t[a +: 16, b +: 8] -> f                  parallel i, j: f[i, j] = t'[b + j, a + i]
 *
 * The program that comes of it says all of this by itself: nothing behind its making knows of layouts
 * of tensors. */
#ifndef MOONTILE_REMAP_H
#define MOONTILE_REMAP_H

#include "ir.h"

/* From here on element (var[0], ..) of buf is element (at[0], ..) of a view of it, of n dimensions.  Reports
 * what comes too late, where the open launch has accessed buf, and coordinates that are not those of as many
 * elements.  Where each is its own index, buf is as it was without a layout. */
void remap_set(Prog *p, uint32_t buf, const uint32_t *var, const Ex *at, int n);

/* The element that idx, n indices, of buf means: *buf and *n become those of the view, the result its
 * indices; idx itself, where buf has no layout. */
const Ex *remap_element(Prog *p, uint32_t *buf, const Ex *idx, int *n);

/* Adds the statement that s_op() would, where no region has such a layout: true; else copies, fills and
 * atomics element by element, in a parallel loop.  Of another operation one element may be the view's. */
void remap_op(Prog *p, enum Op op, Region *r, Ex value, const int32_t *attr, const char *text);

#endif
