/* layout_viz/viz.c: module moontile.viz: figures, terminals, columns of text.
 *
 *     local viz = require "moontile.viz"
 *     local f = viz.figure("C of gemm", 'plot(gemm, "C")')
 *     f:grid{rows = 2, cols = 2, labels = {"a", "b", "c", "d"}, hues = {0, 1, 2, 3}}
 *     io.write(f:render{format = "text", colour = 24, unicode = true, width = 80})
 *
 * A figure is a full userdata that holds a Figure and owns its memory. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lua/seam/tensor.h"
#include "viz.h"
#include "err/host.h"

static Figure *check_figure(lua_State *L) { return luaL_checkudata(L, 1, FIGURE_TYPE); }

/* Figures --------------------------------------------------------------------------- */

static int f_figure(lua_State *L)
{
    size_t n, m = 0;
    const char *title = luaL_checklstring(L, 1, &n);
    const char *source = luaL_optlstring(L, 2, NULL, &m);
    Figure *f = lua_newuserdatauv(L, sizeof *f, 0);
    fig_init(f, NULL);
    luaL_setmetatable(L, FIGURE_TYPE);
    if (!fig_text(f, &f->title, title, n, false) ||
        (source && !fig_text(f, &f->source, source, m, false)))
        return tensor_fail(L, E_memory, "more", "reached", NULL);
    return 1;
}

static int f_gc(lua_State *L)
{
    fig_free(check_figure(L));
    return 0;
}

static int f_tostring(lua_State *L)
{
    Figure *f = check_figure(L);
    lua_pushfstring(L, "figure: %s (%d)", fig_str(f, f->title), f->npanel);
    return 1;
}

static int f_row(lua_State *L)
{
    fig_row(check_figure(L));
    lua_settop(L, 1);
    return 1;
}

static int f_blank(lua_State *L)
{
    Reader r = {.L = L, .f = check_figure(L), .call = "f:blank"};
    fig_add(r.f, viz_panel(&r, Pblank));
    lua_settop(L, 1);
    return 1;
}

/* Terminals ---------------------------------------------------------------------------- */

/* Pushes moontile.config, or an empty table. */
static void push_config(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, -1, "moontile.config") != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
    }
    lua_remove(L, -2);
}

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

static void check_colour(Reader *r, int colour)
{
    if (colour != 0 && colour != 4 && colour != 8 && colour != 24)
        viz_fail(r, E_viz_choice, "colour", lua_pushfstring(r->L, "%d", colour),
                  "0, 4, 8, 24", NULL);
}

enum { WidthLeast = 20 }; /* as term.c has it */

/* What the user set: moontile.config.style. */
static void from_style(lua_State *L, Terminal *t)
{
    Reader r = {.L = L, .call = "moontile.config.style"};
    if (lua_getfield(L, -1, "style") == LUA_TTABLE) {
        int at = lua_gettop(L);
        t->colour = (int)viz_int_or(&r, at, "colour", 0, 24, t->colour);
        check_colour(&r, t->colour);
        t->width = (int)viz_int_or(&r, at, "width", WidthLeast, FigWidth, t->width);
        t->unicode = viz_bool_or(&r, at, "unicode", t->unicode);
    }
    lua_pop(L, 1);
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

static Terminal terminal(lua_State *L, int fd)
{
    Terminal t = term_facts(fd);
    push_config(L);
    from_flags(L, &t, fd);
    from_style(L, &t);
    lua_pop(L, 1);
    return t;
}

static void set_int(lua_State *L, const char *name, int v)
{
    lua_pushinteger(L, v);
    lua_setfield(L, -2, name);
}

static void set_bool(lua_State *L, const char *name, bool v)
{
    lua_pushboolean(L, v);
    lua_setfield(L, -2, name);
}

static int f_terminal(lua_State *L)
{
    Terminal t = terminal(L, stream_of(L, 1));
    lua_createtable(L, 0, 5);
    set_bool(L, "tty", t.tty);
    set_int(L, "width", t.width);
    set_int(L, "height", t.height);
    set_int(L, "colour", t.colour);
    set_bool(L, "unicode", t.unicode);
    return 1;
}

/* Rendering ------------------------------------------------------------------------------- */

static const char *const formats[] = {"text", "svg", "json", NULL};
static const char *const cell_forms[] = {"auto", "label", "first", "block", "half", NULL};

/* The text on its way to Lua, which frees it when an error comes between. */
static int f_str_gc(lua_State *L)
{
    str_free(luaL_checkudata(L, 1, "moontile.str"));
    return 0;
}

static Str *push_str(lua_State *L)
{
    Str *s = lua_newuserdatauv(L, sizeof *s, 0);
    *s = (Str){0};
    if (luaL_newmetatable(L, "moontile.str")) {
        lua_pushcfunction(L, f_str_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return s;
}

static Style style_of(Reader *r)
{
    lua_State *L = r->L;
    Terminal t = terminal(L, 1);
    Style s = {.lang = diag_getlang(L)};
    s.colour = (int)viz_int_or(r, 2, "colour", 0, 24, t.colour);
    check_colour(r, s.colour);
    s.unicode = viz_bool_or(r, 2, "unicode", t.unicode);
    s.width = (int)viz_int_or(r, 2, "width", WidthLeast, FigWidth, t.width);
    s.height = (int)viz_int_or(r, 2, "height", 1, INT32_MAX, 0);
    s.cells = (enum CellForm)viz_choice(r, 2, "cells", cell_forms, CELLauto);
    return s;
}

static int f_render(lua_State *L)
{
    Reader r = {.L = L, .f = check_figure(L), .call = "f:render"};
    if (lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        lua_newtable(L);
    }
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    viz_fields(&r, 2, "format colour unicode width height cells tty", false);
    int format = viz_choice(&r, 2, "format", formats, 0);
    Style s = style_of(&r);
    Str *out = push_str(L);
    switch (format) {
    case 0: fig_write_text(r.f, &s, out); break;
    case 1: fig_write_svg(r.f, out); break;
    default: fig_write_json(r.f, out); break;
    }
    if (out->bad)
        return tensor_fail(L, E_memory, "more", "reached", NULL);
    lua_pushlstring(L, out->s ? out->s : "", out->n);
    str_free(out);
    return 1;
}

/* Columns of text ---------------------------------------------------------------------------- */

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

/* sleep(seconds): between frames; a signal ends it early, so that Ctrl-C answers */
static int f_sleep(lua_State *L)
{
    double s = luaL_checknumber(L, 1);
    s = s < 0 ? 0 : s > 3600 ? 3600 : s;
    struct timespec t = {.tv_sec = (time_t)s, .tv_nsec = (long)((s - (double)(time_t)s) * 1e9)};
    nanosleep(&t, NULL);
    return 0;
}

/* -------------------------------------------------------------------------------------------- */

static const luaL_Reg functions[] = {
    {"figure", f_figure}, {"terminal", f_terminal}, {"width", f_width},
    {"cut", f_cut}, {"pad", f_pad}, {"sleep", f_sleep}, {NULL, NULL},
};

static const luaL_Reg methods[] = {
    {"grid", f_grid}, {"table", f_table}, {"bars", f_bars}, {"track", f_track},
    {"curve", f_curve}, {"text", f_text}, {"legend", f_legend}, {"row", f_row},
    {"blank", f_blank}, {"render", f_render}, {NULL, NULL},
};

static const luaL_Reg meta[] = {
    {"__gc", f_gc}, {"__tostring", f_tostring}, {NULL, NULL},
};

static const struct { const char *name; int hue; } hues[] = {
    {"plain", HUEplain}, {"heat", HUEheat}, {"diverging", HUEdiverging}, {"good", HUEgood},
    {"bad", HUEbad}, {"warn", HUEwarn}, {"dim", HUEdim}, {"accent", HUEaccent},
};

static int open_viz(lua_State *L)
{
    luaL_newmetatable(L, FIGURE_TYPE);
    luaL_setfuncs(L, meta, 0);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    for (size_t i = 0; i < COUNT(hues); i++)
        set_int(L, hues[i].name, hues[i].hue);
    return 1;
}

void viz_init(void)
{
    static const luaL_Reg ours[] = {{"moontile.viz", open_viz}, {NULL, NULL}};
    api_use(ours);
}
