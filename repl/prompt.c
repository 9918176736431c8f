/* repl/prompt.c: the session at a terminal: read, run, print.
 *
 * An input is run as a chunk named "=in:N"; its text is kept, so that errors
 * that say in:7:1 can show the line.  A line that starts with ':' is a command
 * of repl/commands.lua, which finds what it needs in moontile.prompt. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

#include "../lua/api.h"
#include "interrupt.h"
#include "line.h"
#include "prompt.h"
#include "report.h"

typedef struct Prompt {
    lua_State *L;
    const Options *o;
    int base;        /* of the stack between inputs */
    int number;      /* of the next input */
    bool tty, quit;
    bool failed;     /* did the last input fail? */
    int code;        /* of :quit */
} Prompt;

/* What makes an expression a chunk.  A plain "return f(x)" would be a tail
 * call, which takes the input's place on the stack and with it the line that
 * an error should show; where something is to be closed there are none. */
#define RETURN "local __r <close> = nil return "
enum { Shift = sizeof RETURN - 1 }; /* columns that it adds to the first line */

/* Texts -------------------------------------------------------------------- */

static const char *const banner[NLang] = {
    ": GPU tile kernels, typed and run.  Ctrl-D leaves.\n"
    "Type  :help  or  tl.randn({4, 4})  or  :load quickstart  (a first kernel)\n",
    "：输入即运行的 GPU 分块内核。Ctrl-D 退出。\n"
    "可输入  :help  或  tl.randn({4, 4})  或  :load quickstart （第一个内核）\n",
};

/* Pushes the prompt: _PROMPT or _PROMPT2 when the user has set it, else the
 * number of the input, or blanks of the same width when more is wanted. */
static int f_prompt(lua_State *L)
{
    int number = (int)lua_tointeger(L, 1);
    bool more = lua_toboolean(L, 2);
    if (lua_getglobal(L, more ? "_PROMPT2" : "_PROMPT") != LUA_TNIL) {
        luaL_tolstring(L, -1, NULL);
        return 1;
    }
    char buf[32];
    int n = snprintf(buf, sizeof buf, "%d> ", number);
    if (more)
        memset(buf, ' ', (size_t)n - 2);
    lua_pushstring(L, buf);
    return 1;
}

static enum LineResult read_line(Prompt *p, bool more, char **line)
{
    lua_pushcfunction(p->L, f_prompt);
    lua_pushinteger(p->L, p->number);
    lua_pushboolean(p->L, more);
    bool ok = lua_pcall(p->L, 2, 1, 0) == LUA_OK;
    enum LineResult r = line_read(ok ? lua_tostring(p->L, -1) : "> ", line);
    lua_pop(p->L, 1);
    return r;
}

/* Compiling an input ---------------------------------------------------------- */

/* Where the error object at idx stands, as one number that orders places;
 * 0 when it is no object of ours. */
static lua_Integer place(lua_State *L, int idx, int shift)
{
    if (!luaL_testudata(L, idx, DIAG_TYPE))
        return 0;
    idx = lua_absindex(L, idx);
    lua_getfield(L, idx, "line");
    lua_getfield(L, idx, "col");
    lua_Integer line = lua_tointeger(L, -2), col = lua_tointeger(L, -1);
    lua_pop(L, 2);
    return line * 65536 + col - (line == 1 ? shift : 0);
}

/* Replaces the error at the top, of RETURN .. text, by the same error at
 * its place in the text. */
static void unshift_error(lua_State *L, const char *chunk)
{
    int err = lua_gettop(L);
    lua_Integer at = place(L, err, Shift);
    api_require(L, "moontile.diag");
    lua_getfield(L, -1, "at");
    lua_getfield(L, err, "id");
    lua_pushstring(L, chunk);
    lua_pushinteger(L, at / 65536);
    lua_pushinteger(L, at % 65536);
    int n = 0;
    if (lua_getfield(L, err, "args") == LUA_TTABLE) {
        int args = lua_gettop(L);
        for (n = (int)lua_rawlen(L, args); lua_gettop(L) < args + n;)
            lua_rawgeti(L, args, lua_gettop(L) - args + 1);
        lua_remove(L, args);
    } else {
        lua_pop(L, 1);
    }
    lua_call(L, 4 + n, 1);
    lua_replace(L, err);
    lua_settop(L, err);
}

/* (text, chunk name) -> function, is it an expression?
 *                     | nil, error, is it incomplete?
 * Both readings are tried, first as an expression.  The input is incomplete
 * when either could go on; else the error of the one that got further counts. */
static int f_compile(lua_State *L)
{
    bool expr_more, more;
    const char *chunk = luaL_checkstring(L, 2);
    size_t n, m;
    lua_pushfstring(L, RETURN "%s\n", lua_tostring(L, 1));
    const char *expr = lua_tolstring(L, -1, &n);
    if (load_text(L, expr, n, chunk, &expr_more) == LUA_OK) {
        lua_pushboolean(L, true);
        return 2;
    }
    const char *text = lua_tolstring(L, 1, &m);
    lua_pushlstring(L, text, m);
    lua_pushliteral(L, "\n");
    lua_concat(L, 2);
    text = lua_tolstring(L, -1, &m);
    if (load_text(L, text, m, chunk, &more) == LUA_OK) {
        lua_pushboolean(L, false);
        return 2;
    }
    /* stack: text, chunk, RETURN text, error, text, error */
    bool further = !more && (expr_more || place(L, 4, Shift) > place(L, 6, 0));
    if (further && place(L, 4, 0)) {
        lua_settop(L, 4);
        unshift_error(L, chunk);
    }
    lua_pushnil(L);
    lua_insert(L, -2);
    lua_pushboolean(L, more || expr_more);
    return 3;
}

enum Compiled { Ready, Incomplete, Wrong };

/* Leaves the function, or the error, on the stack. */
static enum Compiled compile(Prompt *p, const char *text, const char *chunk, bool *expr)
{
    lua_State *L = p->L;
    lua_pushcfunction(L, f_compile);
    lua_pushstring(L, text);
    lua_pushstring(L, chunk);
    if (report_pcall(L, 2, 3) != LUA_OK)
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
        if (lua_type(L, i) == LUA_TTABLE && luaL_getmetafield(L, i, "__tostring") == LUA_TNIL) {
            api_require(L, "moontile.repl.pretty");
            lua_getfield(L, -1, "format");
            lua_remove(L, -2);
            lua_pushvalue(L, i);
            lua_call(L, 1, 1);
        } else {
            lua_settop(L, n);
            luaL_tolstring(L, i, NULL);
        }
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

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Does the session's field `timing` ask for a time after each input? */
static bool timing(lua_State *L)
{
    int base = lua_gettop(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    bool on = lua_getfield(L, -1, "moontile.prompt") == LUA_TTABLE &&
              (lua_getfield(L, -1, "timing"), lua_toboolean(L, -1));
    lua_settop(L, base);
    return on;
}

static bool muted(const char *text)
{
    size_t n = strlen(text);
    while (n && strchr(" \t\n", text[n - 1]))
        n--;
    return n && text[n - 1] == ';';
}

/* Shows the error on top of the stack, below the ^C that the terminal echoed. */
static void failed(Prompt *p)
{
    if (interrupt_seen() && p->tty)
        fputs("\n", stderr);
    report_error(p->L, p->o, -1);
    p->failed = true;
}

/* Runs the compiled input on top of the stack and prints its results. */
static void evaluate(Prompt *p, const char *text, bool expr)
{
    lua_State *L = p->L;
    int base = lua_gettop(L) - 1;
    double t0 = seconds();
    int status = locals_pcall(L, LUA_MULTRET);
    double ms = (seconds() - t0) * 1e3;
    int n = lua_gettop(L) - base;
    if (status == LUA_OK && n > 0 && !(expr && muted(text))) {
        lua_pushinteger(L, p->number);
        lua_pushcclosure(L, f_show, 1);
        lua_insert(L, base + 1);
        status = report_pcall(L, n, 0);
    }
    if (status != LUA_OK)
        failed(p);
    lua_settop(L, base);
    if (timing(L))
        printf("%.3f ms\n", ms);
}

/* :commands ------------------------------------------------------------------------ */

/* quit([code]) */
static int f_quit(lua_State *L)
{
    Prompt *p = lua_touserdata(L, lua_upvalueindex(1));
    p->code = (int)luaL_optinteger(L, 1, 0);
    p->quit = true;
    return 0;
}

/* load(chunk): runs a loaded chunk as an input, keeping its locals; raises
 * what it raises */
static int f_run(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    if (locals_pcall(L, LUA_MULTRET) != LUA_OK)
        return lua_error(L);
    return lua_gettop(L);
}

/* compile(text, chunk) -> function | nil, error: as an input is compiled */
static int f_input(lua_State *L)
{
    lua_settop(L, 2);
    load_keep(L, luaL_checkstring(L, 2), luaL_checkstring(L, 1), lua_rawlen(L, 1));
    return f_compile(L);
}

/* open(path) -> function | nil, error, is it missing? */
static int f_open(lua_State *L)
{
    int status = load_file(L, luaL_checkstring(L, 1));
    if (status == LUA_OK)
        return 1;
    lua_pushnil(L);
    lua_insert(L, -2);
    lua_pushboolean(L, status == LUA_ERRFILE);
    return 3;
}

/* example(name) -> function | nil: a file of lua/examples in the program */
static int f_example(lua_State *L)
{
    size_t n;
    const char *path = lua_pushfstring(L, "lua/examples/%s.lua", luaL_checkstring(L, 1));
    const char *text = embed_find(L, path, &n);
    if (!text)
        return 0;
    const char *chunk = lua_pushfstring(L, "@%s", path);
    load_keep(L, chunk, text, n);
    if (load_text(L, text, n, chunk, NULL) != LUA_OK)
        return lua_error(L);
    return 1;
}

/* clock() -> seconds that pass evenly */
static int f_clock(lua_State *L)
{
    lua_pushnumber(L, seconds());
    return 1;
}

/* setlang("en" | "zh") */
static int f_setlang(lua_State *L)
{
    static const char *const names[] = {"en", "zh", NULL};
    diag_setlang(L, (enum Lang)luaL_checkoption(L, 1, NULL, names));
    return 0;
}

/* moontile.prompt: what a command may use.  Fields beside the functions:
 * env, the kept locals; timing, shown after each input when true; commands.lua
 * adds what it needs. */
static void open_session(Prompt *p)
{
    static const luaL_Reg funcs[] = {
        {"clock", f_clock}, {"compile", f_input}, {"example", f_example}, {"open", f_open},
        {"quit", f_quit},   {"run", f_run},       {"setlang", f_setlang}, {NULL, NULL},
    };
    lua_State *L = p->L;
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_newtable(L);
    lua_pushlightuserdata(L, p);
    luaL_setfuncs(L, funcs, 1);
    locals_push(L);
    lua_setfield(L, -2, "env");
    lua_newtable(L); /* the globals that were there before the user came */
    lua_pushglobaltable(L);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushboolean(L, true);
        lua_rawset(L, -6);
    }
    lua_pop(L, 1);
    lua_setfield(L, -2, "baseline");
    lua_setfield(L, -2, "moontile.prompt");
    lua_pop(L, 1);
}

/* A command line: (line) -> nothing; raises what should be shown */
static int f_command(lua_State *L)
{
    api_require(L, "moontile.repl.commands");
    lua_getfield(L, -1, "run");
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

static void command(Prompt *p, const char *line)
{
    lua_State *L = p->L;
    interrupt_begin(L, true);
    p->failed = false;
    lua_pushcfunction(L, f_command);
    lua_pushstring(L, line);
    if (report_pcall(L, 1, 1) != LUA_OK)
        failed(p);
    else if (lua_type(L, -1) == LUA_TSTRING) { /* refused: said in its own words */
        fflush(stdout);
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
        p->failed = true;
    }
    interrupt_end(L);
    lua_settop(L, p->base);
}

static bool iscommand(const char *line)
{
    line += strspn(line, " \t");
    return line[0] == ':' && line[1] != ':';
}

/* The loop -------------------------------------------------------------------------- */

/* Compiles text as input N; when it is complete, runs it.  at_end: no more can
 * come, so that an incomplete one is an error. */
static enum Compiled try_input(Prompt *p, const char *text, bool at_end)
{
    lua_State *L = p->L;
    bool expr = false;
    char chunk[32];
    snprintf(chunk, sizeof chunk, "=in:%d", p->number);
    interrupt_begin(L, true);
    enum Compiled c = compile(p, text, chunk, &expr);
    if (c == Incomplete && at_end)
        c = Wrong;
    if (c != Incomplete) {
        p->failed = false;
        load_keep(L, chunk, text, strlen(text));
        if (c == Ready)
            evaluate(p, text, expr);
        else
            failed(p);
        p->number++;
    }
    interrupt_end(L);
    lua_settop(L, p->base);
    return c;
}

/* Reads one input of as many lines as it needs, and runs it.  False at the
 * end of all input. */
static bool one_input(Prompt *p)
{
    Str text = {0};
    char *line;
    bool more = false;
    for (;;) {
        enum LineResult r = read_line(p, more, &line);
        if (r == LineDrop)
            break;
        if (r == LineEof) {
            if (more)
                try_input(p, text.s, true);
            str_free(&text);
            return more && p->tty;
        }
        if (!more && iscommand(line)) {
            line_remember(line);
            command(p, line);
            free(line);
            break;
        }
        if (more)
            str_puts(&text, "\n");
        str_puts(&text, line);
        bool blank = !more && line[strspn(line, " \t\r")] == '\0';
        free(line);
        if (blank || text.bad)
            break;
        if (try_input(p, text.s, false) != Incomplete) {
            line_remember(text.s);
            break;
        }
        more = true;
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
        if (load_file(L, path) != LUA_OK || report_pcall(L, 0, 0) != LUA_OK)
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
    if (report_pcall(p->L, 0, 0) != LUA_OK)
        report_error(p->L, p->o, -1);
    lua_settop(p->L, p->base);
}

int prompt_run(lua_State *L, const Options *o)
{
    Prompt p = {.L = L, .o = o, .number = 1, .base = lua_gettop(L)};
    p.tty = isatty(STDIN_FILENO);
    void (*old)(int) = signal(SIGINT, SIG_IGN); /* line.c and interrupt.c take it */
    if (p.tty) {
        printf("moontile %s, %s%s", MOONTILE_VERSION, LUA_RELEASE, banner[o->lang]);
        fflush(stdout);
    }
    line_open(p.tty);
    open_session(&p);
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
