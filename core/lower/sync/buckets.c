/* core/lower/sync/buckets.c: which footprints may meet another one, of all that there are.
 *
 * They are filed by where they lie along each dimension of their buffer (in shared memory:
 * by their cells), in drawers that are as wide as they are long themselves, or wider up to
 * twice.  Whoever asks looks into the drawers that it reaches into.  Where what is unknown
 * of two indices differs, their ranges say nothing: such a dimension is not asked. */
#include "sync.h"

struct BucketLine {
    uint32_t buf;          /* 0: shared memory */
    int d;
    const Footprint *first; /* all are named as it, and as far as they are unknown the same */
    bool mixed;            /* not all */
    bool renamed;          /* d 0, which all have: some are named otherwise, so that all lines are mixed */
    uint64_t levels;       /* of drawers that there are */
    uint32_t number;
    BucketLine *next;      /* of the same bucket */
};

/* Footprints of up to 1 << level, that begin in a part of that length. */
struct Drawer {
    uint32_t line;         /* its number; 0: free */
    int level;
    int64_t part;
    uint32_t *id, n, cap;  /* in order */
};

static bool is_global(const Footprint *f) { return f->a->as->scope == SCglobal; }

static int buckets_dims(const Footprint *f) { return is_global(f) ? f->a->nd : 1; }

/* Where f begins and ends along dimension d; false: it may lie anywhere. */
static bool buckets_range(const Footprint *f, int d, int64_t *lo, int64_t *hi)
{
    if (f->all || (is_global(f) && !f->print))
        return false;
    *lo = is_global(f) ? f->at[d] : f->lo;
    if (is_global(f))
        return !__builtin_add_overflow(*lo, f->print->most[d], hi) && *lo > INT64_MIN / 4 &&
               *hi < INT64_MAX / 4;
    *hi = f->hi - 1;
    return *hi >= *lo;
}

/* The least power of two that is not below the length. */
static int level_of(int64_t lo, int64_t hi)
{
    return hi > lo ? 64 - __builtin_clzll((uint64_t)(hi - lo)) : 0;
}

static BucketLine *buckets_line_of(AccessSet *t, const Footprint *f, int d, bool make)
{
    enum { Buckets = 256 };
    uint32_t buf = is_global(f) ? f->a->buf : 0;
    if (!t->line)
        t->line = anew(&t->l->p->ctx, Buckets * sizeof *t->line);
    BucketLine **at = &t->line[(buf * MaxDim + (uint32_t)d) % Buckets], *a = *at;
    while (a && (a->buf != buf || a->d != d))
        a = a->next;
    if (a || !make)
        return a;
    a = anew(&t->l->p->ctx, sizeof *a);
    *a = (BucketLine){.buf = buf, .d = d, .first = f, .number = ++t->nline, .next = *at};
    return *at = a;
}

static Drawer *drawer_of(const AccessSet *t, const BucketLine *a, int level, int64_t part)
{
    uint64_t h = (uint64_t)part * 0x9E3779B97F4A7C15u ^ (a->number * 64u + (uint64_t)level) * 0xD6E8FEB86659FD93u;
    uint32_t i = (uint32_t)(h >> 32) & (t->capplace - 1);
    while (t->place[i].line &&
           (t->place[i].line != a->number || t->place[i].level != level || t->place[i].part != part))
        i = (i + 1) & (t->capplace - 1);
    return &t->place[i];
}

static void buckets_grow(AccessSet *t)
{
    Drawer *old = t->place;
    uint32_t n = t->capplace;
    t->capplace = n ? 2 * n : 256;
    t->place = anew(&t->l->p->ctx, t->capplace * sizeof *t->place);
    for (uint32_t i = 0; i < n; i++)
        if (old[i].line)
            *drawer_of(t, &(BucketLine){.number = old[i].line}, old[i].level, old[i].part) = old[i];
}

/* Is line a of a buffer that is named in two ways: by a view of other dimensions? */
static bool buckets_mixed(AccessSet *t, const BucketLine *a, const Footprint *f)
{
    return a->mixed || buckets_line_of(t, f, 0, true)->renamed;
}

static void file(AccessSet *t, const Footprint *f)
{
    BucketLine *all = buckets_line_of(t, f, 0, true);
    all->renamed |= is_global(f) && !global_named_alike(all->first, f);
    for (int d = 0; d < buckets_dims(f); d++) {
        BucketLine *a = buckets_line_of(t, f, d, true);
        int64_t lo, hi;
        a->mixed |=
            !buckets_range(f, d, &lo, &hi) || (is_global(f) && !global_along(a->first, f, d));
        if (buckets_mixed(t, a, f))
            continue;
        if (2 * t->nplace >= t->capplace)
            buckets_grow(t);
        int level = level_of(lo, hi);
        Drawer *k = drawer_of(t, a, level, lo >> level);
        if (!k->line) {
            *k = (Drawer){.line = a->number, .level = level, .part = lo >> level};
            t->nplace++;
        }
        a->levels |= (uint64_t)1 << level;
        agrow(&t->l->p->ctx, &k->id, &k->cap, k->n + 1, sizeof *k->id);
        k->id[k->n++] = (uint32_t)f->id;
    }
}

/* Goes through the drawers along dimension d that f reaches into: how many footprints they
 * hold, beyond the first `seen` of all, or more than `most`; where k is given, they are put
 * there. */
static uint32_t buckets_through(AccessSet *t, const Footprint *f, int d, uint32_t most, Near *k)
{
    const BucketLine *a = buckets_line_of(t, f, d, false);
    uint32_t n = 0, seen = t->near[f->id].seen;
    int64_t lo, hi;
    if (!a || buckets_mixed(t, a, f) || !buckets_range(f, d, &lo, &hi))
        return UINT32_MAX;
    for (uint64_t left = a->levels; left; left &= left - 1) {
        int level = __builtin_ctzll(left);
        for (int64_t part = (lo >> level) - 1; part <= hi >> level; part++) {
            const Drawer *at = drawer_of(t, a, level, part);
            if (++n > most)
                return UINT32_MAX;
            for (uint32_t i = at->line ? at->n : 0; i-- > 0 && at->id[i] > seen; n++)
                if (k && !footprint_apart(f, t->near[at->id[i]].footprint)) {
                    agrow(&t->l->p->ctx, &k->id, &k->cap, k->n + 1, sizeof *k->id);
                    k->id[k->n++] = at->id[i];
                }
        }
    }
    return n;
}

const Near *access_near(AccessSet *t, const Footprint *f)
{
    enum { Dense = 1024, Few = 64 }; /* longer lists save nobody time; shorter ones are read */
    Near *k = &t->near[f->id];
    uint32_t least = t->nfootprint - k->seen, best = 0;
    bool found = false;
    for (; t->nfiled < t->nfootprint; t->nfiled++)
        file(t, t->near[t->nfiled + 1].footprint);
    for (int d = 0; d < buckets_dims(f) && k->n < Dense && least > Few; d++) {
        uint32_t n = buckets_through(t, f, d, least, NULL);
        if (n < least) {
            least = n;
            best = (uint32_t)d;
            found = true;
        }
    }
    if (found) {
        buckets_through(t, f, (int)best, UINT32_MAX - 1, k);
        k->seen = t->nfootprint;
    }
    while (k->seen < t->nfootprint && k->n < Dense) {
        uint32_t i = ++k->seen;
        if (footprint_apart(f, t->near[i].footprint))
            continue;
        agrow(&t->l->p->ctx, &k->id, &k->cap, k->n + 1, sizeof *k->id);
        k->id[k->n++] = i;
    }
    return k->n < Dense ? k : NULL;
}
