/* lua/state/dialect.c: the Lua module moontile.dialect.
 *
 *     translate(src, chunkname [, all_staged [, known [, before]]])
 *         -> text, or nil, diag, incomplete
 *     load(src, chunkname [, env [, all_staged [, known]]]) -> function, or the same
 *
 * all_staged, known, before: as in dialect.h.  incomplete tells a prompt that more text could make it right. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "api.h"
#include "lua/reader/dialect.h"
#include "err/lang.h"

#define JOB_TYPE "moontile.dialect.job"

/* What one translation owns, kept by Lua so that an error frees it. */
typedef struct DialectJob {
    Ctx c;
    Str out;
} DialectJob;

static int job_gc(lua_State *L)
{
    DialectJob *j = lua_touserdata(L, 1);
    str_free(&j->out);
    ctx_free(&j->c);
    return 0;
}

static DialectJob *push_job(lua_State *L)
{
    DialectJob *j = lua_newuserdatauv(L, sizeof *j, 0);
    j->out = (Str){0};
    ctx_init(&j->c, NULL, (size_t)1 << 30);
    if (luaL_newmetatable(L, JOB_TYPE)) {
        lua_pushcfunction(L, job_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return j;
}

/* nil, the messages of c, incomplete */
static int ldialect_failed(lua_State *L, const Ctx *c, bool incomplete)
{
    lua_pushnil(L);
    diag_push(L, c, Lerror);
    lua_pushboolean(L, incomplete);
    return 3;
}

/* Pushes the translation of the string at index 1 and returns 0, or pushes
 * three results and returns their number. */
static int ldialect_translate(lua_State *L, const char *chunk, DialectInfo info)
{
    size_t n;
    const char *src = luaL_checklstring(L, 1, &n);
    DialectJob *j = push_job(L);
    diag_language(L, chunk, false);
    if (!dialect_translate(&j->c, src, n, chunk, &j->out, &info))
        return ldialect_failed(L, &j->c, info.incomplete);
    if (info.changed)
        lua_pushlstring(L, j->out.s, j->out.n);
    else
        lua_pushvalue(L, 1);
    lua_remove(L, -2);
    return 0;
}

static int f_translate(lua_State *L)
{
    const char *chunk = luaL_optstring(L, 2, "=?");
    DialectInfo info = {.all_staged = lua_toboolean(L, 3), .known = lua_toboolean(L, 4),
                        .before = (uint32_t)luaL_optinteger(L, 5, 0)};
    int failures = ldialect_translate(L, chunk, info);
    return failures ? failures : 1;
}

/* What Lua itself still finds wrong ("?:3: <goto x> at line 2 jumps into the
 * scope of local 'y'"), as a message of ours. */
typedef struct DialectRefusal {
    const char *chunk;
    Loc loc;
    const char *text;
} DialectRefusal;

static void ldialect_refuse(Ctx *c, void *ud)
{
    DialectRefusal *r = ud;
    r->loc.file = ctx_file(c, r->chunk);
    diag(c, E_lua_compile, r->loc, r->text, NULL);
}

static int compile_failed(lua_State *L, const char *chunk, const char *text, size_t n)
{
    DialectRefusal r = {.chunk = chunk};
    luaL_loadbufferx(L, text, n, "=?", "t"); /* again, under a name without colons */
    const char *msg = lua_tostring(L, -1);
    r.text = msg ? msg : "?";
    if (msg && strncmp(msg, "?:", 2) == 0) {
        char *rest;
        r.loc.line = (uint32_t)strtoul(msg + 2, &rest, 10);
        r.text = rest + strspn(rest, ": ");
    }
    DialectJob *j = push_job(L);
    ctx_try(&j->c, ldialect_refuse, &r);
    return ldialect_failed(L, &j->c, false);
}

/* A byte order mark and a first line `#` are for the reader only. */
static const char *ldialect_skip_head(const char *s, size_t *n)
{
    const char *end = s + *n;
    if (*n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
        s += 3;
    if (s < end && *s == '#')
        while (s < end && *s != '\n' && *s != '\r')
            s++;
    *n = (size_t)(end - s);
    return s;
}

static int f_ldialect_load(lua_State *L)
{
    size_t n;
    const char *src = luaL_checklstring(L, 1, &n);
    const char *chunk = luaL_optstring(L, 2, "=?");
    bool env = !lua_isnoneornil(L, 3);
    load_keep(L, chunk, src, n);
    DialectInfo info = {.all_staged = lua_toboolean(L, 4), .known = lua_toboolean(L, 5)};
    int failures = ldialect_translate(L, chunk, info);
    if (failures)
        return failures;
    const char *text = lua_tolstring(L, -1, &n);
    api_globals(L, text, n);
    text = ldialect_skip_head(text, &n);
    if (luaL_loadbufferx(L, text, n, chunk, "t") != LUA_OK)
        return compile_failed(L, chunk, text, n);
    if (env) {
        lua_pushvalue(L, 3);
        if (!lua_setupvalue(L, -2, 1))
            lua_pop(L, 1);
    }
    return 1;
}

static const luaL_Reg functions[] = {
    {"translate", f_translate},
    {"load", f_ldialect_load},
    {NULL, NULL},
};

int luaopen_moontile_dialect(lua_State *L)
{
    api_require(L, "moontile.diag"); /* the type of what we return */
    luaL_newlib(L, functions);
    return 1;
}
