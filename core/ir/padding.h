/* core/ir/padding.h: what may hold what lies behind the end of a tensor.
 *
 * A ragged copy fills a tile up with zeros, and what is computed from those is not stored; so
 * what goes wrong with such an element is not the user's mistake.  Of every other tile each
 * element is one that the program means. */
#ifndef MOONTILE_PADDING_H
#define MOONTILE_PADDING_H

#include "ir.h"

typedef struct Padding Padding;
struct Padding {
    bool *buf; uint32_t nbuf; /* by root Buf; those that are made later may */
    bool *var; uint32_t nvar; /* by Var */
};

Padding padding_find(Prog *p);
/* Does e read one? */
bool padding_read(const Prog *p, const Padding *k, Ex e);

#endif
