/* lua/seam/ir_op.c: tile operations, atomics, printing, statements of threads. */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/ir/reduce.h"
#include "core/ir/remap.h"
#include "ir.h"

/* Printing ------------------------------------------------------------- */

typedef struct PrintCall {
    LProg *lp;
    LuaVal v; /* VALnone: the text alone */
    const char *text;
} PrintCall;

static void do_print(Ctx *c, void *ud)
{
    (void)c;
    PrintCall *k = ud;
    s_print(k->lp->p, k->v.kind ? val_ex(k->lp, &k->v, DTnone) : 0, k->text);
}

/* print(P, value or nil, text or nil) */
static int f_print(lua_State *L)
{
    PrintCall k = {.lp = check_prog(L, 1), .text = luaL_optstring(L, 3, NULL)};
    if (!lua_isnoneornil(L, 2)) {
        check_val(L, 2, &k.v);
        LuaVal v[2] = {k.v, {.kind = VALexpr, .owner = k.lp}};
        val_prog(L, v, 2);
    }
    ir_run(L, k.lp, do_print, &k);
    return 0;
}

/* Tile operations ------------------------------------------------------- */

typedef struct TileOp {
    LProg *lp;
    enum Op op;
    Region r[MaxRegion];
    bool origin[MaxRegion];
    int nr;
    int32_t attr[MaxAttr];
    LuaVal value;
    const char *text;
} TileOp;

static void do_op(Ctx *c, void *ud)
{
    (void)c;
    TileOp *k = ud;
    Prog *p = k->lp->p;
    bool tile = opinfo[k->op].level == 'T';
    enum Dtype dt = !tile ? DTi32 : k->nr ? (enum Dtype)p->buf[k->r[0].buf].dt : DTnone;
    Ex v = k->value.kind ? val_ex(k->lp, &k->value, dt) : 0;
    if (k->op == Ocopy || k->op == Oatomic || k->op == Oasync_copy || k->op == Otma_copy ||
        k->op == Otma_put)
        r_infer(p, &k->r[0], k->origin[0], &k->r[1], k->origin[1]);
    for (int i = 0; i < k->nr; i++)
        if (k->origin[i])
            r_from_end(p, &k->r[i]);
    remap_op(p, k->op, k->r, v, k->attr, k->text);
}

/* Values of the attributes that the table at i names. */
static void read_attrs(lua_State *L, int i, enum Op op, int32_t *attr)
{
    if (lua_type(L, i) != LUA_TTABLE)
        return;
    const char *s = opinfo[op].attrs;
    for (int a = 0; *s && a < MaxAttr; a++) {
        size_t n = strcspn(s, " ");
        lua_pushlstring(L, s, n);
        int t = lua_rawget(L, i);
        attr[a] = t == LUA_TBOOLEAN ? lua_toboolean(L, -1) : clamp32(lua_tointeger(L, -1));
        lua_pop(L, 1);
        s += n + (s[n] != '\0');
    }
}

static enum Op check_op(lua_State *L, int i)
{
    const char *s = luaL_checkstring(L, i);
    for (int k = 1; k < NOp; k++)
        if (strcmp(opinfo[k].text, s) == 0)
            return (enum Op)k;
    luaL_argerror(L, i, "unknown tile operation");
    return Onone;
}

/* op(P, name, attrs, value, text, region...) */
static int f_op(lua_State *L)
{
    TileOp k = {.lp = check_prog(L, 1), .op = check_op(L, 2), .text = luaL_optstring(L, 5, NULL)};
    read_attrs(L, 3, k.op, k.attr);
    LuaVal own[3] = {{.kind = VALexpr, .owner = k.lp}};
    if (!lua_isnoneornil(L, 4)) {
        check_val(L, 4, &k.value);
        own[1] = k.value;
    }
    int top = lua_gettop(L);
    for (int i = 6; i <= top && k.nr < MaxRegion; i++, k.nr++) {
        bool whole;
        LProg *owner;
        if (!to_region(L, i, &owner, &k.r[k.nr], &k.origin[k.nr], &whole))
            ir_fail_value(L, "not_region", opinfo[k.op].text, i);
        own[2] = (LuaVal){.kind = VALexpr, .owner = owner};
        val_prog(L, own, 3);
    }
    ir_run(L, k.lp, do_op, &k);
    return 0;
}

/* Statements of threads -------------------------------------------------- */

typedef struct OpCall {
    LProg *lp;
    enum Intr fn;
    LuaVal v[4];
    int n;
} OpCall;

static void do_lop_call(Ctx *c, void *ud)
{
    (void)c;
    OpCall *k = ud;
    Ex a[4] = {0};
    for (int i = 0; i < k->n; i++)
        a[i] = val_ex(k->lp, &k->v[i], DTi32);
    s_call(k->lp->p, k->fn, a, k->n);
}

/* callstmt(P, name, args...): an intrinsic without a value */
static int f_callstmt(lua_State *L)
{
    OpCall k = {.lp = check_prog(L, 1)};
    const char *s = luaL_checkstring(L, 2);
    for (int i = 1; i < NIntr; i++)
        if (strcmp(intrinfo[i].text, s) == 0)
            k.fn = (enum Intr)i;
    luaL_argcheck(L, k.fn, 2, "unknown intrinsic");
    k.n = lua_gettop(L) - 2;
    luaL_argcheck(L, k.n <= 4, 7, "too many arguments");
    for (int i = 0; i < k.n; i++)
        check_val(L, i + 3, &k.v[i]);
    ir_run(L, k.lp, do_lop_call, &k);
    return 0;
}

/* Atomics --------------------------------------------------------------- */

typedef struct Atomic {
    LProg *lp;
    int kind, lanes;
    enum MemOrder order;
    const LRef *ref;
    LuaVal v[4];
    bool prev;
    Ex e;
} Atomic;

static void do_atomic(Ctx *c, void *ud)
{
    (void)c;
    Atomic *k = ud;
    Prog *p = k->lp->p;
    Ex v[4] = {0};
    enum Dtype dt = (enum Dtype)p->buf[k->ref->r.buf].dt;
    for (int i = 0; k->kind != ATload && i < k->lanes; i++)
        v[i] = val_ex(k->lp, &k->v[i], dt);
    p->own = k->ref->own || vals_own(k->v, 4);
    const Element at = ref_element(p, k->ref);
    Stmt **here = s_here(p);
    uint32_t var = s_atomic(p, k->kind, at.buf, at.idx, at.n, v, k->lanes, k->order, k->prev ? "prev" : NULL);
    if (k->prev) {
        k->e = x_var(p, var);
        held_update(k->lp, here, at.buf);
    }
}

static int atomic_kind(lua_State *L, int i)
{
    const char *s = luaL_checkstring(L, i);
    if (strcmp(s, "load") == 0)
        return ATload;
    if (strcmp(s, "store") == 0)
        return ATstore;
    int kind = red_named(s);
    return kind ? kind : luaL_argerror(L, i, "unknown kind of atomic");
}

/* red(name) -> number of a way to combine values, for attributes */
static int f_red(lua_State *L)
{
    lua_pushinteger(L, atomic_kind(L, 1));
    return 1;
}

/* atomic(P, kind, order, prev, element, value...) -> previous value or nil */
static int f_atomic(lua_State *L)
{
    Atomic k = {.lp = check_prog(L, 1), .kind = atomic_kind(L, 2),
                .order = (enum MemOrder)luaL_checkinteger(L, 3), .prev = lua_toboolean(L, 4),
                .ref = luaL_checkudata(L, 5, REF_TYPE)};
    int n = lua_gettop(L) - 5;
    k.lanes = n < 1 ? 1 : n;
    luaL_argcheck(L, n <= 4, 6, "at most 4 values");
    LuaVal own[6] = {{.kind = VALexpr, .owner = k.lp}, {.kind = VALexpr, .owner = k.ref->owner}};
    for (int i = 0; i < n; i++) {
        check_val(L, 6 + i, &k.v[i]);
        own[2 + i] = k.v[i];
    }
    val_prog(L, own, 2 + n);
    ir_run(L, k.lp, do_atomic, &k);
    if (!k.prev)
        return 0;
    push_made(L, k.lp, k.e, k.v, 4);
    return 1;
}

const luaL_Reg op_functions[] = {
    {"print", f_print}, {"op", f_op}, {"callstmt", f_callstmt},
    {"atomic", f_atomic}, {"red", f_red}, {NULL, NULL},
};
