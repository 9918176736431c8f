/* core/lower/parallel/plan.c: which thread does which iteration of a parallel loop, where no
 * fragment decides it (lowering.md 2.4): vectors first, then lanes, warps, and
 * registers for what is left. */
#include <string.h>

#include "parallel.h"

/* Accesses -------------------------------------------------------------- */

typedef struct VectorGain VectorGain;
struct VectorGain {
    Low *l;
    const Stmt *parloop;
    Vec x;
    int max;
    int global, shared; /* widths of the best accesses along x.v; 0: none depends on it */
    int least;       /* the least of those that go through global memory along x.v; 0: none */
    int gain;        /* accesses that are contiguous along x.v, weighed */
    int small;       /* fewest elements that fill a byte of what is stored */
    bool alone;      /* iterations are done one after the other */
    bool divided;    /* something that moves along x.v is divided */
    Ex seen[16]; uint32_t nseen; /* the last loads: one that is named again is no other access */
};

/* Does an atomic on several elements in a row begin, one turn of x.v later, where it ends? */
static bool par_plan_follows(const VectorGain *k, const Stmt *s)
{
    const Prog *p = k->l->p;
    int last = p->buf[s->atomic.buf].ndim - 1;
    int64_t by = 0;
    for (int d = 0; d < last; d++)
        if (vec_uses(&k->x, s->atomic.idx[d]))
            return false;
    ExSum sum = x_linear(p, s->atomic.idx[last]);
    for (int i = 0; i < sum.n; i++) {
        const Expr *x = ex_at(p, sum.atom[i]);
        if (x->op == Xvar && x->sym == k->x.v)
            by = sum.coef[i];
        else if (vec_uses(&k->x, sum.atom[i]))
            return false;
    }
    return by == s->atomic.lanes;
}

/* Such a one is as wide as it can be: no vector of them. */
static void par_plan_look_lanes(VectorGain *k, const Stmt *s)
{
    bool global = k->l->p->buf[s->atomic.buf].scope == SCglobal;
    int *best = global ? &k->global : &k->shared;
    if (!par_plan_follows(k, s))
        return;
    *best = *best ? *best : 1;
    k->least = global ? 1 : k->least;
    k->gain += global ? 8 : 2;
}

static void par_plan_look_at(VectorGain *k, uint32_t buf, const Ex *idx, bool store)
{
    const Buf *b = &k->l->p->buf[buf];
    int bits = dtypeinfo[b->dt].bits;
    if (b->scope != SCglobal && b->scope != SCshared)
        return;
    int w = vec_width(&k->x, buf, idx, k->max);
    int *best = b->scope == SCglobal ? &k->global : &k->shared;
    bool along = w != ParLoopFree && vec_contiguous(&k->x, buf, idx);
    if (w != ParLoopFree && w > *best)
        *best = w;
    if (along && b->scope == SCglobal && (!k->least || w < k->least))
        k->least = w;
    if (along)
        k->gain += (b->scope == SCglobal ? 4 : 1) * (store ? 2 : 1);
    if (store && bits < 8 && 8 / bits > k->small)
        k->small = 8 / bits;
}

static ExGo look_loads(void *ud, Ex e)
{
    VectorGain *k = ud;
    Expr x = *ex_at(k->l->p, e);
    if (x.op != Xload)
        return EXinto;
    for (size_t i = 0; i < COUNT(k->seen); i++)
        if (k->seen[i] == e)
            return EXskip;
    par_plan_look_at(k, x.sym, x.arg, false);
    k->seen[k->nseen++ % COUNT(k->seen)] = e;
    return EXinto;
}

/* What a cp.async loads to know where from is never a vector. */
static void look_stmt(VectorGain *k, Stmt *s)
{
    if (s->kind != Sop || s->op.op != Ocp_async)
        stmt_ex_walk(k->l->p, s, look_loads, k);
    if (s->kind == Sstore)
        par_plan_look_at(k, s->store.buf, s->store.idx, true);
    else if (s->kind == Satomic && s->atomic.lanes > 1)
        par_plan_look_lanes(k, s);
    else if (s->kind == Satomic)
        par_plan_look_at(k, s->atomic.buf, s->atomic.idx, true);
    else if (s->kind == Sop)
        for (int i = 0; i < MaxRegion; i++)
            if (s->op.r[i].buf)
                par_plan_look_at(k, s->op.r[i].buf, s->op.r[i].min, i > 0);
}

/* Iterations that decide differently do what stands in their `if` one after the other. */
static void look_block(VectorGain *k, Stmt *s)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        int max = k->max;
        look_stmt(k, s);
        while (s->kind == Sif && k->max > 1 && !vec_cond(&k->x, s->cond.cond, k->max))
            k->max /= 2;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            look_block(k, b[i]);
        k->max = max;
    }
}

static int32_t par_plan_extent_of(const Prog *p, const Stmt *parloop, int i)
{
    int64_t v;
    return x_isint(p, parloop->loop.hi[i], &v) && v > 0 && v <= INT32_MAX ? (int32_t)v : 1;
}

/* The body of a parallel loop with variable i as w * q + v, v a new variable, x->v: what is divided by a
 * multiple of w is a quotient of q then.  Where nothing is divided, as it is, and x->v is the variable. */
static Stmt *par_plan_cut(Low *l, const Stmt *parloop, int i, int w, Vec *x)
{
    Prog *p = l->p;
    uint32_t var = parloop->loop.var[i];
    Stmt *body = parloop->loop.body;
    x->v = var;
    if (w == 1 || !vec_divides(x, body))
        return body;
    uint32_t q = p_var(p, Vloop, DTi32, "q", 0, par_plan_extent_of(p, parloop, i) / w - 1);
    x->v = p_var(p, Vloop, DTi32, "v", 0, w - 1);
    body = low_renew(l, low_clone(l, body));
    Ex to = low_add(l, low_mul(l, x_var(p, q), w), x_var(p, x->v));
    low_vars(l, body, &(LowNew){var, x_cast(p, (enum Dtype)p->var[var].dt, to)}, 1);
    return body;
}

/* What the accesses of a parallel loop gain from iterations along variable i, w at a time.  The
 * others count as multiples of nothing but what their strides give. */
static VectorGain vector_gain_of(Low *l, Stmt *parloop, int i, int w)
{
    VectorGain k = {.l = l, .parloop = parloop, .small = 1, .max = w, .x = {.l = l}};
    Stmt *body = par_plan_cut(l, parloop, i, w, &k.x);
    vec_pitches(&k.x, body);
    look_block(&k, body);
    k.alone = parloop_private(l, body);
    if (k.alone) { /* what decides alone is loaded for several iterations at once */
        VectorGain choice = k;
        choice.global = choice.shared = choice.least = 0;
        memset(choice.seen, 0, sizeof choice.seen);
        for (const Stmt *s = body; parloop_choice(s); s = s->cond.then)
            ex_walk(l->p, s->cond.cond, look_loads, &choice);
        k.global = choice.global, k.shared = choice.shared, k.least = choice.least;
    }
    k.divided = vec_divides(&k.x, body);
    return k;
}

/* Lanes side by side matter most in global memory: one access that is narrower
 * than the vector would step over what its neighbours take. */
static int gain_width(const VectorGain *k)
{
    int w = k->least ? k->least : k->global ? k->global : k->shared;
    return w > k->small ? w : k->small;
}

/* ... at most as many at a time as divide their number; fewer where quotients are the same for these, and accesses
 * wider. */
static VectorGain vector_gain(Low *l, Stmt *parloop, int i)
{
    int32_t n = par_plan_extent_of(l->p, parloop, i);
    int64_t cap = l->m->vec_bytes * 2; /* of half-byte elements */
    int max = 1;
    while (max * 2 <= cap && n % (max * 2) == 0)
        max *= 2;
    VectorGain best = vector_gain_of(l, parloop, i, max);
    bool divided = best.divided;
    for (int w = max / 2; w > gain_width(&best) && divided; w /= 2) {
        VectorGain k = vector_gain_of(l, parloop, i, w);
        divided = k.divided;
        if (gain_width(&k) > gain_width(&best))
            best = k;
    }
    return best;
}

static int fastest(Low *l, Stmt *parloop)
{
    int best = parloop->loop.n - 1, most = -1;
    for (int i = parloop->loop.n - 1; i >= 0; i--) {
        VectorGain k = vector_gain(l, parloop, i);
        if (par_plan_extent_of(l->p, parloop, i) > 1 && k.gain > most) {
            most = k.gain;
            best = i;
        }
    }
    return best;
}

int parloop_width(Low *l, Stmt *parloop)
{
    VectorGain k = vector_gain(l, parloop, fastest(l, parloop));
    int64_t all = 1;
    int w = gain_width(&k);
    for (int i = 0; i < parloop->loop.n; i++)
        all *= par_plan_extent_of(l->p, parloop, i);
    int few = l->threads < l->m->warp || k.alone ? l->threads : l->m->warp;
    while (w > k.small && all / w < few)
        w /= 2;
    return w;
}

int parloop_async(Low *l, Stmt *parloop)
{
    int best = 1;
    for (int i = 0; i < parloop->loop.n; i++) {
        int n = par_plan_extent_of(l->p, parloop, i), w = 1;
        while (w * 2 <= l->m->vec_bytes && n % (w * 2) == 0)
            w *= 2;
        for (; w > best; w /= 2) {
            Vec x = {.l = l};
            Stmt *body = par_plan_cut(l, parloop, i, w, &x);
            vec_pitches(&x, body);
            int found = vec_async(&x, body, w);
            best = found > best ? found : best;
        }
    }
    return best;
}

/* Notes ----------------------------------------------------------------- */

typedef struct Noting Noting;
struct Noting {
    VectorGain k;
    int fast;
    const Stmt *at;
    uint32_t *said, n, cap;
};

static void note_at(Noting *t, uint32_t buf, const Ex *idx)
{
    Low *l = t->k.l;
    const Buf *b = &l->p->buf[buf];
    int bits = dtypeinfo[b->dt].bits, full = l->m->vec_bytes * 8 / bits;
    const char *what = "";
    if (b->scope != SCglobal || !vec_contiguous(&t->k.x, buf, idx) ||
        par_plan_extent_of(l->p, t->k.parloop, t->fast) < full)
        return;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->said[i] == buf)
            return;
    int w = vec_width(&t->k.x, buf, idx, full);
    Err e = w < full ? vec_why(&t->k.x, buf, idx, full, &what) : E_none;
    if (e == E_none)
        return;
    agrow(&l->p->ctx, &t->said, &t->cap, t->n + 1, sizeof *t->said);
    t->said[t->n++] = buf;
    int bytes = w * bits / 8;
    low_note(l, e, t->at, b->name, afmt(&l->p->ctx, "%d", bytes ? bytes : 1), what,
             afmt(&l->p->ctx, "%d", full), afmt(&l->p->ctx, "%d", l->m->vec_bytes));
}

static ExGo note_loads(void *ud, Ex e)
{
    Noting *t = ud;
    Expr x = *ex_at(t->k.l->p, e);
    if (x.op == Xload)
        note_at(t, x.sym, x.arg);
    return EXinto;
}

static bool note_stmt(Stmt *s, void *ud)
{
    Noting *t = ud;
    t->at = s;
    stmt_ex_walk(t->k.l->p, s, note_loads, t);
    if (s->kind == Sstore)
        note_at(t, s->store.buf, s->store.idx);
    else if (s->kind == Sop && s->op.op == Ocp_async)
        note_at(t, s->op.r[0].buf, s->op.r[0].min);
    return true;
}

void parloop_notes(Low *l, Stmt *parloop)
{
    int fast = fastest(l, parloop);
    Noting t = {.k = vector_gain(l, parloop, fast), .fast = fast};
    t.k.x.v = parloop->loop.var[fast]; /* as it was written */
    stmt_walk(parloop->loop.body, note_stmt, &t);
}

/* Modes ---------------------------------------------------------------- */

typedef struct Deal Deal;
struct Deal {
    Layout *out;
    int lanes, warps;          /* still to be given */
    int32_t lane, warp, reg;   /* strides reached */
};

static int32_t next_pow2(int32_t n)
{
    int32_t p = 1;
    while (p < n)
        p *= 2;
    return p;
}

/* How many of `left` lanes a mode with e values takes: as many as waste no
 * more than a fifth of them, or, for the last variable, as many as it can. */
static int32_t share(int32_t e, int32_t left, bool last)
{
    int32_t g = next_pow2(e) < left ? next_pow2(e) : left;
    while (!last && g > 1 && (int64_t)((e + g - 1) / g) * g * 4 > (int64_t)e * 5)
        g /= 2;
    return g;
}

/* The same for warps, which need not be a power of two: the fewest that leave
 * the fewest registers. */
static int32_t share_warps(int32_t e, int32_t left, bool last)
{
    int32_t best = 1;
    for (int32_t w = 2; w <= left; w++)
        if (left % w == 0 && (e + w - 1) / w < (e + best - 1) / best &&
            (last || (int64_t)((e + w - 1) / w) * w * 4 <= (int64_t)e * 5))
            best = w;
    return best;
}

static void to_regs(Deal *d, int dim, int32_t e)
{
    if (e > 1) {
        layout_mode(d->out, dim, e, AXreg, d->reg);
        d->reg *= e;
    }
}

static void deal(Deal *d, int dim, int32_t e, bool last)
{
    int32_t g = share(e, d->lanes, last), w;
    if (g > 1) {
        layout_mode(d->out, dim, g, AXlane, d->lane);
        d->lane *= g;
        d->lanes /= g;
        e = (e + g - 1) / g;
    }
    w = d->lanes == 1 || last ? share_warps(e, d->warps, last) : 1;
    if (w > 1) {
        layout_mode(d->out, dim, w, AXwarp, d->warp);
        d->warp *= w;
        d->warps /= w;
        e = (e + w - 1) / w;
    }
    to_regs(d, dim, e);
}

/* Threads in use: whole warps, or the largest power of two below one. */
static void par_plan_threads_of(const Low *l, int *lanes, int *warps)
{
    *lanes = l->m->warp;
    *warps = l->threads / l->m->warp;
    if (*warps == 0) {
        *warps = 1;
        *lanes = next_pow2(l->threads);
        if (*lanes > l->threads)
            *lanes /= 2;
    }
}

/* The plan of lowering.md 2.4 as modes: vec iterations of variable `fast` (-1: the one that
 * most accesses are contiguous in) to a thread, then lanes, warps, registers; threads that are
 * left over repeat.  false: it does not fit. */
static bool deal_all(Low *l, Stmt *parloop, int vec, int fast, Layout *out)
{
    int32_t size[LayDims];
    int n = parloop->loop.n;
    Deal d = {.out = out, .lane = 1, .warp = 1, .reg = 1};
    if (fast < 0)
        fast = fastest(l, parloop);
    for (int i = 0; i < n; i++)
        size[i] = par_plan_extent_of(l->p, parloop, i);
    layout_init(out, n, size);
    par_plan_threads_of(l, &d.lanes, &d.warps);
    int used = d.lanes;
    while (vec > 1 && vec > next_pow2(size[fast]))
        vec /= 2;
    to_regs(&d, fast, vec);
    int left = 0; /* the last variable that has anything to deal */
    while (left < n && (left == fast ? size[left] <= vec : size[left] == 1))
        left++;
    if (left == fast)
        for (left = fast + 1; left < n && size[left] == 1; left++)
            ;
    deal(&d, fast, (size[fast] + vec - 1) / vec, left >= n);
    for (int i = n - 1; i >= 0; i--)
        if (i != fast)
            deal(&d, i, size[i], i == left);
    if (d.lanes > 1)
        layout_bcast(out, d.lanes, AXlane, d.lane);
    if (used < l->m->warp)
        layout_bcast(out, l->m->warp / used, AXlane, used);
    if (d.warps > 1)
        layout_bcast(out, d.warps, AXwarp, d.warp);
    layout_canon(out);
    return layout_check(out, l->m->warp) == NULL;
}

/* One linear index ------------------------------------------------------ */

static int64_t reg_extent(const Layout *l) { return layout_extent(l, AXreg); }

/* (i, j) = (x // J, (x % J) * vec + v) with J = ceil(size / vec) of the fastest.  Does
 * nothing where the parallel loop's own extents divide well. */
static void par_plan_linear(Low *l, Stmt *parloop, int vec)
{
    Prog *p = l->p;
    Layout plain;
    int n = parloop->loop.n, fast = fastest(l, parloop), lanes, warps;
    int64_t all = 1, ideal;
    for (int i = 0; i < n; i++)
        all *= par_plan_extent_of(p, parloop, i);
    par_plan_threads_of(l, &lanes, &warps);
    while (vec > 1 && par_plan_extent_of(p, parloop, fast) % vec)
        vec /= 2;
    ideal = (all / vec + (int64_t)lanes * warps - 1) / ((int64_t)lanes * warps) * vec;
    if (n > 7 || all > INT32_MAX ||
        (deal_all(l, parloop, vec, fast, &plain) && reg_extent(&plain) * 8 <= ideal * 9))
        return;
    static const char *const names[2] = {"x", "v"};
    Ex lo[2] = {low_i(l, 0), low_i(l, 0)}, hi[2] = {low_i(l, all / vec), low_i(l, vec)};
    LowNew to[MaxLoop];
    low_begin(l, parloop->loc);
    Stmt *s = s_for(p, Fparallel, lo, hi, vec > 1 ? 2 : 1, 0, names);
    s_close(p);
    low_end(l);
    Ex x = x_var(p, s->loop.var[0]);
    int64_t below = par_plan_extent_of(p, parloop, fast) / vec;
    Ex at = low_mul(l, low_mod(l, x, below), vec);
    to[fast] = (LowNew){parloop->loop.var[fast],
                        vec > 1 ? low_add(l, at, x_var(p, s->loop.var[1])) : at};
    for (int i = n - 1; i >= 0; i--) {
        if (i == fast)
            continue;
        int64_t e = par_plan_extent_of(p, parloop, i);
        to[i] = (LowNew){parloop->loop.var[i], low_mod(l, low_div(l, x, below), e)};
        below *= e;
    }
    low_vars(l, parloop->loop.body, to, n);
    s->loop.body = parloop->loop.body;
    parloop->loop = s->loop;
}

/* Both halves of each byte in one thread: the first plan that does that. */
static bool par_plan_whole_bytes(Low *l, Stmt *parloop, Layout *out)
{
    enum { Widest = 16 };
    int best = fastest(l, parloop);
    for (int i = -1; i < parloop->loop.n; i++)
        for (int vec = 1; vec <= Widest; vec *= 2) {
            int fast = i < 0 ? best : i;
            if (par_plan_extent_of(l->p, parloop, fast) % vec == 0 &&
                deal_all(l, parloop, vec, fast, out) && !parloop_splits(l, parloop, out))
                return true;
        }
    return false;
}

void parloop_plan(Low *l, Stmt *parloop, Layout *out)
{
    int vec = parloop_width(l, parloop);
    if (parloop_halves(l, parloop)) {
        if ((deal_all(l, parloop, vec, -1, out) && !parloop_splits(l, parloop, out)) ||
            par_plan_whole_bytes(l, parloop, out))
            return;
    }
    par_plan_linear(l, parloop, vec);
    if (!deal_all(l, parloop, vec, -1, out))
        diag_fail(&l->p->ctx, E_bug, parloop->loc, "a parallel loop has no plan", NULL);
}
