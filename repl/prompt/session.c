/* repl/prompt/session.c: moontile.prompt, what commands may use of the session. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "core/base/clock.h"
#include "lua/state/api.h"
#include "repl/edit/paint.h"
#include "prompt.h"
#include "repl/edit/scan.h"
#include "session.h"

static Prompt *session_file_prompt_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

int prompt_field(lua_State *L, const char *name)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    int type = LUA_TNIL;
    if (lua_getfield(L, -1, "moontile.prompt") == LUA_TTABLE)
        type = lua_getfield(L, -1, name);
    else
        lua_pushnil(L);
    lua_replace(L, -3);
    lua_pop(L, 1);
    return type;
}

/* Inputs and files ---------------------------------------------------------------- */

/* quit([code]) */
static int f_quit(lua_State *L)
{
    Prompt *p = session_file_prompt_of(L);
    p->code = (int)luaL_optinteger(L, 1, 0);
    p->quit = true;
    return 0;
}

/* load(chunk): runs a loaded chunk as an input, keeping its locals; raises
 * what it raises */
static int f_session_file_run(lua_State *L)
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
    return input_compile(L);
}

/* open(path) -> function | nil, error, is it missing? */
static int f_session_file_open(lua_State *L)
{
    size_t n;
    const char *path = luaL_checklstring(L, 1, &n);
    if (n > 3 && strcmp(path + n - 3, ".py") == 0) {
        lua_settop(L, 1);
        api_require(L, "moontile.repl.python");
        lua_getfield(L, -1, "open");
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    int status = load_file(L, path);
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

/* enter(text): the next input, as if it had been typed */
static int f_enter(lua_State *L)
{
    line_enter(luaL_checkstring(L, 1));
    return 0;
}

/* fail(error): shows it as the error of an input */
static int f_session_file_fail(lua_State *L)
{
    Prompt *p = session_file_prompt_of(L);
    lua_settop(L, 1);
    prompt_failed(p);
    return 0;
}

/* history() -> the entries that were typed, this session's and those before it */
static int f_history(lua_State *L)
{
    int n = entries_count();
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushstring(L, entries_at(i));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* While the prompt waits ------------------------------------------------------------ */

static Waiter *waiter(Prompt *p, int id)
{
    for (int i = 0; i < Waiters; i++)
        if (p->waiter[i].id == id)
            return &p->waiter[i];
    return NULL;
}

void prompt_forget(Prompt *p, Waiter *w)
{
    luaL_unref(p->L, LUA_REGISTRYINDEX, w->f);
    luaL_unref(p->L, LUA_REGISTRYINDEX, w->ready);
    *w = (Waiter){0};
}

/* What idle gave: ends it.  Upvalues: the session, its number. */
static int f_idle_stop(lua_State *L)
{
    int id = (int)lua_tointeger(L, lua_upvalueindex(2));
    Waiter *w = id ? waiter(session_file_prompt_of(L), id) : NULL;
    if (w)
        prompt_forget(session_file_prompt_of(L), w);
    return 0;
}

/* idle(fd | nil, seconds | nil, f [, ready]) -> stop: while the prompt waits,
 * f() is called when fd can be read and every so many seconds; what it prints
 * appears above the input.  With ready, only when ready(), which may not print,
 * says true. */
static int f_idle(lua_State *L)
{
    Prompt *p = session_file_prompt_of(L);
    int fd = (int)luaL_optinteger(L, 1, -1);
    double seconds = luaL_optnumber(L, 2, -1);
    luaL_checktype(L, 3, LUA_TFUNCTION);
    luaL_argexpected(L, lua_isnoneornil(L, 4) || lua_isfunction(L, 4), 4, "function");
    luaL_argcheck(L, fd >= 0 || seconds >= 0, 2, "nothing to wait for");
    lua_settop(L, 4);
    Waiter *w = waiter(p, 0);
    if (!w)
        return luaL_error(L, "too many functions wait at the prompt");
    *w = (Waiter){.fd = fd, .seconds = seconds, .at = clock_s() + seconds};
    w->id = ++p->waiters;
    w->ready = LUA_NOREF;
    if (!lua_isnil(L, 4))
        w->ready = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_settop(L, 3);
    w->f = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushlightuserdata(L, p);
    lua_pushinteger(L, w->id);
    lua_pushcclosure(L, f_idle_stop, 2);
    return 1;
}

/* The editor's knowledge --------------------------------------------------------------- */

/* unfinished(text [, columns]) -> what is open at its end, innermost last */
static int f_unfinished(lua_State *L)
{
    size_t n;
    const char *s = luaL_checklstring(L, 1, &n);
    Str out = {0};
    scan_open(s, n, language_python(session_file_prompt_of(L), s, n), (int)luaL_optinteger(L, 2, 60), &out);
    lua_pushstring(L, out.s ? out.s : "");
    str_free(&out);
    return 1;
}

/* table_of_keys() -> {{name =, en =, zh =}, ..}: the keys of the prompt */
static int f_table_of_keys(lua_State *L)
{
    int n, at = 0;
    const KeyRow *row = line_keys(&n);
    lua_newtable(L);
    for (int i = 0; i < n; i++) {
        if (!row[i].name || !row[i].here)
            continue;
        lua_createtable(L, 0, 3);
        lua_pushstring(L, row[i].name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, row[i].text[LANGen]);
        lua_setfield(L, -2, "en");
        lua_pushstring(L, row[i].text[LANGzh]);
        lua_setfield(L, -2, "zh");
        lua_rawseti(L, -2, ++at);
    }
    return 1;
}

/* language([text | "python" | "lua", set]) -> "python" or "lua": of the text, else what could be both is read as;
 * set: from now on it is the first argument */
static int f_language(lua_State *L)
{
    static const char *const names[] = {"lua", "python", NULL};
    Prompt *p = session_file_prompt_of(L);
    size_t n;
    if (lua_toboolean(L, 2)) {
        p->python = luaL_checkoption(L, 1, NULL, names) == 1;
        p->told_python = true;
        lua_settop(L, 0);
    }
    const char *text = luaL_optlstring(L, 1, NULL, &n);
    lua_pushstring(L, names[text ? language_python(p, text, n) : p->python]);
    return 1;
}

/* setlang("en" | "zh") */
static int f_session_file_setlang(lua_State *L)
{
    static const char *const names[] = {"en", "zh", NULL};
    diag_setlang(L, (enum Lang)luaL_checkoption(L, 1, NULL, names));
    return 0;
}

/* setcolour("auto" | "always" | "never"): of the editor, and of errors */
static int f_setcolour(lua_State *L)
{
    static const char *const names[] = {"auto", "always", "never", NULL}; /* ORDER When */
    Prompt *p = session_file_prompt_of(L);
    p->own.colour = (enum When)luaL_checkoption(L, 1, NULL, names);
    p->host.colour = colour_on(p->o, stdout);
    paint_colour(p->host.colour);
    return 0;
}

/* Pushes the set of the globals that were there before the user came. */
static void push_baseline(lua_State *L)
{
    lua_newtable(L);
    lua_pushglobaltable(L);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushboolean(L, true);
        lua_rawset(L, -6);
    }
    lua_pop(L, 1);
}

/* Fields beside the functions: env, the kept locals; baseline; after, functions
 * that are called behind each input with {kind = "input" | "command" | "help" |
 * "shell", text =, ok =, and of inputs number =, results =, python =}; error, the last one;
 * timing, whether times are shown; suggestion, what is shown in grey. */
void prompt_module(Prompt *p)
{
    static const luaL_Reg funcs[] = {
        {"compile", f_input},     {"enter", f_enter},
        {"example", f_example},   {"fail", f_session_file_fail},
        {"history", f_history},   {"idle", f_idle},
        {"language", f_language},
        {"open", f_session_file_open},         {"quit", f_quit},
        {"run", f_session_file_run},           {"setcolour", f_setcolour},
        {"setlang", f_session_file_setlang},   {"table_of_keys", f_table_of_keys},
        {"unfinished", f_unfinished}, {NULL, NULL},
    };
    lua_State *L = p->L;
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_newtable(L);
    lua_pushlightuserdata(L, p);
    luaL_setfuncs(L, funcs, 1);
    locals_push(L);
    lua_setfield(L, -2, "env");
    push_baseline(L);
    lua_setfield(L, -2, "baseline");
    lua_newtable(L);
    lua_setfield(L, -2, "after");
    api_require(L, "moontile.help.given");
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "prompt");
    lua_pop(L, 1);
    lua_setfield(L, -2, "moontile.prompt");
    lua_pop(L, 1);
}
