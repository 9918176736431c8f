/* repl/serve/settings.c: the server's numbers: defaults, flags, a file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/disk.h"
#include "serve.h"
#include "err/server.h"
#include "err/target.h"

enum { DefaultPort = 8411 };
static const int64_t MostProcess = INT64_C(8) << 30, LeastProcess = INT64_C(1) << 30;

typedef struct Setting Setting;
struct Setting {
    const char *name;
    int64_t first;
    char unit;
    int64_t least, most;
    char who;
    const char *text[NLang];
    size_t at;
};

static const Setting settings[] = {
#define SETTING(id, def, unit, least, most, who, en, zh) \
    {#id, def, unit, least, most, who, {en, zh}, offsetof(Settings, id)},
#include "settings.h"
};

/* Flags with a text. */
typedef struct SettingsWord SettingsWord;
struct SettingsWord { const char *name, *arg; const char *text[NLang]; size_t at; };

static const SettingsWord words[] = {
    {"bind", "ADDRESS", {"where to listen (127.0.0.1); elsewhere needs tokens",
                         "监听地址（127.0.0.1）；其他地址需要令牌"}, offsetof(Settings, bind)},
    {"cert", "FILE", {"TLS: the certificate, PEM", "TLS：证书，PEM 格式"}, offsetof(Settings, cert)},
    {"key", "FILE", {"TLS: its key, PEM", "TLS：私钥，PEM 格式"}, offsetof(Settings, key)},
    {"token-file", "FILE", {"the file of tokens", "令牌文件"}, offsetof(Settings, tokens)},
    {"targets", "LIST", {"only these: cuda,cpu", "只允许这些目标：cuda,cpu"}, offsetof(Settings, targets)},
    {"env", "LIST", {"names of environment variables that sessions keep beside the known ones",
                     "除已知变量外，会话还可保留的环境变量名"}, offsetof(Settings, env)},
    {"log", "FILE", {"append the log to FILE, not to stderr", "把日志追加到 FILE，而非标准错误"},
     offsetof(Settings, log)},
};

/* Values ------------------------------------------------------------------- */

/* "64", "64M"; false: no such number. */
static bool parse_value(const Setting *s, const char *v, int64_t *out)
{
    static const char unit[] = "KMGT";
    char *end;
    errno = 0;
    long long n = strtoll(v, &end, 10);
    const char *u = s->unit == 'b' && *end ? strchr(unit, *end) : NULL;
    int shift = u ? 10 * (int)(u - unit + 1) : 0;
    if (end == v || errno || (u ? end[1] : *end) || n < 0 || n > INT64_MAX >> shift)
        return false;
    *out = (int64_t)n << shift;
    return *out >= s->least && *out <= s->most;
}

static bool name_is(const char *name, const char *as, size_t n)
{
    if (strlen(name) != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (name[i] != as[i] && !(name[i] == '_' && as[i] == '-'))
            return false;
    return true;
}

static bool settings_set_number(Settings *set, Ctx *c, const Setting *s, const char *shown,
                                const char *v)
{
    char takes[64];
    int64_t n;
    if (!parse_value(s, v, &n)) {
        snprintf(takes, sizeof takes, "%lld .. %lld%s", (long long)s->least, (long long)s->most,
                 s->unit == 'b' ? ", K, M, G" : s->unit == 's' ? " s" : "");
        return serve_report(c, E_serve_value, shown, v, takes);
    }
    *(int64_t *)(void *)((char *)set + s->at) = n;
    return true;
}

/* Sets what name[0 .. n) is called; false: reported. */
static bool set_any(Settings *set, Ctx *c, const char *name, size_t n, const char *shown,
                    const char *v)
{
    static const Setting port = {"port", 0, 'n', 0, 65535, 'a', {"", ""}, 0};
    for (size_t i = 0; i < COUNT(settings); i++)
        if (name_is(settings[i].name, name, n))
            return settings_set_number(set, c, &settings[i], shown, v);
    for (size_t i = 0; i < COUNT(words); i++)
        if (name_is(words[i].name, name, n)) {
            if (!*v)
                return serve_report(c, E_serve_value, shown, v, words[i].arg);
            memcpy((char *)set + words[i].at, &v, sizeof v);
            return true;
        }
    if (name_is("port", name, n)) {
        int64_t p;
        if (!parse_value(&port, v, &p))
            return serve_report(c, E_serve_value, shown, v, "0 .. 65535");
        set->port = (int)p;
        return true;
    }
    return serve_report(c, E_serve_flag, shown, NULL, NULL);
}

/* The config file ---------------------------------------------------------- */

typedef struct SettingsCopy SettingsCopy;
struct SettingsCopy { const char *s; size_t n; char *out; };

static void do_copy(Ctx *c, void *ud)
{
    SettingsCopy *k = ud;
    k->out = astr(c, k->s, k->n);
}

/* In c's arena: settings point to it. */
static char *settings_copy(Ctx *c, const char *s, size_t n)
{
    SettingsCopy k = {s, n, NULL};
    ctx_try(c, do_copy, &k);
    return k.out;
}

/* One line "name = value"; blanks around both do not count. */
static bool config_line(Settings *set, Ctx *c, const char *s, size_t n)
{
    size_t name = 0, from;
    while (n && strchr(" \t\r", s[n - 1]))
        n--;
    while (n && strchr(" \t", *s))
        s++, n--;
    if (!n || *s == '#')
        return true;
    while (name < n && !strchr(" \t=", s[name]))
        name++;
    for (from = name; from < n && strchr(" \t=", s[from]); from++)
        ;
    char *shown = settings_copy(c, s, name), *v = settings_copy(c, s + from, n - from);
    return shown && v && set_any(set, c, s, name, shown, v);
}

static bool config_file(Settings *set, Ctx *c, const char *path)
{
    Str s = {0};
    int err = disk_read(path, &s);
    bool ok = !err;
    if (err)
        serve_report(c, E_serve_start, path, strerror(err), NULL);
    for (size_t at = 0, len; ok && at < s.n; at += len + 1) {
        len = strcspn(s.s + at, "\n");
        ok = config_line(set, c, s.s + at, len);
    }
    str_free(&s);
    return ok;
}

/* All ---------------------------------------------------------------------- */

static void find_out(Settings *set)
{
    int64_t quarter = (int64_t)memory_part(4, 0);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    if (set->memory_all < 0)
        set->memory_all = quarter ? quarter * 3 : set->memory;
    set->cores = cpus > 1 ? (int)cpus : 2; /* never one alone: it would hold up all others */
    if (set->process < 0) {
        set->process = quarter ? quarter : MostProcess;
        set->process = set->process > MostProcess ? MostProcess :
                       set->process < LeastProcess ? LeastProcess : set->process;
    }
    if (set->compiles < 0)
        set->compiles = set->cores;
}

bool settings_targets(const Settings *set, Ctx *c)
{
    char content[200] = "", one[64];
    size_t n = 0;
    for (const Target *const *t = targets; *t; t++)
        if (strcmp((*t)->name, "remote") != 0 && n < sizeof content)
            n += (size_t)snprintf(content + n, sizeof content - n, "%s%s", n ? ", " : "",
                                  (*t)->name);
    for (const char *s = set->targets ? set->targets : ""; *s; s += n + (s[n] == ',')) {
        n = strcspn(s, ",");
        snprintf(one, sizeof one, "%.*s", (int)(n < 60 ? n : 60), s);
        const Target *t = *one ? target_find(one) : NULL;
        if (!t || strcmp(t->name, "remote") == 0 || strlen(t->name) != strlen(one))
            return serve_report(c, E_target_unknown, one, content, NULL);
    }
    return true;
}

bool settings_read(Settings *set, Ctx *c, int argc, char **argv)
{
    *set = (Settings){.bind = "127.0.0.1", .port = DefaultPort};
    for (size_t i = 0; i < COUNT(settings); i++)
        memcpy((char *)set + settings[i].at, &settings[i].first, sizeof settings[i].first);
    for (int i = 0; i < argc; i++) {
        const char *a = argv[i];
        if (strncmp(a, "--", 2) != 0)
            return serve_report(c, E_serve_flag, a, NULL, NULL);
        size_t n = strcspn(a + 2, "=");
        const char *v = a[2 + n] ? a + 3 + n : i + 1 < argc ? argv[++i] : NULL;
        char *shown = settings_copy(c, a, n + 2);
        v = v ? v : ""; /* which none takes, and says so */
        bool ok = !shown ? false :
                  !name_is("config", a + 2, n) ? set_any(set, c, a + 2, n, shown, v) :
                  *v ? config_file(set, c, v) : serve_report(c, E_serve_value, shown, v, "FILE");
        if (!ok)
            return false;
    }
    find_out(set);
    if (!set->cert != !set->key)
        return serve_report(c, E_serve_value, set->cert ? "--key" : "--cert", "", "FILE");
    return settings_targets(set, c);
}

void settings_help(Str *out, enum Lang lang)
{
    char name[48], v[32];
    for (size_t i = 0; i < COUNT(words); i++) {
        snprintf(name, sizeof name, "--%s %s", words[i].name, words[i].arg);
        str_fmt(out, "  %-22s%s\n", name, words[i].text[lang]);
    }
    str_fmt(out, "  %-22s%s\n", "--port N", lang == LANGzh ? "端口（8411）；0：由系统选择" :
            "the port (8411); 0: any, it is printed");
    str_fmt(out, "  %-22s%s\n", "--config FILE", lang == LANGzh ? "文件，每行“名称 = 值”" :
            "a file of lines \"name = value\"");
    str_puts(out, "\n");
    for (size_t i = 0; i < COUNT(settings); i++) {
        const Setting *s = &settings[i];
        size_t n = (size_t)snprintf(name, sizeof name, "--%s N", s->name);
        for (size_t k = 0; k < n; k++)
            name[k] = name[k] == '_' ? '-' : name[k];
        str_fmt(out, "  %-22s%s", name, s->text[lang]);
        if (s->first >= 0)
            str_fmt(out, " (%s)", s->unit == 'b' ? say_bytes(v, s->first) :
                    (snprintf(v, sizeof v, "%lld", (long long)s->first), v));
        str_puts(out, "\n");
    }
}

void settings_limits(const Settings *set, Str *out)
{
    str_puts(out, "{");
    for (size_t i = 0; i < COUNT(settings); i++) {
        int64_t v;
        memcpy(&v, (const char *)set + settings[i].at, sizeof v);
        if (settings[i].who != 'c')
            continue;
        say_key(out, settings[i].name);
        str_fmt(out, "%lld", (long long)v);
    }
    str_puts(out, "}");
}
