/* core/lower/parallel/vectorize.c: how many elements one access may take.
 *
 * An access moves along v when the index of its last dimension is v plus
 * something else; it may be w wide when that something, and whatever the other
 * dimensions add to the offset, are multiples of w for all threads and blocks,
 * and w elements are contiguous. */
#include <string.h>

#include "parallel.h"
#include "err/lower.h"

enum { Unbounded = ParLoopFree };

static int64_t lowbit(int64_t v)
{
    int64_t b = v & -v;
    return v == 0 || b > Unbounded || b < 0 ? Unbounded : b;
}

static int64_t min2(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t pow2_of(ExFold *f, Ex e)
{
    const Vec *x = *(const Vec *const *)f->ud;
    const Expr *k = &f->p->ex[e];
    int64_t a, c;
    for (int i = 0; i < x->npitch; i++)
        if (x->pitch[i].e == e)
            return x->pitch[i].w;
    switch ((enum Xop)k->op) {
    case Xint: return lowbit(k->i);
    case Xvar: return ex_let(f->p, e) ? ex_fold_let(f, e) : 1;
    case Xmul: return min2(Unbounded, ex_fold(f, k->arg[0]) * ex_fold(f, k->arg[1]));
    case Xadd: case Xsub: case Xmin: case Xmax: case Xfmod: case Xtmod:
    case Xbor: case Xbxor: case Xband:
        return min2(ex_fold(f, k->arg[0]), ex_fold(f, k->arg[1]));
    case Xfdiv: case Xtdiv:
        if (!x_isint(f->p, k->arg[1], &c) || c <= 0 || (c & (c - 1)) != 0)
            return 1;
        a = ex_fold(f, k->arg[0]);
        return a >= c ? a / c : 1;
    case Xselect: return min2(ex_fold(f, k->arg[1]), ex_fold(f, k->arg[2]));
    case Xshl:
        a = ex_fold(f, k->arg[0]);
        return x_isint(f->p, k->arg[1], &c) && c >= 0 && c < 16 ? min2(Unbounded, a << c) : a;
    case Xcast: return dtypeinfo[ex_type(f->p, k->arg[0])].cls == 'F' ? 1 : ex_fold(f, k->arg[0]);
    default: return 1;
    }
}

/* A power of two that divides e, as far as known. */
static int64_t vec_pow2(const Vec *x, Ex e)
{
    return ex_fold(&(ExFold){.p = x->l->p, .f = pow2_of, .ud = &x}, e);
}

bool vec_uses(const Vec *x, Ex e) { return x_uses(x->l->p, e, x->v); }

static bool vec_divided(void *ud, Ex e)
{
    const Vec *x = *(const Vec *const *)ud;
    const Expr *k = ex_at(x->l->p, e);
    return (k->op == Xfdiv || k->op == Xfmod) && vec_uses(x, e);
}

static bool vec_undivided(Stmt *s, void *ud)
{
    const Vec *x = *(const Vec *const *)ud;
    return !stmt_any(x->l->p, s, vec_divided, ud);
}

bool vec_divides(const Vec *x, Stmt *list) { return !stmt_walk(list, vec_undivided, &x); }

/* e = v + rest?  *rest is a power of two that divides rest. */
static bool vec_index_along(const Vec *x, Ex e, int64_t *rest)
{
    const Prog *p = x->l->p;
    ExSum s = x_linear(p, e);
    bool found = false;
    *rest = Unbounded;
    for (int i = 0; i < s.n; i++) {
        const Expr *t = &p->ex[s.atom[i]];
        if (t->op == Xvar && t->sym == x->v) {
            if (s.coef[i] != 1)
                return false;
            found = true;
            continue;
        }
        if (vec_uses(x, s.atom[i]))
            return false;
        *rest = min2(*rest, min2(Unbounded, lowbit(s.coef[i]) * vec_pow2(x, s.atom[i])));
    }
    *rest = min2(*rest, lowbit(s.c));
    return found;
}

/* A power of two that divides the step of dimension d in elements. */
static int64_t step_pow2(const Vec *x, const Buf *b, int d)
{
    int64_t w = 1;
    if (b->stride[0])
        return vec_pow2(x, b->stride[d]);
    for (int k = d + 1; k < b->ndim; k++)
        w = min2(Unbounded, w * vec_pow2(x, b->shape[k]));
    return w;
}

static int global_width(const Vec *x, const Buf *b, const Ex *idx, int64_t w)
{
    int last = b->ndim - 1;
    int64_t one;
    if (b->stride[0] && (!x_isint(x->l->p, b->stride[last], &one) || one != 1))
        return 1;
    for (int d = 0; d < last; d++)
        w = min2(w, min2(Unbounded, vec_pow2(x, idx[d]) * step_pow2(x, b, d)));
    return (int)w;
}

/* A mode's part of the offset is a multiple of what its stride is. */
static int shared_width(const Layout *m, int64_t w)
{
    int last = m->ndim - 1;
    int64_t run = layout_run(m, last, AXoff);
    while (w > run)
        w /= 2;
    for (int i = 0; i < m->n; i++) {
        const Mode *g = &m->d[i];
        if (g->axis != AXoff || (g->dim == last && (int64_t)g->weight * g->extent <= run))
            continue;
        if (g->dim == last && g->weight < run) /* the run ends inside */
            continue;
        w = min2(w, lowbit(g->stride));
    }
    if (m->x.bits)
        w = min2(w, (int64_t)1 << m->x.base);
    return (int)w;
}

bool vec_contiguous(const Vec *x, uint32_t buf, const Ex *idx)
{
    const Prog *p = x->l->p;
    const Buf *b = &p->buf[buf];
    int64_t rest, one;
    int last = b->ndim - 1;
    for (int d = 0; d < last; d++)
        if (vec_uses(x, idx[d]))
            return false;
    return last >= 0 && vec_index_along(x, idx[last], &rest) &&
           (!b->stride[0] || (x_isint(p, b->stride[last], &one) && one == 1));
}

int vec_width(const Vec *x, uint32_t buf, const Ex *idx, int max)
{
    const Prog *p = x->l->p;
    const Buf *b = &p->buf[buf];
    int last = b->ndim - 1, bits = dtypeinfo[b->dt].bits;
    int64_t rest, w = max;
    bool uses = false;
    for (int d = 0; d < b->ndim; d++)
        uses = uses || vec_uses(x, idx[d]);
    if (!uses)
        return ParLoopFree;
    for (int d = 0; d < last; d++)
        if (vec_uses(x, idx[d]))
            return 1;
    if (!vec_index_along(x, idx[last], &rest))
        return 1;
    if (b->scope == SClocal || b->scope == SCvar || b->scope == SCfragment)
        return max; /* registers: no alignment */
    w = min2(w, rest);
    w = min2(w, (int64_t)x->l->m->vec_bytes * 8 / bits);
    if (b->scope == SCshared && b->map)
        return shared_width(b->map, w);
    return global_width(x, b, idx, w);
}

/* Why not wider? --------------------------------------------------------- */

static const char *vec_index_text_of(const Vec *x, Ex e)
{
    Str s = {0};
    ex_print(x->l->p, e, &s);
    const char *t = astr(&x->l->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    return t;
}

/* Distance of dimension d's neighbours in elements. */
static Ex vec_index_step_of(const Vec *x, const Buf *b, int d)
{
    Prog *p = x->l->p;
    Ex e = low_i(x->l, 1);
    if (b->stride[0])
        return b->stride[d];
    for (int k = d + 1; k < b->ndim; k++)
        e = x_bin(p, Xmul, e, b->shape[k]);
    return e;
}

Err vec_why(const Vec *x, uint32_t buf, const Ex *idx, int w, const char **what)
{
    Prog *p = x->l->p;
    Buf b = p->buf[buf];
    int64_t rest;
    for (int d = 0; d < b.ndim - 1; d++)
        if (vec_pow2(x, idx[d]) * step_pow2(x, &b, d) < w) {
            *what = vec_index_text_of(x, vec_index_step_of(x, &b, d));
            return E_vec_pitch;
        }
    if (vec_index_along(x, idx[b.ndim - 1], &rest) && rest < w) {
        Ex v = x_cast(p, ex_type(p, idx[b.ndim - 1]), x_var(p, x->v));
        *what = vec_index_text_of(x, x_bin(p, Xsub, idx[b.ndim - 1], v));
        return E_vec_offset;
    }
    return E_none;
}

/* Conditions ------------------------------------------------------------ */

/* e at the first of the w values of v that one vector takes, when e = v + rest:
 * v becomes v // w * w, which is 0 when w values are all there are. */
static Ex at_vector_start(const Vec *x, Ex e, int w)
{
    Prog *p = x->l->p;
    Ex v = x_var(p, x->v), at = low_mul(x->l, low_div(x->l, v, w), w);
    return x_bin(p, Xadd, e, x_cast(p, ex_type(p, e), x_bin(p, Xsub, at, v)));
}

/* a < b with v on one side: for v = 0 .. w - 1 the same when the other side and
 * the rest are multiples of w. */
static Ex less(const Vec *x, Ex a, Ex b, int w)
{
    Prog *p = x->l->p;
    int64_t rest;
    if (vec_uses(x, b) || !vec_index_along(x, a, &rest) || rest < w || vec_pow2(x, b) < w)
        return 0;
    return x_bin(p, Xlt, at_vector_start(x, a, w), b);
}

Ex vec_cond(const Vec *x, Ex cond, int w)
{
    Prog *p = x->l->p;
    Expr k = *ex_at(p, cond);
    int64_t rest;
    if (w == 1 || !vec_uses(x, cond))
        return cond;
    if (k.op == Xand || k.op == Xor) {
        Ex a = vec_cond(x, k.arg[0], w), b = a ? vec_cond(x, k.arg[1], w) : 0;
        return a && b ? x_bin(p, (enum Xop)k.op, a, b) : 0;
    }
    if (k.op == Xnot) {
        Ex a = vec_cond(x, k.arg[0], w);
        return a ? x_un(p, Xnot, a) : 0;
    }
    if (dtypeinfo[k.n ? ex_type(p, k.arg[0]) : DTf32].cls == 'F')
        return 0;
    if (k.op == Xlt)
        return less(x, k.arg[0], k.arg[1], w);
    if (k.op == Xle && !vec_uses(x, k.arg[0]) && vec_index_along(x, k.arg[1], &rest) && rest >= w &&
        vec_pow2(x, k.arg[0]) >= w) /* b <= v + rest: not (v + rest < b) */
        return x_bin(p, Xle, k.arg[0], at_vector_start(x, k.arg[1], w));
    return 0;
}

int vec_async(const Vec *x, const Stmt *s, int max)
{
    int to = vec_width(x, s->op.r[1].buf, s->op.r[1].min, max);
    int from = vec_width(x, s->op.r[0].buf, s->op.r[0].min, max), w = from < to ? from : to;
    if (from == ParLoopFree || to == ParLoopFree) /* one place */
        return 1;
    while (w > 1 && !vec_cond(x, s->op.value, w))
        w /= 2;
    return w;
}

/* Pitches --------------------------------------------------------------- */

static void pitches_of(Vec *x, uint32_t buf)
{
    const Prog *p = x->l->p;
    const Buf *b = &p->buf[buf];
    int bits = dtypeinfo[b->dt].bits;
    if (b->scope != SCglobal)
        return;
    for (int d = b->stride[0] ? 0 : 1; d < (b->stride[0] ? b->ndim - 1 : b->ndim); d++) {
        Ex e = b->stride[0] ? b->stride[d] : b->shape[d];
        int i = 0;
        while (i < x->npitch && x->pitch[i].e != e)
            i++;
        if (p->ex[e].op == Xint)
            continue;
        int64_t w = (int64_t)x->l->m->vec_bytes * 8 / bits;
        if (i == x->npitch) {
            agrow(&x->l->p->ctx, &x->pitch, &x->cappitch, (uint32_t)i + 1, sizeof *x->pitch);
            x->pitch[x->npitch++] = (Pitch){e, w};
        } else if (w > x->pitch[i].w) {
            x->pitch[i].w = w;
        }
    }
}

static ExGo pitch_load(void *ud, Ex e)
{
    Vec *x = ud;
    const Expr *k = &x->l->p->ex[e];
    if (k->op == Xload)
        pitches_of(x, k->sym);
    return EXinto;
}

void vec_pitches(Vec *x, Stmt *list)
{
    Stmt *b[2];
    for (Stmt *s = list; s; s = s->next) {
        stmt_ex_walk(x->l->p, s, pitch_load, x);
        if (s->kind == Sstore)
            pitches_of(x, s->store.buf);
        if (s->kind == Satomic)
            pitches_of(x, s->atomic.buf);
        if (s->kind == Sop)
            for (int i = 0; i < MaxRegion; i++)
                if (s->op.r[i].buf)
                    pitches_of(x, s->op.r[i].buf);
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            vec_pitches(x, b[i]);
    }
}
