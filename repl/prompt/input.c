/* repl/prompt/input.c: compiling what was typed. */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/state/api.h"
#include "prompt.h"
#include "session.h"

/* What makes an expression a chunk.  A plain "return f(x)" would be a tail
 * call, which takes the input's place on the stack and with it the line that
 * an error should show; where something is to be closed there are none. */
#define RETURN "local __r <close> = nil return "
enum { Shift = sizeof RETURN - 1 }; /* columns that it adds to the first line */

/* Where the error object at idx stands, as one number that orders places;
 * 0 when it is no object of ours. */
static lua_Integer error_position(lua_State *L, int idx, int shift)
{
    if (!luaL_testudata(L, idx, DIAG_TYPE))
        return 0;
    idx = lua_absindex(L, idx);
    lua_getfield(L, idx, "line");
    lua_getfield(L, idx, "col");
    lua_Integer line = lua_tointeger(L, -2), col = lua_tointeger(L, -1);
    lua_pop(L, 2);
    return line * 65536 + col - (line == 1 ? shift : 0);
}

/* Replaces the error at the top, of RETURN .. text, by the same error at
 * its place in the text. */
static void unshift_error(lua_State *L, const char *chunk)
{
    int err = lua_gettop(L);
    lua_Integer at = error_position(L, err, Shift);
    api_require(L, "moontile.diag");
    lua_getfield(L, -1, "at");
    lua_getfield(L, err, "id");
    lua_pushstring(L, chunk);
    lua_pushinteger(L, at / 65536);
    lua_pushinteger(L, at % 65536);
    int n = 0;
    if (lua_getfield(L, err, "args") == LUA_TTABLE) {
        int args = lua_gettop(L);
        for (n = (int)lua_rawlen(L, args); lua_gettop(L) < args + n;)
            lua_rawgeti(L, args, lua_gettop(L) - args + 1);
        lua_remove(L, args);
    } else {
        lua_pop(L, 1);
    }
    lua_call(L, 4 + n, 1);
    lua_replace(L, err);
    lua_settop(L, err);
}

/* Does the error of a statement say what was meant?  As an expression the same text
 * ends behind its first word. */
static bool recognised(lua_State *L, int idx)
{
    static const char *const ids[] = {"lex_foreign", "syn_hash", "syn_python", "syn_import"};
    bool is = false;
    if (!luaL_testudata(L, idx, DIAG_TYPE))
        return false;
    lua_getfield(L, idx, "id");
    const char *id = lua_tostring(L, -1);
    for (size_t i = 0; id && i < sizeof ids / sizeof *ids; i++)
        is = is || strcmp(id, ids[i]) == 0;
    lua_pop(L, 1);
    return is;
}

/* Replaces what stands above the chunk's name by the error that a comment starts otherwise, if
 * the input begins with `#` and a space: neither reading has a use for it then.  Behind a `#`
 * alone a length may still be typed on, as far as it is right. */
static bool commented(lua_State *L, const char *chunk, bool more)
{
    const char *text = lua_tostring(L, 1), *at = text + strspn(text, " \t");
    if (*at != '#' || (more && at[1] != ' ' && at[1] != '\n' && at[1] != 0))
        return false;
    lua_settop(L, 2);
    api_require(L, "moontile.diag");
    lua_getfield(L, -1, "at");
    lua_pushliteral(L, "syn_hash");
    lua_pushstring(L, chunk);
    lua_pushinteger(L, 1);
    lua_pushinteger(L, at - text + 1);
    lua_pushliteral(L, "`#`");
    lua_call(L, 5, 1);
    return true;
}

/* Both readings are tried, first as an expression.  The input is incomplete
 * when either could go on; else the error of the one that got further counts, unless
 * the other knows better. */
int input_compile(lua_State *L)
{
    bool expr_more, more;
    const char *chunk = luaL_checkstring(L, 2);
    size_t n, m;
    lua_pushfstring(L, RETURN "%s\n", lua_tostring(L, 1));
    const char *expr = lua_tolstring(L, -1, &n);
    if (load_behind(L, expr, n, chunk, &expr_more, Shift) == LUA_OK) {
        lua_pushboolean(L, true);
        return 2;
    }
    const char *text = lua_tolstring(L, 1, &m);
    lua_pushlstring(L, text, m);
    lua_pushliteral(L, "\n");
    lua_concat(L, 2);
    text = lua_tolstring(L, -1, &m);
    if (load_text(L, text, m, chunk, &more) == LUA_OK) {
        if (locals_unconst(L, -2)) { /* it is right: once more, so that all are kept */
            text = lua_tolstring(L, -2, &m);
            if (load_text(L, text, m, chunk, &more) != LUA_OK)
                return lua_error(L);
        }
        lua_pushboolean(L, false);
        return 2;
    }
    /* stack: text, chunk, RETURN text, error, text, error */
    if (commented(L, chunk, more || expr_more)) {
        lua_pushnil(L);
        lua_insert(L, -2);
        lua_pushboolean(L, false);
        return 3;
    }
    bool further = !more && !recognised(L, 6) &&
                   (expr_more || error_position(L, 4, Shift) > error_position(L, 6, 0));
    if (further && error_position(L, 4, 0)) {
        lua_settop(L, 4);
        unshift_error(L, chunk);
    }
    lua_pushnil(L);
    lua_insert(L, -2);
    lua_pushboolean(L, more || expr_more);
    return 3;
}
