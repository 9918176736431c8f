/* core/lower/parallel/guard.c: global accesses that may lie outside.
 *
 * A read outside gives 0 or the safe value that the buffer has in the launch, a write is dropped.  A
 * bound that the ranges of the variables prove needs nothing.  In a parallel loop most
 * others are  u + v < size  with u the same in all threads: for the whole parallel loop
 * at once that is  u + max(v) < size, one test of the block.
 *
 * A condition that stands around says what need not be tested again, if it still holds at
 * the access (parloop_lasting); what others may write in between is read once (parloop_bind). */
#include <string.h>

#include "core/ir/expr.h"
#include "parallel.h"

typedef struct Guards Guards;
struct Guards {
    Low *l;
    uint32_t *inner, mine; /* of a Var: `mine`, declared by the parallel loop or inside; NULL: no
                            * parallel loop */
    uint32_t ninner;
    Ex *inside;   /* see parloop_guard */
    Ex *known; uint32_t capknown;
    int n;
    Ex *granted; uint32_t ngranted, capgranted; /* what *inside implies */
};

/* What is known --------------------------------------------------------- */

static ExGo guard_learn(void *ud, Ex cond)
{
    Guards *g = ud;
    if (ex_at(g->l->p, cond)->op == Xand)
        return EXinto;
    agrow(&g->l->p->ctx, &g->known, &g->capknown, (uint32_t)g->n + 1, sizeof *g->known);
    g->known[g->n++] = cond;
    return EXskip;
}

/* cond holds in the statement at hand. */
static void guard_know(Guards *g, Ex cond) { ex_walk(g->l->p, cond, guard_learn, g); }

/* cond held before statements: what of it they cannot have changed. */
static void know_lasting(Guards *g, Ex cond)
{
    int n = g->n;
    guard_know(g, cond);
    for (int i = n; i < g->n; i++)
        if (parloop_lasting(g->l, g->known[i]))
            g->known[n++] = g->known[i];
    g->n = n;
}

static bool guard_is_known(const Guards *g, Ex cond)
{
    for (int i = 0; i < g->n; i++)
        if (g->known[i] == cond)
            return true;
    return false;
}

/* Bounds ---------------------------------------------------------------- */

enum { Reach = INT32_MAX - DimMost }; /* farther than a tile is wide */

static bool varying(void *ud, Ex e)
{
    const Guards *g = ud;
    const Expr *x = ex_at(g->l->p, e);
    if (x->op == Xvar) /* those beyond are names that were given meanwhile, inside */
        return x->sym >= g->ninner || g->inner[x->sym] == g->mine || !low_uniform(g->l, e);
    return x->op == Xload || x->op == Xcall; /* not worth doing twice */
}

/* u + lo and u + hi around e, u the same in all threads of the block.  Indices that may wrap
 * are tested one by one; so are those whose bounds no thread may reach (a loop up to a number of
 * the call): u + hi may wrap where no index does. */
static bool split_range(Guards *g, Ex e, Ex *u, int64_t *lo, int64_t *hi)
{
    Prog *p = g->l->p;
    ExSum s = x_linear(p, e);
    int64_t a, b, from, to;
    enum Dtype dt = ex_type(p, e);
    *u = x_int(p, dt, s.c);
    *lo = *hi = 0;
    if (!x_whole(p, e))
        return false;
    for (int i = 0; i < s.n; i++) {
        Ex t = s.atom[i];
        int64_t k = s.coef[i];
        if (!ex_any(p, t, varying, g)) {
            *u = x_bin(p, Xadd, *u, x_bin(p, Xmul, t, x_int(p, dt, k)));
            continue;
        }
        if (!x_range(p, t, &a, &b) || a < INT32_MIN || b > INT32_MAX || k > INT32_MAX ||
            k < INT32_MIN || __builtin_add_overflow(*lo, k * (k < 0 ? b : a), lo) ||
            __builtin_add_overflow(*hi, k * (k < 0 ? a : b), hi))
            return false;
    }
    ex_limits(dt, &from, &to);
    if (!x_range(p, *u, &a, &b)) /* a grid of any size */
        return *lo >= from && *hi <= to && *lo >= -Reach && *hi <= Reach;
    return !__builtin_add_overflow(a, *lo, &a) && !__builtin_add_overflow(b, *hi, &b) && a >= from && b <= to;
}

static bool surely_holds(const Prog *p, Ex e)
{
    int64_t v;
    return x_isint(p, e, &v) && v;
}

static int64_t natural_node(ExFold *k, Ex e)
{
    const Expr *x = &k->p->ex[e];
    switch ((enum Xop)x->op) {
    case Xint: return x->i >= 0;
    case Xvar: return k->p->var[x->sym].lo >= 0;
    case Xadd: case Xmul: case Xfdiv: case Xmin: return ex_fold_least(k, e, 1);
    case Xfmod: return ex_fold(k, x->arg[1]);
    case Xmax: return ex_fold_greatest(k, e, 0);
    case Xselect: return ex_fold(k, x->arg[1]) && ex_fold(k, x->arg[2]);
    default: return false;
    }
}

/* Not below 0 where e does not wrap (x_range, which
 * has to be right for all values, may not know: a grid of any size). */
static bool guard_natural(const Prog *p, Ex e)
{
    return ex_fold(&(ExFold){.p = p, .f = natural_node}, e);
}

typedef struct GuardPart GuardPart;
struct GuardPart { const Prog *p; Ex cond; };

static ExGo is_part(void *ud, Ex all)
{
    const GuardPart *k = ud;
    return all == k->cond ? EXstop : k->p->ex[all].op == Xand ? EXinto : EXskip;
}

/* Is cond one of the conditions of a conjunction? */
static bool guard_part_of(const Prog *p, Ex cond, Ex all)
{
    return !ex_walk(p, all, is_part, &(GuardPart){p, cond});
}

/* Is e below size since the launch has no more blocks?
 *     launch bx, by in size * 2, size:      bx // 2 < size, by < size */
static bool guard_in_grid(const Low *l, Ex e, Ex size)
{
    Prog *p = l->p;
    const Stmt *s = l->launch;
    int64_t c = 1;
    Ex block = ex_named(p, e);
    if (ex_at(p, block)->op == Xfdiv) {
        if (!x_isint(p, ex_at(p, block)->arg[1], &c) || c <= 0)
            return false;
        block = ex_named(p, ex_at(p, block)->arg[0]);
    }
    for (int i = 0; i < s->launch.n; i++)
        if (ex_at(p, block)->op == Xvar && ex_at(p, block)->sym == s->launch.block[i]) {
            enum Dtype t = ex_type(p, s->launch.grid[i]);
            return s->launch.grid[i] == x_bin(p, Xmul, x_cast(p, t, size), x_int(p, t, c));
        }
    return false;
}

/* Index e of a dimension of this size: what is left to test, added to *need. */
static void index_guard(Guards *g, Ex e, Ex size, bool upper, Ex *need)
{
    Prog *p = g->l->p;
    Ex zero = x_int(p, ex_type(p, e), 0), u;
    Ex cond = upper ? x_bin(p, Xlt, e, size) : x_bin(p, Xle, zero, e);
    int64_t lo, hi, v;
    if (surely_holds(p, cond) || guard_is_known(g, cond) || (upper && guard_in_grid(g->l, e, size)) ||
        (!upper && x_whole(p, e) && guard_natural(p, e)))
        return;
    if (g->inside && split_range(g, e, &u, &lo, &hi)) {
        Ex all = x_bin(p, Xadd, u, x_int(p, ex_type(p, u), upper ? hi : lo));
        all = upper ? x_bin(p, Xlt, all, size) : x_bin(p, Xle, zero, all);
        if (!x_isint(p, all, &v)) {
            agrow(&p->ctx, &g->granted, &g->capgranted, g->ngranted + 1, sizeof *g->granted);
            g->granted[g->ngranted++] = cond;
            if (*g->inside && guard_part_of(p, all, *g->inside))
                return;
            *g->inside = *g->inside ? x_bin(p, Xand, *g->inside, all) : all;
            return;
        }
        if (v)
            return;
    }
    *need = *need ? x_bin(p, Xand, *need, cond) : cond;
}

static Ex access_guard(Guards *g, uint32_t buf, const Ex *idx)
{
    const Prog *p = g->l->p;
    Ex need = 0;
    for (int d = 0; p->buf[buf].scope == SCglobal && d < p->buf[buf].ndim; d++)
        for (int up = 0; up < 2; up++)
            index_guard(g, idx[d], p->buf[buf].shape[d], up, &need);
    return need;
}

static Ex safe_value(Low *l, uint32_t buf)
{
    Prog *p = l->p;
    enum Dtype dt = (enum Dtype)p->buf[buf].dt;
    Ex safe = buf_safe(l->p, l->launch, buf);
    return safe ? x_cast(p, dt, safe) : x_int(p, dt, 0);
}

static Ex guarded(Low *l, Ex e, void *ud)
{
    Guards *g = ud;
    Prog *p = l->p;
    Expr x = *ex_at(p, e);
    if (x.op == Xselect) { /* select(c, select(c, a, 0), b): the user's own guard */
        const Expr *in = ex_at(p, x.arg[1]);
        if (in->op == Xselect && guard_part_of(p, in->arg[0], x.arg[0]) &&
            ex_at(p, in->arg[1])->op == Xload)
            return x_select(p, x.arg[0], in->arg[1], x.arg[2]);
        return e;
    }
    if (x.op != Xload)
        return e;
    Ex need = access_guard(g, x.sym, x.arg);
    return need ? x_select(p, need, e, safe_value(l, x.sym)) : e;
}

/* Statements ------------------------------------------------------------ */

static void guard_block(Guards *g, Stmt **at);

static void guard_inner(Guards *g, Stmt *s)
{
    Stmt **b[2];
    int mark = g->n;
    if (s->kind == Sfor && s->loop.kind == Fparallel)
        return; /* has paths of its own */
    for (int i = 0, n = low_blocks(s, b); i < n; i++) {
        if (s->kind == Sif)
            know_lasting(g, i ? x_un(g->l->p, Xnot, s->cond.cond) : s->cond.cond);
        guard_block(g, b[i]);
        g->n = mark;
    }
}

/* cp_async writes zeros where its value is 0. */
static void guard_async(Guards *g, Stmt *s)
{
    int mark = g->n;
    guard_know(g, s->op.value);
    Ex need = access_guard(g, s->op.r[0].buf, s->op.r[0].min);
    g->n = mark;
    if (need)
        s->op.value = x_bin(g->l->p, Xand, s->op.value, need);
}

Stmt *parloop_prev(Low *l, Stmt *s, Ex cond)
{
    Prog *p = l->p;
    uint32_t prev = s->atomic.prev;
    Var v = p->var[prev];
    Ex zero = low_i(l, 0);
    low_begin(l, s->loc);
    uint32_t b = low_local(l, (enum Dtype)v.dt, v.name, 1);
    uint32_t k = p_var(p, Vlet, (enum Dtype)v.dt, v.name, v.lo, v.hi);
    low_put(l, low_store(l, b, &zero, safe_value(l, s->atomic.buf)));
    s->atomic.prev = k;
    low_put(l, low_if(l, cond, low_append(s, low_store(l, b, &zero, x_var(p, k))), NULL));
    Stmt *let = anew(&p->ctx, sizeof *let);
    let->kind = Slet;
    let->loc = s->loc;
    let->let.var = prev;
    p->var[prev].value = low_load(l, b, &zero);
    low_put(l, let);
    return low_end(l);
}

static Stmt *guard_statement(Guards *g, Stmt *s);

/* An atomic on several elements in a row: where all are not inside, each for itself.  NULL: they are inside all
 * together, or none is. */
static Stmt *guard_lanes(Guards *g, Stmt *s)
{
    Low *l = g->l;
    int last = l->p->buf[s->atomic.buf].ndim - 1, mark = g->n;
    Ex at[MaxDim], need = access_guard(g, s->atomic.buf, s->atomic.idx);
    memcpy(at, s->atomic.idx, sizeof at);
    at[last] = low_add(l, at[last], low_i(l, s->atomic.lanes - 1));
    Ex end = access_guard(g, s->atomic.buf, at), all = need && end ? x_bin(l->p, Xand, need, end)
                                                   : need ? need : end;
    if (!all || need == end)
        return NULL;
    Stmt *each = NULL;
    for (int k = 0; k < s->atomic.lanes; k++) {
        Stmt *one = anew(&l->p->ctx, sizeof *one);
        *one = *s;
        one->next = NULL;
        one->atomic.lanes = 1;
        memset(one->atomic.value, 0, sizeof one->atomic.value);
        one->atomic.value[0] = s->atomic.value[k];
        one->atomic.idx[last] = low_add(l, s->atomic.idx[last], low_i(l, k));
        each = low_append(each, guard_statement(g, one));
    }
    Ex test = low_mapx(l, all, guarded, g);
    guard_know(g, all);
    low_map_own(l, s, guarded, g);
    g->n = mark;
    return low_if(l, test, s, each);
}

static Stmt *guard_statement(Guards *g, Stmt *s)
{
    Ex need = 0;
    int mark = g->n;
    Stmt *lanes = s->kind == Satomic && s->atomic.lanes > 1 ? guard_lanes(g, s) : NULL;
    if (lanes)
        return lanes;
    if (s->kind == Sstore)
        need = access_guard(g, s->store.buf, s->store.idx);
    else if (s->kind == Satomic)
        need = access_guard(g, s->atomic.buf, s->atomic.idx);
    else if (s->kind == Sop && s->op.op == Ocp_async)
        guard_async(g, s);
    Ex test = low_mapx(g->l, need, guarded, g); /* an index may be read from memory, too */
    if (need)
        guard_know(g, need);
    low_map_own(g->l, s, guarded, g);
    g->n = mark;
    guard_inner(g, s);
    if (need && s->kind == Satomic && s->atomic.prev)
        return parloop_prev(g->l, s, test);
    return test ? low_if(g->l, test, s, NULL) : s;
}

/* s with its guards, behind the values that they speak of. */
static Stmt *parallel_guard(Guards *g, Stmt *s)
{
    Stmt *out = NULL, *next;
    for (Stmt *let = parloop_bind(g->l, s); let; let = next) {
        next = let->next;
        let->next = NULL;
        let->turn = s->turn;
        out = low_append(out, guard_statement(g, let));
    }
    return low_append(out, guard_statement(g, s));
}

static void guard_block(Guards *g, Stmt **at)
{
    while (*at) {
        Stmt *s = *at, *next = s->next;
        s->next = NULL;
        *at = parallel_guard(g, s);
        while (*at)
            at = &(*at)->next;
        *at = next;
    }
}

static bool guard_declared(Stmt *s, void *ud)
{
    Guards *g = ud;
    if (s->kind == Slet)
        g->inner[s->let.var] = g->mine;
    else if (s->kind == Satomic && s->atomic.prev)
        g->inner[s->atomic.prev] = g->mine;
    else if (s->kind == Sfor)
        for (int i = 0; i < s->loop.n; i++)
            g->inner[s->loop.var[i]] = g->mine;
    return true;
}

/* What the program tests itself and all of the parallel loop satisfies. */
static Ex guard_grant(Low *l, Ex e, void *ud)
{
    const Guards *g = ud;
    for (uint32_t i = 0; i < g->ngranted; i++)
        if (g->granted[i] == e)
            return x_int(l->p, DTbool, 1);
    return e;
}

void parloop_guard(Low *l, Stmt **list, const Stmt *parloop, Ex *inside)
{
    Guards g = {.l = l, .inside = inside};
    if (inside) {
        g.inner = low_marks(l, &g.mine);
        g.ninner = l->p->nvar;
        *inside = 0;
        for (int i = 0; i < parloop->loop.n; i++)
            g.inner[parloop->loop.var[i]] = g.mine;
        stmt_walk(*list, guard_declared, &g);
    }
    guard_block(&g, list);
    if (g.ngranted)
        low_map(l, *list, guard_grant, &g);
}

/* Padding --------------------------------------------------------------- */

/* Iterations beyond a parallel loop's sizes write to no memory and read none, but they
 * do fill their registers: what exchanges whole registers later (shuffles, matrix
 * instructions) then finds values everywhere. */
typedef struct GuardMask GuardMask;
struct GuardMask { Low *l; Ex cond; };

static Ex masked_load(Low *l, Ex e, void *ud)
{
    const GuardMask *m = ud;
    const Expr *x = ex_at(l->p, e);
    enum Dtype dt = (enum Dtype)x->dt;
    int sc = x->op == Xload ? l->p->buf[x->sym].scope : SCnone;
    return sc == SCglobal || sc == SCshared ? x_select(l->p, m->cond, e, x_int(l->p, dt, 0)) : e;
}

/* An integer division whose divisor a padded iteration could make 0. */
static bool guard_divides(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = &p->ex[e];
    bool div = x->op == Xfdiv || x->op == Xfmod || x->op == Xtdiv || x->op == Xtmod;
    return div && dtypeinfo[x->dt].cls != 'F' && p->ex[x->arg[1]].op != Xint;
}

/* May a padded iteration run s? */
static bool guard_harmless(Prog *p, const Stmt *s)
{
    switch ((enum StmtKind)s->kind) {
    case Sstore:
        return p->buf[s->store.buf].scope == SClocal && p->buf[s->store.buf].map &&
               !s->store.strict && !stmt_any(p, s, guard_divides, p);
    case Slet: case Sif: return !stmt_any(p, s, guard_divides, p);
    case Sfor: {
        int64_t v;
        for (int i = 0; i < s->loop.n; i++)
            if (!x_isint(p, s->loop.lo[i], &v) || !x_isint(p, s->loop.hi[i], &v))
                return false;
        return true;
    }
    default: return false;
    }
}

typedef struct Filling { Low *l; Stmt *zeros; const Guards *g; } Filling;

static bool is_inner(void *ud, Ex e)
{
    const Filling *f = ud;
    const Expr *x = ex_at(f->l->p, e);
    return x->op == Xvar && f->g->inner[x->sym] == f->g->mine;
}

/* A zero for the register that s would have filled. */
static bool fill_zero(Stmt *s, void *ud)
{
    Filling *f = ud;
    Prog *p = f->l->p;
    const Buf *b = s->kind == Sstore ? &p->buf[s->store.buf] : NULL;
    if (b && b->scope == SClocal && b->map && !s->store.strict &&
        !ex_any(p, s->store.idx[0], is_inner, f)) {
        Stmt *z = low_store(f->l, s->store.buf, s->store.idx, x_int(p, (enum Dtype)b->dt, 0));
        z->loc = s->loc;
        f->zeros = low_append(f->zeros, z);
    }
    return true;
}

/* list where cond holds; elsewhere its registers become 0. */
static Stmt *guard_masked(Low *l, Ex cond, Stmt *list)
{
    Guards g = {.l = l};
    g.inner = low_marks(l, &g.mine);
    stmt_walk(list, guard_declared, &g);
    Filling f = {l, NULL, &g};
    stmt_walk(list, fill_zero, &f);
    return low_if(l, cond, list, f.zeros);
}

void parloop_mask(Low *l, Stmt **at, Ex cond)
{
    GuardMask m = {l, cond};
    Stmt **b[2];
    int64_t v;
    if (x_isint(l->p, cond, &v) && v)
        return;
    bool lets = true; /* a let that is not harmless: the rest depends on it */
    for (Stmt *s = *at; s; s = s->next)
        lets = lets && ((s->kind != Slet && s->kind != Salloc) || guard_harmless(l->p, s)) &&
               (s->kind != Satomic || !s->atomic.prev);
    if (!lets) {
        *at = guard_masked(l, cond, *at);
        return;
    }
    while (*at) {
        Stmt *s = *at, *next = s->next;
        s->next = NULL;
        if (guard_harmless(l->p, s)) {
            low_map_own(l, s, masked_load, &m);
            for (int i = 0, n = low_blocks(s, b); i < n; i++)
                parloop_mask(l, b[i], cond);
        } else {
            *at = guard_masked(l, cond, s);
        }
        while (*at)
            at = &(*at)->next;
        *at = next;
    }
}
