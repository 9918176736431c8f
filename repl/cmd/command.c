/* repl/cmd/command.c: how commands run, and how a wrong command line is told. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <lua.h>

#include "command.h"
#include "lua/term/interrupt.h"
#include "lua/state/api.h"
#include "repl/prompt/report.h"

int command_call(lua_State *L, const ReplOptions *o, int narg)
{
    int base = lua_gettop(L) - narg - 1;
    interrupt_begin(L, false);
    int status = handled_pcall(L, narg, 0);
    bool hit = interrupt_end(L);
    int code = status == LUA_OK ? ExitOk : hit ? ExitInterrupt : report_exit(L, -1);
    if (status != LUA_OK)
        report_error(L, o, -1);
    lua_settop(L, base);
    return code;
}

bool command_readable(const ReplOptions *o)
{
    const char *file = o->argv[o->script];
    if (access(file, R_OK) == 0)
        return true;
    usage_error(o->lang, SAYnofile, file, strerror(errno), NULL);
    return false;
}

/* Wrong command lines --------------------------------------------------------- */

static const char *const says[NSay][NLang] = {
#define SAY(id, en, zh) [SAY##id] = {en, zh},
#include "repl/flags.h"
};

void usage_error(enum Lang lang, enum Say what, const char *a, const char *b, const char *c)
{
    Str out = {0};
    Diag d = {.arg = {a, b, c}};
    str_puts(&out, "moontile: ");
    diag_text(&out, &d, says[what][lang], lang);
    diag_text(&out, &d, says[SAYtry][lang], lang);
    fprintf(stderr, "%s\n", out.s ? out.s : "moontile");
    str_free(&out);
}
