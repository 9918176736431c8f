/* lua/embed.c: finding the Lua sources that are part of the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "api.h"

typedef struct Embedded {
    const char *path;
    const unsigned char *text; /* NUL-terminated */
    size_t n;
    const unsigned char *code; /* compiled by our Lua, where the text is plain Lua */
    size_t ncode;
} Embedded;

#include "embedded.h" /* static const Embedded embedded[], made by the build */

/* The directory that overrides, or NULL; -E ignores the environment. */
static const char *override(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "LUA_NOENV");
    bool noenv = lua_toboolean(L, -1);
    lua_pop(L, 1);
    const char *dir = noenv ? NULL : getenv("MOONTILE_LUA_PATH");
    return dir && dir[0] ? dir : NULL;
}

int embed_list(lua_State *L, const char *prefix)
{
    size_t n = strlen(prefix);
    lua_Integer k = 0;
    lua_newtable(L);
    for (size_t i = 0; embedded[i].path; i++)
        if (strncmp(embedded[i].path, prefix, n) == 0) {
            lua_pushstring(L, embedded[i].path);
            lua_rawseti(L, -2, ++k);
        }
    return 1;
}

const char *embed_override(lua_State *L) { return override(L); }

const char *embed_find(lua_State *L, const char *path, size_t *n)
{
    const char *dir = override(L);
    if (dir) {
        const char *file = lua_pushfstring(L, "%s/%s", dir, path);
        FILE *f = fopen(file, "rb");
        lua_pop(L, 1);
        if (f) {
            bool ok = load_slurp(L, f);
            fclose(f);
            if (ok)
                return lua_tolstring(L, -1, n);
            lua_pop(L, 1);
        }
    }
    for (size_t i = 0; embedded[i].path; i++)
        if (strcmp(embedded[i].path, path) == 0) {
            lua_pushnil(L);
            *n = embedded[i].n;
            return (const char *)embedded[i].text;
        }
    return NULL;
}

const char *embed_code(lua_State *L, const char *path, size_t *n)
{
    if (override(L)) /* its files may be others than ours */
        return NULL;
    for (size_t i = 0; embedded[i].path; i++)
        if (strcmp(embedded[i].path, path) == 0) {
            *n = embedded[i].ncode;
            return *n ? (const char *)embedded[i].code : NULL;
        }
    return NULL;
}
