/* lua/seam/ir_peek.c: a copy of a program that brings out a tile; see core/cost/peek.h. */
#include <limits.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/cost/peek.h"
#include "ir.h"

static const char *const results[] = {
    [PEfound] = "found",   [PEnobuffer] = "buffer",     [PEglobal] = "global",
    [PEkind] = "kind",     [PEnowrite] = "write",       [PEnoline] = "line",
    [PEnoloop] = "loop",   [PEparallel] = "parallel",   [PEscope] = "scope",
};

/* Asking --------------------------------------------------------------- */

typedef struct PeekJob PeekJob;
struct PeekJob { Prog *p; Peek k; enum PeekResult r; };

static void do_peek(Ctx *c, void *ud)
{
    PeekJob *j = ud;
    (void)c;
    j->r = prog_peek(j->p, &j->k);
}

/* loops: a list of names; true: any one.  The strings stay on the stack. */
static void read_loops(lua_State *L, int at, Peek *k)
{
    int n = lua_istable(L, at) ? (int)lua_rawlen(L, at) : 0;
    luaL_argcheck(L, n <= PeekLoops, at, "too many loops");
    luaL_checkstack(L, n + 8, NULL);
    for (k->nwant = 0; k->nwant < n; k->nwant++) {
        lua_rawgeti(L, at, k->nwant + 1);
        k->want[k->nwant] = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    }
}

/* Answers -------------------------------------------------------------- */

static void lpeek_expression(lua_State *L, LProg *lp, const char *key, Ex e)
{
    if (!e)
        return;
    push_value(L, lp, e);
    lua_setfield(L, -2, key);
}

static void push_loop(lua_State *L, LProg *lp, const Stmt *s, uint32_t var)
{
    int v = 0;
    while (s->loop.var[v] != var)
        v++;
    lua_createtable(L, 0, 6);
    field_text(L, "name", lp->p->var[var].name);
    field_integer(L, "var", var);
    field_integer(L, "line", s->loc.line);
    lpeek_expression(L, lp, "lo", s->loop.lo[v]);
    lpeek_expression(L, lp, "hi", s->loop.hi[v]);
    lpeek_expression(L, lp, "step", s->loop.step);
}

static const char *lpeek_kind_of(const Stmt *s)
{
    return s->kind == Sfor && s->loop.kind == Fparallel ? "parallel"
           : s->kind == Sfor || s->kind == Swhile       ? "loop"
           : s->kind == Sif                             ? "if" : "statement";
}

static void push_answer(lua_State *L, LProg *lp, const Peek *k)
{
    const Prog *p = lp->p;
    const Buf *b = &p->buf[k->buf];
    int64_t v;
    lua_createtable(L, 0, 16);
    field_text(L, "name", b->name);
    field_text(L, "dtype", dtypeinfo[b->dt].name);
    field_text(L, "root_dtype", dtypeinfo[p->buf[buf_root(p, k->buf)].dt].name);
    field_text(L, "scope", scopename[b->scope]);
    field_integer(L, "born", b->loc.line);
    field_integer(L, "launch", k->launch + 1);
    field_integer(L, "line", k->behind->loc.line);
    field_text(L, "kind", lpeek_kind_of(k->behind));
    if (k->end)
        field_integer(L, "loop_line", k->end->loc.line);
    lua_pushboolean(L, k->inside);
    lua_setfield(L, -2, "inside");
    lua_pushboolean(L, k->threads);
    lua_setfield(L, -2, "threads");
    lua_createtable(L, b->ndim, 0);
    for (int d = 0; d < b->ndim; d++) {
        lua_pushinteger(L, x_isint(p, b->shape[d], &v) ? v : 0);
        lua_rawseti(L, -2, d + 1);
    }
    lua_setfield(L, -2, "shape");
    v = 1;
    for (int i = 0; i < k->in->launch.nthread; i++)
        v *= k->in->launch.threads[i];
    field_integer(L, "block_threads", v);
    lua_createtable(L, k->in->launch.n, 0);
    for (int i = 0; i < k->in->launch.n; i++) {
        lua_createtable(L, 0, 3);
        field_text(L, "name", p->var[k->in->launch.block[i]].name);
        field_integer(L, "var", k->in->launch.block[i]);
        lpeek_expression(L, lp, "extent", k->in->launch.grid[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "grid");
    lua_createtable(L, k->nloop, 0);
    for (int i = 0; i < k->nloop; i++) {
        push_loop(L, lp, k->loop[i], k->var[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "loops");
}

/* peek(P, buffer, line or nil, loops, fill) -> program, facts: a copy that brings
 * `buffer` out; loops: a list of names of loops that must be around the point, true
 * for any.  Or nil, why ("buffer", "global", ..), name, line of the buffer. */
static int f_peek(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    PeekJob j = {.k = {.buffer = luaL_checkstring(L, 2)}};
    lua_Integer line = luaL_optinteger(L, 3, 0);
    j.k.line = line > 0 && line < UINT_MAX ? (uint32_t)line : 0;
    j.k.fill = lua_toboolean(L, 5);
    lua_settop(L, 5);
    LProg *copy = ir_copy(L, lp);
    read_loops(L, 4, &j.k);
    j.p = copy->p;
    if (copy->p->ctx.nerror || !ctx_try(&copy->p->ctx, do_peek, &j))
        ir_raise(L, copy);
    if (j.r != PEfound) {
        lua_pushnil(L);
        lua_pushstring(L, results[j.r]);
        lua_pushstring(L, j.k.name);
        lua_pushinteger(L, j.k.born.line);
        return 4;
    }
    lua_settop(L, 6);
    push_answer(L, copy, &j.k);
    return 2;
}

/* peek_lower(P, spec): makes a program of peek() a thread program.  The checks are left
 * out: it has passed them without what is looked at, and what nobody has written may
 * be looked at, too. */
static int f_peek_lower(lua_State *L)
{
    ir_lower_unchecked(L, check_prog(L, 1), luaL_checkstring(L, 2));
    return 0;
}

/* What peek() can bring out: a list of {name =, scope =, dtype =}, as printed; of a
 * copy, since that has only what is used, in the order of the text. */
static int f_peekable(lua_State *L)
{
    const Prog *p = ir_copy(L, check_prog(L, 1))->p;
    int n = 0;
    lua_newtable(L);
    for (uint32_t b = 1; b < p->nbuf; b++) {
        const Buf *k = &p->buf[b];
        int same = 1;
        if (k->scope == SCglobal || k->scope == SCbarrier || k->scope == SCpipe)
            continue;
        for (uint32_t a = 1; a < b; a++)
            same += strcmp(p->buf[a].name, k->name) == 0;
        lua_createtable(L, 0, 3);
        if (same > 1)
            lua_pushfstring(L, "%s.%d", k->name, same);
        else
            lua_pushstring(L, k->name);
        lua_setfield(L, -2, "name");
        field_text(L, "scope", scopename[k->scope]);
        field_text(L, "dtype", dtypeinfo[k->dt].name);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

typedef struct PeekLines PeekLines;
struct PeekLines { lua_State *L; const Prog *p; int n; uint16_t file; };

static bool lpeek_line_of(Stmt *s, void *ud)
{
    PeekLines *l = ud;
    if (s->loc.line && s->loc.file == l->file) {
        lua_pushinteger(l->L, s->loc.line);
        lua_rawseti(l->L, -2, ++l->n);
    }
    return true;
}

/* lines(P) -> the lines that statements of its kernels stand at, as they come */
static int f_lines(lua_State *L)
{
    Prog *p = check_prog(L, 1)->p;
    lua_newtable(L);
    PeekLines l = {.L = L, .p = p};
    for (Stmt *s = p->body; s; s = s->next)
        if (s->kind == Slaunch) {
            l.file = s->loc.file;
            stmt_walk(s->launch.body, lpeek_line_of, &l);
        }
    return 1;
}

const luaL_Reg peek_functions[] = {
    {"peek", f_peek}, {"peek_lower", f_peek_lower}, {"peekable", f_peekable}, {"lines", f_lines},
    {NULL, NULL},
};
