/* repl/cmd/puzzles.c: moontile puzzles [WORD] ...: moontile.puzzles.course.main does it.
 *
 * Its words and flags are read there; those of all commands were taken before. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/device/jail.h"
#include "lua/state/api.h"
#include "repl/options.h"
#include "repl/prompt/report.h"

/* What is judged may be anybody's: its kernels run behind the walls of core/device/jail.h. */
enum { CompilerSeconds = 120 };
static bool cmd_puzzles_guard(void)
{
    char seconds[12];
    snprintf(seconds, sizeof seconds, "%d", CompilerSeconds);
    return setenv(JAIL_GUARD, seconds, 1) == 0;
}

int cmd_puzzles(lua_State *L, const ReplOptions *o)
{
    int base = lua_gettop(L), code;
    if (!cmd_puzzles_guard())
        return luaL_error(L, "%s", strerror(errno));
    api_require(L, "moontile.puzzles.course.main");
    lua_getfield(L, -1, "run");
    lua_createtable(L, o->nown, 5);
    for (int i = 0; i < o->nown; i++) {
        lua_pushstring(L, o->argv[o->own + i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushboolean(L, o->json);
    lua_setfield(L, -2, "json");
    lua_pushstring(L, o->target);
    lua_setfield(L, -2, "target"); /* nil: none was given */
    lua_pushstring(L, o->code);
    lua_setfield(L, -2, "code");
    lua_pushboolean(L, o->token_file);
    lua_setfield(L, -2, "token_file");
    if (handled_pcall(L, 1, 1) == LUA_OK) {
        code = (int)lua_tointeger(L, -1);
    } else {
        code = report_exit(L, -1);
        report_error(L, o, -1);
    }
    lua_settop(L, base);
    return code;
}
