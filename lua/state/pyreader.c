/* lua/state/pyreader.c: the Lua module moontile.pyreader: texts in TileLang's Python.
 *
 *     translate(src, chunkname) -> Lua text of the same lines, or nil, diag, incomplete
 *     looks(src) -> true: Python; false: Lua; nil: both
 *
 * incomplete tells a prompt that more text could make it right. */
#include <lauxlib.h>
#include <lua.h>

#include "api.h"
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

static int f_py_translate(lua_State *L)
{
    size_t n;
    const char *src = luaL_checklstring(L, 1, &n);
    PyInfo info = {0};
    PyReading *j = push_reading(L);
    if (!python_translate(&j->c, src, n, luaL_optstring(L, 2, "=?"), &j->out, &info)) {
        lua_pushnil(L);
        diag_push(L, &j->c, Lerror);
        lua_pushboolean(L, info.incomplete);
        return 3;
    }
    lua_pushlstring(L, j->out.s, j->out.n);
    return 1;
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
    {"looks", f_py_looks},
    {NULL, NULL},
};

int luaopen_moontile_pyreader(lua_State *L)
{
    api_require(L, "moontile.diag"); /* the type of what we return */
    luaL_newlib(L, functions);
    return 1;
}
