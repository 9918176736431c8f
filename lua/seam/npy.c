/* lua/seam/npy.c: module moontile.npy: NumPy's files for tl.load and tl.save. */
#include <string.h>

#include <errno.h>
#include <lauxlib.h>
#include <lua.h>

#include "seam.h"
#include "err/host.h"

#define NPZ_TYPE "moontile.npz" /* userdata: Npz *, an archive being read */

/* One call of core/tensor/npy.c, which may unwind. */
typedef struct NpyCall NpyCall;
struct NpyCall {
    lua_State *L;
    const char *path, *name;
    enum Dtype raw;
    Tensor *t;
    Npz *z;
    int n;
    const char *const *names;
    const Tensor *const *list;
    bool compress, end, ok;
};

/* Runs f; when it reports errors they are raised at the user's line. */
static void npy_call(lua_State *L, void (*f)(Ctx *, void *), NpyCall *k)
{
    Ctx c;
    uint32_t line;
    uint16_t col;
    k->L = L;
    ctx_init(&c, NULL, 64 << 20);
    const char *chunk = diag_where(L, &line, &col);
    bool returned = ctx_try(&c, f, k);
    if (returned && k->ok) {
        ctx_free(&c);
        return;
    }
    Loc l = {.line = line, .col = col};
    if (returned)
        l.file = ctx_file(&c, chunk);
    for (Diag *d = c.diags; d; d = d->next)
        d->loc = l;
    bool pushed = diag_push(L, &c, Lerror);
    ctx_free(&c);
    if (!pushed)
        luaL_error(L, "out of memory");
    lua_error(L);
}

static void do_lnpy_load(Ctx *c, void *ud)
{
    NpyCall *k = ud;
    k->ok = npy_load(c, k->path, k->raw, k->t);
}

static void do_save(Ctx *c, void *ud)
{
    NpyCall *k = ud;
    k->ok = npy_save(c, k->path, k->t);
}

static void do_lnpy_open(Ctx *c, void *ud)
{
    NpyCall *k = ud;
    k->z = npz_open(c, k->path);
    k->ok = k->z != NULL;
}

static void do_next(Ctx *c, void *ud)
{
    NpyCall *k = ud;
    k->ok = npz_next(k->z, c, k->raw, &k->name, k->t, &k->end) || k->end;
}

static void do_savez(Ctx *c, void *ud)
{
    NpyCall *k = ud;
    k->ok = npz_save(c, k->path, k->n, k->names, k->list, k->compress);
}

static int f_closez(lua_State *L)
{
    Npz **z = luaL_checkudata(L, 1, NPZ_TYPE);
    npz_close(*z);
    *z = NULL;
    return 0;
}

static int load_archive(lua_State *L, NpyCall *k)
{
    Npz **z = lua_newuserdatauv(L, sizeof *z, 0);
    *z = NULL;
    luaL_setmetatable(L, NPZ_TYPE);
    int box = lua_gettop(L);
    npy_call(L, do_lnpy_open, k);
    *z = k->z;
    lua_newtable(L);
    for (;;) {
        k->t = push_tensor(L);
        npy_call(L, do_next, k);
        if (k->end)
            break;
        lua_setfield(L, -2, k->name);
    }
    lua_pop(L, 1);
    lua_pushcfunction(L, f_closez);
    lua_pushvalue(L, box);
    lua_call(L, 1, 0);
    return 1;
}

/* The path at 1: one that ends before its text does would be another file's. */
static const char *path_arg(lua_State *L, Err e)
{
    size_t n;
    const char *path = luaL_checklstring(L, 1, &n);
    if (strlen(path) != n)
        tensor_fail(L, e, path, strerror(EINVAL), NULL);
    return path;
}

/* load(path [, dtype of raw bytes]) -> tensor, or a table of them */
static int f_lnpy_load(lua_State *L)
{
    NpyCall k = {.path = path_arg(L, E_npy_open)};
    if (!lua_isnoneornil(L, 2))
        k.raw = arg_dtype(L, 2);
    size_t n = strlen(k.path);
    if (n >= 4 && strcmp(k.path + n - 4, ".npz") == 0)
        return load_archive(L, &k);
    k.t = push_tensor(L);
    npy_call(L, do_lnpy_load, &k);
    return 1;
}

/* save(path, t) */
static int f_save(lua_State *L)
{
    NpyCall k = {.path = path_arg(L, E_npy_write), .t = check_tensor(L, 2)};
    npy_call(L, do_save, &k);
    return 0;
}

/* savez(path, {name, ...}, {tensor, ...}, compress) */
static int f_savez(lua_State *L)
{
    NpyCall k = {.path = path_arg(L, E_npy_write), .compress = lua_toboolean(L, 4)};
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    k.n = (int)lua_rawlen(L, 2);
    size_t bytes = ((size_t)k.n + 1) * sizeof(void *);
    const char **names = lua_newuserdatauv(L, bytes, 0);
    const Tensor **list = lua_newuserdatauv(L, bytes, 0);
    for (int i = 0; i < k.n; i++) { /* both stay alive in their tables */
        lua_rawgeti(L, 2, i + 1);
        names[i] = luaL_checkstring(L, -1);
        lua_rawgeti(L, 3, i + 1);
        list[i] = check_tensor(L, -1);
        lua_pop(L, 2);
    }
    k.names = names;
    k.list = list;
    npy_call(L, do_savez, &k);
    return 0;
}

static const luaL_Reg functions[] = {
    {"load", f_lnpy_load}, {"save", f_save}, {"savez", f_savez}, {NULL, NULL},
};

int luaopen_moontile_npy(lua_State *L)
{
    if (luaL_newmetatable(L, NPZ_TYPE)) {
        lua_pushcfunction(L, f_closez);
        lua_setfield(L, -2, "__gc");
    }
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
