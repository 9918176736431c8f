/* lua/state/keep.c: module moontile.keep: files that a learner would miss.
 *
 * A file is put in another's place only when all of it is on the disk; a new one never
 * takes the place of what is there. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/base/disk.h"
#include "api.h"

#define LOCK_TYPE "moontile.keep.lock"

/* true, or nil and why not */
static int state_keep_outcome(lua_State *L, int err)
{
    if (!err) {
        lua_pushboolean(L, true);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, strerror(err));
    return 2;
}

/* Writes all of it, down to the disk; 0, or an errno.  Closes fd. */
static int state_keep_write_all(int fd, const char *s, size_t n)
{
    int err = disk_put(fd, s, n);
    if (!err && fsync(fd) != 0 && errno != EINVAL && errno != ENOSYS)
        err = errno;
    if (close(fd) != 0 && !err)
        err = errno;
    return err;
}

/* What became of something new: true | nil, why, "exists" or nil, errno */
static int made_new(lua_State *L, int err)
{
    if (!err)
        return state_keep_outcome(L, 0);
    state_keep_outcome(L, err);
    lua_pushstring(L, err == EEXIST ? "exists" : NULL);
    lua_pushinteger(L, err);
    return 4;
}

/* create(path, text) -> as made_new(): a new file; never one that is there */
static int f_create(lua_State *L)
{
    size_t n;
    const char *path = luaL_checkstring(L, 1), *s = luaL_checklstring(L, 2, &n);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int err = fd < 0 ? errno : state_keep_write_all(fd, s, n);
    if (fd >= 0 && err)
        unlink(path);
    return made_new(L, err);
}

/* private(path [, folder]) -> as made_new(): an empty file, or a folder, that only its owner
 * may read, made in the step that finds the name free */
static int f_private(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    bool folder = lua_toboolean(L, 2);
    int fd = folder ? mkdir(path, 0700) : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int err = fd < 0 ? errno : 0;
    if (fd >= 0 && !folder)
        close(fd);
    return made_new(L, err);
}

/* mkdir(path) -> true | nil, why: with those above it; one that is there will do */
static int f_mkdir(lua_State *L)
{
    return state_keep_outcome(L, disk_folder(luaL_checkstring(L, 1), NULL));
}

/* kind(path) -> "file", "folder", "other" (a pipe, a device) or nil */
static int f_state_keep_kind(lua_State *L)
{
    struct stat st;
    if (stat(luaL_checkstring(L, 1), &st) != 0)
        return 0;
    lua_pushstring(L, S_ISDIR(st.st_mode)   ? "folder"
                       : S_ISREG(st.st_mode) ? "file"
                                             : "other");
    return 1;
}

/* absolute(path) -> the path from the root, or nil: there is nothing */
static int f_absolute(lua_State *L)
{
    char real[PATH_MAX];
    if (!realpath(luaL_checkstring(L, 1), real))
        return 0;
    lua_pushstring(L, real);
    return 1;
}

/* state(name) -> path of a file of ours that outlives the session, its folders made; nil:
 * there is no home */
static int f_state_keep_state(lua_State *L)
{
    char *path = xdg_path("XDG_STATE_HOME", ".local/state", luaL_checkstring(L, 1), true);
    lua_pushstring(L, path);
    free(path);
    return 1;
}

/* data(name) -> path of a folder of ours for what was fetched, those above it made; nil: there
 * is no home */
static int f_data(lua_State *L)
{
    char *path = xdg_path("XDG_DATA_HOME", ".local/share", luaL_checkstring(L, 1), true);
    lua_pushstring(L, path);
    free(path);
    return 1;
}

/* Locks ------------------------------------------------------------------------------- */

static int f_unlock(lua_State *L)
{
    int *fd = luaL_checkudata(L, 1, LOCK_TYPE);
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    return 0;
}

/* lock(folder) -> a lock to be closed: of two programs of ours, one at a time is behind it.
 * Where there are no locks it is none. */
static int f_lock(lua_State *L)
{
    const char *dir = luaL_checkstring(L, 1);
    int *fd = lua_newuserdatauv(L, sizeof *fd, 0);
    *fd = -1;
    if (luaL_newmetatable(L, LOCK_TYPE)) {
        lua_pushcfunction(L, f_unlock);
        lua_setfield(L, -2, "__close");
        lua_pushcfunction(L, f_unlock);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    *fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (*fd >= 0 && flock(*fd, LOCK_EX) != 0 && errno == EINTR)
        ;
    return 1;
}

int luaopen_moontile_keep(lua_State *L)
{
    static const luaL_Reg funcs[] = {
        {"absolute", f_absolute}, {"create", f_create}, {"data", f_data},
        {"kind", f_state_keep_kind},         {"lock", f_lock},     {"mkdir", f_mkdir},
        {"private", f_private}, {"state", f_state_keep_state}, {NULL, NULL},
    };
    luaL_newlib(L, funcs);
    return 1;
}
