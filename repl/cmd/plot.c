/* repl/cmd/plot.c: moontile plot FILE|EXPRESSION [WHAT] ['{OPTIONS}'] [--kernel NAME]
 * [--svg PATH] [--json] [--width N].
 *
 * moontile.layout_viz.shell does it: FILE is run with its launches left out, and its
 * kernels are plotted; what names no file is an expression. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/state/api.h"
#include "command.h"

/* Does s look like the name of a file, rather than like an expression? */
static bool names_file(const char *s)
{
    size_t n = strlen(s);
    return (n > 4 && strcmp(s + n - 4, ".lua") == 0) ||
           (strchr(s, '/') && !strpbrk(s, " (){}[]\""));
}

/* Can s be read as a file?  errno says why not. */
static bool is_file(const char *s)
{
    FILE *f = fopen(s, "r");
    bool ok = f && (fgetc(f) != EOF || !ferror(f)); /* a folder opens, and cannot be read */
    int why = errno;
    if (f)
        fclose(f);
    errno = why;
    return ok;
}

int cmd_plot(lua_State *L, const ReplOptions *o)
{
    const char *subject = o->argv[o->script];
    bool file = is_file(subject);
    int why = errno;
    if (!file && (names_file(subject) || access(subject, F_OK) == 0)) {
        usage_error(o->lang, SAYnofile, subject, strerror(why), NULL);
        return ExitUsage;
    }
    api_require(L, "moontile.layout_viz.shell");
    lua_getfield(L, -1, "run");
    lua_createtable(L, 0, 8);
    field_text(L, file ? "file" : "expression", subject);
    lua_createtable(L, o->nmore, 0);
    for (int i = 0; i < o->nmore; i++) {
        lua_pushstring(L, o->argv[o->more[i]]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "words");
    field_text(L, "kernel", o->kernel);
    field_text(L, "svg", o->svg);
    field_text(L, "target", o->target);
    lua_pushboolean(L, o->json);
    lua_setfield(L, -2, "json");
    if (o->width) {
        lua_pushinteger(L, o->width);
        lua_setfield(L, -2, "width");
    }
    return command_call(L, o, 1);
}
