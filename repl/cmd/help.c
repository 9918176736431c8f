/* repl/cmd/help.c: moontile help [NAME], moontile help --all: moontile.help.shell does
 * it. */
#include <lauxlib.h>
#include <lua.h>

#include "lua/state/api.h"
#include "command.h"

/* Runs the function at 1 with the table at 2: nothing, or raises; upvalue 1, a boolean
 * in a table, takes what it says. */
static int f_help_run(lua_State *L)
{
    lua_settop(L, 2);
    lua_call(L, 1, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, lua_upvalueindex(1), "found");
    return 0;
}

int cmd_help(lua_State *L, const ReplOptions *o)
{
    int base = lua_gettop(L);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, f_help_run, 1);
    api_require(L, "moontile.help.shell");
    lua_getfield(L, -1, "run");
    lua_remove(L, -2);
    lua_createtable(L, 0, 2);
    lua_pushstring(L, o->script ? o->argv[o->script] : NULL);
    lua_setfield(L, -2, "name"); /* nil: none was given */
    lua_pushboolean(L, o->all);
    lua_setfield(L, -2, "all");
    int code = command_call(L, o, 2);
    if (code == ExitOk && lua_getfield(L, base + 1, "found") == LUA_TBOOLEAN &&
        !lua_toboolean(L, -1))
        code = ExitFailed;
    lua_settop(L, base);
    return code;
}
