/* lua/seam/session.c: device sessions (moontile.session).
 *
 *   s = session.open("cpu -threads=4")
 *   m = s:load(path, "matmul", "@gemm.lua", {false, false, true})
 *   ms, output = s:launch(m, {A, B, C, 1024}, {warmup = 3, times = 10, flush = true})
 *   ms, mhz = s:bench({m, other}, {{{A, B, C, 1024}, {A, B, C}}}, {rounds = 50})
 *
 * What may be half done when an error is raised hangs on the session's
 * userdata, where the next call or the collector finds it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/device/proto.h"
#include "core/device/session.h"
#include "core/device/worker.h"
#include "ir.h"
#include "seam.h"
#include "err/run.h"
#include "err/target.h"

enum { MaxTimes = 1000000, MaxModules = 64, MaxLists = 4096 };

typedef struct LSession LSession;
struct LSession {
    Session *s; /* NULL: closed */
    lua_State *L; /* the main thread */
    pthread_t thread; /* that runs it */
    Ctx ctx;    /* messages of the last call */
    Str text;   /* output of the last call */
};

static LSession *check_any(lua_State *L) { return luaL_checkudata(L, 1, SESSION_TYPE); }

/* Fresh messages for a new call; the session must be open. */
static LSession *check_session(lua_State *L)
{
    LSession *u = check_any(L);
    ctx_free(&u->ctx);
    ctx_init(&u->ctx, NULL, 0);
    str_free(&u->text);
    if (!u->s) {
        Diag closed = {.err = E_session_closed};
        u->ctx.diags = &closed;
        u->ctx.nerror = 1;
        diag_push(L, &u->ctx, Lerror); /* copies */
        u->ctx.diags = NULL;
        lua_error(L);
    }
    return u;
}

/* Opening ---------------------------------------------------------------- */

/* SessionHooks.reclaim: tensors that nobody refers to take memory of the device. */
static void reclaim(void *ud)
{
    const LSession *u = ud;
    lua_gc(u->L, LUA_GCCOLLECT);
}

/* Messages of a device; its errors are left out where they are the answer itself. */
static void lsession_show(const LSession *u, const Ctx *c, bool errors)
{
    Str text = {0};
    for (const Diag *d = c->diags; d; d = d->next)
        if (errors || err_info(d->err)->level != Lerror)
            diag_render(&text, c, d, diag_getlang(u->L), false, NULL, NULL);
    if (text.s)
        fputs(text.s, stderr);
    str_free(&text);
}

/* Says the warnings and notes of a call that went well, with their lines, and pushes the first
 * warning about a line, or nil.  What errors it has are the answer itself. */
static void push_warnings(lua_State *L, const LSession *u)
{
    lua_pushnil(L);
    for (const Diag *d = u->ctx.diags; d; d = d->next) {
        Ctx one = u->ctx;
        Diag alone = *d;
        alone.next = NULL;
        one.diags = &alone;
        if (err_info(d->err)->level == Lerror || !diag_push(L, &one, Lnote))
            continue;
        fprintf(stderr, "%s\n", luaL_tolstring(L, -1, NULL));
        lua_pop(L, 1);
        if (lua_isnil(L, -2) && err_info(d->err)->level == Lwarning && d->loc.line)
            lua_replace(L, -2);
        else
            lua_pop(L, 1);
    }
}

/* Contents that a read wanted and that no device gives back: the read has no way to fail,
 * so its Lua code does, at its next instruction. */
static const char late_key; /* of the registry: the error */

typedef struct Late Late;
struct Late { lua_Hook hook; int mask, count; }; /* what was there before */

static int late_push(lua_State *L)
{
    const Ctx *c = lua_touserdata(L, 1);
    Late *l = lua_newuserdatauv(L, sizeof *l, 1);
    *l = (Late){lua_gethook(L), lua_gethookmask(L), lua_gethookcount(L)};
    lua_pushcfunction(L, message_handler); /* the line that reads, while it is known */
    if (!diag_push(L, c, Lerror))
        return luaL_error(L, "no error in it");
    lua_call(L, 1, 1);
    lua_setiuservalue(L, -2, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &late_key);
    return 0;
}

static void late_hook(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &late_key);
    const Late *l = lua_touserdata(L, -1);
    if (!l) { /* raised already, in the thread that this one is a copy of */
        lua_sethook(L, NULL, 0, 0);
        lua_pop(L, 1);
        return;
    }
    lua_sethook(L, l->hook, l->mask, l->count);
    lua_getiuservalue(L, -1, 1);
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &late_key);
    lua_error(L);
}

void session_inherit(lua_State *L, lua_State *co)
{
    if (lua_gethook(co) != late_hook)
        return;
    lua_sethook(co, NULL, 0, 0);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &late_key);
    Late *l = lua_touserdata(L, -1);
    if (l) {
        *l = (Late){lua_gethook(L), lua_gethookmask(L), lua_gethookcount(L)};
        lua_sethook(L, late_hook, LUA_MASKCOUNT, 1);
    }
    lua_pop(L, 1);
}

/* SessionHooks.warn: called inside a read, perhaps by a thread of ours, perhaps when no Lua
 * code is there any more. */
static void warn(void *ud, const Ctx *c)
{
    const LSession *u = ud;
    lua_Debug ar;
    bool ours = pthread_equal(u->thread, pthread_self()) && c->nerror && lua_checkstack(u->L, 4);
    lua_State *L = ours ? api_running(u->L) : u->L;
    bool reads = ours && lua_getstack(L, 0, &ar) && lua_gethook(L) != late_hook &&
                 lua_checkstack(L, 4);
    if (reads) {
        lua_pushcfunction(L, late_push);
        lua_pushlightuserdata(L, (void *)(uintptr_t)c);
        reads = lua_pcall(L, 1, 0, 0) == LUA_OK;
        if (!reads)
            lua_pop(L, 1);
    }
    if (reads)
        lua_sethook(L, late_hook, LUA_MASKCOUNT, 1);
    else
        lsession_show(u, c, true);
}

/* SessionHooks.progress: one line on the terminal, rewritten. */
static void progress(void *ud, const DevMessage *m)
{
    const LSession *u = ud;
    const char *term = getenv("TERM");
    Diag d = {.err = m ? m->is : E_none};
    Str line = {0};
    if (!isatty(STDERR_FILENO) || !term || strcmp(term, "dumb") == 0)
        return;
    if (m)
        memcpy(d.arg, m->arg, sizeof d.arg);
    str_puts(&line, "\r\33[K");
    enum Lang lang = diag_getlang(u->L);
    if (d.err != E_none)
        diag_text(&line, &d, err_info(d.err)->title[lang], lang);
    if (!line.bad)
        fputs(line.s, stderr);
    fflush(stderr);
    str_free(&line);
}

typedef struct Unknown Unknown;
struct Unknown { const char *spec; Str known; };

static void report_unknown(Ctx *c, void *ud)
{
    const Unknown *k = ud;
    diag(c, E_target_unknown, (Loc){0, 0, 0}, k->spec, k->known.s ? k->known.s : "", NULL);
}

/* open(target [, options]): target "cpu -threads=1" may hold the options. */
static int f_lsession_open(lua_State *L)
{
    const char *spec = luaL_checkstring(L, 1), *options = luaL_optstring(L, 2, spec);
    const Target *t = target_find(spec);
    LSession *u = lua_newuserdatauv(L, sizeof *u, 0);
    memset(u, 0, sizeof *u);
    ctx_init(&u->ctx, NULL, 0);
    luaL_setmetatable(L, SESSION_TYPE);
    if (!t) {
        Unknown k = {.spec = spec};
        for (const Target *const *p = targets; *p; p++)
            str_fmt(&k.known, "%s%s", p == targets ? "" : ", ", (*p)->name);
        ctx_try(&u->ctx, report_unknown, &k);
        str_free(&k.known);
    } else {
        u->s = session_open(&u->ctx, t, options);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
    u->L = lua_tothread(L, -1);
    u->thread = pthread_self();
    lua_pop(L, 1);
    if (u->s)
        session_hooks(u->s, &(SessionHooks){.reclaim = reclaim, .warn = warn, .ud = u,
                                            .progress = progress});
    return u->s ? 1 : diag_raise(L, &u->ctx);
}

static int f_lsession_close(lua_State *L)
{
    LSession *u = check_any(L);
    session_close(u->s);
    u->s = NULL;
    ctx_free(&u->ctx);
    ctx_init(&u->ctx, NULL, 0);
    str_free(&u->text);
    return 0;
}

/* Modules ---------------------------------------------------------------- */

/* reads: arguments that the kernel does not write to. */
typedef struct LModule LModule;
struct LModule {
    Module *m;
    int n;                 /* arguments of which something is known */
    struct LKnown { bool reads, writes; uint32_t group; } *arg;
};

/* {group, ..} at the top of the stack, or nil: see LaunchArg.group */
static void get_groups(lua_State *L, LModule *m)
{
    for (int k = 0; lua_istable(L, -1) && k < m->n && lua_geti(L, -1, k + 1) != LUA_TNIL; k++) {
        m->arg[k].group = (uint32_t)lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
}

/* {true or false, .., together = {group, ..}} at stack index i: is the argument written to? */
static void get_written(lua_State *L, int i, LModule *m)
{
    int module = lua_gettop(L); /* which keeps it */
    if (lua_isnoneornil(L, i))
        return;
    luaL_checktype(L, i, LUA_TTABLE);
    int top = lua_gettop(L);
    lua_Unsigned n = lua_rawlen(L, i);
    m->n = n < LaunchArgs ? (int)n : LaunchArgs;
    m->arg = lua_newuserdatauv(L, ((size_t)m->n + 1) * sizeof *m->arg, 0);
    memset(m->arg, 0, ((size_t)m->n + 1) * sizeof *m->arg);
    lua_setiuservalue(L, module, 2);
    lua_getfield(L, i, "together");
    get_groups(L, m);
    lua_settop(L, top);
    for (int k = 0; k < m->n && lua_geti(L, i, k + 1) != LUA_TNIL; k++) {
        m->arg[k].writes = lua_toboolean(L, -1);
        m->arg[k].reads = !m->arg[k].writes;
        lua_pop(L, 1);
    }
}

/* The list at i, if there is one: what ir.asserts() gave. */
static void get_asserts(lua_State *L, int i, Module *m)
{
    for (lua_Integer k = 1; lua_istable(L, i) && lua_geti(L, i, k) != LUA_TNIL; k++) {
        lua_getfield(L, -1, "line");
        lua_getfield(L, -2, "chunk");
        lua_getfield(L, -3, "text");
        module_assert(m, (uint32_t)lua_tointeger(L, -3), luaL_checkstring(L, -2), luaL_checkstring(L, -1));
        lua_pop(L, 4);
    }
}

/* load(path, name [, chunk [, written [, asserts [, P]]]]) -> module; chunk is where the kernel
 * stands; written, a list by argument: which of them it writes to.  Those that it
 * does not name count as written.  P: its program, for the time that it may take. */
static int f_lsession_load(lua_State *L)
{
    LSession *u = check_session(L);
    const char *path = luaL_checkstring(L, 2), *name = luaL_checkstring(L, 3);
    const char *chunk = luaL_optstring(L, 4, NULL);
    lua_settop(L, 7);
    const LProg *of = lua_isnil(L, 7) ? NULL : check_prog(L, 7);
    LModule *m = lua_newuserdatauv(L, sizeof *m, 3);
    *m = (LModule){0};
    get_written(L, 5, m);
    lua_settop(L, 8);
    luaL_setmetatable(L, MODULE_TYPE);
    lua_pushvalue(L, 1); /* a module keeps its session and its program */
    lua_setiuservalue(L, -2, 1);
    lua_pushvalue(L, 7);
    lua_setiuservalue(L, -2, 3);
    m->m = session_load(u->s, &u->ctx, path, name);
    if (!m->m)
        return diag_raise(L, &u->ctx);
    module_source(m->m, chunk);
    module_program(m->m, of ? of->p : NULL);
    get_asserts(L, 6, m->m);
    lua_settop(L, 8);
    return 1;
}

static int f_module_gc(lua_State *L)
{
    LModule *m = luaL_checkudata(L, 1, MODULE_TYPE);
    if (m->m)
        module_free(m->m);
    m->m = NULL;
    return 0;
}

/* Launching -------------------------------------------------------------- */

/* {value, dtype} at the top of the stack */
static void get_typed(lua_State *L, int i, LaunchArg *a)
{
    lua_geti(L, -1, 1);
    lua_geti(L, -2, 2);
    const char *name = lua_tostring(L, -1);
    a->dt = name ? dtypebyname(name) : DTnone;
    if (a->dt == DTnone)
        luaL_error(L, "argument %d: the second field is not a dtype", i);
    if (lua_isboolean(L, -2)) {
        a->i = lua_toboolean(L, -2);
        a->f = (double)a->i;
    } else if (lua_isinteger(L, -2)) {
        a->i = (int64_t)lua_tointeger(L, -2);
        a->f = dtypeinfo[a->dt].cls == 'F' ? dtype_roundi(a->dt, a->i) : (double)a->i;
    } else {
        int isnum;
        a->f = (double)lua_tonumberx(L, -2, &isnum);
        if (!isnum)
            luaL_error(L, "argument %d: the first field is not a number", i);
        lua_Integer n;
        a->i = lua_numbertointeger((lua_Number)a->f, &n) ? (int64_t)n : 0;
    }
    lua_pop(L, 2);
}

/* An element of the argument list, at the top of the stack: a tensor, a
 * {value, dtype}, a boolean, an integer (int64) or a float (float64). */
static void get_arg(lua_State *L, int i, LaunchArg *a)
{
    *a = (LaunchArg){0};
    switch (lua_type(L, -1)) {
    case LUA_TUSERDATA:
        a->t = test_tensor(L, lua_gettop(L));
        if (!a->t)
            luaL_error(L, "argument %d is not a tensor", i);
        break;
    case LUA_TTABLE:
        get_typed(L, i, a);
        break;
    case LUA_TBOOLEAN:
        a->dt = DTbool;
        a->i = lua_toboolean(L, -1);
        break;
    case LUA_TNUMBER:
        a->dt = lua_isinteger(L, -1) ? DTi64 : DTf64;
        a->i = (int64_t)lua_tointeger(L, -1);
        a->f = (double)lua_tonumber(L, -1);
        break;
    default:
        luaL_error(L, "argument %d is a %s", i, luaL_typename(L, -1));
    }
}

/* The elements of the list at the top of the stack, which gives way to what keeps them. */
static LaunchArg *lsession_get_args(lua_State *L, const LModule *m, int *n)
{
    lua_Unsigned len = lua_rawlen(L, -1);
    *n = len <= LaunchArgs ? (int)len : LaunchArgs + 1; /* session_launch() says so */
    LaunchArg *arg = lua_newuserdatauv(L, ((size_t)*n + 1) * sizeof *arg, 0);
    lua_insert(L, -2);
    for (int i = 0; i < *n; i++) {
        lua_geti(L, -1, i + 1);
        get_arg(L, i + 1, &arg[i]);
        arg[i].read_only = i < m->n && m->arg[i].reads;
        arg[i].written = i < m->n && m->arg[i].writes;
        arg[i].group = i < m->n ? m->arg[i].group : 0;
        lua_pop(L, 1); /* the list, which the caller has, keeps it alive */
    }
    lua_pop(L, 1);
    return arg;
}

/* A whole number of the options at 4, from 0 to max. */
static int get_count(lua_State *L, const char *name, int max)
{
    if (lua_isnoneornil(L, 4))
        return 0;
    lua_getfield(L, 4, name);
    lua_Integer n = luaL_optinteger(L, -1, 0);
    lua_pop(L, 1);
    if (n < 0 || n > max)
        luaL_error(L, "%s is out of range", name);
    return (int)n;
}

static bool get_flag(lua_State *L, const char *name)
{
    if (lua_isnoneornil(L, 4))
        return false;
    lua_getfield(L, 4, name);
    bool on = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return on;
}

/* Gives what the kernel printed to the option `print`, a function; a kernel
 * that crashed is heard too. */
static void give_output(lua_State *L, const LSession *u)
{
    if (!u->text.n || lua_isnoneornil(L, 4) || lua_getfield(L, 4, "print") == LUA_TNIL)
        return;
    lua_pushlstring(L, u->text.s, u->text.n);
    lua_call(L, 1, 0);
}

static void push_numbers(lua_State *L, const double *v, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, v[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* Raises the errors of a launch, as opts.explain at index 4 gives them back.  An interrupt
 * that has become an error is not raised a second time in there: hooks wait. */
static int raise_explained(lua_State *L, const LSession *u)
{
    if (!diag_push(L, &u->ctx, Lerror))
        return luaL_error(L, "failed without a message");
    if (!lua_istable(L, 4))
        return lua_error(L);
    if (lua_getfield(L, 4, "explain") == LUA_TNIL) {
        lua_pop(L, 1);
    } else {
        lua_Hook hook = lua_gethook(L);
        int mask = lua_gethookmask(L), count = lua_gethookcount(L);
        bool told = u->ctx.diags && u->ctx.diags->err == E_interrupted;
        if (told)
            lua_sethook(L, NULL, 0, 0);
        lua_pushvalue(L, -2);
        lua_call(L, 1, 1);
        if (told)
            lua_sethook(L, hook, mask, count);
    }
    return lua_error(L);
}

/* launch(module, args [, {warmup =, times =, flush =, print =, explain =}])
 * -> {ms, ...} of each timed run, what the kernel printed, what was found; explain(err) -> the error to raise */
static int f_lsession_launch(lua_State *L)
{
    LSession *u = check_session(L);
    const LModule *m = luaL_checkudata(L, 2, MODULE_TYPE);
    int n;
    luaL_checktype(L, 3, LUA_TTABLE);
    luaL_argcheck(L, lua_isnoneornil(L, 4) || lua_istable(L, 4), 4, "table expected");
    lua_settop(L, 4);
    int warmup = get_count(L, "warmup", MaxTimes), times = get_count(L, "times", MaxTimes);
    bool flush = get_flag(L, "flush");
    luaL_argcheck(L, m->m, 2, "the module is closed");
    lua_pushvalue(L, 3);
    const LaunchArg *arg = lsession_get_args(L, m, &n);
    LaunchResult r = {.nms = times};
    if (times)
        r.ms = lua_newuserdatauv(L, (size_t)times * sizeof *r.ms, 0);
    bool ok = session_launch(u->s, &u->ctx, m->m, arg, n, warmup, flush, &r);
    u->text = r.output;
    give_output(L, u);
    if (!ok)
        return raise_explained(L, u);
    push_numbers(L, r.ms, times);
    lua_pushlstring(L, u->text.s ? u->text.s : "", u->text.n);
    push_warnings(L, u);
    return 3;
}

/* Benches ---------------------------------------------------------------- */

/* The modules of the list at 2; raises.  Returns how many. */
static int get_modules(lua_State *L, Module **module, const LModule **of)
{
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_Unsigned n = lua_rawlen(L, 2);
    luaL_argcheck(L, n >= 1 && n <= MaxModules, 2, "1 to 64 modules expected");
    for (int i = 0; i < (int)n; i++) {
        lua_geti(L, 2, i + 1);
        of[i] = luaL_testudata(L, -1, MODULE_TYPE);
        luaL_argcheck(L, of[i] && of[i]->m, 2, "a module of the list is none, or closed");
        module[i] = of[i]->m;
        lua_pop(L, 1); /* the list keeps it alive */
    }
    return (int)n;
}

/* The sets of the list at 3, {{arguments of module 1, ..}, ..}, into *j. */
static void get_sets(lua_State *L, const LModule *const *of, BenchJob *j, int *narg)
{
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_Unsigned nsets = lua_rawlen(L, 3);
    luaL_argcheck(L, nsets >= 1 && nsets * (unsigned)j->n <= MaxLists, 3, "no or too many sets");
    const LaunchArg **list = lua_newuserdatauv(L, nsets * (unsigned)j->n * sizeof *list, 0);
    luaL_checkstack(L, (int)nsets * j->n + 8, "too many sets"); /* which keeps the lists */
    for (int k = 0; k < (int)nsets * j->n; k++) {
        int i = k % j->n;
        lua_geti(L, 3, k / j->n + 1);
        luaL_argcheck(L, lua_istable(L, -1), 3, "a set is no list");
        lua_geti(L, -1, i + 1);
        luaL_argcheck(L, lua_istable(L, -1), 3, "a set has too few argument lists");
        int n;
        list[k] = lsession_get_args(L, of[i], &n);
        luaL_argcheck(L, k < j->n || n == narg[i], 3, "the sets differ in their arguments");
        narg[i] = n;
        lua_remove(L, -2);
    }
    j->set = list;
    j->narg = narg;
    j->nsets = (int)nsets;
}

/* bench({module, ..}, {{{args of module 1}, ..}, ..} [, {warmup =, rounds =, batch =,
 * flush =, chain =, explain =}]) -> {{ms, ..} for each module, ..}, {mhz, ..}: see session_bench(). */
static int f_bench(lua_State *L)
{
    LSession *u = check_session(L);
    Module *module[MaxModules];
    const LModule *of[MaxModules];
    int narg[MaxModules];
    luaL_argcheck(L, lua_isnoneornil(L, 4) || lua_istable(L, 4), 4, "table expected");
    lua_settop(L, 4);
    BenchJob j = {.module = module, .n = get_modules(L, module, of)};
    j.warmup = get_count(L, "warmup", MaxTimes);
    j.rounds = get_count(L, "rounds", MaxTimes);
    j.batch = get_count(L, "batch", MaxTimes);
    j.flush = get_flag(L, "flush");
    j.chain = get_flag(L, "chain");
    j.rounds = j.rounds ? j.rounds : 1;
    get_sets(L, of, &j, narg);
    j.ms = lua_newuserdatauv(L, (size_t)j.n * (size_t)j.rounds * sizeof *j.ms, 0);
    j.mhz = lua_newuserdatauv(L, (size_t)j.rounds * sizeof *j.mhz, 0);
    if (!session_bench(u->s, &u->ctx, &j))
        return raise_explained(L, u);
    push_warnings(L, u);
    lua_createtable(L, j.n, 0);
    for (int i = 0; i < j.n; i++) {
        push_numbers(L, j.ms + i * j.rounds, j.rounds);
        lua_rawseti(L, -2, i + 1);
    }
    push_numbers(L, j.mhz, j.rounds);
    return 2;
}

/* moved() -> bytes that went between host and device so far; nil where they share memory */
static int f_moved(lua_State *L)
{
    const LSession *u = check_session(L);
    if (session_is_apart(u->s))
        lua_pushinteger(L, (lua_Integer)session_moved(u->s));
    else
        lua_pushnil(L);
    return 1;
}

/* What the device knows --------------------------------------------------- */

/* options() -> "cuda -arch=sm_90a -sms=132": what programs are lowered for */
static int f_options(lua_State *L)
{
    LSession *u = check_session(L);
    const char *options = session_options(u->s, &u->ctx);
    if (!options)
        return diag_raise(L, &u->ctx);
    lua_pushstring(L, options);
    return 1;
}

static Module *check_module(lua_State *L)
{
    const LModule *m = luaL_checkudata(L, 2, MODULE_TYPE);
    luaL_argcheck(L, m->m, 2, "the module is closed");
    return m->m;
}

/* prepare(module) -> {regs = 168, spill = 0, ..}: loads it now; see Device.facts */
static int f_prepare(lua_State *L)
{
    LSession *u = check_session(L);
    Module *m = check_module(L);
    if (!session_prepare(u->s, &u->ctx, m, &u->text))
        return diag_raise(L, &u->ctx);
    lua_newtable(L);
    for (const char *s = u->text.s ? u->text.s : ""; *s;) {
        size_t n = strcspn(s, "\n"), name = strcspn(s, " \n");
        size_t skip = name + (name < n);
        lua_pushlstring(L, s, name);
        lua_pushlstring(L, s + skip, n - skip);
        if (lua_stringtonumber(L, lua_tostring(L, -1)))
            lua_remove(L, -2);
        lua_rawset(L, -3);
        s += n + (s[n] == '\n');
    }
    return 1;
}

/* text(module, what) -> path of a file: "ptx", "sass", .. */
static int f_lsession_text(lua_State *L)
{
    LSession *u = check_session(L);
    Module *m = check_module(L);
    if (!session_text(u->s, &u->ctx, m, luaL_checkstring(L, 3), &u->text))
        return diag_raise(L, &u->ctx);
    lua_pushlstring(L, u->text.s ? u->text.s : "", u->text.n);
    return 1;
}

/* The rest --------------------------------------------------------------- */

/* limit([seconds]): of one run; 0 is none, without a number it is as it was opened */
static int f_lsession_limit(lua_State *L)
{
    LSession *u = check_session(L);
    session_limit(u->s, luaL_optnumber(L, 2, -1));
    return 0;
}

static int f_warm(lua_State *L)
{
    session_warm(check_session(L)->s);
    return 0;
}

/* describe() -> {{name, value}, ...} */
static int f_describe(lua_State *L)
{
    LSession *u = check_session(L);
    session_describe(u->s, &u->text);
    lua_newtable(L);
    const char *s = u->text.s ? u->text.s : "";
    for (int i = 1; *s; i++) {
        size_t n = strcspn(s, "\n"), name = strcspn(s, ":\n");
        lua_createtable(L, 2, 0);
        lua_pushlstring(L, s, name);
        lua_rawseti(L, -2, 1);
        size_t skip = name + 2 < n ? name + 2 : n;
        lua_pushlstring(L, s + skip, n - skip);
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, i);
        s += n + (s[n] == '\n');
    }
    return 1;
}

/* pid() of the worker, or nil when none runs */
static int f_pid(lua_State *L)
{
    int pid = session_pid(check_session(L)->s);
    if (pid)
        lua_pushinteger(L, pid);
    else
        lua_pushnil(L);
    return 1;
}

static int f_lsession_tostring(lua_State *L)
{
    const LSession *u = check_any(L);
    if (u->s && session_pid(u->s))
        lua_pushfstring(L, "device session (worker %d)", session_pid(u->s));
    else
        lua_pushstring(L, u->s ? "device session" : "device session (closed)");
    return 1;
}

static const luaL_Reg methods[] = {
    {"load", f_lsession_load},   {"launch", f_lsession_launch},
    {"limit", f_lsession_limit}, {"warm", f_warm},
    {"describe", f_describe},    {"pid", f_pid},
    {"close", f_lsession_close}, {"bench", f_bench},
    {"options", f_options},      {"prepare", f_prepare},
    {"text", f_lsession_text},   {"moved", f_moved},
    {NULL, NULL},
};

static const luaL_Reg metamethods[] = {
    {"__gc", f_lsession_close},
    {"__close", f_lsession_close},
    {"__tostring", f_lsession_tostring},
    {NULL, NULL},
};

static const luaL_Reg module_meta[] = {
    {"__gc", f_module_gc}, {"__close", f_module_gc}, {NULL, NULL},
};

static const luaL_Reg functions[] = {{"open", f_lsession_open}, {NULL, NULL}};

int luaopen_moontile_session(lua_State *L)
{
    luaL_newmetatable(L, SESSION_TYPE);
    luaL_setfuncs(L, metamethods, 0);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    luaL_newmetatable(L, MODULE_TYPE);
    luaL_setfuncs(L, module_meta, 0);
    luaL_newlib(L, functions);
    return 1;
}
