/* lua/term/watch.c: saves of files, through inotify.
 *
 * Editors save in two ways: they write the file, or they write another one and
 * rename it.  A watch on the file itself would stay with the old one, so its
 * folder is watched for the name; of a symbolic link also the folder of what it
 * leads to. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

#include <lauxlib.h>
#include <lua.h>

#include "core/base/base.h"
#include "watch.h"

#define WATCH_TYPE "moontile.watch"

typedef struct WatchPlace {
    int wd;                  /* of the folder */
    int file;                /* which of the files that are watched, from 1 */
    char name[NAME_MAX + 1]; /* of the file in it */
} WatchPlace;

typedef struct WatchedFile {
    int fd; /* -1: closed */
    int n, cap;
    WatchPlace *place;
} WatchedFile;

static int watch_refuse(lua_State *L, int err)
{
    lua_pushnil(L);
    lua_pushstring(L, strerror(err));
    return 2;
}

#ifdef __linux__

static int f_watch_close(lua_State *L)
{
    WatchedFile *w = luaL_checkudata(L, 1, WATCH_TYPE);
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
    free(w->place);
    w->place = NULL;
    w->n = w->cap = 0;
    return 0;
}

static int f_fd(lua_State *L)
{
    const WatchedFile *w = luaL_checkudata(L, 1, WATCH_TYPE);
    lua_pushinteger(L, w->fd);
    return 1;
}

/* The number of the file that e tells of, 0: none.  An overflow of the queue lost
 * something, which may have been about the first. */
static int watch_file_of(const WatchedFile *w, const struct inotify_event *e)
{
    if (e->mask & IN_Q_OVERFLOW)
        return 1;
    for (int i = 0; i < w->n; i++)
        if (e->len && w->place[i].wd == e->wd && strcmp(w->place[i].name, e->name) == 0)
            return w->place[i].file;
    return 0;
}

/* changed() -> the numbers of the files that were saved since the last call, in their order, one
 * perhaps several times; false: none */
static int f_changed(lua_State *L)
{
    const WatchedFile *w = luaL_checkudata(L, 1, WATCH_TYPE);
    union {
        struct inotify_event e; /* aligns the bytes */
        char b[4096];
    } buf;
    lua_Integer hits = 0;
    int file;
    ssize_t n;
    lua_newtable(L);
    while (w->fd >= 0 && (n = read(w->fd, buf.b, sizeof buf.b)) > 0)
        for (const char *p = buf.b; p < buf.b + n;) {
            const struct inotify_event *e = (const void *)p;
            if ((file = watch_file_of(w, e)) != 0) {
                lua_pushinteger(L, file);
                lua_rawseti(L, -2, ++hits);
            }
            p += sizeof *e + e->len;
        }
    if (!hits)
        lua_pushboolean(L, false);
    return 1;
}

static bool watch_grow(WatchedFile *w)
{
    int cap = w->cap ? 2 * w->cap : 4;
    WatchPlace *p = realloc(w->place, (size_t)cap * sizeof *p);
    if (!p)
        return false;
    w->place = p;
    w->cap = cap;
    return true;
}

/* Watches the folder of path for its name, as file number `file`; 0, or an errno. */
static int watch_add(WatchedFile *w, const char *path, int file)
{
    if (w->n == w->cap && !watch_grow(w))
        return ENOMEM;
    char dir[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = slash ? (size_t)(slash - path) + (slash == path) : 1;
    WatchPlace *p = &w->place[w->n];
    if (n >= sizeof dir || strlen(name) >= sizeof p->name)
        return ENAMETOOLONG;
    memcpy(dir, slash ? path : ".", n);
    dir[n] = '\0';
    p->wd = inotify_add_watch(w->fd, dir, IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR);
    if (p->wd < 0)
        return errno;
    memcpy(p->name, name, strlen(name) + 1);
    p->file = file;
    w->n++;
    return 0;
}

static int add_file(WatchedFile *w, const char *path, int file)
{
    char real[PATH_MAX];
    int err = watch_add(w, path, file);
    if (!err && realpath(path, real) && strcmp(real, path) != 0)
        err = watch_add(w, real, file);
    return err;
}

int watch_lua(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"changed", f_changed}, {"close", f_watch_close}, {"fd", f_fd}, {NULL, NULL},
    };
    int files = lua_gettop(L), err = 0;
    luaL_checkstring(L, 1);
    WatchedFile *w = lua_newuserdatauv(L, sizeof *w, 0);
    *w = (WatchedFile){.fd = -1};
    if (luaL_newmetatable(L, WATCH_TYPE)) {
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
        lua_pushcfunction(L, f_watch_close);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->fd < 0)
        return watch_refuse(L, errno);
    for (int i = 1; i <= files && !err; i++)
        err = add_file(w, luaL_checkstring(L, i), i);
    return err ? watch_refuse(L, err) : 1;
}

#else

int watch_lua(lua_State *L) { return watch_refuse(L, ENOSYS); }

#endif

int watch_lua_temp(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1), *dir = getenv("TMPDIR");
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/moontile-XXXXXX-%s",
                     dir && dir[0] == '/' ? dir : "/tmp", name);
    if (n < 0 || (size_t)n >= sizeof path)
        return watch_refuse(L, ENAMETOOLONG);
    int fd = mkstemps(path, (int)strlen(name) + 1); /* mode 0600 */
    if (fd < 0)
        return watch_refuse(L, errno);
    close(fd);
    lua_pushstring(L, path);
    return 1;
}
