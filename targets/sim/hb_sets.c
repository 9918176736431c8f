/* targets/sim/hb_sets.c: sets of readers.
 *
 * Many granules are read by the same threads at the same times, so sets are
 * kept once and shared: adding a reader is a look-up in a table of
 * transitions (set, reader) -> set, and where that has forgotten it, in a table of
 * all sets by what they hold.  Sets never change; 0 is the empty one.
 * They live until sets_sweep or the end of the cluster. */
#include "hb_p.h"

#include <stdlib.h>
#include <string.h>

/* Small tables, for a core's first caches: most additions find nothing in them. */
enum { Memo = 1024, Heads = 1 << 12 };

typedef struct Set Set;
struct Set { uint32_t at, n; };

typedef struct SetsStep SetsStep;
struct SetsStep { uint32_t set, to; ShadowReader r; };

/* The newest set with this hash of what it holds; set 0: none. */
typedef struct SetsHead SetsHead;
struct SetsHead { uint32_t hash, set; };

struct Sets {
    Set *set; uint32_t n, cap;
    ShadowReader *r; uint32_t nr, capr;
    ShadowReader *out; uint32_t capout; /* room for one set */
    SetsStep memo[Memo];      /* direct-mapped; to 0: empty */
    SetsHead head[Heads];     /* by hash, the newest only */
};

Sets *sets_new(void) { return calloc(1, sizeof(Sets)); }

void sets_free(Sets *s)
{
    if (!s)
        return;
    free(s->set);
    free(s->r);
    free(s->out);
    free(s);
}

const ShadowReader *sets_get(const Sets *s, uint32_t set, int *n)
{
    set &= ~SetAsync;
    *n = set ? (int)s->set[set].n : 0;
    return set ? s->r + s->set[set].at : NULL;
}

static bool same_reader(const ShadowReader *a, const ShadowReader *b)
{
    return a->lanes == b->lanes && a->stamp == b->stamp && a->site == b->site &&
           a->async == b->async && a->warp == b->warp;
}

/* The upper half is well mixed. */
static uint64_t hash_reader(uint64_t x, const ShadowReader *r)
{
    x = x * 0x9E3779B97F4A7C15u ^ r->lanes * 0xD6E8FEB86659FD93u;
    x ^= ((uint64_t)r->stamp << 32 | r->site) * 0xA0761D6478BD642Fu;
    return x ^ ((uint64_t)r->async << 16 | r->warp) * 0xE7037ED1A0B428DBu;
}

static uint32_t memo_at(uint32_t set, const ShadowReader *r)
{
    return (uint32_t)(hash_reader(set, r) >> 40) % Memo;
}

/* Of a set that holds r[0 .. n). */
static uint32_t hash_set(const ShadowReader *r, uint32_t n)
{
    uint64_t x = n;
    for (uint32_t i = 0; i < n; i++)
        x = hash_reader(x >> 32, &r[i]);
    return (uint32_t)(x >> 32);
}

static void sets_reserve(Hb *h, Sets *s, uint32_t n)
{
    if (s->n + 2 > s->cap) {
        uint32_t to = s->cap ? s->cap * 2 : 256;
        s->set = hb_grow(h, s->set, s->cap, to, sizeof *s->set);
        s->cap = to;
    }
    if (s->nr + n > s->capr) {
        uint32_t to = s->capr ? s->capr * 2 : 1024;
        while (to < s->nr + n)
            to *= 2;
        s->r = hb_grow(h, s->r, s->capr, to, sizeof *s->r);
        s->capr = to;
    }
    if (s->n == 0)
        s->n = 1;
}

/* Puts set and r into out.  A reader of the same lanes (or fewer) of the same warp
 * at an earlier time goes: whoever knows the later access knows that one.  Not a
 * plain access before an update, or an update before one of another kind: updates of the later
 * one's kind need to know of the first alone. */
static uint32_t merged(const Hb *h, const ShadowReader *in, int n, const ShadowReader *r, ShadowReader *out)
{
    uint32_t k = 0;
    bool put = false;
    for (int i = 0; i < n; i++) {
        ShadowReader x = in[i];
        bool plain = !x.async && !r->async && x.warp == r->warp;
        bool covered = (x.site & Atomic || !(r->site & Atomic)) && !hb_two_ways(h, x.site, r->site);
        if (plain && covered && x.stamp <= r->stamp && !(x.lanes & ~r->lanes))
            continue;
        if (plain && x.stamp == r->stamp && !((x.site ^ r->site) & Atomic) && covered) {
            x.lanes |= r->lanes;
            put = true;
        }
        if (x.async && x.async == r->async)
            put = true;
        out[k++] = x;
    }
    if (!put)
        out[k++] = *r;
    return k;
}

/* The set that holds out[0 .. k): the newest of its hash if that is the same, or a new one. */
static uint32_t kept_once(Hb *h, Sets *s, const ShadowReader *out, uint32_t k)
{
    uint32_t hash = hash_set(out, k);
    SetsHead *head = &s->head[(hash >> 8) % Heads];
    const Set *x = head->set && head->hash == hash ? &s->set[head->set] : NULL;
    if (x && x->n == k && !memcmp(s->r + x->at, out, k * sizeof *out))
        return head->set;
    sets_reserve(h, s, k);
    uint32_t to = s->n++;
    s->set[to] = (Set){s->nr, k};
    *head = (SetsHead){hash, to};
    memcpy(s->r + s->nr, out, k * sizeof *out);
    s->nr += k;
    return to;
}

uint32_t sets_add(Hb *h, uint32_t set, const ShadowReader *r)
{
    Sets *s = h->sets;
    uint32_t flag = (set & SetAsync) | (r->async ? SetAsync : 0), id = set & ~SetAsync;
    SetsStep *m = &s->memo[memo_at(id, r)];
    if (m->to && m->set == id && same_reader(&m->r, r))
        return m->to | flag;
    int n;
    const ShadowReader *in = sets_get(s, id, &n);
    if ((uint32_t)n >= s->capout) {
        uint32_t most = 2 * (uint32_t)n + 16;
        s->out = hb_grow(h, s->out, s->capout, most, sizeof *s->out);
        s->capout = most;
    }
    ShadowReader *out = s->out;
    uint32_t k = merged(h, in, n, r, out), to;
    bool same = (int)k == n && !memcmp(in, out, k * sizeof *out);
    to = same ? id : kept_once(h, s, out, k);
    *m = (SetsStep){id, to, *r};
    return to | flag;
}

/* Keeps only the sets that some cell still refers to.  Called now and then, between
 * accesses; cells whose sets are no longer of interest have rm 0. */
void sets_sweep(Hb *h, Cell *cell, size_t ncell)
{
    Sets *s = h->sets;
    uint32_t *map = hb_grow(h, NULL, 0, s->n + 1, sizeof *map);
    uint32_t n = 1, nr = 0;
    memset(s->head, 0, sizeof s->head);
    for (size_t i = 0; i < ncell; i++)
        if (cell[i].rm & ~SetAsync)
            map[cell[i].rm & ~SetAsync] = 1;
    for (uint32_t i = 1; i < s->n; i++) {
        if (!map[i])
            continue;
        Set x = s->set[i]; /* order is kept, so moving down never overtakes */
        memmove(s->r + nr, s->r + x.at, x.n * sizeof *s->r);
        uint32_t hash = hash_set(s->r + nr, x.n);
        s->set[n] = (Set){nr, x.n};
        s->head[(hash >> 8) % Heads] = (SetsHead){hash, n};
        nr += x.n;
        map[i] = n++;
    }
    for (size_t i = 0; i < ncell; i++)
        if (cell[i].rm & ~SetAsync)
            cell[i].rm = (cell[i].rm & SetAsync) | map[cell[i].rm & ~SetAsync];
    free(map);
    memset(s->memo, 0, sizeof s->memo);
    s->n = n;
    s->nr = nr;
}

uint32_t sets_count(const Sets *s) { return s->n; }

uint32_t sets_readers(const Sets *s) { return s->nr; }
