/* lua/term/key.c: one key at a time, for views that are walked through. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

#include "key.h"
#include "tty.h"

/* An escape sequence comes at once; a lone Esc comes alone. */
static const double EscapeWait = 0.04;

/* Waits for input so long (< 0: for ever).  1: there is some, 0: not in time, -1: Ctrl-C. */
static int wait_input(double seconds)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    for (;;) {
        int n = tty_wait(&in, 1, seconds), got = tty_take();
        if (got & TtyInt)
            return -1;
        if (got & TtyStop)
            tty_stop();
        if (got & (TtyStop | TtyCont))
            tty_raw();
        if (n > 0)
            return 1;
        if (n == 0 || errno != EINTR)
            return 0;
    }
}

/* How many bytes follow the first one of a character. */
static size_t following(unsigned char c)
{
    return c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
}

enum KeyResult key_take(char *out, size_t size)
{
    size_t n = 0, want = 1;
    int ready = wait_input(-1);
    if (ready <= 0)
        return ready < 0 ? KeyStop : KeyEnd;
    while (n < want && n + 1 < size) {
        if (read(STDIN_FILENO, out + n, 1) <= 0)
            return KeyEnd;
        if (n++ == 0)
            want = 1 + following((unsigned char)out[0]);
        else if (out[0] == '\033' && n > 2 && out[n - 1] >= '@' && out[n - 1] <= '~')
            break;
        if (out[0] == '\033' && wait_input(EscapeWait) > 0)
            want = n + 1;
    }
    out[n] = '\0';
    return out[0] == 4 || out[0] == 0 ? KeyEnd : KeyGot; /* 0: a Ctrl-D typed too early */
}

/* key_take(); the terminal is raw only while waiting. */
static enum KeyResult key_read(char *out, size_t size)
{
    fflush(stdout);
    tty_begin(true);
    enum KeyResult k = key_take(out, size);
    tty_end();
    return k;
}

int key_lua(lua_State *L)
{
    char key[32];
    enum KeyResult k = key_read(key, sizeof key);
    if (k == KeyEnd)
        lua_pushnil(L);
    else
        lua_pushstring(L, k == KeyStop ? "^C" : key);
    return 1;
}

int key_lua_able(lua_State *L)
{
    lua_pushboolean(L, tty_capable());
    return 1;
}
