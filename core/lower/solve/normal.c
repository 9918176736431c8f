/* core/lower/solve/normal.c: statements brought into the few forms that the
 * solver takes: parallel loops with constant bounds, conditions without fragments,
 * reductions from fragment to fragment. */
#include <string.h>

#include "core/ir/reduce.h"
#include "core/lower/parallel/parallel.h"
#include "solve.h"
#include "err/layouts.h"

static const char *const names[MaxDim] = {"i", "j", "k", "l", "m", "n", "o", "q"};

/* Parallel loops --------------------------------------------------------- */

static bool normal_parallel(const Stmt *s) { return s->kind == Sfor && s->loop.kind == Fparallel; }

/* T.Parallel directly inside of T.Parallel is one parallel loop. */
static void normal_merge(Stmt *s)
{
    Stmt *in = s->loop.body;
    while (in && !in->next && normal_parallel(in) && s->loop.n + in->loop.n <= MaxLoop) {
        for (int i = 0; i < in->loop.n; i++) {
            int k = s->loop.n++;
            s->loop.var[k] = in->loop.var[i];
            s->loop.lo[k] = in->loop.lo[i];
            s->loop.hi[k] = in->loop.hi[i];
        }
        in = s->loop.body = in->loop.body;
    }
}

/* Is anything of e's value decided by a variable of the parallel loop? */
static bool uses_parloop(const Prog *p, const Stmt *s, Ex e)
{
    for (int i = 0; i < s->loop.n; i++)
        if (x_uses(p, e, s->loop.var[i]))
            return true;
    return false;
}

/* Each iteration stores to an element of a tile that variable i counts: there
 * are no more iterations than elements. */
static bool stores_by(const Prog *p, const Stmt *s, int i, int64_t *size)
{
    for (const Stmt *st = s->loop.body; st; st = st->next) {
        if (st->kind != Sstore || p->buf[st->store.buf].scope == SCglobal)
            continue;
        for (int d = 0; d < p->buf[st->store.buf].ndim; d++) {
            const Expr *x = ex_at(p, st->store.idx[d]);
            if (x->op == Xvar && x->sym == s->loop.var[i] &&
                x_isint(p, p->buf[st->store.buf].shape[d], size))
                return true;
        }
    }
    return false;
}

/* Bounds of variable i that always hold: false if none are known. */
static bool outer_bounds(const Prog *p, const Stmt *s, int i, int64_t *lo, int64_t *hi)
{
    int64_t x;
    if (x_range(p, s->loop.lo[i], lo, &x) && *lo >= 0 && stores_by(p, s, i, hi))
        return true;
    return x_range(p, s->loop.lo[i], lo, &x) && x_range(p, s->loop.hi[i], &x, hi) && *hi >= *lo &&
           *hi - *lo <= 1 << 20;
}

enum { MostIterations = 1 << 30 };

/* Which variables have known bounds and, from the last one on, no more iterations together
 * than a layout can number; how many these are. */
static int64_t normal_numbered(const Prog *p, const Stmt *s, bool *ok)
{
    int64_t all = 1, lo, hi;
    for (int i = s->loop.n - 1; i >= 0; i--) {
        bool known = x_isint(p, s->loop.lo[i], &lo) && x_isint(p, s->loop.hi[i], &hi);
        ok[i] = known && (hi <= lo || hi - lo <= MostIterations / all);
        all *= ok[i] && hi > lo ? hi - lo : 1;
    }
    return all;
}

/* Bounds that are only known later become constant ones and a guard, or,
 * without any known limit, steps of a serial loop over pieces of one.  So do
 * those of more iterations than a layout can number. */
static Stmt *limits(Low *l, Stmt *s)
{
    Prog *p = l->p;
    bool ok[MaxLoop];
    int64_t all = normal_numbered(p, s, ok);
    Ex guard = 0, lo0 = low_i(l, 0);
    Ex outer_lo[MaxLoop], outer_hi[MaxLoop];
    const char *outer_name[MaxLoop];
    uint32_t outer_of[MaxLoop];
    int64_t step[MaxLoop];
    int nouter = 0;
    for (int i = 0; i < s->loop.n; i++) {
        int64_t lo, hi;
        Ex a = s->loop.lo[i], b = s->loop.hi[i], v = x_var(p, s->loop.var[i]);
        if (ok[i])
            continue;
        bool huge = x_isint(p, a, &lo) && x_isint(p, b, &hi);
        Ex in = x_bin(p, Xand, x_bin(p, Xle, a, v), x_bin(p, Xlt, v, b));
        if (!huge && outer_bounds(p, s, i, &lo, &hi) &&
            (hi <= lo || hi - lo <= MostIterations / all)) {
            all *= hi > lo ? hi - lo : 1;
            s->loop.lo[i] = low_i(l, lo);
            s->loop.hi[i] = low_i(l, hi);
        } else if (!uses_parloop(p, s, a) && !uses_parloop(p, s, b)) {
            int64_t piece = all <= MostIterations / l->threads ? l->threads : 1;
            Ex n = low_i(l, piece);
            all *= piece;
            step[nouter] = piece;
            outer_of[nouter] = s->loop.var[i];
            outer_name[nouter] = p->var[s->loop.var[i]].name;
            outer_lo[nouter] = a;
            outer_hi[nouter++] =
                x_bin(p, Xfdiv, low_add(l, x_bin(p, Xsub, b, a), low_i(l, piece - 1)), n);
            s->loop.lo[i] = lo0;
            s->loop.hi[i] = n;
        } else {
            diag_fail(&p->ctx, E_layout_extent, s->loc, p->var[s->loop.var[i]].name, NULL);
        }
        guard = guard ? x_bin(p, Xand, guard, in) : in;
    }
    if (!guard)
        return s;
    low_begin(l, s->loc);
    s_if(p, guard);
    low_put(l, s->loop.body);
    s_close(p);
    s->loop.body = low_end(l);
    if (nouter == 0)
        return s;
    low_begin(l, s->loc);
    LowNew to[MaxLoop];
    for (int k = 0; k < nouter; k++) {
        Stmt *f = s_for(p, Fserial, &lo0, &outer_hi[k], 1, low_i(l, 1), &outer_name[k]);
        Ex from = low_add(l, outer_lo[k], low_mul(l, x_var(p, f->loop.var[0]), step[k]));
        to[k] = (LowNew){outer_of[k], low_add(l, x_var(p, outer_of[k]), from)};
    }
    low_vars(l, s->loop.body, to, nouter);
    low_put(l, s);
    for (int k = 0; k < nouter; k++)
        s_close(p);
    return low_end(l);
}

/* What says whose iterations s does, where limits() makes pieces of it: see parloop_turns(). */
static Stmt *normal_open(Low *l, Stmt *s)
{
    bool ok[MaxLoop], all = true;
    normal_numbered(l->p, s, ok);
    for (int i = 0; i < s->loop.n; i++)
        all &= ok[i];
    return all ? NULL : parloop_turns(l, s);
}

/* Constant bounds that begin with 0. */
static Stmt *normal_bounds(Low *l, Stmt *s)
{
    Prog *p = l->p;
    Stmt *begin = normal_open(l, s), *out = low_append(begin, limits(l, s));
    LowNew to[MaxLoop];
    int nto = 0;
    for (int i = 0; i < s->loop.n; i++) {
        int64_t lo, hi;
        if (!x_isint(p, s->loop.lo[i], &lo) || !x_isint(p, s->loop.hi[i], &hi))
            continue;
        uint32_t v = s->loop.var[i];
        if (lo == 0)
            continue;
        to[nto++] = (LowNew){v, low_add(l, x_var(p, v), low_i(l, lo))};
        s->loop.lo[i] = low_i(l, 0);
        s->loop.hi[i] = low_i(l, hi - lo);
    }
    for (int i = 0; i < s->loop.n; i++) { /* known ranges shrink with the bounds */
        int64_t hi;
        if (x_isint(p, s->loop.hi[i], &hi) && hi > 0) {
            p->var[s->loop.var[i]].lo = 0;
            p->var[s->loop.var[i]].hi = hi - 1;
        }
    }
    low_vars(l, s->loop.body, to, nto);
    return out;
}

/* Has no iteration: a bound that differs between blocks is never above the other one. */
static bool normal_empty(const Prog *p, const Stmt *s)
{
    int64_t lo, hi;
    for (int i = 0; i < s->loop.n; i++)
        if (x_isint(p, s->loop.lo[i], &lo) && x_isint(p, s->loop.hi[i], &hi) && hi <= lo)
            return true;
    return false;
}

/* Owners ----------------------------------------------------------------- */

/* A parallel loop that writes frag[i, k], k a loop around it: one more variable. */
typedef struct Widen Widen;
struct Widen {
    Prog *p;
    Stmt *parloop;
    uint32_t buf;    /* of all stores to fragments in the parallel loop; 0: none yet */
    const Ex *idx;
    bool ok;
};

static bool inner_var(const Stmt *parloop, uint32_t v)
{
    for (int i = 0; i < parloop->loop.n; i++)
        if (parloop->loop.var[i] == v)
            return true;
    return false;
}

static bool gather_stores(Stmt *s, void *ud)
{
    Widen *w = ud;
    if (s->kind != Sstore || !low_fragment(w->p, s->store.buf))
        return true;
    if (w->buf && (w->buf != s->store.buf ||
                   memcmp(w->idx, s->store.idx, sizeof s->store.idx[0] * w->p->buf[w->buf].ndim)))
        w->ok = false;
    w->buf = s->store.buf;
    w->idx = s->store.idx;
    return w->ok;
}

/* Is v the variable of a loop that is not unrolled? */
static bool serial_var(Stmt *body, uint32_t v)
{
    Stmt *b[2];
    for (Stmt *s = body; s; s = s->next) {
        if (s->kind == Sfor && s->loop.var[0] == v)
            return s->loop.kind != Funroll && s->loop.kind != Fparallel;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            if (serial_var(b[i], v))
                return true;
    }
    return false;
}

/* frag[i, k] = x in a loop over k: the owners of column k do it, in a parallel loop over
 * all columns under the condition that the column is k. */
static void normal_widen(Low *l, Stmt *parloop, Stmt *body)
{
    Prog *p = l->p;
    Widen w = {p, parloop, 0, NULL, true};
    stmt_walk(parloop->loop.body, gather_stores, &w);
    if (!w.ok || !w.buf)
        return;
    for (int d = 0; d < p->buf[w.buf].ndim && parloop->loop.n < MaxLoop; d++) {
        Expr x = *ex_at(p, w.idx[d]);
        int64_t size;
        if (x.op != Xvar || p->var[x.sym].kind != Vloop || inner_var(parloop, x.sym) ||
            !x_isint(p, p->buf[w.buf].shape[d], &size) || size == 1 ||
            !serial_var(body, x.sym) || declares(parloop->loop.body, x.sym))
            continue;
        uint32_t v = p_var(p, Vloop, DTi32, p->var[x.sym].name, 0, size - 1);
        Ex own = x_cast(p, (enum Dtype)p->var[x.sym].dt, x_var(p, v)), k = x_var(p, x.sym);
        low_vars(l, parloop->loop.body, &(LowNew){x.sym, own}, 1);
        int i = parloop->loop.n++;
        parloop->loop.var[i] = v;
        parloop->loop.lo[i] = low_i(l, 0);
        parloop->loop.hi[i] = low_i(l, size);
        low_begin(l, parloop->loc);
        s_if(p, x_bin(p, Xeq, x_cast(p, (enum Dtype)p->var[x.sym].dt, x_var(p, v)), k));
        low_put(l, parloop->loop.body);
        s_close(p);
        parloop->loop.body = low_end(l);
    }
}

/* Parallel loops over regions ----------------------------------------------------- */

/* Opens a parallel loop over these extents; v: its variables. */
static void normal_open_parloop(Low *l, int n, const int32_t *size, Ex *v)
{
    Ex lo[MaxDim] = {0}, hi[MaxDim] = {0};
    const char *nm[MaxDim] = {0};
    for (int d = 0; d < n; d++) {
        lo[d] = low_i(l, 0);
        hi[d] = low_i(l, size[d]);
        nm[d] = names[d];
    }
    Stmt *f = s_for(l->p, Fparallel, lo, hi, n, 0, nm);
    for (int d = 0; d < n; d++)
        v[d] = x_var(l->p, f->loop.var[d]);
}

/* Element v of the n dimensions of region r, behind those of its stages; its rank. */
static int normal_offset(Low *l, const Region *r, int n, const Ex *v, Ex *idx)
{
    int rank = l->p->buf[r->buf].ndim, lead = rank - n;
    for (int d = 0; d < rank; d++)
        idx[d] = d < lead ? r->min[d] : low_add(l, r->min[d], v[d - lead]);
    return rank;
}

/* dst[dmin + v] = src[smin + v] over equal extents, n of them. */
static void normal_copy_parloop(Low *l, const Region *dst, const Region *src, int n,
                                const int32_t *size)
{
    Ex v[MaxDim], a[MaxDim], b[MaxDim];
    normal_open_parloop(l, n, size, v);
    int da = normal_offset(l, dst, n, v, a), db = normal_offset(l, src, n, v, b);
    s_store(l->p, dst->buf, a, da, x_cast(l->p, (enum Dtype)l->p->buf[dst->buf].dt,
                                          x_load(l->p, src->buf, b, db)));
    s_close(l->p);
}

static uint32_t normal_new_buf(Low *l, enum Scope sc, enum Dtype dt, const char *name, int n,
                               const int32_t *size)
{
    Ex shape[MaxDim];
    for (int d = 0; d < n; d++)
        shape[d] = low_i(l, size[d]);
    if (sc == SCshared)
        return low_sharedbuf(l, dt, name, shape, n);
    uint32_t b = p_buf(l->p, sc, dt, name, shape, NULL, n);
    s_alloc(l->p, b, 0);
    return b;
}

/* Reductions ------------------------------------------------------------- */

/* Calls with all indices of the extents in row-major order. */
static bool next_index(int n, const int32_t *size, int32_t *idx)
{
    for (int d = n - 1; d >= 0; d--) {
        if (++idx[d] < size[d])
            return true;
        idx[d] = 0;
    }
    return false;
}

/* Each thread takes the values of the shared buffer sh into its own ones. */
static void to_local(Low *l, const Stmt *s, const Region *dst, uint32_t sh, const int32_t *size,
                     bool clear)
{
    Prog *p = l->p;
    int n = p->buf[dst->buf].ndim;
    int32_t at[MaxDim] = {0};
    enum Dtype dt = (enum Dtype)p->buf[dst->buf].dt, ct = (enum Dtype)p->buf[sh].dt;
    do {
        Ex a[MaxDim], b[MaxDim];
        for (int d = 0; d < n; d++) {
            b[d] = low_i(l, at[d]);
            a[d] = low_add(l, dst->min[d], b[d]);
        }
        Ex v = x_load(p, sh, b, n);
        if (!clear)
            v = red_combine(p, s->op.attr[REkind], s->op.attr[REnan] != 0,
                            x_cast(p, ct, x_load(p, dst->buf, a, n)), v);
        s_store(p, dst->buf, a, n, x_cast(p, dt, v));
    } while (next_index(n, size, at));
}

/* From each thread's own values (alike in all threads) to a tile of n dimensions:
 * parallel loops of one iteration. */
static void from_local(Low *l, const Region *dst, uint32_t own, int n, const int32_t *size)
{
    Prog *p = l->p;
    int32_t at[MaxDim] = {0};
    static const int32_t one = 1;
    do {
        Ex v, a[MaxDim], b[MaxDim];
        for (int d = 0; d < n; d++)
            b[d] = low_i(l, at[d]);
        int rank = normal_offset(l, dst, n, b, a);
        normal_open_parloop(l, 1, &one, &v);
        s_store(p, dst->buf, a, rank, x_load(p, own, b, n));
        s_close(p);
    } while (next_index(n, size, at));
}

static bool private(const Prog *p, uint32_t b)
{
    return p->buf[b].scope == SClocal || p->buf[b].scope == SCvar;
}

static Region whole_buffer(Low *l, uint32_t b) { return r_whole(l->p, b); }

/* The same reduction between other buffers, over dimension dim. */
static void reduce_op(Low *l, const Stmt *s, Region src, Region dst, int dim, bool clear)
{
    int32_t attr[MaxAttr];
    Region r[MaxRegion] = {src, dst};
    memcpy(attr, s->op.attr, sizeof attr);
    attr[REdim] = dim;
    attr[REclear] = clear;
    s_op(l->p, Oreduce, r, 0, attr, NULL);
}

/* Brings a reduction whose sides are not both fragments, or both private, to
 * these forms.  The stages of a pipelined buffer are no dimension of its tile. */
static Stmt *normal_reduce(Low *l, Stmt *s)
{
    Prog *p = l->p;
    Region src = s->op.r[0], dst = s->op.r[1];
    int32_t all[2][MaxDim];
    bool clear = s->op.attr[REclear] != 0;
    bool fs = low_fragment(p, src.buf), fd = low_fragment(p, dst.buf);
    if ((fs && fd) || (private(p, src.buf) && private(p, dst.buf)) ||
        !const_region(p, &src, all[0]) || !const_region(p, &dst, all[1]))
        return s;
    enum Dtype sdt = (enum Dtype)p->buf[src.buf].dt, ddt = (enum Dtype)p->buf[dst.buf].dt;
    int ls = low_stage_dims(l, src.buf), ld = low_stage_dims(l, dst.buf);
    int ns = p->buf[src.buf].ndim - ls, nd = p->buf[dst.buf].ndim - ld;
    int dim = s->op.attr[REdim] - ls;
    const int32_t *from = all[0] + ls, *to = all[1] + ld;
    enum Dtype ct = dtypeinfo[ddt].cls == 'F' ? red_type(sdt, ddt) : ddt;
    low_begin(l, s->loc);
    if (private(p, src.buf)) { /* alike in all threads: each reduces its own, one writes */
        uint32_t own = normal_new_buf(l, SClocal, ddt, "own", nd, to);
        if (!clear && !private(p, dst.buf)) {
            uint32_t sh = normal_new_buf(l, SCshared, ddt, "stage", nd, to);
            Region r = whole_buffer(l, sh);
            normal_copy_parloop(l, &r, &dst, nd, to);
            r = whole_buffer(l, own);
            to_local(l, s, &r, sh, to, true);
        }
        reduce_op(l, s, src, whole_buffer(l, own), dim, clear);
        from_local(l, &dst, own, nd, to);
        return low_end(l);
    }
    if (!fs) {
        uint32_t f = normal_new_buf(l, SCfragment, sdt, p->buf[src.buf].name, ns, from);
        Region r = whole_buffer(l, f);
        normal_copy_parloop(l, &r, &src, ns, from);
        src = r;
    }
    if (fd) {
        reduce_op(l, s, src, dst, dim, clear);
    } else if (private(p, dst.buf)) {
        uint32_t f = normal_new_buf(l, SCfragment, ct, p->buf[dst.buf].name, nd, to);
        uint32_t sh = normal_new_buf(l, SCshared, ct, p->buf[dst.buf].name, nd, to);
        Region r = whole_buffer(l, f), m = whole_buffer(l, sh);
        reduce_op(l, s, src, r, dim, true);
        normal_copy_parloop(l, &m, &r, nd, to);
        to_local(l, s, &dst, sh, to, clear);
    } else {
        uint32_t f = normal_new_buf(l, SCfragment, ddt, p->buf[dst.buf].name, nd, to);
        Region r = whole_buffer(l, f);
        if (!clear)
            normal_copy_parloop(l, &r, &dst, nd, to);
        reduce_op(l, s, src, r, dim, clear);
        normal_copy_parloop(l, &dst, &r, nd, to);
    }
    return low_end(l);
}

/* A scan from fragment to fragment: in the second one, in place, which takes the memory of one. */
static Stmt *normal_scan(Low *l, Stmt *s)
{
    Prog *p = l->p;
    Region src = s->op.r[0], dst = s->op.r[1];
    int n = p->buf[src.buf].ndim;
    int32_t size[2][MaxDim];
    if (!low_fragment(p, src.buf) || !low_fragment(p, dst.buf) || buf_root(p, src.buf) == buf_root(p, dst.buf) ||
        p->buf[src.buf].dt != p->buf[dst.buf].dt || p->buf[dst.buf].ndim != n ||
        !const_region(p, &src, size[0]) || !const_region(p, &dst, size[1]) ||
        memcmp(size[0], size[1], (size_t)n * sizeof *size[0]))
        return s;
    low_begin(l, s->loc);
    normal_copy_parloop(l, &dst, &src, n, size[0]);
    Region r[MaxRegion] = {dst, dst};
    s_op(p, Oscan, r, 0, s->op.attr, NULL);
    return low_end(l);
}

/* Conditions ------------------------------------------------------------- */

static Ex new_let(Low *l, const char *name, Ex e)
{
    return e && ex_any(l->p, e, low_of_fragment, l->p) ? x_var(l->p, s_let(l->p, name, e)) : e;
}

/* What a block statement decides by is computed in a statement before it, so
 * that only that one needs its fragments at hand. */
static Stmt *normal_decide(Low *l, Stmt *s)
{
    Prog *p = l->p;
    low_begin(l, s->loc);
    if (s->kind == Sif) {
        s->cond.cond = new_let(l, "c", s->cond.cond);
    } else if (s->kind == Sfor) {
        for (int i = 0; i < s->loop.n; i++) {
            s->loop.lo[i] = new_let(l, "lo", s->loop.lo[i]);
            s->loop.hi[i] = new_let(l, "hi", s->loop.hi[i]);
        }
    } else if (s->kind == Swhile && ex_any(p, s->whil.cond, low_of_fragment, p)) {
        Ex c = s->whil.cond;
        low_begin(l, s->loc);
        uint32_t v = s_let(p, "c", c);
        s_if(p, x_un(p, Xnot, x_var(p, v)));
        s_break(p);
        s_close(p);
        s->whil.body = low_append(low_end(l), s->whil.body);
        s->whil.cond = x_int(p, DTbool, 1);
    }
    Stmt *pre = low_end(l);
    return low_append(pre, s);
}

static Stmt *normal(Low *l, Stmt *s, bool *into, void *ud)
{
    Stmt *const *body = ud;
    if (s->kind == Sop) {
        *into = false;
        return s->op.op == Oreduce ? normal_reduce(l, s) : s->op.op == Oscan ? normal_scan(l, s) : s;
    }
    if (s->kind != Sif && s->kind != Sfor && s->kind != Swhile)
        return s;
    if (normal_parallel(s)) {
        normal_merge(s);
        *into = false;
        Stmt *out = normal_bounds(l, s);
        if (normal_empty(l->p, s))
            return NULL;
        normal_widen(l, s, *body);
        return out;
    }
    if (s->kind == Swhile && !ex_any(l->p, s->whil.cond, low_of_fragment, l->p))
        return s;
    return normal_decide(l, s);
}

void solve_normal(Low *l)
{
    Stmt *body = l->launch->launch.body;
    l->launch->launch.body = NULL; /* takes the declarations of new shared buffers */
    low_rewrite(l, &body, normal, &body);
    l->launch->launch.body = low_append(l->launch->launch.body, body);
}
