/* core/diag.c: collecting messages and showing them.
 *
 * A message is a row of errs.h and up to six pieces of text.  It is turned
 * into a sentence only when it is shown, in the language asked for then. */
#include <stdlib.h>
#include <string.h>

#include "base.h"

const ErrInfo errinfo[NErr] = {
    [E_none] = {"none", "E000", Lnote, {"", ""}, {"", ""}, {"", ""}},
#define ERR(id, code, level, en, zh, len, lzh, hen, hzh) \
    [E_##id] = {#id, code, level, {en, zh}, {len, lzh}, {hen, hzh}},
#include "errs.h"
#undef ERR
};

enum Err errbyid(const char *id)
{
    for (int e = 1; e < NErr; e++)
        if (strcmp(errinfo[e].id, id) == 0)
            return (enum Err)e;
    return E_none;
}

enum Err errbycode(const char *code)
{
    for (int e = 1; e < NErr; e++)
        if (strcmp(errinfo[e].code, code) == 0)
            return (enum Err)e;
    return E_none;
}

static Diag *mkdiag(Ctx *c, enum Err e, Loc l, va_list ap)
{
    Diag *d = anew(c, sizeof *d);
    d->err = e;
    d->loc = l;
    for (int i = 0; i < DiagArgs; i++) {
        const char *s = va_arg(ap, const char *);
        if (!s)
            break;
        d->arg[i] = astr(c, s, strlen(s));
    }
    return d;
}

static Diag *add(Ctx *c, Diag *d)
{
    *c->diagtail = d;
    c->diagtail = &d->next;
    if (errinfo[d->err].level == Lerror)
        c->nerror++;
    return d;
}

Diag *diag(Ctx *c, enum Err e, Loc l, ...)
{
    va_list ap;
    va_start(ap, l);
    Diag *d = mkdiag(c, e, l, ap);
    va_end(ap);
    return add(c, d);
}

Diag *diag_note(Ctx *c, Diag *of, enum Err e, Loc l, ...)
{
    va_list ap;
    va_start(ap, l);
    Diag *d = mkdiag(c, e, l, ap);
    va_end(ap);
    Diag **at = &of->note;
    while (*at)
        at = &(*at)->next;
    return *at = d;
}

void diag_fail(Ctx *c, enum Err e, Loc l, ...)
{
    va_list ap;
    va_start(ap, l);
    Diag *d = mkdiag(c, e, l, ap);
    va_end(ap);
    add(c, d);
    ctx_unwind(c);
}

/* Rendering ------------------------------------------------------------ */

void diag_text(Str *out, const Diag *d, const char *pattern)
{
    for (const char *s = pattern; *s; s++) {
        if (s[0] == '{' && s[1] >= '1' && s[1] <= '0' + DiagArgs && s[2] == '}') {
            const char *a = d->arg[s[1] - '1'];
            str_puts(out, a ? a : "?");
            s += 2;
        } else {
            str_add(out, s, 1);
        }
    }
}

static const char *const levelname[NLang][3] = {
    {"error", "warning", "note"},
    {"错误", "警告", "说明"},
};
static const char *const levelcolour[] = {"\033[1;31m", "\033[1;33m", "\033[1;36m"};
static const char *const helpname[NLang] = {"help", "建议"};
static const char *const noname[NLang] = {"moontile", "moontile"};

static const char *text(const char *const by[NLang], enum Lang lang)
{
    return by[lang][0] ? by[lang] : by[LANGen];
}

static void colour(Str *out, bool on, const char *code)
{
    if (on)
        str_puts(out, code);
}

static bool namechar(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
           (ch >= '0' && ch <= '9') || ch == '_' || ch == '.' || ch == ':';
}

/* How many columns the carets cover: the dotted name that starts at col, a
 * quoted string, or one character. */
static size_t span(const char *line, size_t n, size_t col)
{
    size_t i = col - 1;
    while (i < n && namechar(line[i]))
        i++;
    while (i > col && (line[i - 1] == '.' || line[i - 1] == ':'))
        i--;
    return i > col - 1 ? i - (col - 1) : 1;
}

/* The user's line, and under it carets and the label.  A tab stays a tab and
 * a wide character becomes the two blanks it covers, so that carets line up
 * in any terminal. */
static void showline(Str *out, const Diag *d, const char *line, size_t n,
                     enum Lang lang, bool col)
{
    const ErrInfo *e = &errinfo[d->err];
    size_t at = d->loc.col, skip = 0;
    if (!at) {
        while (skip < n && (line[skip] == ' ' || line[skip] == '\t'))
            skip++;
        at = skip + 1;
    }
    if (at > n + 1)
        at = n + 1;
    str_fmt(out, "%5u | %.*s\n      | ", (unsigned)d->loc.line, (int)n, line);
    for (size_t i = 0; i + 1 < at; i++) {
        unsigned char ch = (unsigned char)line[i];
        if (ch == '\t')
            str_puts(out, "\t");
        else if (ch >= 0xe0)
            str_puts(out, "  "); /* three bytes and more: East Asian, mostly */
        else if (ch < 0x80 || ch >= 0xc0)
            str_puts(out, " ");
    }
    colour(out, col, levelcolour[e->level]);
    for (size_t i = span(line, n, at); i; i--)
        str_puts(out, "^");
    const char *label = text(e->label, lang);
    if (label[0]) {
        str_puts(out, " ");
        diag_text(out, d, label);
    }
    colour(out, col, "\033[0m");
    str_puts(out, "\n");
}

static void place(Str *out, const Ctx *c, Loc l, enum Lang lang)
{
    if (!l.file || l.file >= c->nfile) {
        str_puts(out, noname[lang]);
    } else {
        const char *name = c->file[l.file];
        if (name[0] == '@' || name[0] == '=')
            name++;
        str_puts(out, name);
        if (l.line)
            str_fmt(out, ":%u", (unsigned)l.line);
        if (l.line && l.col)
            str_fmt(out, ":%u", (unsigned)l.col);
    }
    str_puts(out, ": ");
}

void diag_render(Str *out, const Ctx *c, const Diag *d, enum Lang lang,
                 bool col, SourceFn *source, void *ud)
{
    const ErrInfo *e = &errinfo[d->err];
    colour(out, col, "\033[1m");
    place(out, c, d->loc, lang);
    colour(out, col, levelcolour[e->level]);
    str_puts(out, levelname[lang][e->level]);
    if (e->level != Lnote)
        str_fmt(out, "[%s]", e->code);
    colour(out, col, "\033[0m\033[1m");
    str_puts(out, ": ");
    diag_text(out, d, text(e->title, lang));
    colour(out, col, "\033[0m");
    size_t n = 0;
    const char *line = NULL;
    if (source && d->loc.file && d->loc.file < c->nfile && d->loc.line)
        line = source(ud, c->file[d->loc.file], d->loc.line, &n);
    if (line) {
        str_puts(out, "\n");
        showline(out, d, line, n, lang, col);
    } else {
        const char *label = text(e->label, lang);
        if (label[0]) {
            str_puts(out, ": ");
            diag_text(out, d, label);
        }
        str_puts(out, "\n");
    }
    for (const Diag *k = d->note; k; k = k->next)
        diag_render(out, c, k, lang, col, source, ud);
    if (text(e->help, lang)[0]) {
        colour(out, col, "\033[36m");
        str_fmt(out, "%s: ", helpname[lang]);
        colour(out, col, "\033[0m");
        diag_text(out, d, text(e->help, lang));
        str_puts(out, "\n");
    }
}
