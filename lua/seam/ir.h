/* lua/seam/ir.h: what the files of module moontile.ir share.
 *
 * Lua holds four kinds of object: a program, an expression, a buffer and a
 * reference into a buffer.  Each of the last three is a small userdata with
 * the program as its user value, so a program lives as long as anything that
 * speaks of it.  Values are turned into expressions late, in val_ex(), under
 * ctx_try; nothing there may call Lua, since a Lua error must not jump over
 * a C frame that has set ctx->trap. */
#ifndef MOONTILE_LUA_IR_H
#define MOONTILE_LUA_IR_H

#include "seam.h"

#define PROG_TYPE  "moontile.prog"
#define EXPR_TYPE  "moontile.expr"
#define BUF_TYPE   "moontile.buffer"
#define REF_TYPE   "moontile.region"
#define SLICE_TYPE "moontile.slice"

/* A program.  The host program holds expressions made outside kernels, on
 * T.dynamic symbols; they are imported where a kernel uses them. */
typedef struct LProg LProg;
struct LProg {
    Prog *p;
    bool host;
    uint32_t *import, capimport;  /* host Var -> Var here, 0: not yet */
    /* the last place looked up, so that the next search starts there */
    const char *chunk, *text;
    size_t ntext, at;
    uint32_t line;
    uint32_t nstmt; /* statements made so far */
    struct HeldStmts *held; /* ir_held.c: what expressions being made may want to move */
    uint32_t nheld, capheld;
    struct HeldUpdate *update; /* ir_held.c: atomics of the expression being made, one after the other */
    uint32_t nupdate, capupdate;
};

typedef struct LExpr LExpr;
struct LExpr {
    LProg *owner;
    Ex e;
    uint32_t born;   /* LProg.nstmt when it was made */
    bool own;        /* it was made of the thread's index, though e may no longer say so */
};

typedef struct LBuf LBuf;
struct LBuf {
    LProg *owner;
    uint32_t buf;
    bool named;      /* bound to a name: a second binding of an alloc_var reads it */
};

/* A[i, j] with all or some indices given.  All of them scalars: an element,
 * which is a value (a load) and an origin for tile operations.  let: the Var
 * that holds the value read when it was bound to a name, or 0. */
typedef struct LRef LRef;
struct LRef {
    LProg *owner;
    uint32_t let;
    uint32_t born;   /* LExpr.born */
    uint8_t n, ndim; /* indices given, wanted */
    bool slice;      /* some index is a slice */
    bool byref;      /* passed as T.Ref: assigned like a variable */
    bool rest;       /* indices that are not given mean all there is: T.make_tensor of a table's element */
    bool own;        /* LExpr.own of an index */
    Region r;
};

/* A Lua value on its way to become an expression. */
enum ValKind { VALnone, VALint, VALfloat, VALbool, VALexpr, VALref, VALvar };
typedef struct LuaVal LuaVal;
struct LuaVal {
    enum ValKind kind;
    union {
        int64_t i;
        double f;
        Ex e;
        uint32_t buf;    /* VALvar: an alloc_var */
        const LRef *ref;
    };
    LProg *owner;        /* of VALexpr, VALref, VALvar */
    uint32_t born;       /* LExpr.born of VALexpr, VALref */
    bool own;            /* LExpr.own */
};

/* ir_value.c */
LProg *check_prog(lua_State *L, int i);
LProg *host_prog(lua_State *L);
LProg *new_prog(lua_State *L, const char *name, bool host); /* pushes it */
void set_owner(lua_State *L, LProg *lp); /* of the object on top */
void push_expr(lua_State *L, LProg *lp, Ex e);
/* The same, except that an int32 or bool constant becomes a Lua value. */
void push_value(lua_State *L, LProg *lp, Ex e);
/* For what operations on expressions give: only a bool becomes one.  Numbers of Lua have other
 * operations than an int32: >> moves zeros in, and sums have 64 bits. */
void push_result(lua_State *L, LProg *lp, Ex e);
/* What was made of n values: an expression, of which one was own or not. */
void push_made(lua_State *L, LProg *lp, Ex e, const LuaVal *v, int n);
bool vals_own(const LuaVal *v, int n);
bool to_val(lua_State *L, int i, LuaVal *v); /* false: not a value */
void check_val(lua_State *L, int i, LuaVal *v);
/* Program that values belong to; the host's when none says another. */
LProg *val_prog(lua_State *L, const LuaVal *v, int n);
enum Dtype val_type(const LuaVal *v); /* DTnone for literals */
/* Under ctx_try.  The element that r names, where a layout of its tensor has it. */
typedef struct Element { uint32_t buf; int n; const Ex *idx; } Element;
Element ref_element(Prog *p, const LRef *r);
/* Under ctx_try.  hint: type that a literal takes where it can. */
Ex val_ex(LProg *lp, const LuaVal *v, enum Dtype hint);
enum Dtype check_dtype(lua_State *L, int i);
/* Runs f(ctx, ud) with the user's position as p->here; raises what it
 * reports.  run_expr looks for the column only when something is wrong. */
void ir_run(lua_State *L, LProg *lp, void (*f)(Ctx *, void *), void *ud);
void ir_run_expr(lua_State *L, LProg *lp, void (*f)(Ctx *, void *), void *ud);
/* word: what the column shows, "a|b": the first that the line has; NULL: the
 * name that was called. */
void ir_run_at(lua_State *L, LProg *lp, void (*f)(Ctx *, void *), void *ud, bool wantcol,
            const char *word);
NORETURN void ir_raise(lua_State *L, LProg *lp);
/* ir_lower.c: a copy of lp's program, which Lua owns, pushed; one that the checks have
 * passed; lowered in place, without the checks. */
LProg *ir_copy(lua_State *L, const LProg *lp);
LProg *ir_checked(lua_State *L, LProg *lp);
void ir_lower_unchecked(lua_State *L, LProg *lp, const char *spec);
/* The thread program of lp for a machine ("sm_80") or target, or what stands
 * behind a pass: a copy that Lua owns, pushed; lp itself when it is one already. */
LProg *ir_threads(lua_State *L, LProg *lp, const char *spec, const char *pass);
/* The same where the program stays sound: another target may take it. */
NORETURN void ir_refuse(lua_State *L, LProg *lp);
/* Raises message id of errs.h at the user's place. */
NORETURN void ir_fail(lua_State *L, const char *id, const char *a, const char *b);
/* The same with a description of the value at i as the last argument; a may
 * be NULL. */
NORETURN void ir_fail_value(lua_State *L, const char *id, const char *a, int i);
NORETURN void ir_failn(lua_State *L, const char *id, const char *name, lua_Integer a,
                    lua_Integer b);
bool val_isvar(const LBuf *b); /* a T.alloc_var? */

/* ir_expr.c */
void add_arith(lua_State *L); /* the operators, to the metatable on top */
void open_expr(lua_State *L);
extern const luaL_Reg expr_functions[];

/* ir_buf.c */
void push_buf(lua_State *L, LProg *lp, uint32_t buf);
LBuf *check_buf(lua_State *L, int i);
/* A whole buffer, element or slice as a region; false: none of these. */
bool to_region(lua_State *L, int i, LProg **owner, Region *r, bool *origin, bool *whole);
void open_buf(lua_State *L);
extern const luaL_Reg buf_functions[];

/* ir_stmt.c, ir_op.c */
Stmt *ir_launch(const Prog *p);
int clamp32(lua_Integer v); /* to the range of int32 */
extern const luaL_Reg stmt_functions[], op_functions[], held_functions[];

/* ir_held.c, both under ctx_try.  An atomic on buf that gives its old value to an expression stands at *at. */
void held_update(LProg *lp, Stmt **at, uint32_t buf);
/* The value e of v, as it was where v was written: what reads a buffer is read before atomics on it
 * that stand to the right of v. */
Ex held_value(LProg *lp, const LuaVal *v, Ex e);

/* ir_lower.c, ir_source.c, ir_peek.c */
extern const luaL_Reg lower_functions[], source_functions[], peek_functions[], target_functions[];

#endif
