/* repl/prompt/modes.c: lines of the prompt that are no Lua: ":command", "?name" and
 * "name?", "!command of the shell". */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lauxlib.h>

#include "lua/state/api.h"
#include "lua/term/interrupt.h"
#include "report.h"
#include "repl/edit/scan.h"
#include "session.h"
#include "lua/term/tty.h"

/* Each takes the line, raises what should be shown as an error, and returns
 * nothing or a text that says why it refused. */

static int f_command(lua_State *L)
{
    api_require(L, "moontile.repl.commands");
    lua_getfield(L, -1, "run");
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

/* "?name", "name?"; with two signs in detail */
static int f_question(lua_State *L)
{
    const char *s = lua_tostring(L, 1);
    int signs = 0;
    s += strspn(s, " \t");
    for (; *s == '?'; s++)
        signs++;
    size_t n = strlen(s);
    for (; n && strchr(" \t\r\n?", s[n - 1]); n--)
        signs += s[n - 1] == '?';
    size_t blank = strspn(s, " \t");
    blank = blank < n ? blank : n;
    api_require(L, "moontile.help");
    lua_getfield(L, -1, "show");
    lua_pushlstring(L, s + blank, n - blank);
    lua_pushboolean(L, signs > 1);
    lua_call(L, 2, 1);
    return 1;
}

/* Goes to a folder; a shell of its own would only take itself there. */
static int f_cd(lua_State *L)
{
    const char *dir = luaL_checkstring(L, 1), *home = getenv("HOME");
    if (!dir[0] || strcmp(dir, "~") == 0)
        dir = home ? home : "/";
    else if (strncmp(dir, "~/", 2) == 0 && home)
        dir = lua_pushfstring(L, "%s%s", home, dir + 1);
    char *here = chdir(dir) == 0 ? getcwd(NULL, 0) : NULL;
    if (!here) {
        lua_pushfstring(L, "cd: %s: %s", dir, strerror(errno));
        return 1;
    }
    puts(here);
    free(here);
    return 0;
}

static int f_shell(lua_State *L)
{
    static const char *const status[NLang] = {"exit status %d", "退出状态 %d"};
    static const char *const empty[NLang] = {
        "! runs a command of the shell, as in  !ls", "! 运行 shell 命令，例如  !ls",
    };
    const char *s = lua_tostring(L, 1);
    s += strspn(s, " \t");
    s += 1 + strspn(s + 1, " \t");
    enum Lang lang = diag_getlang(L);
    if (!*s) {
        lua_pushstring(L, empty[lang]);
        return 1;
    }
    if (strcmp(s, "cd") == 0 || strncmp(s, "cd ", 3) == 0) {
        lua_pushcfunction(L, f_cd);
        s += s[2] ? 3 : 2;
        lua_pushstring(L, s + strspn(s, " "));
        lua_call(L, 1, 1);
        return 1;
    }
    int r = tty_shell(s, NULL);
    if (r == 128 + SIGINT) /* Ctrl-C: behind the ^C that the terminal echoed */
        putchar('\n');
    if (r == 0 || r == 128 + SIGINT)
        return 0;
    lua_pushfstring(L, status[lang], r);
    return 1;
}

static const struct { char sign; const char *kind; lua_CFunction run; } modes[] = {
    {':', "command", f_command}, {'?', "help", f_question}, {'!', "shell", f_shell},
};

bool mode_run(Prompt *p, const char *line)
{
    lua_State *L = p->L;
    char sign = scan_mode(line, strlen(line));
    size_t i = 0;
    while (i < COUNT(modes) && modes[i].sign != sign)
        i++;
    if (i == COUNT(modes))
        return false;
    line_remember(line);
    interrupt_begin(L, true);
    p->failed = false;
    lua_pushcfunction(L, modes[i].run);
    lua_pushstring(L, line);
    if (handled_pcall(L, 1, 1) != LUA_OK) {
        prompt_failed(p);
    } else if (lua_type(L, -1) == LUA_TSTRING) { /* refused: said in its own words */
        fflush(stdout);
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
        p->failed = true;
    }
    interrupt_end(L);
    prompt_after(p, modes[i].kind, line, 0);
    lua_settop(L, p->base);
    return true;
}
