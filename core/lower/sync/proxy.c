/* core/lower/sync/proxy.c: global memory that both proxies come to.
 *
 *     C[t] = ..                    C[t] = ..
 *     bar_sync                     fence_async global=1
 *     tma_load C -> s        ->    bar_sync
 *                                  tma_load C -> s
 *
 * What threads write in the ordinary way is seen by bulk copies only behind a fence between the
 * two (PTX, "Async proxy"), whatever orders them: a barrier, the grid's, a flag.  The writers'
 * own serves them all: it stands behind what they write, before anything of theirs that could
 * tell others.  Such launches are few (a stage that reads what an earlier one wrote), so that
 * where two accesses are is not asked.  Fences of shared memory are sync.c's; in such a launch
 * they cover both. */
#include "core/ir/effects.h"
#include "core/ir/walk.h"
#include "core/lower/build/low.h"

enum { PFstored = 1, PFbulk = 2, PFboth = PFstored | PFbulk };

typedef struct ProxyFences ProxyFences;
struct ProxyFences {
    Low *l;
    uint8_t *is;  /* by root: PF* */
    bool both;    /* of some */
};

static bool proxy_gather(void *ud, const MemEffect *e)
{
    ProxyFences *k = ud;
    if (k->l->p->buf[e->root].scope != SCglobal)
        return true;
    if (e->proxy == 'a')
        k->is[e->root] |= PFbulk;
    else if (e->mode & FXwrite)
        k->is[e->root] |= PFstored;
    k->both |= k->is[e->root] == PFboth;
    return true;
}

/* Stops at what a bulk copy may have to see. */
static bool proxy_quiet(void *ud, const MemEffect *e)
{
    const ProxyFences *k = ud;
    return k->is[e->root] != PFboth || e->proxy == 'a' || !(e->mode & FXwrite);
}

/* Votes of the block are barriers. */
static ExGo proxy_vote(void *ud, Ex e)
{
    const Expr *x = ex_at(ud, e);
    bool all = x->op == Xcall &&
               (x->sym == Icount_sync || x->sym == Iand_sync || x->sym == Ior_sync);
    return all ? EXstop : EXinto;
}

/* Does s only compute, and store in its own order?  Atomics may be flags. */
static bool proxy_computes(Stmt *s, void *ud)
{
    Prog *p = ud;
    switch ((enum StmtKind)s->kind) {
    case Salloc: case Slet: case Sstore: case Sfor: case Sif: case Sassume:
        return stmt_ex_walk(p, s, proxy_vote, p);
    case Sop: return s->op.op == Omma || s->op.op == Oldmatrix || s->op.op == Ostmatrix;
    default: return false;
    }
}

/* s alone, with what is inside. */
static bool proxy_only_computes(const ProxyFences *k, Stmt *s)
{
    Stmt **block[2];
    bool all = proxy_computes(s, k->l->p);
    for (int i = 0, n = low_blocks(s, block); all && i < n; i++)
        all = stmt_walk(*block[i], proxy_computes, k->l->p);
    return all;
}

static void proxy_fence(const ProxyFences *k, Loc loc, Stmt **at)
{
    Stmt *f = low_fence_async(k->l, loc);
    f->next = *at;
    *at = f;
}

/* Behind what the block at *at writes, as late as can be; at its end, where it is inside of
 * another. */
static void proxy_block(ProxyFences *k, Stmt **at, bool inside)
{
    const Stmt *open = NULL; /* has written, and is not fenced yet */
    for (; *at; at = &(*at)->next) {
        Stmt *s = *at, **block[2];
        bool computes = proxy_only_computes(k, s);
        if (open && !computes) {
            proxy_fence(k, open->loc, at);
            at = &(*at)->next;
            open = NULL;
        }
        int n = computes ? 0 : low_blocks(s, block);
        for (int i = 0; i < n; i++)
            proxy_block(k, block[i], true);
        if (n == 0 && !block_effects(k->l->p, s, false, proxy_quiet, k))
            open = s;
    }
    if (open && inside)
        proxy_fence(k, open->loc, at);
}

static bool proxy_covers(Stmt *s, void *ud)
{
    enum { Global }; /* attributes */
    (void)ud;
    if (s->kind == Sop && s->op.op == Ofence_async)
        s->op.attr[Global] = 1;
    return true;
}

void low_fences(Low *l)
{
    if (!l->m->proxies)
        return;
    ProxyFences k = {.l = l, .is = anew(&l->p->ctx, l->p->nbuf * sizeof *k.is)};
    block_effects(l->p, l->launch->launch.body, true, proxy_gather, &k);
    if (!k.both)
        return;
    l->fence_global = true;
    proxy_block(&k, &l->launch->launch.body, false);
    stmt_walk(l->launch->launch.body, proxy_covers, NULL);
}
