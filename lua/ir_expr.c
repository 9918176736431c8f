/* lua/ir_expr.c: Lua values as expressions, operators on them, and where in
 * the user's text they were written. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "ir.h"

#define HOSTKEY "moontile.host" /* registry: the host program */

enum { HostBytes = 256 << 20 };

static const char progs; /* registry: LProg -> its userdata, weak */

/* Positions ------------------------------------------------------------ */

static bool wordchar(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_';
}

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
static const char *line_start(LProg *lp, const char *text, size_t n, uint32_t line)
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
static uint16_t find_word(const char *s, size_t n, const char *word, size_t m)
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
        return find_word(s, n, words, all);
    for (size_t i = 0; i < all;) {
        size_t m = strcspn(words + i, "|");
        uint16_t col = find_word(s, n, words + i, m);
        if (col)
            return col;
        i += m + 1;
    }
    return 0;
}

/* The user's place that is running.  column: word to look for in that line,
 * NULL for the name of the function called from there. */
static Loc locate(lua_State *L, LProg *lp, const char **chunk, const char *column, bool wantcol)
{
    lua_Debug ar, callee;
    Loc l = {0};
    *chunk = NULL;
    for (int level = 0; lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sl", &ar);
        if (ar.currentline <= 0 || diag_isours(ar.source))
            continue;
        *chunk = ar.source;
        l.line = (uint32_t)ar.currentline;
        if (wantcol && !column && level && lua_getstack(L, level - 1, &callee) &&
            lua_getinfo(L, "n", &callee) && strcmp(callee.namewhat, "metamethod") != 0)
            column = callee.name;
        break;
    }
    size_t n;
    const char *text = wantcol && column && *chunk ? chunk_text(L, *chunk, &n) : NULL;
    if (text) {
        const char *s = line_start(lp, text, n, l.line);
        if (s) {
            const char *e = memchr(s, '\n', n - (size_t)(s - text));
            l.col = find_column(s, e ? (size_t)(e - s) : n - (size_t)(s - text), column);
        }
    }
    if (wantcol && column && *chunk)
        lua_pop(L, 1);
    return l;
}

/* Running core code ---------------------------------------------------- */

typedef struct Run {
    void (*f)(Ctx *, void *);
    void *ud;
    const char *chunk;
    Prog *p;
} Run;

static void run_body(Ctx *c, void *ud)
{
    Run *r = ud;
    r->p->here.file = ctx_file(c, r->chunk);
    r->f(c, r->ud);
}

/* The host program outlives its errors. */
static void forget(Ctx *c)
{
    c->diags = NULL;
    c->diagtail = &c->diags;
    c->nerror = 0;
}

void ir_raise(lua_State *L, LProg *lp)
{
    Ctx *c = &lp->p->ctx;
    if (!diag_push(L, c, Lerror))
        lua_pushliteral(L, "the program has errors");
    if (lp->host)
        forget(c);
    lua_error(L);
    ctx_unwind(c); /* not reached */
}

void ir_run_at(lua_State *L, LProg *lp, void (*f)(Ctx *, void *), void *ud, bool wantcol,
            const char *word)
{
    Prog *p = lp->p;
    Run r = {f, ud, NULL, p};
    Loc l = locate(L, lp, &r.chunk, word, wantcol);
    p->here.line = l.line;
    p->here.col = l.col;
    if (ctx_try(&p->ctx, run_body, &r))
        return;
    if (!wantcol) { /* now the column is worth looking for */
        l = locate(L, lp, &r.chunk, word, true);
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
    set_owner(L, lp);
    luaL_setmetatable(L, EXPR_TYPE);
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

static bool isvar(const LBuf *b) { return b->owner->p->buf[b->buf].scope == SCvar; }

bool to_val(lua_State *L, int i, Val *v)
{
    const LExpr *x;
    const LRef *r;
    const LBuf *b;
    *v = (Val){0};
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
            *v = (Val){.kind = VALexpr, .e = x->e, .owner = x->owner};
        } else if ((r = luaL_testudata(L, i, REF_TYPE)) != NULL) {
            *v = (Val){.kind = VALref, .ref = r, .owner = r->owner};
        } else if ((b = luaL_testudata(L, i, BUF_TYPE)) != NULL && isvar(b)) {
            *v = (Val){.kind = VALvar, .buf = b->buf, .owner = b->owner};
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
    ir_fail(L, "not_value", luaL_typename(L, i), NULL);
}

void check_val(lua_State *L, int i, Val *v)
{
    if (!to_val(L, i, v))
        not_value(L, i);
}

LProg *val_prog(lua_State *L, const Val *v, int n)
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

enum Dtype val_type(const Val *v)
{
    switch (v->kind) {
    case VALexpr: return ex_type(v->owner->p, v->e);
    case VALref: return (enum Dtype)v->owner->p->buf[v->ref->r.buf].dt;
    case VALvar: return (enum Dtype)v->owner->p->buf[v->buf].dt;
    case VALbool: return DTbool;
    default: return DTnone;
    }
}

/* Rebuilds an expression of the host program in lp. */
static Ex import(LProg *lp, const Prog *from, Ex e)
{
    Expr x = *ex_at(from, e);
    Prog *p = lp->p;
    Ex a[8];
    if (x.op == Xvar) {
        agrow(&p->ctx, &lp->import, &lp->capimport, x.sym + 1, sizeof *lp->import);
        const Var *v = &from->var[x.sym];
        if (!lp->import[x.sym])
            lp->import[x.sym] = p_var(p, (enum VarKind)v->kind, (enum Dtype)v->dt, v->name, v->lo, v->hi);
        return x_var(p, lp->import[x.sym]);
    }
    for (int i = 0; i < x.n && i < 8; i++)
        a[i] = import(lp, from, x.arg[i]);
    switch (x.op) {
    case Xint: return x_int(p, (enum Dtype)x.dt, x.i);
    case Xfloat: return x_float(p, (enum Dtype)x.dt, x.f);
    case Xcall: return x_call(p, (enum Intr)x.sym, a, x.n);
    case Xselect: return x_select(p, a[0], a[1], a[2]);
    case Xcast: return x_cast(p, (enum Dtype)x.dt, a[0]);
    case Xbits: return x_bits(p, (enum Dtype)x.dt, a[0]);
    case Xnot: case Xbnot: return x_un(p, (enum Xop)x.op, a[0]);
    default: return x_bin(p, (enum Xop)x.op, a[0], a[1]);
    }
}

static bool fits(enum Dtype dt, int64_t v)
{
    int bits = dtypeinfo[dt].bits;
    if (dtypeinfo[dt].cls == 'U')
        return v >= 0 && (bits >= 63 || v < (int64_t)1 << bits);
    return bits >= 64 || (v >= -((int64_t)1 << (bits - 1)) && v < (int64_t)1 << (bits - 1));
}

static Ex literal(Prog *p, const Val *v, enum Dtype hint)
{
    char cls = dtypeinfo[hint].cls;
    if (v->kind == VALbool)
        return x_int(p, DTbool, v->i);
    if (v->kind == VALfloat)
        return x_float(p, cls == 'F' ? hint : DTf32, v->f);
    if (cls == 'F')
        return x_float(p, hint, (double)v->i);
    if ((cls == 'I' || cls == 'U') && fits(hint, v->i))
        return x_int(p, hint, v->i);
    return x_int(p, fits(DTi32, v->i) ? DTi32 : DTi64, v->i);
}

Ex val_ex(LProg *lp, const Val *v, enum Dtype hint)
{
    Prog *p = lp->p;
    const LRef *r;
    switch (v->kind) {
    case VALexpr:
        return v->owner == lp ? v->e : import(lp, v->owner->p, v->e);
    case VALref:
        r = v->ref;
        if (r->let)
            return x_var(p, r->let);
        if (r->slice)
            diag_fail(&p->ctx, E_slice_value, p->here, p->buf[r->r.buf].name, NULL);
        return x_load(p, r->r.buf, r->r.min, r->n);
    case VALvar:
        return x_load(p, v->buf, (Ex[]){x_int(p, DTi32, 0)}, 1);
    default:
        return literal(p, v, hint);
    }
}

enum Dtype check_dtype(lua_State *L, int i)
{
    const char *s = lua_tostring(L, i);
    enum Dtype dt = s && lua_type(L, i) == LUA_TSTRING ? dtypebyname(s) : DTnone;
    if (dt == DTnone) {
        api_require(L, "moontile.T.types");
        lua_getfield(L, -1, "unknown");
        lua_pushvalue(L, i);
        lua_call(L, 1, 0); /* raises, naming the nearest dtype */
    }
    return dt;
}

/* Operators ------------------------------------------------------------ */

typedef struct Bin {
    enum Xop op;
    LProg *lp;
    Val v[3];
    Ex e;
} Bin;

static void do_bin(Ctx *c, void *ud)
{
    (void)c;
    Bin *b = ud;
    Ex x = val_ex(b->lp, &b->v[0], val_type(&b->v[1]));
    Ex y = val_ex(b->lp, &b->v[1], val_type(&b->v[0]));
    b->e = x_bin(b->lp->p, b->op, x, y);
}

/* Two Lua numbers: Lua's own arithmetic, exact in 64 bits. */
static bool fold(lua_State *L, enum Xop op)
{
    static const int8_t arith[NXop] = {
        [Xadd] = LUA_OPADD + 1, [Xsub] = LUA_OPSUB + 1, [Xmul] = LUA_OPMUL + 1,
        [Xfdiv] = LUA_OPIDIV + 1, [Xfmod] = LUA_OPMOD + 1, [Xband] = LUA_OPBAND + 1,
        [Xbor] = LUA_OPBOR + 1, [Xbxor] = LUA_OPBXOR + 1, [Xshl] = LUA_OPSHL + 1,
    };
    if (op == Xmin || op == Xmax) {
        bool less = lua_compare(L, 1, 2, LUA_OPLT);
        lua_pushvalue(L, less == (op == Xmin) ? 1 : 2);
    } else if (op == Xdiv) {
        if (lua_isinteger(L, 1) && lua_isinteger(L, 2))
            return false; /* ambiguous, as for symbolic values */
        lua_arith(L, LUA_OPDIV);
    } else if (op == Xlt || op == Xle || op == Xeq || op == Xne) {
        int how = op == Xlt ? LUA_OPLT : op == Xle ? LUA_OPLE : LUA_OPEQ;
        lua_pushboolean(L, lua_compare(L, 1, 2, how) == (op != Xne));
    } else if (arith[op]) {
        lua_arith(L, arith[op] - 1);
    } else {
        return false;
    }
    return true;
}

static int binary(lua_State *L, enum Xop op, bool folded)
{
    Bin b = {.op = op};
    lua_settop(L, 2);
    if (lua_type(L, 1) == LUA_TNUMBER && lua_type(L, 2) == LUA_TNUMBER && fold(L, op))
        return 1;
    check_val(L, 1, &b.v[0]);
    check_val(L, 2, &b.v[1]);
    b.lp = val_prog(L, b.v, 2);
    ir_run_at(L, b.lp, do_bin, &b, false, xopinfo[op].kind == 'A' && op != Xmin && op != Xmax
                                           ? xopinfo[op].text : NULL);
    if (folded)
        push_value(L, b.lp, b.e);
    else
        push_expr(L, b.lp, b.e);
    return 1;
}

static int f_bin(lua_State *L)
{
    return binary(L, (enum Xop)lua_tointeger(L, lua_upvalueindex(1)), true);
}

/* The same for conditions of staged code: what ranges decide stays an
 * expression, so that `while` can say that it never ends. */
static int f_cond(lua_State *L)
{
    return binary(L, (enum Xop)lua_tointeger(L, lua_upvalueindex(1)), false);
}

static void do_un(Ctx *c, void *ud)
{
    (void)c;
    Bin *b = ud;
    Prog *p = b->lp->p;
    Ex x = val_ex(b->lp, &b->v[0], DTnone);
    b->e = b->op == Xsub ? x_neg(p, x) : x_un(p, b->op, x);
}

static int unary(lua_State *L, enum Xop op)
{
    Bin b = {.op = op};
    check_val(L, 1, &b.v[0]);
    b.lp = val_prog(L, b.v, 1);
    ir_run_expr(L, b.lp, do_un, &b);
    push_value(L, b.lp, b.e);
    return 1;
}

static int f_neg(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TNUMBER) {
        lua_settop(L, 1);
        lua_arith(L, LUA_OPUNM);
        return 1;
    }
    return unary(L, Xsub);
}

static int f_bnot(lua_State *L) { return unary(L, Xbnot); }
static int f_not(lua_State *L) { return unary(L, Xnot); }

static void do_pow(Ctx *c, void *ud)
{
    (void)c;
    Bin *b = ud;
    Prog *p = b->lp->p;
    Ex x = val_ex(b->lp, &b->v[0], val_type(&b->v[1])), r = 0;
    if (b->v[1].kind != VALint || b->v[1].i < 0 || b->v[1].i > 64) {
        Ex a[2] = {x, val_ex(b->lp, &b->v[1], val_type(&b->v[0]))};
        b->e = x_call(p, Ipow, a, 2);
        return;
    }
    for (int64_t n = b->v[1].i; n; n >>= 1) { /* by repeated squaring */
        if (n & 1)
            r = r ? x_bin(p, Xmul, r, x) : x;
        if (n > 1)
            x = x_bin(p, Xmul, x, x);
    }
    b->e = r ? r : x_int(p, ex_type(p, x), 1);
}

/* pow(x, y): an integer exponent becomes multiplications, as in TileLang */
static int f_pow(lua_State *L)
{
    Bin b = {0};
    lua_settop(L, 2);
    if (lua_type(L, 1) == LUA_TNUMBER && lua_type(L, 2) == LUA_TNUMBER) {
        lua_arith(L, LUA_OPPOW);
        return 1;
    }
    check_val(L, 1, &b.v[0]);
    check_val(L, 2, &b.v[1]);
    b.lp = val_prog(L, b.v, 2);
    ir_run_expr(L, b.lp, do_pow, &b);
    push_value(L, b.lp, b.e);
    return 1;
}

static void do_select(Ctx *c, void *ud)
{
    (void)c;
    Bin *b = ud;
    enum Dtype ta = val_type(&b->v[1]), tb = val_type(&b->v[2]);
    Ex k = val_ex(b->lp, &b->v[0], DTnone);
    Ex x = val_ex(b->lp, &b->v[1], tb), y = val_ex(b->lp, &b->v[2], ta);
    if (!ta && !tb && (b->v[1].kind == VALfloat) != (b->v[2].kind == VALfloat)) {
        x = x_cast(b->lp->p, DTf32, x); /* two literals, one of them a float */
        y = x_cast(b->lp->p, DTf32, y);
    }
    b->e = x_select(b->lp->p, k, x, y);
}

/* select(c, a, b) */
static int f_select(lua_State *L)
{
    Bin b = {0};
    lua_settop(L, 3);
    if (lua_type(L, 1) == LUA_TBOOLEAN) {
        lua_pushvalue(L, lua_toboolean(L, 1) ? 2 : 3);
        return 1;
    }
    for (int i = 0; i < 3; i++)
        check_val(L, i + 1, &b.v[i]);
    b.lp = val_prog(L, b.v, 3);
    ir_run_expr(L, b.lp, do_select, &b);
    push_value(L, b.lp, b.e);
    return 1;
}

typedef struct Cast {
    LProg *lp;
    Val v;
    enum Dtype dt;
    bool bits;
    Ex e;
} Cast;

static void do_cast(Ctx *c, void *ud)
{
    (void)c;
    Cast *k = ud;
    Ex x = val_ex(k->lp, &k->v, k->bits ? DTnone : k->dt);
    k->e = k->bits ? x_bits(k->lp->p, k->dt, x) : x_cast(k->lp->p, k->dt, x);
}

/* cast(x, dtype), bits(x, dtype): typed, even of a literal */
static int cast(lua_State *L, bool bits)
{
    Cast k = {.bits = bits};
    lua_settop(L, 2);
    k.dt = check_dtype(L, 2);
    check_val(L, 1, &k.v);
    k.lp = val_prog(L, &k.v, 1);
    ir_run_expr(L, k.lp, do_cast, &k);
    push_expr(L, k.lp, k.e);
    return 1;
}

static int f_cast(lua_State *L) { return cast(L, false); }
static int f_bits(lua_State *L) { return cast(L, true); }

/* Intrinsics that give a value ------------------------------------------ */

typedef struct Call {
    LProg *lp;
    enum Intr fn;
    Val v[4];
    int n;
    Ex e;
} Call;

static void do_call(Ctx *c, void *ud)
{
    (void)c;
    Call *k = ud;
    Ex a[4] = {0};
    enum Dtype hint = DTnone;
    for (int i = 0; i < k->n; i++)
        if (val_type(&k->v[i]))
            hint = hint ? hint : val_type(&k->v[i]);
    if (intrinfo[k->fn].level == 'T')
        hint = DTnone;
    for (int i = 0; i < k->n; i++)
        a[i] = val_ex(k->lp, &k->v[i], hint);
    k->e = x_call(k->lp->p, k->fn, a, k->n);
}

static int f_call(lua_State *L)
{
    Call k = {.fn = (enum Intr)lua_tointeger(L, lua_upvalueindex(1)), .n = lua_gettop(L)};
    luaL_argcheck(L, k.n <= 4, 5, "too many arguments");
    for (int i = 0; i < k.n; i++)
        check_val(L, i + 1, &k.v[i]);
    k.lp = val_prog(L, k.v, k.n);
    ir_run_expr(L, k.lp, do_call, &k);
    push_expr(L, k.lp, k.e);
    return 1;
}

/* calls in a program: no argument says which (get_lane_idx()) */
static int f_callin(lua_State *L)
{
    Call k = {.fn = (enum Intr)lua_tointeger(L, lua_upvalueindex(1)), .lp = check_prog(L, 1)};
    k.n = lua_gettop(L) - 1;
    luaL_argcheck(L, k.n <= 4, 5, "too many arguments");
    for (int i = 0; i < k.n; i++)
        check_val(L, i + 2, &k.v[i]);
    ir_run_expr(L, k.lp, do_call, &k);
    push_expr(L, k.lp, k.e);
    return 1;
}

/* Objects -------------------------------------------------------------- */

static int f_dtype(lua_State *L)
{
    Val v;
    if (!to_val(L, 1, &v) || val_type(&v) == DTnone)
        return 0;
    lua_pushstring(L, dtypeinfo[val_type(&v)].name);
    return 1;
}

static int f_expr_index(lua_State *L)
{
    const char *k = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
    const LExpr *x = luaL_checkudata(L, 1, EXPR_TYPE);
    if (k && strcmp(k, "dtype") == 0)
        lua_pushstring(L, dtypeinfo[ex_type(x->owner->p, x->e)].name);
    else if (k && strcmp(k, "astype") == 0)
        lua_pushcfunction(L, f_cast);
    else if (k)
        ir_fail(L, "no_field", k, "dtype, astype(d)");
    else
        ir_fail(L, "index_scalar", dtypeinfo[ex_type(x->owner->p, x->e)].name, NULL);
    return 1;
}

static int f_expr_newindex(lua_State *L)
{
    const LExpr *x = luaL_checkudata(L, 1, EXPR_TYPE);
    ir_fail(L, "index_scalar", dtypeinfo[ex_type(x->owner->p, x->e)].name, NULL);
    return 0;
}

static int f_expr_tostring(lua_State *L)
{
    const LExpr *x = luaL_checkudata(L, 1, EXPR_TYPE);
    Str s = {0};
    ex_print(x->owner->p, x->e, &s);
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
    return 1;
}

/* A comparison or condition of plain Lua, which cannot be symbolic. */
static int f_plain_condition(lua_State *L)
{
    ir_fail(L, "plain_condition", NULL, NULL);
    return 0;
}

static int f_concat(lua_State *L)
{
    luaL_tolstring(L, 1, NULL);
    luaL_tolstring(L, 2, NULL);
    lua_concat(L, 2);
    return 1;
}

/* The operators of Lua, for everything that can stand for a value. */
void add_arith(lua_State *L)
{
    static const struct { const char *name; enum Xop op; } ops[] = {
        {"__add", Xadd}, {"__sub", Xsub}, {"__mul", Xmul}, {"__div", Xdiv},
        {"__idiv", Xfdiv}, {"__mod", Xfmod}, {"__band", Xband}, {"__bor", Xbor},
        {"__bxor", Xbxor}, {"__shl", Xshl}, {"__shr", Xshr},
    };
    static const luaL_Reg rest[] = {
        {"__unm", f_neg}, {"__bnot", f_bnot}, {"__pow", f_pow}, {"__concat", f_concat},
        {"__lt", f_plain_condition}, {"__le", f_plain_condition}, {NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(ops); i++) {
        lua_pushinteger(L, ops[i].op);
        lua_pushcclosure(L, f_bin, 1);
        lua_setfield(L, -2, ops[i].name);
    }
    luaL_setfuncs(L, rest, 0);
}

/* isconst(e) -> the constant as a Lua value, or nil */
static int f_const(lua_State *L)
{
    const LExpr *x = luaL_testudata(L, 1, EXPR_TYPE);
    if (!x) {
        lua_settop(L, 1);
        return lua_type(L, 1) == LUA_TNUMBER || lua_type(L, 1) == LUA_TBOOLEAN;
    }
    const Expr *e = ex_at(x->owner->p, x->e);
    if (e->op == Xint && e->dt == DTbool)
        lua_pushboolean(L, e->i != 0);
    else if (e->op == Xint)
        lua_pushinteger(L, e->i);
    else if (e->op == Xfloat)
        lua_pushnumber(L, e->f);
    else
        return 0;
    return 1;
}

/* isvalue(x): can it stand for a scalar?  Symbolic ones only with `true`. */
static int f_isvalue(lua_State *L)
{
    Val v;
    bool is = to_val(L, 1, &v);
    if (lua_toboolean(L, 2))
        is = is && v.owner;
    lua_pushboolean(L, is);
    return 1;
}

/* kind(x) -> "expr", "element", "region", "partial", "var", "buffer" or nil */
static int f_kind(lua_State *L)
{
    const LRef *r;
    const LBuf *b;
    if (luaL_testudata(L, 1, EXPR_TYPE))
        lua_pushliteral(L, "expr");
    else if ((r = luaL_testudata(L, 1, REF_TYPE)) != NULL)
        lua_pushstring(L, r->n < r->ndim ? "partial" : r->slice ? "region" : "element");
    else if ((b = luaL_testudata(L, 1, BUF_TYPE)) != NULL)
        lua_pushstring(L, isvar(b) ? "var" : "buffer");
    else
        return 0;
    return 1;
}

/* same(a, b): the same expression? */
static int f_same(lua_State *L)
{
    const LExpr *a = luaL_testudata(L, 1, EXPR_TYPE), *b = luaL_testudata(L, 2, EXPR_TYPE);
    if (a && b)
        lua_pushboolean(L, a->owner == b->owner && a->e == b->e);
    else
        lua_pushboolean(L, lua_rawequal(L, 1, 2));
    return 1;
}

/* dimname(e) -> name of the symbolic dimension or variable that e is, or nil */
static int f_symbol(lua_State *L)
{
    const LExpr *x = luaL_testudata(L, 1, EXPR_TYPE);
    if (!x || ex_at(x->owner->p, x->e)->op != Xvar)
        return 0;
    const Var *v = &x->owner->p->var[ex_at(x->owner->p, x->e)->sym];
    if (v->kind != Vdim)
        return 0;
    lua_pushstring(L, v->name);
    return 1;
}

const luaL_Reg expr_functions[] = {
    {"neg", f_neg},     {"bnot", f_bnot},   {"not_", f_not},      {"pow", f_pow},
    {"select", f_select}, {"cast", f_cast}, {"bits", f_bits},     {"const", f_const},
    {"dtype", f_dtype}, {"kind", f_kind},   {"isvalue", f_isvalue}, {"same", f_same},
    {"symbol", f_symbol}, {NULL, NULL},
};

/* Adds to the table on top: a function for each binary operator, by its name in
 * ops.h; table cond with the comparisons that do not fold; tables call and
 * callin with one for each intrinsic, the latter in a given program. */
void open_expr(lua_State *L)
{
    static const luaL_Reg meta[] = {
        {"__index", f_expr_index}, {"__newindex", f_expr_newindex},
        {"__tostring", f_expr_tostring}, {NULL, NULL},
    };
    static const struct { const char *name; enum Xop op; } names[] = {
        {"add", Xadd}, {"sub", Xsub}, {"mul", Xmul}, {"div", Xdiv}, {"fdiv", Xfdiv},
        {"fmod", Xfmod}, {"tdiv", Xtdiv}, {"tmod", Xtmod}, {"min", Xmin}, {"max", Xmax},
        {"lt", Xlt}, {"le", Xle}, {"eq", Xeq}, {"ne", Xne}, {"and_", Xand}, {"or_", Xor},
        {"band", Xband}, {"bor", Xbor}, {"bxor", Xbxor}, {"shl", Xshl}, {"shr", Xshr},
    };
    if (luaL_newmetatable(L, EXPR_TYPE)) {
        luaL_setfuncs(L, meta, 0);
        add_arith(L);
    }
    lua_pop(L, 1);
    for (size_t i = 0; i < COUNT(names); i++) {
        lua_pushinteger(L, names[i].op);
        lua_pushcclosure(L, f_bin, 1);
        lua_setfield(L, -2, names[i].name);
    }
    lua_newtable(L);
    for (size_t i = 0; i < COUNT(names); i++) {
        if (xopinfo[names[i].op].kind != 'C')
            continue;
        lua_pushinteger(L, names[i].op);
        lua_pushcclosure(L, f_cond, 1);
        lua_setfield(L, -2, names[i].name);
    }
    lua_setfield(L, -2, "cond");
    lua_newtable(L);
    lua_newtable(L);
    for (int i = 1; i < NIntr; i++) {
        lua_pushinteger(L, i);
        lua_pushcclosure(L, f_call, 1);
        lua_setfield(L, -3, intrinfo[i].text);
        lua_pushinteger(L, i);
        lua_pushcclosure(L, f_callin, 1);
        lua_setfield(L, -2, intrinfo[i].text);
    }
    lua_setfield(L, -3, "callin");
    lua_setfield(L, -2, "call");
}
