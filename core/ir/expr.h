/* core/ir/expr.h: what the files on expressions share; everybody else uses ir.h. */
#ifndef MOONTILE_EXPR_H
#define MOONTILE_EXPR_H

#include "ir.h"
#include "core/tensor/tensor.h"

/* expr.c: a node, shared with its equals. */
Ex ex_mk(Prog *p, enum Xop op, enum Dtype dt, uint32_t sym, const Ex *arg, int n);
Ex ex_mk2(Prog *p, enum Xop op, enum Dtype dt, Ex a, Ex b);
void ex_limits(enum Dtype dt, int64_t *lo, int64_t *hi); /* values of an integer type */
int64_t ex_wrap(enum Dtype dt, int64_t v);               /* v as that type holds it */

/* expr_sum.c: canonical integer arithmetic; operands have type dt already. */
Ex ex_add(Prog *p, enum Dtype dt, Ex a, Ex b, int64_t kb); /* a + kb * b, kb 1 or -1 */
Ex ex_mul(Prog *p, enum Dtype dt, Ex a, Ex b);
Ex ex_divmod(Prog *p, enum Xop op, enum Dtype dt, Ex a, Ex b); /* Xfdiv, Xfmod */
int64_t ex_floordiv(int64_t a, int64_t b);
int64_t ex_floormod(int64_t a, int64_t b);

/* expr_ask.c: the operation of x with other operands, of symbol sym. */
Ex ex_remake(Prog *p, const Expr *x, uint32_t sym, const Ex *arg);
/* Of an ExFoldFn that gives expressions of p, those of k: e with its operands folded. */
struct ExFold;
Ex ex_refold(Prog *p, struct ExFold *k, Ex e);
/* e with `by` for variable v. */
Ex x_replace(Prog *p, Ex e, uint32_t v, Ex by);
/* ... with n variables at once, in time that does not depend on how many there are. */
typedef struct ExNew { uint32_t var; Ex to; } ExNew;
Ex x_replace_all(Prog *p, Ex e, const ExNew *list, int n);
/* a op b of integers of type dt, as the IR has it, wrapped to its type; false: no such
 * value, as 1 // 0, or op is no such operator. */
bool x_operate(enum Xop op, enum Dtype dt, int64_t a, int64_t b, int64_t *v);

static inline int64_t ex_wadd(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static inline int64_t ex_wsub(int64_t a, int64_t b) { return (int64_t)((uint64_t)a - (uint64_t)b); }
static inline int64_t ex_wmul(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

#endif
