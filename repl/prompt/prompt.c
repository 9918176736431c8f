/* repl/prompt/prompt.c: the session at a terminal: read, run, print.
 *
 * An input is run as a chunk named "=in:N"; its text is kept, so that errors
 * that say in:7:1 can show the line.  Lines that are no Lua are modes.c's. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/base/clock.h"
#include "core/base/disk.h"
#include "lua/state/api.h"
#include "lua/term/interrupt.h"
#include "repl/edit/line.h"
#include "prompt.h"
#include "report.h"
#include "session.h"

/* Texts -------------------------------------------------------------------- */

static const char *const banner[NLang] = {
    ": GPU tile kernels, typed and run.  Ctrl-D leaves.\n"
    "Type  :tour  (ten steps)   :load quickstart  (a first kernel)   :help\n",
    "：输入即运行的 GPU 分块内核。Ctrl-D 退出。\n"
    "可输入  :tour （十步导览）  :load quickstart （第一个内核）  :help\n",
};

/* Compiling an input ---------------------------------------------------------- */

enum CompiledChunk { Ready, Incomplete, Wrong };

/* Leaves the function, or the error, on the stack. */
static enum CompiledChunk prompt_compile(Prompt *p, const char *text, const char *chunk, bool *expr)
{
    lua_State *L = p->L;
    lua_pushcfunction(L, input_compile);
    lua_pushstring(L, text);
    lua_pushstring(L, chunk);
    if (caught_pcall(L, 2, 3) != LUA_OK)
        return Wrong;
    if (!lua_isnil(L, -3)) {
        *expr = lua_toboolean(L, -2);
        lua_pop(L, 2);
        return Ready;
    }
    bool more = lua_toboolean(L, -1);
    lua_pop(L, 1);
    lua_remove(L, -2);
    return more ? Incomplete : Wrong;
}

/* Running it --------------------------------------------------------------------- */

/* Prints its arguments: one line when they are short, else one below another;
 * keeps the first as _ and _N.  Upvalue 1: N. */
static int f_show(lua_State *L)
{
    int n = lua_gettop(L);
    bool lines = false;
    locals_push(L);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "_");
    lua_pushfstring(L, "_%I", lua_tointeger(L, lua_upvalueindex(1)));
    lua_pushvalue(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    for (int i = 1; i <= n; i++) {
        lua_settop(L, n);
        api_require(L, "moontile.repl.pretty");
        lua_getfield(L, -1, "result");
        lua_pushvalue(L, i);
        lua_call(L, 1, 1);
        lua_replace(L, i);
        lines = lines || strchr(lua_tostring(L, i), '\n');
    }
    for (int i = 1; i <= n; i++) {
        size_t len;
        const char *s = lua_tolstring(L, i, &len);
        fwrite(s, 1, len, stdout);
        fputs(i == n || lines ? "\n" : "\t", stdout);
    }
    return 0;
}

/* Does the session's field `timing` ask for a time after each input? */
static bool timing(lua_State *L)
{
    prompt_field(L, "timing");
    bool on = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return on;
}

static bool muted(const char *text)
{
    size_t n = strlen(text);
    while (n && strchr(" \t\n", text[n - 1]))
        n--;
    return n && text[n - 1] == ';';
}

/* Failing --------------------------------------------------------------------------- */

/* Pushes the set of the codes whose long text was offered. */
static void push_offered(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "moontile.offered");
}

/* (error) -> the line that offers the long text of its message, once for each,
 * where there is one; or nothing */
static int f_offer(lua_State *L)
{
    static const char *const text[NLang] = {
        "      (:explain %s says more)", "      （:explain %s 有更多说明）",
    };
    if (!luaL_testudata(L, 1, DIAG_TYPE) || lua_getfield(L, 1, "code") != LUA_TSTRING)
        return 0;
    push_offered(L);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, 3) != LUA_TNIL)
        return 0;
    api_require(L, "moontile.repl.errors");
    lua_getfield(L, -1, "more");
    lua_pushvalue(L, 2);
    lua_call(L, 1, 1);
    if (!lua_toboolean(L, -1))
        return 0;
    lua_pushvalue(L, 2);
    lua_pushboolean(L, true);
    lua_rawset(L, 3);
    lua_pushfstring(L, text[diag_getlang(L)], lua_tostring(L, 2));
    return 1;
}

static void offer(Prompt *p)
{
    lua_State *L = p->L;
    int base = lua_gettop(L);
    bool colour = colour_on(p->o, stderr);
    lua_pushcfunction(L, f_offer);
    lua_pushvalue(L, base);
    if (p->tty && lua_pcall(L, 1, 1, 0) == LUA_OK && lua_isstring(L, -1))
        fprintf(stderr, "%s%s%s\n", colour ? "\033[2m" : "", lua_tostring(L, -1),
                colour ? "\033[m" : "");
    lua_settop(L, base);
}

/* (error): keeps it as session.error */
static int f_keep_error(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, "moontile.prompt");
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "error");
    return 0;
}

/* Below the ^C that the terminal echoed; what a paste would run next does not. */
void prompt_failed(Prompt *p)
{
    lua_State *L = p->L;
    bool stopped = interrupt_seen();
    if (stopped && p->tty)
        fputs("\n", stderr);
    if (stopped)
        line_forget_pasted();
    report_error(L, p->o, -1);
    lua_pushcfunction(L, f_keep_error);
    lua_pushvalue(L, -2);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK)
        lua_pop(L, 1);
    if (!stopped)
        offer(p);
    p->failed = true;
}

/* ---------------------------------------------------------------------------------- */

/* Said instead of nil, when the input is one word that Python or a shell has: the way out, help. */
static bool tell_word(Prompt *p, const char *text)
{
    lua_State *L = p->L;
    char name[32];
    text += strspn(text, " \t\n");
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    if (n >= sizeof name || text[n + strspn(text + n, " \t\n")])
        return false;
    memcpy(name, text, n);
    name[n] = '\0';
    const char *here = habit_word(name);
    if (!here)
        return false;
    int top = lua_gettop(L);
    api_require(L, "moontile.diag");
    lua_getfield(L, -1, "at");
    lua_pushstring(L, *here ? "word_python" : "word_needless");
    lua_pushnil(L);
    lua_pushinteger(L, 0);
    lua_pushinteger(L, 0);
    lua_pushstring(L, name);
    lua_pushstring(L, here);
    if (lua_pcall(L, 6, 1, 0) == LUA_OK)
        report_error(L, p->o, -1);
    lua_settop(L, top);
    return true;
}

/* Runs the compiled input on top of the stack and prints its results. */
static void evaluate(Prompt *p, const char *text, bool expr)
{
    lua_State *L = p->L;
    int base = lua_gettop(L) - 1;
    double t0 = clock_s();
    int status = locals_pcall(L, LUA_MULTRET);
    double ms = (clock_s() - t0) * 1e3;
    int n = lua_gettop(L) - base;
    p->results = status == LUA_OK ? n : 0;
    bool told = status == LUA_OK && expr && n == 1 && lua_isnil(L, -1) && tell_word(p, text);
    if (status == LUA_OK && n > 0 && !told && !(expr && muted(text))) {
        lua_pushinteger(L, p->number);
        lua_pushcclosure(L, f_show, 1);
        lua_insert(L, base + 1);
        status = caught_pcall(L, n, 0);
    }
    if (status != LUA_OK)
        prompt_failed(p);
    lua_settop(L, base);
    if (timing(L))
        printf("%.3f ms\n", ms);
}

/* After an input ------------------------------------------------------------------- */

/* (kind, text, ok, number | nil, results | nil): calls session.after */
static int f_after(lua_State *L)
{
    static const char *const names[] = {"kind", "text", "ok", "number", "results"};
    lua_settop(L, 5);
    api_require(L, "moontile.repl.journal"); /* the first of them */
    lua_settop(L, 5);
    if (prompt_field(L, "after") != LUA_TTABLE)
        return 0;
    lua_createtable(L, 0, (int)COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++) {
        lua_pushvalue(L, (int)i + 1);
        lua_setfield(L, 7, names[i]);
    }
    for (lua_Integer i = 1; lua_rawgeti(L, 6, i) != LUA_TNIL; i++) {
        lua_pushvalue(L, 7);
        lua_call(L, 1, 0);
    }
    return 0;
}

void prompt_after(Prompt *p, const char *kind, const char *text, int number)
{
    lua_State *L = p->L;
    lua_settop(L, p->base);
    lua_pushcfunction(L, f_after);
    lua_pushstring(L, kind);
    lua_pushstring(L, text);
    lua_pushboolean(L, !p->failed);
    lua_pushinteger(L, number);
    lua_pushinteger(L, p->results);
    if (!number)
        lua_pop(L, 2);
    interrupt_begin(L, true); /* anew: a Ctrl-C was for the input */
    if (caught_pcall(L, number ? 5 : 3, 0) != LUA_OK)
        report_error(L, p->o, -1);
    interrupt_end(L);
    lua_settop(L, p->base);
}

/* The loop -------------------------------------------------------------------------- */

/* Compiles text as input N; when it is complete, remembers and runs it.  at_end:
 * no more can come, so that an incomplete one is an error. */
/* A history that its file does not take is told once. */
static void tell_history(Prompt *p)
{
    lua_State *L = p->L;
    const char *why = entries_trouble();
    int top = lua_gettop(L);
    if (!why)
        return;
    api_require(L, "moontile.diag");
    lua_getfield(L, -1, "at");
    lua_pushstring(L, "history_lost");
    lua_pushnil(L);
    lua_pushinteger(L, 0);
    lua_pushinteger(L, 0);
    lua_pushstring(L, why);
    if (lua_pcall(L, 5, 1, 0) == LUA_OK)
        report_error(L, p->o, -1);
    lua_settop(L, top);
}

/* Is the error on top of the stack the one of that name? */
static bool failed_as(lua_State *L, const char *id)
{
    if (!luaL_testudata(L, -1, DIAG_TYPE))
        return false;
    lua_getfield(L, -1, "id");
    const char *is = lua_tostring(L, -1);
    bool same = is && strcmp(is, id) == 0;
    lua_pop(L, 1);
    return same;
}

/* A line that is not Lua, of a pipe: when it and what comes behind it are a program in Python,
 * its error replaces that of the line, for all of them.  The text then, malloc'd; or NULL. */
static char *python_ahead(Prompt *p, const char *text, const char *chunk)
{
    lua_State *L = p->L;
    bool foreign = failed_as(L, "lex_foreign") || failed_as(L, "syn_import");
    char *ahead = foreign && !p->tty ? line_ahead() : NULL;
    Str all = {0};
    bool expr;
    if (!ahead)
        return NULL;
    str_fmt(&all, "%s\n%s", text, ahead);
    int top = lua_gettop(L);
    if (all.s && !all.bad && prompt_compile(p, all.s, chunk, &expr) == Wrong &&
        failed_as(L, "syn_python")) {
        lua_replace(L, top);
        free(ahead);
        return all.s;
    }
    lua_settop(L, top);
    str_free(&all);
    line_back(ahead);
    return NULL;
}

static enum CompiledChunk try_input(Prompt *p, const char *text, bool at_end)
{
    lua_State *L = p->L;
    bool expr = false;
    char chunk[32];
    snprintf(chunk, sizeof chunk, "=in:%d", p->number);
    interrupt_begin(L, true);
    enum CompiledChunk c = prompt_compile(p, text, chunk, &expr);
    if (c == Incomplete && at_end)
        c = Wrong;
    char *all = c == Wrong ? python_ahead(p, text, chunk) : NULL;
    text = all ? all : text;
    if (c != Incomplete) {
        p->failed = false;
        p->results = 0;
        load_keep(L, chunk, text, strlen(text));
        line_remember(text);
        tell_history(p);
        if (c == Ready)
            evaluate(p, text, expr);
        else
            prompt_failed(p);
    }
    interrupt_end(L);
    if (c != Incomplete)
        prompt_after(p, "input", text, p->number++);
    free(all);
    lua_settop(L, p->base);
    return c;
}

/* Runs the text when it is a whole input.  first: it is one line so far, which
 * may be no Lua, or blank. */
static bool run_text(Prompt *p, const char *text, bool first)
{
    if (first && (!text[strspn(text, " \t\r\n")] || mode_run(p, text)))
        return true;
    return try_input(p, text, false) != Incomplete;
}

/* Reads one input of as many lines as it needs, and runs it.  False at the
 * end of all input. */
static bool one_input(Prompt *p)
{
    Str text = {0};
    char *line;
    for (bool more = false, done = false; !done; more = true) {
        enum LineResult r = line_read(more, &line);
        if (r == LineDrop)
            break;
        if (r == LineEof) {
            if (more)
                try_input(p, text.s, true);
            str_free(&text);
            return more && p->tty;
        }
        if (more)
            str_puts(&text, "\n");
        str_puts(&text, line);
        free(line);
        done = text.bad || !text.s || run_text(p, text.s, !more);
    }
    str_free(&text);
    return true;
}

/* $XDG_CONFIG_HOME/moontile/init.lua; when it fails, that is said and the
 * session goes on. */
static void run_init(Prompt *p)
{
    char *path = xdg_path("XDG_CONFIG_HOME", ".config", "init.lua", false);
    if (path && access(path, R_OK) == 0) {
        lua_State *L = p->L;
        interrupt_begin(L, true);
        if (load_file(L, path) != LUA_OK || caught_pcall(L, 0, 0) != LUA_OK)
            report_error(L, p->o, -1);
        interrupt_end(L);
        lua_settop(L, p->base);
    }
    free(path);
}

/* While somebody types, the device can start. */
static void warm_device(Prompt *p)
{
    api_require(p->L, "moontile.tl.device");
    lua_getfield(p->L, -1, "warm");
    if (caught_pcall(p->L, 0, 0) != LUA_OK)
        report_error(p->L, p->o, -1);
    lua_settop(p->L, p->base);
}

int prompt_run(lua_State *L, const ReplOptions *o)
{
    Prompt p = {.L = L, .own = *o, .number = 1, .base = lua_gettop(L)};
    p.o = &p.own;
    p.tty = isatty(STDIN_FILENO);
    void (*old)(int) = signal(SIGINT, SIG_IGN); /* line.c and interrupt.c take it */
    if (p.tty) {
        printf("moontile %s, %s%s", MOONTILE_VERSION, LUA_RELEASE, banner[o->lang]);
        fflush(stdout);
    }
    prompt_module(&p);
    host_open(&p);
    line_open(&p.host, p.tty);
    if (!o->noenv)
        run_init(&p);
    if (p.tty)
        warm_device(&p);
    while (!p.quit && one_input(&p))
        ;
    signal(SIGINT, old);
    if (p.quit)
        return p.code;
    return p.failed && !p.tty ? ExitFailed : ExitOk;
}
