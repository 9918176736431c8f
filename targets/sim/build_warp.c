/* targets/sim/build_warp.c: what threads do together: intrinsics, atomics,
 * prints. */
#include <string.h>

#include "core/ir/effects.h"
#include "core/ir/reduce.h"
#include "build.h"
#include "run.h"

/* Masks ----------------------------------------------------------------------------- */

const WarpMask *b_mask(Build *b, Ex e)
{
    WarpMask *m = anew(b->c, sizeof *m);
    m->all = x_all_lanes(b->p, e);
    if (!m->all)
        m->v = b_ex(b, e);
    return m;
}

/* Numbers of the thread ------------------------------------------------------- */

static int64_t sb_warp_argument(Build *b, const Expr *x, int k, int64_t otherwise)
{
    int64_t v = 0;
    if (k < x->n && x_isint(b->p, x->arg[k], &v) && v > 0)
        return v;
    return otherwise;
}

/* (thread // div) % mod, mod 0: whole. */
static Val thread_digit_val(Build *b, int64_t div, int64_t mod)
{
    const KernTable *k = b->sp->kern;
    Val v = {SHt, VCi, DTi32, b->l->index};
    for (int j = 0; j < 2; j++) {
        int64_t c = j ? mod : div;
        if (c == 0 || (!j && c == 1))
            continue;
        Val d = b_rows(b, DTi32, SHt), n = b_const(b, DTi32, c, 0);
        BuildNode *q = b_emit(b, run_kern);
        q->i.kern = k->bin[j ? Xfmod : Xfdiv][KCi][KFvs];
        q->i.d = d;
        q->i.a = v;
        q->i.b = n;
        v = d;
    }
    return v;
}

Val b_threadcall(Build *b, Ex e)
{
    Expr x = *ex_at(b->p, e);
    int64_t warp = b->m->warp;
    if (x.sym == Ilane_idx)
        return thread_digit_val(b, 1, sb_warp_argument(b, &x, 0, warp));
    if (x.sym == Iwarp_idx)
        return thread_digit_val(b, sb_warp_argument(b, &x, 0, warp), 0);
    if (x.sym == Iwarp_group_idx)
        return thread_digit_val(b, sb_warp_argument(b, &x, 0, warp) * sb_warp_argument(b, &x, 1, 4),
                                0);
    CallArgs *a = anew(b->c, sizeof *a);
    a->fn = (uint8_t)x.sym;
    a->n = (uint8_t)x.n;
    for (int i = 0; i < x.n; i++)
        a->arg[i] = b_ex(b, x.arg[i]);
    a->mask = intr_mask(x.sym) < 0 ? NULL : b_mask(b, x.arg[intr_mask(x.sym)]);
    bool block = x.sym == Icount_sync || x.sym == Iand_sync || x.sym == Ior_sync;
    Val d = b_rows(b, (enum Dtype)x.dt, SHt);
    BuildNode *n = b_emit(b, block ? run_blockred : run_warp);
    n->i.d = d;
    n->i.x = a;
    n->i.site = b_site(b, b->here, 0, intrinfo[x.sym].text);
    return d;
}

/* Registers in other lanes ---------------------------------------------------------- */

/* What e is but for its type: elements of 4 bits and bools are moved as int32. */
static const Expr *moved_value(const Build *b, Ex e)
{
    const Expr *x = ex_at(b->p, e);
    while (x->op == Xcast)
        x = ex_at(b->p, x->arg[0]);
    return x;
}

Shuffled b_shuffle(Build *b, Ex e)
{
    Expr x = *ex_at(b->p, e);
    Expr from = x.op == Xcall && x.n > 0 ? *moved_value(b, x.arg[0]) : (Expr){0};
    Shuffled s = {0};
    Ex idx[MaxDim];
    if (x.op != Xcall || x.sym != Ishfl || from.op != Xload || !b_isregister(b, from.sym) ||
        b->p->buf[from.sym].scope != SClocal || !b->p->buf[from.sym].map ||
        (b_info(b, x.arg[1]).bits & XIimpure))
        return s;
    memcpy(idx, from.arg, from.n * sizeof *idx);
    if (!b_number(b, b_flat(b, from.sym, idx), &s.reg))
        return s;
    CallArgs *a = anew(b->c, sizeof *a);
    a->fn = Ishfl;
    a->n = (uint8_t)x.n;
    a->arg[0] = b_rows(b, DTi32, SHt);
    for (int i = 1; i < x.n; i++)
        a->arg[i] = b_ex(b, x.arg[i]);
    a->mask = b_mask(b, x.arg[intr_mask(x.sym)]);
    s.l = b_local(b, from.sym);
    s.row = b_forever(b, DTi32, 1);
    s.row.shape = SHt;
    BuildNode *n = b_emit(b, run_shuffled);
    n->i.d = s.row;
    n->i.x = a;
    n->i.y = s.l;
    n->i.k = s.reg;
    n->i.site = b_site(b, b->here, 0, intrinfo[x.sym].text);
    return s;
}

static bool isvariable(const Build *b, const Expr *x)
{
    return x->op == Xvar && b->shuffled[x->sym].l != NULL;
}

bool b_isshuffled(Build *b, Ex e)
{
    const Expr *x = moved_value(b, e);
    while (x->op == Xselect && isvariable(b, moved_value(b, x->arg[1])) &&
           !(b_info(b, x->arg[0]).bits & XIimpure))
        x = moved_value(b, x->arg[2]);
    return isvariable(b, x);
}

Val b_shuffled(Build *b, Ex e)
{
    Expr x = *moved_value(b, e);
    if (x.op == Xvar)
        return b->shuffled[x.sym].row;
    Val then = b->shuffled[moved_value(b, x.arg[1])->sym].row;
    Val els = b_shuffled(b, x.arg[2]), c = b_ex(b, x.arg[0]);
    Val d = b_rows(b, DTi32, SHt);
    BuildNode *n = b_emit(b, run_choose);
    n->i.d = d;
    n->i.a = then;
    n->i.b = els;
    n->i.c = c;
    return d;
}

void b_given(Build *b, const Shuffled *s)
{
    BuildNode *n = b_emit(b, run_given);
    n->i.a = s->row;
    n->i.x = s->l;
    n->i.k = s->reg;
    n->i.site = b_site(b, b->here, s->l->buf, "reads");
}

void b_callstmt(Build *b, const Stmt *s)
{
    OpArgs *a = anew(b->c, sizeof *a);
    int64_t id = -1, count = -1;
    uint32_t site = b_site(b, b->here, 0, intrinfo[s->call.fn].text);
    a->s = s;
    if (s->call.fn == Isync_warp)
        a->mask = b_mask(b, s->call.arg[0]);
    if (s->call.fn == Isync_threads) {
        if (s->call.arg[0])
            x_isint(b->p, s->call.arg[0], &id);
        if (s->call.arg[1])
            x_isint(b->p, s->call.arg[1], &count);
        a->a0 = id < 0 ? 0 : (int32_t)id;
        a->a1 = count < 0 ? 0 : (int32_t)count;
    }
    BuildNode *n = b_emit(b, s->call.fn == Isync_threads ? run_barsync
                             : s->call.fn == Isync_warp  ? run_warpsync
                                                         : run_grid);
    n->i.x = a;
    n->i.y = b_live(b, false);
    n->i.site = site;
}

/* Atomics --------------------------------------------------------------------- */

static void bind_prev(Build *b, const Stmt *s, Val v)
{
    uint32_t var = s->atomic.prev;
    Val d = b_forever(b, (enum Dtype)b->p->var[var].dt, 1);
    BuildNode *n = b_emit(b, run_copy);
    n->i.d = d;
    n->i.a = v;
    b->var[var] = d;
    b->varkind[var] = VKthread;
    b->varlevel[var] = InPlace;
}

/* Registers are the thread's own: a read and a write. */
static void register_atomic(Build *b, const Stmt *s)
{
    const Buf *k = &b->p->buf[s->atomic.buf];
    enum Dtype dt = (enum Dtype)k->dt;
    Ex idx[MaxDim];
    int n = k->ndim;
    b->turn.loop = 0; /* however many iterations do it */
    memcpy(idx, s->atomic.idx, sizeof idx);
    for (int l = 0; l < s->atomic.lanes || l == 0; l++) {
        if (l)
            idx[n - 1] = x_bin(b->p, Xadd, s->atomic.idx[n - 1], x_int(b->p, DTi32, l));
        Ex was = x_load(b->p, s->atomic.buf, idx, n);
        if (s->atomic.prev)
            bind_prev(b, s, b_ex(b, was));
        if (s->atomic.kind != ATload)
            b_store(b, s->atomic.buf, idx,
                    x_cast(b->p, dt, red_update(b->p, s->atomic.kind, was, s->atomic.value[l])));
        b_free(b, &b->stmt);
    }
}

void b_atomic(Build *b, const Stmt *s)
{
    enum Dtype dt = (enum Dtype)b->p->buf[s->atomic.buf].dt;
    if (b_isregister(b, s->atomic.buf)) {
        register_atomic(b, s);
        return;
    }
    AtomicArgs *a = anew(b->c, sizeof *a);
    uint32_t site = b_site(b, b->here, s->atomic.buf, "atomic");
    b->sp->site[site].update = update_number(b->p, s);
    a->s = s;
    a->acc = b_access(b, s->atomic.buf, s->atomic.idx, site, s->atomic.lanes,
                      b->p->buf[s->atomic.buf].ndim - 1, false);
    for (int l = 0; s->atomic.kind != ATload && l < s->atomic.lanes; l++)
        a->value[l] = b_lanes(b, b_cast(b, b_ex(b, s->atomic.value[l]), dt), SHt);
    a->hasprev = s->atomic.prev != 0;
    a->prev = b_rows(b, dt, SHt);
    b_iter_memory(b, a->acc, ItAtomic | (s->atomic.kind == ATload ? ItRead : ItWrite), NULL,
                  s->atomic.lanes);
    BuildNode *n = b_emit(b, run_atomic);
    n->i.x = a;
    n->i.site = site;
    if (s->atomic.prev)
        bind_prev(b, s, b_cast(b, a->prev, (enum Dtype)b->p->var[s->atomic.prev].dt));
}

void b_print(Build *b, const Stmt *s)
{
    PrintArgs *a = anew(b->c, sizeof *a);
    a->s = s;
    if (s->print.value)
        a->value = b_ex(b, s->print.value);
    BuildNode *n = b_emit(b, run_print);
    n->i.x = a;
}
