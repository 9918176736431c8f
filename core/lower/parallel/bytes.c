/* core/lower/parallel/bytes.c: elements of less than a byte, and the threads that store them.
 *
 * int4 and uint4 lie two to a byte, which is what memory stores.  A half alone is right, but
 * takes two atomic operations on a card (i4_put in core/emit/prelude.c):
 *
 *     for i, j in T.Parallel(16, 8) do s[j, i] = A[i, j] end
 *
 * has the halves in iterations (2 * i, j) and (2 * i + 1, j), so one thread should do both.
 * Here a parallel loop's first iterations are gone through, with the threads that a layout
 * gives them, and bytes with two owners are looked for.  Values that are only known when the
 * kernel runs are taken to be even; rows that data chooses, to differ. */
#include <stdlib.h>
#include <string.h>

#include "core/ir/expr.h"
#include "parallel.h"

/* Half a byte and who stores it. */
typedef struct Half Half;
struct Half { int64_t byte; uint32_t root; int32_t owner; uint8_t half; };

enum { Sample = 512, SampleStores = 4096, LikeOther = 4096 };

typedef struct ParallelBytes ParallelBytes;
struct ParallelBytes {
    Low *l;
    const Stmt *parloop;
    int64_t *env;
    int32_t owner;             /* of the iteration at hand */
    uint32_t unknown;          /* a buffer whose halves data chooses; 0: none */
    Half *half; uint32_t nhalf, caphalf;
};

static bool parallel_bytes_packed(const Prog *p, uint32_t buf)
{
    int sc = p->buf[buf].scope;
    return (sc == SCglobal || sc == SCshared) && dtypeinfo[p->buf[buf].dt].bits < 8;
}

static bool not_packed(Stmt *s, void *ud)
{
    return s->kind != Sstore || !parallel_bytes_packed(ud, s->store.buf);
}

bool parloop_halves(const Low *l, const Stmt *parloop)
{
    return !stmt_walk(parloop->loop.body, not_packed, l->p);
}

/* Variables ---------------------------------------------------------------- */

typedef struct ParallelBytesInside ParallelBytesInside;
struct ParallelBytesInside { uint32_t var; bool found; };

static bool parallel_bytes_not_declared(Stmt *s, void *ud)
{
    ParallelBytesInside *k = ud;
    for (int i = 0; s->kind == Sfor && i < s->loop.n; i++)
        k->found |= s->loop.var[i] == k->var;
    return !k->found;
}

/* Does v differ between the iterations of the parallel loop, or within one? */
static bool parallel_bytes_inside(const ParallelBytes *b, uint32_t v)
{
    ParallelBytesInside k = {v, false};
    for (int i = 0; i < b->parloop->loop.n; i++)
        if (b->parloop->loop.var[i] == v)
            return true;
    stmt_walk(b->parloop->loop.body, parallel_bytes_not_declared, &k);
    return k.found;
}

static bool is_inside(void *ud, Ex e)
{
    const ParallelBytes *b = ud;
    const Expr *x = ex_at(b->l->p, e);
    return x->op == Xvar && !ex_let(b->l->p, e) && parallel_bytes_inside(b, x->sym);
}

/* Offsets ------------------------------------------------------------------ */

typedef struct Mix Mix;
struct Mix { const ParallelBytes *b; int64_t sum; };

static ExGo parallel_bytes_mix(void *ud, Ex e)
{
    Mix *m = ud;
    const Expr *x = ex_at(m->b->l->p, e);
    if (is_inside((void *)(uintptr_t)m->b, e))
        m->sum = ex_wadd(ex_wmul(m->sum, 1009), m->b->env[x->sym] + 1);
    return EXinto;
}

/* Index e; *step: the elements that one more of it is.  What data say counts as another
 * row for other iterations; false: as another half. */
static bool parallel_bytes_index_of(ParallelBytes *b, Ex e, int64_t step, int64_t *out)
{
    const Prog *p = b->l->p;
    ExSum sum = x_linear(p, e);
    *out = sum.c;
    for (int i = 0; i < sum.n; i++) {
        int64_t v, by = ex_wmul(sum.coef[i], step);
        x_eval_lets(p, sum.atom[i], b->env);
        if (!x_eval(p, sum.atom[i], b->env, &v)) {
            Mix m = {b, 0};
            if (!ex_any_let(p, sum.atom[i], is_inside, b))
                v = 0;
            else if (by % 2)
                return false;
            else
                ex_walk_let(p, sum.atom[i], parallel_bytes_mix, &m), v = m.sum & 0xffffff;
        }
        *out = ex_wadd(*out, ex_wmul(v, sum.coef[i]));
    }
    return true;
}

static bool parallel_bytes_offset(ParallelBytes *b, uint32_t buf, const Ex *idx, int64_t *out)
{
    const Prog *p = b->l->p;
    const Buf *t = &p->buf[buf];
    int64_t step = 1, at[MaxDim];
    bool map = t->scope == SCshared && t->map && t->map->ndim == t->ndim;
    *out = 0;
    for (int d = t->ndim - 1; d >= 0; d--) {
        int64_t n = LikeOther, pitch = step;
        if (t->stride[d] && !x_isint(p, t->stride[d], &pitch))
            pitch = d == t->ndim - 1 ? 1 : LikeOther;
        if (!parallel_bytes_index_of(b, idx[d], pitch, &at[d]))
            return false;
        x_isint(p, t->shape[d], &n);
        map &= 0 <= at[d] && at[d] < n;
        *out = ex_wadd(*out, ex_wmul(at[d], pitch));
        step = ex_wmul(step, n);
    }
    if (map) {
        int32_t in[LayDims] = {0};
        for (int d = 0; d < t->ndim; d++)
            in[d] = (int32_t)at[d];
        *out = layout_eval(t->map, in).at[AXoff];
    }
    return true;
}

/* Iterations --------------------------------------------------------------- */

static void parallel_bytes_stored(ParallelBytes *b, const Stmt *s)
{
    int64_t off;
    if (!parallel_bytes_packed(b->l->p, s->store.buf))
        return;
    if (!parallel_bytes_offset(b, s->store.buf, s->store.idx, &off)) {
        b->unknown = s->store.buf;
        return;
    }
    agrow(&b->l->p->ctx, &b->half, &b->caphalf, b->nhalf + 1, sizeof *b->half);
    b->half[b->nhalf++] = (Half){off >> 1, s->store.buf, b->owner, off & 1};
}

/* What the thread of this iteration stores. */
static void parallel_bytes_iteration(ParallelBytes *b, const Stmt *list)
{
    const Prog *p = b->l->p;
    for (const Stmt *s = list; s; s = s->next) {
        Stmt *in[2];
        int n = stmt_blocks(s, in);
        int64_t lo = 0, hi = 1, step = 1, c;
        if (s->kind == Sstore) {
            parallel_bytes_stored(b, s);
        } else if (s->kind == Sif) {
            x_eval_lets(p, s->cond.cond, b->env);
            bool known = x_eval(p, s->cond.cond, b->env, &c);
            for (int i = 0; i < n; i++)
                if (!known || (c == 0) == (in[i] == s->cond.els))
                    parallel_bytes_iteration(b, in[i]);
        } else if (s->kind == Sfor && s->loop.n == 1 && x_isint(p, s->loop.lo[0], &lo) &&
                   x_isint(p, s->loop.hi[0], &hi) &&
                   (!s->loop.step || x_isint(p, s->loop.step, &step)) && step > 0) {
            for (int64_t v = lo; v < hi && b->nhalf < SampleStores; v += step) {
                b->env[s->loop.var[0]] = v;
                parallel_bytes_iteration(b, in[0]);
            }
        } else {
            for (int i = 0; i < n; i++)
                parallel_bytes_iteration(b, in[i]);
        }
    }
}

static int by_byte(const void *x, const void *y)
{
    const Half *a = x, *b = y;
    if (a->root != b->root)
        return a->root < b->root ? -1 : 1;
    if (a->byte != b->byte)
        return a->byte < b->byte ? -1 : 1;
    return (a->half > b->half) - (a->half < b->half);
}

/* The buffer of a byte whose halves have two owners, or 0. */
static uint32_t two_owners(ParallelBytes *b)
{
    if (b->nhalf)
        qsort(b->half, b->nhalf, sizeof *b->half, by_byte);
    for (uint32_t i = 1, first = 0; i < b->nhalf; i++) {
        const Half *f = &b->half[first], *h = &b->half[i];
        if (h->root != f->root || h->byte != f->byte)
            first = i;
        else if (h->half != f->half && h->owner != f->owner)
            return h->root;
    }
    return 0;
}

/* The first iterations, in the threads that loop gives them. */
static uint32_t parallel_bytes_split(ParallelBytes *b, const Layout *loop)
{
    int n = b->parloop->loop.n;
    int64_t all = 1, lo[MaxLoop];
    int32_t size[LayDims] = {0}, at[LayDims] = {0};
    for (int d = 0; d < n; d++) {
        lo[d] = 0;
        x_isint(b->l->p, b->parloop->loop.lo[d], &lo[d]);
        size[d] = loop->size[d];
        all *= size[d];
    }
    for (int d = 0; d < n && all > Sample; d++)
        while (all > Sample && size[d] > 8) {
            all = all / size[d] * ((size[d] + 1) / 2);
            size[d] = (size[d] + 1) / 2;
        }
    b->nhalf = 0;
    for (int d = 0; d >= 0;) {
        Spot own = layout_eval(loop, at);
        b->owner = (int32_t)(own.at[AXwarp] * 64 + own.at[AXlane]);
        for (int i = 0; i < n; i++)
            b->env[b->parloop->loop.var[i]] = at[i] + lo[i];
        parallel_bytes_iteration(b, b->parloop->loop.body);
        for (d = n - 1; d >= 0 && ++at[d] == size[d]; d--)
            at[d] = 0;
    }
    return two_owners(b);
}

uint32_t parloop_splits(Low *l, const Stmt *parloop, const Layout *loop)
{
    ParallelBytes b = {.l = l, .parloop = parloop};
    if (!parloop_halves(l, parloop))
        return 0;
    b.env = anew(&l->p->ctx, (l->p->nvar + 1) * sizeof *b.env);
    for (uint32_t v = 0; v < l->p->nvar; v++)
        b.env[v] = l->p->var[v].kind == Vdim ? LikeOther : 0;
    uint32_t bad = parallel_bytes_split(&b, loop);
    return b.unknown ? b.unknown : bad;
}
