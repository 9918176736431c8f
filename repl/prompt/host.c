/* repl/prompt/host.c: what the line editor asks of the session.
 *
 * These run while a line is edited: nothing that Lua does here may leave the
 * editor, and Ctrl-C stops it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "core/base/clock.h"
#include "lua/state/api.h"
#include "lua/term/interrupt.h"
#include "report.h"
#include "session.h"
#include "lua/term/tty.h"

/* Calls the function below narg arguments.  False, with nothing on the stack,
 * when it failed: what helps while typing must not disturb.  A Ctrl-C that
 * stopped it is for the line, too. */
static bool host_ask(Prompt *p, int narg, int nres)
{
    lua_State *L = p->L;
    interrupt_begin(L, true);
    tty_open_signals();
    bool ok = lua_pcall(L, narg, nres, 0) == LUA_OK;
    tty_close_signals();
    if (interrupt_end(L))
        raise(SIGINT);
    if (!ok)
        lua_settop(L, p->base);
    return ok;
}

static enum Lang lang(void *ud)
{
    Prompt *p = ud;
    return diag_getlang(p->L);
}

/* Prompts and settings --------------------------------------------------------------- */

/* (number, more, python) -> the prompt: _PROMPT or _PROMPT2 when the user has set it,
 * else the number of the input and the language if it is not Lua, or "" when more is wanted */
static int f_prompt(lua_State *L)
{
    bool more = lua_toboolean(L, 2);
    if (lua_getglobal(L, more ? "_PROMPT2" : "_PROMPT") != LUA_TNIL)
        luaL_tolstring(L, -1, NULL);
    else if (more)
        lua_pushliteral(L, "");
    else
        lua_pushfstring(L, "%s%I> ", lua_toboolean(L, 3) ? "py " : "", lua_tointeger(L, 1));
    return 1;
}

static void prompt(void *ud, bool more, Str *out)
{
    Prompt *p = ud;
    lua_State *L = p->L;
    lua_pushcfunction(L, f_prompt);
    lua_pushinteger(L, p->number);
    lua_pushboolean(L, more);
    lua_pushboolean(L, p->python);
    if (host_ask(p, 3, 1))
        str_puts(out, lua_tostring(L, -1));
    else
        str_puts(out, more ? "" : "> ");
    lua_settop(L, p->base);
}

/* (name) -> is it on?  Settings are fields of moontile.config.style; what is not
 * set is on. */
static int f_setting(lua_State *L)
{
    api_require(L, "moontile.config");
    bool on = true;
    if (lua_getfield(L, -1, "style") == LUA_TTABLE) {
        lua_pushvalue(L, 1);
        on = lua_rawget(L, -2) != LUA_TBOOLEAN || lua_toboolean(L, -1);
    }
    lua_pushboolean(L, on);
    return 1;
}

static bool setting(void *ud, const char *name)
{
    Prompt *p = ud;
    lua_pushcfunction(p->L, f_setting);
    lua_pushstring(p->L, name);
    bool on = !host_ask(p, 1, 1) || lua_toboolean(p->L, -1);
    lua_settop(p->L, p->base);
    return on;
}

/* While typing ---------------------------------------------------------------------- */

/* (text, whole, python) -> enum LineState */
static int f_host_state(lua_State *L)
{
    lua_settop(L, 3);
    lua_pushliteral(L, "=in");
    lua_insert(L, 2);
    lua_pushcfunction(L, language_compile);
    lua_insert(L, 1);
    lua_call(L, 4, LUA_MULTRET);
    enum LineState s = !lua_isnil(L, 1) ? LineReady : lua_toboolean(L, 3) ? LineMore : LineWrong;
    lua_pushinteger(L, (lua_Integer)s);
    return 1;
}

static enum LineState host_state(void *ud, const char *text, bool whole)
{
    Prompt *p = ud;
    lua_pushcfunction(p->L, f_host_state);
    lua_pushstring(p->L, text);
    lua_pushboolean(p->L, whole);
    lua_pushboolean(p->L, p->python);
    enum LineState s = LineWrong;
    if (host_ask(p, 3, 1))
        s = (enum LineState)lua_tointeger(p->L, -1);
    lua_settop(p->L, p->base);
    return s;
}

static bool host_python(void *ud, const char *text, size_t n)
{
    return language_python(ud, text, n);
}

/* Pushes the function of moontile.repl.assist. */
static void push_assist(lua_State *L, const char *name)
{
    api_require(L, "moontile.repl.assist");
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

/* (text, point, Choices *) */
static int f_complete(lua_State *L)
{
    Choices *out = lua_touserdata(L, 3);
    lua_settop(L, 2);
    push_assist(L, "complete");
    lua_insert(L, 1);
    lua_call(L, 2, 1);
    lua_getfield(L, 1, "from");
    lua_Integer from = lua_tointeger(L, -1);
    out->from = from < 0 ? 0 : (size_t)from;
    lua_getfield(L, 1, "list");
    luaL_checktype(L, -1, LUA_TTABLE);
    for (lua_Integer i = 1; lua_rawgeti(L, 3, i) == LUA_TTABLE; i++) {
        lua_getfield(L, -1, "text");
        lua_getfield(L, -2, "note");
        if (lua_isstring(L, -2))
            choices_add(out, lua_tostring(L, -2), lua_tostring(L, -1));
        lua_settop(L, 3);
    }
    return 0;
}

static void complete(void *ud, const char *text, size_t point, Choices *out)
{
    Prompt *p = ud;
    lua_State *L = p->L;
    lua_pushcfunction(L, f_complete);
    lua_pushstring(L, text);
    lua_pushinteger(L, (lua_Integer)point);
    lua_pushlightuserdata(L, out);
    if (!host_ask(p, 3, 0))
        choices_free(out);
}

/* (text, point, columns) -> the signature of the open call, or nil */
static int f_hint(lua_State *L)
{
    push_assist(L, "hint");
    lua_insert(L, 1);
    lua_call(L, 3, 1);
    return 1;
}

static void host_hint(void *ud, const char *text, size_t point, int columns, Str *out)
{
    Prompt *p = ud;
    lua_State *L = p->L;
    lua_pushcfunction(L, f_hint);
    lua_pushstring(L, text);
    lua_pushinteger(L, (lua_Integer)point);
    lua_pushinteger(L, columns);
    if (host_ask(p, 3, 1) && lua_type(L, -1) == LUA_TSTRING)
        str_puts(out, lua_tostring(L, -1));
    lua_settop(L, p->base);
}

/* Loads what the first Tab and the first open call would wait for. */
static void host_warm(void *ud)
{
    Prompt *p = ud;
    Choices c = {0};
    Str s = {0};
    host_hint(p, "T.gemm(", 7, 80, &s);
    complete(p, "T.gem", 5, &c);
    choices_free(&c);
    str_free(&s);
}

static int f_suggestion(lua_State *L)
{
    prompt_field(L, "suggestion");
    return 1;
}

static void suggest(void *ud, const char *text, Str *out)
{
    Prompt *p = ud;
    lua_State *L = p->L;
    size_t n = strlen(text);
    lua_pushcfunction(L, f_suggestion);
    if (host_ask(p, 0, 1) && lua_type(L, -1) == LUA_TSTRING &&
        strncmp(lua_tostring(L, -1), text, n) == 0)
        str_puts(out, lua_tostring(L, -1) + n);
    lua_settop(L, p->base);
}

/* Outside of editing ------------------------------------------------------------------ */

/* Runs the function below narg arguments; its error is shown: then false. */
static bool run_aside(Prompt *p, int narg)
{
    interrupt_begin(p->L, true);
    bool ok = handled_pcall(p->L, narg, 0) == LUA_OK;
    if (!ok)
        prompt_failed(p);
    interrupt_end(p->L);
    lua_settop(p->L, p->base);
    return ok;
}

/* (name): prints what is known of it, or why nothing is */
static int f_help(lua_State *L)
{
    api_require(L, "moontile.help");
    lua_getfield(L, -1, "show");
    lua_pushvalue(L, 1);
    lua_pushboolean(L, false);
    lua_call(L, 2, 1);
    if (lua_type(L, -1) == LUA_TSTRING)
        puts(lua_tostring(L, -1));
    return 0;
}

static void help(void *ud, const char *name)
{
    Prompt *p = ud;
    lua_pushcfunction(p->L, f_help);
    lua_pushstring(p->L, name);
    run_aside(p, 1);
}

static int host_watch(void *ud, struct pollfd *fd, int max, double *seconds)
{
    Prompt *p = ud;
    int n = 0;
    *seconds = -1;
    for (int i = 0; i < Waiters; i++) {
        const Waiter *w = &p->waiter[i];
        if (w->id && w->fd >= 0 && n < max)
            fd[n++] = (struct pollfd){.fd = w->fd, .events = POLLIN};
        if (w->id && w->seconds >= 0) {
            double left = w->at - clock_s();
            left = left > 0 ? left : 0;
            *seconds = *seconds < 0 || left < *seconds ? left : *seconds;
        }
    }
    return n;
}

/* Does its ready() say so, or has it none?  One that fails counts as ready:
 * then its function runs, and fails in the open. */
static bool is_ready(Prompt *p, const Waiter *w)
{
    if (w->ready == LUA_NOREF)
        return true;
    lua_rawgeti(p->L, LUA_REGISTRYINDEX, w->ready);
    bool yes = !host_ask(p, 0, 1) || lua_toboolean(p->L, -1);
    lua_settop(p->L, p->base);
    return yes;
}

static bool host_readable(const struct pollfd *fd, int n, int which)
{
    for (int i = 0; i < n; i++)
        if (fd[i].fd == which && fd[i].revents)
            return true;
    return false;
}

static bool host_due(void *ud, const struct pollfd *fd, int n)
{
    Prompt *p = ud;
    bool any = false;
    for (int i = 0; i < Waiters; i++) {
        Waiter *w = &p->waiter[i];
        bool late = w->id && w->seconds >= 0 && clock_s() >= w->at;
        w->due = w->id && (late || host_readable(fd, n, w->fd)) && is_ready(p, w);
        if (late)
            w->at = clock_s() + w->seconds;
        any = any || w->due;
    }
    return any;
}

/* A function that fails is not called again. */
static void host_wake(void *ud)
{
    Prompt *p = ud;
    for (int i = 0; i < Waiters; i++) {
        Waiter *w = &p->waiter[i];
        int id = w->id;
        if (!id || !w->due)
            continue;
        w->due = false;
        lua_rawgeti(p->L, LUA_REGISTRYINDEX, w->f);
        if (!run_aside(p, 0) && w->id == id)
            prompt_forget(p, w);
    }
}

void host_open(Prompt *p)
{
    p->host = (LineHost){
        .ud = p,
        .lang = lang,
        .prompt = prompt,
        .setting = setting,
        .state = host_state,
        .python = host_python,
        .complete = complete,
        .hint = host_hint,
        .suggest = suggest,
        .help = help,
        .warm = host_warm,
        .watch = host_watch,
        .due = host_due,
        .wake = host_wake,
    };
    p->host.colour = colour_on(p->o, stdout);
    if (!api_has(p->L, "moontile.repl.assist")) {
        p->host.complete = NULL;
        p->host.hint = NULL;
        p->host.warm = NULL;
    }
    if (!api_has(p->L, "moontile.help"))
        p->host.help = NULL;
}
