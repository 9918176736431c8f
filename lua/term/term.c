/* lua/term/term.c: module moontile.term: what the terminal behind a stream can do, keys, saves of
 * files, time, columns of text. */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/width.h"
#include "err/host.h"
#include "interrupt.h"
#include "key.h"
#include "lua/seam/tensor.h"
#include "term.h"
#include "tty.h"
#include "watch.h"

enum { Narrow = 80, Shallow = 24 };

static bool has(const char *s, const char *word) { return s && strstr(s, word) != NULL; }

/* A number of columns or lines; 0: the variable says none. */
static int term_size_of(const char *s)
{
    char *end;
    long n = s ? strtol(s, &end, 10) : 0;
    return s && *end == '\0' && n > 0 && n <= TermMost ? (int)n : 0;
}

static int depth(const char *term)
{
    const char *more = getenv("COLORTERM");
    if (!term || !*term || strcmp(term, "dumb") == 0)
        return 0;
    if (has(more, "truecolor") || has(more, "24bit") || has(term, "direct"))
        return 24;
    return has(term, "256color") ? 8 : 4;
}

/* The locale of the process was set at its start (repl/main.c). */
static bool utf8_locale(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

/* By the environment alone. */
static Terminal term_facts(int fd)
{
    Terminal t = {.tty = isatty(fd) == 1, .unicode = utf8_locale()};
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    struct winsize w = {0};
    if (t.tty && ioctl(fd, TIOCGWINSZ, &w) == 0) {
        t.width = w.ws_col;
        t.height = w.ws_row;
    }
    if (t.tty && !t.width)
        t.width = term_size_of(getenv("COLUMNS"));
    if (t.tty && !t.height)
        t.height = term_size_of(getenv("LINES"));
    if (!t.width)
        t.width = Narrow;
    if (!t.height)
        t.height = Shallow;
    if (t.width < TermLeast)
        t.width = TermLeast;
    if (t.width > TermMost)
        t.width = TermMost;
    t.depth = depth(term);
    t.colour = t.tty && !(no && *no) ? t.depth : 0;
    return t;
}

/* Settings ----------------------------------------------------------------------------- */

static const char Settings[] = "moontile.config.style";

/* --color decided about standard output, and `always` holds for the rest too. */
static void from_flags(lua_State *L, Terminal *t, int fd)
{
    enum { AnyColour = 4 };
    int type = lua_getfield(L, -1, "colour");
    bool on = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (type == LUA_TNIL)
        return;
    if (on && !t->colour && (fd == 1 || !term_facts(1).colour))
        t->colour = t->depth ? t->depth : AnyColour;
    if (!on && fd == 1)
        t->colour = 0;
}

static int wrong_type(lua_State *L, const char *name, const char *want)
{
    return tensor_fail(L, E_viz_type, name, Settings, kind_words(L, want),
                       kind_words(L, kindof(L, -1)), NULL);
}

/* An integer of the settings on top. */
static int setting_int(lua_State *L, const char *name, int lo, int hi, int otherwise)
{
    int is, type = lua_getfield(L, -1, name);
    lua_Integer v = lua_tointegerx(L, -1, &is);
    if (type != LUA_TNIL && (type != LUA_TNUMBER || !is))
        return wrong_type(L, name, "integer");
    if (type != LUA_TNIL && (v < lo || v > hi))
        return tensor_fail(L, E_viz_range, name, Settings, lua_pushfstring(L, "%I", (LUAI_UACINT)v),
                           lua_pushfstring(L, "%d", lo), lua_pushfstring(L, "%d", hi), NULL);
    lua_pop(L, 1);
    return type == LUA_TNIL ? otherwise : (int)v;
}

static bool setting_bool(lua_State *L, const char *name, bool otherwise)
{
    int type = lua_getfield(L, -1, name);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        wrong_type(L, name, "boolean");
    bool v = type == LUA_TNIL ? otherwise : lua_toboolean(L, -1);
    lua_pop(L, 1);
    return v;
}

/* What the user set: moontile.config.style. */
static void from_style(lua_State *L, Terminal *t)
{
    if (lua_getfield(L, -1, "style") == LUA_TTABLE) {
        t->colour = setting_int(L, "colour", 0, 24, t->colour);
        term_check_colour(L, t->colour, Settings);
        t->width = setting_int(L, "width", TermLeast, TermMost, t->width);
        t->unicode = setting_bool(L, "unicode", t->unicode);
    }
    lua_pop(L, 1);
}

void term_check_colour(lua_State *L, int colour, const char *call)
{
    if (colour != 0 && colour != 4 && colour != 8 && colour != 24)
        tensor_fail(L, E_viz_choice, "colour", call, lua_pushfstring(L, "%d", colour), "0, 4, 8, 24",
                    NULL);
}

Terminal term_of(lua_State *L, int fd)
{
    Terminal t = term_facts(fd);
    api_require(L, "moontile.config");
    from_flags(L, &t, fd);
    from_style(L, &t);
    lua_pop(L, 1);
    return t;
}

/* "stdout", "stderr" or a file of io; standard output when nothing is given. */
static int stream_of(lua_State *L, int i)
{
    static const char *const names[] = {"stdout", "stderr", NULL};
    luaL_Stream *s = luaL_testudata(L, i, LUA_FILEHANDLE);
    if (s)
        return s->closef && s->f ? fileno(s->f) : -1;
    return luaL_checkoption(L, i, "stdout", names) + 1;
}

/* terminal([stream]) -> {tty =, width =, height =, colour =, unicode =} */
static int f_term_terminal(lua_State *L)
{
    Terminal t = term_of(L, stream_of(L, 1));
    const struct { const char *name; int v; } size[] = {
        {"width", t.width}, {"height", t.height}, {"colour", t.colour}};
    lua_createtable(L, 0, 5);
    for (size_t i = 0; i < COUNT(size); i++) {
        lua_pushinteger(L, size[i].v);
        lua_setfield(L, -2, size[i].name);
    }
    lua_pushboolean(L, t.tty);
    lua_setfield(L, -2, "tty");
    lua_pushboolean(L, t.unicode);
    lua_setfield(L, -2, "unicode");
    return 1;
}

/* Time --------------------------------------------------------------------------------- */

/* clock() -> seconds that pass evenly */
static int f_term_clock(lua_State *L)
{
    lua_pushnumber(L, clock_s());
    return 1;
}

/* sleep(seconds); Ctrl-C ends it as it ends anything */
static int f_sleep(lua_State *L)
{
    double end = clock_s() + luaL_checknumber(L, 1);
    for (double left; (left = end - clock_s()) > 0 && !interrupt_seen();) {
        struct timespec t = {.tv_nsec = (long)((left < 0.1 ? left : 0.1) * 1e9)};
        nanosleep(&t, NULL);
    }
    return 0;
}

/* Columns of text ---------------------------------------------------------------------- */

static int columns_at(lua_State *L, int i)
{
    lua_Integer n = luaL_checkinteger(L, i);
    return n < 0 ? 0 : n > INT32_MAX / 2 ? INT32_MAX / 2 : (int)n;
}

static int f_width(lua_State *L)
{
    size_t n;
    const char *s = luaL_checklstring(L, 1, &n);
    lua_pushinteger(L, text_width(s, n));
    return 1;
}

/* (s, columns [, sign]): what is cut off ends in the sign, "…" for instance. */
static int f_cut(lua_State *L)
{
    size_t n, m;
    int width, columns = columns_at(L, 2);
    const char *s = luaL_checklstring(L, 1, &n), *sign = luaL_optlstring(L, 3, "", &m);
    if (text_fit(s, n, columns, &width) == n) {
        lua_settop(L, 1);
        return 1;
    }
    int own = text_width(sign, m);
    if (own > columns)
        own = 0;
    lua_pushlstring(L, s, text_fit(s, n, columns - own, &width));
    if (own)
        lua_pushvalue(L, 3);
    lua_concat(L, own ? 2 : 1);
    return 1;
}

static int f_pad(lua_State *L)
{
    static const char *const sides[] = {"l", "r", "c", NULL};
    size_t n;
    const char *s = luaL_checklstring(L, 1, &n);
    int columns = columns_at(L, 2), side = luaL_checkoption(L, 3, "l", sides);
    int rest = columns - text_width(s, n);
    if (rest <= 0) {
        lua_settop(L, 1);
        return 1;
    }
    int before = side == 1 ? rest : side == 2 ? rest / 2 : 0;
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    memset(luaL_prepbuffsize(&b, (size_t)before), ' ', (size_t)before);
    luaL_addsize(&b, (size_t)before);
    luaL_addlstring(&b, s, n);
    memset(luaL_prepbuffsize(&b, (size_t)(rest - before)), ' ', (size_t)(rest - before));
    luaL_addsize(&b, (size_t)(rest - before));
    luaL_pushresult(&b);
    return 1;
}

static int term_lua(lua_State *L)
{
    static const luaL_Reg funcs[] = {
        {"capable", key_lua_able}, {"clock", f_term_clock},   {"cut", f_cut},
        {"key", key_lua},          {"notify", watch_lua}, {"pad", f_pad},
        {"shell", screen_shell},   {"sleep", f_sleep},   {"tempfile", watch_lua_temp},
        {"terminal", f_term_terminal},  {"width", f_width},   {NULL, NULL},
    };
    luaL_newlib(L, funcs);
    return 1;
}

void term_init(void)
{
    static const luaL_Reg modules[] = {
        {"moontile.term", term_lua}, {"moontile.screen", screen_lua}, {NULL, NULL},
    };
    api_use(modules);
}
