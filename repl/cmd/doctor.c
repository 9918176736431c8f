/* repl/cmd/doctor.c: moontile doctor: what is found on this machine for each target, what
 * is missing, and the command that mends it.  All of it is in repl/doctor.lua. */
#include <lua.h>

#include "lua/state/api.h"
#include "command.h"

/* run(words) -> exit status */
int cmd_doctor(lua_State *L, const ReplOptions *o)
{
    api_require(L, "moontile.repl.doctor");
    lua_getfield(L, -1, "main");
    lua_createtable(L, o->nown, 1);
    for (int i = 0; i < o->nown; i++) {
        lua_pushstring(L, o->argv[o->own + i]);
        lua_rawseti(L, -2, i + 1);
    }
    int code = command_call(L, o, 1);
    if (code == ExitOk && lua_getfield(L, -1, "status") == LUA_TNUMBER)
        code = (int)lua_tointeger(L, -1);
    return code;
}
