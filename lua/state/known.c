/* lua/state/known.c (moontile.known): what plain Lua asks before it decides by a value.
 *
 * Code that is not staged runs in Lua alone, for which any object is true and equals no number:
 * a value that has none until the kernel runs would decide, always in the same way.  So the
 * reader (lua/reader/dialect_plain.c) writes
 *
 *     if f(x) then         if __stage.known(f(x), 4) then           4: the column
 *     a = b or 1           a = __stage.known(b, 5, true) or 1       left of an `or`
 *
 * and known(v, column, left) gives v back, or raises an error at the caller's line.  Objects are
 * asked by a field of their metatable, __unknown(v, left), whether they are such values; what
 * has none costs a call and a look at its type. */
#include <lauxlib.h>
#include <lua.h>

#include "api.h"

/* Raises it where the caller stands, at the column that the reader gave, unless the caller is
 * no text of the user's. */
static int known_refuse(lua_State *L)
{
    lua_Debug ar;
    api_require(L, "moontile.diag");
    bool there = lua_getstack(L, 1, &ar) && lua_getinfo(L, "Sl", &ar) && ar.currentline > 0 &&
                 !diag_isours(ar.source);
    lua_getfield(L, -1, there ? "at" : "fail");
    lua_pushliteral(L, "plain_condition");
    if (!there) {
        lua_call(L, 1, 0);
        return 0; /* not reached */
    }
    lua_pushstring(L, ar.source);
    lua_pushinteger(L, ar.currentline);
    lua_pushvalue(L, 2);
    lua_call(L, 4, 1);
    return lua_error(L);
}

/* Upvalue 1: the name of the field. */
static int f_known(lua_State *L)
{
    int type = lua_type(L, 1);
    if (type == LUA_TUSERDATA || type == LUA_TTABLE) {
        lua_settop(L, 3);
        if (lua_getmetatable(L, 1)) {
            lua_pushvalue(L, lua_upvalueindex(1));
            if (lua_rawget(L, -2) != LUA_TNIL) {
                lua_pushvalue(L, 1);
                lua_pushvalue(L, 3);
                lua_call(L, 2, 1);
                if (lua_toboolean(L, -1))
                    return known_refuse(L);
            }
        }
    }
    lua_settop(L, 1);
    return 1;
}

int luaopen_moontile_known(lua_State *L)
{
    lua_newtable(L);
    lua_pushliteral(L, "__unknown");
    lua_pushcclosure(L, f_known, 1);
    lua_setfield(L, -2, "known");
    return 1;
}
