/* core/lower/flatten/view.c: views of fragments.
 *
 * A fragment's elements are spread over registers, so a view is no second name
 * for bytes.  An element of a view of elements as wide is an element of the
 * fragment at the row-major index.  A tile operation on such a view works on a fragment
 * of the view's shape:
 *
 *     reduce view -> r   ->   alloc own
 *                             for i, j, k in parallel(..) do own[i, j, k] = view[i, j, k]
 *                             reduce own -> r
 *
 * whose layout the solver takes from the fragment's where modes of one are modes of the other:
 * nothing moves then.  Whatever else uses a view (elements of another width, two names in one
 * operation) works on a copy in shared memory, where both names mean the same bytes, filled before
 * and read back after it. */
#include <string.h>

#include "core/ir/walk.h"
#include "flatten.h"

static bool view_of_fragment(const Prog *p, uint32_t buf)
{
    return buf && p->buf[buf].scope == SCfragment && p->buf[buf].base;
}

static bool same_width(const Prog *p, uint32_t buf)
{
    enum Dtype a = (enum Dtype)p->buf[buf].dt, b = (enum Dtype)p->buf[buf_root(p, buf)].dt;
    return a == b || (dtypeinfo[a].bits == dtypeinfo[b].bits && a != DTbool && b != DTbool);
}

/* Index in the root of element idx of a view, in row-major order. */
static void root_index(Low *l, uint32_t buf, const Ex *idx, Ex *out)
{
    Prog *p = l->p;
    uint32_t root = buf_root(p, buf);
    Ex flat = low_i(l, 0);
    for (int d = 0; d < p->buf[buf].ndim; d++)
        flat = low_add(l, x_bin(p, Xmul, flat, p->buf[buf].shape[d]), idx[d]);
    for (int d = p->buf[root].ndim - 1; d > 0; d--) {
        out[d] = x_bin(p, Xfmod, flat, p->buf[root].shape[d]);
        flat = x_bin(p, Xfdiv, flat, p->buf[root].shape[d]);
    }
    out[0] = flat;
}

static Ex view_load(Low *l, Ex e, void *ud)
{
    Expr x = *ex_at(l->p, e);
    Ex idx[MaxDim];
    (void)ud;
    if (x.op != Xload || !view_of_fragment(l->p, x.sym) || !same_width(l->p, x.sym))
        return e;
    root_index(l, x.sym, x.arg, idx);
    return x_bits(l->p, (enum Dtype)x.dt, low_load(l, buf_root(l->p, x.sym), idx));
}

static bool view_stores(Stmt *s, void *ud)
{
    Low *l = ud;
    Prog *p = l->p;
    Ex idx[MaxDim] = {0};
    if (s->kind != Sstore || !view_of_fragment(p, s->store.buf) || !same_width(p, s->store.buf))
        return true;
    uint32_t root = buf_root(p, s->store.buf);
    root_index(l, s->store.buf, s->store.idx, idx);
    s->store.value = x_bits(p, (enum Dtype)p->buf[root].dt, s->store.value);
    s->store.buf = root;
    memcpy(s->store.idx, idx, sizeof idx);
    return true;
}

/* Fragments for operations ------------------------------------------------ */

/* Does a region of s stand for the root of another one by another name, and one of both is written? */
static bool names_clash(const Prog *p, const Stmt *s, int i)
{
    const OpInfo *info = &opinfo[s->op.op];
    for (int k = 0; k < info->nregion; k++)
        if (k != i && s->op.r[k].buf && buf_root(p, s->op.r[k].buf) == buf_root(p, s->op.r[i].buf) &&
            (info->regions[i] != 'r' || info->regions[k] != 'r'))
            return true;
    return false;
}

/* Operand B of a product stays in shared memory, where the widest instructions want it. */
static bool op_takes(const Prog *p, const Stmt *s, int i)
{
    uint32_t buf = s->op.r[i].buf;
    return view_of_fragment(p, buf) && same_width(p, buf) && !(s->op.op == Ogemm && i == 1) &&
           !names_clash(p, s, i);
}

/* dst = src, of the same shape. */
static Stmt *view_moved(Low *l, uint32_t dst, uint32_t src, Loc loc)
{
    static const char *const names[MaxDim] = {"i", "j", "k", "l", "m", "n", "o", "q"};
    Prog *p = l->p;
    int n = p->buf[dst].ndim;
    Ex lo[MaxDim], hi[MaxDim], v[MaxDim];
    low_begin(l, loc);
    for (int d = 0; d < n; d++) {
        lo[d] = low_i(l, 0);
        hi[d] = p->buf[dst].shape[d];
    }
    Stmt *loop = s_for(p, Fparallel, lo, hi, n, 0, names);
    for (int d = 0; d < n; d++)
        v[d] = x_var(p, loop->loop.var[d]);
    s_store(p, dst, v, n, x_load(p, src, v, n));
    s_close(p);
    return low_end(l);
}

static Stmt *view_op(Low *l, Stmt *s, bool *into, void *ud)
{
    Prog *p = l->p;
    Stmt *out = s, *after = NULL;
    (void)into;
    (void)ud;
    for (int i = 0; s->kind == Sop && i < opinfo[s->op.op].nregion; i++) {
        Region *r = &s->op.r[i];
        char mode = opinfo[s->op.op].regions[i];
        if (!op_takes(p, s, i))
            continue;
        uint32_t view = r->buf;
        Buf b = p->buf[view];
        uint32_t own = p_buf(p, SCfragment, (enum Dtype)b.dt, b.name, b.shape, NULL, b.ndim);
        low_holds(l, own, view);
        r->buf = own;
        Stmt *before = low_alloc(l, own, s->loc);
        if (mode != 'w' || !region_whole(p, r))
            before = low_append(before, view_moved(l, own, view, s->loc));
        out = low_append(before, out);
        if (mode != 'r')
            after = low_append(view_moved(l, view, own, s->loc), after);
    }
    return low_append(out, after);
}

/* Copies in shared memory ------------------------------------------------ */

/* A fragment that a statement uses by a view, with what is inside of it. */
typedef struct UsedViews UsedViews;
struct UsedViews {
    const Prog *p;
    uint32_t root; /* 0: none */
    bool written;  /* by any of its names */
};

static ExGo used_load(void *ud, Ex e)
{
    UsedViews *u = ud;
    const Expr *x = &u->p->ex[e];
    if (x->op == Xload && view_of_fragment(u->p, x->sym) && !u->root)
        u->root = buf_root(u->p, x->sym);
    return EXinto;
}

static bool view_used(Stmt *s, void *ud)
{
    UsedViews *u = ud;
    stmt_ex_walk(u->p, s, used_load, u);
    if (s->kind == Sstore && view_of_fragment(u->p, s->store.buf) && !u->root)
        u->root = buf_root(u->p, s->store.buf);
    for (int i = 0; s->kind == Sop && i < opinfo[s->op.op].nregion; i++)
        if (view_of_fragment(u->p, s->op.r[i].buf) && !u->root)
            u->root = buf_root(u->p, s->op.r[i].buf);
    return true;
}

static bool view_written(Stmt *s, void *ud)
{
    UsedViews *u = ud;
    if (s->kind == Sstore)
        u->written |= buf_root(u->p, s->store.buf) == u->root;
    for (int i = 0; s->kind == Sop && i < opinfo[s->op.op].nregion; i++)
        u->written |= s->op.r[i].buf && opinfo[s->op.op].regions[i] != 'r' &&
                      buf_root(u->p, s->op.r[i].buf) == u->root;
    return true;
}

/* s alone, and the iterations of a parallel loop. */
static void view_walk(Stmt *s, bool parloop, bool (*visit)(Stmt *, void *), UsedViews *u)
{
    visit(s, u);
    if (parloop)
        stmt_walk(s->loop.body, visit, u);
}

static Stmt *whole_copy(Low *l, uint32_t to, uint32_t from, Loc loc)
{
    Prog *p = l->p;
    Region r[MaxRegion] = {r_whole(p, from), r_whole(p, to)};
    low_begin(l, loc);
    s_op(p, Ocopy, r, 0, NULL, NULL);
    return low_end(l);
}

Stmt *flat_through_shared(Low *l, Stmt *s, uint32_t root, bool written)
{
    Prog *p = l->p;
    Buf b = p->buf[root];
    uint32_t sh = low_sharedbuf(l, (enum Dtype)b.dt, b.name, b.shape, b.ndim), n = p->nbuf;
    p->buf[sh].stage = true;
    uint32_t *map = anew(&p->ctx, n * sizeof *map);
    map[root] = sh;
    for (uint32_t v = root + 1; v < n; v++)
        if (v != sh && p->buf[v].base && buf_root(p, v) == root) {
            Buf k = p->buf[v];
            map[v] = p_view(p, sh, (enum Dtype)k.dt, k.shape, k.ndim);
        }
    low_subst(l, s, NULL, 0, map, n);
    Stmt *out = low_append(whole_copy(l, sh, root, s->loc), s);
    return written ? low_append(out, whole_copy(l, root, sh, s->loc)) : out;
}

static Stmt *view_stage(Low *l, Stmt *s, bool *into, void *ud)
{
    (void)ud;
    bool parloop = s->kind == Sfor && (s->loop.kind == Fparallel || s->loop.kind == Fvectorized);
    Stmt *b[2];
    if (!parloop && stmt_blocks(s, b) > 0)
        return s;
    *into = false;
    Stmt *out = s;
    for (;;) { /* one fragment after the other */
        UsedViews u = {l->p, 0, false};
        view_walk(s, parloop, view_used, &u);
        if (!u.root)
            break;
        view_walk(s, parloop, view_written, &u);
        Stmt *next = out == s ? NULL : out;
        out = flat_through_shared(l, s, u.root, u.written);
        if (next) { /* s stands in the middle of what was there */
            Stmt **at = &next;
            while (*at && *at != s)
                at = &(*at)->next;
            *at = out;
            out = next;
        }
    }
    return out;
}

void flat_views(Low *l)
{
    low_rewrite(l, &l->launch->launch.body, view_op, NULL);
    low_map(l, l->launch->launch.body, view_load, NULL);
    stmt_walk(l->launch->launch.body, view_stores, l);
    low_rewrite(l, &l->launch->launch.body, view_stage, NULL);
}
