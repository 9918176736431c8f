/* targets/cpu/masked.c: loops that load under a condition.
 *
 *     for (int i = 0; i < 64; i++)                       lo = all lanes of B[4 i .. 4 i + 3] whose
 *         for (int j = 0; j < 4; j++)                         A is positive: a load with a mask,
 *             O[4 * i + j] = A[4 * i + j] > 0                 several of them where A is narrower
 *                                ? B[4 * i + j] : 0;          than B
 *
 * Such loads gcc makes vectors of, with masks.  Where a round of the loop has several beside each
 * other, of a loop inside that it unrolls or as they stand, it takes them as a group; all vectors
 * of a group then get the mask of the first, and what is read in another order than that of
 * memory stays in the order of memory (PR 114375).  12.2 does both, silently; that of 2024 still
 * has the first.  A group needs a loop in which the place moves by more than one element a round:
 * an empty asm keeps it from becoming vectors, and loops inside of it still do. */
#include <string.h>

#include "emit.h"

Masks masks_open(const Gen *g) { return (Masks){g->nmasked, g->under}; }

void masks_note(Gen *g, uint32_t buf, const Ex *idx)
{
    if (!g->under)
        return;
    agrow(g->c, &g->masked, &g->capmasked, g->nmasked + 1, sizeof *g->masked);
    Masked *m = &g->masked[g->nmasked++];
    *m = (Masked){.buf = buf, .under = g->under};
    memcpy(m->idx, idx, g->p->buf[buf].ndim * sizeof *idx);
}

/* What a loop may change without being named in it. */
static bool is_hidden(void *ud, Ex e)
{
    const Gen *g = ud;
    const Expr *x = ex_at(g->p, e);
    return x->op == Xload || (x->op == Xvar && g->p->var[x->sym].kind == Vlet);
}

/* Can what m loads be beside what is loaded elsewhere in a round of the loop over var? */
static bool beside_others(Gen *g, const Masked *m, uint32_t var, int64_t step)
{
    int64_t stride;
    for (int d = 0; d < g->p->buf[m->buf].ndim; d++)
        if (ex_any(g->p, m->idx[d], is_hidden, g))
            return true;
    if (!access_stride(g, m->buf, m->idx, var, &stride))
        return true;
    return stride != 0 && (step != 1 || stride < -1 || stride > 1);
}

void masks_close(Gen *g, Masks at, uint32_t var, int64_t step, int64_t rounds)
{
    const int64_t most = 16; /* rounds that gcc puts behind each other, if nobody asks it to */
    uint32_t i = at.n;
    while (i < g->nmasked && (g->masked[i].under <= at.under || !beside_others(g, &g->masked[i], var, step)))
        i++;
    if (i < g->nmasked)
        line(g, "%s();", use(g, "no_vectors"));
    if (rounds < 0 || rounds > most)
        g->nmasked = at.n; /* for the loops around, this one's rounds do not stand beside each other */
}
