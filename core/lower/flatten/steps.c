/* core/lower/flatten/steps.c: between which threads a value may differ.
 *
 *     tid // 32              at 32, 64, ..
 *     shfl_sync(x, 3, 32)    at 32, 64, ..: one lane's value for its warp, if all of it comes
 *     any_sync(n > 3)        nowhere, where n is alike in all lanes
 *
 * See alike.c. */
#include "alike.h"

#include "core/ir/effects.h"
#include "core/ir/walk.h"

/* Sets of steps ------------------------------------------------------------- */

Steps *steps_none(const Alike *a) { return anew(&a->l->p->ctx, a->words * sizeof(Steps)); }

void steps_join(const Alike *a, Steps *to, const Steps *from)
{
    for (uint32_t i = 0; i < a->words; i++)
        to[i] |= from[i];
}

/* At each multiple of n. */
void steps_every(const Alike *a, Steps *to, int n)
{
    for (int t = n; t < a->l->total; t += n)
        steps_put(to, t);
}

/* Do the threads that are here differ? */
bool steps_differ(const Alike *a, const Steps *s)
{
    for (int t = a->lo + 1; t < a->hi; t++)
        if (steps_at(s, t))
            return true;
    return false;
}

Steps *alike_slot(const Alike *a, uint32_t k) { return a->now + (size_t)(k - 1) * a->words; }

Part alike_whole(const Alike *a, uint32_t buf)
{
    uint32_t root = buf_root(a->l->p, buf);
    return (Part){a->slot[root], a->slot[root] ? a->count[root] : 0};
}

/* The element with these indices; where they are not known all that there are. */
Part alike_element(Alike *a, uint32_t buf, const Ex *idx)
{
    const Prog *p = a->l->p;
    Part k = alike_whole(a, buf);
    int64_t at = 0;
    if (buf_root(p, buf) != buf)
        return k; /* a view has other elements */
    for (int d = 0; k.n > 1 && d < p->buf[buf].ndim; d++) {
        int64_t i, n = 0;
        if (!x_isint(p, p->buf[buf].shape[d], &n) || !eval_one(&a->ev, idx[d], &i) || i < 0 ||
            i >= n)
            return k;
        at = at * n + i;
    }
    return k.n > 1 ? (Part){k.first + (uint32_t)at, 1} : k;
}

/* Those of a region; *all: and nothing else is in it. */
Part alike_region(Alike *a, const Region *r, bool *all)
{
    const Prog *p = a->l->p;
    const Buf *b = &p->buf[r->buf];
    Part k = alike_whole(a, r->buf);
    int64_t lo, n, size;
    bool view = buf_root(p, r->buf) != r->buf;
    *all = !view && region_whole(p, r);
    if (k.n <= 1 || *all || view || b->ndim != 1 || !x_isint(p, b->shape[0], &size) ||
        !eval_one(&a->ev, r->min[0], &lo) || !eval_one(&a->ev, r->extent[0], &n) || lo < 0 ||
        n < 1 || lo + n > size)
        return k;
    *all = true;
    return (Part){k.first + (uint32_t)lo, (uint32_t)n};
}

void alike_join(const Alike *a, Steps *to, Part k)
{
    for (uint32_t i = 0; i < k.n; i++)
        steps_join(a, to, alike_slot(a, k.first + i));
}

Steps *alike_var(const Alike *a, uint32_t var) { return a->var + (size_t)var * a->words; }

/* Expressions ---------------------------------------------------------------- */

typedef struct StepsSought StepsSought;
struct StepsSought { Alike *a; Steps *to; Ex but; }; /* but: a load that does not count */

/* Where e, made of numbers and the thread's index, has another value than the thread
 * before; false: it is made of other things. */
static bool computed(Alike *a, Ex e, Steps *to)
{
    eval_reset(&a->ev);
    Lanes v = eval(&a->ev, e);
    bool boolean = ex_type(a->l->p, e) == DTbool;
    if (v.unknown || (v.v == NULL && boolean && v.one == EVmaybe))
        return false;
    for (int t = 0; v.v && boolean && t < a->l->total; t++)
        if (v.v[t] == EVmaybe)
            return false;
    for (int t = 1; v.v && t < a->l->total; t++)
        if (v.v[t] != v.v[t - 1])
            steps_put(to, t);
    return true;
}

static bool only_at(const Steps *s, int lo, int hi, int n)
{
    for (int t = lo + 1; t < hi; t++)
        if (t % n && steps_at(s, t))
            return false;
    return true;
}

/* Do groups of n threads come here with all of theirs, or none? */
static bool whole_groups(const Alike *a, int n)
{
    return a->lo % n == 0 && a->hi % n == 0 && only_at(a->div, a->lo, a->hi, n);
}

/* The result of an intrinsic of several threads.  In a parallel loop it is made of other
 * iterations. */
static void steps_together(Alike *a, Ex e, Steps *to)
{
    const Prog *p = a->l->p;
    Expr x = *ex_at(p, e);
    Steps *value = steps_none(a), *lane = steps_none(a);
    int w = a->l->m->warp, n = 0;
    int64_t width;
    enum Intr fn = (enum Intr)x.sym;
    bool vote = fn == Icount_sync || fn == Iand_sync || fn == Ior_sync;
    bool moves = fn == Ishfl || fn == Ishfl_xor || fn == Ishfl_up || fn == Ishfl_down;
    bool warp = fn == Iany_sync || fn == Iall_sync || fn == Iballot || fn == Iwarp_sum ||
                fn == Iwarp_max || fn == Iwarp_min || fn == Iwarp_bitand || fn == Iwarp_bitor ||
                fn == Iwarp_bitxor;
    if (vote && !a->parloop)
        return; /* the block's */
    if (a->parloop || (!moves && !warp)) {
        steps_every(a, to, 1);
        return;
    }
    alike_add(a, value, x.arg[0], 0);
    if (whole_groups(a, w) && only_at(value, a->lo, a->hi, w)) {
        steps_join(a, to, value); /* all lanes have it alike, and so the result */
        return;
    }
    if (moves) {
        alike_add(a, lane, x.arg[1], 0);
        steps_join(a, to, lane);
        if (fn == Ishfl && x_isint(p, x.arg[2], &width) && width > 0)
            n = width < w ? (int)width : w;
        w = n && whole_groups(a, n) ? n : 1;
    }
    steps_every(a, to, w);
}

static ExGo steps_node(void *ud, Ex e)
{
    StepsSought *k = ud;
    Alike *a = k->a;
    Prog *p = a->l->p;
    Expr x = *ex_at(p, e);
    if (e == k->but)
        return EXskip;
    if (x.op == Xcall && intrinfo[x.sym].level == 'T') {
        steps_together(a, e, k->to);
        return EXskip;
    }
    if (x.op == Xload)
        alike_join(a, k->to, alike_element(a, x.sym, x.arg));
    if (x.op != Xload && x.n && x_uses(p, e, a->l->tid) && computed(a, e, k->to))
        return EXskip;
    if (x.op == Xvar && x.sym == a->l->tid)
        steps_every(a, k->to, 1);
    else if (x.op == Xvar)
        steps_join(a, k->to, alike_var(a, x.sym));
    return EXinto;
}

/* Adds e's steps; of `but`, where e holds that load, none. */
void alike_add(Alike *a, Steps *to, Ex e, Ex but)
{
    if (e)
        ex_walk(a->l->p, e, steps_node, &(StepsSought){a, to, but});
}

bool alike_differs(Alike *a, Ex e, Ex but)
{
    Steps *s = steps_none(a);
    alike_add(a, s, e, but);
    return steps_differ(a, s);
}

typedef struct All { Alike *a; Steps *to; } All;

static bool add_one(void *ud, Ex e)
{
    All *k = ud;
    alike_add(k->a, k->to, e, 0);
    return true;
}

/* Adds those of all expressions of s itself. */
void alike_add_all(Alike *a, Steps *to, const Stmt *s)
{
    stmt_exprs(a->l->p, s, add_one, &(All){a, to});
}
