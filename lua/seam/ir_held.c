/* lua/seam/ir_held.c: statements that an expression has made, moved to where it counts.
 *
 * Some expressions leave statements: T.any_of a loop, an atomic its old value.
 * Those of a loop's condition belong to each of its turns, those to the right
 * of `and` under the left side.  Whoever makes such an expression marks the
 * place first, holds what has come since, opens the frame where it belongs and
 * releases it there. */
#include <lauxlib.h>
#include <lua.h>

#include "core/ir/walk.h"
#include "ir.h"

/* A place in a block; list: what has been cut off behind it. */
typedef struct HeldStmts HeldStmts;
struct HeldStmts { Stmt **at, *list; uint32_t depth; };

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
    lp->held[lp->nheld++] = (HeldStmts){s_here(lp->p), NULL, lp->p->ntail};
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

/* hold(P, mark): takes what has come since out of the block */
static int f_hold(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    HeldStmts *h = lheld_held(L, lp);
    luaL_argcheck(L, h->depth == lp->p->ntail && !h->list, 2, "another block");
    h->list = s_cut(lp->p, h->at);
    return 0;
}

/* release(P, mark): puts it into the block that is open now */
static int f_release(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    s_paste(lp->p, lheld_held(L, lp)->list);
    lp->nheld--;
    return 0;
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

const luaL_Reg held_functions[] = {
    {"outcome", f_outcome},
    {"mark", f_mark}, {"drop", f_drop},       {"since", f_since},
    {"hold", f_hold}, {"release", f_release}, {NULL, NULL},
};
