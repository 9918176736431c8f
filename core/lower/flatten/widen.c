/* core/lower/flatten/widen.c: more threads for fragments that do not fit into the registers of those asked for.
 *
 * A thread has 255 registers, whatever its block leaves unused: two accumulators of 128 x 128 in 128 threads
 * are 256 of them, and what does not fit goes through memory in every step.  Twice the threads hold
 * half as much each.  Who says only what becomes of tiles says nothing of which thread does it, so a launch whose
 * threads nobody names gets twice as many of them where that makes the fragments fit, and products
 * still come out even: their rows stay with one warp. */
#include "flatten.h"
#include "err/lower.h"

enum { Beside = 30, GroupRows = 16 /* of a product, of a warp */ };

typedef struct Widen Widen;
struct Widen {
    const Low *l;
    int threads;           /* would be */
    int64_t bits;          /* of all fragments */
    bool products, ok;
};

static bool widen_names_thread(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return (x->op == Xvar && p->var[x->sym].kind == Vthread) || (x->op == Xcall && intrinfo[x->sym].level != 'M');
}

/* Rows of C that each warp would have, in whole instructions? */
static bool widen_product(const Widen *k, const Stmt *s)
{
    const Prog *p = k->l->p;
    const Region *c = &s->op.r[2];
    int64_t rows;
    return p->buf[c->buf].scope == SCfragment && p->buf[c->buf].ndim >= 2 &&
           x_isint(p, c->extent[p->buf[c->buf].ndim - 2], &rows) &&
           rows % ((int64_t)k->threads / k->l->m->warp * GroupRows) == 0;
}

static bool widen_op(Widen *k, const Stmt *s)
{
    switch ((enum Op)s->op.op) {
    case Ogemm:
        k->products = true;
        return widen_product(k, s);
    case Ocopy: case Ofill: case Oreduce: case Otranspose: case Oatomic: return true;
    default: return false;
    }
}

/* Is s about tiles alone?  Fragments are counted. */
static bool widen_statement(Stmt *s, void *ud)
{
    Widen *k = ud;
    Prog *p = k->l->p;
    k->ok &= !s->own && !stmt_any(p, s, widen_names_thread, p);
    switch ((enum StmtKind)s->kind) {
    case Salloc: {
        const Buf *b = &p->buf[s->alloc.buf];
        k->ok &= b->scope == SCshared || b->scope == SCvar || (b->scope == SCfragment && !b->layout);
        k->bits += b->scope == SCfragment ? buf_bytes(p, s->alloc.buf) * 8 : 0;
        break;
    }
    case Sop: k->ok &= widen_op(k, s); break;
    case Slet: case Sstore: case Sfor: case Sif: case Swhile: case Sassume: case Sbreak: case Scontinue: break;
    case Satomic: k->ok &= !s->atomic.prev; break;
    default: k->ok = false;
    }
    return k->ok;
}

void flat_widen(Low *l)
{
    const Machine *m = l->m;
    Stmt *launch = l->launch;
    Widen k = {.l = l, .threads = 2 * l->threads, .ok = true};
    if (!m->wgmma || launch->launch.nthread != 1 || l->threads != m->group * m->warp || launch->launch.regs[0] ||
        launch->launch.regs[1])
        return;
    stmt_walk(launch->launch.body, widen_statement, &k);
    int64_t regs = k.bits / 32 / l->threads + Beside;
    if (!k.ok || !k.products || regs <= m->regs_thread || regs / 2 + Beside > m->regs_thread)
        return;
    low_note(l, E_threads_widened, launch, afmt(&l->p->ctx, "%d", l->threads), afmt(&l->p->ctx, "%d", k.threads),
             afmt(&l->p->ctx, "%lld", (long long)regs - Beside));
    l->threads = l->total = k.threads;
    launch->launch.threads[0] = k.threads;
    l->p->var[launch->launch.thread[0]].hi = k.threads - 1;
}
