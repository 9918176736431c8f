/* lua/seam/jobs.c: moontile.jobs: several programs compiled at once.
 *
 *   pool = jobs.open("cpu", 4 [, "cuda -arch=sm_90a -build"])
 *   results, interrupted = pool:build({P1, P2})
 *
 * The third argument names sessions that load what was built, one a thread.
 * A result has the fields of ir.compile's first value, and warnings, facts (text)
 * and ms; or error; or nothing, where an interruption came before it began. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/device/cache.h"
#include "core/device/jobs.h"
#include "ir.h"

#define POOL_TYPE "moontile.jobs"
#define BATCH_TYPE "moontile.batch"

typedef struct LPool LPool;
struct LPool {
    const Target *t;
    char *options;
    int threads;
    bool sessions;
    Session *session[MostJobs];
};

/* Jobs that Lua owns, so that an error frees them. */
typedef struct LBatch LBatch;
struct LBatch { BuildJob *job; int n; };

static int f_batch_gc(lua_State *L)
{
    LBatch *b = luaL_checkudata(L, 1, BATCH_TYPE);
    for (int i = 0; i < b->n; i++) {
        artifact_free(&b->job[i].a);
        str_free(&b->job[i].facts);
    }
    free(b->job);
    *b = (LBatch){0};
    return 0;
}

static int f_ljobs_close(lua_State *L)
{
    LPool *k = luaL_checkudata(L, 1, POOL_TYPE);
    for (int i = 0; i < MostJobs; i++) {
        session_close(k->session[i]);
        k->session[i] = NULL;
    }
    k->sessions = false;
    free(k->options);
    k->options = NULL;
    return 0;
}

static const char *spec_options(const char *spec)
{
    spec += strcspn(spec, " ");
    return spec + strspn(spec, " ");
}

static int f_ljobs_open(lua_State *L)
{
    const char *spec = luaL_checkstring(L, 1);
    lua_Integer threads = luaL_checkinteger(L, 2);
    const char *device = luaL_optstring(L, 3, NULL);
    const Target *t = target_find(spec), *dt = device ? target_find(device) : NULL;
    luaL_argcheck(L, t, 1, "unknown target");
    luaL_argcheck(L, threads >= 1, 2, "at least one thread");
    luaL_argcheck(L, !device || dt, 3, "unknown target");
    LPool *k = lua_newuserdatauv(L, sizeof *k, 0);
    memset(k, 0, sizeof *k);
    luaL_setmetatable(L, POOL_TYPE);
    k->t = t;
    k->threads = threads < MostJobs ? (int)threads : MostJobs;
    k->options = strdup(spec_options(spec));
    if (!k->options)
        return luaL_error(L, "out of memory");
    for (int i = 0; device && i < k->threads; i++) {
        Ctx c;
        ctx_init(&c, NULL, 0);
        k->session[i] = session_open(&c, dt, spec_options(device));
        ctx_free(&c);
        if (!k->session[i])
            return luaL_error(L, "out of memory");
        session_limit(k->session[i], 120); /* of compiling one kernel */
        session_warm(k->session[i]);
        k->sessions = true;
    }
    return 1;
}

static void job_text(lua_State *L, const char *key, const Str *s)
{
    lua_pushlstring(L, s->s ? s->s : "", s->n);
    lua_setfield(L, -2, key);
}

/* A table for job j. */
static void push_outcome(lua_State *L, const BuildJob *j)
{
    lua_createtable(L, 0, 8);
    if (!j->begun)
        return;
    lua_pushnumber(L, j->ms);
    lua_setfield(L, -2, "ms");
    if (diag_push(L, &j->p->ctx, j->ok ? artifact_says(&j->a) : Lerror))
        lua_setfield(L, -2, j->ok ? "warnings" : "error");
    if (!j->ok)
        return;
    job_text(L, "source", &j->a.source);
    job_text(L, "path", &j->a.path);
    job_text(L, "facts", &j->facts);
    lua_pushboolean(L, j->a.cached);
    lua_setfield(L, -2, "cached");
    lua_pushnumber(L, j->a.emit_ms);
    lua_setfield(L, -2, "emit_ms");
    lua_pushnumber(L, j->a.build_ms);
    lua_setfield(L, -2, "build_ms");
}

static int f_ljobs_build(lua_State *L)
{
    LPool *k = luaL_checkudata(L, 1, POOL_TYPE);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_argcheck(L, k->options, 1, "it is closed");
    int n = (int)luaL_len(L, 2);
    LBatch *b = lua_newuserdatauv(L, sizeof *b, 0);
    *b = (LBatch){0};
    luaL_setmetatable(L, BATCH_TYPE);
    b->job = calloc(n ? (size_t)n : 1, sizeof *b->job);
    if (!b->job)
        return luaL_error(L, "out of memory");
    b->n = n;
    for (int i = 0; i < n; i++) {
        lua_rawgeti(L, 2, i + 1);
        b->job[i].p = check_prog(L, lua_gettop(L))->p;
        lua_pop(L, 1);
    }
    bool whole = build_jobs(b->job, n, k->t, k->options, k->sessions ? k->session : NULL,
                            k->threads);
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        push_outcome(L, &b->job[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushboolean(L, !whole);
    return 2;
}

/* processors() -> how many this process may use */
static int f_processors(lua_State *L)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    lua_pushinteger(L, n > 0 ? n : 1);
    return 1;
}

/* folder(name) -> the path of a folder of the cache, made where there is none; or nil
 * and why not */
static int f_ljobs_folder(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    Cache k = {0};
    Ctx c;
    ctx_init(&c, NULL, 0);
    bool ok = cache_open_quietly(&k, &c);
    ctx_free(&c);
    lua_pushfstring(L, "%s/%s", k.dir.s ? k.dir.s : "", name);
    cache_close(&k);
    if (ok && (mkdir(lua_tostring(L, -1), 0700) == 0 || errno == EEXIST))
        return 1;
    lua_pushnil(L);
    lua_pushstring(L, strerror(errno));
    return 2;
}

/* An open file that stands at path now: whoever had it locked may have removed it. */
static bool stands_at(int fd, const char *path)
{
    struct stat mine, there;
    return fstat(fd, &mine) == 0 && stat(path, &there) == 0 && mine.st_dev == there.st_dev &&
           mine.st_ino == there.st_ino;
}

/* path, open and locked; -1: why is in errno.  A process that holds it for seconds has been
 * stopped: nobody waits for that one. */
static int lock_file(const char *path)
{
    enum { Tries = 500, Pause = 20 * 1000 * 1000 };
    for (int i = 0; i < Tries; i++) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0)
            return -1;
        int e = flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
        if (!e && stands_at(fd, path))
            return fd;
        close(fd);
        if (e && e != EWOULDBLOCK && e != EINTR) {
            errno = e;
            return -1;
        }
        nanosleep(&(struct timespec){0, Pause}, NULL);
    }
    errno = EBUSY;
    return -1;
}

/* locked(path, f) -> what f returns, while no other process has path locked; or nil and why not.
 * The file stays: who waits for it has it open. */
static int f_locked(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    int fd = lock_file(path);
    if (fd < 0) {
        lua_pushnil(L);
        lua_pushfstring(L, "%s: %s", path, strerror(errno));
        return 2;
    }
    int status = lua_pcall(L, 0, LUA_MULTRET, 0);
    close(fd);
    return status == LUA_OK ? lua_gettop(L) - 1 : lua_error(L);
}

/* hash(text) -> 32 hexadecimal digits */
static int f_hash(lua_State *L)
{
    size_t n;
    char hex[33];
    const char *s = luaL_checklstring(L, 1, &n);
    hash_hex(hash_bytes((Hash){0x74756e65, 1}, s, n), hex);
    lua_pushstring(L, hex);
    return 1;
}

/* terminal() -> does someone see what goes to the standard error now? */
static int f_ljobs_terminal(lua_State *L)
{
    const char *term = getenv("TERM");
    lua_pushboolean(L, isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0);
    return 1;
}

static const luaL_Reg methods[] = {
    {"build", f_ljobs_build}, {"close", f_ljobs_close}, {NULL, NULL}};
static const luaL_Reg functions[] = {
    {"open", f_ljobs_open},     {"processors", f_processors}, {"folder", f_ljobs_folder},
    {"hash", f_hash},     {"locked", f_locked},         {"terminal", f_ljobs_terminal},
    {NULL, NULL}};

int luaopen_moontile_jobs(lua_State *L)
{
    static const luaL_Reg meta[] = {
        {"__gc", f_ljobs_close}, {"__close", f_ljobs_close}, {NULL, NULL}};
    static const luaL_Reg batch[] = {{"__gc", f_batch_gc}, {NULL, NULL}};
    luaL_newmetatable(L, POOL_TYPE);
    luaL_setfuncs(L, meta, 0);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    if (luaL_newmetatable(L, BATCH_TYPE))
        luaL_setfuncs(L, batch, 0);
    lua_pop(L, 2);
    luaL_newlib(L, functions);
    return 1;
}
