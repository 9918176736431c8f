/* lua/state/limits.c: limits of Lua's own that a text meets, in words that say what to do.
 *
 * The dialect has read the text by then and found nothing wrong, so that what Lua still refuses
 * is a size: generated programs have thousands of loops in one function. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "api.h"

/* What Lua's message has, and whose row it is; the first that fits. */
static const struct { const char *has, *id; } limits[] = {
    {"too many local variables (limit is 200)", "limit_locals"},
    {"too many local variables", "limit_total"},
    {"control structure too long", "limit_block"},
    {"function or expression needs too many registers", "limit_values"},
    {"too many upvalues", "limit_upvalues"},
    {"C stack overflow", "limit_deep"},
    {"too many ", "limit_other"},
    {"overflow", "limit_other"},
};

/* The number behind "limit is ", or the message itself. */
static void push_limit(lua_State *L, const char *text)
{
    const char *at = strstr(text, "limit is ");
    if (at)
        lua_pushfstring(L, "%d", (int)strtol(at + 9, NULL, 10));
    else
        lua_pushstring(L, text);
}

/* Where "chunk:12: text" has its line; 0: it has none.  *text: what stands behind. */
static lua_Integer limits_line_of(const char *msg, const char **text)
{
    *text = msg;
    for (const char *p = msg; (p = strchr(p, ':')) != NULL;) {
        char *end;
        long line = strtol(++p, &end, 10);
        if (line > 0 && end[0] == ':' && end[1] == ' ') {
            *text = end + 2;
            return line;
        }
    }
    return 0;
}

/* The row for a message without its place; NULL: it is of no limit. */
static const char *limits_row_of(const char *text)
{
    for (size_t i = 0; i < COUNT(limits); i++)
        if (strncmp(text, limits[i].has, strlen(limits[i].has)) == 0 ||
            (i + 1 == COUNT(limits) && strstr(text, limits[i].has)))
            return limits[i].id;
    return NULL;
}

void limit_explain(lua_State *L, const char *chunk)
{
    const char *msg = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL, *text;
    lua_Integer line = msg ? limits_line_of(msg, &text) : 0;
    const char *id = msg ? limits_row_of(text) : NULL;
    if (!id)
        return;
    api_require(L, "moontile.diag");
    lua_getfield(L, -1, "at");
    lua_remove(L, -2);
    lua_pushstring(L, id);
    lua_pushstring(L, chunk);
    lua_pushinteger(L, line);
    lua_pushinteger(L, 0);
    if (strcmp(id, "limit_other") == 0)
        lua_pushstring(L, text);
    else
        push_limit(L, text);
    lua_call(L, 5, 1);
    lua_replace(L, -2);
}
