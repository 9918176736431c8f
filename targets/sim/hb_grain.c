/* targets/sim/hb_grain.c: how finely shared memory must be watched.
 *
 * A shadow cell covers as many bytes as every access of the program to that
 * buffer moves at least, aligned: 16 where only ldmatrix, 16-byte copies and
 * whole rows touch it, one element where a thread picks single ones.  Coarser
 * cells would blame threads for their neighbours' bytes.  Of a staging buffer each
 * element counts: some of a vector that is moved may have a value, and others none. */
#include "core/ir/eval.h"
#include "core/ir/walk.h"
#include "hb_p.h"

enum { Coarsest = 16, HalfBits = 8 / HbByte };

typedef struct Grain Grain;
struct Grain {
    const Prog *p;
    int *size;            /* by root Buf: least so far, 0: not touched */
    uint32_t vecvar;      /* of the vectorized loop around, 0: none */
    int64_t vec;
};

static void least(Grain *g, uint32_t buf, int64_t bits)
{
    uint32_t root = buf_root(g->p, buf);
    const Buf *b = &g->p->buf[root];
    if (b->stage && bits > dtypeinfo[b->dt].bits)
        bits = dtypeinfo[b->dt].bits;
    int64_t size = eval_gcd(bits, 8 * Coarsest) / HalfBits;
    if (!g->size[root] || size < g->size[root])
        g->size[root] = (int)size;
}

/* One element, or a vector of the loop around that moves with its variable. */
static void grain_element(Grain *g, uint32_t buf, const Ex *idx)
{
    const Buf *b = &g->p->buf[buf];
    bool moves = false;
    if (b->scope != SCshared)
        return;
    for (int d = 0; d < b->ndim && g->vecvar; d++)
        moves = moves || x_uses(g->p, idx[d], g->vecvar);
    least(g, buf, dtypeinfo[b->dt].bits * (moves ? g->vec : 1));
}

static ExGo grain_load(void *ud, Ex e)
{
    const Expr *x = ex_at(((Grain *)ud)->p, e);
    if (x->op == Xload)
        grain_element(ud, x->sym, x->arg);
    return EXinto;
}

/* Greatest common divisor of e's coefficients and constant; 1: not known. */
static int64_t hb_grain_stride_of(const Prog *p, Ex e)
{
    ExSum s = x_linear(p, e);
    int64_t g = s.c;
    for (int i = 0; i < s.n; i++)
        g = eval_gcd(g, s.coef[i]);
    return g;
}

/* Rows of a region along its last dimension, as far as they lie together. */
static void hb_grain_rows(Grain *g, const Region *r)
{
    const Buf *b = &g->p->buf[r->buf];
    int last = b->ndim - 1, bits = dtypeinfo[b->dt].bits;
    int64_t n;
    if (last < 0 || !x_isint(g->p, r->extent[last], &n)) {
        least(g, r->buf, bits);
        return;
    }
    n = eval_gcd(n, hb_grain_stride_of(g->p, r->min[last]));
    if (b->map)
        n = eval_gcd(n, layout_run(b->map, last, AXoff));
    if (b->map && b->map->x.bits)
        n = eval_gcd(n, (int64_t)1 << b->map->x.base);
    least(g, r->buf, bits * (n ? n : 1));
}

static void grain_op(Grain *g, const Stmt *s)
{
    const OpInfo *o = &opinfo[s->op.op];
    for (int i = 0; i < o->nregion; i++) {
        const Region *r = &s->op.r[i];
        if (!r->buf || g->p->buf[r->buf].scope != SCshared)
            continue;
        if (s->op.op == Oldmatrix || s->op.op == Ostmatrix)
            least(g, r->buf, 8 * Coarsest); /* rows of 16 bytes, by definition */
        else if (o->done != 's')
            hb_grain_rows(g, r);
        else
            least(g, r->buf, dtypeinfo[g->p->buf[r->buf].dt].bits);
    }
}

static void grain_block(Grain *g, const Stmt *s)
{
    for (; s; s = s->next) {
        Stmt *inner[2];
        Grain outer = *g;
        int64_t n;
        stmt_ex_walk(g->p, s, grain_load, g);
        if (s->kind == Sstore)
            grain_element(g, s->store.buf, s->store.idx);
        else if (s->kind == Satomic && g->p->buf[s->atomic.buf].scope == SCshared)
            least(g, s->atomic.buf, dtypeinfo[g->p->buf[s->atomic.buf].dt].bits);
        else if (s->kind == Sop)
            grain_op(g, s);
        if (s->kind == Sfor && s->loop.kind == Fvectorized && x_isint(g->p, s->loop.hi[0], &n)) {
            g->vecvar = s->loop.var[0];
            g->vec = n;
        }
        int k = stmt_blocks(s, inner);
        for (int i = 0; i < k; i++)
            grain_block(g, inner[i]);
        g->vecvar = outer.vecvar;
        g->vec = outer.vec;
    }
}

void hb_grain(const Prog *p, int *size)
{
    Grain g = {.p = p, .size = size};
    grain_block(&g, p->body);
}
