/* repl/report.c: what an uncaught error looks like.
 *
 * Errors of the compiler and of the dialect arrive as objects of moontile.diag
 * that know their place.  Those that Lua raises are strings "chunk:line: text";
 * the handler below makes objects of them while the stack still stands. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "../lua/api.h"
#include "report.h"

enum { MaxCalls = 6 }; /* notes "called from here" of one error */

/* The message after "name:line: ", where name is how Lua shows the chunk of
 * ar; NULL when s does not start so. */
static const char *after_place(const char *s, const lua_Debug *ar)
{
    char place[LUA_IDSIZE + 24];
    snprintf(place, sizeof place, "%s:%d: ", ar->short_src, ar->currentline);
    size_t n = strlen(place);
    return strncmp(s, place, n) == 0 ? s + n : NULL;
}

/* moontile.diag.<fn>: pushes the function */
static void push_diag(lua_State *L, const char *fn)
{
    api_require(L, "moontile.diag");
    lua_getfield(L, -1, fn);
    lua_remove(L, -2);
}

/* Columns ------------------------------------------------------------------ */

/* The line of a chunk that was kept; NULL when it was not.  The text stays
 * alive in the table that diag.c reads too. */
static const char *kept_line(lua_State *L, const lua_Debug *ar, size_t *len)
{
    int top = lua_gettop(L);
    const char *s = NULL;
    size_t n;
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, -1, "moontile.sources") == LUA_TTABLE) {
        lua_getfield(L, -1, ar->source);
        s = lua_tolstring(L, -1, &n);
    }
    lua_settop(L, top);
    const char *end = s ? s + n : NULL;
    for (int line = ar->currentline; s && line > 1; line--)
        if ((s = memchr(s, '\n', (size_t)(end - s))) != NULL)
            s++;
    if (!s)
        return NULL;
    const char *e = memchr(s, '\n', (size_t)(end - s));
    *len = (size_t)((e ? e : end) - s);
    return s;
}

static bool wordchar(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_';
}

/* Column of the only place where the word of m characters stands; else 0. */
static int only_place(const char *s, size_t n, const char *word, size_t m)
{
    int col = 0;
    for (size_t i = 0; m && i + m <= n; i++) {
        if (memcmp(s + i, word, m) != 0 || (i && wordchar(s[i - 1])) ||
            (i + m < n && wordchar(s[i + m])))
            continue;
        if (col)
            return 0;
        col = (int)i + 1;
    }
    return col;
}

/* Lua knows the line of an error, not the column.  It is that of the variable
 * which the message names, "(local 'x')", or of the function that was called,
 * when the word stands once in the line; else where the line's text begins. */
static int column(lua_State *L, const lua_Debug *ar, const char *msg, const char *called)
{
    size_t n, i = 0;
    const char *line = kept_line(L, ar, &n);
    if (!line || n > UINT16_MAX)
        return 0;
    const char *open = strstr(msg, " '"), *close = open ? strchr(open + 2, '\'') : NULL;
    const char *paren = strrchr(msg, '(');
    int col = 0;
    if (paren && open && close && open > paren)
        col = only_place(line, n, open + 2, (size_t)(close - open - 2));
    if (!col && called)
        col = only_place(line, n, called, strlen(called));
    while (i < n && (line[i] == ' ' || line[i] == '\t'))
        i++;
    return col ? col : (int)i + 1;
}

/* The handler ------------------------------------------------------------------ */

/* Hangs a note below the error on top of the stack for each call of the
 * user's code from level on. */
static void add_calls(lua_State *L, int level, const char *called)
{
    lua_Debug ar;
    for (int n = 0; n < MaxCalls && lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sln", &ar);
        if (ar.currentline <= 0 || diag_isours(ar.source)) {
            called = ar.name;
            continue;
        }
        push_diag(L, "note");
        lua_pushvalue(L, -2);
        lua_pushliteral(L, "called");
        lua_pushstring(L, ar.source);
        lua_pushinteger(L, ar.currentline);
        lua_pushinteger(L, column(L, &ar, "", called));
        lua_call(L, 5, 0);
        called = ar.name;
        n++;
    }
}

static void locate(Ctx *c, void *L) { c->diags->loc = diag_loc(L, c); }

/* The message handler.  An object without a place, of a kernel that failed
 * while it ran, gets that of the call.  The place that a string names is looked for among the
 * active functions: the nearest one with that chunk and line raised it. */
int report_handler(lua_State *L)
{
    lua_Debug ar;
    const char *msg = lua_tostring(L, 1), *called = NULL;
    Ctx *c = luaL_testudata(L, 1, DIAG_TYPE);
    if (c && c->diags && !c->diags->loc.file)
        ctx_try(c, locate, L);
    if (lua_type(L, 1) != LUA_TSTRING)
        return 1;
    for (int level = 1; lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sln", &ar);
        const char *text = ar.currentline > 0 ? after_place(msg, &ar) : NULL;
        if (!text) {
            called = ar.name; /* by the next one outwards */
            continue;
        }
        if (strncmp(ar.source, "@moontile/", 10) == 0) {
            push_diag(L, "make"); /* at the user's line */
            lua_pushliteral(L, "bug");
            lua_pushstring(L, msg);
            lua_call(L, 2, 1);
            return 1;
        }
        push_diag(L, "at");
        lua_pushliteral(L, "lua");
        lua_pushstring(L, ar.source);
        lua_pushinteger(L, ar.currentline);
        lua_pushinteger(L, column(L, &ar, text, called));
        lua_pushstring(L, text);
        lua_call(L, 5, 1);
        add_calls(L, level + 1, ar.name);
        return 1;
    }
    lua_settop(L, 1);
    return 1;
}

int report_pcall(lua_State *L, int narg, int nres)
{
    int base = lua_gettop(L) - narg;
    lua_pushcfunction(L, report_handler);
    lua_insert(L, base);
    int status = lua_pcall(L, narg, nres, base);
    lua_remove(L, base);
    return status;
}

/* A value that says nothing for itself is described by its type. */
static void describe(lua_State *L, int idx)
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
static int f_render(lua_State *L)
{
    bool colour = lua_toboolean(L, 2);
    lua_settop(L, 1);
    describe(L, 1);
    diag_tostring(L, 1, colour);
    return 1;
}

void report_error(lua_State *L, const Options *o, int idx)
{
    idx = lua_absindex(L, idx);
    fflush(stdout);
    lua_pushcfunction(L, f_render);
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
