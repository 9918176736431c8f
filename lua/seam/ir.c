/* lua/seam/ir.c (moontile.ir): programs, as the tracer of lua/T sees them.
 *
 * A program is opened by prog(), filled by the functions of ir_expr.c,
 * ir_buf.c, ir_stmt.c and ir_op.c, then checked and compiled here.  What the core
 * reports becomes a Lua error at the user's line. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/base/clock.h"
#include "core/ir/effects.h"
#include "core/ir/walk.h"
#include "core/device/worker.h"
#include "lua/state/api.h"
#include "ir.h"


/* Life ----------------------------------------------------------------- */

/* prog(name) */
static int f_prog(lua_State *L)
{
    new_prog(L, luaL_checkstring(L, 1), false);
    return 1;
}

static int f_lir_gc(lua_State *L)
{
    LProg *lp = luaL_checkudata(L, 1, PROG_TYPE);
    prog_free(lp->p);
    lp->p = NULL;
    return 0;
}

static int f_lir_tostring(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    Str s = {0};
    prog_print(lp->p, &s);
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
    return 1;
}

/* parse(text [, file]): a program read from its printed form */
static int f_lir_parse(lua_State *L)
{
    size_t n;
    const char *s = luaL_checklstring(L, 1, &n), *file = luaL_optstring(L, 2, "=ir");
    LProg *lp = new_prog(L, "ir", false);
    prog_free(lp->p);
    lp->p = prog_parse(NULL, s, n, file);
    if (!lp->p)
        return luaL_error(L, "out of memory");
    if (lp->p->ctx.nerror)
        ir_raise(L, lp);
    return 1;
}

/* Parameters ------------------------------------------------------------ */

typedef struct Sym {
    LProg *lp;
    const char *name;
    enum VarKind kind;
    enum Dtype dt;
    uint32_t var;
    Ex e;
} Sym;

static void do_sym(Ctx *c, void *ud)
{
    (void)c;
    Sym *s = ud;
    bool dim = s->kind == Vdim;
    s->var = p_var(s->lp->p, s->kind, s->dt, s->name, dim ? 0 : INT64_MIN,
                   dim ? INT32_MAX : INT64_MAX);
    s->e = x_var(s->lp->p, s->var);
}

/* dim(P or nil, name [, dtype]): a symbol of shapes; in the host program
 * without P */
static int f_dim(lua_State *L)
{
    Sym s = {.name = luaL_checkstring(L, 2), .kind = Vdim, .dt = DTi32};
    if (!lua_isnoneornil(L, 3))
        s.dt = check_dtype(L, 3);
    s.lp = lua_isnil(L, 1) ? host_prog(L) : check_prog(L, 1);
    ir_run_expr(L, s.lp, do_sym, &s);
    push_expr(L, s.lp, s.e);
    return 1;
}

/* scalar(P, name, dtype): a run-time parameter */
static int f_scalar(lua_State *L)
{
    Sym s = {.lp = check_prog(L, 1), .name = luaL_checkstring(L, 2), .kind = Vscalar,
             .dt = check_dtype(L, 3)};
    ir_run_expr(L, s.lp, do_sym, &s);
    push_expr(L, s.lp, s.e);
    return 1;
}

typedef struct Par {
    LProg *lp;
    bool scalar;
    uint32_t id;
} Par;

static void do_param(Ctx *c, void *ud)
{
    (void)c;
    Par *k = ud;
    p_param(k->lp->p, k->scalar, k->id);
}

/* param(P, buffer or scalar): the next parameter */
static int f_param(lua_State *L)
{
    Par k = {.lp = check_prog(L, 1)};
    const LExpr *x = luaL_testudata(L, 2, EXPR_TYPE);
    k.scalar = x != NULL;
    k.id = x ? ex_at(x->owner->p, x->e)->sym : check_buf(L, 2)->buf;
    ir_run_expr(L, k.lp, do_param, &k);
    return 0;
}

static void do_out(Ctx *c, void *ud)
{
    (void)c;
    Par *k = ud;
    p_out(k->lp->p, k->id);
}

/* out(P, buffer): the call allocates and returns it */
static int f_out(lua_State *L)
{
    Par k = {.lp = check_prog(L, 1), .id = check_buf(L, 2)->buf};
    ir_run_expr(L, k.lp, do_out, &k);
    return 0;
}

typedef void LaunchFn(Stmt *launch);

static int each_launch(lua_State *L, LaunchFn *f)
{
    LProg *lp = check_prog(L, 1);
    for (Stmt *s = lp->p->body; s; s = s->next)
        if (s->kind == Slaunch)
            f(s);
    return 0;
}

/* fixed(P): the blocks of its launches stay as written, whatever loops they could be */
static void lir_fix(Stmt *s) { s->launch.fixed = 1; }
static int f_fixed(lua_State *L) { return each_launch(L, lir_fix); }

/* own_syncs(P): in its launches accesses at places that are known only when they run have the order
 * that the program gives them */
static void lir_own_syncs(Stmt *s) { s->launch.own_syncs = 1; }
static int f_own_syncs(lua_State *L) { return each_launch(L, lir_own_syncs); }

/* own_stages(P): pipelines of its launches have no more stages than they ask for */
static void lir_own_stages(Stmt *s) { s->launch.own_stages = 1; }
static int f_own_stages(lua_State *L) { return each_launch(L, lir_own_stages); }

/* aside(P, names): text that was not traced has these words (as keys), so buffers
 * of that name are not called unused */
static int f_aside(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    for (uint32_t i = 1; i < lp->p->nbuf; i++) {
        lp->p->buf[i].aside |= lua_getfield(L, 2, lp->p->buf[i].name) != LUA_TNIL;
        lua_pop(L, 1);
    }
    return 0;
}

/* Names of the symbolic dimensions in the order in which a launch takes them,
 * and for each its expression. */
static int f_dims(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    int n = 0;
    lua_newtable(L);
    lua_newtable(L);
    for (uint32_t i = 1; i < lp->p->nvar; i++) {
        if (lp->p->var[i].kind != Vdim)
            continue;
        lua_pushstring(L, lp->p->var[i].name);
        lua_rawseti(L, -3, ++n);
        lua_pushinteger(L, i);
        lua_rawseti(L, -2, n);
    }
    return 2;
}

typedef struct Together Together;
struct Together { Prog *p; uint32_t *group; };

static void do_together(Ctx *c, void *ud)
{
    const Together *t = ud;
    (void)c;
    prog_together(t->p, t->group);
}

static bool mark_touched(void *ud, const MemEffect *e)
{
    bool *mark = ud;
    mark[e->root] = true;
    return true;
}

/* touched(P, {buffer or scalar, ..}) -> for each: does the program access it? */
static int f_touched(lua_State *L)
{
    const LProg *lp = check_prog(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    bool *mark = lua_newuserdatauv(L, (lp->p->nbuf + 1) * sizeof *mark, 0);
    memset(mark, 0, (lp->p->nbuf + 1) * sizeof *mark);
    block_effects(lp->p, lp->p->body, true, mark_touched, mark);
    lua_newtable(L);
    for (lua_Integer i = 1, n = (lua_Integer)lua_rawlen(L, 2); i <= n; i++) {
        lua_geti(L, 2, i);
        const LBuf *b = luaL_testudata(L, -1, BUF_TYPE);
        lua_pushboolean(L, b && mark[buf_root(lp->p, b->buf)]);
        lua_seti(L, -3, i);
        lua_pop(L, 1);
    }
    return 1;
}

/* written(P, {buffer or scalar, ..}) -> for each: may the program write to it?  together, for
 * each: a number; those of one number, not 0, may be one tensor all the same. */
static int f_written(lua_State *L)
{
    const LProg *lp = check_prog(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    bool *mark = lua_newuserdatauv(L, (lp->p->nbuf + 1) * sizeof *mark, 0);
    Together t = {lp->p, lua_newuserdatauv(L, (lp->p->nbuf + 1) * sizeof *t.group, 0)};
    prog_written(lp->p, mark);
    if (!ctx_try(&lp->p->ctx, do_together, &t))
        return diag_raise(L, &lp->p->ctx);
    lua_newtable(L);
    lua_newtable(L);
    for (lua_Integer i = 1, n = (lua_Integer)lua_rawlen(L, 2); i <= n; i++) {
        lua_geti(L, 2, i);
        const LBuf *b = luaL_testudata(L, -1, BUF_TYPE);
        lua_pushboolean(L, b && mark[buf_root(lp->p, b->buf)]);
        lua_seti(L, -4, i);
        lua_pushinteger(L, b ? (lua_Integer)t.group[buf_root(lp->p, b->buf)] : 0);
        lua_seti(L, -3, i);
        lua_pop(L, 1);
    }
    lua_setfield(L, -2, "together");
    return 1;
}

/* launches(P) -> {{threads =, grid = {..}}, ..}: for people */
static int f_launches(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    int n = 0;
    lua_newtable(L);
    for (const Stmt *s = lp->p->body; s; s = s->next) {
        if (s->kind != Slaunch)
            continue;
        int32_t threads = 1;
        lua_newtable(L);
        for (int i = 0; i < s->launch.nthread; i++)
            threads *= s->launch.threads[i];
        lua_pushinteger(L, threads);
        lua_setfield(L, -2, "threads");
        lua_newtable(L);
        for (int i = 0; i < s->launch.n; i++) {
            push_value(L, lp, s->launch.grid[i]);
            lua_rawseti(L, -2, i + 1);
        }
        lua_setfield(L, -2, "grid");
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

/* Expressions in numbers -------------------------------------------------- */

/* var(e) -> number of the variable that e is, or nil: key for eval's values */
static int f_var(lua_State *L)
{
    const LExpr *x = luaL_testudata(L, 1, EXPR_TYPE);
    if (!x || ex_at(x->owner->p, x->e)->op != Xvar)
        return 0;
    lua_pushinteger(L, ex_at(x->owner->p, x->e)->sym);
    return 1;
}

/* The integers at stack index 2, by Var; those that are not there are 0, and known[var] is false.
 * They stay on the stack. */
static int64_t *push_env(lua_State *L, const Prog *p, bool **known)
{
    luaL_checktype(L, 2, LUA_TTABLE);
    int64_t *env = lua_newuserdatauv(L, p->nvar * sizeof *env, 0);
    *known = lua_newuserdatauv(L, p->nvar * sizeof **known, 0);
    for (uint32_t i = 0; i < p->nvar; i++) {
        (*known)[i] = lua_rawgeti(L, 2, i) == LUA_TNUMBER;
        env[i] = lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    return env;
}

/* eval(e, {[var] = integer, ..}) -> integer, or nil when it cannot be known */
static int f_lir_eval(lua_State *L)
{
    const LExpr *x = luaL_testudata(L, 1, EXPR_TYPE);
    lua_settop(L, 2);
    if (!x) {
        lua_pushvalue(L, 1);
        return lua_type(L, 1) == LUA_TNUMBER;
    }
    const Prog *p = x->owner->p;
    bool *known;
    int64_t v, *env = push_env(L, p, &known);
    if (!x_eval_known(p, x->e, env, known, &v))
        return 0;
    lua_pushinteger(L, v);
    return 1;
}

/* dim_beyond(P, {[var] = integer, ..}) -> name, value, the most that it may be; or nothing */
static int f_dim_beyond(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    lua_settop(L, 2);
    bool *known;
    const int64_t *env = push_env(L, lp->p, &known);
    int64_t most;
    uint32_t v = dim_beyond(lp->p, env, known, &most);
    if (!v)
        return 0;
    lua_pushstring(L, lp->p->var[v].name);
    lua_pushinteger(L, env[v]);
    lua_pushinteger(L, most);
    return 3;
}

/* negative_grid(P, {[var] = integer, ..}) -> dimension, its expression, its value; or nothing */
static int f_negative_grid(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    lua_settop(L, 2);
    bool *known;
    const int64_t *env = push_env(L, lp->p, &known);
    int d;
    int64_t n;
    const Stmt *s = launch_negative(lp->p, env, known, &d, &n);
    if (!s)
        return 0;
    lua_pushinteger(L, d);
    push_value(L, lp, s->launch.grid[d]);
    lua_pushinteger(L, n);
    return 3;
}

/* false_assume(P, {[var] = integer, ..}) -> line, condition as text; or nothing */
static int f_false_assume(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    lua_settop(L, 2);
    bool *known;
    const int64_t *env = push_env(L, lp->p, &known);
    const Stmt *s = assume_false(lp->p, env, known);
    if (!s)
        return 0;
    lua_pushinteger(L, s->loc.line);
    Str text = {0};
    ex_print(lp->p, s->check.cond, &text);
    lua_pushlstring(L, text.s ? text.s : "", text.n);
    str_free(&text);
    return 2;
}

/* imported(P, e) -> the same expression in program P */
typedef struct IrImport {
    LProg *lp;
    LuaVal v;
    Ex e;
} IrImport;

static void do_import(Ctx *c, void *ud)
{
    (void)c;
    IrImport *k = ud;
    k->e = val_ex(k->lp, &k->v, DTi32);
}

static int f_import(lua_State *L)
{
    IrImport k = {.lp = check_prog(L, 1)};
    check_val(L, 2, &k.v);
    LuaVal v[2] = {k.v, {.kind = VALexpr, .owner = k.lp}};
    val_prog(L, v, 2);
    ir_run_expr(L, k.lp, do_import, &k);
    push_value(L, k.lp, k.e);
    return 1;
}

/* Compiling -------------------------------------------------------------- */

/* An Artifact that Lua owns, so that an error below frees it. */
#define ARTIFACT_TYPE "moontile.artifact"

static int f_artifact_gc(lua_State *L)
{
    artifact_free(luaL_checkudata(L, 1, ARTIFACT_TYPE));
    return 0;
}

static Artifact *push_artifact(lua_State *L)
{
    Artifact *a = lua_newuserdatauv(L, sizeof *a, 0);
    *a = (Artifact){0};
    luaL_setmetatable(L, ARTIFACT_TYPE);
    return a;
}

typedef struct Compile {
    Prog *p;
    const Target *t;
    const char *options;
    bool build, ok;
    Artifact *a;
} Compile;

static void do_compile(Ctx *c, void *ud)
{
    (void)c;
    Compile *k = ud;
    k->ok = prog_compile(k->p, k->t, k->options, k->build, k->a);
}

/* compile(P, target, build) -> {source, path, cached, emit_ms, build_ms},
 * warnings or nil */
static int f_compile(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    Compile k = {.p = lp->p, .options = luaL_checkstring(L, 2), .build = lua_toboolean(L, 3)};
    k.t = target_find(k.options);
    luaL_argcheck(L, k.t, 2, "unknown target");
    k.options += strcspn(k.options, " ");
    k.options += strspn(k.options, " ");
    k.a = push_artifact(L);
    bool sound = lp->p->ctx.nerror == 0;
    ir_run_expr(L, lp, do_compile, &k);
    if (!k.ok && sound)
        ir_refuse(L, lp);
    if (!k.ok)
        ir_raise(L, lp);
    lua_createtable(L, 0, 5);
    lua_pushlstring(L, k.a->source.s ? k.a->source.s : "", k.a->source.n);
    lua_setfield(L, -2, "source");
    if (k.a->path.s) {
        lua_pushlstring(L, k.a->path.s, k.a->path.n);
        lua_setfield(L, -2, "path");
    }
    lua_pushboolean(L, k.a->cached);
    lua_setfield(L, -2, "cached");
    lua_pushnumber(L, k.a->emit_ms);
    lua_setfield(L, -2, "emit_ms");
    lua_pushnumber(L, k.a->build_ms);
    lua_setfield(L, -2, "build_ms");
    if (!diag_push(L, &lp->p->ctx, artifact_says(k.a)))
        lua_pushnil(L);
    return 2;
}

static void do_check(Ctx *c, void *ud)
{
    (void)c;
    Compile *k = ud;
    k->ok = prog_verify(k->p, "trace") && prog_check(k->p);
}

/* check(P) -> warnings or nil */
static int f_check(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    Compile k = {.p = lp->p};
    ir_run_expr(L, lp, do_check, &k);
    if (!k.ok)
        ir_raise(L, lp);
    return diag_push(L, &lp->p->ctx, Lwarning);
}

/* clock() -> seconds that only go forward */
static int f_lir_clock(lua_State *L)
{
    lua_pushnumber(L, clock_s());
    return 1;
}

/* dtypename(s) -> TileLang's spelling of a dtype, or nil */
static int f_dtypename(lua_State *L)
{
    enum Dtype dt = lua_type(L, 1) == LUA_TSTRING ? dtypebyname(lua_tostring(L, 1)) : DTnone;
    if (dt == DTnone)
        return 0;
    lua_pushstring(L, dtypeinfo[dt].name);
    return 1;
}

static const luaL_Reg functions[] = {
    {"prog", f_prog},       {"parse", f_lir_parse},         {"text", f_lir_tostring},
    {"dim", f_dim},         {"scalar", f_scalar},       {"param", f_param},
    {"out", f_out},         {"fixed", f_fixed},
    {"own_syncs", f_own_syncs}, {"own_stages", f_own_stages},
    {"written", f_written}, {"touched", f_touched}, {"aside", f_aside},
    {"dims", f_dims},       {"launches", f_launches},
    {"var", f_var},         {"eval", f_lir_eval},           {"import", f_import},
    {"dim_beyond", f_dim_beyond}, {"negative_grid", f_negative_grid}, {"false_assume", f_false_assume},
    {"compile", f_compile},
    {"check", f_check},     {"clock", f_lir_clock},         {"dtypename", f_dtypename},
    {NULL, NULL},
};

/* dtypes: name -> {bits, class, min, max} */
static void push_dtypes(lua_State *L)
{
    lua_newtable(L);
    for (int i = 1; i < NDtype; i++) {
        lua_createtable(L, 0, 3);
        lua_pushinteger(L, dtypeinfo[i].bits);
        lua_setfield(L, -2, "bits");
        lua_pushfstring(L, "%c", dtypeinfo[i].cls);
        lua_setfield(L, -2, "class");
        if (dtypeinfo[i].cls != 'B') {
            bool f = dtypeinfo[i].cls == 'F';
            bool u64 = i == DTu64;
            if (f || u64) {
                lua_pushnumber(L, u64 ? 18446744073709551615.0 : dtype_max((enum Dtype)i));
                lua_setfield(L, -2, "max");
                lua_pushnumber(L, u64 ? 0 : dtype_min((enum Dtype)i));
                lua_setfield(L, -2, "min");
            } else {
                int bits = dtypeinfo[i].bits - (dtypeinfo[i].cls == 'I');
                lua_Integer max = bits >= 63 ? INT64_MAX : ((lua_Integer)1 << bits) - 1;
                lua_pushinteger(L, max);
                lua_setfield(L, -2, "max");
                lua_pushinteger(L, dtypeinfo[i].cls == 'I' ? -max - 1 : 0);
                lua_setfield(L, -2, "min");
            }
        }
        lua_setfield(L, -2, dtypeinfo[i].name);
    }
}

int luaopen_moontile_ir(lua_State *L)
{
    static const luaL_Reg meta[] = {
        {"__gc", f_lir_gc}, {"__tostring", f_lir_tostring}, {NULL, NULL}};
    static const luaL_Reg artifact[] = {{"__gc", f_artifact_gc}, {NULL, NULL}};
    if (luaL_newmetatable(L, PROG_TYPE))
        luaL_setfuncs(L, meta, 0);
    if (luaL_newmetatable(L, ARTIFACT_TYPE))
        luaL_setfuncs(L, artifact, 0);
    lua_pop(L, 2);
    luaL_newlib(L, functions);
    luaL_setfuncs(L, expr_functions, 0);
    luaL_setfuncs(L, buf_functions, 0);
    luaL_setfuncs(L, stmt_functions, 0);
    luaL_setfuncs(L, held_functions, 0);
    luaL_setfuncs(L, op_functions, 0);
    luaL_setfuncs(L, lower_functions, 0);
    luaL_setfuncs(L, source_functions, 0);
    luaL_setfuncs(L, peek_functions, 0);
    luaL_setfuncs(L, target_functions, 0);
    open_expr(L);
    open_buf(L);
    push_dtypes(L);
    lua_setfield(L, -2, "dtypes");
    return 1;
}
