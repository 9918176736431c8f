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
#include "repl/edit/scan.h"
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

/* What an input turned out to be. */
typedef struct Compiled {
    enum CompiledChunk is;
    bool expr, python;
} Compiled;

/* Leaves the function, or the error, on the stack.  whole: nothing comes behind the text. */
static Compiled prompt_compile(Prompt *p, const char *text, const char *chunk, bool whole)
{
    lua_State *L = p->L;
    Compiled c = {.is = Wrong};
    lua_pushcfunction(L, language_compile);
    lua_pushstring(L, text);
    lua_pushstring(L, chunk);
    lua_pushboolean(L, whole);
    lua_pushboolean(L, p->python);
    if (handled_pcall(L, 4, 3) != LUA_OK)
        return c;
    if (!lua_isnil(L, -3)) {
        c = (Compiled){Ready, lua_toboolean(L, -2), lua_toboolean(L, -1)};
        lua_pop(L, 2);
        return c;
    }
    bool more = lua_toboolean(L, -1);
    lua_pop(L, 1);
    lua_remove(L, -2);
    c.is = more ? Incomplete : Wrong;
    return c;
}

/* Running it --------------------------------------------------------------------- */

/* Python's None is no result. */
static bool shows_nothing(lua_State *L)
{
    api_require(L, "moontile.repl.python");
    lua_getfield(L, -1, "result");
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    bool none = lua_isnil(L, -1);
    lua_pop(L, 2);
    return none;
}

/* Prints its arguments: one line when they are short, else one below another;
 * keeps the first as _ and _N.  Upvalues: N, is it Python's? */
static int f_show(lua_State *L)
{
    int n = lua_gettop(L);
    bool lines = false, python = lua_toboolean(L, lua_upvalueindex(2));
    if (python && shows_nothing(L))
        return 0;
    locals_push(L);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "_");
    lua_pushfstring(L, "_%I", lua_tointeger(L, lua_upvalueindex(1)));
    lua_pushvalue(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    for (int i = 1; i <= n; i++) {
        lua_settop(L, n);
        api_require(L, python ? "moontile.repl.python" : "moontile.repl.pretty");
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
static void evaluate(Prompt *p, const char *text, Compiled c)
{
    lua_State *L = p->L;
    int base = lua_gettop(L) - 1;
    double t0 = clock_s();
    language_follow(p, text, c.python, c.expr);
    int status = c.python ? handled_pcall(L, 0, c.expr) : locals_pcall(L, LUA_MULTRET);
    double ms = (clock_s() - t0) * 1e3;
    int n = lua_gettop(L) - base;
    p->results = status == LUA_OK ? n : 0;
    bool told = status == LUA_OK && c.expr && n == 1 && lua_isnil(L, -1) && tell_word(p, text);
    if (status == LUA_OK && n > 0 && !told && !(c.expr && muted(text))) {
        lua_pushinteger(L, p->number);
        lua_pushboolean(L, c.python);
        lua_pushcclosure(L, f_show, 2);
        lua_insert(L, base + 1);
        status = handled_pcall(L, n, 0);
    }
    if (status != LUA_OK)
        prompt_failed(p);
    lua_settop(L, base);
    if (timing(L))
        printf("%.3f ms\n", ms);
}

/* After an input ------------------------------------------------------------------- */

/* (kind, text, ok, number | nil, results | nil, python | nil): calls session.after */
static int f_after(lua_State *L)
{
    static const char *const names[] = {"kind", "text", "ok", "number", "results", "python"};
    enum { Table = COUNT(names) + 1 };
    lua_settop(L, COUNT(names));
    api_require(L, "moontile.repl.journal"); /* the first of them */
    lua_settop(L, COUNT(names));
    if (prompt_field(L, "after") != LUA_TTABLE)
        return 0;
    lua_createtable(L, 0, (int)COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++) {
        lua_pushvalue(L, (int)i + 1);
        lua_setfield(L, Table + 1, names[i]);
    }
    for (lua_Integer i = 1; lua_rawgeti(L, Table, i) != LUA_TNIL; i++) {
        lua_pushvalue(L, Table + 1);
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
    lua_pushboolean(L, p->ran_python);
    if (!number)
        lua_pop(L, 3);
    interrupt_begin(L, true); /* anew: a Ctrl-C was for the input */
    if (handled_pcall(L, number ? 6 : 3, 0) != LUA_OK)
        report_error(L, p->o, -1);
    interrupt_end(L);
    lua_settop(L, p->base);
}

/* The loop -------------------------------------------------------------------------- */

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

/* The text in the history, without the empty line that ended a block. */
static void remember(const char *text)
{
    size_t n = strlen(text);
    while (n && strchr(" \t\n", text[n - 1]))
        n--;
    char *entry = strndup(text, n);
    if (entry)
        line_remember(entry);
    free(entry);
}

/* Of a pipe or a file: does the block of Python that an empty line seems to end go on behind it?  An indented
 * line does that, and one with `else` and the like. */
static bool block_goes_on(const char *text)
{
    static const char *const words[] = {"elif", "else", "except", "finally"};
    size_t n = strlen(text);
    while (n && strchr(" \t", text[n - 1]))
        n--;
    char *ahead = n && text[n - 1] == '\n' ? line_ahead() : NULL;
    if (!ahead)
        return false;
    const char *next = ahead + strspn(ahead, "\r\n");
    bool on = *next == ' ' || *next == '\t';
    for (size_t i = 0; i < COUNT(words); i++) {
        size_t k = strlen(words[i]);
        on = on || (strncmp(next, words[i], k) == 0 && strchr(" :", next[k]));
    }
    line_back(ahead);
    return on;
}

/* Compiles text as input N; when it is complete, remembers and runs it.  at_end:
 * no more can come, so that an incomplete one is an error. */
static enum CompiledChunk try_input(Prompt *p, const char *text, bool at_end)
{
    lua_State *L = p->L;
    char chunk[32];
    snprintf(chunk, sizeof chunk, "=in:%d", p->number);
    interrupt_begin(L, true);
    Compiled c = prompt_compile(p, text, chunk, at_end || line_blocks());
    if (c.is == Incomplete && at_end)
        c.is = Wrong;
    bool python = c.is == Ready ? c.python : c.is == Wrong && strchr(text, '\n') && language_python(p, text, strlen(text));
    if (python && !at_end && block_goes_on(text))
        c.is = Incomplete;
    if (c.is != Incomplete) {
        p->failed = false;
        p->ran_python = c.python;
        p->results = 0;
        load_keep(L, chunk, text, strlen(text));
        remember(text);
        tell_history(p);
        if (c.is == Ready)
            evaluate(p, text, c);
        else {
            language_failed(p, text);
            prompt_failed(p);
        }
    }
    interrupt_end(L);
    if (c.is != Incomplete)
        prompt_after(p, "input", text, p->number++);
    lua_settop(L, p->base);
    return c.is;
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
        if (more && scan_mode(line, strlen(line)) && p->host.state(p, text.s, true) == LineReady) {
            try_input(p, text.s, true); /* a command ends a block of Python */
            str_free(&text);
            more = false;
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
        if (load_file(L, path) != LUA_OK || handled_pcall(L, 0, 0) != LUA_OK)
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
    if (handled_pcall(p->L, 0, 0) != LUA_OK)
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
