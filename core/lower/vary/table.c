/* core/lower/vary/table.c: a table of whatever begins with a VaryLink.
 *
 * A program of ten thousand statements has as many places and names: the table grows with
 * them, so that the lists in it stay short. */
#include "vary_p.h"

VaryLink *vary_links(const VaryTable *t, uint32_t hash)
{
    return t->cap ? t->list[hash & (t->cap - 1)] : NULL;
}

static void links_put(VaryTable *t, VaryLink *k)
{
    VaryLink **at = &t->list[k->hash & (t->cap - 1)];
    k->next = *at;
    *at = k;
}

static void links_grow(Vary *v, VaryTable *t)
{
    VaryTable old = *t;
    t->cap = old.cap ? 2 * old.cap : 256;
    t->list = anew(&v->l->p->ctx, t->cap * sizeof *t->list);
    for (uint32_t i = 0; i < old.cap; i++)
        for (VaryLink *k = old.list[i], *next; k; k = next) {
            next = k->next;
            links_put(t, k);
        }
}

void vary_link(Vary *v, VaryTable *t, VaryLink *k, uint32_t hash)
{
    if (t->n++ >= t->cap)
        links_grow(v, t);
    k->hash = hash;
    links_put(t, k);
}
