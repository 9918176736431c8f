/* lua/seam/export.c: moontile.export: programs in forms that run without moontile.
 *
 *   text, missing = export.python(P, fast_math)   TileLang Python; missing: what it has no word for
 *   files = export.bundle(P, spec, name)  {{name, text}, ..}: what launches the kernel of a
 *                                       target from C; nil where the target has none */
#include <lauxlib.h>

#include "core/emit/python.h"
#include "core/device/session.h"
#include "ir.h"

static int f_python(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    Str s = {0};
    int missing = 0;
    bool ok = prog_python(lp->p, lua_toboolean(L, 2), &s, &missing);
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
    if (!ok)
        ir_raise(L, lp);
    lua_pushinteger(L, missing);
    return 2;
}

static int f_bundle(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    const char *spec = luaL_checkstring(L, 2), *name = luaL_checkstring(L, 3);
    const Target *t = target_find(spec);
    BundleFile file[BundleFiles];
    int n = 0;
    if (!t || !t->machine || !t->bundle)
        return 0;
    LProg *q = ir_threads(L, lp, spec, NULL);
    bool ok = t->bundle(q->p, name, file, &n);
    lua_newtable(L);
    for (int i = 0; i < n; i++) {
        lua_createtable(L, 2, 0);
        lua_pushstring(L, file[i].name);
        lua_rawseti(L, -2, 1);
        lua_pushlstring(L, file[i].text.s ? file[i].text.s : "", file[i].text.n);
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, i + 1);
        str_free(&file[i].text);
    }
    if (!ok)
        ir_raise(L, q);
    return 1;
}

static const luaL_Reg functions[] = {{"python", f_python}, {"bundle", f_bundle}, {NULL, NULL}};

int luaopen_moontile_export(lua_State *L)
{
    luaL_newlib(L, functions);
    return 1;
}
