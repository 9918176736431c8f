/* lua/seam/ir_value.c: where in the user's text we are, running core code there,
 * and Lua values on their way into a program. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/ir/expr.h"
#include "core/ir/remap.h"
#include "core/ir/walk.h"
#include "ir.h"
#include "err/kernel.h"

#define HOSTKEY "moontile.host" /* registry: the host program */

enum {
    HostBytes = 256 << 20,
    MaxStmt = 1 << 18 /* of one kernel: a Lua loop that does not end is noticed */
};

static const char progs; /* registry: LProg -> its userdata, weak */

/* Positions ------------------------------------------------------------ */

/* Pushes the text of a chunk or nil. */
static const char *chunk_text(lua_State *L, const char *chunk, size_t *n)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, -1, "moontile.sources") == LUA_TTABLE)
        lua_getfield(L, -1, chunk);
    else
        lua_pushnil(L);
    lua_replace(L, -3);
    lua_pop(L, 1);
    return lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, n) : NULL;
}

/* Start of a line of text.  Tracing goes forward through the text, so the
 * search begins at the line found last. */
static const char *lvalue_line_start(LProg *lp, const char *text, size_t n, uint32_t line)
{
    if (lp->text != text || lp->ntext != n || line < lp->line) {
        lp->text = text;
        lp->ntext = n;
        lp->at = 0;
        lp->line = 1;
    }
    while (lp->line < line) {
        const char *e = memchr(text + lp->at, '\n', n - lp->at);
        if (!e)
            return NULL;
        lp->at = (size_t)(e - text) + 1;
        lp->line++;
    }
    return text + lp->at;
}

/* Column of `word` in a line, counting from 1: a name with the dotted prefix
 * that stands before it, called if any is; or an operator that occurs once. */
static uint16_t lvalue_find_word(const char *s, size_t n, const char *word, size_t m)
{
    size_t found = 0, count = 0;
    bool name = wordchar(word[0]);
    for (size_t i = 0; i + m <= n; i++) {
        if (memcmp(s + i, word, m) != 0)
            continue;
        if (name && ((i && wordchar(s[i - 1])) || (i + m < n && wordchar(s[i + m]))))
            continue;
        size_t from = i, to = i + m;
        while (name && from && (wordchar(s[from - 1]) || s[from - 1] == '.' || s[from - 1] == ':'))
            from--;
        while (to < n && s[to] == ' ')
            to++;
        bool called = to < n && strchr("({\"'", s[to]);
        if (!found || (name && called && count == 0))
            found = from + 1;
        count += called || !name;
    }
    return found <= UINT16_MAX && (name || count == 1) ? (uint16_t)found : 0;
}

/* The same for the first of "one|another|.." that is there. */
static uint16_t find_column(const char *s, size_t n, const char *words)
{
    size_t all = strlen(words);
    if (!wordchar(words[0])) /* the operator `|` is no separator */
        return lvalue_find_word(s, n, words, all);
    for (size_t i = 0; i < all;) {
        size_t m = strcspn(words + i, "|");
        uint16_t col = lvalue_find_word(s, n, words + i, m);
        if (col)
            return col;
        i += m + 1;
    }
    return 0;
}

/* The user's place that is running.  column: word to look for in that line,
 * NULL for the name of the function called from there. */
static Loc lvalue_locate(lua_State *L, LProg *lp, const char **chunk, const char *column,
                         bool wantcol)
{
    lua_Debug ar, callee;
    Loc l = {0};
    int top = lua_gettop(L);
    bool called = false, event = false;
    *chunk = NULL;
    for (int level = 0; lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sl", &ar);
        if (ar.currentline <= 0 || diag_isours(ar.source))
            continue;
        *chunk = ar.source;
        l.line = (uint32_t)ar.currentline;
        called = wantcol && !column && level && lua_getstack(L, level - 1, &callee);
        if (called)
            column = diag_call_name(L, &callee, ASKlast, &event);
        column = event ? NULL : column;
        break;
    }
    size_t n;
    const char *text = wantcol && column && *chunk ? chunk_text(L, *chunk, &n) : NULL;
    if (text) {
        const char *s = lvalue_line_start(lp, text, n, l.line);
        if (s) {
            const char *e = memchr(s, '\n', n - (size_t)(s - text));
            size_t m = e ? (size_t)(e - s) : n - (size_t)(s - text);
            l.col = find_column(s, m, column);
            if (!l.col && called) {
                column = diag_call_name(L, &callee, ASKmissed, &event);
                l.col = column && !event ? find_column(s, m, column) : 0;
            }
        }
    }
    lua_settop(L, top);
    return l;
}

/* Running core code ---------------------------------------------------- */

typedef struct ValueRun {
    void (*f)(Ctx *, void *);
    void *ud;
    const char *chunk;
    Prog *p;
} ValueRun;

static void run_body(Ctx *c, void *ud)
{
    ValueRun *r = ud;
    r->p->here.file = ctx_file(c, r->chunk);
    r->f(c, r->ud);
}

/* The host program outlives its errors. */
static void drop_errors(Ctx *c)
{
    c->diags = NULL;
    c->diagtail = &c->diags;
    c->nerror = 0;
}

NORETURN static void raise(lua_State *L, LProg *lp, bool clean)
{
    Ctx *c = &lp->p->ctx;
    if (!diag_push(L, c, Lerror))
        lua_pushliteral(L, "the program has errors");
    if (clean)
        drop_errors(c);
    lua_error(L);
    ctx_unwind(c); /* not reached */
}

void ir_raise(lua_State *L, LProg *lp) { raise(L, lp, lp->host); }

void ir_refuse(lua_State *L, LProg *lp) { raise(L, lp, true); }

void ir_run_at(lua_State *L, LProg *lp, void (*f)(Ctx *, void *), void *ud, bool wantcol,
            const char *word)
{
    Prog *p = lp->p;
    ValueRun r = {f, ud, NULL, p};
    if (wantcol && !lp->host && ++lp->nstmt > MaxStmt)
        ir_failn(L, "too_long", "262144", 0, 0);
    Loc l = lvalue_locate(L, lp, &r.chunk, word, wantcol);
    p->here.line = l.line;
    p->here.col = l.col;
    if (ctx_try(&p->ctx, run_body, &r))
        return;
    if (!wantcol) { /* now the column is worth looking for */
        l = lvalue_locate(L, lp, &r.chunk, word, true);
        for (Diag *d = p->ctx.diags; d; d = d->next)
            if (d->loc.line == l.line && d->loc.col == 0)
                d->loc.col = l.col;
    }
    ir_raise(L, lp);
}

void ir_run(lua_State *L, LProg *lp, void (*f)(Ctx *, void *), void *ud)
{
    ir_run_at(L, lp, f, ud, true, NULL);
}

void ir_run_expr(lua_State *L, LProg *lp, void (*f)(Ctx *, void *), void *ud)
{
    ir_run_at(L, lp, f, ud, false, NULL);
}

/* Programs ------------------------------------------------------------- */

LProg *check_prog(lua_State *L, int i)
{
    LProg *lp = luaL_checkudata(L, i, PROG_TYPE);
    luaL_argcheck(L, lp->p, i, "the program has been closed");
    return lp;
}

LProg *new_prog(lua_State *L, const char *name, bool host)
{
    LProg *lp = lua_newuserdatauv(L, sizeof *lp, 0);
    memset(lp, 0, sizeof *lp);
    luaL_setmetatable(L, PROG_TYPE);
    lp->host = host;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &progs) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_newtable(L);
        lua_pushliteral(L, "v");
        lua_setfield(L, -2, "__mode");
        lua_setmetatable(L, -2);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &progs);
    }
    lua_pushvalue(L, -2);
    lua_rawsetp(L, -2, lp);
    lua_pop(L, 1);
    lp->p = prog_new(NULL, name);
    if (!lp->p)
        luaL_error(L, "out of memory");
    return lp;
}

LProg *host_prog(lua_State *L)
{
    if (lua_getfield(L, LUA_REGISTRYINDEX, HOSTKEY) != LUA_TUSERDATA) {
        lua_pop(L, 1);
        LProg *lp = new_prog(L, "host", true);
        lp->p->ctx.limit = HostBytes;
        lua_setfield(L, LUA_REGISTRYINDEX, HOSTKEY);
        return lp;
    }
    LProg *lp = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return lp;
}

/* Values --------------------------------------------------------------- */

void set_owner(lua_State *L, LProg *lp)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &progs);
    lua_rawgetp(L, -1, lp);
    lua_setiuservalue(L, -3, 1);
    lua_pop(L, 1);
}

void push_expr(lua_State *L, LProg *lp, Ex e)
{
    LExpr *x = lua_newuserdatauv(L, sizeof *x, 1);
    x->owner = lp;
    x->e = e;
    x->born = lp->nstmt;
    x->own = false;
    set_owner(L, lp);
    luaL_setmetatable(L, EXPR_TYPE);
}

bool vals_own(const LuaVal *v, int n)
{
    for (int i = 0; i < n; i++)
        if (v[i].own)
            return true;
    return false;
}

void push_made(lua_State *L, LProg *lp, Ex e, const LuaVal *v, int n)
{
    push_expr(L, lp, e);
    ((LExpr *)lua_touserdata(L, -1))->own = vals_own(v, n);
}

void push_value(lua_State *L, LProg *lp, Ex e)
{
    const Expr *x = ex_at(lp->p, e);
    if (x->op == Xint && x->dt == DTbool)
        lua_pushboolean(L, x->i != 0);
    else if (x->op == Xint && x->dt == DTi32)
        lua_pushinteger(L, x->i);
    else
        push_expr(L, lp, e);
}

void push_result(lua_State *L, LProg *lp, Ex e)
{
    if (ex_type(lp->p, e) == DTbool)
        push_value(L, lp, e);
    else
        push_expr(L, lp, e);
}

bool val_isvar(const LBuf *b) { return b->owner->p->buf[b->buf].scope == SCvar; }

bool to_val(lua_State *L, int i, LuaVal *v)
{
    const LExpr *x;
    const LRef *r;
    const LBuf *b;
    *v = (LuaVal){0};
    switch (lua_type(L, i)) {
    case LUA_TNUMBER:
        if (lua_isinteger(L, i)) {
            v->kind = VALint;
            v->i = lua_tointeger(L, i);
        } else {
            v->kind = VALfloat;
            v->f = lua_tonumber(L, i);
        }
        return true;
    case LUA_TBOOLEAN:
        v->kind = VALbool;
        v->i = lua_toboolean(L, i);
        return true;
    case LUA_TUSERDATA:
        if ((x = luaL_testudata(L, i, EXPR_TYPE)) != NULL) {
            *v = (LuaVal){.kind = VALexpr, .e = x->e, .owner = x->owner, .born = x->born, .own = x->own};
        } else if ((r = luaL_testudata(L, i, REF_TYPE)) != NULL) {
            *v = (LuaVal){.kind = VALref, .ref = r, .owner = r->owner, .born = r->born, .own = r->own};
        } else if ((b = luaL_testudata(L, i, BUF_TYPE)) != NULL && val_isvar(b)) {
            *v = (LuaVal){.kind = VALvar, .buf = b->buf, .owner = b->owner};
        }
        return v->kind != VALnone;
    default:
        return false;
    }
}

void ir_fail(lua_State *L, const char *id, const char *a, const char *b)
{
    api_require(L, "moontile.diag");
    lua_getfield(L, -1, "fail");
    lua_pushstring(L, id);
    lua_pushstring(L, a);
    lua_pushstring(L, b);
    lua_call(L, 3, 0);
    abort(); /* it raises */
}

void ir_fail_value(lua_State *L, const char *id, const char *a, int i)
{
    i = lua_absindex(L, i);
    if (lua_gettop(L) < i)
        lua_settop(L, i);
    api_require(L, "moontile.base.describe");
    lua_pushvalue(L, i);
    lua_call(L, 1, 1);
    const char *said = lua_isnil(L, i) ? "nil" : lua_tostring(L, -1);
    ir_fail(L, id, a ? a : said, a ? said : NULL);
}

void ir_failn(lua_State *L, const char *id, const char *name, lua_Integer a, lua_Integer b)
{
    api_require(L, "moontile.diag");
    lua_getfield(L, -1, "fail");
    lua_pushstring(L, id);
    lua_pushstring(L, name);
    lua_pushinteger(L, a);
    lua_pushinteger(L, b);
    lua_call(L, 4, 0);
    abort();
}

NORETURN static void not_value(lua_State *L, int i)
{
    const LBuf *b = luaL_testudata(L, i, BUF_TYPE);
    if (b) {
        const Buf *k = &b->owner->p->buf[b->buf];
        ir_failn(L, "buffer_value", k->name, k->ndim, 0);
    }
    ir_fail_value(L, "not_value", NULL, i);
}

void check_val(lua_State *L, int i, LuaVal *v)
{
    if (!to_val(L, i, v))
        not_value(L, i);
}

LProg *val_prog(lua_State *L, const LuaVal *v, int n)
{
    LProg *lp = NULL;
    for (int i = 0; i < n; i++) {
        LProg *o = v[i].owner;
        if (!o || o == lp || o->host)
            continue;
        if (lp)
            ir_fail(L, "other_kernel", o->p->name, lp->p->name);
        lp = o;
    }
    return lp ? lp : host_prog(L);
}

enum Dtype val_type(const LuaVal *v)
{
    switch (v->kind) {
    case VALexpr: return ex_type(v->owner->p, v->e);
    case VALref: return (enum Dtype)v->owner->p->buf[v->ref->r.buf].dt;
    case VALvar: return (enum Dtype)v->owner->p->buf[v->buf].dt;
    case VALbool: return DTbool;
    default: return DTnone;
    }
}

typedef struct ValueImport ValueImport;
struct ValueImport { LProg *lp; const Prog *from; };

static int64_t imported(ExFold *f, Ex e)
{
    const ValueImport *k = f->ud;
    LProg *lp = k->lp;
    Expr x = *ex_at(k->from, e);
    Prog *p = lp->p;
    Ex a[8];
    if (x.op == Xvar) {
        agrow(&p->ctx, &lp->import, &lp->capimport, x.sym + 1, sizeof *lp->import);
        const Var *v = &k->from->var[x.sym];
        if (!lp->import[x.sym])
            lp->import[x.sym] = p_var(p, (enum VarKind)v->kind, (enum Dtype)v->dt, v->name,
                                      v->lo, v->hi);
        return x_var(p, lp->import[x.sym]);
    }
    for (int i = 0; i < x.n && i < 8; i++)
        a[i] = (Ex)ex_fold(f, x.arg[i]);
    if (x.op == Xint)
        return x_int(p, (enum Dtype)x.dt, x.i);
    return x.op == Xfloat ? x_float(p, (enum Dtype)x.dt, x.f) : ex_remake(p, &x, x.sym, a);
}

/* Rebuilds an expression of the host program in lp. */
static Ex import(LProg *lp, const Prog *from, Ex e)
{
    return (Ex)ex_fold(&(ExFold){.p = from, .f = imported, .ud = &(ValueImport){lp, from}}, e);
}

static bool integer_fits(enum Dtype dt, int64_t v)
{
    int bits = dtypeinfo[dt].bits;
    if (dtypeinfo[dt].cls == 'U')
        return v >= 0 && (bits >= 63 || v < (int64_t)1 << bits);
    return bits >= 64 || (v >= -((int64_t)1 << (bits - 1)) && v < (int64_t)1 << (bits - 1));
}

static Ex lvalue_literal(Prog *p, const LuaVal *v, enum Dtype hint)
{
    char cls = dtypeinfo[hint].cls;
    if (v->kind == VALbool)
        return x_int(p, DTbool, v->i);
    if (v->kind == VALfloat)
        return x_float(p, cls == 'F' ? hint : DTf32, v->f);
    if (cls == 'F')
        return x_float(p, hint, (double)v->i);
    if ((cls == 'I' || cls == 'U') && integer_fits(hint, v->i))
        return x_int(p, hint, v->i);
    return x_int(p, integer_fits(DTi32, v->i) ? DTi32 : DTi64, v->i);
}

Element ref_element(Prog *p, const LRef *r)
{
    Ex *at = anew(&p->ctx, MaxDim * sizeof *at);
    for (int d = 0; d < r->n; d++)
        at[d] = x_from_end(p, r->r.buf, d, r->r.min[d]);
    Element e = {.buf = r->r.buf, .n = r->n};
    e.idx = remap_element(p, &e.buf, at, &e.n);
    return e;
}

Ex val_ex(LProg *lp, const LuaVal *v, enum Dtype hint)
{
    Prog *p = lp->p;
    const LRef *r;
    Element at;
    switch (v->kind) {
    case VALexpr:
        return v->owner == lp ? held_value(lp, v, v->e) : import(lp, v->owner->p, v->e);
    case VALref:
        r = v->ref;
        if (r->let)
            return x_var(p, r->let);
        if (r->slice)
            diag_fail(&p->ctx, E_slice_value, p->here, p->buf[r->r.buf].name, NULL);
        at = ref_element(p, r);
        return held_value(lp, v, x_load(p, at.buf, at.idx, at.n));
    case VALvar:
        return x_load(p, v->buf, (Ex[]){x_int(p, DTi32, 0)}, 1);
    default:
        return lvalue_literal(p, v, hint);
    }
}

enum Dtype check_dtype(lua_State *L, int i)
{
    const char *s = lua_tostring(L, i);
    enum Dtype dt = s && lua_type(L, i) == LUA_TSTRING ? dtypebyname(s) : DTnone;
    if (dt == DTnone) {
        api_require(L, "moontile.base.types");
        lua_getfield(L, -1, "unknown");
        lua_pushvalue(L, i);
        lua_call(L, 1, 0); /* raises, naming the nearest dtype */
    }
    return dt;
}
