/* lua/seam/pack.c: moontile.pack: packs of puzzles: their JSON, their hashes, their folders.
 *
 * What a pack may hold is decided in puzzles/course/pack_read.lua; here is what keeps a
 * hostile one from costing more than its size: bytes, depth and values are counted before
 * anything is built. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <lauxlib.h>

#include "core/base/sha256.h"
#include "seam.h"
#include "pack.h"

enum {
    Depth = 4,             /* {files: [{..}]}, and one more for a message about it */
    Values = 20000         /* of all lists and objects */
};

/* nil, why; a text for people, in the words of the system */
static int lpack_failed(lua_State *L, int err)
{
    lua_pushnil(L);
    lua_pushstring(L, strerror(err));
    return 2;
}

static int lpack_outcome(lua_State *L, int err)
{
    if (err)
        return lpack_failed(L, err);
    lua_pushboolean(L, true);
    return 1;
}

/* Hashes ------------------------------------------------------------------------- */

/* sha256(text) -> 64 hexadecimal digits */
static int f_sha256(lua_State *L)
{
    size_t n;
    const char *s = luaL_checklstring(L, 1, &n);
    unsigned char h[HashBytes];
    char hex[2 * HashBytes + 1];
    sha256(s, n, h);
    for (int i = 0; i < HashBytes; i++)
        snprintf(hex + 2 * i, 3, "%02x", h[i]);
    lua_pushstring(L, hex);
    return 1;
}

/* JSON --------------------------------------------------------------------------- */

/* What is too much in the text, before it is read: NULL, or which limit. */
static const char *excess(const char *s, size_t n)
{
    int depth = 0, values = 0;
    bool quoted = false;
    for (size_t i = 0; i < n; i++) {
        if (quoted) {
            if (s[i] == '\\')
                i++; /* and what it escapes */
            else
                quoted = s[i] != '"';
            continue;
        }
        switch (s[i]) {
        case '"': quoted = true; break;
        case '{':
        case '[': depth++; values++; break;
        case '}':
        case ']': depth--; break;
        case ',': values++; break;
        default: break;
        }
        if (depth > Depth)
            return "depth";
        if (values > Values)
            return "values";
    }
    return NULL;
}

static void lpack_push(lua_State *L, json_t *v);

static void lpack_push_object(lua_State *L, json_t *v)
{
    const char *key;
    json_t *x;
    lua_createtable(L, 0, (int)json_object_size(v));
    json_object_foreach(v, key, x) {
        lpack_push(L, x);
        lua_setfield(L, -2, key);
    }
}

static void lpack_push_list(lua_State *L, json_t *v)
{
    lua_createtable(L, (int)json_array_size(v), 0);
    for (size_t i = 0; i < json_array_size(v); i++) {
        lpack_push(L, json_array_get(v, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* null is false: whoever reads it wants something else in either case. */
static void lpack_push(lua_State *L, json_t *v)
{
    luaL_checkstack(L, 4, "depth");
    switch (json_typeof(v)) {
    case JSON_OBJECT: lpack_push_object(L, v); break;
    case JSON_ARRAY: lpack_push_list(L, v); break;
    case JSON_STRING: lua_pushlstring(L, json_string_value(v), json_string_length(v)); break;
    case JSON_INTEGER: lua_pushinteger(L, (lua_Integer)json_integer_value(v)); break;
    case JSON_REAL: lua_pushnumber(L, json_real_value(v)); break;
    case JSON_TRUE: lua_pushboolean(L, true); break;
    case JSON_FALSE:
    case JSON_NULL: lua_pushboolean(L, false); break;
    }
}

/* (json_t *) -> value */
static int convert(lua_State *L)
{
    json_t *v = lua_touserdata(L, 1);
    lua_settop(L, 0);
    lpack_push(L, v);
    return 1;
}

/* parse(text) -> value | nil, "size", "depth" or "values" | nil, "json", line, why */
static int f_lpack_parse(lua_State *L)
{
    size_t n;
    const char *s = luaL_checklstring(L, 1, &n), *over = n > PackBytes ? "size" : excess(s, n);
    json_error_t e;
    lua_settop(L, 1);
    json_t *v = over ? NULL : json_loadb(s, n, JSON_REJECT_DUPLICATES, &e);
    if (!v) {
        lua_pushnil(L);
        lua_pushstring(L, over ? over : "json");
        lua_pushinteger(L, over ? 0 : e.line);
        lua_pushstring(L, over ? "" : e.text);
        return 4;
    }
    lua_pushcfunction(L, convert);
    lua_pushlightuserdata(L, v);
    int status = lua_pcall(L, 1, 1, 0);
    json_decref(v);
    return status == LUA_OK ? 1 : lua_error(L);
}

/* Folders ------------------------------------------------------------------------ */

/* unpack(parent, {{path =, text =}, ..}) -> name of a new folder there | nil, why */
static int f_unpack(lua_State *L)
{
    const char *parent = luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_Integer n = luaL_len(L, 2);
    luaL_argcheck(L, n > 0 && n <= Values, 2, "files");
    PackFile *file = lua_newuserdatauv(L, (size_t)n * sizeof *file, 0);
    char name[PackName];
    for (lua_Integer i = 0; i < n; i++) {
        PackFile *f = &file[i];
        lua_rawgeti(L, 2, i + 1);
        lua_getfield(L, -1, "path"); /* the table keeps both alive */
        lua_getfield(L, -2, "text");
        f->path = luaL_checkstring(L, -2);
        f->text = luaL_checklstring(L, -1, &f->n);
        lua_settop(L, 3);
    }
    int err = pack_unpack(parent, file, (int)n, name);
    if (err)
        return lpack_failed(L, err);
    lua_pushstring(L, name);
    return 1;
}

/* swap(parent, from, to) -> "swapped" or "new" | nil, why */
static int f_swap(lua_State *L)
{
    bool swapped;
    int err = pack_swap(luaL_checkstring(L, 1), luaL_checkstring(L, 2), luaL_checkstring(L, 3),
                        &swapped);
    if (err)
        return lpack_failed(L, err);
    lua_pushstring(L, swapped ? "swapped" : "new");
    return 1;
}

/* discard(parent, name) -> true | nil, why */
static int f_discard(lua_State *L)
{
    return lpack_outcome(L, pack_discard(luaL_checkstring(L, 1), luaL_checkstring(L, 2)));
}

/* slurp(folder, path [, bytes]) -> text | nil, why, "large" or "none" where it is that */
static int f_slurp(lua_State *L)
{
    const char *dir = luaL_checkstring(L, 1), *path = luaL_checkstring(L, 2);
    lua_Integer most = luaL_optinteger(L, 3, PackTextBytes);
    Str s = {0};
    int err = pack_slurp(dir, path, (size_t)most, &s);
    if (!err)
        lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
    if (!err)
        return 1;
    lpack_failed(L, err);
    lua_pushstring(L, err == EFBIG ? "large" : err == ENOENT ? "none" : NULL);
    return 3;
}

/* path(text) -> may a file of a pack be called so? */
static int f_path(lua_State *L)
{
    size_t n;
    const char *s = luaL_checklstring(L, 1, &n);
    lua_pushboolean(L, strlen(s) == n && pack_path(s));
    return 1;
}

static const luaL_Reg functions[] = {
    {"sha256", f_sha256},   {"parse", f_lpack_parse}, {"unpack", f_unpack}, {"swap", f_swap},
    {"discard", f_discard}, {"slurp", f_slurp}, {"path", f_path},     {NULL, NULL},
};

int luaopen_moontile_pack(lua_State *L)
{
    luaL_newlib(L, functions);
    lua_pushinteger(L, PackBytes);
    lua_setfield(L, -2, "bytes");
    lua_pushinteger(L, PackTextBytes);
    lua_setfield(L, -2, "textbytes");
    return 1;
}
