/* targets/cpu/bounds.c: which accesses are inside of their buffers.
 *
 * An index is proved in range from the extents of the loops around it, from
 * conditions of the user that enclose it, or by a test that is printed once in
 * front of a loop nest: the nest is then printed twice, with and without
 * guards.  All reasoning is done in 64 bits, where index arithmetic on sizes
 * below 2^31 cannot overflow. */
#include "emit.h"

static bool is_loop(const Gen *g, uint32_t v) { return g->loop[v].hi != 0; }

/* nest 0: every loop and block variable */
static bool in_set(const Gen *g, uint32_t v, uint16_t nest)
{
    return is_loop(g, v) && (nest == 0 || g->loop[v].nest == nest);
}

static bool touches(const Gen *g, Ex e, uint16_t nest)
{
    const Expr *x = ex_at(g->p, e);
    if (x->op == Xvar) {
        const Var *v = &g->p->var[x->sym];
        return v->kind == Vlet && v->value ? touches(g, v->value, nest) : in_set(g, x->sym, nest);
    }
    for (int i = 0; i < x->n; i++)
        if (touches(g, x->arg[i], nest))
            return true;
    return false;
}

static Ex num(Gen *g, int64_t v) { return x_int(g->p, DTi64, v); }

/* e in 64 bits; bindings that are not declared yet are replaced by their
 * values. */
static Ex wide(Gen *g, Ex e)
{
    Expr x = *ex_at(g->p, e);
    switch (x.op) {
    case Xint: return num(g, x.i);
    case Xvar:
        room(g);
        if (g->p->var[x.sym].kind == Vlet && !g->name[x.sym] && g->p->var[x.sym].value)
            return wide(g, g->p->var[x.sym].value);
        return x_cast(g->p, DTi64, e);
    case Xadd:
    case Xsub:
    case Xmul:
    case Xmin:
    case Xmax:
    case Xfdiv:
    case Xfmod:
        if (dtypeinfo[x.dt].bits < 32)
            return x_cast(g->p, DTi64, e);
        Ex a = wide(g, x.arg[0]), b = wide(g, x.arg[1]);
        return x_bin(g->p, (enum Xop)x.op, a, b);
    case Xcast:
        return dtypeinfo[x.dt].cls == 'I' && dtypeinfo[x.dt].bits >= 32 &&
                       dtypeinfo[ex_type(g->p, x.arg[0])].cls == 'I'
                   ? wide(g, x.arg[0])
                   : x_cast(g->p, DTi64, e);
    default: return x_cast(g->p, DTi64, e);
    }
}

static bool extreme(Gen *g, Ex e, bool up, uint16_t nest, Ex *out);

static bool extreme_var(Gen *g, uint32_t v, bool up, uint16_t nest, Ex *out)
{
    Var var = g->p->var[v];
    if (var.kind == Vlet)
        return extreme(g, var.value, up, nest, out);
    LoopVar l = g->loop[v];
    int64_t lo = 1, hi, k;
    Ex last, bound;
    if (l.step && (!x_range(g->p, l.step, &lo, &hi) || (lo < 0 && hi >= 0)))
        return false;
    if (lo < 0) /* counts down from lo to above hi */
        bound = up ? l.lo : x_bin(g->p, Xadd, wide(g, l.hi), num(g, 1));
    else
        bound = up ? x_bin(g->p, Xsub, wide(g, l.hi), num(g, 1)) : l.lo;
    if (!extreme(g, bound, up, nest, &last))
        return false;
    /* a condition of the user may know more */
    if (up && var.hi != INT64_MAX && x_isint(g->p, last, &k) && var.hi < k)
        last = num(g, var.hi);
    if (!up && var.lo != INT64_MIN && x_isint(g->p, last, &k) && var.lo > k)
        last = num(g, var.lo);
    *out = last;
    return true;
}

static bool extreme_sum(Gen *g, Ex e, bool up, uint16_t nest, Ex *out)
{
    Ex x[16], t;
    int64_t k[16], c;
    int n = x_linear(g->p, e, x, k, 16, &c);
    if (n < 0)
        return false;
    Ex sum = num(g, c);
    for (int i = 0; i < n; i++) {
        if (x[i] == e || !extreme(g, x[i], (k[i] > 0) == up, nest, &t))
            return false;
        sum = x_bin(g->p, Xadd, sum, x_bin(g->p, Xmul, t, num(g, k[i])));
    }
    *out = sum;
    return true;
}

/* A product with one side fixed and not negative grows with the other. */
static bool extreme_product(Gen *g, const Expr *x, bool up, uint16_t nest, Ex *out)
{
    for (int i = 0; i < 2; i++) {
        int64_t lo, hi;
        Ex fixed = x->arg[i], t;
        if (touches(g, fixed, nest) || !x_range(g->p, fixed, &lo, &hi) || lo < 0 ||
            !extreme(g, x->arg[1 - i], up, nest, &t))
            continue;
        *out = x_bin(g->p, Xmul, t, wide(g, fixed));
        return true;
    }
    return false;
}

/* The greatest (up) or least value of e over all values of the loop variables
 * in `nest`, as an expression without them. */
static bool extreme(Gen *g, Ex e, bool up, uint16_t nest, Ex *out)
{
    int64_t lo, hi, c;
    Ex a, b;
    room(g);
    if (!touches(g, e, nest)) {
        *out = wide(g, e);
        return true;
    }
    Expr x = *ex_at(g->p, e);
    switch (x.op) {
    case Xvar:
        if (extreme_var(g, x.sym, up, nest, out))
            return true;
        break;
    case Xmul:
        if (!x_isint(g->p, x.arg[1], &c)) {
            if (extreme_product(g, &x, up, nest, out))
                return true;
            break;
        } /* fallthrough */
    case Xadd:
    case Xsub:
        if (extreme_sum(g, e, up, nest, out))
            return true;
        break;
    case Xfdiv:
        if (!touches(g, x.arg[1], nest) && x_range(g->p, x.arg[1], &lo, &hi) && lo > 0 &&
            extreme(g, x.arg[0], up, nest, &a)) {
            *out = x_bin(g->p, Xfdiv, a, wide(g, x.arg[1]));
            return true;
        }
        break;
    case Xfmod:
        if (!touches(g, x.arg[1], nest) && x_range(g->p, x.arg[1], &lo, &hi) && lo > 0) {
            *out = up ? x_bin(g->p, Xsub, wide(g, x.arg[1]), num(g, 1)) : num(g, 0);
            return true;
        }
        break;
    case Xmin:
    case Xmax:
        if (extreme(g, x.arg[0], up, nest, &a) && extreme(g, x.arg[1], up, nest, &b)) {
            *out = x_bin(g->p, (enum Xop)x.op, a, b);
            return true;
        }
        break;
    case Xselect:
        if (extreme(g, x.arg[1], up, nest, &a) && extreme(g, x.arg[2], up, nest, &b)) {
            *out = x_bin(g->p, up ? Xmax : Xmin, a, b);
            return true;
        }
        break;
    case Xcast:
        if (dtypeinfo[x.dt].cls == 'I' && dtypeinfo[x.dt].bits >= 32 &&
            dtypeinfo[ex_type(g->p, x.arg[0])].cls == 'I')
            return extreme(g, x.arg[0], up, nest, out);
        break;
    default: break;
    }
    if (!x_range(g->p, e, &lo, &hi))
        return false;
    *out = num(g, up ? hi : lo);
    return true;
}

/* extent - 1 - bound, or bound: not negative when the access is inside. */
static Ex margin(Gen *g, Ex bound, Ex extent, bool upper)
{
    return upper ? x_bin(g->p, Xsub, x_bin(g->p, Xsub, wide(g, extent), num(g, 1)), bound) : bound;
}

static bool assumed(const Gen *g, Ex index, Ex extent, bool upper)
{
    int64_t a, b;
    for (uint32_t i = 0; i < g->nproof; i++) {
        const Proof *q = &g->proof[i];
        if (q->index != index || q->upper != upper)
            continue;
        if (!upper || q->extent == extent ||
            (x_isint(g->p, q->extent, &a) && x_isint(g->p, extent, &b) && a <= b))
            return true;
    }
    return false;
}

bool in_range(Gen *g, Ex index, Ex extent, bool upper)
{
    int64_t lo, hi, n;
    Ex bound;
    if (x_range(g->p, index, &lo, &hi) && (upper ? x_isint(g->p, extent, &n) && hi < n : lo >= 0))
        return true;
    if (dtypeinfo[ex_type(g->p, index)].cls == 'U' && !upper)
        return true;
    if (assumed(g, index, extent, upper))
        return true;
    return extreme(g, index, upper, 0, &bound) &&
           x_range(g->p, margin(g, bound, extent, upper), &lo, &hi) && lo >= 0;
}

/* Conditions of the user ------------------------------------------------ */

static void prove(Gen *g, Ex index, Ex extent, bool upper)
{
    agrow(g->c, &g->proof, &g->capproof, g->nproof + 1, sizeof *g->proof);
    g->proof[g->nproof++] = (Proof){index, extent, upper};
}

static int64_t div_floor(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - (a % b != 0 && (a % b < 0) != (b < 0));
}

/* 0 <= k*v + c narrows v */
static void narrow(Gen *g, uint32_t v, int64_t k, int64_t c)
{
    Var *var = &g->p->var[v];
    agrow(g->c, &g->narrowed, &g->capnarrowed, g->nnarrowed + 1, sizeof *g->narrowed);
    g->narrowed[g->nnarrowed++] = (Narrowed){v, 0, var->lo, var->hi};
    if (k > 0) {
        int64_t lo = -div_floor(c, k);
        var->lo = lo > var->lo && lo <= var->hi ? lo : var->lo;
    } else {
        int64_t hi = div_floor(c, -k);
        var->hi = hi < var->hi && hi >= var->lo ? hi : var->hi;
    }
}

/* a <= b - strict */
static void learn(Gen *g, Ex a, Ex b, bool strict)
{
    Ex x[4], zero = x_int(g->p, ex_type(g->p, b), 0);
    int64_t k[4], c, v;
    if (dtypeinfo[ex_type(g->p, a)].cls != 'I')
        return;
    if (strict)
        prove(g, a, b, true);
    if (!strict && x_isint(g->p, a, &v) && v >= 0)
        prove(g, b, zero, false);
    if (strict && x_isint(g->p, a, &v) && v >= -1)
        prove(g, b, zero, false);
    if (!index_like(g, a) || !index_like(g, b))
        return;
    int n = x_linear(g->p, x_bin(g->p, Xsub, wide(g, b), wide(g, a)), x, k, 4, &c);
    if (n != 1)
        return;
    Expr atom = *ex_at(g->p, x[0]);
    if (atom.op == Xcast)
        atom = *ex_at(g->p, atom.arg[0]);
    if (atom.op == Xvar &&
        (g->p->var[atom.sym].kind == Vloop || g->p->var[atom.sym].kind == Vblock))
        narrow(g, atom.sym, k[0], c - strict);
}

static void learn_all(Gen *g, Ex cond, bool holds)
{
    Expr x = *ex_at(g->p, cond);
    switch (x.op) {
    case Xand:
    case Xor:
        if ((x.op == Xand) == holds) {
            learn_all(g, x.arg[0], holds);
            learn_all(g, x.arg[1], holds);
        }
        break;
    case Xnot: learn_all(g, x.arg[0], !holds); break;
    case Xlt:
    case Xle:
        if (holds)
            learn(g, x.arg[0], x.arg[1], x.op == Xlt);
        else
            learn(g, x.arg[1], x.arg[0], x.op == Xle);
        break;
    case Xeq:
    case Xne:
        if ((x.op == Xeq) == holds) {
            learn(g, x.arg[0], x.arg[1], false);
            learn(g, x.arg[1], x.arg[0], false);
        }
        break;
    default: break;
    }
}

uint32_t refine(Gen *g, Ex cond, bool holds)
{
    uint32_t mark = g->nnarrowed;
    agrow(g->c, &g->narrowed, &g->capnarrowed, mark + 1, sizeof *g->narrowed);
    g->narrowed[g->nnarrowed++] = (Narrowed){0, g->nproof, 0, 0};
    learn_all(g, cond, holds);
    return mark;
}

void refine_end(Gen *g, uint32_t mark)
{
    while (g->nnarrowed > mark) {
        Narrowed n = g->narrowed[--g->nnarrowed];
        if (n.var) {
            g->p->var[n.var].lo = n.lo;
            g->p->var[n.var].hi = n.hi;
        } else {
            g->nproof = n.nproof;
        }
    }
}

/* Tests in front of a nest ---------------------------------------------- */

/* Whether e can be evaluated where the nest begins. */
static bool known_now(Gen *g, Ex e)
{
    const Expr *x = ex_at(g->p, e);
    if (x->op == Xload || x->op == Xcall)
        return false;
    if (x->op == Xvar)
        return g->name[x->sym] != NULL;
    for (int i = 0; i < x->n; i++)
        if (!known_now(g, ex_at(g->p, e)->arg[i]))
            return false;
    return true;
}

static void want(Gen *g, Tests *t, Ex index, Ex extent, bool upper)
{
    Ex bound;
    int64_t lo, hi;
    if (in_range(g, index, extent, upper) || !extreme(g, index, upper, g->nest, &bound))
        return;
    room(g);
    if (!known_now(g, bound) || !known_now(g, extent))
        return;
    if (x_range(g->p, margin(g, bound, extent, upper), &lo, &hi) && hi < 0)
        return; /* it never holds: the guard stays */
    agrow(g->c, &t->proof, &t->capproof, t->nproof + 1, sizeof *t->proof);
    t->proof[t->nproof++] = (Proof){index, extent, upper};
    for (uint32_t i = 0; i < t->n; i++)
        if (t->t[i].bound == bound && t->t[i].upper == upper &&
            (!upper || t->t[i].extent == extent))
            return;
    agrow(g->c, &t->t, &t->cap, t->n + 1, sizeof *t->t);
    t->t[t->n++] = (Test){bound, extent, upper};
}

static void want_access(Gen *g, Tests *t, uint32_t buf, const Ex *idx)
{
    for (int d = 0; d < g->p->buf[buf].ndim; d++) {
        want(g, t, idx[d], g->p->buf[buf].shape[d], false);
        want(g, t, idx[d], g->p->buf[buf].shape[d], true);
    }
}

static void want_loads(Gen *g, Tests *t, Ex e)
{
    Expr x = *ex_at(g->p, e);
    if (x.op == Xload)
        want_access(g, t, x.sym, x.arg);
    for (int i = 0; i < x.n; i++) {
        bool branch = x.op == Xselect && i > 0;
        uint32_t mark = branch ? refine(g, x.arg[0], i == 1) : 0;
        want_loads(g, t, x.arg[i]);
        if (branch)
            refine_end(g, mark);
    }
}

static void want_block(Gen *g, Tests *t, Stmt *s);

static void want_stmt(Gen *g, Tests *t, Stmt *s)
{
    uint32_t mark;
    switch (s->kind) {
    case Slet: want_loads(g, t, g->p->var[s->let.var].value); break;
    case Salloc:
        if (s->alloc.init)
            want_loads(g, t, s->alloc.init);
        break;
    case Sstore:
        want_access(g, t, s->store.buf, s->store.idx);
        for (int i = 0; i < g->p->buf[s->store.buf].ndim; i++)
            want_loads(g, t, s->store.idx[i]);
        want_loads(g, t, s->store.value);
        break;
    case Sfor:
        for (int i = 0; i < s->loop.n; i++) {
            want_loads(g, t, s->loop.lo[i]);
            want_loads(g, t, s->loop.hi[i]);
        }
        want_block(g, t, s->loop.body);
        break;
    case Swhile:
        want_loads(g, t, s->whil.cond);
        want_block(g, t, s->whil.body);
        break;
    case Sif:
        want_loads(g, t, s->cond.cond);
        mark = refine(g, s->cond.cond, true);
        want_block(g, t, s->cond.then);
        refine_end(g, mark);
        mark = refine(g, s->cond.cond, false);
        want_block(g, t, s->cond.els);
        refine_end(g, mark);
        break;
    case Satomic:
        want_access(g, t, s->atomic.buf, s->atomic.idx);
        for (int i = 0; i < 4; i++)
            if (s->atomic.value[i])
                want_loads(g, t, s->atomic.value[i]);
        break;
    default: break;
    }
}

static void want_block(Gen *g, Tests *t, Stmt *s)
{
    for (; s; s = s->next)
        want_stmt(g, t, s);
}

static void mark_nest(Gen *g, Stmt *s)
{
    for (; s; s = s->next) {
        if (s->kind == Sfor) {
            room(g);
            for (int i = 0; i < s->loop.n; i++)
                g->loop[s->loop.var[i]].nest = g->nest;
            mark_nest(g, s->loop.body);
        } else if (s->kind == Swhile) {
            mark_nest(g, s->whil.body);
        } else if (s->kind == Sif) {
            mark_nest(g, s->cond.then);
            mark_nest(g, s->cond.els);
        }
    }
}

/* s is the nest's outermost loop. */
void collect_tests(Gen *g, Stmt *s, Tests *t)
{
    Stmt *next = s->next;
    g->nest++;
    s->next = NULL;
    mark_nest(g, s);
    want_stmt(g, t, s);
    s->next = next;
}

void emit_tests(Gen *g, const Tests *t)
{
    g->bare = true;
    for (uint32_t i = 0; i < t->n; i++) {
        put(g, i ? " && " : "");
        emit_expr(g, t->t[i].bound, PRrel);
        put(g, t->t[i].upper ? " < " : " >= 0");
        if (t->t[i].upper)
            emit_expr(g, t->t[i].extent, PRrel + 1);
    }
    g->bare = false;
}

void assume_tests(Gen *g, const Tests *t, uint32_t *mark)
{
    *mark = g->nproof;
    for (uint32_t i = 0; i < t->nproof; i++)
        prove(g, t->proof[i].index, t->proof[i].extent, t->proof[i].upper);
}

/* Under the guard of an access. */
void assume_inside(Gen *g, uint32_t buf, const Ex *idx)
{
    for (int d = 0; d < g->p->buf[buf].ndim; d++) {
        prove(g, idx[d], g->p->buf[buf].shape[d], false);
        prove(g, idx[d], g->p->buf[buf].shape[d], true);
    }
}

void forget_tests(Gen *g, uint32_t mark) { g->nproof = mark; }
