/* repl/main.c: the program moontile: what each way of calling it does.
 *
 * Read main() first: a worker process, a look at a target and the evaluator of
 * solutions branch off before anything else; all the rest runs inside one protected call, and its
 * outcome is the exit status. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "core/base/deep.h"
#include "core/device/probe.h"
#include "core/device/worker.h"
#include "lua/seam/seam.h"
#include "../layout_viz/viz.h"
#include "../targets/targets.h"
#include "cmd/command.h"
#include "lua/term/interrupt.h"
#include "irtool.h"
#include "prompt/look.h"
#include "options.h"
#include "prompt/prompt.h"
#include "prompt/report.h"
#include "lua/term/term.h"
#include "serve/kin.h"
#include "serve/process.h"

/* Runs what a load left on the stack: a chunk, or its error. */
static int run_loaded(lua_State *L, const ReplOptions *o, int status, int narg)
{
    if (status == LUA_OK)
        return command_call(L, o, narg);
    int code = ExitFailed;
    if (status == LUA_ERRFILE) {
        const char *why = strrchr(lua_tostring(L, -1), ':');
        const char *file = o->script ? o->argv[o->script] : "-";
        const char *word = options_word_near(file);
        usage_error(o->lang, word ? SAYnoword : SAYnofile, file, why ? why + 2 : "", word);
        code = ExitUsage;
    } else {
        report_error(L, o, -1);
    }
    lua_pop(L, 1);
    return code;
}

/* Setting up -------------------------------------------------------------- */

/* The global `arg`, as lua has it: the script at 0, what stands before it at
 * negative indices, its arguments from 1.  What stands behind the FILE of a command is the
 * command's. */
static void make_arg(lua_State *L, const ReplOptions *o)
{
    int script = o->script ? o->script : o->argc;
    int end = o->command && o->script ? script + 1 : o->argc;
    lua_createtable(L, end - script, script + 1);
    for (int i = 0; i < end; i++) {
        lua_pushstring(L, o->argv[i]);
        lua_rawseti(L, -2, i - script);
    }
    lua_setglobal(L, "arg");
}

/* What was printed and did not arrive makes the run a failure: a full disk, a closed pipe. */
static int finish_output(enum Lang lang, int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    /* the call that failed was another's: a byte more tells why */
    const char *why = write(STDOUT_FILENO, "\n", 1) < 0 ? strerror(errno) : NULL;
    if (lang == LANGzh)
        fprintf(stderr, "moontile: 输出未能写出%s%s\n", why ? "：" : "", why ? why : "");
    else
        fprintf(stderr, "moontile: the output could not be written%s%s\n", why ? ": " : "",
                why ? why : "");
    return code == ExitOk ? ExitFailed : code;
}

/* os.exit([code [, close]]) as Lua has it, with the look at the output that main() takes. */
static int f_exit(lua_State *L)
{
    bool given = !lua_isnoneornil(L, 1), truth = lua_isboolean(L, 1);
    int code = !given ? ExitOk
               : truth ? (lua_toboolean(L, 1) ? ExitOk : ExitFailed)
                       : (int)luaL_checkinteger(L, 1);
    enum Lang lang = diag_getlang(L);
    if (lua_toboolean(L, 2))
        lua_close(L);
    exit(finish_output(lang, code));
}

static void exit_open(lua_State *L)
{
    lua_getglobal(L, "os");
    lua_pushcfunction(L, f_exit);
    lua_setfield(L, -2, "exit");
    lua_pop(L, 1);
}

static void make_config(lua_State *L, const ReplOptions *o)
{
    api_require(L, "moontile.config");
    lua_pushstring(L, o->lang == LANGzh ? "zh" : "en");
    lua_setfield(L, -2, "lang");
    lua_pushboolean(L, colour_on(o, stdout));
    lua_setfield(L, -2, "colour");
    lua_pushboolean(L, o->json);
    lua_setfield(L, -2, "json");
    lua_pushstring(L, o->target);
    lua_setfield(L, -2, "target"); /* nil unless -t was given */
    lua_pop(L, 1);
}

/* Help knows nothing of the prompt: its commands are handed in. */
static void give_help(lua_State *L)
{
    api_require(L, "moontile.help.given");
    lua_getfield(L, -1, "sources");
    lua_pushliteral(L, "moontile.repl.help");
    lua_rawseti(L, -2, 1);
    lua_pop(L, 1);
    lua_pushliteral(L, "moontile.repl.pyhelp");
    lua_setfield(L, -2, "python");
    lua_pop(L, 1);
}

static void open_all(lua_State *L, const ReplOptions *o)
{
    if (o->noenv) {
        lua_pushboolean(L, 1);
        lua_setfield(L, LUA_REGISTRYINDEX, "LUA_NOENV");
    }
    luaL_openlibs(L);
    lua_gc(L, LUA_GCGEN, 0, 0);
    api_open(L);
    look_preload(L);
    interrupt_open(L);
    exit_open(L);
    diag_setlang(L, o->lang);
    make_config(L, o);
    give_help(L);
    make_arg(L, o);
    if (o->warn)
        lua_warning(L, "@on", 0);
}

/* -t: the target must exist before anything runs. */
static int set_target(lua_State *L, const ReplOptions *o)
{
    api_require(L, "moontile.tl");
    lua_getfield(L, -1, "set_target");
    lua_remove(L, -2);
    lua_pushstring(L, o->target);
    return command_call(L, o, 1) == ExitOk ? ExitOk : ExitUsage;
}

/* -l MOD, -l g=MOD: (text of the flag) -> nothing */
static int f_library(lua_State *L)
{
    const char *arg = luaL_checkstring(L, 1);
    const char *eq = strchr(arg, '=');
    const char *name = eq ? eq + 1 : arg;
    api_globals(L, name, strlen(name)); /* -l tl: the one there is */
    lua_pushlstring(L, arg, eq ? (size_t)(eq - arg) : strlen(arg));
    lua_getglobal(L, "require");
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
    lua_setglobal(L, lua_tostring(L, 2));
    return 0;
}

/* -e CODE, or -l */
static int run_action(lua_State *L, const ReplOptions *o, const Action *a)
{
    if (a->flag == 'e') {
        static const char chunk[] = "=(command line)";
        load_keep(L, chunk, a->arg, strlen(a->arg));
        return run_loaded(L, o, load_text(L, a->arg, strlen(a->arg), chunk, NULL), 0);
    }
    lua_pushcfunction(L, f_library);
    lua_pushstring(L, a->arg);
    return command_call(L, o, 1);
}

/* FILE, or "-" for the standard input, with the arguments after it. */
static int run_script(lua_State *L, const ReplOptions *o)
{
    const char *file = o->argv[o->script];
    bool from_stdin = strcmp(file, "-") == 0 && strcmp(o->argv[o->script - 1], "--") != 0;
    int status = load_file(L, from_stdin ? NULL : file);
    int narg = 0;
    if (status == LUA_OK) {
        luaL_checkstack(L, o->argc + LUA_MINSTACK, "too many arguments to script");
        for (int i = o->script + 1; i < o->argc; i++, narg++)
            lua_pushstring(L, o->argv[i]);
    }
    return run_loaded(L, o, status, narg);
}

/* What the build checks: every name of T and tl has its documentation. */
static int selfcheck(lua_State *L, const ReplOptions *o)
{
    if (!api_has(L, "moontile.repl.selfcheck"))
        return ExitOk;
    lua_getglobal(L, "require");
    lua_pushliteral(L, "moontile.repl.selfcheck");
    return command_call(L, o, 1);
}

static void print_version(void)
{
    printf("moontile %s (%s; targets:", MOONTILE_VERSION, LUA_RELEASE);
    for (const Target *const *t = targets; *t; t++)
        printf(" %s", (*t)->name);
    printf(")\n");
}

/* ---------------------------------------------------------------------------- */

/* The program inside its protected call: Options * -> exit status */
static int f_main(lua_State *L)
{
    const ReplOptions *o = lua_touserdata(L, 1);
    int code = ExitOk;
    open_all(L, o);
    if (o->selfcheck) {
        code = selfcheck(L, o);
        goto done;
    }
    if (o->target && (code = set_target(L, o)) != ExitOk)
        goto done;
    if (o->command) {
        code = o->command(L, o);
        goto done;
    }
    for (int i = 0; i < o->naction && code == ExitOk; i++)
        code = run_action(L, o, &o->action[i]);
    if (code == ExitOk && o->script)
        code = run_script(L, o);
    if (o->prompt || (!o->script && !o->naction && !o->version)) {
        if (o->prompt || isatty(STDIN_FILENO))
            code = prompt_run(L, o);
        else
            code = run_loaded(L, o, load_file(L, NULL), 0); /* a script from a pipe */
    }
done:
    lua_pushinteger(L, code);
    return 1;
}

static int run_program(const ReplOptions *o)
{
    lua_State *L = luaL_newstate();
    if (!L) {
        usage_error(o->lang, SAYmemory, NULL, NULL, NULL);
        return ExitFailed;
    }
    lua_pushcfunction(L, f_main);
    lua_pushlightuserdata(L, (void *)(uintptr_t)o);
    int code;
    if (handled_pcall(L, 1, 1) == LUA_OK) {
        code = (int)lua_tointeger(L, -1);
    } else {
        code = report_exit(L, -1);
        report_error(L, o, -1);
    }
    lua_close(L);
    return code;
}

/* Descriptors that the caller has closed are taken here: else a file or a worker's socket gets
 * their number, and what is printed.  Of the two for output none can be written to. */
static void take_closed(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) < 0)
            return;
}

static int deep_main(int argc, char **argv)
{
    targets_init();
    seam_init();
    term_init();
    viz_init();
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of its write, not our end */
    if (worker_flag(argc, argv))
        return worker_main(argv[1], atoi(argv[2]), targets);
    if (argc == 3 && strcmp(argv[1], "--session-process") == 0)
        return process_main(atoi(argv[2]));
    if (argc == 4 && strcmp(argv[1], "--warden") == 0)
        return warden_main(atoi(argv[2]), argv[3]);
    if (argc >= 4 && strcmp(argv[1], "--devprobe") == 0)
        return devprobe_main(argc - 2, argv + 2, targets);
    if (argc == 3 && strcmp(argv[1], "--evaluate") == 0)
        return sandbox_main(atoi(argv[2]));
    ReplOptions o;
    setlocale(LC_CTYPE, "");
    int code = ExitUsage;
    if (options_parse(&o, argc, argv)) {
        if (o.version || o.help)
            code = ExitOk;
        if (o.help)
            options_help(stdout, &o);
        else if (o.irtrip || o.ircheck)
            code = irtool_run(&o);
        else {
            if (o.version)
                print_version();
            code = run_program(&o);
        }
    }
    code = finish_output(o.lang, code);
    options_free(&o);
    return code;
}

/* On a stack that carries what expressions may be deep. */
int main(int argc, char **argv)
{
    take_closed();
    int code = deep_call(deep_main, argc, argv);
    if (code < 0)
        usage_error(LANGen, SAYmemory, NULL, NULL, NULL);
    return code < 0 ? ExitFailed : code;
}
