/* lua/files.c: module moontile.files: what stands in a folder, for completion, the
 * files that the build put into the program, and files that are written whole. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <lauxlib.h>
#include <lua.h>

#include "../core/disk.h"
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
static int f_list(lua_State *L)
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
static int f_tree(lua_State *L)
{
    lua_pushstring(L, embed_override(L));
    return 1;
}

/* write(path, text [, strange]) -> true | nil, why: the file has that text now, or is as it
 * was.  strange: the folder is somebody else's; no link in it is followed. */
static int f_write(lua_State *L)
{
    size_t n;
    const char *path = luaL_checkstring(L, 1), *s = luaL_checklstring(L, 2, &n);
    int err = (lua_toboolean(L, 3) ? disk_write_strange : disk_write)(path, s, n);
    if (!err) {
        lua_pushboolean(L, true);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, strerror(err));
    return 2;
}

static const luaL_Reg functions[] = {
    {"write", f_write}, {"list", f_list}, {"embedded", f_embedded}, {"inside", f_inside}, {"tree", f_tree},
    {NULL, NULL},
};

int luaopen_moontile_files(lua_State *L)
{
    luaL_newlib(L, functions);
    return 1;
}
