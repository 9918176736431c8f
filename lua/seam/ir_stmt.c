/* lua/seam/ir_stmt.c: statements: frames, bindings, tile operations, atomics. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/ir/effects.h"
#include "core/ir/walk.h"
#include "ir.h"

/* Names ---------------------------------------------------------------- */

enum { NameBytes = 256 };

/* "i, j" as separate strings; a missing one, or "_", is NULL. */
typedef struct StmtNames {
    char text[NameBytes];
    const char *name[MaxLoop];
} StmtNames;

static void read_names(lua_State *L, int i, StmtNames *out)
{
    memset(out->name, 0, sizeof out->name);
    const char *s = luaL_optstring(L, i, "");
    if (strlen(s) >= NameBytes)
        return;
    strcpy(out->text, s);
    char *at = out->text;
    for (int n = 0; n < MaxLoop && *at; n++) {
        at += strspn(at, " ,");
        size_t len = strcspn(at, " ,");
        if (len && !(len == 1 && *at == '_'))
            out->name[n] = at;
        if (at[len])
            at[len++] = '\0';
        at += len;
    }
}

typedef struct VarEx {
    Prog *p;
    uint32_t var;
    Ex e;
} VarEx;

static void do_var(Ctx *c, void *ud)
{
    (void)c;
    VarEx *v = ud;
    v->e = x_var(v->p, v->var);
}

static void push_var(lua_State *L, LProg *lp, uint32_t var)
{
    VarEx v = {lp->p, var, 0};
    ir_run_expr(L, lp, do_var, &v);
    push_expr(L, lp, v.e);
    ((LExpr *)lua_touserdata(L, -1))->own = lp->p->var[var].kind == Vthread;
}

/* Launch --------------------------------------------------------------- */

typedef struct KernelArgs {
    LProg *lp;
    LuaVal grid[MaxLaunchDim + 1];
    int32_t threads[MaxLaunchDim + 1];
    int n, nthread;
    StmtNames names;
    const Stmt *s;
} KernelArgs;

static void do_lstmt_launch(Ctx *c, void *ud)
{
    (void)c;
    KernelArgs *k = ud;
    Ex grid[MaxLaunchDim + 1];
    for (int i = 0; i < k->n; i++)
        grid[i] = val_ex(k->lp, &k->grid[i], DTi32);
    k->s = s_launch(k->lp->p, grid, k->n, k->threads, k->nthread, k->names.name);
}

int clamp32(lua_Integer v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int)v;
}

/* Integers of the list at i, at most max + 1 (one too many is reported by the
 * core).  A number is a list of one. */
static int read_ints(lua_State *L, int i, int32_t *v, int max)
{
    if (lua_type(L, i) != LUA_TTABLE) {
        v[0] = clamp32(luaL_checkinteger(L, i));
        return 1;
    }
    int n = (int)luaL_len(L, i);
    if (n > max + 1)
        n = max + 1;
    for (int j = 0; j < n; j++) {
        lua_rawgeti(L, i, j + 1);
        v[j] = clamp32(luaL_checkinteger(L, -1));
        lua_pop(L, 1);
    }
    return n;
}

/* A value that counts something: a float with an integral value will do. */
static void check_count(lua_State *L, int i, LuaVal *v)
{
    check_val(L, i, v);
    if (v->kind == VALfloat && lua_tointegerx(L, i, NULL) == v->f)
        *v = (LuaVal){.kind = VALint, .i = lua_tointeger(L, i)};
}

/* launch(P, names, threads, grid...) -> a block index for each dimension */
static int f_lstmt_launch(lua_State *L)
{
    KernelArgs k = {.lp = check_prog(L, 1)};
    read_names(L, 2, &k.names);
    k.nthread = read_ints(L, 3, k.threads, MaxLaunchDim);
    k.n = lua_gettop(L) - 3;
    if (k.n > MaxLaunchDim + 1)
        k.n = MaxLaunchDim + 1;
    for (int i = 0; i < k.n; i++)
        check_count(L, 4 + i, &k.grid[i]);
    ir_run_at(L, k.lp, do_lstmt_launch, &k, true, "Kernel");
    for (int i = 0; i < k.n; i++)
        push_var(L, k.lp, k.s->launch.block[i]);
    return k.n;
}

/* The launch whose body is open, or NULL. */
Stmt *ir_launch(const Prog *p)
{
    for (uint32_t i = p->nframe; i; i--)
        if (p->frame[i - 1]->kind == Slaunch)
            return p->frame[i - 1];
    return NULL;
}

/* bindings(P, "block" or "thread") -> list of variables, list of extents; nil
 * outside of a launch */
static int f_bindings(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    bool thread = strcmp(luaL_checkstring(L, 2), "thread") == 0;
    const Stmt *s = ir_launch(lp->p);
    if (!s)
        return 0;
    int n = thread ? s->launch.nthread : s->launch.n;
    lua_createtable(L, n, 0);
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        push_var(L, lp, thread ? s->launch.thread[i] : s->launch.block[i]);
        lua_rawseti(L, -3, i + 1);
        if (thread)
            lua_pushinteger(L, s->launch.threads[i]);
        else
            push_value(L, lp, s->launch.grid[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 2;
}

/* swizzle(P, panel, order): T.use_swizzle of the open launch */
static int f_swizzle(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    Stmt *s = ir_launch(lp->p);
    if (!s)
        ir_fail(L, "outside_kernel", "T.use_swizzle", NULL);
    s->launch.panel = clamp32(luaL_checkinteger(L, 2));
    s->launch.order = (uint8_t)luaL_checkinteger(L, 3);
    return 0;
}

/* residency(P, blocks, producer, consumer, keep): what the open launch says of blocks on a multiprocessor and of
 * registers; nil: nothing new */
static int f_residency(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    Stmt *s = ir_launch(lp->p);
    luaL_argcheck(L, s, 1, "no open launch");
    s->launch.blocks = (uint8_t)luaL_optinteger(L, 2, s->launch.blocks);
    for (int i = 0; i < 2; i++)
        s->launch.regs[i] = (uint16_t)luaL_optinteger(L, 3 + i, s->launch.regs[i]);
    s->launch.keep_regs |= (uint8_t)lua_toboolean(L, 5);
    return 0;
}

/* cluster(P, {x, y, z}): blocks of a cluster of the open launch */
static int f_cluster(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    Stmt *s = ir_launch(lp->p);
    int32_t v[MaxLaunchDim + 1];
    int n = read_ints(L, 2, v, MaxLaunchDim);
    luaL_argcheck(L, s && n <= MaxLaunchDim, 2, "no open launch, or too many dimensions");
    for (int i = 0; i < n; i++)
        s->launch.cluster[i] = (uint8_t)v[i];
    return 0;
}

/* clusterdims(P) -> x, y, z of the open launch */
static int f_clusterdims(lua_State *L)
{
    const Stmt *s = ir_launch(check_prog(L, 1)->p);
    for (int i = 0; i < MaxLaunchDim; i++)
        lua_pushinteger(L, s && s->launch.cluster[i] ? s->launch.cluster[i] : 1);
    return MaxLaunchDim;
}

typedef struct RoleArgs {
    Prog *p;
    int32_t lo, hi;
    const char *name;
} RoleArgs;

static void do_role(Ctx *c, void *ud)
{
    (void)c;
    RoleArgs *k = ud;
    s_role(k->p, k->lo, k->hi, k->name);
}

/* role(P, lo, hi [, name]): opens what the threads lo .. hi - 1 do */
static int f_role(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    RoleArgs k = {lp->p, clamp32(luaL_checkinteger(L, 2)), clamp32(luaL_checkinteger(L, 3)),
                  luaL_optstring(L, 4, NULL)};
    ir_run_at(L, lp, do_role, &k, true, "ws|WarpSpecialize");
    return 0;
}

/* Loops and branches ---------------------------------------------------- */

typedef struct For {
    LProg *lp;
    enum ForKind kind;
    LuaVal lo[MaxLoop], hi[MaxLoop], step;
    int n;
    StmtNames names;
    Stmt *s;
} For;

static void do_for(Ctx *c, void *ud)
{
    (void)c;
    For *f = ud;
    Prog *p = f->lp->p;
    Ex lo[MaxLoop], hi[MaxLoop], step = 0;
    for (int i = 0; i < f->n; i++) {
        lo[i] = val_ex(f->lp, &f->lo[i], val_type(&f->hi[i]));
        hi[i] = val_ex(f->lp, &f->hi[i], val_type(&f->lo[i]));
    }
    if (f->step.kind)
        step = val_ex(f->lp, &f->step, DTi32);
    else if (f->kind == Fserial || f->kind == Funroll)
        step = x_int(p, DTi32, 1);
    p->own = f->step.own || vals_own(f->lo, f->n) || vals_own(f->hi, f->n);
    f->s = s_for(p, f->kind, lo, hi, f->n, step, f->names.name);
}

static enum ForKind check_for(lua_State *L, int i)
{
    const char *s = luaL_checkstring(L, i);
    for (int k = 1; k < NFor; k++)
        if (strcmp(forname[k], s) == 0)
            return (enum ForKind)k;
    luaL_argerror(L, i, "unknown kind of loop");
    return Fnone;
}

/* What stands in the user's line for a loop that its iterator opens. */
static const char *const words[NFor] = {
    [Fserial] = "serial|Serial|grid|Persistent|for", [Funroll] = "unroll|Unroll",
    [Fvectorized] = "vectorized|Vectorized",        [Fparallel] = "Parallel",
    [Fpipelined] = "Pipelined",
};

/* loop(P, kind, names, step or nil, lo, hi, lo, hi, ...) -> variables */
static int f_loop(lua_State *L)
{
    For f = {.lp = check_prog(L, 1), .kind = check_for(L, 2)};
    read_names(L, 3, &f.names);
    if (!lua_isnoneornil(L, 4))
        check_count(L, 4, &f.step);
    f.n = (lua_gettop(L) - 4) / 2;
    if (f.n > MaxLoop)
        ir_failn(L, "loop_dims", forname[f.kind], f.n, MaxLoop);
    for (int i = 0; i < f.n; i++) {
        check_count(L, 5 + 2 * i, &f.lo[i]);
        check_count(L, 6 + 2 * i, &f.hi[i]);
    }
    ir_run_at(L, f.lp, do_for, &f, true, words[f.kind]);
    for (int i = 0; i < f.n; i++)
        push_var(L, f.lp, f.s->loop.var[i]);
    return f.n;
}

typedef struct PipelineArgs {
    Prog *p;
    Stmt *s;
    const int32_t *order, *stage; /* of each statement of the loop */
    int norder, nstage;
} PipelineArgs;

/* The list at i, or one number; its memory stays on the stack.  *n: how many. */
static const int32_t *read_list(lua_State *L, int i, int *n)
{
    lua_Integer len = lua_istable(L, i) ? luaL_len(L, i) : 1;
    len = len < 0 ? 0 : len > INT32_MAX / 4 ? INT32_MAX / 4 : len;
    int32_t *v = lua_newuserdatauv(L, ((size_t)len + 1) * sizeof *v, 0);
    *n = read_ints(L, i, v, (int)len);
    return v;
}

static const int32_t *keep_ints(Ctx *c, const int32_t *v, int n)
{
    int32_t *to = anew(c, (size_t)(n ? n : 1) * sizeof *to);
    memcpy(to, v, (size_t)n * sizeof *to);
    return to;
}

static void do_pipeline(Ctx *c, void *ud)
{
    PipelineArgs *k = ud;
    if (k->norder)
        k->s->loop.order = keep_ints(c, k->order, k->norder);
    if (k->nstage)
        k->s->loop.stage = keep_ints(c, k->stage, k->nstage);
    k->s->loop.norder = (uint32_t)k->norder;
    k->s->loop.nstage = (uint32_t)k->nstage;
}

/* pipeline(P, num_stages, unroll, order, stage): of the innermost loop */
static int f_pipeline(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    Prog *p = lp->p;
    PipelineArgs k = {.p = p, .s = p->nframe ? p->frame[p->nframe - 1] : NULL};
    luaL_argcheck(L, k.s && k.s->kind == Sfor, 1, "no open loop");
    k.s->loop.num_stages = clamp32(luaL_optinteger(L, 2, 0));
    k.s->loop.unroll = clamp32(luaL_optinteger(L, 3, 0));
    if (!lua_isnoneornil(L, 4))
        k.order = read_list(L, 4, &k.norder);
    if (!lua_isnoneornil(L, 5))
        k.stage = read_list(L, 5, &k.nstage);
    ir_run_expr(L, lp, do_pipeline, &k);
    return 0;
}

typedef struct IfCond {
    LProg *lp;
    LuaVal v;
    enum StmtKind kind;
    const char *text;
} IfCond;

static void do_cond(Ctx *c, void *ud)
{
    (void)c;
    IfCond *k = ud;
    Prog *p = k->lp->p;
    Ex e = val_ex(k->lp, &k->v, DTbool);
    p->own = k->v.own;
    switch (k->kind) {
    case Sif: s_if(p, e); break;
    case Swhile: s_while(p, e); break;
    default: s_check(p, k->kind, e, k->text); break;
    }
}

static int cond(lua_State *L, enum StmtKind kind)
{
    IfCond k = {.lp = check_prog(L, 1), .kind = kind, .text = luaL_optstring(L, 3, NULL)};
    check_val(L, 2, &k.v);
    LuaVal v[2] = {k.v, {.kind = VALexpr, .owner = k.lp}};
    val_prog(L, v, 2);
    ir_run(L, k.lp, do_cond, &k);
    return 0;
}

static int f_if(lua_State *L) { return cond(L, Sif); }
static int f_while(lua_State *L) { return cond(L, Swhile); }
static int f_assert(lua_State *L) { return cond(L, Sassert); }
static int f_assume(lua_State *L) { return cond(L, Sassume); }

typedef struct Plain {
    Prog *p;
    void (*f)(Prog *);
} Plain;

static void do_plain(Ctx *c, void *ud)
{
    (void)c;
    Plain *k = ud;
    k->f(k->p);
}

static int add_statement(lua_State *L, void (*f)(Prog *))
{
    LProg *lp = check_prog(L, 1);
    Plain k = {lp->p, f};
    ir_run(L, lp, do_plain, &k);
    return 0;
}

static int f_else(lua_State *L) { return add_statement(L, s_else); }
static int f_lstmt_close(lua_State *L) { return add_statement(L, s_close); }
static int f_break(lua_State *L) { return add_statement(L, s_break); }
static int f_continue(lua_State *L) { return add_statement(L, s_continue); }

/* depth(P) -> number of open loops and branches; frames(P): with launches */
static int f_depth(lua_State *L)
{
    const Prog *p = check_prog(L, 1)->p;
    lua_Integer n = 0;
    for (uint32_t i = 0; i < p->nframe; i++)
        n += p->frame[i]->kind != Slaunch;
    lua_pushinteger(L, n);
    return 1;
}

static int f_frames(lua_State *L)
{
    lua_pushinteger(L, check_prog(L, 1)->p->nframe);
    return 1;
}

/* loops(P [, from, to]) -> number of open loops; among those frames that depth() counts, behind the first `from`
 * and up to the first `to` */
static int f_loops(lua_State *L)
{
    const Prog *p = check_prog(L, 1)->p;
    lua_Integer from = luaL_optinteger(L, 2, 0), to = luaL_optinteger(L, 3, UINT32_MAX), n = 0, depth = 0;
    for (uint32_t i = 0; i < p->nframe; i++) {
        depth += p->frame[i]->kind != Slaunch;
        n += (p->frame[i]->kind == Sfor || p->frame[i]->kind == Swhile) && depth > from && depth <= to;
    }
    lua_pushinteger(L, n);
    return 1;
}

/* nest(P) -> a text for each frame that is open, outermost first, the same as long as it and, of a
 * branch, that side of it is */
static int f_nest(lua_State *L)
{
    const Prog *p = check_prog(L, 1)->p;
    lua_createtable(L, (int)p->nframe, 0);
    for (uint32_t i = 0; i < p->nframe; i++) {
        const Stmt *s = p->frame[i];
        bool branch = s->kind == Sif, other = branch && (s->cond.els || p->tail[i + 1] == &s->cond.els);
        lua_pushfstring(L, "%p%s", (const void *)s, other ? " else" : "");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* extern(P) -> does it bring C of its own? */
static int f_extern(lua_State *L)
{
    lua_pushboolean(L, prog_extern(check_prog(L, 1)->p));
    return 1;
}

/* within(P, kind) -> is a loop of this kind open? */
static int f_within(lua_State *L)
{
    const Prog *p = check_prog(L, 1)->p;
    enum ForKind k = check_for(L, 2);
    bool in = false;
    for (uint32_t i = 0; i < p->nframe; i++)
        in = in || (p->frame[i]->kind == Sfor && p->frame[i]->loop.kind == k);
    lua_pushboolean(L, in);
    return 1;
}

/* Bindings ------------------------------------------------------------- */

typedef struct Let {
    LProg *lp;
    const char *name;
    LuaVal v;
    bool always;
    Ex e;
} Let;

enum { InlineNodes = 24 }; /* of an index expression that stays unnamed */

/* Index arithmetic stays as it is, so that equal indices remain equal; what
 * reads memory is read now, and what is long is computed once. */
static bool inlined(const Prog *p, Ex e)
{
    const Expr *x = ex_at(p, e);
    if (x->n == 0)
        return x->op != Xcall; /* T.activemask: of those who are here now */
    return dtypeinfo[x->dt].cls != 'F' && x_pure(p, e) && x->size < InlineNodes;
}

static void do_let(Ctx *c, void *ud)
{
    (void)c;
    Let *k = ud;
    Prog *p = k->lp->p;
    Ex e = val_ex(k->lp, &k->v, DTnone);
    k->e = !k->always && inlined(p, e) ? e : x_var(p, s_let(p, k->name, e));
    if (k->e == e && ex_at(p, e)->op == Xvar)
        p_name_thread(p, ex_at(p, e)->sym, k->name);
}

/* let(P, name, v [, always]) -> what stands for v from now on */
static int f_let(lua_State *L)
{
    Let k = {.lp = check_prog(L, 1), .name = luaL_checkstring(L, 2), .always = lua_toboolean(L, 4)};
    const LRef *r = luaL_testudata(L, 3, REF_TYPE);
    if (r && (r->slice || r->n < r->ndim || r->let ||
              r->owner->p->buf[r->r.buf].scope == SCbarrier)) {
        lua_settop(L, 3);
        return 1; /* a region, or a barrier, under a name */
    }
    check_val(L, 3, &k.v);
    if (k.v.owner && k.v.owner->host) {
        lua_settop(L, 3);
        return 1;
    }
    LuaVal v[2] = {k.v, {.kind = VALexpr, .owner = k.lp}};
    val_prog(L, v, 2);
    ir_run_expr(L, k.lp, do_let, &k);
    if (r && ex_at(k.lp->p, k.e)->op == Xvar) {
        LRef *to = lua_newuserdatauv(L, sizeof *to, 1);
        *to = *r;
        to->let = ex_at(k.lp->p, k.e)->sym;
        set_owner(L, k.lp);
        luaL_setmetatable(L, REF_TYPE);
    } else {
        push_made(L, k.lp, k.e, &k.v, 1);
    }
    return 1;
}

typedef struct Alloc {
    LBuf *b;
    LuaVal v;
} Alloc;

static void do_alloc(Ctx *c, void *ud)
{
    (void)c;
    Alloc *a = ud;
    Prog *p = a->b->owner->p;
    enum Dtype dt = (enum Dtype)p->buf[a->b->buf].dt;
    p->own = a->v.own;
    s_alloc(p, a->b->buf, a->v.kind ? val_ex(a->b->owner, &a->v, dt) : 0);
}

/* alloc(buffer [, init]) */
static int f_alloc(lua_State *L)
{
    Alloc a = {.b = check_buf(L, 1)};
    if (!lua_isnoneornil(L, 2)) {
        check_val(L, 2, &a.v);
        LuaVal v[2] = {a.v, {.kind = VALexpr, .owner = a.b->owner}};
        val_prog(L, v, 2);
    }
    ir_run(L, a.b->owner, do_alloc, &a);
    return 0;
}

/* Finishing ------------------------------------------------------------- */

typedef struct Sweep {
    Prog *p;
    bool *ex, *var; /* seen, used */
} Sweep;

static ExGo mark_used(void *ud, Ex e)
{
    Sweep *s = ud;
    const Expr *x = ex_at(s->p, e);
    if (s->ex[e])
        return EXskip;
    s->ex[e] = true;
    if (x->op == Xvar)
        s->var[x->sym] = true;
    return EXinto;
}

static bool mark_stmt(Stmt *st, void *ud)
{
    Sweep *s = ud;
    return st->kind == Slet || stmt_ex_walk(s->p, st, mark_used, s);
}

static bool set_aside(void *ud, const MemEffect *e)
{
    Sweep *s = ud;
    s->p->buf[e->root].aside = true;
    return true;
}

/* An arm that never runs: for another size it may, and its buffers are no unused ones. */
static bool never_run(Stmt *st, void *ud)
{
    Sweep *s = ud;
    return stmt_effects(s->p, st, set_aside, s);
}

/* Puts the statements of an arm in place of the branch that *at is. */
static void splice(Stmt **at, Stmt *arm)
{
    Stmt *next = (*at)->next;
    *at = arm ? arm : next;
    while (arm && arm->next)
        arm = arm->next;
    if (arm)
        arm->next = next;
}

static bool speaks_of_thread(void *ud, Ex e)
{
    const Prog *p = ud;
    const Expr *x = ex_at(p, e);
    return x->op == Xvar && p->var[x->sym].kind == Vthread;
}

/* Does a break or continue of the loop around stand where the thread decides? */
static bool leaves_own(const Stmt *s, bool own)
{
    for (; s; s = s->next) {
        if ((s->kind == Sbreak || s->kind == Scontinue) && own)
            return true;
        if (s->kind == Sif && (leaves_own(s->cond.then, own || s->own) ||
                               leaves_own(s->cond.els, own || s->own)))
            return true;
    }
    return false;
}

/* A private variable gets a value of each thread's own, of which only Stmt.own tells. */
static bool stores_own(Prog *p, const Stmt *s, bool gone)
{
    uint32_t b = s->kind == Sstore ? s->store.buf : s->alloc.buf;
    Ex e = s->kind == Sstore ? s->store.value : s->alloc.init;
    bool is = p->buf[b].scope == SCvar || p->buf[b].scope == SClocal;
    return is && e && (gone || (s->own && !ex_any_let(p, e, speaks_of_thread, p)));
}

/* Stmt.own from what each statement was given to what it says of a whole one.  own: a condition
 * around speaks of the thread; gone: one that is decided, and will not be there. */
static void settle_own(Prog *p, Stmt *s, bool own, bool gone)
{
    for (; s; s = s->next) {
        Stmt *block[2];
        bool said = s->own, out = gone;
        if (s->kind == Satomic)
            s->own |= own;
        else
            s->own = (s->kind == Sstore || s->kind == Salloc) && stores_own(p, s, gone);
        if (s->kind == Sfor && s->loop.kind == Fparallel)
            continue; /* whose iterations count */
        if (s->kind == Sif)
            out |= said && ex_at(p, s->cond.cond)->op == Xint;
        else if (s->kind == Sfor)
            said |= leaves_own(s->loop.body, false);
        else if (s->kind == Swhile)
            said |= leaves_own(s->whil.body, false);
        for (int i = 0, n = stmt_blocks(s, block); i < n; i++)
            settle_own(p, block[i], own || said, out);
    }
}

static bool not_own(Stmt *s, void *ud)
{
    (void)ud;
    s->own = false;
    return true;
}

/* In parallel loops nothing is anyone's own. */
static bool settle_parallel(Stmt *s, void *ud)
{
    if (s->kind == Sfor && s->loop.kind == Fparallel)
        stmt_walk(s->loop.body, not_own, ud);
    return true;
}

static void sweep_unused(Sweep *s, Stmt **at)
{
    while (*at) {
        Stmt *st = *at, *block[2];
        if (st->kind == Slet && !s->var[st->let.var] && !x_extern_does(s->p, s->p->var[st->let.var].value)) {
            *at = st->next;
            continue;
        }
        if (st->kind == Sif && ex_at(s->p, st->cond.cond)->op == Xint) {
            bool yes = ex_at(s->p, st->cond.cond)->i != 0;
            stmt_walk(yes ? st->cond.els : st->cond.then, never_run, s);
            splice(at, yes ? st->cond.then : st->cond.els);
            continue;
        }
        if (stmt_blocks(st, block)) {
            if (st->kind == Slaunch)
                sweep_unused(s, &st->launch.body);
            else if (st->kind == Sfor)
                sweep_unused(s, &st->loop.body);
            else if (st->kind == Swhile)
                sweep_unused(s, &st->whil.body);
            else if (st->kind == Sif)
                sweep_unused(s, &st->cond.then), sweep_unused(s, &st->cond.els);
            else if (st->kind == Srole)
                sweep_unused(s, &st->role.body);
        }
        at = &st->next;
    }
}

static void do_sweep(Ctx *c, void *ud)
{
    Sweep *s = ud;
    prog_extern_used(s->p);
    s->ex = anew(c, s->p->nex * sizeof *s->ex);
    s->var = anew(c, s->p->nvar * sizeof *s->var);
    stmt_walk(s->p->body, mark_stmt, s);
    for (uint32_t v = s->p->nvar; v-- > 1;) /* a value names only older variables */
        if (s->var[v] && s->p->var[v].kind == Vlet && s->p->var[v].value)
            ex_walk(s->p, s->p->var[v].value, mark_used, s);
    settle_own(s->p, s->p->body, false, false);
    stmt_walk(s->p->body, settle_parallel, NULL);
    sweep_unused(s, &s->p->body);
}

/* sweep(P): drops bindings that nothing reads, such as an origin's value, and
 * branches whose condition is known */
static int f_sweep(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    Sweep s = {.p = lp->p};
    ir_run_expr(L, lp, do_sweep, &s);
    return 0;
}

const luaL_Reg stmt_functions[] = {
    {"launch", f_lstmt_launch},   {"bindings", f_bindings}, {"swizzle", f_swizzle},
    {"residency", f_residency},
    {"cluster", f_cluster}, {"clusterdims", f_clusterdims}, {"role", f_role},
    {"loop", f_loop},       {"pipeline", f_pipeline}, {"if_", f_if},
    {"else_", f_else},      {"while_", f_while},      {"close", f_lstmt_close},
    {"break_", f_break},    {"continue_", f_continue}, {"depth", f_depth},
    {"frames", f_frames},   {"nest", f_nest},   {"within", f_within},     {"let", f_let},
    {"alloc", f_alloc},     {"assert", f_assert},
    {"assume", f_assume},   {"sweep", f_sweep},     {"extern", f_extern}, {"loops", f_loops},
    {NULL, NULL},
};
