/* core/lower/flatten/frag.c: elements of fragments used outside of nests.
 *
 * A fragment's element is in the registers of some threads; a statement that
 * all threads execute cannot name it.  A store becomes a nest over the whole
 * fragment that writes where the indices agree; an effect on memory becomes
 * such a nest too when all its elements stand at one index.  Any other load
 * goes through shared memory: one element, copied by its owner just before, or
 * the whole fragment where the index runs with loops around, copied in front
 * of the outermost loop that leaves the fragment alone. */
#include <string.h>

#include "flatten.h"

/* A place in the program where statements can be put in front of s, which is cut off from what
 * follows it. */
typedef struct Place Place;
struct Place {
    Stmt *s, *pre;
    Place *up;
    Stmt *rest;
};

typedef struct Frags Frags;
struct Frags {
    Low *l;
    Place *in;        /* the statements around, innermost first */
    Stmt *again;      /* what a while loop has to do again at its end */
    const Ex *same;   /* while an owner's nest is made: index of its element .. */
    uint32_t buf;     /* .. of any fragment with the shape of this one */
    const Ex *var;    /* .. and the nest's variables */
};

static bool has_fragment(Prog *p, const Stmt *s) { return stmt_any(p, s, low_of_fragment, p); }

/* Nests over a fragment ------------------------------------------------- */

static bool is_point(const Prog *p, uint32_t buf)
{
    int64_t v;
    for (int d = 0; d < p->buf[buf].ndim; d++)
        if (!x_isint(p, p->buf[buf].shape[d], &v) || v != 1)
            return false;
    return true;
}

/* for at in parallel(shape of buf) do, left open */
static void open_nest(Low *l, uint32_t buf, Ex *at)
{
    static const char *const names[MaxLoop] = {"i", "j", "k", "l", "m", "n", "o", "q"};
    Prog *p = l->p;
    int n = p->buf[buf].ndim;
    Ex lo[MaxLoop] = {0}, hi[MaxLoop] = {0};
    for (int d = 0; d < n; d++) {
        lo[d] = low_i(l, 0);
        hi[d] = p->buf[buf].shape[d];
    }
    Stmt *s = s_for(p, Fparallel, lo, hi, n, 0, names);
    for (int d = 0; d < n; d++)
        at[d] = x_var(p, s->loop.var[d]);
}

static Ex agrees(Low *l, uint32_t buf, const Ex *at, const Ex *idx)
{
    Prog *p = l->p;
    Ex all = x_int(p, DTbool, 1);
    if (!is_point(p, buf))
        for (int d = 0; d < p->buf[buf].ndim; d++)
            all = x_bin(p, Xand, all, x_bin(p, Xeq, at[d], idx[d]));
    return all;
}

/* Staging --------------------------------------------------------------- */

typedef struct Find { const Prog *p; uint32_t root; } Find;

static bool leaves(Stmt *s, void *ud)
{
    const Find *f = ud;
    if (s->kind == Sstore)
        return buf_root(f->p, s->store.buf) != f->root;
    if (s->kind == Sop)
        for (int i = 0; i < opinfo[s->op.op].nregion; i++)
            if (opinfo[s->op.op].regions[i] != 'r' && s->op.r[i].buf &&
                buf_root(f->p, s->op.r[i].buf) == f->root)
                return false;
    return s->kind != Salloc || s->alloc.buf != f->root;
}

/* Do blocks of k, or what follows the place in its block that we come from? */
static bool writes(Prog *p, const Place *k, const Place *from, uint32_t root)
{
    Stmt *b[2];
    Find f = {p, root};
    if (from && !stmt_walk(from->rest, leaves, &f))
        return true;
    for (int i = 0, n = stmt_blocks(k->s, b); i < n; i++)
        if (!stmt_walk(b[i], leaves, &f))
            return true;
    return false;
}

/* Does an index name a variable of a loop between here and place k? */
static bool runs_in(const Prog *p, const Place *from, const Place *k, const Ex *idx, int n)
{
    for (const Place *q = from; q; q = q->up) {
        for (int i = 0; q->s->kind == Sfor && i < q->s->loop.n; i++)
            for (int d = 0; d < n; d++)
                if (x_uses(p, idx[d], q->s->loop.var[i]))
                    return true;
        if (q == k)
            return false;
    }
    return false;
}

/* In front of which statement the whole of buf can be copied: the outermost
 * loop around that leaves it alone and whose variables idx uses.  NULL: none. */
static Place *outside(Frags *f, uint32_t buf, const Ex *idx)
{
    Prog *p = f->l->p;
    Place *best = NULL, *from = NULL;
    uint32_t root = buf_root(p, buf);
    for (Place *k = f->in; k; from = k, k = k->up) {
        if (writes(p, k, from, root))
            break;
        if ((k->s->kind == Sfor || k->s->kind == Swhile) &&
            runs_in(p, f->in, k, idx, p->buf[buf].ndim))
            best = k;
    }
    return best;
}

static uint32_t shared_like(Frags *f, uint32_t buf, bool whole)
{
    Low *l = f->l;
    Buf b = l->p->buf[buf];
    Ex one = low_i(l, 1);
    const char *name = afmt(&l->p->ctx, "%s_s", b.name);
    uint32_t sh = low_sharedbuf(l, (enum Dtype)b.dt, name, whole ? b.shape : &one,
                                whole ? b.ndim : 1);
    l->p->buf[sh].stage = true;
    return sh;
}

static uint32_t stage_whole(Frags *f, uint32_t buf, Place *k)
{
    Low *l = f->l;
    Ex at[MaxLoop];
    uint32_t sh = shared_like(f, buf, true);
    low_begin(l, k->s->loc);
    open_nest(l, buf, at);
    low_put(l, low_store(l, sh, at, low_load(l, buf, at)));
    s_close(l->p);
    k->pre = low_append(k->pre, low_end(l));
    return sh;
}

static Stmt *stage_one(Frags *f, uint32_t sh, uint32_t buf, const Ex *idx, Loc loc)
{
    Low *l = f->l;
    Ex at[MaxLoop], zero = low_i(l, 0);
    low_begin(l, loc);
    open_nest(l, buf, at);
    Ex here = agrees(l, buf, at, idx);
    low_put(l, low_if(l, here, low_store(l, sh, &zero, low_load(l, buf, at)), NULL));
    s_close(l->p);
    return low_end(l);
}

/* One load, its index free of fragments already. */
static Ex staged(Low *l, Ex e, void *ud)
{
    Frags *f = ud;
    Prog *p = l->p;
    Expr x = *ex_at(p, e);
    if (x.op != Xload || !low_fragment(p, x.sym))
        return e;
    if (f->same && p->buf[x.sym].ndim == p->buf[f->buf].ndim &&
        memcmp(p->buf[x.sym].shape, p->buf[f->buf].shape, x.n * sizeof(Ex)) == 0 &&
        memcmp(x.arg, f->same, x.n * sizeof(Ex)) == 0)
        return low_load(l, x.sym, f->var);
    Place *k = outside(f, x.sym, x.arg);
    l->needs.copies |= k != NULL;
    if (k && !l->thrift.tight)
        return low_load(l, stage_whole(f, x.sym, k), x.arg);
    Ex zero = low_i(l, 0);
    uint32_t sh = shared_like(f, x.sym, false);
    Stmt *s = f->in->s;
    f->in->pre = low_append(f->in->pre, stage_one(f, sh, x.sym, x.arg, s->loc));
    if (s->kind == Swhile)
        f->again = low_append(f->again, stage_one(f, sh, x.sym, x.arg, s->loc));
    return low_load(l, sh, &zero);
}

/* Statements ------------------------------------------------------------ */

typedef struct Pick { const Prog *p; Ex e; } Pick;

/* The first fragment load in e. */
static bool pick(void *ud, Ex e)
{
    Pick *k = ud;
    const Expr *x = &k->p->ex[e];
    if (x->op == Xload && low_fragment(k->p, x->sym))
        k->e = e;
    return k->e == 0;
}

/* s, an effect of its own, in a nest over fragment buf, where the nest's
 * variables equal idx. */
static Stmt *owner(Frags *f, Stmt *s, uint32_t buf, const Ex *idx)
{
    Low *l = f->l;
    Ex at[MaxLoop], want[MaxDim];
    int n = l->p->buf[buf].ndim;
    memcpy(want, idx, (size_t)n * sizeof *want);
    low_begin(l, s->loc);
    open_nest(l, buf, at);
    f->same = want;
    f->buf = buf;
    f->var = at;
    low_map_own(l, s, staged, f);
    f->same = NULL;
    for (int d = 0; d < n; d++)
        want[d] = low_mapx(l, want[d], staged, f);
    if (s->kind == Sstore && s->store.buf == buf)
        memcpy(s->store.idx, at, (size_t)n * sizeof *at);
    low_put(l, low_if(l, agrees(l, buf, at, want), s, NULL));
    s_close(l->p);
    return low_end(l);
}

static bool effect(const Prog *p, const Stmt *s)
{
    return (s->kind == Sstore && !flat_private(p, s->store.buf)) || s->kind == Sprint ||
           s->kind == Sassert || (s->kind == Satomic && !s->atomic.prev);
}

static Stmt *rewrite(Frags *f, Stmt *s)
{
    Prog *p = f->l->p;
    if (s->kind == Sstore && low_fragment(p, s->store.buf))
        return owner(f, s, s->store.buf, s->store.idx);
    Pick k = {p, 0};
    if (effect(p, s)) {
        stmt_ex_each(p, s, pick, &k);
        Expr x = *ex_at(p, k.e);
        return owner(f, s, x.sym, x.arg);
    }
    low_map_own(f->l, s, staged, f);
    return s;
}

static void block(Frags *f, Stmt **at);

void flat_before_continue(Low *l, Stmt **at, const Stmt *again)
{
    for (; *at; at = &(*at)->next) {
        Stmt *s = *at;
        if (s->kind == Scontinue) {
            *at = low_append(low_renew(l, low_clone(l, again)), s);
            while (*at != s)
                at = &(*at)->next;
        } else if (s->kind == Sif) {
            flat_before_continue(l, &s->cond.then, again);
            flat_before_continue(l, &s->cond.els, again);
        }
    }
}

/* Statements in front of s; a loop with order and stage lists counts s and
 * them as one. */
static Stmt *joined(Low *l, Stmt *pre, Stmt *s, bool one)
{
    if (!pre)
        return s;
    Stmt *all = low_append(pre, s);
    if (!one)
        return all;
    Stmt *g = anew(&l->p->ctx, sizeof *g);
    g->kind = Sif;
    g->loc = s->loc;
    g->cond.cond = x_int(l->p, DTbool, 1);
    g->cond.then = all;
    return g;
}

static bool no_store(Stmt *s, void *ud)
{
    return s->kind != Sstore || !low_fragment(ud, s->store.buf);
}

static bool stores_fragment(Prog *p, Stmt *s) { return !stmt_walk(s->loop.body, no_store, p); }

static void block(Frags *f, Stmt **at)
{
    Low *l = f->l;
    Stmt **b[2];
    while (*at) {
        Stmt *s = *at, *next = s->next;
        Place here = {s, NULL, f->in, next};
        bool nest = s->kind == Sfor && s->loop.kind == Fparallel;
        if (s->kind == Sfor && s->loop.kind == Fvectorized && stores_fragment(l->p, s)) {
            s->loop.kind = Fparallel; /* lanes of a vector are independent too */
            s->loop.step = 0;
            nest = true;
        }
        bool listed = f->in && f->in->s->kind == Sfor &&
                      (f->in->s->loop.norder || f->in->s->loop.nstage);
        bool sets = s->kind == Sstore && low_fragment(l->p, s->store.buf);
        s->next = NULL;
        f->in = &here;
        Stmt *out = s, *again = NULL;
        if (!nest && (sets || has_fragment(l->p, s))) {
            f->again = NULL;
            out = rewrite(f, s);
            again = f->again;
        }
        if (again) {
            flat_before_continue(l, &s->whil.body, again);
            s->whil.body = low_append(s->whil.body, low_renew(l, again));
        }
        for (int i = 0, n = nest ? 0 : low_blocks(s, b); i < n; i++)
            block(f, b[i]);
        f->in = here.up;
        *at = joined(l, here.pre, out, listed && s->kind != Slet);
        while (*at)
            at = &(*at)->next;
        *at = next;
    }
}

void flat_fragments(Low *l)
{
    Frags f = {.l = l};
    block(&f, &l->launch->launch.body);
}
