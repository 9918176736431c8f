/* targets/sim/iters.c: see iters.h.
 *
 * The table is open addressing over (loop, block, buffer, element).  Threads need not be in the same
 * round of a loop around: `round` tells those apart, the last Rounds of them have cells of their own,
 * and a cell of an older one is taken over. */
#include "iters.h"
#include "err/sim.h"

#include <inttypes.h>
#include <string.h>

enum { Rounds = 4, FirstCells = 1024, Updates = 4 };

typedef struct IterCell IterCell;
struct IterCell {
    uint32_t epoch;        /* of the blocks that ran; 0: free */
    uint32_t loop, root, cta, round;
    int64_t element;
    uint8_t nread, natomic, nwrite;   /* nwrite 2: several wrote this one value */
    uint64_t start;        /* what was there before the loop */
    int64_t read[2], atomic[Updates], write; /* of a kind of updates, two iterations */
    uint32_t readsite[2], atomicsite[Updates], writesite;
    uint64_t value;
};

typedef struct IterLoop IterLoop;
struct IterLoop { int ndim; int64_t extent[MaxLoop]; };

struct Iters {
    Ctx *c;
    Report *r;
    IterCell *cell;
    uint32_t ncell, used, epoch;
    IterLoop *loop; uint32_t caploop;
};

Iters *iters_new(Ctx *c, Report *r)
{
    Iters *t = anew(c, sizeof *t);
    *t = (Iters){.c = c, .r = r, .epoch = 1};
    return t;
}

void iters_clear(Iters *t)
{
    t->used = 0;
    if (++t->epoch == 0) {
        memset(t->cell, 0, t->ncell * sizeof *t->cell);
        t->epoch = 1;
    }
}

void iters_extent(Iters *t, uint32_t loop, int dim, int64_t n)
{
    agrow(t->c, &t->loop, &t->caploop, loop + 1, sizeof *t->loop);
    t->loop[loop].extent[dim] = n;
    if (t->loop[loop].ndim <= dim)
        t->loop[loop].ndim = dim + 1;
}

/* Words --------------------------------------------------------------------------- */

static const char *iters_loop_text(Iters *t, uint32_t loop)
{
    Str s = {0};
    const IterLoop *k = &t->loop[loop];
    for (int d = 0; d < k->ndim; d++)
        str_fmt(&s, "%s%" PRId64, d ? ", " : "T.Parallel(", k->extent[d]);
    str_puts(&s, ")");
    const char *text = astr(t->c, s.s ? s.s : "", s.n);
    str_free(&s);
    return text;
}

/* "3, 0": the variables of an iteration. */
static const char *iters_text(Iters *t, uint32_t loop, int64_t iteration)
{
    int64_t at[MaxLoop];
    const IterLoop *k = &t->loop[loop];
    Str s = {0};
    for (int d = k->ndim; d-- > 0;) {
        int64_t n = k->extent[d] > 0 ? k->extent[d] : 1;
        at[d] = iteration % n;
        iteration /= n;
    }
    for (int d = 0; d < k->ndim; d++)
        str_fmt(&s, "%s%" PRId64, d ? ", " : "", at[d]);
    const char *text = astr(t->c, s.s ? s.s : "", s.n);
    str_free(&s);
    return text;
}

/* What k's iteration and another one do to one element; at `other` that one did.  Who reads comes
 * first. */
static void iters_say(Iters *t, const IterTouch *k, Err e, int64_t that, uint32_t other,
                      IterName *name, void *ud)
{
    Report *r = t->r;
    bool turned = e == E_sim_iter_read && k->mode & ItWrite;
    uint32_t a = turned ? other : k->site, b = turned ? k->site : other;
    int64_t i = turned ? that : k->iteration, j = turned ? k->iteration : that;
    if (report_has(r, e, a, b))
        return;
    Loc at = r->site[a].loc, to = r->site[b].loc;
    bool one = at.line == to.line && at.file == to.file;
    report_add(r, e, a, one ? E_none : E_sim_iter_other, b, iters_loop_text(t, k->loop),
               iters_text(t, k->loop, i), iters_text(t, k->loop, j), name(ud, k),
               report_block(r, k->thread), report_where(r), (const char *)NULL);
}

/* The table ----------------------------------------------------------------------- */

static uint32_t iters_slot(const IterCell *cell, uint32_t mask, uint32_t epoch, const IterTouch *k)
{
    uint64_t h = (uint64_t)k->element * UINT64_C(0x9e3779b97f4a7c15);
    h ^= ((uint64_t)k->loop << 40) + ((uint64_t)k->root << 20) + ((uint64_t)k->cta << 2) + k->round % Rounds;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    h ^= h >> 31;
    for (uint32_t i = (uint32_t)h & mask;; i = (i + 1) & mask) {
        const IterCell *c = &cell[i];
        if (c->epoch != epoch ||
            (c->element == k->element && c->loop == k->loop && c->root == k->root &&
             c->cta == (uint32_t)k->cta && c->round % Rounds == k->round % Rounds))
            return i;
    }
}

static void iters_grow(Iters *t)
{
    uint32_t n = t->ncell ? t->ncell * 2 : FirstCells;
    IterCell *cell = anew(t->c, n * sizeof *cell);
    for (uint32_t i = 0; i < t->ncell; i++) {
        const IterCell *c = &t->cell[i];
        if (c->epoch != t->epoch)
            continue;
        IterTouch k = {.loop = c->loop, .round = c->round, .root = c->root, .cta = (int)c->cta,
                       .element = c->element};
        cell[iters_slot(cell, n - 1, t->epoch, &k)] = *c;
    }
    t->cell = cell;
    t->ncell = n;
}

/* The cell of an element; NULL: the loop has begun again there. */
static IterCell *iters_cell(Iters *t, const IterTouch *k)
{
    if (t->used * 2 >= t->ncell)
        iters_grow(t);
    IterCell *c = &t->cell[iters_slot(t->cell, t->ncell - 1, t->epoch, k)];
    t->used += c->epoch != t->epoch;
    if (c->epoch == t->epoch && c->round > k->round)
        return NULL;
    if (c->epoch != t->epoch || c->round != k->round)
        *c = (IterCell){.epoch = t->epoch, .loop = k->loop, .root = k->root,
                        .cta = (uint32_t)k->cta, .round = k->round, .element = k->element,
                        .start = k->was};
    return c;
}

/* Another iteration than k's among those of a list; false: there is none. */
static bool iters_another(const int64_t *of, int n, const IterTouch *k, int *which)
{
    for (*which = 0; *which < n; ++*which)
        if (of[*which] != k->iteration)
            return true;
    return false;
}

/* Has another iteration updated the element in another way? */
static bool iters_two_ways(const Iters *t, const IterCell *c, const IterTouch *k, int *which)
{
    for (*which = 0; *which < c->natomic; ++*which)
        if (c->atomic[*which] != k->iteration && report_two_ways(t->r, c->atomicsite[*which], k->site))
            return true;
    return false;
}

static void iters_note(int64_t *of, uint32_t *site, uint8_t *n, const IterTouch *k)
{
    if (*n == 2 || (*n == 1 && of[0] == k->iteration))
        return;
    of[*n] = k->iteration;
    site[(*n)++] = k->site;
}

/* An iteration may have updated the element in several ways. */
static void iters_note_update(const Iters *t, IterCell *c, const IterTouch *k)
{
    int alike = 0;
    for (int i = 0; i < c->natomic; i++)
        if (!report_two_ways(t->r, c->atomicsite[i], k->site)) {
            if (c->atomic[i] == k->iteration)
                return;
            alike++;
        }
    if (alike == 2 || c->natomic == Updates)
        return;
    c->atomic[c->natomic] = k->iteration;
    c->atomicsite[c->natomic++] = k->site;
}

void iters_touch(Iters *t, const IterTouch *k, IterName *name, void *ud)
{
    int i;
    if (k->iteration < 0 || k->loop >= t->caploop)
        return;
    IterCell *c = iters_cell(t, k);
    if (!c)
        return;
    bool other = c->nwrite == 1 && c->write != k->iteration;
    if (k->mode & ItAtomic) {
        if (other)
            iters_say(t, k, E_sim_iter_atomic, c->write, c->writesite, name, ud);
        else if (k->mode & ItWrite && iters_another(c->read, c->nread, k, &i))
            iters_say(t, k, E_sim_iter_atomic, c->read[i], c->readsite[i], name, ud);
        else if (k->mode & ItWrite && iters_two_ways(t, c, k, &i))
            iters_say(t, k, E_sim_iter_updates, c->atomic[i], c->atomicsite[i], name, ud);
        if (k->mode & ItWrite)
            iters_note_update(t, c, k);
    } else if (k->mode & ItRead) {
        if (other && c->value != c->start)
            iters_say(t, k, E_sim_iter_read, c->write, c->writesite, name, ud);
        else if (iters_another(c->atomic, c->natomic, k, &i))
            iters_say(t, k, E_sim_iter_atomic, c->atomic[i], c->atomicsite[i], name, ud);
        iters_note(c->read, c->readsite, &c->nread, k);
    } else {
        bool same = c->value == k->value;
        if (c->nwrite && !same && (other || c->nwrite > 1))
            iters_say(t, k, E_sim_iter_write, c->write, c->writesite, name, ud);
        else if (k->value != c->start && iters_another(c->read, c->nread, k, &i))
            iters_say(t, k, E_sim_iter_read, c->read[i], c->readsite[i], name, ud);
        else if (iters_another(c->atomic, c->natomic, k, &i))
            iters_say(t, k, E_sim_iter_atomic, c->atomic[i], c->atomicsite[i], name, ud);
        c->nwrite = other && same ? 2 : c->nwrite ? c->nwrite : 1;
        c->write = k->iteration;
        c->writesite = k->site;
        c->value = k->value;
    }
}
