/* core/lower/audit/merge.c: cells that are touched by the same threads at every event
 * are of one kind, and one of each kind is enough to look at: a tile that TMA writes and
 * wgmma reads as a whole is one cell.
 *
 * The events of a trial touch few different sets of cells, see audit_cells(); a cell's
 * kind is the set of those that hold it and by whom, of which 128 bits are kept. */
#include <string.h>

#include "audit.h"

struct CellSum { uint64_t a, b; };

static uint64_t merge_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9u;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* Are the sets that are touched those of the trial before?  Their kinds are the same then.
 * Counts their marks. */
static bool merge_as_before(Audit *a)
{
    uint32_t n = 0;
    bool same = true;
    for (uint32_t i = 0; i < a->n; i++) {
        Cells *s = a->e[i].cells;
        if (!s || s->seen == a->ntrial)
            continue;
        same &= s->seen && s->seen == a->ntrial - 1;
        s->seen = a->ntrial;
        a->work += s->from[a->warps];
        n++;
    }
    same &= n == a->nset;
    a->nset = n;
    return same;
}

/* The marks of set number id count for their cells. */
static void merge_count(Audit *a, const Cells *s, uint64_t id)
{
    for (int w = 0; w < a->warps; w++) {
        uint64_t set = merge_mix(id << 32 | (uint32_t)w);
        struct CellSum add = {0};
        for (uint32_t i = s->from[w]; i < s->from[w + 1]; i++) {
            struct CellSum *k = &a->sum[s->m[i].cell];
            if (i == s->from[w] || s->m[i].who != s->m[i - 1].who) {
                uint64_t x = set ^ (uint32_t)s->m[i].who;
                add = (struct CellSum){merge_mix(x), merge_mix(x ^ 0x9E3779B97F4A7C15u)};
            }
            k->a += add.a;
            k->b += add.b;
        }
    }
}

/* Kinds by numbers, from 0, in the order of their first cells. */
static void merge_number(Audit *a)
{
    uint32_t size = 1;
    while (size < 2 * a->ncell)
        size *= 2;
    uint32_t *slot = anew(a->c, size * sizeof *slot), *first = anew(a->c, a->ncell * sizeof *first);
    a->nkind = 0;
    for (uint32_t c = 0; c < a->ncell; c++) {
        const struct CellSum *k = &a->sum[c];
        uint32_t i = (uint32_t)(k->a ^ k->b >> 32) & (size - 1);
        a->kind[c] = 0;
        if (!k->a && !k->b)
            continue;
        while (slot[i] && memcmp(&a->sum[first[slot[i] - 1]], k, sizeof *k) != 0)
            i = (i + 1) & (size - 1);
        if (!slot[i]) {
            first[a->nkind] = c;
            slot[i] = ++a->nkind;
        }
        a->kind[c] = slot[i];
    }
}

/* Of each kind in s the first mark, as of the kind. */
static void merge_choose(Audit *a, Cells *s)
{
    uint32_t n = 0;
    s->kind = anew(a->c, ((size_t)s->from[a->warps] + 1) * sizeof *s->kind);
    s->kindfrom = anew(a->c, ((size_t)a->warps + 1) * sizeof *s->kindfrom);
    for (int w = 0; w < a->warps; w++) {
        s->kindfrom[w] = n;
        a->serial++;
        for (uint32_t i = s->from[w]; i < s->from[w + 1]; i++) {
            uint32_t k = a->kind[s->m[i].cell] - 1;
            if (a->stamp[k] == a->serial)
                continue;
            a->stamp[k] = a->serial;
            s->kind[n++] = (AuditMark){k, s->m[i].who};
        }
    }
    s->kindfrom[a->warps] = n;
}

void audit_merge(Audit *a)
{
    uint32_t id = 0;
    a->ntrial++;
    if (merge_as_before(a))
        return;
    if (!a->sum) {
        a->sum = anew(a->c, ((size_t)a->ncell + 1) * sizeof *a->sum);
        a->kind = anew(a->c, ((size_t)a->ncell + 1) * sizeof *a->kind);
    }
    memset(a->sum, 0, a->ncell * sizeof *a->sum);
    for (uint32_t i = 0; i < a->n; i++) {
        Cells *s = a->e[i].cells;
        if (!s || s->trial == a->ntrial)
            continue;
        s->trial = a->ntrial;
        merge_count(a, s, ++id);
    }
    merge_number(a);
    for (uint32_t i = 0; i < a->n; i++) {
        Cells *s = a->e[i].cells;
        if (s && s->trial == a->ntrial) {
            s->trial = 0;
            merge_choose(a, s);
        }
    }
}
