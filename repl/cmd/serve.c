/* repl/cmd/serve.c: moontile serve: the server, its tokens, its help.
 *
 *     moontile serve [FLAGS]
 *     moontile serve token NAME [--teacher]     makes one and shows it, once
 *     moontile serve token --list | --remove NAME */
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "core/device/jail.h"
#include "repl/options.h"
#include "repl/serve/serve.h"
#include "err/server.h"

static const char *const usage[NLang] = {
    "moontile serve [FLAGS]                     shares a device over HTTP\n"
    "moontile serve token NAME [--teacher]      makes a token and shows it, once\n"
    "moontile serve token --list | --remove NAME\n\n"
    "It listens on this machine only; with --bind others can reach it, each with a token.\n"
    "From there: moontile --connect URL --token-file FILE, or :connect URL at the prompt.\n\n",
    "moontile serve [选项]                      通过 HTTP 提供设备\n"
    "moontile serve token 名称 [--teacher]      生成令牌，仅显示一次\n"
    "moontile serve token --list | --remove 名称\n\n"
    "默认只监听本机；用 --bind 可供他人访问，此时每人都需要令牌。\n"
    "在对方机器上：moontile --connect URL --token-file 文件，或在提示符中用 :connect URL。\n\n",
};

static void cmd_serve_show(const Ctx *c, enum Lang lang)
{
    Str out = {0};
    for (const Diag *d = c->diags; d; d = d->next)
        diag_render(&out, c, d, lang, false, NULL, NULL);
    if (out.s)
        fputs(out.s, stderr);
    str_free(&out);
}

/* Tokens ------------------------------------------------------------------- */

static void list_tokens(const Tokens *t)
{
    for (size_t i = 0; i < t->n; i++)
        printf("%-24s %-8s %s\n", t->row[i].name, t->row[i].teacher ? "teacher" : "",
               t->row[i].date);
}

typedef struct TokenWords TokenWords;
struct TokenWords { const char *name, *remove, *file; bool teacher, list; };

/* The words behind `token`; what does not read, NULL: all does. */
static const char *token_words(TokenWords *w, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const char **value = strcmp(argv[i], "--remove") == 0 ? &w->remove :
                             strcmp(argv[i], "--token-file") == 0 ? &w->file : NULL;
        if (value && i + 1 < argc)
            *value = argv[++i];
        else if (strcmp(argv[i], "--teacher") == 0)
            w->teacher = true;
        else if (strcmp(argv[i], "--list") == 0)
            w->list = true;
        else if (argv[i][0] != '-' && !w->name)
            w->name = argv[i];
        else
            return argv[i];
    }
    return !w->name && !w->remove && !w->list ? "token" : NULL;
}

typedef struct SaidOptions SaidOptions;
struct SaidOptions { const char *flag; };

static void say_flag(Ctx *c, void *ud)
{
    const SaidOptions *s = ud;
    diag(c, E_serve_flag, (Loc){0, 0, 0}, s->flag, NULL);
}

static bool cmd_serve_token(Ctx *c, int argc, char **argv, const ReplOptions *o)
{
    TokenWords w = {0};
    Tokens t;
    char text[TokenText + 1];
    SaidOptions bad = {token_words(&w, argc, argv)};
    if (bad.flag) {
        ctx_try(c, say_flag, &bad);
        return false;
    }
    bool ok = tokens_open(&t, c, w.file);
    if (ok && w.list)
        list_tokens(&t);
    if (ok && w.remove)
        ok = tokens_remove(&t, c, w.remove);
    if (ok && w.name && (ok = tokens_add(&t, c, w.name, w.teacher, text))) {
        Str path = {0};
        str_visible(&path, t.path, strlen(t.path));
        printf("%s\n", text);
        fprintf(stderr, o->lang == LANGzh
                            ? "以上是 %s 的令牌；不会再次显示，%s 中只保存其散列值\n"
                            : "the token of %s; it is not shown again, %s keeps only its hash\n",
                w.name, path.s ? path.s : "?");
        str_free(&path);
    }
    tokens_free(&t);
    return ok;
}

/* The server --------------------------------------------------------------- */

typedef struct Ready Ready;
struct Ready { const Settings *set; enum Lang lang; };

static bool is_loopback_name(const char *s)
{
    return strncmp(s, "127.", 4) == 0 || strcmp(s, "::1") == 0 || strcmp(s, "localhost") == 0;
}

/* Who may run what on the processor, where walls are missing. */
static void say_sandbox(const Ready *r)
{
    const char *wall = jail_missing();
    if (wall && r->set->sandbox)
        printf(r->lang == LANGzh ? "注意：本机没有 %s，不开放处理器会话（--sandbox 0 则照样开放）\n"
                                 : "note: %s is missing on this machine: no sessions on its processor "
                                   "(--sandbox 0 allows them anyway)\n", wall);
    else if (wall)
        printf(r->lang == LANGzh ? "注意：本机没有 %s，而 --sandbox 0 允许任何客户端在处理器上运行内核\n"
                                 : "note: %s is missing on this machine, and --sandbox 0 lets every client's "
                                   "kernels run on its processor\n", wall);
}

static void cmd_serve_ready(void *ud, const char *url)
{
    const Ready *r = ud;
    printf("%s%s\n", r->lang == LANGzh ? "moontile serve：正在监听 " : "moontile serve: listening on ",
           url);
    if (!r->set->cert && !is_loopback_name(r->set->bind))
        puts(r->lang == LANGzh ? "注意：没有 TLS，令牌与数据以明文传输（--cert、--key，或 ssh 隧道）"
                               : "note: without TLS, tokens and data are sent unencrypted "
                                 "(--cert, --key, or an ssh tunnel)");
    say_sandbox(r);
    fflush(stdout);
}

static int cmd_cmd_serve(Ctx *c, int argc, char **argv, const ReplOptions *o)
{
    Settings set;
    Ready r = {&set, o->lang};
    char first[64];
    if (!settings_read(&set, c, argc, argv))
        return ExitUsage;
    if (o->target && !set.targets) {
        snprintf(first, sizeof first, "%.*s", (int)strcspn(o->target, " \t"), o->target);
        set.targets = first;
        if (!settings_targets(&set, c))
            return ExitUsage;
    }
    if (!SANITIZED) /* other processes of our user do not look into this one and its environment */
        prctl(PR_SET_DUMPABLE, 0L);
    return serve_run(&set, c, cmd_serve_ready, &r) ? ExitFailed : ExitOk;
}

int cmd_serve(struct lua_State *L, const ReplOptions *o)
{
    Ctx c;
    Str help = {0};
    char **argv = o->argv + o->own;
    int argc = o->nown, code = ExitOk;
    (void)L;
    ctx_init(&c, NULL, 0);
    if (argc && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)) {
        str_puts(&help, usage[o->lang]);
        settings_help(&help, o->lang);
        fputs(help.s ? help.s : "", stdout);
    } else if (argc && strcmp(argv[0], "token") == 0) {
        code = cmd_serve_token(&c, argc - 1, argv + 1, o) ? ExitOk : ExitFailed;
    } else {
        code = cmd_cmd_serve(&c, argc, argv, o);
    }
    cmd_serve_show(&c, o->lang);
    str_free(&help);
    ctx_free(&c);
    return code;
}
