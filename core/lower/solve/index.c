/* core/lower/solve/index.c: index maps as modes.
 *
 * An index frag[f(i, j)] is cut into pieces, each one a mode of one variable
 * of the node: projections, permutations, constants, j // c, j % c, offsets,
 * row-major reshapes.  What does not depend on these variables is kept apart. */
#include <string.h>

#include "solve.h"

typedef struct Terms Terms;
struct Terms {
    int n;
    RadixPiece p[MaxPiece];
    int64_t c;
    Ex dyn;
    bool fixed;
    uint8_t why;
};

typedef struct Parse Parse;
struct Parse {
    Solve *s;
    const SolveNode *nd;
};

static Prog *prog(const Parse *q) { return q->s->l->p; }

/* Number of the node's variable v, or -1. */
static int variable_number(const SolveNode *nd, uint32_t v)
{
    for (int i = 0; i < nd->nvar; i++)
        if (nd->var[i] == v && v)
            return i;
    return -1;
}

/* One of the node's variables. */
static bool moving(void *ud, Ex e)
{
    const Parse *q = ud;
    const Expr *x = ex_at(prog(q), e);
    return x->op == Xvar && variable_number(q->nd, x->sym) >= 0;
}

enum { ShortLoop = 64 };

/* Does the loop run a few times, known here? */
static bool is_short(const Prog *p, const Stmt *s)
{
    int64_t lo, hi;
    return s->loop.kind == Fserial && s->loop.n == 1 && x_isint(p, s->loop.lo[0], &lo) &&
           x_isint(p, s->loop.hi[0], &hi) && hi - lo <= ShortLoop && lo - hi <= ShortLoop;
}

/* The variable of a loop that will be unrolled: one that says so, or a short one
 * inside of the parallel loop, which lower/parallel/regs.c unrolls because it chooses registers. */
static bool unrolled_var(const Parse *q, uint32_t v)
{
    bool inside = true;
    for (const Around *a = q->nd->in; a; a = a->up) {
        inside = inside && a != q->nd->out;
        if (a->s->kind == Sfor && a->s->loop.var[0] == v)
            return a->s->loop.kind == Funroll || (inside && is_short(prog(q), a->s));
    }
    return false;
}

/* Other than variables of such loops and constants. */
static bool rolled(void *ud, Ex e)
{
    const Parse *q = ud;
    const Expr *x = ex_at(prog(q), e);
    return x->op == Xload || x->op == Xcall || (x->op == Xvar && !unrolled_var(q, x->sym));
}

static void terms(const Parse *q, Ex e, Terms *t);

static void terms_fail(Terms *t, enum LinkWhy why)
{
    if (t->why == LWok)
        t->why = (uint8_t)why;
}

static void index_sort(Terms *t)
{
    for (int i = 1; i < t->n; i++)
        for (int k = i; k > 0 && t->p[k].coef < t->p[k - 1].coef; k--) {
            RadixPiece x = t->p[k];
            t->p[k] = t->p[k - 1];
            t->p[k - 1] = x;
        }
}

/* Pieces in order, none reaching into the next: a mixed radix. */
static bool index_radix(const Terms *t)
{
    for (int i = 0; i < t->n; i++)
        if (t->p[i].coef <= 0 ||
            (i + 1 < t->n && (int64_t)t->p[i].coef * t->p[i].extent > t->p[i + 1].coef))
            return false;
    return true;
}

static void terms_add(Terms *t, RadixPiece p)
{
    if (p.extent <= 1)
        return;
    if (t->n == MaxPiece) /* of two values at least each: they overlap, or leave int32 */
        terms_fail(t, LWoverlap);
    else
        t->p[t->n++] = p;
}

/* t += k * a; LWdata where that leaves what indices are. */
static void index_sum(const Parse *q, Terms *t, const Terms *a, int64_t k)
{
    Prog *p = prog(q);
    int64_t c;
    if (a->why)
        terms_fail(t, (enum LinkWhy)a->why);
    if (k < INT32_MIN || k > INT32_MAX || __builtin_mul_overflow(k, a->c, &c) ||
        __builtin_add_overflow(t->c, c, &t->c)) {
        terms_fail(t, LWdata);
        return;
    }
    for (int i = 0; i < a->n; i++) {
        RadixPiece x = a->p[i];
        int64_t coef = k * x.coef;
        if (coef <= 0 || coef > INT32_MAX) {
            terms_fail(t, LWoverlap);
            return;
        }
        x.coef = (int32_t)coef;
        terms_add(t, x);
    }
    if (a->dyn) {
        Ex e = x_bin(p, Xmul, a->dyn, low_i(q->s->l, k));
        t->fixed = a->fixed && (!t->dyn || t->fixed);
        t->dyn = t->dyn ? x_bin(p, Xadd, t->dyn, e) : e;
    }
}

/* Is what stands in x below e, and above it, a mode too?  Of what begins again within its
 * variable only where e divides it. */
static bool cuts(const Parse *q, const RadixPiece *x, int32_t e)
{
    return x->extent % e == 0 || (int64_t)x->weight * x->extent >= q->nd->size[x->var];
}

/* Splits a (a mixed radix and a constant) at k: low keeps what stands below,
 * high the rest divided by k.  false: a piece or a carry crosses. */
static bool split_terms(const Parse *q, Terms *a, int64_t k, Terms *low, Terms *high)
{
    int64_t most;
    index_sort(a);
    if (a->why || a->dyn || a->c < 0 || !index_radix(a))
        return false;
    low->c = a->c % k;
    high->c = a->c / k;
    most = low->c;
    for (int i = 0; i < a->n; i++) {
        RadixPiece x = a->p[i];
        if (x.coef % k == 0) {
            x.coef = (int32_t)(x.coef / k);
            terms_add(high, x);
            continue;
        }
        if ((int64_t)x.coef * x.extent > k) { /* cut it */
            if (k % x.coef)
                return false;
            int32_t e = (int32_t)(k / x.coef);
            if (!cuts(q, &x, e))
                return false;
            terms_add(high, (RadixPiece){x.var, x.weight * e, (x.extent + e - 1) / e, 1});
            x.extent = e;
        }
        terms_add(low, x);
        most += (int64_t)x.coef * (x.extent - 1);
    }
    return most < k;
}

static void divmod(const Parse *q, const Expr *x, Terms *t)
{
    int64_t k;
    Terms a = {0}, low = {0}, high = {0};
    if (!x_isint(prog(q), x->arg[1], &k) || k <= 0) {
        terms_fail(t, LWdata);
        return;
    }
    enum Xop op = (enum Xop)x->op;
    terms(q, x->arg[0], &a);
    if (!split_terms(q, &a, k, &low, &high)) {
        terms_fail(t, a.why ? (enum LinkWhy)a.why : LWunaligned);
        return;
    }
    index_sum(q, t, op == Xfdiv || op == Xtdiv ? &high : &low, 1);
}

static void linear_terms(const Parse *q, Ex e, Terms *t)
{
    ExSum s = x_linear(prog(q), e);
    if (s.n == 1 && s.atom[0] == e) {
        terms_fail(t, LWdata);
        return;
    }
    t->c += s.c;
    for (int i = 0; i < s.n; i++) {
        Terms a = {0};
        terms(q, s.atom[i], &a);
        index_sum(q, t, &a, s.coef[i]);
    }
}

/* May e, a cast, sum, quotient or remainder, be taken for one of whole numbers?  A sum that
 * is an index may where int32 wraps: what it is before it wraps is outside as well. */
static bool is_whole(const Prog *p, Ex e)
{
    const Expr *x = ex_at(p, e);
    if (x->op == Xadd || x->op == Xsub || x->op == Xmul)
        return dtypeinfo[x->dt].bits >= 32 || x_whole(p, e);
    return x->op == Xcast ? x_whole(p, e) : x_whole(p, x->arg[0]);
}

/* Adds the pieces of e to the empty t. */
static void terms(const Parse *q, Ex e, Terms *t)
{
    Expr x = *ex_at(prog(q), e);
    if (x.op == Xint) {
        t->c = x.i;
        return;
    }
    Parse ask = *q;
    if (!ex_any_let(prog(q), e, moving, &ask)) {
        t->dyn = e;
        t->fixed = !ex_any(prog(q), e, rolled, &ask);
        return;
    }
    switch ((enum Xop)x.op) {
    case Xvar: {
        int i = variable_number(q->nd, x.sym);
        if (i < 0) {
            terms(q, prog(q)->var[x.sym].value, t);
            return;
        }
        t->c = q->nd->lo[i];
        terms_add(t, (RadixPiece){(uint8_t)i, 1, q->nd->size[i], 1});
        return;
    }
    case Xcast: case Xfdiv: case Xtdiv: case Xfmod: case Xtmod: case Xadd: case Xsub: case Xmul:
        if (!is_whole(prog(q), e))
            terms_fail(t, LWdata);
        else if (x.op == Xcast)
            terms(q, x.arg[0], t);
        else if (x.op == Xadd || x.op == Xsub || x.op == Xmul)
            linear_terms(q, e, t);
        else
            divmod(q, &x, t);
        return;
    default: terms_fail(t, LWdata); return;
    }
}

/* No mode of a variable may be used twice. */
static bool index_distinct(const LayoutLink *k)
{
    for (int i = 0; i < k->n; i++)
        for (int j = 0; j < i; j++) {
            const RadixPiece *a = &k->p[i], *b = &k->p[j];
            if (a->var == b->var && a->weight < (int64_t)b->weight * b->extent &&
                b->weight < (int64_t)a->weight * a->extent)
                return false;
        }
    return true;
}

void link_parse(Solve *s, const SolveNode *nd, const Ex *idx, int n, LayoutLink *out)
{
    Parse q = {s, nd};
    *out = (LayoutLink){.ndim = (uint8_t)n};
    for (int d = 0; d < n; d++) {
        Terms t = {0};
        terms(&q, idx[d], &t);
        index_sort(&t);
        if (t.why == LWok && (!index_radix(&t) || out->n + t.n > MaxPiece))
            t.why = LWoverlap;
        if (t.why == LWok && (t.c < 0 || t.c > INT32_MAX))
            t.why = LWunaligned;
        if (t.why) {
            out->why = t.why;
            return;
        }
        for (int i = 0; i < t.n; i++) {
            out->dim[out->n] = (uint8_t)d;
            out->p[out->n++] = t.p[i];
        }
        out->off[d] = (int32_t)t.c;
        out->dyn[d] = t.dyn;
        out->fixed[d] = t.fixed;
    }
    if (!index_distinct(out))
        out->why = LWdiagonal;
}

bool link_equal(const LayoutLink *a, const LayoutLink *b)
{
    if (a->ndim != b->ndim || a->n != b->n || a->why != b->why || a->why)
        return false; /* what is not understood is never the same */
    for (int i = 0; i < a->n; i++)
        if (a->dim[i] != b->dim[i] || a->p[i].var != b->p[i].var ||
            a->p[i].weight != b->p[i].weight || a->p[i].extent != b->p[i].extent ||
            a->p[i].coef != b->p[i].coef)
            return false;
    for (int d = 0; d < a->ndim; d++)
        if (a->off[d] != b->off[d] || a->dyn[d] != b->dyn[d])
            return false;
    return true;
}

void link_identity(int ndim, const int32_t *size, LayoutLink *out)
{
    *out = (LayoutLink){.ndim = (uint8_t)ndim};
    for (int d = 0; d < ndim; d++)
        if (size[d] > 1) {
            out->dim[out->n] = (uint8_t)d;
            out->p[out->n++] = (RadixPiece){(uint8_t)d, 1, size[d], 1};
        }
}
