/* core/lower/parallel/parallel.c: each parallel loop as what one thread does of it.
 *
 * The modes of the parallel loop's layout say it all: LANE and WARP modes are parts of
 * the thread's index, REG modes become loops, one of them the vectors.  Where
 * accesses may lie outside, a test of the block chooses between the interior,
 * without guards, and the edge. */
#include <string.h>

#include "core/lower/build/accesses.h"
#include "parallel.h"
#include "err/layouts.h"

typedef struct ParPass ParPass;
struct ParPass {
    Low *l;
    const Stmt **around; uint32_t naround, caparound; /* loops around, outermost first */
};

/* Looking at a parallel loop ------------------------------------------------------ */

static bool is_parloop(const Stmt *s) { return s->kind == Sfor && s->loop.kind == Fparallel; }

static bool fragment_free(Stmt *s, void *ud)
{
    Prog *p = ud;
    return (s->kind != Sstore || p->buf[s->store.buf].scope != SCfragment) &&
           !stmt_any(p, s, low_of_fragment, p);
}

/* No effect that threads with copies need: one condition serves the whole parallel loop.
 * Private arrays hold what one iteration computes. */
static bool memory_only(Stmt *s, void *ud)
{
    const Prog *p = ud;
    return s->kind == Sstore ? p->buf[s->store.buf].scope != SCfragment : s->kind != Scall;
}

/* What stands inside of a parallel loop runs in one thread. */
static bool serial_inside(Stmt *s, void *ud)
{
    Low *l = ud;
    if (is_parloop(s) || (s->kind == Sfor && s->loop.kind == Fpersistent)) {
        s->loop.kind = Fserial;
        s->loop.step = low_i(l, 1);
    }
    return true;
}

/* Integer lets without loads are replaced by their values, so that indices can
 * be seen through. */
typedef struct Inlined Inlined;
struct Inlined { LowNew *v; uint32_t n, cap; };

static Stmt *inline_let(Low *l, Stmt *s, bool *into, void *ud)
{
    Prog *p = l->p;
    Inlined *k = ud;
    (void)into;
    if (s->kind != Slet || dtypeinfo[p->var[s->let.var].dt].cls == 'F' ||
        !x_pure(p, p->var[s->let.var].value) || ex_at(p, p->var[s->let.var].value)->size > 64)
        return s;
    agrow(&p->ctx, &k->v, &k->cap, k->n + 1, sizeof *k->v);
    k->v[k->n++] = (LowNew){s->let.var, p->var[s->let.var].value};
    return NULL;
}

static void inline_lets(Low *l, Stmt **body)
{
    Inlined k = {0};
    low_rewrite(l, body, inline_let, &k);
    LowNew *done = anew(&l->p->ctx, (k.n + 1) * sizeof *done);
    for (uint32_t i = 0; i < k.n; i++) { /* a let may name those before it */
        memcpy(done, k.v, i * sizeof *done);
        k.v[i].to = low_varsx(l, k.v[i].to, done, (int)i);
    }
    low_vars(l, *body, k.v, (int)k.n);
}

/* Loops that the checks left open ------------------------------------------------ */

typedef struct Turning Turning;
struct Turning { Low *l; Turn is; Ex exists; };

static bool turn_all(Stmt *s, void *ud)
{
    const Turning *k = ud;
    s->turn = k->is;
    return true;
}

/* Does e speak of a variable of loop s? */
static bool turn_own(const Prog *p, const Stmt *s, Ex e)
{
    for (int d = 0; d < s->loop.n; d++)
        if (x_uses(p, e, s->loop.var[d]))
            return true;
    return false;
}

/* The bounds of dimension d, in which iterations are counted; those that other dimensions decide become the
 * widest that they can be. */
static void turn_bounds(Low *l, const Stmt *s, int d, Ex *lo, Ex *hi)
{
    Prog *p = l->p;
    int64_t from, to, unused;
    *lo = x_cast(p, DTi32, s->loop.lo[d]);
    *hi = x_cast(p, DTi32, s->loop.hi[d]);
    if (turn_own(p, s, *lo)) {
        x_extremes(p, *lo, &from, &unused);
        *lo = low_i(l, from);
    }
    if (turn_own(p, s, *hi)) {
        x_extremes(p, *hi, &unused, &to);
        *hi = low_i(l, to);
    }
}

Stmt *parloop_turns(Low *l, Stmt *s)
{
    Prog *p = l->p;
    Turning k = {.l = l};
    Ex at = low_i(l, 0);
    if (!s->loop.open || p->nopen >= MaxOpen)
        return NULL;
    s->loop.open = false;
    k.is.loop = ++p->nopen;
    low_begin(l, s->loc);
    for (int d = 0; d < s->loop.n; d++) {
        Ex lo, hi;
        turn_bounds(l, s, d, &lo, &hi);
        if (!x_pure(p, lo)) { /* where the loop begins, too */
            lo = x_var(p, s_let(p, "first", lo));
            s->loop.lo[d] = x_cast(p, ex_type(p, s->loop.lo[d]), lo);
        }
        Ex n = x_bin(p, Xsub, hi, lo);
        if (!x_pure(p, n)) /* what memory holds there later is no matter */
            n = x_var(p, s_let(p, "extent", n));
        Ex v = x_bin(p, Xsub, x_cast(p, DTi32, x_var(p, s->loop.var[d])), lo);
        Stmt *begin = anew(&p->ctx, sizeof *begin);
        begin->kind = Sassume;
        begin->loc = s->loc;
        begin->turn = (Turn){k.is.loop, low_i(l, d), n};
        begin->check.cond = x_int(p, DTbool, 1);
        begin->check.begins = true;
        low_put(l, begin);
        at = low_add(l, x_bin(p, Xmul, at, n), v);
    }
    k.is.first = k.is.last = at;
    stmt_walk(s->loop.body, turn_all, &k);
    return low_end(l);
}

static bool turn_exists(Stmt *s, void *ud)
{
    Turning *k = ud;
    if (s->turn.loop)
        s->turn.first = s->turn.last =
            x_select(k->l->p, k->exists, s->turn.first, low_i(k->l, -1));
    return true;
}

/* One path of a parallel loop ----------------------------------------------------- */

Ex parloop_exists(const ParLoop *n)
{
    Low *l = n->l;
    Ex all = x_int(l->p, DTbool, 1), reg[ParLoopModes];
    for (int k = 0; k < n->nreg; k++)
        reg[k] = x_var(l->p, n->reg[k]);
    for (int d = 0; d < n->loop.ndim; d++)
        if (n->loop.extent[d] > n->loop.size[d])
            all = x_bin(l->p, Xand, all, x_bin(l->p, Xlt, low_index(l, &n->loop, d, reg),
                                               low_i(l, n->loop.size[d])));
    return all;
}

static void collect_modes(ParLoop *n)
{
    Low *l = n->l;
    n->nreg = 0;
    for (int i = 0; i < n->loop.n; i++)
        if (n->loop.d[i].axis == AXreg) {
            n->mode[n->nreg] = (uint8_t)i;
            n->step[n->nreg] = n->loop.d[i].stride;
            const char *name = l->p->var[n->s->loop.var[n->loop.d[i].dim]].name;
            n->reg[n->nreg++] = p_var(l->p, Vloop, DTi32, name, 0, n->loop.d[i].extent - 1);
        }
}

/* The parallel loop's variables in terms of the thread and of reg. */
static void place_variables(ParLoop *n, Stmt *body, const Ex *reg)
{
    Low *l = n->l;
    LowNew to[MaxLoop];
    for (int d = 0; d < n->s->loop.n; d++) {
        uint32_t v = n->s->loop.var[d];
        Ex at = low_index(l, &n->loop, d, reg);
        to[d] = (LowNew){v, x_cast(l->p, (enum Dtype)l->p->var[v].dt, at)};
    }
    low_vars(l, body, to, n->s->loop.n);
}

/* Variable of mode k as q * w + v. */
static void split_mode_vec(ParLoop *n, Stmt *body, int k, uint32_t q, uint32_t v, int w)
{
    Low *l = n->l;
    l->p->var[q].hi = n->loop.d[n->mode[k]].extent / w - 1;
    l->p->var[v].hi = w - 1;
    Ex to = low_add(l, low_mul(l, x_var(l->p, q), w), x_var(l->p, v));
    low_vars(l, body, &(LowNew){n->reg[k], to}, 1);
}

/* Largest power of two that divides the mode, as far as vectors go. */
static int vector_limit(const ParLoop *n, int k)
{
    int32_t e = n->loop.d[n->mode[k]].extent;
    int w = 1;
    while (e % (w * 2) == 0 && w * 2 <= n->l->m->vec_bytes * 2)
        w *= 2;
    return w;
}

/* How wide vectors along mode k are: of those that divide the mode, or of half as many and so on
 * where only for these quotients are the same. */
static int mode_width(ParLoop *n, Stmt *body, const Vec *x, uint32_t q, int k)
{
    int best = 1;
    for (int w = vector_limit(n, k); w > best; w /= 2) {
        Stmt *try = low_renew(n->l, low_clone(n->l, body));
        split_mode_vec(n, try, k, q, x->v, w);
        int found = parloop_widest(n->l, try, x, w, false);
        best = found > best ? found : best;
        if (!vec_divides(x, try))
            break;
    }
    return best;
}

/* Which mode carries the vectors, and how wide: 1, none. */
static int pick_vector_mode(ParLoop *n, Stmt *body, const Vec *x, uint32_t q, int *mode)
{
    int best = 1;
    *mode = -1;
    for (int k = n->nreg - 1; k >= 0; k--) {
        if (n->loop.d[n->mode[k]].weight != 1)
            continue;
        int w = mode_width(n, body, x, q, k);
        if (w > best) {
            best = w;
            *mode = k;
        }
    }
    return best;
}

enum { Unrolled = 16 };

/* A loop to be: variable and iterations. */
typedef struct ModeTurn { uint32_t var; int64_t n, step; } ModeTurn;

/* Two loops as one, in place: when all uses of the two variables fit a single
 * one.  outer becomes the variable of both. */
static bool par_merge(Low *l, Stmt *body, ModeTurn *outer, const ModeTurn *inner)
{
    Prog *p = l->p;
    uint32_t v = p_var(p, Vloop, DTi32, p->var[outer->var].name, 0, outer->n * inner->n - 1);
    LowNew to[2] = {{outer->var, low_div(l, x_var(p, v), inner->n)},
                    {inner->var, low_mod(l, x_var(p, v), inner->n)}};
    Stmt *try = low_renew(l, low_clone(l, body));
    low_vars(l, try, to, 2);
    if (vec_divides(&(Vec){.l = l, .v = v}, try))
        return false;
    low_vars(l, body, to, 2);
    *outer = (ModeTurn){v, outer->n * inner->n, inner->step};
    return true;
}

/* Loops over the register modes around body, the largest step outermost. */
static Stmt *par_loops(ParLoop *n, Stmt *body, int vmode, uint32_t q, int w)
{
    ModeTurn t[ParLoopModes];
    int nt = 0;
    int64_t inside = 1;
    for (int k = 0; k < n->nreg; k++) {
        int64_t e = n->loop.d[n->mode[k]].extent;
        ModeTurn one = {n->reg[k], e, n->step[k]};
        if (k == vmode)
            one = (ModeTurn){q, e / w, n->step[k] * w};
        int i = nt;
        if (one.n == 1)
            continue;
        for (; i > 0 && t[i - 1].step > one.step; i--)
            t[i] = t[i - 1];
        t[i] = one;
        nt++;
    }
    for (int i = 0; i + 1 < nt;)
        if (par_merge(n->l, body, &t[i + 1], &t[i])) {
            memmove(&t[i], &t[i + 1], (size_t)(nt - i - 1) * sizeof *t);
            nt--;
        } else {
            i++;
        }
    for (int i = 0; i < nt && body; i++) {
        inside *= t[i].n;
        enum ForKind kind = n->regs || inside <= Unrolled ? Funroll : Fserial;
        body = parloop_loop(n->l, kind, t[i].var, t[i].n, body);
    }
    return body;
}

/* The rounds of what the parallel loop has become have no order, nor have those of loops inside. */
static bool rounds_unordered(Stmt *s, void *ud)
{
    (void)ud;
    if (s->kind == Sfor)
        s->loop.apart = true;
    return true;
}

static Stmt *path(ParPass *pass, Stmt *s, const Layout *loop, Stmt *body, const Vec *pitches,
                  int *width)
{
    Low *l = pass->l;
    ParLoop n = {.l = l, .s = s, .loop = *loop, .around = pass->around, .naround = pass->naround};
    Vec x = *pitches;
    Ex reg[ParLoopModes];
    int vmode = -1, w = 1;
    bool whole = stmt_walk(body, memory_only, l->p), private = parloop_private(l, body);
    parloop_cut(&n);
    collect_modes(&n);
    parloop_regs(&n, body);
    for (int k = 0; k < n.nreg; k++)
        reg[k] = x_var(l->p, n.reg[k]);
    place_variables(&n, body, reg);
    Ex exists = parloop_exists(&n);
    stmt_walk(body, turn_exists, &(Turning){.l = l, .exists = exists});
    parloop_mask(l, &body, exists);
    x.v = p_var(l->p, Vloop, DTi32, "v", 0, 0);
    uint32_t q = p_var(l->p, Vloop, DTi32, "q", 0, 0);
    if (!private || parloop_choice(body))
        w = pick_vector_mode(&n, body, &x, q, &vmode);
    if (vmode >= 0) {
        split_mode_vec(&n, body, vmode, q, x.v, w);
        if (n.loop.d[n.mode[vmode]].extent == w) {
            low_vars(l, body, &(LowNew){q, low_i(l, 0)}, 1);
        }
    }
    *width = w > 1 ? parloop_widest(l, body, &x, w, true) : 1;
    Ex first = low_first(l, loop);
    Stmt *out = parloop_emit(l, body, &x, w, whole ? 0 : first);
    out = par_loops(&n, out, vmode, q, w);
    stmt_walk(out, rounds_unordered, NULL);
    return low_if(l, whole ? first : 0, out, NULL);
}

/* Copies and memory ------------------------------------------------------ */

typedef struct ParAccess { const Prog *p; uint32_t root; } ParAccess;

static bool par_reads(void *ud, Ex e)
{
    const ParAccess *t = ud;
    const Expr *x = &t->p->ex[e];
    return x->op == Xload && buf_root(t->p, x->sym) == t->root;
}

static bool none_reads(Stmt *s, void *ud)
{
    return !stmt_any(((ParAccess *)ud)->p, s, par_reads, ud);
}

/* What is asked of the statements of a parallel loop: `body` is all of it. */
typedef struct Update Update;
struct Update { const Prog *p; Stmt *body; };

static bool no_update(Stmt *s, void *ud)
{
    const Update *u = ud;
    ParAccess t = {u->p, s->kind == Sstore ? buf_root(u->p, s->store.buf) : 0};
    int sc = t.root ? u->p->buf[t.root].scope : SCnone;
    return (sc != SCshared && sc != SCglobal) || stmt_walk(u->body, none_reads, &t);
}

static bool no_prev(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Satomic || !s->atomic.prev;
}

/* Does what stands in list store to memory that the parallel loop with this body reads? */
static bool par_updates(const Prog *p, Stmt *list, Stmt *body)
{
    Update u = {p, body};
    return !stmt_walk(list, no_update, &u);
}

bool parloop_joined(const Stmt *body)
{
    for (const Stmt *b = body; b; b = b->next)
        if (b->kind == Slet || b->kind == Salloc || (b->kind == Satomic && b->atomic.prev))
            return true;
    return false;
}

bool parloop_alone(const Low *l, const Layout *loop)
{
    return layout_copies(loop) == 1 && layout_extent(loop, AXwarp) * l->m->warp >= l->threads;
}

bool parloop_races(const Low *l, const Stmt *s, const Layout *loop)
{
    Prog *p = l->p;
    Stmt *body = s->loop.body;
    if (parloop_alone(l, loop) || stmt_walk(body, memory_only, p))
        return false;
    if (!stmt_walk(body, no_prev, NULL))
        return true; /* one of the copies alone gets the old value */
    if (!par_updates(p, body, body))
        return false;
    if (parloop_joined(body))
        return true;
    for (Stmt *b = body; b; b = b->next) {
        Stmt one = *b;
        one.next = NULL;
        if (!stmt_walk(&one, memory_only, p) && par_updates(p, &one, body))
            return true;
    }
    return false;
}

/* A parallel loop that sets a fragment and changes memory which it reads: the threads
 * with copies read too, so the statements become parallel loops of their own, and a
 * barrier can stand between them.  NULL: not needed.  (Where that would not do,
 * low_layouts has put the fragment into shared memory.) */
static Stmt *par_divide(Low *l, Stmt *s)
{
    Prog *p = l->p;
    const ParLoopPlan *k = loop_plan(s);
    Stmt *out = NULL, *next;
    if (!k || parloop_alone(l, &k->loop) || !s->loop.body->next || parloop_joined(s->loop.body) ||
        stmt_walk(s->loop.body, memory_only, p) || !par_updates(p, s->loop.body, s->loop.body))
        return NULL;
    for (Stmt *b = s->loop.body; b; b = next) {
        next = b->next;
        b->next = NULL;
        Stmt *one = anew(&p->ctx, sizeof *one);
        *one = *s;
        one->next = NULL;
        one->loop.body = b;
        out = low_append(out, low_renew(l, one));
    }
    return out;
}

/* A parallel loop ----------------------------------------------------------------- */

static void par_plan(ParPass *pass, Stmt *s, Layout *loop)
{
    Low *l = pass->l;
    const ParLoopPlan *k = loop_plan(s);
    if (!stmt_walk(s->loop.body, fragment_free, l->p)) {
        if (!k)
            diag_fail(&l->p->ctx, E_bug, s->loc, "a parallel loop with fragments has no plan",
                      NULL);
        *loop = k->loop;
        return;
    }
    parloop_plan(l, s, loop);
}

static void par_whole_bytes(Low *l, const Stmt *s, const Layout *loop)
{
    uint32_t b = parloop_splits(l, s, loop);
    if (b)
        diag(&l->p->ctx, E_split_byte, s->loc, l->p->buf[b].name,
             dtypeinfo[l->p->buf[b].dt].name, NULL);
}

static Ex pitch_test(Low *l, const Vec *x)
{
    Ex all = x_int(l->p, DTbool, 1);
    for (int i = 0; i < x->npitch; i++) {
        Ex e = x->pitch[i].e, zero = x_int(l->p, ex_type(l->p, e), 0);
        Ex w = x_int(l->p, ex_type(l->p, e), x->pitch[i].w);
        all = x_bin(l->p, Xand, all, x_bin(l->p, Xeq, x_bin(l->p, Xfmod, e, w), zero));
    }
    return all;
}

static Stmt *copy_of(Low *l, Stmt *body) { return low_renew(l, low_clone(l, body)); }

/* The interior, and under what condition it may be taken (0: always). */
static Stmt *interior(ParPass *pass, Stmt *s, const Layout *loop, Ex *when, int *width)
{
    Low *l = pass->l;
    Vec plain = {.l = l}, fast = {.l = l};
    Stmt *body = copy_of(l, s->loop.body);
    int w;
    parloop_guard(l, &body, s, when);
    vec_pitches(&fast, s->loop.body);
    Stmt *out = path(pass, s, loop, fast.npitch ? copy_of(l, body) : body, &plain, width);
    if (fast.npitch == 0)
        return out;
    Stmt *wide = path(pass, s, loop, body, &fast, &w);
    if (w <= *width)
        return out;
    Ex test = pitch_test(l, &fast);
    *width = w;
    *when = *when ? x_bin(l->p, Xand, *when, test) : test;
    return wide;
}

static void lower_block(ParPass *pass, Stmt **at);

static Stmt *par_placed(ParPass *pass, Stmt *s)
{
    Low *l = pass->l;
    Vec plain = {.l = l};
    Layout loop;
    Ex when;
    int w;
    Stmt *parts = par_divide(l, s);
    if (parts) {
        lower_block(pass, &parts);
        return parts;
    }
    parloop_notes(l, s);
    par_plan(pass, s, &loop);
    par_whole_bytes(l, s, &loop);
    low_begin(l, s->loc);
    Stmt *in = interior(pass, s, &loop, &when, &w);
    if (when) {
        Stmt *body = copy_of(l, s->loop.body);
        parloop_guard(l, &body, NULL, NULL);
        low_put(l, low_if(l, when, in, path(pass, s, &loop, body, &plain, &w)));
    } else {
        low_put(l, in);
    }
    return low_end(l);
}

static Stmt *par_parloop(ParPass *pass, Stmt *s)
{
    Low *l = pass->l;
    stmt_walk(s->loop.body, serial_inside, l);
    inline_lets(l, &s->loop.body);
    if (!s->loop.body)
        return NULL;
    Stmt *begin = parloop_turns(l, s);
    return low_append(begin, par_placed(pass, s));
}

/* The pass ---------------------------------------------------------------- */

static void lower_nested(ParPass *pass, Stmt *s)
{
    Low *l = pass->l;
    Stmt **b[2];
    uint32_t outside = pass->naround;
    if (s->kind == Sfor) {
        agrow(&l->p->ctx, &pass->around, &pass->caparound, outside + 1, sizeof *pass->around);
        pass->around[pass->naround++] = s;
    }
    LowRole outer = low_enter(l, s);
    for (int i = 0, n = low_blocks(s, b); i < n; i++)
        lower_block(pass, b[i]);
    low_leave(l, outer);
    pass->naround = outside;
}

static Stmt *lower_statement(ParPass *pass, Stmt *s)
{
    Low *l = pass->l;
    if (is_parloop(s))
        return par_parloop(pass, s);
    if (s->kind == Sfor && s->loop.kind == Fvectorized)
        return parloop_vectorized(l, s, 0);
    if (s->kind == Salloc && l->p->buf[s->alloc.buf].scope == SCfragment)
        return NULL;
    lower_nested(pass, s);
    return s;
}

static void lower_block(ParPass *pass, Stmt **at)
{
    while (*at) {
        Stmt *s = *at, *next = s->next;
        s->next = NULL;
        *at = lower_statement(pass, s);
        while (*at)
            at = &(*at)->next;
        *at = next;
    }
}

void low_parallel(Low *l)
{
    ParPass pass = {.l = l};
    low_uses(l); /* what guards may rest on */
    parloop_guard(l, &l->launch->launch.body, NULL, NULL);
    lower_block(&pass, &l->launch->launch.body);
}
