/* repl/prompt/report.c: what an uncaught error looks like.
 *
 * Errors of the compiler and of the dialect arrive as objects of moontile.diag
 * that know their place.  Those that Lua raises are strings "chunk:line: text";
 * handled_pcall makes objects of them while the stack still stands. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/state/api.h"
#include "report.h"

/* A value that says nothing for itself is described by its type. */
static void report_describe(lua_State *L, int idx)
{
    if (lua_type(L, idx) == LUA_TUSERDATA || lua_isstring(L, idx) ||
        luaL_getmetafield(L, idx, "__tostring") != LUA_TNIL) {
        lua_settop(L, idx);
        return;
    }
    lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, idx));
    lua_replace(L, idx);
}

/* (error value, colour) -> text */
static int f_report_render(lua_State *L)
{
    bool colour = lua_toboolean(L, 2);
    lua_settop(L, 1);
    report_describe(L, 1);
    diag_tostring(L, 1, colour);
    return 1;
}

void report_error(lua_State *L, const ReplOptions *o, int idx)
{
    idx = lua_absindex(L, idx);
    fflush(stdout);
    lua_pushcfunction(L, f_report_render);
    lua_pushvalue(L, idx);
    lua_pushboolean(L, colour_on(o, stderr));
    if (lua_pcall(L, 2, 1, 0) == LUA_OK)
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
    else
        fprintf(stderr, "moontile: the error could not be shown: %s\n",
                lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "");
    lua_pop(L, 1);
}

/* (error object) -> is it a bug of ours? */
static int f_isbug(lua_State *L)
{
    lua_getfield(L, 1, "id");
    const char *id = lua_tostring(L, -1);
    lua_pushboolean(L, id && (strcmp(id, "bug") == 0 || strcmp(id, "cc_failed") == 0));
    return 1;
}

int report_exit(lua_State *L, int idx)
{
    if (!luaL_testudata(L, idx, DIAG_TYPE))
        return ExitFailed;
    lua_pushvalue(L, idx);
    lua_pushcfunction(L, f_isbug);
    lua_insert(L, -2);
    bool bug = lua_pcall(L, 1, 1, 0) == LUA_OK && lua_toboolean(L, -1);
    lua_pop(L, 1);
    return bug ? ExitBug : ExitFailed;
}

bool colour_on(const ReplOptions *o, FILE *f)
{
    if (o->colour != WhenAuto)
        return o->colour == WhenAlways;
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no && no[0]) && term && strcmp(term, "dumb") != 0 && isatty(fileno(f));
}
