/* lua/state/environ.c: moontile.environ: what a session says to the workers that it starts.
 *
 *   environ.set("MOONTILE_URL", "https://host:8411")     nil takes it away
 *
 * Only the names of the table below: scripts cannot change anything else. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "api.h"

static const char *const names[] = {
    "MOONTILE_URL", "MOONTILE_TOKEN_FILE", "MOONTILE_CACERT", NULL,
};

static int f_lenviron_set(lua_State *L)
{
    const char *name = names[luaL_checkoption(L, 1, NULL, names)];
    const char *value = luaL_optstring(L, 2, NULL);
    if ((value ? setenv(name, value, 1) : unsetenv(name)) != 0)
        return luaL_error(L, "out of memory");
    return 0;
}

static int f_lenviron_get(lua_State *L)
{
    const char *value = getenv(names[luaL_checkoption(L, 1, NULL, names)]);
    lua_pushstring(L, value && *value ? value : NULL);
    return 1;
}

static const luaL_Reg functions[] = {
    {"set", f_lenviron_set}, {"get", f_lenviron_get}, {NULL, NULL}};

int luaopen_moontile_environ(lua_State *L)
{
    luaL_newlib(L, functions);
    return 1;
}
