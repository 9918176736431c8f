/* layout_viz/viz_grid.c: f:grid{...}: cells from parallel lists. */
#include <string.h>

#include "lua/seam/tensor.h"
#include "viz.h"
#include "err/host.h"

/* Heads of rows or columns; NULL: none. */
static Text *viz_grid_heads(VizReader *r, const char *name, int n)
{
    Text *t = NULL;
    if (viz_list_of(r, 1, name, n) >= 0) {
        t = viz_new(r, (size_t)n, sizeof *t);
        viz_enter(r, name, 0);
        for (int i = 0; i < n; i++)
            t[i] = item_text(r, i + 1, false);
        viz_leave(r);
    }
    lua_pop(r->L, 1);
    return t;
}

static void labels(VizReader *r, Grid *g, int n)
{
    g->labels = viz_list_of(r, 1, "labels", n) >= 0;
    viz_enter(r, "labels", 0);
    for (int i = 0; g->labels && i < n; i++)
        g->cell[i].label = item_text(r, i + 1, true);
    viz_leave(r);
    lua_pop(r->L, 1);
}

enum { ValuesMost = 8 };

/* The lists of `values`, each of n integers, left on the stack from `base`. */
static void value_lists(VizReader *r, const char *format, int base, int n)
{
    lua_State *L = r->L;
    int want = fig_format(format), have = viz_list(r, 1, "values", ValuesMost);
    if (want < 0 || want > ValuesMost || have != want)
        tensor_fail(L, E_viz_format, r->call, format, lua_pushfstring(L, "%d", want < 0 ? 0 : want),
                    lua_pushfstring(L, "%d", have < 0 ? 0 : have), NULL);
    luaL_checkstack(L, ValuesMost + 10, NULL);
    for (int k = 0; k < want; k++) {
        viz_enter(r, "values", k + 1);
        lua_pushvalue(L, base + 1);
        viz_entry(r, k + 1);
        lua_remove(L, -2);
        int got = (int)lua_rawlen(L, -1);
        if (got != n)
            viz_fail(r, E_viz_length, NULL, lua_pushfstring(L, "%d", got),
                     lua_pushfstring(L, "%d", n), NULL);
        viz_leave(r);
    }
}

/* Labels made of `format` and the lists of integers in `values`. */
static void formatted(VizReader *r, Grid *g, int n)
{
    lua_State *L = r->L;
    int64_t v[ValuesMost];
    int base = lua_gettop(L); /* where the format stands */
    size_t len;
    if (lua_type(L, -1) != LUA_TSTRING)
        viz_type(r, "format", "string", -1);
    Text clean = 0;
    const char *s = lua_tolstring(L, -1, &len);
    if (!fig_text(r->f, &clean, s, len, true))
        tensor_fail(L, E_memory, "more", "reached", NULL);
    const char *format = lua_pushstring(L, fig_str(r->f, clean));
    lua_replace(L, base);
    value_lists(r, format, base, n);
    int want = fig_format(format);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < want; k++) {
            int is;
            lua_rawgeti(L, base + 2 + k, i + 1);
            v[k] = lua_tointegerx(L, -1, &is);
            if (!is) {
                viz_enter(r, "values", k + 1);
                viz_enter(r, NULL, i + 1);
                viz_type(r, NULL, "integer", -1);
            }
            lua_pop(L, 1);
        }
        if (!fig_label(r->f, &g->cell[i].label, format, v))
            tensor_fail(L, E_memory, "more", "reached", NULL);
    }
    g->labels = true;
    lua_settop(L, base - 1);
}

/* A list of one hue a cell, or one for all. */
static void hues(VizReader *r, Grid *g, int n)
{
    lua_State *L = r->L;
    lua_getfield(L, 1, "hues");
    bool one = lua_type(L, -1) == LUA_TNUMBER;
    lua_pop(L, 1);
    int32_t all = one ? viz_hue(r, 1, "hues") : HUEplain;
    for (int i = 0; i < n; i++)
        g->cell[i].hue = all;
    if (one)
        return;
    bool have = viz_list_of(r, 1, "hues", n) >= 0;
    viz_enter(r, "hues", 0);
    for (int i = 0; have && i < n; i++)
        g->cell[i].hue = item_hue(r, i + 1);
    viz_leave(r);
    lua_pop(L, 1);
}

static void tones(VizReader *r, Grid *g, int n)
{
    g->tones = viz_list_of(r, 1, "tones", n) >= 0;
    viz_enter(r, "tones", 0);
    for (int i = 0; i < n; i++)
        g->cell[i].tone = g->tones ? (uint8_t)item_int(r, i + 1, 0, 255) : ToneDefault;
    viz_leave(r);
    lua_pop(r->L, 1);
}

static void signs(VizReader *r, Grid *g, int n)
{
    lua_State *L = r->L;
    size_t len;
    if (lua_getfield(L, 1, "signs") != LUA_TNIL) {
        if (lua_type(L, -1) != LUA_TSTRING)
            viz_type(r, "signs", "string", -1);
        const char *s = lua_tolstring(L, -1, &len);
        if (len != (size_t)n)
            viz_fail(r, E_viz_length, "signs", lua_pushfstring(L, "%I", (LUAI_UACINT)len),
                      lua_pushfstring(L, "%d", n), NULL);
        for (int i = 0; i < n; i++) {
            if (s[i] < ' ' || s[i] > '~') {
                viz_enter(r, "signs", i + 1);
                viz_fail(r, E_viz_sign, NULL, lua_pushlstring(L, s + i, 1), NULL);
            }
            g->cell[i].sign = s[i];
        }
        g->signs = true;
    }
    lua_pop(L, 1);
}

/* Numbers of cells, from 1. */
static void cells_of(VizReader *r, Grid *g, const char *name, int n, bool mark)
{
    int have = viz_list(r, 1, name, FigCells);
    viz_enter(r, name, 0);
    for (int i = 0; i < have; i++) {
        FigureCell *c = &g->cell[item_int(r, i + 1, 1, n) - 1];
        c->mark = c->mark || mark;
        c->hole = c->hole || !mark;
    }
    viz_leave(r);
    lua_pop(r->L, 1);
}

int f_grid(lua_State *L)
{
    Figure *f = luaL_checkudata(L, 1, FIGURE_TYPE);
    VizReader r = {.L = L, .f = f, .call = "f:grid"};
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_insert(L, 1); /* the fields at 1, the figure at 2 */
    viz_fields(&r, 1, "rows cols labels format values hues tones signs marks holes row_heads "
                "col_heads row_name col_name gap_rows gap_cols caption", false);
    Panel *p = viz_panel(&r, Pgrid);
    Grid *g = &p->u.grid;
    g->rows = (int)viz_int(&r, 1, "rows", 1, FigSide);
    g->cols = (int)viz_int(&r, 1, "cols", 1, FigSide);
    if (g->rows > FigCells / g->cols)
        viz_fail(&r, E_viz_large, "rows * cols",
                  lua_pushfstring(L, "%I", (LUAI_UACINT)g->rows * g->cols),
                  lua_pushfstring(L, "%d", FigCells), NULL);
    int n = g->rows * g->cols;
    g->cell = viz_new(&r, (size_t)n, sizeof *g->cell);
    if (lua_getfield(L, 1, "format") != LUA_TNIL)
        formatted(&r, g, n);
    else
        labels(&r, g, n);
    lua_settop(L, 2);
    hues(&r, g, n);
    tones(&r, g, n);
    signs(&r, g, n);
    cells_of(&r, g, "marks", n, true);
    cells_of(&r, g, "holes", n, false);
    g->row_head = viz_grid_heads(&r, "row_heads", g->rows);
    g->col_head = viz_grid_heads(&r, "col_heads", g->cols);
    g->row_name = viz_text(&r, 1, "row_name");
    g->col_name = viz_text(&r, 1, "col_name");
    g->gap_rows = (int)viz_int_or(&r, 1, "gap_rows", 0, FigSide, 0);
    g->gap_cols = (int)viz_int_or(&r, 1, "gap_cols", 0, FigSide, 0);
    p->caption = viz_text(&r, 1, "caption");
    fig_add(f, p);
    lua_settop(L, 2);
    return 1;
}
