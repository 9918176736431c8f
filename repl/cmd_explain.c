/* repl/cmd_explain.c: moontile explain FILE [-t TARGET] [--json]: what each kernel of
 * FILE costs, as repl/explainfile.lua says it; nothing is launched. */
#include <lua.h>

#include "../lua/api.h"
#include "options.h"

int cmd_explain(lua_State *L, const Options *o)
{
    const char *file = o->argv[o->script];
    if (!command_readable(o))
        return ExitUsage;
    api_require(L, "moontile.repl.explainfile");
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
