/* core/ir/verify_thread.c: what a thread program keeps beside the invariants of all
 * programs: the list at the head of lower/lower.h, and the limits of its machine.
 *
 * Whether addresses are aligned and inside, and who waits for whom, depends on
 * values: the simulator and lower/audit/mbarriers.c look at that. */
#include <string.h>

#include "core/layout/machine.h"
#include "verify.h"
#include "err/ir.h"
#include "err/pipes.h"

#define NUM(i) afmt(&t->p->ctx, "%lld", (long long)(i))

typedef struct ThreadVerify ThreadVerify;
struct ThreadVerify {
    Verify *v;
    Prog *p;
    const Machine *m;
    const Stmt *launch;
    int64_t threads;
    const Stmt *vector; /* the vectorized loop around */
    const Stmt *at;
    uint8_t *unrolled;  /* of a Var: becomes constant by unrolling */
    uint32_t *seen, epoch;
};

/* Machine features ------------------------------------------------------- */

static const char *feature(const Machine *m, const Stmt *s)
{
    switch ((enum Op)s->op.op) {
    case Oldmatrix: return m->ldmatrix ? NULL : "ldmatrix";
    case Ostmatrix: return m->stmatrix ? NULL : "stmatrix";
    case Ocp_async: case Ocp_async_commit: case Ocp_async_wait:
        return m->cp_async ? NULL : "cp.async";
    case Ocp_async_arrive: return m->cp_async && m->mbarrier ? NULL : "mbarrier";
    case Otma_load: case Otma_store: case Obulk_load: case Obulk_store: case Obulk_commit:
    case Obulk_wait:
        return m->tma ? NULL : "TMA";
    case Owgmma: case Owgmma_fence: case Owgmma_commit: case Owgmma_wait:
        return m->wgmma ? NULL : "wgmma";
    case Ombar_expect: case Ombar_arrive_expect: /* bytes are counted by copies of sm_90 */
        return m->mbarrier && m->tma ? NULL : "mbarrier.expect_tx";
    case Ombar_init: case Ombar_arrive: case Ombar_wait: case Ombar_fence:
        return m->mbarrier ? NULL : "mbarrier";
    case Obar_sync: return s->op.attr[0] == 0 || m->named_barriers ? NULL : "bar.sync";
    case Obar_arrive: return m->named_barriers ? NULL : "bar.arrive";
    case Ofence_async: return m->proxies ? NULL : "fence.proxy.async";
    case Osetmaxnreg: return m->setmaxnreg ? NULL : "setmaxnreg";
    case Ocluster_arrive: case Ocluster_wait: return m->max_cluster > 1 ? NULL : "cluster";
    default: return NULL;
    }
}

static bool has_mma(const Machine *m, const char *name)
{
    for (int k = 0; k < m->nmma; k++)
        if (strcmp(m->mma[k].name, name) == 0)
            return true;
    return false;
}

static void op_fits(Verify *v, Prog *p, const Machine *m, const Stmt *s)
{
    enum Op op = (enum Op)s->op.op;
    const char *what = feature(m, s);
    bool asks = m->asked_async && !p->machine && !p->between.after &&
                (op == Ocp_async || op == Ocp_async_commit || op == Ocp_async_wait);
    if (asks)
        what = "cp.async";
    if (!what && (op == Omma || op == Owgmma) && !has_mma(m, s->op.text))
        what = s->op.text;
    if (what)
        verify_wrong(v, E_machine_op, m->name, what, p->machine ? opinfo[op].text : op_name(p, op),
                     asks ? "1" : "0", NULL);
}

/* T.sync_threads(id, count) of a part of the block's threads. */
static void named_fits(Verify *v, Prog *p, const Machine *m, int64_t threads, const Stmt *s)
{
    int64_t count = -1;
    if (s->kind != Scall || s->call.fn != Isync_threads || m->named_barriers)
        return;
    bool known = !s->call.arg[1] || x_isint(p, s->call.arg[1], &count);
    if (!known || (count > 0 && count != threads))
        verify_wrong(v, E_machine_op, m->name, "bar.sync", "T.sync_threads(id, count)", "0", NULL);
}

static void vthread_limit(Verify *v, Prog *p, const Machine *m, const char *what, int64_t n,
                          int64_t max)
{
    if (n > max)
        verify_wrong(v, E_machine_limit, m->name, what, afmt(&p->ctx, "%lld", (long long)n),
                     afmt(&p->ctx, "%lld", (long long)max), NULL);
}

static void launch_fits(Verify *v, Prog *p, const Machine *m, const Stmt *s)
{
    int64_t blocks = 1, threads = 1;
    for (int i = 0; i < s->launch.nthread; i++)
        threads *= s->launch.threads[i];
    for (int i = 0; i < MaxLaunchDim; i++)
        blocks *= s->launch.cluster[i] ? s->launch.cluster[i] : 1;
    vthread_limit(v, p, m, "threads", threads, m->max_threads);
    vthread_limit(v, p, m, "shared", s->launch.shared, m->shared_block);
    vthread_limit(v, p, m, "cluster", blocks, m->max_cluster > 1 ? m->max_cluster : 1);
}

/* Registers ------------------------------------------------------------------ */

static bool unsettled(void *ud, Ex e)
{
    const ThreadVerify *t = ud;
    const Expr *x = &t->p->ex[e];
    return x->op == Xload || (x->op == Xcall && intrinfo[x->sym].level != 'M') ||
           (x->op == Xvar && !t->unrolled[x->sym]);
}

/* Does e become a constant when all unroll and vectorized loops are unrolled? */
static bool vthread_settled(ThreadVerify *t, Ex e) { return !ex_any(t->p, e, unsettled, t); }

/* An access of buf at idx: registers of what a map describes are known. */
static void vthread_reg(ThreadVerify *t, uint32_t buf, const Ex *idx)
{
    const Buf *b = &t->p->buf[buf];
    if (b->scope != SClocal || !b->map)
        return;
    for (int d = 0; d < b->ndim; d++) {
        Str s = {0};
        if (vthread_settled(t, idx[d]))
            continue;
        ex_print(t->p, idx[d], &s);
        verify_wrong(t->v, E_reg_constant, b->name, s.s ? s.s : "?", NULL);
        str_free(&s);
    }
}

/* Vectors ---------------------------------------------------------------- */

/* How far e moves when var grows by one; -1: not by a fixed distance. */
static int64_t vthread_moves(const Prog *p, Ex e, uint32_t var)
{
    int64_t step = 0;
    if (!x_uses(p, e, var))
        return 0;
    ExSum s = x_linear(p, e);
    for (int i = 0; i < s.n; i++)
        if (p->ex[s.atom[i]].op == Xvar && p->ex[s.atom[i]].sym == var)
            step = s.coef[i];
        else if (x_uses(p, s.atom[i], var))
            return -1;
    return step;
}

static int64_t vthread_width(const ThreadVerify *t)
{
    int64_t w = 1;
    x_isint(t->p, t->vector->loop.hi[0], &w);
    return w;
}

static void vthread_wide(ThreadVerify *t, uint32_t buf)
{
    const Buf *b = &t->p->buf[buf];
    int64_t n = vthread_width(t) * dtypeinfo[b->dt].bits / 8;
    bool memory = b->scope == SCglobal || b->scope == SCshared;
    if (memory && n > t->m->vec_bytes)
        verify_wrong(t->v, E_vector_width, NUM(n), t->m->name, b->name, NUM(t->m->vec_bytes), NULL);
}

/* An access in a vectorized loop stays, or moves by one element. */
static void vthread_vector(ThreadVerify *t, uint32_t buf, const Ex *idx)
{
    const Prog *p = t->p;
    const Buf *b = &p->buf[buf];
    uint32_t var = t->vector->loop.var[0];
    int64_t last = b->ndim ? vthread_moves(p, idx[b->ndim - 1], var) : 0;
    bool ok = last == 0 || last == 1;
    for (int d = 0; d < b->ndim - 1; d++)
        ok = ok && vthread_moves(p, idx[d], var) == 0;
    if (!ok)
        verify_wrong(t->v, E_vector_step, b->name, p->var[var].name, NULL);
    else if (last == 1)
        vthread_wide(t, buf);
}

static void vthread_access(ThreadVerify *t, uint32_t buf, const Ex *idx)
{
    vthread_reg(t, buf, idx);
    if (t->vector)
        vthread_vector(t, buf, idx);
}

/* A load, once a statement. */
static bool vthread_load(void *ud, Ex e)
{
    ThreadVerify *t = ud;
    const Expr *x = &t->p->ex[e];
    if (x->op != Xload || t->seen[e] == t->epoch)
        return true;
    t->seen[e] = t->epoch;
    vthread_access(t, x->sym, x->arg);
    return true;
}

/* Buffers ---------------------------------------------------------------- */

static int64_t storage(const ThreadVerify *t, uint32_t buf)
{
    const Buf *b = &t->p->buf[buf];
    if (b->map && b->scope == SCshared)
        return (layout_extent(b->map, AXoff) * dtypeinfo[b->dt].bits + 7) / 8;
    return buf_bytes(t->p, buf);
}

static void vthread_placed(ThreadVerify *t, uint32_t buf)
{
    const Buf *b = &t->p->buf[buf];
    int64_t size = storage(t, buf), align = b->scope == SCbarrier ? 8 : dtypeinfo[b->dt].bits / 8;
    if (b->at < 0)
        verify_wrong(t->v, E_place_missing, b->name, NULL);
    else if (size < 0 || b->at + size > t->launch->launch.shared || (align && b->at % align))
        verify_wrong(t->v, E_place_outside, b->name, NUM(b->at), NUM(b->at + size - 1),
                     NUM(t->launch->launch.shared), NUM(align ? align : 1), NULL);
}

static void vthread_mapped(ThreadVerify *t, uint32_t buf)
{
    const Buf *b = &t->p->buf[buf];
    const char *why = layout_check(b->map, b->scope == SCshared ? 0 : t->m->warp);
    int64_t n = 1, size;
    bool ok = !why;
    for (int d = 0; d < b->ndim; d++)
        n *= x_isint(t->p, b->shape[d], &size) ? size : 1;
    if (b->scope == SCshared) {
        ok = ok && b->map->ndim == b->ndim;
        for (int d = 0; ok && d < b->ndim; d++)
            ok = x_isint(t->p, b->shape[d], &size) && size <= b->map->extent[d];
    } else {
        ok = ok && layout_extent(b->map, AXreg) <= n;
    }
    if (!ok)
        verify_wrong(t->v, E_map_shape, b->name, why ? why : "-", NULL);
}

static void vthread_alloc(ThreadVerify *t, uint32_t buf)
{
    const Buf *b = &t->p->buf[buf];
    if (b->scope == SCfragment || b->scope == SCpipe)
        verify_wrong(t->v, E_thread_tile, scopename[b->scope], NULL);
    if (b->map)
        vthread_mapped(t, buf);
    if (b->scope == SCshared || b->scope == SCbarrier)
        vthread_placed(t, buf);
}

/* Statements ------------------------------------------------------------- */

static void vthread_block(ThreadVerify *t, const Stmt *s);

static void vthread_launch(ThreadVerify *t, const Stmt *s)
{
    t->launch = s;
    t->threads = s->launch.threads[0];
    if (s->launch.nthread != 1)
        verify_wrong(t->v, E_thread_launch, NUM(s->launch.nthread), NULL);
    launch_fits(t->v, t->p, t->m, s);
}

static void vthread_operation(ThreadVerify *t, const Stmt *s)
{
    const OpInfo *o = &opinfo[s->op.op];
    bool pipe = s->op.op >= Opipe_acquire && s->op.op <= Opipe_release;
    if ((o->level == 'T' && s->op.op != Oprint) || pipe)
        verify_wrong(t->v, E_thread_tile, afmt(&t->p->ctx, "`%s`", o->text), NULL);
    op_fits(t->v, t->p, t->m, s);
    for (int i = 0; i < o->nregion; i++)
        if (s->op.r[i].buf)
            vthread_reg(t, s->op.r[i].buf, s->op.r[i].min);
    if (t->vector && s->op.op != Ocp_async)
        verify_wrong(t->v, E_vector_body, NULL);
}

static void vthread_loop(ThreadVerify *t, const Stmt *s)
{
    int64_t lo, hi;
    enum ForKind k = (enum ForKind)s->loop.kind;
    bool fixed = true;
    if (k != Fserial && k != Funroll && k != Fvectorized) {
        verify_wrong(t->v, E_thread_tile, forname[k], NULL);
        return;
    }
    for (int i = 0; i < s->loop.n; i++)
        fixed = fixed && x_isint(t->p, s->loop.lo[i], &lo) && x_isint(t->p, s->loop.hi[i], &hi);
    if (s->loop.step)
        fixed = fixed && x_isint(t->p, s->loop.step, &lo);
    if (k != Fserial && !fixed)
        verify_wrong(t->v, E_thread_bounds, forname[k], NULL);
    for (int i = 0; i < s->loop.n; i++)
        t->unrolled[s->loop.var[i]] = k != Fserial && fixed;
    if (k != Fvectorized)
        return;
    x_isint(t->p, s->loop.lo[0], &lo);
    if (t->vector || s->loop.n != 1 || lo != 0 || hi < 1)
        verify_wrong(t->v, E_vector_body, NULL);
}

static void vthread_role(ThreadVerify *t, const Stmt *s)
{
    int lo = s->role.lo, hi = s->role.hi;
    if (lo % t->m->warp || hi % t->m->warp || hi > t->threads)
        verify_wrong(t->v, E_role_warps, NUM(lo), NUM(hi - 1), t->m->name, NUM(t->m->warp),
                     NUM(t->threads), NULL);
}

static void verify_own(ThreadVerify *t, const Stmt *s)
{
    bool plain = s->kind == Sstore || s->kind == Satomic || s->kind == Slet || s->kind == Sop ||
                 (s->kind == Scall && s->call.fn == Iiteration);
    if (t->vector && !plain)
        verify_wrong(t->v, E_vector_body, NULL);
    switch ((enum StmtKind)s->kind) {
    case Slaunch: vthread_launch(t, s); break;
    case Salloc: vthread_alloc(t, s->alloc.buf); break;
    case Slet: t->unrolled[s->let.var] = vthread_settled(t, t->p->var[s->let.var].value); break;
    case Sstore: vthread_access(t, s->store.buf, s->store.idx); break;
    case Satomic: vthread_access(t, s->atomic.buf, s->atomic.idx); break;
    case Sop: vthread_operation(t, s); break;
    case Sfor: vthread_loop(t, s); break;
    case Srole: vthread_role(t, s); break;
    case Scall: named_fits(t->v, t->p, t->m, t->threads, s); break;
    default: break;
    }
}

static void vthread_block(ThreadVerify *t, const Stmt *s)
{
    for (; s && !verify_enough(t->v); s = s->next) {
        Stmt *inner[2];
        const Stmt *outer = t->vector;
        verify_at(t->v, s->loc);
        t->epoch++;
        stmt_ex_each(t->p, s, vthread_load, t);
        verify_own(t, s);
        if (s->kind == Sfor && s->loop.kind == Fvectorized)
            t->vector = s;
        for (int i = 0, n = stmt_blocks(s, inner); i < n; i++)
            vthread_block(t, inner[i]);
        t->vector = outer;
    }
}

void verify_thread(Verify *v, Prog *p)
{
    ThreadVerify t = {.v = v, .p = p, .m = machine_find(p->machine)};
    if (!t.m) {
        verify_broken(v, "a thread program of an unknown machine");
        return;
    }
    t.unrolled = anew(&p->ctx, p->nvar);
    t.seen = anew(&p->ctx, p->nex * sizeof *t.seen);
    vthread_block(&t, p->body);
}

/* Before lowering ------------------------------------------------------------- */

/* Of local memory a thread has so much: CUDA C++ Programming Guide, technical specifications. */
enum { LocalBytes = 512 << 10 };

/* What a thread keeps of a buffer, at the least. */
static void own_fits(Verify *v, Prog *p, const Machine *m, int64_t threads, uint32_t buf)
{
    const Buf *b = &p->buf[buf];
    bool spread = b->scope == SCfragment;
    int64_t bytes = spread || b->scope == SClocal ? buf_bytes(p, buf) : 0;
    if (bytes > 0 && bytes / (spread ? threads : 1) > LocalBytes)
        verify_wrong(v, E_local_over, b->name, afmt(&p->ctx, "%lld", (long long)(bytes / (spread ? threads : 1))),
                     m->name, afmt(&p->ctx, "%d", LocalBytes), NULL);
}

typedef struct Fits { Verify *v; Prog *p; const Machine *m; int64_t threads; } Fits;

static bool vthread_fits(Stmt *s, void *ud)
{
    Fits *f = ud;
    verify_at(f->v, s->loc);
    if (s->kind == Slaunch) {
        f->threads = 1;
        for (int i = 0; i < s->launch.nthread; i++)
            f->threads *= s->launch.threads[i];
        launch_fits(f->v, f->p, f->m, s);
    } else if (s->kind == Sop) {
        op_fits(f->v, f->p, f->m, s);
    } else if (s->kind == Salloc) {
        own_fits(f->v, f->p, f->m, f->threads, s->alloc.buf);
    }
    named_fits(f->v, f->p, f->m, f->threads, s);
    return !verify_enough(f->v);
}

void verify_fits(Verify *v, Prog *p, const Machine *m)
{
    Fits f = {v, p, m, 0};
    stmt_walk(p->body, vthread_fits, &f);
}
