/* lua/state/sandbox.c (moontile.sandbox): a Lua state for programs that nobody trusts, in
 * a process of its own.
 *
 * The child, `moontile --evaluate PARENT`, reads a job from its standard input and
 * hands it to moontile.puzzles.judge.evaluate, whose answer goes to descriptor 3.
 * While the program of the job runs, an allocator limits its memory, a count hook
 * its instructions, and a timer its time.  None of them raises an error, which the
 * program could catch: they write which limit it was and where, and end the process.
 * What the operating system can do on top is core/device/jail.c.
 *
 * The parent calls start() and run(); what an answer means is puzzles/judge/sandbox.lua's. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "core/device/jail.h"
#include "core/base/proc.h"
#include "api.h"

extern char **environ;

enum {
    Channel = 3,
    Stride = 1000,             /* instructions from one look at the limits to the next */
    Reserve = 32 << 20,        /* bytes that an allocation may go beyond the limit */
    Surely = 20 << 20,         /* larger than any stack that Lua asks for */
    Idle = 24 << 20,           /* bytes of garbage that small programs may leave */
    AnswerTextBytes = 240,     /* of the name of a text */
    FileBytes = 16 << 20,      /* of one tensor */
    Slack = 64 << 20,          /* address space for what is not Lua's */
    AnswerBytes = 64 << 20,
    AgainMs = 50               /* C code has this long to come back to Lua */
};

/* The limits -------------------------------------------------------------------- */

/* Where the program is: its line, 0 when that is unknown, and the name of its text. */
typedef struct SandboxPlace SandboxPlace;
struct SandboxPlace {
    int line;
    char text[AnswerTextBytes];
};

typedef struct Sandbox Sandbox;
struct Sandbox {
    lua_State *L;
    size_t used, limit;        /* bytes; limit 0: none */
    size_t idle;               /* below these bytes no garbage is collected */
    int64_t left;              /* instructions */
    bool watching;             /* the hook is set */
    int stride;                /* how often it is called */
    size_t refused;            /* bytes of the last request that was */
    SandboxPlace refusal;      /* who made it, as far as that is known */
    bool late;
    int phase;                 /* which part of the job runs: said with a limit */
};

/* One for a process: a signal handler has no argument to find it by. */
static Sandbox box;

static void answer_put(const char *s, size_t n)
{
    while (n) {
        ssize_t k = write(Channel, s, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            _exit(3); /* the parent has left */
        s += k;
        n -= (size_t)k;
    }
}

static char *put_number(char *at, int n)
{
    char digits[12];
    int k = 0;
    do
        digits[k++] = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    *at++ = ' ';
    while (k)
        *at++ = digits[--k];
    return at;
}

/* "! memory PHASE LINE @TEXT\n"; nothing that a signal handler may not call */
static void answer_limit(const char *limit, const SandboxPlace *p)
{
    char text[AnswerTextBytes + 64] = "! ", *at = text + 2;
    for (const char *s = limit; *s; s++)
        *at++ = *s;
    at = put_number(at, box.phase);
    at = put_number(at, p->line);
    *at++ = ' ';
    for (const char *s = p->text; *s; s++)
        *at++ = *s;
    *at++ = '\n';
    answer_put(text, (size_t)(at - text));
}

/* Where it is now.  Only reads. */
static SandboxPlace sandbox_place_of(lua_State *L)
{
    SandboxPlace p = {0, ""};
    lua_Debug ar;
    for (int level = 0; lua_getstack(L, level, &ar); level++) {
        if (!lua_getinfo(L, "Sl", &ar) || ar.currentline <= 0 || diag_isours(ar.source))
            continue;
        p.line = ar.currentline;
        for (size_t i = 0; ar.source[i] && i + 1 < sizeof p.text; i++)
            p.text[i] = ar.source[i];
        break;
    }
    return p;
}

/* The end: said without the place first, should the state be in no order to find it. */
static NORETURN void sandbox_finish(const char *limit)
{
    answer_limit(limit, &box.refusal);
    if (!box.refusal.line) {
        SandboxPlace p = sandbox_place_of(box.L);
        answer_limit(limit, &p);
    }
    _exit(0);
}

static void hook(lua_State *L, lua_Debug *ar);

/* Setting a hook costs a walk over all calls that are active. */
static void look_in(lua_State *L, int stride)
{
    if (box.stride != stride)
        lua_sethook(L, hook, LUA_MASKCOUNT, stride);
    box.stride = stride;
}

/* Every Stride instructions, and at the next one after something went beyond a limit. */
static void hook(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    if (box.late)
        sandbox_finish("time");
    if (box.refused)
        sandbox_finish("memory");
    if (box.limit && box.used > box.limit) {
        lua_gc(L, LUA_GCCOLLECT);
        if (box.used > box.limit)
            sandbox_finish("memory");
    }
    if (box.used > box.idle)
        lua_gc(L, LUA_GCRESTART);
    if ((box.left -= box.stride) <= 0)
        sandbox_finish("instructions");
    look_in(L, Stride);
}

/* lua_Alloc.  What goes a little beyond the limit is given, and the hook looks at it;
 * what goes far beyond is refused.  Lua then collects its garbage and asks again; when
 * that is refused too, the error, which a pcall may catch, is the last thing that the
 * program sees.  The line is told here where that is safe: not while Lua moves its
 * stack. */
static void *allocate(void *ud, void *p, size_t old, size_t n)
{
    Sandbox *b = ud;
    size_t had = p ? old : 0; /* without p, old is a kind of object */
    if (n == 0) {
        b->used -= had;
        free(p);
        return NULL;
    }
    bool over = b->watching && n > had && b->used + (n - had) > b->limit;
    if (over && b->used + (n - had) > b->limit + Reserve) {
        b->refusal = n > Surely ? sandbox_place_of(b->L) : (SandboxPlace){0, ""};
        if (b->refused == n && n > Surely)
            sandbox_finish("memory");
        b->refused = n;
        look_in(b->L, 1);
        return NULL;
    }
    void *q = realloc(p, n);
    if (!q)
        return NULL;
    if (b->refused == n) {
        b->refused = 0;
        b->refusal.line = 0;
    }
    b->used += n - had;
    if (over)
        look_in(b->L, 1);
    return q;
}

/* The time is over.  Lua code is stopped at its next instruction; C code, such as a
 * pattern that backtracks, has a moment to come back to Lua, and is ended then. */
static void on_alarm(int sig)
{
    (void)sig;
    if (box.late)
        sandbox_finish("time");
    box.late = true;
    look_in(box.L, 1);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {0, AgainMs * 1000}}, NULL);
}

static void sandbox_watch(double seconds)
{
    struct itimerval t = {.it_value = {(time_t)seconds, 0}};
    t.it_value.tv_usec = (suseconds_t)((seconds - floor(seconds)) * 1e6);
    signal(SIGPROF, on_alarm);
    setitimer(ITIMER_PROF, &t, NULL);
    box.watching = true;
    look_in(box.L, Stride);
}

/* What the child's Lua calls --------------------------------------------------------- */

static void need_child(lua_State *L)
{
    if (!box.L)
        luaL_error(L, "not the evaluator's process");
}

/* limit(seconds of processor time, bytes, instructions): from now on, and behind the walls of core/device/jail.c */
static int f_sandbox_limit(lua_State *L)
{
    need_child(L);
    double seconds = luaL_checknumber(L, 1);
    lua_Integer bytes = luaL_checkinteger(L, 2), count = luaL_checkinteger(L, 3);
    luaL_argcheck(L, seconds > 0 && seconds <= 1e6, 1, "no time");
    luaL_argcheck(L, bytes > 0 && bytes < (lua_Integer)1 << 40, 2, "no memory");
    luaL_argcheck(L, count > 0, 3, "no instructions");
    Jail j = {.bytes = (size_t)bytes * 2 + Slack, .file = FileBytes,
              .cpu = (unsigned)ceil(seconds), .keep = Channel, .folder = embed_override(L)};
    box.limit = box.used + (size_t)bytes;
    box.idle = box.used + Idle;
    box.left = count;
    jail_enter(&j);
    sandbox_watch(seconds);
    return 0;
}

/* phase(n): which part of the job runs now */
static int f_phase(lua_State *L)
{
    box.phase = (int)luaL_checkinteger(L, 1);
    return 0;
}

/* free(): the limits of this file are over */
static int f_free(lua_State *L)
{
    need_child(L);
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
    lua_sethook(L, NULL, 0, 0);
    box.stride = 0;
    box.watching = false;
    return 0;
}

/* load(text, chunk) -> function, or nil and an error object */
static int f_sandbox_load(lua_State *L)
{
    size_t n;
    const char *s = luaL_checklstring(L, 1, &n), *chunk = luaL_checkstring(L, 2);
    luaL_argcheck(L, n == 0 || s[0] != LUA_SIGNATURE[0], 1, "no text");
    load_keep(L, chunk, s, n);
    if (load_text(L, s, n, chunk, NULL) == LUA_OK)
        return 1;
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
}

/* missing() -> the first wall that this machine does not have; nil: all are there */
static int f_missing(lua_State *L)
{
    lua_pushstring(L, jail_missing());
    return 1;
}

/* The child ------------------------------------------------------------------------- */

static int on_panic(lua_State *L)
{
    const char *s = lua_tostring(L, -1);
    fprintf(stderr, "%s\n", s ? s : "an error without a message");
    _exit(3);
}

/* Job * -> answer */
static int child(lua_State *L)
{
    lua_gc(L, LUA_GCSTOP); /* what is loaded here stays, and most programs are small */
    luaL_openlibs(L);
    api_open(L);
    api_require(L, "moontile.puzzles.judge.evaluate");
    lua_getfield(L, -1, "run");
    if (!load_slurp(L, stdin))
        return luaL_error(L, "the job cannot be read");
    lua_call(L, 1, 1);
    return 1;
}

int sandbox_main(int parent)
{
    if (!jail_follow(parent))
        return 3;
    lua_State *L = lua_newstate(allocate, &box);
    if (!L)
        return 3;
    box.L = L;
    lua_atpanic(L, on_panic);
    lua_pushcfunction(L, child);
    int status = lua_pcall(L, 0, 1, 0);
    size_t n;
    const char *s = luaL_tolstring(L, -1, &n);
    if (status == LUA_OK)
        answer_put(s, n);
    else
        fprintf(stderr, "%s\n", s);
    fflush(stderr);
    _exit(status == LUA_OK ? 0 : 3); /* nothing of the program runs once more */
}

/* The parent ------------------------------------------------------------------------ */

/* What the child may know of our environment. */
static const char *const shared[] = {
    "MOONTILE_LUA_PATH=", "LD_LIBRARY_PATH=", "ASAN_OPTIONS=", "UBSAN_OPTIONS=", "LSAN_OPTIONS=",
};

static void fill_env(char **env)
{
    size_t n = 0;
    for (size_t i = 0; i < COUNT(shared); i++)
        for (char **e = environ; *e; e++)
            if (strncmp(*e, shared[i], strlen(shared[i])) == 0) {
                env[n++] = *e;
                break;
            }
    env[n] = NULL;
}

#define RUN_TYPE "moontile.run" /* userdata: a Proc: its process and what it has said */

static int f_run_gc(lua_State *L)
{
    Proc *p = luaL_checkudata(L, 1, RUN_TYPE);
    proc_drop(p);
    str_free(&p->out);
    str_free(&p->result);
    return 0;
}

static void set_text(lua_State *L, const char *name, const Str *s)
{
    lua_pushlstring(L, s->s ? s->s : "", s->n);
    lua_setfield(L, -2, name);
}

/* start() -> a process that waits for its job; or nil and why there is none */
static int f_start(lua_State *L)
{
    char name[] = "/proc/self/exe", flag[] = "--evaluate", parent[16];
    char *argv[] = {name, flag, parent, NULL}, *env[COUNT(shared) + 1];
    snprintf(parent, sizeof parent, "%d", (int)getpid());
    fill_env(env);
    Proc *p = lua_newuserdatauv(L, sizeof *p, 0);
    *p = (Proc){.argv = argv, .env = env, .channel = true, .most = AnswerBytes, .follows = true,
                .fd = {-1, -1, -1}};
    if (luaL_newmetatable(L, RUN_TYPE)) {
        lua_pushcfunction(L, f_run_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    bool ok = proc_start(p);
    p->argv = p->env = NULL; /* only needed to start */
    if (ok)
        return 1;
    lua_pushnil(L);
    lua_pushstring(L, strerror(errno));
    return 2;
}

/* run(process, job, seconds) -> {answer =, said = what went to the standard streams, code =
 * exit status, signal =, cpu = too much processor time, late =, large =, interrupted =}.
 * A process does one job. */
static int f_sandbox_run(lua_State *L)
{
    Proc *p = luaL_checkudata(L, 1, RUN_TYPE);
    p->in = luaL_checklstring(L, 2, &p->nin);
    p->limit_ms = (int)(luaL_checknumber(L, 3) * 1e3) + 1;
    luaL_argcheck(L, p->pid, 1, "it has done its job");
    proc_finish(p);
    lua_createtable(L, 0, 8);
    set_text(L, "answer", &p->result);
    set_text(L, "said", &p->out);
    if (WIFSIGNALED(p->status)) {
        lua_pushstring(L, strsignal(WTERMSIG(p->status)));
        lua_setfield(L, -2, "signal");
        lua_pushboolean(L, WTERMSIG(p->status) == SIGXCPU);
        lua_setfield(L, -2, "cpu");
    }
    lua_pushinteger(L, WIFEXITED(p->status) ? WEXITSTATUS(p->status) : -1);
    lua_setfield(L, -2, "code");
    lua_pushboolean(L, p->late);
    lua_setfield(L, -2, "late");
    lua_pushboolean(L, p->large);
    lua_setfield(L, -2, "large");
    lua_pushboolean(L, p->interrupted);
    lua_setfield(L, -2, "interrupted");
    return 1;
}

static const luaL_Reg functions[] = {
    {"start", f_start}, {"run", f_sandbox_run}, {"limit", f_sandbox_limit}, {"phase", f_phase},
    {"free", f_free},   {"load", f_sandbox_load}, {"missing", f_missing}, {NULL, NULL},
};

int luaopen_moontile_sandbox(lua_State *L)
{
    luaL_newlib(L, functions);
    return 1;
}
