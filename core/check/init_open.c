/* core/check/init_open.c: reads that a write comes before for some data alone.
 *
 *     if flag[0] ~= 0 then T.copy(X, s) end
 *     T.copy(s, C)
 *
 * init.c takes a write under a condition for one that happens.  Here such a write counts where
 * the condition is made of sizes and indices, or holds for the read as well; several writes count
 * together where one of them happens whatever the data are (`if` and `else`).  What is left rests
 * on values in memory and is told, once a kernel, for targets that do not find out. */
#include <string.h>

#include "check.h"
#include "err/check.h"

enum { MaxCases = 6, MaxWrites = 64 }; /* conditions that are tried both ways; writes looked at */

typedef struct OpenInit OpenInit;
struct OpenInit {
    Facts *f;
    uint32_t *next, *first;  /* as in init.c: accesses of a storage, + 1 */
    uint32_t *sure;          /* of a root: behind this access all of it counts as written, + 1 */
};

/* Values of memory --------------------------------------------------------- */

static bool open_from_memory(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return x->op == Xload || (x->op == Xvar && p->var[x->sym].kind == Vlet && !p->var[x->sym].value);
}

static bool of_memory(OpenInit *t, Ex e)
{
    return e && ex_any_let(t->f->p, e, open_from_memory, t->f->p);
}

typedef struct OpenBetween OpenBetween;
struct OpenBetween { const Facts *f; uint32_t from, to; };

static bool stored_between(void *ud, Ex e)
{
    const OpenBetween *k = ud;
    const Prog *p = k->f->p;
    const Expr *x = ex_at(p, e);
    for (uint32_t i = k->from; x->op == Xload && i < k->to; i++)
        if (k->f->a[i].mode & Awrite && buf_root(p, k->f->a[i].buf) == buf_root(p, x->sym))
            return true;
    return false;
}

/* The condition of a write with the indices of a read for its own, where both are plain:
 * s[i] under i < n and s[j] under j < n. */
static Ex as_of_read(const Facts *f, const Access *w, const Access *r, Ex cond)
{
    Prog *p = f->p;
    for (int d = 0; w->buf == r->buf && d < w->ndim; d++) {
        const Expr *x = ex_at(p, w->idx[d]), *y = ex_at(p, r->idx[d]);
        if (x->op != Xvar || y->op != Xvar || x->sym == y->sym)
            continue;
        Ex *map = anew(&p->ctx, (x->sym + 1) * sizeof *map);
        map[x->sym] = w->tile || r->tile ? 0 : r->idx[d];
        cond = x_subst(p, cond, map, x->sym + 1);
    }
    return cond;
}

/* Does the read r happen only where cond has that value, too? */
static bool held_at_read(OpenInit *t, const Access *w, const Access *r, Ex cond, bool not)
{
    const Facts *f = t->f;
    OpenBetween k = {f, (uint32_t)(w - f->a), (uint32_t)(r - f->a)};
    Ex same = as_of_read(f, w, r, cond);
    for (const Guard *g = r->guard; g; g = g->up)
        if ((g->cond == cond || g->cond == same) && g->not == not)
            return !ex_any(f->p, cond, stored_between, &k);
    return false;
}

/* Loops -------------------------------------------------------------------- */

typedef struct OpenLeaves OpenLeaves;
struct OpenLeaves { const Stmt *to; bool left; };

static bool leaves_before(Stmt *s, void *ud)
{
    OpenLeaves *k = ud;
    k->left |= s->kind == Sbreak || s->kind == Scontinue;
    return s != k->to && !k->left;
}

static bool around(const CheckFrame *in, const CheckFrame *k)
{
    while (in && in != k)
        in = in->up;
    return in != NULL;
}

/* Do the loops around w that are not around r bring it for certain?  Sizes count as such that
 * there is something to do. */
static bool loops_bring(OpenInit *t, const Access *w, const Access *r)
{
    for (const CheckFrame *k = w->in; k && !around(r->in, k); k = k->up) {
        const Stmt *s = k->s;
        if (s->kind == Swhile)
            return false;
        for (int i = 0; s->kind == Sfor && i < s->loop.n; i++)
            if (of_memory(t, s->loop.lo[i]) || of_memory(t, s->loop.hi[i]))
                return false;
        OpenLeaves leaves = {w->s, false};
        if (s->kind == Sfor && k->maybe) {
            stmt_walk(s->loop.body, leaves_before, &leaves);
            if (leaves.left)
                return false;
        }
    }
    return true;
}

/* Does w write another place than r reads, as far as data say? */
static bool elsewhere(OpenInit *t, const Access *w, const Access *r)
{
    for (int d = 0; d < w->ndim; d++)
        if ((of_memory(t, w->idx[d]) || (w->tile && of_memory(t, w->extent[d]))) &&
            (w->buf != r->buf || w->idx[d] != r->idx[d]))
            return true;
    return false;
}

/* Writes ------------------------------------------------------------------- */

/* Conditions that are taken for given, and what they are. */
typedef struct OpenCase OpenCase;
struct OpenCase { Ex cond[MaxCases]; bool not[MaxCases]; int n; };

enum OpenWrite { OWhappens, OWnot, OWopen };

/* Does w happen before r in this case?  OWopen: *cond decides. */
static enum OpenWrite open_write(OpenInit *t, const Access *w, const Access *r, const OpenCase *k,
                                 Ex *cond)
{
    enum OpenWrite all = OWhappens;
    for (const Guard *g = w->guard; g; g = g->up) {
        bool given = false;
        if (!g->cond || !of_memory(t, g->cond) || held_at_read(t, w, r, g->cond, g->not))
            continue;
        for (int i = 0; i < k->n; i++) {
            if (k->cond[i] == g->cond && k->not[i] != g->not)
                return OWnot;
            given |= k->cond[i] == g->cond;
        }
        if (!given) {
            all = OWopen;
            *cond = g->cond;
        }
    }
    return all;
}

/* Is one of the writes w[0..n) before r in every case? */
static bool open_covered(OpenInit *t, const Access *const *w, int n, const Access *r, OpenCase *k)
{
    Ex cond = 0, open = 0;
    for (int i = 0; i < n; i++) {
        enum OpenWrite is = open_write(t, w[i], r, k, &cond);
        if (is == OWhappens)
            return true;
        open = is == OWopen ? cond : open;
    }
    if (!open || k->n == MaxCases)
        return false;
    bool all = true;
    for (int not = 0; not < 2 && all; not++) {
        k->cond[k->n] = open;
        k->not[k->n++] = not;
        all = open_covered(t, w, n, r, k);
        k->n--;
    }
    return all;
}

/* The write that the read at access r rests on, where it may be missing; NULL: it is not. */
static const Access *rests_on(OpenInit *t, uint32_t r)
{
    const Facts *f = t->f;
    const Access *a = &f->a[r], *w[MaxWrites], *found = NULL;
    OpenCase k = {.n = 0};
    Ex cond;
    int n = 0;
    uint32_t root = buf_root(f->p, a->buf);
    if (t->sure[root] && t->sure[root] - 1 < r)
        return NULL;
    for (uint32_t i = t->first[root]; i && n < MaxWrites; i = t->next[i - 1]) {
        const Access *b = &f->a[i - 1];
        if (!(b->mode & Awrite))
            continue;
        if (check_concurrent(f, b, a))
            return NULL;
        if (i - 1 >= r)
            continue;
        if (loops_bring(t, b, a) && !elsewhere(t, b, a))
            w[n++] = b;
        found = found ? found : b;
        if (n && w[n - 1] == b && !b->guard) { /* most are */
            t->sure[root] = b->in == NULL || b->in->s->kind == Slaunch ? i : 0;
            return NULL;
        }
        if (n && w[n - 1] == b && open_write(t, b, a, &k, &cond) == OWhappens)
            return NULL;
    }
    return found && n < MaxWrites && !open_covered(t, w, n, a, &k) ? found : NULL;
}

void check_init_open(Facts *f)
{
    Ctx *c = &f->p->ctx;
    OpenInit t = {.f = f, .next = anew(c, (f->n + 1) * sizeof *t.next),
                  .first = anew(c, f->p->nbuf * sizeof *t.first),
                  .sure = anew(c, f->p->nbuf * sizeof *t.sure)};
    bool *fresh = anew(c, f->p->nbuf * sizeof *fresh);
    for (uint32_t b = 1; b < f->p->nbuf; b++)
        fresh[b] = f->p->buf[b].scope != SCglobal;
    for (uint32_t i = 0; i < f->p->nout; i++)
        fresh[buf_root(f->p, f->p->out[i])] = true;
    for (uint32_t k = f->n; k-- > 0;) {
        uint32_t root = buf_root(f->p, f->a[k].buf);
        t.next[k] = t.first[root];
        t.first[root] = k + 1;
    }
    for (uint32_t k = 0; k < f->n; k++) {
        const Access *a = &f->a[k], *w;
        if (!(a->mode & Aread) || !fresh[buf_root(f->p, a->buf)] || !(w = rests_on(&t, k)))
            continue;
        diag(c, E_init_open, a->s->loc, f->p->buf[a->buf].name,
             afmt(c, "%u", (unsigned)w->s->loc.line), NULL);
        return;
    }
}
