/* lua/term/interrupt.c: Ctrl-C while a program runs.
 *
 * The signal handler may only set flags and hooks.  It sets the hook of the
 * coroutine that is running, so resume and wrap are replaced by functions
 * that keep `running` right. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/base/clock.h"
#include "core/device/session.h"
#include "lua/seam/seam.h"
#include "interrupt.h"

/* One interrupt may be raised again and again; what is left of the
 * instructions in between.  It starts at Grace and halves each time. */
enum { Grace = 10000 };
static int grace;

/* A signal handler has no argument to find these by. */
static lua_State *volatile running;
static volatile sig_atomic_t at_prompt, arrived;
static volatile int64_t last; /* ms of the last interrupt */
static lua_Hook onreturn;
static struct sigaction outside; /* what SIGINT did before */

static void set_hooks(lua_State *L)
{
    lua_sethook(L, onreturn, onreturn ? LUA_MASKRET : 0, 0);
}

static void stop_hook(lua_State *L, lua_Debug *ar);

/* Raises E_stopped after n more instructions of Lua code.  Only instructions
 * count: a message handler in C is not disturbed. */
static void stop_after(lua_State *L, int n)
{
    lua_sethook(L, stop_hook, LUA_MASKCOUNT | (onreturn ? LUA_MASKRET : 0), n);
}

/* Runs in the interrupted code.  At the prompt it comes again, so that a loop
 * around pcall ends too, but late enough for handlers that clean up.  In a program an
 * interrupt that the device session took is an error already, and only one. */
static void stop_hook(lua_State *L, lua_Debug *ar)
{
    if (ar->event == LUA_HOOKRET) {
        if (onreturn)
            onreturn(L, ar);
        return;
    }
    if (at_prompt) {
        stop_after(L, grace);
        grace = grace > 1 ? grace / 2 : 1;
    } else {
        set_hooks(L);
        if (!interrupt_asked)
            return;
    }
    api_require(L, "moontile.diag");
    lua_getfield(L, -1, "fail");
    lua_pushliteral(L, "stopped");
    lua_call(L, 1, 0);
}

static void on_sigint(int sig)
{
    int64_t t = (int64_t)clock_ms();
    bool again = arrived && t - last < 2000;
    last = t;
    arrived = 1;
    if (again && !at_prompt) {
        signal(sig, SIG_DFL);
        kill(getpid(), sig);
        return;
    }
    interrupt_asked = again ? 2 : 1;
    lua_State *L = running;
    if (L)
        stop_after(L, 1);
}

void interrupt_begin(lua_State *L, bool prompt)
{
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sa.sa_handler = on_sigint;
    sigemptyset(&sa.sa_mask);
    interrupt_asked = 0;
    arrived = 0;
    grace = Grace;
    running = L;
    at_prompt = prompt;
    sigaction(SIGINT, &sa, &outside);
}

bool interrupt_end(lua_State *L)
{
    sigaction(SIGINT, &outside, NULL);
    running = NULL;
    onreturn = NULL;
    lua_sethook(L, NULL, 0, 0);
    interrupt_asked = 0;
    return arrived;
}

bool interrupt_seen(void) { return arrived; }

void interrupt_onreturn(lua_State *L, lua_Hook f)
{
    onreturn = f;
    if (lua_gethook(L) != stop_hook) /* which sets them when it has run */
        set_hooks(L);
}

/* Coroutines -------------------------------------------------------------- */

/* Continues co with the narg values on top of L.  Their results, or the error
 * object, are left on co; returns lua_resume's status. */
static int resume(lua_State *L, lua_State *co, int narg, int *nres)
{
    if (!lua_checkstack(co, narg)) {
        lua_pushliteral(co, "too many arguments to resume");
        return LUA_ERRRUN;
    }
    lua_xmove(L, co, narg);
    lua_State *before = running;
    if (before)
        running = co;
    api_run(L, co);
    int status = lua_resume(co, L, narg, nres);
    api_run(L, L);
    session_inherit(L, co);
    if (before)
        running = before;
    if (before && lua_gethook(co) == stop_hook) { /* pass it on */
        lua_sethook(co, NULL, 0, 0);
        stop_after(before, 1);
    }
    return status;
}

/* Why co cannot be resumed, as Lua says it; NULL when it can. */
static const char *interrupt_refusal(lua_State *co)
{
    lua_Debug ar;
    switch (lua_status(co)) {
    case LUA_YIELD:
        return NULL;
    case LUA_OK:
        if (lua_getstack(co, 0, &ar))
            return "cannot resume non-suspended coroutine";
        return lua_gettop(co) ? NULL : "cannot resume dead coroutine";
    default:
        return "cannot resume dead coroutine";
    }
}

/* resume with Lua's checks: the number of results now on top of L, or -1 and
 * the error object */
static int resume_checked(lua_State *L, lua_State *co, int narg)
{
    const char *no = co == L ? "cannot resume non-suspended coroutine" : interrupt_refusal(co);
    if (no) {
        lua_pushstring(L, no);
        return -1;
    }
    int nres;
    int status = resume(L, co, narg, &nres);
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_xmove(co, L, 1);
        return -1;
    }
    if (!lua_checkstack(L, nres + 1)) {
        lua_pop(co, nres);
        lua_pushliteral(L, "too many results to resume");
        return -1;
    }
    lua_xmove(co, L, nres);
    return nres;
}

/* coroutine.resume(co, ...) */
static int f_resume(lua_State *L)
{
    lua_State *co = lua_tothread(L, 1);
    luaL_argexpected(L, co, 1, "coroutine");
    int n = resume_checked(L, co, lua_gettop(L) - 1);
    lua_pushboolean(L, n >= 0);
    n = n < 0 ? 1 : n;
    lua_insert(L, -(n + 1));
    return n + 1;
}

/* What coroutine.wrap gives; upvalue 1: the coroutine. */
static int f_wrapped(lua_State *L)
{
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    int n = resume_checked(L, co, lua_gettop(L));
    if (n >= 0)
        return n;
    int status = lua_status(co);
    if (status != LUA_OK && status != LUA_YIELD) {
        status = lua_resetthread(co); /* close its variables */
        if (status != LUA_OK) {
            lua_pop(L, 1);
            lua_xmove(co, L, 1);
        }
    }
    if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

/* coroutine.wrap(f) */
static int f_wrap(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    lua_pushcclosure(L, f_wrapped, 1);
    return 1;
}

void interrupt_open(lua_State *L)
{
    static const luaL_Reg funcs[] = {{"resume", f_resume}, {"wrap", f_wrap}, {NULL, NULL}};
    lua_getglobal(L, "coroutine");
    luaL_setfuncs(L, funcs, 0);
    lua_pop(L, 1);
}
