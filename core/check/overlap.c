/* core/check/overlap.c: operations on tiles that write what they read.
 *
 *     T.copy(s[0:32, :], s[16:48, :])     T.transpose(s, s)     T.gemm(a, b, a)
 *
 * Threads share out the elements and move them in no order, so that whether one is read
 * before or behind its new value is a matter of the layout.  An operation that reads and
 * writes each element in one place (a copy to itself, a scan, an atomic) is right. */
#include "check.h"
#include "core/ir/expr.h"
#include "err/check.h"

enum Overlap { OVapart, OVsame, OVmeets, OVmaybe };

/* Of [a, a + n) and [b, b + m). */
static enum Overlap overlap_dim(Facts *f, Ex a, Ex n, Ex b, Ex m)
{
    Prog *p = f->p;
    int64_t na, nb;
    a = facts_expand(f, a);
    b = facts_expand(f, b);
    if (a == b && n == m)
        return OVsame;
    if (ex_type(p, a) != ex_type(p, b) || !x_isint(p, n, &na) || !x_isint(p, m, &nb))
        return OVmaybe;
    ExSum by = x_linear(p, x_bin(p, Xsub, a, b));
    if (by.n)
        return OVmaybe;
    if (by.c >= nb || -by.c >= na)
        return OVapart;
    return by.c == 0 && na == nb ? OVsame : OVmeets;
}

/* Two regions of one buffer. */
static enum Overlap overlap_regions(Facts *f, const Region *a, const Region *b)
{
    enum Overlap all = OVsame;
    for (int d = 0; d < f->p->buf[a->buf].ndim; d++) {
        enum Overlap k = overlap_dim(f, a->min[d], a->extent[d], b->min[d], b->extent[d]);
        if (k == OVapart)
            return OVapart;
        all = k > all ? k : all;
    }
    return all;
}

/* The bytes [*from, *to) of the storage from its first to its last element; false: not known. */
static bool overlap_hull(const Prog *p, const Region *r, int64_t *from, int64_t *to)
{
    const Buf *b = &p->buf[r->buf];
    int64_t step = 1, lo = 0, hi = 0, at, n, size, pitch;
    for (int d = b->ndim - 1; d >= 0; d--) {
        if (!x_isint(p, r->min[d], &at) || !x_isint(p, r->extent[d], &n) ||
            !x_isint(p, b->shape[d], &size) || n < 1)
            return false;
        pitch = step;
        if (b->stride[d] && !x_isint(p, b->stride[d], &pitch))
            return false;
        lo += at * pitch;
        hi += (at + n - 1) * pitch;
        step = ex_wmul(step, size);
    }
    *from = lo * dtypeinfo[b->dt].bits / 8;
    *to = ((hi + 1) * dtypeinfo[b->dt].bits + 7) / 8;
    return true;
}

static bool overlap_whole(const Prog *p, const Region *r)
{
    int64_t at;
    for (int d = 0; d < p->buf[r->buf].ndim; d++)
        if (!x_isint(p, r->min[d], &at) || at != 0 || r->extent[d] != p->buf[r->buf].shape[d])
            return false;
    return true;
}

/* Of a buffer and a view of it, or two views. */
static enum Overlap overlap_views(const Prog *p, const Region *a, const Region *b)
{
    int64_t afrom, ato, bfrom, bto;
    if (overlap_hull(p, a, &afrom, &ato) && overlap_hull(p, b, &bfrom, &bto) &&
        (ato <= bfrom || bto <= afrom))
        return OVapart;
    return overlap_whole(p, a) || overlap_whole(p, b) ? OVmeets : OVmaybe;
}

/* Does the operation read an element in the one place where it writes it? */
static bool overlap_in_place(const Stmt *s)
{
    return s->op.op == Ocopy || s->op.op == Oscan || s->op.op == Oatomic;
}

static void overlap_pair(Facts *f, const Stmt *s, const Region *from, const Region *to)
{
    Prog *p = f->p;
    if (!from->buf || !to->buf || buf_root(p, from->buf) != buf_root(p, to->buf))
        return;
    enum Overlap k = from->buf == to->buf ? overlap_regions(f, from, to)
                                          : overlap_views(p, from, to);
    if (k == OVapart || (k == OVsame && overlap_in_place(s)))
        return;
    diag(&p->ctx, k == OVmaybe ? E_op_overlap_maybe : E_op_overlap, s->loc,
         op_said(p, s), p->buf[from->buf].name, p->buf[to->buf].name, NULL);
}

static bool overlap_stmt(Stmt *s, void *ud)
{
    Facts *f = ud;
    const OpInfo *o = s->kind == Sop ? &opinfo[s->op.op] : NULL;
    for (int w = 0; o && o->level == 'T' && w < o->nregion; w++)
        for (int r = 0; r < o->nregion; r++)
            if (r != w && o->regions[r] != 'w' && o->regions[w] != 'r' &&
                (o->regions[r] == 'r' || r > w))
                overlap_pair(f, s, &s->op.r[r], &s->op.r[w]);
    return !check_full(f);
}

void check_overlap(Facts *f) { stmt_walk(f->p->body, overlap_stmt, f); }
