/* core/lower/solve/rounds.c: copies of fragments that are made in rounds.
 *
 * A fragment may be larger than the shared memory that is left for its copy.  Then a loop
 * copies one part of it after the other, some indices of one dimension each:
 *
 *   - where all accesses of a parallel loop have the same index there, each of its iterations runs
 *     in the round that has its element; fragments that are cut alike have one loop;
 *   - else, if the parallel loop only reads the fragment, a parallel loop of its own fetches the
 * values,
 *     round by round, to a fragment that is laid out as the parallel loop is. */
#include <string.h>

#include "solve.h"

enum { MaxRounds = 64 };

/* How many parts of at most `most` bytes, or a little more, dimension d gives. */
static bool round_parts(const Frag *f, int64_t bytes, int d, int64_t most, RoundCut *c)
{
    int64_t size = f->size[d], slice = bytes / size, least = (size + MaxRounds - 1) / MaxRounds;
    int64_t rows = most / slice < least ? least : most / slice < size ? most / slice : size;
    for (int64_t r = rows; r > rows / 2 && r >= least; r--) /* equal ones, if that is not many more */
        if (size % r == 0) {
            rows = r;
            break;
        }
    *c = (RoundCut){.dim = d, .rows = (int32_t)rows, .n = (int32_t)((size + rows - 1) / rows),
                    .bytes = rows * slice, .more = rows > least};
    return c->n > 1;
}

/* Cuts the first of the dimensions that gives parts small enough, or the smallest. */
static bool rounds_cut(const Frag *f, int64_t bytes, const bool *may, int64_t most, RoundCut *out)
{
    bool any = false;
    for (int d = 0; d < f->ndim; d++) {
        RoundCut c;
        if (!may[d] || !round_parts(f, bytes, d, most, &c) || (any && c.bytes >= out->bytes))
            continue;
        *out = c;
        any = true;
        if (c.bytes <= most)
            break;
    }
    return any;
}

/* Accesses of a parallel loop ----------------------------------------------------- */

typedef struct RoundScan RoundScan;
struct RoundScan {
    Solve *s;
    const SolveNode *n;
    uint32_t frag, buf;
    Ex at[MaxDim];      /* of the first access */
    bool any, writes[NScope];
    bool same[MaxDim];  /* all accesses have this index in common */
    Ex load[MaxFetch];  /* loads whose layout is another one, each once */
    uint32_t nload;     /* more than MaxFetch: not all of them are here */
};

static void note_access(RoundScan *k, const Ex *idx)
{
    int n = k->s->l->p->buf[k->buf].ndim;
    for (int d = 0; d < n && k->any; d++)
        k->same[d] &= k->at[d] == idx[d];
    if (!k->any)
        memcpy(k->at, idx, (size_t)n * sizeof *idx);
    k->any = true;
}

/* Is what load e names in the registers of the thread that asks for it? */
static bool rounds_at_hand(RoundScan *k, const Expr *x)
{
    LayoutLink link;
    link_parse(k->s, k->n, x->arg, x->n, &link);
    return link_agrees(k->s, &k->n->loop, k->n->size, &link, &k->s->frag[k->frag].map, false);
}

static ExGo round_load(void *ud, Ex e)
{
    RoundScan *k = ud;
    const Expr *x = ex_at(k->s->l->p, e);
    if (x->op != Xload || x->sym != k->buf)
        return EXinto;
    note_access(k, x->arg);
    for (uint32_t i = 0; i < k->nload && i < MaxFetch; i++)
        if (k->load[i] == e)
            return EXinto;
    if (rounds_at_hand(k, x))
        return EXinto;
    if (k->nload < MaxFetch)
        k->load[k->nload] = e;
    k->nload += k->nload <= MaxFetch;
    return EXinto;
}

static bool rounds_look_at(Stmt *st, void *ud)
{
    RoundScan *k = ud;
    const Prog *p = k->s->l->p;
    stmt_ex_walk(p, st, round_load, k);
    if (st->kind == Sstore && st->store.buf == k->buf)
        note_access(k, st->store.idx);
    if (st->kind == Sstore)
        k->writes[p->buf[st->store.buf].scope] = true;
    if (st->kind == Satomic)
        k->writes[p->buf[st->atomic.buf].scope] = true;
    return true;
}

/* Has e another value inside of the parallel loop's body than in front of it? */
static bool rounds_inner(void *ud, Ex e)
{
    const RoundScan *k = ud;
    const Prog *p = k->s->l->p;
    const Expr *x = ex_at(p, e);
    int scope = x->op == Xload ? p->buf[x->sym].scope : SCnone;
    if (x->op == Xload)
        return scope == SCfragment || k->writes[scope];
    return x->op == Xcall ? !x_pure(p, e) : x->op == Xvar && declares(k->n->s->loop.body, x->sym);
}

static bool rounds_fixed(RoundScan *k, Ex e) { return !ex_any(k->s->l->p, e, rounds_inner, k); }

/* Can the values be fetched that the parallel loop reads?  They are not many more than the
 * fragment has, and the indices can be computed whether the parallel loop would have or not. */
static bool fetchable(RoundScan *k)
{
    const Prog *p = k->s->l->p;
    const Frag *f = &k->s->frag[k->frag];
    int64_t values = 1, all = 2;
    for (int v = 0; v < k->n->nvar; v++)
        values *= k->n->size[v];
    for (int d = 0; d < f->ndim; d++)
        all *= f->size[d];
    if (values > all)
        return false;
    for (uint32_t i = 0; i < k->nload && i < MaxFetch; i++)
        for (int d = 0; d < p->buf[k->buf].ndim; d++) {
            Ex e = ex_at(p, k->load[i])->arg[d];
            if (!x_pure(p, e) || !rounds_fixed(k, e))
                return false;
        }
    return k->nload > 0 && k->nload <= MaxFetch;
}

/* Does another fragment's layout disagree with the node's, too? */
static bool rounds_others(const Solve *s, const SolveNode *n, uint32_t frag)
{
    for (uint32_t i = 0; i < n->nuse; i++) {
        const Use *u = &n->use[i];
        if (u->frag != frag &&
            !link_agrees(s, &n->loop, n->size, &u->link, &s->frag[u->frag].map, false))
            return true;
    }
    return false;
}

/* Is what the parallel loop writes brought in first? */
static bool brought(const NodeAccess *t, const Marked *w) { return t->read || !w->all; }

/* A loop of the parallel loop that serves this fragment, too; bare: see StageRound. */
static bool rounds_joined(Solve *s, const RoundScan *k, const Frag *f, int64_t bytes, bool bare,
                          RoundCut *c)
{
    for (StageRound *r = solve_insert(s, k->n->s)->round; r; r = r->outer)
        for (int d = 0; d < f->ndim && !(bare && r->outer); d++)
            if (k->same[d] && k->at[d] == r->cut->index && f->size[d] == r->size) {
                *c = *r->cut;
                c->dim = d;
                c->bytes = c->rows * (bytes / r->size);
                c->with = r;
                return true;
            }
    return false;
}

/* In a round inside of others some of its iterations run, so one that is bare has none
 * around; two of them cannot be. */
static bool parloops(Solve *s, const SolveNode *n, const NodeAccess *t, const Marked *w)
{
    for (const StageRound *r = solve_insert(s, n->s)->round; r; r = r->outer)
        if (r->bare && !brought(t, w))
            return false;
    return true;
}

/* One parallel loop of rounds is better than rounds inside of rounds, and that better than none. */
bool rounds_find(Solve *s, const SolveNode *n, const NodeAccess *t, const Marked *w, int64_t most,
                 RoundCut *c)
{
    const Frag *f = &s->frag[t->frag];
    RoundScan k = {.s = s, .n = n, .frag = t->frag, .buf = f->buf};
    int64_t bytes = frag_bytes(s, f);
    bool all[MaxDim];
    memset(all, 1, sizeof all);
    memset(k.same, 1, sizeof k.same);
    if (n->kind != NDloop)
        return false;
    stmt_walk(n->s->loop.body, rounds_look_at, &k);
    for (int d = 0; d < f->ndim; d++)
        k.same[d] &= k.any && rounds_fixed(&k, k.at[d]);
    if (rounds_joined(s, &k, f, bytes, !brought(t, w), c))
        return true;
    bool fetch = !t->write && !t->races && fetchable(&k);
    if (!(fetch && rounds_others(s, n, t->frag)) && parloops(s, n, t, w) &&
        rounds_cut(f, bytes, k.same, most, c)) {
        c->index = k.at[c->dim];
        return true;
    }
    if (!fetch || !rounds_cut(f, bytes, all, most, c))
        return false;
    c->nload = k.nload;
    memcpy(c->load, k.load, sizeof c->load);
    return true;
}

/* Rounds ------------------------------------------------------------------ */

static Stmt *rounds_loop_of(Low *l, RoundCut *c, Loc loc)
{
    static const char *const name = "part";
    Ex zero = low_i(l, 0), n = low_i(l, c->n);
    low_begin(l, loc);
    Stmt *f = s_for(l->p, Funroll, &zero, &n, 1, low_i(l, 1), &name);
    s_close(l->p);
    c->part = x_var(l->p, f->loop.var[0]);
    return low_end(l);
}

/* An index in a type that holds the ends of all parts. */
static Ex rounds_wide(Low *l, Ex e)
{
    enum Dtype dt = (enum Dtype)ex_type(l->p, e);
    return x_cast(l->p, dt == DTi64 || dt == DTu32 || dt == DTu64 ? DTi64 : DTi32, e);
}

/* The index with which this round's part begins, in e's type. */
static Ex rounds_first_of(Low *l, const RoundCut *c, Ex e)
{
    return x_cast(l->p, (enum Dtype)ex_type(l->p, e), low_mul(l, c->part, c->rows));
}

static bool index_inside(const Prog *p, Ex e, int64_t size)
{
    int64_t lo, hi;
    return x_range(p, e, &lo, &hi) && lo >= 0 && hi < size;
}

/* Is index e of this round?  Of one that lies outside of the fragment the first or the
 * last round is, so that it is found there. */
static Ex rounds_in_part(Low *l, const RoundCut *c, const Frag *f, Ex e)
{
    Prog *p = l->p;
    e = rounds_wide(l, e);
    Ex rows = x_int(p, (enum Dtype)ex_type(p, e), c->rows);
    Ex lo = rounds_first_of(l, c, e), hi = x_bin(p, Xadd, lo, rows);
    Ex above = x_bin(p, Xle, lo, e), below = x_bin(p, Xlt, e, hi);
    if (!index_inside(p, e, f->size[c->dim])) {
        above = x_bin(p, Xor, x_bin(p, Xeq, c->part, low_i(l, 0)), above);
        below = x_bin(p, Xor, x_bin(p, Xeq, c->part, low_i(l, c->n - 1)), below);
    }
    return x_bin(p, Xand, above, below);
}

typedef struct RoundShift RoundShift;
struct RoundShift { const RoundCut *c; uint32_t from, to; };

static void shift_index(Low *l, const RoundCut *c, const Ex *idx, int n, Ex *out)
{
    memcpy(out, idx, (size_t)n * sizeof *out);
    Ex e = rounds_wide(l, out[c->dim]);
    out[c->dim] = x_bin(l->p, Xsub, e, rounds_first_of(l, c, e));
}

static Ex shift_load(Low *l, Ex e, void *ud)
{
    const RoundShift *h = ud;
    Expr x = *ex_at(l->p, e);
    Ex idx[MaxDim];
    if (x.op != Xload || x.sym != h->from)
        return e;
    shift_index(l, h->c, x.arg, x.n, idx);
    return low_load(l, h->to, idx);
}

typedef struct Stores Stores;
struct Stores { Low *l; RoundShift h; };

static bool shift_store(Stmt *st, void *ud)
{
    Stores *k = ud;
    Ex idx[MaxDim];
    if (st->kind != Sstore || st->store.buf != k->h.from)
        return true;
    int n = k->l->p->buf[st->store.buf].ndim;
    shift_index(k->l, k->h.c, st->store.idx, n, idx);
    memcpy(st->store.idx, idx, (size_t)n * sizeof *idx);
    st->store.buf = k->h.to;
    return true;
}

/* Accesses of `from` in parallel loop st go to `to`, which holds this round's part. */
static void rounds_shift(Low *l, Stmt *st, uint32_t from, uint32_t to, const RoundCut *c)
{
    Stores k = {l, {c, from, to}};
    Stmt *next = st->next;
    st->next = NULL;
    low_map(l, st, shift_load, &k.h);
    stmt_walk(st->loop.body, shift_store, &k);
    st->next = next;
}

void rounds_parloop(Low *l, Stmt *parloop, uint32_t sh, const Frag *f, const RoundCut *c)
{
    Ex here = rounds_in_part(l, c, f, x_var(l->p, parloop->loop.var[c->dim]));
    rounds_shift(l, parloop, sh, sh, c);
    low_begin(l, parloop->loc);
    low_put(l, low_if(l, here, parloop->loop.body, NULL));
    parloop->loop.body = low_end(l);
}

/* A loop of rounds for node n: the outermost but for one that is bare. */
static StageRound *new_round(Solve *s, const SolveNode *n, const Frag *f, RoundCut *c, bool bare)
{
    Ctx *x = &s->l->p->ctx;
    StageRound *r = anew(x, sizeof *r), **at = &solve_insert(s, n->s)->round;
    RoundCut *own = anew(x, sizeof *own);
    r->loop = rounds_loop_of(s->l, c, n->s->loc);
    *own = *c;
    r->cut = own;
    r->size = f->size[c->dim];
    r->bare = bare;
    while (*at && !(*at)->bare)
        at = &(*at)->outer;
    r->outer = *at;
    return *at = r;
}

/* Each iteration of the parallel loop in its round. */
static void run_in_rounds(Solve *s, uint32_t node, const NodeAccess *t, RoundCut *c,
                          const Layout *reader, const Marked *w)
{
    Low *l = s->l;
    SolveNode *n = &s->node[node];
    const Frag *f = &s->frag[t->frag];
    bool in = brought(t, w);
    StageRound *r = c->with ? c->with : new_round(s, n, f, c, !in);
    uint32_t sh = stage_buf(s, f, n->s, reader, c);
    Marked all = whole_part(f);
    if (in)
        r->pre =
            low_append(r->pre, stage_parloop(s, f, sh, f->buf, t->read ? &all : w, c, n->s->loc));
    if (t->write)
        r->post = low_append(r->post, stage_parloop(s, f, f->buf, sh, w, c, n->s->loc));
    Ex here = rounds_in_part(l, c, f, c->index);
    rounds_shift(l, n->s, f->buf, sh, c);
    if (!c->with)
        n->s->loop.body = under_each(l, n->s->loop.body, here, n->s->loc);
    r->bare |= !in;
}

/* Is index e of dimension d one of the fragment, and in this round? */
static Ex rounds_there(Low *l, const RoundCut *c, const Frag *f, int d, Ex e)
{
    Prog *p = l->p;
    Ex k = rounds_wide(l, e), in = x_int(p, DTbool, 1);
    if (d == c->dim)
        in = rounds_in_part(l, c, f, k);
    if (index_inside(p, k, f->size[d]))
        return in;
    in = x_bin(p, Xand, in, x_bin(p, Xle, low_i(l, 0), k));
    return x_bin(p, Xand, in, x_bin(p, Xlt, k, low_i(l, f->size[d])));
}

/* The values of load e for all iterations of node n, from this round's part to own. */
static Stmt *fetch_parloop(Solve *s, const SolveNode *n, const Frag *f, const RoundCut *c,
                           uint32_t sh, Ex e, uint32_t own)
{
    static const char *const names[MaxLoop] = {"i", "j", "k", "l", "m", "n", "o", "q"};
    Low *l = s->l;
    Prog *p = l->p;
    Ex lo[MaxLoop], hi[MaxLoop], v[MaxLoop], idx[MaxDim], here = x_int(p, DTbool, 1);
    LowNew to[MaxLoop];
    for (int i = 0; i < n->nvar; i++) {
        lo[i] = low_i(l, 0);
        hi[i] = low_i(l, n->size[i]);
    }
    low_begin(l, n->s->loc);
    Stmt *loop = s_for(p, Fparallel, lo, hi, n->nvar, 0, names);
    for (int i = 0; i < n->nvar; i++) {
        v[i] = x_var(p, loop->loop.var[i]);
        to[i] = (LowNew){n->var[i], low_add(l, v[i], low_i(l, n->lo[i]))};
    }
    for (int d = 0; d < f->ndim; d++) {
        idx[d] = low_varsx(l, ex_at(p, e)->arg[d], to, n->nvar);
        here = x_bin(p, Xand, here, rounds_there(l, c, f, d, idx[d]));
    }
    Ex at[MaxDim];
    shift_index(l, c, idx, f->ndim, at);
    low_put(l, low_if(l, here, low_store(l, own, v, low_load(l, sh, at)), NULL));
    s_close(p);
    loop->loop.plan = low_loop_plan(l, &n->loop);
    return low_end(l);
}

typedef struct FetchedLoad FetchedLoad;
struct FetchedLoad { Ex load, own; };

static Ex rounds_fetched(Low *l, Ex e, void *ud)
{
    (void)l;
    for (const FetchedLoad *k = ud; k->load; k++)
        if (k->load == e)
            return k->own;
    return e;
}

/* The values of the parallel loop's loads to fragments laid out as it is. */
static void fetch_round(Solve *s, uint32_t node, const NodeAccess *t, RoundCut *c,
                        const Layout *reader)
{
    Low *l = s->l;
    SolveNode *n = &s->node[node];
    FetchedLoad got[MaxFetch + 1] = {{0}};
    LayoutLink k;
    Layout map;
    Ex at[MaxLoop];
    link_identity(n->nvar, n->size, &k);
    if (!frag_from(s, &n->loop, n->size, &k, n->nvar, n->size, false, &map))
        diag_fail(&l->p->ctx, E_bug, n->s->loc, "a parallel loop's values have no layout", NULL);
    for (int i = 0; i < n->nvar; i++)
        at[i] = low_add(l, x_var(l->p, n->var[i]), low_i(l, -(int64_t)n->lo[i]));
    Stmt *loop = rounds_loop_of(l, c, n->s->loc), *list = NULL;
    const char *name = l->p->buf[s->frag[t->frag].buf].name;
    enum Dtype dt = (enum Dtype)l->p->buf[s->frag[t->frag].buf].dt;
    uint32_t sh = stage_buf(s, &s->frag[t->frag], n->s, reader, c);
    for (uint32_t i = 0; i < c->nload; i++) {
        uint32_t own = new_frag(s, name, dt, &map, (int)node); /* may move the table */
        own = s->frag[own].buf;
        got[i] = (FetchedLoad){c->load[i], low_load(l, own, at)};
        list = low_append(list, fetch_parloop(s, n, &s->frag[t->frag], c, sh, c->load[i], own));
    }
    const Frag *f = &s->frag[t->frag];
    Marked all = whole_part(f);
    loop->loop.body = low_append(stage_parloop(s, f, sh, f->buf, &all, c, n->s->loc), list);
    Insert *i = solve_insert(s, n->s);
    i->pre = low_append(i->pre, loop);
    Stmt *next = n->s->next;
    n->s->next = NULL;
    low_map(l, n->s, rounds_fetched, got);
    n->s->next = next;
}

void rounds_stage(Solve *s, uint32_t node, const NodeAccess *t, RoundCut *c, const Layout *reader,
                  const Marked *w)
{
    if (c->index)
        run_in_rounds(s, node, t, c, reader, w);
    else
        fetch_round(s, node, t, c, reader);
}
