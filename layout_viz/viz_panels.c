/* layout_viz/viz_panels.c: f:table, bars, track, curve, text, legend. */
#include <string.h>

#include "lua/seam/tensor.h"
#include "viz.h"
#include "err/host.h"

/* The reader of a method whose fields are put at 1, the figure at 2. */
static VizReader reader_begin(lua_State *L, const char *call, const char *fields, bool list)
{
    VizReader r = {.L = L, .f = luaL_checkudata(L, 1, FIGURE_TYPE), .call = call};
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_insert(L, 1);
    viz_fields(&r, 1, fields, list);
    return r;
}

/* Adds the panel and returns the figure. */
static int add_panel(VizReader *r, Panel *p)
{
    fig_add(r->f, p);
    lua_settop(r->L, 2);
    return 1;
}

/* How many entries the fields table has as a list. */
static int own_list(VizReader *r)
{
    lua_Unsigned n = lua_rawlen(r->L, 1);
    if (n > FigCells)
        viz_fail(r, E_viz_large, "entries", lua_pushfstring(r->L, "%I", (LUAI_UACINT)n),
                  lua_pushfstring(r->L, "%d", FigCells), NULL);
    return (int)n;
}

/* Tables --------------------------------------------------------------------------- */

static bool is_number(const char *s)
{
    size_t n = strlen(s);
    return n == 0 || (strspn(s, "0123456789.,+-eEx%/ ") == n && strcspn(s, "0123456789") < n);
}

/* Numbers stand to the right where nothing else was said. */
static char natural_align(const VizReader *r, const Table *t, int c)
{
    bool some = false;
    for (int i = 0; i < t->rows; i++) {
        const char *s = fig_str(r->f, t->entry[(size_t)i * (size_t)t->cols + (size_t)c]);
        some = some || *s;
        if (!is_number(s))
            return 'l';
    }
    return some ? 'r' : 'l';
}

static void aligns(VizReader *r, Table *t)
{
    lua_State *L = r->L;
    t->align = viz_new(r, (size_t)t->cols + 1, 1);
    lua_getfield(L, 1, "align");
    if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TSTRING)
        viz_type(r, "align", "string", -1);
    const char *s = luaL_optstring(L, -1, "");
    size_t n = strlen(s);
    if (strspn(s, "lrc") != n)
        viz_fail(r, E_viz_choice, "align", s, "l, r, c", NULL);
    if (n > (size_t)t->cols)
        viz_fail(r, E_viz_length, "align", lua_pushfstring(L, "%I", (LUAI_UACINT)n),
                  lua_pushfstring(L, "%d", t->cols), NULL);
    for (int c = 0; c < t->cols; c++)
        t->align[c] = (size_t)c < n ? s[c] : natural_align(r, t, c);
    lua_pop(L, 1);
}

static void tints(VizReader *r, Table *t)
{
    lua_State *L = r->L;
    t->tint = viz_new(r, (size_t)t->rows, sizeof *t->tint);
    for (int i = 0; i < t->rows; i++)
        t->tint[i] = HUEplain;
    if (viz_list(r, 1, "tints", FigCells) >= 0)
        for (lua_pushnil(L); lua_next(L, -2); ) {
            int is;
            lua_Integer row = lua_tointegerx(L, -2, &is);
            lua_pop(L, 1);
            if (!is || row < 1 || row > t->rows)
                viz_fail(r, E_viz_range, "tints", luaL_tolstring(L, -1, NULL), "1",
                          lua_pushfstring(L, "%d", t->rows), NULL);
            lua_pushvalue(L, -2);
            viz_enter(r, "tints", 0);
            t->tint[row - 1] = item_hue(r, (int)row);
            viz_leave(r);
            lua_pop(L, 1);
        }
    lua_pop(L, 1);
}

static void table_rows(VizReader *r, Table *t)
{
    lua_State *L = r->L;
    if (t->cols && t->rows > FigCells / t->cols)
        viz_fail(r, E_viz_large, "rows",
                  lua_pushfstring(L, "%I", (LUAI_UACINT)t->rows * t->cols),
                  lua_pushfstring(L, "%d", FigCells), NULL);
    t->entry = viz_new(r, (size_t)t->rows * (size_t)t->cols, sizeof *t->entry);
    for (int i = 0; i < t->rows; i++) {
        viz_enter(r, "rows", i + 1);
        viz_entry(r, i + 1);
        int have = (int)lua_rawlen(L, -1);
        if (have != t->cols)
            viz_fail(r, E_viz_length, NULL, lua_pushfstring(L, "%d", have),
                      lua_pushfstring(L, "%d", t->cols), NULL);
        for (int c = 0; c < t->cols; c++)
            t->entry[(size_t)i * (size_t)t->cols + (size_t)c] = item_text(r, c + 1, false);
        lua_pop(L, 1);
        viz_leave(r);
    }
}

int f_table(lua_State *L)
{
    VizReader r = reader_begin(L, "f:table", "head rows align tints caption", false);
    Panel *p = viz_panel(&r, Ptable);
    Table *t = &p->u.table;
    t->cols = viz_list(&r, 1, "head", FigWidth);
    if (t->cols >= 0) {
        t->head = viz_new(&r, (size_t)t->cols, sizeof *t->head);
        viz_enter(&r, "head", 0);
        for (int c = 0; c < t->cols; c++)
            t->head[c] = item_text(&r, c + 1, false);
        viz_leave(&r);
    }
    t->rows = viz_list(&r, 1, "rows", FigCells);
    if (t->rows < 0)
        viz_type(&r, "rows", "table", -1);
    if (t->cols < 0 && t->rows > 0) {
        viz_enter(&r, "rows", 1);
        viz_entry(&r, 1);
        viz_leave(&r);
        t->cols = lua_rawlen(L, -1) > FigWidth ? FigWidth : (int)lua_rawlen(L, -1);
        lua_pop(L, 1);
    }
    t->cols = t->cols < 0 ? 0 : t->cols;
    table_rows(&r, t);
    lua_pop(L, 1);
    aligns(&r, t);
    tints(&r, t);
    p->caption = viz_text(&r, 1, "caption");
    return add_panel(&r, p);
}

/* Bars ------------------------------------------------------------------------------ */

static void viz_bar(VizReader *r, ChartBar *b)
{
    viz_fields(r, -1, "label value text hue low high", false);
    b->label = viz_text(r, -1, "label");
    b->value = viz_number(r, -1, "value");
    b->text = viz_text(r, -1, "text");
    b->hue = viz_hue(r, -1, "hue");
    b->low = viz_number_or(r, -1, "low", b->value);
    b->high = viz_number_or(r, -1, "high", b->value);
    if (b->low > b->high)
        viz_fail(r, E_viz_range, "low", lua_pushfstring(r->L, "%f", b->low), "-inf",
                  lua_pushfstring(r->L, "%f", b->high), NULL);
    lua_getfield(r->L, -1, "low");
    lua_getfield(r->L, -2, "high");
    b->range = !lua_isnil(r->L, -1) || !lua_isnil(r->L, -2);
    lua_pop(r->L, 2);
}

int f_bars(lua_State *L)
{
    VizReader r = reader_begin(L, "f:bars", "max unit caption", true);
    Panel *p = viz_panel(&r, Pbars);
    BarChart *b = &p->u.bars;
    b->n = own_list(&r);
    b->bar = viz_new(&r, (size_t)b->n, sizeof *b->bar);
    lua_pushvalue(L, 1);
    for (int i = 0; i < b->n; i++) {
        viz_enter(&r, NULL, i + 1);
        viz_entry(&r, i + 1);
        viz_bar(&r, &b->bar[i]);
        lua_pop(L, 1);
        viz_leave(&r);
    }
    lua_pop(L, 1);
    b->max = viz_number_or(&r, 1, "max", 0);
    if (b->max < 0)
        viz_fail(&r, E_viz_range, "max", lua_pushfstring(L, "%f", b->max), "0", "inf", NULL);
    b->unit = viz_text(&r, 1, "unit");
    p->caption = viz_text(&r, 1, "caption");
    return add_panel(&r, p);
}

/* Time lines -------------------------------------------------------------------------- */

/* {from, to, label, hue} */
static void viz_span(VizReader *r, Span *s)
{
    s->from = item_number(r, 1);
    s->to = item_number(r, 2);
    s->label = item_text(r, 3, false);
    s->hue = item_hue(r, 4);
    if (s->to < s->from)
        viz_fail(r, E_viz_range, "[2]", lua_pushfstring(r->L, "%f", s->to),
                  lua_pushfstring(r->L, "%f", s->from), "inf", NULL);
}

static void viz_line(VizReader *r, Line *l)
{
    lua_State *L = r->L;
    viz_fields(r, -1, "label spans marks", false);
    l->label = viz_text(r, -1, "label");
    int n = viz_list(r, -1, "spans", FigCells);
    l->nspan = n < 0 ? 0 : n;
    l->span = viz_new(r, (size_t)l->nspan, sizeof *l->span);
    for (int i = 0; i < l->nspan; i++) {
        viz_enter(r, "spans", i + 1);
        viz_entry(r, i + 1);
        viz_span(r, &l->span[i]);
        lua_pop(L, 1);
        viz_leave(r);
    }
    lua_pop(L, 1);
    n = viz_list(r, -1, "marks", FigCells);
    l->nmark = n < 0 ? 0 : n;
    l->mark = viz_new(r, (size_t)l->nmark, sizeof *l->mark);
    for (int i = 0; i < l->nmark; i++) {
        viz_enter(r, "marks", i + 1);
        viz_entry(r, i + 1);
        l->mark[i].at = item_number(r, 1);
        l->mark[i].sign = item_sign(r, 2);
        if (!l->mark[i].sign)
            l->mark[i].sign = '|';
        lua_pop(L, 1);
        viz_leave(r);
    }
    lua_pop(L, 1);
}

/* The times that are drawn: those given, else all that there are. */
static void time_extent(VizReader *r, Track *t)
{
    double from = 0, to = 0;
    bool some = false;
    for (int i = 0; i < t->n; i++) {
        const Line *l = &t->line[i];
        for (int k = 0; k < l->nspan; k++) {
            from = some && from < l->span[k].from ? from : l->span[k].from;
            to = some && to > l->span[k].to ? to : l->span[k].to;
            some = true;
        }
        for (int k = 0; k < l->nmark; k++) {
            from = some && from < l->mark[k].at ? from : l->mark[k].at;
            to = some && to > l->mark[k].at ? to : l->mark[k].at;
            some = true;
        }
    }
    t->from = viz_number_or(r, 1, "from", from);
    t->to = viz_number_or(r, 1, "to", to);
    if (t->to < t->from)
        viz_fail(r, E_viz_range, "to", lua_pushfstring(r->L, "%f", t->to),
                  lua_pushfstring(r->L, "%f", t->from), "inf", NULL);
}

int f_track(lua_State *L)
{
    VizReader r = reader_begin(L, "f:track", "rows from to unit caption", false);
    Panel *p = viz_panel(&r, Ptrack);
    Track *t = &p->u.track;
    t->n = viz_list(&r, 1, "rows", FigCells);
    if (t->n < 0)
        viz_type(&r, "rows", "table", -1);
    t->line = viz_new(&r, (size_t)t->n, sizeof *t->line);
    for (int i = 0; i < t->n; i++) {
        viz_enter(&r, "rows", i + 1);
        viz_entry(&r, i + 1);
        viz_line(&r, &t->line[i]);
        lua_pop(L, 1);
        viz_leave(&r);
    }
    lua_pop(L, 1);
    time_extent(&r, t);
    t->unit = viz_text(&r, 1, "unit");
    p->caption = viz_text(&r, 1, "caption");
    return add_panel(&r, p);
}

/* Curves -------------------------------------------------------------------------------- */

static void check_log(VizReader *r, const Curve *c, const Point *p)
{
    if (c->xlog && p->x <= 0)
        viz_fail(r, E_viz_log, "[1]", lua_pushfstring(r->L, "%f", p->x), NULL);
    if (c->ylog && p->y <= 0)
        viz_fail(r, E_viz_log, "[2]", lua_pushfstring(r->L, "%f", p->y), NULL);
}

/* Points of the list on top: {x, y}, and label and hue if `named`. */
static Point *viz_points(VizReader *r, const Curve *c, const char *name, int n, bool named)
{
    Point *list = viz_new(r, (size_t)n, sizeof *list);
    for (int i = 0; i < n; i++) {
        viz_enter(r, name, i + 1);
        viz_entry(r, i + 1);
        Point *p = &list[i];
        p->x = item_number(r, 1);
        p->y = item_number(r, 2);
        check_log(r, c, p);
        p->hue = HUEplain;
        if (named) {
            viz_fields(r, -1, "label hue", true);
            p->label = viz_text(r, -1, "label");
            p->hue = viz_hue(r, -1, "hue");
        }
        lua_pop(r->L, 1);
        viz_leave(r);
    }
    return list;
}

static void viz_stroke(VizReader *r, const Curve *c, Stroke *s)
{
    viz_fields(r, -1, "points label hue", false);
    s->label = viz_text(r, -1, "label");
    s->hue = viz_hue(r, -1, "hue");
    s->n = viz_list(r, -1, "points", FigCells);
    if (s->n < 0)
        viz_type(r, "points", "table", -1);
    s->point = viz_points(r, c, "points", s->n, false);
    lua_pop(r->L, 1);
}

int f_curve(lua_State *L)
{
    VizReader r = reader_begin(L, "f:curve", "xlabel ylabel xlog ylog lines points caption", false);
    Panel *p = viz_panel(&r, Pcurve);
    Curve *c = &p->u.curve;
    c->xlabel = viz_text(&r, 1, "xlabel");
    c->ylabel = viz_text(&r, 1, "ylabel");
    c->xlog = viz_bool_or(&r, 1, "xlog", false);
    c->ylog = viz_bool_or(&r, 1, "ylog", false);
    int n = viz_list(&r, 1, "lines", FigWidth);
    c->nstroke = n < 0 ? 0 : n;
    c->stroke = viz_new(&r, (size_t)c->nstroke, sizeof *c->stroke);
    for (int i = 0; i < c->nstroke; i++) {
        viz_enter(&r, "lines", i + 1);
        viz_entry(&r, i + 1);
        viz_stroke(&r, c, &c->stroke[i]);
        lua_pop(L, 1);
        viz_leave(&r);
    }
    lua_pop(L, 1);
    n = viz_list(&r, 1, "points", FigCells);
    c->npoint = n < 0 ? 0 : n;
    c->point = viz_points(&r, c, "points", c->npoint, true);
    lua_pop(L, 1);
    p->caption = viz_text(&r, 1, "caption");
    return add_panel(&r, p);
}

/* Text and legends ------------------------------------------------------------------------ */

/* Line i of the text s, 0 on; n: its bytes. */
static const char *nth_line(const char *s, int i, size_t *n)
{
    for (; i > 0; i--)
        s = strchr(s, '\n') + 1;
    *n = strcspn(s, "\n");
    return s;
}

static int lines_in(const char *s)
{
    int n = 1;
    while ((s = strchr(s, '\n')) != NULL) {
        n++;
        s++;
    }
    return n;
}

int f_text(lua_State *L)
{
    VizReader r = {.L = L, .f = luaL_checkudata(L, 1, FIGURE_TYPE), .call = "f:text"};
    int args = lua_gettop(L);
    for (int i = 2; i <= args; i++)
        if (lua_type(L, i) != LUA_TSTRING && lua_type(L, i) != LUA_TNUMBER)
            wrong_arg(L, i, "string");
    Panel *p = viz_panel(&r, Ptext);
    Lines *t = &p->u.text;
    for (int i = 2; i <= args; i++)
        t->n += lines_in(lua_tostring(L, i));
    t->line = viz_new(&r, (size_t)t->n, sizeof *t->line);
    for (int i = 2, at = 0; i <= args; i++) {
        const char *s = lua_tostring(L, i);
        for (int k = 0, m = lines_in(s); k < m; k++) {
            size_t n;
            const char *line = nth_line(s, k, &n);
            if (!fig_text(r.f, &t->line[at++], line, n, false))
                tensor_fail(L, E_memory, "more", "reached", NULL);
        }
    }
    fig_add(r.f, p);
    lua_settop(L, 1);
    return 1;
}

int f_legend(lua_State *L)
{
    VizReader r = reader_begin(L, "f:legend", "caption", true);
    Panel *p = viz_panel(&r, Plegend);
    Legend *l = &p->u.legend;
    l->n = own_list(&r);
    l->chip = viz_new(&r, (size_t)l->n, sizeof *l->chip);
    lua_pushvalue(L, 1);
    for (int i = 0; i < l->n; i++) {
        viz_enter(&r, NULL, i + 1);
        viz_entry(&r, i + 1);
        viz_fields(&r, -1, "hue tone sign label", false);
        Chip *c = &l->chip[i];
        c->hue = viz_hue(&r, -1, "hue");
        c->tone = (uint8_t)viz_int_or(&r, -1, "tone", 0, 255, ToneDefault);
        c->sign = viz_sign(&r, -1, "sign");
        c->label = viz_text(&r, -1, "label");
        lua_pop(L, 1);
        viz_leave(&r);
    }
    lua_pop(L, 1);
    p->caption = viz_text(&r, 1, "caption");
    return add_panel(&r, p);
}
