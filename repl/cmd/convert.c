/* repl/cmd/convert.c: moontile convert FILE.py [-o FILE.lua]: TileLang's Python as a program in the dialect.
 *
 * What has no counterpart stays in the text as a comment and is told on stderr; the exit status is then 1. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "command.h"
#include "core/base/disk.h"
#include "lua/state/api.h"
#include "repl/prompt/report.h"

/* Pushes what stands in the file; false after a message. */
static bool push_file(lua_State *L, const ReplOptions *o, const char *name)
{
    FILE *f = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    luaL_Buffer b;
    size_t n = 1;
    luaL_buffinit(L, &b);
    while (f && n) {
        n = fread(luaL_prepbuffer(&b), 1, LUAL_BUFFERSIZE, f);
        luaL_addsize(&b, n);
    }
    bool ok = f && !ferror(f);
    int why = errno;
    if (f && f != stdin)
        fclose(f);
    luaL_pushresult(&b);
    if (!ok)
        usage_error(o->lang, SAYnofile, name, strerror(why), NULL);
    return ok;
}

/* Writes the string on top, the whole file or nothing; false after a message.  What the standard
 * output could not take is said at the end of the program. */
static bool put_file(lua_State *L, const ReplOptions *o)
{
    size_t n;
    const char *s = lua_tolstring(L, -1, &n);
    int why = 0;
    if (o->outdir)
        why = disk_write(o->outdir, s, n);
    else
        fwrite(s, 1, n, stdout);
    if (why)
        usage_error(o->lang, SAYnowrite, o->outdir, strerror(why), NULL);
    return !why;
}

/* (options) -> exit status */
static int f_convert(lua_State *L)
{
    const ReplOptions *o = lua_touserdata(L, 1);
    const char *name = o->argv[o->script];
    int code = ExitUsage;
    if (push_file(L, o, name)) {
        api_require(L, "moontile.pyreader");
        lua_getfield(L, -1, "convert");
        lua_pushvalue(L, 2);
        if (strcmp(name, "-") == 0)
            lua_pushliteral(L, "=stdin");
        else
            lua_pushfstring(L, "@%s", name);
        lua_call(L, 2, 3);
        if (!lua_isnil(L, -2))
            report_error(L, o, -2);
        code = lua_isnil(L, -3) || lua_tointeger(L, -1) ? ExitFailed : ExitOk;
        lua_pushvalue(L, -3);
        if (!lua_isnil(L, -1) && !put_file(L, o))
            code = ExitUsage;
    }
    lua_pushinteger(L, code);
    return 1;
}

int cmd_convert(lua_State *L, const ReplOptions *o)
{
    int top = lua_gettop(L), code;
    lua_pushcfunction(L, f_convert);
    lua_pushlightuserdata(L, (void *)(uintptr_t)o);
    if (handled_pcall(L, 1, 1) == LUA_OK) {
        code = (int)lua_tointeger(L, -1);
    } else {
        code = report_exit(L, -1);
        report_error(L, o, -1);
    }
    lua_settop(L, top);
    return code;
}
