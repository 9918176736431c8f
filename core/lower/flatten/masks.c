/* core/lower/flatten/masks.c: barriers, votes and shuffles of warps whose mask is not that of the
 * lanes that come.
 *
 *     if P[tx] > 3 then T.sync_warp() end           told: it names all lanes of the warp
 *     if tx < 64 then T.sync_warp() end             all lanes of some warps come, none of others
 *     if tx < 9 and T.any_sync(c) ~= 0 then .. end  told: others do not ask
 *     T.sync_warp(0xFF)                             told: the lanes from 8 on come, too
 *     if tx < 8 then T.sync_warp(0xFF) end          those come that it names
 *     if tx < 8 then T.sync_warp(0x1FF) end         told: lane 8 does not
 *     if P[tx] > 3 then T.sync_warp(m) end          nothing is told of who comes only perhaps, nor of
 *                                                   masks that are not known: the simulator does
 *
 * Who comes is told of each thread: never, perhaps, or surely, if one of its warp does.
 *
 * Groups of 32 lanes, of which all come or none, are right on machines of 64 lanes, too
 * (targets/sim/run_meet.c).  As of barriers of the block (waits.c), it is a warning. */
#include <inttypes.h>
#include <string.h>

#include "core/ir/eval.h"
#include "core/ir/expr.h"
#include "core/ir/walk.h"
#include "flatten.h"
#include "err/kernel.h"

enum { MaskLanes = 32 };
enum { COnever, COperhaps, COsurely };

typedef struct Masks Masks;
struct Masks {
    Low *l;
    Vary *v;
    const Stmt *s;         /* looked at */
    const Stmt *div;       /* the innermost one around that lanes of a warp take differently */
    Ex why;                /* the condition in an expression of s that they differ in, or 0 */
    Loc *told; uint32_t n, cap;
    Eval ev;
    bool given;            /* some mask does not name all lanes: */
    uint8_t *come;         /* ... of each thread CO*: where s is */
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
        diag(c, E_warp_mask, flat_call_loc(k->s), afmt(c, "T.%s", intrinfo[fn].text), low_text(k->l, why),
             afmt(c, "%d", (int)at->loc.line), "1", NULL);
}

/* Who comes -------------------------------------------------------------------------- */

/* The condition or number e of each thread, as far as it is known there. */
static Lanes masks_value(Masks *k, Ex e)
{
    Ex is = vary_value(k->v, e);
    eval_reset(&k->ev);
    return is ? eval(&k->ev, is) : (Lanes){true, 0, NULL};
}

static uint8_t *masks_copy(const Masks *k)
{
    size_t n = (size_t)k->l->total;
    return memcpy(anew(&k->l->p->ctx, n), k->come, n);
}

/* Those who come and for whom cond is so, or (els) is not. */
static uint8_t *masks_side(Masks *k, Ex cond, bool els)
{
    if (!k->given)
        return k->come;
    uint8_t *come = masks_copy(k);
    bool differ = vary_groups_differ(k->v, cond, k->l->m->warp);
    Lanes c = masks_value(k, cond);
    for (int i = 0; i < k->l->total; i++) {
        int64_t is = c.unknown ? EVmaybe : c.v ? c.v[i] : c.one;
        if (is != EVmaybe && (is != 0) == els)
            come[i] = COnever;
        else if (is == EVmaybe && differ && come[i] == COsurely)
            come[i] = COperhaps;
    }
    return come;
}

/* Those who come, each of them perhaps. */
static uint8_t *masks_perhaps(const Masks *k)
{
    if (!k->given)
        return k->come;
    uint8_t *come = masks_copy(k);
    for (int i = 0; i < k->l->total; i++)
        come[i] = come[i] == COnever ? COnever : COperhaps;
    return come;
}

static uint8_t *masks_role(const Masks *k, const Stmt *s)
{
    if (!k->given)
        return k->come;
    uint8_t *come = masks_copy(k);
    for (int i = 0; i < k->l->total; i++)
        if (i < s->role.lo || i >= s->role.hi)
            come[i] = COnever;
    return come;
}

/* Those who come to block i of s. */
static uint8_t *masks_block_come(Masks *k, const Stmt *s, int i)
{
    vary_at(k->v, s);
    if (s->kind == Sif)
        return masks_side(k, s->cond.cond, i == 1);
    if ((s->kind == Sfor || s->kind == Swhile) && vary_loop(k->v, s))
        return masks_perhaps(k);
    return s->kind == Srole ? masks_role(k, s) : k->come;
}

/* Masks that are given ------------------------------------------------------------------ */

/* A call of warps with a mask: from where each thread takes a value, too, if it shuffles. */
typedef struct MaskCall MaskCall;
struct MaskCall { uint32_t fn; Lanes mask, lane; int width; };

static int64_t masks_of(Lanes v, int i) { return v.v ? v.v[i] : v.one; }

/* The lanes of i's warp that its mask names. */
static uint64_t masks_names(const Masks *k, const MaskCall *x, int i)
{
    int warp = k->l->m->warp, n = k->l->total - i / warp * warp;
    return (uint64_t)masks_of(x->mask, i) & (n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX);
}

/* What thread i says of lane j of its warp is wrong: e, what {5} chooses. */
static void masks_say(Masks *k, const MaskCall *x, Err e, int i, int j, bool first)
{
    Ctx *c = &k->l->p->ctx;
    uint64_t mask = masks_names(k, x, i);
    const char *call = afmt(c, "T.%s", intrinfo[x->fn].text), *hex = afmt(c, "0x%" PRIx64, mask);
    const char *thread = afmt(c, "%d", i);
    if (masks_told(k))
        return;
    if (e == E_warp_mask)
        diag(c, e, flat_call_loc(k->s), call, "", thread, "0", hex, NULL);
    else
        diag(c, e, flat_call_loc(k->s), call, thread, afmt(c, "%d", j), hex, first ? "1" : "0", NULL);
}

/* A lane that thread i, which surely comes, names but should not, or -1; *other: it gives another
 * mask. */
static int masks_stray(const Masks *k, const MaskCall *x, int i, bool *other)
{
    int first = i / k->l->m->warp * k->l->m->warp;
    uint64_t names = masks_names(k, x, i);
    for (int j = 0; j < k->l->m->warp; j++) {
        if (!(names >> j & 1))
            continue;
        *other = k->come[first + j] == COsurely && masks_names(k, x, first + j) != names;
        if (*other || k->come[first + j] == COnever)
            return j;
    }
    return -1;
}

/* The lane that thread i takes a value from; -1: it is not known, or there is none. */
static int masks_source(const Masks *k, const MaskCall *x, int i)
{
    int warp = k->l->m->warp, first = i / warp * warp;
    if (!x->width || x->lane.unknown)
        return -1;
    int j = intr_shuffle_source(x->fn, i - first, masks_of(x->lane, i), x->width, warp);
    return first + j < k->l->total ? j : -1;
}

/* Is something wrong with what thread i, which surely comes, does? */
static bool masks_wrong(Masks *k, const MaskCall *x, int i)
{
    int first = i / k->l->m->warp * k->l->m->warp, from = masks_source(k, x, i);
    bool other = false;
    uint64_t names = masks_names(k, x, i);
    int stray = masks_stray(k, x, i, &other);
    if (!(names >> (i - first) & 1))
        masks_say(k, x, E_warp_mask, i, i - first, false);
    else if (stray >= 0)
        masks_say(k, x, E_warp_mask_other, i, stray, !other);
    else if (from >= 0 && k->come[first + from] == COnever)
        masks_say(k, x, E_warp_mask_lane, i, from, true);
    else if (from >= 0 && !(names >> from & 1))
        masks_say(k, x, E_warp_mask_lane, i, from, false);
    else
        return false;
    return true;
}

/* Calls -------------------------------------------------------------------------------- */

/* fn with a mask that names some lanes; args: of a shuffle, or NULL. */
static void masks_given(Masks *k, uint32_t fn, Ex mask, const Ex *args)
{
    int64_t width;
    MaskCall x = {.fn = fn, .mask = masks_value(k, mask), .lane = {true, 0, NULL}};
    if (args && x_isint(k->l->p, args[2], &width) && width > 0 && width <= k->l->m->warp) {
        Ex lane = vary_value(k->v, args[1]);
        x.width = (int)width;
        x.lane = lane ? eval(&k->ev, lane) : x.lane;
    }
    for (int i = 0; !x.mask.unknown && i < k->l->total; i++)
        if (k->come[i] == COsurely && masks_wrong(k, &x, i))
            break;
}

/* fn names all lanes. */
static void masks_all(Masks *k, uint32_t fn)
{
    const Stmt *at = k->s;
    bool own = k->s->kind == Swhile || k->s->kind == Sfor;
    if (k->why) {
        masks_part(k, fn, k->why, k->s);
    } else if (!vary_groups_come(k->v, MaskLanes)) {
        Ex why = own ? vary_cause(k->v, k->s, &at) : 0;
        if (!why && k->div)
            why = vary_cause(k->v, k->div, &at);
        vary_at(k->v, k->s);
        masks_part(k, fn, why, at);
    }
}

/* fn with this mask, where k->s is. */
static void masks_call(Masks *k, uint32_t fn, Ex mask, const Ex *args)
{
    if (x_all_lanes(k->l->p, mask))
        masks_all(k, fn);
    else
        masks_given(k, fn, mask, args);
}

/* A shuffle x in groups that no machine has, or not this one: what cards do then is open. */
static void masks_width(const Masks *k, const Expr *x)
{
    Ctx *c = &k->l->p->ctx;
    int64_t n;
    if (x->n < 4 || !x_isint(k->l->p, x->arg[2], &n) || (n > 0 && n <= k->l->m->warp && !(n & (n - 1))))
        return;
    diag_fail(c, E_shuffle_width, flat_call_loc(k->s), afmt(c, "T.%s", intrinfo[x->sym].text),
              afmt(c, "%" PRId64, n), afmt(c, "%d", k->l->m->warp), k->l->m->name, NULL);
}

static ExGo masks_node(void *ud, Ex e);

/* Argument i of x, which is an `and`, `or` or select, for those who take it. */
static void masks_taken(Masks *k, const Expr *x, int i)
{
    uint8_t *come = k->come;
    k->come = masks_side(k, x->arg[0], x->op == Xor || i == 2);
    ex_walk(k->l->p, x->arg[i], masks_node, k);
    k->come = come;
}

static ExGo masks_node(void *ud, Ex e)
{
    Masks *k = ud;
    Prog *p = k->l->p;
    Expr x = *ex_at(p, e);
    bool shuffle = x.op == Xcall && x.sym >= Ishfl && x.sym <= Ishfl_down;
    if (x.op == Xcall && intr_mask(x.sym) >= 0)
        masks_call(k, x.sym, x.arg[intr_mask(x.sym)], shuffle ? x.arg : NULL);
    if (shuffle)
        masks_width(k, &x);
    if (x.op != Xand && x.op != Xor && x.op != Xselect)
        return EXinto;
    Ex why = k->why;
    ex_walk(p, x.arg[0], masks_node, k);
    if (!why && vary_groups_differ(k->v, x.arg[0], MaskLanes))
        k->why = x.arg[0];
    for (int i = 1; i < x.n; i++)
        masks_taken(k, &x, i);
    k->why = why;
    return EXskip;
}

static void masks_at(Masks *k, const Stmt *s)
{
    uint8_t *come = k->come;
    k->s = s;
    vary_at(k->v, s);
    if (s->kind == Swhile && k->given && vary_loop(k->v, s))
        k->come = masks_perhaps(k);
    vary_at(k->v, s);
    if (s->kind == Scall && s->call.fn == Isync_warp)
        masks_call(k, Isync_warp, s->call.arg[0], NULL);
    stmt_ex_walk(k->l->p, s, masks_node, k);
    k->come = come;
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
        uint8_t *come = k->come;
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++) {
            k->come = masks_block_come(k, s, i);
            masks_block(k, b[i]);
            k->come = come;
        }
        k->div = outer;
    }
}

static bool masks_all_named(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return x->op != Xcall || intr_mask(x->sym) < 0 || x_all_lanes(p, x->arg[intr_mask(x->sym)]);
}

static bool masks_some(void *ud, Ex e) { return !masks_all_named(ud, e); }
static bool masks_none(void *ud, Ex e) { return !ex_any(ud, e, masks_some, ud); }

/* No mask is given in s. */
static bool masks_full(Stmt *s, void *ud)
{
    Prog *p = ud;
    if (s->kind == Scall && s->call.fn == Isync_warp && !x_all_lanes(p, s->call.arg[0]))
        return false;
    return stmt_exprs(p, s, masks_none, p);
}

void flat_masks(Low *l, Vary *v)
{
    Masks k = {.l = l, .v = v};
    size_t n = (size_t)l->total;
    k.given = !stmt_walk(l->launch->launch.body, masks_full, l->p);
    eval_init(&k.ev, l->p, l->tid, l->total);
    k.come = memset(anew(&l->p->ctx, n), COsurely, n);
    masks_block(&k, l->launch->launch.body);
}
