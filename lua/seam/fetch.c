/* lua/seam/fetch.c: moontile.fetch: a file of a web server.
 *
 *   text, url, status = fetch.get(url, {most = bytes, seconds =, token = bool, pinned = bool,
 *                                       progress = function(got, of)})
 *
 * url: where it came from, behind redirects.  What goes wrong is nil, {id, arguments from {1} on}
 * and the status of HTTP.  Ctrl-C ends it with the id "interrupted". */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/device/fetch.h"
#include "core/device/session.h"
#include "seam.h"

enum { OPTIONS = 2, PROGRESS = 3 };

/* An error of the user's function ends the download and is raised behind it. */
typedef struct FetchTold FetchTold;
struct FetchTold {
    lua_State *L;
    bool failed; /* its error is on top of L */
};

static void fetch_progress(void *ud, size_t got, size_t of)
{
    FetchTold *t = ud;
    if (t->failed || lua_isnil(t->L, PROGRESS))
        return;
    lua_pushvalue(t->L, PROGRESS);
    lua_pushinteger(t->L, (lua_Integer)got);
    lua_pushinteger(t->L, (lua_Integer)of);
    t->failed = lua_pcall(t->L, 2, 0, 0) != LUA_OK;
}

static bool lfetch_stopped(void *ud)
{
    const FetchTold *t = ud;
    return t->failed || interrupt_asked;
}

/* {1} of the client's own errors is "remote". */
static void push_error(lua_State *L, const DevError *e)
{
    Diag d = dev_error_diag(e, "remote");
    lua_newtable(L);
    lua_pushstring(L, err_info(d.err)->id);
    lua_rawseti(L, -2, 1);
    for (int i = 0; i < DiagArgs && d.arg[i]; i++) {
        lua_pushstring(L, d.arg[i]);
        lua_rawseti(L, -2, i + 2);
    }
}

static int f_lfetch_get(lua_State *L)
{
    FetchTold t = {.L = L};
    Fetched f;
    const char *url = luaL_checkstring(L, 1);
    luaL_checktype(L, OPTIONS, LUA_TTABLE);
    lua_settop(L, OPTIONS);
    lua_getfield(L, OPTIONS, "progress");
    lua_getfield(L, OPTIONS, "most");
    lua_getfield(L, OPTIONS, "seconds");
    lua_getfield(L, OPTIONS, "token");
    lua_getfield(L, OPTIONS, "pinned");
    FetchOptions o = {.most = (size_t)luaL_checkinteger(L, PROGRESS + 1),
                      .seconds = luaL_checknumber(L, PROGRESS + 2),
                      .token = lua_toboolean(L, PROGRESS + 3),
                      .pinned = lua_toboolean(L, PROGRESS + 4),
                      .moved = fetch_progress, .stopped = lfetch_stopped, .ud = &t};
    const Target *web = target_find("remote");
    DevError err = web->fetch(url, &o, &f);
    if (t.failed) {
        dev_error_free(err);
        str_free(&f.text);
        return lua_error(L);
    }
    if (err.is) {
        lua_pushnil(L);
        push_error(L, &err);
    } else {
        lua_pushlstring(L, f.text.s ? f.text.s : "", f.text.n);
        lua_pushstring(L, f.url);
    }
    lua_pushinteger(L, f.status);
    dev_error_free(err);
    str_free(&f.text);
    return 3;
}

static const luaL_Reg functions[] = {{"get", f_lfetch_get}, {NULL, NULL}};

int luaopen_moontile_fetch(lua_State *L)
{
    luaL_newlib(L, functions);
    return 1;
}
