/* lua/term/screen.c: module moontile.screen: a program of the whole screen, in Lua.
 *
 * Between open() and close() the terminal is raw and its signals are tty.c's: they are
 * let through where the program waits, and while run() runs something that may take
 * long.  A deadly one writes what goodbye() was told and gives the terminal back. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/base/clock.h"
#include "interrupt.h"
#include "key.h"
#include "lua/state/api.h"
#include "term.h"
#include "tty.h"

enum { MaxFds = 8 };

/* A signal handler has no argument to find these by. */
static bool opened, gone; /* gone: nobody types any more */
static char late[512], farewell[64];
static volatile sig_atomic_t said;

static int f_screen_open(lua_State *L)
{
    (void)L;
    fflush(stdout);
    if (!opened)
        tty_begin(true);
    opened = true;
    return 0;
}

static int f_screen_close(lua_State *L)
{
    (void)L;
    fflush(stdout);
    if (opened)
        tty_end();
    opened = false;
    return 0;
}

/* goodbye(text): what is written first when a signal kills or stops the program */
static int f_goodbye(lua_State *L)
{
    snprintf(farewell, sizeof farewell, "%s", luaL_checkstring(L, 1));
    tty_goodbye(farewell);
    return 0;
}

/* size() -> columns, rows */
static int f_size(lua_State *L)
{
    int width, height;
    tty_size(&width, &height);
    lua_pushinteger(L, width);
    lua_pushinteger(L, height);
    return 2;
}

/* Waiting ----------------------------------------------------------------------------- */

static int screen_answer(lua_State *L, const char *what)
{
    lua_pushstring(L, what);
    return 1;
}

/* What a signal asks for, or NULL. */
static const char *of_signal(int got)
{
    if (got & TtyStop) {
        tty_write(farewell, strlen(farewell));
        tty_stop();
    }
    if (got & (TtyStop | TtyCont)) {
        tty_raw();
        return "again";
    }
    return got & TtyInt ? "stop" : got & TtyResize ? "resize" : NULL;
}

static int of_key(lua_State *L)
{
    char key[32];
    enum KeyResult k = key_take(key, sizeof key);
    gone = k == KeyEnd;
    if (k != KeyGot)
        return screen_answer(L, k == KeyStop ? "stop" : "end");
    lua_pushliteral(L, "key");
    lua_pushstring(L, key);
    return 2;
}

/* wait(seconds | nil, fd ...) -> "key", key | "file" (an fd can be read) | "time" |
 * "resize" | "stop" (Ctrl-C) | "again" (back from ^Z: paint anew) | "end" (nobody there) */
static int f_wait(lua_State *L)
{
    struct pollfd fd[MaxFds] = {{.fd = STDIN_FILENO, .events = POLLIN}};
    double seconds = luaL_optnumber(L, 1, -1), end = clock_s() + seconds;
    int n = 1;
    for (int i = 2; i <= lua_gettop(L) && n < MaxFds; i++)
        if (!lua_isnil(L, i))
            fd[n++] = (struct pollfd){.fd = (int)luaL_checkinteger(L, i), .events = POLLIN};
    fflush(stdout);
    for (;;) {
        double left = seconds < 0 ? -1 : end - clock_s();
        int ready = tty_wait(fd, n, seconds < 0 ? -1 : left > 0 ? left : 0);
        const char *signal = of_signal(tty_take());
        if (signal)
            return screen_answer(L, signal);
        if (ready > 0 && fd[0].revents)
            return gone ? screen_answer(L, "end") : of_key(L);
        if (ready > 0)
            return screen_answer(L, "file");
        if (seconds >= 0 && clock_s() >= end)
            return screen_answer(L, "time");
    }
}

/* Running ----------------------------------------------------------------------------- */

/* Only calls that a signal handler may make. */
static void on_late(int sig)
{
    (void)sig;
    said = 1;
    tty_write(late, strlen(late));
}

/* After so many milliseconds the text is written, once, unless set anew: 0 for never. */
static void set_timer(int ms)
{
    struct itimerval t = {.it_value = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000}};
    setitimer(ITIMER_REAL, &t, NULL);
}

static void timer_begin(struct sigaction *before, const char *text, int ms)
{
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sigemptyset(&sa.sa_mask);
    sa.sa_handler = on_late;
    sa.sa_flags = SA_RESTART;
    snprintf(late, sizeof late, "%s", text);
    said = 0;
    sigaction(SIGALRM, &sa, before);
    set_timer(ms);
}

/* One that came too late is dropped: outside, it would kill. */
static void timer_end(const struct sigaction *before)
{
    struct sigaction ignore;
    memset(&ignore, 0, sizeof ignore);
    sigemptyset(&ignore.sa_mask);
    ignore.sa_handler = SIG_IGN;
    set_timer(0);
    sigaction(SIGALRM, &ignore, NULL);
    sigaction(SIGALRM, before, NULL);
}

/* run(f [, ms, text]) -> did it work?, its result or error, was it stopped?
 * Ctrl-C stops f.  When f takes longer than ms the text is written meanwhile, straight to
 * the terminal. */
static int f_screen_run(lua_State *L)
{
    int ms = (int)luaL_optinteger(L, 2, 0);
    const char *text = luaL_optstring(L, 3, "");
    struct sigaction before;
    luaL_checktype(L, 1, LUA_TFUNCTION);
    fflush(stdout);
    interrupt_begin(L, opened);
    if (ms > 0)
        timer_begin(&before, text, ms);
    if (opened)
        tty_open_signals();
    lua_pushvalue(L, 1);
    int status = handled_pcall(L, 0, 1);
    if (opened)
        tty_close_signals();
    if (ms > 0)
        timer_end(&before);
    bool stopped = interrupt_end(L);
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, -2);
    lua_pushboolean(L, stopped);
    return 3;
}

/* late() -> has run() written its text? */
static int f_late(lua_State *L)
{
    lua_pushboolean(L, said);
    return 1;
}

/* shell(command [, argument]) -> exit status: on the terminal, as it was before open() */
int screen_shell(lua_State *L)
{
    bool was = opened;
    if (was)
        f_screen_close(L);
    int status = tty_shell(luaL_checkstring(L, 1), luaL_optstring(L, 2, NULL));
    if (was)
        f_screen_open(L);
    lua_pushinteger(L, status);
    return 1;
}

int screen_lua(lua_State *L)
{
    static const luaL_Reg funcs[] = {
        {"close", f_screen_close}, {"goodbye", f_goodbye}, {"late", f_late},
        {"open", f_screen_open},   {"run", f_screen_run},  {"size", f_size},
        {"wait", f_wait},          {NULL, NULL},
    };
    luaL_newlib(L, funcs);
    return 1;
}
