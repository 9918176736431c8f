/* lua/seam/ir_targets.c: what Lua asks of targets by their specs, "sim -arch=sm_80": which there are, what their
 * words mean.  No device is opened. */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/device/worker.h"
#include "lua/state/api.h"
#include "ir.h"

/* targets() -> names; target(spec) -> name, or nil */
static int f_targets(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; targets[i]; i++) {
        lua_pushstring(L, targets[i]->name);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int f_target(lua_State *L)
{
    const Target *t = target_find(luaL_checkstring(L, 1));
    lua_pushstring(L, t ? t->name : NULL);
    lua_pushstring(L, t ? t->summary : NULL);
    return 2;
}

/* texts() -> {{target =, kind =, suffix =, language =, other =}, ..}: TargetText */
static int f_texts(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0, n = 0; targets[i]; i++) {
        const TargetText *t = &targets[i]->text;
        if (!t->kind)
            continue;
        lua_newtable(L);
        field_text(L, "target", targets[i]->name);
        field_text(L, "kind", t->kind);
        field_text(L, "suffix", t->suffix);
        field_text(L, "language", t->language);
        field_text(L, "other", t->other);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

/* best() -> the name of the target that `auto` takes, or nil */
static int f_best(lua_State *L)
{
    const Target *t = target_best();
    lua_pushstring(L, t ? t->name : NULL);
    return 1;
}

/* present(spec) -> is there a device for it, as far as a look can tell? */
static int f_present(lua_State *L)
{
    const Target *t = target_find(luaL_checkstring(L, 1));
    lua_pushboolean(L, t && (!t->present || t->present()));
    return 1;
}

typedef struct NamedArg NamedArg;
struct NamedArg { const Target *t; const char *options; const Machine *m; };

static void do_machine(Ctx *c, void *ud)
{
    NamedArg *n = ud;
    n->t = target_there(c, n->t, &n->options);
    n->m = n->t && n->t->machine ? n->t->machine(c, n->options) : NULL;
}

static void do_there(Ctx *c, void *ud)
{
    NamedArg *n = ud;
    n->t = target_there(c, n->t, &n->options);
}

/* The machine that a target's options mean, NULL where there is none.  It lives as long as
 * c, which the caller frees. */
static const Machine *named_machine(Ctx *c, const char *spec)
{
    NamedArg n = {.t = target_find(spec), .options = spec + strcspn(spec, " ")};
    ctx_init(c, NULL, 0);
    if (n.t)
        ctx_try(c, do_machine, &n);
    return n.m;
}

/* machine(spec) -> name of the machine that a target's options mean, or nil */
static int f_machine(lua_State *L)
{
    Ctx c;
    const Machine *m = named_machine(&c, luaL_checkstring(L, 1));
    const char *name = m ? m->name : NULL; /* a table's of ours, whatever the options change */
    ctx_free(&c);
    lua_pushstring(L, name);
    return 1;
}

/* multiplies(spec, dtype) -> has the target's machine a matrix instruction for operands of
 * this dtype, or no matrix instructions at all? */
static int f_multiplies(lua_State *L)
{
    enum Dtype dt = dtypebyname(luaL_checkstring(L, 2));
    Ctx c;
    const Machine *m = named_machine(&c, luaL_checkstring(L, 1));
    bool found = !m || m->nmma == 0;
    for (int i = 0; m && i < m->nmma; i++)
        found = found || m->mma[i].a == dt;
    ctx_free(&c);
    lua_pushboolean(L, found);
    return 1;
}

/* completes(spec) -> does the device itself know more about its options? */
static int f_completes(lua_State *L)
{
    const Target *t = target_find(luaL_checkstring(L, 1));
    lua_pushboolean(L, t && t->device && t->device->complete);
    return 1;
}

/* hasthreads(spec) -> does this target take thread programs? */
static int f_hasthreads(lua_State *L)
{
    const char *spec = luaL_checkstring(L, 1);
    NamedArg n = {.t = target_find(spec), .options = spec + strcspn(spec, " ")};
    Ctx c;
    ctx_init(&c, NULL, 0);
    if (n.t)
        ctx_try(&c, do_there, &n);
    lua_pushboolean(L, n.t && n.t->machine);
    ctx_free(&c);
    return 1;
}

/* there(spec) -> the spec that programs for it are made for here: of a target whose
 * devices are on another machine that target's own, else itself */
static int f_there(lua_State *L)
{
    const char *spec = luaL_checkstring(L, 1);
    NamedArg n = {.t = target_find(spec), .options = spec + strcspn(spec, " ")};
    Ctx c;
    lua_settop(L, 1);
    if (!n.t || !n.t->there)
        return 1;
    ctx_init(&c, NULL, 0);
    bool ok = ctx_try(&c, do_there, &n) && n.t;
    if (ok)
        lua_pushfstring(L, "%s%s%s", n.t->name, *n.options ? " " : "", n.options);
    else
        diag_push(L, &c, Lerror);
    ctx_free(&c);
    return ok ? 1 : lua_error(L);
}

/* words(spec): raises what is wrong with the words behind a target's name; those of a target whose devices
 * are on another machine are right if they can be read here. */
static void do_words(Ctx *c, void *ud)
{
    NamedArg *n = ud;
    do_machine(c, n);
    if (n->t && n->t->takes)
        n->t->takes(c, n->options);
}

static int f_words(lua_State *L)
{
    const char *spec = luaL_checkstring(L, 1);
    NamedArg n = {.t = target_find(spec), .options = spec + strcspn(spec, " ")};
    Ctx c;
    ctx_init(&c, NULL, 0);
    bool ok = !n.t || (ctx_try(&c, do_words, &n) && c.nerror == 0);
    if (!ok)
        diag_push(L, &c, Lerror);
    ctx_free(&c);
    return ok ? 0 : lua_error(L);
}

const luaL_Reg target_functions[] = {
    {"targets", f_targets},       {"target", f_target},         {"texts", f_texts},
    {"best", f_best},             {"present", f_present},       {"there", f_there},
    {"machine", f_machine},       {"multiplies", f_multiplies}, {"completes", f_completes},
    {"hasthreads", f_hasthreads}, {"words", f_words},           {NULL, NULL},
};
