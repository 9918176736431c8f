/* core/lower/flatten/masks.c: barriers, votes and shuffles of warps whose mask is not that of the
 * lanes that come.
 *
 *     if P[tx] > 3 then T.sync_warp() end           told: it names all lanes of the warp
 *     if tx < 64 then T.sync_warp() end             all lanes of some warps come, none of others
 *     if tx < 9 and T.any_sync(c) ~= 0 then .. end  told: others do not ask
 *     T.sync_warp(0xFF)                             told: the lanes from 8 on come, too
 *     if tx < 8 then T.sync_warp(0xFF) end          nothing is told of masks under conditions, nor
 *     v = T.any_sync(c, {mask = m})                 ... of computed ones: the simulator does
 *
 * Groups of 32 lanes, of which all come or none, are right on machines of 64 lanes, too
 * (targets/sim/run_meet.c).  As of barriers of the block (waits.c), it is a warning. */
#include <inttypes.h>
#include <string.h>

#include "core/ir/walk.h"
#include "flatten.h"
#include "err/kernel.h"

enum { MaskLanes = 32 };

typedef struct Masks Masks;
struct Masks {
    Low *l;
    Vary *v;
    const Stmt *s;         /* looked at */
    const Stmt *div;       /* the innermost one around that lanes of a warp take differently */
    Ex why;                /* the condition in an expression of s that they differ in, or 0 */
    Loc *told; uint32_t n, cap;
};

static bool masks_told(Masks *k)
{
    for (uint32_t i = 0; i < k->n; i++)
        if (memcmp(&k->told[i], &k->s->loc, sizeof *k->told) == 0)
            return true;
    agrow(&k->l->p->ctx, &k->told, &k->cap, k->n + 1, sizeof *k->told);
    k->told[k->n++] = k->s->loc;
    return false;
}

/* fn names all lanes, and some may not come: why, on the line of `at`. */
static void masks_part(Masks *k, uint32_t fn, Ex why, const Stmt *at)
{
    Ctx *c = &k->l->p->ctx;
    if (why && !masks_told(k))
        diag(c, E_warp_mask, k->s->loc, afmt(c, "T.%s", intrinfo[fn].text), low_text(k->l, why),
             afmt(c, "%d", (int)at->loc.line), "1", NULL);
}

/* All lanes come, of which `mask` names some. */
static void masks_short(Masks *k, uint32_t fn, uint64_t mask)
{
    Ctx *c = &k->l->p->ctx;
    if (!masks_told(k))
        diag(c, E_warp_mask, k->s->loc, afmt(c, "T.%s", intrinfo[fn].text), "", "", "0",
             afmt(c, "0x%" PRIx64, mask), NULL);
}

/* The lanes that each warp has; 0: not all have as many. */
static int masks_lanes(const Low *l)
{
    if (l->total < l->m->warp)
        return l->total;
    return l->total % l->m->warp ? 0 : l->m->warp;
}

/* fn with this mask, where k->s is. */
static void masks_call(Masks *k, uint32_t fn, Ex mask)
{
    const Stmt *at = k->s;
    int64_t v = -1;
    int n = masks_lanes(k->l);
    uint64_t lanes = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
    if (mask && !x_isint(k->l->p, mask, &v))
        return;
    bool full = x_all_lanes(k->l->p, mask);
    if (full && k->why) {
        masks_part(k, fn, k->why, k->s);
    } else if (full && !vary_groups_come(k->v, MaskLanes)) {
        bool own = k->s->kind == Swhile || k->s->kind == Sfor;
        Ex why = own ? vary_cause(k->v, k->s, &at) : 0;
        if (!why && k->div)
            why = vary_cause(k->v, k->div, &at);
        vary_at(k->v, k->s);
        masks_part(k, fn, why, at);
    } else if (!full && !k->why && lanes & ~(uint64_t)v && vary_groups_come(k->v, k->l->m->warp)) {
        masks_short(k, fn, (uint64_t)v & lanes);
    }
}

/* A shuffle x in groups that no machine has, or not this one: what cards do then is open. */
static void masks_width(const Masks *k, const Expr *x)
{
    Ctx *c = &k->l->p->ctx;
    int64_t n;
    if (x->n < 4 || !x_isint(k->l->p, x->arg[2], &n) || (n > 0 && n <= k->l->m->warp && !(n & (n - 1))))
        return;
    diag_fail(c, E_shuffle_width, k->s->loc, afmt(c, "T.%s", intrinfo[x->sym].text),
              afmt(c, "%" PRId64, n), afmt(c, "%d", k->l->m->warp), k->l->m->name, NULL);
}

static ExGo masks_node(void *ud, Ex e)
{
    Masks *k = ud;
    Prog *p = k->l->p;
    Expr x = *ex_at(p, e);
    if (x.op == Xcall && intr_mask(x.sym) >= 0)
        masks_call(k, x.sym, x.arg[intr_mask(x.sym)]);
    if (x.op == Xcall && x.sym >= Ishfl && x.sym <= Ishfl_down)
        masks_width(k, &x);
    if ((x.op != Xand && x.op != Xor && x.op != Xselect) || k->why ||
        !vary_groups_differ(k->v, x.arg[0], MaskLanes))
        return EXinto;
    ex_walk(p, x.arg[0], masks_node, k);
    k->why = x.arg[0];
    for (int i = 1; i < x.n; i++)
        ex_walk(p, x.arg[i], masks_node, k);
    k->why = 0;
    return EXskip;
}

static void masks_at(Masks *k, const Stmt *s)
{
    k->s = s;
    vary_at(k->v, s);
    if (s->kind == Scall && s->call.fn == Isync_warp)
        masks_call(k, Isync_warp, s->call.arg[0]);
    stmt_ex_walk(k->l->p, s, masks_node, k);
}

/* Do lanes of a warp go through s differently? */
static bool masks_divides(Masks *k, const Stmt *s)
{
    vary_at(k->v, s);
    if (s->kind == Sif)
        return vary_groups_differ(k->v, s->cond.cond, MaskLanes);
    return (s->kind == Sfor || s->kind == Swhile) && vary_loop(k->v, s);
}

static void masks_block(Masks *k, Stmt *list)
{
    const Stmt *outer = k->div;
    Stmt *b[2];
    for (Stmt *s = list; s; s = s->next) {
        masks_at(k, s);
        if (s->kind == Sfor && s->loop.kind == Fparallel)
            continue; /* its iterations are the threads' own */
        k->div = masks_divides(k, s) ? s : outer;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            masks_block(k, b[i]);
        k->div = outer;
    }
}

void flat_masks(Low *l, Vary *v)
{
    Masks k = {.l = l, .v = v};
    masks_block(&k, l->launch->launch.body);
}
