/* layout_viz/viz.c: module moontile.viz: figures.
 *
 *     local viz = require "moontile.viz"
 *     local f = viz.figure("C of gemm", 'plot(gemm, "C")')
 *     f:grid{rows = 2, cols = 2, labels = {"a", "b", "c", "d"}, hues = {0, 1, 2, 3}}
 *     io.write(f:render{format = "text", colour = 24, unicode = true, width = 80})
 *
 * A figure is a full userdata that holds a Figure and owns its memory. */
#include <stdlib.h>
#include <string.h>

#include "lua/seam/tensor.h"
#include "lua/term/term.h"
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

static int f_viz_gc(lua_State *L)
{
    fig_free(check_figure(L));
    return 0;
}

static int f_viz_tostring(lua_State *L)
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
    VizReader r = {.L = L, .f = check_figure(L), .call = "f:blank"};
    fig_add(r.f, viz_panel(&r, Pblank));
    lua_settop(L, 1);
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

static Style viz_style_of(VizReader *r)
{
    lua_State *L = r->L;
    Terminal t = term_of(L, 1);
    Style s = {.lang = diag_getlang(L)};
    s.colour = (int)viz_int_or(r, 2, "colour", 0, 24, t.colour);
    term_check_colour(L, s.colour, r->call);
    s.unicode = viz_bool_or(r, 2, "unicode", t.unicode);
    s.width = (int)viz_int_or(r, 2, "width", TermLeast, TermMost, t.width);
    s.height = (int)viz_int_or(r, 2, "height", 1, INT32_MAX, 0);
    s.cells = (enum CellForm)viz_choice(r, 2, "cells", cell_forms, CELLauto);
    return s;
}

static int f_viz_render(lua_State *L)
{
    VizReader r = {.L = L, .f = check_figure(L), .call = "f:render"};
    if (lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        lua_newtable(L);
    }
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    viz_fields(&r, 2, "format colour unicode width height cells tty", false);
    int format = viz_choice(&r, 2, "format", formats, 0);
    Style s = viz_style_of(&r);
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

/* -------------------------------------------------------------------------------------------- */

static const luaL_Reg functions[] = {
    {"figure", f_figure}, {NULL, NULL},
};

static const luaL_Reg methods[] = {
    {"grid", f_grid}, {"table", f_table}, {"bars", f_bars}, {"track", f_track},
    {"curve", f_curve}, {"text", f_text}, {"legend", f_legend}, {"row", f_row},
    {"blank", f_blank}, {"render", f_viz_render}, {NULL, NULL},
};

static const luaL_Reg meta[] = {
    {"__gc", f_viz_gc}, {"__tostring", f_viz_tostring}, {NULL, NULL},
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
        field_integer(L, hues[i].name, hues[i].hue);
    return 1;
}

void viz_init(void)
{
    static const luaL_Reg ours[] = {{"moontile.viz", open_viz}, {NULL, NULL}};
    api_use(ours);
}
