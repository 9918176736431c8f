/* lua/seam/unseen.c: tensors that carry only a shape and a dtype.
 *
 * A dry run (lua/tl/dry.lua: `moontile compile`, `check`) launches no kernel, so nothing of what a
 * file computes from results means anything, and its references on large inputs would take minutes.
 * While one runs, what is much work is not done: its result is marked as unseen, and so is everything
 * that is made from it.  Small things that depend on nothing unseen, such as lengths and offsets, are
 * computed as ever.  Asking an unseen tensor for a value is an error of its own. */
#include <lauxlib.h>
#include <lua.h>

#include "tensor.h"
#include "err/hostops.h"

static const char limit_key; /* in the registry: elements that are still computed; nil: no dry run */

/* The greatest number of elements that are computed; -1: there is no dry run. */
static int64_t unseen_limit(lua_State *L)
{
    int64_t n = -1;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &limit_key) == LUA_TNUMBER)
        n = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return n;
}

bool unseen_hides(lua_State *L, Tensor *to, const Tensor *from)
{
    int64_t limit = unseen_limit(L);
    if (limit < 0)
        return false;
    bool hide = to->st->unseen || (from && from->st->unseen) || tensor_count(to) > limit;
    to->st->unseen = hide;
    return hide;
}

void unseen_refuse(lua_State *L, const Tensor *t)
{
    if (t->st->unseen)
        tensor_fail(L, E_unseen_value, push_shape(L, t->ndim, t->shape), dtypeinfo[t->dt].name, NULL);
}

/* unseen(t) -> is it?  unseen(t, true): it is from now on */
static int f_unseen(lua_State *L)
{
    Tensor *t = check_tensor(L, 1);
    if (lua_toboolean(L, 2))
        t->st->unseen = true;
    lua_pushboolean(L, t->st->unseen);
    return 1;
}

/* unseen_from([n]) -> what it was: more than n elements are not computed from now on; nil: all are */
static int f_unseen_from(lua_State *L)
{
    int64_t old = unseen_limit(L);
    if (lua_isnoneornil(L, 1))
        lua_pushnil(L);
    else
        lua_pushinteger(L, luaL_checkinteger(L, 1));
    lua_rawsetp(L, LUA_REGISTRYINDEX, &limit_key);
    if (old < 0)
        lua_pushnil(L);
    else
        lua_pushinteger(L, old);
    return 1;
}

/* Functions of other modules ------------------------------------------------ */

/* The function at upvalue 1 computes `outs` tensors, at stack `first` and on, from its other
 * arguments and gives back the first `gives` of them; without outs it looks at values. */
static int f_guarded(lua_State *L)
{
    int64_t limit = unseen_limit(L);
    if (limit < 0)
        return lua_tocfunction(L, lua_upvalueindex(1))(L);
    int first = (int)lua_tointeger(L, lua_upvalueindex(2));
    int outs = (int)lua_tointeger(L, lua_upvalueindex(3));
    int gives = (int)lua_tointeger(L, lua_upvalueindex(4));
    bool hide = false;
    for (int i = 1, top = lua_gettop(L); i <= top; i++) {
        const Tensor *t = test_tensor(L, i);
        if (t && outs == 0)
            unseen_refuse(L, t);
        hide = hide || (t && outs && (t->st->unseen || tensor_count(t) > limit));
    }
    if (!hide)
        return lua_tocfunction(L, lua_upvalueindex(1))(L);
    for (int i = first; i < first + outs; i++) {
        const Tensor *t = test_tensor(L, i);
        if (t)
            t->st->unseen = true;
    }
    lua_settop(L, first + gives - 1);
    return gives;
}

void unseen_guard(lua_State *L, const UnseenGuard *g)
{
    for (; g->name; g++) {
        lua_getfield(L, -1, g->name);
        lua_pushinteger(L, g->first);
        lua_pushinteger(L, g->outs);
        lua_pushinteger(L, g->gives);
        lua_pushcclosure(L, f_guarded, 4);
        lua_setfield(L, -2, g->name);
    }
}

const luaL_Reg tensor_unseen[] = {
    {"unseen", f_unseen},
    {"unseen_from", f_unseen_from},
    {NULL, NULL},
};
