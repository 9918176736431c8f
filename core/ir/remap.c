/* core/ir/remap.c: see remap.h. */
#include "core/ir/remap.h"

#include <string.h>

#include "core/ir/effects.h"
#include "core/ir/expr.h"
#include "err/layouts.h"

typedef struct Remap Remap;
struct Remap {
    uint32_t view;
    int n;             /* dimensions of the view */
    uint32_t var[MaxDim];
    Ex at[MaxDim];
};

/* Setting ---------------------------------------------------------------- */

static bool touches(void *ud, const MemEffect *e) { return e->root != *(const uint32_t *)ud; }

/* The coordinates' extents, each from 0, of as many places as buf has elements: TileLang would reach
 * beyond the tensor. */
static void remap_shape(Prog *p, uint32_t buf, const Ex *at, int n, Ex *shape)
{
    const Buf *b = &p->buf[buf];
    int64_t places = 1, elements = 1, v, lo, hi;
    for (int i = 0; i < b->ndim; i++)
        elements *= x_isint(p, b->shape[i], &v) ? v : 0;
    for (int i = 0; i < n; i++) {
        bool known = x_range(p, at[i], &lo, &hi) && lo == 0 && hi < INT32_MAX;
        shape[i] = x_int(p, DTi32, known ? hi + 1 : 1);
        places = known && places <= INT32_MAX ? places * (hi + 1) : INT64_MAX;
    }
    if (places != elements)
        diag_fail(&p->ctx, E_remap_range, p->here, b->name,
                  places == INT64_MAX ? "?" : afmt(&p->ctx, "%lld", (long long)places),
                  afmt(&p->ctx, "%lld", (long long)elements), NULL);
}

static bool is_identity(const Prog *p, const Buf *b, const uint32_t *var, const Ex *at, int n)
{
    bool same = n == b->ndim;
    for (int i = 0; same && i < n; i++) {
        const Expr *e = ex_at(p, at[i]);
        same = e->op == Xvar && e->sym == var[i];
    }
    return same;
}

void remap_set(Prog *p, uint32_t buf, const uint32_t *var, const Ex *at, int n)
{
    Ex shape[MaxDim];
    uint32_t root = buf_root(p, buf);
    for (uint32_t i = 0; i < p->nframe; i++)
        if (p->frame[i]->kind == Slaunch && !block_effects(p, p->frame[i]->launch.body, true, touches, &root))
            diag_fail(&p->ctx, E_remap_late, p->here, p->buf[buf].name, NULL);
    p->buf[buf].remap = NULL;
    if (is_identity(p, &p->buf[buf], var, at, n))
        return;
    remap_shape(p, buf, at, n, shape);
    Remap *m = anew(&p->ctx, sizeof *m);
    m->n = n;
    memcpy(m->var, var, p->buf[buf].ndim * sizeof *var);
    memcpy(m->at, at, (size_t)n * sizeof *at);
    m->view = p_view(p, buf, (enum Dtype)p->buf[buf].dt, shape, n);
    p->buf[buf].remap = m;
}

/* Using ------------------------------------------------------------------ */

const Ex *remap_element(Prog *p, uint32_t *buf, const Ex *idx, int *n)
{
    const Remap *m = p->buf[*buf].remap;
    if (!m || *n != p->buf[*buf].ndim)
        return idx;
    ExNew by[MaxDim];
    Ex *at = anew(&p->ctx, MaxDim * sizeof *at);
    for (int d = 0; d < *n; d++) {
        bool narrow = dtypeinfo[ex_type(p, idx[d])].bits < 32;
        by[d] = (ExNew){m->var[d], narrow ? x_cast(p, DTi32, idx[d]) : idx[d]};
    }
    for (int i = 0; i < m->n; i++)
        at[i] = x_replace_all(p, m->at[i], by, *n);
    *buf = m->view;
    *n = m->n;
    return at;
}

static bool is_one(const Prog *p, Ex e)
{
    int64_t v;
    return x_isint(p, e, &v) && v == 1;
}

/* The element of r in a round of the loop, whose variables run along the dimensions of more than one. */
static Ex *element_of(Prog *p, const Region *r, const Stmt *loop)
{
    Ex *at = anew(&p->ctx, MaxDim * sizeof *at);
    for (int d = 0, k = 0; d < p->buf[r->buf].ndim; d++)
        at[d] = is_one(p, r->extent[d]) ? r->min[d]
                                        : x_bin(p, Xadd, r->min[d], x_var(p, loop->loop.var[k++]));
    return at;
}

static Stmt *loop_over(Prog *p, const Region *r)
{
    Ex lo[MaxLoop], hi[MaxLoop];
    int n = 0;
    for (int d = 0; d < p->buf[r->buf].ndim; d++)
        if (!is_one(p, r->extent[d]))
            hi[n++] = r->extent[d];
    if (n == 0)
        hi[n++] = x_int(p, DTi32, 1);
    for (int i = 0; i < n; i++)
        lo[i] = x_int(p, DTi32, 0);
    return s_for(p, Fparallel, lo, hi, n, 0, NULL);
}

static Ex load_of(Prog *p, const Region *r, const Stmt *loop)
{
    uint32_t buf = r->buf;
    int n = p->buf[buf].ndim;
    const Ex *at = remap_element(p, &buf, element_of(p, r, loop), &n);
    return x_load(p, buf, at, n);
}

/* The operation, element by element. */
static void by_elements(Prog *p, enum Op op, const Region *r, Ex value, const int32_t *attr)
{
    const Region *to = op == Ocopy ? &r[1] : &r[0];
    uint32_t buf = to->buf;
    int n = p->buf[buf].ndim;
    Stmt *loop = loop_over(p, to);
    const Ex *at = remap_element(p, &buf, element_of(p, to, loop), &n);
    if (op == Oatomic) {
        Ex v = load_of(p, &r[1], loop);
        s_atomic(p, attr[0], buf, at, n, &v, 1, (enum MemOrder)attr[1], NULL);
    } else {
        s_store(p, buf, at, n, op == Ocopy ? load_of(p, &r[0], loop) : value);
    }
    s_close(p);
}

/* Makes r the view's where it is one element. */
static void one_element(Prog *p, enum Op op, Region *r)
{
    int n = p->buf[r->buf].ndim;
    for (int d = 0; d < n; d++)
        if (!is_one(p, r->extent[d]))
            diag_fail(&p->ctx, E_remap_op, p->here, op_name(p, op), p->buf[r->buf].name, NULL);
    Region v = {.buf = r->buf};
    memcpy(v.min, remap_element(p, &v.buf, r->min, &n), (size_t)p->buf[r->buf].remap->n * sizeof *v.min);
    for (int d = 0; d < n; d++)
        v.extent[d] = x_int(p, DTi32, 1);
    *r = v;
}

void remap_op(Prog *p, enum Op op, Region *r, Ex value, const int32_t *attr, const char *text)
{
    bool moved = false;
    for (int i = 0; i < opinfo[op].nregion; i++)
        moved |= r[i].buf && p->buf[r[i].buf].remap;
    if (moved && (op == Ocopy || op == Ofill || op == Oatomic)) {
        Stmt **since = s_here(p);
        s_op(p, op, r, value, attr, text); /* refuses what is wrong with it */
        s_cut(p, since);
        by_elements(p, op, r, value, attr);
        return;
    }
    for (int i = 0; moved && i < opinfo[op].nregion; i++)
        if (r[i].buf && p->buf[r[i].buf].remap)
            one_element(p, op, &r[i]);
    s_op(p, op, r, value, attr, text);
}
