/* layout_viz/viz_read.c: reading tables of fields, each value checked and named. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/seam/tensor.h"
#include "viz.h"
#include "err/host.h"

void viz_enter(VizReader *r, const char *name, lua_Integer index)
{
    r->step[r->depth++] = (VizStep){name, index};
}

void viz_leave(VizReader *r) { r->depth--; }

/* Pushes "rows[2].spans[5]", and behind it the name. */
static const char *push_path(VizReader *r, const char *name)
{
    luaL_Buffer b;
    luaL_buffinit(r->L, &b);
    for (int i = 0; i < r->depth; i++) {
        const VizStep *s = &r->step[i];
        char num[32];
        if (s->name && i)
            luaL_addchar(&b, '.');
        if (s->name)
            luaL_addstring(&b, s->name);
        snprintf(num, sizeof num, "[%lld]", (long long)s->index);
        if (s->index)
            luaL_addstring(&b, num);
    }
    if (name && r->depth && name[0] != '[')
        luaL_addchar(&b, '.');
    if (name)
        luaL_addstring(&b, name);
    luaL_pushresult(&b);
    return lua_tostring(r->L, -1);
}

int viz_fail(VizReader *r, Err e, const char *name, ...)
{
    const char *arg[4] = {0};
    va_list ap;
    va_start(ap, name);
    for (int i = 0; i < 4 && (arg[i] = va_arg(ap, const char *)) != NULL; i++)
        ;
    va_end(ap);
    return tensor_fail(r->L, e, push_path(r, name), r->call, arg[0], arg[1], arg[2], arg[3]);
}

int viz_type(VizReader *r, const char *name, const char *want, int got)
{
    lua_State *L = r->L;
    if (lua_isnil(L, got))
        return viz_fail(r, E_viz_missing, name, NULL);
    const char *kind = kindof(L, got);
    return viz_fail(r, E_viz_type, name, kind_words(L, want), kind_words(L, kind), NULL);
}

static int out_of(VizReader *r, const char *name, lua_Integer v, lua_Integer lo, lua_Integer hi)
{
    lua_State *L = r->L;
    return viz_fail(r, E_viz_range, name, lua_pushfstring(L, "%I", (LUAI_UACINT)v),
                     lua_pushfstring(L, "%I", (LUAI_UACINT)lo),
                     lua_pushfstring(L, "%I", (LUAI_UACINT)hi), NULL);
}

/* The value on top, popped ------------------------------------------------------ */

static lua_Integer top_int(VizReader *r, const char *name, lua_Integer lo, lua_Integer hi)
{
    int is;
    lua_Integer v = lua_tointegerx(r->L, -1, &is);
    if (!is || lua_type(r->L, -1) != LUA_TNUMBER)
        viz_type(r, name, "integer", -1);
    if (v < lo || v > hi)
        out_of(r, name, v, lo, hi);
    lua_pop(r->L, 1);
    return v;
}

static double top_number(VizReader *r, const char *name)
{
    if (lua_type(r->L, -1) != LUA_TNUMBER)
        viz_type(r, name, "number", -1);
    double v = lua_tonumber(r->L, -1);
    if (!isfinite(v))
        viz_fail(r, E_viz_finite, name, isnan(v) ? "nan" : v > 0 ? "inf" : "-inf", NULL);
    lua_pop(r->L, 1);
    return v;
}

static Text top_text(VizReader *r, const char *name, bool lines)
{
    Text t = 0;
    size_t n;
    int type = lua_type(r->L, -1);
    bool none = type == LUA_TNIL || (type == LUA_TBOOLEAN && !lua_toboolean(r->L, -1));
    if (!none && type != LUA_TSTRING && type != LUA_TNUMBER)
        viz_type(r, name, "string", -1);
    const char *s = none ? NULL : lua_tolstring(r->L, -1, &n);
    if (s && !fig_text(r->f, &t, s, n, lines))
        tensor_fail(r->L, E_memory, "more", "reached", NULL);
    lua_pop(r->L, 1);
    return t;
}

static int32_t top_hue(VizReader *r, const char *name)
{
    return (int32_t)top_int(r, name, HUElast, INT32_MAX);
}

static char top_sign(VizReader *r, const char *name)
{
    size_t n;
    if (lua_isnil(r->L, -1)) {
        lua_pop(r->L, 1);
        return 0;
    }
    if (lua_type(r->L, -1) != LUA_TSTRING)
        viz_type(r, name, "string", -1);
    const char *s = lua_tolstring(r->L, -1, &n);
    if (n != 1 || *s < ' ' || *s > '~')
        viz_fail(r, E_viz_sign, name, s, NULL);
    char c = *s;
    lua_pop(r->L, 1);
    return c;
}

/* Fields -------------------------------------------------------------------------- */

static bool viz_read_has_word(const char *words, const char *w, size_t n)
{
    for (const char *p = words; *p; p += strcspn(p, " ")) {
        p += strspn(p, " ");
        if (strcspn(p, " ") == n && memcmp(p, w, n) == 0)
            return true;
    }
    return false;
}

void viz_fields(VizReader *r, int t, const char *fields, bool list)
{
    lua_State *L = r->L;
    t = lua_absindex(L, t);
    for (lua_pushnil(L); lua_next(L, t); lua_pop(L, 1)) {
        size_t n;
        if (list && lua_isinteger(L, -2))
            continue;
        const char *name = luaL_tolstring(L, -2, &n);
        if (lua_type(L, -3) != LUA_TSTRING || !viz_read_has_word(fields, name, n))
            viz_fail(r, E_viz_field, name, luaL_gsub(L, fields, " ", ", "), NULL);
        lua_pop(L, 1);
    }
}

static int viz_read_get(VizReader *r, int t, const char *name)
{
    lua_pushstring(r->L, name);
    return lua_rawget(r->L, t < 0 && t > LUA_REGISTRYINDEX ? t - 1 : t);
}

/* Is the field given?  Its value is pushed if so. */
static bool viz_read_given(VizReader *r, int t, const char *name)
{
    if (viz_read_get(r, t, name) != LUA_TNIL)
        return true;
    lua_pop(r->L, 1);
    return false;
}

lua_Integer viz_int(VizReader *r, int t, const char *name, lua_Integer lo, lua_Integer hi)
{
    viz_read_get(r, t, name);
    return top_int(r, name, lo, hi);
}

lua_Integer viz_int_or(VizReader *r, int t, const char *name, lua_Integer lo, lua_Integer hi,
                        lua_Integer otherwise)
{
    return viz_read_given(r, t, name) ? top_int(r, name, lo, hi) : otherwise;
}

double viz_number(VizReader *r, int t, const char *name)
{
    viz_read_get(r, t, name);
    return top_number(r, name);
}

double viz_number_or(VizReader *r, int t, const char *name, double otherwise)
{
    return viz_read_given(r, t, name) ? top_number(r, name) : otherwise;
}

bool viz_bool_or(VizReader *r, int t, const char *name, bool otherwise)
{
    if (!viz_read_given(r, t, name))
        return otherwise;
    if (!lua_isboolean(r->L, -1))
        viz_type(r, name, "boolean", -1);
    bool v = lua_toboolean(r->L, -1);
    lua_pop(r->L, 1);
    return v;
}

Text viz_text(VizReader *r, int t, const char *name)
{
    viz_read_get(r, t, name);
    return top_text(r, name, false);
}

int32_t viz_hue(VizReader *r, int t, const char *name)
{
    return viz_read_given(r, t, name) ? top_hue(r, name) : HUEplain;
}

char viz_sign(VizReader *r, int t, const char *name)
{
    viz_read_get(r, t, name);
    return top_sign(r, name);
}

int viz_choice(VizReader *r, int t, const char *name, const char *const *names, int otherwise)
{
    lua_State *L = r->L;
    if (!viz_read_given(r, t, name))
        return otherwise;
    if (lua_type(L, -1) != LUA_TSTRING)
        viz_type(r, name, "string", -1);
    const char *s = lua_tostring(L, -1);
    luaL_Buffer b;
    for (int i = 0; names[i]; i++)
        if (strcmp(s, names[i]) == 0) {
            lua_pop(L, 1);
            return i;
        }
    luaL_buffinit(L, &b);
    for (int i = 0; names[i]; i++) {
        luaL_addstring(&b, i ? ", " : "");
        luaL_addstring(&b, names[i]);
    }
    luaL_pushresult(&b);
    return viz_fail(r, E_viz_choice, name, s, lua_tostring(L, -1), NULL);
}

/* Lists ---------------------------------------------------------------------------- */

static const char *count_text(lua_State *L, lua_Integer n)
{
    return lua_pushfstring(L, "%I", (LUAI_UACINT)n);
}

int viz_list(VizReader *r, int t, const char *name, int most)
{
    int type = viz_read_get(r, t, name);
    if (type == LUA_TNIL)
        return -1;
    if (type != LUA_TTABLE)
        viz_type(r, name, "table", -1);
    lua_Unsigned n = lua_rawlen(r->L, -1);
    if (n > (lua_Unsigned)most)
        viz_fail(r, E_viz_large, name, count_text(r->L, (lua_Integer)n), count_text(r->L, most),
                 NULL);
    return (int)n;
}

int viz_list_of(VizReader *r, int t, const char *name, int n)
{
    int have = viz_list(r, t, name, FigCells);
    if (have >= 0 && have != n)
        viz_fail(r, E_viz_length, name, count_text(r->L, have), count_text(r->L, n), NULL);
    return have;
}

void viz_entry(VizReader *r, int i)
{
    if (lua_rawgeti(r->L, -1, i) != LUA_TTABLE)
        viz_type(r, NULL, "table", -1);
}

/* Reads an entry with `call`, in whose messages its place stands. */
#define ITEM(type, call)                 \
    do {                                 \
        lua_rawgeti(r->L, -1, i);        \
        viz_enter(r, NULL, i);          \
        type v = (call);                 \
        viz_leave(r);                   \
        return v;                        \
    } while (0)

double item_number(VizReader *r, int i) { ITEM(double, top_number(r, NULL)); }

lua_Integer item_int(VizReader *r, int i, lua_Integer lo, lua_Integer hi)
{
    ITEM(lua_Integer, top_int(r, NULL, lo, hi));
}

Text item_text(VizReader *r, int i, bool lines) { ITEM(Text, top_text(r, NULL, lines)); }
char item_sign(VizReader *r, int i) { ITEM(char, top_sign(r, NULL)); }

int32_t item_hue(VizReader *r, int i)
{
    if (lua_rawgeti(r->L, -1, i) == LUA_TNIL) {
        lua_pop(r->L, 1);
        return HUEplain;
    }
    lua_pop(r->L, 1);
    ITEM(int32_t, top_hue(r, NULL));
}

/* Memory ------------------------------------------------------------------------------ */

void *viz_new(VizReader *r, size_t n, size_t size)
{
    void *p = fig_new(r->f, n ? n : 1, size);
    if (!p)
        tensor_fail(r->L, E_memory, "more", "reached", NULL);
    return p;
}

Panel *viz_panel(VizReader *r, enum PanelKind k)
{
    if (r->f->npanel >= FigPanels)
        viz_fail(r, E_viz_large, "panels", count_text(r->L, r->f->npanel + 1),
                 count_text(r->L, FigPanels), NULL);
    Panel *p = viz_new(r, 1, sizeof *p);
    p->kind = k;
    return p;
}
