/* repl/prompt/look.c: module moontile.look: processes that look at targets, and what a machine
 * can be asked without any.  What follows from it is decided in repl/doctor/. */
#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <grp.h>
#include <langinfo.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include <lauxlib.h>
#include <lua.h>

#include "core/device/cache.h"
#include "core/device/probe.h"
#include "core/base/proc.h"
#include "core/device/worker.h"
#include "lua/state/api.h"
#include "look.h"
#include "lua/term/tty.h"

extern char **environ;

/* Pushes the lines of a text as a list. */
static void look_push_lines(lua_State *L, const char *s)
{
    lua_newtable(L);
    for (int i = 1; s && *s; i++) {
        size_t n = strcspn(s, "\n");
        lua_pushlstring(L, s, n);
        lua_rawseti(L, -2, i);
        s += n + (s[n] == '\n');
    }
}

/* Targets ---------------------------------------------------------------------- */

/* targets() -> {{name =, summary =, present =, groups = {..}}, ..} */
static int f_look_targets(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; targets[i]; i++) {
        const Target *t = targets[i];
        const char *const *g = t->devprobe && t->devprobe->groups ? t->devprobe->groups : NULL;
        lua_newtable(L);
        field_text(L, "name", t->name);
        field_text(L, "summary", t->summary);
        lua_pushboolean(L, !t->present || t->present());
        lua_setfield(L, -2, "present");
        lua_newtable(L);
        for (int k = 0; g && g[k]; k++) {
            lua_pushstring(L, g[k]);
            lua_rawseti(L, -2, k + 1);
        }
        lua_setfield(L, -2, "groups");
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* ask(spec, group, limit in seconds [, input]) -> lines of core/device/probe.h, what else was
 * written; nil and why: it could not be started, or was interrupted (the hook of Ctrl-C
 * raises then, with the next instruction) */
static int f_ask(lua_State *L)
{
    ExamJob j = {.spec = luaL_checkstring(L, 1), .group = luaL_checkstring(L, 2),
                 .limit_ms = (int)(luaL_checknumber(L, 3) * 1e3),
                 .in = luaL_optstring(L, 4, NULL)};
    j.resume = j.resume_late = j.group[0] && !j.in;
    bool ok = devprobe_ask(&j);
    int e = errno;
    if (ok) {
        look_push_lines(L, j.lines.s);
        lua_pushlstring(L, j.noise.s ? j.noise.s : "", j.noise.n);
    } else {
        lua_pushnil(L);
        lua_pushstring(L, strerror(e));
    }
    str_free(&j.lines);
    str_free(&j.noise);
    return 2;
}

/* What a program says: run({path, words ..}, limit in seconds) -> text, or nil */
static int f_look_run(lua_State *L)
{
    enum { Most = 8 };
    char *argv[Most + 1] = {NULL};
    luaL_checktype(L, 1, LUA_TTABLE);
    Proc p = {.argv = argv, .limit_ms = (int)(luaL_checknumber(L, 2) * 1e3), .abandon = true};
    for (int i = 0; i < Most && lua_rawgeti(L, 1, i + 1) == LUA_TSTRING; i++)
        argv[i] = strdup(lua_tostring(L, -1));
    bool ok = argv[0] && proc_run(&p) && p.status == 0;
    lua_pushlstring(L, p.out.s ? p.out.s : "", p.out.n);
    if (!ok)
        lua_pushnil(L);
    str_free(&p.out);
    for (int i = 0; i < Most; i++)
        free(argv[i]);
    return 1;
}

/* An error of a device, as text, in words: message(text, "en" | "zh", kernel) -> {id =, code =,
 * title =, label =, help =} */
static int f_message(lua_State *L)
{
    DevError e;
    const char *s = luaL_checkstring(L, 1), *kernel = luaL_optstring(L, 3, "vector_add");
    enum Lang lang = strcmp(luaL_checkstring(L, 2), "zh") == 0 ? LANGzh : LANGen;
    if (dev_error_read(s, &e) != DRread)
        e = dev_error_all(E_bug, s);
    Diag d = dev_error_diag(&e, kernel);
    for (int k = 0; k < DiagArgs; k++)
        d.arg[k] = d.arg[k] ? d.arg[k] : "";
    const ErrInfo *i = err_info(d.err);
    const struct { const char *name, *pattern; } part[] = {
        {"title", i->title[lang]}, {"label", i->label[lang]}, {"help", i->help[lang]},
    };
    lua_newtable(L);
    field_text(L, "id", i->id);
    field_text(L, "code", i->code);
    for (size_t p = 0; p < COUNT(part); p++) {
        Str out = {0};
        diag_text(&out, &d, part[p].pattern, lang);
        field_text(L, part[p].name, out.s ? out.s : "");
        str_free(&out);
    }
    dev_error_free(e);
    return 1;
}

/* Files -------------------------------------------------------------------------- */

/* node(path) -> {mode = "rw-rw----", owner =, group =, open = may we read and write it?},
 * or nil: it is not there */
static int f_node(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    struct stat st;
    char mode[10] = "rwxrwxrwx";
    if (stat(path, &st) != 0)
        return 0;
    for (int i = 0; i < 9; i++)
        if (!(st.st_mode >> (8 - i) & 1))
            mode[i] = '-';
    const struct passwd *pw = getpwuid(st.st_uid);
    const struct group *gr = getgrgid(st.st_gid);
    lua_newtable(L);
    field_text(L, "mode", mode);
    field_text(L, "owner", pw ? pw->pw_name : "?");
    field_text(L, "group", gr ? gr->gr_name : "?");
    lua_pushboolean(L, access(path, R_OK | W_OK) == 0);
    lua_setfield(L, -2, "open");
    return 1;
}

/* glob(pattern) -> list of paths */
static int f_glob(lua_State *L)
{
    glob_t g;
    lua_newtable(L);
    if (glob(luaL_checkstring(L, 1), 0, NULL, &g) != 0)
        return 1;
    for (size_t i = 0; i < g.gl_pathc; i++) {
        lua_pushstring(L, g.gl_pathv[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    globfree(&g);
    return 1;
}

/* find(name) -> path of that program on PATH, or nil */
static int f_find(lua_State *L)
{
    char *path = proc_find(luaL_checkstring(L, 1));
    lua_pushstring(L, path);
    free(path);
    return 1;
}

/* The folder of compiled kernels: cache() -> folder, bytes free, messages about it */
static int f_cache(lua_State *L)
{
    Ctx c;
    Cache k = {0};
    struct statvfs fs;
    ctx_init(&c, NULL, 0);
    bool ok = cache_open(&k, &c);
    if (ok)
        lua_pushstring(L, k.dir.s);
    else
        lua_pushnil(L);
    if (ok && statvfs(k.dir.s, &fs) == 0)
        lua_pushinteger(L, (lua_Integer)fs.f_bavail * (lua_Integer)fs.f_frsize);
    else
        lua_pushnil(L);
    lua_newtable(L);
    int n = 0;
    for (const Diag *d = c.diags; d; d = d->next) {
        Str s = {0};
        DevError e = dev_error_of(d, true);
        dev_error_text(&e, &s);
        lua_pushstring(L, s.s);
        lua_rawseti(L, -2, ++n);
        str_free(&s);
        dev_error_free(e);
    }
    cache_close(&k);
    ctx_free(&c);
    return 3;
}

/* The machine and this program --------------------------------------------------------- */

/* user() -> name, home, {names of groups}, is it root? */
static int f_user(lua_State *L)
{
    enum { Most = 256 };
    gid_t gid[Most];
    int n = getgroups(Most, gid), k = 0;
    const struct passwd *pw = getpwuid(geteuid());
    const char *home = getenv("HOME");
    lua_pushstring(L, pw ? pw->pw_name : "");
    lua_pushstring(L, home && *home ? home : pw ? pw->pw_dir : "");
    lua_newtable(L);
    for (int i = -1; i < n; i++) {
        const struct group *gr = getgrgid(i < 0 ? getegid() : gid[i]);
        if (!gr)
            continue;
        lua_pushstring(L, gr->gr_name);
        lua_rawseti(L, -2, ++k);
    }
    lua_pushboolean(L, geteuid() == 0);
    return 4;
}

/* system() -> {name =, release =, machine =, host =, processors =, processor =,
 * distribution =} */
static int f_system(lua_State *L)
{
    static const struct { const char *file, *key, *field; } line[] = {
        {"/proc/cpuinfo", "model name", "processor"},
        {"/etc/os-release", "PRETTY_NAME", "distribution"},
    };
    struct utsname u = {0};
    char buf[512];
    uname(&u);
    lua_newtable(L);
    field_text(L, "name", u.sysname);
    field_text(L, "release", u.release);
    field_text(L, "machine", u.machine);
    field_text(L, "host", u.nodename);
    lua_pushinteger(L, sysconf(_SC_NPROCESSORS_ONLN));
    lua_setfield(L, -2, "processors");
    for (size_t i = 0; i < COUNT(line); i++) {
        FILE *f = fopen(line[i].file, "re");
        while (f && fgets(buf, sizeof buf, f))
            if (strncmp(buf, line[i].key, strlen(line[i].key)) == 0) {
                char *v = buf + strlen(line[i].key);
                v += strspn(v, " \t:=\"");
                v[strcspn(v, "\"\n")] = '\0';
                field_text(L, line[i].field, v);
                break;
            }
        if (f)
            fclose(f);
    }
    return 1;
}

/* environment() -> {NAME = value} */
static int f_environment(lua_State *L)
{
    lua_newtable(L);
    for (char **e = environ; *e; e++) {
        const char *eq = strchr(*e, '=');
        if (!eq)
            continue;
        lua_pushlstring(L, *e, (size_t)(eq - *e));
        lua_pushstring(L, eq + 1);
        lua_rawset(L, -3);
    }
    return 1;
}

/* What a function of a library that is loaded, or a variable of it, calls its version. */
static void set_version(lua_State *L, const char *name, void *in, const char *symbol, bool call)
{
    void *p = dlsym(in, symbol);
    const char *(*fn)(void);
    const char *s = NULL;
    memcpy(&fn, &p, sizeof fn);
    if (p && call)
        s = fn();
    else if (p)
        memcpy(&s, p, sizeof s);
    if (s)
        field_text(L, name, s);
}

/* build() -> {moontile =, lua =, compiler =, libc =, readline =, ..} */
static int f_look_build(lua_State *L)
{
    static const char *const curl[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
    void *self = dlopen(NULL, RTLD_LAZY), *lib = NULL;
    void *http = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    lua_newtable(L);
    field_text(L, "moontile", MOONTILE_VERSION);
    field_text(L, "Lua", LUA_VERSION_MAJOR "." LUA_VERSION_MINOR "." LUA_VERSION_RELEASE);
#if defined(__clang__)
    field_text(L, "compiler", "clang " __clang_version__);
#else
    field_text(L, "compiler", "gcc " __VERSION__);
#endif
#if defined(__GLIBC__)
    char libc[64];
    snprintf(libc, sizeof libc, "glibc %s", gnu_get_libc_version());
    field_text(L, "libc", libc);
#endif
    set_version(L, "readline", self, "rl_library_version", false);
    set_version(L, "zlib", self, "zlibVersion", true);
    set_version(L, "jansson", self, "jansson_version_str", true);
    if (http)
        set_version(L, "microhttpd", http, "MHD_get_version", true);
    for (size_t i = 0; i < COUNT(curl) && !lib; i++)
        lib = dlopen(curl[i], RTLD_NOW | RTLD_LOCAL);
    if (lib)
        set_version(L, "libcurl", lib, "curl_version", true);
    return 1;
}

/* terminal() -> {codeset =, term =, width =, output =, input =} */
static int f_look_terminal(lua_State *L)
{
    int width, height;
    tty_size(&width, &height);
    lua_newtable(L);
    field_text(L, "codeset", nl_langinfo(CODESET));
    field_text(L, "term", getenv("TERM"));
    lua_pushinteger(L, width);
    lua_setfield(L, -2, "width");
    lua_pushboolean(L, isatty(STDOUT_FILENO));
    lua_setfield(L, -2, "output");
    lua_pushboolean(L, isatty(STDERR_FILENO));
    lua_setfield(L, -2, "errors");
    return 1;
}

static const luaL_Reg functions[] = {
    {"targets", f_look_targets}, {"ask", f_ask},         {"run", f_look_run},
    {"message", f_message}, {"node", f_node},       {"glob", f_glob},
    {"find", f_find},       {"cache", f_cache},     {"user", f_user},
    {"system", f_system},   {"environment", f_environment},
    {"build", f_look_build},     {"terminal", f_look_terminal}, {NULL, NULL},
};

static int f_module(lua_State *L)
{
    luaL_newlib(L, functions);
    return 1;
}

void look_preload(lua_State *L)
{
    static const luaL_Reg modules[] = {{"moontile.look", f_module}, {NULL, NULL}};
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    luaL_setfuncs(L, modules, 0);
    lua_pop(L, 1);
}
