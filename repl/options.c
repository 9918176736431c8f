/* repl/options.c: reads the command line and prints the help, both from the
 * one table in flags.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/device/session.h"
#include "options.h"

enum FlagId {
#define FLAG(id, sh, lg, arg, where, en, zh) F_##id,
#include "flags.h"
    NFlag
};

typedef struct Flag {
    const char *sh, *lg, *arg;
    char where;
    const char *text[NLang];
} Flag;

static const Flag flags[NFlag] = {
#define FLAG(id, sh, lg, arg, where, en, zh) [F_##id] = {sh, lg, arg, where, {en, zh}},
#include "flags.h"
};

typedef struct FlagWord {
    const char *name;
    Command *run;
    const char *text[NLang];
} FlagWord;

static const FlagWord words[] = {
#define WORD(name, fn, en, zh) {#name, fn, {en, zh}},
#include "flags.h"
};

/* Help ------------------------------------------------------------------- */

typedef struct Example {
    const char *line;
    const char *text[NLang];
} Example;

static const Example examples[] = {
    {"moontile", {"the prompt: type a kernel, press Enter", "提示符：输入内核，按回车"}},
};

static const char *const heading[NLang] = {"Usage:", "用法："};

static void flag_name(const Flag *f, char *out, size_t n)
{
    snprintf(out, n, "%s%s%s%s%s%s%s", f->sh[0] ? "-" : "", f->sh,
             f->sh[0] && f->lg[0] ? ", " : "", f->lg[0] ? "--" : "", f->lg,
             f->arg[0] ? " " : "", f->arg);
}

/* The command whose flag this is; NULL: it is nobody's own. */
static Command *options_owner(const Flag *f)
{
    return f->where == 'c' || f->where == 'o' ? cmd_compile : f->where == 'l' ? cmd_plot :
           f->where == 'a' ? cmd_help : NULL;
}

/* Does the flag belong to another command than this? */
static bool options_strange(const Flag *f, Command *command)
{
    Command *own = options_owner(f);
    return own && own != command && !(f->where == 'o' && command == cmd_convert);
}

void options_help(FILE *f, const ReplOptions *o)
{
    char name[64];
    enum Lang lang = o->lang;
    fprintf(f, "%s moontile [FLAGS] [FILE|-] [ARGS]\n", heading[lang]);
    for (size_t i = 0; i < COUNT(examples); i++)
        fprintf(f, "  %-22s%s\n", examples[i].line, examples[i].text[lang]);
    for (size_t i = 0; i < COUNT(words); i++)
        if (words[i].run)
            fprintf(f, "  %-22s%s\n", words[i].name, words[i].text[lang]);
    fputs("\n", f);
    for (size_t i = 0; i < NFlag; i++) {
        if (!flags[i].text[lang][0] || options_strange(&flags[i], o->command) || i == F_help)
            continue; /* --help stands on the line of --version */
        flag_name(&flags[i], name, sizeof name);
        fprintf(f, "  %-22s%s\n", name, flags[i].text[lang]);
    }
}

/* Parsing ---------------------------------------------------------------- */

/* Edit distance of two short words: how near a misspelling is. */
static size_t options_distance(const char *a, const char *b)
{
    size_t row[32], n = strlen(b);
    if (n + 1 > COUNT(row))
        return SIZE_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diag = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = diag + (a[i - 1] != b[j - 1]);
            diag = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[n];
}

static const char *nearest(const char *name)
{
    const char *best = NULL;
    size_t least = 3;
    for (size_t i = 0; i < NFlag; i++)
        if (flags[i].lg[0] && flags[i].text[LANGen][0]) {
            size_t d = options_distance(name, flags[i].lg);
            if (d < least) {
                least = d;
                best = flags[i].lg;
            }
        }
    return best;
}

const char *options_word_near(const char *name)
{
    const char *best = NULL;
    size_t least = 3;
    for (size_t i = 0; i < COUNT(words); i++) {
        size_t d = words[i].run ? options_distance(name, words[i].name) : least;
        if (d < least) {
            least = d;
            best = words[i].name;
        }
    }
    return best;
}

/* The flag that `arg` spells, and where its argument starts when that is in
 * the same word ("-lmod", "--lang=zh"); NULL when there is no such flag. */
static const Flag *find_flag(const char *arg, const char **value)
{
    *value = NULL;
    if (arg[1] != '-') {
        for (size_t i = 0; i < NFlag; i++)
            if (flags[i].sh[0] && flags[i].sh[0] == arg[1]) {
                if (arg[2])
                    *value = arg + 2;
                return &flags[i];
            }
        return NULL;
    }
    size_t n = strcspn(arg + 2, "=");
    for (size_t i = 0; i < NFlag; i++)
        if (strlen(flags[i].lg) == n && n && strncmp(flags[i].lg, arg + 2, n) == 0) {
            if (arg[2 + n] == '=')
                *value = arg + 3 + n;
            return &flags[i];
        }
    return NULL;
}

/* One of a few words; -1 after a message. */
static int options_choice(const ReplOptions *o, const Flag *f, const char *v,
                          const char *const *list, const char *shown)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], v) == 0)
            return i;
    usage_error(o->lang, SAYvalue, f->lg, shown, v);
    return -1;
}

/* What a target's kernels are as a text, of its name; NULL: v names no target. */
static const char *text_of(const char *v)
{
    for (int i = 0; targets[i]; i++)
        if (strcmp(targets[i]->name, v) == 0)
            return targets[i]->text.kind ? targets[i]->text.kind : "thread";
    return NULL;
}

/* --emit: a program of ours, or a text that a target prints. */
static bool options_emit(const ReplOptions *o, const Flag *f)
{
    enum { Most = 14 };
    const char *list[Most + 1] = {"ir", "thread", NULL};
    char shown[256] = "ir, thread";
    for (int i = 0, n = 2; targets[i] && n < Most; i++) {
        const char *kind = targets[i]->text.kind;
        if (!kind)
            continue;
        list[n++] = kind;
        snprintf(shown + strlen(shown), sizeof shown - strlen(shown), ", %s", kind);
    }
    const char *own = text_of(o->emit);
    if (own && strcmp(own, o->emit) != 0) {
        usage_error(o->lang, SAYemits, o->emit, own, NULL);
        return false;
    }
    return options_choice(o, f, o->emit, list, shown) >= 0;
}

/* A file for the workers, which find its name in the environment. */
static bool set_name(const ReplOptions *o, const Flag *f, const char *name, const char *file)
{
    if (access(file, R_OK) == 0 && setenv(name, file, 1) == 0)
        return true;
    usage_error(o->lang, SAYflagfile, f->lg, file, strerror(errno));
    return false;
}

static bool set_flag(ReplOptions *o, const Flag *f, const char *v)
{
    static const char *const langs[] = {"en", "zh", NULL};
    static const char *const whens[] = {"auto", "always", "never", NULL};
    int k;
    switch ((enum FlagId)(f - flags)) {
    case F_exec:
    case F_library:
        o->action[o->naction++] = (Action){f->sh[0], v};
        break;
    case F_prompt: o->prompt = true; break;
    case F_target: o->target = v; break;
    case F_emit:
        o->emit = v;
        return options_emit(o, f);
    case F_outdir: o->outdir = v; break;
    case F_json: o->json = true; break;
    case F_all: o->all = true; break;
    case F_kernel: o->kernel = v; break;
    case F_svg: o->svg = v; break;
    case F_width:
        o->width = atoi(v);
        if (o->width < 1 || strspn(v, "0123456789") != strlen(v)) {
            usage_error(o->lang, SAYvalue, f->lg, "1, 2, ..", v);
            return false;
        }
        break;
    case F_lang:
        if (o->command == cmd_puzzles && (strcmp(v, "python") == 0 || strcmp(v, "lua") == 0)) {
            o->code = v;
            break;
        }
        if ((k = options_choice(o, f, v, langs, o->command == cmd_puzzles ? "en, zh, python, lua" : "en, zh")) < 0)
            return false;
        o->lang = (enum Lang)k;
        break;
    case F_color:
        if ((k = options_choice(o, f, v, whens, "auto, always, never")) < 0)
            return false;
        o->colour = (enum When)k;
        break;
    case F_noenv: o->noenv = true; break;
    case F_warn: o->warn = true; break;
    case F_version: o->version = true; break;
    case F_help: o->help = true; break;
    case F_irtrip: o->irtrip = true; o->irfile = v; break;
    case F_ircheck: o->ircheck = true; o->irfile = v; break;
    case F_irlower: o->irlower = v; break;
    case F_selfcheck: o->selfcheck = true; break;
    case F_connect: o->connect = v; break;
    case F_cacert: return set_name(o, f, "MOONTILE_CACERT", v);
    case F_tokenfile:
        o->token_file = true;
        return set_name(o, f, "MOONTILE_TOKEN_FILE", v);
    case NFlag: break;
    }
    return true;
}

/* The word that names the command of o. */
static const char *command_name(const ReplOptions *o)
{
    for (size_t i = 0; i < COUNT(words); i++)
        if (words[i].run == o->command)
            return words[i].name;
    return "";
}

/* Takes the flag at argv[*i]; moves *i on to the last word used. */
static bool take_flag(ReplOptions *o, int *i)
{
    const char *arg = o->argv[*i], *v;
    const Flag *f = find_flag(arg, &v);
    if (!f) {
        const char *near = arg[1] == '-' ? nearest(arg + 2) : NULL;
        if (near)
            usage_error(o->lang, SAYnear, arg, near, NULL);
        else
            usage_error(o->lang, SAYunknown, arg, NULL, NULL);
        return false;
    }
    if (f->where == 'p') {
        usage_error(o->lang, SAYplanned, arg, NULL, NULL);
        return false;
    }
    if (o->command && (f == &flags[F_exec] || f == &flags[F_library] || f == &flags[F_prompt])) {
        usage_error(o->lang, SAYunused, arg, command_name(o), NULL);
        return false;
    }
    if (options_strange(f, o->command)) {
        usage_error(o->lang, SAYplace, arg,
                    options_owner(f) == cmd_compile ? "compile" : f->where == 'l' ? "plot" : "help", NULL);
        return false;
    }
    if (f->arg[0] && !v) {
        if (*i + 1 >= o->argc) {
            usage_error(o->lang, SAYnoarg, arg, NULL, NULL);
            return false;
        }
        v = o->argv[++*i];
    } else if (!f->arg[0] && v) {
        usage_error(o->lang, arg[1] == '-' ? SAYextra : SAYunknown, arg, NULL, NULL);
        return false;
    }
    return set_flag(o, f, v);
}

/* Chinese when the first of these that is set says so. */
static enum Lang lang_from_env(void)
{
    static const char *const vars[] = {"MOONTILE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < COUNT(vars); i++) {
        const char *v = getenv(vars[i]);
        if (v && v[0])
            return strncmp(v, "zh", 2) == 0 ? LANGzh : LANGen;
    }
    return LANGen;
}

static const FlagWord *options_find_word(const char *s)
{
    for (size_t i = 0; i < COUNT(words); i++)
        if (strcmp(words[i].name, s) == 0)
            return &words[i];
    return NULL;
}

/* A command takes flags on both sides of its FILE. */
static bool parse_command(ReplOptions *o, const FlagWord *w, int i)
{
    bool only_words = false;
    for (; i < o->argc; i++) {
        const char *a = o->argv[i];
        if (!only_words && strcmp(a, "--") == 0)
            only_words = true;
        else if (!only_words && a[0] == '-' && a[1]) {
            if (!take_flag(o, &i))
                return false;
        } else if (!o->script)
            o->script = i;
        else if (w->run == cmd_plot && o->nmore < (int)COUNT(o->more))
            o->more[o->nmore++] = i;
        else {
            usage_error(o->lang, SAYsurplus, a, w->name, NULL);
            return false;
        }
    }
    if (o->help)
        return true;
    if (!o->script && w->run != cmd_help)
        usage_error(o->lang, SAYnoname, w->name, NULL, NULL);
    else if (w->run == cmd_compile && !o->emit)
        usage_error(o->lang, SAYnoemit, NULL, NULL, NULL);
    else
        return true;
    return false;
}

/* Does f belong to a client of a server?  `serve` has others of these names. */
static bool of_clients(const Flag *f)
{
    return f == &flags[F_connect] || f == &flags[F_cacert] || f == &flags[F_tokenfile];
}

/* puzzles, serve and doctor have words and flags of their own, which they read themselves, --help
 * too: what is not for all commands stays, side by side, in argv. */
static bool parse_own(ReplOptions *o, int i)
{
    bool only_words = false;
    for (o->own = i; i < o->argc; i++) {
        char *a = o->argv[i];
        const char *v;
        only_words = only_words || strcmp(a, "--") == 0;
        const Flag *f = !only_words && a[0] == '-' && a[1] ? find_flag(a, &v) : NULL;
        if (f && o->command == cmd_serve && of_clients(f))
            f = NULL;
        if (f && f->where == 'b' && f != &flags[F_help]) {
            if (!take_flag(o, &i))
                return false;
        } else {
            o->argv[o->own + o->nown++] = a;
        }
    }
    return true;
}

static bool repl_options_parse(ReplOptions *o, int argc, char **argv)
{
    *o = (ReplOptions){.argc = argc, .argv = argv, .lang = lang_from_env()};
    o->action = calloc((size_t)argc + 1, sizeof *o->action);
    if (!o->action) {
        usage_error(o->lang, SAYmemory, NULL, NULL, NULL);
        return false;
    }
    int i = 1;
    for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        if (!take_flag(o, &i))
            return false;
    }
    if (i >= argc)
        return true;
    const FlagWord *w = strcmp(argv[i - 1], "--") == 0 ? NULL : options_find_word(argv[i]);
    if (!w) {
        o->script = i;
        return true;
    }
    if (!w->run) {
        usage_error(o->lang, SAYplanned, w->name, NULL, NULL);
        return false;
    }
    o->command = w->run;
    if (o->naction || o->prompt) {
        const char a[] = {'-', o->naction ? o->action[0].flag : 'i', 0};
        usage_error(o->lang, SAYunused, a, w->name, NULL);
        return false;
    }
    bool own = w->run == cmd_puzzles || w->run == cmd_serve || w->run == cmd_doctor;
    return own ? parse_own(o, i + 1) : parse_command(o, w, i + 1);
}

/* --connect URL -t "cuda -device=1" is the target "remote -url=URL -on=cuda -device=1". */
static bool join_target(ReplOptions *o)
{
    Str s = {0};
    const char *t = o->target ? o->target : "";
    t += strspn(t, " ");
    size_t n = strcspn(t, " ");
    bool own = n && !(n == 4 && memcmp(t, "auto", n) == 0) &&
               !(n == 6 && memcmp(t, "remote", n) == 0);
    if (!o->connect)
        return true;
    str_fmt(&s, "remote -url=%s%s%s", o->connect, own ? " -on=" : "", own ? t : t + n);
    o->spec = s.s;
    o->target = s.s;
    if (s.bad)
        usage_error(o->lang, SAYmemory, NULL, NULL, NULL);
    return !s.bad;
}

bool options_parse(ReplOptions *o, int argc, char **argv)
{
    if (!repl_options_parse(o, argc, argv))
        return false;
    if (o->json && !o->command && !o->help && !o->version) {
        usage_error(o->lang, SAYcommand, "--json", NULL, NULL);
        return false;
    }
    return join_target(o);
}

void options_free(ReplOptions *o)
{
    free(o->action);
    free(o->spec);
    o->action = NULL;
    o->spec = NULL;
}
