/* lua/seam/ir_expr.c: expressions as Lua objects: operators, intrinsics, fields. */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/ir/expr.h"
#include "ir.h"
#include "err/lang.h"

/* Operators ------------------------------------------------------------ */

typedef struct Bin {
    enum Xop op;
    LProg *lp;
    LuaVal v[3];
    Ex e;
} Bin;

/* What an operator computes in where one side, lit, is a number written down and the other has type
 * t: TVM's rules.  An integer is an int32, an int64 if it must be, and a float a float32 before both
 * sides get their common type: float16 * 1.5 is a float32, int8 + 1 an int32.  Bitwise operators
 * and shifts alone give an integer the type of the other side, where that holds it. */
static enum Dtype literal_type(enum Xop op, const LuaVal *lit, enum Dtype t)
{
    if (lit->kind == VALfloat)
        return t == DTf64 ? DTf64 : DTf32;
    if (dtype_isfloat(t))
        return t;
    bool fits = t == DTbool ? (lit->i & 1) == lit->i : ex_wrap(t, lit->i) == lit->i;
    if (xopinfo[op].kind == 'I' && (fits || (dtypeinfo[t].cls == 'U' && lit->i < 0)))
        return t;
    return x_promote(t, lit->i >= INT32_MIN && lit->i <= INT32_MAX ? DTi32 : DTi64);
}

static bool isliteral(const LuaVal *v) { return v->kind == VALint || v->kind == VALfloat; }

/* Both sides of an operator as expressions, of one type where it wants that. */
static void operands(LProg *lp, enum Xop op, const LuaVal *v, Ex *x, Ex *y)
{
    bool one = isliteral(&v[0]), other = isliteral(&v[1]);
    enum Dtype t = DTnone;
    if (one != other && xopinfo[op].kind != 'B')
        t = literal_type(op, one ? &v[0] : &v[1], val_type(one ? &v[1] : &v[0]));
    else if (!one && (op == Xshl || op == Xshr)) /* of both sides, as of any operator of TVM's */
        t = x_promote(val_type(&v[0]), val_type(&v[1]));
    *x = val_ex(lp, &v[0], t);
    *y = val_ex(lp, &v[1], t);
    if (t) {
        *x = x_cast(lp->p, t, *x);
        *y = x_cast(lp->p, t, *y);
    } else if (!one && !other) {
        x_typed(lp->p, op, x, y);
    }
}

static void do_bin(Ctx *c, void *ud)
{
    (void)c;
    Bin *b = ud;
    Ex x, y;
    operands(b->lp, b->op, b->v, &x, &y);
    b->e = x_bin(b->lp->p, b->op, x, y);
}

/* Two Lua numbers: Lua's own arithmetic, exact in 64 bits. */
static bool lexpr_fold(lua_State *L, enum Xop op)
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

/* Is value i a constant with a type of its own: T.cast(1, "int32")?  What is made of those alone
 * has one, too: a number of Lua's would shift and wrap as 64 bits do. */
static bool typed_constant(lua_State *L, int i)
{
    const LExpr *x = luaL_testudata(L, i, EXPR_TYPE);
    return x && ex_at(x->owner->p, x->e)->op == Xint;
}

static int lexpr_binary(lua_State *L, enum Xop op, bool folded)
{
    Bin b = {.op = op};
    lua_settop(L, 2);
    bool one = typed_constant(L, 1), other = typed_constant(L, 2);
    if ((one || other) && (one || lua_type(L, 1) == LUA_TNUMBER) && (other || lua_type(L, 2) == LUA_TNUMBER))
        folded &= op == Xlt || op == Xle || op == Xeq || op == Xne || op == Xand || op == Xor;
    if (lua_type(L, 1) == LUA_TNUMBER && lua_type(L, 2) == LUA_TNUMBER && lexpr_fold(L, op))
        return 1;
    check_val(L, 1, &b.v[0]);
    check_val(L, 2, &b.v[1]);
    if (op == Xand || op == Xor)
        folded &= !b.v[0].owner && !b.v[1].owner;
    b.lp = val_prog(L, b.v, 2);
    ir_run_at(L, b.lp, do_bin, &b, false, xopinfo[op].kind == 'A' && op != Xmin && op != Xmax
                                           ? xopinfo[op].text : NULL);
    if (folded && !vals_own(b.v, 2))
        push_result(L, b.lp, b.e);
    else
        push_made(L, b.lp, b.e, b.v, 2);
    return 1;
}

/* Comparisons that are decided are booleans of Lua's; a conjunction of expressions stays one,
 * also decided: what a choice gives has the type of both its sides. */
static int f_bin(lua_State *L)
{
    return lexpr_binary(L, (enum Xop)lua_tointeger(L, lua_upvalueindex(1)), true);
}

/* The same for conditions of staged code: what ranges decide stays an
 * expression, so that `while` can say that it never ends. */
static int f_cond(lua_State *L)
{
    return lexpr_binary(L, (enum Xop)lua_tointeger(L, lua_upvalueindex(1)), false);
}

static void do_un(Ctx *c, void *ud)
{
    (void)c;
    Bin *b = ud;
    Prog *p = b->lp->p;
    Ex x = val_ex(b->lp, &b->v[0], DTnone);
    b->e = b->op == Xsub ? x_neg(p, x) : x_un(p, b->op, x);
}

static int lexpr_unary(lua_State *L, enum Xop op)
{
    Bin b = {.op = op};
    check_val(L, 1, &b.v[0]);
    b.lp = val_prog(L, b.v, 1);
    ir_run_expr(L, b.lp, do_un, &b);
    if (b.v[0].owner)
        push_made(L, b.lp, b.e, b.v, 1);
    else
        push_result(L, b.lp, b.e);
    return 1;
}

static int f_neg(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TNUMBER) {
        lua_settop(L, 1);
        lua_arith(L, LUA_OPUNM);
        return 1;
    }
    return lexpr_unary(L, Xsub);
}

static int f_bnot(lua_State *L) { return lexpr_unary(L, Xbnot); }
static int f_not(lua_State *L) { return lexpr_unary(L, Xnot); }

/* x by itself n > 0 times: one after the other, as TileLang rounds, but of what does not round by squaring. */
static Ex times_itself(Prog *p, Ex x, int64_t n)
{
    Ex r = 0;
    if (ex_type(p, x) == DTbool)
        return x;
    if (dtypeinfo[ex_type(p, x)].cls == 'F') {
        for (r = x; n > 1; n--)
            r = x_bin(p, Xmul, r, x);
        return r;
    }
    for (; n; n >>= 1) {
        if (n & 1)
            r = r ? x_bin(p, Xmul, r, x) : x;
        if (n > 1)
            x = x_bin(p, Xmul, x, x);
    }
    return r;
}

static void do_pow(Ctx *c, void *ud)
{
    const int64_t most = 64, most_whole = 1024; /* products; their text has as many names */
    (void)c;
    Bin *b = ud;
    Prog *p = b->lp->p;
    LuaVal *y = &b->v[1];
    Ex a[2], x = y->kind == VALint ? val_ex(b->lp, &b->v[0], DTnone) : 0;
    bool real = x && dtypeinfo[ex_type(p, x)].cls == 'F';
    if (x && y->i >= 0 && y->i <= (real ? most : most_whole)) {
        b->e = y->i ? times_itself(p, x, y->i) : x_int(p, ex_type(p, x), 1);
        return;
    }
    if (x && !real) /* below 0 */
        diag_fail(&p->ctx, E_int_pow, p->here, dtypeinfo[ex_type(p, x)].name, afmt(&p->ctx, "%lld", (long long)y->i),
                  NULL);
    operands(b->lp, Xmul, b->v, &a[0], &a[1]);
    enum Dtype t = x_promote(ex_type(p, a[0]), ex_type(p, a[1]));
    if (t && !dtype_isfloat(t)) /* TVM's power, too, has floats only */
        diag_fail(&p->ctx, E_int_pow, p->here, dtypeinfo[ex_type(p, a[0])].name, dtypeinfo[ex_type(p, a[1])].name,
                  NULL);
    for (int i = 0; i < 2 && t; i++)
        a[i] = x_cast(p, t, a[i]); /* an integer beside a float becomes one of its type */
    x_typed_call(p, Ipow, a, 3, 2);
    b->e = x_call(p, Ipow, a, 2);
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
    if (vals_own(b.v, 2))
        push_made(L, b.lp, b.e, b.v, 2);
    else
        push_result(L, b.lp, b.e);
    return 1;
}

static void do_select(Ctx *c, void *ud)
{
    (void)c;
    Bin *b = ud;
    Ex x, y, k = val_ex(b->lp, &b->v[0], DTnone);
    operands(b->lp, Xselect, &b->v[1], &x, &y);
    if (isliteral(&b->v[1]) && isliteral(&b->v[2]) && (b->v[1].kind == VALfloat) != (b->v[2].kind == VALfloat)) {
        x = x_cast(b->lp->p, DTf32, x); /* two literals, one of them a float */
        y = x_cast(b->lp->p, DTf32, y);
    }
    b->e = x_select(b->lp->p, k, x, y);
}

/* select(c, a, b): of the type of both sides, whatever decides it; of Lua's values alone one of them */
static int f_select(lua_State *L)
{
    Bin b = {0};
    lua_settop(L, 3);
    if (lua_type(L, 1) == LUA_TBOOLEAN && !lua_isuserdata(L, 2) && !lua_isuserdata(L, 3)) {
        lua_pushvalue(L, lua_toboolean(L, 1) ? 2 : 3);
        return 1;
    }
    for (int i = 0; i < 3; i++)
        check_val(L, i + 1, &b.v[i]);
    b.lp = val_prog(L, b.v, 3);
    ir_run_expr(L, b.lp, do_select, &b);
    if (b.v[0].owner || vals_own(b.v, 3))
        push_made(L, b.lp, b.e, b.v, 3);
    else
        push_result(L, b.lp, b.e);
    return 1;
}

typedef struct Cast {
    LProg *lp;
    LuaVal v;
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
static int lexpr_cast(lua_State *L, bool bits)
{
    Cast k = {.bits = bits};
    lua_settop(L, 2);
    k.dt = check_dtype(L, 2);
    check_val(L, 1, &k.v);
    k.lp = val_prog(L, &k.v, 1);
    ir_run_expr(L, k.lp, do_cast, &k);
    push_made(L, k.lp, k.e, &k.v, 1);
    return 1;
}

static int f_cast(lua_State *L) { return lexpr_cast(L, false); }
static int f_bits(lua_State *L) { return lexpr_cast(L, true); }

/* Intrinsics that give a value ------------------------------------------ */

typedef struct ExprCall {
    LProg *lp;
    enum Intr fn;
    LuaVal v[4];
    int n;
    Ex e;
} ExprCall;

static void do_lexpr_call(Ctx *c, void *ud)
{
    (void)c;
    ExprCall *k = ud;
    Ex a[4] = {0};
    enum Dtype hint = DTnone, t;
    unsigned typed = 0;
    for (int i = 0; i < k->n; i++)
        if ((t = val_type(&k->v[i])) != DTnone) {
            typed |= 1u << i;
            hint = !hint ? t : dtype_isfloat(hint) && dtype_isfloat(t) ? x_promote(hint, t) : hint;
        }
    if (intrinfo[k->fn].level == 'T')
        hint = DTnone;
    for (int i = 0; i < k->n; i++)
        a[i] = val_ex(k->lp, &k->v[i], hint);
    x_typed_call(k->lp->p, k->fn, a, typed, k->n);
    k->e = x_call(k->lp->p, k->fn, a, k->n);
}

/* What threads find out together is no one's own: vary.h tells. */
static void push_called(lua_State *L, const ExprCall *k)
{
    push_made(L, k->lp, k->e, k->v, intrinfo[k->fn].level == 'T' ? 0 : k->n);
}

static int f_call(lua_State *L)
{
    ExprCall k = {.fn = (enum Intr)lua_tointeger(L, lua_upvalueindex(1)), .n = lua_gettop(L)};
    luaL_argcheck(L, k.n <= 4, 5, "too many arguments");
    for (int i = 0; i < k.n; i++)
        check_val(L, i + 1, &k.v[i]);
    k.lp = val_prog(L, k.v, k.n);
    ir_run_expr(L, k.lp, do_lexpr_call, &k);
    push_called(L, &k);
    return 1;
}

/* calls in a program: no argument says which (get_lane_idx()) */
static int f_callin(lua_State *L)
{
    ExprCall k = {.fn = (enum Intr)lua_tointeger(L, lua_upvalueindex(1)), .lp = check_prog(L, 1)};
    k.n = lua_gettop(L) - 1;
    luaL_argcheck(L, k.n <= 4, 5, "too many arguments");
    for (int i = 0; i < k.n; i++)
        check_val(L, i + 2, &k.v[i]);
    ir_run_expr(L, k.lp, do_lexpr_call, &k);
    push_called(L, &k);
    return 1;
}

/* C of the user's own -------------------------------------------------- */

typedef struct ExprOwn {
    LProg *lp;
    enum Intr fn;
    enum Dtype dt;
    const char *name;
    LuaVal *v;
    int n;
    Ex e;
} ExprOwn;

static void do_own(Ctx *c, void *ud)
{
    ExprOwn *k = ud;
    Ex *a = anew(c, (size_t)(k->n + 1) * sizeof *a);
    for (int i = 0; i < k->n; i++)
        a[i] = val_ex(k->lp, &k->v[i], DTnone);
    k->e = x_extern(k->lp->p, k->fn, k->dt, k->name, a, k->n);
}

/* own(P, pure, dtype, name, values...) -> what the user's own C of that name gives for them */
static int f_own(lua_State *L)
{
    ExprOwn k = {.lp = check_prog(L, 1), .fn = lua_toboolean(L, 2) ? Icall_pure_extern : Icall_extern,
                 .dt = check_dtype(L, 3), .name = luaL_checkstring(L, 4), .n = lua_gettop(L) - 4};
    k.v = lua_newuserdatauv(L, (size_t)(k.n + 1) * sizeof *k.v, 0);
    for (int i = 0; i < k.n; i++)
        check_val(L, i + 5, &k.v[i]);
    ir_run_expr(L, k.lp, do_own, &k);
    push_made(L, k.lp, k.e, k.v, k.n);
    return 1;
}

/* Objects -------------------------------------------------------------- */

static int f_lexpr_dtype(lua_State *L)
{
    LuaVal v;
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

/* __unknown(v, left): will v be known only when the kernel runs, and does plain Lua decide by it?
 * Left of an `or` a number is taken as given, as in staged code: `x = x or 1`. */
static int f_unknown(lua_State *L)
{
    LuaVal v;
    bool is = to_val(L, 1, &v) && v.owner && (!lua_toboolean(L, 2) || val_type(&v) == DTbool);
    lua_pushboolean(L, is);
    return 1;
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
        {"__lt", f_plain_condition}, {"__le", f_plain_condition}, {"__unknown", f_unknown},
        {NULL, NULL},
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
    LuaVal v;
    bool is = to_val(L, 1, &v);
    if (lua_toboolean(L, 2))
        is = is && v.owner;
    lua_pushboolean(L, is);
    return 1;
}

/* kind(x) -> "expr", "element", "region", "partial", "var", "buffer" or nil */
static int f_lexpr_kind(lua_State *L)
{
    const LRef *r;
    const LBuf *b;
    if (luaL_testudata(L, 1, EXPR_TYPE))
        lua_pushliteral(L, "expr");
    else if ((r = luaL_testudata(L, 1, REF_TYPE)) != NULL)
        lua_pushstring(L, r->byref ? "var" : r->n < r->ndim ? "partial"
                                         : r->slice ? "region" : "element");
    else if ((b = luaL_testudata(L, 1, BUF_TYPE)) != NULL)
        lua_pushstring(L, val_isvar(b) ? "var" : "buffer");
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

const luaL_Reg expr_functions[] = {
    {"neg", f_neg},     {"bnot", f_bnot},   {"not_", f_not},      {"pow", f_pow},
    {"select", f_select}, {"cast", f_cast}, {"bits", f_bits}, {"own", f_own},    {"const", f_const},
    {"dtype", f_lexpr_dtype}, {"kind", f_lexpr_kind},   {"isvalue", f_isvalue}, {"same", f_same},
    {NULL, NULL},
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
        if (intr_own((uint32_t)i))
            continue; /* own() */
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
