/* tests/cpu/oracle.h: a tile program run slowly and obviously: element by
 * element, in float64 with a rounding at each store and operation, straight
 * from the IR.  It shares nothing with the code generator. */
#ifndef MOONTILE_TESTS_ORACLE_H
#define MOONTILE_TESTS_ORACLE_H

#include "core/ir/ir.h"

/* One argument: bytes of a tensor in its own type, or a number. */
typedef struct OracleArg OracleArg;
struct OracleArg { void *data; double f; int64_t i; };

/* args: parameters, then dimensions in the order of prog->var.  Returns NULL,
 * or what stopped the program: a failed assertion, an index out of a tile. */
const char *oracle_run(Prog *p, const OracleArg *arg);

/* The same for one launch, numbered from 0, and for so many statements and rounds of
 * loops: beyond them it returns oracle_long. */
const char *oracle_part(Prog *p, const OracleArg *arg, int launch, int64_t steps);
extern const char *const oracle_long;

#endif
