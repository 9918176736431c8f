/* core/ir/reduce.h: how values combine: in reductions, scans, atomics, conversions.
 * The kinds are the rows RED of ops.h; nobody else lists them. */
#ifndef MOONTILE_REDUCE_H
#define MOONTILE_REDUCE_H

#include "ir.h"

/* ORDER of the attributes in ops.h */
enum RedAttr { REkind, REdim, REclear, REbatch, REnan };
enum ScanAttr { SNkind, SNdim, SNreverse };

/* The kind of that name, Rnone if there is none. */
enum Red red_named(const char *name);
/* Their names with `between` in between, in c; updates: those that memory has. */
const char *red_names(Ctx *c, bool updates, const char *between);

/* The type in which values of type src are combined for a destination: float32
 * (float64 if either is), rounded once at the end; for an integer one at least int32. */
enum Dtype red_type(enum Dtype src, enum Dtype dst);
Ex red_identity(Prog *p, int kind, enum Dtype dt); /* changes nothing */
/* NaN loses against a number in max and min unless nan is set. */
Ex red_combine(Prog *p, int kind, bool nan, Ex a, Ex b);
/* A source element as it enters the reduction: as the destination's integer type has it (int8
 * of 200 is -56, and no greatest), its magnitude for abs kinds. */
Ex red_element(Prog *p, int kind, enum Dtype dt, enum Dtype dst, Ex e);
/* What memory has after an atomic of that kind: ATload and ATstore too. */
Ex red_update(Prog *p, int kind, Ex was, Ex v);

#endif
