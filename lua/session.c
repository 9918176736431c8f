/* lua/session.c: device sessions (moontile.session).
 *
 *   s = session.open("cpu -threads=4")
 *   m = s:load(path, "matmul", "@gemm.lua")
 *   ms, output = s:launch(m, {A, B, C, 1024}, {warmup = 3, times = 10, flush = true})
 *
 * What may be half done when an error is raised hangs on the session's
 * userdata, where the next call or the collector finds it. */
#include <dlfcn.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "../core/session.h"
#include "api.h"

enum { MaxArgs = 256, MaxTimes = 1000000 };

typedef struct LSession LSession;
struct LSession {
    Session *s; /* NULL: closed */
    Ctx ctx;    /* messages of the last call */
    Str text;   /* output of the last call */
};

static LSession *check_any(lua_State *L) { return luaL_checkudata(L, 1, SESSION_TYPE); }

/* Fresh messages for a new call; the session must be open. */
static LSession *check_session(lua_State *L)
{
    LSession *u = check_any(L);
    ctx_free(&u->ctx);
    ctx_init(&u->ctx, NULL, 0);
    str_free(&u->text);
    if (!u->s) {
        Diag closed = {.err = E_session_closed};
        u->ctx.diags = &closed;
        u->ctx.nerror = 1;
        diag_push(L, &u->ctx, Lerror); /* copies */
        u->ctx.diags = NULL;
        lua_error(L);
    }
    return u;
}

/* Opening ---------------------------------------------------------------- */

typedef struct Unknown Unknown;
struct Unknown { const char *spec; Str known; };

static void report_unknown(Ctx *c, void *ud)
{
    const Unknown *k = ud;
    diag(c, E_target_unknown, (Loc){0, 0, 0}, k->spec, k->known.s ? k->known.s : "", NULL);
}

/* open(target [, options]): target "cpu -threads=1" may hold the options. */
static int f_open(lua_State *L)
{
    const char *spec = luaL_checkstring(L, 1), *options = luaL_optstring(L, 2, spec);
    const Target *t = target_find(spec);
    LSession *u = lua_newuserdatauv(L, sizeof *u, 0);
    memset(u, 0, sizeof *u);
    ctx_init(&u->ctx, NULL, 0);
    luaL_setmetatable(L, SESSION_TYPE);
    if (!t) {
        Unknown k = {.spec = spec};
        for (const Target *const *p = targets; *p; p++)
            str_fmt(&k.known, "%s%s", p == targets ? "" : ", ", (*p)->name);
        ctx_try(&u->ctx, report_unknown, &k);
        str_free(&k.known);
    } else {
        u->s = session_open(&u->ctx, t, options);
    }
    return u->s ? 1 : diag_raise(L, &u->ctx);
}

static int f_close(lua_State *L)
{
    LSession *u = check_any(L);
    session_close(u->s);
    u->s = NULL;
    ctx_free(&u->ctx);
    ctx_init(&u->ctx, NULL, 0);
    str_free(&u->text);
    return 0;
}

/* Modules ---------------------------------------------------------------- */

typedef struct LModule LModule;
struct LModule { Module *m; };

/* load(path, name [, chunk]) -> module; chunk is where the kernel stands */
static int f_load(lua_State *L)
{
    LSession *u = check_session(L);
    const char *path = luaL_checkstring(L, 2), *name = luaL_checkstring(L, 3);
    const char *chunk = luaL_optstring(L, 4, NULL);
    LModule *m = lua_newuserdatauv(L, sizeof *m, 1);
    m->m = NULL;
    luaL_setmetatable(L, MODULE_TYPE);
    lua_pushvalue(L, 1); /* a module keeps its session */
    lua_setiuservalue(L, -2, 1);
    m->m = session_load(u->s, &u->ctx, path, name);
    if (!m->m)
        return diag_raise(L, &u->ctx);
    module_source(m->m, chunk);
    return 1;
}

static int f_module_gc(lua_State *L)
{
    LModule *m = luaL_checkudata(L, 1, MODULE_TYPE);
    if (m->m)
        module_free(m->m);
    m->m = NULL;
    return 0;
}

/* Launching -------------------------------------------------------------- */

/* {value, dtype} at the top of the stack */
static void get_typed(lua_State *L, int i, LaunchArg *a)
{
    lua_geti(L, -1, 1);
    lua_geti(L, -2, 2);
    const char *name = lua_tostring(L, -1);
    a->dt = name ? dtypebyname(name) : DTnone;
    if (a->dt == DTnone)
        luaL_error(L, "argument %d: the second field is not a dtype", i);
    if (lua_isboolean(L, -2)) {
        a->i = lua_toboolean(L, -2);
        a->f = (double)a->i;
    } else if (lua_isinteger(L, -2)) {
        a->i = (int64_t)lua_tointeger(L, -2);
        a->f = (double)a->i;
    } else {
        int isnum;
        a->f = (double)lua_tonumberx(L, -2, &isnum);
        if (!isnum)
            luaL_error(L, "argument %d: the first field is not a number", i);
        lua_Integer n;
        a->i = lua_numbertointeger((lua_Number)a->f, &n) ? (int64_t)n : 0;
    }
    lua_pop(L, 2);
}

/* An element of the argument list, at the top of the stack: a tensor, a
 * {value, dtype}, a boolean, an integer (int64) or a float (float64). */
static void get_arg(lua_State *L, int i, LaunchArg *a)
{
    *a = (LaunchArg){0};
    switch (lua_type(L, -1)) {
    case LUA_TUSERDATA:
        a->t = test_tensor(L, lua_gettop(L));
        if (!a->t)
            luaL_error(L, "argument %d is not a tensor", i);
        break;
    case LUA_TTABLE:
        get_typed(L, i, a);
        break;
    case LUA_TBOOLEAN:
        a->dt = DTbool;
        a->i = lua_toboolean(L, -1);
        break;
    case LUA_TNUMBER:
        a->dt = lua_isinteger(L, -1) ? DTi64 : DTf64;
        a->i = (int64_t)lua_tointeger(L, -1);
        a->f = (double)lua_tonumber(L, -1);
        break;
    default:
        luaL_error(L, "argument %d is a %s", i, luaL_typename(L, -1));
    }
}

/* A whole number of the options at 4, from 0 to max. */
static int get_count(lua_State *L, const char *name, int max)
{
    if (lua_isnoneornil(L, 4))
        return 0;
    lua_getfield(L, 4, name);
    lua_Integer n = luaL_optinteger(L, -1, 0);
    lua_pop(L, 1);
    if (n < 0 || n > max)
        luaL_error(L, "%s is out of range", name);
    return (int)n;
}

static bool get_flag(lua_State *L, const char *name)
{
    if (lua_isnoneornil(L, 4))
        return false;
    lua_getfield(L, 4, name);
    bool on = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return on;
}

/* Gives what the kernel printed to the option `print`, a function; a kernel
 * that crashed is heard too. */
static void give_output(lua_State *L, const LSession *u)
{
    if (!u->text.n || lua_isnoneornil(L, 4) || lua_getfield(L, 4, "print") == LUA_TNIL)
        return;
    lua_pushlstring(L, u->text.s, u->text.n);
    lua_call(L, 1, 0);
}

/* launch(module, args [, {warmup =, times =, flush =, print =}])
 * -> {ms, ...} of each timed run, what the kernel printed */
static int f_launch(lua_State *L)
{
    LSession *u = check_session(L);
    const LModule *m = luaL_checkudata(L, 2, MODULE_TYPE);
    LaunchArg arg[MaxArgs];
    luaL_checktype(L, 3, LUA_TTABLE);
    luaL_argcheck(L, lua_isnoneornil(L, 4) || lua_istable(L, 4), 4, "table expected");
    lua_settop(L, 4);
    int warmup = get_count(L, "warmup", MaxTimes), times = get_count(L, "times", MaxTimes);
    bool flush = get_flag(L, "flush");
    lua_Unsigned n = lua_rawlen(L, 3);
    luaL_argcheck(L, m->m, 2, "the module is closed");
    luaL_argcheck(L, n <= MaxArgs, 3, "too many arguments");
    for (int i = 0; i < (int)n; i++) {
        lua_geti(L, 3, i + 1);
        get_arg(L, i + 1, &arg[i]);
        lua_pop(L, 1); /* the list keeps it alive */
    }
    LaunchResult r = {.nms = times};
    if (times)
        r.ms = lua_newuserdatauv(L, (size_t)times * sizeof *r.ms, 0);
    bool ok = session_launch(u->s, &u->ctx, m->m, arg, (int)n, warmup, flush, &r);
    u->text = r.output;
    give_output(L, u);
    if (!ok)
        return diag_raise(L, &u->ctx);
    lua_createtable(L, times, 0);
    for (int i = 0; i < times; i++) {
        lua_pushnumber(L, r.ms[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushlstring(L, u->text.s ? u->text.s : "", u->text.n);
    return 2;
}

/* The rest --------------------------------------------------------------- */

/* limit(seconds): of one run; 0 is none */
static int f_limit(lua_State *L)
{
    LSession *u = check_session(L);
    session_limit(u->s, luaL_checknumber(L, 2));
    return 0;
}

static int f_warm(lua_State *L)
{
    session_warm(check_session(L)->s);
    return 0;
}

/* describe() -> {{name, value}, ...} */
static int f_describe(lua_State *L)
{
    LSession *u = check_session(L);
    session_describe(u->s, &u->text);
    lua_newtable(L);
    const char *s = u->text.s ? u->text.s : "";
    for (int i = 1; *s; i++) {
        size_t n = strcspn(s, "\n"), name = strcspn(s, ":\n");
        lua_createtable(L, 2, 0);
        lua_pushlstring(L, s, name);
        lua_rawseti(L, -2, 1);
        size_t skip = name + 2 < n ? name + 2 : n;
        lua_pushlstring(L, s + skip, n - skip);
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, i);
        s += n + (s[n] == '\n');
    }
    return 1;
}

/* pid() of the worker, or nil when none runs */
static int f_pid(lua_State *L)
{
    int pid = session_pid(check_session(L)->s);
    if (pid)
        lua_pushinteger(L, pid);
    else
        lua_pushnil(L);
    return 1;
}

static int f_tostring(lua_State *L)
{
    const LSession *u = check_any(L);
    if (u->s && session_pid(u->s))
        lua_pushfstring(L, "device session (worker %d)", session_pid(u->s));
    else
        lua_pushstring(L, u->s ? "device session" : "device session (closed)");
    return 1;
}

static const luaL_Reg methods[] = {
    {"load", f_load},         {"launch", f_launch}, {"limit", f_limit}, {"warm", f_warm},
    {"describe", f_describe}, {"pid", f_pid},       {"close", f_close}, {NULL, NULL},
};

static const luaL_Reg metamethods[] = {
    {"__gc", f_close}, {"__close", f_close}, {"__tostring", f_tostring}, {NULL, NULL},
};

static const luaL_Reg module_meta[] = {
    {"__gc", f_module_gc}, {"__close", f_module_gc}, {NULL, NULL},
};

/* haslib(name): can the system's loader find this library?  It is not kept:
 * this process never owns a device. */
static int f_haslib(lua_State *L)
{
    void *lib = dlopen(luaL_checkstring(L, 1), RTLD_LAZY | RTLD_LOCAL);
    lua_pushboolean(L, lib != NULL);
    if (lib)
        dlclose(lib);
    return 1;
}

static const luaL_Reg functions[] = {{"open", f_open}, {"haslib", f_haslib}, {NULL, NULL}};

int luaopen_moontile_session(lua_State *L);
int luaopen_moontile_session(lua_State *L)
{
    luaL_newmetatable(L, SESSION_TYPE);
    luaL_setfuncs(L, metamethods, 0);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    luaL_newmetatable(L, MODULE_TYPE);
    luaL_setfuncs(L, module_meta, 0);
    luaL_newlib(L, functions);
    return 1;
}
