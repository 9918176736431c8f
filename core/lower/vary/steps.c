/* core/lower/vary/steps.c: between which threads a value may differ.
 *
 *     tid // 32                     at 32, 64, ..
 *     select(tid < 128, 1, n)       at 128, where n is alike in all threads
 *     shfl_sync(x, 3, 32)           at 32, 64, ..: one lane's value for its warp, if all of it comes
 *     any_sync(n > 3)               nowhere, where n is alike in all lanes
 *
 * See flow.c. */
#include "vary_p.h"

/* Sets of steps ------------------------------------------------------------- */

Steps *steps_none(const Vary *v) { return anew(&v->l->p->ctx, v->words * sizeof(Steps)); }

bool steps_join(const Vary *v, Steps *to, const Steps *from)
{
    Steps more = 0;
    for (uint32_t i = 0; i < v->words; i++) {
        more |= from[i] & ~to[i];
        to[i] |= from[i];
    }
    return more != 0;
}

void steps_every(const Vary *v, Steps *to, int n)
{
    for (int t = n; t < v->l->total; t += n)
        steps_put(to, t);
}

bool steps_differ(const Vary *v, const Steps *s)
{
    for (int t = v->here.lo + 1; t < v->here.hi; t++)
        if (steps_at(s, t))
            return true;
    return false;
}

/* Values ---------------------------------------------------------------------- */

typedef struct StepsSought StepsSought;
struct StepsSought { Vary *v; Steps *to; };

static bool steps_of_more(void *ud, Ex e)
{
    const Vary *v = ud;
    const Expr *x = ex_at(v->l->p, e);
    return (x->op == Xvar && x->sym != v->tid) || x->op == Xload || x->op == Xcall;
}

/* The value of e in each thread; false: it is not known. */
static bool steps_lanes(Vary *v, Ex e, Lanes *out)
{
    eval_reset(&v->ev);
    *out = eval(&v->ev, e);
    bool boolean = ex_type(v->l->p, e) == DTbool;
    if (out->unknown || (!out->v && boolean && out->one == EVmaybe))
        return false;
    for (int t = 0; out->v && boolean && t < v->l->total; t++)
        if (out->v[t] == EVmaybe)
            return false;
    return true;
}

/* Where e, made of numbers and the thread's index, has another value than the thread
 * before; false: it is made of other things. */
static bool steps_computed(Vary *v, Ex e, Steps *to)
{
    Lanes is;
    agrow(&v->l->p->ctx, &v->lane, &v->nlane, e + 1, sizeof *v->lane);
    if (v->lane[e].seen && v->lane[e].steps)
        steps_join(v, to, v->lane[e].steps);
    if (v->lane[e].seen)
        return v->lane[e].steps != NULL;
    bool lasts = !ex_any(v->l->p, e, steps_of_more, v), known = steps_lanes(v, e, &is);
    Steps *own = known ? steps_none(v) : NULL;
    for (int t = 1; known && is.v && t < v->l->total; t++)
        if (is.v[t] != is.v[t - 1])
            steps_put(own, t);
    if (known)
        steps_join(v, to, own);
    if (lasts)
        v->lane[e] = (VaryLane){true, own};
    return known;
}

static ExGo steps_value_node(void *ud, Ex e);

void steps_of_value(Vary *v, Steps *to, Ex e)
{
    ex_walk(v->l->p, e, steps_value_node, &(StepsSought){v, to});
}

/* A choice, where it is known which threads take which side. */
static bool steps_chosen(const StepsSought *k, const Expr *x)
{
    Vary *v = k->v;
    Lanes c;
    if (!steps_lanes(v, x->arg[0], &c))
        return false;
    if (!c.v) {
        steps_of_value(v, k->to, x->arg[c.one ? 1 : 2]);
        return true;
    }
    bool *first = anew(&v->l->p->ctx, (size_t)v->l->total);
    for (int t = 0; t < v->l->total; t++)
        first[t] = c.v[t] != 0;
    Steps *side[2] = {steps_none(v), steps_none(v)};
    steps_of_value(v, side[0], x->arg[2]);
    steps_of_value(v, side[1], x->arg[1]);
    for (int t = 1; t < v->l->total; t++)
        if (first[t] != first[t - 1] || steps_at(side[first[t]], t))
            steps_put(k->to, t);
    return true;
}

/* What was loaded: where its indices differ.  Found once for as long as what it is found by stays: it
 * is an index of other loads, a part of both sides of choices, and so on.  It is never made of itself:
 * its indices are older. */
static void steps_loaded(Vary *v, Steps *to, uint32_t var)
{
    Ex load = vary_fact(v, var)->load;
    if (!load)
        return;
    if (vary_fact(v, var)->grown != v->grown) {
        Steps *own = steps_none(v);
        for (int i = 0; i < ex_at(v->l->p, load)->n; i++)
            steps_of_value(v, own, ex_at(v->l->p, load)->arg[i]);
        vary_fact(v, var)->loaded = own;
        vary_fact(v, var)->grown = v->grown;
    }
    steps_join(v, to, vary_fact(v, var)->loaded);
}

enum { StepsOther = 1, StepsIndex }; /* of Vary.index */

static ExGo steps_index_node(void *ud, Ex e)
{
    const Vary *v = ud;
    const Expr *x = ex_at(v->l->p, e);
    int is = e < v->nindex ? v->index[e] : 0;
    if (is)
        return is == StepsIndex ? EXstop : EXskip;
    return x->op == Xvar && x->sym == v->tid ? EXstop : EXinto;
}

/* Is e made of the thread's index, lets followed?  Found once: a let may stand for a long way of them. */
static bool steps_by_index(Vary *v, Ex e)
{
    bool is = !ex_walk_let(v->l->p, e, steps_index_node, v);
    agrow(&v->l->p->ctx, &v->index, &v->nindex, e + 1, sizeof *v->index);
    v->index[e] = is ? StepsIndex : StepsOther;
    return is;
}

static ExGo steps_value_node(void *ud, Ex e)
{
    StepsSought *k = ud;
    Vary *v = k->v;
    Prog *p = v->l->p;
    Expr x = *ex_at(p, e);
    if (x.op == Xvar && x.sym == v->tid) {
        steps_every(v, k->to, 1);
    } else if (x.op == Xvar) {
        vary_fact(v, x.sym)->read = true;
        if (vary_fact(v, x.sym)->steps)
            steps_join(v, k->to, vary_fact(v, x.sym)->steps);
        steps_loaded(v, k->to, x.sym);
    }
    if (x.n && steps_by_index(v, e) && steps_computed(v, e, k->to))
        return EXskip;
    return x.op == Xselect && steps_chosen(k, &x) ? EXskip : EXinto;
}

/* Expressions ------------------------------------------------------------------ */

static bool only_at(const Steps *s, int lo, int hi, int n)
{
    for (int t = lo + 1; t < hi; t++)
        if (t % n && steps_at(s, t))
            return false;
    return true;
}

/* Do groups of n threads come here with all of theirs, or none? */
static bool whole_groups(const Vary *v, int n)
{
    const VaryHere *h = &v->here;
    return h->lo % n == 0 && h->hi % n == 0 && only_at(h->div, h->lo, h->hi, n);
}

/* The last group may have fewer than n. */
bool vary_groups_come(const Vary *v, int n)
{
    const VaryHere *h = &v->here;
    bool ends = h->hi % n == 0 || h->hi == v->l->total;
    return v->none || (!v->lost && h->lo % n == 0 && ends && only_at(h->div, h->lo, h->hi, n));
}

bool vary_groups_differ(Vary *v, Ex e, int n)
{
    if (v->none || v->lost)
        return vary_ex(v, e);
    Steps *s = steps_none(v);
    steps_of(v, s, e);
    return !only_at(s, v->here.lo, v->here.hi, n);
}

bool vary_collective(uint32_t fn)
{
    return fn == Icount_sync || fn == Iand_sync || fn == Ior_sync;
}

/* The result of an intrinsic of several threads.  In a parallel loop it is made of other
 * iterations. */
static void steps_together(Vary *v, Ex e, Steps *to)
{
    const Prog *p = v->l->p;
    Expr x = *ex_at(p, e);
    Steps *value = steps_none(v);
    int w = v->l->m->warp, n = 0;
    int64_t width;
    enum Intr fn = (enum Intr)x.sym;
    bool moves = fn == Ishfl || fn == Ishfl_xor || fn == Ishfl_up || fn == Ishfl_down;
    bool warp = fn == Iany_sync || fn == Iall_sync || fn == Iballot || fn == Iwarp_sum ||
                fn == Iwarp_max || fn == Iwarp_min || fn == Iwarp_bitand || fn == Iwarp_bitor ||
                fn == Iwarp_bitxor;
    if (vary_collective(fn) && !v->here.parloop)
        return; /* the block's */
    if (v->here.parloop || v->of == VaryOnce || (!moves && !warp)) {
        steps_every(v, to, 1);
        return;
    }
    steps_of(v, value, x.arg[0]);
    if (fn == Iballot)
        steps_of(v, to, x.arg[1]); /* its bits are those of the mask */
    if (whole_groups(v, w) && only_at(value, v->here.lo, v->here.hi, w)) {
        steps_join(v, to, value); /* all lanes have it alike, and so the result */
        return;
    }
    if (fn == Iany_sync || fn == Iall_sync)
        steps_of(v, to, x.arg[1]); /* lanes ask those of their mask */
    if (moves) {
        steps_of(v, to, x.arg[1]);
        if (fn == Ishfl && x_isint(p, x.arg[2], &width) && width > 0)
            n = width < w ? (int)width : w;
        w = n && whole_groups(v, n) ? n : 1;
    }
    steps_every(v, to, w);
}

static ExGo steps_node(void *ud, Ex e)
{
    StepsSought *k = ud;
    Vary *v = k->v;
    Expr x = *ex_at(v->l->p, e);
    if (e == v->but)
        return EXskip;
    if (x.op == Xcall && intrinfo[x.sym].level == 'T') {
        steps_together(v, e, k->to);
        return EXskip;
    }
    Ex is = x.op == Xload && !vary_private(v->l->p, x.sym) ? 0 : vary_value(v, e);
    if (is && v->of == VaryOnce && is != e && x.n && x.op != Xload)
        return EXinto; /* `v >= 0` of v = tid: each one's own, though it is so for all */
    if (is) {
        steps_of_value(v, k->to, is);
        return EXskip;
    }
    if (x.op == Xload && vary_private(v->l->p, x.sym)) {
        Part part = vary_element(v, x.sym, ex_at(v->l->p, e)->arg);
        bool known = part.n != 0;
        for (uint32_t i = 0; i < part.n; i++) {
            Ex value = v->now.val[part.first + i - 1];
            known &= value != 0;
            if (value)
                steps_of_value(v, k->to, value);
        }
        if (!known)
            steps_every(v, k->to, 1);
    }
    return EXinto;
}

void steps_of(Vary *v, Steps *to, Ex e)
{
    if (e)
        ex_walk(v->l->p, e, steps_node, &(StepsSought){v, to});
}

static bool steps_add_one(void *ud, Ex e)
{
    StepsSought *k = ud;
    steps_of(k->v, k->to, e);
    return true;
}

void steps_of_all(Vary *v, Steps *to, const Stmt *s)
{
    stmt_exprs(v->l->p, s, steps_add_one, &(StepsSought){v, to});
}
