/* lua/state/files.c: module moontile.files: what stands in a folder, for completion, the
 * files that the build put into the program, and files that are written whole. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/base/disk.h"
#include "api.h"

enum { Most = 2000 }; /* entries that are looked at: a key press does not wait for more */

/* Is `name` in folder `dir` a folder?  The type in the entry, where the file
 * system gives it, saves a call. */
static bool isfolder(const char *dir, const struct dirent *e)
{
    if (e->d_type != DT_UNKNOWN && e->d_type != DT_LNK)
        return e->d_type == DT_DIR;
    Str path = {0};
    struct stat st;
    str_fmt(&path, "%s/%s", dir, e->d_name);
    bool is = !path.bad && stat(path.s, &st) == 0 && S_ISDIR(st.st_mode);
    str_free(&path);
    return is;
}

/* list(folder [, prefix]) -> names that begin with prefix, in no order, folders
 * with a "/" behind; nil when the folder cannot be read.  Names that begin with a
 * dot only where the prefix does. */
static int f_files_list(lua_State *L)
{
    const char *dir = luaL_checkstring(L, 1), *prefix = luaL_optstring(L, 2, "");
    size_t len = strlen(prefix);
    lua_settop(L, 2);
    lua_newtable(L);
    DIR *d = opendir(dir);
    if (!d)
        return 0;
    lua_Integer n = 0;
    const struct dirent *e;
    for (int seen = 0; seen < Most && (e = readdir(d)) != NULL; seen++) {
        const char *s = e->d_name;
        if (strcmp(s, ".") == 0 || strcmp(s, "..") == 0 || strncmp(s, prefix, len) != 0 ||
            (s[0] == '.' && prefix[0] != '.'))
            continue;
        lua_pushstring(L, s);
        if (isfolder(dir, e)) {
            lua_pushliteral(L, "/");
            lua_concat(L, 2);
        }
        lua_rawseti(L, 3, ++n);
    }
    closedir(d);
    return 1;
}

/* embedded(path) -> the text of a file of the source tree, or nil */
static int f_embedded(lua_State *L)
{
    size_t n;
    const char *text = embed_find(L, luaL_checkstring(L, 1), &n);
    if (!text)
        return 0;
    lua_pushlstring(L, text, n);
    return 1;
}

/* inside(prefix) -> paths of embedded files that begin with prefix */
static int f_inside(lua_State *L) { return embed_list(L, luaL_checkstring(L, 1)); }

/* tree() -> the folder that stands for the embedded files (MOONTILE_LUA_PATH), or nil */
static int f_files_tree(lua_State *L)
{
    lua_pushstring(L, embed_override(L));
    return 1;
}

/* Returns true, or nil, why. */
static int files_outcome(lua_State *L, int err)
{
    if (!err) {
        lua_pushboolean(L, true);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, strerror(err));
    return 2;
}

/* The path at i; NULL: it is none, since it ends before the text does. */
static const char *path_at(lua_State *L, int i)
{
    size_t n;
    const char *path = luaL_checklstring(L, i, &n);
    return strlen(path) == n ? path : NULL;
}

/* write(path, text [, strange]) -> true | nil, why: the file has that text now, or is as it
 * was.  strange: the folder is somebody else's; no link in it is followed. */
static int f_write(lua_State *L)
{
    size_t n;
    const char *path = path_at(L, 1), *s = luaL_checklstring(L, 2, &n);
    int (*write)(const char *, const char *, size_t) =
        lua_toboolean(L, 3) ? disk_write_strange : disk_write;
    return files_outcome(L, path ? write(path, s, n) : EINVAL);
}

/* read(path) -> the text of the file | nil, "path: why", is there none? */
static int f_read(lua_State *L)
{
    Str s = {0};
    const char *path = path_at(L, 1);
    int err = path ? disk_read(path, &s) : EINVAL;
    if (!err)
        lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
    if (!err)
        return 1;
    lua_pushnil(L);
    lua_pushfstring(L, "%s: %s", luaL_checkstring(L, 1), strerror(err));
    lua_pushboolean(L, err == ENOENT);
    return 3;
}

/* folder(path) -> true, is it new? | nil, why: with those above it */
static int f_files_folder(lua_State *L)
{
    bool made = false;
    const char *path = path_at(L, 1);
    int err = path ? disk_folder(path, &made) : EINVAL;
    if (err)
        return files_outcome(L, err);
    lua_pushboolean(L, true);
    lua_pushboolean(L, made);
    return 2;
}

enum { MostFiles = 64 }; /* of one call: each is open */

/* Begins and fills the file of element i of the list at 1: {path, text}. */
static int put_one(lua_State *L, Disk *d, lua_Integer i)
{
    size_t n;
    lua_rawgeti(L, 1, i);
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    const char *path = lua_tostring(L, -2), *s = lua_tolstring(L, -1, &n);
    int err = disk_begin(d, path);
    if (!err && (err = disk_put(d->fd, s, n)) != 0)
        disk_end(d, err);
    lua_pop(L, 3);
    return err;
}

/* write_all({{path, text}, ..}) -> true | nil, why, path: all files have their texts now, or
 * are as they were: none takes its place before all of them are on the disk */
static int f_write_all(lua_State *L)
{
    Disk d[MostFiles];
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer n = luaL_len(L, 1), at = 0, bad = 0;
    luaL_argcheck(L, n <= MostFiles, 1, "too many files");
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, 1, i);
        lua_rawgeti(L, -1, 1);
        lua_rawgeti(L, -2, 2);
        luaL_argcheck(L, lua_type(L, -1) == LUA_TSTRING && path_at(L, -2), 1, "paths and texts");
        lua_pop(L, 3);
    }
    int err = 0;
    for (; at < n && !err; at += !err)
        if ((err = put_one(L, &d[at], at + 1)) != 0)
            bad = at;
    for (lua_Integer i = 0; i < at; i++) {
        int e = disk_end(&d[i], err);
        bad = e && !err ? i : bad;
        err = err ? err : e;
    }
    if (!err)
        return files_outcome(L, 0);
    files_outcome(L, err);
    lua_rawgeti(L, 1, bad + 1);
    lua_rawgeti(L, -1, 1);
    lua_remove(L, -2);
    return 3;
}

static const luaL_Reg functions[] = {
    {"write", f_write},     {"write_all", f_write_all}, {"folder", f_files_folder},
    {"list", f_files_list}, {"read", f_read},           {"embedded", f_embedded},
    {"inside", f_inside},   {"tree", f_files_tree},     {NULL, NULL},
};

int luaopen_moontile_files(lua_State *L)
{
    luaL_newlib(L, functions);
    return 1;
}
