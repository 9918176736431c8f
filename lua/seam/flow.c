/* lua/seam/flow.c: moontile.flow: a program as tables, for figures that say what
 * happens when: statements with what they touch, and numbers for expressions.
 *
 *     f = flow.open(P [, machine [, pass]])   the tile program; the thread program
 *                                             of a machine, or what stands behind a pass
 *     f:tree() -> {name, machine, vars, bufs, launches}
 *     f:set(var [, lo [, hi]])   a variable's value or range; nothing: as at first
 *     f:get(var) -> integer or nil           lets are followed
 *     f:eval(ex) -> integer or nil
 *     f:range(ex) -> lo, hi, or nil
 *     f:text(ex) -> "by * 128"
 *
 * Expressions, variables and buffers are numbers, the program's own:
 *   vars[id] = {name, kind = "loop" "block" "thread" "let" "scalar" "dim"}
 *   bufs[id] = {name, scope, dtype, shape = {ex, ..}, line, bytes, at, param, out, base}
 *   launches[i] = {line, grid = {ex, ..}, block = {var, ..}, threads, cluster = {n, ..},
 *                  panel, order, shared, body}
 * A body is a list of statements {kind, line, col, file, reads = {buf, ..}, writes = {buf, ..},
 * loads = {region, ..} (elements of global buffers), calls = {name, ..} (intrinsics in its
 * expressions), uses = {var, ..} (lets in them); all three absent without any} and
 *   for    loop, vars, lo, hi (lists), step, stages, body        while  body
 *   if     cond, body, other      role  lo, hi, name, body       let    var
 *   alloc  buf                    op    op, regions, value, attr, text, async (it goes on
 *   store, atomic  regions: of one element; var: what was there  until something waits for it)
 * A region is {buf, mode = "r" "w" "u" "b", min = {ex, ..}, extent = {ex, ..}}. */
#include <string.h>

#include "core/ir/effects.h"
#include "core/ir/eval.h"
#include "core/lower/lower.h"
#include "core/device/session.h"
#include "core/ir/walk.h"
#include "ir.h"

#define FLOW_TYPE "moontile.flow"

typedef struct Flow Flow;
struct Flow {
    Prog *p;             /* a copy of its own */
    uint32_t nvar;
    int64_t *lo, *hi;    /* ranges as the program has them */
    uint8_t *given;      /* of each Var: set by the user */
    Eval ev;             /* with what was */
    bool stale;          /* ranges of lets are to be found again */
};

static Flow *check_flow(lua_State *L) { return luaL_checkudata(L, 1, FLOW_TYPE); }

static int f_lflow_gc(lua_State *L)
{
    Flow *f = check_flow(L);
    if (f->p)
        prog_free(f->p);
    f->p = NULL;
    return 0;
}

/* Tables ---------------------------------------------------------------- */

static void flow_numbers(lua_State *L, const char *key, const uint32_t *v, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushinteger(L, v[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, key);
}

static void flow_location(lua_State *L, const Prog *p, Loc l)
{
    if (l.line == 0)
        return;
    field_integer(L, "line", l.line);
    field_integer(L, "col", l.col);
    if (l.file && l.file < p->ctx.nfile)
        field_text(L, "file", p->ctx.file[l.file]);
}

static void push_vars(lua_State *L, const Prog *p)
{
    static const char *const kinds[NVarKind] = {"loop", "block", "thread", "let", "scalar", "dim"};
    lua_createtable(L, (int)p->nvar, 0);
    for (uint32_t i = 1; i < p->nvar; i++) {
        lua_createtable(L, 0, 2);
        field_text(L, "name", p->var[i].name);
        field_text(L, "kind", kinds[p->var[i].kind]);
        lua_rawseti(L, -2, i);
    }
}

static void push_bufs(lua_State *L, const Prog *p)
{
    lua_createtable(L, (int)p->nbuf, 0);
    for (uint32_t i = 1; i < p->nbuf; i++) {
        const Buf *b = &p->buf[i];
        int64_t bytes = b->map ? (layout_extent(b->map, AXoff) * dtypeinfo[b->dt].bits + 7) / 8
                               : buf_bytes(p, i);
        lua_createtable(L, 0, 12);
        field_text(L, "name", b->name);
        field_text(L, "scope", scopename[b->scope]);
        field_text(L, "dtype", dtypeinfo[b->dt].name);
        flow_numbers(L, "shape", b->shape, b->ndim);
        field_integer(L, "at", b->at);
        if (bytes >= 0)
            field_integer(L, "bytes", bytes);
        if (b->base)
            field_integer(L, "base", buf_root(p, i));
        field_flag(L, "param", b->param);
        field_flag(L, "out", b->out);
        flow_location(L, p, b->loc);
        lua_rawseti(L, -2, i);
    }
}

/* Statements ------------------------------------------------------------ */

/* What a statement touches: lists on the stack, without repetitions. */
typedef struct FlowAccess FlowAccess;
struct FlowAccess { lua_State *L; const Prog *p; int reads, writes, loads, uses; bool called[NIntr]; };

static void flow_note(FlowAccess *t, int list, uint32_t number)
{
    lua_Integer n = luaL_len(t->L, list);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(t->L, list, i);
        bool same = lua_tointeger(t->L, -1) == number;
        lua_pop(t->L, 1);
        if (same)
            return;
    }
    lua_pushinteger(t->L, number);
    lua_rawseti(t->L, list, n + 1);
}

/* One element as a region. */
static void lflow_push_element(lua_State *L, const Prog *p, uint32_t buf, const Ex *idx,
                               const char *mode)
{
    lua_createtable(L, 0, 4);
    field_integer(L, "buf", buf);
    field_text(L, "mode", mode);
    flow_numbers(L, "min", idx, p->buf[buf].ndim);
}

static bool flow_access(void *ud, const MemEffect *e)
{
    FlowAccess *t = ud;
    if (e->mode & FXread)
        flow_note(t, t->reads, e->root);
    if (e->mode & FXwrite)
        flow_note(t, t->writes, e->root);
    if (e->mode == FXread && !e->letter && e->level == 'H' && t->p->buf[e->buf].scope == SCglobal) {
        lflow_push_element(t->L, t->p, e->buf, e->at, "r");
        lua_rawseti(t->L, t->loads, luaL_len(t->L, t->loads) + 1);
    }
    return true;
}

static ExGo flow_call(void *ud, Ex e)
{
    FlowAccess *t = ud;
    const Expr *x = &t->p->ex[e];
    if (x->op == Xcall)
        t->called[x->sym] = true;
    else if (x->op == Xvar && t->p->var[x->sym].kind == Vlet)
        flow_note(t, t->uses, x->sym);
    return EXinto;
}

/* The names of what was called, as field `calls` of the table at index `at`. */
static void push_calls(const FlowAccess *t, int at)
{
    lua_Integer n = 0;
    lua_newtable(t->L);
    for (int i = 1; i < NIntr; i++)
        if (t->called[i]) {
            lua_pushstring(t->L, intrinfo[i].text);
            lua_rawseti(t->L, -2, ++n);
        }
    if (n)
        lua_setfield(t->L, at, "calls");
    else
        lua_pop(t->L, 1);
}

/* The list on top becomes a field of the table at index `at`, if something is in it. */
static void flow_some(lua_State *L, int at, const char *key)
{
    if (luaL_len(L, -1) > 0)
        lua_setfield(L, at, key);
    else
        lua_pop(L, 1);
}

static void flow_accesses(lua_State *L, const Prog *p, const Stmt *s)
{
    int at = lua_gettop(L);
    for (int i = 0; i < 4; i++)
        lua_newtable(L);
    FlowAccess t = {L, p, at + 1, at + 2, at + 3, at + 4, {false}};
    stmt_ex_walk(p, s, flow_call, &t);
    push_calls(&t, at);
    stmt_effects(p, s, flow_access, &t);
    flow_some(L, at, "uses");
    flow_some(L, at, "loads");
    lua_setfield(L, at, "writes");
    lua_setfield(L, at, "reads");
}

static void push_region(lua_State *L, const Prog *p, const Region *r, char mode)
{
    int n = region_dims(p, r);
    char m[2] = {mode, 0};
    lua_createtable(L, 0, 4);
    field_integer(L, "buf", r->buf);
    field_text(L, "mode", m);
    flow_numbers(L, "min", r->min, n);
    flow_numbers(L, "extent", r->extent, n);
}

/* The element that a store goes to, as the only region. */
static void flow_element(lua_State *L, const Prog *p, uint32_t buf, const Ex *idx, const char *mode)
{
    lua_createtable(L, 1, 0);
    lflow_push_element(L, p, buf, idx, mode);
    lua_rawseti(L, -2, 1);
    lua_setfield(L, -2, "regions");
}

static void push_op(lua_State *L, const Prog *p, const Stmt *s)
{
    const OpInfo *o = &opinfo[s->op.op];
    int n = 0;
    field_text(L, "op", o->text);
    field_text(L, "text", s->op.text); /* nil: none */
    field_integer(L, "value", s->op.value);
    field_integer(L, "attr", s->op.attr[0]);
    field_flag(L, "async", o->done != 's');
    lua_createtable(L, o->nregion, 0);
    for (int i = 0; i < o->nregion; i++)
        if (s->op.r[i].buf) {
            push_region(L, p, &s->op.r[i], o->regions[i]);
            lua_rawseti(L, -2, ++n);
        }
    lua_setfield(L, -2, "regions");
}

static void push_body(lua_State *L, const Prog *p, const Stmt *s);

static void lflow_body(lua_State *L, const Prog *p, const char *key, const Stmt *s)
{
    luaL_checkstack(L, 16, "statements");
    push_body(L, p, s);
    lua_setfield(L, -2, key);
}

static void push_for(lua_State *L, const Prog *p, const Stmt *s)
{
    field_text(L, "loop", forname[s->loop.kind]);
    flow_numbers(L, "vars", s->loop.var, s->loop.n);
    flow_numbers(L, "lo", s->loop.lo, s->loop.n);
    flow_numbers(L, "hi", s->loop.hi, s->loop.n);
    field_integer(L, "step", s->loop.step);
    field_integer(L, "stages", s->loop.num_stages);
    lflow_body(L, p, "body", s->loop.body);
}

static void push_stmt(lua_State *L, const Prog *p, const Stmt *s)
{
    static const char *const kinds[NStmt] = {
        [Slaunch] = "launch", [Salloc] = "alloc", [Slet] = "let", [Sstore] = "store",
        [Sfor] = "for", [Swhile] = "while", [Sif] = "if", [Sbreak] = "break",
        [Scontinue] = "continue", [Sop] = "op", [Satomic] = "atomic", [Scall] = "call",
        [Sprint] = "print", [Sassert] = "assert", [Sassume] = "assume", [Srole] = "role"};
    lua_createtable(L, 0, 12);
    field_text(L, "kind", kinds[s->kind]);
    flow_location(L, p, s->loc);
    flow_accesses(L, p, s);
    switch ((enum StmtKind)s->kind) {
    case Salloc: field_integer(L, "buf", s->alloc.buf); break;
    case Slet: field_integer(L, "var", s->let.var); break;
    case Sstore: flow_element(L, p, s->store.buf, s->store.idx, "w"); break;
    case Satomic:
        if (s->atomic.prev)
            field_integer(L, "var", s->atomic.prev);
        flow_element(L, p, s->atomic.buf, s->atomic.idx, "u");
        break;
    case Sfor: push_for(L, p, s); break;
    case Swhile: lflow_body(L, p, "body", s->whil.body); break;
    case Sif:
        field_integer(L, "cond", s->cond.cond);
        lflow_body(L, p, "body", s->cond.then);
        lflow_body(L, p, "other", s->cond.els);
        break;
    case Srole:
        field_integer(L, "lo", s->role.lo);
        field_integer(L, "hi", s->role.hi);
        field_text(L, "name", s->role.name);
        lflow_body(L, p, "body", s->role.body);
        break;
    case Sop: push_op(L, p, s); break;
    case Scall: field_text(L, "call", intrinfo[s->call.fn].text); break;
    case Sxxx: case Slaunch: case Sbreak: case Scontinue: case Sprint: case Sassert:
    case Sassume: case NStmt: break;
    }
}

static void push_body(lua_State *L, const Prog *p, const Stmt *s)
{
    int n = 0;
    lua_newtable(L);
    for (; s; s = s->next) {
        push_stmt(L, p, s);
        lua_rawseti(L, -2, ++n);
    }
}

static void push_launch(lua_State *L, const Prog *p, const Stmt *s)
{
    int64_t threads = 1;
    for (int i = 0; i < s->launch.nthread; i++)
        threads *= s->launch.threads[i];
    lua_createtable(L, 0, 10);
    flow_location(L, p, s->loc);
    flow_numbers(L, "grid", s->launch.grid, s->launch.n);
    flow_numbers(L, "block", s->launch.block, s->launch.n);
    field_integer(L, "threads", threads);
    field_integer(L, "panel", s->launch.panel);
    field_integer(L, "order", s->launch.order);
    field_integer(L, "shared", s->launch.shared);
    lua_createtable(L, MaxLaunchDim, 0);
    for (int i = 0; i < MaxLaunchDim; i++) {
        lua_pushinteger(L, s->launch.cluster[i] ? s->launch.cluster[i] : 1);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "cluster");
    lflow_body(L, p, "body", s->launch.body);
}

static int f_lflow_tree(lua_State *L)
{
    const Prog *p = check_flow(L)->p;
    int n = 0;
    lua_createtable(L, 0, 5);
    field_text(L, "name", p->name);
    field_text(L, "machine", p->machine); /* nil: a tile program, or on the way */
    push_vars(L, p);
    lua_setfield(L, -2, "vars");
    push_bufs(L, p);
    lua_setfield(L, -2, "bufs");
    lua_newtable(L);
    for (const Stmt *s = p->body; s; s = s->next)
        if (s->kind == Slaunch) {
            push_launch(L, p, s);
            lua_rawseti(L, -2, ++n);
        }
    lua_setfield(L, -2, "launches");
    return 1;
}

/* Numbers --------------------------------------------------------------- */

static bool flow_value(Flow *f, Ex e, int64_t *v);

static bool flow_value(Flow *f, Ex e, int64_t *v);

static bool flow_variable(Flow *f, uint32_t id, int64_t *v)
{
    const Var *x = &f->p->var[id];
    if (f->given[id])
        *v = f->ev.var[id].val;
    return f->given[id] || (x->kind == Vlet && x->value && flow_value(f, x->value, v));
}

typedef struct FlowAsked FlowAsked;
struct FlowAsked { Flow *f; Ex e; int64_t *v; bool known; };

static void flow_ask(Ctx *c, void *ud)
{
    FlowAsked *a = ud;
    (void)c;
    a->known = eval_one(&a->f->ev, a->e, a->v);
}

/* e with what was set; false: it depends on something else. */
static bool flow_value(Flow *f, Ex e, int64_t *v)
{
    FlowAsked a = {f, e, v, false};
    return ctx_try(&f->p->ctx, flow_ask, &a) && a.known;
}

/* Ranges of lets follow from what was set; they never grow. */
static void refresh(Flow *f)
{
    Prog *p = f->p;
    int64_t a, b;
    for (uint32_t i = 1; f->stale && i < f->nvar; i++) {
        Var *v = &p->var[i];
        if (f->given[i] || v->kind != Vlet || !v->value)
            continue;
        v->lo = f->lo[i];
        v->hi = f->hi[i];
        if (flow_value(f, v->value, &a))
            v->lo = v->hi = a;
        else if (x_range(p, v->value, &a, &b)) {
            v->lo = a > v->lo ? a : v->lo;
            v->hi = b < v->hi ? b : v->hi;
        }
    }
    f->stale = false;
}

static uint32_t check_var(lua_State *L, const Flow *f)
{
    lua_Integer i = luaL_checkinteger(L, 2);
    luaL_argcheck(L, i > 0 && i < (lua_Integer)f->nvar, 2, "no variable");
    return (uint32_t)i;
}

static Ex check_ex(lua_State *L, const Flow *f)
{
    lua_Integer i = luaL_checkinteger(L, 2);
    luaL_argcheck(L, i > 0 && i < (lua_Integer)f->p->nex, 2, "no expression");
    return (Ex)i;
}

static int f_lflow_set(lua_State *L)
{
    Flow *f = check_flow(L);
    uint32_t i = check_var(L, f);
    Var *v = &f->p->var[i];
    v->lo = luaL_optinteger(L, 3, f->lo[i]);
    v->hi = lua_isnoneornil(L, 3) ? f->hi[i] : luaL_optinteger(L, 4, v->lo);
    f->given[i] = !lua_isnoneornil(L, 3) && v->lo == v->hi;
    if (f->given[i])
        eval_bind(&f->ev, i, v->lo);
    else
        eval_free(&f->ev, i);
    f->stale = true;
    return 0;
}

static int f_lflow_get(lua_State *L)
{
    Flow *f = check_flow(L);
    int64_t v;
    if (!flow_variable(f, check_var(L, f), &v))
        return 0;
    lua_pushinteger(L, v);
    return 1;
}

static int f_lflow_eval(lua_State *L)
{
    Flow *f = check_flow(L);
    int64_t v;
    if (!flow_value(f, check_ex(L, f), &v))
        return 0;
    lua_pushinteger(L, v);
    return 1;
}

static int f_range(lua_State *L)
{
    Flow *f = check_flow(L);
    Ex e = check_ex(L, f);
    int64_t lo, hi;
    if (flow_value(f, e, &lo)) {
        hi = lo;
    } else {
        refresh(f);
        if (!x_range(f->p, e, &lo, &hi))
            return 0;
    }
    lua_pushinteger(L, lo);
    lua_pushinteger(L, hi);
    return 2;
}

static int f_lflow_text(lua_State *L)
{
    Flow *f = check_flow(L);
    Str s = {0};
    ex_print(f->p, check_ex(L, f), &s);
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
    return 1;
}

/* Opening --------------------------------------------------------------- */

/* Room for what is known of the variables, in p's arena. */
static void lflow_make_room(Ctx *c, void *ud)
{
    Flow *f = ud;
    uint32_t n = f->nvar = f->p->nvar;
    f->lo = anew(c, n * sizeof *f->lo);
    f->hi = anew(c, n * sizeof *f->hi);
    f->given = anew(c, n);
    for (uint32_t i = 0; i < n; i++) {
        f->lo[i] = f->p->var[i].lo;
        f->hi[i] = f->p->var[i].hi;
    }
    eval_init(&f->ev, f->p, 0, 1);
    eval_free(&f->ev, n - 1); /* binding one needs no more room */
}

static int f_lflow_open(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    lua_settop(L, 3);
    if (!lua_isnil(L, 2))
        lp = ir_threads(L, lp, luaL_checkstring(L, 2), luaL_optstring(L, 3, NULL));
    Flow *f = lua_newuserdatauv(L, sizeof *f, 0);
    *f = (Flow){0};
    luaL_setmetatable(L, FLOW_TYPE);
    f->p = prog_copy(lp->p);
    if (!f->p || !ctx_try(&f->p->ctx, lflow_make_room, f))
        return luaL_error(L, "out of memory");
    return 1;
}

int luaopen_moontile_flow(lua_State *L)
{
    static const luaL_Reg functions[] = {{"open", f_lflow_open}, {NULL, NULL}};
    static const luaL_Reg meta[] = {{"__gc", f_lflow_gc}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"tree", f_lflow_tree},
                                       {"set", f_lflow_set},
                                       {"get", f_lflow_get},
                                       {"eval", f_lflow_eval},
                                       {"range", f_range},
                                       {"text", f_lflow_text},
                                       {NULL, NULL}};
    if (luaL_newmetatable(L, FLOW_TYPE)) {
        luaL_setfuncs(L, meta, 0);
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
    }
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
