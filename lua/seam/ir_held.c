/* lua/seam/ir_held.c: statements that an expression has made, moved to where it counts.
 *
 * Some expressions leave statements: T.any_of a loop, an atomic its old value.
 * Those of a loop's condition belong to each of its turns, those to the right
 * of `and` under the left side.  Whoever makes such an expression marks the
 * place first, holds what has come since, opens the frame where it belongs and
 * releases it there. */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/ir/share.h"
#include "core/ir/walk.h"
#include "ir.h"

/* A place in a block; list: what has been cut off behind it. */
typedef struct HeldStmts HeldStmts;
struct HeldStmts { Stmt **at, *list; uint32_t depth, n; }; /* n: LProg.nstmt then */

/* An atomic on buf whose old value an expression uses: statements first .. last, and their place. */
typedef struct HeldUpdate HeldUpdate;
struct HeldUpdate { Stmt **at; uint32_t buf, first, last; };

static HeldStmts *lheld_held(lua_State *L, LProg *lp)
{
    lua_Integer i = luaL_checkinteger(L, 2);
    luaL_argcheck(L, i >= 0 && i < lp->nheld, 2, "no mark");
    lp->nheld = (uint32_t)i + 1; /* those of expressions that failed lie above */
    return &lp->held[i];
}

static void do_mark(Ctx *c, void *ud)
{
    LProg *lp = ud;
    agrow(c, &lp->held, &lp->capheld, lp->nheld + 1, sizeof *lp->held);
    lp->held[lp->nheld++] = (HeldStmts){s_here(lp->p), NULL, lp->p->ntail, lp->nstmt};
}

/* mark(P) -> a mark; each is given back by drop or release, the last first */
static int f_mark(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    ir_run_expr(L, lp, do_mark, lp);
    lua_pushinteger(L, lp->nheld - 1);
    return 1;
}

static int f_drop(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    lheld_held(L, lp);
    lp->nheld--;
    return 0;
}

/* What lists of statements that only compute a value are made of. */
static bool computes(Stmt *s, void *ud)
{
    const Prog *p = ud;
    return s->kind == Salloc || s->kind == Slet || s->kind == Sfor || s->kind == Sif ||
           (s->kind == Sstore && p->buf[s->store.buf].scope == SCvar);
}

static bool of_fragment(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = &p->ex[e];
    return x->op == Xload && p->buf[x->sym].scope == SCfragment;
}

static bool without_fragment(Stmt *s, void *ud) { return !stmt_any(ud, s, of_fragment, ud); }

/* since(P, mark) -> "none", "tile" or "some": what has come since the mark.  tile: only what reads
 * a fragment to compute a value, which all threads do together */
static int f_since(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    Prog *p = lp->p;
    const HeldStmts *h = lheld_held(L, lp);
    bool any = h->depth == p->ntail && *h->at;
    bool tile = any && stmt_walk(*h->at, computes, p) && !stmt_walk(*h->at, without_fragment, p);
    lua_pushstring(L, tile ? "tile" : any ? "some" : "none");
    return 1;
}

/* Puts list where *at is; whatever stands there comes behind it. */
static void insert_at(LProg *lp, Stmt **at, Stmt *list)
{
    Stmt **end = &list;
    while (*end)
        end = &(*end)->next;
    if (!list)
        return;
    *end = *at;
    for (uint32_t i = 0; i < lp->p->ntail; i++)
        lp->p->tail[i] = lp->p->tail[i] == at ? end : lp->p->tail[i];
    for (uint32_t i = 0; i < lp->nheld; i++)
        lp->held[i].at = lp->held[i].at == at ? end : lp->held[i].at;
    for (uint32_t i = 0; i < lp->nupdate; i++)
        lp->update[i].at = lp->update[i].at == at ? end : lp->update[i].at;
    *at = list;
}

/* hold(P, mark) -> where it was, for changed: takes what has come since out of the block */
static int f_hold(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    HeldStmts *h = lheld_held(L, lp);
    luaL_argcheck(L, h->depth == lp->p->ntail && !h->list, 2, "another block");
    h->list = s_cut(lp->p, h->at);
    while (lp->nupdate && lp->update[lp->nupdate - 1].last > h->n)
        lp->nupdate--;
    lua_pushlightuserdata(L, h->at);
    lua_pushinteger(L, h->n);
    return 2;
}

/* release(P, mark): puts it into the block that is open now */
static int f_release(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    s_paste(lp->p, lheld_held(L, lp)->list);
    lp->nheld--;
    return 0;
}

static void add_update(LProg *lp, HeldUpdate u)
{
    const HeldUpdate *last = lp->nupdate ? &lp->update[lp->nupdate - 1] : NULL;
    if (last && last->first != u.first && last->last + 1 != u.first)
        lp->nupdate = 0;
    agrow(&lp->p->ctx, &lp->update, &lp->capupdate, lp->nupdate + 1, sizeof *lp->update);
    lp->update[lp->nupdate++] = u;
}

void held_update(LProg *lp, Stmt **at, uint32_t buf)
{
    add_update(lp, (HeldUpdate){at, buf, lp->nstmt, lp->nstmt});
}

typedef struct HeldChange HeldChange;
struct HeldChange { LProg *lp; Stmt **at; uint32_t n; };

static bool note_atomic(Stmt *s, void *ud)
{
    const HeldChange *k = ud;
    if (s->kind == Satomic)
        add_update(k->lp, (HeldUpdate){k->at, s->atomic.buf, k->n + 1, k->lp->nstmt});
    return true;
}

static void do_changed(Ctx *c, void *ud)
{
    (void)c;
    HeldChange *k = ud;
    stmt_walk(*k->at, note_atomic, k);
}

/* changed(P, place, n): what stands from place on is part of an expression; n: LProg.nstmt before it */
static int f_changed(lua_State *L)
{
    HeldChange k = {check_prog(L, 1), lua_touserdata(L, 2), (uint32_t)luaL_checkinteger(L, 3)};
    luaL_argcheck(L, k.at, 2, "no place");
    ir_run_expr(L, k.lp, do_changed, &k);
    return 0;
}

typedef struct ReadsBuf { const Prog *p; uint32_t buf; } ReadsBuf;

static bool reads_buf(void *ud, Ex e)
{
    const ReadsBuf *k = ud;
    const Expr *x = ex_at(k->p, e);
    return x->op == Xload && buf_root(k->p, x->sym) == k->buf;
}

/* Only while nothing but such atomics has come since v was made: they are of v's own statement then.  What
 * the program keeps longer, in a list, means what it reads where it is used. */
Ex held_value(LProg *lp, const LuaVal *v, Ex e)
{
    Prog *p = lp->p;
    uint32_t n = lp->nupdate;
    if (n == 0 || lp->update[n - 1].last + 1 < lp->nstmt || v->born + 1 < lp->update[0].first)
        return e;
    for (uint32_t i = 0; i < n; i++) {
        ReadsBuf k = {p, buf_root(p, lp->update[i].buf)};
        if (lp->update[i].first <= v->born || !ex_any(p, e, reads_buf, &k))
            continue;
        Stmt **end = s_here(p);
        uint32_t var = s_let(p, "was", e);
        insert_at(lp, lp->update[i].at, s_cut(p, end));
        return x_var(p, var);
    }
    return e;
}

static bool of_statement(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = &p->ex[e];
    return x->op == Xvar && p->var[x->sym].kind == Vlet && !p->var[x->sym].value;
}

/* outcome(v) -> is it made of what a statement gives: of an atomic's old value? */
static int f_outcome(lua_State *L)
{
    LuaVal v;
    check_val(L, 1, &v);
    lua_pushboolean(L, v.kind == VALexpr && ex_any(v.owner->p, v.e, of_statement, v.owner->p));
    return 1;
}

/* place(P) -> where the next statement will stand, for insert */
static int f_place(lua_State *L)
{
    lua_pushlightuserdata(L, s_here(check_prog(L, 1)->p));
    return 1;
}

/* insert(P, mark, place): puts what hold took out there; whatever stands there comes behind it */
static int f_insert(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    Stmt **at = lua_touserdata(L, 3), *list = lheld_held(L, lp)->list;
    luaL_argcheck(L, at, 3, "no place");
    lp->nheld--;
    insert_at(lp, at, list);
    return 0;
}

/* Random numbers in T.Parallel (T/rng.lua, core/ir/share.h) ------------------- */

typedef struct Held Held;
struct Held { LProg *lp; Ex e, thread; Stmt *made; const Stmt *loop; Drawn *drawn; int n, width; uint32_t buf; int64_t threads; };

static void do_lane(Ctx *c, void *ud)
{
    (void)c;
    Held *k = ud;
    k->e = x_var(k->lp->p, p_var(k->lp->p, Vloop, DTi32, "lane", 0, 127));
}

/* lane(P) -> the number of an iteration among those that a thread does at once */
static int f_lane(lua_State *L)
{
    Held k = {.lp = check_prog(L, 1)};
    ir_run_expr(L, k.lp, do_lane, &k);
    push_expr(L, k.lp, k.e);
    return 1;
}

static LExpr *check_name(lua_State *L, int i, const LProg *lp)
{
    LExpr *e = luaL_checkudata(L, i, EXPR_TYPE);
    luaL_argcheck(L, e->owner == lp && ex_at(lp->p, e->e)->op == Xvar, i, "a variable of the program");
    return e;
}

static void do_hole(Ctx *c, void *ud)
{
    (void)c;
    Held *k = ud;
    Prog *p = k->lp->p;
    k->made = s_if(p, x_bin(p, Xeq, k->e, x_int(p, DTi32, 0)));
    s_close(p);
}

/* hole(P, lane) -> what the first of these iterations does here, not known yet */
static int f_hole(lua_State *L)
{
    Held k = {.lp = check_prog(L, 1)};
    k.e = check_name(L, 2, k.lp)->e;
    ir_run(L, k.lp, do_hole, &k);
    lua_pushlightuserdata(L, k.made);
    return 1;
}

/* fill(P, mark, hole): it is what hold took out */
static int f_fill(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    Stmt *hole = lua_touserdata(L, 3);
    luaL_argcheck(L, hole, 3, "no hole");
    hole->cond.then = lheld_held(L, lp)->list;
    lp->nheld--;
    return 0;
}

static void do_width(Ctx *c, void *ud)
{
    (void)c;
    Held *k = ud;
    k->width = share_width(k->lp->p, k->loop, k->threads, k->drawn, k->n);
}

/* The loop that hold took out. */
static const Stmt *held_loop(lua_State *L, LProg *lp)
{
    const Stmt *s = lheld_held(L, lp)->list;
    luaL_argcheck(L, s && s->kind == Sfor && !s->next, 2, "one loop");
    return s;
}

/* width(P, mark, threads, {{var, hole, bound, most}, ..}) -> share_width(), a list of Drawn.vector */
static int f_width(lua_State *L)
{
    Held k = {.lp = check_prog(L, 1), .threads = luaL_checkinteger(L, 3)};
    k.loop = held_loop(L, k.lp);
    k.n = (int)luaL_len(L, 4);
    k.drawn = lua_newuserdatauv(L, (size_t)(k.n + 1) * sizeof *k.drawn, 0);
    for (int i = 0; i < k.n; i++) {
        lua_rawgeti(L, 4, i + 1);
        int at = lua_gettop(L);
        for (int j = 1; j <= 4; j++)
            lua_rawgeti(L, at, j);
        uint32_t var = ex_at(k.lp->p, check_name(L, at + 1, k.lp)->e)->sym;
        k.drawn[i] = (Drawn){.var = var, .at = lua_touserdata(L, at + 2), .bound = lua_toboolean(L, at + 3),
                             .most = (int32_t)luaL_checkinteger(L, at + 4)};
        lua_settop(L, at - 1);
    }
    ir_run(L, k.lp, do_width, &k);
    lua_pushinteger(L, k.width);
    lua_createtable(L, k.n, 0);
    for (int i = 0; i < k.n; i++) {
        lua_pushboolean(L, k.drawn[i].vector);
        lua_rawseti(L, -2, i + 1);
    }
    return 2;
}

static void do_settle(Ctx *c, void *ud)
{
    (void)c;
    Held *k = ud;
    Prog *p = k->lp->p;
    Ex zero = x_int(p, DTi32, 0);
    p->buf[k->buf].shape[0] = x_int(p, DTi32, k->width);
    if (k->width == 1)
        p->var[ex_at(p, k->e)->sym].value = x_load(p, k->buf, &zero, 1);
}

/* settle(P, var, array, n): what is drawn has n values; of one, var is the one for all lanes */
static int f_settle(lua_State *L)
{
    Held k = {.lp = check_prog(L, 1)};
    k.e = check_name(L, 2, k.lp)->e;
    k.buf = check_buf(L, 3)->buf;
    k.width = (int)luaL_checkinteger(L, 4);
    ir_run_expr(L, k.lp, do_settle, &k);
    return 0;
}

static void do_share(Ctx *c, void *ud)
{
    (void)c;
    Held *k = ud;
    share_loop(k->lp->p, k->loop, k->thread, k->threads, k->width, ex_at(k->lp->p, k->e)->sym);
}

/* share(P, mark, thread, threads, width, lane): share_loop() of what hold took out */
static int f_share(lua_State *L)
{
    Held k = {.lp = check_prog(L, 1), .threads = luaL_checkinteger(L, 4)};
    LuaVal v;
    k.loop = held_loop(L, k.lp);
    check_val(L, 3, &v);
    luaL_argcheck(L, v.kind == VALexpr && v.owner == k.lp, 3, "an expression of the program");
    k.thread = v.e;
    k.width = (int)luaL_checkinteger(L, 5);
    k.e = check_name(L, 6, k.lp)->e;
    ir_run(L, k.lp, do_share, &k);
    k.lp->nheld--;
    return 0;
}

/* become(buffer, other): nothing has used it yet; its shape and type are other's, the newest buffer,
 * which is gone then */
static int f_become(lua_State *L)
{
    const LBuf *b = check_buf(L, 1), *other = check_buf(L, 2);
    Prog *p = b->owner->p;
    luaL_argcheck(L, b->owner == other->owner && other->buf + 1 == p->nbuf && other->buf != b->buf, 2,
                  "the newest buffer of the program");
    Buf *to = &p->buf[b->buf];
    const Buf *from = &p->buf[other->buf];
    to->dt = from->dt;
    to->ndim = from->ndim;
    memcpy(to->shape, from->shape, sizeof to->shape);
    memcpy(to->stride, from->stride, sizeof to->stride);
    p->nbuf--;
    return 0;
}

/* rest(A[i]) -> that as the tensor of the other dimensions */
static int f_rest(lua_State *L)
{
    LRef *r = luaL_checkudata(L, 1, REF_TYPE);
    r->rest = true;
    lua_settop(L, 1);
    return 1;
}

/* uses(v, name) -> does v contain that variable? */
static int f_uses(lua_State *L)
{
    LuaVal v;
    check_val(L, 1, &v);
    const LExpr *name = luaL_checkudata(L, 2, EXPR_TYPE);
    const Prog *p = name->owner->p;
    lua_pushboolean(L, v.kind == VALexpr && v.owner == name->owner && x_uses(p, v.e, ex_at(p, name->e)->sym));
    return 1;
}

const luaL_Reg held_functions[] = {
    {"place", f_place}, {"insert", f_insert}, {"changed", f_changed},
    {"lane", f_lane}, {"hole", f_hole}, {"fill", f_fill}, {"width", f_width}, {"share", f_share}, {"settle", f_settle}, {"become", f_become}, {"rest", f_rest},
    {"uses", f_uses},
    {"outcome", f_outcome},
    {"mark", f_mark}, {"drop", f_drop},       {"since", f_since},
    {"hold", f_hold}, {"release", f_release}, {NULL, NULL},
};
