/* repl/prompt/locals.c: locals that outlive the input that made them.
 *
 * An input is a chunk, and its locals die with it.  Just before it returns, a
 * hook reads them and puts them in the table that all inputs have as their
 * environment; when it fails, the message handler does.  Limits that follow:
 * a <close> variable is kept but already closed; a closure keeps its own
 * variable, so a later assignment at the prompt does not reach it (but for
 * kernels: versions.lua); an input that ends in a tail call, `return f(x)`,
 * leaves nothing; a nil local does not hide a global.  A constant,
 * `local k <const> = 10`, is folded away by Lua: it is made a variable before. */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/state/api.h"
#include "lua/term/interrupt.h"
#include "prompt.h"
#include "report.h"

#define LOCALS "moontile.locals" /* registry: the environment of inputs */
#define CHUNK  "moontile.chunk"  /* registry: the input that is running */

void locals_push(lua_State *L)
{
    if (luaL_getsubtable(L, LUA_REGISTRYINDEX, LOCALS))
        return;
    lua_createtable(L, 0, 2);
    lua_pushglobaltable(L);
    lua_setfield(L, -2, "__index");
    lua_pushglobaltable(L);
    lua_setfield(L, -2, "__newindex"); /* a kept local exists: it is rawset */
    lua_setmetatable(L, -2);
}

bool locals_unconst(lua_State *L, int idx)
{
    const char *s = lua_tostring(L, idx);
    if (!strstr(s, "<const") && !strstr(s, "< const"))
        return false;
    idx = lua_absindex(L, idx);
    api_require(L, "moontile.repl.tokens");
    lua_getfield(L, -1, "unconst");
    lua_pushvalue(L, idx);
    lua_call(L, 1, 1);
    lua_replace(L, idx);
    lua_pop(L, 1);
    return true;
}

/* Is ar the activation of the input? */
static bool ischunk(lua_State *L, lua_Debug *ar)
{
    lua_getinfo(L, "f", ar);
    lua_getfield(L, LUA_REGISTRYINDEX, CHUNK);
    bool is = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return is;
}

/* Names that the compiler or the dialect made are not the user's. */
static bool locals_users(const char *name)
{
    return name[0] != '(' && strncmp(name, "__", 2) != 0;
}

static void keep_locals(lua_State *L, const lua_Debug *ar)
{
    const char *name;
    locals_push(L);
    for (int i = 1; (name = lua_getlocal(L, ar, i)) != NULL; i++) {
        if (!locals_users(name)) {
            lua_pop(L, 1);
            continue;
        }
        lua_pushstring(L, name);
        lua_insert(L, -2);
        lua_rawset(L, -3);
    }
    lua_pop(L, 1);
}

static void on_return(lua_State *L, lua_Debug *ar)
{
    if (lua_checkstack(L, 8) && ischunk(L, ar))
        keep_locals(L, ar);
}

/* The message handler: the stack of the failed input still stands. */
static int f_handler(lua_State *L)
{
    lua_Debug ar;
    for (int level = 1; lua_getstack(L, level, &ar); level++)
        if (ischunk(L, &ar)) {
            keep_locals(L, &ar);
            break;
        }
    return message_handler(L);
}

/* Gives the chunk at idx the environment of inputs; a function that is no chunk, as of a text in Python, has its own. */
static void set_environment(lua_State *L, int idx)
{
    const char *name = lua_getupvalue(L, idx, 1);
    if (!name)
        return;
    lua_pop(L, 1);
    if (strcmp(name, "_ENV") != 0 && name[0] != '(') /* "(no name)": without names for debugging */
        return;
    locals_push(L);
    lua_setupvalue(L, idx, 1);
}

int locals_pcall(lua_State *L, int nres)
{
    int base = lua_gettop(L);
    set_environment(L, base);
    lua_pushvalue(L, base);
    lua_setfield(L, LUA_REGISTRYINDEX, CHUNK);
    lua_pushcfunction(L, f_handler);
    lua_insert(L, base);
    interrupt_onreturn(L, on_return);
    int status = lua_pcall(L, 0, nres, base);
    interrupt_onreturn(L, NULL);
    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, CHUNK);
    lua_remove(L, base);
    return status;
}
