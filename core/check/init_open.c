/* core/check/init_open.c: reads that a write comes before for some values alone.
 *
 *     if flag[0] ~= 0 then T.copy(X, s) end
 *     T.copy(s, C)
 *
 * init.c takes a write under a condition for one that happens, and looks at the least and the
 * greatest index alone.  Most reads are soon settled here: a write of the whole tile comes first, or
 * one of the same elements, under the same conditions, in loops with the same bounds.  For the others
 * init_cover.c compares elements.  What it cannot, as they are too many, counts as written where
 * conditions are made of sizes and indices; several writes count together where one of them happens
 * whatever the data are (`if` and `else`).
 *
 * What is left is told, once a kernel: where values in memory or of the call decide, by a note, for
 * targets that do not find out. */
#include <string.h>

#include "core/ir/eval.h"
#include "err/check.h"
#include "init_open.h"

/* Values of data ----------------------------------------------------------- */

static bool open_from_memory(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    const Var *v = x->op == Xvar ? &p->var[x->sym] : NULL;
    return x->op == Xload || (v && v->kind == Vlet && !v->value) ||
           (v && v->kind == Vscalar && dtype_isfloat(v->dt));
}

bool open_by_data(OpenInit *t, Ex e)
{
    Prog *p = t->f->p;
    if (!e)
        return false;
    agrow(&p->ctx, &t->data, &t->capdata, e + 1, sizeof *t->data);
    if (!t->data[e])
        t->data[e] = ex_any_let(p, e, open_from_memory, p) ? 1 : 2;
    return t->data[e] == 1;
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

bool open_stored(const Facts *f, Ex cond, uint32_t from, uint32_t to)
{
    OpenBetween k = {f, from, to};
    return from < to && ex_any_let(f->p, cond, stored_between, &k);
}

/* Does it follow from known (known_not: from its contrary)?  Of `a and b`, of `not (a or b)`, each
 * part does. */
static bool follows(const Prog *p, Ex known, bool known_not, Ex cond, bool not)
{
    if (known == cond && known_not == not)
        return true;
    const Expr *x = ex_at(p, known);
    return known && x->op == (known_not ? Xor : Xand) &&
           (follows(p, x->arg[0], known_not, cond, not) || follows(p, x->arg[1], known_not, cond, not));
}

bool open_guarded(const Facts *f, const Access *a, Ex cond, bool not)
{
    const Expr *x = ex_at(f->p, cond);
    for (const Guard *g = a->guard; g; g = g->up)
        if (follows(f->p, g->cond, g->not, cond, not))
            return true;
    return x->op == (not ? Xor : Xand) && open_guarded(f, a, x->arg[0], not) &&
           open_guarded(f, a, x->arg[1], not);
}

bool open_held(OpenInit *t, const Access *w, const Access *r, Ex cond, bool not)
{
    const Facts *f = t->f;
    return (open_guarded(f, r, cond, not) || open_guarded(f, r, as_of_read(f, w, r, cond), not)) &&
           !open_stored(f, cond, (uint32_t)(w - f->a), (uint32_t)(r - f->a));
}

/* Loops -------------------------------------------------------------------- */

typedef struct OpenLeaves OpenLeaves;
struct OpenLeaves { const Stmt *to; bool seen, left, later; };

static bool where_left(Stmt *s, void *ud)
{
    OpenLeaves *k = ud;
    k->seen |= s == k->to;
    k->left |= !k->seen && (s->kind == Sbreak || s->kind == Scontinue);
    k->later |= k->seen && s->kind == Sbreak;
    return true;
}

static bool moves_by(const Prog *p, const Access *w, const Stmt *s, uint32_t v)
{
    bool is = false;
    for (int d = 0; d < w->ndim; d++)
        is |= x_uses(p, w->idx[d], v) || (w->tile && x_uses(p, w->extent[d], v));
    for (const CheckFrame *k = w->in; k && k->s != s; k = k->up)
        for (int i = 0; k->s->kind == Sfor && i < k->s->loop.n; i++)
            is |= x_uses(p, k->s->loop.lo[i], v) || x_uses(p, k->s->loop.hi[i], v);
    return is;
}

/* Is what w writes another place in each round of loop s? */
static bool moves_with(const Prog *p, const Access *w, const Stmt *s)
{
    bool is = false;
    for (int i = 0; i < s->loop.n; i++)
        is |= moves_by(p, w, s, s->loop.var[i]);
    return is;
}

bool open_around(const CheckFrame *in, const CheckFrame *k)
{
    while (in && in != k)
        in = in->up;
    return in != NULL;
}

bool open_loops_bring(OpenInit *t, const Access *w, const Access *r)
{
    for (const CheckFrame *k = w->in; k && !open_around(r->in, k); k = k->up) {
        const Stmt *s = k->s;
        if (s->kind == Swhile)
            return false;
        for (int i = 0; s->kind == Sfor && i < s->loop.n; i++)
            if (open_by_data(t, s->loop.lo[i]) || open_by_data(t, s->loop.hi[i]))
                return false;
        OpenLeaves leaves = {.to = w->s};
        if (s->kind == Sfor && k->maybe) {
            stmt_walk(s->loop.body, where_left, &leaves);
            if (leaves.left || (leaves.later && moves_with(t->f->p, w, s)))
                return false;
        }
    }
    return true;
}

/* Does w write another place than r reads, as far as data say? */
static bool elsewhere(OpenInit *t, const Access *w, const Access *r)
{
    for (int d = 0; d < w->ndim; d++)
        if ((open_by_data(t, w->idx[d]) || (w->tile && open_by_data(t, w->extent[d]))) &&
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
        if (!g->cond || !open_by_data(t, g->cond) || open_held(t, w, r, g->cond, g->not))
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

/* Without a look at elements: the write that the read at access r rests on, where it may be
 * missing; NULL: it is not. */
static const Access *rests_on(OpenInit *t, uint32_t r)
{
    const Facts *f = t->f;
    const Access *a = &f->a[r], *w[MaxWrites], *found = NULL;
    OpenCase k = {.n = 0};
    Ex cond;
    int n = 0;
    for (uint32_t i = t->first[buf_root(f->p, a->buf)]; i && i - 1 < r && n < MaxWrites; i = t->next[i - 1]) {
        const Access *b = &f->a[i - 1];
        if (!(b->mode & Awrite))
            continue;
        found = found ? found : b;
        if (!open_loops_bring(t, b, a) || elsewhere(t, b, a))
            continue;
        w[n++] = b;
        if (open_write(t, b, a, &k, &cond) == OWhappens)
            return NULL;
    }
    return found && n < MaxWrites && !open_covered(t, w, n, a, &k) ? found : NULL;
}

/* Moves --------------------------------------------------------------------- */

const Access *open_moves(const Facts *f, const Access *r)
{
    const Prog *p = f->p;
    const Stmt *s = r->s;
    int scope = p->buf[r->buf].scope;
    if (scope == SCshared || scope == SCglobal || (s->kind != Sstore && s->kind != Sop) ||
        (s->kind == Sop && s->op.op != Ocopy))
        return NULL;
    if (s->kind == Sstore) {
        const Expr *x = ex_at(p, s->store.value);
        while (x->op == Xcast)
            x = ex_at(p, x->arg[0]);
        if (x->op != Xload || buf_root(p, x->sym) != buf_root(p, r->buf) || r[1].s != s)
            return NULL;
    }
    for (const Access *w = r; w < f->a + f->n && w->s == s; w++)
        if (w->mode == Awrite && p->buf[w->buf].scope != SCglobal)
            return w;
    return NULL;
}

/* What settles most ------------------------------------------------------- */

/* The loop around w that declares var and has it go from 0 to size - 1; NULL. */
static const CheckFrame *goes_over(const Prog *p, const Access *w, uint32_t var, int64_t size)
{
    int64_t lo, hi;
    for (const CheckFrame *k = w->in; k; k = k->up)
        for (int i = 0; k->s->kind == Sfor && !k->s->loop.step && i < k->s->loop.n; i++)
            if (k->s->loop.var[i] == var)
                return x_isint(p, k->s->loop.lo[i], &lo) && x_isint(p, k->s->loop.hi[i], &hi) &&
                       lo == 0 && hi == size ? k : NULL;
    return NULL;
}

static bool open_of_thread(void *ud, Ex e)
{
    const Expr *x = ex_at(ud, e);
    return x->op == Xcall && intr_fleeting(x->sym);
}

/* Is e one number in all rounds of the loops from k inwards? */
static bool steady_in(Facts *f, const CheckFrame *k, Ex e)
{
    if (open_stored(f, e, k->first, k->last) || ex_any_let(f->p, e, open_of_thread, f->p))
        return false;
    for (uint32_t i = 0, n = facts_uses(f, e, 0); i < n; i++)
        if (f->dom[f->uses[i]].moment >= k->begin)
            return false;
    return true;
}

/* The loop's variable v where e is k*v and what is one number in all rounds, so that it comes to each
 * of 0 .. size - 1 once; 0: it is none such.
 *     (v + J[0]) % 64     (5*v - n) % 64     v ~ (J[0] & 63) */
static uint32_t permuted(Facts *f, const Access *w, Ex e, int64_t size)
{
    Prog *p = f->p;
    const Expr x = *ex_at(p, e);
    const CheckFrame *k = NULL;
    int64_t m, lo, hi;
    Affine sum;
    bool binary = (size & (size - 1)) == 0;
    for (int i = 0; x.op == Xbxor && binary && i < 2; i++) {
        const Expr *v = ex_at(p, x.arg[i]);
        if (v->op == Xvar && (k = goes_over(p, w, v->sym, size)) != NULL &&
            x_range(p, x.arg[!i], &lo, &hi) && lo >= 0 && hi < size && steady_in(f, k, x.arg[!i]))
            return v->sym;
    }
    if (x.op != Xfmod || !x_isint(p, x.arg[1], &m) || m != size || !affine_of(f, x.arg[0], &sum) ||
        (!binary && !x_whole(p, x.arg[0]))) /* a wrapped sum is another one modulo what is no power of 2 */
        return 0;
    uint32_t var = 0;
    int64_t coef = 0;
    for (int i = 0; i < sum.n; i++) {
        const CheckFrame *in = sum.var[i] ? goes_over(p, w, sum.var[i], size) : NULL;
        if (!in)
            continue;
        if (k)
            return 0;
        k = in;
        var = sum.var[i];
        coef = sum.coef[i];
    }
    for (int i = 0; i < sum.n && k; i++)
        if (sum.var[i] != var && !steady_in(f, k, sum.atom[i]))
            return 0;
    return k && eval_gcd(coef, size) == 1 ? var : 0;
}

/* Is dimension d of the buffer written from end to end, by an extent or, then *var, by that loop's
 * variable? */
static bool whole_dim(Facts *f, const Access *w, int d, uint32_t *var)
{
    const Prog *p = f->p;
    int64_t at, ext, size;
    const Expr *x = ex_at(p, w->idx[d]);
    *var = 0;
    if (!x_isint(p, p->buf[w->buf].shape[d], &size))
        return false;
    if (x_isint(p, w->idx[d], &at))
        return at == 0 && (w->tile ? x_isint(p, w->extent[d], &ext) && ext == size : size == 1);
    if (x->op == Xvar)
        *var = goes_over(p, w, x->sym, size) ? x->sym : 0;
    else if (!w->tile)
        *var = permuted(f, w, w->idx[d], size);
    return *var != 0;
}

/* Is v the variable of a loop around a? */
static bool open_loop_of(const Access *a, uint32_t v)
{
    for (const CheckFrame *k = a->in; k; k = k->up)
        for (int i = 0; k->s->kind == Sfor && i < k->s->loop.n; i++)
            if (k->s->loop.var[i] == v)
                return true;
    return false;
}

/* Has each loop around w that is not around r a round, whatever the values are? */
static bool surely_runs(OpenInit *t, const Access *w, const Access *r)
{
    Prog *p = t->f->p;
    int64_t least, most;
    for (const CheckFrame *k = w->in; k && !open_around(r->in, k); k = k->up)
        for (int i = 0; k->s->kind == Sfor && i < k->s->loop.n; i++) {
            Ex n = x_bin(p, Xsub, k->s->loop.hi[i], k->s->loop.lo[i]);
            if (k->s->loop.step || !x_range(p, n, &least, &most) || least < 1)
                return false;
        }
    return true;
}

/* Is each dimension written from end to end by w, each by another variable? */
static bool whole_dims(Facts *f, const Access *w, uint32_t *var)
{
    for (int d = 0; d < w->ndim; d++) {
        if (!whole_dim(f, w, d, &var[d]))
            return false;
        for (int e = 0; e < d && var[d]; e++)
            if (var[e] == var[d])
                return false;
    }
    return true;
}

/* How w, without a condition, comes to all of its storage; looked at once. */
static enum OpenWhole how_whole(OpenInit *t, const Access *w)
{
    uint8_t *is = &t->whole[w - t->f->a];
    uint32_t var[MaxDim];
    if (*is == OHopen)
        *is = w->guard                      ? OHnot
              : whole_dims(t->f, w, var)    ? OHloops
              : open_whole(t, w)            ? OHpoints
                                            : OHnot;
    return *is;
}

/* Does it go on behind r until it has been everywhere: is a loop around r one that decides where? */
static bool goes_on(OpenInit *t, const Access *w, const Access *r, enum OpenWhole how)
{
    Facts *f = t->f;
    uint32_t var[MaxDim];
    bool on = how == OHloops && !whole_dims(f, w, var);
    for (int d = 0; d < w->ndim && how == OHloops; d++)
        on |= var[d] && open_loop_of(r, var[d]);
    for (const CheckFrame *k = how == OHpoints ? r->in : NULL; k; k = k->up)
        for (int i = 0; k->s->kind == Sfor && i < k->s->loop.n; i++)
            on |= moves_by(f->p, w, NULL, k->s->loop.var[i]);
    return on;
}

/* Does w write all of its storage, whenever r is reached? */
static bool writes_all(OpenInit *t, const Access *w, const Access *r)
{
    enum OpenWhole how = how_whole(t, w);
    return how != OHnot && open_loops_bring(t, w, r) && surely_runs(t, w, r) &&
           !goes_on(t, w, r, how);
}

/* The loops around a that are not around o, outer first: of MaxLoop at most; -1: there are more, or
 * other frames than loops and conditions. */
static int own_loops(const Access *a, const Access *o, const CheckFrame **loop)
{
    int n = 0;
    for (const CheckFrame *k = a->in; k && !open_around(o->in, k); k = k->up) {
        if (k->s->kind == Sif)
            continue;
        if (k->s->kind != Sfor || k->maybe || n == MaxLoop)
            return -1;
        loop[n++] = k;
    }
    for (int i = 0; i < n / 2; i++) {
        const CheckFrame *k = loop[i];
        loop[i] = loop[n - 1 - i];
        loop[n - 1 - i] = k;
    }
    return n;
}

/* Of w, with the variables of r's loops for those of its own. */
typedef struct OpenAs OpenAs;
struct OpenAs { OpenInit *t; const Access *w, *r; Ex *map; };

static bool as_in_read(OpenAs *k, Ex e, Ex of_read)
{
    Facts *f = k->t->f;
    return e == of_read || (e && of_read && x_subst(f->p, e, k->map, f->p->nvar) == of_read);
}

static bool steady(const OpenAs *k, Ex e)
{
    const Facts *f = k->t->f;
    return !open_stored(f, e, (uint32_t)(k->w - f->a), (uint32_t)(k->r - f->a));
}

static bool loops_as_in_read(OpenAs *k)
{
    const CheckFrame *a[MaxLoop], *b[MaxLoop];
    Prog *p = k->t->f->p;
    int n = own_loops(k->w, k->r, a), m = own_loops(k->r, k->w, b);
    if (n < 0 || n != m)
        return false;
    for (int i = 0; i < n; i++) {
        const Stmt *s = a[i]->s, *r = b[i]->s;
        if (s->loop.n != r->loop.n || !as_in_read(k, s->loop.step, r->loop.step))
            return false;
        for (int j = 0; j < s->loop.n; j++) {
            if (!as_in_read(k, s->loop.lo[j], r->loop.lo[j]) || !steady(k, s->loop.lo[j]) ||
                !as_in_read(k, s->loop.hi[j], r->loop.hi[j]) || !steady(k, s->loop.hi[j]))
                return false;
            if (s->loop.var[j] != r->loop.var[j])
                k->map[s->loop.var[j]] = x_var(p, r->loop.var[j]);
        }
    }
    return true;
}

static bool guarded_as_read(OpenAs *k)
{
    for (const Guard *g = k->w->guard; g; g = g->up) {
        bool is = false;
        for (const Guard *h = k->r->guard; h && !is; h = h->up)
            is = h == g || (h->not == g->not && g->cond && as_in_read(k, g->cond, h->cond) &&
                            steady(k, g->cond));
        if (!is)
            return false;
    }
    return true;
}

/* Does w write what r reads, both in the same loops and under the same conditions? */
static bool writes_same(OpenInit *t, const Access *w, const Access *r)
{
    if (w->buf != r->buf || w->tile != r->tile)
        return false;
    OpenAs k = {t, w, r, t->map};
    bool same = loops_as_in_read(&k) && guarded_as_read(&k);
    for (int d = 0; d < w->ndim && same; d++)
        same = as_in_read(&k, w->idx[d], r->idx[d]) && steady(&k, w->idx[d]) &&
               (!w->tile || (as_in_read(&k, w->extent[d], r->extent[d]) && steady(&k, w->extent[d])));
    for (const CheckFrame *x = w->in; x; x = x->up)
        for (int i = 0; x->s->kind == Sfor && i < x->s->loop.n; i++)
            t->map[x->s->loop.var[i]] = 0;
    return same;
}

/* ------------------------------------------------------------------------- */

/* Is access r settled: written as a whole, in the same way, or by other threads?  What was moved
 * there without having been written takes the place of what was. */
static bool settled(OpenInit *t, uint32_t r)
{
    const Facts *f = t->f;
    const Access *a = &f->a[r];
    uint32_t root = buf_root(f->p, a->buf);
    bool is = t->sure[root] && t->sure[root] - 1 < r;
    if (!is && !t->nmoved && open_written(t, r))
        return true;
    for (uint32_t i = t->first[root]; i && (!is || t->nmoved); i = t->next[i - 1]) {
        const Access *w = &f->a[i - 1];
        if (!(w->mode & Awrite))
            continue;
        if (check_concurrent(f, w, a))
            return true;
        if (i - 1 >= r)
            continue;
        if (t->moved[i - 1]) {
            is = false;
            t->sure[root] = 0;
        } else if (!is && writes_all(t, w, a)) {
            bool always = f->p->buf[root].scope != SCglobal;
            for (const CheckFrame *k = w->in; k && always; k = k->up)
                always = k->s->kind == Slaunch || !open_around(a->in, k);
            t->sure[root] = always ? i : 0;
            is = true;
        } else if (!is) {
            is = writes_same(t, w, a);
        }
    }
    return is;
}

/* Of a new tensor the first access, r: init.c has said whether nothing writes it at all.  Where r is
 * under a condition, what other blocks do later may have been done by then; what nobody ever writes
 * was not. */
static bool open_first(OpenInit *t, uint32_t r)
{
    const Facts *f = t->f;
    const Access *a = &f->a[r];
    OpenFound found = {0};
    if (!a->guard || open_cover(t, r, true, &found) != OSnever)
        return false;
    diag(&t->f->p->ctx, E_out_read, a->s->loc, f->p->buf[a->buf].name, NULL);
    return true;
}

static bool open_tell(OpenInit *t, uint32_t r)
{
    const Facts *f = t->f;
    Ctx *c = &t->f->p->ctx;
    const Access *a = &f->a[r], *to = open_moves(f, a);
    const char *name = f->p->buf[a->buf].name;
    OpenFound found = {0};
    uint32_t root = buf_root(f->p, a->buf);
    if (f->p->buf[root].scope == SCglobal && t->first[root] - 1 >= r)
        return open_first(t, r);
    if (settled(t, r))
        return false;
    enum OpenSay say = open_cover(t, r, false, &found);
    const Access *old = say == OSunknown ? rests_on(t, r) : NULL;
    if (say == OSunknown && (to || !old) && !t->beyond)
        t->beyond = r + 1;
    if (to) {
        t->moved[to - f->a] = say != OSwritten && say != OSunknown;
        t->nmoved += t->moved[to - f->a];
        return false;
    }
    if (old) {
        found.w = old;
        say = OSwrite;
    }
    if (say == OSwrite)
        diag(c, E_init_open, a->s->loc, name, afmt(c, "%u", (unsigned)found.w->s->loc.line), NULL);
    else if (say == OSread)
        diag(c, E_init_place, a->s->loc, name, NULL);
    else if (say == OSsize)
        diag(c, E_init_size, a->s->loc, name, found.element, found.at, NULL);
    else if (say == OSnever && f->p->buf[a->buf].scope == SCglobal)
        diag(c, E_out_read, a->s->loc, name, NULL);
    else if (say == OSnever)
        diag(c, E_init_element, a->s->loc, name, found.element, found.at, NULL);
    return say != OSwritten && say != OSunknown;
}

void check_init_open(Facts *f)
{
    Ctx *c = &f->p->ctx;
    enum { Work = 1 << 22 }; /* half a second */
    OpenInit t = {.f = f, .next = anew(c, (f->n + 1) * sizeof *t.next),
                  .first = anew(c, f->p->nbuf * sizeof *t.first),
                  .whole = anew(c, f->n + 1), .map = anew(c, f->p->nvar * sizeof *t.map),
                  .used = anew(c, f->p->nvar * sizeof *t.used),
                  .dom = anew(c, f->p->nvar * sizeof *t.dom),
                  .sure = anew(c, f->p->nbuf * sizeof *t.sure),
                  .mode = anew(c, f->p->nvar * sizeof *t.mode),
                  .moved = anew(c, f->n + 1), .plan = anew(c, (f->n + 1) * sizeof *t.plan),
                  .store = anew(c, f->p->nbuf * sizeof *t.store),
                  .work = Work};
    open_whole_init(&t);
    open_depends_init(&t);
    bool *fresh = anew(c, f->p->nbuf * sizeof *fresh);
    for (uint32_t b = 1; b < f->p->nbuf; b++)
        fresh[b] = f->p->buf[b].scope != SCglobal && f->p->buf[b].scope != SCbarrier;
    bool told = false; /* by init.c */
    for (const Diag *d = c->diags; d; d = d->next)
        told |= d->err == E_out_read;
    for (uint32_t b = 1; b < f->p->nbuf && !told; b++)
        fresh[b] |= buf_fresh(&f->p->buf[b]);
    for (uint32_t k = f->n; k-- > 0;) {
        uint32_t root = buf_root(f->p, f->a[k].buf);
        t.next[k] = t.first[root];
        t.first[root] = k + 1;
    }
    for (uint32_t k = 0; k < f->n; k++)
        if (f->a[k].mode & Aread && fresh[buf_root(f->p, f->a[k].buf)] && open_tell(&t, k))
            return;
    if (t.beyond) {
        const Access *a = &f->a[t.beyond - 1];
        diag(c, E_init_beyond, a->s->loc, f->p->buf[a->buf].name, NULL);
    }
}
