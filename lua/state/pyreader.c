/* lua/state/pyreader.c: the Lua module moontile.pyreader: texts in TileLang's Python.
 *
 *     translate(src, chunkname) -> Lua text of the same lines, or nil, diag, incomplete
 *     load(src, chunkname, env [, value]) -> function, incomplete, expression; or the same.  value: where the last
 *                                statement is an expression (which is then told), the function gives its value
 *     convert(src, chunkname) -> text in the dialect, what is to say of it (a diag or nil), how many
 *                                statements were not converted; or nil, diag
 *     looks(src) -> true: Python; false: Lua; nil: both
 *
 * incomplete tells a prompt that more text could make it right. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "api.h"
#include "err/python_scope.h"
#include "lua/pyreader/python.h"

#define JOB_TYPE "moontile.pyreader.job"

/* What one translation owns, kept by Lua so that an error frees it. */
typedef struct PyReading {
    Ctx c;
    Str out;
} PyReading;

static int reading_gc(lua_State *L)
{
    PyReading *j = lua_touserdata(L, 1);
    str_free(&j->out);
    ctx_free(&j->c);
    return 0;
}

static PyReading *push_reading(lua_State *L)
{
    PyReading *j = lua_newuserdatauv(L, sizeof *j, 0);
    j->out = (Str){0};
    ctx_init(&j->c, NULL, (size_t)1 << 30);
    if (luaL_newmetatable(L, JOB_TYPE)) {
        lua_pushcfunction(L, reading_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return j;
}

/* nil, the messages of c, incomplete */
static int reading_failed(lua_State *L, const Ctx *c, bool incomplete)
{
    lua_pushnil(L);
    diag_push(L, c, Lerror);
    lua_pushboolean(L, incomplete);
    return 3;
}

/* Pushes the Lua text of the string at index 1 and returns 0, or pushes three results and returns their number. */
static int translated(lua_State *L, const char *chunk, PyInfo *info)
{
    size_t n;
    const char *src = luaL_checklstring(L, 1, &n);
    PyReading *j = push_reading(L);
    diag_language(L, chunk, true);
    if (!python_translate(&j->c, src, n, chunk, &j->out, info))
        return reading_failed(L, &j->c, info->incomplete);
    lua_pushlstring(L, j->out.s, j->out.n);
    return 0;
}

static int f_py_translate(lua_State *L)
{
    PyInfo info = {0};
    int failures = translated(L, luaL_optstring(L, 2, "=?"), &info);
    return failures ? failures : 1;
}

/* Limits of Lua's on a text that we printed, by the words that it says them with. */
static const struct { const char *said; int err; } limits[] = {
    {"too many local variables (limit is 200)", E_py_many_names},
    {"too many local variables", E_py_long_function},
    {"control structure too long", E_py_long_block},
    {"", E_py_complex}, /* registers, captured variables, constants, levels */
};
enum { MostLocals = 200 };

typedef struct Refusal { const char *chunk, *said; } Refusal;

/* Our text has the lines of the user's: Lua's place, `NAME:LINE: `, is the user's too. */
static void refuse(Ctx *c, void *ud)
{
    const Refusal *r = ud;
    const char *line = strchr(r->said, ':');
    while (line && !(line[1] >= '0' && line[1] <= '9' && line[1 + strspn(line + 1, "0123456789")] == ':'))
        line = strchr(line + 1, ':');
    size_t i = 0;
    while (!strstr(r->said, limits[i].said))
        i++;
    Loc at = {.file = ctx_file(c, r->chunk), .line = line ? (uint32_t)strtoul(line + 1, NULL, 10) : 0};
    diag(c, limits[i].err, at, afmt(c, "%d", MostLocals), NULL);
}

static int f_py_load(lua_State *L)
{
    size_t n;
    const char *chunk = luaL_checkstring(L, 2), *src = luaL_checklstring(L, 1, &n);
    luaL_checktype(L, 3, LUA_TTABLE);
    load_keep(L, chunk, src, n);
    PyInfo info = {.value = lua_toboolean(L, 4)};
    int failures = translated(L, chunk, &info);
    if (failures)
        return failures;
    const char *text = lua_tolstring(L, -1, &n);
    if (luaL_loadbufferx(L, text, n, chunk, "t") != LUA_OK) {
        Refusal r = {chunk, lua_tostring(L, -1)};
        PyReading *j = push_reading(L);
        ctx_try(&j->c, refuse, &r);
        return reading_failed(L, &j->c, false);
    }
    lua_pushvalue(L, 3);
    if (!lua_setupvalue(L, -2, 1))
        lua_pop(L, 1);
    lua_pushboolean(L, info.incomplete);
    lua_pushboolean(L, info.expression);
    return 3;
}

static int f_py_convert(lua_State *L)
{
    size_t n;
    const char *src = luaL_checklstring(L, 1, &n), *chunk = luaL_optstring(L, 2, "=?");
    uint32_t left;
    PyReading *j = push_reading(L);
    if (!python_convert(&j->c, src, n, chunk, &j->out, &left))
        return reading_failed(L, &j->c, false);
    load_keep(L, chunk, src, n);
    lua_pushlstring(L, j->out.s ? j->out.s : "", j->out.n);
    if (!diag_push(L, &j->c, Lwarning))
        lua_pushnil(L);
    lua_pushinteger(L, left);
    return 3;
}

static int f_py_looks(lua_State *L)
{
    size_t n;
    const char *src = luaL_checklstring(L, 1, &n);
    enum PyLooks k = py_looks(src, n);
    if (k == PyMaybe)
        return 0;
    lua_pushboolean(L, k == PyYes);
    return 1;
}

static const luaL_Reg functions[] = {
    {"translate", f_py_translate},
    {"load", f_py_load},
    {"convert", f_py_convert},
    {"looks", f_py_looks},
    {NULL, NULL},
};

int luaopen_moontile_pyreader(lua_State *L)
{
    api_require(L, "moontile.diag"); /* the type of what we return */
    luaL_newlib(L, functions);
    return 1;
}
