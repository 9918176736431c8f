/* repl/cmd_bench.c: moontile bench FILE [-t TARGET] [--json]: how long each kernel of FILE
 * takes, as lua/tl/benchfile.lua measures it. */
#include <lua.h>

#include "../lua/api.h"
#include "options.h"

int cmd_bench(lua_State *L, const Options *o)
{
    const char *file = o->argv[o->script];
    if (!command_readable(o))
        return ExitUsage;
    api_require(L, "moontile.tl.benchfile");
    lua_getfield(L, -1, "run");
    lua_createtable(L, 0, 3);
    lua_pushstring(L, file);
    lua_setfield(L, -2, "file");
    lua_pushstring(L, o->target);
    lua_setfield(L, -2, "target");
    lua_pushboolean(L, o->json);
    lua_setfield(L, -2, "json");
    return command_call(L, o, 1);
}
