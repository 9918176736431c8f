/* core/lower/build/reduce.h: how values combine in reductions and scans. */
#ifndef MOONTILE_REDUCE_H
#define MOONTILE_REDUCE_H

#include "low.h"

/* ORDER of the attributes in ops.h */
enum RedAttr { REkind, REdim, REclear, REbatch, REnan };
enum ScanAttr { SNkind, SNdim, SNreverse };

/* The type in which values of type src are combined for a destination: float32
 * (float64 if either is), integers at least int32; rounded once at the end. */
enum Dtype red_type(enum Dtype src, enum Dtype dst);
Ex red_identity(Prog *p, int kind, enum Dtype dt); /* changes nothing */
/* NaN loses against a number in max and min unless nan is set. */
Ex red_combine(Prog *p, int kind, bool nan, Ex a, Ex b);
/* A source element as it enters the reduction: its magnitude for abs kinds. */
Ex red_element(Prog *p, int kind, enum Dtype dt, Ex e);

/* A shuffle within groups of `width` lanes by all lanes of the warp. */
Ex low_shuffle(Low *l, enum Intr fn, Ex value, Ex lane, int width);

#endif
