/* repl/cmd/onfile.c: the commands that run FILE for its kernels: check, compile, explain, bench.
 * Each is a module with run{file =, target =, json = ...}. */
#include <sys/stat.h>

#include <lua.h>

#include "command.h"
#include "lua/state/api.h"

/* Pushes run of the module and what all of them are told. */
static void push_run(lua_State *L, const ReplOptions *o, const char *module)
{
    api_require(L, module);
    lua_getfield(L, -1, "run");
    lua_createtable(L, 0, 5);
    lua_pushstring(L, o->argv[o->script]);
    lua_setfield(L, -2, "file");
    lua_pushstring(L, o->target);
    lua_setfield(L, -2, "target");
    lua_pushboolean(L, o->json);
    lua_setfield(L, -2, "json");
}

/* moontile check FILE: FILE with launches left out, then each kernel in the simulator. */
int cmd_check(lua_State *L, const ReplOptions *o)
{
    if (!command_readable(o))
        return ExitUsage;
    push_run(L, o, "moontile.tl.checkfile");
    int code = command_call(L, o, 1);
    if (code == ExitOk && lua_getfield(L, -1, "ok") == LUA_TBOOLEAN && !lua_toboolean(L, -1))
        code = ExitFailed;
    return code;
}

/* moontile compile FILE --emit KIND [-o DIR]: FILE with launches replaced by writing. */
int cmd_compile(lua_State *L, const ReplOptions *o)
{
    if (!command_readable(o))
        return ExitUsage;
    if (o->outdir)
        mkdir(o->outdir, 0777); /* when it cannot be, writing there says so */
    push_run(L, o, "moontile.tl.emit");
    lua_pushstring(L, o->emit);
    lua_setfield(L, -2, "emit");
    lua_pushstring(L, o->outdir);
    lua_setfield(L, -2, "outdir");
    return command_call(L, o, 1);
}

/* moontile explain FILE: what each kernel costs; nothing is launched. */
int cmd_explain(lua_State *L, const ReplOptions *o)
{
    if (!command_readable(o))
        return ExitUsage;
    push_run(L, o, "moontile.repl.explainfile");
    return command_call(L, o, 1);
}

/* moontile bench FILE: how long each kernel takes. */
int cmd_bench(lua_State *L, const ReplOptions *o)
{
    if (!command_readable(o))
        return ExitUsage;
    push_run(L, o, "moontile.tl.benchfile");
    return command_call(L, o, 1);
}
