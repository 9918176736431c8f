/* lua/state/embed.c: finding the Lua sources that are part of the program.
 *
 * A program that still stands in the tree that it was built in takes a file of the tree that
 * has changed since then: Lua is written without building. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

#include "api.h"

typedef struct Embedded {
    const char *path;
    const unsigned char *text; /* NUL-terminated */
    size_t n;
    const unsigned char *code; /* compiled by our Lua, where the text is plain Lua */
    size_t ncode;
} Embedded;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings" /* of C99's 4,095 bytes */
#include "embedded.h" /* static const Embedded embedded[], made by the build */
#pragma GCC diagnostic pop

/* $MOONTILE_LUA_PATH, or NULL; -E ignores the environment. */
static const char *lembed_asked(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "LUA_NOENV");
    bool noenv = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return noenv ? NULL : getenv("MOONTILE_LUA_PATH");
}

/* The directory that overrides, or NULL. */
static const char *override(lua_State *L)
{
    const char *dir = lembed_asked(L);
    return dir && dir[0] ? dir : NULL;
}

/* The tree ----------------------------------------------------------------- */

#define TREE "moontile.tree" /* registry: a Tree, once it was looked for */

typedef struct Tree Tree;
struct Tree {
    struct timespec built; /* when the program was */
    char dir[1024];        /* "": it stands in none */
};

/* The program is BUILD/moontile or BUILD/san/moontile of a tree. */
static void look_for_tree(Tree *t)
{
    char file[sizeof t->dir + 32];
    struct stat st;
    ssize_t n = readlink("/proc/self/exe", t->dir, sizeof t->dir - 1);
    t->dir[n > 0 ? n : 0] = '\0';
    if (n <= 0 || stat(t->dir, &st) != 0) {
        t->dir[0] = '\0';
        return;
    }
    t->built = st.st_mtim;
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(t->dir, '/');
        if (!slash)
            break;
        *slash = '\0';
        snprintf(file, sizeof file, "%s/lua/state/embed.c", t->dir);
        if (access(file, R_OK) == 0)
            return;
    }
    t->dir[0] = '\0';
}

static const Tree *lembed_tree(lua_State *L)
{
    const char *dir = lembed_asked(L);
    if (dir && !dir[0]) /* what is embedded, and nothing else */
        return NULL;
    if (lua_getfield(L, LUA_REGISTRYINDEX, TREE) != LUA_TUSERDATA) {
        lua_pop(L, 1);
        look_for_tree(lua_newuserdatauv(L, sizeof(Tree), 0));
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, TREE);
    }
    const Tree *t = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return t->dir[0] ? t : NULL;
}

/* Pushes the name of the tree's file where that has changed since the build, else nothing. */
static bool lembed_changed(lua_State *L, const char *path)
{
    const Tree *t = override(L) ? NULL : lembed_tree(L);
    struct stat st;
    if (!t)
        return false;
    const char *file = lua_pushfstring(L, "%s/%s", t->dir, path);
    if (stat(file, &st) == 0 && (st.st_mtim.tv_sec != t->built.tv_sec
                                     ? st.st_mtim.tv_sec > t->built.tv_sec
                                     : st.st_mtim.tv_nsec > t->built.tv_nsec))
        return true;
    lua_pop(L, 1);
    return false;
}

/* ----------------------------------------------------------------------- */

int embed_list(lua_State *L, const char *prefix)
{
    size_t n = strlen(prefix);
    lua_Integer k = 0;
    lua_newtable(L);
    for (size_t i = 0; embedded[i].path; i++)
        if (strncmp(embedded[i].path, prefix, n) == 0) {
            lua_pushstring(L, embedded[i].path);
            lua_rawseti(L, -2, ++k);
        }
    return 1;
}

const char *embed_override(lua_State *L) { return override(L); }

const char *embed_find(lua_State *L, const char *path, size_t *n)
{
    const char *dir = override(L);
    if (dir)
        lua_pushfstring(L, "%s/%s", dir, path);
    if (dir || lembed_changed(L, path)) {
        FILE *f = fopen(lua_tostring(L, -1), "rb");
        lua_pop(L, 1);
        if (f) {
            bool ok = load_slurp(L, f);
            fclose(f);
            if (ok)
                return lua_tolstring(L, -1, n);
            lua_pop(L, 1);
        }
    }
    for (size_t i = 0; embedded[i].path; i++)
        if (strcmp(embedded[i].path, path) == 0) {
            lua_pushnil(L);
            *n = embedded[i].n;
            return (const char *)embedded[i].text;
        }
    return NULL;
}

const char *embed_code(lua_State *L, const char *path, size_t *n)
{
    if (override(L)) /* its files may be others than ours */
        return NULL;
    if (lembed_changed(L, path)) {
        lua_pop(L, 1);
        return NULL;
    }
    for (size_t i = 0; embedded[i].path; i++)
        if (strcmp(embedded[i].path, path) == 0) {
            *n = embedded[i].ncode;
            return *n ? (const char *)embedded[i].code : NULL;
        }
    return NULL;
}
