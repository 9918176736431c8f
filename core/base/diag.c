/* core/base/diag.c: collecting messages and showing them.
 *
 * A message is a row of errs.h and up to six pieces of text.  It is turned
 * into a sentence only when it is shown, in the language asked for then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "err/python_run.h"

static Diag *mkdiag(Ctx *c, Err e, Loc l, va_list ap)
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

static Diag *diag_append(Ctx *c, Diag *d)
{
    *c->diagtail = d;
    c->diagtail = &d->next;
    if (err_info(d->err)->level == Lerror)
        c->nerror++;
    return d;
}

Diag *diag(Ctx *c, Err e, Loc l, ...)
{
    va_list ap;
    va_start(ap, l);
    Diag *d = mkdiag(c, e, l, ap);
    va_end(ap);
    return diag_append(c, d);
}

Diag *diag_note(Ctx *c, Diag *of, Err e, Loc l, ...)
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

void diag_fail(Ctx *c, Err e, Loc l, ...)
{
    va_list ap;
    va_start(ap, l);
    Diag *d = mkdiag(c, e, l, ap);
    va_end(ap);
    diag_append(c, d);
    ctx_unwind(c);
}

const Diag *diag_first_error(const Ctx *c)
{
    const Diag *d = c->diags;
    while (d && err_info(d->err)->level != Lerror)
        d = d->next;
    return d;
}

/* A copy of d for c, from whose files' table its positions come. */
static Diag *adopted(Ctx *c, const Ctx *from, const Diag *d)
{
    Diag *n = anew(c, sizeof *n);
    n->err = d->err;
    n->loc = d->loc;
    n->python = d->python;
    if (d->loc.file && d->loc.file < from->nfile)
        n->loc.file = ctx_file(c, from->file[d->loc.file]);
    for (int i = 0; i < DiagArgs && d->arg[i]; i++)
        n->arg[i] = astr(c, d->arg[i], strlen(d->arg[i]));
    Diag **at = &n->note;
    for (const Diag *k = d->note; k; k = k->next, at = &(*at)->next)
        *at = adopted(c, from, k);
    return n;
}

void diag_adopt(Ctx *c, const Ctx *from)
{
    for (const Diag *d = from->diags; d; d = d->next)
        diag_append(c, adopted(c, from, d));
}

/* Rendering ------------------------------------------------------------ */

/* Length of s up to the bar or brace that ends it; holes may stand in it. */
static size_t diag_side(const char *s)
{
    size_t n = 0;
    for (int depth = 0; s[n] && (depth || (s[n] != '|' && s[n] != '}')); n++)
        depth += (s[n] == '{') - (s[n] == '}');
    return n;
}

static void filled(Str *out, const Diag *d, const char *pattern, enum Lang lang);

/* {N|one|many}: picks by argument N of d.  s stands behind the bar after the
 * digit; returns the closing brace, or NULL when this is no such choice. */
static const char *diag_choice(Str *out, const char *s, const Diag *d, const char *arg,
                               enum Lang lang)
{
    size_t one = diag_side(s), many = s[one] == '|' ? diag_side(s + one + 1) : 0;
    const char *second = s + one + 1;
    if (s[one] != '|' || second[many] != '}')
        return NULL;
    Str taken = {0};
    bool first = arg && strcmp(arg, "1") == 0;
    str_add(&taken, first ? s : second, first ? one : many);
    filled(out, d, taken.s ? taken.s : "", lang);
    out->bad = out->bad || taken.bad;
    str_free(&taken);
    return second + many;
}

/* {0|lua|python}; s stands behind the first bar.  Returns the closing brace, or NULL: it is none. */
static const char *written(const char *s, bool python, const char **taken, size_t *n)
{
    size_t lua = diag_side(s), more = s[lua] == '|' ? diag_side(s + lua + 1) : 0;
    if (s[lua] != '|' || s[lua + 1 + more] != '}')
        return NULL;
    *taken = python ? s + lua + 1 : s;
    *n = python ? more : lua;
    return s + lua + 1 + more;
}

void diag_written(Str *out, const char *pattern, bool python)
{
    for (const char *s = pattern, *end, *taken; *s; s++) {
        size_t n = 1;
        if (strncmp(s, "{0|", 3) == 0 && (end = written(s + 3, python, &taken, &n)) != NULL) {
            str_add(out, taken, n);
            s = end;
        } else {
            str_add(out, s, 1);
        }
    }
}

static bool diag_wide(char c) { return ((unsigned char)c & 0x80) != 0; }

/* Appends an argument.  A blank stands between Chinese and Latin text only:
 * one that came before or follows at s goes when both its sides are Chinese.
 * Returns what follows. */
static const char *diag_argument(Str *out, const char *a, const char *s)
{
    size_t m = strlen(a);
    if (m && diag_wide(a[0]) && out->n > 1 && out->s[out->n - 1] == ' ' &&
        diag_wide(out->s[out->n - 2]))
        out->s[--out->n] = '\0';
    str_visible(out, a, m);
    return m && diag_wide(a[m - 1]) && s[0] == ' ' && diag_wide(s[1]) ? s + 1 : s;
}

/* The same in the language of the message.  What stands between back-ticks is a name. */
static const char *worded(Str *out, const Diag *d, const char *a, const char *s, enum Lang lang)
{
    Str zh = {0};
    bool name = out->n && out->s[out->n - 1] == '`';
    bool found = !name && ((d->python && phrase_python(&zh, a)) ||
                           (lang == LANGzh && phrase_zh(&zh, d->err, a)));
    out->bad = out->bad || zh.bad;
    s = diag_argument(out, found && zh.s ? zh.s : a, s);
    str_free(&zh);
    return s;
}

static void filled(Str *out, const Diag *d, const char *pattern, enum Lang lang)
{
    for (const char *s = pattern; *s; s++) {
        bool hole = s[0] == '{' && s[1] >= '1' && s[1] <= '0' + DiagArgs;
        const char *a = hole && d ? d->arg[s[1] - '1'] : NULL, *end;
        if (hole && s[2] == '|' && (end = diag_choice(out, s + 3, d, a, lang)) != NULL) {
            s = end;
        } else if (hole && s[2] == '}' && d) {
            s = worded(out, d, a ? a : "?", s + 3, lang) - 1;
        } else {
            str_add(out, s, 1);
        }
    }
}

void diag_text(Str *out, const Diag *d, const char *pattern, enum Lang lang)
{
    Str own = {0};
    diag_written(&own, pattern, d && d->python);
    filled(out, d, own.s ? own.s : "", lang);
    out->bad = out->bad || own.bad;
    str_free(&own);
}

static const char *const levelname[NLang][NLevel] = {
    {"error", "warning", "note", "note", "note"},
    {"错误", "警告", "说明", "说明", "说明"},
};
const char *level_word(enum Level l) { return levelname[LANGen][l]; }

static const char *const levelcolour[] = {"\033[1;31m", "\033[1;33m", "\033[1;36m",
                                          "\033[1;36m", "\033[1;36m"};
static const char *const helpname[NLang] = {"help", "建议"};
static const char *const noname[NLang] = {"moontile", "moontile"};

static const char *text_in_language(const char *const by[NLang], enum Lang lang)
{
    return by[lang][0] ? by[lang] : by[LANGen];
}

static void colour(Str *out, bool on, const char *code)
{
    if (on)
        str_puts(out, code);
}

static bool diag_wordchar(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
           (ch >= '0' && ch <= '9') || ch == '_';
}

/* Where a word or operator stands in a line of code, counting from 1; 0 when
 * it does not stand there exactly once.  Words are whole, comments do not
 * count. */
static size_t diag_only_place(const char *line, size_t n, const char *word, size_t m)
{
    size_t found = 0;
    bool name = m && diag_wordchar(word[0]);
    for (size_t i = 0; m && i + m <= n; i++) {
        if (line[i] == '-' && i + 1 < n && line[i + 1] == '-')
            break;
        if (memcmp(line + i, word, m) != 0)
            continue;
        if (name && ((i && (diag_wordchar(line[i - 1]) || line[i - 1] == '.')) ||
                     (i + m < n && diag_wordchar(line[i + m]))))
            continue;
        if (found)
            return 0;
        found = i + 1;
    }
    return found;
}

/* The place of the first text between back-ticks of a pattern that the line
 * has: what the message is about. */
static size_t subject(const Diag *d, const char *pattern, const char *line, size_t n)
{
    Str b = {0};
    size_t found = 0;
    diag_text(&b, d, pattern, LANGen);
    for (const char *s = b.s; s && !found && (s = strchr(s, '`')) != NULL;) {
        const char *end = strchr(++s, '`');
        if (!end)
            break;
        found = diag_only_place(line, n, s, (size_t)(end - s));
        s = end + 1;
    }
    str_free(&b);
    return found;
}

/* The place of the first name T.x of a pattern that the line has. */
static size_t called(const Diag *d, const char *pattern, const char *line, size_t n)
{
    Str b = {0};
    size_t found = 0, m;
    diag_text(&b, d, pattern, LANGen);
    for (const char *s = b.s; s && !found && (s = strstr(s, "T.")) != NULL; s += m) {
        for (m = 2; diag_wordchar(s[m]);)
            m++;
        found = m > 2 && (s == b.s || !diag_wordchar(s[-1])) ? diag_only_place(line, n, s, m) : 0;
    }
    str_free(&b);
    return found;
}

/* The first place of a word of s in line[from ..], counting from 1; 0: there is none. */
static size_t first_word(const char *line, size_t from, size_t n, const char *s, size_t m)
{
    for (size_t i = 0, k; i < m; i += k + 1) {
        for (k = 0; i + k < m && diag_wordchar(s[i + k]);)
            k++;
        for (size_t at = from; k && at + k <= n; at++)
            if (memcmp(line + at, s + i, k) == 0 && !(at && diag_wordchar(line[at - 1])) &&
                !(at + k < n && diag_wordchar(line[at + k])))
                return at + 1;
    }
    return 0;
}

/* What T.Parallel and operations on tiles may not be given stands in the line more than once, or
 * written otherwise: a place left of the `=`, a value right of it. */
static size_t part_of_it(const Diag *d, const char *line, size_t n)
{
    const char *code = err_info(d->err)->code, *given = memchr(line, '=', n);
    size_t from = strcmp(code, "E776") == 0 && given ? (size_t)(given - line) : 0, m;
    const char *s = d->arg[code[3] == '8'];
    if (strncmp(code, "E77", 3) != 0 || code[3] < '5' || code[3] > '8' || !s)
        return 0;
    m = strlen(s);
    for (size_t i = from; i + m <= n; i++)
        if (memcmp(line + i, s, m) == 0 && !(i && diag_wordchar(line[i - 1])) &&
            !(i + m < n && diag_wordchar(line[i + m])))
            return i + 1;
    return first_word(line, from, n, s, m);
}

/* Readers of texts know the place to the character: E001 to E099, of Python E1000 to E1099. */
static bool diag_exact(const char *code)
{
    return strlen(code) > 4 ? code[1] == '1' && code[2] == '0' : code[1] == '0';
}

uint16_t diag_column(const Diag *d, const char *line, size_t n)
{
    const ErrInfo *e = err_info(d->err);
    size_t at = d->loc.col;
    if (at && (diag_exact(e->code) || at > n || diag_wordchar(line[at - 1])))
        return d->loc.col; /* not just the operator at which it was noticed */
    size_t found = subject(d, e->title[LANGen], line, n);
    if (!found)
        found = part_of_it(d, line, n);
    if (!found)
        found = called(d, e->title[LANGen], line, n);
    if (!found)
        found = subject(d, e->label[LANGen], line, n);
    return found && found <= UINT16_MAX ? (uint16_t)found : d->loc.col;
}

/* Only the name itself has no value: `N` of `N.bit_length()`. */
static bool name_alone(Err e)
{
    return e == E_py_name || e == E_py_name_near || e == E_py_name_import || e == E_py_unbound;
}

/* How many columns the carets cover: the dotted name that starts at col, or its
 * first part alone; if wanted with the indices behind it; or one character. */
static size_t diag_span(const char *line, size_t n, size_t col, bool alone, bool indexed)
{
    size_t i = col - 1, depth = 0;
    while (i < n && (diag_wordchar(line[i]) || (!alone && (line[i] == '.' || line[i] == ':'))))
        i++;
    while (i > col && (line[i - 1] == '.' || line[i - 1] == ':'))
        i--;
    if (i == col - 1)
        return 1;
    for (size_t k = i; indexed && k < n && (depth || line[k] == '['); k++) {
        depth += line[k] == '[';
        depth -= line[k] == ']';
        if (!depth)
            i = k + 1;
    }
    return i - (col - 1);
}

/* Columns that a character of three bytes or more covers in a terminal. */
static int columns_of(const unsigned char *s)
{
    unsigned u = s[0] >= 0xf0 ? 0x10000u
                              : (s[0] & 15u) << 12 | (s[1] & 63u) << 6 | (s[2] & 63u);
    bool wide = (u >= 0x1100 && u < 0x1160) || (u >= 0x2e80 && u < 0xa4d0) ||
                (u >= 0xac00 && u < 0xd7a4) || (u >= 0xf900 && u < 0xfb00) ||
                (u >= 0xfe30 && u < 0xfe70) || (u >= 0xff00 && u < 0xff61) ||
                (u >= 0xffe0 && u < 0xffe7) || u >= 0x10000;
    return wide ? 2 : 1;
}

static bool continued(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/* Columns that s covers from a tab stop on. */
static size_t diag_columns(const char *s, size_t n)
{
    size_t c = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char ch = (unsigned char)s[i];
        if (ch == '\t')
            c = c / 8 * 8 + 8;
        else if (!continued(s[i]))
            c += ch >= 0xe0 && i + 2 < n ? (size_t)columns_of((const unsigned char *)s + i) : 1;
    }
    return c;
}

/* Keeps `most` columns of a line that is longer, around byte *at of it: whole characters. */
static void diag_clip(const char **line, size_t *n, size_t *at, size_t most)
{
    const char *s = *line;
    size_t from = 0, to = *n, before = most * 5 / 8;
    if (diag_columns(s, to) <= most)
        return;
    /* A column is four bytes at most: what is farther away is not looked at again. */
    if (*at - 1 > 4 * most)
        for (from = *at - 1 - 4 * most; continued(s[from]);)
            from++;
    if (to > *at && to - *at > 4 * most)
        for (to = *at + 4 * most; continued(s[to]);)
            to++;
    size_t first = from;
    while (from < *at - 1 && diag_columns(s + from, *at - 1 - from) >= before)
        for (from++; from < *at - 1 && continued(s[from]);)
            from++;
    for (size_t left = from; diag_columns(s + left, to - left) <= most; left--) {
        if (!continued(s[left]))
            from = left; /* no more is cut than has to be */
        if (left == first)
            break;
    }
    while (to > *at && diag_columns(s + from, to - from) > most)
        for (to--; to > *at && continued(s[to]);)
            to--;
    *line += from;
    *n = to - from;
    *at -= from;
}

/* The line as it is shown, and *at in it: a control character's picture has more bytes. */
static void diag_visible(Str *out, const char *line, size_t n, size_t *at)
{
    size_t before = *at - 1 < n ? *at - 1 : n;
    str_visible(out, line, before);
    *at = out->n + 1;
    str_visible(out, line + before, n - before);
}

/* What stands before a line of code, and before what is said below it: of a terminal so
 * narrow that this would be a quarter of it, no more than it has to be. */
static size_t gutter(Str *out, uint16_t width, uint32_t line)
{
    char number[16] = "";
    bool narrow = width && width < 32;
    int n = snprintf(number, sizeof number, "%u", (unsigned)line);
    str_fmt(out, narrow ? "%s| " : "%5s | ", number);
    return narrow ? (size_t)n + 2 : 8;
}

static void diag_below(Str *out, size_t gutter)
{
    str_puts(out, "\n");
    for (size_t i = 2; i < gutter; i++)
        str_puts(out, " ");
    str_puts(out, "| ");
}

/* The label behind the carets, or below them where it would not fit on the terminal. */
static void showlabel(Str *out, const Diag *d, enum Lang lang, size_t room, size_t gut)
{
    Str label = {0};
    str_puts(&label, " ");
    diag_text(&label, d, text_in_language(err_info(d->err)->label, lang), lang);
    out->bad = out->bad || label.bad;
    if (label.n > 1 && diag_columns(label.s, label.n) > room) {
        diag_below(out, gut);
        str_add(out, label.s + 1, label.n - 1);
    } else if (label.n > 1) {
        str_add(out, label.s, label.n);
    }
    str_free(&label);
}

/* The user's line, and under it carets and the label.  A tab stays a tab and
 * a wide character becomes the two blanks it covers, so that carets line up
 * in any terminal. */
static void showline(Str *out, const Diag *d, const char *line, size_t n,
                     enum Lang lang, bool col, uint16_t most)
{
    enum { Widest = 160 };
    const ErrInfo *e = err_info(d->err);
    Str shown = {0};
    size_t at = diag_column(d, line, n), skip = 0;
    if (!at) {
        while (skip < n && (line[skip] == ' ' || line[skip] == '\t'))
            skip++;
        at = skip + 1;
    }
    if (at > n + 1)
        at = n + 1;
    /* a name that was looked for is all of what is wrong; a statement is not */
    bool indexed = (e->code[1] == '2' && strlen(e->code) == 4) || (!skip && at != d->loc.col);
    size_t gut = gutter(out, most, d->loc.line);
    diag_clip(&line, &n, &at, most > gut ? most - gut : Widest);
    diag_visible(&shown, line, n, &at);
    line = shown.s ? shown.s : "";
    n = shown.n;
    out->bad = out->bad || shown.bad;
    str_puts(out, line);
    diag_below(out, gut);
    for (size_t i = 0; i + 1 < at; i++) {
        unsigned char ch = (unsigned char)line[i];
        if (ch == '\t')
            str_puts(out, "\t");
        else if (ch >= 0xe0 && i + 2 < n)
            str_puts(out, columns_of((const unsigned char *)line + i) == 2 ? "  " : " ");
        else if (ch < 0x80 || ch >= 0xc0)
            str_puts(out, " ");
    }
    colour(out, col, levelcolour[e->level]);
    size_t carets = diag_span(line, n, at, name_alone(d->err), indexed),
           used = gut + diag_columns(line, at - 1) + carets;
    for (size_t i = carets; i; i--)
        str_puts(out, "^");
    showlabel(out, d, lang, !most ? SIZE_MAX : most > used ? most - used : 0, gut);
    colour(out, col, "\033[0m");
    str_puts(out, "\n");
    str_free(&shown);
}

/* A chunk that is named by its text, as Lua names what load() reads, is shown as Lua shows it. */
void str_file(Str *out, const char *name)
{
    enum { Most = 60, Shown = 44 };
    size_t line = strcspn(name, "\r\n");
    if (name[0] == '@' || name[0] == '=') {
        str_visible(out, name + 1, strlen(name + 1));
    } else if (line <= Most && !name[line]) {
        str_visible(out, name, line);
    } else {
        str_puts(out, "[string \"");
        if (line > Shown)
            for (line = Shown; line > 0 && ((unsigned char)name[line] & 0xc0) == 0x80; line--)
                ; /* not within a character */
        str_visible(out, name, line);
        str_puts(out, "...\"]");
    }
}

static void print_location(Str *out, const Ctx *c, Loc l, enum Lang lang)
{
    if (!l.file || l.file >= c->nfile) {
        str_puts(out, noname[lang]);
    } else {
        str_file(out, c->file[l.file]);
        if (l.line)
            str_fmt(out, ":%u", (unsigned)l.line);
        if (l.line && l.col)
            str_fmt(out, ":%u", (unsigned)l.col);
    }
    str_puts(out, ": ");
}

/* The title line. */
static void print_title(Str *out, const Ctx *c, const Diag *d, Loc at, enum Lang lang, bool col)
{
    const ErrInfo *e = err_info(d->err);
    colour(out, col, "\033[1m");
    if (at.file || e->level != Lnote)
        print_location(out, c, at, lang);
    colour(out, col, levelcolour[e->level]);
    str_puts(out, levelname[lang][e->level]);
    if (e->level != Lnote)
        str_fmt(out, "[%s]", e->code);
    colour(out, col, "\033[0m\033[1m");
    str_puts(out, ": ");
    diag_text(out, d, text_in_language(e->title, lang), lang);
    colour(out, col, "\033[0m");
}

/* Of several notes only the first shows its line, so that a message stays
 * short. */
static void notes(Str *out, const Ctx *c, const Diag *d, enum Lang lang, bool col,
                  SourceFn *source, void *ud)
{
    for (; d; d = d->next) {
        diag_render(out, c, d, lang, col, source, ud);
        if (d->loc.file)
            source = NULL;
    }
}

void diag_render(Str *out, const Ctx *c, const Diag *d, enum Lang lang,
                 bool col, SourceFn *source, void *ud)
{
    const ErrInfo *e = err_info(d->err);
    Loc at = d->loc;
    size_t n = 0;
    const char *line = NULL;
    if (source && at.file && at.file < c->nfile && at.line)
        line = source(ud, c->file[at.file], at.line, &n);
    if (line)
        at.col = diag_column(d, line, n);
    print_title(out, c, d, at, lang, col);
    if (line) {
        str_puts(out, "\n");
        showline(out, d, line, n, lang, col, c->width);
    } else {
        const char *label = text_in_language(e->label, lang);
        if (label[0]) {
            str_puts(out, ": ");
            diag_text(out, d, label, lang);
        }
        str_puts(out, "\n");
    }
    notes(out, c, d->note, lang, col, source, ud);
    if (text_in_language(e->help, lang)[0]) {
        colour(out, col, "\033[36m");
        str_fmt(out, "%s: ", helpname[lang]);
        colour(out, col, "\033[0m");
        diag_text(out, d, text_in_language(e->help, lang), lang);
        str_puts(out, "\n");
    }
}
