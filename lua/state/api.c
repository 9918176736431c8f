/* lua/state/api.c: makes moontile's modules known to a Lua state.
 *
 * A module "moontile.x" is either C, with luaopen_moontile_x in a list that was given to
 * api_use(), or Lua, lua/x.lua or lua/x/init.lua.  Nothing is run before it is required. */
#include <assert.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "api.h"
#include "sources.h"

#define REQUIRE "moontile.require" /* registry: the original require */
#define GLOBALS "moontile.globals" /* registry: lazy globals made so far */
#define OWN "moontile.own"         /* registry: the globals of our modules */
#define EXAMPLES "moontile.examples." /* modules that are programs as a user's */

static const luaL_Reg *lists[4]; /* see api_use() */

/* Modules --------------------------------------------------------------- */

/* Pushes the text of module `name` and, below it, its path in the source tree;
 * NULL, and nothing pushed, when there is no such module. */
static const char *module_text(lua_State *L, const char *name, size_t *n)
{
    static const char *const place[] = {"lua/%s.lua", "lua/%s/init.lua", "%s.lua", "%s/init.lua"};
    if (strncmp(name, "moontile.", 9) != 0)
        return NULL;
    const char *stem = luaL_gsub(L, name + 9, ".", "/");
    for (size_t i = 0; i < COUNT(place); i++) {
        const char *path = luaL_gsub(L, place[i], "%s", stem);
        const char *text = embed_find(L, path, n);
        if (text) {
            lua_remove(L, -3);
            return text;
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return NULL;
}

/* A module of plain Lua: as the build has compiled it, which takes a tenth of the time, unless
 * the Lua that we are linked with is another than the build's; then from its text. */
static int load_plain(lua_State *L, const char *path, const char *text, size_t n)
{
    char chunk[1024];
    size_t ncode;
    const char *code = embed_code(L, path, &ncode);
    source_chunk(path, chunk, sizeof chunk);
    if (code && luaL_loadbufferx(L, code, ncode, chunk, "b") == LUA_OK)
        return LUA_OK;
    if (code)
        lua_pop(L, 1);
    return luaL_loadbufferx(L, text, n, chunk, "t");
}

/* Gives the function on top the globals of our modules: those that Lua began with and our own, whatever
 * the program has since called `table` or `select`.  Others it shares with the program. */
static void give_own(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, OWN);
    if (!lua_setupvalue(L, -2, 1)) /* it uses no global */
        lua_pop(L, 1);
}

/* package.searchers: finds our Lua modules */
static int f_searcher(lua_State *L)
{
    size_t n;
    const char *name = luaL_checkstring(L, 1);
    const char *text = module_text(L, name, &n);
    if (!text) {
        if (strncmp(name, "moontile.", 9) == 0)
            lua_pushfstring(L, "no module '%s' in this program", name);
        else
            lua_pushnil(L);
        return 1;
    }
    const char *path = lua_tostring(L, -2);
    int status;
    if (source_indialect(path)) {
        const char *chunk = lua_pushfstring(L, "@%s", path);
        load_keep(L, chunk, text, n);
        status = load_text(L, text, n, chunk, NULL);
    } else {
        status = load_plain(L, path, text, n);
    }
    if (status != LUA_OK)
        return lua_error(L);
    if (strncmp(name, EXAMPLES, sizeof EXAMPLES - 1) != 0)
        give_own(L);
    lua_pushstring(L, path);
    return 2;
}

void api_require(lua_State *L, const char *name)
{
    lua_getfield(L, LUA_REGISTRYINDEX, REQUIRE);
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
}

static const char running_key; /* of the registry */

lua_State *api_running(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &running_key);
    lua_State *co = lua_touserdata(L, -1);
    if (!co) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
        co = lua_tothread(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return co;
}

void api_run(lua_State *L, lua_State *co)
{
    lua_pushlightuserdata(L, co);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &running_key);
}

bool api_has(lua_State *L, const char *name)
{
    size_t n;
    int top = lua_gettop(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    bool has = lua_getfield(L, -1, name) != LUA_TNIL || module_text(L, name, &n);
    lua_settop(L, top);
    return has;
}

/* Globals --------------------------------------------------------------- */

/* The globals that a program of ours may use.  Each module is loaded when the
 * first text that names its global is, so that plain Lua pays nothing for it
 * and sees no metatable on _G. */
static const struct { const char *name, *module; } lazy[] = {
    {"T", "moontile.T"},
    {"tl", "moontile.tl"},
    {"plot", "moontile.layout_viz.plot"},
    {"__stage", "moontile.stage"},
};

/* Does the word stand anywhere in the text?  A word in a comment or a string
 * counts too: that costs a load, never a meaning. */
static bool mentions(const char *s, size_t n, const char *word)
{
    size_t m = strlen(word);
    const char *end = s + n;
    for (const char *p = s; (size_t)(end - p) >= m; p++) {
        p = memchr(p, word[0], (size_t)(end - p));
        if (!p || (size_t)(end - p) < m)
            return false;
        if (memcmp(p, word, m) == 0 && (p == s || !wordchar(p[-1])) &&
            (p + m == end || !wordchar(p[m])))
            return true;
    }
    return false;
}

void api_globals(lua_State *L, const char *s, size_t n)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, GLOBALS);
    for (size_t i = 0; i < COUNT(lazy); i++) {
        const char *name = lazy[i].name;
        bool done = lua_getfield(L, -1, name) != LUA_TNIL;
        lua_pop(L, 1);
        if (done || !mentions(s, n, name))
            continue;
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, name); /* first: a module may name it too */
        api_require(L, lazy[i].module);
        lua_getfield(L, LUA_REGISTRYINDEX, OWN);
        lua_pushvalue(L, -2);
        lua_setfield(L, -2, name);
        lua_pop(L, 1);
        lua_pushglobaltable(L);
        lua_insert(L, -2);
        lua_pushstring(L, name);
        lua_insert(L, -2);
        lua_rawset(L, -3);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* ----------------------------------------------------------------------- */

/* TileLang's module names, for programs that know it: require "tilelang" */
static int f_tilelang(lua_State *L)
{
    bool language = strcmp(luaL_checkstring(L, 1), "tilelang.language") == 0;
    api_require(L, language ? "moontile.T" : "moontile.tl");
    return 1;
}

static const luaL_Reg tilelang[] = {
    {"tilelang", f_tilelang}, {"tilelang.language", f_tilelang}, {NULL, NULL},
};

/* moontile.config: what the command line says, for the modules that ask: lang, colour, json,
 * target, and the user's settings, style; empty unless the program has filled it. */
int luaopen_moontile_config(lua_State *L)
{
    lua_newtable(L);
    return 1;
}

/* moontile.version: "0.2.0" */
int luaopen_moontile_version(lua_State *L)
{
    lua_pushliteral(L, MOONTILE_VERSION);
    return 1;
}

void api_use(const luaL_Reg *list)
{
    size_t n = 0;
    while (n < COUNT(lists) && lists[n])
        n++;
    assert(n < COUNT(lists));
    lists[n] = list;
}

/* What OWN is: a copy of the globals, which looks for what it lacks among them. */
static void copy_globals(lua_State *L)
{
    lua_newtable(L);
    lua_pushglobaltable(L);
    for (lua_pushnil(L); lua_next(L, -2);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -5);
    }
    lua_createtable(L, 0, 1);
    lua_insert(L, -2);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, OWN);
}

void api_open(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    for (size_t i = 0; i < COUNT(lists) && lists[i]; i++)
        luaL_setfuncs(L, lists[i], 0);
    luaL_setfuncs(L, tilelang, 0);
    lua_pop(L, 1);
    lua_getglobal(L, "require");
    lua_setfield(L, LUA_REGISTRYINDEX, REQUIRE);
    /* second, so that package.preload still comes first */
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "searchers");
    for (lua_Integer i = luaL_len(L, -1); i >= 2; i--) {
        lua_rawgeti(L, -1, i);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushcfunction(L, f_searcher);
    lua_rawseti(L, -2, 2);
    lua_pop(L, 2);
    load_open(L);
    copy_globals(L);
    api_require(L, "moontile.diag"); /* errors of all the others are its objects */
    lua_pop(L, 1);
}
