/* core/lower/mma/overlap.c: products by warp groups that run under other work.
 *
 * T.gemm is asynchronous on these machines: the matrix units work while the
 * warps go on.  Two things follow.
 *
 * 1. Waits move down, to the first statement that touches the accumulators, changes
 *    or gives back what the product reads, or may leave the loop.
 *
 * 2. A loop whose second product needs values made of the first one's results,
 *
 *        for k in lo .. hi:  A(k): gemm -> S    B(k): work on S    C(k): gemm -> O
 *
 *    has no work that a product could run under.  It is turned by one product:
 *
 *        A(lo); B(lo)
 *        for k in lo + 1 .. hi:
 *          A(k), C(k - 1) started; wait for A(k); B(k), which waits for C(k - 1)
 *          where it touches O or changes what C reads
 *        C(hi - 1)
 *
 *    C's barrier pair has two stages, so that its copy for the next iteration does not wait for
 *    C(k - 1).  Its pipe_wait stands in front of that last wait of the iteration before: C starts
 *    without delay then, and an assembler that would rather wait early does not move a wait
 *    across the loop that it is.
 *
 *    The results are the same as before, bit for bit: A(k) only changes places
 *    with C(k - 1), and neither touches what the other writes.  S needs no second
 *    copy, as C reads what B has made of it.  Barrier pairs: a stage is given back behind
 *    the wait for the product that reads it.
 *
 * Reference: performance.md 2.3; lowering.md 3.3. */
#include "core/ir/walk.h"
#include "gemm.h"
#include "overlap.h"
#include "err/lower.h"

enum { MaxPending = 8 /* more keep the matrix units no busier: the next one waits for these */ };

static bool overlap_is_op(const Stmt *s, enum Op op)
{
    return s && s->kind == Sop && s->op.op == op;
}

/* Products ---------------------------------------------------------------- */

/* A product by warp groups that can be left in flight, or NULL. */
static GemmPlan *flight_product(Low *l, const Stmt *s)
{
    GemmPlan *g = gemm_plan(s);
    if (!g || !g->mma || g->mma->kind != MMAgroup || g->async || g->behind ||
        !gemm_in_place(l, s, g))
        return NULL;
    return g;
}

/* What s does to the buffer of region r. */
static int uses_region(const Low *l, const Stmt *s, const Region *r)
{
    return low_accesses(l, s, false, buf_root(l->p, r->buf));
}

/* Must product g be done before s? */
static bool overlap_needs(const Low *l, const Stmt *s, const Stmt *g)
{
    const Region *r = g->op.r;
    if (uses_region(l, s, &r[GemmC]))
        return true;
    for (int k = GemmA; k <= GemmB; k++)
        if (uses_region(l, s, &r[k]) & FXwrite)
            return true;
    return false;
}

/* Is there a product among the statements inside of s? */
static bool finds(Stmt *s, void *ud)
{
    (void)ud;
    return !overlap_is_op(s, Ogemm) && !overlap_is_op(s, Owgmma_wait) &&
           !overlap_is_op(s, Owgmma_commit);
}

static bool has_product(Stmt *s)
{
    Stmt *b[2];
    for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
        if (!stmt_walk(b[i], finds, NULL))
            return true;
    return false;
}

/* A barrier object or barrier pair, or a barrier of threads: others may go on behind it. */
static bool signals(const Stmt *s)
{
    if (s->kind == Scall)
        return true;
    return s->kind == Sop && s->op.op != Opipe_wait && s->op.op != Ombar_wait &&
           (s->op.op == Opipe_release || opinfo[s->op.op].regions[0] == 'b' ||
            s->op.op == Obar_sync || s->op.op == Obar_arrive || s->op.op == Obulk_commit);
}

static bool signals_not(Stmt *s, void *ud)
{
    (void)ud;
    return !signals(s);
}

/* Waits ------------------------------------------------------------------- */

/* Products in flight, oldest first, with what stands in front of the wait for one
 * and what is given back behind it. */
typedef struct ProductFlight ProductFlight;
struct ProductFlight {
    Low *l;
    const Stmt *g[MaxPending];
    Stmt *before[MaxPending], *after[MaxPending];
    int n;
};

static Stmt *overlap_wait(Low *l, int newer, Loc loc)
{
    Stmt *s = low_op(l, Owgmma_wait, loc);
    s->op.attr[0] = newer;
    return s;
}

/* Waits for the oldest n of the products; what then comes. */
static Stmt *overlap_land(ProductFlight *f, int n, Loc loc)
{
    Stmt *list = NULL;
    for (int i = 0; i < n; i++)
        list = low_append(list, f->before[i]);
    if (n)
        list = low_append(list, overlap_wait(f->l, f->n - n, loc));
    for (int i = 0; i < n; i++)
        list = low_append(list, f->after[i]);
    for (int i = n; i < f->n; i++) {
        f->g[i - n] = f->g[i];
        f->before[i - n] = f->before[i];
        f->after[i - n] = f->after[i];
    }
    f->n -= n;
    return list;
}

static void overlap_take_off(ProductFlight *f, const Stmt *g, Stmt *before, Stmt *after)
{
    f->g[f->n] = g;
    f->before[f->n] = before;
    f->after[f->n++] = after;
}

/* Waits in front of the statements of list that need them. */
static Stmt *with_waits(ProductFlight *f, Stmt *list)
{
    Stmt *out = NULL;
    while (list) {
        Stmt *s = list;
        list = s->next;
        s->next = NULL;
        int n = 0;
        for (int i = 0; i < f->n; i++)
            if (overlap_needs(f->l, s, f->g[i]))
                n = i + 1;
        if (has_product(s) || stmt_leaves(s) || !stmt_walk(s, signals_not, NULL))
            n = f->n; /* a jump does not come to the waits behind it */
        out = low_append(out, overlap_land(f, n, s->loc));
        out = low_append(out, s);
    }
    return out;
}

/* The product s in flight: its plan is its own from now on. */
static Stmt *start_product(Low *l, Stmt *s)
{
    gemm_own_plan(l, s)->async = true;
    return s;
}

static bool overlap_same_shape(const Stmt *a, const Stmt *b)
{
    const GemmPlan *x = a->op.gemm, *y = b->op.gemm;
    return x->mma == y->mma && x->n == y->n;
}

/* 1: waits move down in the block at *at, as far as its end. */
static void sink(Low *l, Stmt **at)
{
    ProductFlight f = {.l = l};
    Stmt *list = *at, *out = NULL, **end = &out; /* end: of the list, or short of it */
    Loc loc = {0};
    while (list) {
        while (*end)
            end = &(*end)->next;
        Stmt *s = list;
        list = s->next;
        s->next = NULL;
        loc = s->loc;
        bool starts = flight_product(l, s) && f.n < MaxPending;
        if (!starts) {
            if (overlap_is_op(s, Ogemm))
                *end = low_append(*end, overlap_land(&f, f.n, loc));
            *end = low_append(*end, with_waits(&f, s));
            continue;
        }
        int n = 0; /* a chain into the same accumulators runs in order by itself */
        for (int i = 0; i < f.n; i++) {
            const Region *c = &f.g[i]->op.r[GemmC];
            bool chain = c->buf == s->op.r[GemmC].buf && s->op.r[GemmA].buf != c->buf &&
                         overlap_same_shape(s, f.g[i]);
            if (overlap_needs(l, s, f.g[i]) && !chain)
                n = i + 1;
        }
        *end = low_append(*end, overlap_land(&f, n, loc));
        *end = low_append(*end, s);
        overlap_take_off(&f, start_product(l, s), NULL, NULL);
    }
    *end = low_append(*end, overlap_land(&f, f.n, loc));
    *at = out;
}

/* Loops turned by one product ----------------------------------------------- */

typedef struct OverlapTurn OverlapTurn;
struct OverlapTurn {
    Low *l;
    Stmt *loop;
    Stmt *allocs;            /* of the body, moved in front of the loop */
    Stmt *a, *b, *c;         /* up to the first product; between; the second */
    Stmt *early;             /* waits for the second's stages, for the iteration before */
    Stmt *after[2];          /* what is given back behind each of the two */
    Stmt *g[2];
};

static bool loop_of_one(const Low *l, const Stmt *s)
{
    int64_t step;
    return s->kind == Sfor && s->loop.kind == Fserial && s->loop.n == 1 &&
           (!s->loop.step || (x_isint(l->p, s->loop.step, &step) && step == 1)) &&
           x_pure(l->p, s->loop.lo[0]) && x_pure(l->p, s->loop.hi[0]);
}

static bool overlap_no_jump(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Sbreak && s->kind != Scontinue;
}

/* A barrier pair that list names. */
static bool names_pipe(const Stmt *list, uint32_t pipe)
{
    for (; list; list = list->next)
        if (list->kind == Sop && list->op.r[0].buf == pipe)
            return true;
    return false;
}

static bool overlap_two_stages(const Low *l, const Stmt *s)
{
    int64_t n;
    return x_isint(l->p, l->p->buf[s->op.r[0].buf].shape[0], &n) && n >= 2;
}

/* Does a statement of list touch one of r's buffers in a way that forbids to
 * change places with it?  wrote: that r is written. */
static bool conflicts(const Low *l, const Stmt *list, const Region *r, bool written)
{
    for (; list; list = list->next)
        if (uses_region(l, list, r) & (written ? ~0 : FXwrite))
            return true;
    return false;
}

typedef struct OverlapNames OverlapNames;
struct OverlapNames { const Low *l; const Stmt *body; bool found; };

static bool overlap_uses_let(void *ud, Ex e)
{
    OverlapNames *n = ud;
    for (const Stmt *s = n->body; s; s = s->next)
        if (s->kind == Slet && x_uses(n->l->p, e, s->let.var))
            n->found = true;
    return !n->found;
}

static bool stmt_uses_let(Stmt *s, void *ud)
{
    OverlapNames *n = ud;
    return stmt_exprs(n->l->p, s, overlap_uses_let, n);
}

/* The body in its parts; its statements are moved only when all is known to be
 * right, so that `false` leaves the loop as it was.  *why: worth a note. */
static bool split_body(OverlapTurn *t, const char **why)
{
    Low *l = t->l;
    int n = 0, at[2] = {-1, -1}, k = 0;
    for (const Stmt *i = t->loop->loop.body; i; i = i->next)
        n++;
    Stmt **s = anew(&l->p->ctx, (size_t)(n + 1) * sizeof *s);
    n = 0;
    for (Stmt *i = t->loop->loop.body; i; i = i->next) {
        if (flight_product(l, i) && k < 2)
            at[k++] = n;
        else if (overlap_is_op(i, Ogemm) || has_product(i) || overlap_is_op(i, Owgmma_wait) ||
                 overlap_is_op(i, Owgmma_commit))
            return false;
        s[n++] = i;
    }
    if (k != 2)
        return false;
    t->g[0] = s[at[0]];
    t->g[1] = s[at[1]];
    const Region *c0 = &t->g[0]->op.r[GemmC], *r1 = t->g[1]->op.r;
    bool chained = false; /* otherwise the waits that move down do all there is to do */
    for (int i = at[0] + 1; i < at[1]; i++)
        chained |= uses_region(l, s[i], c0) != 0;
    if (!chained || c0->buf == r1[GemmC].buf)
        return false;
    if (r1[GemmA].buf == c0->buf) {
        *why = afmt(&l->p->ctx, "`%s`", l->p->buf[c0->buf].name);
        return false;
    }
    int first = at[1]; /* of the second product's part: its waits stand before it */
    while (first > at[0] + 1 && overlap_is_op(s[first - 1], Opipe_wait))
        first--;
    for (int i = first; i < at[1]; i++)
        if (!overlap_two_stages(l, s[i])) {
            low_note(l, E_overlap_stages, t->loop, afmt(&l->p->ctx, "`%s`", l->p->buf[r1[GemmB].buf].name));
            return false;
        }
    for (int i = at[1] + 1; i < n; i++)
        if (!overlap_is_op(s[i], Opipe_release))
            return false;
    for (int i = 0; i < n; i++)
        s[i]->next = NULL;
    for (int i = 0; i < n; i++) {
        Stmt **to = i > at[1]                                 ? &t->after[1]
                    : i >= first                              ? &t->c
                    : i > at[0] && overlap_is_op(s[i], Opipe_release) ? &t->after[0]
                    : i > at[0]                               ? &t->b
                                                              : &t->a;
        if (to == &t->c && overlap_is_op(s[i], Opipe_wait) && overlap_two_stages(l, s[i]))
            to = &t->early;
        if (s[i]->kind == Salloc && !s[i]->alloc.init)
            to = &t->allocs;
        *to = low_append(*to, s[i]);
    }
    return true;
}

/* May A(k) and C(k - 1) change places, and do they share no barrier pair? */
static bool commute(const OverlapTurn *t)
{
    const Low *l = t->l;
    const Region *r = t->g[1]->op.r;
    for (int i = GemmA; i <= GemmC; i++)
        if (conflicts(l, t->a, &r[i], i == GemmC))
            return false;
    for (int i = 0; i < 2; i++)
        for (const Stmt *s = i ? t->early : t->c; s; s = s->next)
            if (overlap_is_op(s, Opipe_wait) &&
                (names_pipe(t->a, s->op.r[0].buf) || names_pipe(t->b, s->op.r[0].buf) ||
                 names_pipe(t->after[0], s->op.r[0].buf)))
                return false;
    for (const Stmt *s = t->after[0]; s; s = s->next)
        if (names_pipe(t->b, s->op.r[0].buf) || !names_pipe(t->a, s->op.r[0].buf))
            return false;
    for (const Stmt *s = t->after[1]; s; s = s->next)
        if (!names_pipe(t->c, s->op.r[0].buf) && !names_pipe(t->early, s->op.r[0].buf))
            return false;
    for (const Stmt *s = t->allocs; s; s = s->next)
        if (l->p->buf[s->alloc.buf].scope == SCvar)
            return false;
    OverlapNames names = {l, t->a, false};
    stmt_walk(t->c, stmt_uses_let, &names);
    names.body = t->b;
    stmt_walk(t->c, stmt_uses_let, &names);
    stmt_walk(t->early, stmt_uses_let, &names);
    stmt_walk(t->after[0], stmt_uses_let, &names);
    stmt_walk(t->after[1], stmt_uses_let, &names);
    return !names.found && stmt_walk(t->a, overlap_no_jump, NULL) &&
           stmt_walk(t->b, overlap_no_jump, NULL);
}

/* The body as it was. */
static void undo(OverlapTurn *t)
{
    Stmt *list = low_append(t->allocs, low_append(t->a, t->after[0]));
    list = low_append(list, low_append(t->b, low_append(t->early, t->c)));
    t->loop->loop.body = low_append(list, t->after[1]);
}

/* A copy of list for iteration `at` instead of the loop's own. */
static Stmt *copy_at(const OverlapTurn *t, const Stmt *list, Ex at)
{
    Low *l = t->l;
    Stmt *k = low_renew(l, low_clone(l, list));
    LowNew round = {t->loop->loop.var[0], at};
    low_vars(l, k, &round, 1);
    for (Stmt *s = k; s; s = s->next)
        if (overlap_is_op(s, Ogemm)) {
            GemmPlan *g = start_product(l, s)->op.gemm;
            g->keep = g->keep ? low_varsx(l, g->keep, &round, 1) : 0;
        }
    return k;
}

static Stmt *next_product(Stmt *list)
{
    while (!overlap_is_op(list, Ogemm))
        list = list->next;
    return list;
}

/* list for iteration `at` with its product taken off; before: what stands in front
 * of the wait for it. */
static Stmt *launch_products(const OverlapTurn *t, ProductFlight *f, const Stmt *list, Stmt *before,
                             const Stmt *after, Ex at)
{
    Stmt *k = copy_at(t, list, at);
    overlap_take_off(f, next_product(k), before, copy_at(t, after, at));
    return k;
}

/* The loop from its second iteration on, turned. */
static Stmt *steady(const OverlapTurn *t)
{
    Low *l = t->l;
    Prog *p = l->p;
    ProductFlight f = {.l = l};
    Stmt *loop = anew(&p->ctx, sizeof *loop);
    *loop = *t->loop;
    loop->next = NULL;
    uint32_t v = p_var(p, Vloop, (enum Dtype)p->var[t->loop->loop.var[0]].dt,
                       p->var[t->loop->loop.var[0]].name, p->var[t->loop->loop.var[0]].lo,
                       p->var[t->loop->loop.var[0]].hi);
    p->var[v] = p->var[t->loop->loop.var[0]];
    if (p->var[v].lo < INT64_MAX && p->var[v].lo > INT64_MIN)
        p->var[v].lo++;
    loop->loop.var[0] = v;
    loop->loop.lo[0] = x_bin(p, Xadd, t->loop->loop.lo[0],
                             x_int(p, ex_type(p, t->loop->loop.lo[0]), 1));
    Ex k = x_var(p, v), before = low_add(l, k, low_i(l, -1));
    Stmt *list = launch_products(t, &f, t->a, NULL, t->after[0], k);
    list = low_append(list, launch_products(t, &f, t->c, copy_at(t, t->early, k), t->after[1],
                                            before));
    list = low_append(list, overlap_land(&f, 1, t->g[0]->loc));
    list = low_append(list, with_waits(&f, copy_at(t, t->b, k)));
    loop->loop.body = low_append(list, overlap_land(&f, f.n, t->g[1]->loc));
    Stmt *first = next_product(list);
    return overlap_turns(l, loop, first, next_product(first->next));
}

static Stmt *turned(const OverlapTurn *t)
{
    Low *l = t->l;
    Prog *p = l->p;
    Ex lo = t->loop->loop.lo[0], hi = t->loop->loop.hi[0];
    ProductFlight f = {.l = l};
    Stmt *list = launch_products(t, &f, t->a, NULL, t->after[0], lo);
    list = low_append(list, overlap_land(&f, 1, t->g[0]->loc));
    list = low_append(list, copy_at(t, t->b, lo));
    list = low_append(list, copy_at(t, t->early, lo));
    list = low_append(list, steady(t));
    list = low_append(list, launch_products(t, &f, t->c, NULL, t->after[1],
                                            low_add(l, hi, low_i(l, -1))));
    list = low_append(list, overlap_land(&f, 1, t->g[1]->loc));
    return low_append(t->allocs, low_guard(l, x_bin(p, Xlt, lo, hi), list));
}

/* Registers of a thread that hold the results of both products and what the second is made of. */
static int turn_registers(const OverlapTurn *t)
{
    const Prog *p = t->l->p;
    uint32_t buf[] = {t->g[0]->op.r[GemmC].buf, t->g[1]->op.r[GemmA].buf, t->g[1]->op.r[GemmC].buf};
    int64_t bytes = 0;
    for (size_t i = 0; i < COUNT(buf); i++)
        bytes += low_fragment(p, buf[i]) ? buf_bytes(p, buf[i]) : 0;
    return (int)(bytes / t->l->threads / 4);
}

/* 2 where it applies, else NULL. */
static Stmt *overlap_loop(Low *l, Stmt *s)
{
    OverlapTurn t = {.l = l, .loop = s};
    const char *why = NULL;
    if (!loop_of_one(l, s) || !low_uniform(l, s->loop.lo[0]) || !low_uniform(l, s->loop.hi[0]))
        return NULL;
    if (!split_body(&t, &why)) {
        if (why)
            low_note(l, E_overlap_direct, s, why);
        return NULL;
    }
    if (!commute(&t)) {
        undo(&t);
        return NULL;
    }
    int regs = turn_registers(&t);
    if (regs > l->m->regs_thread) {
        low_note(l, E_overlap_registers, s, afmt(&l->p->ctx, "%d", regs), afmt(&l->p->ctx, "%d", l->m->regs_thread));
        undo(&t);
        return NULL;
    }
    return turned(&t);
}

/* The pass ------------------------------------------------------------------ */

static bool user_waits(Stmt *s, void *ud)
{
    (void)ud;
    const GemmPlan *g = gemm_plan(s);
    return !overlap_is_op(s, Owgmma_wait) && !overlap_is_op(s, Owgmma_commit) && !(g && g->async);
}

static void overlap_blocks(Low *l, Stmt **at)
{
    Stmt **b[2];
    for (Stmt **i = at; *i;) {
        Stmt *s = *i, *next = s->next;
        LowRole outer = low_enter(l, s);
        s->next = NULL;
        Stmt *k = overlap_loop(l, s);
        for (int j = 0, n = k ? 0 : low_blocks(s, b); j < n; j++)
            overlap_blocks(l, b[j]);
        low_leave(l, outer);
        for (*i = k ? k : s; *i;)
            i = &(*i)->next;
        *i = next;
    }
    sink(l, at);
}

void low_overlap(Low *l)
{
    if (!l->m->wgmma)
        return;
    gemm_overlap(l);
    if (stmt_walk(l->launch->launch.body, user_waits, NULL))
        overlap_blocks(l, &l->launch->launch.body);
}
