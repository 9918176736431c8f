/* core/ir/origin.c: which of the user's lines each line of a printed text comes from.
 *
 * Printers note, as a line begins, where it stands in the text and which statement
 * it is of; a line behind the last note of a statement belongs to nobody. */
#include "ir.h"

void origin_add(Prog *p, size_t at, Loc l)
{
    agrow(&p->ctx, &p->origin, &p->caporigin, p->norigin + 1, sizeof *p->origin);
    p->origin[p->norigin++] = (Origin){at, l};
}

void origin_shift(Prog *p, uint32_t from, int64_t by)
{
    for (uint32_t i = from; i < p->norigin; i++)
        p->origin[i].at = (size_t)((int64_t)p->origin[i].at + by);
}
