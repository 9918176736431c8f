/* core/lower/flatten/flatten.c: the launch as one row of threads.
 *
 *   - a launch of tiles whose fragments do not fit gets more of them (widen.c)
 *   - loops that have no round go; those of unknown rounds are not unrolled
 *   - thread dimensions become expressions of `tid`, lane and warp indices too
 *   - conditions on the thread around tile operations become roles (range.c); what
 *     differs between threads inside of what they share out is refused (refused.c)
 *   - persistent loops become serial ones
 *   - conditions of while loops that read memory become variables
 *   - tile operations on private arrays become loops of every thread, those on
 *     regions that differ between threads (own.c), too
 *   - views of fragments (view.c), and what single threads do with
 *     fragments (apart.c)
 *   - fragment elements used outside of parallel loops (frag.c)
 *   - votes beside loads (votes.c)
 *   - what the block does once (once.c)
 *   - vectorized loops around what all threads do, which these steps make, too,
 *     become serial ones */
#include <string.h>

#include "flatten.h"
#include "err/kernel.h"
#include "err/lower.h"
#include "err/pipes.h"

/* Threads --------------------------------------------------------------- */

static int64_t flatten_argument(const Prog *p, Ex e, int64_t otherwise)
{
    int64_t v;
    return x_isint(p, e, &v) && v > 0 ? v : otherwise;
}

/* Threads of a group, where x is T.get_warp_group_idx() and warps have `warp` lanes unless it says
 * otherwise. */
static int64_t flatten_group(const Low *l, const Expr *x, int warp)
{
    const Prog *p = l->p;
    int64_t n = x->n ? flatten_argument(p, x->arg[0], warp) : warp;
    return n * flatten_argument(p, x->arg[1], l->m->group ? l->m->group : 4);
}

static Ex flatten_intrinsic(Low *l, Ex e, void *ud)
{
    Prog *p = l->p;
    Expr x = *ex_at(p, e);
    Ex tid = x_var(p, l->tid);
    (void)ud;
    if (x.op != Xcall)
        return e;
    int64_t n = x.n ? flatten_argument(p, x.arg[0], l->m->warp) : l->m->warp;
    switch ((enum Intr)x.sym) {
    case Ilane_idx: return low_mod(l, tid, n);
    case Iwarp_idx: return low_div(l, tid, n);
    case Iwarp_group_idx: return low_div(l, tid, flatten_group(l, &x, l->m->warp));
    case Ishuffle_elect: return x_bin(p, Xeq, low_mod(l, tid, n), low_i(l, 0));
    default: return e;
    }
}

/* Expressions that name threads, as users wrote them. */
typedef struct SaidThreads { Low *l; Ex *e; uint32_t n, cap; } SaidThreads;

static bool names_thread(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return (x->op == Xvar && p->var[x->sym].kind == Vthread) ||
           (x->op == Xcall && intrinfo[x->sym].level == 'T');
}

static ExGo flatten_said(void *ud, Ex e)
{
    SaidThreads *k = ud;
    Prog *p = k->l->p;
    if (!ex_any(p, e, names_thread, p))
        return EXskip;
    agrow(&p->ctx, &k->e, &k->cap, k->n + 1, sizeof *k->e);
    k->e[k->n++] = e;
    return EXinto;
}

static bool all_said(Stmt *s, void *ud)
{
    SaidThreads *k = ud;
    return stmt_ex_walk(k->l->p, s, flatten_said, k);
}

enum { RoleGroup = 128, RoleLanes = 32 }; /* threads of a group of T.ws; lanes of its four warps */

typedef struct GroupSizes GroupSizes;
struct GroupSizes { Low *l; bool roles; int64_t group; Loc at; };

/* Groups that are those of T.ws where warps have 32 lanes, and are not here. */
static ExGo group_size(void *ud, Ex e)
{
    GroupSizes *k = ud;
    const Expr *x = ex_at(k->l->p, e);
    if (x->op == Xcall && x->sym == Iwarp_group_idx &&
        flatten_group(k->l, x, RoleLanes) == RoleGroup &&
        flatten_group(k->l, x, k->l->m->warp) != RoleGroup)
        k->group = flatten_group(k->l, x, k->l->m->warp);
    return k->group ? EXstop : EXinto;
}

static bool group_sizes(Stmt *s, void *ud)
{
    GroupSizes *k = ud;
    k->roles |= s->kind == Srole;
    if (!k->group && !stmt_ex_walk(k->l->p, s, group_size, k))
        k->at = s->loc;
    return true;
}

/* Says so where a program counts groups in two ways: who wrote it meant those of T.ws. */
static void one_group_size(Low *l)
{
    Ctx *c = &l->p->ctx;
    GroupSizes k = {.l = l};
    stmt_walk(l->launch->launch.body, group_sizes, &k);
    if (k.roles && k.group)
        diag(c, E_group_sizes, k.at, afmt(c, "%d", (int)k.group), l->m->name,
             afmt(c, "%d", RoleGroup), NULL);
}

static void thread_variable(Low *l)
{
    Prog *p = l->p;
    Stmt *s = l->launch;
    Ex *map = anew(&p->ctx, (p->nvar + 1) * sizeof *map);
    uint32_t nmap = p->nvar;
    l->tid = p_var(p, Vthread, DTi32, "tid", 0, l->threads - 1);
    p->var[l->tid].loc = s->loc;
    int64_t below = 1;
    for (int i = 0; i < s->launch.nthread; i++) {
        Ex e = low_div(l, x_var(p, l->tid), below);
        map[s->launch.thread[i]] = low_mod(l, e, s->launch.threads[i]);
        below *= s->launch.threads[i];
    }
    SaidThreads k = {.l = l};
    stmt_walk(s->launch.body, all_said, &k);
    low_subst(l, s->launch.body, map, nmap, NULL, 0);
    low_map(l, s->launch.body, flatten_intrinsic, NULL);
    for (uint32_t i = 0; i < k.n; i++) {
        Ex e = low_mapx(l, x_subst(p, k.e[i], map, nmap), flatten_intrinsic, NULL);
        agrow(&p->ctx, &l->said, &l->capsaid, e + 1, sizeof *l->said);
        l->said[e] = k.e[i];
    }
    s->launch.nthread = 1;
    s->launch.thread[0] = l->tid;
    s->launch.threads[0] = l->threads;
}

/* Private arrays -------------------------------------------------------- */

/* Loops over the dimensions of `of` that are not 1; at[k] is the k-th's
 * variable.  Left open; returns how many loops. */
static int flatten_open_loops(Low *l, const Region *of, bool spread, Ex *at, int *n)
{
    Prog *p = l->p;
    Ex lo[MaxLoop], hi[MaxLoop];
    static const char *const names[MaxLoop] = {"i", "j", "k", "l", "m", "n", "o", "q"};
    int64_t v, all = 1;
    *n = 0;
    for (int d = 0; d < p->buf[of->buf].ndim; d++) {
        if (x_isint(p, of->extent[d], &v) && v == 1)
            continue;
        lo[*n] = low_i(l, 0);
        hi[(*n)++] = of->extent[d];
        all = x_isint(p, of->extent[d], &v) && all < INT32_MAX ? all * v : INT32_MAX;
    }
    if (*n == 0)
        return 0;
    enum { Unrolled = 256 };
    if (spread) {
        Stmt *s = s_for(p, Fparallel, lo, hi, *n, 0, names);
        for (int i = 0; i < *n; i++)
            at[i] = x_var(p, s->loop.var[i]);
        return 1;
    }
    for (int i = 0; i < *n; i++) {
        bool vector = i == *n - 1 && all <= Unrolled;
        enum ForKind k = vector ? Fvectorized : all <= Unrolled ? Funroll : Fserial;
        Stmt *s = s_for(p, k, &lo[i], &hi[i], 1, vector ? 0 : low_i(l, 1), &names[i]);
        at[i] = x_var(p, s->loop.var[0]);
    }
    return *n;
}

void flat_index(Low *l, const Region *r, const Ex *at, Ex *idx)
{
    Prog *p = l->p;
    int64_t v;
    for (int d = 0, k = 0; d < p->buf[r->buf].ndim; d++) {
        bool one = x_isint(p, r->extent[d], &v) && v == 1;
        idx[d] = one ? r->min[d] : low_add(l, r->min[d], at[k++]);
    }
}

/* An element of a region; a constant index below 0 stays one. */
static Ex region_element(Low *l, const Region *r, const Ex *at)
{
    Ex idx[MaxDim];
    flat_index(l, r, at, idx);
    return low_load(l, r->buf, idx);
}

/* Opens a vector of one, where the innermost loop that is open is none: accesses are
 * made wide, and guarded, within vectors. */
static int open_vector(Low *l)
{
    static const char *const name = "v";
    const Stmt *in = l->p->frame[l->p->nframe - 1];
    if (in->kind == Sfor && in->loop.kind == Fvectorized)
        return 0;
    Ex lo = low_i(l, 0), hi = low_i(l, 1);
    s_for(l->p, Fvectorized, &lo, &hi, 1, 0, &name);
    return 1;
}

/* A copy of one element that somebody else waits for. */
static Stmt *async_element(Low *l, const Stmt *s, const Ex *at)
{
    Prog *p = l->p;
    Stmt *k = anew(&p->ctx, sizeof *k);
    k->kind = Sop;
    k->loc = s->loc;
    k->op.op = Ocp_async;
    for (int i = 0; i < 2; i++) {
        k->op.r[i].buf = s->op.r[i].buf;
        flat_index(l, &s->op.r[i], at, k->op.r[i].min);
        for (int d = 0; d < p->buf[s->op.r[i].buf].ndim; d++)
            k->op.r[i].extent[d] = low_i(l, 1);
    }
    k->op.value = x_int(p, DTbool, 1);
    k->op.attr[0] = dtypeinfo[p->buf[s->op.r[1].buf].dt].bits / 8;
    return k;
}

static Stmt *private_op(Low *l, Stmt *s, bool *into, void *ud)
{
    Prog *p = l->p;
    const Region *r = s->op.r;
    Ex at[MaxLoop] = {0}, value, idx[MaxDim];
    int n;
    if (s->kind == Sfor && s->loop.kind == Fpersistent)
        s->loop.kind = Fserial;
    if (s->kind != Sop)
        return s;
    vary_at(ud, s);
    if (!flat_by_each(l, ud, s, &value))
        return s;
    if (value)
        low_note(l, E_copy_threads, s, opinfo[s->op.op].text, low_text(l, value));
    bool fill = s->op.op == Ofill, turned = s->op.op == Otranspose, atomic = s->op.op == Oatomic;
    bool async = s->op.op == Oasync_copy;
    const Region *dst = fill || atomic ? &r[0] : &r[1], *src = atomic ? &r[1] : &r[0];
    bool spread = !fill && vary_private(p, src->buf) && p->buf[dst->buf].scope == SCfragment;
    bool own = l->m->cp_async && !l->m->asked_async;
    bool started = async && own && p->buf[src->buf].dt == p->buf[dst->buf].dt;
    *into = false;
    low_begin(l, s->loc);
    int loops = flatten_open_loops(l, dst, spread, at, &n);
    if (started)
        loops += open_vector(l);
    flat_index(l, dst, at, idx);
    if (turned && n >= 2) {
        Ex t = at[n - 1];
        at[n - 1] = at[n - 2];
        at[n - 2] = t;
    }
    value = fill ? s->op.value : region_element(l, src, at);
    value = x_cast(p, (enum Dtype)p->buf[dst->buf].dt, value);
    if (started)
        low_put(l, async_element(l, s, at));
    else if (atomic)
        low_put(l, low_atomic(l, s->op.attr[0], dst->buf, idx, value));
    else
        low_put(l, low_store(l, dst->buf, idx, value));
    while (loops--)
        s_close(p);
    if (started && !s->op.attr[1]) /* open: the user commits */
        s_op(p, Ocp_async_commit, (Region[MaxRegion]){{0}}, 0, NULL, NULL);
    else if (async)
        low_note(l, E_copy_plain, s, "cp.async", l->m->name);
    return low_end(l);
}

/* Loops ----------------------------------------------------------------- */

static bool flatten_memory(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = &p->ex[e];
    return x->op == Xload && !vary_private(p, x->sym);
}

/* A while loop whose condition reads memory tests a variable instead, which is
 * set before the loop and at the end of its body: so barriers can stand between
 * these reads and what other threads write. */
static Stmt *flatten_condition(Low *l, Stmt *s, bool *into, void *ud)
{
    Prog *p = l->p;
    Ex one = low_i(l, 1), zero = low_i(l, 0);
    (void)ud;
    (void)into;
    if (s->kind != Swhile || !ex_any(p, s->whil.cond, flatten_memory, p))
        return s;
    low_begin(l, s->loc);
    uint32_t b = p_buf(p, SCvar, DTbool, "more", &one, NULL, 1);
    s_alloc(p, b, 0);
    low_put(l, low_store(l, b, &zero, s->whil.cond));
    Stmt *before = low_end(l);
    low_begin(l, s->loc);
    low_put(l, low_store(l, b, &zero, s->whil.cond));
    Stmt *again = low_end(l);
    flat_before_continue(l, &s->whil.body, again);
    s->whil.body = low_append(s->whil.body, again);
    s->whil.cond = low_load(l, b, &zero);
    return low_append(before, s);
}

static bool flatten_no_fragment(Stmt *s, void *ud)
{
    const Prog *p = ud;
    return s->kind != Sstore || p->buf[buf_root(p, s->store.buf)].scope != SCfragment;
}

/* Does a loop store into a fragment and do anything else?  Then the iterations are done one after
 * the other: whose element it is, is found for each, and what else there is stays with whom it is
 * meant for.  A vectorized loop of nothing but such stores becomes a parallel loop (frag.c). */
static bool stores_among(Prog *p, Stmt *loop)
{
    bool other = false;
    for (Stmt *s = loop->loop.body; s; s = s->next)
        other |= s->kind != Slet && s->kind != Sassume &&
                 (s->kind != Sstore || flatten_no_fragment(s, p));
    return other && !stmt_walk(loop->loop.body, flatten_no_fragment, p);
}

/* A loop that has no round, whatever its other bounds are, is nothing: layouts number
 * the iterations that there are.  One whose rounds are not known is not unrolled. */
static Stmt *drop_empty_loop(Low *l, Stmt *s, bool *into, void *ud)
{
    const Prog *p = l->p;
    int64_t lo, hi, step = 1;
    bool known = true;
    (void)into;
    (void)ud;
    if (s->kind != Sfor)
        return s;
    known = !s->loop.step || x_isint(p, s->loop.step, &step);
    for (int i = 0; i < s->loop.n; i++) {
        bool bounds = x_isint(p, s->loop.lo[i], &lo) && x_isint(p, s->loop.hi[i], &hi);
        if (bounds && hi <= lo && known && step > 0)
            return NULL;
        known &= bounds;
    }
    if (s->loop.kind == Fvectorized && stores_among(l->p, s))
        s->loop.kind = known ? Funroll : Fserial;
    if (s->loop.kind == Funroll && !known) {
        s->loop.kind = Fserial;
        low_note(l, E_unroll_rounds, s, p->var[s->loop.var[0]].name);
    }
    return s;
}

/* What all threads of a block come to together: operations on tiles, parallel loops. */
static bool flatten_single(Stmt *s, void *ud)
{
    (void)ud;
    return (s->kind != Sop || opinfo[s->op.op].level != 'T') &&
           (s->kind != Sfor || s->loop.kind != Fparallel);
}

/* Lanes of a vector are one thread's: a vectorized loop around what all threads do is done one
 * iteration after the other. */
static Stmt *flatten_in_order(Low *l, Stmt *s, bool *into, void *ud)
{
    (void)ud;
    *into = s->kind != Sfor || s->loop.kind != Fparallel;
    if (s->kind == Sfor && s->loop.kind == Fvectorized &&
        !stmt_walk(s->loop.body, flatten_single, NULL)) {
        s->loop.kind = Fserial;
        s->loop.step = low_i(l, 1);
    }
    return s;
}

typedef struct WritePins WritePins;
struct WritePins { const Prog *p; const Stmt *s; };

/* A load of what the operation writes. */
static bool own_load(void *ud, Ex e)
{
    const WritePins *w = ud;
    const Expr *x = &w->p->ex[e];
    const OpInfo *o = &opinfo[w->s->op.op];
    if (x->op != Xload)
        return false;
    for (int i = 0; i < o->nregion; i++)
        if (o->regions[i] != 'r' && w->s->op.r[i].buf &&
            buf_root(w->p, w->s->op.r[i].buf) == buf_root(w->p, x->sym))
            return true;
    return false;
}

static void pin_expr(WritePins *w, Low *l, Ex *e, const char *name)
{
    if (*e && ex_any(l->p, *e, own_load, w))
        *e = x_var(l->p, s_let(l->p, name, *e));
}

/* What an operation of all threads is given is known before it begins: a value or a corner
 * that is read from what it writes gets a name in front of it. */
static Stmt *operands(Low *l, Stmt *s, bool *into, void *ud)
{
    WritePins w = {l->p, s};
    (void)into;
    (void)ud;
    if (s->kind != Sop || opinfo[s->op.op].level != 'T')
        return s;
    low_begin(l, s->loc);
    pin_expr(&w, l, &s->op.value, "value");
    for (int i = 0; i < opinfo[s->op.op].nregion; i++)
        for (int d = 0; s->op.r[i].buf && d < l->p->buf[s->op.r[i].buf].ndim; d++)
            pin_expr(&w, l, &s->op.r[i].min[d], "corner");
    return low_append(low_end(l), s);
}

void low_flatten(Low *l)
{
    flat_widen(l);
    flat_listed(l);
    low_rewrite(l, &l->launch->launch.body, drop_empty_loop, NULL);
    flat_continue(l);
    low_rewrite(l, &l->launch->launch.body, operands, NULL);
    one_group_size(l);
    thread_variable(l);
    flat_ranges(l);
    flat_parts(l);
    Vary *v = flat_refused(l);
    low_rewrite(l, &l->launch->launch.body, private_op, v);
    low_rewrite(l, &l->launch->launch.body, flatten_condition, NULL);
    flat_local_views(l);
    flat_views(l);
    low_rewrite(l, &l->launch->launch.body, flatten_in_order, NULL); /* around prints */
    flat_apart(l);
    low_rewrite(l, &l->launch->launch.body, flatten_in_order, NULL);
    flat_fragments(l);
    flat_votes(l);
    flat_once(l);
    low_rewrite(l, &l->launch->launch.body, flatten_in_order, NULL);
}
