/* core/ir/share.c: a T.Parallel in which random numbers are drawn, as loops of each thread.
 *
 * TileLang gives a thread `width` adjacent iterations, the next thread the next ones, and so on
 * round by round; the width is that of the vectors it would make of the body.  Every thread has a
 * generator of its own, so that who does what, and in which order, decides the values:
 *
 *     for i, j in T.Parallel(32, 8):            for round in serial(2):
 *         A[i * 8 + j] = T.rng_rand()    ->         for lane in serial(4):
 *                                                       i = ..; j = ..     # (round * 32 + tx) * 4 + lane
 *
 * What its planner of vectors looks at: the bits of what is accessed, where elements are adjacent,
 * conditions that hold for a whole vector or not.  What it makes of bodies beyond those is not
 * guessed: they are refused. */
#include "eval.h"
#include "share.h"

#include "walk.h"
#include "err/kernel.h"

typedef struct Width Width;
struct Width {
    Prog *p;
    Drawn *drawn; int n;
    uint32_t inner;    /* the innermost variable */
    int64_t w;
    int stores;        /* statements that do something, so far */
    bool converts, local;
    int32_t local_bits, cast_bits; /* the widest type among those */
    Ex *map; uint32_t nmap;        /* what lets of the body stand for */
};

enum { VectorBits = 128, MostLanes = 128 };

static void refuse(Prog *p, Loc at, const char *why) { diag_fail(&p->ctx, E_draw_order, at, why, NULL); }

static const Drawn *drawn_var(const Width *k, Ex e)
{
    const Expr *x = ex_at(k->p, e);
    for (int i = 0; x->op == Xvar && i < k->n; i++)
        if (k->drawn[i].var == x->sym)
            return &k->drawn[i];
    return NULL;
}

static bool is_open(void *ud, Ex e)
{
    const Drawn *d = drawn_var(ud, e);
    return d && !d->bound;
}

/* The same expression with the names of lets replaced. */
static Ex spelled(Width *k, Ex e) { return x_subst(k->p, e, k->map, k->nmap); }

/* e at the first iteration of each vector of w. */
static Ex at_first(Width *k, Ex e, int64_t w)
{
    Prog *p = k->p;
    Ex *map = anew(&p->ctx, p->nvar * sizeof *map), v = x_var(p, k->inner);
    Ex n = x_int(p, (enum Dtype)p->var[k->inner].dt, w);
    map[k->inner] = x_bin(p, Xmul, x_bin(p, Xfdiv, v, n), n);
    return x_subst(p, e, map, k->inner + 1);
}

/* Is index e the innermost variable and a multiple of w? */
static bool is_row(Width *k, Ex e, int64_t w)
{
    Prog *p = k->p;
    Ex v = x_var(p, k->inner);
    ExSum s = x_linear(p, e);
    bool found = false;
    for (int i = 0; i < s.n; i++) {
        if (s.atom[i] == v && s.coef[i] == 1)
            found = true;
        else if (x_uses(p, s.atom[i], k->inner))
            return false;
    }
    return found && x_multiple(p, x_bin(p, Xsub, e, v), w);
}

static bool same_in_vector(Width *k, Ex e, int64_t w)
{
    return !x_uses(k->p, e, k->inner) || at_first(k, e, w) == e;
}

/* Does a condition hold for all iterations of a vector or for none?  j + m < 0, m a multiple. */
static bool condition_of_vector(Width *k, Ex e, int64_t w)
{
    Prog *p = k->p;
    const Expr x = *ex_at(p, e);
    if (same_in_vector(k, e, w))
        return true;
    switch (x.op) {
    case Xand: case Xor:
        return condition_of_vector(k, x.arg[0], w) && condition_of_vector(k, x.arg[1], w);
    case Xnot:
        return condition_of_vector(k, x.arg[0], w);
    case Xlt: /* a < b: a - b < 0 */
        return is_row(k, x_bin(p, Xsub, x.arg[0], x.arg[1]), w);
    case Xle: /* a <= b: 0 <= b - a */
        return is_row(k, x_bin(p, Xsub, x.arg[1], x.arg[0]), w);
    default:
        return false;
    }
}

static void narrow_condition(Width *k, Ex e)
{
    if (ex_any_let(k->p, e, is_open, k))
        k->w = 1;
    e = spelled(k, e);
    while (k->w > 1 && !condition_of_vector(k, e, k->w))
        k->w /= 2;
}

/* Number of the element among those of its buffer. */
static Ex offset_of(Width *k, uint32_t buf, const Ex *idx)
{
    Prog *p = k->p;
    Ex at = 0;
    for (int d = 0; d < p->buf[buf].ndim; d++) {
        Ex i = spelled(k, idx[d]), stride = p->buf[buf].stride[d];
        if (p->buf[buf].stride[0])
            i = x_bin(p, Xmul, i, stride);
        else
            at = at ? x_bin(p, Xmul, at, p->buf[buf].shape[d]) : 0;
        at = at ? x_bin(p, Xadd, at, i) : i;
    }
    return at;
}

static void narrow_access(Width *k, uint32_t buf, const Ex *idx, bool store, Loc at)
{
    Prog *p = k->p;
    int bits = dtypeinfo[p->buf[buf].dt].bits;
    int64_t one;
    if (p->buf[buf].scope == SCfragment)
        refuse(p, at, "a fragment, whose elements lie as other operations want them");
    if (p->buf[buf].scope != SCglobal && p->buf[buf].scope != SCshared) {
        k->local = true;
        k->local_bits = bits > k->local_bits ? bits : k->local_bits;
        return;
    }
    if (!store && p->buf[buf].ndim == 1 && x_isint(p, p->buf[buf].shape[0], &one) && one == 1)
        return;
    Ex e = offset_of(k, buf, idx);
    int64_t w = k->w, least = eval_gcd(w, VectorBits / bits);
    while (w > least && !same_in_vector(k, e, w))
        w /= 2;
    if (same_in_vector(k, e, w)) {
        k->w = store ? 1 : w;
        return;
    }
    while (w > 1 && !is_row(k, e, w) && !same_in_vector(k, e, w))
        w /= 2;
    k->w = w;
}

static ExGo look(void *ud, Ex e)
{
    Width *k = ud;
    const Expr x = *ex_at(k->p, e);
    if (drawn_var(k, e))
        return EXskip;
    if (x.op == Xload)
        narrow_access(k, x.sym, x.arg, false, k->p->here);
    if (x.op == Xselect)
        narrow_condition(k, x.arg[0]);
    if (x.op == Xcast) {
        int a = dtypeinfo[x.dt].bits, b = dtypeinfo[ex_type(k->p, x.arg[0])].bits;
        k->converts = true;
        k->cast_bits = a > k->cast_bits ? a : k->cast_bits;
        k->cast_bits = b > k->cast_bits ? b : k->cast_bits;
    }
    return EXinto;
}

/* Is drawn d a vector of its own in e?  A part of e that is the same for all lanes is computed lane by
 * lane, and what is drawn in it with it. */
static bool is_vector(Width *k, Ex e, const Drawn *d)
{
    const Expr x = *ex_at(k->p, e);
    bool found = false, varies = false;
    for (int i = 0; i < x.n; i++) {
        if (drawn_var(k, x.arg[i]) == d)
            found = true;
        else
            varies |= x_uses(k->p, spelled(k, x.arg[i]), k->inner);
    }
    for (int i = 0; i < x.n && !found; i++)
        if (is_vector(k, x.arg[i], d))
            return true;
    return found && varies;
}

static void note_vectors(Width *k, Ex value)
{
    for (int i = 0; i < k->n; i++)
        if (drawn_var(k, value) == &k->drawn[i] || is_vector(k, value, &k->drawn[i]))
            k->drawn[i].vector = true;
}

typedef struct Counted { const Width *k; int n; } Counted;

static ExGo count_open(void *ud, Ex e)
{
    Counted *c = ud;
    c->n += is_open((void *)(uintptr_t)c->k, e);
    return EXinto;
}

static void look_block(Width *k, const Stmt *s);

static void look_stmt(Width *k, const Stmt *s)
{
    Prog *p = k->p;
    Counted c = {k, 0};
    p->here = s->loc;
    for (int i = 0; i < k->n; i++)
        if (k->drawn[i].at == s || (s->kind == Slet && k->drawn[i].var == s->let.var))
            return;
    switch (s->kind) {
    case Salloc:
        return;
    case Slet:
        stmt_ex_walk(p, s, look, k);
        if (s->let.var < k->nmap && x_pure(p, p->var[s->let.var].value))
            k->map[s->let.var] = spelled(k, p->var[s->let.var].value);
        return;
    case Sif:
        narrow_condition(k, s->cond.cond);
        stmt_ex_walk(p, s, look, k);
        look_block(k, s->cond.then);
        look_block(k, s->cond.els);
        return;
    case Sstore:
        k->stores++;
        stmt_ex_walk(p, s, look, k);
        stmt_ex_walk(p, s, count_open, &c);
        note_vectors(k, s->store.value);
        if (c.n > 1)
            refuse(p, s->loc, "two numbers drawn in one statement");
        narrow_access(k, s->store.buf, s->store.idx, true, s->loc);
        return;
    default:
        refuse(p, s->loc, "a statement that neither assigns nor decides");
    }
}

static void look_block(Width *k, const Stmt *s)
{
    for (; s; s = s->next)
        look_stmt(k, s);
}

/* The width that leaves the fewest threads idle in the last round, the greater of equal ones. */
static int64_t least_idle(int64_t w, int64_t total, int64_t threads)
{
    int64_t best = w, idle = INT64_MAX;
    for (; w >= 1; w /= 2) {
        int64_t part = threads * w, over = (total + part - 1) / part * part - total;
        if (over < idle) {
            idle = over;
            best = w;
        }
    }
    return best;
}

int share_width(Prog *p, const Stmt *loop, int64_t threads, Drawn *drawn, int n)
{
    Loc here = p->here;
    int last = loop->loop.n - 1;
    int64_t total = 1, lo, hi;
    bool known = true;
    Width k = {.p = p, .drawn = drawn, .n = n, .inner = loop->loop.var[last], .nmap = p->nvar};
    k.map = anew(&p->ctx, (size_t)p->nvar * sizeof *k.map);
    k.w = 1;
    for (int d = 0; d <= last; d++) {
        bool is = x_isint(p, loop->loop.lo[d], &lo) && x_isint(p, loop->loop.hi[d], &hi);
        if (!x_isint(p, loop->loop.lo[d], &lo) || lo != 0)
            refuse(p, loop->loc, "iterations that do not begin with 0");
        known = known && is;
        if (is && hi > 0 && total > INT32_MAX / hi)
            refuse(p, loop->loc, "more iterations than an int32 counts");
        total *= is ? hi : 1;
        k.w = d == last && is ? eval_gcd(MostLanes, hi) : k.w;
    }
    look_block(&k, loop->loop.body);
    bool bound = false;
    for (int i = 0; i < n; i++) {
        bound |= drawn[i].bound;
        k.w = drawn[i].most ? eval_gcd(k.w, drawn[i].most) : k.w;
    }
    if (k.stores > 1 && k.local)
        k.w = eval_gcd(k.w, VectorBits / k.local_bits);
    if (k.stores > 1 && k.converts)
        k.w = eval_gcd(k.w, VectorBits / k.cast_bits);
    if (known && k.w > 1)
        k.w = least_idle(k.w, total, threads);
    if (k.w > 1 && bound && k.converts)
        refuse(p, loop->loc, "a number under a name beside values that are converted");
    p->here = here;
    return (int)k.w;
}

/* Variable v, of the loop before, as a let. */
static void give(Prog *p, uint32_t v, Ex value)
{
    Stmt **at = s_here(p);
    uint32_t made = s_let(p, p->var[v].name, x_cast(p, (enum Dtype)p->var[v].dt, value));
    (*at)->let.var = v;
    p->var[v].kind = Vlet;
    p->var[v].value = p->var[made].value;
}

void share_loop(Prog *p, const Stmt *loop, Ex thread, int64_t threads, int width, uint32_t lane)
{
    static const char *const round[] = {"round"}, *const lanes[] = {"lane"};
    Loc here = p->here;
    Ex zero = x_int(p, DTi32, 0), total = x_int(p, DTi32, 1), flat, extent[MaxLoop];
    p->here = loop->loc;
    for (int d = 0; d < loop->loop.n; d++) {
        extent[d] = loop->loop.hi[d];
        total = x_bin(p, Xmul, total, extent[d]);
    }
    int64_t n, part = threads * width;
    Ex rounds = x_bin(p, Xfdiv, x_bin(p, Xadd, total, x_int(p, DTi32, part - 1)), x_int(p, DTi32, part));
    const Stmt *outer = s_for(p, Fserial, &zero, &rounds, 1, 0, round);
    flat = x_bin(p, Xadd, x_bin(p, Xmul, x_var(p, outer->loop.var[0]), x_int(p, DTi32, threads)), thread);
    flat = x_bin(p, Xmul, flat, x_int(p, DTi32, width));
    p->var[lane].hi = width - 1;
    if (width > 1) {
        Ex most = x_int(p, DTi32, width);
        s_for(p, Fserial, &zero, &most, 1, 0, lanes)->loop.var[0] = lane;
        flat = x_bin(p, Xadd, flat, x_var(p, lane));
    } else {
        give(p, lane, zero);
    }
    bool whole = x_isint(p, total, &n) && n % part == 0;
    if (!whole)
        s_if(p, x_bin(p, Xlt, flat, total));
    for (int d = loop->loop.n - 1; d >= 0; d--) {
        give(p, loop->loop.var[d], d ? x_bin(p, Xfmod, flat, extent[d]) : flat);
        flat = x_bin(p, Xfdiv, flat, extent[d]);
    }
    s_paste(p, loop->loop.body);
    for (int i = 0; i < 1 + (width > 1) + !whole; i++)
        s_close(p);
    p->here = here;
}
