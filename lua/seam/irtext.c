/* lua/seam/irtext.c: moontile.irtext: programs from their text.
 *
 * parse(text, name) -> P, params, outs.  params: a list of {kind = "tensor" or "scalar",
 * name =, dtype =, object =, out =} in the kernel's order; out: a buffer that a call
 * allocates and returns.  outs: the objects of those, in the order in which they are
 * returned.  Raises what the reader, the verifier or the checks say. */
#include <string.h>

#include "ir.h"

static void push_param(lua_State *L, LProg *lp, bool scalar, uint32_t id)
{
    const Prog *p = lp->p;
    lua_createtable(L, 0, 5);
    lua_pushstring(L, scalar ? "scalar" : "tensor");
    lua_setfield(L, -2, "kind");
    lua_pushstring(L, scalar ? p->var[id].name : p->buf[id].name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, dtypeinfo[scalar ? p->var[id].dt : p->buf[id].dt].name);
    lua_setfield(L, -2, "dtype");
    if (scalar) {
        lua_pushinteger(L, id);
        lua_setfield(L, -2, "object");
    } else {
        push_buf(L, lp, id);
        lua_setfield(L, -2, "object");
    }
}

static int f_lirtext_parse(lua_State *L)
{
    size_t n;
    const char *text = luaL_checklstring(L, 1, &n), *name = luaL_checkstring(L, 2);
    lua_settop(L, 2);
    LProg *lp = new_prog(L, name, false);
    Prog *q = prog_parse(NULL, text, n, name);
    if (!q)
        return luaL_error(L, "out of memory");
    prog_free(lp->p);
    lp->p = q;
    if (q->ctx.nerror || !prog_verify(q, "text"))
        return diag_raise(L, &q->ctx);
    lua_newtable(L);
    for (uint32_t i = 0; i < q->nparam; i++) {
        bool scalar = q->param[i].scalar;
        push_param(L, lp, scalar, q->param[i].id);
        lua_pushboolean(L, !scalar && q->buf[q->param[i].id].out);
        lua_setfield(L, -2, "out");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_createtable(L, (int)q->nout, 0);
    for (uint32_t i = 0; i < q->nout; i++) {
        push_buf(L, lp, q->out[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 3;
}

static const luaL_Reg functions[] = {{"parse", f_lirtext_parse}, {NULL, NULL}};

int luaopen_moontile_irtext(lua_State *L)
{
    luaL_newlib(L, functions);
    return 1;
}
