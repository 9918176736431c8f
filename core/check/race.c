/* core/check/race.c: do two iterations of T.Parallel, or two blocks, meet in
 * one element?
 *
 * Within each outermost T.Parallel, every write is compared with itself and
 * with every other access of the same storage.  Indices that are affine in
 * variables with known domains give linear equations between an iteration and
 * another (race_equations.c); solve.c finds a pair or proves that there is none.  Where indices
 * are not affine, or a condition may rule the pair out, the iterations are
 * enumerated (race_enum.c), for a few values of the variables outside; so are views of
 * one storage.  Where a size of the arguments says how many there are, one size is looked at
 * (race_size.c).  What equations do not say of two blocks, race_block.c looks for in
 * a few of them.
 * A pair that rests on a condition on data is a warning; what cannot be
 * decided is left to the checked run, and where that is for its size alone, a
 * note says so.
 *
 * Private variables (T.alloc_var, T.alloc_local) are each iteration's own: for
 * them it is wrong to read, before any write, what another iteration wrote. */
#include <string.h>

#include "race.h"
#include "err/check.h"

/* What can be said of a condition: computed for any iteration; resting on
 * data; or on something that is known only when the kernel runs. */
enum Certainty { Computed, Unknown, Data };

static enum Certainty certainty(RaceLoop *n, const Guard *g)
{
    Facts *f = n->f;
    enum Certainty all = Computed;
    for (; g; g = g->up) {
        if (!g->cond)
            return Unknown;
        const Expr *x = &f->p->ex[g->cond];
        if (!x_pure(f->p, g->cond)) {
            if (!g->not && x->op == Xeq && (race_fixed(n, x->arg[0]) || race_fixed(n, x->arg[1])))
                return Unknown; /* picks an iteration: i == k[0] */
            all = all == Computed ? Data : all;
            continue;
        }
        for (uint32_t i = 0, k = facts_uses(f, g->cond, 0); i < k; i++)
            if (!f->dom[f->uses[i]].exact)
                all = Unknown;
    }
    return all;
}

/* Reports -------------------------------------------------------------- */

static const char *index_text(Facts *f, Ex e)
{
    Str s = {0};
    ex_print(f->p, e, &s);
    const char *t = astr(&f->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}

static const char *elementtext(Facts *f, const Access *a)
{
    Str s = {0};
    str_fmt(&s, "%s[", f->p->buf[a->buf].name);
    for (int d = 0; d < a->ndim; d++) {
        int64_t v;
        if (d)
            str_puts(&s, ", ");
        if (x_eval(f->p, a->idx[d], f->env, &v))
            str_fmt(&s, "%lld", (long long)v);
        else
            str_puts(&s, index_text(f, a->idx[d]));
    }
    str_puts(&s, "]");
    const char *t = astr(&f->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}

/* What loop s says of where variable v ends. */
static Ex race_extent_of(const Stmt *s, uint32_t v)
{
    for (int i = 0; i < s->loop.n; i++)
        if (s->loop.var[i] == v)
            return s->loop.hi[i];
    return 0;
}

/* Is that size in the extents, or in where and when a or b is made? */
static bool race_rests_on(const RaceLoop *n, const Access *const *of, uint32_t v)
{
    const Prog *p = n->f->p;
    bool is = false;
    for (int i = 0; i < n->npar; i++) {
        Ex e = race_extent_of(n->f->dom[n->par[i]].s, n->par[i]);
        is |= e && x_uses(p, e, v);
    }
    for (int k = 0; k < 2; k++) {
        for (int d = 0; d < of[k]->ndim; d++)
            is |= x_uses(p, of[k]->idx[d], v);
        for (const Guard *g = of[k]->guard; g; g = g->up)
            is |= g->cond && x_uses(p, g->cond, v);
    }
    return is;
}

/* "T.Parallel(16, n), n = 200", of a and b that meet. */
static const char *looptext(RaceLoop *n, const Access *a, const Access *b)
{
    Facts *f = n->f;
    Str s = {0};
    str_puts(&s, "T.Parallel(");
    for (int i = 0; i < n->npar; i++) {
        const Domain *d = &f->dom[n->par[i]];
        Ex e = n->chosen ? race_extent_of(d->s, n->par[i]) : 0;
        str_puts(&s, i ? ", " : "");
        if (e && !x_isint(f->p, e, &(int64_t){0}))
            str_puts(&s, index_text(f, e));
        else
            str_fmt(&s, "%lld", (long long)(d->hi - d->lo + 1));
    }
    str_puts(&s, ")");
    for (uint32_t v = 1; n->chosen && v < f->p->nvar; v++)
        if (race_size_comes(f->p, v) && f->dom[v].exact && race_rests_on(n, (const Access *[]){a, b}, v))
            str_fmt(&s, ", %s = %lld", f->p->var[v].name, (long long)f->dom[v].lo);
    const char *t = astr(&f->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}

/* Is a load of the very element that s stores to part of what it stores? */
static bool race_updates(const Facts *f, const Access *a)
{
    if (a->s->kind != Sstore)
        return false;
    for (const Access *r = a; r-- > f->a && r->s == a->s;)
        if (r->mode & Aread && r->buf == a->buf && memcmp(r->idx, a->idx, sizeof r->idx) == 0)
            return true;
    return false;
}

/* What a and b store is one value for all iterations. */
bool race_one_value(RaceLoop *n, const Access *a, const Access *b)
{
    return a->s->kind == Sstore && b->s->kind == Sstore &&
           a->s->store.value == b->s->store.value && x_pure(n->f->p, a->s->store.value) &&
           race_fixed(n, facts_expand(n->f, a->s->store.value));
}

void race_report(RaceLoop *n, const Access *a, const Access *b, const Access *at,
                 const int64_t *mine, const int64_t *theirs, bool maybe)
{
    Facts *f = n->f;
    Ctx *c = &f->p->ctx;
    n->told[buf_root(f->p, a->buf)] = true;
    n->doubt = true; /* if it is a warning, a run shows */
    const char *i = facts_values(f, NULL, n->npar, mine);
    const char *j = facts_values(f, NULL, n->npar, theirs);
    bool writes = b->mode & Awrite;
    Err e = race_two_ways(a, b) ? maybe || n->chosen ? E_race_updates_maybe : E_race_updates
                 : n->chosen && !writes                     ? E_race_read_maybe
                 : maybe || n->chosen || (writes && race_one_value(n, a, b)) ? E_race_maybe
                 : !writes                            ? E_race_read
                 : race_updates(f, a)                      ? E_race_accum
                                                      : E_race_write;
    if (e == E_race_read || e == E_race_read_maybe) /* the reader comes first */
        diag(c, e, b->s->loc, looptext(n, a, b), j, i, elementtext(f, at), NULL);
    else
        diag(c, e, a->s->loc, looptext(n, a, b), i, j, elementtext(f, at), NULL);
}

static void report_race(RaceLoop *n, const Access *a, const Access *b, bool maybe)
{
    for (int side = 0; side < 2; side++) {
        race_side(n, side);
        for (int i = 0; i < n->npar; i++)
            n->iter[side][i] = n->f->env[n->par[i]];
    }
    race_side(n, a->tile);
    race_report(n, a, b, a->tile ? b : a, n->iter[0], n->iter[1], maybe);
}

/* Pairs ---------------------------------------------------------------- */

static bool race_shared(const Facts *f, const Access *a)
{
    int sc = f->p->buf[a->buf].scope;
    return sc == SCglobal || sc == SCshared || sc == SCfragment;
}

static bool race_scalar(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return x->op == Xvar && p->var[x->sym].kind == Vscalar;
}

/* Does a number of the call decide where a lies, or whether it happens?  One value that
 * race_size.c chooses for it says nothing of others. */
static bool race_placed(const Facts *f, const Access *a)
{
    bool is = false;
    for (int d = 0; d < a->ndim && !is; d++)
        is = ex_any(f->p, a->idx[d], race_scalar, f->p);
    for (const Guard *g = a->guard; g && !is; g = g->up)
        is = g->cond && ex_any(f->p, g->cond, race_scalar, f->p);
    return is;
}

/* Nothing said that a and b are apart, and nothing was reported. */
static void race_left_open(RaceLoop *n, const Access *a, const Access *b)
{
    bool gave_up = n->gave_up;
    if (n->open)
        return;
    if (n->work <= 0) {
        n->gave_up = true;
        return;
    }
    n->work -= 16; /* as much as a pair that is soon decided */
    if (!n->told[buf_root(n->f->p, a->buf)] && !race_apart(n, a, b)) {
        n->open = a;
        n->placed = !n->chosen && !n->placed && (race_placed(n->f, a) || race_placed(n->f, b)) ? a : n->placed;
    }
    n->gave_up = gave_up;
}

/* -> true when something was reported */
static bool race_pair(RaceLoop *n, const Access *a, const Access *b)
{
    if (n->work-- <= 0) {
        n->gave_up = true;
        return false;
    }
    bool gave_up = n->gave_up;
    int r = race_meet(n, a, b);
    if (r == 0)
        return false;
    enum Certainty x = certainty(n, a->guard), y = certainty(n, b->guard);
    if (x == Unknown || y == Unknown) {
        race_left_open(n, a, b);
        return false;
    }
    if (r > 0) {
        race_side(n, false);
        int mine = facts_holds(n->f, a->guard);
        race_side(n, true);
        int theirs = facts_holds(n->f, b->guard);
        bool certain = mine > 0 && theirs > 0;
        if (certain || (mine && theirs && b->mode & Awrite && !race_one_value(n, a, b))) {
            report_race(n, a, b, !certain);
            return true;
        }
    }
    int met = -1;
    if (x == Computed && y == Computed) {
        n->gave_up = gave_up; /* to enumerate them decides as well */
        met = race_enumerate(n, a, b);
    }
    if (met < 0 && !n->gave_up)
        race_left_open(n, a, b);
    return met > 0;
}

bool race_two_ways(const Access *a, const Access *b)
{
    return a->mode & b->mode & Aatomic && a->mode & b->mode & Awrite && a->update && b->update &&
           a->update != b->update;
}

/* Is it no matter how a, a write, and b fall together?  Both are atomic and not race_two_ways(), or b
 * is what an atomic one reads, whose write says the same; an atomic write is looked at from the side
 * of a plain one. */
static bool race_atomics(const Access *a, const Access *b)
{
    if (a->mode & Aatomic)
        return b->mode & (Aatomic | Awrite) && !race_two_ways(a, b);
    return b->mode & Aatomic && !(b->mode & Awrite);
}

static void shared_elements(RaceLoop *n)
{
    Facts *f = n->f;
    const CheckFrame *fr = n->frame;
    for (uint32_t i = fr->first; i < fr->last && !check_full(f); i++) {
        const Access *a = &f->a[i];
        bool told = n->again && n->told[buf_root(f->p, a->buf)];
        if (!(a->mode & Awrite) || !race_shared(f, a))
            continue;
        for (uint32_t j = fr->first; j < fr->last && !told; j++) {
            const Access *b = &f->a[j];
            if (buf_root(f->p, b->buf) != buf_root(f->p, a->buf) || race_atomics(a, b) ||
                (b->mode & Awrite && !((a->mode ^ b->mode) & Aatomic) && j < i) ||
                (b->mode & Aread && b->s == a->s && race_updates(f, a) &&
                 memcmp(a->idx, b->idx, sizeof a->idx) == 0))
                continue; /* seen from the other side; or the same as the write */
            if (n->unsized)
                race_left_open(n, a, b);
            else
                told = race_pair(n, a, b);
        }
    }
}

/* Private variables that live longer than an iteration. */
static void private_values(RaceLoop *n)
{
    Facts *f = n->f;
    const CheckFrame *fr = n->frame;
    for (uint32_t i = fr->first; i < fr->last && !check_full(f); i++) {
        const Access *a = &f->a[i];
        uint32_t root = buf_root(f->p, a->buf);
        bool first = a->mode & Aread && !race_shared(f, a) && f->born[root] <= fr->begin,
             later = false;
        for (uint32_t j = fr->first; j < fr->last && first; j++)
            if (buf_root(f->p, f->a[j].buf) == root) {
                first = j >= i || !(f->a[j].mode & (Awrite | Aread));
                later = later || (j > i && f->a[j].mode & Awrite);
            }
        if (first && later)
            diag(&f->p->ctx, E_race_carried, a->s->loc, f->p->buf[a->buf].name, NULL);
    }
}

static bool race_open_parloop(RaceLoop *n, const CheckFrame *fr)
{
    n->frame = fr;
    n->npar = 0;
    for (const Stmt *s = fr->s; s && s->kind == Sfor && s->loop.kind == Fparallel;
         s = s->loop.body && !s->loop.body->next ? s->loop.body : NULL)
        for (int i = 0; i < s->loop.n; i++) {
            if (!n->f->dom[s->loop.var[i]].exact && !n->unsized)
                return false;
            agrow(&n->f->p->ctx, &n->par, &n->cappar, (uint32_t)n->npar + 1, sizeof *n->par);
            n->par[n->npar++] = s->loop.var[i];
        }
    for (int side = 0; side < 2; side++)
        agrow(&n->f->p->ctx, &n->iter[side], &n->capiter[side], (uint32_t)n->npar, sizeof *n->iter[side]);
    return true;
}

/* Blocks --------------------------------------------------------------- */

bool race_open_blocks(RaceLoop *n, const CheckFrame *launch)
{
    const Stmt *s = launch->s;
    n->frame = launch;
    n->blocks = true;
    n->npar = 0;
    agrow(&n->f->p->ctx, &n->par, &n->cappar, MaxLaunchDim, sizeof *n->par);
    for (int i = 0; i < s->launch.n; i++) {
        if (!n->f->dom[s->launch.block[i]].exact && !n->unsized)
            return false;
        n->par[n->npar++] = s->launch.block[i];
    }
    return true;
}

bool race_loops_run(const Facts *f, const Access *a)
{
    for (const CheckFrame *k = a->in; k && k->s->kind != Slaunch; k = k->up)
        for (int i = 0; k->s->kind == Sfor && i < k->s->loop.n; i++)
            if (k->maybe || !f->dom[k->s->loop.var[i]].exact)
                return false;
    return true;
}

static bool otherblock(const EqSolve *s, const int64_t *lo, const int64_t *hi, void *ud)
{
    const int *nblock = ud;
    (void)s;
    for (int i = 0; i < *nblock; i++)
        if (lo[i] != 0 || hi[i] != 0)
            return true;
    return false;
}

/* Unknowns are differences between one block's and another's values. */
static int unknown_of(EqSolve *s, int64_t reach)
{
    if (s->n == MaxUnknown) {
        s->steps = -1;
        return -1;
    }
    s->lo[s->n] = -reach;
    s->hi[s->n] = reach;
    for (int e = 0; e < MaxEquation; e++)
        s->a[e][s->n] = 0;
    return s->n++;
}

/* Is e the same in all blocks, for all time? */
static bool race_given(Facts *f, Ex e)
{
    for (uint32_t i = 0, n = facts_uses(f, e, 0); i < n; i++)
        if (f->dom[f->uses[i]].moment)
            return false;
    return x_pure(f->p, e);
}

/* Equation d: a's index in one block equals that in another. */
static bool block_terms(Facts *f, EqSolve *s, const Access *a, int d, uint32_t *of)
{
    Affine x;
    int64_t ext = 1;
    if (!affine_of(f, a->idx[d], &x) || (a->tile && !x_isint(f->p, a->extent[d], &ext)))
        return false;
    s->neq = d + 1;
    s->b[d] = 0;
    for (int i = 0; i < x.n; i++)
        if (!x.var[i] && !race_given(f, x.atom[i]))
            return false;
    for (int i = 0; i < x.n; i++) {
        if (!x.var[i])
            continue;
        const Domain *k = &f->dom[x.var[i]];
        int64_t span;
        int j = 0;
        if (k->moment == 0)
            continue; /* a parameter */
        while (j < s->n && of[j] != x.var[i])
            j++;
        if (!k->exact || k->step > INT32_MAX || __builtin_sub_overflow(k->hi, k->lo, &span) ||
            (j == s->n && (j = unknown_of(s, span / k->step)) < 0))
            return false;
        of[j] = x.var[i];
        s->a[d][j] = x.coef[i] * k->step;
    }
    if (ext > 1) { /* anywhere within the tile */
        int j = unknown_of(s, ext - 1);
        if (j < 0)
            return false;
        of[j] = 0;
        s->a[d][j] = 1;
    }
    return true;
}

/* What is written, where that is said. */
static Ex race_written(Facts *f, const Access *a)
{
    Ex e = a->s->kind == Sstore ? a->s->store.value : a->s->kind == Sop ? a->s->op.value : 0;
    return e ? facts_expand(f, e) : 0;
}

/* What is written is one value for all blocks. */
static bool blockvalue(Facts *f, const Access *a)
{
    Ex e = race_written(f, a);
    return e && race_given(f, e);
}

typedef struct OfBlock OfBlock;
struct OfBlock { const Facts *f; const Access *a; const Stmt *launch; };

static bool race_of_block(void *ud, Ex e)
{
    const OfBlock *k = ud;
    const Prog *p = k->f->p;
    const Expr *x = &p->ex[e];
    if (x->op == Xload)
        return p->buf[x->sym].scope != SCglobal || buf_root(p, x->sym) == buf_root(p, k->a->buf);
    return x->op == Xvar && k->f->dom[x->sym].moment &&
           (!k->f->dom[x->sym].exact || k->f->dom[x->sym].s == k->launch);
}

/* May what blocks write to one element be the same, as it names no block? */
static bool maybe_same(Facts *f, const Access *a)
{
    OfBlock k = {f, a, frame_find(a->in, Slaunch)->s};
    Ex e = race_written(f, a);
    return e && !ex_any(f->p, e, race_of_block, &k);
}

static void compared_in_part(Facts *f, const Stmt *s)
{
    diag(&f->p->ctx, E_race_part, s->loc, NULL);
}

/* Do the loops around a run as often in each block? */
static bool same_loops(Facts *f, const Access *a)
{
    for (const CheckFrame *k = a->in; k && k->s->kind != Slaunch; k = k->up)
        for (int i = 0; k->s->kind == Sfor && i < k->s->loop.n; i++)
            if (!f->dom[k->s->loop.var[i]].exact &&
                (!race_given(f, facts_expand(f, k->s->loop.lo[i])) ||
                 !race_given(f, facts_expand(f, k->s->loop.hi[i]))))
                return false;
    return true;
}

/* Is a's element, at the values in env, in its buffer?  It may be where that cannot be said. */
static bool in_buffer(const Facts *f, const Access *a)
{
    for (int d = 0; d < a->ndim; d++) {
        int64_t v, size;
        if (x_isint(f->p, f->p->buf[a->buf].shape[d], &size) && x_eval(f->p, a->idx[d], f->env, &v) &&
            (v < 0 || v >= size))
            return false;
    }
    return true;
}

/* Reports that a's writes in two blocks meet, where equations say so. */
static enum RaceBlock check_blocks(RaceLoop *n, const Access *a)
{
    Facts *f = n->f;
    const CheckFrame *fr = frame_find(a->in, Slaunch);
    EqSolve s = {.accept = otherblock, .steps = RaceSteps};
    uint32_t of[MaxUnknown];
    int64_t one[MaxLaunchDim] = {0}, two[MaxLaunchDim] = {0};
    enum { MostBlocks = 1 << 24 };
    if (!fr)
        return RBnone;
    if (a->guard || !same_loops(f, a))
        return RBopen;
    const Stmt *l = fr->s;
    int dims = l->launch.n;
    s.ud = &dims;
    bool counted = true; /* is it known how many blocks there are? */
    for (int i = 0; i < dims; i++) {
        const Domain *k = &f->dom[l->launch.block[i]];
        int j = unknown_of(&s, k->exact ? k->hi : MostBlocks);
        counted &= k->exact;
        of[j] = l->launch.block[i];
    }
    for (int d = 0; d < a->ndim; d++)
        if (!block_terms(f, &s, a, d, of)) {
            if (s.steps < 0)
                compared_in_part(f, a->s);
            return RBopen;
        }
    int meets = blockvalue(f, a) ? 0 : solve(&s);
    if (meets == 1 && !counted)
        return RBopen;
    if (meets != 1) {
        if (s.steps < 0)
            compared_in_part(f, a->s);
        return meets ? RBopen : RBapart;
    }
    for (int i = 0; i < dims; i++) {
        one[i] = s.z[i] < 0 ? -s.z[i] : 0;
        two[i] = one[i] + s.z[i];
    }
    for (uint32_t v = 1; v < f->p->nvar; v++)
        f->env[v] = f->dom[v].exact ? f->dom[v].lo : 0;
    for (int i = 0; i < s.n; i++)
        if (of[i]) {
            const Domain *k = &f->dom[of[i]];
            f->env[of[i]] = k->lo + k->step * (s.z[i] < 0 ? -s.z[i] : 0);
        }
    if (!in_buffer(f, a) || maybe_same(f, a))
        return RBopen;
    n->told[buf_root(f->p, a->buf)] = true;
    diag(&f->p->ctx, E_race_block, a->s->loc, f->p->buf[a->buf].name, facts_values(f, NULL, dims, one),
         facts_values(f, NULL, dims, two), elementtext(f, a), NULL);
    return RBtold;
}

/* ----------------------------------------------------------------------- */

/* One T.Parallel; false: how many iterations it has is not known. */
static bool race_parloop(RaceLoop *n, const CheckFrame *fr)
{
    if (!race_open_parloop(n, fr))
        return false;
    n->gave_up = false;
    shared_elements(n);
    if (!n->unsized)
        private_values(n);
    if (n->gave_up)
        compared_in_part(n->f, fr->s);
    return true;
}

/* What is to be done about a T.Parallel once sizes are chosen, for its first access. */
enum { Done, Unsized, LeftOpen };

/* A T.Parallel as it stands. */
static void parloop_first(RaceLoop *n, const CheckFrame *fr, uint8_t *todo)
{
    union { const Stmt *c; Stmt *s; } u = {.c = fr->s}; /* this is all that checks leave behind */
    n->doubt = false;
    *todo = !race_parloop(n, fr) ? Unsized : n->open ? LeftOpen : Done;
    u.s->loop.open = *todo != Done || n->gave_up || n->doubt;
    n->early = n->early ? n->early : n->open;
    n->open = NULL;
}

/* Those that todo marks: their iterations are counted by a size, or lie in loops that are. For one
 * choice of the sizes, and for one of few and odd ones what that did not tell of. */
static void parloops_sized(RaceLoop *n, const uint8_t *todo)
{
    Facts *f = n->f;
    const Access *open = NULL;
    size_t size = f->p->nvar * sizeof *f->dom;
    Domain *dom = memcpy(anew(&f->p->ctx, size), f->dom, size);
    for (enum RaceSizes which = RSmany; which <= RSfew; which++) {
        memcpy(f->dom, dom, size);
        n->chosen = race_choose(f, which);
        for (uint32_t k = 0; k < f->n && !check_full(f); k++) {
            const CheckFrame *fr = todo[k] ? frame_parallel(f->a[k].in) : NULL;
            n->again = todo[k] == LeftOpen || which == RSfew;
            if (!fr || (n->chosen ? race_parloop(n, fr) : n->again))
                continue;
            n->unsized = true;
            race_parloop(n, fr);
            n->unsized = false;
        }
        if (which == RSmany)
            open = !n->chosen && n->early ? n->early : n->open;
        n->open = open;
    }
}

/* Integers of the call that count blocks: some blocks are looked at. */
static int grid_sizes(const Facts *f, SizeGiven *out, int most)
{
    enum { Blocks = 3 };
    const Prog *p = f->p;
    int n = 0;
    for (uint32_t v = 1; v < p->nvar && n < most; v++)
        for (const Stmt *s = p->body; s && p->var[v].kind == Vscalar; s = s->next) {
            bool is = false;
            for (int i = 0; s->kind == Slaunch && i < s->launch.n; i++)
                is |= x_uses(p, s->launch.grid[i], v);
            if (is) {
                out[n++] = (SizeGiven){v, p->var[v].hi < Blocks ? p->var[v].hi : Blocks};
                break;
            }
        }
    return n;
}

/* What only sizes tell of two blocks: said where they meet for each choice of these. */
static void blocks_sized(RaceLoop *n, enum RaceBlock *how, const Domain *dom)
{
    Facts *f = n->f;
    SizeGiven given[MaxDim];
    int ngiven = grid_sizes(f, given, MaxDim);
    for (int row = 0; row < RaceRows; row++) {
        memcpy(f->dom, dom, f->p->nvar * sizeof *f->dom);
        n->chosen = race_choose_row(f, row, given, ngiven);
        if (!n->chosen)
            return;
        race_blocks_sized(n, how, row == RaceRows - 1);
    }
}

void check_race(Facts *f)
{
    const CheckFrame *last = NULL;
    Ctx *c = &f->p->ctx;
    RaceLoop *n = anew(c, sizeof *n);
    uint8_t *todo = anew(c, f->n + 1);
    enum RaceBlock *how = anew(c, (f->n + 1) * sizeof *how);
    n->f = f;
    n->told = anew(c, f->p->nbuf * sizeof *n->told);
    n->points = MaxAllPoints;
    n->work = MaxWork;
    for (uint32_t k = 0; k < f->n && !check_full(f); k++) {
        const Access *a = &f->a[k];
        const CheckFrame *fr = frame_parallel(a->in);
        if (fr && fr != last) {
            last = fr;
            parloop_first(n, fr, &todo[k]);
        }
        if (a->mode == Awrite && f->p->buf[a->buf].scope == SCglobal)
            how[k] = check_blocks(n, a);
    }
    race_blocks(n, how);
    size_t size = f->p->nvar * sizeof *f->dom;
    Domain *dom = memcpy(anew(c, size), f->dom, size);
    blocks_sized(n, how, dom);
    race_open_launches(n, how);
    memcpy(f->dom, dom, size);
    n->blocks = false;
    parloops_sized(n, todo);
    memcpy(f->dom, dom, size);
    race_say_open(n);
}
