/* core/lower/flatten/waits.c: barriers of the block, and votes, that not all its threads may come to.
 *
 *     if P[tx] > 3 then T.sync_threads() end                    told
 *     if tx < 64 then T.sync_threads() end                      that role's: all of its threads come
 *     for k = .. do if P[tx] == k then break end T.sync_threads() end                     told
 *     if tx < 9 and T.syncthreads_or(P[tx] > 3) ~= 0 then .. end    told: others are not asked
 *
 * Users wrote them, and whether a condition that is not known lets all threads come turns out when
 * it runs.  So it is a warning; a barrier of ours would be an error (range.c). */
#include <string.h>

#include "core/ir/walk.h"
#include "flatten.h"
#include "err/kernel.h"

/* A barrier or a vote. */
typedef struct Waits Waits;
struct Waits {
    Low *l;
    Vary *v;
    const Stmt *div;       /* the innermost statement around that threads take differently */
    Loc *told; uint32_t n, cap; /* cases.c makes copies */
};

static bool waits_call(void *ud, Ex e)
{
    const Expr *x = ex_at(ud, e);
    return x->op == Xcall && vary_collective(x->sym);
}

/* Of an expression: the first vote in it; the first one that some threads alone evaluate, and
 * why. */
typedef struct WaitsVote { Waits *k; uint32_t fn; uint32_t some; Ex why; } WaitsVote;

static ExGo waits_first(void *ud, Ex e)
{
    WaitsVote *k = ud;
    if (!waits_call(k->k->l->p, e))
        return EXinto;
    k->fn = ex_at(k->k->l->p, e)->sym;
    return EXstop;
}

static ExGo waits_arm(void *ud, Ex e)
{
    WaitsVote *k = ud;
    Prog *p = k->k->l->p;
    Expr x = *ex_at(p, e);
    bool arms = x.op == Xand || x.op == Xor || x.op == Xselect;
    WaitsVote in = {.k = k->k};
    if (!arms || !vary_ex(k->k->v, x.arg[0]))
        return EXinto;
    for (int i = 1; i < x.n && !in.fn; i++)
        ex_walk(p, x.arg[i], waits_first, &in);
    k->some = in.fn;
    k->why = x.arg[0];
    return in.fn ? EXstop : EXinto;
}

static bool waits_told(Waits *k, Loc at)
{
    for (uint32_t i = 0; i < k->n; i++)
        if (memcmp(&k->told[i], &at, sizeof at) == 0)
            return true;
    agrow(&k->l->p->ctx, &k->told, &k->cap, k->n + 1, sizeof *k->told);
    k->told[k->n++] = at;
    return false;
}

Loc flat_call_loc(const Stmt *s)
{
    Loc at = s->loc;
    at.col = s->kind == Scall ? at.col : 0;
    return at;
}

static void waits_tell(Waits *k, const Stmt *s, uint32_t fn, Ex cond, const Stmt *at)
{
    Low *l = k->l;
    Ctx *c = &l->p->ctx;
    if (!waits_told(k, s->loc))
        diag(c, E_sync_differs, flat_call_loc(s), afmt(c, "T.%s", intrinfo[fn].text), low_text(l, cond),
             afmt(c, "%d", (int)at->loc.line), fn == Isync_threads ? "1" : "0",
             l->m->named_barriers ? "1" : "0", afmt(c, "%d", l->m->warp), NULL);
}

/* What of s itself all threads have to come to; 0: nothing. */
static uint32_t waits_for(Waits *k, const Stmt *s)
{
    const Prog *p = k->l->p;
    WaitsVote all = {.k = k};
    int64_t id;
    if (s->kind == Scall && s->call.fn == Isync_grid)
        return Isync_grid;
    if (s->kind == Scall && s->call.fn == Isync_threads && x_isint(p, s->call.arg[0], &id) && id < 0)
        return Isync_threads;
    stmt_ex_walk(p, s, waits_first, &all);
    return all.fn;
}

static void waits_at(Waits *k, const Stmt *s)
{
    uint32_t fn = waits_for(k, s);
    const Stmt *at = s;
    WaitsVote some = {.k = k};
    if (!fn)
        return;
    vary_at(k->v, s);
    bool comes = !vary_comes(k->v);
    if (comes) {
        stmt_ex_walk(k->l->p, s, waits_arm, &some);
        if (some.some)
            waits_tell(k, s, some.some, some.why, s);
        return;
    }
    Ex why = s->kind == Swhile ? vary_cause(k->v, s, &at) : 0;
    if (!why && k->div)
        why = vary_cause(k->v, k->div, &at);
    if (why)
        waits_tell(k, s, fn, why, at);
}

static void waits_block(Waits *k, Stmt *list)
{
    const Stmt *outer = k->div;
    Stmt *b[2];
    for (Stmt *s = list; s; s = s->next) {
        bool loop = s->kind == Sfor || s->kind == Swhile;
        waits_at(k, s);
        if (s->kind == Sfor && s->loop.kind == Fparallel)
            continue; /* its iterations are the threads' own */
        vary_at(k->v, s);
        if ((loop && vary_loop(k->v, s)) || (s->kind == Sif && vary_ex(k->v, s->cond.cond)))
            k->div = s;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            waits_block(k, b[i]);
        k->div = outer;
    }
}

void flat_waits(Low *l, Vary *v)
{
    Waits k = {.l = l, .v = v};
    waits_block(&k, l->launch->launch.body);
}
