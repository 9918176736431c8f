/* core/check/init_whole.c: what is written in any case, however many the writes are.
 *
 *     for i in T.Parallel(64) do s[63 - i] = f[i] end          -- all of s
 *     for i in T.Parallel(32) do s[2*i] = f[i] end             -- a part of it
 *
 * Writes under no condition, in loops from a number to a number, at places that these loops alone
 * decide: their elements are marked once (init_points.c), in one set for each storage.  A read of
 * such elements is settled by that set; without it each read would be compared with each write. */
#include <string.h>

#include "init_open.h"

/* Of a storage, what is written so far; the next access to look at, + 1. */
typedef struct OpenHave OpenHave;
struct OpenHave { OpenStore o; uint64_t *bit, *read; uint32_t next; bool looked, full; };

/* Sets the modes of the variables around a, so that those which decide its place are gone
 * through and no others.  False: one of them is not a loop's from a number to a number. */
static bool whole_modes(OpenInit *t, const Access *a)
{
    const Prog *p = t->f->p;
    bool all = true;
    for (const CheckFrame *k = a->in; k; k = k->up)
        for (int i = 0; i < open_vars(k->s); i++) {
            uint32_t v = open_var(k->s, i);
            int64_t n;
            bool used = false;
            for (int d = 0; d < a->ndim; d++)
                used |= x_uses(p, a->idx[d], v) || (a->tile && x_uses(p, a->extent[d], v));
            t->mode[v] = used ? OMall : OMkept;
            all &= !used || (k->s->kind == Sfor && x_isint(p, k->s->loop.lo[i], &n) &&
                             x_isint(p, k->s->loop.hi[i], &n) &&
                             (!k->s->loop.step || x_isint(p, k->s->loop.step, &n)));
        }
    return all;
}

static void whole_modes_end(OpenInit *t, const Access *a)
{
    for (const CheckFrame *k = a->in; k; k = k->up)
        for (int i = 0; i < open_vars(k->s); i++)
            t->mode[open_var(k->s, i)] = OMall;
}

/* The elements of buffer buf, which threads share and which has no views here; false: it is
 * another kind. */
static bool whole_store(const Prog *p, uint32_t buf, OpenStore *o)
{
    const Buf *b = &p->buf[buf];
    int64_t n = open_count(p, buf);
    *o = (OpenStore){buf, n, dtypeinfo[b->dt].bits, (size_t)(n + 63) / 64};
    return b->scope != SCglobal && b->scope != SClocal && b->scope != SCvar &&
           buf_root(p, buf) == buf && !b->stride[0] && n > 0 && n <= MaxOpenUnits;
}

/* Marks all that a may touch, whatever its conditions say; false: that is not known. */
static bool whole_mark(OpenInit *t, const OpenStore *o, const Access *a, uint64_t *bit)
{
    Access any = *a;
    int64_t work = t->work;
    any.guard = NULL;
    for (int d = 0; d < a->ndim; d++)
        if (!open_plain(t, a->idx[d]) || (a->tile && !open_plain(t, a->extent[d])))
            return false;
    t->work = t->points;
    bool is = whole_modes(t, a) && open_mark(t, o, &any, NULL, NULL, bit) == OPmarked;
    whole_modes_end(t, a);
    t->points = t->work;
    t->work = work;
    return is;
}

/* Are all elements in the set? */
static bool whole_full(const OpenStore *o, const uint64_t *bit)
{
    int64_t n = 0;
    for (size_t i = 0; i < o->words; i++)
        n += __builtin_popcountll(bit[i]);
    return n == o->units;
}

bool open_whole(OpenInit *t, const Access *w)
{
    OpenStore o;
    if (!whole_store(t->f->p, w->buf, &o))
        return false;
    uint64_t *bit = anew(&t->f->p->ctx, o.words * sizeof *bit);
    return whole_mark(t, &o, w, bit) && whole_full(&o, bit);
}

/* Does w happen whenever it is reached, and r not before it has been at all of its places? */
static bool whole_happens(OpenInit *t, const Access *w, const Access *r)
{
    Prog *p = t->f->p;
    int64_t least, most;
    if (w->guard)
        return false;
    for (const CheckFrame *k = w->in; k; k = k->up) {
        const Stmt *s = k->s;
        if (s->kind == Slaunch)
            continue;
        if (s->kind != Sfor || k->maybe)
            return false;
        for (int i = 0; i < s->loop.n; i++) {
            if (s->loop.step || !x_range(p, x_bin(p, Xsub, s->loop.hi[i], s->loop.lo[i]), &least, &most) ||
                least < 1)
                return false;
            for (int d = 0; open_around(r->in, k) && d < w->ndim; d++)
                if (x_uses(p, w->idx[d], s->loop.var[i]) ||
                    (w->tile && x_uses(p, w->extent[d], s->loop.var[i])))
                    return false;
        }
    }
    return true;
}

/* The set of r's storage, brought up to the writes before r; NULL: there is none. */
static OpenHave *whole_before(OpenInit *t, uint32_t r)
{
    Facts *f = t->f;
    uint32_t root = buf_root(f->p, f->a[r].buf);
    OpenHave *h = &t->have[root];
    if (!h->looked) {
        h->looked = true;
        h->next = t->first[root];
        if (whole_store(f->p, root, &h->o)) {
            h->bit = anew(&f->p->ctx, h->o.words * sizeof *h->bit);
            h->read = anew(&f->p->ctx, h->o.words * sizeof *h->read);
        }
    }
    for (; h->bit && !h->full && h->next && h->next - 1 < r; h->next = t->next[h->next - 1]) {
        const Access *w = &f->a[h->next - 1];
        if (!(w->mode & Awrite) || w->buf != root || !whole_happens(t, w, &f->a[r]))
            continue;
        whole_mark(t, &h->o, w, h->bit);
        h->full = whole_full(&h->o, h->bit);
    }
    return h->bit ? h : NULL;
}

bool open_written(OpenInit *t, uint32_t r)
{
    const Access *a = &t->f->a[r];
    OpenHave *h = whole_before(t, r);
    if (!h || h->full || a->buf != h->o.root)
        return h && h->full;
    memset(h->read, 0, h->o.words * sizeof *h->read);
    if (!whole_mark(t, &h->o, a, h->read))
        return false;
    for (size_t i = 0; i < h->o.words; i++)
        if (h->read[i] & ~h->bit[i])
            return false;
    return true;
}

void open_whole_init(OpenInit *t)
{
    enum { Points = 1 << 22, Each = 512 }; /* half a second, and more for more accesses */
    t->points = Points + (int64_t)t->f->n * Each;
    t->have = anew(&t->f->p->ctx, t->f->p->nbuf * sizeof *t->have);
}
