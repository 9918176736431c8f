/* core/lower/scan.c: prefix sums and maxima of lines of a tile.
 *
 * A scan runs in shared memory (the solver stages fragments).  Long lines: one
 * warp a line, a segment of a warp's width at a time; within it Hillis-Steele
 * steps by shfl_up, and the last lane's value is carried on.  Short lines: one
 * thread each, one element after the other.  Private arrays: every thread its
 * own.  A thread reads and writes the same place, so in place is fine.  The values
 * are those of the source's type; a destination of another one converts them. */
#include <string.h>

#include "core/ir/reduce.h"
#include "core/lower/build/low.h"

typedef struct ScanLower ScanLower;
struct ScanLower {
    Low *l;
    Prog *p;
    const Region *src, *dst;
    int kind, dim, ndim;
    bool reverse;
    enum Dtype dt, sdt, ddt;
    int64_t length, lines, extent[MaxDim];
};

enum { ShortLine = 16 };

/* The indices of element k of line `line`, behind that of a stage; how many. */
static int scan_index_of(ScanLower *q, Ex line, Ex k, const Region *r, Ex *idx)
{
    Low *l = q->l;
    int first = 0, lead = low_stage_dims(l, r->buf);
    while (first < q->ndim && (first == q->dim || q->extent[first] == 1))
        first++;
    if (q->reverse)
        k = x_bin(q->p, Xsub, low_i(l, q->length - 1), k);
    for (int d = q->ndim - 1; d >= 0; d--) {
        Ex v = d == q->dim ? k : low_i(l, 0);
        if (d != q->dim && q->extent[d] > 1) {
            v = d == first ? line : low_mod(l, line, q->extent[d]);
            line = low_div(l, line, q->extent[d]);
        }
        idx[d + lead] = low_add(l, r->min[d + lead], v);
    }
    for (int d = 0; d < lead; d++)
        idx[d] = r->min[d];
    return q->ndim + lead;
}

static Ex scan_source(ScanLower *q, Ex line, Ex k)
{
    Ex idx[MaxDim];
    int n = scan_index_of(q, line, k, q->src, idx);
    return x_cast(q->p, q->dt, x_load(q->p, q->src->buf, idx, n));
}

static void scan_store(ScanLower *q, Ex line, Ex k, Ex v)
{
    Ex idx[MaxDim];
    int n = scan_index_of(q, line, k, q->dst, idx);
    s_store(q->p, q->dst->buf, idx, n, x_cast(q->p, q->ddt, x_cast(q->p, q->sdt, v)));
}

static Ex scan_combine(ScanLower *q, Ex a, Ex b) { return red_combine(q->p, q->kind, false, a, b); }

static Ex open_for(ScanLower *q, enum ForKind kind, const char *name, int64_t n)
{
    Ex lo = low_i(q->l, 0), hi = low_i(q->l, n);
    Stmt *f = s_for(q->p, kind, &lo, &hi, 1, low_i(q->l, 1), &name);
    return x_var(q->p, f->loop.var[0]);
}

static uint32_t scan_local(ScanLower *q, const char *name)
{
    uint32_t b = low_local(q->l, q->dt, name, 1);
    low_holds(q->l, b, q->src->buf);
    return b;
}

/* One line, element after element, into the running value acc[0]. */
static void serial_line(ScanLower *q, uint32_t acc, Ex line)
{
    Ex zero = low_i(q->l, 0);
    s_store(q->p, acc, &zero, 1, red_identity(q->p, q->kind, q->dt));
    Ex k = open_for(q, q->length <= ShortLine ? Funroll : Fserial, "k", q->length);
    s_store(q->p, acc, &zero, 1,
            scan_combine(q, x_load(q->p, acc, &zero, 1), scan_source(q, line, k)));
    scan_store(q, line, k, x_load(q->p, acc, &zero, 1));
    s_close(q->p);
}

/* Thread t of the block does the lines t, t + threads, .. */
static void thread_lines(ScanLower *q)
{
    Low *l = q->l;
    uint32_t acc = scan_local(q, "acc");
    Ex n = low_i(l, q->lines), r = low_i(l, 0);
    bool loop = q->lines > l->threads;
    if (loop)
        r = open_for(q, Fserial, "r", (q->lines + l->threads - 1) / l->threads);
    Ex line = low_add(l, low_mul(l, r, l->threads), low_thread(l));
    bool guard = q->lines % l->threads != 0;
    if (guard)
        s_if(q->p, x_bin(q->p, Xlt, line, n));
    serial_line(q, acc, line);
    if (guard)
        s_close(q->p);
    if (loop)
        s_close(q->p);
}

/* Lanes that work on a line together: a warp, or a power of two that divides a
 * ragged one. */
static int group_width(const Low *l)
{
    int rest = l->threads % l->m->warp;
    return rest ? rest & -rest : l->m->warp;
}

/* Shuffles are executed by all lanes, also of groups that have no line. */
static void warp_lines(ScanLower *q)
{
    Low *l = q->l;
    Prog *p = q->p;
    int width = group_width(l), groups = l->threads / width;
    int64_t rounds = (q->lines + groups - 1) / groups, steps = (q->length + width - 1) / width;
    Ex zero = low_i(l, 0), none = red_identity(p, q->kind, q->dt);
    Ex lane = low_mod(l, low_thread(l), width), group = low_div(l, low_thread(l), width);
    uint32_t carry = scan_local(q, "carry"), acc = scan_local(q, "acc");
    Ex r = rounds > 1 ? open_for(q, Fserial, "r", rounds) : zero;
    Ex line = low_add(l, low_mul(l, r, groups), group);
    s_store(p, carry, &zero, 1, none);
    Ex seg = steps > 1 ? open_for(q, Fserial, "seg", steps) : zero;
    Ex k = low_add(l, low_mul(l, seg, width), lane);
    Ex in = x_int(p, DTbool, 1);
    if (q->length % width)
        in = x_bin(p, Xand, in, x_bin(p, Xlt, k, low_i(l, q->length)));
    if (q->lines % groups)
        in = x_bin(p, Xand, in, x_bin(p, Xlt, line, low_i(l, q->lines)));
    s_store(p, acc, &zero, 1, x_select(p, in, scan_source(q, line, k), none));
    for (int off = 1; off < width; off *= 2) {
        Ex v = x_load(p, acc, &zero, 1), d = low_i(l, off);
        Ex below = x_var(p, s_let(p, "t", low_shuffle(l, Ishfl_up, v, d, width)));
        s_store(p, acc, &zero, 1,
                x_select(p, x_bin(p, Xle, d, lane), scan_combine(q, below, v), v));
    }
    s_store(p, acc, &zero, 1,
            scan_combine(q, x_load(p, carry, &zero, 1), x_load(p, acc, &zero, 1)));
    int64_t always;
    bool guard = !x_isint(p, in, &always);
    if (guard)
        s_if(p, in);
    scan_store(q, line, k, x_load(p, acc, &zero, 1));
    if (guard)
        s_close(p);
    if (steps > 1) {
        s_store(p, carry, &zero, 1,
                low_shuffle(l, Ishfl, x_load(p, acc, &zero, 1), low_i(l, width - 1), width));
        s_close(p);
    }
    if (rounds > 1)
        s_close(p);
}

static bool is_private(const ScanLower *q, const Region *r)
{
    int sc = q->p->buf[r->buf].scope;
    return sc == SClocal || sc == SCvar;
}

/* Private arrays on either side: a destination in shared memory is written by
 * one thread. */
static void private_lines(ScanLower *q)
{
    uint32_t acc = scan_local(q, "acc");
    bool one = !is_private(q, q->dst);
    if (one)
        s_if(q->p, x_bin(q->p, Xeq, low_thread(q->l), low_i(q->l, 0)));
    Ex line = low_i(q->l, 0);
    if (q->lines > 1)
        line = open_for(q, q->lines <= ShortLine ? Funroll : Fserial, "line", q->lines);
    serial_line(q, acc, line);
    if (q->lines > 1)
        s_close(q->p);
    if (one)
        s_close(q->p);
}

Stmt *low_scan(Low *l, Stmt *s)
{
    int lead = low_stage_dims(l, s->op.r[0].buf);
    ScanLower q = {.l = l,
                   .p = l->p,
                   .src = &s->op.r[0],
                   .dst = &s->op.r[1],
                   .kind = s->op.attr[SNkind] == Rmax ? Rmax : Rsum,
                   .dim = s->op.attr[SNdim] - lead,
                   .reverse = s->op.attr[SNreverse] != 0,
                   .lines = 1};
    q.ndim = l->p->buf[q.src->buf].ndim - lead;
    q.ddt = (enum Dtype)l->p->buf[q.dst->buf].dt;
    q.sdt = (enum Dtype)l->p->buf[q.src->buf].dt;
    q.dt = red_type(q.sdt, q.sdt);
    for (int d = 0; d < q.ndim; d++) {
        q.extent[d] = 1;
        x_isint(l->p, q.src->extent[d + lead], &q.extent[d]);
        if (d != q.dim)
            q.lines *= q.extent[d];
    }
    q.length = q.extent[q.dim];
    low_begin(l, s->loc);
    if (is_private(&q, q.src) || is_private(&q, q.dst))
        private_lines(&q);
    else if (q.length <= ShortLine || (q.lines >= l->threads && q.length <= 64))
        thread_lines(&q);
    else
        warp_lines(&q);
    return low_end(l);
}
