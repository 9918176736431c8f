/* core/lower/sync/conflict.c: do two accesses touch the same bytes, by different
 * threads?  What was found is kept for each pair of footprints. */
#include <string.h>

#include "sync.h"

static int shared_meet(const Footprint *a, const Footprint *b)
{
    int r = CFnone;
    int64_t lo = a->lo > b->lo ? a->lo : b->lo, hi = a->hi < b->hi ? a->hi : b->hi;
    for (int64_t c = lo; c < hi && r < CFwarps; c++) {
        int k = owners_meet(a->print->warps[c - a->lo], a->print->owner[c - a->lo],
                            b->print->warps[c - b->lo], b->print->owner[c - b->lo]);
        r = k > r ? k : r;
    }
    return r;
}

/* Both in shared memory, or in one global buffer. */
static bool one_space(const Footprint *a, const Footprint *b)
{
    bool ga = a->a->as->scope == SCglobal, gb = b->a->as->scope == SCglobal;
    return ga == gb && (!ga || a->a->buf == b->a->buf);
}

bool access_overlap(AccessSet *t, const Footprint *a, const Footprint *b)
{
    (void)t;
    if (!one_space(a, b) || a->a->as->scope == SCglobal)
        return false;
    int64_t lo = a->lo > b->lo ? a->lo : b->lo, hi = a->hi < b->hi ? a->hi : b->hi;
    for (int64_t c = lo; c < hi; c++)
        if (a->print->warps[c - a->lo] && b->print->warps[c - b->lo])
            return true;
    return false;
}

static uint64_t *find_pair(AccessSet *t, uint64_t key)
{
    uint32_t mask = t->cappair - 1, i = (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 40) & mask;
    while (t->pairs[i] && t->pairs[i] >> 2 != key)
        i = (i + 1) & mask;
    return &t->pairs[i];
}

static void grow_pairs(AccessSet *t)
{
    uint64_t *old = t->pairs;
    uint32_t n = t->cappair;
    t->cappair = n ? 2 * n : 1024;
    t->pairs = anew(&t->l->p->ctx, t->cappair * sizeof *t->pairs);
    for (uint32_t i = 0; i < n; i++)
        if (old[i])
            *find_pair(t, old[i] >> 2) = old[i];
}

bool footprint_apart(const Footprint *a, const Footprint *b)
{
    if (!((a->a->mode | b->a->mode) & ACwrite) || !one_space(a, b))
        return true;
    return a->a->as->scope == SCglobal ? global_apart(a, b) : a->lo >= b->hi || b->lo >= a->hi;
}

bool access_commute(const SyncAccess *a, const SyncAccess *b)
{
    return a->mode & b->mode & ACatomic && a->update && a->update == b->update;
}

/* Is it known only when the kernel runs where f is, or which value it gets? */
static bool conflict_open(const Footprint *f)
{
    bool open = (f->all && !f->a->cut) || acc_prev(f->a);
    for (int d = 0; d < f->a->nd; d++)
        for (uint32_t i = 0; i < f->nterm[d]; i++)
            open |= f->term[d][i].free;
    return open;
}

int access_conflict(AccessSet *t, const Footprint *a, const Footprint *b)
{
    if (access_commute(a->a, b->a) || footprint_apart(a, b))
        return CFnone;
    if (t->l->launch->launch.own_syncs && (conflict_open(a) || conflict_open(b)))
        return CFnone; /* left to the program */
    if (2 * t->npair >= t->cappair)
        grow_pairs(t);
    if (a->id > b->id) {
        const Footprint *k = a;
        a = b;
        b = k;
    }
    uint64_t key = (uint64_t)(uint32_t)a->id << 31 | (uint32_t)b->id, *at = find_pair(t, key);
    if (!*at) {
        *at = key << 2 | (uint64_t)(a->a->as->scope == SCglobal ? global_meet(t, a, b)
                                                           : shared_meet(a, b));
        t->npair++;
    }
    return (int)(*at & 3);
}
