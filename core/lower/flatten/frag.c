/* core/lower/flatten/frag.c: elements of fragments used outside of parallel loops.
 *
 * A fragment's element is in the registers of some threads; a statement that
 * all threads execute cannot name it.  A store becomes a parallel loop over the whole
 * fragment that writes where the indices agree; an effect on memory, and what is assumed, becomes
 * such a parallel loop too when all its elements stand at one index.  Any other load
 * goes through shared memory: one element, copied by its owner just before, or
 * the whole fragment where the index runs with loops around, copied in front
 * of the outermost loop that leaves the fragment alone. */
#include <string.h>

#include "flatten.h"

/* A place in the program where statements can be put in front of s, which is cut off from what
 * follows it. */
typedef struct FragPlace FragPlace;
struct FragPlace {
    Stmt *s, *pre;
    FragPlace *up;
    Stmt *rest;
};

typedef struct Frags Frags;
struct Frags {
    Low *l;
    FragPlace *in;    /* the statements around, innermost first */
    Stmt *again;      /* what a while loop has to do again at its end */
    const Ex *same;   /* while an owner's parallel loop is made: index of its element .. */
    uint32_t buf;     /* .. of any fragment with the shape of this one */
    const Ex *var;    /* .. and the parallel loop's variables */
};

static bool has_fragment(Prog *p, const Stmt *s) { return stmt_any(p, s, low_of_fragment, p); }

/* Parallel loops over a fragment ------------------------------------------------- */

static bool is_point(const Prog *p, uint32_t buf)
{
    int64_t v;
    for (int d = 0; d < p->buf[buf].ndim; d++)
        if (!x_isint(p, p->buf[buf].shape[d], &v) || v != 1)
            return false;
    return true;
}

/* for at in parallel(shape of buf) do, left open */
static void frag_open_parloop(Low *l, uint32_t buf, Ex *at)
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

static Ex frag_agrees(Low *l, uint32_t buf, const Ex *at, const Ex *idx)
{
    Prog *p = l->p;
    Ex all = x_int(p, DTbool, 1);
    if (!is_point(p, buf))
        for (int d = 0; d < p->buf[buf].ndim; d++)
            all = x_bin(p, Xand, all, x_bin(p, Xeq, at[d], idx[d]));
    return all;
}

/* Staging --------------------------------------------------------------- */

typedef struct FragFind { const Prog *p; uint32_t root; } FragFind;

static bool frag_leaves(Stmt *s, void *ud)
{
    const FragFind *f = ud;
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
static bool written_after(Prog *p, const FragPlace *k, const FragPlace *from, uint32_t root)
{
    Stmt *b[2];
    FragFind f = {p, root};
    if (from && !stmt_walk(from->rest, frag_leaves, &f))
        return true;
    for (int i = 0, n = stmt_blocks(k->s, b); i < n; i++)
        if (!stmt_walk(b[i], frag_leaves, &f))
            return true;
    return false;
}

/* Does an index name a variable of a loop between here and place k? */
static bool runs_in(const Prog *p, const FragPlace *from, const FragPlace *k, const Ex *idx, int n)
{
    for (const FragPlace *q = from; q; q = q->up) {
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
static FragPlace *frag_outside(Frags *f, uint32_t buf, const Ex *idx)
{
    Prog *p = f->l->p;
    FragPlace *best = NULL, *from = NULL;
    uint32_t root = buf_root(p, buf);
    for (FragPlace *k = f->in; k; from = k, k = k->up) {
        if (written_after(p, k, from, root))
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
    low_holds(l, sh, buf);
    return sh;
}

static uint32_t stage_whole(Frags *f, uint32_t buf, FragPlace *k)
{
    Low *l = f->l;
    Ex at[MaxLoop];
    uint32_t sh = shared_like(f, buf, true);
    low_begin(l, k->s->loc);
    frag_open_parloop(l, buf, at);
    low_put(l, low_store(l, sh, at, low_load(l, buf, at)));
    s_close(l->p);
    k->pre = low_append(k->pre, low_end(l));
    return sh;
}

static Stmt *frag_stage_one(Frags *f, uint32_t sh, uint32_t buf, const Ex *idx, Loc loc)
{
    Low *l = f->l;
    Ex at[MaxLoop], zero = low_i(l, 0);
    low_begin(l, loc);
    frag_open_parloop(l, buf, at);
    Ex here = frag_agrees(l, buf, at, idx);
    low_put(l, low_if(l, here, low_store(l, sh, &zero, low_load(l, buf, at)), NULL));
    s_close(l->p);
    return low_end(l);
}

/* One load, its index free of fragments already. */
static Ex frag_staged(Low *l, Ex e, void *ud)
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
    FragPlace *k = frag_outside(f, x.sym, x.arg);
    l->needs.copies |= k != NULL;
    if (k && !l->retry.tight)
        return low_load(l, stage_whole(f, x.sym, k), x.arg);
    Ex zero = low_i(l, 0);
    uint32_t sh = shared_like(f, x.sym, false);
    Stmt *s = f->in->s;
    f->in->pre = low_append(f->in->pre, frag_stage_one(f, sh, x.sym, x.arg, s->loc));
    if (s->kind == Swhile)
        f->again = low_append(f->again, frag_stage_one(f, sh, x.sym, x.arg, s->loc));
    return low_load(l, sh, &zero);
}

/* Statements ------------------------------------------------------------ */

typedef struct Pick { const Prog *p; Ex e; } Pick;

/* The first fragment load in e. */
static bool frag_pick(void *ud, Ex e)
{
    Pick *k = ud;
    const Expr *x = &k->p->ex[e];
    if (x->op == Xload && low_fragment(k->p, x->sym))
        k->e = e;
    return k->e == 0;
}

/* A load whose index is an element of a fragment, too: that one is staged, since the loop of the
 * owner, whose variables it would name, is not around what is staged in front of it. */
static Ex frag_index_staged(Low *l, Ex e, void *ud)
{
    const Expr *x = ex_at(l->p, e);
    if (x->op != Xload || !low_fragment(l->p, x->sym))
        return e;
    uint32_t buf = x->sym;
    int n = x->n;
    Ex idx[MaxDim];
    memcpy(idx, x->arg, (size_t)n * sizeof *idx);
    for (int d = 0; d < n; d++)
        idx[d] = low_mapx(l, idx[d], frag_staged, ud);
    return low_load(l, buf, idx);
}

/* s, an effect of its own, in a parallel loop over fragment buf, where the parallel loop's
 * variables equal idx. */
static Stmt *frag_owner(Frags *f, Stmt *s, uint32_t buf, const Ex *idx)
{
    Low *l = f->l;
    Ex at[MaxLoop], want[MaxDim];
    int n = l->p->buf[buf].ndim;
    memcpy(want, idx, (size_t)n * sizeof *want);
    low_begin(l, s->loc);
    frag_open_parloop(l, buf, at);
    f->same = want;
    f->buf = buf;
    f->var = at;
    low_map_own(l, s, frag_staged, f);
    f->same = NULL;
    for (int d = 0; d < n; d++)
        want[d] = low_mapx(l, want[d], frag_staged, f);
    if (s->kind == Sstore && s->store.buf == buf)
        memcpy(s->store.idx, at, (size_t)n * sizeof *at);
    low_put(l, low_if(l, frag_agrees(l, buf, at, want), s, NULL));
    s_close(l->p);
    return low_end(l);
}

static bool frag_effect(const Prog *p, const Stmt *s)
{
    return (s->kind == Sstore && !vary_private(p, s->store.buf)) || s->kind == Sprint ||
           s->kind == Sassert || s->kind == Sassume || (s->kind == Satomic && !s->atomic.prev);
}

static Stmt *rewrite(Frags *f, Stmt *s)
{
    Prog *p = f->l->p;
    bool sets = s->kind == Sstore && low_fragment(p, s->store.buf);
    if (sets || frag_effect(p, s))
        low_map_own(f->l, s, frag_index_staged, f);
    if (sets)
        return frag_owner(f, s, s->store.buf, s->store.idx);
    Pick k = {p, 0};
    if (frag_effect(p, s)) {
        stmt_ex_each(p, s, frag_pick, &k);
        Expr x = *ex_at(p, k.e);
        return frag_owner(f, s, x.sym, x.arg);
    }
    low_map_own(f->l, s, frag_staged, f);
    return s;
}

static void frag_block(Frags *f, Stmt **at);

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
static Stmt *frag_joined(Low *l, Stmt *pre, Stmt *s, bool one)
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

static void frag_block(Frags *f, Stmt **at)
{
    Low *l = f->l;
    Stmt **b[2];
    while (*at) {
        Stmt *s = *at, *next = s->next;
        FragPlace here = {s, NULL, f->in, next};
        bool parloop = s->kind == Sfor && s->loop.kind == Fparallel;
        if (s->kind == Sfor && s->loop.kind == Fvectorized && stores_fragment(l->p, s)) {
            s->loop.kind = Fparallel; /* lanes of a vector are independent too */
            s->loop.step = 0;
            parloop = true;
        }
        bool listed = f->in && f->in->s->kind == Sfor &&
                      (f->in->s->loop.norder || f->in->s->loop.nstage);
        bool sets = s->kind == Sstore && low_fragment(l->p, s->store.buf);
        s->next = NULL;
        f->in = &here;
        Stmt *out = s, *again = NULL;
        if (!parloop && (sets || has_fragment(l->p, s))) {
            f->again = NULL;
            out = rewrite(f, s);
            again = f->again;
        }
        if (again) {
            flat_before_continue(l, &s->whil.body, again);
            s->whil.body = low_append(s->whil.body, low_renew(l, again));
        }
        for (int i = 0, n = parloop ? 0 : low_blocks(s, b); i < n; i++)
            frag_block(f, b[i]);
        f->in = here.up;
        *at = frag_joined(l, here.pre, out, listed && s->kind != Slet);
        while (*at)
            at = &(*at)->next;
        *at = next;
    }
}

void flat_fragments(Low *l)
{
    Frags f = {.l = l};
    frag_block(&f, &l->launch->launch.body);
}
